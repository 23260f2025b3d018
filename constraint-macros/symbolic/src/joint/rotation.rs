//! The rotations put in: every arm r by R u, in the forms that may be cheapest.

use crate::expr::{ExprId, Graph, Map, Node, Number};
use crate::model::{Arm, Body, Model, Shape};
use crate::schedule::Root;

/// Roots with the arms written out, in a graph of their own.
pub(super) struct Turned {
    pub graph: Graph,
    pub roots: Vec<Root>,
    pub names: Vec<(ExprId, String)>,
}

/// How a vector is turned in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// By the rotation matrix: dear once, cheap for every further vector, and for the axes.
    Matrix,
    /// u + w t + q×t with t = 2 q×u: cheapest for a single vector.
    Quaternion,
}

/// The roots as they are, arms being inputs.
pub(super) fn given(model: &Model, roots: &[Root], names: &[(ExprId, String)]) -> Turned {
    Turned {
        graph: model.graph.clone(),
        roots: roots.to_vec(),
        names: names.to_vec(),
    }
}

/// The roots with the arms written out, in every form that may be cheapest.
pub(super) fn turned(model: &Model, roots: &[Root], names: &[(ExprId, String)]) -> Vec<Turned> {
    let of = |form: &Form| by_form(model, roots, names, *form);
    let in_space = model.bodies.iter().any(|body| body.shape == Shape::Space);
    let forms = [Form::Matrix, Form::Quaternion];
    let forms = if in_space { &forms[..] } else { &forms[..1] };
    forms.iter().map(of).collect()
}

fn by_form(model: &Model, roots: &[Root], names: &[(ExprId, String)], form: Form) -> Turned {
    let mut graph = model.graph.clone();
    let used = graph.reachable(roots.iter().flat_map(|root| root.expressions()));
    let (mut map, arm_names) = arms(model, &mut graph, form);
    for id in used {
        if !map.contains_key(&id) {
            let node = graph.node(id).clone();
            let rebuilt = graph.rebuild(&node, &map);
            map.insert(id, rebuilt);
        }
    }
    let mapped = names.iter();
    let mapped = mapped.filter_map(|(id, name)| Some((*map.get(id)?, name.clone())));
    Turned {
        roots: roots
            .iter()
            .map(|root| root.mapped(|id| map[&id]))
            .collect(),
        names: mapped.chain(arm_names).collect(),
        graph,
    }
}

/// What stands for the leaves of every arm, and their names.
fn arms(
    model: &Model,
    graph: &mut Graph,
    form: Form,
) -> (Map<ExprId, ExprId>, Vec<(ExprId, String)>) {
    let (mut map, mut names) = (Map::default(), Vec::new());
    for arm in &model.arms {
        let vector = turn(graph, &model.bodies[arm.body], arm, form);
        for (&leaf, value) in arm.leaves.iter().zip(vector) {
            map.insert(leaf, value);
            if let Node::Symbol(symbol) = *graph.node(leaf) {
                names.push((value, model.symbols[symbol.index()].name.clone()));
            }
        }
    }
    (map, names)
}

/// R u
fn turn(graph: &mut Graph, body: &Body, arm: &Arm, form: Form) -> Vec<ExprId> {
    match (&body.rotation[..], &arm.fixed[..]) {
        (&[re, im], &[x, y]) => {
            let minus = graph.neg(im);
            vec![
                dot(graph, [re, minus], [x, y]),
                dot(graph, [im, re], [x, y]),
            ]
        }
        (&[i, j, k, w], &[x, y, z]) if form == Form::Quaternion => {
            by_quaternion(graph, ([i, j, k], w), [x, y, z]).into()
        }
        (&[i, j, k, w], &[x, y, z]) => {
            let rows = matrix(graph, [i, j, k, w]);
            rows.map(|row| dot(graph, row, [x, y, z])).into()
        }
        _ => arm.fixed.clone(),
    }
}

fn by_quaternion(graph: &mut Graph, (q, w): ([ExprId; 3], ExprId), u: [ExprId; 3]) -> [ExprId; 3] {
    let t = cross(graph, q, u).map(|c| graph.scale(c, Number::integer(2)));
    let turned = cross(graph, q, t);
    [0, 1, 2].map(|n| {
        let along = graph.mul(w, t[n]);
        graph.sum(&[u[n], along, turned[n]].map(|term| (term, Number::ONE)))
    })
}

/// The rotation matrix of a unit quaternion, by rows.
fn matrix(graph: &mut Graph, [i, j, k, w]: [ExprId; 4]) -> [[ExprId; 3]; 3] {
    // 1 − 2(a² + b²)
    let mut diagonal = |a: ExprId, b: ExprId| {
        let (a, b) = (graph.powi(a, 2), graph.powi(b, 2));
        let squares = graph.add(a, b);
        let twice = graph.scale(squares, Number::integer(-2));
        graph.offset(twice, Number::ONE)
    };
    let [xx, yy, zz] = [diagonal(j, k), diagonal(i, k), diagonal(i, j)];
    // 2(a b ± w c)
    let mut beside = |a: ExprId, b: ExprId, c: ExprId| {
        let (product, along) = (graph.mul(a, b), graph.mul(w, c));
        let (sum, difference) = (graph.add(product, along), graph.sub(product, along));
        [sum, difference].map(|it| graph.scale(it, Number::integer(2)))
    };
    let ([yx, xy], [xz, zx], [zy, yz]) = (beside(i, j, k), beside(i, k, j), beside(j, k, i));
    [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]
}

fn cross(graph: &mut Graph, a: [ExprId; 3], b: [ExprId; 3]) -> [ExprId; 3] {
    [(1, 2), (2, 0), (0, 1)].map(|(m, n)| {
        let (plus, minus) = (graph.mul(a[m], b[n]), graph.mul(a[n], b[m]));
        graph.sub(plus, minus)
    })
}

fn dot<const N: usize>(graph: &mut Graph, a: [ExprId; N], b: [ExprId; N]) -> ExprId {
    let terms = std::array::from_fn::<_, N, _>(|n| (graph.mul(a[n], b[n]), Number::ONE));
    graph.sum(&terms)
}
