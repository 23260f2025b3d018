//! From the rows of a model to its equations: J, Ċ, J̇, the bias of C̈, and rows scaled for solving.

use crate::diff::{Taylor, gradient};
use crate::expr::{ExprId, Function, Graph, Node, Number, SymbolId, rational_content};
use crate::model::{Model, Role};

/// The leaves that the equations add to those of the model.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// q
    pub coordinates: Vec<ExprId>,
    /// v
    pub velocities: Vec<ExprId>,
    /// The diagonal of W = M⁻¹.
    pub inverse_masses: Vec<ExprId>,
    /// f
    pub forces: Vec<ExprId>,
    /// The right-hand side b of (J W Jᵀ) λ = b.
    pub right_hand_side: Vec<ExprId>,
    /// The mass of the one particle.
    pub mass: ExprId,
}

/// One row divided by the content c of its Jacobian: J = c·J′, β = c·β′, λ = λ′/c. The force J′ᵀλ′ does
/// not know c.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaledRow {
    /// J′
    pub jacobian: Vec<ExprId>,
    /// β′
    pub bias: ExprId,
    /// c
    pub content: ExprId,
}

/// Everything derived from the rows; `[row][coordinate]`.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The leaves.
    pub leaves: Leaves,
    /// C
    pub value: Vec<ExprId>,
    /// J
    pub jacobian: Vec<Vec<ExprId>>,
    /// Ċ
    pub rate: Vec<ExprId>,
    /// J̇
    pub jacobian_dot: Vec<Vec<ExprId>>,
    /// β = C̈ − J v̇
    pub bias: Vec<ExprId>,
}

/// Derives all equations of the model's rows.
pub fn derive(model: &mut Model) -> Equations {
    let leaves = add_leaves(model);
    let graph = &mut model.graph;
    let value: Vec<ExprId> = model.rows.iter().map(|row| row.root).collect();
    let time = model.symbols.iter().position(|s| s.role == Role::Time);
    let mut motion = motion(graph, &leaves, time.map(SymbolId::new));
    let rate = value.iter().map(|&c| motion.first(graph, c)).collect();
    let bias = value.iter().map(|&c| motion.second(graph, c)).collect();
    let jacobian: Vec<Vec<ExprId>> = value
        .iter()
        .map(|&c| gradient(graph, c, &leaves.coordinates))
        .collect();
    let jacobian_dot = jacobian
        .iter()
        .map(|row| row.iter().map(|&j| motion.first(graph, j)).collect())
        .collect();
    name_rates(model, &mut motion);
    Equations {
        leaves,
        value,
        jacobian,
        rate,
        jacobian_dot,
        bias,
    }
}

/// Names the rates of what the user has named: `d_dot.x` for `d.x`.
pub fn name_rates(model: &mut Model, motion: &mut Taylor) {
    for (id, name) in model.names.clone() {
        let rate = motion.first(&mut model.graph, id);
        if model.graph.as_number(rate).is_none() {
            model.names.push((rate, dotted(&name)));
        }
    }
}

/// q moves with (v, 0), time with (1, 0); all else stands still.
fn motion(graph: &mut Graph, leaves: &Leaves, time: Option<SymbolId>) -> Taylor {
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let pairs = leaves.coordinates.iter().zip(&leaves.velocities);
    let mut seeds: Vec<_> = pairs.map(|(&q, &v)| (q, v, zero)).collect();
    if let Some(time) = time {
        seeds.push((graph.symbol(time), one, zero));
    }
    Taylor::new(seeds)
}

