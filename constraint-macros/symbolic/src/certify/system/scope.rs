//! Expressions that only systems have: user functions, sums, poses, and solved quantities.

use crate::expr::{CollectVec, PushEach, SortedMap};
use std::ops::Range;
use std::rc::Rc;

use crate::certify::bodies::Moving;
use crate::certify::field::Residue;
use crate::certify::point::Stop;
use crate::certify::series::{Series, dot};
use crate::certify::tree::{Found, Reader, Value};
use crate::expr::Function as Of;
use crate::syntax::ast::{Expr, ExprKind, Repeated, name_of};
use crate::syntax::statement::Function;

/// The meaning of a system's names other than values.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    /// The user's functions.
    pub functions: Vec<Callable<'a>>,
    /// The prefix of names that are declared here: `leg[2].` in a part.
    pub prefix: String,
    /// The rows of each constraint.
    pub rows: SortedMap<String, Range<usize>>,
    /// λ, once it is known.
    pub multipliers: Option<Vec<Residue>>,
}

/// A function, and the number of names that are visible to it.
#[derive(Debug)]
pub struct Callable<'a> {
    pub name: String,
    pub function: &'a Function,
    pub names: usize,
}

impl<'a> Reader<'a> {
    /// The value of a call other than one of a builtin function of numbers, vectors or bodies.
    pub fn of_system(&mut self, name: &str, arguments: &[Expr]) -> Found<Option<Value>> {
        let mut known = self.scope.functions.iter().rev();
        if let Some(&Callable {
            function, names, ..
        }) = known.find(|it| it.name == name)
        {
            return self.call_user(function, names, arguments).map(Some);
        }
        Ok(Some(match (name, arguments) {
            ("multiplier", [constraint]) => self.multiplier(constraint)?,
            ("acceleration", [place]) => {
                let place = self.value(place)?;
                let rates = place.components().iter().map(|it| it.rates().rates());
                place.of(rates.collect_vec())
            }
            ("angular_acceleration", [body]) => match self.value(body)? {
                Value::Body(body) => {
                    let rates: Vec<Series> = body.spin.iter().map(|it| it.rates()).collect_vec();
                    match rates[..] {
                        [rate] => Value::Scalar(rate),
                        _ => Value::Vector(rates),
                    }
                }
                _ => return Err(Stop::UNREAD),
            },
            ("pose", _) => self.pose(arguments)?,
            _ => return Ok(None),
        }))
    }

    /// The value of a user function, with the first `seen` names visible.
    fn call_user(&mut self, callee: &Function, seen: usize, arguments: &[Expr]) -> Found<Value> {
        let values: Found<Vec<Value>> = arguments.iter().map(|it| self.value(it)).collect();
        let values = values?;
        let outside = self.names.split_off(seen.min(self.names.len()));
        let names = callee.arguments.iter().map(name_of);
        self.names.push_each(names.zip(values));
        let found = self.value(&callee.value);
        self.names.truncate(seen);
        self.names.push_each(outside);
        found
    }

    /// `sum(i in 0..n: term)`
    pub fn sum_over(&mut self, repeated: &Repeated, term: &Expr) -> Found<Value> {
        let indices = self.indices(repeated)?;
        let mut total: Option<Value> = None;
        for i in indices.clone() {
            let value = self.term(repeated, term, i)?;
            total = Some(match total {
                None => value,
                Some(sum) => {
                    let pairs = sum.components().iter().zip(value.components());
                    sum.of(pairs.map(|(a, b)| a.plus(*b)).collect_vec())
                }
            });
        }
        if let Some(total) = total {
            return Ok(total);
        }
        // The sum is empty, but its shape is needed: an element next to the range may exist.
        let mut near = [indices.start, indices.start - 1].into_iter();
        let shape = near.find_map(|i| match self.term(repeated, term, i) {
            Ok(Value::Vector(components)) => Some(components.len()),
            _ => None,
        });
        Ok(match shape {
            Some(size) => Value::Vector(vec![Series::default(); size]),
            None => Value::Scalar(Series::default()),
        })
    }

    fn term(&mut self, repeated: &Repeated, term: &Expr, i: i64) -> Found<Value> {
        let outside = self.names.len();
        let index = Value::Scalar(Series::constant(Residue::of(i)));
        self.names.push((name_of(&repeated.index), index));
        let found = self.value(term);
        self.names.truncate(outside);
        found
    }

    /// The values of an index.
    pub fn indices(&mut self, repeated: &Repeated) -> Found<Range<i64>> {
        let (start, end) = (self.whole(&repeated.start)?, self.whole(&repeated.end)?);
        Ok(start..end + i64::from(repeated.inclusive))
    }

    /// `pose(place)`, `pose(place, angle)`, `pose(place, axis, angle)`
    fn pose(&mut self, arguments: &[Expr]) -> Found<Value> {
        let (place, turn) = arguments.split_first().ok_or(Stop::UNREAD)?;
        let place = self.value(place)?.components().to_vec();
        let pose = match turn {
            [] => Moving::unturned(place),
            [.., angle] => {
                let axis = match turn {
                    [axis, _] => self.value(axis)?.components().to_vec(),
                    _ => Vec::new(),
                };
                let angle = self.scalar(angle)?;
                let cosine = angle.call(Of::Cos, self.point)?;
                let sine = angle.call(Of::Sin, self.point)?;
                if axis.is_empty() {
                    Moving::turned_in_the_plane(place, angle, [cosine, sine])
                } else {
                    // Half a turn depends on the axis's direction but not on its length, which may be a rounded number.
                    let square = dot(&axis, &axis);
                    let inverse = match sine == Series::default() && angle.is_constant() {
                        true => Series::default(),
                        false => square.call(Of::Sqrt, self.point)?.inverse()?,
                    };
                    let along = axis.iter().map(|it| it.times(inverse)).collect_vec();
                    let axis = [axis, along];
                    Moving::turned_about(place, axis, square.inverse()?, (angle, [cosine, sine]))
                }
            }
        };
        Ok(Value::Body(Rc::new(pose)))
    }

    /// λ of the rows of a constraint; an index after those of its declaration selects a row.
    fn multiplier(&mut self, argument: &Expr) -> Found<Value> {
        let name = self.spelled(argument)?;
        let own = format!("{}{name}", self.scope.prefix);
        let known = |name: &str| self.scope.rows.get(name).cloned();
        let of_a_row = || {
            let (of, row) = name.strip_suffix(']')?.rsplit_once('[')?;
            let all = known(&format!("{}{of}", self.scope.prefix)).or_else(|| known(of))?;
            let row = all.start + row.parse::<usize>().ok()?;
            Some(row..row + 1)
        };
        let rows = known(&own).or_else(|| known(&name)).or_else(of_a_row);
        let solved = self.scope.multipliers.as_ref();
        let found = rows
            .and_then(|rows| solved?.get(rows))
            .ok_or(Stop::UNREAD)?;
        Ok(match *found {
            [one] => Value::Scalar(Series::constant(one)),
            _ => Value::Vector(found.iter().map(|&it| Series::constant(it)).collect_vec()),
        })
    }

    /// `leg[2].link[3]`
    fn spelled(&mut self, expr: &Expr) -> Found<String> {
        Ok(match &expr.kind {
            ExprKind::Name(name) => name_of(name),
            ExprKind::Component(of, name) => format!("{}.{}", self.spelled(of)?, name_of(name)),
            ExprKind::Index(of, index) => format!("{}[{}]", self.spelled(of)?, self.whole(index)?),
            _ => return Err(Stop::UNREAD),
        })
    }
}
