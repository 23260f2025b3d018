//! `constraint`: derive, export and simulate a model on the command line.
//!
//! ```text
//! constraint explain 'x^2 + 100*y'
//! ```
//! A model has the same syntax as in Rust, and is read from a file, standard input or the command line. The engine of
//! the macros does the rest: the same formulas, the same messages, the same programs.
#![forbid(unsafe_code)]

mod arguments;
mod check;
#[cfg(test)]
mod doors;
mod expand;
mod explain;
mod export;
mod failure;
mod import;
mod message;
mod model;
mod run;

use std::fs;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use constraint_symbolic::panicked::{described, record_places};

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;

fn main() -> ExitCode {
    record_places(|_| {});
    match guarded(|| done(Arguments::parse().command)) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that closes the pipe early needs no more output.
        Err(Failure::Output(error) | Failure::Unwritable { error, .. })
            if error.kind() == io::ErrorKind::BrokenPipe =>
        {
            ExitCode::SUCCESS
        }
        Err(failure @ Failure::Mistakes(_)) => {
            anstream::eprintln!("{failure}");
            ExitCode::from(failure.code())
        }
        Err(failure) => {
            anstream::eprintln!("error: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// A panic is a failure whose message requests a report.
fn guarded(run: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let done = catch_unwind(AssertUnwindSafe(run));
    done.unwrap_or_else(|payload| Err(Failure::Panicked(described(&*payload))))
}

fn done(command: Command) -> Result<(), Failure> {
    match command {
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Expand(arguments) => expand::expand(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Import(arguments) => import::import(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Completions { shell } => {
            // The script generator panics if it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "constraint", &mut script);
            Ok(io::stdout().write_all(&script)?)
        }
    }
}

/// A text to a file or to standard output.
fn write(text: &str, file: Option<&Path>) -> Result<(), Failure> {
    match file {
        None => Ok(io::stdout().write_all(text.as_bytes())?),
        Some(path) => fs::write(path, text).map_err(|error| Failure::Unwritable {
            path: path.to_owned(),
            error,
        }),
    }
}
