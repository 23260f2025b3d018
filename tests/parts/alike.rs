//! A part that is used many times is what its statements are with an index.

use constraint_runtime::prelude::*;

use crate::{check_alike, noise};

system! {
    /// Pendulums of two rods below a bar, each with its own spring.
    pub struct Row { m: [Real; 8], k: Real = 3, g: Real = 9.81 }
    part Pendulum { hook: Vector2, m: Real, l: Real = 1/2, k: Real } {
        particle upper, lower: Point2 { mass: m }
        coordinate stretch;
        constraint rod: norm(upper - hook) == l;
        constraint second: norm(lower - upper) == l;
        let tip = lower - hook;
        fn energy(x) = k/2*x^2;
        kinetic m/2*velocity(stretch)^2;
        potential energy(stretch - tip.x);
    }
    gravity [0, -g];
    for i in 0..8 { pendulum[i]: Pendulum { hook: [i, 0], m: m[i], k: k*(i + 1) } }
    force pendulum[i in 1..8].lower: pendulum[i - 1].tip - pendulum[i].tip;
}

system! {
    /// The same without a part.
    pub struct RowByIndex { m: [Real; 8], k: Real = 3, g: Real = 9.81 }
    fn hook(i) = [i, 0];
    gravity [0, -g];
    for i in 0..8 {
        particle upper[i], lower[i]: Point2 { mass: m[i] }
        constraint rod[i]: norm(upper[i] - hook(i)) == 1/2;
        constraint second[i]: norm(lower[i] - upper[i]) == 1/2;
    }
    coordinate stretch[8];
    for i in 0..8 {
        kinetic m[i]/2*velocity(stretch[i])^2;
        potential k*(i + 1)/2*(stretch[i] - (lower[i] - hook(i)).x)^2;
    }
    for i in 1..8 {
        force lower[i]: lower[i - 1] - hook(i - 1) - (lower[i] - hook(i));
    }
}

#[test]
fn a_row_of_parts_is_the_row_written_by_index() {
    let m: [f64; 8] = core::array::from_fn(|i| 1.5 + noise(i));
    let row = Row { m, k: 3.0, g: 9.81 };
    let by_index = RowByIndex { m, k: 3.0, g: 9.81 };
    let upper = core::array::from_fn(|i| Point2::new(i as f64 + noise(i), -0.5 + noise(i + 8)));
    let lower = core::array::from_fn(|i| Point2::new(i as f64 - noise(i), -1.0 + noise(i + 16)));
    let stretch: [f64; 8] = core::array::from_fn(|i| noise(i + 24));
    let pendulum = core::array::from_fn(|i| RowPendulumCoordinates {
        upper: upper[i],
        lower: lower[i],
        stretch: stretch[i],
    });
    let q: SVector<f64, 40> = RowCoordinates { pendulum }.into();
    assert_eq!(RowCoordinates::from(q), RowCoordinates { pendulum });
    let pendulum = core::array::from_fn(|i| RowPendulumVelocities {
        upper: Vector2::new(noise(i), noise(i + 1)),
        lower: Vector2::new(noise(i + 2), noise(i + 3)),
        stretch: noise(i + 4),
    });
    let v: SVector<f64, 40> = RowVelocities { pendulum }.into();
    let other: SVector<f64, 40> = RowByIndexCoordinates {
        stretch,
        upper,
        lower,
    }
    .into();
    assert_eq!(q, other);
    check_alike(&row, &by_index, &q, &v);
    let (one, other) = (Row::<f64>::DERIVATION, RowByIndex::<f64>::DERIVATION);
    for (part, index) in one.entries().zip(other.entries()) {
        assert_eq!(
            (part.name, part.cost.total()),
            (index.name, index.cost.total())
        );
    }
    assert_eq!(Row::<f64>::CONSTRAINTS[2], "pendulum[1].rod");
    let lambda = row.multipliers(0.0, &q, &v).unwrap();
    let named = RowMultipliers::from(lambda);
    assert_eq!(named.pendulum[1].rod, lambda[2]);
    assert_eq!(named.pendulum[7].second, lambda[15]);
}

/// Pendulums that numbers tell apart, by themselves in loops, and written out.
macro_rules! swings {
    ($(#[$attribute:meta])* $name:ident) => {
        system! {
            $(#[$attribute])*
            pub struct $name { l: Real = 1, k: Real = 3, g: Real = 9.81 }
            const N = 40;
            part Pendulum { hook: Vector2, l: Real, m: Real } {
                particle bob: Point2 { mass: m }
                constraint rod: norm(bob - hook) == l;
            }
            pendulum[i in 0..N]: Pendulum { hook: [i/2, 1 - i], l: l*(1 + i/100), m: 2 }
            potential sum(i in 1..N: k/(1 + i)*norm_squared(pendulum[i].bob - pendulum[i - 1].bob - [1/i, 0]));
            force pendulum[i in 0..N].bob: [sin(i), i*t];
            gravity [0, -g];
            output pull[i in 0..N] = i*multiplier(pendulum[i].rod) + norm(pendulum[i].bob - [i, 2*i]);
        }
    };
}
swings!(
    /// In loops.
    Swings
);
swings!(
    /// Written out.
    #[solver(unrolled)]
    SwingsWritten
);

#[test]
fn parts_that_numbers_tell_apart_are_the_same_in_loops() {
    let (swings, written) = (Swings::<f64>::default(), SwingsWritten::<f64>::default());
    let q: SVector<f64, 80> = SVector::from_fn(|i, _| 0.5 * i as f64 + noise(i));
    let v: SVector<f64, 80> = SVector::from_fn(|i, _| noise(i + 80));
    check_alike(&swings, &written, &q, &v);
    let one = swings.outputs(2.0, &q, &v).unwrap().pull;
    let other = written.outputs(2.0, &q, &v).unwrap().pull;
    for (one, other) in one.into_iter().zip(other) {
        assert!(
            (one - other).abs() <= 1e-12 * (1.0 + other.abs()),
            "{one} {other}"
        );
    }
}
