//! `verify!`: what is right passes, and each function that is wrong is named.

use constraint_runtime::prelude::*;
use constraint_runtime::{Properties, verify};

constraint! { struct Parabola; |x, y| x^2 + 100*y }

constraint! {
    struct Hoop { r: Real, omega: Real }
    |p: Point3, t: Time| [norm_squared(p) == r^2, p.x*sin(omega*t) == p.y*cos(omega*t)]
}

curve! { struct Kinked; |s in -3..=3| [s, if s > 0 { s^2 } else { -s^3 }] }

system! {
    struct Skate { m: Real = 1, i: Real = 0.1, l: Real = 2, g: Real = 9.81 }
    body skate: Rigid2 { mass: m, inertia: i }
    particle trailer: Point2 { mass: m }
    constraint rod: norm(trailer - at(skate, [0, 0])) == l*(1 + t^2);
    constraint blade: dot(velocity(at(skate, [0, 0])), dir(skate, [0, 1])) == 0;
    force skate: [m*g/10, 0];
}

system! {
    struct Door { m: Real = 2, g: Real = 9.81 }
    body door: Rigid3 { mass: m, inertia: [m, 2*m, 3*m] }
    gravity [0, 0, -g];
    joint post: Hinge { b: door, r1: [0, 0, 1], r2: [-1, 0, 0], axis: [0, 0, 1] }
}

system! {
    struct Cart { m: Real = 2, l: Real = 1, g: Real = 9.81 }
    coordinate x, angle;
    particle bob = [x + l*sin(angle), -l*cos(angle)] { mass: m }
    particle cart = [x, 0] { mass: m }
    gravity [0, -g];
    dissipation velocity(x)^2;
}

system! {
    struct Growing { k: Real = 3 }
    coordinate x, y;
    kinetic (1 + t^2)*(2 + x^2)*velocity(x)^2/2 + velocity(y)^2;
    potential k*(1 + t)*x^2*y^2/2;
}

system! {
    struct Towed { m: Real = 2, k: Real = 3, g: Real = 9.81 }
    coordinate x;
    particle bob = [x + sin(t), x^2] { mass: m }
    gravity [0, -g];
    potential k*x^2/2;
}

system! {
    #[solver(rolled)]
    struct Sprung { m: [Real; 16] = 2, k: Real = 3, g: Real = 9.81 }
    for i in 0..16 { particle p[i]: Point3 { mass: m[i] } }
    gravity [0, 0, -g];
    constraint first: norm(p[0]) == 1;
    for i in 1..16 { constraint rod[i]: norm(p[i] - p[i - 1]) == 1; }
    for i in 2..16 { potential k*norm_squared(p[i] - p[i - 2])/2; }
}

system! {
    struct Arm { m: Real = 2, l: Real = 0.5, k: Real = 3, g: Real = 9.81 }
    coordinate a, b;
    body upper: Rigid2 = pose([l*sin(a), -l*cos(a)], a) { mass: m, inertia: m*l^2 }
    particle tip = at(upper, [0, -l]) + l*[sin(a + b), -cos(a + b)] { mass: m }
    gravity [0, -g];
    potential k*b^2/2;
}

#[test]
fn what_macros_derive_is_right() {
    verify!(Parabola);
    verify!(Parabola, 100.0);
    verify!(Hoop { r: 1.0, omega: 2.0 });
    verify!(Kinked);
    verify!(Skate::<f64>::default());
    verify!(Door::<f64>::default());
    verify!(Cart::<f64>::default());
    verify!(Growing::<f64>::default());
    verify!(Towed::<f64>::default());
    verify!(Sprung::<f64>::default());
    verify!(Arm::<f64>::default());
}

