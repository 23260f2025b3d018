//! The user's statements as ordinary typed Rust, for rust-analyzer alone.
//!
//! It is built from tokens, not from the tree, so that names complete while a statement is still being written.

mod sides;
mod words;

pub use sides::sided_shim;
pub use words::joints;

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::super::Shape;
use super::super::shim::{argument, arguments, as_rust, item};
use super::{Argument, MemberType, System};
use crate::diagnostic::catalogue::Kind;
use crate::syntax::ast::Declaration;
use crate::syntax::statement;
use crate::syntax::{is_keyword, is_keyword_of_system};

/// Deeper input has been rejected by the parser.
const MAX_DEPTH: usize = 128;

/// Statements as `let`s, `for`s and closures; also emitted if there are errors.
pub fn system_shim(tree: &statement::System, system: &System) -> TokenStream {
    let statements = scope(tree.body_tokens.clone(), (tree, system));
    let t = time(&tree.body_tokens);
    let body = quote!(let #t = Scalar; #statements);
    item(&arguments(&tree.header), &quote!(body! { #body }))
}

/// The statements of the system or of a part.
fn scope(tokens: TokenStream, of: (&statement::System, &System)) -> TokenStream {
    let mut before = Before::default();
    let statements = rust(tokens, of, &mut before, 0);
    let Before { constants, arrays } = before;
    let arrays = arrays
        .values()
        .map(|(name, ty)| quote!(let #name: #ty = ::core::default::Default::default();));
    quote!(#constants #(#arrays)* #statements)
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

/// Declarations placed before the first statement.
#[derive(Default)]
struct Before {
    /// The `const`s; their names may coincide with names in the user's crate.
    constants: TokenStream,
    /// Arrays that grow element by element, with their types.
    arrays: BTreeMap<String, (Ident, TokenStream)>,
}

/// The statements, without the declarations that precede them.
fn rust(
    tokens: TokenStream,
    (tree, system): (&statement::System, &System),
    before: &mut Before,
    depth: usize,
) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut out = TokenStream::new();
    while let Some(keyword) = tokens.next() {
        // `#[doc = …]` before the statement.
        if matches!(&keyword, TokenTree::Punct(sign) if sign.as_char() == '#') {
            tokens.next();
            continue;
        }
        let word = keyword.to_string();
        let in_braces = !is_ended_by_semicolon(&word);
        let (mut statement, braces) = statement(&mut tokens, in_braces);
        let is_use = in_braces && !is_keyword_of_system(&word);
        let is_named =
            matches!(&statement[..], [first, ..] if is_colon(first) || is_bracketed(first));
        if is_use && is_named {
            statement.insert(0, keyword);
        } else {
            out.extend(words::keyword(&keyword));
            if is_use {
                continue;
            }
        }
        let (statement, bound) = bound_indices(statement);
        let rust = match (word.as_str(), braces) {
            ("fn", _) => function(&statement, system),
            ("coordinate" | "input", _) => declarations(statement),
            ("body" | "particle", Some(fields)) => {
                let declared = movers(&statement, before, depth + bound.len() > 0);
                let known = if word == "body" {
                    quote!(keys::Body)
                } else {
                    quote!(keys::Particle)
                };
                let (keys, values) = (words::keys(&known, &fields), values(&fields));
                quote!(#declared #keys #values)
            }
            ("for", Some(body)) if depth < MAX_DEPTH => {
                let body = rust(body.stream(), (tree, system), before, depth + 1);
                repetition(&statement, &body)
            }
            ("part", Some(_)) if depth == 0 => {
                let body = match tokens.next() {
                    Some(TokenTree::Group(body)) => scope(body.stream(), (tree, system)),
                    _ => TokenStream::new(),
                };
                part(&statement, tree, system, &body)
            }
            ("joint", Some(fields)) => {
                let keys = words::joint(&statement, &fields, &tree.body_tokens);
                let values = values(&fields);
                quote!(#keys #values)
            }
            (_, Some(fields)) if is_use => {
                let declared = movers(&statement, before, depth + bound.len() > 0);
                let keys = words::used(&statement, &fields, tree);
                let values = values(&fields);
                quote!(#declared #keys #values)
            }
            ("const", _) => {
                before.constants.extend(constant(&statement));
                continue;
            }
            ("let", _) => named(&statement),
            ("force" | "torque", _) => {
                let (target, value) = split(&statement, ":");
                let (target, value) = (expression(target), expression(value));
                quote!(let _ = #target; let _ = #value;)
            }
            ("constraint", _) => constraint(&statement, &quote!(keys::OneSided)),
            ("motor", _) => constraint(&statement, &quote!(keys::Motor)),
            ("output", _) if !statement.iter().any(is_equals) => continue,
            ("output", _) => {
                let (_, value) = split(&statement, "=");
                let value = expression(multipliers(value, system, 0));
                quote!(let _ = #value;)
            }
            _ => {
                let value = expression(statement);
                quote!(let _ = #value;)
            }
        };
        let indices = bound.iter().rev();
        out.extend(indices.fold(rust, |rust, index| repetition(index, &rust)));
    }
    out
}

/// Whether a statement ends in a `;`, and not in braces.
fn is_ended_by_semicolon(word: &str) -> bool {
    is_keyword_of_system(word) && !matches!(word, "particle" | "body" | "for" | "part" | "joint")
}

/// A part as a struct, and its statements in a scope of their own.
fn part(
    statement: &[TokenTree],
    tree: &statement::System,
    system: &System,
    body: &TokenStream,
) -> TokenStream {
    let [TokenTree::Ident(name), ..] = statement else {
        return TokenStream::new();
    };
    let text = name.to_string();
    let known = system.parts.get(&text).into_iter().flatten();
    let known = known.filter(|(name, _)| !is_keyword(name));
    let fields = known.map(|(name, ty)| {
        let (name, ty) = (Ident::new(name, Span::call_site()), member_type(ty));
        quote!(#name: #ty,)
    });
    let parts = words::parts(tree).filter(|part| part.name == *name);
    let parameters: Vec<&Declaration> = parts.flat_map(|part| &part.parameters).collect();
    let keys = words::parameters(name, &parameters);
    let parameters = parameters.into_iter().map(argument);
    quote! {
        #keys
        #[derive(Clone, Copy, Debug, Default)]
        struct #name { #(#fields)* }
        let _ = |#(#parameters)*| { #body };
    }
}

fn member_type(ty: &MemberType) -> TokenStream {
    match ty {
        MemberType::Value(Kind::Vector(2)) => quote!(Point2),
        MemberType::Value(Kind::Vector(_)) => quote!(Point3),
        MemberType::Value(_) => quote!(Scalar),
        MemberType::Body(Shape::Space) => quote!(Rigid3),
        MemberType::Body(_) => quote!(Rigid2),
        MemberType::Part(name) => {
            let name = Ident::new(name, Span::call_site());
            quote!(#name)
        }
        MemberType::Array(element) => {
            let element = member_type(element);
            quote!(Array<#element>)
        }
    }
}

/// `p[i]: …` of `p[i in 0..8]: …`, and `i in 0..8`.
fn bound_indices(statement: Vec<TokenTree>) -> (Vec<TokenTree>, Vec<Vec<TokenTree>>) {
    let mut bound = Vec::new();
    let mut declares = true;
    let tokens = statement.into_iter().map(|token| {
        declares &=
            !matches!(&token, TokenTree::Punct(sign) if matches!(sign.as_char(), ':' | '='));
        let TokenTree::Group(group) = &token else {
            return token;
        };
        let inside: Vec<TokenTree> = group.stream().into_iter().collect();
        let [TokenTree::Ident(index), TokenTree::Ident(word), ..] = &inside[..] else {
            return token;
        };
        if !declares || group.delimiter() != Delimiter::Bracket || word != "in" {
            return token;
        }
        let mut alone = Group::new(Delimiter::Bracket, quote!(#index));
        alone.set_span(group.span());
        bound.push(inside);
        TokenTree::Group(alone)
    });
    (tokens.collect(), bound)
}

/// The tokens after a keyword, up to its `;` or its braces, which must not belong to an `if`.
fn statement(
    tokens: &mut impl Iterator<Item = TokenTree>,
    in_braces: bool,
) -> (Vec<TokenTree>, Option<Group>) {
    let mut statement = Vec::new();
    let mut chooses = false;
    for token in tokens {
        match &token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => break,
            TokenTree::Ident(word) if word == "if" || word == "else" => chooses = true,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                if in_braces && !chooses {
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

/// The tokens before and after the first `sign`; all are before it if there is none.
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

/// `name(a, b) = value` as a closure; its arguments have the shapes of the first call.
fn function(statement: &[TokenTree], system: &System) -> TokenStream {
    let [TokenTree::Ident(name), TokenTree::Group(group), rest @ ..] = statement else {
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
                Some(Argument::Value(Kind::Vector(2))) => quote!(#argument: Point2),
                Some(Argument::Value(Kind::Vector(_))) => quote!(#argument: Point3),
                Some(Argument::Body(Shape::Plane)) => quote!(#argument: Rigid2),
                Some(Argument::Body(_)) => quote!(#argument: Rigid3),
                _ => quote!(#argument: Scalar),
            });
    let value = expression(split(rest, "=").1);
    quote!(let #name = |#(#arguments),*| #value;)
}

/// `a, b[3]`, `u: Vector2`, `u[3]: Vector2`
fn declarations(statement: Vec<TokenTree>) -> TokenStream {
    let mut out = TokenStream::new();
    let mut rest = statement;
    while !rest.is_empty() {
        let (declared, later) = split(&rest, ",");
        rest = later;
        let (declared, ty) = split(&declared, ":");
        let ty = match &ty[..] {
            [] => quote!(Scalar),
            _ => quote!(#(#ty)*),
        };
        out.extend(single_or_array(&declared, &ty));
    }
    out
}

/// `a`, `a[3]` or `a[3][4]` of a type.
fn single_or_array(declared: &[TokenTree], ty: &TokenStream) -> TokenStream {
    let [TokenTree::Ident(name), rest @ ..] = declared else {
        return TokenStream::new();
    };
    let is_symbol = |token: &&TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let brackets: Vec<TokenTree> = rest.iter().filter(|it| !is_symbol(it)).cloned().collect();
    let ty = array_of(ty, brackets.len());
    let lengths = brackets.into_iter().map(bracketed);
    quote!(let #name: #ty = ::core::default::Default::default(); #(let _ = #lengths;)*)
}

/// `Array<Array<Point2>>`
fn array_of(ty: &TokenStream, depth: usize) -> TokenStream {
    (0..depth).fold(ty.clone(), |inner, _| quote!(Array<#inner>))
}

/// The expression in brackets.
fn bracketed(token: TokenTree) -> TokenStream {
    match token {
        TokenTree::Group(group) => expression(group.stream()),
        token => expression([token]),
    }
}

/// `a, b[3]: Rigid3`, `p = place`; within a `for`, names with brackets are elements.
fn movers(statement: &[TokenTree], before: &mut Before, repeated: bool) -> TokenStream {
    let typed = statement.iter().any(is_colon);
    let posed = typed && statement.iter().any(is_equals);
    let placed = posed || !typed;
    let (names, what) = split(statement, if typed { ":" } else { "=" });
    let (ty, value) = if posed {
        let (ty, pose) = split(&what, "=");
        let pose = expression(pose);
        (quote!(#(#ty)*), pose)
    } else if placed {
        let place = expression(what);
        (quote!(_), quote!(point(#place)))
    } else {
        let ty = quote!(#(#what)*);
        (ty, quote!(::core::default::Default::default()))
    };
    let mut out = TokenStream::new();
    let mut rest = names;
    while !rest.is_empty() {
        let (declared, later) = split(&rest, ",");
        rest = later;
        out.extend(match &declared[..] {
            [TokenTree::Ident(name), outer @ .., last] if repeated || placed => {
                let array = array_of(&ty, outer.len() + 1);
                let known = before.arrays.entry(name.to_string());
                known.or_insert_with(|| (name.clone(), array));
                let (outer, last) = (outer.iter(), bracketed(last.clone()));
                quote!(#name #(#outer)*.set(#last, #value);)
            }
            [TokenTree::Ident(name)] if placed => quote!(let #name = #value;),
            declared => single_or_array(declared, &ty),
        });
    }
    out
}

fn is_bracketed(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':')
}

fn is_equals(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '=')
}

/// The values in braces.
fn values(fields: &Group) -> TokenStream {
    let mut rest: Vec<TokenTree> = fields.stream().into_iter().collect();
    let mut values = TokenStream::new();
    while !rest.is_empty() {
        let (field, later) = split(&rest, ",");
        rest = later;
        let (_, value) = split(&field, ":");
        values.extend(rows(value));
    }
    values
}

/// `i in 0..8`
fn repetition(statement: &[TokenTree], body: &TokenStream) -> TokenStream {
    let [TokenTree::Ident(index), TokenTree::Ident(_), range @ ..] = statement else {
        return body.clone();
    };
    let range = indices(range);
    quote!(for #index in #range { #body })
}

/// `0..8` as the iterator of a `for`.
fn indices(range: &[TokenTree]) -> TokenStream {
    let (start, end) = split(range, ".");
    let end = end.into_iter().skip_while(|token| match token {
        TokenTree::Punct(sign) => matches!(sign.as_char(), '.' | '='),
        _ => false,
    });
    let (start, end) = (expression(start), expression(end));
    quote!(indices((#start, #end)))
}

/// `NAME = value`
fn constant(statement: &[TokenTree]) -> TokenStream {
    let (name, value) = split(statement, "=");
    let value = expression(value);
    match &name[..] {
        [TokenTree::Ident(name)] => quote!(const #name: Scalar = Scalar; let _ = #value;),
        _ => quote!(let _ = #value;),
    }
}

/// `name = value`, where the value may be a list of any length.
fn named(statement: &[TokenTree]) -> TokenStream {
    let (name, value) = split(statement, "=");
    let value = match &value[..] {
        [TokenTree::Group(list)] if is_long(list) => long(list, 0),
        _ => expression(value),
    };
    match &name[..] {
        [TokenTree::Ident(name)] => quote!(let #name = #value;),
        _ => quote!(let _ = #value;),
    }
}

/// The entries of a list.
fn entries(list: &Group) -> Vec<Vec<TokenTree>> {
    let mut rest: Vec<TokenTree> = list.stream().into_iter().collect();
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (entry, later) = split(&rest, ",");
        entries.push(entry);
        rest = later;
    }
    entries
}

/// Whether a list is longer than a vector.
fn is_long(list: &Group) -> bool {
    let entries = entries(list);
    let nested = |entry: &Vec<TokenTree>| matches!(&entry[..], [TokenTree::Group(inner)] if inner.delimiter() == Delimiter::Bracket);
    list.delimiter() == Delimiter::Bracket
        && (!(2..=3).contains(&entries.len()) || entries.iter().any(nested))
}

/// A long list as an array of the type of its first entry.
fn long(list: &Group, depth: usize) -> TokenStream {
    let entries = entries(list).into_iter().map(|entry| match &entry[..] {
        [TokenTree::Group(inner)] if depth < MAX_DEPTH && is_long(inner) => long(inner, depth + 1),
        _ => expression(entry),
    });
    let entries: Vec<TokenStream> = entries.collect();
    quote!(Array::listed([#(#entries),*]))
}

/// `name[i]: relation`; rows are written one by one, because relations and numbers may be mixed. Braces after a
/// relation hold the properties of a constraint of one side.
fn constraint(statement: &[TokenTree], known: &TokenStream) -> TokenStream {
    let (_, mut relation) = split(statement, ":");
    let has_fields = relation.len() > 1 && !relation.iter().any(is_choice);
    match relation.last() {
        Some(TokenTree::Group(fields)) if has_fields && fields.delimiter() == Delimiter::Brace => {
            let (keys, values) = (words::keys(known, fields), values(fields));
            relation.pop();
            let rows = rows(relation);
            quote!(#rows #keys #values)
        }
        _ => rows(relation),
    }
}

/// `if`, whose branches are in braces as well.
fn is_choice(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(word) if word == "if")
}

/// `multiplier(link[3])` as a value of the shape of the constraint's rows.
fn multipliers(
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
        let called = matches!(out.last(), Some(TokenTree::Ident(name)) if name == "multiplier");
        let path = path_of(group.stream());
        if called && !path.is_empty() {
            out.pop();
            let mut known = system.constraints.iter();
            let named = known.find(|known| {
                let around = known.around.iter().map(|around| &around.field);
                around.chain([&known.name]).eq(path.iter())
            });
            let ty = match named.map_or(1, |named| named.element.scalars()) {
                2 => quote!(Point2),
                3 => quote!(Point3),
                _ => quote!(Scalar),
            };
            out.extend(quote!((<#ty as ::core::default::Default>::default())));
            continue;
        }
        if depth > MAX_DEPTH {
            out.push(token);
            continue;
        }
        let inner = multipliers(group.stream(), system, depth + 1);
        let mut rewritten = Group::new(group.delimiter(), inner.into_iter().collect());
        rewritten.set_span(group.span());
        out.push(TokenTree::Group(rewritten));
    }
    out
}

/// `leg` and `knee` of `leg[2].knee`.
fn path_of(tokens: TokenStream) -> Vec<Ident> {
    let names = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Ident(name) => Some(name),
        _ => None,
    });
    names.collect()
}

/// A value, or one by one the entries of a list.
fn rows(value: Vec<TokenTree>) -> TokenStream {
    let rows = match &value[..] {
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => entries(list),
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
        let was_sum = std::mem::replace(&mut summed, is_sum(&token));
        let TokenTree::Group(group) = token else {
            out.extend([token]);
            continue;
        };
        if depth > MAX_DEPTH {
            out.extend([TokenTree::Group(group)]);
            continue;
        }
        if let Some(sum) = was_sum.then(|| sum_over(&group, depth)).flatten() {
            out.extend(sum);
            continue;
        }
        let inner = lists(group.stream(), depth + 1);
        if group.delimiter() == Delimiter::Bracket && !indexed && is_long(&group) {
            out.extend(quote!(Array::listed([#inner])));
            continue;
        }
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

fn is_sum(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(name) if name == "sum")
}

/// `(i in 0..8: term)` after `sum` as a call with the indices and a closure.
fn sum_over(inside: &Group, depth: usize) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = inside.stream().into_iter().collect();
    let [TokenTree::Ident(index), TokenTree::Ident(word), rest @ ..] = &tokens[..] else {
        return None;
    };
    if word != "in" {
        return None;
    }
    let (range, term) = split(rest, ":");
    let (range, term) = (indices(&range), lists(term, depth + 1));
    Some(quote!((#range, |#index: Scalar| #term)))
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
