//! The three macros as data: each stage of the pipeline for each of them, and what programs need of their derivations.

use crate::expr::CollectVec;
use proc_macro2::TokenStream;

use crate::certify::{self, Certificate, Refuted};
use crate::constraint;
use crate::curve;
use crate::diagnostic::Diagnostics;
use crate::emit;
#[cfg(feature = "export")]
use crate::emit::{Exported, Language};
use crate::function::leaves::Names;
use crate::function::{self, Entry, Function};
use crate::model::{self, Curve, Model, System};
use crate::syntax::{self, Sided};
use crate::syntax::{ast, statement};
use crate::system;

/// The functions of a type with their names and their certificate.
pub type Listed<'a> = (&'a Names, Vec<Function<'a>>, &'a Certificate);

/// A derivation; failing that, the model as far as stub items need it.
pub type OrModel<D, L> = Result<D, Option<Box<L>>>;

/// Lists functions, those for whose names a condition holds.
pub type List<D> = for<'a> fn(&'a D, &'a Names, &dyn Fn(&str) -> bool) -> Vec<Function<'a>>;

/// The stages of one macro, from its syntax tree `T` and its model `L` to its derivation `D`.
pub struct Macro<T, L, D> {
    /// Its name.
    pub word: &'static str,
    /// Reads a call; reports mistakes.
    pub parse: fn(TokenStream, &mut Diagnostics) -> Option<T>,
    /// Understands a call; reports mistakes.
    pub lower: fn(&T, &mut Diagnostics) -> Option<L>,
    /// Derives and solves; reports mistakes.
    pub derive: fn(L, &mut Diagnostics) -> OrModel<D, L>,
    /// The model that a derivation began with.
    pub lowered: fn(&D) -> &L,
    /// The names of leaves, arguments and results in functions.
    pub names: fn(&L) -> Names,
    /// The functions in the order in which they are emitted; of a system those for whose names a condition holds.
    pub functions: List<D>,
    /// Whether programs for people have headings.
    pub headed: bool,
    /// Compares the functions with the equations of the tree; fails with the first that differs.
    pub certify: fn(&T, &L, &[Function<'_>]) -> Result<Certificate, Refuted>,
    /// Typed Rust of the same names for IDEs.
    pub shim: fn(Option<&T>, Option<&L>) -> TokenStream,
    /// The generated items, with a shim, of a call.
    pub items: fn(&D, Listed<'_>, &TokenStream, &TokenStream) -> TokenStream,
    /// The errors, and items of the right names and shapes as far as they are known.
    pub stub: fn(Option<&T>, Option<&L>, &Diagnostics, &TokenStream) -> TokenStream,
}

/// `constraint! { … }`
pub const CONSTRAINT: Macro<ast::Constraint, Model, constraint::Derived> = Macro {
    word: "constraint",
    parse: syntax::parse,
    lower: model::lower,
    derive: |model, diagnostics| constraint::derive(model, diagnostics).ok_or(None),
    lowered: |derived| &derived.model,
    names: function::constraint::names,
    functions: |derived, names, _| function::constraint::functions(derived, names),
    headed: true,
    certify: certify::constraint,
    shim: |tree, _| model::shim(tree),
    items: |derived, (names, functions, certificate), shim, source| {
        emit::constraint(derived, (names, &functions, certificate), shim, source)
    },
    stub: |tree, _, diagnostics, shim| emit::stub(tree, diagnostics, shim),
};

/// `constraint! { … }` with rows of one side, the system of its points.
pub const SIDED: Macro<Sided, System, system::Derived> = Macro {
    word: "constraint",
    parse: syntax::parse_sided,
    lower: |tree, diagnostics| {
        let mut system = model::lower_system(&tree.system, diagnostics);
        system.options.of_points = true;
        Some(system)
    },
    derive: SYSTEM.derive,
    lowered: SYSTEM.lowered,
    names: SYSTEM.names,
    functions: SYSTEM.functions,
    headed: SYSTEM.headed,
    certify: |tree, system, functions| certify::system(&tree.system, system, functions),
    shim: |tree, _| tree.map_or_else(TokenStream::new, |it| model::sided_shim(&it.written)),
    items: SYSTEM.items,
    stub: |tree, system, diagnostics, shim| {
        (SYSTEM.stub)(tree.map(|it| &it.system), system, diagnostics, shim)
    },
};

/// `curve! { … }`
pub const CURVE: Macro<ast::Curve, Curve, curve::Derived> = Macro {
    word: "curve",
    parse: syntax::parse_curve,
    lower: model::lower_curve,
    derive: |curve, diagnostics| curve::derive(curve, diagnostics).ok_or(None),
    lowered: |derived| &derived.curve,
    names: |curve| function::curve::names(&curve.model),
    functions: |derived, names, _| function::curve::functions(derived, names),
    headed: false,
    certify: |tree, curve, functions| certify::curve(tree, &curve.model, functions),
    shim: |tree, _| model::curve_shim(tree),
    items: |derived, (names, functions, certificate), shim, source| {
        emit::curve(derived, (names, &functions, certificate), shim, source)
    },
    stub: |tree, _, diagnostics, shim| emit::curve_stub(tree, diagnostics, shim),
};

/// `system! { … }`
pub const SYSTEM: Macro<statement::System, System, system::Derived> = Macro {
    word: "system",
    parse: syntax::parse_system,
    lower: |tree, diagnostics| Some(model::lower_system(tree, diagnostics)),
    derive: |system, diagnostics| system::derive(system, diagnostics).map_err(Some),
    lowered: |derived| &derived.system,
    names: function::system::names,
    functions: |derived, names, is_among| {
        function::system::functions_among(derived, names, is_among)
    },
    headed: true,
    certify: certify::system,
    shim: |tree, system| match tree.zip(system) {
        Some((tree, system)) => model::system_shim(tree, system),
        None => TokenStream::new(),
    },
    items: emit::system,
    stub: |tree, system, diagnostics, shim| {
        let Some(tree) = tree.filter(|_| system.is_none()) else {
            let parsed = tree.map(|tree| &tree.header).zip(system);
            return emit::system_stub(parsed, diagnostics, shim);
        };
        // The model is unknown, so that the struct alone remains.
        let bare = statement::System {
            statements: Vec::new(),
            ..tree.clone()
        };
        let system = model::lower_system(&bare, &mut Diagnostics::default());
        emit::system_stub(Some((&bare.header, &system)), diagnostics, shim)
    },
};

/// The derivation of a call.
#[derive(Clone, Copy, Debug)]
pub enum Derived<'a> {
    /// `constraint!`, unless it has rows of one side: those are systems.
    Constraint(&'a constraint::Derived),
    /// `curve!`
    Curve(&'a curve::Derived),
    /// `system!`, or `constraint!` with rows of one side.
    System(&'a system::Derived),
}

/// A derivation, whichever macro's it is.
pub trait Derivation {
    /// Parameters, leaves and rows.
    fn model(&self) -> &Model;

    /// The derivation itself.
    fn derived(&self) -> Derived<'_>;

    /// The derivation in the order of the theory, with the costs of the functions.
    fn entries<'a>(&'a self, names: &'a Names, functions: Vec<Function<'a>>) -> Vec<Entry>;

    /// The derivation as MathML in Markdown.
    fn mathml(&self) -> String;

    /// The functions in another language.
    #[cfg(feature = "export")]
    fn exported(&self, listed: (&Names, &[Function<'_>]), language: &dyn Language) -> Exported;

    /// Per row, whether it is a relation of positions; none of a curve.
    fn holonomic(&self) -> Vec<bool> {
        Vec::new()
    }

    /// Its size in words: `4 coordinates, 2 constraint rows`.
    fn size(&self) -> String;

    /// The system, if it is one.
    fn system(&self) -> Option<&system::Derived> {
        None
    }

    /// Whether it is a curve in the plane.
    fn is_plane(&self) -> bool {
        false
    }
}

impl Derivation for constraint::Derived {
    fn model(&self) -> &Model {
        &self.model
    }

    fn derived(&self) -> Derived<'_> {
        Derived::Constraint(self)
    }

    fn entries<'a>(&'a self, names: &'a Names, functions: Vec<Function<'a>>) -> Vec<Entry> {
        emit::constraint_derivation(self, names, functions)
    }

    fn mathml(&self) -> String {
        emit::mathml(self)
    }

    #[cfg(feature = "export")]
    fn exported(&self, listed: (&Names, &[Function<'_>]), language: &dyn Language) -> Exported {
        emit::constraint_functions(self, listed, language)
    }

    fn holonomic(&self) -> Vec<bool> {
        self.holonomic.clone()
    }

    fn size(&self) -> String {
        let rows = counted(self.model.rows.len(), "constraint row");
        match self.model.bodies.len() {
            0 => {
                let coordinates = counted(self.model.coordinate_count(), "coordinate");
                format!("{coordinates}, {rows}")
            }
            1 => format!("1 body, {rows}"),
            bodies => format!("{bodies} bodies, {rows}"),
        }
    }
}

impl Derivation for curve::Derived {
    fn model(&self) -> &Model {
        &self.curve.model
    }

    fn derived(&self) -> Derived<'_> {
        Derived::Curve(self)
    }

    fn entries<'a>(&'a self, names: &'a Names, functions: Vec<Function<'a>>) -> Vec<Entry> {
        emit::curve_derivation(self, names, functions)
    }

    fn mathml(&self) -> String {
        emit::curve_mathml(self)
    }

    #[cfg(feature = "export")]
    fn exported(&self, listed: (&Names, &[Function<'_>]), language: &dyn Language) -> Exported {
        emit::curve_functions(self, listed, language)
    }

    fn size(&self) -> String {
        match self.dimension() {
            2 => "a curve in the plane".to_owned(),
            _ => "a curve in space".to_owned(),
        }
    }

    fn is_plane(&self) -> bool {
        self.dimension() == 2
    }
}

impl Derivation for system::Derived {
    fn model(&self) -> &Model {
        &self.system.model
    }

    fn derived(&self) -> Derived<'_> {
        Derived::System(self)
    }

    fn entries<'a>(&'a self, names: &'a Names, functions: Vec<Function<'a>>) -> Vec<Entry> {
        emit::system_derivation(self, names, functions)
    }

    fn mathml(&self) -> String {
        emit::system_mathml(self)
    }

    #[cfg(feature = "export")]
    fn exported(&self, listed: (&Names, &[Function<'_>]), language: &dyn Language) -> Exported {
        emit::system_functions(self, listed, language)
    }

    fn holonomic(&self) -> Vec<bool> {
        let rows = self.equations.rows.iter();
        rows.map(|row| row.holonomic).collect_vec()
    }

    fn size(&self) -> String {
        let coordinates = counted(self.system.scalars(), "coordinate");
        let rows = counted(self.rows(), "constraint row");
        format!("{coordinates}, {rows}")
    }

    fn system(&self) -> Option<&system::Derived> {
        Some(self)
    }
}

fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}
