//! Names of a file as names of the language: identifiers of Rust, each once.

use std::collections::{HashMap, HashSet};

/// Keywords of Rust, and the names that the language keeps to itself.
const RESERVED: [&str; 56] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "PI", "TAU", "E",
    "t",
];

/// Gives names away, each once.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The number that the next name like this one tries first.
    next: HashMap<String, usize>,
    /// Names of the file that had to change: kind, old, new.
    pub renamed: Vec<(&'static str, String, String)>,
}

impl Names {
    /// Keeps a name for the text itself.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// The name of something in the file; `otherwise` is appended if it is taken.
    pub fn of(&mut self, kind: &'static str, name: &str, otherwise: &str) -> String {
        let given = self.fresh(&identifier(name, kind), otherwise);
        if given != name {
            self.renamed.push((kind, name.to_owned(), given.clone()));
        }
        given
    }

    /// A name that is not taken yet.
    pub fn fresh(&mut self, wanted: &str, otherwise: &str) -> String {
        for tried in [wanted.to_owned(), format!("{wanted}{otherwise}")] {
            if self.taken.insert(tried.clone()) {
                return tried;
            }
        }
        let number = self.next.entry(wanted.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{wanted}_{number}");
            *number += 1;
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

/// The identifier that is most like a name: `left-hip` is `left_hip`, `1st` is `_1st`, `type` is `type_`.
pub fn identifier(name: &str, otherwise: &str) -> String {
    let letters = name.trim().chars();
    let mut text: String = letters
        .map(|it| {
            if it.is_alphanumeric() || it == '_' {
                it
            } else {
                '_'
            }
        })
        .collect();
    if text.chars().all(|it| it == '_') {
        text = otherwise.to_owned();
    }
    if text.starts_with(|it: char| it.is_numeric()) {
        text.insert(0, '_');
    }
    if RESERVED.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// The name of a type: `two_link-arm` is `TwoLinkArm`.
pub fn type_name(name: &str) -> String {
    let words = name
        .split(|it: char| !it.is_alphanumeric())
        .filter(|it| !it.is_empty());
    let capital = |word: &str| {
        let mut letters = word.chars();
        let first: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        first + letters.as_str()
    };
    let text: String = words.map(capital).collect();
    match text.chars().next() {
        None => "Robot".to_owned(),
        Some(first) if first.is_numeric() => format!("Robot{text}"),
        Some(_) if RESERVED.contains(&text.as_str()) => format!("{text}Robot"),
        Some(_) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        let known = [
            ("left-hip", "left_hip"),
            ("1st", "_1st"),
            ("type", "type_"),
            ("t", "t_"),
            ("a b/c", "a_b_c"),
            ("Ellenbogen_übersetzt", "Ellenbogen_übersetzt"),
            ("--", "joint"),
        ];
        for (name, expected) in known {
            assert_eq!(identifier(name, "joint"), expected);
        }
    }

    #[test]
    fn equal_names_get_numbers() {
        let mut names = Names::default();
        assert_eq!(names.of("joint", "hip", ""), "hip");
        assert_eq!(names.of("link", "hip", "_link"), "hip_link");
        assert_eq!(names.of("joint", "left-hip", ""), "left_hip");
        assert_eq!(names.of("joint", "left_hip", ""), "left_hip_2");
        assert_eq!(names.renamed.len(), 3);
    }

    #[test]
    fn types_are_in_camel_case() {
        let known = [
            ("two_link", "TwoLink"),
            ("iiwa7", "Iiwa7"),
            ("2r", "Robot2r"),
            ("", "Robot"),
            ("Self", "SelfRobot"),
        ];
        for (name, expected) in known {
            assert_eq!(type_name(name), expected);
        }
    }
}
