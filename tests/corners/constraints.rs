//! All functions of a `constraint!`, and of a particle on it, at corners of each kind.

use constraint_runtime::prelude::*;

use crate::answers::Answers;

macro_rules! rows {
    ($($name:ident: $row:expr;)*) => {$(
        constraint! {
            #[derivatives]
            struct $name { k: Real }
            |a: Point2| $row
        }
    )*};
}

rows! {
    Norm: norm(a) == k*a.y;
    Root: a.y == k*sqrt(a.x);
    Power: a.y == k*powf(abs(a.x), 1.5);
    Slow: a.y == k*powf(abs(a.x), 2.5);
    Arc: a.y == k*acos(a.x + 1);
    Fraction: a.y == k/a.x;
    Logarithm: a.y == k*ln(a.x);
    CubeRoot: a.y == k*cbrt(a.x);
    Angle: a.y == k*atan2(a.x, a.x);
    Hypot: a.y == k*hypot(a.x, a.x*a.x);
    Square: a.y == k*(a.x^2)^0.75;
}

macro_rules! ask {
    ($answers:ident, $($name:ident)*) => {$({
        let c = $name { k: 1.0 };
        let what = |of: &str| format!("{} of {}", of, stringify!($name));
        let all = |x: &[f64]| x.to_vec();
        let (q, v) = ([0.0, 0.0].into(), [1.0, 0.5].into());
        let (w, f) = ([0.5, 0.5].into(), [0.0, -9.81].into());
        let answers = &mut $answers;
        answers.add(&what("multipliers"), c.multipliers(0.0, &q, &v, &w, &f), |x| all(x.as_slice()));
        answers.add(&what("force"), c.force(0.0, &q, &v, &w, &f), |x| all(x.as_slice()));
        answers.add(&what("particle_force"), c.particle_force(0.0, &q, &v, 2.0, &f), |x| all(x.as_slice()));
        answers.add(&what("solve"), c.solve(0.0, &q, &w, &[1.0].into()), |x| all(x.as_slice()));
        answers.add(&what("linearize"), c.linearize(0.0, &q, &v, &w, &f), |x| {
            [x.q.as_slice(), x.v.as_slice(), x.w.as_slice(), x.f.as_slice(), x.p.as_slice()].concat()
        });
        answers.add(&what("linearize_with_multipliers"), c.linearize_with_multipliers(0.0, &q, &v, &w, &f), |(x, _)| {
            [x.q.as_slice(), x.v.as_slice(), x.w.as_slice(), x.f.as_slice(), x.p.as_slice()].concat()
        });
        let along = ForceTangent { q: [1.0, 0.0].into(), ..ForceTangent::default() };
        answers.add(&what("jvp"), c.jvp(0.0, &q, &v, &w, &f, &along), |x| all(x.0.as_slice()));
        answers.add(&what("vjp"), c.vjp(0.0, &q, &v, &w, &f, &f, &[0.0].into()), |x| {
            [x.q.as_slice(), x.v.as_slice(), x.w.as_slice(), x.f.as_slice(), x.p.as_slice()].concat()
        });
        let bead = Particle::new(2.0).on(c).under_gravity([0.0, -9.81]);
        answers.add(&what("particle's acceleration"), bead.acceleration(0.0, &q, &v), |x| all(x.as_slice()));
        answers.add(&what("particle's multipliers"), Constrained::multipliers(&bead, 0.0, &q, &v), |x| all(x.as_slice()));
        answers.add(&what("particle's both"), bead.acceleration_and_multipliers(0.0, &q, &v), |x| all(x.0.as_slice()));
        answers.add(&what("particle's constraint_force"), bead.constraint_force(0.0, &q, &v), |x| all(x.as_slice()));
        answers.add(&what("particle's correction"), bead.correction(0.0, &q, &[1.0].into()), |x| all(x.as_slice()));
        answers.add(&what("particle's inverse_dynamics"), bead.inverse_dynamics(0.0, &q, &v, &v), |x| all(x.as_slice()));
        let run = Simulation::new(bead, State::new(0.0, q, v), Rk4::new(1e-3));
        let run = run.and_then(|mut run| run.step().map(|_| *run.state()));
        answers.add(&what("step"), run, |x| all(x.v.as_slice()));
    })*};
}

#[test]
fn no_function_of_a_constraint_returns_nan() {
    let mut answers = Answers::default();
    ask!(answers, Norm Root Power Slow Arc Fraction Logarithm CubeRoot Angle Hypot Square);
    answers.judge();
}
