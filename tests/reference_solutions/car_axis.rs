//! The car axis: two wheels' springs on a bumpy road, an axis of fixed length and a side of a turning frame.
//!
//! ε² m/2 q̈ = springs + weight + Jᵀ λ for the ends (x_l, y_l), (x_r, y_r) of the axis, with ε = 10⁻², m = 10,
//! l = 1, l₀ = ½, r = 0.1, ω = 10 and g = 1, over 0 ≤ t ≤ 3. Rheonomic and of index 3.
//!
//! Source: [Mazzia & Magherini 2008] F. Mazzia, C. Magherini, *Test Set for Initial Value Problem Solvers*,
//! release 2.4, problem "Car Axis" (reference solution by GAMD in quadruple precision); from
//! [Schneider 1994] S. Schneider, *Intégration de systèmes d'équations différentielles raides et
//! différentielles-algébriques par des méthodes de collocations et méthodes générales linéaires*, thesis, Geneva.

use constraint_runtime::prelude::*;

use crate::assert_relative;

constraint! {
    /// The axis stays at right angles to the line from the origin to the right wheel, and keeps its length.
    struct CarAxis { l: Real, r: Real, omega: Real }
    |left: Point2, right: Point2, t: Time| {
        let y = r*sin(omega*t);
        let x = sqrt(l^2 - y^2);
        [left.x*x + left.y*y == 0, norm_squared(left - right) == l^2]
    }
}

const EPSILON: f64 = 1e-2;
const MASS: f64 = 10.0 * EPSILON * EPSILON / 2.0;
const L: f64 = 1.0;
const L0: f64 = 0.5;
const R: f64 = 0.1;
const OMEGA: f64 = 10.0;

/// (x_l, y_l, x_r, y_r), their rates and (λ₁, λ₂) at t = 3.
const Q: [f64; 4] = [
    0.049_345_578_427_540_28,
    0.496_989_460_230_171_15,
    1.041_742_524_885_421_5,
    0.373_911_027_265_361_26,
];
const V: [f64; 4] = [
    -0.077_058_368_404_097_24,
    0.007_446_866_587_237_786,
    0.017_556_815_753_723_222,
    0.770_341_043_779_252,
];
const LAMBDA: [f64; 2] = [-0.004_736_886_590_848_933, -0.001_104_680_331_257_343_7];

/// Springs of stiffness 1 and length l₀ from the road to both ends, and the weight for g = 1.
fn springs(t: f64, q: &SVector<f64, 4>, _v: &SVector<f64, 4>) -> SVector<f64, 4> {
    let y = R * (OMEGA * t).sin();
    let x = (L * L - y * y).sqrt();
    let left = Vector2::new(q[0], q[1]);
    let right = Vector2::new(q[2] - x, q[3] - y);
    let pull = |d: Vector2<f64>| d * ((L0 - d.norm()) / d.norm()) - Vector2::new(0.0, MASS);
    let (left, right) = (pull(left), pull(right));
    SVector::from([left.x, left.y, right.x, right.y])
}

/// Runs to t = 3 and compares with the source.
#[track_caller]
fn assert_end(integrator: impl Integrator<Scalar = f64>, [places, rates]: [f64; 2]) {
    let axis = CarAxis {
        l: L,
        r: R,
        omega: OMEGA,
    };
    let system = Particle::new(MASS).on(axis).under(springs);
    let start = State::new(0.0, [0.0, L0, L, L0], [-L0 / L, 0.0, -L0 / L, 0.0]);
    let mut run = Simulation::new(system, start, integrator).unwrap();
    run.run_until(3.0).unwrap();
    for i in 0..4 {
        assert_relative(run.state().q[i], Q[i], places);
        assert_relative(run.state().v[i], V[i], rates);
    }
    let lambda = run.multipliers().unwrap();
    assert_relative(lambda[0], LAMBDA[0], rates);
    assert_relative(lambda[1], LAMBDA[1], rates);
}

#[test]
fn the_car_axis_ends_as_in_the_test_set() {
    assert_end(Rk4::new(2e-4), [1e-8, 1e-6]);
    for k in [4, 7, 9, 13] {
        let tolerance = 10.0_f64.powi(-k);
        let allowed = [tolerance, 100.0 * tolerance].map(|part| 100.0 * part + 1e-8);
        assert_end(DormandPrince::new(tolerance, tolerance / 100.0), allowed);
    }
}
