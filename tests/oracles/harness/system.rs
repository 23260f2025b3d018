//! Random systems: their text, and what it means in the test's own expressions.

use super::bodies::{BODIES, FreeBody, Gear};
use super::frames::{Frame, Reads};
use super::kinds::KINDS;
use super::random::Random;
use super::surface::{Exponent, Expr, Operator, Printer, binary, call, coordinate, number, power};

/// A system as the test knows it. Leaves of expressions: q, then v, then u, of outputs v̇ and λ too; time apart.
#[derive(Clone)]
pub struct Case {
    pub source: String,
    /// What it is made of besides particles, coordinates and functions of them.
    pub kinds: Vec<&'static str>,
    pub n: usize,
    /// What names stand for, in the order in which they need one another.
    pub locals: Vec<(usize, Expr)>,
    /// Mass and place.
    pub points: Vec<(f64, Vec<Expr>)>,
    pub kinetic: Vec<Expr>,
    pub potential: Vec<Expr>,
    pub dissipation: Vec<Expr>,
    /// Place and force.
    pub forces: Vec<(Vec<Expr>, Vec<Expr>)>,
    /// Velocity and force; of torques the velocity is ω.
    pub pushes: Vec<(Vec<Expr>, Vec<Expr>)>,
    /// Whether on velocities, and left-hand side.
    pub rows: Vec<(bool, Expr)>,
    pub outputs: Vec<Expr>,
    /// Whether nothing moves by itself and all is smooth, so that energy changes as forces work.
    pub scleronomic: bool,
    /// q, then v, then u. Bodies have as many coordinates as velocities: those of their places, and how far they are turned
    /// from where they stand in the state, 0 there.
    pub state: Vec<f64>,
    pub t: f64,
    pub bodies: Vec<FreeBody>,
}

/// What a coordinate is called in texts.
#[derive(Clone)]
pub struct Name {
    /// Nothing of a component of a body's turn, and of what is no coordinate of its own.
    pub place: Option<String>,
    pub velocity: String,
    pub acceleration: String,
}

impl Name {
    fn coordinate(name: &str) -> Name {
        Name {
            place: Some(name.to_owned()),
            velocity: format!("velocity({name})"),
            acceleration: format!("acceleration({name})"),
        }
    }
}

/// A case while it is written.
pub struct Generator {
    pub random: Random,
    pub statements: Vec<String>,
    /// The coordinates by name.
    pub names: Vec<Name>,
    pub bodies: Vec<FreeBody>,
    /// Joints of velocities, which are written when all coordinates are known.
    pub gears: Vec<Gear>,
    pub frames: Vec<Frame>,
    /// What statements may read of frames.
    pub reads: Reads,
    /// The rates of locals, by their slots.
    pub rates: Vec<(usize, Option<Expr>)>,
    /// ω of frames, by their names.
    pub spins: Vec<(String, Option<Expr>)>,
    pub timed: bool,
    /// Whether a third derivative jumps somewhere.
    pub kinked: bool,
    pub locals: Vec<(usize, Expr)>,
    /// Numbers with a name that functions may depend on.
    pub named: Vec<Expr>,
    /// Places that forces may act on.
    pub reached: Vec<Vec<Expr>>,
    pub points: Vec<(f64, Vec<Expr>)>,
    pub potential: Vec<Expr>,
    pub rows: Vec<(bool, Expr)>,
}

