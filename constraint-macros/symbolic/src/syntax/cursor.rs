//! A position in a list of token trees, with the operators glued together.

use proc_macro2::{Delimiter, Group, Ident, Spacing, Span, TokenStream, TokenTree};

use crate::diagnostic::SourceRange;

/// Everything that Rust writes with more than one sign, longest first.
const OPERATORS: [&str; 25] = [
    "..=", "...", "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "**", "->", "=>", "..", "::",
    "+=", "-=", "*=", "/=", "^=", "%=", "&=", "|=", "<<", ">>",
];

/// Every sign that Rust's tokens can be.
const SIGNS: [&str; 23] = [
    "+", "-", "*", "/", "^", "=", "<", ">", ",", ";", ".", "|", "!", ":", "&", "?", "%", "#", "@",
    "$", "~", "'", "\\",
];

/// A punctuation mark of one or more signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operator {
    pub text: &'static str,
    pub range: SourceRange,
}

#[derive(Debug)]
pub(super) struct Cursor {
    tokens: Vec<TokenTree>,
    position: usize,
    close: Span,
}

impl Cursor {
    /// Over a whole macro input.
    pub fn over(stream: TokenStream) -> Cursor {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let close = tokens.last().map_or_else(Span::call_site, TokenTree::span);
        Cursor {
            tokens,
            position: 0,
            close,
        }
    }

    /// Over the inside of a group.
    pub fn inside(group: &Group) -> Cursor {
        Cursor {
            tokens: group.stream().into_iter().collect(),
            position: 0,
            close: group.span_close(),
        }
    }

    pub fn peek(&self) -> Option<&TokenTree> {
        self.tokens.get(self.position)
    }

    pub fn peek_at(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(self.position + ahead)
    }

    /// Takes the invisible delimiters off that `macro_rules!` puts around its fragments.
    pub fn open_invisible(&mut self) {
        while let Some(group) = self.group(Delimiter::None).cloned() {
            let inside = self.position..self.position + 1;
            self.tokens.splice(inside, group.stream());
        }
    }

    pub fn is_at_end(&self) -> bool {
        self.position >= self.tokens.len()
    }

    pub fn advance(&mut self, count: usize) {
        self.position = (self.position + count).min(self.tokens.len());
    }

    pub fn next(&mut self) -> Option<TokenTree> {
        let token = self.peek().cloned();
        self.advance(1);
        token
    }

    /// The tokens that are left.
    pub fn rest(&self) -> TokenStream {
        self.tokens[self.position.min(self.tokens.len())..]
            .iter()
            .cloned()
            .collect()
    }

    /// Where the next token stands, or what closes the list.
    pub fn range(&self) -> SourceRange {
        match self.peek() {
            Some(TokenTree::Group(group)) => group_range(group),
            Some(token) => token.span().into(),
            None => self.close.into(),
        }
    }

    /// Where the token before stands, or what closes the list.
    pub fn range_before(&self) -> SourceRange {
        match self
            .position
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
        {
            Some(TokenTree::Group(group)) => group_range(group),
            Some(token) => token.span().into(),
            None => self.close.into(),
        }
    }

    pub fn ident(&self) -> Option<&Ident> {
        match self.peek() {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    pub fn is_ident(&self, name: &str) -> bool {
        self.ident().is_some_and(|ident| ident == name)
    }

    pub fn group(&self, delimiter: Delimiter) -> Option<&Group> {
        match self.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
            _ => None,
        }
    }

    /// The next sign alone.
    pub fn is_sign(&self, sign: char) -> bool {
        matches!(self.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
    }

    /// The operator here, without taking it.
    pub fn operator(&self) -> Option<Operator> {
        let Some(TokenTree::Punct(first)) = self.peek() else {
            return None;
        };
        let glued = match first.spacing() {
            Spacing::Alone => None,
            Spacing::Joint => OPERATORS.iter().find(|text| self.spells(text)),
        };
        let sign = first.as_char();
        let text = match glued {
            Some(text) => text,
            None => SIGNS.iter().find(|text| text.starts_with(sign))?,
        };
        let last = self
            .peek_at(text.len() - 1)
            .map_or(first.span(), |t| t.span());
        let range = SourceRange::from(first.span()).to(last.into());
        Some(Operator { text, range })
    }

    pub fn is_operator(&self, text: &str) -> bool {
        self.operator()
            .is_some_and(|operator| operator.text == text)
    }

    /// Takes the operator here.
    pub fn take_operator(&mut self) -> Option<Operator> {
        let operator = self.operator()?;
        self.advance(operator.text.len());
        Some(operator)
    }

    fn spells(&self, text: &str) -> bool {
        let last = text.len() - 1;
        text.chars().enumerate().all(|(i, sign)| {
            matches!(self.peek_at(i), Some(TokenTree::Punct(punct))
                if punct.as_char() == sign && (i == last || punct.spacing() == Spacing::Joint))
        })
    }

    /// Whether `sign` comes before the next `end`.
    pub fn holds_before(&self, sign: char, end: char) -> bool {
        let ahead = self.tokens.get(self.position..).unwrap_or_default();
        let signs = ahead.iter().filter_map(|token| match token {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        });
        signs
            .take_while(|&found| found != end)
            .any(|found| found == sign)
    }

    /// Moves to the next `sign` of this list, or to its end.
    pub fn skip_to(&mut self, sign: char) {
        while !self.is_at_end() && !self.is_sign(sign) {
            self.advance(1);
        }
    }
}

/// From the opening to the closing delimiter.
pub(super) fn group_range(group: &Group) -> SourceRange {
    match group.delimiter() {
        Delimiter::None => group.span().into(),
        _ => SourceRange {
            start: group.span_open(),
            end: group.span_close(),
        },
    }
}
