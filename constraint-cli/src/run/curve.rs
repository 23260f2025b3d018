//! A curve for the runtime's beads, its functions run by the engine's interpreter.

use std::ops::RangeInclusive;

use constraint_runtime::nalgebra::SVector;
use constraint_runtime::{Curve, Cusp, Error};
use constraint_symbolic::curve::Derived;
use constraint_symbolic::expr::SymbolId;
use constraint_symbolic::function::{Function, undefined};
use constraint_symbolic::interpret::{Given, Interpreter};

use super::undefined::Undefined;

/// A curve in `D` dimensions.
pub struct Interpreted<'a, const D: usize> {
    interpreter: Interpreter<'a>,
    functions: &'a [Function<'a>],
    parameters: Vec<f64>,
    joined: Option<f64>,
    /// Where s̈ is not finite.
    undefined: Undefined,
}

impl<'a, const D: usize> Interpreted<'a, D> {
    /// A curve with these parameters.
    pub fn new(
        (derived, functions): (&'a Derived, &'a [Function<'a>]),
        parameters: Vec<f64>,
    ) -> Interpreted<'a, D> {
        let model = &derived.curve.model;
        let places = undefined::named(model, &derived.undefined, &|_| String::new());
        let symbol = |symbol: SymbolId| model.symbols[symbol.index()].name.clone();
        Interpreted {
            interpreter: Interpreter::new(model),
            functions,
            parameters,
            joined: derived.curve.joined,
            undefined: Undefined::new(places, derived.program_of_places(&symbol)),
        }
    }

    /// The result of a function; empty if there is none with this name.
    fn call(&self, name: &str, given: Given<'_>) -> Vec<f64> {
        let given = Given {
            parameters: &self.parameters,
            ..given
        };
        let mut functions = self.functions.iter();
        let function = functions.find(|it| it.signature.name == name);
        let results = function.and_then(|it| self.interpreter.evaluate(it, &given));
        results.unwrap_or_default().values
    }

    fn vector(&self, name: &str, s: f64) -> SVector<f64, D> {
        let q = &[s];
        let values = self.call(
            name,
            Given {
                q,
                ..Given::default()
            },
        );
        SVector::from_iterator(values)
    }
}

impl<const D: usize> Curve<f64, D> for Interpreted<'_, D> {
    fn position(&self, s: f64) -> SVector<f64, D> {
        self.vector("position", s)
    }

    fn tangent(&self, s: f64) -> SVector<f64, D> {
        self.vector("tangent", s)
    }

    fn second_derivative(&self, s: f64) -> SVector<f64, D> {
        self.vector("second_derivative", s)
    }

    fn domain(&self) -> RangeInclusive<f64> {
        match self.call("domain", Given::default())[..] {
            [start, end] => start..=end,
            _ => f64::NAN..=f64::NAN,
        }
    }

    fn piece(&self, s: f64) -> f64 {
        let q = &[s];
        let piece = self.call(
            "piece",
            Given {
                q,
                ..Given::default()
            },
        );
        piece.first().copied().unwrap_or(0.0)
    }

    fn joined(&self) -> f64 {
        self.joined.unwrap_or(1e-9)
    }

    fn check_defined(&self, s: f64) -> Result<(), Error> {
        let given = Given {
            q: &[s],
            parameters: &self.parameters,
            ..Given::default()
        };
        self.undefined.check(&self.interpreter, &given)
    }

    fn acceleration(&self, s: f64, s_dot: f64, f: &SVector<f64, D>, m: f64) -> Result<f64, Cusp> {
        let given = Given {
            q: &[s],
            v: &[s_dot],
            f: f.as_slice(),
            mass: m,
            ..Given::default()
        };
        // r′·r′, which must not vanish, and s̈.
        match self.call("acceleration", given)[..] {
            [metric, acceleration] if metric > 0.0 && metric.is_finite() => {
                match acceleration.is_finite() {
                    true => Ok(acceleration),
                    false => Err(Cusp {
                        metric: acceleration,
                    }),
                }
            }
            [metric, ..] => Err(Cusp { metric }),
            [] => Err(Cusp { metric: f64::NAN }),
        }
    }
}
