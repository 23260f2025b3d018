//! The text of a file with the files that it includes, and the place from which each part comes.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use roxmltree::Node;

use crate::markup::{self, Refused, with_whole_names};
use crate::mistake::{Lines, Mistake, Origin};

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
    lines: Lines,
}

impl File {
    fn new(origin: Origin, text: String) -> File {
        let lines = Lines::of(&text);
        File {
            origin,
            text,
            lines,
        }
    }
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
            files: vec![File::new(origin, text.to_owned())],
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
        let whole = with_whole_names(text);
        match markup::parse(&whole) {
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
        let text = with_whole_names(&self.files[file].text);
        let document = markup::parse(&text).map_err(|refused| match refused {
            Refused::TooLarge(at, message) => self.mistake(file, at..at, message),
            Refused::Parser(error) => self.mistake(file, 0..0, format!("not valid XML: {error}")),
        })?;
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
            self.piece(file, &text, next..node.range().start);
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
            let inner = inside(&with_whole_names(&included));
            self.files.push(File::new(Origin::Included(path), included));
            self.append(self.files.len() - 1, inner, folder, depth + 1)?;
        }
        self.piece(file, &text, next..part.end);
        Ok(())
    }

    fn piece(&mut self, file: usize, text: &str, part: Range<usize>) {
        self.pieces.push(Piece {
            start: self.text.len(),
            file,
            offset: part.start,
        });
        self.text += &text[part];
    }

    fn mistake(&self, file: usize, range: Range<usize>, message: String) -> Mistake {
        let File {
            origin,
            text,
            lines,
        } = &self.files[file];
        let (line, column) = lines.position(text, range.start);
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
        let (file, first) = self.place(range.start);
        let end = (first + range.len()).min(self.files[file].text.len());
        Mistake {
            help: help.map(str::to_owned),
            ..self.mistake(file, first..end, message)
        }
    }

    /// The file from which a byte of the whole text comes, and its place there.
    fn place(&self, byte: usize) -> (usize, usize) {
        let after = self.pieces.partition_point(|piece| piece.start <= byte);
        let piece = after.checked_sub(1).map(|it| &self.pieces[it]);
        let (file, offset, start) = piece.map_or((0, 0, 0), |it| (it.file, it.offset, it.start));
        (file, byte - start + offset)
    }

    /// The name that begins at a byte of the whole text, with its prefix.
    pub fn name(&self, byte: usize) -> Option<&str> {
        let (file, first) = self.place(byte);
        let rest = self.files[file].text.get(first..)?;
        rest.split(|it: char| it.is_whitespace() || matches!(it, '/' | '>' | '='))
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
        let (file, first) = self.place(byte);
        let File { origin, lines, .. } = &self.files[file];
        let line = lines.line(first);
        match origin {
            Origin::Included(path) => {
                let name: PathBuf = path.file_name().map(PathBuf::from).unwrap_or_default();
                format!("line {line} of {}", name.display())
            }
            _ => format!("line {line}"),
        }
    }
}

fn is_include(node: Node<'_, '_>) -> bool {
    node.has_tag_name("include")
}

/// The part of a file inside of its root.
fn inside(text: &str) -> Range<usize> {
    let Ok(document) = markup::parse(text) else {
        return 0..text.len();
    };
    let root = document.root_element();
    let first = root.first_child().map_or(0, |it| it.range().start);
    let last = root.last_child().map_or(first, |it| it.range().end);
    first..last
}
