//! Shards over MPI: with the feature `mpi`, where `mpirun` is installed.

#[cfg(not(feature = "mpi"))]
#[test]
fn ranks_are_tried_with_the_feature_mpi() {
    println!(
        "skipped: `cargo test -p sweep --features mpi` tries ranks, where an MPI and libclang are installed"
    );
}

#[cfg(feature = "mpi")]
mod over_mpi {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Output, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    const SWEEP: &str = env!("CARGO_BIN_EXE_sweep");

    /// An empty directory of a test.
    fn directory(name: &str) -> PathBuf {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&directory);
        directory
    }

    /// The program on so many ranks, also where there are less processors, and in a container; `None` without `mpirun`.
    fn ranks(ranks: usize, directory: &Path, arguments: &[&str]) -> Option<Command> {
        let mut command = Command::new("mpirun");
        if Command::new("mpirun").arg("--version").output().is_err() {
            println!("skipped: there is no `mpirun`");
            return None;
        }
        command
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
            // In seconds: what waits for ever is an error.
            .env("MPIEXEC_TIMEOUT", "100")
            .args(["-n", &ranks.to_string(), SWEEP, "--threads", "1"])
            .args(["--time", "2", "--step", "0.02", "--directory"])
            .arg(directory)
            .args(arguments);
        Some(command)
    }

    /// What it prints.
    fn printed(output: Output) -> String {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout).expect("text")
    }

    fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(directory).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let whole = paths.filter(|path| path.extension() != Some("part".as_ref()));
        whole
            .map(|path| {
                (
                    path.file_name().expect("a name").into(),
                    fs::read(path).expect("a file"),
                )
            })
            .collect()
    }

    #[test]
    fn two_and_four_ranks_write_what_one_process_writes() {
        let arguments = ["--copies", "100", "--shard", "8"];
        let alone = directory("ranks1");
        let Some(mut one) = ranks(1, &alone, &arguments) else {
            return;
        };
        let expected = printed(one.output().expect("it starts"));
        assert_eq!(files(&alone).len(), 13);
        for size in [2, 4] {
            let together = directory(&format!("ranks{size}"));
            let command = ranks(size, &together, &arguments);
            let output = command.expect("mpirun").output().expect("it starts");
            assert_eq!(printed(output), expected);
            assert!(
                files(&together) == files(&alone),
                "{size} ranks write other bytes"
            );
        }
    }

    /// A rank that runs in a directory, its number such.
    #[cfg(target_os = "linux")]
    fn process_in(directory: &Path, is_meant: fn(usize) -> bool) -> Option<String> {
        let processes = fs::read_dir("/proc").expect("processes").flatten();
        let mut processes = processes.map(|process| process.path());
        let rank = processes.find(|process| {
            let is_rank = fs::read_link(process.join("exe")).is_ok_and(|it| it == Path::new(SWEEP));
            let arguments = fs::read(process.join("cmdline")).unwrap_or_default();
            let directory = directory.as_os_str().as_encoded_bytes();
            let is_there = arguments.split(|&byte| byte == 0).any(|it| it == directory);
            is_rank && is_there && rank_of(process).is_some_and(is_meant)
        });
        Some(rank?.file_name()?.to_str()?.to_owned())
    }

    /// The number that Open MPI has given a process.
    #[cfg(target_os = "linux")]
    fn rank_of(process: &Path) -> Option<usize> {
        let variables = fs::read_to_string(process.join("environ")).ok()?;
        let number = variables
            .split('\0')
            .find_map(|it| it.strip_prefix("OMPI_COMM_WORLD_RANK="));
        number?.parse().ok()
    }

    /// Kills a rank of which this holds, when five shards are written.
    #[cfg(target_os = "linux")]
    fn kill_one(directory: &Path, is_meant: fn(usize) -> bool) {
        let begun = Instant::now();
        while files(directory).len() < 5 {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "nothing is written"
            );
            sleep(Duration::from_millis(5));
        }
        let rank = process_in(directory, is_meant).expect("it runs");
        let killed = Command::new("kill").args(["-9", &rank]).status();
        assert!(killed.expect("kill").success());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn ranks_that_end_with_one_that_is_killed_lose_what_they_had_at_hand() {
        let arguments = ["--copies", "800", "--shard", "20"];
        let whole = directory("kept");
        let Some(mut undisturbed) = ranks(4, &whole, &arguments) else {
            return;
        };
        let expected = printed(undisturbed.output().expect("it starts"));

        let broken = directory("killed");
        let mut command = ranks(4, &broken, &arguments).expect("mpirun");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = command.spawn().expect("it starts");
        kill_one(&broken, |_| true);
        assert!(!run.wait().expect("it ends").success());

        let left = files(&broken);
        assert!((5..40).contains(&left.len()), "{} shards", left.len());
        let all = files(&whole);
        assert!(left.iter().all(|(name, bytes)| all[name] == *bytes));
        let resumed = ranks(3, &broken, &arguments).expect("mpirun");
        let resumed = { resumed }.output().expect("it starts");
        assert_eq!(printed(resumed), expected);
        assert!(files(&broken) == all, "other bytes after a restart");
    }

    /// Where MPI lets the others go on, they do what the one that was killed has left.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_rank_that_is_killed_loses_its_shard_only() {
        let arguments = ["--copies", "800", "--shard", "20"];
        let whole = directory("undisturbed");
        let Some(mut undisturbed) = ranks(4, &whole, &arguments) else {
            return;
        };
        let expected = printed(undisturbed.output().expect("it starts"));

        let disturbed = directory("disturbed");
        let mut command = ranks(4, &disturbed, &arguments).expect("mpirun");
        command.env("OMPI_MCA_orte_enable_recovery", "1");
        let run = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let run = run.expect("it starts");
        kill_one(&disturbed, |rank| rank > 0);
        let output = run.wait_with_output().expect("it ends");
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(
            text,
            expected,
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(files(&disturbed) == files(&whole), "other bytes");
    }
}
