//! A derivation for terminals.

use super::{Explanation, Step, words};

/// Limit on the length of a line of prose.
const WIDTH: usize = 92;

/// Numbered steps, then the quantities of which only the cost is known.
pub fn section(explanation: &Explanation) -> String {
    let steps = explanation.steps.iter().enumerate();
    let steps: String = steps.map(|(i, it)| step(i + 1, it)).collect();
    let counted = explanation.counted.iter();
    let counted: String = counted
        .map(|it| format!("   {}: {}, {}\n", it.name, it.symbol, it.cost))
        .collect();
    let counted = if counted.is_empty() {
        counted
    } else {
        format!("\nOther functions, cost only\n{counted}")
    };
    format!("{}\n{steps}{counted}", explanation.title)
}

fn step(number: usize, step: &Step) -> String {
    let rule = match step.rule.text {
        "" => String::new(),
        text => format!(": {text}"),
    };
    let lines = step.entry.equation();
    let lines = lines.lines().map(str::to_owned).chain(step.cost());
    let lines = words::wrapped(&step.prose(), WIDTH)
        .into_iter()
        .chain(lines);
    let lines: String = lines.map(|line| format!("   {line}\n")).collect();
    format!("\n{number}. {}{rule}\n{lines}", step.rule.title)
}
