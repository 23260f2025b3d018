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
    line::<512, 1024>(t, Chain512::default());
    line::<1024, 2048>(t, Chain1024::default());
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
    let chain = black_box(Chain::<N> { g: G });
    same(&system.acceleration(0.0, q, v), &chain.acceleration(q, v));
    vec![
        Contender::new(move || chain.acceleration(black_box(q), black_box(v))),
        Contender::new(move || black_box(system).acceleration(0.0, black_box(q), black_box(v))),
        Contender::new(move || chain.acceleration_by_two_divisions(black_box(q), black_box(v))),
        Contender::new(move || chain.acceleration_from_both_ends(black_box(q), black_box(v))),
    ]
}

/// Time of one Runge–Kutta step of four accelerations, without stabilisation.
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
    table.finish()
}

fn simulation<const N: usize, const Q: usize>(
    table: &mut Table,
    squares: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
    lengths: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>>,
) {
    let (q, v) = states::chain::<Q>(LENGTH);
    let chain = black_box(Chain::<N> { g: G });
    let mut state = (q, v);
    let mut contenders = [
        Contender::new(|| {
            rk4_step(
                |q, v| chain.acceleration(q, v),
                &mut state.0,
                &mut state.1,
                STEP,
            );
            state.0[0]
        }),
        simulated(squares, q, v),
        simulated(lengths, q, v),
    ];
    table.race(&N.to_string(), &race(&mut contenders));
}

fn simulated<'a, const Q: usize>(
    system: impl System<f64, Q = SVector<f64, Q>, V = SVector<f64, Q>> + 'a,
    q: Vector<Q>,
    v: Vector<Q>,
) -> Contender<'a> {
    let start = State::new(0.0, q, v);
    let mut run = Simulation::new(system, start, Rk4::new(STEP))
        .expect("the start hangs together")
        .with_stabilization(Stabilization::None);
    Contender::new(move || {
        run.step().expect("links have lengths");
        run.state().q[0]
    })
}
