//! The parts of the library: laws of forces, each a text of the language that a use adds to the system.

use proc_macro2::{Ident, Span, TokenStream};

use super::ast::{Header, name_of};
use super::input;
use super::library::at_place;
use super::parser::Parser;
use super::statement::{Statement, StatementKind};

const CONTACT: &str = include_str!("../../parts/contact.rs");
const FRICTION: &str = include_str!("../../parts/friction.rs");

/// A part of the library.
struct Law {
    name: &'static str,
    text: &'static str,
    /// Replacements in the text.
    instead: &'static [(&'static str, &'static str)],
}

const LAWS: [Law; 4] = [
    Law {
        name: "Contact",
        text: CONTACT,
        instead: &[],
    },
    Law {
        name: "Friction",
        text: FRICTION,
        instead: &[],
    },
    Law {
        name: "Friction2",
        text: FRICTION,
        instead: &[
            ("Friction", "Friction2"),
            ("slip: Real", "slip: Vector2"),
            ("slip^2", "norm_squared(slip)"),
        ],
    },
    Law {
        name: "Friction3",
        text: FRICTION,
        instead: &[
            ("Friction", "Friction3"),
            ("slip: Real", "slip: Vector3"),
            ("slip^2", "norm_squared(slip)"),
        ],
    },
];

impl Law {
    /// The declaration of the part, with the span of its first use.
    fn tokens(&self, place: Span) -> Option<TokenStream> {
        let text = self.instead.iter();
        let text = text.fold(self.text.to_owned(), |text, (old, new)| {
            text.replace(old, new)
        });
        Some(at_place(text.parse().ok()?, place))
    }
}

/// The names of the parts of the library.
pub fn library_parts() -> impl Iterator<Item = &'static str> {
    LAWS.iter().map(|law| law.name)
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
        for law in &LAWS {
            let declared = statements.iter().any(|it| is_part(it, law.name));
            let place = used(statements, law.name).filter(|_| !declared);
            let Some(text) = place.and_then(|place| law.tokens(place.span())) else {
                continue;
            };
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
