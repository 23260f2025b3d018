//! Six bodies and six hinges in a ring. By the count of degrees of freedom it cannot move, yet it turns inside out
//! forever.
//!
//! Thirty rows constrain six bodies with 36 velocities, so a ring of hinges is rigid in general. Bricard's rings move
//! nevertheless, because one of their rows follows from the others wherever the ring is closed. The first step finds
//! the rows singular; from then on they are solved by least squares. The bodies are regular tetrahedra (a
//! kaleidocycle), and no force acts on them. Everything is known in closed form as a function of the tilt of one
//! hinge: poses, the relation between the angles of neighbouring hinges, and, from the energy, the period.
//! Lengths are in metres, times in seconds, masses in kilograms, angles in radians.

use std::error::Error;
use std::f64::consts::TAU;

use constraint_runtime::nalgebra::{DMatrix, Matrix3, Rotation3, UnitQuaternion};
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Face, Line, Panel, View, color};

system! {
    /// A ring of tetrahedra: each turns about its x axis against the one before, about its y axis against the next.
    #[redundant(least_squares)]
    pub struct Ring { m: Real = 1, inertia: Real = 0.1, l: Real = 1 }

    body link[6]: Rigid3 { mass: m, inertia: [inertia, inertia, inertia] }
    for i in 1..6 {
        constraint hinge[i]: [
            at(link[i], [0, 0, -l/2]) == at(link[i-1], [0, 0, l/2]),
            dot(dir(link[i], [1, 0, 0]), dir(link[i-1], [1, 0, 0])),
            dot(dir(link[i], [1, 0, 0]), dir(link[i-1], [0, 0, 1])),
        ];
    }
    constraint last: [
        at(link[0], [0, 0, -l/2]) == at(link[5], [0, 0, l/2]),
        dot(dir(link[0], [1, 0, 0]), dir(link[5], [1, 0, 0])),
        dot(dir(link[0], [1, 0, 0]), dir(link[5], [0, 0, 1])),
    ];
}

system! {
    /// The same ring without leave to be redundant.
    pub struct Refused { m: Real = 1, inertia: Real = 0.1, l: Real = 1 }

    body link[6]: Rigid3 { mass: m, inertia: [inertia, inertia, inertia] }
    for i in 1..6 {
        constraint hinge[i]: [
            at(link[i], [0, 0, -l/2]) == at(link[i-1], [0, 0, l/2]),
            dot(dir(link[i], [1, 0, 0]), dir(link[i-1], [1, 0, 0])),
            dot(dir(link[i], [1, 0, 0]), dir(link[i-1], [0, 0, 1])),
        ];
    }
    constraint last: [
        at(link[0], [0, 0, -l/2]) == at(link[5], [0, 0, l/2]),
        dot(dir(link[0], [1, 0, 0]), dir(link[5], [1, 0, 0])),
        dot(dir(link[0], [1, 0, 0]), dir(link[5], [0, 0, 1])),
    ];
}

/// Rate of the tilt at the start, and the tilt there.
const RATE: f64 = 2.0;
const TILT: f64 = 0.4;
/// Parts of half a turn of the hinge, after which each link has changed its hinges' senses, and the ring its shape not
/// at all. Thirty rows by least squares are slow where nothing is optimised.
const PARTS: u32 = if cfg!(debug_assertions) { 25 } else { 100 };

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    println!("Derived when this program was compiled\n");
    println!(
        "{}\nv̇ in {}\n",
        Ring::DERIVATION.entry("solver").text,
        Ring::DERIVATION.entry("acceleration").cost
    );
    count_freedoms();
    refuse()?;
    let turn = Turn::new()?;
    turn.report();
    let path = plot::write_svg("bricard", turn.figure())?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// In closed form

/// The first tetrahedron at one tilt β of its x axis, and how it moves as β grows.
///
/// The axes of the hinges lie in three planes through z, 60° apart. By this symmetry, one link determines all:
///
/// ```text
/// x = (cos β, 0, sin β)    y ∝ (cos 60° · 2 sin β, sin 60° · 2 sin β, −cos β)    z = x×y
/// ```
///
/// y is at right angles to x and in its plane; z leads from hinge to hinge, and the centre is at height 0.
struct Closed {
    /// x, y, z and their derivatives by β.
    axes: [Vector3<f64>; 3],
    slopes: [Vector3<f64>; 3],
}

