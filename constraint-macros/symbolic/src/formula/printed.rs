//! Names of leaves and results in a derivation. User names take precedence over generated ones.
//!
//! Input: the leaves of a model and the user's `let`s. Output: a name for each leaf and each result, so that no generated
//! name looks like a user's, neither in plain text nor typeset. If there is a parameter `v_x`, the velocity `v_x`
//! is printed `velocity(x)`; if there is a parameter `C`, the value `C` is printed `C(q)`. Users cannot write names
//! with such brackets.

use std::borrow::Cow;

use super::name::{self, greek};
use super::{Formula, latex, listing, text};
use crate::expr::{ExprId, Node, PushEach, SortedSet, SymbolId};
use crate::model::{Arm, Model, Role, Symbol};
use crate::syntax::ast::name_of;

/// Limit on the nodes of an argument that is printed within a name.
const SHORT: usize = 24;

/// The names of one derivation.
#[derive(Debug, Default)]
pub struct Printed {
    /// The user's names as they look when typeset.
    looks: SortedSet<String>,
    /// The letters and words at their beginnings.
    bases: SortedSet<String>,
}

impl Printed {
    /// Collects the typeset appearance of the user's names.
    pub fn new(model: &Model) -> Printed {
        let leaves = model.symbols.iter().filter(|leaf| is_users(leaf.role));
        let leaves = leaves.map(Symbol::printed);
        let lets = model.names.iter().map(|(_, name)| name.as_str());
        // An element looks like no generated name, because those have only names as subscripts.
        let users: SortedSet<&str> = leaves.chain(lets).filter(|it| !it.contains('[')).collect();
        Printed {
            looks: users.iter().map(|name| latex::symbol(name)).collect(),
            bases: users.iter().map(|name| base(name).to_owned()).collect(),
        }
    }

    /// The name of a leaf; a generated name that looks like a user's is replaced.
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

    /// The user's names of expressions, and `lift(angle)` for the value of a spline, `lift′(angle)` for its slope.
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
            names.push_each(values.map(named));
        }
        Cow::Owned(names)
    }

    /// A name, a sum of names, or dots for a longer expression.
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

    /// The name of an arm; its leaves are the components.
    pub fn arm(&self, model: &Model, arm: &Arm) -> String {
        let first = arm.leaves.first().map(|&leaf| model.graph.node(leaf));
        let name = match first {
            Some(Node::Symbol(symbol)) => self.leaf(model, *symbol),
            _ => arm.label.clone(),
        };
        let (name, _) = name.rsplit_once('.').unwrap_or((&name, ""));
        name.to_owned()
    }

    /// Suffix that distinguishes results for one particle of mass m from those with inverse masses.
    pub fn particle(&self) -> &'static str {
        if self.looks.contains("m") {
            "particle"
        } else {
            "m"
        }
    }

    /// The name of a result: `C`, or `C(q)` if the user has a `C`.
    pub fn result(&self, symbol: &str, arguments: &str) -> String {
        if self.looks.contains(&latex::symbol(symbol)) {
            format!("{symbol}({arguments})")
        } else {
            symbol.to_owned()
        }
    }
}

/// Whether a leaf has the user's name.
fn is_users(role: Role) -> bool {
    matches!(
        role,
        Role::Time | Role::Coordinate(_) | Role::Parameter { .. } | Role::Input(_) | Role::Place
    )
}

/// The letter or word at the beginning of a name; Greek letters by their names.
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
