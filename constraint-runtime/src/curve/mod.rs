//! Parametric curves r(s) in the plane and in space, and motion along them.
//!
//! `curve!` implements [`Curve`]: r, r′, r″, κ and the equation of motion of a bead, all at one parameter s.
//! [`Particle::along`](crate::Particle::along) turns it into a [`System`](crate::System).

#[cfg(feature = "curves")]
mod arc_length;
mod bead;
#[cfg(feature = "curves")]
mod nearest;
#[cfg(feature = "curves")]
mod quadrature;
mod seam;
#[cfg(feature = "curves")]
mod seams;
#[cfg(feature = "curves")]
mod side;
#[cfg(feature = "curves")]
pub mod tracks;

#[cfg(feature = "curves")]
pub use arc_length::ArcLength;
pub use bead::Bead;
#[cfg(feature = "curves")]
pub use nearest::Nearest;
pub use seam::{Continuity, Seam};
#[cfg(feature = "curves")]
pub use seams::{Seams, seams};
#[cfg(feature = "curves")]
pub use side::OneSidedTrack;

use core::fmt;
use core::ops::RangeInclusive;

use nalgebra::SVector;

use crate::error::{Error, Figure};
use crate::real::{Real, first_bad, first_bad_lane, is_finite, lane_value};

/// A curve r(s) in `D` dimensions, 2 or 3, over a closed domain of its parameter s.
///
/// `curve!` writes every method in closed form. To implement the trait by hand, write the four without a default.
///
/// - Units: those of r; s may have any unit.
/// - Cost: no method allocates.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! {
///     /// The hump track.
///     pub struct Hump;
///     |s in -2.5..=2.5| [s, 3 - 7/6*s^2 + s^4/6]
/// }
///
/// assert_eq!(Hump.position(1.0), Vector2::new(1.0, 2.0));
/// assert!((Hump.tangent(1.0) - Vector2::new(1.0, -5.0 / 3.0)).norm() < 1e-15);
/// // Released on the slope −5/3, where gravity pulls along r′: s̈ = r′·g/(r′·r′).
/// let a: f64 = Hump.acceleration(1.0, 0.0, &Vector2::new(0.0, -9.81), 1.0)?;
/// assert!((a - 9.81 * 15.0 / 34.0).abs() < 1e-14);
/// # Ok::<(), Cusp>(())
/// ```
///
/// # Source
/// [Witkin 1997] A. Witkin, *Physically Based Modeling: Constrained Dynamics*, SIGGRAPH course notes: one
/// generalized coordinate s, (r′·r′) s̈ + r′·r″ ṡ² = r′·f/m.
pub trait Curve<T: Real, const D: usize> {
    /// The point r(s).
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # use constraint_runtime::tracks::Hump;
    /// assert_eq!(Hump.position(1.0), Vector2::new(1.0, 2.0));
    /// ```
    fn position(&self, s: T) -> SVector<T, D>;

    /// r′ = dr/ds: tangent to the curve, as long as the speed of a point with ṡ = 1.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # use constraint_runtime::tracks::Hump;
    /// // y′ = −7/3 x + 2/3 x³
    /// assert!((Hump.tangent(1.0) - Vector2::new(1.0, -5.0 / 3.0)).norm() < 1e-15);
    /// ```
    fn tangent(&self, s: T) -> SVector<T, D>;

    /// r″ = d²r/ds².
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # use constraint_runtime::tracks::Hump;
    /// // y″ = −7/3 + 2 x²
    /// assert!((Hump.second_derivative(1.0) - Vector2::new(0.0, -1.0 / 3.0)).norm() < 1e-15);
    /// ```
    fn second_derivative(&self, s: T) -> SVector<T, D>;

    /// The interval of s.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # use constraint_runtime::tracks::Hump;
    /// assert_eq!(Hump.domain(), -2.5..=2.5);
    /// ```
    fn domain(&self) -> RangeInclusive<T>;

    /// A number that changes when the curve passes from one piece to the next, at the `if`, `min`, `max` or `abs` of
    /// its definition; constant for a curve of one piece.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// curve! { struct Corner; |s in -3..=3| [s, if s > 0 { s } else { -s }] }
    /// assert!(Corner.piece(-1e-9) == Corner.piece(-3.0) && Corner.piece(1e-9) != Corner.piece(-3.0));
    /// ```
    #[inline]
    fn piece(&self, _s: T) -> T {
        T::zero()
    }

