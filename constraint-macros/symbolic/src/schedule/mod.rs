//! From expressions to a program: shared values computed once, in the order in which the roots need them, and counted.
//!
//! Input: roots of a [`Graph`]. Output: a [`Program`] of two-operand operations. Here, and nowhere else,
//! common subexpressions become shared values, sums are put into their cheapest form, divisors become
//! reciprocals where that saves divisions, and powers become multiplications.

mod common_products;
mod constant_factors;
mod factor;
mod flattening;
mod meaning;
mod products;
mod run;
mod statements;
mod two_operand;
mod values;

pub use self::meaning::{Matrix, Meaning, Meanings, Rows, keep_first};
pub use self::run::{Element, Judged, Registers};

use self::flattening::Flattened;
use self::meaning::Known;
use self::two_operand::Form;
use self::values::Values;
use crate::expr::{CollectVec, Comparison, ExprId, Function, Graph, Number, Part, SymbolId};

/// A value of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(u32);

impl ValueId {
    /// Position in [`Program::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The value at a position.
    pub(crate) fn at(index: usize) -> ValueId {
        ValueId(index as u32)
    }
}

/// An operation on earlier values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The operations are what their names say.
pub enum Op {
    Input(SymbolId),
    Number(Number),
    Boolean(bool),
    Add(ValueId, ValueId),
    Sub(ValueId, ValueId),
    Mul(ValueId, ValueId),
    Div(ValueId, ValueId),
    Recip(ValueId),
    Neg(ValueId),
    Call(Function, Box<[ValueId]>),
    Compare(Comparison, ValueId, ValueId),
    And(ValueId, ValueId),
    Or(ValueId, ValueId),
    Not(ValueId),
    Select(ValueId, ValueId, ValueId),
}

impl Op {
    /// Calls `visit` for every operand, left to right.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ValueId)) {
        match self {
            Op::Input(_) | Op::Number(_) | Op::Boolean(_) => {}
            Op::Recip(a) | Op::Neg(a) | Op::Not(a) => visit(*a),
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) | Op::Div(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Compare(_, a, b) | Op::And(a, b) | Op::Or(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Call(_, operands) => operands.iter().for_each(|&operand| visit(operand)),
            Op::Select(condition, then, otherwise) => {
                visit(*condition);
                visit(*then);
                visit(*otherwise);
            }
        }
    }

    /// The operation with its operands replaced.
    pub(crate) fn on(&self, mut of: impl FnMut(ValueId) -> ValueId) -> Op {
        match self {
            Op::Input(_) | Op::Number(_) | Op::Boolean(_) => self.clone(),
            Op::Recip(a) => Op::Recip(of(*a)),
            Op::Neg(a) => Op::Neg(of(*a)),
            Op::Not(a) => Op::Not(of(*a)),
            Op::Add(a, b) => Op::Add(of(*a), of(*b)),
            Op::Sub(a, b) => Op::Sub(of(*a), of(*b)),
            Op::Mul(a, b) => Op::Mul(of(*a), of(*b)),
            Op::Div(a, b) => Op::Div(of(*a), of(*b)),
            Op::And(a, b) => Op::And(of(*a), of(*b)),
            Op::Or(a, b) => Op::Or(of(*a), of(*b)),
            Op::Compare(comparison, a, b) => Op::Compare(*comparison, of(*a), of(*b)),
            Op::Call(function, all) => Op::Call(*function, all.iter().map(|&it| of(it)).collect()),
            Op::Select(condition, a, b) => Op::Select(of(*condition), of(*a), of(*b)),
        }
    }

    /// True for a leaf or a constant, which cost no operation.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Op::Input(_) | Op::Number(_) | Op::Boolean(_))
    }
}

/// A value with a sign that its user may absorb.
#[derive(Clone, Copy, Debug)]
struct Signed {
    negative: bool,
    value: ValueId,
}

/// Names of expressions.
#[derive(Clone, Copy, Default)]
struct Names<'a> {
    /// User's names. Their expressions are never merged into others, so the names appear in the program.
    own: &'a [(ExprId, String)],
    /// Names for values that a program binds anyway.
    meanings: &'a [(ExprId, Meaning)],
}

