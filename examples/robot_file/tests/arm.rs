//! The arm of the file: its tool is where geometry says, and torques against gravity hold it.

use constraint_runtime::prelude::*;
use robot_from_its_file::{Arm, ArmCoordinates, ArmInputs};

/// A position in the middle of the limits.
fn bent() -> SVector<f64, 3> {
    let [lower, upper] = [Arm::LOWER, Arm::UPPER].map(SVector::from);
    (lower + upper) * 0.5
}

/// A positive angle of the shoulder lowers the arm: after the quarter turn, its axis is y of the turret.
#[test]
fn the_tool_is_where_geometry_says() -> Result<(), Error> {
    let q = ArmCoordinates::<f64> {
        turn: 0.4,
        shoulder: -0.9,
        elbow: 1.2,
    };
    let outputs = Arm::<f64>::default()
        .with_inputs(ArmInputs::default())
        .outputs(0.0, &q.into(), &SVector::zeros())?;
    let (shoulder, elbow) = (q.shoulder, q.shoulder + q.elbow);
    let far = 0.4 * shoulder.cos() + 0.35 * elbow.cos();
    let height = 0.3 - 0.4 * shoulder.sin() - 0.35 * elbow.sin();
    let expected = Vector3::new(far * q.turn.cos(), far * q.turn.sin(), height);
    assert!(
        (outputs.tool_place - expected).norm() < 1e-14,
        "{}",
        outputs.tool_place
    );
    Ok(())
}

#[test]
fn torques_against_gravity_hold_the_arm() -> Result<(), Error> {
    let (q, still) = (bent(), SVector::zeros());
    let released = Arm::default().with_inputs(ArmInputs::default());
    let torques = released.inverse_dynamics(0.0, &q, &still, &still)?;
    let [turn, shoulder, elbow]: [f64; 3] = torques.into();
    assert!(turn.abs() < 1e-14, "{turn}");
    for (torque, most) in torques.iter().zip(Arm::EFFORT) {
        assert!(torque.abs() < most);
    }
    let held = ArmInputs {
        turn_torque: turn,
        shoulder_torque: shoulder,
        elbow_torque: elbow,
    };
    let rest = Arm::default()
        .with_inputs(held)
        .acceleration(0.0, &q, &still)?;
    assert!(rest.norm() < 1e-12, "{rest}");
    Ok(())
}
