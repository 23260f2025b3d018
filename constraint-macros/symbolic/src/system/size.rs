//! Whether a system that no loops serve can be written out.

use super::choice::can_roll;
use super::loops::elimination_cost;
use super::loops::leaves::leaves;
use super::loops::routine::Families;
use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::Derivation;
use crate::expr::{CollectVec, ExprId};
use crate::model::{Solver, System};

/// The most operations of a v̇ that is written out: with the other functions, each as long, the compiler takes many minutes.
const MOST_WRITTEN: usize = 250_000;
/// Operations that are derived for each stated one.
const DERIVED: usize = 2;

/// That the system is small enough; if not, it is reported why no loops serve it.
pub fn check(
    derivation: &Derivation,
    system: &System,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let roots: Vec<ExprId> = system.model.rows.iter().map(|row| row.root).collect_vec();
    let families = Families::of(
        &derivation.graph,
        &leaves(&derivation.graph, system),
        &roots,
    );
    let found = DERIVED * stated(derivation) + elimination_cost(&families, MOST_WRITTEN);
    let Some(item) = system.model.item.as_ref().filter(|_| found > MOST_WRITTEN) else {
        return Some(());
    };
    let (reason, instead) = reason(derivation, system, &families);
    let range = item.name.span().into();
    diagnostics.push(messages::too_large_to_write(
        range,
        found,
        MOST_WRITTEN,
        &reason,
        instead,
    ));
    None
}

/// Why a system is not solved in loops, and what to do.
fn reason(derivation: &Derivation, system: &System, families: &Families) -> (String, &'static str) {
    let (rows, kinds) = (families.of.len(), families.len());
    let (reason, instead) = if system.options.solver == Some(Solver::Unrolled) {
        (
            "`#[solver(unrolled)]` excludes loops",
            "remove the attribute",
        )
    } else if system.options.redundant {
        (
            "least squares need all rows at once",
            "remove redundant rows, and the attribute",
        )
    } else if rows == 0 && system.options.derivatives.is_some() {
        (
            "derivatives of systems without constraints are written out",
            "make it smaller, or remove `#[derivatives]`",
        )
    } else if rows == 0 {
        let places = !(system.masses.is_empty() && system.posed.is_empty());
        (
            "it has no constraints, and its mass matrix does not consist of blocks of few kinds",
            if places { BY_POINTS } else { BY_HAND },
        )
    } else if !can_roll(derivation, system) {
        ("its mass matrix does not consist of small blocks", BY_HAND)
    } else if 4 * kinds <= rows {
        (
            "no two of its rows need the same elimination steps, for example because many joints meet at one body",
            "let fewer joints meet there, or assemble it at run time as a `World`",
        )
    } else {
        return (
            format!("its {rows} rows are of {kinds} kinds, too few of each"),
            "store lengths and other numbers that differ in arrays, `l: [Real; 1000]`, and write the constraints by index in a `for`",
        );
    };
    (reason.to_owned(), instead)
}

/// The mass matrix of a chain in relative angles is full, whereas rows and joints only couple neighbours.
const BY_POINTS: &str = "describe it by points and rods, or by bodies and joints, whose cost is proportional to their number";
const BY_HAND: &str = "make it smaller, or implement `System` by hand";

/// The operands of all that is stated.
fn stated(derivation: &Derivation) -> usize {
    let mut count = 0;
    for node in derivation.graph.nodes() {
        node.for_each_child(|_| count += 1);
    }
    count
}
