//! Runs through events: closed forms of balls, differences of what is constrained.

use approx::assert_relative_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::{Reversible, prelude::*};

system! {
    #[derivatives]
    struct Ball { m: Real = 1, g: Real = 10, e: Real = 0.5, floor: Real = 0 }
    input push;
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    force ball: [push, 0];
}

type Slopes = Tangent<f64, 2, 1, 4>;

/// From the height y₀ at rest it meets the floor at √(2 y₀/g), and again after 2 e times as long each time.
/// Steps of both methods are exact.
#[test]
fn a_ball_that_bounces() -> Result<(), Error> {
    for h in [0.013, 0.3] {
        bounces(Rk4::new(h))?;
        bounces(Rattle::new(h))?;
    }
    Ok(())
}

fn bounces(method: impl Reversible<Scalar = f64>) -> Result<(), Error> {
    let ball = Ball::<f64>::default();
    let Ball { g, e, .. } = ball;
    let held = ball.with_inputs(BallInputs { push: 0.8 });
    let start = State::new(0.25, [0.0, 5.0], [1.0, 0.0]);
    let mut run = Simulation::new(held, start, method)?.on(
        Crossing::Falling,
        |state| state.q.y,
        |state| {
            state.v.y *= -e;
            Then::Continue
        },
    );
    // Bounces at 1.25, 2.25 and 2.75 s; asked in between, too.
    let times = [1.0, 2.0, 2.5, 2.9];
    let found = run.gradient_through(
        &times,
        |k, state, by| {
            if k != 3 {
                return 0.0;
            }
            by.q += Vector2::new(1.0, 1.0);
            state.q.x + state.q.y
        },
        |event, state, by: &mut Slopes| {
            assert!(event == 0 && state.q.y.abs() < 1e-12);
            by.q.y += 1.0;
            by.p[3] -= 1.0;
        },
        |_, before, bar| {
            bar.p[2] -= before.v.y * bar.v.y;
            bar.v.y *= -e;
        },
    )?;
    assert_eq!(found.arrival, Arrival::Time);
    // y = e³ g t₁ s − g s²/2 with t₁ = √(2 y₀/g) and s = T − t₁ (1 + 2 e + 2 e²).
    let run = 2.65_f64;
    let (first, s) = (1.0, run - 2.5);
    let kept = e * e * e;
    let rise = kept * g * first;
    assert_relative_eq!(
        found.loss,
        run + 0.4 * run * run + rise * s - g * s * s / 2.0,
        max_relative = 1e-12
    );
    let by_first = kept * g * s - (rise - g * s) * (1.0 + 2.0 * e + 2.0 * e * e);
    let by = found.by;
    assert_relative_eq!(
        by.q,
        Vector2::new(1.0, by_first * first / 10.0),
        max_relative = 1e-11
    );
    let by_g = kept * first * s - s * s / 2.0 - by_first * first / (2.0 * g);
    assert_relative_eq!(by.p[1], by_g, max_relative = 1e-11);
    let by_e = 3.0 * e * e * g * first * s - (rise - g * s) * first * (2.0 + 4.0 * e);
    assert_relative_eq!(by.p[2], by_e, max_relative = 1e-11);
    // A higher floor lifts what starts lower above it.
    assert_relative_eq!(by.p[3], 1.0 - by.q.y, max_relative = 1e-11);
    assert_relative_eq!(by.u[0], run * run / 2.0, max_relative = 1e-12);
    // Later by as much: everything is.
    assert_relative_eq!(
        by.t,
        -(1.0 + 0.8 * run) - (rise - g * s),
        max_relative = 1e-11
    );
    Ok(())
}

/// The time of the fall itself: a loss of the state where the run stops.
#[test]
fn a_run_that_an_event_stops() -> Result<(), Error> {
    let held = Ball::<f64>::default().with_inputs(BallInputs { push: 0.0 });
    let start = State::new(0.5, [0.0, 5.0], [0.0, 0.0]);
    let mut run =
        Simulation::new(held, start, Rk4::new(0.3))?.until(Crossing::Falling, |state| state.q.y);
    let mut asked = 0;
    let found = run.gradient_through(
        &[7.0, 8.0],
        |k, state, by: &mut Slopes| {
            assert_eq!(k, 0);
            asked += 1;
            by.t += 1.0;
            state.t
        },
        |_, _, by| by.q.y += 1.0,
        |_, _, _| unreachable!("nothing is changed"),
    )?;
    assert_eq!((found.arrival, asked), (Arrival::Event(0), 1));
    assert_relative_eq!(found.loss, 1.5, max_relative = 1e-14);
    // √(2 y/g): by the height 1/(g t), by g −t/(2 g), by v 1/g.
    assert_relative_eq!(found.by.q.y, 0.1, max_relative = 1e-12);
    assert_relative_eq!(found.by.p[1], -0.05, max_relative = 1e-12);
    assert_relative_eq!(found.by.v.y, 0.1, max_relative = 1e-12);
    assert_relative_eq!(found.by.t, 1.0, max_relative = 1e-12);
    Ok(())
}

