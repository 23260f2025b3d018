//! Random rigid bodies, what joins them, and parts that carry them.
//!
//! The reference turns a body by Cayley's formula from where it stands in the state: R = (1 − [δ]/2)⁻¹ (1 + [δ]/2) R₀, with
//! the angular velocity ω = (δ̇ + δ×δ̇/2)/(1 + δ·δ/4). At δ = 0, ω = δ̇ and ω̇ = δ̈, so that Lagrange's equations and rows by
//! (place, δ) are those by (v, ω). In the plane δ is the angle.

use constraint_runtime::nalgebra::DMatrix;

use super::frames::{Frame, Kept};
use super::kinds::{Kind, exactly, minus, plus, squared, sum, times};
use super::surface::{Expr, Operator, binary, call, coordinate};
use super::system::{Case, Generator, Name, components, text_of_vector};

pub const BODIES: [(&str, Kind); 4] = [
    ("bodies in the plane", |it, i| it.joined(i, 2)),
    ("bodies in space", |it, i| it.joined(i, 3)),
    ("parts with bodies in the plane", |it, i| it.limbs(i, 2)),
    ("parts with bodies in space", |it, i| it.limbs(i, 3)),
];

/// A body in the numbering of its velocities.
#[derive(Clone)]
pub struct FreeBody {
    /// The first component of its place.
    first: usize,
    size: usize,
    /// cos and sin of its angle, or its quaternion as i, j, k, w.
    turn: Vec<f64>,
}

/// A joint of velocities, written when all coordinates are known.
pub struct Gear {
    statement: String,
    /// How many rows it has.
    pub count: usize,
    /// Whether each is on velocities, and its left-hand side.
    rows: Box<dyn FnOnce(&mut Generator) -> Vec<(bool, Expr)>>,
}

/// Rows of a joint, as its text in the library has them.
#[derive(Clone, Copy)]
enum Rows {
    /// at(b, r2) − at(a, r1)
    Together,
    /// |at(b, r2) − at(a, r1)| − 2
    Apart,
    /// (at(b, r2) − at(a, r1))·dir(a, …)
    Along(&'static str),
    /// dir(a, …)·dir(b, …)
    Across(&'static str, &'static str),
    /// dir(a, …)×dir(b, …), of the plane
    Parallel(&'static str, &'static str),
}

impl Rows {
    fn count(self, size: usize) -> usize {
        match self {
            Together => size,
            _ => 1,
        }
    }
}

use Rows::{Across, Along, Apart, Parallel, Together};

const JOINTS: [(&str, &[Rows]); 9] = [
    ("Ball", &[Together]),
    ("Universal", &[Together, Across("axis1", "axis2")]),
    (
        "Hinge",
        &[Together, Across("u", "axis"), Across("w", "axis")],
    ),
    (
        "Cylindrical",
        &[
            Along("u"),
            Along("w"),
            Across("u", "axis"),
            Across("w", "axis"),
        ],
    ),
    (
        "Prismatic",
        &[
            Along("u1"),
            Along("w1"),
            Across("w1", "u2"),
            Across("axis", "u2"),
            Across("axis", "w2"),
        ],
    ),
    (
        "Fixed",
        &[
            Together,
            Across("w1", "u2"),
            Across("axis1", "u2"),
            Across("axis1", "w2"),
        ],
    ),
    ("Distance", &[Apart]),
    ("PointOnLine", &[Along("u"), Along("w")]),
    ("PointOnPlane", &[Along("normal")]),
];

const PLANE_JOINTS: [(&str, &[Rows]); 4] = [
    ("plane::Revolute", &[Together]),
    (
        "plane::Prismatic",
        &[Along("normal1"), Parallel("normal1", "normal2")],
    ),
    ("plane::Weld", &[Together, Parallel("u1", "u2")]),
    ("plane::Distance", &[Apart]),
];

impl FreeBody {
    fn turns(&self) -> std::ops::Range<usize> {
        let first = self.first + self.size;
        first..first + if self.size == 2 { 1 } else { 3 }
    }

    /// A state has it where it stands.
    pub fn unturn(&self, state: &mut [f64]) {
        state[self.turns()].fill(0.0);
    }

