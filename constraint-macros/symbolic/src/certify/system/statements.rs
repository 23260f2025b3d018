//! The statements of a system at a point: rows, energies and virtual work.
//!
//! Of a motion q + v τ + a τ²/2 that differs by w, the principle of d'Alembert and Lagrange says what M a − h is along w:
//! m r̈·δr of each mass, (I ω̇ + ω×I ω)·δθ of each body, d/dt(∂T/∂v·w) − ∂T/∂q·w of kinetic energies, less the work of
//! all forces. No matrix and no derivative of anything is formed, and each statement is read once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::Ident;

use super::layout::{Layout, Place};
use super::scope::Callable;
use crate::certify::bodies::{Moving, Pose};
use crate::certify::field::Residue;
use crate::certify::linear::dot;
use crate::certify::point::{Point, Stop};
use crate::certify::series::Series;
use crate::certify::tree::{Found, Reader, Value, declared, given};
use crate::model::System;
use crate::syntax::ast::{Constraint, Declaration, Expr, ExprKind, name_of};
use crate::syntax::library_joint;
use crate::syntax::statement::{self, Declared, For, Part, PartUse, Statement, StatementKind};

/// What functions are given at a point.
#[derive(Debug)]
pub struct Given {
    pub t: Residue,
    pub q: Vec<Residue>,
    pub v: Vec<Residue>,
    /// By parameter and by input, component by component.
    pub parameters: Vec<Vec<Residue>>,
    pub inputs: Vec<Vec<Residue>>,
    /// The bodies with coordinates of their own, by their first.
    pub poses: BTreeMap<usize, Pose>,
}

/// A motion from there: its accelerations, and by what it differs.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    pub a: &'a [Residue],
    pub w: &'a [Residue],
}

/// What statements say of a motion.
#[derive(Debug, Default)]
pub struct Findings {
    pub rows: Vec<Row>,
    /// w·(M a − h)
    pub work: Residue,
    /// T
    pub kinetic: Residue,
    /// V; none where inputs make the gravity.
    pub potential: Option<Residue>,
    /// By name in the order of their first elements.
    pub outputs: Vec<(String, Vec<Residue>)>,
}

/// A row along the motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// C, which a relation of velocities has none of.
    pub value: Residue,
    /// Ċ
    pub rate: Residue,
    /// J a + β
    pub second: Residue,
    /// J w
    pub along: Residue,
}

impl Row {
    fn new(row: &Series) -> Row {
        let [gain, ..] = row.gaining;
        if gain.is_zero() {
            return Row {
                value: row.value,
                rate: row.rate,
                second: row.half_second + row.half_second,
                along: row.along,
            };
        }
        Row {
            value: Residue::ZERO,
            rate: row.value,
            second: row.rate,
            along: gain,
        }
    }
}

/// Joints of the library that have been read.
pub type Joints = RefCell<BTreeMap<(String, bool), Option<Rc<Constraint>>>>;

/// What stays the same from point to point.
#[derive(Debug)]
pub struct Text<'a> {
    pub tree: &'a statement::System,
    pub system: &'a System,
    pub layout: Layout,
    pub joints: Joints,
}

/// A part, and how many names it sees.
#[derive(Clone, Copy, Debug)]
struct Definition<'a> {
    part: &'a Part,
    names: usize,
}

/// Reads statements.
pub struct Reading<'a> {
    reader: Reader<'a>,
    text: &'a Text<'a>,
    given: &'a Given,
    motion: Motion<'a>,
    found: Findings,
    parts: BTreeMap<String, Definition<'a>>,
    /// The parts around the statement, each with its indices.
    within: Vec<(String, Vec<usize>)>,
    /// In a `for` where names end that outlast it.
    lasting: Option<usize>,
    /// Arrays that are declared element by element.
    growing: BTreeSet<String>,
    /// Masses and where they are.
    heavy: Vec<(Residue, Vec<Series>)>,
    gravity: Option<Vec<Series>>,
    /// Names made of inputs.
    driven: BTreeSet<String>,
    /// Whether those make the gravity.
    driven_gravity: bool,
}

