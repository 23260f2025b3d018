//! Names of numbers and rows in messages.

#[cfg(any(feature = "ensemble", feature = "serde-no-std"))]
use alloc::string::String;
use core::fmt;

/// A row of a system's constraints: its index and, if the system names its rows, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Index in C, λ and J, from 0.
    pub index: usize,
    /// Name as declared; in a `World`, the type of the joint.
    pub name: Option<&'static str>,
    /// The joint it belongs to, in a `World`.
    pub joint: Option<RowJoint>,
}

impl Row {
    /// Adds name and joint if they are not known yet.
    pub(super) fn described(self, describe: impl Fn(usize) -> Self) -> Self {
        if self.name.is_some() {
            return self;
        }
        let Self { name, joint, .. } = describe(self.index);
        Self {
            name,
            joint,
            ..self
        }
    }
}

impl From<usize> for Row {
    fn from(index: usize) -> Self {
        Self {
            index,
            name: None,
            joint: None,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name, self.joint) {
            (Some(name), Some(joint)) => joint.show(name, f),
            (Some(name), None) => write!(f, "`{name}`"),
            (None, _) => write!(f, "row {}", self.index),
        }
    }
}

/// A row as the subject of a message: "constraint `link`", "constraint row 2", "joint 3 (Ball between bodies 1 and 2)".
pub(super) struct Subject(pub Row);

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.joint.is_none() {
            f.write_str("constraint ")?;
        }
        self.0.fmt(f)
    }
}

/// The joint of a `World` that a row belongs to: its number and its bodies.
///
/// ```
/// use constraint_runtime::joint::Ball;
/// use constraint_runtime::prelude::*;
///
/// let mut world = World3::<f64>::new();
/// let wall = world.add(Body3::fixed(Rigid3::identity()))?;
/// let bob = world.add(Body3::new(Inertia3::principal(1.0, [0.1; 3])?, Rigid3::identity()))?;
/// let ball = Ball { r1: Vector3::zeros(), r2: Vector3::zeros() };
/// world.connect(ball, [wall, bob])?;
/// let row = world.describe_row(2);
/// assert_eq!(row.to_string(), "joint 0 (Ball between fixed body 0 and body 1)");
/// let joint = row.joint.unwrap();
/// assert_eq!((joint.index(), joint.bodies().collect::<Vec<_>>()), (0, vec![0, 1]));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowJoint {
    index: u32,
    /// Its first two bodies: an error has a fixed size.
    bodies: [u32; 2],
    fixed: [bool; 2],
    /// Number of its bodies.
    count: u8,
}

impl RowJoint {
    /// The joint with this number; `true` marks fixed bodies.
    #[cfg(feature = "world")]
    pub(crate) fn new(index: usize, mut bodies: impl Iterator<Item = (usize, bool)>) -> Self {
        let first = [bodies.next(), bodies.next()];
        let count = first.iter().flatten().count() + bodies.count();
        let first = first.map(Option::unwrap_or_default);
        Self {
            index: index as u32,
            bodies: first.map(|(body, _)| body as u32),
            fixed: first.map(|(_, fixed)| fixed),
            count: count.min(u8::MAX.into()) as u8,
        }
    }

    /// Its number in order of connection, from 0.
    pub fn index(&self) -> usize {
        self.index as usize
    }

    /// Numbers of its first two bodies, in the order in which bodies were added, from 0.
    pub fn bodies(&self) -> impl Iterator<Item = usize> + use<> {
        let bodies = self.bodies.into_iter().take(self.count.into());
        bodies.map(|body| body as usize)
    }

    fn show(&self, kind: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            index,
            bodies: [a, b],
            fixed,
            count,
        } = self;
        write!(f, "joint {index} ({kind} ")?;
        let word = |fixed| if fixed { "fixed body" } else { "body" };
        match (count, *fixed) {
            (0, _) => f.write_str("of no body")?,
            (1, [fixed, _]) => write!(f, "of {} {a}", word(fixed))?,
            (2, [false, false]) => write!(f, "between bodies {a} and {b}")?,
            (2, [true, true]) => write!(f, "between fixed bodies {a} and {b}")?,
            (2, fixed) => {
                let [first, second] = fixed.map(word);
                write!(f, "between {first} {a} and {second} {b}")?;
            }
            (_, fixed) => {
                let [first, second] = fixed.map(word);
                write!(
                    f,
                    "between {first} {a}, {second} {b} and {} more",
                    count - 2
                )?;
            }
        }
        f.write_str(")")
    }
}

