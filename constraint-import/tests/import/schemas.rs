//! Every element and every attribute that the formats have is taken over, listed as left out, or an error: none is silent.
//!
//! Each attribute is written into a file in which it matters. The result must differ from that of the same file without it,
//! unless its element is listed as a whole.

use std::collections::HashMap;

use constraint_import::{Options, import};

const MJCF: &str = include_str!("schemas/mjcf.txt");
const URDF: &str = include_str!("schemas/urdf.txt");

/// Text, lists and notes of an import, or its mistakes.
fn outcome(text: &str) -> Result<(String, Vec<String>), String> {
    let imported = import(text, &Options::new("schema.xml")).map_err(|it| it.to_string())?;
    let lists = [imported.not_taken_over, imported.notes].concat();
    Ok((imported.text, lists))
}

/// The paths and attributes of a list.
fn rows(list: &str) -> Vec<(&str, Vec<&str>)> {
    let lines = list
        .lines()
        .filter(|it| !it.starts_with('#') && it.contains('/'));
    let rows = lines.map(|line| {
        let mut words = line.split(' ').filter(|it| !it.is_empty());
        (words.next().expect("a path"), words.collect())
    });
    rows.collect()
}

type Attributes<'a> = Vec<(&'a str, &'a str)>;

fn tag(name: &str, attributes: &Attributes<'_>, inside: &str) -> String {
    let written: String = attributes
        .iter()
        .map(|(name, value)| format!(" {name}=\"{value}\""))
        .collect();
    format!("<{name}{written}>{inside}</{name}>")
}

