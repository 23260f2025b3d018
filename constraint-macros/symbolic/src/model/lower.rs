//! Syntax tree to model: rows, names, vectors and blocks; declarations and choices have files of their own.

use proc_macro2::Ident;

use super::declarations::component_name;
use super::names::Names;
use super::system::Scope;
use super::value::Value;
use super::{GeneratedType, Model, Origin, Row, check};
use crate::diagnostic::catalogue::{self, Composed, Declarable, Kind, Place};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, part, system};
use crate::expr::{CollectVec, ExprId, Graph, Map, Number, PushEach, SortedSet};
use crate::syntax::ast::{
    Block, Constraint, Expr, ExprKind, Header, Let, Relation, RelationKind, name_of,
};

/// The model of a tree, or `None` if there are mistakes (reported to `diagnostics`).
pub fn lower(tree: &Constraint, diagnostics: &mut Diagnostics) -> Option<Model> {
    let mut lowering = Lowering::new(diagnostics, tree.header.as_ref());
    match &tree.header {
        Some(header) => lowering.declare(header),
        None => lowering.declare_axes(&tree.body),
    }
    lowering.rows(&tree.body);
    check::rows(&lowering.model, lowering.diagnostics);
    let instead = if lowering.model.bodies.is_empty() {
        "implement `Constraint` by hand"
    } else {
        "implement `BodyConstraint` by hand"
    };
    check::size(&lowering.model, instead, lowering.diagnostics);
    let Lowering {
        model, diagnostics, ..
    } = lowering;
    diagnostics.is_empty().then_some(model)
}

pub(super) struct Lowering<'d> {
    pub diagnostics: &'d mut Diagnostics,
    pub model: Model,
    pub names: Names,
    /// Whether free names become coordinates.
    pub bare: bool,
    /// Where the user could declare a missing name.
    pub declarable: Declarable,
    /// Whether all declarations could be read, so that an unknown name is a mistake.
    pub complete: bool,
    /// Whether inside a branch that is never taken: values need not be valid.
    pub dead: bool,
    /// Whether inside an index, a number of elements or a bound: a whole number known at expansion.
    pub counting: bool,
    unknown: SortedSet<String>,
    /// Additional names of `system!`.
    pub system: Option<Box<Scope>>,
    /// Number of scalar coordinates so far.
    pub scalars: usize,
    /// The largest exponent within a product, powers of powers multiplied.
    pub exponents: Map<ExprId, u64>,
    /// Number of expressions so far; in a system also statements, and functions once for every call.
    pub expressions: usize,
}

/// More expressions than this are not lowered: the generated code would take rustc minutes.
const MAX_EXPRESSIONS: usize = 300_000;

