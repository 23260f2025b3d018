//! Corners of forces and rows: a request there says which, and one beside it is served.

use constraint_runtime::Equilibrium;
use constraint_runtime::prelude::*;
use constraint_runtime::{equilibrium, modes};

system! {
    /// A bead on a roof, in a wind that turns.
    #[derivatives]
    struct Roof { m: Real = 2, k: Real = 3, g: Real = 10 }
    particle bead: Point2 { mass: m }
    constraint roof: bead.y == -abs(bead.x - 1)/2;
    force bead: [-k*abs(bead.x - 3), 0];
    gravity [0, -g];
    output pull = multiplier(roof);
}

/// Bead, its place and velocity on the roof.
fn on_roof(x: f64) -> (SVector<f64, 2>, SVector<f64, 2>) {
    ([x, -(x - 1.0).abs() / 2.0].into(), [0.0, 0.0].into())
}

#[track_caller]
fn refused<T: core::fmt::Debug>(found: Result<T, Error>, place: &str) {
    match found {
        Err(Error::Corner { place: told, .. }) => assert_eq!(told, place),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_at_a_corner_says_which() {
    let roof = Roof::default();
    let ridge = "bead.x − 1 = 0 is a corner of constraint `roof`";
    let (q, v) = on_roof(1.0);
    refused(roof.linearize(0.0, &q, &v), ridge);
    refused(roof.linearize_with_multipliers(0.0, &q, &v), ridge);
    refused(roof.jvp(0.0, &q, &v, &Tangent::default()), ridge);
    refused(roof.vjp(0.0, &q, &v, &v, &SVector::zeros()), ridge);
    refused(
        roof.outputs_vjp(0.0, &q, &v, &RoofOutputs::default()),
        ridge,
    );
    let (q, v) = on_roof(3.0);
    refused(
        roof.check_smooth(0.0, &q, &v),
        "bead.x − 3 = 0 is a corner of the forces",
    );
    // Down a straight roof ẍ = (−k |x − 3| + m g/2)/(m (1 + 1/4)).
    for (x, slope) in [(2.5, 3.0 / 2.5), (3.5, -3.0 / 2.5)] {
        let (q, v) = on_roof(x);
        let found = roof.linearize(0.0, &q, &v).expect("slopes").a[(0, 0)];
        assert!((found - slope).abs() < 1e-14, "{found}");
    }
}

system! {
    /// It drags in the air, and on the ground.
    #[derivatives]
    struct Sledge { m: Real = 2, air: Real = 0.5, dry: Real = 1 }
    coordinate x;
    particle sledge = [x, 0] { mass: m }
    force x: 3 - air*velocity(x)*abs(velocity(x)) - dry*signum(velocity(x));
}

#[test]
fn implicit_methods_step_over_corners() {
    let sledge = Sledge::default();
    refused(
        sledge.linearize(0.0, &[0.0].into(), &[0.0].into()),
        "v_x = 0 is a corner of the forces",
    );
    let start = State::new(0.0, [0.0], [0.0]);
    let mut run = Simulation::new(sledge, start, Radau5::new(1e-8, 1e-8)).expect("a run");
    run.run_until(40.0).expect("steps");
    let speed: f64 = run.state().v[0];
    assert!((speed - 2.0).abs() < 1e-6); // 3 − 1 = v²/2
}

system! {
    /// Its signs jump where they count nothing: x signum(x) = |x| bends there, y² signum(y) does not.
    #[derivatives]
    struct Signs { m: Real = 1, k: Real = 1 }
    particle bead: Point2 { mass: m }
    force bead: [-k*bead.x*signum(bead.x), -k*bead.y^2*signum(bead.y)];
}

#[test]
fn a_sign_bends_what_it_multiplies_where_both_are_zero() {
    let signs = Signs::default();
    let rest = [0.0; 2].into();
    refused(
        signs.linearize(0.0, &[0.0, 1.0].into(), &rest),
        "bead.x = 0 is a corner of the forces",
    );
    let smooth = signs.linearize(0.0, &[-1.0, 0.0].into(), &rest);
    let a = smooth.expect("slopes").a;
    assert_eq!((a[(0, 0)], a[(1, 1)]), (1.0, 0.0));
}

/// At rest on the ridge, and where the reduced motion is asked for there.
#[test]
fn what_linearises_says_which_corner_too() {
    let roof = Roof::default();
    let ridge = "bead.x − 1 = 0 is a corner of constraint `roof`";
    let (q, v) = on_roof(1.0);
    let start = State::new(0.0, q, v);
    refused(equilibrium(&roof, start), ridge);
    refused(Minimal::at(&roof, &start).map(|found| found.a), ridge);
    let rest = Equilibrium {
        t: 0.0,
        q,
        multipliers: [0.0].into(),
    };
    refused(modes(&roof, &rest).map(|found| found.len()), ridge);
}
