//! Rows of Jacobians, and the scaled rows that are solved: divided by the common factors of their entries.

use crate::expr::{CollectVec, ExprId, Function, Graph, Node, Number, PushEach, rational_content};

/// A row of a Jacobian: the entries that are not zero, by column.
pub type SparseRow = Vec<(usize, ExprId)>;

/// One row divided by the content c of its Jacobian: J = c·J′, β = c·β′, λ = λ′/c. The force J′ᵀλ′ does
/// not depend on c.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaledRow {
    /// J′
    pub jacobian: SparseRow,
    /// β′
    pub bias: ExprId,
    /// c
    pub content: ExprId,
}

impl ScaledRow {
    /// A row divided by its numeric content and, with `roots`, by the divisors that all its entries share (J = d/|d|
    /// becomes d, and the square root is gone).
    pub fn new(graph: &mut Graph, jacobian: &SparseRow, bias: ExprId, roots: bool) -> ScaledRow {
        let entries: Vec<ExprId> = jacobian.iter().map(|&(_, entry)| entry).collect_vec();
        let mut content = numeric_content(graph, &entries);
        if roots {
            let divisors = common_divisors(graph, &entries);
            let symbolic = graph.product(&divisors);
            content = graph.mul(content, symbolic);
        }
        let jacobian = jacobian.iter();
        let jacobian = jacobian.map(|&(i, entry)| (i, divided(graph, entry, content)));
        ScaledRow {
            jacobian: jacobian.collect_vec(),
            bias: divide_terms(graph, bias, content),
            content,
        }
    }

    /// λ of the row as written: λ′/c, with λ′ in multiples of `unit`.
    pub fn unscaled(&self, graph: &mut Graph, x: ExprId, unit: ExprId) -> ExprId {
        match graph.as_number(self.content) {
            Some(_) => {
                // Several rows may share this quotient, such as m/2.
                let scale = graph.div(unit, self.content);
                let scale = graph.whole(scale);
                graph.mul(x, scale)
            }
            None => {
                let unscaled = graph.div(x, self.content);
                graph.mul(unscaled, unit)
            }
        }
    }

    /// A row as written, with content 1.
    pub fn plain(graph: &mut Graph, jacobian: &SparseRow, bias: ExprId) -> ScaledRow {
        ScaledRow {
            jacobian: jacobian.clone(),
            bias,
            content: graph.number(Number::ONE),
        }
    }
}

fn numeric_content(graph: &mut Graph, row: &[ExprId]) -> ExprId {
    let coefficients = row.iter().map(|&entry| number_in_front(graph, entry));
    let content = rational_content(coefficients).filter(|c| !c.is_zero());
    let content = content.unwrap_or_else(|| largest_if_extreme(graph, row));
    graph.number(content)
}

/// The numeric factor of an expression; of a number the number itself.
pub fn number_in_front(graph: &Graph, id: ExprId) -> Number {
    let number = graph.as_number(id);
    number.unwrap_or_else(|| graph.split_coefficient(id).0)
}

/// The largest number of a row without an exact content if J W Jᵀ would leave the range of floats; otherwise 1.
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
    if largest.is_extreme() {
        largest
    } else {
        Number::ONE
    }
}

/// The factors with negative exponents that all entries have, with the exponent closest to zero.
///
/// Only divisors: a common factor that may vanish (J = 2x of C = x²) marks a true singularity. No sums of exponentials:
/// with them, eˣ/(eˣ + eʸ) has squares beyond the floats where eˣ itself is none.
fn common_divisors(graph: &Graph, row: &[ExprId]) -> Vec<(ExprId, i32)> {
    let entries = row.iter();
    let entries = entries.map(|&entry| divisors(graph, graph.split_coefficient(entry).1));
    let mut common = shared(entries);
    common.retain(|&(base, _)| !graph.is_sum_of_exponentials(base));
    common
}

/// The divisors that all lists have, with the exponent closest to zero.
fn shared(all: impl Iterator<Item = Vec<(ExprId, i32)>>) -> Vec<(ExprId, i32)> {
    let shared = all.reduce(|before, divisors| {
        let in_both = before.into_iter().filter_map(|(base, e)| {
            let (_, other) = divisors.iter().find(|(b, _)| *b == base)?;
            Some((base, e.max(*other)))
        });
        in_both.collect_vec()
    });
    shared.unwrap_or_default()
}

/// The factors with negative exponents of a product and of products within it; for a sum those that all terms share.
fn divisors(graph: &Graph, id: ExprId) -> Vec<(ExprId, i32)> {
    let factors = match graph.node(id) {
        Node::Product(factors) => factors,
        Node::Sum { constant, terms } if constant.is_zero() => {
            return shared(terms.iter().map(|&(term, _)| divisors(graph, term)));
        }
        _ => return Vec::new(),
    };
    let mut found: Vec<_> = factors
        .iter()
        .copied()
        .filter(|&(_, e)| e < 0)
        .collect_vec();
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

/// entry/divisor; for a sum term by term, with products expanded, because its terms share the divisor.
fn divided(graph: &mut Graph, entry: ExprId, divisor: ExprId) -> ExprId {
    let (constant, terms) = match graph.node(entry).clone() {
        Node::Sum { constant, terms } if terms.len() > 1 => (constant, terms),
        _ => return graph.div(entry, divisor),
    };
    let quotients = terms.iter();
    let quotients = quotients.map(|&(term, c)| (graph.reduced(term, divisor), c));
    let quotients: Vec<_> = quotients.collect_vec();
    let sum = graph.sum(&quotients);
    let constant = graph.number(constant);
    let constant = graph.div(constant, divisor);
    graph.add(sum, constant)
}

/// sum/divisor, term by term, so that the divisor can cancel and even powers of roots can open.
pub fn divide_terms(graph: &mut Graph, sum: ExprId, divisor: ExprId) -> ExprId {
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
        .collect_vec();
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
                opened.push_each(inner.iter().map(|&(b, e)| (b, e * exponent)));
            }
            _ => opened.push((base, exponent)),
        }
    }
    graph.product(&opened)
}

fn is_root(graph: &Graph, id: ExprId) -> bool {
    matches!(graph.node(id), Node::Call(Function::Sqrt, _))
}

/// `name` if there is one row, `name_i` if there are several.
pub fn indexed(name: &str, i: usize, count: usize) -> String {
    if count == 1 {
        name.to_owned()
    } else {
        format!("{name}_{i}")
    }
}
