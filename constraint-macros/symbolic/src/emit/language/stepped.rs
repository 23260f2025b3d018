//! What a step moves, for languages that have a step.

use crate::dynamics::OwnFrames;
use crate::system::Derived;

/// What a step moves.
#[derive(Clone, Debug, Default)]
pub struct Stepped {
    /// The number of coordinates,
    pub coordinates: usize,
    /// that of velocities,
    pub velocities: usize,
    /// and that of constraints.
    pub rows: usize,
    /// The rotations of bodies among the coordinates; where there is none, velocities are the rates of coordinates.
    pub rotations: Vec<Rotations>,
    /// Bodies that stages have in their own frames.
    pub frames: Vec<OwnFrames>,
}

/// Rotations of bodies of one kind among the coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Rotations {
    /// Where the first begins,
    pub first: usize,
    /// how many numbers it has,
    pub length: usize,
    /// how far behind it the next begins,
    pub apart: usize,
    /// and how many there are.
    pub count: usize,
}

impl Stepped {
    /// Of a system.
    pub fn of(derived: &Derived) -> Stepped {
        let system = &derived.system;
        let (mut first, mut rotations) = (0, Vec::new());
        for declared in &system.declared {
            let (apart, place) = (declared.element_scalars(), declared.shape.len());
            if declared.body {
                rotations.push(Rotations {
                    first: first + place,
                    length: apart - place,
                    apart,
                    count: declared.elements(),
                });
            }
            first += declared.scalars();
        }
        Stepped {
            coordinates: system.scalars(),
            velocities: system.coordinates.len(),
            rows: system.rows.len(),
            rotations,
            frames: derived.own_frames(),
        }
    }
}
