//! Examples that compute for long run here, and their figures are those of the book.

#[path = "../../examples/bricard.rs"]
mod bricard;
#[path = "../../examples/with_crates/src/bin/domino.rs"]
mod domino;
#[path = "../common/figures.rs"]
mod figures;
#[path = "../../examples/with_crates/src/bin/gripper.rs"]
mod gripper;
#[path = "../../examples/with_crates/src/bin/ragdoll.rs"]
mod ragdoll;
#[path = "../../examples/rope_bridge.rs"]
mod rope_bridge;
#[path = "../../examples/with_crates/src/bin/vehicle.rs"]
mod vehicle;

fn at_root() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .expect("the root of the repository");
}

#[test]
fn the_bridge_stands_in_the_shape_of_the_closed_form() {
    at_root();
    rope_bridge::main().expect("the bridge stands");
    figures::is_in_the_gallery("rope_bridge");
}

#[test]
fn dominoes_fall_as_fast_as_by_hand() {
    at_root();
    domino::main().expect("they fall");
    figures::is_in_the_gallery("domino");
}

#[test]
fn friction_holds_what_it_can_and_no_more() {
    at_root();
    gripper::main().expect("the box is held");
    figures::is_in_the_gallery("gripper");
}

/// Where it ends depends on the last bits of the arithmetic.
#[test]
fn a_ragdoll_falls_as_any_fall_has_to() {
    at_root();
    ragdoll::main().expect("it falls");
    figures::is_readable("ragdoll");
}

#[test]
fn a_car_accelerates_and_turns_as_by_hand() {
    at_root();
    vehicle::main().expect("it drives");
    figures::is_in_the_gallery("vehicle");
}

#[test]
fn the_ring_of_six_hinges_turns_inside_out() {
    at_root();
    bricard::main().expect("the ring turns");
    figures::is_in_the_gallery("bricard");
}
