//! Parameters, masses, forces and constraints that know their index.

use constraint_runtime::prelude::*;

use crate::{check_alike, noise};

system! {
    /// Eight links, each with its own mass and length, its bead pushed by its own force.
    pub struct Chain { m: [Real; 8], push: [Vector2; 8], l: [Real; 8] = 0.5, g: Real = 9.81 }
    for i in 0..8 { particle bead[i]: Point2 { mass: m[i] } }
    constraint anchor: norm(bead[0]) == l[0];
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l[i]; }
    for i in 0..8 { force bead[i]: push[i] + [0, -m[i]*g]; }
}

system! {
    pub struct ChainByName {
        m0: Real, m1: Real, m2: Real, m3: Real, m4: Real, m5: Real, m6: Real, m7: Real,
        push0: Vector2, push1: Vector2, push2: Vector2, push3: Vector2,
        push4: Vector2, push5: Vector2, push6: Vector2, push7: Vector2,
        l0: Real = 0.5, l1: Real = 0.5, l2: Real = 0.5, l3: Real = 0.5,
        l4: Real = 0.5, l5: Real = 0.5, l6: Real = 0.5, l7: Real = 0.5,
        g: Real = 9.81,
    }
    particle b0: Point2 { mass: m0 }
    particle b1: Point2 { mass: m1 }
    particle b2: Point2 { mass: m2 }
    particle b3: Point2 { mass: m3 }
    particle b4: Point2 { mass: m4 }
    particle b5: Point2 { mass: m5 }
    particle b6: Point2 { mass: m6 }
    particle b7: Point2 { mass: m7 }
    constraint anchor: norm(b0) == l0;
    constraint link1: norm(b1 - b0) == l1;
    constraint link2: norm(b2 - b1) == l2;
    constraint link3: norm(b3 - b2) == l3;
    constraint link4: norm(b4 - b3) == l4;
    constraint link5: norm(b5 - b4) == l5;
    constraint link6: norm(b6 - b5) == l6;
    constraint link7: norm(b7 - b6) == l7;
    force b0: push0 + [0, -m0*g];
    force b1: push1 + [0, -m1*g];
    force b2: push2 + [0, -m2*g];
    force b3: push3 + [0, -m3*g];
    force b4: push4 + [0, -m4*g];
    force b5: push5 + [0, -m5*g];
    force b6: push6 + [0, -m6*g];
    force b7: push7 + [0, -m7*g];
}

#[test]
fn a_chain_of_arrays_is_the_chain_written_by_name() {
    let m: [f64; 8] = core::array::from_fn(|i| 1.5 + noise(i));
    let push: [Vector2<f64>; 8] =
        core::array::from_fn(|i| Vector2::new(noise(i + 8), noise(i + 16)));
    let l = [0.5; 8];
    let chain = Chain {
        m,
        push,
        l,
        g: 9.81,
    };
    let [m0, m1, m2, m3, m4, m5, m6, m7] = m;
    let [push0, push1, push2, push3, push4, push5, push6, push7] = push;
    let [l0, l1, l2, l3, l4, l5, l6, l7] = l;
    let by_name = ChainByName {
        m0,
        m1,
        m2,
        m3,
        m4,
        m5,
        m6,
        m7,
        push0,
        push1,
        push2,
        push3,
        push4,
        push5,
        push6,
        push7,
        l0,
        l1,
        l2,
        l3,
        l4,
        l5,
        l6,
        l7,
        g: 9.81,
    };
    let q = SVector::<f64, 16>::from_fn(|i, _| i as f64 / 3.0 + noise(i) / 4.0);
    let v = SVector::<f64, 16>::from_fn(|i, _| noise(i + 40));
    check_alike(&chain, &by_name, &q, &v);
    for (array, named) in Chain::<f64>::DERIVATION
        .entries()
        .zip(ChainByName::<f64>::DERIVATION.entries())
    {
        assert_eq!((array.name, array.cost), (named.name, named.cost));
    }
}
