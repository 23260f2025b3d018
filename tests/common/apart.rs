//! Systems without what their authors add to make steps quick.

use constraint_runtime::Properties;
use constraint_runtime::prelude::*;

/// A system by its methods alone, of which steps ask nothing together; without `OWN`, its bodies are told in the world's frame.
#[derive(Clone, Copy)]
pub struct Apart<S, const OWN: bool>(pub S);

impl<S: System<f64>, const OWN: bool> Dynamics<f64> for Apart<S, OWN> {
    dynamics_within!();

    const PROPERTIES: Properties = Properties {
        own_frames: if OWN { S::PROPERTIES.own_frames } else { &[] },
        ..Properties::NONE
    };
}

impl<S: System<f64>, const OWN: bool> System<f64> for Apart<S, OWN> {}

impl<S: System<f64>, const OWN: bool> Constrained<f64> for Apart<S, OWN> {
    system_within!();
}
