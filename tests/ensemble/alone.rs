//! In lanes and on threads a copy moves as it does alone, to the last bit.

use std::num::NonZero;

use constraint_runtime::ensemble::{F32x4, F32x8, LaneIntegrator, Scalar};
use constraint_runtime::prelude::*;

system! {
    /// Two rods, one hanging from the other.
    pub struct DoublePendulum { m1: Real = 1, m2: Real = 1, l1: Real = 1, l2: Real = 1, g: Real = 9.81 }
    particle upper: Point2 { mass: m1 }
    particle lower: Point2 { mass: m2 }
    constraint first: norm(upper) == l1;
    constraint second: norm(lower - upper) == l2;
    gravity [0, -g];
}

/// Pendulums of different masses and lengths, some of which start at rest: each takes iterations of its own.
fn pendulum<T: Real>(i: usize) -> (DoublePendulum<T>, State<SVector<T, 4>, SVector<T, 4>>) {
    let x = i as f64;
    let (l1, l2) = (1.0 + 0.3 * (0.7 * x).sin(), 0.8 + 0.2 * (1.3 * x).cos());
    let system = DoublePendulum {
        m1: T::lit(1.0 + 0.1 * x),
        m2: T::lit(2.0),
        l1: T::lit(l1),
        l2: T::lit(l2),
        g: T::lit(9.81),
    };
    let (a, b) = (0.9 * x, 1.7 * x);
    let spin = if i.is_multiple_of(3) { 0.0 } else { 2.0 };
    let upper = [l1 * a.sin(), -l1 * a.cos()];
    let lower = [upper[0] + l2 * b.sin(), upper[1] - l2 * b.cos()];
    let v = [
        -upper[1] * spin,
        upper[0] * spin,
        -lower[1] * spin,
        lower[0] * spin,
    ];
    let q = [upper[0], upper[1], lower[0], lower[1]];
    (
        system,
        State::new(T::lit(0.0), q.map(T::lit), v.map(T::lit)),
    )
}

fn alone<T, S, I>((system, start): (S, State<S::Q, S::V>), end: T, method: I) -> State<S::Q, S::V>
where
    T: Real,
    S: System<T>,
    I: Integrator<Scalar = T>,
{
    let mut run = Simulation::new(system, start, method).expect("a good start");
    run.run_until(end).expect("a good run");
    run.state().clone()
}

fn compared<I>(copies: usize, method: I)
where
    I: LaneIntegrator<<f64 as Scalar>::Lanes, Scalar = f64> + Copy + Sync,
{
    let ensemble = Ensemble::new(copies, |i| Ok(pendulum(i)));
    let ends = ensemble.run_until(0.5, method).expect("copies");
    for (i, end) in ends.iter().enumerate() {
        let expected = alone(pendulum(i), 0.5, method);
        assert_eq!(end.as_ref(), Ok(&expected), "copy {i}");
    }
}

#[test]
fn every_fixed_step_method_moves_a_copy_as_alone() {
    compared(70, Rk4::new(0.01));
    compared(70, SemiImplicitEuler::new(0.01));
    compared(70, Rattle::new(0.01));
}

#[test]
fn a_method_that_chooses_its_steps_does_too() {
    compared(5, DormandPrince::new(1e-8, 1e-8));
    compared(5, SequentialImpulses::new(10).stepping(0.01));
}

#[test]
fn methods_for_stiff_motion_do_too() {
    system! {
        /// A pendulum whose pin sits in a stiff bushing.
        #[derivatives]
        struct Bushing { k: Real = 1e6, c: Real = 10, l: Real = 1, g: Real = 9.81 }
        particle pin: Point2 { mass: 1 }
        particle bob: Point2 { mass: 1 }
        constraint rod: norm(bob - pin) == l;
        potential k/2*norm_squared(pin);
        dissipation c/2*norm_squared(velocity(pin));
        gravity [0, -g];
    }
    fn moved<I>(method: I)
    where
        I: Integrator<Scalar = f64> + Copy + Sync,
    {
        let bushing = |i: usize| {
            let k = 1e6 * (1.0 + i as f64);
            let start = State::new(0.0, [0.0, 0.0, 1.0, 0.0], [0.0; 4]);
            let k = Bushing {
                k,
                ..Default::default()
            };
            (k, start)
        };
        let ends = Ensemble::new(7, |i| Ok(bushing(i))).one_by_one();
        let ends = ends.with_threads(NonZero::new(3).expect("some"));
        let ends = ends.run_until(0.3, method).expect("copies");
        for (i, end) in ends.iter().enumerate() {
            assert_eq!(
                end.as_ref(),
                Ok(&alone(bushing(i), 0.3, method)),
                "copy {i}"
            );
        }
        // The stiffer the bushing, the less the pin gives way.
        let gives = ends.column_by(|state| state.q.fixed_rows::<2>(0).norm());
        assert!(gives[6] < 0.5 * gives[0], "{gives:?}");
    }
    moved(Radau5::new(1e-8, 1e-8));
    moved(GeneralizedAlpha::new(1e-3, 0.8));
}

