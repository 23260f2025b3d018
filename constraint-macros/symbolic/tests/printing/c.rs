//! Calls as C: how they read, and that what the system's compiler makes of them computes what the programs do, bit for bit.

use constraint_symbolic::compile::{analyze, analyze_system, system as expanded};
use constraint_symbolic::export::{Reason, Refused, Target, export};
use constraint_symbolic::function::{constraint, system};
use constraint_symbolic::model::Role;
use constraint_symbolic::system::{Derived, Quantity};

use crate::compiler::{hexadecimal, run};

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
    assert!(header.starts_with("// Certificate: "), "{header}");
    assert!(header.contains(begin), "{header}");
    let row = "\
static inline void rod_pendulum_constraint(const RodPendulum *self, const RodPendulumInputs *given, double t, \
const double q[2], double result[1]) {
  (void)self; (void)given; (void)t;
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
        Role::InverseMass(i) => (0.6, i),
        Role::InverseInertia(i) => (1.9, i),
        Role::Force(i) => (2.0, i),
        Role::Tangent(i) => (0.2, i),
        Role::ForceAdjoint(i) => (-0.7, i),
        Role::MultiplierAdjoint(i) => (1.1, i),
        Role::Mass => (1.7, 0),
        Role::Damping => (0.05, 0),
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
    // M and h are made of other functions, and rounded as those are: `tests/languages` compares them with Rust.
    let is_made = |quantity| matches!(quantity, Quantity::MassMatrix | Quantity::Applied);
    for row in system::TABLE.iter().filter(|it| !is_made(it.quantity)) {
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

/// Bodies and tangents stand in C as all their numbers, one after the other.
#[test]
fn c_computes_constraints_as_the_programs_do() {
    use constraint_symbolic::function::Argument as A;
    let sources = [
        "#[derivatives] struct S { l: Real } |a: Point2, b: Point2| norm(a - b) == l",
        "struct S { r1: Vector2, r2: Vector2, l: Real } |a: Rigid2, b: Rigid2| norm(a.at(r1) - b.at(r2)) == l",
        "struct S { r1: Vector3, r2: Vector3, l: Real } |a: Rigid3, b: Rigid3| norm(a.at(r1) - b.at(r2)) == l",
    ];
    for (number, source) in sources.into_iter().enumerate() {
        let derived = analyze(source.parse().expect("tokens")).expect("a constraint");
        let model = &derived.model;
        let [n, rows, bodies] = [
            model.coordinate_count(),
            model.rows.len(),
            model.bodies.len(),
        ];
        let (n, d) = match (bodies, model.body_velocities()) {
            (0, _) => (n, n),
            (_, 3) => (4 * bodies, 3),
            (_, d) => (7 * bodies, d),
        };
        let inertia = if d == 3 { 1 } else { 6 };
        let inverse_masses = (0..bodies).flat_map(|body| {
            let entries = inertia * body..inertia * (body + 1);
            [Role::InverseMass(body)]
                .into_iter()
                .chain(entries.map(Role::InverseInertia))
        });
        let listed = |roles: Vec<Role>| {
            let values = roles.into_iter().map(|it| format!("{:?}", value(it)));
            let values: Vec<String> = values.collect();
            format!("(double[]){{ {} }}", values.join(", "))
        };
        let vector =
            |role: fn(usize) -> Role, length: usize| listed((0..length).map(role).collect());
        let varied = 1 + 4 * n + model.varied();
        let velocities = d * bodies.max(1);
        let argument = |argument: &A| match argument {
            A::Time => format!("{:?}", value(Role::Time)),
            A::Mass => format!("{:?}", value(Role::Mass)),
            A::Coordinates => vector(Role::Coordinate, n),
            A::Velocities => vector(Role::Velocity, velocities),
            A::Forces => vector(Role::Force, velocities),
            A::InverseMasses if bodies > 0 => listed(inverse_masses.clone().collect()),
            A::InverseMasses => vector(Role::InverseMass, n),
            A::RightHandSide => vector(Role::RightHandSide, rows),
            A::ForceTangent => vector(Role::Tangent, varied),
            A::ForceAdjoint => vector(Role::ForceAdjoint, n),
            A::MultiplierAdjoint => vector(Role::MultiplierAdjoint, rows),
            other => panic!("{other:?}"),
        };
        let header = exported(&format!("constraint! {{ {source} }}"), Target::C);
        let derivatives = constraint::DERIVATIVES.iter().filter(|_| number == 0);
        let mut lines = String::new();
        let mut expected = Vec::new();
        for row in constraint::table(bodies > 0).iter().chain(derivatives) {
            let name = row.signature.name;
            let given: Vec<String> = row.signature.arguments.iter().map(argument).collect();
            let given = given.join(", ");
            let (_, signature) = header
                .split_once(&format!(" s_{name}("))
                .unwrap_or_else(|| panic!("no {name}:\n{header}"));
            let (signature, _) = signature.split_once(") {").expect("a signature");
            let (_, length) = signature.split_once("double result[").expect("a vector");
            let length: usize = length.trim_end_matches(']').parse().expect("a number");
            lines += &format!("  s_{name}(&own, {given}, result);\n");
            lines += &format!("  tell(result, {length});\n");
            let program = derived.plain_program(row.quantity);
            let values = program.evaluate(|symbol| value(model.symbols[symbol.index()].role));
            expected.push((name, values[values.len() - length..].to_vec()));
        }
        let own = model.parameters.iter().enumerate().map(|(parameter, it)| {
            let role = |component| Role::Parameter {
                parameter,
                component,
            };
            let values = (0..it.shape.len()).map(|i| format!("{:?}", value(role(i))));
            format!("{{ {} }}", values.collect::<Vec<String>>().join(", "))
        });
        let own: Vec<String> = own.collect();
        let own = own.join(", ").replace("{ 2.5 }", "2.5");
        let own = if number == 0 { "1.5".to_owned() } else { own };
        let text = format!(
            "{header}
#include <stdio.h>
static void tell(const double *values, int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", values[i]);
  printf(\"\\n\");
}}
int main(void) {{
  const S own = {{ {own} }};
  double result[1000];
{lines}  return 0;
}}
"
        );
        let Some(output) = run(&format!("constraint-{number}"), &text) else {
            return;
        };
        assert_eq!(output.lines().count(), expected.len());
        for (line, (name, expected)) in output.lines().zip(&expected) {
            let found: Vec<f64> = line.split_whitespace().map(hexadecimal).collect();
            assert_eq!(found.len(), expected.len(), "{name}");
            for (found, expected) in found.iter().zip(expected) {
                let near = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                assert!(near, "{source}, {name}: {found} for {expected}");
            }
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

/// A chain of so many links on one rod each.
fn chain(links: usize) -> String {
    format!(
        "system! {{
            pub struct Chain {{ m: Real = 1, l: Real = 0.5, g: Real = 9.81 }}
            particle bead[{links}]: Point2 {{ mass: m }}
            constraint anchor: norm(bead[0]) == l;
            for i in 1..{links} {{ constraint link[i]: norm(bead[i] - bead[i-1]) == l; }}
            for i in 0..{links} {{ potential m*g*bead[i].y; }}
        }}"
    )
}

#[test]
fn loops_are_as_short_as_in_rust_and_no_longer_for_more_links() {
    let rust = |links| {
        let body = chain(links).replacen("system! {", "", 1);
        let body = &body[..body.len() - 1];
        expanded(body.parse().expect("tokens")).to_string()
    };
    let written = rust(64);
    for target in [Target::C, Target::CSingle, Target::Cuda, Target::JavaScript] {
        let [short, long] = [64, 1024].map(|links| exported(&chain(links), target));
        assert!(short.contains("round++"), "{short}");
        assert!(
            10 * short.len() < 11 * written.len(),
            "{target:?}: {} of {}",
            short.len(),
            written.len()
        );
        assert!(
            100 * long.len() < 105 * short.len(),
            "{target:?}: {} of {}",
            long.len(),
            short.len()
        );
    }
}

#[test]
fn a_loop_reads_as_one_writes_it() {
    let header = exported(&chain(64), Target::C);
    let rows = "\
static inline void chain_constraint(const Chain *self, double t, const double q[128], double result[64]) {
  (void)t;
  const double l = self->l;
  {
    const double bead_x = q[0];
    const double bead_y = q[1];
    result[0] = sqrt(bead_x * bead_x + bead_y * bead_y) - l;
  }
  for (int round = 0; round < 63; round++) {
    const double bead_x = q[2 * round];
    const double bead_x_2 = q[2 + 2 * round];
    const double bead_y = q[1 + 2 * round];
    const double bead_y_2 = q[3 + 2 * round];
    const double t1 = bead_x_2 - bead_x;
    const double t2 = bead_y_2 - bead_y;
    result[1 + round] = sqrt(t1 * t1 + t2 * t2) - l;
  }
}
";
    assert!(header.contains(rows), "{header}");
}

#[test]
fn what_cannot_be_told_is_said_with_its_reason() {
    let refused = |call: &str, target| {
        let refused = export(call.parse().expect("tokens"), target);
        match refused.expect_err("nothing of it can be told") {
            Refused::Nothing(left_out) => left_out,
            other => panic!("{other}"),
        }
    };
    let left_out = refused("constraint!(|x, y| 1e100*x^2 + y)", Target::CSingle);
    assert!(
        left_out
            .iter()
            .all(|it| matches!(it.reason, Reason::Number(_))),
        "{left_out:?}"
    );
    let single = exported("constraint!(|x, y| 1e300*x + x*y)", Target::CSingle);
    let line = "/* Omitted `value`: 1e300 is outside the range of single precision. */";
    assert!(single.starts_with(line), "{single}");
    let masses = "system! {
        #[solver(rolled)]
        struct S { l: Real = 1 }
        for i in 0..12 { particle p[i]: Point2 { mass: 1 + i^40 } }
        for i in 0..12 { constraint rod[i]: norm(p[i]) == l; }
    }";
    let single = exported(masses, Target::CSingle);
    let lost = "is outside the range of single precision";
    assert!(single.contains(lost), "{single}");
    assert!(!exported(masses, Target::C).contains("Omitted"));
    let far = exported(&chain(4096), Target::C);
    let line = "/* Omitted `step`: its arrays take 655360 bytes, too many for a stack. */";
    assert!(far.starts_with(line), "{}", &far[..400]);
    assert!(!far.contains("chain_step("), "{}", &far[..400]);
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
#define __launch_bounds__(threads)
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

/// In loops, and with rods between points that follow no row: what host and device read from a table.
#[test]
fn a_kernel_in_loops_moves_each_copy_as_it_goes_alone() {
    let call = "system! {
        #[solver(rolled)]
        struct S { m: [Real; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], k: Real = 3 }
        input push[12]: Vector2;
        for i in 0..12 { particle bob[i]: Point2 { mass: m[i] } }
        for i in 0..12 { force bob[i]: push[i] - m[i]*bob[i]; }
        for i in 0..12 { potential k/2*norm_squared(bob[i] - bob[(5*i*i + 3) % 12]); }
        for i in 1..12 { constraint rod[i]: norm(bob[i] - bob[i-1]) == k; }
    }";
    let cuda = exported(call, Target::Cuda);
    assert!(cuda.contains("s_places_1(int line)"), "{cuda}");
    let text = format!(
        "#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#define __host__
#define __device__
#define __global__
#define __launch_bounds__(threads)
static struct {{ int x; }} blockIdx, blockDim = {{ 2 }}, threadIdx;
{cuda}
int main(void) {{
  S own[3];
  SInputs given[3];
  double q[72], v[72];
  for (int i = 0; i < 3; i++) {{
    own[i].k = 3.0 - i;
    for (int j = 0; j < 12; j++) {{
      own[i].m[j] = 1.0 + 0.1 * j * i;
      for (int c = 0; c < 2; c++) {{
        given[i].push[j][c] = 0.1 * j - 0.2 * i * c;
        q[(2 * j + c) * 3 + i] = c ? 0.0 : own[i].k * j;
        v[(2 * j + c) * 3 + i] = 0.0;
      }}
    }}
  }}
  double x[3][24], u[3][24];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 24; j++) {{ x[i][j] = q[j * 3 + i]; u[i][j] = 0.0; }}
  for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < 2; threadIdx.x++)
      s_run(own, given, 0.0, 0.01, 10, 3, q, v);
  for (int i = 0; i < 3; i++) {{
    for (int k = 0; k < 10; k++) s_step(&own[i], &given[i], k * 0.01, 0.01, x[i], u[i]);
    double apart = 0.0, off = 0.0, speed = 0.0, c[11];
    for (int j = 0; j < 24; j++) {{
      apart += fabs(x[i][j] - q[j * 3 + i]) + fabs(u[i][j] - v[j * 3 + i]);
      speed += fabs(u[i][j]);
    }}
    s_constraint(&own[i], &given[i], 0.1, x[i], c);
    for (int j = 0; j < 11; j++) off += fabs(c[j]);
    printf(\"%a %a %a\\n\", apart, off, speed);
  }}
  return 0;
}}
"
    );
    let Some(output) = run("loops", &text) else {
        return;
    };
    for line in output.lines() {
        let found: Vec<f64> = line.split_whitespace().map(hexadecimal).collect();
        assert_eq!(found[0], 0.0, "{output}");
        assert!(found[1] < 1e-13, "the rods do not hold: {output}");
        assert!(found[2].abs() > 1e-3, "nothing moves: {output}");
    }
    assert_eq!(output.lines().count(), 3);
}

#[test]
fn the_header_of_a_library_declares_all_of_it() {
    let call = "system! {
        #[solver(rolled)]
        struct Chain { m: Real = 1, l: Real = 0.5 }
        particle bead[8]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    }";
    let pairs = [
        (Target::CHeader, Target::CLibrary),
        (Target::CHeaderSingle, Target::CLibrarySingle),
    ];
    for (declarations, definitions) in pairs {
        let [header, source] = [declarations, definitions].map(|it| exported(call, it));
        let is_one =
            |line: &&str| line.starts_with(|c: char| c.is_alphabetic()) && line.contains('(');
        let declared: Vec<&str> = header.lines().filter(is_one).collect();
        let defined: Vec<String> = source
            .lines()
            .filter(is_one)
            .map(|line| line.replace(" {", ";"))
            .collect();
        assert!(declared.len() > 10, "{header}");
        assert_eq!(declared, defined);
        assert!(
            header.contains("extern const Chain chain_default;\n"),
            "{header}"
        );
        assert!(
            header.contains("#ifndef CHAIN_H\n#define CHAIN_H\n"),
            "{header}"
        );
        assert!(
            header.ends_with("#ifdef __cplusplus\n}\n#endif\n\n#endif\n"),
            "{header}"
        );
    }
}
