//! Numbers that members of a family differ by, as elements of one array.
//!
//! ```text
//! norm(bob[0] - [3, 0]) == l,  norm(bob[1] - [4, 0]) == l, …      hook = [3, 4, …],  norm(bob[i] - [hook[i], 0]) == l
//! ```

use super::leaves::Leaves;
use super::members::Families;
use super::rerolling::MIN_ROUNDS;
use super::shapes::Occurrence;
use crate::expr::{CollectVec, ExprId, Graph, Map, Node, Number, PushEach};

/// Replaces numbers that expressions differ by, if enough of them are alike otherwise, by the leaves that `leaf` makes for
/// the elements of an array. Returns that array; it is empty if there are no such numbers.
pub fn lift<L: Leaves>(
    graph: &mut Graph,
    leaves: &L,
    roots: Vec<&mut ExprId>,
    mut leaf: impl FnMut(&mut Graph, usize, Number) -> ExprId,
) -> Vec<Number> {
    let ids: Vec<ExprId> = roots.iter().map(|root| **root).collect_vec();
    let (families, occurrences) = Families::but_for_numbers(graph, leaves, &ids);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); families.len()];
    for (member, &family) in families.of.iter().enumerate() {
        members[family].push(member);
    }
    let mut columns = Columns::default();
    for members in members.iter().filter(|it| it.len() >= MIN_ROUNDS) {
        columns.of_family(members, &occurrences);
    }
    let numbers = columns.numbers.iter().enumerate();
    let elements: Vec<ExprId> = numbers
        .map(|(i, &value)| leaf(graph, i, value))
        .collect_vec();
    for (member, root) in roots.into_iter().enumerate() {
        if let Some(places) = columns.places.get(&member) {
            *root = with_leaves(graph, *root, places, &elements);
        }
    }
    columns.numbers
}

/// A number of a member, and the element that replaces it, with a sign.
struct Place {
    occurrence: Occurrence,
    element: usize,
    sign: Number,
}

/// The numbers of families column by column: those that one number of the shape has in its members.
#[derive(Default)]
struct Columns {
    numbers: Vec<Number>,
    /// Where each column begins.
    known: Map<Vec<Number>, usize>,
    /// By member.
    places: Map<usize, Vec<Place>>,
}

impl Columns {
    /// Adds the columns in which the members of a family differ. A sign that all of them have stays in the expression.
    fn of_family(&mut self, members: &[usize], occurrences: &[Vec<Occurrence>]) {
        let count = occurrences[members[0]].len();
        let column = |k: usize| members.iter().map(move |&member| occurrences[member][k]);
        for of_members in (0..count).map(column) {
            let of_members: Vec<Occurrence> = of_members.collect_vec();
            let sign = if of_members.iter().all(|it| it.value.is_negative()) {
                Number::MINUS_ONE
            } else {
                Number::ONE
            };
            let column: Vec<Number> = of_members.iter().map(|it| it.value * sign).collect_vec();
            if column.iter().all(|it| *it == column[0]) {
                continue;
            }
            let next = self.numbers.len();
            let first = *self.known.entry(column.clone()).or_insert(next);
            if first == next {
                self.numbers.push_each(column);
            }
            for (i, (&member, occurrence)) in members.iter().zip(of_members).enumerate() {
                let element = first + i;
                let place = Place {
                    occurrence,
                    element,
                    sign,
                };
                self.places.entry(member).or_default().push(place);
            }
        }
    }
}

/// The expression with leaves at its places.
fn with_leaves(graph: &mut Graph, root: ExprId, places: &[Place], leaves: &[ExprId]) -> ExprId {
    let mut map: Map<ExprId, ExprId> = Map::default();
    for id in graph.reachable([root]) {
        let own = places.iter().filter(|place| place.occurrence.node == id);
        let own: Vec<&Place> = own.collect_vec();
        let node = graph.node(id).clone();
        let mut changed = false;
        node.for_each_child(|child| changed |= map[&child] != child);
        let made = if !own.is_empty() {
            of_leaves(graph, &node, &own, leaves, &map)
        } else if changed {
            graph.rebuild(&node, &map)
        } else {
            id
        };
        map.insert(id, made);
    }
    map[&root]
}

/// A sum, or a number, with leaves for its own places.
fn of_leaves(
    graph: &mut Graph,
    node: &Node,
    own: &[&Place],
    leaves: &[ExprId],
    map: &Map<ExprId, ExprId>,
) -> ExprId {
    let place_of = |term: Option<usize>| own.iter().find(|it| it.occurrence.term == term);
    let (constant, terms) = match node {
        Node::Sum { constant, terms } => (*constant, &terms[..]),
        Node::Number(value) => (*value, &[][..]),
        _ => (Number::ZERO, &[][..]),
    };
    let mut all: Vec<(ExprId, Number)> = Vec::new();
    for (k, &(term, factor)) in terms.iter().enumerate() {
        all.push(match place_of(Some(k)) {
            Some(place) => (graph.mul(leaves[place.element], map[&term]), place.sign),
            None => (map[&term], factor),
        });
    }
    let place = place_of(None);
    all.push_each(place.map(|it| (leaves[it.element], it.sign)));
    let sum = graph.sum(&all);
    match place {
        Some(_) => sum,
        None => graph.offset(sum, constant),
    }
}
