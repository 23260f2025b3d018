//! `particle`s and `body`s: names, a type or a place, then a mass in braces.

use proc_macro2::{Delimiter, Ident};
use syn::parse::ParseStream;

use super::ast::{Expr, name_of};
use super::input::Stream;
use super::parser::{Parsed, Parser, Reported};
use super::statement::{Body, Declared, Particle, ParticlePlace, StatementKind};
use super::system::skip_to_statement;
use crate::diagnostic::system;

impl Parser<'_> {
    /// `a, b: Point2 { mass: m }`, `name = place { mass: m }`
    pub(super) fn particle(&mut self, input: ParseStream<'_>) -> Parsed<StatementKind> {
        let declared = self.declared_together(input, "particle")?;
        let place = self.place(input)?;
        let fields = self.properties(input, "particle", &declared[0].name);
        // If the place is known, the particle is declared even if its mass is wrong.
        Ok(StatementKind::Particle(Particle {
            declared,
            place,
            fields: fields.unwrap_or_default(),
        }))
    }

    /// `{ mass: m, … }` of an owner; without braces its mass is missing.
    fn properties(
        &mut self,
        input: ParseStream<'_>,
        owner: &str,
        name: &Ident,
    ) -> Parsed<Vec<(Ident, Expr)>> {
        let Some(fields) = input.enter(Delimiter::Brace) else {
            let range = input.range_before();
            self.report(system::without_field(range, owner, &name_of(name), "mass"));
            skip_to_statement(input);
            return Err(Reported);
        };
        let fields = self.named_values(&fields);
        self.no_semicolon(input);
        fields
    }

    /// Reports a `;` after braces.
    pub(super) fn no_semicolon(&mut self, input: ParseStream<'_>) {
        if input.is_sign(';') {
            self.report(system::semicolon_after_braces(input.range()));
            input.advance(1);
        }
    }

    /// `a, b: Rigid3 { mass: m, inertia: [a, b, c] }`, `a: Rigid2 = pose(place, angle) { mass: m, inertia: i }`
    pub(super) fn rigid_body(&mut self, input: ParseStream<'_>) -> Parsed<StatementKind> {
        let declared = self.declared_together(input, "body")?;
        if !input.is_operator(":") {
            return self.fail(system::body_type(input.range(), ""));
        }
        input.advance(1);
        let Some(ty) = input.word() else {
            return self.fail(system::body_type(input.range(), ""));
        };
        input.advance(1);
        if let (true, [first, _, ..]) = (input.is_operator("="), &declared[..]) {
            let name = name_of(&first.name);
            return self.fail(system::several_bodies_at_one_pose(
                input.range(),
                &name,
                &ty.to_string(),
            ));
        }
        let pose = if input.is_operator("=") {
            Some(self.before_braces(input)?)
        } else {
            None
        };
        let fields = self.properties(input, "body", &declared[0].name);
        Ok(StatementKind::Body(Body {
            declared,
            ty,
            pose,
            fields: fields.ok(),
        }))
    }

    /// `= value` before the braces with the mass; no expression continues with braces.
    fn before_braces(&mut self, input: ParseStream<'_>) -> Parsed<Expr> {
        input.advance(1);
        let outer = std::mem::replace(&mut self.condition, true);
        let value = self.statement_value(input);
        self.condition = outer;
        value
    }

    fn place(&mut self, input: ParseStream<'_>) -> Parsed<ParticlePlace> {
        if input.is_operator("=") {
            return Ok(ParticlePlace::At(self.before_braces(input)?));
        }
        if !input.is_operator(":") {
            return self.fail(system::particle_without_place(input.range()));
        }
        input.advance(1);
        let range = input.range();
        match input.word() {
            Some(ty) => {
                input.advance(1);
                Ok(ParticlePlace::Own(ty))
            }
            None => {
                self.report(system::particle_type(range, ""));
                while !input.is_empty() && !input.is_group(Delimiter::Brace) {
                    input.advance(1);
                }
                Ok(ParticlePlace::Invalid)
            }
        }
    }

    /// `{ mass: m, … }`
    pub(super) fn named_values(&mut self, input: ParseStream<'_>) -> Parsed<Vec<(Ident, Expr)>> {
        let mut list = Vec::new();
        while !input.is_empty() {
            let name = self.plain_name(input)?;
            let value = self.after_sign(input, ":", "mass: value")?;
            list.push((name, value));
            self.skip_decimal_comma(input);
            if !input.is_empty() && !input.is_sign(',') {
                return self.remainder(input);
            }
            input.advance(1);
        }
        Ok(list)
    }

    /// `a, b[4]` before the `:` or `=` that introduces their type.
    fn declared_together(&mut self, input: ParseStream<'_>, word: &str) -> Parsed<Vec<Declared>> {
        let mut list = vec![self.declared(input)?];
        while input.is_sign(',') {
            let comma = input.range();
            input.advance(1);
            list.push(self.declared(input)?);
            if input.is_operator("=") {
                let name = name_of(&list[0].name);
                return self.fail(system::several_names_at_one_place(comma, word, &name));
            }
        }
        Ok(list)
    }
}
