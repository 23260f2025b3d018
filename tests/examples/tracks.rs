//! The examples of tracks run and hold what they assert.

#[path = "../../examples/flight.rs"]
mod flight;
#[allow(dead_code, reason = "`main` reads the command line")]
#[path = "../../examples/with_crates/src/bin/roller_coaster.rs"]
mod roller_coaster;
#[path = "../../examples/tautochrone.rs"]
mod tautochrone;

use clap::{Parser as _, ValueEnum as _};

#[test]
fn the_tautochrone_takes_the_same_time_from_everywhere() {
    crate::at_root();
    tautochrone::main().unwrap();
    crate::figures::is_in_the_gallery("tautochrone");
}

#[test]
fn the_bead_leaves_the_loop_and_lands_where_it_must() {
    crate::at_root();
    flight::main().unwrap();
    crate::figures::is_in_the_gallery("flight");
}

#[test]
fn every_track_is_ridden_without_loss_and_with_damping_loses() {
    crate::at_root();
    use roller_coaster::{Ride, Track, ride};
    for track in Track::value_variants() {
        let options = Ride {
            track: *track,
            time: 4.0,
            ..Ride::parse_from(["roller_coaster"])
        };
        let rows = ride(&options).unwrap();
        assert_eq!(rows.len(), 241);
        let (first, last) = (rows[0].energy(), rows[240].energy());
        assert!(
            (last - first).abs() < 1e-7 * (1.0 + first.abs()),
            "{track:?}: {first} {last}"
        );
        let damped = Ride {
            damping: 0.2,
            ..options
        };
        let rows = ride(&damped).unwrap();
        assert!(rows[240].energy() < first - 1e-3, "{track:?}");
    }
}

#[test]
fn the_roller_coaster_is_drawn() {
    crate::at_root();
    use roller_coaster::{Ride, Track, draw, ride};
    let options = Ride {
        track: Track::LoopTheLoop,
        ..Ride::parse_from(["roller_coaster"])
    };
    draw(&ride(&options).unwrap(), &options).unwrap();
    crate::figures::is_in_the_gallery("roller_coaster");
}
