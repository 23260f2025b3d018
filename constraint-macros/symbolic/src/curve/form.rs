//! Forms of r′, r″, κ and s̈.

use super::derived::{Form, Leaves, Varied};
use crate::diff::Taylor;
use crate::expr::{CollectVec, ExprId, Function, Graph, MapEach, Number};

/// r′, r″, E = r′·r′ and E′/2 = r′·r″, in one form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Basis {
    pub(super) tangent: Vec<ExprId>,
    second: Vec<ExprId>,
    metric: ExprId,
    bend: ExprId,
}

/// As differentiation gives them; then with only E as a fraction; then all as fractions.
pub(super) fn bases(graph: &mut Graph, slope: &mut Taylor, position: &[ExprId]) -> Vec<Basis> {
    let tangent = each(position, |r| slope.first(graph, r));
    let second = each(position, |r| slope.second(graph, r));
    let plain = Basis {
        metric: graph.dot(&tangent, &tangent),
        bend: graph.dot(&tangent, &second),
        tangent,
        second,
    };
    let tangent = each(&plain.tangent, |it| graph.shortest([it]));
    let pairs = tangent.iter().zip(&plain.second);
    let second = pairs.map(|(&tangent, &plain)| {
        let slope = slope.first(graph, tangent);
        graph.shortest([plain, slope])
    });
    let second: Vec<ExprId> = second.collect_vec();
    let metric = graph.dot(&tangent, &tangent);
    let metric = graph.shortest([plain.metric, metric]);
    let half = slope.first(graph, metric);
    let half = graph.scale(half, Number::HALF);
    let bend = graph.dot(&tangent, &second);
    let bend = graph.shortest([plain.bend, half, bend]);
    let mixed = Basis {
        metric,
        bend,
        ..plain.clone()
    };
    let simple = Basis {
        tangent,
        second,
        metric,
        bend,
    };
    let mut bases = vec![plain, mixed, simple];
    bases.dedup();
    bases
}

/// Form of s̈.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// (r′·(f − m r″ ṡ²) − b ṡ E)/(m E)
    Net,
    /// (r′·f − (m r′·r″ ṡ + b E) ṡ)/(m E)
    OverOne,
    /// r′·f/(m E) − (r′·r″/E) ṡ² − (b/m) ṡ, with common factors cancelled.
    TermByTerm,
    /// One fraction of polynomials.
    Reduced,
    /// (P − (m B ṡ + b D) ṡ)/(m D) with r′·f/E = P/D and r′·r″/E = B/D, after common factors have been cancelled.
    Common,
    /// (P − m B ṡ² − b D ṡ)/(m D), whose terms may have common factors.
    Flat,
}

pub(super) fn form(graph: &mut Graph, leaves: &Leaves, basis: &Basis, shape: Shape) -> Form {
    let push = graph.dot(&basis.tangent, &leaves.force);
    let mut part = None;
    let [undamped, damped] = [false, true].map_each(|damped| match shape {
        Shape::Net => {
            let (acceleration, undamped) = net(graph, leaves, basis, damped);
            part = damped.then_some(undamped);
            acceleration
        }
        Shape::OverOne => over_common(graph, leaves, [push, basis.bend, basis.metric], damped),
        Shape::TermByTerm => term_by_term(graph, leaves, basis, push, damped),
        Shape::Common | Shape::Flat => {
            let common = common(graph, basis, push);
            if matches!(shape, Shape::Common) {
                over_common(graph, leaves, common, damped)
            } else {
                let (acceleration, undamped) = flat(graph, leaves, common, damped);
                part = damped.then_some(undamped);
                acceleration
            }
        }
        Shape::Reduced => {
            let terms = term_by_term(graph, leaves, basis, push, damped);
            graph.as_fraction(terms).unwrap_or(terms)
        }
    });
    let varied = leaves.varied.as_ref();
    Form {
        velocity: each(&basis.tangent, |it| graph.mul(it, leaves.rate)),
        curvature: curvature(graph, basis),
        metric: basis.metric,
        regularity: graph.without_positive_factors(basis.metric),
        acceleration: undamped,
        damped_acceleration: damped,
        undamped: part,
        slopes: varied.map_or_else(Vec::new, |it| slopes(graph, (leaves, it), basis, undamped)),
        tangent: basis.tangent.clone(),
        second_derivative: basis.second.clone(),
    }
}

/// P, B and D of r′·f/E = P/D and r′·r″/E = B/D, with the smallest D that the factors show.
fn common(graph: &mut Graph, basis: &Basis, push: ExprId) -> [ExprId; 3] {
    let bend = graph.div(basis.bend, basis.metric);
    let bend = graph.shortest([bend]);
    let bend = graph.factors(bend);
    let push = graph.extracted(push);
    let push = push.over(graph.factors(basis.metric));
    let divisor = push.divisor().common(bend.divisor());
    // D absorbs the number in front of P.
    let divisor = divisor.scaled(push.number.abs().recip());
    [push.times(&divisor), bend.times(&divisor), divisor].map(|factors| graph.multiplied(&factors))
}

/// (P − (m B ṡ + b D) ṡ)/(m D)
fn over_common(
    graph: &mut Graph,
    leaves: &Leaves,
    [push, bend, divisor]: [ExprId; 3],
    damped: bool,
) -> ExprId {
    let bending = graph.mul(leaves.mass, bend);
    let mut resistance = graph.mul(bending, leaves.rate);
    if damped {
        let damping = graph.mul(leaves.damping, divisor);
        resistance = graph.add(resistance, damping);
    }
    let resisted = graph.mul(resistance, leaves.rate);
    let net = graph.sub(push, resisted);
    let inertia = graph.mul(leaves.mass, divisor);
    graph.div(net, inertia)
}

