//! The terms of routines of systems: the arrays of generated functions, and the destinations of results.

use crate::dynamics::Matrix;
pub use crate::families::by_column;
use crate::families::{self, ArrayName, Store};
use crate::schedule;

/// Families of expressions of a system.
pub type Families = families::Families<Array>;
/// A place that members of a family may differ by; a record is a coordinate with its velocity.
pub type Slot = families::Slot<Array>;
/// The signature of an item of a system.
pub type Signature = families::Signature<Array>;
/// A leaf, and where it is read.
pub type Read = families::Read<Array>;
/// Straight-line code that items of a system share.
pub type Kernel = families::Kernel<Write>;
/// Kernels of a system, and loops over them.
pub type Routine = families::Routine<Write>;
/// Items of one stage.
pub(super) type Stage<'r> = families::Stage<'r, Write>;

/// An array of the generated function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Array {
    /// q
    Position,
    /// v
    Velocity,
    /// b
    RightHandSide,
    /// a
    Acceleration,
    /// Amounts subtracted from diagonal entries by the elimination.
    Diagonal,
    /// Amounts subtracted from the right-hand side.
    Right,
    /// Amounts subtracted from the other entries.
    Fill,
    /// L
    Lower,
    /// Contributions of bodies to J M⁻¹ Jᵀ and to the right-hand side,
    Prepared,
    /// and the values that their motion is computed from.
    Moving,
    /// The matrix in blocks of four by four, for the elimination of panels.
    Blocks,
    /// The diagonal before that elimination.
    Scales,
    /// The right-hand side over the pivots, then the unknowns.
    Solution,
    /// One over the pivots.
    Inverse,
    /// W at the first velocity of each mass that is an element of an array.
    Weight,
    /// The unknowns of a second right-hand side.
    SolutionBeside,
    /// Amounts subtracted from that side by the elimination.
    RightBeside,
    /// v̇, if other results depend on it.
    Motion,
    /// Other values of each velocity, which rows read.
    Load,
    /// Values of each row, for all stages; constants of all loops.
    Shared,
    /// Parts of a gradient that many rows or velocities have in common.
    Sums,
    /// (δt, δq, δv, δu, δp)
    Tangent(Varied),
    /// A gradient by these.
    Gradient(Varied),
    /// v̇*, the weights of v̇ in a gradient.
    AccelerationAdjoint,
    /// λ*, the weights of λ.
    MultiplierAdjoint,
    /// w*, the weights of a correction.
    CorrectionAdjoint,
    /// v̇ and λ, as outputs are made of them.
    OfSolution(OfSolution),
    /// Slopes of M⁻¹ h + W J′ᵀ μ at constant μ.
    Slopes,
    /// ∂v̇ by these, column by column; before its column is solved for, the right-hand side of that.
    MotionBy(By),
    /// ∂λ by these, column by column.
    MultipliersBy(By),
    /// Values that one round of a loop keeps for the next.
    Kept,
    /// The result; in loops over columns, the column of ∂v̇.
    Output,
    /// λ, if it is a second result; in loops over columns, the column of ∂λ.
    Multipliers,
    /// A component of the elements of a parameter that is an array.
    Parameter(usize, usize),
    /// A component of the elements of an input that is an array.
    Input(usize, usize),
    /// The numbers that members of families differ by.
    Numbers,
}

/// A step between loops: what is done there with the matrix in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solve {
    /// It is set to zero, after an earlier elimination.
    Clear,
    /// It is eliminated, and [`Array::Solution`] solved for.
    First,
    /// The same array is solved for again, with the factors that are there,
    Same,
    /// or [`Array::SolutionBeside`].
    Beside,
}

impl Solve {
    const ALL: [Solve; 4] = [Solve::Clear, Solve::First, Solve::Same, Solve::Beside];

    /// That of a number.
    pub fn of(step: usize) -> Solve {
        Solve::ALL[step]
    }

    /// The array of the unknowns.
    pub fn unknowns(self) -> Option<Array> {
        match self {
            Solve::Clear => None,
            Solve::First | Solve::Same => Some(Array::Solution),
            Solve::Beside => Some(Array::SolutionBeside),
        }
    }
}

/// v̇ or λ in derivatives of outputs: the solution, its change along a tangent, or its weights in a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OfSolution {
    /// v̇
    Motion,
    /// λ
    Multipliers,
    /// δv̇
    MotionAlong,
    /// δλ
    MultipliersAlong,
    /// v̇*
    MotionCounted,
    /// λ*
    MultipliersCounted,
}

/// A part of a tangent or of a gradient, a field of the runtime's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Varied {
    /// t
    Time,
    /// q
    Coordinate,
    /// v
    Velocity,
    /// u
    Input,
    /// p
    Parameter,
}

impl Varied {
    /// Its name in the runtime.
    pub fn field(self) -> &'static str {
        match self {
            Varied::Time => "t",
            Varied::Coordinate => "q",
            Varied::Velocity => "v",
            Varied::Input => "u",
            Varied::Parameter => "p",
        }
    }
}

