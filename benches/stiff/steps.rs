//! Implicit steps beside explicit ones.

use constraint_runtime::Effort;
use constraint_runtime::prelude::*;

use super::timing::{Contender, race};

system! {
    /// A rod in the plane that swings about its end.
    #[derivatives]
    struct Swing { m: Real = 2, i: Real = 0.5, l: Real = 0.8, g: Real = 9.81 }
    body rod: Rigid2 { mass: m, inertia: i }
    constraint pin: at(rod, [0, l]) == [0, 0];
    gravity [0, -g];
}

system! {
    /// A bob on a rod.
    #[derivatives]
    struct Bob { m: Real = 2, l: Real = 0.8, g: Real = 9.81 }
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    gravity [0, -g];
}

/// Runs of so many steps are timed, their start with them.
const STEPS: usize = 200;

/// A step of the pendulums, in those of semi-implicit Euler: one acceleration and one projection each.
pub fn pendulum() {
    println!(
        "\nSteps of rigid pendulums in the plane, over one acceleration with projection\n\n\
         | system | method | h | time | over explicit | Newton iterations a step |\n|---|---|---|---|---|---|"
    );
    let rod = Rigid2::new(Vector2::new(0.8, 0.0), std::f64::consts::FRAC_PI_2);
    let level = State::new(0.0, SwingCoordinates { rod }, SwingVelocities::default());
    compare("a body on a pin", Swing::default(), level);
    let level = State::new(0.0, [0.8, 0.0], [0.0; 2]);
    compare("a particle on a rod", Bob::default(), level);
}

fn compare<S: System<f64> + Copy>(name: &str, system: S, start: State<S::Q, S::V>) {
    for h in [1e-2, 1e-3] {
        let alpha = Simulation::new(system, start.clone(), GeneralizedAlpha::new(h, 0.8));
        let alpha = alpha.expect("a start");
        let explicit =
            Simulation::new(system, start.clone(), SemiImplicitEuler::new(h)).expect("a start");
        let times = race(&mut [
            Contender::new(|| stepped(alpha.clone()).state().q.clone()),
            Contender::new(|| stepped(explicit.clone()).state().q.clone()),
        ]);
        let Effort {
            steps, iterations, ..
        } = stepped(alpha.clone()).effort();
        println!(
            "| {name} | generalised α | {h:.0e} | {:.0} ns | {:.2} | {:.2} |",
            1e9 * times[0] / STEPS as f64,
            times[0] / times[1],
            iterations as f64 / steps as f64
        );
    }
}

fn stepped<S: System<f64>, I: Integrator<Scalar = f64>>(
    mut run: Simulation<S, I>,
) -> Simulation<S, I> {
    for _ in 0..STEPS {
        run.step().expect("it swings");
    }
    run
}
