//! All shards of a sweep: those that are missing are run, then all are merged.

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;

use constraint_runtime::ensemble::Shards;

use crate::Failure;
use crate::file::{self, Shard};
use crate::pendulum::{self, Row, Settings, Summary};
use crate::ranks::Ranks;

/// A sweep and where it is kept.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What each copy is run with.
    pub settings: Settings,
    /// How it is cut.
    pub shards: Shards,
    /// Where shards are written.
    pub directory: PathBuf,
    /// Whether a row is kept of each copy, and not only what is told of a shard.
    pub rows: bool,
    /// Threads of each process; as many as the machine has where it is not said.
    pub threads: Option<NonZero<usize>>,
}

impl Sweep {
    /// Runs the shards that are missing, each on one of the ranks, and merges all on rank 0.
    ///
    /// # Errors
    /// Those of a rank's own shards on that rank, [`Failure::Ranks`] on the others, and those of [`merged`](Self::merged).
    pub fn run(&self, ranks: &impl Ranks) -> Result<Option<Summary>, Failure> {
        fs::create_dir_all(&self.directory).map_err(Failure::at(&self.directory))?;
        let missing = if ranks.rank() == 0 {
            self.missing()
        } else {
            Vec::new()
        };
        let missing = ranks.broadcast(missing);
        let mut own = missing.iter().skip(ranks.rank()).step_by(ranks.size());
        let written = own.try_for_each(|&shard| self.write(shard as usize));
        let failed = ranks.count(written.is_err());
        written?;
        if failed > 0 {
            return Err(Failure::Ranks { failed });
        }
        if ranks.rank() > 0 {
            return Ok(None);
        }
        self.merged().map(Some)
    }

    /// The shards that no file is of.
    pub fn missing(&self) -> Vec<u64> {
        let all = 0..self.shards.count();
        let missing = all.filter(|&shard| self.path(shard).is_ok_and(|path| !path.exists()));
        missing.map(|shard| shard as u64).collect()
    }

    /// Runs one shard and writes its file.
    ///
    /// # Errors
    /// [`Failure::Settings`] of a shard that there is not, [`Failure::AlreadyWritten`], [`Failure::File`].
    pub fn write(&self, shard: usize) -> Result<(), Failure> {
        let copies = self.shards.copies(shard)?;
        let mut rows: Vec<Row> = Vec::new();
        let summary = pendulum::run(&self.settings, copies.clone(), self.threads, |row| {
            if self.rows {
                rows.push(row);
            }
        })?;
        let path = self.path(shard)?;
        let shard = Shard {
            settings: self.settings,
            copies,
            summary,
        };
        file::publish(&path, &file::encoded(&shard, &rows))
    }

    /// What is told of all shards: the same, to the last bit, in whatever order and by whomever they were written.
    ///
    /// # Errors
    /// [`Failure::Missing`], and those of [`file::read`].
    pub fn merged(&self) -> Result<Summary, Failure> {
        let shards = self.missing().len();
        if shards > 0 {
            return Err(Failure::Missing { shards });
        }
        let mut all = Summary::new(&self.settings)?;
        for shard in 0..self.shards.count() {
            let path = self.path(shard)?;
            let shard = file::read(&path, &self.settings, &self.shards.copies(shard)?)?;
            all.merge(shard.summary)?;
        }
        Ok(all)
    }

    /// The file of a shard.
    ///
    /// # Errors
    /// [`Failure::Settings`] of a shard that there is not.
    pub fn path(&self, shard: usize) -> Result<PathBuf, Failure> {
        Ok(file::path_of(
            self.directory.as_path(),
            &self.shards.copies(shard)?,
        ))
    }
}
