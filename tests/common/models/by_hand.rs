//! Constraints and a system derived by hand: models for the runtime's tests.

#![allow(
    dead_code,
    unused_imports,
    reason = "each room of tests takes the models it needs"
)]

use constraint_runtime::prelude::*;

#[path = "../../../constraint-runtime/tests/common/parabola.rs"]
mod parabola;
pub use parabola::Parabola;

/// A bead on the unit circle, C = ½ (x² + y² − 1).
#[derive(Clone, Copy, Debug)]
pub struct Circle;

impl<T: Real> Constraint<T, 2, 1> for Circle {
    fn value(&self, _t: T, q: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::<T, 1>::new(T::lit(0.5) * (q.dot(q) - T::one()))
    }
    fn jacobian(&self, _t: T, q: &SVector<T, 2>) -> SMatrix<T, 1, 2> {
        q.transpose()
    }
    fn rate(&self, _t: T, q: &SVector<T, 2>, v: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::<T, 1>::new(q.dot(v))
    }
    fn jacobian_dot(&self, _t: T, _q: &SVector<T, 2>, v: &SVector<T, 2>) -> SMatrix<T, 1, 2> {
        v.transpose()
    }
    fn bias(&self, _t: T, _q: &SVector<T, 2>, v: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::<T, 1>::new(v.dot(v))
    }
}

/// Two crossing lines, C = x² − y²: singular in the crossing.
#[derive(Clone, Copy, Debug)]
pub struct CrossingLines;

impl Constraint<f64, 2, 1> for CrossingLines {
    fn value(&self, _t: f64, q: &Vector2<f64>) -> SVector<f64, 1> {
        [q.x * q.x - q.y * q.y].into()
    }
    fn jacobian(&self, _t: f64, q: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        [[2.0 * q.x], [-2.0 * q.y]].into()
    }
    fn rate(&self, _t: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        [2.0 * (q.x * v.x - q.y * v.y)].into()
    }
    fn jacobian_dot(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        [[2.0 * v.x], [-2.0 * v.y]].into()
    }
    fn bias(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        [2.0 * (v.x * v.x - v.y * v.y)].into()
    }
}

/// x² + y² + 1 = 0, which no real point satisfies.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl Constraint<f64, 2, 1> for Nowhere {
    fn value(&self, _t: f64, q: &Vector2<f64>) -> SVector<f64, 1> {
        [q.norm_squared() + 1.0].into()
    }
    fn jacobian(&self, _t: f64, q: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        2.0 * q.transpose()
    }
    fn rate(&self, _t: f64, q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        [2.0 * q.dot(v)].into()
    }
    fn jacobian_dot(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> SMatrix<f64, 1, 2> {
        2.0 * v.transpose()
    }
    fn bias(&self, _t: f64, _q: &Vector2<f64>, v: &Vector2<f64>) -> SVector<f64, 1> {
        [2.0 * v.norm_squared()].into()
    }
}

/// A straight wire through the origin, turning in the plane z = 0 with angular speed `omega`:
/// C = (y cos ωt − x sin ωt, z). A free bead runs outwards as
/// r̈ = ω² r.
#[derive(Clone, Copy, Debug)]
pub struct TurningWire {
    pub omega: f64,
}

impl TurningWire {
    /// A start at r = 1 with ṙ = ω/2. (From ṙ = 0 the acceleration is zero at first, and that
    /// alone lifts semi-implicit Euler to order two.)
    pub fn start(&self) -> State<SVector<f64, 3>> {
        State::new(0.0, [1.0, 0.0, 0.0], [0.5 * self.omega, self.omega, 0.0])
    }

    /// The free motion from that start: r = cosh ωt + ½ sinh ωt.
    pub fn exact(&self, t: f64) -> Vector3<f64> {
        let (sin, cos) = (self.omega * t).sin_cos();
        let r = (self.omega * t).cosh() + 0.5 * (self.omega * t).sinh();
        Vector3::new(cos, sin, 0.0) * r
    }
}

