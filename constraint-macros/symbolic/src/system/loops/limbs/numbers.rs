//! Numbers in which limbs differ, as elements of the array of numbers: also where some of them are 0, so that a term is missing
//! there, or 1.
//!
//! ```text
//! cos q₁,   ½ cos q₂ + ½ √3 sin q₂,   −½ cos q₃ + …      c = [1, ½, −½],   s = [0, ½ √3, …],   c[k] cos qₖ + s[k] sin qₖ
//! ```

use super::super::leaves::leaves;
use super::super::numbers;
use super::super::routine::{Families, Slot};
use super::limb::Limb;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, SymbolId};
use crate::model::{Model, System};

/// A sum: its constant, and its terms with their factors.
#[derive(Clone, Debug)]
struct Sum {
    constant: Number,
    terms: Vec<(Key, ExprId, Number)>,
}

/// What a term is but for the limb that it belongs to: its family, and which of the limb's own leaves it contains.
type Key = (usize, Vec<Option<usize>>);

/// Puts elements of the array of numbers in the place of numbers in which limbs differ.
pub(super) fn lift(system: &mut System, limbs: &mut [Limb]) {
    let sums = sums(system, limbs);
    let mut lifting = Lifting {
        leaves: limbs.iter().map(|it| own_leaves(system, it)).collect_vec(),
        system,
        known: Map::default(),
    };
    for place in 0..sums[0].len() {
        let members: Vec<&Sum> = sums.iter().map(|it| &it[place]).collect_vec();
        let Some(lifted) = lifting.lifted(&members) else {
            continue;
        };
        for (limb, lifted) in limbs.iter_mut().zip(lifted) {
            *limb.expressions_mut()[place] = lifted;
        }
    }
}

/// The coordinates and velocities of a limb.
fn own_leaves(system: &System, limb: &Limb) -> Vec<Option<ExprId>> {
    let columns = limb.columns.iter().map(|&it| &system.coordinates[it]);
    columns
        .flat_map(|it| [it.position, Some(it.velocity)])
        .collect_vec()
}

/// The expressions of limbs as sums.
fn sums(system: &System, limbs: &[Limb]) -> Vec<Vec<Sum>> {
    let graph = &system.model.graph;
    let all: Vec<Vec<ExprId>> = limbs.iter().map(Limb::expressions).collect_vec();
    let terms = all.iter().flatten().flat_map(|&it| terms(graph, it).1);
    let terms: Vec<ExprId> = terms.map(|it| it.0).collect_vec();
    let families = Families::of(graph, &leaves(graph, system), &terms);
    let mut member = 0..;
    let mut sum = |own: &[Option<ExprId>], id: ExprId| {
        let (constant, terms) = self::terms(graph, id);
        let terms = terms
            .into_iter()
            .zip(member.by_ref())
            .map(|((term, factor), member)| {
                let slots = families.slots[member].iter().map(|slot| match *slot {
                    Slot::Record(c) => own.iter().position(|it| *it == position(system, c)),
                    Slot::Element(symbol, ..) => {
                        own.iter().position(|it| is_leaf(graph, *it, symbol))
                    }
                });
                ((families.of[member], slots.collect_vec()), term, factor)
            });
        Sum {
            constant,
            terms: terms.collect_vec(),
        }
    };
    let limbs = limbs.iter().zip(&all);
    let sums = limbs.map(|(limb, all)| {
        let own = own_leaves(system, limb);
        all.iter().map(|&id| sum(&own, id)).collect_vec()
    });
    sums.collect_vec()
}

fn position(system: &System, record: usize) -> Option<ExprId> {
    system.coordinates[record].position
}

fn is_leaf(graph: &Graph, id: Option<ExprId>, symbol: SymbolId) -> bool {
    id.is_some_and(|id| matches!(graph.node(id), Node::Symbol(own) if *own == symbol))
}

/// An expression as a constant and terms with factors. Sums in sums, which have a factor in common, are opened.
fn terms(graph: &Graph, id: ExprId) -> (Number, Vec<(ExprId, Number)>) {
    let (constant, nested) = match graph.node(id) {
        Node::Number(value) => return (*value, Vec::new()),
        Node::Sum { constant, terms } => (*constant, terms),
        _ => return (Number::ZERO, vec![(id, Number::ONE)]),
    };
    let (mut total, mut found) = (constant, Vec::<(ExprId, Number)>::new());
    for &(term, factor) in &**nested {
        let (constant, terms) = terms(graph, term);
        total = total + constant * factor;
        for (term, own) in terms {
            match found.iter_mut().find(|it| it.0 == term) {
                Some(known) => known.1 = known.1 + own * factor,
                None => found.push((term, own * factor)),
            }
        }
    }
    (total, found)
}

