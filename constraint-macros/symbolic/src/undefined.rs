//! Where the equations have no value, or no derivative: powers of what may vanish, functions at the ends of their domains.
//!
//! Results are checked only where there are such places that no pivot reveals. Where an entry of a row as it is solved is
//! not finite its pivot is not either, and where all of them vanish it is 0.

use crate::dynamics::{Equations, Row};
use crate::expr::{
    CollectVec, ExprId, Function, Graph, Map, MapEach, Node, Number, PushEach, Set, sort_by_key,
};
use crate::model::{Model, Role};
use crate::solve::ScaledRow;

/// A place at which a value is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Where the expression is 0.
    Zero(ExprId),
    /// Where the expression is not positive.
    End(ExprId),
}

/// What a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The forces, or M.
    Motion,
    /// A row of the constraints.
    Row(usize),
    /// The outputs.
    Outputs,
    /// A row of one side, a gap or a slip.
    Side,
    /// A curve.
    Curve,
}

/// A place and its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The place.
    pub place: Place,
    /// Its surroundings.
    pub origin: Origin,
    /// Whether only derivatives are not finite there.
    pub only_slopes: bool,
    /// Whether functions that check the pivot of its row return an error there.
    pub revealed: bool,
}

/// Where results of functions may not be finite, each place once.
#[derive(Clone, Debug, Default)]
pub struct Undefined(pub Vec<Found>);

impl Place {
    /// The expression.
    pub fn at(self) -> ExprId {
        match self {
            Place::Zero(at) | Place::End(at) => at,
        }
    }
}

impl Undefined {
    /// Of equations, with the rows in which their families begin, and with the pivots that are checked, or
    /// `None` in loops, which check all; least squares accept a row of zeros.
    pub fn of(
        model: &mut Model,
        equations: &Equations,
        rows: &[(usize, &Row)],
        pivots: Option<&[(usize, ExprId)]>,
        accepts_zeros: bool,
    ) -> Undefined {
        let (mass, applied) = equations.of_motion();
        let forces: Vec<ExprId> = mass.entries.values().chain(applied).copied().collect_vec();
        let mut found = Undefined::default();
        found.add(model, Origin::Motion, &forces, |_, _| false);
        found.add(model, Origin::Outputs, &equations.outputs, |_, _| false);
        for &(number, row) in rows {
            let entries = row.scaled.jacobian.iter().map(|it| it.1);
            // What is solved may be free of the divisors that the row has.
            let judged = match pivots {
                Some(pivots) => of_row(pivots, number),
                None => entries.collect_vec(),
            };
            found.add_row(model, (number, row, &row.scaled), &[judged], accepts_zeros);
        }
        for side in &equations.sides {
            found.add(model, Origin::Side, &side.all(), |_, _| false);
        }
        // All functions of a system that solve for the motion check the pivots.
        found.0.retain(|it| !it.revealed);
        found.sorted(model)
    }

    /// Of the rows of a constraint, with the pivots that are checked in each of the ways in which they are solved; a pivot
    /// that is a constant is not checked.
    pub fn of_rows(model: &mut Model, rows: &[Row], ways: &[Vec<(usize, ExprId)>]) -> Undefined {
        let mut found = Undefined::default();
        for (number, row) in rows.iter().enumerate() {
            let judged = ways.iter().map(|way| of_row(way, number));
            let judged: Vec<Vec<ExprId>> = judged.collect_vec();
            // Where the row vanishes without its divisors, the pivot of the row with them is 0/0.
            let scaled = ScaledRow::new(&mut model.graph, &row.jacobian, row.bias, true);
            found.add_row(model, (number, row, &scaled), &judged, false);
        }
        found.sorted(model)
    }

    /// Of a curve, with the expressions that its functions are computed from.
    pub fn of_curve(model: &mut Model, roots: &[ExprId]) -> Undefined {
        let mut found = Undefined::default();
        found.add(model, Origin::Curve, roots, |_, _| false);
        found
    }

