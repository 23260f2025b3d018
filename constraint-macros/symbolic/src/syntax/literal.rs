//! Number literals: what Rust lexes as one token and we must take apart.

/// A literal's text, judged.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// A plain decimal number.
    Number,
    /// `0x10`, `0b1`, `0o7`.
    Radix,
    /// `1f64`, `2u32`: number and type.
    Suffix(String),
    /// `2x`: number and what it multiplies.
    Multiplied(String, String),
    /// A string, a character, …
    Other,
}

const TYPES: [&str; 16] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "f16", "f128",
];

/// What a literal is.
pub(super) fn judge(text: &str) -> Judged {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return Judged::Other;
    }
    let radix = digits.strip_prefix('0').and_then(|d| d.chars().next());
    if matches!(radix, Some('x' | 'b' | 'o')) {
        return Judged::Radix;
    }
    let (number, suffix) = split_number(digits);
    match suffix {
        "" => Judged::Number,
        _ if TYPES.contains(&suffix.trim_start_matches('_')) => Judged::Suffix(number.to_owned()),
        _ => Judged::Multiplied(number.to_owned(), suffix.to_owned()),
    }
}

/// The longest decimal number at the start, and the rest.
fn split_number(text: &str) -> (&str, &str) {
    let run = |from: usize| {
        let is_digit = |c: char| c.is_ascii_digit() || c == '_';
        from + text[from..]
            .find(|c| !is_digit(c))
            .unwrap_or(text.len() - from)
    };
    let mut end = run(0);
    if text[end..].starts_with('.') {
        end = run(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = run(end + 1 + sign);
        if text[end + 1 + sign..exponent].contains(|c: char| c.is_ascii_digit()) {
            end = exponent;
        }
    }
    let number = text[..end].trim_end_matches('_');
    (number, &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_taken_apart() {
        let multiplied = |n: &str, s: &str| Judged::Multiplied(n.into(), s.into());
        let table = [
            ("12", Judged::Number),
            ("1_000.5e-3", Judged::Number),
            ("1.", Judged::Number),
            ("0x1F", Judged::Radix),
            ("0b1", Judged::Radix),
            ("1f64", Judged::Suffix("1".into())),
            ("2.5_f32", Judged::Suffix("2.5".into())),
            ("2x", multiplied("2", "x")),
            ("2em", multiplied("2", "em")),
            ("\"a\"", Judged::Other),
            ("'a'", Judged::Other),
        ];
        for (text, judged) in table {
            assert_eq!(judge(text), judged, "{text}");
        }
    }
}
