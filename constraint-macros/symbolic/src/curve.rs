//! From the points of a curve to its equations: r′, r″, curvature, and the motion of a bead along it.
//!
//! Input: a [`Curve`]. Output: [`Derived`]. With E = r′·r′, and E′/2 = r′·r″, Newton's equation along the
//! tangent m (E s̈ + r′·r″ ṡ²) = r′·f − b E ṡ gives s̈ of a bead of mass m with damping b. There is no slope
//! anywhere, hence no special case for vertical tangents or for the direction of the parameter.

use crate::diagnostic::{Diagnostics, catalogue};
use crate::diff::Taylor;
use crate::expr::{ExprId, Function, Graph, Number, SymbolId};
use crate::model::{Curve, Role, Symbol};
use crate::schedule::{self, Program, Root};

/// The leaves that the equations add to those of the model.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// s
    pub parameter: ExprId,
    /// ṡ
    pub rate: ExprId,
    /// f, one component per dimension
    pub force: Vec<ExprId>,
    /// m
    pub mass: ExprId,
    /// b
    pub damping: ExprId,
}

/// What follows from one way of writing E = r′·r′.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// E = r′·r′, the square of the speed for ṡ = 1.
    pub metric: ExprId,
    /// κ: signed in the plane, positive where the curve turns left; its size in space.
    pub curvature: ExprId,
    /// s̈ = (r′·f/m − r′·r″ ṡ²)/(r′·r′)
    pub acceleration: ExprId,
    /// s̈ with the damping −b v: the same, less (b/m) ṡ.
    pub damped_acceleration: ExprId,
}

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// r
    Position,
    /// r′
    Tangent,
    /// r″
    SecondDerivative,
    /// r′·r′
    Metric,
    /// κ
    Curvature,
    /// r′ ṡ
    Velocity,
    /// s̈
    Acceleration,
    /// s̈ with damping
    DampedAcceleration,
    /// Both ends of the domain
    Domain,
}

/// A curve with all that follows from it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes, domain and expressions; the rows are the components of r.
    pub curve: Curve,
    /// The leaves.
    pub leaves: Leaves,
    /// r′
    pub tangent: Vec<ExprId>,
    /// r″
    pub second_derivative: Vec<ExprId>,
    /// r′ ṡ
    pub velocity: Vec<ExprId>,
    /// The ways of writing what depends on r′·r′ that may be cheapest.
    pub forms: Vec<Form>,
}

/// Derives everything from the components of r; `None` where the curve is found to be none.
pub fn derive(mut curve: Curve, diagnostics: &mut Diagnostics) -> Option<Derived> {
    let leaves = add_leaves(&mut curve);
    let position: Vec<ExprId> = curve.model.rows.iter().map(|row| row.root).collect();
    let graph = &mut curve.model.graph;
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let mut motion = Taylor::new([(leaves.parameter, one, zero)]);
    let tangent: Vec<ExprId> = each(&position, |r| motion.first(graph, r));
    let second_derivative: Vec<ExprId> = each(&position, |r| motion.second(graph, r));
    if tangent.iter().all(|&slope| graph.is_zero(slope)) {
        let name = curve.parameter();
        diagnostics.push(catalogue::curve_without_parameter(curve.range, &name));
        return None;
    }
    let velocity = each(&tangent, |r| graph.mul(r, leaves.rate));
    let metric = dot(graph, &tangent, &tangent);
    let bend = dot(graph, &tangent, &second_derivative);
    let forms = vec![form(
        graph,
        &leaves,
        [&tangent, &second_derivative],
        metric,
        bend,
    )];
    let names = curve.model.names.clone();
    for (id, name) in names {
        let slope = motion.first(&mut curve.model.graph, id);
        if curve.model.graph.as_number(slope).is_none() {
            curve.model.names.push((slope, primed(&name)));
        }
    }
    Some(Derived {
        curve,
        leaves,
        tangent,
        second_derivative,
        velocity,
        forms,
    })
}

fn each(ids: &[ExprId], f: impl FnMut(ExprId) -> ExprId) -> Vec<ExprId> {
    ids.iter().copied().map(f).collect()
}

fn add_leaves(curve: &mut Curve) -> Leaves {
    let dimension = curve.model.rows.len();
    let own = |role: &Role| *role == Role::Coordinate(0);
    let position = curve.model.symbols.iter().position(|s| own(&s.role));
    let name = curve.parameter();
    let mut add = |role: Role, name: String| {
        let id = SymbolId::new(curve.model.symbols.len());
        curve.model.symbols.push(Symbol { role, name });
        curve.model.graph.symbol(id)
    };
    let rate = add(Role::Velocity(0), format!("{name}_dot"));
    let letters = ["x", "y", "z"].iter().take(dimension).enumerate();
    let force = letters
        .map(|(i, letter)| add(Role::Force(i), format!("f_{letter}")))
        .collect();
    let mass = add(Role::Mass, "m".into());
    let damping = add(Role::Damping, "b".into());
    let parameter = SymbolId::new(position.unwrap_or_default());
    Leaves {
        parameter: curve.model.graph.symbol(parameter),
        rate,
        force,
        mass,
        damping,
    }
}

