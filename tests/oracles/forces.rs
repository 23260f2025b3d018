//! `#[derivatives]` of random constraints: f̂ and λ varied by differences, and each form of the derivatives by the others.

use constraint_symbolic::compile::{analyze, analyze_curve};
use constraint_symbolic::constraint::{Derived, Quantity};
use constraint_symbolic::curve;
use constraint_symbolic::expr::SymbolId;
use constraint_symbolic::model::{Model, Role};
use constraint_symbolic::schedule::Program;

use crate::harness::{Engine, Random, case, seeds};

/// Random constraints per run; `CONSTRAINT_CASES=10000` for more.
const CASES: u64 = 30;

#[test]
fn derivatives_of_random_forces_agree_with_differences() {
    let seeds = seeds(CASES);
    let cases = seeds.end - seeds.start;
    let (mut named, mut compared) = (0, 0);
    for seed in seeds {
        let case = case(seed);
        let source = format!("#[derivatives] {}", case.source);
        // What has no struct has no attributes; rows may follow from each other.
        if !case.source.contains("struct") || analyze(source.parse().unwrap()).is_err() {
            continue;
        }
        let engine = Engine::new(&source, &case.coordinates).expect("a constraint");
        let at = At {
            value: Box::new(|symbol| engine.input(symbol, &case.state)),
            model: &engine.derived.model,
            random: numbers(seed),
        };
        named += 1;
        compared += u64::from(at.agrees(&engine.derived, seed, &source));
    }
    // Cases in which differences are no numbers to compare with.
    assert!(
        named > cases / 3 && compared > named * 4 / 5,
        "{compared} of {named} of {cases}"
    );
}

fn numbers(seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..256).map(|_| random.between(-1.0, 1.0)).collect()
}

/// A state, and a direction or what counts.
struct At<'a> {
    value: Box<dyn Fn(SymbolId) -> f64 + 'a>,
    model: &'a Model,
    random: Vec<f64>,
}

impl At<'_> {
    /// The place of a leaf in a tangent (δt, δq, δv, δw, δf, δp).
    fn place(&self, symbol: SymbolId) -> Option<usize> {
        let n = self.model.coordinate_count();
        let parameters = &self.model.parameters;
        Some(match self.model.symbols[symbol.index()].role {
            Role::Time => 0,
            Role::Coordinate(i) => 1 + i,
            Role::Velocity(i) => 1 + n + i,
            Role::InverseMass(i) => 1 + 2 * n + i,
            Role::Force(i) => 1 + 3 * n + i,
            Role::Parameter {
                parameter,
                component,
            } => {
                let before = parameters[..parameter].iter();
                1 + 4 * n + before.map(|it| it.scalars()).sum::<usize>() + component
            }
            _ => return None,
        })
    }

    /// A program so far along the direction.
    fn run(&self, program: &Program, tangent: &[f64], along: f64) -> Vec<f64> {
        program.evaluate(|symbol| match self.model.symbols[symbol.index()].role {
            Role::Tangent(i) => tangent[i],
            Role::ForceAdjoint(i) => self.random[128 + i],
            Role::MultiplierAdjoint(i) => self.random[192 + i],
            _ => {
                let moved = self
                    .place(symbol)
                    .map_or(0.0, |place| along * tangent[place]);
                (self.value)(symbol) + moved
            }
        })
    }

    /// Six points, twice; `None` where they do not agree.
    fn difference(&self, program: &Program, tangent: &[f64]) -> Option<Vec<f64>> {
        let by = |h: f64| -> Vec<f64> {
            let points =
                [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].map(|k| self.run(program, tangent, k * h));
            let weights = [-1.0, 9.0, -45.0, 45.0, -9.0, 1.0];
            let entry = |i: usize| {
                let terms = weights.iter().zip(&points);
                terms.map(|(weight, point)| weight * point[i]).sum::<f64>() / (60.0 * h)
            };
            (0..points[0].len()).map(entry).collect()
        };
        let (coarse, fine) = (by(2e-3), by(1e-3));
        let pairs = coarse.iter().zip(&fine);
        let near = pairs
            .into_iter()
            .all(|(a, b)| (a - b).abs() <= 1e-8 * (1.0 + size(&fine)));
        near.then_some(fine)
    }

    fn agrees(&self, derived: &Derived, seed: u64, source: &str) -> bool {
        let program = |quantity| derived.plain_program(&[quantity]);
        let (n, p) = (self.model.coordinate_count(), self.model.varied());
        let tangent = &self.random[..1 + 4 * n + p];
        let told = derived.plain_program(&[Quantity::Force, Quantity::Multipliers]);
        let along = self.run(&program(Quantity::ForceTangent), tangent, 0.0);
        let Some(expected) = self.difference(&told, tangent) else {
            return false;
        };
        near(
            &along,
            &expected,
            1e-7,
            &format!("case {seed}: jvp of\n{source}"),
        );
        // ⟨u, A w⟩ = ⟨Aᵀ u, w⟩
        let gradient = self.run(&program(Quantity::ForceGradient), tangent, 0.0);
        let bars = [
            &self.random[128..128 + n],
            &self.random[192..192 + along.len() - n],
        ]
        .concat();
        let sum = terms(&bars, &along) + terms(&gradient, tangent);
        let off = (dot(&bars, &along) - dot(&gradient, tangent)).abs();
        assert!(
            off <= 1e-11 * (1.0 + sum),
            "case {seed}: vjp of\n{source}: {off} of {sum}"
        );
        self.has_columns(derived, tangent, &format!("case {seed}: {source}"));
        true
    }

    /// Each column of the matrices of f̂, and of f̂ and λ, is the derivative along a unit vector.
    fn has_columns(&self, derived: &Derived, tangent: &[f64], source: &str) {
        let program = |quantity| derived.plain_program(&[quantity]);
        let (n, m, p) = (
            self.model.coordinate_count(),
            self.model.rows.len(),
            self.model.varied(),
        );
        let both = self.run(
            &program(Quantity::ForceLinearizationAndMultipliers),
            tangent,
            0.0,
        );
        let (of_force, of_multipliers) = both.split_at(n * (4 * n + p));
        let matrices = self.run(&program(Quantity::ForceLinearization), tangent, 0.0);
        near(&matrices, of_force, 1e-10, source);
        let unit = |k: usize| -> Vec<f64> {
            let entries = (0..tangent.len()).map(|i| f64::from(u8::from(i == k)));
            entries.collect()
        };
        let (mut first, jvp) = ([0, 0], program(Quantity::ForceTangent));
        for (columns, width) in [
            (1, n),
            (1 + n, n),
            (1 + 2 * n, n),
            (1 + 3 * n, n),
            (1 + 4 * n, p),
        ] {
            for k in 0..width {
                let column = self.run(&jvp, &unit(columns + k), 0.0);
                let force = (0..n).map(|i| of_force[first[0] + i * width + k]);
                let rows = (0..m).map(|i| of_multipliers[first[1] + i * width + k]);
                let found: Vec<f64> = force.chain(rows).collect();
                let what = format!("column {columns} + {k} of\n{source}");
                near(&found, &column, 1e-10, &what);
            }
            first = [first[0] + n * width, first[1] + m * width];
        }
        assert_eq!(first, [of_force.len(), of_multipliers.len()]);
    }
}

