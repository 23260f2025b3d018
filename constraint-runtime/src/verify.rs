//! `verify!` compares the functions of a constraint, a curve or a system with each other at random states.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::type_name;
use core::fmt::Debug;

use nalgebra::SVector;

use crate::constraint::Constraint;
use crate::curve::Curve;
use crate::system::{Constrained, Dynamics};
use crate::vector::Vector;

/// Compares the functions of a constraint, a curve or a system with differences of each other, in a test.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::verify;
///
/// constraint! {
///     /// A bead on a circle.
///     struct Circle { r: Real }
///     |x, y| x^2 + y^2 == r^2
/// }
/// curve! { struct Helix; |s in 0..=7| [cos(s), sin(s), s/2] }
/// system! {
///     struct Pendulum { m: Real = 2, l: Real = 1, g: Real = 9.81 }
///     particle bob: Point2 { mass: m }
///     gravity [0, -g];
///     constraint rod: norm(bob) == l;
/// }
/// verify!(Circle { r: 2.0 });
/// verify!(Helix);
/// verify!(Pendulum::default());
/// ```
///
/// Coordinates and velocities are random in ±1, or in ± the size after a comma: `verify!(Wire, 100.0)`. It checks 32
/// states:
///
/// - for a [`Constraint`]: Ċ, J, J̇ and β are differences of C, J and Ċ along a motion or a random direction; J W (f
///   + Jᵀ λ) = −β and f̂ = Jᵀ λ, (J W Jᵀ) x = b, and the power of f̂ is that of its rows, f̂·v = λ·J v;
/// - for a [`Curve`]: r′ and r″ are differences of r and r′ along the domain, κ² |r′|⁶ = |r′|² |r″|² − (r′·r″)², and
///   a bead without a force keeps its energy: r′·(r′ s̈ + r″ ṡ²) = 0;
/// - for [`Dynamics`]: T agrees with M, aᵀ M a = T(a) + T(−a) − 2 T(0); M is symmetric; M a − h grows with a by M; if
///   every force has a potential ([`conservative_forces`](crate::Properties::conservative_forces)) and T is aᵀ M a/2, V
///   falls by the power of h at rest, and T, at constant velocities, by that of the rest of h, so that T + V changes
///   by the power of the constraint forces alone; h is the same at rest if it [is said to
///   ignore velocities](crate::Properties::forces_ignore_velocity);
/// - for a [`Constrained`], in addition: Ċ, J and β as above, J v̇ = −β, M v̇ − h = Jᵀ λ, its power as above, and J x = b
///   for corrections.
///
/// Differences are of fourth order at two widths; a state is skipped if the two disagree (at a kink, or near a pole)
/// or a value is not finite. Forces without a potential come from the user: if there are any, h and V are not
/// checked. To verify a constraint between bodies, verify a system that contains it.
///
/// # Panics
/// If a function differs by more than a millionth and rounding: the message has its name, the state and both numbers.
/// Also if no state was found at which it could be compared.
#[macro_export]
macro_rules! verify {
    ($subject:expr $(,)?) => {
        $crate::verify!($subject, 1.0)
    };
    ($subject:expr, $size:expr $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::__private::verify::{OfConstraint, OfCurve, OfDynamics, OfSystem, Subject};
        (&&&&Subject(&$subject)).verify($size)
    }};
}

/// The subject of a check, through the one of the traits below that it implements.
#[derive(Debug)]
pub struct Subject<'a, S>(pub &'a S);

/// A constraint on points.
pub trait OfConstraint<const N: usize, const M: usize> {
    /// Panics if it is wrong.
    fn verify(&self, size: f64);
}

/// A curve.
pub trait OfCurve<const D: usize> {
    /// Panics if it is wrong.
    fn verify(&self, size: f64);
}

/// A system without constraints.
pub trait OfDynamics {
    /// Panics if it is wrong.
    fn verify(&self, size: f64);
}

/// A system with constraints.
pub trait OfSystem {
    /// Panics if it is wrong.
    fn verify(&self, size: f64);
}