/// All that is said of a motion; outputs where λ is known.
pub fn read(
    text: &Text<'_>,
    given: &Given,
    motion: Motion<'_>,
    multipliers: Option<&[Residue]>,
    point: &mut Point,
) -> Found<Findings> {
    let mut names = declared(&text.system.model, &given.parameters);
    let clock = Series {
        value: given.t,
        rate: Residue::ONE,
        ..Series::default()
    };
    names.push(("t".to_owned(), Value::Scalar(clock)));
    let mut reader = Reader::new(point, names);
    reader.scope.multipliers = multipliers.map(<[_]>::to_vec);
    let mut reading = Reading {
        reader,
        text,
        given,
        motion,
        found: Findings::default(),
        parts: BTreeMap::new(),
        within: Vec::new(),
        lasting: None,
        growing: BTreeSet::new(),
        heavy: Vec::new(),
        gravity: None,
        driven: BTreeSet::new(),
        driven_gravity: false,
    };
    reading.found.potential = Some(Residue::ZERO);
    reading.constants(&text.tree.statements)?;
    reading.statements(&text.tree.statements)?;
    reading.weigh();
    Ok(reading.found)
}

// ---- statements ---------------------------------------------------------------------------------

impl<'a> Reading<'a> {
    /// Numbers that may be named before they are declared.
    fn constants(&mut self, statements: &'a [Statement]) -> Found<()> {
        for statement in statements {
            if let StatementKind::Const(name, value) = &statement.kind {
                let value = self.reader.value(value)?;
                self.bind(name, value);
            }
        }
        Ok(())
    }

    fn statements(&mut self, statements: &'a [Statement]) -> Found<()> {
        for statement in statements {
            self.statement(&statement.kind)?;
        }
        Ok(())
    }

    fn statement(&mut self, kind: &'a StatementKind) -> Found<()> {
        match kind {
            StatementKind::Const(..) => {}
            StatementKind::Function(function) => self.reader.scope.functions.push(Callable {
                name: name_of(&function.name),
                function,
                names: self.reader.names.len(),
            }),
            StatementKind::Let(name, value) => {
                if self.is_driven(value) {
                    self.driven.insert(name_of(name));
                }
                let value = self.reader.value(value)?;
                self.bind(name, value);
            }
            StatementKind::Coordinate(list) => {
                for declared in list {
                    self.own(declared)?;
                }
            }
            StatementKind::Input(list) => list.iter().for_each(|it| self.input(&it.declared)),
            StatementKind::Particle(particle) => self.particle(particle)?,
            StatementKind::Body(body) => self.body(body)?,
            StatementKind::Force(target, value) => self.force(target, value)?,
            StatementKind::Torque(target, value) => self.torque(target, value)?,
            StatementKind::Gravity(value) => {
                self.driven_gravity = self.is_driven(value);
                self.gravity = Some(self.reader.value(value)?.components().to_vec());
            }
            StatementKind::Potential(value) => {
                let term = self.reader.scalar(value)?;
                self.found.work = self.found.work + term.along;
                self.store(term.value);
            }
            StatementKind::Dissipation(value) => {
                let term = self.reader.scalar(value)?;
                self.found.work = self.found.work + term.gaining[0];
            }
            StatementKind::Kinetic(value) => {
                let term = self.reader.scalar(value)?;
                // Along δ, ∂T/∂v·w changes as it does in time and by ∂T/∂q·w.
                let change = term.gaining[1] - (term.along + term.along);
                self.found.work = self.found.work + change;
                self.found.kinetic = self.found.kinetic + term.value;
            }
            StatementKind::Constraint(declared, relation) => {
                let indices = self.brackets(declared)?;
                self.constraint(declared, &indices, relation)?;
            }
            StatementKind::Output(declared, value) => self.output(declared, value)?,
            StatementKind::For(repeated) => self.repeat(repeated)?,
            StatementKind::Part(part) => {
                let names = self.reader.names.len();
                let definition = Definition { part, names };
                self.parts.insert(name_of(&part.name), definition);
            }
            StatementKind::PartUse(it) => self.use_part(it)?,
            StatementKind::Joint(it) => self.joint(it)?,
        }
        Ok(())
    }

