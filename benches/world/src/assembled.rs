//! The chain as a linear algebra library invites one to write it: dense J, W and J W Jᵀ, Cholesky.

use constraint_runtime::joint::Ball;
use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;

use crate::chain::{Chain, G, LENGTH, MOMENTS, STEP};

pub struct Assembled {
    joints: Vec<Ball>,
    /// The ground first.
    places: Vec<Rigid3>,
    v: DVector<f64>,
    inertia: Inertia3,
}

impl Assembled {
    pub fn new(links: usize) -> Self {
        let places: Vec<Rigid3> = std::iter::once(Rigid3::identity())
            .chain((0..links).map(|i| Rigid3::translation((i as f64 + 0.5) * LENGTH, 0.0, 0.0)))
            .collect();
        let joint = |i: usize| {
            let pin = Point3::new(i as f64 * LENGTH, 0.0, 0.0);
            Ball::between(&places[i], &places[i + 1], &pin)
        };
        Self {
            joints: (0..links).map(joint).collect(),
            v: DVector::zeros(6 * places.len()),
            inertia: Inertia3::principal(1.0, MOMENTS).expect("a good inertia"),
            places,
        }
    }

    /// W Jᵀ and J at the present places.
    fn matrices(&self) -> (DMatrix<f64>, DMatrix<f64>) {
        let n = 6 * self.places.len();
        let mut jacobian = DMatrix::zeros(3 * self.joints.len(), n);
        for (i, joint) in self.joints.iter().enumerate() {
            let blocks = joint.jacobian(0.0, [&self.places[i], &self.places[i + 1]]);
            for (k, block) in blocks.iter().enumerate() {
                jacobian
                    .view_mut((3 * i, 6 * (i + k)), (3, 6))
                    .copy_from(block);
            }
        }
        let mut weights = DMatrix::zeros(n, n);
        for (i, place) in self.places.iter().enumerate().skip(1) {
            let w = self.inertia.inverse_at(place);
            for k in 0..3 {
                weights[(6 * i + k, 6 * i + k)] = w.mass;
            }
            weights
                .view_mut((6 * i + 3, 6 * i + 3), (3, 3))
                .copy_from(&w.inertia);
        }
        (&weights * jacobian.transpose(), jacobian)
    }

    fn values(&self) -> DVector<f64> {
        let values = self.joints.iter().enumerate().flat_map(|(i, joint)| {
            let value = joint.value(0.0, [&self.places[i], &self.places[i + 1]]);
            [value.x, value.y, value.z]
        });
        DVector::from_iterator(3 * self.joints.len(), values)
    }

    fn displace(&mut self, by: &DVector<f64>, h: f64) {
        for (i, place) in self.places.iter_mut().enumerate() {
            *place = place.moved(&by.fixed_rows::<6>(6 * i).into_owned(), h);
        }
    }
}

impl Chain for Assembled {
    fn step(&mut self) {
        for (i, place) in self.places.iter().enumerate().skip(1) {
            let spin = self.v.fixed_rows::<3>(6 * i + 3).into_owned();
            let torque = self.inertia.gyroscopic_torque(place, &spin) * STEP;
            let change = self.inertia.inverse_at(place).inertia * torque;
            self.v[6 * i + 2] -= G * STEP;
            for k in 0..3 {
                self.v[6 * i + 3 + k] += change[k];
            }
        }
        let (weighted, jacobian) = self.matrices();
        let delassus = (&jacobian * &weighted).cholesky().expect("good pivots");
        let lambda = delassus.solve(&(&jacobian * &self.v));
        self.v -= weighted * lambda;
        let v = self.v.clone();
        self.displace(&v, STEP);
        for _ in 0..2 {
            let (weighted, jacobian) = self.matrices();
            let delassus = (&jacobian * &weighted).cholesky().expect("good pivots");
            let lambda = delassus.solve(&-self.values());
            self.displace(&(weighted * lambda), 1.0);
        }
    }

    fn drift(&self) -> f64 {
        self.values().amax()
    }

    fn end(&self) -> [f64; 3] {
        self.places
            .last()
            .expect("a link")
            .translation
            .vector
            .into()
    }
}
