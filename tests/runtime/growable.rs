//! Systems whose sizes their types do not say move as those of fixed size do.

use constraint_runtime::Vector;
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;

use super::by_hand::*;

/// Pendulums of mass 1 and length 1 side by side: C = ½ (|rᵢ|² − 1) of each.
#[derive(Clone)]
pub struct Pendulums;

impl Pendulums {
    /// λᵢ = (9.81 yᵢ − |vᵢ|²)/|rᵢ|²
    fn tension(q: &DVector<f64>, v: &DVector<f64>) -> DVector<f64> {
        dots(q, q).like(|i| (9.81 * q[2 * i + 1] - dots(v, v)[i]) / dots(q, q)[i])
    }
}

/// aᵢ · bᵢ of each pendulum.
fn dots(a: &DVector<f64>, b: &DVector<f64>) -> DVector<f64> {
    let pairs = (0..a.len() / 2).map(|i| a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1]);
    DVector::from_vec(pairs.collect())
}

/// Jᵀ x
fn pull(q: &DVector<f64>, x: &DVector<f64>) -> DVector<f64> {
    q.like(|k| q[k] * x[k / 2])
}

impl Dynamics<f64> for Pendulums {
    type Q = DVector<f64>;
    type V = DVector<f64>;
    type Coordinates = DVector<f64>;
    type Velocities = DVector<f64>;

    fn acceleration(&self, _t: f64, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        let held = pull(q, &Self::tension(q, v));
        Ok(held.like(|k| held[k] - if k % 2 == 1 { 9.81 } else { 0.0 }))
    }
    fn kinetic_energy(&self, _t: f64, _q: &Self::Q, v: &Self::V) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _t: f64, q: &Self::Q) -> f64 {
        9.81 * (0..q.len() / 2).map(|i| q[2 * i + 1]).sum::<f64>()
    }
}

impl System<f64> for Pendulums {}

impl Constrained<f64> for Pendulums {
    type Rows = DVector<f64>;
    type Jacobian = DMatrix<f64>;
    type Multipliers = Self::Rows;

    fn multipliers(&self, _t: f64, q: &Self::Q, v: &Self::V) -> Result<Self::Rows, Error> {
        Ok(Self::tension(q, v))
    }
    fn constraint_force(&self, _t: f64, q: &Self::Q, v: &Self::V) -> Result<Self::V, Error> {
        Ok(pull(q, &Self::tension(q, v)))
    }
    fn constraint(&self, _t: f64, q: &Self::Q) -> Self::Rows {
        dots(q, q).map(|square| 0.5 * (square - 1.0))
    }
    fn constraint_rate(&self, _t: f64, q: &Self::Q, v: &Self::V) -> Self::Rows {
        dots(q, v)
    }
    fn jacobian(&self, _t: f64, q: &Self::Q) -> DMatrix<f64> {
        DMatrix::from_fn(
            q.len() / 2,
            q.len(),
            |i, k| if k / 2 == i { q[k] } else { 0.0 },
        )
    }
    fn bias(&self, _t: f64, _q: &Self::Q, v: &Self::V) -> Self::Rows {
        dots(v, v)
    }
    fn correction(&self, _t: f64, q: &Self::Q, b: &Self::Rows) -> Result<Self::V, Error> {
        Ok(pull(q, &b.component_div(&dots(q, q))))
    }
    fn free_acceleration(&self, _t: f64, q: &Self::Q, _v: &Self::V) -> Result<Self::V, Error> {
        Ok(q.like(|k| if k % 2 == 1 { -9.81 } else { 0.0 }))
    }
    fn impulse_rows(&self, _t: f64, q: &Self::Q, rows: &mut ImpulseRows<f64>) -> Result<(), Error> {
        for i in 0..q.len() / 2 {
            let row = [q[2 * i], q[2 * i + 1]];
            rows.push(&[2 * i, 2 * i + 1], &row, &row);
        }
        Ok(())
    }
    fn row_sizes(&self, _t: f64, q: &Self::Q) -> Self::Rows {
        dots(q, q)
    }
}

/// Three pendulums that start alike end where one of fixed size does, and meet the same event.
fn check(integrator: impl Integrator<Scalar = f64> + Copy, tolerance: f64) {
    let one = Particle::new(1.0).on(Circle).under_gravity([0.0, -9.81]);
    let mut one = Simulation::new(one, State::new(0.0, [1.0, 0.0], [0.0; 2]), integrator)
        .unwrap()
        .until(Crossing::Falling, |state| state.q.x);
    let start: State<DVector<f64>> = State::new(
        0.0,
        DVector::from_vec([1.0, 0.0].repeat(3)),
        DVector::zeros(6),
    );
    let mut three = Simulation::new(Pendulums, start, integrator)
        .unwrap()
        .until(Crossing::Falling, |state| state.q[2]);
    for end in [0.4, 2.0] {
        let arrivals = [one.run_until(end).unwrap(), three.run_until(end).unwrap()];
        assert_eq!(arrivals[0], arrivals[1]);
        assert!((one.state().t - three.state().t).abs() <= tolerance);
        for k in 0..6 {
            let apart = (three.state().q[k] - one.state().q[k % 2]).abs();
            assert!(apart <= tolerance, "{k}: {apart:e}");
        }
        assert!((three.energy() - 3.0 * one.energy()).abs() < 10.0 * tolerance);
        assert!((three.drift() - one.drift()).abs() <= tolerance);
    }
    assert!(one.state().q.x.abs() < 1e-12 && three.state().q[2].abs() < 1e-12);
}

#[test]
fn every_method_moves_systems_of_any_size() {
    check(SemiImplicitEuler::new(0.01), 1e-12);
    check(Rk4::new(0.01), 1e-12);
    check(Rattle::new(0.01), 1e-12);
    check(DormandPrince::new(1e-8, 1e-8), 1e-6);
    check(SequentialImpulses::new(4).stepping(0.01), 1e-12);
}

#[test]
fn states_are_put_onto_the_constraints_whatever_their_size() {
    let q = DVector::from_vec(vec![1.1, 0.2, -0.9, 0.1]);
    let off: State<DVector<f64>> = State::new(0.0, q, DVector::from_element(4, 0.3));
    let on = make_consistent(&Pendulums, off).unwrap();
    assert!(Pendulums.constraint(0.0, &on.q).amax() < 1e-15);
    assert!(dots(&on.q, &on.v).amax() < 1e-15);
}
