//! Laws that the rows of any system obey, however they are derived: J, Ċ and β against C by dual numbers, and the laws of motion.

use constraint_symbolic::system::Solution;

use crate::derivatives::{Functions, dot, size};
use crate::dual::Dual;
use crate::interpreter::State;
use crate::responses::responses;

/// Roundings by which results may differ, relative to their size.
const PART: f64 = 1e-10;

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64], part: f64, size: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        let near = (a - b).abs() <= part * size;
        assert!(near, "{what}[{k}]: {a}, expected {b}, size {size}");
    }
}

/// Asserts that a system in loops obeys them at a state; quotients by pivots near zero are not compared.
pub fn obeys(what: &str, system: &Functions<'_>, state: &State, least_pivot: f64) {
    rows(what, system, state);
    if system.judged("acceleration", state).1 >= least_pivot {
        motion(what, system, state);
        impulses(what, system, state);
    }
}

/// J v = Ċ(v) − Ċ(0), Ċ = dC/dt, β = dĊ/dt at v̇ = 0, and the sizes of rows.
fn rows(what: &str, system: &Functions<'_>, state: &State) {
    let n = state.v.len();
    let [rate, bias, jacobian] =
        ["constraint_rate", "bias", "jacobian"].map(|name| system.at(name, state));
    let still = State {
        v: vec![0.0; n],
        ..state.clone()
    };
    let moved: Vec<f64> = jacobian.chunks(n).map(|row| dot(row, &state.v)).collect();
    let drift = system.at("constraint_rate", &still);
    let by_motion = rate.iter().zip(&drift).map(|(a, b)| a - b);
    let by_motion: Vec<f64> = by_motion.collect();
    let scale = size(&rate) + size(&jacobian) * size(&state.v);
    let named = |name: &str| format!("{what}\n{name}");
    close(&named("J v"), &moved, &by_motion, PART, scale);

    let mut along = state.clone();
    along.tangent = vec![0.0; state.tangent.len()];
    along.tangent[0] = 1.0;
    along.tangent[1..=n].copy_from_slice(&state.v);
    let slopes = |name: &str| -> Vec<f64> {
        let numbers: Vec<Dual> = system.along(name, &along);
        numbers.iter().map(|it| it.slope).collect()
    };
    let found = slopes("constraint");
    for (r, (found, rate)) in found.iter().zip(&rate).enumerate() {
        let expected = if is_holonomic(system, r) { *rate } else { 0.0 };
        let what = named(&format!("dC/dt of row {r}"));
        close(&what, &[*found], &[expected], PART, scale);
    }
    let (found, scale) = (slopes("constraint_rate"), scale + size(&bias));
    close(&named("β"), &bias, &found, PART, scale);

    // A rotation counts as one radian, and takes more numbers than velocities.
    if state.q.len() == n {
        let sizes = jacobian.chunks(n).map(|row| {
            let parts = row.iter().zip(&state.q).map(|(entry, q)| (entry * q).abs());
            parts.sum()
        });
        let expected: Vec<f64> = sizes.collect();
        let found = system.at("row_sizes", state);
        close(&named("sizes"), &found, &expected, PART, size(&expected));
    }
}

fn is_holonomic(system: &Functions<'_>, row: usize) -> bool {
    let Solution::Rolled(rolled) = &system.derived.solution else {
        panic!("it is not in loops")
    };
    rolled.rows[rolled.families.of[row]].1.holonomic
}

/// The rows that impulses are swept by are J, and M times their answers is Jᵀ.
fn impulses(what: &str, system: &Functions<'_>, state: &State) {
    let jacobian = system.at("jacobian", state);
    let [rows, answers] = responses(system.derived, state);
    let named = |name: &str| format!("{what}\n{name}");
    close(
        &named("J of impulses"),
        &rows.concat(),
        &jacobian,
        PART,
        size(&jacobian),
    );
    for (row, answer) in rows.iter().zip(answers) {
        let scale = size(row) + size(&answer);
        let there = State {
            a: answer,
            ..state.clone()
        };
        let pushed = system.at("mass_times", &there);
        close(&named("M M⁻¹ Jᵀ"), &pushed, row, 1e-9, scale);
    }
}

/// M v̇ = h + Jᵀ λ, J v̇ = −β, and J w = b of a correction.
fn motion(what: &str, system: &Functions<'_>, state: &State) {
    let n = state.v.len();
    let both = system.at("acceleration_and_multipliers", state);
    let (v_dot, lambda) = both.split_at(n);
    let there = State {
        a: v_dot.to_vec(),
        ..state.clone()
    };
    let [resisting, jacobian, bias] =
        ["inverse_dynamics", "jacobian", "bias"].map(|name| system.at(name, &there));
    let [force, correction] = ["constraint_force", "correction"].map(|name| system.at(name, state));
    let column = |c: usize| {
        (0..lambda.len())
            .map(|r| jacobian[r * n + c])
            .collect::<Vec<_>>()
    };
    let pushed: Vec<f64> = (0..n).map(|c| dot(&column(c), lambda)).collect();
    let named = |name: &str| format!("{what}\n{name}");
    let scale = size(v_dot).max(size(lambda));
    close(&named("M v̇ − h"), &resisting, &pushed, 1e-11, scale);
    close(&named("Jᵀ λ"), &force, &pushed, 1e-9, scale);
    let scale = scale + size(&bias);
    for ((row, bias), b) in jacobian.chunks(n).zip(&bias).zip(&state.b) {
        let rate = [dot(row, v_dot) + bias];
        close(&named("C̈"), &rate, &[0.0], 1e-11, scale);
        let corrected = [dot(row, &correction)];
        let scale = size(&correction) + b.abs();
        close(&named("J w"), &corrected, &[*b], 1e-10, scale);
    }
}
