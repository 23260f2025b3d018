//! The names in scope.

use crate::expr::{CollectVec, SortedMap, SortedSet};
use std::rc::Rc;

use super::value::Value;

/// Names with their values; a name has its value only within its scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Names visible from inside a function or part, besides its own.
    around: Option<Rc<Names>>,
    /// A shared snapshot, valid as long as nothing changes.
    copy: Option<Rc<Names>>,
    values: SortedMap<String, Value>,
    order: Vec<String>,
    lasting: Vec<String>,
    /// Names of lists of two or three numbers, which are vectors and have elements too.
    lists: SortedSet<String>,
    /// Whether declarations may reuse names of the surroundings.
    hides: bool,
}

/// The beginning of a scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Names {
    /// An empty scope within another.
    pub fn within(around: Rc<Names>) -> Names {
        Names {
            around: Some(around),
            ..Names::default()
        }
    }

    /// An empty scope of a part, which may reuse names of the surroundings.
    pub fn of_part(around: Rc<Names>) -> Names {
        Names {
            hides: true,
            ..Names::within(around)
        }
    }

    /// Whether a name cannot be declared here.
    pub fn is_taken(&self, name: &str) -> bool {
        self.values.contains_key(name) || (!self.hides && self.get(name).is_some())
    }

    /// The names declared here.
    pub fn into_own(self) -> SortedMap<String, Value> {
        self.values
    }

    /// A snapshot; consecutive functions share one copy.
    pub fn captured(&mut self) -> Rc<Names> {
        let copy = self.copy.take();
        let copy = copy.unwrap_or_else(|| Rc::new(self.clone()));
        Rc::clone(self.copy.insert(copy))
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        let around = || self.around.as_ref()?.get(name);
        self.values.get(name).or_else(around)
    }

    /// Returns false if the name is taken; its value is then poison, so that its uses raise no errors.
    pub fn declare(&mut self, name: &str, value: Value) -> bool {
        if self.is_taken(name) {
            self.set(name, Value::Poison);
            return false;
        }
        self.set(name, value);
        self.order.push(name.to_owned());
        true
    }

    /// Declares a name, replacing its previous meaning.
    pub fn shadow(&mut self, name: &str, value: Value) {
        if self.set(name, value).is_none() {
            self.order.push(name.to_owned());
        }
    }

    /// Marks the vector of this name as one that also has elements.
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
                Some(Rc::new(elements.collect_vec()))
            }
            Some(_) => None,
        }
    }

    fn set(&mut self, name: &str, value: Value) -> Option<Value> {
        self.copy = None;
        self.lists.remove(name);
        self.values.insert(name.to_owned(), value)
    }

    /// Adds an element to an array or to one of its inner arrays, creating that if needed.
    pub fn push_element(&mut self, name: &str, indices: &[usize], value: Value) {
        self.copy = None;
        if let Some(array) = self.values.get_mut(name) {
            array.push(indices, value);
        }
    }

    /// Declares a name that outlives the current scope: a coordinate of the bare form, an array that grows.
    pub fn declare_lasting(&mut self, name: &str, value: Value) {
        self.set(name, value);
        self.lasting.push(name.to_owned());
    }

    /// Begins a scope.
    pub fn enter(&self) -> Mark {
        Mark(self.order.len())
    }

    /// Ends a scope: removes the names declared since.
    pub fn leave(&mut self, mark: Mark) {
        self.copy = None;
        for name in self.order.drain(mark.0..) {
            self.values.remove(&name);
        }
    }

    /// In order of declaration, names that outlive their scope first.
    pub fn in_order(&self) -> Vec<&str> {
        let around = self.around.iter().flat_map(|names| names.in_order());
        let shadowed = |name: &&str| self.around.as_ref()?.get(name);
        let own = self.lasting.iter().chain(&self.order).map(String::as_str);
        let own = own.filter(|name| shadowed(name).is_none());
        around.chain(own).collect_vec()
    }
}
