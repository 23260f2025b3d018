//! The expected answers: dual numbers on the test's own tree, dense linear algebra, central differences.

use constraint_runtime::nalgebra::{DMatrix, DVector};
use num_dual::{Dual2_64, Dual64, HyperDual64};

use super::random::Random;
use super::surface::{Body, Environment, Jittered, Noise};

/// Where a constraint is looked at.
#[derive(Clone, Debug)]
pub struct State {
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub t: f64,
    /// Flat, in the order of declaration.
    pub parameters: Vec<f64>,
    pub inverse_masses: Vec<f64>,
    pub forces: Vec<f64>,
    pub mass: f64,
    pub right_hand_side: Vec<f64>,
}

impl State {
    /// Coordinates are multiples of 1/64 so that a decimal can name them exactly.
    pub fn random(random: &mut Random, coordinates: usize, parameters: usize) -> State {
        let mut many = |count: usize, low: f64, high: f64| -> Vec<f64> {
            (0..count)
                .map(|_| random.away_from_zero(low, high))
                .collect()
        };
        let q = many(coordinates, 0.2, 2.0)
            .into_iter()
            .map(|x| (64.0 * x).round() / 64.0)
            .collect();
        State {
            q,
            v: many(coordinates, 0.2, 2.0),
            t: many(1, 0.2, 2.0)[0].abs(),
            parameters: many(parameters, 0.2, 2.0),
            inverse_masses: many(coordinates, 0.3, 3.0)
                .into_iter()
                .map(f64::abs)
                .collect(),
            forces: many(coordinates, 0.0, 5.0),
            mass: many(1, 0.5, 3.0)[0].abs(),
            right_hand_side: many(coordinates, 0.0, 3.0),
        }
    }
}

/// What the engine computes, each quantity flat and row by row.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub value: Vec<f64>,
    pub jacobian: Vec<f64>,
    pub rate: Vec<f64>,
    pub jacobian_dot: Vec<f64>,
    pub bias: Vec<f64>,
    pub multipliers: Vec<f64>,
    pub force: Vec<f64>,
    pub particle_force: Vec<f64>,
    pub solution: Vec<f64>,
}

impl Answers {
    /// Name and numbers of every quantity.
    pub fn all(&self) -> [(&'static str, &[f64]); 9] {
        [
            ("value", &self.value),
            ("jacobian", &self.jacobian),
            ("rate", &self.rate),
            ("jacobian_dot", &self.jacobian_dot),
            ("bias", &self.bias),
            ("multipliers", &self.multipliers),
            ("force", &self.force),
            ("particle_force", &self.particle_force),
            ("solution", &self.solution),
        ]
    }

    /// The same with `f` applied number by number to both.
    fn merge(&mut self, other: &Answers, f: impl Fn(f64, f64) -> f64) {
        let merge =
            |a: &mut Vec<f64>, b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a = f(*a, *b));
        merge(&mut self.value, &other.value);
        merge(&mut self.jacobian, &other.jacobian);
        merge(&mut self.rate, &other.rate);
        merge(&mut self.jacobian_dot, &other.jacobian_dot);
        merge(&mut self.bias, &other.bias);
        merge(&mut self.multipliers, &other.multipliers);
        merge(&mut self.force, &other.force);
        merge(&mut self.particle_force, &other.particle_force);
        merge(&mut self.solution, &other.solution);
    }
}

/// All answers from dual numbers on the surface tree; `columns` lists the flat coordinates of J.
pub fn exact(body: &Body, state: &State, columns: &[usize]) -> Answers {
    answers(body, state, columns, &mut Noise::none())
}