impl Case {
    pub fn random(seed: u64) -> Case {
        let mut random = Random::new(seed);
        let timed = random.once_in(3);
        let mut generator = Generator {
            random,
            timed,
            statements: Vec::new(),
            names: Vec::new(),
            bodies: Vec::new(),
            gears: Vec::new(),
            frames: Vec::new(),
            reads: Reads::default(),
            rates: Vec::new(),
            spins: Vec::new(),
            kinked: false,
            locals: Vec::new(),
            named: Vec::new(),
            reached: Vec::new(),
            points: Vec::new(),
            potential: Vec::new(),
            rows: Vec::new(),
        };
        // One in six of nothing but bodies, half of the others of one kind or of two.
        let bodies_alone = generator.random.once_in(6);
        let count = match bodies_alone {
            true => 1,
            false => [0, 0, 0, 1, 1, 2][generator.random.below(6)],
        };
        let singles = match bodies_alone {
            true => 0..0,
            false => generator.declare(if count == 0 { 3 } else { 2 }),
        };
        let from = if bodies_alone {
            &BODIES[..]
        } else {
            &KINDS[..]
        };
        let mut kinds = Vec::new();
        for i in 0..count {
            let (name, write) = *generator.random.pick(from);
            write(&mut generator, i);
            kinds.push(name);
        }
        generator.finish(singles, kinds)
    }
}

impl Generator {
    /// Fewer than so many particles, and up to as many coordinates of their own, whose range is returned.
    fn declare(&mut self, most: usize) -> std::ops::Range<usize> {
        let (own, single) = (self.random.below(most), 1 + self.random.below(most));
        for p in 0..own {
            let size = if self.random.once_in(3) { 3 } else { 2 };
            let mass = 1 + self.random.below(4);
            self.say(format!("particle p{p}: Point{size} {{ mass: {mass} }}"));
            let place = self.point(&format!("p{p}"), size);
            self.reached.push(place.clone());
            self.points.push((mass as f64, place));
        }
        let list: Vec<String> = (0..single).map(|i| format!("x{i}")).collect();
        self.say(format!("coordinate {};", list.join(", ")));
        self.names
            .extend(list.iter().map(|name| Name::coordinate(name)));
        self.names.len() - single..self.names.len()
    }

    fn finish(mut self, singles: std::ops::Range<usize>, kinds: Vec<&'static str>) -> Case {
        let n = self.names.len();
        self.mesh();
        self.read_frames();
        let mut kinetic = Vec::new();
        if !self.reads.velocities.is_empty() && self.random.once_in(3) {
            let rate = self.random.pick(&self.reads.velocities).clone();
            kinetic.push(power(rate, Exponent::Integer(2)));
        }
        for i in singles {
            // Every coordinate has an inertia of its own, and most a place besides.
            kinetic.push(self.kinetic_term(i));
            if !self.random.once_in(3) {
                let size = 2 + self.random.below(2);
                let place: Vec<Expr> = (0..size).map(|_| self.place()).collect();
                let mass = 1 + self.random.below(3);
                let text = text_of_vector(&place);
                self.say(format!("particle a{i} = {text} {{ mass: {mass} }}"));
                self.reached.push(place.clone());
                self.points.push((mass as f64, place));
            }
        }
        let potential: Vec<Expr> = (0..self.random.below(3)).map(|_| self.place()).collect();
        let dissipation = match self.random.below(3) {
            0 => vec![self.drag()],
            _ => Vec::new(),
        };
        let forces: Vec<_> = (0..self.random.below(3)).map(|_| self.force()).collect();
        let free = n - self.rows.len();
        let rows: Vec<_> = (0..self.random.below(free.clamp(1, 4)))
            .map(|_| self.row())
            .collect();
        let mut say = |word: &str, list: &[Expr]| {
            let lines = list.iter().map(|e| format!("{word} {};", text_of(e)));
            self.statements.extend(lines);
        };
        say("kinetic", &kinetic);
        say("potential", &potential);
        say("dissipation", &dissipation);
        self.say("input u0, u1;".to_owned());
        for (place, value) in &forces {
            let (place, value) = (text_of_vector(place), text_of_vector(value));
            self.say(format!("force {place}: {value};"));
        }
        let pushes = (0..2).filter_map(|_| self.push_on_a_rate()).collect();
        for (i, (_, row)) in rows.iter().enumerate() {
            self.say(format!("constraint c{i}: {};", text_of(row)));
        }
        let before = self.rows.len();
        self.rows.extend(rows);
        self.potential.extend(potential);
        let outputs: Vec<Expr> = (0..self.random.below(3))
            .map(|_| self.output(before))
            .collect();
        for (i, output) in outputs.iter().enumerate() {
            self.say(format!("output o{i} = {};", text_of(output)));
        }
        let mut state: Vec<f64> = (0..2 * n + 2)
            .map(|_| self.random.between(-1.2, 1.2))
            .collect();
        self.bodies.iter().for_each(|body| body.unturn(&mut state));
        Case {
            source: format!("struct Case; {}", self.statements.join("\n")),
            kinds,
            n,
            locals: self.locals,
            points: self.points,
            kinetic,
            potential: self.potential,
            dissipation,
            forces,
            pushes,
            rows: self.rows,
            outputs,
            scleronomic: !self.timed && !self.kinked,
            state,
            t: self.random.between(0.0, 2.0),
            bodies: self.bodies,
        }
    }

