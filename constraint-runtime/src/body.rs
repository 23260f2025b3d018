//! Rigid bodies: pose, velocity and inertia.
//!
//! The coordinates of a body are the position of its centre of mass and the rotation from its frame to the world's;
//! its velocities are v of the centre of mass and ω, both in the world's frame, stacked as (v, ω). The flat order of
//! the coordinates is nalgebra's own: x, y, re, im in the plane and x, y, z, i, j, k, w in space. There q̇ = N(q) v
//! reads ṗ = v and ż = iω z for the unit complex number z, or ṙ = ½ ω r for the unit quaternion r.
//!
//! Invariant: an [`Inertia2`] or [`Inertia3`] is positive definite and physically possible; the rotation of a
//! [`Rigid2`] or [`Rigid3`] has length one.

use nalgebra::{
    Complex, Isometry2, Isometry3, Matrix3, Quaternion, SVector, Unit, UnitComplex, UnitQuaternion,
    Vector2, Vector3,
};

use crate::error::Error;
use crate::linalg::diagonalize;
use crate::real::{Real, first_bad, is_finite, largest};

/// Pose of a body in the plane: the position of its centre of mass and its rotation.
pub type Rigid2<T = f64> = Isometry2<T>;

/// Pose of a body in space: the position of its centre of mass and its rotation.
pub type Rigid3<T = f64> = Isometry3<T>;

/// Velocity of a body in the plane: v of the centre of mass in the world's frame, and ω.
///
/// - Units: m/s, rad/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist2<T = f64> {
    /// v of the centre of mass, in the world's frame.
    pub linear: Vector2<T>,
    /// ω, counter-clockwise.
    pub angular: T,
}

/// Velocity of a body in space: v of the centre of mass and ω, both in the world's frame.
///
/// - Units: m/s, rad/s.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let spin = Twist3 { linear: Vector3::zeros(), angular: Vector3::z() };
/// let flat = SVector::<f64, 6>::from(spin);
/// assert_eq!(flat[5], 1.0);
/// assert_eq!(Twist3::from(flat), spin);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist3<T = f64> {
    /// v of the centre of mass, in the world's frame.
    pub linear: Vector3<T>,
    /// ω in the world's frame.
    pub angular: Vector3<T>,
}

impl<T: Real> From<SVector<T, 3>> for Twist2<T> {
    fn from(flat: SVector<T, 3>) -> Self {
        Self::from_flat(flat.into())
    }
}

impl<T: Real> From<Twist2<T>> for SVector<T, 3> {
    fn from(twist: Twist2<T>) -> Self {
        twist.into_flat().into()
    }
}

impl<T: Real> From<SVector<T, 6>> for Twist3<T> {
    fn from(flat: SVector<T, 6>) -> Self {
        Self::from_flat(flat.into())
    }
}

impl<T: Real> From<Twist3<T>> for SVector<T, 6> {
    fn from(twist: Twist3<T>) -> Self {
        twist.into_flat().into()
    }
}

/// Conversion between flat vectors and the types that generated code uses; rotations are not renormalised.
pub trait Flat<T, const N: usize> {
    /// From the flat order.
    fn from_flat(flat: [T; N]) -> Self;

    /// To the flat order.
    fn into_flat(self) -> [T; N];
}

impl<T: Real> Flat<T, 4> for Rigid2<T> {
    fn from_flat([x, y, re, im]: [T; 4]) -> Self {
        let turn = Unit::new_unchecked(Complex { re, im });
        Self::from_parts(Vector2::new(x, y).into(), turn)
    }

    fn into_flat(self) -> [T; 4] {
        self.coordinates().into()
    }
}

impl<T: Real> Flat<T, 7> for Rigid3<T> {
    fn from_flat([x, y, z, i, j, k, w]: [T; 7]) -> Self {
        let turn = Unit::new_unchecked(Quaternion::new(w, i, j, k));
        Self::from_parts(Vector3::new(x, y, z).into(), turn)
    }

