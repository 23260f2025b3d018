//! Order and names: which values get a `let`, when, and what it is called.

use super::values::Values;
use super::{Guard, Op, Program, Root, Statement, ValueId};
use crate::expr::{Function, Map, Set, SymbolId};

/// A value used once stands inside its user as long as the expression has at most this many operations.
const INLINE_LIMIT: u32 = 14;

/// Orders, inlines and names.
pub fn arrange(values: Values, symbol_name: &dyn Fn(SymbolId) -> String) -> Program {
    let pairs = sin_cos_pairs(&values);
    let bound = bound_values(&values, &pairs);
    let mut namer = Namer::new(&values, symbol_name);
    let guard = |root: &Root<ValueId>| match root {
        Root::Guard(guard) => Some(*guard),
        Root::Output(_) | Root::Early(_) => None,
    };
    let mut guards: Vec<Guard<ValueId>> = values.roots.iter().filter_map(guard).rev().collect();
    let mut available: Vec<bool> = values.ops.iter().map(Op::is_leaf).collect();
    let mut statements = Vec::new();
    for &id in &values.order {
        if bound[id.index()] && !available[id.index()] {
            let (first, second, statement) = match pairs.get(&id) {
                Some(pair) => (pair.sine, pair.cosine, namer.sin_cos(&values, *pair)),
                None => (id, id, namer.single(&values, id)),
            };
            (available[first.index()], available[second.index()]) = (true, true);
            statements.push(statement);
        }
        while let Some(guard) =
            guards.pop_if(|guard| guard.values().all(|id| available[id.index()]))
        {
            statements.push(Statement::Guard(guard));
        }
    }
    let inputs = values
        .order
        .iter()
        .filter_map(|id| match values.ops[id.index()] {
            Op::Input(symbol) => Some(symbol),
            _ => None,
        });
    let outputs = values.roots.iter().filter_map(|root| match root {
        Root::Output(output) => Some(*output),
        Root::Early(_) | Root::Guard(_) => None,
    });
    Program {
        count: values.count,
        statements,
        outputs: outputs.collect(),
        inputs: inputs.collect(),
        values: values.ops,
    }
}

/// How often each value is an operand or a root; a guard counts twice, so that its pivot is bound.
fn count_uses(values: &Values) -> Vec<u32> {
    let mut uses = vec![0; values.ops.len()];
    for &id in &values.order {
        values.ops[id.index()].for_each_operand(|operand| uses[operand.index()] += 1);
    }
    for root in &values.roots {
        let weight = if matches!(root, Root::Guard(_)) { 2 } else { 1 };
        root.values().for_each(|id| uses[id.index()] += weight);
    }
    uses
}

#[derive(Clone, Copy)]
struct Pair {
    sine: ValueId,
    cosine: ValueId,
}

/// Sines and cosines of one angle, under both of their ids.
fn sin_cos_pairs(values: &Values) -> Map<ValueId, Pair> {
    let mut pairs = Map::default();
    for &cosine in &values.order {
        if let Some(sine) = values.sine_of(cosine) {
            pairs.insert(sine, Pair { sine, cosine });
            pairs.insert(cosine, Pair { sine, cosine });
        }
    }
    pairs
}

/// The values that get a `let`: shared and named ones, sines with their cosines, and what is too large to
/// stand inside its user.
fn bound_values(values: &Values, pairs: &Map<ValueId, Pair>) -> Vec<bool> {
    let mut wanted: Vec<bool> = count_uses(values).iter().map(|&uses| uses > 1).collect();
    let named = values.names.iter().map(|(id, _)| id);
    named
        .chain(pairs.keys())
        .for_each(|id| wanted[id.index()] = true);
    let mut bound = vec![false; values.ops.len()];
    let mut size = vec![0u32; values.ops.len()];
    for &id in &values.order {
        let op = &values.ops[id.index()];
        let mut total = u32::from(!op.is_leaf());
        let mut largest: Option<(u32, ValueId)> = None;
        op.for_each_operand(|operand| {
            let inner = if bound[operand.index()] {
                0
            } else {
                size[operand.index()]
            };
            total += inner;
            largest = largest.max((inner > 0).then_some((inner, operand)));
        });
        if let Some((inner, operand)) = largest.filter(|_| total > INLINE_LIMIT) {
            bound[operand.index()] = true;
            total -= inner;
        }
        size[id.index()] = total;
        bound[id.index()] |= wanted[id.index()] && !op.is_leaf();
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

    fn single(&mut self, values: &Values, value: ValueId) -> Statement {
        let name = self.name(values, value);
        Statement::Let { value, name }
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
