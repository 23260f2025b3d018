//! Syntax tree of a system to its model: scopes, functions and indices.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use proc_macro2::Ident;

use super::super::lower::Lowering;
use super::super::names::Names;
use super::super::value::Value;
use super::super::{Link, Role, Shape, check};
use super::{Argument, Options, Solver, System, part};
use crate::diagnostic::catalogue::{self, Declarable};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, system};
use crate::diff::Taylor;
use crate::expr::{ExprId, Map, Node, Number};
use crate::syntax::ast::{Expr, ExprKind, Repeated, name_of};
use crate::syntax::statement::{self, Function, Statement, StatementKind};
use crate::syntax::{REGRESSOR, TASK_SPACE};

/// Context of a system's expressions, besides names.
#[derive(Debug, Default)]
pub(in crate::model) struct Scope {
    functions: Functions,
    /// Prefix of names that are declared here: `leg[2].` in a part.
    pub prefix: String,
    /// The shapes of every function's arguments where it was first called.
    pub signatures: BTreeMap<String, Vec<Argument>>,
    /// Number of functions declared before the current one, which it may call; `None` outside of functions.
    visible: Option<usize>,
    /// Whether a function was refused for its depth; only the first is reported.
    too_deep: bool,
    /// Taylor coefficients of the leaves: q̇ = v, ṫ = 1.
    pub motion: Taylor,
    /// The factors of poses so far.
    pub links: Vec<Link>,
    /// Whether inside an output, which may use λ and v̇.
    pub observing: bool,
    /// The leaf of its derivative for each velocity.
    pub accelerations: Map<ExprId, ExprId>,
    /// The rows of every constraint so far, and the leaves of their multipliers by number.
    pub rows: BTreeMap<String, Range<usize>>,
    pub reactions: Map<usize, ExprId>,
}

/// The callable functions, by name.
pub(super) type Functions = BTreeMap<String, Rc<UserFunction>>;

#[derive(Debug)]
pub(in crate::model) struct UserFunction {
    function: Function,
    /// The names in scope where it was written.
    names: Rc<Names>,
    /// The number of functions declared before.
    order: usize,
    /// Depth of its expressions, including the functions that it calls.
    depth: usize,
}

impl UserFunction {
    /// `wire(s)`
    fn usage(&self) -> String {
        let list: Vec<String> = self.function.arguments.iter().map(name_of).collect();
        format!("{}({})", name_of(&self.function.name), list.join(", "))
    }
}

/// Limit on the elements of an array.
const MAX_ELEMENTS: usize = 100_000;

/// Limit on the depth of expressions through calls, so that recursion over them is safe.
const MAX_DEPTH: usize = 400;

/// The model of a tree. If there are mistakes (reported to `diagnostics`), it contains everything that was understood.
pub fn lower_system(tree: &statement::System, diagnostics: &mut Diagnostics) -> System {
    let mut lowering = Lowering::new(diagnostics, Some(&tree.header));
    lowering.declarable = Declarable::InSystem;
    lowering.system = Some(Box::default());
    lowering.clock();
    lowering.constants(&tree.statements);
    lowering.declare(&tree.header);
    let mut options = lowering.options(&tree.options);
    options.derivatives = tree.header.derivatives;
    let mut parts = super::statements::SystemBuilder::new(lowering, options);
    parts.defaults(&tree.header);
    parts.later_parts = part::names(&tree.statements);
    parts.statements(&tree.statements);
    let (system, diagnostics) = parts.finish(&tree.header.name);
    check::rows(&system.model, diagnostics);
    check::sizes(
        &system.model.graph,
        &roots(&system, &tree.header.name),
        diagnostics,
    );
    system
}

/// The expressions from which equations are derived; those without a source range get that of the system's name.
fn roots(system: &System, name: &Ident) -> Vec<(ExprId, SourceRange)> {
    let elsewhere = system.potential.iter().chain(&system.dissipation).copied();
    let elsewhere = elsewhere.chain(system.places.iter().map(|&(_, place)| place));
    let elsewhere = elsewhere.chain(system.observed.iter().copied());
    let sides = system.one_sided.iter().flat_map(|side| {
        let friction = side.friction.iter();
        let friction = friction.flat_map(|it| [(it.coefficient, it.range), (it.slip, it.range)]);
        [(side.gap, side.range), (side.restitution, side.range)]
            .into_iter()
            .chain(friction)
    });
    let elsewhere = elsewhere.map(|id| (id, SourceRange::from(name.span())));
    let rows = system.model.rows.iter().map(|row| (row.root, row.range));
    rows.chain(system.kinetic.iter().copied())
        .chain(elsewhere)
        .chain(sides)
        .collect()
}

