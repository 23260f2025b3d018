//! What generated constraints do, against mechanics done by hand.

use crate::random::Random;
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;
use num_dual::{Dual2_64, DualNum as _};

constraint! {
    /// A bead on the parabola x² + 100·y = 0.
    struct Parabola;
    |x, y| x*x + 100*y
}

constraint! {
    /// A bead on the unit circle, scaled as in the textbook.
    struct UnitCircle;
    |p: Point2| (norm_squared(p) - 1)/2
}

constraint! {
    /// A rod of fixed length between two points of the plane.
    struct Rod { length: Real }
    |a: Point2, b: Point2| norm(b - a) == length
}

constraint! {
    /// A bead on a vertical hoop that turns about its vertical diameter.
    struct SpinningHoop { r: Real, omega: Real }
    |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)]
}

constraint! {
    /// A closed ring of links through a fixed point: five rows, each but the ends coupled to two others.
    struct Ring { l: Real }
    |a: Point2, b: Point2, c: Point2, d: Point2| [
        norm_squared(a) - l^2,
        norm_squared(b - a) - l^2,
        norm_squared(c - b) - l^2,
        norm_squared(d - c) - l^2,
        norm_squared(d) - l^2,
    ]
}

constraint! {
    /// Two lines that cross in the origin: no gradient there.
    struct Crossing;
    |x, y| x*x - y*y
}

constraint! {
    /// A circle and its tangent: dependent where they touch.
    struct Touching;
    |x, y| [x*x + y*y - 1, y - 1]
}

#[test]
fn gravity_pulls_a_bead_along_y_where_the_equation_of_its_wire_begins_with_y() {
    let bead = Particle::new(2.0)
        .on(constraint!(y == x ^ 2))
        .under_gravity([0.0, -10.0]);
    let acceleration = bead.acceleration(0.0, &[1.0, 1.0].into(), &[0.0, 0.0].into());
    // At rest on a slope of 2: ẍ = −g·2/(1 + 2²), ÿ = 2 ẍ.
    let expected = SVector::from([-4.0, -8.0]);
    assert!((acceleration.unwrap() - expected).norm() < 1e-14);
}

// ---- one state ----------------------------------------------------------------------------------

/// A state with forces, and the tolerance of what follows from it.
#[derive(Clone, Debug)]
struct Sample<const N: usize> {
    t: f64,
    q: SVector<f64, N>,
    v: SVector<f64, N>,
    w: SVector<f64, N>,
    f: SVector<f64, N>,
}

impl<const N: usize> Sample<N> {
    fn random(seed: u64) -> Sample<N> {
        let mut random = Random::new(seed);
        let mut vector = |low, high| SVector::from_fn(|_, _| random.away_from_zero(low, high));
        let (q, v, w, f) = (
            vector(0.2, 2.0),
            vector(0.2, 2.0),
            vector(0.3, 2.0),
            vector(1.0, 20.0),
        );
        Sample {
            t: q[0] + 1.0,
            q,
            v,
            w: w.abs(),
            f,
        }
    }

    fn force<const M: usize>(&self, constraint: &impl Constraint<f64, N, M>) -> SVector<f64, N> {
        constraint
            .force(self.t, &self.q, &self.v, &self.w, &self.f)
            .expect("regular state")
    }

    /// C̈ with the external force and `force` acting.
    fn second_derivative<const M: usize>(
        &self,
        constraint: &impl Constraint<f64, N, M>,
        force: &SVector<f64, N>,
    ) -> SVector<f64, M> {
        let acceleration = self.w.component_mul(&(self.f + force));
        constraint.jacobian(self.t, &self.q) * acceleration
            + constraint.bias(self.t, &self.q, &self.v)
    }

