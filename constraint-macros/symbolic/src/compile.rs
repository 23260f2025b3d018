//! The pipeline: the table of contents of the compiler.
//!
//! ```text
//! tokens ─parse→ syntax tree ─lower→ model + graph ─derive→ equations ─solve→ λ, f̂ ─schedule→ programs ─emit→ Rust
//! ```

use proc_macro2::TokenStream;

use crate::curve;
use crate::diagnostic::Diagnostics;
use crate::dynamics::{self, Equations, ScaledRow};
use crate::emit;
use crate::expr::{ExprId, SymbolId};
use crate::joint::Joint;
use crate::model::{self, Model};
use crate::schedule::{self, Guard, Program, Root};
use crate::solve::{self, Multipliers};
use crate::syntax;
use crate::system;

/// `constraint! { … }`: the generated items, or the errors with stub items.
pub fn constraint(tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse(tokens.clone(), &mut diagnostics);
    let shim = model::shim(tree.as_ref());
    let model = tree
        .as_ref()
        .and_then(|tree| model::lower(tree, &mut diagnostics));
    let items = model.and_then(|model| match model.bodies.is_empty() {
        true => Some(emit::constraint(
            &derive(model, &mut diagnostics)?,
            &shim,
            &tokens,
        )),
        false => Some(emit::joint(&derive_joint(model, &mut diagnostics)?, &shim)),
    });
    items.unwrap_or_else(|| emit::stub(tree.as_ref(), &diagnostics, &shim))
}

/// The derivation of a valid call of `constraint!` as MathML in Markdown; empty for any other input.
pub fn derivation_mathml(tokens: TokenStream) -> String {
    analyze(tokens).map_or_else(|_| String::new(), |derived| emit::mathml(&derived))
}

/// The same as [`constraint`], stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, where the input is not a constraint.
pub fn analyze(tokens: TokenStream) -> Result<Derived, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let derived = syntax::parse(tokens, &mut diagnostics)
        .and_then(|tree| model::lower(&tree, &mut diagnostics))
        .and_then(|model| derive(model, &mut diagnostics));
    match derived {
        Some(derived) if diagnostics.is_empty() => Ok(derived),
        _ => Err(diagnostics),
    }
}

/// `curve! { … }`: the generated items, or the errors with stub items.
pub fn curve(tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse_curve(tokens.clone(), &mut diagnostics);
    let shim = model::curve_shim(tree.as_ref());
    let derived = tree
        .as_ref()
        .and_then(|tree| model::lower_curve(tree, &mut diagnostics))
        .and_then(|curve| curve::derive(curve, &mut diagnostics));
    match derived {
        Some(derived) if diagnostics.is_empty() => emit::curve(&derived, &shim, &tokens),
        _ => emit::curve_stub(tree.as_ref(), &diagnostics, &shim),
    }
}

/// The derivation of a valid call of `curve!` as MathML in Markdown; empty for any other input.
pub fn curve_mathml(tokens: TokenStream) -> String {
    analyze_curve(tokens).map_or_else(|_| String::new(), |derived| emit::curve_mathml(&derived))
}

/// The same as [`curve()`], stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, where the input is not a curve.
pub fn analyze_curve(tokens: TokenStream) -> Result<curve::Derived, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let derived = syntax::parse_curve(tokens, &mut diagnostics)
        .and_then(|tree| model::lower_curve(&tree, &mut diagnostics))
        .and_then(|curve| curve::derive(curve, &mut diagnostics));
    match derived {
        Some(derived) if diagnostics.is_empty() => Ok(derived),
        _ => Err(diagnostics),
    }
}

/// `system! { … }`: the generated items, or the errors with stub items.
pub fn system(tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse_system(tokens, &mut diagnostics);
    let Some(tree) = tree else {
        return emit::system_stub(None, &diagnostics, &TokenStream::new());
    };
    let system = model::lower_system(&tree, &mut diagnostics);
    let shim = model::system_shim(&tree, &system);
    match system::derive(system, &mut diagnostics) {
        Ok(derived) => emit::system(&derived, &shim),
        Err(system) => emit::system_stub(Some((&tree.header, &system)), &diagnostics, &shim),
    }
}

