//! The vectors of states, slopes and rows: of a size known at compile time, or of any size.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::{Index, IndexMut};

use nalgebra::{ArrayStorage, DVector, SVector};

use crate::real::Real;

/// A vector of scalars. [`SVector`], if the number of entries is known at compile time, needs no heap, and its loops
/// are unrolled; [`HeapArray`](crate::HeapArray) is for fixed numbers that are too large for the stack; [`DVector`]
/// is for numbers known only at run time.
///
/// ```
/// use constraint_runtime::Vector;
/// use constraint_runtime::nalgebra::{DVector, Vector2};
///
/// fn half<X: Vector<Scalar = f64>>(x: &X) -> X {
///     x.like(|i| 0.5 * x[i])
/// }
/// assert_eq!(half(&Vector2::new(1.0, 2.0)), Vector2::new(0.5, 1.0));
/// assert_eq!(half(&DVector::from_vec(vec![1.0, 2.0])).len(), 2);
/// assert_eq!((Vector2::<f64>::LEN, DVector::<f64>::LEN), (Some(2), None));
/// ```
pub trait Vector:
    Clone
    + Debug
    + PartialEq
    + Index<usize, Output = Self::Scalar>
    + IndexMut<usize>
    + Send
    + Sync
    + 'static
{
    /// The type of its entries.
    type Scalar: Real;

    /// The number of entries, if the type fixes it.
    const LEN: Option<usize>;

    /// As many elements of another type: an array if the type fixes the number, otherwise a heap-allocated vector.
    type Array<X: Clone + Debug + Send + Sync>: Clone
        + Debug
        + Send
        + Sync
        + AsRef<[X]>
        + AsMut<[X]>
        + TryFrom<Vec<X>>;

    /// True if a step keeps its vectors of this type from one step to the next and calls functions that
    /// [write](crate::Dynamics::write_acceleration) into them, so that no temporaries are created.
    const IN_PLACE: bool = false;

    /// The initial vector: of zeros, or empty if the type does not fix the number of entries.
    fn blank() -> Self;

    /// A vector with as many entries, each computed from its index.
    fn like(&self, entry: impl FnMut(usize) -> Self::Scalar) -> Self;

    /// As many elements as this has entries, all of them `element`.
    ///
    /// ```
    /// use constraint_runtime::Vector;
    /// use constraint_runtime::nalgebra::Vector3;
    ///
    /// assert_eq!(Vector3::<f64>::blank().array(true), [true; 3]);
    /// ```
    fn array<X: Clone + Debug + Send + Sync>(&self, element: X) -> Self::Array<X>;

    /// Copies all entries of `other`, and their number if the type does not fix it.
    fn assign(&mut self, other: &Self);

    /// The entries.
    fn entries(&self) -> &[Self::Scalar];

    /// The entries, mutable.
    fn entries_mut(&mut self) -> &mut [Self::Scalar];

    /// A vector of as many zeros.
    #[inline]
    fn zeros_like(&self) -> Self {
        self.like(|_| nalgebra::zero())
    }

    /// Replaces each entry by a function of its index and its value.
    #[inline(always)]
    fn update(&mut self, mut entry: impl FnMut(usize, Self::Scalar) -> Self::Scalar) {
        for (i, x) in self.entries_mut().iter_mut().enumerate() {
            *x = entry(i, *x);
        }
    }
}

impl<T: Real, const N: usize> Vector for SVector<T, N> {
    type Scalar = T;

    type Array<X: Clone + Debug + Send + Sync> = [X; N];

    const LEN: Option<usize> = Some(N);

    #[inline(always)]
    fn blank() -> Self {
        // nalgebra sets zeros one by one, which is slow for lanes.
        Self::from_data(ArrayStorage([[T::zero(); N]]))
    }

    #[inline(always)]
    fn like(&self, mut entry: impl FnMut(usize) -> T) -> Self {
        let mut like = Self::blank();
        like.update(|i, _| entry(i));
        like
    }

    #[inline]
    fn array<X: Clone + Debug + Send + Sync>(&self, element: X) -> [X; N] {
        core::array::from_fn(|_| element.clone())
    }

    #[inline(always)]
    fn assign(&mut self, other: &Self) {
        self.copy_from(other);
    }

    #[inline(always)]
    fn entries(&self) -> &[T] {
        self.as_slice()
    }

    #[inline(always)]
    fn entries_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T: Real> Vector for DVector<T> {
    type Scalar = T;

    type Array<X: Clone + Debug + Send + Sync> = Vec<X>;

    const LEN: Option<usize> = None;

    fn blank() -> Self {
        Self::zeros(0)
    }

    fn like(&self, mut entry: impl FnMut(usize) -> T) -> Self {
        Self::from_fn(self.len(), |i, _| entry(i))
    }

    fn array<X: Clone + Debug + Send + Sync>(&self, element: X) -> Vec<X> {
        vec![element; self.len()]
    }

    fn assign(&mut self, other: &Self) {
        if self.len() == other.len() {
            self.copy_from(other);
        } else {
            self.clone_from(other);
        }
    }

    fn entries(&self) -> &[T] {
        self.as_slice()
    }

    fn entries_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}
