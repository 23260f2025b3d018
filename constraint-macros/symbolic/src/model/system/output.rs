//! `output tip = place;`: named values that a caller gets at a state, and functions that need λ and v̇.

use std::ops::Range;

use proc_macro2::Ident;

use super::super::declarations::component_name;
use super::super::lower::Lowering;
use super::super::value::Value;
use super::super::{Role, Shape};
use super::named::{Element, Named, grouped};
use super::statements::SystemBuilder;
use super::{Around, Task};
use crate::diagnostic::catalogue::{self, Kind};
use crate::diagnostic::{SourceRange, system};
use crate::diff::gradient;
use crate::expr::{CollectVec, ExprId, Node, Number, PushEach};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement;

/// One output, or an element of one.
#[derive(Debug)]
pub(super) struct OutputElement {
    name: Ident,
    /// The parts around it.
    around: Vec<Around>,
    /// Indices of the parts, then its own.
    indices: Vec<usize>,
    range: SourceRange,
    /// `None` of everything that has a mass, before all statements are read.
    value: Option<Value>,
}

impl OutputElement {
    fn kind(&self) -> Option<Kind> {
        self.value.as_ref()?.kind()
    }
}

impl SystemBuilder<'_> {
    /// Records an output; all elements of a name are grouped later.
    pub fn output(&mut self, declared: &statement::Declared, value: &Expr) {
        let name = declared.name.clone();
        if let Some(index) = self.indices.last().filter(|_| declared.brackets.is_empty()) {
            let (range, name) = (name.span().into(), name_of(&name));
            let diagnostic = system::repeated_without_index(range, &name, index);
            self.lowering.report(diagnostic);
            return;
        }
        let Some(indices) = self.indices_of(declared) else {
            return;
        };
        if let Some(scope) = &mut self.lowering.system {
            scope.observing = true;
        }
        let found = self.lowering.value(value);
        if let Some(scope) = &mut self.lowering.system {
            scope.observing = false;
        }
        self.outputs.push(OutputElement {
            name,
            around: self.around(),
            indices: [self.indices_around(), indices].concat(),
            range: declared.indices(),
            value: Some(found),
        });
    }

    /// `output momentum;`, whose value includes masses that are declared after it.
    pub fn total(&mut self, declared: &statement::Declared) {
        let name = declared.name.clone();
        if !self.within.is_empty() || !self.indices.is_empty() {
            let diagnostic = system::total_of_a_part(name.span().into(), &name_of(&name));
            self.lowering.report(diagnostic);
            return;
        }
        self.outputs.push(OutputElement {
            name,
            around: Vec::new(),
            indices: Vec::new(),
            range: declared.indices(),
            value: None,
        });
    }

    /// Arranges the outputs in the order of their first elements.
    pub fn close_outputs(&mut self) {
        let mut outputs = std::mem::take(&mut self.outputs);
        for output in &mut outputs {
            if output.value.is_none() {
                output.value = Some(self.total_of(&output.name));
            }
        }
        let written = grouped(outputs, |it| (&it.around, &it.name));
        for of in written {
            self.close_output(&of);
        }
    }

    fn close_output(&mut self, written: &[OutputElement]) {
        let (first, name) = (&written[0], name_of(&written[0].name));
        // A wrong element gets the kind of the others, or else scalar, so that its uses are not reported.
        let mut known = written.iter().filter_map(|it| Some((it, it.kind()?)));
        let kind = known.next().map_or(Kind::Scalar, |(_, kind)| kind);
        if let Some((other, found)) = known.find(|(_, found)| *found != kind) {
            let diagnostic = catalogue::shape_mismatch(other.range, kind, found);
            self.lowering.report(diagnostic);
            return;
        }
        let element = match kind {
            Kind::Vector(2) => Element::Vector(Shape::Plane),
            Kind::Vector(_) => Element::Vector(Shape::Space),
            _ => Element::Vector(Shape::Scalar),
        };
        let indices = written.iter().map(|it| &it.indices[..]);
        let start = self.system.observed.len();
        let places = (0..written.len()).map(|i| start + i * element.scalars());
        let field = (&first.around[..], &first.name);
        match Named::new(field, element, indices, places.collect_vec()) {
            Ok(named) => self.system.outputs.push(named),
            Err(i) => {
                let twice = written[..i]
                    .iter()
                    .any(|it| it.indices == written[i].indices);
                let range = written[i].range;
                let diagnostic = if twice {
                    catalogue::duplicate_name(range, &name)
                } else {
                    system::output_out_of_order(range, &name)
                };
                self.lowering.report(diagnostic);
                return;
            }
        }
        let values = written.iter().filter_map(|it| it.value.as_ref());
        let values = values.flat_map(|it| it.components());
        let values: Vec<ExprId> = values.copied().collect_vec();
        if self.system.options.task_space.is_some() {
            let tasks = values.iter().map(|&id| self.lowering.task(id));
            self.system.tasks.push_each(tasks);
        }
        self.system.observed.push_each(values);
    }
}

