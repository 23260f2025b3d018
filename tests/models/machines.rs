//! Machines with splines and smooth functions: a cam, a valve train, a block on a belt.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

use crate::lagrange::{check_lagrange, scattered};

system! {
    /// A cam that a motor turns, whose follower rises by a monotone spline; the cam's profile is periodic.
    pub struct Cam { i: Real = 0.01, m: Real = 0.2, k: Real = 500, g: Real = 9.81 }

    input torque;
    coordinate angle, rise, table;
    fn profile(a) = periodic_spline(a, [0, 1, 2, 3, 4, 5, TAU], [0, 0.1, 0.3, 0.5, 0.3, 0.1, 0]);
    fn ramp(x) = monotone_spline(x, [0, 1, 2, 3], [0, 0.1, 0.9, 1]);
    kinetic i/2*velocity(angle)^2;
    particle follower = [0, rise] { mass: m }
    particle slider = [table, ramp(table)] { mass: m }
    constraint contact: rise == profile(angle);
    gravity [0, -g];
    potential k/2*rise^2 + k/2*(table - 1)^2;
    force angle: torque;
    output push = multiplier(contact);
}

system! {
    /// A valve train: four cams on one shaft lift valves against springs.
    pub struct Valves { m: Real = 0.1, k: Real = 20000, c: Real = 5, height: Real = 0.01, preload: Real = 0.02, speed: Real = 200 }
    const N = 4;

    fn lift(a) = height*periodic_spline(a, [0, PI/2, PI, 3*PI/2, TAU], [0, 0, 1, 0, 0]);
    coordinate valve[N];
    for i in 0..N {
        particle head[i] = [0, valve[i]] { mass: m }
        constraint contact[i]: valve[i] == lift(speed*t + i*PI/2);
        output push[i] = multiplier(contact[i]);
    }
    potential sum(i in 0..N: k/2*(valve[i] + preload)^2);
    dissipation sum(i in 0..N: c/2*velocity(valve[i])^2);
}

system! {
    /// A block on a belt with smooth friction, pressed by a soft stop.
    pub struct Block { m: Real = 1, k: Real = 100, mu: Real = 0.3, belt: Real = 0.5, soft: Real = 0.01, g: Real = 9.81 }

    coordinate x;
    particle block = [x, 0] { mass: m }
    let slip = velocity(x) - belt;
    force x: -mu*m*g*(2*logistic(slip/soft) - 1);
    potential k/2*x^2 + 1000*soft^2*softplus((x - 1)/soft);
    output heat = mu*m*g*slip*tanh(slip/soft);
}

#[test]
fn a_cam_pushes_what_it_lifts() {
    let cam = Cam::<f64>::default().with_inputs(CamInputs { torque: 0.3 });
    check_lagrange(&cam, |_, _| Vector3::new(0.3, 0.0, 0.0));
    let (q, v) = (scattered::<3>(2.0), scattered::<3>(3.0));
    let a = cam.acceleration(0.0, &q, &v).unwrap();
    let Cam { m, k, g, .. } = cam.system;
    let push = cam.outputs(0.0, &q, &v).unwrap().push;
    assert_relative_eq!(push, m * (a[1] + g) + k * q[1], max_relative = 1e-12);
}

#[test]
fn valves_follow_their_cams() {
    let valves = Valves {
        speed: 2.0,
        ..Default::default()
    };
    let c = valves.c;
    check_lagrange(&valves, |_, v| -v * c);
}

/// 2/(1 + e⁻ˣ) − 1 = tanh(x/2), and the slope of ln(1 + eˣ) is 1/(1 + e⁻ˣ), within the spring's energy.
#[test]
fn a_belt_pulls_a_block_smoothly() {
    let block = Block::<f64> {
        soft: 0.4,
        ..Default::default()
    };
    check_lagrange(&block, |_, v| {
        let Block {
            m,
            mu,
            belt,
            soft,
            g,
            ..
        } = block;
        [-mu * m * g * ((v[0] - belt) / soft / 2.0).tanh()].into()
    });
}
