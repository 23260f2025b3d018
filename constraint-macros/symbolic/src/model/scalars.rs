//! The full name of each scalar of a model: `leg[2].bead.x`.

use super::{Declared, Model, Role, Shape, System};
use crate::expr::CollectVec;

/// The parameters, component by component.
pub fn parameters(model: &Model) -> Vec<String> {
    let names = model.parameters.iter().flat_map(|parameter| {
        let name = parameter.name.to_string();
        let elements = indexed(&parameter.lengths);
        let names = elements.into_iter().map(move |index| name.clone() + &index);
        names.flat_map(|name| with(name, components(parameter.shape)))
    });
    names.collect_vec()
}

/// The inputs of a system, component by component.
pub fn inputs(system: &System) -> Vec<String> {
    let names = system.inputs.iter();
    let names = names.flat_map(|declared| spelled(declared, components(declared.shape)));
    names.collect_vec()
}

/// The coordinates of a system; a body's include its rotation.
pub fn coordinates(system: &System) -> Vec<String> {
    let names = system.declared.iter().flat_map(|declared| {
        let parts: &[&str] = match (declared.body, declared.shape) {
            (true, Shape::Plane) => &[".x", ".y", ".re", ".im"],
            (true, _) => &[".x", ".y", ".z", ".i", ".j", ".k", ".w"],
            (false, shape) => components(shape),
        };
        spelled(declared, parts)
    });
    names.collect_vec()
}

/// The coordinates of a constraint on points.
pub fn points(model: &Model) -> Vec<String> {
    let names = model
        .coordinates
        .iter()
        .flat_map(|it| with(it.name.to_string(), components(it.shape)));
    names.collect_vec()
}

/// The velocities, as derivations print them.
pub fn velocities(model: &Model, count: usize) -> Vec<String> {
    let name = |i: usize| {
        let mut symbols = model.symbols.iter();
        let found = symbols.find(|symbol| symbol.role == Role::Velocity(i));
        found.map_or_else(|| format!("v_{i}"), |symbol| symbol.name.clone())
    };
    (0..count).map(name).collect_vec()
}

/// Every element of a declaration, part by part.
fn spelled(declared: &Declared, parts: &[&'static str]) -> Vec<String> {
    let lengths = &declared.lengths;
    let elements =
        (0..declared.elements()).map(|number| declared.spelled(&indices(number, lengths)));
    elements.flat_map(|name| with(name, parts)).collect_vec()
}

fn with(name: String, parts: &[&'static str]) -> Vec<String> {
    parts
        .iter()
        .map(|part| format!("{name}{part}"))
        .collect_vec()
}

/// Suffixes of the components of a number, a point or a vector.
pub fn components(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Scalar => &[""],
        Shape::Plane => &[".x", ".y"],
        Shape::Space => &[".x", ".y", ".z"],
    }
}

/// `[0][0]`, `[0][1]` … of an array of arrays; one empty suffix if there is no array.
fn indexed(lengths: &[usize]) -> Vec<String> {
    let count = lengths.iter().product();
    let brackets = |indices: Vec<usize>| indices.iter().map(|i| format!("[{i}]")).collect();
    (0..count)
        .map(|number| brackets(indices(number, lengths)))
        .collect_vec()
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
