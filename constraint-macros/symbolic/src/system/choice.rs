//! Unrolled or rolled: by what the user asks for, else by the number of operations.

use super::loops::Rolled;
use super::loops::block_diagonal::BlockDiagonal;
use super::loops::definitions::Definitions;
use super::loops::elements::{self, Elements};
use super::loops::leaves::leaves;
use super::loops::numbers;
use super::loops::routine::{Families, Routine};
use crate::diagnostic::{Diagnostics, system as messages};
use crate::dynamics::Derivation;
use crate::expr::{CollectVec, ExprId, Graph};
use crate::model::{Solver, System};
use crate::schedule::{self, Root};
use crate::solve::Quantity;

/// Fewer rows than this are always written out: six bodies on ball joints take as long either way, and the cache of
/// instructions is left soon after,
const FEWEST_ROWS: usize = 16;
/// and so are this many operations; beyond, a loop that fits the instruction cache is as fast and shorter.
pub(super) const MOST_OPERATIONS: u32 = 400;
/// Loops are at most half as long as what they execute; of bodies a quarter, as long as all of it fits that cache: v̇ of
/// eight equal links on ball joints (2,848 operations) takes 45 ns a link written out and 50 in loops, of eight with masses,
/// moments and forces of their own (4,567) 102 and 62.
const MOST_OF_BODIES: u32 = 3200;
/// Where no two steps are alike, tables are read and zeros in blocks multiplied, and what is written out is faster by a
/// half for a net of 6 × 6 beads, a third for 8 × 8 and a quarter for 10 × 10, in ever more code: so many operations, those
/// of 6 × 6, are written out.
const MOST_BESIDE_PANELS: usize = 8000;

/// The system with numbers that its rows differ by as elements of an array, where it may be in loops then.
pub fn lifted(system: &System) -> Option<System> {
    let options = &system.options;
    let refused = options.is_written_out();
    let rows = system.model.rows.len();
    let counted = if rows == 0 {
        system.coordinates.len()
    } else {
        rows
    };
    let few = options.solver.is_none() && counted < FEWEST_ROWS;
    if refused || few {
        return None;
    }
    numbers::lifted(system)
}

/// The system in loops, where that is asked for or pays.
pub fn rolled(
    derivation: &mut Derivation,
    system: &mut System,
    diagnostics: &mut Diagnostics,
) -> Option<Rolled> {
    let asked = system.options.solver == Some(Solver::Rolled);
    let refused = system.options.is_written_out();
    let rows = system.model.rows.len();
    if rows == 0 && !refused && diagnostics.is_empty() {
        return block_diagonal(derivation, system, asked, diagnostics);
    }
    if refused || !diagnostics.is_empty() || (!asked && rows < FEWEST_ROWS) {
        return None;
    }
    if !can_roll(derivation, system) {
        if asked && let Some(item) = &system.model.item {
            diagnostics.push(messages::cannot_roll(item.name.span().into()));
        }
        return None;
    }
    let graph = &mut derivation.graph;
    let mut definitions = Definitions::of(graph, system);
    let mut roots: Vec<ExprId> = system.model.rows.iter().map(|row| row.root).collect_vec();
    definitions.put_in(graph, &mut roots);
    let families = Families::of(graph, &leaves(graph, system), &roots);
    if !asked && 4 * families.len() > rows {
        return None;
    }
    let elements = Elements::new(derivation, system, families, definitions);
    let Some(rolled) = elements.and_then(|elements| elements.all(diagnostics)) else {
        if asked && let Some(item) = &system.model.item {
            diagnostics.push(messages::cannot_roll(item.name.span().into()));
        }
        return None;
    };
    let acceleration = rolled.routines.get(&Quantity::Acceleration)?;
    let (unrolled, code) = sizes(&derivation.graph, acceleration);
    let pays = match &rolled.panels {
        Some(panels) => unrolled as usize + panels.operations > MOST_BESIDE_PANELS,
        None => {
            let fits = !system.model.bodies.is_empty() && unrolled <= MOST_OF_BODIES;
            unrolled > MOST_OPERATIONS && code * if fits { 4 } else { 2 } < unrolled
        }
    };
    (asked || pays).then_some(rolled)
}

/// A system without rows in loops over blocks of M, where that is asked for or pays.
fn block_diagonal(
    derivation: &mut Derivation,
    system: &mut System,
    asked: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Rolled> {
    if !is_block_diagonal(derivation, system) {
        if asked && let Some(item) = &system.model.item {
            diagnostics.push(messages::cannot_roll(item.name.span().into()));
        }
        return None;
    }
    if !asked && derivation.blocks().len() < FEWEST_ROWS {
        return None;
    }
    let blocks_of_mass = BlockDiagonal::new(derivation, system);
    let [blocks, kinds] = blocks_of_mass.blocks_and_kinds();
    if !asked && 4 * kinds > blocks {
        return None;
    }
    let rolled = blocks_of_mass.all();
    let acceleration = rolled.routines.get(&Quantity::Acceleration)?;
    let (unrolled, code) = sizes(&derivation.graph, acceleration);
    (asked || (unrolled > MOST_OPERATIONS && 2 * code < unrolled)).then_some(rolled)
}

/// Whether coordinates that nothing constrains can be solved for block by block: no body moves with them, and no
/// derivatives are asked for.
pub(super) fn is_block_diagonal(derivation: &Derivation, system: &System) -> bool {
    let has_bodies = !system.model.bodies.is_empty();
    let differentiated = system.options.derivatives.is_some();
    let alone = system.model.rows.is_empty() && derivation.massless.is_empty();
    alone && !has_bodies && !differentiated
}

/// There are rows, and the mass matrix couples few coordinates each.
pub(super) fn can_roll(derivation: &Derivation, system: &System) -> bool {
    let can_divide = derivation.massless.is_empty() && !system.model.rows.is_empty();
    can_divide && elements::can_be(derivation, system)
}

/// Operations that are executed, and operations that are written down.
pub(super) fn sizes(graph: &Graph, routine: &Routine) -> (u32, u32) {
    let cost = |roots: &Vec<ExprId>| {
        let roots: Vec<Root> = roots.iter().copied().map(Root::Output).collect_vec();
        schedule::count(graph, &roots).total()
    };
    let costs: Vec<u32> = routine.kernels.iter().map(|k| cost(&k.roots)).collect_vec();
    let (mut executed, mut written) = (0, 0);
    for it in &routine.loops {
        let round: u32 = it.body.iter().map(|(kernel, _)| costs[*kernel]).sum();
        executed += it.rounds as u32 * round;
        written += round;
    }
    (executed, written)
}