    /// R₀ r
    fn stands(&self, r: &[f64]) -> Vec<f64> {
        if let [c, s] = self.turn[..] {
            return vec![c * r[0] - s * r[1], s * r[0] + c * r[1]];
        }
        let (u, w) = ([self.turn[0], self.turn[1], self.turn[2]], self.turn[3]);
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let across = cross(u, [r[0], r[1], r[2]]);
        let twice = cross(u, across);
        (0..3)
            .map(|k| r[k] + 2.0 * (w * across[k] + twice[k]))
            .collect()
    }

    /// Axis eₖ, by Cayley's formula in the components of the turn.
    fn axis(&self, k: usize) -> Expr {
        let unit: Vec<f64> = (0..self.size)
            .map(|i| f64::from(u8::from(i == k)))
            .collect();
        let stands = Expr::List(self.stands(&unit).into_iter().map(exactly).collect());
        let turn: Vec<Expr> = self.turns().map(|k| coordinate("", k)).collect();
        if let [angle] = &turn[..] {
            let [sine, cosine] = ["sin", "cos"].map(|f| call(f, vec![angle.clone()]));
            let across = call("perp", vec![stands.clone()]);
            return plus(times(cosine, stands), times(sine, across));
        }
        let delta = Expr::List(turn.clone());
        let across = call("cross", vec![delta.clone(), stands.clone()]);
        let twice = call("cross", vec![delta, across.clone()]);
        let length = sum(turn.into_iter().map(squared));
        let below = plus(exactly(1.0), times(exactly(0.25), length));
        let moved = plus(across, times(exactly(0.5), twice));
        plus(stands, binary(Operator::Div, moved, below))
    }

    /// The engine's numbers of its turn, after another one by δ.
    fn turned(&self, delta: &[f64]) -> Vec<f64> {
        if let ([c, s], &[angle]) = (&self.turn[..], delta) {
            let (sine, cosine) = angle.sin_cos();
            return vec![c * cosine - s * sine, s * cosine + c * sine];
        }
        let [a, b, c] = [delta[0] / 2.0, delta[1] / 2.0, delta[2] / 2.0];
        let [i, j, k, w] = [self.turn[0], self.turn[1], self.turn[2], self.turn[3]];
        let product = [
            i + a * w + b * k - c * j,
            j + b * w + c * i - a * k,
            k + c * w + a * j - b * i,
            w - a * i - b * j - c * k,
        ];
        let length = product.iter().map(|x| x * x).sum::<f64>().sqrt();
        product.iter().map(|x| x / length).collect()
    }
}

impl Case {
    /// What turns ω, of bodies by its first components, into their own frames, where M stands still.
    pub fn own_frames(&self, of: &[usize]) -> DMatrix<f64> {
        let mut turn = DMatrix::identity(self.n, self.n);
        for body in &self.bodies {
            let first = body.turns().start;
            if !of.contains(&first) {
                continue;
            }
            for axis in 0..3 {
                let unit = [0, 1, 2].map(|k| f64::from(u8::from(k == axis)));
                let row = body.stands(&unit);
                row.iter()
                    .enumerate()
                    .for_each(|(k, &x)| turn[(first + axis, first + k)] = x);
            }
        }
        turn
    }

