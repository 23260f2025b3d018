//! Systems whose elimination fills in, solved in panels of four rows, against the same with every operation written out.

use constraint_runtime::prelude::*;

use crate::rolled::{agree, both, own, vector};

both! { Net, NetWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    for i in 0..6 { for j in 0..6 { particle bead[i][j]: Point2 { mass: m } } }
    for i in 0..6 { for j in 0..5 { constraint across[i][j]: norm_squared(bead[i][j + 1] - bead[i][j]) == l^2; } }
    for i in 0..5 { for j in 0..6 { constraint down[i][j]: norm_squared(bead[i + 1][j] - bead[i][j]) == l^2; } }
    for i in 0..6 { for j in 0..6 { force bead[i][j]: [0, -m*g]; } }
}

// Masses, lengths and forces of their own, a corner that hangs, in space, and a number of rows that four does not divide.
both! { Cloth, ClothWritten { m: [[Real; 6]; 5], l: [[Real; 6]; 5], g: [Vector3; 5], peg: Vector3 }
    for i in 0..5 { for j in 0..6 { particle knot[i][j]: Point3 { mass: m[i][j] } } }
    constraint corner: norm(knot[0][0] - peg) == 1;
    for i in 0..5 { for j in 0..5 { constraint across[i][j]: norm(knot[i][j + 1] - knot[i][j]) == l[i][j]; } }
    for i in 0..4 { for j in 0..6 { constraint down[i][j]: norm_squared(knot[i + 1][j] - knot[i][j]) == l[i][j]^2*(2 + sin(t)); } }
    for i in 0..5 { for j in 0..6 { force knot[i][j]: m[i][j]*g[i]; } }
    for i in 0..4 { for j in 0..6 { potential 3*norm_squared(knot[i + 1][j] - knot[i][j]); } }
}

// Every bead is joined to three that no row or column tells.
both! { Tangle, TangleWritten { m: [Real; 44], l: Real = 0.5, c: Real = 0.1 }
    input push[44]: Vector2;
    for i in 0..44 { particle bead[i]: Point2 { mass: m[i] } }
    for i in 0..44 { constraint near[i]: norm_squared(bead[(5*i + 3) % 44] - bead[i]) == l^2*(1 + i/9); }
    for i in 0..9 { constraint far[i]: norm_squared(bead[(7*i + 21) % 44] - bead[3*i]) == l^2; }
    for i in 0..44 { force bead[i]: push[i]; dissipation c*norm_squared(velocity(bead[i])); }
}

#[test]
fn a_net() {
    agree(Net::default(), NetWritten::default());
}

#[test]
fn a_cloth_of_masses_lengths_and_forces_of_their_own() {
    let m = core::array::from_fn(|i| core::array::from_fn(|j| own(i + 7 * j)));
    let l = core::array::from_fn(|i| core::array::from_fn(|j| own(3 * i + 5 * j)));
    let g = core::array::from_fn(|i| Vector3::new(own(i), -own(i + 3), own(2 * i)));
    let peg = Vector3::new(0.3, -0.8, 0.1);
    agree(Cloth { m, l, g, peg }, ClothWritten { m, l, g, peg });
}

#[test]
fn a_tangle_with_inputs() {
    let m = core::array::from_fn(own);
    let push = core::array::from_fn(vector);
    let (l, c) = (0.5, 0.1);
    agree(
        Tangle { m, l, c }.with_inputs(TangleInputs { push }),
        TangleWritten { m, l, c }.with_inputs(TangleWrittenInputs { push }),
    );
}

/// Beads that lie on each other leave a rod no direction: across[1][0], the sixth.
#[test]
fn a_rod_without_length_is_named() {
    let q =
        SVector::<f64, 72>::from_fn(|i, _| (i / 2 % 6 + i / 12 * 7) as f64 + (i % 2 * i) as f64);
    let mut same = q;
    (same[14], same[15]) = (same[12], same[13]);
    let v = SVector::zeros();
    let (net, written) = (Net::<f64>::default(), NetWritten::<f64>::default());
    net.acceleration(0.0, &q, &v).unwrap();
    let found = net.acceleration(0.0, &same, &v).unwrap_err();
    let expected = written.acceleration(0.0, &same, &v).unwrap_err();
    for error in [found, expected] {
        let told = error.to_string();
        assert!(told.contains("row 5 "), "{told}");
    }
}
