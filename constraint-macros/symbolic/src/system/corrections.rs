//! How the corrections vary that a projection takes off, backwards.
//!
//! ```text
//! w = G r,   G = W Jᵀ (J W Jᵀ)⁻¹        r = C: w of a place,   r = Ċ: w of velocities
//! (J W Jᵀ) μ = r,   (J W Jᵀ) y = J W x,   a = W (x − Jᵀ y)        x: what counts of w
//! ∂(x·w) = y·∂r − y·∂J w + a·∂Jᵀ μ + (x − Jᵀ y)·∂W Jᵀ μ           J a = 0
//! ```
//! The equations are differentiated, never their solution: μ, y, a and w stand as leaves until then. Of velocities
//! y·(Ċ(v) − J w) is y·Ċ(v − w), since Ċ is affine in v. As r = J w, rows may be divided by what they share before: of
//! the ways of writing them, as they are and as they are solved, the shorter one is taken.

use super::sensitivity::Variables;
use crate::dynamics::{self, Equations, Frame};
use crate::expr::{CollectVec, ExprId, Graph, Map, Number, PushEach};
use crate::model::{Role, System};
use crate::schedule;
use crate::solve::{Computed, Multipliers, Quantity, Schur, SparseRow, divide_terms};

/// The gradients of w*·G C and of w*·G Ċ by t, q, v, u and p.
pub fn gradients_of_corrections(
    system: &mut System,
    equations: &Equations,
    schur: &Schur,
) -> [(Quantity, Computed); 2] {
    let variables = Variables::of(system, &equations.kinematics);
    let (n, m) = (system.velocities(), equations.rows.len());
    let counted = system.model.add_leaves(n, Role::CorrectionAdjoint, "w_bar");
    let velocities: Vec<ExprId> = system
        .coordinates
        .iter()
        .map(|it| it.velocity)
        .collect_vec();
    let rows = || equations.rows.iter();
    let values: Vec<ExprId> = rows().map(|row| row.value).collect_vec();
    let rates: Vec<ExprId> = rows().map(|row| row.rate).collect_vec();
    let parts = [
        (Quantity::PlaceCorrectionGradient, values, None),
        (
            Quantity::VelocityCorrectionGradient,
            rates,
            Some(velocities),
        ),
    ];
    parts.map(|(quantity, right, affine_in)| {
        let affine_in = affine_in.filter(|_| equations.frames.is_empty());
        let correction = Correction {
            leaves: Leaves::new(system, n, m),
            equations,
            schur,
            counted: &counted,
            right: &right,
        };
        let graph = &mut system.model.graph;
        let [written, solved] = [false, true].map(|solved| {
            let rows = correction.rows(graph, solved);
            let mut terms = correction.varying(graph);
            terms.push_each(match &affine_in {
                Some(velocities) => correction.at_velocities_left(graph, &rows, velocities),
                None => correction.left(graph, &rows),
            });
            let scalar = graph.sum(&terms);
            let by = variables.gradient(graph, scalar);
            correction.substituted(graph, &by, solved)
        });
        let weight = |it: &Computed| schedule::count(graph, &it.roots().collect_vec()).weight();
        let is_shorter = weight(&solved) < weight(&written);
        (quantity, if is_shorter { solved } else { written })
    })
}

/// Rows that are taken off: r and the entries of J.
struct Rows {
    right: Vec<ExprId>,
    jacobian: Vec<SparseRow>,
}

/// Leaves that are constant while the equations are differentiated.
struct Leaves {
    /// μ
    push: Vec<ExprId>,
    /// y, of the rows as they are written or as they are solved.
    adjoint: Vec<ExprId>,
    /// w
    change: Vec<ExprId>,
    /// a
    along: Vec<ExprId>,
    /// x − Jᵀ y
    rest: Vec<ExprId>,
    /// Jᵀ μ
    force: Vec<ExprId>,
}

impl Leaves {
    fn new(system: &mut System, n: usize, m: usize) -> Leaves {
        let mut leaves = |count: usize| {
            let leaf = |_| system.model.add_leaf(Role::Scratch, "held".to_owned());
            (0..count).map(leaf).collect_vec()
        };
        Leaves {
            push: leaves(m),
            adjoint: leaves(m),
            change: leaves(n),
            along: leaves(n),
            rest: leaves(n),
            force: leaves(n),
        }
    }
}

/// The derivation at work.
struct Correction<'a> {
    leaves: Leaves,
    equations: &'a Equations,
    schur: &'a Schur,
    /// x
    counted: &'a [ExprId],
    /// r
    right: &'a [ExprId],
}

