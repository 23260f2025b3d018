//! What the build script has written is C, and computes what the Rust of the same file does.

use std::fs;
use std::path::Path;
use std::process::Command;

use constraint_runtime::prelude::*;
use pendulum_in_c::{HEADER, Pendulum, PendulumInputs};

#[test]
fn c_and_rust_accelerate_alike() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [source, program] = ["pendulum.c", "pendulum"].map(|name| folder.join(name));
    let main = "
#include <stdio.h>
int main(void) {
  const PendulumInputs given = { .push = 0.25 };
  const double q[2] = { 0.3, -0.4 }, v[2] = { 0.8, 0.6 };
  double a[2];
  pendulum_acceleration(&pendulum_default, &given, 0.0, q, v, a);
  printf(\"%.17g %.17g\\n\", a[0], a[1]);
  return 0;
}
";
    fs::write(&source, format!("{HEADER}{main}")).expect("the target directory takes a file");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c99", "-ffp-contract=off", "-o"]);
    let Ok(compiled) = compiler.arg(&program).arg(&source).arg("-lm").status() else {
        eprintln!("skipped: there is no C compiler, so nothing was run");
        return;
    };
    assert!(compiled.success());
    let output = Command::new(&program).output().expect("it runs").stdout;
    let found = String::from_utf8(output).expect("numbers");
    let found: Vec<f64> = found
        .split_whitespace()
        .map(|it| it.parse().expect("a number"))
        .collect();

    let pushed = Pendulum::default().with_inputs(PendulumInputs { push: 0.25 });
    let (q, v) = ([0.3, -0.4].into(), [0.8, 0.6].into());
    let expected: SVector<f64, 2> = pushed.acceleration(0.0, &q, &v).expect("it is regular");
    assert_eq!(found, expected.as_slice());
}
