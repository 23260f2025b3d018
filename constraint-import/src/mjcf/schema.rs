//! The elements of MJCF that are taken over, with all attributes that MuJoCo 4.0.0 and its versions from 2.3.7 on have in them.
//!
//! Source: the schemas that `mj_printSchema` prints, put together.

use roxmltree::Node;

use crate::schema::Element;

/// The row of an element; `None` if it is not taken over, or unknown.
pub fn known(node: Node<'_, '_>) -> Option<&'static Element> {
    let parent = node.parent().filter(Node::is_element);
    let within = parent.map_or("", |it| match it.tag_name().name() {
        "worldbody" | "frame" => "body",
        name => name,
    });
    let name = node.tag_name().name();
    let mut rows = ELEMENTS.iter();
    rows.find(|it| it.within == within && it.name == name)
}

const fn row(
    within: &'static str,
    name: &'static str,
    attributes: &'static str,
    once: &'static str,
) -> Element {
    Element {
        within,
        name,
        attributes,
        once,
    }
}

const ELEMENTS: [Element; 44] = [
    row("", "mujoco", "model", ""),
    row(
        "mujoco",
        "compiler",
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict convexhull \
         coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic inertiafromgeom \
         inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial settotalmass strippath \
         texturedir usethread",
        "",
    ),
    row(
        "mujoco",
        "option",
        "actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone density gravity impratio \
         integrator iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations mpr_tolerance \
         noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints \
         sdf_iterations sleep_tolerance solver timestep tolerance viscosity wind",
        "flag",
    ),
    row(
        "option",
        "flag",
        "actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp \
         filterparent frictionloss fwdinv gravity invdiscrete ipc island limit midphase multiccd nativeccd \
         override passive refsafe sensor sensornoise sleep speculative spring warmstart",
        "",
    ),
    row(
        "mujoco",
        "default",
        "class",
        "mesh material joint geom site camera light pair equality tendon general motor position velocity \
         intvelocity damper cylinder muscle adhesion texture orientation pid dcmotor",
    ),
    row(
        "default",
        "default",
        "class",
        "mesh material joint geom site camera light pair equality tendon general motor position velocity \
         intvelocity damper cylinder muscle adhesion texture orientation pid dcmotor",
    ),
    row(
        "default",
        "joint",
        "actuatorforcelimited actuatorforcerange actuatorfrclimited actuatorfrcrange actuatorgravcomp \
         armature axis damping frictionloss group limited margin pos range ref solimpfriction solimplimit \
         solreffriction solreflimit springdamper springref springyield stiffness type user",
        "",
    ),
    row(
        "default",
        "geom",
        "adhesion axisangle castshadow conaffinity condim contype density euler fitscale fluidcoef fluidshape \
         friction fromto gap group hfield margin mass material mesh pos priority quat rgba shellinertia size \
         solimp solmix solref surfacevel type user xyaxes zaxis",
        "",
    ),
    row(
        "default",
        "site",
        "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis",
        "",
    ),
    row("default", "equality", "active solimp solref", ""),
    row(
        "default",
        "tendon",
        "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin material \
         range rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness \
         user width",
        "",
    ),
    row(
        "default",
        "general",
        "actdim actearly actlimited actrange armature biasprm biastype cranklength ctrllimited ctrlrange \
         damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype gear group \
         inheritrange input interp nsample user velrange",
        "",
    ),
    row(
        "default",
        "motor",
        "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp \
         nsample user",
        "",
    ),
    row(
        "default",
        "position",
        "armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited forcerange gear \
         group inheritrange interp kp kv nsample timeconst user",
        "",
    ),
    row(
        "default",
        "velocity",
        "armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp \
         kv nsample user",
        "",
    ),
    row(
        "default",
        "intvelocity",
        "actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited \
         forcerange gear group inheritrange interp kp kv nsample user",
        "",
    ),
    row(
        "default",
        "orientation",
        "ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user",
        "",
    ),
    row(
        "default",
        "pid",
        "armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited forcerange \
         gear group imax inheritrange input interp ki kp kv nsample posrange slewmax user velrange",
        "",
    ),
    row(
        "default",
        "damper",
        "armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp kv nsample \
         user",
        "",
    ),
    row(
        "default",
        "cylinder",
        "area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited forcerange \
         gear group interp nsample timeconst user",
        "",
    ),
    row(
        "default",
        "muscle",
        "armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax fvmax \
         gear group interp lmax lmin nsample range scale timeconst user vmax",
        "",
    ),
    row(
        "default",
        "adhesion",
        "ctrlrange delay forcelimited forcerange gain group interp nsample user",
        "",
    ),
    row(
        "default",
        "dcmotor",
        "armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group inductance \
         input interp lugre motorconst nominal nsample resistance saturation thermal user",
        "",
    ),
    row(
        "mujoco",
        "worldbody",
        "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis",
        "",
    ),
    row("mujoco", "tendon", "", ""),
    row("mujoco", "equality", "", ""),
    row("mujoco", "actuator", "", ""),
    row(
        "body",
        "body",
        "axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis",
        "inertial",
    ),
    row(
        "body",
        "frame",
        "axisangle childclass euler name pos quat xyaxes zaxis",
        "",
    ),
    row(
        "body",
        "inertial",
        "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis",
        "",
    ),
    row(
        "body",
        "joint",
        "actuatorforcelimited actuatorforcerange actuatorfrclimited actuatorfrcrange actuatorgravcomp \
         armature axis class damping frictionloss group limited margin name pos range ref solimpfriction \
         solimplimit solreffriction solreflimit springdamper springref springyield stiffness type user",
        "",
    ),
    row("body", "freejoint", "align group name", ""),
    row(
        "body",
        "geom",
        "adhesion axisangle castshadow class conaffinity condim contype density euler fitscale fluidcoef \
         fluidshape friction fromto gap group hfield margin mass material mesh name pos priority quat rgba \
         shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis",
        "",
    ),
    row(
        "body",
        "site",
        "axisangle class euler fromto group material mesh name pos quat rgba size type user xyaxes zaxis",
        "",
    ),
    row(
        "tendon",
        "fixed",
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin name \
         range solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness user",
        "",
    ),
    row("fixed", "joint", "coef joint", ""),
    row(
        "equality",
        "connect",
        "active anchor body1 body2 class name site1 site2 solimp solref",
        "",
    ),
    row(
        "equality",
        "weld",
        "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale",
        "",
    ),
    row(
        "equality",
        "joint",
        "active class joint1 joint2 name polycoef solimp solref",
        "",
    ),
    row(
        "equality",
        "tendon",
        "active class name polycoef solimp solref tendon1 tendon2",
        "",
    ),
    row(
        "actuator",
        "general",
        "actdim actearly actlimited actrange armature biasprm biastype body class cranklength cranksite \
         ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype \
         gear group inheritrange input interp joint jointinparent lengthrange name nsample refsite site \
         slidersite tendon user velrange",
        "",
    ),
    row(
        "actuator",
        "motor",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange \
         gear group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon user",
        "",
    ),
    row(
        "actuator",
        "position",
        "armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay forcelimited \
         forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name nsample refsite \
         site slidersite tendon timeconst user",
        "",
    ),
    row(
        "actuator",
        "velocity",
        "armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange \
         gear group interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon \
         user",
        "",
    ),
];
