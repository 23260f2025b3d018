//! `constraint run`: simulates a model, without a compiler.
//!
//! The engine's interpreter runs the functions that the macros would generate; the runtime does the rest: its
//! integrators, its projection onto the constraints, its checks of the start, its messages.

mod curve;
mod figure;
mod gravity;
pub mod interpreted;
mod kept;
mod mechanism;
mod names;
mod plot;
mod progress;
mod record;
mod scene;
mod undefined;

use constraint_runtime::nalgebra::{DVector, SVector};
use constraint_runtime::{
    DormandPrince, Dynamics, Error, Integrator, Particle, Rk4, Simulation, State, System, Vector,
    make_consistent,
};

use self::figure::Upwards;
use self::interpreted::Interpreted;
use self::kept::Kept;
pub use self::names::{Component, Setting};
use self::names::{Named, distribute};
use self::progress::Progress;
use self::record::{Record, Sample};
use self::scene::Scene;
use crate::arguments::Run;
use crate::failure::Failure;
use crate::model;
use crate::write;
use constraint_symbolic::call::Certified;
use constraint_symbolic::function::Function;
use constraint_symbolic::macros::Derived;
use constraint_symbolic::model::Model;
use constraint_symbolic::{constraint, system};

/// The default number of steps.
const STEPS: f64 = 1000.0;
/// The number of states in a figure.
const DRAWN: usize = 600;

/// Runs the selected call.
pub fn run(arguments: &Run) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let [call] = &calls[..] else {
        let known = calls.iter().filter_map(|call| call.name.clone()).collect();
        return Err(Failure::Several { known });
    };
    let title = call.title();
    model::certified(&source, call, |it| moves(arguments, &title, &it))?
}

/// Simulates a model and writes the requested output.
fn moves(arguments: &Run, title: &str, certified: &Certified<'_>) -> Result<(), Failure> {
    let record = motion(arguments, certified, None)?;
    if let Some(path) = &arguments.csv {
        write(&record.csv()?, Some(path))?;
    }
    if let Some(path) = &arguments.svg {
        let drawn = motion(arguments, certified, Some(DRAWN))?;
        write(&figure::svg(title, &record, &drawn)?, Some(path))?;
    }
    let size = certified.derivation().size();
    write(&format!("{title}: {size}\n{}", record.summary()), None)?;
    record
        .failure
        .map_or(Ok(()), |error| Err(Failure::Motion(error)))
}

/// The states after all steps, or `even` of them at even times, with derived quantities.
fn motion(
    arguments: &Run,
    certified: &Certified<'_>,
    even: Option<usize>,
) -> Result<Record, Failure> {
    let functions = certified.functions();
    match certified.derived() {
        Derived::System(derived) => of_system(arguments, (derived, functions), even),
        Derived::Constraint(derived) => of_particle(arguments, (derived, functions), even),
        Derived::Curve(derived) if derived.dimension() == 2 => {
            of_bead::<2>(arguments, (derived, functions), even)
        }
        Derived::Curve(derived) => of_bead::<3>(arguments, (derived, functions), even),
    }
}

