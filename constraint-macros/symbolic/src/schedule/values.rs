//! Values before they have an order of execution: hash-consed, ordered by the needs of the roots, counted.

use super::{Meaning, Op, OperationCount, Root, Signed, ValueId};
use crate::expr::{Function, Places, hash_of};

/// Values before they have an order of execution.
#[derive(Debug, Default)]
pub struct Values {
    pub ops: Vec<Op>,
    places: Places,
    pub roots: Vec<Root<ValueId>>,
    pub names: Vec<(ValueId, String)>,
    /// Meanings of values or of their negatives.
    pub meanings: Vec<(Signed, Meaning)>,
    /// The values that the roots need, each once, operands before users, in the order in which roots need them.
    pub order: Vec<ValueId>,
    /// For every value: true if it is among them.
    pub needed: Vec<bool>,
    /// The cost of the roots.
    pub count: OperationCount,
}

impl Values {
    pub fn with_capacity(capacity: usize) -> Values {
        Values {
            ops: Vec::with_capacity(capacity),
            places: Places::with_capacity(capacity),
            ..Values::default()
        }
    }

    /// Estimated time of all values.
    pub fn weight(&self) -> u32 {
        self.count.weight()
    }

    /// Estimated time without the outputs for which `left_out` is true.
    pub fn weight_without(&self, left_out: &[bool]) -> u32 {
        if !left_out.contains(&true) {
            return self.weight();
        }
        let outputs = self.roots.iter().filter(|it| matches!(it, Root::Output(_)));
        let kept = outputs.zip(left_out).filter(|(_, left_out)| !**left_out);
        let (order, needed) = self.order_of(kept.map(|(root, _)| root));
        self.counted(&order, &needed).weight()
    }

    /// The place of an operation.
    fn place(&self, op: &Op, hash: u32) -> Option<usize> {
        self.places.find(hash, &|place| self.ops[place] == *op)
    }

    pub fn intern(&mut self, op: Op) -> ValueId {
        let hash = hash_of(&op);
        let found = self.place(&op, hash);
        let place = found.unwrap_or(self.ops.len());
        if found.is_none() {
            self.places.insert(hash, place);
            self.ops.push(op);
        }
        ValueId(place as u32)
    }

    /// The values that the roots need, operands before users, and for every value whether it is among them.
    pub fn order_of<'r>(
        &self,
        roots: impl Iterator<Item = &'r Root<ValueId>>,
    ) -> (Vec<ValueId>, Vec<bool>) {
        let (mut order, mut needed) = (Vec::new(), vec![false; self.ops.len()]);
        for root in roots.flat_map(|root| root.values()) {
            let mut stack = vec![(root, false)];
            while let Some((id, ready)) = stack.pop() {
                if ready {
                    order.push(id);
                } else if !std::mem::replace(&mut needed[id.index()], true) {
                    stack.push((id, true));
                    let first = stack.len();
                    self.ops[id.index()].for_each_operand(|operand| stack.push((operand, false)));
                    // Most operations have one operand or none.
                    if stack.len() > first + 1 {
                        stack[first..].reverse();
                    }
                }
            }
        }
        (order, needed)
    }

    /// Removes intermediate results that, in this form, no other root needs.
    pub fn retain_parts(&mut self) {
        let early = |root: &Root<ValueId>| matches!(root, Root::Early(_));
        if self.roots.iter().any(early) {
            let (_, needed) = self.order_of(self.roots.iter().filter(|root| !early(root)));
            let is_part = |root: &Root<ValueId>| root.values().all(|id| needed[id.index()]);
            self.roots.retain(|root| !early(root) || is_part(root));
        }
    }

    /// The cost of the values in `order`, which are those marked in `needed`.
    pub fn counted(&self, order: &[ValueId], needed: &[bool]) -> OperationCount {
        let mut count = OperationCount::default();
        for &id in order {
            match &self.ops[id.index()] {
                Op::Add(..) => count.add += 1,
                Op::Sub(..) => count.sub += 1,
                Op::Mul(..) => count.mul += 1,
                Op::Div(..) | Op::Recip(_) => count.div += 1,
                Op::Call(Function::Sqrt, _) => count.sqrt += 1,
                Op::Call(Function::Abs | Function::Signum | Function::Min | Function::Max, _) => {}
                // The cosine is counted with its sine.
                Op::Call(Function::Cos, _) if self.sine_among(id, needed).is_some() => {}
                Op::Call(..) => count.call += 1,
                _ => {}
            }
        }
        count
    }

    /// The sine of the angle whose cosine `id` is, if the roots need it.
    pub fn sine_of(&self, id: ValueId) -> Option<ValueId> {
        self.sine_among(id, &self.needed)
    }

    fn sine_among(&self, id: ValueId, needed: &[bool]) -> Option<ValueId> {
        let Op::Call(Function::Cos, angle) = &self.ops[id.index()] else {
            return None;
        };
        let sine = Op::Call(Function::Sin, angle.clone());
        let sine = self.place(&sine, hash_of(&sine));
        sine.map(|place| ValueId(place as u32))
            .filter(|sine| needed[sine.index()])
    }
}
