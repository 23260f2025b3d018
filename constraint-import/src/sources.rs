//! The text of a file with the files that it includes, and the place from which each part comes.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Error, Node, ParsingOptions};

use crate::mistake::{Mistake, Origin, position};

/// Texts put together.
#[derive(Debug)]
pub struct Sources {
    /// One text, which is XML if each part is.
    pub text: String,
    pieces: Vec<Piece>,
    files: Vec<File>,
}

/// A part of a file.
#[derive(Debug)]
struct Piece {
    /// Its first byte in the whole text.
    start: usize,
    file: usize,
    /// Its first byte in the file.
    offset: usize,
}

#[derive(Debug)]
struct File {
    origin: Origin,
    text: String,
}

/// Files that include each other have no end.
const DEEPEST: usize = 32;

impl Sources {
    /// One file.
    pub fn one(text: &str, origin: Origin) -> Sources {
        Sources {
            text: with_whole_names(text),
            pieces: vec![Piece {
                start: 0,
                file: 0,
                offset: 0,
            }],
            files: vec![File {
                origin,
                text: text.to_owned(),
            }],
        }
    }

    /// A file of a robot, its `<include>` elements replaced by the files of a folder.
    ///
    /// # Errors
    /// An included file cannot be read, is not XML, or includes itself.
    pub fn with_included(text: &str, folder: &Path) -> Result<Sources, Mistake> {
        let mut sources = Sources {
            text: String::new(),
            pieces: Vec::new(),
            ..Sources::one(text, Origin::Robot)
        };
        match Document::parse(text) {
            Ok(document) if document.descendants().any(is_include) => {
                sources.append(0, 0..text.len(), folder, 0)?;
                Ok(sources)
            }
            // The reader reports what is wrong.
            _ => Ok(Sources::one(text, Origin::Robot)),
        }
    }

    /// Appends a part of a file.
    fn append(
        &mut self,
        file: usize,
        part: Range<usize>,
        folder: &Path,
        depth: usize,
    ) -> Result<(), Mistake> {
        let text = self.files[file].text.clone();
        let document = Document::parse(&text);
        let document = document
            .map_err(|error| self.mistake(file, 0..0, format!("not valid XML: {error}")))?;
        let mut next = part.start;
        for node in document.descendants().filter(|it| is_include(*it)) {
            let Some(name) = node.attribute("file") else {
                return Err(self.mistake(
                    file,
                    node.range(),
                    "`<include>` has no `file`".to_owned(),
                ));
            };
            let path = folder.join(name);
            self.piece(file, next..node.range().start);
            next = node.range().end;
            let included = fs::read_to_string(&path);
            let included = included.map_err(|error| {
                self.mistake(file, node.range(), format!("cannot read `{name}`: {error}"))
            })?;
            if depth == DEEPEST {
                return Err(self.mistake(
                    file,
                    node.range(),
                    format!("`{name}` includes itself, perhaps through other files"),
                ));
            }
            let inner = inside(&included);
            self.files.push(File {
                origin: Origin::Included(path),
                text: included,
            });
            self.append(self.files.len() - 1, inner, folder, depth + 1)?;
        }
        self.piece(file, next..part.end);
        Ok(())
    }

    fn piece(&mut self, file: usize, part: Range<usize>) {
        self.pieces.push(Piece {
            start: self.text.len(),
            file,
            offset: part.start,
        });
        self.text += &self.files[file].text[part];
    }

    fn mistake(&self, file: usize, range: Range<usize>, message: String) -> Mistake {
        let File { origin, text } = &self.files[file];
        let (line, column) = position(text, range.start);
        Mistake {
            message,
            help: None,
            range,
            line,
            column,
            origin: origin.clone(),
        }
    }

    /// A mistake in the whole text, at its place in the file from which it comes.
    pub fn located(&self, range: Range<usize>, message: String, help: Option<&str>) -> Mistake {
        let piece = self
            .pieces
            .iter()
            .rev()
            .find(|piece| piece.start <= range.start);
        let (file, offset, start) = piece.map_or((0, 0, 0), |it| (it.file, it.offset, it.start));
        let first = range.start - start + offset;
        let end = (first + range.len()).min(self.files[file].text.len());
        Mistake {
            help: help.map(str::to_owned),
            ..self.mistake(file, first..end, message)
        }
    }

    /// The name of the element whose tag begins at a byte of the whole text, with its prefix.
    pub fn tag(&self, byte: usize) -> Option<&str> {
        let place = self.located(byte..byte, String::new(), None);
        let file = self.files.iter().find(|it| it.origin == place.origin)?;
        let rest = file.text.get(place.range.start..)?.strip_prefix('<')?;
        rest.split(|it: char| it.is_whitespace() || it == '/' || it == '>')
            .next()
    }

    /// The files that the first one includes.
    pub fn included(&self) -> Vec<PathBuf> {
        let origins = self.files.iter().map(|it| &it.origin);
        let paths = origins.filter_map(|it| match it {
            Origin::Included(path) => Some(path.clone()),
            _ => None,
        });
        paths.collect()
    }

    /// The line of a byte of the whole text, in its file; with the name of an included one.
    pub fn line(&self, byte: usize) -> String {
        let found = self.located(byte..byte, String::new(), None);
        match &found.origin {
            Origin::Included(path) => {
                let name: PathBuf = path.file_name().map(PathBuf::from).unwrap_or_default();
                format!("line {} of {}", found.line, name.display())
            }
            _ => format!("line {}", found.line),
        }
    }
}

/// A prefix that is not declared, such as that of `<drake:joint>`, becomes a part of the name, `<drake_joint>`: XML without
/// namespaces. All places remain.
fn with_whole_names(text: &str) -> String {
    let mut text = text.to_owned();
    loop {
        let options = ParsingOptions {
            allow_dtd: true,
            ..ParsingOptions::default()
        };
        let prefix = match Document::parse_with_options(&text, options) {
            // The reader says that xacro must run first.
            Err(Error::UnknownNamespace(prefix, _)) if prefix != "xacro" => prefix,
            _ => return text,
        };
        let whole = without_colon(&text, &prefix);
        if whole == text {
            return text;
        }
        text = whole;
    }
}

/// Replaces the colon after a prefix of tags and attributes.
fn without_colon(text: &str, prefix: &str) -> String {
    let (mut whole, mut done) = (String::with_capacity(text.len()), 0);
    for (start, found) in text.match_indices(&format!("{prefix}:")) {
        let end = start + found.len();
        let is_tag = text[..start].ends_with('<') || text[..start].ends_with("</");
        let name = text[end..].find(|it: char| it == '=' || it.is_whitespace());
        let is_attribute = text[..start].ends_with(char::is_whitespace)
            && name.is_some_and(|it| text[end + it..].trim_start().starts_with('='));
        if is_tag || is_attribute {
            whole += &text[done..end - 1];
            whole.push('_');
            done = end;
        }
    }
    whole + &text[done..]
}

fn is_include(node: Node<'_, '_>) -> bool {
    node.has_tag_name("include")
}

/// The part of a file inside of its root.
fn inside(text: &str) -> Range<usize> {
    let Ok(document) = Document::parse(text) else {
        return 0..text.len();
    };
    let root = document.root_element();
    let first = root.first_child().map_or(0, |it| it.range().start);
    let last = root.last_child().map_or(first, |it| it.range().end);
    first..last
}
