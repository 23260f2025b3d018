//! A curve in the plane that keeps points on one of its sides.

use nalgebra::{Matrix2, SMatrix, Vector2};

use super::{ArcLength, Curve};
use crate::error::Error;
use crate::one_sided::{OneSided, OneSidedConstraint};
use crate::system::{Dynamics, WithoutRows};

/// A track that a bead lies on, leaves, and lands on: the points on one side of a curve in the plane.
///
/// The gap is the distance d from the nearest point of the curve, along the unit normal N of that side, and the slip the velocity
/// along the curve. With the unit tangent τ and the curvature κ towards the side,
///
/// ```text
/// ∇d = N     d̈ = N·v̇ − κ (τ·v)²/(1 − κ d)
/// ```
///
/// It is the system of a point of mass 1 without forces; [`Particle::bounded_by`](crate::Particle::bounded_by) gives it a mass and
/// forces, and a [`ContactSimulation`](crate::ContactSimulation) runs it.
///
/// - The curve should not cross itself: a bead meets each of its parts from the same side.
/// - Beyond the ends of its domain it goes on straight.
/// - Cost: a search of the nearest point for each evaluation. No allocation.
///
/// ```
/// use constraint_runtime::prelude::*;
/// use constraint_runtime::RowMode;
/// use constraint_runtime::tracks::Hump;
///
/// let hump = OneSidedTrack::left_of(Hump)?.with_friction(0.1);
/// let bead = Particle::new(0.2).bounded_by(hump).under_gravity([0.0, -9.81]);
/// // Faster than √(g r) over the top, with the radius r = 3/7, it takes off there …
/// let start = State::new(0.0, [0.0, 3.0], [3.0, 0.0]);
/// let mut run = ContactSimulation::new(bead, start, DormandPrince::new(1e-8, 1e-8))?;
/// assert_eq!(run.modes(), [RowMode::Open]);
/// let mut landed = 0.0;
/// run.run_until_with(0.65, |event| landed = event.time)?;
/// // … and lands where 3 − g t²/2 = y(v t); there it slides on.
/// assert!((3.0 * landed - (7.0 - 3.0 * 9.81 / 9.0_f64).sqrt()).abs() < 1e-8);
/// assert_eq!(run.modes(), [RowMode::Forward]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OneSidedTrack<C> {
    curve: ArcLength<C, 2>,
    /// 1 for the left side, −1 for the right.
    side: f64,
    restitution: f64,
    friction: f64,
}

/// The part of the length of a curve by which a point has to be ahead of its nearest point to be beyond an end.
const AHEAD: f64 = 1e-9;

/// The nearest point of the curve, seen from the side.
struct Place {
    tangent: Vector2<f64>,
    normal: Vector2<f64>,
    /// d
    gap: f64,
    /// κ/(1 − κ d)
    turning: f64,
}

impl<C: Curve<f64, 2> + Clone> OneSidedTrack<C> {
    /// The points to the left of the curve, seen along it: inside a closed curve that turns to the left.
    ///
    /// # Errors
    /// As [`ArcLength::new`].
    pub fn left_of(curve: C) -> Result<Self, Error> {
        Self::on_side(curve, 1.0)
    }

    /// The points to the right of the curve, seen along it.
    ///
    /// # Errors
    /// As [`ArcLength::new`].
    pub fn right_of(curve: C) -> Result<Self, Error> {
        Self::on_side(curve, -1.0)
    }

    fn on_side(curve: C, side: f64) -> Result<Self, Error> {
        Ok(Self {
            curve: ArcLength::new(&curve)?,
            side,
            restitution: 0.0,
            friction: 0.0,
        })
    }

    /// The same with the restitution e of impacts; 0 otherwise.
    pub fn with_restitution(self, restitution: f64) -> Self {
        Self {
            restitution,
            ..self
        }
    }

