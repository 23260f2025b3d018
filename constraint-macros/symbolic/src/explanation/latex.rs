//! A derivation as a document for LaTeX.

use super::{Explanation, Step};

/// A whole document.
pub fn document(content: &str) -> String {
    format!(
        "\\documentclass{{article}}\n\\usepackage{{amsmath,amssymb}}\n\\usepackage[T1]{{fontenc}}\n\
         \\usepackage[margin=2.5cm]{{geometry}}\n\\allowdisplaybreaks\n\\begin{{document}}\n{content}\\end{{document}}\n"
    )
}

/// A section.
pub fn section(explanation: &Explanation) -> String {
    let steps: String = explanation.steps.iter().map(step).collect();
    format!("\\section*{{{}}}\n{steps}", escaped(&explanation.title))
}

fn step(step: &Step) -> String {
    let rule = match step.rule.latex {
        "" => String::new(),
        latex => format!(" $\\displaystyle {latex}$"),
    };
    let content = match step.words() {
        Some(words) => format!("{}.\n", escaped(words)),
        None => {
            let lines = step.entry.statement.latex_lines().join(" \\\\\n");
            format!("\\begin{{gather*}}\n{lines}\n\\end{{gather*}}\n")
        }
    };
    let cost = step.cost().map(|cost| format!("{cost}.\n"));
    let title = escaped(step.rule.title);
    format!(
        "\n\\paragraph{{{title}}}{rule}\n{content}{}",
        cost.unwrap_or_default()
    )
}

/// Words in which LaTeX finds no commands, and mathematics of ours that it can draw.
fn escaped(words: &str) -> String {
    let mut text = String::new();
    for letter in words.chars() {
        match letter {
            '_' | '#' | '%' | '&' | '$' | '{' | '}' => text.extend(['\\', letter]),
            '\\' => text.push_str(r"\textbackslash{}"),
            '^' => text.push_str(r"\^{}"),
            'λ' => text.push_str(r"$\lambda$"),
            'β' => text.push_str(r"$\beta$"),
            'κ' => text.push_str(r"$\kappa$"),
            '\u{307}' => {
                let last = text.pop().unwrap_or_default();
                text.push_str(&format!(r"$\dot{{{last}}}$"));
            }
            'ᵀ' => text.push_str(r"$^\mathsf{T}$"),
            '⁻' => text.push_str("$^{-}$"),
            '¹' => text.push_str("$^1$"),
            '²' => text.push_str("$^2$"),
            '−' => text.push_str("$-$"),
            letter => text.push(letter),
        }
    }
    text
}
