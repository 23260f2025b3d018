//! Functions under examination, point by point.

use std::collections::BTreeSet;

use super::choices::{self, Conditions, Ways};
use super::field::Residue;
use super::linear::dot;
use super::number::Dual;
use super::point::{Point, Stop};
use super::programs::{self, Leaves, Outputs};
use super::{
    Certificate, MOST_ROOTS, MOST_TRIES, POINTS_OF_CHOICES, POINTS_OF_OWN_SIGNS, Refuted, seed,
};
use crate::function::{Body, Function};
use crate::model::Model;

/// What the equations say at a point.
pub trait Subject: Leaves<Residue> {
    /// What a function has to find; others may be run for that.
    fn facts(&self, name: &str, point: &mut Point) -> Result<Facts, Stop>;

    /// What a function that was run for its part has found.
    fn found(&self, _name: &str) -> Option<Vec<Residue>> {
        None
    }

    /// Whether others are judged by what it finds.
    fn teaches(&self, _name: &str) -> bool {
        false
    }

    /// What such a function has found that is right.
    fn learn(&mut self, _: &[Residue]) {}

    /// Whether what a function has to find is one fraction wherever the text takes the same branches.
    fn is_told_by_branches(&self) -> bool {
        false
    }
}

/// What a function has to find, all of its outputs.
pub enum Facts {
    /// This, and before it, where it is divided by the square of a tangent that may vanish, that square.
    Guarded(Box<Facts>),
    /// These numbers.
    Values(Vec<Residue>),
    /// A matrix that takes a direction to these.
    Along(Vec<Residue>, Vec<Residue>),
    /// A gradient whose product with a direction this is.
    Gradient(Vec<Residue>, Residue),
    /// Matrices side by side, which take a direction each and together find these: some rows, and others behind them.
    Slopes(Vec<Vec<Residue>>, Vec<Vec<Residue>>),
    /// Matrices entry by entry.
    Entries(Entries),
    /// The number or its opposite.
    UpToSign(Residue),
    /// What it has found already, or else nothing is right.
    Solved(Option<Vec<Residue>>),
}

/// What matrices E, A and B find together that are told entry by entry.
pub struct Entries {
    /// What each row counts.
    pub rows: Vec<Residue>,
    /// What each matrix is multiplied by.
    pub columns: [Vec<Residue>; 3],
    /// The sum.
    pub value: Residue,
}

impl Entries {
    /// Each entry once, where there is one.
    fn agree(&self, outputs: &Outputs) -> bool {
        if outputs.places.len() != outputs.values.len() {
            return false;
        }
        let mut known = BTreeSet::new();
        let mut sum = Residue::ZERO;
        for (&(matrix, row, column), &entry) in outputs.places.iter().zip(&outputs.values) {
            let columns = &self.columns[matrix as usize];
            let (Some(&counted), Some(&by)) = (self.rows.get(row), columns.get(column)) else {
                return false;
            };
            if !known.insert((matrix as usize, row, column)) {
                return false;
            }
            sum = sum + counted * entry * by;
        }
        sum == self.value
    }
}

/// Whether matrices take directions to these, row by row.
fn find(mut entries: &[Residue], directions: &[Vec<Residue>], values: &[Vec<Residue>]) -> bool {
    for values in values {
        let mut found = vec![Residue::ZERO; values.len()];
        for direction in directions {
            for sum in &mut found {
                let Some((row, others)) = entries.split_at_checked(direction.len()) else {
                    return false;
                };
                *sum = *sum + dot(row, direction);
                entries = others;
            }
        }
        if found != *values {
            return false;
        }
    }
    entries.is_empty()
}

impl Facts {
    fn agree(&self, outputs: &Outputs) -> bool {
        let found = &outputs.values[..];
        match self {
            Facts::Guarded(others) => {
                let rest = found.get(1..).unwrap_or_default();
                others.agree(outputs) || others.agree(&Outputs::new(rest.to_vec()))
            }
            Facts::Values(values) => found == values,
            Facts::Along(direction, values) => {
                found.len() == direction.len() * values.len() && outputs.along(direction) == *values
            }
            Facts::Gradient(direction, value) => {
                found.len() == direction.len() && dot(found, direction) == *value
            }
            Facts::Slopes(_, values) if outputs.is_along => *found == values.concat(),
            Facts::Slopes(directions, values) => find(found, directions, values),
            Facts::Entries(entries) => entries.agree(outputs),
            Facts::Solved(values) => values.as_deref().is_some_and(|it| found == it),
            Facts::UpToSign(value) => found == [*value] || self.is_opposite(found),
        }
    }

