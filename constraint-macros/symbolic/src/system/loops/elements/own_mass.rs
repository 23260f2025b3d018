//! M⁻¹ and M⁻¹ h of one element.

use super::super::eliminated_mass::{EliminatedMass, Pivot, is_certain};
use super::contribution::OwnMass;
use super::derivation::Elements;
use crate::expr::CollectVec;
use crate::solve::divided;

impl Elements<'_> {
    /// That of an element; of what nothing couples M⁻¹ h is h/m, so that a weight becomes g.
    pub(super) fn own_mass(&mut self, e: usize) -> OwnMass {
        let mut own = OwnMass::default();
        let columns = self.structure.elements[e].columns.clone();
        if let Some(inverse) = &self.inverse {
            for (k, &i) in columns.iter().enumerate() {
                for &j in &columns[..=k] {
                    if let Some(entry) = inverse.get(i, j) {
                        own.set((i, j), entry);
                    }
                }
            }
            self.move_bodies_freely(&columns, &mut own);
        } else {
            let is_own = |block: &&Vec<usize>| columns.contains(&block[0]);
            for block in self.blocks.iter().filter(is_own).cloned().collect_vec() {
                match block[..] {
                    [i] => self.divide(i, &mut own),
                    _ => self.eliminate_mass(&block, &mut own),
                }
            }
        }
        let graph = &self.derivation.graph;
        own.free.retain(|_, free| !graph.is_zero(*free));
        own
    }

    /// M⁻¹ h of bodies, whose M⁻¹ is known.
    fn move_bodies_freely(&mut self, columns: &[usize], own: &mut OwnMass) {
        for &i in columns {
            let coupled = |&j: &usize| j != i && own.inverse.contains_key(&(i, j));
            let alone = !columns.iter().any(coupled);
            let free = match self.mass.get(i, i).filter(|_| alone) {
                Some(mass) => divided(&mut self.derivation.graph, self.applied[i], mass),
                None => {
                    let entries = columns.iter();
                    let entries = entries
                        .filter_map(|&j| Some((*own.inverse.get(&(i, j))?, self.applied[j])));
                    let entries: Vec<_> = entries.collect_vec();
                    self.dot(entries)
                }
            };
            own.free.insert(i, free);
        }
    }

    /// The same of a coordinate that M couples to no other.
    fn divide(&mut self, i: usize, own: &mut OwnMass) {
        if let Some(diagonal) = &self.diagonal {
            own.set((i, i), diagonal.ratios[i]);
            own.free.insert(i, diagonal.free[i]);
            return;
        }
        let Some(mass) = self.mass.get(i, i) else {
            return;
        };
        let certain = is_certain(self.derivation, &self.positive, i, mass);
        let graph = &mut self.derivation.graph;
        own.set((i, i), graph.recip(mass));
        own.free.insert(i, divided(graph, self.applied[i], mass));
        let pivot = Pivot::alone(graph, mass).filter(|_| !certain);
        own.check(&[i], pivot);
    }

    /// The same of coordinates that M couples.
    fn eliminate_mass(&mut self, block: &[usize], own: &mut OwnMass) {
        let graph = &mut self.derivation.graph;
        let eliminated =
            EliminatedMass::of(graph, &self.mass, block, &self.applied, &self.positive);
        for (column, &j) in eliminated.inverse(graph).iter().zip(block) {
            for (&entry, &i) in column.iter().zip(block).filter(|it| *it.1 >= j) {
                if !graph.is_zero(entry) {
                    own.set((i, j), entry);
                }
            }
        }
        own.free.extend(block.iter().copied().zip(eliminated.free));
        own.check(block, eliminated.pivots);
    }
}
