//! Lagrange's derivation of a system's equations of motion, from L = T − V to v̇.
//!
//! Input: a system whose coordinates are numbers and points. Output: the steps before M and h, M and h in textbook form,
//! and v̇ and λ in closed form if that is short. The generated functions compute the same with other expressions.

use crate::diff::{Taylor, gradient};
use crate::expr::{CollectVec, ExprId, Graph, MapEach, Node, Number, PushEach, SymbolId};
use crate::formula::listing::{self, Listing};
use crate::formula::printed::Printed;
use crate::formula::{self, Equation, Form, Statement};
use crate::function::system::TABLE;
use crate::function::{Entry, Shape};
use crate::model::Role;
use crate::system::{Derived, Quantity, Solution};

/// Formulas of more coordinates would fill pages.
const MOST_COORDINATES: usize = 6;
/// Approximate limit on the symbols of a step.
const BUDGET: usize = 400;
/// The same for a closed form.
const SHORT: usize = 120;

/// Adds Lagrange's steps to the entries of a written-out system with few coordinates and without bodies. Each entry states
/// how its formula differs from the computed one.
pub fn among(derived: &Derived, entries: Vec<Entry>) -> Vec<(Entry, Form)> {
    let Some(mut reader) = Reader::new(derived) else {
        return entries
            .into_iter()
            .map(|entry| (entry, Form::Computed))
            .collect_vec();
    };
    let mut steps = Vec::new();
    for entry in entries {
        let before = match entry.name {
            "kinetic_energy" => reader.coordinates().into_iter().collect_vec(),
            "mass_matrix" => reader.lagrange(),
            "bias" => reader.rate().into_iter().collect_vec(),
            "solver" => reader.closed(),
            _ => Vec::new(),
        };
        steps.push_each(before.into_iter().map(|entry| (entry, Form::Computed)));
        steps.push(reader.in_readable_form(entry));
    }
    steps
}

struct Reader<'a> {
    derived: &'a Derived,
    graph: Graph,
    printed: Printed,
    /// The leaves of v̇, which the model does not have.
    accelerations: Vec<ExprId>,
}

