part Contact {
    /// The distance between the two bodies, negative while they touch.
    gap: Real,
    /// The force at a depth of 1: k of k·depthⁿ.
    stiffness: Real,
    /// n: 3/2 between spheres, or a sphere and a plane, by Hertz; 1 is a spring.
    exponent: Real = 3/2,
    /// The loss by speed: slow impacts rebound with 1 - dissipation·speed of their speed.
    dissipation: Real = 0,
} {
    let push = if -gap > 0 {
        stiffness*(-gap)^exponent*max(0, 1 - 3/2*dissipation*velocity(gap))
    } else {
        0
    };
    force gap: push;
}
