//! The certificate: it finds every fault that changes a value, and none where there is none.

use constraint_symbolic::certify::{self, Certificate, Refuted};
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::function::Function;
use constraint_symbolic::model::Model;
use constraint_symbolic::syntax::{ast, statement};
use constraint_symbolic::{constraint, curve, function, model, syntax, system};
use proc_macro2::TokenStream;

mod constants;
mod derivatives;
mod doors;
#[path = "../fuzz/grammar/mod.rs"]
#[allow(dead_code)]
mod grammar;
mod limbs;
mod mutants;
mod reasons;
mod repository;
mod trees;

/// A call on its way through the engine.
struct Listed {
    tree: Tree,
    model: Model,
    functions: Vec<Function<'static>>,
}

enum Tree {
    Constraint(Box<ast::Constraint>),
    Curve(Box<ast::Curve>),
    System(Box<statement::System>, &'static system::Derived),
}

impl Listed {
    /// That of a macro by its name.
    fn of(name: &str, text: &str) -> Option<Listed> {
        let tokens = text.parse().ok()?;
        match name {
            "constraint" => Listed::constraint(tokens),
            "curve" => Listed::curve(tokens),
            "system" => Listed::system(tokens),
            _ => None,
        }
    }

    fn new(text: &str) -> Option<Listed> {
        Listed::constraint(text.parse().ok()?)
    }

    fn constraint(tokens: TokenStream) -> Option<Listed> {
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse(tokens, &mut diagnostics)?;
        let model = model::lower(&tree, &mut diagnostics)?;
        let derived = constraint::derive(model, &mut diagnostics)?;
        let names = function::constraint::names(&derived.model);
        Some(Listed {
            tree: Tree::Constraint(Box::new(tree)),
            functions: function::constraint::functions(&derived, &names),
            model: derived.model,
        })
    }

    /// A `constraint!` with rows of one side.
    fn sided(tokens: TokenStream) -> Option<Listed> {
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse_sided(tokens, &mut diagnostics)?.system;
        Listed::of_system(tree, &mut diagnostics)
    }

    fn curve(tokens: TokenStream) -> Option<Listed> {
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse_curve(tokens, &mut diagnostics)?;
        let lowered = model::lower_curve(&tree, &mut diagnostics)?;
        let derived = curve::derive(lowered, &mut diagnostics)?;
        let names = function::curve::names(&derived.curve.model);
        Some(Listed {
            tree: Tree::Curve(Box::new(tree)),
            functions: function::curve::functions(&derived, &names),
            model: derived.curve.model,
        })
    }

    fn system(tokens: TokenStream) -> Option<Listed> {
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse_system(tokens, &mut diagnostics)?;
        Listed::of_system(tree, &mut diagnostics)
    }

    fn of_system(tree: statement::System, diagnostics: &mut Diagnostics) -> Option<Listed> {
        let lowered = model::lower_system(&tree, diagnostics);
        let derived = system::derive(lowered, diagnostics).ok()?;
        // Functions in loops are borrowed from it.
        let derived: &'static system::Derived = Box::leak(Box::new(derived));
        let names = function::system::names(&derived.system);
        Some(Listed {
            tree: Tree::System(Box::new(tree), derived),
            functions: function::system::functions(derived, &names),
            model: derived.system.model.clone(),
        })
    }

    /// That of a function alone, with what it is judged by.
    fn certificate_with(&mut self, k: usize) -> Result<Certificate, Refuted> {
        let Tree::System(tree, derived) = &self.tree else {
            return self.certificate();
        };
        if derivatives::IN_TURN.contains(&self.functions[k].signature.name) {
            return self.certificate();
        }
        let solved = |it: &Function<'_>| it.signature.name.starts_with("acceleration");
        let last = self.functions.len() - 1;
        self.functions.swap(k, last);
        let place = self.functions[..last].iter().rposition(solved);
        self.functions
            .swap(place.unwrap_or(last), last.saturating_sub(1));
        let asked = &self.functions[last.saturating_sub(1)..];
        let certificate = certify::system(tree, &derived.system, asked);
        self.functions
            .swap(place.unwrap_or(last), last.saturating_sub(1));
        self.functions.swap(k, last);
        certificate
    }

