//! The tree of links that move relative to each other.

use super::masses::Masses;
use super::symmetric::Symmetric;
use super::turn::Turn;
use super::vector::{Vector, scaled, sum};
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Number, PushEach, SortedMap, sort};
use crate::model::{self, System};
use crate::solve::SparseRow;

/// Columns of a Jacobian of three rows.
pub type Columns = Vec<(usize, Vector)>;

/// A link that moves relative to the one before it, with all that is fixed to it.
#[derive(Clone, Debug)]
pub struct Link {
    /// The link before it; `None` for the world.
    pub from: Option<usize>,
    /// Its origin in the frame before it.
    pub place: Vector,
    /// ṗ, and p̈ at v̇ = 0, in the frame before it.
    pub place_rates: [Vector; 2],
    /// ∂ṗ/∂v
    pub place_columns: Columns,
    /// R
    pub turn: Turn,
    /// ω relative to the frame before it and its derivative at v̇ = 0, in its own frame.
    pub spin: [Vector; 2],
    /// ∂ω/∂v
    pub spin_columns: Columns,
    pub masses: Masses,
    /// The first body on it.
    pub name: Option<String>,
}

/// What moves a tree.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// v and weight.
    Motion,
    /// v, weight and v̇.
    AcceleratedMotion(&'a [ExprId]),
    /// v̇ alone.
    Acceleration(&'a [ExprId]),
}

impl<'a> Given<'a> {
    /// v̇
    pub fn accelerations(self) -> Option<&'a [ExprId]> {
        match self {
            Given::Motion => None,
            Given::AcceleratedMotion(it) | Given::Acceleration(it) => Some(it),
        }
    }

    /// Whether there is motion and weight.
    pub fn has_motion(self) -> bool {
        !matches!(self, Given::Acceleration(_))
    }
}

/// Links, each after the one before it.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The links.
    pub links: Vec<Link>,
    /// The acceleration of free fall.
    pub gravity: Option<Vector>,
    /// Whether another tree is before its first links, and carries them.
    pub hangs: bool,
}

/// A frame as seen from the moving link, or the world, that it is fixed to.
#[derive(Clone)]
struct Fixed {
    link: Option<usize>,
    turn: Turn,
    place: Vector,
}

impl Tree {
    /// The tree of the posed bodies, the plane being that of x and y; `None` if there are none, or some in the plane and others
    /// in space. `columns` are the derivatives of rates by velocities.
    pub fn new(
        graph: &mut Graph,
        system: &System,
        mut columns: impl FnMut(&mut Graph, &[ExprId]) -> Vec<SparseRow>,
    ) -> Option<Tree> {
        let zero = graph.zero();
        let size = system.posed.first()?.place.len();
        if system.posed.iter().any(|body| body.place.len() != size) {
            return None;
        }
        let mut tree = Tree {
            links: Vec::new(),
            gravity: in_space(zero, &system.gravity),
            hangs: false,
        };
        let world = Fixed {
            link: None,
            turn: Turn::none(),
            place: [zero; 3],
        };
        let needed = needed(system);
        // A pose that is written twice is one link: the first.
        let mut firsts: Vec<usize> = Vec::with_capacity(system.links.len());
        let mut known: Map<model::Link, usize> = Map::default();
        let mut frames: Vec<Option<Fixed>> = Vec::with_capacity(system.links.len());
        for (i, link) in system.links.iter().enumerate() {
            let from = link.from.map(|from| firsts[from]);
            let link = model::Link {
                from,
                ..link.clone()
            };
            firsts.push(*known.entry(link.clone()).or_insert(i));
            frames.push(None);
            if !needed[i] {
                continue;
            }
            if let Some(frame) = &frames[firsts[i]] {
                frames[i] = Some(frame.clone());
                continue;
            }
            let base = match from {
                Some(from) => frames[from].clone()?,
                None => world.clone(),
            };
            let frame = tree.placed(graph, &base, &link, &mut columns)?;
            frames[firsts[i]] = Some(frame.clone());
            frames[i] = Some(frame);
        }
        for body in &system.posed {
            let frame = match body.link {
                Some(link) => frames[link].clone()?,
                None => world.clone(),
            };
            let masses = Masses::of_body(graph, body.mass, &body.tensor);
            let masses = masses.out(graph, &frame.turn, &frame.place);
            tree.add(graph, frame.link, &masses);
            if let Some(link) = frame.link {
                tree.links[link]
                    .name
                    .get_or_insert_with(|| body.name.clone());
            }
        }
        Some(tree)
    }

