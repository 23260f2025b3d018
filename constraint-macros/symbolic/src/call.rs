//! Calls of the three macros in a text, for tools.
//!
//! Input: the tokens of a file, of the inside of a call, or of a bare equation. Output: the calls and their
//! derivations.

use crate::expr::CollectVec;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::compile::{analyzed, certified, written};
use crate::constraint;
use crate::curve;
use crate::diagnostic::Diagnostics;
use crate::macros::{CONSTRAINT, CURVE, Derivation, SIDED, SYSTEM};
use crate::model::Model;
use crate::syntax::has_sides;
use crate::system;

pub use crate::compile::{Certified, Reader};

/// The macro of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroKind {
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
/// use constraint_symbolic::call::{MacroKind, calls};
///
/// let bare = calls("x^2 + 100*y".parse().unwrap());
/// assert_eq!((bare.len(), bare[0].kind), (1, MacroKind::Constraint));
///
/// let file = "use runtime::*; curve! { pub struct Hump; |s in -2..=2| [s, s^2] } fn main() { system! { struct S; } }";
/// let titles: Vec<String> = calls(file.parse().unwrap()).iter().map(|call| call.title()).collect();
/// assert_eq!(titles, ["curve Hump", "system S"]);
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    /// The macro.
    pub kind: MacroKind,
    /// The tokens between its brackets.
    pub body: TokenStream,
    /// Its start in the text.
    pub start: Span,
    /// Name of the declared struct; `None` for a bare equation.
    pub name: Option<String>,
}

/// The derivation of a call, without functions.
#[derive(Debug)]
pub enum Derived {
    /// `constraint!`, unless it has rows of one side: those are systems.
    Constraint(Box<constraint::Derived>),
    /// `curve!`
    Curve(Box<curve::Derived>),
    /// `system!`, or `constraint!` with rows of one side.
    System(Box<system::Derived>),
}

/// All calls in a text; a text without any is taken as the inside of a call.
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
    let tokens: Vec<TokenTree> = tokens.into_iter().collect_vec();
    let mut rest = &tokens[..];
    while let [first, after @ ..] = rest {
        rest = after;
        if let (
            TokenTree::Ident(name),
            [TokenTree::Punct(sign), TokenTree::Group(body), behind @ ..],
        ) = (first, after)
            && sign.as_char() == '!'
            && let Some(kind) = MacroKind::of(name)
        {
            calls.push(Call::new(kind, body, name.span()));
            rest = behind;
        } else if let TokenTree::Group(group) = first {
            find_calls(group.stream(), calls);
        }
    }
}

