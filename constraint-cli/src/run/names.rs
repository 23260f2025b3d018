//! What the numbers of a state are called on the command line, and the values that are given for them.

use std::str::FromStr;

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::model::{Declared, Model, Role, Shape, System};

use crate::failure::Failure;

/// `name=value`
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// As the model calls it.
    pub name: String,
    /// Its number.
    pub value: f64,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let pair = text.split_once('=');
        let (name, value) = pair.ok_or_else(|| format!("`{text}` is no `name=value`"))?;
        Ok(Setting {
            name: name.trim().to_owned(),
            value: number(value.trim())?,
        })
    }
}

/// A number as models write it: `-1.5e-3`, `PI/2`.
fn number(text: &str) -> Result<f64, String> {
    let none = || format!("`{text}` is no number");
    if let Ok(number) = text.parse::<f64>() {
        return Some(number).filter(|it| it.is_finite()).ok_or_else(none);
    }
    // C = x − value, at x = 0.
    let equation = format!("|unknown| unknown - ({text})").parse();
    let derived = analyze(equation.map_err(|_| none())?).map_err(|_| none())?;
    let program = derived.plain_program(&[Quantity::Value]);
    let value = -program.evaluate(|_| 0.0)[0];
    Some(value).filter(|it| it.is_finite()).ok_or_else(none)
}

/// Numbers by name.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// What they are, for messages: `parameter`.
    pub kind: &'static str,
    /// One for each number.
    pub names: Vec<String>,
    /// Those that are known.
    pub values: Vec<Option<f64>>,
}

impl Named {
    /// None of them known.
    pub fn new(kind: &'static str, names: Vec<String>) -> Named {
        let values = vec![None; names.len()];
        Named {
            kind,
            names,
            values,
        }
    }

    /// Takes what is set; whether there is such a name. The name of an array or of a vector is that of all in it.
    pub fn take(&mut self, setting: &Setting) -> bool {
        let mut found = false;
        for (name, value) in self.names.iter().zip(&mut self.values) {
            let rest = name.strip_prefix(&setting.name);
            if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.'])) {
                *value = Some(setting.value);
                found = true;
            }
        }
        found
    }

    /// All values.
    ///
    /// # Errors
    /// The names of those that are missing.
    pub fn known(&self, option: &'static str) -> Result<Vec<f64>, Failure> {
        let all: Option<Vec<f64>> = self.values.iter().copied().collect();
        all.ok_or_else(|| {
            let missing = self.names.iter().zip(&self.values);
            let missing = missing.filter(|(_, value)| value.is_none());
            Failure::MissingValue {
                kind: self.kind,
                names: missing.map(|(name, _)| name.clone()).collect(),
                option,
            }
        })
    }
}

/// Gives every setting to the first of the lists that has its name.
pub fn distribute(settings: &[Setting], lists: &mut [&mut Named]) -> Result<(), Failure> {
    for setting in settings {
        if !lists.iter_mut().any(|list| list.take(setting)) {
            let known = lists.iter().flat_map(|list| list.names.clone());
            return Err(Failure::UnknownName {
                kind: lists.iter().map(|list| list.kind).collect(),
                name: setting.name.clone(),
                known: known.collect(),
            });
        }
    }
    Ok(())
}

/// The parameters, component by component.
pub fn parameters(model: &Model) -> Named {
    let names = model.parameters.iter().flat_map(|parameter| {
        let name = parameter.name.to_string();
        let elements = indexed(&parameter.lengths);
        let names = elements.into_iter().map(move |index| name.clone() + &index);
        names.flat_map(|name| with(name, components(parameter.shape)))
    });
    Named::new("parameter", names.collect())
}

/// The inputs of a system, component by component.
pub fn inputs(system: &System) -> Named {
    let names = system.inputs.iter();
    let names = names.flat_map(|declared| spelled(declared, components(declared.shape)));
    Named::new("input", names.collect())
}

/// The coordinates of a system, those of bodies with their turns.
pub fn coordinates(system: &System) -> Named {
    let names = system.declared.iter().flat_map(|declared| {
        let parts: &[&str] = match (declared.body, declared.shape) {
            (true, Shape::Plane) => &[".x", ".y", ".re", ".im"],
            (true, _) => &[".x", ".y", ".z", ".i", ".j", ".k", ".w"],
            (false, shape) => components(shape),
        };
        spelled(declared, parts)
    });
    Named::new("coordinate", names.collect())
}

/// The coordinates of a constraint on points.
pub fn points(model: &Model) -> Named {
    let names = model
        .coordinates
        .iter()
        .flat_map(|it| with(it.name.to_string(), components(it.shape)));
    Named::new("coordinate", names.collect())
}

/// The velocities, as derivations print them.
pub fn velocities(model: &Model, count: usize) -> Named {
    let name = |i: usize| {
        let mut symbols = model.symbols.iter();
        let found = symbols.find(|symbol| symbol.role == Role::Velocity(i));
        found.map_or_else(|| format!("v_{i}"), |symbol| symbol.name.clone())
    };
    Named::new("velocity", (0..count).map(name).collect())
}

/// Every element of a declaration, part by part.
fn spelled(declared: &Declared, parts: &[&'static str]) -> Vec<String> {
    let lengths = &declared.lengths;
    let elements =
        (0..declared.elements()).map(|number| declared.spelled(&indices(number, lengths)));
    elements.flat_map(|name| with(name, parts)).collect()
}

fn with(name: String, parts: &[&'static str]) -> Vec<String> {
    parts.iter().map(|part| format!("{name}{part}")).collect()
}

/// What stands after the name of a number, a point or a vector.
pub fn components(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Scalar => &[""],
        Shape::Plane => &[".x", ".y"],
        Shape::Space => &[".x", ".y", ".z"],
    }
}

/// `[0][0]`, `[0][1]` … of an array of arrays; nothing of what is no array.
fn indexed(lengths: &[usize]) -> Vec<String> {
    let count = lengths.iter().product();
    let brackets = |indices: Vec<usize>| indices.iter().map(|i| format!("[{i}]")).collect();
    (0..count)
        .map(|number| brackets(indices(number, lengths)))
        .collect()
}

/// The indices of an element by its number, the last fastest.
fn indices(mut number: usize, lengths: &[usize]) -> Vec<usize> {
    let mut indices = vec![0; lengths.len()];
    for (index, length) in indices.iter_mut().zip(lengths).rev() {
        *index = number % length;
        number /= length;
    }
    indices
}
