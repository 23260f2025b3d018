//! `/// docs pub struct Name { parameters } statements`

use crate::expr::CollectVec;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Attribute;
use syn::parse::ParseStream;
use syn::spanned::Spanned;

use super::ast::{Expr, ExprKind, Header, RelationKind, Repeated, name_of};
use super::header::starts_item;
use super::input::{self, Content, Stream};
use super::keyword::is_keyword;
use super::parser::{Parsed, Parser, Reported};
use super::part::uses_part;
use super::statement::{
    Declared, For, Function, Input, OneSided, SideKind, Statement, StatementKind, System, TOTALS,
};
use super::statements::{Form, keyword, keywords};
use crate::diagnostic::{Diagnostics, SourceRange, catalogue, system};

/// Limit on the indices of an array.
pub(crate) const MAX_INDICES: usize = 3;

/// The attribute that requests Jacobians of the outputs.
pub const TASK_SPACE: &str = "task_space";
/// The attribute that requests the regressor of the inertial parameters.
pub const REGRESSOR: &str = "regressor";

/// Whether a statement begins here.
pub(super) fn begins_statement(input: ParseStream<'_>) -> bool {
    let word = input.word();
    input.is_sign('#') || word.is_some_and(|word| keyword(&word).is_some())
}

/// The tree of one call of `system!`.
///
/// `None` only if not even the name of a struct could be read. The tree may contain mistakes:
/// broken statements are reported to `diagnostics` and left out of the tree.
pub fn parse_system(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<System> {
    let mut parser = Parser::new(diagnostics);
    parser.system = true;
    parser.own = &["solver", "redundant", TASK_SPACE, REGRESSOR];
    if tokens.is_empty() {
        parser.report(system::empty_system());
        return None;
    }
    input::read(tokens, |input| parser.call_of_system(input))?
}

impl Parser<'_> {
    fn call_of_system(&mut self, input: ParseStream<'_>) -> Option<System> {
        if !starts_item(input) {
            self.report(system::without_struct(input.range()));
            return None;
        }
        let mut header = self.structure(input).ok()?;
        let mut body_tokens = input.rest();
        let mut statements = self.statements(input, &mut header);
        self.library_parts(&mut statements, &mut body_tokens, &mut header);
        Some(System {
            header,
            options: self.taken.drain(..).filter_map(option).collect_vec(),
            statements,
            body_tokens,
        })
    }

    /// All readable statements. After a broken one, names may be missing, so the header is marked incomplete.
    pub(super) fn statements(
        &mut self,
        input: ParseStream<'_>,
        header: &mut Header,
    ) -> Vec<Statement> {
        let mut list = Vec::new();
        while !input.is_empty() {
            let docs = self.documentation(input);
            let row = input.name().and_then(|word| keyword(&word));
            let keyword = input.range();
            let declares = row.is_none_or(|row| row.form.declares());
            self.bound.clear();
            match self.system_statement(input, header) {
                Ok(kind) => {
                    let kind = self.repeated_as_bound(kind, keyword, &docs);
                    list.push(Statement {
                        kind,
                        keyword,
                        docs,
                    });
                }
                Err(Reported) => {
                    header.complete &= !declares;
                    skip_statement(input);
                }
            }
        }
        list
    }

    /// `/// …` before a statement: documentation of the fields that it names.
    fn documentation(&mut self, input: ParseStream<'_>) -> TokenStream {
        let mut docs = TokenStream::new();
        while input.is_sign('#') {
            let attributes = match input.group_at(1) {
                Some(Delimiter::Bracket) => input.call(Attribute::parse_outer),
                _ => Ok(Vec::new()),
            };
            let attributes = attributes.unwrap_or_default();
            if attributes.is_empty() {
                self.report(system::attribute_of_statement(input.range()));
                input.advance(1);
            }
            for attribute in attributes {
                if attribute.path().is_ident("doc") {
                    attribute.to_tokens(&mut docs);
                } else {
                    let range = attribute.path().span().into();
                    self.report(system::attribute_of_statement(range));
                }
            }
        }
        docs
    }

    fn system_statement(
        &mut self,
        input: ParseStream<'_>,
        header: &mut Header,
    ) -> Parsed<StatementKind> {
        let Some(word) = input.name() else {
            return self.fail(system::expected_statement(input.range(), None, &keywords()));
        };
        let row = keyword(&word);
        let may_be_a_name = row.is_none() || word == "motor";
        if may_be_a_name && uses_part(input) {
            return Ok(StatementKind::PartUse(self.part_use(input)?));
        }
        let Some(row) = row else {
            let (range, word) = (input.range(), word.to_string());
            return self.fail(system::expected_statement(range, Some(&word), &keywords()));
        };
        input.take_name();
        // Nested statements recurse through this function. All others are parsed in a separate one, which keeps the stack
        // frame small.
        match row.form {
            Form::For => Ok(StatementKind::For(self.repetition(input, header)?)),
            Form::Part => Ok(StatementKind::Part(self.part(input, header)?)),
            form => self.single_statement(input, row.word, form),
        }
    }

    /// A statement that contains no others, after its first word.
    fn single_statement(
        &mut self,
        input: ParseStream<'_>,
        word: &str,
        form: Form,
    ) -> Parsed<StatementKind> {
        let kind = match form {
            Form::Function => return Ok(StatementKind::Function(self.function(input)?)),
            Form::Constant(kind) | Form::Named(kind) => {
                let name = self.plain_name(input)?;
                let value = self.let_value(input, word);
                let value = self.or_error(input, value, &name);
                return Ok(kind(name, value));
            }
            Form::Moving(parse) => return parse(self, input),
            Form::Output => return self.output(input, word),
            Form::Names(parse) => parse(self, input)?,
            // The target is missing.
            Form::Acting(_, _, mistake) if input.is_sign(':') => {
                return self.fail(mistake(input.range()));
            }
            Form::Acting(kind, usage, _) => {
                let target = self.target(input)?;
                kind(target, self.after_sign(input, ":", usage)?)
            }
            Form::Value(kind, mistake) => {
                let value = self.statement_value(input)?;
                match mistake {
                    Some(mistake) if input.is_sign(':') => return self.fail(mistake(value.range)),
                    _ => kind(value),
                }
            }
            Form::Row(usage, parse) => {
                let declared = self.declared(input)?;
                self.row = true;
                let relation = self.after_sign(input, ":", usage);
                self.row = false;
                parse(self, input, declared, relation?)?
            }
            // Statements that contain others are parsed by the caller; uses of parts have no keyword.
            Form::Joint | Form::For | Form::Part | Form::Use => {
                return Ok(StatementKind::Joint(self.joint(input)?));
            }
        };
        self.semicolon(input, word)?;
        Ok(kind)
    }

    /// `name[i] = value;`, or one of [`TOTALS`].
    fn output(&mut self, input: ParseStream<'_>, word: &str) -> Parsed<StatementKind> {
        let declared = self.declared(input)?;
        let name = name_of(&declared.name);
        let is_total = TOTALS.contains(&name.as_str()) && declared.brackets.is_empty();
        if is_total && input.is_sign(';') {
            input.advance(1);
            return Ok(StatementKind::Total(declared));
        }
        let value = self.after_sign(input, "=", "output name = value;");
        let value = value.and_then(|it| self.semicolon(input, word).map(|()| it));
        let value = self.or_error(input, value, &declared.name);
        Ok(StatementKind::Output(declared, value))
    }

    /// A constraint: rows of two sides, or a row of one side or with friction.
    pub(super) fn constraint(
        &mut self,
        input: ParseStream<'_>,
        declared: Declared,
        relation: Expr,
    ) -> Parsed<StatementKind> {
        if input.is_group(Delimiter::Brace) {
            self.report(system::properties_of_a_value(input.range()));
            input.advance(1);
            return Ok(StatementKind::Constraint(declared, relation));
        }
        Ok(match OneSided::of(&declared, &relation) {
            Some(row) => StatementKind::OneSided(row),
            None => StatementKind::Constraint(declared, relation),
        })
    }

    /// A row on velocities whose multiplier is bounded.
    pub(super) fn motor(
        &mut self,
        input: ParseStream<'_>,
        declared: Declared,
        relation: &Expr,
    ) -> Parsed<StatementKind> {
        if input.is_group(Delimiter::Brace) {
            input.advance(1);
        }
        let sign = match &relation.kind {
            ExprKind::With(inner, _) => &inner.kind,
            kind => kind,
        };
        match sign {
            ExprKind::Compare(sign, ..) if sign.kind != RelationKind::Eq => {
                return self.fail(system::motor_without_speed(sign.range));
            }
            ExprKind::Compare(..) => {}
            _ => return self.fail(system::motor_without_speed(relation.range)),
        }
        match OneSided::of(&declared, relation) {
            Some(row) => Ok(StatementKind::OneSided(OneSided {
                kind: SideKind::Motor,
                ..row
            })),
            None => self.fail(system::motor_without_bound(relation.range)),
        }
    }

    fn semicolon(&mut self, input: ParseStream<'_>, word: &str) -> Parsed<()> {
        if input.is_sign(';') {
            input.advance(1);
            return Ok(());
        }
        // The next statement begins here, so the tokens read so far are complete.
        if input.is_empty() || begins_statement(input) {
            self.report(system::missing_semicolon(input.range_before(), word));
            return Ok(());
        }
        self.remainder(input)
    }

    pub(super) fn statement_value(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        if input.is_empty() || input.is_sign(';') {
            let missing = catalogue::expected_expression(input.range_before(), None);
            return self.fail(missing);
        }
        self.expression(input)
    }

    /// The value, or an error node if it could not be read, so that the name is still declared.
    fn or_error(&mut self, input: ParseStream<'_>, value: Parsed<Expr>, name: &Ident) -> Expr {
        value.unwrap_or_else(|Reported| {
            skip_statement(input);
            Expr::error(name.span().into())
        })
    }

    /// `sign value`
    pub(super) fn after_sign(
        &mut self,
        input: ParseStream<'_>,
        sign: &str,
        usage: &str,
    ) -> Parsed<Expr> {
        if !input.is_operator(sign) {
            return self.fail(system::expected_sign(input.range(), sign, usage));
        }
        input.take_operator();
        self.statement_value(input)
    }

    pub(super) fn plain_name(&mut self, input: ParseStream<'_>) -> Parsed<Ident> {
        let Some(name) = input.name() else {
            return self.fail(system::expected_name(input.range()));
        };
        if is_keyword(&name.to_string()) {
            return self.refuse(&name);
        }
        input.take_name();
        Ok(name)
    }

    /// `name`, `name[…]`
    pub(super) fn declared(&mut self, input: ParseStream<'_>) -> Parsed<Declared> {
        let name = self.plain_name(input)?;
        let mut brackets = Vec::new();
        while let Some(bracket) = input.enter(Delimiter::Bracket) {
            if brackets.len() == MAX_INDICES {
                return self.fail(system::too_many_indices(bracket.range, MAX_INDICES));
            }
            brackets.push(self.bracket(&bracket)?);
        }
        Ok(Declared {
            name,
            brackets,
            symbol: None,
        })
    }

    /// `a`, `a[3]`, `a { symbol: "θ" }`
    fn coordinate(&mut self, input: ParseStream<'_>) -> Parsed<Declared> {
        let declared = self.array(input, "coordinate")?;
        // The coordinate is declared even if its symbol is wrong.
        let symbol = self.symbol(input).unwrap_or_default();
        Ok(Declared { symbol, ..declared })
    }

    /// `a, b[3]`
    pub(super) fn declared_coordinates(&mut self, input: ParseStream<'_>) -> Parsed<StatementKind> {
        let mut list = vec![self.coordinate(input)?];
        while input.is_sign(',') {
            input.advance(1);
            if !input.is_sign(';') {
                list.push(self.coordinate(input)?);
            }
        }
        if input.is_operator(":") {
            self.report(system::typed_coordinate(input.range()));
            input.skip_to(';');
        }
        Ok(StatementKind::Coordinate(list))
    }

    /// `a, b: Vector2, c[3]: Vector3`
    pub(super) fn inputs(&mut self, input: ParseStream<'_>) -> Parsed<StatementKind> {
        let mut list = Vec::new();
        while list.is_empty() || !input.is_sign(';') {
            let declared = self.array(input, "input")?;
            if input.is_word("with") {
                let name = name_of(&declared.name);
                return self.fail(system::input_with_rate(input.range(), &name));
            }
            let ty = self.input_type(input)?;
            if input.is_sign('=') {
                let name = name_of(&declared.name);
                return self.fail(system::input_with_value(input.range(), &name));
            }
            list.push(Input { declared, ty });
            if !input.is_sign(',') {
                break;
            }
            input.advance(1);
        }
        Ok(StatementKind::Input(list))
    }

    fn input_type(&mut self, input: ParseStream<'_>) -> Parsed<Option<Ident>> {
        if !input.is_operator(":") {
            return Ok(None);
        }
        input.advance(1);
        let range = input.range();
        if let Some(ty) = input.take_name() {
            return Ok(Some(ty));
        }
        let found = if input.is_group(Delimiter::Bracket) {
            "["
        } else {
            ""
        };
        self.fail(system::input_type(range, found))
    }

    /// `name(a, b) = value;`
    fn function(&mut self, input: ParseStream<'_>) -> Parsed<Function> {
        let name = self.plain_name(input)?;
        let Some(arguments) = input.enter(Delimiter::Parenthesis) else {
            return self.fail(system::function_without_arguments(
                input.range(),
                &name_of(&name),
            ));
        };
        let arguments = self.arguments(&arguments)?;
        let value = self.function_value(input);
        let value = self.or_error(input, value, &name);
        Ok(Function {
            name,
            arguments,
            value,
        })
    }

    fn function_value(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        if input.is_group(Delimiter::Brace) || input.is_operator("->") {
            return self.fail(system::function_with_body(input.range()));
        }
        let value = self.after_sign(input, "=", "fn name(s) = expression;")?;
        self.semicolon(input, "fn")?;
        Ok(value)
    }

    fn arguments(&mut self, input: ParseStream<'_>) -> Parsed<Vec<Ident>> {
        let mut list: Vec<Ident> = Vec::new();
        while !input.is_empty() {
            let name = self.plain_name(input)?;
            if list.contains(&name) {
                let text = name_of(&name);
                self.report(catalogue::duplicate_name(name.span().into(), &text));
            }
            list.push(name);
            if !input.is_empty() && !input.is_sign(',') {
                self.report(system::typed_argument(input.range()));
                input.skip_to(',');
            }
            input.advance(1);
        }
        Ok(list)
    }

    /// `index in start..end { … }`
    fn repetition(&mut self, input: ParseStream<'_>, header: &mut Header) -> Parsed<For> {
        let outer = std::mem::replace(&mut self.condition, true);
        let repeated = self.repeated(input, "for i in 0..8 { … }");
        self.condition = outer;
        let repeated = repeated?;
        let Some(body) = input.enter(Delimiter::Brace) else {
            return self.fail(system::for_without_block(input.range()));
        };
        let body = self.deeper(body.range, |parser| Ok(parser.statements(&body, header)))?;
        Ok(For { repeated, body })
    }

    /// `index in start..end: term`, the inside of `sum(…)`.
    pub(super) fn sum_over(&mut self, input: &Content<'_>, range: SourceRange) -> Parsed<Expr> {
        let repeated = self.repeated(input, "sum(i in 0..8: term)")?;
        let term = self.after_sign(input, ":", "sum(i in 0..8: term)")?;
        if !input.is_empty() {
            return self.remainder(input);
        }
        let kind = ExprKind::SumOver(Box::new(repeated), Box::new(term));
        self.node(kind, range)
    }

    /// `index in start..end`
    pub(super) fn repeated(&mut self, input: ParseStream<'_>, usage: &str) -> Parsed<Repeated> {
        let index = self.plain_name(input)?;
        if !input.is_word("in") {
            return self.fail(system::expected_range(input.range(), usage));
        }
        input.advance(1);
        let (start, end, inclusive) = self.bounds(input, usage)?;
        Ok(Repeated {
            index,
            start,
            end,
            inclusive,
        })
    }

    fn bounds(&mut self, input: ParseStream<'_>, usage: &str) -> Parsed<(Expr, Expr, bool)> {
        let start = self.expression(input)?;
        let inclusive = input.is_operator("..=");
        if !inclusive && !input.is_operator("..") {
            return self.fail(system::expected_range(input.range(), usage));
        }
        input.take_operator();
        let end = self.expression(input)?;
        Ok((start, end, inclusive))
    }
}

/// `#[solver(rolled)]`
fn option(attribute: Attribute) -> Option<(Ident, Option<Ident>)> {
    let name = attribute.path().get_ident()?;
    Some((name.clone(), attribute.parse_args::<Ident>().ok()))
}

/// Skips past the next `;`, or to the keyword of the next statement.
pub(super) fn skip_to_statement(input: ParseStream<'_>) {
    while !input.is_empty() {
        if begins_statement(input) {
            return;
        }
        if input.is_sign(';') {
            return input.advance(1);
        }
        input.advance(1);
    }
}

/// Skips past the next `;`, or past the next braces.
fn skip_statement(input: ParseStream<'_>) {
    while let Some(token) = input.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == ';' => return,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return,
            _ => {}
        }
    }
}
