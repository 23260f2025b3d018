//! Robots from their files: the build script writes each as a call of `system!`. To read these texts, run
//! `constraint import iiwa.urdf`.
//!
//! They are a crate of their own, so that they are derived when a file changes, not whenever a controller does.

/// A delta robot: `delta.urdf`, with the joints of `delta_loops.xml` that close its loops.
pub mod delta {
    include!(concat!(env!("OUT_DIR"), "/delta.rs"));
}
/// The quadruped HyQ, its feet held on the ground: `hyq.urdf`.
pub mod hyq {
    include!(concat!(env!("OUT_DIR"), "/hyq.rs"));
}
/// The arm LBR iiwa: `iiwa.urdf`.
pub mod iiwa {
    include!(concat!(env!("OUT_DIR"), "/iiwa.rs"));
}
