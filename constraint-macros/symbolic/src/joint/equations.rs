//! From the rows between bodies to their equations.

use super::solved::{self, Solved};
use crate::diff::gradient;
use crate::dynamics;
use crate::expr::{ExprId, Graph};
use crate::kinematics::{self, MovingLeaf};
use crate::model::{Model, Role, Shape};

/// The leaves that the equations add to those of the model.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// All (v, ω), body by body.
    pub velocities: Vec<ExprId>,
    /// 1/m of each body.
    pub inverse_masses: Vec<ExprId>,
    /// I⁻¹ of each body in the world's frame: rows of a symmetric matrix, 1 × 1 in the plane.
    pub inverse_inertias: Vec<Vec<Vec<ExprId>>>,
    /// All (force, torque), body by body.
    pub forces: Vec<ExprId>,
    /// The right-hand side b of (J W Jᵀ) λ = b.
    pub right_hand_side: Vec<ExprId>,
}

/// Everything derived from the rows; `[row][velocity]`.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The leaves.
    pub leaves: Leaves,
    /// Whether a row is one of positions; the others are relations Φ(q, v, t) = 0.
    pub holonomic: Vec<bool>,
    /// C; 0 in the rows of velocities, which have none.
    pub value: Vec<ExprId>,
    /// J = ∂Ċ/∂v
    pub jacobian: Vec<Vec<ExprId>>,
    /// Ċ, or Φ
    pub rate: Vec<ExprId>,
    /// β = C̈ − J v̇, or dΦ/dt − J v̇
    pub bias: Vec<ExprId>,
    /// J W Jᵀ and λ, in every form that may be cheapest; at least one.
    pub forms: Vec<Solved>,
}

/// Derives all equations of the model's rows.
pub(super) fn derive(model: &mut Model) -> Equations {
    let moving = kinematics::of_bodies(model);
    let leaves = add_leaves(model);
    let value: Vec<ExprId> = model.rows.iter().map(|row| row.root).collect();
    let holonomic: Vec<bool> = value
        .iter()
        .map(|&c| !model.mentions_velocity([c]))
        .collect();
    let mut motion = kinematics::motion(&moving);
    dynamics::name_rates(model, &mut motion);
    let graph = &mut model.graph;
    let mut equations = Equations {
        jacobian: jacobian(graph, &moving, &leaves, &value, &holonomic),
        leaves,
        value: Vec::new(),
        rate: Vec::new(),
        bias: Vec::new(),
        forms: Vec::new(),
        holonomic,
    };
    for (&root, &holonomic) in value.iter().zip(&equations.holonomic) {
        let (value, rate, bias) = match holonomic {
            true => (root, motion.first(graph, root), motion.second(graph, root)),
            // Velocities are leaves without a rate: v̇ = 0.
            false => (graph.zero(), root, motion.first(graph, root)),
        };
        equations.value.push(value);
        equations.rate.push(rate);
        equations.bias.push(bias);
    }
    equations.forms = solved::forms(graph, &equations);
    equations
}

fn jacobian(
    graph: &mut Graph,
    moving: &[MovingLeaf],
    leaves: &Leaves,
    value: &[ExprId],
    holonomic: &[bool],
) -> Vec<Vec<ExprId>> {
    let velocities = &leaves.velocities;
    let row = |(&root, &holonomic): (&ExprId, &bool)| match holonomic {
        true => kinematics::jacobian_row(graph, moving, root, velocities.len()),
        false => gradient(graph, root, velocities),
    };
    value.iter().zip(holonomic).map(row).collect()
}

fn add_leaves(model: &mut Model) -> Leaves {
    let bodies = model.bodies.clone();
    let velocities = bodies
        .iter()
        .flat_map(|body| [&body.velocity[..], &body.angular_velocity].concat())
        .collect();
    let mut leaves = Leaves {
        velocities,
        inverse_masses: Vec::new(),
        inverse_inertias: Vec::new(),
        forces: Vec::new(),
        right_hand_side: Vec::new(),
    };
    for (index, body) in bodies.iter().enumerate() {
        let name = crate::syntax::ast::name_of(&body.name);
        let mass = model.add_leaf(Role::InverseMass(index), format!("w_{name}"));
        leaves.inverse_masses.push(mass);
        let inertia = inverse_inertia(model, index, body.shape, &name);
        leaves.inverse_inertias.push(inertia);
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
    for i in 0..model.rows.len() {
        let leaf = model.add_leaf(Role::RightHandSide(i), format!("b_{i}"));
        leaves.right_hand_side.push(leaf);
    }
    leaves
}

/// A symmetric matrix of leaves.
fn inverse_inertia(model: &mut Model, body: usize, shape: Shape, name: &str) -> Vec<Vec<ExprId>> {
    if shape != Shape::Space {
        return vec![vec![
            model.add_leaf(Role::InverseInertia(body), format!("W_{name}.zz")),
        ]];
    }
    let entries = ["xx", "xy", "xz", "yy", "yz", "zz"];
    let leaf = |(i, entry): (usize, &str)| {
        model.add_leaf(
            Role::InverseInertia(6 * body + i),
            format!("W_{name}.{entry}"),
        )
    };
    let [xx, xy, xz, yy, yz, zz]: [ExprId; 6] = match entries
        .into_iter()
        .enumerate()
        .map(leaf)
        .collect::<Vec<_>>()[..]
    {
        [a, b, c, d, e, f] => [a, b, c, d, e, f],
        _ => return Vec::new(),
    };
    vec![vec![xx, xy, xz], vec![xy, yy, yz], vec![xz, yz, zz]]
}