impl Constraint<f64, 3, 2> for TurningWire {
    fn value(&self, t: f64, q: &Vector3<f64>) -> Vector2<f64> {
        let (sin, cos) = (self.omega * t).sin_cos();
        Vector2::new(q.y * cos - q.x * sin, q.z)
    }
    fn jacobian(&self, t: f64, _q: &Vector3<f64>) -> SMatrix<f64, 2, 3> {
        let (sin, cos) = (self.omega * t).sin_cos();
        SMatrix::<f64, 2, 3>::new(-sin, cos, 0.0, 0.0, 0.0, 1.0)
    }
    fn rate(&self, t: f64, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector2<f64> {
        let (sin, cos) = (self.omega * t).sin_cos();
        let explicit = -self.omega * (q.x * cos + q.y * sin);
        Vector2::new(v.y * cos - v.x * sin + explicit, v.z)
    }
    fn jacobian_dot(&self, t: f64, _q: &Vector3<f64>, _v: &Vector3<f64>) -> SMatrix<f64, 2, 3> {
        let (sin, cos) = (self.omega * t).sin_cos();
        SMatrix::<f64, 2, 3>::new(cos, sin, 0.0, 0.0, 0.0, 0.0) * -self.omega
    }
    fn bias(&self, t: f64, q: &Vector3<f64>, v: &Vector3<f64>) -> Vector2<f64> {
        let ((sin, cos), omega) = ((self.omega * t).sin_cos(), self.omega);
        let coriolis = -2.0 * omega * (v.x * cos + v.y * sin);
        Vector2::new(coriolis + omega * omega * (q.x * sin - q.y * cos), 0.0)
    }
}

/// The free oscillator q̈ = −q, without constraints.
#[derive(Clone, Copy, Debug)]
pub struct Oscillator;

impl Oscillator {
    pub fn exact(&self, t: f64) -> State<SVector<f64, 1>> {
        State::new(t, [t.sin()], [t.cos()])
    }
}

impl Dynamics<f64> for Oscillator {
    type Q = SVector<f64, 1>;
    type V = SVector<f64, 1>;
    type Coordinates = One;
    type Velocities = One;
    fn acceleration(&self, _t: f64, q: &One, _v: &One) -> Result<One, Error> {
        Ok(-q)
    }
    fn kinetic_energy(&self, _t: f64, _q: &One, v: &One) -> f64 {
        0.5 * v.x * v.x
    }
    fn potential_energy(&self, _t: f64, q: &One) -> f64 {
        0.5 * q.x * q.x
    }
}

impl Unconstrained for Oscillator {}

/// A bead of unit mass on the wire y = x⁴ − 2x², in x alone: T = ½ (1 + y′²) ẋ², V = g y, so that
/// (1 + y′²) ẍ = −y′ y″ ẋ² − g y′ − damping ẋ. The mass matrix depends on x.
#[derive(Clone, Copy, Debug)]
pub struct Hump {
    pub damping: f64,
}

impl Dynamics<f64> for Hump {
    type Q = SVector<f64, 1>;
    type V = SVector<f64, 1>;
    type Coordinates = One;
    type Velocities = One;
    fn acceleration(&self, _t: f64, q: &One, v: &One) -> Result<One, Error> {
        let (x, v) = (q.x, v.x);
        let (slope, bend) = (4.0 * x.powi(3) - 4.0 * x, 12.0 * x * x - 4.0);
        let force = -slope * bend * v * v - 9.81 * slope - self.damping * v;
        Ok([force / (1.0 + slope * slope)].into())
    }
    fn kinetic_energy(&self, _t: f64, q: &One, v: &One) -> f64 {
        let slope = 4.0 * q.x.powi(3) - 4.0 * q.x;
        0.5 * (1.0 + slope * slope) * v.x * v.x
    }
    fn potential_energy(&self, _t: f64, q: &One) -> f64 {
        9.81 * (q.x.powi(4) - 2.0 * q.x * q.x)
    }
}

impl Unconstrained for Hump {}

/// Two beads hanging one below the other on rods of length 1: C = ½ (|r₁|² − 1),
/// ½ (|r₂ − r₁|² − 1).
#[derive(Clone, Copy, Debug)]
pub struct DoublePendulum;

impl Constraint<f64, 4, 2> for DoublePendulum {
    fn value(&self, _t: f64, q: &SVector<f64, 4>) -> Vector2<f64> {
        let [first, second] = rods(q);
        Vector2::new(first.norm_squared() - 1.0, second.norm_squared() - 1.0) * 0.5
    }
    fn jacobian(&self, _t: f64, q: &SVector<f64, 4>) -> SMatrix<f64, 2, 4> {
        let [a, b] = rods(q);
        SMatrix::<f64, 2, 4>::new(a.x, a.y, 0.0, 0.0, -b.x, -b.y, b.x, b.y)
    }
    fn rate(&self, _t: f64, q: &SVector<f64, 4>, v: &SVector<f64, 4>) -> Vector2<f64> {
        let ([a, b], [a_dot, b_dot]) = (rods(q), rods(v));
        Vector2::new(a.dot(&a_dot), b.dot(&b_dot))
    }
    fn jacobian_dot(
        &self,
        t: f64,
        _q: &SVector<f64, 4>,
        v: &SVector<f64, 4>,
    ) -> SMatrix<f64, 2, 4> {
        self.jacobian(t, v)
    }
    fn bias(&self, _t: f64, _q: &SVector<f64, 4>, v: &SVector<f64, 4>) -> Vector2<f64> {
        let [a_dot, b_dot] = rods(v);
        Vector2::new(a_dot.norm_squared(), b_dot.norm_squared())
    }
}

/// The first rod and the second, or their rates of change.
fn rods(q: &SVector<f64, 4>) -> [Vector2<f64>; 2] {
    let (first, second) = (Vector2::new(q[0], q[1]), Vector2::new(q[2], q[3]));
    [first, second - first]
}

/// A plane chain of `B` beads of mass 1 on links of length 1, hanging from the origin; `Q` = 2 `B`.
///
/// C = ½ (|dᵢ|² − 1) with the links dᵢ = rᵢ − rᵢ₋₁, so that J W Jᵀ is tridiagonal: |d₀|² and
/// 2 |dᵢ|² on the diagonal, −dᵢ·dᵢ₋₁ beside it. J itself is never formed.
#[derive(Clone, Copy, Debug)]
pub struct Chain<const B: usize, const Q: usize>;

impl<const B: usize, const Q: usize> Chain<B, Q> {
    /// All beads on a level line.
    pub fn level() -> State<SVector<f64, Q>> {
        let q = SVector::from_fn(|i, _| if i % 2 == 0 { (i / 2 + 1) as f64 } else { 0.0 });
        State::new(0.0, q, SVector::zeros())
    }

