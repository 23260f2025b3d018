//! Laws of forces from the library: `Contact` and `Friction`, against closed forms; forces along velocities.

use constraint_runtime::prelude::*;
use num_dual::Dual64;

system! {
    /// A mass that flies against a buffer.
    pub struct Buffer { m: Real = 0.7, k: Real = 3e4, n: Real = 1.7, d: Real = 0.4 }
    coordinate x;
    kinetic m/2*velocity(x)^2;
    wall: Contact { gap: x, stiffness: k, exponent: n, dissipation: d }
    output push = wall.push;
}

/// m u̇ = -k δⁿ (1 + a u) with a = 3/2 d and u = δ̇, so ∫ u/(1 + a u) du vanishes from the first touch to the last,
/// whatever k, n and m are: a u - ln(1 + a u) is the same before and after.
#[test]
fn an_impact_loses_what_hunt_and_crossley_say() -> Result<(), Error> {
    for (m, k, n) in [(0.7, 3e4, 1.7), (2.0, 1e5, 1.5), (1.0, 500.0, 1.0)] {
        let (buffer, speed) = (Buffer { m, k, n, d: 0.4 }, 1.3);
        let start = State::new(0.0, [0.01], [-speed]);
        let mut run = Simulation::new(buffer, start, DormandPrince::new(1e-13, 1e-13))?.on(
            Crossing::Rising,
            |state| state.q[0],
            |_| Then::Stop,
        );
        run.run_until(1.0)?;
        let (a, rebound) = (0.6, run.state().v[0]);
        let constant = |u: f64| a * u - (a * u).ln_1p();
        assert!(rebound > 0.0 && rebound < speed);
        assert!(
            (constant(speed) - constant(-rebound)).abs() < 1e-9,
            "{rebound}"
        );
    }
    Ok(())
}

#[test]
fn a_contact_only_pushes() -> Result<(), Error> {
    let buffer = Buffer::<f64>::default();
    let push = |x: f64, v: f64| -> Result<f64, Error> {
        Ok(buffer.outputs(0.0, &[x].into(), &[v].into())?.push)
    };
    assert_eq!([push(0.0, -1.0)?, push(1e-3, -1.0)?], [0.0; 2]);
    let static_push = 3e4 * 1e-2_f64.powf(1.7);
    assert!((push(-1e-2, 0.0)? - static_push).abs() < 1e-12 * static_push);
    assert!((push(-1e-2, -1.0)? - 1.6 * static_push).abs() < 1e-11);
    // Withdrawn faster than 1/a = 1/0.6, it does not pull.
    assert_eq!(push(-1e-2, 2.0)?, 0.0);
    Ok(())
}

system! {
    /// A block on an incline, down which x grows; its friction, and one that forgets that slow slip holds better.
    pub struct Incline { g: Real = 9.81, slope: Real = 0.3, mu: Real = 0.5, mu_s: Real = 0.5, c: Real = 0 }
    coordinate x;
    kinetic velocity(x)^2/2;
    potential -g*sin(slope)*x;
    let load = g*cos(slope);
    skid: Friction {
        slip: velocity(x), coulomb: mu*load, slip_rate: 1e-3, breakaway: mu_s*load, stribeck_rate: 0.1, viscous: c,
    }
}

/// Where tan(slope) < μ it creeps at v with g sin = μ g cos v/√(v² + v₀²).
#[test]
fn a_block_holds_where_the_slope_is_less_than_mu() -> Result<(), Error> {
    let incline = Incline::<f64>::default();
    let share = incline.slope.tan() / incline.mu;
    let creep = 1e-3 * share / (1.0 - share * share).sqrt();
    let rate = incline.acceleration(0.0, &[0.0].into(), &[creep].into())?[0];
    assert!(rate.abs() < 1e-13, "{rate}");
    let steep = Incline {
        slope: 0.6,
        ..incline
    };
    let fast = 50.0;
    let rate = steep.acceleration(0.0, &[0.0].into(), &[fast].into())?[0];
    let coulomb = 9.81 * (0.6_f64.sin() - 0.5 * 0.6_f64.cos());
    assert!((rate - coulomb).abs() < 1e-8, "{rate}"); // (v₀/v)²/2 = 2e-10 of μ g cos is left
    Ok(())
}

