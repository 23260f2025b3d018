//! The processor time of `cargo check` for one more copy of a call: its expansion, and what the compiler does with the
//! expanded text.

use std::path::Path;
use std::process::Command;

use constraint_symbolic::compile;
use proc_macro2::TokenStream;

use super::expansions::CHAIN;
use super::tokens;

const RUNS: u32 = 3;

/// A call, how many copies of it are checked, and the most milliseconds that one may take: its expansion, and in all.
struct Copied {
    name: &'static str,
    /// The macro's name.
    called: &'static str,
    copies: u32,
    limits: [Option<f64>; 2],
    /// The call as copy `k`.
    call: fn(k: u32) -> String,
    expand: fn(TokenStream) -> TokenStream,
}

const COPIED: [Copied; 2] = [
    Copied {
        name: "parabola",
        called: "constraint",
        copies: 100,
        limits: [Some(2.5), Some(6.0)],
        call: |k| format!("struct Parabola{k}; |x, y| x*x + 100*y == 0"),
        expand: compile::constraint,
    },
    Copied {
        name: "chain of 64",
        called: "system",
        copies: 10,
        limits: [Some(41.0), None],
        call: |k| CHAIN.replace("Chain", &format!("Chain{k}")),
        expand: compile::system,
    },
];

pub fn report() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copies");
    if children_time().is_none() {
        return println!(
            "The system reports no processor time of other processes: nothing is measured."
        );
    }
    println!("| one more copy in `cargo check` | expansion | at most | in all | at most |");
    println!("|---|---|---|---|---|");
    for copied in &COPIED {
        let in_all = per_copy(&place, copied, Copied::call);
        let expanded = per_copy(&place, copied, Copied::expansion);
        let [expansion, all] = [in_all - expanded, in_all].map(|ms| format!("{ms:.2} ms"));
        let [most, most_in_all] = copied
            .limits
            .map(|limit| limit.map_or_else(String::new, |ms| format!("{ms} ms")));
        println!(
            "| {} | {expansion} | {most} | {all} | {most_in_all} |",
            copied.name
        );
    }
}

impl Copied {
    fn call(&self, k: u32) -> String {
        format!("{}! {{ {} }}", self.called, (self.call)(k))
    }

    /// The same as its expansion, whose text the compiler reads: the difference is the time of the expansion.
    fn expansion(&self, k: u32) -> String {
        (self.expand)(tokens(&(self.call)(k))).to_string()
    }
}

/// Milliseconds of `cargo check` for one more copy.
fn per_copy(place: &Path, copied: &Copied, text: fn(&Copied, u32) -> String) -> f64 {
    let least = |copies| {
        write_package(place, (1..=copies).map(|k| text(copied, k)));
        // Builds what the package depends on, too, where that is not done yet.
        check(place);
        let runs = (0..RUNS).map(|_| check(place));
        runs.fold(f64::INFINITY, f64::min)
    };
    let (one, many) = (least(1), least(1 + copied.copies));
    (many - one) / f64::from(copied.copies)
}

fn write_package(place: &Path, items: impl Iterator<Item = String>) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let manifest = format!(
        "[package]\nname = \"copies\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
        constraint-runtime = {{ path = {:?} }}\n",
        root.join("constraint-runtime")
    );
    let mut source = String::from("#![allow(dead_code)]\nuse constraint_runtime::prelude::*;\n");
    for item in items {
        source += &item;
        source += "\n";
    }
    source += "fn main() {}\n";
    let write = |name: &str, text: &str| std::fs::write(place.join(name), text);
    std::fs::create_dir_all(place.join("src"))
        .and_then(|()| std::fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock")))
        .and_then(|_| write("Cargo.toml", &manifest))
        .and_then(|()| write("src/main.rs", &source))
        .expect("the target directory takes files");
}

/// Milliseconds of processor time of one `cargo check`, in which nothing is known from the one before.
fn check(place: &Path) -> f64 {
    let source = std::fs::File::open(place.join("src/main.rs"));
    source
        .and_then(|file| file.set_modified(std::time::SystemTime::now()))
        .expect("the source is a file of ours");
    let before = children_time().unwrap_or_default();
    let status = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline"])
        .current_dir(place)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", place.join("target"))
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "`cargo check` fails"
    );
    children_time().unwrap_or_default() - before
}

/// Milliseconds that the processes started here have taken, in user and system mode.
fn children_time() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may hold anything.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut ticks = fields.split(' ').skip(13).map(str::parse::<f64>);
    let (user, system) = (ticks.next()?.ok()?, ticks.next()?.ok()?);
    // 100 ticks a second on all Linux systems.
    Some(10.0 * (user + system))
}
