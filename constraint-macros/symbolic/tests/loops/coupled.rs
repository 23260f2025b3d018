//! Random systems with rows whose mass matrices couple a few coordinates each, or depend on coordinates: angles, particles
//! and bodies placed by them, bodies with wheels, and particles with kinetic energies of their own.

use crate::random::Random;

/// Elements with an index, between which rows are written.
struct Elements {
    statements: Vec<String>,
    /// A point of the i-th, in the plane or in space.
    point: &'static str,
    /// A coordinate of it.
    coordinate: &'static str,
}

/// The statements of a system, its parameters before them.
pub fn system(random: &mut Random) -> String {
    let n = 3 + random.below(4);
    let mut parameters = vec!["l: Real".to_owned(), "g: Real".to_owned()];
    let mass = match random.below(4) {
        0 => "2".to_owned(),
        1 => "l^2".to_owned(),
        2 => "(1 + 0.3*i)".to_owned(),
        _ => {
            parameters.push(format!("m: [Real; {n}]"));
            "m[i]".to_owned()
        }
    };
    let length = match random.below(3) {
        0 => "l".to_owned(),
        1 => "(2 + 0.2*i)".to_owned(),
        _ => {
            parameters.push(format!("length: [Real; {n}]"));
            "length[i]".to_owned()
        }
    };
    let Elements {
        mut statements,
        point,
        coordinate,
    } = elements(random, n, [&mass, &length]);
    let at = |text: &str, index: &str| text.replace("[i]", &format!("[{index}]"));
    // As many rows as coordinates leave no motion but that of rounding.
    let is_alone = coordinate == "a[i]" && point.contains("a[i]^2");
    let ring = !is_alone && random.once_in(3);
    let (from, other) = if ring {
        (0, format!("(i + 1) % {n}"))
    } else {
        (1, "i-1".to_owned())
    };
    let [p, q] = [at(point, "i"), at(point, &other)];
    let [c, d] = [at(coordinate, "i"), at(coordinate, &other)];
    let row = match random.below(4) {
        0 => format!("norm({p} - ({q})) == {length}"),
        1 => format!("norm_squared({p} - ({q})) == {length}^2"),
        2 => format!("sin({c}) + l*{c}*{d} == {length}"),
        _ => format!("dot({p}, {q}) + {d}*t == 0"),
    };
    statements.push(format!(
        "for i in {from}..{n} {{ constraint tie[i]: {row}; }}"
    ));
    if !ring && !is_alone && random.once_in(3) {
        statements.push(format!("constraint hook: norm({}) == l;", at(point, "0")));
    }
    if !ring && !is_alone && random.once_in(4) {
        statements.push(format!(
            "for i in 1..{n} {{ constraint skate[i]: velocity({c}) == l*velocity({d})*{c}; }}"
        ));
    }
    if random.once_in(2) {
        statements.push(format!("for i in 0..{n} {{ potential (i + 1)*g*{c}^2; }}"));
    }
    if random.once_in(2) {
        statements.push(format!(
            "for i in 0..{n} {{ dissipation l*velocity({c})^2; }}"
        ));
    }
    let mut inputs = String::new();
    if random.once_in(2) {
        inputs = format!("input drive[{n}]: Real;\n");
        statements.push(format!(
            "for i in 0..{n} {{ force {c}: drive[i]*cos({c}); }}"
        ));
    }
    format!(
        "pub struct S {{ {} }}\n{inputs}{}",
        parameters.join(", "),
        statements.join("\n")
    )
}

