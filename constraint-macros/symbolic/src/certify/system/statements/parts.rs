//! Parts, each with statements of its own, and the joints of the library.

use crate::expr::{PushEach, SortedMap};
use std::rc::Rc;

use super::{Definition, Reading, bracketed};
use crate::certify::bodies::Moving;
use crate::certify::point::Stop;
use crate::certify::series::Series;
use crate::certify::tree::{Found, Value};
use crate::syntax::ast::{Declaration, Expr, ExprKind, name_of};
use crate::syntax::library_joint;
use crate::syntax::statement::PartUse;

impl<'a> Reading<'a> {
    pub(super) fn use_part(&mut self, it: &'a PartUse) -> Found<()> {
        let definition = self.parts.get(&name_of(&it.part)).copied();
        let definition = definition.ok_or(Stop::UNREAD)?;
        let zero = |bracket: &Expr| matches!(&bracket.kind, ExprKind::Number(it) if it == "0");
        let brackets = self.brackets(&it.declared)?;
        let first = !brackets.is_empty() && it.declared.brackets.iter().all(zero);
        let grows = self.growing.contains(&name_of(&it.declared.name));
        if first || grows || self.lasting.is_some() {
            let value = self.instance(it, definition, brackets.clone())?;
            self.push_element(&it.declared.name, &brackets, value);
            return Ok(());
        }
        let value = self.instances(it, definition, &brackets, &mut Vec::new())?;
        self.bind(&it.declared.name, value);
        Ok(())
    }

    /// One part, or arrays of equal ones.
    fn instances(
        &mut self,
        it: &'a PartUse,
        definition: Definition<'a>,
        lengths: &[usize],
        indices: &mut Vec<usize>,
    ) -> Found<Value> {
        let Some((&length, inner)) = lengths.split_first() else {
            return self.instance(it, definition, indices.clone());
        };
        let mut elements = Vec::new();
        for i in 0..length {
            indices.push(i);
            elements.push(self.instances(it, definition, inner, indices)?);
            indices.pop();
        }
        Ok(Value::Array(Rc::new(elements)))
    }

    /// Evaluates the statements of a part for one use; returns its names.
    fn instance(
        &mut self,
        it: &'a PartUse,
        Definition { part, names }: Definition<'a>,
        indices: Vec<usize>,
    ) -> Found<Value> {
        let values = self.values(it)?;
        let names = names.min(self.reader.names.len());
        let outside = self.reader.names.split_off(names);
        let functions = self.reader.scope.functions.len();
        let (lasting, growing) = (self.lasting.take(), std::mem::take(&mut self.growing));
        self.within.push((name_of(&it.declared.name), indices));
        self.set_prefix();
        self.parameters(&part.parameters, values)?;
        self.statements(part.body.as_deref().ok_or(Stop::UNREAD)?)?;
        self.within.pop();
        self.set_prefix();
        (self.lasting, self.growing) = (lasting, growing);
        self.reader.scope.functions.truncate(functions);
        let own = self.reader.names.split_off(names);
        self.reader.names.push_each(outside);
        Ok(Value::Part(Rc::new(own.into_iter().collect())))
    }

    fn set_prefix(&mut self) {
        let around = self.within.iter();
        let around = around.map(|(name, indices)| format!("{name}{}.", bracketed(indices)));
        self.reader.scope.prefix = around.collect();
    }

    /// The values in a use, evaluated in its own scope.
    fn values(&mut self, it: &PartUse) -> Found<SortedMap<String, Value>> {
        let values = it.values.iter();
        let values = values.map(|(name, value)| Ok((name_of(name), self.reader.value(value)?)));
        values.collect()
    }

    /// Binds parameters to their values; then the others to their defaults, which may refer to these values.
    fn parameters(
        &mut self,
        parameters: &[Declaration],
        mut values: SortedMap<String, Value>,
    ) -> Found<()> {
        let mut left = Vec::new();
        for parameter in parameters {
            match values.remove(&name_of(&parameter.name)) {
                Some(value) => self.bind(&parameter.name, value),
                None => left.push(parameter),
            }
        }
        for parameter in left {
            let default = parameter.default.as_ref().ok_or(Stop::UNREAD)?;
            let value = self.reader.value(default)?;
            self.bind(&parameter.name, value);
        }
        Ok(())
    }

    pub(super) fn joint(&mut self, it: &PartUse) -> Found<()> {
        let indices = self.brackets(&it.declared)?;
        let mut values = self.values(it)?;
        let size = ["a", "b"].iter().find_map(|name| match values.get(*name)? {
            Value::Body(body) => Some(body.place.len()),
            _ => None,
        });
        let size = size.ok_or(Stop::UNREAD)?;
        let (name, span) = (name_of(&it.part), it.part.span());
        let mut joints = self.text.joints.borrow_mut();
        let joint = joints.entry((name.clone(), size == 2));
        let joint = joint.or_insert_with(|| library_joint(&name, size == 2, span).map(Rc::new));
        let joint = joint.clone().ok_or(Stop::UNREAD)?;
        let header = joint.header.as_ref().ok_or(Stop::UNREAD)?;
        for body in &header.coordinates {
            let value = values.entry(name_of(&body.name));
            let ground = || Moving::unturned(vec![Series::default(); size]);
            value.or_insert_with(|| Value::Body(Rc::new(ground())));
        }
        let outside = std::mem::take(&mut self.reader.names);
        self.parameters(&header.coordinates, split(&mut values, &header.coordinates))?;
        self.parameters(&header.parameters, values)?;
        self.constraint(&it.declared, &indices, &joint.body)?;
        self.reader.names = outside;
        Ok(())
    }
}

/// Removes and returns the values of these parameters.
fn split(
    values: &mut SortedMap<String, Value>,
    parameters: &[Declaration],
) -> SortedMap<String, Value> {
    let names = parameters.iter().map(|it| name_of(&it.name));
    let taken = names.filter_map(|name| values.remove_entry(&name));
    taken.collect()
}
