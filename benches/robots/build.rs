//! Writes each robot's file as a call of `system!`.

use constraint_import::{BuildError, Options, write_to_out_dir};

fn main() -> Result<(), BuildError> {
    for file in ["iiwa.urdf", "hyq.urdf", "atlas.urdf"] {
        write_to_out_dir(file, &Options::new(file))?;
    }
    Ok(())
}