    /// The coordinates as the engine has them.
    pub fn coordinates(&self, state: &[f64]) -> Vec<f64> {
        let mut q = Vec::new();
        let mut i = 0;
        while i < self.n {
            match self.bodies.iter().find(|body| body.first == i) {
                Some(body) => {
                    q.extend(&state[i..i + body.size]);
                    q.extend(body.turned(&state[body.turns()]));
                    i = body.turns().end;
                }
                None => {
                    q.push(state[i]);
                    i += 1;
                }
            }
        }
        q
    }
}

impl Generator {
    /// One to four bodies, each joined to one before it or to the ground, or free.
    fn joined(&mut self, i: usize, size: usize) {
        let alone = self.names.is_empty();
        // What three or four take to derive is most of what all take.
        let count = match self.random.once_in(12) {
            true => 3 + self.random.below(2),
            false => 1 + self.random.below(2),
        };
        let mut bodies: Vec<Frame> = Vec::new();
        for k in 0..count {
            let (mass, moments, weights) = self.inertia(size);
            let name = format!("b{i}{k}");
            self.say(format!(
                "body {name}: Rigid{size} {{ mass: {mass}, inertia: {moments} }}"
            ));
            let body = self.free(&name, size);
            self.weigh(&body, mass as f64, &weights, alone);
            let tip = self.arm(size);
            self.say(format!(
                "let tip{i}{k} = at({name}, {});",
                text_of_vector(&tip)
            ));
            let reached = self.vector(Some(&body), &tip, Kept::Place);
            let reached = components(&reached, size);
            self.named_place(&format!("tip{i}{k}"), reached);
            let other = match self.random.below(4) {
                0 => None,
                1 => self.known_frame(size).filter(|it| it.name != name),
                _ if bodies.is_empty() => None,
                _ => Some(self.random.pick(&bodies).clone()),
            };
            if !self.random.once_in(4) {
                let free = self.names.len() - self.held();
                self.join(&format!("j{i}{k}"), other.as_ref(), &body, free);
            }
            bodies.push(body);
        }
        if alone && self.random.once_in(2) {
            self.say(format!("gravity {};", ["[0, -2]", "[0, 0, -2]"][size - 2]));
        } else if alone {
            // No gravity: the weights that were noted count nothing.
            self.potential.clear();
        }
    }

    /// Bodies in parts, each hung on the one before it.
    fn limbs(&mut self, i: usize, size: usize) {
        let (part, count) = (format!("Limb{i}"), 1 + self.random.below(2));
        let (moments, weights): (&str, &[f64]) = match size {
            2 => ("2", &[2.0]),
            _ => ("[3, 4, 5]", &[3.0, 2.0, 1.0]),
        };
        let [above, below] = match size {
            2 => ["[0, 0.7]", "[0, -0.7]"],
            _ => ["[0, 0.7, 0]", "[0, -0.7, 0]"],
        };
        self.say(format!(
            "part {part} {{ base: Vector{size}, weight: Real }} {{ \
             body bone: Rigid{size} {{ mass: weight, inertia: {moments} }} \
             constraint pin: at(bone, {above}) == base; \
             potential weight*at(bone, {above}).y; }}"
        ));
        let hook: Vec<Expr> = (0..size).map(|_| self.q()).collect();
        let text = text_of_vector(&hook);
        self.say(format!("limb{i}[0]: {part} {{ base: {text}, weight: 2 }}"));
        if count > 1 {
            self.say(format!(
                "limb{i}[j in 1..{count}]: {part} {{ base: at(limb{i}[j-1].bone, {below}), weight: 3 }}"
            ));
        }
        let mut base = Expr::List(hook);
        let arm = |y: f64| {
            [0.0, y, 0.0][..size]
                .iter()
                .map(|&it| exactly(it))
                .collect()
        };
        let (up, down): (Vec<Expr>, Vec<Expr>) = (arm(0.7), arm(-0.7));
        for k in 0..count {
            let weight = if k == 0 { 2.0 } else { 3.0 };
            let body = self.free(&format!("limb{i}[{k}].bone"), size);
            self.weigh(&body, weight, weights, false);
            let top = self.vector(Some(&body), &up, Kept::Place);
            let parts = components(&self.local("", minus(top.clone(), base)), size);
            self.rows.extend(parts.into_iter().map(|row| (false, row)));
            let height = Expr::Component(Box::new(top), 1);
            self.potential.push(times(exactly(weight), height));
            base = self.vector(Some(&body), &down, Kept::Place);
            let end = components(&base, size);
            self.named_place(&format!("at({}, {below})", body.name), end);
        }
    }

    // ---- bodies ---------------------------------------------------------------------------------