/// A circle by hand, with one mistake.
struct Circle(&'static str);

impl Constraint<f64, 2, 1> for Circle {
    fn value(&self, _: f64, q: &Vector2<f64>) -> SVector<f64, 1> {
        [q.norm_squared() - 4.0].into()
    }
    fn jacobian(&self, _: f64, q: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        let sign = if self.0 == "jacobian" { -2.0 } else { 2.0 };
        SMatrix::<f64, 1, 2>::new(2.0 * q.x, sign * q.y)
    }
    fn rate(&self, _: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        let twice = if self.0 == "rate" { 1.0 } else { 2.0 };
        [twice * q.dot(v)].into()
    }
    fn jacobian_dot(&self, _: f64, _: &Vector2<f64>, v: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        let twice = if self.0 == "jacobian_dot" { 4.0 } else { 2.0 };
        twice * v.transpose()
    }
    fn bias(&self, _: f64, _: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        let more = if self.0 == "bias" { 0.01 } else { 0.0 };
        [2.0 * v.norm_squared() + more].into()
    }
    fn force(
        &self,
        t: f64,
        q: &Vector2<f64>,
        v: &Vector2<f64>,
        w: &Vector2<f64>,
        f: &Vector2<f64>,
    ) -> Result<Vector2<f64>, Singular> {
        let lambda = self.multipliers(t, q, v, w, f)?;
        let sign = if self.0 == "force" { -1.0 } else { 1.0 };
        Ok(sign * self.jacobian(t, q).tr_mul(&lambda))
    }
}

#[test]
fn what_is_right_by_hand_passes() {
    verify!(Circle(""));
}

#[test]
fn a_mistake_is_named() {
    for name in ["jacobian", "rate", "jacobian_dot", "bias", "force"] {
        let verified = std::panic::catch_unwind(|| verify!(Circle(name)));
        let told = verified.expect_err("a mistake");
        let told = told.downcast_ref::<String>().expect("a message");
        assert!(told.starts_with(&format!("{name} of ")), "{name}: {told}");
    }
}

/// A bob of mass 2 that slides along a rod which turns about its end, by hand, with one mistake.
struct Pendulum(&'static str);

impl Unconstrained for Pendulum {}

impl Dynamics<f64> for Pendulum {
    type Q = Vector2<f64>;
    type V = Vector2<f64>;
    type Coordinates = Self::Q;
    type Velocities = Self::V;

    const PROPERTIES: Properties = Properties {
        conservative_forces: true,
        ..Properties::NONE
    };

    /// x'' = x a'^2 + g cos a, (x^2 a')' = -g x sin a, of a bob at the distance x whose mass drops out.
    fn acceleration(&self, _: f64, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let turns = if self.0 == "kinetic_energy" { 1.0 } else { 2.0 };
        let outwards = q.x * v.y * v.y + 9.81 * q.y.cos();
        let sideways = (-turns * v.x * v.y - 9.81 * q.y.sin()) / q.x;
        Ok([outwards, sideways].into())
    }
    fn kinetic_energy(&self, _: f64, q: &Self::Q, v: &Self::V) -> f64 {
        v.x * v.x + q.x * q.x * v.y * v.y
    }
    fn potential_energy(&self, _: f64, q: &Self::Q) -> f64 {
        let sign = if self.0 == "potential_energy" {
            1.0
        } else {
            -1.0
        };
        sign * 2.0 * 9.81 * q.x * q.y.cos()
    }
}

#[test]
fn energies_are_those_of_the_forces() {
    verify!(Pendulum(""));
    for name in ["kinetic_energy", "potential_energy"] {
        let verified = std::panic::catch_unwind(|| verify!(Pendulum(name)));
        let told = verified.expect_err("a mistake");
        let told = told.downcast_ref::<String>().expect("a message");
        assert!(told.starts_with(&format!("{name} of ")), "{name}: {told}");
    }
}

/// A free bob with drag whose author forgot that drag reads the velocity.
struct Drag;

impl Unconstrained for Drag {}

impl Dynamics<f64> for Drag {
    type Q = Vector2<f64>;
    type V = Vector2<f64>;
    type Coordinates = Self::Q;
    type Velocities = Self::V;

    const PROPERTIES: Properties = Properties {
        forces_ignore_velocity: true,
        ..Properties::NONE
    };

    fn acceleration(&self, _: f64, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        Ok(-q - v)
    }
    fn kinetic_energy(&self, _: f64, _: &Self::Q, v: &Self::V) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _: f64, _: &Self::Q) -> f64 {
        0.0
    }
}

#[test]
fn forces_said_to_ignore_velocities_do() {
    let verified = std::panic::catch_unwind(|| verify!(Drag));
    let message = verified.expect_err("a mistake");
    let message = message.downcast_ref::<String>().expect("a message");
    assert!(
        message.starts_with("forces_ignore_velocity of "),
        "{message}"
    );
}
