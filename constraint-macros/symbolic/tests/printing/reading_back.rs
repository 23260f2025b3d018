//! What is printed means what the graph computes: random expressions are printed as text, read back by
//! an evaluator that shares no code with the engine, and compared with the value of the graph.
//!
//! The reader is strict: it takes only the notation that a person reads in one way, so that a missing
//! bracket is an error even where the value would be the same.

use std::collections::BTreeMap;

use constraint_symbolic::expr::{Comparison, ExprId, Function, Graph, Node, Number, SymbolId};
use constraint_symbolic::formula::listing::{Listing, list};
use constraint_symbolic::formula::text;

const NAMES: [&str; 5] = ["x", "v_x", "a.x", "q2", "omega"];
const POINT: [f64; 5] = [0.7312, 1.4159, 2.2361, 0.4142, 1.7725];

type Values = BTreeMap<String, f64>;
/// What was being read, and what stood there.
type Reading<T> = Result<T, String>;

// ---- the reader -----------------------------------------------------------------------------------

/// Reads a formula and computes its value on the way; a condition is 1 or 0.
struct Reader<'a> {
    rest: &'a str,
    values: &'a Values,
    /// Functions, conditions and cases mean some number made of all their parts, so that two formulas
    /// have one value only if they have one structure.
    structural: bool,
}

fn value_of(text: &str, values: &Values) -> Reading<f64> {
    read(text, values, false)
}

fn read(text: &str, values: &Values, structural: bool) -> Reading<f64> {
    let mut reader = Reader {
        rest: text,
        values,
        structural,
    };
    let value = reader.or()?;
    match reader.rest {
        "" => Ok(value),
        rest => Err(format!("left over: {rest}")),
    }
}