/// F(v) = -(F_c + (F_s - F_c) e^{-(v/v_s)²}) v/√(v² + v₀²) - c v, as in Armstrong-Hélouvry, Dupont and Canudas de Wit 1994.
#[test]
fn friction_falls_from_breakaway_to_coulomb() -> Result<(), Error> {
    let incline = Incline {
        slope: 0.0,
        mu_s: 0.8,
        c: 0.2,
        ..Incline::<f64>::default()
    };
    for v in [-0.3_f64, -0.01, 0.002, 0.1, 4.0] {
        let rate = incline.acceleration(0.0, &[0.0].into(), &[v].into())?[0];
        let level = 0.5 + 0.3 * (-(v * v) / 0.01).exp();
        let expected = -9.81 * level * v / v.hypot(1e-3) - 0.2 * v;
        assert!((rate - expected).abs() < 1e-12, "{rate} {expected}");
    }
    Ok(())
}

system! {
    /// A ball on a table that begins to roll.
    pub struct Billiard { m: Real = 0.17, r: Real = 0.028, mu: Real = 0.2, g: Real = 9.81 }
    body ball: Rigid2 { mass: m, inertia: 2/5*m*r^2 }
    table: Friction {
        slip: velocity(at(ball, [0, 0])).x + r*angular_velocity(ball), coulomb: mu*m*g, slip_rate: 1e-3,
    }
}

/// Friction keeps the angular momentum about the table: whatever the law, a ball ends with 5/7 of its speed.
#[test]
fn a_ball_that_slides_ends_rolling_at_five_sevenths() -> Result<(), Error> {
    let start = State::new(0.0, [0.0, 0.028, 1.0, 0.0], [1.4, 0.0, 0.0]);
    let run = Simulation::new(Billiard::default(), start, DormandPrince::new(1e-11, 1e-11));
    let mut run = run?;
    run.run_until(1.0)?;
    let [v, up, spin]: [f64; 3] = run.state().v.into();
    assert!((v - 1.0).abs() < 1e-9 && up == 0.0, "{v}");
    assert!((v + 0.028 * spin).abs() < 1e-9);
    Ok(())
}

system! {
    /// Blocks on planes through which they may slide in any direction, and one on a line.
    pub struct Blocks { f: Real, v0: Real, f_s: Real, v_s: Real, c: Real }
    particle flat: Point2 { mass: 1 }
    particle deep: Point3 { mass: 1 }
    coordinate line;
    kinetic velocity(line)^2/2;
    of_flat: Friction2 { slip: velocity(flat), coulomb: f, slip_rate: v0, breakaway: f_s, stribeck_rate: v_s, viscous: c }
    of_deep: Friction3 { slip: velocity(deep), coulomb: f, slip_rate: v0, breakaway: f_s, stribeck_rate: v_s, viscous: c }
    of_line: Friction { slip: velocity(line), coulomb: f, slip_rate: v0, breakaway: f_s, stribeck_rate: v_s, viscous: c }
}

#[test]
fn friction_of_a_vector_is_that_of_its_length_against_it() -> Result<(), Error> {
    let blocks = Blocks {
        f: 2.0,
        v0: 0.1,
        f_s: 3.0,
        v_s: 0.4,
        c: 0.3,
    };
    let v: SVector<f64, 6> = SVector::from([0.2, -0.15, 0.15, 0.2, 0.0, -0.25]);
    let a = blocks.acceleration(0.0, &SVector::zeros(), &v)?;
    let along = a[5] / v[5];
    for i in 0..5 {
        assert!((a[i] - along * v[i]).abs() < 1e-14, "{a}");
    }
    Ok(())
}

system! {
    /// Forces along velocities, and those that they equal.
    pub struct Twice { f: Vector2, tau: Real, r: Real = 0.4 }
    body one, other: Rigid2 { mass: 2, inertia: 3 }
    let rim = at(one, [0, 1]);
    force velocity(rim): f;
    force at(other, [0, 1]): f;
    force angular_velocity(one): tau;
    torque other: tau;
    force r*angular_velocity(one) - velocity(at(other, [0, 0])).x: tau;
}

