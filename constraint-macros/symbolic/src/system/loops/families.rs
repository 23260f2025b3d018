//! Expressions of one shape: the same formula over other coordinates and other elements of the same arrays.
//!
//! Input: expressions of a graph. Output: for each its family, and the places it speaks of in the
//! order of their first appearance; what is derived for one member then serves all.

use std::hash::Hash;

use super::routine::Array;
use crate::expr::{ExprId, Function, Graph, Map, Node, Number, SymbolId};
use crate::model::{Role, System};

/// A place that members of a family may differ by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A coordinate and its velocity.
    Coordinate(usize),
    /// An element of an array of parameters or of inputs, or a given acceleration; beside bodies, whose coordinates
    /// and velocities are counted apart, one of those.
    Element(SymbolId, Array, usize),
}

impl Slot {
    /// Where it stands in its array.
    pub fn index(self) -> usize {
        match self {
            Slot::Coordinate(index) | Slot::Element(_, _, index) => index,
        }
    }

    /// The coordinate, if it is one.
    pub fn coordinate(self) -> Option<usize> {
        match self {
            Slot::Coordinate(coordinate) => Some(coordinate),
            Slot::Element(..) => None,
        }
    }
}

/// A leaf that varies, as an expression sees it: with the number of its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Leaf {
    Position(usize),
    Velocity(usize),
    Element(Array, usize),
    /// A component of an arm, which is made of what follows.
    Arm(usize),
}

/// One word of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Word {
    /// What contains nothing that varies is itself.
    Constant(ExprId),
    Leaf(Leaf),
    /// A node met before.
    Again(usize),
    Sum(Number, usize),
    Term(Number),
    /// A number that may be another.
    Any,
    Product(usize),
    Factor(i32),
    Call(Function),
    /// Comparisons, choices: told apart by their discriminant.
    Other(std::mem::Discriminant<Node>, u8),
}

/// A number of a node: its constant, or the coefficient of one of its terms.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// The sum, or the number itself.
    pub node: ExprId,
    /// The term; none of a constant.
    pub term: Option<usize>,
    /// What is told.
    pub value: Number,
}

/// The numbers of a node that may differ from those of its like: what is no number, or no factor, is none.
fn told(node: &Node) -> impl Iterator<Item = (Option<usize>, Number)> {
    let (constant, terms) = match node {
        Node::Sum { constant, terms } => (Some(*constant).filter(|it| !it.is_zero()), &terms[..]),
        Node::Number(value) => (Some(*value).filter(|it| !is_plain(*it)), &[][..]),
        _ => (None, &[][..]),
    };
    let factors = terms.iter().enumerate();
    let factors = factors.filter(|(_, term)| !is_plain(term.1));
    let factors = factors.map(|(k, term)| (Some(k), term.1));
    constant.map(|it| (None, it)).into_iter().chain(factors)
}

/// 0, 1 and −1, which stand in no product.
fn is_plain(number: Number) -> bool {
    number.is_zero() || number.abs().is_one()
}

/// The families of a list of expressions.
#[derive(Clone, Debug, Default)]
pub struct Families {
    /// Per member: its family.
    pub of: Vec<usize>,
    /// Per member: the places it speaks of, in the order of their first appearance.
    pub slots: Vec<Vec<Slot>>,
    /// Per family: its first member.
    pub first: Vec<usize>,
}

impl Families {
    /// Finds the families.
    pub fn of(graph: &Graph, system: &System, members: &[ExprId]) -> Families {
        Families::read(Reading::new(graph, system, members), members).0
    }

    /// The families of what differs in numbers too, and of each member its numbers in the order of their appearance.
    pub fn but_for_numbers(
        graph: &Graph,
        system: &System,
        members: &[ExprId],
    ) -> (Families, Vec<Vec<Told>>) {
        let mut reading = Reading::new(graph, system, members);
        for id in reading.beside.reachable(graph, members) {
            let node = graph.node(id);
            let mut varies = reading.varies[id.index()] || told(node).next().is_some();
            node.for_each_child(|child| varies |= reading.varies[child.index()]);
            reading.varies[id.index()] = varies;
        }
        reading.told = Some(Vec::new());
        Families::read(reading, members)
    }

