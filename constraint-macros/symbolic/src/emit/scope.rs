//! The block around the impls of an expansion, in which names mean the same in any surroundings.
//!
//! Rust resolves what a macro writes where the macro is called, but for local variables. So
//! - what everybody has from `core` (`Result`, `Ok`, `f64`, `.into()`) comes from the runtime's hidden prelude,
//!   which a block's glob import puts before all that is declared or missing around it;
//! - the user's type, where it is called like one of those, has another name inside;
//! - a `let x` in sight of a `const x` would compare instead of bind. A function of that name is declared between them,
//!   since bindings may shadow functions.

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use crate::expr::{CollectVec, Map, sort_by};
use crate::syntax::is_keyword;

/// The types and traits that a block brings in: `constraint_runtime::__private::prelude`, and its own alias.
const BROUGHT_IN: [&str; 16] = [
    "Default",
    "FnOnce",
    "From",
    "HasDefault",
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
    if is_brought_in(name) {
        Ident::new("Own", Span::mixed_site())
    } else {
        name.clone()
    }
}

fn is_brought_in(name: &Ident) -> bool {
    BROUGHT_IN.iter().any(|brought_in| name == brought_in)
}

/// The impls of a type, which is generic over its scalar or not, and the names that they bind.
pub(super) fn block(bound: Bound, name: &Ident, generic: bool, impls: &TokenStream) -> TokenStream {
    let locals = bound.names();
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

/// Every name that a parameter, a `let`, a `for` or a closure of the items binds.
#[derive(Default)]
pub(super) struct Bound(Map<String, Ident>);

impl Bound {
    /// Those of a list, each once.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a Ident>) -> Bound {
        let mut bound = Bound::default();
        names.into_iter().for_each(|name| bound.name(name));
        bound
    }

    /// The names themselves, in alphabetical order.
    pub fn names(self) -> impl Iterator<Item = Ident> {
        let mut names: Vec<(String, Ident)> = self.0.into_iter().collect_vec();
        sort_by(&mut names, |(a, _), (b, _)| a < b);
        names.into_iter().map(|(_, name)| name)
    }

    /// Those that quoted items bind: what is in braces; of what is in brackets, only a closure binds.
    pub fn items(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect_vec();
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
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect_vec();
                    self.pattern(&inner);
                }
                _ => {}
            }
        }
    }

    /// `name<G>(a: A, b: B)`
    fn parameters(&mut self, tokens: &[TokenTree]) {
        let mut groups = tokens.iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        });
        let Some(list) = groups.next() else {
            return;
        };
        let list: Vec<TokenTree> = list.stream().into_iter().collect_vec();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;

    /// The names in `locals!(…)`, and the tokens that follow.
    fn told(tokens: TokenStream) -> Option<(Vec<String>, TokenStream)> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            let found = match (token, tokens.get(i + 2)) {
                (TokenTree::Ident(word), Some(TokenTree::Group(list))) if word == "locals" => {
                    let names = list.stream().into_iter().filter_map(|token| match token {
                        TokenTree::Ident(name) => Some(name.to_string()),
                        _ => None,
                    });
                    Some((names.collect(), tokens[i + 3..].iter().cloned().collect()))
                }
                (TokenTree::Group(group), _) => told(group.stream()),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn assert_told_names_are_found(expansion: TokenStream, source: &str) {
        let (told, items) = told(expansion).expect("a list of names");
        let mut bound = Bound::default();
        bound.items(items);
        let names = bound.names().map(|name| name.to_string());
        assert_eq!(told, names.collect::<Vec<_>>(), "{source}");
    }

    #[test]
    fn names_known_from_when_they_were_written_are_those_found() {
        let table = [
            "x*x + 100*y",
            "struct S { l: Real, p: Point2 } |a: Point2, t: Time| norm(a - p) == l*sin(t)*cos(t)",
            "struct S; |x, y, z| [x*y + sin(z)*cos(z) == 1, x + y*z == 2]",
            "if x > 0 { x^2 } else { sin(x) } + y",
        ];
        for source in table {
            let expansion = compile::constraint(source.parse().expect("Rust tokens"));
            assert_told_names_are_found(expansion, source);
        }
        let table = [
            "struct Pair { m: Real } particle p[2]: Point2 { mass: m } constraint c: norm(p[0] - p[1]) == m;",
            "struct Top { m: Real } body b: Rigid3 { mass: m, inertia: [1, 1, 2] } input pull: Vector3; torque b: pull;",
            "struct Chain { m: Real } particle p[40]: Point2 { mass: m } coordinate s; let l = sin(s);
             constraint c: norm_squared(p[0]) == l^2;
             for i in 1..40 { constraint d[i]: norm_squared(p[i] - p[i-1]) == m; }",
        ];
        for source in table {
            let tokens: TokenStream = source.parse().expect("Rust tokens");
            assert!(compile::analyze_system(tokens.clone()).is_ok(), "{source}");
            let expansion = compile::system(tokens);
            assert_told_names_are_found(expansion, source);
        }
    }
}
