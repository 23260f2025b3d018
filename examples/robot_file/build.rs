//! Writes the arm of `arm.urdf` as a call of `system!`.

use constraint_import::{BuildError, Options, write_to_out_dir};

fn main() -> Result<(), BuildError> {
    write_to_out_dir("arm.urdf", &Options::new("arm.urdf")).map(drop)
}
