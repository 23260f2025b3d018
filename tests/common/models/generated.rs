//! Generated systems: models for the tests of what moves them.

#![allow(dead_code, reason = "each room of tests takes the models it needs")]

use constraint_runtime::prelude::*;

pub const G: f64 = 9.81;

system! {
    /// A double pendulum in the plane, held by two rods.
    pub struct Rods { pub m1: Real = 1, pub m2: Real = 2, pub l1: Real = 1, pub l2: Real = 0.8, pub g: Real = 9.81 }

    particle upper: Point2 { mass: m1 }
    particle lower: Point2 { mass: m2 }
    constraint upper_rod: norm(upper) == l1;
    constraint lower_rod: norm(lower - upper) == l2;

    potential m1*g*upper.y + m2*g*lower.y;
}

system! {
    /// The same double pendulum, by the angles of its rods.
    pub struct Angles { pub m1: Real = 1, pub m2: Real = 2, pub l1: Real = 1, pub l2: Real = 0.8, pub g: Real = 9.81 }

    coordinate a, b;
    particle upper = [l1*sin(a), -l1*cos(a)] { mass: m1 }
    particle lower = upper + [l2*sin(b), -l2*cos(b)] { mass: m2 }

    potential m1*g*upper.y + m2*g*lower.y;
}

system! {
    /// A chain of eight rigid links hanging from the origin.
    pub struct Chain { pub m: Real = 1, pub l: Real = 0.5, pub g: Real = 9.81 }

    particle bead[8]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { potential m*g*bead[i].y; }
}

system! {
    /// The same chain, solved by loops over its families.
    #[solver(rolled)]
    pub struct RolledChain { pub m: Real = 1, pub l: Real = 0.5, pub g: Real = 9.81 }

    particle bead[8]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..8 { force bead[i]: [0, -m*g]; }
}

system! {
    /// A four-bar linkage, by the angles of its crank and its rocker.
    pub struct CrankAndRocker {
        pub m1: Real = 1, pub m2: Real = 2, pub crank: Real = 1, pub coupler: Real = 3, pub rocker: Real = 2.5,
        pub ground: Real = 3, pub g: Real = 9.81,
    }

    coordinate a, b;
    particle pin = [crank*cos(a), crank*sin(a)] { mass: m1 }
    particle far = [ground + rocker*cos(b), rocker*sin(b)] { mass: m2 }
    constraint bar: norm(far - pin) == coupler;
    gravity [0, -g];
}

system! {
    /// Two pendulums of one length on one pivot, their bobs a rod apart.
    pub struct Scissors { pub m: Real = 1, pub l: Real = 1.5, pub apart: Real = 1, pub g: Real = 9.81 }

    coordinate a, b;
    particle p = [l*sin(a), -l*cos(a)] { mass: m }
    particle q = [l*sin(b), -l*cos(b)] { mass: m }
    constraint rod: norm(p - q) == apart;
    gravity [0, -g];
}

system! {
    /// A crank that turns about the origin, a rod, and a slider on the level: coordinates of both kinds.
    pub struct SliderCrank { pub m: Real = 1, pub slider: Real = 3, pub r: Real = 1, pub l: Real = 2.5, pub g: Real = 9.81, pub c: Real = 0 }

    coordinate angle, x;
    particle pin = [r*cos(angle), r*sin(angle)] { mass: m }
    particle block = [x, 0] { mass: slider }
    constraint rod: norm(block - pin) == l;

    potential m*g*pin.y;
    dissipation c/2 * velocity(x)^2;
}

system! {
    /// Chaplygin's sleigh on a slope: a blade at (x, y), the mass ahead of it.
    pub struct Sleigh { pub m: Real = 2, pub inertia: Real = 0.1, pub ahead: Real = 0.3, pub downhill: Real = 2 }

    coordinate x, y, heading;
    let along = [cos(heading), sin(heading)];
    particle body = [x, y] + ahead*along { mass: m }
    kinetic inertia/2 * velocity(heading)^2;
    potential -m*downhill*body.x;

    constraint blade: cross(along, [velocity(x), velocity(y)]) == 0;
}

