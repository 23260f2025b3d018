//! What a derivation calls its leaves and results: the user's names stay, ours give way to them.
//!
//! Input: the leaves of a model and the user's `let`s. Output: a name for each leaf and each result, so that no name
//! of ours looks like one of the user's, neither in plain text nor typeset. A velocity `v_x` beside a parameter
//! `v_x` is printed `velocity(x)`, the value `C` beside a parameter `C` is printed `C(q)`; with its brackets
//! such a name is none that a user can write.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::name::{self, greek};
use super::{Formula, latex, listing, text};
use crate::expr::{ExprId, Node, SymbolId};
use crate::model::{Arm, Model, Role, Symbol};
use crate::syntax::ast::name_of;

/// So many nodes an argument may have that is read within a name.
const SHORT: usize = 24;

/// The names of one derivation.
#[derive(Debug, Default)]
pub struct Printed {
    /// The user's names as they look when typeset.
    looks: BTreeSet<String>,
    /// The letters and words that those begin with.
    bases: BTreeSet<String>,
}

impl Printed {
    /// Finds how the user's names look.
    pub fn new(model: &Model) -> Printed {
        let leaves = model.symbols.iter().filter(|leaf| is_users(leaf.role));
        let leaves = leaves.map(Symbol::printed);
        let lets = model.names.iter().map(|(_, name)| name.as_str());
        // An element looks like no name of ours, whose subscripts are names.
        let users: BTreeSet<&str> = leaves.chain(lets).filter(|it| !it.contains('[')).collect();
        Printed {
            looks: users.iter().map(|name| latex::symbol(name)).collect(),
            bases: users.iter().map(|name| base(name).to_owned()).collect(),
        }
    }

    /// The name of a leaf; one of ours that looks like one of the user's gives way.
    pub fn leaf(&self, model: &Model, symbol: SymbolId) -> String {
        let leaf = &model.symbols[symbol.index()];
        let printed = leaf.printed();
        let alike = !is_users(leaf.role) && self.bases.contains(base(printed));
        if alike && self.looks.contains(&latex::symbol(printed)) {
            in_words(model, leaf)
        } else {
            printed.to_owned()
        }
    }

    /// The user's names of expressions, and `lift(angle)` for what a spline gives, `lift′(angle)` for its slope.
    pub fn names<'a>(&self, model: &'a Model) -> Cow<'a, [(ExprId, String)]> {
        if model.splines.is_empty() {
            return Cow::Borrowed(&model.names);
        }
        let mut names = model.names.clone();
        for spline in &model.splines {
            let argument = self.short(model, spline.argument);
            let [first, second] = spline.slopes;
            let values = [(spline.value, ""), (first, "′"), (second, "″")];
            let named = |(id, mark)| (id, format!("{}{mark}({argument})", spline.name));
            names.extend(values.map(named));
        }
        Cow::Owned(names)
    }

    /// A name, a sum of names, or dots for what takes more.
    fn short(&self, model: &Model, id: ExprId) -> String {
        let symbol = |symbol| self.leaf(model, symbol);
        let listing = listing::list(&model.graph, &symbol, &model.names, &[id], SHORT);
        let is_name = |formula: &Formula| matches!(formula, Formula::Symbol(_));
        match listing.results.first() {
            Some(formula) if is_name(formula) => text::expression(formula),
            Some(formula @ Formula::Sum(terms))
                if !terms[0].negative && terms.iter().all(|it| is_name(&it.formula)) =>
            {
                text::expression(formula)
            }
            _ => "…".to_owned(),
        }
    }

    /// The name of an arm, of which its leaves are the components.
    pub fn arm(&self, model: &Model, arm: &Arm) -> String {
        let first = arm.leaves.first().map(|&leaf| model.graph.node(leaf));
        let name = match first {
            Some(Node::Symbol(symbol)) => self.leaf(model, *symbol),
            _ => arm.label.clone(),
        };
        let (name, _) = name.rsplit_once('.').unwrap_or((&name, ""));
        name.to_owned()
    }

    /// What tells a result for one particle of mass m from the same for inverse masses.
    pub fn particle(&self) -> &'static str {
        if self.looks.contains("m") {
            "particle"
        } else {
            "m"
        }
    }

    /// The name of a result: `C`, or `C(q)` where the user has a `C`.
    pub fn result(&self, symbol: &str, arguments: &str) -> String {
        if self.looks.contains(&latex::symbol(symbol)) {
            format!("{symbol}({arguments})")
        } else {
            symbol.to_owned()
        }
    }
}

/// Whether a leaf is called as the user called it.
fn is_users(role: Role) -> bool {
    matches!(
        role,
        Role::Time | Role::Coordinate(_) | Role::Parameter { .. } | Role::Input(_) | Role::Place
    )
}

/// The letter or word that a name begins with, Greek letters by their names.
fn base(name: &str) -> &str {
    let base = name::base(name);
    greek(base).map_or(base, |(letter, _)| letter)
}

/// `velocity(x)` for `v_x`, `velocity(a).x` for `v_a.x`, `dir(a, r).x` for `a_r.x`.
fn in_words(model: &Model, leaf: &Symbol) -> String {
    let (stem, component) = match leaf.printed().split_once('.') {
        Some((stem, component)) => (stem, format!(".{component}")),
        None => (leaf.printed(), String::new()),
    };
    if let Role::Arm { arm, .. } = leaf.role {
        let body = name_of(&model.bodies[model.arms[arm].body].name);
        let vector = stem.strip_prefix(&body).unwrap_or(stem);
        return format!("dir({body}, {}){component}", vector.trim_start_matches('_'));
    }
    if let [parameter] = &model.coordinates[..]
        && stem == format!("{}_dot", name_of(&parameter.name))
    {
        return format!("velocity({})", name_of(&parameter.name));
    }
    let of = stem.split_once('_').map_or("particle", |(_, of)| of);
    let word = match leaf.role {
        Role::Velocity(_) if stem.starts_with("omega_") => "angular_velocity",
        Role::Velocity(_) => "velocity",
        Role::Acceleration(_) if stem.starts_with("alpha_") => "angular_acceleration",
        Role::Acceleration(_) => "acceleration",
        Role::Reaction(_) => "multiplier",
        Role::Force(_) if stem.starts_with("tau_") => "torque",
        Role::Force(_) => "force",
        Role::InverseMass(_) => "inverse_mass",
        Role::InverseInertia(_) => "inverse_inertia",
        Role::Mass => "mass",
        Role::Damping => "damping",
        _ => stem,
    };
    format!("{word}({of}){component}")
}
