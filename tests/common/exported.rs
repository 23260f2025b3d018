//! Calls in other languages, run on numbers: what each function is given, and what the interpreter finds.

#![allow(dead_code, reason = "not every language is handed all of it")]

use std::fmt::Write;

use constraint_symbolic::call::{Call, Certified, Reader};
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::export::{Target, export_certified};
use constraint_symbolic::expr::Node;
use constraint_symbolic::function::{Argument, Dimension, Function, Shape, system};
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::macros::Derived;
use constraint_symbolic::model::{self, Role};
use proc_macro2::{Ident, TokenTree};

use crate::random::Random;

/// t
pub const TIME: f64 = 0.7;

/// The step of one that moves.
pub const STEP: f64 = 0.01;

/// A call, and a function of it by function what it is given and gives.
pub struct Case {
    /// The type's name, which no other case has.
    pub name: String,
    /// The call under that name.
    pub call: String,
    /// The call in each language, or the reason for which it cannot be exported.
    texts: Vec<(Target, Result<String, String>)>,
    /// Parameters and inputs, field by field.
    pub own: Fields,
    pub given: Fields,
    /// All functions that the interpreter knows of.
    pub functions: Vec<Evaluation>,
    /// What a step begins at; nothing of what has no coordinates of its own.
    pub start: Option<[Vec<f64>; 2]>,
}

/// The fields of a struct, and their numbers in a row.
pub struct Fields {
    fields: Vec<(String, Vec<usize>)>,
    values: Vec<f64>,
}

/// A function with its arguments and its expected result.
pub struct Evaluation {
    pub name: &'static str,
    pub arguments: Vec<Value>,
    /// Nothing of what is solved for at run time.
    pub expected: Option<Vec<f64>>,
    /// What the rounding of single precision in all that is given changes in that, beside its largest number.
    pub blurred: f64,
}

/// What a function is given, as numbers in a row and as JavaScript has them.
pub struct Value {
    pub numbers: Vec<f64>,
    pub is_number: bool,
    pub javascript: String,
}

/// How many numbers there are of each kind.
#[derive(Clone, Copy)]
struct Sizes {
    coordinates: usize,
    velocities: usize,
    rows: usize,
    bodies: usize,
    inputs: usize,
    outputs: usize,
    sides: usize,
    parameters: usize,
}

impl Case {
    /// Derives a call once, under the given name, and exports it in the languages.
    ///
    /// # Errors
    /// The call has mistakes.
    pub fn attempted(
        call: &Call,
        name: &str,
        random: &mut Random,
        languages: &[Target],
    ) -> Result<Case, Diagnostics> {
        let call = renamed(call, name);
        call.certified(Reader::Person, |certified| {
            let text = |target| {
                export_certified(&certified, target).map_err(|refused| refused.to_string())
            };
            Case {
                texts: languages.iter().map(|&it| (it, text(it))).collect(),
                ..Case::run(&call, &certified, random)
            }
        })
    }

    /// [`Case::attempted`] for a call that is right.
    ///
    /// # Panics
    /// The call has mistakes.
    pub fn new(call: &Call, name: &str, random: &mut Random, languages: &[Target]) -> Case {
        Case::attempted(call, name, random, languages).unwrap_or_else(|mistakes| {
            let mistakes: Vec<&String> = mistakes.iter().map(|it| &it.message).collect();
            panic!("{mistakes:?} in {}", call.body)
        })
    }

    /// Evaluates the functions by the interpreter, without texts.
    fn run(call: &Call, certified: &Certified<'_>, random: &mut Random) -> Case {
        let sizes = Sizes::of(certified);
        let own = Fields::new(&certified.derivation().model().parameters, random);
        let (given, start) = match certified.derived() {
            Derived::System(derived) => (Fields::of_inputs(derived, random), true),
            _ => (Fields::empty(), false),
        };
        let numbers = Numbers::new(certified, sizes, random);
        let fields = [&own.values[..], &given.values[..]];
        let mut functions = numbers.functions(certified, fields);
        let other = numbers.blurred().functions(certified, fields);
        for (evaluation, other) in functions.iter_mut().zip(&other) {
            evaluation.blur(other);
        }
        let start = start.then(|| [numbers.q.clone(), numbers.v.clone()]);
        Case {
            name: call.name.clone().unwrap_or_else(|| "Constraint".into()),
            call: call.tokens().to_string(),
            texts: Vec::new(),
            own,
            given,
            functions,
            start,
        }
    }

