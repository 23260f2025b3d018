//! Moves bodies onto their joints from anywhere, without a step.
//!
//! ```text
//! far:   q moved by W′ Jᵀ λ,  (J W′ Jᵀ) λ = −C     W′: W with smaller 1/I; at most half a radian per iteration
//! near:  the projection of a step                  once Newton's method turns no body by more than that
//! ```

use nalgebra::SimdBool;

use super::World;
use super::apart::lengths;
use super::body::Massive;
use super::step::prepared;
use crate::error::Error;
use crate::real::{Real, lane_value};
use crate::stabilization::Stabilization;

/// Iterations of the far phase.
const MAX_APPROACHES: usize = 100;

/// Largest rotation of a body in one iteration, in radians.
const MOST_TURN: f64 = 0.5;

/// Least factor on 1/I in the far phase; a smaller one would drown in the rounding of 1/m.
const LEAST_TURNING: f64 = 1e-8;

impl<T: Real, B: Massive<T, D>, const D: usize> World<T, B, D> {
    /// Moves the bodies onto their joints, regardless of how far apart they are. No time passes.
    ///
    /// Corrections are mass-weighted, W Jᵀ λ, as in the projection of a step: the centre of mass of bodies that no joint
    /// connects to a fixed one does not move. Newton's method finds a nearby rotation; if bodies are far from their joints,
    /// several may qualify. Velocities do not change: the impulses of the next step make them consistent, as in every step.
    /// Soft joints are ignored.
    ///
    /// [`step`](Self::step) alone moves a body by at most 2 % of its reach, and turns it by at most 0.02 rad. The reach is the
    /// largest of the body's radius of gyration, the arm of the joint, and the length over which the direction of a row turns,
    /// such as the length of a rod. The first step that projects checks this after a joint was added, after
    /// [`set_state`](Self::set_state) and after [`with_stabilization`](Self::with_stabilization); beyond it, the step returns
    /// [`Error::JointApart`]. Not checked are [`Stabilization::None`] and [`Stabilization::Baumgarte`], which never move a body
    /// at once, and a joint that [`set_softness`](Self::set_softness) makes rigid, which the next step closes regardless of
    /// the gap.
    ///
    /// Both [`Solver`](crate::Solver)s use the exact one here.
    ///
    /// ```
    /// use constraint_runtime::joint::Ball;
    /// use constraint_runtime::prelude::*;
    ///
    /// let mut world = World3::<f64>::new();
    /// let mut ball = |x| world.add(Body3::new(Inertia3::principal(1.0, [0.1; 3])?, Rigid3::translation(x, 0.0, 0.0)));
    /// let (a, b) = (ball(0.0)?, ball(6.0)?);
    /// // The points to be joined are 5 m apart.
    /// world.connect(Ball { r1: Vector3::x() * 0.5, r2: -Vector3::x() * 0.5 }, [a, b])?;
    /// let refused = world.step(1e-3).unwrap_err();
    /// assert!(matches!(refused, Error::JointApart { value: 5.0, .. }));
    /// assert!(refused.to_string().starts_with("joint 0 (Ball between bodies 0 and 1) is apart: C of a row is 5"));
    ///
    /// world.assemble()?;
    /// assert_eq!(world.pose(a)?.translation.x, 2.5);
    /// assert_eq!(world.pose(b)?.translation.x, 3.5);
    /// world.step(1e-3)?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`step`](Self::step) for the settings; [`Error::UnreachableRow`] or [`Error::Singular`] if no place is found in
    /// which the joints meet. Nothing moves then.
    pub fn assemble(&mut self) -> Result<(), Error> {
        self.solver.validate()?;
        self.stabilization.validate()?;
        let tolerance = match self.stabilization {
            Stabilization::Projection { tolerance } => tolerance,
            _ => T::zero(),
        };
        if let Err(error) = self.put_together(tolerance) {
            self.restore();
            let error = self.out_of_reach(error, tolerance);
            return Err(error.located(lane_value(self.time, 0), |row| self.describe(row)));
        }
        for (state, body) in self.states.iter_mut().zip(&self.bodies) {
            state.0 = body.pose;
        }
        self.frames.all_displaced();
        (self.checked, self.assembled) = (true, true);
        Ok(())
    }

    /// [`assemble`](Self::assemble), with its results still in `bodies`.
    fn put_together(&mut self, tolerance: T) -> Result<(), Error> {
        self.update_inverse_masses();
        self.prepare_exact();
        self.approach(tolerance)?;
        self.project_exactly(self.time, None, tolerance)?;
        self.renormalize();
        self.check_finite()
    }

    /// Names the row that is violated most at the start, if the search for a place has failed.
    #[cold]
    fn out_of_reach(&mut self, error: Error, tolerance: T) -> Error {
        let Error::ProjectionDiverged { row, residual, .. } = error else {
            return error;
        };
        self.update_inverse_masses();
        let gap = self.widest_gap(tolerance);
        let (row, value) = gap.map_or((row, residual), |gap| (gap.row.into(), gap.value));
        Error::UnreachableRow { row, value }
    }

    /// Moves the bodies until Newton's method turns none by more than [`MOST_TURN`], within which rows are nearly straight.
    ///
    /// Far from the joints it would turn bodies at random: turning an arm r by C/r closes the gap C only while that angle is
    /// small. Here rotations are harder to move than masses say, and limited in each iteration.
    fn approach(&mut self, tolerance: T) -> Result<(), Error> {
        for _ in 0..MAX_APPROACHES {
            self.update_inverse_masses();
            let worst = self.linearize_poses(self.time, tolerance, true);
            if worst.ratio <= 1.0 || !worst.value.is_finite() {
                break;
            }
            let turn = self.solve_poses()?;
            if turn.simd_le(T::lit(MOST_TURN)).all() {
                break;
            }
            let part = T::lit(MOST_TURN) / turn.simd_max(T::lit(MOST_TURN));
            let part = (part * part).simd_max(T::lit(LEAST_TURNING));
            for body in &mut self.bodies {
                body.inverse_mass = B::turning_less(&body.inverse_mass, part);
            }
            self.linearize_poses(self.time, tolerance, false);
            let turn = self.solve_poses()?;
            let part = T::lit(MOST_TURN) / turn.simd_max(T::lit(MOST_TURN));
            let displacements = prepared(&mut self.exact).displacements();
            for (body, displacement) in self.bodies.iter_mut().zip(displacements) {
                body.pose = body.pose.moved(displacement, part).renormalized();
            }
        }
        self.update_inverse_masses();
        Ok(())
    }

    /// Computes the displacements that remove C to first order; returns the largest rotation among them.
    fn solve_poses(&mut self) -> Result<T, Error> {
        let exact = prepared(&mut self.exact);
        exact.solve(&self.bodies)?;
        let displacements = exact.find_displacements(&self.bodies);
        Ok(displacements.iter().fold(T::zero(), |most, displacement| {
            most.simd_max(lengths::<T, B, D>(displacement).1)
        }))
    }
}
