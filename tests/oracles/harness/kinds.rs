//! The kinds of statements that random systems are made of besides particles and coordinates, each with what it means.
//!
//! A rotation is Rodrigues's formula, a rigid body its mass at its place and more of it on its turned axes: |d/dt R e|² =
//! |ω×e|², so that weights μ on three axes are moments μ₂ + μ₃, μ₃ + μ₁, μ₁ + μ₂.

use super::bodies::BODIES;
use super::frames::{Frame, combined};
use super::splines::{self, Piece};
use super::surface::{Condition, Exponent, Expr, Operator, binary, call, number, power};
use super::system::{Generator, components, text_of, text_of_vector};

/// Writes statements, with a number that no other statement's names have.
pub type Kind = fn(&mut Generator, usize);

pub const KINDS: [(&str, Kind); 12] = [
    ("poses in the plane", |it, i| it.posed(i, 2)),
    ("poses in space", |it, i| it.posed(i, 3)),
    ("splines", Generator::spline),
    ("arrays of coordinates", Generator::array),
    ("nets", Generator::net),
    ("moving constraints", Generator::moving),
    ("parts of points", |it, i| it.parts(i, false)),
    ("parts with rods", |it, i| it.parts(i, true)),
    BODIES[0],
    BODIES[1],
    BODIES[2],
    BODIES[3],
];

/// `pose(place, axis, angle)`; what is constant in it is turned by nothing.
#[derive(Clone)]
struct Step {
    place: Vec<Expr>,
    axis: Vec<Expr>,
    angle: Expr,
}

pub fn plus(a: Expr, b: Expr) -> Expr {
    binary(Operator::Add, a, b)
}

pub fn minus(a: Expr, b: Expr) -> Expr {
    binary(Operator::Sub, a, b)
}

pub fn times(a: Expr, b: Expr) -> Expr {
    binary(Operator::Mul, a, b)
}

pub fn squared(a: Expr) -> Expr {
    power(a, Exponent::Integer(2))
}

pub fn sum(terms: impl IntoIterator<Item = Expr>) -> Expr {
    terms.into_iter().reduce(plus).expect("a term")
}

/// A number that is not printed.
pub fn exactly(value: f64) -> Expr {
    Expr::Number {
        text: String::new(),
        value,
    }
}

pub fn numbers(texts: &[&str]) -> Vec<Expr> {
    texts.iter().map(|text| number(text)).collect()
}

impl Generator {
    // ---- poses ----------------------------------------------------------------------------------

    /// Up to three bodies, each by a product of poses from the one before it: from the ground, from another body, or from
    /// a free one of their own.
    fn posed(&mut self, i: usize, size: usize) {
        let mut from = match self.random.below(6) {
            0 => self.known_frame(size),
            1 | 2 => Some(self.carrier(i, size)),
            _ => None,
        };
        let own = self.own_coordinates(i);
        let depth = 1 + usize::from(self.random.once_in(3)) + usize::from(self.random.once_in(3));
        for k in 0..depth {
            let factors: Vec<Step> = (0..1 + self.random.below(2))
                .map(|_| self.step(size, from.is_none() && k == 0))
                .collect();
            let texts: Vec<String> = factors.iter().map(Step::text).collect();
            let mut product = texts.join(" * ");
            if factors.len() > 1 && self.random.once_in(4) {
                product = format!("({product})");
            }
            if let Some(from) = &from {
                product = format!("{} * {product}", from.name);
            }
            let name = format!("b{i}{k}");
            // The body posed on it has a mass, or its coordinates have an inertia of their own.
            let heavy = !own || !self.random.once_in(4);
            let (mass, moments, weights) = self.inertia(size);
            self.say(match heavy {
                true => format!(
                    "body {name}: Rigid{size} = {product} {{ mass: {mass}, inertia: {moments} }}"
                ),
                false => format!("let {name} = {product};"),
            });
            let frame = self.after(&name, from.as_ref(), &factors);
            if heavy {
                self.weigh(&frame, mass as f64, &weights, false);
            }
            let free = self.names.len() - self.held();
            if free > 2 && self.random.once_in(5) {
                let other = self.known_frame(size).filter(|it| it.name != name);
                self.join(&format!("j{i}{k}"), other.as_ref(), &frame, free - 1);
            }
            if !self.random.once_in(4) {
                from = Some(frame);
            }
        }
    }

