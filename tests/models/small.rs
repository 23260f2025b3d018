//! What a microcontroller computes a thousand times a second, in single precision.

use approx::assert_abs_diff_eq;
use constraint_runtime::prelude::*;

use crate::lagrange::check_lagrange;

system! {
    /// A robot that balances on two wheels.
    pub struct Balancer { m: Real = 0.8, wheels: Real = 0.1, r: Real = 0.04, l: Real = 0.08, i: Real = 0.002, g: Real = 9.81 }

    input motor;
    coordinate x, tilt;
    particle axle = [x, r] { mass: wheels }
    body trunk: Rigid2 = pose([x, r] + l*[sin(tilt), cos(tilt)], -tilt) { mass: m, inertia: i }
    gravity [0, -g];
    force x: motor/r;
    force tilt: -motor;
    output speed = velocity(x);
    output head = at(trunk, [0, l]);
}

#[test]
fn its_motor_pushes_wheels_and_trunk() {
    let motor = 0.03;
    let robot = Balancer::<f64>::default().with_inputs(BalancerInputs { motor });
    check_lagrange(&robot, |_, _| [motor / 0.04, -motor].into());
}

/// Feedback by hand: the tilt is driven to zero, and then the speed. In `f32` as in `f64`, but for rounding.
#[test]
fn it_balances_in_single_precision() -> Result<(), Error> {
    let robot = Balancer::<f32>::default();
    let held = robot.controlled_by(|_, q, v| BalancerInputs {
        motor: 1.2 * q.tilt + 0.12 * v.tilt + 0.01 * v.x,
    });
    let start = BalancerCoordinates { x: 0.0, tilt: 0.1 };
    let start = State::new(0.0, start, BalancerVelocities::default());
    let mut run = Simulation::new(held, start, Rk4::new(1e-3))?;
    run.run_until(2.0)?;
    assert_abs_diff_eq!(run.coordinates().tilt, 0.0, epsilon = 0.05);
    let wide = Balancer::<f64>::default().with_inputs(BalancerInputs { motor: 0.2 });
    let driven = robot.with_inputs(BalancerInputs { motor: 0.2 });
    let a = driven.acceleration(0.0, &[0.1, 0.3].into(), &[0.5, -1.0].into())?;
    let b = wide.acceleration(0.0, &[0.1, 0.3].into(), &[0.5, -1.0].into())?;
    for (a, b) in a.iter().zip(b.iter()) {
        assert_abs_diff_eq!(f64::from(*a), *b, epsilon = 1e-5 * b.abs());
    }
    Ok(())
}
