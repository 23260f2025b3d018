//! XML before and while it is parsed: how large its elements are, undeclared prefixes, the stack that the parser needs.

use std::collections::HashSet;
use std::ops::Range;
use std::thread;

use roxmltree::{Document, Error, ParsingOptions};

/// Elements inside of each other.
const DEEPEST: usize = 12_000;
/// Attributes of one element; the parser compares each with each.
const MOST_ATTRIBUTES: usize = 1_000;
/// Bytes of a stack for an element in another one: twice what the parser takes, unoptimised.
const STACK_OF_AN_ELEMENT: usize = 12 << 10;
/// Elements inside of each other for which any stack is large enough.
const SHALLOW: usize = 64;
/// The parser expands entities in entities up to this depth.
const NESTED_ENTITIES: usize = 10;

/// The reason why a text has no tree.
pub enum Refused {
    /// An element that is too large: its first byte, and the fact.
    TooLarge(usize, String),
    /// The text is not XML.
    Parser(Error),
}

/// The tree of a text.
///
/// # Errors
/// The text is not XML, or its elements are nested too deeply or have too many attributes.
pub fn parse(text: &str) -> Result<Document<'_>, Refused> {
    let depth = checked_depth(text)?;
    let options = || ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let parsed = || Document::parse_with_options(text, options());
    if depth <= SHALLOW {
        return parsed().map_err(Refused::Parser);
    }
    // The parser calls itself for each element in another one.
    let stack = (1 << 20) + depth * STACK_OF_AN_ELEMENT;
    let on_own_stack = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(stack);
        let thread = builder.spawn_scoped(scope, parsed).ok()?;
        thread.join().ok()
    });
    let refused = || {
        let message =
            format!("{depth} elements are inside of each other, too many for this machine");
        Refused::TooLarge(0, message)
    };
    on_own_stack.ok_or_else(refused)?.map_err(Refused::Parser)
}

/// The number of elements inside of each other, at most.
fn checked_depth(text: &str) -> Result<usize, Refused> {
    let entities = if text.contains("<!ENTITY") {
        NESTED_ENTITIES
    } else {
        1
    };
    let (mut depth, mut deepest) = (0_usize, 0);
    for tag in tags(text) {
        if tag.attributes.len() > MOST_ATTRIBUTES {
            let message = format!(
                "`<{}>` has {} attributes; at most {MOST_ATTRIBUTES} are read",
                &text[tag.name],
                tag.attributes.len()
            );
            return Err(Refused::TooLarge(tag.start, message));
        }
        match tag.kind {
            TagKind::Open => depth += 1,
            TagKind::Close => depth = depth.saturating_sub(1),
            TagKind::Empty => {}
        }
        deepest = deepest.max(depth);
        if deepest * entities > DEEPEST {
            let message = format!("more than {DEEPEST} elements are inside of each other");
            return Err(Refused::TooLarge(tag.start, message));
        }
    }
    Ok(deepest * entities)
}

/// A text in which undeclared prefixes are parts of names: `<drake:joint>` becomes `<drake_joint>`, XML without
/// namespaces. All places remain. The prefix of xacro stays, so that the reader recognises it.
pub fn with_whole_names(text: &str) -> String {
    let mut whole = text.as_bytes().to_vec();
    let declared = declared(text);
    let names = tags(text).flat_map(|tag| [vec![tag.name], tag.attributes].concat());
    for name in names {
        if let Some((prefix, _)) = text[name.clone()].split_once(':')
            && !declared.contains(prefix)
        {
            whole[name.start + prefix.len()] = b'_';
        }
    }
    // One byte of ASCII has taken the place of another one.
    String::from_utf8(whole).unwrap_or_else(|_| text.to_owned())
}

/// The prefixes that a text declares, and those that no text must.
fn declared(text: &str) -> HashSet<&str> {
    let mut declared = HashSet::from(["xml", "xmlns", "xacro"]);
    for attribute in tags(text).flat_map(|tag| tag.attributes) {
        declared.extend(text[attribute].strip_prefix("xmlns:"));
    }
    declared
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagKind {
    Open,
    Close,
    Empty,
}

/// A tag by the places of its names.
#[derive(Debug)]
struct Tag {
    start: usize,
    kind: TagKind,
    name: Range<usize>,
    attributes: Vec<Range<usize>>,
}

/// All tags of a text, also of one that is not quite XML; those in declarations of entities, too.
fn tags(text: &str) -> impl Iterator<Item = Tag> {
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let start = next + text.get(next..)?.find('<')?;
            let rest = &text[start..];
            let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
            let skipped = skipped.iter().find(|it| rest.starts_with(it.0));
            if let Some((begin, end)) = skipped {
                let length = rest[begin.len()..].find(end)?;
                next = start + begin.len() + length + end.len();
            } else if rest.starts_with("<!") {
                next = start + 2;
            } else {
                let (tag, end) = tag(text, start);
                next = end;
                return Some(tag);
            }
        }
    })
}

/// The tag that begins at a byte, and the byte after it.
fn tag(text: &str, start: usize) -> (Tag, usize) {
    let bytes = text.as_bytes();
    let until = |from: usize, is_end: &dyn Fn(u8) -> bool| {
        let found = bytes[from..].iter().position(|it| is_end(*it));
        found.map_or(bytes.len(), |it| from + it)
    };
    let ends_name = |it: u8| it.is_ascii_whitespace() || matches!(it, b'/' | b'>' | b'=' | b'<');
    let is_close = bytes.get(start + 1) == Some(&b'/');
    let first = start + 1 + usize::from(is_close);
    let mut at = until(first, &ends_name);
    let mut tag = Tag {
        start,
        kind: if is_close {
            TagKind::Close
        } else {
            TagKind::Open
        },
        name: first..at,
        attributes: Vec::new(),
    };
    loop {
        at = until(at, &|it| !it.is_ascii_whitespace());
        match bytes.get(at) {
            Some(b'>') => return (tag, at + 1),
            Some(b'/') => {
                tag.kind = TagKind::Empty;
                at += 1;
            }
            Some(quote @ (b'"' | b'\'')) => {
                at = (until(at + 1, &|it| it == *quote) + 1).min(bytes.len())
            }
            Some(b'=') => at += 1,
            Some(b'<') | None => return (tag, at),
            Some(_) => {
                let end = until(at, &|it| ends_name(it) || matches!(it, b'"' | b'\''));
                tag.attributes.push(at..end);
                at = end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_declared_prefixes() {
        let text = "<a xmlns:b='u'><b:c d:e='d:f'/><d:g>d:h</d:g><!-- <d:i/> --></a>";
        let whole = text.replace("d:e", "d_e").replace("d:g", "d_g");
        assert_eq!(with_whole_names(text), whole);
    }

    /// Deeper documents than any stack of the parser allows give a tree or a message, on a small stack as well.
    #[test]
    fn deep_elements_are_parsed_or_refused() {
        let nested = |count: usize| "<a>".repeat(count) + &"</a>".repeat(count);
        let small = thread::Builder::new().stack_size(256 << 10);
        let test = small.spawn(move || {
            assert!(parse(&nested(DEEPEST)).is_ok());
            let deeper = nested(DEEPEST + 1);
            let refused = parse(&deeper);
            assert!(matches!(refused, Err(Refused::TooLarge(place, _)) if place == 3 * DEEPEST));
        });
        test.expect("a thread").join().expect("no overflow");
    }
}
