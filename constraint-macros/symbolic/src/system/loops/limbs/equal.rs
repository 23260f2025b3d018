//! Limbs that are equal but for the places of their leaves and for numbers, and the trunk that they hang on.

use super::super::leaves::leaves;
use super::super::routine::{Families, Signature, Slot};
use super::limb::Limb;
use super::numbers::lift;
use crate::dynamics::{Equations, Recursion, Tree, make_alike};
use crate::expr::{CollectVec, ExprId, SortedMap};
use crate::model::System;

/// So many equal limbs share loops; fewer belong to the trunk.
const FEWEST: usize = 3;

/// Equal limbs. What is derived from the first holds for all, with other places.
#[derive(Debug)]
pub(super) struct Kind {
    pub limbs: Vec<Limb>,
    /// The leaves of each.
    pub slots: Vec<Vec<Slot>>,
}

/// A tree whose limbs are apart.
#[derive(Debug)]
pub(super) struct Cut {
    /// All links but those of limbs,
    pub trunk: Tree,
    /// the one among them that limbs hang on,
    pub base: usize,
    /// and the limbs.
    pub kinds: Vec<Kind>,
}

/// A link with the parts that hang on it, those that are equal but for their expressions together.
#[derive(Debug)]
pub(super) struct Candidates {
    base: usize,
    /// Of each part the numbers of its links.
    groups: Vec<Vec<Vec<usize>>>,
}

impl Candidates {
    /// Those with most links.
    pub fn of(equations: &Equations) -> Option<Candidates> {
        let recursion = equations.recursion.as_ref()?;
        let bases = 0..recursion.tree.links.len();
        let all = bases.map(|base| Candidates {
            base,
            groups: alike(equations, recursion, base),
        });
        let links = |it: &Candidates| it.groups.iter().flatten().flatten().count();
        // Of several the first.
        let most = all.max_by_key(|it| (links(it), usize::MAX - it.base))?;
        (!most.groups.is_empty()).then_some(most)
    }
}

impl Cut {
    /// The cut at candidates that are equal indeed, with elements of the array of numbers for numbers in which they differ.
    pub fn of(system: &mut System, equations: &Equations, candidates: &Candidates) -> Option<Cut> {
        let recursion = equations.recursion.as_ref()?;
        let tree = &recursion.tree;
        let (mut kinds, mut taken) = (Vec::new(), vec![false; tree.links.len()]);
        for group in &candidates.groups {
            let graph = &mut system.model.graph;
            let limbs = group.iter().map(|it| Limb::new(graph, recursion, it));
            let mut limbs: Vec<Limb> = limbs.collect_vec();
            let mut trees: Vec<&mut Tree> = limbs.iter_mut().map(|it| &mut it.tree).collect_vec();
            make_alike(graph, &mut trees);
            lift(system, &mut limbs);
            for (kind, members) in of_one_kind(system, limbs) {
                let links = members.iter().flat_map(|&it| &group[it]);
                links.for_each(|&link| taken[link] = true);
                kinds.push(kind);
            }
        }
        let trunk: Vec<usize> = (0..taken.len()).filter(|&link| !taken[link]).collect_vec();
        (!kinds.is_empty()).then(|| Cut {
            base: trunk.partition_point(|&link| link < candidates.base),
            trunk: tree.part(&trunk),
            kinds,
        })
    }

    /// The number of limbs.
    pub fn limbs(&self) -> usize {
        self.kinds.iter().map(|kind| kind.limbs.len()).sum()
    }

    /// The velocities of limbs.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        let limbs = self.kinds.iter().flat_map(|kind| &kind.limbs);
        limbs.flat_map(|limb| limb.columns.iter().copied())
    }
}

/// The parts that hang on a link, those that are equal but for their expressions together, if there are enough of them.
fn alike(equations: &Equations, recursion: &Recursion, base: usize) -> Vec<Vec<Vec<usize>>> {
    let tree = &recursion.tree;
    let mut by_words: SortedMap<Vec<usize>, Vec<Vec<usize>>> = SortedMap::new();
    for links in tree.parts_on(base) {
        let part = tree.part(&links);
        if is_alone(equations, recursion, &part.columns()) {
            by_words.entry(part.words()).or_default().push(links);
        }
    }
    let groups = by_words.into_values();
    groups.filter(|group| group.len() >= FEWEST).collect_vec()
}

/// Whether velocities move one link each, and nothing but the links couples them with others.
fn is_alone(equations: &Equations, recursion: &Recursion, columns: &[usize]) -> bool {
    let framed = equations.frames.iter().chain(&equations.stepped);
    let framed: Vec<usize> = framed.flat_map(|it| it.columns).collect_vec();
    let links = recursion.tree.links.iter().flat_map(|it| it.columns());
    let moved: Vec<usize> = links.collect_vec();
    let coupled = recursion.mass.entries.keys().filter(|(i, j)| i != j);
    let coupled: Vec<usize> = coupled.flat_map(|&(i, j)| [i, j]).collect_vec();
    columns.iter().all(|column| {
        let links = moved.iter().filter(|it| *it == column).count();
        links == 1 && !framed.contains(column) && !coupled.contains(column)
    })
}

/// Limbs whose expressions are of the same families at other places, with their numbers among all.
fn of_one_kind(system: &System, limbs: Vec<Limb>) -> Vec<(Kind, Vec<usize>)> {
    let graph = &system.model.graph;
    let members: Vec<Vec<ExprId>> = limbs.iter().map(Limb::expressions).collect_vec();
    let families = Families::of(graph, &leaves(graph, system), &members.concat());
    let mut alike: Vec<(Vec<usize>, Kind, Vec<usize>)> = Vec::new();
    let mut member = 0..;
    for (number, limb) in limbs.into_iter().enumerate() {
        let mut signature = Signature::default();
        for member in member.by_ref().take(members[number].len()) {
            signature.member(&families, member);
        }
        let Signature { words, slots } = signature;
        let known = alike.iter().position(|it| it.0 == words);
        let known = known.unwrap_or_else(|| {
            let kind = Kind {
                limbs: Vec::new(),
                slots: Vec::new(),
            };
            alike.push((words, kind, Vec::new()));
            alike.len() - 1
        });
        let (_, kind, numbers) = &mut alike[known];
        kind.limbs.push(limb);
        kind.slots.push(slots);
        numbers.push(number);
    }
    let kinds = alike.into_iter().map(|it| (it.1, it.2));
    kinds.filter(|it| it.1.len() >= FEWEST).collect_vec()
}
