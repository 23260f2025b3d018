//! What drives and lifts: a car on its springs, cranes, a pendulum on a cart.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

use crate::lagrange::{check_lagrange, scattered};

system! {
    /// Half a car: a body on two springs with dampers, wheels on tyres, on a road with a bump.
    pub struct Car { m: Real = 600, j: Real = 800, wheel: Real = 40, a: Real = 1.2, b: Real = 1.5,
        k: Real = 20000, c: Real = 1500, tyre: Real = 200000, v: Real = 20, bump: Real = 0.05, g: Real = 9.81 }

    part Corner { chassis: Rigid2, arm: Real, road: Real, m: Real, k: Real, c: Real, tyre: Real } {
        coordinate y;
        particle hub = [arm, y] { mass: m }
        let mount = at(chassis, [arm, 0]);
        let stretch = mount.y - y - 1/2;
        potential k/2*stretch^2 + tyre/2*(y - road)^2;
        dissipation c/2*velocity(stretch)^2;
    }
    fn road(x) = bump*smoothstep(5, 6, x)*(1 - smoothstep(7, 8, x));
    coordinate heave, pitch;
    body chassis: Rigid2 = pose([0, heave], pitch) { mass: m, inertia: j }
    front: Corner { chassis: chassis, arm: a, road: road(v*t + a), m: wheel, k: k, c: c, tyre: tyre }
    rear: Corner { chassis: chassis, arm: -b, road: road(v*t - b), m: wheel, k: k, c: c, tyre: tyre }
    gravity [0, -g];
    output bounce = acceleration(heave);
    output grip = [tyre*(road(v*t + a) - front.y), tyre*(road(v*t - b) - rear.y)];
}

system! {
    /// A crane: a trolley, a load on a rope, and a winch that reels it in.
    pub struct Crane { trolley: Real = 10, load: Real = 50, drum: Real = 2, g: Real = 9.81 }

    input drive, winch;
    coordinate x, length, angle;
    particle cart = [x, 0] { mass: trolley }
    particle hook = [x + length*sin(angle), -length*cos(angle)] { mass: load }
    kinetic drum/2*velocity(length)^2;
    gravity [0, -g];
    force x: drive;
    force length: -winch;
    output place = hook;
    output sway = velocity(angle);
}

system! {
    /// A pendulum on a cart, told by outputs.
    pub struct CartPole { cart: Real = 1, bob: Real = 0.2, l: Real = 0.5, g: Real = 9.81 }

    input push;
    coordinate x, angle;
    particle base = [x, 0] { mass: cart }
    particle tip = base + l*[sin(angle), -cos(angle)] { mass: bob }
    gravity [0, -g];
    force x: push;
    output place = tip;
    output speed = velocity(tip);
    output felt = acceleration(tip) + [0, g];
    output tension = bob*norm(acceleration(tip) + [0, g]);
}

#[test]
fn dampers_push_the_wheels_and_the_car() {
    let car = Car::<f64> {
        m: 6.0,
        j: 8.0,
        wheel: 0.4,
        k: 20.0,
        c: 15.0,
        tyre: 200.0,
        ..Default::default()
    };
    check_lagrange(&car, |q, v| {
        let lever = q[1].cos();
        let pull = |arm: f64, y: usize| -car.c * (v[0] + arm * lever * v[1] - v[y]);
        let (front, rear) = (pull(car.a, 2), pull(-car.b, 3));
        [
            front + rear,
            (car.a * front - car.b * rear) * lever,
            -front,
            -rear,
        ]
        .into()
    });
}

#[test]
fn a_winch_shortens_the_rope() {
    let inputs = CraneInputs {
        drive: 4.0,
        winch: 3.0,
    };
    let crane = Crane::<f64>::default().with_inputs(inputs);
    check_lagrange(&crane, |_, _| [4.0, -3.0, 0.0].into());
}

/// The push moves cart and bob, and both alone: (M + m) ẍ of their centre is the push.
#[test]
fn outputs_of_a_pendulum_on_a_cart_are_newtons() {
    let cart = CartPole::<f64>::default().with_inputs(CartPoleInputs { push: 2.0 });
    check_lagrange(&cart, |_, _| [2.0, 0.0].into());
    let (q, v) = (scattered::<2>(1.0), scattered::<2>(2.0));
    let a = cart.acceleration(0.0, &q, &v).unwrap();
    let told = cart.outputs(0.0, &q, &v).unwrap();
    let CartPole {
        cart: mass, bob, l, ..
    } = cart.system;
    assert_relative_eq!(mass * a[0] + bob * told.felt.x, 2.0, max_relative = 1e-12);
    assert_relative_eq!(told.tension, bob * told.felt.norm(), max_relative = 1e-12);
    assert_relative_eq!(told.place.x - q[0], l * q[1].sin(), max_relative = 1e-12);
}
