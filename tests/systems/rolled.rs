//! Systems in loops over their families against the same with every operation written out.

use constraint_runtime::prelude::*;

/// One system twice: `$rolled` in loops, `$unrolled` written out. The parameters come with the statements: a name
/// that the macro brought would be another one to an IDE.
macro_rules! both {
    ($rolled:ident, $unrolled:ident $parameters:tt $($statement:tt)*) => {
        system! {
            #[solver(rolled)]
            pub struct $rolled $parameters
            $($statement)*
        }
        system! {
            #[solver(unrolled)]
            pub struct $unrolled $parameters
            $($statement)*
        }
    };
}
pub(crate) use both;

both! { EvenChain, EvenChainWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[20]: Point2 { mass: m }
    constraint anchor: norm_squared(bead[0]) == l^2;
    for i in 1..20 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
    for i in 0..20 { force bead[i]: [0, -m*g]; }
}

// Links beside a heavier bead have other masses than the rest.
both! { OddChain, OddChainWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[20]: Point2 { mass: m }
    particle last: Point2 { mass: 3*m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..20 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    constraint end: norm(last - bead[19]) == 2*l;
    for i in 0..20 { force bead[i]: [0, -m*g]; }
}

// A force of neighbours: what a bead does when it is free depends on the others.
both! { SpringsInSpace, SpringsInSpaceWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81, k: Real = 3 }
    particle bead[14]: Point3 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..14 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 2..14 { potential k/2*norm_squared(bead[i] - bead[i-2]); }
    for i in 0..14 { potential m*g*bead[i].z; }
    for i in 0..14 { dissipation norm_squared(velocity(bead[i])); }
}

// A closed loop: one row is coupled to two far ones, and elimination creates entries.
both! { Ring, RingWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[18]: Point2 { mass: m }
    for i in 1..18 { constraint rod[i]: norm(bead[i] - bead[i-1]) == l; }
    constraint closing: norm(bead[0] - bead[17]) == l;
    for i in 0..18 { force bead[i]: [0, -m*g]; }
}

both! { Ladder, LadderWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle left[9]: Point2 { mass: m }
    particle right[9]: Point2 { mass: m }
    for i in 1..9 { constraint up[i]: norm_squared(left[i] - left[i-1]) == l^2; }
    for i in 1..9 { constraint along[i]: norm_squared(right[i] - right[i-1]) == l^2; }
    for i in 0..9 { constraint rung[i]: norm_squared(right[i] - left[i]) == l^2; }
    for i in 0..9 { force left[i]: [0, -m*g]; }
}

// Every other bead has a rail: rounds of several rows.
both! { OnRails, OnRailsWritten { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[16]: Point2 { mass: m }
    for i in 1..16 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
    for i in 0..8 { constraint rail[i]: bead[2*i].y == sin(t)*bead[2*i].x; }
    for i in 0..16 { force bead[i]: [0, -m*g]; }
}

// Every bead its own mass, length and force.
both! { Necklace, NecklaceWritten { m: [Real; 20], l: [Real; 20], push: [Vector2; 20], g: Real = 9.81 }
    for i in 0..20 { particle bead[i]: Point2 { mass: m[i] } }
    constraint anchor: norm_squared(bead[0]) == l[0]^2;
    for i in 1..20 { constraint link[i]: norm(bead[i] - bead[i-1]) == l[i]; }
    for i in 0..20 { force bead[i]: push[i] + [0, -m[i]*g]; }
}

// Inverse masses, springs and dampers of their own, and rows that read another element than they are numbered by.
both! { SpringsOfTheirOwn, SpringsOfTheirOwnWritten { w: [Real; 14], k: [Real; 15], c: [Real; 14], l: [Real; 14] }
    for i in 0..14 { particle bead[i]: Point3 { mass: 1/w[i] } }
    constraint anchor: norm(bead[0]) == l[13];
    for i in 1..14 { constraint link[i]: norm(bead[i] - bead[i-1]) == l[13 - i]*cos(t); }
    for i in 2..14 { potential (k[i] + k[i + 1])/4*norm_squared(bead[i] - bead[i-2]); }
    for i in 0..14 { potential 9.81/w[i]*bead[i].z; dissipation c[i]*norm_squared(velocity(bead[i])); }
}

// Two indices.
both! { Lattice, LatticeWritten { m: [[Real; 9]; 2], rung: [Real; 9], up: [[Real; 8]; 2], g: [Vector2; 2] }
    for i in 0..2 { for j in 0..9 { particle knot[i][j]: Point2 { mass: m[i][j] } } }
    for i in 0..2 { for j in 1..9 {
        constraint up[i][j]: norm_squared(knot[i][j] - knot[i][j - 1]) == up[i][j - 1]^2;
    } }
    for j in 0..9 { constraint rung[j]: norm_squared(knot[1][j] - knot[0][j]) == rung[j]^2; }
    for i in 0..2 { for j in 0..9 { force knot[i][j]: m[i][j]*g[i]; } }
}

// What is supplied at every evaluation, in both indices.
both! { Blown, BlownWritten { m: [Real; 18] = 1, l: Real = 0.5 }
    input wind[2][9]: Vector2, pull[18];
    for i in 0..18 { particle bead[i]: Point2 { mass: m[i] } }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..18 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..2 { for j in 0..9 { force bead[9*i + j]: wind[i][j] + [0, pull[9*i + j]]; } }
}

#[track_caller]
pub fn close(name: &str, a: &[f64], b: &[f64]) {
    let largest = b.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 1e-10 * largest, "{name}: {x} {y}");
    }
}

