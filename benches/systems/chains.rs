//! Chains of 2 to 1,024 links.

use std::hint::black_box;

use constraint_runtime::nalgebra::SVector;

use crate::by_hand::{Chain, Dense, Differentiated, Rods, rk4_step, states};
use crate::table::Table;
use crate::timing::{Contender, race};

const G: f64 = 9.81;
const LENGTH: f64 = 0.5;
const STEP: f64 = 1e-3;

type Vector<const Q: usize> = SVector<f64, Q>;

/// Time of one acceleration, the hand-written versions for every length.
pub fn accelerations() -> String {
    let columns = [
        "links",
        "by hand (Thomas)",
        "two divisions a link",
        "from both ends",
        "nalgebra",
        "num-dual + nalgebra",
    ];
    let mut table = Table::new("Acceleration of a chain", &columns);
    by_hand::<2, 4>(&mut table);
    by_hand::<4, 8>(&mut table);
    with_libraries::<8, 16>(&mut table);
    by_hand::<16, 32>(&mut table);
    by_hand::<32, 64>(&mut table);
    with_libraries::<64, 128>(&mut table);
    by_hand::<128, 256>(&mut table);
    by_hand::<256, 512>(&mut table);
    by_hand::<512, 1024>(&mut table);
    by_hand::<1024, 2048>(&mut table);
    table.finish()
}

fn by_hand<const N: usize, const Q: usize>(table: &mut Table) {
    let (q, v) = states::chain::<Q>(LENGTH);
    table.race(&N.to_string(), &race(&mut hand_written::<N, Q>(&q, &v)));
}

/// Dense matrices of 1,024 rows would not fit a stack; two lengths show where they stand.
fn with_libraries<const N: usize, const Q: usize>(table: &mut Table) {
    let (q, v) = states::chain::<Q>(LENGTH);
    let rods = Rods::<N>::chain(1.0, G);
    let mut contenders = hand_written::<N, Q>(&q, &v);
    contenders.push(Contender::new(|| {
        Dense(rods).acceleration(black_box(&q), black_box(&v))
    }));
    contenders.push(Contender::new(|| {
        Differentiated(rods).acceleration(black_box(&q), black_box(&v))
    }));
    table.race(&N.to_string(), &race(&mut contenders));
}

fn hand_written<'a, const N: usize, const Q: usize>(
    q: &'a Vector<Q>,
    v: &'a Vector<Q>,
) -> Vec<Contender<'a>> {
    let chain = Chain::<N> { g: G };
    vec![
        Contender::new(move || chain.acceleration(black_box(q), black_box(v))),
        Contender::new(move || chain.acceleration_by_two_divisions(black_box(q), black_box(v))),
        Contender::new(move || chain.acceleration_from_both_ends(black_box(q), black_box(v))),
    ]
}

/// Time of one Runge–Kutta step of four accelerations, without stabilisation.
pub fn simulations() -> String {
    let columns = ["links", "by hand (Thomas)"];
    let mut table = Table::new("One step of RK4 of a chain, not stabilised", &columns);
    simulation::<8, 16>(&mut table);
    simulation::<64, 128>(&mut table);
    table.finish()
}

fn simulation<const N: usize, const Q: usize>(table: &mut Table) {
    let start = states::chain::<Q>(LENGTH);
    let chain = Chain::<N> { g: G };
    let mut state = start;
    let mut contenders = [Contender::new(|| {
        rk4_step(
            |q, v| chain.acceleration(q, v),
            &mut state.0,
            &mut state.1,
            STEP,
        );
        state.0[0]
    })];
    table.race(&N.to_string(), &race(&mut contenders));
}
