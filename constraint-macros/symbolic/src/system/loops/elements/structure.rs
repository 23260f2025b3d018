//! Elements, which move on their own, and the joints between them: the graph along which the elimination runs.

use std::ops::Range;

use super::super::elimination::Elimination;
use super::super::leaves;
use super::super::routine::{Array, Families, Slot};
use crate::dynamics::Derivation;
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Node, PushEach, Set, SortedSet, sort};
use crate::model::{Role, RowName, System};
use crate::solve::Sparse;

/// A body, a particle or a coordinate, or several that M couples.
pub(super) struct Element {
    /// Its coordinates, those of a rotation last.
    pub positions: Vec<usize>,
    /// Its velocities.
    pub columns: Vec<usize>,
    /// Index into the model's bodies.
    pub body: Option<usize>,
    /// The joints that it is part of.
    pub joints: Vec<usize>,
}

impl Element {
    /// The place of a velocity among its own.
    pub fn place(&self, column: usize) -> usize {
        self.columns.partition_point(|&own| own < column)
    }
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// With an element.
    Element(usize),
    /// With a joint.
    Joint(usize),
}

/// More rows than this are not eliminated together: their inverse by minors would take too many.
pub(super) const LARGEST_BLOCK: usize = 3;

/// The rows of one constraint, eliminated together.
pub(super) struct Joint {
    pub rows: Range<usize>,
    /// The elements that it connects, in the order in which its rows speak of them.
    pub elements: Vec<usize>,
}

/// Elements and joints.
pub(super) struct Structure {
    pub elements: Vec<Element>,
    pub joints: Vec<Joint>,
    pub elimination: Elimination,
    /// By joint where the lower triangle of its block begins, and where the last one ends.
    diagonal: Vec<usize>,
    /// By coordinate and by velocity, its element.
    of_position: Vec<usize>,
    of_column: Vec<usize>,
    of_body: Vec<usize>,
}

impl Structure {
    /// With joints of at most so many rows.
    pub fn of(elements: Vec<Element>, system: &System, rows: &Families, most: usize) -> Structure {
        let numbers = |of: fn(&Element) -> &[usize]| {
            let mut numbers: Map<usize, usize> = Map::default();
            for (number, element) in elements.iter().enumerate() {
                numbers.extend(of(element).iter().map(|&own| (own, number)));
            }
            (0..numbers.len()).map(|own| numbers[&own]).collect_vec()
        };
        let mut structure = Structure {
            of_position: numbers(|it| &it.positions),
            of_column: numbers(|it| &it.columns),
            of_body: numbers(|it| it.body.as_slice()),
            elements,
            joints: Vec::new(),
            elimination: Elimination::default(),
            diagonal: vec![0],
        };
        for of_joint in RowName::constraints(&system.rows) {
            for first in of_joint.clone().step_by(most) {
                structure.add_joint(rows, first..of_joint.end.min(first + most));
            }
        }
        let mut coupled = SortedSet::new();
        for element in &structure.elements {
            for (a, &i) in element.joints.iter().enumerate() {
                coupled.extend(element.joints[..a].iter().map(|&j| (i, j)));
            }
        }
        // The order of single rows is chosen later.
        if most > 1 {
            structure.elimination = Elimination::along(structure.joints.len(), coupled);
        }
        structure
    }

    fn add_joint(&mut self, rows: &Families, numbers: Range<usize>) {
        let joint = self.joint(rows, numbers);
        for &element in &joint.elements {
            let number = self.joints.len();
            self.elements[element].joints.push(number);
        }
        let (n, end) = (joint.rows.len(), self.diagonal_len());
        self.diagonal.push(end + n * (n + 1) / 2);
        self.joints.push(joint);
    }

    /// That of some rows.
    pub fn joint(&self, rows: &Families, numbers: Range<usize>) -> Joint {
        let mut elements = Vec::new();
        for element in numbers.clone().flat_map(|r| self.elements_of(rows, r)) {
            if !elements.contains(&element) {
                elements.push(element);
            }
        }
        Joint {
            rows: numbers,
            elements,
        }
    }