impl<'a> Names<'a> {
    fn own(own: &'a [(ExprId, String)]) -> Names<'a> {
        Names { own, meanings: &[] }
    }
}

/// A result or a check that a program must compute, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root<Id = ExprId> {
    /// An output.
    Output(Id),
    /// An intermediate result, computed before the later roots.
    Early(Id),
    /// Leave with an error unless a pivot is positive.
    Guard(Guard<Id>),
}

/// A pivot that must be positive, relative to the diagonal entry that it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard<Id> {
    /// The constraint row.
    pub row: usize,
    /// The pivot; with a `partner`, their product.
    pub pivot: Id,
    /// The entry before elimination.
    pub diagonal: Id,
    /// The positive pivot of the row that is eliminated together with this one.
    pub partner: Option<Id>,
}

impl<Id> Guard<Id> {
    pub(crate) fn map<To>(self, mut map: impl FnMut(Id) -> To) -> Guard<To> {
        Guard {
            row: self.row,
            pivot: map(self.pivot),
            diagonal: map(self.diagonal),
            partner: self.partner.map(map),
        }
    }

    /// All values that the guard compares.
    pub(crate) fn values(self) -> impl Iterator<Item = Id> {
        [self.pivot, self.diagonal].into_iter().chain(self.partner)
    }
}

impl<Id> Root<Id> {
    /// The root with its expressions replaced.
    pub(crate) fn mapped<To>(self, map: impl Fn(Id) -> To) -> Root<To> {
        match self {
            Root::Output(output) => Root::Output(map(output)),
            Root::Early(part) => Root::Early(map(part)),
            Root::Guard(guard) => Root::Guard(guard.map(map)),
        }
    }

    /// All expressions that the root needs.
    pub(crate) fn values(self) -> impl Iterator<Item = Id> {
        let (plain, guard) = match self {
            Root::Output(output) | Root::Early(output) => (Some(output), None),
            Root::Guard(guard) => (None, Some(guard)),
        };
        plain
            .into_iter()
            .chain(guard.into_iter().flat_map(Guard::values))
    }
}

/// One line of a program.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let name = …;`
    Let {
        /// The computed value.
        value: ValueId,
        /// The name that it is bound to.
        name: String,
    },
    /// `let (sine, cosine) = argument.sin_cos();`
    SinCos {
        /// sin(argument) and its name.
        sine: (ValueId, String),
        /// cos(argument) and its name.
        cosine: (ValueId, String),
        /// The angle.
        argument: ValueId,
    },
    /// Leave with an error unless the pivot is positive.
    Guard(Guard<ValueId>),
}

impl Statement {
    /// The value that it computes or checks; the sine of a pair.
    pub fn value(&self) -> ValueId {
        match self {
            Statement::Let { value, .. } => *value,
            Statement::SinCos { sine, .. } => sine.0,
            Statement::Guard(guard) => guard.pivot,
        }
    }
}

/// Straight-line code: values, the statements that bind some of them to names, and the outputs.
///
/// Invariant: operands come before their users; every value that is not a leaf and not bound by a statement
/// is used exactly once and written inside its user.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All values.
    pub values: Vec<Op>,
    /// In the order of execution.
    pub statements: Vec<Statement>,
    /// The results, one per [`Root::Output`].
    pub outputs: Vec<ValueId>,
    /// The leaves that the program reads, each once.
    pub inputs: Vec<SymbolId>,
    /// The cost of one run.
    pub count: OperationCount,
    /// Headings for readers; empty unless requested.
    pub headings: Vec<Heading>,
    meanings: Known,
}

/// A heading between statements.
#[derive(Clone, Debug)]
pub struct Heading {
    /// Index of the statement below it; the returned values come after all statements.
    pub before: usize,
    /// `J M⁻¹ Jᵀ: entries and pivots`
    pub text: String,
}

impl Program {
    /// The meaning of a value or its negative in the derivation, if known.
    pub fn meaning(&self, value: ValueId) -> Option<Meaning> {
        self.meanings.get(value)
    }

    /// Estimated time of the whole program.
    pub fn weight(&self) -> u32 {
        self.count.weight()
    }

    /// True if an output needs only one of sine and cosine of an angle, and the program needs both.
    pub fn parts_sine_and_cosine(&self, output: usize) -> bool {
        let needed = self.needed_for([output]);
        self.statements.iter().any(|statement| match statement {
            Statement::SinCos { sine, cosine, .. } => {
                needed[sine.0.index()] != needed[cosine.0.index()]
            }
            _ => false,
        })
    }

