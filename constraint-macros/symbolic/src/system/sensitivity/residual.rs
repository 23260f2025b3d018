//! F as it is solved: rows without their common factors, λ in units of the masses' common factor w, M without the
//! factors of its rows and columns, and what has a constant mass of its own divided by that.
//!
//! ```text
//! F₁ = M̂ u − w D⁻¹ h − D⁻¹ J′ᵀ μ        v̇ = R D⁻¹ u: bodies whose moments differ in their own frames
//! F₁ = v̇ − M⁻¹ h − W J′ᵀ μ              where M is diagonal and stands still
//! F₂ = J′ v̇ + β′                        λ = μ/(w c)
//! ```

use crate::dynamics::{self, Equations, Frame};
use crate::expr::{CollectVec, ExprId, Graph, Map, MapEach, Node, Number, Set, SymbolId};
use crate::model::{Role, System};
use crate::solve::{MassFactors, ScaledRow, Schur};

/// u and μ, or what counts of them.
#[derive(Clone)]
pub struct Unknowns {
    pub acceleration: Vec<ExprId>,
    pub multipliers: Vec<ExprId>,
}

/// v̇ is substituted into at most so many rows: the part that they share is differentiated once per row.
const MOST_REDUCED: usize = 3;

/// F, over u and μ as leaves.
#[derive(Clone)]
pub struct Residual {
    pub unknowns: Unknowns,
    /// The weights of F₁ and F₂ in a gradient, as leaves.
    pub adjoints: Unknowns,
    /// F₁
    pub motion: Vec<ExprId>,
    /// F₂
    pub rows: Vec<ExprId>,
    /// The same without β′.
    pub pushed: Vec<ExprId>,
    /// The weights of β′ in a gradient, as leaves.
    pub adjoint_biases: Vec<ExprId>,
    /// v̇
    pub accelerations: Vec<ExprId>,
    /// λ of the rows as they are written.
    multipliers: Vec<ExprId>,
    /// Where F₁ is divided by a mass that stands still.
    pub divided: Vec<bool>,
    /// 1/w where λ is not counted in units of w, since it moves; else 1.
    pub per_unit: ExprId,
    unit: ExprId,
    scales: Option<MassFactors>,
    eliminated: Vec<ScaledRow>,
    /// The bodies of which u tells Rᵀω̇.
    frames: Vec<Frame>,
}

impl Residual {
    pub fn new(system: &mut System, equations: &Equations, schur: &Schur) -> Residual {
        let (n, m) = (equations.applied.len(), equations.rows.len());
        let mut leaves = |count: usize| {
            let leaf = |_| system.model.add_leaf(Role::Scratch, "unknown".to_owned());
            (0..count).map(leaf).collect_vec()
        };
        let [unknowns, adjoints] = [0, 1].map(|_| Unknowns {
            acceleration: leaves(n),
            multipliers: leaves(m),
        });
        let adjoint_biases = leaves(m);
        let moving = moving(system);
        let graph = &mut system.model.graph;
        let common = schur.weighted.common;
        let unit = if depends(graph, common, &moving) {
            graph.number(Number::ONE)
        } else {
            common
        };
        let mut residual = Residual {
            unknowns,
            adjoints,
            motion: Vec::new(),
            rows: Vec::new(),
            pushed: Vec::new(),
            adjoint_biases,
            accelerations: Vec::new(),
            multipliers: Vec::new(),
            divided: constant_masses(graph, equations, &moving),
            per_unit: graph.div(common, unit),
            unit,
            scales: schur.mass_factors().cloned(),
            eliminated: schur.rows.clone(),
            frames: equations.frames.clone(),
        };
        let solved = residual.unknowns.acceleration.clone();
        residual.accelerations = residual.reported_accelerations(graph, &solved);
        let solved = residual.unknowns.multipliers.clone();
        residual.multipliers = residual.reported_multipliers(graph, &solved);
        residual.motion = residual.equations_of_motion(graph, equations, schur);
        residual.pushed = residual.pushed(graph);
        let pairs = residual.pushed.iter().zip(residual.biases());
        let rows = pairs.map(|(&pushed, bias)| graph.add(pushed, bias));
        residual.rows = rows.collect_vec();
        residual
    }

