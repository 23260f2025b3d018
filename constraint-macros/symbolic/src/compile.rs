//! The pipeline: the table of contents of the compiler.
//!
//! ```text
//! tokens ─parse→ syntax tree ─lower→ model + graph ─derive→ equations ─solve→ λ, f̂ ─schedule→ programs
//! ─certify→ programs that agree with the tree ─emit→ Rust
//! ```

use proc_macro2::TokenStream;

use crate::certify::Certificate;
use crate::constraint;
use crate::curve;
use crate::diagnostic::Diagnostics;
#[cfg(feature = "export")]
use crate::emit::{Exported, Language};
#[cfg(feature = "export")]
use crate::function::Entry;
use crate::function::Function;
#[cfg(feature = "export")]
use crate::function::headings;
use crate::function::leaves::Names;
#[cfg(feature = "export")]
use crate::macros::Derived;
use crate::macros::{CONSTRAINT, CURVE, Derivation, Macro, SIDED, SYSTEM};
use crate::panicked::{Panicked, Stage, guarded};
use crate::syntax;
use crate::system;

/// The tokens, or one error at the call if the engine panics.
pub fn answered(expand: impl FnOnce() -> TokenStream) -> TokenStream {
    guarded(expand).unwrap_or_else(|it| it.diagnostics().to_tokens())
}

/// Whom functions are listed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// rustc.
    Compiler,
    /// A person: programs have headings.
    #[cfg(feature = "export")]
    Person,
    /// A program that runs them, or needs their costs.
    #[cfg(feature = "export")]
    Program,
    /// The same; of a system only the functions with these names.
    #[cfg(feature = "export")]
    Among(&'static [&'static str]),
}

impl Reader {
    fn reads(self, name: &str) -> bool {
        #[cfg(feature = "export")]
        if let Reader::Among(names) = self {
            return names.contains(&name);
        }
        let _ = name;
        true
    }
}

/// A derivation with its functions, all of which agree with the text.
///
/// Only this module makes one, so that nothing is printed, exported, explained or run without having been compared.
#[derive(Debug)]
pub struct Certified<'a, D: ?Sized = dyn Derivation + 'a> {
    derivation: &'a D,
    names: &'a Names,
    functions: Vec<Function<'a>>,
    certificate: Certificate,
}

#[cfg(feature = "export")]
impl<'a> Certified<'a> {
    /// The common interface of the three derivations.
    pub fn derivation(&self) -> &'a dyn Derivation {
        self.derivation
    }

    /// The derivation itself.
    pub fn derived(&self) -> Derived<'a> {
        self.derivation.derived()
    }

    /// The names of leaves and arguments.
    pub fn names(&self) -> &'a Names {
        self.names
    }

    /// The functions.
    pub fn functions(&self) -> &[Function<'a>] {
        &self.functions
    }

    /// Which of them agree with the text, and why others have not been compared.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// The derivation in the order of the theory, with the costs of the functions.
    pub fn entries(self) -> Vec<Entry> {
        self.derivation.entries(self.names, self.functions)
    }

    /// The functions in another language.
    pub fn exported(&self, language: &dyn Language) -> Exported {
        self.derivation
            .exported((self.names, &self.functions), language)
    }
}

/// What stub items need of a call with errors.
struct Refused<'a, T, L> {
    tree: Option<&'a T>,
    lowered: Option<&'a L>,
    diagnostics: &'a Diagnostics,
}

/// All stages before anything is written: whatever becomes of a call passes here. `then` is also handed the shim that the
/// compiler's expansion begins with.
fn judged<T, L, D: Derivation, R>(
    of: &Macro<T, L, D>,
    reader: Reader,
    tokens: TokenStream,
    then: impl FnOnce(Result<Certified<'_, D>, Refused<'_, T, L>>, &TokenStream) -> R,
) -> R {
    let mut diagnostics = Diagnostics::default();
    Stage::Parse.enter();
    let tree = (of.parse)(tokens, &mut diagnostics);
    Stage::Lower.enter();
    let lowered = tree
        .as_ref()
        .and_then(|it| (of.lower)(it, &mut diagnostics));
    let shim = match reader {
        Reader::Compiler => (of.shim)(tree.as_ref(), lowered.as_ref()),
        #[cfg(feature = "export")]
        _ => TokenStream::new(),
    };
    Stage::Derive.enter();
    let derived = lowered.map_or(Err(None), |it| (of.derive)(it, &mut diagnostics));
    let (derived, tree) = match (derived, tree) {
        (Ok(derived), Some(tree)) if diagnostics.is_empty() => (derived, tree),
        (derived, tree) => {
            let lowered = derived.err().flatten();
            let refused = Refused {
                tree: tree.as_ref(),
                lowered: lowered.as_deref(),
                diagnostics: &diagnostics,
            };
            Stage::Emit.enter();
            return then(Err(refused), &shim);
        }
    };
    Stage::Schedule.enter();
    let lowered = (of.lowered)(&derived);
    let names = (of.names)(lowered);
    #[cfg_attr(not(feature = "export"), allow(unused_mut))]
    let mut functions = (of.functions)(&derived, &names, &|name| reader.reads(name));
    #[cfg(feature = "export")]
    if reader == Reader::Person && of.headed {
        headings::head(&mut functions, derived.model().rows.len());
    }
    #[cfg(feature = "planted")]
    crate::planted::functions(&mut functions);
    Stage::Certify.enter();
    let certificate = (of.certify)(&tree, lowered, &functions).map_err(|refuted| {
        diagnostics.push(refuted.diagnostic());
        Refused {
            tree: Some(&tree),
            lowered: Some(lowered),
            diagnostics: &diagnostics,
        }
    });
    let certified = certificate.map(|certificate| Certified {
        derivation: &derived,
        names: &names,
        functions,
        certificate,
    });
    Stage::Emit.enter();
    then(certified, &shim)
}

