//! Calls as C: how they read, and that what the system's compiler makes of them computes what the programs do, bit for bit.

use std::env::temp_dir;
use std::fs;
use std::process::Command;

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::export::{Refused, Target, export};
use constraint_symbolic::function::system;
use constraint_symbolic::model::Role;
use constraint_symbolic::system::{Derived, Quantity};

fn exported(call: &str, target: Target) -> String {
    let tokens = call.parse().expect("tokens");
    export(tokens, target).unwrap_or_else(|it| panic!("{call}: {it}"))
}

#[test]
fn a_header_reads_as_one_writes_it() {
    let call = "system! {
        pub struct RodPendulum { m: Real = 2, default: Vector2 = [0, -9.81] }
        input double;
        particle bob: Point2 { mass: m }
        force bob: double*default;
        constraint rod: norm_squared(bob) == 4;
    }";
    let header = exported(call, Target::C);
    let begin = "\
#include <math.h>
#include <stdbool.h>

typedef struct {
  double m;
  double default_[2];
} RodPendulum;

typedef struct {
  double double_;
} RodPendulumInputs;

static const RodPendulum rod_pendulum_default = {
  .m = 2.0,
  .default_ = { 0.0, -9.81 }
};

static inline void rod_pendulum_acceleration(const RodPendulum *self, const RodPendulumInputs *given, double t, \
const double q[2], const double v[2], double result[2]) {
";
    assert!(header.starts_with(begin), "{header}");
    let row = "\
static inline void rod_pendulum_constraint(const RodPendulum *self, const RodPendulumInputs *given, double t, \
const double q[2], double result[1]) {
  const double bob_x = q[0];
  const double bob_y = q[1];
  result[0] = bob_x * bob_x + bob_y * bob_y - 4.0;
}
";
    assert!(header.contains(row), "{header}");
    let single = exported(call, Target::CSingle);
    assert!(single.contains("bob_y * bob_y - 4.0f;"), "{single}");
    assert!(!single.contains("double "), "{single}");
}

#[test]
fn what_is_no_call_and_what_is_wrong_is_refused() {
    for source in ["", "x^2", "system!", "vec![1]", "struct S;"] {
        let refused = export(source.parse().expect("tokens"), Target::C);
        assert!(matches!(refused, Err(Refused::NotACall)), "{source}");
    }
    let wrong = export(
        "constraint!(|x, y| x + z)".parse().expect("tokens"),
        Target::C,
    );
    let wrong = wrong.expect_err("z is not declared").to_string();
    assert!(wrong.contains("`z` is not declared"), "{wrong}");
}

/// A value for each leaf, all different.
fn value(role: Role) -> f64 {
    let (kind, i) = match role {
        Role::Time => (0.7, 0),
        Role::Coordinate(i) => (0.3, i),
        Role::Velocity(i) => (-1.1, i),
        Role::RightHandSide(i) => (-0.4, i),
        Role::Acceleration(i) => (0.8, i),
        Role::Input(i) => (0.9, i),
        // Defaults.
        Role::Parameter {
            parameter,
            component,
        } => (1.5 + 0.5 * parameter as f64, 2 * component),
        other => panic!("{other:?} is no leaf of these functions"),
    };
    kind + 0.125 * i as f64
}

fn vector(role: fn(usize) -> Role, length: usize) -> String {
    let values = (0..length).map(|i| format!("{:?}", value(role(i))));
    format!(
        "(double[]){{ {} }}",
        values.collect::<Vec<String>>().join(", ")
    )
}