    fn certificate(&self) -> Result<Certificate, Refuted> {
        match &self.tree {
            Tree::Constraint(tree) => certify::constraint(tree, &self.model, &self.functions),
            Tree::Curve(tree) => certify::curve(tree, &self.model, &self.functions),
            Tree::System(tree, derived) => certify::system(tree, &derived.system, &self.functions),
        }
    }
}

/// So many cases as asked for by `CONSTRAINT_CASES`, few by default.
fn cases(few: usize) -> usize {
    let asked = std::env::var("CONSTRAINT_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(few)
}

const CONSTRAINTS: [&str; 25] = [
    "x*x + 100*y",
    "x^3*y - 2*x/y + 0.5",
    "struct Circle { r: Real } |x, y| x^2 + y^2 == r^2",
    "struct Rod { l: Real } |a: Point2, b: Point2| norm(a - b) == l",
    "struct Rod { l: Real } |a: Point3, b: Point3| norm_squared(a - b) == l^2",
    "struct Hoop { r: Real, w: Real } |p: Point3, t: Time| [
        norm_squared(p) == r^2, p.x*sin(w*t) == p.y*cos(w*t)
    ]",
    "struct Wave { a: Real, k: Real } |x, y| y == a*sin(k*x)",
    "struct Chain; |p: Point2| { let d = p - [1, 2]; let l = norm(d); l + 1/l == 3*d.x }",
    "struct Three; |a: Point2, b: Point2| [a.x*b.y == 1, norm(a) == norm(b), dot(a, b) == a.y]",
    "x*exp(-y) + ln(1 + x^2)*y",
    "if x > 0 { x^2 - y } else { y^3 + x }",
    "max(x, 2*y) + abs(x - y)*y",
    "atan2(y, x)*x - hypot(x, y)",
    "tan(x)*y - sinh(y)/cosh(x) + tanh(x*y)",
    "asin(x*y) + acos(y/3) + atan(x) - cbrt(x + y)",
    "pow(x, 1/3)*y^1.5 - x^y",
    "clamp(x, 0, 1)*y + smoothstep(1, 2, y) - x*y",
    "if x > y && x*y < 1 || y >= 2*x { x^2 - y } else { y^3 + x }",
    // Their ways are gone in other orders.
    "|a, b| if a > b && a*b < 1 || b >= 2*a { a^2 - b } else { b^3 + a }",
    "|c, d| if c > d && c*d < 1 || d >= 2*c { c^2 - d } else { d^3 + c }",
    "|e, f| if e > f && e*f < 1 || f >= 2*e { e^2 - f } else { f^3 + e }",
    "|g, h| if g > h && g*h < 1 || h >= 2*g { g^2 - h } else { h^3 + g }",
    "if x < 0 { x*y } else if x < y { x + y^2 } else if x + y > 3 { y } else { x^2*y }",
    "struct Gate { r: Real } |p: Point2, t: Time| { let far = norm(p) - r;
        if !(p.x > r) && (t < 1 || p.y > p.x) { far*p.x } else { far + max(p.x, p.y)*t } }",
    "exp(x)/(1 + exp(x)) + y/(2 + sinh(x)^2)",
];

/// Quotients whose exponentials are scaled.
const GROWING: [&str; 6] = [
    "struct Bounded { m: Real } |x, y| 1/(m + exp(x)) + y == 0",
    "x/(1 + exp(x) + exp(2*x)) - y",
    "1/(exp(x) + exp(-x)) + sqrt(1 + exp(2*y))",
    "1/sqrt(y + exp(3*x)) + 1/sqrt(cosh(x))",
    "(exp(x*y) + cosh(x))/(3 + exp(y))^2",
    "ln(1 + exp(x)) + atan(exp(x*y))",
];

