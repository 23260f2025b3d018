//! XML with positions: attributes and numbers, mistakes, and a list of everything that is not read.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use roxmltree::{Attribute, Document, Error, Node, NodeId};

use crate::markup::{self, Refused};
use crate::mistake::{Mistake, Mistakes, Origin};
use crate::number::Angle;
use crate::schema::Element;
use crate::sources::Sources;

/// Mistakes, each of which is reported.
const MOST_MISTAKES: usize = 100;

/// Collects mistakes and what is left out while a file is read.
///
/// Invariant: after [`Reader::list_unread`] each attribute of the file was read, is listed, or belongs to an element that is.
#[derive(Debug)]
pub struct Reader<'t> {
    sources: &'t Sources,
    /// What is wrong.
    pub mistakes: Vec<Mistake>,
    /// The number of mistakes beyond those.
    further: usize,
    /// True if a mistake leaves something out that other checks depend on.
    pub is_damaged: bool,
    /// Omitted items: how often each occurs, and its first line.
    pub ignored: BTreeMap<String, (usize, String)>,
    /// The same of attributes, by their elements: their names, how many elements, and the first line.
    pub attributes: BTreeMap<String, (BTreeSet<String>, usize, String)>,
    /// Sentences about what is taken over in another form.
    pub notes: Vec<String>,
    /// Angles that are multiples of π but for rounding: as written, as understood, how often, the first line.
    pub recognised: Vec<(String, String, usize, String)>,
    /// The place of each in the list before.
    places: HashMap<(String, String), usize>,
    /// The first bytes of attributes that somebody has read.
    read: HashSet<usize>,
    /// Elements that are not taken over.
    left: HashSet<NodeId>,
}

impl<'t> Reader<'t> {
    /// Reads a file, or the second file with the loops.
    pub fn new(sources: &'t Sources) -> Reader<'t> {
        Reader {
            sources,
            mistakes: Vec::new(),
            further: 0,
            is_damaged: false,
            ignored: BTreeMap::new(),
            attributes: BTreeMap::new(),
            notes: Vec::new(),
            recognised: Vec::new(),
            places: HashMap::new(),
            read: HashSet::new(),
            left: HashSet::new(),
        }
    }

    /// The tree of the text.
    ///
    /// # Errors
    /// The text is empty, a xacro file, not XML, or too large for its parser.
    pub fn document(&mut self) -> Option<Document<'t>> {
        let text = &self.sources.text;
        if text.trim().is_empty() {
            let help = "a robot is an XML file with the root `<robot>` (URDF) or `<mujoco>` (MJCF)";
            self.wrong(0..0, "the file is empty", Some(help));
            return None;
        }
        const XACRO: &str = "this is a xacro file, whose macros are not expanded yet";
        match markup::parse(text) {
            Ok(document) => {
                let of_xacro = |it: &Node<'_, '_>| {
                    let namespace = it.tag_name().namespace();
                    namespace.is_some_and(|it| it.contains("xacro"))
                };
                let root = document.root_element();
                if let Some(node) = root.children().find(of_xacro) {
                    self.xacro(start_tag(node), XACRO);
                    return None;
                }
                Some(document)
            }
            Err(Refused::TooLarge(start, message)) => {
                self.wrong(start..start, message, None);
                None
            }
            Err(Refused::Parser(error)) => {
                let at = error.pos();
                let start = byte_at(text, at.row as usize, at.col as usize);
                if matches!(&error, Error::UnknownNamespace(prefix, _) if prefix == "xacro") {
                    self.xacro(start..start, XACRO);
                    return None;
                }
                let place = format!(" at {}:{}", at.row, at.col);
                let message = error.to_string().replace(&place, "");
                self.wrong(start..start, format!("not valid XML: {message}"), None);
                None
            }
        }
    }

    fn xacro(&mut self, range: Range<usize>, message: &str) {
        let help = "run xacro first: `xacro robot.urdf.xacro > robot.urdf`";
        self.wrong(range, message, Some(help));
    }

    /// Adds a mistake.
    pub fn wrong(&mut self, range: Range<usize>, message: impl Into<String>, help: Option<&str>) {
        self.is_damaged = true;
        self.flaw(range, message, help);
    }

