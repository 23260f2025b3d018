//! Systems of bodies of the plane against closed forms: pendulums, a loop, gears, wheels that roll.

use std::f64::consts::FRAC_PI_2;

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

/// K(m) by the arithmetic-geometric mean.
fn elliptic(m: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, (1.0 - m).sqrt());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / a
}

/// T = 4 K(sin²(θ₀/2)) √(I/(m g d)) of θ̈ = −(m g d/I) sin θ.
fn period(amplitude: f64, stiffness: f64) -> f64 {
    4.0 * elliptic((amplitude / 2.0).sin().powi(2)) / stiffness.sqrt()
}

/// The mean period between the first and the last passage of a function that falls through zero.
fn measured<S, const Q: usize, const V: usize>(
    system: S,
    start: State<SVector<f64, Q>, SVector<f64, V>>,
    function: impl Fn(&State<SVector<f64, Q>, SVector<f64, V>>) -> f64,
    end: f64,
) -> Result<f64, Error>
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
{
    let mut passages = vec![];
    Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12))?
        .on(Crossing::Falling, function, |state| {
            passages.push(state.t);
            Then::Continue
        })
        .run_until(end)?;
    let count = passages.len() - 1;
    Ok((passages[count] - passages[0]) / count as f64)
}

system! {
    /// A rod that hangs from one end.
    pub struct Pendulum { m: Real = 2, l: Real = 1.5, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
    constraint pin: at(rod, [0, l/2]) == [0, 0];
    potential m*g*at(rod, [0, 0]).y;
}

/// I = m l²/3 about the pin, d = l/2: even at 170° to either side the period is the elliptic integral's.
#[test]
fn a_physical_pendulum_swings_with_the_elliptic_period() -> Result<(), Error> {
    let system = Pendulum::<f64>::default();
    for amplitude in [0.1, 2.0, 170.0_f64.to_radians()] {
        let rod = Rigid2::rotation(amplitude);
        let center = rod * Point2::new(0.0, -0.5 * system.l);
        let rod = Rigid2::new(center.coords, amplitude);
        let start = State::new(
            0.0,
            PendulumCoordinates { rod },
            PendulumVelocities::default(),
        );
        let expected = period(amplitude, 1.5 * system.g / system.l);
        let sine = |state: &State<SVector<f64, 4>, SVector<f64, 3>>| state.q[3];
        let found = measured(system, start, sine, 4.5 * expected)?;
        assert_relative_eq!(found, expected, max_relative = 1e-9);
    }
    Ok(())
}

system! {
    /// A parallelogram of two cranks and a coupler, eight rows for nine velocities.
    pub struct Parallelogram { m: Real = 1, a: Real = 0.8, coupler: Real = 3, l: Real = 2, g: Real = 9.81 }
    body left: Rigid2 { mass: m, inertia: m*a^2/12 }
    body right: Rigid2 { mass: m, inertia: m*a^2/12 }
    body bar: Rigid2 { mass: coupler, inertia: coupler*l^2/12 }
    constraint left_pivot: at(left, [0, a/2]) == [0, 0];
    constraint right_pivot: at(right, [0, a/2]) == [l, 0];
    constraint left_pin: at(left, [0, -a/2]) == at(bar, [-l/2, 0]);
    constraint right_pin: at(right, [0, -a/2]) == at(bar, [l/2, 0]);
    potential g*(m*at(left, [0, 0]).y + m*at(right, [0, 0]).y + coupler*at(bar, [0, 0]).y);
}

/// The coupler does not turn: I = 2 m a²/3 + M a² and the weights' levers m a + M a.
#[test]
fn a_loop_of_revolutes_swings_as_one_pendulum() -> Result<(), Error> {
    let system = Parallelogram::<f64>::default();
    let Parallelogram {
        m,
        a,
        coupler,
        l,
        g,
    } = system;
    let amplitude = 1.0;
    let down = Rigid2::rotation(amplitude) * Vector2::new(0.0, -a);
    let q = ParallelogramCoordinates {
        left: Rigid2::new(down * 0.5, amplitude),
        right: Rigid2::new(down * 0.5 + Vector2::x() * l, amplitude),
        bar: Rigid2::new(down + Vector2::x() * (0.5 * l), 0.0),
    };
    let start = State::new(0.0, q, ParallelogramVelocities::default());
    let stiffness = (m + coupler) * a * g / (a * a * (2.0 * m / 3.0 + coupler));
    let expected = period(amplitude, stiffness);
    let sine = |state: &State<SVector<f64, 12>, SVector<f64, 9>>| state.q[3];
    let found = measured(system, start, sine, 4.5 * expected)?;
    assert_relative_eq!(found, expected, max_relative = 1e-9);
    Ok(())
}

system! {
    /// Two wheels in mesh, on axles; one is turned.
    pub struct Gears { r1: Real = 0.2, r2: Real = 0.5, i1: Real = 0.03, i2: Real = 0.4, push: Real = 7 }
    body pinion: Rigid2 { mass: 1, inertia: i1 }
    body wheel: Rigid2 { mass: 2, inertia: i2 }
    constraint axle: at(pinion, [0, 0]) == [0, 0];
    constraint far_axle: at(wheel, [0, 0]) == [r1 + r2, 0];
    constraint mesh: r1*angular_velocity(pinion) + r2*angular_velocity(wheel) == 0;
    torque pinion: push;
}

/// α₁ = τ/(I₁ + I₂ (r₁/r₂)²), and the teeth press with I₂ α₂/r₂.
#[test]
fn gears_in_mesh_share_a_torque() -> Result<(), Error> {
    let system = Gears::<f64>::default();
    let Gears {
        r1,
        r2,
        i1,
        i2,
        push,
    } = system;
    let q = GearsCoordinates {
        pinion: Rigid2::identity(),
        wheel: Rigid2::translation(r1 + r2, 0.0),
    };
    let first = push / (i1 + i2 * (r1 / r2).powi(2));
    let second = -first * r1 / r2;
    let (flat, still) = (q.into(), SVector::zeros());
    let found = GearsVelocities::from(system.acceleration(0.0, &flat, &still)?);
    assert_relative_eq!(found.pinion.angular, first, max_relative = 1e-14);
    assert_relative_eq!(found.wheel.angular, second, max_relative = 1e-14);
    let mesh = system.multipliers(0.0, &flat, &still)?[4];
    assert_relative_eq!(mesh, i2 * second / r2, max_relative = 1e-14);

    let start = State::new(0.0, q, GearsVelocities::default());
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12))?;
    run.run_until(1.0)?;
    let turned = run.coordinates().wheel.rotation.angle();
    let expected = Rigid2::<f64>::rotation(0.5 * second).rotation.angle();
    assert_relative_eq!(turned, expected, epsilon = 1e-10);
    Ok(())
}