    /// The coordinates of a new body.
    pub fn free(&mut self, name: &str, size: usize) -> Frame {
        let origin = origin(size);
        let first = self.names.len();
        let letters = &[".x", ".y", ".z"][..size];
        let moves = letters.iter().map(|letter| Name {
            place: None,
            velocity: format!("velocity(at({name}, {origin})){letter}"),
            acceleration: format!("acceleration(at({name}, {origin})){letter}"),
        });
        self.names.extend(moves);
        let letters = if size == 2 { &[""][..] } else { letters };
        let turns = letters.iter().map(|letter| Name {
            place: None,
            velocity: format!("angular_velocity({name}){letter}"),
            acceleration: format!("angular_acceleration({name}){letter}"),
        });
        self.names.extend(turns);
        let mut turn: Vec<f64> = (0..2 * size - 2)
            .map(|_| self.random.between(-1.0, 1.0))
            .collect();
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        turn.iter_mut().for_each(|x| *x /= length);
        let body = FreeBody { first, size, turn };
        let place = (0..size).map(|k| coordinate("", first + k));
        let place = Expr::List(place.collect());
        let axes = (0..size).map(|k| body.axis(k)).collect();
        self.bodies.push(body);
        self.frame(name, place, axes)
    }

    /// What it weighs, at its place and on its axes; under gravity by its height.
    pub fn weigh(&mut self, body: &Frame, mass: f64, weights: &[f64], falls: bool) {
        let size = body.size;
        let place = components(&body.place, size);
        if falls {
            let height = place[size - 1].clone();
            self.potential.push(times(exactly(2.0 * mass), height));
        }
        self.points.push((mass, place));
        for (axis, &weight) in body.axes.iter().zip(weights) {
            self.points.push((weight, components(axis, size)));
        }
    }

    // ---- joints ---------------------------------------------------------------------------------

    /// Holds a body to another, or to the ground, if it leaves enough free.
    pub fn join(&mut self, name: &str, a: Option<&Frame>, b: &Frame, free: usize) {
        match self.random.below(8) {
            0 => self.gear(name, a, b),
            1 => self.skate(name, b),
            2 => self.own(name, a, b),
            3 if free > 2 => match (b.size, self.random.once_in(2)) {
                (_, true) | (2, _) => self.rolling(name, a, b),
                _ => self.rack(name, a, b),
            },
            _ => {
                let joints = if b.size == 2 {
                    &PLANE_JOINTS[..]
                } else {
                    &JOINTS[..]
                };
                let (joint, rows) = *self.random.pick(joints);
                if rows.iter().map(|row| row.count(b.size)).sum::<usize>() < free {
                    self.library(name, joint, rows, a, b);
                }
            }
        }
    }

    /// A joint of the library, off whose rows the state may stand.
    fn library(&mut self, name: &str, joint: &str, rows: &[Rows], a: Option<&Frame>, b: &Frame) {
        let size = b.size;
        let mut given: Vec<(&str, Vec<Expr>)> = Vec::new();
        let mut found = Vec::new();
        let [r1, r2] = [self.arm(size), self.arm(size)];
        let [from, to] =
            [(a, &r1), (Some(b), &r2)].map(|(body, arm)| self.vector(body, arm, Kept::Place));
        let apart = self.local("", minus(to, from));
        given.extend([("r1", r1), ("r2", r2)]);
        let mut text = String::new();
        for row in rows {
            let mut direction = |it: &mut Generator, body: Option<&Frame>, name: &'static str| {
                let known = given.iter().find(|it| it.0 == name).map(|it| it.1.clone());
                let arm = known.unwrap_or_else(|| {
                    let arm = it.arm(size);
                    given.push((name, arm.clone()));
                    arm
                });
                it.vector(body, &arm, Kept::Direction)
            };
            match *row {
                Together => found.extend(components(&apart, size)),
                Apart => {
                    text = ", length: 2".to_owned();
                    found.push(minus(call("norm", vec![apart.clone()]), exactly(2.0)));
                }
                Along(u) => {
                    let along = direction(self, a, u);
                    found.push(call("dot", vec![apart.clone(), along]));
                }
                Across(u, w) => {
                    let both = vec![direction(self, a, u), direction(self, Some(b), w)];
                    found.push(call("dot", both));
                }
                Parallel(u, w) => {
                    let both = vec![direction(self, a, u), direction(self, Some(b), w)];
                    found.push(call("cross", both));
                }
            }
        }
        for (parameter, arm) in &given {
            text += &format!(", {parameter}: {}", text_of_vector(arm));
        }
        self.say(format!(
            "joint {name}: {joint} {{ {}b: {}{text} }}",
            first(a),
            b.name
        ));
        self.rows.extend(found.into_iter().map(|row| (false, row)));
    }