    fn into_flat(self) -> [T; 7] {
        self.coordinates().into()
    }
}

impl<T: Real> Flat<T, 3> for Twist2<T> {
    fn from_flat([x, y, angular]: [T; 3]) -> Self {
        let linear = Vector2::new(x, y);
        Self { linear, angular }
    }

    fn into_flat(self) -> [T; 3] {
        [self.linear.x, self.linear.y, self.angular]
    }
}

impl<T: Real> Flat<T, 6> for Twist3<T> {
    fn from_flat([x, y, z, a, b, c]: [T; 6]) -> Self {
        let (linear, angular) = (Vector3::new(x, y, z), Vector3::new(a, b, c));
        Self { linear, angular }
    }

    fn into_flat(self) -> [T; 6] {
        let ([x, y, z], [a, b, c]): ([T; 3], [T; 3]) = (self.linear.into(), self.angular.into());
        [x, y, z, a, b, c]
    }
}

/// Scales a rotation to length one.
pub fn restore_length<T: Real>(turn: &mut [T]) {
    let square = turn.iter().fold(T::zero(), |sum, &x| sum + x * x);
    let inverse = T::one() / square.simd_sqrt();
    turn.iter_mut().for_each(|x| *x *= inverse);
}

/// How far the square of a rotation's length may be from one, in rounding units.
const ROTATION_EPSILONS: f64 = 64.0;

/// Pose of a body with `D` velocities: [`Rigid2`] (3) or [`Rigid3`] (6).
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// // A quarter turn about z in one second, moving from the origin to x = 2.
/// let quarter = std::f64::consts::FRAC_PI_2;
/// let velocity = SVector::from([2.0, 0.0, 0.0, 0.0, 0.0, quarter]);
/// let body = Rigid3::identity().moved(&velocity, 1.0);
/// let nose = body * Point3::new(1.0, 0.0, 0.0);
/// assert!((nose - Point3::new(2.0, 1.0, 0.0)).norm() < 1e-15);
/// ```
pub trait Rigid<T: Real, const D: usize>: Copy {
    /// Coordinates in the flat order.
    type Coordinates: Copy + AsRef<[T]>;

    /// W = M⁻¹ in the world's frame.
    type InverseMass: Copy;

    /// The coordinates: x, y, re, im or x, y, z, i, j, k, w.
    fn coordinates(&self) -> Self::Coordinates;

    /// The body with these coordinates.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// let body = Rigid3::try_from_coordinates(&[1.0, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8].into())?;
    /// assert_eq!(body.coordinates(), SVector::from([1.0, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8]));
    /// let long = Rigid2::try_from_coordinates(&[0.0, 0.0, 3.0, 4.0].into());
    /// assert_eq!(long, Err(Error::InvalidRotation { norm: 5.0 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRotation`] unless the rotation has length one.
    fn try_from_coordinates(q: &Self::Coordinates) -> Result<Self, Error>;

    /// q̇ = N(q) v, v in the world's frame.
    fn kinematics(&self, v: &SVector<T, D>) -> Self::Coordinates;

    /// The body after moving with the constant velocities `v` for the time `h`: exact on the group.
    fn moved(&self, v: &SVector<T, D>, h: T) -> Self;

    /// W f, the acceleration that force and torque (about the centre of mass) cause, all in the world's frame.
    fn accelerated(w: &Self::InverseMass, f: &SVector<T, D>) -> SVector<T, D>;
}

impl<T: Real> Rigid<T, 3> for Rigid2<T> {
    type Coordinates = SVector<T, 4>;
    type InverseMass = InverseMass2<T>;

    fn coordinates(&self) -> SVector<T, 4> {
        let (place, turn) = (&self.translation.vector, &self.rotation);
        [place.x, place.y, turn.re, turn.im].into()
    }

