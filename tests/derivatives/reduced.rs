//! A and B over minimal coordinates, against the same systems told by coordinates, and against what moves beside them.

use approx::assert_relative_eq;
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;

system! {
    /// A bead held on a wire.
    #[derivatives]
    struct Held { m: Real = 2, g: Real = 9.81 }
    input wind;
    particle bead: Point2 { mass: m }
    constraint wire: bead.y == bead.x^3/3 - bead.x/5 + t;
    force bead: [wind, 0] - velocity(bead)/3;
    gravity [0, -g];
    output felt = norm_squared(acceleration(bead)) + bead.y;
}

system! {
    /// The same told by its place along x.
    #[derivatives]
    struct Told { m: Real = 2, g: Real = 9.81 }
    input wind;
    coordinate x;
    particle bead = [x, x^3/3 - x/5 + t] { mass: m }
    force bead: [wind, 0] - velocity(bead)/3;
    gravity [0, -g];
    output felt = norm_squared(acceleration(bead)) + bead.y;
}

#[test]
fn a_bead_in_motion_is_linear_as_it_is_by_its_own_coordinate() -> Result<(), Error> {
    let (x, rate) = (0.3_f64, 1.7);
    let slope = x * x - 0.2;
    let held = Held::default().with_inputs(HeldInputs { wind: 4.0 });
    let told = Told::default().with_inputs(ToldInputs { wind: 4.0 });
    let place = [x, x.powi(3) / 3.0 - x / 5.0 + 0.5];
    let state = State::new(0.5, place, [rate, slope * rate + 1.0]);
    let minimal = Minimal::at(&held, &state)?;
    assert_eq!(minimal.independent, [0]);
    assert_relative_eq!(minimal.z[(1, 0)], slope, max_relative = 1e-14);
    assert_relative_eq!(minimal.s[(1, 0)], 2.0 * x * rate, max_relative = 1e-14);

    let (q, v) = ([x].into(), [rate].into());
    let (Linearization { a, b, .. }, expected) = told.linearize_with_outputs(0.5, &q, &v)?;
    let first_order = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, a[0], a[1]]);
    assert_relative_eq!(minimal.a, first_order, max_relative = 1e-12);
    assert_relative_eq!(minimal.b[(1, 0)], b[0], max_relative = 1e-13);
    let (_, outputs) = held.linearize_with_outputs(0.5, &state.q, &state.v)?;
    let expected = DMatrix::from_row_slice(1, 2, expected.a.as_slice());
    assert_relative_eq!(minimal.outputs(&outputs), expected, max_relative = 1e-12);
    Ok(())
}

system! {
    /// A heavy top on its tip.
    #[derivatives]
    struct Top { m: Real = 1.5, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [0.2, 0.2, 0.3] }
    constraint tip: at(top, [0, 0, -0.5]) == [0, 0, 0];
    gravity [0, 0, -g];
}

/// Asleep, upright and spinning with n: ẍ = (m g l x − C n ẏ)/I and ÿ = (m g l y + C n ẋ)/I with I = A + m l².
#[test]
fn a_sleeping_top() -> Result<(), Error> {
    let top = Top::<f64>::default();
    let (moment, along, spin) = (0.2 + 1.5 * 0.25, 0.3, 12.0);
    let start = State::new(
        0.0,
        TopCoordinates {
            top: Rigid3::translation(0.0, 0.0, 0.5),
        },
        TopVelocities {
            top: Twist3 {
                linear: Vector3::zeros(),
                angular: Vector3::new(0.0, 0.0, spin),
            },
        },
    );
    let minimal = Minimal::at(&top, &start)?;
    // Its place above the tip, and how far it has turned about its axis.
    assert_eq!(minimal.independent, [0, 1, 5]);
    let (gyroscopic, tilting) = (along * spin / moment, 1.5 * 9.81 * 0.5 / moment);
    let mut expected = DMatrix::zeros(6, 6);
    expected.view_mut((0, 3), (3, 3)).fill_with_identity();
    (expected[(3, 0)], expected[(4, 1)]) = (tilting, tilting);
    (expected[(3, 4)], expected[(4, 3)]) = (-gyroscopic, gyroscopic);
    assert_relative_eq!(minimal.a, expected, epsilon = 1e-12);
    Ok(())
}

/// Two motions a little apart move apart as A says: what is left is of second order.
#[test]
fn a_top_that_tumbles_is_followed_by_its_neighbour() -> Result<(), Error> {
    let top = Top::<f64>::default();
    let body = Rigid3::translation(0.1, 0.2, 0.4);
    let twist = Twist3 {
        linear: Vector3::zeros(),
        angular: Vector3::new(0.7, -1.1, 2.3),
    };
    let start = State::new(
        0.0,
        TopCoordinates { top: body },
        TopVelocities { top: twist },
    );
    let start = make_consistent(&top, start)?;
    let minimal = Minimal::at(&top, &start)?;
    let d = minimal.independent.len();
    let part = |x: &DVector<f64>| (x.rows(0, d).into_owned(), x.rows(d, d).into_owned());
    let beside = |x: &DVector<f64>| -> Result<State<_, SVector<f64, 6>>, Error> {
        let (y, w) = part(x);
        let dv = &minimal.z * w + &minimal.s * &y;
        let dq = SVector::<f64, 6>::from_column_slice((&minimal.z * y).as_slice());
        let q = start.q + top.kinematics(0.0, &start.q, &dq);
        let v = start.v + SVector::<f64, 6>::from_column_slice(dv.as_slice());
        make_consistent(&top, State { t: 0.0, q, v })
    };
    let after = |state: State<_, SVector<f64, 6>>| -> Result<_, Error> {
        let mut run = Simulation::new(top, state, Rk4::new(1e-4))?;
        run.run_until(2e-4)?;
        Ok(*run.state())
    };
    // Over h, the change of the independent velocities is (δv̇)ᵢ h.
    let (h, size) = (2e-4, 1e-4);
    for k in 0..2 * d {
        let mut x = DVector::zeros(2 * d);
        x[k] = size;
        let [plus, minus] = [1.0, -1.0].map(|sign| beside(&(&x * sign)));
        let ends = [after(plus?)?, after(minus?)?];
        let expected = &x + &minimal.a * &x * h;
        for (row, &i) in minimal.independent.iter().enumerate() {
            let apart = (ends[0].v[i] - ends[1].v[i]) / 2.0;
            assert!((apart - expected[d + row]).abs() < 1e-3 * h * size * minimal.a.norm());
        }
    }
    Ok(())
}