/// Some number that depends on all of its arguments and on their order.
fn mix(tag: f64, a: f64, b: f64) -> f64 {
    1.5 + (tag + 1.31 * a + 0.77 * b).sin()
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, token: &str) -> Reading<()> {
        if self.eat(token) {
            return Ok(());
        }
        Err(format!("no {token:?} at {:?}", self.rest))
    }

    fn or(&mut self) -> Reading<f64> {
        let mut value = self.and()?;
        while self.eat(" or ") {
            let other = self.and()?;
            value = if self.structural {
                mix(1.0, value, other)
            } else {
                value.max(other)
            };
        }
        Ok(value)
    }

    fn and(&mut self) -> Reading<f64> {
        let mut value = self.compare()?;
        while self.eat(" and ") {
            let other = self.compare()?;
            value = if self.structural {
                mix(2.0, value, other)
            } else {
                value.min(other)
            };
        }
        Ok(value)
    }

    fn compare(&mut self) -> Reading<f64> {
        if self.eat("not ") {
            return Ok(1.0 - self.atom()?);
        }
        let left = self.sum()?;
        for (sign, holds) in [
            (" < ", f64::lt as fn(&f64, &f64) -> bool),
            (" ≤ ", f64::le),
            (" > ", f64::gt),
            (" ≥ ", f64::ge),
            (" = ", f64::eq),
        ] {
            if self.eat(sign) {
                let right = self.sum()?;
                return Ok(if self.structural {
                    mix(sign.len() as f64, left, right)
                } else {
                    truth(holds(&left, &right))
                });
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Reading<f64> {
        let mut value = if self.eat("−") {
            -self.quotient()?
        } else {
            self.quotient()?
        };
        loop {
            if self.eat(" + ") {
                value += self.quotient()?;
            } else if self.eat(" − ") {
                value -= self.quotient()?;
            } else {
                return Ok(value);
            }
        }
    }

    /// One bar at most, and one factor below it.
    fn quotient(&mut self) -> Reading<f64> {
        let value = self.product()?;
        if self.eat("/") {
            return Ok(value / self.power()?);
        }
        Ok(value)
    }

    fn product(&mut self) -> Reading<f64> {
        let mut value = self.power()?;
        loop {
            let dotted = self.eat("·");
            if !dotted && !self.next_is_factor() {
                return Ok(value);
            }
            if !dotted {
                self.need(" ")?;
            }
            if dotted != self.rest.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(format!("a number beside a factor: {}", self.rest));
            }
            value *= self.power()?;
        }
    }

    /// A space multiplies unless an operator or a word of a sentence follows.
    fn next_is_factor(&self) -> bool {
        let Some(next) = self.rest.strip_prefix(' ') else {
            return false;
        };
        let words = ["if ", "otherwise ", "and ", "or "];
        let signs = ['+', '−', '<', '≤', '>', '≥', '=', '}'];
        !next.starts_with(signs) && !words.iter().any(|word| next.starts_with(word))
    }

    fn power(&mut self) -> Reading<f64> {
        let base = self.atom()?;
        if self.eat("^") {
            let exponent = self.atom()?;
            return Ok(if self.structural {
                mix(4.0, base, exponent)
            } else {
                base.powf(exponent)
            });
        }
        match self.superscript() {
            0 => Ok(base),
            exponent if self.structural => Ok(mix(4.0, base, f64::from(exponent))),
            exponent => Ok(base.powi(exponent)),
        }
    }

    fn superscript(&mut self) -> i32 {
        let sign = if self.eat("⁻") { -1 } else { 1 };
        let mut value = 0;
        while let Some(next) = self.rest.chars().next()
            && let Some(digit) = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|c| c == next)
        {
            self.rest = &self.rest[next.len_utf8()..];
            value = 10 * value + digit as i32;
        }
        sign * value
    }

    fn atom(&mut self) -> Reading<f64> {
        for (open, close, function) in [
            ("(", ")", (|u| u) as fn(f64) -> f64),
            ("√(", ")", f64::sqrt),
            ("∛(", ")", f64::cbrt),
            ("|", "|", f64::abs),
        ] {
            if self.eat(open) {
                let inner = self.or()?;
                self.need(close)?;
                return Ok(function(inner));
            }
        }
        if self.eat("{ ") {
            return self.cases();
        }
        let end = |c: char| !(c.is_alphanumeric() || "_.".contains(c)) || "²³¹⁰⁴⁵⁶⁷⁸⁹".contains(c);
        let (word, rest) = self
            .rest
            .split_at(self.rest.find(end).unwrap_or(self.rest.len()));
        self.rest = rest;
        if self.eat("(") {
            return self.call(word);
        }
        let known = self.values.get(word).copied().or_else(|| word.parse().ok());
        known.ok_or_else(|| format!("unknown word {word:?} before {rest:?}"))
    }

    fn cases(&mut self) -> Reading<f64> {
        let mut chosen = None;
        loop {
            let value = self.sum()?;
            if self.eat(" otherwise }") {
                let chosen = chosen.unwrap_or(value);
                return Ok(if self.structural {
                    mix(3.0, chosen, value)
                } else {
                    chosen
                });
            }
            self.need(" if ")?;
            let condition = self.or()?;
            if self.structural {
                chosen = Some(mix(chosen.unwrap_or(0.0), value, condition));
            } else if condition == 1.0 {
                chosen = chosen.or(Some(value));
            }
            self.need(", ")?;
        }
    }

    fn call(&mut self, name: &str) -> Reading<f64> {
        let first = self.sum()?;
        let second = if self.eat(", ") {
            Some(self.sum()?)
        } else {
            None
        };
        self.need(")")?;
        if self.structural {
            return Ok(mix(name.len() as f64, first, second.unwrap_or(0.5)));
        }
        match (name, second) {
            ("sin", None) => Ok(first.sin()),
            ("cos", None) => Ok(first.cos()),
            ("tanh", None) => Ok(first.tanh()),
            ("exp", None) => Ok(first.exp()),
            ("ln_1p", None) => Ok(first.ln_1p()),
            ("abs", None) => Ok(first.abs()),
            ("atan2", Some(second)) => Ok(first.atan2(second)),
            ("max", Some(second)) => Ok(first.max(second)),
            _ => Err(format!("unknown function {name:?}")),
        }
    }
}

/// The values of the results, each definition computed on the way.
fn read_back(listing: &Listing) -> Reading<Vec<f64>> {
    let mut values = point();
    for (name, formula) in &listing.definitions {
        let value = value_of(&text::expression(formula), &values)?;
        values.insert(name.clone(), value);
    }
    let results = listing.results.iter();
    results
        .map(|formula| value_of(&text::expression(formula), &values))
        .collect()
}

fn point() -> Values {
    let names = NAMES.iter().map(|name| name.to_string());
    let mut values: Values = names.zip(POINT).collect();
    values.insert("π".to_string(), std::f64::consts::PI);
    values
}

// ---- the graph ------------------------------------------------------------------------------------

/// The value of every node.
fn evaluate(graph: &Graph, roots: &[ExprId]) -> BTreeMap<ExprId, f64> {
    let mut values = BTreeMap::new();
    for id in graph.reachable(roots.iter().copied()) {
        let value = node_value(graph.node(id), &|child| values[&child]);
        values.insert(id, value);
    }
    values
}