#[test]
fn all_functions_of_constraints_are_certified() {
    for text in CONSTRAINTS.into_iter().chain(GROWING) {
        let listed = Listed::new(text).expect("a valid constraint");
        let certificate = listed.certificate();
        let names = listed.functions.iter().map(|it| it.signature.name);
        let names: Vec<&str> = names.collect();
        let found = certificate.as_ref().map(|it| &it.functions[..]);
        assert_eq!(found, Ok(&names[..]), "{text}");
    }
}

const SYSTEMS: [&str; 11] = [
    "struct Fall { m: Real = 1, g: Vector2 = [0, -9.81] } particle bob: Point2 { mass: m } gravity g;",
    "struct Spring { m: Real = 1, k: Real = 5, g: Real = 9.81 }
     particle a, b: Point3 { mass: m } gravity [0, 0, -g];
     potential k/2*(norm(a - b) - 1)^2; force a: [k*t, 0, velocity(b.x)];",
    "struct Double { m: [Real; 2] = 1, l: Real = 1, g: Real = 9.81 }
     particle bob[i in 0..2]: Point2 { mass: m[i] } gravity [0, -g];
     constraint upper: norm(bob[0]) == l; constraint lower: norm(bob[1] - bob[0]) == l*cos(t);",
    "struct Chain { m: [Real; 64] = 1, l: Real = 1, g: Real = 9.81 }
     particle bob[i in 0..64]: Point2 { mass: m[i] } gravity [0, -g];
     constraint link[i in 0..64]: norm(bob[i] - if i == 0 { [0, 0] } else { bob[i - 1] }) == l;",
    "struct Cart { m: Real = 1, i: Real = 0.1, l: Real = 1, c: Real = 0.2, g: Real = 9.81 }
     coordinate x, angle; input push, wind: Vector2;
     particle cart = [x, 0] { mass: 2*m } particle bob = cart + [l*sin(angle), -l*cos(angle)] { mass: m }
     kinetic i/2*velocity(angle)^2*(1 + x^2); gravity [0, -g]; force x: push; force bob: wind;
     dissipation c/2*velocity(x)^2 + c*velocity(bob.y)^4; potential m*x^2*cos(angle) + t*x;
     output tip = bob; output speed = norm(velocity(bob)); output felt = acceleration(bob) + [0, g];",
    "struct Door { m: Real = 20, width: Real = 1, g: Real = 9.81, i: Vector3 = [1, 2, 3] }
     body door: Rigid3 { mass: m, inertia: i }
     body bell: Rigid3 { mass: 1, inertia: [[m, 0, 1], [0, m, 2], [1, 2, m]] } input motor: Vector3;
     gravity [0, 0, -g]; torque door: motor.x*dir(door, [1, 2, 3]) + motor;
     joint post: Hinge { b: door, r1: [0, 0, 1], r2: [-width/2, 0, 0], axis: [0, 0, 1] }
     joint hook: Ball { a: door, b: bell, r1: [width/2, 0, 0], r2: [0, 0, 1/5] }
     potential m*norm_squared(at(bell, [1, 2, 3]) - at(door, [0, 0, 1]));
     dissipation m*norm_squared(angular_velocity(bell) - angular_velocity(door));
     output pull = -multiplier(hook); output turn = angular_acceleration(bell); output rim = velocity(at(bell, [0, 1, 0]));",
    "struct Skate { m: Real = 1, i: Real = 0.1, l: Real = 2, g: Real = 9.81 }
     body skate: Rigid2 { mass: m, inertia: i } particle trailer: Point2 { mass: m } const N = 3;
     fn side(body, k) = dir(body, [k, N]); let nose = at(skate, [l, 0]);
     constraint rod: norm(trailer - at(skate, [0, 0])) == l*(1 + sin(t));
     constraint blade: dot(velocity(nose), side(skate, 0)) == t; force skate: [m*g/10, 0];
     kinetic i/2*angular_velocity(skate)^2*trailer.x; torque skate: sum(k in 1..N: k*velocity(trailer.x));",
    "#[regressor] struct Arm { m: [Real; 3] = 1, l: Real = 0.5, g: Real = 9.81, axis: Vector3 = [0, 0, 1] }
     part Link { base: Rigid3, m: Real, l: Real, i: Real = m*l^2 } {
        coordinate angle;
        body rod: Rigid3 = base * pose([0, 0, 0], [0, -1, 0], angle) * pose([l/2, 0, 0]) { mass: m, inertia: [i/9, i, i] }
        let tip = rod * pose([l/2, 0, 0]); torque rod: [0, m*angle, 0]; force rod: velocity(at(tip, [0, 0, 1]));
        output end = at(tip, [0, 0, 0]);
     }
     coordinate turn;
     link[0]: Link { base: pose([0, 0, l], axis, turn), m: m[0], l: l }
     link[i in 1..3]: Link { base: link[i - 1].tip, m: m[i], l: l }
     kinetic velocity(turn)^2; gravity [0, 0, -g*cos(t)];
     constraint hand: at(link[2].tip, [0, 0, 0]).z == l; output load = multiplier(hand);",
    "#[regressor] struct Offset { m: Real = 1, l: Real = 0.5 } coordinate q, r;
     let tip = pose([r, 0, 1], [0, 0, 1], q) * pose([0, l, l], [1, 0, 0], q);
     body b: Rigid3 = pose([0, 0, l], [0, 0, 1], t) * tip * (pose([r, l, 0]) * pose([0, 0, l])) {
        mass: m, inertia: [m, 2*m, 3*m]
     }",
    "#[regressor] struct Scara { m: Real = 1, l: Real = 0.5, g: Real = 9.81 } coordinate turn[2], slide;
     let fore = pose([0, 0], turn[0]) * pose([l, 0]);
     body cart: Rigid2 { mass: m, inertia: 2*m } body load: Rigid2 = cart * pose([0, l], turn[0]) { mass: 1, inertia: l }
     body first: Rigid2 = fore * pose([0, l/2], PI/6) { mass: m, inertia: 2 }
     body next: Rigid2 = fore * pose([0, l], turn[1]) { mass: m, inertia: 3 }
     body tools[i in 0..2]: Rigid2 = next * pose([slide, 0]) * pose([i, l]) { mass: m + i, inertia: l } gravity [g/3, -g*t];",
    "struct Swings { l: Real = 1, k: Real = 3, g: Real = 9.81 }
     part Swing { hook: Vector2, l: Real } {
        particle bob: Point2 { mass: 2 } constraint rod: norm(bob - hook) == l;
     }
     swing[i in 0..40]: Swing { hook: [i/2, 1 - i], l: l*(1 + i/100) } gravity [0, -g];
     potential sum(i in 1..40: k/(1 + i)*norm_squared(swing[i].bob - swing[i - 1].bob - [1/i, 0]));
     force swing[i in 0..40].bob: [i/3, i*t];",
];

