//! The distance between two points of two bodies, as an expert writes it from the text.
//!
//! With d = p₂ − p₁, n = d/‖d‖ and u = ḋ: J = (−n, −r₁×n | n, r₂×n), Ċ = n·u,
//! β = (u·u − Ċ²)/‖d‖ + n·(ω₂×(ω₂×r₂) − ω₁×(ω₁×r₁)), and the impulse λ = −Ċ/(J W Jᵀ).

use constraint_runtime::nalgebra::Vector3;
use constraint_runtime::prelude::*;

/// Points fixed to the bodies, and their distance.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// The point of the first body.
    pub r1: Vector3<f64>,
    /// The point of the second.
    pub r2: Vector3<f64>,
    /// How far apart they are held.
    pub length: f64,
}

/// C, J, Ċ, J W Jᵀ, β and λ: 17 numbers.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// C
    pub value: f64,
    /// J of both bodies, (v, ω) each.
    pub jacobian: [[Vector3<f64>; 2]; 2],
    /// Ċ
    pub rate: f64,
    /// J W Jᵀ
    pub delassus: f64,
    /// β
    pub bias: f64,
    /// λ
    pub impulse: f64,
}

impl Solved {
    /// All of it, in the order of the fields.
    pub fn numbers(&self) -> [f64; 17] {
        let mut all = [0.0; 17];
        let jacobian = self
            .jacobian
            .iter()
            .flatten()
            .flat_map(|block| block.iter());
        let numbers = std::iter::once(&self.value).chain(jacobian).chain([
            &self.rate,
            &self.delassus,
            &self.bias,
            &self.impulse,
        ]);
        all.iter_mut()
            .zip(numbers)
            .for_each(|(to, from)| *to = *from);
        all
    }
}

impl Distance {
    /// Everything at a state; velocities are (v, ω).
    #[inline]
    pub fn solve(
        &self,
        [a, b]: [&Rigid3; 2],
        [v1, v2]: [&SVector<f64, 6>; 2],
        [w1, w2]: [&InverseMass3; 2],
    ) -> Solved {
        let (r1, r2) = (a.rotation * self.r1, b.rotation * self.r2);
        let d = b.translation.vector + r2 - a.translation.vector - r1;
        let length = d.norm();
        let inverse = 1.0 / length;
        let n = d * inverse;
        let (a1, a2) = (r1.cross(&n), r2.cross(&n));
        let [(v1, spin1), (v2, spin2)] = [v1, v2].map(|v| {
            (
                Vector3::new(v[0], v[1], v[2]),
                Vector3::new(v[3], v[4], v[5]),
            )
        });
        let (c1, c2) = (spin1.cross(&r1), spin2.cross(&r2));
        let u = v2 + c2 - v1 - c1;
        let rate = n.dot(&u);
        let turning = spin2.cross(&c2) - spin1.cross(&c1);
        let delassus = w1.mass + w2.mass + a1.dot(&(w1.inertia * a1)) + a2.dot(&(w2.inertia * a2));
        Solved {
            value: length - self.length,
            jacobian: [[-n, -a1], [n, a2]],
            rate,
            delassus,
            bias: (u.norm_squared() - rate * rate) * inverse + n.dot(&turning),
            impulse: -rate / delassus,
        }
    }
}
