//! The written text, run by the engine's interpreter.

use std::path::{Path, PathBuf};

use constraint_import::{Imported, Options, import};
use constraint_symbolic::call::{Derived, calls};
use constraint_symbolic::function::Function;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::system;

/// A file of these tests.
pub fn file(name: &str) -> String {
    let place: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/import/robots")
        .join(name);
    std::fs::read_to_string(place).expect("a file of these tests")
}

/// A robot of these tests.
pub fn imported(name: &str, options: &Options) -> Imported {
    import(&file(name), options).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// A system with the default parameters, all inputs zero.
pub struct Model {
    derived: &'static system::Derived,
    functions: Vec<Function<'static>>,
    parameters: Vec<f64>,
    inputs: Vec<f64>,
}

impl Model {
    /// Derives the call of a text. The derivation lives as long as the test.
    pub fn new(text: &str) -> Model {
        let calls = calls(text.parse().expect("tokens"));
        let [call] = &calls[..] else {
            panic!("{} calls", calls.len());
        };
        let derived = match call.derive() {
            Ok(Derived::System(derived)) => Box::leak(derived),
            Ok(_) => panic!("no system"),
            Err(mistakes) => panic!("{mistakes:?}\n{text}"),
        };
        let parameters = derived.system.defaults.iter().flatten().flatten().copied();
        let printed = Box::leak(Box::new(names(&derived.system)));
        Model {
            parameters: parameters.collect(),
            inputs: vec![0.0; derived.system.inputs.len()],
            functions: functions(derived, printed),
            derived,
        }
    }

    /// The same with values of the inputs.
    pub fn with_inputs(mut self, inputs: &[f64]) -> Model {
        assert_eq!(self.inputs.len(), inputs.len());
        self.inputs = inputs.to_vec();
        self
    }

    fn function(&self, name: &str) -> &Function<'static> {
        // Without rows `inverse_dynamics` has another name inside.
        let is_named = |it: &str| it == name || it.strip_prefix("unconstrained_") == Some(name);
        let function = self.functions.iter().find(|it| is_named(it.signature.name));
        function.unwrap_or_else(|| panic!("no function `{name}`"))
    }

    /// The number of velocities.
    pub fn velocities(&self) -> usize {
        self.derived.system.velocities()
    }

    /// The number of operations of a function.
    pub fn cost(&self, name: &str) -> u32 {
        self.function(name).body.cost().total()
    }

    /// The result of a function.
    pub fn call(&self, name: &str, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let function = self.function(name);
        let given = Given {
            q,
            v,
            a,
            parameters: &self.parameters,
            inputs: &self.inputs,
            ..Given::default()
        };
        let results = Interpreter::of_system(self.derived).evaluate(function, &given);
        results
            .expect("a function that is not solved by tables")
            .values
    }
}

/// A number between −1 and 1, the same for the same `k`.
pub fn noise(k: usize) -> f64 {
    (12.9898 * k as f64 + 4.1).sin()
}

/// Fails if two lists differ by more than `tolerance` of their largest entry.
pub fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_within(found, expected, tolerance, 0.0);
}

/// The same of lists whose entries are sums of terms of a size.
pub fn assert_within(found: &[f64], expected: &[f64], tolerance: f64, terms: f64) {
    assert_eq!(found.len(), expected.len());
    let size = expected
        .iter()
        .fold(terms.max(1e-300), |most, x| most.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * size, "{found:?}\n{expected:?}");
    }
}
