//! An arm identifies its own masses: base parameters from noisy torques by least squares, then inertias that bodies can have.
//!
//! `#[regressor]` gives τ = Y(q, v, a) θ. The arm follows a periodic path that excites all base parameters; its torques and
//! angles are measured with noise. The Fourier series of the angles give v and a, and least squares the base parameters β with
//! their standard deviations. β alone is no θ: of the many with K θ = β, a convex problem
//! finds one whose bodies can exist: each pseudo-inertia, (Σ m r rᵀ, m c; m cᵀ, m), is positive definite. Newton's method with the
//! determinants as a barrier solves it in a page, without a library for semidefinite programs.
//!
//! Checks: every base parameter is within its uncertainty of the true one, torques of another path are predicted, and all
//! pseudo-inertias are positive definite and explain the measurements as well.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians.
//!
//! # Source
//! Kinematics and masses of the Puma 560: B. Armstrong, O. Khatib, J. Burdick (1986); the moments of link 3 changed so that a body
//! can have them. Periodic excitation: J. Swevers and others (1997). The convex problem: T. Lee, P. Wensing, F.
//! Park (2020).

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::nalgebra::{DMatrix, DVector, Matrix4, Vector4};
use constraint_runtime::prelude::*;

system! {
    /// The Puma 560 with its modified Denavit–Hartenberg frames and viscous friction.
    #[regressor]
    pub struct Puma {
        /// Torque per angular velocity at each joint.
        friction: [Real; 6] = [3, 3.5, 1.5, 0.02, 0.01, 0.002],
        g: Real = 9.81,
    }

    input torque[6];
    coordinate q[6];
    let one = pose([0, 0, 0], [0, 0, 1], q[0]);
    let two = one * pose([0, 0, 0], [1, 0, 0], -PI/2) * pose([0, 0, 0.2435], [0, 0, 1], q[1]);
    let three = two * pose([0.4318, 0, -0.0934], [0, 0, 1], q[2]);
    let four = three * pose([-0.0203, 0, 0], [1, 0, 0], PI/2) * pose([0, 0, 0.4331], [0, 0, 1], q[3]);
    let five = four * pose([0, 0, 0], [1, 0, 0], -PI/2) * pose([0, 0, 0], [0, 0, 1], q[4]);
    let six = five * pose([0, 0, 0], [1, 0, 0], PI/2) * pose([0, 0, 0], [0, 0, 1], q[5]);
    body trunk: Rigid3 = one * pose([0, 0, -0.1]) { mass: 13, inertia: [0.4, 0.4, 0.35] }
    body upper: Rigid3 = two * pose([0.068, 0.006, -0.016]) { mass: 17.4, inertia: [0.13, 0.524, 0.539] }
    body fore: Rigid3 = three * pose([0, -0.07, 0.014]) { mass: 4.8, inertia: [0.066, 0.0325, 0.086] }
    body roll: Rigid3 = four * pose([0, 0, -0.019]) { mass: 0.82, inertia: [0.0018, 0.0018, 0.0013] }
    body wrist: Rigid3 = five { mass: 0.34, inertia: [0.0003, 0.0003, 0.0004] }
    body flange: Rigid3 = six * pose([0, 0, 0.032]) { mass: 0.09, inertia: [0.00015, 0.00015, 0.00004] }
    force q[k in 0..6]: torque[k];
    dissipation sum(k in 0..6: friction[k]/2*velocity(q[k])^2);
    gravity [0, 0, -g];
}

type Six = SVector<f64, 6>;

/// Base parameters and friction.
const UNKNOWNS: usize = Puma::BASE_PARAMETERS.len() + 6;
const PERIOD: f64 = 8.0;
const STEP: f64 = 4e-3;
const STEPS: usize = (PERIOD / STEP) as usize;
/// Steps between measurements.
const EVERY: usize = 10;
/// Of the path, and of the measured angles, which follow it with errors.
const HARMONICS: [usize; 2] = [5, 24];
/// Of angles in radians, and of torques relative to their mean size.
const NOISE: [f64; 2] = [1e-5, 0.01];
/// Inertias at the joints, roughly, for the control.
const INERTIAS: [f64; 6] = [2.0, 2.0, 0.3, 1e-3, 4e-4, 4e-5];
/// ω of the controlled joints.
const STIFFNESS: f64 = 40.0;
/// μ
const BARRIER: f64 = 0.1;

