//! Runs through impact, release, sticking and slipping: gradients against dual numbers through the same runs.

use constraint_runtime::prelude::*;
use constraint_runtime::{
    ContactLaws, ImpactLaw, Impacts, OneSidedDerivatives, Reversible, RowMode,
};
use num_dual::Dual64;

/// A run with the start and the parameters that are given, and its events.
macro_rules! compared {
    ($system:ident, $fields:tt, $start:expr, $method:expr, $end:expr, $laws:expr) => {{
        compared!($system, $fields, $start, $method, $end, $laws, 1e-10)
    }};
    ($system:ident, [$($field:ident),*], $start:expr, $method:expr, $end:expr, $laws:expr, $tolerance:expr) => {{
        let system = $system::<f64>::default();
        let (q, v): ([f64; _], [f64; _]) = $start;
        let n = v.len();
        let mut run = ContactSimulation::with_laws(
            system, State::new(0.25, q, v), $method.map_scalar(|it| it), $laws)?;
        let found = run.gradient(&[$end], |_, state, by| {
            (0..n).fold(0.0, |sum, i| {
                let weight = 1.0 + i as f64;
                by.q[i] += weight;
                by.v[i] += 0.5 * weight;
                sum + weight * (state.q[i] + 0.5 * state.v[i])
            })
        })?;
        let parameters = [$(system.$field),*];
        let all = 1 + 2 * n + parameters.len();
        let mut events = 0;
        for k in 0..all {
            let mut at = 0;
            let mut dual = |x: f64| {
                at += 1;
                Dual64::new(x, if at - 1 == k { 1.0 } else { 0.0 })
            };
            let t = dual(0.25);
            let (q, v) = (q.map(&mut dual), v.map(&mut dual));
            let [$($field),*] = parameters.map(&mut dual);
            let start = State::new(t, q, v);
            let mut run = ContactSimulation::with_laws(
                $system { $($field),* }, start, $method.map_scalar(Dual64::from), $laws)?;
            events = 0;
            run.run_until_with($end.into(), |_| events += 1)?;
            let state = run.state();
            let loss = (0..n).fold(Dual64::from(0.0), |sum, i| {
                sum + (state.q[i] + state.v[i] * 0.5) * (1.0 + i as f64)
            });
            let expected = loss.eps;
            let by = &found.by;
            let own = match k {
                0 => by.t,
                k if k <= n => by.q[k - 1],
                k if k <= 2 * n => by.v[k - 1 - n],
                k => by.p[k - 1 - 2 * n],
            };
            assert!((found.loss - loss.re).abs() <= 1e-12 * (1.0 + loss.re.abs()), "{} {}", found.loss, loss.re);
            assert!(
                (own - expected).abs() <= $tolerance * (1.0 + expected.abs()),
                "entry {k} of {all}: {own}, by dual numbers {expected}"
            );
        }
        (run, events)
    }};
}

/// Methods with their numbers in another scalar.
trait MapScalar {
    type Of<T: Real>;
    fn map_scalar<T: Real>(&self, map: impl Fn(f64) -> T) -> Self::Of<T>;
}

impl MapScalar for f64 {
    type Of<T: Real> = Rk4<T>;
    fn map_scalar<T: Real>(&self, map: impl Fn(f64) -> T) -> Rk4<T> {
        Rk4::new(map(*self))
    }
}

