//! Bodies whose poses coordinates tell: against published arms, against rotations of nalgebra and their differences,
//! against Lagrange's equations, and against the same mechanisms held together by constraints.

use crate::lagrange::check_lagrange;
use approx::{assert_abs_diff_eq, assert_relative_eq};
use constraint_runtime::nalgebra::{
    DMatrix, Isometry2, Isometry3, Matrix3, Translation3, Unit, UnitQuaternion,
};
use constraint_runtime::prelude::*;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}

// ---- the two links of the textbooks ---------------------------------------------------------------

system! {
    /// Two links with inertia, the second told from the first.
    pub struct TwoLinks {
        m1: Real = 3, m2: Real = 2, l1: Real = 0.9, c1: Real = 0.4, c2: Real = 0.3, i1: Real = 0.2, i2: Real = 0.1,
        g: Real = 9.81
    }
    coordinate a, b;
    let shoulder = pose([0, 0], a);
    body upper: Rigid2 = shoulder * pose([c1, 0]) { mass: m1, inertia: i1 }
    body fore: Rigid2 = shoulder * pose([l1, 0], b) * pose([c2, 0]) { mass: m2, inertia: i2 }
    gravity [0, -g];
}

system! {
    /// The same, its places written out.
    pub struct TwoPlaces {
        m1: Real = 3, m2: Real = 2, l1: Real = 0.9, c1: Real = 0.4, c2: Real = 0.3, i1: Real = 0.2, i2: Real = 0.1,
        g: Real = 9.81
    }
    coordinate a, b;
    fn along(angle) = [cos(angle), sin(angle)];
    body upper: Rigid2 = pose(c1*along(a), a) { mass: m1, inertia: i1 }
    body fore: Rigid2 = pose(l1*along(a) + c2*along(a + b), a + b) { mass: m2, inertia: i2 }
    gravity [0, -g];
}

/// M and h of Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, section 7.4.2 (planar elbow manipulator):
///
/// ```text
/// d₁₁ = m₁ c₁² + m₂ (l₁² + c₂² + 2 l₁ c₂ cos b) + I₁ + I₂,  d₁₂ = m₂ (c₂² + l₁ c₂ cos b) + I₂,  d₂₂ = m₂ c₂² + I₂
/// h₁ = m₂ l₁ c₂ sin b (2 ȧ ḃ + ḃ²) − (m₁ c₁ + m₂ l₁) g cos a − m₂ c₂ g cos(a + b)
/// h₂ = −m₂ l₁ c₂ sin b ȧ² − m₂ c₂ g cos(a + b)
/// ```
#[test]
fn two_links_are_those_of_the_textbook() -> Result<(), Error> {
    let TwoLinks {
        m1,
        m2,
        l1,
        c1,
        c2,
        i1,
        i2,
        g,
    } = TwoLinks::<f64>::default();
    for i in 0..20 {
        let [a, b, u, w] = [0, 20, 40, 60].map(|k| 3.0 * noise(i + k));
        let (q, v) = ([a, b].into(), [u, w].into());
        let shared = m2 * l1 * c2;
        let mixed = m2 * c2 * c2 + shared * b.cos() + i2;
        let first = m1 * c1 * c1 + m2 * (l1 * l1 + c2 * c2) + 2.0 * shared * b.cos() + i1 + i2;
        let mass = SMatrix::<f64, 2, 2>::new(first, mixed, mixed, m2 * c2 * c2 + i2);
        let dense = DMatrix::from_column_slice(2, 2, mass.as_slice());
        let weight = m2 * c2 * g * (a + b).cos();
        let applied = SVector::<f64, 2>::new(
            shared * b.sin() * (2.0 * u * w + w * w) - (m1 * c1 + m2 * l1) * g * a.cos() - weight,
            -shared * b.sin() * u * u - weight,
        );
        let (told, written) = (TwoLinks::default(), TwoPlaces::default());
        assert_relative_eq!(told.mass_matrix(0.0, &q), dense, max_relative = 1e-13);
        assert_relative_eq!(written.mass_matrix(0.0, &q), dense, max_relative = 1e-13);
        assert_abs_diff_eq!(told.applied(0.0, &q, &v)?, applied, epsilon = 1e-12);
        assert_abs_diff_eq!(written.applied(0.0, &q, &v)?, applied, epsilon = 1e-12);
        let kinetic = 0.5 * v.dot(&(mass * v));
        assert_relative_eq!(
            told.kinetic_energy(0.0, &q, &v),
            kinetic,
            max_relative = 1e-13
        );
        let place = told.potential_energy(0.0, &q);
        assert_relative_eq!(
            place,
            written.potential_energy(0.0, &q),
            max_relative = 1e-13
        );
    }
    Ok(())
}

