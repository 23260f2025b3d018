//! Random systems of bodies and particles, on joints in chains, trees and rings.

use crate::random::Random;

/// Elements of one declaration.
struct Group {
    name: &'static str,
    count: usize,
    body: bool,
}

struct Writer<'r> {
    random: &'r mut Random,
    space: bool,
    statements: Vec<String>,
    parameters: Vec<String>,
    inputs: Vec<String>,
}

/// The statements of a system, its parameters before them.
pub fn system(random: &mut Random) -> String {
    let space = random.once_in(2);
    let mut writer = Writer {
        space,
        statements: Vec::new(),
        parameters: vec!["l: Real = 0.5".into(), "g: Real = 9.81".into()],
        inputs: Vec::new(),
        random,
    };
    let count = 3 + writer.random.below(5);
    let first = writer.group("link", count, true);
    let groups = if writer.random.once_in(2) {
        let body = writer.random.once_in(2);
        let count = count - writer.random.below(2);
        vec![first, writer.group("knot", count, body)]
    } else {
        vec![first]
    };
    writer.joints(&groups);
    groups.iter().for_each(|group| writer.loads(group));
    let Writer {
        statements,
        parameters,
        inputs,
        ..
    } = writer;
    let inputs = match inputs.is_empty() {
        true => String::new(),
        false => format!("input {};\n", inputs.join(", ")),
    };
    format!(
        "pub struct S {{ {} }}\n{inputs}{}",
        parameters.join(", "),
        statements.join("\n")
    )
}

