use constraint_runtime::prelude::*;

// 2²⁶ particles.
system! {
    struct Tree;

    part A { at: Vector2 } { particle p: Point2 { mass: 1 } constraint rod: norm(p - at) == 1; }
    part B { at: Vector2 } { a: A { at: at } b: A { at: at } c: A { at: at } d: A { at: at } }
    part C { at: Vector2 } { a: B { at: at } b: B { at: at } c: B { at: at } d: B { at: at } }
    part D { at: Vector2 } { a: C { at: at } b: C { at: at } c: C { at: at } d: C { at: at } }
    part E { at: Vector2 } { a: D { at: at } b: D { at: at } c: D { at: at } d: D { at: at } }
    part F { at: Vector2 } { a[64]: E { at: at } }
    part G { at: Vector2 } { a[64]: F { at: at } }
    part H { at: Vector2 } { a[64]: G { at: at } }
    tree: H { at: [0, 0] }
}

fn main() {}
