//! Shards in one process: the same however they are cut and whenever they are written, and nothing that is written is lost.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use constraint_runtime::Error;
use constraint_runtime::ensemble::Shards;
use sweep::Failure;
use sweep::file::{self, COLUMNS};
use sweep::pendulum::{self, Row, Settings};
use sweep::ranks::Alone;
use sweep::sweep::Sweep;

const COPIES: usize = 70;

const SETTINGS: Settings = Settings {
    seed: 7,
    time: 1.5,
    step: 0.02,
};

/// A sweep in an empty directory of its own.
fn sweep(name: &str, size: usize) -> Sweep {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    let size = NonZero::new(size).expect("some");
    Sweep {
        settings: SETTINGS,
        shards: Shards::new(COPIES, size).expect("copies"),
        directory,
        rows: true,
        threads: NonZero::new(2),
    }
}

fn files(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.clone(), fs::read(path).expect("a file")))
        .collect();
    files.sort();
    files
}

#[test]
fn any_cut_gives_what_all_at_once_gives() {
    let all = pendulum::run(&SETTINGS, 0..COPIES, None, drop).expect("copies");
    assert_eq!(all.copies(), COPIES);
    assert!(all.turned.count() > 5 && all.stayed > 5 && all.impossible == 0);
    for size in [1, 9, 64, 1000] {
        let sweep = sweep(&format!("cut{size}"), size);
        let merged = sweep.run(Alone).expect("it runs").expect("rank 0");
        assert_eq!(merged, all, "shards of {size}");
    }
}

#[test]
fn columns_hold_each_copy() {
    let sweep = sweep("columns", 32);
    sweep.run(Alone).expect("it runs");
    let mut rows: Vec<Row> = Vec::new();
    pendulum::run(&SETTINGS, 0..COPIES, None, |row| rows.push(row)).expect("copies");
    let column = |name| -> Vec<f64> {
        let paths = (0..3).map(|shard| sweep.path(shard).expect("a shard"));
        paths
            .flat_map(|path| file::read_column(&path, name).expect("a column"))
            .collect()
    };
    let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    let expected = |number: fn(&Row) -> f64| bits(rows.iter().map(number).collect());
    assert_eq!(bits(column(COLUMNS[0])), expected(|row| row.start[0]));
    assert_eq!(bits(column(COLUMNS[1])), expected(|row| row.start[1]));
    assert_eq!(bits(column(COLUMNS[2])), expected(|row| row.turned));
    let path = sweep.path(0).expect("a shard");
    let none = file::read_column(&path, "c/rad");
    assert!(matches!(none, Err(Failure::Damaged { .. })));
}

#[test]
fn what_was_written_is_not_run_again() {
    let whole = sweep("whole", 16);
    let expected = whole.run(Alone).expect("it runs");
    let resumed = sweep("resumed", 16);
    fs::create_dir_all(&resumed.directory).expect("a directory");
    for shard in [3, 0] {
        resumed.write(shard).expect("a shard");
    }
    // What a process that was killed leaves behind.
    fs::write(
        resumed
            .directory
            .join("copies-000000000016-000000000032.17.part"),
        b"half",
    )
    .expect("a file");
    assert_eq!(resumed.missing(), [1, 2, 4]);
    assert!(matches!(
        resumed.merged(),
        Err(Failure::Missing { shards: 3 })
    ));
    let first = files(&resumed.directory);
    assert_eq!(resumed.run(Alone).expect("it runs"), expected);
    let all = files(&resumed.directory);
    assert!(first.iter().all(|file| all.contains(file)));
    let is_whole = |path: &Path| path.extension() != Some("part".as_ref());
    let (all, expected): (Vec<_>, _) = (
        all.into_iter()
            .filter(|(path, _)| is_whole(path))
            .map(|(_, bytes)| bytes)
            .collect(),
        files(&whole.directory)
            .into_iter()
            .map(|(_, bytes)| bytes)
            .collect::<Vec<_>>(),
    );
    assert!(all == expected, "a shard has other bytes");
}

