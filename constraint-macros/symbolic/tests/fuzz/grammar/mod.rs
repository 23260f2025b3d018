//! Inputs made at random: soup of tokens, sentences of the grammar whose shapes may not fit, valid inputs damaged, and
//! inputs that mostly make sense.

#[path = "../../common/graphs.rs"]
pub mod graphs;
mod sense;

use proc_macro2::{Group, TokenStream, TokenTree};

/// A linear congruential generator; the high bits are the good ones.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

pub const SOUP: [&str; 96] = [
    "x",
    "y",
    "p",
    "a",
    "t",
    "λ",
    "Ω",
    "r#type",
    "_",
    "PI",
    "E",
    "sin",
    "norm",
    "dot",
    "min",
    "pow",
    "powi",
    "cross",
    "perp",
    "normalize",
    "atan2",
    "foo",
    "0",
    "1",
    "2",
    "0.5",
    "1e3",
    "1e999",
    "3f64",
    "2x",
    "0x1F",
    "\"s\"",
    "'c'",
    "'l ",
    "+",
    "-",
    "*",
    "/",
    "^",
    "==",
    "=",
    "<",
    "<=",
    ">",
    ">=",
    "!=",
    "&&",
    "||",
    "!",
    "**",
    ".",
    "..",
    "..=",
    ",",
    ";",
    ":",
    "::",
    "->",
    "=>",
    "?",
    "#",
    "&",
    "|",
    "%",
    "@",
    "$",
    "~",
    "+=",
    "<<",
    "if",
    "else",
    "let",
    "for",
    "in",
    "as",
    "match",
    "fn",
    "true",
    "self",
    "mut",
    "struct",
    "pub",
    "Point2",
    "Point3",
    "Real",
    "Time",
    "Vector2",
    "x.y",
    "x == 1",
    "let d = x;",
    "if x > 0 { x } else { y }",
    "|x, y|",
    "struct C;",
    "|",
    "d",
    "return",
];

/// Random tokens in random groups.
pub fn soup(random: &mut Random, depth: usize, text: &mut String) {
    for _ in 0..random.below(9) {
        let open = random.below(if depth < 6 { 14 } else { usize::MAX >> 33 });
        match ["(", "[", "{"].get(open) {
            Some(bracket) if depth < 6 => {
                text.push_str(bracket);
                soup(random, depth + 1, text);
                text.push_str([")", "]", "}"][open]);
            }
            _ => text.push_str(random.pick(&SOUP)),
        }
        text.push(' ');
    }
}

const NAMES: [&str; 8] = ["x", "y", "p", "s", "t", "a", "w", "undeclared"];
const NUMBERS: [&str; 9] = ["0", "1", "2", "3", "0.5", "7", "1e30", "1/3", "100000"];
const FUNCTIONS: [&str; 24] = [
    "velocity",
    "angular_velocity",
    "sin",
    "cos",
    "tan",
    "asin",
    "exp",
    "ln",
    "sqrt",
    "cbrt",
    "abs",
    "signum",
    "norm",
    "normalize",
    "norm_squared",
    "perp",
    "recip",
    "to_radians",
    "to_degrees",
    "tanh",
    "log2",
    "exp_m1",
    "acosh",
    "sine",
];
const BINARY: [&str; 11] = [
    "at", "dir", "atan2", "hypot", "min", "max", "powf", "pow", "powi", "dot", "cross",
];

