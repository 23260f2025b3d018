//! Runs of 10⁵ and 10⁶ steps, and the examples that compute for long. A package of its own, optimised in every build: see the
//! workspace's profiles.

#![allow(
    clippy::duplicate_mod,
    reason = "examples are programs of their own and share modules by path"
)]

#[path = "../common/models/by_hand.rs"]
mod by_hand;
mod curves;
mod drawn;
#[path = "../common/models/generated.rs"]
mod generated;
mod implicit;
// Published mechanisms, under all tolerances.
#[path = "../common/adaptive.rs"]
mod adaptive;
#[path = "../common/andrews_angles.rs"]
mod andrews_angles;
#[path = "../published/bricard.rs"]
mod bricard;
#[path = "../published/four_bars.rs"]
mod four_bars;
#[path = "../published/governor.rs"]
mod governor;
mod joints;
#[path = "../published/pendulum.rs"]
mod pendulum;
#[path = "../published/slider_crank.rs"]
mod slider_crank;
#[path = "../published/squeezer.rs"]
mod squeezer;
mod stacks;
mod systems;
// Its expansion takes a minute, which IDEs and lints are spared.
#[cfg(not(rust_analyzer))]
mod stackless;

/// Tolerances 10⁻ᵏ of published mechanisms.
const EXPONENTS: [i32; 10] = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

/// Of thirty rows by least squares.
const OF_LEAST_SQUARES: [i32; 10] = EXPONENTS;
