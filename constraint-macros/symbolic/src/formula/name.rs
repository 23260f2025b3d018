//! Names as typeset mathematics: `v_x` and `a.x` carry a subscript, `omega` is a Greek letter, `s_dot` is ṡ.
//!
//! Typesetting is not injective: `x1` and `x_1` look alike. Plain text prints names as they are.

use crate::expr::CollectVec;
pub(super) use crate::syntax::symbol::greek;
use crate::syntax::symbol::{is_digit, plain_digits};

/// The components of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// The letter or word.
    pub base: &'a str,
    /// The accent above or after the base.
    pub accent: Option<&'static Accent>,
    /// The subscripts, in order.
    pub subscripts: Vec<&'a str>,
}

/// An accent: a mark above a letter or word, or after it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Accent {
    /// Its suffix in a name: `dot` of `s_dot`.
    word: &'static str,
    /// The Unicode character that follows the letter.
    letter: char,
    /// Its command, or the text that follows the base.
    pub latex: &'static str,
    /// The mark alone in MathML.
    pub sign: &'static str,
    /// Whether it is placed above.
    pub above: bool,
}

const fn above(
    word: &'static str,
    letter: char,
    latex: &'static str,
    sign: &'static str,
) -> Accent {
    Accent {
        word,
        letter,
        latex,
        sign,
        above: true,
    }
}

const fn behind(letter: char, latex: &'static str, sign: &'static str) -> Accent {
    Accent {
        word: "",
        letter,
        latex,
        sign,
        above: false,
    }
}

const ACCENTS: [Accent; 5] = [
    above("dot", '\u{307}', r"\dot", "˙"),
    above("ddot", '\u{308}', r"\ddot", "¨"),
    above("", '\u{302}', r"\hat", "^"),
    behind('′', "'", "′"),
    behind('″', "''", "″"),
];

/// Letters that Unicode has precomposed with their accent and that the derivations use.
const COMPOSED: [(&str, &str, usize); 2] = [("Ċ", "C", 0), ("ṡ", "s", 0)];

/// A letter without its accent, and the accent.
fn marked(base: &str) -> (&str, Option<&'static Accent>) {
    if let Some(&(_, letter, accent)) = COMPOSED.iter().find(|it| it.0 == base) {
        return (letter, Some(&ACCENTS[accent]));
    }
    let mark = |accent: &&Accent| base.ends_with(accent.letter);
    let accent = (!base.is_ascii()).then(|| ACCENTS.iter().find(mark));
    let accent = accent.flatten();
    (
        base.trim_end_matches(|letter| accent.is_some_and(|it| it.letter == letter)),
        accent,
    )
}

/// `velocity(a).x` split into the text before the brackets, the arguments, and the text after them.
pub(super) fn applied(name: &str) -> Option<(&str, Vec<&str>, &str)> {
    let (function, rest) = name.split_once('(')?;
    let (arguments, rest) = rest.rsplit_once(')')?;
    let component = rest.trim_start_matches('.');
    Some((function, arguments.split(", ").collect_vec(), component))
}

/// Splits at `_`, `.`, brackets, and before trailing digits; the first subscript may be an accent.
pub(super) fn parse(name: &str) -> Name<'_> {
    let (base, digits, parts) = split(name);
    let digits = Some(digits).filter(|digits| !digits.is_empty());
    let (base, mut accent) = marked(base);
    let mut subscripts: Vec<&str> = digits.into_iter().chain(parts).collect_vec();
    if let (None, Some(first)) = (accent, subscripts.first()) {
        accent = ACCENTS.iter().find(|accent| accent.word == *first);
        subscripts.drain(..usize::from(accent.is_some()));
    }
    Name {
        base,
        accent,
        subscripts,
    }
}

/// Subscripts with their numbers: for `v_θ₁` and `v_theta[1]`, θ with 1.
pub(super) fn numbered<'a>(subscripts: &[&'a str]) -> Vec<(&'a str, Option<String>)> {
    let mut numbered: Vec<(&str, Option<String>)> = Vec::new();
    for &part in subscripts {
        let stem = part.trim_end_matches(is_digit);
        let number = Some(&part[stem.len()..]).filter(|it| !it.is_empty());
        match (numbered.last_mut(), number) {
            (Some((letter, below @ None)), Some(number))
                if stem.is_empty() && greek(letter).is_some() =>
            {
                *below = Some(plain_digits(number));
            }
            (_, Some(number)) if greek(stem).is_some() => {
                numbered.push((stem, Some(plain_digits(number))));
            }
            _ => numbered.push((part, None)),
        }
    }
    numbered
}

/// `a − lag`, an argument within a name, split at its last sign.
pub(super) fn sum_of(name: &str) -> Option<(&str, char, &str)> {
    let (before, behind) = name.rsplit_once(' ')?;
    let (before, sign) = before.rsplit_once(' ')?;
    let sign = sign.chars().next()?;
    matches!(sign, '+' | '−').then_some((before, sign, behind))
}

/// The letter or word at the beginning of a name, without its accent.
pub(super) fn base(name: &str) -> &str {
    marked(split(name).0).0
}

/// Whether a name begins with a word, which must not touch an adjacent letter.
pub(super) fn is_word(name: &str) -> bool {
    // Most names are one letter.
    if name.len() == 1 {
        return false;
    }
    let base = base(name);
    applied(name).is_none() && greek(base).is_none() && base.chars().nth(1).is_some()
}

/// The base, the digits after it, and the other parts.
fn split(name: &str) -> (&str, &str, impl Iterator<Item = &str>) {
    // Most names are one letter and need no search.
    let parts = if name.len() == 1 { "" } else { name };
    let mut parts = parts.split(is_separator).filter(|part| !part.is_empty());
    let first = parts.next().unwrap_or(name);
    // Letters are decoded only if the name ends in a subscript digit.
    let stem = match first.as_bytes().last() {
        Some(0x80..) => first.trim_end_matches(is_digit).len(),
        _ => first.len() - first.bytes().rev().take_while(u8::is_ascii_digit).count(),
    };
    let stem = if stem == 0 { first.len() } else { stem };
    (&first[..stem], &first[stem..], parts)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '.' | '[' | ']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_into_a_base_its_mark_and_its_subscripts() {
        let [dot, ddot, hat] = [0, 1, 2].map(|i| Some(&ACCENTS[i]));
        for (name, base, accent, subscripts) in [
            ("s_dot", "s", dot, &[][..]),
            ("s_ddot", "s", ddot, &[]),
            ("theta_dot[3]", "theta", dot, &["3"]),
            ("J\u{307}_a", "J", dot, &["a"]),
            ("Ċ", "C", dot, &[]),
            ("f\u{302}", "f", hat, &[]),
        ] {
            let subscripts = subscripts.to_vec();
            let expected = Name {
                base,
                accent,
                subscripts,
            };
            assert_eq!(parse(name), expected, "{name}");
        }
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
                accent: None,
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
