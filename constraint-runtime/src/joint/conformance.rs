//! The conformance tests of joints: rows against dual numbers on the group, the bias against central differences
//! along the motion, and the mechanics of the multipliers.
//!
//! The oracle never sees generated code: `surface` is the joint written by hand with nalgebra, C in rows of
//! positions and Φ in rows of velocities.

use nalgebra::{DMatrix, DVector, Isometry2, Matrix3, SVector, Vector2, Vector3};
use num_dual::Dual64;

use crate::{BodyConstraint, BodyRows, InverseMass2, InverseMass3, Rigid, Rigid2, Rigid3};

/// Uniform numbers from a seed (SplitMix64).
pub struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        2.0 * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }

    fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.uniform())
    }
}

/// A body that can be drawn at random and moved by dual numbers.
pub trait Sample<const D: usize>: Rigid<f64, D> {
    /// The same body over dual numbers.
    type Dual: Rigid<Dual64, D>;

    fn random(random: &mut Random) -> Self;
    fn inverse_mass(random: &mut Random) -> Self::InverseMass;
    /// q + ε N(q) v
    fn along(&self, v: &SVector<f64, D>) -> Self::Dual;
}

impl Sample<3> for Rigid2 {
    type Dual = Rigid2<Dual64>;

    fn random(random: &mut Random) -> Self {
        Isometry2::new(random.vector() * 2.0, 3.0 * random.uniform())
    }

    fn inverse_mass(random: &mut Random) -> InverseMass2 {
        InverseMass2 {
            mass: 1.5 + random.uniform(),
            inertia: 1.5 + random.uniform(),
        }
    }

    fn along(&self, v: &SVector<f64, 3>) -> Rigid2<Dual64> {
        let q = self.coordinates().zip_map(&self.kinematics(v), Dual64::new);
        Rigid2::try_from_coordinates(&q).expect("a unit complex number")
    }
}

impl Sample<6> for Rigid3 {
    type Dual = Rigid3<Dual64>;

    fn random(random: &mut Random) -> Self {
        Rigid3::new(random.vector() * 2.0, random.vector() * 2.0)
    }

    fn inverse_mass(random: &mut Random) -> InverseMass3 {
        let root = Matrix3::from_fn(|_, _| random.uniform());
        InverseMass3 {
            mass: 1.5 + random.uniform(),
            inertia: root * root.transpose() + Matrix3::identity(),
        }
    }

    fn along(&self, v: &SVector<f64, 6>) -> Rigid3<Dual64> {
        let q = self.coordinates().zip_map(&self.kinematics(v), Dual64::new);
        Rigid3::try_from_coordinates(&q).expect("a unit quaternion")
    }
}

type DualOf<J, const D: usize, const B: usize, const R: usize> =
    <<J as BodyConstraint<f64, D, B, R>>::Body as Sample<D>>::Dual;

/// A state of the bodies, with their inverse masses.
struct State<Body: Rigid<f64, D>, const D: usize, const B: usize> {
    q: [Body; B],
    v: [SVector<f64, D>; B],
    w: [Body::InverseMass; B],
}

impl<Body: Sample<D>, const D: usize, const B: usize> State<Body, D, B> {
    fn random(random: &mut Random) -> Self {
        State {
            q: core::array::from_fn(|_| Body::random(random)),
            v: core::array::from_fn(|_| random.vector()),
            w: core::array::from_fn(|_| Body::inverse_mass(random)),
        }
    }

    fn moved(&self, v: &[SVector<f64, D>; B], h: f64) -> Self {
        State {
            q: core::array::from_fn(|i| self.q[i].moved(&v[i], h)),
            ..*self
        }
    }
}

/// Runs all checks of a joint; `freedoms` is the number of free velocities of two bodies with the joint.
pub fn check<J, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    freedoms: usize,
    surface: impl Fn([&DualOf<J, D, B, R>; B], [&SVector<Dual64, D>; B]) -> SVector<Dual64, R>,
) where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
{
    check_each(joint, freedoms, |_| &surface);
}

