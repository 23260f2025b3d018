//! The arm, the quadruped and the humanoid of rbd-benchmarks beside dynibo, in one process: the greatest difference at 1,000 random
//! states, and the least time of a call.

use std::hint::black_box;
use std::time::Instant;

use constraint_runtime::prelude::*;
use dynibo::Robot;

/// The acceleration of free fall that dynibo uses.
const G: f64 = 9.80665;

/// Numbers between -1 and 1.
struct Random(u64);

impl Random {
    fn numbers<const N: usize>(&mut self, size: f64) -> [f64; N] {
        std::array::from_fn(|_| {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            size * ((self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
        })
    }
}

/// Microseconds of a call: the least of forty means over 500 calls.
fn least(mut call: impl FnMut()) -> f64 {
    let means = (0..40).map(|_| {
        let start = Instant::now();
        (0..500).for_each(|_| call());
        start.elapsed().as_secs_f64() / 500.0
    });
    means.fold(f64::MAX, f64::min) * 1e6
}

fn difference<const N: usize>(ours: [f64; N], theirs: [f64; N]) -> f64 {
    let norm = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>().sqrt();
    let pairs = ours.iter().zip(&theirs);
    norm(&mut pairs.map(|(a, b)| a - b)) / norm(&mut theirs.iter().copied())
}

/// Compares a system with dynibo's reading of the same file; `text` is the system as imported, with its coordinates in order.
fn race<const N: usize>(
    name: &str,
    text: &str,
    system: &impl System<f64, Q = SVector<f64, N>, V = SVector<f64, N>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut peer = Robot::from_urdf(format!("{name}.urdf"))?;
    let declared = |line: &str| {
        Some(
            line.trim()
                .strip_prefix("coordinate ")?
                .strip_suffix(';')?
                .to_owned(),
        )
    };
    let ours: Vec<String> = text.lines().filter_map(declared).collect();
    let mut places = [0; N];
    for (i, place) in places.iter_mut().enumerate() {
        let joint = peer.joint_name(i)?;
        *place = ours
            .iter()
            .position(|it| it == joint)
            .ok_or("a joint of another name")?;
    }
    let theirs = |of: [f64; N]| places.map(|i| of[i]);
    let (mut random, mut worst, still) = (Random(88_172_645_463_325_252), [0.0_f64; 2], [0.0; N]);
    let mut found = [0.0; N];
    for _ in 0..1000 {
        let (q, v, a) = (
            random.numbers(3.0),
            random.numbers(1.0),
            random.numbers(1.0),
        );
        peer.inverse_dynamics(&theirs(q), &theirs(v), &theirs(a), &[], &mut found)?;
        let own = system.inverse_dynamics(0.0, &q.into(), &v.into(), &a.into())?;
        worst[0] = worst[0].max(difference(theirs(own.into()), found));
        peer.forward_dynamics(&theirs(q), &theirs(v), &still, &[], &mut found)?;
        let own = system.acceleration(0.0, &q.into(), &v.into())?;
        worst[1] = worst[1].max(difference(theirs(own.into()), found));
    }
    let (q, v, a) = (
        random.numbers(3.0),
        random.numbers(1.0),
        random.numbers(1.0),
    );
    let [of_q, of_v, of_a] = [q, v, a].map(SVector::<f64, N>::from);
    let times = [
        least(|| {
            _ = black_box(system.inverse_dynamics(
                0.0,
                black_box(&of_q),
                black_box(&of_v),
                black_box(&of_a),
            ))
        }),
        least(|| {
            _ = black_box(peer.inverse_dynamics(
                black_box(&q),
                black_box(&v),
                black_box(&a),
                &[],
                &mut found,
            ))
        }),
        least(|| _ = black_box(system.acceleration(0.0, black_box(&of_q), black_box(&of_v)))),
        least(|| {
            _ = black_box(peer.forward_dynamics(
                black_box(&q),
                black_box(&v),
                black_box(&still),
                &[],
                &mut found,
            ))
        }),
    ];
    let labels = ["inverse dynamics", "v̇"];
    for ((label, pair), worst) in labels.iter().zip(times.chunks(2)).zip(worst) {
        let ratio = pair[0] / pair[1];
        println!(
            "{name}, {label}: {:.3} µs, dynibo {:.3} µs, ratio {ratio:.3}, difference {worst:.0e}",
            pair[0], pair[1]
        );
    }
    Ok(())
}

macro_rules! imported {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
        pub const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
}
mod iiwa {
    imported!("iiwa");
}
mod hyq {
    imported!("hyq");
}
mod atlas {
    imported!("atlas");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    race(
        "iiwa",
        iiwa::TEXT,
        &iiwa::Iiwa { g: G }.with_inputs(iiwa::IiwaInputs::default()),
    )?;
    race(
        "hyq",
        hyq::TEXT,
        &hyq::Hyq { g: G }.with_inputs(hyq::HyqInputs::default()),
    )?;
    race(
        "atlas",
        atlas::TEXT,
        &atlas::Atlas { g: G }.with_inputs(atlas::AtlasInputs::default()),
    )
}
