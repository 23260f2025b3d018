//! Contacts whose rows have corners, and outputs in task space.

use constraint_runtime::prelude::*;
use constraint_runtime::{CoordinateLimits, equilibrium, modes, reach};

use crate::answers::Answers;

macro_rules! grounds {
    ($($name:ident: $row:expr;)*) => {$(
        system! {
            #[derivatives]
            struct $name { k: Real = 1 }
            particle a: Point2 { mass: 2 }
            constraint ground: a.y >= k*($row);
            gravity [0, -9.81];
        }
    )*};
}

grounds! {
    Norm: norm(a - [0, 1]) - 1;
    Root: sqrt(a.x);
    Power: powf(abs(a.x), 1.5);
    Slow: powf(abs(a.x), 2.5);
    Arc: acos(a.x + 1);
    Fraction: 1/a.x;
    Logarithm: ln(a.x);
    CubeRoot: cbrt(a.x);
    Even: (a.x^2)^0.75;
    Hypot: hypot(a.x, a.x*a.x);
}

system! {
    #[derivatives]
    struct Slip { mu: Real = 0.2 }
    particle a: Point2 { mass: 2 }
    constraint ground: a.y >= 0 { friction: mu, slip: velocity(a).x*(1 + sqrt(a.x)) };
    gravity [0, -9.81];
}

system! {
    #[derivatives]
    struct Rough { mu: Real = 0.2 }
    particle a: Point2 { mass: 2 }
    constraint ground: a.y >= 0 { friction: mu + sqrt(a.x), slip: velocity(a).x };
    gravity [0, -9.81];
}

macro_rules! ask {
    ($answers:ident, $($name:ident)*) => {$({
        let c = $name::<f64>::default();
        let what = |of: &str| format!("{} of {}", of, stringify!($name));
        let answers = &mut $answers;
        let all = |x: &[f64]| x.to_vec();
        for (q, v) in [([0.0, 0.0], [1.0, 0.0]), ([0.0, 0.0], [0.0, 0.0]), ([0.0, 1.0], [0.0, 0.0])] {
        println!("{q:?} {v:?}");
        let start = State::new(0.0, q, v);
        let (q, v) = (q.into(), v.into());
        answers.add(&what("responses"), c.one_sided_responses(0.0, &q), |x| all(x.as_slice()));
        answers.add(&what("acceleration"), c.acceleration(0.0, &q, &v), |x| all(x.as_slice()));
        answers.add(&what("linearize"), c.linearize(0.0, &q, &v), |x| all(x.a.as_slice()));
        let run = ContactSimulation::new(c, start, Rk4::new(1e-3));
        answers.add(&what("start"), run, |run| all(run.state().v.as_slice()));
        let run = ContactSimulation::new(c, start, Rk4::new(1e-3));
        let run = run.and_then(|mut run| run.run_until(1e-3).map(|_| *run.state()));
        answers.add(&what("step"), run, |x| [x.q.as_slice(), x.v.as_slice()].concat());
        let run = ContactSimulation::new(c, start, Rk4::new(1e-3));
        let run = run.and_then(|run| run.contact_forces());
        answers.add(&what("contact_forces"), run, |x| all(x.as_slice()));
        let run = ContactSimulation::new(c, start, Rk4::new(1e-3));
        let run = run.and_then(|mut run| run.gradient(&[1e-3], |_, state, slopes| { slopes.q.x += 1.0; state.q.x }));
        answers.add(&what("gradient"), run, |x| [x.by.q.as_slice(), x.by.v.as_slice(), x.by.p.as_slice()].concat());
        }
    })*};
}

#[test]
fn no_function_of_contacts_returns_nan() {
    let mut answers = Answers::default();
    ask!(answers, Norm Root Power Slow Arc Fraction Logarithm CubeRoot Even Hypot Slip Rough);
    answers.judge();
}

macro_rules! arms {
    ($($name:ident: $row:expr;)*) => {$(
        system! {
            #[derivatives]
            #[task_space]
            struct $name { k: Real = 1 }
            particle a: Point2 { mass: 2 }
            potential k*norm_squared(a - [0, 1]);
            output y = $row;
        }
    )*};
}

mod outputs {
    use super::*;
    arms! {
        Norm: norm(a);
        Root: sqrt(a.x);
        Power: powf(abs(a.x), 1.5) + a.y;
        Arc: acos(a.x + 1);
        Fraction: 1/a.x;
        Logarithm: ln(a.x);
        CubeRoot: cbrt(a.x);
        Even: (a.x^2)^0.75 + a.y;
        Hypot: hypot(a.x, a.x*a.x);
    }
    macro_rules! ask {
        ($answers:ident, $($name:ident)*) => {$({
            let c = $name::<f64>::default();
            let what = |of: &str| format!("{} of {}", of, stringify!($name));
            let answers = &mut $answers;
            let all = |x: &[f64]| x.to_vec();
            let (q, v) = ([0.0, 0.0].into(), [1.0, 0.0].into());
            answers.add(&what("outputs"), c.outputs(0.0, &q, &v), |x| vec![x.y]);
            answers.add(&what("linearize_with_outputs"), c.linearize_with_outputs(0.0, &q, &v), |x| all(x.1.a.as_slice()));
            answers.add(&what("outputs_jvp"), c.outputs_jvp(0.0, &q, &v, &Tangent { q: [1.0, 0.0].into(), ..Tangent::default() }), |x| vec![x.y]);
            answers.add(&what("operational_inertia"), c.operational_inertia(0.0, &q, |y| [y.y].into()), |x| all(x.as_slice()));
            let mut at = q;
            let found = reach(&c, 0.0, &mut at, &CoordinateLimits::between([-2.0; 2], [2.0; 2]), |y| [y.y].into(), SVector::<f64, 1>::from([0.3]));
            answers.add(&what("reach"), found, |_| all(at.as_slice()));
        })*};
    }
    #[test]
    fn no_function_of_outputs_returns_nan() {
        let mut answers = Answers::default();
        ask!(answers, Norm Root Power Arc Fraction Logarithm CubeRoot Even Hypot);
        answers.judge();
    }
}

