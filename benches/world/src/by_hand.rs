//! The chain by hand: rows of the ball joint as an expert writes them, sequential impulses, projection.

use constraint_runtime::nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::chain::{Chain, G, LENGTH, MOMENTS, STEP};

#[derive(Clone, Copy)]
struct Link {
    x: Vector3<f64>,
    turn: UnitQuaternion<f64>,
    v: Vector3<f64>,
    spin: Vector3<f64>,
    /// R I⁻¹ Rᵀ
    inverse_inertia: Matrix3<f64>,
}

/// Joint i holds the end of link i − 1, or the origin, and the start of link i.
#[derive(Clone, Copy)]
struct Joint {
    /// Arms in the world, and the inverse of K = J W Jᵀ.
    r1: Vector3<f64>,
    r2: Vector3<f64>,
    inverse_k: Matrix3<f64>,
    impulse: Vector3<f64>,
}

pub struct ByHand {
    links: Vec<Link>,
    joints: Vec<Joint>,
    iterations: usize,
    projections: usize,
}

const HALF: f64 = LENGTH / 2.0;

impl ByHand {
    pub fn new(links: usize, iterations: usize, projections: usize) -> Self {
        let link = |i: usize| Link {
            x: Vector3::x() * ((i as f64 + 0.5) * LENGTH),
            turn: UnitQuaternion::identity(),
            v: Vector3::zeros(),
            spin: Vector3::zeros(),
            inverse_inertia: Matrix3::identity(),
        };
        let joint = Joint {
            r1: Vector3::zeros(),
            r2: Vector3::zeros(),
            inverse_k: Matrix3::identity(),
            impulse: Vector3::zeros(),
        };
        Self {
            links: (0..links).map(link).collect(),
            joints: vec![joint; links],
            iterations,
            projections,
        }
    }

    fn weigh(&mut self) {
        let inverse = Matrix3::from_diagonal(&Vector3::from(MOMENTS).map(|it| 1.0 / it));
        for link in &mut self.links {
            let turn = link.turn.to_rotation_matrix();
            link.inverse_inertia = turn.matrix() * inverse * turn.matrix().transpose();
        }
    }

    fn integrate_forces(&mut self) {
        let inertia = Matrix3::from_diagonal(&MOMENTS.into());
        for link in &mut self.links {
            let momentum = link.turn * (inertia * (link.turn.inverse() * link.spin));
            let back = UnitQuaternion::from_scaled_axis(-link.spin * STEP);
            link.spin += link.inverse_inertia * (back * momentum - momentum);
            link.v.z -= G * STEP;
        }
    }

    /// Arms and K = (1/m₁ + 1/m₂) 1 − [r₁]× I₁⁻¹ [r₁]× − [r₂]× I₂⁻¹ [r₂]×
    fn arms(&self, i: usize) -> (Vector3<f64>, Vector3<f64>, Matrix3<f64>) {
        let link = &self.links[i];
        let r2 = link.turn * Vector3::new(-HALF, 0.0, 0.0);
        let cross = r2.cross_matrix();
        let mut k = Matrix3::identity() - cross * link.inverse_inertia * cross;
        let mut r1 = Vector3::zeros();
        if i > 0 {
            let above = &self.links[i - 1];
            r1 = above.turn * Vector3::new(HALF, 0.0, 0.0);
            let cross = r1.cross_matrix();
            k += Matrix3::identity() - cross * above.inverse_inertia * cross;
        }
        (r1, r2, k)
    }

    fn sweep(&mut self, i: usize) {
        let joint = &mut self.joints[i];
        let link = &self.links[i];
        let mut rate = link.v + link.spin.cross(&joint.r2);
        if i > 0 {
            let above = &self.links[i - 1];
            rate -= above.v + above.spin.cross(&joint.r1);
        }
        let change = -(joint.inverse_k * rate);
        joint.impulse += change;
        let joint = *joint;
        self.push(i, &joint, &change);
    }

    fn push(&mut self, i: usize, joint: &Joint, impulse: &Vector3<f64>) {
        let link = &mut self.links[i];
        link.v += impulse;
        link.spin += link.inverse_inertia * joint.r2.cross(impulse);
        if i > 0 {
            let above = &mut self.links[i - 1];
            above.v -= impulse;
            above.spin -= above.inverse_inertia * joint.r1.cross(impulse);
        }
    }

    fn error(&self, i: usize, r1: &Vector3<f64>, r2: &Vector3<f64>) -> Vector3<f64> {
        let above = if i > 0 {
            self.links[i - 1].x + r1
        } else {
            Vector3::zeros()
        };
        self.links[i].x + r2 - above
    }

    fn project(&mut self, i: usize) {
        let (r1, r2, k) = self.arms(i);
        let error = self.error(i, &r1, &r2);
        let lambda = -k.cholesky().expect("a good pivot").solve(&error);
        let turned = |link: &Link, torque: Vector3<f64>| {
            UnitQuaternion::from_scaled_axis(link.inverse_inertia * torque) * link.turn
        };
        let link = &mut self.links[i];
        link.x += lambda;
        link.turn = turned(link, r2.cross(&lambda));
        if i > 0 {
            let above = &mut self.links[i - 1];
            above.x -= lambda;
            above.turn = turned(above, -r1.cross(&lambda));
        }
    }

    /// All joints, forwards or backwards by turns.
    fn visit(&mut self, iterations: usize, mut each: impl FnMut(&mut Self, usize)) {
        let n = self.joints.len();
        for iteration in 0..iterations {
            for k in 0..n {
                let i = if iteration % 2 == 0 { k } else { n - 1 - k };
                each(self, i);
            }
        }
    }
}

impl Chain for ByHand {
    fn step(&mut self) {
        self.weigh();
        self.integrate_forces();
        for i in 0..self.joints.len() {
            let (r1, r2, k) = self.arms(i);
            let inverse_k = k.try_inverse().expect("a good pivot");
            let joint = Joint {
                r1,
                r2,
                inverse_k,
                ..self.joints[i]
            };
            self.joints[i] = joint;
        }
        for i in 0..self.joints.len() {
            let joint = self.joints[i];
            self.push(i, &joint, &joint.impulse);
        }
        self.visit(self.iterations, Self::sweep);
        for link in &mut self.links {
            link.x += link.v * STEP;
            link.turn = UnitQuaternion::from_scaled_axis(link.spin * STEP) * link.turn;
            link.turn.renormalize_fast();
        }
        self.weigh();
        self.visit(self.projections, Self::project);
    }

    fn drift(&self) -> f64 {
        (0..self.joints.len()).fold(0.0, |most: f64, i| {
            let (r1, r2, _) = self.arms(i);
            most.max(self.error(i, &r1, &r2).amax())
        })
    }

    fn end(&self) -> [f64; 3] {
        self.links.last().expect("a link").x.into()
    }
}