    fn try_from_coordinates(q: &SVector<T, 4>) -> Result<Self, Error> {
        let [.., re, im]: [T; 4] = (*q).into();
        check_length(re * re + im * im)?;
        Ok(Self::from_flat((*q).into()))
    }

    fn kinematics(&self, v: &SVector<T, 3>) -> SVector<T, 4> {
        let [x, y, spin]: [T; 3] = (*v).into();
        [x, y, -self.rotation.im * spin, self.rotation.re * spin].into()
    }

    fn moved(&self, v: &SVector<T, 3>, h: T) -> Self {
        let [x, y, spin]: [T; 3] = (*v).into();
        let turn = UnitComplex::new(spin * h) * self.rotation;
        let place = self.translation.vector + Vector2::new(x, y) * h;
        Self::from_parts(place.into(), turn)
    }

    fn accelerated(w: &InverseMass2<T>, f: &SVector<T, 3>) -> SVector<T, 3> {
        [w.mass * f[0], w.mass * f[1], w.inertia * f[2]].into()
    }
}

impl<T: Real> Rigid<T, 6> for Rigid3<T> {
    type Coordinates = SVector<T, 7>;
    type InverseMass = InverseMass3<T>;

    fn coordinates(&self) -> SVector<T, 7> {
        let [x, y, z]: [T; 3] = self.translation.vector.into();
        let [i, j, k, w]: [T; 4] = self.rotation.coords.into();
        [x, y, z, i, j, k, w].into()
    }

    fn try_from_coordinates(q: &SVector<T, 7>) -> Result<Self, Error> {
        let [.., i, j, k, w]: [T; 7] = (*q).into();
        check_length(i * i + j * j + k * k + w * w)?;
        Ok(Self::from_flat((*q).into()))
    }

    fn kinematics(&self, v: &SVector<T, 6>) -> SVector<T, 7> {
        let (v, spin) = split(v);
        let turn = Quaternion::from_imag(spin * T::lit(0.5)) * self.rotation.into_inner();
        let ([x, y, z], [i, j, k, w]): ([T; 3], [T; 4]) = (v.into(), turn.coords.into());
        [x, y, z, i, j, k, w].into()
    }

    fn moved(&self, v: &SVector<T, 6>, h: T) -> Self {
        let (v, spin) = split(v);
        let turn = UnitQuaternion::from_scaled_axis(spin * h) * self.rotation;
        Self::from_parts((self.translation.vector + v * h).into(), turn)
    }

    fn accelerated(w: &InverseMass3<T>, f: &SVector<T, 6>) -> SVector<T, 6> {
        let (force, torque) = split(f);
        let ([x, y, z], [a, b, c]): ([T; 3], [T; 3]) =
            ((force * w.mass).into(), (w.inertia * torque).into());
        [x, y, z, a, b, c].into()
    }
}

/// (v, ω)
fn split<T: Real>(v: &SVector<T, 6>) -> (Vector3<T>, Vector3<T>) {
    (
        Vector3::new(v[0], v[1], v[2]),
        Vector3::new(v[3], v[4], v[5]),
    )
}

fn check_length<T: Real>(square: T) -> Result<(), Error> {
    let limit = T::lit(ROTATION_EPSILONS) * T::simd_default_epsilon();
    let good = (square - T::one()).simd_abs().simd_le(limit);
    match first_bad(square.simd_sqrt(), good) {
        None => Ok(()),
        Some(norm) => Err(Error::InvalidRotation { norm }),
    }
}

/// W of a body in the plane: 1/m and 1/I. With zeros, the body cannot move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseMass2<T = f64> {
    /// 1/m
    pub mass: T,
    /// 1/I
    pub inertia: T,
}

/// W of a body in space, in the world's frame: 1/m and I⁻¹. With zeros, the body cannot move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseMass3<T = f64> {
    /// 1/m
    pub mass: T,
    /// I⁻¹ in the world's frame; symmetric, and only its lower triangle is read by generated code.
    pub inertia: Matrix3<T>,
}

