//! Certificates by polynomial identity testing: the scheduled programs of generated functions are run at random points
//! of a finite field, modulo p = 2⁶¹ − 1, and their results compared with the equations as the user wrote them (the
//! text).
//!
//! Input: the syntax tree and the listed [`Function`]s. Output: a [`Certificate`] with the functions that agree, or the
//! one that does not. The equations are read a second time from the tree, as power series in time (`series`): C, Ċ and
//! β are their coefficients, J and J̇ those along a random direction, and λ and f̂ follow by Gaussian elimination. The
//! graph, its derivatives, the elimination and the scheduling are not used.
//!
//! If a wrong program and the equations differ by a quotient of polynomials of degree d, they agree at a random point
//! with probability d/p at most (Schwartz and Zippel). For a chain of 64 links d is some hundreds, so that one point
//! suffices: 10⁻¹⁶. Roots and angles are elements with r² = s and c² + s² = 1; other functions have arbitrary values,
//! and only their derivatives are known. In numbers x + i y, i² = −1, every number without i has a root, so that a
//! point has all lengths of a chain, however many rods it has.
//!
//! Choices (`choices`): the field has no order, so the sign of a difference is an arbitrary answer, and the answers to
//! the comparisons of the text form a path through it. Answers are chosen such that one path after the other is
//! visited. An answer depends only on the difference of both sides. If programs compare only differences that the text
//! compares, one point on each path suffices, otherwise there are 112 points. Of texts with more than 32 paths, 32 are
//! visited. In constraints whose only choices are conditions, the branches of the text and the conditions of a program
//! determine the fractions to compare: if both are as at an earlier point, only the conditions are computed.
//!
//! Systems (`system`): v̇ and λ are verified by the equations that they solve, statement by statement, at the cost of
//! reading the text once: M v̇ − h − Jᵀ λ = 0 along a random direction, by d'Alembert's principle, and J v̇ + β = 0.
//! Functions in loops are run with their loops.
//!
//! Derivatives are verified by functions that agree with the equations at the point and hence are the functions that
//! these define. Run over dual numbers x + ε x′ (`number`), they yield the change along a random tangent. `jvp` must
//! return this change, the matrices of `linearize` must map the tangent to it, and the gradient of `vjp` times the
//! tangent must equal the adjoints times the change; likewise for outputs, corrections and forces. Descriptor pairs are
//! verified by M a − h, Ċ and C, at arbitrary v̇ and λ.
//!
//! # What is not covered
//!
//! - Rounding, and the guards of pivots: the field has neither size nor order.
//! - Expressions with rounded constants: e, logarithms to the bases 2 and 10, decimals with more digits than 128 bits
//!   have, and functions of numbers, such as ∛2 or sin(1), which are rounded at expansion. Sums and products of exact
//!   numbers that need more digits are rounded, too, but their exact values in the field are known. Roots, π and the sines of
//!   fractions of a turn are exact, but sums of several of these, such as 1 + √2, are rounded too.
//! - Splines, because their pieces are rounded.
//! - Texts that compare numbers without leaves, or take functions of them. Exceptions are fractions whose numerator
//!   times denominator is at most 2¹⁹, roots of these, and sines of fractions of a turn: the field knows neither the
//!   size of other numbers nor that `TAU > 6`. A function that differs from such a text is not refused, but nothing is
//!   certified. Comparisons of leaves with any number (`x > PI`, `abs(x - sqrt(2))`) are covered, since both answers are
//!   visited.
//! - q̇ and v̇ in the bodies' own frames, sizes of rows, and the number of the piece of a curve.
//! - V if inputs contribute to gravity, because its intended value is not known.
//! - Solutions at run time of rows that may be redundant.
//! - Corners, where no derivative exists.
//! - Outputs in loops, and matrices of more than 65,536 entries.
//! - Expressions nested deeper than 100, including called functions, because a small stack must suffice. Then nothing
//!   of the call is certified.

mod bodies;
mod checked;
mod choices;
mod constraint;
mod curve;
mod linear;
mod loops;
mod number;
mod point;
mod programs;
mod series;
mod system;
mod tree;

pub use self::constraint::constraint;
pub use self::curve::curve;
pub use self::system::system;

use std::hash::{Hash, Hasher};

use crate::diagnostic::{Diagnostic, SourceRange, catalogue};
use crate::expr::{CollectVec, Mixer, field};
use crate::function::Function;
use crate::function::system::documented;
use crate::model::Model;
use crate::panicked::REPOSITORY;

/// Number of points if some paths are never visited.
const POINTS_OF_CHOICES: usize = 32;
/// Number of points if values depend on signs that the text does not determine: for three conditions, a fault that
/// shows on one of eight paths only remains undetected with probability (7/8)¹¹² < 10⁻⁶.
const POINTS_OF_OWN_SIGNS: usize = 112;
/// Number of points after which the search ends.
const MOST_TRIES: u64 = 256;
/// A program is wrong if at this number of points it has no value where the equations have one, for lack of roots, or
/// always the opposite sign.
const MOST_ROOTS: usize = 16;