    fn store(&mut self, energy: Residue) {
        self.found.potential = self.found.potential.map(|it| it + energy);
    }

    fn repeat(&mut self, repetition: &'a For) -> Found<()> {
        let For { repeated, body } = repetition;
        let outer = self.lasting;
        self.lasting.get_or_insert(self.reader.names.len());
        for i in self.reader.indices(repeated)? {
            let above = self.reader.names.len() - self.lasting.unwrap_or_default();
            let index = Value::Scalar(Series::constant(Residue::of(i)));
            self.bind(&repeated.index, index);
            self.statements(body)?;
            let below = self.lasting.unwrap_or_default();
            self.reader.names.truncate(below + above);
        }
        // Arrays may have grown below an outer one.
        self.lasting = outer.and(self.lasting);
        Ok(())
    }

    fn bind(&mut self, name: &Ident, value: Value) {
        self.reader.names.push((name_of(name), value));
    }

    fn brackets(&mut self, declared: &Declared) -> Found<Vec<usize>> {
        let whole = declared.brackets.iter().map(|it| self.reader.whole(it));
        let whole: Found<Vec<i64>> = whole.collect();
        let whole = whole?.into_iter().map(usize::try_from);
        whole.collect::<Result<_, _>>().map_err(|_| Stop::Uncovered)
    }

    /// The next element of an array, which may be the first.
    fn push_element(&mut self, name: &Ident, indices: &[usize], value: Value) {
        let name = name_of(name);
        let names = &mut self.reader.names;
        if indices.iter().all(|&i| i == 0) {
            let array = (name.clone(), Value::Array(Rc::default()));
            match &mut self.lasting {
                Some(end) => {
                    names.insert(*end, array);
                    *end += 1;
                }
                None => names.push(array),
            }
            self.growing.insert(name.clone());
        }
        if let Some((_, array)) = names.iter_mut().rev().find(|it| it.0 == name) {
            push(array, indices, value);
        }
    }

    // ---- what moves -----------------------------------------------------------------------------

    /// What has coordinates of its own: one, an array, or in a `for` an element.
    fn own(&mut self, declared: &Declared) -> Found<Vec<Value>> {
        let brackets = self.brackets(declared)?;
        let name = name_of(&declared.name);
        let around = self.within.iter().map(|(name, _)| format!("{name}."));
        let key = around.chain([name]).collect::<String>();
        let outer: Vec<usize> = self.within.iter().flat_map(|it| it.1.clone()).collect();
        if self.lasting.is_some() {
            let value = self.element(&key, &[&outer[..], &brackets].concat())?;
            self.push_element(&declared.name, &brackets, value.clone());
            return Ok(vec![value]);
        }
        let count: usize = brackets.iter().product();
        let mut all = Vec::with_capacity(count);
        for number in 0..count {
            let mut rest = number;
            let mut indices = brackets.clone();
            for (index, length) in indices.iter_mut().zip(&brackets).rev() {
                *index = rest % length;
                rest /= length;
            }
            all.push(self.element(&key, &[&outer[..], &indices].concat())?);
        }
        let mut each = all.iter().cloned();
        let value = Value::of_elements(&brackets, &mut || {
            let zero = Value::Scalar(Series::default());
            each.next().unwrap_or(zero)
        });
        self.bind(&declared.name, value);
        Ok(all)
    }

