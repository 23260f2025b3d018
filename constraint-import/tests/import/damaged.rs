//! Damaged files: each is imported or refused, with a line of the file; none ends in a panic.

use constraint_import::{Imported, Options, import};

use crate::model::{Model, file};

const ROBOTS: [&str; 13] = [
    "two_link.urdf",
    "spatial_arm.urdf",
    "walker.urdf",
    "gripper.urdf",
    "four_bar.urdf",
    "four_bar_plus.urdf",
    "four_bar_loops.xml",
    "two_link.xml",
    "spatial_arm.xml",
    "walker.xml",
    "four_bar.xml",
    "gripper.xml",
    "bob.xml",
];

/// Words that files have in wrong places.
const WORDS: [&str; 15] = [
    "0", "-1", "1e308", "-1e-308", "nan", "", "fixed", "floating", "base", "trunk", "left", "type",
    "1 2", "\u{3c0}", "world",
];

/// A whole number below `count`, another one for each call.
fn below(state: &mut u64, count: usize) -> usize {
    // Knuth's MMIX generator.
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % count.max(1)
}

/// A text with an element removed or doubled, the value of an attribute replaced, or a piece cut out.
fn damaged(text: &str, state: &mut u64) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    match below(state, 4) {
        0 => drop(lines.remove(below(state, lines.len()))),
        1 => {
            let line = lines[below(state, lines.len())];
            lines.insert(below(state, lines.len()), line);
        }
        2 => {
            // Between two quotes there is a value.
            let quotes: Vec<usize> = text.match_indices('"').map(|it| it.0).collect();
            let k = below(state, quotes.len() / 2);
            let word = WORDS[below(state, WORDS.len())];
            return format!(
                "{}{word}{}",
                &text[..=quotes[2 * k]],
                &text[quotes[2 * k + 1]..]
            );
        }
        _ => {
            let places: Vec<usize> = text.char_indices().map(|it| it.0).collect();
            let start = below(state, places.len());
            let end = (start + 1 + below(state, 20)).min(places.len() - 1);
            return format!(
                "{}{}",
                &text[..places[start.min(end)]],
                &text[places[end]..]
            );
        }
    }
    lines.join("\n")
}

/// The text is right as far as brackets go, and each number in it is one.
fn check(imported: &Imported) {
    for text in [&imported.text, &imported.checked_text] {
        assert!(text.parse::<proc_macro2::TokenStream>().is_ok(), "{text}");
        let numbers = [" inf", "inf,", "NaN", "-inf"];
        assert!(!numbers.iter().any(|it| text.contains(it)), "{text}");
    }
}

#[test]
fn damaged_files_are_imported_or_refused() {
    let cases = std::env::var("CONSTRAINT_CASES")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(400);
    let mut state = 1;
    let [mut imported, mut refused] = [0, 0];
    for case in 0..cases {
        let whole = file(ROBOTS[case % ROBOTS.len()]);
        let mut text = damaged(&whole, &mut state);
        if below(&mut state, 3) == 0 {
            text = damaged(&text, &mut state);
        }
        let options = Options {
            floating: below(&mut state, 3) == 0,
            exact_numbers: below(&mut state, 3) > 0,
            parameters: below(&mut state, 3) == 0,
            ..Options::new("damaged")
        };
        match import(&text, &options) {
            Ok(robot) => {
                check(&robot);
                imported += 1;
                // Now and then the engine judges it, where that takes no second.
                let is_small =
                    robot.robot.coordinates.len() <= 3 && !robot.text.contains("Rigid3 {");
                if is_small && imported % 20 == 0 && !text.contains("308") {
                    _ = Model::new(&robot.text);
                }
            }
            Err(mistakes) => {
                refused += 1;
                for mistake in mistakes.0 {
                    assert!(mistake.range.end <= text.len(), "{mistake}\n{text}");
                    assert!(
                        text.get(mistake.range.clone()).is_some(),
                        "{mistake}\n{text}"
                    );
                    assert!(
                        mistake.line <= text.matches('\n').count() + 1,
                        "{mistake}\n{text}"
                    );
                }
            }
        }
    }
    assert!(
        imported > cases / 10 && refused > cases / 10,
        "{imported} {refused}"
    );
}
