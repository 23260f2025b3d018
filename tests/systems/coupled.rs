//! Rows between coordinates that M couples, or of a mass that depends on them: in loops against the same written out.

use constraint_runtime::prelude::*;

use crate::rolled::{agree, both, own};

// Double pendulums, whose lower ends hang on rods between neighbours.
both! { Hung, HungWritten { m: [Real; 8], l: Real = 0.5, g: Real = 9.81 }
    coordinate a[8], b[8];
    particle upper[i in 0..8] = [0.2*i + l*sin(a[i]), -l*cos(a[i])] { mass: m[i] }
    particle lower[i in 0..8] = upper[i] + [l*sin(b[i]), -l*cos(b[i])] { mass: 2 }
    for i in 1..8 { constraint rod[i]: norm(lower[i] - lower[i-1]) == l; }
    gravity [0, -g];
    for i in 0..8 { dissipation 0.1*velocity(a[i])^2; }
}

#[test]
fn double_pendulums_on_rods() {
    let (m, l, g) = (core::array::from_fn(own), 0.5, 9.81);
    agree(Hung { m, l, g }, HungWritten { m, l, g });
}

// Cranks whose inertia depends on their angles.
both! { Cranks, CranksWritten { m: [Real; 9], l: Real = 0.5 }
    coordinate a[9];
    for i in 0..9 { kinetic (m[i] + a[i]^2)*velocity(a[i])^2/2; potential l*cos(a[i]); }
    for i in 1..9 { constraint gear[i]: sin(a[i]) == l*a[i-1]; }
}

#[test]
fn cranks_of_varying_inertia() {
    let (m, l) = (core::array::from_fn(own), 0.5);
    agree(Cranks { m, l }, CranksWritten { m, l });
}

/// Both forms name the coordinate whose inertia is not positive, and refuse to start there.
#[test]
fn inertia_that_is_not_positive_is_named_in_both_forms() {
    let (mut m, l) = (core::array::from_fn(own), 0.5);
    m[4] = -1.0;
    let q = SVector::<f64, 9>::from_fn(|i, _| 0.1 * i as f64);
    let v = SVector::zeros();
    let (rolled, written) = (Cranks { m, l }, CranksWritten { m, l });
    let [found, expected] = [
        rolled.acceleration(0.0, &q, &v).unwrap_err(),
        written.acceleration(0.0, &q, &v).unwrap_err(),
    ];
    assert_eq!(found.to_string(), expected.to_string());
    assert!(found.to_string().contains("`a[4]`"), "{found}");
    let [found, expected] = [
        rolled.free_acceleration(0.0, &q, &v).unwrap_err(),
        written.free_acceleration(0.0, &q, &v).unwrap_err(),
    ];
    assert_eq!(found.to_string(), expected.to_string());
    let [found, expected] = [
        rolled.admits(0.0, &q).unwrap_err(),
        written.admits(0.0, &q).unwrap_err(),
    ];
    assert_eq!(found.to_string(), expected.to_string());
    // Blocks of J and M⁻¹ Jᵀ divide by it as well.
    assert!(
        rolled
            .impulse_rows(0.0, &q, &mut ImpulseRows::default())
            .is_err()
    );
    assert!(
        written
            .impulse_rows(0.0, &q, &mut ImpulseRows::default())
            .is_err()
    );
}
