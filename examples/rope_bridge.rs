//! A rope bridge of 1,000 planks in a `World`, its shape known in closed form.
//!
//! Planks of equal weight on ball joints, hung between two anchors, are at rest if every joint carries the same
//! horizontal force H and the vertical forces grow by one weight from plank to plank; a plank points along the mean of
//! the forces at its ends. Released in that shape the bridge must stay there, and its joints must carry just those
//! forces. Then a load is added, drag brings the bridge to rest, and it must have the new shape.
//!
//! Lengths are in metres, times in seconds, forces in newtons; z counts upwards.

use std::error::Error;
use std::time::Instant;

use constraint_runtime::joint::Ball;
use constraint_runtime::prelude::*;

#[path = "../constraint-cli/src/run/plot/mod.rs"]
mod plot;

use plot::{Color, Line, Panel, Points, color, evenly};

const PLANKS: usize = 1_000;
/// Length and mass of a plank.
const LENGTH: f64 = 0.1;
const MASS: f64 = 2.0;
const WEIGHT: f64 = 9.81 * MASS;
/// Distance of the anchors, for 100 m of planks.
const SPAN: f64 = 96.0;
/// What is hung onto the plank `LOADED`: ten people.
const LOAD: f64 = 8_000.0;
const LOADED: usize = 300;
/// Drag, as the part of its momentum that a plank loses in a second.
const DRAG: f64 = 2.0;
/// Short enough for planks that turn to and fro about their centres under tension: h² 12 T/(m l) < 4, here 2.
const STEP: f64 = 1e-3;

/// Prints the comparisons and writes the figure.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (empty, loaded) = (Shape::new(0.0)?, Shape::new(LOAD)?);
    let mut bridge = Bridge::new(&empty)?;
    stands_still(&mut bridge, &empty)?;
    let frames = bridge.settle_under_load(&loaded)?;
    let drift = compare_solvers(&empty)?;
    let path = plot::write_svg("rope_bridge", figure(&empty, &frames, drift))?;
    println!("\nFigure: {}", path.display());
    Ok(())
}

// ---- the shape in closed form -------------------------------------------------------------------

/// The polygon of the planks at rest.
struct Shape {
    /// Horizontal force in every joint.
    pull: f64,
    /// Vertical force in the joint before plank 0, on the plank.
    lift: f64,
    /// Hung onto the plank `LOADED`.
    load: f64,
}

impl Shape {
    /// Newton's method for the forces with which the last plank ends at the second anchor.
    fn new(load: f64) -> Result<Self, String> {
        let total = WEIGHT * PLANKS as f64 + load;
        let mut shape = Self {
            pull: total,
            lift: total / 2.0,
            load,
        };
        for _ in 0..100 {
            let miss = shape.end() - Vector2::new(SPAN, 0.0);
            if miss.norm() < 1e-12 * SPAN {
                return Ok(shape);
            }
            let step = 1e-4;
            let slope = |pull: f64, lift: f64| {
                let at = |sign: f64| Self {
                    pull: shape.pull + sign * pull * step,
                    lift: shape.lift + sign * lift * step,
                    load,
                };
                (at(1.0).end() - at(-1.0).end()) / (2.0 * step)
            };
            let slopes = SMatrix::<f64, 2, 2>::from_columns(&[slope(1.0, 0.0), slope(0.0, 1.0)]);
            let change = slopes.try_inverse().ok_or("no shape")? * miss;
            // H stays positive.
            let part = (0.5 * shape.pull / change.x.abs()).min(1.0);
            shape.pull -= part * change.x;
            shape.lift -= part * change.y;
        }
        Err("the shape was not found".into())
    }

    /// The force that the joint before plank `i` exerts on it.
    fn force(&self, i: usize) -> Vector2<f64> {
        let loaded = if i > LOADED { self.load } else { 0.0 };
        Vector2::new(-self.pull, self.lift - WEIGHT * i as f64 - loaded)
    }

    /// The direction of plank `i`: along the mean of the forces at its ends, downwards where they pull up.
    fn direction(&self, i: usize) -> Vector2<f64> {
        -(self.force(i) + self.force(i + 1)).normalize()
    }

    /// The ends of all planks.
    fn ends(&self) -> Vec<Vector2<f64>> {
        let mut end = Vector2::zeros();
        let following = (0..PLANKS).map(|i| {
            end += LENGTH * self.direction(i);
            end
        });
        std::iter::once(Vector2::zeros()).chain(following).collect()
    }

