//! An arm from its URDF file: the build script writes its model, this crate compiles it.

#![allow(missing_docs, reason = "the generated items follow from the file")]

include!(concat!(env!("OUT_DIR"), "/arm.rs"));