    /// Adds a mistake with which the robot is whole, so that other checks have a meaning.
    pub fn flaw(&mut self, range: Range<usize>, message: impl Into<String>, help: Option<&str>) {
        let mistake = self.sources.located(range, message.into(), help);
        if self.mistakes.contains(&mistake) {
            return;
        }
        if self.mistakes.len() == MOST_MISTAKES {
            self.further += 1;
            return;
        }
        self.mistakes.push(mistake);
    }

    /// All mistakes in the order of the file.
    pub fn into_mistakes(mut self) -> Mistakes {
        let place = |it: &Mistake| (it.origin != Origin::Robot, it.line, it.column);
        self.mistakes.sort_by_key(place);
        if let Some(last) = self.mistakes.last().filter(|_| self.further > 0) {
            let message = format!("{} further mistakes are not listed", self.further);
            let last = Mistake {
                message,
                help: None,
                ..last.clone()
            };
            self.mistakes.push(last);
        }
        Mistakes(self.mistakes)
    }

    /// Adds everything that a reader of a second file has found.
    pub fn join(&mut self, second: Reader<'_>) {
        self.mistakes.extend(second.mistakes);
        self.recognised.extend(second.recognised);
        self.notes.extend(second.notes);
        self.is_damaged |= second.is_damaged;
        self.further += second.further;
        let in_second = |line: String| format!("{line} of the file of loops");
        for (name, (count, line)) in second.ignored {
            self.ignored.entry(name).or_insert((0, in_second(line))).0 += count;
        }
        for (element, (names, count, line)) in second.attributes {
            let entry = self.attributes.entry(element);
            let (all, sum, _) = entry.or_insert((BTreeSet::new(), 0, in_second(line)));
            all.extend(names);
            *sum += count;
        }
    }

