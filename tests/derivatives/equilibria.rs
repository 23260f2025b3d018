//! Equilibria and modes of textbooks.

use approx::assert_relative_eq;
use constraint_runtime::nalgebra::DMatrix;
use constraint_runtime::prelude::*;
use constraint_runtime::{equilibrium, modes};

system! {
    /// A weight on a spring and a damper, beside one that creeps.
    #[derivatives]
    struct Damped { m: Real = 2, k: Real = 50, c: Real = 4, g: Real = 9.81 }
    coordinate x, y;
    kinetic m/2*velocity(x)^2 + m/2*velocity(y)^2;
    potential k/2*x^2 + m*g*x + k/2*y^2;
    dissipation c/2*velocity(x)^2 + 15*c/2*velocity(y)^2;
}

/// s² + (c/m) s + k/m = 0
#[test]
fn damping_shows_in_the_rates() -> Result<(), Error> {
    let system = Damped::<f64>::default();
    let Damped { m, k, c, g } = system;
    let start = State::new(0.0, [3.0, 1.0], [2.0, 0.0]);
    let rest = equilibrium(&system, start)?;
    assert_relative_eq!(rest.q, Vector2::new(-m * g / k, 0.0), epsilon = 1e-14);
    let found = modes(&system, &rest)?;
    assert!(found.is_stable());
    assert_eq!(found.len(), 3);
    let natural = (k / m).sqrt();
    let ratio = c / (2.0 * (k * m).sqrt());
    let [slow, swing, fast] = [0, 1, 2].map(|i| found[i]);
    assert_relative_eq!(swing.damping_ratio(), ratio, max_relative = 1e-12);
    let damped = natural * (1.0 - ratio * ratio).sqrt();
    assert_relative_eq!(swing.angular_frequency(), damped, max_relative = 1e-12);
    assert!(swing.shape.y.abs() < 1e-12);
    let half = 15.0 * c / (2.0 * m);
    let spread = (half * half - k / m).sqrt();
    assert_relative_eq!(slow.rate.re, spread - half, max_relative = 1e-12);
    assert_relative_eq!(fast.rate.re, -spread - half, max_relative = 1e-12);
    assert_relative_eq!(slow.damping_ratio(), 1.0, max_relative = 1e-12);
    Ok(())
}