    /// Jᵀ (J W Jᵀ)⁻¹ b by the Thomas algorithm.
    fn pull(&self, q: &SVector<f64, Q>, b: &SVector<f64, B>) -> SVector<f64, Q> {
        let (mut x, mut ratio) = (*b, [0.0; B]);
        let mut pivot = link(q, 0).norm_squared();
        for i in 1..B {
            let beside = -link(q, i).dot(&link(q, i - 1));
            ratio[i] = beside / pivot;
            x[i] -= ratio[i] * x[i - 1];
            x[i - 1] /= pivot;
            pivot = 2.0 * link(q, i).norm_squared() - ratio[i] * beside;
        }
        x[B - 1] /= pivot;
        for i in (1..B).rev() {
            x[i - 1] -= ratio[i] * x[i];
        }
        SVector::from_fn(|k, _| {
            let (i, axis) = (k / 2, k % 2);
            let below = if i + 1 < B {
                link(q, i + 1)[axis] * x[i + 1]
            } else {
                0.0
            };
            link(q, i)[axis] * x[i] - below
        })
    }
}

fn link<const Q: usize>(q: &SVector<f64, Q>, i: usize) -> Vector2<f64> {
    let bead = |i: usize| Vector2::new(q[2 * i], q[2 * i + 1]);
    if i == 0 {
        bead(0)
    } else {
        bead(i) - bead(i - 1)
    }
}

impl<const B: usize, const Q: usize> Dynamics<f64> for Chain<B, Q> {
    type Q = SVector<f64, Q>;
    type V = SVector<f64, Q>;
    type Coordinates = SVector<f64, Q>;
    type Velocities = SVector<f64, Q>;
    fn acceleration(
        &self,
        t: f64,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> Result<SVector<f64, Q>, Error> {
        // A uniform field acts on the first link alone: the others fall with both their ends.
        let mut b = -self.bias(t, q, v);
        b[0] += 9.81 * q[1];
        let mut acceleration = self.pull(q, &b);
        for i in 0..B {
            acceleration[2 * i + 1] -= 9.81;
        }
        Ok(acceleration)
    }
    fn kinetic_energy(&self, _t: f64, _q: &SVector<f64, Q>, v: &SVector<f64, Q>) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _t: f64, q: &SVector<f64, Q>) -> f64 {
        9.81 * (0..B).map(|i| q[2 * i + 1]).sum::<f64>()
    }
}

impl<const B: usize, const Q: usize> System<f64> for Chain<B, Q> {}

impl<const B: usize, const Q: usize> Constrained<f64> for Chain<B, Q> {
    type Rows = SVector<f64, B>;
    type Jacobian = SMatrix<f64, B, Q>;
    type Multipliers = Self::Rows;

