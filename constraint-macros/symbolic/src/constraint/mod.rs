//! Constraints outside a system, on points or between bodies: C, J, Ċ, J̇, β, J W Jᵀ, λ and f̂ for masses that the
//! caller supplies.
//!
//! Input: a [`Model`]. Output: a [`Derived`]. Constraints between bodies are derived with the arms r = R u as leaves;
//! the rotations are substituted last, in the cheaper of two forms for each body.

mod leaves;
mod sensitivity;

pub use crate::solve::Quantity;

use self::leaves::Leaves;
use self::sensitivity::Varied;
use crate::check;
use crate::diagnostic::{Diagnostics, catalogue};
use crate::dynamics::{Derivation, Row, Turned};
use crate::expr::{CollectVec, ExprId, Graph, PushEach, SymbolId};
use crate::model::{Model, System};
use crate::schedule::{self, Meaning, Meanings, Program, Root, Rows};
use crate::solve::{self, Computed, Form, Mass, Multipliers, ScaledRow, Schur, Sparse};
use crate::undefined::Undefined;

/// Up to this number of rows between bodies, λ has a closed form; beyond, a numeric elimination is as fast and shorter.
const CLOSED_ROWS: usize = 3;

/// A constraint with all derived quantities.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes and expressions.
    pub model: Model,
    /// For each row, true for a constraint on positions; the others are relations Φ(q, v, t) = 0.
    pub holonomic: Vec<bool>,
    /// The quantities, in every form that may be cheapest; arms are leaves.
    pub forms: Vec<Form>,
    /// Where results are not finite though all pivots are good.
    pub undefined: Undefined,
    /// The quantities with the definitions of arms; only between bodies.
    turned: Vec<Form>,
    /// The user's names and those of the arms in `turned`.
    turned_names: Vec<(ExprId, String)>,
    /// The meanings of expressions that programs bind, without and with the definitions of arms.
    meanings: Vec<(ExprId, Meaning)>,
    turned_meanings: Vec<(ExprId, Meaning)>,
}

/// Derives all quantities of a model; reports mistakes and then returns `None`.
pub fn derive(mut model: Model, diagnostics: &mut Diagnostics) -> Option<Derived> {
    let leaves = leaves::add(&mut model);
    let requested = model.derivatives();
    if let Some(range) = requested.filter(|_| leaves.particle.is_none()) {
        diagnostics.push(catalogue::derivatives_between_bodies(range));
        return None;
    }
    let varied = requested.map(|_| Varied::new(&mut model, &leaves));
    let (mut model, rows, equations) = equations(model, &leaves);
    let (zero, n) = (model.graph.zero(), leaves.coordinates.len());
    let jacobian: Vec<Vec<ExprId>> = rows.iter().map(|row| dense(row, n, zero)).collect_vec();
    let all = || {
        equations
            .values()
            .flat_map(|it| it.outputs.clone())
            .collect_vec()
    };
    let sound = check::affine(&model, &jacobian, diagnostics)
        && check::constants(&model, &model.graph, all, diagnostics)
        && check::independent(&model, &jacobian, diagnostics);
    if !sound {
        return None;
    }
    let mut derived = Derived {
        holonomic: rows.iter().map(|row| row.holonomic).collect_vec(),
        forms: Vec::new(),
        undefined: Undefined::default(),
        turned: Vec::new(),
        turned_names: Vec::new(),
        meanings: Vec::new(),
        turned_meanings: Vec::new(),
        model,
    };
    let graph = &mut derived.model.graph;
    let pairs = rows.iter().enumerate();
    let meanings = pairs.flat_map(|(r, row)| row.meanings(graph, r, &leaves.coordinates));
    let mut meanings: Vec<(ExprId, Meaning)> = meanings.collect_vec();
    let solved = match leaves.particle {
        Some(mass) => of_points(
            graph,
            &leaves,
            mass,
            (&rows, &mut meanings),
            varied.as_ref(),
        ),
        None => of_bodies(graph, &leaves, (&rows, &mut meanings)),
    };
    schedule::keep_first(graph, &mut meanings);
    derived.meanings = meanings;
    let whole = |mut form: Form| {
        form.extend(equations.clone());
        form
    };
    derived.forms = solved.into_iter().map(whole).collect_vec();
    derived.find_undefined(&rows);
    derived.turn();
    let model = &derived.model;
    check::constants(model, &model.graph, || derived.results(), diagnostics).then_some(derived)
}