// ---- any arm: T from rotations by differences, the rest from T --------------------------------------

/// dx/dt at 0 by differences of order 4.
fn rate<const N: usize>(x: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let h = 1e-3;
    ((x(h) - x(-h)) * 8.0 - (x(2.0 * h) - x(-2.0 * h))) / (12.0 * h)
}

/// ½ m ṗ² + ½ ω·I ω of a pose that moves, ω from the rotation between two times.
fn energy_of(mass: f64, inertia: &Matrix3<f64>, pose: impl Fn(f64) -> Isometry3<f64>) -> f64 {
    let here = pose(0.0);
    let velocity = rate(|t| pose(t).translation.vector);
    let spin = rate(|t| (here.rotation.inverse() * pose(t).rotation).scaled_axis());
    0.5 * (mass * velocity.norm_squared() + spin.dot(&(inertia * spin)))
}

system! {
    /// Three links in the plane, one of them a slide, on a turntable that turns with the time.
    pub struct Slide { m: Real = 2, l: Real = 0.8, i: Real = 0.3, omega: Real = 0.7, g: Real = 9.81 }
    coordinate q[3];
    fn joint(angle) = pose([l, 0], angle);
    fn middle(link) = link * pose([l/2, 0]);
    let table = pose([t/5, 0], omega*t);
    let first = table * joint(q[0]);
    body link[0]: Rigid2 = middle(first) { mass: m, inertia: i }
    let second = first * pose([l + q[1], l/4], 1/2);
    body link[1]: Rigid2 = middle(second) { mass: m/2, inertia: i/2 }
    body link[2]: Rigid2 = middle(second * joint(q[2])) { mass: m/3, inertia: i/3 }
    gravity [0, -g];
}

system! {
    /// Three turns about axes that differ, and a slide, with inertias of all kinds.
    pub struct Shoulder {
        m: Real = 2, l: Real = 0.8, i: Real = 0.3, skew: Vector3 = [1, 2, -0.5], g: Real = 9.81
    }
    coordinate q[4];
    let base = pose([0.1, t/10, 0.2], [0, 0, 1], q[0] + t/3);
    body hub: Rigid3 = base { mass: m, inertia: [i, i, 2*i/3] }
    let second = base * pose([0, l, 0], skew, q[1]);
    body upper: Rigid3 = second * pose([0, 0, l/2]) {
        mass: m/2, inertia: [[i, i/10, i/20], [i/10, i/2, i/30], [i/20, i/30, 3*i/5]]
    }
    let third = second * pose([q[2], l/3, l], [0, -2, 0], q[3]);
    body fore: Rigid3 = third * pose([l/4, 0, l/2], [3/5, 0, 4/5], 1/3) { mass: m/3, inertia: [i/2, i/4, i/3] }
    body ball: Rigid3 = third * pose([0, l/3, 0]) { mass: m/5, inertia: [i, i, i] }
    gravity [0, 0, -g];
}

fn turn(axis: [f64; 3], angle: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_normalize(axis.into()), angle)
}

fn placed(place: [f64; 3], rotation: UnitQuaternion<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(SVector::from(place)), rotation)
}

