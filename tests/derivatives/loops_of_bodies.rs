//! Derivatives of bodies in loops against dual numbers through v̇ and λ of the same loops.

use constraint_runtime::prelude::*;
use num_dual::Dual64;

fn wavy<const N: usize>(from: f64) -> SVector<f64, N> {
    SVector::from_fn(|i, _| (from + 1.7 * i as f64).sin())
}

/// `jvp`, `vjp`, `linearize` and `linearize_with_multipliers` of a system against dual numbers through v̇ and λ; `$of` makes
/// it from functions of parameters and of inputs. There are so many coordinates, velocities, rows, inputs and parameters.
macro_rules! agrees_with_dual_numbers {
    ($of:path, [$q:literal, $n:literal, $m:literal, $u:literal, $p:literal]) => {{
        let parameter = |i: usize| 1.0 + 0.3 * (1.9 * i as f64).sin();
        let input = |i: usize| (0.7 * i as f64 + 0.2).cos();
        let (system, t) = ($of(parameter, input), 0.3);
        let mut q = SVector::<f64, $q>::from_fn(|i, _| 1.5 * (1.3 * i as f64 + 1.0).sin());
        system.normalize(&mut q);
        let v = SVector::<f64, $n>::from_fn(|i, _| (2.1 * i as f64).cos());
        let along = Tangent::<f64, $n, $u, $p> {
            t: 0.6,
            q: wavy(0.2),
            v: wavy(0.5),
            u: wavy(0.9),
            p: wavy(1.3),
        };
        let both = |x: f64, dx: f64| Dual64::new(x, dx);
        let moved = $of(
            |i| both(parameter(i), along.p[i]),
            |i| both(input(i), along.u[i]),
        );
        let rates = system.kinematics(t, &q, &along.q);
        let (v_dot, lambda) = moved.acceleration_and_multipliers(
            both(t, along.t),
            &q.zip_map(&rates, both),
            &v.zip_map(&along.v, both),
        )?;
        let (expected, expected_lambda) = (v_dot.map(|x| x.eps), lambda.map(|x| x.eps));
        let [size, size_of_lambda] = [expected.amax(), expected_lambda.amax()].map(|it| 1e-11 * it);

        let (found, found_lambda) = system.jvp(t, &q, &v, &along)?;
        assert!((found - expected).amax() <= size, "{found} {expected}");
        assert!((found_lambda - expected_lambda).amax() <= size_of_lambda);

        let (v_bar, lambda_bar) = (wavy::<$n>(2.1), wavy::<$m>(2.9));
        let by = system.vjp(t, &q, &v, &v_bar, &lambda_bar)?;
        let parts = [
            by.t * along.t,
            by.q.dot(&along.q),
            by.v.dot(&along.v),
            by.u.dot(&along.u),
            by.p.dot(&along.p),
        ];
        let back: f64 = parts.iter().sum();
        let forwards = v_bar.dot(&expected) + lambda_bar.dot(&expected_lambda);
        let scale = by.q.norm() * along.q.norm() + by.v.norm() * along.v.norm();
        assert!(
            (back - forwards).abs() <= 1e-11 * scale,
            "{back} {forwards} {parts:?}"
        );

        let still = Tangent { t: 0.0, ..along };
        let (expected, expected_lambda) = system.jvp(t, &q, &v, &still)?;
        let along = |it: &Linearization<f64, $n, { 2 * $n }, $u, $p>| {
            let Linearization { a, b, p } = it;
            a.columns(0, $n) * still.q + a.columns($n, $n) * still.v + b * still.u + p * still.p
        };
        let found = system.linearize(t, &q, &v)?;
        assert!((along(&found) - expected).amax() <= size);
        let (again, Linearization { a, b, p }) = system.linearize_with_multipliers(t, &q, &v)?;
        assert_eq!(again, found);
        let sum =
            a.columns(0, $n) * still.q + a.columns($n, $n) * still.v + b * still.u + p * still.p;
        assert!((sum - expected_lambda).amax() <= size_of_lambda);
    }};
}

