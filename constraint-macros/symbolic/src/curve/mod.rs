//! From the points of a curve to its equations: r′, r″, curvature, and the motion of a bead along it.
//!
//! Input: a [`Curve`]. Output: [`Derived`]. With E = r′·r′, and E′/2 = r′·r″, Newton's equation along the
//! tangent m (E s̈ + r′·r″ ṡ²) = r′·f − b E ṡ gives s̈ of a bead of mass m with damping b. There is no slope
//! anywhere, hence no special case for vertical tangents or for the direction of the parameter.

mod pieces;
mod scan;

pub use pieces::Pieces;
pub use scan::{Continuity, Scan, Seam, describe};

use crate::check;
use crate::diagnostic::{Diagnostics, catalogue};
use crate::diff::Taylor;
use crate::expr::{Comparison, ExprId, Function, Graph, Node, Number, SymbolId};
use crate::model::{Curve, Model, Role};
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
    /// What s̈ is differentiated by, where that is asked for.
    pub varied: Option<Varied>,
}

/// What s̈ depends on.
#[derive(Clone, Debug)]
pub struct Varied {
    /// s, ṡ, f, m and the parameters; zero where nothing depends on one.
    pub variables: Vec<ExprId>,
    /// s̈, until the equation of motion is differentiated.
    pub acceleration: ExprId,
}

/// r′ and what follows from it, in one way of writing them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// r′
    pub tangent: Vec<ExprId>,
    /// r″
    pub second_derivative: Vec<ExprId>,
    /// r′ ṡ
    pub velocity: Vec<ExprId>,
    /// E = r′·r′, the square of the speed for ṡ = 1.
    pub metric: ExprId,
    /// E without its factors that are positive everywhere: what tells whether r′ vanishes.
    pub regularity: ExprId,
    /// κ: signed in the plane, positive where the curve turns left; its size in space.
    pub curvature: ExprId,
    /// s̈ = (r′·f/m − r′·r″ ṡ²)/(r′·r′)
    pub acceleration: ExprId,
    /// s̈ with the damping −b v: the same, less (b/m) ṡ.
    pub damped_acceleration: ExprId,
    /// ∂s̈/∂(s, ṡ, f, m, p) where that is asked for.
    pub slopes: Vec<ExprId>,
    /// A sum on the way to it that stays one, so that damping is put under no factor with other terms.
    pub undamped: Option<ExprId>,
}

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// r
    Position,
    /// r′
    Tangent,
    /// r″
    SecondDerivative,
    /// r′·r′ but for factors that are positive everywhere; in a program nothing of a piece where it cannot vanish
    Regularity,
    /// κ
    Curvature,
    /// r′ ṡ
    Velocity,
    /// s̈
    Acceleration,
    /// s̈ with damping
    DampedAcceleration,
    /// ∂s̈/∂(s, ṡ, f, m, p)
    Slopes,
    /// Both ends of the domain
    Domain,
    /// A number that changes where the curve goes over from one piece to the next
    Piece,
}

impl Quantity {
    const ALL: [Quantity; 11] = [
        Quantity::Position,
        Quantity::Tangent,
        Quantity::SecondDerivative,
        Quantity::Regularity,
        Quantity::Curvature,
        Quantity::Velocity,
        Quantity::Acceleration,
        Quantity::DampedAcceleration,
        Quantity::Slopes,
        Quantity::Domain,
        Quantity::Piece,
    ];
}

/// A curve with all that follows from it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes, domain and expressions; the rows are the components of r.
    pub curve: Curve,
    /// The leaves.
    pub leaves: Leaves,
    /// A number that changes where the curve goes over from one piece to the next.
    pub piece: ExprId,
    /// What the curve does along its domain, for a few samples of its fields.
    pub scans: Vec<Scan>,
    /// All of it at once, choices included.
    pub whole: Piece,
    /// Each piece by itself, where there are several.
    pub pieces: Option<Pieces<Piece>>,
}

/// A piece of a curve, or all of it.
#[derive(Clone, Debug)]
pub struct Piece {
    /// r
    pub position: Vec<ExprId>,
    /// The ways of writing r′ and what follows from it that may be cheapest; the last reads best.
    pub forms: Vec<Form>,
}

/// Derives everything from the components of r; `None` where the curve is found to be none.
pub fn derive(mut curve: Curve, diagnostics: &mut Diagnostics) -> Option<Derived> {
    let leaves = add_leaves(&mut curve);
    let position: Vec<ExprId> = curve.model.rows.iter().map(|row| row.root).collect();
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

/// What follows from the components of r; `None` where they are constant.
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
        .flat_map(|base| shapes.map(|shape| (base, shape)));
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
    let roots: Vec<ExprId> = position.iter().copied().chain(named).collect();
    let split = pieces::split(&mut model.graph, &roots, position.len())?;
    let names = model.names.clone();
    let mut derived = |roots: &Vec<ExprId>| {
        let (position, named) = roots.split_at(position.len());
        let changed = names.iter().zip(named).filter(|((id, _), now)| id != *now);
        let renamed = changed.map(|((_, name), now)| (*now, name.clone()));
        model.names.extend(renamed);
        piece(&mut model.graph, slope, leaves, position)
    };
    split.try_map(&mut derived, &|condition| *condition)
}