/// The same with a surface for every configuration of the bodies.
pub fn check_each<J, Surface, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    freedoms: usize,
    surface: impl Fn(&[J::Body; B]) -> Surface,
) where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
    Surface: Fn([&DualOf<J, D, B, R>; B], [&SVector<Dual64, D>; B]) -> SVector<Dual64, R>,
{
    let mut random = Random(2026);
    for _ in 0..20 {
        let state = State::random(&mut random);
        let oracle = Oracle {
            surface: &surface(&state.q),
            holonomic: J::HOLONOMIC,
        };
        first_derivatives(joint, &state, &oracle);
        bias(joint, &state, &oracle);
        solutions(joint, &state, &mut random);
        let consistent = projected(joint, state);
        let jacobian = stacked(&joint.jacobian(0.0, consistent.q.each_ref()));
        let rank = jacobian.rank(1e-9);
        assert_eq!(rank, R, "independent rows where C = 0");
        assert_eq!(B * D - rank, freedoms, "degrees of freedom");
    }
}

struct Oracle<'a, Surface, const R: usize> {
    surface: &'a Surface,
    holonomic: [bool; R],
}

impl<Surface, const R: usize> Oracle<'_, Surface, R> {
    /// The surface with the bodies moving along `turn`, and the velocities v + ε push.
    fn evaluate<Body: Sample<D>, const D: usize, const B: usize>(
        &self,
        q: &[Body; B],
        turn: &[SVector<f64, D>; B],
        v: &[SVector<f64, D>; B],
        push: &[SVector<f64, D>; B],
    ) -> SVector<Dual64, R>
    where
        Surface: Fn([&Body::Dual; B], [&SVector<Dual64, D>; B]) -> SVector<Dual64, R>,
    {
        let bodies: [Body::Dual; B] = core::array::from_fn(|i| q[i].along(&turn[i]));
        let velocities: [SVector<Dual64, D>; B] =
            core::array::from_fn(|i| v[i].zip_map(&push[i], Dual64::new));
        (self.surface)(bodies.each_ref(), velocities.each_ref())
    }

    /// Ċ of rows of positions, Φ of rows of velocities.
    fn rate<Body: Sample<D>, const D: usize, const B: usize>(
        &self,
        q: &[Body; B],
        v: &[SVector<f64, D>; B],
    ) -> SVector<f64, R>
    where
        Surface: Fn([&Body::Dual; B], [&SVector<Dual64, D>; B]) -> SVector<Dual64, R>,
    {
        let rows = self.evaluate(q, v, v, &[SVector::zeros(); B]);
        SVector::from_fn(|i, _| {
            if self.holonomic[i] {
                rows[i].eps
            } else {
                rows[i].re
            }
        })
    }
}

fn first_derivatives<J, Surface, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    state: &State<J::Body, D, B>,
    oracle: &Oracle<'_, Surface, R>,
) where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
    Surface: Fn([&DualOf<J, D, B, R>; B], [&SVector<Dual64, D>; B]) -> SVector<Dual64, R>,
{
    let State { q, v, .. } = state;
    let still = [SVector::zeros(); B];
    let rows = oracle.evaluate(q, &still, v, &still);
    let value = joint.value(0.0, q.each_ref());
    let jacobian = joint.jacobian(0.0, q.each_ref());
    for i in 0..R {
        let expected = if J::HOLONOMIC[i] { rows[i].re } else { 0.0 };
        near(value[i], expected, 1e-13, "C");
    }
    let rate = joint.rate(0.0, q.each_ref(), v.each_ref());
    let expected = oracle.rate(q, v);
    (0..R).for_each(|i| near(rate[i], expected[i], 1e-13, "Ċ"));
    for body in 0..B {
        for k in 0..D {
            let mut one = still;
            one[body][k] = 1.0;
            let turned = oracle.evaluate(q, &one, v, &still);
            let pushed = oracle.evaluate(q, &still, v, &one);
            for i in 0..R {
                let column = if J::HOLONOMIC[i] {
                    turned[i]
                } else {
                    pushed[i]
                };
                near(jacobian[body][(i, k)], column.eps, 1e-13, "J");
            }
        }
    }
}

