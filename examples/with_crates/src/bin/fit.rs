//! A four-bar linkage with a spring, whose six parameters are estimated from noisy positions of its pins.
//!
//! A rotating force drives the linkage. It is released and observed for two seconds, 41 times, to within a millimetre.
//! The parameters are the mass of the rocker's pin, the lengths of coupler and rocker, the spring's stiffness and
//! length, and the damping. The program minimises the sum of squares by the method of Broyden, Fletcher, Goldfarb and
//! Shanno, which needs only the gradient: one reverse run gives all six derivatives, through the projections that keep
//! the loop closed. The start depends on the lengths as well; that part is differentiated by dual numbers and added.
//!
//! Checks: gradients agree with differences of fourth order; without noise the program finds the true parameters; with
//! noise they are off by as much as the covariance predicts, and the residuals are as large as the noise.
//! Lengths are in metres, times in seconds, masses in kilograms; y counts upwards.
//!
//! # Source
//! [Nocedal, Wright 2006] *Numerical Optimization*, algorithm 6.1 and equations (6.17), (6.20).

use std::error::Error;

use constraint_runtime::nalgebra::{Matrix6, Vector6};
use constraint_runtime::prelude::*;
use num_dual::Dual64;

system! {
    /// A crank at the origin, a rocker at (3, 0), a coupler between their pins, and a spring at the rocker's.
    #[derivatives]
    pub struct Linkage {
        m: Real, coupler: Real, rocker: Real, stiffness: Real, rest: Real, damping: Real,
    }

    particle a: Point2 { mass: 2 }
    particle b: Point2 { mass: m }
    constraint crank_bar: norm(a) == 1;
    constraint coupler_bar: norm(b - a) == coupler;
    constraint rocker_bar: norm(b - [3, 0]) == rocker;

    potential stiffness/2*(norm(b - [5, 3]) - rest)^2;
    force b: -damping*velocity(b);
    force a: 40*[-sin(5*t), cos(5*t)];
    gravity [0, -9.81];
}

const NAMES: [&str; 6] = ["m", "coupler", "rocker", "stiffness", "rest", "damping"];
const TRUE: [f64; 6] = [1.6, 3.1, 2.4, 40.0, 1.2, 0.8];
const GUESS: [f64; 6] = [1.3, 3.0, 2.5, 32.0, 1.0, 0.5];
/// Of the crank where it is let go, in rad.
const ANGLE: f64 = 0.4;
const STEP: f64 = 5e-3;
const NOISE: f64 = 1e-3;

/// Prints the comparisons.
pub fn main() -> Result<(), Box<dyn Error>> {
    let times: Vec<f64> = (0..=40).map(|k| 0.05 * f64::from(k)).collect();
    let seen = watched(&times)?;
    compare_gradients(&Fit::new(&times, &seen, 0.0))?;
    let exact = Fit::new(&times, &seen, 0.0).solve()?;
    println!(
        "\nWithout noise, {} forward and reverse runs, loss {:.1e}:",
        exact.runs, exact.loss
    );
    exact.report();
    for (found, expected) in exact.parameters.iter().zip(TRUE) {
        assert!((found / expected - 1.0).abs() < 1e-7, "{found} {expected}");
    }
    let fit = Fit::new(&times, &seen, NOISE);
    let noisy = fit.solve()?;
    println!("\nWith noise of {NOISE} m, {} runs:", noisy.runs);
    noisy.report();
    // Of as many numbers, six are used up.
    let degrees = (4 * times.len() - 6) as f64;
    let size = (2.0 * noisy.loss / degrees).sqrt();
    println!("\nThe residuals are {:.2} times the noise.", size);
    assert!((size - 1.0).abs() < 3.0 / (2.0 * degrees).sqrt(), "{size}");
    let spread = fit.spread(&noisy)?;
    for i in 0..6 {
        let off = (noisy.parameters[i] - TRUE[i]).abs();
        println!(
            "  {:<10} {:.1} standard deviations off",
            NAMES[i],
            off / spread[i]
        );
        assert!(off < 4.0 * spread[i], "{}: {off} {}", NAMES[i], spread[i]);
    }
    Ok(())
}