    fn read(mut reading: Reading<'_>, members: &[ExprId]) -> (Families, Vec<Vec<Told>>) {
        let mut all_told: Vec<Vec<Told>> = Vec::new();
        let mut known: Map<Vec<Word>, usize> = Map::default();
        let mut read: Map<ExprId, usize> = Map::default();
        let mut families = Families::default();
        for (member, &root) in members.iter().enumerate() {
            if let Some(&before) = read.get(&root) {
                families.of.push(families.of[before]);
                families.slots.push(families.slots[before].clone());
                all_told.push(all_told[before].clone());
                continue;
            }
            read.insert(root, member);
            reading.read(root);
            let family = known.get(&reading.words[..]).copied();
            let family = family.unwrap_or_else(|| {
                families.first.push(member);
                known.insert(reading.words.clone(), families.first.len() - 1);
                families.first.len() - 1
            });
            families.of.push(family);
            let told = reading.told.as_mut().map(std::mem::take);
            all_told.push(told.unwrap_or_default());
            families.slots.push(reading.begin_anew());
        }
        (families, all_told)
    }

    /// The same, with members in different families where what `key` finds in their places differs.
    pub fn split_by<K: Eq + Hash>(mut self, key: impl Fn(&[Slot]) -> K) -> Families {
        let mut known: Map<(usize, K), usize> = Map::default();
        self.first.clear();
        for member in 0..self.of.len() {
            let next = self.first.len();
            let key = (self.of[member], key(&self.slots[member]));
            self.of[member] = *known.entry(key).or_insert(next);
            if self.of[member] == next {
                self.first.push(member);
            }
        }
        self
    }

    /// The coordinates that a member speaks of.
    pub fn coordinates(&self, member: usize) -> impl Iterator<Item = usize> + use<'_> {
        let slots = self.slots[member].iter();
        slots.filter_map(|slot| slot.coordinate())
    }

    /// The number of families.
    pub fn len(&self) -> usize {
        self.first.len()
    }
}

/// Shapes of several expressions at once, numbered.
#[derive(Default)]
pub(super) struct Shapes(Map<Vec<Word>, usize>);

impl Shapes {
    /// The number of the shape of all roots together, and the places that they speak of.
    pub(super) fn of(
        &mut self,
        graph: &Graph,
        system: &System,
        roots: &[ExprId],
    ) -> (usize, Vec<Slot>) {
        let mut reading = Reading::new(graph, system, roots);
        roots.iter().for_each(|&root| reading.read(root));
        let next = self.0.len();
        (*self.0.entry(reading.words).or_insert(next), reading.slots)
    }
}

/// For every node below the roots: does it contain a coordinate, a velocity or an element of an array?
fn varies(graph: &Graph, beside: &Beside<'_>, roots: &[ExprId]) -> Vec<bool> {
    let mut varies = vec![false; graph.len()];
    for id in beside.reachable(graph, roots) {
        let node = graph.node(id);
        let mut found = match node {
            Node::Symbol(symbol) => {
                is_arm(beside.system, *symbol) || slot(beside.system, *symbol).is_some()
            }
            _ => false,
        };
        node.for_each_child(|child| found |= varies[child.index()]);
        varies[id.index()] = found;
    }
    varies
}

/// What is derived of leaves asks for others beside them: of a coordinate among bodies its velocity and the other way
/// round, of an arm what it is made of and what turns it.
struct Beside<'a> {
    system: &'a System,
    /// By coordinate, among bodies.
    velocities: Vec<Option<ExprId>>,
}

