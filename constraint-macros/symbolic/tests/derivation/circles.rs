//! Rooms of the engine whose files use each other without circles: each can be read with those that it uses, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::stages::{code_of, files};

/// A room of which this holds stays so.
const ROOMS: [&str; 11] = [
    "check",
    "constraint",
    "curve",
    "diagnostic",
    "diff",
    "dynamics",
    "explanation",
    "families",
    "function",
    "solve",
    "system",
];

type Module = Vec<String>;

/// The modules of a room with their code.
fn modules(room: &str) -> BTreeMap<Module, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let module = |file: &Path| {
        let inside = file.strip_prefix(&sources).expect("a path below");
        let parts = inside.with_extension("");
        let parts = parts.iter().map(|it| it.to_string_lossy().into_owned());
        parts.filter(|it| it != "mod").collect::<Module>()
    };
    let files = files(&sources.join(room)).into_iter();
    let read = |file: &Path| fs::read_to_string(file).expect("a source");
    files
        .map(|file| (module(&file), code_of(&read(&file))))
        .collect()
}

/// The modules that the path, or the list of paths, at the beginning of a text leads to from a module.
fn led_to(
    modules: &BTreeMap<Module, String>,
    from: &Module,
    path: &str,
    found: &mut BTreeSet<Module>,
) {
    if let Some(list) = path.strip_prefix('{') {
        let (mut depth, mut start) = (0, 0);
        for (at, character) in list.char_indices() {
            match character {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    led_to(modules, from, list[start..at].trim(), found);
                    start = at + 1;
                    if character == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (first, rest) = path.split_at(path.find(|c| !name(c)).unwrap_or(path.len()));
    let mut next = from.clone();
    next.push(first.to_owned());
    match rest.strip_prefix("::") {
        _ if first.is_empty() => {}
        Some(rest) if modules.contains_key(&next) => led_to(modules, &next, rest, found),
        _ if modules.contains_key(&next) => drop(found.insert(next)),
        _ => drop(found.insert(from.clone())),
    }
}

/// The modules of its room that a module uses.
fn used(modules: &BTreeMap<Module, String>, module: &Module, code: &str) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let whole = format!("crate::{}::", module[0]);
    for rest in code.split(&whole).skip(1) {
        led_to(modules, &module[..1].to_vec(), rest, &mut found);
    }
    let mut rest = code;
    while let Some(at) = rest.find("super::") {
        let mut base = module.clone();
        rest = &rest[at..];
        while let Some(further) = rest.strip_prefix("super::") {
            base.pop();
            rest = further;
        }
        led_to(modules, &base, rest, &mut found);
    }
    // A module's own children.
    for (at, _) in code.match_indices("::") {
        let before = &code[..at];
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let start = start.map_or(0, |at| at + 1);
        if !before[..start].ends_with(':') {
            let mut child = module.clone();
            child.push(before[start..].to_owned());
            found.extend(Some(child).filter(|child| modules.contains_key(child)));
        }
    }
    found.remove(module);
    found
}

/// The modules that are part of a circle, or use one that is.
fn in_circles(room: &str) -> Vec<(Module, BTreeSet<Module>)> {
    let modules = modules(room);
    let uses = |(module, code): (&Module, &String)| (module.clone(), used(&modules, module, code));
    let mut left: Vec<(Module, BTreeSet<Module>)> = modules.iter().map(uses).collect();
    loop {
        let known: BTreeSet<Module> = left.iter().map(|it| it.0.clone()).collect();
        let before = left.len();
        left.retain(|(_, used)| !used.is_disjoint(&known));
        if left.len() == before {
            return left;
        }
    }
}

#[test]
fn files_of_a_room_use_each_other_without_circles() {
    for room in ROOMS {
        let circles = in_circles(room);
        assert!(circles.is_empty(), "circles in {room}: {circles:#?}");
    }
}

#[test]
fn a_circle_is_found() {
    // Expressions call functions, whose values are expressions.
    let circles = in_circles("expr");
    let part_of = |name: &str| circles.iter().any(|(module, _)| module.join("::") == name);
    assert!(part_of("expr::graph") && part_of("expr::function"));
}