fn size(all: &[f64]) -> f64 {
    all.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[track_caller]
fn near(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let scale = 1.0 + size(expected);
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() <= tolerance * scale,
            "{what}: {a} against {b}"
        );
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn terms(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a * b).abs()).sum()
}

/// Tracks with parameters, in pieces, in space, with choices and splines.
const CURVES: [&str; 6] = [
    "struct Bowl { a: Real } |s in -1..=1| [s, a*s^2 + s^4/6]",
    "struct Circle { r: Real, place: Vector2 } |s in 0..=TAU| place + [r*cos(s), r*sin(s)]",
    "struct Helix { r: Real, h: Real } |s in 0..=9| [r*cos(s), r*sin(s), h*s]",
    "struct Bend { r: Real } |s in -1..=1| if s < 0 { [s, 0] } else { [r*sin(s/r), r - r*cos(s/r)] }",
    "struct Road { a: Real, b: Real } |s in 0..=3| [s, cubic_spline(s, [0, 1, 2, 3], [0, a, b, 0])]",
    "struct Lissajous { a: Real, b: Real } |s in 0..=TAU| [a*sin(2*s + 1/3), b*sin(3*s)]",
];

#[test]
fn derivatives_along_curves_agree_with_differences() {
    for (number, source) in CURVES.iter().enumerate() {
        let tokens = format!("#[derivatives] {source}")
            .parse()
            .expect("Rust tokens");
        let derived = analyze_curve(tokens).expect("a curve");
        for seed in 0..8 {
            let mut random = Random::new(8 * number as u64 + seed);
            let symbols = &derived.curve.model.symbols;
            let state = symbols.iter().map(|symbol| match symbol.role {
                Role::Parameter { .. } | Role::Mass => random.between(0.5, 1.5),
                _ => random.between(-0.9, 0.9),
            });
            let state: Vec<f64> = state.collect();
            compare(&derived, &state, source);
        }
    }
}

fn compare(derived: &curve::Derived, state: &[f64], source: &str) {
    let symbols = &derived.curve.model.symbols;
    let d = derived.dimension();
    let place = |role: Role| match role {
        Role::Coordinate(0) => Some(0),
        Role::Velocity(0) => Some(1),
        Role::Force(i) => Some(2 + i),
        Role::Mass => Some(2 + d),
        Role::Parameter {
            parameter,
            component,
        } => {
            let before = derived.curve.model.parameters[..parameter].iter();
            Some(3 + d + before.map(|it| it.scalars()).sum::<usize>() + component)
        }
        _ => None,
    };
    let slopes = derived.plain_program(&[curve::Quantity::Slopes]);
    let slopes = slopes.evaluate(|symbol| state[symbol.index()]);
    let acceleration = derived.plain_program(&[curve::Quantity::Acceleration]);
    let moved = |k: usize, by: f64| {
        let value = |symbol: SymbolId| {
            let own = place(symbols[symbol.index()].role) == Some(k);
            state[symbol.index()] + if own { by } else { 0.0 }
        };
        acceleration.evaluate(value)[0]
    };
    let difference = |k: usize| {
        let h = 1e-3;
        let odd = |n: f64| moved(k, n * h) - moved(k, -n * h);
        (45.0 * odd(1.0) - 9.0 * odd(2.0) + odd(3.0)) / (60.0 * h)
    };
    let expected: Vec<f64> = (0..slopes.len()).map(difference).collect();
    assert_eq!(slopes.len(), 3 + d + derived.curve.model.varied());
    near(&slopes, &expected, 1e-7, source);
}
