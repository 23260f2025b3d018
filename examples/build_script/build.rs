//! Writes the system of `src/pendulum.rs` as a header of C, which goes where programs without Rust are built.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use constraint_symbolic::export::{Target, export};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src/pendulum.rs");
    let call = fs::read_to_string("src/pendulum.rs")?;
    let header = export(call.parse()?, Target::C)?;
    let place = env::var("OUT_DIR")?;
    fs::write(Path::new(&place).join("pendulum.h"), header)?;
    Ok(())
}
