//! All functions of a `curve!`, and of a bead on it, at corners of each kind.

use constraint_runtime::prelude::*;

use crate::answers::Answers;

macro_rules! tracks {
    ($($name:ident: [$($range:tt)*], $y:expr;)*) => {$(
        curve! {
            #[derivatives]
            struct $name { k: Real }
            |s in $($range)*| [s, k*($y)]
        }
    )*};
}

tracks! {
    Power: [-1..=1], powf(abs(s), 1.5);
    Slow: [-1..=1], powf(abs(s), 2.5);
    Root: [0..=1], sqrt(s);
    Arc: [0..=1], acos(1 - s);
    CubeRoot: [-1..=1], cbrt(s);
    Even: [-1..=1], (s^2)^0.75;
    Hypot: [-1..=1], hypot(s, s*s);
}

macro_rules! ask {
    ($answers:ident, $($name:ident)*) => {$({
        let c = $name { k: 1.0 };
        let what = |of: &str| format!("{} of {}", of, stringify!($name));
        let f = [0.0, -9.81].into();
        let answers = &mut $answers;
        let one = |x: &f64| vec![*x];
        answers.add(&what("acceleration"), c.acceleration(0.0, 1.0, &f, 2.0), one);
        answers.add(&what("acceleration_under"), c.acceleration_under(0.0, 1.0, 2.0, 0.1, |_, _| f), one);
        answers.add(&what("linearize"), c.linearize(0.0, 1.0, &f, 2.0), |x| {
            [&[x.s, x.s_dot, x.m], x.f.as_slice(), x.p.as_slice()].concat()
        });
        let bead = Particle::new(2.0).along(c).under_gravity([0.0, -9.81]);
        let (q, v) = ([0.0].into(), [1.0].into());
        answers.add(&what("bead's acceleration"), bead.acceleration(0.0, &q, &v), |x| x.as_slice().to_vec());
        answers.add(&what("bead's track_force"), bead.track_force(0.0, 0.0, 1.0), |x| x.as_slice().to_vec());
        answers.add(&what("bead's inverse_dynamics"), bead.inverse_dynamics(0.0, &q, &v, &v), |x| x.as_slice().to_vec());
        let run = Simulation::new(bead, State::new(0.0, q, v), Rk4::new(1e-3));
        let run = run.and_then(|mut run| run.step().map(|_| *run.state()));
        answers.add(&what("step"), run, |x| x.v.as_slice().to_vec());
        answers.add(&what("length"), ArcLength::new(&$name { k: 1.0 }), |x| vec![x.length()]);
    })*};
}

#[test]
fn no_function_of_a_curve_returns_nan() {
    let mut answers = Answers::default();
    ask!(answers, Power Slow Root Arc CubeRoot Even Hypot);
    answers.judge();
}