    /// The elements that a row speaks of, in the order in which it does.
    pub fn elements_of(&self, rows: &Families, r: usize) -> Vec<usize> {
        let mut elements = Vec::new();
        for element in rows.slots[r]
            .iter()
            .filter_map(|&slot| self.element_of_slot(slot))
        {
            if !elements.contains(&element) {
                elements.push(element);
            }
        }
        elements
    }

    /// The joint of a row.
    pub fn joint_of(&self, r: usize) -> usize {
        self.joints.partition_point(|joint| joint.rows.end <= r)
    }

    /// An element and those that joints connect it to.
    pub fn neighbours(&self, e: usize) -> SortedSet<usize> {
        let joints = self.elements[e].joints.iter();
        let connected = joints.flat_map(|&joint| self.joints[joint].elements.iter().copied());
        connected.chain([e]).collect()
    }

    /// Lets no element wait for a joint: rows are solved for together.
    pub fn part(&mut self) {
        self.elements.iter_mut().for_each(|it| it.joints.clear());
        self.elimination = Elimination::together(self.joints.len());
    }

    /// Joints as they go, each element before the first of its own.
    pub fn forwards(&self) -> Vec<Site> {
        let mut waits = vec![true; self.elements.len()];
        let mut all = Vec::new();
        for &j in &self.elimination.order {
            for &e in &self.joints[j].elements {
                if std::mem::take(&mut waits[e]) {
                    all.push(Site::Element(e));
                }
            }
            all.push(Site::Joint(j));
        }
        let free = (0..waits.len()).filter(|&e| waits[e]);
        all.push_each(free.map(Site::Element));
        all
    }

    /// The same backwards, each element after the last of its own.
    pub fn backwards(&self) -> Vec<Site> {
        let mut left: Vec<usize> = self.elements.iter().map(|it| it.joints.len()).collect_vec();
        let free = (0..left.len()).filter(|&e| left[e] == 0);
        let mut all: Vec<Site> = free.map(Site::Element).collect_vec();
        for &j in self.elimination.order.iter().rev() {
            all.push(Site::Joint(j));
            for &e in &self.joints[j].elements {
                left[e] -= 1;
                if left[e] == 0 {
                    all.push(Site::Element(e));
                }
            }
        }
        all
    }

    pub fn element_of_slot(&self, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Element(_, Array::Position, i) => Some(self.of_position[i]),
            Slot::Element(_, Array::Velocity, i) | Slot::Record(i) => Some(self.of_column[i]),
            Slot::Element(..) => None,
        }
    }

    /// The place of entry (a, b) of a joint's own block, b not larger than a.
    pub fn diagonal_place(&self, joint: usize, (a, b): (usize, usize)) -> usize {
        self.diagonal[joint] + a * (a + 1) / 2 + b
    }

    /// The number of such entries.
    pub fn diagonal_len(&self) -> usize {
        self.diagonal[self.diagonal.len() - 1]
    }

    /// The element that a coordinate belongs to.
    pub fn element_of_position(&self, position: usize) -> usize {
        self.of_position[position]
    }

    /// The element that is a body.
    pub fn element_of_body(&self, body: usize) -> usize {
        self.of_body[body]
    }

    /// The element that a velocity belongs to.
    pub fn element_of(&self, column: usize) -> usize {
        self.of_column[column]
    }

    /// The elements that an expression is made of.
    pub fn elements_in(&self, graph: &Graph, system: &System, id: ExprId) -> SortedSet<usize> {
        let model = &system.model;
        let element = |id: &ExprId| {
            let Node::Symbol(symbol) = *graph.node(*id) else {
                return None;
            };
            match model.symbols.get(symbol.index())?.role {
                Role::Coordinate(i) => Some(self.of_position[i]),
                Role::Velocity(i) => Some(self.of_column[i]),
                Role::Arm { arm, .. } => Some(self.of_body[model.arms[arm].body]),
                _ => None,
            }
        };
        graph.reachable([id]).iter().filter_map(element).collect()
    }
}

/// More velocities than this are not one element: what eliminates their M is written down once, and long.
const LARGEST_ELEMENT: usize = 12;