impl Lowering<'_> {
    fn is_observing(&self) -> bool {
        self.system.as_ref().is_some_and(|scope| scope.observing)
    }

    /// Whether a word is a function of λ or v̇. Only outputs may call those.
    pub fn is_of_solution(&self, name: &str) -> bool {
        self.system.is_some()
            && matches!(name, "acceleration" | "angular_acceleration" | "multiplier")
            && self.user_usage(name).is_none()
    }

    /// `acceleration(p)`, `angular_acceleration(body)`, `multiplier(link[3])`
    pub fn of_solution(&mut self, name: &str, arguments: &[Expr], place: SourceRange) -> Value {
        if !self.is_observing() {
            return self.report(system::solved_for(place, name));
        }
        let [argument] = arguments else {
            let usage = match name {
                "multiplier" => "multiplier(link[3])",
                "acceleration" => "acceleration(p)",
                _ => "angular_acceleration(body)",
            };
            let found = arguments.len();
            return self.report(catalogue::wrong_arity(place, usage, "1 argument", found));
        };
        match name {
            "multiplier" => self.multiplier(argument),
            "acceleration" => self.acceleration(argument),
            _ => self.angular_acceleration(argument),
        }
    }

    /// r̈ = r̈ at v̇ = 0, and ∂ṙ/∂v v̇.
    fn acceleration(&mut self, argument: &Expr) -> Value {
        let value = self.value(argument);
        if let Some(found) = self.depends_on_motion(&value) {
            let diagnostic = system::no_acceleration(argument.range, found.on);
            return self.report(diagnostic);
        }
        value.map(|id| {
            let (rate, bias) = self.derivatives(id);
            self.changed(rate, bias)
        })
    }

    /// The rate of an output and its derivative at v̇ = 0; `None` if it has no Jacobian: if it contains accelerations,
    /// multipliers or inputs, or is not affine in the velocities.
    fn task(&mut self, id: ExprId) -> Option<Task> {
        let known = |role| {
            !matches!(
                role,
                Role::Input(_) | Role::Acceleration(_) | Role::Reaction(_)
            )
        };
        if self.depends(id, known).is_some() {
            return None;
        }
        let (first, second) = self.derivatives(id);
        let velocities = self.velocities_in(id);
        if velocities.is_empty() {
            return Some(Task {
                rate: first,
                bias: second,
            });
        }
        let slopes = gradient(self.graph(), id, &velocities);
        let is_affine = slopes.iter().all(|&it| self.velocities_in(it).is_empty());
        is_affine.then_some(Task {
            rate: id,
            bias: first,
        })
    }

    /// Derivative of a rate: `bias`, its value at v̇ = 0, plus ∂ṙ/∂v v̇.
    fn changed(&mut self, rate: ExprId, bias: ExprId) -> ExprId {
        let mut terms = vec![(bias, Number::ONE)];
        let velocities = self.velocities_in(rate);
        let slopes = gradient(self.graph(), rate, &velocities);
        for (velocity, slope) in velocities.into_iter().zip(slopes) {
            let acceleration = self.acceleration_of(velocity);
            terms.push((self.graph().mul(slope, acceleration), Number::ONE));
        }
        self.graph().sum(&terms)
    }

    /// The velocities that an expression contains, in order.
    fn velocities_in(&self, id: ExprId) -> Vec<ExprId> {
        let graph = &self.model.graph;
        let mut found = graph.reachable([id]);
        found.retain(|&id| matches!(self.role_of(id), Some(Role::Velocity(_))));
        found
    }

    fn role_of(&self, id: ExprId) -> Option<Role> {
        match self.model.graph.node(id) {
            Node::Symbol(symbol) => Some(self.model.symbols.get(symbol.index())?.role),
            _ => None,
        }
    }

    /// The leaf of the derivative of a velocity.
    fn acceleration_of(&mut self, velocity: ExprId) -> ExprId {
        let known = self.system.as_ref();
        if let Some(&leaf) = known.and_then(|scope| scope.accelerations.get(&velocity)) {
            return leaf;
        }
        let (number, name) = match self.model.graph.node(velocity) {
            Node::Symbol(symbol) => {
                let symbol = &self.model.symbols[symbol.index()];
                (symbol.role, symbol.name.clone())
            }
            _ => return velocity,
        };
        let Role::Velocity(number) = number else {
            return velocity;
        };
        let name = match name.strip_prefix("omega_") {
            Some(of) => format!("alpha_{of}"),
            None => format!("a_{}", name.trim_start_matches("v_")),
        };
        let leaf = self.model.add_leaf(Role::Acceleration(number), name);
        if let Some(scope) = &mut self.system {
            scope.accelerations.insert(velocity, leaf);
        }
        leaf
    }

    fn angular_acceleration(&mut self, argument: &Expr) -> Value {
        let Some(body) = self.named_body(argument) else {
            return Value::Poison;
        };
        let spin = Value::of_components(self.spin_of(&body).to_vec());
        spin.map(|spin| {
            let (bias, _) = self.derivatives(spin);
            self.changed(spin, bias)
        })
    }

    /// λ of the rows of a constraint: one number, or a vector of two or three. After the indices of the declaration, one
    /// more index may select a row.
    fn multiplier(&mut self, argument: &Expr) -> Value {
        let Some(name) = self.spelled(argument) else {
            return Value::Poison;
        };
        let one_row = || {
            let (of, row) = name.strip_suffix(']')?.rsplit_once('[')?;
            let all = self.rows_called(of)?;
            let row = all.start + row.parse::<usize>().ok()?;
            all.contains(&row).then_some(row..row + 1)
        };
        let Some(rows) = self.rows_called(&name).or_else(one_row) else {
            let known = self.system.iter().flat_map(|scope| scope.rows.keys());
            let known: Vec<&str> = known.map(String::as_str).collect_vec();
            let diagnostic = match self.is_constraint_declared_later(&name) {
                true => catalogue::declared_later(argument.range, &name),
                false => system::no_such_constraint(argument.range, &name, &known),
            };
            return self.report(diagnostic);
        };
        match rows.len() {
            // Its mistake has been reported.
            0 => Value::Poison,
            1 => Value::Scalar(self.reaction(rows.start, name)),
            2..=3 => {
                let components = rows.zip(0..);
                let leaves =
                    components.map(|(row, i)| self.reaction(row, component_name(&name, i)));
                Value::Vector(leaves.collect_vec())
            }
            many => self.report(system::multiplier_of_many(argument.range, &name, many)),
        }
    }

    /// Indices of the rows of a constraint of this part or of the system; empty if the name is not understood.
    fn rows_called(&self, name: &str) -> Option<Range<usize>> {
        let own = self.full_name(name.to_owned());
        let scope = self.system.as_ref()?;
        scope
            .rows
            .get(&own)
            .or_else(|| scope.rows.get(name))
            .cloned()
    }

    /// The name of a constraint with its indices, `leg[2].link[3]`; anything else is reported.
    fn spelled(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let name = name_of(name);
                let known = !matches!(self.names.get(&name), Some(Value::Poison));
                known.then_some(name)
            }
            ExprKind::Component(of, name) => {
                let of = self.spelled(of)?;
                Some(format!("{of}.{}", name_of(name)))
            }
            ExprKind::Index(of, index) => {
                let of = self.spelled(of)?;
                let index = self.whole(index, system::index_not_constant)?;
                Some(format!("{of}[{index}]"))
            }
            _ => {
                self.report(system::multiplier_of_no_name(expr.range));
                None
            }
        }
    }

    /// The leaf of λ of a row.
    fn reaction(&mut self, row: usize, name: String) -> ExprId {
        let known = self.system.as_ref();
        if let Some(&leaf) = known.and_then(|scope| scope.reactions.get(&row)) {
            return leaf;
        }
        let name = format!("lambda_{name}");
        let leaf = self.model.add_leaf(Role::Reaction(row), name);
        if let Some(scope) = &mut self.system {
            scope.reactions.insert(row, leaf);
        }
        leaf
    }
}