impl Scope {
    /// The depth of an expression, including the functions that it calls, and the call on the deepest path, if there
    /// is one. A call adds one level more than other operations.
    fn depth(&self, expr: &Expr) -> (usize, Option<SourceRange>) {
        let mut deepest = (0, None);
        expr.kind.for_each_operand(&mut |operand| {
            let found = self.depth(operand);
            if found.0 > deepest.0 {
                deepest = found;
            }
        });
        if let ExprKind::Call { function, .. } = &expr.kind
            && let Some(callee) = self.functions.get(&name_of(function))
            && callee.depth + 1 >= deepest.0
        {
            deepest = (callee.depth + 1, Some(function.span().into()));
        }
        (deepest.0 + 1, deepest.1)
    }
}

impl Lowering<'_> {
    /// `t`, the time.
    fn clock(&mut self) {
        let t = Ident::new("t", proc_macro2::Span::mixed_site());
        let time = self.symbols(&t, Shape::Scalar, |_| Role::Time);
        if let Value::Scalar(leaf) = time {
            let (zero, one) = (self.graph().zero(), self.graph().number(Number::ONE));
            self.seed(leaf, one, zero);
        }
        self.bind(&t, time);
    }

    /// Sets the first and second derivative of a leaf.
    pub fn seed(&mut self, leaf: ExprId, first: ExprId, second: ExprId) {
        if let Some(scope) = &mut self.system {
            scope.motion.seed(leaf, first, second);
        }
    }

    /// d/dt and d²/dt² at v̇ = 0.
    pub fn derivatives(&mut self, id: ExprId) -> (ExprId, ExprId) {
        let graph = &mut self.model.graph;
        match &mut self.system {
            Some(scope) => (
                scope.motion.first(graph, id),
                scope.motion.second(graph, id),
            ),
            None => (id, id),
        }
    }

    fn options(&mut self, written: &[(Ident, Option<Ident>)]) -> Options {
        let mut options = Options::default();
        let mut rolled = None;
        for (name, choice) in written {
            let range = choice.as_ref().unwrap_or(name).span().into();
            let choice = choice.as_ref().map(Ident::to_string);
            let requested = if name == TASK_SPACE {
                Some(&mut options.task_space)
            } else if name == REGRESSOR {
                Some(&mut options.regressor)
            } else {
                None
            };
            if let Some(requested) = requested {
                *requested = Some(range);
                continue;
            }
            match (name == "solver", choice.as_deref()) {
                (true, Some("unrolled")) => options.solver = Some(Solver::Unrolled),
                (true, Some("rolled")) => {
                    options.solver = Some(Solver::Rolled);
                    rolled = Some(range);
                }
                (true, _) => {
                    let choices = ["unrolled", "rolled"];
                    self.report(system::unknown_option(range, "solver", &choices));
                }
                (false, Some("least_squares")) => options.redundant = true,
                (false, _) => {
                    let choices = ["least_squares"];
                    self.report(system::unknown_option(range, "redundant", &choices));
                }
            }
        }
        if let Some(range) = rolled.filter(|_| options.redundant) {
            self.report(system::rolled_least_squares(range));
        }
        options
    }

    /// `bead[i]`, `bead[i][j]`; indexing an array of arrays returns one of these.
    pub fn index(&mut self, of: &Expr, index: &Expr) -> Value {
        let array = match &of.kind {
            ExprKind::Name(ident) => match self.names.elements(&name_of(ident)) {
                Some(elements) => Value::Array(elements),
                None => self.any(of),
            },
            ExprKind::Index(of, index) => self.index(of, index),
            ExprKind::Component(..) => self.any(of),
            _ => self.value(of),
        };
        let position = self.whole(index, system::index_not_constant);
        let elements = match array {
            Value::Array(elements) => elements,
            Value::Poison => return Value::Poison,
            body @ (Value::Body(_) | Value::Pose(_)) => {
                let name = self.name_of_body(&body);
                return self.report(match indexed_name(of) {
                    Some((_, indices)) => system::more_indices(index.range, &name, indices),
                    None => system::index_of_body(index.range, &name),
                });
            }
            _ => {
                return self.report(match indexed_name(of) {
                    Some((name, indices)) => {
                        system::more_indices(index.range, &name_of(name), indices)
                    }
                    None => system::index_of_single(index.range),
                });
            }
        };
        let Some(position) = position else {
            return Value::Poison;
        };
        let element = usize::try_from(position).ok().and_then(|i| elements.get(i));
        match element {
            Some(element) => element.clone(),
            None => self.report(system::index_out_of_range(
                index.range,
                position,
                elements.len(),
            )),
        }
    }

    /// The value of a list of any length: a vector for two or three numbers, otherwise an array.
    pub fn listed(&mut self, expr: &Expr) -> Value {
        let ExprKind::List(items) = &expr.kind else {
            return self.value(expr);
        };
        let entries: Vec<Value> = items.iter().map(|item| self.listed(item)).collect();
        if entries.iter().any(|entry| matches!(entry, Value::Poison)) {
            return Value::Poison;
        }
        let scalars = entries.iter().map(|entry| match entry {
            Value::Scalar(id) => Some(*id),
            _ => None,
        });
        if let Some(scalars) = scalars.collect::<Option<Vec<ExprId>>>()
            && (2..=3).contains(&scalars.len())
        {
            return Value::Vector(scalars);
        }
        match unlike(&entries) {
            _ if entries.is_empty() => self.report(system::empty_list(expr.range)),
            None => Value::Array(Rc::new(entries)),
            Some(i) => {
                let range = items[i].range;
                self.report(system::unlike_entries(
                    range,
                    &size(&entries[i]),
                    &size(&entries[0]),
                ))
            }
        }
    }

    /// Reports an array of arrays in a place where a value is required.
    pub fn array_as_value(&mut self, expr: &Expr, elements: &[Value]) -> Value {
        let name = indexed_name(expr).map(|(name, indices)| {
            let name = name_of(name);
            format!("{name}{}", "[…]".repeat(indices))
        });
        let name = match &expr.kind {
            ExprKind::Name(name) => Some(name_of(name)),
            _ => name,
        };
        let name = name.unwrap_or_else(|| "this".to_owned());
        self.report(system::array_as_value(expr.range, &name, elements.len()))
    }

    /// a % b ≥ 0 of whole numbers.
    pub fn remainder(&mut self, a: &Expr, b: &Expr) -> Value {
        let (whole, by) = (
            self.whole(a, system::remainder_of_no_whole),
            self.whole(b, system::remainder_of_no_whole),
        );
        let (Some(whole), Some(by)) = (whole, by) else {
            return Value::Poison;
        };
        if by <= 0 {
            return self.report(system::remainder_by(b.range, by));
        }
        let remainder = Number::ratio(whole.rem_euclid(by).into(), 1);
        Value::Scalar(self.graph().number(remainder))
    }

    /// `sum(i in 0..n: term)`
    pub fn sum_over(&mut self, repeated: &Repeated, term: &Expr, range: SourceRange) -> Value {
        let Some(indices) = self.indices(repeated) else {
            return Value::Poison;
        };
        let (start, before) = (indices.start, self.diagnostics.iter().count());
        let mut terms = Vec::new();
        for i in indices {
            let mark = self.names.enter();
            self.bind_index(&repeated.index, i);
            terms.extend(self.terms(term, false));
            self.names.leave(mark);
            // The next round would report the same mistakes.
            if self.diagnostics.iter().count() > before {
                return Value::Poison;
            }
        }
        if terms.is_empty() {
            self.sum_of_none(&repeated.index, start, term)
        } else {
            self.sum_of(&terms, range)
        }
    }

    /// Zero, of the shape that the terms would have: a number, or a vector.
    fn sum_of_none(&mut self, index: &Ident, start: i64, term: &Expr) -> Value {
        let zero = self.graph().zero();
        // After the last element there may be none, but there may be one before.
        for i in [start, start - 1] {
            if let Value::Vector(components) = self.without_reports(|lowering| {
                let mark = lowering.names.enter();
                lowering.bind_index(index, i);
                let value = lowering.value(term);
                lowering.names.leave(mark);
                value
            }) {
                return Value::Vector(vec![zero; components.len()]);
            }
        }
        Value::Scalar(zero)
    }

    /// The values of an index.
    pub fn indices(&mut self, repeated: &Repeated) -> Option<Range<i64>> {
        let Repeated {
            start,
            end,
            inclusive,
            ..
        } = repeated;
        let range = start.range.to(end.range);
        let (start, end) = (
            self.whole(start, system::bound_not_constant),
            self.whole(end, system::bound_not_constant),
        );
        let (start, end) = (start?, end?);
        if end < start {
            self.report(system::range_backwards(range, start, end));
            return None;
        }
        Some(start..end.saturating_add(i64::from(*inclusive)))
    }

    /// Binds an index to its value.
    pub fn bind_index(&mut self, index: &Ident, value: i64) {
        let number = Number::ratio(value.into(), 1);
        let value = Value::Scalar(self.graph().number(number));
        self.bind(index, value);
    }

    /// Collects the named numbers, which may also be used before their declaration.
    pub fn constants(&mut self, statements: &[Statement]) {
        for statement in statements {
            let StatementKind::Const(name, value) = &statement.kind else {
                continue;
            };
            let outer = std::mem::replace(&mut self.counting, true);
            let found = self.scalar(value);
            self.counting = outer;
            let number = found.filter(|&id| self.graph().as_number(id).is_some());
            if let (Some(_), None) = (found, number) {
                self.report(system::const_not_constant(value.range));
            }
            self.bind(name, number.map_or(Value::Poison, Value::Scalar));
        }
    }

    /// The lengths of an array.
    pub fn lengths(&mut self, written: &[Expr]) -> Vec<usize> {
        let lengths: Vec<usize> = written.iter().map(|length| self.length(length)).collect();
        let all = lengths
            .iter()
            .try_fold(1_usize, |all, &n| all.checked_mul(n));
        if all.is_some_and(|all| all <= MAX_ELEMENTS) {
            return lengths;
        }
        if let (Some(first), Some(last)) = (written.first(), written.last()) {
            self.report(system::bad_count(first.range.to(last.range)));
        }
        vec![1; written.len()]
    }

    /// `[8]`, as the length of an array; 1 if it is invalid, which is reported.
    fn length(&mut self, written: &Expr) -> usize {
        let Some(length) = self.whole(written, system::bad_count) else {
            return 1;
        };
        if (1..=MAX_ELEMENTS as i64).contains(&length) {
            return length as usize;
        }
        self.report(system::bad_count(written.range));
        1
    }

    /// A whole number known at expansion; otherwise `otherwise` is reported.
    pub fn whole(&mut self, expr: &Expr, otherwise: fn(SourceRange) -> Diagnostic) -> Option<i64> {
        let outer = std::mem::replace(&mut self.counting, true);
        let scalar = self.scalar(expr);
        self.counting = outer;
        let id = scalar?;
        let number = self.graph().as_number(id).and_then(Number::as_integer);
        let whole = number.and_then(|number| i64::try_from(number).ok());
        if whole.is_none() {
            self.report(otherwise(expr.range));
        }
        whole
    }

    /// The functions so far.
    pub fn functions(&self) -> Functions {
        let scope = self.system.as_ref();
        scope
            .map(|scope| scope.functions.clone())
            .unwrap_or_default()
    }

    /// Replaces the callable functions; returns the previous ones.
    pub fn exchange_functions(&mut self, functions: Functions) -> Functions {
        let scope = self.system.as_mut();
        scope.map_or_else(Functions::new, |scope| {
            std::mem::replace(&mut scope.functions, functions)
        })
    }

    /// Sets the prefix of names that are declared here.
    pub fn set_prefix(&mut self, prefix: String) {
        if let Some(scope) = &mut self.system {
            scope.prefix = prefix;
        }
    }

    /// `leg[2].foot` of `foot`
    pub fn full_name(&self, name: String) -> String {
        match &self.system {
            Some(scope) if !scope.prefix.is_empty() => format!("{}{name}", scope.prefix),
            _ => name,
        }
    }

    /// Records a function with the names visible to it; its mistakes are found even if it is never called.
    pub fn define(&mut self, function: &Function) {
        let (name, range) = (name_of(&function.name), function.name.span().into());
        let taken = super::super::builtin::usage(&name).is_some() || name == "velocity";
        let names = self.names.captured();
        let Some(scope) = &mut self.system else {
            return;
        };
        let (depth, deepest) = scope.depth(&function.value);
        let known = Rc::new(UserFunction {
            function: function.clone(),
            names,
            order: scope.functions.len(),
            depth,
        });
        let before = scope.functions.insert(name.clone(), Rc::clone(&known));
        if taken || before.is_some() {
            self.report(catalogue::duplicate_name(range, &name));
            return self.forget(&name);
        }
        if let Some(call) = deepest.filter(|_| depth > MAX_DEPTH) {
            if !std::mem::replace(&mut scope.too_deep, true) {
                self.report(system::calls_too_deep(call, depth, MAX_DEPTH));
            }
            return self.forget(&name);
        }
        let unknown = vec![Value::Poison; function.arguments.len()];
        self.apply(&known, &unknown);
    }

    /// A call of `velocity` or of a user's function.
    pub fn system_call(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        place: SourceRange,
    ) -> Option<Value> {
        let scope = self.system.as_ref()?;
        if let Some(function) = scope.functions.get(name).cloned() {
            if scope
                .visible
                .is_some_and(|visible| function.order >= visible)
            {
                return Some(self.report(system::function_not_yet_declared(place, name)));
            }
            return Some(self.call_user(&function, values, place));
        }
        match (name, values) {
            ("velocity", [value]) => Some(self.rate_of(value, arguments[0].range)),
            ("velocity", _) => {
                let (usage, count) = ("velocity(p)", "1 argument");
                Some(self.report(catalogue::wrong_arity(place, usage, count, values.len())))
            }
            _ => None,
        }
    }

    /// `velocity(x)` for `x_dot`, `v_x` and the like, if x moves.
    pub fn rate_meant(&self, name: &str) -> Option<String> {
        self.system.as_ref()?;
        let suffixes = ["_dot", "dot", "_d"].iter();
        let prefixes = ["v_", "v", "d_", "d", "dot_", "omega_"].iter();
        let stripped = suffixes.filter_map(|suffix| name.strip_suffix(suffix));
        let mut stripped = stripped.chain(prefixes.filter_map(|prefix| name.strip_prefix(prefix)));
        stripped.find_map(|of| match self.names.get(of)? {
            Value::Body(_) | Value::Pose(_) if name.starts_with("omega") => {
                Some(format!("angular_velocity({of})"))
            }
            body @ (Value::Body(_) | Value::Pose(_)) => {
                let zeros = vec!["0"; self.place_of_body(body)?.len()].join(", ");
                Some(format!("velocity(at({of}, [{zeros}]))"))
            }
            Value::Array(_) => Some(format!("velocity({of}[i])")),
            value => {
                let mut components = value.components().iter();
                let moves = components.any(|&id| self.moves(id));
                moves.then(|| format!("velocity({of})"))
            }
        })
    }

    /// Whether an expression changes with the coordinates.
    fn moves(&self, id: ExprId) -> bool {
        let still = |role| !matches!(role, Role::Coordinate(_) | Role::Arm { .. } | Role::Place);
        self.depends(id, still).is_some()
    }

    /// The names of the user's functions.
    pub fn user_functions(&self) -> impl Iterator<Item = &str> {
        let scope = self.system.iter();
        scope.flat_map(|scope| scope.functions.keys().map(String::as_str))
    }

    /// `wire(s)` for `wire`; `None` for other names.
    pub fn user_usage(&self, name: &str) -> Option<String> {
        let scope = self.system.as_ref()?;
        Some(scope.functions.get(name)?.usage())
    }

    fn rate_of(&mut self, value: &Value, range: SourceRange) -> Value {
        match value {
            Value::Condition(_) => return self.report(catalogue::condition_as_value(range)),
            Value::Body(_) | Value::Pose(_) => {
                let name = self.name_of_body(value);
                return self.report(catalogue::body_as_value(range, &name));
            }
            _ => {}
        }
        let still = |role| {
            !matches!(
                role,
                Role::Velocity(_) | Role::Input(_) | Role::Acceleration(_) | Role::Reaction(_)
            )
        };
        let mut components = value.components().iter();
        if let Some(found) = components.find_map(|&id| self.depends(id, still)) {
            let diagnostic = system::no_velocity(range, found.on);
            return self.report(diagnostic);
        }
        let Some(scope) = &mut self.system else {
            return Value::Poison;
        };
        let graph = &mut self.model.graph;
        value.map(|id| scope.motion.first(graph, id))
    }

    fn call_user(&mut self, callee: &UserFunction, values: &[Value], place: SourceRange) -> Value {
        if let ExprKind::Error = callee.function.value.kind {
            return Value::Poison;
        }
        let expected = callee.function.arguments.len();
        if values.len() != expected {
            let count = match expected {
                1 => "1 argument".to_owned(),
                n => format!("{n} arguments"),
            };
            let usage = callee.usage();
            return self.report(catalogue::wrong_arity(place, &usage, &count, values.len()));
        }
        let kinds = values.iter().map(|value| self.argument(value));
        let kinds: Option<Vec<Argument>> = kinds.collect();
        let Some(kinds) = kinds else {
            return Value::Poison;
        };
        if let Some(scope) = &mut self.system {
            let name = name_of(&callee.function.name);
            scope.signatures.entry(name).or_insert(kinds);
        }
        self.apply(callee, values)
    }

    /// The type of an argument, unless unknown.
    fn argument(&self, value: &Value) -> Option<Argument> {
        match self.place_of_body(value).map(<[ExprId]>::len) {
            Some(2) => Some(Argument::Body(Shape::Plane)),
            Some(_) => Some(Argument::Body(Shape::Space)),
            None => value.kind().map(Argument::Value),
        }
    }

    /// The value of a function; repeated mistakes in it are not reported.
    fn apply(&mut self, callee: &UserFunction, values: &[Value]) -> Value {
        let Function {
            name,
            arguments,
            value,
        } = &callee.function;
        let before = self.diagnostics.iter().count();
        let inner = Names::within(Rc::clone(&callee.names));
        let outer = std::mem::replace(&mut self.names, inner);
        let visible = self.set_visible(Some(callee.order));
        for (argument, value) in arguments.iter().zip(values) {
            self.names.shadow(&name_of(argument), value.clone());
        }
        let result = self.value_or_body(value);
        if !self.model.splines.is_empty() && arguments.len() == 1 {
            self.name_spline(&result, &name_of(name));
        }
        self.names = outer;
        self.set_visible(visible);
        if self.diagnostics.iter().count() > before {
            self.forget(&name_of(name));
        }
        result
    }

    /// Sets how many functions can be called; returns the previous number.
    fn set_visible(&mut self, visible: Option<usize>) -> Option<usize> {
        let scope = self.system.as_mut()?;
        std::mem::replace(&mut scope.visible, visible)
    }

    /// Replaces the body of a function that has a mistake by poison: one mistake, one error.
    fn forget(&mut self, name: &str) {
        let range = SourceRange::call_site();
        if let Some(scope) = &mut self.system
            && let Some(function) = scope.functions.get(name)
        {
            let mut function = UserFunction {
                function: function.function.clone(),
                names: Rc::default(),
                order: function.order,
                depth: 0,
            };
            function.function.value = Expr::error(range);
            scope.functions.insert(name.to_owned(), Rc::new(function));
        }
    }

    /// The first forbidden dependence of an expression, if any.
    pub fn depends(&self, id: ExprId, allowed: impl Fn(Role) -> bool) -> Option<Dependence<'_>> {
        let graph = &self.model.graph;
        graph.reachable([id]).into_iter().find_map(|id| {
            let Node::Symbol(symbol) = graph.node(id) else {
                return None;
            };
            let symbol = self.model.symbols.get(symbol.index())?;
            (!allowed(symbol.role)).then(|| Dependence {
                on: in_words(symbol.role),
                name: &symbol.name,
            })
        })
    }
}