    /// A free body that others are posed on.
    fn carrier(&mut self, i: usize, size: usize) -> Frame {
        let (mass, moments, weights) = self.inertia(size);
        let name = format!("f{i}");
        self.say(format!(
            "body {name}: Rigid{size} {{ mass: {mass}, inertia: {moments} }}"
        ));
        let body = self.free(&name, size);
        self.weigh(&body, mass as f64, &weights, false);
        body
    }

    /// Now and then coordinates that poses alone depend on. Whether they have an inertia of their own.
    fn own_coordinates(&mut self, i: usize) -> bool {
        let needed = self.names.iter().all(|name| name.place.is_none());
        if !needed && self.random.once_in(2) {
            return true;
        }
        let names = [format!("z{i}0"), format!("z{i}1")];
        self.say(format!("coordinate {};", names.join(", ")));
        let own = names.map(|name| self.coordinate(&name));
        let names: Vec<String> = own.iter().map(text_of).collect();
        for (name, z) in names.iter().zip(own) {
            self.say(format!("kinetic velocity({name})^2;"));
            self.points.push((2.0, vec![z]));
        }
        true
    }

    /// A pose about the origin, or on a link of constant length or one that slides; turned by a coordinate, or by more.
    fn step(&mut self, size: usize, first: bool) -> Step {
        let slides = first || self.random.once_in(5);
        let mut place = if slides {
            let fixed = numbers(&["0.5", "0.7", "1"][1..size]);
            [vec![self.q()], fixed].concat()
        } else {
            numbers(&["0.7", "0.4", "0.5"][..size])
        };
        let mut angle = match self.random.below(3) {
            0 => plus(self.q(), self.term(0)),
            _ => self.q(),
        };
        if self.random.once_in(8) {
            self.timed = true;
            let moved = if self.random.once_in(2) {
                &mut angle
            } else {
                &mut place[1]
            };
            let by = times(number("0.4"), Expr::Time { name: "t".into() });
            *moved = plus(moved.clone(), by);
        }
        let axes = [["0", "0", "1"], ["0.7", "0", "1"], ["0.5", "2", "0.4"]];
        let axis = numbers(&axes[self.random.below(3)]);
        Step { place, axis, angle }
    }

    /// The frame of a product of poses after another frame.
    fn after(&mut self, name: &str, from: Option<&Frame>, steps: &[Step]) -> Frame {
        let size = steps[0].place.len();
        let unit = |k: usize| (0..size).map(move |i| exactly(f64::from(u8::from(i == k))));
        let mut whole = from.map(|it| (it.place.clone(), it.axes.clone()));
        for step in steps {
            let axes: Vec<Expr> = (0..size).map(|k| step.turn(unit(k).collect())).collect();
            let place = Expr::List(step.place.clone());
            whole = Some(match whole {
                None => (place, axes),
                Some((origin, before)) => {
                    let mut carried = |vector: Expr| {
                        let local = self.local("", vector);
                        combined(&before, &components(&local, size))
                    };
                    let place = plus(origin, carried(place));
                    let axes = axes.into_iter().map(carried).collect();
                    (place, axes)
                }
            });
            let (place, axes) = whole.expect("a frame");
            let axes = axes.into_iter().map(|axis| self.local("", axis)).collect();
            whole = Some((self.local("", place), axes));
        }
        let (place, axes) = whole.expect("a frame");
        self.frame(name, place, axes)
    }

    /// A mass, moments as they are written, and what they are made of.
    pub fn inertia(&mut self, size: usize) -> (usize, String, Vec<f64>) {
        let mass = 2 + self.random.below(2);
        let weights: Vec<usize> = (0..3).map(|_| 1 + self.random.below(3)).collect();
        let [a, b, c] = [weights[0], weights[1], weights[2]];
        let moments = match size {
            2 => a.to_string(),
            _ => format!("[{}, {}, {}]", b + c, c + a, a + b),
        };
        // In the plane one axis will do.
        let axes = if size == 2 { 1 } else { 3 };
        let weights = weights[..axes].iter().map(|&w| w as f64).collect();
        (mass, moments, weights)
    }

    // ---- splines --------------------------------------------------------------------------------