system! {
    /// A point that bounces along a rough floor.
    #[derivatives]
    struct Ball { m: Real = 2, r: Real = 0.25, e: Real = 0.6, mu: Real = 0.15, g: Real = 9.81 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint floor: ball.y >= r { restitution: e, friction: mu, slip: velocity(ball).x };
}

/// It flies, bounces three times with slip, and once more without.
#[test]
fn through_bounces_with_friction() -> Result<(), Error> {
    let start = ([0.0, 1.2], [1.0, 0.3]);
    for laws in [ImpactLaw::Moreau, ImpactLaw::Newton, ImpactLaw::Poisson] {
        let laws = ContactLaws {
            impact: laws,
            ..ContactLaws::default()
        };
        let (_, events) = compared!(Ball, [m, r, e, mu, g], start, 0.07, 1.9, laws);
        assert!((3..=10).contains(&events), "{events}");
        let start = ([0.0, 1.2], [0.2, 0.3]);
        compared!(Ball, [m, r, e, mu, g], start, 0.07, 1.9, laws);
    }
    Ok(())
}

system! {
    /// A block on a rough plane whose pull grows.
    #[derivatives]
    struct Pulled { m: Real = 2, k: Real = 30, mu: Real = 0.4, g: Real = 9.81 }
    particle block: Point2 { mass: m }
    gravity [0, -g];
    force block: [k*(t - 0.5), 0];
    constraint floor: block.y >= 0 { friction: mu, slip: velocity(block).x };
}

/// It slides, sticks, and slides on as the pull grows.
#[test]
fn through_sticking_and_slipping() -> Result<(), Error> {
    let start = ([0.0, 0.0], [1.0, 0.0]);
    let (run, events) = compared!(
        Pulled,
        [m, k, mu, g],
        start,
        0.05,
        1.5,
        ContactLaws::default()
    );
    assert_eq!((events, run.modes()), (2, [RowMode::Forward].as_slice()));
    Ok(())
}

system! {
    /// A bead on a dome, and the ground.
    #[derivatives]
    struct Dome { m: Real = 2, r: Real = 1, e: Real = 0.3, mu: Real = 0.1, g: Real = 9.81 }
    particle bead: Point2 { mass: m }
    gravity [0, -g];
    constraint dome: norm(bead) >= r { friction: mu, slip: bead.y*velocity(bead).x - bead.x*velocity(bead).y };
    constraint ground: bead.y >= -1 { restitution: e };
}

/// It slides down a dome, leaves it, and meets the ground.
#[test]
fn through_release() -> Result<(), Error> {
    let (sin, cos) = 0.2_f64.sin_cos();
    let start = ([sin, cos], [cos, -sin]);
    let (run, events) = compared!(
        Dome,
        [m, r, e, mu, g],
        start,
        0.01,
        1.4,
        ContactLaws::default()
    );
    assert!(
        events >= 2 && run.modes()[0] == RowMode::Open,
        "{events} {:?}",
        run.modes()
    );
    Ok(())
}

system! {
    /// A double pendulum whose joints have stops.
    #[derivatives]
    struct Stops { m: Real = 1, l: Real = 0.7, e: Real = 0.6, g: Real = 9.81 }
    coordinate q[2];
    particle elbow = l*[sin(q[0]), -cos(q[0])] { mass: m }
    particle hand = elbow + l*[sin(q[0] + q[1]), -cos(q[0] + q[1])] { mass: 2*m }
    gravity [0, -g];
    constraint stop[i in 0..2]: q[i] <= 1 { restitution: e };
    constraint back[i in 0..2]: q[i] >= -1 { restitution: e };
}

#[test]
fn through_impacts_of_linked_bodies() -> Result<(), Error> {
    let start = ([0.3, -0.4], [2.0, 3.0]);
    let (_, events) = compared!(
        Stops,
        [m, l, e, g],
        start,
        0.01,
        1.25,
        ContactLaws::default()
    );
    assert!((2..=10).contains(&events), "{events}");
    Ok(())
}

system! {
    /// A bob on a rod between two rough walls: rows of both kinds.
    #[derivatives]
    struct Between { m: Real = 2, l: Real = 1.3, w: Real = 0.4, e: Real = 0.7, mu: Real = 0.2, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
    constraint left: bob.x >= -w { restitution: e };
    constraint right: bob.x <= w { restitution: e, friction: mu, slip: velocity(bob).y };
}

#[test]
fn through_impacts_of_a_bob_on_a_rod() -> Result<(), Error> {
    let start = ([0.0, -1.3], [2.0, 0.0]);
    let (_, events) = compared!(
        Between,
        [m, l, w, e, mu, g],
        start,
        0.01,
        1.3,
        ContactLaws::default()
    );
    assert!((2..=10).contains(&events), "{events}");
    Ok(())
}

system! {
    /// Balls in a row, each with its restitution.
    #[derivatives]
    struct Cradle { m: Real = 1, e: Real = 0.8, f: Real = 0.5 }
    coordinate x[3];
    kinetic m/2*velocity(x[0])^2 + m*velocity(x[1])^2 + 1.5*m*velocity(x[2])^2;
    constraint first: x[1] - x[0] >= 1 { restitution: e };
    constraint second: x[2] - x[1] >= 1 { restitution: f };
}

/// All at once, and one after the other.
#[test]
fn through_impacts_of_several_rows() -> Result<(), Error> {
    for impacts in [Impacts::Simultaneous, Impacts::InSequence] {
        for impact in [ImpactLaw::Moreau, ImpactLaw::Newton, ImpactLaw::Poisson] {
            let laws = ContactLaws {
                impact,
                impacts,
                ..ContactLaws::default()
            };
            let start = ([0.0, 2.0, 3.0], [1.0, 0.0, 0.0]);
            compared!(Cradle, [m, e, f], start, 0.1, 2.25, laws);
        }
    }
    Ok(())
}

system! {
    /// A bead on a rough wire, which presses upwards or downwards.
    #[derivatives]
    struct Wire { m: Real = 2, c: Real = 0.8, mu: Real = 0.15, g: Real = 9.81 }
    particle bead: Point2 { mass: m }
    gravity [0, -g];
    constraint wire: bead.y == sin(c*bead.x) { friction: mu, slip: velocity(bead).x + c*cos(c*bead.x)*velocity(bead).y };
}

/// Over a crest, where the wire pulls, and down.
#[test]
fn through_friction_on_a_wire() -> Result<(), Error> {
    let start = ([0.5, 0.4_f64.sin()], [4.0, 4.0 * 0.8 * 0.4_f64.cos()]);
    let (_, events) = compared!(
        Wire,
        [m, c, mu, g],
        start,
        0.01,
        3.0,
        ContactLaws::default()
    );
    assert!((1..=10).contains(&events), "{events}");
    Ok(())
}

system! {
    /// A wheel that a motor brings to its speed, until the load exceeds its torque.
    #[derivatives]
    struct Driven { j: Real = 0.3, speed: Real = 2, torque: Real = 3, k: Real = 3 }
    coordinate angle;
    kinetic j/2*velocity(angle)^2;
    force angle: -k*t;
    motor drive: velocity(angle) == speed { most: torque };
}

#[test]
fn through_a_motor_at_its_bound() -> Result<(), Error> {
    let start = ([0.1], [0.0]);
    let (_, events) = compared!(
        Driven,
        [j, speed, torque, k],
        start,
        0.05,
        1.5,
        ContactLaws::default()
    );
    assert_eq!(events, 2);
    Ok(())
}

/// `jvp` and `linearize` in a mode are central differences of v̇ and λ, to their order.
macro_rules! slopes_are_differences {
    ($run:expr, $n:literal) => {{
        let (run, h) = ($run, 1e-6);
        let (moving, State { q, v, .. }) = (run.in_mode(), *run.state());
        let (linear, multipliers) = moving.linearize_with_multipliers(0.0, &q, &v)?;
        for k in 0..2 * $n {
            let at = |h: f64| {
                let (mut q, mut v) = (q, v);
                if k < $n {
                    q[k] += h
                } else {
                    v[k - $n] += h
                }
                let motion = moving.acceleration(0.0, &q, &v)?;
                Ok::<_, Error>((motion, moving.multipliers(0.0, &q, &v)?))
            };
            let (after, before) = (at(h)?, at(-h)?);
            let by = (after.0 - before.0) / (2.0 * h);
            let own = linear.a.column(k);
            assert!(
                (own - by).norm() < 1e-7 * (1.0 + by.norm()),
                "{k}: {own} {by}"
            );
            let by = (after.1 - before.1) / (2.0 * h);
            let own = multipliers.a.column(k);
            assert!(
                (own - by).norm() < 1e-7 * (1.0 + by.norm()),
                "{k}: {own} {by}"
            );
            let mut along = Tangent::default();
            if k < $n {
                along.q[k] = 1.0
            } else {
                along.v[k - $n] = 1.0
            }
            let (motion, held) = moving.jvp(0.0, &q, &v, &along)?;
            assert!((motion - linear.a.column(k)).norm() < 1e-12 * (1.0 + motion.norm()));
            assert!((held - multipliers.a.column(k)).norm() < 1e-12 * (1.0 + held.norm()));
        }
    }};
}

#[test]
fn derivatives_in_a_mode() -> Result<(), Error> {
    let (sin, cos) = 0.2_f64.sin_cos();
    let start = State::new(0.0, [sin, cos], [cos, -sin]);
    let run = ContactSimulation::new(Dome::<f64>::default(), start, Rk4::new(0.01))?;
    assert_eq!(run.modes(), [RowMode::Forward, RowMode::Open]);
    slopes_are_differences!(run, 2);
    Ok(())
}

system! {
    /// A bob on a rod that is stated twice, once to the fourth power, next to a rough wall.
    #[derivatives]
    #[redundant(least_squares)]
    struct Twice { m: Real = 2, l: Real = 1.5, d: Real = 0.6, mu: Real = 0.2, e: Real = 0.4, g: Real = 9.81 }
    particle bob: Point3 { mass: m }
    constraint rod: norm(bob) == l;
    constraint again: norm_squared(bob)^2 == l^4;
    gravity [0, 0, -g];
    constraint wall: bob.x >= d*l { restitution: e, friction: mu, slip: velocity(bob).y };
}

/// It slides along the wall, on a circle of radius 0.8 l.
#[test]
fn derivatives_in_a_mode_beside_redundant_rows() -> Result<(), Error> {
    let twice = Twice::<f64>::default();
    let r = 0.8 * twice.l;
    let start = State::new(
        0.0,
        [0.6 * twice.l, r * 0.3_f64.sin(), -r * 0.3_f64.cos()],
        [0.0, 2.0 * 0.3_f64.cos(), 2.0 * 0.3_f64.sin()],
    );
    let run = ContactSimulation::new(twice, start, Rk4::new(0.01))?;
    assert_eq!(run.modes()[0], RowMode::Forward);
    slopes_are_differences!(run, 3);
    Ok(())
}

/// The reactions to a force on the wall share it by the lengths of the rows, which vary with the place.
#[test]
fn derivatives_of_reactions_of_redundant_rows() -> Result<(), Error> {
    let twice = Twice::<f64>::default();
    let q = Vector3::new(0.9, 0.4, -1.13);
    let force = [3.0, 0.5];
    let held = |q: &Vector3<f64>| -> Result<_, Error> {
        let reactions = twice.one_sided_reactions(0.0, q)?;
        Ok([0, 1].map(|i| reactions[(i, 0)] * force[0] + reactions[(i, 1)] * force[1]))
    };
    let h = 1e-6;
    for row in 0..2 {
        let mut weights = Vector2::zeros();
        weights[row] = 1.0;
        let found =
            twice.one_sided_responses_vjp(0.0, &q, &force.into(), &Vector3::zeros(), &weights)?;
        for k in 0..3 {
            let at = |h: f64| {
                let mut q = q;
                q[k] += h;
                held(&q)
            };
            let by = (at(h)?[row] - at(-h)?[row]) / (2.0 * h);
            assert!(
                (found.q[k] - by).abs() < 1e-8,
                "{row} {k}: {} {by}",
                found.q[k]
            );
        }
    }
    Ok(())
}

#[test]
fn through_impacts_beside_redundant_rows() -> Result<(), Error> {
    let start = (
        [1.5 * 0.8_f64.sin(), 0.0, -1.5 * 0.8_f64.cos()],
        [0.0, 0.5, 0.0],
    );
    let (_, events) = compared!(
        Twice,
        [m, l, d, mu, e, g],
        start,
        0.01,
        0.9,
        ContactLaws::default()
    );
    assert!((1..=10).contains(&events), "{events}");
    Ok(())
}

/// Steps that a method chooses, and implicit ones.
#[test]
fn through_impacts_by_other_methods() -> Result<(), Error> {
    let system = Ball::<f64>::default();
    let exact = |end: f64, method: Rk4<f64>| {
        let mut run =
            ContactSimulation::new(system, State::new(0.0, [0.0, 1.2], [1.0, 0.3]), method)?;
        gradient(&mut run, end)
    };
    let expected = exact(1.7, Rk4::new(0.07))?;
    let start = State::new(0.0, [0.0, 1.2], [1.0, 0.3]);
    let mut adaptive = ContactSimulation::new(system, start, DormandPrince::new(1e-9, 1e-9))?;
    let mut implicit = ContactSimulation::new(system, start, Radau5::new(1e-9, 1e-9))?;
    for found in [gradient(&mut adaptive, 1.7)?, gradient(&mut implicit, 1.7)?] {
        assert!((found.loss - expected.loss).abs() < 1e-9);
        assert!(
            (found.by.q - expected.by.q).norm() < 1e-7,
            "{:?} {:?}",
            found.by,
            expected.by
        );
        assert!((found.by.v - expected.by.v).norm() < 1e-7);
        assert!((found.by.p - expected.by.p).norm() < 1e-7);
    }
    Ok(())
}

fn gradient<I: Reversible<Scalar = f64>>(
    run: &mut ContactSimulation<f64, Ball<f64>, I>,
    end: f64,
) -> Result<Gradient<f64, 2, 0, 5>, Error> {
    run.gradient(&[end], |_, state, by| {
        by.q.x += 1.0;
        by.v.y += 1.0;
        state.q.x + state.v.y
    })
}

system! {
    /// A ball under a ceiling.
    #[derivatives]
    struct Under { m: Real = 1, g: Real = 10, e: Real = 0.5 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint ceiling: ball.y <= 5 { restitution: e };
}

/// With 10 m/s it rises to 5 m, where the ceiling is: no derivative exists there.
#[test]
fn grazing_is_refused() -> Result<(), Error> {
    let rising = |speed: f64| {
        let start = State::new(0.0, [0.0, 0.0], [1.0, speed]);
        ContactSimulation::new(Under::<f64>::default(), start, Rk4::new(0.03))
    };
    let loss = |_: usize, state: &State<_, _>, by: &mut Tangent<f64, 2, 0, 3>| {
        by.q.y += 1.0;
        let State { q, .. } = state;
        let q: &Vector2<f64> = q;
        q.y
    };
    for above in [-1e-15, 0.0, 1e-15, 1e-14] {
        let refused = rising(10.0 + above)?.gradient(&[1.5], loss).unwrap_err();
        let grazes = matches!(
            refused,
            Error::GrazingContact {
                constraint: "ceiling",
                ..
            }
        );
        assert!(grazes, "{above} {refused}");
    }
    rising(9.9)?.gradient(&[1.5], loss)?;
    rising(10.1)?.gradient(&[1.5], loss)?;
    Ok(())
}
