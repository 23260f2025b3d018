//! Arms of two links with inertia: M and h cost no more than what a person writes, in angles of either kind; and loops of
//! such links, closed by a rod.

use super::systems::derived;
use constraint_symbolic::schedule::Op;
use constraint_symbolic::system::Quantity;

/// Operations of M and h in one program, sine and cosine of one angle counted as one.
fn cost(links: &str) -> u32 {
    let arm = derived(&format!(
        "pub struct Arm {{
            m1: Real, m2: Real, l1: Real, c1: Real, c2: Real, i1: Real, i2: Real, g: Real
        }}
        coordinate a, b;
        fn along(angle) = [cos(angle), sin(angle)];
        {links}
        gravity [0, -g];"
    ));
    let both = [Quantity::MassMatrix, Quantity::Applied];
    arm.plain_program(&both).count.total()
}

/// ```text
/// M₂₂ = k c₂ + i₂,        k = m₂ c₂,  p = k l₁                          k, p, 2                4
/// M₁₂ = M₂₂ + p cos b                                                   2                      6
/// M₁₁ = M₁₂ + p cos b + k₁ c₁ + k₂ l₁ + i₁,  k₁ = m₁ c₁, k₂ = m₂ l₁     k₁, k₂, 2 and 4       14
/// h₂ = −u ȧ² − k g cos(a + b),  u = p sin b                             u, ȧ², 1, 2, 2        21
/// h₁ = u (ȧ + ḃ)² + h₂ − (k₁ + k₂) g cos a                              1, 1, 1, 3, 2         29
/// ```
/// a + b, sine and cosine of b, and the cosines of a and of a + b: 33, and 34 with one more product for the sign of h₂.
#[test]
fn relative_angles() {
    let told = "let shoulder = pose([0, 0], a);
        body upper: Rigid2 = shoulder * pose([c1, 0]) { mass: m1, inertia: i1 }
        body fore: Rigid2 = shoulder * pose([l1, 0], b) * pose([c2, 0]) { mass: m2, inertia: i2 }";
    assert!(cost(told) <= 34, "{}", cost(told));
}

/// The same, where a call of sine or cosine is spared instead of operations: cos b and sin b are, with what gravity asks
/// for, cos a cos(a + b) + sin a sin(a + b) and cos a sin(a + b) − sin a cos(a + b), six operations for one.
#[test]
fn relative_angles_written_out() {
    let written = "body upper: Rigid2 = pose(c1*along(a), a) { mass: m1, inertia: i1 }
        body fore: Rigid2 = pose(l1*along(a) + c2*along(a + b), a + b) { mass: m2, inertia: i2 }";
    assert!(cost(written) <= 39, "{}", cost(written));
}

/// ```text
/// M₁₁ = k₁ c₁ + k₂ l₁ + i₁,  M₂₂ = k c₂ + i₂,  M₁₂ = p C               k₁, k₂, 4, k, 2, p, 1    11
/// C = cos a cos b + sin a sin b,  S = sin a cos b − cos a sin b        6                        17
/// h₁ = −u ḃ² − (k₁ + k₂) g cos a,  u = p S                             u, ḃ², 1, 3, 2           25
/// h₂ = u ȧ² − k g cos b                                                ȧ², 1, 2, 1              30
/// ```
/// Sine and cosine of a and of b: 32. With sine and cosine of a − b in the place of C and S a call more, and 28.
#[test]
fn absolute_angles() {
    let written = "body upper: Rigid2 = pose(c1*along(a), a) { mass: m1, inertia: i1 }
        body fore: Rigid2 = pose(l1*along(a) + c2*along(b), b) { mass: m2, inertia: i2 }";
    assert!(cost(written) <= 32, "{}", cost(written));
}