/// The number of states.
const STATES: u64 = 32;
/// The relative difference that is accepted.
const PART: f64 = 1e-6;

/// The comparisons so far, by name.
struct Verification {
    subject: &'static str,
    /// The range of the coordinates.
    size: f64,
    random: u64,
    compared: Vec<(&'static str, usize)>,
    /// The state, for messages.
    state: String,
}

impl Verification {
    fn new<S>(size: f64) -> Verification {
        Verification {
            subject: type_name::<S>(),
            size,
            random: 0,
            compared: Vec::new(),
            state: String::new(),
        }
    }

    /// Within ±size, by the SplitMix64 of Steele, Lea and Flood.
    fn draw(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let part = ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        self.size * (2.0 * part - 1.0)
    }

    fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
        SVector::from_fn(|_, _| self.draw())
    }

    fn at(&mut self, state: &impl Debug) {
        self.state = format!("{state:?}");
    }

    /// Records that a function was, or could have been, compared.
    fn note(&mut self, name: &'static str, count: usize) {
        match self.compared.iter_mut().find(|it| it.0 == name) {
            Some((_, known)) => *known += count,
            None => self.compared.push((name, count)),
        }
    }

    /// Compares two numbers whose terms are of this size.
    fn equal(&mut self, name: &'static str, found: f64, expected: f64, terms: f64) {
        let fits = found.is_finite() && expected.is_finite() && terms.is_finite();
        self.note(name, fits.into());
        let far =
            (found - expected).abs() > PART * (found.abs() + expected.abs()) + 1e-10 * terms.abs();
        assert!(
            !fits || !far,
            "{name} of {} is {found}, not {expected}, at {}",
            self.subject,
            self.state
        );
    }

    /// Compares `found` with the rate at which numbers change at 0.
    fn rate(&mut self, name: &'static str, found: &[f64], path: impl Fn(f64) -> Vec<f64>) {
        let width = 1e-3
            * if self.size > 0.0 {
                self.size.min(1.0)
            } else {
                1.0
            };
        let (wide, narrow) = (
            Difference::new(&path, width),
            Difference::new(&path, width / 2.0),
        );
        for (i, &found) in found.iter().enumerate() {
            let (expected, beside) = (narrow.slopes[i], wide.slopes[i]);
            let rounding = 1e3 * f64::EPSILON * narrow.largest[i].max(wide.largest[i]) / width;
            let most = PART * expected.abs() + rounding;
            let smooth = (expected - beside).abs() <= most && found.is_finite();
            self.note(name, smooth.into());
            assert!(
                !smooth || (found - expected).abs() <= 4.0 * most,
                "{name} of {} is {found}, by differences {expected}, at {}",
                self.subject,
                self.state
            );
        }
    }

    fn end(&self) {
        let never = self.compared.iter().find(|it| it.1 == 0);
        assert!(
            never.is_none(),
            "{} of {} has a value that could be compared at none of {STATES} states",
            never.map_or("", |it| it.0),
            self.subject
        );
    }
}

/// Differences of fourth order.
struct Difference {
    slopes: Vec<f64>,
    largest: Vec<f64>,
}

impl Difference {
    fn new(path: &impl Fn(f64) -> Vec<f64>, width: f64) -> Difference {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|by| path(by * width));
        let slope = |i: usize| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * width);
        let largest = |i: usize| [&a, &b, &c, &d].map(|it| it[i].abs()).into_iter().sum();
        Difference {
            slopes: (0..a.len()).map(slope).collect(),
            largest: (0..a.len()).map(largest).collect(),
        }
    }
}

