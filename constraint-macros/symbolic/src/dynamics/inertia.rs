//! Rotational inertia of a body: I and I⁻¹ along its own axes.
//!
//! Input: the tensor in the body's frame. Output: its contributions to M, h, M⁻¹ and T.
//!
//! ```text
//! I = I₀ 1 + Σ Dₖₗ eₖ eₗᵀ              eₖ: the body's axes in the world
//! L = I₀ ω + Σ mₖ eₖ,  mₖ = Σ Dₖₗ (eₗ·ω)
//! ```
//! Only axes with different moments occur: none of a ball, one of a symmetric top, two if one axis is principal.

use crate::expr::{CollectVec, ExprId, Graph, MapEach, Number};
use crate::model::Inertia;
use crate::solve::Sparse;

/// A tensor, rotated into the world.
pub struct Tensor {
    /// I₀
    common: ExprId,
    /// D, for these axes only.
    excess: Vec<Vec<ExprId>>,
    /// The axes, in the world.
    axes: Vec<[ExprId; 3]>,
}

impl Tensor {
    /// I
    pub fn new(graph: &mut Graph, inertia: &Inertia) -> Tensor {
        let common = inertia.tensor[inertia.common][inertia.common];
        let block = part(&inertia.tensor, inertia);
        Tensor::of(graph, inertia, common, block)
    }

    /// I⁻¹. The block of these axes is inverted alone, because it is not coupled with the others.
    pub fn inverse(graph: &mut Graph, inertia: &Inertia) -> Tensor {
        let all = own_inverse(graph, inertia);
        let common = all[inertia.common][inertia.common];
        let block = part(&all, inertia);
        Tensor::of(graph, inertia, common, block)
    }

    fn of(
        graph: &mut Graph,
        inertia: &Inertia,
        common: ExprId,
        mut block: Vec<Vec<ExprId>>,
    ) -> Tensor {
        for (k, row) in block.iter_mut().enumerate() {
            row[k] = graph.sub(row[k], common);
        }
        Tensor {
            common,
            excess: block,
            axes: inertia.axes.iter().map(|&(_, axis)| axis).collect_vec(),
        }
    }

    /// Adds the tensor to the block of these columns.
    pub fn add_to(&self, graph: &mut Graph, to: &mut Sparse, columns: &[usize]) {
        for &i in columns {
            to.add(graph, i, i, self.common);
        }
        for (excess, axis) in self.excess.iter().zip(&self.axes) {
            // Σ Dₖₗ eₗ
            let combined_axes = combined(graph, excess, &self.axes);
            for (m, &i) in columns.iter().enumerate() {
                for (n, &j) in columns[..=m].iter().enumerate() {
                    let entry = graph.mul(combined_axes[m], axis[n]);
                    to.add(graph, i, j, entry);
                }
            }
        }
    }

    /// −ω×(I ω); the part I₀ 1 contributes nothing to it.
    pub fn gyroscopic_torque(&self, graph: &mut Graph, spin: [ExprId; 3]) -> [ExprId; 3] {
        let momenta = self.momenta(graph, &spin);
        match (&momenta[..], &self.axes[..]) {
            // Points on that axis move with eₖ×ω too, so this value is shared.
            (&[momentum], &[axis]) => graph.cross(axis, spin).map_each(|x| graph.mul(momentum, x)),
            (momenta, axes) => {
                let momentum = combined(graph, momenta, axes);
                graph.cross(momentum, spin)
            }
        }
    }

    /// ω·(I ω), term by term.
    pub fn doubled_energy(&self, graph: &mut Graph, spin: &[ExprId]) -> Vec<ExprId> {
        let squares = graph.dot(spin, spin);
        let mut terms = vec![graph.mul(self.common, squares)];
        let momenta = self.momenta(graph, spin);
        for (momentum, axis) in momenta.into_iter().zip(&self.axes) {
            let along = graph.dot(axis, spin);
            terms.push(graph.mul(momentum, along));
        }
        terms
    }

    /// mₖ
    fn momenta(&self, graph: &mut Graph, spin: &[ExprId]) -> Vec<ExprId> {
        let along = self.axes.iter();
        let along: Vec<ExprId> = along.map(|axis| graph.dot(axis, spin)).collect_vec();
        let rows = self.excess.iter();
        rows.map(|row| graph.dot(row, &along)).collect_vec()
    }
}

