//! Order and names of statements: which values get a `let`, when, and under which name.

use super::meaning::{Known, Rows};
use super::values::Values;
use super::{Guard, Op, Program, Root, Statement, ValueId};
use crate::expr::{CollectVec, Function, Map, MapEach, Set, SymbolId};
use crate::syntax::snake;

/// A value with one use is written inside its user if the expression has at most this number of operations.
const INLINE_LIMIT: u32 = 14;

/// Orders, inlines and names the values.
pub fn arrange(
    values: Values,
    rows: Rows<'_>,
    symbol_name: &dyn Fn(SymbolId) -> String,
) -> Program {
    let pairs = sin_cos_pairs(&values);
    let bound = bound_values(&values, &pairs);
    let mut namer = Namer::new(&values, rows, symbol_name);
    let guard = |root: &Root<ValueId>| match root {
        Root::Guard(guard) => Some(*guard),
        Root::Output(_) | Root::Early(_) => None,
    };
    let mut guards: Vec<Guard<ValueId>> = values.roots.iter().filter_map(guard).rev().collect_vec();
    let mut available: Vec<bool> = values.ops.iter().map(Op::is_leaf).collect_vec();
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
        outputs: outputs.collect_vec(),
        inputs: inputs.collect_vec(),
        headings: Vec::new(),
        meanings: namer.known,
        values: values.ops,
    }
}

/// The number of uses of each value as an operand or a root; a guard counts twice, so that its pivot is bound.
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

/// Sine and cosine of one angle, under both of their ids.
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

/// The values that get a `let`: shared and named ones, sines with their cosines, and expressions that are too large to
/// be written inside their users.
fn bound_values(values: &Values, pairs: &Map<ValueId, Pair>) -> Vec<bool> {
    let mut wanted: Vec<bool> = count_uses(values)
        .iter()
        .map(|&uses| uses > 1)
        .collect_vec();
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

/// Assigns readable names, each once.
struct Namer<'a> {
    taken: Set<String>,
    given: Map<ValueId, String>,
    wanted: Map<ValueId, String>,
    /// All names with an owner, collected when the first name is suggested.
    reserved: Option<Set<String>>,
    known: Known,
    rows: Rows<'a>,
    symbol_name: &'a dyn Fn(SymbolId) -> String,
    counter: u32,
}