    /// The number of rows so far.
    pub fn held(&self) -> usize {
        let later = self.gears.iter().map(|gear| gear.count);
        self.rows.len() + later.sum::<usize>()
    }

    // ---- names ----------------------------------------------------------------------------------

    pub fn say(&mut self, statement: String) {
        self.statements.push(statement);
    }

    /// A new coordinate, which a statement declares.
    pub fn coordinate(&mut self, name: &str) -> Expr {
        self.names.push(Name::coordinate(name));
        coordinate(name, self.names.len() - 1)
    }

    /// The coordinates of a new point.
    pub fn point(&mut self, name: &str, size: usize) -> Vec<Expr> {
        let letters = ["x", "y", "z"][..size].iter();
        letters
            .map(|letter| self.coordinate(&format!("{name}.{letter}")))
            .collect()
    }

    /// What a name of the text means; one that is never printed needs none.
    pub fn local(&mut self, name: &str, meaning: Expr) -> Expr {
        let slot = self.locals.len();
        self.locals.push((slot, meaning));
        Expr::Local {
            name: name.to_owned(),
            slot,
        }
    }

    /// The components of a place with a name, on which functions may depend and forces act.
    pub fn named_place(&mut self, name: &str, meaning: Vec<Expr>) -> Vec<Expr> {
        let size = meaning.len();
        let local = self.local(name, Expr::List(meaning));
        let parts = components(&local, size);
        self.named.extend(parts.clone());
        self.reached.push(parts.clone());
        parts
    }

    // ---- functions ------------------------------------------------------------------------------

    /// A coordinate, or of bodies alone a component of a place.
    pub fn q(&mut self) -> Expr {
        let i = self.random.below(self.names.len().max(1));
        match self.names.get(i).map(|name| name.place.clone()) {
            Some(Some(name)) => coordinate(&name, i),
            _ if !self.named.is_empty() => self.random.pick(&self.named).clone(),
            _ => number("0.7"),
        }
    }

    fn v(&mut self) -> Expr {
        if !self.reads.velocities.is_empty() && self.random.once_in(2) {
            return self.random.pick(&self.reads.velocities).clone();
        }
        let i = self.random.below(self.names.len());
        self.velocity(i)
    }

    pub fn velocity(&self, i: usize) -> Expr {
        coordinate(&self.names[i].velocity, self.names.len() + i)
    }

    fn input(&mut self) -> Expr {
        let i = self.random.below(2);
        coordinate(&format!("u{i}"), 2 * self.names.len() + i)
    }

    /// A smooth function of the coordinates, of the order of 1, that always moves with one of them.
    fn place(&mut self) -> Expr {
        let (base, more) = (self.q(), self.term(2));
        binary(Operator::Add, base, more)
    }

