//! Indices bound in the declaration itself against the same statements in a `for`.

use constraint_runtime::prelude::*;

use crate::{check_alike, noise};

system! {
    pub struct Web { m: [Real; N] = [1, 2, 3, 4], k: Real = 5, g: Real = 9.81 }
    const N = 4;
    body hub: Rigid2 { mass: 2, inertia: 1 }
    body wheel[i in 0..N]: Rigid2 { mass: m[i], inertia: m[i]/10 }
    particle bead[i in 0..2][j in 0..N]: Point2 { mass: m[j] + i }
    particle rim[i in 0..N] = at(wheel[i], [m[i], 0]) { mass: 1/2 }
    constraint spoke[i in 0..N]: norm(at(wheel[i], [0, 0]) - at(hub, [0, 1])) == i + 1;
    constraint thread[i in 0..2][j in 1..N]: norm(bead[i][j] - bead[i][j - 1]) == 1;
    force bead[i in 0..2][j in i..N]: [k*i, -m[j]*g];
    torque wheel[i in 0..=2]: k*(i - 1);
}

system! {
    pub struct WebByFor { m: [Real; N] = [1, 2, 3, 4], k: Real = 5, g: Real = 9.81 }
    const N = 4;
    body hub: Rigid2 { mass: 2, inertia: 1 }
    for i in 0..N { body wheel[i]: Rigid2 { mass: m[i], inertia: m[i]/10 } }
    for i in 0..2 { for j in 0..N { particle bead[i][j]: Point2 { mass: m[j] + i } } }
    for i in 0..N { particle rim[i] = at(wheel[i], [m[i], 0]) { mass: 1/2 } }
    for i in 0..N { constraint spoke[i]: norm(at(wheel[i], [0, 0]) - at(hub, [0, 1])) == i + 1; }
    for i in 0..2 { for j in 1..N { constraint thread[i][j]: norm(bead[i][j] - bead[i][j - 1]) == 1; } }
    for i in 0..2 { for j in i..N { force bead[i][j]: [k*i, -m[j]*g]; } }
    for i in 0..=2 { torque wheel[i]: k*(i - 1); }
}

#[test]
fn an_index_bound_in_a_declaration_is_that_of_a_for_around_it() {
    let (bound, by_for) = (Web::<f64>::default(), WebByFor::<f64>::default());
    let mut q = SVector::<f64, 36>::from_fn(|i, _| i as f64 / 3.0 + noise(i) / 4.0);
    bound.normalize(&mut q);
    let v = SVector::<f64, 31>::from_fn(|i, _| noise(i + 40));
    check_alike(&bound, &by_for, &q, &v);
    assert_eq!(Web::<f64>::CONSTRAINTS, WebByFor::<f64>::CONSTRAINTS);
    assert_eq!(Web::<f64>::CONSTRAINTS[9], "thread[1][3]");
    let texts = [Web::<f64>::DERIVATION, WebByFor::<f64>::DERIVATION];
    let [bound, by_for] = texts.map(|it| it.to_string());
    assert_eq!(bound, by_for);
}