/// What no certificate speaks of.
const LEFT: [&str; 2] = ["row_sizes", "own_slope"];

/// As many points as a text has ways: conditions that are read whatever the others say double them, those behind `else`
/// add one, as those behind `&&` and `||` do.
#[test]
fn each_way_of_a_text_is_gone_once() {
    for (text, ways) in [
        ("x*x + 100*y", 1),
        ("if x > 0 { x^2 - y } else { y^3 + x }", 2),
        ("max(x, 2*y) + abs(x - y)*y", 4),
        (
            "if x > y && x*y < 1 || y >= 2*x { x^2 - y } else { y^3 + x }",
            5,
        ),
        (
            "if x < 0 { x*y } else if x < y { x + y^2 } else if x + y > 3 { y } else { x^2*y }",
            4,
        ),
    ] {
        let certificate = Listed::new(text).expect("a valid constraint").certificate();
        assert_eq!(certificate.expect("no fault").points, ways, "{text}");
    }
}

#[test]
fn functions_of_systems_are_certified() {
    for text in SYSTEMS {
        let listed = Listed::system(text.parse().expect("tokens")).expect("a valid system");
        let certificate = listed
            .certificate()
            .unwrap_or_else(|it| panic!("{it:?}: {text}"));
        let names = listed.functions.iter().map(|it| it.signature.name);
        let expected: Vec<&str> = names.filter(|it| !LEFT.contains(it)).collect();
        assert_eq!(certificate.functions, expected, "{text}");
    }
}

