//! `#[task_space]`: Jacobians of outputs and their accelerations, against closed forms, against motions, and against pushes.

use constraint_runtime::nalgebra::{DVector, Matrix3, UnitQuaternion, Vector4};
use constraint_runtime::prelude::*;
use num_dual::Dual64;

use crate::random::Random;

system! {
    /// An arm in space on a column that moves, with a load, and outputs of all kinds.
    #[task_space]
    pub struct Arm { m: Real = 2, l: Real = 0.6, i: Real = 0.1, g: Real = 9.81 }
    input push: Vector3;
    coordinate q[3];
    let column = pose([0, 0, sin(3*t)/5], [0, 0, 1], q[0]);
    body upper: Rigid3 = column * pose([0, 0, l], [1, 2, 0], q[1]) * pose([l/2, 0, 0])
        { mass: m, inertia: [i/9, i, i] }
    body fore: Rigid3 = upper * pose([l/2, 0, 0], [0, 1, 0], q[2]) * pose([l/2, 0, 0], [1, 0, 0], PI/4)
        { mass: m, inertia: [[i/7, i/50, 0], [i/50, i, i/40], [0, i/40, i]] }
    fn tip(body) = at(body, [l/2, 0, l/4]);
    force tip(fore): push;
    gravity [0, 0, -g];
    output power = dot(push, velocity(tip(fore)));
    output tip = tip(fore);
    output along = dir(fore, [0, 0, 1]);
    output rate = velocity(tip(fore));
    output spin = angular_velocity(fore);
    output reached = acceleration(tip(fore));
    output turned = angular_acceleration(fore);
    output height[k in 0..2] = at(upper, [k*l, 0, 0]).z;
    output momentum;
    output center_of_mass;
}

/// Along q + v t + a t²/2, by fourth-order differences.
#[test]
fn outputs_move_as_their_jacobians_and_biases_say() -> Result<(), Error> {
    let arm = Arm::<f64>::default().with_inputs(ArmInputs {
        push: Vector3::zeros(),
    });
    let (t, q) = (0.4, Vector3::new(0.3, -0.8, 1.1));
    let (v, a) = (Vector3::new(1.0, 0.7, -1.3), Vector3::new(-0.5, 2.0, 0.9));
    let flat = |y: &ArmOutputs<f64>| -> SVector<f64, 11> {
        let mut all = SVector::<f64, 11>::zeros();
        all.fixed_rows_mut::<3>(0).copy_from(&y.tip);
        all.fixed_rows_mut::<3>(3).copy_from(&y.along);
        all.fixed_rows_mut::<2>(6)
            .copy_from(&Vector2::from(y.height));
        all.fixed_rows_mut::<3>(8).copy_from(&y.center_of_mass);
        all
    };
    let at = |s: f64| -> Result<_, Error> {
        let (q, v) = (q + v * s + a * (s * s / 2.0), v + a * s);
        Ok(flat(&arm.outputs(t + s, &q, &v)?))
    };
    let h = 1e-3;
    let [a2, a1, c, b1, b2] = [at(-2.0 * h)?, at(-h)?, at(0.0)?, at(h)?, at(2.0 * h)?];
    let first = (a2 - b2 + 8.0 * (b1 - a1)) / (12.0 * h);
    let second = (16.0 * (a1 + b1) - a2 - b2 - 30.0 * c) / (12.0 * h * h);
    let j = arm.jacobian_of(t, &q, flat);
    // The column moves by itself.
    let of_column = 0.6 * (3.0 * t).cos();
    let by_itself = |y: &mut SVector<f64, 11>, by: f64| [2, 6, 7, 10].map(|k| y[k] += by);
    let mut rate = j * v;
    by_itself(&mut rate, of_column);
    assert!((rate - first).amax() < 1e-10, "{}", rate - first);
    let found = j * a + arm.bias_of(t, &q, &v, flat);
    assert!((found - second).amax() < 1e-8, "{}", found - second);
    // The rate of what is a velocity.
    let mut of_rate = arm.jacobian_of(t, &q, |y| y.rate);
    of_rate -= j.fixed_rows::<3>(0);
    assert!(of_rate.amax() < 1e-14);
    let spin = arm.jacobian_of(t, &q, |y| y.spin) * v;
    assert!((spin - arm.outputs(t, &q, &v)?.spin).amax() < 1e-14);
    Ok(())
}

