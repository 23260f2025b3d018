//! Curves against independent oracles: dual numbers on points written by hand, differences, the balance of
//! energy, and the implicit form of the same track.

use crate::tracks::{Visit, parameters, visit_all};
use constraint_runtime::curve::{Continuity, Seam, seams};
use constraint_runtime::prelude::*;
use constraint_runtime::tracks::*;
use num_dual::Dual2_64;
use std::f64::consts::PI;
use std::ops::RangeInclusive;

fn close<const D: usize>(found: SVector<f64, D>, expected: SVector<f64, D>, size: f64) -> bool {
    (found - expected).norm() <= 4e-14 * (size + expected.norm())
}

/// r, r′ and r″ by dual numbers.
fn by_duals<const D: usize>(
    points: impl Fn(Dual2_64) -> [Dual2_64; D],
    s: f64,
) -> [SVector<f64, D>; 3] {
    let values = points(Dual2_64::from_re(s).derivative());
    [
        values.map(|x| x.re).into(),
        values.map(|x| x.v1).into(),
        values.map(|x| x.v2).into(),
    ]
}

struct Derivatives;

impl Visit for Derivatives {
    fn visit<C, const D: usize>(
        &mut self,
        name: &str,
        curve: C,
        points: impl Fn(Dual2_64) -> [Dual2_64; D],
    ) where
        C: Curve<f64, D> + Copy,
    {
        for s in parameters(&curve, 211) {
            let [r, r1, r2] = by_duals(&points, s);
            let size = r.norm() + r1.norm() + r2.norm();
            assert!(close(curve.position(s), r, size), "{name}: r({s})");
            assert!(close(curve.tangent(s), r1, size), "{name}: r′({s})");
            assert!(
                close(curve.second_derivative(s), r2, size),
                "{name}: r″({s})"
            );
            let jet = curve.jet(s);
            let expected = [r, r1, r2];
            assert!(
                jet.iter().zip(&expected).all(|(a, b)| close(*a, *b, size)),
                "{name}: all at {s}"
            );
        }
    }
}

#[test]
fn derivatives_agree_with_dual_numbers_on_the_points() {
    visit_all(&mut Derivatives);
}

struct Differences;

impl Visit for Differences {
    fn visit<C, const D: usize>(
        &mut self,
        name: &str,
        curve: C,
        _: impl Fn(Dual2_64) -> [Dual2_64; D],
    ) where
        C: Curve<f64, D> + Copy,
    {
        let domain = curve.domain();
        let h = 1e-4 * (domain.end() - domain.start());
        for s in parameters(&curve, 53) {
            let (first, last) = (curve.piece(s - 3.0 * h), curve.piece(s + 3.0 * h));
            if first != last || !domain.contains(&(s - 3.0 * h)) || !domain.contains(&(s + 3.0 * h))
            {
                continue;
            }
            let slope = |f: &dyn Fn(f64) -> SVector<f64, D>| {
                let pair = |k: f64| f(s + k * h) - f(s - k * h);
                (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) / (60.0 * h)
            };
            let (r1, r2) = (slope(&|s| curve.position(s)), slope(&|s| curve.tangent(s)));
            let size = 1.0 + r1.norm() + r2.norm();
            assert!(
                (curve.tangent(s) - r1).norm() < 1e-9 * size,
                "{name}: r′({s})"
            );
            assert!(
                (curve.second_derivative(s) - r2).norm() < 1e-9 * size,
                "{name}: r″({s})"
            );
        }
    }
}

#[test]
fn derivatives_agree_with_differences() {
    visit_all(&mut Differences);
}

struct Motion;