/// Everything declared, one element after the other; what M couples is one. `None` where that is more than a body and a few
/// coordinates.
pub(super) fn elements(graph: &Graph, system: &System, mass: &Sparse) -> Option<Vec<Element>> {
    let (mut elements, mut bodies): (Vec<Element>, _) = (Vec::new(), 0..);
    // By velocity its element, and by element the one that it is part of.
    let (mut of_column, mut whole) = (Vec::new(), Vec::new());
    for declared in &system.declared {
        for _ in 0..declared.elements() {
            let first = of_column.len();
            of_column.push_each(vec![elements.len(); declared.element_velocities()]);
            whole.push(elements.len());
            elements.push(Element {
                positions: Vec::new(),
                columns: (first..of_column.len()).collect_vec(),
                body: declared.body.then(|| bodies.next()).flatten(),
                joints: Vec::new(),
            });
        }
    }
    for &(i, j) in mass.entries.keys() {
        let [a, b] = [i, j].map_each(|c| first_of(&whole, of_column[c]));
        whole[a.max(b)] = a.min(b);
    }
    for part in (0..elements.len()).rev() {
        let first = first_of(&whole, part);
        if first == part {
            continue;
        }
        let Element { columns, body, .. } = elements.remove(part);
        let element = &mut elements[first];
        element.columns.push_each(columns);
        if element.body.is_some() && body.is_some() {
            return None;
        }
        element.body = element.body.or(body);
    }
    for element in &mut elements {
        sort(&mut element.columns);
        element.positions = positions(graph, system, element);
    }
    let are_small = elements
        .iter()
        .all(|it| it.columns.len() <= LARGEST_ELEMENT);
    are_small.then_some(elements)
}

/// Whether M couples no more than that.
pub(in crate::system) fn can_be(derivation: &Derivation, system: &System) -> bool {
    elements(&derivation.graph, system, &derivation.mass).is_some()
}

/// The first of those that an element is one with.
fn first_of(whole: &[usize], mut element: usize) -> usize {
    while whole[element] != element {
        element = whole[element];
    }
    element
}

/// The coordinates of an element as leaves, those of a rotation last.
fn own_leaves(system: &System, element: &Element) -> Vec<ExprId> {
    let coordinates = element.columns.iter().map(|&c| &system.coordinates[c]);
    let positions = coordinates.filter_map(|it| it.position);
    let rotation = element.body.map(|body| &system.model.bodies[body].rotation);
    let rotation = rotation.into_iter().flatten().copied();
    positions.chain(rotation).collect_vec()
}

fn positions(graph: &Graph, system: &System, element: &Element) -> Vec<usize> {
    let leaves = own_leaves(system, element).into_iter();
    let numbers = leaves.filter_map(|leaf| match *graph.node(leaf) {
        Node::Symbol(symbol) => match system.model.symbols[symbol.index()].role {
            Role::Coordinate(i) => Some(i),
            _ => None,
        },
        _ => None,
    });
    numbers.collect_vec()
}

/// The leaves of an element by the slots that they are read from.
pub(super) fn own_slots(graph: &Graph, system: &System, element: &Element) -> Vec<Slot> {
    let velocities = element.columns.iter();
    let velocities = velocities.map(|&c| system.coordinates[c].velocity);
    let leaves = own_leaves(system, element).into_iter().chain(velocities);
    let slots = leaves.filter_map(|leaf| match graph.node(leaf) {
        Node::Symbol(symbol) => leaves::slot(system, *symbol),
        _ => None,
    });
    slots.collect_vec()
}

/// Places of the entries of small blocks in an array, given out when they are first asked for.
#[derive(Clone, Default)]
pub(super) struct Allotted {
    places: Map<(usize, usize, usize, usize), usize>,
}

impl Allotted {
    /// The place of entry (a, b) of block (i, j).
    pub fn place(&mut self, (i, j): (usize, usize), (a, b): (usize, usize)) -> usize {
        let next = self.places.len();
        *self.places.entry((i, j, a, b)).or_insert(next)
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }
}

/// The places of arrays that have been written so far.
pub(super) type Filled = Set<(Array, usize)>;