system! {
    /// A wheel on a slope.
    pub struct Wheel { m: Real = 3, inertia: Real = 0.2, r: Real = 0.4, slope: Real = 0.3, g: Real = 9.81 }
    body wheel: Rigid2 { mass: m, inertia: inertia }
    let down = [cos(slope), -sin(slope)];
    constraint contact: dot(perp(down), at(wheel, [0, 0])) == r;
    constraint rolling: dot(down, velocity(at(wheel, [0, 0]))) + r*angular_velocity(wheel) == 0;
    potential m*g*at(wheel, [0, 0]).y;
}

/// v̇ = g sin β/(1 + I/(m r²)); the slope presses with m g cos β and rubs with m (v̇ − g sin β).
#[test]
fn a_wheel_rolls_down_a_slope() -> Result<(), Error> {
    let system = Wheel::<f64>::default();
    let Wheel {
        m,
        inertia,
        r,
        slope,
        g,
    } = system;
    let (sin, cos) = slope.sin_cos();
    let start = WheelCoordinates {
        wheel: Rigid2::translation(r * sin, r * cos),
    };
    let start = State::new(0.0, start, WheelVelocities::default());
    let expected = g * sin / (1.0 + inertia / (m * r * r));
    let mut run = Simulation::new(system, start, Rk4::new(1e-2))?;
    let lambda = run.multipliers()?;
    assert_relative_eq!(lambda[0], m * g * cos, max_relative = 1e-13);
    assert_relative_eq!(lambda[1], m * (expected - g * sin), max_relative = 1e-13);
    run.run_until(2.0)?;
    let place = run.coordinates().wheel.translation;
    let way = Vector2::new(place.x - r * sin, place.y - r * cos);
    assert_relative_eq!(
        way,
        Vector2::new(cos, -sin) * (2.0 * expected),
        epsilon = 1e-11
    );
    Ok(())
}

