//! What users compile: the engine has no code of std's that is copied, at great length, for every type that it is used with.

use std::fs;
use std::path::Path;

use super::stages::{code_of, files};

/// What the engine's code may contain, how often at most, and what takes its place. An instance of std's maps is 5,573 lines of IR,
/// of a stable sort 2,825, of `flat_map` with `collect` 1,333, of a `collect` 515.
const MOST: [(&str, usize, &str); 10] = [
    ("BTreeMap", 0, "expr::SortedMap"),
    ("BTreeSet", 0, "expr::SortedSet"),
    (".sort()", 0, "expr::sort"),
    (".sort_by(", 0, "expr::sort_by"),
    (".sort_by_key(", 0, "expr::sort_by_key"),
    (".sort_unstable", 0, "expr::sort"),
    (".flat_map(", 204, "a loop that calls `push_each`"),
    (".collect()", 221, "collect_vec()"),
    (".collect::<Vec", 0, "collect_vec()"),
    (".extend(", 108, "push_each"),
];

#[test]
fn what_std_copies_for_every_type_is_rare() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sources = files(&source);
    let code: Vec<String> = sources
        .iter()
        .map(|it| code_of(&fs::read_to_string(it).expect("a source")))
        .collect();
    for (habit, most, instead) in MOST {
        let count: usize = code.iter().map(|it| it.matches(habit).count()).sum();
        assert!(
            count <= most,
            "the engine's code has `{habit}` {count} times, and may have it {most} times: use `{instead}`"
        );
    }
}
