//! `constraint import`: the file of a robot as a model, and its comparison with the file.

use std::fs;
use std::path::Path;

use constraint_import::{Imported, Motion, Options};
use constraint_runtime::Dynamics;
use constraint_runtime::nalgebra::{DVector, Matrix3, Rotation3, UnitQuaternion};
use constraint_symbolic::call::{Certified, calls};
use constraint_symbolic::macros::Derived;

use crate::arguments::Import;
use crate::failure::Failure;
use crate::model::{self, Source};
use crate::run::interpreted::Interpreted;
use crate::{message, write};

/// Writes the model; reports what it leaves out.
pub fn import(arguments: &Import) -> Result<(), Failure> {
    let source = read(&arguments.file)?;
    let loops = arguments.loops.as_deref().map(read).transpose()?;
    let options = Options {
        name: arguments.name.clone(),
        floating: arguments.floating,
        parameters: arguments.parameters,
        exact_numbers: arguments.exact_numbers,
        fix: arguments.fix.clone(),
        folder: arguments.file.parent().map(Path::to_owned),
        loops: loops.as_ref().map(|it| it.text.clone()),
        ..Options::new(repeated(arguments))
    };
    let imported = constraint_import::import(&source.text, &options);
    let sources = [&source, loops.as_ref().unwrap_or(&source)];
    let imported = imported.map_err(|mistakes| message::of_robot(sources, &mistakes))?;
    write(&imported.text, arguments.output.as_deref())?;
    for line in &imported.not_taken_over {
        anstream::eprintln!("not taken over: {line}");
    }
    for note in &imported.notes {
        anstream::eprintln!("note: {note}");
    }
    if arguments.check {
        check(&imported, arguments.exact_numbers)?;
    }
    Ok(())
}

/// The arguments that decide the text, without folders.
fn repeated(arguments: &Import) -> String {
    let name = |path: &Path| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let mut words = vec![name(&arguments.file)];
    words.extend(arguments.name.iter().map(|it| format!("--name {it}")));
    words.extend(arguments.floating.then(|| "--floating".to_owned()));
    words.extend(arguments.parameters.then(|| "--parameters".to_owned()));
    words.extend(
        arguments
            .loops
            .iter()
            .map(|it| format!("--loops {}", name(it))),
    );
    if !arguments.fix.is_empty() {
        words.push(format!("--fix {}", arguments.fix.join(",")));
    }
    if !arguments.exact_numbers {
        words.push("--exact-numbers no".to_owned());
    }
    words.join(" ")
}

fn read(path: &Path) -> Result<Source, Failure> {
    let origin = path.to_string_lossy();
    let text = fs::read_to_string(path).map_err(|error| Failure::Unreadable {
        path: origin.clone().into_owned(),
        error,
    })?;
    Ok(Source::new(&origin, text))
}

/// The number of states of a comparison.
const STATES: usize = 20;
/// The largest difference, relative to the largest number compared, that rounding explains.
const ROUNDING: f64 = 1e-9;

/// Largest differences, and the largest numbers compared.
#[derive(Default)]
struct Differences {
    place: f64,
    place_as_written: f64,
    direction: f64,
    kinetic: [f64; 2],
    potential: [f64; 2],
    extent: f64,
}

/// Compares the written model with the numbers of its file.
fn check(imported: &Imported, exact: bool) -> Result<(), Failure> {
    let source = Source::new("the written model", imported.checked_text.clone());
    let calls = calls(imported.checked_text.parse().unwrap_or_default());
    let Some(call) = calls.first() else {
        return Err(Failure::Differs);
    };
    model::certified(&source, call, |it| checked(imported, exact, &it))?
}

fn checked(imported: &Imported, exact: bool, certified: &Certified<'_>) -> Result<(), Failure> {
    let Derived::System(derived) = certified.derived() else {
        return Err(Failure::Differs);
    };
    let parameters = derived.system.defaults.iter().flatten().flatten();
    let parameters = parameters.copied().collect();
    let inputs = vec![0.0; imported.robot.actuators.len()];
    let names = [vec![], vec![]];
    let model = Interpreted::system(
        (derived, certified.functions()),
        [parameters, inputs],
        &names,
    );
    let mut worst = Differences::default();
    for number in 0..STATES {
        let motion = imported.robot.random_motion(number + 1, exact);
        compare(imported, &model, &motion, exact, &mut worst);
    }
    report(imported, exact, &worst)
}