/// Up to a depth, so that a test's stack is enough; calls may nest deeper.
#[test]
fn what_nests_deep_is_read_on_a_small_stack() {
    for (deep, is_read) in [(30, true), (125, false)] {
        let mut text = "struct Deep { m: Real = 1 } fn f0(s) = s;".to_owned();
        for i in 1..deep {
            text += &format!(" fn f{i}(s) = f{}(s) + 1;", i - 1);
        }
        let last = deep - 1;
        text += &format!(" particle bob: Point2 {{ mass: m }} force bob: [f{last}(bob.x), 0];");
        let listed = Listed::system(text.parse().expect("tokens")).expect("a valid system");
        let certificate = listed.certificate().expect("no fault");
        assert_eq!(certificate.functions.contains(&"acceleration"), is_read);
    }
}

#[test]
fn what_holds_rounded_numbers_is_not_certified() {
    for text in [
        "x*E + y",
        "x + y^2*sin(1)",
        "x^2 + cbrt(2)*y",
        "x + sqrt(PI)*y",
    ] {
        let listed = Listed::new(text).expect("a valid constraint");
        let certificate = listed.certificate().expect("no fault");
        assert!(!certificate.functions.contains(&"value"), "{text}");
    }
}

/// π, roots and the sines of parts of a turn are no rounded numbers.
#[test]
fn exact_constants_are_certified() {
    for text in [
        "x*PI + y",
        "x^2 + sqrt(2)*y",
        "x^2 + sqrt(2)*sqrt(3)*y*x + y/sqrt(6)",
        "norm([x*cos(PI/3), y*sin(7*PI/3)]) - 2",
        "sin(x + PI/2)*y + cos(x)*cos(y - 5*TAU/4) == tan(PI/6)",
        "x^2*acos(1/2) + PI*y*cos(y) - atan2(-1, 1)",
        "y*asin(sqrt(3)/2) - x^2*atan(sqrt(3)) - TAU^2/PI",
        "x*sin(45.to_radians()) + cos(y.to_radians()) - x*to_degrees(y)",
        "hypot(1, 1)*x + y^2*2^(1/2) + norm([1, 1, 1])*x*y",
        "(1 + sqrt(2))*x + y^2/(sqrt(3) - sqrt(2)/7) + (1 + cos(PI/6))^3*x*y",
        "sin(x + PI/12)*y + x*cos(5*PI/12)*tan(-7*PI/12)",
    ] {
        let listed = Listed::new(text).expect("a valid constraint");
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        assert!(certificate.functions.contains(&"value"), "{text}");
        assert!(certificate.functions.contains(&"bias"), "{text}");
    }
    // About an oblique axis an eighth of a turn contains 1 + √2.
    let oblique = "[1, 1, 0]";
    for (turn, axis) in [
        ("PI", oblique),
        ("PI/2", oblique),
        ("-PI/2", oblique),
        ("PI/3", oblique),
        ("3*PI/4", oblique),
        ("PI/12", "[1, -1, 1]"),
        // Half a turn about any axis is rational.
        ("PI", "[0.123, 0.3, 0.7657]"),
        ("3*PI/4", "[0, 1, 0]"),
        ("-7*PI/6", "[0, 0, 3]"),
        ("TAU", oblique),
    ] {
        let text = format!(
            "struct Turned {{ m: Real = 1, g: Real = 9.81 }} coordinate a, b;
             let foot = pose([0, 0, 1/5], [1, 0, 0], {turn});
             body upper: Rigid3 = foot * pose([0, 0, 0], [0, 0, 1], a) * pose([0, 0, 1/2], {axis}, {turn})
                 {{ mass: m, inertia: [1, 2, 3] }}
             body lower: Rigid3 = upper * pose([0, 1, 0], [0, 1, 0], b + {turn}) {{ mass: m, inertia: [1, 2, 3] }}
             gravity [0, 0, -g];"
        );
        let listed = Listed::system(text.parse().expect("tokens")).expect("a valid system");
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {turn}"));
        assert!(
            certificate.functions.contains(&"acceleration"),
            "{turn}: {certificate:?}"
        );
    }
}

