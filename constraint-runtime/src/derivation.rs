//! The derivation of a generated type as data: formulas and operation counts.

use core::fmt;

/// Operations of one generated function, counted after common subexpressions are shared.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let count = OperationCount { add: 3, mul: 4, div: 1, ..OperationCount::default() };
/// assert_eq!(count.total(), 8);
/// assert_eq!(count.to_string(), "8 operations: 3 add, 4 mul, 1 div");
/// assert_eq!(OperationCount::default().to_string(), "no operations");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCount {
    /// Additions.
    pub add: u32,
    /// Subtractions; changes of sign are free.
    pub sub: u32,
    /// Multiplications.
    pub mul: u32,
    /// Divisions and reciprocals.
    pub div: u32,
    /// Square roots.
    pub sqrt: u32,
    /// Calls of other functions (`sin_cos` is one).
    pub call: u32,
}

impl OperationCount {
    /// Sum of all kinds.
    pub const fn total(&self) -> u32 {
        self.add + self.sub + self.mul + self.div + self.sqrt + self.call
    }
}

impl fmt::Display for OperationCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total() {
            0 => return write!(f, "no operations"),
            1 => write!(f, "1 operation")?,
            total => write!(f, "{total} operations")?,
        }
        let kinds = [
            (self.add, "add"),
            (self.sub, "sub"),
            (self.mul, "mul"),
            (self.div, "div"),
            (self.sqrt, "sqrt"),
            (self.call, "call"),
        ];
        let present = kinds.iter().filter(|(count, _)| *count > 0);
        for (i, (count, kind)) in present.enumerate() {
            let separator = if i == 0 { ": " } else { ", " };
            write!(f, "{separator}{count} {kind}")?;
        }
        Ok(())
    }
}

/// One line of a derivation: a quantity, its formula and its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The function that computes the quantity, or the quantity's name: `jacobian`, `mass_matrix`, `solver`.
    pub name: &'static str,
    /// The quantity's symbol: `J`; empty if the text is prose or a set of equations.
    pub symbol: &'static str,
    /// The right-hand side in plain text, definitions on lines of their own; empty if only the cost is known.
    pub text: &'static str,
    /// The same as LaTeX for mathematics mode (amsmath); empty if there is no formula.
    pub latex: &'static str,
    /// The cost of computing the quantity alone; zero if no function computes it.
    pub cost: OperationCount,
}

impl Entry {
    /// Reads the five fields between tabs, missing ones as empty; counts follow the order of the kinds.
    fn read(line: &'static str) -> Entry {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let [name, symbol, text, latex] = [(); 4].map(|()| next());
        let mut counts = next().split(' ').map(str::parse);
        let mut next = || counts.next().and_then(Result::ok).unwrap_or_default();
        let [add, sub, mul, div, sqrt, call] = [(); 6].map(|()| next());
        let cost = OperationCount {
            add,
            sub,
            mul,
            div,
            sqrt,
            call,
        };
        Entry {
            name,
            symbol,
            text,
            latex,
            cost,
        }
    }
}

/// `J = ( 2 x   100 )`; lines after the first are indented.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.symbol.is_empty() {
            return write!(f, "{}", self.text);
        }
        write!(f, "{} = {}", self.symbol, self.text.replace('\n', "\n    "))
    }
}