/// The program that prints the bits of every result, a line for each function.
fn main_of(derived: &Derived, header: &str, inputs: &str) -> (String, Vec<Quantity>) {
    use constraint_symbolic::function::Argument as A;
    let system = &derived.system;
    let (n, rows) = (system.scalars(), system.rows.len());
    let (mut lines, mut told) = (String::new(), Vec::new());
    for row in &system::TABLE {
        let name = format!("s_{}", row.signature.name);
        if !header.contains(&format!(" {name}(")) {
            continue;
        }
        let given = row
            .signature
            .arguments
            .iter()
            .map(|argument| match argument {
                A::Time => format!("{:?}", value(Role::Time)),
                A::Coordinates => vector(Role::Coordinate, n),
                A::Velocities => vector(Role::Velocity, n),
                A::Accelerations => vector(Role::Acceleration, n),
                A::RightHandSide => vector(Role::RightHandSide, rows),
                other => panic!("{other:?}"),
            });
        let given: Vec<String> = given.collect();
        let first = if inputs.is_empty() {
            "&own"
        } else {
            "&own, &given"
        };
        let arguments = format!("{first}, {}", given.join(", "));
        let length = derived.plain_program(&[row.quantity]).outputs.len();
        lines += &if header.contains(&format!("double {name}(")) {
            format!("  result[0] = {name}({arguments}); tell(result, 1);\n")
        } else {
            format!("  {name}({arguments}, result); tell(result, {length});\n")
        };
        told.push(row.quantity);
    }
    let given = if inputs.is_empty() {
        String::new()
    } else {
        format!("  const SInputs given = {inputs};\n")
    };
    let text = format!(
        "{header}
#include <stdio.h>
static void tell(const double *values, int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", values[i]);
  printf(\"\\n\");
}}
int main(void) {{
  const S own = s_default;
  double result[1000];
{given}{lines}  return 0;
}}
"
    );
    (text, told)
}

/// What a C program prints; nothing where there is no compiler.
fn run(name: &str, text: &str) -> Option<String> {
    let folder = temp_dir().join(format!("constraint-c-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for what is compiled");
    let (source, program) = (folder.join("main.c"), folder.join("main"));
    fs::write(&source, text).expect("the source is written");
    let strict = [
        "-std=c99",
        "-Wall",
        "-Werror",
        "-O2",
        "-ffp-contract=off",
        "-o",
    ];
    let compiled = Command::new("cc")
        .args(strict)
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else {
        eprintln!("skipped: there is no C compiler, so nothing was run");
        return None;
    };
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}\n{text}");
    let output = Command::new(&program)
        .output()
        .expect("what was compiled runs");
    assert!(output.status.success(), "{text}");
    fs::remove_dir_all(&folder).expect("the folder is removed");
    Some(String::from_utf8(output.stdout).expect("numbers"))
}

/// `0x1.8p+1`, `-0x0p+0`
fn hexadecimal(text: &str) -> f64 {
    let (sign, size) = text.strip_prefix('-').map_or((1.0, text), |it| (-1.0, it));
    let (digits, exponent) = size
        .trim_start_matches("0x")
        .split_once('p')
        .expect("an exponent");
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{part}"), 16).expect("digits");
    let exponent: i32 = exponent.parse().expect("a number");
    let places = i32::try_from(4 * part.len()).expect("few digits");
    sign * mantissa as f64 * 2.0_f64.powi(exponent - places)
}

#[test]
fn c_computes_systems_as_the_programs_do() {
    let sources = [
        (
            "struct S { m: Real = 1.5, l1: Real = 2, l2: Real = 2.5 }
            particle a: Point2 { mass: m }
            particle b: Point2 { mass: 2 }
            constraint first: norm(a) == l1;
            constraint second: norm(b - a) == l2;
            potential 9.81*m*a.y + 3*sin(t)*b.x;
            output tip = b; output pull = -multiplier(second);",
            "",
            16,
        ),
        (
            "struct S { m: [Real; 2] = [1.5, 1.75], l: Real = 2 }
            input push: Vector2, wind[2];
            coordinate x, angle;
            particle bob = [x + l*sin(angle), -l*cos(angle)] { mass: m[1] }
            kinetic m[0]*velocity(x)^2;
            force bob: push + wind[1]*velocity(bob);
            force x: -signum(x)*abs(x)^3 + if x < 1 && !(angle > 2) { min(x, angle) } else { ln_1p(x) };",
            "{ .push = { 0.9, 1.025 }, .wind = { 1.15, 1.275 } }",
            5,
        ),
    ];
    for (number, (source, inputs, least)) in sources.into_iter().enumerate() {
        let derived = analyze_system(source.parse().expect("tokens")).expect("a system");
        let header = exported(&format!("system! {{ {source} }}"), Target::C);
        let (text, told) = main_of(&derived, &header, inputs);
        assert!(told.len() >= least, "{told:?}");
        let Some(output) = run(&number.to_string(), &text) else {
            return;
        };
        assert_eq!(output.lines().count(), told.len());
        for (line, quantity) in output.lines().zip(told) {
            let program = derived.plain_program(&[quantity]);
            let symbols = &derived.system.model.symbols;
            let expected = program.evaluate(|symbol| match symbols[symbol.index()].role {
                Role::Parameter {
                    parameter: 0,
                    component,
                } if number == 1 => [1.5, 1.75][component],
                role => value(role),
            });
            let found: Vec<f64> = line.split_whitespace().map(hexadecimal).collect();
            let bits = |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<u64>>();
            // What is checked stands before the result.
            let expected = &expected[expected.len() - found.len()..];
            assert_eq!(
                bits(&found),
                bits(expected),
                "{quantity:?}: {found:?} for {expected:?}"
            );
        }
    }
}

