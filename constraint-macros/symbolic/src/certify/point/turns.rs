//! Cosines and sines: multiples of π/12 have exact ones, sums of angles follow from the addition theorems, any other angle
//! gets a random rotation.

use super::{Point, Question};
use crate::certify::field::Residue;
use crate::expr::Function;

impl Point {
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
}

/// (cos u, sin u) of a multiple of π/12, if they are exact.
pub(super) fn part_of_turn(u: Residue) -> Option<[Residue; 2]> {
    let angle = u.as_part_of_turn()?;
    Some([
        Residue::of_number(angle.cos()?)?,
        Residue::of_number(angle.sin()?)?,
    ])
}

/// (cos, sin) of the sum of two angles.
fn product([c, s]: [Residue; 2], [d, t]: [Residue; 2]) -> [Residue; 2] {
    [c * d - s * t, s * d + c * t]
}