/// Prints the estimates.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut noise = Noise(1);
    let paths: Vec<Path> = (0..12).map(|_| Path::random(&mut noise)).collect();
    let condition = |path: &Path| condition(&path.regressor(48));
    let best = paths.iter().map(|it| (condition(it), it));
    let (number, path) = best.min_by(|a, b| a.0.total_cmp(&b.0)).ok_or("a path")?;
    println!("The condition number of the best path is {number:.0}.\n");
    let measured = Measured::along(path, &mut noise)?;
    let estimate = Estimate::new(&measured)?;
    estimate.compare()?;
    let physical = physical(&estimate)?;

    let other = Measured::along(&paths[0], &mut Noise(2))?;
    for (name, unknowns) in [
        ("base parameters", &estimate.unknowns),
        ("physical parameters", &physical),
    ] {
        let missed = other.torques() - other.regressor() * unknowns;
        let share = missed.norm() / other.torques().norm();
        println!(
            "Torques of another path by {name}: off by {:.2} %.",
            100.0 * share
        );
        assert!(share < 1.2 * NOISE[1], "{share}");
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// Paths and measurements

/// Normally distributed numbers, the same in each run.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        // Splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }
}

/// A Fourier series of each angle: a mean, then factors of cosines and sines.
#[derive(Clone)]
struct Path {
    mean: Six,
    harmonics: Vec<[Six; 2]>,
}

impl Path {
    fn random(noise: &mut Noise) -> Self {
        let mut drawn = |size: f64| Six::from_fn(|_, _| size * noise.normal());
        Path {
            mean: drawn(0.5),
            harmonics: (0..HARMONICS[0])
                .map(|_| [drawn(0.2), drawn(0.2)])
                .collect(),
        }
    }

    /// q, v and a.
    fn at(&self, t: f64) -> [Six; 3] {
        let mut all = [self.mean, Six::zeros(), Six::zeros()];
        for (k, [even, odd]) in (1..).zip(&self.harmonics) {
            let rate = TAU / PERIOD * f64::from(k);
            let (sin, cos) = (rate * t).sin_cos();
            let place = even * cos + odd * sin;
            all[0] += place;
            all[1] += (odd * cos - even * sin) * rate;
            all[2] -= place * (rate * rate);
        }
        all
    }

    /// Y of the base parameters and of friction at times of a period.
    fn regressor(&self, times: usize) -> DMatrix<f64> {
        let arm = Puma::<f64>::default().with_inputs(PumaInputs { torque: [0.0; 6] });
        let mut all = DMatrix::zeros(6 * times, UNKNOWNS);
        for i in 0..times {
            let [q, v, a] = self.at(PERIOD * i as f64 / times as f64);
            let y = arm.regressor(0.0, &q, &v, &a);
            let mut rows = all.rows_mut(6 * i, 6);
            for (k, &column) in Puma::BASE_PARAMETERS.iter().enumerate() {
                rows.column_mut(k).copy_from(&y.column(column));
            }
            for k in 0..6 {
                rows[(k, UNKNOWNS - 6 + k)] = v[k];
            }
        }
        all
    }
}

/// The ratio of singular values, of columns of length 1.
fn condition(regressor: &DMatrix<f64>) -> f64 {
    let mut r = regressor.clone().qr().r();
    r.column_iter_mut()
        .for_each(|mut column| _ = column.normalize_mut());
    let values = r.singular_values();
    values.max() / values.min()
}

/// Torques of a period, and the path on which they were measured.
struct Measured {
    path: Path,
    torques: Vec<Six>,
    /// The standard deviations of the torques.
    noise: Six,
}