    /// A link relative to a frame: another moving link, or a frame fixed to the same one.
    fn placed(
        &mut self,
        graph: &mut Graph,
        base: &Fixed,
        link: &model::Link,
        columns: &mut impl FnMut(&mut Graph, &[ExprId]) -> Vec<SparseRow>,
    ) -> Option<Fixed> {
        let zero = graph.zero();
        let own = in_space(zero, &link.place)?;
        let place = base.turn.out(graph, &own);
        let place = sum(graph, [&base.place, &place]);
        let axes = axes_in_space(graph, &link.axes)?;
        let [spin, rates] = [&link.spin, &link.rates].map(|rates| {
            let both = [&rates.first, &rates.second].map_each(|it| in_space(zero, it));
            both.into_iter().collect::<Option<Vec<Vector>>>()
        });
        let spin: [Vector; 2] = spin?.try_into().ok()?;
        let rates: [Vector; 2] = rates?.try_into().ok()?;
        let still = |rates: &[Vector; 2]| rates.as_flattened().iter().all(|&it| graph.is_zero(it));
        let (turns, slides) = (!still(&spin), !still(&rates));
        let turn = Turn::new(graph, axes, turns).after(graph, &base.turn);
        if !turns && !slides {
            return Some(Fixed {
                link: base.link,
                turn,
                place,
            });
        }
        let [place_columns, spin_columns] = [&rates[0], &spin[0]].map(|it| columns(graph, it));
        let place_columns = by_column(graph, &place_columns);
        let spin_columns = by_column(graph, &spin_columns);
        let out = |graph: &mut Graph, it: &Vector| base.turn.out(graph, it);
        let place_columns = place_columns.into_iter();
        self.links.push(Link {
            from: base.link,
            place,
            place_columns: place_columns
                .map(|(c, it)| (c, out(graph, &it)))
                .collect_vec(),
            place_rates: rates.map_each(|it| out(graph, &it)),
            turn,
            spin_columns,
            spin,
            masses: Masses::none(graph.zero()),
            name: None,
        });
        Some(Fixed {
            link: Some(self.links.len() - 1),
            turn: Turn::none(),
            place: [graph.zero(); 3],
        })
    }

    /// Adds masses to a link; those of the world do not move.
    fn add(&mut self, graph: &mut Graph, link: Option<usize>, masses: &Masses) {
        if let Some(link) = link {
            let link = &mut self.links[link];
            link.masses = link.masses.plus(graph, masses);
        }
    }

    /// The number of links from the world to the last.
    pub fn depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            depths.push(link.from.map_or(0, |from| depths[from]) + 1);
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The same motion with origins where axes meet, as far as that leaves fewer components of places.
    pub fn slid(&self, graph: &mut Graph) -> Tree {
        let mut tree = self.clone();
        for i in 0..tree.links.len() {
            let Some(axis) = tree.links[i].hinge(graph) else {
                continue;
            };
            let unit = tree.links[i].turn.fixed_column(graph, axis);
            let along = graph.dot(&unit, &tree.links[i].place);
            let mut ways = vec![graph.neg(along)];
            let next = tree
                .links
                .iter()
                .find(|it| it.from == Some(i) && it.is_still(graph));
            ways.push_each(next.map(|next| next.place[axis]));
            for by in ways {
                let slid = tree.slid_by(graph, i, (axis, &unit), by);
                if slid.components(graph, i) < tree.components(graph, i) {
                    tree = slid;
                    break;
                }
            }
        }
        tree
    }

    /// The origin of link i moved along its axis.
    fn slid_by(
        &self,
        graph: &mut Graph,
        i: usize,
        (axis, unit): (usize, &Vector),
        by: ExprId,
    ) -> Tree {
        let mut tree = self.clone();
        let moved = scaled(graph, by, unit);
        let mut back = [graph.zero(); 3];
        back[axis] = graph.neg(by);
        let link = &mut tree.links[i];
        link.place = sum(graph, [&link.place, &moved]);
        link.masses = link.masses.moved(graph, &back);
        let after = tree.links.iter_mut().filter(|it| it.from == Some(i));
        after.for_each(|it| it.place = sum(graph, [&it.place, &back]));
        tree
    }

    /// The number of components of the places of a link and of those after it. Nothing depends on the place of the first.
    fn components(&self, graph: &Graph, i: usize) -> usize {
        let own = self.links[i].from.map(|_| &self.links[i].place);
        let after = self.links.iter().filter(|it| it.from == Some(i));
        let places = own.into_iter().chain(after.map(|it| &it.place));
        places.flatten().filter(|&&it| !graph.is_zero(it)).count()
    }

