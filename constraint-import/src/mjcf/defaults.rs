//! `<default>` classes: attributes that elements have without saying so.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::drives::{self, Drive};
use crate::reader::{Reader, value_of};

/// The classes of a file.
pub struct Defaults<'a, 't> {
    classes: HashMap<&'a str, Class<'a, 't>>,
    /// The families of elements, and the attributes of them that somebody has looked for.
    understood: RefCell<HashSet<(&'static str, &'static str)>>,
}

struct Class<'a, 't> {
    parent: Option<&'a str>,
    /// The element that says an attribute of a family.
    elements: HashMap<(&'static str, &'a str), Node<'a, 't>>,
    drive: Drive,
}

/// The class of the outermost `<default>`.
const MAIN: &str = "main";

/// The default of an element, by its name there.
fn family(node: Node<'_, '_>) -> Option<&'static str> {
    let around = node.parent().map_or("", |it| it.tag_name().name());
    match (around, node.tag_name().name()) {
        ("equality", _) | ("default", "equality") => Some("equality"),
        ("fixed", _) => None,
        (_, "fixed" | "tendon") => Some("tendon"),
        (_, tag) => ["joint", "geom", "site"].into_iter().find(|it| *it == tag),
    }
}

impl<'a, 't> Defaults<'a, 't> {
    /// All classes of a file.
    pub fn read(reader: &mut Reader<'_>, root: Node<'a, 't>) -> Defaults<'a, 't> {
        let mut defaults = Defaults {
            classes: HashMap::new(),
            understood: RefCell::default(),
        };
        let outermost = root.children().filter(|it| it.has_tag_name("default"));
        for node in outermost.collect::<Vec<_>>() {
            let name = reader.word(node, "class").unwrap_or(MAIN);
            let mut waiting = vec![(node, MAIN, None)];
            while let Some((node, name, parent)) = waiting.pop() {
                let inner = defaults.class(reader, node, name, parent);
                waiting.extend(inner.into_iter().rev());
            }
            if name != MAIN {
                // The outermost class may have any name.
                let drive = defaults.classes[MAIN].drive.inner();
                let class = Class::new(Some(MAIN), drive);
                defaults.classes.insert(name, class);
            }
        }
        defaults
    }

    /// Reads a class; those in it remain to be read.
    fn class(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        name: &'a str,
        parent: Option<&'a str>,
    ) -> Vec<(Node<'a, 't>, &'a str, Option<&'a str>)> {
        let inherited = parent.and_then(|it| self.classes.get(it));
        let drive = inherited.map_or_else(Drive::default, |it| it.drive.inner());
        let class = self.classes.entry(name);
        let class = class.or_insert_with(|| Class::new(parent, drive));
        let mut inner = Vec::new();
        for child in node.children().filter(Node::is_element) {
            let tag = child.tag_name().name();
            if let Some(family) = family(child) {
                let attributes = child.attributes();
                let said = attributes.map(|it| ((family, it.name()), child));
                class.elements.extend(said);
            } else if drives::is_actuator(tag) {
                class.drive.apply(reader, child);
            } else if tag != "default" {
                reader.ignore_as(child, format!("<{tag}> in <default>"));
            } else if let Some(own) = reader.required(child, "class") {
                inner.push((child, own, Some(name)));
            }
        }
        inner
    }

    /// Reports classes that are not there.
    pub fn check_classes(&self, reader: &mut Reader<'_>, root: Node<'a, 't>) {
        let is_default = |node: Node<'_, '_>| node.has_tag_name("default");
        for node in root.descendants().filter(|it| !is_default(*it)) {
            if reader.is_left(node) {
                continue;
            }
            for name in ["class", "childclass"] {
                let Some(class) = reader.word(node, name) else {
                    continue;
                };
                if class != MAIN && !self.classes.contains_key(class) {
                    let meant = reader.among(class, self.classes.keys().copied());
                    let message = format!("there is no class `{class}`{meant}");
                    let help = "write `<default class=\"…\">` in `<default>`";
                    reader.flaw(value_of(node, name), message, Some(help));
                }
            }
        }
    }

    /// The actuators of a class, without their own attributes.
    pub fn drive(&self, node: Node<'a, 't>) -> Drive {
        let class = node.attribute("class").unwrap_or(MAIN);
        let class = self.classes.get(class);
        class.map_or_else(Drive::default, |it| it.drive.inner())
    }

    /// True if an attribute of a class applies to elements.
    pub fn is_understood(&self, node: Node<'_, '_>, name: &str) -> bool {
        let is_in_class = node.parent().is_some_and(|it| it.has_tag_name("default"));
        let family = family(node).filter(|_| is_in_class);
        let understood = self.understood.borrow();
        family.is_some_and(|family| understood.contains(&(family, name)))
    }

    /// The element that says an attribute: the given one, or that of its class or of a class around it.
    pub fn with<'n>(
        &self,
        node: Node<'n, 't>,
        around: Option<&str>,
        name: &'static str,
    ) -> Option<Node<'n, 't>>
    where
        'a: 'n,
    {
        let family = family(node);
        if let Some(family) = family {
            self.understood.borrow_mut().insert((family, name));
        }
        if node.has_attribute(name) {
            return Some(node);
        }
        let mut class = node.attribute("class").or(around).unwrap_or(MAIN);
        loop {
            let found = self.classes.get(class)?;
            if let Some(element) = found.elements.get(&(family?, name)) {
                return Some(*element);
            }
            class = found.parent?;
        }
    }
}

impl<'a> Class<'a, '_> {
    fn new(parent: Option<&'a str>, drive: Drive) -> Self {
        Class {
            parent,
            elements: HashMap::new(),
            drive,
        }
    }
}