    /// The call in one of its languages.
    ///
    /// # Panics
    /// The language supports none of its functions, or the case was made without it.
    pub fn text(&self, target: Target) -> &str {
        let found = self.texts.iter().find(|it| it.0 == target);
        match found.map(|it| &it.1) {
            Some(Ok(text)) => text,
            found => panic!("{}: {found:?}", self.call),
        }
    }
    /// Replaces a part of the call's text in one language, everywhere: a planted fault.
    ///
    /// # Panics
    /// The text has no such part.
    pub fn replace(&mut self, target: Target, part: &str, by: &str) {
        let text = self.text(target);
        assert!(text.contains(part), "{text}");
        let changed = text.replace(part, by);
        let all = self.texts.iter_mut().filter(|it| it.0 == target);
        all.for_each(|it| it.1 = Ok(changed.clone()));
    }
}

/// The same call of a type with another name; an equation that stands alone has none.
fn renamed(call: &Call, name: &str) -> Call {
    let mut behind = false;
    let mut found = false;
    let body = call.body.clone().into_iter().map(|token| match token {
        TokenTree::Ident(word) if behind && !found => {
            found = true;
            TokenTree::Ident(Ident::new(name, word.span()))
        }
        TokenTree::Ident(word) => {
            behind = word == "struct";
            TokenTree::Ident(word)
        }
        token => token,
    });
    let body = body.collect();
    Call {
        body,
        name: call.name.as_ref().map(|_| name.to_owned()),
        ..call.clone()
    }
}

impl Sizes {
    fn of(certified: &Certified<'_>) -> Sizes {
        let (derived, model) = (certified.derived(), certified.derivation().model());
        let sizes = Sizes {
            coordinates: model.coordinate_count(),
            velocities: model.coordinate_count(),
            rows: model.rows.len(),
            bodies: 0,
            inputs: 0,
            outputs: 0,
            sides: 0,
            parameters: model.varied(),
        };
        match derived {
            Derived::Constraint(_) if !model.bodies.is_empty() => {
                let (bodies, d) = (model.bodies.len(), model.body_velocities());
                Sizes {
                    coordinates: bodies * if d == 3 { 4 } else { 7 },
                    velocities: bodies * d,
                    bodies,
                    ..sizes
                }
            }
            Derived::Constraint(_) => sizes,
            Derived::Curve(derived) => Sizes {
                coordinates: derived.dimension(),
                velocities: derived.dimension(),
                ..sizes
            },
            Derived::System(derived) => Sizes {
                coordinates: derived.system.scalars(),
                velocities: derived.system.velocities(),
                rows: derived.system.rows.len(),
                inputs: derived.system.given(),
                outputs: derived.system.observed.len(),
                sides: derived.system.sides(),
                ..sizes
            },
        }
    }

    /// The numbers of one body: of its pose, of its velocity, and of its inverse inertia.
    fn of_body(self) -> [usize; 3] {
        let [q, v] = [self.coordinates, self.velocities].map(|it| it / self.bodies.max(1));
        [q, v, if v == 3 { 1 } else { 6 }]
    }

    fn entries(self, dimension: Dimension) -> usize {
        match dimension {
            Dimension::Rows => self.rows,
            Dimension::Bodies => self.bodies,
            Dimension::Coordinates => self.coordinates,
            _ => self.velocities,
        }
    }
}

impl Fields {
    fn empty() -> Fields {
        let (fields, values) = (Vec::new(), Vec::new());
        Fields { fields, values }
    }