impl<T: Real> InverseMass2<T> {
    /// W of a body that cannot move.
    pub fn pinned() -> Self {
        Self {
            mass: T::zero(),
            inertia: T::zero(),
        }
    }
}

impl<T: Real> InverseMass3<T> {
    /// W of a body that cannot move.
    pub fn pinned() -> Self {
        Self {
            mass: T::zero(),
            inertia: Matrix3::zeros(),
        }
    }
}

/// Mass and moment of inertia of a body in the plane, about its centre of mass.
///
/// - Units: kg, kg·m².
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let disk = Inertia2::new(2.0, 0.25)?;
/// assert_eq!(disk.inverse(), InverseMass2 { mass: 0.5, inertia: 4.0 });
/// assert_eq!(Inertia2::new(2.0, 0.0), Err(Error::InvalidInertia { pivot: 0.0 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia2<T = f64> {
    mass: T,
    inertia: T,
}

impl<T: Real> Inertia2<T> {
    /// Mass and moment of inertia.
    ///
    /// # Errors
    /// [`Error::InvalidMass`], [`Error::InvalidInertia`] unless both are positive and finite.
    pub fn new(mass: T, inertia: T) -> Result<Self, Error> {
        check_mass(mass)?;
        check_inertia_pivot(inertia)?;
        Ok(Self { mass, inertia })
    }

    /// m
    pub fn mass(&self) -> T {
        self.mass
    }

    /// W = M⁻¹
    pub fn inverse(&self) -> InverseMass2<T> {
        InverseMass2 {
            mass: T::one() / self.mass,
            inertia: T::one() / self.inertia,
        }
    }
}

/// Mass and inertia tensor of a body in space, about its centre of mass, in its own frame.
///
/// - Units: kg, kg·m².
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// let top = Inertia3::principal(2.0, [1.0, 1.0, 0.5])?;
/// let body = Rigid3::rotation(Vector3::x() * std::f64::consts::FRAC_PI_2);
/// // Turned about x, the third axis lies along y.
/// let inverse = top.inverse_at(&body);
/// assert!((inverse.inertia.diagonal() - Vector3::new(1.0, 2.0, 1.0)).norm() < 1e-15);
/// // A spin about a principal axis needs no torque.
/// assert!(top.gyroscopic_torque(&body, &Vector3::y()).norm() < 1e-15);
/// assert_eq!(Inertia3::principal(2.0, [1.0, -1.0, 0.5]), Err(Error::InvalidInertia { pivot: -1.0 }));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia3<T = f64> {
    mass: T,
    tensor: Matrix3<T>,
    inverse: Matrix3<T>,
}

impl<T: Real> Inertia3<T> {
    /// Mass and the symmetric inertia tensor I = Σ mᵢ (|rᵢ|² 1 − rᵢ rᵢᵀ); the entries off the diagonal are −Σ mᵢ xᵢ
    /// yᵢ and so on.
    ///
    /// # Errors
    /// [`Error::InvalidMass`] unless the mass is positive and finite, [`Error::AsymmetricInertia`] unless the tensor
    /// equals its transpose, [`Error::InvalidInertia`] unless it is positive definite, [`Error::ImpossibleInertia`]
    /// if a principal moment exceeds the sum of the others.
    pub fn new(mass: T, tensor: Matrix3<T>) -> Result<Self, Error> {
        check_mass(mass)?;
        for (i, j) in [(1, 0), (2, 0), (2, 1)] {
            let difference = tensor[(i, j)] - tensor[(j, i)];
            if let Some(difference) = first_bad(difference, difference.simd_eq(T::zero())) {
                return Err(Error::AsymmetricInertia { difference });
            }
        }
        check_tensor(&tensor)?;
        Ok(Self {
            mass,
            tensor,
            inverse: inverse_of_symmetric(&tensor),
        })
    }

