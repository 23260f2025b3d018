//! Rotations: R u replaces every arm r, in the form that is cheaper for its body.

use crate::expr::{
    CollectVec, ExprId, Graph, Map, MapEach, Node, Number, PushEach, SortedSet, SymbolId,
};
use crate::model::{Arm, Body, Model, Role};

/// Expressions with the definitions of their arms.
#[derive(Clone, Debug)]
pub struct Turned {
    /// The names of the arms.
    pub names: Vec<(ExprId, String)>,
    map: Map<ExprId, ExprId>,
}

impl Turned {
    /// Substitutes the arms in the expressions below `roots`.
    pub fn new(model: &mut Model, roots: impl IntoIterator<Item = ExprId>) -> Turned {
        let mut graph = std::mem::replace(&mut model.graph, Graph::new());
        let roots: Vec<ExprId> = roots.into_iter().collect_vec();
        let (arms, names) = arms(model, &mut graph, &roots);
        let map = graph.substitute(roots, arms);
        model.graph = graph;
        Turned { names, map }
    }

    /// An expression with its arms substituted, if it is part of a root.
    pub fn get(&self, id: ExprId) -> Option<ExprId> {
        self.map.get(&id).copied()
    }
}

/// The definitions of the arms in `roots`, by leaf, and their names; `graph` is the model's.
pub fn arms(
    model: &Model,
    graph: &mut Graph,
    roots: &[ExprId],
) -> (Map<ExprId, ExprId>, Vec<(ExprId, String)>) {
    let (mut map, mut names) = (Map::default(), Vec::new());
    for &arm in &reached(model, graph, roots) {
        let arm = &model.arms[arm];
        let body = &model.bodies[arm.body];
        let all = body.arms.iter().map(|&arm| &model.arms[arm]);
        let form = cheaper_form(graph, all);
        let vector = turn(graph, body, &arm.fixed, form);
        for (&leaf, value) in arm.leaves.iter().zip(vector) {
            map.insert(leaf, value);
            if let Node::Symbol(symbol) = *graph.node(leaf) {
                names.push((value, model.symbols[symbol.index()].name.clone()));
            }
        }
    }
    (map, names)
}

/// The arms in some expressions.
fn reached(model: &Model, graph: &Graph, roots: &[ExprId]) -> SortedSet<usize> {
    let leaves = graph.reachable(roots.iter().copied()).into_iter();
    let arm = |id: ExprId| match *graph.node(id) {
        Node::Symbol(symbol) => match model.symbols.get(SymbolId::index(symbol))?.role {
            Role::Arm { arm, .. } => Some(arm),
            _ => None,
        },
        _ => None,
    };
    leaves.filter_map(arm).collect()
}

/// Expressions with their arms substituted; adds the names of the arms to the model. `graph` is the model's.
pub fn written_out(
    model: &mut Model,
    graph: &mut Graph,
    roots: Vec<ExprId>,
) -> Map<ExprId, ExprId> {
    let (arms, names) = arms(model, graph, &roots);
    model.names.push_each(names);
    graph.substitute(roots, arms)
}

/// The formula for the rotation of a vector in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The rotation matrix: 24 operations once and 15 for every vector.
    Matrix,
    /// u + w t + q×t with t = 2 q×u: 30 operations for every vector, 10 for an axis.
    Quaternion,
}

fn cheaper_form<'a>(graph: &Graph, arms: impl Iterator<Item = &'a Arm>) -> Form {
    let (axes, vectors): (Vec<&Arm>, Vec<&Arm>) = arms.partition(|arm| is_along_axis(graph, arm));
    if 24 + 15 * vectors.len() <= 30 * vectors.len() + 10 * axes.len() {
        Form::Matrix
    } else {
        Form::Quaternion
    }
}

fn is_along_axis(graph: &Graph, arm: &Arm) -> bool {
    let entries = arm.fixed.iter().filter(|&&entry| !graph.is_zero(entry));
    entries.count() == 1
}

/// R u of any vector u in a body's frame.
pub fn rotated(graph: &mut Graph, model: &Model, body: usize, fixed: &[ExprId]) -> Vec<ExprId> {
    let body = &model.bodies[body];
    let form = cheaper_form(graph, body.arms.iter().map(|&arm| &model.arms[arm]));
    turn(graph, body, fixed, form)
}

/// R u
fn turn(graph: &mut Graph, body: &Body, fixed: &[ExprId], form: Form) -> Vec<ExprId> {
    match (&body.rotation[..], fixed) {
        (&[re, im], &[x, y]) => {
            let minus = graph.neg(im);
            vec![
                graph.dot(&[re, minus], &[x, y]),
                graph.dot(&[im, re], &[x, y]),
            ]
        }
        (&[i, j, k, w], &[x, y, z]) if form == Form::Quaternion => {
            by_quaternion(graph, ([i, j, k], w), [x, y, z]).into()
        }
        (&[i, j, k, w], &[x, y, z]) => {
            let rows = matrix(graph, [i, j, k, w]);
            rows.map_each(|row| graph.dot(&row, &[x, y, z])).into()
        }
        _ => fixed.to_vec(),
    }
}

fn by_quaternion(graph: &mut Graph, (q, w): ([ExprId; 3], ExprId), u: [ExprId; 3]) -> [ExprId; 3] {
    let t = graph
        .cross(q, u)
        .map_each(|c| graph.scale(c, Number::integer(2)));
    let turned = graph.cross(q, t);
    [0, 1, 2].map_each(|n| {
        let along = graph.mul(w, t[n]);
        graph.sum(&[u[n], along, turned[n]].map_each(|term| (term, Number::ONE)))
    })
}

/// The rotation matrix of a unit quaternion, by rows. Doubling i, j and k once leaves no factor 2 in the entries, which
/// every use would have to multiply.
fn matrix(graph: &mut Graph, [i, j, k, w]: [ExprId; 4]) -> [[ExprId; 3]; 3] {
    let [twice_i, twice_j, twice_k] = [i, j, k].map_each(|it| graph.doubled(it));
    let squares = [(twice_i, i), (twice_j, j), (twice_k, k)].map_each(|(a, b)| graph.mul(a, b));
    // 1 − 2(a² + b²)
    let diagonal = [(1, 2), (0, 2), (0, 1)].map_each(|(a, b)| {
        let sum = graph.add(squares[a], squares[b]);
        let minus = graph.neg(sum);
        graph.offset(minus, Number::ONE)
    });
    // 2(a b ± w c)
    let mut off_diagonal = |a: ExprId, b: ExprId, c: ExprId| {
        let (product, along) = (graph.mul(a, b), graph.mul(w, c));
        [graph.add(product, along), graph.sub(product, along)]
    };
    let ([yx, xy], [xz, zx], [zy, yz]) = (
        off_diagonal(twice_i, j, twice_k),
        off_diagonal(twice_i, k, twice_j),
        off_diagonal(twice_j, k, twice_i),
    );
    let [xx, yy, zz] = diagonal;
    [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]
}