    fn end(&self) -> Vector2<f64> {
        (0..PLANKS).map(|i| LENGTH * self.direction(i)).sum()
    }
}

// ---- the bridge ---------------------------------------------------------------------------------

struct Bridge {
    world: World3,
    planks: Vec<BodyHandle>,
    joints: Vec<JointHandle>,
}

impl Bridge {
    /// At rest in the shape.
    fn new(shape: &Shape) -> Result<Self, constraint_runtime::Error> {
        let mut world = World3::new().with_gravity([0.0, 0.0, -WEIGHT / MASS]);
        let inertia = MASS * LENGTH * LENGTH / 12.0;
        let inertia = Inertia3::principal(MASS, [0.1 * inertia, inertia, inertia])?;
        let ends: Vec<Point3<f64>> = shape
            .ends()
            .iter()
            .map(|p| Point3::new(p.x, 0.0, p.y))
            .collect();
        let anchor = Rigid3::identity();
        let ground = world.add(Body3::fixed(anchor))?;
        let (mut last, mut place_of_last) = (ground, anchor);
        let (mut planks, mut joints) = (Vec::new(), Vec::new());
        for (i, pair) in ends.windows(2).enumerate() {
            let place = placed(&pair[0], &shape.direction(i));
            let plank = world.add(Body3::new(inertia, place))?;
            let pin = Ball::between(&place_of_last, &place, &pair[0]);
            joints.push(world.connect(pin, [last, plank])?);
            planks.push(plank);
            (last, place_of_last) = (plank, place);
        }
        let second_anchor = Point3::new(SPAN, 0.0, 0.0);
        let pin = Ball::between(&place_of_last, &anchor, &second_anchor);
        joints.push(world.connect(pin, [last, ground])?);
        Ok(Self {
            world,
            planks,
            joints,
        })
    }

    /// Seen from the side.
    fn profile(&self) -> Result<Vec<(f64, f64)>, constraint_runtime::Error> {
        let places = self.planks.iter().map(|&it| {
            let centre = self.world.pose(it)?.translation;
            Ok((centre.x, centre.z))
        });
        places.collect()
    }

    /// Largest distance of a plank's centre from where the shape has it.
    fn distance(&self, shape: &Shape) -> Result<f64, constraint_runtime::Error> {
        let ends = shape.ends();
        let centres = ends.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
        let places = self.profile()?.into_iter().zip(centres);
        Ok(places.fold(0.0, |most: f64, ((x, z), centre)| {
            most.max((Vector2::new(x, z) - centre).norm())
        }))
    }

    /// Largest difference of a joint's force from that of the shape.
    fn force_error(&self, shape: &Shape) -> Result<f64, constraint_runtime::Error> {
        let mut most: f64 = 0.0;
        for (i, &joint) in self.joints.iter().enumerate() {
            let lambda = Vector3::from_column_slice(self.world.impulse(joint)?) / STEP;
            let force = shape.force(i);
            most = most.max((lambda - Vector3::new(force.x, 0.0, force.y)).norm());
        }
        Ok(most)
    }

    /// Hangs the load onto its plank and waits, under drag, until the bridge rests; profiles on the way, every 50 ms.
    fn settle_under_load(&mut self, loaded: &Shape) -> Result<Vec<Points>, Box<dyn Error>> {
        let mut profiles = Vec::new();
        let steps = 12_000;
        let mut drift: f64 = 0.0;
        for i in 0..=steps {
            if i % 50 == 0 {
                profiles.push(self.profile()?);
            }
            for (k, &plank) in self.planks.iter().enumerate() {
                let v = *self.world.velocity(plank)?;
                let mut force = -DRAG * MASS * v;
                force
                    .fixed_rows_mut::<3>(3)
                    .scale_mut(LENGTH * LENGTH / 12.0);
                if k == LOADED {
                    force[2] -= LOAD;
                }
                self.world.set_force(plank, force)?;
            }
            self.world.step(STEP)?;
            drift = drift.max(self.world.drift());
        }
        let (distance, error) = (self.distance(loaded)?, self.force_error(loaded)?);
        println!(
            "Under {LOAD} N on plank {LOADED} it comes to rest within {distance:.1e} m of its new shape;"
        );
        println!(
            "its joints then carry the forces of that shape within {error:.1e} N of {:.0} N.",
            loaded.pull
        );
        println!("Over {steps} steps no joint was off by more than {drift:.1e} m.\n");
        assert!(distance < 1e-4, "{distance} m off the shape under load");
        assert!(
            error < 1e-5 * loaded.pull,
            "{error} N off the forces under load"
        );
        assert!(drift < 1e-12, "joints drift by {drift} m");
        Ok(profiles)
    }
}

