//! The derivation of a generated curve as data: formulas and operation counts.

use core::fmt;

use crate::derivation::OperationCount;

/// Operation counts of the functions of [`Curve`](crate::Curve), each called alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CurveOperations {
    /// r.
    pub position: OperationCount,
    /// r′.
    pub tangent: OperationCount,
    /// r″.
    pub second_derivative: OperationCount,
    /// r, r′ and r″ at once.
    pub jet: OperationCount,
    /// κ.
    pub curvature: OperationCount,
    /// s̈.
    pub acceleration: OperationCount,
    /// r, v and s̈ with damping at once, without the force.
    pub acceleration_under: OperationCount,
}

/// Formulas of a generated curve in plain text, and what they cost.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Hump; |s in -2.5..=2.5| [s, 3 - 7/6*s^2 + s^4/6] }
/// println!("{}", Hump::DERIVATION);
/// assert_eq!(Hump::DERIVATION.domain, "−5/2 ..= 5/2");
/// assert_eq!(Hump::DERIVATION.continuity, "open");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveDerivation {
    /// r.
    pub position: &'static str,
    /// r′.
    pub tangent: &'static str,
    /// r″.
    pub second_derivative: &'static str,
    /// κ.
    pub curvature: &'static str,
    /// s̈ of a bead of mass m under the force f.
    pub acceleration: &'static str,
    /// Where s begins and ends.
    pub domain: &'static str,
    /// Whether the curve is closed, and how smoothly its pieces and its ends meet.
    pub continuity: &'static str,
    /// What each function costs.
    pub operations: CurveOperations,
}

impl CurveDerivation {
    /// Nothing: stands in where a macro reported errors.
    #[doc(hidden)]
    pub const EMPTY: CurveDerivation = CurveDerivation {
        position: "",
        tangent: "",
        second_derivative: "",
        curvature: "",
        acceleration: "",
        domain: "",
        continuity: "",
        operations: CurveOperations {
            position: OperationCount::of([0; 6]),
            tangent: OperationCount::of([0; 6]),
            second_derivative: OperationCount::of([0; 6]),
            jet: OperationCount::of([0; 6]),
            curvature: OperationCount::of([0; 6]),
            acceleration: OperationCount::of([0; 6]),
            acceleration_under: OperationCount::of([0; 6]),
        },
    };
}

impl fmt::Display for CurveDerivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formulas = [
            ("r", self.position),
            ("r′", self.tangent),
            ("r″", self.second_derivative),
            ("κ", self.curvature),
            ("s̈", self.acceleration),
        ];
        for (symbol, formula) in formulas {
            writeln!(f, "{symbol} = {}", formula.replace('\n', "\n    "))?;
        }
        write!(f, "s = {}, {}", self.domain, self.continuity)
    }
}