    /// The largest gap between two pieces, relative to the curve's extent: 10⁻⁹, which is rounding, unless
    /// `#[joined(…)]` states more, for example for constants printed to a few digits.
    ///
    /// A bead of mass m crosses a gap δ from one piece to the next without a change of velocity. Its energy jumps by
    /// the potential energy across the gap, −m g·δ under gravity, and jumps back when the bead returns: nothing is
    /// lost in a back-and-forth motion. Around a closed curve the jumps add up, by −m g·Σδ per turn. The track exerts
    /// no force across the gap; on either side it exerts that of the piece there.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// curve! {
    /// /// A parabola that is a millimetre too high from s = 1 on.
    ///     #[joined(1e-3)]
    ///     struct Ramp;
    ///     |s in -1..=2| if s < 1 { [s, s^2] } else { [s, s^2 + 0.001] }
    /// }
    /// let bead = Particle::new(1.0_f64).along(Ramp).under_gravity([0.0, -9.81]);
    /// let mut run = Simulation::new(bead, State::new(0.0, [0.0], [6.0]), Rk4::new(1e-4))?;
    /// let before = run.energy();
    /// run.run_until(0.3)?;
    /// assert!(run.state().q[0] > 1.0);
    /// assert!((run.energy() - before - 9.81e-3).abs() < 1e-5);
    /// # Ok::<(), Error>(())
    /// ```
    #[inline]
    fn joined(&self) -> f64 {
        1e-9
    }

    /// Why s̈ is not finite at a parameter: the expression that is 0 or out of the domain of its function.
    #[doc(hidden)]
    fn check_defined(&self, _s: T) -> Result<(), Error> {
        Ok(())
    }

    /// r, r′ and r″ in one evaluation.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # use constraint_runtime::tracks::Hump;
    /// let [r, _, _]: [Vector2<f64>; 3] = Hump.jet(1.0);
    /// assert_eq!(r, Hump.position(1.0));
    /// ```
    #[inline]
    fn jet(&self, s: T) -> [SVector<T, D>; 3] {
        [self.position(s), self.tangent(s), self.second_derivative(s)]
    }

    /// Curvature κ, one over the radius of the osculating circle.
    ///
    /// - Sign: in the plane κ = (x′ y″ − y′ x″)/|r′|³, positive where the curve turns left; in space
    ///   κ = |r′ × r″|/|r′|³.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// curve! { struct Circle { r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)] }
    /// assert!((Circle { r: 2.0 }.curvature(1.0) - 0.5_f64).abs() < 1e-15);
    /// ```
    fn curvature(&self, s: T) -> T {
        let [_, r1, r2] = self.jet(s);
        // Lengths are divided one by one: a product of three soon underflows or overflows.
        let metric = r1.norm_squared();
        if D == 2 {
            let along = r1 / metric.simd_sqrt();
            (along[0] * r2[1] - along[1] * r2[0]) / metric
        } else {
            // |a × b|² = |a|² |b|² − (a·b)², written as |a|² |b − (a·b/|a|²) a|², which does not cancel.
            (r2 - r1 * (r1.dot(&r2) / metric)).norm() / metric
        }
    }

    /// True if the curve ends where it begins, within the tolerance to which its pieces are [`joined`](Self::joined).
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// curve! { struct Circle { r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)] }
    /// assert!(Circle { r: 2.0 }.is_closed());
    /// ```
    fn is_closed(&self) -> bool {
        is_closed(self)
    }

    /// s̈ of a bead of mass `m` under the force `f`: s̈ = (r′·f/m − r′·r″ ṡ²)/(r′·r′).
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// # use constraint_runtime::tracks::Circle;
    /// // A quarter down a circle of radius 2 m, where gravity pulls along it: s̈ = g/r.
    /// let s = core::f64::consts::FRAC_PI_2;
    /// let a = Circle { r: 2.0 }.acceleration(s, 0.0, &Vector2::new(0.0, -9.81), 1.0)?;
    /// assert!((a - 4.905).abs() < 1e-15);
    /// # Ok::<(), Cusp>(())
    /// ```
    ///
    /// # Errors
    /// [`Cusp`] where r′ vanishes, or where r′ or r″ is not finite.
    #[inline]
    fn acceleration(&self, s: T, s_dot: T, f: &SVector<T, D>, m: T) -> Result<T, Cusp> {
        self.acceleration_under(s, s_dot, m, T::zero(), |_, _| *f)
    }