    /// The same with Coulomb's friction μ; 0 otherwise.
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// The curve, with its lengths.
    pub fn curve(&self) -> &ArcLength<C, 2> {
        &self.curve
    }

    fn place(&self, q: &Vector2<f64>) -> Place {
        let Ok(nearest) = self.curve.nearest(q) else {
            let nan = Vector2::repeat(f64::NAN);
            return Place {
                tangent: nan,
                normal: nan,
                gap: f64::NAN,
                turning: f64::NAN,
            };
        };
        let (curve, s) = (self.curve.curve(), nearest.parameter);
        let along = curve.tangent(s);
        let tangent = along.normalize();
        let normal = Vector2::new(-tangent.y, tangent.x) * self.side;
        let away = q - nearest.position;
        let gap = normal.dot(&away);
        // Beyond an end the nearest point stays there; everywhere else it lies straight across.
        let beyond = tangent.dot(&away).abs() > AHEAD * self.curve.length();
        let curvature = curve.second_derivative(s).dot(&normal) / along.norm_squared();
        Place {
            tangent,
            normal,
            gap,
            turning: if beyond {
                0.0
            } else {
                curvature / (1.0 - curvature * gap)
            },
        }
    }
}

impl<C> WithoutRows for OneSidedTrack<C> {}

impl<C: Curve<f64, 2> + Clone> Dynamics<f64> for OneSidedTrack<C> {
    type Q = Vector2<f64>;
    type V = Vector2<f64>;
    type Coordinates = Vector2<f64>;
    type Velocities = Vector2<f64>;

    fn acceleration(&self, _t: f64, _q: &Self::Q, _v: &Self::V) -> Result<Self::V, Error> {
        Ok(Vector2::zeros())
    }

    fn kinetic_energy(&self, _t: f64, _q: &Self::Q, v: &Self::V) -> f64 {
        0.5 * v.norm_squared()
    }

    fn potential_energy(&self, _t: f64, _q: &Self::Q) -> f64 {
        0.0
    }
}

impl<C: Curve<f64, 2> + Clone> OneSided<f64> for OneSidedTrack<C> {
    type Sides = Vector2<f64>;
    type AllRows = Vector2<f64>;
    type SideJacobian = Matrix2<f64>;
    type Responses = Matrix2<f64>;
    type Reactions = SMatrix<f64, 0, 2>;

    const GAPS: &'static [&'static str] = &["track"];
    const SLIPS: &'static [usize] = &[0];

    fn gaps(&self, _t: f64, q: &Self::Q) -> Self::Sides {
        Vector2::new(self.place(q).gap, 0.0)
    }

    fn one_sided_rates(&self, t: f64, q: &Self::Q, v: &Self::V) -> Self::Sides {
        self.one_sided_jacobian(t, q) * v
    }

    fn one_sided_jacobian(&self, _t: f64, q: &Self::Q) -> Self::SideJacobian {
        let Place {
            tangent, normal, ..
        } = self.place(q);
        Matrix2::from_rows(&[normal.transpose(), tangent.transpose()])
    }

    fn one_sided_bias(&self, _t: f64, q: &Self::Q, v: &Self::V) -> Self::Sides {
        let place = self.place(q);
        let [along, across] = [place.tangent.dot(v), place.normal.dot(v)];
        Vector2::new(-along, across) * (place.turning * along)
    }

    fn contact_coefficients(&self, _t: f64, _q: &Self::Q) -> Self::Sides {
        Vector2::new(self.restitution, self.friction)
    }

    fn one_sided_responses(&self, t: f64, q: &Self::Q) -> Result<Self::Responses, Error> {
        Ok(self.one_sided_jacobian(t, q).transpose())
    }

    fn one_sided_reactions(&self, _t: f64, _q: &Self::Q) -> Result<Self::Reactions, Error> {
        Ok(SMatrix::zeros())
    }
}

impl<C: Curve<f64, 2> + Clone> OneSidedConstraint<f64, 2> for OneSidedTrack<C> {}