/// ÿ and ω̇ of the true motion; p = (Σ m) ċ.
#[test]
fn outputs_accelerate_as_the_motion_says() -> Result<(), Error> {
    let push = Vector3::new(3.0, -2.0, 5.0);
    let arm = Arm::<f64>::default().with_inputs(ArmInputs { push });
    let (t, q, v) = (
        1.7,
        Vector3::new(-0.4, 0.6, 0.5),
        Vector3::new(0.2, -1.1, 0.8),
    );
    let v_dot = arm.acceleration(t, &q, &v)?;
    let y = arm.outputs(t, &q, &v)?;
    let of = |chosen: fn(&ArmOutputs<f64>) -> Vector3<f64>| {
        arm.jacobian_of(t, &q, chosen) * v_dot + arm.bias_of(t, &q, &v, chosen)
    };
    assert!((of(|y| y.tip) - y.reached).amax() < 1e-11);
    assert!((of(|y| y.rate) - y.reached).amax() < 1e-11);
    assert!((of(|y| y.spin) - y.turned).amax() < 1e-11);
    assert!((of(|y| y.momentum) - 4.0 * of(|y| y.center_of_mass)).amax() < 1e-11);
    // What depends on inputs or accelerations has no Jacobian.
    let power = |y: &ArmOutputs<f64>| SVector::from([y.power]);
    let reached = |y: &ArmOutputs<f64>| SVector::from([y.reached.x]);
    type Chosen = fn(&ArmOutputs<f64>) -> SVector<f64, 1>;
    let without: [Chosen; 2] = [power, reached];
    for chosen in without {
        let j: SMatrix<f64, 1, 3> = arm.jacobian_of(t, &q, chosen);
        assert!(j.iter().all(|it| it.is_nan()));
        let stuck = arm.operational_inertia(t, &q, chosen);
        assert_eq!(stuck, Err(Error::NoJacobian { component: 0 }));
    }
    Ok(())
}

/// A push f at the tip changes its acceleration by Λ⁻¹ f.
#[test]
fn the_operational_inertia_is_what_a_push_meets() -> Result<(), Error> {
    let (t, q, v) = (
        0.2,
        Vector3::new(0.1, 0.7, -0.9),
        Vector3::new(0.3, 0.2, -0.6),
    );
    let pushed = |push| {
        let arm = Arm::<f64>::default().with_inputs(ArmInputs { push });
        Ok::<_, Error>(arm.outputs(t, &q, &v)?.reached)
    };
    let rest = pushed(Vector3::zeros())?;
    let mut mobility = Matrix3::zeros();
    for k in 0..3 {
        let mut push = Vector3::zeros();
        push[k] = 1.0;
        mobility.set_column(k, &(pushed(push)? - rest));
    }
    let arm = Arm::<f64>::default().with_inputs(ArmInputs {
        push: Vector3::zeros(),
    });
    let felt = arm.operational_inertia(t, &q, |y| y.tip)?;
    assert!((felt * mobility - Matrix3::identity()).amax() < 1e-10);
    Ok(())
}

system! {
    /// A crank that moves a slider by a rod: one degree of freedom, in redundant coordinates.
    #[task_space]
    pub struct Press { m: Real = 2, i: Real = 0.3, r: Real = 0.4, l: Real = 1.1 }
    input push;
    body crank: Rigid2 { mass: m, inertia: i }
    body rod: Rigid2 { mass: m, inertia: i }
    coordinate x;
    particle slider = [x, 0] { mass: m }
    constraint axle: at(crank, [0, 0]) == [0, 0];
    constraint pin: at(crank, [r, 0]) == at(rod, [-l/2, 0]);
    constraint end: at(rod, [l/2, 0]) == slider;
    force slider: [push, 0];
    output at = slider.x;
    output felt = acceleration(slider).x;
    output turn = angular_velocity(crank);
}

