//! A derivation as Markdown, formulas between dollar signs.

use super::{Explanation, Step, words};
use crate::expr::CollectVec;

/// A section.
pub fn section(explanation: &Explanation) -> String {
    let steps: String = explanation.steps.iter().map(step).collect();
    let counted = explanation.counted.iter();
    let rows = counted.map(|it| format!("| `{}` | {} | {} |\n", it.name, it.symbol, it.cost));
    let rows: String = rows.collect();
    let counted = if rows.is_empty() {
        rows
    } else {
        format!("\n| other functions, cost only | | cost |\n|---|---|---|\n{rows}")
    };
    format!("## {}\n{steps}{counted}", explanation.title)
}

fn step(step: &Step) -> String {
    let rule = words::math(step.rule.text).filter(|it| !it.is_empty());
    let rule = rule.map_or_else(String::new, |it| format!(": ${it}$"));
    let prose = match &step.prose()[..] {
        "" => String::new(),
        prose => words::markdown(prose) + "\n\n",
    };
    let content = match step.words() {
        Some(words) => format!("{words}.\n"),
        None => {
            let lines = step.entry.statement.latex_lines();
            let lines = lines.iter().map(|line| format!("$$\n{line}\n$$\n"));
            lines.collect_vec().join("\n")
        }
    };
    let cost = step.cost().map(|cost| format!("\n{cost}.\n"));
    format!(
        "\n**{}**{rule}\n\n{prose}{content}{}",
        step.rule.title,
        cost.unwrap_or_default()
    )
}
