//! Results of a system by name: outputs, and multipliers under the names of their rows.

use core::ops::{Deref, Index, IndexMut};
use core::slice;

use crate::error::Error;
use crate::real::Real;
use crate::system::Constrained;

/// A system whose `system!` declares outputs.
///
/// `output name = value;` adds a field to a struct such as `ChainOutputs`. The value is any expression in time,
/// coordinates, velocities, parameters and inputs, and may use results of the solution: `acceleration(p)` of a point,
/// `angular_acceleration(body)`, and `multiplier(link[3])`, λ of a constraint.
///
/// - Units: those of the expressions.
/// - Sign: +λ pushes along the gradient of the row as written, `lhs - rhs`.
/// - Cost: one program for all; nothing is solved if no output uses λ or an acceleration, otherwise λ and v̇ once.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A pendulum, and the pull of its rod.
///     pub struct Pendulum { m: Real = 2, l: Real = 1, g: Real = 10 }
///     particle bob: Point2 { mass: m }
///     constraint rod: norm(bob) == l;
///     gravity [0, -g];
///     output tension = -multiplier(rod);
///     output speed = norm(velocity(bob));
///     output felt = acceleration(bob) + [0, g];
/// }
/// // Through the lowest point with speed 3: the rod pulls with m (g + v²/l).
/// let start = State::new(0.0, [0.0, -1.0], [3.0, 0.0]);
/// let run = Simulation::new(Pendulum::default(), start, Rk4::new(1e-3))?;
/// let PendulumOutputs { tension, speed, felt } = run.outputs()?;
/// assert_eq!((tension, speed), (38.0, 3.0));
/// assert_eq!(felt, Vector2::new(0.0, 19.0));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no outputs",
    note = "declare one with `output name = value;` in its `system!`"
)]
pub trait Outputs<T: Real>: Constrained<T> {
    /// The outputs by name.
    type Outputs;

    /// The outputs at a state.
    ///
    /// # Errors
    /// As [`acceleration`](crate::Dynamics::acceleration), if an output uses λ or an acceleration; otherwise none.
    fn outputs(&self, t: T, q: &Self::Q, v: &Self::V) -> Result<Self::Outputs, Error>;
}

/// λ by the names of the constraints, and flat: `lambda.link[3]`, `lambda[4]`, `lambda.flat`.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     pub struct Chain { m: Real = 1, l: Real = 1, g: Real = 10 }
///     particle bead[3]: Point2 { mass: m }
///     gravity [0, -g];
///     constraint anchor: norm(bead[0]) == l;
///     constraint link[i in 1..3]: norm(bead[i] - bead[i - 1]) == l;
/// }
/// let start = State::new(0.0, [0.0, -1.0, 0.0, -2.0, 0.0, -3.0], [0.0; 6]);
/// let run = Simulation::new(Chain::default(), start, Rk4::new(1e-3))?;
/// let lambda = run.multipliers()?;
/// // A chain at rest: each link carries the beads below it.
/// assert_eq!([lambda.anchor, lambda.link[1], lambda.link[2]], [-30.0, -20.0, -10.0]);
/// assert_eq!(lambda.flat.as_slice(), [-30.0, -20.0, -10.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multipliers<R, N> {
    /// In the order of the rows.
    pub flat: R,
    named: N,
}

impl<R: Clone, N: From<R>> From<R> for Multipliers<R, N> {
    fn from(flat: R) -> Self {
        let named = flat.clone().into();
        Self { flat, named }
    }
}

impl<R, N> Deref for Multipliers<R, N> {
    type Target = N;

    fn deref(&self) -> &N {
        &self.named
    }
}

impl<R: Index<usize>, N> Index<usize> for Multipliers<R, N> {
    type Output = R::Output;

    /// λ of a row by its number.
    fn index(&self, row: usize) -> &R::Output {
        &self.flat[row]
    }
}

/// The elements of a name whose index begins at `FIRST`: seven for `link[i in 1..8]`, `link[1]` to `link[7]`.
///
/// Any other index panics.
///
/// ```
/// use constraint_runtime::Numbered;
///
/// let link: Numbered<f64, 1, 3> = Numbered::new([0.5, 0.25, 0.125]);
/// assert_eq!(link[2], 0.25);
/// assert_eq!(link.iter().sum::<f64>(), 0.875);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbered<E, const FIRST: usize, const LEN: usize>([E; LEN]);

impl<E, const FIRST: usize, const LEN: usize> Numbered<E, FIRST, LEN> {
    /// These elements; the first has the index `FIRST`.
    pub const fn new(elements: [E; LEN]) -> Self {
        Self(elements)
    }

    /// The elements as an array, which begins at 0.
    pub const fn as_array(&self) -> &[E; LEN] {
        &self.0
    }

    /// The elements in order.
    pub fn iter(&self) -> slice::Iter<'_, E> {
        self.0.iter()
    }
}

impl<E, const FIRST: usize, const LEN: usize> Index<usize> for Numbered<E, FIRST, LEN> {
    type Output = E;

    fn index(&self, i: usize) -> &E {
        let found = i.checked_sub(FIRST).and_then(|i| self.0.get(i));
        found.unwrap_or_else(|| none::<FIRST, LEN>(i))
    }
}

impl<E, const FIRST: usize, const LEN: usize> IndexMut<usize> for Numbered<E, FIRST, LEN> {
    fn index_mut(&mut self, i: usize) -> &mut E {
        let found = i.checked_sub(FIRST).and_then(|i| self.0.get_mut(i));
        found.unwrap_or_else(|| none::<FIRST, LEN>(i))
    }
}

impl<'a, E, const FIRST: usize, const LEN: usize> IntoIterator for &'a Numbered<E, FIRST, LEN> {
    type Item = &'a E;
    type IntoIter = slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cold]
fn none<const FIRST: usize, const LEN: usize>(i: usize) -> ! {
    panic!(
        "there is no element {i}: they are numbered from {FIRST} to {}",
        FIRST + LEN - 1
    )
}