/// The rows, and the quantities that need no solution of a linear system.
fn equations(model: Model, leaves: &Leaves) -> (Model, Vec<Row>, Form) {
    let mut system = System::bare(model, leaves.coordinates.clone());
    let mut derivation = Derivation::new(&mut system);
    let roots = system.model.rows.iter().map(|row| row.root);
    let roots: Vec<ExprId> = roots.collect_vec();
    if leaves.particle.is_none() {
        // J before Ċ, which has many parts between bodies: names and order follow the order of creation.
        roots.iter().for_each(|&root| _ = derivation.jacobian(root));
    }
    let rows: Vec<Row> = roots.iter().map(|&root| derivation.row(root)).collect_vec();
    name_rates(&mut system.model, &mut derivation);
    let of = |get: fn(&Row) -> ExprId| Computed::plain(rows.iter().map(get).collect_vec());
    let (zero, n) = (derivation.graph.zero(), leaves.coordinates.len());
    let jacobian: Vec<ExprId> = rows
        .iter()
        .flat_map(|row| dense(row, n, zero))
        .collect_vec();
    let mut equations = Form::from([
        (Quantity::Value, of(|row| row.value)),
        (Quantity::Jacobian, Computed::plain(jacobian.clone())),
        (Quantity::Rate, of(|row| row.rate)),
        (Quantity::Bias, of(|row| row.bias)),
    ]);
    if leaves.particle.is_some() {
        let rates = jacobian.iter().map(|&entry| derivation.rate(entry));
        equations.insert(Quantity::JacobianDot, Computed::plain(rates.collect_vec()));
    }
    let mut model = system.model;
    model.graph = derivation.graph;
    (model, rows, equations)
}

fn dense(row: &Row, n: usize, zero: ExprId) -> Vec<ExprId> {
    let mut dense = vec![zero; n];
    row.jacobian.iter().for_each(|&(i, entry)| dense[i] = entry);
    dense
}

/// Names the rates of the user's definitions: `d_dot.x` for `d.x`.
fn name_rates(model: &mut Model, derivation: &mut Derivation) {
    for (id, name) in model.names.clone() {
        let rate = derivation.rate(id);
        if derivation.graph.as_number(rate).is_none() {
            let name = match name.split_once('.') {
                Some((name, component)) => format!("{name}_dot.{component}"),
                None => format!("{name}_dot"),
            };
            model.names.push((rate, name));
        }
    }
}

