//! Random relations between bodies: answered without a panic, and Ċ, β and J against differences along the motion.

use constraint_symbolic::compile::{self, analyze};
use constraint_symbolic::constraint::{Derived, Quantity};
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::Program;
use proc_macro2::TokenStream;

/// A linear congruential generator; the high bits are the good ones.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    fn uniform(&mut self) -> f64 {
        self.below(2_000_001) as f64 / 1e6 - 1.0
    }

    fn pick(&mut self, list: &[&str]) -> String {
        list[self.below(list.len())].to_owned()
    }
}

/// The words that differ in the plane and in space.
struct Space {
    body: &'static str,
    parameter: &'static str,
    fixed: [&'static str; 4],
    turned: fn(String, String) -> String,
}

const PLANE: Space = Space {
    body: "Rigid2",
    parameter: "Vector2",
    fixed: ["[1, 0]", "r", "[k, 2]", "[cos(t), sin(t)]"],
    turned: |body, vector| format!("angular_velocity({body})*perp({vector})"),
};

const SPACE: Space = Space {
    body: "Rigid3",
    parameter: "Vector3",
    fixed: ["[0, 0, 1]", "r", "[k, 2, 0]", "[cos(t), sin(t), k]"],
    turned: |body, vector| format!("cross(angular_velocity({body}), {vector})"),
};

impl Space {
    fn vector(&self, random: &mut Random, depth: usize) -> String {
        let body = random.pick(&["a", "b"]);
        let fixed = random.pick(&self.fixed);
        if depth == 0 {
            let function = random.pick(&["at", "at", "dir"]);
            return format!("{function}({body}, {fixed})");
        }
        let (one, two) = (
            self.vector(random, depth - 1),
            self.vector(random, depth - 1),
        );
        match random.below(7) {
            0 | 1 => format!("({one} - {two})"),
            2 => format!("({one} + {two})"),
            3 => format!("{}*{one}", self.scalar(random, depth - 1)),
            4 => format!("normalize({one})"),
            5 => format!("at({body}, {one})"),
            _ => format!("dir({body}, {fixed})"),
        }
    }

    fn scalar(&self, random: &mut Random, depth: usize) -> String {
        let (one, two) = (
            self.vector(random, depth.saturating_sub(1)),
            self.vector(random, depth.saturating_sub(1)),
        );
        match random.below(6) {
            0 => "k".to_owned(),
            1 | 2 => format!("dot({one}, {two})"),
            3 => format!("norm({one} - {two})"),
            4 => format!("{one}.x*sin({two}.y)"),
            _ => format!("({one} - {two}).y"),
        }
    }

    /// A relation of positions, or one that is affine in the velocities.
    fn relation(&self, random: &mut Random) -> String {
        let position = self.scalar(random, 2);
        if random.below(3) > 0 {
            return format!("{position} == k");
        }
        let (one, two) = (self.vector(random, 1), self.vector(random, 1));
        let spin = (self.turned)(random.pick(&["a", "b"]), self.vector(random, 0));
        format!("{position}*dot(velocity({one}), {two}) + dot({spin}, {two}) == sin(t)")
    }

    fn source(&self, random: &mut Random) -> String {
        let (body, parameter) = (self.body, self.parameter);
        let relation = self.relation(random);
        format!("struct C {{ r: {parameter}, k: Real }} |a: {body}, b: {body}, t: Time| {relation}")
    }
}

/// Flat coordinates and velocities of two bodies, and everything else by its index.
#[derive(Clone)]
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    parameters: Vec<f64>,
}

impl State {
    fn random(random: &mut Random, in_space: bool) -> State {
        let (turn, velocities) = if in_space { (4, 6) } else { (2, 3) };
        let mut q = Vec::new();
        for _ in 0..2 {
            let places = if in_space { 3 } else { 2 };
            q.extend((0..places).map(|_| 2.0 * random.uniform()));
            let turn: Vec<f64> = (0..turn).map(|_| random.uniform() + 0.1).collect();
            let norm = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            q.extend(turn.iter().map(|x| x / norm));
        }
        State {
            t: random.uniform(),
            q,
            v: (0..2 * velocities).map(|_| random.uniform()).collect(),
            parameters: (0..4).map(|_| 0.7 + 0.5 * random.uniform()).collect(),
        }
    }

