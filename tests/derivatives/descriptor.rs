//! The sparse descriptor pair: what elimination makes of it is what `linearize` gives; loops tell what is written out; and
//! a thousand links take no allocation.

use std::collections::BTreeMap;

use constraint_runtime::nalgebra::{DMatrix, DVector, UnitQuaternion};
use constraint_runtime::prelude::*;
use constraint_runtime::{Descriptor, DescriptorMatrix};

use crate::random::Random;

system! {
    /// Coordinates, a spring, a rod, a wind and a law of time.
    #[derivatives]
    struct Crank { m: Real = 1.5, slider: Real = 2, r: Real = 0.5, l: Real = 1.25, k: Real = 3, g: Real = 9.81 }
    input wind: Vector2;
    coordinate angle, x;
    particle pin = [r*cos(angle), r*sin(angle)] { mass: m }
    particle block = [x, 0] { mass: slider }
    particle bob: Point2 { mass: m }
    constraint rod: norm(block - pin) == l;
    constraint rope: norm_squared(bob - pin) == l^2 + sin(t)/8;
    potential k/2*x^2*cos(angle);
    force bob: wind*x - velocity(bob)/5;
    gravity [0, -g];
}

system! {
    /// Two bodies in space whose moments differ, on a joint, one told by a coordinate.
    #[derivatives]
    struct Bodies { m: Real = 2, l: Real = 0.5, g: Real = 9.81 }
    input push: Vector3;
    body brick: Rigid3 { mass: m, inertia: [1, 2, 5/2] }
    body lid: Rigid3 { mass: 1, inertia: [[3, 1/4, 0], [1/4, 4, 1/3], [0, 1/3, 5]] }
    constraint pin: at(brick, [l, 0, 0]) == at(lid, [0, l, 0]);
    constraint square: dot(dir(brick, [0, 1, 0]), dir(lid, [0, 0, 1])) == 0;
    force at(lid, [l, l, l]): push;
    torque brick: [0, angular_velocity(brick).z*t, 1];
    gravity [0, 0, -g];
}

system! {
    /// A disk that rolls: rows on velocities.
    #[derivatives]
    struct Disk { m: Real = 2, r: Real = 0.5, g: Real = 9.81 }
    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2] }
    let axis = dir(disk, [0, 0, 1]);
    let down = [axis.x*axis.z, axis.y*axis.z, axis.z*axis.z - 1];
    constraint rolling: velocity(at(disk, [0, 0, 0])) + cross(angular_velocity(disk), r*down/norm(down)) == [0, 0, 0];
    gravity [0, 0, -g];
}

/// E, A and B.
fn dense<S: Descriptor<f64>>(
    system: &S,
    (t, q, v): (f64, &S::Q, &S::V),
    [n, m, u]: [usize; 3],
) -> [DMatrix<f64>; 3] {
    let size = 2 * n + m;
    let mut all = [size, size, u].map(|columns| DMatrix::zeros(size, columns));
    let mut told = BTreeMap::new();
    let (a, lambda) = system
        .acceleration_and_multipliers(t, q, v)
        .expect("a motion");
    system.descriptor(t, q, v, &a, &lambda, &mut |matrix, row, column, entry| {
        let place = matrix as usize;
        assert!(
            told.insert((place, row, column), entry).is_none(),
            "{matrix:?} {row} {column}"
        );
        all[place][(row, column)] = entry;
    });
    all
}

/// Eliminating v̇ and λ along each direction gives A and B of `linearize`, and the rows of λ.
#[track_caller]
fn agrees<S, const N: usize, const M: usize, const STATES: usize, const U: usize, const P: usize>(
    system: &S,
    t: f64,
    q: &S::Q,
    v: &S::V,
) where
    S: Descriptor<f64>
        + Dynamics<f64, V = SVector<f64, N>>
        + System<f64, Rows = SVector<f64, M>, Jacobian = SMatrix<f64, M, N>>
        + Derivatives<
            f64,
            Linearization = Linearization<f64, N, STATES, U, P>,
            MultiplierLinearization = Linearization<f64, M, STATES, U, P>,
        >,
{
    let [e, a, b] = dense(system, (t, q, v), [N, M, U]);
    let (motion, multipliers) = system.linearize_with_multipliers(t, q, v).expect("slopes");
    let masses = e.view((N, N), (N, N));
    for k in 0..STATES + U {
        let mut x = DVector::zeros(2 * N + M);
        let (along, lambda, given) = match k.checked_sub(STATES) {
            None => {
                x[k] = 1.0;
                (
                    motion.a.column(k).into_owned(),
                    multipliers.a.column(k).into_owned(),
                    DVector::zeros(2 * N + M),
                )
            }
            Some(u) => (
                motion.b.column(u).into_owned(),
                multipliers.b.column(u).into_owned(),
                b.column(u).into_owned(),
            ),
        };
        x.rows_mut(2 * N, M).copy_from(&lambda);
        let pushed = masses * along;
        let expected = (&a * x + given).rows(N, N).into_owned();
        let off = (&pushed - &expected).amax();
        assert!(
            off <= 1e-11 * (1.0 + pushed.amax()),
            "column {k}: {off}\n{pushed}{expected}"
        );
    }
    let j = system.jacobian(t, q);
    let transposed = a.view((N, 2 * N), (N, M));
    assert!((transposed - j.transpose()).amax() <= 1e-14 * (1.0 + j.amax()));
}

