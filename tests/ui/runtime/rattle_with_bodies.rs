use constraint_runtime::prelude::*;

system! {
    /// A stick that nothing holds.
    pub struct Stick { m: Real = 1, i: Real = 1 }
    body stick: Rigid2 { mass: m, inertia: i }
}

fn main() -> Result<(), Error> {
    let start = State::new(0.0, StickCoordinates::default(), StickVelocities::default());
    let mut run = Simulation::new(Stick::default(), start, Rattle::new(0.01))?;
    run.run_until(1.0)?;
    Ok(())
}
