//! Other languages beside the Rust that the macros write of the same call: the same numbers, bit for bit.

#[path = "../../constraint-macros/symbolic/tests/printing/compiler.rs"]
mod compiler;

use constraint_runtime::prelude::*;
use constraint_runtime::{Real, Vector};
use constraint_symbolic::export::{Target, export};

use compiler::{hexadecimal, run};

/// Systems, and their calls as text.
macro_rules! both {
    ($($text:ident: { $($system:tt)* })*) => {$(
        system! { $($system)* }
        const $text: &str = stringify!(system! { $($system)* });
    )*};
}

both! {
    WRITTEN_OUT: {
        struct Eight { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[8]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
        for i in 0..8 { potential m*g*bead[i].y; }
    }
    CHAIN: {
        struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[64]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..64 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
        for i in 0..64 { potential m*g*bead[i].y; }
    }
    LONG: {
        struct Long { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[1024]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..1024 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
        for i in 0..1024 { potential m*g*bead[i].y; }
    }
    LINKS: {
        struct Links { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
        body link[16]: Rigid3 { mass: m, inertia: [a, b, c] }
        constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
        for i in 1..16 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
        for i in 0..16 { force link[i]: [0, 0, -m*g]; }
    }
    // Bodies whose moments are alike, which stages leave in the world's frame, beside one whose moments differ.
    PAIR: {
        struct Pair { m: Real = 0.7, l: Real = 0.5, g: Real = 9.81 }
        body ball: Rigid3 { mass: m, inertia: [0.3, 0.3, 0.3] }
        body brick: Rigid3 { mass: m, inertia: [0.4, 0.3, 0.1] }
        coordinate s;
        particle bead = [s, s^2, 0] { mass: m }
        constraint held: at(ball, [0, 0, l]) == [0, 0, 0];
        constraint joined: norm(at(brick, [l, 0, 0]) - at(ball, [0, l, 0])) == 2*l;
        force ball: [0, 0, -m*g];
        force brick: [s, 0, -m*g];
    }
    PLANE: {
        struct Plane { m: Real = 0.7, l: Real = 0.5, g: Real = 9.81 }
        body link[2]: Rigid2 { mass: m, inertia: 0.1 }
        constraint anchor: at(link[0], [0, l]) == [0, 0];
        constraint pin: at(link[1], [0, l]) == at(link[0], [0, -l]);
        for i in 0..2 { force link[i]: [0, -m*g]; }
    }
    // Eliminated in panels of four rows.
    NET: {
        #[solver(rolled)]
        struct Net { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
        for i in 0..6 { for j in 0..6 { particle bead[i][j]: Point2 { mass: m } } }
        for i in 0..6 { for j in 0..5 { constraint across[i][j]: norm_squared(bead[i][j + 1] - bead[i][j]) == l^2; } }
        for i in 0..5 { for j in 0..6 { constraint down[i][j]: norm_squared(bead[i + 1][j] - bead[i][j]) == l^2; } }
        for i in 0..6 { for j in 0..6 { force bead[i][j]: [0, -m*g]; } }
    }
    BEAD: {
        struct Bead { m: Real = 1, g: Real = 9.81, c: Real = 0.1 }
        coordinate s;
        particle bead = [sin(s), s^2 - cos(2*s)] { mass: m }
        potential m*g*bead.y;
        dissipation c/2*velocity(s)^2;
    }
}

/// Numbers between -1 and 1, the same for ever.
fn noise<V: Vector>(kind: f64) -> V {
    let mut vector = V::blank();
    for i in 0..V::LEN.expect("vectors of systems know their length") {
        vector[i] = V::Scalar::lit((12.9898 * i as f64 + kind).sin());
    }
    vector
}

/// Where a step begins that need not be near its constraints.
fn anywhere(i: usize) -> f64 {
    (12.9898 * i as f64 + 0.1).sin()
}

/// Sixteen links that hang straight down, none of them turned.
fn hanging(i: usize) -> f64 {
    match i % 7 {
        2 => -0.5 - (i / 7) as f64,
        6 => 1.0,
        _ => 0.0,
    }
}

/// What a C program is to print.
struct Expected {
    /// Its statements.
    statements: String,
    /// Line by line, what is told and its numbers.
    lines: Vec<(String, Vec<f64>)>,
}

/// What Rust finds at one state, and the calls that ask C.
fn of_rust<T, S>(system: &S, name: &str, start: fn(usize) -> f64) -> Expected
where
    T: Real<Element = T> + Into<f64>,
    S: System<T>,
{
    let (t, q, v) = (T::lit(0.3), noise::<S::Q>(0.1), noise::<S::V>(0.2));
    let b = noise::<S::Rows>(0.4);
    let mut expected = Expected {
        statements: String::new(),
        lines: Vec::new(),
    };
    let mut given: Vec<(&str, Vec<f64>)> = vec![("q", list(&q)), ("v", list(&v))];
    let fails = "the state is regular";
    let mut vectors = vec![(
        "acceleration",
        "q, v",
        list(&system.acceleration(t, &q, &v).expect(fails)),
    )];
    if !b_is_empty::<S::Rows>() {
        given.push(("b", list(&b)));
        vectors.extend([
            (
                "multipliers",
                "q, v",
                list(&system.multipliers(t, &q, &v).expect(fails)),
            ),
            (
                "constraint_force",
                "q, v",
                list(&system.constraint_force(t, &q, &v).expect(fails)),
            ),
            ("constraint", "q", list(&system.constraint(t, &q))),
            (
                "constraint_rate",
                "q, v",
                list(&system.constraint_rate(t, &q, &v)),
            ),
            ("bias", "q, v", list(&system.bias(t, &q, &v))),
            (
                "correction",
                "q, b",
                list(&system.correction(t, &q, &b).expect(fails)),
            ),
        ]);
    }
    let numbers = [
        ("kinetic_energy", "q, v", system.kinetic_energy(t, &q, &v)),
        ("potential_energy", "q", system.potential_energy(t, &q)),
    ];
    let out = &mut expected.statements;
    for (vector, values) in given {
        let values: Vec<String> = values.iter().map(|it| format!("{it:?}")).collect();
        *out += &format!(
            "  static const number {vector}[] = {{ {} }};\n",
            values.join(", ")
        );
    }
    for (function, arguments, values) in vectors {
        let length = values.len();
        *out += &format!("  {name}_{function}(&own, t, {arguments}, result); tell({length});\n");
        expected.lines.push((format!("{name}_{function}"), values));
    }
    for (function, arguments, value) in numbers {
        *out += &format!("  result[0] = {name}_{function}(&own, t, {arguments}); tell(1);\n");
        expected
            .lines
            .push((format!("{name}_{function}"), vec![value.into()]));
    }
    let mut start_of_step = S::Q::blank();
    (0..S::Q::LEN.expect("a length")).for_each(|i| start_of_step[i] = T::lit(start(i)));
    let values: Vec<String> = list(&start_of_step)
        .iter()
        .map(|it| format!("{it:?}"))
        .collect();
    let (q, v) = stepped(system, t, start_of_step);
    let (n, d) = (S::Q::LEN.expect("a length"), S::V::LEN.expect("a length"));
    *out += &format!(
        "  number x[] = {{ {} }}, u[{d}];
  for (int i = 0; i < {d}; i++) u[i] = v[i];
  {name}_step(&own, t, (number)0.01, x, u);
  for (int i = 0; i < {n}; i++) result[i] = x[i];
  tell({n});
  for (int i = 0; i < {d}; i++) result[i] = u[i];
  tell({d});\n",
        values.join(", ")
    );
    let ends = [("q", list(&q)), ("v", list(&v))];
    let ends = ends.map(|(what, values)| (format!("{name}_step, {what}"), values));
    expected.lines.extend(ends);
    expected
}

/// A step of Runge–Kutta of order 4 with projection, by the functions of a system.
fn stepped<T: Real<Element = T>, S: System<T>>(system: &S, t: T, mut q: S::Q) -> (S::Q, S::V) {
    let fails = "the state is regular";
    let (h, part) = (T::lit(0.01), [0.0, 0.5, 0.5, 1.0].map(T::lit));
    let end = t + h;
    let mut v = noise::<S::V>(0.2);
    let (n, d) = (S::Q::LEN.expect("a length"), S::V::LEN.expect("a length"));
    turn::<T, S>(&q, &mut v, -T::one());
    let (mut rates, mut slopes): (Vec<S::Q>, Vec<S::V>) = (Vec::new(), Vec::new());
    for i in 0..4 {
        let (mut x, mut u) = (q.clone(), v.clone());
        if i > 0 {
            (0..n).for_each(|j| x[j] = q[j] + h * part[i] * rates[i - 1][j]);
            (0..d).for_each(|j| u[j] = v[j] + h * part[i] * slopes[i - 1][j]);
        }
        let at = t + h * part[i];
        let (rate, slope) = if S::OWN_FRAMES.is_empty() {
            let slope = system.acceleration(at, &x, &u).expect(fails);
            (system.kinematics(at, &x, &u), slope)
        } else {
            system.own_slope(at, &x, &u).expect(fails)
        };
        rates.push(rate);
        slopes.push(slope);
    }
    let sum = |k: [T; 4]| h / T::lit(6.0) * (k[0] + T::lit(2.0) * (k[1] + k[2]) + k[3]);
    (0..n).for_each(|j| q[j] += sum(std::array::from_fn(|i| rates[i][j])));
    (0..d).for_each(|j| v[j] += sum(std::array::from_fn(|i| slopes[i][j])));
    turn::<T, S>(&q, &mut v, T::one());
    system.normalize(&mut q);
    if b_is_empty::<S::Rows>() {
        return (q, v);
    }
    for _ in 0..3 {
        let c = system.constraint(end, &q);
        let change = system.correction(end, &q, &c).expect(fails);
        let way = system.kinematics(end, &q, &change);
        (0..n).for_each(|j| q[j] -= way[j]);
        system.normalize(&mut q);
    }
    let rate = system.constraint_rate(end, &q, &v);
    let change = system.correction(end, &q, &rate).expect(fails);
    (0..d).for_each(|j| v[j] -= change[j]);
    (q, v)
}

/// ω of the world to Rᵀω for the sign −1, and back, as the runtime turns between stages and users.
fn turn<T: Real<Element = T>, S: System<T>>(q: &S::Q, v: &mut S::V, sign: T) {
    for frames in S::OWN_FRAMES {
        for k in 0..frames.count {
            let (turn, spin) = (frames.turn + 7 * k, frames.spin + 6 * k);
            let x = Vector3::new(v[spin], v[spin + 1], v[spin + 2]);
            let axis = Vector3::new(q[turn], q[turn + 1], q[turn + 2]);
            let w = sign * q[turn + 3];
            let scale = T::lit(2.0) / (axis.dot(&axis) + w * w);
            let across = axis.cross(&x);
            let x = x + (across * w + axis.cross(&across)) * scale;
            (0..3).for_each(|i| v[spin + i] = x[i]);
        }
    }
}

fn b_is_empty<V: Vector>() -> bool {
    V::LEN == Some(0)
}

fn list<V: Vector>(vector: &V) -> Vec<f64>
where
    V::Scalar: Into<f64>,
{
    let length = V::LEN.expect("vectors of systems know their length");
    (0..length).map(|i| vector[i].into()).collect()
}

/// Compares C of one precision with the Rust of the same.
#[track_caller]
fn agree(call: &str, target: Target, name: &str, expected: &Expected) {
    let header = export(call.parse().expect("tokens"), target).expect("it can be told");
    let (single, number) = match target {
        Target::CSingle => ("single", "float"),
        _ => ("double", "double"),
    };
    let text = format!(
        "{header}
#include <stdio.h>
typedef {number} number;
static number result[10000];
static void tell(int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", (double)result[i]);
  printf(\"\\n\");
}}
int main(void) {{
  const number t = 0.3;
  const {ty} own = {name}_default;
{statements}  return 0;
}}
",
        ty = name[..1].to_uppercase() + &name[1..],
        statements = expected.statements,
    );
    let Some(output) = run(&format!("{name}-{single}"), &text) else {
        return;
    };
    assert_eq!(output.lines().count(), expected.lines.len());
    for (line, (what, expected)) in output.lines().zip(&expected.lines) {
        let found: Vec<f64> = line.split_whitespace().map(hexadecimal).collect();
        let bits = |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<u64>>();
        assert_eq!(bits(&found), bits(expected), "{what}, {single}");
    }
}

macro_rules! alike {
    ($($test:ident: $system:ident, $text:ident, $name:literal, $start:expr;)*) => {$(
        #[test]
        fn $test() {
            let expected = of_rust::<f64, _>(&$system::<f64>::default(), $name, $start);
            agree($text, Target::C, $name, &expected);
            let expected = of_rust::<f32, _>(&$system::<f32>::default(), $name, $start);
            agree($text, Target::CSingle, $name, &expected);
        }
    )*};
}

alike! {
    a_chain_written_out: Eight, WRITTEN_OUT, "eight", anywhere;
    a_chain_in_loops: Chain, CHAIN, "chain", anywhere;
    a_chain_whose_vectors_stand_on_the_heap: Long, LONG, "long", anywhere;
    bodies_in_loops: Links, LINKS, "links", hanging;
    bodies_of_several_kinds: Pair, PAIR, "pair", anywhere;
    bodies_in_the_plane: Plane, PLANE, "plane", anywhere;
    a_net_in_panels: Net, NET, "net", anywhere;
    a_bead_by_its_coordinate: Bead, BEAD, "bead", anywhere;
}
