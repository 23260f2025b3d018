//! The statements of a system at a point: rows, energies and virtual work.
//!
//! For a motion q + v τ + a τ²/2 that differs by w, the principle of d'Alembert and Lagrange gives M a − h along w:
//! m r̈·δr of each mass, (I ω̇ + ω×I ω)·δθ of each body, d/dt(∂T/∂v·w) − ∂T/∂q·w of kinetic energies, minus the work of
//! all forces. No matrix and no derivative is formed, and each statement is read once.

mod acting;
mod moving;
mod parts;
mod totals;

pub use self::moving::poses;

use crate::expr::{SortedMap, SortedSet};
use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::Ident;

use super::layout::Layout;
use super::scope::Callable;
use crate::certify::bodies::{Moving, Pose};
use crate::certify::field::Residue;
use crate::certify::point::{Point, Stop};
use crate::certify::series::Series;
use crate::certify::tree::{Found, Reader, Value, declared};
use crate::model::System;
use crate::syntax::ast::{Constraint, name_of};
use crate::syntax::statement::{self, Declared, For, Part, Statement, StatementKind};

/// The arguments at a point.
#[derive(Clone, Debug, Default)]
pub struct Given {
    pub t: Residue,
    pub q: Vec<Residue>,
    pub v: Vec<Residue>,
    /// By parameter and by input, component by component.
    pub parameters: Vec<Vec<Residue>>,
    pub inputs: Vec<Vec<Residue>>,
    /// The bodies with coordinates of their own, by their first coordinate.
    pub poses: SortedMap<usize, Pose>,
}

/// A motion from there: its accelerations, and the difference from it.
#[derive(Clone, Copy, Debug)]
pub struct Motion<'a> {
    pub a: &'a [Residue],
    pub w: &'a [Residue],
}

/// The quantities that the statements determine for a motion.
#[derive(Debug, Default)]
pub struct Findings {
    pub rows: Vec<Row>,
    /// w·(M a − h)
    pub work: Residue,
    /// T
    pub kinetic: Residue,
    /// V; `None` if inputs contribute to gravity.
    pub potential: Option<Residue>,
    /// Gaps, then slips, then the coefficients of both.
    pub sides: [Vec<Row>; 2],
    pub coefficients: [Vec<Residue>; 2],
    /// The slips that are tangential velocities, with the gaps that they belong to.
    pub tangents: Vec<(usize, usize)>,
    /// By name in the order of their first elements; each component as a row, too.
    pub outputs: Vec<(String, Vec<(Residue, Row)>)>,
    /// Where regressors are requested.
    pub posed: Vec<Posed>,
    pub gravity: Vec<Residue>,
}

/// A body whose pose is a function of coordinates.
#[derive(Debug)]
pub struct Posed {
    /// `leg[2].shank`
    pub name: String,
    pub frame: Rc<Moving>,
    pub mass: Residue,
    /// The columns of its inertia about its centre of mass.
    pub inertia: Vec<Vec<Residue>>,
}

/// A row along the motion.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// C; 0 for a relation of velocities.
    pub value: Residue,
    /// Ċ
    pub rate: Residue,
    /// J a + β
    pub second: Residue,
    /// J w
    pub along: Residue,
    /// J̇ w
    pub along_rate: Residue,
    /// True for a relation of velocities.
    pub is_of_velocities: bool,
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
                along_rate: row.along_rate,
                is_of_velocities: false,
            };
        }
        Row {
            value: Residue::ZERO,
            rate: row.value,
            second: row.rate,
            along: gain,
            along_rate: Residue::ZERO,
            is_of_velocities: true,
        }
    }
}

/// Joints of the library that have been read.
pub type Joints = RefCell<SortedMap<(String, bool), Option<Rc<Constraint>>>>;

/// The data that all points share.
#[derive(Debug)]
pub struct Text<'a> {
    pub tree: &'a statement::System,
    pub system: &'a System,
    pub layout: Layout,
    pub joints: Joints,
}