/// Further functions of systems with corners in forces, rows and potentials.
mod derived {
    use super::*;
    macro_rules! wires {
        ($($name:ident: $row:expr;)*) => {$(
            system! {
                #[derivatives]
                struct $name { k: Real = 1 }
                particle a: Point2 { mass: 2 }
                constraint wire: a.y == k*($row);
                gravity [0, -9.81];
            }
        )*};
    }
    wires! {
        Norm: norm(a);
        Root: sqrt(a.x);
        Power: powf(abs(a.x), 1.5);
        Slow: powf(abs(a.x), 2.5);
        Arc: acos(a.x + 1);
        Fraction: 1/a.x;
        Logarithm: ln(a.x);
        CubeRoot: cbrt(a.x);
        Even: (a.x^2)^0.75;
        Hypot: hypot(a.x, a.x*a.x);
    }
    macro_rules! ask {
        ($answers:ident, $($name:ident)*) => {$({
            let c = $name::<f64>::default();
            let what = |of: &str| format!("{} of {}", of, stringify!($name));
            let answers = &mut $answers;
            let all = |x: &[f64]| x.to_vec();
            for v in [[1.0, 0.0], [0.0, 0.0]] {
            let start = State::new(0.0, [0.0, 0.0], v);
            let (q, v) = ([0.0, 0.0].into(), v.into());
            println!("{v:?}");
            answers.add(&what("acceleration"), c.acceleration(0.0, &q, &v), |x| all(x.as_slice()));
            answers.add(&what("multipliers"), Constrained::multipliers(&c, 0.0, &q, &v), |x| all(x.as_slice()));
            answers.add(&what("inverse_dynamics"), c.inverse_dynamics(0.0, &q, &v, &v), |x| all(x.as_slice()));
            answers.add(&what("gravity"), Constrained::gravity(&c, 0.0, &q), |x| all(x.as_slice()));
            answers.add(&what("coriolis"), c.coriolis(0.0, &q, &v), |x| all(x.as_slice()));
            answers.add(&what("correction"), c.correction(0.0, &q, &[1.0].into()), |x| all(x.as_slice()));
            answers.add(&what("projected_motion"), c.projected_motion(0.0, &q, &v), |x| all(x.0.as_slice()));
            answers.add(&what("free_acceleration"), c.free_acceleration(0.0, &q, &v), |x| all(x.as_slice()));
            answers.add(&what("own_slope"), c.own_slope(0.0, &q, &v), |x| all(x.1.as_slice()));
            answers.add(&what("place_correction_vjp"), c.place_correction_vjp(0.0, &q, &[1.0, 1.0].into()), |x| all(x.q.as_slice()));
            answers.add(&what("velocity_correction_vjp"), c.velocity_correction_vjp(0.0, &q, &v, &[1.0, 1.0].into()), |x| all(x.q.as_slice()));
            answers.add(&what("linearize_with_multipliers"), c.linearize_with_multipliers(0.0, &q, &v), |x| all(x.0.a.as_slice()));
            answers.add(&what("vjp"), c.vjp(0.0, &q, &v, &[1.0, 1.0].into(), &[1.0].into()), |x| all(x.q.as_slice()));
            answers.add(&what("equilibrium"), equilibrium(&c, start), |x| [x.q.as_slice(), x.multipliers.as_slice()].concat());
            let rest = constraint_runtime::Equilibrium { t: 0.0, q, multipliers: [0.0].into() };
            answers.add(&what("modes"), modes(&c, &rest), |x| x.iter().flat_map(|m| [m.rate.re, m.rate.im]).collect());
            answers.add(&what("tangents"), constraint_runtime::Tangents::at(&c, &start), |x| all(x.basis().as_slice()));
            answers.add(&what("minimal"), Minimal::at(&c, &start), |x| all(x.a.as_slice()));
            let moved = start;
            let found = constraint_runtime::make_consistent(&c, moved);
            answers.add(&what("make_consistent"), found, |x| [x.q.as_slice(), x.v.as_slice()].concat());
            let (mut r, y) = ([0.0; 5], [0.0, 0.0, v[0], v[1], 0.0]);
            let found = c.residual(0.0, &y, &[v[0], v[1], 0.0, 0.0, 0.0], &mut r);
            answers.add(&what("residual"), found, |_| all(&r));
            let run = Simulation::new(c, start, Rk4::new(1e-3));
            let run = run.and_then(|mut run| run.gradient(&[1e-3], |_, state, slopes| { slopes.q.x += 1.0; state.q.x }));
            answers.add(&what("gradient"), run, |x| [x.by.q.as_slice(), x.by.v.as_slice(), x.by.p.as_slice()].concat());
            }
        })*};
    }
    #[test]
    fn no_other_function_of_a_system_returns_nan() {
        let mut answers = Answers::default();
        ask!(answers, Norm Root Power Slow Arc Fraction Logarithm CubeRoot Even Hypot);
        answers.judge();
    }
}