    fn element(&self, key: &str, indices: &[usize]) -> Found<Value> {
        let place = self.text.layout.place(key, indices);
        let place = place.ok_or(Stop::Uncovered)?;
        let Place {
            coordinate,
            velocity,
            shape,
            body,
        } = place;
        let (given, Motion { a, w }) = (self.given, self.motion);
        if body {
            let pose = given.poses.get(&coordinate).ok_or(Stop::Uncovered)?;
            let own = velocity..velocity + pose.velocities();
            let moving = pose.varied([&given.v[own.clone()], &a[own.clone()], &w[own]]);
            return Ok(Value::Body(Rc::new(moving)));
        }
        let series = |i: usize| {
            let w = w[velocity + i];
            Series {
                value: given.q[coordinate + i],
                rate: given.v[velocity + i],
                half_second: Residue::HALF * a[velocity + i],
                along: w,
                gaining: [Residue::ZERO, w, Residue::ZERO],
                ..Series::default()
            }
        };
        Ok(Value::shaped(shape, (0..shape.len()).map(series).collect()))
    }

    fn input(&mut self, declared: &Declared) {
        let name = name_of(&declared.name);
        let inputs = self.text.system.inputs.iter().zip(&self.given.inputs);
        for (input, values) in inputs {
            if name_of(&input.name) == name {
                let value = given(input.shape, &input.lengths, values);
                self.reader.names.push((name.clone(), value));
            }
        }
        self.driven.insert(name);
    }

    fn particle(&mut self, particle: &statement::Particle) -> Found<()> {
        let places = match &particle.place {
            statement::Place::Own(_) => {
                let mut places = Vec::new();
                for declared in &particle.declared {
                    places.extend(self.own(declared)?);
                }
                places
            }
            statement::Place::At(place) => {
                let place = match self.reader.value(place)? {
                    Value::Scalar(one) => Value::Vector(vec![one]),
                    place => place,
                };
                self.bind_placed(&particle.declared, place.clone())?;
                vec![place]
            }
            statement::Place::Invalid => return Err(Stop::Uncovered),
        };
        let mass = self.field(&particle.fields, "mass")?;
        let mass = mass.components().first().ok_or(Stop::Uncovered)?.value;
        for place in places {
            self.add_mass(mass, place.components());
        }
        Ok(())
    }

    /// A name for what an expression places, or an element of an array of such.
    fn bind_placed(&mut self, declared: &[Declared], value: Value) -> Found<()> {
        let [declared] = declared else {
            return Err(Stop::Uncovered);
        };
        if declared.brackets.is_empty() {
            self.bind(&declared.name, value);
        } else {
            let indices = self.brackets(declared)?;
            self.push_element(&declared.name, &indices, value);
        }
        Ok(())
    }

    fn field(&mut self, fields: &[(Ident, Expr)], name: &str) -> Found<Value> {
        let mut fields = fields.iter();
        let field = fields.find(|(field, _)| field == name);
        self.reader.value(&field.ok_or(Stop::Uncovered)?.1)
    }

    fn body(&mut self, body: &statement::Body) -> Found<()> {
        let values = match &body.pose {
            None => {
                let mut values = Vec::new();
                for declared in &body.declared {
                    values.extend(self.own(declared)?);
                }
                values
            }
            Some(pose) => {
                let pose = self.reader.value(pose)?;
                self.bind_placed(&body.declared, pose.clone())?;
                vec![pose]
            }
        };
        let fields = body.fields.as_ref().ok_or(Stop::Uncovered)?;
        let (mass, inertia) = (self.field(fields, "mass")?, self.field(fields, "inertia")?);
        let mass = mass.components().first().ok_or(Stop::Uncovered)?.value;
        for value in values {
            let Value::Body(moving) = value else {
                return Err(Stop::Uncovered);
            };
            self.add_mass(mass, &moving.place);
            self.add_inertia(&inertia, &moving);
        }
        Ok(())
    }

