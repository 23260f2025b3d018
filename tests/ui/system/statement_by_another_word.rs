use constraint_runtime::prelude::*;

system! {
    struct A { m: Real = 1 }
    particle p: Point2 { mass: m }
    spring p: 3;
}

system! {
    struct B { m: Real = 1 }
    particle p: Point2 { mass: m }
    damper p: 3;
}

system! {
    struct C { m: Real = 1 }
    particle p: Point2 { mass: m }
    friction p: 3;
}

system! {
    struct D { m: Real = 1 }
    particle p: Point2 { mass: m }
    floor p: 0;
}

system! {
    struct E { m: Real = 1 }
    particle p: Point2 { mass: m }
    hinge p;
}

fn main() {}