/// The functions that agree with the equations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The names of the functions, in the order of their list.
    pub functions: Vec<&'static str>,
    /// Number of points compared.
    pub points: usize,
    /// All others, and why they are not compared.
    pub left: Vec<(&'static str, Gap)>,
}

/// Why a function is not certified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// A constant that is rounded at expansion.
    Rounded,
    /// A spline, whose pieces are rounded.
    Spline,
    /// Order or functions of numbers that the field does not know.
    Numbers,
    /// Expressions nested too deeply.
    Deep,
    /// Exponents next to steps.
    Steps,
    /// Rows that may be redundant are solved for at run time.
    RunTime,
    /// A matrix with too many entries.
    Large,
    /// V with gravity that depends on inputs.
    Gravity,
    /// Outputs in loops, which are computed from v̇ and λ.
    Loops,
    /// The text determines no value: frames of bodies, sizes of rows, numbers of pieces, M⁻¹ of coordinates without mass.
    Unknown,
    /// Values are never found on enough paths.
    Points,
    /// A form of the text that is not read.
    Unread,
}

impl Gap {
    /// All reasons.
    pub const ALL: [Gap; 12] = [
        Gap::Rounded,
        Gap::Spline,
        Gap::Numbers,
        Gap::Deep,
        Gap::Steps,
        Gap::RunTime,
        Gap::Large,
        Gap::Gravity,
        Gap::Loops,
        Gap::Unknown,
        Gap::Points,
        Gap::Unread,
    ];

    /// The reason in words, after the functions.
    pub fn in_words(self) -> &'static str {
        match self {
            Gap::Rounded => "a constant is rounded",
            Gap::Spline => "the pieces of a spline are rounded",
            Gap::Numbers => "the order or a function of numbers is not known in the field",
            Gap::Deep => "an expression is nested deeper than 100",
            Gap::Steps => "an exponential stands next to `floor`",
            Gap::RunTime => "rows that may be redundant are solved for at run time",
            Gap::Large => "the matrix has more than 65,536 entries",
            Gap::Gravity => "gravity depends on inputs",
            Gap::Loops => "outputs in loops are computed from the solution",
            Gap::Unknown => "the equations do not determine it",
            Gap::Points => "too few points have a value",
            Gap::Unread => "the text is not read",
        }
    }
}

/// A function that differs from the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// Its name.
    pub function: &'static str,
}

impl Refuted {
    /// The message for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        catalogue::refuted(SourceRange::call_site(), self.function, REPOSITORY)
    }
}

impl Certificate {
    /// One of no function, for one reason.
    fn without(functions: &[Function<'_>], gap: Gap) -> Certificate {
        let left = functions.iter().map(|it| (it.signature.name, gap));
        Certificate {
            left: left.collect_vec(),
            ..Certificate::default()
        }
    }

    /// The sentences for the documentation: covered quantities by symbols, then by function names, and those not
    /// covered with the reason.
    pub fn in_words(&self, functions: &[Function<'_>]) -> Option<String> {
        let covered = self.covered(functions);
        let mut words = String::new();
        if !covered.is_empty() {
            let points = match self.points {
                1 => "a random point".to_owned(),
                many => format!("{many} random points"),
            };
            words = format!(
                " Certificate: at {points} modulo 2⁶¹ − 1, these functions agree with the equations: {covered}. \
                 Rounding and guards of pivots are not covered."
            );
        }
        for gap in Gap::ALL {
            let mut left = String::new();
            let named = |name: &str| functions.iter().any(|it| it.signature.name == name);
            let own = self.left.iter().filter(|it| it.1 == gap && named(it.0));
            own.for_each(|it| push(&mut left, it.0));
            if let Some(left) = left.get(2..) {
                words = format!("{words} Not certified, because {}: {left}.", gap.in_words());
            }
        }
        (!words.is_empty()).then_some(words)
    }

    fn covered(&self, functions: &[Function<'_>]) -> String {
        let (mut symbols, mut named) = (Vec::new(), String::new());
        let is_covered = |it: &&Function<'_>| self.functions.contains(&it.signature.name);
        for function in functions.iter().filter(is_covered) {
            let (name, symbol) = (function.signature.name, function.symbol);
            let at_once = symbol.ends_with("at once");
            if !symbol.contains(", ") && !at_once {
                if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
            } else if !at_once && symbol.split(", ").any(|it| !symbols.contains(&it)) {
                push(&mut named, name);
            }
        }
        let covered = symbols.join(", ") + &named;
        covered.trim_start_matches(", ").to_owned()
    }
}

/// Appends the name of a function.
fn push(words: &mut String, name: &'static str) {
    words.push_str(", `");
    words.push_str(documented(name));
    words.push('`');
}

/// The seed of the points, from the names in the model and its size.
fn seed(model: &Model) -> u64 {
    let mut hash = Mixer::default();
    for symbol in &model.symbols {
        symbol.name.hash(&mut hash);
    }
    model.graph.len().hash(&mut hash);
    hash.finish()
}
