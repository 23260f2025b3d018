//! Derivatives of v̇ and λ by all that they depend on: the equations are differentiated, never their solution.
//!
//! ```text
//! F₁ = M v̇ − h − Jᵀ λ = 0        K = ⎡ M  −Jᵀ ⎤
//! F₂ = J v̇ + β       = 0            ⎣ J   0  ⎦
//! forwards    K (δv̇, δλ) = −(δF₁, δF₂)            δF: v̇ and λ stand still
//! backwards   Kᵀ (x, y) = (v̇*, λ*)                ∂(v̇*·v̇ + λ*·λ) = −∂(x·F₁ + y·F₂)
//! ```
//! K is eliminated already: a derivative along a tangent takes one more solution and a sweep over F, and the gradient
//! by everything at once takes one more solution and a sweep.
//!
//! Invariant: v̇ and λ stand in F as leaves until F is differentiated.

mod corners;
mod matrices;
mod outputs;
mod residual;
mod variation;

use self::matrices::Matrix;
use self::residual::{Residual, Unknowns};
use self::variation::Variation;
use crate::diagnostic::{Diagnostics, system as messages};
use crate::diff::{Taylor, gradient};
use crate::dynamics::Equations;
use crate::expr::{ExprId, Graph, Map, Number, SymbolId};
use crate::model::{Role, System};
use crate::schedule::Root;
use crate::solve::{self, Collected, Computed, Form, Multipliers, Quantity, Schur, SparseRow};

/// v̇ and λ as they are computed.
pub struct Solved<'a> {
    /// v̇, of bodies in the frames that they are solved in.
    pub acceleration: &'a [ExprId],
    /// v̇ and λ as they are told.
    pub told: &'a [ExprId],
    /// λ of the rows as solved, in units of acceleration.
    pub found: &'a Multipliers,
}

/// Systems of more coordinates or velocities stand on the heap, where tangents do not yet.
const MOST: usize = 512;

/// Matrices of more entries are not written out: their columns are tangents' derivatives, one by one.
const MOST_ENTRIES: usize = 4096;

/// Reports a request for derivatives that is not served.
pub fn check(system: &System, diagnostics: &mut Diagnostics) {
    if let Some(range) = system
        .options
        .derivatives
        .filter(|_| system.options.redundant)
    {
        diagnostics.push(messages::derivatives_of_least_squares(range));
    }
}

/// Whether derivatives of v̇ and λ are asked for that vectors on the stack can hold.
pub fn are_asked(system: &System) -> bool {
    let numbers = system.velocities().max(system.scalars());
    system.options.derivatives.is_some() && numbers <= MOST
}

/// Derivatives along a tangent, all of them, and gradients; those of outputs too.
pub fn derivatives(
    system: &mut System,
    equations: &Equations,
    schur: &Schur,
    solved: &Solved<'_>,
) -> Form {
    let variables = Variables::of(system, equations);
    let given = Given::new(system, &variables);
    let residual = Residual::new(system, equations, schur);
    let graph = &mut system.model.graph;
    let reduced = residual.reduced(graph, schur);
    let sensitivity = Sensitivity {
        reduced: reduced.as_ref(),
        variation: Variation {
            schur,
            residual: &residual,
            gathers: false,
        },
        residual: &residual,
        variables,
        known: residual.values(graph, solved.acceleration, &solved.found.unknowns),
    };
    let (along, back) = sensitivity.along_and_back(graph, &given, solved);
    let slopes = sensitivity.matrices(graph, solved);
    let mut form = sensitivity.linearizations(graph, solved, &slopes);
    let computed = |outputs: &[ExprId]| Computed::of(outputs.to_vec(), solved.found);
    form.insert(Quantity::Tangent, computed(&along));
    form.insert(Quantity::Gradient, computed(&back));
    let corners = sensitivity.corners(system, solved);
    form.extend(corners.map(|it| (Quantity::Corners, it)));
    if !equations.outputs.is_empty() {
        let of_motion = OfMotion {
            along,
            back,
            slopes,
        };
        let of_outputs = sensitivity.of_outputs(system, equations, &given, solved, of_motion);
        form.extend(of_outputs);
    }
    form
}

/// Derivatives of v̇ and λ.
struct OfMotion {
    /// δv̇ and δλ along the given tangent.
    along: Vec<ExprId>,
    /// The gradient of v̇*·v̇ + λ*·λ, of what is given.
    back: Vec<ExprId>,
    /// Slopes by all variables, row by row, in each way of computing them.
    slopes: Vec<Matrix>,
}

