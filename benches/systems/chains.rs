//! Chains of 2 to 1,024 links.

use std::hint::black_box;

use constraint_runtime::prelude::*;

use crate::by_hand::{Chain, Dense, Differentiated, Rods, rk4_step, states};
use crate::generated::*;
use crate::same;
use crate::table::Table;
use crate::timing::{Contender, race};

const G: f64 = 9.81;
const LENGTH: f64 = 0.5;
const STEP: f64 = 1e-3;

type Vector<const Q: usize> = SVector<f64, Q>;

/// Time of one acceleration for every length.
pub fn accelerations() -> String {
    let columns = [
        "links",
        "by hand (Thomas)",
        "generated",
        "by hand, two divisions a link",
        "by hand, from both ends",
        "generated, norm(b - a) == l",
        "nalgebra",
        "num-dual + nalgebra",
    ];
    let mut table = Table::new("Acceleration of a chain", &columns);
    let t = &mut table;
    line::<2, 4>(t, Chain2::default());
    line::<4, 8>(t, Chain4::default());
    long_line::<8, 16>(t, Chain8::default(), LengthChain8::default());
    line::<16, 32>(t, Chain16::default());
    line::<32, 64>(t, Chain32::default());
    long_line::<64, 128>(t, Chain64::default(), LengthChain64::default());
    line::<128, 256>(t, Chain128::default());
    line::<256, 512>(t, Chain256::default());
    line_on_heap::<512, 1024>(t, Chain512::default());
    line_on_heap::<1024, 2048>(t, Chain1024::default());
    table.finish()
}

fn line<const N: usize, const Q: usize>(
    table: &mut Table,
    system: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
) {
    let (q, v) = states::chain::<Q>(LENGTH);
    let mut contenders = contenders::<N, Q>(&system, &q, &v);
    table.race(&N.to_string(), &race(&mut contenders));
}

/// A line of a chain whose vectors stand on the heap, written into their places as steps do.
fn line_on_heap<const N: usize, const Q: usize>(
    table: &mut Table,
    system: impl System<f64, Q = HeapArray<f64, Q>, V = HeapArray<f64, Q>>,
) {
    let (q, v) = states::chain::<Q>(LENGTH);
    let [x, u] = [&q, &v].map(|flat| HeapArray::from_fn(|i| flat[i]));
    let found = system.acceleration(0.0, &x, &u);
    let found = found.map(|found| Vector::<Q>::from_column_slice(&found[..]));
    same(&found, &Chain::<N> { g: G }.acceleration(&q, &v));
    let (mut room, mut out) = (room_of(&system), HeapArray::zeros());
    let generated = || {
        let (system, x, u) = (black_box(&system), black_box(&x), black_box(&u));
        system.write_acceleration(0.0, x, u, &mut room, &mut out)
    };
    let mut contenders = by_hand::<N, Q>(&q, &v);
    contenders.insert(1, Contender::new(generated));
    table.race(&N.to_string(), &race(&mut contenders));
}

fn room_of<S: System<f64>>(_: &S) -> Vec<f64> {
    vec![0.0; S::PROPERTIES.room]
}

/// A line with the lengths and the libraries: their dense matrices would not fit a stack at 1,024 links.
fn long_line<const N: usize, const Q: usize>(
    table: &mut Table,
    squares: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
    lengths: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
) {
    let (q, v) = states::chain::<Q>(LENGTH);
    let rods = Rods::<N>::chain(1.0, G);
    let mut contenders = contenders::<N, Q>(&squares, &q, &v);
    let expected = Chain::<N> { g: G }.acceleration(&q, &v);
    same(&lengths.acceleration(0.0, &q, &v), &expected);
    contenders.push(Contender::new(|| {
        black_box(&lengths).acceleration(0.0, black_box(&q), black_box(&v))
    }));
    contenders.push(Contender::new(|| {
        Dense(rods).acceleration(black_box(&q), black_box(&v))
    }));
    contenders.push(Contender::new(|| {
        Differentiated(rods).acceleration(black_box(&q), black_box(&v))
    }));
    table.race(&N.to_string(), &race(&mut contenders));
}

