//! C programs: compiled by the system's compiler, run, and what they print read.

use std::env::temp_dir;
use std::fs;
use std::process::Command;

/// What a C program prints; nothing where there is no compiler.
pub fn run(name: &str, text: &str) -> Option<String> {
    run_at("-O1", name, text)
}

/// The same, compiled at a level of optimisation: what is long and runs once takes longest to optimise.
pub fn run_at(level: &str, name: &str, text: &str) -> Option<String> {
    let folder = temp_dir().join(format!("constraint-c-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for what is compiled");
    let (source, program) = (folder.join("main.c"), folder.join("main"));
    fs::write(&source, text).expect("the source is written");
    let strict = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        level,
        "-ffp-contract=off",
        "-o",
    ];
    let compiled = Command::new("cc")
        .args(strict)
        .arg(&program)
        .arg(&source)
        .arg("-lm")
        .output();
    let Ok(compiled) = compiled else {
        eprintln!("skipped: there is no C compiler, so nothing was run");
        return None;
    };
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}\n{text}");
    let output = Command::new(&program)
        .output()
        .expect("what was compiled runs");
    assert!(output.status.success(), "{text}");
    fs::remove_dir_all(&folder).expect("the folder is removed");
    Some(String::from_utf8(output.stdout).expect("numbers"))
}

/// `0x1.8p+1`, `-0x0p+0`
pub fn hexadecimal(text: &str) -> f64 {
    let (sign, size) = text.strip_prefix('-').map_or((1.0, text), |it| (-1.0, it));
    let (digits, exponent) = size
        .trim_start_matches("0x")
        .split_once('p')
        .expect("an exponent");
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa = u64::from_str_radix(&format!("{whole}{part}"), 16).expect("digits");
    let exponent: i32 = exponent.parse().expect("a number");
    let places = i32::try_from(4 * part.len()).expect("few digits");
    sign * mantissa as f64 * 2.0_f64.powi(exponent - places)
}
