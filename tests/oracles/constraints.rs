//! Random constraints: everything the engine derives agrees with oracles that never saw the engine.
//!
//! `CONSTRAINT_CASES=10000` runs so many cases instead of 150; `CONSTRAINT_SEED=17` runs that one and prints it.
//! Every case is derived once and asked for every fact; each test then reports on the fact of its name.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::harness::{
    Answers, Case, Comparison, Engine, LIMIT, QUANTITIES, State, TOLERANCE,
    agreement_with_differences, case, compare, exact, scaled, seeds,
};
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_symbolic::constraint::Quantity;

/// The share of cases that may be skipped.
const SKIPPED: f64 = 0.08;

// ---- facts --------------------------------------------------------------------------------------

/// C, J, Ċ, J̇, β by num-dual; λ, f̂, particle force and solve by dense elimination on top of it.
#[test]
fn random_constraints_agree_with_dual_numbers_and_dense_algebra() {
    judge(|verdict| &verdict.dual_numbers);
}

/// The third oracle knows no rule of differentiation at all.
#[test]
fn random_constraints_agree_with_central_differences() {
    judge(|verdict| &verdict.differences);
}

/// C̈ = J W (f + f̂) + β vanishes, whatever pushes from outside.
#[test]
fn the_force_keeps_the_second_derivative_of_the_constraint_zero() {
    judge(|verdict| &verdict.second_derivative);
}

/// f̂ · v = 0 for every velocity that a constraint without explicit time allows.
#[test]
fn the_force_of_a_scleronomic_constraint_does_no_work_on_legal_velocities() {
    judge(|verdict| &verdict.work);
}

/// `particle_force` is `force` with w = 1/m for every coordinate.
#[test]
fn the_particle_force_is_the_force_of_equal_inverse_masses() {
    judge(|verdict| &verdict.particle);
}

/// Quantities asked for together share their work, and nothing else changes.
#[test]
fn one_program_for_all_quantities_gives_the_numbers_of_many() {
    judge(|verdict| &verdict.together);
}

/// The sample is worth its name: every construct of the language occurs in it.
#[test]
fn the_random_constraints_use_the_whole_language() {
    let sources: Vec<String> = (0..500).map(|seed| case(seed).source).collect();
    let all = sources.join("\n");
    let vectors = ["dot", "cross", "norm", "norm_squared", "normalize", "perp"];
    let functions = constraint_symbolic::expr::Function::all().map(|function| function.row().name);
    for name in functions.chain(vectors).chain(["recip", "pow", "powi"]) {
        for call in [format!(" {name}("), format!(".{name}(")] {
            assert!(all.contains(&call), "{call}");
        }
    }
    let choice = [
        "if ", "else if ", "&&", "||", "!", " == ", " < ", "<=", " > ", ">=",
    ];
    let rest = [
        "let ",
        "^-",
        "^(",
        ".x",
        ".z",
        "PI",
        ": Time",
        "\npub struct",
        "\n[",
        "] == ",
        "Real",
    ];
    for piece in choice
        .iter()
        .chain(&rest)
        .chain(&["Point2", "Point3", "Vector2", "Vector3"])
    {
        assert!(all.contains(piece), "{piece}");
    }
}

// ---- running ------------------------------------------------------------------------------------

/// Whether one fact holds for one case; `Ok(false)` where rounding errors would decide.
type Outcome = Result<bool, String>;

/// All facts about one case.
struct Verdict {
    dual_numbers: Outcome,
    differences: Outcome,
    second_derivative: Outcome,
    work: Outcome,
    particle: Outcome,
    together: Outcome,
}

impl Verdict {
    fn all(outcome: impl Fn() -> Outcome) -> Verdict {
        Verdict {
            dual_numbers: outcome(),
            differences: outcome(),
            second_derivative: outcome(),
            work: outcome(),
            particle: outcome(),
            together: outcome(),
        }
    }
}

/// The verdicts on all cases, by all processors, once.
fn verdicts() -> &'static [(u64, Verdict)] {
    static VERDICTS: OnceLock<Vec<(u64, Verdict)>> = OnceLock::new();
    VERDICTS.get_or_init(|| {
        let (seeds, found) = (seeds(150), Mutex::new(Vec::new()));
        let next = AtomicU64::new(seeds.start);
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= seeds.end {
                    return;
                }
                let verdict = verdict(&case(seed));
                found.lock().unwrap().push((seed, verdict));
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
        let mut found = found.into_inner().unwrap();
        found.sort_by_key(|(seed, _)| *seed);
        found
    })
}

