//! The user's tokens as ordinary typed Rust, for rust-analyzer alone.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::system::{joints, statements};
use crate::expr::{Function, FunctionRow};
use crate::syntax::ast::{Annotation, Constraint, Curve, Declaration, Header, name_of};
use crate::syntax::is_keyword;

/// Deeper input has been rejected by the parser.
pub(super) const MAX_DEPTH: usize = 128;

/// `const _: () = { … }` under `cfg(rust_analyzer)`: names become arguments, and the body follows.
///
/// It is emitted despite errors, so that completion works while the user is typing. The body is
/// the input of a macro, because `rustc` parses even disabled code and the language is not Rust.
/// The outer item keeps the compiler from warning about the unknown cfg.
pub fn shim(tree: Option<&Constraint>) -> TokenStream {
    let Some(tree) = tree else {
        return TokenStream::new();
    };
    match &tree.header {
        None => bare(&tree.body_tokens),
        Some(header) => typed(&arguments(header), [&tree.body_tokens]),
    }
}

/// Free names are declared behind the body. IDEs complete a name at its first occurrence, and the text before that
/// must not depend on the name that is being typed.
fn bare(body: &TokenStream) -> TokenStream {
    let names = free_names(body);
    let value = as_rust(body.clone(), 0);
    item(
        &TokenStream::new(),
        &quote!(let _ = body! { #value }; #(const #names: Scalar = Scalar;)*),
    )
}

/// The shim of a curve, whose domain is not part of its body.
pub fn curve_shim(tree: Option<&Curve>) -> TokenStream {
    let Some(tree) = tree else {
        return TokenStream::new();
    };
    let ends = tree.domain.iter();
    let ends = ends.flat_map(|domain| [&domain.start_tokens, &domain.end_tokens]);
    typed(&arguments(&tree.header), ends.chain([&tree.body_tokens]))
}

pub(super) fn arguments(header: &Header) -> TokenStream {
    let declared = header.coordinates.iter().chain(&header.parameters);
    declared.map(argument).collect()
}

fn typed<'a>(
    arguments: &TokenStream,
    bodies: impl IntoIterator<Item = &'a TokenStream>,
) -> TokenStream {
    let bodies = bodies.into_iter().map(|body| as_rust(body.clone(), 0));
    item(arguments, &quote!(#(let _ = body! { #bodies };)*))
}

/// The function that holds the statements; they may call the macro `body` on text that is not Rust.
pub(super) fn item(arguments: &TokenStream, statements: &TokenStream) -> TokenStream {
    quote! {
        #[allow(unexpected_cfgs)]
        const _: () = {
            #[cfg(rust_analyzer)]
            const _: () = {
                #[allow(unused_imports)]
                use ::constraint_runtime::__private::ide::*;

                macro_rules! body {
                    ($($tokens:tt)*) => { $($tokens)* };
                }

                #[allow(unused, non_snake_case, non_upper_case_globals, clippy::all)]
                fn shim(#arguments) {
                    #statements
                }
            };
        };
    }
}

/// Rewrites `min(a, b, c)` as `min((a, b, c))` and `pose(place, angle)` likewise, because Rust functions are not
/// variadic. Numbers become `Scalar`: Rust's literals have different types, so that neither `0.5/2` nor `[x, 0]` would
/// compile.
pub(super) fn as_rust(tokens: TokenStream, depth: usize) -> TokenStream {
    if depth > MAX_DEPTH {
        return tokens;
    }
    let mut tuple = false;
    let rewritten = tokens.into_iter().map(|token| {
        let called = std::mem::replace(&mut tuple, takes_a_tuple(&token));
        if let TokenTree::Literal(number) = &token {
            return Ident::new("Scalar", number.span()).into();
        }
        let TokenTree::Group(group) = token else {
            return token;
        };
        let mut inner = as_rust(group.stream(), depth + 1);
        if called && group.delimiter() == Delimiter::Parenthesis {
            inner = TokenTree::Group(Group::new(Delimiter::Parenthesis, inner)).into();
        }
        regrouped(&group, inner)
    });
    rewritten.collect()
}

fn takes_a_tuple(token: &TokenTree) -> bool {
    ["min", "max", "pose"]
        .iter()
        .any(|open| is_word(token, open))
}

/// A group with other tokens inside.
pub(super) fn regrouped(group: &Group, inside: TokenStream) -> TokenTree {
    let mut regrouped = Group::new(group.delimiter(), inside);
    regrouped.set_span(group.span());
    regrouped.into()
}

pub(super) fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

pub(super) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

pub(super) fn is_group(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

pub(super) fn argument(declaration: &Declaration) -> TokenStream {
    let name = &declaration.name;
    match &declaration.annotation {
        Annotation::Type(ty) if !is_keyword(&ty.to_string()) => quote!(#name: #ty,),
        Annotation::Array(ty, lengths) if !is_keyword(&ty.to_string()) => {
            let array = |inner: TokenStream, _| quote!(Array<#inner>);
            let ty = lengths.iter().fold(quote!(#ty), array);
            quote!(#name: #ty,)
        }
        _ => quote!(#name: Scalar,),
    }
}

/// The free names of the bare form, each once, in order of appearance.
fn free_names(body: &TokenStream) -> Vec<Ident> {
    let mut names = Names::default();
    names.collect(body.clone(), 0);
    names.found
}

#[derive(Default)]
struct Names {
    found: Vec<Ident>,
    seen: crate::expr::SortedSet<String>,
}

impl Names {
    fn collect(&mut self, tokens: TokenStream, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let mut before = None;
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match &token {
                TokenTree::Group(group) => self.collect(group.stream(), depth + 1),
                TokenTree::Ident(ident) => {
                    let next = tokens.peek();
                    let called = next.is_some_and(|it| is_group(it, Delimiter::Parenthesis));
                    let bound = before.as_ref().is_some_and(|it| is_word(it, "let"));
                    let member = before.as_ref().is_some_and(|it| is_sign(it, '.'));
                    let name = name_of(ident);
                    if bound {
                        self.seen.insert(name);
                    } else if !called && !member && !is_known(&name) && self.seen.insert(name) {
                        self.found.push(ident.clone());
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            before = Some(token);
        }
    }
}

fn is_known(name: &str) -> bool {
    matches!(name, "PI" | "TAU" | "E") || is_keyword(name)
}

/// The words of the language as Rust over the shims' types: statements, the keys in their braces, joints and functions.
pub fn words_for_ides() -> TokenStream {
    TokenStream::from_iter([statements(), joints(), functions()])
}

/// The functions of the table: each free, and as a method of a scalar.
fn functions() -> TokenStream {
    // These two are variadic.
    let typed_by_hand = [Function::Min, Function::Max];
    let rows = Function::all().filter(|function| !typed_by_hand.contains(function));
    rows.map(|function| {
        let FunctionRow {
            name,
            meaning,
            arity,
            ..
        } = function.row();
        let name = Ident::new(name, Span::call_site());
        let arguments = vec![quote!(_: impl Into<Scalar>); *arity];
        let others = &arguments[1..];
        quote! {
            #[doc = #meaning]
            pub fn #name(#(#arguments),*) -> Scalar { Scalar }
            impl Scalar {
                #[doc = #meaning]
                pub fn #name(self, #(#others),*) -> Self { self }
            }
        }
    })
    .collect()
}
