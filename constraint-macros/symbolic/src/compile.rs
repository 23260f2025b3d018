//! The pipeline: the table of contents of the compiler.
//!
//! ```text
//! tokens ─parse→ syntax tree ─lower→ model + graph ─derive→ equations ─solve→ λ, f̂ ─schedule→ programs
//! ─certify→ programs that agree with the tree ─emit→ Rust
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::TokenStream;

use crate::certify;
use crate::constraint;
use crate::curve;
use crate::diagnostic::{Diagnostics, SourceRange, catalogue};
use crate::emit;
use crate::function;
use crate::model;
use crate::syntax;
use crate::system;

/// What is expanded; should the engine panic, which it never may, one error at the call that asks for a report.
pub fn answered(expand: impl FnOnce() -> TokenStream) -> TokenStream {
    // Nothing that the closure holds outlives a panic.
    catch_unwind(AssertUnwindSafe(expand)).unwrap_or_else(|_| {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(catalogue::failed(SourceRange::call_site()));
        diagnostics.to_tokens()
    })
}

/// Whom an expansion is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// rustc.
    Compiler,
    /// A person: programs have headings.
    #[cfg(feature = "tools")]
    Person,
}

impl Reader {
    #[cfg_attr(not(feature = "tools"), allow(unused_variables))]
    fn head(self, functions: &mut [function::Function<'_>], rows: usize) {
        match self {
            Reader::Compiler => {}
            #[cfg(feature = "tools")]
            Reader::Person => function::headings::head(functions, rows),
        }
    }
}

/// `constraint! { … }`: the generated items, or the errors with stub items.
pub fn constraint(tokens: TokenStream) -> TokenStream {
    constraint_for(Reader::Compiler, tokens)
}

pub(crate) fn constraint_for(reader: Reader, tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse(tokens.clone(), &mut diagnostics);
    let shim = model::shim(tree.as_ref());
    let model = tree
        .as_ref()
        .and_then(|tree| model::lower(tree, &mut diagnostics));
    let derived = model.and_then(|model| constraint::derive(model, &mut diagnostics));
    let items = derived.zip(tree.as_ref()).and_then(|(derived, tree)| {
        let names = function::constraint::names(&derived.model);
        let mut functions = function::constraint::functions(&derived, &names);
        reader.head(&mut functions, derived.model.rows.len());
        let certificate = certify::constraint(tree, &derived.model, &functions);
        let certificate = certificate.map_err(|it| diagnostics.push(it.diagnostic()));
        let listed = (&names, &functions[..], &certificate.ok()?);
        Some(emit::constraint(&derived, listed, &shim, &tokens))
    });
    items.unwrap_or_else(|| emit::stub(tree.as_ref(), &diagnostics, &shim))
}

/// `library_joint!(Hinge)`: what `constraint!` makes of the text of a joint of the library; nothing of any other name.
pub fn library_joint(path: &TokenStream) -> TokenStream {
    let path: String = path.to_string().split_whitespace().collect();
    syntax::library_text(&path).map_or_else(TokenStream::new, constraint)
}

/// The derivation of a valid call of `constraint!` as MathML in Markdown; empty for any other input.
pub fn derivation_mathml(tokens: TokenStream) -> String {
    analyze(tokens).map_or_else(|_| String::new(), |derived| emit::mathml(&derived))
}

/// The same as [`constraint()`], stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, where the input is not a constraint.
pub fn analyze(tokens: TokenStream) -> Result<constraint::Derived, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let derived = syntax::parse(tokens, &mut diagnostics)
        .and_then(|tree| model::lower(&tree, &mut diagnostics))
        .and_then(|model| constraint::derive(model, &mut diagnostics));
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
    let derived = derived.filter(|_| diagnostics.is_empty());
    let items = derived.zip(tree.as_ref()).and_then(|(derived, tree)| {
        let model = &derived.curve.model;
        let names = function::curve::names(model);
        let functions = function::curve::functions(&derived, &names);
        let certificate = certify::curve(tree, model, &functions);
        let certificate = certificate.map_err(|it| diagnostics.push(it.diagnostic()));
        let listed = (&names, &functions[..], &certificate.ok()?);
        Some(emit::curve(&derived, listed, &shim, &tokens))
    });
    items.unwrap_or_else(|| emit::curve_stub(tree.as_ref(), &diagnostics, &shim))
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
    system_for(Reader::Compiler, tokens)
}

pub(crate) fn system_for(reader: Reader, tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tree = syntax::parse_system(tokens.clone(), &mut diagnostics);
    let Some(tree) = tree else {
        return emit::system_stub(None, &diagnostics, &TokenStream::new());
    };
    let system = model::lower_system(&tree, &mut diagnostics);
    let shim = model::system_shim(&tree, &system);
    let derived = match system::derive(system, &mut diagnostics) {
        Ok(derived) => derived,
        Err(system) => {
            return emit::system_stub(Some((&tree.header, &system)), &diagnostics, &shim);
        }
    };
    let names = function::system::names(&derived.system);
    let mut functions = function::system::functions(&derived, &names);
    reader.head(&mut functions, derived.rows());
    match certify::system(&tree, &derived.system, &functions) {
        Ok(certificate) => {
            emit::system(&derived, (&names, functions, &certificate), &shim, &tokens)
        }
        Err(refuted) => {
            diagnostics.push(refuted.diagnostic());
            let parsed = Some((&tree.header, &derived.system));
            emit::system_stub(parsed, &diagnostics, &shim)
        }
    }
}

/// The derivation of a valid call of `system!` as MathML in Markdown; empty for any other input.
pub fn system_mathml(tokens: TokenStream) -> String {
    analyze_system(tokens).map_or_else(|_| String::new(), |derived| emit::system_mathml(&derived))
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
