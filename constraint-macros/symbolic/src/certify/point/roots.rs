//! Square roots and other powers: roots of multiples of one radicand have consistent signs.

use super::{Point, Question, Stop, exact};
use crate::certify::field::Residue;
use crate::expr::Function;

impl Point {
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

    /// baseᵉ: integer and half-integer powers by multiplication; for other exponents, e and e + 1 are consistent, and
    /// powers of w² with those of |w|.
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
        let value = self.new_power(base, exponent)?;
        self.powers.push([base, exponent, value]);
        Ok(value)
    }

    /// The power of a square by that of the size of its root; of any other number an arbitrary value.
    fn new_power(&mut self, base: Residue, exponent: Residue) -> Result<Residue, Stop> {
        let arguments = [base, exponent];
        self.record_question(|| Question::Value(Function::Powf, arguments.to_vec()));
        if let Some(exact) = exact(Function::Powf, &arguments) {
            return Ok(exact);
        }
        if !base.is_real() {
            return Err(Stop::Root);
        }
        // 0, 1 and the powers of 2 have roots without end.
        let ends = base.is_tiny_fraction();
        let root = base.sqrt().filter(|it| it.is_real() && !ends);
        let Some(root) = root else {
            return Ok(self.arbitrary(Function::Powf, &arguments));
        };
        let size = self.supposed_size(root);
        self.power(size, exponent + exponent)
    }
}

/// baseᵉ for an integer exponent.
fn power(base: Residue, exponent: i64) -> Result<Residue, Stop> {
    let power = base.pow(exponent.unsigned_abs());
    if exponent < 0 {
        power.recip().ok_or(Stop::Zero)
    } else {
        Ok(power)
    }
}