/// A random sentence of the grammar; shapes may not fit.
fn sentence(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(3) {
            0 => random.pick(&NUMBERS).to_owned(),
            _ => random.pick(&NAMES).to_owned(),
        };
    }
    let mut part = || {
        let depth = random.below(depth);
        sentence(random, depth)
    };
    let (a, b, c) = (part(), part(), part());
    match random.below(16) {
        0 => format!("{a} + {b}"),
        1 => format!("{a} - {b} + {c}"),
        2 => format!("{a}*{b}"),
        3 => format!("({a})/({b})"),
        4 => format!(
            "({a})^{}",
            random.pick(&["2", "3", "-1", "0", "0.5", "(1/3)", "x", "1000"])
        ),
        5 => format!("-({a})"),
        6 | 7 => format!("{}({a})", random.pick(&FUNCTIONS)),
        8 => format!("{}({a}, {b})", random.pick(&BINARY)),
        9 => format!("({a}).{}()", random.pick(&FUNCTIONS)),
        10 => format!("[{a}, {b}]"),
        11 => format!("[{a}, {b}, {c}]"),
        12 => format!("({a}).{}", random.pick(&["x", "y", "z"])),
        13 => format!("{{ let d{depth} = {a}; d{depth} + {b} }}"),
        14 => format!(
            "if {a} {} {b} {{ {c} }} else {{ {a} }}",
            random.pick(&["<", ">", "<=", "=="])
        ),
        _ => format!("({a})"),
    }
}

pub fn statement(random: &mut Random) -> String {
    let depth = 1 + random.below(5);
    let (a, b) = (sentence(random, depth), sentence(random, depth));
    let body = match random.below(5) {
        0 => format!("{a} == {b}"),
        1 => format!("[{a}, {b} == 1]"),
        _ => a,
    };
    match random.below(5) {
        0 => body,
        1 => format!("struct C {{ a: Real, w: Vector2 }} |x: Rigid2, y: Rigid2, t: Time| {body}"),
        _ => format!(
            "struct C {{ a: Real, w: Vector2 }} |x, y, p: Point2, s: Point3, t: Time| {body}"
        ),
    }
}

