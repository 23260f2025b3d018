// Read by the program, and compiled as a part of `run.rs`, which compares the two.

system! {
    struct Angles { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    fn hanging(angle) = [l*sin(angle), -l*cos(angle)];
    coordinate upper_angle, lower_angle;
    particle upper = hanging(upper_angle) { mass: m }
    particle lower = upper + hanging(lower_angle) { mass: m }
    potential m*g*(upper.y + lower.y);
}

system! {
    struct Rods { m: Real = 1, l: Real = 1, g: Real = 9.81 }
    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint upper_rod: norm(upper) == l;
    constraint lower_rod: norm(lower - upper) == l;
    potential m*g*(upper.y + lower.y);
}
