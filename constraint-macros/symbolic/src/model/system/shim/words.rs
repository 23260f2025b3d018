//! The words of statements as paths into the runtime's lists, so that IDEs complete and explain them at their place.
//!
//! A word that is still being typed is written like a complete one: the text before the cursor must be the same
//! before and after a letter is typed.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::MAX_DEPTH;
use super::expressions::{rows, separated, split};
use crate::syntax::ast::Declaration;
use crate::syntax::{KEYWORDS, is_keyword, library_joints, library_parameters, statement};

/// `particle` as `statement::particle`; empty for words that Rust reserves.
pub(super) fn keyword(word: &TokenTree) -> TokenStream {
    match word {
        TokenTree::Ident(word) if !is_keyword(&word.to_string()) => {
            quote!(let _ = statement::#word;)
        }
        _ => TokenStream::new(),
    }
}

/// The keys in braces as those of the struct at a path, if there is one, and their values.
pub(super) fn braces(path: &TokenStream, braces: &Group) -> TokenStream {
    let (mut keys, mut values) = (TokenStream::new(), TokenStream::new());
    for field in separated(braces.stream()) {
        match &field[..] {
            [TokenTree::Ident(key)] => keys.extend(quote!(#key,)),
            [TokenTree::Ident(key), ..] => keys.extend(quote!(#key: Scalar,)),
            _ => {}
        }
        values.extend(rows(split(&field, ':').1));
    }
    match path.is_empty() {
        true => values,
        false => quote! {
            let _ = #path { #keys ..::core::default::Default::default() };
            #values
        },
    }
}

/// The struct of the keys of a keyword: `keys::Particle`.
pub(super) fn keys_of(word: &str) -> TokenStream {
    let name = struct_of(word);
    quote!(keys::#name)
}

fn struct_of(word: &str) -> Ident {
    let (first, rest) = word.split_at(1);
    format_ident!("{}{rest}", first.to_uppercase())
}

/// The joint of bodies of the plane or of space in `knee: Hinge`.
pub(super) fn joint(head: &[TokenTree], statements: &TokenStream) -> TokenStream {
    match (&split(head, ':').1[..], mention(statements, "Rigid3", 0)) {
        ([TokenTree::Ident(kind)], true) => quote!(joint::#kind),
        ([TokenTree::Ident(kind)], false) => quote!(plane_joint::#kind),
        _ => TokenStream::new(),
    }
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

/// The struct of the parameters of the part in `leg[i]: Leg`, if the part exists.
pub(super) fn used(head: &[TokenTree], tree: &statement::System) -> TokenStream {
    match &split(head, ':').1[..] {
        [TokenTree::Ident(part)] if parts(tree).any(|known| known.name == *part) => {
            parameters_of(part).into_token_stream()
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

/// The keywords and the keys that their braces take, in the modules `statement` and `keys`.
pub fn statements() -> TokenStream {
    let explained = KEYWORDS.iter().filter(|row| !row.about.is_empty());
    let words = explained.map(|row| {
        let (word, about) = (Ident::new(row.word, Span::call_site()), row.about);
        quote!(#[doc = #about] pub const #word: Scalar = Scalar;)
    });
    let with_keys = KEYWORDS.iter().filter(|row| !row.keys.is_empty());
    let keys = with_keys.map(|row| {
        let keys = row.keys.iter().map(|(key, about)| {
            let key = Ident::new(key, Span::call_site());
            quote!(#[doc = #about] pub #key: Scalar,)
        });
        keys_struct(&struct_of(row.word), row.about, keys)
    });
    quote! {
        /// The keywords that begin a statement of `system!`.
        #[allow(non_upper_case_globals)]
        pub mod statement {
            use super::Scalar;
            #(#words)*
        }
        /// The keys in the braces of statements.
        pub mod keys {
            use super::Scalar;
            #(#keys)*
        }
    }
}

/// The joints of the library as structs of their keys, in space and in the plane.
pub fn joints() -> TokenStream {
    let lists = [("joint", false), ("plane_joint", true)].map(|(list, plane)| {
        let list = Ident::new(list, Span::call_site());
        let joints = library_joints(plane).map(|joint| {
            let parameters = library_parameters(joint, plane);
            let parameters = parameters.iter().map(
                |Declaration {
                     attributes, name, ..
                 }| { quote!(#attributes pub #name: Scalar,) },
            );
            let bodies = quote! {
                /// The first body.
                pub a: Scalar,
                /// The second body.
                pub b: Scalar,
            };
            let about = format!("`{joint} {{ a: …, b: … }}`");
            let name = Ident::new(joint, Span::call_site());
            keys_struct(&name, &about, std::iter::once(bodies).chain(parameters))
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

fn keys_struct(name: &Ident, about: &str, keys: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote! {
        #[doc = #about]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct #name { #(#keys)* }
    }
}
