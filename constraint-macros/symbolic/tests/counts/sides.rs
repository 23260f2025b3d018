//! What rows of one side cost, against the same rows of two sides.

use super::systems::derived;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::system::Derived;

fn operations(system: &Derived, wanted: &[&str]) -> u32 {
    let names = names(&system.system);
    let all = functions(system, &names);
    let wanted = all.iter().filter(|it| wanted.contains(&it.signature.name));
    wanted.map(|it| it.body.cost().total()).sum()
}

/// One row, two and three; with the velocities.
const SYSTEMS: [(&str, u32, u32); 3] = [
    (
        "struct Ball { m: Real, r: Real } particle p: Point2 { mass: m } gravity [0, -10];
         constraint floor: norm(p) >= r;",
        1,
        2,
    ),
    (
        "struct Stops { m: Real, l: Real } coordinate q[2];
         particle elbow = l*[sin(q[0]), -cos(q[0])] { mass: m }
         particle hand = elbow + l*[sin(q[0] + q[1]), -cos(q[0] + q[1])] { mass: m } gravity [0, -10];
         constraint stop[i in 0..2]: q[i] >= -1;",
        2,
        2,
    ),
    (
        "struct Stool { m: Real, i: Real, l: Real } body b: Rigid3 { mass: m, inertia: [i, i, 2*i] }
         gravity [0, 0, -10];
         constraint a: at(b, [l, 0, -l]).z >= 0; constraint c: at(b, [0, l, -l]).z >= 0;
         constraint d: at(b, [-l, -l, -l]).z >= 0;",
        3,
        6,
    ),
];

/// The problem that decides about up to three rows, A = G W and b = G v̇₀ + β with the generated v̇₀, G, β and W and
/// with 2 k² n + 2 k n operations of the runtime, takes less than twice the operations of v̇ and λ with these rows of two
/// sides. The runtime then tries its modes, at most 2ᵏ without friction, each by one elimination of k rows.
#[test]
fn the_problem_of_few_rows_costs_less_than_two_solutions() {
    for (text, k, n) in SYSTEMS {
        let (one, two) = (derived(text), derived(&text.replace(">=", "==")));
        let generated = [
            "acceleration",
            "one_sided_jacobian",
            "one_sided_bias",
            "one_sided_responses",
        ];
        let problem = operations(&one, &generated) + 2 * k * k * n + 2 * k * n;
        let solve = operations(&two, &["acceleration_and_multipliers"]);
        assert!(problem <= 2 * solve, "{problem} {solve} {text}");
    }
}
