//! Systems without rows in loops: M consists of blocks of few coordinates. Accelerations are solved for block by block, those
//! of one shape in one loop.
//!
//! ```text
//! M = diag(M₁, M₂, …):   Mᵦ v̇ᵦ = hᵦ for every block β, hᵦ made of any coordinates
//! ```

use super::Rolled;
use super::coordinates::{kinetic_terms, of_coordinates};
use super::definitions::Definitions;
use super::eliminated_mass::{EliminatedMass, Pivot, is_certain};
use super::leaves::{leaves, reads_of, scratch};
use super::routine::{Array, Families, Kernel, Routine, Signature, Slot, Write};
use crate::dynamics::Derivation;
use crate::expr::{CollectVec, ExprId, Map, SortedMap, sort};
use crate::families::constants;
use crate::families::{Order, indices_of};
use crate::model::System;
use crate::solve::{Quantity, Sparse};
use crate::system::rational::{self, Quotient};

/// The derivation at work, after places have been substituted.
pub(in crate::system) struct BlockDiagonal<'a> {
    derivation: &'a mut Derivation,
    system: &'a mut System,
    /// The coordinates that M couples, block by block.
    blocks: Vec<Vec<usize>>,
    /// M
    mass: Sparse,
    /// h
    applied: Vec<ExprId>,
    /// The terms of T,
    kinetic: Vec<ExprId>,
    /// and of V.
    potential: Vec<ExprId>,
    applied_families: Families,
    /// Where the entries of M are counted.
    masses: SortedMap<(usize, usize), usize>,
    mass_families: Families,
    /// Values that must be positive, which is checked before a run.
    positive: Vec<ExprId>,
}

/// The solution of one block.
struct Solved {
    pivots: Vec<Pivot>,
    accelerations: Vec<ExprId>,
}

impl Solved {
    /// The checks of its pivots.
    fn checks(&self) -> Vec<(ExprId, Write)> {
        let checks = self.pivots.iter();
        checks.flat_map(|it| it.check(it.row)).collect_vec()
    }

    /// The same, and v̇.
    fn motion(&self) -> Vec<(ExprId, Write)> {
        let places = self.accelerations.iter().enumerate();
        let accelerations = places.map(|(k, &a)| (a, Write::Set(Array::Output, k)));
        self.checks().into_iter().chain(accelerations).collect_vec()
    }
}