/// The coordinate that an error refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    /// By its name, as declared.
    Named(&'static str),
    /// By its number, in loops, where the name is not at hand.
    Numbered {
        /// Its index among the velocities, for limits among the coordinates, from 0.
        index: usize,
        /// The names of these, if the system has any.
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
/// use constraint_runtime::error::{Names, Quantity};
/// use constraint_runtime::prelude::*;
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

    /// How many elements the declaration has.
    fn elements(&self) -> usize {
        self.count.unwrap_or(1) * self.inner.iter().product::<usize>()
    }

    /// Writes the name of an element: `bead[1]`.
    fn write_element(&self, index: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut within: usize = self.inner.iter().product();
        f.write_str(self.base)?;
        if self.count.is_some() {
            write!(f, "[{}]", index / within)?;
        }
        let mut rest = index;
        for length in self.inner {
            rest %= within;
            within /= length;
            write!(f, "[{}]", rest / within)?;
        }
        Ok(())
    }

    /// What the suffixes begin with: the name in a part, as `.knee` of `.knee.x` and `.knee.y`.
    fn member(&self) -> &'static str {
        let [first, rest @ ..] = self.components else {
            return "";
        };
        let shared = |n: &usize| rest.iter().all(|it| it.get(..*n) == first.get(..*n));
        let mut dots = first.rmatch_indices('.').map(|(at, _)| at);
        match rest {
            [] => first,
            _ => dots
                .find(|at| shared(&(at + 1)))
                .map_or("", |at| &first[..at]),
        }
    }

    /// Writes the numbers of an element: `0.5`, `(0.6, -0.8)`, `(x: 0.6, y: -0.8, re: 1, im: 0)`.
    fn write_numbers<T: fmt::Display>(
        &self,
        numbers: &[T],
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        if let [x] = numbers {
            return x.fmt(f);
        }
        let skipped = self.member().len() + 1;
        let names = self.components.iter().map(|it| &it[skipped..]);
        let is_point = names
            .clone()
            .eq(["x", "y", "z"].into_iter().take(numbers.len()));
        for (i, (x, name)) in numbers.iter().zip(names).enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            if !is_point {
                write!(f, "{name}: ")?;
            }
            x.fmt(f)?;
        }
        f.write_str(")")
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
            let size = names.components.len();
            let scalars = names.elements() * size;
            if rest >= scalars {
                rest -= scalars;
                continue;
            }
            f.write_str("`")?;
            names.write_element(rest / size, f)?;
            return write!(f, "{}`", names.components[rest % size]);
        }
        write!(f, "{index}")
    }
}

/// Writes numbers under their names: `angle = 0.5, bob = (0.6, -0.8)`.
pub fn write_named<T: fmt::Display>(
    names: &[Names],
    mut numbers: &[T],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut separator = "";
    for names in names {
        for index in 0..names.elements() {
            let (element, rest) = numbers.split_at(names.components.len());
            f.write_str(separator)?;
            names.write_element(index, f)?;
            write!(f, "{} = ", names.member())?;
            names.write_numbers(element, f)?;
            (numbers, separator) = (rest, ", ");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_under_their_names() {
        struct Shown(&'static [Names], Vec<f64>);
        impl fmt::Display for Shown {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_named(self.0, &self.1, f)
            }
        }
        let shown = |names, numbers: &[f64]| Shown(names, numbers.to_vec());
        const POINTS: &[Names] = &[
            Names::of("angle", &[""]),
            Names::of_array("bead", 2, &[".x", ".y"]),
        ];
        let points = shown(POINTS, &[0.5, 1.0, 2.0, -3.0, 4.0]);
        let expected = "angle = 0.5, bead[0] = (1, 2), bead[1] = (-3, 4)";
        assert_eq!(points.to_string(), expected);
        let expected = "angle = 0.50, bead[0] = (1.00, 2.00), bead[1] = (-3.00, 4.00)";
        assert_eq!(format!("{points:.2}"), expected);
        const PARTS: &[Names] = &[
            Names::of_array("leg", 2, &[".knee"]),
            Names::of_array("leg", 1, &[".foot.x", ".foot.y"]),
            Names::of("hull", &[".linear.x", ".linear.y", ".angular"]),
            Names::of_array("net", 1, &[""]).of_arrays(&[2]),
        ];
        let parts = shown(PARTS, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let expected = "leg[0].knee = 1, leg[1].knee = 2, leg[0].foot = (3, 4), \
            hull = (linear.x: 5, linear.y: 6, angular: 7), net[0][0] = 8, net[0][1] = 9";
        assert_eq!(parts.to_string(), expected);
        assert_eq!(shown(&[], &[]).to_string(), "");
    }

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
