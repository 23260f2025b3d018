part Friction2 {
    /// The velocity against which the friction acts.
    slip: Vector2,
    /// The friction while sliding: μ times the load, or a torque.
    coulomb: Real,
    /// The width of the transition at slip 0: below it the friction is proportional to the slip.
    slip_rate: Real,
    /// The greatest friction at slow slip.
    breakaway: Real = coulomb,
    /// The slip by which the difference between the two has fallen to 1/e.
    stribeck_rate: Real = 10*slip_rate,
    /// A further drag by slip.
    viscous: Real = 0,
} {
    let level = coulomb + (breakaway - coulomb)*exp(-norm_squared(slip)/stribeck_rate^2);
    let drag = -(level/sqrt(norm_squared(slip) + slip_rate^2) + viscous)*slip;
    force slip: drag;
}