/// What v̇ and λ depend on.
#[derive(Clone)]
pub struct Variables {
    /// The leaves of t, q, v, u and p.
    leaves: Vec<ExprId>,
    /// How leaves move along each entry of a tangent: their numbers and rates. A turn δθ moves four.
    directions: Vec<SparseRow>,
    /// The number of velocities.
    n: usize,
    /// The number of inputs.
    inputs: usize,
}

impl Variables {
    /// Those of a system.
    pub fn of(system: &mut System, equations: &Equations) -> Variables {
        let symbols = system.model.symbols.iter().enumerate();
        let symbols = symbols.map(|(i, symbol)| (symbol.role, SymbolId::new(i)));
        let symbols: Map<Role, SymbolId> = symbols.collect();
        let (n, scalars, inputs) = (system.velocities(), system.scalars(), system.given());
        let velocities: Vec<ExprId> = system.coordinates.iter().map(|it| it.velocity).collect();
        let mut roles = vec![Role::Time];
        roles.extend((0..scalars).map(Role::Coordinate));
        roles.extend((0..n).map(Role::Velocity));
        roles.extend((0..inputs).map(Role::Input));
        for (parameter, it) in system.model.parameters.iter().enumerate() {
            roles.extend((0..it.scalars()).map(|component| Role::Parameter {
                parameter,
                component,
            }));
        }
        let graph = &mut system.model.graph;
        let (zero, one) = (graph.zero(), graph.number(Number::ONE));
        let leaf = |role: &Role| {
            let symbol = symbols.get(role);
            symbol.map_or(zero, |&symbol| graph.symbol(symbol))
        };
        let leaves: Vec<ExprId> = roles.iter().map(leaf).collect();
        let alone = |k: usize| vec![(k, one)];
        let mut directions = vec![alone(0)];
        match &equations.kinematics[..] {
            [] => directions.extend((1..=n).map(alone)),
            rates => directions.extend(turns(graph, rates, &velocities)),
        }
        directions.extend((1 + scalars..leaves.len()).map(alone));
        Variables {
            leaves,
            directions,
            n,
            inputs,
        }
    }

    /// The slopes of a scalar in all directions.
    pub fn gradient(&self, graph: &mut Graph, scalar: ExprId) -> Vec<ExprId> {
        let slopes = gradient(graph, scalar, &self.leaves);
        let directions = self.directions.iter();
        let along = directions.map(|direction| {
            let terms = direction.iter();
            let terms = terms.map(|&(k, rate)| (graph.mul(rate, slopes[k]), Number::ONE));
            let terms: Vec<_> = terms.collect();
            graph.sum(&terms)
        });
        along.collect()
    }

    /// The directions that a linearisation speaks of: all but time.
    fn columns(&self) -> &[SparseRow] {
        &self.directions[1..]
    }

    /// The leaves that move along a direction, and how.
    fn seeds(&self, graph: &mut Graph, direction: &SparseRow) -> Vec<(ExprId, ExprId, ExprId)> {
        let zero = graph.zero();
        let seeds = direction
            .iter()
            .map(|&(k, rate)| (self.leaves[k], rate, zero));
        seeds.filter(|&(leaf, ..)| leaf != zero).collect()
    }

    /// A direction that is a sum of all.
    fn tangent(&self, graph: &mut Graph, tangent: &[ExprId]) -> SparseRow {
        let mut sum = Collected::default();
        for (direction, &by) in self.directions.iter().zip(tangent) {
            for &(k, rate) in direction {
                sum.add(k, graph.mul(rate, by));
            }
        }
        sum.summed(graph)
    }
}

/// How coordinates move with each velocity.
fn turns(graph: &mut Graph, rates: &[ExprId], velocities: &[ExprId]) -> Vec<SparseRow> {
    let mut directions = vec![SparseRow::new(); velocities.len()];
    for (k, &rate) in rates.iter().enumerate() {
        let slopes = gradient(graph, rate, velocities);
        for (direction, slope) in directions.iter_mut().zip(slopes) {
            if !graph.is_zero(slope) {
                direction.push((1 + k, slope));
            }
        }
    }
    directions
}

/// What functions are given, as leaves.
struct Given {
    /// δt, δq, δv, δu, δp
    tangent: Vec<ExprId>,
    /// v̇*
    acceleration: Vec<ExprId>,
    /// λ*
    multipliers: Vec<ExprId>,
}