    /// The exact motion with v̇ = 0.
    fn moved(&self, h: f64) -> State {
        let mut moved = self.clone();
        moved.t += h;
        let (size, velocities) = (self.q.len() / 2, self.v.len() / 2);
        for (q, v) in moved.q.chunks_mut(size).zip(self.v.chunks(velocities)) {
            match (q, v) {
                ([x, y, re, im], [vx, vy, spin]) => {
                    (*x, *y) = (*x + h * vx, *y + h * vy);
                    let (sin, cos) = (h * spin).sin_cos();
                    (*re, *im) = (cos * *re - sin * *im, sin * *re + cos * *im);
                }
                ([x, y, z, i, j, k, w], [vx, vy, vz, a, b, c]) => {
                    (*x, *y, *z) = (*x + h * vx, *y + h * vy, *z + h * vz);
                    let spin = (a * a + b * b + c * c).sqrt();
                    let (sin, cos) = (0.5 * h * spin).sin_cos();
                    let [a, b, c] = [a, b, c].map(|u| u / spin * sin);
                    (*i, *j, *k, *w) = (
                        cos * *i + a * *w + b * *k - c * *j,
                        cos * *j + b * *w + c * *i - a * *k,
                        cos * *k + c * *w + a * *j - b * *i,
                        cos * *w - a * *i - b * *j - c * *k,
                    );
                }
                _ => unreachable!("bodies of the plane or of space"),
            }
        }
        moved
    }

    fn evaluate(&self, joint: &Derived, program: &Program) -> Vec<f64> {
        program.evaluate(|symbol| match joint.model.symbols[symbol.index()].role {
            Role::Time => self.t,
            Role::Coordinate(i) => self.q[i],
            Role::Velocity(i) => self.v[i],
            Role::Parameter {
                parameter,
                component,
            } => self.parameters[parameter * 3 + component],
            role => unreachable!("{role:?} belongs to λ"),
        })
    }
}

/// Sixth-order central difference along the motion.
fn slope(joint: &Derived, state: &State, program: &Program) -> f64 {
    let h = 1e-3;
    let at = |steps: f64| state.moved(steps * h).evaluate(joint, program)[0];
    let pair = |steps: f64| at(steps) - at(-steps);
    (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * h)
}

#[track_caller]
fn near(found: f64, expected: f64, scale: f64, what: &str, source: &str) {
    let error = (found - expected).abs();
    assert!(
        error <= 1e-8 * scale,
        "{what} is {found}, expected {expected}: {source}"
    );
}

/// Ċ = dC/dt, β = dĊ/dt where v̇ = 0, and Ċ grows by J's column with a velocity; false near a singularity,
/// where differences say nothing.
fn check(joint: &Derived, state: &State, source: &str) -> bool {
    use Quantity::{Bias, Jacobian, Rate, Value};
    let programs = [Value, Rate, Bias, Jacobian];
    let [value_of, rate_of, bias_of, jacobian_of] =
        programs.map(|quantity| joint.plain_program(&[quantity]));
    let rate = state.evaluate(joint, &rate_of)[0];
    let bias = state.evaluate(joint, &bias_of)[0];
    let jacobian = state.evaluate(joint, &jacobian_of);
    let entries = jacobian.iter().chain([&rate, &bias]);
    let size = entries.fold(0.0f64, |most, entry| most.max(entry.abs()));
    if rate.is_nan() || size > 50.0 {
        return false;
    }
    let scale = 1.0 + size * size;
    if joint.holonomic[0] {
        near(rate, slope(joint, state, &value_of), scale, "Ċ", source);
    }
    near(bias, slope(joint, state, &rate_of), scale, "β", source);
    for (k, &entry) in jacobian.iter().enumerate() {
        let mut pushed = state.clone();
        pushed.v[k] += 1.0;
        let change = pushed.evaluate(joint, &rate_of)[0] - rate;
        near(entry, change, scale, "J", source);
    }
    true
}

#[test]
fn random_relations_between_bodies_hold_along_the_motion() {
    let mut random = Random(7);
    let mut checked = 0;
    for round in 0..160 {
        let in_space = round % 2 == 0;
        let source = if in_space { SPACE } else { PLANE }.source(&mut random);
        let tokens: TokenStream = source.parse().expect("the sentence is made of Rust tokens");
        if round < 20 {
            assert!(!compile::constraint(tokens.clone()).is_empty());
        }
        // A relation may say nothing: `k == k`, or a point less itself.
        let Ok(joint) = analyze(tokens) else {
            continue;
        };
        let state = State::random(&mut random, in_space);
        checked += usize::from(check(&joint, &state, &source));
    }
    assert!(checked > 100, "only {checked} relations could be checked");
}
