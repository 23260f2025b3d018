//! The statements of a system, one by one; `for` repeats its own.

use std::ops::Range;

use proc_macro2::Ident;

use super::super::lower::Lowering;
use super::super::value::Value;
use super::super::{Role, Shape};
use super::acting::NamedRows;
use super::elements::{Growing, Own};
use super::gravity::Gravity;
use super::output::OutputElement;
use super::part::{Definition, Open, Within};
use super::{Options, System};
use crate::diagnostic::{Diagnostics, SourceRange, system};
use crate::expr::{ExprId, PushEach, SortedMap};
use crate::syntax::ast::{Expr, name_of};
use crate::syntax::statement::{For, Statement, StatementKind};

/// Limit on names, numbers and operations: a chain of 100,000 links has 2.1 million and takes the compiler
/// 1.1 GB, so this many take it 3 GB.
pub(super) const MAX_EXPRESSIONS: usize = 5_000_000;
/// Cost of a statement or of a round of a `for`, in units of that limit.
pub(super) const STATEMENT: usize = 4;

/// A system under construction.
pub(super) struct SystemBuilder<'d> {
    pub(super) lowering: Lowering<'d>,
    pub(super) system: System,
    /// The indices of the enclosing `for`s.
    pub(super) indices: Vec<String>,
    /// Expressions so far, statements and rounds of `for`s among them.
    written: usize,
    /// Gravity, from which the weights are computed.
    pub(super) gravity: Option<Gravity>,
    /// The outputs so far.
    pub(super) outputs: Vec<OutputElement>,
    /// The constraints so far.
    pub(super) constraints: Vec<NamedRows>,
    /// The arrays that are declared element by element.
    pub(super) growing: SortedMap<String, Growing>,
    /// The parts so far, and the names of all.
    pub(super) parts: SortedMap<String, Definition>,
    pub(super) later_parts: Vec<String>,
    /// The parts around the statement.
    pub(super) within: Vec<Within>,
    /// The uses of parts around the statement.
    pub(super) open_uses: Vec<Open>,
    /// Number of the declaration of each field inside parts, by names such as `leg.thigh`.
    pub(super) fields: SortedMap<String, usize>,
    /// Number of the declaration of each coordinate; the next field has the same for velocities.
    pub(super) owners: Vec<usize>,
    pub(super) owners_of_velocities: Vec<usize>,
    /// Ranges of leaves that formulas print by a symbol, with its source range.
    pub(super) symbols: Vec<(Range<usize>, SourceRange)>,
}