fn linkage<T: Real>(p: [T; 6]) -> Linkage<T> {
    let [m, coupler, rocker, stiffness, rest, damping] = p;
    Linkage {
        m,
        coupler,
        rocker,
        stiffness,
        rest,
        damping,
    }
}

/// The pins with the crank at its angle: the rocker's where two circles meet, the upper place of two.
fn let_go<T: Real>(coupler: T, rocker: T) -> SVector<T, 4> {
    let (x, y) = (ANGLE.cos(), ANGLE.sin());
    let (across, up) = (3.0 - x, -y);
    let far = across.hypot(up);
    let (across, up) = (T::lit(across / far), T::lit(up / far));
    let square = T::lit(far * far);
    let along = (coupler * coupler - rocker * rocker + square) * T::lit(0.5 / far);
    let beside = (coupler * coupler - along * along).simd_sqrt();
    SVector::from([
        T::lit(x),
        T::lit(y),
        T::lit(x) + across * along - up * beside,
        T::lit(y) + up * along + across * beside,
    ])
}

fn run(p: [f64; 6]) -> Result<Simulation<Linkage, Rk4>, constraint_runtime::Error> {
    let start = State::new(0.0, let_go(p[1], p[2]), [0.0; 4]);
    Simulation::new(linkage(p), start, Rk4::new(STEP))
}

/// Where the pins are at the times.
fn watched(times: &[f64]) -> Result<Vec<SVector<f64, 4>>, constraint_runtime::Error> {
    let mut run = run(TRUE)?;
    let mut seen = Vec::new();
    for &time in times {
        run.run_until(time)?;
        seen.push(run.state().q);
    }
    Ok(seen)
}

// ---------------------------------------------------------------------------------------------
// The fit

/// What is known: places of the pins.
struct Fit<'a> {
    times: &'a [f64],
    seen: Vec<SVector<f64, 4>>,
}

/// What was found.
struct Found {
    parameters: Vector6<f64>,
    loss: f64,
    runs: usize,
}

