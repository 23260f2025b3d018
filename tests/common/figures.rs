//! The figures of the examples, as a browser reads them: something is drawn in each panel, it fills its frame, and the text
//! is large enough.

use std::fs;

use roxmltree::{Document, Node};

/// The width at which figures are shown, and the smallest text there, in pixels.
const SHOWN: f64 = 700.0;
const SMALLEST: f64 = 11.0;
/// A small width of a letter, relative to the size of the text.
const LETTER: f64 = 0.5;

/// The figure that an example has drawn is readable, and it is the one that the book shows; `BOOK=write` puts it there, to
/// be looked at.
pub fn is_in_the_gallery(name: &str) {
    let drawn = readable(name);
    compare(&format!("docs/gallery/{name}.svg"), &drawn);
}

/// The same for a figure that may differ from the one in the book.
#[allow(dead_code, reason = "one room has such a figure")]
pub fn is_readable(name: &str) {
    let drawn = readable(name);
    let there = fs::read_to_string(format!("docs/gallery/{name}.svg")).unwrap_or_default();
    let elements = |figure: &str| figure.matches("<path").count();
    if std::env::var_os("BOOK").is_some() || elements(&there) != elements(&drawn) {
        compare(&format!("docs/gallery/{name}.svg"), &drawn);
    }
}

fn readable(name: &str) -> String {
    let drawn = fs::read_to_string(format!("target/{name}.svg")).expect("a figure");
    let faults = faults(&drawn);
    assert!(faults.is_empty(), "{name}:\n{}", faults.join("\n"));
    drawn
}

/// Compares a file with what belongs into it; `BOOK=write` puts it there.
pub fn compare(path: &str, expected: &str) {
    if std::env::var_os("BOOK").is_some() {
        fs::write(path, expected).expect("the file is written");
        return;
    }
    let there = fs::read_to_string(path).unwrap_or_default();
    let mut lines = there.lines().chain([""]).zip(expected.lines().chain([""]));
    let differing = lines.find(|(there, expected)| there != expected);
    let (found, needed) = differing.unwrap_or_default();
    assert!(
        there == expected,
        "BOOK=write writes {path}; the first difference:\n{found}\n{needed}"
    );
}

/// Everything that a reader of a figure would object to.
pub fn faults(figure: &str) -> Vec<String> {
    let document = match Document::parse(figure) {
        Ok(document) => document,
        Err(error) => return vec![format!("no XML: {error}")],
    };
    let root = document.root_element();
    let mut faults = Vec::new();
    let width = match root.attribute("viewBox").map(numbers).as_deref() {
        Some([_, _, width, _]) => *width,
        _ => return vec!["no viewBox".to_owned()],
    };
    let texts: Vec<Text<'_>> = root
        .descendants()
        .filter_map(|it| Text::new(it, width))
        .collect();
    for (i, text) in texts.iter().enumerate() {
        faults.extend(text.fault(width));
        let over = texts[..i].iter().filter(|it| it.overlaps(text));
        faults.extend(over.map(|it| format!("`{}` is over `{}`", text.content, it.content)));
    }
    let panels = || root.descendants().filter(|it| is(it, "panel"));
    if panels().count() == 0 {
        faults.push("no panel".to_owned());
    }
    faults.extend(panels().filter_map(|it| panel_fault(&it)));
    if !figure.contains("prefers-color-scheme:dark") {
        faults.push("not for dark pages".to_owned());
    }
    faults
}

fn is(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class") == Some(class)
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_default();
    text.parse().unwrap_or(f64::NAN)
}

fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
    parts.filter_map(|it| it.parse().ok()).collect()
}

struct Text<'a> {
    content: &'a str,
    size: f64,
    /// Left, right, top and bottom.
    extent: [f64; 4],
}

impl<'a> Text<'a> {
    fn new(node: Node<'a, '_>, width: f64) -> Option<Self> {
        let content = node.text().filter(|_| node.has_tag_name("text"))?;
        let sizes = node.ancestors().find_map(|it| it.attribute("font-size"));
        let size: f64 = sizes?.parse().ok()?;
        let long = LETTER * size * content.chars().count() as f64;
        let before = match node.attribute("text-anchor") {
            Some("middle") => 0.5 * long,
            Some("end") => long,
            _ => 0.0,
        };
        let high = 0.7 * size;
        let extent = match node.attribute("transform").map(numbers).as_deref() {
            // Turned to the left.
            Some(&[x, y, _]) => [x - high, x, y + before - long, y + before],
            _ => {
                let [x, y] = [number(&node, "x"), number(&node, "y")];
                [x - before, x - before + long, y - high, y]
            }
        };
        let size = size * SHOWN / width;
        Some(Self {
            content,
            size,
            extent,
        })
    }

    fn fault(&self, width: f64) -> Option<String> {
        let Self { content, size, .. } = self;
        if *size < SMALLEST {
            return Some(format!("`{content}` is {size:.1} pixels high"));
        }
        let [left, right, ..] = self.extent;
        (left < 0.0 || right > width).then(|| format!("`{content}` leaves the figure"))
    }

    fn overlaps(&self, other: &Self) -> bool {
        let [left, right, top, bottom] = self.extent;
        let [left2, right2, top2, bottom2] = other.extent;
        left < right2 && left2 < right && top < bottom2 && top2 < bottom
    }
}

/// A panel without lines, whose lines leave the frame or fill less than half of both its width and its height.
fn panel_fault(panel: &Node<'_, '_>) -> Option<String> {
    let title = panel
        .descendants()
        .find_map(|it| it.text().filter(|_| it.has_tag_name("text")));
    let title = title.unwrap_or("a panel without title");
    let frame = panel.descendants().find(|it| is(it, "frame"));
    let Some(frame) = frame else {
        return Some(format!("{title}: no frame"));
    };
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|it| number(&frame, it));
    let data = panel.descendants().filter(|it| is(it, "data"));
    let (mut low, mut high) = ([f64::MAX; 2], [f64::MIN; 2]);
    for node in data.flat_map(|it| it.descendants()) {
        for point in points(&node) {
            for i in 0..2 {
                low[i] = low[i].min(point[i]);
                high[i] = high[i].max(point[i]);
            }
        }
    }
    if low[0] > high[0] {
        return Some(format!("{title}: nothing is drawn"));
    }
    let inside = low[0] > x - 1.0
        && low[1] > y - 1.0
        && high[0] < x + width + 1.0
        && high[1] < y + height + 1.0;
    if !inside {
        return Some(format!("{title}: {low:?} to {high:?} leaves the frame"));
    }
    let filled = [(high[0] - low[0]) / width, (high[1] - low[1]) / height];
    (filled[0].max(filled[1]) < 0.5).then(|| format!("{title}: {filled:?} of the frame is filled"))
}

/// All points of a path, at all times.
fn points(node: &Node<'_, '_>) -> Vec<[f64; 2]> {
    let moving = node.attribute("attributeName") == Some("d");
    let paths = [
        node.attribute("d"),
        node.attribute("values").filter(|_| moving),
    ];
    let paths = paths
        .into_iter()
        .flatten()
        .flat_map(|it| it.split(['M', ';']));
    // A dot is a line without length.
    let numbers = paths.map(|it| numbers(&it.replace("h0", "")));
    numbers
        .flat_map(|it| {
            it.chunks_exact(2)
                .map(|it| [it[0], it[1]])
                .collect::<Vec<_>>()
        })
        .collect()
}
