//! M a − h as a linear function of the inertial parameters of the links of a tree of posed bodies.

use super::Derivation;
use crate::dynamics::accelerations;
use crate::dynamics::recursion::{Given, PARAMETERS, PLANE, Parameters, Tree};
use crate::expr::{CollectVec, ExprId, Graph, Number, PushEach, SortedMap};
use crate::model::System;

/// Columns with factors.
pub type Combination = SortedMap<usize, ExprId>;

/// Y and θ of M a − h = Y θ + what does not depend on θ.
#[derive(Clone, Debug)]
pub struct Regressor {
    /// The leaves of a.
    pub accelerations: Vec<ExprId>,
    /// The names of the parameters: `link.m`.
    pub names: Vec<String>,
    /// θ
    pub parameters: Vec<ExprId>,
    /// Y, column by column, for velocities of bodies in their own frames.
    pub columns: Vec<Vec<ExprId>>,
    /// For columns that follow from others because a joint does not move them: those others, none of which is one of these.
    pub combinations: Vec<Option<Combination>>,
}

impl Regressor {
    /// All expressions.
    pub(super) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut ExprId> {
        let columns = self.columns.iter_mut().flatten();
        let combinations = self.combinations.iter_mut().flatten();
        let factors = combinations.flat_map(SortedMap::values_mut);
        self.parameters.iter_mut().chain(columns).chain(factors)
    }

    /// Without the parameters whose columns are zero in the plane of x and y.
    fn in_the_plane(mut self) -> Regressor {
        let kept: Vec<usize> = (0..self.names.len())
            .filter(|column| PLANE.contains(&(column % PARAMETERS.len())))
            .collect_vec();
        let place: SortedMap<usize, usize> = kept.iter().copied().zip(0..).collect();
        let renumbered = |terms: Combination| {
            let terms = terms.into_iter();
            let terms = terms.filter_map(|(column, factor)| Some((*place.get(&column)?, factor)));
            terms.collect()
        };
        let mut combinations = std::mem::take(&mut self.combinations);
        let combinations = kept
            .iter()
            .map(|&it| combinations[it].take().map(renumbered));
        Regressor {
            combinations: combinations.collect_vec(),
            names: kept.iter().map(|&it| self.names[it].clone()).collect_vec(),
            parameters: kept.iter().map(|&it| self.parameters[it]).collect_vec(),
            columns: kept
                .iter()
                .map(|&it| self.columns[it].clone())
                .collect_vec(),
            accelerations: self.accelerations,
        }
    }
}

impl Derivation {
    /// `None` of a system without posed bodies that move in space.
    pub(super) fn regressor(&mut self, system: &mut System) -> Option<Regressor> {
        let tree = self.tree(system)?;
        let (graph, n) = (&mut self.graph, system.coordinates.len());
        let named = || tree.links.iter().filter_map(|it| it.name.as_ref());
        named().next()?;
        let accelerations = accelerations(graph, &mut system.model.symbols, n);
        let names = named().flat_map(|link| PARAMETERS.map(|it| format!("{link}.{it}")));
        let names = names.collect_vec();
        let links = tree.links.iter().filter(|it| it.name.is_some());
        let parameters = links
            .flat_map(|it| it.masses.parameters(graph))
            .collect_vec();
        let given = Given::AcceleratedMotion(&accelerations);
        let regressor = Regressor {
            columns: tree.regressor(graph, n, given),
            combinations: combinations(graph, &tree),
            accelerations,
            names,
            parameters,
        };
        let is_plane = system.posed.iter().all(|body| body.place.len() == 2);
        Some(if is_plane {
            regressor.in_the_plane()
        } else {
            regressor
        })
    }
}

/// The columns of a link with a body as combinations; of other links those that are known.
type Known = [Option<Combination>; PARAMETERS.len()];

/// The combinations of columns that follow from others; those of the links before are known before.
fn combinations(graph: &mut Graph, tree: &Tree) -> Vec<Option<Combination>> {
    let one = graph.number(Number::ONE);
    let mut known: Vec<Known> = Vec::with_capacity(tree.links.len());
    let mut found: Vec<Option<Combination>> = Vec::new();
    for (i, link) in tree.links.iter().enumerate() {
        let first = link.name.as_ref().map(|_| found.len());
        let mut own: Known = std::array::from_fn(|k| Some(Combination::from([(first? + k, one)])));
        let mut followed = [false; PARAMETERS.len()];
        for relation in tree.relations(graph, i) {
            let terms = match relation.before {
                None => Some(Combination::new()),
                Some((before, factors)) => combined(graph, &known[before], &factors),
            };
            let Some(mut terms) = terms else { continue };
            let others = relation
                .own
                .iter()
                .map(|&(k, factor)| Some((own[k].clone()?, factor)));
            let Some(others) = others.collect::<Option<Vec<_>>>() else {
                continue;
            };
            others
                .iter()
                .for_each(|(of, factor)| add_multiple(graph, &mut terms, of, *factor));
            terms.retain(|_, factor| !graph.is_zero(*factor));
            own[relation.of] = Some(terms);
            followed[relation.of] = true;
        }
        if first.is_some() {
            let all = own.iter().zip(followed);
            found.push_each(all.map(|(it, followed)| it.clone().filter(|_| followed)));
        }
        known.push(own);
    }
    found
}

/// Σ factor · column, if all of the columns are known.
fn combined(graph: &mut Graph, known: &Known, factors: &Parameters) -> Option<Combination> {
    let mut terms = Combination::new();
    for (column, &factor) in known.iter().zip(factors) {
        if !graph.is_zero(factor) {
            add_multiple(graph, &mut terms, column.as_ref()?, factor);
        }
    }
    Some(terms)
}

/// Adds a multiple of another combination.
pub fn add_multiple(
    graph: &mut Graph,
    terms: &mut Combination,
    other: &Combination,
    factor: ExprId,
) {
    for (&column, &of) in other {
        let part = graph.mul(factor, of);
        let sum = terms.entry(column).or_insert_with(|| graph.zero());
        *sum = graph.add(*sum, part);
    }
}
