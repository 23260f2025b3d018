//! Functions as JavaScript: how they read, and that node computes what the programs do.

use constraint_symbolic::expr::SortedMap;
use std::ops::Range;
use std::process::Command;

use constraint_symbolic::call::{Reader, calls};
use constraint_symbolic::compile::{analyze, analyze_curve, analyze_system};
use constraint_symbolic::emit::JavaScript;
use constraint_symbolic::function::{Argument, Row, Signature, constraint, curve, system};
use constraint_symbolic::model::{Declared, Model, Parameter, Role};
use constraint_symbolic::schedule::Program;

/// The functions of the inside of a call.
fn functions(source: &str) -> SortedMap<&'static str, String> {
    let call = calls(source.parse().expect("tokens")).swap_remove(0);
    let exported = call.certified(Reader::Person, |it| it.exported(&JavaScript));
    exported.expect("a valid call").functions
}

#[test]
fn every_operation_is_written() {
    let functions = functions(
        "struct S { a: Real, new: Vector2 } |s in 0..=1| [
            sin(s)*cos(s) + atan2(a, s)/s - exp(-s),
            if s < 1/2 && !(a >= s) || a == 2 { ln(s) } else { min(s, new.y) - (3/4 - a) }]",
    );
    let position = "\
function position(self, s) {
  const a = self.a;
  const [, new_y] = self.new;
  if (s < 0.5 && !(a >= s) || a === 2.0) {
    const sin_s = Math.sin(s);
    const cos_s = Math.cos(s);
    return [sin_s * cos_s + Math.atan2(a, s) / s - Math.exp(-s), Math.log(s)];
  } else {
    const sin_s = Math.sin(s);
    const cos_s = Math.cos(s);
    return [sin_s * cos_s + Math.atan2(a, s) / s - Math.exp(-s), Math.min(s, new_y) + a - 0.75];
  }
}
";
    assert_eq!(functions["position"], position);
    let piece = "\
function piece(self, s) {
  const a = self.a;
  const [, new_y] = self.new;
  return 4.0 * (s <= new_y ? 1.0 : 0.0) + (s < 0.5 ? 1.0 : 0.0) + 2.0 * (a >= s ? 1.0 : 0.0);
}
";
    assert_eq!(functions["piece"], piece);
}

#[test]
fn a_force_is_asked_for_once_place_and_velocity_are_known() {
    let functions = functions("struct S { new: Real } |s in 0..=1| [s, new*s^2]");
    let motion = "\
function acceleration_under(self, s, s_dot, m, b, f) {
  const new_ = self.new;
  const t1 = s * new_;
  const t2 = 2.0 * t1;
  const metric = t2 * t2 + 1.0;
  const [f_x, f_y] = f([s, s * t1], [s_dot, s_dot * t2]);
  const t3 = t2 * (f_y - 2.0 * (new_ * (s_dot * s_dot) * m)) + f_x;
  return (t3 - s_dot * b * metric) / (m * metric);
}
";
    assert_eq!(functions["acceleration_under"], motion);
}

// ---- run by node --------------------------------------------------------------------------------

/// A value for each leaf, all different.
fn value(role: Role) -> f64 {
    let (kind, i) = match role {
        Role::Time => (0.7, 0),
        Role::Coordinate(i) => (0.3, i),
        Role::Velocity(i) => (-1.1, i),
        Role::Force(i) => (2.0, i),
        Role::RightHandSide(i) => (-0.4, i),
        Role::InverseMass(i) => (0.6, i),
        Role::InverseInertia(i) => (1.9, i),
        Role::Input(i) => (0.9, i),
        Role::Acceleration(i) => (0.8, i),
        Role::Mass => (1.7, 0),
        Role::Damping => (0.05, 0),
        Role::Parameter {
            parameter,
            component,
        } => (1.3, 3 * parameter + component),
        other => panic!("{other:?} is no leaf of a function"),
    };
    kind + 0.11 * i as f64
}

fn vector(role: fn(usize) -> Role, indices: Range<usize>) -> String {
    format!("{:?}", indices.map(role).map(value).collect::<Vec<f64>>())
}