/// Formulas of a generated type and their costs, in the order of the theory.
///
/// Every generated type has one as its constant `DERIVATION`. Printed, it reads as a derivation.
///
/// - A constraint on points has `value` (C), `jacobian`, `rate`, `jacobian_dot`, `bias` (β), `multipliers` (λ),
///   `force` (f̂) and `particle_force`, f̂ if all coordinates belong to one particle of mass m.
/// - A constraint between bodies has `value`, `jacobian`, `rate`, `bias`, `delassus` (J W Jᵀ) and `arms`, the
///   body-fixed vectors in the world: `a_r1` is r1 of body a, rotated; `v_a`, `omega_a` are velocities, `w_a` and
///   `W_a` the inverse mass and inertia. `rows`, `impulses` and `multipliers` have only a cost.
/// - A system has `kinetic_energy` (T), `potential_energy` (V), `mass_matrix` (M), `applied` (h, all forces except
///   the constraints', inertial terms included), `constraint`, `jacobian` and `bias` if it has constraints, and
///   `solver`, which describes how v̇ and λ are computed. `acceleration` and others have only a cost.
/// - A curve has `position` (r), `tangent`, `second_derivative`, `curvature`, `acceleration` (s̈), `domain`, and
///   `continuity`, which reports whether it is closed and how smooth the joints of its pieces and its ends are.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// A bead on the parabola x² + 100 y = 0.
///     struct Parabola;
///     |x, y| x*x + 100*y
/// }
///
/// let derivation = Parabola::DERIVATION;
/// assert_eq!(derivation.entry("jacobian").text, "( 2 x   100 )");
/// assert_eq!(derivation.entry("jacobian").latex, r"\begin{pmatrix} 2 x & 100 \end{pmatrix}");
/// assert_eq!(derivation.entry("particle_force").cost.total(), 11);
/// assert_eq!(derivation.get("mass_matrix"), None);
/// assert!(derivation.to_string().starts_with("C = x² + 100 y\nJ = ( 2 x   100 )\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// One line per entry, its fields between tabs: the compiler reads a few literals faster than expressions.
    #[doc(hidden)]
    pub written: &'static [&'static str],
}

impl Derivation {
    /// All entries.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + use<> {
        self.written.iter().map(|line| Entry::read(line))
    }

    /// The entry of a quantity; `None` if the type has none of that name.
    pub fn get(&self, name: &str) -> Option<Entry> {
        self.entries().find(|entry| entry.name == name)
    }

    /// The entry of a quantity.
    ///
    /// # Panics
    /// If the type has no entry of that name; [`get`](Self::get) returns `None` instead.
    #[track_caller]
    pub fn entry(&self, name: &str) -> Entry {
        self.get(name)
            .unwrap_or_else(|| panic!("this derivation has no `{name}`:\n{self}"))
    }
}

/// The formulas, one after the other, then the number of operations of each function.
impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in self.entries().filter(|entry| !entry.text.is_empty()) {
            writeln!(f, "{entry}")?;
        }
        write!(f, "operations:")?;
        let counted = self.entries().filter(|entry| entry.cost.total() > 0);
        for (i, entry) in counted.enumerate() {
            let separator = if i == 0 { "" } else { "," };
            write!(f, "{separator} {} {}", entry.name, entry.cost.total())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_told_in_words() {
        let none = OperationCount::default();
        assert_eq!(none.to_string(), "no operations");
        let one = OperationCount { sqrt: 1, ..none };
        assert_eq!(one.to_string(), "1 operation: 1 sqrt");
    }

    #[test]
    fn a_derivation_prints_its_formulas_and_then_its_costs() {
        let derivation = Derivation {
            written: &[
                "constraint\tC\t( x )\n( y )",
                "acceleration\tv̇\t\t\t1 0 2 0 0 0",
                "solver\t\tby hand",
                "bias\tβ\t2 v²\t2 v^{2}\t0 0 2 0 0 0",
            ],
        };
        assert_eq!(
            derivation.to_string(),
            "C = ( x )\n    ( y )\nby hand\nβ = 2 v²\noperations: acceleration 3, bias 2"
        );
        assert_eq!(derivation.entry("bias").latex, "2 v^{2}");
    }

    #[test]
    #[should_panic(expected = "this derivation has no `force`:\nβ = 0")]
    fn a_name_that_is_missing_is_told_with_what_there_is() {
        let written = &["bias\tβ\t0\t0\t"];
        _ = Derivation { written }.entry("force");
    }
}
