//! The systems in this project's language, as their users write them.

use constraint_runtime::prelude::*;

/// A chain of `$n` links in the equation of the hand-written versions: |b − a|² = l².
macro_rules! chain {
    ($($name:ident, $n:tt;)*) => {$(
        system! {
            pub struct $name { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

            particle bead[$n]: Point2 { mass: m }

            constraint anchor: norm_squared(bead[0]) == l^2;
            for i in 1..$n { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
            for i in 0..$n { force bead[i]: [0, -m*g]; }
        }
    )*};
}

/// The same as |b − a| = l, whose bias has a division more.
macro_rules! length_chain {
    ($($name:ident, $n:tt;)*) => {$(
        system! {
            pub struct $name { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

            particle bead[$n]: Point2 { mass: m }

            constraint anchor: norm(bead[0]) == l;
            for i in 1..$n { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
            for i in 0..$n { force bead[i]: [0, -m*g]; }
        }
    )*};
}

chain! {
    Chain2, 2;
    Chain4, 4;
    Chain8, 8;
    Chain16, 16;
    Chain32, 32;
    Chain64, 64;
    Chain128, 128;
    Chain256, 256;
    Chain512, 512;
    Chain1024, 1024;
}

length_chain! {
    LengthChain8, 8;
    LengthChain64, 64;
}

/// Rigid links on ball joints: eight are written out, sixty-four solved in loops.
macro_rules! ball_links {
    ($($name:ident, $n:tt;)*) => {$(
        system! {
            pub struct $name { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }

            body link[$n]: Rigid3 { mass: m, inertia: [a, b, c] }

            constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
            for i in 1..$n { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
            for i in 0..$n { force link[i]: [0, 0, -m*g]; }
        }
    )*};
}

ball_links! {
    Links8, 8;
    Links64, 64;
}

system! {
    /// Four beads and four rods in a loop.
    pub struct Square { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

    particle bead[4]: Point2 { mass: m }

    for i in 0..3 { constraint rod[i]: norm_squared(bead[i+1] - bead[i]) == l^2; }
    constraint closing: norm_squared(bead[0] - bead[3]) == l^2;
    for i in 0..4 { force bead[i]: [0, -m*g]; }
}

system! {
    /// Crank, coupler and rocker.
    pub struct FourBar { m: Real = 1, l: Real = 0.5, base: Real = 1.3, g: Real = 9.81 }

    particle a: Point2 { mass: m }
    particle b: Point2 { mass: m }

    constraint crank: norm_squared(a) == l^2;
    constraint coupler: norm_squared(b - a) == base^2;
    constraint rocker: norm_squared(b - [base, 0]) == l^2;
    force a: [0, -m*g];
    force b: [0, -m*g];
}

system! {
    /// Four by four beads, numbered row by row, and 24 rods.
    pub struct Net { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

    particle bead[16]: Point2 { mass: m }

    for row in 0..4 { for column in 0..3 {
        constraint across[3*row + column]: norm_squared(bead[4*row + column + 1] - bead[4*row + column]) == l^2;
    } }
    for row in 0..3 { for column in 0..4 {
        constraint down[4*row + column]: norm_squared(bead[4*row + column + 4] - bead[4*row + column]) == l^2;
    } }
    for i in 0..16 { force bead[i]: [0, -m*g]; }
}

system! {
    /// Two beads joined by a spring on the wire y = x⁴ − 2x².
    pub struct SpringBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }

    fn wire(s) = [s, s^4 - 2*s^2];

    coordinate x1, x2;
    particle a = wire(x1) { mass: m1 }
    particle b = wire(x2) { mass: m2 }

    potential m1*g*a.y + m2*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;
}
