//! `/// docs pub struct Name { parameters } |coordinates|`

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::ast::{Annotation, Declaration, Expr, Header, name_of};
use super::cursor::{Cursor, group_range};
use super::expression::{Parsed, Parser, Reported, is_keyword};
use crate::diagnostic::catalogue;

/// Whether the input declares a struct: it begins as an item does.
pub(super) fn starts_item(cursor: &mut Cursor) -> bool {
    let starts = |cursor: &Cursor| {
        cursor.is_sign('#') || cursor.is_ident("pub") || cursor.is_ident("struct")
    };
    if let Some(group) = cursor.group(Delimiter::None) {
        // `$visibility` of a macro may be empty, and an expression's parentheses must stay.
        let inside = Cursor::inside(group);
        if !inside.is_at_end() && !starts(&inside) {
            return false;
        }
        cursor.open_invisible();
    }
    starts(cursor)
}

/// Items that are not structs begin so.
const ITEMS: [&str; 14] = [
    "async", "const", "crate", "enum", "extern", "fn", "impl", "macro", "mod", "static", "trait",
    "type", "unsafe", "use",
];

/// Whether the input is an item, though not a struct: what stands there is no expression, and the user expects none.
pub(super) fn starts_another_item(cursor: &Cursor) -> bool {
    let Some(first) = cursor.ident() else {
        return false;
    };
    // `struc Name;`, `union Name { }`
    let named =
        matches!(cursor.peek_at(1), Some(TokenTree::Ident(name)) if !is_keyword(&name.to_string()));
    let ended = match cursor.peek_at(2) {
        Some(TokenTree::Punct(sign)) => sign.as_char() == ';',
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    ITEMS.iter().any(|word| first == word) || (named && ended)
}

/// What the type of the bare form is called, where no user sees it.
pub(crate) fn bare_name() -> Ident {
    Ident::new("Constraint", Span::mixed_site())
}

#[derive(Default)]
struct Attributes {
    passed_on: TokenStream,
    derives: Vec<TokenStream>,
}

impl Parser<'_> {
    /// The header; on an error inside the coordinates it is still given, marked incomplete.
    pub(super) fn header(&mut self, cursor: &mut Cursor) -> Parsed<Header> {
        let mut header = self.structure(cursor)?;
        header.complete &= self.coordinates(cursor, &mut header).is_ok();
        Ok(header)
    }

    /// `/// docs pub struct Name { parameters }`
    pub(super) fn structure(&mut self, cursor: &mut Cursor) -> Parsed<Header> {
        let attributes = self.attributes(cursor);
        cursor.open_invisible();
        let visibility = visibility(cursor);
        cursor.open_invisible();
        if !cursor.is_ident("struct") {
            return self.fail(catalogue::not_a_struct(cursor.range()));
        }
        cursor.advance(1);
        cursor.open_invisible();
        let name = match cursor.ident().cloned() {
            Some(name) if is_keyword(&name.to_string()) => return self.refuse(&name),
            Some(name) => name,
            None => return self.fail(catalogue::expected_struct_name(cursor.range())),
        };
        cursor.advance(1);
        let mut header = Header {
            attributes: attributes.passed_on,
            derives: attributes.derives,
            visibility,
            name,
            named: true,
            parameters: Vec::new(),
            coordinates: Vec::new(),
            complete: true,
        };
        self.fields(cursor, &mut header);
        Ok(header)
    }

    /// `|coordinates|` of the bare form.
    pub(super) fn bars(&mut self, cursor: &mut Cursor) -> Header {
        let mut header = Header {
            attributes: TokenStream::new(),
            derives: Vec::new(),
            visibility: TokenStream::new(),
            name: bare_name(),
            named: false,
            parameters: Vec::new(),
            coordinates: Vec::new(),
            complete: true,
        };
        header.complete &= self.coordinates(cursor, &mut header).is_ok();
        header
    }

    fn attributes(&mut self, cursor: &mut Cursor) -> Attributes {
        let mut attributes = Attributes::default();
        while cursor.is_sign('#') {
            if let Some(TokenTree::Punct(bang)) = cursor.peek_at(1)
                && bang.as_char() == '!'
            {
                self.report(catalogue::inner_attribute(bang.span().into()));
                cursor.advance(3);
                continue;
            }
            let hash = cursor.next();
            let Some(group) = cursor.group(Delimiter::Bracket).cloned() else {
                continue;
            };
            cursor.advance(1);
            match derived_paths(&group) {
                Some(paths) => attributes.derives.extend(paths),
                None => {
                    attributes.passed_on.extend(hash);
                    attributes.passed_on.extend([TokenTree::Group(group)]);
                }
            }
        }
        attributes
    }

    /// `;` or `{ parameters }`
    fn fields(&mut self, cursor: &mut Cursor, header: &mut Header) {
        let range = cursor.range();
        if cursor.is_operator("<") {
            self.report(catalogue::user_generics(range));
            cursor.skip_to('>');
            cursor.advance(1);
        }
        if let Some(group) = cursor.group(Delimiter::Brace).cloned() {
            cursor.advance(1);
            header.parameters =
                self.declarations(&mut Cursor::inside(&group), true, &mut header.complete);
            if cursor.is_sign(';') {
                self.report(catalogue::semicolon_after_fields(cursor.range()));
                cursor.advance(1);
            }
            return;
        }
        if let Some(group) = cursor.group(Delimiter::Parenthesis) {
            let range = group_range(group);
            self.report(catalogue::tuple_struct(range));
            header.complete = false;
            cursor.advance(1);
        }
        if cursor.is_sign(';') {
            cursor.advance(1);
        } else if header.complete {
            self.report(catalogue::unit_struct_without_semicolon(cursor.range()));
        }
    }

    /// `|a, b: Point2|`
    fn coordinates(&mut self, cursor: &mut Cursor, header: &mut Header) -> Parsed<()> {
        let range = cursor.range();
        if !cursor.is_sign('|') {
            return self.fail(catalogue::expected_coordinates(range));
        }
        cursor.advance(1);
        let mut inside = TokenStream::new();
        while !cursor.is_sign('|') {
            match cursor.next() {
                Some(token) => inside.extend([token]),
                None => return self.fail(catalogue::unclosed_coordinates(range)),
            }
        }
        let end = cursor.range();
        cursor.advance(1);
        if inside.is_empty() {
            return self.fail(catalogue::no_coordinates(range.to(end)));
        }
        header.coordinates =
            self.declarations(&mut Cursor::over(inside), false, &mut header.complete);
        Ok(())
    }

    fn declarations(
        &mut self,
        cursor: &mut Cursor,
        parameter: bool,
        complete: &mut bool,
    ) -> Vec<Declaration> {
        let mut list = Vec::new();
        while !cursor.is_at_end() {
            match self.declaration(cursor, parameter) {
                Ok(declaration) if list.iter().any(|d| is_same_name(d, &declaration)) => {
                    let name = &declaration.name;
                    let range = name.span().into();
                    self.report(catalogue::duplicate_name(range, &name_of(name)));
                }
                Ok(declaration) => list.push(declaration),
                Err(Reported) => *complete = false,
            }
            if !cursor.is_at_end() && !cursor.is_sign(',') {
                if *complete && !list.last().is_some_and(is_invalid) {
                    self.report(catalogue::expected_comma(cursor.range()));
                    *complete = false;
                }
                cursor.skip_to(',');
            }
            cursor.advance(1);
        }
        list
    }

    fn declaration(&mut self, cursor: &mut Cursor, parameter: bool) -> Parsed<Declaration> {
        let attributes = match parameter {
            true => attribute_tokens(cursor),
            false => TokenStream::new(),
        };
        cursor.open_invisible();
        let visibility = match parameter {
            true => visibility(cursor),
            false => TokenStream::new(),
        };
        cursor.open_invisible();
        let range = cursor.range();
        let Some(name) = cursor.ident().cloned() else {
            return self.fail(catalogue::expected_declaration(range, parameter));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        cursor.advance(1);
        let annotation = self.annotation(cursor, &name, parameter);
        let default = match self.system && cursor.is_operator("=") {
            true => Some(self.default_value(cursor)?),
            false => None,
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
    fn default_value(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        let range = cursor.range();
        cursor.advance(1);
        if cursor.is_at_end() || cursor.is_sign(',') {
            return self.fail(catalogue::expected_expression(range, Some("=")));
        }
        self.expression(cursor)
    }

    fn annotation(&mut self, cursor: &mut Cursor, name: &Ident, parameter: bool) -> Annotation {
        if !cursor.is_operator(":") {
            if parameter {
                let text = name.to_string();
                self.report(catalogue::parameter_without_type(name.span().into(), &text));
                return Annotation::Invalid;
            }
            if cursor.is_ident("in") {
                self.report(catalogue::coordinate_domain(cursor.range()));
                return Annotation::Invalid;
            }
            return Annotation::Missing;
        }
        cursor.advance(1);
        cursor.open_invisible();
        let start = cursor.range();
        let ident = cursor.ident().cloned();
        if ident.is_some() {
            cursor.advance(1);
        }
        match ident {
            Some(ident)
                if cursor.is_at_end() || cursor.is_sign(',') || cursor.ident().is_some() =>
            {
                Annotation::Type(ident)
            }
            Some(ident) if self.system && cursor.is_operator("=") => Annotation::Type(ident),
            Some(_) if cursor.is_operator("=") => {
                self.report(catalogue::parameter_default(cursor.range()));
                Annotation::Invalid
            }
            _ => {
                let value = matches!(cursor.peek(), Some(TokenTree::Literal(_)));
                cursor.skip_to(',');
                let range = start.to(cursor.range_before());
                self.report(match value && parameter {
                    true => catalogue::value_for_type(range, &name_of(name), self.system),
                    false => catalogue::unknown_type(range, "", parameter),
                });
                Annotation::Invalid
            }
        }
    }
}

fn is_same_name(a: &Declaration, b: &Declaration) -> bool {
    name_of(&a.name) == name_of(&b.name)
}

fn is_invalid(declaration: &Declaration) -> bool {
    matches!(declaration.annotation, Annotation::Invalid)
}

/// `pub`, `pub(crate)` or nothing.
fn visibility(cursor: &mut Cursor) -> TokenStream {
    let mut tokens = TokenStream::new();
    if cursor.is_ident("pub") {
        tokens.extend(cursor.next());
        if cursor.group(Delimiter::Parenthesis).is_some() {
            tokens.extend(cursor.next());
        }
    }
    tokens
}

fn attribute_tokens(cursor: &mut Cursor) -> TokenStream {
    let mut tokens = TokenStream::new();
    while cursor.is_sign('#') {
        tokens.extend(cursor.next());
        if cursor.group(Delimiter::Bracket).is_some() {
            tokens.extend(cursor.next());
        }
    }
    tokens
}

/// The paths of `[derive(A, b::C)]`; `None` for any other attribute.
fn derived_paths(attribute: &Group) -> Option<Vec<TokenStream>> {
    let mut cursor = Cursor::inside(attribute);
    cursor.open_invisible();
    if !cursor.is_ident("derive") {
        return None;
    }
    cursor.advance(1);
    let list = cursor.group(Delimiter::Parenthesis)?.stream();
    let mut paths = vec![TokenStream::new()];
    for token in list {
        match (&token, paths.last_mut()) {
            (TokenTree::Punct(comma), _) if comma.as_char() == ',' => {
                paths.push(TokenStream::new())
            }
            (_, Some(path)) => path.extend([token]),
            (_, None) => {}
        }
    }
    paths.retain(|path| !path.is_empty());
    Some(paths)
}
