use constraint_runtime::prelude::*;

fn bare() {
    let _ = constraint!(y >= -x^2);
    let _ = constraint!(|x, y| y == x { friction: 1 });
}

constraint! {
    struct Foot;
    |foot: Rigid2| at(foot, [0, -1]).y >= 0
}

constraint! {
    struct Mixed { r: Real }
    |p: Point2| [p.y >= 0, norm(p) < r, p.x == 0, p.y]
}

constraint! {
    #[derivatives]
    struct Flat;
    |x, y| y >= 0
}

fn main() {}