/// Jacobians and biases of places, directions and velocities, of moving floors, of bodies of all kinds, written out and in
/// loops, and of everything that has a mass; outputs without Jacobians do not matter.
#[test]
fn task_spaces_are_certified() {
    for text in [
        "struct Arm { m: Real, l: Real, i: Real } input push; coordinate q[2], lift;
         let base = pose([0, 0, lift*sin(t)], [0, 0, 1], q[0]);
         body upper: Rigid3 = base * pose([l, 0, 0], [1, 2, 0], q[1]) { mass: m, inertia: [i, 2*i, 3*i] }
         particle load = at(upper, [0, l, l]) { mass: 2*m }
         force load: [push, 0, 0]; gravity [0, 0, -m];
         output momentum; output tip = at(upper, [0, l, l/2]); output along = dir(upper, [0, 0, 1]);
         output power = push*velocity(lift); output spin = angular_velocity(upper); output fast = norm(velocity(load));
         output rise = velocity(load.z)*q[0] + t^2; output angular_momentum; output center_of_mass;
         output felt = acceleration(load);",
        "struct Float { m: Real, r: Real } body a: Rigid3 { mass: m, inertia: [1, 2, 3] }
         body b: Rigid3 { mass: 2*m, inertia: [[3, 1, 0], [1, 4, 1], [0, 1, 5]] }
         constraint ball: at(a, [r, 0, 0]) == at(b, [0, r, 1]);
         output held = multiplier(ball); output gap = at(a, [0, 0, r]) - at(b, [r, 1, 0]);
         output spin = dot(angular_velocity(a), dir(b, [0, 1, 0])); output angular_momentum; output momentum;",
        "#[solver(unrolled)] struct Plane { m: Real, l: Real } body p: Rigid2 { mass: m, inertia: l }
         coordinate s; particle w = at(p, [s, l]) { mass: m } constraint rail: at(p, [l, 0]).y == t;
         output turn = angular_velocity(p); output wheel = w; output angular_momentum; output center_of_mass;",
        "#[solver(rolled)] struct Chain { m: Real, l: Real } particle bead[9]: Point2 { mass: m }
         constraint anchor: norm(bead[0]) == l; constraint link[i in 1..9]: norm(bead[i] - bead[i - 1]) == l;
         output end = bead[8]; output stretch[i in 1..9] = norm(bead[i] - bead[i - 1]); output momentum;",
    ] {
        let text = format!("#[task_space] {text}");
        let listed = Listed::system(text.parse().expect("tokens"));
        let listed = listed.unwrap_or_else(|| panic!("a valid system: {text}"));
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        for name in ["output_jacobian", "output_bias"] {
            assert!(certificate.functions.contains(&name), "{name}: {text}");
        }
        // In loops, the runtime computes M by products.
        let has_inertia = certificate.functions.contains(&"joint_space_inertia");
        assert_eq!(has_inertia, !text.contains("(rolled)"), "{text}");
    }
}