impl<C: Constraint<f64, N, M>, const N: usize, const M: usize> OfConstraint<N, M>
    for Subject<'_, C>
{
    fn verify(&self, size: f64) {
        let (c, mut all) = (self.0, Verification::new::<C>(size));
        for _ in 0..STATES {
            let (t, q, v, u) = (
                all.draw(),
                all.vector::<N>(),
                all.vector::<N>(),
                all.vector::<N>(),
            );
            all.at(&(t, q, v));
            let (j, j_dot) = (c.jacobian(t, &q), c.jacobian_dot(t, &q, &v));
            let list = |it: SVector<f64, M>| it.iter().copied().collect::<Vec<f64>>();
            let along = |by: f64| (t + by, q + v * by);
            let moved = |by: f64| list(c.value(along(by).0, &along(by).1));
            all.rate("rate", &list(c.rate(t, &q, &v)), moved);
            all.rate("jacobian", &list(j * u), |by| {
                list(c.value(t, &(q + u * by)))
            });
            let turned = |by: f64| list(c.jacobian(along(by).0, &along(by).1) * u);
            all.rate("jacobian_dot", &list(j_dot * u), turned);
            let rates = |by: f64| list(c.rate(along(by).0, &along(by).1, &v));
            let bias = c.bias(t, &q, &v);
            all.rate("bias", &list(bias), rates);

            let w = all.vector::<N>().map(|it| 0.1 + it.abs() / size);
            let (f, b) = (all.vector::<N>(), all.vector::<M>());
            let Ok(lambda) = c.multipliers(t, &q, &v, &w, &f) else {
                continue;
            };
            let pushed = j * w.component_mul(&(f + j.tr_mul(&lambda)));
            let weighed = j * w.component_mul(&f);
            for i in 0..M {
                all.equal("multipliers", pushed[i], -bias[i], weighed[i]);
            }
            if let Ok(force) = c.force(t, &q, &v, &w, &f) {
                let terms = force.norm() * v.norm();
                all.equal("force", force.dot(&v), lambda.dot(&(j * v)), terms);
            }
            if let Ok(x) = c.solve(t, &q, &w, &b) {
                let back = j * w.component_mul(&j.tr_mul(&x));
                (0..M).for_each(|i| all.equal("solve", back[i], b[i], b.norm()));
            }
        }
        all.end();
    }
}

impl<C: Curve<f64, D>, const D: usize> OfCurve<D> for &Subject<'_, C> {
    fn verify(&self, _: f64) {
        let (c, mut all) = (self.0, Verification::new::<C>(1.0));
        let domain = c.domain();
        let (start, length) = (*domain.start(), domain.end() - domain.start());
        all.size = length.min(1.0);
        for _ in 0..STATES {
            let inside = 0.5 + 0.49 * all.draw() / all.size;
            let (s, s_dot) = (start + length * inside, all.draw());
            all.at(&s);
            let list = |it: SVector<f64, D>| it.iter().copied().collect::<Vec<f64>>();
            let [r, r1, r2] = [c.position(s), c.tangent(s), c.second_derivative(s)];
            all.rate("tangent", &list(r1), |by| list(c.position(s + by)));
            all.rate("second_derivative", &list(r2), |by| list(c.tangent(s + by)));
            let jet = c.jet(s);
            let apart = (jet[0] - r).norm() + (jet[1] - r1).norm() + (jet[2] - r2).norm();
            all.equal("jet", apart, 0.0, r.norm() + r1.norm() + r2.norm());
            let (metric, along, bend) = (r1.norm_squared(), r1.dot(&r2), r2.norm_squared());
            let bent = c.curvature(s) * c.curvature(s) * metric * metric * metric;
            all.equal(
                "curvature",
                bent,
                metric * bend - along * along,
                1e3 * metric * bend,
            );
            if let Ok(s_ddot) = c.acceleration(s, s_dot, &SVector::zeros(), 1.0) {
                let (sliding, turning) = (metric * s_ddot, along * s_dot * s_dot);
                all.equal("acceleration", sliding, -turning, turning);
            }
        }
        all.end();
    }
}

/// A state, and the system that moves from there.
struct At<S: Dynamics<f64>> {
    t: f64,
    q: S::Q,
    v: S::V,
    a: S::V,
}

impl<S: Dynamics<f64>> At<S> {
    fn new(s: &S, all: &mut Verification) -> Option<At<S>> {
        let (mut q, v) = (S::Q::blank().like(|_| all.draw()), S::V::blank());
        s.normalize(&mut q);
        let (t, v, a) = (all.draw(), v.like(|_| all.draw()), v.like(|_| all.draw()));
        all.at(&(t, q.entries(), v.entries()));
        s.admits(t, &q).ok()?;
        Some(At { t, q, v, a })
    }

