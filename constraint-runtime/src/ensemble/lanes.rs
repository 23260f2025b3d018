//! Conversion between scalars and lanes: systems, methods and states of several copies side by side.

use nalgebra::SVector;

use crate::heap_array::HeapArray;
use crate::real::Real;
use crate::state::State;
use crate::system::Dynamics;
use crate::vector::Vector;

/// A scalar with lanes, whose elements know it as a vector: `f64` of [`F64x4`](super::F64x4), and of itself.
///
/// Implemented for every [`Real`] whose elements are `f64` or `f32`.
pub trait Lanes: Real<Element: Real + InLanes<Self, Lanes = Self>> {}

impl<T: Real<Element: Real + InLanes<T, Lanes = T>>> Lanes for T {}

/// Types that combine several copies, one in each lane of `T`: parameters, systems, methods.
///
/// `system!` implements it for the system and its inputs. By hand, each field is gathered from the fields of the
/// copies:
///
/// ```
/// use constraint_runtime::ensemble::{F64x4, InLanes, Lanes};
/// use constraint_runtime::prelude::*;
///
/// struct Spring<T> {
///     stiffness: T,
///     rest: Vector2<T>,
/// }
///
/// impl<T: Lanes> InLanes<T> for Spring<T::Element> {
///     type Lanes = Spring<T>;
///
///     fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> Spring<T> {
///         Spring {
///             stiffness: InLanes::<T>::gather(|lane| &copy(lane).stiffness),
///             rest: InLanes::<T>::gather(|lane| &copy(lane).rest),
///         }
///     }
/// }
///
/// let springs = [1.0, 2.0, 3.0, 4.0].map(|k| Spring { stiffness: k, rest: Vector2::new(k, 0.0) });
/// let four: Spring<F64x4> = InLanes::gather(|lane| &springs[lane]);
/// assert_eq!(four.stiffness, F64x4::from([1.0, 2.0, 3.0, 4.0]));
/// assert_eq!(four.rest.x, four.stiffness);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form in lanes of `{T}`",
    note = "`.one_by_one()` runs the copies of an ensemble without lanes",
    note = "`system!` implements `InLanes` if the feature `ensemble` is on"
)]
pub trait InLanes<T: Real>: Sized {
    /// The same type over `T`.
    type Lanes;

    /// All lanes from their copies, `copy(0)` in the first.
    fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> Self::Lanes
    where
        Self: 'a;
}

macro_rules! scalars {
    ($($scalar:ident)*) => {$(
        impl<T: Real<Element = $scalar>> InLanes<T> for $scalar {
            type Lanes = T;

            #[inline]
            fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> T {
                let mut lanes = T::splat(*copy(0));
                for lane in 1..T::LANES {
                    lanes.replace(lane, *copy(lane));
                }
                lanes
            }
        }
    )*};
}
scalars!(f32 f64);

impl<T: Lanes, const N: usize> InLanes<T> for SVector<T::Element, N> {
    type Lanes = SVector<T, N>;

    fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> SVector<T, N> {
        vector_of(&SVector::blank(), |i, lane| copy(lane)[i])
    }
}

impl<T: Real, E: InLanes<T>, const N: usize> InLanes<T> for [E; N] {
    type Lanes = [E::Lanes; N];

    fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> Self::Lanes
    where
        E: 'a,
    {
        core::array::from_fn(|i| E::gather(|lane| &copy(lane)[i]))
    }
}

impl<T: Real, E: InLanes<T>, const N: usize> InLanes<T> for HeapArray<E, N> {
    type Lanes = HeapArray<E::Lanes, N>;

    fn gather<'a>(copy: impl Fn(usize) -> &'a Self + Copy) -> Self::Lanes
    where
        E: 'a,
    {
        HeapArray::from_fn(|i| E::gather(|lane| &copy(lane)[i]))
    }
}

/// As many entries as those of `like`, each lane of each from `entry(i, lane)`.
fn vector_of<T: Lanes, X: Vector<Scalar = T>>(
    like: &X,
    entry: impl Fn(usize, usize) -> T::Element,
) -> X {
    like.like(|i| {
        let mut lanes = T::splat(entry(i, 0));
        for lane in 1..T::LANES {
            lanes.replace(lane, entry(i, lane));
        }
        lanes
    })
}

/// Flat vectors side by side, as those of inputs.
#[doc(hidden)]
pub fn gather_flat<T, X1, X>(copy: impl Fn(usize) -> X1) -> X
where
    T: Lanes,
    X1: Vector<Scalar = T::Element>,
    X: Vector<Scalar = T>,
{
    let mut flat = X::blank();
    for lane in 0..T::LANES {
        let one = copy(lane);
        flat.update(|i, mut lanes| {
            lanes.replace(lane, one[i]);
            lanes
        });
    }
    flat
}