/// Thrown up to where it turns.
#[test]
fn an_event_that_is_grazed() -> Result<(), Error> {
    let held = Ball::<f64>::default().with_inputs(BallInputs { push: 0.0 });
    let start = State::new(0.0, [0.0, 0.0], [0.0, 10.0]);
    let mut run = Simulation::new(held, start, Rk4::new(0.3))?
        .until(Crossing::Rising, |state| state.q.y - (5.0 - 1e-13));
    let refused = run.gradient_through(
        &[3.0],
        |_, state, by: &mut Slopes| {
            by.q.x += 1.0;
            state.q.x
        },
        |_, _, by| by.q.y += 1.0,
        |_, _, _| (),
    );
    assert!(
        matches!(
            refused,
            Err(Error::GrazingEvent {
                event: 0,
                time: Some(_)
            })
        ),
        "{refused:?}"
    );
    let message = refused.unwrap_err().to_string();
    assert!(
        message.starts_with("the run has no gradient: event 0 grazes zero at t = 0.99999"),
        "{message}"
    );
    Ok(())
}

system! {
    /// Two bobs on rods beside a wall, which the lower one bounces off.
    #[derivatives]
    struct Double { m: Real, l: Real, lower: Real, g: Real, e: Real, wall: Real }
    particle upper: Point2 { mass: m }
    particle bob: Point2 { mass: 1 }
    constraint rod: norm(upper) == l;
    constraint second: norm(bob - upper) == lower;
    gravity [0, -g];
}

fn double(p: SVector<f64, 6>) -> Double {
    Double {
        m: p[0],
        l: p[1],
        lower: p[2],
        g: p[3],
        e: p[4],
        wall: p[5],
    }
}

/// Of what is projected, before and after the bounce.
fn bounced<I>(
    p: SVector<f64, 6>,
    v: SVector<f64, 4>,
    method: I,
) -> Result<Gradient<f64, 4, 0, 6>, Error>
where
    I: Reversible<Scalar = f64>,
{
    let (e, wall) = (p[4], p[5]);
    let on = double([1.3, 1.0, 1.25, 9.81, 0.7, 0.2].into());
    let start = make_consistent(&on, State::new(0.0, [0.6, -0.8, 1.35, -1.8], [0.0; 4]))?;
    let start = make_consistent(&double(p), State { v, ..start })?;
    let mut run = Simulation::new(double(p), start, method)?.on(
        Crossing::Falling,
        |state| state.q[2] - wall,
        |state| {
            state.v[2] *= -e;
            Then::Continue
        },
    );
    run.gradient_through(
        &[0.8, 1.1],
        |_, state, by| {
            by.q[0] += 1.0;
            by.v[3] += 2.0 * state.v[3];
            state.q[0] + state.v[3] * state.v[3]
        },
        |_, _, by| {
            by.q[2] += 1.0;
            by.p[5] -= 1.0;
        },
        |_, before, bar| {
            bar.p[4] -= before.v[2] * bar.v[2];
            bar.v[2] *= -e;
        },
    )
}

fn against_differences<I>(method: impl Fn() -> I, tolerance: f64) -> Result<(), Error>
where
    I: Reversible<Scalar = f64>,
{
    let p = SVector::from([1.3, 1.0, 1.25, 9.81, 0.7, 0.2]);
    let v = SVector::zeros();
    let by = bounced(p, v, method())?.by;
    let d = 2e-4;
    let slope = |moved: &dyn Fn(f64) -> Result<f64, Error>| {
        let [far, near] = [2.0 * d, d].map(|d| Ok::<f64, Error>(moved(d)? - moved(-d)?));
        Ok::<f64, Error>((8.0 * near? - far?) / (12.0 * d))
    };
    for i in 0..6 {
        let expected = slope(&|by| {
            let mut p = p;
            p[i] += by;
            bounced(p, v, method()).map(|found| found.loss)
        })?;
        assert!(
            (by.p[i] - expected).abs() < tolerance * by.p.amax(),
            "p {i}: {} {expected}",
            by.p[i]
        );
    }
    for i in 0..4 {
        let expected = slope(&|by| {
            let mut v = v;
            v[i] += by;
            bounced(p, v, method()).map(|found| found.loss)
        })?;
        assert!(
            (by.v[i] - expected).abs() < tolerance * by.v.amax(),
            "v {i}: {} {expected}",
            by.v[i]
        );
    }
    Ok(())
}

#[test]
fn a_bounce_of_what_is_constrained() -> Result<(), Error> {
    against_differences(|| Rk4::new(2e-3), 1e-7)?;
    against_differences(|| DormandPrince::new(1e-12, 1e-12), 1e-7)
}
