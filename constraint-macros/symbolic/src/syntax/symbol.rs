//! `{ symbol: "θ₁" }` of a coordinate: the symbol by which formulas print it.

use proc_macro2::{Delimiter, TokenTree};
use quote::ToTokens;
use syn::LitStr;
use syn::parse::ParseStream;

use super::input::Stream;
use super::parser::{Parsed, Parser};
use crate::diagnostic::{SourceRange, system};

/// A symbol and its source range.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// A letter or a word with its subscripts: `θ₁`, `φ_a`.
    pub text: String,
    /// The literal.
    pub range: SourceRange,
}

/// Limit on the letters of a symbol; longer ones are names.
const LONGEST: usize = 16;

/// A Greek letter: its name, which is also its LaTeX command, and its character.
pub type Greek = (&'static str, char);

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
pub fn greek(word: &str) -> Option<Greek> {
    // Quick exclusion of single Latin letters: all names of Greek letters are longer, and Greek characters take two bytes.
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

/// Whether a letter is a digit, possibly a subscript.
pub fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit() || ('₀'..='₉').contains(&letter)
}

/// Subscript digits converted to plain ones.
pub fn plain_digits(digits: &str) -> String {
    let plain = |digit| match digit {
        '₀'..='₉' => char::from(b'0' + (digit as u32 - '₀' as u32) as u8),
        digit => digit,
    };
    digits.chars().map(plain).collect()
}

/// `θ₁` for `θ₁`, `θ1`, `theta1` and `theta_1`, `φ_a` for `phi_a`; `None` if the text does not begin with a letter.
pub fn spelled(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('_').unwrap_or((text, ""));
    let stem = first.trim_end_matches(is_digit);
    let digits = &first[stem.len()..];
    let is_letter = |letter: char| {
        letter.is_ascii_alphabetic() || greek(letter.encode_utf8(&mut [0; 4])).is_some()
    };
    let is_part =
        |part: &str| !part.is_empty() && part.chars().all(|it| is_letter(it) || is_digit(it));
    let is_whole =
        text.chars().count() <= LONGEST && !stem.is_empty() && stem.chars().all(is_letter);
    if !is_whole || text.contains('_') && !rest.split('_').all(is_part) {
        return None;
    }
    let (digits, rest) = match rest.split_once('_').unwrap_or((rest, "")) {
        (number, rest) if digits.is_empty() && number.chars().all(is_digit) => (number, rest),
        _ => (digits, rest),
    };
    let mut symbol = greek(stem).map_or_else(|| stem.to_owned(), |(_, letter)| letter.to_string());
    let subscript =
        |digit: char| char::from_u32('₀' as u32 + digit as u32 - '0' as u32).unwrap_or(digit);
    symbol.extend(plain_digits(digits).chars().map(subscript));
    for part in rest.split('_').filter(|part| !part.is_empty()) {
        symbol.push('_');
        symbol.push_str(part);
    }
    Some(symbol)
}

impl Parser<'_> {
    /// `{ symbol: "θ₁" }` after the name of a coordinate, if present.
    pub(super) fn symbol(&mut self, input: ParseStream<'_>) -> Parsed<Option<Symbol>> {
        let Some(fields) = input.enter(Delimiter::Brace) else {
            return Ok(None);
        };
        if !fields.is_word("symbol") {
            let range = if fields.is_empty() {
                fields.range
            } else {
                fields.stream().range()
            };
            return self.fail(system::coordinate_without_symbol(range));
        }
        fields.advance(1);
        if !fields.is_operator(":") {
            return self.fail(system::expected_sign(
                fields.stream().range(),
                ":",
                "symbol: \"θ\"",
            ));
        }
        fields.advance(1);
        let range = fields.stream().range();
        let literal = match fields.next() {
            Some(TokenTree::Literal(literal)) => {
                syn::parse2::<LitStr>(literal.to_token_stream()).ok()
            }
            _ => None,
        };
        let Some(literal) = literal else {
            return self.fail(system::symbol_without_quotes(range));
        };
        if fields.is_sign(',') {
            fields.advance(1);
        }
        if !fields.is_empty() {
            return self.fail(system::coordinate_without_symbol(fields.stream().range()));
        }
        let text = literal.value();
        match spelled(&text) {
            Some(text) => Ok(Some(Symbol { text, range })),
            None => self.fail(system::symbol_unreadable(range, &text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_letters_with_subscripts() {
        for (text, symbol) in [
            ("θ₁", "θ₁"),
            ("θ1", "θ₁"),
            ("theta1", "θ₁"),
            ("theta_12", "θ₁₂"),
            ("theta", "θ"),
            ("q", "q"),
            ("phi_a", "φ_a"),
            ("phi2_a", "φ₂_a"),
            ("s_1_x", "s₁_x"),
        ] {
            assert_eq!(spelled(text).as_deref(), Some(symbol), "{text}");
        }
        for text in [
            "",
            "1",
            "₁",
            "_a",
            "a_",
            "a__b",
            "a b",
            "a.b",
            "a[1]",
            "1a",
            "a1b",
            "a\n",
            "$a",
            "é",
            "averyverylongsymbol",
        ] {
            assert_eq!(spelled(text), None, "{text}");
        }
    }
}