    /// Mass and the moments about the body's own axes.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn principal(mass: T, moments: [T; 3]) -> Result<Self, Error> {
        Self::new(mass, Matrix3::from_diagonal(&moments.into()))
    }

    /// m
    pub fn mass(&self) -> T {
        self.mass
    }

    /// I in the body's frame.
    pub fn tensor(&self) -> &Matrix3<T> {
        &self.tensor
    }

    /// W = M⁻¹ at the body's pose: R I⁻¹ Rᵀ.
    pub fn inverse_at(&self, body: &Rigid3<T>) -> InverseMass3<T> {
        let turn = body.rotation.to_rotation_matrix();
        InverseMass3 {
            mass: T::one() / self.mass,
            inertia: turn.matrix() * self.inverse * turn.matrix().transpose(),
        }
    }

    /// −ω×(I ω), the torque that makes a free spin precess. Add it to the external forces `f`; ω = `spin` and the
    /// torque are in the world's frame.
    pub fn gyroscopic_torque(&self, body: &Rigid3<T>, spin: &Vector3<T>) -> Vector3<T> {
        let turn = &body.rotation;
        let momentum = turn * (self.tensor * (turn.inverse() * spin));
        momentum.cross(spin)
    }
}

fn check_mass<T: Real>(mass: T) -> Result<(), Error> {
    match first_bad(mass, mass.simd_gt(T::zero()) & is_finite(mass)) {
        None => Ok(()),
        Some(mass) => Err(Error::InvalidMass { mass }),
    }
}

/// Accepts a moment of inertia, or a pivot of a tensor's elimination, that is positive and finite.
pub fn check_inertia_pivot<T: Real>(pivot: T) -> Result<(), Error> {
    match first_bad(pivot, pivot.simd_gt(T::zero()) & is_finite(pivot)) {
        None => Ok(()),
        Some(pivot) => Err(Error::InvalidInertia { pivot }),
    }
}

/// Accepts principal moments that a body can have.
pub fn check_moments<T: Real>(moments: [T; 3]) -> Result<(), Error> {
    check_tensor(&Matrix3::from_diagonal(&moments.into()))
}

/// Accepts a tensor that a body can have, given by its lower triangle, row by row.
pub fn check_lower_triangle<T: Real>([a, b, c, d, e, f]: [T; 6]) -> Result<(), Error> {
    check_tensor(&Matrix3::new(a, b, d, b, c, e, d, e, f))
}

fn check_tensor<T: Real>(a: &Matrix3<T>) -> Result<(), Error> {
    check_positive_definite(a)?;
    check_spread(a)
}

/// Relative margin by which a principal moment may exceed the sum of the others: a plate is exactly on the bound, and
/// its moments may have been rounded in the source.
const SPREAD_TOLERANCE: f64 = 1e-3;

/// Checks that no principal moment exceeds the sum of the others: ∫ (x² + y²) dm ≤ ∫ (y² + z²) dm + ∫ (z² + x²) dm.
fn check_spread<T: Real>(a: &Matrix3<T>) -> Result<(), Error> {
    let sum = a.trace();
    let mut moments = a / sum;
    diagonalize(&mut moments, |it| it);
    let most = largest(&moments.diagonal());
    let excess = most + most - T::one();
    match first_bad(excess * sum, excess.simd_le(T::lit(SPREAD_TOLERANCE))) {
        None => Ok(()),
        Some(excess) => Err(Error::ImpossibleInertia { excess }),
    }
}

/// Checks that all pivots of the symmetric elimination are positive.
fn check_positive_definite<T: Real>(a: &Matrix3<T>) -> Result<(), Error> {
    check_inertia_pivot(a.m11)?;
    let (l21, l31) = (a.m21 / a.m11, a.m31 / a.m11);
    let second = a.m22 - l21 * a.m21;
    check_inertia_pivot(second)?;
    let below = a.m32 - l31 * a.m21;
    check_inertia_pivot(a.m33 - l31 * a.m31 - below * below / second)
}