fn contenders<'a, const N: usize, const Q: usize>(
    system: &'a impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
    q: &'a Vector<Q>,
    v: &'a Vector<Q>,
) -> Vec<Contender<'a>> {
    let chain = Chain::<N> { g: G };
    same(&system.acceleration(0.0, q, v), &chain.acceleration(q, v));
    let generated =
        Contender::new(move || black_box(system).acceleration(0.0, black_box(q), black_box(v)));
    let mut contenders = by_hand::<N, Q>(q, v);
    contenders.insert(1, generated);
    contenders
}

fn by_hand<'a, const N: usize, const Q: usize>(
    q: &'a Vector<Q>,
    v: &'a Vector<Q>,
) -> Vec<Contender<'a>> {
    let chain = black_box(Chain::<N> { g: G });
    vec![
        Contender::new(move || chain.acceleration(black_box(q), black_box(v))),
        Contender::new(move || chain.acceleration_by_two_divisions(black_box(q), black_box(v))),
        Contender::new(move || chain.acceleration_from_both_ends(black_box(q), black_box(v))),
    ]
}

/// Time of one Runge–Kutta step of four accelerations: beside code by hand, and beside the bare loop around the same v̇.
pub fn simulations() -> String {
    let columns = [
        "links",
        "by hand (Thomas)",
        "generated",
        "generated, norm(b - a) == l",
    ];
    let mut table = Table::new("One step of RK4 of a chain, not stabilised", &columns);
    simulation::<8, 16>(&mut table, Chain8::default(), LengthChain8::default());
    simulation::<64, 128>(&mut table, Chain64::default(), LengthChain64::default());
    let columns = [
        "links",
        "the loop by hand around the generated v̇",
        "`Simulation::step`",
        "projected",
    ];
    let mut steps = Table::new("What a simulation adds to the accelerations", &columns);
    step::<16>(&mut steps, "8", Chain8::default());
    step::<16>(&mut steps, "8, norm(b - a) == l", LengthChain8::default());
    step::<128>(&mut steps, "64", Chain64::default());
    step::<128>(&mut steps, "64, norm(b - a) == l", LengthChain64::default());
    table.finish() + &steps.finish()
}

fn simulation<const N: usize, const Q: usize>(
    table: &mut Table,
    squares: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
    lengths: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
) {
    let chain = black_box(Chain::<N> { g: G });
    let mut contenders = [
        looped(move |q: &Vector<Q>, v: &Vector<Q>| chain.acceleration(q, v)),
        simulated(squares, Stabilization::None),
        simulated(lengths, Stabilization::None),
    ];
    table.race(&N.to_string(), &race(&mut contenders));
}

fn step<const Q: usize>(
    table: &mut Table,
    name: &str,
    system: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>> + Copy,
) {
    let bare = black_box(system);
    let mut contenders = [
        looped(move |q: &Vector<Q>, v: &Vector<Q>| {
            let acceleration = bare.acceleration(0.0, q, v);
            acceleration.expect("links have lengths")
        }),
        simulated(system, Stabilization::None),
        simulated(system, Stabilization::default()),
    ];
    table.race(name, &race(&mut contenders));
}

/// The loop as one writes it by hand.
fn looped<'a, const Q: usize>(
    acceleration: impl Fn(&Vector<Q>, &Vector<Q>) -> Vector<Q> + 'a,
) -> Contender<'a> {
    let (mut q, mut v) = states::chain::<Q>(LENGTH);
    Contender::new(move || {
        rk4_step(&acceleration, &mut q, &mut v, STEP);
        q[0]
    })
}

fn simulated<'a, const Q: usize>(
    system: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>> + 'a,
    stabilization: Stabilization<f64>,
) -> Contender<'a> {
    let (q, v) = states::chain::<Q>(LENGTH);
    let start = State::new(0.0, q, v);
    let mut run = Simulation::new(system, start, Rk4::new(STEP))
        .expect("the start hangs together")
        .with_stabilization(stabilization);
    Contender::new(move || {
        run.step().expect("links have lengths");
        run.state().q[0]
    })
}
