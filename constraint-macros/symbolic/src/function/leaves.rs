//! Identifiers of the leaves of an expansion: unique, and the user's own where possible.

use proc_macro2::{Ident, Span};

use super::Argument;
use crate::expr::{Map, SymbolId};
use crate::model::{Model, Role, Shape};
use crate::syntax::snake;

/// The identifiers of one expansion.
#[derive(Debug, Default)]
pub struct Names {
    /// By symbol.
    pub leaves: Vec<Ident>,
    /// By argument.
    pub arguments: Vec<(Argument, Ident)>,
    /// For each body, its part of the arguments that have one for each body.
    pub bodies: Vec<Vec<(Argument, Ident)>>,
}

impl Names {
    /// The name of a leaf in programs.
    pub fn leaf(&self, symbol: SymbolId) -> String {
        self.leaves[symbol.index()].to_string()
    }
}

/// Name of a number in which members of a family differ.
pub const NUMBER: &str = "number";

/// Unique names: for each name the last number appended to it.
#[derive(Debug, Default)]
pub struct Unique(Map<String, usize>);

impl Unique {
    /// Names that differ from these, too.
    pub fn excluding(taken: impl IntoIterator<Item = String>) -> Unique {
        Unique(taken.into_iter().map(|name| (name, 1)).collect())
    }

    /// The name as a valid identifier, with a number if it is in use: `x`, `x_2`, `x_3`.
    pub fn name(&mut self, wanted: &str) -> String {
        let base = snake(wanted);
        let Some(&last) = self.0.get(&base) else {
            self.0.insert(base.clone(), 1);
            return base;
        };
        let mut numbers = last + 1..;
        let free = numbers.find_map(|number| {
            let name = format!("{base}_{number}");
            (!self.0.contains_key(&name)).then_some((name, number))
        });
        let (name, number) = free.unwrap_or_default();
        self.0.insert(base, number);
        self.0.insert(name.clone(), 1);
        name
    }

    /// The user's own identifier of a leaf if it is unused, otherwise a generated one.
    pub fn leaf(&mut self, model: &Model, role: Role, wanted: &str) -> Ident {
        let name = self.name(match role {
            // Generated code uses the generic name; formulas have a name of their own.
            Role::Number(_) => NUMBER,
            _ => wanted,
        });
        let own = model.identifier(role).filter(|ident| *ident == name);
        own.unwrap_or_else(|| Ident::new(&name, Span::mixed_site()))
    }
}

impl Model {
    /// The user's own identifier of a scalar leaf.
    fn identifier(&self, role: Role) -> Option<Ident> {
        match role {
            Role::Time => self.time.clone(),
            Role::Coordinate(index) => {
                let mut first = 0;
                for coordinate in &self.coordinates {
                    if first == index && coordinate.shape == Shape::Scalar {
                        return Some(coordinate.name.clone());
                    }
                    first += coordinate.shape.len();
                }
                None
            }
            Role::Parameter { parameter, .. } => {
                let parameter = self.parameters.get(parameter)?;
                let single = parameter.shape == Shape::Scalar && parameter.lengths.is_empty();
                single.then(|| parameter.name.clone())
            }
            _ => None,
        }
    }
}

/// A generated identifier: hygienic, with letters, digits and underscores only.
pub fn local(name: &str) -> Ident {
    Ident::new(&snake(name), Span::mixed_site())
}
