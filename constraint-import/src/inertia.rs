//! Which masses and inertias of a file a body can have, and whether every joint moves some.

use crate::forward::Motion;
use crate::reader::Reader;
use crate::robot::{At, Base, Robot, Step, placement};
use crate::spatial::{Inertia, eigenvalues, norm};

/// The form in which the language can say an inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A body.
    Body,
    /// A particle: there are no moments.
    Point,
    /// A kinetic energy, since no body has these moments.
    Energy,
}

/// Fraction of the largest moment below which the smallest is rounding noise.
const NOISE: f64 = 1e-12;
/// Relative excess over the triangle inequality that the language accepts as rounding of typed numbers, and less.
const EXCESS: f64 = 1e-9;

/// The form of an inertia, and the reason if it is none of a body.
pub fn form(inertia: &Inertia, extent: f64) -> (Form, Option<String>) {
    let [least, middle, most] = eigenvalues(&inertia.about_centre);
    let size = most.abs().max(least.abs());
    if size <= f64::EPSILON * inertia.mass * extent * extent {
        return (Form::Point, None);
    }
    let moments = format!("{least:.3e}, {middle:.3e}, {most:.3e}");
    let reason = if inertia.mass == 0.0 {
        "has moments of inertia without a mass".to_owned()
    } else if least < -NOISE * size {
        format!("has the principal moments {moments}, one of them negative")
    } else if least <= NOISE * size {
        format!("has the principal moments {moments}, one of them zero")
    } else if least + middle < most * (1.0 - EXCESS) {
        format!("has the principal moments {moments}, of which two are less than the third")
    } else {
        return (Form::Body, None);
    };
    (Form::Energy, Some(reason))
}

/// The size of the robot: the sum of all displacements.
pub fn extent(robot: &Robot) -> f64 {
    let of_steps = |steps: &[Step]| -> f64 {
        let places = steps.iter().map(|step| match step {
            Step::Place(place) => norm(*place),
            _ => 0.0,
        });
        places.sum()
    };
    let links = robot.links.iter().map(|link| {
        let inertial = link.inertial.as_ref().map_or(0.0, |it| of_steps(&it.steps));
        of_steps(&link.steps) + inertial
    });
    links.sum()
}

/// Checks that numbers computed from those of the file are finite.
pub fn check_finite(reader: &mut Reader<'_>, robot: &Robot, exact: bool) {
    let message = |name: &str| format!("numbers of `{name}` are too large");
    for (link, parts) in robot.links.iter().zip(robot.carried(exact)) {
        let parts: Vec<Inertia> = parts.iter().map(|it| it.1).collect();
        let whole = Inertia::lumped(&parts);
        let moments = whole.about_centre.iter().flatten().chain(&whole.centre);
        let place = placement(&link.steps, exact).place;
        let mut numbers = moments.chain(&place).chain([&whole.mass]);
        if !parts.is_empty() && !numbers.all(|it| it.is_finite()) {
            reader.wrong(link.range.clone(), message(&link.name), None);
        }
    }
    for coordinate in &robot.coordinates {
        let follows = coordinate.follows.iter().flat_map(|it| &it.coefficients);
        if !follows.into_iter().all(|it| it.radians.is_finite()) {
            reader.wrong(coordinate.range.clone(), message(&coordinate.name), None);
        }
    }
    for actuator in &robot.actuators {
        let square = actuator.gear * actuator.gear;
        let numbers = [
            actuator.gain * actuator.gear,
            actuator.bias[0] * actuator.gear,
            actuator.bias[1] * square,
            actuator.bias[2] * square,
        ];
        if !numbers.iter().all(|it| it.is_finite()) {
            let range = match actuator.at {
                At::Joint(k) => &robot.coordinates[k].range,
                At::Tendon(k) => &robot.tendons[k].range,
            };
            reader.wrong(range.clone(), message(&actuator.name), None);
        }
    }
}

/// Checks that every motion has kinetic energy: the mass matrix at two states without symmetry.
pub fn check_masses(reader: &mut Reader<'_>, robot: &Robot, exact: bool) {
    let carried = robot.carried(exact);
    let extent = extent(robot);
    for (link, parts) in robot.links.iter().zip(&carried) {
        if link.base != Base::Free {
            continue;
        }
        let parts: Vec<Inertia> = parts.iter().map(|it| it.1).collect();
        if form(&Inertia::lumped(&parts), extent).0 != Form::Body || parts.is_empty() {
            let message = format!(
                "`{}` moves freely, but has no mass or no possible inertia",
                link.name
            );
            reader.wrong(
                link.range.clone(),
                message,
                Some("give it an `<inertial>` with a mass and positive moments of inertia"),
            );
        }
    }
    if !reader.mistakes.is_empty() {
        return;
    }
    for number in 1..=2 {
        let state = robot.random_motion(number, exact);
        let found = without_energy(robot, &state, exact);
        if !found.is_empty() {
            report(reader, robot, &found);
            return;
        }
    }
}

