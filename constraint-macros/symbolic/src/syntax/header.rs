//! `/// docs pub struct Name { parameters } |coordinates|`

use crate::expr::{CollectVec, PushEach};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Path, Token, Type, Visibility};

use super::ast::{Annotation, Declaration, Expr, Header, name_of};
use super::input::{self, Content, Stream};
use super::keyword::is_keyword;
use super::parser::{Parsed, Parser, Reported};
use super::system::{MAX_INDICES, REGRESSOR, TASK_SPACE};
use crate::diagnostic::{Diagnostic, SourceRange, catalogue, system};

/// Whether the input declares a struct: it begins like an item.
pub(super) fn starts_item(input: ParseStream<'_>) -> bool {
    input.peek(Token![#]) || input.peek(Token![pub]) || input.peek(Token![struct])
}

/// Words that begin other items.
const ITEMS: [&str; 14] = [
    "async", "const", "crate", "enum", "extern", "fn", "impl", "macro", "mod", "static", "trait",
    "type", "unsafe", "use",
];

/// Whether the input is an item other than a struct, so that it cannot be meant as an expression.
pub(super) fn starts_another_item(input: ParseStream<'_>) -> bool {
    let Some(first) = input.word() else {
        return false;
    };
    // `struc Name;`, `union Name { }`
    let named = match input.leaf_at(1) {
        Some(TokenTree::Ident(name)) => !is_keyword(&name.to_string()),
        _ => false,
    };
    let ended = match input.leaf_at(2) {
        Some(TokenTree::Punct(sign)) => sign.as_char() == ';',
        _ => input.group_at(2) == Some(Delimiter::Brace),
    };
    ITEMS.iter().any(|word| first == word) || (named && ended)
}

/// The name of the type of the bare form, which users never see.
pub(crate) fn bare_name() -> Ident {
    Ident::new("Constraint", Span::mixed_site())
}

#[derive(Default)]
struct Attributes {
    passed_on: TokenStream,
    derives: Vec<TokenStream>,
    derivatives: Option<SourceRange>,
}

impl Parser<'_> {
    /// The header. After an error inside the coordinates it is still returned, marked incomplete.
    pub(super) fn header(&mut self, input: ParseStream<'_>) -> Parsed<Header> {
        let mut header = self.structure(input)?;
        header.complete &= self.coordinates(input, &mut header).is_ok();
        Ok(header)
    }

    /// `/// docs pub struct Name { parameters }`
    pub(super) fn structure(&mut self, input: ParseStream<'_>) -> Parsed<Header> {
        let attributes = self.attributes(input)?;
        let visibility = self.rust::<Visibility>(input)?.to_token_stream();
        if input.parse::<Token![struct]>().is_err() {
            return self.fail(catalogue::not_a_struct(input.range()));
        }
        let name = match input.name() {
            Some(name) if is_keyword(&name.to_string()) => return self.refuse(&name),
            Some(name) => name,
            None => return self.fail(catalogue::expected_struct_name(input.range())),
        };
        input.take_name();
        let mut header = Header {
            attributes: attributes.passed_on,
            derives: attributes.derives,
            derivatives: attributes.derivatives,
            visibility,
            name,
            named: true,
            parameters: Vec::new(),
            coordinates: Vec::new(),
            complete: true,
        };
        self.fields(input, &mut header);
        Ok(header)
    }

    /// `|coordinates|` of the bare form.
    pub(super) fn bars(&mut self, input: ParseStream<'_>) -> Header {
        let mut header = Header {
            attributes: TokenStream::new(),
            derives: Vec::new(),
            derivatives: None,
            visibility: TokenStream::new(),
            name: bare_name(),
            named: false,
            parameters: Vec::new(),
            coordinates: Vec::new(),
            complete: true,
        };
        header.complete &= self.coordinates(input, &mut header).is_ok();
        header
    }

    /// Rust's own syntax, parsed by syn; reports syn's messages.
    fn rust<T: syn::parse::Parse>(&mut self, input: ParseStream<'_>) -> Parsed<T> {
        let read = input.parse::<T>();
        read.or_else(|error| self.fail(Diagnostic::of_rust(&error)))
    }

    fn attributes(&mut self, input: ParseStream<'_>) -> Parsed<Attributes> {
        let mut attributes = Attributes::default();
        if self.skip_inner_attributes(input) {
            return Ok(attributes);
        }
        let all = input.call(Attribute::parse_outer);
        for attribute in all.or_else(|error| self.fail(Diagnostic::of_rust(&error)))? {
            if let Some(paths) = derived(&attribute) {
                attributes.derives.push_each(paths);
            } else if attribute.path().is_ident("derivatives") {
                if !matches!(attribute.meta, Meta::Path(_)) {
                    self.report(catalogue::derivatives_of_some(inside(&attribute).into()));
                }
                attributes.derivatives = Some(attribute.path().span().into());
            } else if let Some(&own) = self.own.iter().find(|own| attribute.path().is_ident(own)) {
                let range = inside(&attribute).into();
                let arguments = match own {
                    TASK_SPACE => Some(system::arguments_of_task_space(range)),
                    REGRESSOR => Some(system::arguments_of_regressor(range)),
                    _ => None,
                };
                let written = !matches!(attribute.meta, Meta::Path(_));
                if let Some(diagnostic) = arguments.filter(|_| written) {
                    self.report(diagnostic);
                }
                self.taken.push(attribute);
            } else {
                attribute.to_tokens(&mut attributes.passed_on);
            }
        }
        Ok(attributes)
    }

    /// Reports each `#![…]`; if there is one, all attributes are dropped.
    fn skip_inner_attributes(&mut self, input: ParseStream<'_>) -> bool {
        let ahead = input.fork();
        let mut found = false;
        while ahead.peek(Token![#]) {
            ahead.advance(1);
            if ahead.is_sign('!') {
                self.report(catalogue::inner_attribute(ahead.range()));
                ahead.advance(1);
                found = true;
            }
            ahead.advance(1);
        }
        while found && input.peek(Token![#]) {
            input.advance(1 + usize::from(matches!(input.leaf_at(1), Some(TokenTree::Punct(_)))));
            input.advance(1);
        }
        found
    }

    /// `;` or `{ parameters }`
    fn fields(&mut self, input: ParseStream<'_>, header: &mut Header) {
        let range = input.range();
        if input.is_operator("<") {
            self.report(catalogue::user_generics(range));
            input.skip_to('>');
            input.advance(1);
        }
        if let Some(fields) = input.enter(Delimiter::Brace) {
            header.parameters = self.declarations(&fields, true, &mut header.complete);
            if input.is_sign(';') {
                self.report(catalogue::semicolon_after_fields(input.range()));
                input.advance(1);
            }
            return;
        }
        if let Some(Content { range, .. }) = input.enter(Delimiter::Parenthesis).as_ref() {
            self.report(catalogue::tuple_struct(*range));
            header.complete = false;
        }
        if input.is_sign(';') {
            input.advance(1);
        } else if header.complete {
            self.report(catalogue::unit_struct_without_semicolon(input.range()));
        }
    }

    /// `|a, b: Point2|`
    fn coordinates(&mut self, input: ParseStream<'_>, header: &mut Header) -> Parsed<()> {
        let range = input.range();
        if !input.is_sign('|') {
            return self.fail(catalogue::expected_coordinates(range));
        }
        let Some((inside, bars)) = input.between_bars() else {
            return self.fail(catalogue::unclosed_coordinates(range));
        };
        if inside.is_empty() {
            return self.fail(catalogue::no_coordinates(bars));
        }
        let complete = &mut header.complete;
        let read = |input: ParseStream<'_>| self.declarations(input, false, complete);
        header.coordinates = input::read(inside, read).unwrap_or_default();
        Ok(())
    }

    pub(super) fn declarations(
        &mut self,
        input: ParseStream<'_>,
        parameter: bool,
        complete: &mut bool,
    ) -> Vec<Declaration> {
        let mut list = Vec::new();
        while !input.is_empty() {
            self.number = None;
            match self.declaration(input, parameter) {
                Ok(declaration) if list.iter().any(|d| is_same_name(d, &declaration)) => {
                    let name = &declaration.name;
                    let range = name.span().into();
                    self.report(catalogue::duplicate_name(range, &name_of(name)));
                }
                Ok(declaration) => list.push(declaration),
                Err(Reported) => *complete = false,
            }
            if !input.is_empty() && !input.is_sign(',') {
                if *complete && !list.last().is_some_and(is_invalid) {
                    self.report(catalogue::expected_comma(input.range()));
                    *complete = false;
                }
                input.skip_to(',');
            }
            self.skip_decimal_comma(input);
            input.advance(1);
        }
        list
    }

    fn declaration(&mut self, input: ParseStream<'_>, parameter: bool) -> Parsed<Declaration> {
        let (mut attributes, mut visibility) = (TokenStream::new(), TokenStream::new());
        if parameter {
            let outer = input.call(Attribute::parse_outer);
            let outer = outer.or_else(|error| self.fail(Diagnostic::of_rust(&error)))?;
            attributes = quote!(#(#outer)*);
            visibility = self.rust::<Visibility>(input)?.to_token_stream();
        }
        let Some(name) = input.name() else {
            return self.fail(catalogue::expected_declaration(input.range(), parameter));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        input.take_name();
        let annotation = self.annotation(input, &name, parameter);
        let default = if self.system && input.is_operator("=") {
            Some(self.default_value(input)?)
        } else {
            None
        };
        Ok(Declaration {
            attributes,
            visibility,
            name,
            annotation,
            default,
        })
    }

    /// `= value`
    fn default_value(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        let range = input.range();
        input.advance(1);
        if input.is_empty() || input.is_sign(',') {
            return self.fail(catalogue::expected_expression(range, Some("=")));
        }
        self.expression(input)
    }

    fn annotation(&mut self, input: ParseStream<'_>, name: &Ident, parameter: bool) -> Annotation {
        if !input.is_operator(":") {
            if parameter {
                let text = name.to_string();
                self.report(catalogue::parameter_without_type(name.span().into(), &text));
                return Annotation::Invalid;
            }
            if input.is_word("in") {
                self.report(catalogue::coordinate_domain(input.range()));
                return Annotation::Invalid;
            }
            return Annotation::Missing;
        }
        input.advance(1);
        if self.system
            && let Some(array) = input.enter(Delimiter::Bracket)
        {
            return self.array_type(&array).unwrap_or(Annotation::Invalid);
        }
        let start = input.range();
        let value = matches!(input.leaf(), Some(TokenTree::Literal(_)));
        let ty = input.parse::<Type>();
        let ended = input.is_empty() || input.is_sign(',') || input.word().is_some();
        match ty.ok().and_then(named) {
            Some(ident) if ended || (self.system && input.is_operator("=")) => {
                Annotation::Type(ident)
            }
            Some(_) if input.is_operator("=") => {
                self.report(catalogue::parameter_default(input.range()));
                Annotation::Invalid
            }
            _ => {
                input.skip_to(',');
                let range = start.to(input.range_before());
                self.report(if value && parameter {
                    catalogue::value_for_type(range, &name_of(name), self.system)
                } else {
                    catalogue::unknown_type(range, "", parameter)
                });
                Annotation::Invalid
            }
        }
    }
}

impl Parser<'_> {
    /// `Real; 64` or `[Real; 4]; 3` of `[Real; 64]` and `[[Real; 4]; 3]`.
    fn array_type(&mut self, input: &Content<'_>) -> Parsed<Annotation> {
        let (mut element, mut lengths) = (None, Vec::new());
        if let Some(inner) = input.enter(Delimiter::Bracket) {
            match self.deeper(inner.range, |parser| parser.array_type(&inner))? {
                Annotation::Array(ty, inner) => (element, lengths) = (Some(ty), inner),
                _ => return Err(Reported),
            }
        } else if let Some(ty) = input.word() {
            input.advance(1);
            element = Some(ty);
        }
        let Some(element) = element else {
            return self.fail(system::array_type(input.range()));
        };
        if !input.is_sign(';') {
            return self.fail(system::array_without_length(
                input.range(),
                &name_of(&element),
            ));
        }
        input.advance(1);
        if lengths.len() == MAX_INDICES {
            return self.fail(system::too_many_indices(input.range, MAX_INDICES));
        }
        lengths.insert(0, self.only(input)?);
        Ok(Annotation::Array(element, lengths))
    }
}

fn is_same_name(a: &Declaration, b: &Declaration) -> bool {
    name_of(&a.name) == name_of(&b.name)
}

fn is_invalid(declaration: &Declaration) -> bool {
    matches!(declaration.annotation, Annotation::Invalid)
}

/// A type that is a single word, possibly in an invisible group.
fn named(ty: Type) -> Option<Ident> {
    match ty {
        Type::Group(group) => named(*group.elem),
        Type::Path(path) if path.qself.is_none() => path.path.get_ident().cloned(),
        _ => None,
    }
}

/// The first token after an attribute's name, or the name.
pub(super) fn inside(attribute: &Attribute) -> Span {
    let first = match &attribute.meta {
        Meta::List(list) => list.tokens.clone().into_iter().next(),
        Meta::NameValue(given) => given.value.to_token_stream().into_iter().next(),
        Meta::Path(_) => None,
    };
    first.map_or_else(|| attribute.path().span(), |token| token.span())
}

/// The paths of `#[derive(A, b::C)]`; `None` for any other attribute.
fn derived(attribute: &Attribute) -> Option<Vec<TokenStream>> {
    if !attribute.path().is_ident("derive") {
        return None;
    }
    let paths = Punctuated::<Path, Token![,]>::parse_terminated;
    let paths = attribute.parse_args_with(paths).ok()?;
    Some(paths.iter().map(ToTokens::to_token_stream).collect_vec())
}
