//! Arrays declared element by element, in a `for`, and the places of their elements among all coordinates.

use super::super::value::Value;
use super::super::{Body, Role, Shape};
use super::statements::SystemBuilder;
use crate::diagnostic::{SourceRange, system};
use crate::expr::{CollectVec, sort_by_key};
use crate::syntax::ast::name_of;
use crate::syntax::statement;

/// An array whose elements are declared one by one.
#[derive(Debug)]
pub(super) struct Growing {
    kind: ElementKind,
    /// The indices of the last element.
    last: Vec<usize>,
    /// The lengths of the inner arrays, once the first of them are complete.
    inner: Vec<Option<usize>>,
    /// Its number among the declarations; `None` if expressions place its elements.
    declared: Option<usize>,
    /// The indices as written.
    range: SourceRange,
}

/// Kind of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    /// A particle, placed by an expression.
    Placed,
    /// A body, posed by an expression.
    Posed,
    /// Has its own coordinates.
    Own(Own),
    /// A use of the part of this name.
    Part(String),
}

/// Shape of a point or body with its own coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Own {
    pub shape: Shape,
    pub body: bool,
}

impl ElementKind {
    fn in_words(&self) -> String {
        let words = match self {
            ElementKind::Part(part) => return format!("a `{part}`"),
            ElementKind::Placed => "a particle placed by an expression",
            ElementKind::Posed => "a body posed by an expression",
            ElementKind::Own(Own { shape, body }) => match (body, shape) {
                (false, Shape::Space) => "a `Point3`",
                (false, _) => "a `Point2`",
                (true, Shape::Space) => "a `Rigid3`",
                (true, _) => "a `Rigid2`",
            },
        };
        words.to_owned()
    }
}

impl Growing {
    /// The message if these are not the indices of the next element; otherwise they become the last.
    fn step(
        &mut self,
        name: &str,
        next: &[usize],
        range: SourceRange,
    ) -> Option<crate::diagnostic::Diagnostic> {
        if next.len() != self.last.len() {
            return Some(system::other_indices(range, name, self.last.len()));
        }
        let mut expected = self.last.clone();
        if let Some(last) = expected.last_mut() {
            *last += 1;
        }
        let differs = (0..next.len()).find(|&k| next[k] != self.last[k]);
        let begins = differs
            .filter(|&k| next[k] == self.last[k] + 1 && next[k + 1..].iter().all(|&i| i == 0));
        let Some(level) = begins else {
            return Some(system::index_out_of_order(range, &expected));
        };
        let unlike = self.close(name, level + 1);
        self.last = next.to_vec();
        self.range = range;
        unlike
    }

    /// The message if arrays from a level on end here with another length than those before.
    fn close(&mut self, name: &str, level: usize) -> Option<crate::diagnostic::Diagnostic> {
        for k in level..self.last.len() {
            let length = self.last[k] + 1;
            let first = *self.inner[k].get_or_insert(length);
            if length != first {
                let outer: String = self.last[..k].iter().map(|i| format!("[{i}]")).collect();
                let array = format!("{name}{outer}");
                return Some(system::unlike_lengths(self.range, &array, length, first));
            }
        }
        None
    }
}

