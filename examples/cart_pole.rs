//! A pole on a cart, swung up and held upright by a feedback law: a system with an input.
//!
//! The law gives the push on the cart as a function of the state and is evaluated at every stage of the integrator.
//! Far from the top it brings the energy of the pole to that of the upright position at rest (Åström and Furuta). Near
//! the top it is linear, with gains that place the poles of the linearised closed loop.
//! Checks: the accelerations are those of the textbooks, small deviations decay at the chosen rates, and the work of
//! the push is the change of the energy.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians from upright.

use std::error::Error;
use std::f64::consts::{PI, TAU};

use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Line, Panel, color, evenly};

system! {
    /// A cart on a rail and a bob on a massless pole, pushed along the rail.
    pub struct CartPole { m_cart: Real = 1, m_bob: Real = 0.2, l: Real = 0.5, g: Real = 9.81 }

    input push;
    coordinate x, angle;
    particle cart = [x, 0] { mass: m_cart }
    particle bob = cart + l*[sin(angle), cos(angle)] { mass: m_bob }

    potential m_bob*g*bob.y;
    force x: push;
}

const STEP: f64 = 1e-3;
const END: f64 = 12.0;
/// What the figure shows of that.
const SHOWN: f64 = 6.0;
/// Poles of the linearised loop near the top, in 1/s.
const POLES: [f64; 4] = [-2.0, -3.0, -4.0, -5.0];

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!(
        "M =\n{}\n\nh =\n{}\n",
        CartPole::DERIVATION.entry("mass_matrix").text,
        CartPole::DERIVATION.entry("applied").text
    );
    println!("v̇ in {}\n", CartPole::DERIVATION.entry("acceleration").cost);
    compare_accelerations()?;
    compare_decays()?;
    let swing_up = SwingUp::new()?;
    swing_up.report();
    let path = plot::write_svg("cart_pole", figure(&swing_up))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

fn cart_pole() -> CartPole {
    CartPole::default()
}

// ---------------------------------------------------------------------------------------------
// At single states

