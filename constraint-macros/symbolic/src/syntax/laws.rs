//! The parts of the library: laws of forces, each a text of the language that a use adds to the system.

use proc_macro2::{Ident, TokenStream};

use super::ast::{Header, name_of};
use super::expression::Parser;
use super::input;
use super::library::at_place;
use super::statement::{Statement, StatementKind};

/// The names of the parts and their texts.
const PARTS: [(&str, &str); 4] = [
    ("Contact", include_str!("../../parts/contact.rs")),
    ("Friction", include_str!("../../parts/friction.rs")),
    ("Friction2", include_str!("../../parts/friction2.rs")),
    ("Friction3", include_str!("../../parts/friction3.rs")),
];

/// The names of the parts of the library.
pub fn library_parts() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(name, _)| *name)
}

impl Parser<'_> {
    /// Declares the parts of the library that the statements use before all others, unless the user declares parts of
    /// these names. Their tokens have the spans of the first uses.
    pub(super) fn library_parts(
        &mut self,
        statements: &mut Vec<Statement>,
        tokens: &mut TokenStream,
        header: &mut Header,
    ) {
        for (name, text) in PARTS {
            let declared = statements.iter().any(|it| is_part(it, name));
            let Some(place) = used(statements, name).filter(|_| !declared) else {
                continue;
            };
            let Ok(text) = text.parse::<TokenStream>() else {
                continue;
            };
            let text = at_place(text, place.span());
            let parsed = input::read(text.clone(), |input| self.statements(input, header));
            statements.splice(0..0, parsed.unwrap_or_default());
            *tokens = text.into_iter().chain(tokens.clone()).collect();
        }
    }
}

fn is_part(statement: &Statement, name: &str) -> bool {
    matches!(&statement.kind, StatementKind::Part(part) if part.name == name)
}

/// The first use of a part of this name.
fn used<'a>(statements: &'a [Statement], name: &str) -> Option<&'a Ident> {
    statements
        .iter()
        .find_map(|statement| match &statement.kind {
            StatementKind::PartUse(it) if name_of(&it.part) == name => Some(&it.part),
            StatementKind::For(it) => used(&it.body, name),
            StatementKind::Part(part) => used(part.body.as_deref()?, name),
            _ => None,
        })
}
