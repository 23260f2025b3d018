//! Arrays of a fixed length on the heap, for the states of large systems.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Deref, DerefMut, Index, IndexMut};
use core::slice::{Iter, IterMut, SliceIndex};

use crate::real::Real;
use crate::vector::Vector;

/// An array of `N` elements on the heap, which large systems use in place of `[E; N]` and [`SVector<E,
/// N>`](nalgebra::SVector): moving it moves a pointer.
///
/// It dereferences to an array. `system!` declares it if a field or a vector holds more than 512 numbers, 4 KiB of
/// `f64`.
///
/// - Cost: creating and cloning it allocate; nothing is ever built on the stack, in any build profile, except the
///   argument of [`From<[E; N]>`](#impl-From%3C%5BE;+N%5D%3E-for-HeapArray%3CE,+N%3E).
///
/// ```
/// use constraint_runtime::{HeapArray, prelude::*};
///
/// let mut line = HeapArray::<Point2<f64>, 100_000>::from_fn(|i| Point2::new(i as f64, 0.0));
/// line[7].y = 1.0;
/// assert_eq!((line.len(), line[99_999].x), (100_000, 99_999.0));
/// assert_eq!(line.iter().filter(|p| p.y > 0.0).count(), 1);
/// // From a `Vec` of that length, and back.
/// let numbers = HeapArray::<f64, 3>::try_from(vec![1.0, 2.0, 3.0]).unwrap();
/// assert_eq!(Vec::from(numbers), [1.0, 2.0, 3.0]);
/// ```
pub struct HeapArray<E, const N: usize>(Box<[E; N]>);

impl<E, const N: usize> HeapArray<E, N> {
    /// Each element computed from its index.
    pub fn from_fn(element: impl FnMut(usize) -> E) -> Self {
        let elements: Vec<E> = (0..N).map(element).collect();
        let Ok(array) = Self::try_from(elements) else {
            unreachable!("an element for each of {N} indices")
        };
        array
    }

    /// The same element everywhere.
    pub fn repeat(element: E) -> Self
    where
        E: Clone,
    {
        Self::from_fn(|_| element.clone())
    }
}

impl<T: Real, const N: usize> HeapArray<T, N> {
    /// All zeros.
    pub fn zeros() -> Self {
        Self::repeat(T::zero())
    }
}

impl<E, const N: usize> Deref for HeapArray<E, N> {
    type Target = [E; N];

    #[inline(always)]
    fn deref(&self) -> &[E; N] {
        &self.0
    }
}

impl<E, const N: usize> DerefMut for HeapArray<E, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [E; N] {
        &mut self.0
    }
}

impl<E, I: SliceIndex<[E]>, const N: usize> Index<I> for HeapArray<E, N> {
    type Output = I::Output;

    #[inline(always)]
    fn index(&self, index: I) -> &I::Output {
        &self.0[..][index]
    }
}

impl<E, I: SliceIndex<[E]>, const N: usize> IndexMut<I> for HeapArray<E, N> {
    #[inline(always)]
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        &mut self.0[..][index]
    }
}

// A derived implementation would build an array on the stack.
impl<E: Clone, const N: usize> Clone for HeapArray<E, N> {
    fn clone(&self) -> Self {
        Self::from_fn(|i| self.0[i].clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from_slice(&other.0[..]);
    }
}

impl<E: Default, const N: usize> Default for HeapArray<E, N> {
    fn default() -> Self {
        Self::from_fn(|_| E::default())
    }
}

impl<E: fmt::Debug, const N: usize> fmt::Debug for HeapArray<E, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<E: PartialEq, const N: usize> PartialEq for HeapArray<E, N> {
    fn eq(&self, other: &Self) -> bool {
        self.0[..] == other.0[..]
    }
}

impl<E, const N: usize> From<[E; N]> for HeapArray<E, N> {
    fn from(array: [E; N]) -> Self {
        Self(Box::new(array))
    }
}

impl<E, const N: usize> From<HeapArray<E, N>> for Vec<E> {
    fn from(array: HeapArray<E, N>) -> Self {
        let elements: Box<[E]> = array.0;
        elements.into_vec()
    }
}

/// The elements of a `Vec` of that length; a `Vec` of another length is returned as the error.
impl<E, const N: usize> TryFrom<Vec<E>> for HeapArray<E, N> {
    type Error = Vec<E>;

    fn try_from(elements: Vec<E>) -> Result<Self, Vec<E>> {
        elements.try_into().map(Self)
    }
}

impl<'a, E, const N: usize> IntoIterator for &'a HeapArray<E, N> {
    type Item = &'a E;
    type IntoIter = Iter<'a, E>;

    fn into_iter(self) -> Iter<'a, E> {
        self.0.iter()
    }
}

impl<'a, E, const N: usize> IntoIterator for &'a mut HeapArray<E, N> {
    type Item = &'a mut E;
    type IntoIter = IterMut<'a, E>;

    fn into_iter(self) -> IterMut<'a, E> {
        self.0.iter_mut()
    }
}

impl<T: Real, const N: usize> Vector for HeapArray<T, N> {
    type Scalar = T;

    type Array<X: Clone + fmt::Debug + Send + Sync> = Vec<X>;

    const LEN: Option<usize> = Some(N);

    const IN_PLACE: bool = true;

    fn blank() -> Self {
        Self::zeros()
    }

    fn like(&self, entry: impl FnMut(usize) -> T) -> Self {
        Self::from_fn(entry)
    }

    fn array<X: Clone + fmt::Debug + Send + Sync>(&self, element: X) -> Vec<X> {
        vec![element; N]
    }

    #[inline]
    fn assign(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0[..]);
    }

    #[inline(always)]
    fn entries(&self) -> &[T] {
        &self.0[..]
    }

    #[inline(always)]
    fn entries_mut(&mut self) -> &mut [T] {
        &mut self.0[..]
    }
}

/// Splits so many numbers off the scratch memory of a generated function and leaves the rest.
#[inline]
pub fn take_room<'a, T: Real, const N: usize>(room: &mut &'a mut [T]) -> &'a mut [T; N] {
    let Some((own, rest)) = core::mem::take(room).split_first_chunk_mut() else {
        panic!("the scratch memory is smaller than `Properties::room`")
    };
    *room = rest;
    own
}

/// The same, all of them zeros.
#[inline]
pub fn take_zeros<'a, T: Real, const N: usize>(room: &mut &'a mut [T]) -> &'a mut [T; N] {
    let own = take_room(room);
    own.fill(T::zero());
    own
}

/// Scratch memory for a function that was given none.
pub fn room<T: Real>(numbers: usize) -> Vec<T> {
    vec![T::zero(); numbers]
}

/// The result of a function that writes it to a place: `zeros`, overwritten where the caller takes the result, without
/// a copy between the two.
#[inline(always)]
pub fn written<R, E>(zeros: R, write: impl FnOnce(&mut R) -> Result<(), E>) -> Result<R, E> {
    let mut result = Ok(zeros);
    if let Ok(place) = &mut result
        && let Err(error) = write(place)
    {
        return Err(error);
    }
    result
}