    /// A constraint of one's own.
    fn own(&mut self, name: &str, a: Option<&Frame>, b: &Frame) {
        let size = b.size;
        let [r1, r2] = [self.arm(size), self.arm(size)];
        let kept = [Kept::Place, Kept::Direction][self.random.below(2)];
        let [from, to] = [(a, &r1), (Some(b), &r2)].map(|(body, arm)| self.vector(body, arm, kept));
        let word = if kept == Kept::Place { "at" } else { "dir" };
        let text = |body: Option<&Frame>, arm: &[Expr]| {
            let arm = text_of_vector(arm);
            body.map_or(arm.clone(), |body| format!("{word}({}, {arm})", body.name))
        };
        let (a, b) = (text(a, &r1), text(Some(b), &r2));
        let (text, row) = match kept {
            Kept::Place => {
                let apart = self.local("", minus(to, from));
                let length = call("norm_squared", vec![apart]);
                (
                    format!("norm_squared({b} - {a}) == 2"),
                    minus(length, exactly(2.0)),
                )
            }
            Kept::Direction => {
                let product = call("dot", vec![to, from]);
                (
                    format!("dot({b}, {a}) == 0.5"),
                    minus(product, exactly(0.5)),
                )
            }
        };
        self.say(format!("constraint {name}: {text};"));
        self.rows.push((false, row));
    }

    /// Wheels in mesh, or one that drags on the ground.
    fn gear(&mut self, name: &str, a: Option<&Frame>, b: &Frame) {
        let (mut statement, mut wheels) = (String::new(), Vec::new());
        let radii = [("axis1", 0.5), ("axis2", 2.0)];
        for (body, (parameter, radius)) in [a, Some(b)].into_iter().zip(radii) {
            let arm = self.arm(b.size);
            if b.size == 3 {
                statement += &format!(", {parameter}: {}", text_of_vector(&arm));
            }
            if let Some(body) = body {
                let axis = self.vector(Some(body), &arm, Kept::Direction);
                wheels.push((body.clone(), axis, radius));
            }
        }
        let joint = if b.size == 2 { "plane::Gear" } else { "Gear" };
        let statement = format!(
            "joint {name}: {joint} {{ {}b: {}, radius1: 0.5, radius2: 2{statement} }}",
            first(a),
            b.name
        );
        self.later(statement, 1, move |it| {
            let rates = wheels.into_iter().filter_map(|(body, axis, radius)| {
                let spin = it.spin(&body)?;
                let about = match body.size {
                    2 => spin,
                    _ => call("dot", vec![spin, axis]),
                };
                Some(times(exactly(radius), about))
            });
            let row = rates.reduce(plus);
            vec![(true, row.unwrap_or(exactly(0.0)))]
        });
    }

    /// It slides in no direction of its own but others.
    fn skate(&mut self, name: &str, body: &Frame) {
        let arm = self.arm(body.size);
        let statement = format!(
            "constraint {name}: dot(velocity(at({of}, {})), dir({of}, {})) == 0;",
            origin(body.size),
            text_of_vector(&arm),
            of = body.name,
        );
        let across = self.vector(Some(body), &arm, Kept::Direction);
        let place = body.place.clone();
        self.later(statement, 1, move |it| {
            let velocity = it.rate(&place);
            vec![(true, product("dot", across, velocity))]
        });
    }

    /// A pinion on a rack.
    fn rack(&mut self, name: &str, a: Option<&Frame>, b: &Frame) {
        let [axis, along] = [self.arm(3), self.arm(3)];
        let statement = format!(
            "joint {name}: Rack {{ {}b: {}, axis: {}, along: {}, radius: 0.5 }}",
            first(a),
            b.name,
            text_of_vector(&axis),
            text_of_vector(&along)
        );
        let axis = self.vector(a, &axis, Kept::Direction);
        let along = self.vector(Some(b), &along, Kept::Direction);
        let (a, b) = (a.cloned(), b.clone());
        self.later(statement, 1, move |it| {
            let apart = match &a {
                Some(a) => it.local("", minus(b.place, a.place.clone())),
                None => b.place,
            };
            let slides = it.rate(&apart);
            let turns = a.and_then(|a| it.spin(&a));
            let turns = times(exactly(0.5), product("dot", axis, turns));
            vec![(true, minus(product("dot", along, slides), turns))]
        });
    }

