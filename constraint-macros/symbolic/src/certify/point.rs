//! A point at which programs and equations are compared: what functions are there.
//!
//! Whatever the arguments, equal ones have equal values. Roots and sines satisfy what simplification may use,
//! √u² = u, sin² + cos² = 1, the theorems of addition, also that of the exponential function, and what sinh, cosh and tanh
//! are made of; of any other function the derivatives alone are known.

use super::choices::Ways;
use super::field::Residue;
use super::number::Element;
use crate::expr::{Comparison, Function, Map, Number, Parity};

/// Why no value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A division by 0,
    Zero,
    /// or a root of what has none: another point may do.
    Root,
    /// Something that has no meaning in the field: constants that were rounded, or a function that is not known here.
    Uncovered,
}

/// What the text asks the field, which knows the answer of some numbers alone.
#[derive(Clone, Debug, PartialEq)]
enum Question {
    /// Which of two numbers is less, or if they are equal.
    Order(Residue, Residue),
    /// The value of a function.
    Value(Function, Vec<Residue>),
}

impl Question {
    /// Whether the answer is the true one if these are numbers: only those are, of which no larger ones are the same here.
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

/// By what quarters of exponents are multiplied, in search of a sum.
const QUARTERS: [i64; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 20, 24];

/// Among more multiples, pairs are not looked for.
const MANY_EXPONENTS: usize = 256;

/// f, f′ and f″
pub type Jet<R = Residue> = [R; 3];

/// The functions at a point.
#[derive(Debug)]
pub struct Point {
    seed: u64,
    drawn: u64,
    /// Whether roots are compared with those that are known.
    pub compares_roots: bool,
    /// Radicands and their roots.
    roots: Map<Residue, Residue>,
    radicands: Vec<Residue>,
    /// Angles with their cosines and sines.
    turns: Map<Residue, [Residue; 2]>,
    angles: Vec<Residue>,
    /// Exponents with their powers of e.
    exponentials: Map<Residue, Residue>,
    /// A quarter of each that is not made of others, and its power.
    exponents: Vec<(Residue, Residue)>,
    /// Whether a program has steps that the text has not.
    is_stepped: bool,
    /// Bases, exponents and powers.
    powers: Vec<[Residue; 3]>,
    /// Whether it is the text that asks which of two numbers is less.
    pub reads_text: bool,
    /// Of what the text asks for the sign, and whether it is negative, one after the other.
    asked: Vec<Residue>,
    pub told: Vec<bool>,
    /// What else programs ask for: whether it is negative, and whether it is a small fraction.
    beside: Vec<(Residue, bool, bool)>,
    /// What the text has asked at all.
    questions: Vec<Question>,
    /// Which of its branches the text takes, one choice after the other.
    pub taken: Vec<bool>,
    /// Whether a sign has counted but in a comparison.
    pub bends: bool,
    /// Whether a program has asked what the text does not.
    pub was_asked_more: bool,
    /// The ways that the text need not go again.
    gone: Ways,
}

/// The finalizer of Steele, Lea and Flood's SplitMix64.
fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl Point {
    /// That with a seed, on another way than those where there is one.
    pub fn new(seed: u64, gone: Ways) -> Point {
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
            asked: Vec::new(),
            told: Vec::new(),
            beside: Vec::new(),
            questions: Vec::new(),
            taken: Vec::new(),
            bends: false,
            was_asked_more: false,
            gone,
        }
    }

    /// The next random element.
    pub fn draw(&mut self) -> Residue {
        self.drawn = self.drawn.wrapping_add(0x9e37_79b9_7f4a_7c15);
        Residue::of_bits(mixed(self.seed ^ mixed(self.drawn)))
    }

    /// So many random elements.
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

    /// Whether the text, which has gone the same way at another point, asks something of numbers here that the field does
    /// not know: what does not depend on the point is made of numbers.
    pub fn guesses(&self, other: &Point) -> bool {
        let mut asked = self.questions.iter();
        asked.any(|it| !it.is_known_of_numbers() && other.questions.contains(it))
    }

    fn ask(&mut self, question: impl FnOnce() -> Question) {
        if self.reads_text {
            self.questions.push(question());
        }
    }

    /// A sign such that that of −u is the opposite, and that of small fractions theirs; 0 is not negative.
    fn is_negative(&mut self, u: Residue) -> bool {
        self.bends = true;
        self.ask(|| Question::Order(u, Residue::ZERO));
        self.is_below(u)
    }

    fn is_below(&mut self, u: Residue) -> bool {
        if let Some(told) = self.told_of(u) {
            return told;
        }
        if let Some(&(_, below, small)) = self.asked_beside(u) {
            self.was_asked_more |= !small;
            return below;
        }
        let fraction = u.as_small_fraction();
        let below = match fraction {
            Some((numerator, _)) => numerator < 0,
            None => self.new_answer(u),
        };
        if !self.reads_text {
            self.beside.push((u, below, fraction.is_some()));
        }
        below
    }

    /// What programs have asked for already.
    fn asked_beside(&self, u: Residue) -> Option<&(Residue, bool, bool)> {
        let mut beside = self.beside.iter();
        beside.find(|it| it.0 == u)
    }

    /// Whether u is negative, always the same: by chance, or for the text such that it goes a way that it has not gone yet.
    fn answer(&mut self, u: Residue) -> bool {
        self.told_of(u).unwrap_or_else(|| self.new_answer(u))
    }

    fn new_answer(&mut self, u: Residue) -> bool {
        let by_chance = u.is_in_upper_half() != self.says(u);
        if !self.reads_text {
            // Where the text comes to ask the same, it is told the same.
            self.gone = Ways::default();
            self.was_asked_more = true;
            return by_chance;
        }
        let answer = self.gone.answer(&self.told, by_chance);
        self.asked.push(u);
        self.told.push(answer);
        answer
    }

