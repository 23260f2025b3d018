//! A certificate of what is generated: the programs as they are scheduled, run at random points of the field of
//! p = 2⁶¹ − 1 elements and compared with the equations as they were written.
//!
//! Input: the syntax tree and the listed [`Function`]s. Output: a [`Certificate`] that tells which of them agree, or the
//! one that does not. The equations are read anew from the tree, as power series in time (`series`): C, Ċ and β are
//! their coefficients, J and J̇ those along a random direction, and λ and f̂ follow by Gauss's elimination. Nothing of the
//! graph, its derivatives, the elimination or the scheduling is used.
//!
//! A program that is a quotient of polynomials of degree d, and wrong, agrees by chance at one point with a probability of
//! d/p at most (Schwartz and Zippel). Here d is the degree of the difference of the two, some hundreds for a chain of 64
//! links, so that one point says as much as is needed: 10⁻¹⁶. Roots and angles are elements with r² = s and c² + s² = 1;
//! other functions are values without a meaning, of which only the derivatives are known. Numbers x + i y, i² = −1, have
//! all roots of numbers without i, however many rods a chain has.
//!
//! Where values are chosen (`choices`), the answers to what the text asks are such that it goes all its ways, one after the
//! other. Which way a comparison goes depends on the difference of its sides alone, and programs must ask for differences
//! that the text asks for: then a point on each way is enough; else there are 112 points. Of texts with more than 32 ways
//! 32 are gone. Of constraints, where nothing but conditions chooses, the branches of the text and the conditions of a
//! program fix which fractions are compared: where both are as at a point before, the conditions alone are computed.
//!
//! Of systems (`system`) v̇ and λ are looked at by what they have to satisfy, one statement after the other, so that the
//! cost is that of reading the text: M v̇ − h − Jᵀ λ = 0 along a random direction, by d'Alembert's principle, and
//! J v̇ + β = 0. Functions in loops are run with their loops.
//!
//! Derivatives are looked at by functions that are right at the point, and so are those that the equations define: run
//! with numbers x + ε x′ (`number`), they tell what changes along a random tangent. That is what `jvp` finds, what the
//! matrices of `linearize` find with it, and its product with what gradients count is that of `vjp` with the tangent; of
//! outputs, of corrections and of forces too. Descriptor pairs are looked at by M a − h, Ċ and C, at any v̇ and λ.
//!
//! # What is not covered
//!
//! - Rounding, and the guards of pivots: the field has neither size nor order.
//! - What holds rounded constants: e, logarithms to the bases 2 and 10, numbers of more digits than 128 bits have, and
//!   functions of numbers, such as ∛2 or sin(1), which are rounded while the program is made. Roots, π and the sines of
//!   parts of a turn are exact; but sums of several of these, such as 1 + √2, are rounded too.
//! - Splines: their pieces are rounded.
//! - Texts that choose by what is made of numbers alone, or take functions of it, unless these are fractions whose numerator
//!   and denominator have a product up to 2¹⁹, or the functions roots of such and sines of parts of a turn: the field knows
//!   neither the size of other numbers nor that `TAU > 6`. A function that differs from such a text is not refused, but
//!   nothing is certified. Which way leaves compare with any number (`x > PI`, `abs(x - sqrt(2))`) is gone through as all
//!   ways are.
//! - Where no derivatives are asked for, corrections and projections, M a alone (`mass_times`) and the motion without
//!   constraints (`free_acceleration`), which take runs of several functions.
//! - q̇ and v̇ in the bodies' own frames, sizes of rows, and on which piece of a curve one is: nothing but the functions
//!   above is asked of the text.
//! - V where inputs make the gravity, since it is not known what of it is meant to be stored.
//! - What is solved for at run time: panels, and rows that follow from each other.
//! - Corners, where no derivative exists.
//! - In loops outputs, and matrices of more than 65,536 entries.
//! - Expressions deeper than 100, functions that are called included: a small stack must be enough. Nothing at all of the
//!   call is certified then.

mod bodies;
mod checked;
mod choices;
mod constraint;
mod curve;
mod field;
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
use crate::expr::Mixer;
use crate::function::Function;
use crate::function::system::documented;
use crate::model::Model;

/// So many points where not all ways are ever gone.
const POINTS_OF_CHOICES: usize = 32;
/// So many where values are chosen by signs that the text does not ask for: of three conditions, a wrong one that shows on one
/// of eight ways alone passes with (7/8)¹¹² < 10⁻⁶.
const POINTS_OF_OWN_SIGNS: usize = 112;
/// So many points are tried before it is given up.
const MOST_TRIES: u64 = 256;
/// A program that has no value at any of so many points where it should have one, for want of roots, or always the other
/// sign, is wrong.
const MOST_ROOTS: usize = 16;

/// What has been compared, and agrees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The names of the functions, in the order of their list.
    pub functions: Vec<&'static str>,
    /// At how many points.
    pub points: usize,
}

/// A function that does not compute what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refuted {
    /// Its name.
    pub function: &'static str,
}

impl Refuted {
    /// What the user reads.
    pub fn diagnostic(&self) -> Diagnostic {
        catalogue::refuted(SourceRange::call_site(), self.function)
    }
}

impl Certificate {
    /// What the documentation says: what is covered, by symbols and then by the names of functions, and what is not.
    pub fn in_words(&self, functions: &[Function<'_>]) -> Option<String> {
        let (mut symbols, mut named, mut left) = (Vec::new(), String::new(), String::new());
        for function in functions {
            let (name, symbol) = (function.signature.name, function.symbol);
            if !self.functions.contains(&name) {
                push(&mut left, name);
            } else if !symbol.contains(", ") && !symbol.ends_with("at once") {
                if !symbols.contains(&symbol) {
                    symbols.push(symbol);
                }
            } else if !symbol.ends_with("at once")
                && symbol.split(", ").any(|it| !symbols.contains(&it))
            {
                push(&mut named, name);
            }
        }
        let covered = symbols.join(", ") + &named;
        let covered = covered.trim_start_matches(", ");
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
        if let Some(left) = left.get(2..) {
            words = format!("{words} Not certified: {left}.");
        }
        (!words.is_empty()).then_some(words)
    }
}

/// Appends the name of a function.
fn push(said: &mut String, name: &'static str) {
    said.push_str(", `");
    said.push_str(documented(name));
    said.push('`');
}

/// Where points begin, by what the model is called and how large it is.
fn seed(model: &Model) -> u64 {
    let mut hash = Mixer::default();
    for symbol in &model.symbols {
        symbol.name.hash(&mut hash);
    }
    model.graph.len().hash(&mut hash);
    hash.finish()
}
