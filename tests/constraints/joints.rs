//! `constraint!` over bodies: names, scalars, shapes and physics that the joint library does not show.

use constraint_runtime::joint::{Distance, Hinge, RollingDisk};
use constraint_runtime::nalgebra::{Matrix3, SimdValue, Unit};
use constraint_runtime::prelude::*;
use simba::simd::WideF64x4;

constraint! {
    /// Every name that generated code might use itself, as a parameter or a body.
    #[allow(non_snake_case)]
    struct Greedy { v_a: Vector3, w_a: Real, f_a: Real, inverse_a: Real, q: Real, v: Real, rt: Real, T: Real, a_v_a: Real }
    |a: Rigid3, t: Rigid3, b: Rigid3|
        w_a*f_a*inverse_a*q*v*rt*T*a_v_a*dot(at(a, v_a), at(t, [0, 1, 0])) + dot(at(b, v_a), dir(a, [1, 0, 0]))
}

#[test]
fn a_constraint_in_an_expression_states_its_coordinates_between_bars() {
    let circle = constraint!(|y, x| x ^ 2 + 4 * y == 1);
    // In the order of the bars, not of appearance: ∂C/∂y is 4, ∂C/∂x is 2 x.
    let slope: SMatrix<f64, 1, 2> = circle.jacobian(0.0, &[7.0, 3.0].into());
    assert_eq!(slope, [[4.0], [6.0]].into());
    // Without bars x comes before y, in whichever order they appear.
    let free: SMatrix<f64, 1, 2> =
        constraint!(4 * y + x ^ 2 == 1).jacobian(0.0, &[3.0, 7.0].into());
    assert_eq!(free, [[6.0], [4.0]].into());
    // Points, time and bodies are declared as in the full form.
    let moving = constraint!(|p: Point3, t: Time| p.z == t);
    assert_eq!(
        Constraint::<f64, 3, 1>::rate(&moving, 2.0, &[0.0; 3].into(), &[0.0, 0.0, 1.0].into())[0],
        0.0
    );
    let rod = constraint!(|a: Rigid3, b: Rigid3| norm(at(b, [0, 0, 0]) - at(a, [0, 0, 1])) == 1);
    let (a, b) = (Rigid3::identity(), Rigid3::translation(0.0, 0.0, 3.0));
    assert_eq!(rod.value(0.0, [&a, &b])[0], 1.0);
}

#[test]
fn users_names_never_meet_generated_ones() {
    let one = Greedy {
        v_a: Vector3::x(),
        w_a: 1.0,
        f_a: 1.0,
        inverse_a: 1.0,
        q: 1.0,
        v: 1.0,
        rt: 1.0,
        T: 1.0,
        a_v_a: 2.0,
    };
    let bodies = [
        Rigid3::translation(1.0, 2.0, 3.0),
        Rigid3::translation(4.0, 5.0, 6.0),
        Rigid3::translation(7.0, 8.0, 9.0),
    ];
    // 2 (2, 2, 3)·(4, 6, 6) + 8
    let value = one.value(0.0, bodies.each_ref());
    assert_eq!(value[0], 2.0 * (8.0 + 12.0 + 18.0) + 8.0);
    let mass = InverseMass3 {
        mass: 1.0,
        inertia: Matrix3::identity(),
    };
    let (still, right) = (SVector::zeros(), [1.0].into());
    let rows = one.rows(0.0, bodies.each_ref(), [&still; 3], [&mass; 3]);
    let lambda = one
        .solve(0.0, bodies.each_ref(), [&mass; 3], &right)
        .unwrap();
    assert!((rows.delassus[0] * lambda[0] - 1.0_f64).abs() < 1e-15);
}

constraint! {
    /// A motor: the hinge's angle follows the time.
    struct Motor { speed: Real }
    |a: Rigid3, b: Rigid3, t: Time|
        dot(dir(a, [-sin(speed*t), cos(speed*t), 0]), dir(b, [1, 0, 0]))
}

/// b turns with `speed` about z: then C, Ċ and β (v̇ = 0) all vanish, at any time.
#[test]
fn a_body_fixed_vector_may_move_with_time() {
    let motor = Motor { speed: 1.7 };
    let a = Rigid3::identity();
    let spin = SVector::from([0.0, 0.0, 0.0, 0.0, 0.0, 1.7]);
    for t in [0.0, 0.3, 2.0] {
        let b = Rigid3::identity().moved(&spin, t);
        let (q, v) = ([&a, &b], [&SVector::zeros(), &spin]);
        assert!(motor.value(t, q).norm() < 1e-15);
        assert!(motor.rate(t, q, v).norm() < 1e-15);
        assert!(motor.bias(t, q, v).norm() < 1e-15);
    }
    // Standing still it falls behind: ∂C/∂t = −speed at t = 0.
    let still = SVector::zeros();
    let rate = motor.rate(0.0, [&a, &a], [&still, &still]);
    assert!((rate[0] + 1.7_f64).abs() < 1e-15);
}