#[test]
fn what_is_eliminated_is_what_linearize_gives() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let mut number = |from: f64, to: f64| random.between(from, to);
        let inputs = CrankInputs {
            wind: Vector2::new(number(-1.0, 1.0), number(-1.0, 1.0)),
        };
        let crank = Crank::default().with_inputs(inputs);
        let q = [
            number(0.2, 1.0),
            number(1.2, 1.6),
            number(-0.3, 0.3),
            number(-2.0, -1.0),
        ]
        .into();
        let v = SVector::from_fn(|_, _| number(-1.0, 1.0));
        agrees(&crank, number(0.0, 1.0), &q, &v);
        let [_, a, _] = dense(&crank, (0.0, &q, &v), [4, 2, 2]);
        let j = crank.jacobian(0.0, &q);
        assert!((a.view((8, 0), (2, 4)) - j).amax() <= 1e-14 * (1.0 + j.amax()));

        let mut pose = || {
            let turn = Vector3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
            (
                Vector3::new(number(-1.0, 1.0), 0.25, number(-1.0, 1.0)),
                turn,
            )
        };
        let poses = [pose(), pose()].map(|(place, turn)| Rigid3::new(place, turn));
        let q = BodiesCoordinates {
            brick: poses[0],
            lid: poses[1],
        };
        let mut number = |from: f64, to: f64| random.between(from, to);
        let inputs = BodiesInputs {
            push: Vector3::new(number(-1.0, 1.0), number(-1.0, 1.0), 1.0),
        };
        let bodies = Bodies::default().with_inputs(inputs);
        let v = SVector::from_fn(|_, _| number(-1.0, 1.0));
        agrees(&bodies, number(0.0, 1.0), &q.into(), &v);
        let disk = DiskCoordinates { disk: poses[0] };
        let v = SVector::from_fn(|_, _| number(-1.0, 1.0));
        agrees(&Disk::default(), 0.0, &disk.into(), &v);
    }
}

/// Neighbours moved for a moment: (δθ₁ − δθ)/dt = δω + ω×δθ.
#[test]
fn turns_move_as_neighbours_do() {
    let turn = Vector3::new(0.3, -0.7, 0.4);
    let disk = DiskCoordinates {
        disk: Rigid3::new(Vector3::zeros(), turn),
    };
    let v = [0.0, 0.0, 0.0, 0.5, -1.5, 2.0].into();
    let [e, a, _] = dense(&Disk::default(), (0.0, &disk.into(), &v), [6, 3, 0]);
    let spin = Vector3::new(0.5, -1.5, 2.0);
    let (aside, faster) = (Vector3::new(0.2, 0.5, -0.4), Vector3::new(-0.3, 0.1, 0.6));
    let moved = |dt: f64, eps: f64| {
        let own = UnitQuaternion::from_scaled_axis(spin * dt);
        let other = UnitQuaternion::from_scaled_axis((spin + eps * faster) * dt);
        let other = other * UnitQuaternion::from_scaled_axis(eps * aside);
        (other * own.inverse()).scaled_axis() / eps
    };
    let (dt, eps) = (1e-4, 1e-6);
    let rate = (moved(dt, eps) - moved(-dt, eps)) / (2.0 * dt);
    let mut x = DVector::zeros(15);
    x.rows_mut(3, 3).copy_from(&aside);
    x.rows_mut(9, 3).copy_from(&faster);
    let expected = (a * x).rows(3, 3).into_owned();
    assert!((rate - expected).amax() < 1e-5, "{rate}");
    assert_eq!(e.view((0, 0), (6, 6)), DMatrix::<f64>::identity(6, 6));
}

