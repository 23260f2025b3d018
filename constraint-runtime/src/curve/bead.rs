//! A particle that slides along a curve, as [`Dynamics`] of one coordinate.

use core::ops::RangeInclusive;

use nalgebra::{SVector, SimdBool};

use super::seam::for_each_seam;
use super::{Curve, Cusp};
use crate::checks::defined;
use crate::error::{Error, Quantity};
use crate::load::{Free, Gravity, Load, Potential};
use crate::particle::Particle;
use crate::real::{Real, first_bad, is_finite, lane_value};
use crate::state::IntoGravity;
use crate::system::{Dynamics, Unconstrained};

impl<T: Real> Particle<T> {
    /// This particle, sliding along `curve`, under no external force yet.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// curve! { pub struct Hump; |s in -2.5..=2.5| [s, 3 - 7/6*s^2 + s^4/6] }
    ///
    /// let bead = Particle::new(0.5)
    ///     .along(Hump)
    ///     .under_gravity([0.0, -9.81])
    ///     .damped(0.1)
    ///     .under(|_t, _r, v| -0.01 * v.norm() * v);
    /// let start = State::new(0.0, [-2.2], [0.0]);
    /// let mut run = Simulation::new(bead, start, Rk4::new(0.01))?;
    /// run.run_until(1.0)?;
    /// assert!(run.energy() < 0.5 * 9.81 * Hump.position(-2.2).y);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn along<C, const D: usize>(self, curve: C) -> Bead<T, C, Free, D>
    where
        C: Curve<T, D>,
    {
        let domain = curve.domain();
        let closed = curve.is_closed() && !has_cusp_at_end(&curve, &domain);
        Bead {
            mass: self.mass(),
            damping: T::zero(),
            curve,
            domain,
            closed,
            load: Free,
        }
    }
}

/// A closed curve whose ends form a cusp cannot be traversed past its ends.
fn has_cusp_at_end<T: Real, C: Curve<T, D>, const D: usize>(
    curve: &C,
    domain: &RangeInclusive<T>,
) -> bool {
    let middle = (*domain.start() + *domain.end()) * T::lit(0.5);
    let usual = curve.tangent(middle).norm_squared() * T::simd_default_epsilon();
    let vanishes = |s: T| curve.tangent(s).norm_squared().simd_le(usual).any();
    vanishes(*domain.start()) || vanishes(*domain.end())
}

/// A particle on a curve in `D` dimensions, under the load `F`: one coordinate s, no constraint rows.
///
/// m (r′·r′ s̈ + r′·r″ ṡ²) = r′·f − b r′·r′ ṡ. Positions and velocities of the load are those in space, r(s) and
/// r′(s) ṡ. On a closed curve s may continue beyond its domain; the curve is then traversed once more.
#[derive(Clone, Debug, PartialEq)]
pub struct Bead<T, C, F, const D: usize> {
    mass: T,
    damping: T,
    curve: C,
    domain: RangeInclusive<T>,
    closed: bool,
    load: F,
}

