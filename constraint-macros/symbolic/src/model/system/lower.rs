//! Syntax tree of a system to its model: scopes, functions and indices.

use std::collections::BTreeMap;
use std::rc::Rc;

use proc_macro2::Ident;

use super::super::lower::Lowering;
use super::super::names::Names;
use super::super::value::Value;
use super::super::{Role, Shape, check};
use super::{Options, Solver, System};
use crate::diagnostic::{Diagnostics, SourceRange, catalogue, system};
use crate::diff::Taylor;
use crate::expr::{ExprId, Node, Number};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement::{self, Function};

/// What the expressions of a system know besides names.
#[derive(Debug, Default)]
pub(in crate::model) struct Scope {
    functions: BTreeMap<String, Rc<UserFunction>>,
    /// q moves with v, time with 1.
    pub motion: Taylor,
}

#[derive(Debug)]
struct UserFunction {
    function: Function,
    /// The names in scope where it was written.
    names: Names,
}

/// The model of a tree, or `None` where there are mistakes (then `diagnostics` has them).
pub fn lower_system(tree: &statement::System, diagnostics: &mut Diagnostics) -> Option<System> {
    let mut lowering = Lowering::new(diagnostics, Some(&tree.header));
    lowering.open = false;
    lowering.system = Some(Box::default());
    lowering.clock();
    lowering.declare(&tree.header);
    let options = lowering.options(&tree.options);
    let mut parts = super::statements::Parts::new(lowering, options);
    parts.defaults(&tree.header);
    parts.statements(&tree.statements);
    let (system, diagnostics) = parts.finish(&tree.header.name);
    check::rows(&system.model, diagnostics);
    diagnostics.is_empty().then_some(system)
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

    /// Tells the motion how a leaf moves.
    pub fn seed(&mut self, leaf: ExprId, first: ExprId, second: ExprId) {
        if let Some(scope) = &mut self.system {
            scope.motion.seed(leaf, first, second);
        }
    }

    fn options(&mut self, written: &[(Ident, Option<Ident>)]) -> Options {
        let mut options = Options::default();
        for (name, choice) in written {
            let range = choice.as_ref().unwrap_or(name).span().into();
            let choice = choice.as_ref().map(Ident::to_string);
            match (name == "solver", choice.as_deref()) {
                (true, Some("unrolled")) => options.solver = Some(Solver::Unrolled),
                (true, Some("rolled")) => options.solver = Some(Solver::Rolled),
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
        options
    }

    /// `bead[i]`
    pub fn index(&mut self, of: &Expr, index: &Expr) -> Value {
        let position = self.whole(index);
        let array = match &of.kind {
            ExprKind::Name(ident) => match self.names.get(&name_of(ident)) {
                Some(Value::Array(elements)) => Some(Rc::clone(elements)),
                Some(_) | None => None,
            },
            _ => None,
        };
        let Some(elements) = array else {
            return match self.value(of) {
                Value::Poison => Value::Poison,
                _ => self.report(system::index_of_single(index.range)),
            };
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

    /// A whole number known at expansion; reported where it is none.
    pub fn whole(&mut self, expr: &Expr) -> Option<i64> {
        let id = self.scalar(expr)?;
        let number = self.graph().as_number(id).and_then(Number::as_integer);
        let whole = number.and_then(|number| i64::try_from(number).ok());
        if whole.is_none() {
            self.report(system::index_not_constant(expr.range));
        }
        whole
    }

    /// Remembers a function with the names it sees.
    pub fn define(&mut self, function: &Function) {
        let (name, range) = (name_of(&function.name), function.name.span().into());
        let names = self.names.clone();
        let taken = super::super::builtin::usage(&name).is_some() || name == "velocity";
        let Some(scope) = &mut self.system else {
            return;
        };
        let function = Rc::new(UserFunction {
            function: function.clone(),
            names,
        });
        if taken || scope.functions.insert(name.clone(), function).is_some() {
            self.report(catalogue::duplicate_name(range, &name));
        }
    }

    /// A call of `velocity` or of a function of the user's.
    pub fn system_call(
        &mut self,
        name: &str,
        values: &[Value],
        arguments: &[Expr],
        place: SourceRange,
    ) -> Option<Value> {
        let scope = self.system.as_ref()?;
        if let Some(function) = scope.functions.get(name).cloned() {
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

    fn rate_of(&mut self, value: &Value, range: SourceRange) -> Value {
        if let Value::Condition(_) = value {
            return self.report(catalogue::condition_as_value(range));
        }
        let Some(scope) = &mut self.system else {
            return Value::Poison;
        };
        let graph = &mut self.model.graph;
        value.map(|id| scope.motion.first(graph, id))
    }

    fn call_user(&mut self, callee: &UserFunction, values: &[Value], place: SourceRange) -> Value {
        let Function {
            name,
            arguments,
            value,
        } = &callee.function;
        if values.len() != arguments.len() {
            let list: Vec<String> = arguments.iter().map(name_of).collect();
            let usage = format!("{}({})", name_of(name), list.join(", "));
            let count = match arguments.len() {
                1 => "1 argument".to_owned(),
                n => format!("{n} arguments"),
            };
            return self.report(catalogue::wrong_arity(place, &usage, &count, values.len()));
        }
        if values.iter().any(|value| value.kind().is_none()) {
            return Value::Poison;
        }
        let before = self.diagnostics.iter().count();
        let outer = std::mem::replace(&mut self.names, callee.names.clone());
        for (argument, value) in arguments.iter().zip(values) {
            self.names.shadow(&name_of(argument), value.clone());
        }
        let result = self.value(value);
        self.names = outer;
        if self.diagnostics.iter().count() > before {
            self.forget(&name_of(name));
        }
        result
    }

    /// A function with a mistake inside stands for nothing from now on: one mistake, one error.
    fn forget(&mut self, name: &str) {
        let range = SourceRange::call_site();
        if let Some(scope) = &mut self.system
            && let Some(function) = scope.functions.get(name)
        {
            let mut function = UserFunction {
                function: function.function.clone(),
                names: Names::default(),
            };
            function.function.value = Expr::error(range);
            scope.functions.insert(name.to_owned(), Rc::new(function));
        }
    }

    /// What of a kind an expression depends on, if anything: `a velocity`, `a coordinate`, `the time`.
    pub fn depends(&self, id: ExprId, allowed: impl Fn(Role) -> bool) -> Option<&'static str> {
        let graph = &self.model.graph;
        graph.reachable([id]).into_iter().find_map(|id| {
            let Node::Symbol(symbol) = graph.node(id) else {
                return None;
            };
            let role = self.model.symbols.get(symbol.index())?.role;
            (!allowed(role)).then(|| in_words(role))
        })
    }
}

fn in_words(role: Role) -> &'static str {
    match role {
        Role::Time => "the time",
        Role::Velocity(_) => "a velocity",
        Role::Input(_) => "an input",
        Role::Parameter { .. } => "a parameter",
        _ => "a coordinate",
    }
}