/// `system! { … }`, stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, where the input is not a system.
pub fn analyze_system(tokens: TokenStream) -> Result<system::Derived, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse_system(tokens, &mut diagnostics);
    let system = tree.map(|tree| model::lower_system(&tree, &mut diagnostics));
    let derived = system.map(|system| system::derive(system, &mut diagnostics));
    match derived {
        Some(Ok(derived)) => Ok(derived),
        _ => Err(diagnostics),
    }
}

/// What a program can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// C
    Value,
    /// J, row by row
    Jacobian,
    /// Ċ
    Rate,
    /// J̇, row by row
    JacobianDot,
    /// β = C̈ − J v̇
    Bias,
    /// λ for inverse masses w
    Multipliers,
    /// f̂ for inverse masses w
    Force,
    /// λ for one particle of mass m
    ParticleMultipliers,
    /// f̂ for one particle of mass m
    ParticleForce,
    /// λ of (J W Jᵀ) λ = b
    Solution,
}

impl Quantity {
    const ALL: [Quantity; 10] = [
        Quantity::Value,
        Quantity::Jacobian,
        Quantity::Rate,
        Quantity::JacobianDot,
        Quantity::Bias,
        Quantity::Multipliers,
        Quantity::Force,
        Quantity::ParticleMultipliers,
        Quantity::ParticleForce,
        Quantity::Solution,
    ];
}

/// λ and f̂ in their three forms, for one scaling of the rows.
#[derive(Clone, Debug)]
pub struct Forms {
    /// The rows as solved.
    pub rows: Vec<ScaledRow>,
    /// For inverse masses.
    pub general: Multipliers,
    /// For one particle.
    pub particle: Multipliers,
    /// For a given right-hand side.
    pub solution: Multipliers,
}

/// A constraint with all that follows from it.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes and expressions.
    pub model: Model,
    /// C, J, Ċ, J̇, β.
    pub equations: Equations,
    /// λ and f̂, for every way of scaling the rows that may be cheapest.
    pub forms: Vec<Forms>,
}

/// The same for a constraint between bodies.
///
/// # Errors
/// The diagnostics, where the input is not a constraint between bodies.
pub fn analyze_joint(tokens: TokenStream) -> Result<Joint, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let joint = syntax::parse(tokens, &mut diagnostics)
        .and_then(|tree| model::lower(&tree, &mut diagnostics))
        .filter(|model| !model.bodies.is_empty())
        .and_then(|model| derive_joint(model, &mut diagnostics));
    match joint {
        Some(joint) if diagnostics.is_empty() => Ok(joint),
        _ => Err(diagnostics),
    }
}

fn derive_joint(model: Model, diagnostics: &mut Diagnostics) -> Option<Joint> {
    let joint = Joint::new(model);
    let (model, jacobian) = (&joint.model, &joint.equations.jacobian);
    let sound = model::check_affine(model, jacobian, diagnostics)
        && model::check_equations(model, jacobian, diagnostics);
    let sound = sound && {
        let (graph, results) = (joint.turned_graph(), || joint.results());
        model::check_constants(model, graph, results, diagnostics)
    };
    sound.then_some(joint)
}

fn derive(mut model: Model, diagnostics: &mut Diagnostics) -> Option<Derived> {
    let equations = dynamics::derive(&mut model);
    let sound = model::check_constants(&model, &model.graph, || equations.all(), diagnostics)
        && model::check_equations(&model, &equations.jacobian, diagnostics);
    if !sound {
        return None;
    }
    let graph = &mut model.graph;
    let mut scalings = [false, true]
        .map(|roots| equations.scaled(graph, roots))
        .to_vec();
    scalings.dedup();
    let form = |rows: Vec<ScaledRow>| {
        let weighted = solve::Weighted::new(graph, &equations, &rows);
        Forms {
            general: solve::with_inverse_masses(graph, &equations, &weighted, &rows),
            particle: solve::with_mass(graph, &equations, &rows),
            solution: solve::with_right_hand_side(graph, &equations, &weighted, &rows),
            rows,
        }
    };
    let forms = scalings.into_iter().map(form).collect();
    let derived = Derived {
        model,
        equations,
        forms,
    };
    let model = &derived.model;
    model::check_constants(model, &model.graph, || derived.results(), diagnostics)
        .then_some(derived)
}

