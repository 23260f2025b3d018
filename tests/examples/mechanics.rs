//! The examples run and hold what they assert, and the book shows what they really print.

#[path = "../../examples/arm.rs"]
mod arm;
#[allow(dead_code, reason = "`main` prints what the test reads")]
#[path = "../../examples/bead_on_parabola.rs"]
mod bead_on_parabola;
#[path = "../../examples/cart_pole.rs"]
mod cart_pole;
#[path = "../../examples/cart_pole_lqr.rs"]
mod cart_pole_lqr;
#[path = "../../examples/chain_modes.rs"]
mod chain_modes;
#[path = "../../examples/robots/src/bin/delta_robot.rs"]
mod delta_robot;
#[path = "../../examples/double_pendulum.rs"]
mod double_pendulum;
#[path = "../../examples/dumbbell.rs"]
mod dumbbell;
#[path = "../../examples/with_crates/src/bin/fit.rs"]
mod fit;
#[path = "../../examples/four_bar.rs"]
mod four_bar;
#[path = "../../examples/governor.rs"]
mod governor;
#[path = "../../examples/hanging_chain.rs"]
mod hanging_chain;
#[path = "../../examples/hexapod.rs"]
mod hexapod;
#[path = "../../examples/identification.rs"]
mod identification;
#[path = "../../examples/robots/src/bin/iiwa_torque_control.rs"]
mod iiwa_torque_control;
#[path = "../../examples/optimal_track.rs"]
mod optimal_track;
#[path = "../../examples/pendulum.rs"]
mod pendulum;
#[path = "../../examples/with_crates/src/bin/pendulum_table.rs"]
mod pendulum_table;
#[path = "../../examples/robots/src/bin/quadruped_stand.rs"]
mod quadruped_stand;
#[path = "../../examples/rolling_disk.rs"]
mod rolling_disk;
#[path = "../../examples/skate.rs"]
mod skate;
#[path = "../../examples/spinning_hoop.rs"]
mod spinning_hoop;
#[path = "../../examples/spinning_top.rs"]
mod spinning_top;
#[allow(dead_code, reason = "`main` prints what the test reads")]
#[path = "../../examples/spring_beads.rs"]
mod spring_beads;
#[path = "../../examples/stiff_bushing.rs"]
mod stiff_bushing;
#[path = "../../examples/tennis_racket.rs"]
mod tennis_racket;

#[path = "../../examples/truss.rs"]
mod truss;
#[path = "../../examples/valve_train.rs"]
mod valve_train;

use constraint_symbolic::compile;

const FIRST: &str = include_str!("../../docs/first_minutes.md");
const COORDINATES: &str = include_str!("../../docs/coordinates.md");

#[test]
fn the_pendulum_swings_as_its_period_demands() {
    crate::at_root();
    pendulum::main().unwrap();
    crate::figures::is_in_the_gallery("pendulum");
}

#[test]
fn a_table_of_samples_keeps_what_the_motion_keeps() {
    crate::at_root();
    pendulum_table::main().unwrap();
}

#[test]
fn the_hoop_agrees_with_its_reduced_equation() {
    crate::at_root();
    spinning_hoop::main().unwrap();
    crate::figures::is_in_the_gallery("spinning_hoop");
}

#[test]
fn the_double_pendulums_agree_until_they_must_not() {
    crate::at_root();
    double_pendulum::main().unwrap();
    // Rounding errors, which differ from machine to machine, are the subject of the figure.
    crate::figures::is_readable("double_pendulum");
}

#[test]
fn the_chain_hangs_swings_and_falls_as_known() {
    crate::at_root();
    hanging_chain::main().unwrap();
    crate::figures::is_in_the_gallery("hanging_chain");
}

#[test]
fn the_linkage_turns_as_its_closed_form() {
    crate::at_root();
    four_bar::main().unwrap();
    crate::figures::is_in_the_gallery("four_bar");
}

#[test]
fn the_parameters_of_a_linkage_are_read_off_its_motion() {
    crate::at_root();
    fit::main().unwrap();
}

#[test]
fn the_arm_moves_by_the_torques_of_the_textbook() {
    crate::at_root();
    arm::main().unwrap();
    crate::figures::is_in_the_gallery("arm");
}

#[test]
fn the_pole_is_swung_up_and_held() {
    crate::at_root();
    cart_pole::main().unwrap();
    crate::figures::is_in_the_gallery("cart_pole");
}

#[test]
fn the_pole_is_balanced_at_the_least_cost() {
    crate::at_root();
    cart_pole_lqr::main().unwrap();
}

#[test]
fn the_arm_identifies_its_masses() {
    identification::main().unwrap();
}

#[test]
fn the_chain_swings_with_the_zeros_of_laguerre() {
    crate::at_root();
    // ∂v̇/∂(q, v) is a matrix of 256 KiB: room as a program's main thread has it.
    let main = || chain_modes::main().map_err(|error| error.to_string());
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    thread.spawn(main).unwrap().join().unwrap().unwrap();
}

