//! The systems in this project's language.

use constraint_runtime::prelude::*;

macro_rules! net {
    ($(#[$form:meta])* $name:ident, $n:tt) => {
        system! {
            $(#[$form])*
            pub struct $name { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

            for i in 0..$n { for j in 0..$n { particle bead[i][j]: Point2 { mass: m } } }
            for i in 0..$n { for j in 1..$n {
                constraint across[i][j - 1]: norm_squared(bead[i][j] - bead[i][j - 1]) == l^2;
            } }
            for i in 1..$n { for j in 0..$n {
                constraint down[i - 1][j]: norm_squared(bead[i][j] - bead[i - 1][j]) == l^2;
            } }
            for i in 0..$n { for j in 0..$n { force bead[i][j]: [0, -m*g]; } }
        }
    };
}

macro_rules! ladder {
    ($name:ident, $n:tt) => {
        system! {
            pub struct $name { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }

            particle left[$n]: Point2 { mass: m }
            particle right[$n]: Point2 { mass: m }

            for i in 1..$n { constraint up[i]: norm_squared(left[i] - left[i-1]) == l^2; }
            for i in 1..$n { constraint along[i]: norm_squared(right[i] - right[i-1]) == l^2; }
            for i in 0..$n { constraint rung[i]: norm_squared(right[i] - left[i]) == l^2; }
            for i in 0..$n { force left[i]: [0, -m*g]; }
            for i in 0..$n { force right[i]: [0, -m*g]; }
        }
    };
}

net!(Net4, 4);
net!(
    #[solver(rolled)]
    Net4Panels,
    4
);
net!(Net5, 5);
net!(
    #[solver(unrolled)]
    Net5Written,
    5
);
net!(
    #[solver(rolled)]
    Net5Panels,
    5
);
net!(Net6, 6);
net!(
    #[solver(unrolled)]
    Net6Written,
    6
);
net!(
    #[solver(rolled)]
    Net6Panels,
    6
);
net!(Net8, 8);
net!(
    #[solver(unrolled)]
    Net8Written,
    8
);
net!(Net16, 16);
net!(Net32, 32);
ladder!(Ladder16, 16);
ladder!(Ladder256, 256);
ladder!(Ladder4096, 4096);
net!(
    #[solver(rolled)]
    Net8Panels,
    8
);
net!(Net10, 10);
net!(
    #[solver(unrolled)]
    Net10Written,
    10
);
net!(
    #[solver(rolled)]
    Net10Panels,
    10
);
