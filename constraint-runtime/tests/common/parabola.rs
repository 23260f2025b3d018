use constraint_runtime::prelude::*;

/// A bead on the parabola C = x² + 100 y, derived by hand.
pub struct Parabola;

impl<T: Real> Constraint<T, 2, 1> for Parabola {
    fn value(&self, _t: T, q: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::<T, 1>::new(q.x * q.x + T::lit(100.0) * q.y)
    }

    fn jacobian(&self, _t: T, q: &SVector<T, 2>) -> SMatrix<T, 1, 2> {
        SMatrix::<T, 1, 2>::new(T::lit(2.0) * q.x, T::lit(100.0))
    }

    fn rate(&self, _t: T, q: &SVector<T, 2>, v: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::<T, 1>::new(T::lit(2.0) * q.x * v.x + T::lit(100.0) * v.y)
    }

    fn jacobian_dot(&self, _t: T, _q: &SVector<T, 2>, v: &SVector<T, 2>) -> SMatrix<T, 1, 2> {
        SMatrix::<T, 1, 2>::new(T::lit(2.0) * v.x, T::zero())
    }

    fn bias(&self, _t: T, _q: &SVector<T, 2>, v: &SVector<T, 2>) -> SVector<T, 1> {
        SVector::<T, 1>::new(T::lit(2.0) * v.x * v.x)
    }
}