/// The name of the slope of `d.x`: `d_prime.x`.
fn primed(name: &str) -> String {
    match name.split_once('.') {
        Some((name, component)) => format!("{name}_prime.{component}"),
        None => format!("{name}_prime"),
    }
}

/// `bend` is r′·r″.
fn form(
    graph: &mut Graph,
    leaves: &Leaves,
    [tangent, second]: [&[ExprId]; 2],
    metric: ExprId,
    bend: ExprId,
) -> Form {
    let push = dot(graph, tangent, &leaves.force);
    let inertia = graph.mul(leaves.mass, metric);
    let bending = graph.mul(leaves.mass, bend);
    let bent = graph.mul(bending, leaves.rate);
    let damped = graph.mul(leaves.damping, metric);
    let acceleration = accelerate(graph, push, bent, leaves.rate, inertia);
    let resisted = graph.add(bent, damped);
    Form {
        metric,
        curvature: curvature(graph, tangent, second, metric),
        acceleration,
        damped_acceleration: accelerate(graph, push, resisted, leaves.rate, inertia),
    }
}

/// (push − resistance ṡ)/inertia
fn accelerate(
    graph: &mut Graph,
    push: ExprId,
    resistance: ExprId,
    rate: ExprId,
    inertia: ExprId,
) -> ExprId {
    let resisted = graph.mul(resistance, rate);
    let net = graph.sub(push, resisted);
    graph.div(net, inertia)
}

/// (r′ × r″)/|r′|³ in the plane, |r′ × r″|/|r′|³ in space.
fn curvature(graph: &mut Graph, tangent: &[ExprId], second: &[ExprId], metric: ExprId) -> ExprId {
    let area = match (tangent, second) {
        (&[ax, ay], &[bx, by]) => minor(graph, [ax, ay], [bx, by]),
        (&[ax, ay, az], &[bx, by, bz]) => {
            let minors = [
                minor(graph, [ay, az], [by, bz]),
                minor(graph, [az, ax], [bz, bx]),
                minor(graph, [ax, ay], [bx, by]),
            ];
            let square = dot(graph, &minors, &minors);
            graph.call(Function::Sqrt, &[square])
        }
        _ => graph.zero(),
    };
    let speed = graph.call(Function::Sqrt, &[metric]);
    let cube = graph.mul(metric, speed);
    graph.div(area, cube)
}

/// a₀ b₁ − a₁ b₀
fn minor(graph: &mut Graph, a: [ExprId; 2], b: [ExprId; 2]) -> ExprId {
    let (left, right) = (graph.mul(a[0], b[1]), graph.mul(a[1], b[0]));
    graph.sub(left, right)
}

fn dot(graph: &mut Graph, a: &[ExprId], b: &[ExprId]) -> ExprId {
    let pairs = a.iter().zip(b);
    let terms: Vec<_> = pairs
        .map(|(&a, &b)| (graph.mul(a, b), Number::ONE))
        .collect();
    graph.sum(&terms)
}

impl Derived {
    /// 2 in the plane, 3 in space.
    pub fn dimension(&self) -> usize {
        self.curve.model.rows.len()
    }

    /// The cheapest program we know that computes the quantities, outputs in their order.
    pub fn program(
        &self,
        quantities: &[Quantity],
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        schedule::cheapest(self.forms.iter().map(|form| {
            let outputs = quantities.iter().flat_map(|&q| self.expressions(q, form));
            let roots: Vec<Root> = outputs.map(Root::Output).collect();
            let model = &self.curve.model;
            schedule::schedule(&model.graph, &roots, &model.names, symbol_name)
        }))
    }

    /// The program with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity]) -> Program {
        let symbols = &self.curve.model.symbols;
        self.program(quantities, &|symbol| symbols[symbol.index()].name.clone())
    }

    /// The expressions of a quantity.
    pub fn expressions(&self, quantity: Quantity, form: &Form) -> Vec<ExprId> {
        match quantity {
            Quantity::Position => self.curve.model.rows.iter().map(|row| row.root).collect(),
            Quantity::Tangent => self.tangent.clone(),
            Quantity::SecondDerivative => self.second_derivative.clone(),
            Quantity::Metric => vec![form.metric],
            Quantity::Curvature => vec![form.curvature],
            Quantity::Velocity => self.velocity.clone(),
            Quantity::Acceleration => vec![form.acceleration],
            Quantity::DampedAcceleration => vec![form.damped_acceleration],
            Quantity::Domain => self.curve.domain.to_vec(),
        }
    }

    /// Whether r′ cannot vanish anywhere, whatever the parameters are.
    pub fn is_regular(&self) -> bool {
        let graph = &self.curve.model.graph;
        self.forms.iter().any(|form| graph.is_positive(form.metric))
    }
}
