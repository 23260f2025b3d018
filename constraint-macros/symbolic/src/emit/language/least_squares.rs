//! Rows that may follow from each other: λ is solved for by least squares, in a function that is the same for all types.

use super::functions::Writer;
use super::{Reason, on_stack};
use crate::code::least_squares::{LEAST_SQUARES, PSEUDO_INVERSE, least_squares, pseudo_inverse};
use crate::code::{Components, Handed, Name, Statement, Values, Vector};
use crate::emit::interface::roles;
use crate::expr::{CollectVec, PushEach, Set};
use crate::function::Dimension;
use crate::model::Role;
use crate::schedule::Program;

impl Writer<'_> {
    /// The statements that name λ, of J M⁻¹ Jᵀ, its lower triangle, and b; or without b the entries of its pseudo-inverse.
    pub(super) fn least_squares<'f>(
        &self,
        equations: &'f Program,
        read: &Set<Role>,
    ) -> Result<Vec<Statement<'f>>, Reason> {
        let (language, m) = (self.language, self.interface.size(Dimension::Rows));
        let (lower, right) = equations.outputs.split_at(m * (m + 1) / 2);
        let (function, result, unknowns) = match right {
            [] => (
                PSEUDO_INVERSE,
                "inverse_of",
                roles(Role::PseudoInverse, m * m),
            ),
            _ => (LEAST_SQUARES, "multiplier_of", roles(Role::Multiplier, m)),
        };
        let length = unknowns.len();
        on_stack(2 * m * m + 2 * m + length)?;
        self.routine(function, || match right {
            [] => pseudo_inverse(m, language.epsilon()),
            _ => least_squares(m, language.epsilon()),
        });
        let names = ["matrix_of", "vectors_of", result];
        let names = names.map(|it| Name::from(self.interface.local(it).to_string()));
        let [matrix, _, x] = names.each_ref().map(|it| Vector::Own(it.clone()));
        let values = Values::of(equations);
        let statements = equations.statements.iter();
        let mut within: Vec<Statement<'_>> = statements
            .filter_map(|it| values.named(it, None))
            .collect_vec();
        let places = (0..m).flat_map(|j| (0..m).map(move |i| (i.max(j), i.min(j))));
        for (place, (i, j)) in places.enumerate() {
            let entry = values.value(lower[i * (i + 1) / 2 + j]);
            within.push(matrix.at(place).set(entry));
        }
        for (row, &entry) in right.iter().enumerate() {
            within.push(x.at(row).set(values.value(entry)));
        }
        let lengths = [m * m, m * m, length].into_iter();
        let arrays = names.iter().zip(lengths);
        let arrays = arrays.map(|(name, length)| Statement::Array(name.clone(), length, false));
        let mut lines: Vec<Statement<'_>> = arrays.collect_vec();
        lines.push(Statement::Block(within));
        lines.push(Statement::Call(function, names.map(Handed::Array).into()));
        let x = || Components::Vector(x.whole());
        lines.push_each(self.interface.components(&unknowns, read, x));
        Ok(lines)
    }
}
