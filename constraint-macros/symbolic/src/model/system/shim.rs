//! The user's statements as ordinary typed Rust, for rust-analyzer alone.
//!
//! Made of tokens, not of the tree, so that names complete while a statement is still being written.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::super::shim::{arguments, as_rust, item};
use super::System;
use crate::diagnostic::catalogue::Kind;
use crate::syntax::is_keyword;
use crate::syntax::statement;

/// Deeper input has been rejected by the parser.
const MAX_DEPTH: usize = 128;

/// Statements as `let`s, `for`s and closures; it stands also where there are errors.
pub fn system_shim(tree: &statement::System, system: &System) -> TokenStream {
    let mut placed = BTreeMap::new();
    let statements = rust(tree.body_tokens.clone(), system, &mut placed, 0);
    let arrays = placed
        .values()
        .map(|name| quote!(let #name = Array::default();));
    let t = time(&tree.body_tokens);
    let body = quote!(let #t = Scalar; #(#arrays)* #statements);
    item(&arguments(&tree.header), &quote!(body! { #body }))
}

/// The time's name as the statements mean it, which another macro may have handed on.
fn time(statements: &TokenStream) -> Ident {
    let place = Span::call_site();
    let first = statements.clone().into_iter().next();
    Ident::new(
        "t",
        first.map_or(place, |token| place.resolved_at(token.span())),
    )
}

/// The statements; arrays of placed particles, which grow element by element, are named in `placed`.
fn rust(
    tokens: TokenStream,
    system: &System,
    placed: &mut BTreeMap<String, Ident>,
    depth: usize,
) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut out = TokenStream::new();
    while let Some(keyword) = tokens.next() {
        let word = keyword.to_string();
        let in_braces = matches!(word.as_str(), "particle" | "body" | "for");
        let (said, braces) = statement(&mut tokens, in_braces);
        out.extend(match (word.as_str(), braces) {
            ("fn", _) => function(&said, system),
            ("coordinate" | "input", _) => declarations(said),
            ("body", Some(fields)) => body(&said, &fields),
            ("particle", Some(fields)) => particle(&said, &fields, placed),
            ("for", Some(body)) if depth < MAX_DEPTH => {
                let body = rust(body.stream(), system, placed, depth + 1);
                repetition(&said, &body)
            }
            ("let", _) => named(&said),
            ("force" | "torque", _) => {
                let (target, value) = split(&said, ":");
                let (target, value) = (expression(target), expression(value));
                quote!(let _ = #target; let _ = #value;)
            }
            ("constraint", _) => constraint(&said),
            _ => {
                let value = expression(said);
                quote!(let _ = #value;)
            }
        });
    }
    out
}

/// What follows a keyword, to its `;`, or to its braces.
fn statement(
    tokens: &mut impl Iterator<Item = TokenTree>,
    in_braces: bool,
) -> (Vec<TokenTree>, Option<Group>) {
    let mut said = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => break,
            TokenTree::Group(group) if in_braces && group.delimiter() == Delimiter::Brace => {
                return (said, Some(group));
            }
            token => said.push(token),
        }
    }
    (said, None)
}

/// Before and after the first `sign`; all before it where there is none.
fn split(tokens: &[TokenTree], sign: &str) -> (Vec<TokenTree>, Vec<TokenTree>) {
    let found = tokens.iter().position(|token| match token {
        TokenTree::Punct(punct) => punct.as_char().to_string() == sign,
        _ => false,
    });
    match found {
        Some(at) => (tokens[..at].to_vec(), tokens[at + 1..].to_vec()),
        None => (tokens.to_vec(), Vec::new()),
    }
}

/// `name(a, b) = value` as a closure, its arguments of the shapes they have where it is called.
fn function(said: &[TokenTree], system: &System) -> TokenStream {
    let [TokenTree::Ident(name), TokenTree::Group(group), rest @ ..] = said else {
        return TokenStream::new();
    };
    let kinds = system.signatures.get(&name.to_string());
    let names = group.stream().into_iter().filter_map(|token| match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    let arguments =
        names
            .enumerate()
            .map(|(i, argument)| match kinds.and_then(|kinds| kinds.get(i)) {
                Some(Kind::Vector(2)) => quote!(#argument: Point2),
                Some(Kind::Vector(_)) => quote!(#argument: Point3),
                _ => quote!(#argument: Scalar),
            });
    let value = expression(split(rest, "=").1);
    quote!(let #name = |#(#arguments),*| #value;)
}

/// `a, b[3]`, `u: Vector2`, `u[3]: Vector2`
fn declarations(said: Vec<TokenTree>) -> TokenStream {
    let mut out = TokenStream::new();
    let mut rest = said;
    while !rest.is_empty() {
        let (declared, later) = split(&rest, ",");
        rest = later;
        out.extend(match &declared[..] {
            [TokenTree::Ident(name)] => quote!(let #name = Scalar;),
            [TokenTree::Ident(name), TokenTree::Group(count)] => {
                let count = expression(count.stream());
                quote!(let #name = Array::<Scalar>::of(#count);)
            }
            [
                TokenTree::Ident(name),
                TokenTree::Punct(_),
                TokenTree::Ident(ty),
            ] => {
                quote!(let #name: #ty = ::core::default::Default::default();)
            }
            [
                TokenTree::Ident(name),
                TokenTree::Group(count),
                TokenTree::Punct(_),
                TokenTree::Ident(ty),
            ] => {
                let count = expression(count.stream());
                quote!(let #name = Array::<#ty>::of(#count);)
            }
            _ => TokenStream::new(),
        });
    }
    out
}

fn particle(
    said: &[TokenTree],
    fields: &Group,
    placed: &mut BTreeMap<String, Ident>,
) -> TokenStream {
    let [TokenTree::Ident(name), rest @ ..] = said else {
        return TokenStream::new();
    };
    let declared = match rest {
        [TokenTree::Group(bracket), TokenTree::Punct(sign), rest @ ..] => {
            let bracket = expression(bracket.stream());
            match sign.as_char() {
                ':' => quote!(let #name = Array::<#(#rest)*>::of(#bracket);),
                _ => {
                    placed
                        .entry(name.to_string())
                        .or_insert_with(|| name.clone());
                    let place = expression(rest.to_vec());
                    quote!(#name.set(#bracket, point(#place));)
                }
            }
        }
        [TokenTree::Punct(sign), rest @ ..] => match sign.as_char() {
            ':' => quote!(let #name: #(#rest)* = ::core::default::Default::default();),
            _ => {
                let place = expression(rest.to_vec());
                quote!(let #name = point(#place);)
            }
        },
        _ => TokenStream::new(),
    };
    let fields: Vec<TokenTree> = fields.stream().into_iter().collect();
    let mass = expression(split(&fields, ":").1);
    quote!(#declared let _ = #mass;)
}

/// `name: Rigid3`, `name[2]: Rigid2`, and the values in the braces.
fn body(said: &[TokenTree], fields: &Group) -> TokenStream {
    let declared = match said {
        [TokenTree::Ident(name), TokenTree::Group(count), _, ty] => {
            let count = expression(count.stream());
            quote!(let #name = Array::<#ty>::of(#count);)
        }
        [TokenTree::Ident(name), _, ty] => quote!(let #name = #ty;),
        _ => TokenStream::new(),
    };
    let mut rest: Vec<TokenTree> = fields.stream().into_iter().collect();
    let mut values = TokenStream::new();
    while !rest.is_empty() {
        let (field, later) = split(&rest, ",");
        rest = later;
        let (_, value) = split(&field, ":");
        values.extend(rows(value));
    }
    quote!(#declared #values)
}

/// `i in 0..8`
fn repetition(said: &[TokenTree], body: &TokenStream) -> TokenStream {
    let [TokenTree::Ident(index), TokenTree::Ident(_), range @ ..] = said else {
        return body.clone();
    };
    quote!(for #index in indices(#(#range)*) { #body })
}

/// `name = value`
fn named(said: &[TokenTree]) -> TokenStream {
    let (name, value) = split(said, "=");
    let value = expression(value);
    match &name[..] {
        [TokenTree::Ident(name)] => quote!(let #name = #value;),
        _ => quote!(let _ = #value;),
    }
}

/// `name[i]: relation`; rows one by one, since they may be relations and numbers.
fn constraint(said: &[TokenTree]) -> TokenStream {
    let (_, relation) = split(said, ":");
    rows(relation)
}

/// A value, or one by one the entries of a list.
fn rows(value: Vec<TokenTree>) -> TokenStream {
    let rows = match &value[..] {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => {
            let mut rest: Vec<TokenTree> = list.stream().into_iter().collect();
            let mut rows = Vec::new();
            while !rest.is_empty() {
                let (row, later) = split(&rest, ",");
                rows.push(row);
                rest = later;
            }
            rows
        }
        _ => vec![value],
    };
    let rows = rows.into_iter().map(|row| {
        let row = expression(row);
        quote!(let _ = #row;)
    });
    rows.collect()
}

/// An expression of the language as Rust: lists are points, `min` and `max` take tuples.
fn expression(tokens: impl IntoIterator<Item = TokenTree>) -> TokenStream {
    let tokens = lists(tokens, 0);
    match tokens.is_empty() {
        // Not written yet.
        true => quote!(Scalar),
        false => as_rust(tokens, 0),
    }
}

/// `[a, b]` as `point((a, b))`, where it is no index.
fn lists(tokens: impl IntoIterator<Item = TokenTree>, depth: usize) -> TokenStream {
    let mut operand = false;
    let mut out = TokenStream::new();
    for token in tokens {
        let indexed = std::mem::replace(&mut operand, is_operand(&token));
        let TokenTree::Group(group) = token else {
            out.extend([token]);
            continue;
        };
        if depth > MAX_DEPTH {
            out.extend([TokenTree::Group(group)]);
            continue;
        }
        let inner = lists(group.stream(), depth + 1);
        if group.delimiter() == Delimiter::Bracket && !indexed {
            out.extend(quote!(point((#inner))));
            continue;
        }
        let mut rewritten = Group::new(group.delimiter(), inner);
        rewritten.set_span(group.span());
        out.extend([TokenTree::Group(rewritten)]);
    }
    out
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