    /// The same with a velocity that the constraint allows: v − W Jᵀ (J W Jᵀ)⁻¹ Ċ.
    fn legal<const M: usize>(mut self, constraint: &impl Constraint<f64, N, M>) -> Sample<N> {
        let rate = constraint.rate(self.t, &self.q, &self.v);
        let impulse = constraint
            .solve(self.t, &self.q, &self.w, &rate)
            .expect("regular state");
        self.v -= constraint
            .jacobian(self.t, &self.q)
            .tr_mul(&impulse)
            .component_mul(&self.w);
        self
    }
}

fn assert_near(found: f64, expected: f64, scale: f64) {
    assert!(
        (found - expected).abs() <= 1e-12 * scale.max(1.0),
        "{found:e} instead of {expected:e}"
    );
}

// ---- closed forms -------------------------------------------------------------------------------

/// f̂.y as printed in the source text `000` (`seeds/README.md`), and with the coefficient derived here:
/// J = (2x, 100) = 2·(x, 50), β = 2vx². With f̂ = λ′(x, 50), C̈ = 2·(x, 50)·(f + f̂)/m + 2vx² = 0 gives
/// λ′ = −(m vx² + x Fx + 50 Fy)/(x² + 2500), so f̂.y = (−50 m vx² − 50 x Fx − 2500 Fy)/(x² + 2500).
fn listing(coefficient: f64, m: f64, x: f64, vx: f64, f: Vector2<f64>) -> Vector2<f64> {
    let fy = (-50.0 * m * vx * vx - coefficient * x * f.x - 2500.0 * f.y) / (x * x + 2500.0);
    Vector2::new(fy * x / 50.0, fy)
}

const PRINTED: f64 = 100.0;
const DERIVED: f64 = 50.0;

/// With 100 in place of 50 too much is subtracted: C̈ = −2 x Fx/m, which gravity alone does not show.
#[test]
fn the_printed_coefficient_of_the_listing_bends_the_path_under_a_horizontal_force() {
    let m = 2.0;
    for seed in 0..50 {
        let mut sample = Sample::<2>::random(seed);
        sample.w.fill(1.0 / m);
        let x = sample.q.x;
        let printed = listing(PRINTED, m, x, sample.v.x, sample.f);
        let bent = sample.second_derivative(&Parabola, &printed)[0];
        assert_near(bent, -2.0 * x * sample.f.x / m, 100.0);
        assert!(bent.abs() > 0.1, "{bent}");
        let ours = Parabola
            .particle_force(0.0, &sample.q, &sample.v, m, &sample.f)
            .unwrap();
        assert_near(sample.second_derivative(&Parabola, &ours)[0], 0.0, 100.0);
        sample.f.x = 0.0;
        let unnoticed = listing(PRINTED, m, x, sample.v.x, sample.f);
        assert_near(
            sample.second_derivative(&Parabola, &unnoticed)[0],
            0.0,
            100.0,
        );
    }
}

#[test]
fn the_force_on_the_parabola_is_the_one_derived_by_hand() {
    for seed in 0..50 {
        let Sample { q, v, f, .. } = Sample::<2>::random(seed);
        for m in [0.5, 3.0] {
            let ours = Parabola.particle_force(0.0, &q, &v, m, &f).unwrap();
            let by_hand = listing(DERIVED, m, q.x, v.x, f);
            assert!(
                (ours - by_hand).amax() <= 1e-14 * by_hand.amax(),
                "{ours} {by_hand}"
            );
            // λ of the constraint as written: f̂ = λ (2x, 100).
            let w = Vector2::repeat(1.0 / m);
            let lambda = Parabola.multipliers(0.0, &q, &v, &w, &f).unwrap()[0];
            assert_near(lambda, by_hand.y / 100.0, 1.0);
        }
    }
}

