//! The comparisons of `benches/systems` give the same accelerations, so that their times can be compared.

#[path = "../../benches/by_hand/mod.rs"]
mod by_hand;

use crate::random::Random;
use by_hand::{
    Bead, Chain, Dense, DenseSpringBeads, Differentiated, DifferentiatedSpringBeads, FourBar,
    Links, Net, Rods, SpringBeads, Square, rk4_step, states,
};
use constraint_runtime::nalgebra::{SVector, Vector2};
use constraint_runtime::{Dynamics, system};
use num_dual::{Dual2_64, DualNum as _};

const G: f64 = 9.81;
const MASS: f64 = 1.7;

fn random<const Q: usize>(seed: u64) -> states::State<Q> {
    let mut random = Random::new(seed);
    let mut vector = || SVector::from_fn(|_, _| random.away_from_zero(0.2, 2.0));
    (vector(), vector())
}

#[track_caller]
fn assert_near<const Q: usize>(found: &SVector<f64, Q>, expected: &SVector<f64, Q>) {
    let error = (found - expected).amax() / expected.amax();
    assert!(error < 1e-9, "{error:e} apart: {found} {expected}");
}

/// Holds `by_hand` against the library and against automatic differentiation, in any state.
#[track_caller]
fn agree<const Q: usize, const M: usize>(
    rods: Rods<M>,
    by_hand: impl Fn(&SVector<f64, Q>, &SVector<f64, Q>) -> SVector<f64, Q>,
) {
    for seed in 0..20 {
        let (q, v) = random(seed);
        let expected = Differentiated(rods).acceleration(&q, &v);
        assert_near(&Dense(rods).acceleration(&q, &v), &expected);
        assert_near(&by_hand(&q, &v), &expected);
    }
}

/// Holds ẍ against C̈ = 0 for |b − a| = l along q + v t + ½ a t².
#[track_caller]
fn keeps_lengths<const Q: usize, const M: usize>(
    rods: Rods<M>,
    (q, v): states::State<Q>,
    a: SVector<f64, Q>,
) {
    let along = |i: usize| Dual2_64::new(q[i], v[i], a[i]);
    for ends in rods.ends {
        let [from, to] = ends.map(|bead| match bead {
            Bead::Free(i) => [along(2 * i), along(2 * i + 1)],
            Bead::Fixed(x, y) => [x.into(), y.into()],
        });
        let length = ((to[0] - from[0]).powi(2) + (to[1] - from[1]).powi(2)).sqrt();
        assert!(length.v1.abs() < 1e-12, "the state leaves {ends:?}");
        assert!(length.v2.abs() < 1e-9 * a.amax(), "{ends:?}: {}", length.v2);
    }
}

fn chain<const N: usize, const Q: usize>() {
    let (chain, rods) = (Chain::<N> { g: G }, Rods::<N>::chain(MASS, G));
    agree::<Q, N>(rods, |q, v| chain.acceleration(q, v));
    agree::<Q, N>(rods, |q, v| chain.acceleration_by_two_divisions(q, v));
    agree::<Q, N>(rods, |q, v| chain.acceleration_from_both_ends(q, v));
    let state = states::chain::<Q>(0.5);
    keeps_lengths(rods, state, chain.acceleration(&state.0, &state.1));
}

#[test]
fn a_chain_by_thomas_agrees() {
    chain::<2, 4>();
    chain::<3, 6>();
    chain::<8, 16>();
    chain::<16, 32>();
}

#[test]
fn loops_by_sparse_elimination_agree() {
    let (square, rods) = (Square { g: G }, Rods::square(MASS, G));
    agree(rods, |q, v| square.acceleration(q, v));
    let state = states::square(0.5);
    keeps_lengths(rods, state, square.acceleration(&state.0, &state.1));

    let (four_bar, rods) = (FourBar { base: 1.3, g: G }, Rods::four_bar(1.3, MASS, G));
    agree(rods, |q, v| four_bar.acceleration(q, v));
    let state = states::four_bar(0.5, 1.3);
    keeps_lengths(rods, state, four_bar.acceleration(&state.0, &state.1));
}

#[test]
fn a_net_by_banded_elimination_agrees() {
    let (net, rods) = (Net { g: G }, Rods::net(MASS, G));
    agree(rods, |q, v| net.acceleration(q, v));
    agree(rods, |q, v| net.acceleration_by_index_loops(q, v));
    let state = states::net(0.5);
    keeps_lengths(rods, state, net.acceleration(&state.0, &state.1));
}

#[test]
fn spring_beads_in_their_abscissas_agree() {
    let beads = SpringBeads {
        m1: 1.3,
        m2: 0.7,
        k: 20.0,
        rest: 1.0,
        g: G,
    };
    for seed in 0..20 {
        let (q, v) = random(seed);
        let expected = DifferentiatedSpringBeads(beads).acceleration(&q, &v);
        assert_near(&DenseSpringBeads(beads).acceleration(&q, &v), &expected);
        assert_near(&beads.acceleration(&q, &v), &expected);
    }
}

/// One link is the pendulum: r̈ = g − r (v² + g·r)/l².
#[test]
fn a_chain_of_one_link_is_the_pendulum() {
    let (q, v) = (Vector2::new(0.3, -0.4), Vector2::new(0.8, 0.6));
    let g = Vector2::new(0.0, -G);
    let expected = g - q * ((v.norm_squared() + g.dot(&q)) / q.norm_squared());
    assert_near(&Chain::<1> { g: G }.acceleration(&q, &v), &expected);
}

#[test]
fn the_runge_kutta_step_has_order_four() {
    // ẍ = −x from (1, 0): x = cos t.
    let error = |steps: u32| {
        let (mut q, mut v) = (SVector::from([1.0]), SVector::from([0.0]));
        for _ in 0..steps {
            rk4_step(|q, _| -q, &mut q, &mut v, 1.0 / f64::from(steps));
        }
        (q[0] - 1.0_f64.cos()).abs()
    };
    let order = (error(20) / error(40)).log2();
    assert!((order - 4.0).abs() < 0.1, "{order}");
}

system! {
    /// Four rigid links on ball joints.
    struct FourLinks { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
    body link[4]: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..4 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
    for i in 0..4 { force link[i]: [0, 0, -m*g]; }
}

/// From one end and from both, whether or not the links hang together: accelerations do not ask where joints are.
#[test]
fn links_on_ball_joints() {
    let links = Links::<4> {
        m: 0.7,
        moments: [0.4, 0.3, 0.1],
        l: 0.5,
        g: G,
    };
    for seed in 0..20 {
        let (mut q, v) = random::<28>(seed);
        for i in 0..4 {
            q.fixed_rows_mut::<4>(7 * i + 3).normalize_mut();
        }
        let v = SVector::<f64, 24>::from_fn(|i, _| v[i]);
        let expected = FourLinks::<f64>::default()
            .acceleration(0.0, &q, &v)
            .unwrap();
        assert_near(&links.acceleration(&q, &v), &expected);
        assert_near(&links.acceleration_from_both_ends(&q, &v), &expected);
    }
}
