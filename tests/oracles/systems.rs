//! Random systems against a reference that knows nothing of the engine: places, energies and relations are
//! evaluated as they are written, over dual numbers; M, h, J and β are put together from those by the
//! definitions, and the equations of motion are solved as one dense matrix.
//!
//! ```text
//! [M  −Jᵀ] [v̇]   [ h]        M = Σ m rᵢᵀ rᵢ + ∂²T/∂v²                     rᵢ = ∂r/∂qᵢ
//! [J   0 ] [λ] = [−β]        h = Σ −m rᵢ·r̈₀ + ∂T/∂qᵢ − d/dt ∂T/∂vᵢ + rᵢ·F − ∂V/∂qᵢ − ∂R/∂vᵢ
//! ```

use std::collections::BTreeSet;

use crate::harness::system::Case;
use crate::harness::{Environment, Expr, Jittered, KINDS, seeds};
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::model::Role;
use constraint_symbolic::system::{Derived, Quantity};
use num_dual::{Dual2_64, Dual64, HyperDual64};

/// Systems per run; `CONSTRAINT_CASES=10000` for more.
const CASES: u64 = 100;

#[test]
fn random_systems_agree_with_the_reference() {
    let seeds = seeds(CASES);
    let cases = seeds.end - seeds.start;
    let (mut compared, mut met) = (0, BTreeSet::new());
    for seed in seeds {
        let case = Case::random(seed);
        // Random rows may cancel, or repeat one another.
        let Some(derived) = accepted(seed, &case.source) else {
            continue;
        };
        if compare(seed, &case, &derived) {
            compared += 1;
            met.extend(case.kinds);
        }
    }
    assert_eq!(met.len(), KINDS.len(), "{met:?}");
    println!("{compared} of {cases} compared");
    assert!(
        compared as u64 > cases * 3 / 4,
        "{compared} of {cases} compared"
    );
}

/// What is derived; nothing where random rows repeat one another.
pub fn accepted(seed: u64, source: &str) -> Option<Derived> {
    let excused = [
        "follows from",
        "no gradient",
        "does not depend on any coordinate",
        "touch but never cross",
        "a force acts on",
    ];
    match analyze_system(source.parse().expect("Rust tokens")) {
        Ok(derived) => Some(derived),
        Err(diagnostics) => {
            for diagnostic in diagnostics.iter() {
                let message = &diagnostic.message;
                let known = excused.iter().any(|part| message.contains(part));
                assert!(known, "case {seed}: {message}\n{source}");
            }
            None
        }
    }
}

// ---- the reference ------------------------------------------------------------------------------

impl Case {
    fn at<D: Jittered>(&self, expr: &Expr, leaf: impl Fn(usize) -> D, t: D) -> D {
        // Of outputs alone, accelerations and multipliers have values.
        let mut leaves: Vec<D> = (0..self.state.len()).map(leaf).collect();
        leaves.resize(3 * self.n + 2 + self.rows.len(), D::from(0.0));
        let mut environment = Environment::new(&leaves, &[], t);
        environment.bind(&self.locals);
        environment.scalar(expr)
    }

    fn value(&self, expr: &Expr) -> f64 {
        self.at(expr, |k| self.state[k], self.t)
    }

    /// ∂/∂leaf
    fn slope(&self, expr: &Expr, leaf: usize) -> f64 {
        let seed = |k| Dual64::new(self.state[k], f64::from(u8::from(k == leaf)));
        self.at(expr, seed, Dual64::new(self.t, 0.0)).eps
    }

    fn slopes(&self, expr: &Expr, first: usize) -> Vec<f64> {
        (first..first + self.n)
            .map(|leaf| self.slope(expr, leaf))
            .collect()
    }

    /// How leaf k moves while v̇ = 0.
    fn rate_of_leaf(&self, k: usize) -> f64 {
        if k < self.n {
            self.state[self.n + k]
        } else {
            0.0
        }
    }

    /// d/dt and d²/dt² while v̇ = 0.
    fn motion(&self, expr: &Expr) -> (f64, f64) {
        let seed = |k| Dual2_64::new(self.state[k], self.rate_of_leaf(k), 0.0);
        let moved = self.at(expr, seed, Dual2_64::new(self.t, 1.0, 0.0));
        (moved.v1, moved.v2)
    }