fn add_leaves(model: &mut Model) -> Leaves {
    let n = model.coordinate_count();
    let m = model.rows.len();
    let mut own: Vec<Option<SymbolId>> = vec![None; n];
    for (index, symbol) in model.symbols.iter().enumerate() {
        if let Role::Coordinate(i) = symbol.role {
            own[i] = Some(SymbolId::new(index));
        }
    }
    let name = |(i, id): (usize, &Option<SymbolId>)| match id {
        Some(id) => model.symbols[id.index()].name.clone(),
        None => format!("q{i}"),
    };
    let names: Vec<String> = own.iter().enumerate().map(name).collect();
    let mut family = |prefix: &str, role: fn(usize) -> Role| -> Vec<ExprId> {
        let named = names.iter().enumerate();
        named
            .map(|(i, name)| model.add_leaf(role(i), format!("{prefix}_{name}")))
            .collect()
    };
    let velocities = family("v", Role::Velocity);
    let inverse_masses = family("w", Role::InverseMass);
    let forces = family("f", Role::Force);
    let coordinates = (0..n)
        .map(|i| match own[i] {
            Some(id) => model.graph.symbol(id),
            None => model.add_leaf(Role::Coordinate(i), names[i].clone()),
        })
        .collect();
    let right_hand_side = (0..m)
        .map(|i| model.add_leaf(Role::RightHandSide(i), format!("b_{i}")))
        .collect();
    let mass = model.add_leaf(Role::Mass, "m".into());
    Leaves {
        coordinates,
        velocities,
        inverse_masses,
        forces,
        right_hand_side,
        mass,
    }
}

/// `name` where there is one row, `name_i` where there are several.
pub fn indexed(name: &str, i: usize, count: usize) -> String {
    if count == 1 {
        name.to_owned()
    } else {
        format!("{name}_{i}")
    }
}

/// The name of the rate of `d.x`: `d_dot.x`.
fn dotted(name: &str) -> String {
    match name.split_once('.') {
        Some((name, component)) => format!("{name}_dot.{component}"),
        None => format!("{name}_dot"),
    }
}

impl Equations {
    /// All expressions.
    pub fn all(&self) -> Vec<ExprId> {
        let plain = [&self.value, &self.rate, &self.bias].into_iter();
        let all = plain.chain(&self.jacobian).chain(&self.jacobian_dot);
        all.flatten().copied().collect()
    }

    /// The rows as they are solved, divided by their numeric content and, with `roots`, by the divisors
    /// that all entries of a row share (J = d/|d| becomes d, and the square root is gone).
    pub fn scaled(&self, graph: &mut Graph, roots: bool) -> Vec<ScaledRow> {
        let rows = self.jacobian.iter().zip(&self.bias);
        rows.map(|(jacobian, &bias)| scale_row(graph, jacobian, bias, roots))
            .collect()
    }
}

/// One row as it is solved; see [`Equations::scaled`].
pub fn scale_row(graph: &mut Graph, jacobian: &[ExprId], bias: ExprId, roots: bool) -> ScaledRow {
    let mut content = numeric_content(graph, jacobian);
    if roots {
        let divisors: Vec<_> = common_divisors(graph, jacobian);
        let symbolic = graph.product(&divisors);
        content = graph.mul(content, symbolic);
    }
    let jacobian = jacobian
        .iter()
        .map(|&entry| graph.div(entry, content))
        .collect();
    let bias = divide_terms(graph, bias, content);
    ScaledRow {
        jacobian,
        bias,
        content,
    }
}

fn numeric_content(graph: &mut Graph, row: &[ExprId]) -> ExprId {
    let entries = row.iter().filter(|&&entry| !graph.is_zero(entry));
    let coefficients = entries.map(|&entry| number_in_front(graph, entry));
    let content = rational_content(coefficients).filter(|c| !c.is_zero());
    let content = content.unwrap_or_else(|| largest_if_extreme(graph, row));
    graph.number(content)
}

/// The numeric factor of an expression: itself, where it is a number.
pub fn number_in_front(graph: &Graph, id: ExprId) -> Number {
    let number = graph.as_number(id);
    number.unwrap_or_else(|| graph.split_coefficient(id).0)
}

