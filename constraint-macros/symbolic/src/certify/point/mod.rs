//! A point at which programs and equations are compared: random leaves, and values of functions.
//!
//! Equal arguments have equal values. Roots and sines satisfy the identities that simplification may use:
//! √u² = u, sin² + cos² = 1, the addition theorems, also that of the exponential function, and the definitions of sinh,
//! cosh and tanh. For other functions only the derivatives are known.

mod exponentials;
mod jet;
mod roots;
mod signs;
mod turns;

pub use self::jet::Jet;
use self::turns::part_of_turn;
use super::Gap;
use super::choices::Paths;
use super::field::Residue;
use crate::expr::{CollectVec, Comparison, Function, Map, Number, Parity};

/// The reason why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A division by 0.
    Zero,
    /// A root of an element without roots: another point may have one.
    Root,
    /// Something that cannot be compared.
    Uncovered(Gap),
}

impl Stop {
    /// A form of the text without a meaning here; no valid text has one.
    pub const UNREAD: Stop = Stop::Uncovered(Gap::Unread);

    /// True if there is no value at any point.
    pub fn is_final(self) -> bool {
        matches!(self, Stop::Uncovered(_))
    }
}

/// A question of the text to the field. For some numbers only, the field's answer is the true one.
#[derive(Clone, Debug, PartialEq)]
enum Question {
    /// The order of two numbers.
    Order(Residue, Residue),
    /// The value of a function.
    Value(Function, Vec<Residue>),
}

impl Question {
    /// True if the answer is right for constants: they must be so small that no larger ones have the same residue.
    fn is_known_of_numbers(&self) -> bool {
        let all_are_tiny = |them: &[Residue]| them.iter().all(|it| it.is_tiny_fraction());
        match self {
            Question::Order(a, b) => all_are_tiny(&[*a, *b]),
            Question::Value(Function::Sqrt, u) => all_are_tiny(u),
            Question::Value(Function::Sin, u) => part_of_turn(u[0]).is_some(),
            Question::Value(function, u) => all_are_tiny(u) && exact(*function, u).is_some(),
        }
    }
}

/// The functions, and the answers to comparisons, at a point.
#[derive(Debug)]
pub struct Point {
    seed: u64,
    drawn: u64,
    /// True if new roots are compared with known ones.
    pub compares_roots: bool,
    /// Radicands and their roots.
    roots: Map<Residue, Residue>,
    radicands: Vec<Residue>,
    /// Angles with their cosines and sines.
    turns: Map<Residue, [Residue; 2]>,
    angles: Vec<Residue>,
    /// Exponents with their powers of e.
    exponentials: Map<Residue, Residue>,
    /// A quarter of each exponent that is no sum of others, and its power.
    exponents: Vec<(Residue, Residue)>,
    /// True if a program has steps (`floor`) that the text does not have.
    is_stepped: bool,
    /// Bases, exponents and powers.
    powers: Vec<[Residue; 3]>,
    /// True while the text is read, false while programs run.
    pub reads_text: bool,
    /// Differences whose signs the text has compared, and for each whether it is negative, in order.
    differences: Vec<Residue>,
    pub answers: Vec<bool>,
    /// Numbers whose squares have been raised to powers before anything asked for their signs, in the lower half.
    supposed: Vec<Residue>,
    /// Other differences that programs compare: whether each is negative, and whether it is a small fraction.
    program_signs: Vec<(Residue, bool, bool)>,
    /// All questions of the text.
    questions: Vec<Question>,
    /// The branches that the text takes, one choice after the other.
    pub taken: Vec<bool>,
    /// True if a sign is used other than in a condition.
    pub bends: bool,
    /// True if a program has compared a difference that the text does not compare.
    pub exceeds_text: bool,
    /// The paths of the text that have been visited.
    visited: Paths,
}