/// Valid systems, to be damaged.
pub const SYSTEMS: [&str; 14] = [
    "pub struct Legs { m: Real = 1, l: Real = 2 }
     part Leg { trunk: Rigid3, m: Real, n: [Real; 2] = [1, 2] } {
         body shank: Rigid3 { mass: m, inertia: [m, m, n[0]] }
         joint hip: Hinge { a: trunk, b: shank, r1: [0, 1, 0], r2: [1, 0, 0], axis: [0, 0, 1] }
         let foot = at(shank, [0, 0, 1]);
     }
     body trunk: Rigid3 { mass: m, inertia: [1, 2, 2] }
     for i in 0..2 { leg[i]: Leg { trunk: trunk, m: i + 1 } }
     joint ground: Ball { b: trunk, r1: [0, 0, l], r2: [0, 0, 0] }
     output load = multiplier(leg[1].hip[0]) + leg[0].foot.x;",
    "pub struct Links { m: [Real; N] = 1, l: Real = 2 }
     const N = 4;
     part Link { base: Rigid2, m: Real } {
         coordinate angle;
         body rod: Rigid2 = base * pose([0, 0], angle) * pose([1, 0]) { mass: m, inertia: m }
         let tip = rod * pose([1, 0]);
     }
     link[0]: Link { base: pose([0, 0]), m: l }
     link[i in 1..N]: Link { base: link[i - 1].tip, m: m[i] }
     body end[k in 0..2]: Rigid2 = if k == 0 { link[0].rod } else { end[k - 1] * pose([1, 0]) } { mass: 1, inertia: l }
     force link[i in 0..N].angle: if i + 1 < N { -link[i + 1].angle } else { 0 };
     output hand[i in 0..N] = at(link[i].tip, [0, 0]);",
    "struct Cams { m: Real = 1, k: [Real; 3] = 2, speed: Real = 3 }
     fn lift(a) = k[0]*periodic_spline(a, [0, 1, 2, TAU], [0, k[1], 1, 0]);
     fn ramp(a) = monotone_spline(a, [0, 1, 3], [0, 1, 1]) + cubic_spline(a, [0, 1/2, 2], k);
     coordinate rise[2] { symbol: \"θ₁\" }, slide;
     particle head[i in 0..2] = [ramp(rise[i]), rise[i]] { mass: m }
     kinetic m*velocity(slide)^2*(2 + smoothstep(0, 1, slide) + logistic(slide));
     constraint contact[i in 0..2]: rise[i] == lift(speed*t + i*PI/2) + clamp(slide, -1, 1);
     potential softplus(slide) + norm([rise[0], rise[1], slide, 1]) + norm_squared([slide, 1, 2, rise[0]]);
     dissipation sum(i in 0..2: velocity(rise[i])^2);
     gravity [0, -9.81];
     output push[i in 0..2] = multiplier(contact[i]);",
    "#[derivatives] #[solver(unrolled)] struct Door { m: Real = 20, w: Real = 1 }
     body door, bell: Rigid3 { mass: m, inertia: [[m, 0, m/9], [0, m, 0], [m/9, 0, m/3]] }
     particle dot: Point2 { mass: 1 }
     body plate[2]: Rigid2 { mass: m, inertia: w }
     joint post: Hinge { b: door, r1: [0, 0, 1], r2: [-w/2, 0, 0], axis: [0, 0, 1] }
     joint hook: Ball { a: door, b: bell, r1: [w/2, 0, 0], r2: [0, 0, 1/5] }
     joint weld: plane::Weld { a: plate[0], b: plate[1], r1: [1, 0], r2: [0, w] }
     joint pin[i in 0..1]: Revolute { a: plate[i], r1: [0, 0], r2: [i, 1] }
     joint rod: plane::Distance { b: plate[1], r1: [0, 0], r2: [0, 0], length: w }
     force at(bell, [0, 0, 1]): [0, m, 0]; force dot.y - dot.x: 3; torque door: dir(bell, [1, 0, 0]);
     output load[k in 0..5] = multiplier(post[k]);",
    "pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
     particle bead[3]: Point2 { mass: m }
     constraint anchor: norm(bead[0]) == l;
     for i in 1..3 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
     for i in 0..3 { force bead[i]: [0, -m*g]; }",
    "struct Beads { m: Real = 1, k: Real = 20, w: Vector2 = [0, 1] }
     fn wire(s) = [s, s^4 - 2*s^2];
     coordinate x1, x2;
     particle a = wire(x1) { mass: m }
     particle b = wire(x2) { mass: 2*m }
     potential dot(w, a + b) + k/2 * (norm(b - a) - 1)^2;
     dissipation norm_squared(velocity(b - a))/10;",
    "#[redundant(least_squares)] pub struct Skate { m: Real, j: Real = 2 }
     coordinate angle; input push, steer[2];
     particle p: Point2 { mass: m }
     kinetic j/2 * velocity(angle)^2;
     let n = [-sin(angle), cos(angle)];
     constraint edge: dot(velocity(p), n) == 0;
     force p: push*perp(n); force angle: steer[0] - steer[1];",
    "struct Hoop { r: Real = 1, omega: Real = 3 }
     particle p: Point3 { mass: 1 }
     constraint hoop: [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)];
     potential 9.81*p.z;",
    "struct Net { m: [[Real; N]; 2] = [[1, 2, 3], [4, 5, 6]], k: [Real; 2] = 20, pin: [Vector2; N] = [0, 1] }
     const N = 3;
     let rest = [1, 5/4, 3/2, 2]; let corner = [[0, 0], [1, 0]];
     input wind[2][N]: Vector2;
     for i in 0..2 { for j in 0..N { particle knot[i][j]: Point2 { mass: m[i][j] } } }
     for i in 0..2 { for j in 0..N { constraint thread[i][j]: norm(knot[i][(j + 1) % N] - knot[i][j]) == rest[j]; } }
     potential sum(j in 0..=1: k[j]/2*norm_squared(knot[1][j] - knot[0][j] - corner[j]));
     for i in 0..2 { force knot[i][0]: wind[i][2] + pin[i]; }",
    "struct Wheels { m: [Real; 2] = 1, j: [Vector3; 2] = [1, 1, 1] }
     for i in 0..2 {
         body wheel[i]: Rigid3 { mass: m[i], inertia: j[i] }
         particle weight[i]: Point3 { mass: 1 }
         constraint string[i]: norm(weight[i] - at(wheel[i], [0, 0, 1])) == i + 1;
     }
     body left, right: Rigid3 { mass: 1, inertia: [1, 1, 1] }
     particle a, b[2]: Point3 { mass: m[0] }",
    "struct Web { m: [Real; 3] = 1, g: Real = 9.81 }
     gravity [0, -g];
     body wheel[i in 0..3]: Rigid2 { mass: m[i], inertia: m[i]/10 }
     particle knot[i in 0..2][j in 0..3]: Point2 { mass: m[j] + i }
     constraint thread[i in 0..2][j in i..=2]: norm(knot[i][j] - at(wheel[j], [1, 0])) == i + 1;
     force knot[i in 0..2][0]: [i, 0];
     torque wheel[i in 0..3]: i - 1;",
    "struct Arm { m: Real = 1, l: Real = 0.5, skew: Vector3 = [1, 2, 3] }
     coordinate q[3];
     fn joint(angle) = pose([l, 0, 0], [0, 0, 1], angle);
     fn tip(link) = at(link, [l, 0, 0]);
     let base = pose([0, t, 0], skew, q[0]);
     body link[0]: Rigid3 = base * pose([l/2, 0, 0]) { mass: m, inertia: [m, m, m] }
     body link[i in 1..3]: Rigid3 = link[i - 1] * joint(q[i]) * pose([l/2, 0, 0]) { mass: m, inertia: [m, 2*m, 2*m] }
     torque link[2]: dir(link[0], [1, 0, 0]);
     force tip(link[2]): [0, 0, -m];
     output spin = angular_velocity(link[2]) + angular_acceleration(link[1]);",
    "#[derivatives] struct Landing { m: Real = 1, e: Real = 1/2, mu: [Real; 2] = 1/3 }
     coordinate q; input u;
     particle foot[2]: Point2 { mass: m }
     constraint rod: norm(foot[1] - foot[0]) == 1;
     constraint floor[i in 0..2]: foot[i].y >= sin(t)/9 { restitution: e, friction: mu[i], slip: velocity(foot[i]).x - q };
     constraint stop: q <= 2; kinetic m*velocity(q)^2; motor drive: velocity(q) == u { most: e };
     constraint rail: foot[0].x == q { friction: e, slip: velocity(foot[0]).y };
     force q: u; gravity [0, -9];",
    "struct Told { m: Real = 1 }
     /// What drives it.
     input u;
     particle p[3]: Point2 { mass: m }
     body b: Rigid3 { mass: m, inertia: [1, 2, 2] }
     constraint rod[i in 1..3]: norm(p[i] - p[i - 1]) == 1;
     constraint held: [p[0].x, p[0].y == t];
     output pull[i in 1..3] = -multiplier(rod[i])*u;
     output hold = multiplier(held) + multiplier(held[1])*[1, 0];
     output change = acceleration(p[1]) - acceleration(p[0]);
     output spin = angular_acceleration(b) + angular_velocity(b);
     output tip = velocity(at(b, [0, 0, 1]));",
];

