//! A skate on an inclined plane: it does not slide downhill, but along a cycloid.
//!
//! Starting at rest with spin ω, heading downhill: x = (g sin α/2ω²) sin² ωt along the slope and
//! y = (g sin α/2ω²)(ωt − ½ sin 2ωt) across it. Source: [Neimark & Fufaev 1972] Ju. I. Neimark, N. A. Fufaev,
//! *Dynamics of Nonholonomic Systems*, AMS, chapter II; [Bloch 2003] *Nonholonomic Mechanics and Control*, §1.6.

use constraint_runtime::prelude::*;

use crate::assert_absolute;

system! {
    /// x points downhill; the blade stands at `heading` to it.
    struct Skate { m: Real = 1.4, inertia: Real = 0.3, slope: Real = 2 }

    particle p: Point2 { mass: m }
    coordinate heading;

    kinetic inertia/2*velocity(heading)^2;
    force p: [m*slope, 0];
    constraint blade: velocity(p).x*sin(heading) == velocity(p).y*cos(heading);
}

#[test]
fn a_skate_on_a_slope_follows_a_cycloid() {
    let (slope, omega) = (2.0, 1.3);
    let start = State::new(0.0, [0.0; 3], [0.0, 0.0, omega]);
    let mut run = Simulation::new(Skate::default(), start, Rk4::new(1e-3)).unwrap();
    let amplitude = slope / (2.0 * omega * omega);
    for t in [0.3_f64, 1.0, 2.5, 6.0] {
        run.run_until(t).unwrap();
        let phase = omega * t;
        let [x, y, heading] = [0, 1, 2].map(|i| run.state().q[i]);
        assert_absolute(x, amplitude * phase.sin().powi(2), 1e-9);
        assert_absolute(y, amplitude * (phase - 0.5 * (2.0 * phase).sin()), 1e-9);
        assert_absolute(heading, phase, 1e-9);
    }
}