    /// ∂²/∂v_i∂v_j
    fn inertia(&self, expr: &Expr, i: usize, j: usize) -> f64 {
        let one = |k: usize, of: usize| f64::from(u8::from(k == self.n + of));
        let seed = |k| HyperDual64::new(self.state[k], one(k, i), one(k, j), 0.0);
        self.at(expr, seed, HyperDual64::from(self.t)).eps1eps2
    }

    /// d/dt ∂/∂v_i while v̇ = 0
    fn turning(&self, expr: &Expr, i: usize) -> f64 {
        let one = |k: usize| f64::from(u8::from(k == self.n + i));
        let seed = |k| HyperDual64::new(self.state[k], one(k), self.rate_of_leaf(k), 0.0);
        self.at(expr, seed, HyperDual64::new(self.t, 0.0, 1.0, 0.0))
            .eps1eps2
    }

    fn mass_and_force(&self) -> (DMatrix<f64>, DVector<f64>) {
        let n = self.n;
        let (mut mass, mut force) = (DMatrix::zeros(n, n), DVector::zeros(n));
        for (m, component) in self
            .points
            .iter()
            .flat_map(|(m, p)| p.iter().map(move |c| (m, c)))
        {
            let row = DVector::from(self.slopes(component, 0));
            mass += *m * &row * row.transpose();
            force -= *m * self.motion(component).1 * row;
        }
        for term in &self.kinetic {
            mass += DMatrix::from_fn(n, n, |i, j| self.inertia(term, i, j));
            force += DVector::from_fn(n, |i, _| self.slope(term, i) - self.turning(term, i));
        }
        for (component, value) in self.forces.iter().flat_map(|(p, f)| p.iter().zip(f)) {
            force += self.value(value) * DVector::from(self.slopes(component, 0));
        }
        for (component, value) in self.pushes.iter().flat_map(|(r, f)| r.iter().zip(f)) {
            force += self.value(value) * DVector::from(self.slopes(component, n));
        }
        for term in &self.potential {
            force -= DVector::from(self.slopes(term, 0));
        }
        for term in &self.dissipation {
            force -= DVector::from(self.slopes(term, n));
        }
        (mass, force)
    }

    /// C, Ċ and β, and J row by row.
    fn relations(&self) -> (Vec<[f64; 3]>, DMatrix<f64>) {
        let found = self.rows.iter().map(|(on_velocities, row)| {
            let (first, second) = self.motion(row);
            if *on_velocities {
                ([0.0, self.value(row), first], self.slopes(row, self.n))
            } else {
                ([self.value(row), first, second], self.slopes(row, 0))
            }
        });
        let (numbers, rows): (Vec<_>, Vec<_>) = found.unzip();
        (
            numbers,
            DMatrix::from_fn(rows.len(), self.n, |i, j| rows[i][j]),
        )
    }

    /// The same case at other velocities.
    fn at_velocities(&self, v: &[f64]) -> Case {
        let mut there = self.clone();
        there.state[self.n..2 * self.n].copy_from_slice(v);
        there
    }

    /// The outputs, which know v̇ and λ too.
    fn told(&self, solved: &DVector<f64>) -> DVector<f64> {
        let mut there = self.clone();
        there.state.extend(solved.iter());
        DVector::from_iterator(
            self.outputs.len(),
            self.outputs.iter().map(|it| there.value(it)),
        )
    }

    fn kinetic_energy(&self) -> f64 {
        let points = self.points.iter().map(|(m, place)| {
            let squares = place
                .iter()
                .map(|component| self.motion(component).0.powi(2));
            0.5 * m * squares.sum::<f64>()
        });
        points.sum::<f64>()
            + self
                .kinetic
                .iter()
                .map(|term| self.value(term))
                .sum::<f64>()
    }
}

// ---- the comparison -----------------------------------------------------------------------------

