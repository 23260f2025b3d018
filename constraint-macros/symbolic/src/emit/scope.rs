//! The block that the impls of an expansion stand in, where names mean the same whatever surrounds it.
//!
//! Rust resolves what a macro writes where the macro is called, but for local variables. So
//! - what everybody has from `core` (`Result`, `Ok`, `f64`, `.into()`) comes from the runtime's hidden prelude,
//!   which a block's glob import puts before all that is declared or missing around it;
//! - the user's type, where it is called like one of those, has another name inside;
//! - a `let x` in sight of a `const x` would compare instead of bind. A function of that name stands between them,
//!   since bindings may shadow functions.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use crate::syntax::is_keyword;

/// The types and traits that a block brings in: `constraint_runtime::__private::prelude`, and its own alias.
const BROUGHT_IN: [&str; 15] = [
    "Default",
    "FnOnce",
    "From",
    "Into",
    "IntoIterator",
    "Iterator",
    "Ok",
    "Option",
    "Result",
    "bool",
    "f64",
    "rt",
    "str",
    "u8",
    "usize",
];

/// The name of the user's type inside the block.
pub(super) fn inside(name: &Ident) -> Ident {
    match is_brought_in(name) {
        true => Ident::new("Own", Span::mixed_site()),
        false => name.clone(),
    }
}

fn is_brought_in(name: &Ident) -> bool {
    BROUGHT_IN.iter().any(|brought_in| name == brought_in)
}

/// The impls of a type, which is generic over its scalar or not.
pub(super) fn block(name: &Ident, generic: bool, impls: &TokenStream) -> TokenStream {
    let locals = bound_names(impls);
    let block = quote! {
        #[allow(clippy::all, clippy::pedantic)]
        const _: () = {
            #[allow(unused_imports)]
            use ::constraint_runtime::__private::{self as rt, prelude::*};
            ::constraint_runtime::__private::locals!(#(#locals),*);

            #impls
        };
    };
    if !is_brought_in(name) {
        return block;
    }
    let (own, scalar) = (inside(name), generic.then(|| quote!(<T>)));
    quote! {
        const _: () = {
            type #own #scalar = #name #scalar;

            #block
        };
    }
}

/// Every name that a parameter, a `let`, a `for` or a closure of the items binds, in alphabetical order.
fn bound_names(items: &TokenStream) -> impl Iterator<Item = Ident> {
    let mut bound = Bound::default();
    bound.items(items.clone());
    bound.0.into_values()
}

#[derive(Default)]
struct Bound(BTreeMap<String, Ident>);

impl Bound {
    /// What is in braces; of what is in brackets, only a closure binds.
    fn items(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            let rest = &tokens[i + 1..];
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.items(group.stream());
                }
                TokenTree::Ident(word) if word == "let" => {
                    self.pattern(before(rest, is_end_of_let));
                }
                TokenTree::Ident(word) if word == "for" => self.pattern(before(rest, is_in)),
                TokenTree::Ident(word) if word == "fn" => self.parameters(rest),
                TokenTree::Ident(word) if word == "from_fn" => self.closure(rest),
                _ => {}
            }
        }
    }

    fn pattern(&mut self, tokens: &[TokenTree]) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => self.name(name),
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    self.pattern(&inner);
                }
                _ => {}
            }
        }
    }

    /// `name(a: A, b: B)`
    fn parameters(&mut self, tokens: &[TokenTree]) {
        let [_, TokenTree::Group(list), ..] = tokens else {
            return;
        };
        let list: Vec<TokenTree> = list.stream().into_iter().collect();
        for pair in list.windows(2) {
            if let [TokenTree::Ident(name), TokenTree::Punct(colon)] = pair
                && colon.as_char() == ':'
                && colon.spacing() == Spacing::Alone
            {
                self.name(name);
            }
        }
    }

    /// `(|a| value)`
    fn closure(&mut self, tokens: &[TokenTree]) {
        if let [TokenTree::Group(argument), ..] = tokens
            && let Some(TokenTree::Ident(name)) = argument.stream().into_iter().nth(1)
        {
            self.name(&name);
        }
    }

    fn name(&mut self, name: &Ident) {
        let text = name.to_string();
        if !is_keyword(&text) && !self.0.contains_key(&text) {
            self.0.insert(text, name.clone());
        }
    }
}

/// The tokens before the first that `ends`; none where none does, or only what is far away.
fn before(tokens: &[TokenTree], ends: impl Fn(&TokenTree) -> bool) -> &[TokenTree] {
    const LONGEST_PATTERN: usize = 3;
    let end = tokens.iter().take(LONGEST_PATTERN + 1).position(ends);
    end.map_or(&[], |end| &tokens[..end])
}

fn is_end_of_let(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if matches!(sign.as_char(), ':' | '='))
}

fn is_in(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(word) if word == "in")
}