impl<'a> Beside<'a> {
    fn of(graph: &Graph, system: &'a System) -> Beside<'a> {
        let mut velocities = Vec::new();
        if !system.model.bodies.is_empty() {
            for coordinate in &system.coordinates {
                let Some(Node::Symbol(symbol)) = coordinate.position.map(|it| graph.node(it))
                else {
                    continue;
                };
                if let Role::Coordinate(i) = system.model.symbols[symbol.index()].role {
                    velocities.resize(velocities.len().max(i + 1), None);
                    velocities[i] = Some(coordinate.velocity);
                }
            }
        }
        Beside { system, velocities }
    }

    fn for_each(&self, symbol: SymbolId, mut visit: impl FnMut(ExprId)) {
        let model = &self.system.model;
        if self.velocities.is_empty() {
            return;
        }
        match model.symbols.get(symbol.index()).map(|it| it.role) {
            Some(Role::Coordinate(i)) => {
                let velocity = self.velocities.get(i).copied().flatten();
                velocity.into_iter().for_each(visit);
            }
            Some(Role::Velocity(i)) => {
                let position = self.system.coordinates[i].position;
                position.into_iter().for_each(visit);
            }
            Some(Role::Arm { arm, .. }) => {
                let arm = &model.arms[arm];
                let body = &model.bodies[arm.body];
                for made in [&arm.fixed, &body.rotation, &body.angular_velocity] {
                    made.iter().for_each(|&id| visit(id));
                }
            }
            _ => {}
        }
    }

    /// All that roots are made of, with what stands beside it.
    fn reachable(&self, graph: &Graph, roots: &[ExprId]) -> Vec<ExprId> {
        let mut reached = graph.reachable(roots.iter().copied());
        loop {
            let mut all = reached.clone();
            for &id in &reached {
                if let Node::Symbol(symbol) = *graph.node(id) {
                    self.for_each(symbol, |id| all.push(id));
                }
            }
            let more = graph.reachable(all);
            if more.len() == reached.len() {
                return more;
            }
            reached = more;
        }
    }
}

/// Whether a leaf is a component of an arm.
pub(in crate::system) fn is_arm(system: &System, symbol: SymbolId) -> bool {
    let symbol = system.model.symbols.get(symbol.index());
    symbol.is_some_and(|symbol| matches!(symbol.role, Role::Arm { .. }))
}

/// Where a leaf stands, if it varies.
pub(in crate::system) fn slot(system: &System, symbol: SymbolId) -> Option<Slot> {
    let role = system.model.symbols.get(symbol.index())?.role;
    let among_bodies = !system.model.bodies.is_empty();
    let (array, index) = match role {
        Role::Coordinate(i) if among_bodies => (Array::Position, i),
        Role::Velocity(i) if among_bodies => (Array::Velocity, i),
        Role::Coordinate(i) | Role::Velocity(i) => return Some(Slot::Coordinate(i)),
        Role::Acceleration(i) => (Array::Acceleration, i),
        Role::Reaction(i) => (Array::Multipliers, i),
        Role::Number(i) => (Array::Numbers, i),
        Role::Parameter {
            parameter,
            component,
        } => {
            let declared = &system.model.parameters[parameter];
            let size = declared.shape.len();
            let array = (!declared.lengths.is_empty()).then_some(parameter)?;
            (Array::Parameter(array, component % size), component / size)
        }
        Role::Input(i) => {
            let (input, component) = system.input(i)?;
            let declared = &system.inputs[input];
            let size = declared.shape.len();
            let array = (!declared.lengths.is_empty()).then_some(input)?;
            (Array::Input(array, component % size), component / size)
        }
        _ => return None,
    };
    Some(Slot::Element(symbol, array, index))
}

struct Reading<'a> {
    graph: &'a Graph,
    system: &'a System,
    varies: Vec<bool>,
    beside: Beside<'a>,
    words: Vec<Word>,
    /// By node its number and one, as far as it was met; the others zero.
    numbers: Vec<u32>,
    met: Vec<ExprId>,
    slots: Vec<Slot>,
    /// The numbers met, where they may be others.
    told: Option<Vec<Told>>,
}

