//! Functions as data: what stands between programs and their text in any language.
//!
//! Input: what was derived. Output: lists of [`Function`]s, each program computed once. The tables of this folder
//! say which functions a type has; writers in `emit/` turn the lists into implementations of traits,
//! stubs after errors, tables of costs and derivations.

pub mod assignment;
pub mod constraint;
pub mod curve;
#[cfg(feature = "export")]
pub mod headings;
mod joint;
pub mod leaves;
pub mod loops;
pub mod run;
pub mod system;

pub use self::loops::Loops;

use crate::curve::Pieces;
use crate::expr::Set;
use crate::formula::{Statement, equation};
use crate::model::{Role, Symbol};
use crate::schedule::{OperationCount, Program};
use crate::system::loops::routine::By;

/// What a function is given.
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
    /// What a gradient counts of f̂
    ForceAdjoint,
    /// λ, one per row
    Multipliers,
    /// What takes the entries of matrices, one after the other
    Entries,
    /// What a gradient counts of v̇
    AccelerationAdjoint,
    /// What a gradient counts of λ
    MultiplierAdjoint,
    /// What a gradient counts of a correction
    CorrectionAdjoint,
    /// What a gradient counts of outputs
    OutputAdjoint,
    /// m of the one particle
    Mass,
    /// b of the one particle
    Damping,
    /// s, the one coordinate of a curve
    Parameter,
    /// ṡ
    Rate,
    /// f as a function of r and v, the outputs before those of the result
    ForceLaw,
}

/// What the entries of a vector belong to.
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

/// The shape of a result, whose entries stand in the order of a program's outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Scalar,
    /// A column.
    Vector(Dimension),
    /// Rows and columns; the entries row by row.
    Matrix(Dimension, Dimension),
    /// One such matrix for each body, side by side; the entries row by row of them all.
    Blocks(Dimension, Dimension),
    /// Several results, one after the other.
    Tuple(&'static [Shape]),
    /// The same with names.
    Record(&'static Record),
    /// So many of one shape.
    Array(usize, &'static Shape),
    /// Two numbers and all between them.
    Range,
    /// What the user names to be told, as a struct of its own.
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

/// What a function looks like from outside, whether or not it can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Its name.
    pub name: &'static str,
    /// What it is given, in order.
    pub arguments: &'static [Argument],
    /// What it gives back.
    pub result: Shape,
    /// Whether it may give back an error instead.
    pub fails: bool,
}

/// A row of a table: a function, and which of the quantities `Q` of a derivation it computes.
#[derive(Debug)]
pub struct Row<Q> {
    /// Name, arguments and result.
    pub signature: Signature,
    /// What the derivation calls its result.
    pub symbol: &'static str,
    /// What it computes.
    pub quantity: Q,
    /// Whether the derivation of a constraint gives its cost alone, no formula.
    pub counted: bool,
}

/// A function that gives back its result.
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

/// The same without a formula.
const fn counted<Q: Copy>(mut row: Row<Q>) -> Row<Q> {
    row.counted = true;
    row
}

/// The same where elimination may fail.
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

/// The same without a formula.
const fn solved<Q: Copy>(
    name: &'static str,
    symbol: &'static str,
    arguments: &'static [Argument],
    result: Shape,
    quantity: Q,
) -> Row<Q> {
    counted(may_fail(name, symbol, arguments, result, quantity))
}

/// How a function is computed.
#[derive(Debug)]
pub enum Body<'a> {
    /// Written out. Outputs before those that the signature asks for are squares of tangents, which must not vanish.
    Straight(Program),
    /// A branch for each piece of a curve, and behind them all pieces at once, for lanes that are on several.
    Branches {
        /// All pieces at once.
        whole: Program,
        /// What decides between the pieces, and each of them.
        pieces: Pieces<Program, Program>,
    },
    /// Written out up to the normal equations, solved at run time, and written out from there.
    LeastSquares {
        /// J M⁻¹ Jᵀ, the lower triangle, and b.
        equations: Program,
        /// What follows from λ.
        rest: Program,
    },
    /// In loops over arrays.
    Loops(Loops<'a>),
}

/// Of whom a function is asked, which tells the trait it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// What moves.
    Motion,
    /// The rows that constrain it.
    Rows,
    /// What the user names to be told.
    Outputs,
    /// How the motion varies, where that is asked for.
    Derivatives,
    /// How that varies which the user names to be told.
    OutputDerivatives,
    /// The linearised equations, entry by entry, where that is asked for.
    Descriptor,
}

/// A function of a generated type.
#[derive(Debug)]
pub struct Function<'a> {
    /// Name, arguments and result.
    pub signature: Signature,
    /// What the derivation calls its result.
    pub symbol: &'static str,
    /// Of whom it is asked.
    pub asked: Asked,
    /// How it is computed.
    pub body: Body<'a>,
}

