//! What functions return at a corner, in a list.

use core::fmt::Display;

/// The results of functions that are not finite though they are `Ok`, by name.
#[derive(Default)]
pub struct Answers {
    undefined: Vec<String>,
    refused: usize,
}

impl Answers {
    /// Adds a result.
    pub fn add<R, E: Display>(
        &mut self,
        what: &str,
        result: Result<R, E>,
        numbers: impl Fn(&R) -> Vec<f64>,
    ) {
        match result {
            Ok(found) => {
                let numbers = numbers(&found);
                println!("{what}: {numbers:?}");
                if !numbers.iter().all(|x| x.is_finite()) {
                    self.undefined.push(format!("{what}: {numbers:?}"));
                }
            }
            Err(error) => {
                println!("{what}: {error}");
                self.refused += 1;
            }
        }
    }

    /// Asserts that no result is NaN or infinite; how many functions returned an error.
    #[track_caller]
    pub fn judge(self) -> usize {
        assert!(self.undefined.is_empty(), "{:#?}", self.undefined);
        self.refused
    }
}
