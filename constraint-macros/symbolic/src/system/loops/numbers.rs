//! Numbers that members of a family differ by, as elements of one array.
//!
//! ```text
//! norm(bob[0] - [3, 0]) == l,  norm(bob[1] - [4, 0]) == l, …      hook = [3, 4, …],  norm(bob[i] - [hook[i], 0]) == l
//! ```
//! Input: a system. Output: the same with leaves for those numbers.

use super::families::{Families, Told};
use super::rerolling::MIN_ROUNDS;
use crate::expr::{ExprId, Graph, Map, Node, Number};
use crate::model::{Model, Role, Symbol, System};

/// The system with its numbers by index as elements of an array; `None` where they tell nothing apart.
pub fn lifted(system: &System) -> Option<System> {
    let mut lifted = system.clone();
    let mut roots: Vec<&mut ExprId> = Vec::new();
    let System {
        model,
        kinetic,
        places,
        masses,
        potential,
        dissipation,
        forces,
        observed,
        ..
    } = &mut lifted;
    let Model {
        rows,
        graph,
        symbols,
        ..
    } = model;
    roots.extend(rows.iter_mut().map(|row| &mut row.root));
    roots.extend(potential.iter_mut().chain(dissipation));
    roots.extend(forces.iter_mut().flat_map(|force| &mut force.value));
    roots.extend(observed);
    // Where rows are solved for, what numbers tell apart in T stays what it is.
    if system.model.rows.is_empty() {
        roots.extend(kinetic.iter_mut().map(|(term, _)| term));
        roots.extend(places.iter_mut().map(|(_, place)| place));
        roots.extend(
            masses
                .iter_mut()
                .flat_map(|it| it.place.iter_mut().chain([&mut it.mass])),
        );
    }
    let ids: Vec<ExprId> = roots.iter().map(|root| **root).collect();
    let (families, told) = Families::but_for_numbers(graph, system, &ids);

    let mut members: Vec<Vec<usize>> = vec![Vec::new(); families.len()];
    for (member, &family) in families.of.iter().enumerate() {
        members[family].push(member);
    }
    let mut columns = Columns::default();
    for members in members.iter().filter(|it| it.len() >= MIN_ROUNDS) {
        columns.of_family(members, &told);
    }
    if columns.numbers.is_empty() {
        return None;
    }
    let leaves = columns.numbers.iter().enumerate();
    let leaves = leaves.map(|(i, number)| {
        let value = number.to_f64();
        let name = if value < 0.0 {
            format!("({value})")
        } else {
            value.to_string()
        };
        graph.symbol(Symbol::add(symbols, Role::Number(i), name))
    });
    let leaves: Vec<ExprId> = leaves.collect();
    for (member, root) in roots.into_iter().enumerate() {
        if let Some(places) = columns.places.get(&member) {
            *root = with_leaves(graph, *root, places, &leaves);
        }
    }
    lifted.numbers = columns.numbers;
    Some(lifted)
}

/// A number of a member, and the element that stands for it, with a sign.
struct Place {
    told: Told,
    element: usize,
    sign: Number,
}

/// Numbers one below the other, those of a family's members.
#[derive(Default)]
struct Columns {
    numbers: Vec<Number>,
    /// Where each column begins.
    known: Map<Vec<Number>, usize>,
    /// By member.
    places: Map<usize, Vec<Place>>,
}

impl Columns {
    /// Those in which the members of a family differ; a sign stays where it is, if all of them have it.
    fn of_family(&mut self, members: &[usize], told: &[Vec<Told>]) {
        for k in 0..told[members[0]].len() {
            let all_told: Vec<Told> = members.iter().map(|&member| told[member][k]).collect();
            let taken_off = all_told.iter().all(|it| it.value.is_negative());
            let sign = if taken_off {
                Number::MINUS_ONE
            } else {
                Number::ONE
            };
            let column: Vec<Number> = all_told.iter().map(|it| it.value * sign).collect();
            if column.iter().all(|it| *it == column[0]) {
                continue;
            }
            let next = self.numbers.len();
            let first = *self.known.entry(column.clone()).or_insert(next);
            if first == next {
                self.numbers.extend(column);
            }
            for (i, (&member, told)) in members.iter().zip(all_told).enumerate() {
                let element = first + i;
                let place = Place {
                    told,
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
        let own = places.iter().filter(|place| place.told.node == id);
        let own: Vec<&Place> = own.collect();
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
    let place_of = |term: Option<usize>| own.iter().find(|it| it.told.term == term);
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
    all.extend(place.map(|it| (leaves[it.element], it.sign)));
    let sum = graph.sum(&all);
    match place {
        Some(_) => sum,
        None => graph.offset(sum, constant),
    }
}
