//! The derivation of a generated type as data: formulas and operation counts.

use core::fmt;

/// Operations of one generated function, counted after sharing.
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
    const NONE: OperationCount = OperationCount {
        add: 0,
        sub: 0,
        mul: 0,
        div: 0,
        sqrt: 0,
        call: 0,
    };

    /// Counts in the order of the fields.
    #[doc(hidden)]
    pub const fn of([add, sub, mul, div, sqrt, call]: [u32; 6]) -> OperationCount {
        OperationCount {
            add,
            sub,
            mul,
            div,
            sqrt,
            call,
        }
    }

    /// Sum of all kinds.
    pub const fn total(&self) -> u32 {
        self.add + self.sub + self.mul + self.div + self.sqrt + self.call
    }
}

impl fmt::Display for OperationCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.total() {
            0 => write!(f, "no operations")?,
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

/// Operation counts of the functions of [`Constraint`](crate::Constraint), each called alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// C.
    pub value: OperationCount,
    /// J.
    pub jacobian: OperationCount,
    /// Ċ.
    pub rate: OperationCount,
    /// J̇.
    pub jacobian_dot: OperationCount,
    /// β.
    pub bias: OperationCount,
    /// λ for any inverse masses.
    pub multipliers: OperationCount,
    /// f̂ for any inverse masses.
    pub force: OperationCount,
    /// f̂ of one particle.
    pub particle_force: OperationCount,
}

/// Formulas of a generated type in plain text, and what they cost.
///
/// Printed, it reads as a derivation; a formula of several lines keeps its indentation.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let derivation = Derivation {
///     value: "x² + 100 y",
///     jacobian: "[2 x, 100]",
///     jacobian_dot: "[2 vx, 0]",
///     bias: "2 vx²",
///     multipliers: "-(2 vx² + 2 x wx fx + 100 wy fy) / (4 x² wx + 10000 wy)",
///     force: "[2 x λ, 100 λ]",
///     particle_force: "-(m vx² + x fx + 50 fy) / (x² + 2500) [x, 50]",
///     operations: Operations::default(),
/// };
/// assert!(derivation.to_string().starts_with("C = x² + 100 y\nJ = [2 x, 100]\n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// C.
    pub value: &'static str,
    /// J.
    pub jacobian: &'static str,
    /// J̇.
    pub jacobian_dot: &'static str,
    /// β = C̈ − J v̇.
    pub bias: &'static str,
    /// λ.
    pub multipliers: &'static str,
    /// f̂ = Jᵀ λ.
    pub force: &'static str,
    /// f̂ where all coordinates belong to one particle of mass m: the closed form of the textbooks.
    pub particle_force: &'static str,
    /// What each function costs.
    pub operations: Operations,
}

impl Derivation {
    /// Nothing: stands in where a macro reported errors.
    #[doc(hidden)]
    pub const EMPTY: Derivation = Derivation {
        value: "",
        jacobian: "",
        jacobian_dot: "",
        bias: "",
        multipliers: "",
        force: "",
        particle_force: "",
        operations: Operations {
            value: OperationCount::NONE,
            jacobian: OperationCount::NONE,
            rate: OperationCount::NONE,
            jacobian_dot: OperationCount::NONE,
            bias: OperationCount::NONE,
            multipliers: OperationCount::NONE,
            force: OperationCount::NONE,
            particle_force: OperationCount::NONE,
        },
    };
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formulas = [
            ("C", self.value),
            ("J", self.jacobian),
            ("J̇", self.jacobian_dot),
            ("β", self.bias),
            ("λ", self.multipliers),
            ("f̂", self.force),
        ];
        for (symbol, formula) in formulas {
            // Every symbol is one column wide: the marks above J and f combine.
            writeln!(f, "{symbol} = {}", formula.replace('\n', "\n    "))?;
        }
        let (formula, cost) = (self.particle_force, self.operations.particle_force);
        writeln!(f, "f̂ of one particle of mass m, in {cost}:")?;
        write!(f, "    {}", formula.replace('\n', "\n    "))
    }
}

/// Operation counts of the functions of [`BodyConstraint`](crate::BodyConstraint), each called alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyOperations {
    /// C.
    pub value: OperationCount,
    /// J.
    pub jacobian: OperationCount,
    /// Ċ.
    pub rate: OperationCount,
    /// β.
    pub bias: OperationCount,
    /// J W Jᵀ.
    pub delassus: OperationCount,
    /// C, J, Ċ, β and J W Jᵀ at once.
    pub rows: OperationCount,
    /// λ that stops the rows; zero of more than three rows, which are eliminated numerically.
    pub impulses: OperationCount,
    /// λ that holds the rows; zero of more than three rows, which are eliminated numerically.
    pub multipliers: OperationCount,
}

