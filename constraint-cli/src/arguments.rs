//! The command line: arguments and help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::run::{Component, Setting};

/// Derive, check, export and simulate mechanical models
#[derive(Debug, Parser)]
#[command(
    name = "constraint",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  constraint explain 'x^2 + 100*y'
  constraint explain --html pendulum.rs > pendulum.html
  constraint check pendulum.rs
  constraint run 'x^2 + 100*y' --gravity y=9.81 --from x=-100,y=-100 --until 60

Exit codes: 0 success, 1 error in the model, 2 bad command line"
)]
pub struct Arguments {
    /// The subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Derive everything from a model, step by step: C, J, Ċ, J̇, β, λ, f̂, each with its cost
    #[command(after_help = "Examples:
  constraint explain 'x^2 + 100*y'
  constraint explain --latex 'norm([x, y]) == 2' > rod.tex
  constraint explain --html --only Rods examples/double_pendulum.rs > rods.html
  echo 'curve! { struct Hump; |s in -2..=2| [s, s^2] }' | constraint explain -")]
    Explain(Explain),
    /// Check a model and report every error with its source location
    #[command(after_help = "Examples:
  constraint check examples/double_pendulum.rs
  constraint check 'x^2 + 100*yy(x)'")]
    Check(Check),
    /// Print the Rust code that the macro generates
    #[command(after_help = "Examples:
  constraint expand 'constraint! { struct Parabola; |x, y| x^2 + 100*y }'
  constraint expand --only Rods examples/double_pendulum.rs --output rods.rs")]
    Expand(Expand),
    /// Print the functions of a model in another language
    #[command(after_help = "Examples:
  constraint export --c --only Rods examples/double_pendulum.rs > rods.h
  constraint export --cuda --f32 chain.rs > chain.cu
  constraint export --wgsl chain.rs > chain.wgsl
  constraint export --js 'curve! { struct Hump; |s in -2..=2| [s, s^2] }'")]
    Export(Export),
    /// Write a robot's file, URDF or MJCF, as a model that you can edit
    #[command(after_help = "Examples:
  constraint import arm.urdf --output arm.rs
  constraint import quadruped.urdf --floating --check > quadruped.rs
  constraint import four_bar.urdf --loops four_bar_loops.xml")]
    Import(Import),
    /// Simulate a model; print, plot or save the result (no compiler needed)
    #[command(after_help = "Examples:
  constraint run --only Rods examples/double_pendulum.rs --from upper.x=1,upper.y=0,lower.x=2,lower.y=0 --until 10
  constraint run 'x^2 + 100*y' --mass 2 --gravity y=9.81 --from x=-100,y=-100 --until 60 --svg bead.svg
  constraint run pendulum.rs --set m=2,l=0.5 --from angle=PI/2 --until 10 --step 1e-3 --csv swing.csv")]
    Run(Box<Run>),
    /// Print a shell completion script
    #[command(after_help = "Example:
  constraint completions bash > ~/.local/share/bash-completion/completions/constraint")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// The model.
#[derive(Debug, Args)]
pub struct Input {
    /// A file, `-` for standard input, or the text itself: a call of `constraint!`, `curve!` or `system!`, the contents
    /// of one, or a bare equation. In a Rust file, all calls are used
    #[arg(value_name = "MODEL")]
    pub model: String,
    /// Use only the call that declares this type
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
    /// Only the body of the LaTeX document or HTML page, to include in another
    #[arg(long, conflicts_with_all = ["markdown", "json"])]
    pub fragment: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Output format of a derivation; default: plain text.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Format {
    /// LaTeX document (amsmath)
    #[arg(long)]
    pub latex: bool,
    /// Markdown with formulas between dollar signs
    #[arg(long)]
    pub markdown: bool,
    /// HTML page with formulas in MathML; needs no network
    #[arg(long)]
    pub html: bool,
    /// JSON
    #[arg(long)]
    pub json: bool,
}

/// `constraint check`
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,
}

/// `constraint expand`
#[derive(Debug, Args)]
pub struct Expand {
    #[command(flatten)]
    pub input: Input,
    /// Print every token, also those that only the compiler and IDEs need
    #[arg(long)]
    pub whole: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `constraint export`
#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub language: ExportLanguage,
    /// C: a source whose functions other programs link to, instead of a header with `static inline` ones
    #[arg(long, conflicts_with_all = ["cuda", "js", "python", "wgsl"])]
    pub library: bool,
    /// With `--library`: a header with its declarations, for C and C++; by default next to `--output`, with the ending `.h`
    #[arg(long, value_name = "FILE", requires = "library")]
    pub header: Option<PathBuf>,
    /// JavaScript: a module that exports the functions and the default parameters. Python is always a module
    #[arg(long, conflicts_with_all = ["c", "cuda", "wgsl"])]
    pub module: bool,
    /// Single precision (C and CUDA)
    #[arg(long, conflicts_with_all = ["js", "python", "wgsl"])]
    pub f32: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The languages for export.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct ExportLanguage {
    /// C99 header
    #[arg(long)]
    pub c: bool,
    /// CUDA C, with a kernel for systems
    #[arg(long)]
    pub cuda: bool,
    /// WGSL in single precision, with an entry point for systems
    #[arg(long)]
    pub wgsl: bool,
    /// JavaScript
    #[arg(long)]
    pub js: bool,
    /// Python with NumPy: a class whose methods are the functions
    #[arg(long)]
    pub python: bool,
}

/// `constraint import`
#[derive(Debug, Args)]
pub struct Import {
    /// A URDF or MJCF file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Name of the struct; default: that of the robot
    #[arg(long, value_name = "TYPE", value_parser = identifier)]
    pub name: Option<String>,
    /// URDF: the root link moves freely instead of being fixed to the world
    #[arg(long)]
    pub floating: bool,
    /// URDF: a second file, with the `<loop_joint>` elements that close loops
    #[arg(long, value_name = "FILE")]
    pub loops: Option<PathBuf>,
    /// Masses, centres, inertias, damping and friction as parameters of the struct, instead of numbers in the text
    #[arg(long)]
    pub parameters: bool,
    /// Joints that stay where the file draws them
    #[arg(long, value_name = "JOINT", value_delimiter = ',')]
    pub fix: Vec<String>,
    /// Write rounded multiples of π exactly: 1.5708 as `PI/2`
    #[arg(long, value_name = "yes|no", default_value = "yes", value_parser = yes_or_no, action = clap::ArgAction::Set)]
    pub exact_numbers: bool,
    /// Compare places, orientations and energies of the written model with those computed from the file, at random states
    #[arg(long)]
    pub check: bool,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected `yes` or `no`".to_owned()),
    }
}

fn identifier(text: &str) -> Result<String, String> {
    let name = syn::parse_str::<syn::Ident>(text);
    name.map(|name| name.to_string())
        .map_err(|_| "expected the name of a type".to_owned())
}

/// `constraint run`
#[derive(Debug, Args)]
pub struct Run {
    #[command(flatten)]
    pub input: Input,
    /// Values of parameters and inputs: `m=2,l=0.5`; the name of an array or vector sets all its elements
    #[arg(
        long,
        value_name = "NAME=VALUE",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub set: Vec<Setting>,
    /// Coordinates and velocities at t = 0: `x=-100,y=-100,v_x=3`. Velocities default to zero, and bodies to upright
    #[arg(
        long,
        value_name = "NAME=VALUE",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub from: Vec<Setting>,
    /// End time
    #[arg(long, value_name = "TIME", value_parser = positive)]
    pub until: f64,
    /// Step size; default: a thousandth of the end time
    #[arg(long, value_name = "TIME", value_parser = positive, conflicts_with = "tolerance")]
    pub step: Option<f64>,
    /// Tolerance per step, relative and absolute: uses the method of Dormand and Prince of order 5, which chooses its
    /// steps
    #[arg(long, value_name = "ERROR", value_parser = positive)]
    pub tolerance: Option<f64>,
    /// Move the start onto the constraints first
    #[arg(long)]
    pub project: bool,
    /// For a constraint on points or a curve: the mass of the particle on it; default: 1
    #[arg(long, value_name = "MASS", value_parser = positive, allow_hyphen_values = true)]
    pub mass: Option<f64>,
    /// For a constraint on points or a curve: the gravitational acceleration, by name, `y=-9.81`, or all components
    /// in the order of the coordinates, `0,-9.81`. Free names of an equation come in the order x, y, z, then as they
    /// appear; for a curve they are x, y and z
    #[arg(
        long,
        value_name = "G",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub gravity: Vec<Component>,
    /// Record every STEPS-th step, and the last one. By default, all steps are recorded; if their states take more than
    /// 64 MB, only every second, fourth, eighth, … step, as the output then reports
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Write every recorded step as a CSV line
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw an animated SVG figure of the motion and its energy
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let positive = number.filter(|it| *it > 0.0 && it.is_finite());
    positive.ok_or_else(|| "expected a positive number".to_owned())
}
