//! `<default>` classes: attributes that elements have without saying so.

use std::collections::HashMap;

use roxmltree::Node;

use crate::reader::{Reader, among, value_of};

/// The classes of a file.
pub struct Defaults<'a, 't> {
    classes: HashMap<String, Class<'a, 't>>,
}

struct Class<'a, 't> {
    parent: Option<String>,
    elements: Vec<Node<'a, 't>>,
}

/// The class of the outermost `<default>`.
const MAIN: &str = "main";

impl<'a, 't> Defaults<'a, 't> {
    /// All classes of a file.
    pub fn read(reader: &mut Reader<'_>, root: Node<'a, 't>) -> Defaults<'a, 't> {
        let mut defaults = Defaults {
            classes: HashMap::new(),
        };
        for node in root.children().filter(|it| it.has_tag_name("default")) {
            let name = node.attribute("class").unwrap_or(MAIN);
            defaults.class(reader, node, MAIN, None);
            if name != MAIN {
                // The outermost class may have any name.
                let class = Class {
                    parent: Some(MAIN.to_owned()),
                    elements: Vec::new(),
                };
                defaults.classes.insert(name.to_owned(), class);
            }
        }
        defaults
    }

    fn class(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        name: &str,
        parent: Option<&str>,
    ) {
        let mut elements = Vec::new();
        for child in node.children().filter(Node::is_element) {
            if child.has_tag_name("default") {
                if let Some(inner) = reader.required(child, "class") {
                    self.class(reader, child, inner, Some(name));
                }
            } else {
                elements.push(child);
            }
        }
        let class = self.classes.entry(name.to_owned());
        let class = class.or_insert(Class {
            parent: parent.map(str::to_owned),
            elements: Vec::new(),
        });
        class.elements.extend(elements);
    }

    /// The element that says an attribute: the given one, or that of its class or of a class around it.
    pub fn with<'n>(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'n, 't>,
        around: Option<&str>,
        name: &str,
    ) -> Option<Node<'n, 't>>
    where
        'a: 'n,
    {
        if node.has_attribute(name) {
            return Some(node);
        }
        let own = node.attribute("class");
        let mut class = own.or(around).unwrap_or(MAIN);
        if own.is_some() && class != MAIN && !self.classes.contains_key(class) {
            let known: Vec<String> = self.classes.keys().cloned().collect();
            let message = format!("there is no class `{class}`{}", among(class, &known));
            let range = value_of(node, "class");
            if !reader.mistakes.iter().any(|it| it.range == range) {
                reader.wrong(
                    range,
                    message,
                    Some("write `<default class=\"…\">` in `<default>`"),
                );
            }
            return None;
        }
        loop {
            let found = self.classes.get(class)?;
            let mut elements = found.elements.iter().rev();
            let tag = match node.tag_name().name() {
                "fixed" => "tendon",
                tag => tag,
            };
            if let Some(element) =
                elements.find(|it| it.has_tag_name(tag) && it.has_attribute(name))
            {
                return Some(*element);
            }
            class = found.parent.as_deref()?;
        }
    }
}