/// An argument: of coordinates, velocities, rows and bodies so many.
fn argument(argument: Argument, [n, d, rows, bodies]: [usize; 4]) -> String {
    let each = |body: &dyn Fn(usize) -> String| {
        let bodies: Vec<String> = (0..bodies).map(body).collect();
        format!("[{}]", bodies.join(", "))
    };
    let flat = |role| each(&|body| vector(role, body * d..(body + 1) * d));
    match argument {
        Argument::Coordinates if bodies > 0 => each(&|body| pose(body, d)),
        Argument::InverseMasses if bodies > 0 => each(&|body| inverse_mass(body, d)),
        Argument::Velocities if bodies > 0 => flat(Role::Velocity),
        Argument::Forces if bodies > 0 => flat(Role::Force),
        Argument::Time => value(Role::Time).to_string(),
        Argument::Mass => value(Role::Mass).to_string(),
        Argument::Damping => value(Role::Damping).to_string(),
        Argument::Parameter => value(Role::Coordinate(0)).to_string(),
        Argument::Rate => value(Role::Velocity(0)).to_string(),
        Argument::Coordinates => vector(Role::Coordinate, 0..n),
        Argument::Velocities => vector(Role::Velocity, 0..d),
        Argument::Accelerations => vector(Role::Acceleration, 0..d),
        Argument::InverseMasses => vector(Role::InverseMass, 0..d),
        Argument::Forces => vector(Role::Force, 0..d),
        Argument::RightHandSide => vector(Role::RightHandSide, 0..rows),
        Argument::AccelerationAdjoint => vector(Role::AccelerationAdjoint, 0..d),
        Argument::MultiplierAdjoint => vector(Role::MultiplierAdjoint, 0..rows),
        Argument::CorrectionAdjoint => vector(Role::CorrectionAdjoint, 0..d),
        Argument::Tangent
        | Argument::ForceTangent
        | Argument::ForceAdjoint
        | Argument::Multipliers
        | Argument::Entries
        | Argument::OutputAdjoint
        | Argument::SideForces
        | Argument::SideAdjoint => {
            unreachable!("no derivatives are asked for")
        }
        Argument::ForceLaw => format!("(r, v) => {}", vector(Role::Force, 0..d)),
    }
}

fn pose(body: usize, d: usize) -> String {
    let number = |i| value(Role::Coordinate(i));
    if d == 3 {
        let [first, re, im] = [0, 2, 3].map(|i| 4 * body + i);
        let (place, re, im) = (vector(Role::Coordinate, first..re), number(re), number(im));
        return format!(
            "{{ translation: {{ vector: {place} }}, rotation: {{ re: {re}, im: {im} }} }}"
        );
    }
    let [first, turn, end] = [0, 3, 7].map(|i| 7 * body + i);
    let [place, turn] = [first..turn, turn..end].map(|range| vector(Role::Coordinate, range));
    format!("{{ translation: {{ vector: {place} }}, rotation: {{ coords: {turn} }} }}")
}

fn inverse_mass(body: usize, d: usize) -> String {
    let (mass, entry) = (value(Role::InverseMass(body)), |i| {
        value(Role::InverseInertia(i))
    });
    if d == 3 {
        return format!("{{ mass: {mass}, inertia: {} }}", entry(body));
    }
    let rows = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    let rows = rows.map(|row| row.map(|k| entry(6 * body + k)));
    format!("{{ mass: {mass}, inertia: {rows:?} }}")
}

/// What a type's functions are, and the program of each.
struct Case<'a> {
    functions: SortedMap<&'static str, String>,
    model: &'a Model,
    sizes: [usize; 4],
    inputs: &'a str,
    programs: Vec<(Signature, Program)>,
}

impl Case<'_> {
    /// Compares with what the engine's own interpreter makes of programs of the same quantities.
    fn check(&self, least: usize) {
        let told =
            |(signature, _): &&(Signature, Program)| self.functions.contains_key(signature.name);
        let told: Vec<&(Signature, Program)> = self.programs.iter().filter(told).collect();
        assert!(told.len() >= least, "{:?}", self.functions.iter());
        let output = Command::new("node")
            .args(["-e", &self.script(&told)])
            .output();
        let Ok(output) = output else {
            eprintln!("skipped: node is not installed, so nothing was run");
            return;
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}\n{}", self.script(&told));
        let output = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.lines().count(), told.len());
        for (line, (signature, program)) in output.lines().zip(told) {
            let found: Vec<f64> = line
                .split(' ')
                .map(|it| it.parse().expect("a number"))
                .collect();
            let expected =
                program.evaluate(|symbol| value(self.model.symbols[symbol.index()].role));
            // What is checked or handed to a force stands before the result.
            let expected = &expected[expected.len() - found.len()..];
            for (found, expected) in found.iter().zip(expected) {
                let near = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                assert!(near, "{}: {found} for {expected}", signature.name);
            }
        }
    }

    /// Prints a line for each function: its numbers in order.
    fn script(&self, told: &[&(Signature, Program)]) -> String {
        let field = |(parameter, declared): (usize, &Parameter)| {
            let role = |component| Role::Parameter {
                parameter,
                component,
            };
            let values: Vec<f64> = (0..declared.shape.len()).map(role).map(value).collect();
            match &values[..] {
                [single] => format!(", {}: {single}", declared.name),
                _ => format!(", {}: {values:?}", declared.name),
            }
        };
        let fields: String = self
            .model
            .parameters
            .iter()
            .enumerate()
            .map(field)
            .collect();
        let inputs = self.inputs;
        let calls = told.iter().map(|(signature, _)| {
            let given = signature.arguments.iter();
            let given: String = given
                .map(|&it| format!(", {}", argument(it, self.sizes)))
                .collect();
            format!(
                "console.log(flat({}(own{given})).join(' '));\n",
                signature.name
            )
        });
        let functions: String = self.functions.values().cloned().collect();
        let calls: String = calls.collect();
        format!(
            "{functions}
            const own = {{ inputs: (t, q, v) => ({inputs}){fields} }};
            const flat = (it) => typeof it === 'number' ? [it] : Object.values(it).flatMap(flat);
            {calls}"
        )
    }
}