impl Derived {
    /// The cheapest program we know that computes the quantities, outputs in their order.
    pub fn program(
        &self,
        quantities: &[Quantity],
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let solved = quantities
            .iter()
            .any(|quantity| self.solved(*quantity, &self.forms[0]).is_some());
        let forms = if solved {
            &self.forms[..]
        } else {
            &self.forms[..1]
        };
        schedule::cheapest(forms.iter().map(|form| {
            let roots: Vec<Root> = quantities
                .iter()
                .flat_map(|q| self.roots(*q, form))
                .collect();
            schedule::schedule(
                &self.model.graph,
                &roots,
                &self.names(quantities, form),
                symbol_name,
            )
        }))
    }

    /// The program with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity]) -> Program {
        self.program(quantities, &|symbol| {
            self.model.symbols[symbol.index()].name.clone()
        })
    }

    /// The multipliers a quantity belongs to, if it is one that has to be solved for.
    pub fn solved<'a>(&self, quantity: Quantity, form: &'a Forms) -> Option<&'a Multipliers> {
        match quantity {
            Quantity::Multipliers | Quantity::Force => Some(&form.general),
            Quantity::ParticleMultipliers | Quantity::ParticleForce => Some(&form.particle),
            Quantity::Solution => Some(&form.solution),
            _ => None,
        }
    }

    /// The expressions of a quantity.
    pub fn expressions(&self, quantity: Quantity, form: &Forms) -> Vec<ExprId> {
        match quantity {
            Quantity::Value => self.equations.value.clone(),
            Quantity::Jacobian => self.equations.jacobian.concat(),
            Quantity::Rate => self.equations.rate.clone(),
            Quantity::JacobianDot => self.equations.jacobian_dot.concat(),
            Quantity::Bias => self.equations.bias.clone(),
            Quantity::Multipliers => form.general.multipliers.clone(),
            Quantity::Force => form.general.force.clone(),
            Quantity::ParticleMultipliers => form.particle.multipliers.clone(),
            Quantity::ParticleForce => form.particle.force.clone(),
            Quantity::Solution => form.solution.multipliers.clone(),
        }
    }

    /// All expressions that programs are made of.
    fn results(&self) -> Vec<ExprId> {
        let of_form = |form: &Forms| {
            let of = |&quantity: &Quantity| self.roots(quantity, form);
            let roots: Vec<Root> = Quantity::ALL.iter().flat_map(of).collect();
            roots.into_iter().flat_map(Root::expressions)
        };
        self.forms.iter().flat_map(of_form).collect()
    }

    /// Guards first, so that nothing is computed with a vanished pivot; then the outputs.
    fn roots(&self, quantity: Quantity, form: &Forms) -> Vec<Root> {
        let pivots = self
            .solved(quantity, form)
            .map_or(&[][..], |solved| &solved.pivots);
        let guards = pivots
            .iter()
            .filter(|pivot| !self.model.graph.is_positive(pivot.pivot))
            .map(|pivot| Root::Guard(Guard::of(&self.model.graph, pivot)));
        let outputs = self.expressions(quantity, form);
        guards
            .chain(outputs.into_iter().map(Root::Output))
            .collect()
    }

    /// The user's names, then those of the parts of the solution.
    fn names(&self, quantities: &[Quantity], form: &Forms) -> Vec<(ExprId, String)> {
        let mut names = self.model.names.clone();
        if let Some(solved) = quantities
            .iter()
            .find_map(|quantity| self.solved(*quantity, form))
        {
            let count = solved.unknowns.len();
            for (i, &unknown) in solved.unknowns.iter().enumerate() {
                names.push((unknown, dynamics::indexed("lambda", i, count)));
            }
            for pivot in &solved.pivots {
                names.push((pivot.pivot, pivot.name(count)));
            }
        }
        names
    }
}
