//! Names of numbers and rows in messages.

#[cfg(any(feature = "ensemble", feature = "serde-no-std"))]
use alloc::string::String;
use core::fmt;

/// A row of a system's constraints: its index and, if the system names its rows, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index in C, λ and J, from 0.
    pub index: usize,
    /// Name as declared.
    pub name: Option<&'static str>,
}

impl From<usize> for Row {
    fn from(index: usize) -> Self {
        Self { index, name: None }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => write!(f, "`{name}`"),
            None => write!(f, "row {}", self.index),
        }
    }
}

/// The coordinate that an error refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// By its name, as declared.
    Named(&'static str),
    /// By its number, in loops, where the name is not at hand.
    Numbered {
        /// Its index among the velocities, from 0.
        index: usize,
        /// The names of the velocities, if the system has any.
        names: Option<&'static [Names]>,
    },
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Coordinate::Named(name) => write!(f, "`{name}`"),
            Coordinate::Numbered { index, names } => Named(names, index).fmt(f),
        }
    }
}

/// Names of coordinates or of velocities: those of one declaration.
///
/// ```
/// use constraint_runtime::{Names, Quantity, prelude::*};
///
/// system! {
///     struct Drops { m: Real = 1 }
///     particle drop[3]: Point2 { mass: m }
/// }
/// let names = Drops::<f64>::default().names(Quantity::Coordinate).unwrap();
/// assert_eq!(names, [Names::of_array("drop", 3, &[".x", ".y"])]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// As declared.
    pub base: &'static str,
    /// The length, if it is an array; the outermost length if it is an array of arrays.
    pub count: Option<usize>,
    /// The lengths of the arrays within, the outermost first.
    pub inner: &'static [usize],
    /// The suffixes of the components, such as `.x`; one empty suffix for a number.
    pub components: &'static [&'static str],
}

impl Names {
    /// The names of a single declaration.
    pub const fn of(base: &'static str, components: &'static [&'static str]) -> Self {
        Self {
            base,
            count: None,
            inner: &[],
            components,
        }
    }

    /// The names of an array.
    pub const fn of_array(
        base: &'static str,
        count: usize,
        components: &'static [&'static str],
    ) -> Self {
        Self {
            base,
            count: Some(count),
            inner: &[],
            components,
        }
    }

    /// The same for an array whose elements are arrays of these lengths, the outermost first.
    pub const fn of_arrays(self, inner: &'static [usize]) -> Self {
        Self { inner, ..self }
    }

    /// The name of the number at an index, `bead[1].y`, if it has one.
    #[cfg(any(feature = "ensemble", feature = "serde-no-std"))]
    pub(crate) fn name_at(names: Option<&[Self]>, index: usize) -> Option<String> {
        let shown = alloc::format!("{}", Named(Some(names?), index));
        let name = shown.strip_prefix('`')?.strip_suffix('`')?;
        Some(name.into())
    }
}

/// The name of the number at an index, or the index.
pub(super) struct Named<'a>(pub Option<&'a [Names]>, pub usize);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Named(names, index) = self;
        let mut rest = index;
        for names in names.unwrap_or_default() {
            let Names {
                base,
                count,
                inner,
                components,
            } = names;
            let size = components.len();
            let mut within = inner.iter().product::<usize>() * size;
            let scalars = count.unwrap_or(1) * within;
            if rest >= scalars {
                rest -= scalars;
                continue;
            }
            write!(f, "`{base}")?;
            if count.is_some() {
                write!(f, "[{}]", rest / within)?;
            }
            for length in *inner {
                rest %= within;
                within /= length;
                write!(f, "[{}]", rest / within)?;
            }
            return write!(f, "{}`", components[rest % size]);
        }
        write!(f, "{index}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_by_their_names() {
        const NAMES: &[Names] = &[
            Names::of("x", &[""]),
            Names::of_array("bead", 2, &[".x", ".y"]),
        ];
        let named = |index| Named(Some(NAMES), index).to_string();
        assert_eq!([0, 1, 4].map(named), ["`x`", "`bead[0].x`", "`bead[1].y`"]);
        assert_eq!(named(5), "5");
        assert_eq!(Named(None, 3).to_string(), "3");
    }
}
