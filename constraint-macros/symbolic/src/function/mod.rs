//! Functions as data, between programs and their text in any language.
//!
//! Input: derived quantities. Output: lists of [`Function`]s, each program computed once. The tables of this folder
//! contain the functions of each generated type; writers in `emit/` turn the lists into implementations of traits,
//! stubs after errors, tables of costs and derivations.

pub mod assignment;
pub mod constraint;
pub mod curve;
#[cfg(feature = "export")]
pub mod headings;
mod joint;
pub mod leaves;
pub mod loops;
pub mod panels;
pub mod run;
pub mod system;
pub mod undefined;

pub use self::loops::Loops;

use crate::curve::Pieces;
use crate::expr::{CollectVec, MapEach, Set};
use crate::formula::{Statement, equation};
use crate::model::{Role, Symbol};
use crate::schedule::{self, OperationCount, Program};
use crate::system::loops::routine::By;

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// t
    Time,
    /// q
    Coordinates,
    /// v
    Velocities,
    /// w, one per coordinate
    InverseMasses,
    /// f
    Forces,
    /// b, one entry per row
    RightHandSide,
    /// a, one entry per velocity
    Accelerations,
    /// δt, δq, δv, δu and δp
    Tangent,
    /// δt, δq, δv, δw, δf and δp
    ForceTangent,
    /// Factors of f̂ in the function that a gradient differentiates
    ForceAdjoint,
    /// λ, one per row
    Multipliers,
    /// The callback that receives the entries of matrices one by one
    Entries,
    /// Factors of v̇ in the function that a gradient differentiates
    AccelerationAdjoint,
    /// Factors of λ
    MultiplierAdjoint,
    /// Factors of a correction
    CorrectionAdjoint,
    /// Factors of outputs
    OutputAdjoint,
    /// Forces on the rows of one side
    SideForces,
    /// Factors of the rows of one side
    SideAdjoint,
    /// m of the one particle
    Mass,
    /// b of the one particle
    Damping,
    /// s, the one coordinate of a curve
    Parameter,
    /// ṡ
    Rate,
    /// f as a function of r and v, which are the program's first outputs
    ForceLaw,
}

/// The index set of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Coordinates
    Coordinates,
    /// Velocities
    Velocities,
    /// Constraint rows
    Rows,
    /// Bodies, each with as many velocities
    Bodies,
    /// (q, v) as tangents: twice as many as velocities
    States,
    /// Inputs
    Inputs,
    /// Parameters, component by component
    Parameters,
    /// Outputs, component by component
    Outputs,
    /// Inertial parameters of links
    Inertial,
    /// Base parameters
    Base,
    /// Rows of one side: gaps, then slips
    Sides,
}

impl By {
    /// The columns of the matrix.
    pub fn dimension(self) -> Dimension {
        match self {
            By::State => Dimension::States,
            By::Input => Dimension::Inputs,
            By::Parameter => Dimension::Parameters,
        }
    }
}

/// The shape of a result, whose entries are in the order of a program's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Scalar,
    /// A column.
    Vector(Dimension),
    /// Rows and columns; the entries row by row.
    Matrix(Dimension, Dimension),
    /// One such matrix for each body, side by side; the entries row by row of the whole.
    Blocks(Dimension, Dimension),
    /// Several results, one after the other.
    Tuple(&'static [Shape]),
    /// Several named results, one after the other.
    Record(&'static Record),
    /// This number of results of one shape.
    Array(usize, &'static Shape),
    /// Two numbers and all between them.
    Range,
    /// The struct of the outputs that the user declares.
    Outputs,
}

/// A struct of the runtime's.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name.
    pub name: &'static str,
    /// The sizes that it is generic over.
    pub sizes: &'static [Dimension],
    /// Its fields.
    pub fields: &'static [(&'static str, Shape)],
}

/// The signature of a function, which exists even if the function cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, in order.
    pub arguments: &'static [Argument],
    /// Its result.
    pub result: Shape,
    /// True if it returns a `Result`.
    pub fails: bool,
}

/// A row of a table: a function, and the quantities `Q` of a derivation that it computes.
#[derive(Debug)]
pub struct Row<Q> {
    /// Name, arguments and result.
    pub signature: Signature,
    /// The symbol of its result in the derivation.
    pub symbol: &'static str,
    /// The quantities.
    pub quantity: Q,
    /// True if the derivation of a constraint lists only its cost, without a formula.
    pub counted: bool,
}

/// A function that returns its result directly.
const fn row<Q: Copy>(
    name: &'static str,
    symbol: &'static str,
    arguments: &'static [Argument],
    result: Shape,
    quantity: Q,
) -> Row<Q> {
    Row {
        signature: Signature {
            name,
            arguments,
            result,
            fails: false,
        },
        symbol,
        quantity,
        counted: false,
    }
}

/// The function without a formula.
const fn counted<Q: Copy>(mut row: Row<Q>) -> Row<Q> {
    row.counted = true;
    row
}

/// The function with a `Result`, for eliminations that may fail.
const fn may_fail<Q: Copy>(
    name: &'static str,
    symbol: &'static str,
    arguments: &'static [Argument],
    result: Shape,
    quantity: Q,
) -> Row<Q> {
    let mut row = row(name, symbol, arguments, result, quantity);
    row.signature.fails = true;
    row
}

/// The function with a `Result` and without a formula.
const fn solved<Q: Copy>(
    name: &'static str,
    symbol: &'static str,
    arguments: &'static [Argument],
    result: Shape,
    quantity: Q,
) -> Row<Q> {
    counted(may_fail(name, symbol, arguments, result, quantity))
}

