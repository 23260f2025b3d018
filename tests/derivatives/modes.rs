//! Shapes of rates that are equal, or nearly so: each a shape of its own, as many as there are.

use constraint_runtime::nalgebra::{Complex, DMatrix};
use constraint_runtime::prelude::*;
use constraint_runtime::{Mode, Modes};
use constraint_runtime::{equilibrium, modes};

system! {
    /// Four weights on springs and dampers; the axes are turned by `turn`, so that no shape is along a coordinate.
    #[derivatives]
    struct Four { m: Real = 1, k: [Real; 4] = 100, c: [Real; 4] = 0.5, turn: Real = 0.4 }
    coordinate x[4];
    let a = [x[0]*cos(turn) - x[1]*sin(turn), x[0]*sin(turn) + x[1]*cos(turn)];
    let b = [x[2]*cos(turn) - a.x*sin(turn), x[2]*sin(turn) + a.x*cos(turn)];
    let d = [x[3]*cos(turn) - b.x*sin(turn), x[3]*sin(turn) + b.x*cos(turn)];
    let va = [velocity(x[0])*cos(turn) - velocity(x[1])*sin(turn), velocity(x[0])*sin(turn) + velocity(x[1])*cos(turn)];
    let vb = [velocity(x[2])*cos(turn) - va.x*sin(turn), velocity(x[2])*sin(turn) + va.x*cos(turn)];
    let vd = [velocity(x[3])*cos(turn) - vb.x*sin(turn), velocity(x[3])*sin(turn) + vb.x*cos(turn)];
    kinetic m/2*(velocity(x[0])^2 + velocity(x[1])^2 + velocity(x[2])^2 + velocity(x[3])^2);
    potential k[0]/2*d.x^2 + k[1]/2*d.y^2 + k[2]/2*b.y^2 + k[3]/2*a.y^2;
    dissipation c[0]/2*vd.x^2 + c[1]/2*vd.y^2 + c[2]/2*vb.y^2 + c[3]/2*va.y^2;
}

fn found(four: &Four) -> Modes<SVector<f64, 4>> {
    let rest = equilibrium(four, State::new(0.0, [0.0; 4], [0.0; 4])).expect("a rest");
    modes(four, &rest).expect("modes")
}

/// The rates that each spring and damper have alone, and that many shapes that (m s² + c s + k) y takes to zero: at full
/// rank, rate by rate.
#[track_caller]
fn has_all(four: &Four, within: f64) {
    let found = found(four);
    let mut expected: Vec<Complex<f64>> = Vec::new();
    for (k, c) in four.k.iter().zip(four.c) {
        let half = Complex::new(-c / (2.0 * four.m), 0.0);
        let root = (half * half - k / four.m).sqrt();
        expected.extend(
            [half + root, half - root]
                .into_iter()
                .filter(|s| s.im >= 0.0),
        );
    }
    assert_eq!(found.len(), expected.len(), "{four:?}: {found:?}");
    for s in &expected {
        let alike = |t: &Complex<f64>| (t - s).norm() <= 1e-6 * s.norm();
        let count = expected.iter().filter(|t| alike(t)).count();
        let swings: Vec<&Mode<_>> = found.iter().filter(|mode| alike(&mode.rate)).collect();
        assert_eq!(swings.len(), count, "{four:?}: {s}\n{found:?}");
        let shapes = DMatrix::from_fn(4, count, |i, j| {
            Complex::new(swings[j].shape[i], swings[j].quadrature[i])
        });
        let least = shapes.clone().svd(false, false).singular_values.min();
        assert!(
            least > 0.9,
            "{four:?}: shapes of {s} are dependent: {shapes}"
        );
        for mode in swings {
            let left = residual(four, mode);
            assert!(left <= within, "{four:?}: {s} leaves {left}");
        }
    }
}

/// |(m s² + s C + K) y| by the forces at rest at y and those of moving with y, of the part of the stiffest spring.
fn residual(four: &Four, mode: &Mode<SVector<f64, 4>>) -> f64 {
    let zero = SVector::zeros();
    let at =
        |q: &SVector<f64, 4>, v: &SVector<f64, 4>| four.acceleration(0.0, q, v).expect("a motion");
    let complex = |re: SVector<f64, 4>, im: SVector<f64, 4>| re.zip_map(&im, Complex::new);
    let (a, b) = (mode.shape, mode.quadrature);
    let springs = complex(at(&a, &zero), at(&b, &zero));
    let dampers = complex(at(&zero, &a), at(&zero, &b));
    let y = complex(a, b);
    let stiffest = four.k.iter().fold(0.0, |most: f64, &k| most.max(k)) / four.m;
    (y * (mode.rate * mode.rate) - dampers * mode.rate - springs).norm() / (stiffest * y.norm())
}