/// (P − m B ṡ² − b ṡ D)/(m D), and P − m B ṡ².
fn flat(
    graph: &mut Graph,
    leaves: &Leaves,
    [push, bend, divisor]: [ExprId; 3],
    damped: bool,
) -> (ExprId, ExprId) {
    let bending = graph.product(&[(leaves.mass, 1), (bend, 1), (leaves.rate, 2)]);
    let mut terms = graph.terms(push);
    terms.push((bending, -Number::ONE));
    let undamped = graph.sum(&terms);
    (
        over_inertia(graph, leaves, undamped, divisor, damped),
        undamped,
    )
}

/// (r′·(f − m r″ ṡ²) − b ṡ E)/(m E), and r′·(f − m r″ ṡ²).
fn net(graph: &mut Graph, leaves: &Leaves, basis: &Basis, damped: bool) -> (ExprId, ExprId) {
    let forces = basis.second.iter().zip(&leaves.force);
    let forces = forces.map(|(&second, &force)| {
        let inertia = graph.product(&[(leaves.mass, 1), (second, 1), (leaves.rate, 2)]);
        graph.sub(force, inertia)
    });
    let forces: Vec<ExprId> = forces.collect_vec();
    let undamped = graph.dot(&basis.tangent, &forces);
    (
        over_inertia(graph, leaves, undamped, basis.metric, damped),
        undamped,
    )
}

/// (P − b ṡ D)/(m D)
fn over_inertia(
    graph: &mut Graph,
    leaves: &Leaves,
    undamped: ExprId,
    divisor: ExprId,
    damped: bool,
) -> ExprId {
    let mut net = undamped;
    if damped {
        let damping = graph.product(&[(leaves.damping, 1), (leaves.rate, 1), (divisor, 1)]);
        net = graph.sub(undamped, damping);
    }
    let inertia = graph.mul(leaves.mass, divisor);
    graph.div(net, inertia)
}

/// r′·f/(m E) − (r′·r″/E) ṡ² − (b/m) ṡ, where r′·f and E, and r′·r″ and E, may have common factors.
fn term_by_term(
    graph: &mut Graph,
    leaves: &Leaves,
    basis: &Basis,
    push: ExprId,
    damped: bool,
) -> ExprId {
    let push = graph.shortest([push]);
    let driven = graph.div(push, basis.metric);
    let driven = graph.div(driven, leaves.mass);
    let bend = graph.div(basis.bend, basis.metric);
    let bend = graph.shortest([bend]);
    let mut resistance = graph.mul(bend, leaves.rate);
    if damped {
        let damping = graph.div(leaves.damping, leaves.mass);
        resistance = graph.add(resistance, damping);
    }
    let resisted = graph.mul(resistance, leaves.rate);
    graph.sub(driven, resisted)
}

/// (r′ × r″)/|r′|³ in the plane, |r′ × r″|/|r′|³ in space.
fn curvature(graph: &mut Graph, basis: &Basis) -> ExprId {
    let metric = basis.metric;
    let area = match (&basis.tangent[..], &basis.second[..]) {
        (&[ax, ay], &[bx, by]) => minor(graph, [ax, ay], [bx, by]),
        (&[ax, ay, az], &[bx, by, bz]) => {
            let minors = [
                minor(graph, [ay, az], [by, bz]),
                minor(graph, [az, ax], [bz, bx]),
                minor(graph, [ax, ay], [bx, by]),
            ];
            let square = graph.dot(&minors, &minors);
            let square = graph.shortest([square]);
            graph.call(Function::Sqrt, &[square])
        }
        _ => graph.zero(),
    };
    let area = graph.shortest([area]);
    let speed = graph.call(Function::Sqrt, &[metric]);
    let cube = graph.mul(metric, speed);
    graph.div(area, cube)
}

/// a₀ b₁ − a₁ b₀
fn minor(graph: &mut Graph, a: [ExprId; 2], b: [ExprId; 2]) -> ExprId {
    let (left, right) = (graph.mul(a[0], b[1]), graph.mul(a[1], b[0]));
    graph.sub(left, right)
}

fn each(ids: &[ExprId], f: impl FnMut(ExprId) -> ExprId) -> Vec<ExprId> {
    ids.iter().copied().map(f).collect_vec()
}

/// ∂s̈/∂x = (∂/∂x (P − m (E s̈ + B ṡ²)))/(m E) at constant s̈, with P = r′·f, B = r′·r″ and E = r′·r′: the equation of
/// motion is differentiated, not its solution.
fn slopes(
    graph: &mut Graph,
    (leaves, varied): (&Leaves, &Varied),
    basis: &Basis,
    acceleration: ExprId,
) -> Vec<ExprId> {
    let push = graph.dot(&basis.tangent, &leaves.force);
    let bending = graph.product(&[(basis.bend, 1), (leaves.rate, 2)]);
    let moving = graph.mul(basis.metric, varied.acceleration);
    let resisting = graph.add(bending, moving);
    let resisting = graph.mul(leaves.mass, resisting);
    let left = graph.sub(push, resisting);
    let inertia = graph.mul(leaves.mass, basis.metric);
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let slopes = each(&varied.variables, |variable| {
        let seed = Some((variable, one, zero)).filter(|_| variable != zero);
        let rate = Taylor::new(seed).first(graph, left);
        graph.div(rate, inertia)
    });
    let known = [(varied.acceleration, graph.whole(acceleration))];
    let map = graph.substitute(slopes.iter().copied(), known.into_iter().collect());
    each(&slopes, |slope| map[&slope])
}