/// Sixth-order central difference of the oracle's Ċ along the exact motion with v̇ = 0.
fn bias<J, Surface, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    state: &State<J::Body, D, B>,
    oracle: &Oracle<'_, Surface, R>,
) where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
    Surface: Fn([&DualOf<J, D, B, R>; B], [&SVector<Dual64, D>; B]) -> SVector<Dual64, R>,
{
    let h = 1e-3;
    let rate = |steps: f64| oracle.rate(&state.moved(&state.v, steps * h).q, &state.v);
    let pair = |steps: f64| rate(steps) - rate(-steps);
    let expected = (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) / (60.0 * h);
    let bias = joint.bias(0.0, state.q.each_ref(), state.v.each_ref());
    (0..R).for_each(|i| near(bias[i], expected[i], 1e-9, "β"));
}

/// The combined evaluation equals the separate ones.
fn together<J, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    state: &State<J::Body, D, B>,
    rows: &BodyRows<f64, D, B, R>,
) where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
{
    let (q, v) = (state.q.each_ref(), state.v.each_ref());
    let difference = rows.value - joint.value(0.0, q);
    near(difference.norm(), 0.0, 1e-13, "C of all");
    let difference = rows.rate - joint.rate(0.0, q, v);
    near(difference.norm(), 0.0, 1e-13, "Ċ of all");
    let difference = rows.bias - joint.bias(0.0, q, v);
    near(difference.norm(), 0.0, 1e-11, "β of all");
    let difference = stacked(&rows.jacobian) - stacked(&joint.jacobian(0.0, q));
    near(difference.norm(), 0.0, 1e-13, "J of all");
    let alone = joint.delassus(0.0, q, state.w.each_ref());
    let difference = (rows.delassus - alone).norm();
    near(
        difference,
        0.0,
        1e-12 * (1.0 + alone.norm()),
        "J W Jᵀ of all",
    );
}

/// λ holds the rows, impulses stop them, and neither does work on allowed motions.
fn solutions<J, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    state: &State<J::Body, D, B>,
    random: &mut Random,
) where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
{
    let State { q, v, w } = state;
    let (q, w) = (q.each_ref(), w.each_ref());
    let rows = joint.rows(0.0, q, v.each_ref(), w);
    together(joint, state, &rows);
    let weigh = |f: &[SVector<f64, D>; B]| -> [SVector<f64, D>; B] {
        core::array::from_fn(|i| J::Body::accelerated(w[i], &f[i]))
    };
    let applied = |x: &[SVector<f64, D>; B]| -> SVector<f64, R> {
        let blocks = rows.jacobian.iter().zip(x);
        blocks.map(|(block, x)| block * x).sum()
    };
    let transposed = |lambda: &SVector<f64, R>| -> [SVector<f64, D>; B] {
        core::array::from_fn(|i| rows.jacobian[i].tr_mul(lambda))
    };
    let force: [SVector<f64, D>; B] = core::array::from_fn(|_| random.vector());
    let lambda = joint.multipliers(0.0, q, v.each_ref(), w, force.each_ref());
    let lambda = lambda.expect("independent rows");
    let hold = transposed(&lambda);
    let acceleration = weigh(&core::array::from_fn(|i| force[i] + hold[i]));
    let second = applied(&acceleration) + joint.bias(0.0, q, v.each_ref());
    assert!(
        second.norm() < 1e-10 * (1.0 + lambda.norm()),
        "C̈ = {second}"
    );

    let impulses = joint
        .impulses(0.0, q, v.each_ref(), w)
        .expect("independent rows");
    let change = weigh(&transposed(&impulses));
    let after: [SVector<f64, D>; B] = core::array::from_fn(|i| v[i] + change[i]);
    let rate = joint.rate(0.0, q, after.each_ref());
    assert!(rate.norm() < 1e-11 * (1.0 + impulses.norm()), "Ċ = {rate}");
    let power: f64 = hold.iter().zip(&after).map(|(f, v)| f.dot(v)).sum();
    near(power, 0.0, 1e-10 * (1.0 + lambda.norm()), "power");

    let dense = stacked(&rows.jacobian);
    let columns: Vec<DVector<f64>> = (0..R)
        .map(|i| {
            let moved = weigh(&transposed(&SVector::from_fn(|k, _| {
                f64::from(u8::from(k == i))
            })));
            let moved: Vec<f64> = moved.iter().flat_map(|x| x.iter().copied()).collect();
            &dense * DVector::from_vec(moved)
        })
        .collect();
    let expected = DMatrix::from_columns(&columns);
    for (found, expected) in rows.delassus.iter().zip(expected.iter()) {
        near(*found, *expected, 1e-12, "J W Jᵀ");
    }
}