    fn listed<'a>(
        declared: impl Iterator<Item = (&'a Ident, model::Shape, &'a Vec<usize>)>,
        random: &mut Random,
    ) -> Fields {
        let field = |(name, shape, lengths): (&Ident, model::Shape, &Vec<usize>)| {
            let mut lengths = lengths.clone();
            lengths.extend((shape != model::Shape::Scalar).then(|| shape.len()));
            (name.to_string(), lengths)
        };
        let fields: Vec<(String, Vec<usize>)> = declared.map(field).collect();
        let lengths = fields.iter().map(|it| it.1.iter().product::<usize>());
        // All may be masses.
        let values = (0..lengths.sum()).map(|_| random.between(0.6, 1.4));
        let values = values.collect();
        Fields { fields, values }
    }

    fn new(parameters: &[model::Parameter], random: &mut Random) -> Fields {
        let declared = parameters.iter();
        Fields::listed(declared.map(|it| (&it.name, it.shape, &it.lengths)), random)
    }

    fn of_inputs(derived: &constraint_symbolic::system::Derived, random: &mut Random) -> Fields {
        let declared = derived.system.inputs.iter();
        Fields::listed(declared.map(|it| (&it.name, it.shape, &it.lengths)), random)
    }

    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The lengths of each field's arrays, and its numbers.
    pub fn parts(&self) -> impl Iterator<Item = (&[usize], &[f64])> {
        let mut rest = &self.values[..];
        self.fields.iter().map(move |(_, lengths)| {
            let (own, others) = rest.split_at(lengths.iter().product());
            rest = others;
            (&lengths[..], own)
        })
    }

    /// The value of each field, in brackets.
    fn nested(&self, [open, close]: [&str; 2]) -> impl Iterator<Item = String> {
        self.parts().map(move |(lengths, own)| {
            let numbers = own.iter().map(|it| format!("{it:?}")).collect();
            let nest = |parts: Vec<String>, &length: &usize| {
                let parts = parts.chunks(length);
                let parts = parts.map(|part| format!("{open} {} {close}", part.join(", ")));
                parts.collect()
            };
            lengths.iter().rev().fold(numbers, nest).concat()
        })
    }

    /// `{ 1.0, { 2.0, 3.0 } }`
    pub fn in_c(&self) -> String {
        let values: Vec<String> = self.nested(["{", "}"]).collect();
        format!("{{ {} }}", values.join(", "))
    }

    /// `m=1.0, g=[ 2.0, 3.0 ]`; names that the text has no other use for.
    pub fn in_python(&self, is_known: impl Fn(&str) -> bool) -> String {
        let named = self.fields.iter().zip(self.nested(["[", "]"]));
        let named = named.map(|(it, value)| match is_known(&it.0.to_string()) {
            true => format!("{}={value}", it.0),
            false => format!("{}_={value}", it.0),
        });
        named.collect::<Vec<String>>().join(", ")
    }

    /// `m: 1.0, g: [ 2.0, 3.0 ]`
    pub fn in_javascript(&self) -> String {
        let named = self.fields.iter().zip(self.nested(["[", "]"]));
        let named: Vec<String> = named
            .map(|(it, value)| format!("{}: {value}", it.0))
            .collect();
        named.join(", ")
    }
}

/// What functions are given, but for parameters and inputs.
struct Numbers {
    sizes: Sizes,
    q: Vec<f64>,
    v: Vec<f64>,
    w: Vec<f64>,
    inertia: Vec<f64>,
    f: Vec<f64>,
    b: Vec<f64>,
    a: Vec<f64>,
    tangent: Vec<f64>,
    bars: [Vec<f64>; 5],
}

impl Numbers {
    /// Rotations are unit ones.
    fn new(certified: &Certified<'_>, sizes: Sizes, random: &mut Random) -> Numbers {
        let mut list = |count: usize| -> Vec<f64> {
            let number = |_| random.away_from_zero(0.2, 1.5);
            (0..count).map(number).collect()
        };
        let Sizes {
            velocities: n,
            rows,
            parameters,
            inputs,
            ..
        } = sizes;
        let varied = match certified.derived() {
            Derived::System(_) => 1 + 2 * n + inputs + parameters,
            _ => 1 + 4 * n + parameters,
        };
        let [_, _, inertia] = sizes.of_body();
        let masses = if sizes.bodies > 0 { sizes.bodies } else { n };
        let mut q = list(sizes.coordinates);
        for places in rotations(certified.derivation().model()) {
            let size = places.iter().map(|&i| q[i] * q[i]).sum::<f64>().sqrt();
            places.iter().for_each(|&i| q[i] /= size);
        }
        Numbers {
            sizes,
            q,
            v: list(n),
            w: list(masses).into_iter().map(f64::abs).collect(),
            inertia: list(inertia * sizes.bodies),
            f: list(n),
            b: list(rows),
            a: list(n),
            tangent: list(varied),
            bars: [n, rows, n, sizes.outputs, sizes.sides].map(list),
        }
    }

