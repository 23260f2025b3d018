//! `#[regressor]` in generated code: parameters of legs on a floating base, with motors, friction and springs around.

use constraint_runtime::prelude::*;

/// Numbers between -1 and 1, the same for ever.
fn noise(i: usize) -> f64 {
    (12.9898 * i as f64 + 4.1).sin()
}

system! {
    /// A trunk that moves freely with two legs on it, each with a thigh and a foot on a slider.
    #[regressor]
    struct Hopper { thigh: Real = 2, foot: Real = 0.7, l: Real = 0.4, k: Real = 300, c: Real = 3, g: Real = 9.81 }
    input torque[2];
    coordinate hip[2], knee[2];
    body trunk: Rigid3 { mass: 8, inertia: [0.3, 0.4, 0.5] }
    body upper[i in 0..2]: Rigid3 = trunk * pose([0, 0.2 - 0.4*i, 0], [0, 1, 0], hip[i]) * pose([0.05, 0, -l/2]) {
        mass: thigh,
        inertia: [[0.11, 0.01, 0.02], [0.01, 0.2, -0.03], [0.02, -0.03, 0.15]],
    }
    body lower[i in 0..2]: Rigid3 = upper[i] * pose([-0.05, 0, -knee[i]]) { mass: foot, inertia: [0.01, 0.02, 0.03] }
    force hip[i in 0..2]: torque[i];
    dissipation c/2*velocity(hip[0])^2;
    potential k/2*(knee[1] - l)^2;
    gravity [0, 0, -g];
}

#[test]
fn forces_are_linear_in_the_parameters_of_legs_on_a_floating_base() -> Result<(), Error> {
    let hopper = Hopper::<f64>::default();
    let heavy = Hopper {
        thigh: 3.0,
        foot: 0.2,
        ..hopper
    };
    let torque = HopperInputs {
        torque: [5.0, -7.0],
    };
    let (hopper, heavy) = (hopper.with_inputs(torque), heavy.with_inputs(torque));
    let difference = heavy.inertial_parameters() - hopper.inertial_parameters();
    for i in 0..10 {
        let mut q = SVector::<f64, 11>::from_fn(|k, _| noise(40 * i + k));
        hopper.normalize(&mut q);
        let [v, a] = [11, 22]
            .map(|first| SVector::<f64, 10>::from_fn(|k, _| 3.0 * noise(40 * i + first + k)));
        let y = hopper.regressor(0.0, &q, &v, &a);
        let more =
            heavy.inverse_dynamics(0.0, &q, &v, &a)? - hopper.inverse_dynamics(0.0, &q, &v, &a)?;
        assert!((y * difference - more).norm() < 1e-12 * more.norm());
        let base = y.select_columns(&Hopper::BASE_PARAMETERS);
        let beta = hopper.base_matrix() * difference;
        assert!((base * beta - more).norm() < 1e-12 * more.norm());
    }
    Ok(())
}

#[test]
fn parameters_are_named_by_the_first_body_of_a_link() {
    let hopper = Hopper::<f64>::default().with_inputs(HopperInputs { torque: [0.0; 2] });
    let named = |name: &str| {
        let place = Hopper::INERTIAL_PARAMETERS
            .iter()
            .position(|it| *it == name);
        hopper.inertial_parameters()[place.expect("a name")]
    };
    assert_eq!(Hopper::INERTIAL_PARAMETERS.len(), 40);
    // The hip is 0.2 above the middle of the thigh and 0.05 behind it; the foot has its centre on its own frame.
    assert_eq!(named("upper[1].m"), 2.0);
    assert!((named("upper[1].mx") - 0.1).abs() < 1e-15);
    assert!((named("upper[1].mz") + 0.4).abs() < 1e-15);
    assert!((named("upper[1].iyy") - (0.2 + 2.0 * (0.2 * 0.2 + 0.05 * 0.05))).abs() < 1e-15);
    assert!((named("upper[0].ixz") - (0.02 + 2.0 * 0.05 * 0.2)).abs() < 1e-15);
    assert_eq!(named("lower[0].mx"), 0.0);
    assert_eq!(named("lower[0].izz"), 0.03);
}