#[test]
fn the_fastest_track_is_a_cycloid() {
    crate::at_root();
    optimal_track::main().unwrap();
    crate::figures::is_in_the_gallery("optimal_track");
}

#[test]
fn the_governor_opens_as_explicit_steps_say() {
    crate::at_root();
    governor::main().unwrap();
    crate::figures::is_in_the_gallery("governor");
}

#[test]
fn implicit_steps_pass_over_what_is_stiff() {
    crate::at_root();
    stiff_bushing::main().unwrap();
}

#[test]
fn the_skate_glides_along_its_blade() {
    crate::at_root();
    skate::main().unwrap();
    crate::figures::is_in_the_gallery("skate");
}

#[test]
fn the_top_precesses_and_nutates_as_the_textbooks_say() {
    crate::at_root();
    spinning_top::main().unwrap();
    crate::figures::is_in_the_gallery("spinning_top");
}

#[test]
fn the_racket_turns_over_in_the_elliptic_period() {
    crate::at_root();
    tennis_racket::main().unwrap();
    crate::figures::is_in_the_gallery("tennis_racket");
}

#[test]
fn the_dumbbell_obeys_the_text_where_the_text_is_right() {
    crate::at_root();
    dumbbell::main().unwrap();
    crate::figures::is_in_the_gallery("dumbbell");
}

#[test]
fn the_disk_circles_wobbles_and_falls_as_derived() {
    crate::at_root();
    rolling_disk::main().unwrap();
    crate::figures::is_in_the_gallery("rolling_disk");
}

#[test]
fn six_legs_move_as_they_do_in_a_world() {
    crate::at_root();
    hexapod::main().unwrap();
    crate::figures::is_in_the_gallery("hexapod");
}

#[test]
fn an_arm_follows_a_circle_by_computed_torque() {
    crate::at_root();
    iiwa_torque_control::main().unwrap();
    crate::figures::is_in_the_gallery("iiwa_torque_control");
}

#[test]
fn a_quadruped_returns_after_a_push() {
    crate::at_root();
    quadruped_stand::main().unwrap();
    crate::figures::is_in_the_gallery("quadruped_stand");
}

#[test]
fn a_delta_robot_carries_its_platform_level() {
    crate::at_root();
    delta_robot::main().unwrap();
    crate::figures::is_in_the_gallery("delta_robot");
}

#[test]
fn the_truss_carries_and_sags_as_by_hand() {
    crate::at_root();
    truss::main().unwrap();
    crate::figures::is_in_the_gallery("truss");
}

#[test]
fn the_cams_push_until_their_valves_float() {
    crate::at_root();
    valve_train::main().unwrap();
    crate::figures::is_in_the_gallery("valve_train");
}

#[test]
fn the_book_and_its_figure_show_what_the_bead_prints() {
    crate::at_root();
    let mut report = Vec::new();
    bead_on_parabola::report(&mut report).unwrap();
    let report = String::from_utf8(report).unwrap();
    check_lines(block("```", "text"), &report);
    crate::figures::is_in_the_gallery("bead_on_parabola");
}

#[test]
fn the_book_shows_the_expansion() {
    crate::at_root();
    let tokens = "pub struct Parabola; |x, y| x*x + 100*y";
    let file = syn::parse2(compile::constraint(tokens.parse().unwrap())).unwrap();
    let expansion = prettyplease::unparse(&file);
    let excerpt = block("````", "rust,ignore");
    let lines: Vec<_> = expansion.lines().map(str::trim).collect();
    let shown: Vec<_> = excerpt.lines().map(str::trim).collect();
    assert!(
        lines.windows(shown.len()).any(|window| window == shown),
        "the excerpt of docs/first_minutes.md is not part of\n\n{expansion}"
    );
}

#[test]
fn the_book_shows_what_the_spring_beads_print() {
    crate::at_root();
    let mut report = Vec::new();
    spring_beads::report(&mut report).unwrap();
    let (_, from_there) = COORDINATES
        .split_once("`examples/spring_beads.rs`")
        .unwrap();
    let (_, rest) = from_there.split_once("\n```text\n").unwrap();
    let (shown, _) = rest.split_once("\n```\n").unwrap();
    check_lines(shown, &String::from_utf8(report).unwrap());
    crate::figures::is_in_the_gallery("spring_beads");
}

/// Every line shown is printed.
fn check_lines(shown: &str, report: &str) {
    for line in shown.lines() {
        assert!(
            report.lines().any(|printed| printed == line),
            "the book shows {line:?}; the example prints\n\n{report}"
        );
    }
}

/// The first block of the first page that `fence` encloses and that is in this language.
fn block(fence: &str, language: &str) -> &'static str {
    let (_, rest) = FIRST.split_once(&format!("\n{fence}{language}\n")).unwrap();
    rest.split_once(&format!("\n{fence}\n")).unwrap().0
}