impl<'d> SystemBuilder<'d> {
    pub fn new(lowering: Lowering<'d>, options: Options) -> SystemBuilder<'d> {
        let system = System {
            options,
            ..System::bare(lowering.model.clone(), Vec::new())
        };
        SystemBuilder {
            lowering,
            system,
            indices: Vec::new(),
            written: 0,
            gravity: None,
            outputs: Vec::new(),
            constraints: Vec::new(),
            growing: SortedMap::new(),
            parts: SortedMap::new(),
            later_parts: Vec::new(),
            within: Vec::new(),
            open_uses: Vec::new(),
            fields: SortedMap::new(),
            owners: Vec::new(),
            owners_of_velocities: Vec::new(),
            symbols: Vec::new(),
        }
    }

    pub fn finish(mut self, name: &Ident) -> (System, &'d mut Diagnostics) {
        self.close_unused_parts();
        self.weigh();
        self.close_outputs();
        self.close_constraints();
        self.close_arrays();
        self.compare_uses();
        self.compare_symbols();
        if self.system.coordinates.is_empty() && self.lowering.diagnostics.is_empty() {
            let nothing = system::nothing_moves(name.span().into());
            self.lowering.report(nothing);
        }
        if let Some(scope) = self.lowering.system {
            self.system.signatures = scope.signatures;
            self.system.links = scope.links;
        }
        self.system.model = self.lowering.model;
        (self.system, self.lowering.diagnostics)
    }

    pub fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.is_too_large(statement.keyword) {
                return;
            }
            self.statement(statement);
        }
    }

    /// Counts a statement or a round of a `for`; the first beyond the limit is reported.
    fn is_too_large(&mut self, range: SourceRange) -> bool {
        let before = self.written;
        self.written += STATEMENT + std::mem::take(&mut self.lowering.expressions);
        if before <= MAX_EXPRESSIONS && self.written > MAX_EXPRESSIONS {
            let diagnostic = system::too_large(range, MAX_EXPRESSIONS);
            self.lowering.report(diagnostic);
        }
        self.is_full()
    }

    /// Names, numbers and operations so far.
    pub(super) fn size(&self) -> usize {
        self.written + self.lowering.expressions
    }

    /// Whether the limit was exceeded, which has been reported.
    pub(super) fn is_full(&self) -> bool {
        self.written > MAX_EXPRESSIONS
    }

    /// Prevents all further statements, after a reported mistake.
    pub(super) fn fill(&mut self) {
        self.written = MAX_EXPRESSIONS + 1;
    }

    fn statement(&mut self, statement: &Statement) {
        if !statement.docs.is_empty() {
            for name in statement.kind.fields() {
                let (docs, key) = (statement.docs.clone(), self.key(name));
                self.system.docs.entry(key).or_insert(docs);
            }
        }
        match &statement.kind {
            StatementKind::Function(function) => {
                if self.outside(statement.keyword, "fn") {
                    self.lowering.define(function);
                }
            }
            StatementKind::Const(name, _) => {
                let plain = self.outside_parts(statement.keyword, "const")
                    && self.outside(statement.keyword, "const");
                if !plain {
                    self.lowering.bind(name, Value::Poison);
                }
            }
            StatementKind::Let(name, value) => self.name(name, value),
            StatementKind::Coordinate(list) => {
                if self.outside(statement.keyword, "coordinate") {
                    let own = Own {
                        shape: Shape::Scalar,
                        body: false,
                    };
                    list.iter().for_each(|it| self.all_elements(it, own));
                }
            }
            StatementKind::Input(list) => {
                if self.outside_parts(statement.keyword, "input")
                    && self.outside(statement.keyword, "input")
                {
                    list.iter().for_each(|input| self.input(input));
                } else {
                    let names = list.iter().map(|input| &input.declared.name);
                    names.for_each(|name| self.lowering.bind(name, Value::Poison));
                }
            }
            StatementKind::Particle(particle) => self.particle(particle),
            StatementKind::Body(body) => self.body(body),
            StatementKind::Force(target, value) => self.force(target, value),
            StatementKind::Torque(target, value) => self.torque(target, value),
            StatementKind::Gravity(value) => {
                if self.outside_parts(statement.keyword, "gravity") {
                    self.gravity(value, statement.keyword);
                }
            }
            StatementKind::Potential(value) => {
                let term = self.energy(value, "a potential", |role| {
                    !matches!(role, Role::Velocity(_) | Role::Input(_))
                });
                self.system.potential.push_each(term);
            }
            StatementKind::Dissipation(value) => {
                let term = self.energy(value, "a dissipation", |role| {
                    !matches!(role, Role::Input(_))
                });
                self.system.dissipation.push_each(term);
            }
            StatementKind::Kinetic(value) => {
                let term = self.energy(value, "a kinetic energy", |role| {
                    !matches!(role, Role::Input(_))
                });
                let range = value.range;
                let terms = term.map(|term| (term, range));
                self.system.kinetic.push_each(terms);
            }
            StatementKind::Constraint(declared, relation) => self.constraint(declared, relation),
            StatementKind::OneSided(written) => self.one_sided(written),
            StatementKind::Output(declared, value) => self.output(declared, value),
            StatementKind::Total(declared) => self.total(declared),
            StatementKind::For(repeated) => self.repeat(repeated),
            StatementKind::Part(part) => self.declare_part(part, statement.keyword),
            StatementKind::PartUse(it) => self.use_part(it),
            StatementKind::Joint(it) => self.joint(it),
        }
    }

    /// Whether the statement is outside of all `for`s; otherwise reported.
    fn outside(&mut self, range: SourceRange, word: &str) -> bool {
        let outside = self.indices.is_empty();
        if !outside {
            self.lowering
                .report(system::declaration_in_for(range, word));
        }
        outside
    }

    fn name(&mut self, name: &Ident, value: &Expr) {
        let statement = crate::syntax::ast::Let {
            name: name.clone(),
            value: value.clone(),
        };
        self.lowering.lets(std::slice::from_ref(&statement));
    }

    /// Whether an expression depends only on allowed roles; otherwise reported.
    pub(super) fn independent(
        &mut self,
        id: ExprId,
        what: &str,
        range: SourceRange,
        allowed: impl Fn(Role) -> bool,
    ) -> bool {
        match self.lowering.depends(id, allowed) {
            None => true,
            Some(found) => {
                let diagnostic = system::mentions(range, what, found.on, found.name);
                self.lowering.report(diagnostic);
                false
            }
        }
    }

    fn repeat(&mut self, repetition: &For) {
        let For { repeated, body } = repetition;
        let Some(indices) = self.lowering.indices(repeated) else {
            return;
        };
        let range = repeated.start.range.to(repeated.end.range);
        let before = self.lowering.diagnostics.iter().count();
        self.indices.push(name_of(&repeated.index));
        for i in indices {
            if self.is_too_large(range) {
                break;
            }
            let mark = self.lowering.names.enter();
            self.lowering.bind_index(&repeated.index, i);
            self.statements(body);
            self.lowering.names.leave(mark);
            // The next round would report the same mistakes.
            if self.lowering.diagnostics.iter().count() > before {
                break;
            }
        }
        self.indices.pop();
    }
}
