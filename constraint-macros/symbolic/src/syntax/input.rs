//! Extensions of syn's streams: operators of several signs, ranges, and invisible groups that stay closed.
//!
//! Between expressions an invisible group is an operand in parentheses, so nothing here looks into one; syn reads
//! Rust's own syntax.

use std::ops::Deref;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::parse::discouraged::AnyDelimiter;
use syn::parse::{ParseBuffer, ParseStream, Parser};

use super::parser::MAX_DEPTH;
use crate::diagnostic::SourceRange;

/// All Rust operators of more than one sign, longest first.
const OPERATORS: [&str; 25] = [
    "..=", "...", "<<=", ">>=", "==", "!=", "<=", ">=", "&&", "||", "**", "->", "=>", "..", "::",
    "+=", "-=", "*=", "/=", "^=", "%=", "&=", "|=", "<<", ">>",
];

/// All signs of Rust's punctuation tokens.
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

/// The inside of a group. Unread tokens may remain when it is dropped: they were reported, or need no message.
pub(crate) struct Content<'a> {
    input: ParseBuffer<'a>,
    /// Parentheses, brackets, braces, or the invisible delimiter.
    pub delimiter: Delimiter,
    /// From the opening to the closing delimiter.
    pub range: SourceRange,
}

impl<'a> Deref for Content<'a> {
    type Target = ParseBuffer<'a>;

    fn deref(&self) -> &ParseBuffer<'a> {
        &self.input
    }
}

impl Drop for Content<'_> {
    fn drop(&mut self) {
        let end = self.input.step(|_| Ok(((), Cursor::empty())));
        end.unwrap_or_default();
    }
}

/// Parses a list of tokens; `parse` must handle all of them.
pub(super) fn read<R>(tokens: TokenStream, parse: impl FnOnce(ParseStream<'_>) -> R) -> Option<R> {
    let tokens = shallow(tokens);
    // The group ends at the last token, so that the end of the input has a source range.
    let end = tokens.clone().into_iter().last().map(|token| token.span());
    let mut group = Group::new(Delimiter::Brace, tokens);
    if let Some(end) = end {
        group.set_span(end);
    }
    let mut result = None;
    let whole = |input: ParseStream<'_>| {
        if let Some(content) = input.enter(Delimiter::Brace) {
            result = Some(parse(&content));
        }
        Ok(())
    };
    whole
        .parse2(TokenTree::Group(group).into())
        .unwrap_or_default();
    result
}

/// Removes groups nested deeper than the parser reads, because syn builds its buffer recursively.
fn shallow(tokens: TokenStream) -> TokenStream {
    // Groups that are not expressions nest too, in addition to those that are.
    const DEEPEST: usize = 2 * MAX_DEPTH;
    if is_deeper(&tokens, DEEPEST) {
        cut(tokens, DEEPEST)
    } else {
        tokens
    }
}

fn is_deeper(tokens: &TokenStream, depth: usize) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => depth == 0 || is_deeper(&group.stream(), depth - 1),
        _ => false,
    })
}

fn cut(tokens: TokenStream, depth: usize) -> TokenStream {
    let cut_group = |token| match token {
        TokenTree::Group(group) => {
            let inner = match depth {
                0 => TokenStream::new(),
                _ => cut(group.stream(), depth - 1),
            };
            let mut shallow = Group::new(group.delimiter(), inner);
            shallow.set_span(group.span());
            TokenTree::Group(shallow)
        }
        token => token,
    };
    tokens.into_iter().map(cut_group).collect()
}

/// Lookahead and source ranges.
pub(super) trait Stream {
    fn stream(&self) -> ParseStream<'_>;

    /// The current token, unless it is a group.
    fn leaf(&self) -> Option<TokenTree> {
        self.leaf_at(0)
    }

    /// A later token, unless it is a group.
    fn leaf_at(&self, ahead: usize) -> Option<TokenTree> {
        leaf(skip(self.stream().cursor(), ahead)).map(|(token, _)| token)
    }

    /// The delimiter of a later group.
    fn group_at(&self, ahead: usize) -> Option<Delimiter> {
        let (_, delimiter, ..) = skip(self.stream().cursor(), ahead).any_group()?;
        Some(delimiter)
    }

    fn is_group(&self, delimiter: Delimiter) -> bool {
        self.group_at(0) == Some(delimiter)
    }