/// `metric`, of all forms that have one.
fn name_metrics(model: &mut Model, whole: &Piece, pieces: Option<&Pieces<Piece>>) {
    let pieces = pieces.map(Pieces::leaves).unwrap_or_default();
    for form in pieces.iter().chain([&whole]).flat_map(|it| &it.forms) {
        if model.graph.as_number(form.metric).is_none() {
            model.names.push((form.metric, "metric".to_owned()));
        }
    }
}

/// r′, r″, E = r′·r′ and E′/2 = r′·r″, in one way of writing them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Basis {
    tangent: Vec<ExprId>,
    second: Vec<ExprId>,
    metric: ExprId,
    bend: ExprId,
}

/// As differentiation gives them; then with E alone as a fraction; then all as fractions.
fn bases(graph: &mut Graph, slope: &mut Taylor, position: &[ExprId]) -> Vec<Basis> {
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
    let second: Vec<ExprId> = second.collect();
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

/// Σ 2ᵏ over the choices k that are decided for their first branch: one number for each piece.
fn piece_number(curve: &mut Curve, parameter: ExprId) -> ExprId {
    let position: Vec<ExprId> = curve.model.rows.iter().map(|row| row.root).collect();
    let graph = &mut curve.model.graph;
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let mut terms: Vec<(ExprId, Number)> = Vec::new();
    for id in graph.reachable(position) {
        if let Some(decision) = decision(graph, id)
            && graph.reachable([decision]).contains(&parameter)
        {
            // Beyond the digits of a float, pieces share their numbers.
            let weight = Number::integer(1 << (terms.len() % 48));
            terms.push((graph.select(decision, one, zero), weight));
        }
    }
    graph.sum(&terms)
}

/// The comparison that a node makes.
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

fn each(ids: &[ExprId], f: impl FnMut(ExprId) -> ExprId) -> Vec<ExprId> {
    ids.iter().copied().map(f).collect()
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
        .collect();
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

/// What s̈ is differentiated by.
fn varied(model: &mut Model, leaves: &Leaves) -> Varied {
    let mut variables = vec![leaves.parameter, leaves.rate];
    variables.extend(&leaves.force);
    variables.push(leaves.mass);
    variables.extend(model.varied_leaves());
    Varied {
        variables,
        acceleration: model.add_leaf(Role::Scratch, "unknown".to_owned()),
    }
}

/// ∂s̈/∂x = (∂/∂x (P − m (E s̈ + B ṡ²)))/(m E), s̈ standing still, with P = r′·f, B = r′·r″ and E = r′·r′: the equation of
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

/// The name of the slope of `d.x`: `d_prime.x`.
fn primed(name: &str) -> String {
    match name.split_once('.') {
        Some((name, component)) => format!("{name}_prime.{component}"),
        None => format!("{name}_prime"),
    }
}

/// How s̈ is written.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// (r′·(f − m r″ ṡ²) − b ṡ E)/(m E)
    Net,
    /// (r′·f − (m r′·r″ ṡ + b E) ṡ)/(m E)
    OverOne,
    /// r′·f/(m E) − (r′·r″/E) ṡ² − (b/m) ṡ, where factors in common cancel.
    TermByTerm,
    /// That as one fraction of polynomials.
    Reduced,
    /// (P − (m B ṡ + b D) ṡ)/(m D) with r′·f/E = P/D and r′·r″/E = B/D, where factors in common have cancelled.
    Common,
    /// (P − m B ṡ² − b D ṡ)/(m D), whose terms may have factors in common.
    Flat,
}

fn form(graph: &mut Graph, leaves: &Leaves, basis: &Basis, shape: Shape) -> Form {
    let push = graph.dot(&basis.tangent, &leaves.force);
    let mut part = None;
    let [undamped, damped] = [false, true].map(|damped| match shape {
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

/// P, B and D of r′·f/E = P/D and r′·r″/E = B/D, D as small as the factors show.
fn common(graph: &mut Graph, basis: &Basis, push: ExprId) -> [ExprId; 3] {
    let bend = graph.div(basis.bend, basis.metric);
    let bend = graph.shortest([bend]);
    let bend = graph.factors(bend);
    let push = graph.extracted(push);
    let push = push.over(graph.factors(basis.metric));
    let divisor = push.divisor().common(bend.divisor());
    // A number in front of P is one less with D.
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
    let forces: Vec<ExprId> = forces.collect();
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

/// r′·f/(m E) − (r′·r″/E) ṡ² − (b/m) ṡ, where r′·f and E, and r′·r″ and E, may have factors in common.
fn term_by_term(
    graph: &mut Graph,
    leaves: &Leaves,
    basis: &Basis,
    push: ExprId,
    damped: bool,
) -> ExprId {
    let push = graph.shortest([push]);
    let pushed = graph.div(push, basis.metric);
    let pushed = graph.div(pushed, leaves.mass);
    let bend = graph.div(basis.bend, basis.metric);
    let bend = graph.shortest([bend]);
    let mut resistance = graph.mul(bend, leaves.rate);
    if damped {
        let damping = graph.div(leaves.damping, leaves.mass);
        resistance = graph.add(resistance, damping);
    }
    let resisted = graph.mul(resistance, leaves.rate);
    graph.sub(pushed, resisted)
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

impl Derived {
    /// 2 in the plane, 3 in space.
    pub fn dimension(&self) -> usize {
        self.curve.model.rows.len()
    }

    /// All expressions that programs are made of.
    fn results(&self) -> Vec<ExprId> {
        let pieces = self.pieces.iter().flat_map(Pieces::leaves);
        let of_piece = |piece: &Piece| {
            let of_form = |form: &Form| {
                let all = Quantity::ALL.iter();
                let outputs = all.flat_map(|&quantity| self.expressions(piece, quantity, form));
                outputs.chain(form.undamped).collect::<Vec<ExprId>>()
            };
            piece
                .forms
                .iter()
                .flat_map(of_form)
                .collect::<Vec<ExprId>>()
        };
        pieces.chain([&self.whole]).flat_map(of_piece).collect()
    }

    /// The cheapest program we know that computes the quantities of a piece, outputs in their order.
    ///
    /// What the force is given counts half: a force that needs neither place nor velocity is inlined with its call,
    /// and they are then not computed.
    pub fn program(
        &self,
        piece: &Piece,
        quantities: &[Quantity],
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let forced = quantities.last() == Some(&Quantity::DampedAcceleration);
        let regular = self.is_regular(piece);
        let (mut ways, mut optional) = (Vec::new(), Vec::new());
        for form in &piece.forms {
            let mut roots = Vec::new();
            optional.clear();
            for &quantity in quantities {
                if quantity == Quantity::Regularity && regular {
                    continue;
                }
                let damped = quantity == Quantity::DampedAcceleration;
                roots.extend(form.undamped.filter(|_| damped).map(Root::Early));
                let given = matches!(quantity, Quantity::Position | Quantity::Velocity);
                for output in self.expressions(piece, quantity, form) {
                    roots.push(Root::Output(output));
                    optional.push(forced && given);
                }
            }
            if !ways.contains(&roots) {
                ways.push(roots);
            }
        }
        let model = &self.curve.model;
        schedule::cheapest_of(&model.graph, &ways, &model.names, symbol_name, &optional)
    }

    /// The program that decides between two pieces.
    pub fn decision(&self, condition: ExprId, symbol_name: &dyn Fn(SymbolId) -> String) -> Program {
        let (model, root) = (&self.curve.model, Root::Output(condition));
        schedule::schedule(&model.graph, &[root], &model.names, symbol_name)
    }

    /// The program of all pieces at once, with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity]) -> Program {
        let symbols = &self.curve.model.symbols;
        let name = |symbol: SymbolId| symbols[symbol.index()].name.clone();
        self.program(&self.whole, quantities, &name)
    }

    /// The expressions of a quantity.
    pub fn expressions(&self, piece: &Piece, quantity: Quantity, form: &Form) -> Vec<ExprId> {
        match quantity {
            Quantity::Position => piece.position.clone(),
            Quantity::Tangent => form.tangent.clone(),
            Quantity::SecondDerivative => form.second_derivative.clone(),
            Quantity::Regularity => vec![form.regularity],
            Quantity::Curvature => vec![form.curvature],
            Quantity::Velocity => form.velocity.clone(),
            Quantity::Acceleration => vec![form.acceleration],
            Quantity::DampedAcceleration => vec![form.damped_acceleration],
            Quantity::Slopes => form.slopes.clone(),
            Quantity::Domain => self.curve.domain.to_vec(),
            Quantity::Piece => vec![self.piece],
        }
    }

    /// Whether r′ cannot vanish anywhere in a piece, whatever the parameters are.
    fn is_regular(&self, piece: &Piece) -> bool {
        let graph = &self.curve.model.graph;
        piece
            .forms
            .iter()
            .any(|form| graph.is_positive(form.metric))
    }
}
