//! Velocities moved onto Ċ = 0 and v̇ there: elimination with Ċ on the right-hand side, and once more forwards and
//! backwards through the same L with that of the equations of motion.
//!
//! ```text
//! forward, Ċ(v):       L, 1/d, z       backward:  μ, v′ = v − W Jᵀ μ
//! forward, b(v′):      z = b/d         backward:  wλ, v̇
//! ```

use super::rolling::{Rolling, Side};
use super::routine::{Array, Kernel, Routine, Signature, Stage, Write};
use super::step::{Places, write};
use crate::expr::{ExprId, Number};

impl Rolling<'_> {
    /// v′, then v̇ at v′.
    pub(super) fn projected(&mut self, rows_of: &[Vec<usize>]) -> Routine {
        let stopped = self.eliminated(Side::Rate);
        let mut routine = self.solution(&stopped, rows_of, None, Rolling::projected_velocity);
        let (kernels, loops) = (routine.kernels.len(), routine.loops.len());
        let order = self.elimination.order.clone();
        routine.stage(|forward| {
            let mut updated = vec![false; order.len()];
            for &j in &order {
                self.push_on(forward, &mut updated, j);
            }
        });
        let unknowns = &[Array::Solution];
        self.substituted(&mut routine, unknowns, rows_of, None, Rolling::acceleration);
        // The first result holds the velocities of all later stages.
        for kernel in &mut routine.kernels[kernels..] {
            for (_, array, _) in &mut kernel.reads {
                if *array == Array::Velocity {
                    *array = Array::Output;
                }
            }
            for write in &mut kernel.writes {
                if let Write::Set(array @ Array::Output, _) = write {
                    *array = Array::Multipliers;
                }
            }
        }
        self.carry(&mut routine, loops);
        routine
    }

    fn projected_velocity(&mut self, stage: &mut Stage<'_>, c: usize, rows: &[usize]) {
        self.at_coordinate(stage, c, rows, false, |rolling, sum| {
            let velocity = rolling.system.coordinates[c].velocity;
            let graph = &mut rolling.derivation.graph;
            let change = graph.mul(rolling.ratios[c], sum);
            graph.sum(&[(velocity, Number::ONE), (change, Number::MINUS_ONE)])
        });
    }

    /// A step of an elimination that has been made, with the right-hand side of the equations of motion.
    fn push_on(&mut self, stage: &mut Stage<'_>, updated: &mut [bool], j: usize) {
        let later = self.elimination.later[j].clone();
        let mut signature = Signature::default();
        self.sign_row(&mut signature, j);
        for c in self.rows.records(j) {
            self.sign_load(&mut signature, c, Side::Acceleration);
        }
        let words = [usize::from(updated[j]), later.len()];
        signature.words.extend(words);
        let before = later.iter().map(|&i| usize::from(updated[i]));
        signature.words.extend(before);
        let Signature { words, slots } = signature;
        let places = Places::of_solution(&self.elimination, &slots, j, &later);
        let indices = places.indices.clone();
        stage.push(words, indices, || {
            let mut reads = self.reads_of(&slots);
            let mut right = self.right_hand_side(j, Side::Acceleration, &mut reads, places.row);
            if updated[j] {
                let pushed = self.read(&mut reads, "pushed", Array::Right, places.row);
                right = self.minus(right, pushed);
            }
            let inverse = self.read(&mut reads, "inverse", Array::Inverse, places.row);
            let mut roots = vec![self.derivation.graph.mul(right, inverse)];
            let mut writes = vec![Write::Set(Array::Solution, places.row)];
            for (a, &i) in later.iter().enumerate() {
                let l = self.read(&mut reads, "l", Array::Lower, places.lower[a]);
                roots.push(self.derivation.graph.mul(l, right));
                writes.push(write(updated[i], Array::Right, places.later[a]));
            }
            Kernel {
                reads,
                roots,
                writes,
            }
        });
        later.iter().for_each(|&i| updated[i] = true);
    }

    /// Ċ of a row as solved.
    pub(super) fn scaled_rate(&mut self, j: usize) -> ExprId {
        let row = self.row(j);
        let (rate, content) = (row.rate, row.scaled.content);
        self.derivation.graph.div(rate, content)
    }
}