impl<'a> BlockDiagonal<'a> {
    /// Prepares what all routines share.
    pub fn new(derivation: &'a mut Derivation, system: &'a mut System) -> BlockDiagonal<'a> {
        let blocks = derivation.blocks();
        let positive = derivation.positive(system);
        let mut kinetic = kinetic_terms(derivation, system);
        let mut potential = system.potential.clone();
        let mut mass = derivation.mass.clone();
        let graph = &mut derivation.graph;
        let applied = derivation.applied.iter().map(|terms| graph.sum(terms));
        let mut applied: Vec<ExprId> = applied.collect_vec();
        let entries = mass.entries.values_mut().chain(&mut applied);
        let all = entries.chain(&mut kinetic).chain(&mut potential);
        Definitions::of(graph, system).put_in(graph, all);
        let entries: Vec<ExprId> = mass.entries.values().copied().collect_vec();
        let places = mass.entries.keys().copied();
        BlockDiagonal {
            blocks,
            applied_families: Families::of(graph, &leaves(graph, system), &applied),
            masses: places.zip(0..).collect(),
            mass_families: Families::of(graph, &leaves(graph, system), &entries),
            positive,
            derivation,
            system,
            mass,
            applied,
            kinetic,
            potential,
        }
    }

    /// The number of blocks of M, and that of their kinds.
    pub fn blocks_and_kinds(&self) -> [usize; 2] {
        let mut kinds: Vec<Vec<usize>> = self
            .blocks
            .iter()
            .map(|it| self.sign(it).words)
            .collect_vec();
        sort(&mut kinds);
        kinds.dedup();
        [self.blocks.len(), kinds.len()]
    }

    /// All routines.
    pub fn all(mut self) -> Rolled {
        let mut solved: Map<Vec<usize>, Solved> = Map::default();
        let acceleration = self.of_blocks(&mut solved, Solved::motion);
        let admitted = self.of_blocks(&mut solved, Solved::checks);
        let mut routines = SortedMap::from([
            (Quantity::Acceleration, acceleration),
            (Quantity::Quadratic, admitted),
        ]);
        let graph = &mut self.derivation.graph;
        let [times, missing, kinetic] =
            of_coordinates(graph, self.system, &self.kinetic, &self.mass, &self.applied);
        let missing = (Quantity::UnconstrainedInverseDynamics, missing.1);
        routines.extend([times, missing, kinetic]);
        let potential = Routine::summed(graph, self.system, &self.potential);
        routines.insert(Quantity::PotentialEnergy, potential);
        for (quantity, routine) in &mut routines {
            // Checks before a run have no array of constants.
            if *quantity != Quantity::Quadratic {
                let graph = &mut self.derivation.graph;
                let varies = constants::varying(routine, graph);
                let mut new_leaf = scratch(&mut self.system.model.symbols);
                constants::take_out(routine, graph, varies, &mut new_leaf);
            }
            routine.compact();
        }
        Rolled {
            columns: Vec::new(),
            routines,
            rows: Vec::new(),
            families: Families::default(),
            lower: 0,
            panels: None,
        }
    }

    /// Results of all blocks, those of a shape in one loop.
    fn of_blocks(
        &mut self,
        solved: &mut Map<Vec<usize>, Solved>,
        results: fn(&Solved) -> Vec<(ExprId, Write)>,
    ) -> Routine {
        let mut routine = Routine::default();
        routine.stage_in(Order::Any, |stage| {
            for block in self.blocks.clone() {
                let Signature { words, slots } = self.sign(&block);
                stage.push(words.clone(), indices_of(&slots), || {
                    let solved = solved.entry(words).or_insert_with(|| self.solve(&block));
                    let (roots, writes) = results(solved).into_iter().unzip();
                    Kernel {
                        reads: reads_of(&self.derivation.graph, self.system, &slots),
                        roots,
                        writes,
                    }
                });
            }
        });
        routine
    }

    /// The signature of a block. Its own coordinates are its first slots.
    fn sign(&self, block: &[usize]) -> Signature {
        let mut signature = Signature::default();
        signature.words.push(block.len());
        block.iter().for_each(|&c| signature.slot(Slot::Record(c)));
        for &i in block {
            signature.member(&self.applied_families, i);
            let known = self.derivation.is_known_positive(i);
            signature.words.push(usize::from(known));
            for (&(_, j), &entry) in self.masses.between(&(i, 0), &(i, i)) {
                let place = block.partition_point(|&other| other < j);
                signature.words.push(place);
                signature.member(&self.mass_families, entry);
            }
            signature.words.push(block.len());
        }
        signature
    }

    /// v̇ of one block.
    fn solve(&mut self, block: &[usize]) -> Solved {
        let graph = &mut self.derivation.graph;
        let eliminated =
            EliminatedMass::of(graph, &self.mass, block, &self.applied, &self.positive);
        let (&[i], Some(divisor)) = (block, self.mass.get(block[0], block[0])) else {
            return Solved {
                pivots: eliminated.pivots,
                accelerations: eliminated.free,
            };
        };
        let certain = is_certain(self.derivation, &self.positive, i, divisor);
        let needs_guard: &[usize] = if certain { &[] } else { &[0] };
        let quotient = eliminated.free[0];
        let plain = vec![Quotient { quotient, divisor }];
        let graph = &mut self.derivation.graph;
        let shorter = rational::shorter(graph, needs_guard, &self.positive, plain)[0];
        let pivot = Pivot::alone(graph, shorter.divisor).filter(|_| !certain);
        Solved {
            pivots: pivot.into_iter().collect_vec(),
            accelerations: vec![shorter.quotient],
        }
    }
}