/// The same in arrays: before the first link there is none, and no links together are as long as the zero vector.
#[test]
fn absolute_angles_by_sums() {
    let arm = derived(
        "pub struct Arm { m: [Real; 2], l: [Real; 2], c: [Real; 2], i: [Real; 2], g: Real }
        coordinate q[2];
        fn along(angle) = [cos(angle), sin(angle)];
        body link[n in 0..2]: Rigid2
            = pose(sum(k in 0..n: l[k]*along(q[k])) + c[n]*along(q[n]), q[n]) { mass: m[n], inertia: i[n] }
        gravity [0, -g];",
    );
    let both = [Quantity::MassMatrix, Quantity::Applied];
    let cost = arm.plain_program(&both).count.total();
    assert!(cost <= 32, "{cost}");
}

/// Operations of v̇ and of λ of a loop that a rod of constant length closes.
fn closed(parameters: &str, places: &str) -> [u32; 2] {
    let linkage = derived(&format!(
        "pub struct Linkage {{ {parameters} }}
        fn along(angle) = [cos(angle), sin(angle)];
        {places}
        gravity [0, -g];"
    ));
    let quantities = [Quantity::Acceleration, Quantity::Multipliers];
    quantities.map(|quantity| linkage.plain_program(&[quantity]).count.total())
}

/// d = s − p, the row times |d|: J = (x p_y, d_x), where p_x + d_x = x has been seen, and no square root.
///
/// ```text
/// p, d_x                                                               2, 1             3
/// J₁ = x p_y, w₁ = 1/(m₁ r²), w₂ = 1/m₂, J W Jᵀ                        1, 3, 1, 4      12
/// ḋ = (ẋ + p_y ȧ, −p_x ȧ), the centripetal (p_x ȧ) ȧ, (p_y ȧ) ȧ        3, 2            17
/// ḋ·ḋ, d·d̈₀, d·ḋ, d·d, (d·ḋ)²/d·d                                      3, 3, 3, 3, 2   31
/// h₁/M₁ = −g cos a/r, the right-hand side with J₁ h₁/M₁, λ′            2, 4, 1         38
/// v̇                                                                    3, 2            43
/// ```
/// Sine and cosine of a: 44. λ of the row itself is λ′/|d|, and needs no v̇.
#[test]
fn a_slider_crank() {
    let [acceleration, multiplier] = closed(
        "m1: Real, m2: Real, crank: Real, rod: Real, g: Real",
        "coordinate a, x;
        particle pin = crank*along(a) { mass: m1 }
        particle slider = [x, 0] { mass: m2 }
        constraint bar: norm(slider - pin) == rod;",
    );
    assert!(acceleration <= 43, "{acceleration}");
    assert!(multiplier <= 38, "{multiplier}");
}

/// The row times the distance, so that no square root is left. By hand 69: l sin u is a factor of ḋ and of d̈₀ then.
#[test]
fn a_four_bar_linkage() {
    let [acceleration, multiplier] = closed(
        "m1: Real, m2: Real, crank: Real, coupler: Real, rocker: Real, ground: Real, g: Real",
        "coordinate a, b;
        particle pin = crank*along(a) { mass: m1 }
        particle far = [ground, 0] + rocker*along(b) { mass: m2 }
        constraint bar: norm(far - pin) == coupler;",
    );
    assert!(acceleration <= 75, "{acceleration}");
    assert!(multiplier <= 62, "{multiplier}");
}

