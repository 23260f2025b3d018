//! What a format has in its elements, and the check of a file against it.

use std::collections::HashSet;

use roxmltree::{Node, NodeId};

use crate::reader::{Reader, start_tag};

/// An element of a format.
#[derive(Debug)]
pub struct Element {
    /// The kind of place that it is in.
    pub within: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its attributes, with spaces between.
    pub attributes: &'static str,
    /// The elements that may be in it once, with spaces between.
    pub once: &'static str,
}

/// Reports attributes that the format does not have, and elements that are doubled. Nothing is known of what is in an element
/// that is not `known`: such an element is listed as a whole.
pub fn check<'a, 't>(
    reader: &mut Reader<'_>,
    root: Node<'a, 't>,
    known: impl Fn(Node<'a, 't>) -> Option<&'static Element>,
) {
    let mut checked: HashSet<NodeId> = HashSet::new();
    for node in root.descendants().filter(Node::is_element) {
        let is_inside = node.parent().is_some_and(|it| checked.contains(&it.id()));
        if node != root && !is_inside {
            continue;
        }
        let Some(element) = known(node) else {
            continue;
        };
        checked.insert(node.id());
        check_attributes(reader, node, element);
        check_children(reader, node, element);
    }
}

fn check_attributes(reader: &mut Reader<'_>, node: Node<'_, '_>, element: &Element) {
    for attribute in node.attributes() {
        let name = attribute.name();
        let known = || element.attributes.split(' ');
        // A prefix belongs to another program.
        let has_prefix = attribute.namespace().is_some() || reader.has_prefix(attribute);
        if has_prefix || known().any(|it| it == name) {
            continue;
        }
        let tag = node.tag_name().name();
        let meant = reader.among(name, known());
        let message = format!("`<{tag}>` has no attribute `{name}`{meant}");
        reader.flaw(attribute.range(), message, None);
    }
}

fn check_children(reader: &mut Reader<'_>, node: Node<'_, '_>, element: &Element) {
    if element.once.is_empty() {
        return;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for child in node.children().filter(Node::is_element) {
        let name = child.tag_name().name();
        if element.once.split(' ').any(|it| it == name) && !seen.insert(name) {
            let tag = node.tag_name().name();
            let message = format!("`<{tag}>` has a second `<{name}>`");
            reader.flaw(start_tag(child), message, Some("keep one of them"));
        }
    }
}