    /// The places of a row. Pivots reveal one if they do in each of the ways in which the row is solved with a check.
    fn add_row(
        &mut self,
        model: &mut Model,
        (number, row, scaled): (usize, &Row, &ScaledRow),
        ways: &[Vec<ExprId>],
        accepts_zeros: bool,
    ) {
        let entries = row.jacobian.iter().map(|it| it.1);
        let all: Vec<ExprId> = entries.chain([row.bias]).collect_vec();
        let entries: Vec<ExprId> = scaled.jacobian.iter().map(|it| it.1).collect_vec();
        let ways = ways.iter().filter(|way| !way.is_empty());
        let ways: Vec<&Vec<ExprId>> = ways.collect_vec();
        let judges = !ways.is_empty();
        let mut infinite = None;
        self.add(model, Origin::Row(number), &all, |model, place| {
            if judges && !accepts_zeros && vanish(&mut model.graph, &entries, place.at()) {
                return true;
            }
            let infinite = infinite.get_or_insert_with(|| {
                let poles = ways.iter().map(|judged| poles(&model.graph, judged));
                poles.collect_vec()
            });
            judges && infinite.iter().all(|poles| poles.contains(&place))
        });
    }

    /// First the places that no velocity moves: they alone explain results at coordinates.
    fn sorted(mut self, model: &Model) -> Self {
        sort_by_key(&mut self.0, |it| model.mentions_velocity([it.place.at()]));
        self
    }

    /// The places in expressions that are not known yet.
    fn add(
        &mut self,
        model: &mut Model,
        origin: Origin,
        roots: &[ExprId],
        mut is_revealed: impl FnMut(&mut Model, Place) -> bool,
    ) {
        for only_slopes in [false, true] {
            for place in places(model, roots, only_slopes) {
                let is_known =
                    |it: &Found| it.place == place && (!it.revealed || it.origin == origin);
                if !self.0.iter().any(is_known) {
                    let revealed = is_revealed(model, place);
                    self.0.push(Found {
                        place,
                        origin,
                        only_slopes,
                        revealed,
                    });
                }
            }
        }
    }

    /// Whether v̇ or λ, or derivatives of them, may not be finite.
    pub fn is_in_motion(&self, slopes: bool) -> bool {
        self.is_in(slopes, |of| matches!(of, Origin::Motion | Origin::Row(_)))
    }

    /// Whether outputs, or derivatives of them, may not be finite.
    pub fn is_in_outputs(&self, slopes: bool) -> bool {
        self.is_in(slopes, |of| of != Origin::Side)
    }

    /// Whether what the rows of one side are solved with, or derivatives of it, may not be finite.
    pub fn is_in_sides(&self, slopes: bool) -> bool {
        self.is_in(slopes, |of| of != Origin::Outputs)
    }

    /// Whether a curve's acceleration, or derivatives of it, may not be finite.
    pub fn is_in_curve(&self, slopes: bool) -> bool {
        self.is_in(slopes, |of| of == Origin::Curve)
    }

    fn is_in(&self, slopes: bool, of: impl Fn(Origin) -> bool) -> bool {
        let mut all = self.0.iter();
        all.any(|it| !it.revealed && of(it.origin) && (slopes || !it.only_slopes))
    }

    /// The rows with places that only their pivots reveal, of values or of derivatives.
    pub fn revealed_rows(&self, slopes: bool) -> Vec<usize> {
        let revealed = self
            .0
            .iter()
            .filter(|it| it.revealed && (slopes || !it.only_slopes));
        let rows = revealed.filter_map(|it| match it.origin {
            Origin::Row(row) => Some(row),
            _ => None,
        });
        rows.collect_vec()
    }
}

/// The pivots of a row.
fn of_row(pivots: &[(usize, ExprId)], row: usize) -> Vec<ExprId> {
    let own = pivots.iter().filter(|it| it.0 == row);
    own.map(|it| it.1).collect_vec()
}