/// Text `001`: λ = −(m v² + x·f)/(x·x), f̂ = λ x, on the circle and off it.
#[test]
fn the_multiplier_of_the_unit_circle_is_the_textbook_one() {
    for seed in 0..50 {
        let Sample { q, v, f, .. } = Sample::<2>::random(seed);
        let m = 0.7;
        let lambda = -(m * v.norm_squared() + q.dot(&f)) / q.norm_squared();
        let w = Vector2::repeat(1.0 / m);
        let found = UnitCircle.multipliers(0.0, &q, &v, &w, &f).unwrap()[0];
        assert_near(found, lambda, lambda.abs());
        let force = UnitCircle.particle_force(0.0, &q, &v, m, &f).unwrap();
        assert!((force - q * lambda).amax() <= 1e-13 * (q * lambda).amax());
    }
}

/// With n = d/|d| and u = ḋ: J = (−n, n), β = (u·u − (n·u)²)/|d|, (w_a + w_b) λ = −β − n·(w_b f_b − w_a f_a).
#[test]
fn the_tension_of_the_rod_is_the_one_derived_by_hand() {
    let rod = Rod { length: 1.5 };
    for seed in 0..50 {
        let mut sample = Sample::<4>::random(seed);
        sample.w = [sample.w[0], sample.w[0], sample.w[2], sample.w[2]].into();
        let part = |x: &SVector<f64, 4>| (Vector2::new(x[0], x[1]), Vector2::new(x[2], x[3]));
        let ((a, b), (va, vb), (fa, fb)) = (part(&sample.q), part(&sample.v), part(&sample.f));
        let (d, u, w) = (b - a, vb - va, sample.w);
        let n = d.normalize();
        let bias = (u.norm_squared() - n.dot(&u).powi(2)) / d.norm();
        let lambda = (-bias - n.dot(&(w[2] * fb - w[0] * fa))) / (w[0] + w[2]);
        assert_near(rod.value(0.0, &sample.q)[0], d.norm() - 1.5, 1.0);
        assert_near(
            rod.bias(0.0, &sample.q, &sample.v)[0],
            bias,
            u.norm_squared() / d.norm(),
        );
        let scale = 10.0 * (sample.f.amax() + bias / (w[0] + w[2]) + u.norm_squared() / d.norm());
        let found = rod
            .multipliers(0.0, &sample.q, &sample.v, &w, &sample.f)
            .unwrap()[0];
        assert_near(found, lambda, scale);
        let force = sample.force(&rod);
        let expected = [-n.x * lambda, -n.y * lambda, n.x * lambda, n.y * lambda];
        force
            .iter()
            .zip(expected)
            .for_each(|(found, expected)| assert_near(*found, expected, scale));
    }
}

/// A bead at the angle θ from the lowest point; position, velocity and acceleration by dual numbers.
fn on_hoop(r: f64, omega: f64, t: f64, angle: [f64; 3]) -> [Vector3<f64>; 3] {
    let theta = Dual2_64::new(angle[0], angle[1], angle[2]);
    let phi = Dual2_64::new(omega * t, omega, 0.0);
    let place = [
        theta.sin() * phi.cos() * r,
        theta.sin() * phi.sin() * r,
        -theta.cos() * r,
    ];
    [
        place.map(|x| x.re).into(),
        place.map(|x| x.v1).into(),
        place.map(|x| x.v2).into(),
    ]
}

/// θ̈ = ω² sin θ cos θ − (g/r) sin θ: every textbook's equation, with the two rows never told about θ.
#[test]
fn the_bead_on_the_spinning_hoop_moves_by_the_textbook_equation() {
    let (m, g) = (0.3, 9.81);
    for seed in 0..50 {
        let mut random = Random::new(seed);
        let (r, omega, t) = (
            random.between(0.3, 2.0),
            random.between(-4.0, 4.0),
            random.between(0.0, 9.0),
        );
        let (theta, speed) = (random.away_from_zero(0.2, 2.9), random.between(-3.0, 3.0));
        let bend = omega * omega * theta.sin() * theta.cos() - g / r * theta.sin();
        let [q, v, acceleration] = on_hoop(r, omega, t, [theta, speed, bend]);
        let hoop = SpinningHoop { r, omega };
        let weight = Vector3::new(0.0, 0.0, -m * g);
        let force = hoop.particle_force(t, &q, &v, m, &weight).unwrap();
        let found = (weight + force) / m;
        assert!(
            (found - acceleration).amax() <= 1e-12 * (1.0 + acceleration.amax()) * 10.0,
            "{found} {acceleration}"
        );
        // The moving hoop does work: f̂·v = ω dL/dt with the angular momentum L = m r² ω sin²θ.
        let power = 2.0 * m * (r * omega).powi(2) * theta.sin() * theta.cos() * speed;
        assert_near(
            force.dot(&v),
            power,
            10.0 * (force.norm() * v.norm() + power.abs()),
        );
    }
}

