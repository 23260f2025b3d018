//! XML with positions: attributes and numbers, mistakes, and a list of what nobody reads.

use std::collections::BTreeMap;
use std::ops::Range;

use roxmltree::{Attribute, Document, Node, ParsingOptions};

use crate::mistake::Mistake;
use crate::number::Angle;
use crate::sources::Sources;

/// Collects mistakes and ignored elements while a file is read.
#[derive(Debug)]
pub struct Reader<'t> {
    sources: &'t Sources,
    /// What is wrong.
    pub mistakes: Vec<Mistake>,
    /// Elements that are not taken over: how many, and the first line.
    pub ignored: BTreeMap<String, (usize, String)>,
    /// Sentences about what is taken over in another form.
    pub notes: Vec<String>,
    /// Angles that are multiples of π but for rounding: as written, as understood, how often, the first line.
    pub recognised: Vec<(String, String, usize, String)>,
}

impl<'t> Reader<'t> {
    /// Reads a file, or the second file with the loops.
    pub fn new(sources: &'t Sources) -> Reader<'t> {
        Reader {
            sources,
            mistakes: Vec::new(),
            ignored: BTreeMap::new(),
            notes: Vec::new(),
            recognised: Vec::new(),
        }
    }

    /// The tree of the text.
    ///
    /// # Errors
    /// The text is empty, a xacro file, or not XML.
    pub fn document(&mut self) -> Option<Document<'t>> {
        let text = &self.sources.text;
        if text.trim().is_empty() {
            self.wrong(
                0..0,
                "the file is empty",
                Some("a robot is an XML file with the root `<robot>` (URDF) or `<mujoco>` (MJCF)"),
            );
            return None;
        }
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        match Document::parse_with_options(text, options) {
            Ok(document) => {
                let root = document.root_element();
                let xacro = root.children().find(|it| {
                    it.tag_name()
                        .namespace()
                        .is_some_and(|it| it.contains("xacro"))
                });
                if let Some(node) = xacro {
                    self.xacro(
                        start_tag(node),
                        "this is a xacro file, whose macros are not expanded yet",
                    );
                    return None;
                }
                Some(document)
            }
            Err(roxmltree::Error::UnknownNamespace(prefix, at)) if prefix == "xacro" => {
                let start = byte_at(text, at.row as usize, at.col as usize);
                self.xacro(
                    start..start,
                    "this is a xacro file, whose macros are not expanded yet",
                );
                None
            }
            Err(error) => {
                let at = error.pos();
                let start = byte_at(text, at.row as usize, at.col as usize);
                let message = error.to_string();
                let place = format!(" at {}:{}", at.row, at.col);
                self.wrong(
                    start..start,
                    format!("not valid XML: {}", message.replace(&place, "")),
                    None,
                );
                None
            }
        }
    }

    fn xacro(&mut self, range: Range<usize>, message: &str) {
        self.wrong(
            range,
            message,
            Some("run xacro first: `xacro robot.urdf.xacro > robot.urdf`"),
        );
    }

    /// Adds a mistake.
    pub fn wrong(&mut self, range: Range<usize>, message: impl Into<String>, help: Option<&str>) {
        let mistake = self.sources.located(range, message.into(), help);
        self.mistakes.push(mistake);
    }

    /// Adds an element that is not taken over.
    pub fn ignore(&mut self, node: Node<'_, '_>) {
        let start = node.range().start;
        let line = self.line(start);
        let name = self.sources.tag(start).unwrap_or(node.tag_name().name());
        self.ignore_named(format!("<{name}>"), line);
    }

    /// Adds anything that is not taken over.
    pub fn ignore_named(&mut self, name: String, line: String) {
        self.ignored.entry(name).or_insert((0, line)).0 += 1;
    }

    /// The line of a byte, `line 12`.
    pub fn line(&self, byte: usize) -> String {
        self.sources.line(byte)
    }

    /// An attribute that must be there.
    pub fn required<'a>(&mut self, node: Node<'a, '_>, name: &str) -> Option<&'a str> {
        let found = node.attribute(name).map(str::trim);
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
        let words: Vec<&str> = attribute
            .value()
            .split([' ', '\t', '\n', '\r', ','])
            .filter(|it| !it.is_empty())
            .collect();
        let mut numbers = Vec::new();
        for word in words {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push((word, number)),
                Ok(_) => {
                    self.wrong(
                        attribute.range_value(),
                        format!("`{word}` is not a finite number"),
                        None,
                    );
                    return None;
                }
                Err(_) if attribute.value().contains('$') => {
                    let message = format!("`{}` is an expression of xacro", attribute.value());
                    self.xacro(attribute.range_value(), &message);
                    return None;
                }
                Err(_) => {
                    self.wrong(
                        attribute.range_value(),
                        format!("`{word}` is not a number"),
                        None,
                    );
                    return None;
                }
            }
        }
        Some(numbers)
    }

    /// Any number of numbers; `None` without the attribute or after a mistake.
    pub fn list(&mut self, node: Node<'_, '_>, name: &str) -> Option<Vec<f64>> {
        let attribute = node.attribute_node(name)?;
        Some(self.listed(attribute)?.into_iter().map(|it| it.1).collect())
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

    /// An angle as written, with a note if it is a rounded multiple of π.
    pub fn angle(&mut self, node: Node<'_, '_>, word: &str, radians: f64) -> Angle {
        let angle = Angle::written(word, radians);
        self.recognise(node, word, angle);
        angle
    }

    /// Notes an angle that is a multiple of π but for rounding.
    pub fn recognise(&mut self, node: Node<'_, '_>, word: &str, angle: Angle) {
        if !angle.is_recognised() {
            return;
        }
        let meant = angle.text(true);
        let line = self.line(node.range().start);
        match self
            .recognised
            .iter_mut()
            .find(|it| it.0 == word && it.1 == meant)
        {
            Some(known) => known.2 += 1,
            None => self.recognised.push((word.to_owned(), meant, 1, line)),
        }
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
pub fn among(name: &str, known: &[String]) -> String {
    let closest = known
        .iter()
        .map(|it| (distance(name, it), it))
        .min()
        .filter(|it| it.0 <= name.chars().count().div_ceil(3) && name.chars().count() > 2);
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
