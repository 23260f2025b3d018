//! Bodies in their own frames, where their inertia is constant.
//!
//! The velocities of a system are those of the world, (v, ω). For a body with unequal moments of inertia, the equations
//! are solved for (v̇, Rᵀ ω̇) instead: there M is the constant tensor, and a force g at a body-fixed arm r = R u has
//! the torque u×(Rᵀ g), which is shorter than r×g because zeros of u remain zeros. Since ω×ω = 0, R turns the solution
//! into ω̇.
//!
//! Integrators keep all bodies with unequal moments in their own frames during a step. There nothing is rotated back:
//! steps read Rᵀω and need Rᵀω̇.

use crate::expr::{
    CollectVec, ExprId, Graph, Map, MapEach, Node, Number, PushEach, SortedMap, SortedSet,
};
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
    /// The frame of a body with unequal moments of inertia.
    pub fn of(inertia: &Inertia, columns: &[usize]) -> Option<Frame> {
        Some(Frame {
            body: inertia.body,
            columns: columns.try_into().ok()?,
            axes: inertia.frame?,
        })
    }

    /// Rᵀ x
    pub fn own(&self, graph: &mut Graph, x: [ExprId; 3]) -> [ExprId; 3] {
        if let Some(own) = self.axes.iter().position(|axis| *axis == x) {
            let (zero, one) = (graph.zero(), graph.number(Number::ONE));
            return [0, 1, 2].map_each(|k| if k == own { one } else { zero });
        }
        self.axes.map_each(|axis| graph.dot(&axis, &x))
    }

    /// R x
    pub fn world(&self, graph: &mut Graph, x: [ExprId; 3]) -> [ExprId; 3] {
        [0, 1, 2].map_each(|i| graph.dot(&self.axes.map_each(|axis| axis[i]), &x))
    }
}

/// Rotation of a vector from one frame to the other.
pub type Turn = fn(&Frame, &mut Graph, [ExprId; 3]) -> [ExprId; 3];

/// The row with the columns of ω of every body in `frames` rotated.
pub fn turned(graph: &mut Graph, frames: &[Frame], row: &SparseRow, turn: Turn) -> SparseRow {
    let mut entries: SortedMap<usize, ExprId> = row.iter().copied().collect();
    for frame in frames {
        let zero = graph.zero();
        let block = frame
            .columns
            .map_each(|i| entries.remove(&i).unwrap_or(zero));
        if block == [zero; 3] {
            continue;
        }
        entries.extend(frame.columns.into_iter().zip(turn(frame, graph, block)));
    }
    let entries = entries.into_iter();
    entries
        .filter(|&(_, entry)| !graph.is_zero(entry))
        .collect_vec()
}

/// A whole vector with the components of ω of every body in `frames` rotated.
pub fn all_turned(graph: &mut Graph, frames: &[Frame], x: &[ExprId], turn: Turn) -> Vec<ExprId> {
    let mut all = x.to_vec();
    for frame in frames {
        let block = turn(frame, graph, frame.columns.map_each(|i| x[i]));
        for (i, entry) in frame.columns.into_iter().zip(block) {
            all[i] = entry;
        }
    }
    all
}

/// Substitutions for leaves of ω that are the components Rᵀω: own components are read, those of the world computed.
pub fn of_own_spins(
    graph: &mut Graph,
    frames: &[Frame],
    velocities: &[ExprId],
) -> Map<ExprId, ExprId> {
    let mut map = Map::default();
    for frame in frames {
        let spin = frame.columns.map_each(|i| velocities[i]);
        let (own, world) = (frame.own(graph, spin), frame.world(graph, spin));
        map.extend(own.into_iter().zip(spin));
        map.extend(spin.into_iter().zip(world));
    }
    map
}

/// Adjacent bodies in their own frames: their positions among coordinates and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnFrames {
    /// Index of the first one's quaternion.
    pub turn: usize,
    /// Index of its ω.
    pub spin: usize,
    /// Number of bodies.
    pub count: usize,
}

/// The frames as runs of adjacent bodies.
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

/// The index of a coordinate's leaf.
fn coordinate(system: &System, leaf: ExprId) -> Option<usize> {
    let Node::Symbol(symbol) = *system.model.graph.node(leaf) else {
        return None;
    };
    match system.model.symbols.get(symbol.index())?.role {
        Role::Coordinate(i) => Some(i),
        _ => None,
    }
}

/// Replaces the axes by other expressions.
pub fn substitute(frames: &mut [Frame], map: &Map<ExprId, ExprId>) {
    for axis in frames.iter_mut().flat_map(|frame| &mut frame.axes) {
        *axis = axis.map_each(|entry| map.get(&entry).copied().unwrap_or(entry));
    }
}