/// A call of a macro: the generated items, or the errors with stub items.
fn expanded<T, L, D: Derivation>(of: &Macro<T, L, D>, tokens: TokenStream) -> TokenStream {
    let written = guarded(|| {
        judged(of, Reader::Compiler, tokens.clone(), |judged, shim| {
            judged.map_or_else(
                |it| (of.stub)(it.tree, it.lowered, it.diagnostics, shim),
                |it| items(of, it, shim, &tokens),
            )
        })
    });
    written.unwrap_or_else(|panicked| stub(of, tokens, &panicked))
}

fn items<T, L, D>(
    of: &Macro<T, L, D>,
    certified: Certified<'_, D>,
    shim: &TokenStream,
    tokens: &TokenStream,
) -> TokenStream {
    let Certified {
        derivation,
        names,
        functions,
        certificate,
    } = certified;
    (of.items)(derivation, (names, functions, &certificate), shim, tokens)
}

/// The report of a panic, with stub items as far as the stages before it are known.
fn stub<T, L, D>(of: &Macro<T, L, D>, tokens: TokenStream, panicked: &Panicked) -> TokenStream {
    let report = panicked.diagnostics();
    let mut others = Diagnostics::default();
    let tree = guarded(|| (of.parse)(tokens, &mut others)).ok().flatten();
    let lower = || (of.lower)(tree.as_ref()?, &mut others);
    let lowered = guarded(lower).ok().flatten();
    let shim = guarded(|| (of.shim)(tree.as_ref(), lowered.as_ref())).unwrap_or_default();
    let stub = guarded(|| (of.stub)(tree.as_ref(), lowered.as_ref(), &report, &shim));
    stub.unwrap_or_else(|_| report.to_tokens())
}

/// What `then` makes of a call.
///
/// # Errors
/// The diagnostics of a call with errors; that of a function that differs from the text; that of a panic.
#[cfg(feature = "export")]
pub(crate) fn certified<T, L, D: Derivation, R>(
    of: &Macro<T, L, D>,
    reader: Reader,
    tokens: TokenStream,
    then: impl FnOnce(Certified<'_>) -> R,
) -> Result<R, Diagnostics> {
    let judged = guarded(|| {
        judged(of, reader, tokens, |judged, _| {
            let certified = judged.map_err(|it| it.diagnostics.clone())?;
            Ok(then(Certified {
                derivation: certified.derivation,
                names: certified.names,
                functions: certified.functions,
                certificate: certified.certificate,
            }))
        })
    });
    judged.unwrap_or_else(|panicked| Err(panicked.diagnostics()))
}

/// The items of a call.
///
/// # Errors
/// As [`certified`].
#[cfg(feature = "tools")]
pub(crate) fn written<T, L, D: Derivation>(
    of: &Macro<T, L, D>,
    reader: Reader,
    tokens: TokenStream,
) -> Result<TokenStream, Diagnostics> {
    let judged = guarded(|| {
        judged(of, reader, tokens.clone(), |judged, shim| {
            let certified = judged.map_err(|it| it.diagnostics.clone())?;
            Ok(items(of, certified, shim, &tokens))
        })
    });
    judged.unwrap_or_else(|panicked| Err(panicked.diagnostics()))
}

/// The derivation alone, without functions.
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
        true => expanded(&SIDED, tokens),
        false => expanded(&CONSTRAINT, tokens),
    }
}

/// `curve! { … }`: the generated items, or the errors with stub items.
pub fn curve(tokens: TokenStream) -> TokenStream {
    expanded(&CURVE, tokens)
}

/// `system! { … }`: the generated items, or the errors with stub items.
pub fn system(tokens: TokenStream) -> TokenStream {
    expanded(&SYSTEM, tokens)
}

/// `library_joint!(Hinge)`: what `constraint!` makes of the text of a joint of the library; nothing of any other name.
pub fn library_joint(path: &TokenStream) -> TokenStream {
    let path: String = path.to_string().split_whitespace().collect();
    syntax::library_text(&path).map_or_else(TokenStream::new, constraint)
}

/// The same as [`constraint()`], stopped before functions are listed: for tests.
///
/// # Errors
/// The diagnostics, if the input is not a constraint.
pub fn analyze(tokens: TokenStream) -> Result<constraint::Derived, Diagnostics> {
    analyzed(&CONSTRAINT, tokens)
}

/// The same as [`curve()`], stopped before functions are listed: for tests.
///
/// # Errors
/// The diagnostics, if the input is not a curve.
pub fn analyze_curve(tokens: TokenStream) -> Result<curve::Derived, Diagnostics> {
    analyzed(&CURVE, tokens)
}

/// The same as [`system()`], stopped before functions are listed: for tests.
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
