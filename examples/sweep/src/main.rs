//! Double pendulums let go at random angles, as many as one likes, in shards that any number of processes write: when does
//! one first swing over the top?
//!
//! In one process, on all of its processors:
//!
//! ```text
//! cargo run --release -p sweep -- --copies 1000000 --directory target/sweep
//! ```
//!
//! Over MPI, where one is installed that has `mpicc` (Debian: `apt install libopenmpi-dev openmpi-bin libclang-dev`; macOS:
//! `brew install open-mpi llvm`; on a cluster: `module load openmpi` or whatever it calls its own; libclang is needed to
//! build only, and found by `LIBCLANG_PATH`):
//!
//! ```text
//! cargo build --release -p sweep --features mpi
//! mpirun --enable-recovery -n 4 target/release/sweep --threads 1 --copies 1000000 --directory target/sweep
//! srun --kill-on-bad-exit=0 -N 8 --ntasks-per-node 1 target/release/sweep --copies 1000000000 --directory /scratch/sweep
//! ```
//!
//! - A shard depends on the seed and on which copies it holds, on nothing else: what is printed in the end is the same to
//!   the last bit for any number of processes, threads and restarts.
//! - Each shard is a file of columns that is there as a whole or not at all. A rank that is killed loses the shard at hand,
//!   and the rank before it does what it leaves: so with the options above, without which MPI ends all ranks when one dies, and
//!   each loses the shard at hand. (Of rank 0, which prints, the next run does what is left of that.)
//!   The same command again goes on with those that are missing, and one of more copies keeps the full shards there are.
//! - With `--summary-only` 10⁷ copies take as much memory as 10⁵: `--memory` says how much.
//! - `docs/sweep.md` has the plan for a thousand ranks.
//! - In Python: `safetensors.numpy.load_file("target/sweep/copies-….safetensors")["turned/s"]`.
//!
//! Compared with: energy. From where 2 cos a + cos b > 1 none can go over the top; the part of such starts is an integral.
//! Lengths are in metres, times in seconds, angles in radians.

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

/// When do double pendulums, let go at random angles, first swing over the top?
#[derive(Parser)]
struct Arguments {
    /// How many pendulums
    #[arg(long, default_value_t = 20_000)]
    copies: usize,
    /// How many of them are one shard: seconds of work at least, and more shards than processes
    #[arg(long, default_value = "4096")]
    shard: NonZero<usize>,
    /// Where the shards are written
    #[arg(long, default_value = "target/sweep")]
    directory: PathBuf,
    /// The seed of the random angles
    #[arg(long, default_value_t = 2026)]
    seed: u64,
    /// How long each swings, in s
    #[arg(long, default_value_t = 10.0)]
    time: f64,
    /// The step of the method, in s
    #[arg(long, default_value_t = 0.01)]
    step: f64,
    /// Threads of each process; as many as the machine has unless told otherwise
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Keep what is told of each shard, and no row of each pendulum
    #[arg(long)]
    summary_only: bool,
    /// Say at the end how much memory was resident at most (on Linux)
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
        eprintln!("{:.1} MB were resident at most", bytes as f64 / 1e6);
    }
    ExitCode::SUCCESS
}

/// The most memory that this process ever had, in bytes, where Linux tells it.
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