/// Newton's method on C = 0, mass-weighted.
fn projected<J, const D: usize, const B: usize, const R: usize>(
    joint: &J,
    mut state: State<J::Body, D, B>,
) -> State<J::Body, D, B>
where
    J: BodyConstraint<f64, D, B, R>,
    J::Body: Sample<D>,
{
    for _ in 0..200 {
        let q = state.q.each_ref();
        let value = joint.value(0.0, q);
        if value.norm() < 1e-12 {
            return state;
        }
        // Far away a full step may overshoot.
        let part = (0.5 / value.norm()).min(1.0);
        let lambda = joint.solve(0.0, q, state.w.each_ref(), &(-value * part));
        let lambda = lambda.expect("independent rows");
        let jacobian = joint.jacobian(0.0, q);
        let step: [SVector<f64, D>; B] = core::array::from_fn(|i| {
            J::Body::accelerated(&state.w[i], &jacobian[i].tr_mul(&lambda))
        });
        state = state.moved(&step, 1.0);
    }
    panic!("no place on the joint was found");
}

fn stacked<const D: usize, const B: usize, const R: usize>(
    blocks: &[nalgebra::SMatrix<f64, R, D>; B],
) -> DMatrix<f64> {
    DMatrix::from_fn(R, B * D, |i, k| blocks[k / D][(i, k % D)])
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    let scale = 1.0 + expected.abs();
    assert!(
        (found - expected).abs() <= tolerance * scale,
        "{what}: {found}, expected {expected}"
    );
}

// ---- building blocks of surfaces ------------------------------------------------------------------

/// A vector of space over any scalar.
pub fn space<T: crate::Real>(x: f64, y: f64, z: f64) -> Vector3<T> {
    Vector3::new(T::lit(x), T::lit(y), T::lit(z))
}

/// A vector of the plane over any scalar.
pub fn flat<T: crate::Real>(x: f64, y: f64) -> Vector2<T> {
    Vector2::new(T::lit(x), T::lit(y))
}

/// The place of a body-fixed point.
pub fn at(body: &Rigid3<Dual64>, r: Vector3<Dual64>) -> Vector3<Dual64> {
    (body * nalgebra::Point3::from(r)).coords
}

/// A body-fixed direction.
pub fn dir(body: &Rigid3<Dual64>, u: Vector3<Dual64>) -> Vector3<Dual64> {
    body * u
}

/// The place of a point fixed to a body of the plane.
pub fn flat_at(body: &Rigid2<Dual64>, r: Vector2<Dual64>) -> Vector2<Dual64> {
    (body * nalgebra::Point2::from(r)).coords
}

/// A direction fixed to a body of the plane.
pub fn flat_dir(body: &Rigid2<Dual64>, u: Vector2<Dual64>) -> Vector2<Dual64> {
    body * u
}
