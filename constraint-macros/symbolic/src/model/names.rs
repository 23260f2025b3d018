//! The names in scope.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::value::Value;

/// Names with their values; a name stands for one thing only as long as it is in scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    values: BTreeMap<String, Value>,
    order: Vec<String>,
    lasting: Vec<String>,
}

/// Where a scope began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Names {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name)
    }

    /// False where the name is taken; then it stands for nothing, so that its uses raise no errors.
    pub fn declare(&mut self, name: &str, value: Value) -> bool {
        if self.values.contains_key(name) {
            self.values.insert(name.to_owned(), Value::Poison);
            return false;
        }
        self.values.insert(name.to_owned(), value);
        self.order.push(name.to_owned());
        true
    }

    /// Declares a name in place of what it stood for.
    pub fn shadow(&mut self, name: &str, value: Value) {
        if self.values.insert(name.to_owned(), value).is_none() {
            self.order.push(name.to_owned());
        }
    }

    /// Adds an element to an array; false where the name is none.
    pub fn push_element(&mut self, name: &str, value: Value) -> bool {
        match self.values.get_mut(name) {
            Some(Value::Array(elements)) => {
                Rc::make_mut(elements).push(value);
                true
            }
            _ => false,
        }
    }

    /// Declares a name that outlives the scope it is met in: a coordinate of the bare form.
    pub fn declare_lasting(&mut self, name: &str, value: Value) {
        self.values.insert(name.to_owned(), value);
        self.lasting.push(name.to_owned());
    }

    /// Begins a scope.
    pub fn enter(&self) -> Mark {
        Mark(self.order.len())
    }

    /// Ends a scope: forgets what was declared since.
    pub fn leave(&mut self, mark: Mark) {
        for name in self.order.drain(mark.0..) {
            self.values.remove(&name);
        }
    }

    /// In order of declaration, those that last first.
    pub fn in_order(&self) -> impl Iterator<Item = &str> {
        self.lasting.iter().chain(&self.order).map(String::as_str)
    }
}
