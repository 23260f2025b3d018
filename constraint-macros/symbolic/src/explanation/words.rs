//! Sentences with formulas between backticks, converted to each output format.
//!
//! Input: text with mathematics in Unicode, such as `J v̇ + β = 0`. Output: the same as plain text, LaTeX, Markdown or
//! HTML.

use crate::expr::CollectVec;

/// Characters with commands in mathematics mode.
const COMMANDS: [(char, &str); 18] = [
    ('λ', r"\lambda"),
    ('β', r"\beta"),
    ('κ', r"\kappa"),
    ('μ', r"\mu"),
    ('ω', r"\omega"),
    ('∂', r"\partial"),
    ('∓', r"\mp"),
    ('×', r"\times"),
    ('·', r"\cdot"),
    ('Σ', r"\sum"),
    ('√', r"\sqrt"),
    ('≤', r"\le"),
    ('≥', r"\ge"),
    ('…', r"\ldots"),
    ('−', "-"),
    ('′', "'"),
    ('″', "''"),
    ('ᵢ', "_{i}"),
];
/// Letters that are precomposed with their accent.
const COMPOSED: [(char, &str); 7] = [
    ('Ċ', r"\dot{C}"),
    ('ṗ', r"\dot{p}"),
    ('ṙ', r"\dot{r}"),
    ('ṡ', r"\dot{s}"),
    ('ẋ', r"\dot{x}"),
    ('ẍ', r"\ddot{x}"),
    ('ẏ', r"\dot{y}"),
];
/// Accents that follow their letter.
const MARKS: [(char, &str); 3] = [
    ('\u{307}', r"\dot"),
    ('\u{308}', r"\ddot"),
    ('\u{302}', r"\hat"),
];
const RAISED: [(char, &str); 6] = [
    ('⁻', "-"),
    ('¹', "1"),
    ('²', "2"),
    ('³', "3"),
    ('⁴', "4"),
    ('ᵀ', r"\mathsf{T}"),
];

fn found(table: &[(char, &'static str)], letter: char) -> Option<&'static str> {
    table
        .iter()
        .find(|it| it.0 == letter)
        .map(|&(_, text)| text)
}

/// Mathematics in Unicode as LaTeX for mathematics mode; `None` if a character has no command.
pub fn math(text: &str) -> Option<String> {
    let mut latex = String::new();
    let mut raised = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(exponent) = found(&RAISED, letter) {
            raised.push_str(exponent);
            continue;
        }
        if !raised.is_empty() {
            latex.push_str(&format!("^{{{raised}}}"));
            raised.clear();
        }
        let mark = letters.next_if(|&mark| found(&MARKS, mark).is_some());
        if let Some(mark) = mark.and_then(|mark| found(&MARKS, mark)) {
            latex.push_str(&format!("{mark}{{{letter}}}"));
        } else if let Some(command) = found(&COMMANDS, letter) {
            latex.push_str(command);
            let touches = letters
                .peek()
                .is_some_and(|next| next.is_ascii_alphabetic());
            latex.push_str(if touches && command.starts_with('\\') {
                " "
            } else {
                ""
            });
        } else if let Some(composed) = found(&COMPOSED, letter) {
            latex.push_str(composed);
        } else if letter == ',' && latex.matches('(').count() == latex.matches(')').count() {
            latex.push_str(r",\;");
        } else if letter.is_ascii() {
            latex.push(letter);
        } else {
            return None;
        }
    }
    if !raised.is_empty() {
        latex.push_str(&format!("^{{{raised}}}"));
    }
    Some(latex)
}

/// Sentences for terminals: formulas are unchanged.
pub fn plain(words: &str) -> String {
    words.replace('`', "")
}

/// The same in lines of at most `width` characters, not broken inside formulas.
pub fn wrapped(words: &str, width: usize) -> Vec<String> {
    let unbroken = |(i, part): (usize, &str)| match i % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', "\u{a0}"),
    };
    let unbroken: String = words.split('`').enumerate().map(unbroken).collect();
    let mut lines: Vec<String> = Vec::new();
    for word in unbroken.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
        .iter()
        .map(|line| line.replace('\u{a0}', " "))
        .collect_vec()
}

/// Sentences for LaTeX.
pub fn latex(words: &str) -> String {
    spans(words, escaped, |formula| format!("${formula}$"))
}

/// Sentences for Markdown, formulas between dollar signs.
pub fn markdown(words: &str) -> String {
    spans(words, str::to_owned, |formula| format!("${formula}$"))
}

/// Sentences for HTML, formulas in italics.
pub fn html(words: &str) -> String {
    let parts = words.split('`').enumerate();
    let part = |(i, part): (usize, &str)| match i % 2 {
        0 => entities(part),
        _ => format!("<i>{}</i>", entities(part)),
    };
    parts.map(part).collect()
}

/// Converts the text outside of backticks by `text`, and the LaTeX of the formulas inside by `formula`.
fn spans(words: &str, text: fn(&str) -> String, formula: fn(String) -> String) -> String {
    let parts = words.split('`').enumerate();
    let part = |(i, part): (usize, &str)| match i % 2 {
        0 => text(part),
        _ => math(part).map_or_else(|| text(part), formula),
    };
    parts.map(part).collect()
}

/// Words escaped for LaTeX, with mathematics such as `M⁻¹` and `v̇` in mathematics mode.
pub fn escaped(words: &str) -> String {
    let word = |word: &str| {
        let (word, end) = match word.strip_suffix([',', ':', '.']) {
            Some(stem) => (stem, &word[stem.len()..]),
            None => (word, ""),
        };
        let formula = (!word.is_ascii()).then(|| math(word)).flatten();
        let text = formula.map_or_else(|| without_commands(word), |it| format!("${it}$"));
        text + end
    };
    words.split(' ').map(word).collect_vec().join(" ")
}

fn without_commands(word: &str) -> String {
    let mut text = String::new();
    for letter in word.chars() {
        match letter {
            '_' | '#' | '%' | '&' | '$' | '{' | '}' => text.extend(['\\', letter]),
            '\\' => text.push_str(r"\textbackslash{}"),
            '^' => text.push_str(r"\^{}"),
            letter => text.push(letter),
        }
    }
    text
}

/// Text escaped for HTML.
pub fn entities(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
