//! Examples that compute for long run here, and their figures are those of the book.

#[path = "../../examples/bricard.rs"]
mod bricard;
#[path = "../common/figures.rs"]
mod figures;
#[path = "../../examples/rope_bridge.rs"]
mod rope_bridge;

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
fn the_ring_of_six_hinges_turns_inside_out() {
    at_root();
    bricard::main().expect("the ring turns");
    figures::is_in_the_gallery("bricard");
}
