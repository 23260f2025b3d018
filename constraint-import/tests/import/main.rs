//! Imported robots: their text, their kinematics and their dynamics against computations by hand, and mistakes.

mod dynamics;
mod loops;
mod mistakes;
mod model;
mod newton_euler;