system! {
    /// A bob on a rod of any size.
    #[derivatives]
    struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

/// Whatever the units are: what rests is found, and above as well, where it falls with √(g/l).
#[test]
fn a_pendulum_rests_below_and_above() -> Result<(), Error> {
    for (m, l) in [(1.0_f64, 1.0_f64), (1e-9, 1e6), (1e9, 1e-6)] {
        let system = Pendulum {
            m,
            l,
            ..Pendulum::default()
        };
        let natural = (system.g / l).sqrt();
        for (angle, stable) in [(0.9_f64, true), (3.0, false)] {
            let q = Vector2::new(l * angle.sin(), -l * angle.cos());
            let rest = equilibrium(
                &system,
                State {
                    t: 0.0,
                    q,
                    v: Vector2::zeros(),
                },
            )?;
            let side = if stable { -1.0 } else { 1.0 };
            assert_relative_eq!(rest.q, Vector2::new(0.0, side * l), epsilon = 1e-12 * l);
            assert_relative_eq!(
                rest.multipliers[0],
                side * m * system.g,
                max_relative = 1e-12
            );
            let found = modes(&system, &rest)?;
            assert_eq!(found.is_stable(), stable);
            let rates: Vec<[f64; 2]> = found
                .iter()
                .map(|mode| [mode.rate.re, mode.rate.im])
                .collect();
            if stable {
                assert_relative_eq!(rates[0][1], natural, max_relative = 1e-12);
            } else {
                assert_relative_eq!(rates[0][0], -natural, max_relative = 1e-12);
                assert_relative_eq!(rates[1][0], natural, max_relative = 1e-12);
            }
        }
    }
    Ok(())
}

system! {
    /// A bead on a hoop that turns with `omega`, its angle from the lowest point.
    #[derivatives]
    struct Hoop { m: Real = 0.2, r: Real = 0.5, omega: Real = 8, g: Real = 9.81 }
    coordinate a;
    particle bead = r*[sin(a)*cos(omega*t), sin(a)*sin(omega*t), -cos(a)] { mass: m }
    gravity [0, 0, -g];
}

/// cos a = g/(ω² r), and there it swings with ω sin a; the lowest point has become unstable.
#[test]
fn a_bead_on_a_turning_hoop_rests_aside() -> Result<(), Error> {
    let system = Hoop::<f64>::default();
    let aside = (system.g / (system.omega * system.omega * system.r)).acos();
    let rest = equilibrium(&system, State::new(0.3, [1.0], [0.0]))?;
    assert_relative_eq!(rest.q[0], aside, max_relative = 1e-13);
    let found = modes(&system, &rest)?;
    let expected = system.omega * aside.sin();
    assert_relative_eq!(found[0].angular_frequency(), expected, max_relative = 1e-12);
    let lowest = equilibrium(&system, State::new(0.3, [1e-3], [0.0]))?;
    assert!(lowest.q[0].abs() < 1e-15);
    assert!(!modes(&system, &lowest)?.is_stable());
    Ok(())
}

system! {
    /// Six rods that hang from the origin, from the top.
    #[derivatives]
    #[solver(unrolled)]
    struct Chain { m: Real = 0.3, l: Real = 0.2, g: Real = 9.81 }
    particle bead[6]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    constraint link[i in 1..6]: norm(bead[i] - bead[i - 1]) == l;
    gravity [0, -g];
}

/// ω² = x g/l for the zeros x of the Laguerre polynomial L₆: the eigenvalues of the matrix of its recurrence, with
/// 2 i + 1 on the diagonal and i beside it.
#[test]
fn a_chain_swings_with_the_zeros_of_laguerre() -> Result<(), Error> {
    let system = Chain::<f64>::default();
    // Not hanging yet, and with rods of wrong lengths.
    let bead = std::array::from_fn(|i| {
        let i = i as f64;
        Point2::new(0.01 * (i * 2.3).sin(), -0.19 * (i + 1.0))
    });
    let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
    let rest = equilibrium(&system, start)?;
    let ChainCoordinates { bead } = rest.q.into();
    for (i, bead) in bead.iter().enumerate() {
        let lowest = Point2::new(0.0, -system.l * (i + 1) as f64);
        assert!((bead - lowest).norm() < 1e-13, "{bead}");
    }
    let recurrence = DMatrix::from_fn(6, 6, |i, j| match i.abs_diff(j) {
        0 => (2 * i + 1) as f64,
        1 => i.max(j) as f64,
        _ => 0.0,
    });
    let mut zeros: Vec<f64> = recurrence.symmetric_eigenvalues().iter().copied().collect();
    zeros.sort_by(f64::total_cmp);
    let found = modes(&system, &rest)?;
    assert!(found.is_stable());
    assert_eq!(found.len(), 6);
    for (mode, x) in found.iter().zip(zeros) {
        let square = mode.angular_frequency().powi(2) * system.l / system.g;
        assert_relative_eq!(square, x, max_relative = 1e-11);
        // Of unit kinetic energy, and sideways.
        assert_relative_eq!(
            system.m * mode.shape.norm_squared(),
            1.0,
            max_relative = 1e-12
        );
    }
    Ok(())
}

system! {
    /// A bead on a level wire that a force drives.
    #[derivatives]
    struct Level { m: Real = 1, push: Real = 0 }
    particle bead: Point2 { mass: m }
    constraint wire: bead.y == 0;
    force bead: [push, -m];
}

#[test]
fn what_has_no_equilibrium_or_many_is_refused() {
    let start = State::new(0.0, [0.5, 0.0], [0.0, 0.0]);
    let anywhere = equilibrium(&Level::default(), start);
    assert_eq!(anywhere, Err(Error::NotIsolated { directions: 1 }));
    let driven = Level {
        push: 3.0,
        ..Level::default()
    };
    let nowhere = equilibrium(&driven, start);
    let expected = Error::NoEquilibrium {
        acceleration: 3.0,
        steps: 0,
    };
    assert_eq!(nowhere, Err(expected));
    assert!(expected.to_string().contains("v̇ is 3"), "{expected}");
}

system! {
    /// A weight on two rods, which cannot move.
    #[derivatives]
    struct Bracket { m: Real = 2, g: Real = 10 }
    particle weight: Point2 { mass: m }
    constraint left: norm(weight - [-3, 4]) == 5;
    constraint right: norm(weight - [3, 4]) == 5;
    gravity [0, -g];
}

/// Each rod carries m g/(2 cos α) with cos α = 4/5, and nothing swings.
#[test]
fn what_cannot_move_rests_and_has_no_modes() -> Result<(), Error> {
    let bracket = Bracket::<f64>::default();
    let rest = equilibrium(&bracket, State::new(0.0, [1e-3, -2e-3], [0.0, 0.0]))?;
    assert_relative_eq!(rest.q, Vector2::zeros(), epsilon = 1e-14);
    assert_relative_eq!(
        rest.multipliers,
        Vector2::new(-12.5, -12.5),
        max_relative = 1e-13
    );
    assert!(modes(&bracket, &rest)?.is_empty());
    Ok(())
}
