//! Mistakes of the user: collected, and rendered as `compile_error!` at the offending tokens.
//!
//! All wording stands in [`catalogue`]; the stages only decide that something is wrong, and where.

pub mod catalogue;
pub mod system;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The tokens from `start` to `end`, both included.
#[derive(Clone, Copy, Debug)]
pub struct SourceRange {
    /// The first token.
    pub start: Span,
    /// The last token.
    pub end: Span,
}

impl SourceRange {
    /// The whole macro call.
    pub fn call_site() -> SourceRange {
        Span::call_site().into()
    }

    /// From the start of this range to the end of a later one.
    pub fn to(self, later: SourceRange) -> SourceRange {
        SourceRange {
            start: self.start,
            end: later.end,
        }
    }
}

impl From<Span> for SourceRange {
    fn from(span: Span) -> SourceRange {
        SourceRange {
            start: span,
            end: span,
        }
    }
}

/// One mistake: where, what was found, and what to write instead.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The smallest range that holds the mistake.
    pub range: SourceRange,
    /// What was found.
    pub message: String,
    /// What to write.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Message and help as the user reads them.
    pub fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// `::core::compile_error! { "…" }`, so spanned that the compiler underlines the whole range.
    fn to_tokens(&self) -> Vec<TokenTree> {
        let SourceRange { start, end } = self.range;
        let punct = |sign: char, spacing: Spacing| {
            let mut punct = Punct::new(sign, spacing);
            punct.set_span(start);
            TokenTree::from(punct)
        };
        let ident = |name: &str| TokenTree::from(Ident::new(name, start));
        let mut text = Literal::string(&self.text());
        text.set_span(end);
        let mut body = Group::new(Delimiter::Brace, TokenTree::from(text).into());
        body.set_span(end);
        vec![
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            ident("core"),
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            ident("compile_error"),
            punct('!', Spacing::Alone),
            body.into(),
        ]
    }
}

/// More mistakes than this are not collected: whoever makes so many reads only the first.
const LIMIT: usize = 50;

/// The mistakes of one macro call, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No mistakes yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a mistake.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < LIMIT {
            self.found.push(diagnostic);
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The mistakes, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// One `compile_error!` item for every mistake.
    pub fn to_tokens(&self) -> TokenStream {
        self.found.iter().flat_map(Diagnostic::to_tokens).collect()
    }
}
