//! Double pendulums released at random angles, any number of them, in shards that any number of processes write: when does
//! a pendulum first swing over the top?
//!
//! In one process, on all of its processors:
//!
//! ```text
//! cargo run --release -p sweep -- --copies 1000000 --directory target/sweep
//! ```
//!
//! Over MPI, if an MPI with `mpicc` is installed (Debian: `apt install libopenmpi-dev openmpi-bin libclang-dev`; macOS:
//! `brew install open-mpi llvm`; on a cluster: `module load openmpi` or a similar name). libclang is needed only for
//! building, and is found by `LIBCLANG_PATH`:
//!
//! ```text
//! cargo build --release -p sweep --features mpi
//! mpirun --enable-recovery -n 4 target/release/sweep --threads 1 --copies 1000000 --directory target/sweep
//! srun --kill-on-bad-exit=0 -N 8 --ntasks-per-node 1 target/release/sweep --copies 1000000000 --directory /scratch/sweep
//! ```
//!
//! - A shard depends only on the seed and on the copies it holds: the printed results are the same to the last bit for any
//!   number of processes, threads and restarts.
//! - The file of a shard is complete or absent. A killed rank loses its current shard, and the previous rank takes over its
//!   work. This needs the options above; without them MPI ends all ranks when one dies, and each loses its current shard.
//!   If rank 0 is killed, which prints the results, run the command once more. The same command continues with the missing
//!   shards, and a command with more copies keeps the existing full shards.
//! - With `--summary-only`, 10⁷ copies take as much memory as 10⁵; `--memory` prints how much.
//! - `docs/sweep.md` has the plan for a thousand ranks.
//! - In Python: `safetensors.numpy.load_file("target/sweep/copies-….safetensors")["turned/s"]`.
//!
//! Check: a pendulum whose start has 2 cos a + cos b > 1 lacks the energy to go over the top; the fraction of such starts is
//! an integral. Lengths are in metres, times in seconds, angles in radians.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use constraint_runtime::ensemble::Shards;
use sweep::Failure;
use sweep::pendulum::{Settings, Summary, safe_part};
#[cfg(not(feature = "mpi"))]
use sweep::ranks::Alone;
use sweep::sweep::Sweep;

/// When do double pendulums, released at random angles, first swing over the top?
#[derive(Parser)]
struct Arguments {
    /// Number of pendulums
    #[arg(long, default_value_t = 20_000)]
    copies: usize,
    /// Pendulums in one shard: at least seconds of work; choose more shards than processes
    #[arg(long, default_value = "4096")]
    shard: NonZero<usize>,
    /// Directory of the shards
    #[arg(long, default_value = "target/sweep")]
    directory: PathBuf,
    /// Seed of the random angles
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// Duration of each run, in s
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    /// Step size, in s
    #[arg(long, default_value_t = 0.01)]
    step: f64,
    /// Threads of each process; default: as many as the machine has
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Store only the summary of each shard, not a row for each pendulum
    #[arg(long)]
    summary_only: bool,
    /// Print the peak resident memory at the end (on Linux)
    #[arg(long)]
    memory: bool,
}

impl Arguments {
    fn sweep(self) -> Result<Sweep, Failure> {
        Ok(Sweep {
            settings: Settings {
                seed: self.seed,
                time: self.time,
                step: self.step,
            },
            shards: Shards::new(self.copies, self.shard)?,
            directory: self.directory,
            rows: !self.summary_only,
            threads: self.threads,
        })
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    #[cfg(feature = "mpi")]
    let ranks = sweep::ranks::Mpi::initialize().expect("MPI is not initialised twice");
    #[cfg(not(feature = "mpi"))]
    let ranks = Alone;

    let memory = arguments.memory;
    match arguments.sweep().and_then(|sweep| sweep.run(ranks)) {
        Ok(Some(summary)) => print(&summary),
        Ok(None) => {}
        Err(failure) => {
            eprintln!("error: {failure}");
            return ExitCode::FAILURE;
        }
    }
    if memory && let Some(bytes) = peak_memory() {
        eprintln!("peak resident memory: {:.1} MB", bytes as f64 / 1e6);
    }
    ExitCode::SUCCESS
}

/// Peak resident memory of this process in bytes, as reported by Linux.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kibibytes)
}

/// Prints what came of all, and looks at what must be.
fn print(summary: &Summary) {
    let copies = summary.copies() as f64;
    let turned = &summary.turned;
    let part = turned.count() as f64 / copies;
    println!(
        "{} of {copies} went over the top ({part:.4})",
        turned.count()
    );
    println!("after {} s in the mean", turned.mean()[2]);
    println!("first after {} s", turned.minimum()[2]);
    for (k, count) in summary.times.counts().iter().enumerate() {
        let (start, end) = summary.times.edges(k);
        println!("{start:6.2} s to {end:6.2} s: {count}");
    }
    for (copy, error) in &summary.failed {
        println!("copy {copy} failed: {error}");
    }
    assert_eq!(summary.impossible, 0, "no energy comes from nowhere");
    // Five standard deviations of what chance makes of the part.
    let safe = safe_part();
    let stayed = summary.stayed as f64 / copies;
    assert!(stayed > safe - 5.0 * (safe * (1.0 - safe) / copies).sqrt());
    println!("{stayed:.4} stayed below, {safe:.4} have not the energy");
}