/// A pendulum of length 1 under g = 1 from the level: energy and length after two turns of RK4 with projection.
#[test]
fn a_step_in_c_keeps_length_and_energy() {
    let call = "system! {
        struct S { m: Real = 1.5, l: Real = 1 }
        particle bob: Point2 { mass: m }
        potential m*bob.y;
        constraint rod: norm(bob) == l;
    }";
    let text = format!(
        "{}
#include <stdio.h>
int main(void) {{
  double q[2] = {{ 1.0, 0.0 }}, v[2] = {{ 0.0, 0.0 }};
  for (int i = 0; i < 2000; i++) s_step(&s_default, i * 0.005, 0.005, q, v);
  const double energy = s_kinetic_energy(&s_default, 10.0, q, v) + s_potential_energy(&s_default, 10.0, q);
  printf(\"%a %a %a\\n\", hypot(q[0], q[1]) - 1.0, energy, q[0] * v[0] + q[1] * v[1]);
  return 0;
}}
",
        exported(call, Target::C)
    );
    let Some(output) = run("step", &text) else {
        return;
    };
    let found: Vec<f64> = output.split_whitespace().map(hexadecimal).collect();
    assert!(
        found[0].abs() < 1e-15 && found[2].abs() < 1e-15,
        "{found:?}"
    );
    assert!(found[1] != 0.0 && found[1].abs() < 1e-9, "{found:?}");
}

/// CUDA C as C, by a shim in the place of a GPU: three pendulums of three lengths in a kernel go where each goes alone.
#[test]
fn a_kernel_moves_each_copy_as_it_goes_alone() {
    let call = "system! {
        struct S { m: Real = 1.5, l: Real = 1 }
        input push;
        particle bob: Point2 { mass: m }
        force bob: [push, -m];
        constraint rod: norm(bob) == l;
    }";
    let cuda = exported(call, Target::Cuda);
    assert!(!cuda.contains("#include"), "{cuda}");
    let text = format!(
        "#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#define __host__
#define __device__
#define __global__
static struct {{ int x; }} blockIdx, blockDim = {{ 2 }}, threadIdx;
{cuda}
int main(void) {{
  const S own[3] = {{ {{ 1.5, 1.0 }}, {{ 1.0, 2.0 }}, {{ 0.5, 0.25 }} }};
  const SInputs given[3] = {{ {{ 0.0 }}, {{ 0.5 }}, {{ -0.5 }} }};
  double q[6], v[6] = {{ 0.0 }};
  for (int i = 0; i < 3; i++) {{ q[i] = own[i].l; q[3 + i] = 0.0; }}
  for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < 2; threadIdx.x++)
      s_run(own, given, 0.0, 0.01, 100, 3, q, v);
  for (int i = 0; i < 3; i++) {{
    double x[2] = {{ own[i].l, 0.0 }}, u[2] = {{ 0.0, 0.0 }};
    for (int k = 0; k < 100; k++) s_step(&own[i], &given[i], k * 0.01, 0.01, x, u);
    printf(\"%a %a %a %a\\n\", x[0] - q[i], x[1] - q[3 + i], u[0] - v[i], u[1]);
  }}
  return 0;
}}
"
    );
    let Some(output) = run("kernel", &text) else {
        return;
    };
    for line in output.lines() {
        let found: Vec<f64> = line.split_whitespace().map(hexadecimal).collect();
        assert_eq!(found[..3], [0.0; 3], "{output}");
        assert!(found[3].abs() > 1e-3, "nothing moves: {output}");
    }
    assert_eq!(output.lines().count(), 3);
}