    /// A bead on a curve through points.
    fn spline(&mut self, i: usize) {
        self.kinked = true;
        let knots = ["-1.5", "-0.5", "0.25", "1.5"];
        let bends = [["0.4", "1", "-0.5", "0.4"], ["0.25", "0.7", "0.5", "0.25"]];
        let rising = [["-1", "-0.5", "0.25", "1"], ["-1", "0.5", "0.25", "0.25"]];
        let (name, values) = match self.random.below(3) {
            0 => ("cubic_spline", *self.random.pick(&bends)),
            1 => ("periodic_spline", *self.random.pick(&bends)),
            _ => ("monotone_spline", *self.random.pick(&rising)),
        };
        let argument = match self.random.below(2) {
            0 => self.q(),
            _ => plus(self.q(), self.term(1)),
        };
        let text = text_of(&argument);
        let (at, through) = (knots.join(", "), values.join(", "));
        self.say(format!("let s{i} = {name}({text}, [{at}], [{through}]);"));
        self.say(format!("particle w{i} = [{text}, s{i}] {{ mass: 2 }}"));
        let [x, y] = [knots, values].map(|list| list.map(|it| it.parse().expect("a number")));
        let pieces = splines::pieces(name, &x, &y);
        let argument = self.local("", argument);
        let height = self.local(&format!("s{i}"), by_pieces(&argument, &pieces));
        self.named.push(height.clone());
        self.named_place(&format!("w{i}"), vec![argument, height]);
        let bead = self.reached.last().expect("the bead").clone();
        self.points.push((2.0, bead));
    }

    // ---- arrays ---------------------------------------------------------------------------------

    /// Coordinates with inertia, gravity and rows by their number.
    fn array(&mut self, i: usize) {
        let name = format!("y{i}");
        self.say(format!("coordinate {name}[3];"));
        let y: Vec<Expr> = (0..3)
            .map(|k| self.coordinate(&format!("{name}[{k}]")))
            .collect();
        self.say(format!(
            "for i in 0..3 {{ kinetic 2*velocity({name}[i])^2; }}"
        ));
        self.points.extend(y.iter().map(|y| (4.0, vec![y.clone()])));
        self.say(format!("for i in 0..3 {{ potential 0.9*cos({name}[i]); }}"));
        let hills = y
            .iter()
            .map(|y| times(exactly(0.9), call("cos", vec![y.clone()])));
        self.potential.extend(hills);
        self.say(format!(
            "constraint e{i}[i in 1..3]: {name}[i] - 0.9*sin({name}[i-1]);"
        ));
        for pair in y.windows(2) {
            let before = times(exactly(0.9), call("sin", vec![pair[0].clone()]));
            self.rows.push((false, minus(pair[1].clone(), before)));
        }
    }

    /// Particles, rods from each to the next, and springs between the first and all others.
    fn net(&mut self, i: usize) {
        let (name, size) = (format!("n{i}"), 2 + usize::from(self.random.once_in(3)));
        self.say(format!("particle {name}[3]: Point{size} {{ mass: 2 }}"));
        let points: Vec<Vec<Expr>> = (0..3)
            .map(|k| self.point(&format!("{name}[{k}]"), size))
            .collect();
        self.points
            .extend(points.iter().map(|it| (2.0, it.clone())));
        self.reached.extend(points.clone());
        let apart = |a: &[Expr], b: &[Expr]| {
            let pairs = a.iter().zip(b);
            sum(pairs.map(|(a, b)| squared(minus(a.clone(), b.clone()))))
        };
        self.say(format!(
            "for i in 1..3 {{ potential 0.9*norm_squared({name}[i] - {name}[0]); }}"
        ));
        let springs = points[1..]
            .iter()
            .map(|it| times(exactly(0.9), apart(it, &points[0])));
        self.potential.extend(springs);
        self.say(format!(
            "constraint rod{i}[i in 1..3]: norm_squared({name}[i] - {name}[i-1]) == 0.9;"
        ));
        let rods = points.windows(2).map(|pair| {
            let length = apart(&pair[1], &pair[0]);
            (false, minus(length, exactly(0.9)))
        });
        self.rows.extend(rods);
    }

    // ---- moving constraints ---------------------------------------------------------------------

    /// A particle on a rod that grows while its pivot moves.
    fn moving(&mut self, i: usize) {
        self.timed = true;
        let name = format!("m{i}");
        self.say(format!("particle {name}: Point2 {{ mass: 3 }}"));
        self.say(format!(
            "constraint led{i}: norm_squared({name} - [cos(2*t), 0.4*t]) == 2 + sin(t);"
        ));
        let place = self.point(&name, 2);
        self.points.push((3.0, place.clone()));
        self.reached.push(place.clone());
        let t = || Expr::Time { name: "t".into() };
        let pivot = [
            call("cos", vec![times(exactly(2.0), t())]),
            times(exactly(0.4), t()),
        ];
        let parts = place.into_iter().zip(pivot);
        let length = sum(parts.map(|(a, b)| squared(minus(a, b))));
        let grows = plus(exactly(2.0), call("sin", vec![t()]));
        self.rows.push((false, minus(length, grows)));
    }