fn compare(
    imported: &Imported,
    model: &Interpreted<'_>,
    motion: &Motion,
    exact: bool,
    worst: &mut Differences,
) {
    let robot = &imported.robot;
    let [q, v] = state(imported, motion, exact);
    let outputs = model.outputs(0.0, &q, &v);
    let [expected, as_written] = [exact, false].map(|exact| robot.moved(motion, exact));
    for (k, frame) in expected.iter().enumerate() {
        let points: Vec<&[f64]> = (0..3)
            .filter_map(|i| outputs.get(9 * k + 3 * i..9 * k + 3 * i + 3))
            .collect();
        let [origin, x, y] = points[..] else {
            worst.place = f64::INFINITY;
            return;
        };
        for i in 0..3 {
            let placed = frame.placement.place[i];
            worst.extent = worst.extent.max(placed.abs());
            worst.place = worst.place.max((origin[i] - placed).abs());
            let written = as_written[k].placement.place[i];
            worst.place_as_written = worst.place_as_written.max((origin[i] - written).abs());
            for (axis, end) in [x, y].into_iter().enumerate() {
                let turned = end[i] - origin[i] - frame.placement.turn[i][axis];
                worst.direction = worst.direction.max(turned.abs());
            }
        }
    }
    let energies = [
        (
            robot.kinetic_energy(motion, exact),
            model.kinetic_energy(0.0, &q, &v),
        ),
        (
            robot.potential_energy(motion, exact),
            model.potential_energy(0.0, &q),
        ),
    ];
    for ((of_file, of_model), worst) in energies
        .into_iter()
        .zip([&mut worst.kinetic, &mut worst.potential])
    {
        *worst = [
            worst[0].max((of_file - of_model).abs()),
            worst[1].max(of_file.abs()),
        ];
    }
}

/// q and v in the order of the text: free coordinates, then the bodies that move freely.
fn state(imported: &Imported, motion: &Motion, exact: bool) -> [DVector<f64>; 2] {
    let robot = &imported.robot;
    let free = |k: &usize| robot.coordinates[*k].is_free();
    let scalars: Vec<usize> = (0..robot.coordinates.len()).filter(free).collect();
    let mut q: Vec<f64> = scalars.iter().map(|&k| motion.values[k]).collect();
    let mut v: Vec<f64> = scalars.iter().map(|&k| motion.rates[k]).collect();
    for body in robot.free_bodies(motion, exact) {
        let turn = Matrix3::from_fn(|i, j| body.placement.turn[i][j]);
        let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
        q.extend(body.placement.place);
        q.extend(turn.coords.iter());
        v.extend(body.velocity);
        v.extend(body.spin);
    }
    [q.into(), v.into()]
}

fn report(imported: &Imported, exact: bool, worst: &Differences) -> Result<(), Failure> {
    let relative = |[apart, size]: [f64; 2]| if size > 0.0 { apart / size } else { apart };
    let [kinetic, potential] = [worst.kinetic, worst.potential].map(relative);
    anstream::eprintln!(
        "compared with the file at {STATES} random states, {} links: places differ by at most {:.0e} m, directions by {:.0e}, \
         kinetic energy by {kinetic:.0e} and potential energy by {potential:.0e} of the largest",
        imported.robot.links.len(),
        worst.place,
        worst.direction,
    );
    if exact && worst.place_as_written > 10.0 * worst.place {
        anstream::eprintln!(
            "from places computed with the digits of the file, without exact multiples of π, by at most {:.0e} m",
            worst.place_as_written
        );
    }
    let largest = [
        worst.place / worst.extent.max(1e-3),
        worst.direction,
        kinetic,
        potential,
    ];
    if largest.iter().any(|it| *it > ROUNDING || it.is_nan()) {
        return Err(Failure::Differs);
    }
    Ok(())
}
