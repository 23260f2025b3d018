//! Expressions of the language as Rust: lists are points, `min` and `max` take tuples.

use crate::expr::{CollectVec, PushEach};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::super::super::shim::{MAX_DEPTH, as_rust, is_group, is_sign, is_word, regrouped};
use super::super::System;
use super::{names_in, value_type};
use crate::diagnostic::catalogue::Kind;
use crate::syntax::is_keyword;

/// The tokens before and after the first `sign`; all are before it if there is none.
pub(super) fn split(tokens: &[TokenTree], sign: char) -> (Vec<TokenTree>, Vec<TokenTree>) {
    match tokens.iter().position(|token| is_sign(token, sign)) {
        Some(at) => (tokens[..at].to_vec(), tokens[at + 1..].to_vec()),
        None => (tokens.to_vec(), Vec::new()),
    }
}

/// The tokens between commas.
pub(super) fn separated(tokens: impl IntoIterator<Item = TokenTree>) -> Vec<Vec<TokenTree>> {
    let mut rest: Vec<TokenTree> = tokens.into_iter().collect_vec();
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (entry, later) = split(&rest, ',');
        entries.push(entry);
        rest = later;
    }
    entries
}

pub(super) fn is_equals(token: &TokenTree) -> bool {
    is_sign(token, '=')
}

/// An expression whose value is not used.
pub(super) fn ignored(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    let value = expression(tokens);
    quote!(let _ = #value;)
}

/// A value, or one by one the entries of a list.
pub(super) fn rows(value: Vec<TokenTree>) -> TokenStream {
    let rows = match &value[..] {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => {
            separated(list.stream())
        }
        _ => vec![value],
    };
    rows.into_iter().map(ignored).collect()
}

/// `0..8` as the iterator of a `for`.
pub(super) fn indices(range: &[TokenTree]) -> TokenStream {
    let (start, end) = split(range, '.');
    let end = end.into_iter();
    let end = end.skip_while(|token| is_sign(token, '.') || is_equals(token));
    let (start, end) = (expression(start), expression(end));
    quote!(indices((#start, #end)))
}

/// A value that may be a list of any length.
pub(super) fn list_or_value(value: Vec<TokenTree>) -> TokenStream {
    match &value[..] {
        [TokenTree::Group(list)] if is_long(list) => long(list, 0),
        _ => expression(value),
    }
}

/// Whether a list is longer than a vector, or one of lists.
fn is_long(list: &Group) -> bool {
    let entries = separated(list.stream());
    let nested = |entry: &Vec<TokenTree>| matches!(&entry[..], [inner] if is_group(inner, Delimiter::Bracket));
    list.delimiter() == Delimiter::Bracket
        && (!(2..=3).contains(&entries.len()) || entries.iter().any(nested))
}

/// A long list as an array of the type of its first entry.
fn long(list: &Group, depth: usize) -> TokenStream {
    let entries = separated(list.stream()).into_iter();
    let entries = entries.map(|entry| match &entry[..] {
        [TokenTree::Group(inner)] if depth < MAX_DEPTH && is_long(inner) => long(inner, depth + 1),
        _ => expression(entry),
    });
    quote!(Array::listed([#(#entries),*]))
}

/// `multiplier(link[3])` as a value of the shape of the constraint's rows.
pub(super) fn multipliers(
    tokens: impl IntoIterator<Item = TokenTree>,
    system: &System,
    depth: usize,
) -> Vec<TokenTree> {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = &token else {
            out.push(token);
            continue;
        };
        let called = out.last().is_some_and(|it| is_word(it, "multiplier"));
        if called && let Some(ty) = multiplier_type(group, system) {
            out.pop();
            out.push_each(quote!((<#ty as ::core::default::Default>::default())));
        } else if depth > MAX_DEPTH {
            out.push(token);
        } else {
            let inner = multipliers(group.stream(), system, depth + 1);
            out.push(regrouped(group, inner.into_iter().collect()));
        }
    }
    out
}

/// The type of the rows of a constraint; `None` if no name is written.
fn multiplier_type(named: &Group, system: &System) -> Option<TokenStream> {
    let path: Vec<_> = names_in(named.stream()).collect_vec();
    let mut known = system.constraints.iter();
    let named = known.find(|known| {
        let around = known.around.iter().map(|around| &around.field);
        around.chain([&known.name]).eq(path.iter())
    });
    let kind = match named.map_or(1, |named| named.element.scalars()) {
        count @ 2..=3 => Kind::Vector(count),
        _ => Kind::Scalar,
    };
    (!path.is_empty()).then(|| value_type(kind))
}

/// An expression as Rust.
pub(super) fn expression(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    let tokens = lists(tokens, 0);
    match tokens.is_empty() {
        // Still being typed.
        true => quote!(Scalar),
        false => as_rust(tokens, 0),
    }
}

/// `[a, b]` as `point((a, b))`, unless it is an index.
fn lists(tokens: impl IntoIterator<Item = TokenTree>, depth: usize) -> TokenStream {
    let (mut operand, mut summed) = (false, false);
    let mut out = TokenStream::new();
    for token in tokens {
        let indexed = std::mem::replace(&mut operand, is_operand(&token));
        let was_sum = std::mem::replace(&mut summed, is_word(&token, "sum"));
        let group = match token {
            TokenTree::Group(group) if depth <= MAX_DEPTH => group,
            token => {
                out.extend([token]);
                continue;
            }
        };
        if let Some(sum) = was_sum.then(|| sum_over(&group, depth)).flatten() {
            out.extend(sum);
            continue;
        }
        let inner = lists(group.stream(), depth + 1);
        let is_list = group.delimiter() == Delimiter::Bracket && !indexed;
        out.extend(match is_list {
            true if is_long(&group) => quote!(Array::listed([#inner])),
            true => quote!(point((#inner))),
            false => regrouped(&group, inner).into(),
        });
    }
    out
}

/// `(i in 0..8: term)` after `sum` as a call with the indices and a closure.
fn sum_over(inside: &Group, depth: usize) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = inside.stream().into_iter().collect_vec();
    match &tokens[..] {
        [TokenTree::Ident(index), word, rest @ ..] if is_word(word, "in") => {
            let (range, term) = split(rest, ':');
            let (range, term) = (indices(&range), lists(term, depth + 1));
            Some(quote!((#range, |#index: Scalar| #term)))
        }
        _ => None,
    }
}

/// Whether an index may follow.
fn is_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(ident) => !is_keyword(&ident.to_string()),
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Literal(_) => true,
        TokenTree::Punct(_) => false,
    }
}