#[test]
fn constraints_make_things_heavier() -> Result<(), Error> {
    let phi = 0.8_f64;
    let pin = 0.4 * Vector2::new(phi.cos(), phi.sin());
    let x = pin.x + (1.21 - pin.y * pin.y).sqrt();
    let lean = (-pin.y).atan2(x - pin.x);
    let pose = |place: Vector2<f64>, angle| Rigid2::new(place, angle);
    let q = PressCoordinates {
        crank: pose(Vector2::zeros(), phi),
        rod: pose((pin + Vector2::new(x, 0.0)) / 2.0, lean),
        x,
    };
    let (q, v) = (q.into(), SVector::zeros());
    let felt = |push| {
        let press = Press::<f64>::default().with_inputs(PressInputs { push });
        Ok::<_, Error>(press.outputs(0.0, &q, &v)?.felt)
    };
    let press = Press::<f64>::default().with_inputs(PressInputs { push: 0.0 });
    let inertia = press.operational_inertia(0.0, &q, |y| [y.at].into())?;
    assert!((inertia[(0, 0)] * (felt(1.0)? - felt(0.0)?) - 1.0).abs() < 1e-12);
    // One degree of freedom: what the crank turns by follows from the slider.
    let both = press.operational_inertia(0.0, &q, |y| Vector2::new(y.at, y.turn));
    assert!(matches!(
        both,
        Err(Error::SingularTask { component: 1, .. })
    ));
    Ok(())
}

system! {
    /// Two bodies on a ball joint, in flight.
    #[task_space]
    pub struct Pair { m: Real = 2, l: Real = 0.5, g: Real = 9.81 }
    body a: Rigid3 { mass: m, inertia: [0.3, 0.2, 0.1] }
    coordinate q[2];
    body b: Rigid3 = a * pose([l, 0, 0], [0, 0, 1], q[0]) * pose([0, l, 0], [0, 1, 1], q[1])
        { mass: 3*m, inertia: [[0.5, 0.1, 0], [0.1, 0.4, 0], [0, 0, 0.6]] }
    particle p = at(b, [0, 0, l]) { mass: m/2 }
    gravity [0, 0, -g];
    output momentum;
    output angular_momentum;
    output tip = at(b, [l, 0, -l]);
    output spin = angular_velocity(b);
}

/// ẏ and ÿ along random motions, and the rates of what are velocities, by dual numbers through the same system.
#[test]
fn dual_numbers_find_the_same_rates() -> Result<(), Error> {
    type Velocities<T> = SVector<T, 8>;
    fn all<T: Real>(y: &PairOutputs<T>) -> SVector<T, 12> {
        let [p, l, r, w] = [y.momentum, y.angular_momentum, y.tip, y.spin];
        SVector::from([p.x, p.y, p.z, l.x, l.y, l.z, w.x, w.y, w.z, r.x, r.y, r.z])
    }
    let mut random = Random::new(7);
    for _ in 0..20 {
        let mut number = || random.between(-2.0, 2.0);
        let angles = [number(), number(), number()];
        let turned = UnitQuaternion::from_euler_angles(angles[0], angles[1], angles[2]);
        let place = Vector3::from_fn(|_, _| number());
        let a = Rigid3::from_parts(place.into(), turned);
        let q: SVector<f64, 9> = PairCoordinates {
            a,
            q: [number(), number()],
        }
        .into();
        let [v, v_dot] = [(); 2].map(|()| Velocities::from_fn(|_, _| number()));
        let pair = Pair::<f64>::default();
        let q_dot = pair.kinematics(0.0, &q, &v);
        let along = |x: f64, slope: f64| Dual64::new(x, slope);
        let (moving, q_of, v_of) = (
            Pair::<Dual64>::default(),
            q.zip_map(&q_dot, along),
            v.zip_map(&v_dot, along),
        );
        let now = Dual64::new(0.0, 1.0);
        let found = all(&moving.outputs(now, &q_of, &v_of)?).map(|it| it.eps);
        let rate = moving.jacobian_of(now, &q_of, all) * v_of;
        let j = pair.jacobian_of(0.0, &q, all);
        let second = j * v_dot + pair.bias_of(0.0, &q, &v, all);
        for k in 0..12 {
            let of_velocity = k < 9;
            let rate_of_it = if of_velocity { second[k] } else { (j * v)[k] };
            assert!((found[k] - rate_of_it).abs() < 1e-11, "{k}");
            assert!((rate[k].eps - second[k]).abs() < 1e-11, "{k}");
        }
    }
    Ok(())
}