/// Formulas of a constraint between bodies in plain text, and what they cost.
///
/// Arms (`a_r1`) are body-fixed vectors turned into the world; `v_a`, `omega_a` are velocities, `w_a` and `W_a`
/// the inverse mass and inertia.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// A pin in the plane.
///     struct Pin { r: Vector2 }
///     |a: Rigid2, b: Rigid2| at(b, [0, 0]) == at(a, r)
/// }
/// assert!(Pin::DERIVATION.jacobian.starts_with("J_a = ( −1   0    a_r.y  )"));
/// assert_eq!(Pin::DERIVATION.arms, "a_r = R_a ( r.x   r.y )");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyDerivation {
    /// The body-fixed vectors in the world.
    pub arms: &'static str,
    /// `C = …`.
    pub value: &'static str,
    /// `J_a = …`, a block for every body.
    pub jacobian: &'static str,
    /// `Ċ = …`.
    pub rate: &'static str,
    /// `β = …`.
    pub bias: &'static str,
    /// `K = …`, J W Jᵀ.
    pub delassus: &'static str,
    /// What each function costs.
    pub operations: BodyOperations,
}

impl BodyDerivation {
    /// Nothing: stands in where a macro reported errors.
    #[doc(hidden)]
    pub const EMPTY: BodyDerivation = BodyDerivation {
        arms: "",
        value: "",
        jacobian: "",
        rate: "",
        bias: "",
        delassus: "",
        operations: BodyOperations {
            value: OperationCount::NONE,
            jacobian: OperationCount::NONE,
            rate: OperationCount::NONE,
            bias: OperationCount::NONE,
            delassus: OperationCount::NONE,
            rows: OperationCount::NONE,
            impulses: OperationCount::NONE,
            multipliers: OperationCount::NONE,
        },
    };
}

impl fmt::Display for BodyDerivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for formula in [
            self.value,
            self.jacobian,
            self.rate,
            self.bias,
            self.delassus,
        ] {
            writeln!(f, "{formula}")?;
        }
        write!(f, "{}", self.arms)
    }
}

/// Operation counts of the functions of [`System`](crate::System), each called alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemOperations {
    /// v̇.
    pub acceleration: OperationCount,
    /// λ.
    pub multipliers: OperationCount,
    /// Jᵀ λ.
    pub constraint_force: OperationCount,
    /// C.
    pub constraint: OperationCount,
    /// Ċ.
    pub constraint_rate: OperationCount,
    /// J.
    pub jacobian: OperationCount,
    /// Σᵢ |Jᵢ qᵢ|.
    pub row_sizes: OperationCount,
    /// β.
    pub bias: OperationCount,
    /// M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b.
    pub correction: OperationCount,
    /// T.
    pub kinetic_energy: OperationCount,
    /// V.
    pub potential_energy: OperationCount,
}

/// Formulas of a generated system in plain text, and what they cost.
///
/// M v̇ = h + Jᵀ λ with J v̇ = −β. Printed, it reads as a derivation.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A pendulum in its angle.
///     pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
///     coordinate phi;
///     particle bob = [l*sin(phi), -l*cos(phi)] { mass: m }
///     potential m*g*bob.y;
/// }
///
/// assert_eq!(Pendulum::DERIVATION.constraint, "none");
/// assert!(Pendulum::DERIVATION.to_string().contains("\nM = "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemDerivation {
    /// T.
    pub kinetic_energy: &'static str,
    /// V.
    pub potential_energy: &'static str,
    /// M.
    pub mass_matrix: &'static str,
    /// h: what pushes besides the constraints, inertial terms included.
    pub applied: &'static str,
    /// C, or Φ of rows on velocities.
    pub constraint: &'static str,
    /// J.
    pub jacobian: &'static str,
    /// β.
    pub bias: &'static str,
    /// How v̇ and λ are found.
    pub solver: &'static str,
    /// What each function costs.
    pub operations: SystemOperations,
}

impl SystemDerivation {
    /// What stands in for the derivation of a system with mistakes.
    #[doc(hidden)]
    pub const EMPTY: SystemDerivation = SystemDerivation {
        kinetic_energy: "",
        potential_energy: "",
        mass_matrix: "",
        applied: "",
        constraint: "",
        jacobian: "",
        bias: "",
        solver: "",
        operations: SystemOperations {
            acceleration: OperationCount::NONE,
            multipliers: OperationCount::NONE,
            constraint_force: OperationCount::NONE,
            constraint: OperationCount::NONE,
            constraint_rate: OperationCount::NONE,
            jacobian: OperationCount::NONE,
            row_sizes: OperationCount::NONE,
            bias: OperationCount::NONE,
            correction: OperationCount::NONE,
            kinetic_energy: OperationCount::NONE,
            potential_energy: OperationCount::NONE,
        },
    };
}

impl fmt::Display for SystemDerivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formulas = [
            ("T", self.kinetic_energy),
            ("V", self.potential_energy),
            ("M", self.mass_matrix),
            ("h", self.applied),
            ("C", self.constraint),
            ("J", self.jacobian),
            ("β", self.bias),
        ];
        for (symbol, formula) in formulas {
            writeln!(f, "{symbol} = {}", formula.replace('\n', "\n    "))?;
        }
        writeln!(f, "v̇ in {}:", self.operations.acceleration)?;
        write!(f, "    {}", self.solver)
    }
}