/// Asserts that all agree; `false` for a state at which the equations are nearly singular.
fn compare(seed: u64, case: &Case, derived: &Derived) -> bool {
    let (n, m) = (case.n, case.rows.len());
    let (mass, applied) = case.mass_and_force();
    let (numbers, jacobian) = case.relations();
    let column = |k: usize| DVector::from_iterator(m, numbers.iter().map(|row| row[k]));
    let mut matrix = DMatrix::zeros(n + m, n + m);
    matrix.view_mut((0, 0), (n, n)).copy_from(&mass);
    matrix
        .view_mut((0, n), (n, m))
        .copy_from(&-jacobian.transpose());
    matrix.view_mut((n, 0), (m, n)).copy_from(&jacobian);
    let singular = matrix.singular_values();
    let condition = singular.max() / singular.min();
    if condition > 1e6 {
        return false;
    }
    let lu = matrix.lu();
    let right = DVector::from_iterator(
        n + m,
        applied.iter().copied().chain(column(2).iter().map(|b| -b)),
    );
    let solved = lu.solve(&right).expect("well conditioned");
    let (acceleration, multipliers) = (
        solved.rows(0, n).into_owned(),
        solved.rows(n, m).into_owned(),
    );
    let b: Vec<f64> = (0..m).map(|i| 0.3 + i as f64).collect();
    let asked = DVector::from_iterator(n + m, (0..n).map(|_| 0.0).chain(b.iter().copied()));
    let correction = lu
        .solve(&asked)
        .expect("well conditioned")
        .rows(0, n)
        .into_owned();
    let solve = |above: &[f64], below: &[f64]| {
        let found = lu.solve(&DVector::from_vec([above, below].concat()));
        found.expect("well conditioned").rows(0, n).into_owned()
    };
    let velocities = DVector::from_column_slice(&case.state[n..2 * n]);
    let projected = velocities + solve(&vec![0.0; n], (-column(1)).as_slice());
    let there = case.at_velocities(projected.as_slice());
    let biases: Vec<f64> = there.relations().0.iter().map(|row| -row[2]).collect();
    let accelerated = solve(there.mass_and_force().1.as_slice(), &biases);
    let moved = DVector::from_vec([projected.as_slice(), accelerated.as_slice()].concat());
    let told = case.told(&solved);
    let frames = derived.equations.frames.iter();
    let own = case.own_frames(&frames.map(|it| it.columns[0]).collect::<Vec<usize>>());
    let resisting = &mass * DVector::from_fn(n, |i, _| given_acceleration(i));
    let expected = [
        (Quantity::Acceleration, acceleration.clone()),
        (Quantity::Multipliers, multipliers.clone()),
        (Quantity::AccelerationAndMultipliers, solved),
        (Quantity::Force, jacobian.transpose() * &multipliers),
        (Quantity::Value, column(0)),
        (Quantity::Rate, column(1)),
        (Quantity::Bias, column(2)),
        (
            Quantity::Jacobian,
            DVector::from_vec(jacobian.transpose().as_slice().to_vec()),
        ),
        (
            Quantity::RowSizes,
            DVector::from_iterator(
                m,
                jacobian.row_iter().map(|row| {
                    row.transpose()
                        .component_mul(&DVector::from_column_slice(&case.state[..n]))
                        .lp_norm(1)
                }),
            ),
        ),
        (Quantity::Correction, correction),
        (Quantity::ProjectedMotion, moved),
        (Quantity::Outputs, told),
        (
            Quantity::MassMatrix,
            DVector::from_vec((&own * &mass * own.transpose()).as_slice().to_vec()),
        ),
        (Quantity::MassTimes, resisting.clone()),
        (Quantity::InverseDynamics, resisting - &applied),
        (Quantity::Applied, &own * applied),
        (
            Quantity::KineticEnergy,
            DVector::from_element(1, case.kinetic_energy()),
        ),
        (
            Quantity::PotentialEnergy,
            DVector::from_element(1, case.potential.iter().map(|v| case.value(v)).sum()),
        ),
    ];
    // Nothing moves onto no rows, and outputs may be none.
    let asked = |quantity| match quantity {
        Quantity::ProjectedMotion => m > 0,
        Quantity::Outputs => !case.outputs.is_empty(),
        // What turns has no size but that of its arms.
        Quantity::RowSizes => case.bodies.is_empty(),
        _ => true,
    };
    let expected = expected.into_iter().filter(|it| asked(it.0));
    for (quantity, expected) in expected {
        let found = DVector::from(numbers_of(derived, quantity, case, &b));
        assert_eq!(found.len(), expected.len(), "case {seed}: {quantity:?}");
        let scale = 1.0 + expected.amax();
        let error = (&found - &expected).amax() / scale;
        assert!(
            error < 1e-13 * (100.0 + condition),
            "case {seed}: {quantity:?} differs by {error:e} (condition {condition:e})\n{}\n{found}{expected}",
            case.source
        );
    }
    obeys_the_laws(seed, case, derived, &acceleration, condition);
    true
}