system! {
    /// Masses, moments, arms, forces and torques by index, and a point that moves.
    #[derivatives]
    #[solver(rolled)]
    pub struct Links { pub m: [Real; 5], pub moments: [Vector3; 5], pub up: [Vector3; 5], pub down: Vector3, pub g: Real }
    input push[5]: Vector3;
    for i in 0..5 { body link[i]: Rigid3 { mass: m[i], inertia: [moments[i].x + 1, moments[i].y + 2, moments[i].z + 2] } }
    constraint anchor: at(link[0], up[0]) == [sin(t), 0, 0];
    for i in 1..5 { constraint ball[i]: at(link[i], up[i]) == at(link[i-1], down); }
    for i in 0..5 { force at(link[i], up[i]): push[i]; torque link[i]: t*angular_velocity(link[i]); }
    gravity [0, 0, -g];
    output load[i in 1..5] = m[i]*multiplier(ball[i]);
    output power = dot(push[0], velocity(at(link[0], down)));
    output felt = acceleration(at(link[4], up[4]))*multiplier(anchor).x;
}

fn links<T: Real>(
    parameter: impl Fn(usize) -> T,
    input: impl Fn(usize) -> T,
) -> LinksWithInputs<T> {
    let vector = |from: usize| SVector::from_fn(|k, _| parameter(from + k));
    let links = Links {
        m: std::array::from_fn(&parameter),
        moments: std::array::from_fn(|i| vector(5 + 3 * i)),
        up: std::array::from_fn(|i| vector(20 + 3 * i)),
        down: vector(35),
        g: parameter(38),
    };
    links.with_inputs(LinksInputs {
        push: std::array::from_fn(|i| SVector::from_fn(|k, _| input(3 * i + k))),
    })
}

/// `outputs_jvp`, `outputs_vjp` and `linearize_with_outputs` against dual numbers through the outputs.
#[test]
fn outputs_of_links() -> Result<(), Error> {
    let parameter = |i: usize| 1.0 + 0.3 * (1.9 * i as f64).sin();
    let input = |i: usize| (0.7 * i as f64 + 0.2).cos();
    let (system, t) = (links(parameter, input), 0.3);
    let mut q = SVector::<f64, 35>::from_fn(|i, _| 1.5 * (1.3 * i as f64 + 1.0).sin());
    system.normalize(&mut q);
    let v = SVector::<f64, 30>::from_fn(|i, _| (2.1 * i as f64).cos());
    let along = Tangent::<f64, 30, 15, 39> {
        t: 0.6,
        q: wavy(0.2),
        v: wavy(0.5),
        u: wavy(0.9),
        p: wavy(1.3),
    };
    let moved = links(
        |i| Dual64::new(parameter(i), along.p[i]),
        |i| Dual64::new(input(i), along.u[i]),
    );
    let rates = system.kinematics(t, &q, &along.q);
    let outputs = moved.outputs(
        Dual64::new(t, along.t),
        &q.zip_map(&rates, Dual64::new),
        &v.zip_map(&along.v, Dual64::new),
    )?;
    let outputs: SVector<Dual64, 16> = outputs.into();
    let expected = outputs.map(|it| it.eps);
    let found: SVector<f64, 16> = system.outputs_jvp(t, &q, &v, &along)?.into();
    let size = 1e-11 * expected.amax();
    assert!((found - expected).amax() <= size, "{found} {expected}");

    let bar = wavy::<16>(2.1);
    let by = system.outputs_vjp(t, &q, &v, &bar.into())?;
    let back = by.t * along.t + by.q.dot(&along.q) + by.v.dot(&along.v);
    let back = back + by.u.dot(&along.u) + by.p.dot(&along.p);
    assert!((back - bar.dot(&expected)).abs() <= size * bar.norm() * 16.0);

    let still = Tangent { t: 0.0, ..along };
    let expected: SVector<f64, 16> = system.outputs_jvp(t, &q, &v, &still)?.into();
    let (_, Linearization { a, b, p }) = system.linearize_with_outputs(t, &q, &v)?;
    let sum = a.columns(0, 30) * still.q + a.columns(30, 30) * still.v + b * still.u + p * still.p;
    assert!((sum - expected).amax() <= size, "{sum} {expected}");
    Ok(())
}

#[test]
fn links_that_all_differ() -> Result<(), Error> {
    agrees_with_dual_numbers!(links, [35, 30, 15, 15, 39]);
    Ok(())
}

