//! Writes each robot's file as a call of `system!`.

use std::error::Error;
use std::fs;

use constraint_import::{Options, write_to_out_dir};

fn main() -> Result<(), Box<dyn Error>> {
    write_to_out_dir("iiwa.urdf", &Options::new("iiwa.urdf"))?;
    write_to_out_dir("hyq.urdf", &Options::new("hyq.urdf"))?;
    println!("cargo::rerun-if-changed=delta_loops.xml");
    let options = Options {
        loops: Some(fs::read_to_string("delta_loops.xml")?),
        ..Options::new("delta.urdf")
    };
    write_to_out_dir("delta.urdf", &options)?;
    Ok(())
}
