//! Frames that statements read: free bodies, and bodies posed on these, on the ground and on one another.
//!
//! A frame is its place and its axes eₖ, as functions of the coordinates. All that moves follows from these by the chain
//! rule on the test's own tree: v = ṗ, ω = ½ Σ eₖ×ėₖ (in the plane e₁×ė₁), and their rates. No law of composition of
//! velocities is used.

use super::kinds::{exactly, numbers, plus, times};
use super::surface::{Exponent, Expr, Operator, binary, call, coordinate, power};
use super::system::{Generator, components, text_of, text_of_vector};

/// A body, or a pose that has no mass.
#[derive(Clone)]
pub struct Frame {
    pub name: String,
    /// 2 or 3.
    pub size: usize,
    pub place: Expr,
    /// Vectors.
    pub axes: Vec<Expr>,
}

/// Where a vector of a frame begins: at its place, or nowhere.
#[derive(Clone, Copy, PartialEq)]
pub enum Kept {
    Place,
    Direction,
}

/// The moving frames; known when all coordinates are.
#[derive(Default)]
pub struct Reads {
    /// Components of velocities.
    pub velocities: Vec<Expr>,
    /// Components of accelerations.
    pub accelerations: Vec<Expr>,
    /// Statements that push on velocities, up to the value, and what they push on.
    targets: Vec<(String, Vec<Expr>)>,
}

impl Generator {
    /// A new frame of a name; its place and axes become locals.
    pub fn frame(&mut self, name: &str, place: Expr, axes: Vec<Expr>) -> Frame {
        let axes: Vec<Expr> = axes.into_iter().map(|axis| self.local("", axis)).collect();
        let frame = Frame {
            name: name.to_owned(),
            size: axes.len(),
            place: self.local("", place),
            axes,
        };
        self.frames.push(frame.clone());
        frame
    }

    /// One of the frames of a dimension.
    pub fn known_frame(&mut self, size: usize) -> Option<Frame> {
        let known: Vec<Frame> = self
            .frames
            .iter()
            .filter(|it| it.size == size)
            .cloned()
            .collect();
        (!known.is_empty()).then(|| self.random.pick(&known).clone())
    }

    /// Numbers that are not all zero.
    pub fn arm(&mut self, size: usize) -> Vec<Expr> {
        let texts = ["0", "0.5", "0.7", "1", "1/3", "0.4", "2"];
        let parts: Vec<&str> = (0..size).map(|_| *self.random.pick(&texts)).collect();
        match parts.iter().all(|part| *part == "0") {
            true => numbers(&["1", "0.5", "2"][..size]),
            false => numbers(&parts),
        }
    }

    /// Where an arm ends, or whither it points; of the ground the arm itself.
    pub fn vector(&mut self, frame: Option<&Frame>, arm: &[Expr], kept: Kept) -> Expr {
        let Some(frame) = frame else {
            return Expr::List(arm.to_vec());
        };
        let turned = combined(&frame.axes, arm);
        let whole = match kept {
            Kept::Place => plus(frame.place.clone(), turned),
            Kept::Direction => turned,
        };
        self.local("", whole)
    }

    // ---- rates ----------------------------------------------------------------------------------