/// The rows of impulses: those of J, and M⁻¹ of each; blocks are those of the same system written out.
#[track_caller]
pub fn responses_agree<S, R, const V: usize, const M: usize>(rolled: &S, written: &R, q: &S::Q)
where
    S: System<f64, V = SVector<f64, V>, Jacobian = SMatrix<f64, M, V>>,
    R: System<f64, Q = S::Q>,
{
    let t = 0.7;
    let [mut rows, mut others] = [(); 2].map(|()| ImpulseRows::default());
    rolled.impulse_rows(t, q, &mut rows).unwrap();
    written.impulse_rows(t, q, &mut others).unwrap();
    assert_eq!(rows.len(), M);
    let jacobian = rolled.jacobian(t, q);
    let mut row = 0;
    for ((velocities, entries, weighted), other) in rows.blocks().zip(others.blocks()) {
        let mut places = velocities.to_vec();
        places.sort_unstable();
        assert_eq!(places, other.0);
        let entries = entries.chunks(velocities.len());
        for (entries, weighted) in entries.zip(weighted.chunks(velocities.len())) {
            let [mut own, mut moved] = [SVector::<f64, V>::zeros(); 2];
            for (k, &c) in velocities.iter().enumerate() {
                (own[c], moved[c]) = (entries[k], weighted[k]);
            }
            close(
                "J",
                own.as_slice(),
                jacobian.row(row).transpose().as_slice(),
            );
            close(
                "M W Jᵀ",
                rolled.mass_times(t, q, &moved).as_slice(),
                own.as_slice(),
            );
            row += 1;
        }
    }
    assert_eq!((row, rows.blocks().count()), (M, others.blocks().count()));
}

/// A system of `Q` coordinates and velocities under `M` rows.
pub trait Rows<const Q: usize, const M: usize>:
    System<
        f64,
        Q = SVector<f64, Q>,
        V = SVector<f64, Q>,
        Rows = SVector<f64, M>,
        Jacobian = SMatrix<f64, M, Q>,
    >
{
}

impl<S, const Q: usize, const M: usize> Rows<Q, M> for S where
    S: System<
            f64,
            Q = SVector<f64, Q>,
            V = SVector<f64, Q>,
            Rows = SVector<f64, M>,
            Jacobian = SMatrix<f64, M, Q>,
        >
{
}

