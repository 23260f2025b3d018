//! Models as they are given: a file, standard input or the command line itself, and the calls of macros in them.

use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use constraint_symbolic::compile::{analyze, analyze_curve, analyze_system};
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::{constraint, curve, system};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::arguments::Input;
use crate::failure::Failure;
use crate::message;

/// A text with the place it comes from.
#[derive(Debug)]
pub struct Source {
    /// For messages: a path, or what stands for one.
    pub origin: String,
    /// All of it.
    pub text: String,
}

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
#[derive(Clone, Debug)]
pub struct Call {
    /// Which macro.
    pub kind: Kind,
    /// What stands between its brackets.
    pub body: TokenStream,
    /// Where it begins.
    start: Span,
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

impl Source {
    /// The text that is meant: that of a file, of standard input, or the argument itself.
    pub fn read(model: &str) -> Result<Source, Failure> {
        let unreadable = |error| Failure::Unreadable {
            path: model.to_owned(),
            error,
        };
        if model == "-" {
            let mut text = String::new();
            let read = io::stdin().read_to_string(&mut text);
            read.map_err(unreadable)?;
            return Ok(Source::new("standard input", text));
        }
        if Path::new(model).is_file() || is_path(model) {
            let text = fs::read_to_string(model).map_err(unreadable)?;
            return Ok(Source::new(model, text));
        }
        Ok(Source::new("the command line", model.to_owned()))
    }

    fn new(origin: &str, text: String) -> Source {
        Source {
            origin: origin.to_owned(),
            text,
        }
    }

    /// All calls in the text; where there is none, the text is what stands inside of one.
    pub fn calls(&self) -> Result<Vec<Call>, Failure> {
        let tokens: TokenStream = self
            .text
            .parse()
            .map_err(|error: proc_macro2::LexError| message::unreadable(self, error.span()))?;
        let mut calls = Vec::new();
        find_calls(tokens.clone(), &mut calls);
        if calls.is_empty() {
            calls.push(Call::bare(tokens));
        }
        Ok(calls)
    }
}

/// The calls that are meant, with the text that they stand in.
pub fn read(input: &Input) -> Result<(Source, Vec<Call>), Failure> {
    let source = Source::read(&input.model)?;
    let mut calls = source.calls()?;
    let Some(only) = &input.only else {
        return Ok((source, calls));
    };
    let known = calls.iter().filter_map(|call| call.name.clone()).collect();
    calls.retain(|call| call.name.as_ref() == Some(only));
    if calls.is_empty() {
        return Err(Failure::UnknownType {
            origin: source.origin,
            name: only.clone(),
            known,
        });
    }
    Ok((source, calls))
}

/// Whether a text that is no file was meant to be one: `models/pendulum.rs` is no equation.
fn is_path(text: &str) -> bool {
    let letters = |text: &str| {
        text.chars()
            .all(|letter| letter.is_alphanumeric() || "._-/\\".contains(letter))
    };
    let extension = Path::new(text).extension().and_then(|it| it.to_str());
    letters(text)
        && extension.is_some_and(|it| matches!(it, "rs" | "txt" | "md" | "constraint" | "model"))
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

    /// Where a mistake of the whole call is shown.
    pub fn start(&self) -> Range<usize> {
        self.start.byte_range()
    }

    /// All that follows.
    pub fn derive(&self, source: &Source) -> Result<Derived, Failure> {
        let derived = self.derived();
        derived.map_err(|mistakes| message::mistakes(source, self, &mistakes))
    }

    /// The call as it stands in Rust.
    pub fn tokens(&self) -> TokenStream {
        let name = Ident::new(self.kind.word(), self.start);
        let body = &self.body;
        quote!(#name! { #body })
    }

    fn derived(&self) -> Result<Derived, Diagnostics> {
        let body = self.body.clone();
        Ok(match self.kind {
            Kind::Constraint => Derived::Constraint(Box::new(analyze(body)?)),
            Kind::Curve => Derived::Curve(Box::new(analyze_curve(body)?)),
            Kind::System => Derived::System(Box::new(analyze_system(body)?)),
        })
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

    /// Whether something turns, so that velocities are not the rates of coordinates.
    pub fn has_bodies(&self) -> bool {
        let bodies = match self {
            Derived::Constraint(derived) => &derived.model.bodies,
            Derived::Curve(derived) => &derived.curve.model.bodies,
            Derived::System(derived) => &derived.system.model.bodies,
        };
        !bodies.is_empty()
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