/// How large the rounding errors of a careful computation may be, in units of the rounding unit.
///
/// The oracle is run again with every part of every intermediate result (value, first and second
/// derivatives, entries of J W Jᵀ) changed by random relative amounts of up to δ; the largest change of an
/// answer over δ, plus the answer itself, is its scale. For a sum of cancelling terms that is about the
/// sum of their magnitudes, for λ it grows with the condition of the matrix. Computing in `f64` changes
/// intermediate results by up to 2⁻⁵³ instead of δ.
pub fn scaled(body: &Body, state: &State, columns: &[usize], exact: &Answers) -> Answers {
    const SIZE: f64 = 1e-8;
    let mut scale = exact.clone();
    scale.merge(exact, |_, x| x.abs());
    for seed in 0..4 {
        let mut disturbed = answers(body, state, columns, &mut Noise::new(seed, SIZE));
        disturbed.merge(exact, |a, b| (a - b).abs() / SIZE + b.abs());
        scale.merge(&disturbed, f64::max);
    }
    scale
}

fn answers(body: &Body, state: &State, columns: &[usize], noise: &mut Noise) -> Answers {
    let mut answers = Answers::default();
    derivatives(body, state, columns, noise, &mut answers);
    solve(state, columns, noise, &mut answers);
    answers
}

fn residuals<D: Jittered>(
    body: &Body,
    state: &State,
    noise: &mut Noise,
    coordinate: impl Fn(usize) -> D,
    time: D,
) -> Vec<D> {
    let q: Vec<D> = (0..state.q.len()).map(coordinate).collect();
    let mut environment = Environment::new(&q, &state.parameters, time);
    environment.noise = noise.clone();
    let rows = environment.rows(body);
    *noise = environment.noise;
    rows
}

fn derivatives(
    body: &Body,
    state: &State,
    columns: &[usize],
    noise: &mut Noise,
    answers: &mut Answers,
) {
    let (q, v, t) = (&state.q, &state.v, state.t);
    answers.value = residuals(body, state, noise, |i| q[i], t);
    let m = answers.value.len();
    let along = residuals(
        body,
        state,
        noise,
        |i| Dual2_64::new(q[i], v[i], 0.0),
        Dual2_64::new(t, 1.0, 0.0),
    );
    answers.rate = along.iter().map(|c| c.v1).collect();
    answers.bias = along.iter().map(|c| c.v2).collect();
    answers.jacobian = vec![0.0; m * columns.len()];
    answers.jacobian_dot = vec![0.0; m * columns.len()];
    for (j, &column) in columns.iter().enumerate() {
        let one = |i: usize| f64::from(u8::from(i == column));
        let slope = residuals(body, state, noise, |i| Dual64::new(q[i], one(i)), t.into());
        let mixed = |i: usize| HyperDual64::new(q[i], one(i), v[i], 0.0);
        let bend = residuals(
            body,
            state,
            noise,
            mixed,
            HyperDual64::new(t, 0.0, 1.0, 0.0),
        );
        for i in 0..m {
            answers.jacobian[i * columns.len() + j] = slope[i].eps;
            answers.jacobian_dot[i * columns.len() + j] = bend[i].eps1eps2;
        }
    }
}

/// λ and f̂ by dense elimination.
fn solve(state: &State, columns: &[usize], noise: &mut Noise, answers: &mut Answers) {
    let (m, n) = (answers.value.len(), columns.len());
    let pick = |all: &[f64]| DVector::from_iterator(n, columns.iter().map(|&k| all[k]));
    let jacobian = DMatrix::from_row_slice(m, n, &answers.jacobian);
    let bias = DVector::from_column_slice(&answers.bias);
    let (w, f) = (pick(&state.inverse_masses), pick(&state.forces));
    let b = DVector::from_column_slice(&state.right_hand_side[..m]);
    let multipliers = |w: &DVector<f64>, noise: &mut Noise| {
        let right = -(&bias + &jacobian * w.component_mul(&f));
        dense(&jacobian, w, right, noise)
    };
    let lambda = multipliers(&w, noise);
    let force = jacobian.tr_mul(&lambda).map(|x| noise.on(x));
    let uniform = DVector::from_element(n, 1.0 / state.mass);
    let particle = jacobian
        .tr_mul(&multipliers(&uniform, noise))
        .map(|x| noise.on(x));
    answers.solution = dense(&jacobian, &w, b, noise).as_slice().to_vec();
    answers.multipliers = lambda.as_slice().to_vec();
    answers.force = force.as_slice().to_vec();
    answers.particle_force = particle.as_slice().to_vec();
}

