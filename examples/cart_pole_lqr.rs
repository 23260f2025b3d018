//! A pole on a cart, balanced by the linear law of least cost: A and B are generated, not derived by hand.
//!
//! `#[derivatives]` gives A = ∂v̇/∂(q, v) and B = ∂v̇/∂u at the upright state. The law u = −K x that minimises ∫ xᵀ Q
//! x + R u² dt is K = R⁻¹ Bᵀ P with the stabilising solution P of Riccati's equation Aᵀ P + P A − P B R⁻¹ Bᵀ P + Q =
//! 0, computed from the sign of its Hamiltonian matrix.
//!
//! Checks: A and B are those of the textbooks, P solves its equation, all poles of the closed loop are in the left
//! half-plane, and a run of the nonlinear system from a small deviation x₀ costs x₀ᵀ P x₀.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians from upright.
//!
//! # Source
//! J. D. Roberts, *Linear model reduction and solution of the algebraic Riccati equation by use of the sign function*,
//! International Journal of Control 32 (1980).

use std::error::Error;

use constraint_runtime::nalgebra::{Matrix4, RowVector4, Vector4};
use constraint_runtime::prelude::*;

system! {
    /// A cart on a rail and a bob on a massless pole, pushed along the rail.
    #[derivatives]
    pub struct CartPole { m_cart: Real = 1, m_bob: Real = 0.2, l: Real = 0.5, g: Real = 9.81 }

    input push;
    coordinate x, angle;
    particle cart = [x, 0] { mass: m_cart }
    particle bob = cart + l*[sin(angle), cos(angle)] { mass: m_bob }

    gravity [0, -g];
    force x: push;
}

const STEP: f64 = 1e-3;
const END: f64 = 10.0;
/// What a deviation of 1 costs a second: of x, θ, ẋ and θ̇.
const COST: [f64; 4] = [10.0, 1.0, 1.0, 1.0];
/// What a push of 1 N costs a second.
const COST_OF_PUSH: f64 = 0.1;

/// Prints the comparisons.
pub fn main() -> Result<(), Box<dyn Error>> {
    let law = Law::new()?;
    println!("u = −K x with K = {:.4?}\n", law.gain.as_slice());
    println!("Poles of the closed loop:");
    for pole in law.closed_loop().complex_eigenvalues().iter() {
        println!("{:>9.4} {:+.4}i", pole.re, pole.im);
        assert!(pole.re < 0.0, "{pole} grows");
    }
    compare_cost(&law)?;
    balance(&law)
}

// ---------------------------------------------------------------------------------------------
// The law

/// ẋ = A x + B u about the upright state, what the motion costs from there, and the law that costs least.
struct Law {
    a: Matrix4<f64>,
    b: Vector4<f64>,
    riccati: Matrix4<f64>,
    gain: RowVector4<f64>,
}

impl Law {
    fn new() -> Result<Self, Box<dyn Error>> {
        let (a, b) = linearized()?;
        let riccati = riccati(&a, &b).ok_or("the Hamiltonian has poles on the axis")?;
        let gain = b.transpose() * riccati / COST_OF_PUSH;
        Ok(Self {
            a,
            b,
            riccati,
            gain,
        })
    }

    fn closed_loop(&self) -> Matrix4<f64> {
        self.a - self.b * self.gain
    }

    fn push(&self, state: &Vector4<f64>) -> f64 {
        -(self.gain * state)[0]
    }
}

/// The matrices of the first-order system (q̇, v̇), against those of the textbooks.
fn linearized() -> Result<(Matrix4<f64>, Vector4<f64>), Box<dyn Error>> {
    let system = CartPole::<f64>::default();
    let upright = system.with_inputs(CartPoleInputs::default());
    let still = Vector2::zeros();
    let Linearization { a: rows, b, p: _ } = upright.linearize(0.0, &still, &still)?;
    let mut a = Matrix4::zeros();
    a.fixed_view_mut::<2, 2>(0, 2).fill_with_identity();
    a.fixed_view_mut::<2, 4>(2, 0).copy_from(&rows);
    let b = Vector4::new(0.0, 0.0, b[0], b[1]);
    let CartPole {
        m_cart,
        m_bob,
        l,
        g,
    } = system;
    let by_hand = [
        (a[(2, 1)], -m_bob * g / m_cart),
        (a[(3, 1)], (m_cart + m_bob) * g / (m_cart * l)),
        (b[2], 1.0 / m_cart),
        (b[3], -1.0 / (m_cart * l)),
    ];
    for (found, expected) in by_hand {
        assert!((found / expected - 1.0).abs() < 1e-14, "{found} {expected}");
    }
    Ok((a, b))
}

