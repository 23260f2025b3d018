//! The calls in texts of this repository: of the README, of the book, of examples.

use std::collections::BTreeSet;
use std::fs;

use constraint_symbolic::call::{Call, calls};
use constraint_symbolic::export::Target;
use proc_macro2::TokenStream;

use crate::exported::Case;
use crate::random::Random;

/// Texts of Rust: all of a file, or of a page the blocks that compile.
fn sources(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a text");
    if path.ends_with(".rs") {
        return vec![text];
    }
    let blocks = text.split("```rust").skip(1);
    let blocks = blocks.filter_map(|it| it.split_once('\n'));
    let blocks = blocks.filter(|it| !it.0.contains("compile_fail"));
    let shown = |line: &str| line.strip_prefix("# ").unwrap_or(line).to_owned();
    let blocks = blocks.map(|(_, rest)| {
        let block = rest.split("```").next().unwrap_or_default();
        block.lines().map(shown).collect::<Vec<String>>().join("\n")
    });
    blocks.collect()
}

/// The calls in a text; those that macros of one's own write are no calls yet.
fn calls_in(text: &str) -> Vec<Call> {
    let macros = ["constraint!", "curve!", "system!"];
    if !macros.iter().any(|it| text.contains(it)) {
        return Vec::new();
    }
    let tokens: TokenStream = text.parse().expect("Rust");
    // Where no call is found, all of the text is taken for one.
    let all = tokens.to_string();
    let is_call = |it: &Call| it.body.to_string() != all && !it.tokens().to_string().contains('$');
    calls(tokens).into_iter().filter(is_call).collect()
}

/// The files of a folder, by the end of their names.
pub fn files(folder: &str, end: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|it| it.expect("an entry").path().display().to_string());
    let mut paths: Vec<String> = paths.filter(|it| it.ends_with(end)).collect();
    paths.sort();
    paths
}

/// The README's and all pages of the book, from a folder that ends with a slash.
pub fn book(root: &str) -> Vec<String> {
    let crates = [
        "",
        "constraint-runtime/",
        "constraint-macros/",
        "constraint-macros/symbolic/",
    ];
    let readmes = crates.iter().map(|it| format!("{root}{it}README.md"));
    readmes
        .chain(files(&format!("{root}docs"), ".md"))
        .collect()
}

/// The examples, from a folder that ends with a slash.
pub fn examples(root: &str) -> Vec<String> {
    let folders = ["examples", "examples/with_crates/src/bin"];
    let files = folders.map(|it| files(&format!("{root}{it}"), ".rs"));
    files.concat()
}

/// All calls of some files, each once, exported in the languages.
pub fn cases(room: &str, paths: &[String], languages: &[Target]) -> Vec<Case> {
    let (mut seen, mut cases) = (BTreeSet::new(), Vec::new());
    for call in paths
        .iter()
        .flat_map(|it| sources(it))
        .flat_map(|it| calls_in(&it))
    {
        if seen.insert(call.tokens().to_string()) {
            let name = format!("{}{}", room.to_uppercase(), cases.len());
            let mut random = Random::new(cases.len() as u64);
            cases.push(Case::new(&call, &name, &mut random, languages));
        }
    }
    cases
}
