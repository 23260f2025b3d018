//! Verification of functions, point by point.

use crate::expr::{CollectVec, PushEach, SortedSet};

use super::choices::{self, Conditions, Paths};
use super::field::Residue;
use super::linear::dot;
use super::number::Dual;
use super::point::{Point, Stop};
use super::programs::{self, Leaves, Outputs};
use super::{
    Certificate, Gap, MOST_ROOTS, MOST_TRIES, POINTS_OF_CHOICES, POINTS_OF_OWN_SIGNS, Refuted, seed,
};
use crate::function::{Body, Function};
use crate::model::Model;

/// The equations at a point.
pub trait Subject: Leaves<Residue> {
    /// The expected results of a function; this may run other functions.
    fn facts(&self, name: &str, point: &mut Point) -> Result<Facts, Stop>;

    /// The results of a function that was already run for another one.
    fn found(&self, _name: &str) -> Option<Vec<Residue>> {
        None
    }

    /// True if the results of this function determine the expectations for others.
    fn determines_others(&self, _name: &str) -> bool {
        false
    }

    /// Stores the results of such a function.
    fn record(&mut self, _: &[Residue]) {}

    /// True if the expected results are one fraction on each combination of the text's branches.
    fn is_determined_by_branches(&self) -> bool {
        false
    }
}

/// The expected results of a function, for all of its outputs.
pub enum Facts {
    /// These results, preceded by the square of a tangent if the results are divided by one that may vanish.
    Guarded(Box<Facts>),
    /// These numbers.
    Values(Vec<Residue>),
    /// A matrix that maps a direction to these numbers.
    Along(Vec<Residue>, Vec<Residue>),
    /// A matrix whose rows, with these weights, add up to these numbers.
    Across(Vec<Residue>, Vec<Residue>),
    /// A gradient whose product with a direction has this value.
    Gradient(Vec<Residue>, Residue),
    /// Adjacent matrices, one for each direction, whose products add up to these numbers, in groups of rows.
    Slopes(Vec<Vec<Residue>>, Vec<Vec<Residue>>),
    /// Matrices reported entry by entry.
    Entries(Entries),
    /// This number or its opposite.
    UpToSign(Residue),
    /// Results that have been verified already; `None` if no result is right.
    Solved(Option<Vec<Residue>>),
}

/// Conditions on the matrices E, A and B of a descriptor pair, whose entries are reported one by one.
pub struct Entries {
    /// The weight of each row.
    pub rows: Vec<Residue>,
    /// The factors of each matrix's columns.
    pub columns: [Vec<Residue>; 3],
    /// The weighted sum of all products.
    pub value: Residue,
}

