//! Derivatives in loops against dual numbers through the loops of what they are derivatives of, and against each other.

use constraint_symbolic::function::Function;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::system::{Derived, Solution};

use crate::dual::Dual;
use crate::interpreter::{Computed, State, along, evaluate};
use crate::random::{Random, seeds};
use crate::{CASES, close, coupled, derived, grammar, laws, points, rows};

/// Pivots below this part of their diagonals: rounding hides much there.
const SMALL: f64 = 1e-3;

/// A system's functions.
pub struct Functions<'a> {
    pub derived: &'a Derived,
    list: Vec<Function<'a>>,
}

impl<'a> Functions<'a> {
    /// Those of a system in loops.
    pub fn of(derived: &'a Derived) -> Functions<'a> {
        let is_in_loops = matches!(derived.solution, Solution::Rolled(_));
        assert!(is_in_loops, "it is not in loops");
        let names = names(&derived.system);
        let list = functions(derived, &names);
        Functions { derived, list }
    }

    fn function(&self, name: &str) -> Option<&Function<'a>> {
        self.list.iter().find(|it| it.signature.name == name)
    }

    /// The numbers of a function, and the least pivot.
    pub fn judged(&self, name: &str, state: &State) -> (Vec<f64>, f64) {
        let function = self.function(name);
        let function = function.unwrap_or_else(|| panic!("no {name}"));
        let found = evaluate(self.derived, function, state).expect("it is in loops");
        (found.values, found.pivot)
    }

    /// The numbers of a function.
    pub fn at(&self, name: &str, state: &State) -> Vec<f64> {
        self.judged(name, state).0
    }

    /// A function along the tangent of a state.
    pub fn along(&self, name: &str, state: &State) -> Vec<Dual> {
        if name != "outputs" {
            return self.along_with(name, state, Computed::default());
        }
        let both = self.along("acceleration_and_multipliers", state);
        let (acceleration, multipliers) = both.split_at(state.v.len());
        let computed = Computed {
            acceleration,
            multipliers,
            ..Computed::default()
        };
        self.along_with(name, state, computed)
    }

    fn along_with(&self, name: &str, state: &State, computed: Computed<'_>) -> Vec<Dual> {
        let function = self.function(name);
        let function = function.unwrap_or_else(|| panic!("no {name}"));
        // Coordinates move as they would with the velocities of the tangent.
        let n = state.v.len();
        let there = State {
            v: state.tangent[1..=n].to_vec(),
            ..state.clone()
        };
        let turned = self.function("kinematics").is_some();
        let rates = if turned {
            self.at("kinematics", &there)
        } else {
            there.v
        };
        along(self.derived, function, state, &rates, computed).expect("it is in loops")
    }
}

fn slopes(numbers: &[Dual]) -> Vec<f64> {
    numbers.iter().map(|it| it.slope).collect()
}

/// a·b
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest size of a number.
pub fn size(list: &[f64]) -> f64 {
    list.iter().fold(0.0f64, |most, it| most.max(it.abs()))
}

/// All of a system's derivatives at a state.
struct Compared<'a> {
    what: &'a str,
    system: &'a Functions<'a>,
    state: &'a State,
}

/// Asserts that all derivatives of a system agree with dual numbers at a state.
pub fn agree(what: &str, system: &Functions<'_>, state: &State) {
    let compared = Compared {
        what,
        system,
        state,
    };
    compared.along("jvp", "acceleration_and_multipliers");
    compared.back("vjp", "jvp", &state.bars.concat());
    compared.columns();
    compared.corrections();
    if system.function("outputs").is_some() {
        compared.along("outputs_jvp", "outputs");
        compared.back("outputs_vjp", "outputs_jvp", &state.outputs_bar);
    }
}

