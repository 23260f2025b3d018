//! Signs and comparisons: the same answer at each occurrence, and the branches that the text takes.

use super::{Point, Question, mixed};
use crate::certify::choices::Paths;
use crate::certify::field::Residue;
use crate::expr::Comparison;

impl Point {
    /// The sign of a number: −u has the opposite sign, small fractions have their own; 0 is not negative.
    pub(super) fn is_negative(&mut self, u: Residue) -> bool {
        self.bends = true;
        self.record_question(|| Question::Order(u, Residue::ZERO));
        self.is_below(u)
    }

    /// |u| without a question for the sign of u, because a power of u² is no choice of the text.
    pub(super) fn supposed_size(&mut self, u: Residue) -> Residue {
        let asked = self.program_sign(u).map(|it| it.1);
        let small = || Some(u.as_small_fraction()?.0 < 0);
        let known = self.known_sign(u).or(asked).or_else(small);
        if known.is_none() && !self.supposed.contains(&lower(u)) {
            self.supposed.push(lower(u));
        }
        if known.unwrap_or_else(|| self.by_chance(u)) {
            -u
        } else {
            u
        }
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
        let by_chance = self.by_chance(u);
        if !self.reads_text {
            // If the text asks for this sign later, it must get the same answer.
            self.visited = Paths::default();
            self.exceeds_text = true;
            return by_chance;
        }
        let answer = if self.supposed.contains(&lower(u)) {
            by_chance
        } else {
            self.visited.answer(&self.answers, by_chance)
        };
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

    /// True if u is negative by chance; −u is not, then.
    fn by_chance(&self, u: Residue) -> bool {
        let bit = mixed(self.seed ^ lower(u).bits()) & 1 == 1;
        u.is_in_upper_half() != bit
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

    pub(super) fn sign(&mut self, u: Residue) -> Residue {
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
}

/// Whichever of u and −u is in the lower half.
fn lower(u: Residue) -> Residue {
    if u.is_in_upper_half() { -u } else { u }
}
