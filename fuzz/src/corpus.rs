//! Writes the calls of the tests, the examples and the book as first inputs: `corpus/text/`, a file each.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use constraint_symbolic::call::calls;
use proc_macro2::TokenStream;

fn main() -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("corpus/text");
    fs::create_dir_all(&folder)?;
    let mut written = 0;
    for root in ["tests", "examples", "constraint-runtime/src/curve"] {
        for file in sources(&here.join("..").join(root))? {
            let Ok(tokens) = fs::read_to_string(&file)?.parse::<TokenStream>() else {
                continue; // a test of what is no Rust
            };
            for call in calls(tokens) {
                fs::write(folder.join(format!("{written:04}")), call.body.to_string())?;
                written += 1;
            }
        }
    }
    println!("{written} calls in {}", folder.display());
    Ok(())
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            all.extend(sources(&path)?);
        } else if path.extension().is_some_and(|it| it == "rs") {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}
