//! Rigid bodies: the distance of two, and chains of eight and sixty-four on ball joints.

use std::hint::black_box;

use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;

use crate::by_hand::{self, Links};
use crate::generated::{Links8, Links64};
use crate::same;
use crate::table::Table;
use crate::timing::{Contender, race};

/// Time of the rows and the impulse of one constraint, and of one acceleration.
pub fn accelerations() -> String {
    let columns = ["", "by hand", "generated", "by hand, from both ends"];
    let mut table = Table::new("Rigid bodies", &columns);
    distance(&mut table);
    let name = "eight links on ball joints";
    links::<8, 56, 48>(&mut table, name, &Links8::default());
    let name = "sixty-four links on ball joints, in loops";
    links::<64, 448, 384>(&mut table, name, &Links64::default());
    table.finish()
}

/// C, J, Ċ, J W Jᵀ, β and the impulse of the joint library's distance.
fn distance(table: &mut Table) {
    let (r1, r2) = (Vector3::new(0.3, -0.4, 0.5), Vector3::new(-0.7, 0.2, 0.1));
    let generated = black_box(constraint_runtime::joint::Distance {
        r1,
        r2,
        length: 1.5,
    });
    let by_hand = black_box(by_hand::Distance {
        r1,
        r2,
        length: 1.5,
    });
    let a = Rigid3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.3, 1.0, -0.2));
    let b = Rigid3::new(Vector3::new(1.0, -0.4, 0.5), Vector3::new(-0.4, 0.1, 0.6));
    let inertia = Inertia3::principal(2.0, [0.3, 0.4, 0.5]).expect("a good inertia");
    let w = [&a, &b].map(|body| inertia.inverse_at(body));
    let v = [1.0, 2.0].map(|x: f64| SVector::<f64, 6>::from_fn(|i, _| (x + i as f64).sin()));
    let bodies = black_box([a, b]);
    let all =
        |[a, b]: &[Rigid3; 2], [v1, v2]: &[SVector<f64, 6>; 2], [w1, w2]: &[InverseMass3; 2]| {
            let rows = generated.rows(0.0, [a, b], [v1, v2], [w1, w2]);
            let impulse = -rows.rate[0] / rows.delassus[0];
            (rows, impulse)
        };
    let hand =
        |[a, b]: &[Rigid3; 2], [v1, v2]: &[SVector<f64, 6>; 2], [w1, w2]: &[InverseMass3; 2]| {
            by_hand.solve([a, b], [v1, v2], [w1, w2])
        };
    let (rows, impulse) = all(&bodies, &v, &w);
    let jacobian = rows.jacobian.iter().flat_map(|block| block.iter());
    let found = std::iter::once(&rows.value[0]).chain(jacobian).chain([
        &rows.rate[0],
        &rows.delassus[0],
        &rows.bias[0],
        &impulse,
    ]);
    for (found, expected) in found.zip(hand(&bodies, &v, &w).numbers()) {
        assert!((found - expected).abs() < 1e-14 * (1.0 + expected.abs()));
    }
    let mut contenders = [
        Contender::new(|| hand(black_box(&bodies), black_box(&v), black_box(&w))),
        Contender::new(|| all(black_box(&bodies), black_box(&v), black_box(&w))),
    ];
    table.race("distance of two bodies: 17 numbers", &race(&mut contenders));
}

fn links<const N: usize, const Q: usize, const V: usize>(
    table: &mut Table,
    name: &str,
    system: &impl Dynamics<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
) {
    let by_hand = black_box(Links::<N> {
        m: 0.7,
        moments: [0.4, 0.3, 0.1],
        l: 0.5,
        g: 9.81,
    });
    let (q, v) = hanging::<N, Q, V>();
    same(
        &system.acceleration(0.0, &q, &v),
        &by_hand.acceleration(&q, &v),
    );
    let both_ends = by_hand.acceleration_from_both_ends(&q, &v);
    same(&system.acceleration(0.0, &q, &v), &both_ends);
    let mut contenders = [
        Contender::new(|| by_hand.acceleration(black_box(&q), black_box(&v))),
        Contender::new(|| black_box(system).acceleration(0.0, black_box(&q), black_box(&v))),
        Contender::new(|| by_hand.acceleration_from_both_ends(black_box(&q), black_box(&v))),
    ];
    table.race(name, &race(&mut contenders));
}

/// Links that hang together, turned and spinning, with the velocities that the joints allow.
pub fn hanging<const N: usize, const Q: usize, const V: usize>()
-> (SVector<f64, Q>, SVector<f64, V>) {
    let (mut q, mut v) = (SVector::<f64, Q>::zeros(), SVector::<f64, V>::zeros());
    let (mut joint, mut rate) = (Vector3::zeros(), Vector3::zeros());
    for i in 0..N {
        let x = i as f64;
        let turn = Vector3::new((1.1 * x).sin(), (0.7 * x + 1.0).cos(), (0.3 * x).sin());
        let spin = Vector3::new((2.1 * x).cos(), (0.9 * x).sin(), (1.3 * x + 0.5).cos());
        let rotation = UnitQuaternion::from_scaled_axis(turn);
        let arm = rotation * Vector3::z() * 0.5;
        let (place, linear) = (joint - arm, rate - spin.cross(&arm));
        q.fixed_rows_mut::<3>(7 * i).copy_from(&place);
        q.fixed_rows_mut::<4>(7 * i + 3).copy_from(&rotation.coords);
        v.fixed_rows_mut::<3>(6 * i).copy_from(&linear);
        v.fixed_rows_mut::<3>(6 * i + 3).copy_from(&spin);
        (joint, rate) = (place - arm, linear - spin.cross(&arm));
    }
    (q, v)
}
