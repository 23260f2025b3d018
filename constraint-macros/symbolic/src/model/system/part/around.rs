//! Names and the parts around them: `leg[2].thigh` is the field `thigh` of the part `leg`.

use crate::expr::CollectVec;
use proc_macro2::Ident;

use super::super::Declared;
use super::super::elements::Own;
use super::super::statements::SystemBuilder;
use crate::syntax::ast::name_of;

/// A part around a name: `leg` of `leg[2].thigh`.
#[derive(Clone, Debug)]
pub struct Around {
    /// Name of the use.
    pub field: Ident,
    /// Name of the declared part.
    pub part: Ident,
    /// Number of its indices.
    pub indices: usize,
}

/// The name of a field among those of all parts, `leg.thigh` of `leg[2].thigh`.
pub fn key<'a>(path: impl Iterator<Item = &'a Ident>) -> String {
    path.map(name_of).collect_vec().join(".")
}

/// A part around a name, at one use.
#[derive(Clone, Debug)]
pub(in super::super) struct Within {
    pub(super) field: Ident,
    pub(super) part: Ident,
    pub(super) indices: Vec<usize>,
}

impl Within {
    /// `leg[2].`
    fn prefix(&self) -> String {
        let indices: String = self.indices.iter().map(|i| format!("[{i}]")).collect();
        format!("{}{indices}.", name_of(&self.field))
    }
}

impl SystemBuilder<'_> {
    /// The name of a declaration as seen from outside: `leg[2].thigh`.
    pub fn full_name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix())
    }

    pub(super) fn prefix(&self) -> String {
        self.within.iter().map(Within::prefix).collect()
    }

    /// The name of a field among those of all parts: `leg.thigh`.
    pub fn key(&self, name: &Ident) -> String {
        key(self.within.iter().map(|it| &it.field).chain([name]))
    }

    /// The parts around the statement, the outermost first.
    pub fn around(&self) -> Vec<Around> {
        let around = self.within.iter().map(|within| Around {
            field: within.field.clone(),
            part: within.part.clone(),
            indices: within.indices.len(),
        });
        around.collect_vec()
    }

    /// The indices of all parts around the statement.
    pub fn indices_around(&self) -> Vec<usize> {
        let indices = self.within.iter().flat_map(|within| &within.indices);
        indices.copied().collect_vec()
    }

    /// The number of a name's field among all declarations; the field grows with each part that has it.
    pub fn field(&mut self, name: &Ident, own: Own) -> usize {
        let next = self.system.declared.len();
        if self.within.is_empty() {
            let declared = Declared::new(name, own, Vec::new());
            self.system.declared.push(declared);
            return next;
        }
        let field = *self.fields.entry(self.key(name)).or_insert(next);
        let indices = self.indices_around();
        if field == next {
            let mut declared = Declared::new(name, own, vec![0; indices.len()]);
            declared.around = self.around();
            self.system.declared.push(declared);
        }
        let known = &mut self.system.declared[field].lengths;
        for (length, index) in known.iter_mut().zip(&indices) {
            *length = (*length).max(index + 1);
        }
        field
    }

    /// Sets the lengths of a field, after those of the enclosing parts.
    pub fn end_lengths(&mut self, field: usize, lengths: &[usize]) {
        let declared = &mut self.system.declared[field];
        let around: usize = declared.around.iter().map(|it| it.indices).sum();
        declared.lengths.truncate(around);
        declared.lengths.extend(lengths);
    }
}