/// A use of certified functions.
type Then<'t> = &'t mut dyn FnMut(Certified<'_>);

/// The stages of one macro.
struct Stages {
    certified: fn(Reader, TokenStream, Then<'_>) -> Result<(), Diagnostics>,
    written: fn(Reader, TokenStream) -> Result<TokenStream, Diagnostics>,
    derived: fn(TokenStream) -> Result<Derived, Diagnostics>,
}

/// Those of one macro.
macro_rules! stages {
    ($of:ident, $kind:ident) => {
        Stages {
            certified: |reader, body, then| certified(&$of, reader, body, then),
            written: |reader, body| written(&$of, reader, body),
            derived: |body| Ok(Derived::$kind(Box::new(analyzed(&$of, body)?))),
        }
    };
}

impl MacroKind {
    fn of(name: &Ident) -> Option<MacroKind> {
        let kinds = [MacroKind::Constraint, MacroKind::Curve, MacroKind::System];
        kinds.into_iter().find(|kind| name == kind.word())
    }

    /// The name of the macro.
    pub fn word(self) -> &'static str {
        match self {
            MacroKind::Constraint => CONSTRAINT.word,
            MacroKind::Curve => CURVE.word,
            MacroKind::System => SYSTEM.word,
        }
    }
}

impl Call {
    fn new(kind: MacroKind, body: &Group, start: Span) -> Call {
        Call {
            kind,
            name: declared(body.stream()),
            body: body.stream(),
            start,
        }
    }

    /// The inside of a call; its content determines the macro.
    fn bare(body: TokenStream) -> Call {
        let first = body.clone().into_iter().next();
        Call {
            kind: kind_of(body.clone()),
            name: declared(body.clone()),
            body,
            start: first.map_or_else(Span::call_site, |token| token.span()),
        }
    }

    /// Its title: `system Rods`, `constraint`.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name}", self.kind.word()),
            None => self.kind.word().to_owned(),
        }
    }

    /// The call as Rust tokens.
    pub fn tokens(&self) -> TokenStream {
        let name = Ident::new(self.kind.word(), self.start);
        let body = &self.body;
        quote!(#name! { #body })
    }

    /// Derives all quantities; nothing is compared with the text.
    ///
    /// # Errors
    /// The mistakes in the call.
    pub fn derive(&self) -> Result<Derived, Diagnostics> {
        (self.stages().derived)(self.body.clone())
    }

    /// Calls `then` with the derivation and its functions, once they agree with the text.
    ///
    /// ```
    /// use constraint_symbolic::call::{Reader, calls};
    ///
    /// let parabola = calls("x^2 + 100*y".parse().unwrap());
    /// let size = parabola[0].certified(Reader::Program, |it| it.derivation().size());
    /// assert_eq!(size.unwrap(), "2 coordinates, 1 constraint row");
    /// ```
    ///
    /// # Errors
    /// The mistakes in the call; a fault of the engine: a function that differs from the text, or a panic.
    pub fn certified<R>(
        &self,
        reader: Reader,
        then: impl FnOnce(Certified<'_>) -> R,
    ) -> Result<R, Diagnostics> {
        let (mut then, mut made) = (Some(then), None);
        (self.stages().certified)(reader, self.body.clone(), &mut |it| {
            made = then.take().map(|then| then(it));
        })?;
        made.ok_or_else(Diagnostics::default)
    }

    fn stages(&self) -> Stages {
        match self.kind {
            MacroKind::Constraint if has_sides(&self.body) => stages!(SIDED, System),
            MacroKind::Constraint => stages!(CONSTRAINT, Constraint),
            MacroKind::Curve => stages!(CURVE, Curve),
            MacroKind::System => stages!(SYSTEM, System),
        }
    }

    /// The expansion for a reader: items, or, for a bare equation, a block with a value. For a person, a line of the
    /// derivation begins with a call of a nonexistent `heading!`.
    ///
    /// # Errors
    /// As [`Call::certified`].
    pub(crate) fn written(&self, reader: Reader) -> Result<TokenStream, Diagnostics> {
        (self.stages().written)(reader, self.body.clone())
    }

    /// The expansion as the items of a file, which cannot hold an expression.
    ///
    /// # Errors
    /// As [`Call::certified`].
    pub fn items(&self) -> Result<TokenStream, Diagnostics> {
        let written = self.written(Reader::Compiler)?;
        Ok(match (self.kind, &self.name) {
            (MacroKind::Constraint, None) => quote!(fn main() { let constraint = #written; }),
            _ => written,
        })
    }
}

impl Derived {
    /// The common interface of the three derivations.
    pub fn derivation(&self) -> &dyn Derivation {
        match self {
            Derived::Constraint(derived) => &**derived,
            Derived::Curve(derived) => &**derived,
            Derived::System(derived) => &**derived,
        }
    }

    /// Parameters, leaves and rows.
    pub fn model(&self) -> &Model {
        self.derivation().model()
    }
}

/// The name after `struct`.
fn declared(body: TokenStream) -> Option<String> {
    let mut tokens = body.into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word == "struct"))?;
    match tokens.next()? {
        TokenTree::Ident(name) => Some(name.to_string()),
        _ => None,
    }
}

/// After the struct, a constraint has bars, a curve has bars with `s in start..=end`; anything else is a system.
fn kind_of(body: TokenStream) -> MacroKind {
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
        return MacroKind::Constraint;
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
                MacroKind::Curve
            } else {
                MacroKind::Constraint
            }
        }
        _ => MacroKind::System,
    }
}