/// Newton and Euler for the whole: ṗ = m g, L̇ = 0 about the center of mass.
#[test]
fn momenta_change_by_weights_alone() -> Result<(), Error> {
    let pair = Pair::<f64>::default();
    let turned = UnitQuaternion::from_euler_angles(0.3, -0.5, 1.2);
    let a = Rigid3::from_parts(Vector3::new(1.0, -2.0, 0.5).into(), turned);
    let q = PairCoordinates { a, q: [0.7, -0.4] }.into();
    let v = SVector::from([0.3, -0.2, 0.9, 1.5, -0.8, 0.6, 2.1, -1.7]);
    let v_dot = pair.acceleration(0.0, &q, &v)?;
    let of = |chosen: fn(&PairOutputs<f64>) -> Vector3<f64>| {
        pair.jacobian_of(0.0, &q, chosen) * v_dot + pair.bias_of(0.0, &q, &v, chosen)
    };
    let weight = Vector3::new(0.0, 0.0, -9.0 * 9.81);
    assert!((of(|y| y.momentum) - weight).amax() < 1e-11);
    assert!(of(|y| y.angular_momentum).amax() < 1e-11);
    // T of a rigid motion about the center: ω·L/2.
    let spin = Vector3::new(0.4, 1.0, -0.7);
    let center = Pair::<f64>::center(&pair, &q);
    let v = spin.cross(&(a.translation.vector - center));
    let v = SVector::from([v.x, v.y, v.z, spin.x, spin.y, spin.z, 0.0, 0.0]);
    let l = pair.outputs(0.0, &q, &v)?.angular_momentum;
    let energy = pair.kinetic_energy(0.0, &q, &v);
    assert!((spin.dot(&l) / 2.0 - energy).abs() < 1e-13);
    Ok(())
}

/// M as generated, with rotated bodies, with constraints and in loops, is ∂²T/∂v² and acts as `mass_times`.
#[test]
fn the_joint_space_inertia_is_the_mass_matrix() {
    let (pair, press, rolled) = (
        Pair::<f64>::default(),
        Press::<f64>::default().with_inputs(PressInputs { push: 0.0 }),
        Rolled::<f64>::default(),
    );
    let turned = UnitQuaternion::from_euler_angles(0.3, -0.5, 1.2);
    let a = Rigid3::from_parts(Vector3::new(1.0, -2.0, 0.5).into(), turned);
    let q = PairCoordinates { a, q: [0.7, -0.4] }.into();
    let inertia = pair.joint_space_inertia(0.0, &q);
    let v = SVector::from([0.3, -0.2, 0.9, 1.5, -0.8, 0.6, 2.1, -1.7]);
    let energy = pair.kinetic_energy(0.0, &q, &v);
    assert!((v.dot(&(inertia * v)) / 2.0 - energy).abs() < 1e-13 * energy);
    assert!((inertia * v - pair.mass_times(0.0, &q, &v)).amax() < 1e-13);
    assert_eq!(inertia, inertia.transpose());
    let q = SVector::from_fn(|i, _| 0.3 + 0.1 * i as f64);
    let v = SVector::from_fn(|i, _| 1.0 - 0.4 * i as f64);
    let inertia = press.joint_space_inertia(0.0, &q);
    assert!((inertia * v - press.mass_times(0.0, &q, &v)).amax() < 1e-14);
    let q = SVector::from_fn(|i, _| 0.1 * i as f64);
    let inertia = rolled.joint_space_inertia(0.0, &q);
    let expected = SMatrix::<f64, 24, 24>::from_diagonal_element(2.0);
    assert_eq!(inertia, expected);
}

