use constraint_runtime::prelude::*;

system! {
    struct S;
    particle p: Point2 { mass: 1 }
    fn first(s) = s.abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs();
    fn second(s) = first(s).abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs();
    fn third(s) = second(s).abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs();
    fn fourth(s) = 2 * third(s).abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs().abs();
    fn fifth(s) = fourth(s);
    potential fifth(p.x);
}

fn main() {}
