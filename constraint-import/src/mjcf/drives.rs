//! The law of an actuator: what its class and its element say, one after the other.
//!
//! All kinds of actuators share one default, which each element of a class changes, as in MuJoCo 4.0.0: gains of another kind
//! of servo are forgotten, all else stays.

use roxmltree::Node;

use crate::reader::{Reader, value_of};

/// The elements of `<actuator>`.
const ACTUATORS: [&str; 13] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
];

/// True for an element that drives something.
pub fn is_actuator(tag: &str) -> bool {
    ACTUATORS.contains(&tag)
}

/// A range that may be switched off.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    range: Option<[f64; 2]>,
    /// By default a range is a limit.
    is_limited: Option<bool>,
}

/// An actuator but for its name and what it drives.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Ratio of the transmission.
    pub gear: f64,
    /// Of the force before the gear.
    pub forces: Limits,
    /// Of the input.
    pub inputs: Limits,
    /// d₀, d₁, d₂ in −gear² (d₀ + d₁ |v| + d₂ v²) v
    pub damping: [f64; 3],
    /// Inertia of the rotor before the gear.
    pub armature: f64,
    /// The kind of the last element that is not `general`.
    kind: Option<String>,
    /// Gain of the input.
    pub gain: f64,
    /// Constant, factor of the length, factor of the rate.
    bias: [f64; 3],
    is_biased: bool,
    /// Why the force is no affine function of input, length and rate.
    unusual: Unusual,
}

/// Properties of a law that the text has no form for.
#[derive(Clone, Copy, Debug, Default)]
struct Unusual {
    has_state: bool,
    gain: bool,
    bias: bool,
}

impl Default for Drive {
    fn default() -> Drive {
        Drive {
            gear: 1.0,
            forces: Limits::default(),
            inputs: Limits::default(),
            damping: [0.0; 3],
            armature: 0.0,
            kind: None,
            gain: 1.0,
            bias: [0.0; 3],
            is_biased: false,
            unusual: Unusual::default(),
        }
    }
}

impl Limits {
    fn read(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>, range: &str, limited: &str) {
        self.range = reader.numbers(node, range).or(self.range);
        self.is_limited = match reader.choice(node, limited, &["true", "false", "auto"]) {
            Some("auto") => None,
            Some(word) => Some(word == "true"),
            None => self.is_limited,
        };
    }

    /// The range if it is a limit.
    pub fn range(&self, auto_limits: bool) -> Option<[f64; 2]> {
        self.range
            .filter(|_| self.is_limited.unwrap_or(auto_limits))
    }
}

impl Drive {
    /// Changes the drive by an element.
    pub fn apply(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) {
        let gear = reader.list(node, "gear");
        self.gear = gear.and_then(|it| it.first().copied()).unwrap_or(self.gear);
        self.forces.read(reader, node, "forcerange", "forcelimited");
        self.inputs.read(reader, node, "ctrlrange", "ctrllimited");
        self.damping = reader.coefficients(node, "damping").unwrap_or(self.damping);
        self.armature = reader.number(node, "armature").unwrap_or(self.armature);
        match node.tag_name().name() {
            "general" => self.general(reader, node),
            kind => {
                if self.kind.as_deref().is_some_and(|it| it != kind) {
                    self.forget();
                }
                self.law(reader, node, kind);
                self.kind = Some(kind.to_owned());
            }
        }
    }

    /// The law of an actuator without any attribute.
    fn forget(&mut self) {
        (self.gain, self.bias, self.is_biased) = (1.0, [0.0; 3], false);
        self.unusual = Unusual::default();
    }

    fn law(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>, kind: &str) {
        match kind {
            "motor" => self.forget(),
            "velocity" => {
                let kv = reader.number(node, "kv").unwrap_or(self.gain);
                self.forget();
                (self.gain, self.bias[2], self.is_biased) = (kv, -kv, true);
            }
            "position" => self.position(reader, node),
            "damper" | "adhesion" | "orientation" => self.unusual.gain = true,
            _ => self.unusual.has_state = true,
        }
    }

    fn position(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) {
        let kp = reader.number(node, "kp").unwrap_or(self.gain);
        let [kv, ratio] = ["kv", "dampratio"].map(|it| reader.number(node, it));
        if kv.is_some() && ratio.is_some() {
            let range = value_of(node, "dampratio");
            let message = "`kv` and `dampratio` are two dampings of one servo";
            reader.flaw(range, message, Some("keep one of them"));
        }
        let damping = kv.map(|it| -it).or(ratio).unwrap_or(self.bias[2]);
        let lag = reader.number(node, "timeconst").map(|it| it != 0.0);
        // A filter of `general` is none of a servo.
        let kept = self.kind.is_some() && self.unusual.has_state;
        self.forget();
        (self.gain, self.bias, self.is_biased) = (kp, [0.0, -kp, damping], true);
        self.unusual.has_state = lag.unwrap_or(kept);
    }

    fn general(&mut self, reader: &mut Reader<'_>, node: Node<'_, '_>) {
        if let Some(kind) = reader.word(node, "dyntype") {
            self.unusual.has_state = kind != "none";
        }
        if let Some(kind) = reader.word(node, "gaintype") {
            self.unusual.gain = kind != "fixed";
        }
        let gain = reader.list(node, "gainprm");
        self.gain = gain.and_then(|it| it.first().copied()).unwrap_or(self.gain);
        let given = reader.list(node, "biasprm").unwrap_or_default();
        for (bias, given) in self.bias.iter_mut().zip(given) {
            *bias = given;
        }
        if let Some(kind) = reader.word(node, "biastype") {
            self.is_biased = kind != "none";
            self.unusual.bias = !matches!(kind, "none" | "affine");
        }
    }

    /// Constant, factor of the length, factor of the rate.
    pub fn bias(&self) -> [f64; 3] {
        if self.is_biased { self.bias } else { [0.0; 3] }
    }

    /// The ratio of damping, if the law has one instead of a factor of the rate.
    pub fn damping_ratio(&self) -> Option<f64> {
        let [_, length, rate] = self.bias();
        (self.gain == -length && rate > 0.0).then_some(rate)
    }

    /// What the text has no form for.
    pub fn unusual(&self) -> Option<&'static str> {
        match self.unusual {
            Unusual {
                has_state: true, ..
            } => Some("a state of its own"),
            Unusual { gain: true, .. } => Some("a gain that is no constant"),
            Unusual { bias: true, .. } => Some("a bias that is not affine"),
            _ => None,
        }
    }
}
