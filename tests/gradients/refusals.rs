//! What has no gradient says why, and keeps its last good state.

use constraint_runtime::make_consistent;
use constraint_runtime::{Obstacle, Quantity, prelude::*};

use super::models::{Cart, CartInputs, cart};

system! {
    #[derivatives]
    struct Rocker { m: Real = 2 }
    body rocker: Rigid2 { mass: m, inertia: 0.3 }
    constraint pin: at(rocker, [0, 0.5]) == [0, 0];
}

type Run = Simulation<super::models::CartWithInputs<f64>, Rk4>;

fn run() -> Result<Run, Error> {
    let system = cart([1.0, 0.2, 0.5, 9.81, 0.3].into(), [0.0].into());
    Simulation::new(
        system,
        State::new(0.0, [0.0, 3.0], [0.0, 0.4]),
        Rk4::new(0.01),
    )
}

#[test]
fn a_loss_at_no_time() -> Result<(), Error> {
    let refused = run()?.gradient(&[], |_, _, _| 0.0);
    let obstacle = Obstacle::NoTimes;
    assert_eq!(refused, Err(Error::NoGradient { obstacle }));
    let message = refused.unwrap_err().to_string();
    assert_eq!(
        message,
        "the run has no gradient: no times are given: pass at least one"
    );
    Ok(())
}

#[test]
fn times_that_are_not_in_order() -> Result<(), Error> {
    let mut run = run()?;
    let refused = run.gradient(&[0.3, 0.2], |_, _, _| 0.0);
    let expected = Error::InvalidTime {
        target: 0.2,
        time: 0.3,
    };
    assert_eq!(refused, Err(expected));
    assert_eq!(run.state().t, 0.3);
    assert!(run.gradient(&[f64::NAN], |_, _, _| 0.0).is_err());
    assert_eq!(run.state().t, 0.3);
    Ok(())
}

#[test]
fn losses_and_slopes_that_are_no_numbers() -> Result<(), Error> {
    let mut run = run()?;
    let refused = run.gradient(&[0.1, 0.2], |k, _, _| if k == 0 { f64::NAN } else { 1.0 });
    let Err(Error::NonFinite {
        quantity: Quantity::Loss,
        index: 0,
        time: Some(0.1),
        ..
    }) = refused
    else {
        panic!("{refused:?}")
    };
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .starts_with("loss 0 is NaN at t = 0.1")
    );
    assert_eq!(run.state().t, 0.2);
    let refused = run.gradient(&[0.3], |_, _, by| {
        by.q[1] = f64::INFINITY;
        0.0
    });
    let gradient = Quantity::Gradient;
    assert!(matches!(refused, Err(Error::NonFinite { quantity, .. }) if quantity == gradient));
    Ok(())
}

/// What follows a law varies with the state.
#[test]
fn inputs_by_a_law() -> Result<(), Error> {
    let cart: Cart<f64> = cart([1.0, 0.2, 0.5, 9.81, 0.3].into(), [0.0].into()).system;
    let driven = cart.controlled_by(|_, q, _| CartInputs { push: -q.x });
    let start = State::new(0.0, [0.0, 3.0], [0.0, 0.4]);
    let mut run = Simulation::new(driven, start, Rk4::new(0.01))?;
    let refused = run.gradient(&[1.0], |_, _, _| 0.0);
    let obstacle = Obstacle::InputsByLaw;
    assert_eq!(refused, Err(Error::NoGradient { obstacle }));
    assert_eq!(run.state().t, 0.0);
    Ok(())
}

#[test]
fn bodies_that_turn() -> Result<(), Error> {
    let start = State::new(0.0, [0.0, -0.5, 1.0, 0.0], [0.0; 3]);
    let mut run = Simulation::new(Rocker::default(), start, Rk4::new(0.01))?;
    let refused = run.gradient(&[1.0], |_, _, _| 0.0);
    let obstacle = Obstacle::Rotations;
    assert_eq!(refused, Err(Error::NoGradient { obstacle }));
    Ok(())
}

system! {
    /// A blade that glides where it points, and draws a bob.
    #[derivatives]
    struct Tied { m: Real = 1, i: Real = 0.5, l: Real = 2 }
    coordinate x, y, phi;
    kinetic m/2*(velocity(x)^2 + velocity(y)^2) + i/2*velocity(phi)^2;
    constraint blade: velocity(y)*cos(phi) - velocity(x)*sin(phi) == 0;
    particle bob: Point2 { mass: m }
    constraint rope: norm(bob - [x, y]) == l;
}

/// Of rows on velocities alone beside others, what Rattle's first kick does varies otherwise than what is generated.
#[test]
fn rattle_under_rows_of_both_kinds() -> Result<(), Error> {
    let blade = Tied::default();
    let place = TiedCoordinates {
        bob: Point2::new(0.0, 2.0),
        phi: 0.1,
        ..TiedCoordinates::default()
    };
    let speed = TiedVelocities {
        x: 0.7,
        phi: 0.5,
        bob: Vector2::new(-0.4, 0.0),
        ..TiedVelocities::default()
    };
    let start = make_consistent(&blade, State::new(0.0, place, speed))?;
    let mut run = Simulation::new(blade, start, Rattle::new(0.01))?;
    let refused = run.gradient(&[0.1], |_, state, by| {
        by.q[3] += 1.0;
        state.q[3]
    });
    let obstacle = Obstacle::RowsOfBothKinds;
    assert_eq!(refused, Err(Error::NoGradient { obstacle }));
    Ok(())
}