/// The same as a pendulum where the hoop stands still: θ̈ = −(g/r) sin θ.
#[test]
fn a_hoop_at_rest_is_a_pendulum() {
    let (m, g, r, theta, speed) = (2.0, 9.81, 0.8, 1.1, -2.5);
    let [q, v, acceleration] = on_hoop(r, 0.0, 0.0, [theta, speed, -g / r * f64::sin(theta)]);
    let weight = Vector3::new(0.0, 0.0, -m * g);
    let force = SpinningHoop { r, omega: 0.0 }
        .particle_force(3.0, &q, &v, m, &weight)
        .unwrap();
    assert!(((weight + force) / m - acceleration).amax() < 1e-13);
    assert_near(force.dot(&v), 0.0, 1.0);
}

// ---- what holds for every constraint -------------------------------------------------------------

/// C̈ = 0 with the returned force, f̂·v = 0 on legal velocities where `scleronomic`, and w = 1/m is a particle.
fn assert_laws<const N: usize, const M: usize>(
    constraint: &impl Constraint<f64, N, M>,
    scleronomic: bool,
) {
    for seed in 0..50 {
        let sample = Sample::<N>::random(seed).legal(constraint);
        let force = sample.force(constraint);
        let scale = 1e3 * (1.0 + force.amax() + sample.f.amax());
        for second in sample.second_derivative(constraint, &force).iter() {
            assert_near(*second, 0.0, scale);
        }
        for rate in constraint.rate(sample.t, &sample.q, &sample.v).iter() {
            assert_near(*rate, 0.0, 1e2);
        }
        if scleronomic {
            assert_near(force.dot(&sample.v), 0.0, scale);
        }
        let (m, particle) = (
            1.7,
            Sample {
                w: SVector::repeat(1.0 / 1.7),
                ..sample.clone()
            },
        );
        let closed = constraint
            .particle_force(sample.t, &sample.q, &sample.v, m, &sample.f)
            .unwrap();
        assert!((closed - particle.force(constraint)).amax() <= 1e-11 * (1.0 + closed.amax()));
    }
}

#[test]
fn the_force_keeps_c_second_zero_and_does_no_work() {
    assert_laws(&Parabola, true);
    assert_laws(&UnitCircle, true);
    assert_laws(&Rod { length: 1.0 }, true);
    assert_laws(&Ring { l: 1.0 }, true);
    assert_laws(&SpinningHoop { r: 1.0, omega: 1.3 }, false);
}

/// From a consistent state the parabola of the motion, q + v h + a h²/2, leaves C = 0 by h³ only.
fn assert_third_order_departure<const N: usize, const M: usize>(
    constraint: &impl Constraint<f64, N, M>,
    start: Sample<N>,
) {
    let sample = start.legal(constraint);
    let acceleration = sample
        .w
        .component_mul(&(sample.f + sample.force(constraint)));
    let departure = |h: f64| {
        let q = sample.q + sample.v * h + acceleration * (h * h / 2.0);
        constraint.value(sample.t + h, &q).amax()
    };
    assert!(departure(0.0) < 1e-15, "starts on the constraint");
    for h in [4e-3, 2e-3] {
        let ratio = departure(h) / departure(h / 2.0);
        assert!(
            ratio > 7.0,
            "halving h divides C by {ratio}, not by 8 or more"
        );
    }
}