/// I⁻¹ in the body's frame: the inverse of the coupled block, reciprocals elsewhere.
pub fn own_inverse(graph: &mut Graph, inertia: &Inertia) -> Vec<Vec<ExprId>> {
    let block = inverted(graph, &part(&inertia.tensor, inertia));
    let place = |k: usize| inertia.axes.iter().position(|&(axis, _)| axis == k);
    square(inertia.tensor.len(), |k, l| match (place(k), place(l)) {
        (Some(k), Some(l)) => block[k][l],
        _ if k == l => graph.recip(inertia.tensor[k][k]),
        _ => graph.zero(),
    })
}

/// Adds a matrix of the body's frame to the block of these columns.
pub fn add_own(graph: &mut Graph, to: &mut Sparse, columns: &[usize], own: &[Vec<ExprId>]) {
    for (k, &i) in columns.iter().enumerate() {
        for (l, &j) in columns[..=k].iter().enumerate() {
            to.add(graph, i, j, own[k][l]);
        }
    }
}

/// −ω×(I ω) in the body's frame, with ω in that frame.
pub fn own_gyroscopic_torque(
    graph: &mut Graph,
    tensor: &[Vec<ExprId>],
    spin: [ExprId; 3],
) -> [ExprId; 3] {
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)].map_each(|(a, b, c)| {
        let (plus, minus) = (Number::ONE, Number::MINUS_ONE);
        let square = |graph: &mut Graph, k: usize| graph.powi(spin[k], 2);
        let moments = graph.sub(tensor[b][b], tensor[c][c]);
        let squares = [square(graph, c), square(graph, b)];
        let squares = graph.sub(squares[0], squares[1]);
        let mut product = |x: ExprId, y: ExprId, z: ExprId| {
            let product = graph.mul(x, y);
            graph.mul(product, z)
        };
        let one = product(moments, spin[b], spin[c]);
        let others = [
            product(tensor[a][b], spin[a], spin[c]),
            product(tensor[a][c], spin[a], spin[b]),
        ];
        let last = graph.mul(tensor[b][c], squares);
        graph.sum(&[
            (one, plus),
            (others[0], plus),
            (others[1], minus),
            (last, plus),
        ])
    })
}

/// The block of a matrix for these axes.
fn part(matrix: &[Vec<ExprId>], inertia: &Inertia) -> Vec<Vec<ExprId>> {
    let row = |k: usize| {
        inertia
            .axes
            .iter()
            .map(|(l, _)| matrix[k][*l])
            .collect_vec()
    };
    inertia.axes.iter().map(|(k, _)| row(*k)).collect_vec()
}

/// Adjugate over determinant; reciprocals if the axes are not coupled.
fn inverted(graph: &mut Graph, a: &[Vec<ExprId>]) -> Vec<Vec<ExprId>> {
    let n = a.len();
    let coupled = (0..n).any(|k| (0..k).any(|l| !graph.is_zero(a[k][l])));
    if !coupled {
        let entry = |graph: &mut Graph, k: usize, l: usize| {
            if k == l {
                graph.recip(a[k][k])
            } else {
                graph.zero()
            }
        };
        return square(n, |k, l| entry(graph, k, l));
    }
    let adjugate = match a {
        [x, y] => vec![vec![y[1], graph.neg(x[1])], vec![graph.neg(y[0]), x[0]]],
        _ => {
            let row = |k: usize| [0, 1, 2].map_each(|l| a[k][l]);
            let others = [(1, 2), (2, 0), (0, 1)];
            others
                .map(|(k, l)| graph.cross(row(k), row(l)).to_vec())
                .into()
        }
    };
    let determinant = graph.dot(&a[0], &adjugate[0]);
    let reciprocal = graph.recip(determinant);
    square(n, |k, l| {
        graph.mul(adjugate[k.max(l)][k.min(l)], reciprocal)
    })
}

fn square(n: usize, mut entry: impl FnMut(usize, usize) -> ExprId) -> Vec<Vec<ExprId>> {
    let mut row = |k| (0..n).map(|l| entry(k, l)).collect_vec();
    (0..n).map(&mut row).collect_vec()
}

/// Σ xₖ eₖ
fn combined(graph: &mut Graph, x: &[ExprId], axes: &[[ExprId; 3]]) -> [ExprId; 3] {
    [0, 1, 2].map_each(|i| {
        let along: Vec<ExprId> = axes.iter().map(|axis| axis[i]).collect_vec();
        graph.dot(x, &along)
    })
}