fn node_value(node: &Node, at: &dyn Fn(ExprId) -> f64) -> f64 {
    match node {
        Node::Number(value) => value.to_f64(),
        Node::Symbol(symbol) => POINT[symbol.index()],
        Node::Sum { constant, terms } => {
            let terms = terms.iter().map(|&(term, c)| c.to_f64() * at(term));
            constant.to_f64() + terms.sum::<f64>()
        }
        Node::Product(factors) => factors.iter().map(|&(base, e)| at(base).powi(e)).product(),
        Node::Call(function, arguments) => {
            let arguments: Vec<f64> = arguments.iter().map(|&a| at(a)).collect();
            (function.row().value)(&arguments)
        }
        &Node::Select {
            condition,
            then,
            otherwise,
        } => at(if at(condition) == 1.0 {
            then
        } else {
            otherwise
        }),
        Node::Boolean(value) => truth(*value),
        &Node::Compare(comparison, a, b) => truth(comparison.holds(at(a), at(b))),
        &Node::And(a, b) => at(a).min(at(b)),
        &Node::Or(a, b) => at(a).max(at(b)),
        &Node::Not(a) => 1.0 - at(a),
        &Node::Whole(a) => at(a),
    }
}

/// Numbers without end from a seed (Knuth's linear congruence).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.roll(items.len())]
    }

    fn number(&mut self) -> Number {
        match self.roll(10) {
            0 => Number::PI.powi(1 - 2 * self.roll(2) as i32),
            3 => Number::ratio(self.roll(9) as i128, 6)
                .sqrt()
                .unwrap_or(Number::ONE),
            1 => Number::float(1.25e-7),
            2 => Number::ratio(981, 100),
            _ => Number::ratio(self.roll(19) as i128 - 9, 1 + self.roll(4) as i128),
        }
    }
}

/// Expressions grown one on another; the last few are the roots.
fn random_graph(seed: u64, growth: usize) -> (Graph, Vec<ExprId>) {
    let (mut graph, mut dice) = (Graph::new(), Dice(seed));
    let mut pool: Vec<ExprId> = (0..NAMES.len())
        .map(|i| graph.symbol(SymbolId::new(i)))
        .collect();
    for _ in 0..growth {
        let grown = grow(&mut graph, &mut dice, &pool);
        pool.push(grown);
    }
    let roots = pool.split_off(pool.len() - 3);
    (graph, roots)
}

fn grow(graph: &mut Graph, dice: &mut Dice, pool: &[ExprId]) -> ExprId {
    let (a, b, c) = (dice.pick(pool), dice.pick(pool), dice.pick(pool));
    let one = [
        Function::Sin,
        Function::Cos,
        Function::Tanh,
        Function::Exp,
        Function::Abs,
    ];
    let two = [Function::Atan2, Function::Max, Function::Powf];
    match dice.roll(12) {
        0..=2 => graph.sum(&[(a, dice.number()), (b, dice.number())]),
        3 => graph.offset(a, dice.number()),
        4..=6 => {
            let exponents = [1, 1, 2, 3, -1, -1, -2];
            graph.product(&[(a, dice.pick(&exponents)), (b, dice.pick(&exponents))])
        }
        7 => graph.call(dice.pick(&one), &[a]),
        8 => graph.call(dice.pick(&two), &[a, b]),
        9 => {
            let root = graph.call(dice.pick(&[Function::Sqrt, Function::Cbrt]), &[a]);
            graph.powi(root, dice.pick(&[1, -1, 2, 3, -3]))
        }
        10 => {
            let condition = condition(graph, dice, [a, b, c]);
            graph.select(condition, a, c)
        }
        _ => {
            let exponent = graph.number(Number::ratio(1 + dice.roll(3) as i128, 3));
            graph.call(Function::Powf, &[a, exponent])
        }
    }
}

fn condition(graph: &mut Graph, dice: &mut Dice, [a, b, c]: [ExprId; 3]) -> ExprId {
    let comparisons = [
        Comparison::Lt,
        Comparison::Le,
        Comparison::Gt,
        Comparison::Ge,
    ];
    let first = graph.compare(dice.pick(&comparisons), a, b);
    let second = graph.compare(dice.pick(&comparisons), b, c);
    let third = graph.compare(dice.pick(&comparisons), c, a);
    match dice.roll(5) {
        0 => first,
        1 => graph.and(first, second),
        2 => {
            let either = graph.or(first, second);
            graph.and(either, third)
        }
        3 => {
            let both = graph.and(first, second);
            graph.or(both, third)
        }
        _ => {
            let both = graph.and(first, second);
            let not = graph.not(both);
            graph.or(not, third)
        }
    }
}

