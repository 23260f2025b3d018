//! Builds the page: one HTML file in which you type an equation and see its derivation, its code and its motion.
//!
//! ```text
//! cargo run --manifest-path page/Cargo.toml      # writes target/constraint.html
//! ```
//!
//! The engine is compiled to WebAssembly as a program that reads a model and writes the results; together with the
//! files of `site/` and the texts of the examples it becomes one file that needs no network.
#![forbid(unsafe_code)]

mod examples;

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use constraint_symbolic::formula::mathml;
use constraint_symbolic::syntax::keywords;
use lzma_rust2::{LzmaOptions, LzmaWriter};

/// The target of programs that only read and write.
const TARGET: &str = "wasm32-wasip1";

/// A larger page takes too long to load.
const LARGEST: usize = 1_500_000;

/// Stack size: the engine recurses into expressions.
const STACK: &str = "-C link-arg=-zstack-size=8388608";

/// The scripts of `site/`. The last one starts the page.
const SCRIPTS: [&str; 18] = [
    "unpack.js",
    "physics.js",
    "scene.js",
    "engine.js",
    "editor.js",
    "start.js",
    "picture.js",
    "arrows.js",
    "bodies.js",
    "shown.js",
    "plots.js",
    "results.js",
    "settings.js",
    "hand.js",
    "export.js",
    "help.js",
    "address.js",
    "app.js",
];

fn main() -> ExitCode {
    match build() {
        Ok((path, size)) => {
            println!("{}: {size} bytes", path.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the page; returns its path, and its size in bytes.
fn build() -> Result<(PathBuf, usize), Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package
        .parent()
        .ok_or("the package has no folder around it")?;
    check_target()?;
    let engine = packed(&compiled(package)?)?;
    let site = |name: &str| fs::read_to_string(package.join("site").join(name));
    let scripts = SCRIPTS
        .into_iter()
        .map(site)
        .collect::<Result<Vec<String>, _>>()?;
    let examples = examples::read(root)?;
    let style = mathml::STYLE.to_owned() + &site("style.css")?;
    let page = site("page.html")?
        .replace("/*HELP*/", &site("help.html")?)
        .replace("/*REPOSITORY*/", &repository(root)?)
        .replace("/*STYLE*/", &style)
        .replace("/*WORKER*/", &site("worker.js")?)
        .replace("/*SCRIPT*/", &scripts.join("\n"))
        .replace("/*STATEMENTS*/", &keywords().join("|"))
        // An example must not end the script that contains it.
        .replace("/*EXAMPLES*/", &examples.to_string().replace("</", "<\\/"))
        .replace("/*ENGINE*/", &engine);
    if page.len() > LARGEST {
        return Err(format!("the page has {} bytes, more than {LARGEST}", page.len()).into());
    }
    let folder = root.join("target");
    fs::create_dir_all(&folder)?;
    let path = folder.join("constraint.html");
    fs::write(&path, &page)?;
    Ok((path, page.len()))
}

/// The project's address, as the workspace states it.
fn repository(root: &Path) -> Result<String, Box<dyn Error>> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let mut lines = manifest.lines();
    let stated = lines.find_map(|line| line.strip_prefix("repository = "));
    let stated = stated.ok_or("the workspace states no repository")?;
    Ok(stated.trim().trim_matches('"').to_owned())
}

/// True if Rust can compile for the target.
fn check_target() -> Result<(), Box<dyn Error>> {
    let asked = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()?;
    let folder = String::from_utf8(asked.stdout)?;
    if asked.status.success() && Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(format!(
        "the page is not built: Rust's target {TARGET} is not installed; `rustup target add {TARGET}` does it"
    )
    .into())
}

/// The engine as WebAssembly.
fn compiled(package: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = package.join("target");
    let done = Command::new(cargo)
        .args(["build", "--release", "--bin", "engine", "--target", TARGET])
        .arg("--manifest-path")
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(std::env::var_os("CARGO_TARGET_DIR").map_or(target.clone(), PathBuf::from))
        .env("RUSTFLAGS", STACK)
        .status()?;
    if !done.success() {
        return Err("the engine does not compile".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(target, PathBuf::from);
    Ok(fs::read(target.join(TARGET).join("release/engine.wasm"))?)
}

/// As text that `unpack.js` unpacks: LZMA finds repetitions across the whole program, which gzip's window of 32 KiB
/// does not.
fn packed(bytes: &[u8]) -> Result<String, Box<dyn Error>> {
    let (options, size) = (LzmaOptions::with_preset(9), bytes.len().try_into()?);
    let mut packed = LzmaWriter::new_use_header(Vec::new(), &options, Some(size))?;
    packed.write_all(bytes)?;
    Ok(spelled(&packed.finish()?))
}

/// Seven bits a character. HTML would change `\0`, `\r` and perhaps the character after `<`: these are shifted by
/// 128.
fn spelled(bytes: &[u8]) -> String {
    let character = |bits: u32| match (bits & 127) as u8 {
        it @ (0 | b'\r' | b'<') => char::from(it + 128),
        it => char::from(it),
    };
    let mut text = String::with_capacity(bytes.len() * 6 / 5);
    let (mut bits, mut held) = (0, 0);
    for &byte in bytes {
        bits = bits << 8 | u32::from(byte);
        held += 8;
        while held >= 7 {
            held -= 7;
            text.push(character(bits >> held));
        }
    }
    if held > 0 {
        text.push(character(bits << (7 - held)));
    }
    text
}