#[test]
fn shards_without_rows_are_none_of_a_sweep_that_asks_for_them() {
    let mut sweep = sweep("bare", 32);
    sweep.rows = false;
    let told = sweep.run(Alone).expect("it runs");
    sweep.rows = true;
    let refused = sweep.run(Alone).unwrap_err();
    assert!(
        matches!(&refused, Failure::WithoutRows { path } if path.exists()),
        "{refused}"
    );
    // Nothing was lost.
    sweep.rows = false;
    assert_eq!(sweep.run(Alone).expect("it is there"), told);
}

#[test]
fn more_copies_keep_the_full_shards() {
    let mut sweep = sweep("more", 32);
    sweep.run(Alone).expect("it runs");
    sweep.shards = Shards::new(100, NonZero::new(32).expect("some")).expect("copies");
    // 64..70 was not full.
    assert_eq!(sweep.missing(), [2, 3]);
}

#[test]
fn two_that_write_one_shard_do_not_write_over_each_other() {
    let sweep = sweep("twice", 64);
    fs::create_dir_all(&sweep.directory).expect("a directory");
    let path = sweep.path(0).expect("a shard");
    let results: Vec<_> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2).map(|_| scope.spawn(|| sweep.write(0))).collect();
        writers
            .into_iter()
            .map(|it| it.join().expect("no panic"))
            .collect()
    });
    let written = results.iter().filter(|result| result.is_ok()).count();
    assert_eq!(written, 1, "{results:?}");
    assert_eq!(files(&sweep.directory).len(), 1);
    let taken = sweep.write(0).unwrap_err();
    assert!(
        matches!(&taken, Failure::AlreadyWritten { path: it } if *it == path),
        "{taken}"
    );
    file::read(&path, &SETTINGS, &(0..64), true).expect("it is whole");
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let sweep = sweep("cut", 64);
    sweep.run(Alone).expect("it runs");
    let path = sweep.path(0).expect("a shard");
    let whole = fs::read(&path).expect("a file");
    for length in (0..whole.len()).step_by(7) {
        fs::write(&path, &whole[..length]).expect("a file");
        let refused = sweep.merged();
        assert!(
            matches!(&refused, Err(Failure::Damaged { path: it, .. }) if *it == path),
            "{length} bytes: {refused:?}"
        );
        assert!(matches!(
            file::read_column(&path, "a/rad"),
            Err(Failure::Damaged { .. })
        ));
    }
    fs::write(&path, &whole).expect("a file");
    sweep.merged().expect("it is whole");
    let other = Sweep {
        settings: Settings {
            seed: 8,
            ..SETTINGS
        },
        ..sweep.clone()
    };
    let refused = other.run(Alone);
    assert!(
        matches!(refused, Err(Failure::OfAnotherSweep { .. })),
        "{refused:?}"
    );
}

#[test]
fn what_is_no_sweep_is_refused() {
    let one = NonZero::new(1).expect("one");
    assert_eq!(Shards::new(0, one), Err(Error::NoCopies));
    let sweep = sweep("none", 64);
    let beyond = sweep.write(2).unwrap_err();
    assert!(
        matches!(
            beyond,
            Failure::Settings(Error::UnknownShard {
                shard: 2,
                shards: 2
            })
        ),
        "{beyond}"
    );
    let empty = pendulum::run(&SETTINGS, 5..5, None, drop);
    assert_eq!(empty.unwrap_err(), Error::NoCopies);
    let mut still = sweep.clone();
    still.settings.step = 0.0;
    let refused = still.run(Alone).unwrap_err();
    assert!(
        matches!(refused, Failure::Settings(Error::InvalidStepSize { .. })),
        "{refused}"
    );
    assert!(files(&sweep.directory).is_empty());
}