impl Closed {
    fn at(tilt: f64) -> Self {
        let (sin, cos) = tilt.sin_cos();
        let (x, x_slope) = (Vector3::new(cos, 0.0, sin), Vector3::new(-sin, 0.0, cos));
        // y is tilted by γ, tan β tan γ = −½; dγ/dβ = 2/(1 + 3 sin² β)
        let (gamma_sin, gamma_cos) = f64::atan2(-cos, 2.0 * sin).sin_cos();
        let ratio = 2.0 / (1.0 + 3.0 * sin * sin);
        let (side_sin, side_cos) = (TAU / 6.0).sin_cos();
        let y = Vector3::new(gamma_cos * side_cos, gamma_cos * side_sin, gamma_sin);
        let y_slope = Vector3::new(-gamma_sin * side_cos, -gamma_sin * side_sin, gamma_cos) * ratio;
        Self {
            axes: [x, y, x.cross(&y)],
            slopes: [x_slope, y_slope, x_slope.cross(&y) + x.cross(&y_slope)],
        }
    }

    /// The centre of a link whose z axis this is: its hinges lie in the planes y = 0 and y = √3 x.
    fn center(z: &Vector3<f64>, length: f64) -> Vector3<f64> {
        Vector3::new(z.y / 3.0_f64.sqrt() - z.x / 2.0, z.y / 2.0, 0.0) * length
    }

    /// ω per β̇, from ė = ω×e.
    fn spin(&self) -> Vector3<f64> {
        let turned = self.axes.iter().zip(&self.slopes);
        turned
            .map(|(e, slope)| e.cross(slope))
            .sum::<Vector3<f64>>()
            / 2.0
    }

    /// I(β) of the kinetic energy ½ I β̇² of all six.
    fn inertia(&self, ring: &Ring) -> f64 {
        let speed = Self::center(&self.slopes[2], ring.l).norm_squared();
        6.0 * (ring.m * speed + ring.inertia * self.spin().norm_squared())
    }
}

/// The links in their places, moving with β̇ = `rate`.
fn start(tilt: f64, rate: f64, length: f64) -> State<SVector<f64, 42>, SVector<f64, 36>> {
    let (mut q, mut v) = (RingCoordinates::default(), RingVelocities::default());
    for i in 0..6 {
        (q.link[i], v.link[i]) = placed(&Closed::at(tilt), i, rate, length);
    }
    State::new(0.0, q, v)
}

/// Link `i`: of the first in the thirds of a turn, and of its mirror image in the plane of its y axis.
fn placed(first: &Closed, i: usize, rate: f64, length: f64) -> (Rigid3, Twist3) {
    let third = Rotation3::from_axis_angle(&Vector3::z_axis(), TAU / 3.0 * (i / 2) as f64);
    let (sin, cos) = (TAU / 6.0).sin_cos();
    let normal = Vector3::new(-sin, cos, 0.0);
    let mirror = Matrix3::identity() - normal * normal.transpose() * 2.0;
    let odd = i % 2 == 1;
    let here = third.matrix() * if odd { mirror } else { Matrix3::identity() };
    let [x, y, z] = first.axes.map(|axis| here * axis);
    // Mirrored, y comes first and z points back; the sense of a hinge's axis is nothing.
    let frame = if odd { [y, -x, -z] } else { [x, y, z] };
    let turn = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&frame));
    let center = here * Closed::center(&first.axes[2], length);
    let place = Rigid3::from_parts(center.into(), UnitQuaternion::from_rotation_matrix(&turn));
    let twist = Twist3 {
        linear: here * Closed::center(&first.slopes[2], length) * rate,
        // A spin turns over in a mirror.
        angular: here * first.spin() * (rate * here.determinant()),
    };
    (place, twist)
}

/// ∫ dβ/β̇ from the start over the angle `turned`, by Simpson's rule.
fn time_of(ring: &Ring, energy: f64, turned: f64) -> f64 {
    let n = 1000;
    let h = turned / f64::from(2 * n);
    let slowness = |i| (Closed::at(TILT + h * f64::from(i)).inertia(ring) / (2.0 * energy)).sqrt();
    let pair = |i: u32| slowness(2 * i) + 4.0 * slowness(2 * i + 1) + slowness(2 * i + 2);
    (0..n).map(pair).sum::<f64>() * h / 3.0
}