impl Visit for Motion {
    fn visit<C, const D: usize>(
        &mut self,
        name: &str,
        curve: C,
        points: impl Fn(Dual2_64) -> [Dual2_64; D],
    ) where
        C: Curve<f64, D> + Copy,
    {
        let (m, b, s_dot) = (1.7, 0.3, -1.9);
        let f = SVector::<f64, D>::from_fn(|i, _| [0.8, -9.81, 2.3][i]);
        for s in parameters(&curve, 97) {
            let [r, r1, r2] = by_duals(&points, s);
            let metric = r1.norm_squared();
            let exact = (r1.dot(&f) / m - r1.dot(&r2) * s_dot * s_dot) / metric;
            let size = (r1.norm() * f.norm() / m + r1.norm() * r2.norm() * s_dot * s_dot) / metric;
            let found = curve.acceleration(s, s_dot, &f, m).unwrap();
            assert!(
                (found - exact).abs() <= 1e-12 * size,
                "{name}: s̈({s}) = {found}, not {exact}"
            );
            let seen = std::cell::Cell::new(false);
            let under = curve.acceleration_under(s, s_dot, m, b, |place, velocity| {
                assert!(close(*place, r, r1.norm()), "{name}: r in the force at {s}");
                assert!(
                    close(*velocity, r1 * s_dot, r1.norm()),
                    "{name}: v in the force at {s}"
                );
                seen.set(true);
                f
            });
            let damped = exact - b / m * s_dot;
            assert!(
                (under.unwrap() - damped).abs() <= 1e-12 * (size + 1.0),
                "{name}: damped at {s}"
            );
            assert!(seen.get());
            // What a hand-written curve inherits is the same.
            let inherited = ByHand(curve)
                .acceleration_under(s, s_dot, m, b, |_, _| f)
                .unwrap();
            assert!(
                (inherited - damped).abs() <= 1e-12 * (size + 1.0),
                "{name}: inherited at {s}"
            );
            let bend = curve.curvature(s) - ByHand(curve).curvature(s);
            assert!(
                bend.abs() <= 1e-11 * (1.0 + curve.curvature(s).abs()),
                "{name}: κ({s})"
            );
        }
    }
}

/// A curve by its four required methods alone.
#[derive(Clone, Copy)]
struct ByHand<C>(C);

impl<C: Curve<f64, D>, const D: usize> Curve<f64, D> for ByHand<C> {
    fn position(&self, s: f64) -> SVector<f64, D> {
        self.0.position(s)
    }
    fn tangent(&self, s: f64) -> SVector<f64, D> {
        self.0.tangent(s)
    }
    fn second_derivative(&self, s: f64) -> SVector<f64, D> {
        self.0.second_derivative(s)
    }
    fn domain(&self) -> RangeInclusive<f64> {
        self.0.domain()
    }
}

#[test]
fn the_acceleration_is_that_of_newtons_equation_along_the_tangent() {
    visit_all(&mut Motion);
}

/// d(½ m r′·r′ ṡ²)/dt = (f − b v)·v, the rate of r′·r′ by differences.
#[test]
fn the_power_of_all_forces_is_the_rate_of_the_kinetic_energy() {
    let (curve, m, b, s_dot) = (Lemniscate { a: 1.3 }, 0.7, 0.2, 2.1);
    let f = Vector2::new(1.1, -4.0);
    for s in parameters(&curve, 31) {
        let metric = |s: f64| curve.tangent(s).norm_squared();
        let h = 1e-5;
        let slope = (metric(s + h) - metric(s - h)) / (2.0 * h);
        let s_ddot = curve.acceleration_under(s, s_dot, m, b, |_, _| f).unwrap();
        let rate = 0.5 * m * slope * s_dot.powi(3) + m * metric(s) * s_dot * s_ddot;
        let v = curve.tangent(s) * s_dot;
        assert!((rate - (f - b * v).dot(&v)).abs() < 1e-8, "{s}");
    }
}

// ---- the two forms side by side -----------------------------------------------------------------

constraint! { struct CircleEquation { r: Real } |p: Point2| norm_squared(p) == r^2 }
constraint! { struct ParabolaEquation; |x, y| x^2 + 100*y }
constraint! { struct LemniscateEquation { a: Real } |x, y| (x^2 + y^2)^2 == a^2*(x^2 - y^2) }
constraint! { struct EllipseEquation { a: Real, b: Real } |x, y| (x/a)^2 + (y/b)^2 == 1 }

