use constraint_runtime::prelude::*;

system! {
    /// A ball above a floor.
    struct Ball { m: Real = 1, g: Real = 9.81 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint floor: ball.y >= 0;
}

system! {
    /// The same ball on a rail.
    struct Guided { m: Real = 1, g: Real = 9.81 }
    particle ball: Point2 { mass: m }
    gravity [0, -g];
    constraint rail: ball.x == 0;
    constraint floor: ball.y >= 0;
}

fn main() -> Result<(), Error> {
    let start = State::new(0.0, [0.0, 1.0], [0.0, 0.0]);
    let free = Simulation::new(Ball::<f64>::default(), start, Rk4::new(1e-3))?;
    let guided = Simulation::new(Guided::<f64>::default(), start, Rk4::new(1e-3))?;
    Ok(())
}
