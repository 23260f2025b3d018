//! Functions under examination, point by point.

use super::field::Residue;
use super::linear::dot;
use super::point::{Point, Stop};
use super::programs::{self, Leaves};
use super::{Certificate, MOST_ROOTS, MOST_TRIES, POINTS, POINTS_OF_CHOICES, Refuted, seed};
use crate::function::{Body, Function};
use crate::model::Model;

/// What the equations say at a point.
pub trait Subject: Leaves {
    /// What a function has to find.
    fn facts(&self, name: &str) -> Result<Facts, Stop>;

    /// What a function has found that is right.
    fn learn(&mut self, _: &Examined<'_>, _: &[Residue]) {}
}

/// What a function has to find, at the end of its outputs.
pub enum Facts {
    /// These numbers.
    Values(Vec<Residue>),
    /// A matrix that takes a direction to these.
    Along(Vec<Residue>, Vec<Residue>),
    /// The number or its opposite.
    UpToSign(Residue),
    /// What it has found already, or else nothing is right.
    Solved(Option<Vec<Residue>>),
}

impl Facts {
    fn agree(&self, found: &[Residue]) -> bool {
        match self {
            // What stands before are squares of tangents, which must not vanish.
            Facts::Values(values) => found.ends_with(values),
            Facts::Along(direction, values) => {
                let rows = found.chunks(direction.len());
                rows.map(|row| dot(row, direction))
                    .eq(values.iter().copied())
            }
            Facts::Solved(values) => values.as_deref().is_some_and(|it| found.ends_with(it)),
            Facts::UpToSign(value) => found == [*value] || self.is_opposite(found),
        }
    }

    fn is_opposite(&self, found: &[Residue]) -> bool {
        matches!(self, Facts::UpToSign(value) if found == [-*value] && !value.is_zero())
    }
}

/// A function under examination.
pub struct Examined<'a> {
    /// Its name.
    pub name: &'static str,
    function: &'a Function<'a>,
    /// Whether all of it has a meaning in the field.
    covered: bool,
    /// Whether it chooses between values.
    chooses: bool,
    /// At how many points it agrees.
    points: usize,
    /// At how many of these its sign is the other one.
    opposite: usize,
    /// At how many it divides by 0 where a value is expected,
    zeros: usize,
    /// or takes the root of what has none.
    roots: usize,
}

impl Examined<'_> {
    fn new<'a>(function: &'a Function<'a>) -> Examined<'a> {
        Examined {
            name: function.signature.name,
            function,
            covered: true,
            chooses: programs::chooses(&function.body),
            points: 0,
            opposite: 0,
            zeros: 0,
            roots: 0,
        }
    }

    /// Whether the sign has been the other one whenever it was looked at.
    fn is_opposite(&self) -> bool {
        self.points > 0 && self.opposite == self.points
    }

    fn is_done(&self, wanted: usize) -> bool {
        let wanted = if self.is_opposite() {
            wanted.max(MOST_ROOTS)
        } else {
            wanted
        };
        !self.covered || self.points >= wanted
    }

    /// Roots that the equations do not have may have no value for some time, or now one sign, now the other.
    fn is_wrong(&self) -> bool {
        let nowhere = self.points == 0 && self.roots >= MOST_ROOTS;
        self.zeros > 0 || nowhere || self.is_opposite() && self.points >= MOST_ROOTS
    }

    /// Compares at a point; false where it differs.
    fn agrees<S: Subject>(&mut self, subject: &mut S, point: &mut Point) -> bool {
        let facts = match subject.facts(self.name) {
            Ok(facts) => facts,
            Err(stop) => {
                self.covered &= stop != Stop::Uncovered;
                return true;
            }
        };
        let mut agree = true;
        match programs::outputs(self.function, point, subject) {
            Err(Stop::Uncovered) => self.covered = false,
            Err(Stop::Zero) => self.zeros += 1,
            Err(Stop::Root) => self.roots += 1,
            Ok(ways) => {
                agree = ways.iter().all(|found| facts.agree(found));
                self.opposite += usize::from(ways.iter().all(|found| facts.is_opposite(found)));
                self.points += 1;
                ways.iter().for_each(|found| subject.learn(self, found));
            }
        }
        agree
    }
}

/// Compares functions with what a subject says at several points.
///
/// # Errors
/// The first function that differs.
pub fn examine<'a, S: Subject>(
    model: &Model,
    functions: &'a [Function<'a>],
    mut subject: impl FnMut(&mut Point) -> Result<S, Stop>,
) -> Result<Certificate, Refuted> {
    let mut examined: Vec<Examined<'_>> = functions.iter().map(Examined::new).collect();
    let first = seed(model);
    // Each round of a loop is looked at by itself.
    let loops = functions.iter().any(|it| matches!(it.body, Body::Loops(_)));
    let mut wanted = if loops { 1 } else { POINTS };
    for attempt in 0..MOST_TRIES {
        if examined.iter().all(|it| it.is_done(wanted)) {
            break;
        }
        let mut point = Point::new(first.wrapping_add(attempt));
        let mut subject = match subject(&mut point) {
            Ok(subject) => subject,
            Err(Stop::Uncovered) => return Ok(Certificate::default()),
            Err(Stop::Zero | Stop::Root) => continue,
        };
        for function in examined.iter_mut().filter(|it| it.covered) {
            if !function.agrees(&mut subject, &mut point) {
                return Err(Refuted {
                    function: function.name,
                });
            }
        }
        if examined.iter().any(|it| it.covered && it.chooses) {
            wanted = POINTS_OF_CHOICES;
        }
    }
    if let Some(wrong) = examined.iter().find(|it| it.is_wrong()) {
        return Err(Refuted {
            function: wrong.name,
        });
    }
    let covered = examined
        .iter()
        .filter(|it| it.covered && it.points >= wanted);
    Ok(Certificate {
        functions: covered.map(|it| it.name).collect(),
        points: wanted,
    })
}