/// The acceleration in the plane, r″ ṡ² + r′ s̈ along the curve and (f + f̂)/m on the constraint.
fn both_forms_agree(name: &str, curve: impl Curve<f64, 2>, equation: impl Constraint<f64, 2, 1>) {
    let (m, s_dot, b) = (1.3, 0.9, 0.4);
    for s in parameters(&curve, 101) {
        let [r, r1, r2] = curve.jet(s);
        let v = r1 * s_dot;
        let f = Vector2::new(2.0, -9.81) - b * v;
        let s_ddot = curve.acceleration(s, s_dot, &f, m).unwrap();
        let along = r2 * s_dot * s_dot + r1 * s_ddot;
        let Ok(force) = equation.particle_force(0.0, &r, &v, m, &f) else {
            panic!("{name} is singular at {s}");
        };
        let held = (f + force) / m;
        // Where the lemniscate crosses itself its gradient vanishes, and with it digits.
        let slope: SMatrix<f64, 1, 2> = equation.jacobian(0.0, &r);
        let lost = 1.0 + (r.norm() / slope.norm()).max(1.0 / slope.norm());
        let size = 1.0 + held.norm();
        assert!(
            (along - held).norm() < 1e-14 * size * lost * 10.0,
            "{name} at {s}: {along} {held}"
        );
    }
}

#[test]
fn the_parametric_and_the_implicit_form_accelerate_alike() {
    both_forms_agree("circle", Circle { r: 1.5 }, CircleEquation { r: 1.5 });
    both_forms_agree("parabola", Parabola, ParabolaEquation);
    both_forms_agree(
        "lemniscate",
        Lemniscate { a: 1.3 },
        LemniscateEquation { a: 1.3 },
    );
    let (a, b) = (2.0, 0.7);
    both_forms_agree("ellipse", Ellipse { a, b }, EllipseEquation { a, b });
}

// ---- shape --------------------------------------------------------------------------------------

#[test]
fn curvature_has_a_sign_in_the_plane_and_none_in_space() {
    // The cardioid's is 3/(4 |2a sin(s/2)|), the helix's r/(r² + c²), the circle's turns left.
    let s = 1.1_f64;
    let cardioid = Cardioid { a: 0.4 }.curvature(s);
    assert!((cardioid - 3.0 / (8.0 * 0.4 * (s / 2.0).sin())).abs() < 1e-13);
    let helix = Helix {
        r: 0.5,
        pitch: 0.3,
        turns: 2.0,
    };
    let c = 0.3 / (2.0 * PI);
    assert!((helix.curvature(s) - 0.5 / (0.25 + c * c)).abs() < 1e-14);
    assert!((Circle { r: 2.0 }.curvature(s) - 0.5_f64).abs() < 1e-15);
    // From left to right over a hill the curve turns right.
    assert!(Hump.curvature(0.0_f64) < 0.0 && Hump.curvature(2.0_f64) > 0.0);
}

#[test]
fn closed_curves_are_told_from_open_ones() {
    struct Closed(Vec<String>);
    impl Visit for Closed {
        fn visit<C, const D: usize>(
            &mut self,
            name: &str,
            curve: C,
            _: impl Fn(Dual2_64) -> [Dual2_64; D],
        ) where
            C: Curve<f64, D> + Copy,
        {
            if curve.is_closed() {
                self.0.push(name.to_owned());
            }
        }
    }
    let mut closed = Closed(Vec::new());
    visit_all(&mut closed);
    let expected = [
        "circle",
        "ellipse",
        "lemniscate",
        "oval",
        "unit circle",
        "cardioid",
    ];
    assert_eq!(closed.0, expected);
}