/// The finalizer of Steele, Lea and Flood's SplitMix64.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Point {
    /// The point of a seed, on a path not in `visited` if there is one.
    pub fn new(seed: u64, visited: Paths) -> Point {
        Point {
            seed: mixed(seed),
            drawn: 0,
            compares_roots: true,
            roots: Map::default(),
            radicands: Vec::new(),
            turns: Map::default(),
            angles: Vec::new(),
            exponentials: Map::default(),
            exponents: Vec::new(),
            is_stepped: false,
            powers: Vec::new(),
            reads_text: true,
            differences: Vec::new(),
            answers: Vec::new(),
            supposed: Vec::new(),
            program_signs: Vec::new(),
            questions: Vec::new(),
            taken: Vec::new(),
            bends: false,
            exceeds_text: false,
            visited,
        }
    }

    /// The next random element.
    pub fn draw(&mut self) -> Residue {
        self.drawn = self.drawn.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Residue::of_bits(mixed(self.seed ^ mixed(self.drawn)))
    }

    /// The next `count` random elements.
    pub fn draws(&mut self, count: usize) -> Vec<Residue> {
        (0..count).map(|_| self.draw()).collect_vec()
    }

    /// f(arguments)
    pub fn value(&mut self, function: Function, arguments: &[Residue]) -> Result<Residue, Stop> {
        match (function, arguments) {
            (Function::Sqrt, &[u]) => self.root(u),
            (Function::Hypot, &[a, b]) => self.root(a * a + b * b),
            (Function::Sin, &[u]) => Ok(self.turn(u)[1]),
            (Function::Cos, &[u]) => Ok(self.turn(u)[0]),
            (Function::Exp, &[u]) => self.exponential(u),
            (Function::Floor, &[u]) => Ok(self.step(u)),
            (Function::Powf, &[base, exponent]) => self.power(base, exponent),
            (Function::Abs, &[u]) => Ok(if self.is_negative(u) { -u } else { u }),
            (Function::Signum, &[u]) => Ok(self.sign(u)),
            (Function::Min, &[a, b]) => Ok(if self.holds(Comparison::Le, a, b) {
                a
            } else {
                b
            }),
            (Function::Max, &[a, b]) => Ok(if self.holds(Comparison::Ge, a, b) {
                a
            } else {
                b
            }),
            (Function::Sinh | Function::Cosh, &[u]) if exact(function, arguments).is_none() => {
                let growing = self.exponential(u)?;
                let falling = growing.recip().ok_or(Stop::Zero)?;
                let both = match function {
                    Function::Sinh => growing - falling,
                    _ => growing + falling,
                };
                Ok(both * Residue::HALF)
            }
            (Function::Tanh, &[u]) if exact(function, arguments).is_none() => {
                let cosine = self.value(Function::Cosh, &[u])?;
                let inverse = cosine.recip().ok_or(Stop::Zero)?;
                Ok(self.value(Function::Sinh, &[u])? * inverse)
            }
            _ => Ok(self.unknown(function, arguments)),
        }
    }

    /// True if the text, on the same path at another point, asks the same question and the field does not know its
    /// answer. Arguments that do not depend on the point are constants.
    pub fn guesses(&self, other: &Point) -> bool {
        let mut questions = self.questions.iter();
        questions.any(|it| !it.is_known_of_numbers() && other.questions.contains(it))
    }

    fn record_question(&mut self, question: impl FnOnce() -> Question) {
        if self.reads_text {
            self.questions.push(question());
        }
    }

    /// An arbitrary value, always the same for the same arguments, with the parity of the function. For constants the
    /// exact value if there is one; otherwise the constant is rounded at expansion, and a rounded number has no
    /// residue.
    fn unknown(&mut self, function: Function, arguments: &[Residue]) -> Residue {
        self.record_question(|| Question::Value(function, arguments.to_vec()));
        exact(function, arguments).unwrap_or_else(|| self.arbitrary(function, arguments))
    }

    /// A value from the bits of the arguments.
    fn arbitrary(&self, function: Function, arguments: &[Residue]) -> Residue {
        let parity = function.row().parity;
        let turned = arguments[0].is_in_upper_half() && parity != Parity::Neither;
        let first = if turned { -arguments[0] } else { arguments[0] };
        let all = [first].into_iter().chain(arguments[1..].iter().copied());
        let start = mixed(self.seed.wrapping_add(1 + function as u64));
        let bits = all.fold(start, |bits, it| mixed(bits ^ it.bits()));
        let value = Residue::of_bits(bits);
        if turned && parity == Parity::Odd {
            -value
        } else {
            value
        }
    }
}

/// The value of a function of constants, if it is exact.
fn exact(function: Function, arguments: &[Residue]) -> Option<Residue> {
    let (first, others) = arguments.split_first()?;
    let others: Vec<Number> = others
        .iter()
        .map(|it| it.as_fraction())
        .collect::<Option<_>>()?;
    let mut firsts = first.as_numbers();
    firsts.find_map(|first| {
        let numbers = [&[first], &others[..]].concat();
        Residue::of_number(function.of_numbers(&numbers))
    })
}
