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

/// What a C program is to print.
struct Expected {
    /// Its statements.
    statements: String,
    /// Line by line, what is told and its numbers.
    lines: Vec<(String, Vec<f64>)>,
}

/// What Rust finds at one state, and the calls that ask C.
fn of_rust<T, S>(system: &S, name: &str) -> Expected
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
    expected
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
    ($($test:ident: $system:ident, $text:ident, $name:literal;)*) => {$(
        #[test]
        fn $test() {
            let expected = of_rust::<f64, _>(&$system::<f64>::default(), $name);
            agree($text, Target::C, $name, &expected);
            let expected = of_rust::<f32, _>(&$system::<f32>::default(), $name);
            agree($text, Target::CSingle, $name, &expected);
        }
    )*};
}

alike! {
    a_chain_written_out: Eight, WRITTEN_OUT, "eight";
    a_chain_in_loops: Chain, CHAIN, "chain";
    a_chain_whose_vectors_stand_on_the_heap: Long, LONG, "long";
    bodies_in_loops: Links, LINKS, "links";
    a_bead_by_its_coordinate: Bead, BEAD, "bead";
}