/// A forbidden dependence of an expression.
pub(in crate::model) struct Dependence<'a> {
    /// `a velocity`, `a coordinate`, `the time`
    pub on: &'static str,
    /// `u[3].x`
    pub name: &'a str,
}

/// The first entry whose type differs from that of the first entry.
fn unlike(entries: &[Value]) -> Option<usize> {
    let first = entries.first()?;
    entries.iter().position(|entry| size(entry) != size(first))
}

/// Size of a list's entry, in words.
fn size(entry: &Value) -> String {
    match entry {
        Value::Array(entries) => format!("a list of {}", entries.len()),
        Value::Vector(components) => format!("a list of {}", components.len()),
        _ => "a number".to_owned(),
    }
}

/// `bead` of `bead[3]` and `bead[3][4]`, and the number of indices.
fn indexed_name(mut expr: &Expr) -> Option<(&Ident, usize)> {
    let mut indices = 0;
    while let ExprKind::Index(of, _) = &expr.kind {
        (expr, indices) = (of, indices + 1);
    }
    match &expr.kind {
        ExprKind::Name(name) if indices > 0 => Some((name, indices)),
        _ => None,
    }
}

fn in_words(role: Role) -> &'static str {
    match role {
        Role::Time => "the time",
        Role::Velocity(_) => "a velocity",
        Role::Input(_) => "an input",
        Role::Acceleration(_) => "an acceleration",
        Role::Reaction(_) => "a multiplier",
        Role::Parameter { .. } => "a parameter",
        _ => "a coordinate",
    }
}
