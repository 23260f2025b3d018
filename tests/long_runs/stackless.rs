//! A chain of 10⁵ links in a thread of 2 MiB, where each of its vectors has 0.8 MB or more.

use approx::assert_relative_eq;
use constraint_runtime::prelude::*;

const N: usize = 100_000;

system! {
    pub struct Chain { pub m: Real = 1, pub l: Real = 1, pub g: Real = 9.81 }

    particle bead[100000]: Point2 { mass: m }
    constraint anchor: norm_squared(bead[0]) == l^2;
    for i in 1..100000 { constraint link[i]: norm_squared(bead[i] - bead[i - 1]) == l^2; }
    gravity [0, -g];
}

/// From rest on a level line, the far end falls freely, y = −g t²/2: it learns nothing of the anchor.
#[test]
fn a_chain_of_100_000_links_is_built_moved_and_kept_in_2_mib_of_stack() {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let test = || {
        let counted = allocation_counter::measure(|| {
            let bead = HeapArray::from_fn(|i| Point2::new((i + 1) as f64, 0.0));
            let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
            let mut run: Simulation<Chain, Rk4> =
                Simulation::new(Chain::default(), start, Rk4::new(1e-3)).unwrap();
            run.run_until(0.02).unwrap();
        });
        let states = counted.bytes_max as f64 / (4 * N * size_of::<f64>()) as f64;
        assert!(states <= 12.0, "{states} states");
        let bead = HeapArray::from_fn(|i| Point2::new((i + 1) as f64, 0.0));
        let start = State::new(0.0, ChainCoordinates { bead }, ChainVelocities::default());
        let run = Simulation::new(Chain::default(), start, Rk4::new(1e-3));
        let mut run: Simulation<Chain, Rk4> = run.unwrap();
        run.run_until(0.01).unwrap();
        let checkpoint = run.clone();
        run.run_until(0.02).unwrap();
        let mut again = checkpoint;
        again.run_until(0.02).unwrap();
        assert_eq!(again.state(), run.state());
        assert!(run.drift() < 1e-9);
        let end = run.coordinates().bead[N - 1];
        assert_relative_eq!(end.y, -9.81 * 0.02 * 0.02 / 2.0, max_relative = 1e-9);
        assert_eq!(run.system().row_name(N - 1), Some("link[99999]"));
    };
    thread.spawn(test).unwrap().join().unwrap();
}
