//! Forces of joints, tendons and actuators against numbers that MuJoCo 4.0.0 has computed for the same files.
//!
//! Each number is M a + `qfrc_bias` − `qfrc_passive` − `qfrc_actuator` after `mj_forward` at the state below.

use constraint_import::{Imported, Options, import};

use crate::model::{Model, assert_close};

const Q: [f64; 3] = [0.3, -0.4, 0.5];
const V: [f64; 3] = [0.7, -0.2, 0.9];
const A: [f64; 3] = [0.4, 1.1, -0.6];
const U: [f64; 2] = [0.5, -0.3];

/// What a file shows, its elements, M a − h.
type Case = (&'static str, &'static str, &'static [f64]);

const CASES: [Case; 35] = [
    (
        "springdamper",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' springdamper='0.5 1'/><geom type='box' \
         size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody>",
        &[-13.352294866648847],
    ),
    (
        "springdamper_over_stiffness",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' springdamper='0.5 0.7' stiffness='3' \
         damping='7' springref='10'/><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody>",
        &[-13.417919019637596],
    ),
    (
        "springdamper_of_a_chain",
        "<worldbody><body pos='0.3 0.1 0'><joint name='j0' axis='0 1 0' springdamper='0.5 1'/><geom type='box' \
         size='0.1 0.05 0.02' pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j1' axis='0 0 1' \
         armature='0.02'/><geom type='box' size='0.1 0.05 0.02' pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint \
         name='j2' axis='1 0 0' springdamper='0.2 0.6' armature='0.01'/><geom type='box' size='0.1 0.05 0.02' \
         pos='0.15 0.02 0.03'/></body></body></body></worldbody>",
        &[-7.589006961548176, -0.06448309083418557, 0.520941454664441],
    ),
    (
        "general_is_the_default_of_motor",
        "<default><general gear='6'/></default><worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom \
         type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j'/></actuator>",
        &[-17.84562819998218],
    ),
    (
        "motor_is_the_default_of_position",
        "<default><motor gear='6'/></default><worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom \
         type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><position joint='j' \
         kp='9'/></actuator>",
        &[55.35437180001781],
    ),
    (
        "intvelocity_is_the_default_of_motor",
        "<default><intvelocity gear='6' forcerange='-0.1 0.2'/></default><worldbody><body pos='0.2 0 0'><joint \
         name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 \
         0'/></body></worldbody><actuator><motor joint='j'/></actuator>",
        &[-16.045628199982183],
    ),
    (
        "gains_of_another_servo_are_forgotten",
        "<default><position kp='20' kv='3' gear='2'/></default><worldbody><body pos='0.2 0 0'><joint name='j' \
         axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><velocity \
         joint='j'/></actuator>",
        &[-13.045628199982183],
    ),
    (
        "gains_of_the_same_servo_stay",
        "<default><position kp='20' kv='3' gear='2'/></default><worldbody><body pos='0.2 0 0'><joint name='j' \
         axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><position \
         joint='j' kp='7'/></actuator>",
        &[-5.045628199982184],
    ),
    (
        "gains_of_general_stay",
        "<default><general gainprm='5' gear='2'/></default><worldbody><body pos='0.2 0 0'><joint name='j' axis='0 \
         1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><velocity \
         joint='j'/></actuator>",
        &[-5.8456281999821815],
    ),
    (
        "general_takes_gains_of_a_servo",
        "<default><position kp='20' kv='3' gear='2'/></default><worldbody><body pos='0.2 0 0'><joint name='j' \
         axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><general \
         joint='j'/></actuator>",
        &[-2.445628199982183],
    ),
    (
        "general_without_bias",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><general joint='j' biasprm='1 2 3'/></actuator>",
        &[-15.345628199982182],
    ),
    (
        "general_with_the_bias_of_its_class",
        "<default><general biasprm='1 -2 -3'/><default class='a'><general biastype='affine' \
         gainprm='4'/></default></default><worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom \
         type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><general joint='j' \
         class='a'/></actuator>",
        &[-15.145628199982182],
    ),
    (
        "classes_in_classes",
        "<default><general gear='6'/><default class='a'><position forcerange='-0.2 0.1'/><default \
         class='b'><velocity gear='-3'/></default></default></default><worldbody><body pos='0.2 0 0'><joint \
         name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 \
         0'/></body></worldbody><actuator><motor joint='j' class='b'/></actuator>",
        &[-14.54562819998218],
    ),
    (
        "forcerange_of_the_default",
        "<default><general forcerange='-0.1 0.2'/></default><worldbody><body pos='0.2 0 0'><joint name='j' axis='0 \
         1 0' /><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' \
         gear='3'/></actuator>",
        &[-15.445628199982181],
    ),
    (
        "forcerange_of_motor",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' gear='3' forcerange='-0.1 0.2'/></actuator>",
        &[-15.445628199982181],
    ),
    (
        "forcerange_off",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' gear='3' forcelimited='false' \
         forcerange='-0.1 0.2'/></actuator>",
        &[-16.34562819998218],
    ),
    (
        "forcerange_of_position",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><position joint='j' gear='3' kp='50' kv='1' forcerange='-2 \
         2'/></actuator>",
        &[-8.845628199982182],
    ),
    (
        "actuatorfrcrange",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' actuatorfrcrange='-1 2'/><geom type='box' \
         size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' gear='3'/><position \
         joint='j' kp='30'/></actuator>",
        &[-13.845628199982182],
    ),
    (
        "actuatorfrcrange_off",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' actuatorfrcrange='-1 2' \
         actuatorfrclimited='false'/><geom type='box' size='0.1 0.1 0.1' pos='0.2 0 \
         0'/></body></worldbody><actuator><motor joint='j' gear='3'/><position joint='j' kp='30'/></actuator>",
        &[1.6543718000178185],
    ),
    (
        "dampratio",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><position joint='j' kp='20' dampratio='0.8'/></actuator>",
        &[-15.785205571215581],
    ),
    (
        "dampratio_with_gear_and_rotor",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' armature='0.3'/><geom type='box' size='0.1 \
         0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><position joint='j' kp='20' gear='-3' \
         dampratio='0.8'/></actuator>",
        &[81.60454941431033],
    ),
    (
        "dampratio_of_general",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><general joint='j' gainprm='20' biastype='affine' biasprm='0 \
         -20 0.8'/></actuator>",
        &[-15.785205571215581],
    ),
    (
        "dampratio_of_a_chain",
        "<worldbody><body pos='0.3 0.1 0'><joint name='j0' axis='0 1 0' /><geom type='box' size='0.1 0.05 0.02' \
         pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j1' axis='0 0 1' armature='0.02'/><geom \
         type='box' size='0.1 0.05 0.02' pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j2' axis='1 0 0' \
         /><geom type='box' size='0.1 0.05 0.02' pos='0.15 0.02 \
         0.03'/></body></body></body></worldbody><actuator><position joint='j0' kp='5' dampratio='1'/><position \
         joint='j1' kp='6' dampratio='0.5' gear='2'/></actuator>",
        &[-8.830511388120442, -6.4365512901408355, 0.04388033141656815],
    ),
    (
        "dampratio_of_a_tendon",
        "<worldbody><body pos='0.3 0.1 0'><joint name='j0' axis='0 1 0' /><geom type='box' size='0.1 0.05 0.02' \
         pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j1' axis='0 0 1' armature='0.02'/><geom \
         type='box' size='0.1 0.05 0.02' pos='0.15 0.02 0.03'/></body></body></worldbody><tendon><fixed name='t' \
         ><joint joint='j0' coef='2'/><joint joint='j1' coef='-0.5'/></fixed></tendon><actuator><position \
         tendon='t' kp='5' dampratio='0.7' gear='3'/></actuator>",
        &[57.858103776290264, -15.652672937825033],
    ),
    (
        "polynomial_stiffness",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' stiffness='3 2 1'/><geom type='box' size='0.1 \
         0.1 0.1' pos='0.2 0 0'/></body></worldbody>",
        &[-13.738628199982182],
    ),
    (
        "polynomial_stiffness_from_rest",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' stiffness='0 2 1' springref='-20'/><geom \
         type='box' size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody>",
        &[-13.729612577469604],
    ),
    (
        "polynomial_damping",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' damping='3 2 1'/><geom type='box' size='0.1 \
         0.1 0.1' pos='0.2 0 0'/></body></worldbody>",
        &[-11.422628199982181],
    ),
    (
        "polynomial_damping_negative",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' damping='0 2'/><geom type='box' size='0.1 0.1 \
         0.1' pos='0.2 0 0'/></body></worldbody>",
        &[-15.825628199982182],
    ),
    (
        "polynomials_of_a_tendon",
        "<worldbody><body pos='0.3 0.1 0'><joint name='j0' axis='0 1 0' /><geom type='box' size='0.1 0.05 0.02' \
         pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j1' axis='0 0 1' /><geom type='box' size='0.1 \
         0.05 0.02' pos='0.15 0.02 0.03'/></body></body></worldbody><tendon><fixed name='t' stiffness='3 2 1' \
         springlength='0.1' damping='0.3 0.2 0.1'><joint joint='j0' coef='2'/><joint joint='j1' \
         coef='-0.5'/></fixed></tendon>",
        &[4.783971858831739, -2.4061399584604017],
    ),
    (
        "tendon_at_rest_with_its_joints",
        "<worldbody><body pos='0.3 0.1 0'><joint name='j0' axis='0 1 0' springref='10'/><geom type='box' size='0.1 \
         0.05 0.02' pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j1' axis='0 0 1' springref='20' \
         stiffness='1'/><geom type='box' size='0.1 0.05 0.02' pos='0.15 0.02 \
         0.03'/></body></body></worldbody><tendon><fixed name='t' stiffness='3'><joint joint='j0' coef='2'/><joint \
         joint='j1' coef='-0.5'/></fixed></tendon>",
        &[-0.7842256923648598, -1.7631564210601176],
    ),
    (
        "actuatorfrcrange_of_a_tendon",
        "<worldbody><body pos='0.3 0.1 0'><joint name='j0' axis='0 1 0' /><geom type='box' size='0.1 0.05 0.02' \
         pos='0.15 0.02 0.03'/><body pos='0.3 0.1 0'><joint name='j1' axis='0 0 1' /><geom type='box' size='0.1 \
         0.05 0.02' pos='0.15 0.02 0.03'/></body></body></worldbody><tendon><fixed name='t' actuatorfrcrange='-0.1 \
         0.2'><joint joint='j0' coef='2'/><joint joint='j1' coef='-0.5'/></fixed></tendon><actuator><motor \
         tendon='t' gear='3'/></actuator>",
        &[-5.737028141168262, 0.22411004153959882],
    ),
    (
        "damping_and_rotor_of_an_actuator",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' gear='3' damping='0.5' \
         armature='0.2'/></actuator>",
        &[-12.47562819998218],
    ),
    (
        "polynomial_damping_of_an_actuator",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' gear='-3' damping='0.5 0.2 0.1'/></actuator>",
        &[-9.004928199982182],
    ),
    (
        "dampratio_with_the_rotor_of_an_actuator",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' /><geom type='box' size='0.1 0.1 0.1' \
         pos='0.2 0 0'/></body></worldbody><actuator><position joint='j' kp='20' gear='-3' dampratio='0.8' \
         armature='0.2'/></actuator>",
        &[92.02660148463423],
    ),
    (
        "springdamper_with_the_rotor_of_an_actuator",
        "<worldbody><body pos='0.2 0 0'><joint name='j' axis='0 1 0' springdamper='0.5 0.7'/><geom type='box' \
         size='0.1 0.1 0.1' pos='0.2 0 0'/></body></worldbody><actuator><motor joint='j' gear='-3' \
         armature='0.2'/></actuator>",
        &[-1.2178458870570097],
    ),
];

/// A file with these elements.
fn imported(elements: &str) -> Imported {
    let file = format!("<mujoco>{elements}</mujoco>");
    import(&file, &Options::new("m.xml")).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

#[test]
fn forces_are_those_of_mujoco() {
    for (name, elements, expected) in CASES {
        let text = imported(elements).text;
        let count = expected.len();
        let inputs = text.lines().filter(|it| it.starts_with("    input "));
        let inputs = inputs.count();
        let model = Model::new(&text).with_inputs(&U[..inputs]);
        let sign = if name == "polynomial_damping_negative" {
            -1.0
        } else {
            1.0
        };
        let v = V.map(|it| sign * it);
        let found = model.call("inverse_dynamics", &Q[..count], &v[..count], &A[..count]);
        println!("{name}\n{text}");
        assert_close(&found, expected, 1e-12);
    }
}
