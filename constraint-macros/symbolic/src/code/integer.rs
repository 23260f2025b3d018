//! Integers: indices of arrays, and the counters of loops.

use crate::expr::MapEach;
use std::ops::{Add, Mul, Sub};

/// An integer, such as the index of an element in an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    /// A sum of multiples of counters.
    Affine(Affine),
    /// The quotient of an integer and a number, rounded down.
    Quotient(Box<Integer>, usize),
    /// The rest of that division.
    Remainder(Box<Integer>, usize),
    /// A sum.
    Sum(Box<[Integer; 2]>),
    /// A product.
    Product(Box<[Integer; 2]>),
}

/// An integer with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// A loop counter, or an integer that has a name.
    Name(&'static str),
    /// An entry of a table's line that has that name.
    Column(&'static str, usize),
}

impl Integer {
    /// Whether it depends on an entry of the line of a table that has this name.
    pub fn reads(&self, line: &str) -> bool {
        match self {
            Integer::Affine(affine) => affine
                .terms()
                .any(|(_, counter)| matches!(counter, Counter::Column(name, _) if name == line)),
            Integer::Quotient(integer, _) | Integer::Remainder(integer, _) => integer.reads(line),
            Integer::Sum(parts) | Integer::Product(parts) => parts.iter().any(|it| it.reads(line)),
        }
    }
}

/// How many counters a sum may have.
const MOST: usize = 4;

/// A number and multiples of counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    /// The number.
    pub constant: isize,
    terms: [Option<(isize, Counter)>; MOST],
}

impl Affine {
    /// A number and one multiple.
    pub fn of(constant: usize, factor: isize, counter: Counter) -> Affine {
        Affine {
            constant: constant.cast_signed(),
            terms: [Some((factor, counter)), None, None, None],
        }
    }

    /// The multiples of counters.
    pub fn terms(&self) -> impl Iterator<Item = (isize, Counter)> {
        self.terms.iter().flatten().copied()
    }

    /// The number, where it is one.
    pub fn number(&self) -> Option<usize> {
        let is_number = self.terms().next().is_none();
        usize::try_from(self.constant).ok().filter(|_| is_number)
    }

    fn with(mut self, (factor, counter): (isize, Counter)) -> Affine {
        let known = self.terms.iter_mut().flatten();
        let known = known.into_iter().find(|it| it.1 == counter);
        match known {
            Some(known) => known.0 += factor,
            None => {
                let free = self.terms.iter_mut().find(|it| it.is_none());
                *free.expect("no more than four counters") = Some((factor, counter));
            }
        }
        self
    }
}

/// A counter by its name.
pub fn counter(name: &'static str) -> Affine {
    Affine::from(Counter::Name(name))
}

impl From<Counter> for Affine {
    fn from(counter: Counter) -> Affine {
        Affine::of(0, 1, counter)
    }
}

impl From<usize> for Affine {
    fn from(constant: usize) -> Affine {
        Affine {
            constant: constant.cast_signed(),
            ..Affine::default()
        }
    }
}

impl<T: Into<Affine>> From<T> for Integer {
    fn from(affine: T) -> Integer {
        Integer::Affine(affine.into())
    }
}

impl<T: Into<Affine>> Add<T> for Affine {
    type Output = Affine;

    fn add(self, other: T) -> Affine {
        let other = other.into();
        let sum = Affine {
            constant: self.constant + other.constant,
            ..self
        };
        other.terms().fold(sum, Affine::with)
    }
}

impl<T: Into<Affine>> Sub<T> for Affine {
    type Output = Affine;

    fn sub(self, other: T) -> Affine {
        self + other.into() * -1
    }
}

impl Mul<isize> for Affine {
    type Output = Affine;

    fn mul(self, factor: isize) -> Affine {
        let term =
            |term: Option<(isize, Counter)>| term.map(|(of, counter)| (of * factor, counter));
        Affine {
            constant: self.constant * factor,
            terms: self.terms.map_each(term),
        }
    }
}

impl Mul<Affine> for usize {
    type Output = Affine;

    fn mul(self, affine: Affine) -> Affine {
        affine * self.cast_signed()
    }
}