struct Lifting<'a> {
    system: &'a mut System,
    /// The coordinates and velocities of each limb.
    leaves: Vec<Vec<Option<ExprId>>>,
    /// Numbers by limb, with the leaves that represent them.
    known: Map<Vec<Number>, Vec<ExprId>>,
}

impl Lifting<'_> {
    /// Sums of the same terms; `None` if they differ in no number, or in more.
    fn lifted(&mut self, members: &[&Sum]) -> Option<Vec<ExprId>> {
        let mut keys: Vec<&Key> = Vec::new();
        for (key, ..) in members.iter().flat_map(|it| &it.terms) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let constants: Vec<Number> = members.iter().map(|it| it.constant).collect_vec();
        let factors = keys
            .iter()
            .map(|key| members.iter().map(|it| it.factor(key)).collect());
        let factors: Option<Vec<Vec<Number>>> = factors.collect();
        let factors = factors?;
        if factors.iter().chain([&constants]).all(|it| is_uniform(it)) {
            return None;
        }
        let one = self.system.model.graph.number(Number::ONE);
        let mut sums: Vec<Vec<(ExprId, Number)>> = vec![Vec::new(); members.len()];
        self.add(&mut sums, &constants, &vec![one; members.len()]);
        for (key, factors) in keys.iter().zip(&factors) {
            let own = (0..members.len()).map(|limb| self.own(members, key, limb));
            let own: Option<Vec<ExprId>> = own.collect();
            self.add(&mut sums, factors, &own?);
        }
        let graph = &mut self.system.model.graph;
        Some(sums.iter().map(|terms| graph.sum(terms)).collect_vec())
    }

    /// The term of a limb; if it has none, that of another, with its own leaves.
    fn own(&mut self, members: &[&Sum], key: &Key, limb: usize) -> Option<ExprId> {
        if let Some(term) = members[limb].term(key) {
            return Some(term);
        }
        let (other, term) = (0..members.len()).find_map(|k| Some((k, members[k].term(key)?)))?;
        let pairs = self.leaves[other].iter().zip(&self.leaves[limb]);
        let map = pairs.filter_map(|it| Some(((*it.0)?, (*it.1)?))).collect();
        Some(self.system.model.graph.substitute([term], map)[&term])
    }

    /// Adds terms with factors: those of limbs that differ as leaves.
    fn add(&mut self, sums: &mut [Vec<(ExprId, Number)>], factors: &[Number], terms: &[ExprId]) {
        if is_uniform(factors) {
            let all = sums.iter_mut().zip(terms);
            return all.for_each(|(sum, &term)| sum.push((term, factors[0])));
        }
        let opposite: Vec<Number> = factors.iter().map(|&it| -it).collect_vec();
        let (numbers, sign) = match self.known.contains_key(&opposite) {
            true => (&opposite[..], Number::MINUS_ONE),
            false => (factors, Number::ONE),
        };
        let leaves = self.leaves_of(numbers);
        let graph = &mut self.system.model.graph;
        for ((sum, &term), leaf) in sums.iter_mut().zip(terms).zip(leaves) {
            sum.push((graph.mul(leaf, term), sign));
        }
    }

    /// The leaves of elements that are these numbers.
    fn leaves_of(&mut self, factors: &[Number]) -> Vec<ExprId> {
        if let Some(known) = self.known.get(factors) {
            return known.clone();
        }
        let Model { graph, symbols, .. } = &mut self.system.model;
        let mut leaves = Vec::with_capacity(factors.len());
        for &number in factors {
            let place = self.system.numbers.len();
            leaves.push(numbers::leaf(graph, symbols, place, number));
            self.system.numbers.push(number);
        }
        self.known.insert(factors.to_vec(), leaves.clone());
        leaves
    }
}

impl Sum {
    fn term(&self, key: &Key) -> Option<ExprId> {
        self.terms.iter().find(|it| it.0 == *key).map(|it| it.1)
    }

    /// The factor of a term, 0 if there is none; `None` if there are several such terms.
    fn factor(&self, key: &Key) -> Option<Number> {
        let mut found = self.terms.iter().filter(|it| it.0 == *key);
        let factor = found.next().map_or(Number::ZERO, |it| it.2);
        found.next().is_none().then_some(factor)
    }
}

fn is_uniform(numbers: &[Number]) -> bool {
    numbers.iter().all(|it| *it == numbers[0])
}
