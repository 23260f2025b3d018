//! A derivation as a document for LaTeX.

use super::words::{self, escaped};
use super::{Explanation, Step};

/// A whole document. A section needs only amsmath in the preamble.
pub fn document(content: &str) -> String {
    format!(
        "\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\usepackage[T1]{{fontenc}}\n\
         \\usepackage[margin=2.5cm]{{geometry}}\n\\allowdisplaybreaks\n\\begin{{document}}\n{content}\\end{{document}}\n"
    )
}

/// A section.
pub fn section(explanation: &Explanation) -> String {
    let steps: String = explanation.steps.iter().map(step).collect();
    format!("\\section*{{{}}}\n{steps}", escaped(&explanation.title))
}

fn step(step: &Step) -> String {
    let rule = words::math(step.rule.text).filter(|it| !it.is_empty());
    let rule = rule.map_or_else(String::new, |it| format!(" $\\displaystyle {it}$"));
    let prose = match &step.prose()[..] {
        "" => String::new(),
        prose => words::latex(prose) + "\n",
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
        "\n\\paragraph{{{title}}}{rule}\n\n{prose}{content}{}",
        cost.unwrap_or_default()
    )
}
