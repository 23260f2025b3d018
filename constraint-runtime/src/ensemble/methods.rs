//! Methods and stabilisation in lanes.

use nalgebra::RealField;

use crate::integrator::{
    DormandPrince, GeneralizedAlpha, ImpulseStepper, Integrator, Radau5, Rattle, Rk4,
    SemiImplicitEuler,
};
use crate::real::Real;
use crate::stabilization::Stabilization;

/// An integrator that may advance several copies of a system at once, one in each lane of `T`.
///
/// Only a method whose steps in one lane are those it would take there alone can: the numbers of a copy must not
/// depend on its neighbours.
pub trait LaneIntegrator<T: Real>: Integrator + Clone {
    /// The method over `T`.
    type Lanes: Integrator<Scalar = T>;

    /// The same method in every lane; `None` if it runs copy by copy, as adaptive methods do.
    fn in_lanes(&self) -> Option<Self::Lanes>;
}

macro_rules! fixed_steps {
    ($($method:ident)*) => {$(
        impl<T: Real<Element: Real>> LaneIntegrator<T> for $method<T::Element> {
            type Lanes = $method<T>;

            fn in_lanes(&self) -> Option<$method<T>> {
                Some($method::new(T::splat(self.longest_step())))
            }
        }
    )*};
}
fixed_steps!(Rk4 SemiImplicitEuler Rattle);

macro_rules! copy_by_copy {
    ($($method:ident)*) => {$(
        impl<T: Real<Element: Real>> LaneIntegrator<T> for $method<T::Element> {
            type Lanes = $method<T>;

            fn in_lanes(&self) -> Option<$method<T>> {
                None
            }
        }
    )*};
}
copy_by_copy!(DormandPrince ImpulseStepper);

/// Lanes have no common pivots: implicit methods have no form over `T`.
macro_rules! implicit {
    ($($method:ident)*) => {$(
        impl<T: Real<Element: Real + RealField>> LaneIntegrator<T> for $method<T::Element> {
            type Lanes = Rk4<T>;

            fn in_lanes(&self) -> Option<Rk4<T>> {
                None
            }
        }
    )*};
}
implicit!(Radau5 GeneralizedAlpha);

/// The same stabilisation in every lane.
pub(super) fn stabilization_in_lanes<T: Real<Element: Real>>(
    stabilization: Stabilization<T::Element>,
) -> Stabilization<T> {
    match stabilization {
        Stabilization::Projection { tolerance } => Stabilization::Projection {
            tolerance: T::splat(tolerance),
        },
        Stabilization::Baumgarte { alpha, beta } => Stabilization::Baumgarte {
            alpha: T::splat(alpha),
            beta: T::splat(beta),
        },
        Stabilization::None => Stabilization::None,
    }
}
