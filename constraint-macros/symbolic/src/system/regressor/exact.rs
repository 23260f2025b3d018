//! Expressions at points of the field modulo 2⁶¹ − 1, where identities hold exactly.
//!
//! Leaves are random. Sines and cosines satisfy sin² + cos² = 1 and the addition theorems, of multiples of angles too; other
//! functions have random values. Rounded constants count as the fractions that they are.

use std::hash::{Hash, Hasher};

use crate::expr::field::Residue;
use crate::expr::{CollectVec, ExprId, Function, Graph, Map, Mixer, Node, Number, SymbolId};

/// An angle is this multiple of one with known sine and cosine, so that its parts have sines and cosines, too.
const PARTS: i128 = 720_720;

/// Values at one point.
struct Exact<'a, F> {
    graph: &'a Graph,
    /// The number of each leaf.
    leaf: F,
    values: Map<ExprId, Residue>,
}

/// A random number that depends on these alone.
pub fn random(of: impl Hash) -> Residue {
    let mut hash = Mixer::default();
    of.hash(&mut hash);
    let mut second = Mixer::default();
    (hash.finish(), 0x9e37_79b9_u64).hash(&mut second);
    Residue::of_bits(second.finish())
}

/// The values of expressions; `None` at a point where one has none.
pub fn values(
    graph: &Graph,
    roots: &[ExprId],
    leaf: impl Fn(SymbolId) -> Residue,
) -> Option<Vec<Residue>> {
    let mut exact = Exact {
        graph,
        leaf,
        values: Map::default(),
    };
    for id in graph.reachable(roots.iter().copied()) {
        let value = exact.value(id)?;
        exact.values.insert(id, value);
    }
    Some(roots.iter().map(|root| exact.values[root]).collect_vec())
}

impl<F: Fn(SymbolId) -> Residue> Exact<'_, F> {
    /// Of an expression whose operands are known.
    fn value(&self, id: ExprId) -> Option<Residue> {
        let of = |id: &ExprId| self.values[id];
        Some(match self.graph.node(id) {
            Node::Number(number) => residue(*number),
            Node::Symbol(symbol) => (self.leaf)(*symbol),
            Node::Sum { constant, terms } => {
                let terms = terms.iter().map(|(id, factor)| residue(*factor) * of(id));
                terms.fold(residue(*constant), |sum, it| sum + it)
            }
            Node::Product(factors) => {
                let mut product = Residue::ONE;
                for (base, exponent) in factors {
                    let power = of(base).pow(exponent.unsigned_abs().into());
                    product = product * if *exponent < 0 { power.recip()? } else { power };
                }
                product
            }
            Node::Whole(id) => of(id),
            Node::Call(function, arguments) => self.call(*function, arguments)?,
            // One of the branches is as good as the other.
            Node::Select { then, .. } => of(then),
            _ => Residue::ZERO,
        })
    }

    fn call(&self, function: Function, arguments: &[ExprId]) -> Option<Residue> {
        let given: Vec<Residue> = arguments.iter().map(|id| self.values[id]).collect_vec();
        match (function, &given[..]) {
            (Function::Sqrt, [u]) => u.sqrt(),
            (Function::Hypot, [a, b]) => (*a * *a + *b * *b).sqrt(),
            (Function::Cos, _) => Some(self.turn(arguments[0]).cos),
            (Function::Sin, _) => Some(self.turn(arguments[0]).sin),
            _ => {
                let bits: Vec<u64> = given.iter().map(|it| it.bits()).collect_vec();
                Some(random((function as u64, bits)))
            }
        }
    }

    /// The turn by an angle: that of a sum is the product of those of its terms.
    fn turn(&self, angle: ExprId) -> Turn {
        match self.graph.node(angle) {
            Node::Number(number) => Turn::by_number(*number),
            Node::Sum { constant, terms } => {
                let terms = terms.iter().map(|&(id, factor)| self.part(id, factor));
                terms.fold(Turn::by_number(*constant), Turn::then)
            }
            _ => self.part(angle, Number::ONE),
        }
    }

    /// The turn by a multiple of an angle.
    fn part(&self, angle: ExprId, factor: Number) -> Turn {
        let value = self.values[&angle];
        let parts = factor.as_ratio().filter(|(_, d)| PARTS % d == 0);
        let parts = parts.and_then(|(n, d)| n.checked_mul(PARTS / d));
        match parts {
            Some(parts) => Turn::of(value).times(parts),
            None => Turn::of(value * residue(factor)).times(PARTS),
        }
    }
}

/// The number in the field; a rounded one is a fraction with a power of two below.
fn residue(number: Number) -> Residue {
    if let Some(exact) = Residue::of_number(number) {
        return exact;
    }
    let bits = number.to_f64().to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1075;
    let mantissa = (bits & ((1 << 52) - 1)) as i64 + (1 << 52);
    let power = Residue::of(2).pow(exponent.unsigned_abs());
    let power = if exponent < 0 {
        power.recip().unwrap_or(Residue::ONE)
    } else {
        power
    };
    let size = Residue::of(mantissa) * power;
    if number.is_negative() { -size } else { size }
}

/// A cosine and a sine.
#[derive(Clone, Copy)]
struct Turn {
    cos: Residue,
    sin: Residue,
}

impl Turn {
    /// A random one, of −u the opposite.
    fn of(u: Residue) -> Turn {
        let (turned, lower) = if u.is_in_upper_half() {
            (true, -u)
        } else {
            (false, u)
        };
        let half = random(("turn", lower.bits()));
        // 1 + h² is not zero: −1 is no square.
        let below = (Residue::ONE + half * half).recip().unwrap_or(Residue::ONE);
        let sin = (half + half) * below;
        Turn {
            cos: (Residue::ONE - half * half) * below,
            sin: if turned { -sin } else { sin },
        }
    }

    fn by_number(number: Number) -> Turn {
        let exact = |it: Option<Number>| Residue::of_number(it?);
        match (exact(number.cos()), exact(number.sin())) {
            (Some(cos), Some(sin)) => Turn { cos, sin },
            _ => Turn::of(residue(number)).times(PARTS),
        }
    }

    fn then(self, other: Turn) -> Turn {
        Turn {
            cos: self.cos * other.cos - self.sin * other.sin,
            sin: self.sin * other.cos + self.cos * other.sin,
        }
    }

    fn times(self, n: i128) -> Turn {
        let mut base = Turn {
            sin: if n < 0 { -self.sin } else { self.sin },
            ..self
        };
        let mut all = Turn {
            cos: Residue::ONE,
            sin: Residue::ZERO,
        };
        let mut n = n.unsigned_abs();
        while n > 0 {
            if n & 1 == 1 {
                all = all.then(base);
            }
            base = base.then(base);
            n >>= 1;
        }
        all
    }
}
