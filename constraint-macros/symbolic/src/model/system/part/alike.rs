//! All uses of a part have the same fields, because they share one struct.

use crate::expr::{SortedMap, SortedSet};

use proc_macro2::Ident;

use super::super::statements::SystemBuilder;
use super::around::{Around, key};
use crate::diagnostic::part;
use crate::syntax::ast::name_of;

/// Fields of each use of each part, with their names and lengths.
type Shapes = SortedMap<String, SortedMap<String, SortedSet<(String, Vec<usize>)>>>;

impl SystemBuilder<'_> {
    /// Reports uses of a part with different fields, because all uses share one struct.
    pub fn compare_uses(&mut self) {
        if !self.lowering.diagnostics.is_empty() {
            return;
        }
        let system = &self.system;
        let mut found = vec![0; system.declared.len()];
        for &owner in &self.owners_of_velocities {
            if let Some(found) = found.get_mut(owner) {
                *found += 1;
            }
        }
        for (declared, found) in system.declared.iter().zip(found) {
            if let Some(around) = declared.around.first()
                && found != declared.velocities()
            {
                let part = around.part.clone();
                return self.report_unlike(&part);
            }
        }
        let mut shapes = [Shapes::new(), Shapes::new(), Shapes::new()];
        for it in &system.declared {
            add_shape(&mut shapes[0], &it.around, &it.name, &it.lengths);
        }
        for (shapes, named) in shapes[1..]
            .iter_mut()
            .zip([&system.constraints, &system.outputs])
        {
            for it in named {
                add_shape(shapes, &it.around, &it.name, &it.lengths);
            }
        }
        let mut uses = shapes.iter().flatten();
        let unlike = uses.find(|(_, uses)| {
            let mut uses = uses.values();
            let first = uses.next();
            uses.any(|it| Some(it) != first)
        });
        let part = unlike.and_then(|(part, _)| self.parts.get(part));
        if let Some(part) = part.map(|part| part.part.name.clone()) {
            self.report_unlike(&part);
        }
    }

    fn report_unlike(&mut self, part: &Ident) {
        let diagnostic = part::unlike_uses(part.span().into(), &name_of(part));
        self.lowering.report(diagnostic);
    }
}

fn add_shape(shapes: &mut Shapes, around: &[Around], name: &Ident, lengths: &[usize]) {
    let mut known = 0;
    for (depth, part) in around.iter().enumerate() {
        known += part.indices;
        let inside = key(around[depth + 1..].iter().map(|it| &it.field).chain([name]));
        let uses = shapes.entry(name_of(&part.part)).or_default();
        let path = key(around[..=depth].iter().map(|it| &it.field));
        let fields = uses.entry(path).or_default();
        fields.insert((inside, lengths[known..].to_vec()));
    }
}