    /// For every value: true if these outputs need it.
    pub fn needed_for(&self, outputs: impl IntoIterator<Item = usize>) -> Vec<bool> {
        self.needed(outputs.into_iter().map(|i| self.outputs[i]).collect_vec())
    }

    /// For every value: true if it depends on one of these leaves.
    pub fn depends_on(&self, leaf: impl Fn(SymbolId) -> bool) -> Vec<bool> {
        let mut depends_on = vec![false; self.values.len()];
        // Operands come before their users.
        for (i, op) in self.values.iter().enumerate() {
            let mut found = matches!(op, Op::Input(symbol) if leaf(*symbol));
            op.for_each_operand(|operand| found |= depends_on[operand.index()]);
            depends_on[i] = found;
        }
        depends_on
    }

    /// For every value: true if the roots need it.
    fn needed(&self, roots: Vec<ValueId>) -> Vec<bool> {
        let mut needed = vec![false; self.values.len()];
        let mut stack = roots;
        while let Some(value) = stack.pop() {
            if !std::mem::replace(&mut needed[value.index()], true) {
                self.values[value.index()].for_each_operand(|operand| stack.push(operand));
            }
        }
        needed
    }
}

/// Estimated times relative to an addition; a multiplication takes as long as an addition.
const DIVISION: u32 = 4;
const ROOT: u32 = 5;
const CALL: u32 = 20;

/// Number of floating-point operations of a program; sign changes and selections are free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are the operations of their names.
pub struct OperationCount {
    pub add: u32,
    pub sub: u32,
    pub mul: u32,
    pub div: u32,
    pub sqrt: u32,
    /// All other functions; sine and cosine of one angle are one call.
    pub call: u32,
}

impl OperationCount {
    /// The count of each kind.
    pub fn kinds(self) -> [(u32, &'static str); 6] {
        [
            (self.add, "add"),
            (self.sub, "sub"),
            (self.mul, "mul"),
            (self.div, "div"),
            (self.sqrt, "sqrt"),
            (self.call, "call"),
        ]
    }

    /// All operations.
    pub fn total(self) -> u32 {
        self.kinds().iter().map(|(n, _)| n).sum()
    }

    /// The operations of this number of rounds.
    pub fn times(self, rounds: usize) -> OperationCount {
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        let all = |count: u32| count.saturating_mul(rounds);
        OperationCount {
            add: all(self.add),
            sub: all(self.sub),
            mul: all(self.mul),
            div: all(self.div),
            sqrt: all(self.sqrt),
            call: all(self.call),
        }
    }

    /// Estimated time, relative to an addition.
    pub fn weight(self) -> u32 {
        self.add + self.sub + self.mul + DIVISION * self.div + ROOT * self.sqrt + CALL * self.call
    }
}

impl std::ops::Add for OperationCount {
    type Output = OperationCount;

    fn add(self, other: OperationCount) -> OperationCount {
        OperationCount {
            add: self.add + other.add,
            sub: self.sub + other.sub,
            mul: self.mul + other.mul,
            div: self.div + other.div,
            sqrt: self.sqrt + other.sqrt,
            call: self.call + other.call,
        }
    }
}

/// `8 operations: 3 add, 4 mul, 1 div`
impl std::fmt::Display for OperationCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut before = match self.total() {
            0 => return f.write_str("no operations"),
            1 => "1 operation: ".to_owned(),
            total => format!("{total} operations: "),
        };
        for (n, kind) in self.kinds().into_iter().filter(|(n, _)| *n > 0) {
            write!(f, "{before}{n} {kind}")?;
            before = ", ".to_owned();
        }
        Ok(())
    }
}

/// Above this number of operands the plain form is used: the derivation itself has already shared common products, and
/// the search for more would take longer than rustc.
const SEARCH_LIMIT: usize = 30_000;

/// A form is dropped if its plain lowering costs more than the cheapest plain lowering by over one part in this number:
/// on the curves of this repository, no form that started a tenth above the cheapest became the cheapest.
const HOPELESS: u32 = 4;