/// C̈ = 0, and, where nothing moves by itself, energy changes by the power of the forces.
fn obeys_the_laws(
    seed: u64,
    case: &Case,
    derived: &Derived,
    reference: &DVector<f64>,
    condition: f64,
) {
    let n = case.n;
    let found = DVector::from(numbers_of(derived, Quantity::Acceleration, case, &[]));
    let jacobian = DMatrix::from_row_slice(
        case.rows.len(),
        n,
        &numbers_of(derived, Quantity::Jacobian, case, &[]),
    );
    let bias = DVector::from(numbers_of(derived, Quantity::Bias, case, &[]));
    let residual = (&jacobian * &found + &bias).amax() / (1.0 + bias.amax());
    assert!(
        residual < 1e-13 * (100.0 + condition),
        "case {seed}: C̈ = {residual:e}"
    );
    if !case.scleronomic {
        return;
    }
    let energy = |step: f64| {
        let state = (0..case.state.len()).map(|k| match k {
            _ if k < n => {
                case.state[k] + step * case.state[n + k] + 0.5 * step * step * reference[k]
            }
            _ if k < 2 * n => case.state[k] + step * reference[k - n],
            _ => case.state[k],
        });
        let moved = state.collect::<Vec<f64>>();
        let of = |quantity| evaluate(derived, quantity, case, &moved, &[])[0];
        of(Quantity::KineticEnergy) + of(Quantity::PotentialEnergy)
    };
    // Six points: the error is of order h⁶.
    let h = 2e-3;
    let sides = [(45.0, 1.0), (-9.0, 2.0), (1.0, 3.0)];
    let rate: f64 = sides
        .iter()
        .map(|(w, k)| w * (energy(k * h) - energy(-k * h)))
        .sum::<f64>()
        / (60.0 * h);
    let v = DVector::from_column_slice(&case.state[n..2 * n]);
    let mut power = 0.0;
    for (component, value) in case.forces.iter().flat_map(|(p, f)| p.iter().zip(f)) {
        power += case.value(value) * case.motion(component).0;
    }
    for (component, value) in case.pushes.iter().flat_map(|(r, f)| r.iter().zip(f)) {
        power += case.value(value) * case.value(component);
    }
    for term in &case.dissipation {
        power -= DVector::from(case.slopes(term, n)).dot(&v);
    }
    power += DVector::from(numbers_of(derived, Quantity::Force, case, &[])).dot(&v);
    let scale = 1.0 + power.abs() + energy(0.0).abs();
    let error = (rate - power).abs() / scale;
    // The higher derivatives grow with the accelerations.
    let limit = 1e-9 * f64::powi(1.0 + reference.amax(), 3);
    assert!(
        error < limit,
        "case {seed}: energy changes by {rate}, power is {power}\n{}",
        case.source
    );
}

/// What [`Quantity::InverseDynamics`] is asked for.
fn given_acceleration(i: usize) -> f64 {
    0.7 - 0.2 * i as f64
}

fn numbers_of(derived: &Derived, quantity: Quantity, case: &Case, b: &[f64]) -> Vec<f64> {
    evaluate(derived, quantity, case, &case.state, b)
}

fn evaluate(
    derived: &Derived,
    quantity: Quantity,
    case: &Case,
    state: &[f64],
    b: &[f64],
) -> Vec<f64> {
    let symbols = &derived.system.model.symbols;
    let program = derived.plain_program(&[quantity]);
    let (n, q) = (case.n, case.coordinates(state));
    program.evaluate(|symbol| match symbols[symbol.index()].role {
        Role::Time => case.t,
        Role::Coordinate(i) => q[i],
        Role::Velocity(i) => state[n + i],
        Role::Input(i) => state[2 * n + i],
        Role::RightHandSide(i) => b[i],
        Role::Acceleration(i) => given_acceleration(i),
        role => unreachable!("{role:?} in a system without parameters"),
    })
}