#[test]
fn energies_are_those_of_rotations_that_others_have_programmed() {
    for k in 0..5 {
        let q = SVector::<f64, 4>::from_fn(|i, _| 1.5 * noise(i + 4 * k));
        let v = SVector::<f64, 4>::from_fn(|i, _| 2.0 * noise(i + 4 * k + 30));
        let t = 0.3;
        let found = Slide::default().kinetic_energy(
            t,
            &q.fixed_rows::<3>(0).into(),
            &v.fixed_rows::<3>(0).into(),
        );
        let link = |number: usize, x: f64| {
            let (t, q, l) = (t + x, q + v * x, 0.8);
            let at = |x: f64, y: f64, angle: f64| Isometry2::new([x, y].into(), angle);
            let first = at(t / 5.0, 0.0, 0.7 * t) * at(l, 0.0, q[0]);
            let second = first * at(l + q[1], l / 4.0, 0.5);
            let pose = [first, second, second * at(l, 0.0, q[2])][number] * at(l / 2.0, 0.0, 0.0);
            placed(
                [pose.translation.x, pose.translation.y, 0.0],
                turn([0.0, 0.0, 1.0], pose.rotation.angle()),
            )
        };
        let part = |number: usize| {
            let share = 1.0 / (number as f64 + 1.0);
            energy_of(2.0 * share, &(Matrix3::identity() * 0.3 * share), |x| {
                link(number, x)
            })
        };
        let expected: f64 = (0..3).map(part).sum();
        assert_relative_eq!(found, expected, max_relative = 1e-9);

        let found = Shoulder::default().kinetic_energy(t, &q, &v);
        let (l, i) = (0.8, 0.3);
        let body = |number: usize, x: f64| {
            let (t, q) = (t + x, q + v * x);
            let base = placed([0.1, t / 10.0, 0.2], turn([0.0, 0.0, 1.0], q[0] + t / 3.0));
            let second = base * placed([0.0, l, 0.0], turn([1.0, 2.0, -0.5], q[1]));
            let third = second * placed([q[2], l / 3.0, l], turn([0.0, -1.0, 0.0], q[3]));
            let still = UnitQuaternion::identity();
            match number {
                0 => base,
                1 => second * placed([0.0, 0.0, l / 2.0], still),
                2 => third * placed([l / 4.0, 0.0, l / 2.0], turn([0.6, 0.0, 0.8], 1.0 / 3.0)),
                _ => third * placed([0.0, l / 3.0, 0.0], still),
            }
        };
        let diagonal = |a: f64, b: f64, c: f64| Matrix3::from_diagonal(&[a, b, c].into());
        #[rustfmt::skip]
        let full = Matrix3::new(
            i, i / 10.0, i / 20.0,
            i / 10.0, i / 2.0, i / 30.0,
            i / 20.0, i / 30.0, 3.0 * i / 5.0,
        );
        let parts = [
            (2.0, diagonal(i, i, 2.0 * i / 3.0)),
            (1.0, full),
            (2.0 / 3.0, diagonal(i / 2.0, i / 4.0, i / 3.0)),
            (0.4, diagonal(i, i, i)),
        ];
        let parts = parts.iter().enumerate();
        let expected: f64 = parts
            .map(|(number, (mass, inertia))| energy_of(*mass, inertia, |x| body(number, x)))
            .sum();
        assert_relative_eq!(found, expected, max_relative = 1e-9);
    }
}

#[test]
fn accelerations_satisfy_lagranges_equations() {
    let none2 = |_: &_, _: &_| SVector::<f64, 2>::zeros();
    check_lagrange(&TwoLinks::default(), none2);
    check_lagrange(&TwoPlaces::default(), none2);
    check_lagrange(&Slide::default(), |_, _| SVector::zeros());
    check_lagrange(&Shoulder::default(), |_, _| SVector::zeros());
}

// ---- turns by parts of π ----------------------------------------------------------------------------