    /// d/dt of what depends on coordinates, velocities and time; `None` if it is constant.
    pub fn rate(&mut self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Number { .. } => None,
            Expr::Time { .. } => Some(exactly(1.0)),
            &Expr::Coordinate { first, .. } => Some(self.rate_of_leaf(first)),
            &Expr::Local { slot, .. } => {
                if let Some((_, known)) = self.rates.iter().find(|it| it.0 == slot) {
                    return known.clone();
                }
                let meaning = self.locals[slot].1.clone();
                let rate = self.rate(&meaning).map(|rate| self.local("", rate));
                self.rates.push((slot, rate.clone()));
                rate
            }
            Expr::Negate(inner) => Some(Expr::Negate(Box::new(self.rate(inner)?))),
            Expr::Binary(operator, a, b) => self.rate_of_binary(*operator, a, b),
            Expr::Power(base, Exponent::Integer(n), _) => {
                let less = power(Expr::clone(base), Exponent::Integer(n - 1));
                let slope = times(exactly(f64::from(*n)), less);
                Some(times(slope, self.rate(base)?))
            }
            Expr::Call {
                name, arguments, ..
            } => self.rate_of_call(name, arguments),
            Expr::Component(vector, i) => Some(Expr::Component(Box::new(self.rate(vector)?), *i)),
            Expr::List(items) => {
                let rates: Vec<Option<Expr>> = items.iter().map(|it| self.rate(it)).collect();
                let moves = rates.iter().any(Option::is_some);
                let parts = rates.into_iter().map(|it| it.unwrap_or(exactly(0.0)));
                moves.then(|| Expr::List(parts.collect()))
            }
            Expr::If(branches, otherwise) => {
                let mut of = |value: &Expr| self.rate(value).unwrap_or(exactly(0.0));
                let rates = branches
                    .iter()
                    .map(|(condition, value)| (condition.clone(), of(value)));
                let rates = rates.collect();
                Some(Expr::If(rates, Box::new(of(otherwise))))
            }
            other => panic!("no rate of {other:?}"),
        }
    }

    /// The velocity of a coordinate, or the acceleration of a velocity.
    fn rate_of_leaf(&self, leaf: usize) -> Expr {
        let n = self.names.len();
        match leaf.checked_sub(n) {
            None => self.velocity(leaf),
            Some(k) => coordinate(&self.names[k].acceleration, 2 * n + 2 + k),
        }
    }

    fn rate_of_binary(&mut self, operator: Operator, a: &Expr, b: &Expr) -> Option<Expr> {
        let (of_a, of_b) = (self.rate(a), self.rate(b));
        match operator {
            Operator::Add => both(of_a, of_b),
            Operator::Sub => both(of_a, of_b.map(|it| Expr::Negate(Box::new(it)))),
            Operator::Mul => {
                let (a, b) = (a.clone(), b.clone());
                both(of_a.map(|it| times(it, b)), of_b.map(|it| times(a, it)))
            }
            Operator::Div => {
                let quotient = binary(operator, a.clone(), b.clone());
                let less = of_b.map(|it| Expr::Negate(Box::new(times(quotient, it))));
                Some(binary(operator, both(of_a, less)?, b.clone()))
            }
        }
    }

    fn rate_of_call(&mut self, name: &'static str, arguments: &[Expr]) -> Option<Expr> {
        let rates: Vec<Option<Expr>> = arguments.iter().map(|it| self.rate(it)).collect();
        match (name, arguments, &rates[..]) {
            ("sin", [a], [rate]) => Some(times(call("cos", vec![a.clone()]), rate.clone()?)),
            ("cos", [a], [rate]) => {
                let slope = Expr::Negate(Box::new(call("sin", vec![a.clone()])));
                Some(times(slope, rate.clone()?))
            }
            ("perp", _, [rate]) => Some(call(name, vec![rate.clone()?])),
            ("cross" | "dot", [a, b], [of_a, of_b]) => {
                let first = of_a.clone().map(|it| call(name, vec![it, b.clone()]));
                let second = of_b.clone().map(|it| call(name, vec![a.clone(), it]));
                both(first, second)
            }
            ("normalize", _, [None]) => None,
            _ => panic!("no rate of {name}"),
        }
    }

    /// ω of a frame; `None` if nothing turns it.
    pub fn spin(&mut self, frame: &Frame) -> Option<Expr> {
        if let Some((_, known)) = self.spins.iter().find(|it| it.0 == frame.name) {
            return known.clone();
        }
        let axes = &frame.axes[..2 * frame.size - 3];
        let terms: Vec<Expr> = axes
            .iter()
            .filter_map(|axis| Some(call("cross", vec![axis.clone(), self.rate(axis)?])))
            .collect();
        let share = exactly(if frame.size == 2 { 1.0 } else { 0.5 });
        let spin = terms.into_iter().reduce(plus).map(|all| {
            let name = format!("angular_velocity({})", frame.name);
            self.local(&name, times(share, all))
        });
        self.spins.push((frame.name.clone(), spin.clone()));
        spin
    }

    // ---- reading --------------------------------------------------------------------------------

    /// Notes what may be read of all frames.
    pub fn read_frames(&mut self) {
        for frame in self.frames.clone() {
            let (name, size) = (frame.name.clone(), frame.size);
            if let Some(spin) = self.spin(&frame) {
                let torque = [
                    format!("torque {name}"),
                    format!("force {}", text_of(&spin)),
                ];
                let target = self.random.pick(&torque).clone();
                self.reads
                    .targets
                    .push((target, parts(&spin, 2 * size - 3)));
                self.note(
                    &spin,
                    &format!("angular_acceleration({name})"),
                    2 * size - 3,
                );
            }
            let arm = self.arm(size);
            let (word, kept) = match self.random.below(3) {
                0 => ("dir", Kept::Direction),
                _ => ("at", Kept::Place),
            };
            let text = format!("{word}({name}, {})", text_of_vector(&arm));
            let vector = self.vector(Some(&frame), &arm, kept);
            if let Some(rate) = self.rate(&vector) {
                let rate = self.local(&format!("velocity({text})"), rate);
                let target = format!("force velocity({text})");
                self.reads.targets.push((target, parts(&rate, size)));
                self.note(&rate, &format!("acceleration({text})"), size);
            }
            let read = parts(&self.local(&text, vector), size);
            if kept == Kept::Place {
                self.reached.push(read.clone());
            }
            self.named.extend(read);
        }
    }

    /// A velocity, and its rate by a name.
    fn note(&mut self, velocity: &Expr, name: &str, size: usize) {
        self.reads.velocities.extend(parts(velocity, size));
        if let Some(rate) = self.rate(velocity) {
            let rate = self.local(name, rate);
            self.reads.accelerations.extend(parts(&rate, size));
        }
    }

    /// A force on a velocity of a frame, or a torque.
    pub fn push_on_a_rate(&mut self) -> Option<(Vec<Expr>, Vec<Expr>)> {
        let targets = self.reads.targets.clone();
        if targets.is_empty() || self.random.once_in(2) {
            return None;
        }
        let (text, target) = self.random.pick(&targets).clone();
        let value = self.pushes(target.len());
        self.say(format!("{text}: {};", text_of_vector(&value)));
        Some((target, value))
    }
}

/// The components of a vector, or a number.
fn parts(value: &Expr, size: usize) -> Vec<Expr> {
    match size {
        1 => vec![value.clone()],
        _ => components(value, size),
    }
}

/// Σ aₖ eₖ
pub fn combined(axes: &[Expr], arm: &[Expr]) -> Expr {
    let pairs = axes.iter().zip(arm);
    let terms = pairs.map(|(axis, a)| times(a.clone(), axis.clone()));
    terms.reduce(plus).expect("an axis")
}

fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(plus(a, b)),
        (a, b) => a.or(b),
    }
}