/// Where expressions are infinite: a divisor within exp(−1/x) makes no pole.
fn poles(graph: &Graph, roots: &[ExprId]) -> Vec<Place> {
    let (mut open, mut known) = (roots.to_vec(), Set::default());
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        if !known.insert(id) {
            continue;
        }
        match graph.node(id) {
            Node::Sum { terms, .. } => open.push_each(terms.iter().map(|it| it.0)),
            Node::Whole(inner) => open.push(*inner),
            Node::Product(factors) => {
                for &(base, exponent) in factors {
                    if exponent > 0 {
                        open.push(base);
                    } else {
                        found.push_each(zero(graph, base));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether all entries of a row are 0 where an expression is, as those of d/|d| without its divisor are where d·d is.
fn vanish(graph: &mut Graph, entries: &[ExprId], at: ExprId) -> bool {
    let zero = graph.zero();
    let mut zeros = Map::from_iter([(at, zero)]);
    if graph.is_not_negative(at) {
        // A sum of squares is 0 where each of them is.
        let terms = match graph.node(at) {
            Node::Sum { terms, .. } => terms.iter().map(|it| it.0).collect_vec(),
            _ => vec![at],
        };
        for term in terms {
            if let Node::Product(factors) = graph.node(term)
                && let [(base, _)] = factors[..]
            {
                zeros.insert(base, zero);
            }
        }
    }
    let map = graph.substitute(entries.iter().copied(), zeros);
    entries.iter().all(|it| graph.is_zero(map[it]))
}

/// The places in expressions, or in them and their derivatives.
fn places(model: &mut Model, roots: &[ExprId], slopes: bool) -> Vec<Place> {
    let nodes = model.graph.reachable(roots.iter().copied());
    let mut moving: Set<ExprId> = Set::default();
    let mut found = Vec::new();
    for id in nodes {
        let node = model.graph.node(id).clone();
        let mut moves = moves(model.role(id));
        node.for_each_child(|child| moves |= moving.contains(&child));
        if !moves {
            continue;
        }
        moving.insert(id);
        let mut add = |place: Option<Place>| {
            found.push_each(place.filter(|it| !found.contains(it)));
        };
        let graph = &mut model.graph;
        match &node {
            Node::Product(factors) => {
                let below = factors.iter().filter(|it| it.1 < 0);
                let below: Vec<ExprId> = below.map(|it| it.0).collect_vec();
                let below = below.into_iter().filter(|base| moving.contains(base));
                below.for_each(|base| add(zero(graph, base)));
            }
            Node::Call(function, arguments) => add(end(graph, *function, arguments, slopes)),
            _ => {}
        }
    }
    let given = |place: &Place| {
        let leaves = model.graph.reachable([place.at()]).into_iter();
        let mut roles = leaves.filter_map(|id| model.role(id));
        roles.all(is_known)
    };
    found.into_iter().filter(given).collect_vec()
}

/// Whether a leaf is no number for a whole run.
fn moves(role: Option<Role>) -> bool {
    role.is_some_and(|role| !matches!(role, Role::Parameter { .. } | Role::Number(_)))
}

/// Whether a leaf is known before anything is solved.
fn is_known(role: Role) -> bool {
    let is_state = matches!(
        role,
        Role::Time | Role::Coordinate(_) | Role::Velocity(_) | Role::Arm { .. } | Role::Input(_)
    );
    is_state || !moves(Some(role))
}

/// Where a divisor vanishes; where a root does, what is below it.
fn zero(graph: &Graph, divisor: ExprId) -> Option<Place> {
    let mut at = divisor;
    loop {
        let below = match graph.node(at) {
            Node::Whole(inner) => *inner,
            Node::Call(Function::Sqrt | Function::Cbrt, arguments) => arguments[0],
            _ => graph.split_coefficient(at).1,
        };
        if below == at {
            break;
        }
        at = below;
    }
    (!graph.is_positive(at)).then_some(Place::Zero(at))
}

/// Where a function has no value, or no slope.
fn end(graph: &mut Graph, function: Function, arguments: &[ExprId], slopes: bool) -> Option<Place> {
    let first = arguments[0];
    let at = match function {
        Function::Powf => return end_of_power(graph, first, arguments[1], slopes),
        Function::Sqrt if !graph.is_not_negative(first) => first,
        Function::Sqrt | Function::Cbrt if slopes => return zero(graph, first),
        Function::Ln | Function::Log2 | Function::Log10 => first,
        Function::Ln1p => graph.offset(first, Number::ONE),
        Function::Acosh => graph.offset(first, Number::MINUS_ONE),
        Function::Asin | Function::Acos | Function::Atanh => {
            let square = graph.powi(first, 2);
            let rest = graph.neg(square);
            graph.offset(rest, Number::ONE)
        }
        Function::Atan2 | Function::Hypot if slopes => {
            let [y, x] = [arguments[0], arguments[1]].map_each(|it| graph.powi(it, 2));
            let sum = graph.add(y, x);
            return zero(graph, sum);
        }
        _ => return None,
    };
    not_positive(graph, at)
}

/// A power of 0 has a value for positive exponents, but a slope of any order for none.
fn end_of_power(graph: &Graph, base: ExprId, exponent: ExprId, slopes: bool) -> Option<Place> {
    let exponent = graph.as_number(exponent);
    let vanishes = exponent.is_some_and(|it| !it.is_negative());
    match vanishes && !slopes && graph.is_not_negative(base) {
        true => None,
        false => not_positive(graph, base),
    }
}

/// Where an expression is not positive.
fn not_positive(graph: &Graph, at: ExprId) -> Option<Place> {
    match graph.is_not_negative(at) {
        true => zero(graph, at),
        false => Some(Place::End(at)),
    }
}
