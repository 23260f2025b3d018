//! The pipeline: the table of contents of the compiler.
//!
//! ```text
//! tokens ─parse→ syntax tree ─lower→ model + graph ─derive→ equations ─solve→ λ, f̂ ─schedule→ programs
//! ─certify→ programs that agree with the tree ─emit→ Rust
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::TokenStream;

use crate::constraint;
use crate::curve;
use crate::diagnostic::{Diagnostics, SourceRange, catalogue};
#[cfg(feature = "tools")]
use crate::function::headings;
use crate::macros::{CONSTRAINT, CURVE, Derivation, Macro, SIDED, SYSTEM};
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

/// A call of a macro: the generated items, or the errors with stub items.
pub(crate) fn expanded<T, L, D: Derivation>(
    of: &Macro<T, L, D>,
    reader: Reader,
    tokens: TokenStream,
) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tree = (of.parse)(tokens.clone(), &mut diagnostics);
    let lowered = tree
        .as_ref()
        .and_then(|it| (of.lower)(it, &mut diagnostics));
    let shim = (of.shim)(tree.as_ref(), lowered.as_ref());
    let derived = lowered.map_or(Err(None), |it| (of.derive)(it, &mut diagnostics));
    let (derived, tree) = match (derived, tree) {
        (Ok(derived), Some(tree)) if diagnostics.is_empty() => (derived, tree),
        (derived, tree) => {
            let lowered = derived.err().flatten();
            return (of.stub)(tree.as_ref(), lowered.as_deref(), &diagnostics, &shim);
        }
    };
    let lowered = (of.lowered)(&derived);
    let names = (of.names)(lowered);
    #[cfg_attr(not(feature = "tools"), allow(unused_mut))]
    let mut functions = (of.functions)(&derived, &names);
    match reader {
        Reader::Compiler => {}
        #[cfg(feature = "tools")]
        Reader::Person if of.headed => headings::head(&mut functions, derived.model().rows.len()),
        #[cfg(feature = "tools")]
        Reader::Person => {}
    }
    match (of.certify)(&tree, lowered, &functions) {
        Ok(certificate) => (of.items)(&derived, (&names, functions, &certificate), &shim, &tokens),
        Err(refuted) => {
            diagnostics.push(refuted.diagnostic());
            (of.stub)(Some(&tree), Some(lowered), &diagnostics, &shim)
        }
    }
}

/// The same, stopped before anything is written.
pub(crate) fn analyzed<T, L, D>(
    of: &Macro<T, L, D>,
    tokens: TokenStream,
) -> Result<D, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let tree = (of.parse)(tokens, &mut diagnostics);
    let lowered = tree.and_then(|tree| (of.lower)(&tree, &mut diagnostics));
    let derived = lowered.and_then(|it| (of.derive)(it, &mut diagnostics).ok());
    derived
        .filter(|_| diagnostics.is_empty())
        .ok_or(diagnostics)
}

/// The derivation of a valid call as MathML in Markdown; empty for any other input.
fn mathml<T, L, D: Derivation>(of: &Macro<T, L, D>, tokens: TokenStream) -> String {
    analyzed(of, tokens).map_or_else(|_| String::new(), |derived| derived.mathml())
}

/// `constraint! { … }`: the generated items, or the errors with stub items.
pub fn constraint(tokens: TokenStream) -> TokenStream {
    match syntax::has_sides(&tokens) {
        true => expanded(&SIDED, Reader::Compiler, tokens),
        false => expanded(&CONSTRAINT, Reader::Compiler, tokens),
    }
}

/// `curve! { … }`: the generated items, or the errors with stub items.
pub fn curve(tokens: TokenStream) -> TokenStream {
    expanded(&CURVE, Reader::Compiler, tokens)
}

/// `system! { … }`: the generated items, or the errors with stub items.
pub fn system(tokens: TokenStream) -> TokenStream {
    expanded(&SYSTEM, Reader::Compiler, tokens)
}

/// `library_joint!(Hinge)`: what `constraint!` makes of the text of a joint of the library; nothing of any other name.
pub fn library_joint(path: &TokenStream) -> TokenStream {
    let path: String = path.to_string().split_whitespace().collect();
    syntax::library_text(&path).map_or_else(TokenStream::new, constraint)
}

/// The same as [`constraint()`], stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, if the input is not a constraint.
pub fn analyze(tokens: TokenStream) -> Result<constraint::Derived, Diagnostics> {
    analyzed(&CONSTRAINT, tokens)
}

/// The same as [`curve()`], stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, if the input is not a curve.
pub fn analyze_curve(tokens: TokenStream) -> Result<curve::Derived, Diagnostics> {
    analyzed(&CURVE, tokens)
}

/// The same as [`system()`], stopped before anything is written: for tests, tools and build scripts.
///
/// # Errors
/// The diagnostics, if the input is not a system.
pub fn analyze_system(tokens: TokenStream) -> Result<system::Derived, Diagnostics> {
    analyzed(&SYSTEM, tokens)
}

/// The derivation of a valid call of `constraint!` as MathML in Markdown; empty for any other input.
pub fn derivation_mathml(tokens: TokenStream) -> String {
    match syntax::has_sides(&tokens) {
        true => mathml(&SIDED, tokens),
        false => mathml(&CONSTRAINT, tokens),
    }
}

/// The derivation of a valid call of `curve!` as MathML in Markdown; empty for any other input.
pub fn curve_mathml(tokens: TokenStream) -> String {
    mathml(&CURVE, tokens)
}

/// The derivation of a valid call of `system!` as MathML in Markdown; empty for any other input.
pub fn system_mathml(tokens: TokenStream) -> String {
    mathml(&SYSTEM, tokens)
}
