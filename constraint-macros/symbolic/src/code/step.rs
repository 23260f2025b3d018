//! A whole step: Runge–Kutta of order 4, then projection.
//!
//! ```text
//! points and coordinates     q̇ = v, v̇ by `acceleration`
//! bodies                     q̇ by `kinematics`, rotations of length one after each change;
//!                            those whose moments differ with Rᵀω for ω in the stages: q̇ and v̇ by `own_slope`
//! ```

use super::expression::{argument, changing, number, own, select, sqrt};
use super::integer::counter;
use super::procedure::{array, constant, integer, only_if, parameters, rounds, variable};
use super::{
    Affine, ArrayElement, Expression, Handed, Name, ParameterType, Procedure, Statement, Vector,
};
use crate::dynamics::OwnFrames;
use crate::expr::{CollectVec, PushEach};
use crate::system::Derived;

/// The sizes and the bodies of a system, as far as a step needs them.
#[derive(Clone, Debug, Default)]
pub struct Stepped {
    /// The number of coordinates,
    pub coordinates: usize,
    /// that of velocities,
    pub velocities: usize,
    /// and that of constraints.
    pub rows: usize,
    /// The rotations of bodies among the coordinates; where there is none, velocities are the rates of coordinates.
    pub rotations: Vec<Rotations>,
    /// Bodies that stages have in their own frames.
    pub frames: Vec<OwnFrames>,
}

/// Rotations of bodies of one kind among the coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Rotations {
    /// Where the first begins,
    pub first: usize,
    /// how many numbers it has,
    pub length: usize,
    /// how far behind it the next begins,
    pub apart: usize,
    /// and how many there are.
    pub count: usize,
}

impl Stepped {
    /// Of a system.
    pub fn of(derived: &Derived) -> Stepped {
        let system = &derived.system;
        let (mut first, mut rotations) = (0, Vec::new());
        for declared in &system.declared {
            let (apart, place) = (declared.element_scalars(), declared.shape.len());
            if declared.body {
                rotations.push(Rotations {
                    first: first + place,
                    length: apart - place,
                    apart,
                    count: declared.elements(),
                });
            }
            first += declared.scalars();
        }
        Stepped {
            coordinates: system.scalars(),
            velocities: system.coordinates.len(),
            rows: system.rows.len(),
            rotations,
            frames: derived.own_frames(),
        }
    }

