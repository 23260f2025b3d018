//! `/// docs pub struct Name { parameters } statements`

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

use super::ast::{Expr, Header, name_of};
use super::cursor::Cursor;
use super::expression::{Parsed, Parser, Reported, is_keyword};
use super::header::starts_item;
use super::statement::{
    Body, Declared, For, Function, Input, Particle, Place, Statement, StatementKind, System,
};
use crate::diagnostic::{Diagnostic, Diagnostics, SourceRange, catalogue, system};

/// The words that begin a statement.
pub(crate) const STATEMENTS: [&str; 13] = [
    "fn",
    "let",
    "coordinate",
    "input",
    "particle",
    "body",
    "force",
    "torque",
    "potential",
    "dissipation",
    "kinetic",
    "constraint",
    "for",
];

/// Those among them after which no name is missing.
const DECLARE_NOTHING: [&str; 6] = [
    "force",
    "torque",
    "potential",
    "dissipation",
    "kinetic",
    "constraint",
];

/// Whether a statement begins here.
pub(super) fn begins_statement(cursor: &Cursor) -> bool {
    let word = cursor.ident().map(Ident::to_string);
    word.is_some_and(|word| STATEMENTS.contains(&word.as_str()))
}

/// The tree of one call of `system!`.
///
/// `None` only where not even the name of a struct could be read. Whether the input is right is a
/// question to `diagnostics`: broken statements are reported there and left out of the tree.
pub fn parse_system(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<System> {
    let mut cursor = Cursor::over(tokens);
    let mut parser = Parser::new(diagnostics);
    parser.system = true;
    if cursor.is_at_end() {
        parser.report(system::empty_system());
        return None;
    }
    if !starts_item(&mut cursor) {
        parser.report(system::without_struct(cursor.range()));
        return None;
    }
    let mut header = parser.structure(&mut cursor).ok()?;
    let options = take_options(&mut header.attributes);
    let body_tokens = cursor.rest();
    let statements = parser.statements(&mut cursor, &mut header);
    Some(System {
        header,
        options,
        statements,
        body_tokens,
    })
}

impl Parser<'_> {
    /// All that can be read; after a broken one, names may be missing, and the header is incomplete.
    fn statements(&mut self, cursor: &mut Cursor, header: &mut Header) -> Vec<Statement> {
        let mut list = Vec::new();
        while !cursor.is_at_end() {
            cursor.open_invisible();
            let keyword = cursor.range();
            let declares = !cursor
                .ident()
                .is_some_and(|word| DECLARE_NOTHING.iter().any(|w| word == w));
            match self.system_statement(cursor, header) {
                Ok(kind) => list.push(Statement { kind, keyword }),
                Err(Reported) => {
                    header.complete &= !declares;
                    skip_statement(cursor);
                }
            }
        }
        list
    }

    fn system_statement(
        &mut self,
        cursor: &mut Cursor,
        header: &mut Header,
    ) -> Parsed<StatementKind> {
        let range = cursor.range();
        let Some(word) = cursor.ident().map(Ident::to_string) else {
            return self.fail(system::expected_statement(range, None));
        };
        if !STATEMENTS.contains(&word.as_str()) {
            return self.fail(system::expected_statement(range, Some(&word)));
        }
        cursor.advance(1);
        match word.as_str() {
            "particle" => return Ok(StatementKind::Particle(self.particle(cursor)?)),
            "body" => return Ok(StatementKind::Body(self.rigid_body(cursor)?)),
            "for" => return Ok(StatementKind::For(self.repetition(cursor, header)?)),
            _ => {}
        }
        let kind = match word.as_str() {
            "fn" => return Ok(StatementKind::Function(self.function(cursor)?)),
            "let" => {
                let name = self.plain_name(cursor)?;
                let range = name.span().into();
                let value = self.let_value(cursor);
                return Ok(StatementKind::Let(
                    name,
                    self.or_nothing(cursor, value, range),
                ));
            }
            "coordinate" => StatementKind::Coordinate(self.declared_list(cursor)?),
            "input" => StatementKind::Input(self.inputs(cursor)?),
            // The name of what is pushed is missing.
            "force" if cursor.is_sign(':') => return self.fail(system::no_target(cursor.range())),
            "torque" if cursor.is_sign(':') => {
                return self.fail(system::torque_on_no_body(cursor.range()));
            }
            "force" => {
                let target = self.sum_of_terms(cursor)?;
                StatementKind::Force(target, self.after_sign(cursor, ":", "force name: value;")?)
            }
            "torque" => {
                let target = self.sum_of_terms(cursor)?;
                StatementKind::Torque(target, self.after_sign(cursor, ":", "torque body: value;")?)
            }
            "potential" => StatementKind::Potential(self.statement_value(cursor)?),
            "dissipation" => StatementKind::Dissipation(self.statement_value(cursor)?),
            "kinetic" => StatementKind::Kinetic(self.statement_value(cursor)?),
            _ => {
                let declared = self.declared(cursor)?;
                let relation = self.after_sign(cursor, ":", "constraint name: relation;")?;
                StatementKind::Constraint(declared, relation)
            }
        };
        self.semicolon(cursor, &word)?;
        Ok(kind)
    }

    fn semicolon(&mut self, cursor: &mut Cursor, word: &str) -> Parsed<()> {
        if cursor.is_sign(';') {
            cursor.advance(1);
            return Ok(());
        }
        // The next statement begins here: what has been read can be kept.
        if cursor.is_at_end() || begins_statement(cursor) {
            self.report(system::missing_semicolon(cursor.range_before(), word));
            return Ok(());
        }
        self.remainder(cursor)
    }

    fn statement_value(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        if cursor.is_at_end() || cursor.is_sign(';') {
            let missing = catalogue::expected_expression(cursor.range_before(), None);
            return self.fail(missing);
        }
        self.expression(cursor)
    }

    /// The value, or, where it could not be read, what stands for nothing: the name is known all the same.
    fn or_nothing(&mut self, cursor: &mut Cursor, value: Parsed<Expr>, range: SourceRange) -> Expr {
        value.unwrap_or_else(|Reported| {
            skip_statement(cursor);
            Expr::error(range)
        })
    }

    /// `sign value`
    fn after_sign(&mut self, cursor: &mut Cursor, sign: &str, usage: &str) -> Parsed<Expr> {
        if !cursor.is_operator(sign) {
            return self.fail(system::expected_sign(cursor.range(), sign, usage));
        }
        cursor.take_operator();
        self.statement_value(cursor)
    }

    fn plain_name(&mut self, cursor: &mut Cursor) -> Parsed<Ident> {
        cursor.open_invisible();
        let Some(name) = cursor.ident().cloned() else {
            return self.fail(system::expected_name(cursor.range()));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        cursor.advance(1);
        Ok(name)
    }

    /// `name`, `name[…]`
    fn declared(&mut self, cursor: &mut Cursor) -> Parsed<Declared> {
        let name = self.plain_name(cursor)?;
        let bracket = match cursor.group(Delimiter::Bracket).cloned() {
            Some(group) => {
                cursor.advance(1);
                Some(self.only(&group)?)
            }
            None => None,
        };
        if bracket.is_some() && cursor.group(Delimiter::Bracket).is_some() {
            return self.fail(system::second_index(cursor.range(), &name_of(&name)));
        }
        Ok(Declared { name, bracket })
    }

    /// `name`, `name[…]`, where one statement declares one name.
    fn declared_alone(&mut self, cursor: &mut Cursor, word: &str) -> Parsed<Declared> {
        let declared = self.declared(cursor)?;
        if cursor.is_sign(',') {
            let name = name_of(&declared.name);
            return self.fail(system::several_names(cursor.range(), word, &name));
        }
        Ok(declared)
    }

    fn declared_list(&mut self, cursor: &mut Cursor) -> Parsed<Vec<Declared>> {
        let mut list = vec![self.declared(cursor)?];
        while cursor.is_sign(',') {
            cursor.advance(1);
            if !cursor.is_sign(';') {
                list.push(self.declared(cursor)?);
            }
        }
        if cursor.is_operator(":") {
            self.report(system::typed_coordinate(cursor.range()));
            cursor.skip_to(';');
        }
        Ok(list)
    }

    /// `a, b: Vector2, c[3]: Vector3`
    fn inputs(&mut self, cursor: &mut Cursor) -> Parsed<Vec<Input>> {
        let mut list = Vec::new();
        loop {
            let declared = self.declared(cursor)?;
            let ty = self.input_type(cursor)?;
            list.push(Input { declared, ty });
            if !cursor.is_sign(',') {
                return Ok(list);
            }
            cursor.advance(1);
            if cursor.is_sign(';') {
                return Ok(list);
            }
        }
    }

    fn input_type(&mut self, cursor: &mut Cursor) -> Parsed<Option<Ident>> {
        if !cursor.is_operator(":") {
            return Ok(None);
        }
        cursor.advance(1);
        cursor.open_invisible();
        let Some(ty) = cursor.ident().cloned() else {
            return self.fail(system::input_type(cursor.range(), ""));
        };
        cursor.advance(1);
        Ok(Some(ty))
    }

    /// `name(a, b) = value;`
    fn function(&mut self, cursor: &mut Cursor) -> Parsed<Function> {
        let name = self.plain_name(cursor)?;
        let Some(group) = cursor.group(Delimiter::Parenthesis).cloned() else {
            return self.fail(system::function_without_arguments(
                cursor.range(),
                &name_of(&name),
            ));
        };
        cursor.advance(1);
        let arguments = self.arguments(&group)?;
        let value = self.function_value(cursor);
        let range = name.span().into();
        Ok(Function {
            name,
            arguments,
            value: self.or_nothing(cursor, value, range),
        })
    }

    fn function_value(&mut self, cursor: &mut Cursor) -> Parsed<Expr> {
        if cursor.group(Delimiter::Brace).is_some() || cursor.is_operator("->") {
            return self.fail(system::function_with_body(cursor.range()));
        }
        let value = self.after_sign(cursor, "=", "fn name(s) = expression;")?;
        self.semicolon(cursor, "fn")?;
        Ok(value)
    }

    fn arguments(&mut self, group: &Group) -> Parsed<Vec<Ident>> {
        let mut cursor = Cursor::inside(group);
        let mut list: Vec<Ident> = Vec::new();
        while !cursor.is_at_end() {
            let name = self.plain_name(&mut cursor)?;
            if list.contains(&name) {
                let text = name_of(&name);
                self.report(catalogue::duplicate_name(name.span().into(), &text));
            }
            list.push(name);
            if !cursor.is_at_end() && !cursor.is_sign(',') {
                self.report(system::typed_argument(cursor.range()));
                cursor.skip_to(',');
            }
            cursor.advance(1);
        }
        Ok(list)
    }

    /// `name: Point2 { mass: m }`, `name = place { mass: m }`
    fn particle(&mut self, cursor: &mut Cursor) -> Parsed<Particle> {
        let declared = self.declared_alone(cursor, "particle")?;
        let place = self.place(cursor)?;
        let fields = self.properties(cursor, |range| {
            system::particle_without_mass(range, &name_of(&declared.name))
        });
        // Where the place is known, the particle is known, whatever is wrong with its mass.
        Ok(Particle {
            declared,
            place,
            fields: fields.unwrap_or_default(),
        })
    }

    /// `{ mass: m, … }`; where there is none, `missing` is reported.
    fn properties(
        &mut self,
        cursor: &mut Cursor,
        missing: impl FnOnce(SourceRange) -> Diagnostic,
    ) -> Parsed<Vec<(Ident, Expr)>> {
        let Some(group) = cursor.group(Delimiter::Brace).cloned() else {
            self.report(missing(cursor.range_before()));
            skip_to_statement(cursor);
            return Err(Reported);
        };
        cursor.advance(1);
        let fields = self.named_values(&group);
        if cursor.is_sign(';') {
            self.report(system::semicolon_after_braces(cursor.range()));
            cursor.advance(1);
        }
        fields
    }

    /// `name: Rigid3 { mass: m, inertia: [a, b, c] }`
    fn rigid_body(&mut self, cursor: &mut Cursor) -> Parsed<Body> {
        let declared = self.declared_alone(cursor, "body")?;
        if !cursor.is_operator(":") {
            return self.fail(system::body_type(cursor.range(), ""));
        }
        cursor.advance(1);
        let Some(ty) = cursor.ident().cloned() else {
            return self.fail(system::body_type(cursor.range(), ""));
        };
        cursor.advance(1);
        let fields = self.properties(cursor, |range| {
            system::body_without(range, &name_of(&declared.name), "mass")
        });
        Ok(Body {
            declared,
            ty,
            fields: fields.ok(),
        })
    }

    fn place(&mut self, cursor: &mut Cursor) -> Parsed<Place> {
        if cursor.is_operator("=") {
            cursor.advance(1);
            // The mass follows in braces; no expression goes on with them.
            let outer = std::mem::replace(&mut self.condition, true);
            let place = self.statement_value(cursor);
            self.condition = outer;
            return Ok(Place::At(place?));
        }
        if !cursor.is_operator(":") {
            return self.fail(system::particle_without_place(cursor.range()));
        }
        cursor.advance(1);
        let range = cursor.range();
        match cursor.ident().cloned() {
            Some(ty) => {
                cursor.advance(1);
                Ok(Place::Own(ty))
            }
            None => {
                self.report(system::particle_type(range, ""));
                while !cursor.is_at_end() && cursor.group(Delimiter::Brace).is_none() {
                    cursor.advance(1);
                }
                Ok(Place::Invalid)
            }
        }
    }

    /// `{ mass: m, … }`
    fn named_values(&mut self, group: &Group) -> Parsed<Vec<(Ident, Expr)>> {
        let mut cursor = Cursor::inside(group);
        let mut list = Vec::new();
        while !cursor.is_at_end() {
            let name = self.plain_name(&mut cursor)?;
            let value = self.after_sign(&mut cursor, ":", "mass: value")?;
            list.push((name, value));
            if !cursor.is_at_end() && !cursor.is_sign(',') {
                return self.remainder(&cursor);
            }
            cursor.advance(1);
        }
        Ok(list)
    }

    /// `index in start..end { … }`
    fn repetition(&mut self, cursor: &mut Cursor, header: &mut Header) -> Parsed<For> {
        let index = self.plain_name(cursor)?;
        if !cursor.is_ident("in") {
            return self.fail(system::expected_range(cursor.range()));
        }
        cursor.advance(1);
        let outer = std::mem::replace(&mut self.condition, true);
        let bounds = self.bounds(cursor);
        self.condition = outer;
        let (start, end, inclusive) = bounds?;
        let Some(group) = cursor.group(Delimiter::Brace).cloned() else {
            return self.fail(system::for_without_block(cursor.range()));
        };
        cursor.advance(1);
        let range = super::cursor::group_range(&group);
        let body = self.deeper(range, |parser| {
            Ok(parser.statements(&mut Cursor::inside(&group), header))
        })?;
        Ok(For {
            index,
            start,
            end,
            inclusive,
            body,
        })
    }

    fn bounds(&mut self, cursor: &mut Cursor) -> Parsed<(Expr, Expr, bool)> {
        let start = self.expression(cursor)?;
        let inclusive = cursor.is_operator("..=");
        if !inclusive && !cursor.is_operator("..") {
            return self.fail(system::expected_range(cursor.range()));
        }
        cursor.take_operator();
        let end = self.expression(cursor)?;
        Ok((start, end, inclusive))
    }
}

/// `#[solver(…)]` and `#[redundant(…)]`, and what they ask for.
fn take_options(attributes: &mut TokenStream) -> Vec<(Ident, Option<Ident>)> {
    let options = take_attributes(attributes, &["solver", "redundant"]).into_iter();
    let options = options.map(|(name, inside)| (name, inside.and_then(|it| it.ident().cloned())));
    options.collect()
}

/// Takes our own attributes out of those that are passed on: the name and what stands in parentheses after it.
pub(super) fn take_attributes(
    attributes: &mut TokenStream,
    names: &[&str],
) -> Vec<(Ident, Option<Cursor>)> {
    let mut taken = Vec::new();
    let mut hash = None;
    let passed_on = attributes.clone().into_iter().flat_map(|token| {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '#') {
            hash = Some(token);
            return Vec::new();
        }
        if let TokenTree::Group(group) = &token
            && let Some(own) = own_attribute(group, names)
        {
            taken.push(own);
            return Vec::new();
        }
        hash.take().into_iter().chain([token]).collect()
    });
    *attributes = passed_on.collect();
    taken
}

/// `[solver(rolled)]`
fn own_attribute(attribute: &Group, names: &[&str]) -> Option<(Ident, Option<Cursor>)> {
    let mut cursor = Cursor::inside(attribute);
    let name = cursor.ident().cloned()?;
    if !names.iter().any(|own| name == own) {
        return None;
    }
    cursor.advance(1);
    let inside = cursor.group(Delimiter::Parenthesis).map(Cursor::inside);
    Some((name, inside))
}

/// To after the next `;`, or to the word that begins the next statement.
fn skip_to_statement(cursor: &mut Cursor) {
    while !cursor.is_at_end() {
        if begins_statement(cursor) {
            return;
        }
        if cursor.is_sign(';') {
            return cursor.advance(1);
        }
        cursor.advance(1);
    }
}

/// To after the next `;`, or after the next braces.
fn skip_statement(cursor: &mut Cursor) {
    while let Some(token) = cursor.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => return,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            _ => {}
        }
    }
}
