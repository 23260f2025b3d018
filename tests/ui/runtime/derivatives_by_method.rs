use constraint_runtime::prelude::*;

system! {
    struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    coordinate phi;
    particle bob = l*[sin(phi), -cos(phi)] { mass: m }
    gravity [0, -g];
}

system! {
    #[derivatives]
    struct Cart { m: Real = 1 }
    coordinate x;
    particle cart = [x, 0] { mass: m }
    input push;
    force x: push;
}

fn main() -> Result<(), Error> {
    let pendulum = Pendulum::default();
    let (q, v) = ([0.1].into(), [0.0].into());
    let Linearization { a, .. } = pendulum.linearize(0.0, &q, &v)?;
    let stiffness: f64 = a[0] + a.norm();

    let along = Tangent { q: [1.0].into(), ..Tangent::default() };
    let (change, _) = pendulum.jvp(0.0, &q, &v, &along)?;

    let inputs_missing = Cart::<f64>::default().linearize(0.0, &[0.0].into(), &[0.0].into())?;

    let held = Cart::<f64>::default().with_inputs(CartInputs { push: 1.0 });
    let without_outputs = held.linearize_with_outputs(0.0, &[0.0].into(), &[0.0].into())?;
    Ok(())
}
