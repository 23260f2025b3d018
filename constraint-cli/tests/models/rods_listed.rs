use constraint_runtime::__private::{self as rt, prelude::*};

impl<T: rt::Real> rt::Dynamics<T> for Rods<T> {
    type Q = rt::SVector<T, 4>;
    type V = rt::SVector<T, 4>;
    type Coordinates = RodsCoordinates<T>;
    type Velocities = RodsVelocities<T>;
    const PROPERTIES: rt::Properties = rt::Properties {
        conservative_forces: true,
        forces_ignore_velocity: true,
        projects_motion: true,
        ..rt::Properties::NONE
    };
    /// v̇: 54 operations: 7 add, 14 sub, 30 mul, 3 div.
    #[inline]
    fn acceleration(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> Result<rt::SVector<T, 4>, rt::Error> {
        let g = self.g;
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        // J M⁻¹ Jᵀ: entries and pivots
        let pivot_0 = upper_x * upper_x + upper_y * upper_y;
        rt::check_pivot(0, pivot_0, pivot_0)?;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let lower_rod_length_squared = upper_to_lower_x * upper_to_lower_x
            + upper_to_lower_y * upper_to_lower_y;
        let delassus_1_1 = T::lit(2.0) * lower_rod_length_squared;
        let minus_delassus_1_0 = upper_x * upper_to_lower_x + upper_y * upper_to_lower_y;
        let determinant = pivot_0 * delassus_1_1
            - minus_delassus_1_0 * minus_delassus_1_0;
        rt::check_pivot_pair(1, determinant, delassus_1_1, pivot_0)?;
        // Right-hand sides
        let upper_rod_rate = upper_x * v_upper_x + upper_y * v_upper_y;
        let right_0 = upper_rod_rate / pivot_0 * upper_rod_rate + g * upper_y
            - v_upper_x * v_upper_x - v_upper_y * v_upper_y;
        let v_upper_to_lower_x = v_lower_x - v_upper_x;
        let v_upper_to_lower_y = v_lower_y - v_upper_y;
        let lower_rod_rate = upper_to_lower_x * v_upper_to_lower_x
            + upper_to_lower_y * v_upper_to_lower_y;
        let lower_rod_bias = v_upper_to_lower_x * v_upper_to_lower_x
            + v_upper_to_lower_y * v_upper_to_lower_y
            - lower_rod_rate / lower_rod_length_squared * lower_rod_rate;
        // Solve
        let inv_determinant = T::lit(1.0) / determinant;
        let lambda_per_mass_1 = (minus_delassus_1_0 * right_0 - pivot_0 * lower_rod_bias)
            * inv_determinant;
        let lambda_per_mass_0 = (delassus_1_1 * right_0
            - lower_rod_bias * minus_delassus_1_0) * inv_determinant;
        // v̇
        let pull_lower_x = upper_to_lower_x * lambda_per_mass_1;
        let pull_lower_y = upper_to_lower_y * lambda_per_mass_1;
        Ok(
            rt::vector([
                upper_x * lambda_per_mass_0 - pull_lower_x,
                upper_y * lambda_per_mass_0 - pull_lower_y - g,
                pull_lower_x,
                pull_lower_y - g,
            ]),
        )
    }

    /// T: 9 operations: 3 add, 6 mul.
    #[inline]
    fn kinetic_energy(&self, _t: T, _q: &rt::SVector<T, 4>, v: &rt::SVector<T, 4>) -> T {
        let m = self.m;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        T::lit(0.5)
            * (m
                * (v_upper_x * v_upper_x + v_upper_y * v_upper_y + v_lower_x * v_lower_x
                    + v_lower_y * v_lower_y))
    }

    /// V: 3 operations: 1 add, 2 mul.
    #[inline]
    fn potential_energy(&self, _t: T, q: &rt::SVector<T, 4>) -> T {
        let m = self.m;
        let g = self.g;
        let [[_, upper_y, _, lower_y]] = q.data.0;
        m * g * (upper_y + lower_y)
    }

    /// M a: 4 operations: 4 mul.
    #[inline]
    fn mass_times(
        &self,
        _t: T,
        _q: &rt::SVector<T, 4>,
        a: &rt::SVector<T, 4>,
    ) -> rt::SVector<T, 4> {
        let m = self.m;
        let [[a_0, a_1, a_2, a_3]] = a.data.0;
        rt::vector([m * a_0, m * a_1, m * a_2, m * a_3])
    }

    fn names(&self, quantity: rt::Quantity) -> Option<&'static [rt::Names]> {
        rt::names::<Self::Coordinates, Self::Velocities>(quantity)
    }