    pub fn term(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            if !self.named.is_empty() && self.random.once_in(8) {
                return self.random.pick(&self.named).clone();
            }
            return match self.random.below(if self.timed { 4 } else { 3 }) {
                0 => number(["0.5", "2", "1/3", "0.7"][self.random.below(4)]),
                3 => Expr::Time { name: "t".into() },
                _ => self.q(),
            };
        }
        let (a, b) = (self.term(depth - 1), self.term(depth - 1));
        match self.random.below(6) {
            0 => binary(Operator::Add, a, b),
            1 => binary(Operator::Sub, a, b),
            2 => binary(Operator::Mul, a, b),
            3 => call("sin", vec![a]),
            4 => call("cos", vec![b]),
            _ => power(a, Exponent::Integer(2)),
        }
    }

    /// (2 + f(q)²) vᵢ², now and then with a square of two velocities, which keeps M positive.
    fn kinetic_term(&mut self, i: usize) -> Expr {
        let shape = power(self.term(1), Exponent::Integer(2));
        let inertia = binary(Operator::Add, number("2"), shape);
        let square = power(self.velocity(i), Exponent::Integer(2));
        let own = binary(Operator::Mul, inertia, square);
        match self.random.below(3) {
            0 => {
                // Not that of a body, which is the rate of no coordinate but where it stands.
                let other = self.random.below(self.names.len());
                let other = if self.names[other].place.is_some() {
                    other
                } else {
                    i
                };
                let sum = binary(Operator::Add, self.velocity(i), self.velocity(other));
                let turned = binary(Operator::Mul, call("sin", vec![self.q()]), sum);
                binary(Operator::Add, own, power(turned, Exponent::Integer(2)))
            }
            _ => own,
        }
    }

    fn drag(&mut self) -> Expr {
        let (a, b) = (self.v(), self.v());
        let relative = binary(Operator::Sub, a, binary(Operator::Mul, number("0.5"), b));
        binary(
            Operator::Mul,
            number("0.3"),
            power(relative, Exponent::Integer(2)),
        )
    }

    fn force(&mut self) -> (Vec<Expr>, Vec<Expr>) {
        let i = self.random.below(self.names.len());
        let place = if let Some(name) = &self.names[i].place
            && (self.reached.is_empty() || self.random.once_in(3))
        {
            vec![coordinate(name, i)]
        } else {
            self.random.pick(&self.reached).clone()
        };
        let value = self.pushes(place.len());
        (place, value)
    }

    /// The components of a force.
    pub fn pushes(&mut self, count: usize) -> Vec<Expr> {
        let push = |_| {
            let (a, b) = (self.term(1), self.v());
            let push = binary(Operator::Sub, a, binary(Operator::Mul, number("0.4"), b));
            binary(Operator::Add, push, self.input())
        };
        (0..count).map(push).collect()
    }

    fn row(&mut self) -> (bool, Expr) {
        if !self.random.once_in(3) {
            return (false, self.place());
        }
        let (a, b) = (self.v(), self.v());
        let turned = binary(Operator::Mul, self.term(1), b);
        let sum = binary(Operator::Add, a, turned);
        (true, binary(Operator::Sub, sum, self.term(1)))
    }

    /// f(q) times a velocity, an acceleration or a multiplier of a row behind the first ones.
    fn output(&mut self, before: usize) -> Expr {
        let n = self.names.len();
        let rows = self.rows.len() - before;
        let known = self.reads.accelerations.len();
        let moving = match self.random.below(4) {
            3 if known > 0 => self.reads.accelerations[self.random.below(known)].clone(),
            0 if rows > 0 => {
                let i = self.random.below(rows);
                coordinate(&format!("multiplier(c{i})"), 3 * n + 2 + before + i)
            }
            1 => self.v(),
            _ => {
                let i = self.random.below(n);
                coordinate(&self.names[i].acceleration, 2 * n + 2 + i)
            }
        };
        binary(Operator::Mul, self.place(), moving)
    }
}

/// The components of a vector.
pub fn components(vector: &Expr, size: usize) -> Vec<Expr> {
    (0..size)
        .map(|k| Expr::Component(Box::new(vector.clone()), k))
        .collect()
}

pub fn text_of(expr: &Expr) -> String {
    Printer::plain().expr(expr)
}

pub fn text_of_vector(list: &[Expr]) -> String {
    match list {
        [single] => text_of(single),
        _ => format!(
            "[{}]",
            list.iter().map(text_of).collect::<Vec<_>>().join(", ")
        ),
    }
}