system! {
    /// A direction of bodies that parts of a turn have turned, about axes of coordinates and oblique ones.
    pub struct Turned { m: Real = 1 }
    coordinate q;
    let hub = pose([0, 0, 0], [0, 0, 1], q);
    body wheel: Rigid3 = hub { mass: m, inertia: [1, 1, 1] }
    fn turned(axis, angle) = dir(hub * pose([0, 0, 0], axis, angle), [1, 2, 3]);
    output u0 = turned([1, 0, 0], PI/2);
    output u1 = turned([1, 1, 0], PI);
    output u2 = turned([0, -3, 4], -PI/3);
    output u3 = turned([1, 2, 3], 2*PI/3);
    output u4 = turned([0, 0, 1], 3*PI/4);
    output u5 = turned([1, -1, 1], 5*PI/6);
    output u6 = turned([2, 0, 1], -7*PI/2);
    output u7 = turned([0, 1, 0], 180.to_radians());
}

#[test]
fn parts_of_a_turn_turn_as_rotations_that_others_have_programmed() -> Result<(), Error> {
    use core::f64::consts::PI;
    let q = 0.4;
    let u = Turned::default().outputs(0.0, &[q].into(), &[0.3].into())?;
    let found = [u.u0, u.u1, u.u2, u.u3, u.u4, u.u5, u.u6, u.u7];
    let turns = [
        ([1.0, 0.0, 0.0], PI / 2.0),
        ([1.0, 1.0, 0.0], PI),
        ([0.0, -3.0, 4.0], -PI / 3.0),
        ([1.0, 2.0, 3.0], 2.0 * PI / 3.0),
        ([0.0, 0.0, 1.0], 3.0 * PI / 4.0),
        ([1.0, -1.0, 1.0], 5.0 * PI / 6.0),
        ([2.0, 0.0, 1.0], -7.0 * PI / 2.0),
        ([0.0, 1.0, 0.0], PI),
    ];
    for (found, (axis, angle)) in found.into_iter().zip(turns) {
        let rotation = turn([0.0, 0.0, 1.0], q) * turn(axis, angle);
        let expected = rotation * SVector::from([1.0, 2.0, 3.0]);
        assert_abs_diff_eq!(found, expected, epsilon = 5e-15);
    }
    // A quarter of a turn is no approximation.
    let still = Turned::default().outputs(0.0, &[0.0].into(), &[0.0].into())?;
    assert_eq!(still.u0, SVector::from([1.0, -3.0, 2.0]));
    assert_eq!(still.u1, SVector::from([2.0, 1.0, -3.0]));
    assert_eq!(still.u7, SVector::from([-1.0, 2.0, -3.0]));
    Ok(())
}

// ---- what pushes, what is told ---------------------------------------------------------------------

system! {
    pub struct Pushed { m: Real = 2, l: Real = 0.8, i: Real = 0.3 }
    input push: Vector3, twist: Vector3;
    coordinate q[3];
    let first = pose([0, 0, q[2]], [0, 0, 1], q[0]);
    body hand: Rigid3 = first * pose([l, 0, 0], [0, 1, 0], q[1]) { mass: m, inertia: [i, i/2, i/3] }
    fn tip(body) = at(body, [0, l, l/2]);
    force tip(hand): push;
    torque hand: twist;
    output place = tip(hand);
    output along = dir(hand, [0, 0, 1]);
    output rate = velocity(tip(hand));
    output change = acceleration(tip(hand));
    output spin = angular_velocity(hand);
    output spin_change = angular_acceleration(hand);
}