constraint! {
    /// A knife edge in the plane: no sideways motion, one body, one row of velocities.
    struct Skate;
    |blade: Rigid2| dot(velocity(at(blade, [0, 0])), dir(blade, [0, 1]))
}

/// A skate that slides and spins goes round in a circle: v̇ = −λ n with λ = m v ω.
#[test]
fn a_skate_is_pushed_sideways_by_speed_times_spin() {
    let blade = Rigid2::identity();
    let mass = Inertia2::new(2.0, 0.5).unwrap().inverse();
    let (v, f) = (Vector3::new(3.0, 0.0, 0.7), Vector3::zeros());
    let lambda = Skate
        .multipliers(0.0, [&blade], [&v], [&mass], [&f])
        .unwrap();
    assert!((lambda[0] - 2.0 * 3.0 * 0.7_f64).abs() < 1e-15);
    assert_eq!(<Skate as BodyConstraint<f64, 3, 1, 1>>::HOLONOMIC, [false]);
}

/// A pendulum on a hinge, at rest and level: the tip falls with g·m·r²/(I + m r²).
#[test]
fn a_level_pendulum_starts_to_fall_as_derived_by_hand() {
    let (m, r, moment, g) = (2.0_f64, 0.5, 0.3, 9.81);
    let (ground, rod) = (Rigid3::identity(), Rigid3::translation(r, 0.0, 0.0));
    let pin = Hinge::between(&ground, &rod, &Point3::origin(), &Vector3::y_axis());
    let w = [
        &InverseMass3::pinned(),
        &Inertia3::principal(m, [0.1, moment, 0.4])
            .unwrap()
            .inverse_at(&rod),
    ];
    let still = SVector::zeros();
    let weight = SVector::from([0.0, 0.0, -m * g, 0.0, 0.0, 0.0]);
    let (q, v, f) = ([&ground, &rod], [&still, &still], [&still, &weight]);
    let lambda = pin.multipliers(0.0, q, v, w, f).unwrap();
    let push = weight + pin.jacobian(0.0, q)[1].tr_mul(&lambda);
    let acceleration = Rigid3::accelerated(w[1], &push);
    let expected = -g * m * r * r / (moment + m * r * r);
    assert!((acceleration[2] - expected).abs() < 1e-13);
    assert!((acceleration[4] * -r - expected).abs() < 1e-13);
}

/// A coin that rolls in a straight line needs no force but what carries it; spun as well, it needs one.
#[test]
fn an_upright_coin_rolls_straight_on() {
    let (m, g, radius) = (0.1, 9.81, 0.5);
    let disk = RollingDisk::on_ground(radius);
    let (ground, coin) = (Rigid3::identity(), Rigid3::translation(0.0, 0.0, radius));
    let inertia = Inertia3::principal(m, [0.3, 0.5, 0.3]).unwrap();
    let w = [&InverseMass3::pinned(), &inertia.inverse_at(&coin)];
    let (still, rolls) = (
        SVector::zeros(),
        SVector::from([1.0, 0.0, 0.0, 0.0, 2.0, 0.0]),
    );
    let weight = SVector::from([0.0, 0.0, -m * g, 0.0, 0.0, 0.0]);
    let lambda = disk.multipliers(
        0.0,
        [&ground, &coin],
        [&still, &rolls],
        w,
        [&still, &weight],
    );
    let lambda = lambda.unwrap();
    assert!((lambda - Vector3::new(m * g, 0.0, 0.0)).norm() < 1e-14);
}

constraint! {
    /// Two centres at a distance: J W Jᵀ = 1/m₁ + 1/m₂ whatever their places.
    struct Apart { length: Real }
    |a: Rigid3, b: Rigid3| norm(at(b, [0, 0, 0]) - at(a, [0, 0, 0])) == length
}

