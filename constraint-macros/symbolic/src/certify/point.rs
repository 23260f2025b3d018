//! A point at which programs and equations are compared: random leaves, and values of functions.
//!
//! Equal arguments have equal values. Roots and sines satisfy the identities that simplification may use:
//! √u² = u, sin² + cos² = 1, the addition theorems, also that of the exponential function, and the definitions of sinh,
//! cosh and tanh. For other functions only the derivatives are known.

use super::choices::Paths;
use super::field::Residue;
use super::number::Element;
use crate::expr::{Comparison, Function, Map, Number, Parity};

/// The reason why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A division by 0.
    Zero,
    /// A root of an element without roots: another point may have one.
    Root,
    /// Something without a meaning in the field: a rounded constant, or a function that is not known here.
    Uncovered,
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

/// Multiples of quarters of exponents, used in the search for sums.
const QUARTERS: [i64; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24];

/// Above this number of multiples, the search for pairs is skipped.
const MANY_EXPONENTS: usize = 256;

/// f, f′ and f″
pub type Jet<R = Residue> = [R; 3];

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
        (0..count).map(|_| self.draw()).collect()
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

    /// The sign of a number: −u has the opposite sign, small fractions have their own; 0 is not negative.
    fn is_negative(&mut self, u: Residue) -> bool {
        self.bends = true;
        self.record_question(|| Question::Order(u, Residue::ZERO));
        self.is_below(u)
    }

    fn is_below(&mut self, u: Residue) -> bool {
        if let Some(sign) = self.known_sign(u) {
            return sign;
        }
        if let Some(&(_, below, small)) = self.program_sign(u) {
            self.exceeds_text |= !small;
            return below;
        }
        let fraction = u.as_small_fraction();
        let below = match fraction {
            Some((numerator, _)) => numerator < 0,
            None => self.new_answer(u),
        };
        if !self.reads_text {
            self.program_signs.push((u, below, fraction.is_some()));
        }
        below
    }

    /// The sign that a program has compared before.
    fn program_sign(&self, u: Residue) -> Option<&(Residue, bool, bool)> {
        let mut signs = self.program_signs.iter();
        signs.find(|it| it.0 == u)
    }

    /// True if u is negative: always the same answer, random, or for the text such that it follows a new path.
    fn answer(&mut self, u: Residue) -> bool {
        self.known_sign(u).unwrap_or_else(|| self.new_answer(u))
    }

    fn new_answer(&mut self, u: Residue) -> bool {
        let by_chance = u.is_in_upper_half() != self.random_bit(u);
        if !self.reads_text {
            // If the text asks for this sign later, it must get the same answer.
            self.visited = Paths::default();
            self.exceeds_text = true;
            return by_chance;
        }
        let answer = self.visited.answer(&self.answers, by_chance);
        self.differences.push(u);
        self.answers.push(answer);
        answer
    }

    /// The known answer for the sign of u or −u in the text.
    fn known_sign(&self, u: Residue) -> Option<bool> {
        let (opposite, mut place) = (-u, 0);
        while place < self.differences.len() {
            let difference = self.differences[place];
            if difference == u || difference == opposite {
                return Some(self.answers[place] == (difference == u));
            }
            place += 1;
        }
        None
    }

    /// A random bit, the same for u and −u.
    fn random_bit(&self, u: Residue) -> bool {
        mixed(self.seed ^ lower(u).bits()) & 1 == 1
    }

    /// True if the text compares this difference too.
    pub fn knows_sign(&self, u: Residue) -> bool {
        let is_small = self.program_sign(u).map(|it| it.2);
        self.known_sign(u).is_some() || is_small.unwrap_or_else(|| u.as_small_fraction().is_some())
    }

    /// True if the text compares this difference with 0 too.
    pub fn knows_equality(&self, u: Residue) -> bool {
        self.known_sign(lower(u + u)).is_some() || u.as_small_fraction().is_some()
    }

    fn sign(&mut self, u: Residue) -> Residue {
        if self.is_negative(u) {
            -Residue::ONE
        } else {
            Residue::ONE
        }
    }

    /// The result of a comparison that is not a condition.
    pub fn holds(&mut self, comparison: Comparison, a: Residue, b: Residue) -> bool {
        self.bends = true;
        self.compares(comparison, a, b)
    }

    /// The result of a comparison. Small fractions have their order; any other two numbers are less, greater or equal
    /// arbitrarily, so that each branch is visited.
    pub fn compares(&mut self, comparison: Comparison, a: Residue, b: Residue) -> bool {
        let difference = a - b;
        self.record_question(|| Question::Order(a, b));
        self.record_question(|| Question::Order(difference, Residue::ZERO));
        let same = difference.is_zero();
        if comparison == Comparison::Eq {
            let small = difference.as_small_fraction().is_some();
            return same || !small && self.answer(lower(difference + difference));
        }
        let less = self.is_below(difference);
        match comparison {
            Comparison::Lt => less,
            Comparison::Le => less || same,
            Comparison::Gt => !less && !same,
            Comparison::Ge | Comparison::Eq => !less,
        }
    }

    /// An arbitrary value, always the same for the same arguments, with the parity of the function. For constants the
    /// exact value if there is one; otherwise the constant is rounded at expansion, and a rounded number has no
    /// residue.
    fn unknown(&mut self, function: Function, arguments: &[Residue]) -> Residue {
        self.record_question(|| Question::Value(function, arguments.to_vec()));
        if let Some(exact) = exact(function, arguments) {
            return exact;
        }
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

    /// √u, consistent for all radicands that are u times the square of a small fraction.
    pub fn root(&mut self, u: Residue) -> Result<Residue, Stop> {
        self.record_question(|| Question::Value(Function::Sqrt, vec![u]));
        if let Some(&root) = self.roots.get(&u) {
            return Ok(root);
        }
        let (some, inverse) = (u.sqrt().ok_or(Stop::Root)?, u.recip().ok_or(Stop::Zero)?);
        let root = match self.relative_sign(u, some * inverse) {
            Some(false) => -some,
            _ => some,
        };
        self.roots.insert(u, root);
        self.radicands.push(u);
        Ok(root)
    }

    /// The sign of a root relative to the known ones, from the root's inverse; `None` if it is no multiple of any.
    fn relative_sign(&self, radicand: Residue, inverse: Residue) -> Option<bool> {
        let positive = |root: Residue| {
            let ratio = inverse * root;
            if let Some((numerator, _)) = ratio.as_small_fraction() {
                return Some(numerator > 0);
            }
            let opposite = self.is_exponential(-ratio);
            (opposite || self.is_exponential(ratio)).then_some(!opposite)
        };
        let compared = self.radicands.iter().filter(|_| self.compares_roots);
        let known = compared.map(|radicand| self.roots[radicand]);
        let own = || Residue::of_number(radicand.as_fraction()?.sqrt()?);
        known
            .chain([Residue::ONE])
            .find_map(positive)
            .or_else(|| positive(own()?))
    }

    /// True if a number is a known power of e, or the product or quotient of two.
    fn is_exponential(&self, power: Residue) -> bool {
        let known = |wanted: Residue| {
            let mut powers = self.exponentials.values();
            powers.any(|&it| it == wanted || it * wanted == Residue::ONE)
        };
        let mut powers = self.exponentials.values();
        known(power) || powers.any(|&it| known(power * it))
    }

    /// (cos u, sin u)
    pub fn turn(&mut self, u: Residue) -> [Residue; 2] {
        if u.is_zero() {
            return [Residue::ONE, Residue::ZERO];
        }
        if u.is_in_upper_half() {
            let [cosine, sine] = self.turn(-u);
            return [cosine, -sine];
        }
        self.record_question(|| Question::Value(Function::Sin, vec![u]));
        if let Some(&turn) = self.turns.get(&u) {
            return turn;
        }
        let known = part_of_turn(u).or_else(|| self.of_others(u));
        let turn = known.unwrap_or_else(|| self.new_turn(u));
        self.remember(u, turn);
        turn
    }

    fn remember(&mut self, angle: Residue, turn: [Residue; 2]) {
        if self.turns.insert(angle, turn).is_none() {
            self.angles.push(angle);
        }
    }

    /// The known cosine and sine of an angle, possibly from the opposite angle.
    fn known_turn(&self, u: Residue) -> Option<[Residue; 2]> {
        let back = || self.turns.get(&-u).map(|&[c, s]| [c, -s]);
        self.turns
            .get(&u)
            .copied()
            .or_else(back)
            .or_else(|| part_of_turn(u))
    }

    /// Cosine and sine of the sum or the difference of two known angles.
    fn of_others(&self, u: Residue) -> Option<[Residue; 2]> {
        self.angles.iter().find_map(|&a| {
            let of_a = self.turns[&a];
            let [c, s] = of_a;
            let after = || Some(product(of_a, self.known_turn(u - a)?));
            let before = || Some(product([c, -s], self.known_turn(u + a)?));
            after().or_else(before)
        })
    }

    /// eᵘ
    fn exponential(&mut self, u: Residue) -> Result<Residue, Stop> {
        self.record_question(|| Question::Value(Function::Exp, vec![u]));
        if let Some(exact) = exact(Function::Exp, &[u]) {
            return Ok(exact);
        }
        if let Some(known) = self.known_exponential(u) {
            return Ok(known);
        }
        if let Some(power) = self.of_other_exponents(u) {
            self.exponentials.insert(u, power);
            return Ok(power);
        }
        if self.is_stepped {
            // The exponent may be a sum of more terms than the search finds.
            return Err(Stop::Uncovered);
        }
        Ok(self.new_exponential(u))
    }

    /// A random power; those of half and quarter exponents are known then too.
    fn new_exponential(&mut self, u: Residue) -> Residue {
        let power = self.unknown(Function::Exp, &[u]);
        let half = power * power;
        let whole = half * half;
        self.exponentials.insert(u * Residue::HALF, half);
        self.exponentials.insert(u, whole);
        self.exponents
            .push((u * Residue::HALF * Residue::HALF, power));
        whole
    }

    /// The value of a step; its exponential is fixed before those of exponents that contain it.
    fn step(&mut self, u: Residue) -> Residue {
        let step = self.unknown(Function::Floor, &[u]);
        if !self.reads_text && self.known_exponential(step).is_none() {
            self.new_exponential(step);
            self.is_stepped = true;
        }
        step
    }

    /// The known power of an exponent, possibly from the opposite exponent.
    fn known_exponential(&self, u: Residue) -> Option<Residue> {
        let known = self.exponentials.get(&u).copied();
        known.or_else(|| self.exponentials.get(&-u)?.recip())
    }

    /// The power of a sum of multiples of up to four known exponents; of fewer if there are many.
    fn of_other_exponents(&self, u: Residue) -> Option<Residue> {
        let mut singles = vec![(Residue::ZERO, Residue::ONE)];
        for &(quarter, power) in &self.exponents {
            let inverse = power.recip()?;
            for times in QUARTERS {
                let part = quarter * Residue::of(times);
                let times = times.unsigned_abs();
                singles.push((part, power.pow(times)));
                singles.push((-part, inverse.pow(times)));
            }
        }
        let of_one = |u: Residue| {
            let mut singles = singles.iter();
            singles.find_map(|&(a, of_a)| Some(of_a * self.known_exponential(u - a)?))
        };
        if let Some(found) = of_one(u) {
            return Some(found);
        }
        if singles.len() > MANY_EXPONENTS {
            return None;
        }
        let mut pairs: Map<Residue, Residue> = Map::default();
        for &(a, of_a) in &singles {
            for &(b, of_b) in &singles {
                if let Some(&rest) = pairs.get(&(u - a - b)) {
                    return Some(of_a * of_b * rest);
                }
                pairs.insert(a + b, of_a * of_b);
            }
        }
        let mut all = pairs.iter();
        all.find_map(|(&sum, &power)| Some(power * *pairs.get(&(u - sum))?))
    }

    /// A random rotation; those by half and quarter angles are known then too.
    fn new_turn(&mut self, u: Residue) -> [Residue; 2] {
        let tangent = self.draw();
        let square = tangent * tangent;
        // 1 + tan² is not 0, because −1 is no square.
        let inverse = (Residue::ONE + square).recip().unwrap_or_default();
        let quarter = [
            (Residue::ONE - square) * inverse,
            (tangent + tangent) * inverse,
        ];
        let (first, second) = (u * Residue::HALF * Residue::HALF, u * Residue::HALF);
        let middle = product(quarter, quarter);
        for (angle, [cosine, sine]) in [(first, quarter), (second, middle)] {
            if angle.is_in_upper_half() {
                self.remember(-angle, [cosine, -sine]);
            } else {
                self.remember(angle, [cosine, sine]);
            }
        }
        product(middle, middle)
    }

    /// baseᵉ: integer and half-integer powers by multiplication; for other exponents, e and e + 1 are consistent.
    pub fn power(&mut self, base: Residue, exponent: Residue) -> Result<Residue, Stop> {
        if let Some(whole) = exponent.as_small() {
            return power(base, whole);
        }
        if let Some(halves) = (exponent + exponent).as_small() {
            let root = self.root(base)?;
            return power(root, halves);
        }
        for &[known, at, value] in &self.powers {
            if let Some(beyond) = (exponent - at).as_small().filter(|_| known == base) {
                return Ok(value * power(base, beyond)?);
            }
        }
        let value = self.unknown(Function::Powf, &[base, exponent]);
        self.powers.push([base, exponent, value]);
        Ok(value)
    }

    /// f, f′ and f″ of a function of one argument, from a table of derivatives.
    pub fn jet<R: Element>(&mut self, function: Function, u: R) -> Result<Jet<R>, Stop> {
        use Function as F;
        let one = R::constant(Residue::ONE);
        let two = one + one;
        let inverse = |value: R| value.recip().ok_or(Stop::Zero);
        let f = R::call(function, &[u], self)?;
        let square = u * u;
        Ok(match function {
            F::Sin | F::Sinh => {
                let other = if function == F::Sin { F::Cos } else { F::Cosh };
                let slope = R::call(other, &[u], self)?;
                [f, slope, if function == F::Sin { -f } else { f }]
            }
            F::Cos => [f, -R::call(F::Sin, &[u], self)?, -f],
            F::Cosh => [f, R::call(F::Sinh, &[u], self)?, f],
            F::Tan => [f, one + f * f, two * f * (one + f * f)],
            F::Tanh => [f, one - f * f, -(two * f * (one - f * f))],
            F::Exp => [f, f, f],
            F::ExpM1 => [f, f + one, f + one],
            F::Ln | F::Ln1p => {
                let of = if function == F::Ln { u } else { u + one };
                let slope = inverse(of)?;
                [f, slope, -(slope * slope)]
            }
            F::Asin | F::Acos => {
                let slope = inverse(R::call(F::Sqrt, &[one - square], self)?)?;
                let bend = u * slope * slope * slope;
                if function == F::Asin {
                    [f, slope, bend]
                } else {
                    [f, -slope, -bend]
                }
            }
            F::Asinh | F::Acosh => {
                let other = if function == F::Asinh { one } else { -one };
                let slope = inverse(R::call(F::Sqrt, &[square + other], self)?)?;
                [f, slope, -(u * slope * slope * slope)]
            }
            F::Atan | F::Atanh => {
                let sign = if function == F::Atan { one } else { -one };
                let slope = inverse(one + sign * square)?;
                [f, slope, -(sign * two * u * slope * slope)]
            }
            F::Sqrt => {
                let slope = inverse(two * f)?;
                [f, slope, -(two * slope * slope * slope)]
            }
            F::Cbrt => {
                let inverse_value = inverse(f)?;
                let slope = inverse_value * inverse_value * inverse(two + one)?;
                [f, slope, -(two * slope * slope * inverse_value)]
            }
            F::Abs => [f, R::constant(self.sign(u.value())), R::ZERO],
            F::Signum | F::Floor => [f, R::ZERO, R::ZERO],
            // Their derivatives contain rounded constants, or they have two arguments.
            F::Log2
            | F::Log10
            | F::Erf
            | F::Erfc
            | F::Atan2
            | F::Powf
            | F::Hypot
            | F::Min
            | F::Max => {
                return Err(Stop::Uncovered);
            }
        })
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

/// (cos u, sin u) of a multiple of π/12, if they are exact.
fn part_of_turn(u: Residue) -> Option<[Residue; 2]> {
    let angle = u.as_part_of_turn()?;
    Some([
        Residue::of_number(angle.cos()?)?,
        Residue::of_number(angle.sin()?)?,
    ])
}

/// Whichever of u and −u is in the lower half.
fn lower(u: Residue) -> Residue {
    if u.is_in_upper_half() { -u } else { u }
}

/// baseᵉ for an integer exponent.
pub fn power(base: Residue, exponent: i64) -> Result<Residue, Stop> {
    let power = base.pow(exponent.unsigned_abs());
    if exponent < 0 {
        power.recip().ok_or(Stop::Zero)
    } else {
        Ok(power)
    }
}

/// (cos, sin) of the sum of two angles.
fn product([c, s]: [Residue; 2], [d, t]: [Residue; 2]) -> [Residue; 2] {
    [c * d - s * t, s * d + c * t]
}
