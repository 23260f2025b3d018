//! Panics of the engine, which are bugs, as reports: the stage, the message and the place of the panic.
//!
//! A stage is entered before it runs, so that a panic in it can be attributed. The place is known in programs that record
//! it; rustc, whose panic hook must not be replaced, shows the message alone.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, set_hook};

use crate::diagnostic::{Diagnostics, SourceRange, catalogue};

thread_local! {
    static STAGE: Cell<Stage> = const { Cell::new(Stage::Parse) };
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Tokens become a syntax tree.
    Parse,
    /// The tree becomes a model.
    Lower,
    /// Equations are derived and solved.
    Derive,
    /// Functions are scheduled and listed.
    Schedule,
    /// Functions are compared with the text.
    Certify,
    /// Code or a document is written.
    Emit,
}

impl Stage {
    /// All stages in their order.
    pub const ALL: [Stage; 6] = [
        Stage::Parse,
        Stage::Lower,
        Stage::Derive,
        Stage::Schedule,
        Stage::Certify,
        Stage::Emit,
    ];

    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Lower => "lower",
            Stage::Derive => "derive",
            Stage::Schedule => "schedule",
            Stage::Certify => "certify",
            Stage::Emit => "emit",
        }
    }

    /// Declares that this stage begins.
    pub(crate) fn enter(self) {
        STAGE.set(self);
        #[cfg(feature = "planted")]
        crate::planted::stage(self.word());
    }
}

/// A panic in the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// The stage that was entered last.
    pub stage: Stage,
    /// The text of the panic, and its place if that is recorded.
    pub message: String,
}

impl Panicked {
    /// The error at the call, which requests a report.
    pub fn diagnostics(&self) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        let (range, stage) = (SourceRange::call_site(), self.stage.word());
        diagnostics.push(catalogue::failed(range, stage, &self.message, REPOSITORY));
        diagnostics
    }
}

/// The place where faults are reported.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Runs the engine; nothing that `run` holds may be used after a panic.
///
/// # Errors
/// The panic.
pub fn guarded<R>(run: impl FnOnce() -> R) -> Result<R, Panicked> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| Panicked {
        stage: STAGE.get(),
        message: described(&*payload),
    })
}

/// The text of a panic, and its place if that is recorded.
pub fn described(payload: &(dyn Any + Send)) -> String {
    let place = PLACE.with_borrow_mut(Option::take);
    let place = place.map_or_else(String::new, |it| format!(" ({it})"));
    format!("{}{place}", first_line(payload))
}

fn first_line(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    let lines = text.or(owned).map(str::lines);
    let first = lines.and_then(|mut lines| lines.next());
    first.unwrap_or("a panic without a message")
}

/// From now on, panics of this process print nothing and have a place in their reports: for programs that catch them all.
/// Where panics abort, `aborting` is handed the report before.
pub fn record_places(aborting: fn(&Panicked)) {
    set_hook(Box::new(move |panic| {
        PLACE.set(panic.location().map(place));
        if cfg!(panic = "abort") {
            aborting(&Panicked {
                stage: STAGE.get(),
                message: described(panic.payload()),
            });
        }
    }));
}

/// `constraint-symbolic/src/system/mod.rs:20`, wherever the sources lie.
fn place(location: &Location<'_>) -> String {
    let file = location.file();
    let own = file.rsplit_once("/src/").map(|(package, inside)| {
        let name = package.rsplit('/').next().unwrap_or_default();
        format!("{name}/src/{inside}")
    });
    format!("{}:{}", own.as_deref().unwrap_or(file), location.line())
}
