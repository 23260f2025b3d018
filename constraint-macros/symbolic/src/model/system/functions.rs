//! Functions that the user defines: recorded with the names that they see, and applied at each call.

use std::rc::Rc;

use super::super::builtin::decimal_comma;
use super::super::lower::Lowering;
use super::super::names::Names;
use super::super::value::Value;
use super::super::{Shape, builtin};
use super::Argument;
use super::lower::Scope;
use crate::diagnostic::{SourceRange, catalogue, system};
use crate::expr::{CollectVec, ExprId, SortedMap};
use crate::syntax::ast::{Expr, ExprKind, name_of};
use crate::syntax::statement::Function;

/// The callable functions, by name.
pub(super) type Functions = SortedMap<String, Rc<UserFunction>>;

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
        let list: Vec<String> = self.function.arguments.iter().map(name_of).collect_vec();
        format!("{}({})", name_of(&self.function.name), list.join(", "))
    }
}

/// Limit on the depth of expressions through calls, so that recursion over them is safe.
const MAX_DEPTH: usize = 400;

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

    /// Records a function with the names visible to it; its mistakes are found even if it is never called.
    pub fn define(&mut self, function: &Function) {
        let (name, range) = (name_of(&function.name), function.name.span().into());
        let taken = builtin::usage(&name).is_some() || name == "velocity";
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
            return Some(self.call_user(&function, values, arguments, place));
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

    fn call_user(
        &mut self,
        callee: &UserFunction,
        values: &[Value],
        arguments: &[Expr],
        place: SourceRange,
    ) -> Value {
        if let ExprKind::Error = callee.function.value.kind {
            return Value::Poison;
        }
        let expected = callee.function.arguments.len();
        if values.len() != expected {
            if let Some(comma) = decimal_comma(arguments, expected) {
                return self.report(comma);
            }
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
}
