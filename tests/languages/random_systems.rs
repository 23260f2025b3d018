//! Random systems in other languages, in loops and written out: C returns the interpreter's numbers bit for bit, JavaScript and
//! Python the same but for the last digits of their mathematical functions.

#[path = "../../constraint-macros/symbolic/tests/loops/coupled.rs"]
mod coupled;
#[path = "../../constraint-macros/symbolic/tests/loops/grammar.rs"]
mod grammar;
#[path = "../../constraint-macros/symbolic/tests/loops/points.rs"]
mod points;
#[path = "../../constraint-macros/symbolic/tests/loops/rows.rs"]
mod rows;

use constraint_symbolic::call::{Call, MacroKind};
use constraint_symbolic::export::Target;
use proc_macro2::Span;

use crate::everywhere::{LANGUAGES, agree, differences};
use crate::exported::Case;
use crate::random::{Random, seeds};

/// Systems per run; `CONSTRAINT_CASES=10000` for more.
const CASES: u64 = 12;
/// So many are one program of each language.
const AT_ONCE: u64 = 48;
/// What single precision changes in a result at most: beyond, the equations are nearly singular, and sines that differ in
/// their last digit show.
const MOST_BLURRED: f64 = 1e-2;

/// Reasons for which random rows are refused.
const EXCUSED: [&str; 4] = [
    "cannot be solved in loops",
    "follows from",
    "no gradient",
    "does not depend on any coordinate",
];

/// A system and its numbers; nothing where it is refused, or nearly singular.
fn case(seed: u64) -> Option<Case> {
    let kinds = [
        rows::system,
        rows::system,
        points::system,
        grammar::system,
        coupled::system,
    ];
    let form = ["rolled", "rolled", "unrolled"][seed as usize % 3];
    let mut random = Random::new(seed);
    let system = kinds[seed as usize / 3 % kinds.len()];
    let text = format!("#[solver({form})] {}", system(&mut random));
    let call = Call {
        kind: MacroKind::System,
        body: text.parse().expect("tokens"),
        start: Span::call_site(),
        name: Some("S".to_owned()),
    };
    let name = format!("R{seed}");
    let case = Case::attempted(&call, &name, &mut random, &LANGUAGES).map_err(|diagnostics| {
        let excused = |message: &str| EXCUSED.iter().any(|part| message.contains(part));
        for diagnostic in diagnostics.iter() {
            let message = &diagnostic.message;
            assert!(excused(message), "{message}\n{text}");
        }
    });
    let case = case.ok()?;
    let is_clear = |blurred: f64| blurred < MOST_BLURRED;
    let mut functions = case.functions.iter();
    functions.all(|it| is_clear(it.blurred)).then_some(case)
}

#[test]
fn random_systems_are_the_same_in_every_language() {
    let all = seeds(CASES);
    let count = all.end - all.start;
    let (mut compared, mut functions, mut apart) = (0, 0, Vec::new());
    for begin in all.clone().step_by(AT_ONCE as usize) {
        let seeds = begin..(begin + AT_ONCE).min(all.end);
        let cases: Vec<Case> = seeds.filter_map(case).collect();
        apart.extend(differences(&format!("random{begin}"), &cases));
        compared += cases.len();
        functions += cases.iter().map(|it| it.functions.len()).sum::<usize>();
    }
    println!("{compared} systems, {functions} functions");
    assert!(apart.is_empty(), "{}", apart.join("\n"));
    assert!(2 * compared as u64 >= count, "{compared} of {count}");
}