#[test]
fn node_computes_curves_as_the_programs_do() {
    let sources = [
        "struct S { a: Real } |s in 0..=TAU| { let d = 1 + sin(s)^2; [a*cos(s)/d, a*sin(s)*cos(s)/d] }",
        "struct S { g: Vector3, new: Real } |s in 0..=2*new| [new*s, g.x*s^3, abs(g.z - s)]",
        "struct S { r: Real } |s in -PI/2..=2| if s < 0 { [r*sin(s), r*(1 - cos(s))] } else { [r*s, 0] }",
        "struct S; |s in -1..=2| if s < 1 { if s < 0 { [s, 0] } else { [s, s^2] } } else { [s, 2*s - 1] }",
    ];
    for source in sources {
        let derived = analyze_curve(source.parse().expect("tokens")).expect("a curve");
        let program = |row: &Row<&[_]>| (row.signature, derived.plain_program(row.quantity));
        let case = Case {
            functions: functions(source),
            model: &derived.curve.model,
            sizes: [derived.dimension(), derived.dimension(), 0, 0],
            inputs: "0",
            programs: curve::TABLE.iter().map(program).collect(),
        };
        case.check(8);
    }
}

#[test]
fn node_computes_constraints_as_the_programs_do() {
    let sources = [
        "struct S { l: Real } |a: Point2, t: Time| norm(a) == l*(2 + sin(t))",
        "struct S { l: Real } |x, y, z| [x*y + sin(z) == l, x + y*z == 2]",
        "struct S { r1: Vector2, r2: Vector2, l: Real } |a: Rigid2, b: Rigid2| norm(a.at(r1) - b.at(r2)) == l",
        "struct S { r1: Vector3, r2: Vector3, l: Real } |a: Rigid3, b: Rigid3| norm(a.at(r1) - b.at(r2)) == l",
    ];
    for source in sources {
        let derived = analyze(source.parse().expect("tokens")).expect("a constraint");
        let model = &derived.model;
        let (n, rows, bodies) = (
            model.coordinate_count(),
            model.rows.len(),
            model.bodies.len(),
        );
        let d = if bodies > 0 {
            model.body_velocities()
        } else {
            n
        };
        let program = |row: &Row<&[_]>| (row.signature, derived.plain_program(row.quantity));
        let case = Case {
            functions: functions(source),
            model,
            sizes: [n, d, rows, bodies],
            inputs: "0",
            programs: constraint::table(bodies > 0).iter().map(program).collect(),
        };
        case.check(9);
    }
}

#[test]
fn node_computes_systems_as_the_programs_do() {
    let sources = [
        (
            "struct S { m: Real, l1: Real, l2: Real }
            particle a: Point2 { mass: m }
            particle b: Point2 { mass: 2 }
            constraint first: norm(a) == l1;
            constraint second: norm(b - a) == l2;
            potential 9.81*m*a.y + 3*sin(t)*b.x;",
            "0",
            11,
        ),
        (
            "struct S { m: Real, l: Real }
            input push: Vector2, wind: Real;
            coordinate x, angle;
            particle bob = [x + l*sin(angle), -l*cos(angle)] { mass: m }
            kinetic velocity(x)^2;
            force bob: push + wind*velocity(bob);",
            "{ push: [0.9, 1.01], wind: 1.12 }",
            3,
        ),
    ];
    for (source, inputs, least) in sources {
        let derived = analyze_system(source.parse().expect("tokens")).expect("a system");
        let system = &derived.system;
        let velocities = system.declared.iter().map(Declared::velocities).sum();
        let program = |row: &Row<_>| (row.signature, derived.plain_program(&[row.quantity]));
        let case = Case {
            functions: functions(source),
            model: &system.model,
            sizes: [system.scalars(), velocities, system.rows.len(), 0],
            inputs,
            programs: system::TABLE.iter().map(program).collect(),
        };
        case.check(least);
    }
}

#[test]
fn bodies_are_taken_apart_only_where_they_are_read() {
    let source = "|a: Rigid2, b: Rigid2| at(a, [0, 0]).x - at(b, [0, 0]).x";
    let functions = functions(source);
    assert!(functions["value"].contains("const [a, b_] = q;"));
    // J is constant.
    assert!(
        !functions["jacobian"].contains("= q;"),
        "{}",
        functions["jacobian"]
    );
}