    /// The step, behind what turns and restores bodies, where there are any.
    pub fn routines(&self) -> Vec<Procedure<'static>> {
        let step = Procedure {
            name: "step",
            parameters: parameters([
                ("", ParameterType::Own),
                ("t", ParameterType::Number),
                ("h", ParameterType::Number),
                ("q", ParameterType::Changed(self.coordinates)),
                ("v", ParameterType::Changed(self.velocities)),
            ]),
            gives: None,
            body: [self.stages(), self.projection()].concat(),
        };
        let before = [self.turning(), self.restoring()].into_iter();
        let before = before.filter(|it| !it.body.is_empty());
        before.chain([step]).collect_vec()
    }

    fn stages(&self) -> Vec<Statement<'static>> {
        let (rates, n) = (self.coordinates, self.velocities);
        let (i, j) = (counter("i"), counter("j"));
        let [x, u, q, v] = [own("x"), own("u"), argument("q"), argument("v")].map(|it| it.at(j));
        let (given, rate, slope) = self.slopes();
        let mut stages = given;
        stages.push(changing("part").set(select(i.is(2), 1.0, 0.5)));
        stages.push(stage(rates, 0, [x.clone(), q.clone(), rate]));
        stages.push(stage(n, rates, [u.clone(), v.clone(), slope]));
        let advanced = |it: ArrayElement, first: usize| {
            it.increase(number("h") / 6.0 * own("sum").at(j + first))
        };
        let mut all = vec![
            array("x", rates),
            array("u", n),
            array("sum", rates + n),
            array("middle", rates + n),
        ];
        all.push_each(self.turned(-1.0));
        all.push_each([
            rounds("j", rates, [x.set(q.clone())]),
            rounds("j", n, [u.set(v.clone())]),
            variable("part", 0.0),
            Statement::Rounds(super::Rounds::up_to("i", 4), stages),
            rounds("j", rates, [advanced(q, 0)]),
            rounds("j", n, [advanced(v, rates)]),
        ]);
        all.push_each(self.turned(1.0));
        all.push_each(self.restored());
        all
    }

    /// Slopes of coordinates and of velocities at a stage: what gives them, and an entry of each.
    fn slopes(&self) -> (Vec<Statement<'static>>, ArrayElement, ArrayElement) {
        let (rates, n, j) = (self.coordinates, self.velocities, counter("j"));
        let time = || number("t") + number("h") * number("part");
        let state = || [own_array("x"), own_array("u")];
        let given = |name, function, length| given(name, function, time(), state(), length);
        if !self.frames.is_empty() {
            let slopes = given("k", "own_slope", rates + n);
            return (vec![slopes], own("k").at(j), own("k").at(j + rates));
        }
        let slope = given("slope", "acceleration", n);
        if self.rotations.is_empty() {
            return (vec![slope], own("u").at(j), own("slope").at(j));
        }
        let rate = given("rate", "kinematics", rates);
        (vec![rate, slope], own("rate").at(j), own("slope").at(j))
    }

    fn turned(&self, sign: f64) -> Option<Statement<'static>> {
        let given = [Handed::Argument("q".into()), Handed::Argument("v".into())];
        let given = given.into_iter().chain([Handed::Number(sign.into())]);
        (!self.frames.is_empty()).then(|| Statement::Call("turn", given.collect_vec()))
    }

    fn restored(&self) -> Option<Statement<'static>> {
        let given = vec![Handed::Argument("q".into())];
        (!self.rotations.is_empty()).then_some(Statement::Call("normalize", given))
    }

    fn projection(&self) -> Vec<Statement<'static>> {
        let (rates, n, rows) = (self.coordinates, self.velocities, self.rows);
        if rows == 0 {
            return Vec::new();
        }
        let j = counter("j");
        let end = || number("t") + number("h");
        let [q, v] = ["q", "v"].map(|it| Handed::Argument(it.into()));
        let change = || {
            let given_ = [Handed::Argument("q".into()), own_array("c")];
            given("change", "correction", end(), given_, n)
        };
        let residual = Statement::Given {
            name: "c".into(),
            function: "constraint",
            arguments: vec![Handed::Number(end()), q.clone()],
            length: rows,
        };
        let mut places = vec![residual, change()];
        if self.rotations.is_empty() {
            let moved = argument("q").at(j).decrease(own("change").at(j));
            places.push(rounds("j", n, [moved]));
        } else {
            let rate = [q.clone(), own_array("change")];
            places.push(given("rate", "kinematics", end(), rate, rates));
            let moved = argument("q").at(j).decrease(own("rate").at(j));
            places.push(rounds("j", rates, [moved]));
        }
        places.push_each(self.restored());
        vec![
            Statement::Rounds(super::Rounds::up_to("i", 3), places),
            given("c", "constraint_rate", end(), [q, v], rows),
            change(),
            rounds("j", n, [argument("v").at(j).decrease(own("change").at(j))]),
        ]
    }

    /// Rotations of length one.
    fn restoring(&self) -> Procedure<'static> {
        let entry = || argument("q").at(counter("r") + counter("j"));
        let restored = self.rotations.iter().map(|of| {
            let first = Affine::from(of.first) + of.apart * counter("i");
            let body = [
                integer("r", first),
                variable("square", 0.0),
                rounds(
                    "j",
                    of.length,
                    [changing("square").increase(entry() * entry())],
                ),
                constant("inverse", 1.0 / sqrt(number("square"))),
                rounds("j", of.length, [entry().scale(number("inverse"))]),
            ];
            rounds("i", of.count, body)
        });
        Procedure {
            name: "normalize",
            parameters: parameters([("q", ParameterType::Changed(self.coordinates))]),
            gives: None,
            body: restored.collect_vec(),
        }
    }

    /// ω of the world to Rᵀω for the sign −1, and back for 1, at any length of the rotation, which stages do not keep.
    fn turning(&self) -> Procedure<'static> {
        Procedure {
            name: "turn",
            parameters: parameters([
                ("q", ParameterType::Vector(self.coordinates)),
                ("v", ParameterType::Changed(self.velocities)),
                ("sign", ParameterType::Number),
            ]),
            gives: None,
            body: self.frames.iter().map(turned).collect_vec(),
        }
    }
}

