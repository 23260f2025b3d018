//! What a system does whose system within does all.

/// The types and methods of `Dynamics` that a wrapper of the system `S` hands on to `self.0`.
macro_rules! dynamics_within {
    () => {
        type Q = S::Q;
        type V = S::V;
        type Coordinates = S::Coordinates;
        type Velocities = S::Velocities;

        fn acceleration(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
            self.0.acceleration(t, q, v)
        }
        fn kinetic_energy(&self, t: f64, q: &S::Q, v: &S::V) -> f64 {
            self.0.kinetic_energy(t, q, v)
        }
        fn potential_energy(&self, t: f64, q: &S::Q) -> f64 {
            self.0.potential_energy(t, q)
        }
        fn kinematics(&self, t: f64, q: &S::Q, v: &S::V) -> S::Q {
            self.0.kinematics(t, q, v)
        }
        fn normalize(&self, q: &mut S::Q) {
            self.0.normalize(q);
        }
    };
}

/// Those of `System`.
macro_rules! system_within {
    () => {
        type Rows = S::Rows;
        type Jacobian = S::Jacobian;
        type Multipliers = S::Multipliers;

        fn multipliers(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::Rows, Error> {
            self.0.multipliers(t, q, v)
        }
        fn constraint_force(&self, t: f64, q: &S::Q, v: &S::V) -> Result<S::V, Error> {
            self.0.constraint_force(t, q, v)
        }
        fn constraint(&self, t: f64, q: &S::Q) -> S::Rows {
            self.0.constraint(t, q)
        }
        fn constraint_rate(&self, t: f64, q: &S::Q, v: &S::V) -> S::Rows {
            self.0.constraint_rate(t, q, v)
        }
        fn jacobian(&self, t: f64, q: &S::Q) -> S::Jacobian {
            self.0.jacobian(t, q)
        }
        fn bias(&self, t: f64, q: &S::Q, v: &S::V) -> S::Rows {
            self.0.bias(t, q, v)
        }
        fn correction(&self, t: f64, q: &S::Q, b: &S::Rows) -> Result<S::V, Error> {
            self.0.correction(t, q, b)
        }
        fn row_sizes(&self, t: f64, q: &S::Q) -> S::Rows {
            self.0.row_sizes(t, q)
        }
    };
}
