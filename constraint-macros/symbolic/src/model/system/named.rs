//! Named fields of a system's results: outputs and multipliers, each single or an array.

use proc_macro2::Ident;

use super::super::Shape;
use super::{Around, key};
use crate::expr::{CollectVec, Map};

/// Type of one element of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A number or a vector.
    Vector(Shape),
    /// A list of this length.
    List(usize),
}

impl Element {
    /// The number of scalars.
    pub fn scalars(self) -> usize {
        match self {
            Element::Vector(shape) => shape.len(),
            Element::List(length) => length,
        }
    }
}

/// A name with consecutive elements.
#[derive(Clone, Debug)]
pub struct Named {
    /// The user's identifier.
    pub name: Ident,
    /// The parts around it, the outermost first.
    pub around: Vec<Around>,
    /// The type of its elements.
    pub element: Element,
    /// The lowest value of each index.
    pub first: Vec<usize>,
    /// The number of values of each index.
    pub lengths: Vec<usize>,
    /// Places of the elements in the flat vector, in the order of their indices.
    pub places: Vec<usize>,
}

impl Named {
    /// Creates a name with elements of these indices.
    ///
    /// # Errors
    /// The number of the first element that is out of order; the last index must vary fastest.
    pub fn new<'a>(
        (around, name): (&[Around], &Ident),
        element: Element,
        indices: impl Iterator<Item = &'a [usize]> + Clone,
        places: Vec<usize>,
    ) -> Result<Named, usize> {
        let count = places.len();
        let first = indices.clone().next().unwrap_or_default();
        let lengths: Vec<usize> = (0..first.len())
            .map(|k| {
                let of_index = indices.clone().filter_map(|it| it.get(k));
                1 + of_index
                    .max()
                    .map_or(0, |&last| last.saturating_sub(first[k]))
            })
            .collect_vec();
        let named = Named {
            name: name.clone(),
            around: around.to_vec(),
            element,
            first: first.to_vec(),
            lengths,
            places,
        };
        let mut each = indices.enumerate();
        match each.find(|(i, found)| named.indices(*i) != *found) {
            Some((i, _)) => Err(i),
            None if named.elements() != count => Err(count - 1),
            None => Ok(named),
        }
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.lengths.iter().product()
    }

    /// Increment of the place per index, if the increments are constant.
    pub fn steps(&self) -> Option<Vec<usize>> {
        let start = *self.places.first()?;
        let inner = (1..=self.lengths.len()).map(|k| self.lengths[k..].iter().product());
        let steps = inner
            .zip(&self.lengths)
            .map(|(next, &length): (usize, _)| match length {
                1 => Some(0),
                _ => self.places[next].checked_sub(start),
            });
        let steps: Vec<usize> = steps.collect::<Option<_>>()?;
        let even = |(i, &place): (usize, &usize)| {
            let offsets = self.indices(i).into_iter().zip(&self.first).zip(&steps);
            let offset: usize = offsets.map(|((i, first), step)| (i - first) * step).sum();
            place == start + offset
        };
        self.places.iter().enumerate().all(even).then_some(steps)
    }

    /// The indices of element number `i`.
    fn indices(&self, mut i: usize) -> Vec<usize> {
        let mut indices = self.first.clone();
        for (index, length) in indices.iter_mut().zip(&self.lengths).rev() {
            *index += i % length;
            i /= length;
        }
        indices
    }
}

/// Groups elements by name, in the order of the first of each.
pub(super) fn grouped<T>(
    written: Vec<T>,
    field: impl Fn(&T) -> (&Vec<Around>, &Ident),
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    let mut known: Map<String, usize> = Map::default();
    for it in written {
        let (around, name) = field(&it);
        let key = key(around.iter().map(|it| &it.field).chain([name]));
        let group = *known.entry(key).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(it);
    }
    groups
}
