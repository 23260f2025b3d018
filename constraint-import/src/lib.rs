//! Robots from their files: URDF and MJCF as readable text of `system!`.
//!
//! ```
//! use constraint_import::{Options, import};
//!
//! let file = r#"<robot name="pendulum">
//!   <link name="base"/>
//!   <link name="rod">
//!     <inertial>
//!       <origin xyz="0 0 -0.5"/> <mass value="2"/>
//!       <inertia ixx="0.17" iyy="0.17" izz="0.01" ixy="0" ixz="0" iyz="0"/>
//!     </inertial>
//!   </link>
//!   <joint name="hinge" type="continuous">
//!     <parent link="base"/> <child link="rod"/> <axis xyz="0 1 0"/>
//!   </joint>
//! </robot>"#;
//! let imported = import(file, &Options::new("pendulum.urdf"))?;
//! assert!(imported.text.contains("let rod = base * pose([0, 0, 0], [0, 1, 0], hinge);"));
//! # Ok::<(), constraint_import::Mistakes>(())
//! ```
//!
//! In a build script, [`write_to_out_dir`] writes the text of a file where `include!` finds it.
#![forbid(unsafe_code)]

mod articulated;
mod build;
mod closing;
mod fix;
mod forward;
mod inertia;
mod markup;
mod mistake;
mod mjcf;
mod names;
mod number;
mod reader;
pub mod robot;
mod schema;
mod sources;
mod sparse;
mod spatial;
mod text;
mod urdf;

pub use crate::build::{BuildError, write_to_out_dir};
pub use crate::forward::{Motion, Moved};
pub use crate::mistake::{Mistake, Mistakes, Origin};
pub use crate::number::Angle;
pub use crate::robot::Robot;
pub use crate::spatial::Placement;

use crate::closing::Closing;
use std::path::PathBuf;

use crate::reader::Reader;
use crate::robot::Base;
use crate::sources::Sources;
use crate::text::Writer;

/// How a file is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The name of the file, for the comment above the text.
    pub origin: String,
    /// The name of the struct; by default that of the robot.
    pub name: Option<String>,
    /// True if the root moves freely instead of being fixed to the world (URDF).
    pub floating: bool,
    /// True if rounded multiples of π are written exactly: 1.5708 as `PI/2`.
    pub exact_numbers: bool,
    /// True if masses, centres, inertias, damping and friction are parameters of the struct instead of numbers in the text.
    pub parameters: bool,
    /// The text of a second file with joints that close loops (URDF).
    pub loops: Option<String>,
    /// Joints that stay where the file draws them.
    pub fix: Vec<String>,
    /// The folder with the files that the file includes (MJCF); without it, `<include>` is an error.
    pub folder: Option<PathBuf>,
}

impl Options {
    /// A robot fixed to the world, exact numbers.
    pub fn new(origin: impl Into<String>) -> Options {
        Options {
            origin: origin.into(),
            name: None,
            floating: false,
            exact_numbers: true,
            parameters: false,
            loops: None,
            fix: Vec::new(),
            folder: None,
        }
    }
}

/// The result of an import.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The call of `system!` and the limits of the joints.
    pub text: String,
    /// The same call with three outputs for each link, for a comparison with [`Robot::moved`]: the places of its origin and
    /// of the ends of its first two axes.
    pub checked_text: String,
    /// What the text leaves out.
    pub not_taken_over: Vec<String>,
    /// What it says in other words than the file.
    pub notes: Vec<String>,
    /// The files that the file includes (MJCF).
    pub included: Vec<PathBuf>,
    /// The numbers of the file.
    pub robot: Robot,
}

/// Imports the text of a file.
///
/// # Errors
/// Everything that is wrong in the file, each with its line.
pub fn import(text: &str, options: &Options) -> Result<Imported, Mistakes> {
    let sources = match &options.folder {
        Some(folder) => {
            Sources::with_included(text, folder).map_err(|mistake| Mistakes(vec![mistake]))?
        }
        None => Sources::one(text, Origin::Robot),
    };
    let mut reader = Reader::new(&sources);
    let robot = read(&mut reader, options);
    if let Some(robot) = &robot
        && inertia::check_finite(&mut reader, robot, options.exact_numbers)
    {
        inertia::check_masses(&mut reader, robot, options.exact_numbers);
    }
    let Some(robot) = robot.filter(|_| reader.mistakes.is_empty()) else {
        return Err(reader.into_mistakes());
    };
    inertia::note_forms(&mut reader, &robot, options.exact_numbers);
    inertia::note_limits(&mut reader, &robot);
    let closing = Closing::of(&robot, options.exact_numbers);
    if closing.is_unsearched {
        let most = closing::MOST_ROWS;
        let note = format!(
            "the loops are open as drawn; with more than {most} rows no closed position is searched for"
        );
        reader.notes.push(note);
    }
    let written = |checked| Writer::new(&robot, &closing, options).text(&reader, checked);
    Ok(Imported {
        text: written(false),
        checked_text: written(true),
        not_taken_over: text::not_taken_over(&reader),
        notes: reader.notes.clone(),
        included: sources.included(),
        robot,
    })
}

fn read(reader: &mut Reader<'_>, options: &Options) -> Option<Robot> {
    let document = reader.document()?;
    let root = document.root_element();
    let mut robot = match root.tag_name().name() {
        "robot" => urdf::robot(reader, root, options.floating),
        "mujoco" => mjcf::robot(reader, root),
        other => {
            let message = format!("the root is `<{other}>`, which is neither URDF nor MJCF");
            let help = "the root of URDF is `<robot>`, that of MJCF `<mujoco>`";
            reader.wrong(reader::start_tag(root), message, Some(help));
            return None;
        }
    };
    if let Some(loops) = &options.loops {
        second_file(reader, loops, &mut robot);
    }
    if reader.is_damaged {
        return None;
    }
    fix::fix(reader, &mut robot, &options.fix);
    fix::release(reader, &mut robot);
    let is_free = |it: &robot::Link| it.base == Base::Free;
    if !robot.coordinates.iter().any(|it| it.is_free()) && !robot.links.iter().any(is_free) {
        let help = "give it a joint that moves, or import with `--floating`";
        let message = "nothing in this robot moves";
        reader.wrong(reader::start_tag(root), message, Some(help));
    }
    Some(robot)
}

/// Adds the loops of a second file.
fn second_file(reader: &mut Reader<'_>, text: &str, robot: &mut Robot) {
    let sources = Sources::one(text, Origin::Loops);
    let mut second = Reader::new(&sources);
    if let Some(document) = second.document() {
        let root = document.root_element();
        let known = robot.loops.len();
        urdf::second_file(&mut second, root, robot);
        if robot.loops.len() == known && second.mistakes.is_empty() {
            let message = "the file has no `<loop_joint>`";
            let help = "write `<loop_joint name=\"…\" type=\"revolute\">` in its root";
            second.wrong(reader::start_tag(root), message, Some(help));
        }
    }
    reader.join(second);
}
