system! {
    /// A bob on a rod, driven at its pivot's level.
    pub struct Pendulum { pub m: Real = 2, pub l: Real = 0.5, pub g: Real = 9.81 }

    /// Force along the level.
    input push;
    particle bob: Point2 { mass: m }
    constraint rod: norm(bob) == l;
    force bob: [push, -m*g];
}
