//! Where results are not finite, for errors by name.

use constraint_runtime::Error;
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::schedule::Program;
use constraint_symbolic::undefined::Place;

/// What vanishes or is not positive where results are not finite, and that in words.
pub struct Undefined {
    program: Program,
    places: Vec<(Place, &'static str)>,
}

impl Undefined {
    /// Of places, and the program that computes their expressions.
    pub fn new(places: Vec<(Place, String)>, program: Program) -> Undefined {
        // The runtime's messages need `'static` names.
        let places = places
            .into_iter()
            .map(|(place, text)| (place, &*text.leak()));
        Undefined {
            program,
            places: places.collect(),
        }
    }

    /// Accepts a state at which nothing vanishes or leaves its domain.
    ///
    /// # Errors
    /// [`Error::Corner`]
    pub fn check(&self, interpreter: &Interpreter<'_>, given: &Given<'_>) -> Result<(), Error> {
        let values = interpreter.run(&self.program, given).values;
        for (&(place, text), value) in self.places.iter().zip(values) {
            let is_there = match place {
                Place::Zero(_) => value == 0.0,
                Place::End(_) => value <= 0.0,
            };
            if is_there {
                return Err(Error::Corner {
                    place: text,
                    time: None,
                });
            }
        }
        Ok(())
    }
}
