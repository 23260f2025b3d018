//! From the points of a curve to its equations: r′, r″, curvature, and the motion of a bead along it.
//!
//! Input: a [`Curve`]. Output: [`Derived`]. With E = r′·r′, and E′/2 = r′·r″, Newton's equation along the
//! tangent m (E s̈ + r′·r″ ṡ²) = r′·f − b E ṡ gives s̈ of a bead of mass m with damping b. The slope dy/dx does not
//! occur, hence there is no special case for vertical tangents or for the direction of the parameter.

mod derived;
mod form;
mod pieces;
mod scan;

pub use derived::{Continuity, Derived, Form, Leaves, Piece, Quantity, Scan, Seam, Varied};
pub use pieces::Pieces;
pub use scan::describe;

use crate::check;
use crate::diagnostic::{Diagnostics, catalogue};
use crate::diff::Taylor;
use crate::expr::{
    CollectVec, Comparison, ExprId, Function, Graph, MapEach, Node, Number, PushEach, SymbolId,
};
use crate::model::{Curve, Model, Role};
use crate::undefined::Undefined;
use form::{Shape, bases, form};

/// Derives all quantities from the components of r; `None` if the components do not form a curve.
pub fn derive(mut curve: Curve, diagnostics: &mut Diagnostics) -> Option<Derived> {
    let leaves = add_leaves(&mut curve);
    let position: Vec<ExprId> = curve.model.rows.iter().map(|row| row.root).collect_vec();
    let graph = &mut curve.model.graph;
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let mut slope = Taylor::new([(leaves.parameter, one, zero)]);
    let Some(whole) = piece(graph, &mut slope, &leaves, &position) else {
        let name = curve.parameter();
        diagnostics.push(catalogue::curve_without_parameter(curve.range, &name));
        return None;
    };
    let pieces = all_pieces(&mut curve.model, &mut slope, &leaves, &position);
    let names = curve.model.names.clone();
    for (id, name) in names {
        let slope = slope.first(&mut curve.model.graph, id);
        if curve.model.graph.as_number(slope).is_none() {
            curve.model.names.push((slope, primed(&name)));
        }
    }
    name_metrics(&mut curve.model, &whole, pieces.as_ref());
    let mut derived = Derived {
        piece: piece_number(&mut curve, leaves.parameter),
        undefined: undefined(&mut curve.model, &whole),
        curve,
        leaves,
        scans: Vec::new(),
        whole,
        pieces,
    };
    let model = &derived.curve.model;
    if !check::constants(model, &model.graph, || derived.results(), diagnostics) {
        return None;
    }
    derived.scans = scan::scan(&derived);
    scan::check(&derived, &derived.scans, diagnostics);
    Some(derived)
}

/// Where r′ or r″ is not finite.
fn undefined(model: &mut Model, whole: &Piece) -> Undefined {
    let roots = whole.forms.first().map_or_else(Vec::new, |form| {
        [&form.tangent[..], &form.second_derivative].concat()
    });
    Undefined::of_curve(model, &roots)
}

