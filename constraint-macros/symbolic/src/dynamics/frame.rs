//! Bodies told in their own frames, where their inertia stands still.
//!
//! The velocities of a system are those of the world, (v, ω). Where a body's moments differ, the equations are solved
//! for (v̇, Rᵀ ω̇) instead: there M is the constant tensor, and a force g at a body-fixed arm r = R u pushes with the
//! torque u×(Rᵀ g), in which u's zeros and the entries of R alone are left of r×g. Since ω×ω = 0, R turns what is
//! found into ω̇.
//!
//! Steps carry all bodies whose moments differ in their own frames, so that nothing is turned back there: Rᵀω is what
//! they know, and Rᵀω̇ what they ask for.

use std::collections::BTreeMap;

use crate::expr::{ExprId, Graph, Map, Node};
use crate::model::{Inertia, Role, System};
use crate::solve::SparseRow;

/// The frame of one body.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Index into the model's bodies.
    pub body: usize,
    /// The columns of ω.
    pub columns: [usize; 3],
    /// The body's axes in the world, the columns of R.
    pub axes: [[ExprId; 3]; 3],
}

impl Frame {
    /// That of a body whose moments differ.
    pub fn of(inertia: &Inertia, columns: &[usize]) -> Option<Frame> {
        Some(Frame {
            body: inertia.body,
            columns: columns.try_into().ok()?,
            axes: inertia.frame?,
        })
    }

    /// Rᵀ x
    pub fn own(&self, graph: &mut Graph, x: [ExprId; 3]) -> [ExprId; 3] {
        self.axes.map(|axis| graph.dot(&axis, &x))
    }

    /// R x
    pub fn world(&self, graph: &mut Graph, x: [ExprId; 3]) -> [ExprId; 3] {
        [0, 1, 2].map(|i| graph.dot(&self.axes.map(|axis| axis[i]), &x))
    }
}

/// How a vector is turned from one frame to the other.
pub type Turn = fn(&Frame, &mut Graph, [ExprId; 3]) -> [ExprId; 3];

/// The row with the columns of ω of every framed body turned.
pub fn turned(graph: &mut Graph, frames: &[Frame], row: &SparseRow, turn: Turn) -> SparseRow {
    let mut entries: BTreeMap<usize, ExprId> = row.iter().copied().collect();
    for frame in frames {
        let zero = graph.zero();
        let block = frame.columns.map(|i| entries.remove(&i).unwrap_or(zero));
        if block == [zero; 3] {
            continue;
        }
        entries.extend(frame.columns.into_iter().zip(turn(frame, graph, block)));
    }
    let entries = entries.into_iter();
    entries
        .filter(|&(_, entry)| !graph.is_zero(entry))
        .collect()
}

/// The same of a whole vector.
pub fn all_turned(graph: &mut Graph, frames: &[Frame], x: &[ExprId], turn: Turn) -> Vec<ExprId> {
    let mut all = x.to_vec();
    for frame in frames {
        let block = turn(frame, graph, frame.columns.map(|i| x[i]));
        for (i, entry) in frame.columns.into_iter().zip(block) {
            all[i] = entry;
        }
    }
    all
}

/// What expressions become where the leaves of ω stand for Rᵀω: that is read, and ω computed.
pub fn of_own_spins(
    graph: &mut Graph,
    frames: &[Frame],
    velocities: &[ExprId],
) -> Map<ExprId, ExprId> {
    let mut map = Map::default();
    for frame in frames {
        let spin = frame.columns.map(|i| velocities[i]);
        let (own, world) = (frame.own(graph, spin), frame.world(graph, spin));
        map.extend(own.into_iter().zip(spin));
        map.extend(spin.into_iter().zip(world));
    }
    map
}

/// Framed bodies, one after the other, where they stand among coordinates and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFrames {
    /// Index of the first one's quaternion.
    pub turn: usize,
    /// Index of its ω.
    pub spin: usize,
    /// How many.
    pub count: usize,
}

/// The frames, those of neighbours together.
pub fn runs(system: &System, frames: &[Frame]) -> Vec<OwnFrames> {
    let mut runs: Vec<OwnFrames> = Vec::new();
    for frame in frames {
        let rotation = &system.model.bodies[frame.body].rotation;
        let Some(turn) = rotation.first().and_then(|&i| coordinate(system, i)) else {
            continue;
        };
        let spin = frame.columns[0];
        match runs.last_mut() {
            Some(run) if (run.turn + 7 * run.count, run.spin + 6 * run.count) == (turn, spin) => {
                run.count += 1;
            }
            _ => runs.push(OwnFrames {
                turn,
                spin,
                count: 1,
            }),
        }
    }
    runs
}

/// The number of a coordinate's leaf.
fn coordinate(system: &System, leaf: ExprId) -> Option<usize> {
    let Node::Symbol(symbol) = *system.model.graph.node(leaf) else {
        return None;
    };
    match system.model.symbols.get(symbol.index())?.role {
        Role::Coordinate(i) => Some(i),
        _ => None,
    }
}

/// Puts something in for the axes.
pub fn put_in(frames: &mut [Frame], map: &Map<ExprId, ExprId>) {
    for axis in frames.iter_mut().flat_map(|frame| &mut frame.axes) {
        *axis = axis.map(|entry| map.get(&entry).copied().unwrap_or(entry));
    }
}
