//! Robots in build scripts.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use crate::{Mistakes, Options, import};

/// Imports a file and writes the text to `OUT_DIR`, under the name of the file with the ending `rs`.
///
/// In `build.rs`, with `constraint-import` among the `[build-dependencies]`:
///
/// ```no_run
/// use constraint_import::{BuildError, Options, write_to_out_dir};
///
/// fn main() -> Result<(), BuildError> {
///     write_to_out_dir("robots/arm.urdf", &Options::new("arm.urdf")).map(drop)
/// }
/// ```
///
/// In the program: `include!(concat!(env!("OUT_DIR"), "/arm.rs"));`. Cargo runs the script whenever the file, or one that it
/// includes, changes.
///
/// # Errors
/// The file cannot be read, or is wrong: each mistake with its line.
pub fn write_to_out_dir(file: impl AsRef<Path>, options: &Options) -> Result<PathBuf, BuildError> {
    let file = file.as_ref();
    println!("cargo::rerun-if-changed={}", file.display());
    let failed = |reason| BuildError {
        file: file.to_owned(),
        reason,
    };
    let text = fs::read_to_string(file).map_err(|error| failed(Reason::File(error)))?;
    let options = Options {
        folder: options
            .folder
            .clone()
            .or_else(|| file.parent().map(Path::to_owned)),
        ..options.clone()
    };
    let imported =
        import(&text, &options).map_err(|mistakes| failed(Reason::Mistakes(mistakes)))?;
    for path in &imported.included {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    for line in &imported.not_taken_over {
        println!("not taken over from {}: {line}", file.display());
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let name = file.file_stem().unwrap_or_default();
    let place = folder.join(name).with_extension("rs");
    fs::write(&place, imported.text).map_err(|error| failed(Reason::File(error)))?;
    Ok(place)
}

/// The reason why a build script has no text.
pub struct BuildError {
    file: PathBuf,
    reason: Reason,
}

enum Reason {
    File(io::Error),
    Mistakes(Mistakes),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.reason {
            Reason::File(error) => write!(f, "{file}: {error}"),
            Reason::Mistakes(mistakes) => write!(f, "{file}:\n{mistakes}"),
        }
    }
}

// `main` of a build script prints this.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