system! {
    /// A free bead on a straight wire that turns about the origin.
    pub struct TurningWire { pub m: Real = 1, pub omega: Real = 3 }

    particle p: Point2 { mass: m }
    constraint wire: p.x*sin(omega*t) - p.y*cos(omega*t) == 0;
}

system! {
    /// A cart with a pole, pushed.
    pub struct CartPole { pub m_cart: Real = 1, pub m_bob: Real = 0.2, pub l: Real = 0.5, pub g: Real = 9.81 }

    input push;
    coordinate x, angle;
    particle cart = [x, 0] { mass: m_cart }
    particle bob = cart + l*[sin(angle), cos(angle)] { mass: m_bob }

    potential m_bob*g*bob.y;
    force x: push;
}

system! {
    /// A spherical pendulum by its angles: from the vertical, and about it.
    pub struct SphericalPendulum { pub m: Real = 2, pub l: Real = 0.8, pub g: Real = 9.81 }

    coordinate polar, turn;
    particle bob = l*[sin(polar)*cos(turn), sin(polar)*sin(turn), -cos(polar)] { mass: m }

    potential m*g*bob.z;
}

system! {
    /// A bead in a hoop that turns about its vertical diameter.
    pub struct TurningHoop { pub m: Real = 2, pub r: Real = 0.8, pub omega: Real = 5, pub g: Real = 9.81 }

    coordinate angle;
    particle bead = r*[sin(angle)*cos(omega*t), sin(angle)*sin(omega*t), -cos(angle)] { mass: m }

    potential m*g*bead.z;
}

system! {
    /// A bead on a torus about the z axis.
    pub struct Torus { pub m: Real = 2, pub big: Real = 1.5, pub small: Real = 0.4, pub g: Real = 9.81 }

    coordinate about, around;
    let reach = big + small*cos(around);
    particle bead = [reach*cos(about), reach*sin(about), small*sin(around)] { mass: m }

    potential m*g*bead.z;
}

system! {
    /// A robot's arm of two links in the plane, by the angles of its joints.
    pub struct Arm { pub m1: Real = 1, pub m2: Real = 2, pub l1: Real = 1, pub l2: Real = 0.8, pub g: Real = 9.81 }

    coordinate shoulder, elbow;
    particle first = l1*[cos(shoulder), sin(shoulder)] { mass: m1 }
    particle second = first + l2*[cos(shoulder + elbow), sin(shoulder + elbow)] { mass: m2 }

    potential m1*g*first.y + m2*g*second.y;
}

system! {
    /// A bead on a slope, told by a coordinate whose unit is stretched in time: M depends on time alone.
    pub struct Telescope { pub m: Real = 2, pub downhill: Real = 3 }

    coordinate q;
    particle p = [q*(2 + sin(t)), 0] { mass: m }

    potential -m*downhill*p.x;
}

system! {
    /// A bead on the lemniscate of Bernoulli: M = m a²/(1 + sin² s), which only multiplying out shows.
    pub struct LemniscateBead { pub m: Real = 2, pub a: Real = 1.5, pub g: Real = 9.81 }

    coordinate s;
    let d = 1 + sin(s)^2;
    particle bead = [a*cos(s)/d, a*sin(s)*cos(s)/d] { mass: m }

    potential m*g*bead.y;
}

system! {
    /// Two beads on the arches of a cycloid, tied by a spring: fractions that share what the spring pulls with.
    pub struct CycloidBeads { pub m: Real = 2, pub r: Real = 0.7, pub k: Real = 5, pub g: Real = 9.81 }

    fn arch(s) = [r*(s + sin(s)), r*(1 - cos(s))];
    coordinate s1, s2;
    particle left = arch(s1) { mass: m }
    particle right = arch(s2) + [1, 0] { mass: 3*m }

    potential m*g*(left.y + 3*right.y);
    potential k/2 * (norm(right - left) - r)^2;
}
