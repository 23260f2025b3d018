//! The law of an actuator: what its class and its element say, one after the other.
//!
//! All kinds of actuators share one default, which each element of a class changes, as in MuJoCo 4.0.0. The law of a kind of
//! servo begins with that of the nearest class whose last law is of the same kind, or of `general`.

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

/// An actuator without its name and its target.
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
    /// The laws of the classes, from the outermost to the own one.
    laws: Vec<Law>,
}

/// Force = gain·input + bias
#[derive(Clone, Debug)]
struct Law {
    /// Its kind unless it is `general`.
    kind: Option<String>,
    gain: f64,
    /// Constant, factor of the length, factor of the rate.
    bias: [f64; 3],
    is_biased: bool,
    /// Why the force is no affine function of input, length and rate.
    unusual: Unusual,
}

impl Default for Law {
    fn default() -> Law {
        Law {
            kind: None,
            gain: 1.0,
            bias: [0.0; 3],
            is_biased: false,
            unusual: Unusual::default(),
        }
    }
}

/// Properties of a law that the text has no form for.
#[derive(Clone, Copy, Debug, Default)]
struct Unusual {
    has_state: bool,
    /// True if the state is the filter of a servo.
    is_lag: bool,
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
            laws: vec![Law::default()],
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
        let law = match node.tag_name().name() {
            "general" => self.own().general(reader, node),
            kind => {
                let mut near = self.laws.iter().rev();
                let is_base = |it: &&Law| it.kind.as_deref().is_none_or(|it| it == kind);
                let base = near.find(is_base).cloned().unwrap_or_default();
                base.of_kind(reader, node, kind)
            }
        };
        self.laws.pop();
        self.laws.push(law);
    }

    /// The drive at the beginning of a class in this one.
    pub fn inner(&self) -> Drive {
        // Of each kind the nearest law matters, and nothing before one of `general`.
        let mut laws: Vec<Law> = Vec::new();
        for law in self.laws.iter().rev() {
            if laws.iter().all(|it| it.kind != law.kind) {
                laws.push(law.clone());
            }
            if law.kind.is_none() {
                break;
            }
        }
        laws.reverse();
        laws.push(self.own());
        Drive {
            laws,
            ..self.clone()
        }
    }

    fn own(&self) -> Law {
        self.laws.last().cloned().unwrap_or_default()
    }

    /// Gain of the input.
    pub fn gain(&self) -> f64 {
        self.own().gain
    }

    /// Constant, factor of the length, factor of the rate.
    pub fn bias(&self) -> [f64; 3] {
        let law = self.own();
        if law.is_biased { law.bias } else { [0.0; 3] }
    }

    /// The ratio of damping, if the law has one instead of a factor of the rate.
    pub fn damping_ratio(&self) -> Option<f64> {
        let [_, length, rate] = self.bias();
        (self.gain() == -length && rate > 0.0).then_some(rate)
    }

    /// What the text has no form for.
    pub fn unusual(&self) -> Option<&'static str> {
        match self.own().unusual {
            Unusual {
                has_state: true, ..
            } => Some("a state of its own"),
            Unusual { gain: true, .. } => Some("a gain that is no constant"),
            Unusual { bias: true, .. } => Some("a bias that is not affine"),
            _ => None,
        }
    }
}

impl Law {
    /// The law of an element that begins with this one.
    fn of_kind(self, reader: &mut Reader<'_>, node: Node<'_, '_>, kind: &str) -> Law {
        let mut law = Law {
            kind: Some(kind.to_owned()),
            ..Law::default()
        };
        match kind {
            "motor" => {}
            "velocity" => {
                let kv = reader.number(node, "kv").unwrap_or(self.gain);
                (law.gain, law.bias[2], law.is_biased) = (kv, -kv, true);
            }
            "position" => self.position(reader, node, &mut law),
            "intvelocity" => {
                self.position(reader, node, &mut law);
                law.unusual.has_state = true;
                // Only `general` after it takes these over.
                let is_of_class = node.parent().is_some_and(|it| it.has_tag_name("default"));
                for name in ["kp", "kv", "dampratio"] {
                    if is_of_class && node.has_attribute(name) {
                        reader.ignore_part(node, format!("`{name}` of <intvelocity> in <default>"));
                    }
                }
            }
            "damper" | "adhesion" | "orientation" => law.unusual.gain = true,
            _ => law.unusual.has_state = true,
        }
        law
    }

    fn position(&self, reader: &mut Reader<'_>, node: Node<'_, '_>, law: &mut Law) {
        let kp = reader.number(node, "kp").unwrap_or(self.gain);
        let [kv, ratio] = ["kv", "dampratio"].map(|it| reader.number(node, it));
        if kv.is_some() && ratio.is_some() {
            let range = value_of(node, "dampratio");
            let message = "`kv` and `dampratio` are two dampings of one servo";
            reader.flaw(range, message, Some("keep one of them"));
        }
        let damping = kv.map(|it| -it).or(ratio).unwrap_or(self.bias[2]);
        let lag = reader.number(node, "timeconst").map(|it| it != 0.0);
        (law.gain, law.bias, law.is_biased) = (kp, [0.0, -kp, damping], true);
        law.unusual.is_lag = lag.unwrap_or(self.unusual.is_lag);
        law.unusual.has_state = law.unusual.is_lag;
    }

    fn general(self, reader: &mut Reader<'_>, node: Node<'_, '_>) -> Law {
        let mut law = Law { kind: None, ..self };
        if let Some(kind) = reader.word(node, "dyntype") {
            law.unusual.has_state = kind != "none";
            law.unusual.is_lag = kind == "filterexact";
        }
        if let Some(kind) = reader.word(node, "gaintype") {
            law.unusual.gain = kind != "fixed";
        }
        let gain = reader.list(node, "gainprm");
        law.gain = gain.and_then(|it| it.first().copied()).unwrap_or(law.gain);
        let given = reader.list(node, "biasprm").unwrap_or_default();
        for (bias, given) in law.bias.iter_mut().zip(given) {
            *bias = given;
        }
        if let Some(kind) = reader.word(node, "biastype") {
            law.is_biased = kind != "none";
            law.unusual.bias = !matches!(kind, "none" | "affine");
        }
        law
    }
}