    /// What the text has been told of the sign of u or −u.
    fn told_of(&self, u: Residue) -> Option<bool> {
        let (opposite, mut place) = (-u, 0);
        while place < self.asked.len() {
            let asked = self.asked[place];
            if asked == u || asked == opposite {
                return Some(self.told[place] == (asked == u));
            }
            place += 1;
        }
        None
    }

    /// Yes or no at random, the same for u and −u.
    fn says(&self, u: Residue) -> bool {
        mixed(self.seed ^ lower(u).bits()) & 1 == 1
    }

    /// Whether the text asks for this sign too.
    pub fn knows_sign(&self, u: Residue) -> bool {
        let asked = self.asked_beside(u).map(|it| it.2);
        self.told_of(u).is_some() || asked.unwrap_or_else(|| u.as_small_fraction().is_some())
    }

    /// Whether the text asks, too, if this is 0.
    pub fn knows_equality(&self, u: Residue) -> bool {
        self.told_of(lower(u + u)).is_some() || u.as_small_fraction().is_some()
    }

    fn sign(&mut self, u: Residue) -> Residue {
        if self.is_negative(u) {
            -Residue::ONE
        } else {
            Residue::ONE
        }
    }

    /// Whether a comparison holds that is no condition.
    pub fn holds(&mut self, comparison: Comparison, a: Residue, b: Residue) -> bool {
        self.bends = true;
        self.compares(comparison, a, b)
    }

    /// Whether a comparison holds: small fractions have their order, and any other two numbers are less, greater or equal
    /// as it happens, so that each branch is met.
    pub fn compares(&mut self, comparison: Comparison, a: Residue, b: Residue) -> bool {
        let difference = a - b;
        self.ask(|| Question::Order(a, b));
        self.ask(|| Question::Order(difference, Residue::ZERO));
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

    /// Any value, but always the same for the same arguments, and of the parity of the function; of numbers, where it is
    /// exact, its own: any other value is rounded where it is known at expansion, and meets a number without a residue.
    fn unknown(&mut self, function: Function, arguments: &[Residue]) -> Residue {
        self.ask(|| Question::Value(function, arguments.to_vec()));
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

    /// √u, the same for all radicands that are u times the square of a small fraction.
    pub fn root(&mut self, u: Residue) -> Result<Residue, Stop> {
        self.ask(|| Question::Value(Function::Sqrt, vec![u]));
        if let Some(&root) = self.roots.get(&u) {
            return Ok(root);
        }
        let (some, inverse) = (u.sqrt().ok_or(Stop::Root)?, u.recip().ok_or(Stop::Zero)?);
        let root = match self.sign_beside(u, some * inverse) {
            Some(false) => -some,
            _ => some,
        };
        self.roots.insert(u, root);
        self.radicands.push(u);
        Ok(root)
    }

    /// Whether a root, of which the inverse is given, is a positive multiple of one that is known.
    fn sign_beside(&self, radicand: Residue, inverse: Residue) -> Option<bool> {
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

    /// Whether a number is a known power of e, or the product or the quotient of two.
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
        self.ask(|| Question::Value(Function::Sin, vec![u]));
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

    /// What is known of an angle or of its opposite.
    fn known_turn(&self, u: Residue) -> Option<[Residue; 2]> {
        let back = || self.turns.get(&-u).map(|&[c, s]| [c, -s]);
        self.turns
            .get(&u)
            .copied()
            .or_else(back)
            .or_else(|| part_of_turn(u))
    }

    /// That of the sum or the difference of two known angles.
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
        self.ask(|| Question::Value(Function::Exp, vec![u]));
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
            // It may be made of more exponents than are looked for.
            return Err(Stop::Uncovered);
        }
        Ok(self.new_exponential(u))
    }

    /// A random one, whose halves and quarters are known too.
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

    /// A step, whose exponential is known before any that has it as a part of its exponent.
    fn step(&mut self, u: Residue) -> Residue {
        let step = self.unknown(Function::Floor, &[u]);
        if !self.reads_text && self.known_exponential(step).is_none() {
            self.new_exponential(step);
            self.is_stepped = true;
        }
        step
    }

    /// What is known of an exponent or of its opposite.
    fn known_exponential(&self, u: Residue) -> Option<Residue> {
        let known = self.exponentials.get(&u).copied();
        known.or_else(|| self.exponentials.get(&-u)?.recip())
    }

    /// That of a sum of multiples of up to four exponents that are known by themselves, of few where these are many.
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

    /// A random one, whose halves and quarters are known too.
    fn new_turn(&mut self, u: Residue) -> [Residue; 2] {
        let tangent = self.draw();
        let square = tangent * tangent;
        // 1 + tan² is not 0, since −1 is no square.
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

    /// baseᵉ: whole and half powers as such, of others e and e + 1 agree.
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

    /// f, f′ and f″ of a function of one argument, written down from a table of derivatives.
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
            // Their derivatives are made of rounded constants, or they have two arguments.
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

/// The value of a function of numbers, where it is exact.
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

/// (cos u, sin u) of a multiple of π/12, where they are exact.
fn part_of_turn(u: Residue) -> Option<[Residue; 2]> {
    let angle = u.as_part_of_turn()?;
    Some([
        Residue::of_number(angle.cos()?)?,
        Residue::of_number(angle.sin()?)?,
    ])
}

/// Of u and −u always the same one.
fn lower(u: Residue) -> Residue {
    if u.is_in_upper_half() { -u } else { u }
}

/// Whole powers.
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