    fn multipliers(
        &self,
        _t: f64,
        _q: &SVector<f64, Q>,
        _v: &SVector<f64, Q>,
    ) -> Result<SVector<f64, B>, Error> {
        unimplemented!("no test asks for it")
    }
    fn constraint_force(
        &self,
        _t: f64,
        _q: &SVector<f64, Q>,
        _v: &SVector<f64, Q>,
    ) -> Result<SVector<f64, Q>, Error> {
        unimplemented!("no test asks for it")
    }
    fn constraint(&self, _t: f64, q: &SVector<f64, Q>) -> SVector<f64, B> {
        SVector::from_fn(|i, _| 0.5 * (link(q, i).norm_squared() - 1.0))
    }
    fn constraint_rate(
        &self,
        _t: f64,
        q: &SVector<f64, Q>,
        v: &SVector<f64, Q>,
    ) -> SVector<f64, B> {
        SVector::from_fn(|i, _| link(q, i).dot(&link(v, i)))
    }
    fn jacobian(&self, _t: f64, _q: &SVector<f64, Q>) -> SMatrix<f64, B, Q> {
        unreachable!("16 MB for 1,024 beads")
    }
    fn row_sizes(&self, _t: f64, q: &SVector<f64, Q>) -> SVector<f64, B> {
        SVector::from_fn(|i, _| {
            let ends = if i == 0 { i..i + 1 } else { i - 1..i + 1 };
            let parts = ends.map(|k| link(q, i).dot(&Vector2::new(q[2 * k], q[2 * k + 1])));
            parts.map(f64::abs).sum()
        })
    }
    fn bias(&self, _t: f64, _q: &SVector<f64, Q>, v: &SVector<f64, Q>) -> SVector<f64, B> {
        SVector::from_fn(|i, _| link(v, i).norm_squared())
    }
    fn correction(
        &self,
        _t: f64,
        q: &SVector<f64, Q>,
        b: &SVector<f64, B>,
    ) -> Result<SVector<f64, Q>, Error> {
        Ok(self.pull(q, b))
    }
}

/// A ball that turns freely: a unit quaternion (w, x, y, z) and its angular velocity in space.
#[derive(Clone, Copy, Debug)]
pub struct TurningBall {
    /// Whether the system restores the length of its quaternion.
    pub normalizes: bool,
}

impl Dynamics<f64> for TurningBall {
    type Q = SVector<f64, 4>;
    type V = SVector<f64, 3>;
    type Coordinates = SVector<f64, 4>;
    type Velocities = Vector3<f64>;
    fn acceleration(
        &self,
        _t: f64,
        _q: &SVector<f64, 4>,
        _v: &Vector3<f64>,
    ) -> Result<Vector3<f64>, Error> {
        Ok(Vector3::zeros())
    }
    /// q̇ = ½ (0, ω) q.
    fn kinematics(&self, _t: f64, q: &SVector<f64, 4>, omega: &Vector3<f64>) -> SVector<f64, 4> {
        let (w, u) = (q[0], Vector3::new(q[1], q[2], q[3]));
        let turned = omega * w + omega.cross(&u);
        SVector::<f64, 4>::new(-omega.dot(&u), turned.x, turned.y, turned.z) * 0.5
    }
    fn normalize(&self, q: &mut SVector<f64, 4>) {
        if self.normalizes {
            *q /= q.norm();
        }
    }
    fn kinetic_energy(&self, _t: f64, _q: &SVector<f64, 4>, v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
    fn potential_energy(&self, _t: f64, _q: &SVector<f64, 4>) -> f64 {
        0.0
    }
}

impl Unconstrained for TurningBall {}

/// A wheel whose turn θ is stored as (cos θ, sin θ), driven by the row `drive`: sin θ = sin t.
#[derive(Clone, Copy, Debug)]
pub struct DrivenWheel;

/// The coordinates of [`DrivenWheel`] by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelCoordinates {
    pub cos: f64,
    pub sin: f64,
}

impl From<SVector<f64, 2>> for WheelCoordinates {
    fn from(q: SVector<f64, 2>) -> Self {
        Self { cos: q.x, sin: q.y }
    }
}

impl From<WheelCoordinates> for SVector<f64, 2> {
    fn from(q: WheelCoordinates) -> Self {
        Self::new(q.cos, q.sin)
    }
}

type One = SVector<f64, 1>;

impl Dynamics<f64> for DrivenWheel {
    type Q = SVector<f64, 2>;
    type V = SVector<f64, 1>;
    type Coordinates = WheelCoordinates;
    type Velocities = One;
    fn acceleration(&self, t: f64, q: &Vector2<f64>, v: &One) -> Result<One, Error> {
        self.multipliers(t, q, v).map(|lambda| lambda * q.x)
    }
    fn kinetic_energy(&self, _t: f64, _q: &Vector2<f64>, v: &One) -> f64 {
        0.5 * v.x * v.x
    }
    fn potential_energy(&self, _t: f64, _q: &Vector2<f64>) -> f64 {
        0.0
    }
    fn kinematics(&self, _t: f64, q: &Vector2<f64>, v: &One) -> Vector2<f64> {
        Vector2::new(-q.y, q.x) * v.x
    }
}

impl System<f64> for DrivenWheel {}

impl Constrained<f64> for DrivenWheel {
    type Rows = SVector<f64, 1>;
    type Jacobian = SMatrix<f64, 1, 1>;
    type Multipliers = Self::Rows;