impl Measured {
    /// Follows a path for two periods and measures in the second, which repeats.
    fn along(path: &Path, noise: &mut Noise) -> Result<Self, Box<dyn Error>> {
        let law = |t: f64, q: &Six, v: &Six| {
            let [place, rate, _] = path.at(t);
            let pull = STIFFNESS * STIFFNESS * (place - q) + 2.0 * STIFFNESS * (rate - v);
            pull.component_mul(&Six::from(INERTIAS))
        };
        let controlled =
            Puma::default().controlled_by(|t, q: &PumaCoordinates, v: &PumaVelocities| {
                PumaInputs {
                    torque: law(t, &q.q.into(), &v.q.into()).into(),
                }
            });
        let [place, rate, _] = path.at(0.0);
        let mut run = Simulation::new(controlled, State::new(0.0, place, rate), Rk4::new(STEP))?;
        let (mut angles, mut torques) = (Vec::new(), Vec::new());
        for step in 0..2 * STEPS {
            if step >= STEPS && step % EVERY == 0 {
                let state = run.state();
                angles.push(state.q + Six::from_fn(|_, _| NOISE[0] * noise.normal()));
                torques.push(law(state.t, &state.q, &state.v));
            }
            run.step()?;
        }
        let squares = torques.iter().map(|it| it.component_mul(it));
        let mean = squares.sum::<Six>() / torques.len() as f64;
        let size = mean.map(|it| NOISE[1] * it.sqrt());
        for torque in &mut torques {
            *torque += size.map(|it| it * noise.normal());
        }
        Ok(Measured {
            path: fourier(&angles),
            torques,
            noise: size,
        })
    }

    /// Rows over the standard deviations of their torques.
    fn weighted(&self, mut rows: DMatrix<f64>) -> DMatrix<f64> {
        for (i, mut row) in rows.row_iter_mut().enumerate() {
            row /= self.noise[i % 6];
        }
        rows
    }

    fn regressor(&self) -> DMatrix<f64> {
        self.weighted(self.path.regressor(self.torques.len()))
    }

    fn torques(&self) -> DMatrix<f64> {
        let all = self.torques.iter().flat_map(|it| it.iter().copied());
        self.weighted(DMatrix::from_iterator(6 * self.torques.len(), 1, all))
    }
}

/// The series of angles at equal times of a period.
fn fourier(angles: &[Six]) -> Path {
    let count = angles.len() as f64;
    let along = |wave: &dyn Fn(f64) -> f64| -> Six {
        let terms = angles.iter().enumerate();
        terms
            .map(|(i, it)| it * wave(TAU * i as f64 / count))
            .sum::<Six>()
            * (2.0 / count)
    };
    let harmonic = |k: usize| {
        [
            along(&|x| (k as f64 * x).cos()),
            along(&|x| (k as f64 * x).sin()),
        ]
    };
    Path {
        mean: along(&|_| 0.5),
        harmonics: (1..=HARMONICS[1]).map(harmonic).collect(),
    }
}

// ---------------------------------------------------------------------------------------------
// Least squares

/// The base parameters and frictions of least squares.
struct Estimate {
    /// R of the regressor Q R.
    root: DMatrix<f64>,
    unknowns: DVector<f64>,
    /// Their standard deviations.
    deviations: DVector<f64>,
}

impl Estimate {
    fn new(measured: &Measured) -> Result<Self, Box<dyn Error>> {
        let (regressor, torques) = (measured.regressor(), measured.torques());
        let freedom = regressor.nrows() - UNKNOWNS;
        let both = regressor.clone().qr();
        let root = both.r();
        let inverse = root
            .clone()
            .try_inverse()
            .ok_or("a path that excites everything")?;
        let unknowns = &inverse * (both.q().transpose() * &torques);
        let square = (torques - regressor * &unknowns).norm_squared() / freedom as f64;
        let deviations = inverse.row_iter().map(|row| row.norm() * square.sqrt());
        Ok(Estimate {
            deviations: DVector::from_iterator(UNKNOWNS, deviations),
            unknowns: unknowns.column(0).into_owned(),
            root,
        })
    }