/// λ and f̂ for inverse masses on every coordinate, and for one particle, with rows scaled in two ways.
fn of_points(
    graph: &mut Graph,
    leaves: &Leaves,
    mass: ExprId,
    (rows, meanings): (&[Row], &mut Vec<(ExprId, Meaning)>),
    varied: Option<&Varied>,
) -> Vec<Form> {
    let mut scalings = [false, true].map(|roots| {
        let rows = rows.iter();
        let scaled = rows.map(|row| ScaledRow::new(graph, &row.jacobian, row.bias, roots));
        scaled.collect_vec()
    });
    let scalings = if scalings[0] == scalings[1] {
        &mut scalings[..1]
    } else {
        &mut scalings[..]
    };
    let n = leaves.coordinates.len();
    let masses = Sparse {
        n,
        entries: (0..n).map(|i| ((i, i), mass)).collect(),
    };
    let form = |rows: &mut Vec<ScaledRow>| {
        let mut eliminated = |mass: Mass<'_>| {
            let schur = Schur::new(graph, mass, &leaves.forces, rows.clone());
            let schur = schur.eliminated(graph);
            let b = schur.force_side(graph);
            let found = schur.solve(graph, &b, "lambda");
            (schur, found)
        };
        let (general, found) = eliminated(Mass::Inverse(&leaves.inverse_mass, None));
        let (particle, of_particle) = eliminated(Mass::Matrix(&masses, &[mass]));
        for (schur, found) in [(&general, &found), (&particle, &of_particle)] {
            // If there is one row, its matrix has a name already.
            if rows.len() > 1 {
                meanings.push_each(schur.meanings());
            }
            meanings.extend(&found.meanings);
        }
        let b = general.side(graph, &leaves.right_hand_side);
        let given = general.solve(graph, &b, "lambda");
        let [solution, of_all, of_one] = [
            (&general, &given),
            (&general, &found),
            (&particle, &of_particle),
        ]
        .map(|(schur, found)| multipliers(graph, schur, found));
        let derivatives =
            varied.map(|it| sensitivity::derivatives(graph, it, leaves, &general, &found));
        let mut form = Form::from([
            (Quantity::Multipliers, of_all),
            (Quantity::Force, force(graph, &general, &found)),
            (Quantity::ParticleMultipliers, of_one),
            (
                Quantity::ParticleForce,
                force(graph, &particle, &of_particle),
            ),
            (Quantity::Solution, solution),
        ]);
        form.extend(derivatives.unwrap_or_default());
        form
    };
    scalings.iter_mut().map(form).collect_vec()
}

/// J W Jᵀ and λ for four right-hand sides; no λ if there are too many rows.
fn of_bodies(
    graph: &mut Graph,
    leaves: &Leaves,
    (rows, meanings): (&[Row], &mut Vec<(ExprId, Meaning)>),
) -> Vec<Form> {
    let plain: Vec<ScaledRow> = rows.iter().map(|row| row.scaled.clone()).collect_vec();
    let mass = Mass::Inverse(&leaves.inverse_mass, None);
    let schur = Schur::new(graph, mass, &leaves.forces, plain);
    let squared = schur.squared(graph, &leaves.inverse_mass);
    let form = |schur: Schur| {
        let mut form = Form::from([(Quantity::Delassus, Computed::plain(schur.full(graph)))]);
        if rows.len() > CLOSED_ROWS {
            return form;
        }
        let schur = schur.eliminated(graph);
        meanings.push_each(schur.meanings());
        let stop: Vec<ExprId> = rows.iter().map(|row| graph.neg(row.rate)).collect_vec();
        let hold: Vec<ExprId> = rows.iter().map(|row| graph.neg(row.bias)).collect_vec();
        let sides = [
            (Quantity::Solution, leaves.right_hand_side.clone()),
            (Quantity::Impulses, stop),
            (Quantity::Multipliers, schur.force_side(graph)),
            (Quantity::FreeMultipliers, hold),
        ];
        for (quantity, b) in sides {
            let found = schur.solve(graph, &b, "lambda");
            meanings.extend(&found.meanings);
            form.insert(quantity, multipliers(graph, &schur, &found));
        }
        form
    };
    [Some(schur), squared]
        .into_iter()
        .flatten()
        .map(form)
        .collect_vec()
}

/// λ of the rows as written.
fn multipliers(graph: &mut Graph, schur: &Schur, found: &Multipliers) -> Computed {
    let outputs = schur.unscaled(graph, &found.unknowns);
    Computed::of(outputs, found).in_any_order()
}

/// Jᵀ λ
fn force(graph: &mut Graph, schur: &Schur, found: &Multipliers) -> Computed {
    let outputs = schur.force(graph, &found.unknowns);
    Computed::of(outputs, found).in_any_order()
}