impl Entries {
    /// True if no entry is reported twice, and the sum is right.
    fn agree(&self, outputs: &Outputs) -> bool {
        if outputs.places.len() != outputs.values.len() {
            return false;
        }
        let mut known = SortedSet::new();
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

/// True if matrices map directions to these values, row by row.
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
            Facts::Across(weights, values) => {
                found.len() == weights.len() * values.len()
                    && outputs.across(weights, values.len()) == *values
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

/// The change of a function's results along a direction. The results must be right; if they are not, the function is
/// refuted on its own.
///
/// # Errors
/// The function has no value there, or is not verified.
pub fn change<S: Subject>(
    (subject, functions): (&S, &[Function<'_>]),
    name: &str,
    leaves: &impl Leaves<Dual<Residue>>,
    point: &mut Point,
) -> Result<Vec<Residue>, Stop> {
    let function = functions.iter().find(|it| it.signature.name == name);
    let function = function.ok_or(Stop::UNREAD)?;
    let found = programs::outputs(function, point, leaves, &mut false)?;
    let found = found.into_iter().next().ok_or(Stop::UNREAD)?.values;
    let outputs = Outputs::new(found.iter().map(|it| it.value).collect_vec());
    if !subject.facts(name, point)?.agree(&outputs) {
        return Err(Stop::UNREAD);
    }
    Ok(found.iter().map(|it| it.change).collect_vec())
}

/// The branches of the text, and the values of a program's conditions.
type Branches = (Vec<bool>, Vec<bool>);

/// A function during verification.
struct Examined<'a> {
    name: &'static str,
    function: &'a Function<'a>,
    /// Why it has no meaning in the field.
    gap: Option<Gap>,
    /// True if it chooses between values.
    chooses: bool,
    /// True if it depends on a sign that the text does not determine.
    own_signs: bool,
    /// The index of its conditions among those of all functions.
    conditions: Option<usize>,
    /// Branches at points where it was right. At another point with the same branches, it computes the same fractions,
    /// so only its conditions need to be compared.
    right: Vec<Branches>,
    /// The branches at the current point.
    here: Option<Branches>,
    /// The paths of the text on which it was compared.
    paths: Paths,
    /// Number of points at which it was compared.
    points: usize,
    /// Number of points at which it has the opposite sign.
    opposite: usize,
    /// Number of points at which it divides by 0 although a value is expected.
    zeros: usize,
    /// Number of points at which it has a root of an element without roots.
    roots: usize,
}

impl Examined<'_> {
    fn new<'a>(function: &'a Function<'a>) -> Examined<'a> {
        let chooses = choices::chooses(&function.body);
        Examined {
            name: function.signature.name,
            function,
            gap: None,
            chooses,
            conditions: None,
            right: Vec::new(),
            here: None,
            own_signs: false,
            paths: Paths::default(),
            points: 0,
            opposite: 0,
            zeros: 0,
            roots: 0,
        }
    }

    /// True if it had the opposite sign at every point.
    fn is_opposite(&self) -> bool {
        self.points > 0 && self.opposite == self.points
    }

    fn is_certified(&self) -> bool {
        let wanted = if self.is_opposite() {
            MOST_ROOTS
        } else if self.own_signs {
            POINTS_OF_OWN_SIGNS
        } else if self.paths.all_are_visited(&[]) {
            1
        } else {
            POINTS_OF_CHOICES
        };
        self.gap.is_none() && self.points >= wanted
    }

    /// Roots that the equations do not contain may have no value at several points, and signs at random.
    fn is_wrong(&self) -> bool {
        let nowhere = self.points == 0 && self.roots >= MOST_ROOTS;
        self.zeros > 0 || nowhere || self.is_opposite() && self.points >= MOST_ROOTS
    }

    fn stops(&mut self, stop: Stop) {
        if let Stop::Uncovered(gap) = stop {
            self.gap = Some(gap);
        }
    }

    /// Why it is not certified.
    fn left(&self) -> Gap {
        self.gap.unwrap_or(Gap::Points)
    }

    /// True if it was right on the current branches.
    fn repeats(&self) -> bool {
        self.here.as_ref().is_some_and(|it| self.right.contains(it))
    }

    /// Compares at a point; returns false if the results differ.
    fn agrees<S: Subject>(&mut self, subject: &mut S, point: &mut Point) -> bool {
        if self.is_certified() && !subject.determines_others(self.name) {
            return true;
        }
        match subject.facts(self.name, point) {
            Ok(facts) => self.finds(&facts, subject, point),
            Err(stop) => {
                self.stops(stop);
                true
            }
        }
    }

    fn finds<S: Subject>(&mut self, facts: &Facts, subject: &mut S, point: &mut Point) -> bool {
        let found = subject.found(self.name).filter(|_| !self.chooses);
        let alternatives = match found {
            Some(values) => Ok(vec![Outputs::new(values)]),
            None => programs::outputs(self.function, point, subject, &mut self.own_signs),
        };
        let alternatives = match alternatives {
            Ok(alternatives) => alternatives,
            Err(stop) => {
                self.stops(stop);
                self.zeros += usize::from(stop == Stop::Zero);
                self.roots += usize::from(stop == Stop::Root);
                return true;
            }
        };
        self.paths.visit(&point.answers);
        self.opposite += usize::from(alternatives.iter().all(|it| facts.is_opposite(&it.values)));
        self.points += 1;
        if subject.determines_others(self.name) {
            alternatives
                .iter()
                .for_each(|it| subject.record(&it.values));
        }
        let right = alternatives.iter().all(|found| facts.agree(found));
        self.right.push_each(self.here.take().filter(|_| right));
        right
    }

    /// Counts a point without a comparison, because its branches are known.
    fn pass(&mut self, point: &Point) {
        self.paths.visit(&point.answers);
        self.points += 1;
    }
}

/// Finds the branches at a point; most functions share their conditions.
fn find_branches<S: Subject>(
    examined: &mut [Examined<'_>],
    all: &mut Vec<Conditions>,
    subject: &S,
    point: &mut Point,
) {
    if all.is_empty() {
        for function in examined
            .iter_mut()
            .filter(|it| it.gap.is_none() && it.chooses)
        {
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
    let found: Vec<_> = found.map(|it| it.ok().flatten()).collect_vec();
    for function in examined.iter_mut().filter(|it| it.gap.is_none()) {
        let conditions = function.conditions.and_then(|it| found[it].clone());
        function.here = conditions.map(|it| (point.taken.clone(), it));
    }
}

/// The verdict on a function that differs from the text at a point. If the difference may come from an order or from
/// functions of constants that the field does not know, nothing is certified.
fn refuted<S>(
    (function, functions): (&'static str, &[Function<'_>]),
    point: &Point,
    read: &mut impl FnMut(&mut Point) -> Result<S, Stop>,
) -> Result<Certificate, Refuted> {
    let guesses = (0..MOST_ROOTS as u64).any(|seed| {
        let mut other = Point::new(seed, Paths::all_except(&point.answers));
        // If there is no value there, the questions up to that point suffice.
        let _ = read(&mut other);
        point.guesses(&other)
    });
    if guesses {
        return Ok(Certificate::without(functions, Gap::Numbers));
    }
    Err(Refuted { function })
}

/// Compares functions with the equations at as many points as needed.
///
/// # Errors
/// The first function that differs.
pub fn examine<'a, S: Subject>(
    model: &Model,
    functions: &'a [Function<'a>],
    mut read: impl FnMut(&mut Point) -> Result<S, Stop>,
) -> Result<Certificate, Refuted> {
    let mut examined: Vec<Examined<'_>> = functions.iter().map(Examined::new).collect_vec();
    let mut conditions = Vec::new();
    let first = seed(model);
    for attempt in 0..MOST_TRIES {
        let mut left = examined.iter().filter(|it| it.gap.is_none());
        let Some(left) = left.find(|it| !it.is_certified()) else {
            break;
        };
        // After many attempts, a path on which the equations have no value is not sought any longer.
        let seeks = attempt < POINTS_OF_CHOICES as u64;
        let visited = left.paths.clone();
        let mut point = Point::new(
            first.wrapping_add(attempt),
            if seeks { visited } else { Paths::default() },
        );
        let mut subject = match read(&mut point) {
            Ok(subject) => subject,
            Err(Stop::Uncovered(gap)) => return Ok(Certificate::without(functions, gap)),
            Err(Stop::Zero | Stop::Root) => continue,
        };
        point.reads_text = false;
        examined.iter_mut().for_each(|it| it.here = None);
        if subject.is_determined_by_branches() && !point.bends && !point.taken.is_empty() {
            find_branches(&mut examined, &mut conditions, &subject, &mut point);
        }
        let mut covered = examined.iter().filter(|it| it.gap.is_none());
        let is_new = covered.any(|it| !it.repeats() && !it.is_certified());
        for function in examined.iter_mut().filter(|it| it.gap.is_none()) {
            if function.repeats() && !(is_new && subject.determines_others(function.name)) {
                function.pass(&point);
            } else if !function.agrees(&mut subject, &mut point) {
                return refuted((function.name, functions), &point, &mut read);
            }
        }
    }
    if let Some(wrong) = examined.iter().find(|it| it.is_wrong()) {
        let mut point = Point::new(first, Paths::default());
        let _ = read(&mut point);
        return refuted((wrong.name, functions), &point, &mut read);
    }
    let (covered, left): (Vec<_>, Vec<_>) = examined.iter().partition(|it| it.is_certified());
    let points = covered.iter().map(|it| it.points);
    Ok(Certificate {
        points: points.max().unwrap_or_default(),
        functions: covered.iter().map(|it| it.name).collect_vec(),
        left: left.iter().map(|it| (it.name, it.left())).collect_vec(),
    })
}