    /// Prints all estimates with the true values.
    fn compare(&self) -> Result<(), Box<dyn Error>> {
        let arm = Puma::<f64>::default();
        let parameters = arm.with_inputs(PumaInputs { torque: [0.0; 6] });
        let base = parameters.base_matrix() * parameters.inertial_parameters();
        let truth = base.iter().chain(&arm.friction);
        let names = Puma::BASE_PARAMETERS.map(|it| Puma::INERTIAL_PARAMETERS[it].to_owned());
        let names = names
            .into_iter()
            .chain((1..=6).map(|k| format!("friction {k}")));
        println!("Column                 estimate   deviation        true");
        let mut squares = 0.0;
        for (i, (name, &truth)) in names.zip(truth).enumerate() {
            let (found, deviation) = (self.unknowns[i], self.deviations[i]);
            println!("{name:<20} {found:>11.2e} {deviation:>11.1e} {truth:>11.2e}");
            let off = (found - truth) / deviation;
            assert!(
                off.abs() < 4.0,
                "{name} is off by {off:.1} standard deviations"
            );
            squares += off * off;
        }
        let mean = (squares / UNKNOWNS as f64).sqrt();
        println!("\nThe root mean square of the errors is {mean:.2} standard deviations.\n");
        assert!(mean < 1.25, "{mean}");
        Ok(())
    }
}

// ---------------------------------------------------------------------------------------------
// Inertias that bodies can have

/// Σ m r rᵀ, m c and m of the inertial parameters of a link.
fn pseudo_inertia(parameters: &[f64]) -> Matrix4<f64> {
    let [m, x, y, z, xx, xy, xz, yy, yz, zz] = *parameters else {
        unreachable!("ten parameters a link")
    };
    let half = 0.5 * (xx + yy + zz);
    Matrix4::new(
        half - xx,
        -xy,
        -xz,
        x,
        -xy,
        half - yy,
        -yz,
        y,
        -xz,
        -yz,
        half - zz,
        z,
        x,
        y,
        z,
        m,
    )
}

/// The inertial parameters of a pseudo-inertia.
fn parameters_of(p: &Matrix4<f64>) -> [f64; 10] {
    let [xx, yy, zz] = [p[(0, 0)], p[(1, 1)], p[(2, 2)]];
    [
        p[(3, 3)],
        p[(0, 3)],
        p[(1, 3)],
        p[(2, 3)],
        yy + zz,
        -p[(0, 1)],
        -p[(0, 2)],
        xx + zz,
        -p[(1, 2)],
        xx + yy,
    ]
}

/// The convex problem of the inertial parameters and frictions x:
///
/// ```text
/// ½ |R (K x − β)|² + μ Σ (tr P₀⁻¹ P − log det P)        P: the pseudo-inertia of a link, P₀: that of a rough guess
/// ```
/// The barrier keeps P positive definite, and chooses among all x with the same K x.
struct Physical<'a> {
    estimate: &'a Estimate,
    /// K, of frictions 1.
    base: DMatrix<f64>,
    guesses: Vec<Matrix4<f64>>,
}