#[test]
fn pieces_meet_as_smoothly_as_their_derivatives_do() {
    use Continuity::{C0, C1, C2};
    let classes = |seams: Vec<Seam>| -> Vec<_> { seams.iter().map(|it| it.continuity).collect() };
    assert_eq!(
        seams(&Corner).unwrap(),
        [Seam {
            parameter: 0.0,
            continuity: C0
        }]
    );
    assert_eq!(classes(seams(&LoopTheLoop).unwrap()), [C1, C1]);
    assert_eq!(classes(seams(&Oval { r: 0.6, l: 0.9 }).unwrap()), [C1; 4]);
    assert_eq!(classes(seams(&Circle { r: 2.0 }).unwrap()), [C2]);
    assert_eq!(classes(seams(&Cardioid { a: 2.0 }).unwrap()), [C0]);
    assert_eq!(seams(&Hump).unwrap(), []);
    curve! { struct Cubic; |s in -1..=1| [s, if s > 1/3 { (s - 1/3)^3 } else { 0*s }] }
    assert_eq!(
        seams(&Cubic).unwrap(),
        [Seam {
            parameter: 1.0 / 3.0,
            continuity: C2
        }]
    );
    for (derivation, expected) in [
        (Hump::DERIVATION, "open"),
        (Corner::DERIVATION, "open; C⁰ at t = 0"),
        (Cubic::DERIVATION, "open; C² at s = 0.3333333333333333"),
        (Circle::DERIVATION, "closed, C²"),
        (Cardioid::DERIVATION, "closed, C⁰"),
        (
            Oval::DERIVATION,
            "closed, C¹; C¹ at seam 1; C¹ at seam 2; C¹ at seam 3",
        ),
    ] {
        assert_eq!(derivation.entry("continuity").text, expected);
    }
}

// ---- what is refused ----------------------------------------------------------------------------

curve! { struct Stretch { start: Real, end: Real } |s in start..=end| [s, s^2] }
curve! { struct Step { height: Real } |s in 0..=2| if s < 1 { [s, 0*s] } else { [s, height - 1/2] } }
curve! { struct Standstill { c: Real } |s in -1..=1| [(s - c)^2, (s - c)^3] }

#[test]
fn empty_reversed_and_infinite_domains_are_refused() {
    let start = || State::new(0.0, [0.0], [0.0]);
    for (a, b) in [
        (0.0, 0.0),
        (1.0, -1.0),
        (0.0, f64::INFINITY),
        (f64::NAN, 1.0),
    ] {
        let curve = Stretch { start: a, end: b };
        let bead = Particle::new(1.0).along(curve);
        let refused = Simulation::new(bead, start(), Rk4::new(0.1)).unwrap_err();
        assert!(matches!(refused, Error::InvalidDomain { .. }), "{refused}");
        assert!(matches!(
            ArcLength::new(&curve),
            Err(Error::InvalidDomain { .. })
        ));
    }
}

#[test]
fn a_jump_that_depends_on_a_field_is_refused_at_run_time() {
    let bead = |height| Particle::new(1.0).along(Step { height });
    let run = |height| Simulation::new(bead(height), State::new(0.0, [0.5], [0.0]), Rk4::new(0.1));
    assert!(run(0.5).is_ok());
    let refused = run(0.75).unwrap_err();
    assert!(
        matches!(refused, Error::Jump { parameter, gap } if (parameter - 1.0).abs() < 1e-15 && gap == 0.25),
        "{refused}"
    );
}

#[test]
fn a_cusp_that_depends_on_a_field_is_refused_where_the_bead_meets_it() {
    let curve = Standstill { c: 0.5 };
    let cusp = curve.acceleration(0.5, 1.0, &Vector2::zeros(), 1.0);
    assert_eq!(cusp, Err(Cusp { metric: 0.0 }));
    let bead = Particle::new(1.0).along(curve).under_gravity([0.0, -9.81]);
    let run = Simulation::new(bead, State::new(0.0, [0.5], [1.0]), Rk4::new(0.1))
        .unwrap()
        .step();
    assert!(
        matches!(
            run,
            Err(Error::Cusp {
                parameter: Some(0.5),
                metric: 0.0,
                time: Some(0.0)
            })
        ),
        "{run:?}"
    );
}

