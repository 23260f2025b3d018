//! Tokens under construction: one flat list that every writer appends to.
//!
//! Input: identifiers, operators, literals and groups in the order of the text. Output: a stream.
//! `quote!` makes a stream of every fragment and copies it into the next larger one, which in the users'
//! unoptimised builds takes longer than the mathematics. So what is fixed is quoted once, and
//! [pasted](Tokens::paste) or surrounded by what varies.
//!
//! Invariant: a token is moved into its list once; a stream is made once per group.

use crate::expr::{CollectVec, PushEach};
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};

use super::scope::Bound;

/// A list of tokens, in order.
#[derive(Clone, Default)]
pub(super) struct Tokens {
    trees: Vec<TokenTree>,
    /// The names that it binds, groups included.
    bound: Vec<Ident>,
}

impl Tokens {
    /// A keyword, or a name that Rust or the runtime gives.
    pub fn word(&mut self, word: &str) -> &mut Tokens {
        self.ident(Ident::new(word, Span::call_site()))
    }

    /// A name.
    pub fn ident(&mut self, name: Ident) -> &mut Tokens {
        self.trees.push(TokenTree::Ident(name));
        self
    }

    /// A name that a `let` or a parameter binds here.
    pub fn binding(&mut self, name: Ident) -> &mut Tokens {
        self.bound.push(name.clone());
        self.ident(name)
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }

    /// The names bound so far.
    pub fn bound(&self) -> &[Ident] {
        &self.bound
    }

    /// A constant.
    pub fn literal(&mut self, literal: Literal) -> &mut Tokens {
        self.trees.push(TokenTree::Literal(literal));
        self
    }

    /// An operator or separator of one character.
    pub fn punct(&mut self, character: char) -> &mut Tokens {
        let punct = Punct::new(character, Spacing::Alone);
        self.trees.push(TokenTree::Punct(punct));
        self
    }

    /// An operator of two characters: `->`, `::`.
    pub fn joint(&mut self, first: char, second: char) -> &mut Tokens {
        let first = Punct::new(first, Spacing::Joint);
        self.trees.push(TokenTree::Punct(first));
        self.punct(second)
    }

    /// Quoted tokens.
    pub fn quoted(&mut self, stream: TokenStream) -> &mut Tokens {
        self.trees.push_each(stream);
        self
    }

    /// A copy of quoted items, with the names that they bind.
    pub fn items(&mut self, items: TokenStream) -> &mut Tokens {
        let mut bound = Bound::default();
        bound.items(items.clone());
        self.bound.push_each(bound.names());
        self.trees.push_each(items);
        self
    }

    /// The tokens of `write` in delimiters.
    pub fn group(&mut self, delimiter: Delimiter, write: impl FnOnce(&mut Tokens)) -> &mut Tokens {
        let mut inner = Tokens::default();
        write(&mut inner);
        self.bound.append(&mut inner.bound);
        let group = Group::new(delimiter, inner.into());
        self.trees.push(TokenTree::Group(group));
        self
    }

    /// `( … )`
    pub fn parentheses(&mut self, write: impl FnOnce(&mut Tokens)) -> &mut Tokens {
        self.group(Delimiter::Parenthesis, write)
    }

    /// `[ … ]`
    pub fn brackets(&mut self, write: impl FnOnce(&mut Tokens)) -> &mut Tokens {
        self.group(Delimiter::Bracket, write)
    }

    /// `{ … }`
    pub fn braces(&mut self, write: impl FnOnce(&mut Tokens)) -> &mut Tokens {
        self.group(Delimiter::Brace, write)
    }

    /// `rt::name`
    pub fn runtime(&mut self, name: &str) -> &mut Tokens {
        self.word("rt").joint(':', ':').word(name)
    }

    /// The tokens of `write` for every item, separated by commas.
    pub fn list<I>(
        &mut self,
        items: impl IntoIterator<Item = I>,
        mut write: impl FnMut(&mut Tokens, I),
    ) -> &mut Tokens {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.punct(',');
            }
            write(self, item);
        }
        self
    }

    /// Tokens that were written elsewhere.
    pub fn append(&mut self, mut tokens: Tokens) -> &mut Tokens {
        self.trees.append(&mut tokens.trees);
        self.bound.append(&mut tokens.bound);
        self
    }

    /// A copy of what was written before.
    pub fn paste(&mut self, tokens: &Tokens) -> &mut Tokens {
        self.trees.extend_from_slice(&tokens.trees);
        self.bound.extend_from_slice(&tokens.bound);
        self
    }
}

impl From<TokenStream> for Tokens {
    fn from(stream: TokenStream) -> Tokens {
        Tokens {
            trees: stream.into_iter().collect_vec(),
            bound: Vec::new(),
        }
    }
}

impl From<Tokens> for TokenStream {
    fn from(tokens: Tokens) -> TokenStream {
        tokens.trees.into_iter().collect()
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, stream: &mut TokenStream) {
        stream.append_all(&self.trees);
    }

    fn into_token_stream(self) -> TokenStream {
        self.into()
    }
}