/// A plank that starts at `end` and points along (cos, sin) of the plane x, z.
fn placed(end: &Point3<f64>, direction: &Vector2<f64>) -> Rigid3 {
    let along = Vector3::new(direction.x, 0.0, direction.y);
    let turn = Vector3::y() * -direction.y.atan2(direction.x);
    Rigid3::new(end.coords + along * (LENGTH / 2.0), turn)
}

// ---- comparisons --------------------------------------------------------------------------------

/// Put down in its shape, the bridge does not move and carries what the shape says.
fn stands_still(bridge: &mut Bridge, shape: &Shape) -> Result<(), Box<dyn Error>> {
    bridge.world.step(STEP)?;
    let error = bridge.force_error(shape)?;
    bridge.world.run_until(1.0, STEP)?;
    let moved = bridge.distance(shape)?;
    println!(
        "{PLANKS} planks of {LENGTH} m, anchors {SPAN} m apart, at rest: H = {:.1} N.",
        shape.pull
    );
    println!("The joints carry the forces of the closed form within {error:.1e} N,");
    println!("and in 1 s no plank moves by more than {moved:.1e} m.\n");
    assert!(error < 1e-6 * shape.pull, "{error} N off the closed form");
    assert!(moved < 1e-9, "the bridge moves by {moved} m");
    Ok(())
}

/// The same bridge, left alone with a load, by both solvers.
fn compare_solvers(shape: &Shape) -> Result<Vec<Drift>, Box<dyn Error>> {
    println!("Half a second under the load, without drag:\n");
    println!("{:32} {:>11} {:>16}", "solver", "drift/m", "time a step/ms");
    let solvers = [
        ("exact", Solver::Exact, color::BLUE),
        (
            "10 sequential impulses",
            SequentialImpulses::new(10).into(),
            color::VERMILION,
        ),
        (
            "100 sequential impulses",
            SequentialImpulses::new(100).into(),
            color::GREEN,
        ),
    ];
    let mut drifts = Vec::new();
    for (label, solver, color) in solvers {
        let mut bridge = Bridge::new(shape)?;
        bridge.world = bridge.world.with_solver(solver);
        bridge
            .world
            .set_force(bridge.planks[LOADED], [0.0, 0.0, -LOAD, 0.0, 0.0, 0.0])?;
        let (mut points, mut most) = (Vec::new(), 0.0_f64);
        let start = Instant::now();
        for _ in 0..500 {
            bridge.world.step(STEP)?;
            most = most.max(bridge.world.drift());
            points.push((bridge.world.time(), bridge.world.drift().max(1e-17)));
        }
        let time = start.elapsed().as_secs_f64() / 500.0;
        println!("{label:32} {most:>11.1e} {:>16.2}", time * 1e3);
        drifts.push(Drift {
            label,
            color,
            points,
            most,
        });
    }
    let [exact, few, many] = &drifts[..] else {
        unreachable!("three solvers")
    };
    assert!(exact.most < 1e-12 && many.most < few.most);
    Ok(drifts)
}

struct Drift {
    label: &'static str,
    color: Color,
    points: Vec<(f64, f64)>,
    most: f64,
}

/// The bridge settles in four seconds of real time.
fn figure(empty: &Shape, profiles: &[Points], drifts: Vec<Drift>) -> [(u32, Vec<Panel>); 2] {
    let still = empty.ends().into_iter().map(|p| (p.x, p.y));
    let frames = profiles[..=80].iter();
    let bridge = frames.clone().map(|it| evenly(it, 41).copied().collect());
    let load = frames.map(|it| vec![it[LOADED]]);
    let seconds = 4.0;
    let drawing = Panel::drawing("A load on a bridge of 1,000 planks, in real time", seconds)
        .labels("x in m", "z in m")
        .with(Line::curve("empty", color::GREY, 1.5, still))
        .with(Line::bars(color::BLUE, 3.0, bridge))
        .with(Line::dots(color::VERMILION, 16.0, load).labelled("8,000 N"));
    let lines = drifts
        .into_iter()
        .map(|it| Line::curve(it.label, it.color, 1.5, it.points));
    let drift = Panel::new(
        "Largest |C| of its joints, without drag",
        "t in s",
        "drift in m",
    )
    .log()
    .with_all(lines);
    [(250, vec![drawing]), (270, vec![drift])]
}