/// The power of a force is F·ṙ, of a torque τ·ω; ṙ, r̈ and ω̇ are the rates of what they should be.
#[test]
fn forces_and_torques_have_their_power() -> Result<(), Error> {
    let bare = Pushed::<f64>::default();
    for k in 0..5 {
        let q = SVector::<f64, 3>::from_fn(|i, _| 1.5 * noise(i + 4 * k));
        let v = SVector::<f64, 3>::from_fn(|i, _| 2.0 * noise(i + 4 * k + 30));
        let [push, twist] = [60, 90].map(|j| Vector3::from_fn(|i, _| 3.0 * noise(i + 4 * k + j)));
        let still = bare.with_inputs(PushedInputs {
            push: Vector3::zeros(),
            twist: Vector3::zeros(),
        });
        let pushed = bare.with_inputs(PushedInputs { push, twist });
        let told = pushed.outputs(0.0, &q, &v)?;
        let power = (pushed.applied(0.0, &q, &v)? - still.applied(0.0, &q, &v)?).dot(&v);
        assert_relative_eq!(
            power,
            push.dot(&told.rate) + twist.dot(&told.spin),
            max_relative = 1e-12
        );

        let acceleration = pushed.acceleration(0.0, &q, &v)?;
        let later = |x: f64| {
            pushed.outputs(
                0.0,
                &(q + v * x + acceleration * (x * x / 2.0)),
                &(v + acceleration * x),
            )
        };
        let of = |part: fn(PushedOutputs<f64>) -> Vector3<f64>| rate(|x| part(later(x).unwrap()));
        assert_abs_diff_eq!(told.rate, of(|it| it.place), epsilon = 1e-8);
        assert_abs_diff_eq!(told.change, of(|it| it.rate), epsilon = 1e-8);
        assert_abs_diff_eq!(told.spin_change, of(|it| it.spin), epsilon = 1e-8);
        assert_abs_diff_eq!(
            told.spin.cross(&told.along),
            of(|it| it.along),
            epsilon = 1e-8
        );
    }
    Ok(())
}

// ---- beside bodies with coordinates of their own ------------------------------------------------------

system! {
    /// An arm of two links on a trunk that floats.
    pub struct Floating { m: Real = 2, l: Real = 0.8, i: Real = 0.3, g: Real = 9.81 }
    coordinate a, b;
    body trunk: Rigid3 { mass: 3*m, inertia: [i, 2*i, 3*i/2] }
    let shoulder = trunk * pose([l, 0, l/2], [0, 1, 0], a);
    body upper: Rigid3 = shoulder * pose([l/2, 0, 0]) { mass: m, inertia: [i/2, i/3, i/4] }
    body fore: Rigid3 = shoulder * pose([l, 0, 0], [1, 0, 0], b) * pose([0, l/2, 0]) { mass: m, inertia: [i/2, i/3, i/2] }
    force at(fore, [0, l/2, 0]): [1, 2, 3];
    torque upper: [0.3, -0.2, 0.1];
    gravity [0, 0, -g];
}

system! {
    /// The same, each body with coordinates of its own, on hinges.
    pub struct Hinged { m: Real = 2, l: Real = 0.8, i: Real = 0.3, g: Real = 9.81 }
    body trunk: Rigid3 { mass: 3*m, inertia: [i, 2*i, 3*i/2] }
    body upper: Rigid3 { mass: m, inertia: [i/2, i/3, i/4] }
    body fore: Rigid3 { mass: m, inertia: [i/2, i/3, i/2] }
    constraint shoulder: at(upper, [-l/2, 0, 0]) == at(trunk, [l, 0, l/2]);
    constraint level: [dot(dir(upper, [1, 0, 0]), dir(trunk, [0, 1, 0])) == 0, dot(dir(upper, [0, 0, 1]), dir(trunk, [0, 1, 0])) == 0];
    constraint elbow: at(fore, [0, -l/2, 0]) == at(upper, [l/2, 0, 0]);
    constraint along: [dot(dir(fore, [0, 1, 0]), dir(upper, [1, 0, 0])) == 0, dot(dir(fore, [0, 0, 1]), dir(upper, [1, 0, 0])) == 0];
    force at(fore, [0, l/2, 0]): [1, 2, 3];
    torque upper: [0.3, -0.2, 0.1];
    gravity [0, 0, -g];
}