impl<'d> Lowering<'d> {
    pub fn new(diagnostics: &'d mut Diagnostics, header: Option<&Header>) -> Lowering<'d> {
        let item = header.map(|header| GeneratedType {
            attributes: header.attributes.clone(),
            derives: header.derives.clone(),
            derivatives: header.derivatives,
            visibility: header.visibility.clone(),
            name: header.name.clone(),
            named: header.named,
        });
        Lowering {
            diagnostics,
            bare: header.is_none(),
            declarable: Declarable::Anywhere,
            complete: header.is_none_or(|header| header.complete),
            dead: false,
            counting: false,
            names: Names::default(),
            unknown: SortedSet::new(),
            system: None,
            scalars: 0,
            exponents: Map::default(),
            expressions: 0,
            model: Model {
                item,
                parameters: Vec::new(),
                coordinates: Vec::new(),
                bodies: Vec::new(),
                arms: Vec::new(),
                time: None,
                graph: Graph::new(),
                origins: Vec::new(),
                symbols: Vec::new(),
                names: Vec::new(),
                splines: Vec::new(),
                rows: Vec::new(),
            },
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) -> Value {
        self.diagnostics.push(diagnostic);
        Value::Poison
    }

    /// Runs `lower` without reporting mistakes, for expressions that are inspected but not used.
    pub fn without_reports<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let reported = std::mem::take(self.diagnostics);
        let unknown = self.unknown.clone();
        let value = lower(self);
        (*self.diagnostics, self.unknown) = (reported, unknown);
        value
    }

    pub fn graph(&mut self) -> &mut Graph {
        &mut self.model.graph
    }

    /// Records this text as the origin of all expressions that are new in the graph.
    fn record_origins(&mut self, expr: &Expr, range: SourceRange) {
        let text = std::ptr::from_ref(expr) as usize;
        let count = self.model.graph.len();
        self.model.origins.resize(count, Origin { range, text });
    }
}

// ---- rows ---------------------------------------------------------------------------------------

impl Lowering<'_> {
    /// Lowers the top level: a relation, an expression, rows, or a block that ends in one.
    pub fn rows(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Block(block) => {
                let mark = self.names.enter();
                self.lets(&block.lets);
                self.rows(&block.value);
                self.names.leave(mark);
            }
            ExprKind::List(items) if items.is_empty() => {
                self.report(catalogue::no_rows(expr.range));
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.rows(item)),
            ExprKind::Compare(relation, left, right) => {
                self.relation(*relation, left, right, expr.range)
            }
            ExprKind::With(relation, fields) => {
                self.rows(relation);
                if let (ExprKind::Compare(sign, ..), Some((field, _))) =
                    (&relation.kind, fields.first())
                    && sign.kind == RelationKind::Eq
                {
                    self.report(catalogue::properties_elsewhere(field.span().into()));
                }
            }
            ExprKind::And(_) => self.condition_as_row(expr, Composed::And),
            ExprKind::Or(_) => self.condition_as_row(expr, Composed::Or),
            ExprKind::Not(_) => self.condition_as_row(expr, Composed::Not),
            _ => {
                let value = self.value(expr);
                self.push_rows(&value, expr.range);
            }
        }
    }

    fn condition_as_row(&mut self, expr: &Expr, composed: Composed) {
        let place = match self.system {
            Some(_) => Place::Constraint,
            None => Place::Row,
        };
        let equalities = holds_equalities(expr);
        self.report(catalogue::condition_as_row(
            expr.range, composed, equalities, place,
        ));
    }

    pub fn push_rows(&mut self, value: &Value, range: SourceRange) {
        if let Value::Scalar(_) | Value::Vector(_) = value {
            let rows = value.components().iter().map(|&root| Row {
                root,
                range,
                is_relation: false,
            });
            self.model.rows.push_each(rows);
        }
    }

    /// left − right = 0, as one sum.
    fn relation(&mut self, relation: Relation, left: &Expr, right: &Expr, range: SourceRange) {
        let between_bodies = !self.model.bodies.is_empty();
        match relation.kind {
            RelationKind::Eq => {}
            RelationKind::Lt | RelationKind::Gt => {
                self.report(catalogue::inequality(relation.range));
            }
            _ if self.system.is_some() => {
                self.report(catalogue::side_among_rows(relation.range));
            }
            _ if between_bodies => {
                self.report(catalogue::side_of_bodies(relation.range));
            }
            _ => {
                self.report(catalogue::side_without_struct(relation.range));
            }
        }
        let mut terms = self.terms(left, false);
        terms.push_each(self.terms(right, true));
        let difference = self.sum_of(&terms, range);
        self.record_origins(left, range);
        if relation.kind == RelationKind::Eq {
            let first = self.model.rows.len();
            self.push_rows(&difference, range);
            let rows = self.model.rows.iter_mut().skip(first);
            rows.for_each(|row| row.is_relation = true);
        }
    }
}

/// Whether all relations of a condition are equalities.
fn holds_equalities(condition: &Expr) -> bool {
    match &condition.kind {
        ExprKind::And(list) | ExprKind::Or(list) => list.iter().all(holds_equalities),
        ExprKind::Not(inner) => holds_equalities(inner),
        ExprKind::Compare(relation, ..) => relation.kind == RelationKind::Eq,
        _ => true,
    }
}

// ---- expressions --------------------------------------------------------------------------------

