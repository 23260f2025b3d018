//! Runs of 10⁵ and 10⁶ steps, and the bridge of 1,000 planks. A package of its own, optimised in every build: see the
//! workspace's profiles.

#[path = "../common/models/by_hand.rs"]
mod by_hand;
mod curves;
#[path = "../common/models/generated.rs"]
mod generated;
mod implicit;
mod joints;
mod systems;
// Its expansion takes a minute, which IDEs and lints are spared.
#[cfg(not(rust_analyzer))]
mod stackless;

#[path = "../../examples/rope_bridge.rs"]
mod rope_bridge;

#[test]
fn the_bridge_stands_in_the_shape_of_the_closed_form() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .expect("the root of the repository");
    rope_bridge::main().expect("the bridge stands");
}
