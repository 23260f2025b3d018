//! Two beads joined by a spring on the wire y = x⁴ − 2x², in their abscissas.
//!
//! m (1 + y′²) ẍ = κ (Δx + Δy y′) − m y′ (g + y″ ẋ²), with κ = k (1 − rest/L) along the spring Δ of length L,
//! and the opposite for the second bead.

use constraint_runtime::nalgebra::{Matrix4x2, Vector2, Vector4};
use num_dual::{Dual2_64, DualNum, DualSVec64};

/// The beads' parameters.
#[derive(Clone, Copy, Debug)]
pub struct SpringBeads {
    /// Mass of the first bead.
    pub m1: f64,
    /// Mass of the second bead.
    pub m2: f64,
    /// Stiffness of the spring.
    pub k: f64,
    /// Its length at rest.
    pub rest: f64,
    /// Gravitational acceleration, along −y.
    pub g: f64,
}

impl SpringBeads {
    /// ẍ of both beads.
    #[inline]
    pub fn acceleration(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
        let (x1, x2) = (q[0], q[1]);
        let (s1, s2) = (x1 * x1, x2 * x2);
        let (slope1, slope2) = (4.0 * x1 * (s1 - 1.0), 4.0 * x2 * (s2 - 1.0));
        let dx = x2 - x1;
        let dy = s2 * (s2 - 2.0) - s1 * (s1 - 2.0);
        let length = (dx * dx + dy * dy).sqrt();
        let stiffness = self.k - self.k * self.rest / length;
        let lift1 = slope1 * (self.g + (12.0 * s1 - 4.0) * (v[0] * v[0]));
        let lift2 = slope2 * (self.g + (12.0 * s2 - 4.0) * (v[1] * v[1]));
        let pull1 = stiffness * (dx + dy * slope1);
        let pull2 = stiffness * (dx + dy * slope2);
        Vector2::new(
            (pull1 - self.m1 * lift1) / (self.m1 + self.m1 * (slope1 * slope1)),
            -(pull2 + self.m2 * lift2) / (self.m2 + self.m2 * (slope2 * slope2)),
        )
    }

    fn masses(&self) -> Vector4<f64> {
        Vector4::new(self.m1, self.m1, self.m2, self.m2)
    }

    /// Gravity and the spring on (x1, y1, x2, y2).
    fn force(&self, r: &Vector4<f64>) -> Vector4<f64> {
        let (a, b) = (r.fixed_rows::<2>(0), r.fixed_rows::<2>(2));
        let d = b - a;
        let pull = d * (self.k * (1.0 - self.rest / d.norm()));
        Vector4::new(
            pull.x,
            pull.y - self.m1 * self.g,
            -pull.x,
            -pull.y - self.m2 * self.g,
        )
    }

    /// (Jᵀ M J) q̈ = Jᵀ (F − M J̇ q̇) by nalgebra.
    fn solve(&self, r: &Vector4<f64>, j: &Matrix4x2<f64>, turn: &Vector4<f64>) -> Vector2<f64> {
        let m = self.masses();
        let mass = j.tr_mul(&Matrix4x2::from_fn(|i, k| m[i] * j[(i, k)]));
        let right = j.tr_mul(&(self.force(r) - m.component_mul(turn)));
        let factor = mass.cholesky().expect("masses are positive");
        factor.solve(&right)
    }
}

/// The same by nalgebra: the matrices of the textbook, assembled and factored.
#[derive(Clone, Copy, Debug)]
pub struct DenseSpringBeads(pub SpringBeads);

impl DenseSpringBeads {
    /// ẍ of both beads.
    pub fn acceleration(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
        let height = |x: f64| x.powi(4) - 2.0 * x * x;
        let slope = |x: f64| 4.0 * x.powi(3) - 4.0 * x;
        let turn = |x: f64, v: f64| (12.0 * x * x - 4.0) * v * v;
        let r = Vector4::new(q[0], height(q[0]), q[1], height(q[1]));
        let j = Matrix4x2::new(1.0, 0.0, slope(q[0]), 0.0, 0.0, 1.0, 0.0, slope(q[1]));
        let turn = Vector4::new(0.0, turn(q[0], v[0]), 0.0, turn(q[1], v[1]));
        self.0.solve(&r, &j, &turn)
    }
}

/// The same with J and J̇ q̇ by num-dual from the placements alone.
#[derive(Clone, Copy, Debug)]
pub struct DifferentiatedSpringBeads(pub SpringBeads);

impl DifferentiatedSpringBeads {
    /// ẍ of both beads.
    pub fn acceleration(&self, q: &Vector2<f64>, v: &Vector2<f64>) -> Vector2<f64> {
        let (r, j) = num_dual::jacobian(|q| placed::<DualSVec64<2>>(&q), q);
        let along = placed(&q.zip_map(v, |q, v| Dual2_64::new(q, v, 0.0)));
        self.0.solve(&r, &j, &along.map(|r| r.v2))
    }
}

/// (x1, y1, x2, y2) of the beads.
fn placed<D: DualNum<Primitive = f64> + Copy>(q: &Vector2<D>) -> Vector4<D> {
    let height = |x: D| x.powi(4) - x.powi(2) * 2.0;
    Vector4::new(q[0], height(q[0]), q[1], height(q[1]))
}