/// n = d/‖d‖ does not exist where the centres meet, though n·n = 1 was taken for granted.
#[test]
fn centres_that_meet_are_an_error_not_a_state_of_nan() {
    let (rod, body) = (Apart { length: 1.0 }, Rigid3::identity());
    let mass = InverseMass3 {
        mass: 1.0,
        inertia: Matrix3::identity(),
    };
    let (still, still_too) = (SVector::zeros(), SVector::zeros());
    let (q, v, w) = ([&body, &body], [&still, &still_too], [&mass, &mass]);
    let refused = Err(Singular { row: 0, pivot: 0.0 });
    assert_eq!(rod.solve(0.0, q, w, &[1.0].into()), refused);
    assert_eq!(rod.impulses(0.0, q, v, w), refused);
    assert_eq!(rod.multipliers(0.0, q, v, w, v), refused);
    let apart = Rigid3::translation(0.0, 2.0, 0.0);
    assert_eq!(
        rod.solve(0.0, [&body, &apart], w, &[1.0].into()),
        Ok([0.5].into())
    );
}

#[test]
fn a_disk_that_lies_flat_and_a_pinned_pair_are_errors() {
    let (ground, flat) = (
        Rigid3::identity(),
        Rigid3::rotation(Vector3::x() * std::f64::consts::FRAC_PI_2),
    );
    let mass = InverseMass3 {
        mass: 1.0,
        inertia: Matrix3::identity(),
    };
    let disk = RollingDisk {
        axis: Vector3::z(),
        ..RollingDisk::on_ground(0.5)
    };
    let solved = disk.solve(0.0, [&ground, &ground], [&mass, &mass], &Vector3::x());
    assert!(solved.is_err());
    let pinned = InverseMass3::pinned();
    let hinge = Hinge::between(&ground, &flat, &Point3::origin(), &Vector3::x_axis());
    let solved = hinge.solve(0.0, [&ground, &flat], [&pinned, &pinned], &SVector::zeros());
    assert_eq!(solved, Err(Singular { row: 0, pivot: 0.0 }));
}

/// Four poses at once are what each gives alone.
#[test]
fn lanes_are_bodies_of_their_own() {
    let place = |lane: f64| {
        let a = Rigid3::new(
            Vector3::new(0.1 * lane, 0.2, 0.3),
            Vector3::new(0.3, lane, -0.2),
        );
        let b = Rigid3::new(
            Vector3::new(1.0, -lane, 0.5),
            Vector3::new(-0.4, 0.1, 0.6 * lane),
        );
        [a, b]
    };
    let lanes = [1.0, 2.0, 3.0, 4.0].map(place);
    let wide = |body: usize| {
        let q = SVector::<WideF64x4, 7>::from_fn(|i, _| {
            WideF64x4::from(lanes.map(|it| it[body].coordinates()[i]))
        });
        Rigid3::try_from_coordinates(&q).unwrap()
    };
    let rod = Distance {
        r1: Vector3::new(0.1, 0.2, 0.3),
        r2: Vector3::new(-0.3, 0.5, 0.7),
        length: 1.5,
    };
    let wide_rod = Distance {
        r1: rod.r1.map(WideF64x4::splat),
        r2: rod.r2.map(WideF64x4::splat),
        length: WideF64x4::splat(1.5),
    };
    let found = wide_rod.jacobian(WideF64x4::splat(0.0), [&wide(0), &wide(1)]);
    for (lane, [a, b]) in lanes.iter().enumerate() {
        for (found, expected) in found.iter().zip(rod.jacobian(0.0, [a, b])) {
            let found = found.map(|x| x.extract(lane));
            assert!((found - expected).norm() < 1e-15);
        }
    }
}

/// Turned and moved together, two bodies keep every joint between them.
#[test]
fn a_joint_does_not_know_where_in_the_world_it_is() {
    let a = Rigid3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.3, 1.0, -0.2));
    let b = Rigid3::new(Vector3::new(1.0, -0.4, 0.5), Vector3::new(-0.4, 0.1, 0.6));
    let axis = Unit::new_normalize(Vector3::new(1.0, 2.0, -0.5));
    let hinge = Hinge::between(&a, &b, &Point3::new(0.5, 0.5, 0.5), &axis);
    let world = Rigid3::new(Vector3::new(5.0, -6.0, 7.0), Vector3::new(1.0, 2.0, 0.5));
    assert!(hinge.value(0.0, [&a, &b]).norm() < 1e-15);
    assert!(hinge.value(0.0, [&(world * a), &(world * b)]).norm() < 1e-14);
    // The velocities of one rigid motion, v + ω×x and ω.
    let (v, spin) = (Vector3::new(0.3, 0.1, -0.7), Vector3::new(0.2, -1.0, 0.4));
    let carried = |body: &Rigid3| {
        let v = v + spin.cross(&body.translation.vector);
        SVector::<f64, 6>::from([v.x, v.y, v.z, spin.x, spin.y, spin.z])
    };
    let rate = hinge.rate(0.0, [&a, &b], [&carried(&a), &carried(&b)]);
    assert!(rate.norm() < 1e-15);
}
