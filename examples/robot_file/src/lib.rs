//! An arm from its URDF file: the build script writes its model, this crate compiles it.

include!(concat!(env!("OUT_DIR"), "/arm.rs"));