// ---------------------------------------------------------------------------------------------
// What is redundant

/// The freedoms that J leaves: closed, and with one link a little out of place.
fn count_freedoms() {
    let ring = Ring::default();
    let State { t, q, .. } = start(TILT, RATE, ring.l);
    let freedoms = |q| {
        let jacobian = ring.jacobian(t, &q);
        let rank = DMatrix::from_column_slice(30, 36, jacobian.as_slice()).rank(1e-6);
        36 - rank
    };
    let mut ajar = RingCoordinates::from(q);
    ajar.link[0].append_rotation_wrt_center_mut(&UnitQuaternion::from_euler_angles(0.1, 0.2, 0.3));
    let (closed, open) = (freedoms(q), freedoms(ajar.into()));
    println!("30 rows, 36 velocities; remaining degrees of freedom\n");
    println!("the ring closed              {closed}: six of the rigid ring, one of the mechanism");
    println!("one link out of place        {open}\n");
    assert_eq!((closed, open), (7, 6));
}

/// Without leave, the first step says which row is too much.
fn refuse() -> Result<(), constraint_runtime::Error> {
    let start = start(TILT, RATE, 1.0);
    let refused = Simulation::new(Refused::default(), start, Rk4::new(1e-3))?.step();
    let error = refused.expect_err("rows depend on each other");
    println!("Without #[redundant(least_squares)]\n\n{error}\n");
    assert!(matches!(error, constraint_runtime::Error::Singular { .. }));
    Ok(())
}

// ---------------------------------------------------------------------------------------------
// The motion

struct Turn {
    /// How far the hinge has turned in the end.
    turned: f64,
    /// The time of that as simulated, and from the closed form.
    times: [f64; 2],
    /// t with cos θ of both kinds of hinges.
    angles: Vec<(f64, [f64; 2])>,
    /// The ways of both ends of the first hinge, in its plane.
    ends: [Vec<(f64, f64)>; 2],
    /// The poses of all links.
    poses: Vec<[Rigid3; 6]>,
    /// Largest differences: of a centre from its closed form, of 1 from the relation between the angles.
    place: f64,
    relation: f64,
    /// Largest |C|, |E/E₀ − 1|, and momentum against m l β̇.
    drift: f64,
    energy: f64,
    momentum: f64,
}

impl Turn {
    fn new() -> Result<Self, constraint_runtime::Error> {
        let ring = Ring::default();
        let start = start(TILT, RATE, ring.l);
        let mut run = Simulation::new(ring, start, DormandPrince::new(1e-9, 1e-9))?
            .with_stabilization(Stabilization::Projection { tolerance: 1e-13 });
        let energy = run.energy();
        let end = time_of(&ring, energy, TAU / 2.0);
        let mut turn = Self {
            turned: 0.0,
            times: [0.0; 2],
            angles: vec![],
            ends: [vec![], vec![]],
            poses: vec![],
            place: 0.0,
            relation: 0.0,
            drift: 0.0,
            energy: 0.0,
            momentum: 0.0,
        };
        for i in 0..=PARTS {
            run.run_until(end * f64::from(i) / f64::from(PARTS))?;
            turn.drift = turn.drift.max(run.drift());
            turn.energy = turn.energy.max((run.energy() / energy - 1.0).abs());
            turn.look(run.state().t, &run.coordinates(), &run.velocities());
        }
        turn.turned = (tilt(&run.coordinates()) - TILT).rem_euclid(TAU);
        turn.times = [run.state().t, time_of(&ring, energy, turn.turned)];
        Ok(turn)
    }

    fn look(&mut self, t: f64, q: &RingCoordinates, v: &RingVelocities) {
        let closed = Closed::at(tilt(q));
        let center = Closed::center(&closed.axes[2], 1.0);
        let off = q.link[0].translation.vector - center;
        self.place = self.place.max(off.norm());
        let along = q.link.map(|link| link.rotation * Vector3::z());
        let cosines = [along[5].dot(&along[0]), along[0].dot(&along[1])];
        let [a, b] = cosines;
        self.relation = self.relation.max((a + b + a * b).abs());
        self.angles.push((t, cosines));
        for (way, sign) in self.ends.iter_mut().zip([1.0, -1.0]) {
            // An edge of a tetrahedron is √2 times as long as the distance of opposite ones.
            let end = q.link[0] * Point3::new(sign / 2.0_f64.sqrt(), 0.0, -0.5);
            way.push((end.x, end.z));
        }
        self.poses.push(q.link);
        self.momentum = self.momentum.max(momentum(q, v).amax());
    }

