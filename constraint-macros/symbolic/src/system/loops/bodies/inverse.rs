//! Inverses of the small blocks on the diagonal, with one reciprocal where there are at most three rows.

use crate::expr::{ExprId, Graph};
use crate::solve::{Coefficients, Factors, Sparse, factor};

/// The inverse of a symmetric block.
pub(super) struct Inverse {
    form: Form,
    /// By row the pivots, times those before them where they are found so, and the scales they are judged by.
    pub pivots: Vec<(usize, ExprId, ExprId)>,
}

enum Form {
    /// The lower triangle of adj A/det A.
    Entries(Vec<Vec<ExprId>>),
    /// L D Lᵀ of four rows and more.
    Factors(Factors),
}

impl Inverse {
    /// Of the lower triangle `a`, whose diagonal was `diagonal` before elimination.
    pub fn of(graph: &mut Graph, a: &[Vec<ExprId>], diagonal: &[ExprId]) -> Inverse {
        if a.len() > 3 {
            return Inverse::by_elimination(graph, a, diagonal);
        }
        let (adjugate, minors) = adjugate(graph, a);
        let mut pivots = Vec::new();
        let mut before: Option<ExprId> = None;
        for (row, (&minor, &scale)) in minors.iter().zip(diagonal).enumerate() {
            let scale = before.map_or(scale, |before| graph.mul(before, scale));
            pivots.push((row, minor, scale));
            before = Some(minor);
        }
        let reciprocal = minors.last().map(|&determinant| graph.recip(determinant));
        let entry = |it: ExprId| reciprocal.map_or(it, |reciprocal| graph.mul(it, reciprocal));
        let mut entry = entry;
        let rows = adjugate.into_iter();
        let rows = rows.map(|row| row.into_iter().map(&mut entry).collect());
        Inverse {
            form: Form::Entries(rows.collect()),
            pivots,
        }
    }

    fn by_elimination(graph: &mut Graph, a: &[Vec<ExprId>], diagonal: &[ExprId]) -> Inverse {
        let rows = a.iter().enumerate();
        let entries = rows.flat_map(|(i, row)| {
            let row = row.iter().enumerate();
            row.map(move |(j, &entry)| ((i, j), entry))
        });
        let mut matrix = Sparse {
            n: a.len(),
            entries: entries.collect(),
        };
        matrix.entries.retain(|_, entry| !graph.is_zero(*entry));
        let factors = factor(graph, &matrix, Coefficients::InPlace);
        let pivots = factors.pivots().map(|it| {
            let scale = diagonal[it.row];
            let scale = it
                .partner
                .map_or(scale, |partner| graph.mul(partner, scale));
            (it.row, it.pivot, scale)
        });
        Inverse {
            pivots: pivots.collect(),
            form: Form::Factors(factors),
        }
    }

    /// A⁻¹ b
    pub fn times(&self, graph: &mut Graph, b: &[ExprId]) -> Vec<ExprId> {
        let entries = match &self.form {
            Form::Entries(entries) => entries,
            Form::Factors(factors) => return factors.solve(graph, b).unknowns,
        };
        let rows = 0..b.len();
        let rows = rows.clone().map(|i| {
            let row = rows.clone().map(|j| entries[i.max(j)][i.min(j)]);
            graph.dot(&row.collect::<Vec<ExprId>>(), b)
        });
        rows.collect()
    }
}

/// The lower triangle of the adjugate of up to three rows, and the leading minors.
fn adjugate(graph: &mut Graph, a: &[Vec<ExprId>]) -> (Vec<Vec<ExprId>>, Vec<ExprId>) {
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
            let minor = minor(graph, [x[0], y[1]], [y[0], y[0]]);
            let beside = graph.neg(y[0]);
            (vec![vec![y[1]], vec![beside, x[0]]], vec![x[0], minor])
        }
        a => {
            let one = graph.number(crate::expr::Number::ONE);
            (vec![vec![one]], a.iter().map(|row| row[0]).collect())
        }
    }
}

/// a b − c d
fn minor(graph: &mut Graph, plus: [ExprId; 2], minus: [ExprId; 2]) -> ExprId {
    let [plus, minus] = [plus, minus].map(|[a, b]| graph.mul(a, b));
    graph.sub(plus, minus)
}