/// The corners of a regular pentagon of side 1, the fixed point left out.
fn pentagon() -> SVector<f64, 8> {
    let mut corner = Vector2::zeros();
    let corners = (0..4).map(|i| {
        let angle = f64::from(i) * std::f64::consts::TAU / 5.0 + 0.3;
        corner += Vector2::new(angle.cos(), angle.sin());
        [corner.x, corner.y]
    });
    SVector::from_iterator(corners.flatten())
}

#[test]
fn a_small_step_leaves_the_constraint_by_its_cube_only() {
    let sample = |q: &[f64]| Sample::<2> {
        q: SVector::from_column_slice(q),
        ..Sample::random(3)
    };
    assert_third_order_departure(&Parabola, sample(&[10.0, -1.0]));
    assert_third_order_departure(&UnitCircle, sample(&[0.6, 0.8]));
    let rod = Sample {
        q: [0.0, 0.0, 3.0, 4.0].into(),
        ..Sample::random(4)
    };
    assert_third_order_departure(&Rod { length: 5.0 }, rod);
    assert_third_order_departure(
        &Ring { l: 1.0 },
        Sample {
            q: pentagon(),
            ..Sample::random(5)
        },
    );
    let (r, omega, t) = (0.7, 1.9, 0.4);
    let [q, v, _] = on_hoop(r, omega, t, [0.9, 1.1, 0.0]);
    assert_third_order_departure(
        &SpinningHoop { r, omega },
        Sample {
            t,
            q,
            v,
            ..Sample::random(6)
        },
    );
}

// ---- several rows -------------------------------------------------------------------------------

/// Sparse elimination of five rows against dense elimination of the matrices as they are.
#[test]
fn five_coupled_rows_are_solved_as_dense_algebra_solves_them() {
    let ring = Ring { l: 1.0 };
    for seed in 0..50 {
        let Sample { t, q, v, w, f } = Sample::<8>::random(seed);
        let jacobian = DMatrix::from_column_slice(5, 8, ring.jacobian(t, &q).as_slice());
        let bias = DVector::from_column_slice(ring.bias(t, &q, &v).as_slice());
        let weights = DMatrix::from_diagonal(&DVector::from_column_slice(w.as_slice()));
        let matrix = &jacobian * &weights * jacobian.transpose();
        let right = -(bias + &jacobian * weights * DVector::from_column_slice(f.as_slice()));
        let condition = matrix.clone().symmetric_eigenvalues();
        let scale = condition.max() / condition.min();
        let lambda = matrix.lu().solve(&right).unwrap();
        let found = ring.multipliers(t, &q, &v, &w, &f).unwrap();
        let force = ring.force(t, &q, &v, &w, &f).unwrap();
        for i in 0..5 {
            assert_near(found[i], lambda[i], scale * lambda.amax());
        }
        for (found, expected) in force.iter().zip(jacobian.tr_mul(&lambda).iter()) {
            assert_near(*found, *expected, scale * lambda.amax());
        }
    }
}

/// C̈ of every row is independent of what the other rows' multipliers do to it: all vanish at once.
#[test]
fn masses_of_very_different_size_do_not_spoil_the_rows() {
    let ring = Ring { l: 1.0 };
    for seed in 0..50 {
        let mut sample = Sample::<8>::random(seed);
        sample.w = [1e-3, 1e-3, 1.0, 1.0, 1e3, 1e3, 1.0, 1.0].into();
        let force = sample.force(&ring);
        let pushes = sample.w.component_mul(&(force.abs() + sample.f.abs()));
        let scale = ring.jacobian(0.0, &sample.q).abs() * pushes
            + ring.bias(0.0, &sample.q, &sample.v).abs();
        let second = sample.second_derivative(&ring, &force);
        for (second, scale) in second.iter().zip(scale.iter()) {
            assert_near(*second, 0.0, 1e3 * scale);
        }
    }
}

// ---- singular configurations ---------------------------------------------------------------------