impl Given {
    fn new(system: &mut System, variables: &Variables) -> Given {
        let (model, count) = (&mut system.model, variables.directions.len());
        Given {
            tangent: model.add_leaves(count, Role::Tangent, "tangent"),
            acceleration: model.add_leaves(variables.n, Role::AccelerationAdjoint, "v_dot_bar"),
            multipliers: model.add_leaves(model.rows.len(), Role::MultiplierAdjoint, "lambda_bar"),
        }
    }
}

/// The derivation at work.
#[derive(Clone)]
struct Sensitivity<'a> {
    variables: Variables,
    residual: &'a Residual,
    /// F₂ with v̇ put in.
    reduced: Option<&'a Residual>,
    variation: Variation<'a>,
    /// What v̇ and λ are.
    known: Map<ExprId, ExprId>,
}

impl Sensitivity<'_> {
    /// The ways to solve for variations: those of one row, whose mass matrix is diagonal, in two; and both with v̇ put in.
    fn ways(&self) -> Vec<Self> {
        let mut ways = vec![self.clone()];
        if let Some(residual) = self.reduced {
            let mut reduced = self.clone();
            (reduced.residual, reduced.variation.residual) = (residual, residual);
            ways.push(reduced);
        }
        if self.residual.rows.len() == 1 && self.variation.schur.mass_factors().is_none() {
            let gathering = ways.iter().cloned().map(|mut way| {
                way.variation.gathers = true;
                way
            });
            let gathering: Vec<Self> = gathering.collect();
            ways.extend(gathering);
        }
        ways
    }

    /// Derivatives along the tangent that is given, and the gradient of what is given, each in its cheapest way.
    fn along_and_back(
        &self,
        graph: &mut Graph,
        given: &Given,
        solved: &Solved<'_>,
    ) -> (Vec<ExprId>, Vec<ExprId>) {
        let ways = self.ways();
        let along = ways.iter().map(|way| way.along(graph, &given.tangent));
        let mut along: Vec<Vec<ExprId>> = along.collect();
        // β is a square of velocities, mostly.
        let degrees = [Number::ONE, Number::integer(2)];
        let mut back = Vec::new();
        for way in &ways {
            back.extend(degrees.map(|degree| way.back(graph, given, degree)));
        }
        if let Some(slopes) = self.of_quotient(graph, solved) {
            let rows = slopes.iter();
            along.push(rows.map(|row| dot(graph, row, &given.tangent)).collect());
            let column = |k: usize| slopes.iter().map(|row| row[k]).collect::<Vec<ExprId>>();
            let columns = (0..given.tangent.len()).map(column);
            back.push(
                columns
                    .map(|it| dot(graph, &it, &given.acceleration))
                    .collect(),
            );
        }
        let [along, back] = [along, back].map(|ways| cheapest(graph, solved, ways));
        (along, back)
    }

    /// δv̇ and δλ along a tangent.
    fn along(&self, graph: &mut Graph, tangent: &[ExprId]) -> Vec<ExprId> {
        let zero = graph.zero();
        let direction = self.variables.tangent(graph, tangent);
        let seeds = self.variables.seeds(graph, &direction);
        let mut motion = Taylor::new(seeds.clone());
        let mut minus = |id: &ExprId| {
            let rate = motion.first(graph, *id);
            graph.neg(rate)
        };
        let first: Vec<ExprId> = self.residual.motion.iter().map(&mut minus).collect();
        let second: Vec<ExprId> = self.residual.rows.iter().map(minus).collect();
        let found = self.variation.forwards(graph, &first, &second);
        // v̇ and λ as they are told are made of those as solved.
        let mut motion = Taylor::new(seeds);
        let pairs = self.residual.unknowns.all().zip(found.all());
        pairs.for_each(|(leaf, moved)| motion.seed(leaf, moved, zero));
        let told = self.residual.accelerations.iter();
        let mut moved: Vec<ExprId> = told.map(|&id| motion.first(graph, id)).collect();
        let multipliers = self.residual.told_multipliers(graph, &found.multipliers);
        let pairs = self.residual.scales(graph).into_iter().zip(multipliers);
        for ((leaf, scale), change) in pairs {
            // Rows have their scale in common, and so its rate.
            let rate = motion.first(graph, scale);
            let rate = graph.whole(rate);
            let scaled = graph.mul(leaf, rate);
            moved.push(graph.add(change, scaled));
        }
        self.put_in(graph, &moved)
    }

    /// The slopes of v̇ in all directions where it may be one quotient of polynomials, which may be shorter than those of
    /// the equation that it solves.
    fn of_quotient(&self, graph: &mut Graph, solved: &Solved<'_>) -> Option<Vec<Vec<ExprId>>> {
        let accelerations = solved.acceleration.iter().copied();
        let may = self.residual.is_quotient();
        may.then(|| self.slopes(graph, &self.variables.directions, accelerations))
    }

    /// Each along each of the directions, one by one: what varies with several is seen to be the same.
    fn slopes(
        &self,
        graph: &mut Graph,
        directions: &[SparseRow],
        of: impl Iterator<Item = ExprId>,
    ) -> Vec<Vec<ExprId>> {
        let of: Vec<ExprId> = of.collect();
        let mut slopes = vec![Vec::new(); of.len()];
        for direction in directions {
            let mut motion = Taylor::new(self.variables.seeds(graph, direction));
            for (slopes, &id) in slopes.iter_mut().zip(&of) {
                slopes.push(motion.first(graph, id));
            }
        }
        slopes
    }

    /// The gradient of v̇*·v̇ + λ*·λ. An n-th of what is of degree n, counted n times, has slopes without that factor.
    fn back(&self, graph: &mut Graph, given: &Given, degree: Number) -> Vec<ExprId> {
        let (acceleration, multipliers) = (&given.acceleration, &given.multipliers);
        let residual = self.residual;
        let weights = acceleration.iter().chain(multipliers);
        let told = residual.told().zip(weights);
        let told = told.map(|(told, &weight)| (graph.mul(weight, told), Number::ONE));
        let mut terms: Vec<_> = told.collect();
        let first = residual.counted_accelerations(graph, acceleration);
        let second = residual.told_multipliers(graph, multipliers);
        let found = self.variation.backwards(graph, &first, &second);
        let equations = residual.motion.iter().chain(&residual.pushed);
        let pairs = residual.adjoints.all().zip(equations);
        terms.extend(pairs.map(|(x, &f)| (graph.mul(x, f), Number::MINUS_ONE)));
        let part = Number::ONE / degree;
        let biases = residual.adjoint_biases.iter().zip(residual.biases());
        terms.extend(biases.map(|(&y, bias)| (graph.mul(y, bias), Number::ZERO - part)));
        let scalar = graph.sum(&terms);
        let gradient = self.variables.gradient(graph, scalar);
        let mut known = self.known.clone();
        residual.adjoints.stand_for(graph, found.all(), &mut known);
        for (&leaf, &y) in residual.adjoint_biases.iter().zip(&found.multipliers) {
            let counted = graph.scale(y, degree);
            known.insert(leaf, graph.whole(counted));
        }
        substituted(graph, &gradient, known)
    }

    fn put_in(&self, graph: &mut Graph, outputs: &[ExprId]) -> Vec<ExprId> {
        substituted(graph, outputs, self.known.clone())
    }
}