#[track_caller]
pub fn agree<const Q: usize, const M: usize>(a: impl Rows<Q, M>, b: impl Rows<Q, M>) {
    let q = SVector::<f64, Q>::from_fn(|i, _| 0.3 * (i as f64 + 1.0) + (1.7 * i as f64).sin());
    let v = SVector::<f64, Q>::from_fn(|i, _| (0.9 * i as f64).cos());
    let c = SVector::<f64, M>::from_fn(|i, _| (i as f64 - 2.5) / (1.0 + i as f64));
    let t = 0.7;
    let tried = |name, a: Result<SVector<f64, Q>, Error>, b: Result<SVector<f64, Q>, Error>| {
        close(name, a.unwrap().as_slice(), b.unwrap().as_slice());
    };
    tried(
        "M⁻¹ h",
        a.free_acceleration(t, &q, &v),
        b.free_acceleration(t, &q, &v),
    );
    responses_agree(&a, &b, &q);
    tried(
        "acceleration",
        a.acceleration(t, &q, &v),
        b.acceleration(t, &q, &v),
    );
    tried(
        "force",
        a.constraint_force(t, &q, &v),
        b.constraint_force(t, &q, &v),
    );
    tried(
        "correction",
        a.correction(t, &q, &c),
        b.correction(t, &q, &c),
    );
    let [x, y] = [a.multipliers(t, &q, &v), b.multipliers(t, &q, &v)];
    close("multipliers", x.unwrap().as_slice(), y.unwrap().as_slice());
    together(&a, &b, t, &q, &v);
    tried(
        "M a − h",
        a.inverse_dynamics(t, &q, &v, &(2.0 * q - v)),
        b.inverse_dynamics(t, &q, &v, &(2.0 * q - v)),
    );
    let [x, y] = [a.mass_times(t, &q, &v), b.mass_times(t, &q, &v)];
    close("M a", x.as_slice(), y.as_slice());
    let [x, y] = [a.jacobian(t, &q), b.jacobian(t, &q)];
    close("jacobian", x.as_slice(), y.as_slice());
    let rows = |name, a: SVector<f64, M>, b: SVector<f64, M>| {
        close(name, a.as_slice(), b.as_slice());
    };
    rows("constraint", a.constraint(t, &q), b.constraint(t, &q));
    rows(
        "rate",
        a.constraint_rate(t, &q, &v),
        b.constraint_rate(t, &q, &v),
    );
    rows("bias", a.bias(t, &q, &v), b.bias(t, &q, &v));
    rows("sizes", a.row_sizes(t, &q), b.row_sizes(t, &q));
    close(
        "energies",
        &[a.kinetic_energy(t, &q, &v), a.potential_energy(t, &q)],
        &[b.kinetic_energy(t, &q, &v), b.potential_energy(t, &q)],
    );
}

/// v̇ and λ of one call are those of two, of either form, and fulfil J v̇ = −β.
#[track_caller]
fn together<const Q: usize, const M: usize>(
    a: &impl Rows<Q, M>,
    b: &impl Rows<Q, M>,
    t: f64,
    q: &SVector<f64, Q>,
    v: &SVector<f64, Q>,
) {
    let (acceleration, lambda) = a.acceleration_and_multipliers(t, q, v).unwrap();
    let expected = b.acceleration_and_multipliers(t, q, v).unwrap();
    close("v̇ of both", acceleration.as_slice(), expected.0.as_slice());
    close("λ of both", lambda.as_slice(), expected.1.as_slice());
    let [x, y] = [a.acceleration(t, q, v), b.acceleration(t, q, v)].map(Result::unwrap);
    close("v̇", acceleration.as_slice(), x.as_slice());
    close("v̇", expected.0.as_slice(), y.as_slice());
    let [x, y] = [a.multipliers(t, q, v), b.multipliers(t, q, v)].map(Result::unwrap);
    close("λ", lambda.as_slice(), x.as_slice());
    close("λ", expected.1.as_slice(), y.as_slice());
    let [x, y] = [a.projected_motion(t, q, v), b.projected_motion(t, q, v)].map(Result::unwrap);
    close("v on the constraints", x.0.as_slice(), y.0.as_slice());
    close("v̇ there", x.1.as_slice(), y.1.as_slice());
    let change = b.correction(t, q, &b.constraint_rate(t, q, v)).unwrap();
    close(
        "v on the constraints",
        x.0.as_slice(),
        (v - change).as_slice(),
    );
    let there = b.acceleration(t, q, &(v - change)).unwrap();
    close("v̇ there", x.1.as_slice(), there.as_slice());
    let moved = a.jacobian(t, q) * acceleration;
    close("J v̇", moved.as_slice(), (-a.bias(t, q, v)).as_slice());
}

#[test]
fn a_chain_with_as_many_links_above_as_below() {
    agree(EvenChain::default(), EvenChainWritten::default());
}

#[test]
fn a_chain_with_a_heavier_end() {
    agree(OddChain::default(), OddChainWritten::default());
}

#[test]
fn a_chain_in_space_with_springs() {
    agree(SpringsInSpace::default(), SpringsInSpaceWritten::default());
}

#[test]
fn a_closed_loop() {
    agree(Ring::default(), RingWritten::default());
}

#[test]
fn a_ladder() {
    agree(Ladder::default(), LadderWritten::default());
}

#[test]
fn rows_that_alternate() {
    agree(OnRails::default(), OnRailsWritten::default());
}

/// Numbers from 1/2 to 3/2.
pub fn own(i: usize) -> f64 {
    1.0 + (2.3 * i as f64).sin() / 2.0
}

pub fn vector(i: usize) -> Vector2<f64> {
    Vector2::new(own(i), -own(i + 31))
}

