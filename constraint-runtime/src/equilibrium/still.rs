//! Rows that move by themselves, so that nothing can rest on them.

use crate::allowance::coordinate_sizes;
use crate::error::Error;
use crate::state::State;
use crate::system::Constrained;
use crate::vector::Vector;

/// Changes of a place by this part of its size count as rounding.
const NEAR: f64 = 1e-9;

/// Checks that Ċ and C̈ vanish for v = 0 and v̇ = 0: exactly at this place and time, or up to rounding at a place
/// next to it.
///
/// # Errors
/// [`Error::MovingRow`]
pub(super) fn check<S: Constrained<f64>>(
    system: &S,
    state: &State<S::Q, S::V>,
) -> Result<(), Error> {
    let State { t, q, v } = state;
    let moving = |t: f64, q: &S::Q| [system.constraint_rate(t, q, v), system.bias(t, q, v)];
    let here = moving(*t, q);
    let is_still = |rows: &S::Rows| rows.entries().iter().all(|&x| x == 0.0);
    if here.iter().all(is_still) {
        return Ok(());
    }
    let sizes = coordinate_sizes(system, *t, q, v);
    let mut allowed = here.each_ref().map(Vector::zeros_like);
    let mut allow = |there: [S::Rows; 2]| {
        for ((allowed, there), here) in allowed.iter_mut().zip(&there).zip(&here) {
            allowed.update(|row, sum| sum + (there[row] - here[row]).abs());
        }
    };
    for instant in [t * (1.0 + f64::EPSILON), t * (1.0 - f64::EPSILON)] {
        allow(moving(instant, q));
    }
    for k in 0..v.entries().len() {
        let aside = v.like(|i| if i == k { NEAR * sizes[k] } else { 0.0 });
        let change = system.kinematics(*t, q, &aside);
        allow(moving(*t, &q.like(|i| q[i] + change[i])));
    }
    let [rates, biases] = &here;
    for row in 0..rates.entries().len() {
        let (rate, bias) = (rates[row], biases[row]);
        // Not written as the opposite comparison: NaN must count as motion.
        let rests = rate.abs() <= allowed[0][row] && bias.abs() <= allowed[1][row];
        if !rests {
            return Err(Error::MovingRow {
                row: row.into(),
                rate,
                acceleration: bias,
            });
        }
    }
    Ok(())
}
