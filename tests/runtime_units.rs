//! The same motion in other units: no length, mass or time is built in.

mod system_models;

use constraint_runtime::prelude::*;
use system_models::{Chain, Rods, SliderCrank};

/// How many of a kilogram, a metre and a second make one of the unit.
#[derive(Clone, Copy, Debug)]
struct Units {
    length: f64,
    time: f64,
}

constraint! { struct Rod { l: Real } |x, y| norm([x, y]) == l }
constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }

system! {
    /// A lever on a pin, beside the pin's anchor.
    struct Lever { m: Real, inertia: Real, l: Real, x: Real, g: Real }
    body lever: Rigid2 { mass: m, inertia: inertia }
    constraint pin: at(lever, [-l, 0]) == [x, 0];
    potential m*g*at(lever, [0, 0]).y;
}

system! {
    /// A point on a slide that is driven to and fro.
    struct Driven { m: Real, a: Real, omega: Real, k: Real }
    particle p: Point2 { mass: m }
    constraint slide: p.x == a*sin(omega*t);
    potential k/2*p.y^2;
}