fn elements(random: &mut Random, n: usize, [mass, length]: [&str; 2]) -> Elements {
    let pairs = |statement: &str| format!("for i in 0..{n} {{ {statement} }}");
    let (statements, point, coordinate) = match random.below(9) {
        0 => (
            vec![
                format!("coordinate a[{n}];"),
                pairs(&format!("kinetic ({mass} + a[i]^2)*velocity(a[i])^2/2;")),
            ],
            "[a[i], l*a[i]^2]",
            "a[i]",
        ),
        1 => (
            vec![
                format!("coordinate a[{n}], b[{n}];"),
                pairs(&format!(
                    "kinetic {mass}*velocity(a[i])^2 + velocity(b[i])^2 + velocity(a[i])*velocity(b[i])*cos(a[i] - b[i])/3;"
                )),
            ],
            "[a[i], b[i]]",
            "b[i]",
        ),
        2 => (
            vec![
                format!("coordinate a[{n}], b[{n}], c[{n}];"),
                pairs(&format!(
                    "kinetic {mass}*velocity(a[i])^2 + velocity(a[i])*velocity(b[i])*sin(b[i])/4; \
                     kinetic 2*velocity(b[i])^2 + (1 + a[i]^2)*velocity(c[i])^2 + velocity(b[i])*velocity(c[i])*cos(c[i])/5;"
                )),
            ],
            "[a[i], b[i], c[i]]",
            "c[i]",
        ),
        3 => (
            vec![
                format!("coordinate a[{n}], b[{n}];"),
                format!(
                    "particle p[i in 0..{n}] = [3*i + {length}*sin(a[i]), -{length}*cos(a[i])] {{ mass: {mass} }}"
                ),
                format!(
                    "particle r[i in 0..{n}] = p[i] + [l*sin(b[i]), -l*cos(b[i])] {{ mass: 2 }}"
                ),
                "gravity [0, -g];".to_owned(),
            ],
            "r[i]",
            "b[i]",
        ),
        4 => (
            vec![
                format!("coordinate a[{n}], b[{n}];"),
                format!(
                    "body p[i in 0..{n}]: Rigid2 = pose([3*i, 0], a[i]) * pose([{length}/2, 0]) {{ mass: {mass}, inertia: 0.2*l }}"
                ),
                format!(
                    "body r[i in 0..{n}]: Rigid2 = p[i] * pose([{length}/2, 0], b[i]) * pose([l, 0]) {{ mass: 2, inertia: l/3 }}"
                ),
                "gravity [0, -g];".to_owned(),
            ],
            "at(r[i], [l, 0.1])",
            "a[i]",
        ),
        5 => (
            vec![
                format!("coordinate a[{n}], b[{n}];"),
                format!(
                    "body p[i in 0..{n}]: Rigid3 = pose([3*i, 0, 0], [0, 0, 1], a[i]) * pose([0, l, 0], [1, 0, 0], b[i]) * pose([0, 0, {length}]) \
                     {{ mass: {mass}, inertia: [0.2, 0.3, 0.4*l] }}"
                ),
                "gravity [0, 0, -g];".to_owned(),
            ],
            "at(p[i], [l, 0.1, 0])",
            "b[i]",
        ),
        6 => (
            vec![
                pairs(&format!(
                    "body p[i]: Rigid3 {{ mass: {mass}, inertia: [0.2, 0.3, 0.4] }}"
                )),
                format!("coordinate w[{n}];"),
                pairs(
                    "kinetic 0.1*(velocity(w[i]) + dot(angular_velocity(p[i]), dir(p[i], [0, 0, 1])))^2; force p[i]: [0, l, -g];",
                ),
            ],
            "at(p[i], [l, 0.1, w[i]])",
            "w[i]",
        ),
        7 => (
            vec![
                pairs(&format!(
                    "body p[i]: Rigid2 {{ mass: {mass}, inertia: 0.3 }}"
                )),
                format!("coordinate w[{n}];"),
                format!(
                    "body r[i in 0..{n}]: Rigid2 = p[i] * pose([{length}, 0], w[i]) * pose([l, 0]) {{ mass: 2, inertia: l/3 }}"
                ),
                pairs(
                    "torque r[i]: l; dissipation 0.2*angular_velocity(r[i])^2; force r[i]: [angular_velocity(r[i]), -g];",
                ),
            ],
            "at(r[i], [l, 0.1])",
            "w[i]",
        ),
        _ => (
            vec![
                pairs(&format!("particle p[i]: Point2 {{ mass: {mass} }}")),
                pairs("kinetic l*velocity(p[i].x)*velocity(p[i].y)/4; force p[i]: [0, -g];"),
            ],
            "p[i]",
            "p[i].x",
        ),
    };
    Elements {
        statements,
        point,
        coordinate,
    }
}