    /// The same after v̇ has been substituted from F₁, F₁ = 0, where M is diagonal and stands still: what v̇ and rows have in
    /// common is varied once.
    ///
    /// ```text
    /// F₂ = J′ (M⁻¹ h + W J′ᵀ μ) + β′
    /// ```
    pub fn reduced(&self, graph: &mut Graph, schur: &Schur) -> Option<Residual> {
        let is_diagonal = self.scales.is_none() && self.frames.is_empty();
        let are_few = (1..=MOST_REDUCED).contains(&self.rows.len());
        if !is_diagonal || !are_few || self.divided.contains(&false) {
            return None;
        }
        let moved = schur.velocity_changes(graph, &self.unknowns.multipliers);
        let pairs = schur.weighted.free.iter().zip(moved);
        let accelerations: Vec<ExprId> = pairs.map(|(&free, it)| graph.add(free, it)).collect_vec();
        let leaves = self.unknowns.acceleration.iter().copied();
        let known: Map<ExprId, ExprId> = leaves.zip(accelerations.iter().copied()).collect();
        let zero = graph.zero();
        Some(Residual {
            motion: vec![zero; accelerations.len()],
            rows: substituted(graph, &self.rows, known.clone()),
            pushed: substituted(graph, &self.pushed, known),
            accelerations,
            ..self.clone()
        })
    }

    /// The same with M v̇ − h by recursion, in systems of posed bodies.
    pub fn recursive(
        &self,
        graph: &mut Graph,
        equations: &Equations,
        schur: &Schur,
    ) -> Option<Residual> {
        let required = equations.required.as_ref()?;
        // Where rows determine coordinates without inertia, M that is eliminated contains their squares.
        if self.divided.contains(&true) || !equations.massless.is_empty() {
            return None;
        }
        let accelerations = self.scaled(graph, &self.unknowns.acceleration);
        let required = required.of(graph, &required.forces, &accelerations);
        let required = self.in_unit(graph, &required);
        let pushes = schur.force(graph, &self.unknowns.multipliers);
        let pushes = self.scaled(graph, &pushes);
        let pairs = required.into_iter().zip(pushes);
        let motion = pairs.map(|(required, push)| graph.sub(required, push));
        Some(Residual {
            motion: motion.collect_vec(),
            ..self.clone()
        })
    }

    /// v̇, then λ, as the functions return them.
    pub fn reported(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.accelerations.iter().chain(&self.multipliers).copied()
    }

    /// Whether v̇ may be one fraction: without rows, in the frame of the world.
    pub fn is_quotient(&self) -> bool {
        self.rows.is_empty() && self.frames.is_empty()
    }

    /// D⁻¹ x
    pub fn scaled(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        match &self.scales {
            Some(mass) => mass.reduced(graph, x),
            None => x.to_vec(),
        }
    }

    /// v̇ of u: R D⁻¹ u.
    pub fn reported_accelerations(&self, graph: &mut Graph, u: &[ExprId]) -> Vec<ExprId> {
        let own = self.scaled(graph, u);
        dynamics::all_turned(graph, &self.frames, &own, Frame::world)
    }

    /// The weights of u that follow from those of v̇: D⁻¹ Rᵀ x.
    pub fn counted_accelerations(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let own = dynamics::all_turned(graph, &self.frames, x, Frame::own);
        self.scaled(graph, &own)
    }

    /// x/(w c): λ of μ, and what μ counts of what λ counts.
    pub fn reported_multipliers(&self, graph: &mut Graph, x: &[ExprId]) -> Vec<ExprId> {
        let per = graph.recip(self.unit);
        let pairs = self.eliminated.iter().zip(x);
        pairs
            .map(|(row, &x)| row.unscaled(graph, x, per))
            .collect_vec()
    }

    /// The leaves of μ, and λ of each that is 1.
    pub fn scales(&self, graph: &mut Graph) -> Vec<(ExprId, ExprId)> {
        let one = graph.number(Number::ONE);
        let ones = vec![one; self.unknowns.multipliers.len()];
        let scales = self.reported_multipliers(graph, &ones);
        let leaves = self.unknowns.multipliers.iter().copied();
        leaves.zip(scales).collect_vec()
    }

    /// The values of the leaves at the solution.
    pub fn values(
        &self,
        graph: &mut Graph,
        acceleration: &[ExprId],
        multipliers: &[ExprId],
    ) -> Map<ExprId, ExprId> {
        let solved = |graph: &mut Graph, i: usize| match &self.scales {
            Some(mass) => graph.mul(acceleration[i], mass.scaled.scales[i]),
            None => acceleration[i],
        };
        let mut values: Vec<ExprId> = Vec::new();
        for i in 0..acceleration.len() {
            values.push(solved(graph, i));
        }
        for &x in multipliers {
            values.push(graph.div(x, self.per_unit));
        }
        let mut map = Map::default();
        self.unknowns.stand_for(graph, values.into_iter(), &mut map);
        map
    }

