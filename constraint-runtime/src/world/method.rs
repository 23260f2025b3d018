//! The methods by which a world steps.

/// The method by which a [`World`](crate::World) steps.
///
/// | | `Rattle` | `SemiImplicitEuler` |
/// |---|---|---|
/// | order | 2 | 1 |
/// | energy | errs by order h², without a trend | falls, in proportion to h |
/// | Ċ at the end of a step | 0 to rounding | of order h |
/// | joints | rigid, by [`Solver::Exact`](crate::Solver) and projection | all |
///
/// ```
/// use constraint_runtime::joint::Ball;
/// use constraint_runtime::{WorldMethod, prelude::*};
///
/// // The energy that a pendulum, let go from the level, has lost after 10 s.
/// let lost = |method: WorldMethod| -> Result<f64, Error> {
///     let mut world = World3::new().with_gravity([0.0, 0.0, -9.81]).with_method(method);
///     let hook = world.add(Body3::fixed(Rigid3::identity()))?;
///     let inertia = Inertia3::principal(1.0, [0.02, 0.02, 0.01])?;
///     let bob = world.add(Body3::new(inertia, Rigid3::translation(1.0, 0.0, 0.0)))?;
///     world.connect(Ball { r1: Vector3::zeros(), r2: -Vector3::x() }, [hook, bob])?;
///     world.run_until(10.0, 0.01)?;
///     Ok(-world.energy())
/// };
/// assert!(lost(WorldMethod::Rattle)?.abs() < 0.005);
/// assert!(lost(WorldMethod::SemiImplicitEuler)? > 2.0);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorldMethod {
    /// RATTLE on the rotation group: symplectic, reversible, of second order.
    ///
    /// Half a kick by forces and joints, free motion with exactly constant angular momentum, half a kick. It factors
    /// J W Jᵀ once a step, half as often as `SemiImplicitEuler`. Where it does not apply (soft joints and limits, rows with bounds, other
    /// solvers and stabilisations, scalars with derivatives), a step is one of `SemiImplicitEuler`. A step in which a jointed body turns
    /// so far that the impulses cannot be found by iteration, about half a radian, is divided:
    /// [`parts_of_step`](crate::World::parts_of_step).
    ///
    /// # Source
    /// H. C. Andersen, J. Comput. Phys. 52, 1983; A. Dullweber, B. Leimkuhler, R. McLachlan, J. Chem. Phys. 107, 1997,
    /// for the free motion.
    #[default]
    Rattle,
    /// Forces, impulses on Ċ = 0, poses with the new velocities, projection onto C = 0.
    ///
    /// # Source
    /// I. Robson, *Distance Constraint*, steps 1 to 3.
    SemiImplicitEuler,
}
