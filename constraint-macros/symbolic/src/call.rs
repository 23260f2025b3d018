//! Calls of the three macros in a text, for programs beside the macros.
//!
//! Input: the tokens of a file, of what stands inside of a call, or of a bare equation. Output: the calls, and what
//! follows from each.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::compile::{self, Reader, analyze, analyze_curve, analyze_system};
use crate::constraint;
use crate::curve;
use crate::diagnostic::Diagnostics;
use crate::emit::{self, Exported, Language};
use crate::function::Entry;
use crate::model::Model;
use crate::system;

/// The macro that a call is one of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `constraint!`
    Constraint,
    /// `curve!`
    Curve,
    /// `system!`
    System,
}

/// One call of a macro.
///
/// ```
/// use constraint_symbolic::call::{Kind, calls};
///
/// let bare = calls("x^2 + 100*y".parse().unwrap());
/// assert_eq!((bare.len(), bare[0].kind), (1, Kind::Constraint));
///
/// let file = "use runtime::*; curve! { pub struct Hump; |s in -2..=2| [s, s^2] } fn main() { system! { struct S; } }";
/// let titles: Vec<String> = calls(file.parse().unwrap()).iter().map(|call| call.title()).collect();
/// assert_eq!(titles, ["curve Hump", "system S"]);
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    /// Which macro.
    pub kind: Kind,
    /// What stands between its brackets.
    pub body: TokenStream,
    /// Where it begins.
    pub start: Span,
    /// What it declares; nothing where an equation stands alone.
    pub name: Option<String>,
}

/// What follows from a call.
#[derive(Debug)]
pub enum Derived {
    /// `constraint!`
    Constraint(Box<constraint::Derived>),
    /// `curve!`
    Curve(Box<curve::Derived>),
    /// `system!`
    System(Box<system::Derived>),
}

/// All calls in a text; where there is none, the text is what stands inside of one.
pub fn calls(tokens: TokenStream) -> Vec<Call> {
    let mut calls = Vec::new();
    find_calls(tokens.clone(), &mut calls);
    if calls.is_empty() {
        calls.push(Call::bare(tokens));
    }
    calls
}

/// `system! { … }`, at any depth.
fn find_calls(tokens: TokenStream, calls: &mut Vec<Call>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = &tokens[..];
    while let [first, after @ ..] = rest {
        rest = after;
        if let (
            TokenTree::Ident(name),
            [TokenTree::Punct(sign), TokenTree::Group(body), behind @ ..],
        ) = (first, after)
            && sign.as_char() == '!'
            && let Some(kind) = Kind::of(name)
        {
            calls.push(Call::new(kind, body, name.span()));
            rest = behind;
        } else if let TokenTree::Group(group) = first {
            find_calls(group.stream(), calls);
        }
    }
}

impl Kind {
    fn of(name: &Ident) -> Option<Kind> {
        let kinds = [Kind::Constraint, Kind::Curve, Kind::System];
        kinds.into_iter().find(|kind| name == kind.word())
    }

    /// The name of the macro.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Constraint => "constraint",
            Kind::Curve => "curve",
            Kind::System => "system",
        }
    }
}

impl Call {
    fn new(kind: Kind, body: &Group, start: Span) -> Call {
        Call {
            kind,
            name: declared(body.stream()),
            body: body.stream(),
            start,
        }
    }

    /// What stands inside of a call, whichever that is of.
    fn bare(body: TokenStream) -> Call {
        let first = body.clone().into_iter().next();
        Call {
            kind: kind_of(body.clone()),
            name: declared(body.clone()),
            body,
            start: first.map_or_else(Span::call_site, |token| token.span()),
        }
    }

