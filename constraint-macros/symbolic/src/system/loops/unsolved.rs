//! Routines that solve nothing: results family by family, sums, checks of parameters, entries of matrices.

use super::definitions::Definitions;
use super::leaves::{leaves, reads_of};
use super::routine::{Array, Checked, Families, Kernel, Routine, Signature, Write, output};
use crate::dynamics::{self, Derivation, Entry};
use crate::expr::{CollectVec, ExprId, Graph, Number, PushEach};
use crate::families::{Order, indices_of};
use crate::model::System;

impl Routine {
    /// Results that need no solution, those of one shape in loops.
    pub fn of_each(graph: &Graph, system: &System, results: &[ExprId]) -> Routine {
        Routine::of_terms(graph, &leaves(graph, system), results, |i| i, output)
    }

    /// Checks of parameters, each on a group of numbers.
    pub fn checks(system: &System, groups: &[(Checked, Vec<ExprId>)]) -> Routine {
        let graph = &system.model.graph;
        let numbers: Vec<ExprId> = groups
            .iter()
            .flat_map(|group| group.1.clone())
            .collect_vec();
        let families = Families::of(graph, &leaves(graph, system), &numbers);
        Routine::of(|stage| {
            let mut member = 0..;
            for (checked, group) in groups {
                let mut signature = Signature::default();
                signature.words.push(checked.word());
                for number in member.by_ref().take(group.len()) {
                    signature.member(&families, number);
                }
                let Signature { words, slots } = signature;
                let mut indices = indices_of(&slots);
                let mut check = *checked;
                if let Checked::Coordinate(i) = &mut check {
                    indices.push(std::mem::replace(i, slots.len()));
                }
                stage.push(words, indices, || {
                    let others = group[1..].iter().map(|_| Write::Checked);
                    Kernel {
                        reads: reads_of(graph, system, &slots),
                        roots: group.clone(),
                        writes: [Write::Check(check)]
                            .into_iter()
                            .chain(others)
                            .collect_vec(),
                    }
                });
            }
        })
    }

    /// The entries of a descriptor pair row by row, rows of one shape in loops.
    pub fn descriptor(system: &mut System, rows: Vec<Vec<Entry>>) -> Routine {
        let rows = written_out(system, rows);
        let system = &*system;
        let graph = &system.model.graph;
        let values: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.3).collect_vec();
        let families = Families::of(graph, &leaves(graph, system), &values);
        let mut routine = Routine::default();
        routine.stage_in(Order::Any, |stage| {
            let mut member = 0..;
            for row in &rows {
                let mut signature = Signature::default();
                for (entry, member) in row.iter().zip(member.by_ref()) {
                    signature.words.push(entry.0 as usize);
                    signature.member(&families, member);
                }
                let Signature { words, slots } = signature;
                let mut indices = indices_of(&slots);
                indices.push_each(row.iter().flat_map(|entry| [entry.1, entry.2]));
                stage.push(words, indices, || {
                    let places = (slots.len()..).step_by(2);
                    let writes = row.iter().zip(places);
                    Kernel {
                        reads: reads_of(graph, system, &slots),
                        roots: row.iter().map(|entry| entry.3).collect_vec(),
                        writes: writes
                            .map(|(entry, at)| Write::Entry(entry.0, at, at + 1))
                            .collect_vec(),
                    }
                });
            }
        });
        routine
    }

    /// V, summed term by term.
    pub(super) fn potential_energy(
        derivation: &mut Derivation,
        system: &System,
        definitions: &mut Definitions,
    ) -> Routine {
        let graph = &mut derivation.graph;
        let terms = system.potential.iter();
        let terms = terms.map(|&term| graph.sum(&[(term, Number::ONE)]));
        let mut terms: Vec<ExprId> = terms.collect_vec();
        definitions.put_in(graph, &mut terms);
        Routine::summed(graph, system, &terms)
    }

    /// Terms, those of one shape summed in loops.
    pub(super) fn summed(graph: &Graph, system: &System, terms: &[ExprId]) -> Routine {
        let add = |place| Write::Add(Array::Output, place);
        Routine::of_terms(graph, &leaves(graph, system), terms, |_| 0, add)
    }
}

/// Entries with the definitions of arms and places substituted.
fn written_out(system: &mut System, mut rows: Vec<Vec<Entry>>) -> Vec<Vec<Entry>> {
    let mut graph = std::mem::replace(&mut system.model.graph, Graph::new());
    let values = rows.iter().flatten().map(|entry| entry.3);
    let places = system.places.iter().map(|&(_, place)| place);
    let roots: Vec<ExprId> = values.clone().chain(places).collect_vec();
    let (map, _) = dynamics::definitions(&mut graph, system, &roots);
    let map = graph.substitute(values, map);
    for entry in rows.iter_mut().flatten() {
        entry.3 = map[&entry.3];
    }
    system.model.graph = graph;
    rows
}