/// Words of systems, and what else may stand among them.
pub const WORDS: [&str; 68] = [
    "part",
    "part A { m: Real } { coordinate q; kinetic m*velocity(q)^2; }",
    "a: A { m: 1 }",
    "joint",
    "joint j: Ball { a: b, r1: [0, 0, 0], r2: [0, 0, 0] }",
    "link[0]: Link { base: b }",
    "link[i in 1..3]: Link { base: link[i - 1].tip }",
    "body c: Rigid2 = pose([0, 0], x1) * pose([1, 0]) { mass: 1, inertia: 1 }",
    "torque",
    "monotone_spline(x1, [0, 1], [1, 2])",
    "if i == 0 { b } else { c }",
    "#[derivatives]",
    "output center_of_mass;",
    "output momentum; output angular_momentum;",
    "/// Told.",
    "#[doc = \"\"]",
    "#",
    "output",
    "multiplier(link[1])",
    "acceleration",
    "gravity",
    "[i in 0..3]",
    "gravity [0, -1];",
    "const",
    "sum",
    "%",
    "[i]",
    "[0][1]",
    "[Real; 3]",
    "[[1, 2], [3, 4]]",
    "sum(i in 0..3: i)",
    "fn",
    "let",
    "coordinate",
    "{ symbol: \"θ₁\" }",
    "input",
    "particle",
    "force",
    "potential",
    "dissipation",
    "motor",
    "kinetic",
    "constraint",
    "for",
    "in",
    "mass",
    "Point2",
    "Point3",
    "bead",
    "x1",
    "i",
    "velocity",
    "norm",
    "0",
    "3",
    "1..3",
    "..",
    "=",
    "==",
    ">=",
    "<=",
    "{ restitution: 1, friction: 1/2, slip: velocity(x1) }",
    ":",
    ";",
    ",",
    "{ mass: 1 }",
    "[1, 2]",
    "(x1)",
];

