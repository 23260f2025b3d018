//! Sizes of the uses of parts, which multiply if parts use parts; known before the uses are unfolded.

use crate::expr::{CollectVec, SortedMap, sort_by_key};

use super::super::statements::{MAX_EXPRESSIONS, STATEMENT, SystemBuilder};
use crate::diagnostic::{SourceRange, part};
use crate::syntax::ast::{Expr, ExprKind, Repeated, name_of};
use crate::syntax::statement::{PartUse, Statement, StatementKind};

/// A use whose statements are being lowered.
#[derive(Clone, Debug)]
pub struct Open {
    part: String,
    range: SourceRange,
    /// Size of the system before it.
    before: usize,
    /// Number of uses: more than one for an array.
    elements: usize,
}

/// Sizes of the parts by their names.
type Sizes = SortedMap<String, usize>;

impl SystemBuilder<'_> {
    /// Begins a use of `elements` parts; returns false and reports if it or an enclosing use makes the system too large.
    pub fn open_uses(&mut self, it: &PartUse, part: &str, elements: usize) -> bool {
        self.open_uses.push(Open {
            part: part.to_owned(),
            range: it.part.span().into(),
            before: self.size(),
            elements,
        });
        let fits = self.uses_fit();
        if !fits {
            self.open_uses.pop();
        }
        fits
    }

    /// Ends the innermost use.
    pub fn close_uses(&mut self) {
        self.open_uses.pop();
    }

    /// Records the size of a part after its first use. This may show that an enclosing use is too large.
    pub fn measure(&mut self, part: &str, before: usize) {
        let size = self.size().saturating_sub(before);
        let new = self.parts.get_mut(part).filter(|it| it.size.is_none());
        if let Some(definition) = new {
            definition.size = Some(size);
            self.uses_fit();
        }
    }

    /// Whether all open uses fit; the innermost that does not is reported once.
    fn uses_fit(&mut self) -> bool {
        if self.is_full() {
            return false;
        }
        let sizes = self.sizes();
        let too_large = self.open_uses.iter().rev().find(|open| {
            let size = sizes.get(&open.part).copied().unwrap_or(0);
            let all = open.elements.saturating_mul(size);
            open.before.saturating_add(all) > MAX_EXPRESSIONS
        });
        if let Some(Open { part, range, .. }) = too_large.cloned() {
            self.lowering
                .report(part::too_large(range, &part, MAX_EXPRESSIONS));
            self.fill();
            return false;
        }
        true
    }

    /// Size of one use of each part: measured if known, otherwise a lower bound from its statements.
    fn sizes(&self) -> Sizes {
        let mut parts: Vec<_> = self.parts.iter().collect_vec();
        sort_by_key(&mut parts, |(_, part)| part.order);
        let mut sizes = Sizes::new();
        for (name, definition) in parts {
            let body = definition.part.body.as_deref().unwrap_or_default();
            let size = definition.size.unwrap_or_else(|| least(body, &sizes));
            sizes.insert(name.clone(), size);
        }
        sizes
    }
}

/// Lower bound on the size of statements, given the sizes of the parts that they may use.
fn least(statements: &[Statement], sizes: &Sizes) -> usize {
    let each = statements.iter().map(|statement| {
        let inside = match &statement.kind {
            StatementKind::PartUse(it) => sizes.get(&name_of(&it.part)).copied().unwrap_or(0),
            StatementKind::For(it) => {
                let round = STATEMENT.saturating_add(least(&it.body, sizes));
                rounds(&it.repeated).saturating_mul(round)
            }
            _ => 0,
        };
        inside.saturating_add(STATEMENT)
    });
    each.fold(0, usize::saturating_add)
}

/// The number of rounds of a `for` with literal bounds; otherwise a lower bound.
fn rounds(it: &Repeated) -> usize {
    let literal = |bound: &Expr| match &bound.kind {
        ExprKind::Number(text) => text.parse::<usize>().ok(),
        _ => None,
    };
    match (literal(&it.start), literal(&it.end)) {
        (Some(start), Some(end)) => {
            let end = end.saturating_add(usize::from(it.inclusive));
            end.saturating_sub(start)
        }
        _ => 0,
    }
}
