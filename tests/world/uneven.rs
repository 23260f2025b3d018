//! Chains whose last link is much heavier than the others.

use constraint_runtime::joint::Ball;
use constraint_runtime::prelude::*;

use crate::{DOWN, G};

/// Links of length one in a row, of mass 1 but for the last one.
fn chain(links: usize, last: f64) -> World3 {
    let mut world = World3::new().with_gravity(DOWN);
    let mut body = world.add(Body3::fixed(Rigid3::identity())).unwrap();
    let mut end = Vector3::zeros();
    for link in 0..links {
        let mass = if link + 1 == links { last } else { 1.0 };
        let inertia = Inertia3::principal(mass, [0.002 * mass, 0.084 * mass, 0.084 * mass]);
        let pose = Rigid3::translation(0.5 + link as f64, 0.0, 0.0);
        let next = world.add(Body3::new(inertia.unwrap(), pose)).unwrap();
        let ball = Ball {
            r1: end,
            r2: Vector3::x() * -0.5,
        };
        world.connect(ball, [body, next]).unwrap();
        (body, end) = (next, Vector3::x() * 0.5);
    }
    world
}

/// Falling from the horizontal, nothing gives or takes energy, and no row is left; the lightest links swing faster than a step.
#[test]
fn rounding_and_masses_end_no_run() {
    for (links, ratio, h, end) in [
        (10, 1e3, 1e-3, 2.0),
        (10, 1e4, 1.0 / 120.0, 2.0),
        (3, 1e6, 2e-3, 0.6),
        (10, 1e6, 2e-3, 0.2),
        (3, 1e9, 1e-3, 0.02),
    ] {
        let mut world = chain(links, ratio);
        let start = world.energy();
        let mut drift = 0.0_f64;
        while world.time() < end {
            world.step(h).unwrap();
            drift = drift.max(world.drift());
        }
        let error = (world.energy() - start).abs() / (ratio * G * links as f64);
        println!(
            "{links} links, {ratio:e}: {} parts, energy {error:e}",
            world.parts_of_step()
        );
        assert!(
            drift < 1e-12 && error < 1e-3,
            "{links} {ratio:e}: {drift:e}, {error:e}"
        );
    }
}

/// A step that 1,024 parts do not resolve either is an error that names the ratio, and nothing has changed.
#[test]
fn a_step_that_no_part_resolves_names_the_masses() {
    let mut world = chain(3, 1e6);
    world.run_until(0.2, 1e-3).unwrap();
    let refused = loop {
        let before = world.checkpoint();
        if let Err(error) = world.step(20.0) {
            assert_eq!(world.time(), world.time());
            assert_eq!(world.state(), {
                let mut same = chain(3, 1e6);
                same.resume(&before).unwrap();
                same.state()
            });
            break error;
        }
    };
    let text = refused.to_string();
    assert!(
        matches!(refused, Error::UnevenMasses { ratio, .. } if ratio == 1e6),
        "{text}"
    );
    assert!(text.contains("differ by the factor 1e6"), "{text}");
}