/// A system with tokens left out, doubled, replaced or exchanged, groups included.
pub fn damaged(random: &mut Random, source: &str) -> TokenStream {
    let tokens: TokenStream = source.parse().expect("the systems are valid tokens");
    let count = 1 + random.below(6) / 4;
    (0..count).fold(tokens, |tokens, _| damage(random, tokens))
}

fn damage(random: &mut Random, tokens: TokenStream) -> TokenStream {
    let mut list: Vec<TokenTree> = tokens.into_iter().collect();
    if list.is_empty() {
        return word(random);
    }
    let at = random.below(list.len());
    if let TokenTree::Group(group) = &list[at]
        && random.below(4) > 0
    {
        let inside = damage(random, group.stream());
        list[at] = Group::new(group.delimiter(), inside).into();
        return list.into_iter().collect();
    }
    match random.below(4) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at].clone()),
        2 => drop(list.splice(at..=at, word(random))),
        _ => {
            let other = random.below(list.len());
            list.swap(at, other);
        }
    }
    list.into_iter().collect()
}

fn word(random: &mut Random) -> TokenStream {
    let word = match random.below(3) {
        0 => random.pick(&SOUP),
        _ => random.pick(&WORDS),
    };
    word.parse().unwrap_or_default()
}

/// A macro of ours, called by its name.
pub type Call = (&'static str, String);

/// The input number `case`: the same for ever.
pub fn input(case: u64) -> Call {
    let random = &mut Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    random.below(2);
    let whole = match random.below(32) {
        0..=8 => ("constraint", sense::constraint(random)),
        9..=15 => ("curve", sense::curve(random)),
        16..=25 => ("system", sense::system(random)),
        26 | 27 => ("constraint", statement(random)),
        28 if random.below(8) == 0 => sense::large(random),
        28 if random.below(2) == 0 => ("system", graph(random)),
        28 => ("system", random.pick(&SYSTEMS).to_owned()),
        kind => return soup_of(random, ["constraint", "curve", "system"][kind % 3]),
    };
    match (random.below(3), whole.1.parse::<TokenStream>()) {
        (0, Ok(_)) => (whole.0, damaged(random, &whole.1).to_string()),
        _ => whole,
    }
}

/// Points on rods, 2 to 64 of them, in loops or not.
pub fn graph(random: &mut Random) -> String {
    let options = [
        "",
        "",
        "#[solver(rolled)]",
        "#[derivatives]",
        "#[derivatives] #[solver(rolled)]",
    ];
    let (option, most) = (random.pick(&options), 2 + random.below(63));
    format!(
        "{option} {}",
        graphs::system(&mut |n| random.below(n), most)
    )
}

/// Tokens without sense, behind what may begin a call.
fn soup_of(random: &mut Random, name: &'static str) -> Call {
    let heads = [
        "",
        "struct C { a: Real } |x, p: Point2, t: Time| ",
        "struct C { a: Real } |s in 0..=1| ",
        "struct S { m: Real } particle p: Point2 { mass: m } ",
    ];
    let mut text = random.pick(&heads).to_owned();
    for _ in 0..1 + random.below(4) {
        if name == "system" {
            text.push_str(random.pick(&WORDS));
            text.push(' ');
        }
        soup(random, 2, &mut text);
        text.push_str(random.pick(&[";", "", "{ mass: 1 }"]));
    }
    (name, text)
}