/// x with (J W Jᵀ) x = b; NaN where there is none.
fn dense(
    jacobian: &DMatrix<f64>,
    w: &DVector<f64>,
    b: DVector<f64>,
    noise: &mut Noise,
) -> DVector<f64> {
    let matrix = (jacobian * DMatrix::from_diagonal(w) * jacobian.transpose()).map(|x| noise.on(x));
    let right = b.map(|x| noise.on(x));
    let rows = right.len();
    matrix
        .lu()
        .solve(&right)
        .unwrap_or_else(|| DVector::from_element(rows, f64::NAN))
}

// ---- central differences ------------------------------------------------------------------------

/// C, J, Ċ, J̇ and β by central differences of sixth order with step `h`; λ and f̂ stay empty.
///
/// J̇ e is the mixed second derivative along e and the motion: (D²(v + e) − D²(v − e))/4, time moving along.
pub fn differences(body: &Body, state: &State, columns: &[usize], h: f64) -> Answers {
    let along = |direction: &[f64], time: f64, s: f64| {
        let moved = |i: usize| state.q[i] + s * direction[i];
        residuals(body, state, &mut Noise::none(), moved, state.t + s * time)
    };
    let mut answers = Answers {
        value: along(&state.v, 1.0, 0.0),
        ..Answers::default()
    };
    (answers.rate, answers.bias) = first_and_second(|s| along(&state.v, 1.0, s), h);
    let (m, n) = (answers.value.len(), columns.len());
    answers.jacobian = vec![0.0; m * n];
    answers.jacobian_dot = vec![0.0; m * n];
    for (j, &column) in columns.iter().enumerate() {
        let shifted = |by: f64| {
            let mut direction = state.v.clone();
            direction[column] += by;
            direction
        };
        let mut unit = vec![0.0; state.q.len()];
        unit[column] = 1.0;
        let (slope, _) = first_and_second(|s| along(&unit, 0.0, s), h);
        let (_, more) = first_and_second(|s| along(&shifted(1.0), 1.0, s), h);
        let (_, less) = first_and_second(|s| along(&shifted(-1.0), 1.0, s), h);
        for i in 0..m {
            answers.jacobian[i * n + j] = slope[i];
            answers.jacobian_dot[i * n + j] = (more[i] - less[i]) / 4.0;
        }
    }
    answers
}

/// f′(0) and f″(0) from f at −3h … 3h, errors of order h⁶.
fn first_and_second(f: impl Fn(f64) -> Vec<f64>, h: f64) -> (Vec<f64>, Vec<f64>) {
    const FIRST: [f64; 3] = [45.0, -9.0, 1.0];
    const SECOND: [f64; 3] = [270.0, -27.0, 2.0];
    let middle = f(0.0);
    let mut first = vec![0.0; middle.len()];
    let mut second: Vec<f64> = middle
        .iter()
        .map(|c| -490.0 * c / (180.0 * h * h))
        .collect();
    for k in 0..3 {
        let s = (k + 1) as f64 * h;
        let (right, left) = (f(s), f(-s));
        for i in 0..middle.len() {
            first[i] += FIRST[k] * (right[i] - left[i]) / (60.0 * h);
            second[i] += SECOND[k] * (right[i] + left[i]) / (180.0 * h * h);
        }
    }
    (first, second)
}

// ---- comparison ---------------------------------------------------------------------------------

/// Agreement demanded, relative to the oracle's scale (see [`scaled`]): 45 rounding units.
pub const TOLERANCE: f64 = 1e-14;
/// Samples whose scale exceeds the answers by more than this are ill-conditioned. TOLERANCE · LIMIT = 1e-12:
/// all others agree to 1e-12 relative to the largest entry of their quantity, or better.
pub const LIMIT: f64 = 100.0;
/// What central differences with steps of about 1e-3 can be trusted to, relative to scale.
const DIFFERENCE_TOLERANCE: f64 = 1e-7;

