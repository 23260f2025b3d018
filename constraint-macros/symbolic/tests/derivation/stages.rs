//! The stages of the engine only look forward: a module uses those before it.

use std::fs;
use std::path::{Path, PathBuf};

/// From what knows nothing of the others to what knows them all.
const ORDER: [&str; 24] = [
    "expr",
    "diagnostic",
    "syntax",
    "kinematics",
    "diff",
    "model",
    "schedule",
    "families",
    "solve",
    "check",
    "dynamics",
    "constraint",
    "system",
    "curve",
    "formula",
    "function",
    "interpret",
    "certify",
    "emit",
    "compile",
    "call",
    "export",
    "explanation",
    "listing",
];

fn place(module: &str) -> usize {
    let place = ORDER.iter().position(|it| *it == module);
    place.unwrap_or_else(|| panic!("`{module}` has no place among the stages"))
}

/// All Rust files below.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("the engine's sources");
    entries
        .flat_map(|it| files(&it.expect("an entry").path()))
        .collect()
}

#[test]
fn a_module_uses_those_before_it() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in files(&sources) {
        let inside = file
            .strip_prefix(&sources)
            .expect("a path below")
            .with_extension("");
        let module = inside
            .iter()
            .next()
            .and_then(|it| it.to_str())
            .expect("a module");
        if module == "lib" {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source");
        // Tests of a module stand at its end, and may use all others.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for used in code.split("crate::").skip(1) {
            let name = |c: char| c.is_ascii_lowercase() || c == '_';
            let used = used.split(|c| !name(c)).next().unwrap_or_default();
            let forward = used == module || place(used) < place(module);
            assert!(forward, "{}: `{module}` uses `{used}`", inside.display());
        }
    }
}
