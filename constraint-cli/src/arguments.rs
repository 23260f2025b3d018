//! The command line: what can be asked for, with its help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

/// From an equation to its derivation, to code and to motion.
#[derive(Debug, Parser)]
#[command(
    name = "constraint",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  constraint explain 'x^2 + 100*y'
  constraint explain --html pendulum.rs > pendulum.html
  constraint check pendulum.rs

Exit codes: 0 all is well, 1 the model is wrong, 2 the command line is."
)]
pub struct Arguments {
    /// What is to be done.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Derive everything from a model, step by step: C, J, Ċ, J̇, β, λ, f̂, with what each costs
    #[command(after_help = "Examples:
  constraint explain 'x^2 + 100*y'
  constraint explain --latex 'norm([x, y]) == 2' > rod.tex
  constraint explain --html --only Rods examples/double_pendulum.rs > rods.html
  echo 'curve! { struct Hump; |s in -2..=2| [s, s^2] }' | constraint explain -")]
    Explain(Explain),
    /// Print a script that completes commands and options in a shell
    #[command(after_help = "Example:
  constraint completions bash > ~/.local/share/bash-completion/completions/constraint")]
    Completions {
        /// For which shell
        shell: Shell,
    },
}

/// Where a model stands.
#[derive(Debug, Args)]
pub struct Input {
    /// A file, `-` for standard input, or the text itself: a call of `constraint!`, `curve!` or `system!`, what
    /// stands inside of one, or a bare equation. Of a file of Rust, all calls in it
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Only the call that declares this type
    #[arg(long, value_name = "TYPE")]
    pub only: Option<String>,
}

/// `constraint explain`
#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub format: Format,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// In which language a derivation is written; plain text unless told.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Format {
    /// A document for LaTeX (amsmath)
    #[arg(long)]
    pub latex: bool,
    /// Markdown with formulas between dollar signs
    #[arg(long)]
    pub markdown: bool,
    /// A page for browsers, its formulas in MathML: it needs no network
    #[arg(long)]
    pub html: bool,
    /// All of it as data
    #[arg(long)]
    pub json: bool,
}