impl Correction<'_> {
    /// The same with the values of the leaves.
    fn substituted(&self, graph: &mut Graph, by: &[ExprId], rows_as_solved: bool) -> Computed {
        let (schur, leaves) = (self.schur, &self.leaves);
        let right = schur.side(graph, self.right);
        let found = schur.solve(graph, &right, "");
        let own = self.own(graph);
        let weighed = self.weighed(graph, &own);
        let zero = vec![graph.zero(); right.len()];
        let pushed = schur.minus_jacobian_product(graph, &zero, &weighed);
        let taken = schur.solve(graph, &pushed, "").unknowns;
        let taken: Vec<ExprId> = taken.iter().map(|&y| graph.neg(y)).collect_vec();
        let [rest, along] = [
            (own, schur.force(graph, &taken)),
            (weighed, schur.velocity_changes(graph, &taken)),
        ]
        .map(|(whole, part)| differences(graph, &whole, &part));
        let adjoint = if rows_as_solved {
            taken
        } else {
            schur.unscaled(graph, &taken)
        };
        let values = [
            (&leaves.adjoint, adjoint),
            (
                &leaves.change,
                schur.velocity_changes(graph, &found.unknowns),
            ),
            (&leaves.force, schur.force(graph, &found.unknowns)),
            (&leaves.push, found.unknowns.clone()),
            (&leaves.along, along),
            (&leaves.rest, rest),
        ];
        let mut known = Map::default();
        for (leaves, values) in values {
            let pairs = leaves.iter().zip(values);
            known.extend(pairs.map(|(&leaf, value)| (leaf, graph.whole(value))));
        }
        let map = graph.substitute(by.iter().copied(), known);
        // They are no λ, and have no name.
        let names = Vec::new();
        let outputs = by.iter().map(|id| map[id]).collect_vec();
        Computed::of(outputs, &Multipliers { names, ..found })
    }

    /// x, of bodies in their own frames.
    fn own(&self, graph: &mut Graph) -> Vec<ExprId> {
        dynamics::all_turned(graph, &self.equations.frames, self.counted, Frame::own)
    }

    /// W x
    fn weighed(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let Some(mass) = self.schur.mass_factors() else {
            return self.schur.weigh(graph, x);
        };
        let reduced = mass.reduced(graph, x);
        let solved = mass.solve(graph, &reduced);
        mass.reduced(graph, &solved)
    }

    /// The parts of J and W, and of the frames of x, that vary with the places.
    fn varying(&self, graph: &mut Graph) -> Vec<(ExprId, Number)> {
        let leaves = &self.leaves;
        let force = self.schur.force(graph, &leaves.push);
        let mut terms = products(graph, &force, &leaves.along);
        let own = self.own(graph);
        if own != self.counted {
            terms.push_each(products(graph, &own, &leaves.change));
        }
        if self.schur.mass_factors().is_none() {
            let weighed = self.schur.weigh(graph, &leaves.force);
            terms.push_each(products(graph, &weighed, &leaves.rest));
            return terms;
        }
        // (x − Jᵀ y)·∂W Jᵀ μ = −a·∂W⁻¹ w
        let common = self.schur.weighted.common;
        let heavy = self.equations.mass.products(graph, &leaves.change);
        for (heavy, &along) in heavy.iter().zip(&leaves.along) {
            let heavy = graph.sum(heavy);
            let heavy = graph.mul(heavy, common);
            terms.push((graph.mul(heavy, along), Number::MINUS_ONE));
        }
        terms
    }

    /// The rows as they are written, or as they are solved: r = J w in both.
    fn rows(&self, graph: &mut Graph, solved: bool) -> Rows {
        if !solved {
            let own = self.equations.rows.iter().map(|row| row.own.clone());
            return Rows {
                right: self.right.to_vec(),
                jacobian: own.collect_vec(),
            };
        }
        let scaled = self.schur.rows.iter();
        let pairs = scaled.clone().zip(self.right);
        let right = pairs.map(|(row, &right)| divide_terms(graph, right, row.content));
        Rows {
            right: right.collect_vec(),
            jacobian: scaled.map(|row| row.jacobian.clone()).collect_vec(),
        }
    }

    /// y·(r − J w)
    fn left(&self, graph: &mut Graph, rows: &Rows) -> Vec<(ExprId, Number)> {
        let leaves = &self.leaves;
        let mut terms = products(graph, &rows.right, &leaves.adjoint);
        for (row, &y) in rows.jacobian.iter().zip(&leaves.adjoint) {
            for &(i, entry) in row {
                let moved = graph.product(&[(entry, 1), (leaves.change[i], 1), (y, 1)]);
                terms.push((moved, Number::MINUS_ONE));
            }
        }
        terms
    }

    /// The same of r that is affine in v: y·r at v − w.
    fn at_velocities_left(
        &self,
        graph: &mut Graph,
        rows: &Rows,
        velocities: &[ExprId],
    ) -> Vec<(ExprId, Number)> {
        let left = differences(graph, velocities, &self.leaves.change);
        let left: Map<ExprId, ExprId> = velocities.iter().copied().zip(left).collect();
        let there = graph.substitute(rows.right.iter().copied(), left);
        let there: Vec<ExprId> = rows.right.iter().map(|id| there[id]).collect_vec();
        products(graph, &there, &self.leaves.adjoint)
    }
}

fn products(graph: &mut Graph, a: &[ExprId], b: &[ExprId]) -> Vec<(ExprId, Number)> {
    let pairs = a.iter().zip(b);
    pairs
        .map(|(&a, &b)| (graph.mul(a, b), Number::ONE))
        .collect_vec()
}

fn differences(graph: &mut Graph, a: &[ExprId], b: &[ExprId]) -> Vec<ExprId> {
    let pairs = a.iter().zip(b);
    pairs
        .map(|(&a, &b)| graph.sum(&[(a, Number::ONE), (b, Number::MINUS_ONE)]))
        .collect_vec()
}
