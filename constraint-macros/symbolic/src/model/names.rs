//! The names in scope.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::value::Value;

/// Names with their values; a name stands for one thing only as long as it is in scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// What a function sees besides its arguments.
    around: Option<Rc<Names>>,
    /// A copy of all of this, as long as nothing changes.
    copy: Option<Rc<Names>>,
    values: BTreeMap<String, Value>,
    order: Vec<String>,
    lasting: Vec<String>,
    /// Names of lists of two or three numbers, which are vectors and have elements too.
    lists: BTreeSet<String>,
    /// Names may be those of what is around.
    hides: bool,
}

/// Where a scope began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Names {
    /// None yet, in a scope within another.
    pub fn within(around: Rc<Names>) -> Names {
        Names {
            around: Some(around),
            ..Names::default()
        }
    }

    /// None yet, in the scope of a part, which may use names of the surroundings for its own.
    pub fn of_part(around: Rc<Names>) -> Names {
        Names {
            hides: true,
            ..Names::within(around)
        }
    }

    /// Whether a name is none to declare.
    pub fn is_taken(&self, name: &str) -> bool {
        self.values.contains_key(name) || (!self.hides && self.get(name).is_some())
    }

    /// Those declared here.
    pub fn into_own(self) -> BTreeMap<String, Value> {
        self.values
    }

    /// As they are now; many functions in a row share one copy.
    pub fn captured(&mut self) -> Rc<Names> {
        let copy = self.copy.take();
        let copy = copy.unwrap_or_else(|| Rc::new(self.clone()));
        Rc::clone(self.copy.insert(copy))
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        let around = || self.around.as_ref()?.get(name);
        self.values.get(name).or_else(around)
    }

    /// False where the name is taken; then it stands for nothing, so that its uses raise no errors.
    pub fn declare(&mut self, name: &str, value: Value) -> bool {
        if self.is_taken(name) {
            self.set(name, Value::Poison);
            return false;
        }
        self.set(name, value);
        self.order.push(name.to_owned());
        true
    }

    /// Declares a name in place of what it stood for.
    pub fn shadow(&mut self, name: &str, value: Value) {
        if self.set(name, value).is_none() {
            self.order.push(name.to_owned());
        }
    }

    /// From now on the vector of this name has elements.
    pub fn mark_list(&mut self, name: &str) {
        self.copy = None;
        self.lists.insert(name.to_owned());
    }

    /// The elements of an array, or of a vector that was written as a list.
    pub fn elements(&self, name: &str) -> Option<Rc<Vec<Value>>> {
        match self.values.get(name) {
            None => self.around.as_ref()?.elements(name),
            Some(Value::Array(elements)) => Some(Rc::clone(elements)),
            Some(Value::Vector(numbers)) if self.lists.contains(name) => {
                let elements = numbers.iter().map(|&number| Value::Scalar(number));
                Some(Rc::new(elements.collect()))
            }
            Some(_) => None,
        }
    }

    fn set(&mut self, name: &str, value: Value) -> Option<Value> {
        self.copy = None;
        self.lists.remove(name);
        self.values.insert(name.to_owned(), value)
    }

    /// Adds an element to an array, or to one of its arrays, which may be new.
    pub fn push_element(&mut self, name: &str, indices: &[usize], value: Value) {
        self.copy = None;
        if let Some(array) = self.values.get_mut(name) {
            array.push(indices, value);
        }
    }

    /// Declares a name that outlives the scope it is met in: a coordinate of the bare form, an array that grows.
    pub fn declare_lasting(&mut self, name: &str, value: Value) {
        self.set(name, value);
        self.lasting.push(name.to_owned());
    }

    /// Begins a scope.
    pub fn enter(&self) -> Mark {
        Mark(self.order.len())
    }

    /// Ends a scope: forgets what was declared since.
    pub fn leave(&mut self, mark: Mark) {
        self.copy = None;
        for name in self.order.drain(mark.0..) {
            self.values.remove(&name);
        }
    }

    /// In order of declaration, those that last first.
    pub fn in_order(&self) -> Vec<&str> {
        let around = self.around.iter().flat_map(|names| names.in_order());
        let shadowed = |name: &&str| self.around.as_ref()?.get(name);
        let own = self.lasting.iter().chain(&self.order).map(String::as_str);
        let own = own.filter(|name| shadowed(name).is_none());
        around.chain(own).collect()
    }
}
