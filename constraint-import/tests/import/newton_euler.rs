//! Recursive Newton–Euler in the axes of the world, for trees of hinges and slides, written apart from the importer.
//!
//! Luh, Walker, Paul 1980: accelerations from the base to the ends, forces back.

use nalgebra::{DMatrix, DVector, Matrix3, Rotation3, Unit, Vector3};

/// How a link moves from its base.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "not every robot has every joint")]
pub enum By {
    /// About an axis, by a coordinate times a factor, plus an offset.
    Hinge([f64; 3], usize, f64, f64),
    /// Along an axis.
    Slide([f64; 3], usize, f64, f64),
    Fixed,
}

/// A link: its base, the frame of its joint there, its mass, centre and inertia (xx, xy, xz, yy, yz, zz), and the `rpy` of
/// the axes of the inertia.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub base: Option<usize>,
    pub place: [f64; 3],
    pub rpy: [f64; 3],
    pub by: By,
    pub mass: f64,
    pub centre: [f64; 3],
    pub inertia: [f64; 6],
    pub inertia_rpy: [f64; 3],
}

/// A frame that moves.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub turn: Rotation3<f64>,
    pub place: Vector3<f64>,
    pub velocity: Vector3<f64>,
    pub spin: Vector3<f64>,
    pub acceleration: Vector3<f64>,
    pub spin_rate: Vector3<f64>,
}

/// The world at rest. An upward acceleration of the world is gravity.
pub fn world(gravity: f64) -> Frame {
    Frame {
        turn: Rotation3::identity(),
        place: Vector3::zeros(),
        velocity: Vector3::zeros(),
        spin: Vector3::zeros(),
        acceleration: Vector3::new(0.0, 0.0, gravity),
        spin_rate: Vector3::zeros(),
    }
}

impl Frame {
    /// A point fixed to the frame.
    pub fn at(&self, r: Vector3<f64>) -> Frame {
        let arm = self.turn * r;
        Frame {
            place: self.place + arm,
            velocity: self.velocity + self.spin.cross(&arm),
            acceleration: self.acceleration
                + self.spin_rate.cross(&arm)
                + self.spin.cross(&self.spin.cross(&arm)),
            ..*self
        }
    }

    fn moved(&self, by: By, [q, v, a]: [&[f64]; 3]) -> Frame {
        let mut next = *self;
        match by {
            By::Fixed => {}
            By::Hinge(axis, k, factor, offset) => {
                let axis = Unit::new_normalize(Vector3::from(axis));
                let (rate, w) = (factor * v[k], self.turn * axis.into_inner());
                next.turn = self.turn * Rotation3::from_axis_angle(&axis, factor * q[k] + offset);
                next.spin += rate * w;
                next.spin_rate += factor * a[k] * w + self.spin.cross(&(rate * w));
            }
            By::Slide(axis, k, factor, offset) => {
                let axis = Vector3::from(axis).normalize();
                let (rate, w) = (factor * v[k], self.turn * axis);
                next = self.at(axis * (factor * q[k] + offset));
                next.velocity += rate * w;
                next.acceleration += factor * a[k] * w + 2.0 * self.spin.cross(&(rate * w));
            }
        }
        next
    }
}

/// All frames of links, from the frame of the root.
pub fn frames(links: &[Link], root: Frame, motion: [&[f64]; 3]) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    for link in links {
        let base = link.base.map_or(root, |base| frames[base]);
        let mut joint = base.at(link.place.into());
        joint.turn *= turned(link.rpy);
        frames.push(joint.moved(link.by, motion));
    }
    frames
}

/// Rz Ry Rx
pub fn turned([roll, pitch, yaw]: [f64; 3]) -> Rotation3<f64> {
    let about = |axis, angle| Rotation3::from_axis_angle(&axis, angle);
    about(Vector3::z_axis(), yaw) * about(Vector3::y_axis(), pitch) * about(Vector3::x_axis(), roll)
}

/// The forces on `count` coordinates that accelerate the links so, and the force and torque (about the origin of the
/// world) on the root.
pub fn forces(
    links: &[Link],
    root: Frame,
    count: usize,
    motion: [&[f64]; 3],
) -> (Vec<f64>, [Vector3<f64>; 2]) {
    let frames = frames(links, root, motion);
    let mut wrenches = Vec::new();
    for (link, frame) in links.iter().zip(&frames) {
        let centre = frame.at(link.centre.into());
        let [xx, xy, xz, yy, yz, zz] = link.inertia;
        let own = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let axes = frame.turn * turned(link.inertia_rpy);
        let inertia = axes * own * axes.transpose();
        let force = link.mass * centre.acceleration;
        let torque = inertia * frame.spin_rate + frame.spin.cross(&(inertia * frame.spin));
        wrenches.push([force, torque + centre.place.cross(&force)]);
    }
    let mut forces = vec![0.0; count];
    let mut on_root = [Vector3::zeros(); 2];
    for k in (0..links.len()).rev() {
        let [force, torque] = wrenches[k];
        let frame = &frames[k];
        match links[k].by {
            By::Fixed => {}
            By::Hinge(axis, i, factor, _) => {
                let axis = frame.turn * Vector3::from(axis).normalize();
                forces[i] += factor * axis.dot(&(torque - frame.place.cross(&force)));
            }
            By::Slide(axis, i, factor, _) => {
                forces[i] += factor * (frame.turn * Vector3::from(axis).normalize()).dot(&force);
            }
        }
        let receiver = links[k]
            .base
            .map_or(&mut on_root, |base| &mut wrenches[base]);
        *receiver = [receiver[0] + force, receiver[1] + torque];
    }
    (forces, on_root)
}

/// M of links on a fixed root.
pub fn mass_matrix(links: &[Link], count: usize, q: &[f64]) -> DMatrix<f64> {
    let still = vec![0.0; count];
    let columns = (0..count).map(|k| {
        let mut a = still.clone();
        a[k] = 1.0;
        DVector::from(forces(links, world(0.0), count, [q, &still, &a]).0)
    });
    DMatrix::from_columns(&columns.collect::<Vec<_>>())
}
