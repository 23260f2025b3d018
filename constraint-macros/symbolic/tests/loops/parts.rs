//! Equal parts, alike but for elements of arrays and numbers by index: in loops as long for many of them as for few.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::system::{Derived, Solution};

fn derived(text: &str) -> Derived {
    analyze_system(text.parse().expect("these are tokens")).expect("a system")
}

/// Pendulums as parts: where they hang and how long they are.
fn pendulums(n: usize, hook: &str, length: &str) -> String {
    format!(
        "struct Field {{ l: [Real; {n}] = 1, x: [Real; {n}] = 0, k: Real = 1, g: Real = 9.81 }} \
         part Pendulum {{ hook: Vector2, l: Real }} {{ \
             particle bob: Point2 {{ mass: 1 }} constraint rod: norm(bob - hook) == l; \
         }} \
         pendulum[i in 0..{n}]: Pendulum {{ hook: {hook}, l: {length} }} \
         potential sum(i in 1..{n}: k/2*(norm(pendulum[i].bob - pendulum[i - 1].bob) - 1)^2); \
         gravity [0, -g];"
    )
}

#[test]
fn equal_parts_are_one_family_however_they_are_told_apart() {
    for (hook, length) in [
        ("[0, 0]", "1"),
        ("[x[i], 0]", "l[i]"),
        ("[i, 0]", "1"),
        ("[i/10, -2*i]", "1 + i/100"),
        ("[cos(i + 1), k*sin(i + 1)]", "k*(3 - i/1000)"),
    ] {
        let text = |n| pendulums(n, hook, length);
        let of = derived(&text(64));
        let Solution::Rolled(rolled) = &of.solution else {
            panic!("{hook}, {length} is written out");
        };
        assert!(
            rolled.families.len() <= 3,
            "{hook}: {}",
            rolled.families.len()
        );
        let Solution::Rolled(more) = derived(&text(256)).solution else {
            panic!("{hook}, {length} is written out");
        };
        for (quantity, routine) in &more.routines {
            let few = &rolled.routines[quantity];
            assert_eq!(
                few.kernels.len(),
                routine.kernels.len(),
                "{hook}: {quantity:?}"
            );
            assert_eq!(few.loops.len(), routine.loops.len(), "{hook}: {quantity:?}");
        }
    }
}

/// Two bodies below each other, on joints of the library.
fn legs(n: usize, hip: &str) -> String {
    format!(
        "struct Legs {{ m: Real = 1, l: Real = 1, hip: [Vector3; {n}] = [0, 0, 0], g: Real = 9.81 }} \
         part Leg {{ hip: Vector3, m: Real, l: Real }} {{ \
             body thigh, shank: Rigid3 {{ mass: m, inertia: [m*l^2/12, m*l^2/12, m*l^2/100] }} \
             joint socket: Ball {{ b: thigh, r1: hip, r2: [0, 0, l/2] }} \
             joint knee: Hinge {{ a: thigh, b: shank, r1: [0, 0, -l/2], r2: [0, 0, l/2], axis: [0, 1, 0] }} \
         }} \
         leg[i in 0..{n}]: Leg {{ hip: {hip}, m: m, l: l }} \
         gravity [0, 0, -g];"
    )
}

#[test]
fn equal_parts_of_bodies_are_one_family_each_row() {
    for hip in ["[0, 0, 0]", "hip[i]", "[i, 0, 1/(i + 1)]"] {
        let [few, many] = [32, 64].map(|n| match derived(&legs(n, hip)).solution {
            Solution::Rolled(rolled) => rolled,
            Solution::Unrolled(_) => panic!("{hip} is written out"),
        });
        assert!(few.families.len() <= 9, "{hip}: {}", few.families.len());
        for (quantity, routine) in &many.routines {
            let few = &few.routines[quantity];
            assert_eq!(
                few.kernels.len(),
                routine.kernels.len(),
                "{hip}: {quantity:?}"
            );
            assert_eq!(few.loops.len(), routine.loops.len(), "{hip}: {quantity:?}");
        }
    }
}
