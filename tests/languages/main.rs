//! Other languages beside the Rust that the macros write of the same call: the same numbers, bit for bit. CUDA C is C here,
//! by a shim in the place of a GPU; JavaScript is run by node.

#[path = "../../constraint-macros/symbolic/tests/printing/compiler.rs"]
mod compiler;
#[path = "../common/exported.rs"]
mod exported;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/texts.rs"]
mod texts;

mod everywhere;
mod random_systems;

use std::fmt::Write;
use std::process::Command;

use constraint_runtime::prelude::*;
use constraint_runtime::{Descriptor, Real, Vector};
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
        #[derivatives]
        #[solver(rolled)]
        struct Net { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
        for i in 0..5 { for j in 0..5 { particle bead[i][j]: Point2 { mass: m } } }
        for i in 0..5 { for j in 0..4 { constraint across[i][j]: norm_squared(bead[i][j + 1] - bead[i][j]) == l^2; } }
        for i in 0..4 { for j in 0..5 { constraint down[i][j]: norm_squared(bead[i + 1][j] - bead[i][j]) == l^2; } }
        for i in 0..5 { for j in 0..5 { force bead[i][j]: [0, -m*g]; } }
    }
    // Four rows for three ways to move.
    HELD: {
        #[redundant(least_squares)]
        #[derivatives]
        struct Held { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
        body plate: Rigid2 { mass: m, inertia: 0.1 }
        constraint left: at(plate, [0, l]) == [0, l];
        constraint right: at(plate, [l, l]) == [l, l];
        force plate: [0, -m*g];
    }
    // Their linearised equations are exported entry by entry: in loops, and of bodies.
    BEADS: {
        #[derivatives]
        #[solver(rolled)]
        struct Beads { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81 }
        particle bead[12]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..12 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
        for i in 0..12 { potential m*g*bead[i].y; }
    }
    TURNING: {
        #[derivatives]
        struct Turning { m: Real = 0.7, l: Real = 0.5, g: Real = 9.81 }
        body brick: Rigid3 { mass: m, inertia: [0.4, 0.3, 0.1] }
        constraint held: at(brick, [0, 0, l]) == [0, 0, 0];
        force brick: [0, 0, -m*g];
    }
    // Angles that nothing constrains, in loops, with what no round changes before them.
    CROWD: {
        #[solver(rolled)]
        struct Crowd { m: Real = 0.8, l: Real = 0.5, g: Real = 9.81, k: Real = 0.3 }
        coordinate angle[40];
        for i in 0..40 { particle bob[i] = [i + l*sin(angle[i]), -l*cos(angle[i])] { mass: m } }
        for i in 0..40 { potential m*g*bob[i].y; }
        for i in 1..40 { potential k/2*(angle[i] - angle[i-1])^2; }
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

/// What a program in another language is to print.
struct Expected {
    /// Vectors that functions are given, by name.
    given: Vec<(&'static str, Vec<f64>)>,
    /// Functions, what each is given besides parameters and the time, if anything, and what it gives back: one number, or several.
    calls: Vec<(&'static str, &'static str, bool, Vec<f64>)>,
    /// Where a step of 0.01 leads from `start` and `v`.
    step: [Vec<f64>; 2],
}

impl Expected {
    /// Line by line, the name of the result and its numbers; what a step ends at as often as there are steps.
    fn lines(&self, steps: usize) -> Vec<(&'static str, &[f64])> {
        let ends = ["q after a step", "v after a step"].into_iter();
        let ends = ends.zip(self.step.iter().map(Vec::as_slice));
        let calls = self.calls.iter().map(|it| (it.0, it.3.as_slice()));
        calls.chain((0..steps).flat_map(|_| ends.clone())).collect()
    }
}

/// What Rust finds at one state, and the calls that ask for it.
fn of_rust<T, S>(system: &S, start: fn(usize) -> f64) -> Expected
where
    T: Real<Element = T> + Into<f64>,
    S: System<T>,
{
    let (t, q, v) = (T::lit(0.3), noise::<S::Q>(0.1), noise::<S::V>(0.2));
    let b = noise::<S::Rows>(0.4);
    let fails = "the state is regular";
    let acceleration = system.acceleration(t, &q, &v).expect(fails);
    let mut calls = vec![("acceleration", "q, v", false, list(&acceleration))];
    if !b_is_empty::<S::Rows>() {
        let multipliers = system.multipliers(t, &q, &v).expect(fails);
        let force = system.constraint_force(t, &q, &v).expect(fails);
        let correction = system.correction(t, &q, &b).expect(fails);
        let rate = system.constraint_rate(t, &q, &v);
        calls.extend([
            ("multipliers", "q, v", false, list(&multipliers)),
            ("constraint_force", "q, v", false, list(&force)),
            ("constraint", "q", false, list(&system.constraint(t, &q))),
            ("constraint_rate", "q, v", false, list(&rate)),
            ("bias", "q, v", false, list(&system.bias(t, &q, &v))),
            ("correction", "q, b", false, list(&correction)),
        ]);
    }
    let energies = [
        system.kinetic_energy(t, &q, &v),
        system.potential_energy(t, &q),
    ];
    let energies = energies.map(|it| vec![it.into()]);
    let [kinetic, potential] = energies;
    let applied = system.applied(t, &q, &v).expect(fails);
    calls.push(("applied", "q, v", false, list(&applied)));
    let d = S::V::LEN.expect("a length");
    if d * d <= MOST_NUMBERS {
        let mass = system.mass_matrix(t, &q).transpose();
        let mass = mass.iter().map(|&it| it.into()).collect();
        calls.push(("mass_matrix", "q", false, mass));
    }
    calls.push(("kinetic_energy", "q, v", true, kinetic));
    calls.push(("potential_energy", "q", true, potential));
    let mut begin = S::Q::blank();
    (0..S::Q::LEN.expect("a length")).for_each(|i| begin[i] = T::lit(start(i)));
    let given = vec![
        ("q", list(&q)),
        ("v", list(&v)),
        ("b", list(&b)),
        ("start", list(&begin)),
    ];
    let (q, v) = stepped(system, t, begin);
    Expected {
        given,
        calls,
        step: [list(&q), list(&v)],
    }
}

/// Adds the entries of E and A, where they stand, and the matrices of the slopes, row by row.
fn linearized<
    T,
    S,
    const N: usize,
    const M: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    mut expected: Expected,
    system: &S,
) -> Expected
where
    T: Real<Element = T> + Into<f64>,
    S: Descriptor<T>
        + Derivatives<
            T,
            Linearization = Linearization<T, N, STATES, U, P>,
            MultiplierLinearization = Linearization<T, M, STATES, U, P>,
        >,
{
    let (t, q, v) = (T::lit(0.3), noise::<S::Q>(0.1), noise::<S::V>(0.2));
    let fails = "the state is regular";
    let motion = system.linearize(t, &q, &v).expect(fails);
    let both = system.linearize_with_multipliers(t, &q, &v).expect(fails);
    let both = [rows_of(&both.0), rows_of(&both.1)].concat();
    expected.calls.extend([
        ("linearize", "q, v", false, rows_of(&motion)),
        ("linearize_with_multipliers", "q, v", false, both),
    ]);
    let (a, lambda) = (noise::<S::V>(0.5), noise::<S::Rows>(0.6));
    let (mut values, mut places) = (Vec::new(), Vec::new());
    system.descriptor(t, &q, &v, &a, &lambda, &mut |matrix, row, column, entry| {
        values.push(entry.into());
        places.extend([matrix as usize, row, column].map(|it| it as f64));
    });
    expected
        .given
        .extend([("a", list(&a)), ("lambda", list(&lambda))]);
    expected.calls.extend([
        ("descriptor", "q, v, a, lambda", false, values),
        ("descriptor_entries", "", false, places),
    ]);
    expected
}

/// The entries of matrices, row by row.
fn rows_of<
    T: Real<Element = T> + Into<f64>,
    const N: usize,
    const STATES: usize,
    const U: usize,
    const P: usize,
>(
    Linearization { a, b, p }: &Linearization<T, N, STATES, U, P>,
) -> Vec<f64> {
    let (a, b, p) = (a.transpose(), b.transpose(), p.transpose());
    let all = a.iter().chain(&b).chain(&p);
    all.map(|&it| it.into()).collect()
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
        let (rate, slope) = if S::PROPERTIES.own_frames.is_empty() {
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
    for frames in S::PROPERTIES.own_frames {
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

/// Compares what a program printed with what it was to print.
#[track_caller]
fn compare(
    what: &str,
    output: &str,
    expected: &[(&str, &[f64])],
    read: fn(&str) -> f64,
    apart: f64,
) {
    assert_eq!(output.lines().count(), expected.len(), "{what}");
    for (line, (function, expected)) in output.lines().zip(expected) {
        let found: Vec<f64> = line.split_whitespace().map(read).collect();
        assert_eq!(found.len(), expected.len(), "{function}, {what}");
        for (found, expected) in found.iter().zip(*expected) {
            let equal = found.to_bits() == expected.to_bits();
            let near = (found - expected).abs() <= apart * expected.abs().max(1.0);
            assert!(equal || near, "{function}, {what}: {found} for {expected}");
        }
    }
}

/// As many as a result may have.
const MOST_NUMBERS: usize = 10_000;

/// The words of CUDA C that C lacks, and the one block that runs.
const SHIM: &str = "#include <math.h>
#include <stdbool.h>
#define __host__
#define __device__
#define __global__
#define __launch_bounds__(threads)
static struct { int x; } blockIdx, blockDim = { 2 }, threadIdx;
";

/// `static const Chain chain_default = { … };`
fn defaults<'a>(header: &'a str, name: &str) -> &'a str {
    let begin = header
        .find(&format!("{name}_default = "))
        .expect("defaults");
    let begin = header[..begin].rfind("static").expect("what they are");
    let end = header[begin..].find("};").expect("their end");
    &header[begin..begin + end + 2]
}

/// Compares C or CUDA C of one precision with the Rust of the same.
#[track_caller]
fn agree_in_c(call: &str, target: Target, name: &str, expected: &Expected) {
    let header =
        |target| export(call.parse().expect("tokens"), target).expect("it can be exported");
    let single = matches!(target, Target::CSingle | Target::CudaSingle);
    let cuda = matches!(target, Target::Cuda | Target::CudaSingle);
    let number = if single { "float" } else { "double" };
    let mut text = header(target);
    if cuda {
        let c = header(if single { Target::CSingle } else { Target::C });
        text = format!("{SHIM}{text}{}\n", defaults(&c, name));
    }
    let ty = name[..1].to_uppercase() + &name[1..];
    let [n, d] = [0, 1].map(|i| expected.step[i].len());
    let out = &mut text;
    let write = "a string";
    write!(
        out,
        "
#include <stdio.h>
typedef {number} number;
static number result[{MOST_NUMBERS}];
static void print_result(int length) {{
  for (int i = 0; i < length; i++) printf(\"%a \", (double)result[i]);
  printf(\"\\n\");
}}
static void print_every(const number *x, int apart, int length) {{
  for (int i = 0; i < length; i++) result[i] = x[i * apart];
  print_result(length);
}}
int main(void) {{
  const number t = 0.3;
  const {ty} own = {name}_default;
"
    )
    .expect(write);
    for (vector, values) in expected.given.iter().filter(|it| !it.1.is_empty()) {
        let values: Vec<String> = values.iter().map(|it| format!("{it:?}")).collect();
        let values = values.join(", ");
        writeln!(out, "  static const number {vector}[] = {{ {values} }};").expect(write);
    }
    for (function, arguments, is_number, values) in &expected.calls {
        let length = values.len();
        if arguments.is_empty() {
            writeln!(out, "  {name}_{function}(result); print_result({length});")
        } else if *is_number {
            writeln!(
                out,
                "  result[0] = {name}_{function}(&own, t, {arguments}); print_result(1);"
            )
        } else {
            writeln!(
                out,
                "  {name}_{function}(&own, t, {arguments}, result); print_result({length});"
            )
        }
        .expect(write);
    }
    write!(
        out,
        "  number x[{n}], u[{d}];
  for (int i = 0; i < {n}; i++) x[i] = start[i];
  for (int i = 0; i < {d}; i++) u[i] = v[i];
  {name}_step(&own, t, (number)0.01, x, u);
  print_every(x, 1, {n});
  print_every(u, 1, {d});
"
    )
    .expect(write);
    if cuda {
        // Three copies in two blocks, of which the last is printed.
        write!(
            out,
            "  const {ty} owns[3] = {{ own, own, own }};
  static number xs[3 * {n}], us[3 * {d}];
  for (int i = 0; i < 3 * {n}; i++) xs[i] = start[i / 3];
  for (int i = 0; i < 3 * {d}; i++) us[i] = v[i / 3];
  for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < 2; threadIdx.x++)
      {name}_run(owns, t, (number)0.01, 1, 3, xs, us);
  print_every(xs + 2, 3, {n});
  print_every(us + 2, 3, {d});
"
        )
        .expect(write);
    }
    text += "  return 0;\n}\n";
    let what = format!("{name}-{target:?}");
    if let Some(output) = run(&what, &text) {
        compare(
            &what,
            &output,
            &expected.lines(1 + usize::from(cuda)),
            hexadecimal,
            0.0,
        );
    }
}

/// Compares JavaScript with Rust: bit for bit but where sines are.
#[track_caller]
fn agree_in_javascript(call: &str, name: &str, expected: &Expected, apart: f64) {
    let text_in =
        |target| export(call.parse().expect("tokens"), target).expect("it can be exported");
    let (mut text, header) = (text_in(Target::JavaScript), text_in(Target::C));
    let own = defaults(&header, name).split_once('{').expect("values").1;
    let own = own
        .replace("};", "")
        .replace(" = ", ": ")
        .replace("  .", "  ");
    text += &format!(
        "const own = {{{own}}}, t = 0.3;
const sign = (it) => Object.is(it, -0) ? '-0' : String(it);
const flat = (it) => (typeof it === 'object' ? Object.values(it).flatMap(flat) : [it]);
const print_numbers = (it) => console.log(flat(it).map(sign).join(' '));
"
    );
    for (vector, values) in &expected.given {
        text += &format!("const {vector} = {values:?};\n");
    }
    for (function, arguments, ..) in &expected.calls {
        let given = match *arguments {
            "" => String::new(),
            arguments => format!("own, t, {arguments}"),
        };
        text += &format!("print_numbers({function}({given}));\n");
    }
    text += "step(own, t, 0.01, start, v);\nprint_numbers(start);\nprint_numbers(v);\n";
    let file = std::env::temp_dir().join(format!("constraint-{name}-{}.js", std::process::id()));
    std::fs::write(&file, &text).expect("the script is written");
    let output = Command::new("node").arg(&file).output();
    std::fs::remove_file(&file).expect("the script is removed");
    let Ok(output) = output else {
        eprintln!("skipped: node is not installed, so no JavaScript was run");
        return;
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let output = String::from_utf8(output.stdout).expect("numbers");
    let read = |it: &str| it.parse().expect("a number");
    compare(
        &format!("{name}, JavaScript"),
        &output,
        &expected.lines(1),
        read,
        apart,
    );
}

curve! { struct Track { a: Real } |s in -2..=2| if s < 0 { [s, 0] } else { [s, a*s^3] } }
const TRACK: &str = stringify!(
    curve! { struct Track { a: Real } |s in -2..=2| if s < 0 { [s, 0] } else { [s, a*s^3] } }
);

/// C is handed the force in the place of its law.
#[test]
fn a_bead_on_a_track_under_a_force() {
    let mut text = export(TRACK.parse().expect("tokens"), Target::C).expect("it can be exported");
    text += "#include <stdio.h>\nint main(void) {\n  const Track own = { 1.5 };\n";
    let (track, rate, mass, damping) = (Track { a: 1.5 }, 0.7, 2.0, 0.3);
    let mut expected = Vec::new();
    for place in [-0.5, 0.8] {
        let force = |r: &SVector<f64, 2>, v: &SVector<f64, 2>| Vector2::new(r.x - v.y, -9.81);
        let (tangent, r) = (track.tangent(place), track.position(place));
        let [x, y]: [f64; 2] = force(&r, &(tangent * rate)).into();
        let acceleration = track.acceleration_under(place, rate, mass, damping, force);
        expected.push(acceleration.expect("the tangent does not vanish"));
        text += &format!(
            "  printf(\"%a\\n\", track_acceleration_under(&own, {place:?}, {rate:?}, {mass:?}, {damping:?}, (const double[2]) {{ {x:?}, {y:?} }}));\n"
        );
    }
    text += "  return 0;\n}\n";
    if let Some(output) = run("track", &text) {
        let found: Vec<f64> = output.split_whitespace().map(hexadecimal).collect();
        assert_eq!(found, expected);
    }
}

/// Compares all languages but WGSL, whose numbers `tests/wgsl` compares, with Rust.
macro_rules! alike {
    ($($test:ident: $system:ident, $text:ident, $name:literal, $start:expr, $apart:literal $(, $more:ident)?;)*) => {$(
        #[test]
        fn $test() {
            let system = $system::<f64>::default();
            let double = of_rust::<f64, _>(&system, $start);
            $(let double = $more(double, &system);)?
            agree_in_c($text, Target::C, $name, &double);
            agree_in_c($text, Target::Cuda, $name, &double);
            agree_in_javascript($text, $name, &double, $apart);
            let system = $system::<f32>::default();
            let single = of_rust::<f32, _>(&system, $start);
            $(let single = $more(single, &system);)?
            agree_in_c($text, Target::CSingle, $name, &single);
            agree_in_c($text, Target::CudaSingle, $name, &single);
        }
    )*};
}

alike! {
    a_chain_written_out: Eight, WRITTEN_OUT, "eight", anywhere, 0.0;
    a_chain_in_loops: Chain, CHAIN, "chain", anywhere, 0.0;
    a_chain_whose_vectors_stand_on_the_heap: Long, LONG, "long", anywhere, 0.0;
    bodies_in_loops: Links, LINKS, "links", hanging, 0.0;
    bodies_of_several_kinds: Pair, PAIR, "pair", anywhere, 0.0;
    bodies_in_the_plane: Plane, PLANE, "plane", anywhere, 0.0;
    a_net_in_panels: Net, NET, "net", anywhere, 0.0, linearized;
    rows_that_follow_from_others: Held, HELD, "held", anywhere, 0.0, linearized;
    a_linearised_chain_in_loops: Beads, BEADS, "beads", anywhere, 0.0, linearized;
    a_linearised_body: Turning, TURNING, "turning", anywhere, 0.0, linearized;
    angles_in_loops: Crowd, CROWD, "crowd", anywhere, 1e-14;
    a_bead_by_its_coordinate: Bead, BEAD, "bead", anywhere, 1e-14;
}
