//! Loops of generated Rust: what a round reads.

use constraint_symbolic::compile::system;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A net, in whose loops tables have most places.
const NET: &str = "#[solver(rolled)]
    pub struct Net { m: Real, l: Real, g: Real }
    for i in 0..6 { for j in 0..6 { particle bead[i][j]: Point2 { mass: m } } }
    for i in 0..6 { for j in 0..5 { constraint across[i][j]: norm_squared(bead[i][j + 1] - bead[i][j]) == l^2; } }
    for i in 0..5 { for j in 0..6 { constraint down[i][j]: norm_squared(bead[i + 1][j] - bead[i][j]) == l^2; } }
    for i in 0..6 { for j in 0..6 { force bead[i][j]: [0, -m*g]; } }";

/// For each loop whether its rounds have numbers, and whether one is read.
fn loops(tokens: TokenStream, found: &mut Vec<[bool; 2]>) {
    let mut header: Vec<String> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Brace {
                    let has = |word: &str| header.iter().any(|it| it == word);
                    // Not of `impl … for …`.
                    if has("for") && has("in") {
                        let numbered = has("round");
                        found.push([numbered, reads_round(group.stream())]);
                    }
                    header.clear();
                } else {
                    header.extend(group.stream().into_iter().map(|it| it.to_string()));
                }
                loops(group.stream(), found);
            }
            TokenTree::Punct(it) if it.as_char() == ';' => header.clear(),
            tree => header.push(tree.to_string()),
        }
    }
}

fn reads_round(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => reads_round(group.stream()),
        tree => tree.to_string() == "round",
    })
}

#[test]
fn rounds_are_counted_where_a_number_is_read_and_only_there() {
    let mut found = Vec::new();
    loops(system(NET.parse().expect("tokens")), &mut found);
    assert!(found.contains(&[true, true]) && found.contains(&[false, false]));
    assert!(
        found.iter().all(|[counts, reads]| counts == reads),
        "{found:?}"
    );
}