impl SystemBuilder<'_> {
    /// The indices of an element; `None` if one is invalid, which is reported.
    pub fn indices_of(&mut self, declared: &statement::Declared) -> Option<Vec<usize>> {
        let indices = declared.brackets.iter().map(|bracket| {
            let index = self.lowering.whole(bracket, system::index_not_constant)?;
            let index_from_zero = usize::try_from(index).ok();
            if index_from_zero.is_none() {
                self.lowering
                    .report(system::index_negative(bracket.range, index));
            }
            index_from_zero
        });
        let indices: Vec<Option<usize>> = indices.collect_vec();
        indices.into_iter().collect()
    }

    /// Whether these are the next indices of a name; the first makes it an array. Mistakes are reported.
    pub fn grows(
        &mut self,
        declared: &statement::Declared,
        indices: &[usize],
        kind: ElementKind,
    ) -> bool {
        let (text, range) = (name_of(&declared.name), declared.indices());
        let mistake = match self.growing.get_mut(&text) {
            None => return self.begins(declared, indices, kind),
            Some(array) if array.kind != kind => {
                let (is, found) = (array.kind.in_words(), kind.in_words());
                Some(system::elements_of_two_kinds(
                    declared.name.span().into(),
                    &text,
                    &is,
                    &found,
                ))
            }
            Some(array) => array.step(&text, indices, range),
        };
        mistake
            .map(|mistake| self.lowering.report(mistake))
            .is_none()
    }

    fn begins(
        &mut self,
        declared: &statement::Declared,
        indices: &[usize],
        kind: ElementKind,
    ) -> bool {
        let first = vec![0; indices.len()];
        if indices != first {
            let diagnostic = system::index_out_of_order(declared.indices(), &first);
            self.lowering.report(diagnostic);
            return false;
        }
        if !self
            .lowering
            .bind_lasting(&declared.name, Value::Array(Default::default()))
        {
            return false;
        }
        let place = match kind {
            ElementKind::Placed | ElementKind::Posed | ElementKind::Part(_) => None,
            ElementKind::Own(own) => Some(self.field(&declared.name, own)),
        };
        let array = Growing {
            kind,
            inner: vec![None; indices.len()],
            last: indices.to_vec(),
            declared: place,
            range: declared.indices(),
        };
        self.growing.insert(name_of(&declared.name), array);
        true
    }

    /// The declaration that owns coordinates from now on.
    pub fn owner_of(&self, declared: &statement::Declared) -> usize {
        let array = self.growing.get(&name_of(&declared.name));
        let place = array.and_then(|array| array.declared);
        place.unwrap_or(self.system.declared.len())
    }

    /// Ends all arrays, and groups their elements.
    pub fn close_arrays(&mut self) {
        self.close_growing();
        self.gather();
    }

    /// Ends the arrays of this scope.
    pub fn close_growing(&mut self) {
        for (name, mut array) in std::mem::take(&mut self.growing) {
            // An array that has been abandoned is not complete.
            let unlike = array.close(&name, 1);
            if let Some(diagnostic) = unlike.filter(|_| self.lowering.diagnostics.is_empty()) {
                self.lowering.report(diagnostic);
            }
            if let Some(declared) = array.declared {
                let lengths: Vec<usize> = array.last.iter().map(|last| last + 1).collect_vec();
                self.end_lengths(declared, &lengths);
            }
        }
    }

    /// Sorts coordinates and velocities by declaration instead of by statement.
    fn gather(&mut self) {
        let [positions, velocities] =
            [&self.owners, &self.owners_of_velocities].map(|owners| new_numbers(owners));
        for symbol in &mut self.lowering.model.symbols {
            match &mut symbol.role {
                Role::Coordinate(i) => *i = positions[*i],
                Role::Velocity(i) | Role::Acceleration(i) => *i = velocities[*i],
                _ => {}
            }
        }
        let mut coordinates: Vec<_> = std::mem::take(&mut self.system.coordinates)
            .into_iter()
            .enumerate()
            .collect_vec();
        sort_by_key(&mut coordinates, |(i, _)| velocities[*i]);
        self.system.coordinates = coordinates.into_iter().map(|(_, it)| it).collect_vec();
        self.gather_bodies();
    }

    /// Sorts bodies in the same order.
    fn gather_bodies(&mut self) {
        let model = &mut self.lowering.model;
        let first = |body: &Body| match model.role(body.position[0]) {
            Some(Role::Coordinate(i)) => i,
            _ => 0,
        };
        let places: Vec<usize> = model.bodies.iter().map(first).collect_vec();
        let numbers = new_numbers(&places);
        let mut bodies: Vec<(usize, Body)> = std::mem::take(&mut model.bodies)
            .into_iter()
            .enumerate()
            .collect_vec();
        sort_by_key(&mut bodies, |(i, _)| numbers[*i]);
        model.bodies = bodies.into_iter().map(|(_, body)| body).collect_vec();
        for arm in &mut model.arms {
            arm.body = numbers[arm.body];
        }
        for inertia in &mut self.system.inertias {
            inertia.body = numbers[inertia.body];
        }
        sort_by_key(&mut self.system.inertias, |inertia| inertia.body);
    }
}

/// New number for each old one: sorted by owner, and for one owner in the original order.
fn new_numbers(owners: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..owners.len()).collect_vec();
    sort_by_key(&mut order, |&i| owners[i]);
    let mut numbers = vec![0; owners.len()];
    for (new, old) in order.into_iter().enumerate() {
        numbers[old] = new;
    }
    numbers
}