/// A part, and the number of names that are visible to it.
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
    parts: SortedMap<String, Definition<'a>>,
    /// The parts around the statement, each with its indices.
    within: Vec<(String, Vec<usize>)>,
    /// Inside a `for`, the number of names that remain after it.
    lasting: Option<usize>,
    /// Arrays that are declared element by element.
    growing: SortedSet<String>,
    /// Masses and where they are.
    heavy: Vec<(Residue, Vec<Series>)>,
    /// Moments of inertia, and the bodies that have them.
    turning: Vec<(Value, Rc<Moving>)>,
    gravity: Option<Vec<Series>>,
    /// Names that depend on inputs.
    driven: SortedSet<String>,
    /// True if gravity depends on them.
    driven_gravity: bool,
}

/// Evaluates all statements for a motion; outputs only if λ is known.
pub fn read(
    text: &Text<'_>,
    given: &Given,
    motion: Motion<'_>,
    multipliers: Option<&[Residue]>,
    point: &mut Point,
) -> Found<Findings> {
    let mut found = read_once(text, given, motion, multipliers, point)?;
    if !found.tangents.is_empty() {
        tangents(&mut found, (text, given, motion), point)?;
    }
    Ok(found)
}

/// The slips along curves in the plane, s = G u with u = v turned by a right angle: s = G u, J w = G w′ with w′ = w
/// turned, and J a + β = G a′ + Ġ u.
fn tangents(
    found: &mut Findings,
    (text, given, motion): (&Text<'_>, &Given, Motion<'_>),
    point: &mut Point,
) -> Found<()> {
    let mut gaps = |along: &[Residue]| -> Found<Vec<Row>> {
        let [x, y] = along else {
            return Err(Stop::UNREAD);
        };
        let w = &[-*y, *x];
        let motion = Motion { a: motion.a, w };
        let [gaps, _] = read_once(text, given, motion, None, point)?.sides;
        Ok(gaps)
    };
    let [rates, along, second] = [gaps(&given.v)?, gaps(motion.w)?, gaps(motion.a)?];
    for &(slip, gap) in &found.tangents {
        found.sides[1][slip] = Row {
            value: Residue::ZERO,
            rate: rates[gap].along,
            second: second[gap].along + rates[gap].along_rate,
            along: along[gap].along,
            along_rate: Residue::ZERO,
            is_of_velocities: true,
        };
    }
    Ok(())
}

fn read_once(
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
        parts: SortedMap::new(),
        within: Vec::new(),
        lasting: None,
        growing: SortedSet::new(),
        heavy: Vec::new(),
        turning: Vec::new(),
        gravity: None,
        driven: SortedSet::new(),
        driven_gravity: false,
    };
    reading.found.potential = Some(Residue::ZERO);
    reading.constants(&text.tree.statements)?;
    reading.statements(&text.tree.statements)?;
    reading.totals()?;
    reading.weigh();
    Ok(reading.found)
}

// ---- statements ---------------------------------------------------------------------------------

impl<'a> Reading<'a> {
    /// Binds constants first, because they may be used before their declaration.
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
                // The coefficient of δ τ is d/dt(∂T/∂v·w) + ∂T/∂q·w.
                let change = term.gaining[1] - (term.along + term.along);
                self.found.work = self.found.work + change;
                self.found.kinetic = self.found.kinetic + term.value;
            }
            StatementKind::Constraint(declared, relation) => {
                let indices = self.brackets(declared)?;
                self.constraint(declared, &indices, relation)?;
            }
            StatementKind::OneSided(it) => self.one_sided(it)?,
            StatementKind::Output(declared, value) => self.output(declared, value)?,
            // Its place among the outputs; its value is known at the end.
            StatementKind::Total(declared) => self.observed(declared, &[]),
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
        // Names of an outer loop remain until that loop ends.
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
        whole.collect::<Result<_, _>>().map_err(|_| Stop::UNREAD)
    }

    /// Adds the next element of an array, and the array with its first element.
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
}

/// `[2][3]`
fn bracketed(indices: &[usize]) -> String {
    indices.iter().map(|i| format!("[{i}]")).collect()
}

/// Adds an element to an array, or to one of its nested arrays, which it creates if needed.
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
