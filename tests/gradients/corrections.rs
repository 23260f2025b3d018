//! `place_correction_vjp` and `velocity_correction_vjp` against dual numbers through the corrections themselves.

use constraint_runtime::prelude::*;
use num_dual::Dual64;

use super::models::{chain, closed, skate};
use super::random::Random;

fn numbers<const N: usize>(random: &mut Random) -> SVector<f64, N> {
    SVector::from_fn(|_, _| random.between(-1.0, 1.0))
}

/// q*·G C + v*·G Ċ along a direction, by dual numbers and by the gradient.
macro_rules! compare {
    ($system:ident, $seed:expr, $n:literal, $u:literal, $p:literal, $place:expr) => {{
        let random = &mut Random::new($seed);
        let both = |x: f64, dx: f64| Dual64::new(x, dx);
        let place: fn(SVector<f64, $n>) -> SVector<f64, $n> = $place;
        let (q, v) = (place(numbers::<$n>(random)), numbers::<$n>(random));
        let p = numbers::<$p>(random).map(|p| p + 1.5);
        let along = Tangent::<f64, $n, $u, $p> {
            t: random.between(-1.0, 1.0),
            q: numbers(random),
            v: numbers(random),
            u: numbers(random),
            p: numbers(random),
        };
        let (q_bar, v_bar) = (numbers::<$n>(random), numbers::<$n>(random));
        let (t, moving) = (
            both(0.4, along.t),
            $system(p.zip_map(&along.p, both), SVector::zeros()),
        );
        let (moved_q, moved_v) = (q.zip_map(&along.q, both), v.zip_map(&along.v, both));
        let of_place = moving.correction(t, &moved_q, &moving.constraint(t, &moved_q));
        let rate = moving.constraint_rate(t, &moved_q, &moved_v);
        let of_velocity = moving.correction(t, &moved_q, &rate);
        let [of_place, of_velocity] = [of_place, of_velocity].map(|it| it.unwrap().map(|x| x.eps));
        let expected = q_bar.dot(&of_place) + v_bar.dot(&of_velocity);
        let still = $system(p, SVector::zeros());
        let mut by: Tangent<f64, $n, $u, $p> = still.place_correction_vjp(0.4, &q, &q_bar)?;
        assert_eq!(by.v.amax(), 0.0);
        by += still.velocity_correction_vjp(0.4, &q, &v, &v_bar)?;
        let found = by.t * along.t
            + by.q.dot(&along.q)
            + by.v.dot(&along.v)
            + by.u.dot(&along.u)
            + by.p.dot(&along.p);
        let size = of_place.amax() + of_velocity.amax();
        assert!(
            (found - expected).abs() <= 1e-12 * size,
            "{}: {found} {expected}",
            $seed
        );
    }};
}

#[test]
fn of_particles_angles_and_blades() -> Result<(), Error> {
    for seed in 0..40 {
        compare!(chain, seed, 6, 0, 7, |q| SVector::from_fn(|i, _| {
            if i % 2 == 0 {
                q[i]
            } else {
                0.3 * q[i] - (i / 2 + 1) as f64
            }
        }));
        compare!(closed, seed, 3, 0, 8, |q| q + Vector3::new(1.2, 1.9, 0.0));
        compare!(skate, seed, 3, 0, 3, |q| q);
    }
    Ok(())
}