/// The largest number of a row without an exact content, where J W Jᵀ would not bear it; else 1.
fn largest_if_extreme(graph: &Graph, row: &[ExprId]) -> Number {
    let terms = row.iter().flat_map(|&entry| match graph.as_number(entry) {
        Some(number) => vec![(entry, number)],
        None => graph.terms(entry),
    });
    let sizes = terms.map(|(_, number)| number.abs());
    let largest = sizes.fold(
        Number::ZERO,
        |most, size| if size > most { size } else { most },
    );
    match largest.is_extreme() {
        true => largest,
        false => Number::ONE,
    }
}

/// The factors with negative exponents that every entry has, to their least power.
///
/// Only divisors: a common factor that may vanish (J = 2x of C = x²) marks a true singularity. And no sums of
/// exponentials: eˣ/(eˣ + eʸ) has squares where eˣ has none among the floats.
fn common_divisors(graph: &Graph, row: &[ExprId]) -> Vec<(ExprId, i32)> {
    let mut common: Option<Vec<(ExprId, i32)>> = None;
    for &entry in row.iter().filter(|&&j| !graph.is_zero(j)) {
        let divisors = divisors(graph, graph.split_coefficient(entry).1);
        common = Some(match common {
            None => divisors,
            Some(before) => before
                .into_iter()
                .filter_map(|(base, e)| {
                    let (_, other) = divisors.iter().find(|(b, _)| *b == base)?;
                    Some((base, e.max(*other)))
                })
                .collect(),
        });
    }
    let mut common = common.unwrap_or_default();
    common.retain(|&(base, _)| !graph.is_sum_of_exponentials(base));
    common
}

/// The factors with negative exponents of a product, also of a product within it.
fn divisors(graph: &Graph, id: ExprId) -> Vec<(ExprId, i32)> {
    let Node::Product(factors) = graph.node(id) else {
        return Vec::new();
    };
    let mut found: Vec<_> = factors.iter().copied().filter(|&(_, e)| e < 0).collect();
    for &(base, _) in factors.iter().filter(|(_, e)| *e == 1) {
        if let Node::Product(inner) = graph.node(base) {
            for &(b, e) in inner.iter().filter(|(_, e)| *e < 0) {
                match found.iter_mut().find(|(other, _)| *other == b) {
                    Some(entry) => entry.1 += e,
                    None => found.push((b, e)),
                }
            }
        }
    }
    found
}

/// sum/divisor, term by term, so that the divisor can cancel and even powers of roots can open.
pub(crate) fn divide_terms(graph: &mut Graph, sum: ExprId, divisor: ExprId) -> ExprId {
    let quotient = match graph.node(sum).clone() {
        Node::Sum { constant, terms } => {
            let mut quotients = vec![(graph.recip(divisor), constant)];
            for (term, coefficient) in terms {
                quotients.push((graph.div(term, divisor), coefficient));
            }
            graph.sum(&quotients)
        }
        _ => graph.div(sum, divisor),
    };
    let (constant, terms) = match graph.node(quotient).clone() {
        Node::Sum { constant, terms } => (constant, terms),
        _ => return quotient,
    };
    let opened: Vec<_> = terms
        .iter()
        .map(|&(t, c)| (open_even_roots(graph, t), c))
        .collect();
    let sum = graph.sum(&opened);
    graph.offset(sum, constant)
}

/// (p/√u)² as p²/u.
fn open_even_roots(graph: &mut Graph, term: ExprId) -> ExprId {
    let Node::Product(factors) = graph.node(term).clone() else {
        return term;
    };
    let mut opened = Vec::new();
    for (base, exponent) in factors {
        match graph.node(base) {
            Node::Product(inner)
                if exponent % 2 == 0 && inner.iter().any(|(b, _)| is_root(graph, *b)) =>
            {
                opened.extend(inner.iter().map(|&(b, e)| (b, e * exponent)));
            }
            _ => opened.push((base, exponent)),
        }
    }
    graph.product(&opened)
}

fn is_root(graph: &Graph, id: ExprId) -> bool {
    matches!(graph.node(id), Node::Call(Function::Sqrt, _))
}
