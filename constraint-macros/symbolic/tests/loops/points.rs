//! Random systems of points with derivatives: in rows, rings and pairs, on rods, curves and what moves with time.

use crate::random::Random;

/// The statements of a system, its parameters before them.
pub fn system(random: &mut Random) -> String {
    let n = 3 + random.below(6);
    let space = random.once_in(3);
    let (kind, vector) = if space {
        ("Point3", "Vector3")
    } else {
        ("Point2", "Vector2")
    };
    let mut parameters = vec!["g: Real".to_owned(), "l: Real".to_owned()];
    let mut statements = Vec::new();
    let mass = match random.below(5) {
        0 => "2".to_owned(),
        1 => "l^2".to_owned(),
        2 => format!("1/{}", element(&mut parameters, "w", "Real", n)),
        3 => "(1 + 0.3*i)".to_owned(),
        _ => element(&mut parameters, "m", "Real", n),
    };
    statements.push(format!(
        "for i in 0..{n} {{ particle bead[i]: {kind} {{ mass: {mass} }} }}"
    ));
    let length = match random.below(5) {
        0 => "l".to_owned(),
        1 => "(l + 0.1*t)".to_owned(),
        2 => "(2 - i/7)".to_owned(),
        3 => "(2 + cos(i))*l".to_owned(),
        _ => element(&mut parameters, "length", "Real", n),
    };
    let (from, other) = match random.below(4) {
        0 => (0, format!("bead[(i + 1) % {n}]")),
        1 => (n - n / 2, format!("bead[i - {}]", n - n / 2)),
        _ => (1, "bead[i-1]".to_owned()),
    };
    let rod = match random.below(3) {
        0 => format!("norm(bead[i] - {other}) == {length}"),
        1 => format!("norm_squared(bead[i] - {other}) == {length}^2"),
        _ => format!("bead[i].x*{other}.y + exp({length}*bead[i].y) == l"),
    };
    statements.push(format!(
        "for i in {from}..{n} {{ constraint rod[i]: {rod}; }}"
    ));
    if from == 1 && random.once_in(2) {
        statements.push("constraint anchor: norm(bead[0]) == l;".to_owned());
    }
    if random.once_in(3) {
        statements.push(format!(
            "for i in 0..{n} {{ constraint wire[i]: sin(bead[i].x) + t*bead[i].y == 0; }}"
        ));
    } else if random.once_in(4) {
        statements.push(format!(
            "for i in 0..{n} {{ constraint skate[i]: velocity(bead[i].x) == l*velocity(bead[i].y)*bead[i].x; }}"
        ));
    }
    let down = if space { "[0, 0, -g]" } else { "[0, -g]" };
    statements.push(format!("gravity {down};"));
    let mut inputs = String::new();
    if random.once_in(2) {
        inputs = format!("input push[{n}]: {vector}; input wind: {vector};\n");
        statements.push(format!(
            "for i in 0..{n} {{ force bead[i]: push[i] + t*wind; }}"
        ));
    }
    if random.once_in(2) {
        let k = element(&mut parameters, "k", vector, n);
        statements.push(format!(
            "for i in 1..{n} {{ potential {k}.y*norm_squared(bead[i] - bead[i-1]); }}"
        ));
    }
    if random.once_in(3) {
        let hook = if space {
            "[i, 2, -i/3]"
        } else {
            "[i - 1, 3*i]"
        };
        statements.push(format!(
            "for i in 0..{n} {{ potential (i + 1)*l*norm(bead[i] - {hook})^2; force bead[i]: (2 - i)*{hook}; }}"
        ));
    }
    if random.once_in(3) {
        statements.push(format!(
            "for i in 0..{n} {{ dissipation (i + 2)*l*norm_squared(velocity(bead[i])); }}"
        ));
    }
    format!(
        "#[derivatives] pub struct S {{ {} }}\n{inputs}{}",
        parameters.join(", "),
        statements.join("\n")
    )
}

/// An element of a parameter that is an array.
fn element(parameters: &mut Vec<String>, name: &str, kind: &str, n: usize) -> String {
    parameters.push(format!("{name}: [{kind}; {n}]"));
    format!("{name}[i]")
}
