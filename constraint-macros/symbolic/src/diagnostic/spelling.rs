//! Suggestions for misspelt names.

/// Names of our functions in other languages.
pub(super) fn other_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "log" => "write `ln(x)`, `log2(x)` or `log10(x)`",
        "arcsin" => "write `asin(x)`",
        "arccos" => "write `acos(x)`",
        "arctan" => "write `atan(x)`",
        "arctan2" => "write `atan2(y, x)`",
        "sqr" | "square" => "write `x^2`",
        "sgn" | "sign" => "write `signum(x)`",
        "fabs" | "magnitude" => "write `abs(x)` for a number, `norm(p)` for a vector",
        "length" | "len" => "write `norm(p)`",
        "distance" | "dist" => "write `norm(b - a)`",
        "power" => "write `x^n`",
        "cot" => "write `1/tan(x)`",
        "sec" => "write `1/cos(x)`",
        "csc" => "write `1/sin(x)`",
        "vec2" | "vec3" | "Vector2" | "Vector3" | "Point2" | "Point3" => "write `[a, b]`",
        "floor" | "ceil" | "round" | "trunc" | "fract" | "mod" | "rem_euclid" => {
            "a constraint must not jump; write it without rounding"
        }
        "exp2" => "write `2^x`",
        "mul_add" => "write `a*b + c`",
        _ => return None,
    })
}

/// What to write for a statement that the language calls differently.
pub(super) fn other_statement(word: &str) -> Option<&'static str> {
    Some(match word {
        "spring" | "stiffness" | "energy" => {
            "write the energy, as in `potential k/2*(norm(b - a) - l)^2;`"
        }
        "damper" | "damping" | "dashpot" | "drag" | "viscous" => {
            "write `dissipation c/2*velocity(x)^2;`"
        }
        "friction" | "restitution" => {
            "write it as a property of a `constraint`, as in \
             `constraint floor: p.y >= 0 { friction: mu, slip: velocity(p).x };`"
        }
        "contact" | "collision" | "floor" | "ground" | "wall" | "obstacle" | "stop" | "limit"
        | "limits" | "require" | "assert" => {
            "write a constraint of one side, as in `constraint floor: p.y >= 0;`"
        }
        "rod" | "link" | "bar" | "distance" | "pin" => {
            "write a `constraint`, as in `constraint rod: norm(b - a) == l;`, or a `joint` between bodies"
        }
        "mass" | "point" | "bead" | "bob" => "write `particle p: Point2 { mass: m }`",
        "rigid" | "rigidbody" | "rigid_body" => "write `body b: Rigid2 { mass: m, inertia: i }`",
        "hinge" | "revolute" | "ball" | "spherical" | "prismatic" | "slider" | "weld" => {
            "write a `joint` with its type, as in `joint knee: Hinge { a: thigh, b: shank, … }`"
        }
        "actuator" | "servo" => {
            "write `force`, `torque`, or `motor drive: velocity(x) == speed { most: bound };`"
        }
        "control" | "command" | "signal" => "write `input u;`",
        "moment" | "couple" => "write `torque wheel: u;`",
        "weight" | "g" => "write `gravity [0, -g];`",
        "lagrangian" => "write its parts, `kinetic m/2*velocity(x)^2;` and `potential k/2*x^2;`",
        "variable" | "dof" | "generalized" | "state" => "write `coordinate x;`",
        "param" | "parameter" | "constant" => {
            "write it as a field of the struct, `m: Real = 1`, or as `const N = 8;`"
        }
        "var" | "def" | "define" => "write `let d = …;`",
        "function" | "func" => "write `fn wire(s) = [s, s^2];`",
        "sensor" | "measure" | "observe" | "print" | "return" => "write `output tip = p;`",
        "while" | "loop" | "repeat" => "write `for i in 0..8 { … }`",
        _ => return None,
    })
}

/// The joint of the library that has another name elsewhere, or in the other space.
pub(super) fn other_joint(name: &str, space: bool) -> Option<&'static str> {
    let lower = name.to_lowercase();
    Some(match (lower.trim_end_matches("joint"), space) {
        (
            "hinge" | "pin" | "ball" | "spherical" | "socket" | "pivot" | "rotary" | "rotational",
            false,
        ) => "Revolute",
        ("revolute" | "pin" | "pivot" | "rotary" | "rotational", true) => "Hinge",
        ("spherical" | "socket" | "ballsocket" | "ballandsocket" | "ball_socket", true) => "Ball",
        ("fixed" | "rigid" | "lock", false) => "Weld",
        ("weld" | "rigid" | "lock", true) => "Fixed",
        ("slider" | "slide" | "sliding" | "linear" | "translational" | "cylindrical", false) => {
            "Prismatic"
        }
        ("slider" | "slide" | "sliding" | "linear" | "translational", true) => "Prismatic",
        ("cardan" | "hooke" | "u", true) => "Universal",
        ("rod" | "link" | "rope" | "bar", _) => "Distance",
        ("rollingdisk" | "rolling" | "wheel", false) => "RollingWheel",
        ("rollingwheel" | "rolling" | "wheel" | "disk", true) => "RollingDisk",
        ("planar" | "plane", true) => "PointOnPlane",
        ("rackandpinion" | "rackpinion" | "pinion", true) => "Rack",
        _ => return None,
    })
}

/// The candidate that was most likely meant.
pub fn closest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    if let Some(same) = candidates.iter().find(|c| c.to_lowercase() == lower) {
        return Some(same);
    }
    let length = name.chars().count();
    let allowed = match length {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    if length > 40 {
        return None;
    }
    let distances = candidates.iter().map(|c| (edit_distance(name, c), *c));
    // `coss` is `cos` with an additional letter rather than `cross` with a missing one.
    let best = distances.min_by_key(|&(distance, c)| (distance, !name.starts_with(c)))?;
    (best.0 <= allowed).then_some(best.1)
}

/// The least number of insertions, deletions, replacements and exchanges of neighbours between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let exchanged: &Vec<usize> = &before;
                least = least.min(exchanged[j - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_find_their_neighbours_and_short_names_none() {
        let names = ["x", "y", "length", "omega", "PI"];
        let table = [
            ("lenght", Some("length")),
            ("omgea", Some("omega")),
            ("pi", Some("PI")),
            ("X", Some("x")),
            ("z", None),
            ("mass", None),
        ];
        for (name, expected) in table {
            assert_eq!(closest(name, &names), expected, "{name}");
        }
        assert_eq!(closest("coss", &["cross", "cos"]), Some("cos"));
    }
}