    /// The known name that is closest to a wrong one, as the end of a message.
    pub fn among<'n>(&self, name: &str, known: impl Iterator<Item = &'n str>) -> String {
        if self.mistakes.len() == MOST_MISTAKES {
            return String::new();
        }
        among(name, known)
    }

    /// Adds an element that is not taken over, with all that is in it.
    pub fn ignore(&mut self, node: Node<'_, '_>) {
        let start = node.range().start;
        let line = self.line(start);
        let name = self.sources.name(start + 1);
        let name = name.unwrap_or(node.tag_name().name());
        self.ignore_named(format!("<{name}>"), line);
        self.left.insert(node.id());
    }

    /// Adds an element that the list describes.
    pub fn ignore_as(&mut self, node: Node<'_, '_>, what: impl Into<String>) {
        let line = self.line(node.range().start);
        self.ignore_named(what.into(), line);
        self.left.insert(node.id());
    }

    /// Adds anything that is not taken over.
    pub fn ignore_named(&mut self, name: String, line: String) {
        self.ignored.entry(name).or_insert((0, line)).0 += 1;
    }

    /// Adds something about an element that is otherwise taken over.
    pub fn ignore_part(&mut self, node: Node<'_, '_>, what: impl Into<String>) {
        let line = self.line(node.range().start);
        self.ignore_named(what.into(), line);
    }

    /// True if the file writes an attribute with a prefix.
    pub fn has_prefix(&self, attribute: Attribute<'_, '_>) -> bool {
        let name = self.sources.name(attribute.range().start);
        name.is_some_and(|it| it.contains(':'))
    }

    /// Notes that an attribute is understood.
    pub fn touch(&mut self, attribute: Attribute<'_, '_>) {
        self.read.insert(attribute.range().start);
    }

    /// True if an element is not taken over.
    pub fn is_left(&self, node: Node<'_, '_>) -> bool {
        self.left.contains(&node.id())
    }

    /// Lists elements that are not `known` in elements that are taken over. With an element all in it is left out.
    pub fn list_unknown<'a, 'n>(
        &mut self,
        root: Node<'a, 'n>,
        known: impl Fn(Node<'a, 'n>) -> Option<&'static Element>,
    ) {
        for node in root.descendants().filter(Node::is_element) {
            // Ancestors come first.
            let is_inside = node.parent().is_some_and(|it| self.is_left(it));
            if is_inside {
                self.left.insert(node.id());
            } else if !self.is_left(node) && known(node).is_none() {
                self.ignore(node);
            }
        }
    }

    /// Lists the unread attributes of all elements that are taken over; `place` describes an element.
    pub fn list_unread<'a, 'n>(
        &mut self,
        root: Node<'a, 'n>,
        place: impl Fn(Node<'a, 'n>) -> String,
        is_understood: impl Fn(Node<'a, 'n>, &str) -> bool,
    ) {
        for node in root.descendants().filter(Node::is_element) {
            if self.is_left(node) {
                continue;
            }
            let attributes = node.attributes();
            let unread = attributes.filter(|it| !self.read.contains(&it.range().start));
            let unread = unread.filter(|it| !is_understood(node, it.name()));
            let unread: Vec<usize> = unread.map(|it| it.range().start).collect();
            let Some(first) = unread.first() else {
                continue;
            };
            let line = self.line(*first);
            let names = unread.iter().filter_map(|it| self.sources.name(*it));
            let names: BTreeSet<String> = names.map(str::to_owned).collect();
            let entry = self.attributes.entry(place(node));
            let (all, count, _) = entry.or_insert((BTreeSet::new(), 0, line));
            all.extend(names);
            *count += 1;
        }
    }

    /// The line of a byte, `line 12`.
    pub fn line(&self, byte: usize) -> String {
        self.sources.line(byte)
    }

    /// An attribute, perhaps empty.
    pub fn word<'a>(&mut self, node: Node<'a, '_>, name: &str) -> Option<&'a str> {
        let attribute = node.attribute_node(name)?;
        self.touch(attribute);
        node.attribute(name).map(str::trim)
    }

    /// An attribute that must be there.
    pub fn required<'a>(&mut self, node: Node<'a, '_>, name: &str) -> Option<&'a str> {
        let found = self.word(node, name);
        if found.is_none_or(str::is_empty) {
            let tag = node.tag_name().name();
            let help = format!("write `<{tag} {name}=\"…\">`");
            self.wrong(
                start_tag(node),
                format!("`<{tag}>` has no `{name}`"),
                Some(&help),
            );
            return None;
        }
        found
    }

    /// Numbers of an attribute, with their texts.
    fn listed<'a>(&mut self, attribute: Attribute<'a, '_>) -> Option<Vec<(&'a str, f64)>> {
        self.touch(attribute);
        let words = attribute.value().split([' ', '\t', '\n', '\r', ',']);
        let mut numbers = Vec::new();
        for word in words.filter(|it| !it.is_empty()) {
            let message = match word.parse::<f64>() {
                Ok(number) if number.is_finite() => {
                    numbers.push((word, number));
                    continue;
                }
                Ok(_) => format!("`{word}` is not a finite number"),
                Err(_) if attribute.value().contains('$') => {
                    let message = format!("`{}` is an expression of xacro", attribute.value());
                    self.xacro(attribute.range_value(), &message);
                    return None;
                }
                Err(_) => format!("`{word}` is not a number"),
            };
            self.wrong(attribute.range_value(), message, None);
            return None;
        }
        Some(numbers)
    }

    /// Any number of numbers; `None` without the attribute or after a mistake.
    pub fn list(&mut self, node: Node<'_, '_>, name: &str) -> Option<Vec<f64>> {
        let attribute = node.attribute_node(name)?;
        Some(self.listed(attribute)?.into_iter().map(|it| it.1).collect())
    }

    /// One of the values that an attribute may have.
    pub fn choice<'a>(
        &mut self,
        node: Node<'a, '_>,
        name: &str,
        values: &[&str],
    ) -> Option<&'a str> {
        let word = self.word(node, name)?;
        if values.contains(&word) {
            return Some(word);
        }
        let message = format!("`{word}` is no value of `{name}`");
        let help = format!("the values are {}", values.join(", "));
        self.wrong(value_of(node, name), message, Some(&help));
        None
    }

    /// One to three coefficients of a polynomial.
    pub fn coefficients(&mut self, node: Node<'_, '_>, name: &str) -> Option<[f64; 3]> {
        let given = self.list(node, name)?;
        if given.is_empty() || given.len() > 3 {
            let message = format!(
                "`{name}` has {} numbers instead of one to three",
                given.len()
            );
            self.wrong(value_of(node, name), message, None);
            return None;
        }
        Some([0, 1, 2].map(|k| given.get(k).copied().unwrap_or(0.0)))
    }

    /// So many numbers; `None` without the attribute or after a mistake.
    pub fn numbers<const N: usize>(&mut self, node: Node<'_, '_>, name: &str) -> Option<[f64; N]> {
        Some(self.words(node, name)?.map(|it| it.1))
    }

    /// The same with their texts.
    pub fn words<'a, const N: usize>(
        &mut self,
        node: Node<'a, '_>,
        name: &str,
    ) -> Option<[(&'a str, f64); N]> {
        let attribute = node.attribute_node(name)?;
        let numbers = self.listed(attribute)?;
        let found = numbers.len();
        let numbers = <[(&str, f64); N]>::try_from(numbers).ok();
        if numbers.is_none() {
            let message = format!(
                "`{name}` has {found} {} instead of {N}",
                if found == 1 { "number" } else { "numbers" }
            );
            self.wrong(attribute.range_value(), message, None);
        }
        numbers
    }

    /// One number.
    pub fn number(&mut self, node: Node<'_, '_>, name: &str) -> Option<f64> {
        self.numbers(node, name).map(|[x]| x)
    }

    /// An angle in radians.
    pub fn radians(&mut self, node: Node<'_, '_>, name: &str) -> Option<Angle> {
        let [(word, number)] = self.words(node, name)?;
        Some(self.angle(node, word, number))
    }

    /// An angle as written, with a note if it is a multiple of π up to rounding, or nearly one.
    pub fn angle(&mut self, node: Node<'_, '_>, word: &str, radians: f64) -> Angle {
        let angle = Angle::written(word, radians);
        self.recognise(node, word, angle);
        if let Some((multiple, off)) = angle.almost_of_pi() {
            let line = self.line(node.range().start);
            let note = format!("{word} is almost {multiple}, but {off:.0e} off: it stays ({line})");
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        // A number whose neighbours are more than a turn away names no direction.
        if radians.abs() * f64::EPSILON > 1.0 {
            let message =
                format!("the angle {word} is too large for its digits to name a direction");
            self.wrong(start_tag(node), message, Some("write it within a turn"));
        }
        angle
    }

    /// Notes an angle that is a multiple of π but for rounding.
    pub fn recognise(&mut self, node: Node<'_, '_>, word: &str, angle: Angle) {
        if !angle.is_recognised() {
            return;
        }
        let key = (word.to_owned(), angle.text(true));
        if let Some(known) = self.places.get(&key) {
            self.recognised[*known].2 += 1;
            return;
        }
        let line = self.line(node.range().start);
        self.recognised
            .push((key.0.clone(), key.1.clone(), 1, line));
        self.places.insert(key, self.recognised.len() - 1);
    }
}

/// The first bytes of an element, up to its name.
pub fn start_tag(node: Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    start..start + 1 + node.tag_name().name().len()
}

/// The value of an attribute, or the start of its element.
pub fn value_of(node: Node<'_, '_>, name: &str) -> Range<usize> {
    node.attribute_node(name)
        .map_or_else(|| start_tag(node), |it| it.range_value())
}

fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = &text[start.min(text.len())..];
    start
        + rest
            .char_indices()
            .nth(column.saturating_sub(1))
            .map_or(rest.len(), |it| it.0)
}

/// The known name that is closest to a wrong one, as the end of a message.
pub fn among<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let length = name.chars().count();
    let closest = known
        .filter(|it| it.chars().count().abs_diff(length) <= length.div_ceil(3))
        .map(|it| (distance(name, it), it))
        .min()
        .filter(|it| it.0 <= length.div_ceil(3) && length > 2);
    match closest {
        Some((_, meant)) => format!("; did you mean `{meant}`?"),
        None => String::new(),
    }
}

/// Letters to insert, remove or replace.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