    /// All of them a last digit of single precision apart.
    fn blurred(&self) -> Numbers {
        let blur = |numbers: &Vec<f64>| -> Vec<f64> {
            let signs = [1.0, -1.0, -1.0].into_iter().cycle();
            let each = numbers.iter().zip(signs);
            each.map(|(it, sign)| it * (1.0 + sign * f64::from(f32::EPSILON)))
                .collect()
        };
        Numbers {
            sizes: self.sizes,
            q: blur(&self.q),
            v: blur(&self.v),
            w: blur(&self.w),
            inertia: blur(&self.inertia),
            f: blur(&self.f),
            b: blur(&self.b),
            a: blur(&self.a),
            tangent: blur(&self.tangent),
            bars: self.bars.each_ref().map(blur),
        }
    }

    fn given<'a>(&'a self, [parameters, inputs]: [&'a [f64]; 2]) -> Given<'a> {
        let [motion, rows, correction, outputs, sides] = &self.bars;
        Given {
            t: TIME,
            q: &self.q,
            v: &self.v,
            w: &self.w,
            inertia: &self.inertia,
            f: &self.f,
            b: &self.b,
            a: &self.a,
            tangent: &self.tangent,
            acceleration_bar: motion,
            force_bar: motion,
            multiplier_bar: rows,
            multipliers: rows,
            correction_bar: correction,
            outputs_bar: outputs,
            contact_forces: sides,
            sides_bar: sides,
            mass: 1.7,
            damping: 0.05,
            parameters,
            inputs,
        }
    }

    fn functions(&self, certified: &Certified<'_>, fields: [&[f64]; 2]) -> Vec<Evaluation> {
        let given = self.given(fields);
        let interpreter = match certified.derived() {
            Derived::System(derived) => Interpreter::of_system(derived),
            _ => Interpreter::new(certified.derivation().model()),
        };
        let evaluation = |function| self.evaluation(&interpreter, function, &given);
        certified
            .functions()
            .iter()
            .filter_map(evaluation)
            .collect()
    }

    fn evaluation(
        &self,
        interpreter: &Interpreter<'_>,
        function: &Function<'_>,
        given: &Given<'_>,
    ) -> Option<Evaluation> {
        let signature = &function.signature;
        let arguments = signature.arguments.iter();
        let arguments = arguments.filter(|it| **it != Argument::Entries);
        let expected = interpreter.evaluate(function, given).map(|it| it.values);
        Some(Evaluation {
            name: system::documented(signature.name),
            arguments: arguments.map(|&it| self.value(it)).collect::<Option<_>>()?,
            expected: expected.map(|it| self.by_bodies(signature.result, it)),
            blurred: 0.0,
        })
    }

    /// Matrices side by side, one after the other.
    fn by_bodies(&self, shape: Shape, values: Vec<f64>) -> Vec<f64> {
        let Shape::Blocks(_, columns) = shape else {
            return values;
        };
        let (n, bodies) = (
            self.sizes.entries(columns) / self.sizes.bodies.max(1),
            self.sizes.bodies,
        );
        let rows = |body| values.chunks(n).skip(body).step_by(bodies);
        (0..bodies).flat_map(rows).flatten().copied().collect()
    }

    fn value(&self, argument: Argument) -> Option<Value> {
        let [motion, rows, correction, outputs, sides] = &self.bars;
        let bodies = self.sizes.bodies > 0;
        Some(match argument {
            Argument::Time => number(TIME),
            Argument::Mass => number(1.7),
            Argument::Damping => number(0.05),
            Argument::Parameter => number(self.q[0]),
            Argument::Rate => number(self.v[0]),
            Argument::Coordinates if bodies => self.of_bodies(&self.q, 0, pose),
            Argument::Velocities if bodies => self.of_bodies(&self.v, 1, listed),
            Argument::Forces if bodies => self.of_bodies(&self.f, 1, listed),
            Argument::InverseMasses if bodies => self.of_bodies(&self.inverse_masses(), 2, mass),
            Argument::Coordinates => vector(&self.q),
            Argument::Velocities => vector(&self.v),
            Argument::InverseMasses => vector(&self.w),
            Argument::Forces => vector(&self.f),
            Argument::RightHandSide => vector(&self.b),
            Argument::Accelerations => vector(&self.a),
            Argument::AccelerationAdjoint | Argument::ForceAdjoint => vector(motion),
            Argument::MultiplierAdjoint | Argument::Multipliers => vector(rows),
            Argument::CorrectionAdjoint => vector(correction),
            Argument::OutputAdjoint => vector(outputs),
            Argument::SideForces | Argument::SideAdjoint => vector(sides),
            Argument::Tangent => {
                let Sizes {
                    velocities: n,
                    inputs,
                    parameters,
                    ..
                } = self.sizes;
                self.tangent(&[("q", n), ("v", n), ("u", inputs), ("p", parameters)])
            }
            Argument::ForceTangent => {
                let Sizes {
                    velocities: n,
                    parameters,
                    ..
                } = self.sizes;
                self.tangent(&[("q", n), ("v", n), ("w", n), ("f", n), ("p", parameters)])
            }
            // C is handed the force in the place of its law.
            Argument::ForceLaw => Value {
                javascript: format!("() => {}", listed(&self.f)),
                ..vector(&self.f)
            },
            Argument::Entries => return None,
        })
    }

    /// Of each body its inverse mass, and the entries of its inverse inertia.
    fn inverse_masses(&self) -> Vec<f64> {
        let [.., inertia] = self.sizes.of_body();
        let each = self.w.iter().zip(self.inertia.chunks(inertia));
        each.flat_map(|(&mass, inertia)| [&[mass], inertia].concat())
            .collect()
    }

    fn of_bodies(&self, numbers: &[f64], kind: usize, text: fn(&[f64]) -> String) -> Value {
        let mut sizes = self.sizes.of_body();
        sizes[2] += 1;
        let each: Vec<String> = numbers.chunks(sizes[kind]).map(text).collect();
        Value {
            javascript: format!("[{}]", each.join(", ")),
            ..vector(numbers)
        }
    }

    fn tangent(&self, parts: &[(&str, usize)]) -> Value {
        let mut rest = &self.tangent[1..];
        let mut text = format!("{{ t: {:?}", self.tangent[0]);
        for &(name, length) in parts {
            let (own, others) = rest.split_at(length);
            rest = others;
            write!(text, ", {name}: {own:?}").expect("a string");
        }
        Value {
            javascript: text + " }",
            ..vector(&self.tangent)
        }
    }
}

impl Evaluation {
    fn blur(&mut self, other: &Evaluation) {
        let both = self
            .expected
            .iter()
            .flatten()
            .zip(other.expected.iter().flatten());
        let apart = both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        self.blurred = apart / self.scale();
    }