    fn equations_of_motion(
        &self,
        graph: &mut Graph,
        equations: &Equations,
        schur: &Schur,
    ) -> Vec<ExprId> {
        let Unknowns {
            acceleration,
            multipliers,
        } = &self.unknowns;
        let pushes = schur.force(graph, multipliers);
        let pushes = self.scaled(graph, &pushes);
        let moved = schur.velocity_changes(graph, multipliers);
        let mut resisting = match &self.scales {
            Some(mass) => mass.scaled.mass.products(graph, acceleration),
            None => equations.mass.products(graph, acceleration),
        };
        let applied = self.in_unit(graph, &equations.applied);
        let equation = |i: usize| {
            let (own, free, push) = if self.divided[i] {
                let own = vec![(acceleration[i], Number::ONE)];
                (own, schur.weighted.free[i], moved[i])
            } else {
                let mut own = std::mem::take(&mut resisting[i]);
                if self.scales.is_none() {
                    for (term, _) in &mut own {
                        *term = graph.mul(*term, self.unit);
                    }
                }
                (own, applied[i], pushes[i])
            };
            let others = [free, push].map_each(|it| (it, Number::MINUS_ONE));
            let terms: Vec<_> = own.into_iter().chain(others).collect_vec();
            graph.sum(&terms)
        };
        (0..acceleration.len()).map(equation).collect_vec()
    }

    /// w D⁻¹ f of forces f.
    fn in_unit(&self, graph: &mut Graph, forces: &[ExprId]) -> Vec<ExprId> {
        let forces = forces.iter();
        match &self.scales {
            Some(mass) => {
                let forces = forces.map(|&it| graph.reduced(it, mass.scaled.common));
                let forces: Vec<ExprId> = forces.collect_vec();
                mass.reduced(graph, &forces)
            }
            None => forces.map(|&it| graph.mul(it, self.unit)).collect_vec(),
        }
    }

    /// β′
    pub fn biases(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.eliminated.iter().map(|row| row.bias)
    }

    /// J′ v̇
    fn pushed(&self, graph: &mut Graph) -> Vec<ExprId> {
        let accelerations = self.scaled(graph, &self.unknowns.acceleration);
        let row = |row: &ScaledRow| {
            let entries = row.jacobian.iter();
            let terms = entries.map(|&(i, j)| (graph.mul(j, accelerations[i]), Number::ONE));
            let terms: Vec<_> = terms.collect_vec();
            graph.sum(&terms)
        };
        self.eliminated.iter().map(row).collect_vec()
    }
}

/// The leaves of all but parameters.
fn moving(system: &System) -> Set<SymbolId> {
    let symbols = system.model.symbols.iter().enumerate();
    let moving = symbols.filter(|(_, symbol)| !matches!(symbol.role, Role::Parameter { .. }));
    moving.map(|(i, _)| SymbolId::new(i)).collect()
}

fn depends(graph: &Graph, id: ExprId, leaves: &Set<SymbolId>) -> bool {
    let mut reachable = graph.reachable([id]).into_iter();
    reachable.any(|id| matches!(graph.node(id), Node::Symbol(symbol) if leaves.contains(symbol)))
}

/// Where M is diagonal and stands still.
fn constant_masses(graph: &Graph, equations: &Equations, moving: &Set<SymbolId>) -> Vec<bool> {
    let diagonal = equations.mass.is_diagonal();
    let constant = |i: usize| {
        let mass = equations.mass.get(i, i);
        diagonal && mass.is_some_and(|mass| !depends(graph, mass, moving))
    };
    (0..equations.applied.len()).map(constant).collect_vec()
}

impl Unknowns {
    /// v̇, then λ.
    pub(super) fn all(&self) -> impl Iterator<Item = ExprId> + '_ {
        let all = self.acceleration.iter().chain(&self.multipliers);
        all.copied()
    }

    /// Puts these leaves for values. What is made of a solution takes it as a whole.
    pub(super) fn stand_for(
        &self,
        graph: &mut Graph,
        values: impl Iterator<Item = ExprId>,
        map: &mut Map<ExprId, ExprId>,
    ) {
        let pairs = self.all().zip(values);
        map.extend(pairs.map(|(leaf, value)| (leaf, graph.whole(value))));
    }
}

pub(super) fn substituted(
    graph: &mut Graph,
    all: &[ExprId],
    map: Map<ExprId, ExprId>,
) -> Vec<ExprId> {
    let map = graph.substitute(all.iter().copied(), map);
    all.iter().map(|id| map[id]).collect_vec()
}