#[test]
fn a_force_along_a_velocity_is_one_on_its_place() -> Result<(), Error> {
    let (f, tau) = (Vector2::new(0.3, -1.1), 0.7);
    let twice = Twice { f, tau, r: 0.4 };
    let q = SVector::from([0.1, 0.2, 0.6, 0.8, -0.3, 0.5, 0.6, 0.8]);
    let a: SVector<f64, 6> =
        twice.acceleration(0.0, &q, &SVector::from([1.0, 2.0, 3.0, 1.0, 2.0, 3.0]))?;
    let last = [0.0, 0.0, 0.4 * tau / 3.0, -tau / 2.0, 0.0, 0.0];
    for i in 0..3 {
        let [one, other] = [a[i] - last[i], a[3 + i] - last[3 + i]];
        assert!((one - other).abs() < 1e-15, "{a}");
    }
    Ok(())
}

system! {
    /// Two balls of a wheel on a floor with friction.
    #[derivatives]
    struct Foot { m: Real, k: Real, n: Real, d: Real, mu: Real, mu_s: Real, g: Real }
    body foot: Rigid2 { mass: m, inertia: m/3 }
    gravity [0, -g];
    for i in 0..2 {
        let toe = at(foot, [i - 1/2, -1]);
        floor[i]: Contact { gap: toe.y, stiffness: k, exponent: n, dissipation: d }
        skid[i]: Friction {
            slip: velocity(toe).x, coulomb: mu*floor[i].push, slip_rate: 0.1, breakaway: mu_s*floor[i].push,
            stribeck_rate: 0.3,
        }
    }
    output load[i in 0..2] = floor[i].push;
}

fn foot<T: Real>(p: [T; 7]) -> Foot<T> {
    let [m, k, n, d, mu, mu_s, g] = p;
    Foot {
        m,
        k,
        n,
        d,
        mu,
        mu_s,
        g,
    }
}

/// One toe presses, the other hangs above the floor.
#[test]
fn derivatives_pass_through_contact_and_friction() -> Result<(), Error> {
    let p = [1.5, 200.0, 1.5, 0.3, 0.4, 0.6, 9.81];
    let (q, v) = ([0.1, 0.9, 0.96, 0.28], [0.5, -0.2, 0.3]);
    let (dp, dq, dv) = (
        [0.3, 50.0, 0.2, -0.1, 0.2, 0.1, -0.7],
        [0.2, -0.1, 0.4],
        [-0.3, 0.6, 0.1],
    );
    let along = Tangent {
        t: 0.0,
        q: dq.into(),
        v: dv.into(),
        u: SVector::zeros(),
        p: dp.into(),
    };
    let (q, v) = (SVector::from(q), SVector::from(v));
    let (tangent, _) = foot(p).jvp(0.0, &q, &v, &along)?;
    let both = Dual64::new;
    let turned = [-q[3] * dq[2], q[2] * dq[2]];
    let dq = [dq[0], dq[1], turned[0], turned[1]];
    let q = SVector::<Dual64, 4>::from_fn(|i, _| both(q[i], dq[i]));
    let v = SVector::<Dual64, 3>::from_fn(|i, _| both(v[i], dv[i]));
    let p = std::array::from_fn(|i| both(p[i], dp[i]));
    let dual = foot(p).acceleration(both(0.0, 0.0), &q, &v)?;
    let loads = foot(p)
        .outputs(both(0.0, 0.0), &q, &v)?
        .load
        .map(|it| it.re);
    assert!(
        loads[0] > 0.0 && loads[1] == 0.0 || loads[0] == 0.0 && loads[1] > 0.0,
        "{loads:?}"
    );
    for i in 0..3 {
        let scale = 1.0 + dual[i].eps.abs();
        assert!(
            (tangent[i] - dual[i].eps).abs() < 1e-12 * scale,
            "{i}: {} {}",
            tangent[i],
            dual[i].eps
        );
    }
    Ok(())
}