    /// m r̈·δr and m ṙ²/2
    fn add_mass(&mut self, mass: Residue, place: &[Series]) {
        for x in place {
            let acceleration = x.half_second + x.half_second;
            self.found.work = self.found.work + mass * acceleration * x.along;
            self.found.kinetic = self.found.kinetic + Residue::HALF * mass * x.rate * x.rate;
        }
        self.heavy.push((mass, place.to_vec()));
    }

    /// (I ω̇ + ω×I ω)·δθ and ω·I ω/2, all in the body's frame.
    fn add_inertia(&mut self, inertia: &Value, body: &Moving) {
        let of = |get: fn(&Series) -> Residue| {
            let all: Vec<Residue> = body.spin.iter().map(get).collect();
            body.own(&all)
        };
        let (spin, rate, turn) = (of(|it| it.value), of(|it| it.rate), of(|it| it.gaining[0]));
        let momentum = resistance(inertia, &spin);
        let energy = Residue::HALF * dot(&momentum, &spin);
        self.found.kinetic = self.found.kinetic + energy;
        let resisting = resistance(inertia, &rate);
        let mut work = dot(&resisting, &turn);
        if let (&[x, y, z], &[a, b, c]) = (&spin[..], &momentum[..]) {
            let gyroscopic = [y * c - z * b, z * a - x * c, x * b - y * a];
            work = work + dot(&gyroscopic, &turn);
        }
        self.found.work = self.found.work + work;
    }

    // ---- what acts ------------------------------------------------------------------------------

    fn force(&mut self, target: &Expr, value: &Expr) -> Found<()> {
        let target = self.reader.value(target)?;
        let force = self.reader.value(value)?;
        let place = match &target {
            Value::Body(body) => &body.place[..],
            other => other.components(),
        };
        for (x, f) in place.iter().zip(force.components()) {
            self.found.work = self.found.work - f.value * x.along;
        }
        Ok(())
    }

    fn torque(&mut self, target: &Expr, value: &Expr) -> Found<()> {
        let Value::Body(body) = self.reader.value(target)? else {
            return Err(Stop::Uncovered);
        };
        let torque = self.reader.value(value)?;
        for (spin, torque) in body.spin.iter().zip(torque.components()) {
            self.found.work = self.found.work - torque.value * spin.gaining[0];
        }
        Ok(())
    }

    /// The weights of all masses.
    fn weigh(&mut self) {
        let Some(gravity) = self.gravity.take() else {
            return;
        };
        for (mass, place) in std::mem::take(&mut self.heavy) {
            for (x, g) in place.iter().zip(&gravity) {
                let weight = mass * g.value;
                self.found.work = self.found.work - weight * x.along;
                self.store(-(weight * x.value));
            }
        }
        if self.driven_gravity {
            self.found.potential = None;
        }
    }

    /// Whether an expression names what inputs make.
    fn is_driven(&self, expr: &Expr) -> bool {
        if self.driven.is_empty() {
            return false;
        }
        let mut driven = match &expr.kind {
            ExprKind::Name(name) => self.driven.contains(&name_of(name)),
            // What it is made of is not looked for.
            ExprKind::Call { function, .. } => {
                let name = name_of(function);
                let mut known = self.reader.scope.functions.iter();
                known.any(|it| it.name == name)
            }
            _ => false,
        };
        expr.kind
            .for_each_operand(&mut |operand| driven |= self.is_driven(operand));
        driven
    }

    // ---- what holds, what is told ---------------------------------------------------------------

    fn constraint(&mut self, declared: &Declared, indices: &[usize], relation: &Expr) -> Found<()> {
        let first = self.found.rows.len();
        let rows = self.reader.rows(relation)?;
        self.found.rows.extend(rows.iter().map(Row::new));
        // Nothing but outputs speaks of multipliers.
        if !self.text.system.observed.is_empty() {
            let name = format!("{}{}", name_of(&declared.name), bracketed(indices));
            let name = format!("{}{name}", self.reader.scope.prefix);
            let rows = first..self.found.rows.len();
            self.reader.scope.rows.insert(name, rows);
        }
        Ok(())
    }

