//! Names of a state's numbers on the command line, and the values given for them.

use std::str::FromStr;

use constraint_symbolic::compile::analyze;
use constraint_symbolic::constraint::Quantity;
use constraint_symbolic::model::{Model, System, scalars};

use crate::failure::Failure;

/// `name=value`
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The name in the model.
    pub name: String,
    /// Its number.
    pub value: f64,
}

/// A component of a vector: its number, under a name or in the order of the coordinates.
#[derive(Clone, Debug, PartialEq)]
pub enum Component {
    /// `y=-9.81`
    Named(Setting),
    /// `-9.81`
    Next(f64),
}

impl FromStr for Component {
    type Err = String;

    fn from_str(text: &str) -> Result<Component, String> {
        if text.contains('=') {
            text.parse().map(Component::Named)
        } else {
            number(text.trim()).map(Component::Next)
        }
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let pair = text.split_once('=');
        let (name, value) = pair.ok_or_else(|| format!("expected `name=value`, found `{text}`"))?;
        Ok(Setting {
            name: name.trim().to_owned(),
            value: number(value.trim())?,
        })
    }
}

/// A number as models write it: `-1.5e-3`, `PI/2`.
fn number(text: &str) -> Result<f64, String> {
    let none = || format!("`{text}` is not a number");
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
    /// Their kind, for messages: `parameter`.
    pub kind: &'static str,
    /// One for each number.
    pub names: Vec<String>,
    /// The known values.
    pub values: Vec<Option<f64>>,
    /// The name by which each was set on the command line.
    set: Vec<Option<String>>,
}

impl Named {
    /// None of them known.
    pub fn new(kind: &'static str, names: Vec<String>) -> Named {
        Named {
            kind,
            values: vec![None; names.len()],
            set: vec![None; names.len()],
            names,
        }
    }

    /// Accepts a setting; returns whether the name exists. The name of an array or of a vector sets all its elements,
    /// after which an element may be set by itself.
    ///
    /// # Errors
    /// A number that was set before, by this name or by a more specific one.
    pub fn take(&mut self, setting: &Setting) -> Result<bool, Failure> {
        self.take_where(setting, |name| {
            let rest = name.strip_prefix(&setting.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        })
    }

    /// The same for a field, component by component: `p.y`, or `y` for that of all points. The name of a point is not
    /// a component, so it is rejected.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn take_component(&mut self, setting: &Setting) -> Result<bool, Failure> {
        let along = format!(".{}", setting.name);
        self.take_where(setting, |name| {
            name == setting.name || name.ends_with(&along)
        })
    }

    fn take_where(
        &mut self,
        setting: &Setting,
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let mut found = false;
        let meant = (0..self.names.len()).filter(|&i| is_meant(&self.names[i]));
        for i in meant.collect::<Vec<usize>>() {
            let before = self.set[i].replace(setting.name.clone());
            if before.is_some_and(|before| before.len() >= setting.name.len()) {
                return Err(Failure::Twice {
                    kind: self.kind,
                    name: self.names[i].clone(),
                });
            }
            self.values[i] = Some(setting.value);
            found = true;
        }
        Ok(found)
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
        let mut found = false;
        for list in lists.iter_mut() {
            found = found || list.take(setting)?;
        }
        if !found {
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
    Named::new("parameter", scalars::parameters(model))
}

/// The inputs of a system, component by component.
pub fn inputs(system: &System) -> Named {
    Named::new("input", scalars::inputs(system))
}

/// The coordinates of a system, those of bodies with their turns.
pub fn coordinates(system: &System) -> Named {
    Named::new("coordinate", scalars::coordinates(system))
}

/// The coordinates of a constraint on points.
pub fn points(model: &Model) -> Named {
    Named::new("coordinate", scalars::points(model))
}

/// The names of the components of a point on a curve.
pub const PLACE: [&str; 3] = ["x", "y", "z"];

/// The velocities, as derivations print them.
pub fn velocities(model: &Model, count: usize) -> Named {
    Named::new("velocity", scalars::velocities(model, count))
}
