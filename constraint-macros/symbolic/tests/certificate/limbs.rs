//! Equal limbs in loops: the certificate runs the loops, and reads the numbers in which limbs differ.

use super::{Listed, Tree};
use constraint_symbolic::certify;
use constraint_symbolic::expr::Number;
use constraint_symbolic::function::Body;

/// Five legs around a free trunk, of two links each.
fn legs() -> String {
    let mut text =
        "pub struct Legs { m: Real = 2, l: Real = 1, g: Real = 9 } coordinate a[5], b[5];
        body trunk: Rigid3 { mass: 3, inertia: [1, m, 3/2] }"
            .to_owned();
    for k in 0..5 {
        text += &format!(
            " let hip_{k} = trunk * pose([0, 0, 0], [0, 0, 1], {}*PI/12) * pose([l, 0, 0]) * pose([0, 0, 0], [0, 0, 1], a[{k}]);
            let knee_{k} = hip_{k} * pose([{k}/3, 0, l], [0, {}, 0], b[{k}]);
            body thigh_{k}: Rigid3 = hip_{k} * pose([0, l/2, 0]) {{ mass: m/2, inertia: [m, 2, 3] }}
            body shank_{k}: Rigid3 = knee_{k} * pose([0, 0, l/3]) {{ mass: m/3, inertia: [m, 1, 2] }}",
            [1, 3, 4, 7, 9][k],
            [1, -1][k % 2]
        );
    }
    text + " force a[1]: m; dissipation sum(k in 0..5: velocity(b[k])^2/7); gravity [0, 0, -g];"
}

#[test]
fn loops_over_limbs_are_certified() {
    let text = legs();
    let listed = Listed::system(text.parse().expect("tokens")).expect("a valid system");
    let certificate = listed.certificate().expect("no fault");
    for name in ["acceleration", "unconstrained_inverse_dynamics"] {
        let function = listed.functions.iter().find(|it| it.signature.name == name);
        let body = function.map(|it| &it.body);
        assert!(
            matches!(body, Some(Body::Loops(_))),
            "{name} is written out"
        );
        assert!(certificate.functions.contains(&name), "{name}");
    }
    let Tree::System(tree, derived) = &listed.tree else {
        panic!("a system");
    };
    let count = derived.system.numbers.len();
    assert!(count > 10, "{count} numbers");
    for place in 0..count {
        let mut changed = derived.system.clone();
        // No axis becomes 0.
        changed.numbers[place] = changed.numbers[place] + Number::integer(3);
        let refuted = certify::system(tree, &changed, &listed.functions).is_err();
        assert!(refuted, "number {place} of {count} is not read");
    }
}