system! {
    /// Two constraints couple a body with the same next one: elimination creates entries. Tensors are full.
    #[derivatives]
    #[solver(rolled)]
    pub struct Hinges { pub m: Real, pub l: Real, pub moments: Vector3, pub p: Real, pub g: Real }
    body leaf[4]: Rigid3 { mass: m, inertia: [[moments.x + 1, p/9, 0], [p/9, moments.y + 1, 2*p/9], [0, 2*p/9, moments.z + 1]] }
    constraint frame: at(leaf[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..4 {
        constraint point[i]: at(leaf[i], [0, 0, l]) == at(leaf[i-1], [0, 0, -l]);
        constraint across[i]: dot(dir(leaf[i], [1, 0, 0]), dir(leaf[i-1], [0, 1, 0])) == 0;
        constraint along[i]: dot(dir(leaf[i], [1, 0, 0]), dir(leaf[i-1], [0, 0, 1])) == 0;
    }
    for i in 0..4 { force leaf[i]: [0, 0, -g*m]; dissipation norm_squared(angular_velocity(leaf[i])); }
}

fn hinges<T: Real>(parameter: impl Fn(usize) -> T, _: impl Fn(usize) -> T) -> Hinges<T> {
    Hinges {
        m: parameter(0),
        l: parameter(1),
        moments: SVector::from_fn(|k, _| parameter(2 + k)),
        p: parameter(5),
        g: parameter(6),
    }
}

#[test]
fn hinges_of_several_constraints() -> Result<(), Error> {
    agrees_with_dual_numbers!(hinges, [28, 24, 18, 0, 7]);
    Ok(())
}

system! {
    /// A ring of particles, balls and tops on threads, whose rows have lengths in common, and springs from element to element.
    #[derivatives]
    #[solver(rolled)]
    pub struct Mobile { pub m: [Real; 3], pub l: Real, pub k: Real }
    for i in 0..3 { particle knot[i]: Point3 { mass: m[i] } }
    body ball[3]: Rigid3 { mass: 2, inertia: [0.3, 0.3, 0.3] }
    body top[3]: Rigid3 { mass: 1, inertia: [0.2*l, 0.2*l, 0.1] }
    for i in 0..3 { constraint thread[i]: norm(at(ball[i], [0, l, 0]) - knot[i])^3 == l^3*(1 + t); }
    for i in 0..3 { constraint hung[i]: norm(at(top[i], [0, 0, l]) - knot[(i + 1) % 3]) == l; }
    for i in 0..3 { constraint joint[i]: at(ball[i], [l, 0, 0]) == at(top[i], [0, 0, -l]); }
    for i in 0..3 { potential 9.81*m[i]*knot[i].z; force ball[i]: [0, 0, -19.62]; }
    for i in 0..3 { potential k*norm_squared(at(top[i], [l, 0, 0]) - at(ball[(i + 1) % 3], [0, 0, l])); }
}

fn mobile<T: Real>(parameter: impl Fn(usize) -> T, _: impl Fn(usize) -> T) -> Mobile<T> {
    Mobile {
        m: std::array::from_fn(&parameter),
        l: parameter(3),
        k: parameter(4),
    }
}

#[test]
fn a_ring_of_balls_tops_and_particles() -> Result<(), Error> {
    agrees_with_dual_numbers!(mobile, [51, 45, 15, 0, 5]);
    Ok(())
}

system! {
    /// A tree in the plane, and rows on velocities.
    #[derivatives]
    #[solver(rolled)]
    pub struct Skates { pub m: Real, pub l: Real, pub inertia: Real }
    body sled[5]: Rigid2 { mass: m, inertia: inertia*m }
    for i in 0..2 { constraint left[i]: at(sled[2*i + 1], [0, l]) == at(sled[i], [l, -l]); }
    for i in 0..2 { constraint right[i]: at(sled[2*i + 2], [0, l]) == at(sled[i], [-l, -l]); }
    for i in 0..5 { constraint runner[i]: dot(velocity(at(sled[i], [l, 0])), dir(sled[i], [0, 1])) == 0; }
    for i in 0..5 { force sled[i]: [1, 0.1*i]; torque sled[i]: 0.2*t; }
}

fn skates<T: Real>(parameter: impl Fn(usize) -> T, _: impl Fn(usize) -> T) -> Skates<T> {
    Skates {
        m: parameter(0),
        l: parameter(1),
        inertia: parameter(2),
    }
}

#[test]
fn a_tree_on_runners() -> Result<(), Error> {
    agrees_with_dual_numbers!(skates, [20, 15, 13, 0, 3]);
    Ok(())
}
