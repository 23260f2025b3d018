//! Inputs that mostly make sense: names are declared, shapes fit, everything that moves has a mass.

use constraint_symbolic::expr::Function;
use constraint_symbolic::syntax::ast::Annotation;
use constraint_symbolic::syntax::{library_joint, library_joints};
use proc_macro2::Span;

use super::Random;

/// What can be said where an expression stands.
#[derive(Clone, Default)]
pub struct Scope {
    scalars: Vec<String>,
    vectors: Vec<String>,
    /// Functions of one scalar, and whether they give a vector.
    functions: Vec<(String, bool)>,
    /// `velocity(…)` may be said.
    moving: bool,
    /// The components of a vector.
    space: bool,
}

/// How deep the expressions of an input nest: few deeply, for those take most of the time.
fn depth(random: &mut Random) -> usize {
    match random.below(64) {
        0 => 1 + random.below(7),
        _ => 1 + random.below(3),
    }
}

/// Functions of one argument: those of the table, those made of them, and the most frequent once more.
fn unary(random: &mut Random) -> &'static str {
    let rows = Function::all().map(Function::row);
    let names = rows.filter(|row| row.arity == 1).map(|row| row.name);
    let others = ["softplus", "logistic", "recip", "sin", "cos"];
    random.pick(&names.chain(others).collect::<Vec<_>>())
}

const BINARY: [&str; 6] = ["atan2", "hypot", "min", "max", "powf", "min"];
const NUMBERS: [&str; 8] = ["0", "1", "2", "3", "5e-1", "7", "1/3", "9.81"];
const EXPONENTS: [&str; 8] = ["2", "2", "3", "4", "-1", "0.5", "(1/3)", "7"];