/// Slopes of l √(2 − 2 cos(a − b)): l² sin(a − b) over the distance, in the sines and cosines that gravity asks for.
///
/// ```text
/// S = sin a cos b − cos a sin b, C = cos a cos b + sin a sin b         3, 3             6
/// u̇ = ȧ − ḃ, u̇², S², S² u̇²                                            1, 1, 1, 1      10
/// β′ = C u̇² − S² u̇²/(2 (1 − C)), the row S (ä − b̈)                     1, 2, 1, 1      15
/// free accelerations −(g/l) cos a, −(g/l) cos b                        1, 1, 1         18
/// their row and β′, K = 2 S², λ′                                       2, 1, 1, 1      23
/// S λ′, v̇                                                              1, 2            26
/// ```
/// Sine and cosine of a and of b: 28.
#[test]
fn two_pendulums_that_keep_their_distance() {
    let [acceleration, multiplier] = closed(
        "m: Real, l: Real, d: Real, g: Real",
        "coordinate a, b;
        particle p = l*along(a) { mass: m }
        particle q = l*along(b) { mass: m }
        constraint bar: norm(p - q) == d;",
    );
    assert!(acceleration <= 37, "{acceleration}");
    assert!(multiplier <= 35, "{multiplier}");
}

/// M and h of a shoulder that turns about z and an elbow whose axis a quarter of a turn about x has tilted, as robots are
/// given by tables of links; and the numbers in them.
fn tilted(elbow: &str) -> (u32, Vec<f64>) {
    let arm = derived(&format!(
        "pub struct Arm {{ m: Real, c: Real, i: [Real; 3], g: Real }}
        coordinate a, b;
        let shoulder = pose([0, 0, 0], [0, 0, 1], a);
        body fore: Rigid3 = shoulder * {elbow} {{ mass: m, inertia: [i[0], i[1], i[2]] }}
        gravity [0, 0, -g];"
    ));
    let both = [
        Quantity::MassMatrix,
        Quantity::Applied,
        Quantity::KineticEnergy,
    ];
    let program = arm.plain_program(&both);
    let numbers = program.values.iter().filter_map(|op| match op {
        Op::Number(number) => Some(number.to_f64()),
        _ => None,
    });
    (program.count.total(), numbers.collect())
}

/// The elbow turns about −y, into which x turns z, and of a body that a quarter of a turn turns further y and z change
/// places.
#[test]
fn a_quarter_of_a_turn_costs_nothing_and_leaves_no_small_numbers() {
    let by_hand = "pose([0, 0, 1/5], [0, -1, 0], b) * pose([c, 0, 0])";
    let (by_hand, _) = tilted(by_hand);
    for quarter in ["PI/2", "-3*PI/2", "5*PI/2", "acos(0)", "TAU/4"] {
        let tilt = format!("pose([0, 0, 0.2], [1, 0, 0], {quarter})");
        let (count, numbers) = tilted(&format!(
            "{tilt} * pose([0, 0, 0], [0, 0, 1], b) * pose([c, 0, 0])"
        ));
        assert!(count <= by_hand, "{quarter}: {count}, by hand {by_hand}");
        assert!(
            numbers.iter().all(|it| *it == 0.0 || it.abs() > 1e-3),
            "{quarter}: {numbers:?}"
        );
    }
    assert!(by_hand <= 30, "{by_hand}");
}

/// Every link of a long arm takes as many operations as the one before: articulated bodies.
#[test]
fn long_arms_in_space_take_time_in_proportion() {
    let cost = |links: usize| {
        let mut text = "pub struct Arm { g: Real } let base = pose([0, 0, 0]);".to_owned();
        let mut before = "base".to_owned();
        for i in 0..links {
            let axis = ["[0, 0, 1]", "[0, 1, 0]"][i % 2];
            text += &format!(
                " coordinate a{i}; let l{i} = {before} * pose([0.3, 0.01, 0.02], {axis}, a{i});
                 body b{i}: Rigid3 = l{i} * pose([0.15, 0.01, 0]) {{ mass: 1.5, inertia: [0.01, 0.02, 0.03] }}"
            );
            before = format!("l{i}");
        }
        let arm = derived(&(text + " gravity [0, 0, -g];"));
        arm.plain_program(&[Quantity::Acceleration]).count.total()
    };
    let [short, long, longest] = [16, 20, 24].map(cost);
    assert!(
        longest - long == long - short && long - short <= 4 * 340,
        "{short} {long} {longest}"
    );
}