    /// The current word.
    fn word(&self) -> Option<Ident> {
        match self.leaf() {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.word().is_some_and(|ident| ident == word)
    }

    /// The current name, possibly in an invisible group.
    fn name(&self) -> Option<Ident> {
        self.stream().cursor().ident().map(|(name, _)| name)
    }

    /// Consumes the current name.
    fn take_name(&self) -> Option<Ident> {
        let stream = self.stream();
        let taken = stream.step(|here| here.ident().ok_or_else(|| here.error("a name")));
        taken.ok()
    }

    /// Whether the next single sign is this one.
    fn is_sign(&self, sign: char) -> bool {
        matches!(self.leaf(), Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
    }

    /// Whether exactly one token is left.
    fn is_last(&self) -> bool {
        let here = self.stream().cursor();
        !here.eof() && skip(here, 1).eof()
    }

    /// The current operator, without consuming it.
    fn operator(&self) -> Option<Operator> {
        let here = self.stream().cursor();
        let (TokenTree::Punct(first), _) = leaf(here)? else {
            return None;
        };
        let glued = match first.spacing() {
            Spacing::Alone => None,
            Spacing::Joint => OPERATORS
                .iter()
                .find_map(|text| Some((*text, spelled(here, text)?))),
        };
        let sign = first.as_char();
        let (text, last) = match glued {
            Some(found) => found,
            None => {
                let text = SIGNS.iter().find(|text| text.starts_with(sign))?;
                (*text, first.clone())
            }
        };
        let range = SourceRange::from(first.span()).to(last.span().into());
        Some(Operator { text, range })
    }

    fn is_operator(&self, text: &str) -> bool {
        self.operator()
            .is_some_and(|operator| operator.text == text)
    }

    /// Consumes the current operator.
    fn take_operator(&self) -> Option<Operator> {
        let operator = self.operator()?;
        self.advance(operator.text.len());
        Some(operator)
    }

    /// Skips tokens; a group counts as one.
    fn advance(&self, count: usize) {
        let stepped = self.stream().step(|here| Ok(((), skip(*here, count))));
        stepped.unwrap_or_default();
    }

    /// Consumes the current token.
    fn next(&self) -> Option<TokenTree> {
        let stream = self.stream();
        let taken = stream.step(|here| here.token_tree().ok_or_else(|| here.error("a token")));
        taken.ok()
    }

    /// Skips to the next `sign` of this list, or to its end.
    fn skip_to(&self, sign: char) {
        while !self.stream().is_empty() && !self.is_sign(sign) {
            self.advance(1);
        }
    }

    /// Enters the current group.
    fn open(&self) -> Option<Content<'_>> {
        self.group_at(0)?;
        let range = self.range();
        let (delimiter, _, input) = self.stream().parse_any_delimiter().ok()?;
        Some(Content {
            input,
            delimiter,
            range,
        })
    }

    /// Enters the current group if it has these delimiters.
    fn enter(&self, delimiter: Delimiter) -> Option<Content<'_>> {
        if self.is_group(delimiter) {
            self.open()
        } else {
            None
        }
    }

    /// The tokens between this sign and the next `|`, with a range that includes both; `None` if there is no second.
    fn between_bars(&self) -> Option<(TokenStream, SourceRange)> {
        let start = self.range();
        self.advance(1);
        let mut inside = TokenStream::new();
        while !self.is_sign('|') {
            inside.extend([self.next()?]);
        }
        let bars = start.to(self.range());
        self.advance(1);
        Some((inside, bars))
    }

    /// The remaining tokens.
    fn rest(&self) -> TokenStream {
        self.stream().cursor().token_stream()
    }

    /// Range of the next token, or of the closing delimiter.
    fn range(&self) -> SourceRange {
        match self.stream().cursor().any_group() {
            Some((_, Delimiter::None, span, _)) => span.join().into(),
            Some((_, _, span, _)) => SourceRange {
                start: span.open(),
                end: span.close(),
            },
            None => self.stream().span().into(),
        }
    }

    /// Range of the previous token.
    fn range_before(&self) -> SourceRange {
        self.stream().cursor().prev_span().into()
    }

    /// Whether `sign` comes before the next `end`.
    fn holds_before(&self, sign: char, end: char) -> bool {
        let mut here = self.stream().cursor();
        while !here.eof() {
            match leaf(here) {
                Some((TokenTree::Punct(punct), _)) if punct.as_char() == sign => return true,
                Some((TokenTree::Punct(punct), _)) if punct.as_char() == end => return false,
                _ => here = skip(here, 1),
            }
        }
        false
    }
}

impl Stream for ParseBuffer<'_> {
    fn stream(&self) -> ParseStream<'_> {
        self
    }
}

fn leaf(cursor: Cursor<'_>) -> Option<(TokenTree, Cursor<'_>)> {
    match cursor.any_group() {
        Some(_) => None,
        None => cursor.token_tree(),
    }
}

fn skip(mut cursor: Cursor<'_>, count: usize) -> Cursor<'_> {
    for _ in 0..count {
        cursor = match (cursor.any_group(), cursor.eof()) {
            (Some((.., rest)), _) => rest,
            (None, true) => return cursor,
            (None, false) => leaf(cursor).map_or(cursor, |(_, rest)| rest),
        };
    }
    cursor
}

/// The last of the signs that spell the text.
fn spelled(mut cursor: Cursor<'_>, text: &str) -> Option<Punct> {
    let mut last: Option<Punct> = None;
    for sign in text.chars() {
        if last.is_some_and(|last| last.spacing() != Spacing::Joint) {
            return None;
        }
        let (TokenTree::Punct(punct), rest) = leaf(cursor)? else {
            return None;
        };
        if punct.as_char() != sign {
            return None;
        }
        (last, cursor) = (Some(punct), rest);
    }
    last
}