fn dot(graph: &mut Graph, a: &[ExprId], b: &[ExprId]) -> ExprId {
    let pairs = a.iter().zip(b);
    let terms = pairs.map(|(&a, &b)| (graph.mul(a, b), Number::ONE));
    let terms: Vec<_> = terms.collect();
    graph.sum(&terms)
}

/// The way of computing the same that takes the fewest operations after v̇.
fn cheapest(
    graph: &Graph,
    solved: &Solved<'_>,
    ways: impl IntoIterator<Item = Vec<ExprId>>,
) -> Vec<ExprId> {
    let found = solved.acceleration.iter().copied().map(Root::Output);
    let order = solved.found.order.iter().copied();
    let before: Vec<Root> = order.chain(found).collect();
    solve::cheapest_after(graph, &before, ways)
}

fn substituted(graph: &mut Graph, all: &[ExprId], map: Map<ExprId, ExprId>) -> Vec<ExprId> {
    let map = graph.substitute(all.iter().copied(), map);
    all.iter().map(|id| map[id]).collect()
}

impl Unknowns {
    /// v̇, then λ.
    fn all(&self) -> impl Iterator<Item = ExprId> + '_ {
        let all = self.acceleration.iter().chain(&self.multipliers);
        all.copied()
    }

    /// Puts these leaves for values. What is made of a solution takes it as a whole.
    fn stand_for(
        &self,
        graph: &mut Graph,
        values: impl Iterator<Item = ExprId>,
        map: &mut Map<ExprId, ExprId>,
    ) {
        let pairs = self.all().zip(values);
        map.extend(pairs.map(|(leaf, value)| (leaf, graph.whole(value))));
    }
}