impl Physical<'_> {
    /// The function; `None` where a pseudo-inertia is not positive definite.
    fn value(&self, x: &DVector<f64>) -> Option<f64> {
        let mut value = 0.5 * self.sum_of_squares(x);
        for (parameters, guess) in x.as_slice().chunks_exact(10).zip(&self.guesses) {
            let p = pseudo_inertia(parameters);
            let determinant = p.cholesky()?.determinant();
            value += BARRIER * ((guess.try_inverse()? * p).trace() - determinant.ln());
        }
        Some(value)
    }

    fn sum_of_squares(&self, x: &DVector<f64>) -> f64 {
        let rest = &self.base * x - &self.estimate.unknowns;
        (&self.estimate.root * rest).norm_squared()
    }

    /// The gradient and Hessian.
    fn derivatives(&self, x: &DVector<f64>) -> Option<(DVector<f64>, DMatrix<f64>)> {
        let rows = &self.estimate.root * &self.base;
        let rest = &self.estimate.root * (&self.base * x - &self.estimate.unknowns);
        let (mut gradient, mut hessian) = (rows.tr_mul(&rest), rows.tr_mul(&rows));
        let unit =
            |k: usize| pseudo_inertia(&std::array::from_fn::<f64, 10, _>(|i| f64::from(i == k)));
        let links = x.as_slice().chunks_exact(10).zip(&self.guesses);
        for (link, (parameters, guess)) in links.enumerate() {
            let (inverse, wanted) = (
                pseudo_inertia(parameters).try_inverse()?,
                guess.try_inverse()?,
            );
            let parts: Vec<Matrix4<f64>> = (0..10).map(|k| inverse * unit(k)).collect();
            for (i, part) in parts.iter().enumerate() {
                gradient[10 * link + i] += BARRIER * ((wanted * unit(i)).trace() - part.trace());
                for (j, other) in parts.iter().enumerate() {
                    hessian[(10 * link + i, 10 * link + j)] += BARRIER * (part * other).trace();
                }
            }
        }
        Some((gradient, hessian))
    }

    /// Newton's method with shortened steps. Returns the minimum and the number of steps.
    fn solve(&self) -> Option<(DVector<f64>, usize)> {
        let mut x = DVector::zeros(self.base.ncols());
        for (link, guess) in self.guesses.iter().enumerate() {
            x.rows_mut(10 * link, 10)
                .copy_from_slice(&parameters_of(guess));
        }
        let mut value = self.value(&x)?;
        for count in 0..100 {
            let (gradient, hessian) = self.derivatives(&x)?;
            let step = hessian.cholesky()?.solve(&gradient);
            let slope = gradient.dot(&step);
            if slope < 1e-9 {
                return Some((x, count));
            }
            let mut share = 1.0;
            loop {
                let next = &x - &step * share;
                if let Some(found) = self
                    .value(&next)
                    .filter(|it| *it < value - 0.1 * share * slope)
                {
                    (x, value) = (next, found);
                    break;
                }
                share *= 0.5;
                if share < 1e-12 {
                    return None;
                }
            }
        }
        None
    }
}

/// The number of links whose pseudo-inertia is not positive definite.
fn impossible(parameters: &[f64]) -> usize {
    let links = parameters.chunks_exact(10).map(pseudo_inertia);
    links.filter(|it| it.cholesky().is_none()).count()
}

/// Base parameters and frictions of inertias that bodies can have.
fn physical(estimate: &Estimate) -> Result<DVector<f64>, Box<dyn Error>> {
    let arm = Puma::<f64>::default().with_inputs(PumaInputs { torque: [0.0; 6] });
    let k = arm.base_matrix();
    let mut base = DMatrix::zeros(UNKNOWNS, k.ncols() + 6);
    base.view_mut((0, 0), k.shape()).copy_from(&k);
    base.view_mut((k.nrows(), k.ncols()), (6, 6))
        .fill_with_identity();
    // Balls of a radius of about 0.1.
    let guesses = [10.0, 10.0, 5.0, 1.0, 0.5, 0.1]
        .map(|m| Matrix4::from_diagonal(&Vector4::new(0.004 * m, 0.004 * m, 0.004 * m, m)));
    let problem = Physical {
        estimate,
        base,
        guesses: guesses.into(),
    };
    let (x, steps) = problem.solve().ok_or("no minimum")?;

    let least = k.transpose()
        * (k * k.transpose())
            .try_inverse()
            .ok_or("independent rows")?;
    let shortest = least * estimate.unknowns.rows(0, k.nrows());
    let more = problem.sum_of_squares(&x);
    let [before, after] = [shortest.as_slice(), &x.as_slice()[..k.ncols()]].map(impossible);
    println!(
        "Links whose bodies cannot exist: {before} in the shortest θ with K θ = β, {after} in that of the convex problem,"
    );
    println!("found in {steps} steps, whose sum of squares is larger by {more:.1e}.\n");
    assert_eq!((after, before > 0), (0, true));
    // The true parameters have a sum of squares that is larger by the number of unknowns on average.
    assert!(more < UNKNOWNS as f64, "{more}");
    Ok(problem.base * x)
}
