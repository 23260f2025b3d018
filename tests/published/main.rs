//! Published mechanisms in their published coordinates, started where their sources place them, under every adaptive
//! method and from coarse to fine tolerances. Oracles: the energy, other formulations of the same mechanism, closed
//! forms. The published end values of Andrews' squeezer and of the car axis are in `reference_solutions`.
//!
//! A01 to A05 are the problems of the IFToMM library of multibody benchmarks, [González, Dopico, González, Cuadrado 2006]
//! *A benchmarking system for MBS simulation software*, Multibody Syst. Dyn. 16. Masses, lengths and starts are those of
//! its problem sheets; their published curves are not reproduced here.

#[path = "../common/adaptive.rs"]
mod adaptive;
#[path = "../common/andrews_angles.rs"]
mod andrews_angles;
mod bricard;
mod events_and_contacts;
mod four_bars;
#[path = "../common/models/generated.rs"]
mod generated;
mod governor;
mod pendulum;
#[path = "../common/random.rs"]
mod random;
mod slider_crank;
mod squeezer;
mod starts;

/// Tolerances 10⁻ᵏ of a push; `long_runs` has all from 4 to 13.
const EXPONENTS: [i32; 4] = [4, 7, 10, 13];

/// Of thirty rows by least squares, which take their time.
const OF_LEAST_SQUARES: [i32; 2] = [4, 7];