/// The trunk of either moves alike.
#[test]
fn an_arm_on_a_floating_trunk_is_one_of_hinges() -> Result<(), Error> {
    let l = 0.8;
    for k in 0..5 {
        let trunk = placed(
            [0, 1, 2].map(|i| noise(i + 7 * k)),
            UnitQuaternion::from_scaled_axis(Vector3::from_fn(|i, _| 2.0 * noise(i + 7 * k + 3))),
        );
        let (a, b) = (2.0 * noise(k + 50), 2.0 * noise(k + 60));
        let rates = SVector::<f64, 8>::from_fn(|i, _| 2.0 * noise(i + 8 * k + 70));
        let shoulder = trunk * placed([l, 0.0, l / 2.0], turn([0.0, 1.0, 0.0], a));
        let upper = shoulder * placed([l / 2.0, 0.0, 0.0], UnitQuaternion::identity());
        let elbow = shoulder * placed([l, 0.0, 0.0], turn([1.0, 0.0, 0.0], b));
        let fore = elbow * placed([0.0, l / 2.0, 0.0], UnitQuaternion::identity());
        let numbers = |pose: &Isometry3<f64>| {
            let (place, turn) = (pose.translation.vector, pose.rotation.coords);
            [place.as_slice(), turn.as_slice()].concat()
        };
        // Bodies follow the coordinates in one of the two declarations.
        let floating = Floating::<f64>::default();
        let mut q = vec![a, b];
        q.extend(numbers(&trunk));
        let mut v = vec![rates[6], rates[7]];
        v.extend(&rates.as_slice()[..6]);
        let (q, v) = (
            SVector::from_column_slice(&q),
            SVector::from_column_slice(&v),
        );
        let found = floating.acceleration(0.0, &q, &v)?;

        let (speed, spin): (Vector3<f64>, Vector3<f64>) = (
            rates.fixed_rows::<3>(0).into(),
            rates.fixed_rows::<3>(3).into(),
        );
        let carried = |spin: Vector3<f64>, from: &Vector3<f64>, to: &Isometry3<f64>| {
            spin.cross(&(to.translation.vector - from))
        };
        let upper_spin = spin + shoulder.rotation * Vector3::y() * rates[6];
        let fore_spin = upper_spin + elbow.rotation * Vector3::x() * rates[7];
        let shoulder_speed = speed + carried(spin, &trunk.translation.vector, &shoulder);
        let elbow_speed =
            shoulder_speed + carried(upper_spin, &shoulder.translation.vector, &elbow);
        let upper_speed =
            shoulder_speed + carried(upper_spin, &shoulder.translation.vector, &upper);
        let fore_speed = elbow_speed + carried(fore_spin, &elbow.translation.vector, &fore);
        let q = [numbers(&trunk), numbers(&upper), numbers(&fore)].concat();
        let v = [speed, spin, upper_speed, upper_spin, fore_speed, fore_spin];
        let v: Vec<f64> = v.iter().flat_map(|it| it.iter().copied()).collect();
        let hinged = Hinged::<f64>::default();
        let (q, v) = (
            SVector::from_column_slice(&q),
            SVector::from_column_slice(&v),
        );
        assert_abs_diff_eq!(
            hinged.constraint(0.0, &q),
            SVector::zeros(),
            epsilon = 1e-12
        );
        assert_abs_diff_eq!(
            hinged.constraint_rate(0.0, &q, &v),
            SVector::zeros(),
            epsilon = 1e-12
        );
        let expected = hinged.acceleration(0.0, &q, &v)?;
        for i in 0..6 {
            assert_abs_diff_eq!(found[2 + i], expected[i], epsilon = 1e-9);
        }
    }
    Ok(())
}

system! {
    /// Three turns, one on the other, on a body that floats in the plane, the last driven by the time.
    pub struct Stacked { m: Real = 2, i: Real = 0.3, c: Real = 0.4 }
    body base: Rigid2 { mass: m, inertia: i }
    coordinate x, y;
    body first: Rigid2 = base * pose([1, 2], x) * pose([0.5, 0.25]) { mass: m, inertia: i }
    body second: Rigid2 = first * pose([0.3, y], 2*y) { mass: m, inertia: i }
    let third = second * pose([0, 1], x + 0.7*t);
    body wheel: Rigid2 { mass: m, inertia: i }
    body before: Rigid2 = pose([x, 0], y) * wheel * pose([1, 0]) { mass: m, inertia: i }
    input twist;
    torque second: twist;
    force angular_velocity(third): 3*twist;
    dissipation c/2*angular_velocity(first)^2;
    constraint roll: angular_velocity(second) == 2;
    joint mesh: plane::Gear { a: third, b: wheel, radius1: 1, radius2: 0.5 }
    output spins = [angular_velocity(first), angular_velocity(second)];
    output others = [angular_velocity(third), angular_velocity(before)];
    output change = angular_acceleration(second);
}