    /// A wheel on a line, or a disk on a plane.
    fn rolling(&mut self, name: &str, a: Option<&Frame>, b: &Frame) {
        let size = b.size;
        let [point, normal, axis, u, w] = [(); 5].map(|()| self.arm(size));
        let mut given = vec![("point", &point), ("normal", &normal)];
        if size == 3 {
            given.extend([("u", &u), ("w", &w), ("axis", &axis)]);
        }
        let given: String = given
            .iter()
            .map(|(name, arm)| format!(", {name}: {}", text_of_vector(arm)))
            .collect();
        let joint = ["plane::RollingWheel", "RollingDisk"][size - 2];
        let statement = format!(
            "joint {name}: {joint} {{ {}b: {}, radius: 0.5{given} }}",
            first(a),
            b.name
        );
        let point = self.vector(a, &point, Kept::Place);
        let [n, u, w] = [&normal, &u, &w].map(|arm| self.vector(a, arm, Kept::Direction));
        let lever = match size {
            2 => times(exactly(-0.5), n.clone()),
            _ => {
                let k = self.vector(Some(b), &axis, Kept::Direction);
                let along = times(call("dot", vec![n.clone(), k.clone()]), k);
                let down = call("normalize", vec![minus(n.clone(), along)]);
                times(exactly(-0.5), down)
            }
        };
        let lever = self.local("", lever);
        let (a, b) = (a.cloned(), b.clone());
        let count = [2, 3][size - 2];
        self.later(statement, count, move |it| {
            let contact = it.local("", plus(b.place.clone(), lever.clone()));
            let mut slip = it.carried(&b, lever);
            if let Some(a) = a {
                let lever = it.local("", minus(contact.clone(), a.place.clone()));
                slip = minus(slip, it.carried(&a, lever));
            }
            let slip = it.local("", slip);
            let above = call("dot", vec![n.clone(), minus(contact, point)]);
            let rows = match size {
                2 => vec![call("cross", vec![n, slip])],
                _ => [u, w]
                    .map(|it| call("dot", vec![slip.clone(), it]))
                    .to_vec(),
            };
            let rows = rows.into_iter().map(|row| (true, row));
            [(false, above)].into_iter().chain(rows).collect()
        });
    }

    /// v + ω×r of a point that a body passes.
    fn carried(&mut self, body: &Frame, lever: Expr) -> Expr {
        let zero = Expr::List(vec![exactly(0.0); body.size]);
        let velocity = self.rate(&body.place).unwrap_or(zero);
        let Some(spin) = self.spin(body) else {
            return velocity;
        };
        let turned = match body.size {
            2 => times(spin, call("perp", vec![lever])),
            _ => call("cross", vec![spin, lever]),
        };
        plus(velocity, turned)
    }

    fn later(
        &mut self,
        statement: String,
        count: usize,
        rows: impl FnOnce(&mut Generator) -> Vec<(bool, Expr)> + 'static,
    ) {
        let rows = Box::new(rows);
        self.gears.push(Gear {
            statement,
            count,
            rows,
        });
    }

    /// Writes the joints of velocities.
    pub fn mesh(&mut self) {
        for gear in std::mem::take(&mut self.gears) {
            self.say(gear.statement);
            let rows = (gear.rows)(self);
            self.rows.extend(rows);
        }
    }
}

/// The first of two bodies, in a joint's text.
fn first(a: Option<&Frame>) -> String {
    a.map_or(String::new(), |a| format!("a: {}, ", a.name))
}

pub fn origin(size: usize) -> &'static str {
    ["[0, 0]", "[0, 0, 0]"][size - 2]
}

/// A product with a vector that may be zero.
fn product(name: &'static str, a: Expr, b: Option<Expr>) -> Expr {
    b.map_or(exactly(0.0), |b| call(name, vec![a, b]))
}
