//! Forces on any scalar expression: what does the work F dφ on φ(q).

use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::prelude::*;

/// Two masses on a line and one in the plane, pushed by what the statements at the end say.
macro_rules! pushed {
    ($name:ident { $($force:tt)* }) => {
        system! {
            pub struct $name { f: Real = 3, k: Real = 2 }
            coordinate x, y;
            particle a = [x, 0] { mass: 2 }
            particle b = [y, 1] { mass: 5 }
            particle p: Point2 { mass: 1 }
            $($force)*
        }
    };
}
pushed!(OnDifference { force y - x: f; });
pushed!(OnBoth { force x: -f; force y: f; });
pushed!(OnDistance { force norm(p): -k*norm(p)^2; });
pushed!(OnPoint { force p: -k*norm(p)*p; });
pushed!(OnAngle { force atan2(p.y, p.x): f; });
pushed!(OfPotential { potential -f*(y - x)*p.x; });
pushed!(OnProduct { force (y - x)*p.x: f; });

fn state() -> (SVector<f64, 4>, SVector<f64, 4>) {
    ([0.3, 1.1, 0.6, -0.8].into(), [0.2, -0.4, 1.5, 0.7].into())
}

#[test]
fn a_force_on_an_expression_is_shared_by_its_slopes() -> Result<(), Error> {
    let (q, v) = state();
    let applied = OnDifference::<f64>::default().applied(0.0, &q, &v)?;
    assert_eq!(applied, OnBoth::<f64>::default().applied(0.0, &q, &v)?);
    let applied = OnProduct::<f64>::default().applied(0.0, &q, &v)?;
    assert_relative_eq!(
        applied,
        OfPotential::<f64>::default().applied(0.0, &q, &v)?,
        max_relative = 1e-15
    );
    let applied = OnDistance::<f64>::default().applied(0.0, &q, &v)?;
    let expected = OnPoint::<f64>::default().applied(0.0, &q, &v)?;
    assert_abs_diff_eq!(applied, expected, epsilon = 1e-14);
    Ok(())
}

/// Its power is F φ̇: here the torque times the rate of the angle.
#[test]
fn the_power_of_a_force_on_an_angle_is_a_torque_times_its_rate() -> Result<(), Error> {
    let (q, v) = state();
    let applied = OnAngle::<f64>::default().applied(0.0, &q, &v)?;
    let rate = (q[2] * v[3] - q[3] * v[2]) / (q[2] * q[2] + q[3] * q[3]);
    assert_relative_eq!(applied.dot(&v), 3.0 * rate, max_relative = 1e-14);
    Ok(())
}