/// ω adds up for any rotations: ω_B + ẋ, ω_B + ẋ + 2 ẏ, and so on; what pushes on it pushes on the rates.
#[test]
fn rates_of_turns_in_the_plane_add_up() -> Result<(), Error> {
    let turns = |c: [f64; 4]| SVector::<f64, 8>::from([0.0, 0.0, c[0], c[2], c[3], 0.0, 0.0, c[1]]);
    for k in 0..5 {
        let stacked = Stacked::<f64>::default();
        let [a, b] = [noise(k), noise(k + 5)].map(|it| 3.0 * it);
        let place = [noise(k + 10), noise(k + 15)];
        let base = [0.4, 0.2, a.cos(), a.sin()];
        let wheel = [-0.3, 0.6, b.cos(), b.sin()];
        let q = [&base[..], &place, &wheel].concat();
        let q = SVector::<f64, 10>::from_column_slice(&q);
        let v = SVector::<f64, 8>::from_fn(|i, _| 2.0 * noise(i + 8 * k + 30));
        let (twisted, free) = (
            stacked.with_inputs(StackedInputs { twist: 1.0 }),
            stacked.with_inputs(StackedInputs { twist: 0.0 }),
        );
        // Of (base, wheel, x, y).
        let [first, second] = [turns([1.0, 0.0, 1.0, 0.0]), turns([1.0, 0.0, 1.0, 2.0])];
        let third = second + turns([0.0, 0.0, 1.0, 0.0]);
        let before = turns([0.0, 1.0, 0.0, 1.0]);
        let told = free.outputs(0.3, &q, &v)?;
        assert_abs_diff_eq!(
            told.spins,
            [first.dot(&v), second.dot(&v)].into(),
            epsilon = 1e-14
        );
        let others = [third.dot(&v) + 0.7, before.dot(&v)];
        assert_abs_diff_eq!(told.others, others.into(), epsilon = 1e-14);
        let change = second.dot(&free.acceleration(0.3, &q, &v)?);
        assert_abs_diff_eq!(told.change, change, epsilon = 1e-10);
        let pushed = twisted.applied(0.3, &q, &v)? - free.applied(0.3, &q, &v)?;
        assert_abs_diff_eq!(pushed, second + 3.0 * third, epsilon = 1e-12);
        let dragged = free.applied(0.3, &q, &v)?
            - Stacked { c: 0.0, ..stacked }
                .with_inputs(StackedInputs { twist: 0.0 })
                .applied(0.3, &q, &v)?;
        assert_abs_diff_eq!(dragged, -0.4 * first.dot(&v) * first, epsilon = 1e-12);
        let rows = free.jacobian(0.3, &q);
        assert_abs_diff_eq!(rows.row(0).transpose(), second, epsilon = 1e-14);
        let meshed = third + turns([0.0, 0.5, 0.0, 0.0]);
        assert_abs_diff_eq!(rows.row(1).transpose(), meshed, epsilon = 1e-14);
    }
    Ok(())
}

system! {
    /// A crank told by its angle, a rod with coordinates of its own, and a spring.
    pub struct Crank { m: Real = 2, l: Real = 0.8, i: Real = 0.3, g: Real = 9.81 }
    coordinate angle;
    body crank: Rigid2 = pose([0, 0], angle) { mass: m, inertia: i }
    body rod: Rigid2 { mass: m, inertia: i/2 }
    constraint pin: at(crank, [l, 0]) == at(rod, [-l, 0]);
    constraint slide: at(rod, [0, 0]).y == 0;
    potential norm_squared(at(rod, [l, 0]) - at(crank, [0, l]));
    gravity [0, -g];
}