/// Fails with the cases that contradict the fact, or when too many were skipped.
fn judge(fact: impl Fn(&Verdict) -> &Outcome) {
    let verdicts = verdicts();
    let failures: Vec<(u64, &String)> = verdicts
        .iter()
        .filter_map(|(seed, verdict)| Some((*seed, fact(verdict).as_ref().err()?)))
        .collect();
    let shown: Vec<String> = failures
        .iter()
        .take(5)
        .map(|(seed, message)| report(*seed, message))
        .collect();
    let (count, shown) = (failures.len(), shown.join("\n"));
    assert!(
        failures.is_empty(),
        "{count} of {} cases fail, the first of them:\n{shown}",
        verdicts.len()
    );
    let skipped = verdicts
        .iter()
        .filter(|(_, verdict)| fact(verdict) == &Ok(false))
        .count();
    let share = skipped as f64 / verdicts.len() as f64;
    println!(
        "{} cases, {:.2} % of them skipped",
        verdicts.len(),
        100.0 * share
    );
    assert!(
        verdicts.len() < 100 || share <= SKIPPED,
        "{share} of the cases were skipped, {SKIPPED} may be"
    );
}

fn report(seed: u64, message: &str) -> String {
    let case = case(seed);
    format!(
        "CONSTRAINT_SEED={seed}: {message}\n  {}\n  {:?}\n",
        case.source, case.state
    )
}

// ---- one case -----------------------------------------------------------------------------------

/// A case with what the engine and the oracle say.
struct Asked<'a> {
    case: &'a Case,
    engine: Engine,
    found: Answers,
    expected: Answers,
    /// `None` where the case is ill-conditioned.
    scale: Option<Answers>,
}

fn verdict(case: &Case) -> Verdict {
    match Engine::new(&case.source, &case.coordinates) {
        Ok(engine) => Asked::new(case, engine).verdict(),
        Err(_) if is_degenerate(case) => Verdict::all(|| Ok(false)),
        Err(message) => Verdict::all(|| Err(message.clone())),
    }
}

/// Whether the oracle's J lacks rank, so that the engine may refuse (`v == v` happens).
fn is_degenerate(case: &Case) -> bool {
    let columns: Vec<usize> = (0..case.state.q.len()).collect();
    let jacobian = exact(&case.body, &case.state, &columns).jacobian;
    let jacobian =
        DMatrix::from_row_slice(jacobian.len() / columns.len(), columns.len(), &jacobian);
    jacobian.rank(1e-9 * jacobian.amax()) < jacobian.nrows()
}

/// The oracle's scale at a state, unless it is ill-conditioned there.
fn scale_at(case: &Case, engine: &Engine, state: &State) -> Option<Answers> {
    let expected = exact(&case.body, state, &engine.columns);
    let scale = scaled(&case.body, state, &engine.columns, &expected);
    let outcome = compare(&expected, &expected, &scale, TOLERANCE, LIMIT);
    matches!(outcome, Comparison::Agrees(_)).then_some(scale)
}