/// The computation of a function.
#[derive(Debug)]
pub enum Body<'a> {
    /// Written out. Outputs before those of the signature are squares of tangents, which must not vanish.
    Straight(Program),
    /// A branch for each piece of a curve, followed by all pieces at once, for lanes on different pieces.
    Branches {
        /// All pieces at once.
        whole: Program,
        /// The conditions between the pieces, and each piece.
        pieces: Pieces<Program, Program>,
    },
    /// Written out up to the normal equations, solved at run time, and written out from there.
    LeastSquares {
        /// J M⁻¹ Jᵀ, the lower triangle, and b. Without b, its pseudo-inverse is found.
        equations: Program,
        /// The quantities computed from λ.
        rest: Program,
    },
    /// In loops over arrays.
    Loops(Loops<'a>),
}

/// The trait that a function belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trait {
    /// The motion.
    Motion,
    /// The rows that constrain it.
    Rows,
    /// Outputs that the user declares.
    Outputs,
    /// Derivatives of the motion, on request.
    Derivatives,
    /// Derivatives of the outputs, on request.
    OutputDerivatives,
    /// How outputs move, on request.
    TaskSpace,
    /// The linearised equations, entry by entry, on request.
    Descriptor,
    /// Forces as a linear function of inertial parameters, on request.
    Regressor,
    /// The rows of one side, of systems that have some.
    OneSided,
    /// Their derivatives, on request.
    OneSidedDerivatives,
}

/// A function of a generated type.
#[derive(Debug)]
pub struct Function<'a> {
    /// Name, arguments and result.
    pub signature: Signature,
    /// The symbol of its result in the derivation.
    pub symbol: &'static str,
    /// The trait that it belongs to.
    pub of_trait: Trait,
    /// Its computation.
    pub body: Body<'a>,
}

impl Body<'_> {
    /// Its cost in words.
    pub fn cost_in_words(&self) -> String {
        let cost = self.cost();
        match self {
            Body::LeastSquares { .. } => format!("{cost}, and least squares"),
            _ => cost.to_string(),
        }
    }

    /// Its programs.
    pub fn programs(&self) -> Vec<&Program> {
        match self {
            Body::Straight(program) => vec![program],
            Body::Branches { whole, pieces } => {
                pieces.all().into_iter().chain([whole]).collect_vec()
            }
            Body::LeastSquares { equations, rest } => vec![equations, rest],
            Body::Loops(loops) => loops.kernels.iter().map(|it| &it.program).collect_vec(),
        }
    }

    /// Whether it is written out and checks a pivot of this row.
    pub fn guards(&self, row: usize) -> bool {
        let programs = match self {
            Body::Loops(_) => Vec::new(),
            body => body.programs(),
        };
        let mut statements = programs.into_iter().flat_map(|it| &it.statements);
        statements.any(|it| matches!(it, schedule::Statement::Guard(guard) if guard.row == row))
    }

    /// The roles that it reads as leaves; those that loops read from arrays are not included.
    pub fn roles_read(&self, symbols: &[Symbol]) -> Set<Role> {
        let programs = match self {
            Body::Loops(_) => Vec::new(),
            body => body.programs(),
        };
        let read = programs.into_iter().flat_map(|it| &it.inputs);
        read.map(|symbol| symbols[symbol.index()].role).collect()
    }

    /// Its cost, without the solution of normal equations at run time.
    pub fn cost(&self) -> OperationCount {
        match self {
            Body::Straight(program) => program.count,
            Body::Branches { pieces, .. } => most_expensive(pieces),
            Body::LeastSquares { equations, rest } => equations.count + rest.count,
            Body::Loops(loops) => loops.cost(),
        }
    }
}

/// The cost of the most expensive branch, conditions included.
fn most_expensive(pieces: &Pieces<Program, Program>) -> OperationCount {
    match pieces {
        Pieces::One(program) => program.count,
        Pieces::Either {
            condition,
            branches,
        } => {
            let [a, b] = [0, 1].map_each(|branch| most_expensive(&branches[branch]));
            condition.count + if b.weight() > a.weight() { b } else { a }
        }
    }
}

/// An entry of a derivation, about one quantity.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The function that computes it, or another name.
    pub name: &'static str,
    /// Its symbol; empty if the statement consists of words, or of complete equations.
    pub symbol: String,
    /// The formula or text.
    pub statement: Statement,
    /// The cost of computing it alone; zero if no function computes it.
    pub cost: OperationCount,
}

impl Entry {
    /// A function with a cost but no formula.
    pub fn counted(name: &'static str, symbol: String, cost: OperationCount) -> Entry {
        Entry {
            name,
            symbol,
            cost,
            ..Entry::default()
        }
    }

    /// An entry without a symbol.
    pub fn without_symbol(name: &'static str, statement: Statement) -> Entry {
        Entry {
            name,
            statement,
            ..Entry::default()
        }
    }

    /// `C = …`, lines after the first indented; the text if there is no symbol.
    pub fn equation(&self) -> String {
        let text = self.statement.text();
        if self.symbol.is_empty() {
            return text;
        }
        equation(&self.symbol, &text)
    }

    /// The fields separated by tabs, without empty ones at the end.
    pub fn line(&self) -> String {
        let [text, latex] = [self.statement.text(), self.statement.latex()];
        let mut line = [self.name, &self.symbol, &text, &latex].join("\t");
        if self.cost.total() == 0 {
            line.truncate(line.trim_end_matches('\t').len());
            return line;
        }
        let mut before = '\t';
        for (n, _) in self.cost.kinds() {
            line.push(before);
            line.push_str(&n.to_string());
            before = ' ';
        }
        line
    }
}

/// The roles that a program reads.
pub fn roles_read(symbols: &[Symbol], program: &Program) -> Set<Role> {
    let read = program.inputs.iter();
    read.map(|symbol| symbols[symbol.index()].role).collect()
}