impl Scope {
    fn component(&self) -> &'static [&'static str] {
        if self.space {
            &["x", "y", "z"]
        } else {
            &["x", "y"]
        }
    }

    fn leaf(&self, random: &mut Random) -> String {
        match random.below(5) {
            0 => random.pick(&NUMBERS).to_owned(),
            1 if !self.vectors.is_empty() => {
                let vector = &self.vectors[random.below(self.vectors.len())];
                format!("{vector}.{}", random.pick(self.component()))
            }
            _ if self.scalars.is_empty() => "1".to_owned(),
            _ => self.scalars[random.below(self.scalars.len())].clone(),
        }
    }

    pub fn scalar(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(random);
        }
        let below = |random: &mut Random| random.below(depth);
        let a = self.scalar(random, depth - 1);
        let less = below(random);
        let b = self.scalar(random, less);
        match random.below(19) {
            18 => match random.below(3) {
                0 => format!("clamp({a}, 0, {b})"),
                1 => format!("smoothstep(0, 2, {a})"),
                _ => format!(
                    "{}_spline({a}, [0, 1, 3, 4], [0, 1, 0.5, 0])",
                    random.pick(&["cubic", "periodic", "monotone"])
                ),
            },
            0..=2 => format!("{a} + {b}"),
            3 | 4 => format!("{a} - ({b})"),
            5..=7 => format!("({a})*({b})"),
            8 => format!("({a})/({b})"),
            9 => format!("({a})^{}", random.pick(&EXPONENTS)),
            10..=12 => format!("{}({a})", unary(random)),
            13 => format!("{}({a}, {b})", random.pick(&BINARY)),
            14 => {
                let (u, v) = (self.vector(random, less), self.vector(random, less));
                match random.below(3) {
                    0 => format!("dot({u}, {v})"),
                    1 => format!("norm({u})"),
                    _ => format!("norm_squared({u} - ({v}))"),
                }
            }
            15 => format!("{{ let d{depth} = {a}; d{depth}*d{depth} + {b} }}"),
            16 => {
                let sign = random.pick(&["<", ">", "<=", ">="]);
                format!(
                    "if {b} {sign} {} {{ {a} }} else {{ {b} }}",
                    self.leaf(random)
                )
            }
            _ => match self.functions.iter().find(|_| random.below(2) == 0) {
                Some((name, false)) => format!("{name}({a})"),
                Some((name, true)) => format!("{name}({a}).x"),
                None if self.moving => format!("velocity({})", self.leaf(random)),
                None => format!("-({a})"),
            },
        }
    }

    pub fn vector(&self, random: &mut Random, depth: usize) -> String {
        let less = random.below(depth.max(1));
        match random.below(7) {
            0 | 1 if !self.vectors.is_empty() => {
                self.vectors[random.below(self.vectors.len())].clone()
            }
            2 if depth > 0 => {
                let (u, v) = (self.vector(random, less), self.vector(random, less));
                format!("({u} + {v})")
            }
            3 if depth > 0 => {
                let (c, u) = (self.scalar(random, less), self.vector(random, less));
                format!("({c})*{u}")
            }
            4 if depth > 0 && !self.space => format!("perp({})", self.vector(random, less)),
            _ => {
                let parts = self.component().iter();
                let parts: Vec<String> = parts.map(|_| self.scalar(random, less)).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// A `constraint!`: one equation or several, of coordinates or between bodies.
pub fn constraint(random: &mut Random) -> String {
    let depth = depth(random);
    if random.below(6) == 0 {
        return joint(random, depth);
    }
    let scope = Scope {
        scalars: list(&["x", "y", "a", "t"]),
        vectors: list(&["p", "q", "w"]),
        ..Scope::default()
    };
    let rows: Vec<String> = (0..1 + random.below(4) / 2)
        .map(|_| format!("{} == {}", scope.scalar(random, depth), scope.leaf(random)))
        .collect();
    if random.below(6) == 0 {
        let fields = random.pick(&[
            "",
            " { restitution: a }",
            " { friction: 1/2, restitution: a }",
        ]);
        let (sign, name) = (random.pick(&[">=", "<="]), random.pick(&["t", "time"]));
        let rows: Vec<String> = rows
            .iter()
            .map(|row| row.replace("==", sign) + fields)
            .collect();
        let points = random.pick(&["p: Point2", "x, y", "x, y, p: Point2, q: Point2"]);
        let rows = rows.join(", ");
        return format!(
            "struct C {{ a: Real, w: Vector2 }} |{points}, {name}: Time| {{ let d = a; [{rows}] }}"
        );
    }
    format!(
        "struct C {{ a: Real, w: Vector2 }} |x, y, p: Point2, q: Point2, t: Time| [{}]",
        rows.join(", ")
    )
}

fn joint(random: &mut Random, depth: usize) -> String {
    let space = random.below(2) == 0;
    let (ty, vector) = if space {
        ("Rigid3", "[0, a, 1]")
    } else {
        ("Rigid2", "[a, 1]")
    };
    let at = |body: &str| format!("at({body}, {vector})");
    let scope = Scope {
        scalars: list(&["a", "t"]),
        vectors: vec![at("b"), at("c"), format!("dir(b, {vector})")],
        space,
        ..Scope::default()
    };
    let row = match random.below(3) {
        0 => format!("{} == {}", at("b"), scope.vector(random, depth)),
        1 => format!("dot(dir(b, {vector}), {} - {}) == 0", at("c"), at("b")),
        _ => format!("{} == 0", scope.scalar(random, depth)),
    };
    format!("struct C {{ a: Real }} |b: {ty}, c: {ty}, t: Time| {row}")
}

/// A joint that holds a body: what has no default, and some of what has.
fn joint_of_the_library(random: &mut Random, i: usize, plane: bool) -> String {
    let joints: Vec<&str> = library_joints(plane).collect();
    let joint = random.pick(&joints);
    let tree = library_joint(joint, plane, Span::call_site()).expect("it is listed");
    let parameters = tree.header.expect("a struct").parameters;
    let told = parameters
        .iter()
        .filter(|it| it.default.is_none() || random.below(4) == 0);
    let values = told.map(|it| {
        let value = match &it.annotation {
            Annotation::Type(ty) if ty == "Vector3" => "[1, l, 2]",
            Annotation::Type(ty) if ty == "Vector2" => "[1, l]",
            _ => "l",
        };
        format!(", {}: {value}", it.name)
    });
    let values: String = values.collect();
    format!("joint j{i}: {joint} {{ a: b{i}{values} }}")
}

/// A `curve!`, often of pieces.
pub fn curve(random: &mut Random) -> String {
    let space = random.below(4) == 0;
    let mut scope = Scope {
        scalars: list(&["s", "s", "a"]),
        space,
        ..Scope::default()
    };
    let pieces = random.below(2) * random.below(4);
    let depth = if pieces == 0 { depth(random) } else { 1 };
    let name = match random.below(3) {
        0 => {
            scope.scalars.push("d".to_owned());
            format!("let d = {};", scope.scalar(random, depth))
        }
        _ => String::new(),
    };
    let piece = |random: &mut Random| match random.below(2) {
        0 => scope.vector(random, depth),
        _ => {
            let parts = scope.component()[1..].iter();
            let parts: Vec<String> = parts.map(|_| scope.scalar(random, depth)).collect();
            format!("[s, {}]", parts.join(", "))
        }
    };
    let mut body = piece(random);
    for i in 0..pieces {
        let sign = random.pick(&["<", ">", "<="]);
        body = format!(
            "if s {sign} {i}/4 {{ {} }} else {{ {body} }}",
            piece(random)
        );
    }
    let domain = random.pick(&["0..=1", "-1..=1", "0..=TAU", "-a..=a", "a..=a + 1"]);
    let joined = random.pick(&["", "", "", "#[joined(1e-5)] "]);
    format!("{joined}struct C {{ a: Real }} |s in {domain}| {{ {name} {body} }}")
}

/// A `system!` of functions, names, inputs, particles, bodies, arrays and loops.
pub fn system(random: &mut Random) -> String {
    let space = random.below(4) == 0;
    let mut made = Made {
        scope: Scope {
            scalars: list(&["m", "l", "t"]),
            vectors: if space { list(&["w3"]) } else { list(&["w"]) },
            space,
            ..Scope::default()
        },
        text: String::new(),
        pushed: Vec::new(),
    };
    if random.below(6) == 0 {
        made.text.push_str(random.pick(&[
            "#[redundant(least_squares)] ",
            "#[solver(rolled)] ",
            "#[solver(rolled)] ",
            "#[derivatives] #[solver(rolled)] ",
            "#[task_space] ",
            "#[regressor] ",
        ]));
    }
    made.text.push_str(
        "struct S { m: Real = 1, l: Real = 0.5, w: Vector2 = [0, 1], w3: Vector3 = [0, 1, 2], many: [Real; 4] = [1, 2, 3, 4] } ",
    );
    made.mover(random, 0);
    if random.below(8) == 0 {
        made.say(format!("gravity l*{};", made.scope.vector(random, 0)));
    }
    for i in 1..2 + random.below(5) {
        made.statement(random, i);
    }
    made.text
}

struct Made {
    scope: Scope,
    text: String,
    /// What forces may act on, and whether they are vectors.
    pushed: Vec<(String, bool)>,
}

impl Made {
    fn say(&mut self, text: String) {
        self.text.push_str(&text);
        self.text.push('\n');
    }

    /// Something that moves, with its mass.
    fn mover(&mut self, random: &mut Random, i: usize) {
        let point = if self.scope.space { "Point3" } else { "Point2" };
        match random.below(8) {
            0 | 1 => {
                self.say(format!("coordinate q{i}; kinetic m/2*velocity(q{i})^2;"));
                self.scope.scalars.push(format!("q{i}"));
                self.pushed.push((format!("q{i}"), false));
            }
            2 => {
                self.say(format!("particle p{i}: {point} {{ mass: m }}"));
                self.vector(format!("p{i}"));
            }
            3 => {
                let place = self.scope.vector(random, 2);
                self.say(format!("coordinate q{i}, r{i};"));
                self.scope
                    .scalars
                    .extend([format!("q{i}"), format!("r{i}")]);
                let parts = if self.scope.space { ", l" } else { "" };
                self.say(format!(
                    "particle p{i} = {place} + [q{i}, r{i}{parts}] {{ mass: 2*m }}"
                ));
                self.vector(format!("p{i}"));
            }
            4 => self.array(random, i),
            5 => self.posed(random, i),
            6 => self.parts(random, i),
            _ => self.body(random, i),
        }
    }

    fn vector(&mut self, name: String) {
        self.scope.vectors.push(name.clone());
        self.pushed.push((name, true));
    }

    /// A part in a part, used once, in a `for` or as an array.
    fn parts(&mut self, random: &mut Random, i: usize) {
        let point = if self.scope.space { "Point3" } else { "Point2" };
        let vector = if self.scope.space {
            "Vector3"
        } else {
            "Vector2"
        };
        let depth = random.below(2);
        let (push, place) = (
            self.scope.vector(random, depth),
            self.scope.vector(random, depth),
        );
        self.say(format!(
            "part A{i} {{ hook: {vector}, m: Real, k: Real = m^2 }} {{ \
             particle bob: {point} {{ mass: m + k }} coordinate s[2]; kinetic velocity(s[0] - s[1])^2 + velocity(s[1])^2; \
             fn far(p) = p - hook; constraint rod: norm(far(bob)) == l; force bob: {push}; let tip = bob + hook; }}"
        ));
        self.say(format!(
            "part B{i} {{ place: {vector} }} {{ for j in 0..2 {{ a[j]: A{i} {{ hook: (j + 1)*place, m: m }} }} let tip = a[1].tip; }}"
        ));
        let (used, name) = match random.below(4) {
            0 => (format!("u{i}: B{i} {{ place: {place} }}"), format!("u{i}")),
            2 => (
                format!(
                    "u{i}[0]: B{i} {{ place: {place} }} u{i}[k in 1..3]: B{i} {{ place: u{i}[k - 1].tip }}"
                ),
                format!("u{i}[2]"),
            ),
            1 => (
                format!("u{i}[2]: B{i} {{ place: {place} }}"),
                format!("u{i}[1]"),
            ),
            _ => (
                format!("for k in 0..3 {{ u{i}[k]: B{i} {{ place: {place} }} }}"),
                format!("u{i}[2]"),
            ),
        };
        self.say(used);
        self.scope.vectors.push(format!("{name}.tip"));
        self.scope.scalars.push(format!("{name}.a[0].s[1]"));
        self.vector(format!("{name}.a[1].bob"));
    }

    fn array(&mut self, random: &mut Random, i: usize) {
        let point = if self.scope.space { "Point3" } else { "Point2" };
        let n = 2 + random.below(3) * random.below(4) * random.below(3);
        match random.below(4) {
            0 => self.say(format!("particle p{i}[{n}]: {point} {{ mass: m }}")),
            3 => self.say(format!(
                "particle p{i}[k in 0..{n}]: {point} {{ mass: many[k % 4] }}"
            )),
            1 => self.say(format!(
                "const N{i} = {n}; for k in 0..N{i} {{ particle p{i}[k]: {point} {{ mass: many[k % 4] }} }}"
            )),
            _ => {
                let list: Vec<String> = (1..=n).map(|k| k.to_string()).collect();
                let list = list.join(", ");
                self.say(format!(
                    "let l{i} = [{list}]; for k in 0..{n} {{ particle p{i}[k]: {point} {{ mass: l{i}[k]*m }} }}"
                ));
            }
        }
        self.say(format!("constraint a{i}: norm(p{i}[0]) == l;"));
        let loops = match random.below(3) {
            0 => format!("constraint c{i}[k]: norm_squared(p{i}[k] - p{i}[k-1]) == l^2*k;"),
            1 => format!("constraint c{i}[k]: norm(p{i}[k] - p{i}[k-1]) == l;"),
            _ => format!("potential many[k % 4]*norm_squared(p{i}[k] - p{i}[k-1])*k;"),
        };
        let depth = random.below(3);
        let push = self.scope.vector(random, depth);
        self.say(format!(
            "for k in 1..{n} {{ {loops} force p{i}[k]: {push}; }}"
        ));
        if random.below(4) == 0 {
            self.say(format!(
                "potential sum(k in 0..{n}: many[k % 4]*norm_squared(p{i}[k]));"
            ));
        }
        self.vector(format!("p{i}[{}]", random.below(n)));
    }

    fn body(&mut self, random: &mut Random, i: usize) {
        let (ty, inertia, arm) = if self.scope.space {
            ("Rigid3", "[m, 2*m, 3*m]", "[l, 0, 1]")
        } else {
            ("Rigid2", "m/2", "[l, 1]")
        };
        self.say(format!("body b{i}: {ty} {{ mass: m, inertia: {inertia} }}"));
        let point = format!("at(b{i}, {arm})");
        if random.below(2) == 0 {
            let place = self.scope.vector(random, 1);
            self.say(format!("constraint pin{i}: {point} == {place};"));
        } else if random.below(2) == 0 {
            self.say(joint_of_the_library(random, i, !self.scope.space));
        }
        self.vector(point);
    }

    /// A body told by a coordinate of its own, or from another by two.
    fn posed(&mut self, random: &mut Random, i: usize) {
        let depth = random.below(2);
        let angle = self.scope.scalar(random, depth);
        let (ty, inertia, zero, axis) = if self.scope.space {
            let axis = random.pick(&["[0, 0, 1], ", "[0, 3/5, 4/5], ", "w3, "]);
            ("Rigid3", "[m, 2*m, 3*m]", "[0, 0, l]", axis)
        } else {
            ("Rigid2", "m/2", "[0, l]", "")
        };
        self.say(format!("coordinate q{i}, r{i};"));
        let slide = if self.scope.space {
            format!("[r{i}, 0, 1]")
        } else {
            format!("[r{i}, 1]")
        };
        let pose = match random.below(3) {
            0 => format!("pose({slide}, {axis}q{i} + {angle})"),
            1 => format!("pose({zero}, {axis}q{i}) * pose({slide}, {axis}{angle})"),
            _ => {
                format!("pose({zero}, {axis}{angle}) * (pose({slide}, {axis}q{i}) * pose({zero}))")
            }
        };
        self.say(format!(
            "body b{i}: {ty} = {pose} {{ mass: m, inertia: {inertia} }}"
        ));
        self.scope
            .scalars
            .extend([format!("q{i}"), format!("r{i}")]);
        self.vector(format!("at(b{i}, {zero})"));
    }

    fn statement(&mut self, random: &mut Random, i: usize) {
        let depth = depth(random);
        match random.below(14) {
            12 => self.output(random, i, depth),
            0 | 1 => self.mover(random, i),
            2 => self.function(random, i, depth),
            3 => {
                let value = self.scope.scalar(random, depth);
                self.say(format!("let n{i} = {value};"));
                self.scope.scalars.push(format!("n{i}"));
            }
            4 => {
                let value = self.scope.vector(random, depth);
                self.say(format!("let n{i} = {value};"));
                self.scope.vectors.push(format!("n{i}"));
            }
            5 => {
                self.say(format!("input u{i};"));
                let (target, _) = self.pushed[0].clone();
                if let Some((target, _)) = self.pushed.iter().find(|(_, vector)| !vector) {
                    let text = format!("force {target}: u{i}*l;");
                    self.say(text);
                } else {
                    let push = self.scope.vector(random, 1);
                    self.say(format!("force {target}: u{i}*({push});"));
                }
            }
            6 | 7 => {
                let (target, vector) = self.pushed[random.below(self.pushed.len())].clone();
                let push = if vector {
                    self.scope.vector(random, depth)
                } else {
                    self.scope.scalar(random, depth)
                };
                self.say(format!("force {target}: {push};"));
            }
            8 => {
                let value = self.scope.scalar(random, depth);
                self.say(format!("potential {value};"));
            }
            9 => {
                let moving = self.moving();
                let value = moving.scalar(random, depth.min(2));
                self.say(format!("dissipation ({value})^2;"));
            }
            10 => {
                let row = self.moving().scalar(random, depth);
                self.say(format!("constraint c{i}: {row} == 0;"));
            }
            11 => self.hold(random, i),
            13 => {
                let (gap, slip) = (self.scope.scalar(random, depth), self.moving());
                let slip = slip.scalar(random, depth.min(2));
                let friction = format!("friction: l, slip: {slip}");
                let fields = ["", "{ restitution: 1/2 }", &format!("{{ {friction} }}")];
                let fields = fields[random.below(3)].to_owned();
                let sign = [">=", "<=", "=="][random.below(3)];
                self.say(format!("constraint c{i}: {gap} {sign} l {fields};"));
                if random.below(3) == 0 {
                    let rate = self.moving().scalar(random, depth.min(2));
                    self.say(format!("motor r{i}: {rate} == l {{ most: l^2 }};"));
                }
            }
            _ => {
                let row = self.scope.scalar(random, depth);
                self.say(format!("constraint c{i}: {row} == l;"));
            }
        }
    }

    /// Rows on what moves itself: a coordinate, a component or a whole place, alone or next to another, or their rates.
    fn hold(&mut self, random: &mut Random, i: usize) {
        let (held, is_vector) = self.pushed[random.below(self.pushed.len())].clone();
        let value = match (is_vector, random.below(3)) {
            (false, _) => self.scope.leaf(random),
            (true, 0) => self.scope.vector(random, 0),
            (true, _) if self.scope.space => "[0, 0, 0]".to_owned(),
            (true, _) => "[0, 0]".to_owned(),
        };
        let component = random.pick(self.scope.component());
        self.say(match random.below(4) {
            0 if is_vector => format!("constraint c{i}: {held}.{component} == 1;"),
            1 => format!("constraint c{i}: velocity({held}) == {value};"),
            _ => format!("constraint c{i}: {held} == {value};"),
        });
    }

    /// What is told of the state, or of what is solved for.
    fn output(&mut self, random: &mut Random, i: usize, depth: usize) {
        let value = match random.below(3) {
            0 => self.moving().scalar(random, depth),
            1 => self.scope.vector(random, depth),
            _ => format!(
                "norm_squared(acceleration({}))",
                self.scope.vector(random, 1)
            ),
        };
        self.say(format!("output o{i} = {value};"));
    }

    fn moving(&self) -> Scope {
        Scope {
            moving: true,
            ..self.scope.clone()
        }
    }

    fn function(&mut self, random: &mut Random, i: usize, depth: usize) {
        let mut inner = self.scope.clone();
        inner.scalars.extend(list(&["s", "s", "s"]));
        let vector = random.below(3) == 0;
        let value = if vector {
            inner.vector(random, depth)
        } else {
            inner.scalar(random, depth)
        };
        self.say(format!("fn f{i}(s) = {value};"));
        self.scope.functions.push((format!("f{i}"), vector));
    }
}

/// Long chains, deep nests and wide sums, up to what the macros refuse.
pub fn large(random: &mut Random) -> (&'static str, String) {
    let scope = Scope {
        scalars: list(&["x", "y"]),
        ..Scope::default()
    };
    let size = 1 << random.below(9);
    let n = 1 + random.below(size);
    let depth = random.below(3);
    let mut part = |inner: &str| match random.below(4) {
        0 => format!("sin({inner})"),
        1 => format!("({inner})*({})", scope.scalar(random, depth)),
        2 => format!("({inner} + {})/2", scope.scalar(random, depth)),
        _ => format!("sqrt(1 + ({inner})^2)"),
    };
    let chain = |part: &mut dyn FnMut(&str) -> String| {
        let lets = (0..n).map(|i| format!("let a{} = {};", i + 1, part(&format!("a{i}"))));
        lets.collect::<String>()
    };
    let kind = n % 5;
    match kind {
        0 => {
            let nest = (0..n.min(100)).fold("x".to_owned(), |inner, _| part(&inner));
            ("constraint", format!("struct C; |x, y| {nest} == 1"))
        }
        1 => {
            let lets = chain(&mut part);
            (
                "constraint",
                format!("struct C; |x, y| {{ let a0 = x; {lets} a{n} + y }}"),
            )
        }
        2 => {
            let terms: Vec<String> = (0..n).map(|i| part(&format!("(x + {i}*y)"))).collect();
            let join = if n.is_multiple_of(2) { " + " } else { "*" };
            (
                "constraint",
                format!("struct C; |x, y| {} == 1", terms.join(join)),
            )
        }
        3 => {
            let lets = chain(&mut part);
            (
                "curve",
                format!(
                    "struct C; |s in 0..=1| {{ let x = s; let y = s^2; let a0 = x; {lets} [s, a{n}] }}"
                ),
            )
        }
        _ => {
            let functions: String = (0..n)
                .map(|i| match i {
                    0 => "fn f0(x) = x + y;".to_owned(),
                    _ => format!("fn f{i}(x) = {};", part(&format!("f{}(x)", i - 1))),
                })
                .collect();
            let moves = "coordinate q, y; kinetic velocity(q)^2 + velocity(y)^2;";
            let last = n - 1;
            (
                "system",
                format!("struct S; {moves} {functions} potential f{last}(q);"),
            )
        }
    }
}
