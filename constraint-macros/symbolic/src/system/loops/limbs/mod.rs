//! Equal limbs of a trunk, such as the legs of a robot, in loops: v̇, M a − h and M a.
//!
//! ```text
//! trunk   its motion                                      once
//! limbs   their motion, forces, and what hangs on it      in a loop: f, n, and for v̇ Λ, summed
//! trunk   its forces, or its accelerations                once
//! limbs   their accelerations                             in a loop
//! ```
//! These are the sweeps of recursion ([`dynamics::Tree`](crate::dynamics::Tree)), cut where limbs hang on the trunk.

mod equal;
mod limb;
mod numbers;
mod stages;
mod sweeps;

use crate::expr::SortedMap;

use super::routine::Routine;
use crate::dynamics::Equations;
use crate::model::System;
use crate::solve::Quantity;
use equal::{Candidates, Cut};
use sweeps::Sweeps;

/// Routines of limbs, and how many limbs share them.
#[derive(Clone, Debug, Default)]
pub struct Limbs {
    /// The loops of every quantity that has them.
    pub routines: SortedMap<Quantity, Routine>,
    /// The number of limbs.
    pub count: usize,
}

impl Limbs {
    /// All routines, with the system with the numbers that they read; `None` if there are no equal limbs.
    pub fn of(system: &System, equations: &Equations) -> Option<(Limbs, System)> {
        let candidates = Candidates::of(equations)?;
        let mut system = system.clone();
        let cut = Cut::of(&mut system, equations, &candidates)?;
        let mut sweeps = Sweeps {
            system: &mut system,
            equations,
            cut: &cut,
        };
        let mut routines = SortedMap::new();
        if equations.unconstrained.is_some() {
            let motion = sweeps.motion(false);
            routines.extend(motion.map(|it| (Quantity::Acceleration, it)));
            let step = !equations.stepped.is_empty();
            let motion = step.then(|| sweeps.motion(true)).flatten();
            routines.extend(motion.map(|it| (Quantity::OwnSlope, it)));
        }
        let missing = sweeps.forces(true);
        routines.extend([
            (Quantity::MassTimes, sweeps.forces(false)),
            (Quantity::UnconstrainedInverseDynamics, missing.clone()),
            (Quantity::InverseDynamics, missing),
        ]);
        let limbs = Limbs {
            routines,
            count: cut.limbs(),
        };
        Some((limbs, system))
    }
}