    fn output(&mut self, declared: &Declared, value: &Expr) -> Found<()> {
        if self.reader.scope.multipliers.is_none() {
            return Ok(());
        }
        let value = self.reader.value(value)?;
        let around = self.within.iter().map(|(name, _)| format!("{name}."));
        let name: String = around.chain([name_of(&declared.name)]).collect();
        let values = value.components().iter().map(|it| it.value);
        let mut known = self.found.outputs.iter_mut();
        match known.find(|it| it.0 == name) {
            Some((_, all)) => all.extend(values),
            None => {
                let values = values.collect();
                self.found.outputs.push((name, values));
            }
        }
        Ok(())
    }

    // ---- parts ----------------------------------------------------------------------------------

    fn use_part(&mut self, it: &'a PartUse) -> Found<()> {
        let definition = self.parts.get(&name_of(&it.part)).copied();
        let definition = definition.ok_or(Stop::Uncovered)?;
        let zero = |bracket: &Expr| matches!(&bracket.kind, ExprKind::Number(it) if it == "0");
        let brackets = self.brackets(&it.declared)?;
        let first = !brackets.is_empty() && it.declared.brackets.iter().all(zero);
        let grows = self.growing.contains(&name_of(&it.declared.name));
        if first || grows || self.lasting.is_some() {
            let value = self.instance(it, definition, brackets.clone())?;
            self.push_element(&it.declared.name, &brackets, value);
            return Ok(());
        }
        let value = self.instances(it, definition, &brackets, &mut Vec::new())?;
        self.bind(&it.declared.name, value);
        Ok(())
    }

    /// One part, or arrays of equal ones.
    fn instances(
        &mut self,
        it: &'a PartUse,
        definition: Definition<'a>,
        lengths: &[usize],
        indices: &mut Vec<usize>,
    ) -> Found<Value> {
        let Some((&length, inner)) = lengths.split_first() else {
            return self.instance(it, definition, indices.clone());
        };
        let mut elements = Vec::new();
        for i in 0..length {
            indices.push(i);
            elements.push(self.instances(it, definition, inner, indices)?);
            indices.pop();
        }
        Ok(Value::Array(Rc::new(elements)))
    }

    /// The statements of a part, said for one use; its names together.
    fn instance(
        &mut self,
        it: &'a PartUse,
        Definition { part, names }: Definition<'a>,
        indices: Vec<usize>,
    ) -> Found<Value> {
        let values = self.values(it)?;
        let names = names.min(self.reader.names.len());
        let outside = self.reader.names.split_off(names);
        let functions = self.reader.scope.functions.len();
        let (lasting, growing) = (self.lasting.take(), std::mem::take(&mut self.growing));
        self.within.push((name_of(&it.declared.name), indices));
        self.set_prefix();
        self.parameters(&part.parameters, values)?;
        self.statements(part.body.as_deref().ok_or(Stop::Uncovered)?)?;
        self.within.pop();
        self.set_prefix();
        (self.lasting, self.growing) = (lasting, growing);
        self.reader.scope.functions.truncate(functions);
        let own = self.reader.names.split_off(names);
        self.reader.names.extend(outside);
        Ok(Value::Part(Rc::new(own.into_iter().collect())))
    }

    fn set_prefix(&mut self) {
        let around = self.within.iter();
        let around = around.map(|(name, indices)| format!("{name}{}.", bracketed(indices)));
        self.reader.scope.prefix = around.collect();
    }

    /// What a use gives, in its own scope.
    fn values(&mut self, it: &PartUse) -> Found<BTreeMap<String, Value>> {
        let values = it.values.iter();
        let values = values.map(|(name, value)| Ok((name_of(name), self.reader.value(value)?)));
        values.collect()
    }

