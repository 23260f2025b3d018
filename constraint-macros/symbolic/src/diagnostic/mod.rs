//! Mistakes of the user: collected, and rendered as `compile_error!` at the offending tokens.
//!
//! All wording is in [`catalogue`]; the stages only decide that something is wrong, and where.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Rows of the catalogue: the mistake as written, the name of its message, what was found `=>` what to write.
///
/// The texts of messages with arguments are those of `format!`.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident $(($($argument:tt)*))?: $found:literal $(=> $help:literal)?;)*) => {
        $(messages! { @row [$(#[$doc])*] $name [$($($argument)*)?] $found $($help)? })*
    };
    (@row [$($doc:tt)*] $name:ident [] $($text:literal)+) => {
        $($doc)*
        pub fn $name(range: SourceRange) -> Diagnostic {
            Diagnostic::new(range, [$($text.to_owned()),+])
        }
    };
    (@row [$($doc:tt)*] $name:ident [$($argument:tt)+] $($text:literal)+) => {
        $($doc)*
        pub fn $name(range: SourceRange, $($argument)+) -> Diagnostic {
            Diagnostic::new(range, [$(format!($text)),+])
        }
    };
}

pub mod catalogue;
pub mod foreign;
pub mod part;
mod spelling;
pub mod system;
#[cfg(feature = "tools")]
pub mod unreadable;
mod wording;

pub use spelling::closest;

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

/// One mistake: its range, the finding and the remedy.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The smallest range that holds the mistake.
    pub range: SourceRange,
    /// The finding.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

impl Diagnostic {
    /// The finding, and the remedy if there is one.
    fn new<const TEXTS: usize>(range: SourceRange, texts: [String; TEXTS]) -> Diagnostic {
        let mut texts = texts.into_iter();
        Diagnostic {
            range,
            message: texts.next().unwrap_or_default(),
            help: texts.next(),
        }
    }

    /// Message and help as the user reads them.
    pub fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// A mistake found by syn.
    pub fn of_rust(error: &syn::Error) -> Diagnostic {
        Diagnostic {
            range: error.span().into(),
            message: error.to_string(),
            help: None,
        }
    }

    /// Converted to syn's error, which the compiler shows at the whole range.
    fn to_error(&self) -> syn::Error {
        let SourceRange { start, end } = self.range;
        let ends = [start, end].map(|span| Ident::new("_", span));
        syn::Error::new_spanned(quote!(#(#ends)*), self.text())
    }
}

/// Limit on the mistakes collected: nobody reads more at once.
const LIMIT: usize = 50;

/// The mistakes of one macro call, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    found: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Creates an empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a mistake.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.found.len() < LIMIT {
            self.found.push(diagnostic);
        }
    }

    /// Whether there are no mistakes.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The mistakes, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter()
    }

    /// One `compile_error!` item for each mistake.
    pub fn to_tokens(&self) -> TokenStream {
        let errors = self.found.iter().map(Diagnostic::to_error);
        let all = errors.reduce(|mut all, error| {
            all.combine(error);
            all
        });
        all.map_or_else(TokenStream::new, syn::Error::into_compile_error)
    }
}
