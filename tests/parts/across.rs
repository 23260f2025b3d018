//! A part of another crate.

use constraint_runtime::prelude::*;
use exported_part::{Clock, with_pendulum};

use crate::check_alike;

with_pendulum! {
    /// Two on a trolley, with what this crate adds.
    pub struct Crane { m: Real = 1, l: [Real; 2] = [1, 2], g: Real = 9.81 }
    coordinate x;
    particle trolley = [x, 0] { mass: 10*m }
    load[i in 0..2]: Pendulum { hook: trolley, m: m, l: l[i] }
    gravity [0, -g];
    output pull[i in 0..2] = -multiplier(load[i].rod);
    output low = load[1].below;
}

system! {
    /// The same in one place.
    pub struct CraneByHand { m: Real = 1, l: [Real; 2] = [1, 2], g: Real = 9.81 }
    coordinate x;
    particle trolley = [x, 0] { mass: 10*m }
    for i in 0..2 {
        particle bob[i]: Point2 { mass: m }
        constraint rod[i]: norm(bob[i] - trolley) == l[i];
    }
    gravity [0, -g];
}

#[test]
fn a_part_of_another_crate_is_one_of_this() -> Result<(), Error> {
    let (crane, by_hand) = (Crane::<f64>::default(), CraneByHand::<f64>::default());
    let q = [0.3, 0.9, -0.8, -0.5, -1.8].into();
    let v = [0.2, 1.0, 0.5, -0.3, 0.1].into();
    check_alike(&crane, &by_hand, &q, &v);
    let told = crane.outputs(0.0, &q, &v)?;
    let lambda: CraneMultipliers = crane.multipliers(0.0, &q, &v)?.into();
    assert_eq!(told.pull, lambda.load.map(|load| -load.rod));
    assert_eq!(told.low, Vector2::new(0.3, -2.0));
    assert_eq!(Clock::<f64>::CONSTRAINTS, ["pendulum.rod"]);
    Ok(())
}
