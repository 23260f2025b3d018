use constraint_runtime::prelude::*;

system! {
    struct S;

    part Link { hook: Vector2 } {
        particle tip: Point2 { mass: 1 }
        constraint rod: norm(tip - hook) == 1;
    }
    link[0]: Link { hook: [0, 0] }
    link[2]: Link { hook: link[0].tip }
}

fn main() {}