impl Lowering<'_> {
    /// A scalar or a vector.
    pub fn value(&mut self, expr: &Expr) -> Value {
        match self.expr(expr) {
            Value::Condition(_) => self.report(catalogue::condition_as_value(expr.range)),
            value => value,
        }
    }

    /// A scalar.
    pub fn scalar(&mut self, expr: &Expr) -> Option<ExprId> {
        let value = self.expr(expr);
        self.as_scalar(&value, expr.range)
    }

    pub fn as_scalar(&mut self, value: &Value, range: SourceRange) -> Option<ExprId> {
        match value {
            Value::Scalar(id) => return Some(*id),
            Value::Poison => {}
            other => {
                let found = other.kind().unwrap_or(Kind::Scalar);
                self.report(catalogue::expected_scalar(range, found));
            }
        }
        None
    }

    /// Any value except a body.
    pub fn expr(&mut self, expr: &Expr) -> Value {
        match self.expr_or_body(expr) {
            body @ (Value::Body(_) | Value::Pose(_)) => {
                let name = self.name_of_body(&body);
                self.report(catalogue::body_as_value(expr.range, &name))
            }
            value => value,
        }
    }

    pub fn expr_or_body(&mut self, expr: &Expr) -> Value {
        let found = self.any(expr);
        self.single(found, expr)
    }

    /// Any meaning of an expression, including an array or a part.
    pub fn any(&mut self, expr: &Expr) -> Value {
        let value = self.unmarked(expr);
        self.record_origins(expr, expr.range);
        value
    }

    fn unmarked(&mut self, expr: &Expr) -> Value {
        let range = expr.range;
        if self.is_too_large(range) {
            return Value::Poison;
        }
        match &expr.kind {
            ExprKind::Error => Value::Poison,
            ExprKind::Number(digits) => self.number(digits, range),
            ExprKind::Name(ident) => self.name(ident),
            ExprKind::Sum(_) => {
                let terms = self.terms(expr, false);
                self.sum_of(&terms, range)
            }
            ExprKind::Neg(inner) => {
                let value = self.value(inner);
                value.map(|id| self.graph().neg(id))
            }
            ExprKind::Product(factors) => self.product(factors, range),
            ExprKind::Remainder(a, b) => self.remainder(a, b),
            ExprKind::SumOver(repeated, term) => self.sum_over(repeated, term, range),
            ExprKind::Power(base, exponent) => {
                let (b, e) = (self.value(base), self.scalar(exponent));
                if let Value::Vector(_) = b {
                    return self.report(catalogue::power_of_vector(base.range));
                }
                match (b, e) {
                    (Value::Scalar(b), Some(e)) => self.power(b, e, range),
                    _ => Value::Poison,
                }
            }
            ExprKind::Call {
                function,
                arguments,
                method,
            } => self.call(function, arguments, *method, range),
            ExprKind::Component(of, name) => self.member(of, name),
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::List(items) => self.vector(items, range),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(choice) => self.choice(choice),
            ExprKind::Compare(relation, a, b) => self.comparison(*relation, a, b),
            ExprKind::With(relation, fields) => {
                let value = self.any(relation);
                let range = fields.first().map_or(range, |(name, _)| name.span().into());
                self.report(catalogue::properties_elsewhere(range));
                value
            }
            ExprKind::And(list) => self.junction(list, Graph::and),
            ExprKind::Or(list) => self.junction(list, Graph::or),
            ExprKind::Not(inner) => match self.condition(inner) {
                Some(id) => Value::Condition(self.graph().not(id)),
                None => Value::Poison,
            },
        }
    }

    /// `leg[2].foot`, or a component of a vector.
    fn member(&mut self, of: &Expr, name: &Ident) -> Value {
        let found = self.any(of);
        if let Value::Part(members) = &found {
            let text = name_of(name);
            if let Some(member) = members.members.get(&text) {
                return member.clone();
            }
            let offered: Vec<&str> = members.members.keys().map(String::as_str).collect_vec();
            let range = name.span().into();
            return self.report(part::not_offered(range, &members.part, &text, &offered));
        }
        let value = self.as_value(found, of);
        self.component(&value, name)
    }

    /// Accepts anything but an array or a part.
    fn single(&mut self, found: Value, expr: &Expr) -> Value {
        match found {
            Value::Array(elements) => self.array_as_value(expr, &elements),
            Value::Part(members) => {
                let name = match &expr.kind {
                    ExprKind::Name(name) => name_of(name),
                    _ => "this".to_owned(),
                };
                self.report(part::part_as_value(expr.range, &name, &members.part))
            }
            found => found,
        }
    }

    /// A scalar or a vector.
    fn as_value(&mut self, found: Value, expr: &Expr) -> Value {
        match self.single(found, expr) {
            Value::Condition(_) => self.report(catalogue::condition_as_value(expr.range)),
            body @ (Value::Body(_) | Value::Pose(_)) => {
                let name = self.name_of_body(&body);
                self.report(catalogue::body_as_value(expr.range, &name))
            }
            value => value,
        }
    }

    /// Counts an expression; the first beyond the limit is reported.
    fn is_too_large(&mut self, range: SourceRange) -> bool {
        self.expressions += 1;
        if self.expressions == MAX_EXPRESSIONS + 1 {
            self.report(catalogue::too_large(range, MAX_EXPRESSIONS));
        }
        self.expressions > MAX_EXPRESSIONS
    }

    fn number(&mut self, digits: &str, range: SourceRange) -> Value {
        match Number::parse_decimal(digits) {
            Some(number) if number.fits() => Value::Scalar(self.graph().number(number)),
            _ => self.report(catalogue::number_too_large(range)),
        }
    }

    fn name(&mut self, ident: &Ident) -> Value {
        let name = name_of(ident);
        if let Some(value) = self.names.get(&name) {
            return value.clone();
        }
        if let Some(number) = constant(&name) {
            return Value::Scalar(self.graph().number(number));
        }
        if name == "π" {
            return self.report(catalogue::pi_by_letter(ident.span().into()));
        }
        if self.bare {
            return self.declare_free(ident);
        }
        if !self.complete || !self.unknown.insert(name.clone()) {
            return Value::Poison;
        }
        let range = ident.span().into();
        let usage = super::builtin::usage(&name).or_else(|| self.user_usage(&name));
        let diagnostic = match usage {
            Some(usage) => catalogue::function_without_arguments(range, &usage),
            None => self.unknown(&name, range),
        };
        self.report(diagnostic)
    }

    /// The message for an undeclared name.
    fn unknown(&self, name: &str, range: SourceRange) -> Diagnostic {
        if let Some(time) = self.clock_name().filter(|_| matches!(name, "t" | "time")) {
            return catalogue::time_by_another_name(range, name, &time);
        }
        if let Some(rate) = self.rate_meant(name) {
            return system::rate_by_name(range, name, &rate);
        }
        if self.counting && self.is_declared(name) {
            return system::not_counted(range, name);
        }
        if self.is_declared_later(name) {
            return catalogue::declared_later(range, name);
        }
        if self.counting {
            return match name {
                "i" | "j" | "k" => system::unknown_index(range, name),
                _ => system::unknown_count(range, name),
            };
        }
        let mut in_scope = self.names.in_order();
        in_scope.push_each(["PI", "TAU", "E"]);
        if self.model.item.as_ref().is_some_and(|item| !item.named) {
            return catalogue::unknown_name_between_bars(range, name, &in_scope);
        }
        catalogue::unknown_name(range, name, &in_scope, &self.declarable)
    }

    /// The name of the time, if there is one.
    fn clock_name(&self) -> Option<String> {
        match self.system {
            Some(_) => Some("t".to_owned()),
            None => self.model.time.as_ref().map(name_of),
        }
    }

    fn component(&mut self, of: &Value, name: &Ident) -> Value {
        let text = name_of(name);
        let index = match text.as_str() {
            "x" => Some(0),
            "y" => Some(1),
            "z" => Some(2),
            _ => None,
        };
        if let (Value::Vector(components), Some(index)) = (of, index)
            && let Some(&id) = components.get(index)
        {
            return Value::Scalar(id);
        }
        let Some(kind) = of.kind() else {
            return Value::Poison;
        };
        let is_function = super::builtin::usage(&text).is_some();
        let range = name.span().into();
        self.report(catalogue::unknown_component(
            range,
            &text,
            kind,
            is_function,
        ))
    }

    fn vector(&mut self, items: &[Expr], range: SourceRange) -> Value {
        let values: Vec<Value> = items.iter().map(|item| self.expr(item)).collect_vec();
        let is_vector = |value: &Value| matches!(value, Value::Vector(_));
        if values.len() > 1 && values.iter().all(is_vector) {
            return self.report(catalogue::list_of_vectors(range));
        }
        let entries = values.iter().zip(items);
        let components: Vec<_> = entries
            .map(|(value, item)| self.as_scalar(value, item.range))
            .collect_vec();
        if !(2..=3).contains(&items.len()) {
            return self.report(catalogue::vector_size(range, items.len()));
        }
        match components.into_iter().collect() {
            Some(components) => Value::Vector(components),
            None => Value::Poison,
        }
    }

    fn block(&mut self, block: &Block) -> Value {
        let mark = self.names.enter();
        self.lets(&block.lets);
        let value = match self.system {
            Some(_) => self.value_or_body(&block.value),
            None => self.value(&block.value),
        };
        self.names.leave(mark);
        value
    }

    pub fn lets(&mut self, lets: &[Let]) {
        for statement in lets {
            let listed = matches!(statement.value.kind, ExprKind::List(_));
            let value = match self.system {
                Some(_) if listed => self.listed(&statement.value),
                Some(_) => self.value_or_body(&statement.value),
                None => self.value(&statement.value),
            };
            self.bind(&statement.name, value.clone());
            if listed && self.system.is_some() && matches!(value, Value::Vector(_)) {
                self.names.mark_list(&name_of(&statement.name));
            }
            if !self.dead {
                let name = self.full_name(name_of(&statement.name));
                self.name_value(&value, name);
            }
        }
    }

    /// Records the user's name for a value.
    fn name_value(&mut self, value: &Value, name: String) {
        match value {
            Value::Scalar(id) => self.model.names.push((*id, name)),
            Value::Vector(components) => {
                let named = components.iter().enumerate();
                let named = named.map(|(i, &id)| (id, component_name(&name, i)));
                self.model.names.push_each(named);
            }
            Value::Array(elements) => {
                for (i, element) in elements.iter().enumerate() {
                    self.name_value(element, format!("{name}[{i}]"));
                }
            }
            Value::Condition(_)
            | Value::Part(_)
            | Value::Body(_)
            | Value::Pose(_)
            | Value::Poison => {}
        }
    }
}

/// The named constants.
pub(super) fn constant(name: &str) -> Option<Number> {
    match name {
        "PI" => Some(Number::PI),
        "TAU" => Some(Number::integer(2) * Number::PI),
        "E" => Some(Number::float(std::f64::consts::E)),
        _ => None,
    }
}
