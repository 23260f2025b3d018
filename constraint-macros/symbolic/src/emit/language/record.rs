//! The parameters or the inputs of a type as a struct.

use crate::expr::CollectVec;
use proc_macro2::Ident;

use super::own_name;
use crate::model::Shape;

/// A field of a struct: an array of numbers of so many lengths, the outermost first.
#[derive(Clone, Debug)]
pub(in crate::emit) struct Field {
    pub name: String,
    pub lengths: Vec<usize>,
}

impl Field {
    /// A vector is an array; a name that is taken gets another.
    pub fn new(
        name: &Ident,
        shape: Shape,
        lengths: &[usize],
        is_taken: impl Fn(&str) -> bool,
    ) -> Field {
        let mut lengths = lengths.to_vec();
        if shape != Shape::Scalar {
            lengths.push(shape.len());
        }
        Field {
            name: own_name(&name.to_string(), is_taken),
            lengths,
        }
    }
}

/// Values in `brackets`, nested by the lengths; `number` prints each.
pub(in crate::emit) fn nested(
    values: &[f64],
    lengths: &[usize],
    brackets: [&str; 2],
    number: &dyn Fn(f64) -> String,
) -> String {
    let Some((&length, inner)) = lengths.split_first() else {
        return number(values[0]);
    };
    let parts = values.chunks((values.len() / length).max(1));
    let parts = parts.map(|part| nested(part, inner, brackets, number));
    let parts: Vec<String> = parts.collect_vec();
    brackets.join(&parts.join(", "))
}

/// `rope_bridge_acceleration` of `RopeBridge`.
pub(in crate::emit) fn function_name(ty: &str, function: &str) -> String {
    let mut name = String::new();
    let mut before = None;
    for letter in ty.chars() {
        if letter.is_uppercase() && before.is_some_and(char::is_lowercase) {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
        before = Some(letter);
    }
    format!("{name}_{function}")
}
