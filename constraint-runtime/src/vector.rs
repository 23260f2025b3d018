//! The vectors that states, slopes and rows are made of: of a size that the compiler knows, or of any.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::{Index, IndexMut};

use nalgebra::{ArrayStorage, DVector, SVector};

use crate::real::Real;

/// A vector of scalars: [`SVector`] where the number of entries is known when compiling, which needs no heap and no
/// loop over it is a loop; [`HeapArray`](crate::HeapArray) where it is known and too large for the stack; [`DVector`]
/// where it is known when the program runs.
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
    /// What its entries are.
    type Scalar: Real;

    /// The number of entries, where the type says it.
    const LEN: Option<usize>;

    /// As many elements of another kind: an array where the type says how many, else what grows on the heap.
    type Array<X: Clone + Debug + Send + Sync>: Clone
        + Debug
        + Send
        + Sync
        + AsRef<[X]>
        + AsMut<[X]>
        + TryFrom<Vec<X>>;

    /// Whether a step keeps its vectors of this kind from one step to the next and has functions
    /// [write](crate::Dynamics::write_acceleration) into them, so that none is made on the way.
    const IN_PLACE: bool = false;

    /// The vector before anything is known of it: of zeros, or without entries where the type does not say how many.
    fn blank() -> Self;

    /// A vector of as many entries, each given by its index.
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

    /// Takes over all entries of `other`, and where the type does not say how many, their number.
    fn assign(&mut self, other: &Self);

    /// The entries.
    fn entries(&self) -> &[Self::Scalar];

    /// The entries, to be changed.
    fn entries_mut(&mut self) -> &mut [Self::Scalar];

    /// As many zeros.
    #[inline]
    fn zeros_like(&self) -> Self {
        self.like(|_| nalgebra::zero())
    }

    /// Replaces each entry by what its index and its value give.
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
        // Zeros of nalgebra's are set one by one, which lanes take long for.
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