/// Adjugate over determinant, for a matrix with good pivots.
fn inverse_of_symmetric<T: Real>(a: &Matrix3<T>) -> Matrix3<T> {
    // Scaled to order one: a product of three moments soon underflows or overflows.
    let unit = a.m11;
    let [x, y, z] = [0, 1, 2].map(|i| a.column(i) / unit);
    let adjugate = Matrix3::from_columns(&[y.cross(&z), z.cross(&x), x.cross(&y)]);
    adjugate / x.dot(&adjugate.column(0)) / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inertia_is_inverted() {
        let tensor = Matrix3::new(3.0, 0.5, -0.2, 0.5, 2.0, 0.7, -0.2, 0.7, 4.0);
        let inertia = Inertia3::new(1.0, tensor).unwrap();
        let inverse = inertia.inverse_at(&Rigid3::identity()).inertia;
        assert!((inverse * tensor - Matrix3::identity()).norm() < 1e-15);
    }

    #[test]
    fn bad_bodies_are_refused() {
        let indefinite = Matrix3::new(1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        assert_eq!(
            Inertia3::new(1.0, indefinite),
            Err(Error::InvalidInertia { pivot: -3.0 })
        );
        let skew = Matrix3::new(1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        assert_eq!(
            Inertia3::new(1.0, skew),
            Err(Error::AsymmetricInertia { difference: -0.5 })
        );
        for mass in [0.0, -1.0, f64::INFINITY] {
            let error = Err(Error::InvalidMass { mass });
            assert_eq!(Inertia3::principal(mass, [1.0; 3]), error);
        }
        for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            let refused = Inertia3::principal(1.0, [1.0, bad, 1.0]).unwrap_err();
            let Error::InvalidInertia { pivot } = refused else {
                panic!("{refused}");
            };
            assert!(pivot == bad || pivot.is_nan() && bad.is_nan());
        }
        let bent = Rigid3::try_from_coordinates(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0].into());
        assert_eq!(bent, Err(Error::InvalidRotation { norm: 2.0 }));
    }

    /// A disk is on the bound, and so is what is left of it after rounding; nothing has more of one moment.
    #[test]
    fn a_moment_beyond_the_sum_of_the_others_is_refused() {
        for moments in [[0.25, 0.25, 0.5], [0.0833, 0.0833, 0.1667]] {
            assert!(Inertia3::principal(1.0, moments).is_ok());
        }
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -0.9, 0.7));
        let turn = turn.to_rotation_matrix();
        let moments = Matrix3::from_diagonal(&Vector3::new(1.0, 4.0, 2.0));
        let turned = turn * moments * turn.transpose();
        let symmetric = (turned + turned.transpose()) * 0.5;
        for tensor in [moments, symmetric] {
            let refused = Inertia3::new(1.0, tensor).unwrap_err();
            let Error::ImpossibleInertia { excess } = refused else {
                panic!("{refused}");
            };
            assert!((excess - 1.0).abs() < 1e-14);
        }
    }

    /// Central difference of the coordinates along the exact motion.
    #[test]
    fn kinematics_is_the_rate_of_the_coordinates() {
        let start = Rigid3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, -0.7, 1.1));
        let v = SVector::<f64, 6>::from([1.0, -2.0, 0.5, 0.7, -0.2, 1.3]);
        let h = 1e-5;
        let (after, before) = (start.moved(&v, h), start.moved(&v, -h));
        let slope = (after.coordinates() - before.coordinates()) / (2.0 * h);
        assert!((slope - start.kinematics(&v)).norm() < 1e-9);

        let start = Rigid2::new(Vector2::new(1.0, 2.0), 0.4);
        let v = SVector::<f64, 3>::from([1.0, -2.0, 0.5]);
        let (after, before) = (start.moved(&v, h), start.moved(&v, -h));
        let slope = (after.coordinates() - before.coordinates()) / (2.0 * h);
        assert!((slope - start.kinematics(&v)).norm() < 1e-9);
    }
}
