//! M, h and M a − h of trees of posed bodies by recursion, where that costs less.

use super::joined::cost;
use super::stated::{Recursion, Required};
use super::{Among, Derivation, contained, slopes_by};
use crate::diagnostic::Diagnostics;
use crate::dynamics::accelerations;
use crate::dynamics::frame::{self, Frame};
use crate::dynamics::recursion::{Given, Tree};
use crate::expr::{CollectVec, ExprId, Number};
use crate::model::System;
use crate::solve::Sparse;

/// M and h.
type Stated = (Sparse, Vec<ExprId>);

/// Trees of more links, one after the other and in all, are not stated without recursion: there, products of turns are as many
/// as links before links.
const MOST_STATED: [usize; 2] = [2, 4];

impl Derivation {
    /// M and h: of posed bodies by recursion where that costs less, which then states M a − h, too.
    pub(super) fn equations_of_motion(
        &mut self,
        system: &mut System,
        diagnostics: &mut Diagnostics,
    ) {
        let tree = self.tree(system).filter(|tree| tree.links.len() > 1);
        let is_large = tree.as_ref().is_some_and(|it| {
            let [deep, many] = MOST_STATED;
            it.depth() > deep && it.links.len() > many
        });
        if !is_large {
            self.masses_and_forces(system, Among::All, diagnostics);
            self.join();
        }
        if let Some(tree) = tree.filter(|_| diagnostics.is_empty()) {
            self.recur(system, &tree, is_large, diagnostics);
        }
    }

    fn recur(
        &mut self,
        system: &mut System,
        tree: &Tree,
        is_large: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let rest = self.not_posed(system, diagnostics);
        let slid = tree.slid(&mut self.graph);
        let lumped = slid.lumped(&mut self.graph);
        let trees = [lumped, slid];
        let n = system.coordinates.len();
        let given = accelerations(&mut self.graph, &mut system.model.symbols, n);
        let forms = trees.iter().map(|tree| {
            let found = self.required_by(tree, &rest, Given::AcceleratedMotion(&given));
            (cost(&self.graph, &found), found, tree)
        });
        let forms: Vec<_> = forms.collect_vec();
        let Some((_, forces, tree)) = forms.into_iter().min_by_key(|it| it.0) else {
            return;
        };
        let resisting = self.required_by(tree, &rest, Given::Acceleration(&given));
        self.required = Some(Required {
            accelerations: given,
            forces,
            resisting,
        });
        self.recursion = Some(Recursion {
            tree: tree.clone(),
            mass: rest.0.clone(),
            applied: rest.1.clone(),
        });
        let mut mass = rest.0.clone();
        tree.add_masses(&mut self.graph, &mut mass);
        let against = self.required_by(tree, &rest, Given::Motion);
        let applied: Vec<ExprId> = against.iter().map(|&it| self.graph.neg(it)).collect_vec();
        if is_large {
            let resisted = tree.resisted(&mut self.graph);
            resisted
                .into_iter()
                .for_each(|i| self.known_positive[i] = true);
            if system.model.rows.is_empty() && self.known_positive.iter().all(|it| *it) {
                self.unconstrained = tree.solve(&mut self.graph, &rest.0, &applied);
            }
            return self.state((mass, applied));
        }
        // What is known to be zero stays so.
        mass.entries
            .retain(|at, _| self.mass.entries.contains_key(at));
        let stated = self.applied.iter();
        let stated: Vec<ExprId> = stated.map(|it| self.graph.sum(it)).collect_vec();
        let forms = [
            (self.mass.clone(), stated.clone()),
            (mass.clone(), applied.clone()),
            (self.mass.clone(), applied),
            (mass, stated),
        ];
        let price = |(mass, applied): &Stated| {
            let all = mass.entries.values().chain(applied).copied();
            cost(&self.graph, &all.collect_vec())
        };
        let cheapest = forms.into_iter().min_by_key(price);
        cheapest.into_iter().for_each(|it| self.state(it));
    }

    fn state(&mut self, (mass, applied): Stated) {
        self.mass = mass;
        let applied = applied.into_iter();
        self.applied = applied.map(|it| vec![(it, Number::ONE)]).collect_vec();
    }

    pub(super) fn tree(&mut self, system: &System) -> Option<Tree> {
        let (velocities, frames) = (&self.velocities, &self.frames);
        Tree::new(&mut self.graph, system, |graph, rates| {
            let rows = rates.iter().map(|&rate| {
                let contained = contained(graph, rate, velocities);
                let row = slopes_by(graph, rate, &contained);
                frame::turned(graph, frames, &row, Frame::own)
            });
            rows.collect_vec()
        })
    }

    /// M and h of everything but posed bodies, whose weights are missing, too.
    fn not_posed(&mut self, system: &System, diagnostics: &mut Diagnostics) -> Stated {
        let n = self.mass.n;
        let none = Sparse {
            n,
            ..Sparse::default()
        };
        let leaves = n + self.arms.len() + self.places.len();
        let mass = std::mem::replace(&mut self.mass, none);
        let applied = std::mem::replace(&mut self.applied, vec![Vec::new(); leaves]);
        self.masses_and_forces(system, Among::NotPosed, diagnostics);
        let mass = std::mem::replace(&mut self.mass, mass);
        let applied = std::mem::replace(&mut self.applied, applied);
        let applied = applied
            .iter()
            .map(|terms| self.graph.sum(terms))
            .collect_vec();
        (mass, applied)
    }

    /// M a − h of a motion, M a of an acceleration alone.
    fn required_by(&mut self, tree: &Tree, rest: &Stated, given: Given<'_>) -> Vec<ExprId> {
        let graph = &mut self.graph;
        let mut terms = match given.accelerations() {
            Some(accelerations) => rest.0.products(graph, accelerations),
            None => vec![Vec::new(); rest.1.len()],
        };
        for (terms, &applied) in terms.iter_mut().zip(&rest.1).filter(|_| given.has_motion()) {
            terms.push((applied, Number::MINUS_ONE));
        }
        for (column, force) in tree.forces(graph, given) {
            terms[column].push((force, Number::ONE));
        }
        terms.iter().map(|terms| graph.sum(terms)).collect_vec()
    }
}