/// Reports coordinates that move no mass, with one option that fixes them all.
fn report(reader: &mut Reader<'_>, robot: &Robot, found: &[(usize, bool)]) {
    let names = found.iter().map(|it| robot.coordinates[it.0].name.as_str());
    let names: Vec<&str> = names.collect();
    let joints = match names[..] {
        [_] => "the joint",
        _ => "the joints",
    };
    let help = format!(
        "give the links after it a mass, make {joints} `fixed`, or import with `--fix {}`",
        names.join(",")
    );
    for (position, &(k, moves_mass)) in found.iter().enumerate() {
        let coordinate = &robot.coordinates[k];
        let message = if moves_mass {
            format!(
                "the joint `{}` and others after it can move together without moving any mass",
                coordinate.name
            )
        } else {
            format!("no mass moves with the joint `{}`", coordinate.name)
        };
        let is_last = position + 1 == found.len();
        let help = is_last.then_some(help.as_str());
        reader.wrong(coordinate.range.clone(), message, help);
    }
}

/// The coordinates whose pivots of M vanish, and whether their own entries do not.
fn without_energy(robot: &Robot, state: &Motion, exact: bool) -> Vec<(usize, bool)> {
    let free: Vec<usize> = (0..robot.coordinates.len())
        .filter(|&k| robot.coordinates[k].is_free())
        .collect();
    let values: Vec<f64> = free.iter().map(|&k| state.values[k]).collect();
    let energy = |i: usize, j: usize| {
        let mut rates = vec![0.0; free.len()];
        rates[i] = 1.0;
        rates[j] = 1.0;
        let [values, rates] = robot.completed(&values, &rates, exact);
        let mut motion = Motion {
            values,
            rates,
            free: state.free.clone(),
        };
        for body in &mut motion.free {
            (body.velocity, body.spin) = ([0.0; 3], [0.0; 3]);
        }
        robot.kinetic_energy(&motion, exact)
    };
    let own: Vec<f64> = (0..free.len()).map(|i| 2.0 * energy(i, i)).collect();
    let mut m: Vec<Vec<f64>> = Vec::new();
    for i in 0..free.len() {
        let mut row: Vec<f64> = (0..i)
            .map(|j| energy(i, j) - 0.5 * (own[i] + own[j]))
            .collect();
        row.push(own[i]);
        m.push(row);
    }
    let mut found = Vec::new();
    for k in (0..free.len()).rev() {
        // From the last joint to the first: LᵀD L in the order of the tree.
        if m[k][k] <= 1e-10 * own[k] {
            found.insert(0, (free[k], own[k] > 0.0));
            continue;
        }
        for i in 0..k {
            for j in 0..=i {
                m[i][j] -= m[k][i] * m[k][j] / m[k][k];
            }
        }
    }
    found
}

/// Notes the joints whose limits contradict each other.
pub fn note_limits(reader: &mut Reader<'_>, robot: &Robot) {
    for coordinate in &robot.coordinates {
        if let Some([lower, upper]) = coordinate.limits
            && lower > upper
        {
            let name = &coordinate.name;
            reader.notes.push(format!(
                "the lower limit of `{name}`, {lower}, is greater than the upper one, {upper}"
            ));
        }
    }
}

/// Notes the links whose inertia is taken over in another form than a body.
pub fn note_forms(reader: &mut Reader<'_>, robot: &Robot, exact: bool) {
    let extent = extent(robot);
    for (link, parts) in robot.links.iter().zip(robot.carried(exact)) {
        let parts: Vec<Inertia> = parts.iter().map(|it| it.1).collect();
        if parts.is_empty() {
            continue;
        }
        match form(&Inertia::lumped(&parts), extent) {
            (Form::Energy, Some(reason)) => {
                let name = &link.name;
                reader.notes.push(format!(
                    "`{name}` {reason}: no body has them, so that they are an energy"
                ));
            }
            (Form::Point, _) => reader.notes.push(format!(
                "`{}` has no moments of inertia: a particle",
                link.name
            )),
            _ => {}
        }
    }
}