    fn report(&self) {
        let [found, expected] = self.times;
        println!(
            "Released with β̇ = {RATE}/s, until β has grown by {:.6}\n",
            self.turned
        );
        println!("time as simulated            {found:.10} s");
        println!("∫ √(I/2E) dβ                 {expected:.10} s");
        println!("largest difference");
        println!("  of a centre                {:.0e} m", self.place);
        println!(
            "  of cos θ + cos φ + cos θ cos φ from 0  {:.0e}",
            self.relation
        );
        println!("  of the energy              {:.0e}", self.energy);
        println!("  of the momenta from 0      {:.0e}", self.momentum);
        println!("largest gap of a hinge       {:.0e} m", self.drift);
        assert!((found / expected - 1.0).abs() < 1e-7, "{found} {expected}");
        assert!(self.place < 1e-7 && self.relation < 1e-7);
        assert!(self.energy < 1e-7 && self.momentum < 1e-7 && self.drift < 1e-12);
    }

    fn figure(&self) -> [(u32, Vec<Panel>); 1] {
        let seconds = 8.0;
        let angle = |k: usize| self.angles.iter().map(move |&(t, angles)| (t, angles[k]));
        let [first, second] = self.ends.clone();
        let ring = Panel::in_space("The ring turns inside out", seconds)
            .share(1.2)
            .with(Line::book(self.poses.iter().map(solid)));
        let cosines = Panel::over_time("Angles of the hinges", "cosine", seconds)
            .with(Line::curve("θ", color::BLUE, 1.5, angle(0)))
            .with(Line::curve("φ", color::VERMILION, 1.5, angle(1)));
        let ends = Panel::drawing("Both ends of a hinge", seconds)
            .labels("x in m", "z in m")
            .with(Line::trail(color::BLUE, 1.5, first))
            .with(Line::trail(color::VERMILION, 1.5, second));
        [(320, vec![ring, cosines, ends])]
    }
}

/// The faces of all links that the viewer sees, the nearest last.
fn solid(links: &[Rigid3; 6]) -> Vec<Face> {
    let view = View::new(0.3, 0.6);
    let half = 0.5_f64.sqrt();
    let mut order: Vec<usize> = (0..6).collect();
    let nearness = |i: &usize| view.nearness(links[*i].translation.vector);
    order.sort_by(|i, k| nearness(i).total_cmp(&nearness(k)));
    let faces = order.into_iter().flat_map(|i| {
        let corner = |x, y, z| links[i] * Point3::new(x, y, z);
        let [a, b] = [half, -half].map(|x| corner(x, 0.0, -0.5));
        let [c, d] = [half, -half].map(|y| corner(0.0, y, 0.5));
        [[a, b, c], [b, a, d], [c, d, a], [d, c, b]]
            .into_iter()
            .filter_map(move |corners| {
                let [p, q, r] = corners;
                let outside = (p.coords + q.coords + r.coords) / 3.0 - links[i].translation.vector;
                let toward = view.nearness(outside.normalize());
                let [red, green, blue] = [[0.0, 114.0, 178.0], [230.0, 159.0, 0.0]][i % 2];
                (toward > 0.0).then(|| Face {
                    color: color::lit(red, green, blue, toward),
                    points: corners.map(|it| view.flat(it)).into(),
                })
            })
    });
    faces.collect()
}

/// β
fn tilt(q: &RingCoordinates) -> f64 {
    let axis = q.link[0].rotation * Vector3::x();
    axis.z.atan2(axis.x)
}

/// Linear and angular momentum of the whole, both zero of a motion that keeps its mirror planes.
fn momentum(q: &RingCoordinates, v: &RingVelocities) -> SVector<f64, 6> {
    let ring = Ring::<f64>::default();
    let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
    for (place, twist) in q.link.iter().zip(&v.link) {
        let push = twist.linear * ring.m;
        linear += push;
        angular += place.translation.vector.cross(&push) + twist.angular * ring.inertia;
    }
    SVector::from_iterator(linear.iter().chain(&angular).copied())
}
