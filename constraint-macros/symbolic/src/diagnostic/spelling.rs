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
