//! Names for values that a program has anyway.

use constraint_symbolic::schedule::{Matrix, Meaning, Meanings, Rows, cheapest};

use super::*;
use crate::bound::bound;

/// `x3`
fn leaf(symbol: SymbolId) -> String {
    format!("x{}", symbol.index())
}

/// The values of statements alone, guards included.
fn skeleton(program: &Program) -> Vec<ValueId> {
    program.statements.iter().map(Statement::value).collect()
}

/// Every expression is said to be the right-hand side of its number: what is called so has its value, or the negative.
fn check_meanings(seed: u64) -> usize {
    let case = case(seed, &ALGEBRAIC);
    let all = case.roots.iter().flat_map(|root| expressions(*root));
    let reachable = case.graph.reachable(all);
    let meant = reachable.iter();
    let meant = meant.map(|&id| (id, Meaning::Right(Matrix::Delassus, id.index())));
    let meant: Vec<(ExprId, Meaning)> = meant.collect();
    let meanings = Meanings {
        of: &meant,
        rows: Rows::Numbered(2),
    };
    let ways = || [(case.roots.clone(), case.names.clone())];
    let plain = cheapest(&case.graph, ways(), Meanings::NONE, &leaf);
    let named = cheapest(&case.graph, ways(), meanings, &leaf);
    assert_eq!(plain.values, named.values, "seed {seed}\n{case}");
    assert_eq!(skeleton(&plain), skeleton(&named), "seed {seed}\n{case}");
    let (Some(expected), Some(found)) = (exact_of_expressions(&case), exact_of_values(&named))
    else {
        return 0;
    };
    let mut count = 0;
    for (name, value) in bound(&named) {
        let (negative, positive) = match name.strip_prefix("minus_") {
            Some(positive) => (true, positive),
            None => (false, name),
        };
        let number = positive
            .strip_prefix("right_")
            .and_then(|it| it.parse::<usize>().ok());
        let Some(number) = number else { continue };
        let id = reachable.iter().find(|id| id.index() == number);
        let meant = expected[id.expect("an expression of the case")];
        let meant = if negative { minus(meant) } else { meant };
        assert_eq!(
            found[value.index()],
            meant,
            "seed {seed}: {name}\n{case}\n{named:?}"
        );
        count += 1;
    }
    count
}

#[test]
fn a_value_is_what_its_name_says_and_meanings_change_no_operation() {
    let count: usize = (0..cases()).map(check_meanings).sum();
    assert!(count as u64 > cases(), "{count}");
}
