//! One file for each shard: columns by name, and a summary.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::pendulum::{Row, Settings, Summary};

/// The columns: the start, and the time of going over the top.
pub const COLUMNS: [&str; 3] = ["a/rad", "b/rad", "turned/s"];

/// The key of the summary of a shard in the file's metadata.
const SHARD: &str = "shard";

/// The metadata of a shard.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// Settings of each run.
    pub settings: Settings,
    /// The copies.
    pub copies: Range<usize>,
    /// Their summary.
    pub summary: Summary,
}

/// The file of a shard that begins with a copy.
pub fn path_of(directory: &Path, copies: &Range<usize>) -> PathBuf {
    directory.join(format!(
        "copies-{:012}-{:012}.safetensors",
        copies.start, copies.end
    ))
}

/// The bytes of a file: `rows` are those of all copies, or none where only the summary is to be kept.
///
/// # Panics
/// Not of numbers that are finite or NaN in `rows`.
pub fn encoded(shard: &Shard, rows: &[Row]) -> Vec<u8> {
    let column = |number: fn(&Row) -> f64| -> Vec<u8> {
        rows.iter()
            .flat_map(|row| number(row).to_le_bytes())
            .collect()
    };
    let columns = [
        column(|row| row.start[0]),
        column(|row| row.start[1]),
        column(|row| row.turned),
    ];
    let views = COLUMNS.iter().zip(&columns).map(|(&name, bytes)| {
        let view = TensorView::new(Dtype::F64, vec![rows.len()], bytes);
        (name, view.expect("eight bytes a number"))
    });
    let told = serde_json::to_string(shard).expect("numbers and text");
    let notes = [(SHARD.to_owned(), told)].into_iter().collect();
    safetensors::serialize(views, Some(notes)).expect("columns of one length")
}

/// Writes a file that is there as a whole or not at all, and not over another.
///
/// It is written under a name of this process, and linked to its own when all of it has reached the disk: of two processes
/// one is first. What a process that was killed leaves ends in `.part`, and is in nobody's way.
///
/// # Errors
/// [`Failure::AlreadyWritten`], [`Failure::File`].
pub fn publish(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default().as_nanos();
    let part = path.with_extension(format!("{}-{now}.part", std::process::id()));
    let mut file = File::create_new(&part).map_err(Failure::at(&part))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let linked =
        written
            .map_err(Failure::at(&part))
            .and_then(|()| match fs::hard_link(&part, path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let path = path.to_owned();
                    Err(Failure::AlreadyWritten { path })
                }
                linked => linked.map_err(Failure::at(path)),
            });
    let removed = fs::remove_file(&part).map_err(Failure::at(&part));
    linked.and(removed)
}

/// Reads the metadata of a shard, and checks that the file is complete, with a row for each copy if `rows` are needed.
///
/// # Errors
/// [`Failure::File`], [`Failure::Damaged`]; [`Failure::OfAnotherSweep`] if settings or copies differ;
/// [`Failure::WithoutRows`].
pub fn read(
    path: &Path,
    settings: &Settings,
    copies: &Range<usize>,
    rows: bool,
) -> Result<Shard, Failure> {
    let bytes = fs::read(path).map_err(Failure::at(path))?;
    let damaged = |cause: String| Failure::Damaged {
        path: path.to_owned(),
        cause,
    };
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(|it| damaged(it.to_string()))?;
    let notes = header.metadata().as_ref();
    let text = notes.and_then(|notes| notes.get(SHARD));
    let text = text.ok_or_else(|| damaged("it has no metadata of a shard".to_owned()))?;
    let shard: Shard = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    if shard.settings != *settings || shard.copies != *copies {
        let path = path.to_owned();
        return Err(Failure::OfAnotherSweep { path });
    }
    let columns = COLUMNS.map(|name| header.info(name).map(|it| it.shape.as_slice()));
    if rows && columns != [Some(&[copies.len()][..]); 3] {
        let path = path.to_owned();
        return Err(Failure::WithoutRows { path });
    }
    Ok(shard)
}

/// Reads a column.
///
/// # Errors
/// [`Failure::File`], and [`Failure::Damaged`] where there is no such column.
pub fn read_column(path: &Path, name: &str) -> Result<Vec<f64>, Failure> {
    let bytes = fs::read(path).map_err(Failure::at(path))?;
    let damaged = |cause: String| Failure::Damaged {
        path: path.to_owned(),
        cause,
    };
    let file = SafeTensors::deserialize(&bytes).map_err(|error| damaged(error.to_string()))?;
    let column = file
        .tensor(name)
        .map_err(|error| damaged(error.to_string()))?;
    let (numbers, []) = column.data().as_chunks() else {
        return Err(damaged("half a number".to_owned()));
    };
    Ok(numbers
        .iter()
        .map(|&bytes| f64::from_le_bytes(bytes))
        .collect())
}