/// Gaps and slips of points and bodies, with constraints of two sides and without, on moving places, and the responses to
/// forces on them.
#[test]
fn constraints_of_one_side_are_certified() {
    for text in [
        "struct Ball { m: Real, r: Real, e: Real } particle p: Point2 { mass: m }
         constraint floor: p.y >= r + sin(t) { restitution: e/2, friction: 1/3, slip: velocity(p).x + r*t };
         constraint wall: p.x*p.y <= r;",
        "struct Rod { m: Real, l: Real } body rod: Rigid3 { mass: m, inertia: [1, 2, 3] }
         constraint held: at(rod, [l, 0, 0]) == [0, 0, t];
         constraint floor: at(rod, [0, l, l]).z >= 0 { friction: l, slip: velocity(at(rod, [0, l, l])).x };",
        "struct Arm { m: Real, l: Real } input u; coordinate q[2];
         body a: Rigid2 = pose([0, 0], q[0]) * pose([l, 0]) { mass: m, inertia: l }
         body b: Rigid2 = a * pose([l, 0], q[1]) * pose([l, 0]) { mass: m, inertia: l }
         force q[1]: u; gravity [0, -m];
         constraint stop[i in 0..2]: q[i] <= l; constraint tip: at(b, [l, 0]).y >= -l { restitution: 1 };",
        "struct Drive { i: Real, most: Real, mu: Real } body wheel: Rigid2 { mass: 1, inertia: i } coordinate s;
         kinetic velocity(s)^2*i; let rim = at(wheel, [i, 0]);
         constraint wire: rim.y == s*rim.x^2 + t { friction: mu*s, slip: velocity(rim).x + s*velocity(s) };
         motor drive: angular_velocity(wheel) - s*velocity(s) == most*sin(t) { most: most*s };
         motor brake: velocity(s) == 0 { most: mu };",
        "struct Bowl { r: Real, mu: Real } |p: Point2, time: Time| { let square = p.x^2 + 2*p.y^2;
         [square <= r^2 + sin(time) { friction: mu }, p.x*p.y >= time*p.y { friction: 1/3, restitution: mu }] }",
    ] {
        let tokens = text.parse().expect("tokens");
        let listed = match text.contains('|') {
            true => Listed::sided(tokens),
            false => Listed::system(tokens),
        };
        let listed = listed.unwrap_or_else(|| panic!("a valid system: {text}"));
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        for name in [
            "gaps",
            "one_sided_rates",
            "one_sided_jacobian",
            "one_sided_bias",
            "one_sided_responses",
            "contact_coefficients",
        ] {
            assert!(certificate.functions.contains(&name), "{name}: {text}");
        }
        let is_held = text.contains("constraint held");
        let reactions = certificate.functions.contains(&"one_sided_reactions");
        assert_eq!(reactions, is_held, "{text}");
        if text.contains('|') {
            continue;
        }
        let text = format!("#[derivatives] {text}");
        let listed = Listed::system(text.parse().expect("tokens")).expect("a valid system");
        let certificate = listed.certificate().expect("a certificate");
        for name in [
            "gaps_vjp",
            "one_sided_rates_vjp",
            "one_sided_accelerations_vjp",
            "contact_coefficients_vjp",
            "one_sided_responses_vjp",
        ] {
            assert!(certificate.functions.contains(&name), "{name}: {text}");
        }
    }
}

/// What is chosen by numbers without an order is not certified.
#[test]
fn comparisons_of_irrational_numbers_are_not_certified() {
    for text in [
        "max(norm([1, 1]), 3)*x + y",
        "abs(sqrt(2) - 3)*x + y",
        "if TAU > 6 { x } else { y }",
    ] {
        let listed = Listed::new(text).expect("a valid constraint");
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
        // J̇ = 0 holds no number.
        let mut others = certificate.functions.iter();
        assert!(
            others.all(|it| matches!(*it, "jacobian_dot" | "bias")),
            "{text}"
        );
    }
}

/// Pendulums that hang where numbers by index say, in loops.
fn hung(hook: &str) -> Listed {
    let text = format!(
        "struct Hung {{ l: Real = 1, g: Real = 9.81 }} particle bob[i in 0..40]: Point2 {{ mass: 2 }}
         constraint rod[i in 0..40]: norm(bob[i] - {hook}) == l; gravity [0, -g];"
    );
    Listed::system(text.parse().expect("tokens")).expect("a valid system")
}

#[test]
fn rounded_numbers_that_members_differ_by_are_not_certified() {
    for hook in ["[cos(i), i]", "[i, sqrt(i)]"] {
        let certificate = hung(hook).certificate().expect("no fault");
        // That hold no hooks.
        let others = [
            "kinetic_energy",
            "potential_energy",
            "inverse_dynamics",
            "mass_times",
            "free_acceleration",
        ];
        let left = certificate.functions.iter().find(|it| !others.contains(it));
        assert_eq!(left, None, "{hook}");
    }
}