impl Pair<f64> {
    /// V/g is m z of the center; in other directions by turning gravity.
    fn center(&self, q: &SVector<f64, 9>) -> Vector3<f64> {
        let v = |k: usize| {
            let mut v = SVector::<f64, 8>::zeros();
            v[k] = 1.0;
            v
        };
        // p = m ċ, so that turning the first body with ω = eₖ gives m eₖ×(c − a).
        let p = |k: usize| self.outputs(0.0, q, &v(k)).map(|it| it.momentum / 9.0);
        let [x, y] = [p(3), p(4)].map(|it| it.expect("nothing is solved"));
        let a = Vector3::new(q[0], q[1], q[2]);
        a + Vector3::new(-y.z, x.z, -x.y)
    }
}

// ---- in loops -----------------------------------------------------------------------------------

macro_rules! chain {
    ($name:ident, $solver:ident) => {
        system! {
            #[task_space]
            #[solver($solver)]
            pub struct $name { m: Real = 2, l: Real = 0.5 }
            particle bead[12]: Point2 { mass: m }
            constraint anchor: norm(bead[0]) == l;
            constraint link[i in 1..12]: norm(bead[i] - bead[i - 1]) == l;
            output end = bead[11];
            output gap[i in 1..12] = norm_squared(bead[i] - bead[i - 1]);
            output angular_momentum;
        }
    };
}

chain!(Rolled, rolled);
chain!(Unrolled, unrolled);

#[test]
fn loops_have_the_same_task_space() -> Result<(), Error> {
    let (rolled, unrolled) = (Rolled::<f64>::default(), Unrolled::<f64>::default());
    let place = |k: usize| {
        let angle = 0.3 * k as f64;
        0.5 * Vector2::new(angle.cos(), angle.sin())
    };
    let mut q = SVector::<f64, 24>::zeros();
    let mut sum = Vector2::zeros();
    for k in 0..12 {
        sum += place(k);
        q.fixed_rows_mut::<2>(2 * k).copy_from(&sum);
    }
    let v = q.map(|x| (7.0 * x).sin());
    let of_rolled =
        |y: &RolledOutputs<f64>| Vector4::new(y.end.x, y.end.y, y.gap[7], y.angular_momentum);
    let of_unrolled =
        |y: &UnrolledOutputs<f64>| Vector4::new(y.end.x, y.end.y, y.gap[7], y.angular_momentum);
    let difference =
        rolled.jacobian_of(0.0, &q, of_rolled) - unrolled.jacobian_of(0.0, &q, of_unrolled);
    assert!(difference.amax() < 1e-14);
    let difference =
        rolled.bias_of(0.0, &q, &v, of_rolled) - unrolled.bias_of(0.0, &q, &v, of_unrolled);
    assert!(difference.amax() < 1e-13);
    let felt = |y: &RolledOutputs<f64>| -> Vector2<f64> { y.end };
    let felt = rolled.operational_inertia(0.0, &q, felt)?;
    let same = unrolled.operational_inertia(0.0, &q, |y| y.end)?;
    assert!((felt - same).amax() < 1e-11 * felt.amax());
    Ok(())
}

/// M a + c + g − τ is the inverse dynamics, and friction is in neither c nor g.
#[test]
fn the_terms_of_the_equations_add_up() -> Result<(), Error> {
    let arm = Arm::<f64>::default().with_inputs(ArmInputs {
        push: Vector3::zeros(),
    });
    let (q, v, a) = (
        Vector3::new(0.5, 0.2, -0.7),
        Vector3::new(1.0, -2.0, 0.4),
        Vector3::new(0.3, 0.1, 2.0),
    );
    // At this time the column turns back, and its velocity is 0.
    let t = core::f64::consts::FRAC_PI_6;
    let m = arm.mass_matrix(t, &q);
    let of_mass: DVector<f64> = m * DVector::from_column_slice(a.as_slice());
    let (c, g) = (arm.coriolis(t, &q, &v)?, arm.gravity(t, &q)?);
    let all = arm.inverse_dynamics(t, &q, &v, &a)?;
    for k in 0..3 {
        assert!((of_mass[k] + c[k] + g[k] - all[k]).abs() < 1e-12);
    }
    // Of second degree.
    let twice = arm.coriolis(t, &q, &(2.0 * v))?;
    assert!((twice - 4.0 * c).amax() < 1e-12);
    Ok(())
}
