//! The README and the book, whose Rust is compiled and run as documentation tests.

macro_rules! pages {
    ($($name:ident: $file:literal)*) => { $(
        #[cfg(doctest)]
        #[doc = include_str!($file)]
        pub struct $name;
    )* };
}

pages! {
    Readme: "../README.md"
    FirstMinutes: "../docs/first_minutes.md"
    Language: "../docs/language.md"
    Derivations: "../docs/derivations.md"
    Coordinates: "../docs/coordinates.md"
    Running: "../docs/running.md"
    Bodies: "../docs/bodies.md"
    Games: "../docs/games.md"
    Tracks: "../docs/tracks.md"
    Derivatives: "../docs/derivatives.md"
    Many: "../docs/many.md"
    Limits: "../docs/limits.md"
    From: "../docs/from.md"
    Robots: "../docs/robots.md"
    RobotFiles: "../docs/robot_files.md"
    VelocityConstraints: "../docs/velocity_constraints.md"
    Particles: "../docs/particles.md"
    Refused: "../docs/refused.md"
}