system! {
    /// A drum that rolls on a plank, which slides on a smooth floor and is pulled.
    pub struct Drum { m: Real = 2, plank_mass: Real = 5, r: Real = 0.3, pull: Real = 11 }
    body plank: Rigid2 { mass: plank_mass, inertia: 1 }
    body drum: Rigid2 { mass: m, inertia: m*r^2/2 }
    constraint floor: [at(plank, [0, 0]).y, dir(plank, [1, 0]).y];
    constraint contact: at(drum, [0, 0]).y == r;
    let below = at(drum, [0, 0]) - [0, r];
    let slip = velocity(at(drum, [0, 0])) - angular_velocity(drum)*perp([0, r])
        - velocity(at(plank, [0, 0])) - angular_velocity(plank)*perp(below - at(plank, [0, 0]));
    constraint rolling: slip.x;
    force plank: [pull, 0];
}

/// The drum follows with a third of the plank's acceleration, F/(M + m/3).
#[test]
fn a_drum_on_a_pulled_plank_follows_by_a_third() -> Result<(), Error> {
    let system = Drum::<f64>::default();
    let Drum {
        m,
        plank_mass,
        r,
        pull,
    } = system;
    let q = DrumCoordinates {
        plank: Rigid2::identity(),
        drum: Rigid2::translation(0.0, r),
    };
    let start = State::new(0.0, q, DrumVelocities::default());
    let expected = pull / (plank_mass + m / 3.0);
    let mut run = Simulation::new(system, start, Rk4::new(1e-2))?;
    run.run_until(1.0)?;
    let (q, v) = (run.coordinates(), run.velocities());
    assert_relative_eq!(q.plank.translation.x, 0.5 * expected, max_relative = 1e-12);
    assert_relative_eq!(q.drum.translation.x, expected / 6.0, max_relative = 1e-12);
    assert_relative_eq!(
        v.drum.angular,
        expected * 2.0 / 3.0 / r,
        max_relative = 1e-12
    );
    assert!(run.drift() < 1e-14);
    Ok(())
}

system! {
    /// A plank that turns on a pivot with a bead on a spoke of it, and a pendulum hung from its end.
    pub struct Mixed { m: Real = 1, inertia: Real = 0.5, bead: Real = 0.3, bob: Real = 0.7, l: Real = 0.6 }
    body plank: Rigid2 { mass: m, inertia: inertia }
    particle rider = at(plank, [0.4, 0.1]) { mass: bead }
    particle hung: Point2 { mass: bob }
    constraint rope: norm(hung - at(plank, [1, 0])) == l;
}

/// Nothing pushes them: momentum, angular momentum and energy stay, while the rope turns.
#[test]
fn particles_on_and_off_a_body_keep_its_momenta() -> Result<(), Error> {
    let system = Mixed::<f64>::default();
    let q = MixedCoordinates {
        plank: Rigid2::identity(),
        hung: Point2::new(1.0, -0.6),
    };
    let v = MixedVelocities {
        plank: Twist2 {
            linear: Vector2::new(0.3, -0.2),
            angular: 1.5,
        },
        hung: Vector2::new(2.0, 1.3),
    };
    let start = State::new(0.0, q, v);
    let mut run = Simulation::new(system, start, DormandPrince::new(1e-12, 1e-12))?;
    let momenta = |state: &State<SVector<f64, 6>, SVector<f64, 5>>| {
        let (q, v) = (
            MixedCoordinates::from(state.q),
            MixedVelocities::from(state.v),
        );
        let arm = q.plank.rotation * Vector2::new(0.4, 0.1);
        let rider = v.plank.linear + Vector2::new(-arm.y, arm.x) * v.plank.angular;
        let parts = [
            (system.m, q.plank.translation.vector, v.plank.linear),
            (system.bead, q.plank.translation.vector + arm, rider),
            (system.bob, q.hung.coords, v.hung),
        ];
        let linear = parts.iter().map(|(m, _, v)| v * *m).sum::<Vector2<f64>>();
        let orbital: f64 = parts.iter().map(|(m, x, v)| m * x.perp(v)).sum();
        Vector3::new(
            linear.x,
            linear.y,
            orbital + system.inertia * v.plank.angular,
        )
    };
    let (before, energy) = (momenta(run.state()), run.energy());
    run.run_until(10.0)?;
    assert_relative_eq!(momenta(run.state()), before, epsilon = 1e-10);
    assert_relative_eq!(run.energy(), energy, max_relative = 1e-10);
    assert!(run.drift() < 1e-13);
    Ok(())
}