system! {
    /// The same, the crank held by a pin.
    pub struct PinnedCrank { m: Real = 2, l: Real = 0.8, i: Real = 0.3, g: Real = 9.81 }
    body crank: Rigid2 { mass: m, inertia: i }
    body rod: Rigid2 { mass: m, inertia: i/2 }
    constraint axle: at(crank, [0, 0]) == [0, 0];
    constraint pin: at(crank, [l, 0]) == at(rod, [-l, 0]);
    constraint slide: at(rod, [0, 0]).y == 0;
    potential norm_squared(at(rod, [l, 0]) - at(crank, [0, l]));
    gravity [0, -g];
}

#[test]
fn constraints_hold_bodies_of_both_kinds() -> Result<(), Error> {
    let l = 0.8_f64;
    for k in 0..8 {
        let (angle, rate) = (noise(k) + 1.2, 2.0 * noise(k + 20));
        let (sin, cos) = angle.sin_cos();
        // The middle of the rod is on the level, the rod as steep as the crank.
        let (rod, rod_rate) = (-angle, -rate);
        let place = [2.0 * l * cos, 0.0];
        let speed = [-2.0 * l * sin * rate, 0.0];
        let q = [angle, place[0], place[1], rod.cos(), rod.sin()].into();
        let v = [rate, speed[0], speed[1], rod_rate].into();
        let crank = Crank::<f64>::default();
        assert_abs_diff_eq!(
            crank.constraint_rate(0.0, &q, &v),
            SVector::zeros(),
            epsilon = 1e-12
        );
        let (found, pull) = crank.acceleration_and_multipliers(0.0, &q, &v)?;
        let q = [0.0, 0.0, cos, sin, place[0], place[1], rod.cos(), rod.sin()].into();
        let v = [0.0, 0.0, rate, speed[0], speed[1], rod_rate].into();
        let (expected, held) =
            PinnedCrank::<f64>::default().acceleration_and_multipliers(0.0, &q, &v)?;
        assert_abs_diff_eq!(found.as_slice(), &expected.as_slice()[2..], epsilon = 1e-10);
        assert_abs_diff_eq!(pull.as_slice(), &held.as_slice()[2..], epsilon = 1e-9);
    }
    Ok(())
}

// ---- products of poses ------------------------------------------------------------------------------

system! {
    /// A body at the end of two links that slide and turn.
    pub struct FromTheLeft { m: Real = 2, l: Real = 0.5 }
    coordinate q, r;
    body end: Rigid3 = pose([r, 0, 1], [0, 0, 1], q) * pose([0, l, r], [1, 0, 0], r) * pose([r, l, 0], [0, 1, 0], q) {
        mass: m, inertia: [1, 2, 2.5]
    }
    gravity [0, 0, -9.81];
}

system! {
    /// The same, the last two poses put together first.
    pub struct FromTheRight { m: Real = 2, l: Real = 0.5 }
    coordinate q, r;
    body end: Rigid3 = pose([r, 0, 1], [0, 0, 1], q) * (pose([0, l, r], [1, 0, 0], r) * pose([r, l, 0], [0, 1, 0], q)) {
        mass: m, inertia: [1, 2, 2.5]
    }
    gravity [0, 0, -9.81];
}

#[test]
fn products_of_poses_are_associative() -> Result<(), Error> {
    let (left, right) = (FromTheLeft::default(), FromTheRight::default());
    for i in 0..20 {
        let [q, v] = [0, 2].map(|k| SVector::<f64, 2>::from_fn(|j, _| 2.0 * noise(4 * i + k + j)));
        let energies = [
            left.kinetic_energy(0.0, &q, &v),
            right.kinetic_energy(0.0, &q, &v),
        ];
        assert_relative_eq!(energies[0], energies[1], max_relative = 1e-12);
        let expected = left.acceleration(0.0, &q, &v)?;
        let found = right.acceleration(0.0, &q, &v)?;
        assert_relative_eq!(expected, found, max_relative = 1e-10, epsilon = 1e-10);
    }
    Ok(())
}
