//! The user's statements as ordinary typed Rust, for rust-analyzer alone.
//!
//! It is built from tokens, not from the tree, so that names complete while a statement is still being written.

mod expressions;
mod sides;
mod words;

pub use sides::sided_shim;
pub use words::{joints, statements};

use crate::expr::{CollectVec, SortedMap};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree, token_stream};
use quote::quote;

use self::expressions::{
    expression, ignored, indices, is_equals, list_or_value, multipliers, rows, separated, split,
};
use super::super::Shape;
use super::super::shim::{MAX_DEPTH, argument, arguments, is_group, is_sign, is_word, item};
use super::{Argument, MemberType, System};
use crate::diagnostic::catalogue::Kind;
use crate::syntax::ast::Declaration;
use crate::syntax::{Form, is_keyword, keyword, statement};

/// Statements as `let`s, `for`s and closures; also emitted if there are errors.
pub fn system_shim(tree: &statement::System, system: &System) -> TokenStream {
    let statements = Scope::of(tree, system, tree.body_tokens.clone());
    let t = time(&tree.body_tokens);
    let body = quote!(let #t = Scalar; #statements);
    item(&arguments(&tree.header), &quote!(body! { #body }))
}

/// The name of the time with the hygiene of the statements, which may come from another macro.
fn time(statements: &TokenStream) -> Ident {
    let place = Span::call_site();
    let first = statements.clone().into_iter().next();
    Ident::new(
        "t",
        first.map_or(place, |token| place.resolved_at(token.span())),
    )
}

/// The statements of the system or of a part, and the declarations that precede them.
struct Scope<'a> {
    tree: &'a statement::System,
    system: &'a System,
    /// The `const`s; their names may coincide with names in the user's crate.
    constants: TokenStream,
    /// Arrays that grow element by element, with their types.
    arrays: SortedMap<String, (Ident, TokenStream)>,
}

/// A statement as far as it is written.
struct Written<'a> {
    word: &'a str,
    form: Form,
    /// The tokens after its keyword, up to its `;` or its braces.
    head: Vec<TokenTree>,
    braces: Option<Group>,
}

impl<'a> Scope<'a> {
    fn of(tree: &'a statement::System, system: &'a System, tokens: TokenStream) -> TokenStream {
        let mut scope = Scope {
            tree,
            system,
            constants: TokenStream::new(),
            arrays: SortedMap::new(),
        };
        let statements = scope.statements(tokens, 0);
        let arrays = scope.arrays.values();
        let arrays = arrays.map(|(name, ty)| default_of(name, ty));
        let constants = &scope.constants;
        quote!(#constants #(#arrays)* #statements)
    }

    /// Statements within so many `for`s, without the declarations that precede them.
    fn statements(&mut self, tokens: TokenStream, depth: usize) -> TokenStream {
        let mut tokens = tokens.into_iter();
        let mut out = TokenStream::new();
        while let Some(first) = tokens.next() {
            // `#[doc = …]` before the statement.
            if is_sign(&first, '#') {
                tokens.next();
                continue;
            }
            let word = first.to_string();
            let row = keyword(&word[..]);
            let form = row.map_or(Form::Use, |row| row.form);
            let (mut head, braces) = statement(&mut tokens, form.ends_with_braces());
            let begins_use = |token| is_sign(token, ':') || is_group(token, Delimiter::Bracket);
            if row.is_none() && head.first().is_some_and(begins_use) {
                head.insert(0, first);
            } else {
                out.extend(words::keyword(&first));
                if row.is_none() {
                    continue;
                }
            }
            let (head, bound) = bound_indices(head);
            let written = Written {
                word: &word,
                form,
                head,
                braces,
            };
            if let Some(rust) = self.statement(written, &mut tokens, (depth, bound.len())) {
                let indices = bound.iter().rev();
                out.extend(indices.fold(rust, |rust, index| repetition(index, &rust)));
            }
        }
        out
    }

    /// A statement within so many `for`s that binds so many indices; `None` if no Rust is written in its place.
    fn statement(
        &mut self,
        written: Written<'_>,
        later: &mut token_stream::IntoIter,
        (depth, bound): (usize, usize),
    ) -> Option<TokenStream> {
        let Written {
            word,
            form,
            head,
            braces,
        } = written;
        Some(match (form, braces) {
            (Form::Function, _) => function(&head, self.system),
            (Form::Constant(_), _) => {
                self.constants.extend(constant(&head));
                return None;
            }
            (Form::Named(_), _) => named(&head),
            (Form::Names(_), _) => separated(head).iter().map(|it| declaration(it)).collect(),
            (Form::Moving(_) | Form::Use, Some(braces)) => {
                let declared = self.moving(&head, depth + bound > 0);
                let keys = match form {
                    Form::Use => words::used(&head, self.tree),
                    _ => words::keys_of(word),
                };
                let braces = words::braces(&keys, &braces);
                quote!(#declared #braces)
            }
            (Form::Joint, Some(braces)) => {
                words::braces(&words::joint(&head, &self.tree.body_tokens), &braces)
            }
            (Form::Acting(..), _) => {
                let (target, value) = split(&head, ':');
                TokenStream::from_iter([ignored(target), ignored(value)])
            }
            (Form::Row(..), _) => row(&head, word),
            (Form::Output, _) if !head.iter().any(is_equals) => return None,
            (Form::Output, _) => ignored(multipliers(split(&head, '=').1, self.system, 0)),
            (Form::For, Some(body)) if depth < MAX_DEPTH => {
                repetition(&head, &self.statements(body.stream(), depth + 1))
            }
            (Form::Part, Some(_)) if depth == 0 => {
                let body = match later.next() {
                    Some(TokenTree::Group(body)) => body.stream(),
                    _ => TokenStream::new(),
                };
                self.part(&head, &Scope::of(self.tree, self.system, body))
            }
            _ => ignored(head),
        })
    }

    /// A part as a struct, and its statements in a scope of their own.
    fn part(&self, head: &[TokenTree], body: &TokenStream) -> TokenStream {
        let [TokenTree::Ident(name), ..] = head else {
            return TokenStream::new();
        };
        let known = self.system.parts.get(&name.to_string());
        let known = known.into_iter().flatten();
        let fields = known.filter(|(name, _)| !is_keyword(name));
        let fields = fields.map(|(name, ty)| {
            let (name, ty) = (Ident::new(name, Span::call_site()), member_type(ty));
            quote!(#name: #ty,)
        });
        let parts = words::parts(self.tree).filter(|part| part.name == *name);
        let parameters: Vec<&Declaration> = parts.flat_map(|part| &part.parameters).collect_vec();
        let keys = words::parameters(name, &parameters);
        let parameters = parameters.into_iter().map(argument);
        quote! {
            #keys
            #[derive(Clone, Copy, Debug, Default)]
            struct #name { #(#fields)* }
            let _ = |#(#parameters)*| { #body };
        }
    }

    /// `a, b[3]: Rigid3`, `p = place`; within a `for`, names with brackets are elements.
    fn moving(&mut self, head: &[TokenTree], repeated: bool) -> TokenStream {
        let typed = head.iter().any(|token| is_sign(token, ':'));
        let posed = typed && head.iter().any(is_equals);
        let placed = posed || !typed;
        let (names, what) = split(head, if typed { ':' } else { '=' });
        let (ty, value) = if posed {
            let (ty, pose) = split(&what, '=');
            (quote!(#(#ty)*), expression(pose))
        } else if placed {
            let place = expression(what);
            (quote!(_), quote!(point(#place)))
        } else {
            let ty = quote!(#(#what)*);
            (ty, quote!(::core::default::Default::default()))
        };
        let declared = separated(names).into_iter();
        let declared = declared.map(|declared| match &declared[..] {
            [TokenTree::Ident(name), outer @ .., last] if repeated || placed => {
                let array = array_of(&ty, outer.len() + 1);
                let known = self.arrays.entry(name.to_string());
                known.or_insert_with(|| (name.clone(), array));
                let (outer, last) = (outer.iter(), bracketed(last));
                quote!(#name #(#outer)*.set(#last, #value);)
            }
            [TokenTree::Ident(name)] if placed => quote!(let #name = #value;),
            declared => single_or_array(declared, &ty),
        });
        declared.collect()
    }
}

/// The tokens after a keyword, up to its `;` or its braces, which must not belong to an `if`.
fn statement(
    tokens: &mut token_stream::IntoIter,
    ends_with_braces: bool,
) -> (Vec<TokenTree>, Option<Group>) {
    let mut statement = Vec::new();
    let mut chooses = false;
    for token in tokens {
        match &token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => break,
            TokenTree::Ident(word) if word == "if" || word == "else" => chooses = true,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if ends_with_braces && !chooses {
                    return (statement, Some(group.clone()));
                }
                chooses = false;
            }
            _ => {}
        }
        statement.push(token);
    }
    (statement, None)
}

/// `p[i]: …` of `p[i in 0..8]: …`, and `i in 0..8`.
fn bound_indices(statement: Vec<TokenTree>) -> (Vec<TokenTree>, Vec<Vec<TokenTree>>) {
    let mut bound = Vec::new();
    let mut declares = true;
    let tokens = statement.into_iter().map(|token| {
        declares &= !is_sign(&token, ':') && !is_equals(&token);
        let TokenTree::Group(group) = &token else {
            return token;
        };
        let inside: Vec<TokenTree> = group.stream().into_iter().collect_vec();
        match &inside[..] {
            [TokenTree::Ident(index), word, ..]
                if declares && is_group(&token, Delimiter::Bracket) && is_word(word, "in") =>
            {
                let mut alone = Group::new(Delimiter::Bracket, quote!(#index));
                alone.set_span(group.span());
                bound.push(inside);
                TokenTree::Group(alone)
            }
            _ => token,
        }
    });
    (tokens.collect_vec(), bound)
}

/// `i in 0..8`
fn repetition(statement: &[TokenTree], body: &TokenStream) -> TokenStream {
    let [TokenTree::Ident(index), TokenTree::Ident(_), range @ ..] = statement else {
        return body.clone();
    };
    let range = indices(range);
    quote!(for #index in #range { #body })
}

/// `name(a, b) = value` as a closure; its arguments have the shapes of the first call.
fn function(statement: &[TokenTree], system: &System) -> TokenStream {
    let [TokenTree::Ident(name), TokenTree::Group(group), rest @ ..] = statement else {
        return TokenStream::new();
    };
    let kinds = system.signatures.get(&name.to_string());
    let kinds = kinds.into_iter().flatten().map(|kind| match kind {
        Argument::Value(kind) => value_type(*kind),
        Argument::Body(shape) => body_type(*shape),
    });
    let kinds = kinds.chain(std::iter::repeat(quote!(Scalar)));
    let arguments = names_in(group.stream()).zip(kinds);
    let arguments = arguments.map(|(argument, kind)| quote!(#argument: #kind));
    let value = expression(split(rest, '=').1);
    quote!(let #name = |#(#arguments),*| #value;)
}

/// The words of a text, as `leg` and `knee` of `leg[2].knee`.
fn names_in(tokens: TokenStream) -> impl Iterator<Item = Ident> {
    tokens.into_iter().filter_map(|token| match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    })
}

/// `NAME = value`
fn constant(statement: &[TokenTree]) -> TokenStream {
    let (name, value) = split(statement, '=');
    let value = ignored(value);
    match &name[..] {
        [TokenTree::Ident(name)] => quote!(const #name: Scalar = Scalar; #value),
        _ => value,
    }
}

/// `name = value`, where the value may be a list of any length.
fn named(statement: &[TokenTree]) -> TokenStream {
    let (name, value) = split(statement, '=');
    let value = list_or_value(value);
    match &name[..] {
        [TokenTree::Ident(name)] => quote!(let #name = #value;),
        _ => quote!(let _ = #value;),
    }
}

/// `a`, `b[3]`, `u: Vector2`, `u[3]: Vector2`
fn declaration(declared: &[TokenTree]) -> TokenStream {
    let (declared, ty) = split(declared, ':');
    let ty = match &ty[..] {
        [] => quote!(Scalar),
        _ => quote!(#(#ty)*),
    };
    single_or_array(&declared, &ty)
}

/// `a`, `a[3]` or `a[3][4]` of a type, possibly with the braces of a symbol.
fn single_or_array(declared: &[TokenTree], ty: &TokenStream) -> TokenStream {
    let [TokenTree::Ident(name), rest @ ..] = declared else {
        return TokenStream::new();
    };
    let brackets = rest.iter().filter(|it| !is_group(it, Delimiter::Brace));
    let lengths: Vec<TokenStream> = brackets.map(bracketed).collect_vec();
    let declared = default_of(name, &array_of(ty, lengths.len()));
    quote!(#declared #(let _ = #lengths;)*)
}

fn default_of(name: &Ident, ty: &TokenStream) -> TokenStream {
    quote!(let #name: #ty = ::core::default::Default::default();)
}

/// `Array<Array<Point2>>`
fn array_of(ty: &TokenStream, depth: usize) -> TokenStream {
    (0..depth).fold(ty.clone(), |inner, _| quote!(Array<#inner>))
}

/// The expression in brackets.
fn bracketed(token: &TokenTree) -> TokenStream {
    match token {
        TokenTree::Group(group) => expression(group.stream()),
        token => expression([token.clone()]),
    }
}

/// `name[i]: relation`; rows are written one by one, because relations and numbers may be mixed. Braces after a
/// relation hold the properties of a constraint of one side.
fn row(statement: &[TokenTree], word: &str) -> TokenStream {
    let (_, mut relation) = split(statement, ':');
    let has_fields = relation.len() > 1 && !relation.iter().any(is_choice);
    match relation.last() {
        Some(TokenTree::Group(fields)) if has_fields && fields.delimiter() == Delimiter::Brace => {
            let braces = words::braces(&words::keys_of(word), fields);
            relation.pop();
            let rows = rows(relation);
            quote!(#rows #braces)
        }
        _ => rows(relation),
    }
}

/// `if`, whose branches are in braces as well.
fn is_choice(token: &TokenTree) -> bool {
    is_word(token, "if")
}

fn member_type(ty: &MemberType) -> TokenStream {
    match ty {
        MemberType::Value(kind) => value_type(*kind),
        MemberType::Body(shape) => body_type(*shape),
        MemberType::Part(name) => {
            let name = Ident::new(name, Span::call_site());
            quote!(#name)
        }
        MemberType::Array(element) => array_of(&member_type(element), 1),
    }
}

fn value_type(kind: Kind) -> TokenStream {
    match kind {
        Kind::Vector(2) => quote!(Point2),
        Kind::Vector(_) => quote!(Point3),
        _ => quote!(Scalar),
    }
}

fn body_type(shape: Shape) -> TokenStream {
    match shape {
        Shape::Space => quote!(Rigid3),
        _ => quote!(Rigid2),
    }
}