/// ω of all bodies of one kind, turned by their quaternions.
fn turned(of: &OwnFrames) -> Statement<'static> {
    let n = number;
    let q = |k: usize| argument("q").at(counter("r") + k);
    let v = |k: usize| argument("v").at(counter("s") + k);
    let axis = n("i") * n("i") + n("j") * n("j") + n("k") * n("k");
    let rotated = |w: &'static str, a: [&'static str; 4]| {
        let [b, c, d, e] = a.map(n);
        (n(w) * n("w") + (b * c - d * e)) * n("scale")
    };
    let body = [
        integer("r", Affine::from(of.turn) + 7 * counter("n")),
        integer("s", Affine::from(of.spin) + 6 * counter("n")),
        constant("i", q(0)),
        constant("j", q(1)),
        constant("k", q(2)),
        constant("w", n("sign") * q(3)),
        constant("scale", 2.0 / (axis + n("w") * n("w"))),
        constant("x", n("j") * v(2) - n("k") * v(1)),
        constant("y", n("k") * v(0) - n("i") * v(2)),
        constant("z", n("i") * v(1) - n("j") * v(0)),
        v(0).increase(rotated("x", ["j", "z", "k", "y"])),
        v(1).increase(rotated("y", ["k", "x", "i", "z"])),
        v(2).increase(rotated("z", ["i", "y", "j", "x"])),
    ];
    rounds("n", of.count, body)
}

/// A stage's loop over coordinates or velocities, whose sums begin at `first`: the moved vector, where it starts, its slope.
fn stage(
    length: usize,
    first: usize,
    [moved, from, slope]: [ArrayElement; 3],
) -> Statement<'static> {
    let (i, j) = (counter("i"), counter("j"));
    let [sum, middle] = ["sum", "middle"].map(|it| own(it).at(j + first));
    let slope = || Expression::from(slope.clone());
    let both = 2.0 * (Expression::from(middle.clone()) + slope());
    let body = [
        only_if(i.is(0), [sum.clone().set(slope())]),
        only_if(i.is(1), [middle.set(slope())]),
        only_if(i.is(2), [sum.clone().increase(both)]),
        only_if(i.is(3), [sum.increase(slope())]),
        moved.set(Expression::from(from) + number("h") * number("part") * slope()),
    ];
    rounds("j", length, body)
}

fn own_array(name: &'static str) -> Handed<'static> {
    Handed::Array(name.into())
}

/// The array that a function gives at a time and a state.
fn given(
    name: &'static str,
    function: &'static str,
    time: Expression<'static>,
    state: [Handed<'static>; 2],
    length: usize,
) -> Statement<'static> {
    let arguments = [Handed::Number(time)].into_iter().chain(state);
    Statement::Given {
        name: name.into(),
        function,
        arguments: arguments.collect_vec(),
        length,
    }
}

/// The velocities of the world, where those of bodies are given in their own frames.
pub const WORLD: &str = "world";

/// Velocities with ω of the world, from others with Rᵀω: `world`.
pub fn in_world([q, v]: [&Name; 2], velocities: usize) -> Vec<Statement<'static>> {
    let j = counter("j");
    let copied = own(WORLD).at(j).set(Vector::Argument(v.clone()).at(j));
    let given = vec![
        Handed::Argument(q.clone()),
        own_array(WORLD),
        Handed::Number(1.0.into()),
    ];
    vec![
        array(WORLD, velocities),
        rounds("j", velocities, [copied]),
        Statement::Call("turn", given),
    ]
}
