//! The leaves that a constraint's equations add to those of its model.

use crate::diagnostic::SourceRange;
use crate::expr::{CollectVec, ExprId, PushEach, SymbolId};
use crate::model::{Model, Role, Shape, SystemCoordinate};
use crate::solve::Sparse;
use crate::syntax::ast::name_of;

/// Leaves for the caller's arguments.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// The coordinates: q with v, or all (v, ω), body by body.
    pub coordinates: Vec<SystemCoordinate>,
    /// W = M⁻¹
    pub inverse_mass: Sparse,
    /// f, or all (force, torque), body by body.
    pub forces: Vec<ExprId>,
    /// The right-hand side b of (J W Jᵀ) λ = b.
    pub right_hand_side: Vec<ExprId>,
    /// The mass of the one particle; `None` for bodies.
    pub particle: Option<ExprId>,
}

/// Adds the leaves to a model.
pub fn add(model: &mut Model) -> Leaves {
    if model.bodies.is_empty() {
        of_points(model)
    } else {
        of_bodies(model)
    }
}

fn of_points(model: &mut Model) -> Leaves {
    let n = model.coordinate_count();
    let mut own: Vec<Option<SymbolId>> = vec![None; n];
    for (index, symbol) in model.symbols.iter().enumerate() {
        if let Role::Coordinate(i) = symbol.role {
            own[i] = Some(SymbolId::new(index));
        }
    }
    let name = |(i, id): (usize, &Option<SymbolId>)| match id {
        Some(id) => model.symbols[id.index()].name.clone(),
        None => format!("q{i}"),
    };
    let names: Vec<String> = own.iter().enumerate().map(name).collect_vec();
    let mut family = |prefix: &str, role: fn(usize) -> Role| -> Vec<ExprId> {
        let named = names.iter().enumerate();
        named
            .map(|(i, name)| model.add_leaf(role(i), format!("{prefix}_{name}")))
            .collect_vec()
    };
    let velocities = family("v", Role::Velocity);
    let weights = family("w", Role::InverseMass);
    let forces = family("f", Role::Force);
    let coordinates = (0..n).map(|i| SystemCoordinate {
        position: Some(match own[i] {
            Some(id) => model.graph.symbol(id),
            None => model.add_leaf(Role::Coordinate(i), names[i].clone()),
        }),
        velocity: velocities[i],
        name: names[i].clone(),
        range: SourceRange::call_site(),
    });
    let coordinates = coordinates.collect_vec();
    let weights = weights.into_iter().enumerate();
    Leaves {
        coordinates,
        inverse_mass: Sparse {
            n,
            entries: weights.map(|(i, w)| ((i, i), w)).collect(),
        },
        forces,
        right_hand_side: right_hand_side(model),
        particle: Some(model.add_leaf(Role::Mass, "m".into())),
    }
}

fn of_bodies(model: &mut Model) -> Leaves {
    let mut leaves = Leaves {
        coordinates: Vec::new(),
        inverse_mass: Sparse::default(),
        forces: Vec::new(),
        right_hand_side: Vec::new(),
        particle: None,
    };
    for (index, body) in model.bodies.clone().iter().enumerate() {
        let name = name_of(&body.name);
        let first = leaves.coordinates.len();
        let velocities = body.velocity.iter().chain(&body.angular_velocity);
        let places = body.position.iter().map(|&place| Some(place));
        let pairs = velocities.zip(places.chain([None, None, None]));
        let coordinates = pairs.map(|(&velocity, position)| SystemCoordinate {
            position,
            velocity,
            name: name.clone(),
            range: SourceRange::call_site(),
        });
        leaves.coordinates.push_each(coordinates);
        let mass = model.add_leaf(Role::InverseMass(index), format!("w_{name}"));
        let linear = (first..).take(body.velocity.len());
        let entries = &mut leaves.inverse_mass.entries;
        entries.extend(linear.map(|i| ((i, i), mass)));
        let turning = first + body.velocity.len();
        entries.extend(inverse_inertia(model, index, body.shape, &name, turning));
        let components: &[&str] = match body.shape {
            Shape::Space => &["f_?.x", "f_?.y", "f_?.z", "tau_?.x", "tau_?.y", "tau_?.z"],
            _ => &["f_?.x", "f_?.y", "tau_?"],
        };
        for (i, component) in components.iter().enumerate() {
            let role = Role::Force(index * components.len() + i);
            let leaf = model.add_leaf(role, component.replace('?', &name));
            leaves.forces.push(leaf);
        }
    }
    leaves.inverse_mass.n = leaves.coordinates.len();
    leaves.right_hand_side = right_hand_side(model);
    leaves
}

fn right_hand_side(model: &mut Model) -> Vec<ExprId> {
    model.add_leaves(model.rows.len(), Role::RightHandSide, "b")
}

/// I⁻¹ of a body in the world's frame, with columns of ω from `first`: a symmetric matrix, 1 × 1 in the plane.
fn inverse_inertia(
    model: &mut Model,
    body: usize,
    shape: Shape,
    name: &str,
    first: usize,
) -> Vec<((usize, usize), ExprId)> {
    let entries: &[(&str, usize, usize)] = match shape {
        Shape::Space => &[
            ("xx", 0, 0),
            ("xy", 1, 0),
            ("xz", 2, 0),
            ("yy", 1, 1),
            ("yz", 2, 1),
            ("zz", 2, 2),
        ],
        _ => &[("zz", 0, 0)],
    };
    let leaf = |(k, &(entry, i, j)): (usize, &(&str, usize, usize))| {
        let role = Role::InverseInertia(entries.len() * body + k);
        let leaf = model.add_leaf(role, format!("W_{name}.{entry}"));
        ((first + i, first + j), leaf)
    };
    entries.iter().enumerate().map(leaf).collect_vec()
}