impl<'a> Namer<'a> {
    fn new(
        values: &Values,
        rows: Rows<'a>,
        symbol_name: &'a dyn Fn(SymbolId) -> String,
    ) -> Namer<'a> {
        let mut taken = Set::default();
        for op in &values.ops {
            if let Op::Input(symbol) = op {
                taken.insert(symbol_name(*symbol));
            }
        }
        let mut wanted = Map::default();
        for (id, name) in &values.names {
            wanted.entry(*id).or_insert_with(|| snake(name));
        }
        Namer {
            taken,
            given: Map::default(),
            wanted,
            reserved: None,
            known: Known::new(&values.meanings),
            rows,
            symbol_name,
            counter: 0,
        }
    }

    fn single(&mut self, values: &Values, value: ValueId) -> Statement {
        let name = self.name(values, value);
        Statement::Let { value, name }
    }

    fn name(&mut self, values: &Values, id: ValueId) -> String {
        let wanted = self.wanted.get(&id).cloned();
        let wanted = wanted.filter(|name| self.taken.insert(name.clone()));
        let name = wanted
            .or_else(|| self.suggested(values, id))
            .unwrap_or_else(|| self.numbered());
        self.given.insert(id, name.clone());
        name
    }

    /// A name derived from the value, if it has no other owner.
    fn suggested(&mut self, values: &Values, id: ValueId) -> Option<String> {
        let combined = self.combined(values, id);
        combined
            .and_then(|name| self.claimed(name))
            .or_else(|| self.meaning(id).and_then(|name| self.claimed(name)))
            .or_else(|| {
                let described = self.described(values, id);
                described.and_then(|name| self.claimed(name))
            })
    }

    fn claimed(&mut self, name: String) -> Option<String> {
        let wanted = || self.wanted.values().cloned().collect();
        let reserved = self.reserved.get_or_insert_with(wanted);
        (!reserved.contains(&name) && self.taken.insert(name.clone())).then_some(name)
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

    /// A difference of leaves, or a function of a sum or a difference of angles.
    fn combined(&self, values: &Values, id: ValueId) -> Option<String> {
        match values.ops[id.index()] {
            Op::Add(a, b) => self.of_two_angles(values, [a, b], false),
            Op::Sub(a, b) => {
                let difference = self.difference(values, id);
                difference.or_else(|| self.of_two_angles(values, [a, b], true))
            }
            _ => None,
        }
    }

    fn meaning(&self, id: ValueId) -> Option<String> {
        self.known.name(id, self.rows, self.symbol_name)
    }

    /// `upper_to_lower_x` for lower.x − upper.x, `a_minus_b` for other leaves.
    fn difference(&self, values: &Values, id: ValueId) -> Option<String> {
        let Op::Sub(a, b) = values.ops[id.index()] else {
            return None;
        };
        let [a, b] = [a, b].map(|id| self.leaf(values, id));
        difference(&a?, &b?)
    }

    fn leaf(&self, values: &Values, id: ValueId) -> Option<String> {
        match values.ops[id.index()] {
            Op::Input(symbol) => Some((self.symbol_name)(symbol)),
            _ => None,
        }
    }

    /// A name that describes the computation, if there is a short one.
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

    /// `cos_a_minus_b` for cos a cos b + sin a sin b, and the other sums of that kind.
    fn of_two_angles(
        &self,
        values: &Values,
        products: [ValueId; 2],
        subtracted: bool,
    ) -> Option<String> {
        use Function::{Cos, Sin};
        let [p, q] = products.map_each(|product| match &values.ops[product.index()] {
            Op::Mul(a, b) => Some([angle(values, *a)?, angle(values, *b)?]),
            _ => None,
        });
        let ([(f, a), (g, b)], q) = (p?, q?);
        let (function, sign) = match (f, g, subtracted) {
            (Sin, Sin, false) | (Cos, Cos, false) => ("cos", "minus"),
            (Cos, Cos, true) => ("cos", "plus"),
            (Sin, Sin, true) => ("minus_cos", "plus"),
            (Sin, Cos, false) | (Cos, Sin, false) => ("sin", "plus"),
            (Sin, Cos, true) | (Cos, Sin, true) => ("sin", "minus"),
            _ => return None,
        };
        let other = |f| if f == Sin { Cos } else { Sin };
        let others = [(other(f), a), (other(g), b)];
        if a == b || q != others && q != [others[1], others[0]] {
            return None;
        }
        // sin a cos b − cos a sin b is sin(a − b), whichever factor comes first.
        let (a, b) = if (f, function) == (Cos, "sin") {
            (b, a)
        } else {
            (a, b)
        };
        let [a, b] = [a, b].map(|angle| self.known(values, angle));
        Some(format!("{function}_{}_{sign}_{}", a?, b?))
    }

    fn known(&self, values: &Values, id: ValueId) -> Option<String> {
        self.leaf(values, id)
            .or_else(|| self.given.get(&id).cloned())
            .or_else(|| self.difference(values, id))
            .or_else(|| self.meaning(id))
            .filter(|name| name.len() <= 24)
    }
}

/// The function and the angle of a sine or a cosine.
fn angle(values: &Values, id: ValueId) -> Option<(Function, ValueId)> {
    match &values.ops[id.index()] {
        Op::Call(function @ (Function::Sin | Function::Cos), angle) => Some((*function, angle[0])),
        _ => None,
    }
}

/// a − b of two leaves: `upper_to_lower_x` of `lower_x` and `upper_x`, `bead_3_to_4_x`, `v_upper_to_lower_x`.
fn difference(a: &str, b: &str) -> Option<String> {
    /// Maximum length of a difference of other leaves.
    const SHORT: usize = 16;
    let points = || {
        let ((a, component), (b, other)) = (a.rsplit_once('_')?, b.rsplit_once('_')?);
        if component != other || !matches!(component, "x" | "y" | "z") {
            return None;
        }
        let velocities = a.strip_prefix("v_").zip(b.strip_prefix("v_"));
        let (prefix, (a, b)) = velocities.map_or(("", (a, b)), |pair| ("v_", pair));
        let members = a.rsplit_once('_').zip(b.rsplit_once('_'));
        let number = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
        let members = members.filter(|((a, i), (b, j))| a == b && number(i) && number(j));
        let end = members.map_or(a, |((_, index), _)| index);
        (a != b).then(|| format!("{prefix}{b}_to_{end}_{component}"))
    };
    points().or_else(|| {
        let name = format!("{a}_minus_{b}");
        (name.len() <= SHORT).then_some(name)
    })
}
