//! The examples of constraints of one side run and hold what they assert.

#[path = "../../examples/bouncing_ball.rs"]
mod bouncing_ball;
#[path = "../../examples/box_on_slope.rs"]
mod box_on_slope;
#[path = "../../examples/clutch.rs"]
mod clutch;
#[path = "../../examples/newton_cradle.rs"]
mod newton_cradle;
#[path = "../../examples/painleve_rod.rs"]
mod painleve_rod;
#[path = "../../examples/rocking_block.rs"]
mod rocking_block;
#[path = "../../examples/tippe_top.rs"]
mod tippe_top;
#[path = "../../examples/with_crates/src/bin/walker.rs"]
mod walker;
#[path = "../../examples/with_crates/src/bin/woodpecker.rs"]
mod woodpecker;

#[test]
fn bounces_end_and_the_ball_rests() {
    crate::at_root();
    bouncing_ball::main().unwrap();
    crate::figures::is_in_the_gallery("bouncing_ball");
}

#[test]
fn a_block_rocks_with_the_losses_of_housner() {
    crate::at_root();
    rocking_block::main().unwrap();
    crate::figures::is_in_the_gallery("rocking_block");
}

#[test]
fn a_clutch_sticks_and_slips_in_the_period_by_hand() {
    crate::at_root();
    clutch::main().unwrap();
    crate::figures::is_in_the_gallery("clutch");
}

#[test]
fn a_box_on_a_slope_sticks_slides_or_tips() {
    crate::at_root();
    box_on_slope::main().unwrap();
    crate::figures::is_in_the_gallery("box_on_slope");
}

#[test]
fn a_cradle_sends_away_as_many_balls_as_come() {
    crate::at_root();
    newton_cradle::main().unwrap();
    crate::figures::is_in_the_gallery("newton_cradle");
}

#[test]
fn a_rod_jams_where_painleve_found_it() {
    crate::at_root();
    painleve_rod::main().unwrap();
    crate::figures::is_in_the_gallery("painleve_rod");
}

#[test]
fn a_woodpecker_pecks_in_a_cycle_whose_slope_is_known() {
    crate::at_root();
    woodpecker::main().unwrap();
    crate::figures::is_in_the_gallery("woodpecker");
}

#[test]
fn a_tippe_top_turns_upside_down_under_the_published_condition() {
    crate::at_root();
    tippe_top::main().unwrap();
    crate::figures::is_in_the_gallery("tippe_top");
}

#[test]
fn two_legs_walk_in_the_published_steps() {
    crate::at_root();
    walker::main().unwrap();
    crate::figures::is_in_the_gallery("walker");
}