    fn validate(&self) -> Result<(), rt::Error> {
        rt::check_parameter("m", &[self.m])?;
        rt::check_parameter("l", &[self.l])?;
        rt::check_parameter("g", &[self.g])?;
        let m = self.m;
        rt::check_mass(m)?;
        Ok(())
    }
}

impl<T: rt::Real> rt::Constrained<T> for Rods<T> {
    type Rows = rt::SVector<T, 2>;
    type Jacobian = rt::SMatrix<T, 2, 4>;
    type Multipliers = RodsMultipliers<T>;
    /// λ: 52 operations: 7 add, 10 sub, 30 mul, 3 div, 2 sqrt.
    #[inline]
    fn multipliers(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> Result<rt::SVector<T, 2>, rt::Error> {
        let m = self.m;
        let g = self.g;
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        // J M⁻¹ Jᵀ: entries and pivots
        let pivot_0 = upper_x * upper_x + upper_y * upper_y;
        rt::check_pivot(0, pivot_0, pivot_0)?;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let lower_rod_length_squared = upper_to_lower_x * upper_to_lower_x
            + upper_to_lower_y * upper_to_lower_y;
        let delassus_1_1 = T::lit(2.0) * lower_rod_length_squared;
        let minus_delassus_1_0 = upper_x * upper_to_lower_x + upper_y * upper_to_lower_y;
        let determinant = pivot_0 * delassus_1_1
            - minus_delassus_1_0 * minus_delassus_1_0;
        rt::check_pivot_pair(1, determinant, delassus_1_1, pivot_0)?;
        // Right-hand sides
        let upper_rod_rate = upper_x * v_upper_x + upper_y * v_upper_y;
        let right_0 = m
            * (upper_rod_rate / pivot_0 * upper_rod_rate + g * upper_y
                - v_upper_x * v_upper_x - v_upper_y * v_upper_y);
        let v_upper_to_lower_x = v_lower_x - v_upper_x;
        let v_upper_to_lower_y = v_lower_y - v_upper_y;
        let lower_rod_rate = upper_to_lower_x * v_upper_to_lower_x
            + upper_to_lower_y * v_upper_to_lower_y;
        let minus_right_1 = m
            * (v_upper_to_lower_x * v_upper_to_lower_x
                + v_upper_to_lower_y * v_upper_to_lower_y
                - lower_rod_rate / lower_rod_length_squared * lower_rod_rate);
        // Solve
        let inv_determinant = T::lit(1.0) / determinant;
        let lambda_1 = (minus_delassus_1_0 * right_0 - pivot_0 * minus_right_1)
            * inv_determinant;
        let lambda_0 = (delassus_1_1 * right_0 - minus_delassus_1_0 * minus_right_1)
            * inv_determinant;
        // λ
        Ok(
            rt::vector([
                pivot_0.simd_sqrt() * lambda_0,
                lower_rod_length_squared.simd_sqrt() * lambda_1,
            ]),
        )
    }

    /// v̇, λ: 60 operations: 7 add, 14 sub, 34 mul, 3 div, 2 sqrt.
    #[inline]
    fn acceleration_and_multipliers(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> Result<(rt::SVector<T, 4>, rt::SVector<T, 2>), rt::Error> {
        let m = self.m;
        let g = self.g;
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        // J M⁻¹ Jᵀ: entries and pivots
        let pivot_0 = upper_x * upper_x + upper_y * upper_y;
        rt::check_pivot(0, pivot_0, pivot_0)?;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let lower_rod_length_squared = upper_to_lower_x * upper_to_lower_x
            + upper_to_lower_y * upper_to_lower_y;
        let delassus_1_1 = T::lit(2.0) * lower_rod_length_squared;
        let minus_delassus_1_0 = upper_x * upper_to_lower_x + upper_y * upper_to_lower_y;
        let determinant = pivot_0 * delassus_1_1
            - minus_delassus_1_0 * minus_delassus_1_0;
        rt::check_pivot_pair(1, determinant, delassus_1_1, pivot_0)?;
        // Right-hand sides
        let upper_rod_rate = upper_x * v_upper_x + upper_y * v_upper_y;
        let right_0 = upper_rod_rate / pivot_0 * upper_rod_rate + g * upper_y
            - v_upper_x * v_upper_x - v_upper_y * v_upper_y;
        let v_upper_to_lower_x = v_lower_x - v_upper_x;
        let v_upper_to_lower_y = v_lower_y - v_upper_y;
        let lower_rod_rate = upper_to_lower_x * v_upper_to_lower_x
            + upper_to_lower_y * v_upper_to_lower_y;
        let lower_rod_bias = v_upper_to_lower_x * v_upper_to_lower_x
            + v_upper_to_lower_y * v_upper_to_lower_y
            - lower_rod_rate / lower_rod_length_squared * lower_rod_rate;
        // Solve
        let inv_determinant = T::lit(1.0) / determinant;
        let lambda_per_mass_1 = (minus_delassus_1_0 * right_0 - pivot_0 * lower_rod_bias)
            * inv_determinant;
        let lambda_per_mass_0 = (delassus_1_1 * right_0
            - lower_rod_bias * minus_delassus_1_0) * inv_determinant;
        // v̇, λ
        let pull_lower_x = upper_to_lower_x * lambda_per_mass_1;
        let pull_lower_y = upper_to_lower_y * lambda_per_mass_1;
        Ok((
            rt::vector([
                upper_x * lambda_per_mass_0 - pull_lower_x,
                upper_y * lambda_per_mass_0 - pull_lower_y - g,
                pull_lower_x,
                pull_lower_y - g,
            ]),
            rt::vector([
                m * (pivot_0.simd_sqrt() * lambda_per_mass_0),
                m * (lower_rod_length_squared.simd_sqrt() * lambda_per_mass_1),
            ]),
        ))
    }

    /// Jᵀ λ: 54 operations: 7 add, 12 sub, 32 mul, 3 div.
    #[inline]
    fn constraint_force(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> Result<rt::SVector<T, 4>, rt::Error> {
        let m = self.m;
        let g = self.g;
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        // J M⁻¹ Jᵀ: entries and pivots
        let pivot_0 = upper_x * upper_x + upper_y * upper_y;
        rt::check_pivot(0, pivot_0, pivot_0)?;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let lower_rod_length_squared = upper_to_lower_x * upper_to_lower_x
            + upper_to_lower_y * upper_to_lower_y;
        let delassus_1_1 = T::lit(2.0) * lower_rod_length_squared;
        let minus_delassus_1_0 = upper_x * upper_to_lower_x + upper_y * upper_to_lower_y;
        let determinant = pivot_0 * delassus_1_1
            - minus_delassus_1_0 * minus_delassus_1_0;
        rt::check_pivot_pair(1, determinant, delassus_1_1, pivot_0)?;
        // Right-hand sides
        let upper_rod_rate = upper_x * v_upper_x + upper_y * v_upper_y;
        let right_0 = m
            * (upper_rod_rate / pivot_0 * upper_rod_rate + g * upper_y
                - v_upper_x * v_upper_x - v_upper_y * v_upper_y);
        let v_upper_to_lower_x = v_lower_x - v_upper_x;
        let v_upper_to_lower_y = v_lower_y - v_upper_y;
        let lower_rod_rate = upper_to_lower_x * v_upper_to_lower_x
            + upper_to_lower_y * v_upper_to_lower_y;
        let minus_right_1 = m
            * (v_upper_to_lower_x * v_upper_to_lower_x
                + v_upper_to_lower_y * v_upper_to_lower_y
                - lower_rod_rate / lower_rod_length_squared * lower_rod_rate);
        // Solve
        let inv_determinant = T::lit(1.0) / determinant;
        let lambda_1 = (minus_delassus_1_0 * right_0 - pivot_0 * minus_right_1)
            * inv_determinant;
        let lambda_0 = (delassus_1_1 * right_0 - minus_delassus_1_0 * minus_right_1)
            * inv_determinant;
        // Jᵀ λ
        let force_lower_x = upper_to_lower_x * lambda_1;
        let force_lower_y = upper_to_lower_y * lambda_1;
        Ok(
            rt::vector([
                upper_x * lambda_0 - force_lower_x,
                upper_y * lambda_0 - force_lower_y,
                force_lower_x,
                force_lower_y,
            ]),
        )
    }

    /// C: 12 operations: 2 add, 4 sub, 4 mul, 2 sqrt.
    #[inline]
    fn constraint(&self, _t: T, q: &rt::SVector<T, 4>) -> rt::SVector<T, 2> {
        let l = self.l;
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        rt::vector([
            (upper_x * upper_x + upper_y * upper_y).simd_sqrt() - l,
            (upper_to_lower_x * upper_to_lower_x + upper_to_lower_y * upper_to_lower_y)
                .simd_sqrt() - l,
        ])
    }

    /// Ċ: 20 operations: 4 add, 4 sub, 8 mul, 2 div, 2 sqrt.
    #[inline]
    fn constraint_rate(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> rt::SVector<T, 2> {
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        rt::vector([
            (upper_x * v_upper_x + upper_y * v_upper_y)
                / (upper_x * upper_x + upper_y * upper_y).simd_sqrt(),
            (upper_to_lower_x * (v_lower_x - v_upper_x)
                + upper_to_lower_y * (v_lower_y - v_upper_y))
                / (upper_to_lower_x * upper_to_lower_x
                    + upper_to_lower_y * upper_to_lower_y)
                    .simd_sqrt(),
        ])
    }

    /// J: 16 operations: 2 add, 2 sub, 8 mul, 2 div, 2 sqrt.
    #[inline]
    fn jacobian(&self, _t: T, q: &rt::SVector<T, 4>) -> rt::SMatrix<T, 2, 4> {
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let inv_upper_rod_length = T::lit(1.0)
            / (upper_x * upper_x + upper_y * upper_y).simd_sqrt();
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let inv_lower_rod_length = T::lit(1.0)
            / (upper_to_lower_x * upper_to_lower_x + upper_to_lower_y * upper_to_lower_y)
                .simd_sqrt();
        let lower_rod_d_lower_x = upper_to_lower_x * inv_lower_rod_length;
        let lower_rod_d_lower_y = upper_to_lower_y * inv_lower_rod_length;
        rt::matrix([
            [upper_x * inv_upper_rod_length, -lower_rod_d_lower_x],
            [upper_y * inv_upper_rod_length, -lower_rod_d_lower_y],
            [T::lit(0.0), lower_rod_d_lower_x],
            [T::lit(0.0), lower_rod_d_lower_y],
        ])
    }

    /// Σᵢ |Jᵢ qᵢ|: 24 operations: 6 add, 2 sub, 12 mul, 2 div, 2 sqrt.
    #[inline]
    fn row_sizes(&self, _t: T, q: &rt::SVector<T, 4>) -> rt::SVector<T, 2> {
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let upper_x_squared = upper_x * upper_x;
        let upper_y_squared = upper_y * upper_y;
        let inv_upper_rod_length = T::lit(1.0)
            / (upper_x_squared + upper_y_squared).simd_sqrt();
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let inv_lower_rod_length = T::lit(1.0)
            / (upper_to_lower_x * upper_to_lower_x + upper_to_lower_y * upper_to_lower_y)
                .simd_sqrt();
        let lower_rod_d_lower_x = upper_to_lower_x * inv_lower_rod_length;
        let lower_rod_d_lower_y = upper_to_lower_y * inv_lower_rod_length;
        rt::vector([
            (inv_upper_rod_length * upper_x_squared).simd_modulus()
                + (inv_upper_rod_length * upper_y_squared).simd_modulus(),
            (upper_x * lower_rod_d_lower_x).simd_modulus()
                + (upper_y * lower_rod_d_lower_y).simd_modulus()
                + (lower_x * lower_rod_d_lower_x).simd_modulus()
                + (lower_y * lower_rod_d_lower_y).simd_modulus(),
        ])
    }

    /// β: 34 operations: 6 add, 6 sub, 18 mul, 2 div, 2 sqrt.
    #[inline]
    fn bias(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> rt::SVector<T, 2> {
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        let inv_upper_rod_length = T::lit(1.0)
            / (upper_x * upper_x + upper_y * upper_y).simd_sqrt();
        let upper_rod_rate = (upper_x * v_upper_x + upper_y * v_upper_y)
            * inv_upper_rod_length;
        let v_upper_to_lower_x = v_lower_x - v_upper_x;
        let v_upper_to_lower_y = v_lower_y - v_upper_y;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let inv_lower_rod_length = T::lit(1.0)
            / (upper_to_lower_x * upper_to_lower_x + upper_to_lower_y * upper_to_lower_y)
                .simd_sqrt();
        let lower_rod_rate = (upper_to_lower_x * v_upper_to_lower_x
            + upper_to_lower_y * v_upper_to_lower_y) * inv_lower_rod_length;
        rt::vector([
            (v_upper_x * v_upper_x + v_upper_y * v_upper_y
                - upper_rod_rate * upper_rod_rate) * inv_upper_rod_length,
            (v_upper_to_lower_x * v_upper_to_lower_x
                + v_upper_to_lower_y * v_upper_to_lower_y
                - lower_rod_rate * lower_rod_rate) * inv_lower_rod_length,
        ])
    }

    /// M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b: 34 operations: 5 add, 5 sub, 21 mul, 1 div, 2 sqrt.
    #[inline]
    fn correction(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        b: &rt::SVector<T, 2>,
    ) -> Result<rt::SVector<T, 4>, rt::Error> {
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[b_0, b_1]] = b.data.0;
        // J M⁻¹ Jᵀ: entries and pivots
        let upper_rod_length_squared = upper_x * upper_x + upper_y * upper_y;
        rt::check_pivot(0, upper_rod_length_squared, upper_rod_length_squared)?;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let lower_rod_length_squared = upper_to_lower_x * upper_to_lower_x
            + upper_to_lower_y * upper_to_lower_y;
        let delassus_1_1 = T::lit(2.0) * lower_rod_length_squared;
        let minus_delassus_1_0 = upper_x * upper_to_lower_x + upper_y * upper_to_lower_y;
        let determinant = upper_rod_length_squared * delassus_1_1
            - minus_delassus_1_0 * minus_delassus_1_0;
        rt::check_pivot_pair(1, determinant, delassus_1_1, upper_rod_length_squared)?;
        // Right-hand sides
        let right_0 = upper_rod_length_squared.simd_sqrt() * b_0;
        let right_1 = lower_rod_length_squared.simd_sqrt() * b_1;
        // Solve
        let inv_determinant = T::lit(1.0) / determinant;
        let unknown_1 = (minus_delassus_1_0 * right_0
            + upper_rod_length_squared * right_1) * inv_determinant;
        let unknown_0 = (delassus_1_1 * right_0 + minus_delassus_1_0 * right_1)
            * inv_determinant;
        // M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b
        let t1 = upper_to_lower_x * unknown_1;
        let t2 = upper_to_lower_y * unknown_1;
        Ok(rt::vector([upper_x * unknown_0 - t1, upper_y * unknown_0 - t2, t1, t2]))
    }

    /// v − M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ Ċ, v̇: 80 operations: 13 add, 20 sub, 44 mul, 3 div.
    #[inline]
    fn projected_motion(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        v: &rt::SVector<T, 4>,
    ) -> Result<(rt::SVector<T, 4>, rt::SVector<T, 4>), rt::Error> {
        let g = self.g;
        let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
        let [[v_upper_x, v_upper_y, v_lower_x, v_lower_y]] = v.data.0;
        let pivot_0 = upper_x * upper_x + upper_y * upper_y;
        rt::check_pivot(0, pivot_0, pivot_0)?;
        let upper_to_lower_x = lower_x - upper_x;
        let upper_to_lower_y = lower_y - upper_y;
        let lower_rod_length_squared = upper_to_lower_x * upper_to_lower_x
            + upper_to_lower_y * upper_to_lower_y;
        let delassus_1_1 = T::lit(2.0) * lower_rod_length_squared;
        let minus_delassus_1_0 = upper_x * upper_to_lower_x + upper_y * upper_to_lower_y;
        let determinant = pivot_0 * delassus_1_1
            - minus_delassus_1_0 * minus_delassus_1_0;
        rt::check_pivot_pair(1, determinant, delassus_1_1, pivot_0)?;
        let upper_rod_rate = upper_x * v_upper_x + upper_y * v_upper_y;
        let lower_rod_rate = upper_to_lower_x * (v_lower_x - v_upper_x)
            + upper_to_lower_y * (v_lower_y - v_upper_y);
        let inv_determinant = T::lit(1.0) / determinant;
        let unknown_1 = (upper_rod_rate * minus_delassus_1_0 + pivot_0 * lower_rod_rate)
            * inv_determinant;
        let unknown_0 = (upper_rod_rate * delassus_1_1
            + lower_rod_rate * minus_delassus_1_0) * inv_determinant;
        let t1 = upper_to_lower_x * unknown_1;
        let t2 = t1 + v_upper_x - upper_x * unknown_0;
        let t3 = upper_to_lower_y * unknown_1;
        let t4 = t3 + v_upper_y - upper_y * unknown_0;
        let t5 = upper_x * t2 + upper_y * t4;
        let right_0 = g * upper_y + t5 / pivot_0 * t5 - t2 * t2 - t4 * t4;
        let t6 = v_lower_x - t1;
        let t7 = t6 - t2;
        let t8 = v_lower_y - t3;
        let t9 = t8 - t4;
        let t10 = upper_to_lower_x * t7 + upper_to_lower_y * t9;
        let lower_rod_bias = t7 * t7 + t9 * t9 - t10 / lower_rod_length_squared * t10;
        let lambda_per_mass_1 = (minus_delassus_1_0 * right_0 - pivot_0 * lower_rod_bias)
            * inv_determinant;
        let lambda_per_mass_0 = (delassus_1_1 * right_0
            - minus_delassus_1_0 * lower_rod_bias) * inv_determinant;
        let pull_lower_x = upper_to_lower_x * lambda_per_mass_1;
        let pull_lower_y = upper_to_lower_y * lambda_per_mass_1;
        Ok((
            rt::vector([t2, t4, t6, t8]),
            rt::vector([
                upper_x * lambda_per_mass_0 - pull_lower_x,
                upper_y * lambda_per_mass_0 - pull_lower_y - g,
                pull_lower_x,
                pull_lower_y - g,
            ]),
        ))
    }

    /// M⁻¹ h: no operations.
    #[inline]
    fn free_acceleration(
        &self,
        _t: T,
        _q: &rt::SVector<T, 4>,
        _v: &rt::SVector<T, 4>,
    ) -> Result<rt::SVector<T, 4>, rt::Error> {
        let g = self.g;
        let t1 = -g;
        Ok(rt::vector([T::lit(0.0), t1, T::lit(0.0), t1]))
    }

    /// M a − h: 7 operations: 2 add, 5 mul.
    #[inline]
    fn inverse_dynamics(
        &self,
        _t: T,
        _q: &rt::SVector<T, 4>,
        _v: &rt::SVector<T, 4>,
        a: &rt::SVector<T, 4>,
    ) -> Result<rt::SVector<T, 4>, rt::Error> {
        let m = self.m;
        let g = self.g;
        let [[a_0, a_1, a_2, a_3]] = a.data.0;
        let t1 = m * g;
        Ok(rt::vector([m * a_0, t1 + m * a_1, m * a_2, t1 + m * a_3]))
    }

    /// J, M⁻¹ Jᵀ: 24 operations: 2 add, 2 sub, 14 mul, 4 div, 2 sqrt.
    fn impulse_rows(
        &self,
        _t: T,
        q: &rt::SVector<T, 4>,
        rows: &mut rt::ImpulseRows<T>,
    ) -> Result<(), rt::Error> {
        let entries: [T; 12] = {
            let m = self.m;
            let [[upper_x, upper_y, lower_x, lower_y]] = q.data.0;
            let upper_rod_length = (upper_x * upper_x + upper_y * upper_y).simd_sqrt();
            let inv_upper_rod_length = T::lit(1.0) / upper_rod_length;
            let t1 = T::lit(1.0) / (m * upper_rod_length);
            let upper_to_lower_x = lower_x - upper_x;
            let upper_to_lower_y = lower_y - upper_y;
            let lower_rod_length = (upper_to_lower_x * upper_to_lower_x
                + upper_to_lower_y * upper_to_lower_y)
                .simd_sqrt();
            let inv_lower_rod_length = T::lit(1.0) / lower_rod_length;
            let lower_rod_d_lower_x = upper_to_lower_x * inv_lower_rod_length;
            let lower_rod_d_lower_y = upper_to_lower_y * inv_lower_rod_length;
            let t2 = T::lit(1.0) / (m * lower_rod_length);
            let t3 = upper_to_lower_x * t2;
            let t4 = upper_to_lower_y * t2;
            [
                upper_x * inv_upper_rod_length,
                upper_y * inv_upper_rod_length,
                upper_x * t1,
                upper_y * t1,
                -lower_rod_d_lower_x,
                -lower_rod_d_lower_y,
                lower_rod_d_lower_x,
                lower_rod_d_lower_y,
                -t3,
                -t4,
                t3,
                t4,
            ]
        };
        rows.push(&[0, 1], &entries[0..2], &entries[2..4]);
        rows.push(&[0, 1, 2, 3], &entries[4..8], &entries[8..12]);
        Ok(())
    }

    fn row_name(&self, row: usize) -> Option<&'static str> {
        <Rods<f64>>::CONSTRAINTS.get(row).copied()
    }
}

impl Rods<f64> {
    /// The names of the constraint rows.
    pub const CONSTRAINTS: [&'static str; 2] = ["upper_rod", "lower_rod"];
}

/// # Derivation
///
/// M v̇ = h + Jᵀ λ, J v̇ = −β.
///
/// ```text
/// T = (m (v_upper.x² + v_upper.y²) + m (v_lower.x² + v_lower.y²))/2
/// V = m g (upper.y + lower.y)
/// M = ( m   0   0   0 )
///     ( 0   m   0   0 )
///     ( 0   0   m   0 )
///     ( 0   0   0   m )
/// h = ( 0    )
///     ( −m g )
///     ( 0    )
///     ( −m g )
/// C = ( √(upper.x² + upper.y²) − l                         )
///     ( √((lower.x − upper.x)² + (lower.y − upper.y)²) − l )
/// J = ( upper.x/√(upper.x² + upper.y²)   upper.y/√(upper.x² + upper.y²)   0    0  )
///     ( −s2                              −s1                              s2   s1 )
///     where s1 = (lower.y − upper.y)/√((lower.x − upper.x)² + (lower.y − upper.y)²)
///           s2 = (lower.x − upper.x)/√((lower.x − upper.x)² + (lower.y − upper.y)²)
/// β = ( (v_upper.x² + v_upper.y² − ((upper.x v_upper.x + upper.y v_upper.y)/√(upper.x² + upper.y²))²)/√(upper.x² + upper.y²)                                                                                                                                 )
///     ( ((v_lower.x − v_upper.x)² + (v_lower.y − v_upper.y)² − (((lower.x − upper.x) (v_lower.x − v_upper.x) + (lower.y − upper.y) (v_lower.y − v_upper.y))/√((lower.x − upper.x)² + (lower.y − upper.y)²))²)/√((lower.x − upper.x)² + (lower.y − upper.y)²) )
/// ```
///
/// Every operation is written out: 4 coordinates, M is diagonal, J M⁻¹ Jᵀ of 2 rows by sparse LDLᵀ.
///
/// | function | cost |
/// |---|---|
/// | `acceleration` | 54 operations: 7 add, 14 sub, 30 mul, 3 div |
/// | `multipliers` | 52 operations: 7 add, 10 sub, 30 mul, 3 div, 2 sqrt |
/// | `acceleration_and_multipliers` | 60 operations: 7 add, 14 sub, 34 mul, 3 div, 2 sqrt |
/// | `constraint_force` | 54 operations: 7 add, 12 sub, 32 mul, 3 div |
/// | `constraint` | 12 operations: 2 add, 4 sub, 4 mul, 2 sqrt |
/// | `constraint_rate` | 20 operations: 4 add, 4 sub, 8 mul, 2 div, 2 sqrt |
/// | `jacobian` | 16 operations: 2 add, 2 sub, 8 mul, 2 div, 2 sqrt |
/// | `row_sizes` | 24 operations: 6 add, 2 sub, 12 mul, 2 div, 2 sqrt |
/// | `bias` | 34 operations: 6 add, 6 sub, 18 mul, 2 div, 2 sqrt |
/// | `correction` | 34 operations: 5 add, 5 sub, 21 mul, 1 div, 2 sqrt |
/// | `projected_motion` | 80 operations: 13 add, 20 sub, 44 mul, 3 div |
/// | `kinetic_energy` | 9 operations: 3 add, 6 mul |
/// | `potential_energy` | 3 operations: 1 add, 2 mul |
/// | `mass_times` | 4 operations: 4 mul |
/// | `inverse_dynamics` | 7 operations: 2 add, 5 mul |
///
/// Certificate: at a random point modulo 2⁶¹ − 1, these functions agree with the equations: v̇, λ, Jᵀ λ, C, Ċ, J, β, M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ b, T, V, M⁻¹ h, M a, M a − h, `projected_motion`. Rounding and guards of pivots are not covered. Not certified, because the equations do not determine it: `row_sizes`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rods<T: rt::Real = f64> {
    m: T,
    l: T,
    g: T,
}

/// The coordinates of [`Rods`] by name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RodsCoordinates<T: rt::Real = f64> {
    /// Position of `upper`.
    pub upper: rt::Point2<T>,
    /// Position of `lower`.
    pub lower: rt::Point2<T>,
}

/// The velocities of [`Rods`] by name.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RodsVelocities<T: rt::Real = f64> {
    /// Velocity of `upper`.
    pub upper: rt::Vector2<T>,
    /// Velocity of `lower`.
    pub lower: rt::Vector2<T>,
}

/// λ of [`Rods`] by the names of its constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
struct RodsMultipliers<T: rt::Real = f64> {
    /// `upper_rod`
    pub upper_rod: T,
    /// `lower_rod`
    pub lower_rod: T,
}

rt::named! {
    T, RodsCoordinates < T >, rt::SVector < T, 4 >, [rt::Names::of("upper", & [".x",
    ".y"]), rt::Names::of("lower", & [".x", ".y"])]
}

rt::named! {
    T, RodsVelocities < T >, rt::SVector < T, 4 >, [rt::Names::of("upper", & [".x",
    ".y"]), rt::Names::of("lower", & [".x", ".y"])]
}

impl<T: rt::Real> From<rt::SVector<T, 4>> for RodsCoordinates<T> {
    #[inline]
    fn from(flat: rt::SVector<T, 4>) -> Self {
        Self {
            upper: rt::Point2::new(flat[0], flat[1]),
            lower: rt::Point2::new(flat[2], flat[3]),
        }
    }
}

impl<T: rt::Real> From<RodsCoordinates<T>> for rt::SVector<T, 4> {
    #[inline]
    fn from(named: RodsCoordinates<T>) -> Self {
        let mut flat = Self::zeros();
        flat[0] = named.upper.x;
        flat[1] = named.upper.y;
        flat[2] = named.lower.x;
        flat[3] = named.lower.y;
        flat
    }
}

impl<T: rt::Real> Default for RodsCoordinates<T> {
    #[inline]
    fn default() -> Self {
        rt::SVector::<T, 4>::zeros().into()
    }
}

impl<T: rt::Real> From<rt::SVector<T, 4>> for RodsVelocities<T> {
    #[inline]
    fn from(flat: rt::SVector<T, 4>) -> Self {
        Self {
            upper: rt::Vector2::new(flat[0], flat[1]),
            lower: rt::Vector2::new(flat[2], flat[3]),
        }
    }
}

impl<T: rt::Real> From<RodsVelocities<T>> for rt::SVector<T, 4> {
    #[inline]
    fn from(named: RodsVelocities<T>) -> Self {
        let mut flat = Self::zeros();
        flat[0] = named.upper.x;
        flat[1] = named.upper.y;
        flat[2] = named.lower.x;
        flat[3] = named.lower.y;
        flat
    }
}

impl<T: rt::Real> Default for RodsVelocities<T> {
    #[inline]
    fn default() -> Self {
        rt::SVector::<T, 4>::zeros().into()
    }
}

impl<T: rt::Real> From<rt::SVector<T, 2>> for RodsMultipliers<T> {
    #[inline]
    fn from(flat: rt::SVector<T, 2>) -> Self {
        Self {
            upper_rod: flat[0],
            lower_rod: flat[1],
        }
    }
}

impl<T: rt::Real> Default for Rods<T> {
    fn default() -> Self {
        Self {
            m: T::lit(1.0),
            l: T::lit(1.0),
            g: T::lit(9.81),
        }
    }
}