/// Rows in panels, which the interpreter once summed in another order than generated code.
const PANELS: &str = "#[solver(rolled)]
    pub struct Panels { l: Real, g: Real }
    for i in 0..2 { particle a[i]: Point3 { mass: 2 } }
    for i in 0..4 { particle b[i]: Point3 { mass: (1 + 0.3*i) } }
    for i in 0..4 { particle c[i]: Point3 { mass: l } }
    constraint c3: c[0].y*c[1].x + c[3].z == l;
    constraint c10: c[1].x*b[3].x + b[0].y == l;
    constraint c4: c[1].z*b[0].z + b[3].x == l;
    constraint c15: b[3].x*a[0].y + b[2].x == l;
    constraint c7: c[3].z*c[1].y + a[0].x == l;
    constraint c5: b[2].z*c[2].x + b[0].x == l;
    constraint c0: b[1].x*c[0].y + c[1].z == l;
    constraint c11: c[0].x*c[1].x + c[1].y == l;
    constraint c19: c[2].y*b[1].z + c[0].z == l;
    constraint c16: b[3].x*c[3].z + c[1].y == l;
    constraint c1: a[0].z*a[0].x + b[1].z == l;
    constraint c6: b[0].y*c[2].z + c[3].y == l;
    constraint c9: a[1].z*c[0].y + b[2].z == l;
    constraint c20: c[2].y*b[3].y + c[1].z == l;
    constraint c18: a[1].x*a[0].z + b[0].y == l;
    constraint c17: b[3].y*a[1].x + c[3].z == l;
    constraint c13: c[2].x*a[0].x + b[2].y == l;
    constraint c14: a[0].z*b[2].y + c[2].z == l;
    constraint c8: b[3].y*a[1].z + a[0].x == l;
    constraint c2: c[2].y*c[2].z + b[1].x == l;
    constraint c12: b[3].z*a[0].x + b[2].x == l;
    potential g*a[0].x^2*b[2].z;
    dissipation l*velocity(b[0].z)^2;
    force c[0].y: g*b[2].y;
    gravity [-g, 0, 0];";

/// Derivatives of particles that do not move: only their rows and columns in a matrix depend on the round of a loop.
const TABLES: &str = "#[solver(rolled)] #[derivatives]
    pub struct Tables { l: Real, g: Real, mass_a: [Real; 2], mass_c: [Real; 3] }
    for i in 0..2 { particle a[i]: Point2 { mass: mass_a[i] } }
    for i in 0..3 { particle b[i]: Point2 { mass: (1 + 0.3*i) } }
    coordinate c[3];
    for i in 0..3 { kinetic mass_c[i]*velocity(c[i])^2; }
    constraint c4: b[2] == [0, 0];
    constraint c1: a[1] == [0, 0];
    constraint c2: a[0] == [0, 0];
    constraint c0: b[0] == [0, 0];
    constraint c3: b[1] == [0, 0];
    force b[1].x: g*c[0];
    dissipation l*velocity(c[1])^2;
    gravity [-g, 0];";

/// Rows that are nearly dependent: last digits of exponentials and sines change a step far more than themselves.
const NEARLY_SINGULAR: &str = "#[solver(rolled)] #[derivatives]
    pub struct Singular { g: Real, l: Real, m: [Real; 8], k: [Vector2; 8] }
    input push[8]: Vector2;
    for i in 0..8 { particle bead[i]: Point2 { mass: m[i] } }
    for i in 0..8 { constraint rod[i]: bead[i].x*bead[(i + 1) % 8].y + exp(l*bead[i].y) == l; }
    for i in 0..8 { constraint wire[i]: sin(bead[i].x) + t*bead[i].y == 0; }
    gravity [0, -g];
    for i in 0..8 { force bead[i]: push[i]; }
    for i in 1..8 { potential k[i].y*norm_squared(bead[i] - bead[i-1]); }
    for i in 0..8 { dissipation (i + 2)*l*norm_squared(velocity(bead[i])); }";

/// A system by its text, with random numbers.
fn fixed(text: &str, name: &str) -> Case {
    let call = Call {
        kind: MacroKind::System,
        body: text.parse().expect("tokens"),
        start: Span::call_site(),
        name: Some(name.to_owned()),
    };
    Case::new(&call, name, &mut Random::new(0), &LANGUAGES)
}

#[test]
fn systems_that_once_differed_are_the_same() {
    agree("panels", &[fixed(PANELS, "Panels")]);
    agree("tables", &[fixed(TABLES, "Tables")]);
    agree("singular", &[fixed(NEARLY_SINGULAR, "Singular")]);
}

#[test]
fn a_fault_in_the_twelfth_digit_is_found_in_each_language() {
    for (target, name, function) in [
        (Target::JavaScript, "JavaScript", "Math.exp("),
        (Target::Python, "Python", "np.exp("),
    ] {
        let mut case = fixed(NEARLY_SINGULAR, "Singular");
        case.replace(target, function, &format!("{function}1e-12 + "));
        let found = differences(&format!("fault-{name}"), &[case]);
        assert!(found.iter().all(|it| it.starts_with(name)), "{found:?}");
        assert!(!found.is_empty(), "{name}");
    }
}