#[test]
fn a_chain_of_masses_lengths_and_forces_of_their_own() {
    let m = core::array::from_fn(own);
    let l = core::array::from_fn(|i| own(i + 20));
    let push = core::array::from_fn(vector);
    let g = 9.81;
    agree(
        Necklace { m, l, push, g },
        NecklaceWritten { m, l, push, g },
    );
}

#[test]
fn springs_and_dampers_of_their_own() {
    let w = core::array::from_fn(own);
    let k = core::array::from_fn(|i| own(i + 20));
    let c = core::array::from_fn(|i| own(i + 40));
    let l = core::array::from_fn(|i| own(i + 60));
    agree(
        SpringsOfTheirOwn { w, k, c, l },
        SpringsOfTheirOwnWritten { w, k, c, l },
    );
}

#[test]
fn a_lattice_of_two_indices() {
    let m = core::array::from_fn(|i| core::array::from_fn(|j| own(i + 7 * j)));
    let rung = core::array::from_fn(own);
    let up = core::array::from_fn(|i| core::array::from_fn(|j| own(40 + i + 7 * j)));
    let g = core::array::from_fn(vector);
    agree(
        Lattice { m, rung, up, g },
        LatticeWritten { m, rung, up, g },
    );
}

#[test]
fn inputs_that_are_arrays() {
    let wind = core::array::from_fn(|i| core::array::from_fn(|j| vector(i + 5 * j)));
    let pull = core::array::from_fn(own);
    let m = core::array::from_fn(|i| own(i + 11));
    agree(
        Blown { m, l: 0.5 }.with_inputs(BlownInputs { wind, pull }),
        BlownWritten { m, l: 0.5 }.with_inputs(BlownWrittenInputs { wind, pull }),
    );
}

mod singular {
    use super::*;

    system! {
        #[solver(rolled)]
        struct Rods { l: Real = 1 }
        particle bead[40]: Point2 { mass: 2 }
        constraint hook: norm_squared(bead[0]) == l^2;
        for i in 1..40 { constraint link[i]: norm_squared(bead[i] - bead[i - 1]) == l^2; }
        gravity [0, -10];
    }

    /// The row and the pivot that every function names which eliminates J W Jᵀ.
    fn refused(q: &SVector<f64, 80>) -> (usize, f64) {
        let (rods, v) = (Rods::<f64>::default(), SVector::zeros());
        let (mut a, mut lambda) = (SVector::zeros(), SVector::zeros());
        let both =
            rods.write_acceleration_and_multipliers(0.0, q, &v, &mut [], &mut a, &mut lambda);
        let all = [
            rods.acceleration(0.0, q, &v).unwrap_err(),
            rods.multipliers(0.0, q, &v).unwrap_err(),
            rods.correction(0.0, q, &SVector::repeat(1.0)).unwrap_err(),
            both.unwrap_err(),
        ];
        let named = all.map(|error| match error {
            Error::Singular { row, pivot, .. } => (row.index, pivot),
            other => panic!("{other}"),
        });
        let same = |it: &(usize, f64)| it.0 == named[0].0 && it.1.to_bits() == named[0].1.to_bits();
        assert!(named.iter().all(same), "{named:?}");
        named[0]
    }

    /// Links of length one that turn by 0.1 rad each; those in `folded` have no length, where J = 0.
    fn folded(folded: &[usize]) -> SVector<f64, 80> {
        let mut q = SVector::<f64, 80>::zeros();
        let mut at = Vector2::zeros();
        for i in 0..40 {
            let angle = 0.1 * i as f64;
            if !folded.contains(&i) {
                at += Vector2::new(angle.sin(), -angle.cos());
            }
            q.fixed_rows_mut::<2>(2 * i).copy_from(&at);
        }
        q
    }

    #[test]
    fn the_row_is_named_from_either_end_of_a_chain() {
        for row in 0..40 {
            assert_eq!(refused(&folded(&[row])), (row, 0.0));
        }
    }

    /// Both ends advance one row a round, that at the hook first.
    #[test]
    fn of_two_rows_the_one_that_is_eliminated_first_is_named() {
        assert_eq!(refused(&folded(&[5, 36])), (36, 0.0));
        assert_eq!(refused(&folded(&[3, 34])), (3, 0.0));
    }

    #[test]
    fn nan_is_not_passed_over() {
        for bead in 0..40 {
            let mut q = folded(&[]);
            q[2 * bead] = f64::NAN;
            let (row, pivot) = refused(&q);
            // The bead is an end of the rows `bead` and `bead + 1`, and its coordinate is part of no pivot before those.
            assert!(row.abs_diff(bead) <= 1 && pivot.is_nan(), "{bead}: {row}");
        }
    }
}