/// P of Aᵀ P + P A − P B R⁻¹ Bᵀ P + Q = 0 by the sign W of H = (A, −B R⁻¹ Bᵀ; −Q, −Aᵀ): (1, P) spans what decays, so
/// that (W + 1) (1, P) = 0. `None` where H has no sign.
fn riccati(a: &Matrix4<f64>, b: &Vector4<f64>) -> Option<Matrix4<f64>> {
    let cost = Matrix4::from_diagonal(&Vector4::from(COST));
    let push = b * b.transpose() / COST_OF_PUSH;
    let mut sign = SMatrix::<f64, 8, 8>::zeros();
    sign.fixed_view_mut::<4, 4>(0, 0).copy_from(a);
    sign.fixed_view_mut::<4, 4>(0, 4).copy_from(&-push);
    sign.fixed_view_mut::<4, 4>(4, 0).copy_from(&-cost);
    sign.fixed_view_mut::<4, 4>(4, 4).copy_from(&-a.transpose());
    // Newton's iteration for W² = 1, quadratic once the poles are near ±1.
    for _ in 0..40 {
        sign = (sign + sign.try_inverse()?) * 0.5;
    }
    let decaying = sign + SMatrix::<f64, 8, 8>::identity();
    let (left, right) = (
        decaying.fixed_columns::<4>(0),
        decaying.fixed_columns::<4>(4),
    );
    let normal = (right.transpose() * right).try_inverse()?;
    let found = -normal * right.transpose() * left;
    let rest = a.transpose() * found + found * a - found * push * found + cost;
    println!(
        "Riccati's equation is solved within {:.0e} of its largest entry.\n",
        rest.amax() / found.amax()
    );
    assert!(rest.amax() < 1e-10 * found.amax(), "{rest}");
    Some(found)
}

// ---------------------------------------------------------------------------------------------
// The motion

/// (q, v) as one column.
fn state(q: &CartPoleCoordinates, v: &CartPoleVelocities) -> Vector4<f64> {
    Vector4::new(q.x, q.angle, v.x, v.angle)
}

/// What a run costs, by Simpson's rule over pairs of steps, and where it ends.
fn run(law: &Law, tilt: f64) -> Result<(f64, Vector4<f64>), constraint_runtime::Error> {
    let controlled = CartPole::default().controlled_by(|_t, q, v| CartPoleInputs {
        push: law.push(&state(q, v)),
    });
    let start = State::new(0.0, [0.0, tilt], [0.0; 2]);
    let mut run = Simulation::new(controlled, start, Rk4::new(STEP))?;
    let mut costs = Vec::new();
    let steps = (END / STEP) as usize;
    for step in 0..=steps {
        let x = state(&run.coordinates(), &run.velocities());
        let deviation = Vector4::from(COST).component_mul(&x).dot(&x);
        costs.push(deviation + COST_OF_PUSH * law.push(&x).powi(2));
        if step < steps {
            run.step()?;
        }
    }
    let pairs = costs.windows(3).step_by(2);
    let cost = pairs.map(|c| (c[0] + 4.0 * c[1] + c[2]) * STEP / 3.0).sum();
    Ok((cost, state(&run.coordinates(), &run.velocities())))
}

/// A small start costs x₀ᵀ P x₀.
fn compare_cost(law: &Law) -> Result<(), Box<dyn Error>> {
    let tilt = 1e-3;
    let start = Vector4::new(0.0, tilt, 0.0, 0.0);
    let expected = start.dot(&(law.riccati * start));
    let (found, _) = run(law, tilt)?;
    let off = (found / expected - 1.0).abs();
    println!(
        "\nFrom a tilt of {tilt} rad: cost {found:.6e}; the linear model predicts {expected:.6e}."
    );
    assert!(off < 1e-4, "{found} {expected}");
    Ok(())
}

/// A tilt of half a radian is caught, too.
fn balance(law: &Law) -> Result<(), Box<dyn Error>> {
    let (cost, end) = run(law, 0.5)?;
    println!(
        "From a tilt of 0.5 rad: cost {cost:.3}; after {END} s the state is within {:.0e} of upright rest.",
        end.amax()
    );
    assert!(end.amax() < 1e-3, "{end}");
    Ok(())
}
