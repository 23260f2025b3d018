//! `constraint!` with rows of one side as typed Rust.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::super::super::shim::{MAX_DEPTH, arguments, as_rust, is_word, item, regrouped};
use super::{is_choice, words};
use crate::syntax::ast::Constraint;

/// The rows as one value; properties precede their relation in a block.
pub fn sided_shim(tree: &Constraint) -> TokenStream {
    let body = as_rust(rows(tree.body_tokens.clone(), 0), 0);
    let arguments = tree.header.as_ref().map(arguments).unwrap_or_default();
    item(&arguments, &quote!(let _ = body! { #body };))
}

/// `a >= b { friction: mu }` as `{ …; a >= b }`.
fn rows(tokens: TokenStream, depth: usize) -> TokenStream {
    let (mut out, mut row) = (TokenStream::new(), Vec::new());
    for token in tokens {
        match token {
            TokenTree::Punct(sign) if matches!(sign.as_char(), ',' | ';') => {
                out.extend(row.drain(..));
                sign.to_tokens(&mut out);
            }
            TokenTree::Group(group) if is_property(&group, &row) => {
                let braces = words::braces(&words::keys_of("constraint"), &group);
                let relation: TokenStream = row.drain(..).collect();
                out.extend(quote!({ #braces #relation }));
            }
            TokenTree::Group(group) if depth < MAX_DEPTH && !row.iter().any(is_choice) => {
                row.push(regrouped(&group, rows(group.stream(), depth + 1)));
            }
            token => row.push(token),
        }
    }
    out.extend(row);
    out
}

/// Whether braces hold the properties of the row before them.
fn is_property(group: &Group, row: &[TokenTree]) -> bool {
    let is_sign = |token: &TokenTree| match token {
        TokenTree::Punct(sign) => matches!(sign.as_char(), '<' | '>' | '='),
        _ => false,
    };
    let is_brace = group.delimiter() == Delimiter::Brace;
    let is_let = row.first().is_some_and(|first| is_word(first, "let"));
    is_brace && !is_let && row.iter().any(is_sign) && !row.iter().any(is_choice)
}
