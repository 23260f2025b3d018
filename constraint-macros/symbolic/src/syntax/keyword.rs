//! The words that Rust reserves.

/// In ascending order.
const KEYWORDS: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether Rust reserves the word.
pub(crate) fn is_keyword(text: &str) -> bool {
    // Quick exclusion, because most names are one letter or one before an underscore, and a search compares six words.
    let letters = text.as_bytes();
    let may_be = (2..=8).contains(&letters.len()) && letters[1] != b'_' || text == "_";
    may_be && KEYWORDS.binary_search(&text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_ascend_so_that_they_can_be_searched() {
        assert!(KEYWORDS.is_sorted());
        assert!(KEYWORDS.into_iter().all(is_keyword) && !is_keyword("x"));
    }
}