#[test]
fn equal_damped_rates_have_as_many_shapes() {
    let four = Four::<f64>::default();
    has_all(&four, 1e-12);
    // Two that are equal, creeping ones, and some of each.
    has_all(
        &Four {
            k: [100.0, 50.0, 100.0, 70.0],
            ..four
        },
        1e-12,
    );
    has_all(
        &Four {
            c: [40.0; 4],
            ..four
        },
        1e-12,
    );
    has_all(
        &Four {
            c: [40.0, 0.5, 40.0, 0.5],
            ..four
        },
        1e-12,
    );
    has_all(
        &Four {
            m: 1e-6,
            k: [1e6; 4],
            c: [1e-3; 4],
            ..four
        },
        1e-12,
    );
}

/// From rates that only rounding tells apart to rates that differ visibly.
#[test]
fn nearly_equal_rates_have_shapes_of_their_own() {
    let four = Four::<f64>::default();
    for exponent in 1..=15 {
        let apart = 10.0_f64.powi(-exponent);
        for c in [0.5, 40.0] {
            let k = [
                100.0,
                100.0 * (1.0 + apart),
                100.0 * (1.0 + 3.0 * apart),
                70.0,
            ];
            has_all(
                &Four {
                    k,
                    c: [c; 4],
                    ..four
                },
                1e-6,
            );
        }
    }
}

/// At critical damping s = −√(k/m) twice has one shape; both modes have it.
#[test]
fn at_critical_damping_the_one_shape_is_given_twice() {
    let four = Four {
        c: [20.0, 0.5, 0.7, 0.9],
        ..Four::<f64>::default()
    };
    let found = found(&four);
    let critical: Vec<&Mode<_>> = found.iter().filter(|mode| mode.rate.im == 0.0).collect();
    assert_eq!(critical.len(), 2, "{found:?}");
    for mode in &critical {
        assert!((mode.rate.re + 10.0).abs() < 1e-6, "{mode:?}");
        assert!(residual(&four, mode) < 1e-6, "{mode:?}");
    }
    assert!(
        (critical[0].shape - critical[1].shape).norm() < 1e-6,
        "{critical:?}"
    );
    assert_eq!(found.len(), 5);
}

/// Of rates that are equal, each weight has as many as it has alone: critically damped ones two of one shape each, m s² + c s + k
/// with s = −2 and −5 one.
#[test]
fn shapes_of_critically_damped_weights_are_given_twice_each() {
    let axes = |x: &SVector<f64, 4>, turn: f64| {
        let (sin, cos) = turn.sin_cos();
        let a = [x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos];
        let b = [x[2] * cos - a[0] * sin, x[2] * sin + a[0] * cos];
        let d = [x[3] * cos - b[0] * sin, x[3] * sin + b[0] * cos];
        [d[0], d[1], b[1], a[1]]
    };
    for turn in [0.0, 0.4, 1.1] {
        for (k, c, count, expected) in [
            (
                [4.0, 4.0, 90.0, 70.0],
                [4.0, 4.0, 0.1, 0.2],
                4,
                [2.0, 2.0, 0.0, 0.0],
            ),
            (
                [4.0, 10.0, 90.0, 70.0],
                [4.0, 7.0, 0.1, 0.2],
                3,
                [2.0, 1.0, 0.0, 0.0],
            ),
            (
                [10.0, 4.0, 4.0, 70.0],
                [7.0, 4.0, 4.0, 0.2],
                5,
                [1.0, 2.0, 2.0, 0.0],
            ),
            (
                [10.0, 10.0, 4.0, 4.0],
                [7.0, 7.0, 4.0, 4.0],
                6,
                [1.0, 1.0, 2.0, 2.0],
            ),
        ] {
            let four = Four {
                k,
                c,
                turn,
                ..Four::default()
            };
            let found = found(&four);
            let near =
                |mode: &&Mode<SVector<f64, 4>>| (mode.rate - Complex::new(-2.0, 0.0)).norm() < 1e-6;
            let alike: Vec<&Mode<_>> = found.iter().filter(near).collect();
            assert_eq!(alike.len(), count, "{k:?} {turn}: {found:?}");
            let mut parts = [0.0; 4];
            for mode in alike {
                assert!(residual(&four, mode) < 1e-6, "{k:?} {turn}: {mode:?}");
                for (part, along) in parts.iter_mut().zip(axes(&mode.shape, turn)) {
                    *part += along * along;
                }
            }
            for (part, expected) in parts.iter().zip(expected) {
                assert!((part - expected).abs() < 1e-6, "{k:?} {turn}: {parts:?}");
            }
        }
    }
}
