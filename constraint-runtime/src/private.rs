//! Everything that generated code may call; not part of the public contract.

pub use crate::body::check_inertia_pivot as check_moment;
pub use crate::body::{
    Flat, InverseMass2, InverseMass3, Rigid2, Rigid3, Twist2, Twist3, check_lower_triangle,
    check_moments, restore_length,
};
pub use crate::body_constraint::{BodyConstraint, BodyRows};
pub use crate::checks::{
    JudgedPivot, check_corner, check_end, check_inertia_among, check_inertia_of, check_mass,
    check_mass_matrix, check_parameter, check_pivot, check_pivot_pair, check_pivots, check_zero,
    defined, defined_number, of_mass, of_mass_among, undefined, undefined_place, undefined_row,
};
pub use crate::constraint::Constraint;
pub use crate::curve::{Curve, Cusp, check_tangent};
pub use crate::derivation::Derivation;
pub use crate::derivatives::{
    CurveDerivatives, CurveLinearization, Derivatives, Descriptor, DescriptorMatrix,
    ForceDerivatives, ForceLinearization, ForceTangent, Linearization, OutputDerivatives, Tangent,
    linearized_by_gradients, linearized_with_multipliers_by_gradients,
    linearized_with_outputs_by_tangents, linearized_without_rows, write_linearized,
};
use crate::error::write_named;
pub use crate::error::{Error, Names, Quantity, Singular};
pub use crate::error_function::{erf, erfc};
pub use crate::heap_array::{HeapArray, room, take_room, take_zeros, written};
pub use crate::impulse::ImpulseRows;
pub use crate::input::{InputSource, InputSystem};
pub use crate::linalg::Pattern;
pub use crate::linalg::SparseMatrix;
pub use crate::linalg::{least_squares, pseudo_inverse};
pub use crate::one_sided::{OneSided, OneSidedConstraint, OneSidedDerivatives, RowKind};
pub use crate::outputs::{Numbered, Outputs};
pub use crate::own_frames::{OwnFrames, in_world};
pub use crate::real::Real;
pub use crate::regressor::Regressor;
pub use crate::row_names::{RowFamily, as_strings, row_name, row_names};
pub use crate::system::{Constrained, Dynamics, Properties, System, Unconstrained, WithoutRows};
pub use crate::task_space::{TaskSpace, inertia_by_products};
use crate::vector::Vector;
pub use constraint_macros::{curve_mathml, derivation_mathml, system_mathml};
use core::fmt;
use nalgebra::ArrayStorage;
pub use nalgebra::{Point2, Point3, SMatrix, SVector, Vector2, Vector3};

pub use crate::ide;

/// The names in scope of the impls of an expansion; their block imports all of it.
pub mod prelude {
    pub use core::convert::{From, Into};
    pub use core::default::Default;
    pub use core::iter::{IntoIterator, Iterator};
    pub use core::ops::FnOnce;
    pub use core::option::Option;
    pub use core::primitive::{bool, f64, str, u8, usize};
    pub use core::result::Result::{self, Ok};
}

/// Turns these names into functions, which a `let` may shadow; a pattern would compare with a constant.
#[doc(hidden)]
#[macro_export]
macro_rules! __locals {
    ($($name:ident),*) => {
        #[allow(unused_imports)]
        use $crate::__private::{$(local as $name),*};
    };
}
pub use __locals as locals;

/// `default` of a struct whose parameters lack values: the user's implementation, or an error message that explains
/// what is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! __without_default {
    ($visibility:vis $scalar:ident $own:ty, $message:literal, $note:literal) => {
        const _: () = {
            #[diagnostic::on_unimplemented(message = $message, label = "has no default", note = $note)]
            pub trait HasDefault: ::core::marker::Sized {
                fn given() -> Self;
            }

            #[diagnostic::do_not_recommend]
            impl<D: $crate::__private::prelude::Default> HasDefault for D {
                fn given() -> D {
                    D::default()
                }
            }

            impl<$scalar: $crate::Real> $own {
                #[doc(hidden)]
                #[inline]
                #[allow(dead_code)]
                $visibility fn default() -> Self
                where
                    Self: HasDefault,
                {
                    HasDefault::given()
                }
            }
        };
    };
}
pub use __without_default as without_default;

#[cfg(feature = "ensemble")]
pub use crate::__in_lanes as in_lanes;

/// Expands to nothing: only ensembles run systems in lanes.
#[cfg(not(feature = "ensemble"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __in_lanes {
    ($($item:tt)*) => {};
}
#[cfg(not(feature = "ensemble"))]
pub use __in_lanes as in_lanes;

/// A vector of these entries, without generic conversions for the compiler to resolve.
#[inline(always)]
pub const fn vector<T, const N: usize>(entries: [T; N]) -> SVector<T, N> {
    matrix([entries])
}

/// A matrix of these columns.
#[inline(always)]
pub const fn matrix<T, const M: usize, const N: usize>(columns: [[T; M]; N]) -> SMatrix<T, M, N> {
    SMatrix::from_array_storage(ArrayStorage(columns))
}

/// The function behind the names of locals.
pub fn local() {}

use crate::real;
use nalgebra::SimdBool;

/// True if a condition holds in every lane.
#[inline(always)]
pub fn all<B: SimdBool>(lanes: B) -> bool {
    lanes.all()
}

/// True if a number is finite (neither infinite nor NaN) in every lane.
#[inline(always)]
pub fn is_finite<T: Real>(x: T) -> bool {
    real::is_finite(x).all()
}

/// True if a condition holds in no lane.
#[inline(always)]
pub fn none<B: SimdBool>(lanes: B) -> bool {
    lanes.none()
}

/// The names of the vector that a message refers to.
pub fn names<Q: Named, V: Named>(quantity: Quantity) -> Option<&'static [Names]> {
    match quantity {
        Quantity::Coordinate => Some(Q::NAMES),
        Quantity::Velocity => Some(V::NAMES),
        _ => None,
    }
}

/// Coordinates or velocities by name, as [`named!`](crate::__named) declares them.
pub trait Named: Clone + Into<Self::Flat> {
    /// The flat vector of the same numbers.
    type Flat: Vector;
    /// The names in the flat vector.
    const NAMES: &'static [Names];
}

/// `Display` of coordinates or velocities.
pub fn show<N: Named>(named: &N, f: &mut fmt::Formatter<'_>) -> fmt::Result
where
    <N::Flat as Vector>::Scalar: fmt::Display,
{
    let flat: N::Flat = named.clone().into();
    write_named(N::NAMES, flat.entries(), f)
}

/// Gives coordinates or velocities their names, and prints them with these.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($scalar:ident, $own:ty, $flat:ty, [$($names:expr),*]) => {
        #[automatically_derived]
        impl<$scalar: $crate::Real> $crate::__private::Named for $own {
            type Flat = $flat;
            const NAMES: &'static [$crate::__private::Names] = &[$($names),*];
        }

        const _: () = {
            $crate::__private::locals!(f);

            #[automatically_derived]
            impl<$scalar: $crate::Real + ::core::fmt::Display> ::core::fmt::Display for $own {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    $crate::__private::show(self, f)
                }
            }
        };
    };
}
pub use __named as named;

/// The functions that `verify!` calls.
#[cfg(any(feature = "std", feature = "libm"))]
pub mod verify {
    pub use crate::verify::{OfConstraint, OfCurve, OfDynamics, OfSystem, Subject};
}
