//! One system for Rust and for C: the file with its call is compiled here, and exported by the build script.

#![allow(missing_docs, reason = "the generated items follow from the one call")]

use constraint_runtime::prelude::*;

include!("pendulum.rs");

/// The same as C99.
pub const HEADER: &str = include_str!(concat!(env!("OUT_DIR"), "/pendulum.h"));
