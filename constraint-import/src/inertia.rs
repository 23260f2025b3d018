//! Which masses and inertias of a file a body can have, and whether every joint moves some.

use std::collections::HashMap;

use crate::articulated::Joints;
use crate::reader::Reader;
use crate::robot::{At, Base, Robot, Step};
use crate::sparse::SparseRows;
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

/// The form of an inertia, and the reason if it is none of a body; `reach` is its distance from the root along the links.
pub fn form(inertia: &Inertia, reach: f64) -> (Form, Option<String>) {
    let [least, middle, most] = eigenvalues(&inertia.about_centre);
    let size = most.abs().max(least.abs());
    if size <= f64::EPSILON * inertia.mass * reach * reach {
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

/// The sum of the displacements of steps.
pub fn displaced(steps: &[Step]) -> f64 {
    let places = steps.iter().map(|step| match step {
        Step::Place(place) => norm(*place),
        _ => 0.0,
    });
    places.sum()
}

/// The size of the robot: the sum of all displacements.
pub fn extent(robot: &Robot) -> f64 {
    let links = robot.links.iter().map(|link| {
        let inertial = link
            .inertial
            .as_ref()
            .map_or(0.0, |it| displaced(&it.steps));
        displaced(&link.steps) + inertial
    });
    links.sum()
}

/// For each link the sum of the displacements from the root to its centre of mass.
pub fn reaches(robot: &Robot) -> Vec<f64> {
    let mut origins: Vec<f64> = Vec::new();
    let reaches = robot.links.iter().map(|link| {
        let before = match link.base {
            Base::Link(base) => origins[base],
            Base::World | Base::Free => 0.0,
        };
        let origin = before + displaced(&link.steps);
        origins.push(origin);
        origin
            + link
                .inertial
                .as_ref()
                .map_or(0.0, |it| displaced(&it.steps))
    });
    reaches.collect()
}

/// Checks that numbers computed from those of the file are finite; true if they are.
pub fn check_finite(reader: &mut Reader<'_>, robot: &Robot, exact: bool) -> bool {
    let before = reader.mistakes.len();
    check_links(reader, robot, exact);
    let message = |name: &str| format!("numbers of `{name}` are too large");
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
    reader.mistakes.len() == before
}

/// The same of masses and moments: of each link, and of what moves with it.
fn check_links(reader: &mut Reader<'_>, robot: &Robot, exact: bool) {
    let is_large = |x: f64| !x.is_finite();
    let reaches = reaches(robot);
    let mut far = vec![false; robot.links.len()];
    for (k, parts) in robot.carried(exact).iter().enumerate() {
        let link = &robot.links[k];
        // A distance caused by another link is reported once, there.
        let is_after = matches!(link.base, Base::Link(base) if far[base]);
        let parts: Vec<Inertia> = parts.iter().map(|it| it.1).collect();
        let whole = Inertia::lumped(&parts);
        let inertial = link.inertial.as_ref().map_or(0.0, |it| it.mass);
        let moment = reaches[k] * reaches[k] * inertial.max(1.0);
        far[k] = is_after || is_large(moment);
        let mut moments = whole.about_centre.iter().flatten().chain(&whole.centre);
        let name = &link.name;
        if far[k] && !is_after {
            let message =
                format!("`{name}` is too far away for its moment of inertia to be a number");
            reader.wrong(link.range.clone(), message, None);
        } else if !far[k] && (is_large(whole.mass) || moments.any(|it| is_large(*it))) {
            let message = format!("the mass or the inertia of `{name}` is too large");
            reader.wrong(link.range.clone(), message, None);
        }
    }
}

/// Checks that every motion has kinetic energy: M at two states without symmetry.
pub fn check_masses(reader: &mut Reader<'_>, robot: &Robot, exact: bool) {
    let reaches = reaches(robot);
    for (k, parts) in robot.carried(exact).iter().enumerate() {
        let link = &robot.links[k];
        if link.base != Base::Free {
            continue;
        }
        let parts: Vec<Inertia> = parts.iter().map(|it| it.1).collect();
        if form(&Inertia::lumped(&parts), reaches[k]).0 != Form::Body || parts.is_empty() {
            let message = format!(
                "`{}` moves freely, but has no mass or no possible inertia",
                link.name
            );
            let help = "give it an `<inertial>` with a mass and positive moments of inertia";
            reader.wrong(link.range.clone(), message, Some(help));
        }
    }
    let mut found = without_energy(robot, 1, exact);
    if !found.is_empty() {
        // A state may be singular by chance, two are not.
        let other = without_energy(robot, 2, exact);
        found.retain(|it| other.iter().any(|it_too| it_too.0 == it.0));
        report(reader, robot, &found);
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

/// The free coordinates along which there are motions without energy, and whether their own entries of M do not vanish.
fn without_energy(robot: &Robot, state: usize, exact: bool) -> Vec<(usize, bool)> {
    let motion = robot.random_motion(state, exact);
    let loose = Joints::of(robot, &motion, exact).loose();
    let slopes = robot.slopes(&motion.values, exact);
    // Rates of all loose coordinates that keep what followers demand: rate of the follower = slope × rate of its leader.
    let mut of_coordinate: HashMap<usize, Vec<(usize, f64)>> = HashMap::new();
    for (column, loose) in loose.iter().enumerate() {
        for (k, rate) in &loose.rates {
            of_coordinate.entry(*k).or_default().push((column, *rate));
        }
    }
    let none = Vec::new();
    let mut rows = SparseRows::default();
    for (k, coordinate) in robot.coordinates.iter().enumerate() {
        let Some(follows) = &coordinate.follows else {
            continue;
        };
        let rates = |k: &usize| of_coordinate.get(k).unwrap_or(&none).clone();
        let mut row = rates(&k);
        let leader = follows.leader.map_or_else(Vec::new, |it| rates(&it));
        row.extend(
            leader
                .iter()
                .map(|(column, rate)| (*column, -slopes[k] * rate)),
        );
        let size = row.iter().map(|it| it.1.abs()).fold(0.0, f64::max);
        rows.insert(row, 1e-10 * size);
    }
    let mut found: Vec<(usize, bool)> = Vec::new();
    for (column, loose) in loose.iter().enumerate() {
        let free = robot.leader(loose.coordinate);
        if let Some(free) = free.filter(|_| !rows.has_pivot(column))
            && found.iter().all(|it| it.0 != free)
        {
            found.push((free, loose.moves_mass));
        }
    }
    found.sort_unstable_by_key(|it| it.0);
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
    let reaches = reaches(robot);
    for (k, parts) in robot.carried(exact).iter().enumerate() {
        let link = &robot.links[k];
        let parts: Vec<Inertia> = parts.iter().map(|it| it.1).collect();
        if parts.is_empty() {
            continue;
        }
        match form(&Inertia::lumped(&parts), reaches[k]) {
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