/// The slots of a file, each with the elements that are in it otherwise.
type Slots = Vec<(&'static str, String)>;

/// Where an element is written.
struct Place {
    slot: &'static str,
    /// The text around it, with `{}` for the element.
    around: &'static str,
    /// The attributes that it requires.
    base: Attributes<'static>,
    inside: &'static str,
}

impl Place {
    fn new(slot: &'static str, base: Attributes<'static>, inside: &'static str) -> Place {
        Place {
            slot,
            around: "{}",
            base,
            inside,
        }
    }

    fn within(self, around: &'static str) -> Place {
        Place { around, ..self }
    }
}

/// A format as the walk needs it.
struct Format {
    rows: Vec<(&'static str, Vec<&'static str>)>,
    slots: Slots,
    place: fn(&str) -> Option<Place>,
    /// The value of an attribute of a path that matters, and the attributes without which it does not.
    value: fn(&str, &str) -> (&'static str, Attributes<'static>),
    /// Attributes without any effect.
    names: &'static [(&'static str, &'static str)],
}

impl Format {
    fn file(&self, template: &str, slot: &str, element: &str) -> String {
        let mut text = template.to_owned();
        for (name, otherwise) in &self.slots {
            let inside = if *name == slot { element } else { otherwise };
            text = text.replace(&format!("[{name}]"), inside);
        }
        text
    }

    /// The attributes and elements that an import drops without a word.
    fn silent(&self, template: &str) -> Vec<String> {
        let mut silent = Vec::new();
        let mut known: HashMap<String, Result<(String, Vec<String>), String>> = HashMap::new();
        for (path, attributes) in &self.rows {
            let name = path.rsplit('/').next().unwrap_or_default();
            let Some(place) = (self.place)(path) else {
                if let Some(missing) = self.as_a_whole(template, path, attributes) {
                    silent.push(missing);
                }
                continue;
            };
            for attribute in attributes {
                let (value, more) = (self.value)(path, attribute);
                let others = [place.base.clone(), more].concat();
                let mut others: HashMap<&str, &str> = others.into_iter().collect();
                others.retain(|_, value| !value.is_empty());
                let mut written = |with: bool| {
                    let mut all = others.clone();
                    all.remove(attribute);
                    if with {
                        all.insert(attribute, value);
                    }
                    let mut all: Attributes<'_> = all.into_iter().collect();
                    all.sort_unstable();
                    let element = place.around.replace("{}", &tag(name, &all, place.inside));
                    let file = self.file(template, place.slot, &element);
                    let found = known.entry(file.clone());
                    found.or_insert_with(|| outcome(&file)).clone()
                };
                let (without, with) = (written(false), written(true));
                let is_listed = matches!(&with, Ok((_, lists)) if is_whole(lists, name));
                let is_name = self.names.contains(&(path, attribute));
                if with == without && !is_listed && !is_name {
                    silent.push(format!("{path} {attribute}: {:?}", with.err()));
                }
            }
        }
        silent
    }

    /// An element that is omitted with its contents; returns what the list lacks.
    fn as_a_whole(&self, template: &str, path: &str, attributes: &[&str]) -> Option<String> {
        let (_, path) = path.split_once('/')?;
        if attributes.is_empty() {
            return None;
        }
        let mut names: Vec<&str> = path.split('/').collect();
        let is_of_body = names[0] == "body";
        if is_of_body {
            names.remove(0);
        }
        let whole = names.clone();
        let last = names.pop()?;
        let all = attributes.iter().map(|it| (*it, "1")).collect();
        let inner = tag(last, &all, "");
        let element = names
            .iter()
            .rev()
            .fold(inner, |inside, name| tag(name, &Attributes::new(), &inside));
        let slot = if is_of_body { "inside" } else { "more" };
        let element = element.replace("<geom>", "<geom size=\"0.1\">");
        match outcome(&self.file(template, slot, &element)) {
            Ok((_, lists)) if whole.iter().any(|it| is_whole(&lists, it)) => None,
            Err(mistakes) if mistakes.contains(&format!("<{}>", whole[0])) => None,
            other => Some(format!("{path}: {other:?}")),
        }
    }
}

/// True if a list has an element as a whole.
fn is_whole(lists: &[String], name: &str) -> bool {
    let start = format!("<{name}>");
    lists.iter().any(|it| it.starts_with(&start))
}

// ---- MJCF -------------------------------------------------------------------------------------------

const ROOT: &str = "<mujoco>[compiler][option]<default>[default]<default class=\"a\"><joint damping=\"3\" range=\"0 2\"/><geom \
                    density=\"5\"/><site pos=\"1 2 3\"/><tendon damping=\"2\"/><equality active=\"false\"/><general gear=\"7\"/>\
                    </default></default><worldbody>[body][free]<body name=\"c\" pos=\"0 1 0\" euler=\"10 20 30\"><joint name=\"k\" \
                    axis=\"0 1 0\" ref=\"5\" range=\"-90 90\"/><geom size=\"0.1 0.1 0.1\" type=\"box\" pos=\"0.2 0 0\"/></body><body name=\"e\"><freejoint/><geom size=\"0.1\"/><site name=\"r\"/></body></worldbody>\
                    <tendon>[fixed]</tendon><equality>[equality]</equality><actuator>[actuator]</actuator>[more]</mujoco>";

const JOINT: &str = "<joint name=\"j\" axis=\"0 1 0\"/>";
const GEOM: &str = "<geom size=\"0.1 0.2 0.3\" type=\"box\" pos=\"0.2 0 0\"/>";
const PLAIN: &str = "<geom size=\"0.1 0.2 0.3\"/>";
const TERM: &str = "<joint joint=\"j\" coef=\"2\"/>";

/// The file with slots in its first body.
fn mjcf_template() -> String {
    let inside = "<body name=\"b\">[joint][inertial][geom][site][inside]</body>";
    ROOT.replace("[body]", &format!("{inside}[world]"))
}

fn mjcf_place(path: &str) -> Option<Place> {
    let path = path.strip_prefix("mujoco/")?;
    let none = Attributes::new;
    if path == "default" {
        return Some(Place::new("default", none(), ""));
    }
    if let Some(name) = path.strip_prefix("default/") {
        return (!name.contains('/')).then(|| Place::new("default", none(), ""));
    }
    const ARM: &str = "<joint axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.2 0 0\"/>";
    const FRAMED: &str =
        "<body pos=\"1 0 0\"><joint axis=\"0 1 0\"/><geom size=\"0.1\" pos=\"0.2 0 0\"/></body>";
    const BALL: &str = "<body>{}<geom size=\"0.1\"/></body>";
    let solid = || vec![("size", "0.1 0.2 0.3"), ("type", "box"), ("pos", "0.2 0 0")];
    let heavy = || {
        vec![
            ("mass", "1"),
            ("pos", "0.2 0 0"),
            ("diaginertia", "1 2 2.5"),
        ]
    };
    let bodies = || vec![("body1", "b"), ("body2", "c")];
    Some(match path {
        "compiler" => Place::new("compiler", vec![("inertiagrouprange", "0 2")], ""),
        "compiler/lengthrange" => return None,
        "option" => Place::new("option", none(), ""),
        "option/flag" => Place::new("option", none(), "").within("<option>{}</option>"),
        "body" => Place::new("world", vec![("name", "x")], ARM),
        "body/frame" => Place::new("world", none(), FRAMED),
        "body/inertial" => Place::new("inertial", heavy(), ""),
        "body/joint" => Place::new("joint", vec![("name", "j"), ("axis", "0 1 0")], ""),
        "body/freejoint" => Place::new("free", none(), "").within(BALL),
        "body/geom" => Place::new("geom", solid(), ""),
        "body/site" => Place::new("site", vec![("name", "s")], ""),
        "tendon/fixed" => Place::new("fixed", vec![("name", "t")], TERM),
        "tendon/fixed/joint" => Place::new("fixed", vec![("joint", "j"), ("coef", "2")], "")
            .within("<fixed name=\"t\">{}</fixed>"),
        "equality/connect" => Place::new(
            "equality",
            [bodies(), vec![("anchor", "0.3 1 0.2")]].concat(),
            "",
        ),
        "equality/weld" => Place::new("equality", bodies(), ""),
        "equality/joint" => Place::new("equality", vec![("joint1", "j")], ""),
        "equality/tendon" => Place::new("equality", vec![("tendon1", "t")], ""),
        _ if path.starts_with("actuator/") && !path.ends_with("/config") => {
            Place::new("actuator", vec![("joint", "j")], "")
        }
        _ => return None,
    })
}

fn mjcf_value(path: &str, attribute: &str) -> (&'static str, Attributes<'static>) {
    let turned = |value| {
        let is_of_inertial = path.ends_with("inertial");
        let fixed = if is_of_inertial { "1 2 2.5" } else { "" };
        (value, vec![("diaginertia", fixed)])
    };
    let with = |value, name, other| (value, vec![(name, other)]);
    match (path.rsplit('/').next().unwrap_or_default(), attribute) {
        (_, "name") => ("other", vec![]),
        (_, "class" | "childclass") => ("a", vec![]),
        ("compiler", "angle") => ("radian", vec![]),
        ("compiler", "autolimits") => ("false", vec![]),
        ("compiler", "coordinate") => ("global", vec![]),
        ("compiler", "inertiafromgeom") => ("false", vec![]),
        ("compiler", "inertiagrouprange") => ("3 4", vec![]),
        ("compiler", "eulerseq") => ("zyx", vec![]),
        ("option", "gravity") => ("1 2 3", vec![]),
        ("flag", "gravity") => ("disable", vec![]),
        (_, "quat") => turned("0.8 0.6 0 0"),
        (_, "axisangle") => turned("1 2 3 40"),
        (_, "euler") => turned("10 20 30"),
        (_, "xyaxes") => turned("0 1 0 0 0 1"),
        (_, "zaxis") => turned("1 2 3"),
        ("inertial", "fullinertia") => with("1 2 2.5 0.1 0.2 0.3", "diaginertia", ""),
        ("inertial", "diaginertia") => ("2 3 4", vec![]),
        ("inertial" | "geom", "mass") => ("3", vec![]),
        (_, "pos") => ("0.4 0.5 0.6", vec![]),
        ("joint", "type") => ("slide", vec![]),
        ("geom", "type") => ("ellipsoid", vec![]),
        ("geom", "size") => ("0.3 0.2 0.1", vec![]),
        ("geom", "group") => ("4", vec![]),
        ("geom", "fromto") => ("0 0 0 1 2 3", vec![("pos", ""), ("type", "capsule")]),
        ("geom", "shellinertia") => ("true", vec![]),
        ("joint", "axis") => ("1 2 3", vec![]),
        ("joint", "joint") => ("k", vec![]),
        (_, "range" | "forcerange" | "ctrlrange" | "actuatorfrcrange") => ("-1 2", vec![]),
        (_, "limited") => with("false", "range", "-1 2"),
        (_, "forcelimited") => with("false", "forcerange", "-1 2"),
        (_, "ctrllimited") => with("false", "ctrlrange", "-1 2"),
        (_, "actuatorfrclimited") => with("false", "actuatorfrcrange", "-1 2"),
        (_, "springref") => with("7", "stiffness", "3"),
        (_, "springlength") => with("7", "stiffness", "3"),
        (_, "springdamper") => ("0.5 1", vec![]),
        ("connect" | "weld", "site1") => (
            "s",
            vec![("body1", ""), ("body2", ""), ("anchor", ""), ("site2", "r")],
        ),
        ("connect" | "weld", "site2") => (
            "r",
            vec![("body1", ""), ("body2", ""), ("anchor", ""), ("site1", "s")],
        ),
        (_, "body1") => ("world", vec![]),
        (_, "body2") => ("c", vec![]),
        (_, "anchor") => (
            "1 2 3",
            if path.ends_with("weld") {
                vec![("torquescale", "0")]
            } else {
                vec![]
            },
        ),
        (_, "relpose") => ("1 2 3 0.8 0.6 0 0", vec![]),
        (_, "torquescale") => ("0", vec![]),
        (_, "active") => ("false", vec![]),
        (_, "polycoef") => ("0.5 2 3 0 0", vec![]),
        ("joint", "joint1") => ("k", vec![]),
        ("joint", "joint2") => ("k", vec![]),
        (_, "tendon2") => ("t", vec![]),
        (_, "joint" | "jointinparent") => (
            "k",
            if attribute == "joint" {
                vec![]
            } else {
                vec![("joint", "")]
            },
        ),
        (_, "tendon" | "tendon1") => ("t", vec![("joint", "")]),
        (_, "dyntype") => ("filter", vec![]),
        (_, "gaintype" | "biastype") => ("affine", vec![("biasprm", "1 2 3")]),
        (_, "biasprm") => with("1 2 3", "biastype", "affine"),
        _ => ("3", vec![]),
    }
}

#[test]
fn nothing_of_mjcf_is_silent() {
    let actuators = ["motor", "position", "velocity", "general"];
    let actuators = actuators
        .map(|it| format!("<{it} name=\"{it}_\" joint=\"j\"/>"))
        .concat();
    let actuators = actuators + "<motor name=\"o\" tendon=\"t\"/>";
    let site = "<site name=\"s\"/>".to_owned();
    let sites = "<weld site1=\"s\" site2=\"r\"/>".to_owned();
    let empty = String::new;
    let fixed = format!("<fixed name=\"t\">{TERM}</fixed>");
    let format = Format {
        rows: rows(MJCF),
        slots: vec![
            (
                "compiler",
                "<compiler inertiagrouprange=\"0 2\"/>".to_owned(),
            ),
            ("option", empty()),
            ("default", empty()),
            ("joint", JOINT.to_owned()),
            ("inertial", empty()),
            ("geom", GEOM.to_owned()),
            ("site", site),
            ("inside", empty()),
            ("world", format!("<body><joint name=\"i\"/>{PLAIN}</body>")),
            ("free", empty()),
            ("fixed", fixed),
            ("equality", sites),
            ("actuator", actuators),
            ("more", empty()),
        ],
        place: mjcf_place,
        value: mjcf_value,
        // Names of what has none in the text; and without a size a geom is an error.
        names: &[
            ("mujoco/body/freejoint", "name"),
            ("mujoco/default/geom", "size"),
        ],
    };
    let silent = format.silent(&mjcf_template());
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

/// The name of the root is that of the struct.
#[test]
fn the_name_of_a_model_is_taken_over() {
    let file = format!(
        "<mujoco model=\"two links\"><worldbody><body>{JOINT}{GEOM}</body></worldbody></mujoco>"
    );
    let imported = import(&file, &Options::new("m.xml")).unwrap_or_else(|it| panic!("{it}"));
    assert!(imported.text.contains("pub struct TwoLinks"));
}

// ---- URDF -------------------------------------------------------------------------------------------

const TREE: &str = "<robot name=\"r\">[root][link]<link name=\"b\"><inertial>[origin][mass][inertia]</inertial>[inside]</link>\
                    <link name=\"c\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\
                    <joint name=\"j\" type=\"[type]\"><parent link=\"a\"/><child link=\"b\"/>[place][axis][more]</joint>\
                    <joint name=\"k\" type=\"revolute\">[parent][child]<origin xyz=\"1 0 0\"/>[mimic]</joint>[transmission]</robot>";

fn urdf_place(path: &str) -> Option<Place> {
    let place = |slot, base| Some(Place::new(slot, base, ""));
    match path.strip_prefix("robot/")? {
        "link" => place("link", vec![("name", "a")]),
        "link/inertial/origin" => place("origin", vec![]),
        "link/inertial/mass" => place("mass", vec![("value", "1")]),
        "link/inertial/inertia" => {
            place("inertia", vec![("ixx", "1"), ("iyy", "1.1"), ("izz", "1.2")])
        }
        "joint/origin" => place("place", vec![]),
        "joint/parent" => place("parent", vec![("link", "a")]),
        "joint/child" => place("child", vec![("link", "c")]),
        "joint/axis" => place("axis", vec![]),
        "joint/calibration" | "joint/safety_controller" | "joint/dynamics" => place("more", vec![]),
        "joint/limit" => place("more", vec![]),
        "joint/mimic" => place("mimic", vec![("joint", "j")]),
        "transmission" => Some(Place::new("transmission", vec![], "<joint name=\"j\"/>")),
        "transmission/joint" => place("transmission", vec![("name", "j")])
            .map(|it| it.within("<transmission>{}</transmission>")),
        "joint" => Some(
            Place::new(
                "link",
                vec![("name", "n"), ("type", "fixed")],
                "<parent link=\"a\"/><child link=\"d\"/>",
            )
            .within("<link name=\"a\"/><link name=\"d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>{}"),
        ),
        _ => None,
    }
}

fn urdf_value(_: &str, attribute: &str) -> (&'static str, Attributes<'static>) {
    match attribute {
        "name" => ("other", vec![]),
        "type" => ("revolute", vec![]),
        "xyz" => ("1 2 3", vec![]),
        "rpy" => ("0.1 0.2 0.3", vec![]),
        "quat_xyzw" => ("0.6 0 0 0.8", vec![]),
        "link" => ("b", vec![]),
        "joint" => ("k", vec![]),
        "lower" => ("-1", vec![("upper", "2")]),
        "value" => ("3", vec![]),
        "ixy" | "ixz" | "iyz" => ("0.1", vec![]),
        _ => ("1.3", vec![]),
    }
}

#[test]
fn nothing_of_urdf_is_silent() {
    let empty = String::new;
    let format = Format {
        rows: rows(URDF),
        slots: vec![
            ("root", empty()),
            ("link", "<link name=\"a\"/>".to_owned()),
            ("origin", "<origin xyz=\"0.1 0.2 0.3\"/>".to_owned()),
            ("mass", "<mass value=\"1\"/>".to_owned()),
            (
                "inertia",
                "<inertia ixx=\"1\" iyy=\"1.1\" izz=\"1.2\"/>".to_owned(),
            ),
            ("inside", empty()),
            ("type", "revolute".to_owned()),
            ("place", empty()),
            ("axis", empty()),
            ("more", empty()),
            ("parent", "<parent link=\"b\"/>".to_owned()),
            ("child", "<child link=\"c\"/>".to_owned()),
            ("mimic", empty()),
            ("transmission", empty()),
        ],
        place: urdf_place,
        value: urdf_value,
        names: &[("robot/joint", "name")],
    };
    let silent = format.silent(TREE);
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