/// The frames of all bodies with unequal moments of inertia.
pub(super) fn all_frames(system: &System, velocities: &Map<ExprId, usize>) -> Vec<Frame> {
    let frame = |inertia: &Inertia| {
        let spin = &system.model.bodies[inertia.body].angular_velocity;
        let columns: Vec<usize> = spin.iter().map(|w| velocities[w]).collect_vec();
        Frame::of(inertia, &columns)
    };
    system.inertias.iter().filter_map(frame).collect_vec()
}

/// The frames in which the equations are solved. World components are shorter if other terms contain ω in the world:
/// for all bodies if the user adds a kinetic energy, and for symmetric bodies if there are rows on velocities.
pub(super) fn frames(
    graph: &Graph,
    system: &System,
    velocities: &Map<ExprId, usize>,
) -> Vec<Frame> {
    if !system.kinetic.is_empty() {
        return Vec::new();
    }
    let rows = graph.reachable(system.model.rows.iter().map(|row| row.root));
    let nonholonomic = rows.iter().any(|id| velocities.contains_key(id));
    let mut frames = all_frames(system, velocities);
    let symmetric = |body: usize| {
        let mut inertias = system.inertias.iter();
        inertias.any(|inertia| inertia.body == body && inertia.axes.len() == 1)
    };
    frames.retain(|frame| !nonholonomic || !symmetric(frame.body));
    frames
}

/// The arms of bodies in own frames.
pub(super) fn framed(system: &System, frames: &[Frame]) -> SortedMap<usize, (usize, [ExprId; 3])> {
    let mut framed = SortedMap::new();
    for (number, frame) in frames.iter().enumerate() {
        for &arm in &system.model.bodies[frame.body].arms {
            if let Ok(fixed) = system.model.arms[arm].fixed[..].try_into() {
                framed.insert(arm, (number, fixed));
            }
        }
    }
    framed
}

/// N(q) v: for a body ṗ = v, ż = iω z for a unit complex number, ṙ = ½ ω r for a unit quaternion, or ½ r ω with ω
/// in the body's own frame.
pub fn kinematics(graph: &mut Graph, system: &System, frames: &[Frame]) -> Vec<ExprId> {
    if system.model.bodies.is_empty() {
        return Vec::new();
    }
    let framed: SortedSet<usize> = frames.iter().map(|frame| frame.body).collect();
    let mut rates: Vec<ExprId> = Vec::new();
    let mut bodies = system.model.bodies.iter().enumerate();
    let mut coordinates = system.coordinates.iter();
    for declared in &system.declared {
        for _ in 0..declared.elements() {
            let own = coordinates.by_ref().take(declared.element_velocities());
            let own: Vec<_> = own.collect_vec();
            let plain = own.iter().take(declared.shape.len());
            rates.push_each(plain.map(|c| c.velocity));
            if declared.body
                && let Some((k, body)) = bodies.next()
            {
                let own = framed.contains(&k);
                let spin = &body.angular_velocity;
                rates.push_each(turn_rate(graph, &body.rotation, spin, own));
            }
        }
    }
    rates
}

/// The rate of a body's rotation; `own` if ω is in the body's own frame.
pub fn turn_rate(
    graph: &mut Graph,
    rotation: &[ExprId],
    spin: &[ExprId],
    own: bool,
) -> Vec<ExprId> {
    let mut sum = |coefficient: Number, products: &[(ExprId, ExprId, Number)]| {
        let terms = products.iter().map(|&(a, b, sign)| (graph.mul(a, b), sign));
        let terms: Vec<_> = terms.collect_vec();
        let sum = graph.sum(&terms);
        graph.scale(sum, coefficient)
    };
    let (plus, minus) = (Number::ONE, Number::MINUS_ONE);
    // ω×r of ω r is r×ω of r ω.
    let (left, right) = if own { (minus, plus) } else { (plus, minus) };
    match (rotation, spin) {
        (&[re, im], &[w]) => vec![sum(plus, &[(im, w, minus)]), sum(plus, &[(re, w, plus)])],
        (&[i, j, k, w], &[x, y, z]) => vec![
            sum(Number::HALF, &[(w, x, plus), (y, k, left), (z, j, right)]),
            sum(Number::HALF, &[(w, y, plus), (z, i, left), (x, k, right)]),
            sum(Number::HALF, &[(w, z, plus), (x, j, left), (y, i, right)]),
            sum(Number::HALF, &[(x, i, minus), (y, j, minus), (z, k, minus)]),
        ],
        _ => Vec::new(),
    }
}
