//! Inverses of the small blocks on the diagonal: minors, and one reciprocal.

use crate::expr::{ExprId, Graph, Number};

/// The inverse of a symmetric block of up to three rows, adj A/det A.
pub(super) struct Inverse {
    /// The lower triangle.
    pub entries: Vec<Vec<ExprId>>,
    /// Row by row the pivot times those before it, and the scale it is judged by.
    pub pivots: Vec<[ExprId; 2]>,
}

impl Inverse {
    /// Of the lower triangle `a`, whose diagonal was `diagonal` before elimination.
    pub fn of(graph: &mut Graph, a: &[Vec<ExprId>], diagonal: &[ExprId]) -> Inverse {
        let (adjugate, minors) = adjugate(graph, a);
        let mut pivots = Vec::new();
        let mut before = graph.number(Number::ONE);
        for (&minor, &scale) in minors.iter().zip(diagonal) {
            pivots.push([minor, graph.mul(before, scale)]);
            before = minor;
        }
        let reciprocal = graph.recip(before);
        let rows = adjugate.into_iter();
        let rows = rows.map(|row| {
            let row = row.into_iter();
            row.map(|entry| graph.mul(entry, reciprocal)).collect()
        });
        Inverse {
            entries: rows.collect(),
            pivots,
        }
    }

    /// One that was kept, by its lower triangle.
    pub fn known(entries: Vec<Vec<ExprId>>) -> Inverse {
        Inverse {
            entries,
            pivots: Vec::new(),
        }
    }

    /// A⁻¹ b
    pub fn times(&self, graph: &mut Graph, b: &[ExprId]) -> Vec<ExprId> {
        let rows = 0..b.len();
        let rows = rows.clone().map(|i| {
            let row = rows.clone().map(|j| self.entries[i.max(j)][i.min(j)]);
            graph.dot(&row.collect::<Vec<ExprId>>(), b)
        });
        rows.collect()
    }
}

/// The lower triangle of the adjugate, and the leading minors.
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
            let one = graph.number(Number::ONE);
            (vec![vec![one]], a.iter().map(|row| row[0]).collect())
        }
    }
}

/// a b − c d
fn minor(graph: &mut Graph, plus: [ExprId; 2], minus: [ExprId; 2]) -> ExprId {
    let [plus, minus] = [plus, minus].map(|[a, b]| graph.mul(a, b));
    graph.sub(plus, minus)
}