    /// The coordinates after a motion with these velocities.
    fn along(&self, s: &S, v: &S::V, by: f64) -> S::Q {
        let rate = s.kinematics(self.t, &self.q, v);
        let mut q = self.q.like(|i| self.q[i] + by * rate[i]);
        s.normalize(&mut q);
        q
    }
}

fn dot<V: Vector<Scalar = f64>>(a: &V, b: &V) -> f64 {
    let pairs = a.entries().iter().zip(b.entries());
    pairs.map(|(a, b)| a * b).sum()
}

/// Checks T, M, and M a − h by a function of v and a.
fn dynamics<S: Dynamics<f64>>(
    s: &S,
    at: &At<S>,
    inverse: impl Fn(&S::V, &S::V) -> Option<S::V>,
    all: &mut Verification,
) {
    let At { t, q, v, a } = at;
    let (energy, momentum) = (
        |v: &S::V| s.kinetic_energy(*t, q, v),
        s.mass_times(*t, q, a),
    );
    let still = v.zeros_like();
    let (ahead, back) = (energy(a), energy(&a.like(|i| -a[i])));
    let twice = ahead + back - 2.0 * energy(&still);
    all.equal("mass_times", dot(a, &momentum), twice, ahead.abs());
    let crossed = dot(a, &s.mass_times(*t, q, v));
    all.equal("mass_matrix", dot(v, &momentum), crossed, ahead.abs());
    if let (Some(moved), Some(held)) = (inverse(v, a), inverse(v, &still)) {
        for i in 0..a.entries().len() {
            let terms = moved[i].abs() + held[i].abs();
            all.equal("inverse_dynamics", moved[i] - held[i], momentum[i], terms);
        }
    }
    if S::PROPERTIES.forces_ignore_velocity
        && let (Some(moving), Some(resting)) = (inverse(v, &still), inverse(&still, &still))
    {
        for i in 0..v.entries().len() {
            all.equal(
                "forces_ignore_velocity",
                moving[i],
                resting[i],
                resting[i].abs(),
            );
        }
    }
    // Systems that move by themselves have further terms in T.
    let quadratic = (2.0 * energy(v) - dot(v, &s.mass_times(*t, q, v))).abs() <= PART * energy(v);
    if S::PROPERTIES.conservative_forces
        && quadratic
        && let (Some(moving), Some(resting)) = (inverse(v, &still), inverse(&still, &still))
    {
        energies(s, at, [dot(&moving, v), dot(&resting, v)], all);
    }
}

/// Checks T and V along v, given −h·v of the motion and at rest.
fn energies<S: Dynamics<f64>>(
    s: &S,
    at: &At<S>,
    [moving, resting]: [f64; 2],
    all: &mut Verification,
) {
    let At { t, v, .. } = at;
    all.rate("potential_energy", &[resting], |by| {
        [s.potential_energy(*t, &at.along(s, v, by))].into()
    });
    // h·v = −vᵀ Ṁ v + vᵀ (∂M/∂q q̇) v/2: an explicit change of M counts twice.
    all.rate("kinetic_energy", &[moving - resting], |by| {
        [s.kinetic_energy(t + 2.0 * by, &at.along(s, v, by), v)].into()
    });
}

impl<S: Dynamics<f64>> OfDynamics for &&Subject<'_, S> {
    fn verify(&self, size: f64) {
        let (s, mut all) = (self.0, Verification::new::<S>(size));
        for _ in 0..STATES {
            let Some(at) = At::new(s, &mut all) else {
                continue;
            };
            let inverse = |v: &S::V, a: &S::V| {
                let missing = s.unconstrained_inverse_dynamics(at.t, &at.q, v, a);
                missing.ok()
            };
            dynamics(s, &at, inverse, &mut all);
            let still = at.v.zeros_like();
            if let Ok(acceleration) = s.acceleration(at.t, &at.q, &at.v)
                && let (Some(left), Some(held)) =
                    (inverse(&at.v, &acceleration), inverse(&at.v, &still))
            {
                let pairs = left.entries().iter().zip(held.entries());
                pairs.for_each(|(left, held)| all.equal("acceleration", *left, 0.0, held.abs()));
            }
        }
        all.end();
    }
}