macro_rules! chains {
    ($name:ident, $solver:ident) => {
        mod $name {
            use super::*;
            system! {
                #[derivatives]
                #[solver($solver)]
                pub struct Beads { pub m: [Real; 24] = 1, pub l: Real = 1, pub g: Real = 9.81 }
                for i in 0..24 { particle bead[i]: Point2 { mass: m[i] } }
                constraint anchor: norm(bead[0]) == l;
                for i in 1..24 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
                for i in 0..24 { force bead[i]: [t, 0] - velocity(bead[i])/5; }
                gravity [0, -g];
            }
            system! {
                #[derivatives]
                #[solver($solver)]
                pub struct Links { pub m: [Real; 10] = 1, pub l: Real = 0.5, pub g: Real = 9.81 }
                for i in 0..10 { body link[i]: Rigid3 { mass: m[i], inertia: [1, 2, 5/2] } }
                constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
                for i in 1..10 { constraint pin[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
                gravity [0, 0, -g];
            }
        }
    };
}
chains!(written, unrolled);
chains!(looped, rolled);

/// All entries, in the order of their places.
fn entries<S: Descriptor<f64>>(
    system: &S,
    q: &S::Q,
    v: &S::V,
) -> BTreeMap<(usize, usize, usize), f64> {
    let mut entries = BTreeMap::new();
    let (a, lambda) = system
        .acceleration_and_multipliers(0.5, q, v)
        .expect("a motion");
    system.descriptor(0.5, q, v, &a, &lambda, &mut |matrix, row, column, entry| {
        entries.insert((matrix as usize, row, column), entry);
    });
    entries
}

#[track_caller]
fn are_alike(
    found: &BTreeMap<(usize, usize, usize), f64>,
    expected: &BTreeMap<(usize, usize, usize), f64>,
) {
    assert!(found.keys().eq(expected.keys()));
    for (place, entry) in found {
        let off = (entry - expected[place]).abs();
        assert!(
            off <= 1e-9 * (1.0 + entry.abs()),
            "{place:?}: {entry} {}",
            expected[place]
        );
    }
}

#[test]
fn loops_tell_what_is_written_out() {
    let mut random = Random::new(3);
    let mut number = |at: f64| random.between(at - 0.3, at + 0.3);
    let q = SVector::<f64, 48>::from_fn(|i, _| {
        number(if i % 2 == 0 {
            0.0
        } else {
            -(i as f64 + 1.0) / 2.0
        })
    });
    let v = SVector::<f64, 48>::from_fn(|_, _| number(0.0));
    let m: [f64; 24] = core::array::from_fn(|_| number(1.0));
    let [l, g] = [1.0, 9.81];
    let loops = entries(&looped::Beads { m, l, g }, &q, &v);
    are_alike(&loops, &entries(&written::Beads { m, l, g }, &q, &v));

    let mut pose = |i: usize| {
        let turn = Vector3::new(number(0.0), number(0.0), number(0.0));
        Rigid3::new(
            Vector3::new(number(0.0), number(0.0), number(-0.5 - i as f64)),
            turn,
        )
    };
    let link: [Rigid3; 10] = core::array::from_fn(&mut pose);
    let m: [f64; 10] = core::array::from_fn(|_| number(1.0));
    let v = SVector::<f64, 60>::from_fn(|_, _| number(0.0));
    let l = 0.5;
    let loops = entries(
        &looped::Links { m, l, g },
        &looped::LinksCoordinates { link }.into(),
        &v,
    );
    are_alike(
        &loops,
        &entries(
            &written::Links { m, l, g },
            &written::LinksCoordinates { link }.into(),
            &v,
        ),
    );
}

system! {
    /// A thousand links.
    #[derivatives]
    struct Long { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle bead[1000]: Point2 { mass: m }
    constraint link[0]: norm_squared(bead[0]) == l^2;
    for i in 1..1000 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
    gravity [0, -g];
}

#[test]
fn a_thousand_links_take_no_allocation() {
    let level = LongCoordinates {
        bead: HeapArray::from_fn(|i| Point2::new(1.0 + i as f64, 0.0)),
    };
    let (q, still) = (level.into(), HeapArray::zeros());
    let long = Long::default();
    let (a, lambda) = long
        .acceleration_and_multipliers(0.0, &q, &still)
        .expect("it falls");
    let (mut count, mut masses) = (0, 0.0);
    let allocated = allocation_counter::measure(|| {
        long.descriptor(
            0.0,
            &q,
            &still,
            &a,
            &lambda,
            &mut |matrix, row, _, entry| {
                count += 1;
                if matrix == DescriptorMatrix::E && row >= 2000 {
                    masses += entry;
                }
            },
        );
    });
    assert_eq!(allocated.count_total, 0);
    assert_eq!(masses, 2000.0);
    // 1 + 1 of each place; of each velocity its mass, λ of the links before it and, of two neighbours, up to three
    // places along its own axis; and J once more.
    assert_eq!(
        count,
        4000 + 2000 + (2 * 2000 - 2) + (3 * 2000 - 4) + (4 * 1000 - 2)
    );
}