impl Derived {
    /// Finds where λ or f̂ is not finite though all pivots are good.
    fn find_undefined(&mut self, rows: &[Row]) {
        let solved = [
            Quantity::Multipliers,
            Quantity::Force,
            Quantity::ParticleForce,
            Quantity::Impulses,
        ];
        let mut ways = Vec::new();
        for form in &self.forms {
            let computed = solved.iter().filter_map(|it| form.get(it));
            ways.push_each(computed.map(Computed::pivots));
        }
        self.undefined = Undefined::of_rows(&mut self.model, rows, &ways);
        if !self.undefined.0.is_empty() {
            let at = self.undefined.0.iter().map(|it| it.place.at());
            let at = Computed::plain(at.collect_vec());
            for form in &mut self.forms {
                form.insert(Quantity::Undefined, at.clone());
            }
        }
    }

    /// Substitutes the definitions of arms in all forms.
    fn turn(&mut self) {
        if self.model.bodies.is_empty() {
            return;
        }
        let results = self.results();
        let turned = Turned::new(&mut self.model, results);
        let map = |computed: &Computed| computed.mapped(|id| turned.get(id).unwrap_or(id));
        let form = |form: &Form| {
            form.iter()
                .map(|(&q, computed)| (q, map(computed)))
                .collect()
        };
        self.turned = self.forms.iter().map(form).collect_vec();
        let names = self.model.names.iter();
        let names = names.filter_map(|(id, name)| Some((turned.get(*id)?, name.clone())));
        self.turned_names = names.chain(turned.names.iter().cloned()).collect_vec();
        let meanings = self.meanings.iter();
        let meanings = meanings.filter_map(|&(id, meaning)| Some((turned.get(id)?, meaning)));
        self.turned_meanings = meanings.collect_vec();
    }

    /// True if λ has a closed form.
    pub fn is_closed(&self) -> bool {
        self.forms[0].contains_key(&Quantity::Solution)
    }

    /// A quantity in its most readable form, arms as leaves: on points the last form, whose rows have no common roots.
    pub fn computed(&self, quantity: Quantity) -> Option<&Computed> {
        let form = if self.model.bodies.is_empty() {
            self.forms.last()
        } else {
            self.forms.first()
        };
        form?.get(&quantity)
    }

    /// The expressions of a quantity.
    pub fn expressions(&self, quantity: Quantity) -> Vec<ExprId> {
        let computed = self.computed(quantity);
        computed.map_or_else(Vec::new, |it| it.outputs.clone())
    }

    /// The cheapest known program that computes the quantities, with outputs in their order.
    pub fn program(
        &self,
        quantities: &[Quantity],
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let (forms, names, meanings) = if self.turned.is_empty() {
            (&self.forms, &self.model.names, &self.meanings)
        } else {
            (&self.turned, &self.turned_names, &self.turned_meanings)
        };
        let (graph, meanings) = (&self.model.graph, self.called(meanings));
        solve::program(graph, forms, names, meanings, quantities, symbol_name)
    }

    fn called<'a>(&self, of: &'a [(ExprId, Meaning)]) -> Meanings<'a> {
        Meanings {
            of,
            rows: Rows::Numbered(self.holonomic.len()),
        }
    }

    /// The program with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity]) -> Program {
        self.program(quantities, &|symbol| self.name(symbol))
    }

    /// The program with the arms, in the world's frame, as arguments.
    pub fn program_of_arms(&self, quantities: &[Quantity]) -> Program {
        let Model { graph, names, .. } = &self.model;
        let meanings = self.called(&self.meanings);
        solve::program(graph, &self.forms, names, meanings, quantities, &|symbol| {
            self.name(symbol)
        })
    }

    fn name(&self, symbol: SymbolId) -> String {
        self.model.symbols[symbol.index()].name.clone()
    }

    /// All expressions that programs are built from.
    fn results(&self) -> Vec<ExprId> {
        let forms = self.forms.iter().chain(&self.turned);
        let roots = forms
            .flat_map(|form| form.values())
            .flat_map(Computed::roots);
        roots.flat_map(Root::values).collect_vec()
    }
}