/// Turns the roots into the cheapest program among the known forms.
///
/// `names` are the user's names for expressions; they are kept if the expression is.
pub fn schedule(
    graph: &Graph,
    roots: &[Root],
    names: &[(ExprId, String)],
    symbol_name: &dyn Fn(SymbolId) -> String,
) -> Program {
    let values = lowered(graph, roots, Names::own(names));
    statements::arrange(values, Meanings::NONE.rows, symbol_name)
}

/// The cost of the cheapest program that [`schedule()`] finds; used to choose among expressions.
pub fn count(graph: &Graph, roots: &[Root]) -> OperationCount {
    lowered(graph, roots, Names::default()).count
}

/// The cheapest values among the known forms.
fn lowered(graph: &Graph, roots: &[Root], names: Names<'_>) -> Values {
    let expressions = roots.iter().flat_map(|root| root.values());
    if let Some(part) = Part::of(graph, expressions) {
        let roots = roots.iter().map(|root| root.mapped(|id| part.place(id)));
        let roots: Vec<Root> = roots.collect_vec();
        let (own, meanings) = (part.names(names.own), part.names(names.meanings));
        let names = Names {
            own: &own,
            meanings: &meanings,
        };
        return lowered(&part.graph, &roots, names);
    }
    let flattened = Flattened::new(graph, roots, names);
    let plain = Form::new(&flattened, roots, names);
    if flattened.operands() > SEARCH_LIMIT {
        return plain.values;
    }
    if let Some(it) = factor::factor(&flattened, roots, names) {
        let flattened = Flattened::new(&it.graph, &it.roots, it.names());
        let factored = Form::new(&flattened, &it.roots, it.names());
        if factored.values.weight() < plain.values.weight() {
            return factored.cheaper();
        }
    }
    plain.cheaper()
}

/// The cheapest program among several forms of the same roots, each in all known lowerings; ties go to the first. An
/// output for which `optional` holds has half its weight.
pub fn cheapest_of(
    graph: &Graph,
    forms: &[Vec<Root>],
    names: &[(ExprId, String)],
    symbol_name: &dyn Fn(SymbolId) -> String,
    optional: &[bool],
) -> Program {
    let cost = |values: &Values| values.weight() + values.weight_without(optional);
    let names = Names::own(names);
    let flattenings = forms
        .iter()
        .map(|roots| Flattened::new(graph, roots, names));
    let flattenings: Vec<Flattened<'_>> = flattenings.collect_vec();
    let plain = forms.iter().zip(&flattenings);
    let plain: Vec<Form<'_>> = plain
        .map(|(roots, flattened)| Form::new(flattened, roots, names))
        .collect_vec();
    let least = plain.iter().map(|form| cost(&form.values)).min();
    let most = least.map_or(0, |least| least + least / HOPELESS);
    let hopeful = plain.into_iter().filter(|form| cost(&form.values) <= most);
    let cheapest = hopeful.flat_map(Form::all).min_by_key(cost);
    statements::arrange(
        cheapest.unwrap_or_default(),
        Meanings::NONE.rows,
        symbol_name,
    )
}

/// The programs of all known forms; the plain one first.
pub fn candidates(
    graph: &Graph,
    roots: &[Root],
    names: &[(ExprId, String)],
    symbol_name: &dyn Fn(SymbolId) -> String,
) -> Vec<Program> {
    let names = Names::own(names);
    let flattened = Flattened::new(graph, roots, names);
    let forms = Form::new(&flattened, roots, names).all().into_iter();
    let programs =
        forms.map(|values| statements::arrange(values, Meanings::NONE.rows, symbol_name));
    programs.collect_vec()
}

/// The program of the form whose [`schedule()`] costs least, each form with its own names; ties go to the first.
/// `meanings` name further values.
pub fn cheapest(
    graph: &Graph,
    forms: impl IntoIterator<Item = (Vec<Root>, Vec<(ExprId, String)>)>,
    meanings: Meanings<'_>,
    symbol_name: &dyn Fn(SymbolId) -> String,
) -> Program {
    let forms = forms.into_iter();
    let cheapest = forms
        .map(|(roots, own)| {
            let names = Names {
                own: &own,
                meanings: meanings.of,
            };
            lowered(graph, &roots, names)
        })
        .min_by_key(Values::weight);
    statements::arrange(cheapest.unwrap_or_default(), meanings.rows, symbol_name)
}