impl Writer<'_> {
    fn vector(&self) -> &'static str {
        if self.space { "Vector3" } else { "Vector2" }
    }

    /// A parameter that is an array.
    fn array(&mut self, name: &str, kind: &str, count: usize) -> String {
        let name = format!("{name}{}", self.parameters.len());
        self.parameters.push(format!("{name}: [{kind}; {count}]"));
        name
    }

    /// Masses and moments of one value, or of the element's own.
    fn group(&mut self, name: &'static str, count: usize, body: bool) -> Group {
        let mass = match self.random.below(5) {
            0 => "2".into(),
            1 => format!("1/{}[i]", self.array("w", "Real", count)),
            2 => "(1 + 0.3*i)".into(),
            _ => format!("{}[i]", self.array("m", "Real", count)),
        };
        let kind = match (body, self.space) {
            (true, true) => "Rigid3",
            (true, false) => "Rigid2",
            (false, true) => "Point3",
            (false, false) => "Point2",
        };
        let inertia = match (body, self.space, self.random.below(5)) {
            (false, ..) => String::new(),
            (true, false, 0) => format!(", inertia: 0.1*{mass}"),
            (true, false, _) => format!(", inertia: {}[i]", self.array("moment", "Real", count)),
            (true, true, 0) => ", inertia: [0.3, 0.3, 0.3]".into(),
            (true, true, 1) => ", inertia: [0.2, 0.3, 0.3]".into(),
            (true, true, 2) => ", inertia: [0.2, 0.3, 0.4]".into(),
            (true, true, 3) => {
                ", inertia: [[0.3, 0.02, 0], [0.02, 0.4, 0.01*l], [0, 0.01*l, 0.5]]".into()
            }
            _ => {
                let own = self.array("moments", "Vector3", count);
                format!(", inertia: [{own}[i].x, {own}[i].y, {own}[i].z]")
            }
        };
        let kind_of = if body { "body" } else { "particle" };
        self.statements.push(format!(
            "for i in 0..{count} {{ {kind_of} {name}[i]: {kind} {{ mass: {mass}{inertia} }} }}"
        ));
        Group { name, count, body }
    }

    /// A vector fixed to a body.
    fn arm(&mut self, index: &str, count: usize) -> String {
        match self.random.below(4) {
            0 => format!("{}[{index}]", self.array("arm", self.vector(), count)),
            1 if self.space => "[l, 0, 0]".into(),
            1 => "[l, 0]".into(),
            _ if self.space => "[0.1, -l, 0.3]".into(),
            _ => "[0.1, -l]".into(),
        }
    }

    /// A point of an element.
    fn point(&mut self, group: &Group, index: &str) -> String {
        let element = format!("{}[{index}]", group.name);
        if !group.body {
            return element;
        }
        // An index that wraps around is no index of an array that is longer.
        let arm = self.arm(index, 2 * group.count + 2);
        format!("at({element}, {arm})")
    }

    /// A direction that a body carries.
    fn direction(&mut self, group: &Group, index: &str) -> String {
        let axis = match (self.space, self.random.once_in(2)) {
            (true, true) => "[1, 0, 0]",
            (true, false) => "[0, 0.6, 0.8]",
            (false, true) => "[1, 0]",
            (false, false) => "[0.6, 0.8]",
        };
        format!("dir({}[{index}], {axis})", group.name)
    }

    /// What holds an element to another: a rod, a pin or ball, with a row across it or without.
    fn joint(&mut self, number: usize, (a, i): (&Group, &str), (b, j): (&Group, &str)) -> String {
        let [p, q] = [self.point(a, i), self.point(b, j)];
        match self.random.below(4) {
            0 => format!("constraint rod{number}[i]: norm({p} - ({q})) == l;"),
            1 => format!("constraint rod{number}[i]: norm_squared({p} - ({q})) == l^2;"),
            2 if a.body && b.body && self.space => {
                let [u, w] = [self.direction(a, i), self.direction(b, j)];
                format!(
                    "constraint pin{number}[i]: {p} == {q}; constraint across{number}[i]: dot({u}, {w}) == 0;"
                )
            }
            _ => format!("constraint pin{number}[i]: {p} == {q};"),
        }
    }

    fn joints(&mut self, groups: &[Group]) {
        let first = &groups[0];
        let n = first.count;
        if self.random.once_in(2) {
            let (point, zero) = (
                self.point(first, "0"),
                if self.space { "[0, 0, 0]" } else { "[0, 0]" },
            );
            self.statements
                .push(format!("constraint anchor: {point} == {zero};"));
        }
        let (range, here, there) = match self.random.below(4) {
            0 => (format!("0..{n}"), "i".to_owned(), format!("(i + 1) % {n}")),
            1 => (format!("0..{}", (n - 1) / 2), "2*i + 1".into(), "i".into()),
            _ => (format!("1..{n}"), "i".into(), "i-1".into()),
        };
        let joint = self.joint(0, (first, &here), (first, &there));
        self.statements
            .push(format!("for i in {range} {{ {joint} }}"));
        if let Some(second) = groups.get(1) {
            let joint = self.joint(1, (second, "i"), (first, "i"));
            let count = second.count;
            self.statements
                .push(format!("for i in 0..{count} {{ {joint} }}"));
        }
        if self.random.once_in(5) {
            let [point, axis] = [self.point(first, "i"), self.direction(first, "i")];
            self.statements.push(format!(
                "for i in 0..{n} {{ constraint runner[i]: dot(velocity({point}), {axis}) == 0; }}"
            ));
        }
    }

    fn loads(&mut self, group: &Group) {
        let (name, n) = (group.name, group.count);
        let down = if self.space { "[0, 0, -g]" } else { "[0, -g]" };
        let mut each = vec![format!("force {name}[i]: {down};")];
        if self.random.once_in(3) {
            let input = format!("push{}", self.inputs.len());
            self.inputs.push(format!("{input}[{n}]: {}", self.vector()));
            let point = self.point(group, "i");
            each.push(format!("force {point}: {input}[i];"));
        }
        if group.body && self.random.once_in(3) {
            let torque = if self.space {
                "[0.1, 0.2*i, l]"
            } else {
                "0.1*i + l"
            };
            each.push(format!("torque {name}[i]: {torque};"));
        }
        if self.random.once_in(3) {
            let point = self.point(group, "i");
            each.push(format!("dissipation 0.3*norm_squared(velocity({point}));"));
        }
        let each = each.join(" ");
        self.statements
            .push(format!("for i in 0..{n} {{ {each} }}"));
        if self.random.once_in(3) {
            let [p, q] = [self.point(group, "i"), self.point(group, "i-1")];
            self.statements.push(format!(
                "for i in 1..{n} {{ potential l*norm_squared({p} - ({q})); }}"
            ));
        }
    }
}
