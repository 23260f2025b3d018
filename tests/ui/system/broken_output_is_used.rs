use constraint_runtime::prelude::*;

system! {
    struct Broken;
    particle p: Point2 { mass: 1 }
    gravity [0, -1];
    constraint rod: norm(p) = 1;
    output pull = -multiplier(rod) / ;
    output speed = norm(velocity(q));
    output height[i in 0..2] = p..y;
}

fn main() {
    let run = Simulation::new(Broken, State::new(0.0, [0.0, -1.0], [0.0, 0.0]), Rk4::new(0.1)).unwrap();
    let told = run.outputs().unwrap();
    println!("{} {} {}", told.pull, told.speed, told.height[1]);
    println!("{}", run.multipliers().unwrap().rod);
}
