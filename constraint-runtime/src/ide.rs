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
            #[doc(hidden)]
            fn named(self) -> Self { self }
        }

        impl<A: Into<Scalar> + Copy> Vector for [A; $n] {
            type Named = $name;
            fn named(self) -> $name { self.into() }
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

/// A body in the plane.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rigid2;

/// A body in space.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rigid3;

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

impl Body for Rigid2 {
    type Point = Point2;
    type Spin = Scalar;
}

impl Body for Rigid3 {
    type Point = Point3;
    type Spin = Point3;
}

/// The arguments of a pose: a position, and in the plane an angle, in space an axis and an angle.
#[doc(hidden)]
pub trait Pose {
    /// The body with this pose.
    type Body;
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

impl Mul for Rigid2 {
    type Output = Self;
    fn mul(self, _: Self) -> Self {
        self
    }
}

impl Mul for Rigid3 {
    type Output = Self;
    fn mul(self, _: Self) -> Self {
        self
    }
}

/// A position and a rotation, computed from coordinates. The shim writes the arguments as a tuple.
pub fn pose<P: Pose>(_: P) -> P::Body
where
    P::Body: Default,
{
    P::Body::default()
}

/// The position of a point fixed to a body.
pub fn at<B: Body>(body: B, r: impl Into<B::Point>) -> B::Point {
    body.at(r)
}

/// A direction fixed to a body.
pub fn dir<B: Body>(body: B, u: impl Into<B::Point>) -> B::Point {
    body.dir(u)
}

/// The velocity of a point or direction.
pub fn velocity<P>(p: P) -> P {
    p
}

/// The angular velocity of a body, in the world's frame.
pub fn angular_velocity<B: Body>(body: B) -> B::Spin {
    body.angular_velocity()
}

/// The acceleration of a point, in an `output`.
pub fn acceleration<P>(p: P) -> P {
    p
}

/// The angular acceleration of a body, in the world's frame, in an `output`.
pub fn angular_acceleration<B: Body>(body: B) -> B::Spin {
    body.angular_velocity()
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
    type Point;
    /// As a point.
    fn place(self) -> Self::Point;
}

macro_rules! places {
    ($($place:ty => $point:ty;)*) => {$(
        impl Place for $place {
            type Point = $point;
            fn place(self) -> $point { Default::default() }
        }
    )*};
}

places! { Scalar => Scalar; Point2 => Point2; Point3 => Point3; }

impl<A: Into<Scalar>, B: Into<Scalar>> Place for (A, B) {
    type Point = Point2;
    fn place(self) -> Point2 {
        Point2::default()
    }
}

impl<A: Into<Scalar>, B: Into<Scalar>, C: Into<Scalar>> Place for (A, B, C) {
    type Point = Point3;
    fn place(self) -> Point3 {
        Point3::default()
    }
}

/// A position as a point.
#[doc(hidden)]
pub fn point<P: Place>(place: P) -> P::Point {
    place.place()
}

/// The arguments of the free vector functions: points, vectors and lists of scalars.
#[doc(hidden)]
pub trait Vector: Copy {
    /// The vector of this size.
    type Named: Cross;
    /// The vector itself.
    fn named(self) -> Self::Named;
}

/// Vectors with a cross product.
#[doc(hidden)]
pub trait Cross {
    /// A scalar in the plane, a vector in space.
    type Output;
    /// Cross product.
    fn product(self) -> Self::Output;
}

impl Cross for Point2 {
    type Output = Scalar;
    fn product(self) -> Scalar {
        Scalar
    }
}

impl Cross for Point3 {
    type Output = Self;
    fn product(self) -> Self {
        self
    }
}

/// Inner product.
pub fn dot<V: Vector>(_: V, _: impl Into<V::Named>) -> Scalar {
    Scalar
}

/// Cross product: a scalar in the plane, a vector in space.
pub fn cross<V: Vector>(a: V, _: impl Into<V::Named>) -> <V::Named as Cross>::Output {
    a.named().product()
}

/// Euclidean length.
pub fn norm<P>(_: P) -> Scalar {
    Scalar
}

/// Square of the length.
pub fn norm_squared<P>(_: P) -> Scalar {
    Scalar
}

/// The vector of length one along this one.
pub fn normalize<V: Vector>(a: V) -> V::Named {
    a.named()
}

/// This vector of the plane, rotated by +90°.
pub fn perp(a: impl Into<Point2>) -> Point2 {
    a.into()
}

/// Any exponent.
pub fn pow(_: impl Into<Scalar>, _: impl Into<Scalar>) -> Scalar {
    Scalar
}

// The keywords of statements and the keys in their braces, the joints of the library as structs of their keys, and
// the functions of the engine's table, each free and as a method of `Scalar`.
constraint_macros::ide!();

/// An integer exponent.
pub fn powi(_: impl Into<Scalar>, _: impl Into<Scalar>) -> Scalar {
    Scalar
}

/// 1/x.
pub fn recip(_: impl Into<Scalar>) -> Scalar {
    Scalar
}

impl Scalar {
    /// Any exponent.
    pub fn pow(self, _: impl Into<Scalar>) -> Self {
        self
    }

    /// An integer exponent.
    pub fn powi(self, _: impl Into<Scalar>) -> Self {
        self
    }

    /// 1/x.
    pub fn recip(self) -> Self {
        self
    }
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

/// Degrees as radians.
pub fn to_radians(_: impl Into<Scalar>) -> Scalar {
    Scalar
}

/// Radians as degrees.
pub fn to_degrees(_: impl Into<Scalar>) -> Scalar {
    Scalar
}

impl Scalar {
    /// Degrees as radians.
    pub fn to_radians(self) -> Scalar {
        self
    }

    /// Radians as degrees.
    pub fn to_degrees(self) -> Scalar {
        self
    }
}

/// This, limited to the interval from `low` to `high`.
pub fn clamp(_: impl Into<Scalar>, _: impl Into<Scalar>, _: impl Into<Scalar>) -> Scalar {
    Scalar
}

impl Scalar {
    /// This, limited to the interval from `low` to `high`.
    pub fn clamp(self, _: impl Into<Scalar>, _: impl Into<Scalar>) -> Scalar {
        self
    }
}

/// From 0 at `low` to 1 at `high`, level at both.
pub fn smoothstep(_: impl Into<Scalar>, _: impl Into<Scalar>, _: impl Into<Scalar>) -> Scalar {
    Scalar
}

/// ln(1 + eˣ)
pub fn softplus(_: impl Into<Scalar>) -> Scalar {
    Scalar
}

/// 1/(1 + e⁻ˣ)
pub fn logistic(_: impl Into<Scalar>) -> Scalar {
    Scalar
}

/// Interpolates the points by cubics with a continuous second derivative, which is 0 at both ends.
pub fn cubic_spline<A, B>(_: impl Into<Scalar>, _: A, _: B) -> Scalar {
    Scalar
}

/// Interpolates the points by a periodic function with a continuous second derivative.
pub fn periodic_spline<A, B>(_: impl Into<Scalar>, _: A, _: B) -> Scalar {
    Scalar
}

/// Interpolates the points and rises or falls only where they do.
pub fn monotone_spline<A, B>(_: impl Into<Scalar>, _: A, _: B) -> Scalar {
    Scalar
}

/// The least.
pub fn min(_: impl Several) -> Scalar {
    Scalar
}

/// The greatest.
pub fn max(_: impl Several) -> Scalar {
    Scalar
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