    /// s̈ of a bead of mass `m` under the force `|r, v| f` and the damping −`b` v, everything in one
    /// evaluation: s̈ = (r′·f/m − r′·r″ ṡ²)/(r′·r′) − (b/m) ṡ.
    ///
    /// ```
    /// # use constraint_runtime::prelude::*;
    /// curve! { struct Line; |s in 0..=1| [s, s] }
    /// // Along a straight line at the speed √2 ṡ, against b v: s̈ = −(b/m) ṡ.
    /// let a: f64 = Line.acceleration_under(0.5, 3.0, 2.0, 0.1, |_, _| Vector2::zeros())?;
    /// assert!((a - -0.15).abs() < 1e-15);
    /// # Ok::<(), Cusp>(())
    /// ```
    ///
    /// # Errors
    /// [`Cusp`] where r′ vanishes, or where r′ or r″ is not finite.
    #[inline]
    fn acceleration_under(
        &self,
        s: T,
        s_dot: T,
        m: T,
        b: T,
        force: impl FnOnce(&SVector<T, D>, &SVector<T, D>) -> SVector<T, D>,
    ) -> Result<T, Cusp> {
        let [r, r1, r2] = self.jet(s);
        let metric = r1.norm_squared();
        check_tangent(metric)?;
        let f = force(&r, &(r1 * s_dot));
        let resisted = (m * r1.dot(&r2) * s_dot + b * metric) * s_dot;
        Ok((r1.dot(&f) - resisted) / (m * metric))
    }
}

/// Rejects r′·r′ = 0 and NaN; one bad SIMD lane is an error.
#[inline(always)]
#[doc(hidden)]
pub fn check_tangent<T: Real>(metric: T) -> Result<(), Cusp> {
    match first_bad(metric, metric.simd_gt(T::zero())) {
        None => Ok(()),
        Some(metric) => Err(Cusp { metric }),
    }
}

/// Checks that a domain is finite and contains more than one point.
pub(crate) fn check_domain<T: Real>(domain: &RangeInclusive<T>) -> Result<(), Error> {
    let (start, end) = (*domain.start(), *domain.end());
    let good = start.simd_lt(end) & is_finite(start) & is_finite(end);
    match first_bad_lane::<T>(good) {
        None => Ok(()),
        Some(lane) => Err(Error::InvalidDomain {
            start: lane_value(start, lane),
            end: lane_value(end, lane),
        }),
    }
}

/// Number of points that determine the extent of a curve.
const EXTENT_SAMPLES: u32 = 16;

fn is_closed<T: Real, C: Curve<T, D> + ?Sized, const D: usize>(curve: &C) -> bool {
    let domain = curve.domain();
    let ends = [domain.start(), domain.end()].map(|s| curve.position(*s));
    let gap = (ends[1] - ends[0]).norm_squared();
    // Squared, like the extent.
    let tolerance = T::lit(tolerance::<T, C, D>(curve));
    let closed = gap.simd_le(extent_squared(curve) * (tolerance * tolerance));
    nalgebra::SimdBool::all(closed)
}

/// The square of the greatest distance from the start among a few points.
fn extent_squared<T: Real, C: Curve<T, D> + ?Sized, const D: usize>(curve: &C) -> T {
    let domain = curve.domain();
    let (start, end) = (*domain.start(), *domain.end());
    let first = curve.position(start);
    (1..=EXTENT_SAMPLES).fold(T::zero(), |extent, i| {
        let part = T::lit(f64::from(i) / f64::from(EXTENT_SAMPLES));
        let reach = curve.position(start + (end - start) * part) - first;
        extent.simd_max(reach.norm_squared())
    })
}

/// The largest gap that counts as none, relative to the extent: never finer than the scalar's own rounding.
fn tolerance<T: Real, C: Curve<T, D> + ?Sized, const D: usize>(curve: &C) -> f64 {
    let rounding = 16.0 * lane_value(T::simd_default_epsilon(), 0);
    curve.joined().max(rounding)
}

/// The tangent r′ vanishes, or r′ or r″ is not finite: there the curve has a cusp, and a bead has no acceleration.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! { struct Semicubical; |s in 0..=1| [s^2, s^3] }
/// let stuck = Semicubical.acceleration(0.0, 1.0, &Vector2::zeros(), 1.0);
/// assert_eq!(stuck, Err(Cusp { metric: 0.0 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cusp {
    /// r′·r′ as found (of the first bad lane, for SIMD scalars). Where r′ or r″ is not finite, a number that is not finite:
    /// r′·r′, or one of the result.
    pub metric: f64,
}

impl Cusp {
    /// Of a result that is not finite.
    #[doc(hidden)]
    #[cold]
    pub fn of_result((_, metric): (usize, f64)) -> Self {
        Self { metric }
    }
}

impl fmt::Display for Cusp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.metric.is_finite() {
            return f.write_str("the curve has no finite tangent or curvature here");
        }
        write!(
            f,
            "the tangent of the curve vanishes: r′·r′ = {}",
            Figure(self.metric)
        )
    }
}

impl core::error::Error for Cusp {}
