//! The words of statements as paths into the runtime's lists, so that IDEs complete and explain them at their place.
//!
//! A word that is still being typed is written like a complete one: the text before the cursor must be the same
//! before and after a letter is typed.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{MAX_DEPTH, split};
use crate::syntax::ast::Declaration;
use crate::syntax::statement;
use crate::syntax::{is_keyword, library_joints, library_parameters};

/// `particle` as `statement::particle`; empty for words that Rust reserves.
pub(super) fn keyword(word: &TokenTree) -> TokenStream {
    match word {
        TokenTree::Ident(word) if !is_keyword(&word.to_string()) => {
            quote!(let _ = statement::#word;)
        }
        _ => TokenStream::new(),
    }
}

/// The keys in braces as those of the struct at a path.
pub(super) fn keys(path: &TokenStream, fields: &Group) -> TokenStream {
    let mut rest: Vec<TokenTree> = fields.stream().into_iter().collect();
    let mut keys = TokenStream::new();
    while !rest.is_empty() {
        let (field, later) = split(&rest, ",");
        rest = later;
        match &field[..] {
            [TokenTree::Ident(key)] => keys.extend(quote!(#key,)),
            [TokenTree::Ident(key), ..] => keys.extend(quote!(#key: Scalar,)),
            _ => {}
        }
    }
    quote!(let _ = #path { #keys ..::core::default::Default::default() };)
}

/// `knee: Hinge { … }` as the joint of bodies of the plane or of space.
pub(super) fn joint(
    statement: &[TokenTree],
    fields: &Group,
    statements: &TokenStream,
) -> TokenStream {
    let (_, kind) = split(statement, ":");
    let [TokenTree::Ident(kind)] = &kind[..] else {
        return TokenStream::new();
    };
    let list = if mention(statements, "Rigid3", 0) {
        quote!(joint)
    } else {
        quote!(plane_joint)
    };
    keys(&quote!(#list::#kind), fields)
}

fn mention(tokens: &TokenStream, word: &str, depth: usize) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == word,
        TokenTree::Group(group) => depth < MAX_DEPTH && mention(&group.stream(), word, depth + 1),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The struct whose keys are the parameters of a part.
pub(super) fn parameters(part: &Ident, parameters: &[&Declaration]) -> TokenStream {
    let name = parameters_of(part);
    let fields = parameters.iter().map(|parameter| &parameter.name);
    quote! {
        #[derive(Clone, Copy, Debug, Default)]
        struct #name { #(#fields: Scalar,)* }
    }
}

/// `Leg` of `leg[i]: Leg { l: 1 }` as the struct of its parameters, if the part exists.
pub(super) fn used(
    statement: &[TokenTree],
    fields: &Group,
    tree: &statement::System,
) -> TokenStream {
    let (_, part) = split(statement, ":");
    match &part[..] {
        [TokenTree::Ident(part)] if parts(tree).any(|known| known.name == *part) => {
            let name = parameters_of(part);
            keys(&quote!(#name), fields)
        }
        _ => TokenStream::new(),
    }
}

/// The declared parts.
pub(super) fn parts(tree: &statement::System) -> impl Iterator<Item = &statement::Part> {
    tree.statements.iter().filter_map(|it| match &it.kind {
        statement::StatementKind::Part(part) => Some(part),
        _ => None,
    })
}

fn parameters_of(part: &Ident) -> Ident {
    format_ident!("{part}Parameters", span = Span::call_site())
}

/// The joints of the library as structs of their keys, in space and in the plane.
pub fn joints() -> TokenStream {
    let lists = [("joint", false), ("plane_joint", true)].map(|(list, plane)| {
        let list = Ident::new(list, Span::call_site());
        let joints = library_joints(plane).map(|joint| {
            let name = Ident::new(joint, Span::call_site());
            let fields = library_parameters(joint, plane);
            let fields = fields.iter().map(
                |Declaration {
                     attributes, name, ..
                 }| { quote!(#attributes pub #name: Scalar,) },
            );
            let about = format!("`{joint} {{ a: …, b: … }}`");
            quote! {
                #[doc = #about]
                #[derive(Clone, Copy, Debug, Default)]
                pub struct #name {
                    /// The first body.
                    pub a: Scalar,
                    /// The second body.
                    pub b: Scalar,
                    #(#fields)*
                }
            }
        });
        quote! {
            /// Joints of the library.
            pub mod #list {
                use super::Scalar;
                #(#joints)*
            }
        }
    });
    quote!(#(#lists)*)
}