system! {
    /// A bob on a rod that two rows hold.
    #[redundant(least_squares)]
    struct HeldTwice { m: Real = 4, l: Real = 5 }
    particle bob: Point3 { mass: m }
    constraint rod: norm(bob) == l;
    constraint square: norm_squared(bob) == l^2;
}

/// Three velocities less a rank of one.
#[test]
fn rows_that_follow_from_others_take_no_degree_of_freedom() -> Result<(), Error> {
    let state = State::new(0.0, [3.0, 4.0, 0.0], [0.0; 3]);
    let tangents = Tangents::at(&HeldTwice::default(), &state)?;
    let z = tangents.basis();
    assert_eq!(z.shape(), (3, 2));
    assert!(
        (z.transpose() * z * 4.0 - DMatrix::identity(2, 2)).norm() < 1e-14,
        "{z}"
    );
    assert!((z.row(0) * 3.0 + z.row(1) * 4.0).norm() < 1e-14, "{z}");
    Ok(())
}

system! {
    /// Chaplygin's sleigh on a blade at (x, y), its mass a ahead of the blade; a wheel turns twice as far as the sleigh.
    #[derivatives]
    struct Sleigh { m: Real = 3, i: Real = 0.7, j: Real = 0.05, a: Real = 0.4 }
    coordinate x, y, angle, wheel;
    particle mass = [x + a*cos(angle), y + a*sin(angle)] { mass: m }
    kinetic (i*velocity(angle)^2 + j*velocity(wheel)^2)/2;
    constraint blade: velocity(y)*cos(angle) == velocity(x)*sin(angle);
    constraint belt: wheel == 2*angle;
}

/// Along its blade at speed u, ω̇ = −m a u ω/(i + 4 j + m a²), by the moment of its mass about the blade; all else stays.
/// Three positions are free, x, y and the angle, and two velocities.
#[test]
fn a_sleigh_in_motion_straightens_as_chaplygin_found() -> Result<(), Error> {
    let (u, angle) = (2.5_f64, 0.6_f64);
    let state = State::new(
        0.0,
        [1.0, 2.0, angle, 2.0 * angle],
        [u * angle.cos(), u * angle.sin(), 0.0, 0.0],
    );
    let minimal = Minimal::at(&Sleigh::default(), &state)?;
    assert_eq!((minimal.positions.len(), minimal.independent.len()), (3, 2));
    assert_eq!(minimal.a.shape(), (5, 5));
    let mut found: Vec<f64> = minimal
        .a
        .complex_eigenvalues()
        .iter()
        .map(|it| it.re)
        .collect();
    found.sort_by(f64::total_cmp);
    let rate = -3.0 * 0.4 * u / (0.7 + 4.0 * 0.05 + 3.0 * 0.4 * 0.4);
    assert_relative_eq!(found[0], rate, max_relative = 1e-12);
    // The others are 0, three in one block: a defective eigenvalue of size ε^(1/3).
    assert!(found[1..].iter().all(|it| it.abs() < 1e-4), "{found:?}");
    Ok(())
}

system! {
    /// A thin disk that rolls without slipping.
    #[derivatives]
    struct Disk { m: Real = 2, r: Real = 0.5, g: Real = 9.81 }
    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/2, m*r^2/4] }
    joint ground: RollingDisk { b: disk, point: [0, 0, 0], normal: [0, 0, 1], axis: [0, 1, 0], radius: r }
    gravity [0, 0, -g];
}

/// Upright and straight ahead at Ω, its lean obeys 5/4 θ̈ = (g/r − 3 Ω²) θ, so that it falls below Ω² = g/(3 r).
#[test]
fn a_rolling_disk_leans_at_the_published_rate() -> Result<(), Error> {
    for spin in [1.5_f64, 4.0] {
        let q = DiskCoordinates {
            disk: Rigid3::translation(0.3, -0.2, 0.5),
        };
        let linear = Vector3::new(0.5 * spin, 0.0, 0.0);
        let v = DiskVelocities {
            disk: Twist3 {
                linear,
                angular: Vector3::new(0.0, spin, 0.0),
            },
        };
        let minimal = Minimal::at(&Disk::default(), &State::new(0.0, q, v))?;
        assert_eq!((minimal.positions.len(), minimal.independent.len()), (5, 3));
        let square = 4.0 / 5.0 * (9.81 / 0.5 - 3.0 * spin * spin);
        let found = minimal.a.complex_eigenvalues();
        for sign in [1.0, -1.0] {
            let (re, im) = if square > 0.0 {
                (sign * square.sqrt(), 0.0)
            } else {
                (0.0, sign * (-square).sqrt())
            };
            assert!(
                found.iter().any(|it| (it.re - re).hypot(it.im - im) < 1e-9),
                "{re}, {im}: {found}"
            );
        }
    }
    Ok(())
}
