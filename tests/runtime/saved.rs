//! Runs that are kept and go on from there, to the last bit.

use std::fmt::Debug;

use constraint_runtime::prelude::*;
use constraint_runtime::{ByName, Checkpoint, Integrator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

system! {
    /// Two rods.
    #[derivatives]
    #[derive(serde::Serialize, serde::Deserialize)]
    pub struct DoublePendulum { m: Real = 1, l1: Real = 1, l2: Real = 1, pull: Vector2 = [0, -9.81] }
    particle upper: Point2 { mass: m }
    particle lower: Point2 { mass: m }
    constraint first: norm(upper) == l1;
    constraint second: norm(lower - upper) == l2;
    gravity pull;
}

system! {
    /// Twelve beads hang on rods and stiff bends: enough that implicit methods take the descriptor pair's entries.
    #[derivatives]
    #[derive(serde::Serialize, serde::Deserialize)]
    pub struct Twelve { m: Real = 1, l: Real = 1, k: Real = 1e4, g: Real = 9.81 }
    particle bead[12]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..12 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 2..12 { potential k/2*norm_squared(bead[i] - 2*bead[i-1] + bead[i-2]); }
    gravity [0, -g];
}

/// What `serde_json` makes of it and reads again.
fn kept<X: Serialize + DeserializeOwned>(x: &X) -> X {
    let text = serde_json::to_string(x).expect("it can be written");
    serde_json::from_str(&text).expect("it can be read")
}

fn compared<I>(method: I, stabilization: Stabilization<f64>)
where
    I: Integrator<Scalar = f64> + Clone + Debug,
    Checkpoint<I, SVector<f64, 4>>: Serialize + DeserializeOwned,
{
    let start = State::new(0.0, [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
    resumed(DoublePendulum::default(), start, method, stabilization);
}

/// A run that is kept amidst its way goes on as one that is not.
fn resumed<S, I>(system: S, start: State<S::Q, S::V>, method: I, with: Stabilization<f64>)
where
    S: System<f64> + Copy + Debug + Serialize + DeserializeOwned,
    S::Q: PartialEq + Debug,
    S::V: PartialEq + Debug,
    I: Integrator<Scalar = f64> + Clone + Debug,
    Checkpoint<I, S::Q, S::V>: Serialize + DeserializeOwned,
{
    let run = Simulation::new(system, start, method.clone()).expect("a good start");
    let mut run = run.with_stabilization(with);
    run.run_until(0.737).expect("it swings");
    let checkpoint = kept(&run.checkpoint());
    assert_eq!(checkpoint.state(), run.state());
    let resumed = Simulation::resume(kept(&system), method.clone(), checkpoint);
    let mut resumed = resumed.expect("it goes on");
    assert_eq!(resumed.interpolant(), run.interpolant());
    for _ in 0..7 {
        run.step().expect("it swings");
        resumed.step().expect("it swings");
        assert_eq!(resumed.state(), run.state());
    }
    run.run_until(2.0).expect("it swings");
    resumed.run_until(2.0).expect("it swings");
    assert_eq!(resumed.state(), run.state(), "{method:?}");
}

#[test]
fn a_run_resumes_to_the_last_bit_with_every_method() {
    let projected = Stabilization::default();
    let feedback = Stabilization::Baumgarte {
        alpha: 5.0,
        beta: 5.0,
    };
    compared(Rk4::new(0.01), projected);
    compared(Rk4::new(0.01), feedback);
    compared(DormandPrince::new(1e-9, 1e-9), projected);
    compared(DormandPrince::new(1e-9, 1e-9), feedback);
    compared(SemiImplicitEuler::new(0.01), projected);
    compared(Rattle::new(0.01), projected);
    compared(SequentialImpulses::new(20).stepping(0.01), projected);
    compared(Radau5::new(1e-8, 1e-8), projected);
    compared(Radau5::new(1e-8, 1e-8), feedback);
    compared(GeneralizedAlpha::new(0.01, 0.8), projected);
}

/// What is kept is the band and its entries.
#[test]
fn a_run_resumes_by_entries_too() {
    let at = |i: usize| Point2::new(0.6 * (i as f64 + 1.0), -0.8 * (i as f64 + 1.0));
    let bead = TwelveCoordinates {
        bead: std::array::from_fn(at),
    };
    let start = State::new(0.0, bead, TwelveVelocities::default());
    // A program that is not optimised moves room for 24 velocities about on the stack: more than a test's.
    let room = std::thread::Builder::new().stack_size(64 << 20);
    let test = room.spawn(move || {
        let (twelve, with) = (Twelve::default(), Stabilization::default());
        resumed(twelve, start, GeneralizedAlpha::new(0.01, 0.8), with);
        resumed(twelve, start, Radau5::new(1e-4, 1e-4), with);
    });
    test.expect("a thread").join().expect("it goes on");
}

#[test]
fn a_run_is_kept_before_its_first_step_too() {
    fn compared<I>(method: I)
    where
        I: Integrator<Scalar = f64> + Clone,
        Checkpoint<I, SVector<f64, 4>>: Serialize + DeserializeOwned,
    {
        let start = State::new(0.0, [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
        let run = Simulation::new(DoublePendulum::default(), start, method.clone());
        let mut run = run.expect("a good start");
        let checkpoint = kept(&run.checkpoint());
        let resumed = Simulation::resume(DoublePendulum::default(), method, checkpoint);
        let mut resumed = resumed.expect("it goes on");
        run.run_until(0.5).expect("it swings");
        resumed.run_until(0.5).expect("it swings");
        assert_eq!(resumed.state(), run.state());
    }
    compared(Rk4::new(0.01));
    compared(DormandPrince::new(1e-9, 1e-9));
    compared(Radau5::new(1e-8, 1e-8));
    compared(GeneralizedAlpha::new(0.01, 0.8));
}

/// Cut off anywhere, and with any number left out, what is read is an error and no other run.
#[test]
fn what_is_damaged_is_refused() {
    let start = State::new(0.0, [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
    let method = Radau5::new(1e-8, 1e-8);
    let run = Simulation::new(DoublePendulum::default(), start, method);
    let mut run = run.expect("a good start");
    run.run_until(0.1).expect("it swings");
    let text = serde_json::to_string(&run.checkpoint()).expect("it can be written");
    let read = |text: &str| -> Result<Checkpoint<Radau5, SVector<f64, 4>>, _> {
        serde_json::from_str(text)
    };
    read(&text).expect("it can be read");
    for end in (0..text.len()).step_by(11) {
        let message = read(&text[..end]).unwrap_err().to_string();
        assert!(message.starts_with("EOF while parsing"), "{message}");
    }
    for (comma, _) in text.match_indices(',') {
        let rest = &text[comma + 1..];
        let end = rest.find([',', ']', '}']).expect("it closes");
        if rest[..end].parse::<f64>().is_ok() {
            let without = format!("{}{}", &text[..comma], &rest[end..]);
            assert!(read(&without).is_err(), "{}", &rest[..end]);
        }
    }
}

#[test]
fn parameters_and_states_are_written_by_name() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Scene {
        system: DoublePendulum,
        state: State<SVector<f64, 4>>,
        far: HeapArray<f64, 3>,
    }
    let scene = Scene {
        system: DoublePendulum::default(),
        state: State::new(0.1, [1.0, 0.0, 1.0, -1.0], [0.1; 4]),
        far: [0.1, 0.2, 0.3].into(),
    };
    assert_eq!(kept(&scene), scene);
    let text = serde_json::to_string(&scene.system).expect("it can be written");
    assert_eq!(text, r#"{"m":1.0,"l1":1.0,"l2":1.0,"pull":[0.0,-9.81]}"#);
    let short: Result<HeapArray<f64, 3>, _> = serde_json::from_str("[1.0, 2.0]");
    let message = short.unwrap_err().to_string();
    assert!(
        message.starts_with("found 2 elements, expected 3"),
        "{message}"
    );
}

#[test]
fn states_are_written_and_read_by_the_names_of_a_system() {
    system! {
        struct Lab { m: Real = 1 }
        coordinate phi;
        particle bob = [sin(phi), -cos(phi)] { mass: m }
        particle bead[2]: Point2 { mass: m }
        body link: Rigid2 { mass: m, inertia: 1 }
    }
    let system = Lab::<f64>::default();
    let start = State::new(0.5, [0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.8, 0.6], [0.2; 8]);
    let text = serde_json::to_string(&ByName::of(&system, &start)).expect("it can be written");
    let q = "\"q\":{\"phi\":0.1,\"bead[0].x\":1.0,\"bead[0].y\":2.0,\"bead[1].x\":3.0,";
    assert!(text.starts_with(&format!("{{\"t\":0.5,{q}")), "{text}");
    let read = |text: &str| {
        let read = ByName::read(&system, &mut serde_json::Deserializer::from_str(text));
        read.map_err(|error| error.to_string())
    };
    assert_eq!(read(&text), Ok(start));
    let moved = text.replacen("\"phi\":0.1,", "", 1).replacen(
        "\"bead[1].x\"",
        "\"phi\":0.1,\"bead[1].x\"",
        1,
    );
    assert_eq!(read(&moved), Ok(start), "{moved}");
    let refused = [
        (
            text.replacen("phi", "psi", 1),
            "there is no coordinate `psi`",
        ),
        (
            text.replacen("\"phi\":0.1,", "", 1),
            "the coordinate `phi` is missing",
        ),
        (
            text.replacen("bead[0].y", "phi", 1),
            "the coordinate `phi` occurs twice",
        ),
        (
            text.replace("\"v\":{\"phi\":0.2,", "\"v\":{"),
            "the velocity `phi` is missing",
        ),
        (text.replacen("\"t\"", "\"s\"", 1), "unknown field `s`"),
        (text[..text.len() - 2].to_owned(), "EOF while parsing"),
    ];
    for (text, cause) in refused {
        let message = read(&text).expect_err(cause);
        assert!(message.starts_with(cause), "{message}");
    }
}

#[test]
fn what_does_not_go_on_is_refused() {
    let start = State::new(0.0, [1.0, 0.0, 2.0, 0.0], [0.0; 4]);
    let run = Simulation::new(DoublePendulum::default(), start, Rk4::new(0.01)).expect("a start");
    let resume = |h, m| {
        let system = DoublePendulum {
            m,
            ..Default::default()
        };
        Simulation::resume(system, Rk4::new(h), run.checkpoint()).map(drop)
    };
    assert_eq!(resume(0.01, 1.0), Ok(()));
    assert!(matches!(
        resume(-0.01, 1.0),
        Err(Error::InvalidStepSize { .. })
    ));
    assert!(matches!(resume(0.01, -1.0), Err(Error::InvalidMass { .. })));
}
