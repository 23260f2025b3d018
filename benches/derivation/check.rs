//! What a further copy of the parabola takes of `cargo check`: its expansion, and what the compiler does with what we
//! write.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The most that one copy may take, in milliseconds.
const MOST: f64 = 6.0;
const COPIES: u32 = 100;
const RUNS: u32 = 3;

pub fn report() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copies");
    if children_time().is_none() {
        return println!(
            "The system tells no processor time of other processes: nothing is checked."
        );
    }
    write_package(&place, 1);
    // Builds what the package depends on.
    check(&place);
    let least = |copies| {
        write_package(&place, copies);
        let runs = (0..RUNS).map(|_| check(&place));
        runs.fold(f64::INFINITY, f64::min)
    };
    let (one, many) = (least(1), least(1 + COPIES));
    let copy = (many - one) / f64::from(COPIES);
    println!(
        "`cargo check`: {one:.0} ms with one parabola, {copy:.2} ms for a further one, at most {MOST} ms"
    );
}

/// A package of that many parabolas.
fn write_package(place: &Path, copies: u32) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"copies\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
        constraint-runtime = {{ path = {:?} }}\n",
        root.join("constraint-runtime")
    );
    let mut source = String::from("#![allow(dead_code)]\nuse constraint_runtime::prelude::*;\n");
    for k in 1..=copies {
        writeln!(
            source,
            "constraint! {{ struct Parabola{k}; |x, y| x*x + 100*y == 0 }}"
        )
        .expect("a string takes all writes");
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
