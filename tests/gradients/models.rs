//! Systems whose runs are differentiated.

use constraint_runtime::prelude::*;

system! {
    /// A pole on a cart, damped, with a push.
    #[derivatives]
    pub struct Cart { m: Real, bob: Real, l: Real, g: Real, c: Real }
    input push: Real;
    coordinate x, angle;
    particle cart = [x, 0] { mass: m }
    particle pole = cart + l*[sin(angle), cos(angle)] { mass: bob }
    gravity [0, -g];
    force x: push*cos(t) - c*velocity(x);
}

system! {
    /// Links that differ, in a wind that grows, on a pin that moves.
    #[derivatives]
    pub struct Chain { m: [Real; 3], l: Real, g: Real, wind: Vector2 }
    for i in 0..3 { particle bead[i]: Point2 { mass: m[i] } }
    constraint anchor: norm(bead[0] - [sin(2*t)/10, 0]) == l;
    for i in 1..3 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 0..3 { force bead[i]: wind*t - velocity(bead[i])/5; }
    gravity [0, -g];
}

system! {
    /// The same links in loops, each as long as it is told.
    #[derivatives]
    #[solver(rolled)]
    pub struct Rolled { m: [Real; 5], l: [Real; 5], g: Real, k: Real }
    for i in 0..5 { particle bead[i]: Point2 { mass: m[i] } }
    constraint anchor: norm(bead[0]) == l[0];
    for i in 1..5 { constraint link[i]: norm(bead[i] - bead[i-1]) == l[i]*(1 + t/9); }
    for i in 2..5 { potential k/2*norm_squared(bead[i] - bead[i-2]); }
    gravity [0, -g];
}

system! {
    /// A loop of three angles: two arms, and a bar between their hands.
    #[derivatives]
    pub struct Loop { m: [Real; 2], l: Vector3, width: Real, k: Real, g: Real }
    coordinate a, b;
    particle left = l.x*[cos(a), sin(a)] { mass: m[0] }
    particle right = [width, 0] + l.y*[cos(b), sin(b)] { mass: m[1] }
    coordinate height;
    particle weight = (left + right)/2 + [0, -height] { mass: m[0] + m[1]/2 }
    constraint bar: norm(right - left) == l.z;
    potential k/2*(height - l.x/2)^2;
    gravity [0, -g];
}

system! {
    /// A blade that glides where it points.
    #[derivatives]
    pub struct Skate { m: Real, i: Real, tilt: Real }
    coordinate x, y, phi;
    kinetic m/2*(velocity(x)^2 + velocity(y)^2) + i/2*velocity(phi)^2;
    constraint blade: velocity(y)*cos(phi) - velocity(x)*sin(phi) == 0;
    potential tilt*x - tilt^2*y;
}

pub fn cart<T: Real>(p: SVector<T, 5>, u: SVector<T, 1>) -> CartWithInputs<T> {
    let cart = Cart {
        m: p[0],
        bob: p[1],
        l: p[2],
        g: p[3],
        c: p[4],
    };
    cart.with_inputs(CartInputs { push: u[0] })
}

pub fn chain<T: Real>(p: SVector<T, 7>, _: SVector<T, 0>) -> Chain<T> {
    Chain {
        m: [p[0], p[1], p[2]],
        l: p[3],
        g: p[4],
        wind: Vector2::new(p[5], p[6]),
    }
}

pub fn rolled<T: Real>(p: SVector<T, 12>, _: SVector<T, 0>) -> Rolled<T> {
    Rolled {
        m: [p[0], p[1], p[2], p[3], p[4]],
        l: [p[5], p[6], p[7], p[8], p[9]],
        g: p[10],
        k: p[11],
    }
}

pub fn closed<T: Real>(p: SVector<T, 8>, _: SVector<T, 0>) -> Loop<T> {
    Loop {
        m: [p[0], p[1]],
        l: Vector3::new(p[2], p[3], p[4]),
        width: p[5],
        k: p[6],
        g: p[7],
    }
}

pub fn skate<T: Real>(p: SVector<T, 3>, _: SVector<T, 0>) -> Skate<T> {
    Skate {
        m: p[0],
        i: p[1],
        tilt: p[2],
    }
}