#[test]
fn a_start_off_the_track_and_a_step_past_its_end_are_refused() {
    let bead = || Particle::new(1.0).along(Hump).under_gravity([0.0, -9.81]);
    let refused =
        Simulation::new(bead(), State::new(0.0, [2.6], [0.0]), Rk4::new(0.01)).unwrap_err();
    assert!(
        matches!(
            refused,
            Error::OutOfRange {
                value: 2.6,
                start: -2.5,
                end: 2.5,
                ..
            }
        ),
        "{refused}"
    );
    let fast = State::new(0.0, [2.4], [30.0]);
    let mut run = Simulation::new(bead(), fast, Rk4::new(0.01)).unwrap();
    let left = run.run_until(1.0).unwrap_err();
    assert!(
        matches!(left, Error::OutOfRange { time: Some(_), .. }),
        "{left}"
    );
    assert!(run.state().q[0] <= 2.5);
}

/// The cardioid is closed, but its ends are a cusp: it cannot be run through.
#[test]
fn a_cusp_at_the_ends_of_a_closed_curve_ends_it() {
    assert!(Particle::new(1.0).along(Circle { r: 1.0 }).is_closed());
    assert!(!Particle::new(1.0).along(Cardioid { a: 1.0 }).is_closed());
}

#[test]
fn a_closed_curve_is_run_round_and_round() {
    let bead = Particle::new(1.0).along(Circle { r: 2.0 });
    let mut run = Simulation::new(bead, State::new(0.0, [0.0], [1.0]), Rk4::new(0.1)).unwrap();
    run.run_until(20.0).unwrap();
    let s: f64 = run.state().q[0];
    assert!((s - 20.0).abs() < 1e-9, "{s}");
    let turned = run.system().position(s);
    assert!((turned - Vector2::new(-2.0 * 20f64.sin(), 2.0 * 20f64.cos())).norm() < 1e-9);
}

/// Four circles at once: lanes of one SIMD scalar.
#[test]
fn lanes_run_side_by_side() {
    use simba::simd::{SimdValue as _, WideF64x4};
    let r = WideF64x4::from([1.0, 2.0, 3.0, 4.0]);
    let s = WideF64x4::splat(0.3);
    let curvature = Circle { r }.curvature(s);
    let loops = LoopTheLoop.position(WideF64x4::from([0.0, 0.7, 2.0, 0.4]));
    for lane in 0..4 {
        assert!((curvature.extract(lane) - 1.0 / r.extract(lane)).abs() < 1e-15);
        let alone = LoopTheLoop.position([0.0, 0.7, 2.0, 0.4_f64][lane]);
        assert!((loops[0].extract(lane) - alone.x).abs() < 1e-14);
    }
}

/// Lanes in one piece of a curve take its branch; lanes in different pieces are selected from all of them.
#[test]
fn lanes_may_be_in_different_pieces() {
    use simba::simd::{SimdValue as _, WideF64x4};
    let wide = |x: f64| WideF64x4::splat(x);
    let (track, tracks) = (
        Oval { r: 0.6, l: 0.9 },
        Oval {
            r: wide(0.6),
            l: wide(0.9),
        },
    );
    // Each of the four pieces in a lane; all lanes in one; two and two.
    for places in [
        [0.3, 2.5, 4.4, 6.9],
        [6.9, 4.4, 2.5, 0.3],
        [2.0, 2.5, 3.0, 3.5],
        [5.5, 6.0, 6.5, 7.0],
        [0.3, 0.4, 6.0, 7.0],
        [2.5, 2.6, 4.0, 4.1],
    ] {
        let (f, s) = (Vector2::new(2.3, -16.7), WideF64x4::from(places));
        let together = tracks.acceleration_under(s, wide(1.9), wide(1.7), wide(0.3), |_, v| {
            v * wide(-0.4) + f.map(wide)
        });
        let jets = tracks.jet(s);
        for (lane, s) in places.into_iter().enumerate() {
            let alone = track.acceleration_under(s, 1.9, 1.7, 0.3, |_, v| v * -0.4 + f);
            let found = together.unwrap().extract(lane);
            assert!((found - alone.unwrap()).abs() < 1e-13, "{found} at {s}");
            for (wide, alone) in jets.iter().zip(track.jet(s)) {
                let found = wide.map(|entry| entry.extract(lane));
                assert!((found - alone).norm() < 1e-14, "{found} at {s}");
            }
        }
    }
}