impl<T, C, F, const D: usize> Bead<T, C, F, D>
where
    T: Real,
    C: Curve<T, D>,
    F: Load<T, D>,
{
    /// Adds the external force `|t, r, v| force`.
    pub fn under<G>(self, force: G) -> Bead<T, C, F::With<G>, D>
    where
        G: Fn(T, &SVector<T, D>, &SVector<T, D>) -> SVector<T, D>,
    {
        self.with_load(force)
    }

    /// Adds the weight m g, and its potential energy −m g·r.
    pub fn under_gravity(
        self,
        g: impl IntoGravity<SVector<T, D>>,
    ) -> Bead<T, C, F::With<Gravity<T, D>>, D> {
        self.with_load(Gravity(g.into_gravity()))
    }

    /// Adds the potential energy `|r| energy` of a force given by [`under`](Self::under) to the energy.
    ///
    /// It exerts no force: give the force −∇U itself.
    pub fn with_potential<U>(self, energy: U) -> Bead<T, C, F::With<Potential<U>>, D>
    where
        U: Fn(&SVector<T, D>) -> T,
    {
        self.with_load(Potential(energy))
    }

    /// Adds the damping −b v; b in N·s/m, finite and not negative in sum.
    pub fn damped(mut self, b: T) -> Self {
        self.damping += b;
        self
    }

    /// The curve the particle slides along.
    pub fn curve(&self) -> &C {
        &self.curve
    }

    /// The particle's mass.
    pub fn mass(&self) -> T {
        self.mass
    }

    /// True if the bead can go round: the curve is closed, and its ends are no cusp.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The parameter within the domain equivalent to `s`: `s` itself, unless the curve is closed.
    #[inline]
    pub fn parameter(&self, s: T) -> T {
        if !self.closed || self.contains(s).all() {
            return s;
        }
        let (start, end) = (*self.domain.start(), *self.domain.end());
        let period = end - start;
        s - ((s - start) / period).simd_floor() * period
    }

    /// r, the position in space.
    pub fn position(&self, s: T) -> SVector<T, D> {
        self.curve.position(self.parameter(s))
    }

    /// v = r′ ṡ, the velocity in space.
    pub fn velocity(&self, s: T, s_dot: T) -> SVector<T, D> {
        self.curve.tangent(self.parameter(s)) * s_dot
    }

    /// The force of the track on the bead, m a − f + b v, perpendicular to the track.
    ///
    /// A one-sided track can push but not pull: when this force changes sides, the bead leaves it.
    ///
    /// ```
    /// use constraint_runtime::prelude::*;
    ///
    /// curve! { struct Circle { r: Real } |s in 0..=TAU| [r*cos(s), r*sin(s)] }
    /// let bead = Particle::new(2.0_f64).along(Circle { r: 0.5 });
    /// // 2 kg at 3 m/s on a radius of 0.5 m: m v²/r = 36 N inwards.
    /// let force = bead.track_force(0.0, 0.0, 6.0)?;
    /// assert!((force - Vector2::new(-36.0, 0.0)).norm() < 1e-12);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Dynamics::acceleration`].
    pub fn track_force(&self, t: T, s: T, s_dot: T) -> Result<SVector<T, D>, Error> {
        let s = self.parameter(s);
        let [r, r1, r2] = self.curve.jet(s);
        let v = r1 * s_dot;
        let f = self.load.force(self.mass, t, &r, &v);
        // m r″ ṡ² − f minus its part along r′, for any s̈.
        let metric = r1.norm_squared();
        super::check_tangent(metric).map_err(|cusp| self.cusp(s, cusp))?;
        let needed = r2 * (self.mass * s_dot * s_dot) - f;
        let force = needed - r1 * (r1.dot(&needed) / metric);
        defined(force, |bad| self.cusp(s, Cusp::of_result(bad)))
    }

    fn with_load<G>(self, load: G) -> Bead<T, C, F::With<G>, D> {
        Bead {
            mass: self.mass,
            damping: self.damping,
            curve: self.curve,
            domain: self.domain,
            closed: self.closed,
            load: self.load.with(load),
        }
    }

    #[inline]
    fn contains(&self, s: T) -> T::SimdBool {
        s.simd_ge(*self.domain.start()) & s.simd_le(*self.domain.end())
    }

    #[cold]
    fn cusp(&self, s: T, cusp: Cusp) -> Error {
        if let (false, Err(corner)) = (cusp.metric.is_finite(), self.curve.check_defined(s)) {
            return corner;
        }
        let parameter = lane_value(s, 0);
        Error::Cusp {
            parameter: Some(parameter),
            metric: cusp.metric,
            time: None,
        }
    }
}

type One<T> = SVector<T, 1>;

/// The coordinate cannot leave the curve: there is nothing to report and nothing to correct.
impl<T, C, F, const D: usize> Unconstrained for Bead<T, C, F, D> {}

#[diagnostic::do_not_recommend]
impl<T, C, F, const D: usize> Dynamics<T> for Bead<T, C, F, D>
where
    T: Real,
    C: Curve<T, D>,
    F: Load<T, D>,
{
    type Q = One<T>;
    type V = One<T>;
    type Coordinates = One<T>;
    type Velocities = One<T>;

    #[inline]
    fn acceleration(&self, t: T, q: &One<T>, v: &One<T>) -> Result<One<T>, Error> {
        let s = self.parameter(q[0]);
        let force = |r: &SVector<T, D>, v: &SVector<T, D>| self.load.force(self.mass, t, r, v);
        self.curve
            .acceleration_under(s, v[0], self.mass, self.damping, force)
            .map(|acceleration| [acceleration].into())
            .map_err(|cusp| self.cusp(s, cusp))
    }

    fn kinetic_energy(&self, _t: T, q: &One<T>, v: &One<T>) -> T {
        T::lit(0.5) * self.mass * self.velocity(q[0], v[0]).norm_squared()
    }

    fn potential_energy(&self, t: T, q: &One<T>) -> T {
        self.load.potential(self.mass, t, &self.position(q[0]))
    }

    fn validate(&self) -> Result<(), Error> {
        let positive = self.mass.simd_gt(T::zero()) & is_finite(self.mass);
        if let Some(mass) = first_bad(self.mass, positive) {
            return Err(Error::InvalidMass { mass });
        }
        if let Some(damping) = first_bad(
            self.damping,
            self.damping.simd_ge(T::zero()) & is_finite(self.damping),
        ) {
            return Err(Error::InvalidDamping { damping });
        }
        (0..T::LANES).try_for_each(|lane| for_each_seam(&self.curve, lane, |_| {}))
    }

    fn admits(&self, _t: T, q: &One<T>) -> Result<(), Error> {
        if self.closed {
            return Ok(());
        }
        match first_bad(q[0], self.contains(q[0])) {
            None => Ok(()),
            Some(value) => Err(Error::OutOfRange {
                quantity: Quantity::Parameter,
                value,
                start: lane_value(*self.domain.start(), 0),
                end: lane_value(*self.domain.end(), 0),
                time: None,
            }),
        }
    }
}