    /// Values for parameters; defaults, which may speak of what is given, for the others.
    fn parameters(
        &mut self,
        parameters: &[Declaration],
        mut values: BTreeMap<String, Value>,
    ) -> Found<()> {
        let mut left = Vec::new();
        for parameter in parameters {
            match values.remove(&name_of(&parameter.name)) {
                Some(value) => self.bind(&parameter.name, value),
                None => left.push(parameter),
            }
        }
        for parameter in left {
            let default = parameter.default.as_ref().ok_or(Stop::Uncovered)?;
            let value = self.reader.value(default)?;
            self.bind(&parameter.name, value);
        }
        Ok(())
    }

    fn joint(&mut self, it: &PartUse) -> Found<()> {
        let indices = self.brackets(&it.declared)?;
        let mut values = self.values(it)?;
        let size = ["a", "b"].iter().find_map(|name| match values.get(*name)? {
            Value::Body(body) => Some(body.place.len()),
            _ => None,
        });
        let size = size.ok_or(Stop::Uncovered)?;
        let (name, span) = (name_of(&it.part), it.part.span());
        let mut joints = self.text.joints.borrow_mut();
        let joint = joints.entry((name.clone(), size == 2));
        let joint = joint.or_insert_with(|| library_joint(&name, size == 2, span).map(Rc::new));
        let joint = joint.clone().ok_or(Stop::Uncovered)?;
        let header = joint.header.as_ref().ok_or(Stop::Uncovered)?;
        for body in &header.coordinates {
            let value = values.entry(name_of(&body.name));
            let ground = || Moving::unturned(vec![Series::default(); size]);
            value.or_insert_with(|| Value::Body(Rc::new(ground())));
        }
        let outside = std::mem::take(&mut self.reader.names);
        self.parameters(&header.coordinates, split(&mut values, &header.coordinates))?;
        self.parameters(&header.parameters, values)?;
        self.constraint(&it.declared, &indices, &joint.body)?;
        self.reader.names = outside;
        Ok(())
    }
}

/// Takes what belongs to these parameters.
fn split(
    values: &mut BTreeMap<String, Value>,
    parameters: &[Declaration],
) -> BTreeMap<String, Value> {
    let names = parameters.iter().map(|it| name_of(&it.name));
    let taken = names.filter_map(|name| values.remove_entry(&name));
    taken.collect()
}

/// `[2][3]`
fn bracketed(indices: &[usize]) -> String {
    indices.iter().map(|i| format!("[{i}]")).collect()
}

/// Adds an element to an array, or to one of its arrays, which may be new.
fn push(array: &mut Value, indices: &[usize], value: Value) {
    let (Value::Array(elements), Some((&first, inner))) = (array, indices.split_first()) else {
        return;
    };
    let elements = Rc::make_mut(elements);
    if inner.is_empty() {
        return elements.push(value);
    }
    if first == elements.len() {
        elements.push(Value::Array(Rc::default()));
    }
    if let Some(inside) = elements.get_mut(first) {
        push(inside, inner, value);
    }
}

/// I x of a moment, of three, or of a matrix.
fn resistance(inertia: &Value, x: &[Residue]) -> Vec<Residue> {
    let values = |of: &Value| -> Vec<Residue> {
        let components = of.components().iter();
        components.map(|it| it.value).collect()
    };
    match inertia {
        Value::Array(rows) => rows.iter().map(|row| dot(&values(row), x)).collect(),
        moments => values(moments)
            .iter()
            .zip(x)
            .map(|(&i, &x)| i * x)
            .collect(),
    }
}

/// Where bodies are, each with a shape.
pub fn poses(layout: &Layout, point: &mut Point) -> BTreeMap<usize, Pose> {
    let bodies = layout.bodies().into_iter();
    let poses = bodies.map(|it| (it.coordinate, Pose::new(it.shape, point)));
    poses.collect()
}