impl<S: Constrained<f64>> OfSystem for &&&Subject<'_, S> {
    fn verify(&self, size: f64) {
        let (s, mut all) = (self.0, Verification::new::<S>(size));
        for _ in 0..STATES {
            let Some(at) = At::new(s, &mut all) else {
                continue;
            };
            let (t, q, v, a) = (at.t, &at.q, &at.v, &at.a);
            let inverse = |v: &S::V, a: &S::V| s.inverse_dynamics(t, q, v, a).ok();
            dynamics(s, &at, inverse, &mut all);
            let rows = |of: S::Rows| of.entries().to_vec();
            let (j, rate) = (s.jacobian(t, q), rows(s.constraint_rate(t, q, v)));
            let times = |x: &S::V, i: usize| -> f64 {
                let n = x.entries().len();
                (0..n).map(|k| j[(i, k)] * x[k]).sum()
            };
            let along = |by: f64| (t + by, at.along(s, v, by));
            let moved = |by: f64| rows(s.constraint(along(by).0, &along(by).1));
            // A relation of velocities has no C.
            let stays = moved(1e-2 * size)
                .iter()
                .chain(&moved(0.0))
                .all(|&it| it == 0.0);
            if !stays {
                let changes = |i: usize| moved(1e-2 * size)[i] != 0.0 || moved(0.0)[i] != 0.0;
                let places: Vec<usize> = (0..rate.len()).filter(|&i| changes(i)).collect();
                let found: Vec<f64> = places.iter().map(|&i| rate[i]).collect();
                all.rate("constraint_rate", &found, |by| {
                    let all = moved(by);
                    places.iter().map(|&i| all[i]).collect()
                });
            }
            let faster = rows(s.constraint_rate(t, q, &v.like(|i| v[i] + a[i])));
            for i in 0..rate.len() {
                let terms = faster[i].abs() + rate[i].abs();
                all.equal("jacobian", times(a, i), faster[i] - rate[i], terms);
            }
            let bias = rows(s.bias(t, q, v));
            let rates = |by: f64| rows(s.constraint_rate(along(by).0, &along(by).1, v));
            all.rate("bias", &bias, rates);
            solved(s, &at, &bias, times, &mut all);
        }
        all.end();
    }
}

/// v̇, λ and corrections.
fn solved<S: Constrained<f64>>(
    s: &S,
    at: &At<S>,
    bias: &[f64],
    times: impl Fn(&S::V, usize) -> f64,
    all: &mut Verification,
) {
    let (t, q, v) = (at.t, &at.q, &at.v);
    let Ok((acceleration, lambda)) = s.acceleration_and_multipliers(t, q, v) else {
        return;
    };
    let size = acceleration
        .entries()
        .iter()
        .map(|it| it.abs())
        .sum::<f64>();
    for (i, bias) in bias.iter().enumerate() {
        all.equal("acceleration", times(&acceleration, i), -bias, size);
    }
    let (Ok(missing), Ok(force)) = (
        s.inverse_dynamics(t, q, v, &acceleration),
        s.constraint_force(t, q, v),
    ) else {
        return;
    };
    let resisting = s.mass_times(t, q, &acceleration);
    let both = force.entries().iter().chain(resisting.entries());
    let pushes = both.map(|it| it.abs()).sum::<f64>();
    for i in 0..v.entries().len() {
        all.equal("constraint_force", force[i], missing[i], pushes);
    }
    let power = (0..bias.len())
        .map(|i| lambda[i] * times(v, i))
        .sum::<f64>();
    all.equal("multipliers", power, dot(&force, v), pushes);
    let wanted = lambda.like(|_| all.draw());
    if let Ok(x) = s.correction(t, q, &wanted) {
        for i in 0..bias.len() {
            all.equal("correction", times(&x, i), wanted[i], wanted[i].abs());
        }
    }
}
