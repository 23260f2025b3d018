//! Names as typeset mathematics: `v_x` and `a.x` carry a subscript, `omega` is a Greek letter.
//!
//! Typesetting is not injective: `x1` and `x_1` look alike. Plain text prints names as they are.

/// A name taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// The letter or word.
    pub base: &'a str,
    /// What stands below it, in order.
    pub subscripts: Vec<&'a str>,
}

/// A Greek letter: its name, which is also its LaTeX command, and its character.
type Greek = (&'static str, char);

const GREEK: [Greek; 34] = [
    ("alpha", 'α'),
    ("beta", 'β'),
    ("gamma", 'γ'),
    ("delta", 'δ'),
    ("epsilon", 'ε'),
    ("zeta", 'ζ'),
    ("eta", 'η'),
    ("theta", 'θ'),
    ("iota", 'ι'),
    ("kappa", 'κ'),
    ("lambda", 'λ'),
    ("mu", 'μ'),
    ("nu", 'ν'),
    ("xi", 'ξ'),
    ("pi", 'π'),
    ("rho", 'ρ'),
    ("sigma", 'σ'),
    ("tau", 'τ'),
    ("upsilon", 'υ'),
    ("phi", 'φ'),
    ("chi", 'χ'),
    ("psi", 'ψ'),
    ("omega", 'ω'),
    ("Gamma", 'Γ'),
    ("Delta", 'Δ'),
    ("Theta", 'Θ'),
    ("Lambda", 'Λ'),
    ("Xi", 'Ξ'),
    ("Pi", 'Π'),
    ("Sigma", 'Σ'),
    ("Upsilon", 'Υ'),
    ("Phi", 'Φ'),
    ("Psi", 'Ψ'),
    ("Omega", 'Ω'),
];

/// The Greek letter of a name or of the character itself.
pub(super) fn greek(word: &str) -> Option<Greek> {
    // Most words are one Latin letter: no name is so short, and no character so narrow.
    if word.len() < 2 {
        return None;
    }
    let mut letters = word.chars();
    let single = letters.next().filter(|_| letters.next().is_none());
    let found = match single {
        Some(single) => GREEK.iter().find(|(_, letter)| *letter == single),
        None => GREEK.iter().find(|(name, _)| *name == word),
    };
    found.copied()
}

/// `velocity(a).x` taken apart: what stands before the brackets, between the commas in them, and after them.
pub(super) fn applied(name: &str) -> Option<(&str, Vec<&str>, &str)> {
    let (function, rest) = name.split_once('(')?;
    let (arguments, rest) = rest.rsplit_once(')')?;
    let component = rest.trim_start_matches('.');
    Some((function, arguments.split(", ").collect(), component))
}

/// Splits at `_`, `.`, brackets, and before trailing digits.
pub(super) fn parse(name: &str) -> Name<'_> {
    let (base, digits, parts) = split(name);
    let digits = Some(digits).filter(|digits| !digits.is_empty());
    Name {
        base,
        subscripts: digits.into_iter().chain(parts).collect(),
    }
}

/// The letter or word that a name begins with.
pub(super) fn base(name: &str) -> &str {
    split(name).0
}

/// The base, the digits behind it, and the other parts.
fn split(name: &str) -> (&str, &str, impl Iterator<Item = &str>) {
    // Most names are one letter, nothing of which needs to be looked for.
    let parts = if name.len() == 1 { "" } else { name };
    let mut parts = parts.split(is_separator).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or(name);
    let digits = first.bytes().rev().take_while(u8::is_ascii_digit).count();
    let stem = match first.len() - digits {
        0 => first.len(),
        stem => stem,
    };
    (&first[..stem], &first[stem..], parts)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '.' | '[' | ']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_into_a_base_and_its_subscripts() {
        for (name, base, subscripts) in [
            ("x", "x", &[][..]),
            ("v_x", "v", &["x"]),
            ("a.x", "a", &["x"]),
            ("v_a.x", "v", &["a", "x"]),
            ("s12", "s", &["12"]),
            ("x1_y", "x", &["1", "y"]),
            ("bead[3].x", "bead", &["3", "x"]),
            ("_", "_", &[]),
            ("_x", "x", &[]),
            ("λ", "λ", &[]),
        ] {
            let expected = Name {
                base,
                subscripts: subscripts.to_vec(),
            };
            assert_eq!(parse(name), expected, "{name}");
        }
    }

    #[test]
    fn names_with_brackets_are_functions_of_their_arguments() {
        assert_eq!(applied("C(q)"), Some(("C", vec!["q"], "")));
        let arm = Some(("dir", vec!["a", "r1"], "x"));
        assert_eq!(applied("dir(a, r1).x"), arm);
        assert_eq!(applied("v_x"), None);
    }

    #[test]
    fn greek_letters_are_found_by_name_and_by_character() {
        assert_eq!(greek("omega"), Some(("omega", 'ω')));
        assert_eq!(greek("Ω"), Some(("Omega", 'Ω')));
        assert_eq!(greek("x"), None);
        assert_eq!(greek("ωω"), None);
    }
}