    /// What a person calls it: `system Rods`, `constraint`.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name}", self.kind.word()),
            None => self.kind.word().to_owned(),
        }
    }

    /// The call as it stands in Rust.
    pub fn tokens(&self) -> TokenStream {
        let name = Ident::new(self.kind.word(), self.start);
        let body = &self.body;
        quote!(#name! { #body })
    }

    /// All that follows.
    ///
    /// # Errors
    /// The mistakes in it.
    pub fn derive(&self) -> Result<Derived, Diagnostics> {
        let body = self.body.clone();
        Ok(match self.kind {
            Kind::Constraint => Derived::Constraint(Box::new(analyze(body)?)),
            Kind::Curve => Derived::Curve(Box::new(analyze_curve(body)?)),
            Kind::System => Derived::System(Box::new(analyze_system(body)?)),
        })
    }

    /// The expansion: items, or, for a bare equation, a block with a value.
    pub fn written(&self) -> TokenStream {
        let body = self.body.clone();
        match self.kind {
            Kind::Constraint => compile::constraint(body),
            Kind::Curve => compile::curve(body),
            Kind::System => compile::system(body),
        }
    }

    /// The same with headings where lines of the derivation begin, each a call of `heading!`, which no crate has.
    pub(crate) fn written_for_people(&self) -> TokenStream {
        let body = self.body.clone();
        match self.kind {
            Kind::Constraint => compile::constraint_for(Reader::Person, body),
            Kind::Curve => compile::curve(body),
            Kind::System => compile::system_for(Reader::Person, body),
        }
    }

    /// The same as the items of a file, which cannot hold an expression.
    pub fn items(&self) -> TokenStream {
        let written = self.written();
        match (self.kind, &self.name) {
            (Kind::Constraint, None) => quote!(fn main() { let constraint = #written; }),
            _ => written,
        }
    }
}

impl Derived {
    /// How much there is of it: `4 coordinates, 2 constraint rows`.
    pub fn size(&self) -> String {
        match self {
            Derived::Constraint(derived) => {
                let model = &derived.model;
                let rows = counted(model.rows.len(), "constraint row");
                match model.bodies.len() {
                    0 => format!(
                        "{}, {rows}",
                        counted(model.coordinate_count(), "coordinate")
                    ),
                    1 => format!("1 body, {rows}"),
                    bodies => format!("{bodies} bodies, {rows}"),
                }
            }
            Derived::Curve(derived) => match derived.dimension() {
                2 => "a curve in the plane".to_owned(),
                _ => "a curve in space".to_owned(),
            },
            Derived::System(derived) => {
                let coordinates = counted(derived.system.scalars(), "coordinate");
                let rows = counted(derived.rows(), "constraint row");
                format!("{coordinates}, {rows}")
            }
        }
    }

    /// Parameters, leaves and rows.
    pub fn model(&self) -> &Model {
        match self {
            Derived::Constraint(derived) => &derived.model,
            Derived::Curve(derived) => &derived.curve.model,
            Derived::System(derived) => &derived.system.model,
        }
    }

    /// All that there is to say, in the order of the theory.
    pub fn entries(&self) -> Vec<Entry> {
        match self {
            Derived::Constraint(derived) => emit::constraint_derivation(derived),
            Derived::Curve(derived) => emit::curve_derivation(derived),
            Derived::System(derived) => emit::system_derivation(derived),
        }
    }

    /// The functions in another language.
    pub fn functions(&self, language: &dyn Language) -> Exported {
        match self {
            Derived::Constraint(derived) => emit::constraint_functions(derived, language),
            Derived::Curve(derived) => emit::curve_functions(derived, language),
            Derived::System(derived) => emit::system_functions(derived, language),
        }
    }
}

/// The name behind `struct`.
fn declared(body: TokenStream) -> Option<String> {
    let mut tokens = body.into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word == "struct"))?;
    match tokens.next()? {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    }
}

/// Behind the struct of a constraint stand bars, in those of a curve `s in start..=end`; all else is a system.
fn kind_of(body: TokenStream) -> Kind {
    let mut tokens = body.into_iter().peekable();
    let is_struct = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "struct");
    let is_header = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() != Delimiter::None,
        TokenTree::Ident(_) => true,
        TokenTree::Punct(sign) => matches!(sign.as_char(), '#' | ';'),
        TokenTree::Literal(_) => false,
    };
    let declares = tokens.clone().any(|token| is_struct(&token));
    if !declares {
        return Kind::Constraint;
    }
    // Attributes, visibility, `struct Name`, fields.
    while tokens.next().is_some_and(|token| !is_struct(&token)) {}
    tokens.next();
    if tokens.peek().is_some_and(is_header) {
        tokens.next();
    }
    match tokens.next() {
        Some(TokenTree::Punct(bar)) if bar.as_char() == '|' => {
            let inside = tokens.take_while(
                |token| !matches!(token, TokenTree::Punct(bar) if bar.as_char() == '|'),
            );
            let mut words =
                inside.filter(|token| matches!(token, TokenTree::Ident(word) if word == "in"));
            if words.next().is_some() {
                Kind::Curve
            } else {
                Kind::Constraint
            }
        }
        _ => Kind::System,
    }
}

fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}
