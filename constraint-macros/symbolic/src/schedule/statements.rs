//! Order and names: which values get a `let`, when, and what it is called.

use super::binary::{ValueRoot, Values};
use super::{Op, Program, Statement, ValueId};
use crate::expr::{Function, Map, Set, SymbolId};

/// A value used once stands inside its user as long as the expression has at most this many operations.
const INLINE_LIMIT: u32 = 14;

/// Orders, inlines and names.
pub fn arrange(values: Values, symbol_name: &dyn Fn(SymbolId) -> String) -> Program {
    let order = &values.order;
    let uses = count_uses(&values, order);
    let pairs = sin_cos_pairs(&values, order);
    let bound = bound_values(&values, order, &uses, &pairs);
    let mut namer = Namer::new(&values, symbol_name);
    let mut guards: Vec<ValueRoot> = values
        .roots
        .iter()
        .copied()
        .filter(|r| matches!(r, ValueRoot::Guard { .. }))
        .rev()
        .collect();
    let mut done: Set<ValueId> = Set::default();
    let mut statements = Vec::new();
    for &id in order {
        if bound.contains(&id) && !done.contains(&id) {
            let statement = match pairs.get(&id) {
                Some(pair) => namer.sin_cos(&values, *pair),
                None => Statement::Let {
                    value: id,
                    name: namer.name(&values, id),
                },
            };
            done.extend(
                pairs
                    .get(&id)
                    .map_or(vec![id], |pair| vec![pair.sine, pair.cosine]),
            );
            statements.push(statement);
        }
        let available = |id: &ValueId| done.contains(id) || values.ops[id.index()].is_leaf();
        while let Some(&ValueRoot::Guard {
            row,
            pivot,
            diagonal,
        }) = guards.last()
            && available(&pivot)
            && available(&diagonal)
        {
            statements.push(Statement::Guard {
                row,
                pivot,
                diagonal,
            });
            guards.pop();
        }
    }
    let outputs = values.roots.iter().filter_map(|root| match root {
        ValueRoot::Output(output) => Some(*output),
        ValueRoot::Guard { .. } => None,
    });
    Program {
        count: values.count,
        statements,
        outputs: outputs.collect(),
        values: values.ops,
    }
}

fn count_uses(values: &Values, order: &[ValueId]) -> Map<ValueId, u32> {
    let mut uses: Map<ValueId, u32> = Map::default();
    for &id in order {
        values.ops[id.index()].for_each_operand(|operand| *uses.entry(operand).or_default() += 1);
    }
    for root in &values.roots {
        let weight = if matches!(root, ValueRoot::Guard { .. }) {
            2
        } else {
            1
        };
        root.values()
            .for_each(|id| *uses.entry(id).or_default() += weight);
    }
    uses
}

#[derive(Clone, Copy)]
struct Pair {
    sine: ValueId,
    cosine: ValueId,
}

/// Sines and cosines of one angle, under both of their ids.
fn sin_cos_pairs(values: &Values, order: &[ValueId]) -> Map<ValueId, Pair> {
    let needed: Set<ValueId> = order.iter().copied().collect();
    let mut pairs = Map::default();
    for &cosine in order {
        if let Some(sine) = values.sine_of(cosine).filter(|sine| needed.contains(sine)) {
            pairs.insert(sine, Pair { sine, cosine });
            pairs.insert(cosine, Pair { sine, cosine });
        }
    }
    pairs
}

fn bound_values(
    values: &Values,
    order: &[ValueId],
    uses: &Map<ValueId, u32>,
    pairs: &Map<ValueId, Pair>,
) -> Set<ValueId> {
    let named: Set<ValueId> = values.names.iter().map(|(id, _)| *id).collect();
    let mut bound = Set::default();
    let mut size: Map<ValueId, u32> = Map::default();
    for &id in order {
        let op = &values.ops[id.index()];
        let mut total = u32::from(!op.is_leaf());
        let mut largest: Option<(u32, ValueId)> = None;
        op.for_each_operand(|operand| {
            let inner = if bound.contains(&operand) {
                0
            } else {
                size[&operand]
            };
            total += inner;
            largest = largest.max((inner > 0).then_some((inner, operand)));
        });
        if let Some((inner, operand)) = largest.filter(|_| total > INLINE_LIMIT) {
            bound.insert(operand);
            total -= inner;
        }
        size.insert(id, total);
        let shared = uses.get(&id).is_some_and(|&n| n > 1);
        if !op.is_leaf() && (shared || named.contains(&id) || pairs.contains_key(&id)) {
            bound.insert(id);
        }
    }
    bound
}

/// Gives out names for people; none twice.
struct Namer<'a> {
    taken: Set<String>,
    given: Map<ValueId, String>,
    wanted: Map<ValueId, String>,
    symbol_name: &'a dyn Fn(SymbolId) -> String,
    counter: u32,
}

impl<'a> Namer<'a> {
    fn new(values: &Values, symbol_name: &'a dyn Fn(SymbolId) -> String) -> Namer<'a> {
        let mut taken = Set::default();
        for op in &values.ops {
            if let Op::Input(symbol) = op {
                taken.insert(symbol_name(*symbol));
            }
        }
        let mut wanted = Map::default();
        for (id, name) in &values.names {
            wanted.entry(*id).or_insert_with(|| name.clone());
        }
        Namer {
            taken,
            given: Map::default(),
            wanted,
            symbol_name,
            counter: 0,
        }
    }

    fn name(&mut self, values: &Values, id: ValueId) -> String {
        let wanted = self
            .wanted
            .get(&id)
            .cloned()
            .or_else(|| self.described(values, id));
        let name = match wanted {
            Some(name) if self.taken.insert(name.clone()) => name,
            _ => self.numbered(),
        };
        self.given.insert(id, name.clone());
        name
    }

    fn numbered(&mut self) -> String {
        loop {
            self.counter += 1;
            let name = format!("t{}", self.counter);
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn sin_cos(&mut self, values: &Values, pair: Pair) -> Statement {
        let sine = (pair.sine, self.name(values, pair.sine));
        let cosine = (pair.cosine, self.name(values, pair.cosine));
        let argument = match &values.ops[pair.sine.index()] {
            Op::Call(_, angle) => angle[0],
            _ => pair.sine,
        };
        Statement::SinCos {
            sine,
            cosine,
            argument,
        }
    }

    /// A name that says what the value is, where a short one does.
    fn described(&self, values: &Values, id: ValueId) -> Option<String> {
        match &values.ops[id.index()] {
            Op::Mul(a, b) if a == b => Some(format!("{}_squared", self.known(values, *a)?)),
            Op::Recip(a) => Some(format!("inv_{}", self.known(values, *a)?)),
            Op::Call(function @ (Function::Sin | Function::Cos), a) => {
                let name = function.row().name;
                Some(
                    self.known(values, a[0])
                        .map_or(name.to_owned(), |angle| format!("{name}_{angle}")),
                )
            }
            Op::Call(Function::Sqrt, _) => Some("root".into()),
            _ => None,
        }
    }

    fn known(&self, values: &Values, id: ValueId) -> Option<String> {
        match &values.ops[id.index()] {
            Op::Input(symbol) => Some((self.symbol_name)(*symbol)),
            _ => self.given.get(&id).cloned(),
        }
        .filter(|name| name.len() <= 16)
    }
}