impl Asked<'_> {
    fn new(case: &Case, engine: Engine) -> Asked<'_> {
        let found = engine.answers(&case.state);
        let expected = exact(&case.body, &case.state, &engine.columns);
        let scale = scale_at(case, &engine, &case.state);
        Asked {
            case,
            engine,
            found,
            expected,
            scale,
        }
    }

    fn verdict(&self) -> Verdict {
        let Some(scale) = &self.scale else {
            return Verdict {
                differences: self.differences(),
                ..Verdict::all(|| Ok(false))
            };
        };
        Verdict {
            dual_numbers: outcome(compare(
                &self.found,
                &self.expected,
                scale,
                TOLERANCE,
                LIMIT,
            )),
            differences: self.differences(),
            second_derivative: self.second_derivative(scale),
            work: self.work(),
            particle: self.particle(),
            together: self.together(scale),
        }
    }

    fn differences(&self) -> Outcome {
        outcome(agreement_with_differences(
            &self.found,
            &self.case.body,
            &self.case.state,
            &self.engine.columns,
        ))
    }

    fn second_derivative(&self, scale: &Answers) -> Outcome {
        let system = System::new(&self.engine, &self.found.jacobian, &self.case.state);
        let [force, bias, force_scale, bias_scale] = [
            &self.found.force,
            &self.found.bias,
            &scale.force,
            &scale.bias,
        ]
        .map(|x| DVector::from_column_slice(x));
        let second = &system.jacobian * system.w.component_mul(&(&system.f + force)) + bias;
        let pushes = system.w.component_mul(&(system.f.abs() + force_scale));
        let bound = TOLERANCE * (system.jacobian.abs() * pushes + bias_scale);
        let vanishes = second
            .iter()
            .zip(&bound)
            .all(|(c, bound)| c.abs() <= *bound);
        if vanishes {
            Ok(true)
        } else {
            Err(format!("C̈ = {second}, rounding explains {bound}"))
        }
    }

    fn work(&self) -> Outcome {
        let (case, engine) = (self.case, &self.engine);
        if !case.scleronomic {
            return Ok(true);
        }
        let before = System::new(engine, &self.found.jacobian, &case.state);
        let state = before.legal(engine, &case.state);
        let Some(scale) = scale_at(case, engine, &state) else {
            return Ok(false);
        };
        let force = engine.quantity(Quantity::Force, &state);
        let v = System::new(engine, &self.found.jacobian, &state).v;
        let power: f64 = force.iter().zip(&v).map(|(f, v)| f * v).sum();
        let speeds = v
            .iter()
            .zip(&before.v)
            .map(|(v, before)| v.abs().max(before.abs()));
        let bound = TOLERANCE
            * scale
                .force
                .iter()
                .zip(speeds)
                .map(|(f, v)| f * v)
                .sum::<f64>();
        if power.abs() <= bound {
            Ok(true)
        } else {
            Err(format!("f̂·v = {power:e}, rounding explains {bound:e}"))
        }
    }

    fn particle(&self) -> Outcome {
        let mut state = self.case.state.clone();
        state.inverse_masses.fill(1.0 / state.mass);
        let Some(scale) = scale_at(self.case, &self.engine, &state) else {
            return Ok(false);
        };
        let general = self.engine.quantity(Quantity::Force, &state);
        same(&self.found.particle_force, &general, &scale.force)
    }

    fn together(&self, scale: &Answers) -> Outcome {
        let flat = |answers: &Answers| answers.all().map(|(_, numbers)| numbers.to_vec()).concat();
        let together = self.engine.together(&QUANTITIES, &self.case.state);
        same(&together, &flat(&self.found), &flat(scale))
    }
}

fn outcome(comparison: Comparison) -> Outcome {
    match comparison {
        Comparison::Agrees(_) => Ok(true),
        Comparison::IllConditioned => Ok(false),
        Comparison::Differs(message) => Err(message),
    }
}

/// Number by number, up to rounding.
fn same(a: &[f64], b: &[f64], scale: &[f64]) -> Outcome {
    let near = |((a, b), scale): ((&f64, &f64), &f64)| (a - b).abs() <= TOLERANCE * scale;
    let agree = a.len() == b.len() && a.iter().zip(b).zip(scale).all(near);
    if agree {
        Ok(true)
    } else {
        Err(format!("{a:?}\n  against {b:?}"))
    }
}

/// J and a state in its columns.
struct System {
    jacobian: DMatrix<f64>,
    w: DVector<f64>,
    f: DVector<f64>,
    v: DVector<f64>,
}

impl System {
    fn new(engine: &Engine, jacobian: &[f64], state: &State) -> System {
        let n = engine.columns.len();
        let pick = |all: &[f64]| DVector::from_iterator(n, engine.columns.iter().map(|&k| all[k]));
        System {
            jacobian: DMatrix::from_row_slice(jacobian.len() / n, n, jacobian),
            w: pick(&state.inverse_masses),
            f: pick(&state.forces),
            v: pick(&state.v),
        }
    }

    /// The state with its velocity moved onto J v = 0.
    fn legal(&self, engine: &Engine, state: &State) -> State {
        let weighted = &self.jacobian * DMatrix::from_diagonal(&self.w);
        let matrix = &weighted * self.jacobian.transpose();
        let impulse = matrix
            .lu()
            .solve(&(&self.jacobian * &self.v))
            .expect("independent rows");
        let v = &self.v - weighted.tr_mul(&impulse);
        let mut state = state.clone();
        engine
            .columns
            .iter()
            .zip(&v)
            .for_each(|(&k, &v)| state.v[k] = v);
        state
    }
}