/// The quantities derived from the components of r; `None` if these are constant.
fn piece(
    graph: &mut Graph,
    slope: &mut Taylor,
    leaves: &Leaves,
    position: &[ExprId],
) -> Option<Piece> {
    let bases = bases(graph, slope, position);
    if bases[0].tangent.iter().all(|&it| graph.is_zero(it)) {
        return None;
    }
    let shapes = [
        Shape::Net,
        Shape::Reduced,
        Shape::Flat,
        Shape::Common,
        Shape::OverOne,
        Shape::TermByTerm,
    ];
    let all = bases
        .iter()
        .flat_map(|base| shapes.map_each(|shape| (base, shape)));
    let mut forms: Vec<Form> = Vec::new();
    for (base, shape) in all {
        let form = form(graph, leaves, base, shape);
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    Some(Piece {
        position: position.to_vec(),
        forms,
    })
}

/// The pieces of r, which keep the users' names.
fn all_pieces(
    model: &mut Model,
    slope: &mut Taylor,
    leaves: &Leaves,
    position: &[ExprId],
) -> Option<Pieces<Piece>> {
    let named = model.names.iter().map(|(id, _)| *id);
    let roots: Vec<ExprId> = position.iter().copied().chain(named).collect_vec();
    let split = pieces::split(&mut model.graph, &roots, position.len())?;
    let names = model.names.clone();
    let mut derived = |roots: &Vec<ExprId>| {
        let (position, named) = roots.split_at(position.len());
        let changed = names.iter().zip(named).filter(|((id, _), now)| id != *now);
        let renamed = changed.map(|((_, name), now)| (*now, name.clone()));
        model.names.push_each(renamed);
        piece(&mut model.graph, slope, leaves, position)
    };
    split.try_map(&mut derived, &|condition| *condition)
}

/// Names `metric` in all forms that have one.
fn name_metrics(model: &mut Model, whole: &Piece, pieces: Option<&Pieces<Piece>>) {
    let pieces = pieces.map(Pieces::leaves).unwrap_or_default();
    for form in pieces.iter().chain([&whole]).flat_map(|it| &it.forms) {
        if model.graph.as_number(form.metric).is_none() {
            model.names.push((form.metric, "metric".to_owned()));
        }
    }
}

/// Σ 2ᵏ over the choices k that take their first branch: a different number for each piece.
fn piece_number(curve: &mut Curve, parameter: ExprId) -> ExprId {
    let position: Vec<ExprId> = curve.model.rows.iter().map(|row| row.root).collect_vec();
    let graph = &mut curve.model.graph;
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let mut terms: Vec<(ExprId, Number)> = Vec::new();
    for id in graph.reachable(position) {
        if let Some(decision) = decision(graph, id)
            && graph.reachable([decision]).contains(&parameter)
        {
            // With more choices than digits of a float, several choices share a weight.
            let weight = Number::integer(1 << (terms.len() % 48));
            terms.push((graph.select(decision, one, zero), weight));
        }
    }
    graph.sum(&terms)
}

fn add_leaves(curve: &mut Curve) -> Leaves {
    let dimension = curve.model.rows.len();
    let own = |role: &Role| *role == Role::Coordinate(0);
    let position = curve.model.symbols.iter().position(|s| own(&s.role));
    let name = curve.parameter();
    let mut add = |role: Role, name: String| curve.model.add_leaf(role, name);
    let rate = add(Role::Velocity(0), format!("{name}_dot"));
    let letters = ["x", "y", "z"].iter().take(dimension).enumerate();
    let force = letters
        .map(|(i, letter)| add(Role::Force(i), format!("f_{letter}")))
        .collect_vec();
    let mass = add(Role::Mass, "m".into());
    let damping = add(Role::Damping, "b".into());
    let parameter = SymbolId::new(position.unwrap_or_default());
    let mut leaves = Leaves {
        parameter: curve.model.graph.symbol(parameter),
        rate,
        force,
        mass,
        damping,
        varied: None,
    };
    if curve.model.derivatives().is_some() {
        leaves.varied = Some(varied(&mut curve.model, &leaves));
    }
    leaves
}

/// The variables by which s̈ is differentiated.
fn varied(model: &mut Model, leaves: &Leaves) -> Varied {
    let mut variables = vec![leaves.parameter, leaves.rate];
    variables.extend(&leaves.force);
    variables.push(leaves.mass);
    variables.push_each(model.varied_leaves());
    Varied {
        variables,
        acceleration: model.add_leaf(Role::Scratch, "unknown".to_owned()),
    }
}

/// The name of the derivative of `d.x`: `d_prime.x`.
fn primed(name: &str) -> String {
    match name.split_once('.') {
        Some((name, component)) => format!("{name}_prime.{component}"),
        None => format!("{name}_prime"),
    }
}

/// The comparison that decides a node: itself, or the one inside `abs`, `signum`, `min` and `max`.
fn decision(graph: &mut Graph, id: ExprId) -> Option<ExprId> {
    match graph.node(id) {
        Node::Compare(..) => Some(id),
        Node::Call(Function::Abs | Function::Signum, arguments) => {
            let (argument, zero) = (arguments[0], graph.zero());
            Some(graph.compare(Comparison::Ge, argument, zero))
        }
        Node::Call(Function::Min | Function::Max, _) => graph.choice(id).map(|it| it.condition),
        _ => None,
    }
}
