//! Rows that may follow from each other: what they push with is solved for by least squares, one text for all languages.

use super::expressions::Expressions;
use super::functions::Writer;
use super::passage::{Passage, parameters};
use super::{Kind, Reason, block, on_stack};
use crate::expr::{Set, SymbolId};
use crate::function::Dimension;
use crate::model::Role;
use crate::schedule::Program;

/// What it is called.
const LEAST_SQUARES: &str = "least_squares";

impl Writer<'_> {
    /// The lines that name λ, of J M⁻¹ Jᵀ, its lower triangle, and b.
    pub(super) fn least_squares(
        &self,
        equations: &Program,
        all: &[Role],
        read: &Set<Role>,
    ) -> Result<Vec<String>, Reason> {
        let (language, m) = (self.language, self.interface.size(Dimension::Rows));
        on_stack(2 * m * m + 3 * m)?;
        self.passage(LEAST_SQUARES, || solution(self, m));
        let names = ["matrix_of", "vectors_of", "multiplier_of"];
        let [matrix, vectors, x] = names.map(|it| self.interface.local(it).to_string());
        let mut lines = vec![
            language.array(&matrix, m * m, false),
            language.array(&vectors, m * m, false),
            language.array(&x, m, false),
        ];
        let leaf = |symbol: SymbolId| self.leaf(symbol);
        let mut writer = Expressions::new(self, equations, &leaf);
        let statements = equations.statements.iter();
        let mut within: Vec<String> = statements.flat_map(|it| writer.statement(it)).collect();
        let (lower, right) = equations.outputs.split_at(m * (m + 1) / 2);
        let places = (0..m).flat_map(|j| (0..m).map(move |i| (i.max(j), i.min(j))));
        for (place, (i, j)) in places.enumerate() {
            let entry = writer.whole(lower[i * (i + 1) / 2 + j]);
            within.push(format!("{matrix}[{place}] = {entry};"));
        }
        for (row, &entry) in right.iter().enumerate() {
            within.push(format!("{x}[{row}] = {};", writer.whole(entry)));
        }
        lines.push(block(&within.join("\n")));
        let [handed, others, unknown] = [&matrix, &vectors, &x].map(|it| language.handed(it));
        let name = language.function_name(LEAST_SQUARES);
        lines.push(format!("{name}({handed}, {others}, {unknown});"));
        self.components(&mut lines, &x, (0, all), read);
        Ok(lines)
    }
}

/// The function that makes x of b.
fn solution(writer: &Writer<'_>, m: usize) -> String {
    let epsilon = writer.language.epsilon();
    let limit = epsilon * m as f64;
    // Written without an exponent, a number is one word.
    let body = include_str!("least_squares.c")
        .replace("ROWS", &m.to_string())
        .replace("NEXT", &(m + 1).to_string())
        .replace("LIMIT", &(limit * limit).to_string())
        .replace("ROOT", &epsilon.sqrt().to_string());
    let passage = Passage {
        name: LEAST_SQUARES,
        parameters: parameters([
            ("a", Kind::Changed(m * m)),
            ("vectors", Kind::Changed(m * m)),
            ("x", Kind::Changed(m)),
        ]),
        body,
        tables: Vec::new(),
        gives: None,
    };
    passage.told(writer.language)
}