impl Compared<'_> {
    fn near(
        &self,
        name: &str,
        found: &[f64],
        expected: &[f64],
        scale: f64,
        rounding: &dyn Fn() -> f64,
    ) {
        let what = format!("{}\n{name}", self.what);
        // Of states of the order of 1, where all cancels.
        close(&what, found, expected, scale.max(1e-6), rounding);
    }

    /// What differs by if the last digits of the state do.
    fn rounding(&self, of: impl Fn(&State) -> Vec<f64>) -> f64 {
        let there = of(&self.state.with_other_last_digits());
        let pairs = of(self.state).into_iter().zip(there);
        pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
    }

    /// A derivative along the tangent, and that nothing changes along none.
    fn along(&self, name: &str, function: &str) {
        let (system, state) = (self.system, self.state);
        let at = |state: &State| slopes(&system.along(function, state));
        let expected = at(state);
        let rounding = || self.rounding(at);
        let found = system.at(name, state);
        self.near(name, &found, &expected, size(&expected), &rounding);
        let still = State {
            tangent: vec![0.0; state.tangent.len()],
            ..state.clone()
        };
        let nothing = system.at(name, &still);
        let is_zero = nothing.iter().all(|&it| it == 0.0);
        assert!(is_zero, "{}\n{name} of nothing: {nothing:?}", self.what);
    }

    /// A gradient, times the tangent, is the weighted derivative along it.
    fn back(&self, name: &str, along: &str, bars: &[f64]) {
        let (system, state) = (self.system, self.state);
        let of = |name: &str, by: &[f64], state: &State| vec![dot(&system.at(name, state), by)];
        let expected = of(along, bars, state);
        let found = of(name, &state.tangent, state);
        let scale = size(&system.at(along, state));
        let rounding = || self.rounding(|state| of(along, bars, state));
        self.near(name, &found, &expected, scale, &rounding);
    }

    /// The matrices times a tangent of (q, v), u and p are the change along it.
    fn columns(&self) {
        let (system, state) = (self.system, self.state);
        if system.function("linearize").is_none() {
            return;
        }
        let mut still = state.clone();
        still.tangent[0] = 0.0;
        let n = state.v.len();
        let (by_state, others) = still.tangent[1..].split_at(2 * n);
        let (by_input, by_parameter) = others.split_at(system.derived.system.given());
        let times = |mut matrices: &[f64], rows: usize| -> Vec<f64> {
            let mut sum = vec![0.0; rows];
            for tangent in [by_state, by_input, by_parameter] {
                for sum in &mut sum {
                    let (row, others) = matrices.split_at(tangent.len());
                    *sum += dot(row, tangent);
                    matrices = others;
                }
            }
            sum
        };
        let at = |state: &State| slopes(&system.along("acceleration_and_multipliers", state));
        let (expected, rounding) = (at(&still), || self.rounding(at));
        let scale = size(&expected);
        let motion = system.at("linearize", state);
        let near = |name: &str, found: &[f64], expected: &[f64]| {
            self.near(name, found, expected, scale, &rounding);
        };
        near("linearize", &times(&motion, n), &expected[..n]);
        let both = system.at("linearize_with_multipliers", state);
        let (first, others) = both.split_at(motion.len());
        let found = [times(first, n), times(others, expected.len() - n)];
        near("linearize_with_multipliers", &found.concat(), &expected);
    }

    /// The gradients of projections: w*·w along a tangent.
    fn corrections(&self) {
        let (system, state) = (self.system, self.state);
        for (residual, name) in [
            ("constraint", "place_correction_vjp"),
            ("constraint_rate", "velocity_correction_vjp"),
        ] {
            let at = |state: &State| {
                let sides = system.along(residual, state);
                let computed = Computed {
                    sides: &sides,
                    ..Computed::default()
                };
                let moved = system.along_with("correction", state, computed);
                vec![dot(&slopes(&moved), &state.bars[0])]
            };
            let gradient = system.at(name, state);
            let found = [dot(&gradient, &state.tangent)];
            let rounding = || self.rounding(at);
            self.near(name, &found, &at(state), size(&gradient), &rounding);
        }
    }
}

/// Outputs of λ, v̇, places and velocities, each with the statement that declares what it contains.
const OUTPUTS: [(&str, &str); 11] = [
    (
        "constraint tie[",
        "load = multiplier(tie[1])*l + t*multiplier(tie[2])^2",
    ),
    (
        "constraint rod[",
        "load[o in LAST - 1..LAST] = multiplier(rod[o])*l",
    ),
    (
        "coordinate a[",
        "pace = acceleration(a[0])*velocity(a[0])*l",
    ),
    ("particle bead[", "felt = acceleration(bead[2])*bead[1].x"),
    (
        "particle bead[",
        "place[o in 0..3] = bead[o]*velocity(bead[o].y)*l",
    ),
    (
        "body p[i]: Rigid3",
        "felt = acceleration(at(p[1], [0, l, 0]))*t",
    ),
    (
        "link[i]: Rigid3",
        "felt = acceleration(at(link[1], [l, 0.1, 0]))",
    ),
    (
        "link[i]: Rigid3",
        "tip = dot(at(link[2], [0, l, 0]), at(link[1], [0.3, 0, l]))",
    ),
    (
        "link[i]: Rigid2",
        "felt = acceleration(at(link[1], [l, 0.1]))",
    ),
    (
        "body link[",
        "spin[o in 0..3] = angular_velocity(link[o])*l",
    ),
    ("body link[", "turned = angular_acceleration(link[2])*g"),
];