    /// The velocities with inertia in every state: each turns or moves one link, after which there is a body.
    pub fn resisted(&self, graph: &mut Graph) -> Vec<usize> {
        let mut moved: SortedMap<usize, Vec<bool>> = SortedMap::new();
        for link in &self.links {
            for column in link.columns() {
                let moves = link.slopes(graph.zero(), column).iter().any(|slopes| {
                    let squares = slopes.map_each(|it| (graph.powi(it, 2), Number::ONE));
                    let square = graph.sum(&squares);
                    graph.is_positive(square)
                });
                moved.entry(column).or_default().push(moves);
            }
        }
        let resisted = moved.into_iter().filter(|(_, moves)| moves[..] == [true]);
        resisted.map(|it| it.0).collect_vec()
    }

    /// The same M and h with the masses on axes moved to the links before them, and second moments of what only slides.
    pub fn lumped(&self, graph: &mut Graph) -> Tree {
        let zero = graph.zero();
        let mut tree = self.clone();
        for i in (0..tree.links.len()).rev() {
            let link = &tree.links[i];
            let Masses {
                mass,
                first,
                second,
            } = link.masses.clone();
            let mut rest = link.masses.clone();
            let moved = if let Some(axis) = link.hinge(graph) {
                let unit = link.turn.fixed_column(graph, axis);
                let moments = [mass, first[axis], second.get(axis, axis)];
                rest.mass = zero;
                rest.first[axis] = zero;
                rest.second.clear(zero, axis);
                Masses::rod(graph, moments, &unit).moved(graph, &link.place)
            } else if link.turn.is_fixed() {
                rest.second = Symmetric([zero; 6]);
                Masses {
                    second: link.turn.out_symmetric(graph, &second),
                    ..Masses::none(zero)
                }
            } else {
                continue;
            };
            let from = link.from;
            tree.links[i].masses = rest;
            tree.add(graph, from, &moved);
        }
        tree
    }
}

impl Link {
    /// The velocities that move it relative to the link before it.
    pub fn columns(&self) -> Vec<usize> {
        let all = self.spin_columns.iter().chain(&self.place_columns);
        let mut columns: Vec<usize> = all.map(|&(column, _)| column).collect_vec();
        sort(&mut columns);
        columns.dedup();
        columns
    }

    /// ∂ω′/∂v and ∂ṗ/∂v of one velocity.
    pub(super) fn slopes(&self, zero: ExprId, column: usize) -> [Vector; 2] {
        [&self.spin_columns, &self.place_columns].map_each(|columns| {
            let found = columns.iter().find(|it| it.0 == column);
            found.map_or([zero; 3], |it| it.1)
        })
    }

    /// The axis of coordinates about which it turns, if its origin is fixed in the frame before it.
    fn hinge(&self, graph: &Graph) -> Option<usize> {
        self.turn.axis().filter(|_| self.is_still(graph))
    }

    /// Whether its origin is fixed in the frame before it.
    pub(super) fn is_still(&self, graph: &Graph) -> bool {
        let mut rates = self.place_rates.as_flattened().iter();
        rates.all(|&it| graph.is_zero(it))
    }
}

/// Whether a posed body is on a link or after it.
fn needed(system: &System) -> Vec<bool> {
    let mut needed = vec![false; system.links.len()];
    let links = system.posed.iter().filter_map(|body| body.link);
    links.for_each(|link| needed[link] = true);
    for i in (0..needed.len()).rev().filter(|&i| needed[i]).collect_vec() {
        let mut at = i;
        while let Some(before) = system.links[at].from.filter(|&it| !needed[it]) {
            needed[before] = true;
            at = before;
        }
    }
    needed
}

/// A vector of the plane or of space, or the ω of a body in the plane.
fn in_space(zero: ExprId, components: &[ExprId]) -> Option<Vector> {
    match *components {
        [spin] => Some([zero, zero, spin]),
        [x, y] => Some([x, y, zero]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

fn axes_in_space(graph: &mut Graph, columns: &[Vec<ExprId>]) -> Option<[Vector; 3]> {
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let columns: Option<Vec<Vector>> = columns.iter().map(|it| in_space(zero, it)).collect();
    match columns?[..] {
        [x, y] => Some([x, y, [zero, zero, one]]),
        [x, y, z] => Some([x, y, z]),
        _ => None,
    }
}

/// The columns of three rows.
fn by_column(graph: &mut Graph, rows: &[SparseRow]) -> Columns {
    let zero = graph.zero();
    let mut columns: SortedMap<usize, Vector> = SortedMap::new();
    for (k, row) in rows.iter().enumerate() {
        for &(column, slope) in row {
            columns.entry(column).or_insert([zero; 3])[k] = slope;
        }
    }
    columns.into_iter().collect_vec()
}