    // ---- parts ----------------------------------------------------------------------------------

    /// Pendulums each from the one before it, told by angles or held by rods.
    fn parts(&mut self, i: usize, rods: bool) {
        let (part, count) = (format!("Link{i}"), 2 + self.random.below(2));
        let body = if rods {
            "particle bob: Point2 { mass: weight } constraint rod: norm_squared(bob - base) == 0.7;"
        } else {
            "coordinate turn; particle bob = base + [0.7*sin(turn), -0.7*cos(turn)] { mass: weight }"
        };
        self.say(format!(
            "part {part} {{ base: Vector2, weight: Real }} {{ {body} potential weight*bob.y; }}"
        ));
        let hook = vec![self.q(), self.term(1)];
        let text = text_of_vector(&hook);
        self.say(format!("link{i}[0]: {part} {{ base: {text}, weight: 2 }}"));
        self.say(format!(
            "link{i}[j in 1..{count}]: {part} {{ base: link{i}[j-1].bob, weight: 3 }}"
        ));
        let mut base = hook;
        for k in 0..count {
            let name = format!("link{i}[{k}]");
            let weight = if k == 0 { 2.0 } else { 3.0 };
            base = if rods {
                self.bob_on_a_rod(&name, &base)
            } else {
                self.bob_at_an_angle(&name, base)
            };
            self.points.push((weight, base.clone()));
            self.potential.push(times(exactly(weight), base[1].clone()));
        }
    }

    fn bob_on_a_rod(&mut self, name: &str, base: &[Expr]) -> Vec<Expr> {
        let bob = self.point(&format!("{name}.bob"), 2);
        self.reached.push(bob.clone());
        let parts = bob.iter().zip(base);
        let length = sum(parts.map(|(a, b)| squared(minus(a.clone(), b.clone()))));
        self.rows.push((false, minus(length, exactly(0.7))));
        bob
    }

    fn bob_at_an_angle(&mut self, name: &str, base: Vec<Expr>) -> Vec<Expr> {
        let turn = self.coordinate(&format!("{name}.turn"));
        let [sine, cosine] = ["sin", "cos"].map(|f| call(f, vec![turn.clone()]));
        let arm = [times(exactly(0.7), sine), times(exactly(-0.7), cosine)];
        let place = base.into_iter().zip(arm).map(|(a, b)| plus(a, b));
        self.named_place(&format!("{name}.bob"), place.collect())
    }
}

impl Step {
    fn text(&self) -> String {
        let (place, angle) = (text_of_vector(&self.place), text_of(&self.angle));
        match self.place.len() {
            2 => format!("pose({place}, {angle})"),
            _ => format!("pose({place}, {}, {angle})", text_of_vector(&self.axis)),
        }
    }

    /// r cos φ + (a×r) sin φ + a (a·r) (1 − cos φ), of the plane about its normal.
    fn turn(&self, arm: Vec<Expr>) -> Expr {
        let [sine, cosine] = ["sin", "cos"].map(|f| call(f, vec![self.angle.clone()]));
        let space = arm.len() == 3;
        let arm = Expr::List(arm);
        let along = times(cosine.clone(), arm.clone());
        if !space {
            return plus(along, times(sine, call("perp", vec![arm])));
        }
        let axis = call("normalize", vec![Expr::List(self.axis.clone())]);
        let across = times(sine, call("cross", vec![axis.clone(), arm.clone()]));
        let rest = times(
            minus(exactly(1.0), cosine),
            call("dot", vec![axis.clone(), arm]),
        );
        sum([along, across, times(rest, axis)])
    }
}

/// Each cubic up to where it ends.
fn by_pieces(x: &Expr, pieces: &[Piece]) -> Expr {
    let cubic = |piece: &Piece| {
        let t = minus(x.clone(), exactly(piece.start));
        let coefficients = piece.coefficients.iter().rev();
        coefficients.fold(exactly(0.0), |value, &c| {
            plus(exactly(c), times(t.clone(), value))
        })
    };
    let (last, others) = pieces.split_last().expect("a piece");
    let branches = others.iter().map(|piece| {
        let end = Box::new(exactly(piece.end));
        (
            Condition::Compare("<", Box::new(x.clone()), end),
            cubic(piece),
        )
    });
    Expr::If(branches.collect(), Box::new(cubic(last)))
}
