//! Faults that tests plant in the engine, in the thread that plants them; absent unless the feature `planted` is enabled.

use std::cell::Cell;

use crate::function::{Body, Function};
use crate::schedule::{Op, Program, ValueId};

thread_local! {
    static PANIC: Cell<Option<&'static str>> = const { Cell::new(None) };
    static WRONG: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// A fault, until it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Planted(());

impl Drop for Planted {
    fn drop(&mut self) {
        PANIC.set(None);
        WRONG.set(None);
    }
}

/// The engine panics when it enters the stage with this name, once.
pub fn panic_in(stage: &'static str) -> Planted {
    PANIC.set(Some(stage));
    Planted(())
}

/// The first result of a listed function has the opposite sign.
pub fn negate(function: &'static str) -> Planted {
    WRONG.set(Some(function));
    Planted(())
}

pub(crate) fn stage(stage: &'static str) {
    if PANIC.get() == Some(stage) {
        PANIC.set(None);
        panic!("planted in `{stage}`");
    }
}

pub(crate) fn functions(functions: &mut [Function<'_>]) {
    let wrong = WRONG.get();
    let named = |it: &&mut Function<'_>| Some(it.signature.name) == wrong;
    for function in functions.iter_mut().filter(named) {
        match &mut function.body {
            Body::Straight(program) | Body::Branches { whole: program, .. } => negated(program),
            Body::Loops(_) | Body::LeastSquares { .. } => {}
        }
    }
}

fn negated(program: &mut Program) {
    if let Some(first) = program.outputs.first_mut() {
        program.values.push(Op::Neg(*first));
        *first = ValueId::at(program.values.len() - 1);
    }
}