/// A cusp is an error wherever it is found: before the force is asked for, or of the result.
#[test]
fn a_cusp_is_an_error_with_every_force() {
    fn refuses(curve: impl Curve<f64, 2>, s: f64) {
        for v in [0.0, 1.3] {
            for f in [Vector2::zeros(), Vector2::new(0.4, -9.81)] {
                let found = curve.acceleration_under(s, v, 1.0, 0.1, |_, _| f);
                assert!(found.is_err(), "{found:?} at {s} with {v} and {f}");
                assert!(curve.acceleration(s, v, &f, 1.0).is_err());
            }
        }
    }
    // The cosine of the float next to π is −1.
    refuses(Cycloid { r: 0.7 }, PI);
    refuses(Cardioid { a: 0.7 }, 0.0);
    refuses(Circle { r: 0.0 }, 0.3);
    refuses(Lemniscate { a: 0.0 }, 0.3);
}

/// A curve told by s/unit, with what the trait gives in place of what the macro wrote.
#[derive(Clone, Copy)]
struct InUnits<C> {
    curve: C,
    unit: f64,
}

impl<C: Curve<f64, D>, const D: usize> Curve<f64, D> for InUnits<C> {
    fn position(&self, s: f64) -> SVector<f64, D> {
        self.curve.position(s * self.unit)
    }

    fn tangent(&self, s: f64) -> SVector<f64, D> {
        self.curve.tangent(s * self.unit) * self.unit
    }

    fn second_derivative(&self, s: f64) -> SVector<f64, D> {
        self.curve.second_derivative(s * self.unit) * self.unit.powi(2)
    }

    fn domain(&self) -> RangeInclusive<f64> {
        let domain = self.curve.domain();
        domain.start() / self.unit..=domain.end() / self.unit
    }

    fn piece(&self, s: f64) -> f64 {
        self.curve.piece(s * self.unit)
    }
}

#[test]
fn how_smooth_a_seam_is_does_not_depend_on_the_unit_of_the_parameter() {
    for unit in [1e-9, 1e-3, 1e3, 1e9] {
        let curve = InUnits {
            curve: LoopTheLoop,
            unit,
        };
        let found: Vec<Continuity> = seams(&curve)
            .unwrap()
            .iter()
            .map(|s| s.continuity)
            .collect();
        assert_eq!(found, [Continuity::C1; 2], "{unit}");
    }
}

/// One over the radius, and of a helix r/(r² + c²): products of three lengths would be none, or infinite.
#[test]
fn curvature_by_the_trait_keeps_its_digits_at_any_size() {
    for size in [1e-140, 1e-120, 1.0, 1e120, 1e140] {
        let plane = InUnits {
            curve: Circle { r: size },
            unit: 1.0,
        };
        assert!((plane.curvature(0.3) * size - 1.0).abs() < 1e-14, "{size}");
        // It rises by r/2 for every radian.
        let screw = Helix {
            r: size,
            pitch: PI * size,
            turns: 3.0,
        };
        let space = InUnits {
            curve: screw,
            unit: 1.0,
        };
        assert!((space.curvature(0.3) * size - 0.8).abs() < 1e-14, "{size}");
    }
}