#[test]
fn any_number_of_threads_and_copies_gives_the_same() {
    let run = |threads, copies| {
        Ensemble::new(copies, |i| Ok(pendulum::<f64>(i)))
            .with_threads(NonZero::new(threads).expect("some"))
            .run_until(0.1, Rk4::new(0.01))
            .expect("copies")
            .into_vec()
    };
    let all = run(1, 203);
    assert_eq!(all, run(2, 203));
    assert_eq!(all, run(5, 203));
    assert_eq!(all[..9], run(3, 9)[..]);
}

#[test]
fn any_number_of_lanes_gives_the_same() {
    let ensemble = || Ensemble::new(17, |i| Ok(pendulum::<f32>(i)));
    let method = Rk4::new(0.01_f32);
    let eight = ensemble().in_lanes::<F32x8>().run_until(0.1, method);
    let four = ensemble().in_lanes::<F32x4>().run_until(0.1, method);
    let one = ensemble().in_lanes::<f32>().run_until(0.1, method);
    let [eight, four, one] = [eight, four, one].map(|ends| ends.expect("copies").into_vec());
    assert_eq!(four, one);
    assert_eq!(eight, one);
}

system! {
    /// A cart with a pole, pushed.
    pub struct CartPole { cart_mass: Real = 1, m: Real = 0.2, l: Real = 0.6, g: Real = 9.81 }
    coordinate x;
    particle pole: Point2 { mass: m }
    input push;
    particle cart = [x, 0] { mass: cart_mass }
    constraint rod: norm(pole - [x, 0]) == l;
    gravity [0, -g];
    force x: push;
}

#[test]
fn inputs_that_are_held_and_laws_act_on_each_copy_as_alone() {
    let start = || State::new(0.0, [0.0, 0.6, 0.0], [0.0; 3]);
    let held = |i: usize| {
        let system = CartPole::default().with_inputs(CartPoleInputs { push: i as f64 });
        (system, start())
    };
    let law = |i: usize| {
        let gain = i as f64;
        let law = move |t: f64, q: &CartPoleCoordinates, v: &CartPoleVelocities| CartPoleInputs {
            push: t.sin() - gain * q.x - v.x.exp(),
        };
        (CartPole::default().controlled_by(law), start())
    };
    let method = Rk4::new(0.01);
    let pushed = Ensemble::new(7, |i| Ok(held(i))).run_until(0.4, method);
    let controlled = Ensemble::new(7, |i| Ok(law(i))).run_until(0.4, method);
    let [pushed, controlled] = [pushed, controlled].map(|ends| ends.expect("copies"));
    for (i, (pushed, controlled)) in pushed.iter().zip(&controlled).enumerate() {
        assert_eq!(pushed.as_ref(), Ok(&alone(held(i), 0.4, method)));
        assert_eq!(controlled.as_ref(), Ok(&alone(law(i), 0.4, method)));
    }
}

#[test]
fn rigid_bodies_and_large_systems_do_too() {
    system! {
        struct Top { m: Real = 1, a: Real = 0.2, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
        body top: Rigid3 { mass: m, inertia: [a, 1.2*a, c] }
        constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
        gravity [0, 0, -g];
    }
    let top = |i: usize| {
        let spin = 5.0 + i as f64;
        let top = Rigid3::new([0.0, 0.0, 0.5].into(), Vector3::zeros());
        let q = TopCoordinates { top };
        let mut v = TopVelocities::default();
        v.top.angular = Vector3::new(0.3, 0.0, spin);
        v.top.linear = Vector3::new(0.0, -0.15, 0.0);
        (
            Top {
                m: 1.0 + 0.1 * spin,
                ..Default::default()
            },
            State::new(0.0, q, v),
        )
    };
    let ends = Ensemble::new(6, |i| Ok(top(i))).run_until(0.2, Rk4::new(0.01));
    for (i, end) in ends.expect("copies").iter().enumerate() {
        assert_eq!(end.as_ref(), Ok(&alone(top(i), 0.2, Rk4::new(0.01))));
    }

    system! {
        struct Chain { m: Real = 1, l: Real = 0.1, g: Real = 9.81 }
        particle bead[300]: Point2 { mass: m }
        constraint link[0]: norm(bead[0]) == l;
        for i in 1..300 { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
        gravity [0, -g];
    }
    let chain = |i: usize| {
        let l = 0.1 + 0.02 * i as f64;
        let place = |k: usize| Point2::new(l * (k as f64 + 1.0), 0.0);
        let q = ChainCoordinates {
            bead: HeapArray::from_fn(place),
        };
        let system = Chain {
            l,
            ..Default::default()
        };
        (system, State::new(0.0, q, ChainVelocities::default()))
    };
    let ends = Ensemble::new(5, |i| Ok(chain(i))).run_until(0.02, Rk4::new(0.005));
    for (i, end) in ends.expect("copies").iter().enumerate() {
        assert_eq!(end.as_ref(), Ok(&alone(chain(i), 0.02, Rk4::new(0.005))));
    }
}
