//! The program, run as a user runs it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run has left.
pub struct Run {
    pub code: i32,
    pub output: String,
    pub errors: String,
}

impl Run {
    /// What was printed by a run that went well.
    pub fn printed(&self) -> String {
        assert_eq!(self.code, 0, "{}", self.errors);
        self.output.clone()
    }
}

/// `constraint` with these arguments.
pub fn constraint<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    given("", arguments)
}

/// The same with something on standard input.
pub fn given<A: AsRef<OsStr>>(input: &str, arguments: impl IntoIterator<Item = A>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_constraint"));
    let command = command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program");
    let stdin = child.stdin.take();
    // A program that asks for no input may have ended.
    _ = stdin.expect("a pipe").write_all(input.as_bytes());
    let done = child.wait_with_output().expect("its end");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Run {
        code: done.status.code().expect("a code"),
        output: text(done.stdout),
        errors: text(done.stderr),
    }
}

/// The models of these tests, and the examples of the workspace that declare something by a macro: a packed crate has no
/// examples beside it.
#[allow(dead_code, reason = "not all tests go through the examples")]
pub fn examples() -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "tests/models",
        "../examples",
        "../examples/with_crates/src/bin",
    ];
    let folders = folders.map(|it| here.join(it));
    let entries = folders.iter().filter_map(|it| it.read_dir().ok()).flatten();
    let files = entries.map(|it| it.expect("an entry").path());
    let files = files.filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let mut files: Vec<PathBuf> = files
        .filter(|path| {
            let text = std::fs::read_to_string(path).expect("an example");
            let calls = ["constraint! {", "curve! {", "system! {"];
            text.lines().any(|line| calls.contains(&line.trim()))
        })
        .collect();
    files.sort();
    assert!(files.len() > 10 || !folders[1].exists());
    files
}