impl Reader<'_> {
    fn new(derived: &Derived) -> Option<Reader<'_>> {
        let system = &derived.system;
        let n = system.coordinates.len();
        let is_rolled = matches!(derived.solution, Solution::Rolled(_));
        let has_bodies = !system.model.bodies.is_empty();
        if has_bodies || is_rolled || !(1..=MOST_COORDINATES).contains(&n) {
            return None;
        }
        let mut graph = system.model.graph.clone();
        let first = system.model.symbols.len();
        let leaves = (first..first + n).map(|i| graph.symbol(SymbolId::new(i)));
        Some(Reader {
            derived,
            accelerations: leaves.collect_vec(),
            printed: Printed::new(&system.model),
            graph,
        })
    }

    /// `q = ( angle )`
    fn coordinates(&self) -> Option<Entry> {
        let coordinates = self.derived.system.coordinates.iter();
        let places: Vec<ExprId> = coordinates.filter_map(|it| it.position).collect_vec();
        self.vector("coordinates", "q", &places, BUDGET)
    }

    /// p = ∂L/∂v, ṗ and ∂L/∂q.
    fn lagrange(&mut self) -> Vec<Entry> {
        let system = &self.derived.system;
        let (places, velocities): (Vec<_>, Vec<_>) = system
            .coordinates
            .iter()
            .filter_map(|it| Some((it.position?, it.velocity)))
            .unzip();
        let [kinetic, potential] = [Quantity::KineticEnergy, Quantity::PotentialEnergy]
            .map_each(|quantity| self.derived.expressions(quantity)[0]);
        let lagrangian = self
            .graph
            .sum(&[(kinetic, Number::ONE), (potential, Number::MINUS_ONE)]);
        let momenta = gradient(&mut self.graph, lagrangian, &velocities);
        let momenta = self.readable(&momenta);
        let rates = self.rates(&places, &velocities, &momenta);
        let slopes = gradient(&mut self.graph, lagrangian, &places);
        let [rates, slopes] = [rates, slopes].map(|all| self.readable(&all));
        let steps = [
            self.vector("momenta", "p", &momenta, BUDGET),
            self.vector("momentum_rates", "p\u{307}", &rates, BUDGET),
            self.vector("lagrangian_slopes", "f", &slopes, BUDGET),
        ];
        steps.into_iter().flatten().collect_vec()
    }

    /// dp/dt along q̇ = v and v̇.
    fn rates(&mut self, q: &[ExprId], v: &[ExprId], momenta: &[ExprId]) -> Vec<ExprId> {
        let [zero, one] = [Number::ZERO, Number::ONE].map_each(|number| self.graph.number(number));
        let time = self
            .derived
            .system
            .model
            .symbols
            .iter()
            .position(|it| it.role == Role::Time);
        let time = time.map(|i| self.graph.symbol(SymbolId::new(i)));
        let moving = q.iter().zip(v).zip(&self.accelerations);
        let moving = moving.flat_map(|((&q, &v), &a)| [(q, v, a), (v, a, zero)]);
        let mut motion = Taylor::new(moving.chain(time.map(|t| (t, one, zero))));
        momenta
            .iter()
            .map(|&p| motion.first(&mut self.graph, p))
            .collect_vec()
    }

    /// Ċ, which the functions compute but the list of formulas omits.
    fn rate(&mut self) -> Option<Entry> {
        let rate = self.derived.expressions(Quantity::Rate);
        let rate = self.readable(&rate);
        self.vector("rate", "Ċ", &rate, BUDGET)
    }

    /// The entry in its most readable form, and how that differs from the computed one.
    fn in_readable_form(&mut self, entry: Entry) -> (Entry, Form) {
        let row = TABLE.iter().find(|row| row.signature.name == entry.name);
        let (Statement::Formula(..), Some(row)) = (&entry.statement, row) else {
            return (entry, Form::Computed);
        };
        let roots = self.derived.expressions(row.quantity);
        let readable = self.readable(&roots);
        let form = Form::of(&self.graph, &roots, &readable);
        if form == Form::Computed {
            return (entry, form);
        }
        let columns = match row.signature.result {
            Shape::Matrix(..) => self.accelerations.len(),
            _ => 0,
        };
        match self.statement(&entry.symbol, &readable, columns, BUDGET) {
            Some(statement) => (Entry { statement, ..entry }, form),
            None => (entry, Form::Computed),
        }
    }

    /// v̇ = h/M for one coordinate; λ and v̇ for one row if M is diagonal.
    fn closed(&mut self) -> Vec<Entry> {
        let rows = self.derived.rows();
        let n = self.accelerations.len();
        let [mass, applied] =
            [Quantity::MassMatrix, Quantity::Applied].map(|it| self.derived.expressions(it));
        let [mass, applied] = [mass, applied].map(|all| self.readable(&all));
        let mut closed = Vec::new();
        if (n, rows) == (1, 0) {
            let acceleration = self.graph.div(applied[0], mass[0]);
            closed.push_each(self.vector(
                "closed_acceleration",
                "v\u{307}",
                &[acceleration],
                SHORT,
            ));
        }
        if rows == 1 && self.derived.equations.mass.is_diagonal() {
            let weights: Vec<ExprId> = (0..n).map(|i| mass[i * n + i]).collect_vec();
            let multiplier = self.multiplier(&weights, &applied);
            closed.push_each(self.vector("closed_multiplier", "λ", &[multiplier], SHORT));
        }
        closed
    }

    /// λ = −(β + J M⁻¹ h)/(J M⁻¹ Jᵀ), numerator and denominator multiplied by m if M = m I.
    fn multiplier(&mut self, weights: &[ExprId], applied: &[ExprId]) -> ExprId {
        let row = self.derived.expressions(Quantity::Jacobian);
        let mut bias = self.derived.expressions(Quantity::Bias)[0];
        let is_multiple = weights.iter().all(|&m| m == weights[0]);
        if is_multiple {
            bias = self.graph.mul(bias, weights[0]);
        }
        let (mut pushed, mut delassus) = (vec![(bias, Number::ONE)], Vec::new());
        for ((&j, &m), &h) in row.iter().zip(weights).zip(applied) {
            let response = if is_multiple { j } else { self.graph.div(j, m) };
            pushed.push((self.graph.mul(response, h), Number::ONE));
            delassus.push((self.graph.mul(response, j), Number::ONE));
        }
        let sums = [pushed, delassus].map(|terms| self.graph.sum(&terms));
        let sums = self.readable(&sums);
        let [pushed, delassus] = [0, 1].map_each(|i| sums[i]);
        let quotient = self.graph.div(pushed, delassus);
        self.graph.sum(&[(quotient, Number::MINUS_ONE)])
    }

    /// Each root with sines and cosines of two angles combined if its formula becomes shorter.
    fn readable(&mut self, roots: &[ExprId]) -> Vec<ExprId> {
        let Reader {
            derived,
            graph,
            printed,
            ..
        } = self;
        formula::readable(graph, roots, |graph, root| {
            list(derived, printed, graph, &[root], usize::MAX)
        })
    }

    /// `p`, or `p(q, v)` if the user has a name `p`.
    fn symbol(&self, symbol: &str) -> String {
        let mut declared = self.derived.system.declared.iter();
        if declared.any(|it| it.name == symbol) {
            return format!("{symbol}(q, v)");
        }
        self.printed.result(symbol, "q, v")
    }

    /// `None` if it has more symbols than `budget`.
    fn vector(
        &self,
        name: &'static str,
        symbol: &str,
        roots: &[ExprId],
        budget: usize,
    ) -> Option<Entry> {
        let symbol = self.symbol(symbol);
        let statement = self.statement(&symbol, roots, 0, budget)?;
        Some(Entry {
            name,
            symbol,
            statement,
            ..Entry::default()
        })
    }

    /// `None` if a part would be omitted.
    fn statement(
        &self,
        symbol: &str,
        roots: &[ExprId],
        columns: usize,
        budget: usize,
    ) -> Option<Statement> {
        let mut listing = list(self.derived, &self.printed, &self.graph, roots, budget);
        let results = std::mem::take(&mut listing.results);
        (listing.omitted == 0).then(|| {
            Statement::Formula(Equation::new(symbol.to_owned(), results, columns), listing)
        })
    }
}

fn list(
    derived: &Derived,
    printed: &Printed,
    graph: &Graph,
    roots: &[ExprId],
    budget: usize,
) -> Listing {
    let model = &derived.system.model;
    let symbol = |symbol: SymbolId| match symbol.index().checked_sub(model.symbols.len()) {
        Some(i) => acceleration(derived, i),
        None => printed.leaf(model, symbol),
    };
    listing::list(graph, &symbol, &printed.names(model), roots, budget)
}

/// `v̇_angle`
fn acceleration(derived: &Derived, i: usize) -> String {
    let coordinate = &derived.system.coordinates[i];
    let model = &derived.system.model;
    let shown = match model.graph.node(coordinate.velocity) {
        Node::Symbol(symbol) => model.symbols[symbol.index()].shown.as_deref(),
        _ => None,
    };
    let shown = shown.and_then(|it| it.strip_prefix("v_"));
    format!("v\u{307}_{}", shown.unwrap_or(&coordinate.name))
}
