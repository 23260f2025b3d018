//! The state of the parser: what it reports, how deep it is, and what its surroundings allow.

use crate::expr::SortedSet;

use proc_macro2::Ident;
use syn::Attribute;

use super::ast::{Expr, ExprKind, MAX_HEIGHT};
use super::bound::BoundIndex;
use crate::diagnostic::foreign::{self, Foreign};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, catalogue};

/// The parser gave up; the reason has been reported.
#[derive(Debug)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// Limit on the nesting of groups, exponents and `!`.
pub(super) const MAX_DEPTH: usize = 128;

pub(crate) struct Parser<'d> {
    diagnostics: &'d mut Diagnostics,
    depth: usize,
    too_deep: bool,
    /// Whether directly inside the condition of an `if`, which has no closing delimiter.
    pub condition: bool,
    /// Whether a row begins here, whose relation may have properties.
    pub row: bool,
    /// Whether inside `system!`, where parameters have defaults and names have indices.
    pub system: bool,
    /// Keywords that were used as names.
    pub(super) refused: SortedSet<String>,
    /// The names of our own attributes, and those found.
    pub own: &'static [&'static str],
    pub taken: Vec<Attribute>,
    /// The indices bound by the current statement.
    pub bound: Vec<BoundIndex>,
    /// The number that was read last, if no other operand followed.
    pub(super) number: Option<String>,
}

impl<'d> Parser<'d> {
    pub fn new(diagnostics: &'d mut Diagnostics) -> Parser<'d> {
        Parser {
            diagnostics,
            depth: 0,
            too_deep: false,
            condition: false,
            row: false,
            system: false,
            refused: SortedSet::new(),
            own: &[],
            taken: Vec::new(),
            bound: Vec::new(),
            number: None,
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Reported)
    }

    /// Runs `parse` one level deeper.
    pub fn deeper<T>(
        &mut self,
        range: SourceRange,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail_too_deep(range);
        }
        self.depth += 1;
        let condition = std::mem::replace(&mut self.condition, false);
        let result = parse(self);
        self.condition = condition;
        self.number = None;
        self.depth -= 1;
        result
    }

    /// Reports a declaration with a name that is not allowed.
    pub fn refuse<T>(&mut self, name: &Ident) -> Parsed<T> {
        let text = name.to_string();
        let diagnostic = catalogue::reserved_name(name.span().into(), &text);
        self.refused.insert(text);
        self.fail(diagnostic)
    }

    /// Reports only one error, however many branches are too deep.
    fn fail_too_deep<T>(&mut self, range: SourceRange) -> Parsed<T> {
        if !std::mem::replace(&mut self.too_deep, true) {
            self.report(catalogue::too_deep(range));
        }
        Err(Reported)
    }

    /// Creates a node, unless the tree would become too high for recursion.
    pub fn node(&mut self, kind: ExprKind, range: SourceRange) -> Parsed<Expr> {
        let expr = Expr::new(kind, range);
        match expr.height() {
            0..=MAX_HEIGHT => Ok(expr),
            _ => self.fail_too_deep(range),
        }
    }

    pub fn report_foreign(&mut self, range: SourceRange, construct: Foreign) {
        self.report(foreign::foreign(range, construct, ""));
    }
}