/// A system with outputs of what it has, and derivatives of all.
fn with_outputs(system: &str) -> String {
    let outputs = OUTPUTS.iter().filter(|it| system.contains(it.0));
    let rods = system.split(" { constraint rod[").next().unwrap_or(system);
    let last = rods.rsplit("..").next().unwrap_or("1");
    let outputs = outputs.map(|it| format!("output {};", it.1.replace("LAST", last)));
    let outputs: Vec<String> = outputs.collect();
    let is_asked = system.contains("#[derivatives]");
    let derivatives = if is_asked { "" } else { "#[derivatives] " };
    format!("{derivatives}{system}\n{}", outputs.join("\n"))
}

/// Whether a random system was compared: it is not refused, nor its state a poor one.
fn compare(system: fn(&mut Random) -> String, seed: u64) -> bool {
    let mut random = Random::new(seed);
    let text = with_outputs(&system(&mut random));
    let Some(derived) = derived("rolled", &text) else {
        return false;
    };
    let system = Functions::of(&derived);
    let state = State::random(&derived.system, &mut random);
    if system.judged("acceleration", &state).1 < SMALL {
        return false;
    }
    let what = format!("case {seed}\n{text}");
    laws::obeys(&what, &system, &state, SMALL);
    agree(&what, &system, &state);
    true
}

#[track_caller]
fn systems_agree(system: fn(&mut Random) -> String, count: u64) {
    let seeds = seeds(count);
    let compared = seeds.clone().filter(|&seed| compare(system, seed));
    let compared = compared.count() as u64;
    println!("{compared} of {seeds:?} compared");
    assert!(
        3 * compared >= 2 * (seeds.end - seeds.start),
        "{compared} of {seeds:?} compared"
    );
}

#[test]
fn derivatives_of_points_agree_with_dual_numbers() {
    systems_agree(points::system, CASES);
}

#[test]
fn derivatives_of_bodies_agree_with_dual_numbers() {
    systems_agree(grammar::system, CASES / 2);
}

#[test]
fn derivatives_of_rows_that_differ_in_what_they_are_of_agree_with_dual_numbers() {
    systems_agree(rows::system, CASES);
}

#[test]
fn derivatives_of_coupled_masses_agree_with_dual_numbers() {
    systems_agree(coupled::system, CASES / 2);
}

/// 31 to 71 rods, solved in panels.
#[test]
fn derivatives_of_nets_agree_with_dual_numbers() {
    let net = |random: &mut Random| {
        let [wide, high] = [4, 4].map(|least| least + random.below(3));
        let mass = random.pick(&["1", "m", "masses[i]", "1 + 0.1*i"]);
        let count = wide * high;
        let scale = random.pick(&["", "l*", "2*"]);
        format!(
            "pub struct S {{ m: Real, l: Real, g: Real, masses: [Real; {count}] }}
            gravity [0.3*g, -g];
            for i in 0..{count} {{ particle bead[i]: Point2 {{ mass: {mass} }} }}
            for r in 0..{high} {{ for c in 0..{wide} - 1 {{
                constraint warp[{wide}*r + c]:
                    {scale}norm(bead[{wide}*r + c + 1] - bead[{wide}*r + c]) == l;
            }} }}
            for r in 0..{high} - 1 {{ for c in 0..{wide} {{
                constraint tie[{wide}*r + c]:
                    norm(bead[{wide}*(r + 1) + c] - bead[{wide}*r + c]) == l + 0.1*t;
            }} }}"
        )
    };
    for seed in seeds(6) {
        let text = net(&mut Random::new(seed));
        let derived = derived("rolled", &with_outputs(&text)).expect("a net is not refused");
        let Solution::Rolled(loops) = &derived.solution else {
            panic!("it is not in loops")
        };
        assert!(loops.panels.is_some(), "{text}");
        assert!(compare(net, seed), "{text}");
    }
}

/// In the last row of a ring, which is read from the point that it ends at, x and y change places: a kernel that reads
/// velocities by their places in a point is not that of the other rows.
#[test]
fn derivatives_of_rings_of_products_agree_with_dual_numbers() {
    let ring = |_: &mut Random| {
        "pub struct S { l: Real }
        for i in 0..7 { particle bead[i]: Point2 { mass: 1 } }
        for i in 0..7 { constraint ring[i]: bead[i].x*bead[(i + 1) % 7].y == l; }"
            .to_owned()
    };
    assert!(compare(ring, 0));
}
