//! Imported robots: their text, their kinematics and their dynamics against computations by hand, and mistakes.

mod benchmark;
mod damaged;
mod dynamics;
mod left_out;
mod loops;
mod mistakes;
mod mjcf;
mod model;
mod mujoco;
mod newton_euler;
mod random;
mod scale;
mod schemas;