impl Body<'_> {
    /// What it costs, for people.
    pub fn cost_in_words(&self) -> String {
        let cost = self.cost();
        match self {
            Body::LeastSquares { .. } => format!("{cost}, and least squares"),
            _ => cost.to_string(),
        }
    }

    /// The programs that it is made of.
    pub fn programs(&self) -> Vec<&Program> {
        match self {
            Body::Straight(program) => vec![program],
            Body::Branches { whole, pieces } => pieces.all().into_iter().chain([whole]).collect(),
            Body::LeastSquares { equations, rest } => vec![equations, rest],
            Body::Loops(loops) => loops.kernels.iter().map(|it| &it.program).collect(),
        }
    }

    /// The roles that it reads; those that loops read are their own.
    pub fn roles_read(&self, symbols: &[Symbol]) -> Set<Role> {
        let programs = match self {
            Body::Loops(_) => Vec::new(),
            body => body.programs(),
        };
        let read = programs.into_iter().flat_map(|it| &it.inputs);
        read.map(|symbol| symbols[symbol.index()].role).collect()
    }

    /// What running it costs, the solution of normal equations left out.
    pub fn cost(&self) -> OperationCount {
        match self {
            Body::Straight(program) => program.count,
            Body::Branches { pieces, .. } => dearest(pieces),
            Body::LeastSquares { equations, rest } => equations.count + rest.count,
            Body::Loops(loops) => loops.cost(),
        }
    }
}

/// What the dearest way through the branches costs, decisions included.
fn dearest(pieces: &Pieces<Program, Program>) -> OperationCount {
    match pieces {
        Pieces::One(program) => program.count,
        Pieces::Either {
            condition,
            branches,
        } => {
            let [a, b] = [0, 1].map(|branch| dearest(&branches[branch]));
            condition.count + if b.weight() > a.weight() { b } else { a }
        }
    }
}

/// What a derivation says of one quantity.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The function that computes it, or what it is called.
    pub name: &'static str,
    /// Its symbol; none where the statement is in words, or equations by itself.
    pub symbol: String,
    /// What it is.
    pub statement: Statement,
    /// What computing it alone costs; nothing where no function computes it.
    pub cost: OperationCount,
}

impl Entry {
    /// A function that is only counted.
    pub fn counted(name: &'static str, symbol: String, cost: OperationCount) -> Entry {
        Entry {
            name,
            symbol,
            cost,
            ..Entry::default()
        }
    }

    /// What is said without a symbol.
    pub fn said(name: &'static str, statement: Statement) -> Entry {
        Entry {
            name,
            statement,
            ..Entry::default()
        }
    }

    /// `C = …`, lines after the first indented; the text where it has no symbol.
    pub fn equation(&self) -> String {
        let text = self.statement.text();
        if self.symbol.is_empty() {
            return text;
        }
        equation(&self.symbol, &text)
    }

    /// The fields between tabs, empty ones at the end left out.
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