/// Well inside the range of floats and away from ties, so that the order of additions does not matter.
fn is_tame(graph: &Graph, values: &BTreeMap<ExprId, f64>) -> bool {
    let tame = |value: f64| value.abs() < 1e6 && (value == 0.0 || value.abs() > 1e-6);
    values.iter().all(|(&id, &value)| match *graph.node(id) {
        Node::Compare(_, a, b) => (values[&a] - values[&b]).abs() > 1e-6,
        _ => tame(value),
    })
}

fn listing_of(graph: &Graph, names: &[(ExprId, String)], roots: &[ExprId]) -> Listing {
    let leaf = |id: SymbolId| NAMES[id.index()].to_string();
    list(graph, &leaf, names, roots, usize::MAX)
}

// ---- the properties -------------------------------------------------------------------------------

#[test]
fn printed_expressions_have_the_value_of_the_graph() {
    let mut compared = 0;
    for seed in 0..6000 {
        let (graph, roots) = random_graph(seed, 3 + seed as usize % 30);
        let values = evaluate(&graph, &roots);
        if !is_tame(&graph, &values) {
            continue;
        }
        // Every third node has a name of the user's.
        let ids = values
            .keys()
            .filter(|id| id.index() % 3 == seed as usize % 7);
        let numeric = ids.filter(|&&id| !is_condition(&graph, id));
        let names: Vec<_> = numeric
            .map(|&id| (id, format!("let{}", id.index())))
            .collect();
        let listing = listing_of(&graph, &names, &roots);
        let printed = read_back(&listing).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for (root, found) in roots.iter().zip(printed) {
            let expected = values[root];
            let error = (found - expected).abs();
            assert!(
                error <= 1e-7 * expected.abs().max(1.0),
                "seed {seed}: {found} for {expected}"
            );
        }
        compared += 1;
    }
    assert!(compared > 1500, "{compared}");
}

fn is_condition(graph: &Graph, id: ExprId) -> bool {
    matches!(
        graph.node(id),
        Node::Boolean(_) | Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_)
    )
}

#[test]
fn no_bracket_can_be_left_out() {
    let mut brackets = 0;
    for seed in 0..3000 {
        let (graph, roots) = random_graph(seed, 3 + seed as usize % 12);
        if !is_tame(&graph, &evaluate(&graph, &roots)) {
            continue;
        }
        let listing = listing_of(&graph, &[], &roots);
        for formula in listing
            .results
            .iter()
            .chain(listing.definitions.iter().map(|d| &d.1))
        {
            let written = text::expression(formula);
            for shorter in without_each_bracket(&written) {
                assert!(
                    !same_value(&written, &shorter),
                    "{written} could be {shorter}"
                );
                brackets += 1;
            }
        }
    }
    assert!(brackets > 500, "{brackets}");
}

fn same_value(written: &str, shorter: &str) -> bool {
    let mut values = point();
    // Definitions in the text stand for any value.
    values.extend((1..100).map(|i| (format!("s{i}"), 1.0 + f64::from(i).sin() / 3.0)));
    let (Ok(a), Ok(b)) = (read(written, &values, true), read(shorter, &values, true)) else {
        return false;
    };
    a == b || (a - b).abs() <= 1e-12 * a.abs()
}

/// The text without one pair of grouping brackets, for each pair.
fn without_each_bracket(text: &str) -> Vec<String> {
    let groups = text.match_indices('(').filter(|&(start, _)| {
        let before = text[..start].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "√∛_".contains(c))
    });
    groups
        .filter_map(|(start, _)| {
            let length = closing(&text[start + 1..])?;
            let (inner, after) = text[start + 1..].split_at(length);
            Some(format!("{}{inner}{}", &text[..start], &after[1..]))
        })
        .collect()
}

/// Where the bracket closes that opened before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(index, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (depth == 0).then_some(index)
    })
}

#[test]
fn the_reader_itself_is_strict() {
    let values = point();
    assert_eq!(value_of("2·3² − 1/(2·2)", &values), Ok(17.75));
    assert_eq!(
        value_of(
            "{ 1 if 2 < 1, 2 if not (3 < 2) and 1 = 1, 3 otherwise }",
            &values
        ),
        Ok(2.0)
    );
    for ambiguous in [
        "1/2/3",
        "1/2 x",
        "2 3",
        "x·omega",
        "2^3^2",
        "x²^2",
        "not x < 2",
        "2 + −x",
    ] {
        let read = value_of(ambiguous, &values);
        assert!(read.is_err(), "{ambiguous} was read as {read:?}");
    }
}