/// Both accelerations against those of the textbooks:
///
/// ```text
/// ẍ = (u + m l θ̇² sin θ − m g sin θ cos θ)/(M + m sin² θ)      θ̈ = (g sin θ − ẍ cos θ)/l
/// ```
fn compare_accelerations() -> Result<(), Box<dyn Error>> {
    let CartPole {
        m_cart,
        m_bob,
        l,
        g,
    } = cart_pole();
    let mut worst = 0.0_f64;
    for i in 0..24 * 24 {
        let (angle, push) = (TAU * f64::from(i / 24) / 24.0, f64::from(i % 24) - 12.0);
        let (rate, (sin, cos)) = (0.5 * push - angle, angle.sin_cos());
        let cart =
            (push + m_bob * sin * (l * rate * rate - g * cos)) / (m_cart + m_bob * sin * sin);
        let expected = Vector2::new(cart, (g * sin - cart * cos) / l);
        let held = cart_pole().with_inputs(CartPoleInputs { push });
        let found = held.acceleration(0.0, &[0.3, angle].into(), &[-0.7, rate].into())?;
        worst = worst.max((found - expected).norm() / (1.0 + expected.norm()));
    }
    println!(
        "At {} states the accelerations differ from the textbooks' by at most {worst:.0e}.\n",
        24 * 24
    );
    assert!(worst < 1e-14, "{worst:e}");
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// The law

/// A push that is linear in the deviation from upright: u = k₀ x + k₁ ẋ + k₂ θ + k₃ θ̇.
struct Gains([f64; 4]);

impl Gains {
    /// The gains for these poles. With M l s⁴-normalised coefficients a of the wanted polynomial,
    ///
    /// ```text
    /// s⁴ + (k₂ + k₃ s − (M + m) g − l (k₀ + k₁ s)) s²/(M l) + g (k₀ + k₁ s)/(M l) = Σ aᵢ sⁱ
    /// ```
    fn placing([p, q, r, s]: [f64; 4]) -> Self {
        let CartPole {
            m_cart,
            m_bob,
            l,
            g,
        } = cart_pole();
        let a = [
            p * q * r * s,
            -(p * q * r + p * q * s + p * r * s + q * r * s),
            p * q + p * r + p * s + q * r + q * s + r * s,
            -(p + q + r + s),
        ];
        let inertia = m_cart * l;
        let [x, x_dot] = [a[0] * inertia / g, a[1] * inertia / g];
        let angle = a[2] * inertia + (m_cart + m_bob) * g + l * x;
        Self([x, x_dot, angle, a[3] * inertia + l * x_dot])
    }

    fn push(&self, state: [f64; 4]) -> f64 {
        self.0.iter().zip(state).map(|(gain, x)| gain * x).sum()
    }
}

/// θ between −π and π.
fn from_upright(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}

/// Swings up where the pole is far from upright, balances where it is near.
fn law(gains: &Gains, q: &CartPoleCoordinates, v: &CartPoleVelocities) -> CartPoleInputs {
    let (angle, rate) = (from_upright(q.angle), v.angle);
    let push = if angle.abs() + 0.2 * rate.abs() < 0.6 {
        gains.push([q.x, v.x, angle, rate])
    } else {
        swing_up_push(q.x, v.x, angle, rate)
    };
    CartPoleInputs { push }
}

/// The push that gives the cart the acceleration κ e θ̇ cos θ − (what keeps it near the middle).
///
/// With e = ½ l θ̇² + g (cos θ − 1), which is zero standing upright, ė = −ẍ θ̇ cos θ: e decays.
///
/// # Source
/// K. J. Åström, K. Furuta, *Swinging up a pendulum by energy control*, Automatica 36 (2000).
fn swing_up_push(x: f64, x_dot: f64, angle: f64, rate: f64) -> f64 {
    let CartPole {
        m_cart,
        m_bob,
        l,
        g,
    } = cart_pole();
    let (sin, cos) = angle.sin_cos();
    let excess = 0.5 * l * rate * rate + g * (cos - 1.0);
    let wanted = 0.2 * excess * rate * cos - 5.0 * x - 2.0 * x_dot;
    (m_cart + m_bob * sin * sin) * wanted - m_bob * sin * (l * rate * rate - g * cos)
}

/// Small deviations in the shape of each mode of the closed loop decay with its pole.
fn compare_decays() -> Result<(), Box<dyn Error>> {
    let CartPole {
        m_cart, m_bob, g, ..
    } = cart_pole();
    let Gains([k0, k1, k2, k3]) = Gains::placing(POLES);
    println!("Decay of small deviations under the linear law, in 1/s\n\nprescribed  found");
    for pole in POLES {
        // (M s² − k₀ − k₁ s) x + (m g − k₂ − k₃ s) θ = 0
        let x = 1e-6;
        let angle = -(m_cart * pole * pole - k0 - k1 * pole) / (m_bob * g - k2 - k3 * pole) * x;
        let start = State::new(0.0, [x, angle], [pole * x, pole * angle]);
        let gains = Gains::placing(POLES);
        let upright = cart_pole().controlled_by(move |_t, q, v| law(&gains, q, v));
        let mut run = Simulation::new(upright, start, Rk4::new(STEP))?;
        run.run_until(0.5)?;
        let found = (run.coordinates().angle / angle).ln() / 0.5;
        println!("{pole:>10} {found:>9.7}");
        assert!(
            (found / pole - 1.0).abs() < 1e-6,
            "{found} instead of {pole}"
        );
    }
    println!();
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// The swing

/// From hanging almost still to standing upright.
struct SwingUp {
    samples: Vec<Sample>,
    /// Largest |E − E₀ − ∫ u ẋ dt|, in J.
    work_off: f64,
}

struct Sample {
    t: f64,
    x: f64,
    angle: f64,
    /// The angle with its full turns.
    turned: f64,
    push: f64,
    energy: f64,
}

impl SwingUp {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let gains = &Gains::placing(POLES);
        let controlled = cart_pole().controlled_by(move |_t, q, v| law(gains, q, v));
        let start = State::new(0.0, [0.0, PI - 0.1], [0.0; 2]);
        let mut run = Simulation::new(controlled, start, Rk4::new(STEP))?;
        let initial = run.energy();
        let mut swing = Self {
            samples: vec![],
            work_off: 0.0,
        };
        let (mut work, mut power) = (0.0, 0.0);
        while run.state().t < END {
            run.step()?;
            let (q, v) = (run.coordinates(), run.velocities());
            let CartPoleInputs { push } = law(gains, &q, &v);
            work += 0.5 * STEP * (power + push * v.x);
            power = push * v.x;
            let energy = run.energy();
            swing.work_off = swing.work_off.max((energy - initial - work).abs());
            let (t, angle) = (run.state().t, from_upright(q.angle));
            swing.samples.push(Sample {
                t,
                x: q.x,
                angle,
                turned: q.angle,
                push,
                energy,
            });
        }
        Ok(swing)
    }

    fn report(&self) {
        println!("Swung up from 0.1 rad off hanging, RK4 with steps of {STEP} s\n");
        println!("t/s       x/m     θ/rad     push/N      E/J");
        for Sample {
            t,
            x,
            angle,
            push,
            energy,
            ..
        } in self.samples.iter().skip(999).step_by(1000)
        {
            println!("{t:>3.0} {x:>9.4} {angle:>9.4} {push:>10.4} {energy:>8.4}");
        }
        let last = &self.samples[self.samples.len() - 1];
        println!(
            "\nThe change of the energy is the work of the push, summed by trapezoids, within {:.0e} J.",
            self.work_off
        );
        let caught = self
            .samples
            .iter()
            .rposition(|sample| sample.angle.abs() > 0.1);
        let caught = caught.map_or(0.0, |i| self.samples[i].t);
        println!(
            "From {caught:.1} s on, the pole stays within 0.1 rad of upright; at the end |θ| = {:.0e} rad.",
            last.angle.abs()
        );
        // Half a step of the jump in the push where the law changes.
        assert!(self.work_off < 5e-3, "{}", self.work_off);
        assert!(
            caught < END - 5.0,
            "the pole stands only from {caught} s on"
        );
        assert!(
            last.angle.abs() < 1e-3 && last.x.abs() < 1e-2,
            "{} {}",
            last.angle,
            last.x
        );
    }
}

// ---------------------------------------------------------------------------------------------
// The figure

fn figure(swing: &SwingUp) -> [(u32, Vec<Panel>); 2] {
    let l = cart_pole().l;
    let shown = &swing.samples[..(SHOWN / STEP) as usize];
    let frames = || evenly(shown, 160);
    let bob = |s: &Sample| (s.x + l * s.angle.sin(), l * s.angle.cos());
    let (wide, high) = (0.14, 0.06);
    let cart = [(-wide, -high), (wide, -high), (wide, high), (-wide, high)];
    let drawing = Panel::drawing("Swung up and held, in real time", SHOWN)
        .x(-1.2, 1.2)
        .y(-0.6, 0.6)
        .with(Line::curve(
            "",
            color::GREY,
            2.0,
            [(-1.2, -high), (1.2, -high)],
        ))
        .with(Line::trail(
            color::VERMILION,
            1.5,
            evenly(shown, 600).map(bob),
        ))
        .with(Line::area(
            color::BLUE,
            frames().map(|s| cart.map(|(x, y)| (s.x + x, y)).into()),
        ))
        .with(Line::bars(
            color::BLACK,
            3.0,
            frames().map(|s| vec![(s.x, 0.0), bob(s)]),
        ))
        .with(Line::dots(
            color::VERMILION,
            14.0,
            frames().map(|s| vec![bob(s)]),
        ));
    let chart = |title, y_label, of: fn(&Sample) -> f64| {
        let points = shown.iter().map(|s| (s.t, of(s)));
        Panel::over_time(title, y_label, SHOWN).with(Line::curve("", color::BLUE, 1.5, points))
    };
    [
        (340, vec![drawing]),
        (
            230,
            vec![
                chart("Angle from upright", "θ in rad", |s| s.turned),
                chart("Push on the cart", "u in N", |s| s.push),
                chart("Energy", "E in J", |s| s.energy),
            ],
        ),
    ]
}