fn of_system(
    arguments: &Run,
    (derived, functions): (&system::Derived, &[Function<'_>]),
    even: Option<usize>,
) -> Result<Record, Failure> {
    let system = &derived.system;
    if !system.one_sided.is_empty() {
        return Err(Failure::OneSided);
    }
    let mut parameters = names::parameters(&system.model);
    parameters.values = defaults(&system.defaults, &parameters);
    let mut inputs = names::inputs(system);
    distribute(&arguments.set, &mut [&mut parameters, &mut inputs])?;
    let coordinates = names::coordinates(system);
    let velocities = names::velocities(&system.model, system.velocities());
    let start = start(arguments, coordinates, velocities)?;
    no_particle(arguments)?;
    let given = [parameters.known("--set")?, inputs.known("--set")?];
    let moving = Interpreted::system((derived, functions), given, &start.names);
    let upwards = Upwards::against(&gravity::of_system(derived, &moving, &start.q));
    let names = record::outputs(system);
    let places = scene::Places::of(derived);
    let outputs =
        |moving: &Interpreted<'_>, state: &State<_>| moving.outputs(state.t, &state.q, &state.v);
    moved(
        arguments,
        moving,
        start,
        even,
        (names, upwards),
        outputs,
        |moving, states| places.seen(moving, states),
    )
}

/// The values that the model itself defines.
fn defaults(defaults: &[Option<Vec<f64>>], parameters: &Named) -> Vec<Option<f64>> {
    let all = defaults.iter().flatten().flatten().map(|&x| Some(x));
    let all: Vec<Option<f64>> = all.collect();
    // Either all parameters of a system have values or the engine reports those that do not.
    if all.len() == parameters.names.len() {
        all
    } else {
        parameters.values.clone()
    }
}

fn of_particle(
    arguments: &Run,
    (derived, functions): (&constraint::Derived, &[Function<'_>]),
    even: Option<usize>,
) -> Result<Record, Failure> {
    let model = &derived.model;
    if !model.bodies.is_empty() {
        return Err(Failure::BetweenBodies);
    }
    if !derived.is_closed() {
        return Err(Failure::ManyRows);
    }
    let mut parameters = names::parameters(model);
    distribute(&arguments.set, &mut [&mut parameters])?;
    let count = model.coordinate_count();
    let start = start(
        arguments,
        names::points(model),
        names::velocities(model, count),
    )?;
    let gravity = gravity(arguments, names::points(model).names)?;
    let upwards = Upwards::against(&pull(model, &gravity));
    let load = (arguments.mass.unwrap_or(1.0), gravity);
    let parameters = parameters.known("--set")?;
    let moving = Interpreted::particle((derived, functions), parameters, load, &start.names);
    moved(
        arguments,
        moving,
        start,
        even,
        (Vec::new(), upwards),
        |_, _| Vec::new(),
        |moving, states| scene::of_points(model, moving, states),
    )
}

fn of_bead<const D: usize>(
    arguments: &Run,
    (derived, functions): (&constraint_symbolic::curve::Derived, &[Function<'_>]),
    even: Option<usize>,
) -> Result<Record, Failure> {
    let model = &derived.curve.model;
    let mut parameters = names::parameters(model);
    distribute(&arguments.set, &mut [&mut parameters])?;
    let start = start(arguments, names::points(model), names::velocities(model, 1))?;
    let gravity = gravity(
        arguments,
        names::PLACE[..D].iter().map(|&it| it.into()).collect(),
    )?;
    let upwards = Upwards::against(&gravity);
    let curve = curve::Interpreted::<D>::new((derived, functions), parameters.known("--set")?);
    let bead = Particle::new(arguments.mass.unwrap_or(1.0)).along(curve);
    let bead = bead.under_gravity(SVector::<f64, D>::from_iterator(gravity));
    let start = Start {
        q: SVector::from_element(start.q[0]),
        v: SVector::from_element(start.v[0]),
        names: start.names,
    };
    let place = ["r.x", "r.y", "r.z"][..D].iter();
    let place = place.map(|&it| it.to_owned()).collect();
    moved(
        arguments,
        bead,
        start,
        even,
        (place, upwards),
        |bead, state| bead.position(state.q[0]).as_slice().to_vec(),
        |bead, states| {
            let places = states.iter().map(|state| bead.position(state.q[0]));
            scene::of_one(places.map(|place| place.as_slice().to_vec()).collect())
        },
    )
}

/// The field along coordinates of these names; missing components are zero.
fn gravity(arguments: &Run, names: Vec<String>) -> Result<Vec<f64>, Failure> {
    let (mut field, mut in_order) = (Named::new("component of gravity", names), Vec::new());
    let given = &arguments.gravity;
    for component in given {
        match component {
            Component::Next(value) => in_order.push(*value),
            Component::Named(setting) => {
                if !field.take_component(setting)? {
                    return Err(Failure::UnknownName {
                        kind: vec![field.kind],
                        name: setting.name.clone(),
                        known: field.names,
                    });
                }
            }
        }
    }
    match (in_order.len(), field.names.len()) {
        (0, _) => Ok(field
            .values
            .into_iter()
            .map(Option::unwrap_or_default)
            .collect()),
        (found, _) if found < given.len() => Err(Failure::MixedComponents { names: field.names }),
        (found, wanted) if found == wanted => Ok(in_order),
        (found, _) => Err(Failure::Gravity {
            names: field.names,
            found,
        }),
    }
}

/// The field along the axes of all points together.
fn pull(model: &Model, gravity: &[f64]) -> Vec<f64> {
    let first = model.coordinates.first().map_or(1, |it| it.shape.len());
    let size = if first > 1 { first } else { gravity.len() };
    let along = |axis| gravity.iter().skip(axis).step_by(size).sum();
    (0..size).map(along).collect()
}

/// A system has its own masses and forces.
fn no_particle(arguments: &Run) -> Result<(), Failure> {
    if arguments.mass.is_some() || !arguments.gravity.is_empty() {
        Err(Failure::OwnMasses)
    } else {
        Ok(())
    }
}

/// The start of a motion.
struct Start<X> {
    q: X,
    v: X,
    /// The names of the coordinates, then those of the velocities.
    names: [Vec<String>; 2],
}

/// All coordinates must be given, except rotations; velocities default to zero.
fn start(
    arguments: &Run,
    mut coordinates: Named,
    mut velocities: Named,
) -> Result<Start<DVector<f64>>, Failure> {
    distribute(&arguments.from, &mut [&mut coordinates, &mut velocities])?;
    velocities
        .values
        .iter_mut()
        .for_each(|it| _ = it.get_or_insert(0.0));
    unturned(&mut coordinates);
    Ok(Start {
        q: coordinates.known("--from")?.into(),
        v: velocities.known("--from")?.into(),
        names: [coordinates.names, velocities.names],
    })
}

/// Bodies are upright by default; if a rotation is given in part, the rest is zero.
fn unturned(coordinates: &mut Named) {
    let Named { names, values, .. } = coordinates;
    let parts = |name: &str| -> Option<(String, f64)> {
        let (body, part) = name.rsplit_once('.')?;
        let upright = match part {
            "re" | "w" => 1.0,
            "im" | "i" | "j" | "k" => 0.0,
            _ => return None,
        };
        Some((body.to_owned(), upright))
    };
    let given = names.iter().zip(&*values).filter(|it| it.1.is_some());
    let turned = given.filter_map(|(name, _)| Some(parts(name)?.0));
    let turned: Vec<String> = turned.collect();
    for (name, value) in names.iter().zip(values) {
        if let Some((body, upright)) = parts(name) {
            let rest = if turned.contains(&body) { 0.0 } else { upright };
            value.get_or_insert(rest);
        }
    }
}

/// The quantities that are recorded in addition to the states of a motion.
struct Observables<F, G> {
    names: Vec<String>,
    /// The axis that is drawn upwards.
    upwards: Upwards,
    /// Computes the outputs with these names.
    outputs: F,
    /// Draws the motion, if requested.
    scene: G,
}

/// The motion by the selected method.
fn moved<S, F, G>(
    arguments: &Run,
    system: S,
    start: Start<S::Q>,
    even: Option<usize>,
    (names, upwards): (Vec<String>, Upwards),
    outputs: F,
    scene: G,
) -> Result<Record, Failure>
where
    S: System<f64, V = <S as Dynamics<f64>>::Q>,
    F: Fn(&S, &State<S::Q, S::V>) -> Vec<f64>,
    G: Fn(&S, &[State<S::Q, S::V>]) -> Scene,
{
    let observables = Observables {
        names,
        upwards,
        outputs,
        scene,
    };
    match arguments.tolerance {
        Some(tolerance) => {
            let method = DormandPrince::new(tolerance, tolerance);
            let words = format!("Dormand–Prince of order 5, tolerance {tolerance:e}");
            advanced(arguments, system, start, even, (method, words), observables)
        }
        None => {
            let step = arguments.step.unwrap_or(arguments.until / STEPS);
            let words = format!("Runge–Kutta of order 4 in steps of {step}");
            advanced(
                arguments,
                system,
                start,
                even,
                (Rk4::new(step), words),
                observables,
            )
        }
    }
}

fn advanced<S, I, F, G>(
    arguments: &Run,
    system: S,
    start: Start<S::Q>,
    even: Option<usize>,
    (method, words): (I, String),
    observables: Observables<F, G>,
) -> Result<Record, Failure>
where
    S: System<f64, V = <S as Dynamics<f64>>::Q>,
    I: Integrator<Scalar = f64>,
    F: Fn(&S, &State<S::Q, S::V>) -> Vec<f64>,
    G: Fn(&S, &[State<S::Q, S::V>]) -> Scene,
{
    let mut run = started(arguments, system, start.q, start.v, method)?;
    let (kept, done) = recorded(arguments, &mut run, even);
    if let Err(error @ Error::StepTooShort { .. }) = done {
        return Err(Failure::Start { error });
    }
    let system = run.system();
    let (steps, every) = (kept.steps(), kept.every());
    let states = kept.into_states();
    let samples = states
        .iter()
        .map(|state| sample(system, state, (observables.outputs)(system, state)));
    Ok(Record {
        method: words,
        steps,
        thinned: (arguments.every.is_none() && every > 1).then_some(every),
        names: start.names.concat(),
        constrained: !system.constraint(0.0, &states[0].q).entries().is_empty(),
        samples: samples.collect(),
        failure: done.err(),
        scene: even.map(|_| (observables.scene)(system, &states)),
        upwards: observables.upwards,
        outputs: observables.names,
    })
}

type StateOf<S> = State<<S as Dynamics<f64>>::Q, <S as Dynamics<f64>>::V>;

/// The motion at its start, moved onto the constraints if requested.
fn started<S: System<f64>, I: Integrator<Scalar = f64>>(
    arguments: &Run,
    system: S,
    q: S::Q,
    v: S::V,
    method: I,
) -> Result<Simulation<S, I>, Failure> {
    let failed = |error| Failure::Start { error };
    let mut state = State::new(0.0, q, v);
    if arguments.project {
        state = make_consistent(&system, state).map_err(failed)?;
    }
    Simulation::new(system, state, method).map_err(failed)
}

/// Runs to the end, or until an error, and records the states after all steps, or `even` of them at even times.
fn recorded<S: System<f64>, I: Integrator<Scalar = f64>>(
    arguments: &Run,
    run: &mut Simulation<S, I>,
    even: Option<usize>,
) -> (Kept<StateOf<S>>, Result<(), Error>) {
    let end = arguments.until;
    let mut progress = Progress::to(end);
    let start = run.state().clone();
    let numbers = start.q.entries().len() + start.v.entries().len();
    let mut kept = Kept::from(start, numbers, even.map_or(arguments.every, |_| Some(1)));
    let done = match even {
        None => run
            .run_until_with(end, |state| {
                progress.at(state.t);
                kept.push(state);
            })
            .map(drop),
        Some(count) => (1..=count).try_for_each(|number| {
            run.run_until(end * number as f64 / count as f64)?;
            progress.at(run.state().t);
            kept.push(run.state());
            Ok(())
        }),
    };
    (kept, done)
}

fn sample<S: System<f64>>(system: &S, state: &StateOf<S>, outputs: Vec<f64>) -> Sample {
    let State { t, q, v } = state;
    Sample {
        t: *t,
        state: [q.entries(), v.entries()].concat(),
        outputs,
        energy: system.kinetic_energy(*t, q, v) + system.potential_energy(*t, q),
        drift: largest(&system.constraint(*t, q)),
        rate_drift: largest(&system.constraint_rate(*t, q, v)),
    }
}

fn largest<X: Vector<Scalar = f64>>(x: &X) -> f64 {
    x.entries().iter().fold(0.0, |most, x| most.max(x.abs()))
}
