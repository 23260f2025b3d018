//! The stages of the engine only look forward: a module uses those before it.

use std::fs;
use std::path::{Path, PathBuf};

/// From what knows nothing of the others to what knows them all.
const ORDER: [&str; 29] = [
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
    "undefined",
    "constraint",
    "system",
    "curve",
    "formula",
    "function",
    "planted",
    "panicked",
    "code",
    "interpret",
    "certify",
    "emit",
    "macros",
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
pub fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("the engine's sources");
    entries
        .flat_map(|it| files(&it.expect("an entry").path()))
        .collect()
}

/// A source without its comments and its tests, which are at its end and may use everything.
pub fn code_of(source: &str) -> String {
    let code = source
        .split("#[cfg(test)]\nmod ")
        .next()
        .unwrap_or_default();
    let lines = code.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A file of the engine, and the room that it is in.
#[derive(Clone)]
struct Module {
    file: PathBuf,
    room: String,
}

/// Every file with each room that it uses.
fn uses() -> Vec<(Module, String)> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = Vec::new();
    for file in files(&sources) {
        let inside = file.strip_prefix(&sources).expect("a path below");
        let room = inside.with_extension("");
        let room = room.iter().next().and_then(|it| it.to_str());
        let module = Module {
            file: inside.to_owned(),
            room: room.expect("a module").to_owned(),
        };
        if module.room == "lib" {
            continue;
        }
        let code = code_of(&fs::read_to_string(&file).expect("a source"));
        for used in code.split("crate::").skip(1) {
            let name = |c: char| c.is_ascii_lowercase() || c == '_';
            let used = used.split(|c| !name(c)).next().unwrap_or_default();
            uses.push((module.clone(), used.to_owned()));
        }
    }
    uses
}

/// Rooms that are libraries, with all that they use.
const LIBRARIES: [(&str, &[&str]); 2] = [("expr", &[]), ("families", &["expr", "schedule"])];

#[test]
fn a_library_knows_nothing_of_mechanics() {
    for (module, used) in uses() {
        let library = LIBRARIES
            .iter()
            .find(|(library, _)| *library == module.room);
        let known = library.is_none_or(|(own, known)| used == *own || known.contains(&&*used));
        assert!(known, "{}: a library uses `{used}`", module.file.display());
    }
}

#[test]
fn a_module_uses_those_before_it() {
    for (module, used) in uses() {
        let forward = used == module.room || place(&used) < place(&module.room);
        let (file, room) = (module.file.display(), &module.room);
        assert!(forward, "{file}: `{room}` uses `{used}`");
    }
}
