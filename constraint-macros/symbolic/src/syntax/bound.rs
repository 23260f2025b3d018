//! Indices bound where a name is declared: `particle p[i in 0..8]: …` is `for i in 0..8 { particle p[i]: … }`.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::ParseStream;

use super::ast::{Expr, ExprKind, Repeated};
use super::input::{Content, Stream};
use super::parser::{Parsed, Parser};
use super::statement::{Declared, For, Statement, StatementKind};
use crate::diagnostic::{SourceRange, system};

/// An index that a declaration binds, with its brackets.
pub(crate) struct BoundIndex {
    repeated: Repeated,
    range: SourceRange,
}

impl Parser<'_> {
    /// `[8]` or `[i]`; for `[i in 0..8]` the index, whose range is recorded for the statement.
    pub(super) fn bracket(&mut self, bracket: &Content<'_>) -> Parsed<Expr> {
        if !binds(bracket) {
            return self.only(bracket);
        }
        let repeated = self.repeated(bracket, "i in 0..8")?;
        if !bracket.is_empty() {
            return self.remainder(bracket);
        }
        let index = repeated.index.clone();
        let range = index.span().into();
        self.bound.push(BoundIndex {
            repeated,
            range: bracket.range,
        });
        self.node(ExprKind::Name(index), range)
    }

    /// A name with the lengths of an array.
    pub(super) fn array(&mut self, input: ParseStream<'_>, word: &str) -> Parsed<Declared> {
        let declared = self.declared(input)?;
        match &self.bound[..] {
            [] => Ok(declared),
            [first, ..] => self.fail(system::index_for_length(first.range, word)),
        }
    }

    /// The target of a force or a torque: an expression, or `p[i in 0..8]`, or `leg[i in 0..6].foot`.
    pub(super) fn target(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        if !names_bound_index(input) {
            return self.sum_of_terms(input);
        }
        let Declared { name, brackets, .. } = self.declared(input)?;
        let range = SourceRange::from(name.span());
        let of = Expr::new(ExprKind::Name(name), range);
        let element = brackets.into_iter().fold(of, |of, index| {
            let range = range.to(index.range);
            Expr::new(ExprKind::Index(Box::new(of), Box::new(index)), range)
        });
        self.continued(input, element)
    }

    /// Repeats the statement over all indices that it binds, those of the first bracket outermost.
    pub(super) fn repeated_as_bound(
        &mut self,
        kind: StatementKind,
        keyword: SourceRange,
        docs: &TokenStream,
    ) -> StatementKind {
        let bound = std::mem::take(&mut self.bound);
        bound.into_iter().rev().fold(kind, |kind, index| {
            StatementKind::For(For {
                repeated: index.repeated,
                body: vec![Statement {
                    kind,
                    keyword,
                    docs: docs.clone(),
                }],
            })
        })
    }
}

/// `i in …`
fn binds(bracket: &Content<'_>) -> bool {
    let second = bracket.leaf_at(1);
    bracket.name().is_some() && matches!(second, Some(TokenTree::Ident(word)) if word == "in")
}

/// `name[i in …`, possibly after other brackets.
fn names_bound_index(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.take_name().is_none() {
        return false;
    }
    while let Some(bracket) = ahead.enter(Delimiter::Bracket) {
        if binds(&bracket) {
            return true;
        }
    }
    false
}
