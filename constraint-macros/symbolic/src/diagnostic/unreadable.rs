//! Texts that cannot be split into tokens: brackets and quotes without a partner, signs that no token begins with.

use std::ops::Range;

/// Why a text has no tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The bytes that are wrong.
    pub range: Range<usize>,
    /// The finding.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
}

/// Signs of mathematics, and what to write for them.
const SIGNS: [(char, &str); 23] = [
    ('²', "^2"),
    ('³', "^3"),
    ('¹', "^1"),
    ('⁰', "^0"),
    ('⁴', "^4"),
    ('⁵', "^5"),
    ('⁶', "^6"),
    ('⁷', "^7"),
    ('⁸', "^8"),
    ('⁹', "^9"),
    ('½', "1/2"),
    ('¼', "1/4"),
    ('¾', "3/4"),
    ('×', "*"),
    ('⋅', "*"),
    ('÷', "/"),
    ('−', "-"),
    ('–', "-"),
    ('≤', "<="),
    ('≥', ">="),
    ('≠', "!="),
    ('√', "sqrt(x)"),
    ('°', ".to_radians()"),
];

/// The reason why this text has no tokens; `place` is where the lexer stopped.
pub fn unreadable(text: &str, place: Range<usize>) -> Unreadable {
    let found = |range: Range<usize>, message: String, help: Option<String>| Unreadable {
        range,
        message,
        help,
    };
    let code = code_of(text);
    let sign = code.iter().find_map(|&(at, c)| {
        let (_, instead) = SIGNS.iter().find(|(sign, _)| *sign == c)?;
        Some((at, c, instead))
    });
    if let Some((at, c, instead)) = sign {
        let help = Some(format!("write `{instead}`"));
        return found(
            at..at + c.len_utf8(),
            format!("`{c}` is not a sign of the language"),
            help,
        );
    }
    match bracket(text, &code) {
        Some(Bracket::Open(at, c)) => {
            let close = closing(c);
            let help = Some(format!("write `{close}` where it ends"));
            found(at..at + 1, format!("this `{c}` has no `{close}`"), help)
        }
        Some(Bracket::Close(at, c)) => {
            let help = Some("remove it, or open it before".to_owned());
            found(at..at + 1, format!("this `{c}` closes nothing"), help)
        }
        None => {
            let place = place.start.min(text.len())..place.end.min(text.len());
            let is_rate = text[place.start..].starts_with('\'');
            let help = is_rate.then(|| "write the rate as `velocity(x)`, not `x'`".to_owned());
            found(place, "unmatched bracket or quote".to_owned(), help)
        }
    }
}

enum Bracket {
    Open(usize, char),
    Close(usize, char),
}

/// The bracket without a partner. If a `}` closes a line that is indented less than the line of its `{`, the latter belongs to
/// another one, and its own is missing.
fn bracket(text: &str, code: &[(usize, char)]) -> Option<Bracket> {
    let indent = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len()
    };
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut suspicious = None;
    for &(at, c) in code {
        match c {
            '(' | '[' | '{' => open.push((at, c)),
            ')' | ']' | '}' => {
                let Some((start, opened)) = open.pop() else {
                    return Some(Bracket::Close(at, c));
                };
                if closing(opened) != c {
                    return Some(Bracket::Open(start, opened));
                }
                if c == '}' && indent(at) < indent(start) {
                    suspicious = suspicious.or(Some((start, opened)));
                }
            }
            _ => {}
        }
    }
    let (at, c) = suspicious.filter(|_| !open.is_empty()).or(open.pop())?;
    Some(Bracket::Open(at, c))
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// The characters outside of comments and strings, with their places.
fn code_of(text: &str) -> Vec<(usize, char)> {
    let mut code = Vec::new();
    let mut rest = text.char_indices();
    while let Some((at, c)) = rest.next() {
        let skipped = match c {
            '/' if text[at..].starts_with("//") => text[at..].find('\n'),
            '/' if text[at..].starts_with("/*") => text[at..].find("*/").map(|end| end + 2),
            '"' => text[at + 1..].find('"').map(|end| end + 2),
            _ => {
                code.push((at, c));
                continue;
            }
        };
        let end = skipped.map_or(text.len(), |length| at + length);
        while rest.clone().next().is_some_and(|(next, _)| next < end) {
            rest.next();
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bracket_without_a_partner_is_found() {
        let table = [
            ("sin(x", "(", "this `(` has no `)`"),
            ("sin(x] + y)", "(", "this `(` has no `)`"),
            ("sin(x)) + y", ") + y", "this `)` closes nothing"),
            ("norm(p)² == 1", "²", "`²` is not a sign of the language"),
            ("x ≤ 1", "≤", "`≤` is not a sign of the language"),
            ("// (²\n\"[\" sin(x", "(x", "this `(` has no `)`"),
            ("x' + y", "'", "unmatched bracket or quote"),
            (
                "system! {\n    for i in 0..3 {\n        let a = 1;\n    let b = { 2 };\n}\n",
                "{\n        let a",
                "this `{` has no `}`",
            ),
            (
                "system! {\n    let b = { 2 };\n",
                "{\n    let b",
                "this `{` has no `}`",
            ),
        ];
        for (text, at, message) in table {
            let stopped = text.find('\'').unwrap_or(text.len());
            let found = unreadable(text, stopped..stopped);
            assert_eq!(found.message, message, "{text}");
            assert!(
                text[found.range.start..].starts_with(at),
                "{text}: {found:?}"
            );
        }
    }
}
