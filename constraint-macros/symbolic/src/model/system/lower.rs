//! Syntax tree of a system to its model: the order of the steps, and the context of expressions.

use std::ops::Range;

use proc_macro2::Ident;

use super::super::lower::Lowering;
use super::super::value::Value;
use super::super::{Link, Role, Shape, check};
use super::functions::Functions;
use super::{Argument, Options, Solver, System, part};
use crate::diagnostic::catalogue::Declarable;
use crate::diagnostic::{Diagnostics, SourceRange, system};
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Map, Number, PushEach, SortedMap};
use crate::syntax::ast::name_of;
use crate::syntax::statement::{self, Statement, StatementKind};
use crate::syntax::{REGRESSOR, TASK_SPACE};

/// Context of a system's expressions, besides names.
#[derive(Debug, Default)]
pub(in crate::model) struct Scope {
    pub(super) functions: Functions,
    /// Prefix of names that are declared here: `leg[2].` in a part.
    pub prefix: String,
    /// The shapes of every function's arguments where it was first called.
    pub signatures: SortedMap<String, Vec<Argument>>,
    /// Number of functions declared before the current one, which it may call; `None` outside of functions.
    pub(super) visible: Option<usize>,
    /// Whether a function was refused for its depth; only the first is reported.
    pub(super) too_deep: bool,
    /// Taylor coefficients of the leaves: q̇ = v, ṫ = 1.
    pub motion: Taylor,
    /// The factors of poses so far.
    pub links: Vec<Link>,
    /// Whether inside an output, which may use λ and v̇.
    pub observing: bool,
    /// The leaf of its derivative for each velocity.
    pub accelerations: Map<ExprId, ExprId>,
    /// The names that the statements declare, those of the part in a part.
    pub(super) declared: AllNames,
    /// The rows of every constraint so far, and the leaves of their multipliers by number.
    pub rows: SortedMap<String, Range<usize>>,
    pub reactions: Map<usize, ExprId>,
}

/// The names that statements declare, wherever they are among them.
#[derive(Debug, Default)]
pub(super) struct AllNames {
    /// Of values and functions.
    values: Vec<String>,
    /// Of constraints.
    rows: Vec<String>,
    /// Of the fields of the struct.
    fields: Vec<String>,
}

impl AllNames {
    pub fn by(statements: &[Statement]) -> AllNames {
        let mut declared = AllNames::default();
        declared.collect(statements, false);
        declared
    }

    /// A `let` in a `for` has no meaning outside.
    fn collect(&mut self, statements: &[Statement], repeated: bool) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Let(name, _) if !repeated => self.values.push(name_of(name)),
                StatementKind::Function(function) => self.values.push(name_of(&function.name)),
                StatementKind::For(it) => self.collect(&it.body, true),
                StatementKind::Constraint(..)
                | StatementKind::OneSided(_)
                | StatementKind::Joint(_) => {
                    let names = statement.kind.fields().into_iter().map(name_of);
                    self.rows.push_each(names);
                }
                StatementKind::Output(..) | StatementKind::Total(_) => {}
                kind => self
                    .values
                    .push_each(kind.fields().into_iter().map(name_of)),
            }
        }
    }
}

/// The model of a tree. If there are mistakes (reported to `diagnostics`), it contains everything that was understood.
pub fn lower_system(tree: &statement::System, diagnostics: &mut Diagnostics) -> System {
    let mut lowering = Lowering::new(diagnostics, Some(&tree.header));
    lowering.declarable = Declarable::InSystem;
    lowering.system = Some(Box::default());
    lowering.clock();
    lowering.exchange_declared(AllNames {
        fields: tree
            .header
            .parameters
            .iter()
            .map(|it| name_of(&it.name))
            .collect_vec(),
        ..AllNames::by(&tree.statements)
    });
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
        .collect_vec()
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

    /// Replaces the names that the statements declare.
    pub(super) fn exchange_declared(&mut self, declared: AllNames) -> AllNames {
        let scope = self.system.as_mut();
        scope.map_or_else(AllNames::default, |scope| {
            std::mem::replace(&mut scope.declared, declared)
        })
    }

    /// Whether a name without a meaning here is one of a field or of another statement.
    pub fn is_declared(&self, name: &str) -> bool {
        let scope = self.system.as_ref();
        let is_field = scope.is_some_and(|scope| scope.declared.fields.iter().any(|it| it == name));
        is_field || self.is_declared_later(name)
    }

    /// Whether a name without a meaning gets one by a later statement.
    pub fn is_declared_later(&self, name: &str) -> bool {
        let scope = self.system.as_ref();
        scope.is_some_and(|scope| scope.declared.values.iter().any(|it| it == name))
    }

    /// The same for a constraint, `link[2]`.
    pub fn is_constraint_declared_later(&self, name: &str) -> bool {
        let base = |name: &str| name.split('[').next().map(str::to_owned);
        let name = base(name);
        self.system.as_ref().is_some_and(|scope| {
            let known = scope.rows.keys().any(|row| base(row) == name);
            !known
                && scope
                    .declared
                    .rows
                    .iter()
                    .any(|it| name.as_ref() == Some(it))
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
}