impl Fit<'_> {
    fn new<'a>(times: &'a [f64], seen: &[SVector<f64, 4>], noise: f64) -> Fit<'a> {
        let mut random = Normal(7);
        let mut noisy = |it: &SVector<f64, 4>| it.map(|x| x + noise * random.next());
        Fit {
            times,
            seen: seen.iter().map(&mut noisy).collect(),
        }
    }

    /// L = Σ |q − seen|²/(2 σ²), and its slopes.
    fn gradient(&self, p: &Vector6<f64>) -> Result<(f64, Vector6<f64>), constraint_runtime::Error> {
        let found = run((*p).into())?.gradient(self.times, |k, state, slopes| {
            let off = (state.q - self.seen[k]) / NOISE;
            slopes.q += off / NOISE;
            0.5 * off.norm_squared()
        })?;
        let mut slopes = found.by.p;
        // The start moves with the lengths.
        let (coupler, rocker) = (Dual64::from(p[1]), Dual64::from(p[2]));
        let moved = [
            let_go(coupler.derivative(), rocker),
            let_go(coupler, rocker.derivative()),
        ];
        for (i, moved) in [1, 2].into_iter().zip(moved) {
            slopes[i] += found.by.q.dot(&moved.map(|q| q.eps));
        }
        Ok((found.loss, slopes))
    }

    /// The least sum of squares, over parameters in units of their guesses.
    fn solve(&self) -> Result<Found, constraint_runtime::Error> {
        let unit = Vector6::from(GUESS);
        let mut runs = 0;
        let mut at = |x: &Vector6<f64>| {
            runs += 1;
            let (loss, slopes) = self.gradient(&x.component_mul(&unit))?;
            Ok::<_, constraint_runtime::Error>((loss, slopes.component_mul(&unit)))
        };
        let mut x = Vector6::repeat(1.0);
        let (mut loss, mut slopes) = at(&x)?;
        // At first down the slope, by two parts in a hundred.
        let mut inverse = Matrix6::identity() * (0.02 / slopes.norm());
        for iteration in 0..300 {
            let way = -inverse * slopes;
            let descent = slopes.dot(&way);
            // What rounding leaves of the loss.
            if -descent < 1e-14 * (1.0 + loss) {
                break;
            }
            let mut part = (0.3 / way.amax()).min(1.0);
            let (next, next_loss, next_slopes) = loop {
                let next = x + part * way;
                match at(&next) {
                    Ok((there, by)) if there <= loss + 1e-4 * part * descent => {
                        break (next, there, by);
                    }
                    _ if part < 1e-10 => break (x, loss, slopes),
                    _ => part *= 0.4,
                }
            };
            let (moved, bend) = (next - x, next_slopes - slopes);
            let curvature = moved.dot(&bend);
            if moved.amax() == 0.0 {
                break;
            }
            if curvature > 0.0 {
                if iteration == 0 {
                    inverse = Matrix6::identity() * (curvature / bend.norm_squared());
                }
                let left = Matrix6::identity() - moved * bend.transpose() / curvature;
                inverse = left * inverse * left.transpose() + moved * moved.transpose() / curvature;
            }
            (x, loss, slopes) = (next, next_loss, next_slopes);
        }
        Ok(Found {
            parameters: x.component_mul(&unit),
            loss,
            runs,
        })
    }

    /// Standard deviations: roots of the diagonal of the inverse Hessian, which consists of differences of gradients.
    fn spread(&self, found: &Found) -> Result<Vector6<f64>, Box<dyn Error>> {
        let mut hessian = Matrix6::zeros();
        for i in 0..6 {
            let step = 1e-5 * found.parameters[i];
            let at = |by: f64| {
                let mut p = found.parameters;
                p[i] += by;
                self.gradient(&p)
            };
            let column = (at(step)?.1 - at(-step)?.1) / (2.0 * step);
            hessian.set_column(i, &column);
        }
        let inverse = hessian.try_inverse().ok_or("the data say too little")?;
        Ok(inverse.diagonal().map(f64::sqrt))
    }
}

impl Found {
    fn report(&self) {
        for (i, name) in NAMES.iter().enumerate() {
            let (found, expected) = (self.parameters[i], TRUE[i]);
            println!("  {name:<10} {found:>12.8}   true {expected}");
        }
    }
}

/// The gradient at the guess against differences of fourth order.
fn compare_gradients(fit: &Fit<'_>) -> Result<(), Box<dyn Error>> {
    let p = Vector6::from(GUESS);
    let (_, slopes) = fit.gradient(&p)?;
    println!("At the guess          by the gradient    by differences");
    for i in 0..6 {
        let step = 1e-3 * p[i];
        let at = |by: f64| {
            let mut p = p;
            p[i] += by;
            fit.gradient(&p).map(|(loss, _)| loss)
        };
        let [far, near] =
            [2.0 * step, step].map(|by| Ok::<f64, Box<dyn Error>>(at(by)? - at(-by)?));
        let expected = (8.0 * near? - far?) / (12.0 * step);
        println!(
            "  ∂L/∂{:<10} {:>18.6} {expected:>17.6}",
            NAMES[i], slopes[i]
        );
        let off = (slopes[i] - expected).abs() * p[i] / slopes.component_mul(&p).amax();
        assert!(off < 1e-8, "{}: {off}", NAMES[i]);
    }
    Ok(())
}

/// Nearly normal numbers: sums of twelve even ones, less their mean.
struct Normal(u64);

impl Normal {
    fn next(&mut self) -> f64 {
        let mut even = || {
            // Knuth's multiplier, as in MMIX.
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..12).map(|_| even()).sum::<f64>() - 6.0
    }
}