impl<'a> Reading<'a> {
    /// Nothing read so far of what these roots are made of.
    fn new(graph: &'a Graph, system: &'a System, roots: &[ExprId]) -> Reading<'a> {
        let beside = Beside::of(graph, system);
        Reading {
            graph,
            system,
            varies: varies(graph, &beside, roots),
            beside,
            words: Vec::new(),
            numbers: vec![0; graph.len()],
            met: Vec::new(),
            slots: Vec::new(),
            told: None,
        }
    }

    /// Forgets what was read, but for the places it speaks of.
    fn begin_anew(&mut self) -> Vec<Slot> {
        self.words.clear();
        for id in self.met.drain(..) {
            self.numbers[id.index()] = 0;
        }
        std::mem::take(&mut self.slots)
    }

    /// The number of a slot.
    fn number(&mut self, slot: Slot) -> usize {
        if let Some(known) = self.slots.iter().position(|&other| other == slot) {
            return known;
        }
        self.slots.push(slot);
        self.slots.len() - 1
    }

    fn leaf(&mut self, symbol: SymbolId) -> Option<Leaf> {
        if let Role::Arm { component, .. } = self.system.model.symbols[symbol.index()].role {
            return Some(Leaf::Arm(component));
        }
        let slot = slot(self.system, symbol)?;
        let number = self.number(slot);
        Some(match slot {
            Slot::Element(_, array, _) => Leaf::Element(array, number),
            Slot::Coordinate(_) => match self.system.model.symbols[symbol.index()].role {
                Role::Velocity(_) => Leaf::Velocity(number),
                _ => Leaf::Position(number),
            },
        })
    }

    /// Before its operands; an explicit stack, since sums may nest deeply.
    fn read(&mut self, root: ExprId) {
        let graph = self.graph;
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !self.varies[id.index()] {
                self.words.push(Word::Constant(id));
                continue;
            }
            if let Some(before) = self.numbers[id.index()].checked_sub(1) {
                self.words.push(Word::Again(before as usize));
                continue;
            }
            self.met.push(id);
            self.numbers[id.index()] = self.met.len() as u32;
            self.node(graph.node(id));
            self.tell(id);
            let start = stack.len();
            graph.node(id).for_each_child(|child| stack.push(child));
            if let Node::Symbol(symbol) = graph.node(id) {
                self.beside.for_each(*symbol, |id| stack.push(id));
            }
            stack[start..].reverse();
        }
    }

    /// The numbers of a node, where they may be others.
    fn tell(&mut self, node: ExprId) {
        let Some(all) = &mut self.told else {
            return;
        };
        for (term, value) in told(self.graph.node(node)) {
            all.push(Told { node, term, value });
            self.words.push(Word::Any);
        }
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Symbol(symbol) => {
                let leaf = self.leaf(*symbol);
                self.words.extend(leaf.map(Word::Leaf));
            }
            Node::Sum { constant, terms } => {
                let of = |number: Number, is_plain: bool| match (&self.told, is_plain) {
                    (Some(_), false) => Number::ONE,
                    _ => number,
                };
                let constant = of(*constant, constant.is_zero());
                let terms = terms.iter().map(|&(_, c)| Word::Term(of(c, is_plain(c))));
                let terms: Vec<Word> = terms.collect();
                self.words.push(Word::Sum(constant, terms.len()));
                self.words.extend(terms);
            }
            Node::Product(factors) => {
                self.words.push(Word::Product(factors.len()));
                self.words
                    .extend(factors.iter().map(|&(_, e)| Word::Factor(e)));
            }
            Node::Call(function, _) => self.words.push(Word::Call(*function)),
            other => {
                let comparison = match other {
                    Node::Compare(comparison, ..) => *comparison as u8,
                    _ => 0,
                };
                self.words
                    .push(Word::Other(std::mem::discriminant(other), comparison));
            }
        }
    }
}