/// The states `copy(0)`, `copy(1)`, … side by side.
pub(super) fn gather_states<'a, T: Lanes, S, Q, V>(
    copy: impl Fn(usize) -> &'a State<Q, V>,
) -> State<S::Q, S::V>
where
    S: Dynamics<T>,
    Q: Vector<Scalar = T::Element>,
    V: Vector<Scalar = T::Element>,
{
    let mut t = T::splat(copy(0).t);
    for lane in 1..T::LANES {
        t.replace(lane, copy(lane).t);
    }
    State {
        t,
        q: vector_of(&S::Q::blank(), |i, lane| copy(lane).q[i]),
        v: vector_of(&S::V::blank(), |i, lane| copy(lane).v[i]),
    }
}

/// The state of one lane.
pub(super) fn lane_of<T, Q, V, Q1, V1>(state: &State<Q, V>, lane: usize) -> State<Q1, V1>
where
    T: Lanes,
    Q: Vector<Scalar = T>,
    V: Vector<Scalar = T>,
    Q1: Vector<Scalar = T::Element>,
    V1: Vector<Scalar = T::Element>,
{
    State {
        t: state.t.extract(lane),
        q: one_lane(&state.q, lane),
        v: one_lane(&state.v, lane),
    }
}

/// The vector of one lane.
pub(super) fn one_lane<T, X, X1>(x: &X, lane: usize) -> X1
where
    T: Lanes,
    X: Vector<Scalar = T>,
    X1: Vector<Scalar = T::Element>,
{
    X1::blank().like(|i| x[i].extract(lane))
}

/// [`InLanes`] for the types that a macro generates: a system with its parameters, one with inputs, and inputs.
///
/// Inputs are gathered as flat vectors.
#[doc(hidden)]
#[macro_export]
macro_rules! __in_lanes {
    ($name:ident<$scalar:ident> { $($field:ident)* }) => {
        #[automatically_derived]
        impl<$scalar: $crate::ensemble::Lanes> $crate::ensemble::InLanes<$scalar> for $name<$scalar::Element> {
            type Lanes = $name<$scalar>;

            fn gather<'a>(
                __copy: impl ::core::ops::Fn(::core::primitive::usize) -> &'a Self + ::core::marker::Copy,
            ) -> $name<$scalar> {
                $name {
                    $($field: $crate::ensemble::InLanes::<$scalar>::gather(|__lane| &__copy(__lane).$field)),*
                }
            }
        }
    };
    ($name:ident<$scalar:ident>) => {
        #[automatically_derived]
        impl<$scalar: $crate::ensemble::Lanes> $crate::ensemble::InLanes<$scalar> for $name {
            type Lanes = $name;

            fn gather<'a>(
                _: impl ::core::ops::Fn(::core::primitive::usize) -> &'a Self + ::core::marker::Copy,
            ) -> $name {
                $name {}
            }
        }
    };
    (
        inputs $name:ident<$scalar:ident>, $one_flat:ty, $flat:ty,
        of $system:ident<$($one:ty, $lanes:ty)?>, held $held:ident, by $source:ident
    ) => {
        #[automatically_derived]
        impl<$scalar: $crate::ensemble::Lanes> $crate::ensemble::OneLane<$scalar> for $system$(<$lanes>)? {
            type One = $system$(<$one>)?;
        }

        #[automatically_derived]
        impl<$scalar: $crate::ensemble::Lanes> $crate::ensemble::InLanes<$scalar> for $name<$scalar::Element> {
            type Lanes = $name<$scalar>;

            fn gather<'a>(
                __copy: impl ::core::ops::Fn(::core::primitive::usize) -> &'a Self + ::core::marker::Copy,
            ) -> $name<$scalar> {
                ::core::convert::Into::into($crate::ensemble::gather_flat::<$scalar, $one_flat, $flat>(|__lane| {
                    ::core::convert::Into::into(::core::clone::Clone::clone(__copy(__lane)))
                }))
            }
        }

        #[automatically_derived]
        impl<$scalar: $crate::ensemble::Lanes, $source: $crate::ensemble::InLanes<$scalar>>
            $crate::ensemble::InLanes<$scalar> for $held<$($one,)? $source>
        {
            type Lanes = $held<$($lanes,)? $source::Lanes>;

            fn gather<'a>(
                __copy: impl ::core::ops::Fn(::core::primitive::usize) -> &'a Self + ::core::marker::Copy,
            ) -> Self::Lanes
            where
                $source: 'a,
            {
                $held {
                    system: $crate::ensemble::InLanes::<$scalar>::gather(|__lane| &__copy(__lane).system),
                    inputs: $crate::ensemble::InLanes::<$scalar>::gather(|__lane| &__copy(__lane).inputs),
                }
            }
        }
    };
}