#[test]
fn a_wrong_number_that_members_differ_by_is_found() {
    // 7⁵⁰ needs more than 128 bits: rounded, but its exact value is known.
    for hook in ["[i, 2*i]", "[2*i, i/7^50]"] {
        let listed = hung(hook);
        let Tree::System(tree, derived) = &listed.tree else {
            panic!("a system");
        };
        let mut system = derived.system.clone();
        let certificate = certify::system(tree, &system, &listed.functions);
        let certificate = certificate.expect("no fault");
        assert!(certificate.functions.contains(&"acceleration"), "{hook}");
        let last = system.numbers.len() - 1;
        system.numbers.swap(last - 1, last);
        let certificate = certify::system(tree, &system, &listed.functions);
        assert!(certificate.is_err(), "{hook}");
    }
}

/// 10,000 random inputs with `CONSTRAINT_CASES=10000`.
#[test]
fn nothing_is_found_in_random_inputs() {
    let mut random = grammar::Random(11);
    let (mut covered, mut valid) = (0, 0);
    for case in 0..cases(300) {
        let sentence = ("constraint", grammar::statement(&mut random));
        for (name, text) in [sentence, grammar::input(case as u64)] {
            let Some(listed) = Listed::of(name, &text) else {
                continue;
            };
            valid += 1;
            let certificate = listed.certificate();
            let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
            covered += usize::from(!certificate.functions.is_empty());
        }
    }
    println!("{covered} of {valid} are certified");
}

/// All joints, examples and tests; what of each is not certified is told with `--nocapture`.
#[test]
fn nothing_is_found_in_the_calls_of_this_repository() {
    let all = repository::calls();
    let packed = !repository::root().join("examples").exists();
    assert!(all.len() > 100 || packed, "{} calls", all.len());
    all.iter().for_each(|(place, listed)| tell(place, listed));
}

/// Those of the examples, and of all tests with `CONSTRAINT_CASES=1000`.
#[test]
fn nothing_is_found_in_the_systems_of_this_repository() {
    let all = repository::systems(cases(1) >= 1000);
    all.iter().for_each(|(place, listed)| tell(place, listed));
}

fn tell(place: &str, listed: &Listed) {
    let certificate = listed.certificate();
    let certificate = certificate.unwrap_or_else(|it| panic!("{place}: {it:?}"));
    let all = listed.functions.iter().map(|it| it.signature.name);
    let left = all.filter(|it| !certificate.functions.contains(it));
    let left: Vec<&str> = left.collect();
    let points = certificate.points;
    println!("{points} points, not {left:?}: {place}");
}

/// All mutants with `CONSTRAINT_CASES=1000000`.
#[test]
fn mutants_that_change_a_value_are_found() {
    let constraints = CONSTRAINTS.map(|it| (it.to_owned(), Listed::new(it)));
    let constraints = constraints.into_iter();
    let constraints = constraints.map(|(text, it)| (text, it.expect("a valid constraint")));
    let theirs = repository::calls().into_iter();
    let theirs = theirs.filter(|it| it.0.contains("joints") || it.0.contains("tracks"));
    for (place, mut listed) in constraints.chain(theirs) {
        let (found, equal) = mutants::examine(&mut listed, cases(4));
        println!("{found} mutants found, {equal} change no value: {place}");
    }
}

/// Of the systems above, and with `CONSTRAINT_CASES` of those of the examples too.
#[test]
fn mutants_of_systems_that_change_a_value_are_found() {
    let own = SYSTEMS.map(|text| Some((text.to_owned(), Listed::system(text.parse().ok()?)?)));
    let theirs = if cases(0) > 0 {
        repository::systems(false)
    } else {
        Vec::new()
    };
    for (place, mut listed) in own.into_iter().flatten().chain(theirs) {
        let (found, equal) = mutants::examine(&mut listed, cases(4));
        println!("{found} mutants found, {equal} change no value: {place}");
    }
}
