//! Derivatives of a whole run with respect to a parameter or the start: dual numbers against differences.

use approx::assert_relative_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::prelude::*;
use num_dual::{Dual2_64, Dual64};

constraint! { struct Rod { l: Real } |x, y| norm([x, y]) == l }

system! {
    struct Rods { l: Real, m: Real = 2, g: Real = 9.81 }
    particle upper: Point2 { mass: 1 }
    particle lower: Point2 { mass: m }
    constraint upper_rod: norm(upper) == l;
    constraint lower_rod: norm(lower - upper) == l;
    potential g*(upper.y + m*lower.y);
}

/// A start on the rod in value, for any `l` near 1; of its derivatives only those of `l` are there.
fn pendulum<T: Real, I: Integrator<Scalar = T>>(l: T, method: I) -> [T; 4] {
    let rod = Particle::new(T::one()).on(Rod { l });
    let rod = rod.under_gravity([T::zero(), T::lit(-9.81)]);
    let start = State::new(
        T::zero(),
        [T::lit(0.6), T::lit(-0.8)],
        [T::lit(1.6), T::lit(1.2)],
    );
    let start = if beside_one(l) {
        make_consistent(&rod, start).unwrap()
    } else {
        start
    };
    let mut run = Simulation::new(rod, start, method).unwrap();
    run.run_until(T::lit(1.0)).unwrap();
    let State { q, v, .. } = *run.state();
    [q.x, q.y, v.x, v.y]
}

fn beside_one<T: Real>(l: T) -> bool {
    use constraint_runtime::nalgebra::SimdBool;
    l.simd_ne(T::one()).any()
}

/// A straight wire: C is zero in value all along.
fn wire<T: Real, I: Integrator<Scalar = T>>(l: T, method: I) -> [T; 4] {
    constraint! { struct Wire { l: Real } |x, y| x + y == l - 1 }
    let bead = Particle::new(T::one()).on(Wire { l });
    let bead = bead.under(move |_, q, _| q * -(l * l * T::lit(4.0)));
    let start = State::new(T::zero(), [T::zero(); 2], [T::one(), -T::one()]);
    let start = if beside_one(l) {
        make_consistent(&bead, start).unwrap()
    } else {
        start
    };
    let mut run = Simulation::new(bead, start, method).unwrap();
    run.run_until(T::lit(1.0)).unwrap();
    let State { q, v, .. } = *run.state();
    [q.x, q.y, v.x, v.y]
}

fn two_rods<T: Real, I: Integrator<Scalar = T>>(l: T, method: I) -> [T; 8] {
    let system = Rods {
        l,
        m: T::lit(2.0),
        g: T::lit(9.81),
    };
    let places = [0.6, -0.8, 1.4, -1.4].map(T::lit);
    let start = State::new(T::zero(), places, [T::zero(); 4]);
    let start = if beside_one(l) {
        make_consistent(&system, start).unwrap()
    } else {
        start
    };
    let mut run = Simulation::new(system, start, method).unwrap();
    run.run_until(T::lit(0.6)).unwrap();
    let State { q, v, .. } = *run.state();
    std::array::from_fn(|i| if i < 4 { q[i] } else { v[i - 4] })
}

/// The derivative at one, by differences of fourth order.
fn slope<const N: usize>(f: impl Fn(f64) -> [f64; N]) -> [f64; N] {
    let d = 1e-3;
    let at = [2.0, 1.0, -1.0, -2.0].map(|k| f(1.0 + k * d));
    std::array::from_fn(|i| (8.0 * (at[1][i] - at[2][i]) - (at[0][i] - at[3][i])) / (12.0 * d))
}

fn agrees<const N: usize>(dual: [Dual64; N], plain: impl Fn(f64) -> [f64; N]) {
    let (at, slope) = (plain(1.0), slope(&plain));
    for i in 0..N {
        assert_relative_eq!(dual[i].re, at[i], max_relative = 1e-12, epsilon = 1e-14);
        assert_relative_eq!(dual[i].eps, slope[i], max_relative = 1e-7, epsilon = 1e-8);
    }
}

macro_rules! gradients {
    ($($test:ident: $method:expr),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                fn method<T: Real>() -> impl Integrator<Scalar = T> {
                    let lit = |x| T::lit(x);
                    $method(lit)
                }
                let one = Dual64::from(1.0).derivative();
                agrees(pendulum(one, method()), |l| pendulum(l, method()));
                agrees(two_rods(one, method()), |l| two_rods(l, method()));
                agrees(wire(one, method()), |l| wire(l, method()));
            }
        )*
    };
}

gradients! {
    semi_implicit_euler: |lit: fn(f64) -> T| SemiImplicitEuler::new(lit(0.005)),
    rk4: |lit: fn(f64) -> T| Rk4::new(lit(0.01)),
    rattle: |lit: fn(f64) -> T| Rattle::new(lit(0.01)),
    sequential_impulses: |lit: fn(f64) -> T| SequentialImpulses::new(60).with_projections(20).stepping(lit(0.005)),
    dormand_prince: |lit: fn(f64) -> T| DormandPrince::new(lit(1e-12), lit(1e-12)),
}

#[test]
fn a_start_gets_the_derivatives_that_its_constraints_ask_for() {
    // The start hangs at (0.6, −0.8) l: ∂q/∂l is along the rod.
    let l = Dual64::from(1.0).derivative();
    let rod = Particle::new(Dual64::from(1.0)).on(Rod { l });
    let q = [0.6, -0.8].map(Dual64::from);
    let start = State::new(Dual64::from(0.0), q, [Dual64::from(0.0); 2]);
    let moved = make_consistent(&rod, start).unwrap();
    let run = Simulation::new(rod, start, Rk4::new(Dual64::from(0.1))).unwrap();
    for q in [moved.q, run.state().q] {
        assert_relative_eq!(q.x.eps, 0.6, max_relative = 1e-15);
        assert_relative_eq!(q.y.eps, -0.8, max_relative = 1e-15);
        assert_eq!((q.x.re, q.y.re), (0.6, -0.8));
    }
}

#[test]
fn second_derivatives_are_right_too() {
    // x² + y² = l² at x = 0.6 + s/2: along (0.6, −0.8), q = l (0.6, −0.8), so the second derivative by l is zero.
    let l = Dual2_64::from(1.0).derivative();
    constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }
    let bead = Particle::new(Dual2_64::from(1.0)).on(Circle { r: l });
    let q = [0.6, -0.8].map(Dual2_64::from);
    let start = State::new(Dual2_64::from(0.0), q, [Dual2_64::from(0.0); 2]);
    let moved = make_consistent(&bead, start).unwrap();
    assert_relative_eq!(moved.q.x.v1, 0.6, max_relative = 1e-15);
    assert_relative_eq!(moved.q.x.v2, 0.0, epsilon = 1e-15);
    assert_relative_eq!(moved.q.y.v2, 0.0, epsilon = 1e-15);
}