/// The variables that a matrix of a linearisation differentiates by, a field of the runtime's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum By {
    /// (q, v)
    State,
    /// u
    Input,
    /// p
    Parameter,
}

impl By {
    /// All, in the order of the columns.
    pub const ALL: [By; 3] = [By::State, By::Input, By::Parameter];

    /// The name of the matrix in the runtime.
    pub fn field(self) -> &'static str {
        match self {
            By::State => "a",
            By::Input => "b",
            By::Parameter => "p",
        }
    }
}

impl Array {
    /// A word of signatures, for arrays of results.
    pub(super) fn word_of_result(self) -> usize {
        match self {
            Array::Output => 0,
            Array::Multipliers => 1,
            Array::Motion => 2,
            Array::Load => 3,
            Array::Prepared => 4,
            Array::Slopes => 5,
            Array::Sums => 6,
            Array::Gradient(of) => 8 + of as usize,
            Array::MotionBy(by) => 16 + by as usize,
            Array::MultipliersBy(by) => 24 + by as usize,
            _ => 7,
        }
    }

    /// Whether it is an argument of the function.
    pub fn is_argument(self) -> bool {
        matches!(
            self,
            Array::Position
                | Array::Velocity
                | Array::RightHandSide
                | Array::Acceleration
                | Array::AccelerationAdjoint
                | Array::MultiplierAdjoint
                | Array::CorrectionAdjoint
        )
    }
}

impl ArrayName for Array {
    const KEPT: Array = Array::Kept;
    const CONSTANTS: Array = Array::Shared;
    const READ_ONCE: &'static [Array] = &[Array::Prepared];
    const RENUMBERED: &'static [Array] = &[
        Array::Diagonal,
        Array::Right,
        Array::RightBeside,
        Array::Fill,
        Array::Prepared,
    ];

    fn is_given(self) -> bool {
        self.is_argument() || matches!(self, Array::Tangent(_))
    }

    /// Unknowns do, and values computed from them. Amounts subtracted from a row are read by its own step alone.
    fn outlives_loop(self) -> bool {
        matches!(
            self,
            Array::Solution | Array::SolutionBeside | Array::Motion | Array::Load | Array::Shared
        )
    }

    fn is_sum(self) -> bool {
        matches!(self, Array::Gradient(_))
    }
}

/// The destination of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Write {
    /// The first write to an element.
    Set(Array, usize),
    /// A term that is added to an element.
    Add(Array, usize),
    /// A pivot that must be positive beyond rounding of the next result, in the row of that index; velocities, the rows of
    /// M, are counted after those of constraints.
    Pivot(schedule::Matrix, usize),
    /// The scale by which a pivot is judged.
    Diagonal,
    /// A check of parameters, of one number or the first of several.
    Check(Checked),
    /// The other numbers of a check.
    Checked,
    /// An entry of a matrix for the caller, in the row and the column of these indices.
    Entry(Matrix, usize, usize),
    /// The rows of one constraint at some velocities, and their first entry of J; the entries of M⁻¹ Jᵀ follow all of J.
    Block {
        /// The first of the indices.
        first: usize,
        /// How many there are.
        velocities: usize,
    },
    /// The other entries of those rows.
    Blocked,
}

impl Write {
    /// The array that a result is written or added to.
    pub fn target(self) -> Option<Array> {
        families::Write::store(self).map(|store| store.array)
    }
}

impl From<Store<Array>> for Write {
    fn from(store: Store<Array>) -> Write {
        if store.adds {
            Write::Add(store.array, store.place)
        } else {
            Write::Set(store.array, store.place)
        }
    }
}

impl families::Write for Write {
    type Array = Array;

    fn store(self) -> Option<Store<Array>> {
        let (array, place, adds) = match self {
            Write::Set(array, place) => (array, place, false),
            Write::Add(array, place) => (array, place, true),
            Write::Pivot(..)
            | Write::Diagonal
            | Write::Check(_)
            | Write::Checked
            | Write::Entry(..)
            | Write::Block { .. }
            | Write::Blocked => return None,
        };
        Some(Store { array, place, adds })
    }
}

/// A property that values of parameters must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checked {
    /// A mass.
    Mass,
    /// The coefficient of a coordinate's acceleration in its own equation; in loops the coordinate is an item's index.
    Coordinate(usize),
    /// A moment of inertia, three of one body, or the lower triangle of a matrix.
    Inertia,
}

impl Checked {
    /// A word of signatures.
    pub(super) fn word(self) -> usize {
        match self {
            Checked::Mass => 0,
            Checked::Coordinate(_) => 1,
            Checked::Inertia => 2,
        }
    }
}

/// A result of the function.
pub(super) fn output(place: usize) -> Write {
    Write::Set(Array::Output, place)
}
