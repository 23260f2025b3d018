//! One step of the elimination of a symmetric matrix: a few rows are eliminated, and later rows are updated.
//!
//! ```text
//!       j    i         A⁻¹ = adj A/det A,  z = A⁻¹ r,  Lᵢ = Bᵢ A⁻¹
//!  j  ⎡ A        ⎤     subtracted later: of Dᵢ Lᵢ Bᵢᵀ, of rᵢ Lᵢ r, of Bₖ between two later ones Lₖ Bᵢᵀ
//!  i  ⎣ Bᵢ   Dᵢ  ⎦     backwards: x = z − Σ Lᵢᵀ xᵢ
//! ```
//!
//! All eliminations that are derived here take this step: `sparse.rs` executes one after the other on whole expressions, and
//! loops have a kernel for each kind of step, whose entries are read from arrays.

use crate::expr::{CollectVec, ExprId, Graph, MapEach, Node, Number};

/// Entries, row by row; of a symmetric matrix those of the lower triangle.
pub type Entries = Vec<Vec<ExprId>>;

/// The inverse of a symmetric block of up to three rows, with one division.
#[derive(Clone, Debug)]
pub struct Inverse {
    /// The lower triangle of adj A, or of A⁻¹ if `divisor` is `None`.
    entries: Entries,
    /// det A and one over it.
    divisor: Option<[ExprId; 2]>,
    /// The leading minors: row by row the pivot times those before it.
    pub minors: Vec<ExprId>,
}

impl Inverse {
    /// The inverse of the block with this lower triangle.
    fn of(graph: &mut Graph, a: &[Vec<ExprId>]) -> Inverse {
        let (entries, minors) = adjugate(graph, a);
        let divisor = minors.last().map(|&determinant| {
            let reciprocal = graph.recip(determinant);
            [determinant, one_factor(graph, determinant, reciprocal)]
        });
        Inverse {
            entries,
            divisor,
            minors,
        }
    }

    /// An inverse that has been stored, from its lower triangle.
    pub fn known(entries: Entries) -> Inverse {
        Inverse {
            entries,
            divisor: None,
            minors: Vec::new(),
        }
    }

    /// The same inverse with its entries divided, which pays if it is multiplied by several vectors.
    fn divided(self, graph: &mut Graph) -> Inverse {
        let Some([_, reciprocal]) = self.divisor else {
            return self;
        };
        let entries = self.entries.iter().map(|row| {
            let row = row.iter();
            row.map(|&entry| graph.mul(entry, reciprocal)).collect_vec()
        });
        Inverse {
            entries: entries.collect_vec(),
            divisor: None,
            minors: self.minors,
        }
    }

    /// The lower triangle of A⁻¹ if its entries are divided, otherwise that of adj A.
    pub fn entries(&self) -> &[Vec<ExprId>] {
        &self.entries
    }

    /// A⁻¹ b
    pub fn times(&self, graph: &mut Graph, b: &[ExprId]) -> Vec<ExprId> {
        let rows = 0..b.len();
        let rows = rows.clone().map(|i| {
            let row = rows.clone().map(|j| self.entries[i.max(j)][i.min(j)]);
            let product = graph.dot(&row.collect_vec(), b);
            match self.divisor {
                None => product,
                Some([pivot, _]) if b.len() == 1 => graph.div(product, pivot),
                Some([_, reciprocal]) => graph.mul(product, reciprocal),
            }
        });
        rows.collect_vec()
    }
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// A⁻¹
    pub inverse: Inverse,
    /// B, by later row.
    entries: Entries,
    /// L, by later row.
    pub lower: Entries,
}

impl Step {
    /// Eliminates the block whose lower triangle is `a`; `entries` couple it with later rows. If `keeps`, the entries of A⁻¹ are
    /// results too.
    pub fn of(graph: &mut Graph, a: &[Vec<ExprId>], entries: Entries, keeps: bool) -> Step {
        let mut inverse = Inverse::of(graph, a);
        if keeps || !entries.is_empty() {
            inverse = inverse.divided(graph);
        }
        let lower = entries.iter().map(|row| inverse.times(graph, row));
        Step {
            lower: lower.collect_vec(),
            inverse,
            entries,
        }
    }

    /// Lₖ Bᵢᵀ, which is subtracted from the entry of two later rows.
    pub fn taken(&self, graph: &mut Graph, k: usize, i: usize) -> ExprId {
        match (&self.entries[..], self.inverse.entries()) {
            // The square does not depend on 1/d, so the only pivot that depends on this one needs one product less after it; with
            // several later rows, l·b saves one product each.
            ([row], [reciprocal]) => {
                let square = graph.powi(row[0], 2);
                graph.mul(square, reciprocal[0])
            }
            _ => graph.dot(&self.lower[k], &self.entries[i]),
        }
    }

    /// Lₖ r, which is subtracted from the right-hand side of a later row.
    pub fn taken_off_side(&self, graph: &mut Graph, k: usize, right: &[ExprId]) -> ExprId {
        graph.dot(&self.lower[k], right)
    }
}

/// An expression derived from `sum`, kept as one factor if programs multiply by the number in front of `sum` once.
fn one_factor(graph: &mut Graph, sum: ExprId, derived: ExprId) -> ExprId {
    let (number, _) = graph.split_coefficient(sum);
    if is_sum(graph, sum) && !number.is_one() {
        graph.whole(derived)
    } else {
        derived
    }
}

/// True of a sum, with or without a number in front.
pub(super) fn is_sum(graph: &Graph, id: ExprId) -> bool {
    let (_, rest) = graph.split_coefficient(id);
    matches!(graph.node(rest), Node::Sum { .. })
}

/// The lower triangle of the adjugate, and the leading minors.
fn adjugate(graph: &mut Graph, a: &[Vec<ExprId>]) -> (Entries, Vec<ExprId>) {
    match a {
        [x, y, z] => {
            let (xx, xy, yy, xz, yz, zz) = (x[0], y[0], y[1], z[0], z[1], z[2]);
            let mut minor = |plus: [ExprId; 2], minus: [ExprId; 2]| minor(graph, plus, minus);
            let adjugate = vec![
                vec![minor([yy, zz], [yz, yz])],
                vec![minor([xz, yz], [xy, zz]), minor([xx, zz], [xz, xz])],
                vec![
                    minor([xy, yz], [xz, yy]),
                    minor([xy, xz], [xx, yz]),
                    minor([xx, yy], [xy, xy]),
                ],
            ];
            let column = [adjugate[0][0], adjugate[1][0], adjugate[2][0]];
            let determinant = graph.dot(&[xx, xy, xz], &column);
            let minors = vec![xx, adjugate[2][2], determinant];
            (adjugate, minors)
        }
        [x, y] => {
            let [first, last] = [x[0], y[1]].map_each(|entry| one_factor(graph, entry, entry));
            let minor = minor(graph, [first, last], [y[0], y[0]]);
            let off_diagonal = graph.neg(y[0]);
            (
                vec![vec![last], vec![off_diagonal, first]],
                vec![x[0], minor],
            )
        }
        a => {
            let one = graph.number(Number::ONE);
            (vec![vec![one]], a.iter().map(|row| row[0]).collect_vec())
        }
    }
}

/// a b − c d
fn minor(graph: &mut Graph, plus: [ExprId; 2], minus: [ExprId; 2]) -> ExprId {
    let [plus, minus] = [plus, minus].map_each(|[a, b]| graph.mul(a, b));
    graph.sub(plus, minus)
}
