use constraint_runtime::prelude::*;

// Each link has exponents of its own, so that no two rows are alike.
system! {
    struct Chain { m: Real = 1 }

    particle bead[12000]: Point2 { mass: m }
    for i in 1..12000 { constraint link[i]: bead[i].x^(i % 19 + 1)*bead[i].y^(i % 23 + 1)*bead[i - 1].x^(i % 29 + 1) == m; }
}

// M couples each coordinate with the next.
system! {
    struct Tied { k: Real = 1 }

    coordinate x[12000];
    for i in 0..12000 { kinetic velocity(x[i])^2; }
    for i in 1..12000 { kinetic velocity(x[i])*velocity(x[i - 1])/2; potential k*(x[i] - x[i - 1])^4; }
}

// Each position depends on the next coordinate, too, as in a chain in relative angles.
system! {
    struct Posed { m: Real = 1 }

    coordinate x[12001];
    particle p[i in 0..12000] = [x[i] + x[i + 1]^2, 0] { mass: m }
    for i in 0..12000 { potential (x[i + 1] - x[i])^4; }
}

fn main() {}