fn at_rest<const N: usize, const M: usize>(
    constraint: &impl Constraint<f64, N, M>,
    q: [f64; N],
) -> Result<SVector<f64, N>, Singular> {
    let (zero, one) = (SVector::zeros(), SVector::repeat(1.0));
    let q = q.into();
    let general = constraint.force(0.0, &q, &zero, &one, &one);
    let particle = constraint.particle_force(0.0, &q, &zero, 1.0, &one);
    let multipliers = constraint.multipliers(0.0, &q, &zero, &one, &one);
    let solution = constraint.solve(0.0, &q, &one, &SVector::repeat(1.0));
    let rows = [particle.err(), multipliers.err(), solution.err()]
        .map(|error| error.map(|error| error.row));
    assert_eq!(rows, [general.err().map(|error| error.row); 3]);
    general
}

#[test]
fn a_vanishing_gradient_is_an_error_of_its_row() {
    assert_eq!(
        at_rest(&Crossing, [0.0, 0.0]),
        Err(Singular { row: 0, pivot: 0.0 })
    );
    assert!(at_rest(&Crossing, [1e-9, 0.0]).is_ok());
    assert_eq!(
        at_rest(&UnitCircle, [0.0, 0.0]),
        Err(Singular { row: 0, pivot: 0.0 })
    );
}

/// |d| has no gradient at d = 0.
#[test]
fn a_rod_of_no_length_is_an_error() {
    let error = at_rest(&Rod { length: 1.0 }, [0.3, 0.4, 0.3, 0.4]).unwrap_err();
    assert_eq!(error.row, 0);
}

#[test]
fn rows_that_touch_are_dependent_there_and_only_there() {
    assert_eq!(at_rest(&Touching, [0.0, 1.0]).unwrap_err().row, 1);
    assert!(at_rest(&Touching, [0.1, 1.0]).is_ok());
}

/// In a ring of links each row in turn loses its gradient where its link has no length.
#[test]
fn among_five_rows_the_vanishing_one_is_named() {
    let good = [[1.0, 0.2], [1.3, 1.0], [0.1, 1.4], [-1.0, 0.5]];
    for row in 0..5 {
        let mut beads = good;
        match row {
            0 => beads[0] = [0.0, 0.0],
            4 => beads[3] = [0.0, 0.0],
            link => beads[link] = beads[link - 1],
        }
        let q: [f64; 8] = beads.concat().try_into().unwrap();
        assert_eq!(
            at_rest(&Ring { l: 1.0 }, q).unwrap_err(),
            Singular { row, pivot: 0.0 }
        );
    }
    assert!(at_rest(&Ring { l: 1.0 }, good.concat().try_into().unwrap()).is_ok());
}

#[test]
fn infinite_inertia_everywhere_is_an_error() {
    let (q, zero) = (Vector2::new(0.6, 0.8), Vector2::zeros());
    assert_eq!(
        UnitCircle.force(0.0, &q, &zero, &zero, &zero),
        Err(Singular { row: 0, pivot: 0.0 })
    );
}

/// A pivot that is positive by its form alone (x² + 2500) is not guarded; then the result shows what the state is.
#[test]
fn a_state_that_is_not_finite_never_gives_finite_forces() {
    for bad in [f64::NAN, f64::INFINITY] {
        let (q, zero, one) = (
            Vector2::new(bad, 0.0),
            Vector2::zeros(),
            Vector2::repeat(1.0),
        );
        let particle = Parabola.particle_force(0.0, &q, &zero, 1.0, &one);
        assert!(
            particle.is_err() || particle.is_ok_and(|force| !force.iter().all(|f| f.is_finite()))
        );
        assert!(Parabola.force(0.0, &q, &zero, &one, &one).is_err());
        assert!(at_rest(&Ring { l: 1.0 }, [1.0, 0.2, bad, 1.0, 0.1, 1.4, -1.0, 0.5]).is_err());
    }
}