    fn is_opposite(&self, found: &[Residue]) -> bool {
        matches!(self, Facts::UpToSign(value) if found == [-*value] && !value.is_zero())
    }
}

/// What a function changes by along a direction, one number after the other, where it is right itself: else it is refuted
/// by itself.
///
/// # Errors
/// It has no value there, or has not been looked at.
pub fn change<S: Subject>(
    (subject, functions): (&S, &[Function<'_>]),
    name: &str,
    leaves: &impl Leaves<Dual<Residue>>,
    point: &mut Point,
) -> Result<Vec<Residue>, Stop> {
    let function = functions.iter().find(|it| it.signature.name == name);
    let function = function.ok_or(Stop::Uncovered)?;
    let found = programs::outputs(function, point, leaves, &mut false)?;
    let found = found.into_iter().next().ok_or(Stop::Uncovered)?.values;
    let outputs = Outputs::new(found.iter().map(|it| it.value).collect());
    if !subject.facts(name, point)?.agree(&outputs) {
        return Err(Stop::Uncovered);
    }
    Ok(found.iter().map(|it| it.change).collect())
}

/// The branches that the text takes, and the conditions of a program.
type Branches = (Vec<bool>, Vec<bool>);

/// A function under examination.
struct Examined<'a> {
    name: &'static str,
    function: &'a Function<'a>,
    /// Whether all of it has a meaning in the field.
    covered: bool,
    /// Whether it chooses between values.
    chooses: bool,
    /// Whether a sign decides for which the text does not ask.
    own_signs: bool,
    /// Where its conditions stand among those of all.
    conditions: Option<usize>,
    /// Branches of the text and conditions of its own at points where it was right: another point with the same tells no
    /// more of it than that the conditions are the same.
    right: Vec<Branches>,
    /// Those of the point.
    here: Option<Branches>,
    /// The ways of the text on which it was compared.
    ways: Ways,
    /// At how many points it was.
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
        let chooses = choices::chooses(&function.body);
        Examined {
            name: function.signature.name,
            function,
            covered: true,
            chooses,
            conditions: None,
            right: Vec::new(),
            here: None,
            own_signs: false,
            ways: Ways::default(),
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

    fn is_certified(&self) -> bool {
        let wanted = if self.is_opposite() {
            MOST_ROOTS
        } else if self.own_signs {
            POINTS_OF_OWN_SIGNS
        } else if self.ways.all_are_gone(&[]) {
            1
        } else {
            POINTS_OF_CHOICES
        };
        self.covered && self.points >= wanted
    }

    /// Roots that the equations do not have may have no value for some time, or now one sign, now the other.
    fn is_wrong(&self) -> bool {
        let nowhere = self.points == 0 && self.roots >= MOST_ROOTS;
        self.zeros > 0 || nowhere || self.is_opposite() && self.points >= MOST_ROOTS
    }

    /// Whether it was right on these branches.
    fn repeats(&self) -> bool {
        self.here.as_ref().is_some_and(|it| self.right.contains(it))
    }

    /// Compares at a point; false where it differs.
    fn agrees<S: Subject>(&mut self, subject: &mut S, point: &mut Point) -> bool {
        if self.is_certified() && !subject.teaches(self.name) {
            return true;
        }
        match subject.facts(self.name, point) {
            Ok(facts) => self.finds(&facts, subject, point),
            Err(stop) => {
                self.covered &= stop != Stop::Uncovered;
                true
            }
        }
    }

    fn finds<S: Subject>(&mut self, facts: &Facts, subject: &mut S, point: &mut Point) -> bool {
        let found = subject.found(self.name).filter(|_| !self.chooses);
        let ways = match found {
            Some(values) => Ok(vec![Outputs::new(values)]),
            None => programs::outputs(self.function, point, subject, &mut self.own_signs),
        };
        let ways = match ways {
            Ok(ways) => ways,
            Err(stop) => {
                self.covered &= stop != Stop::Uncovered;
                self.zeros += usize::from(stop == Stop::Zero);
                self.roots += usize::from(stop == Stop::Root);
                return true;
            }
        };
        self.ways.go(&point.told);
        self.opposite += usize::from(ways.iter().all(|it| facts.is_opposite(&it.values)));
        self.points += 1;
        if subject.teaches(self.name) {
            ways.iter().for_each(|it| subject.learn(&it.values));
        }
        let right = ways.iter().all(|found| facts.agree(found));
        self.right.extend(self.here.take().filter(|_| right));
        right
    }

    /// Passes a point whose branches are known.
    fn pass(&mut self, point: &Point) {
        self.ways.go(&point.told);
        self.points += 1;
    }
}

/// Looks at which branches a point is on; functions mostly have their conditions in common.
fn look<S: Subject>(
    examined: &mut [Examined<'_>],
    all: &mut Vec<Conditions>,
    subject: &S,
    point: &mut Point,
) {
    if all.is_empty() {
        for function in examined.iter_mut().filter(|it| it.covered && it.chooses) {
            let Body::Straight(program) = &function.function.body else {
                continue;
            };
            let own = Conditions::of(program);
            function.conditions = own.map(|own| {
                let known = all.iter().position(|it| *it == own);
                known.unwrap_or_else(|| {
                    all.push(own);
                    all.len() - 1
                })
            });
        }
    }
    let found = all
        .iter()
        .map(|it| programs::conditions(it, point, subject));
    let found: Vec<_> = found.map(|it| it.ok().flatten()).collect();
    for function in examined.iter_mut().filter(|it| it.covered) {
        let conditions = function.conditions.and_then(|it| found[it].clone());
        function.here = conditions.map(|it| (point.taken.clone(), it));
    }
}

/// A function that differs from the text at a point. Where that rests on an order or on functions of numbers that the
/// field does not know, nothing is certified.
fn refuted<S>(
    function: &'static str,
    point: &Point,
    read: &mut impl FnMut(&mut Point) -> Result<S, Stop>,
) -> Result<Certificate, Refuted> {
    let guesses = (0..MOST_ROOTS as u64).any(|seed| {
        let mut other = Point::new(seed, Ways::all_but(&point.told));
        // If it has no value there, what it has asked before is enough.
        let _ = read(&mut other);
        point.guesses(&other)
    });
    if guesses {
        return Ok(Certificate::default());
    }
    Err(Refuted { function })
}

/// Compares functions with what a subject says at as many points as it takes.
///
/// # Errors
/// The first function that differs.
pub fn examine<'a, S: Subject>(
    model: &Model,
    functions: &'a [Function<'a>],
    mut read: impl FnMut(&mut Point) -> Result<S, Stop>,
) -> Result<Certificate, Refuted> {
    let mut examined: Vec<Examined<'_>> = functions.iter().map(Examined::new).collect();
    let mut conditions = Vec::new();
    let first = seed(model);
    for attempt in 0..MOST_TRIES {
        let mut left = examined.iter().filter(|it| it.covered);
        let Some(left) = left.find(|it| !it.is_certified()) else {
            break;
        };
        // A way on which it has no value is not looked for any longer.
        let seeks = attempt < POINTS_OF_CHOICES as u64;
        let gone = left.ways.clone();
        let mut point = Point::new(
            first.wrapping_add(attempt),
            if seeks { gone } else { Ways::default() },
        );
        let mut subject = match read(&mut point) {
            Ok(subject) => subject,
            Err(Stop::Uncovered) => return Ok(Certificate::default()),
            Err(Stop::Zero | Stop::Root) => continue,
        };
        point.reads_text = false;
        examined.iter_mut().for_each(|it| it.here = None);
        if subject.is_told_by_branches() && !point.bends && !point.taken.is_empty() {
            look(&mut examined, &mut conditions, &subject, &mut point);
        }
        let mut covered = examined.iter().filter(|it| it.covered);
        let is_new = covered.any(|it| !it.repeats() && !it.is_certified());
        for function in examined.iter_mut().filter(|it| it.covered) {
            if function.repeats() && !(is_new && subject.teaches(function.name)) {
                function.pass(&point);
            } else if !function.agrees(&mut subject, &mut point) {
                return refuted(function.name, &point, &mut read);
            }
        }
    }
    if let Some(wrong) = examined.iter().find(|it| it.is_wrong()) {
        let mut point = Point::new(first, Ways::default());
        let _ = read(&mut point);
        return refuted(wrong.name, &point, &mut read);
    }
    let covered = examined.iter().filter(|it| it.is_certified());
    let points = covered.clone().map(|it| it.points);
    Ok(Certificate {
        points: points.max().unwrap_or_default(),
        functions: covered.map(|it| it.name).collect(),
    })
}
