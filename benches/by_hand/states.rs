//! States on the constraints, so that |b − a| = l and its square give the same motion.

use constraint_runtime::nalgebra::{SVector, Vector2};

/// Places and velocities of the beads.
pub type State<const Q: usize> = (SVector<f64, Q>, SVector<f64, Q>);

/// A vector of length `l` in direction `angle`, and its velocity when it turns with `rate`.
fn turning(l: f64, angle: f64, rate: f64) -> [Vector2<f64>; 2] {
    let (sin, cos) = angle.sin_cos();
    [
        Vector2::new(cos, sin) * l,
        Vector2::new(-sin, cos) * (l * rate),
    ]
}

/// Bead after bead into the flat vectors.
fn flat<const Q: usize>(beads: impl Iterator<Item = [Vector2<f64>; 2]>) -> State<Q> {
    let (mut q, mut v) = (SVector::<f64, Q>::zeros(), SVector::<f64, Q>::zeros());
    for (i, [place, velocity]) in beads.enumerate() {
        q.fixed_rows_mut::<2>(2 * i).copy_from(&place);
        v.fixed_rows_mut::<2>(2 * i).copy_from(&velocity);
    }
    (q, v)
}

/// A chain of links of length `l` that hangs in gentle waves and swings.
pub fn chain<const Q: usize>(l: f64) -> State<Q> {
    let mut end = [Vector2::zeros(); 2];
    flat((0..Q / 2).map(|i| {
        let i = i as f64;
        let link = turning(l, 0.7 * (0.9 * i).sin() - 1.4, 0.8 * (1.3 * i).cos());
        end = [end[0] + link[0], end[1] + link[1]];
        end
    }))
}

/// A rhombus with rods of length `l` that folds while it turns and flies.
pub fn square(l: f64) -> State<8> {
    let (side, next) = (turning(l, 0.3, 1.1), turning(l, 1.5, -0.4));
    let from = [Vector2::new(0.2, -0.1), Vector2::new(0.5, 0.7)];
    let corners: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    flat(
        corners
            .into_iter()
            .map(|[a, b]| [0, 1].map(|k| from[k] + side[k] * a + next[k] * b)),
    )
}

/// A parallelogram on a ground of length `base`: crank and rocker of length `l` turn alike.
pub fn four_bar(l: f64, base: f64) -> State<4> {
    let crank = turning(l, 1.1, 1.7);
    flat(
        [0.0, base]
            .into_iter()
            .map(|x| [crank[0] + Vector2::new(x, 0.0), crank[1]]),
    )
}

/// A net whose cells are all rhombi: column directions and row directions turn on their own.
pub fn net(l: f64) -> State<32> {
    let along = |i: usize| turning(l, 0.2 * (i as f64), 0.5 - 0.3 * (i as f64));
    let across = |i: usize| turning(l, -1.5 + 0.15 * (i as f64), 0.2 + 0.4 * (i as f64));
    let sum = |k: usize, column: usize, row: usize| {
        (0..column).map(|i| along(i)[k]).sum::<Vector2<f64>>()
            + (0..row).map(|i| across(i)[k]).sum::<Vector2<f64>>()
    };
    flat((0..16).map(|bead| [0, 1].map(|k| sum(k, bead % 4, bead / 4))))
}
