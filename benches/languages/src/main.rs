//! v̇ and steps of Runge–Kutta in C beside the same in Rust: `cargo run --release` in this folder.
//!
//! Every program takes the time of its own calls; they take turns, in processes of their own, so that their ratios hold on
//! a noisy machine. Rust by `-O3 -C target-cpu=native`, C by `-O3 -march=native -ffp-contract=off`. `callgrind` as an
//! argument counts instructions instead, where valgrind is installed.

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use constraint_runtime::Vector;
use constraint_runtime::prelude::*;
use constraint_symbolic::export::{Target, export};

/// Systems, and their calls as text.
macro_rules! both {
    ($($text:ident: { $($system:tt)* })*) => {$(
        system! { $($system)* }
        const $text: &str = stringify!(system! { $($system)* });
    )*};
}

both! {
    EIGHT: {
        #[solver(unrolled)]
        struct Eight { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[8]: Point2 { mass: m }
        constraint anchor: norm_squared(bead[0]) == l^2;
        for i in 1..8 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
        for i in 0..8 { force bead[i]: [0, -m*g]; }
    }
    LOOPS: {
        #[solver(rolled)]
        struct Loops { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[64]: Point2 { mass: m }
        constraint anchor: norm_squared(bead[0]) == l^2;
        for i in 1..64 { constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }
        for i in 0..64 { force bead[i]: [0, -m*g]; }
    }
    LINKS: {
        #[solver(rolled)]
        struct Links { m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5, g: Real = 9.81 }
        body link[16]: Rigid3 { mass: m, inertia: [a, b, c] }
        constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
        for i in 1..16 { constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
        for i in 0..16 { force link[i]: [0, 0, -m*g]; }
    }
    BEAD: {
        struct Bead { m: Real = 1, g: Real = 9.81, c: Real = 0.1 }
        coordinate s;
        particle bead = [sin(s), s^2 - cos(2*s)] { mass: m }
        potential m*g*bead.y;
        dissipation c/2*velocity(s)^2;
    }
}

/// Turns of all programs.
const TURNS: usize = 41;

/// A system: what it is called, its call, calls of v̇ in a turn, and how Rust runs so many of them.
struct Subject {
    title: &'static str,
    name: &'static str,
    call: &'static str,
    sizes: [usize; 2],
    calls: usize,
    rust: fn(usize) -> f64,
}

fn main() {
    let subjects = [
        subject::<Eight<f64>>(
            "chain of 8, written out",
            "eight",
            EIGHT,
            400_000,
            time::<Eight<f64>>,
        ),
        subject::<Loops<f64>>(
            "chain of 64, in loops",
            "loops",
            LOOPS,
            40_000,
            time::<Loops<f64>>,
        ),
        subject::<Links<f64>>(
            "16 bodies on ball joints, in loops",
            "links",
            LINKS,
            20_000,
            time::<Links<f64>>,
        ),
        subject::<Bead<f64>>(
            "bead on a curve",
            "bead",
            BEAD,
            2_000_000,
            time::<Bead<f64>>,
        ),
    ];
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [name, calls] => {
            let subject = subjects
                .iter()
                .find(|it| it.name == *name)
                .expect("a subject");
            println!("{}", (subject.rust)(calls.parse().expect("a number")));
        }
        [word] if word == "callgrind" => print!("{}", table(&subjects, true)),
        _ => print!("{}", table(&subjects, false)),
    }
}

fn subject<S: Dynamics<f64> + 'static>(
    title: &'static str,
    name: &'static str,
    call: &'static str,
    calls: usize,
    rust: fn(usize) -> f64,
) -> Subject {
    let sizes = [S::Q::LEN, S::V::LEN].map(|it| it.expect("a length"));
    Subject {
        title,
        name,
        call,
        sizes,
        calls,
        rust,
    }
}

/// Numbers between -1 and 1, the same in Rust and in C.
fn noise(i: usize) -> f64 {
    let i = i as f64;
    (i + 0.3) * (i + 0.7) * 0.377 % 2.0 - 1.0
}

fn filled<V: Vector<Scalar = f64>>(first: usize) -> V {
    let mut vector = V::blank();
    for i in 0..V::LEN.unwrap_or(0) {
        vector[i] = noise(first + i);
    }
    vector
}

/// Nanoseconds of so many calls, one waiting for the other.
#[inline(never)]
fn time<S: Dynamics<f64> + Default>(calls: usize) -> f64 {
    let (system, mut q, v) = (S::default(), filled::<S::Q>(0), filled::<S::V>(1000));
    let mut sum = 0.0;
    let begin = Instant::now();
    for _ in 0..calls {
        let a = black_box(&system).acceleration(0.0, black_box(&q), black_box(&v));
        let a = a.expect("the state is regular");
        sum += a[0];
        q[0] += 1e-12 * a[0];
    }
    let taken = begin.elapsed().as_secs_f64() * 1e9;
    black_box(sum);
    taken
}

/// The same in C.
fn c_of(subject: &Subject) -> String {
    let header = export(subject.call.parse().expect("tokens"), Target::C).expect("it can be told");
    let (name, [n, d]) = (subject.name, subject.sizes);
    let ty = name[..1].to_uppercase() + &name[1..];
    format!(
        "#define _POSIX_C_SOURCE 199309L
{header}
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double noise(int i) {{ return fmod((i + 0.3) * (i + 0.7) * 0.377, 2.0) - 1.0; }}
int main(int count, char **arguments) {{
  {ty} own = {name}_default;
  double q[{n}], v[{d}], a[{d}], sum = 0.0;
  for (int i = 0; i < {n}; i++) q[i] = noise(i);
  for (int i = 0; i < {d}; i++) v[i] = noise(1000 + i);
  struct timespec begin, end;
  const long calls = count > 1 ? atol(arguments[1]) : 1;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (long i = 0; i < calls; i++) {{
    {ty} *self = &own;
    double *x = q, *u = v;
    __asm__ volatile(\"\" : \"+r\"(self), \"+r\"(x), \"+r\"(u) : : \"memory\");
    {name}_acceleration(self, 0.0, x, u, a);
    sum += a[0];
    q[0] += 1e-12 * a[0];
  }}
  clock_gettime(CLOCK_MONOTONIC, &end);
  __asm__ volatile(\"\" : : \"g\"(&sum) : \"memory\");
  printf(\"%.0f\\n\", (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec));
  return 0;
}}
"
    )
}

/// The program of a compiler; nothing where it is not there.
fn compiled(subject: &Subject, compiler: &str, folder: &Path) -> Option<PathBuf> {
    let source = folder.join(format!("{}.c", subject.name));
    let program = folder.join(format!("{}-{compiler}", subject.name));
    fs::write(&source, c_of(subject)).expect("the target directory takes a file");
    let flags = [
        "-std=c99",
        "-O3",
        "-march=native",
        "-ffp-contract=off",
        "-o",
    ];
    let status = Command::new(compiler)
        .args(flags)
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .status();
    match status {
        Ok(status) => {
            assert!(status.success(), "{compiler} refuses {}", source.display());
            Some(program)
        }
        Err(_) => {
            eprintln!("skipped: `{compiler}` is not installed");
            None
        }
    }
}

fn table(subjects: &[Subject], counts: bool) -> String {
    let folder = std::env::temp_dir().join("constraint-language-benchmark");
    fs::create_dir_all(&folder).expect("a folder for what is compiled");
    let mut table = String::from(if counts {
        "| v̇, instructions a call | Rust | gcc | clang | gcc over Rust | clang over Rust |\n|---|---|---|---|---|---|\n"
    } else {
        "| v̇ | Rust | gcc | clang | gcc over Rust | clang over Rust |\n|---|---|---|---|---|---|\n"
    });
    for subject in subjects {
        let own = std::env::current_exe().expect("this program");
        let mut programs = vec![Some((own, vec![subject.name.to_owned()]))];
        for compiler in ["gcc", "clang"] {
            let program = compiled(subject, compiler, &folder);
            programs.push(program.map(|it| (it, Vec::new())));
        }
        let taken = if counts {
            counted(&programs)
        } else {
            timed(&programs, subject.calls)
        };
        write!(table, "| {} ", subject.title).expect("a string");
        for one in &taken {
            let text = one.map_or("–".to_owned(), |it| {
                if counts {
                    format!("{it:.0}")
                } else {
                    format!("{it:.0} ns")
                }
            });
            write!(table, "| {text} ").expect("a string");
        }
        for one in &taken[1..] {
            let ratio = one
                .zip(taken[0])
                .map(|(one, rust)| format!("{:.2}", one / rust));
            write!(table, "| {} ", ratio.unwrap_or("–".to_owned())).expect("a string");
        }
        table += "|\n";
    }
    table
}

type Program = Option<(PathBuf, Vec<String>)>;

/// Nanoseconds a call: the median of the turns.
fn timed(programs: &[Program], calls: usize) -> Vec<Option<f64>> {
    let mut turns: Vec<Vec<f64>> = programs.iter().map(|_| Vec::new()).collect();
    for _ in 0..TURNS {
        for (program, turns) in programs.iter().zip(&mut turns) {
            if let Some((program, arguments)) = program {
                let output = Command::new(program)
                    .args(arguments)
                    .arg(calls.to_string())
                    .output();
                let output = output.expect("what was compiled runs").stdout;
                let text = String::from_utf8(output).expect("a number");
                turns.push(text.trim().parse::<f64>().expect("a number") / calls as f64);
            }
        }
    }
    let median = |turns: &mut Vec<f64>| {
        turns.sort_by(f64::total_cmp);
        turns.get(turns.len() / 2).copied()
    };
    turns.iter_mut().map(median).collect()
}

/// Instructions a call: those of 2,000 calls less those of 1,000.
fn counted(programs: &[Program]) -> Vec<Option<f64>> {
    let count = |(program, arguments): &(PathBuf, Vec<String>), calls: usize| {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(program)
            .args(arguments)
            .arg(calls.to_string())
            .output()
            .expect("valgrind is installed");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = text.lines().find_map(|it| it.split_once("Collected : "));
        line.expect("callgrind tells a number")
            .1
            .trim()
            .parse::<f64>()
            .expect("a number")
    };
    let each = |program: &Program| {
        let program = program.as_ref()?;
        Some((count(program, 2000) - count(program, 1000)) / 1000.0)
    };
    programs.iter().map(each).collect()
}
