//! The classic Runge–Kutta step as one writes it by hand around one's own acceleration.

use constraint_runtime::nalgebra::SVector;

/// (q, v) after one step of size `h` under q̈ = `acceleration(q, v)`.
#[inline]
pub fn rk4_step<const Q: usize>(
    acceleration: impl Fn(&SVector<f64, Q>, &SVector<f64, Q>) -> SVector<f64, Q>,
    q: &mut SVector<f64, Q>,
    v: &mut SVector<f64, Q>,
    h: f64,
) {
    let k1 = acceleration(q, v);
    let v2 = *v + k1 * (h / 2.0);
    let k2 = acceleration(&(*q + *v * (h / 2.0)), &v2);
    let v3 = *v + k2 * (h / 2.0);
    let k3 = acceleration(&(*q + v2 * (h / 2.0)), &v3);
    let v4 = *v + k3 * h;
    let k4 = acceleration(&(*q + v3 * h), &v4);
    for i in 0..Q {
        q[i] += h / 6.0 * (v[i] + 2.0 * (v2[i] + v3[i]) + v4[i]);
        v[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
    }
}
