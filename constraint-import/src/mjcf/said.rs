//! What an element says, or its class.

use roxmltree::Node;

use super::File;
use crate::reader::{Reader, value_of};

impl<'a, 't> File<'a, 't> {
    /// A word.
    pub(super) fn word<'n>(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'n, 't>,
        class: Option<&str>,
        name: &'static str,
    ) -> Option<&'n str>
    where
        'a: 'n,
    {
        reader.word(self.defaults.with(node, class, name)?, name)
    }

    /// So many numbers.
    pub(super) fn numbers<const N: usize>(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        name: &'static str,
    ) -> Option<[f64; N]> {
        reader.numbers(self.defaults.with(node, class, name)?, name)
    }

    /// Any number of numbers.
    pub(super) fn list(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        name: &'static str,
    ) -> Option<Vec<f64>> {
        reader.list(self.defaults.with(node, class, name)?, name)
    }

    /// The coefficients of a polynomial, zero by default.
    pub(super) fn polynomial(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        name: &'static str,
    ) -> [f64; 3] {
        let said = self.defaults.with(node, class, name);
        let given = said.and_then(|it| reader.coefficients(it, name));
        given.unwrap_or_default()
    }

    /// A range, unless another attribute switches it off.
    pub(super) fn limited(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&str>,
        [range, limited]: [&'static str; 2],
    ) -> Option<[f64; 2]> {
        let values = ["true", "false", "auto"];
        let said = self.defaults.with(node, class, limited);
        let word = said.and_then(|it| reader.choice(it, limited, &values));
        let range = self.numbers::<2>(reader, node, class, range);
        let is_limited = match word {
            Some("true") => true,
            Some("false") => false,
            _ => self.settings.auto_limits,
        };
        range.filter(|_| is_limited)
    }

    /// A name that no link has yet.
    pub(super) fn link_name(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> String {
        let Some(name) = reader.word(node, "name") else {
            return format!("body_{}", self.robot.links.len());
        };
        if self.link_names.contains_key(name) {
            let message = format!("there are two bodies with the name `{name}`");
            let help = "give each body a name of its own";
            reader.wrong(value_of(node, "name"), message, Some(help));
        }
        name.to_owned()
    }
}
