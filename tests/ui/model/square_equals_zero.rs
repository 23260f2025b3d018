use constraint_runtime::prelude::*;

constraint! {
    struct Squared { a: Real }
    |x, y| [
        x^2 == 0,
        0 == x^2 + 3*y^4,
        -a*x^2*exp(y) == 0,
        abs(sin(x)) == 0,
        sqrt(x - y) == 0,
        cos(x - y) == 1,
        2*sin(x) - y/y*cos(y)/2 == -5/2,
    ]
}

constraint! {
    struct Together;
    |p: Point2, q: Point2| norm(p - q) == 0
}

fn main() {}