    /// The largest number that is expected.
    pub fn scale(&self) -> f64 {
        let expected = self.expected.iter().flatten();
        expected.fold(1e-12, |most, it| it.abs().max(most))
    }
}

/// The positions of the rotations of bodies among the coordinates.
fn rotations(model: &model::Model) -> Vec<Vec<usize>> {
    let place = |id| match *model.graph.node(id) {
        Node::Symbol(symbol) => match model.symbols[symbol.index()].role {
            Role::Coordinate(i) => i,
            role => panic!("{role:?}"),
        },
        _ => panic!("a rotation is made of leaves"),
    };
    let bodies = model.bodies.iter();
    bodies
        .map(|body| body.rotation.iter().map(|&id| place(id)).collect())
        .collect()
}

fn number(number: f64) -> Value {
    Value {
        is_number: true,
        javascript: format!("{number:?}"),
        ..vector(&[number])
    }
}

fn vector(numbers: &[f64]) -> Value {
    Value {
        numbers: numbers.to_vec(),
        is_number: false,
        javascript: listed(numbers),
    }
}

fn listed(numbers: &[f64]) -> String {
    format!("{numbers:?}")
}

fn pose(numbers: &[f64]) -> String {
    let [place, turn] = match numbers.len() {
        4 => [&numbers[..2], &numbers[2..]],
        _ => [&numbers[..3], &numbers[3..]],
    };
    let turn = match turn {
        [re, im] => format!("re: {re:?}, im: {im:?}"),
        turn => format!("coords: {turn:?}"),
    };
    format!("{{ translation: {{ vector: {place:?} }}, rotation: {{ {turn} }} }}")
}

fn mass(numbers: &[f64]) -> String {
    let (mass, inertia) = (numbers[0], &numbers[1..]);
    if let [single] = inertia {
        return format!("{{ mass: {mass:?}, inertia: {single:?} }}");
    }
    let rows = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    let rows = rows.map(|row| row.map(|k| inertia[k]));
    format!("{{ mass: {mass:?}, inertia: {rows:?} }}")
}