/// C, J, Ċ, J̇, β, λ, f̂, particle force and solve against num-dual and dense algebra.
pub fn agreement_with_dual_numbers(
    found: &Answers,
    body: &Body,
    state: &State,
    columns: &[usize],
) -> Comparison {
    let expected = exact(body, state, columns);
    let scale = scaled(body, state, columns, &expected);
    compare(found, &expected, &scale, TOLERANCE, LIMIT)
}

/// C, J, Ċ, J̇ and β against central differences; ill-conditioned where those have not converged.
pub fn agreement_with_differences(
    found: &Answers,
    body: &Body,
    state: &State,
    columns: &[usize],
) -> Comparison {
    let mut scale = scaled(body, state, columns, &exact(body, state, columns));
    rounding_of_differences(&mut scale);
    let [fine, coarse] = [1e-3, 2e-3].map(|h| differences(body, state, columns, h));
    let converged = compare(&coarse, &fine, &scale, DIFFERENCE_TOLERANCE, LIMIT);
    if !matches!(converged, Comparison::Agrees(_)) {
        return Comparison::IllConditioned;
    }
    let mut found = found.clone();
    without_solution(&mut found);
    compare(&found, &fine, &scale, DIFFERENCE_TOLERANCE, LIMIT)
}

/// Differences divide the rounding errors of C by h and h², also where an entry is zero by structure.
fn rounding_of_differences(scale: &mut Answers) {
    let value = scale.value.iter().fold(1.0f64, |most, c| most.max(*c));
    for derived in [
        &mut scale.jacobian,
        &mut scale.rate,
        &mut scale.jacobian_dot,
        &mut scale.bias,
    ] {
        derived.iter_mut().for_each(|s| *s = s.max(value));
    }
    without_solution(scale);
}

fn without_solution(answers: &mut Answers) {
    let Answers {
        multipliers,
        force,
        particle_force,
        solution,
        ..
    } = answers;
    [multipliers, force, particle_force, solution]
        .into_iter()
        .for_each(Vec::clear);
}

/// The outcome of comparing one case with its oracle.
#[derive(Clone, Debug, PartialEq)]
pub enum Comparison {
    /// The largest error in units of scale.
    Agrees(f64),
    /// The scale is so large against the answers that agreement would say nothing.
    IllConditioned,
    /// What differs.
    Differs(String),
}

/// Compares number by number; `tolerance` is relative to `scale`.
///
/// Ill-conditioned: a scale beyond `limit` times the largest entry of its quantity (or 1, if that is larger).
pub fn compare(
    found: &Answers,
    expected: &Answers,
    scale: &Answers,
    tolerance: f64,
    limit: f64,
) -> Comparison {
    let mut worst = 0.0f64;
    for ((name, found), ((_, expected), (_, scale))) in found
        .all()
        .into_iter()
        .zip(expected.all().into_iter().zip(scale.all()))
    {
        let size = expected.iter().fold(1.0f64, |most, x| most.max(x.abs()));
        if !scale
            .iter()
            .chain(expected)
            .all(|s| s.is_finite() && *s <= limit * size)
        {
            return Comparison::IllConditioned;
        }
        if expected.is_empty() {
            continue;
        }
        if found.len() != expected.len() {
            return Comparison::Differs(format!(
                "{name}: {} instead of {} numbers",
                found.len(),
                expected.len()
            ));
        }
        for (i, ((&a, &b), &s)) in found.iter().zip(expected).zip(scale).enumerate() {
            let error = (a - b).abs();
            if a.is_nan() || error > tolerance * s {
                return Comparison::Differs(format!(
                    "{name}[{i}]: engine {a:e}, oracle {b:e}, error {error:e}, scale {s:e}"
                ));
            }
            if error > 0.0 {
                worst = worst.max(error / s);
            }
        }
    }
    Comparison::Agrees(worst)
}
