//! Classification of number literals, which Rust lexes as one token.

use proc_macro2::Literal;
use syn::Lit;

/// Class of a literal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// A plain decimal number.
    Number,
    /// `0x10`, `0b1`, `0o7`.
    Radix,
    /// `1f64`, `2u32`: number and type.
    Suffix(String),
    /// `2x`: a number, and the factor that it multiplies.
    Multiplied(String, String),
    /// A string, a character, …
    Other,
}

const TYPES: [&str; 16] = [
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
    "usize", "f16", "f128",
];

/// Longer literals are not analysed: nobody writes them, and the time would grow with the square of their length.
const LONGEST: usize = 4_096;

/// Classifies a literal with this text.
pub(super) fn judge(literal: Literal, text: &str) -> Judged {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(is_plain) {
        return Judged::Number;
    }
    if ["0x", "0b", "0o"]
        .iter()
        .any(|radix| digits.starts_with(radix))
    {
        return Judged::Radix;
    }
    if text.len() > LONGEST {
        return Judged::Other;
    }
    let literal = Lit::new(literal);
    let (Lit::Int(_) | Lit::Float(_)) = literal else {
        return Judged::Other;
    };
    let suffix = literal.suffix();
    let number = digits.strip_suffix(suffix).unwrap_or(digits);
    let number = number.trim_end_matches('_').to_owned();
    match suffix {
        "" => Judged::Number,
        _ if TYPES.contains(&suffix.trim_start_matches('_')) => Judged::Suffix(number),
        _ => Judged::Multiplied(number, suffix.to_owned()),
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'_')
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
            ("1e400", Judged::Number),
            ("0x1F", Judged::Radix),
            ("0b1", Judged::Radix),
            ("1f64", Judged::Suffix("1".into())),
            ("2.5_f32", Judged::Suffix("2.5".into())),
            ("2x", multiplied("2", "x")),
            ("2em", multiplied("2", "em")),
            ("2.5e3x", multiplied("2.5e3", "x")),
            ("\"a\"", Judged::Other),
            ("'a'", Judged::Other),
        ];
        for (text, judged) in table {
            assert_eq!(judge(text.parse().unwrap(), text), judged, "{text}");
        }
    }
}
