//! The calls that stand in this repository's sources.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

use super::Listed;

/// All Rust files below, in order.
fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder");
        let mut inside: Vec<PathBuf> = entries.map(|it| it.expect("an entry").path()).collect();
        inside.sort();
        inside.iter().for_each(|it| files(it, found));
    } else if path.extension().is_some_and(|it| it == "rs") {
        found.push(path.to_owned());
    }
}

/// The arguments of all calls of a macro, those in the arguments of others included.
fn arguments(tokens: TokenStream, name: &str, found: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (i, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let called = match &tokens[..i] {
            [.., TokenTree::Ident(before), TokenTree::Punct(mark)] => {
                before == name && mark.as_char() == '!'
            }
            _ => false,
        };
        if called {
            found.push(group.stream());
        } else {
            arguments(group.stream(), name, found);
        }
    }
}

/// Where the workspace lies.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

type Made = fn(TokenStream) -> Option<Listed>;

/// All constraints and curves that are valid, with the file that each stands in; in the packed crate only those of its
/// own.
pub fn calls() -> Vec<(String, Listed)> {
    const FOLDERS: [&str; 4] = [
        "constraint-macros/symbolic/joints",
        "constraint-runtime/src",
        "examples",
        "tests",
    ];
    let kinds: [(&str, Made); 2] = [("constraint", Listed::constraint), ("curve", Listed::curve)];
    calls_in(&FOLDERS, &kinds)
}

/// The systems of the examples, or of everything.
pub fn systems(all: bool) -> Vec<(String, Listed)> {
    let folders: &[&str] = if all {
        &["constraint-runtime/src", "examples", "tests"]
    } else {
        &["examples"]
    };
    calls_in(folders, &[("system", Listed::system)])
}

fn calls_in(folders: &[&str], kinds: &[(&str, Made)]) -> Vec<(String, Listed)> {
    let root = root();
    let mut sources = Vec::new();
    for folder in folders {
        let folder = root.join(folder);
        if folder.exists() {
            files(&folder, &mut sources);
        }
    }
    let mut calls = Vec::new();
    for source in sources {
        let text = fs::read_to_string(&source).expect("a source");
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        let place = source.strip_prefix(&root).unwrap_or(&source);
        let place = place.display().to_string();
        if place.contains("symbolic/joints") {
            calls.extend(Listed::constraint(tokens).map(|it| (place, it)));
            continue;
        }
        for &(name, listed) in kinds {
            let mut found = Vec::new();
            arguments(tokens.clone(), name, &mut found);
            let valid = found.into_iter().filter_map(listed);
            calls.extend(valid.map(|it| (place.clone(), it)));
        }
    }
    calls
}
