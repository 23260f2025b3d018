//! Typed stand-ins for rust-analyzer: the expression language as ordinary Rust.
//!
//! Expansions begin with a shim that only rust-analyzer sees (`cfg(rust_analyzer)`). It contains the user's tokens as
//! Rust over these types, so that completion, hover, rename and go-to-definition work inside the macros. This module
//! is always compiled: rust-analyzer sets that cfg for the crates of the current workspace, not for those of a
//! registry. Nothing here computes anything: every operation returns its type's default.

use core::ops::{Add, BitXor, Div, Mul, Neg, Rem, Sub};

/// The type of time.
pub type Time = Scalar;

/// The type of scalar parameters.
pub type Real = Scalar;

/// π.
pub const PI: Scalar = Scalar;
/// 2 π.
pub const TAU: Scalar = Scalar;
/// Base of the natural logarithm.
pub const E: Scalar = Scalar;

/// A scalar expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Scalar;

macro_rules! vectors {
    ($($(#[$doc:meta])* $name:ident { $($field:ident),* } [$n:literal])*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        #[allow(missing_docs)]
        pub struct $name { $(pub $field: Scalar),* }

        impl<A: Into<Scalar>> From<[A; $n]> for $name {
            fn from(_: [A; $n]) -> Self { Self::default() }
        }

        impl PartialEq<[Scalar; $n]> for $name {
            fn eq(&self, _: &[Scalar; $n]) -> bool { true }
        }

        impl Vector for $name {
            type Named = Self;
        }

        impl<A: Into<Scalar> + Copy> Vector for [A; $n] {
            type Named = $name;
        }

        impl Neg for $name { type Output = Self; fn neg(self) -> Self { self } }

        impl $name {
            /// Inner product.
            pub fn dot(self, _: impl Into<Self>) -> Scalar { Scalar }
            /// Euclidean length.
            pub fn norm(self) -> Scalar { Scalar }
            /// Square of the length.
            pub fn norm_squared(self) -> Scalar { Scalar }
            /// The vector of length one along this one.
            pub fn normalize(self) -> Self { self }
        }
    )*};
}

vectors! {
    /// A point in the plane, two coordinates.
    Point2 { x, y } [2]
    /// A point in space, three coordinates.
    Point3 { x, y, z } [3]
}

/// A vector in the plane.
pub type Vector2 = Point2;

/// A vector in space.
pub type Vector3 = Point3;

impl Point2 {
    /// The scalar x₁ y₂ − y₁ x₂.
    pub fn cross(self, _: impl Into<Self>) -> Scalar {
        Scalar
    }

    /// This vector rotated by +90°.
    pub fn perp(self) -> Self {
        self
    }
}

impl Point3 {
    /// The vector product.
    pub fn cross(self, _: impl Into<Self>) -> Self {
        self
    }
}

macro_rules! bodies {
    ($($(#[$doc:meta])* $body:ident: $point:ident, $spin:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $body;

        impl Body for $body {
            type Point = $point;
            type Spin = $spin;
        }

        impl Mul for $body {
            type Output = Self;
            fn mul(self, _: Self) -> Self { self }
        }
    )*};
}

bodies! {
    /// A body in the plane.
    Rigid2: Point2, Scalar;
    /// A body in space.
    Rigid3: Point3, Point3;
}

/// The types that functions of bodies accept.
#[doc(hidden)]
pub trait Body: Copy {
    /// Its points and directions.
    type Point: Vector + Default;
    /// Its angular velocity.
    type Spin: Default;

    /// The position of a point fixed to this body.
    fn at(self, _: impl Into<Self::Point>) -> Self::Point {
        Self::Point::default()
    }

    /// A direction fixed to this body.
    fn dir(self, _: impl Into<Self::Point>) -> Self::Point {
        Self::Point::default()
    }

    /// The angular velocity, in the world's frame.
    fn angular_velocity(self) -> Self::Spin {
        Self::Spin::default()
    }
}

/// The arguments of a pose: a position, and in the plane an angle, in space an axis and an angle.
#[doc(hidden)]
pub trait Pose {
    /// The body with this pose.
    type Body: Default;
}

macro_rules! poses {
    ($($parts:ty => $body:ident;)*) => {$(
        impl Pose for $parts { type Body = $body; }
    )*};
}

poses! {
    Point2 => Rigid2;
    (Point2, Scalar) => Rigid2;
    Point3 => Rigid3;
    (Point3, Point3, Scalar) => Rigid3;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident$([$($generic:tt)*])?($($argument:tt: $ty:ty),*) -> $value:ty;)*) => {$(
        $(#[$doc])*
        #[allow(unused_variables)]
        pub fn $name$(<$($generic)*>)?($($argument: $ty),*) -> $value { Default::default() }
    )*};
}

functions! {
    /// A position and a rotation, computed from coordinates. The shim writes the arguments as a tuple.
    pose[P: Pose](_: P) -> P::Body;
    /// The position of a point fixed to a body.
    at[B: Body](body: B, r: impl Into<B::Point>) -> B::Point;
    /// A direction fixed to a body.
    dir[B: Body](body: B, u: impl Into<B::Point>) -> B::Point;
    /// The velocity of a point or direction.
    velocity[P: Default](p: P) -> P;
    /// The angular velocity of a body, in the world's frame.
    angular_velocity[B: Body](body: B) -> B::Spin;
    /// The acceleration of a point, in an `output`.
    acceleration[P: Default](p: P) -> P;
    /// The angular acceleration of a body, in the world's frame, in an `output`.
    angular_acceleration[B: Body](body: B) -> B::Spin;
    /// Inner product.
    dot[V: Vector](_: V, _: impl Into<V::Named>) -> Scalar;
    /// Cross product: a scalar in the plane, a vector in space.
    cross[V: Vector](a: V, _: impl Into<V::Named>) -> <V::Named as Cross>::Output;
    /// Euclidean length.
    norm[P](_: P) -> Scalar;
    /// Square of the length.
    norm_squared[P](_: P) -> Scalar;
    /// The vector of length one along this one.
    normalize[V: Vector](a: V) -> V::Named;
    /// This vector of the plane, rotated by +90°.
    perp(a: impl Into<Point2>) -> Point2;
    /// From 0 at `low` to 1 at `high`, level at both.
    smoothstep(_: impl Into<Scalar>, _: impl Into<Scalar>, _: impl Into<Scalar>) -> Scalar;
    /// ln(1 + eˣ)
    softplus(_: impl Into<Scalar>) -> Scalar;
    /// 1/(1 + e⁻ˣ)
    logistic(_: impl Into<Scalar>) -> Scalar;
    /// Interpolates the points by cubics with a continuous second derivative, which is 0 at both ends.
    cubic_spline[A, B](_: impl Into<Scalar>, _: A, _: B) -> Scalar;
    /// Interpolates the points by a periodic function with a continuous second derivative.
    periodic_spline[A, B](_: impl Into<Scalar>, _: A, _: B) -> Scalar;
    /// Interpolates the points and rises or falls only where they do.
    monotone_spline[A, B](_: impl Into<Scalar>, _: A, _: B) -> Scalar;
    /// The least.
    min(_: impl Several) -> Scalar;
    /// The greatest.
    max(_: impl Several) -> Scalar;
}

/// The elements of an indexed name.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Array<T>(T);

impl<T: Default> Array<T> {
    /// So many elements.
    pub fn of(_: impl Into<Scalar>) -> Self {
        Self::default()
    }

    /// Sets an element.
    pub fn set(&self, _: impl Into<Scalar>, _: T) {}

    /// The elements of a list.
    pub fn listed<const N: usize>(_: [T; N]) -> Self {
        Self::default()
    }
}

impl<T> core::ops::Index<Scalar> for Array<T> {
    type Output = T;
    fn index(&self, _: Scalar) -> &T {
        &self.0
    }
}

impl<T> core::ops::Index<i32> for Array<T> {
    type Output = T;
    fn index(&self, _: i32) -> &T {
        &self.0
    }
}

macro_rules! listed {
    ($($vector:ty)*) => {$(
        impl core::ops::Index<Scalar> for $vector {
            type Output = Scalar;
            fn index(&self, _: Scalar) -> &Scalar {
                &self.x
            }
        }
    )*};
}

// Lists of two or three numbers have elements.
listed! { Point2 Point3 }

/// The index of a `for`.
#[doc(hidden)]
pub fn indices<R>(_: R) -> [Scalar; 1] {
    [Scalar]
}

/// The sum of a term over an index.
pub fn sum<T>(_: [Scalar; 1], term: impl FnOnce(Scalar) -> T) -> T {
    term(Scalar)
}

/// Arguments that stand for a position: a point, two or three numbers, or one number on a line.
#[doc(hidden)]
pub trait Place {
    /// The point.
    type Point: Default;
}

macro_rules! places {
    ($($place:ty $([$($generic:ident)*])? => $point:ty;)*) => {$(
        impl$(<$($generic: Into<Scalar>),*>)? Place for $place { type Point = $point; }
    )*};
}

places! {
    Scalar => Scalar;
    Point2 => Point2;
    Point3 => Point3;
    (A, B)[A B] => Point2;
    (A, B, C)[A B C] => Point3;
}

/// A position as a point.
#[doc(hidden)]
pub fn point<P: Place>(_: P) -> P::Point {
    P::Point::default()
}

/// The arguments of the free vector functions: points, vectors and lists of scalars.
#[doc(hidden)]
pub trait Vector: Copy {
    /// The vector of this size.
    type Named: Cross + Default;
}

/// Vectors with a cross product.
#[doc(hidden)]
pub trait Cross {
    /// A scalar in the plane, a vector in space.
    type Output: Default;
}

impl Cross for Point2 {
    type Output = Scalar;
}

impl Cross for Point3 {
    type Output = Self;
}

// The keywords of statements and the keys in their braces, the joints of the library as structs of their keys, and
// the functions of the engine's table, each free and as a method of `Scalar`.
constraint_macros::ide!();

/// Functions of numbers, each free and as a method of `Scalar`.
macro_rules! of_numbers {
    ($($(#[$doc:meta])* $name:ident($($other:tt: $ty:ty),*);)*) => {
        $($(#[$doc])* pub fn $name(_: impl Into<Scalar>, $($other: $ty),*) -> Scalar { Scalar })*

        impl Scalar {
            $($(#[$doc])* pub fn $name(self, $($other: $ty),*) -> Self { self })*
        }
    };
}

of_numbers! {
    /// Any exponent.
    pow(_: impl Into<Scalar>);
    /// An integer exponent.
    powi(_: impl Into<Scalar>);
    /// 1/x.
    recip();
    /// Degrees as radians.
    to_radians();
    /// Radians as degrees.
    to_degrees();
    /// This, limited to the interval from `low` to `high`.
    clamp(_: impl Into<Scalar>, _: impl Into<Scalar>);
}

/// The other arguments of `min` and `max`: one value, or several in a tuple. The language takes any number of them;
/// the shim writes them as a tuple.
#[doc(hidden)]
pub trait Several {}

impl Several for Scalar {}
impl Several for i32 {}
impl Several for f64 {}

macro_rules! tuples {
    ($($first:ident $($rest:ident)*;)*) => {$(
        impl<$first, $($rest),*> Several for ($first, $($rest),*) {}
    )*};
}

tuples! { A; A B; A B C; A B C D; A B C D X; A B C D X F; A B C D X F G; A B C D X F G H; }

impl Scalar {
    /// The least of this and the others.
    pub fn min(self, _: impl Several) -> Scalar {
        self
    }

    /// The greatest of this and the others.
    pub fn max(self, _: impl Several) -> Scalar {
        self
    }
}

macro_rules! scalar_operators {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator for Scalar {
            type Output = Self;
            fn $method(self, _: Self) -> Self { self }
        }
        scalar_operators!(@with i32, $operator $method);
        scalar_operators!(@with f64, $operator $method);
    )*};
    (@with $number:ty, $operator:ident $method:ident) => {
        impl $operator<$number> for Scalar {
            type Output = Self;
            fn $method(self, _: $number) -> Self { self }
        }
        impl $operator<Scalar> for $number {
            type Output = Scalar;
            fn $method(self, _: Scalar) -> Scalar { Scalar }
        }
    };
}

scalar_operators!(Add add, Sub sub, Mul mul, Div div, Rem rem, BitXor bitxor);

impl Neg for Scalar {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for Scalar {
            fn from(_: $number) -> Self { Self }
        }
        impl PartialEq<$number> for Scalar {
            fn eq(&self, _: &$number) -> bool { true }
        }
        impl PartialEq<Scalar> for $number {
            fn eq(&self, _: &Scalar) -> bool { true }
        }
        impl PartialOrd<$number> for Scalar {
            fn partial_cmp(&self, _: &$number) -> Option<core::cmp::Ordering> { None }
        }
        impl PartialOrd<Scalar> for $number {
            fn partial_cmp(&self, _: &Scalar) -> Option<core::cmp::Ordering> { None }
        }
    )*};
}

numbers!(i32, f64);

macro_rules! vector_operators {
    ($($vector:ident [$n:literal]),*) => {$(
        vector_operators!(@sum $vector $n Add add);
        vector_operators!(@sum $vector $n Sub sub);
        vector_operators!(@scale $vector Scalar);
        vector_operators!(@scale $vector i32);
        vector_operators!(@scale $vector f64);
    )*};
    (@sum $vector:ident $n:literal $operator:ident $method:ident) => {
        impl $operator for $vector {
            type Output = Self;
            fn $method(self, _: Self) -> Self { self }
        }
        impl<A: Into<Scalar>> $operator<[A; $n]> for $vector {
            type Output = Self;
            fn $method(self, _: [A; $n]) -> Self { self }
        }
        impl<A: Into<Scalar>> $operator<$vector> for [A; $n] {
            type Output = $vector;
            fn $method(self, other: $vector) -> $vector { other }
        }
    };
    (@scale $vector:ident $number:ty) => {
        impl Mul<$number> for $vector {
            type Output = Self;
            fn mul(self, _: $number) -> Self { self }
        }
        impl Mul<$vector> for $number {
            type Output = $vector;
            fn mul(self, other: $vector) -> $vector { other }
        }
        impl Div<$number> for $vector {
            type Output = Self;
            fn div(self, _: $number) -> Self { self }
        }
    };
}

vector_operators!(Point2[2], Point3[3]);

// Rust's `^` binds loosest: `r^2*[1, 0]` reads as a power of r by a vector, `p*r^2` as one of a vector.
macro_rules! powers {
    ($($vector:ident),*) => {$(
        impl BitXor<$vector> for Scalar {
            type Output = $vector;
            fn bitxor(self, exponent: $vector) -> $vector { exponent }
        }
        impl<A: Into<Scalar>> BitXor<A> for $vector {
            type Output = Self;
            fn bitxor(self, _: A) -> Self { self }
        }
    )*};
}

powers!(Point2, Point3);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(unused_parens, clippy::neg_cmp_op_on_partial_ord)]
    fn surface_expressions_type_check() {
        let (x, y, t) = (Scalar, Scalar, Scalar);
        let (a, b, p) = (Point2::default(), Point2::default(), Point3::default());
        let _: Scalar = x * x + 100 * y;
        let _: Scalar = 3 - 7 / x * 6 + 0.5 * (x ^ 2) + (x ^ y) + 2 * PI * sin(2) + (2 ^ x);
        let _: bool = norm(b - a) == x;
        let _: bool = norm_squared(p) - (x ^ 2) == 0;
        let _: Scalar = p.x * sin(x * t) - p.y * (x * t).cos() + atan2(y, 1) + y.atan2(x).max(2);
        let _: Scalar = if x > 0 && !(y <= 2.5) || 1 < x {
            dot(a, b)
        } else {
            a.cross(b)
        };
        let _: Point3 = cross(p, [1, 2, 3]) * 2 + 0.5 * p - [x, y, t] + normalize(p);
        let _: Point2 = [x, y] + perp(a) / 2 - a.perp() * E;
        let (body, flat) = (Rigid3, Rigid2);
        let _: Point3 = velocity(at(body, p)) + cross(angular_velocity(body), dir(body, [1, 0, 0]));
        let _: Point2 = flat.at(a) + angular_velocity(flat) * perp(flat.dir([0, 1]));
        let _: [Scalar; 2] = [norm(a), dot(a, [1, 2])];
    }
}