    fn multipliers(&self, t: f64, q: &Vector2<f64>, v: &One) -> Result<One, Error> {
        check(q)?;
        Ok(-self.bias(t, q, v) / (q.x * q.x))
    }
    fn constraint_force(&self, t: f64, q: &Vector2<f64>, v: &One) -> Result<One, Error> {
        self.acceleration(t, q, v)
    }
    fn constraint(&self, t: f64, q: &Vector2<f64>) -> One {
        [q.y - t.sin()].into()
    }
    fn constraint_rate(&self, t: f64, q: &Vector2<f64>, v: &One) -> One {
        [q.x * v.x - t.cos()].into()
    }
    fn jacobian(&self, _t: f64, q: &Vector2<f64>) -> SMatrix<f64, 1, 1> {
        [q.x].into()
    }
    fn bias(&self, t: f64, q: &Vector2<f64>, v: &One) -> One {
        [t.sin() - q.y * v.x * v.x].into()
    }
    fn correction(&self, _t: f64, q: &Vector2<f64>, b: &One) -> Result<One, Error> {
        check(q)?;
        Ok(b / q.x)
    }
    fn row_name(&self, row: usize) -> Option<&'static str> {
        (row == 0).then_some("drive")
    }
}

/// J = cos θ vanishes where the drive turns back; near there counts as singular.
fn check(q: &Vector2<f64>) -> Result<(), Singular> {
    if q.x.abs() > 0.05 {
        return Ok(());
    }
    Err(Singular {
        row: 0,
        pivot: q.x * q.x,
    })
}
