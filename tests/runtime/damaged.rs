//! Checkpoints that are cut, lengthened or no numbers: each is refused with what is wrong, and none panics later.

use std::fmt::Debug;
use std::marker::PhantomData;

use ciborium::Value;
use constraint_runtime::Properties;
use constraint_runtime::make_consistent;
use constraint_runtime::nalgebra::DVector;
use constraint_runtime::prelude::*;
use constraint_runtime::{Checkpoint, Integrator, Quantity, Vector};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::growable::Pendulums;

/// v̇ = −q, of vectors of any kind and of a length that the type may not say.
#[derive(Clone)]
struct Springs<X> {
    length: usize,
    vectors: PhantomData<X>,
}

impl<X: Vector<Scalar = f64>> Dynamics<f64> for Springs<X> {
    type Q = X;
    type V = X;
    type Coordinates = X;
    type Velocities = X;

    const PROPERTIES: Properties = Properties {
        linearizes: true,
        ..Properties::NONE
    };

    fn acceleration(&self, _t: f64, q: &X, _v: &X) -> Result<X, Error> {
        Ok(q.like(|i| -q[i]))
    }
    fn write_linearization(
        &self,
        _t: f64,
        q: &X,
        _v: &X,
        by_q: &mut [X],
        by_v: &mut [X],
    ) -> Result<(), Error> {
        for (k, column) in by_q.iter_mut().enumerate() {
            *column = q.like(|i| if i == k { -1.0 } else { 0.0 });
        }
        by_v.fill(q.zeros_like());
        Ok(())
    }
    fn lengths(&self) -> [Option<usize>; 2] {
        [Some(self.length); 2]
    }
    fn kinetic_energy(&self, _t: f64, _q: &X, v: &X) -> f64 {
        0.5 * v.entries().iter().map(|v| v * v).sum::<f64>()
    }
    fn potential_energy(&self, _t: f64, q: &X) -> f64 {
        0.5 * q.entries().iter().map(|q| q * q).sum::<f64>()
    }
}

impl<X> Unconstrained for Springs<X> {}

/// All ways to take an element from one array, to add one to it, or to put NaN in the place of one number.
fn damaged(value: &Value) -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    match value {
        Value::Float(_) => all.push(("no number", Value::Float(f64::NAN))),
        Value::Map(entries) => {
            for (i, (_, within)) in entries.iter().enumerate() {
                for (damage, within) in damaged(within) {
                    let mut entries = entries.clone();
                    entries[i].1 = within;
                    all.push((damage, Value::Map(entries)));
                }
            }
        }
        Value::Array(elements) => {
            for (damage, more) in [("shorter", false), ("longer", true)] {
                let resized = match &elements[..] {
                    // A vector of nalgebra's: entries, rows, columns.
                    [Value::Array(entries), Value::Integer(_), columns] => resized(entries, more)
                        .map(|entries| {
                            let rows = Value::from(entries.len() as u64);
                            vec![Value::Array(entries), rows, columns.clone()]
                        }),
                    _ => resized(elements, more),
                };
                all.extend(resized.map(|elements| (damage, Value::Array(elements))));
            }
            for (i, within) in elements.iter().enumerate() {
                for (damage, within) in damaged(within) {
                    let mut elements = elements.clone();
                    elements[i] = within;
                    all.push((damage, Value::Array(elements)));
                }
            }
        }
        _ => {}
    }
    all
}

fn resized(elements: &[Value], more: bool) -> Option<Vec<Value>> {
    let mut elements = elements.to_vec();
    let last = elements.pop()?;
    if more {
        elements.extend([last.clone(), last]);
    }
    Some(elements)
}

/// Takes a run to a time and damages its checkpoint in all ways; what resuming from them says.
fn refused<S, I>(system: S, method: I, start: State<S::Q, S::V>, end: f64) -> Vec<Error>
where
    S: System<f64> + Clone,
    I: Integrator<Scalar = f64> + Clone + Debug,
    Checkpoint<I, S::Q, S::V>: Serialize + DeserializeOwned,
{
    let run = Simulation::new(system.clone(), start, method.clone());
    let mut run = run.expect("a good start");
    run.run_until(end).expect("it moves");
    let read = |value: &Value| -> Option<Checkpoint<I, S::Q, S::V>> {
        let mut bytes = Vec::new();
        ciborium::into_writer(value, &mut bytes).expect("it can be written");
        ciborium::from_reader(&bytes[..]).ok()
    };
    let whole = Value::serialized(&run.checkpoint()).expect("it can be written");
    let resume = |checkpoint| Simulation::resume(system.clone(), method.clone(), checkpoint);
    let mut resumed = resume(read(&whole).expect("whole")).expect("it goes on");
    resumed.run_until(end + 1.0).expect("it moves");
    let errors = damaged(&whole).into_iter().filter_map(|(damage, value)| {
        let resumed = resume(read(&value)?);
        let error = resumed.map(drop).err();
        Some(error.unwrap_or_else(|| panic!("{method:?} goes on from what is {damage}: {value:?}")))
    });
    errors.collect()
}

/// Every method, before the first step and on its way.
fn every_method<X>(length: usize, start: X)
where
    X: Vector<Scalar = f64> + Serialize + DeserializeOwned,
{
    fn one<I, X>(method: I, start: &X, length: usize)
    where
        I: Integrator<Scalar = f64> + Clone + Debug,
        X: Vector<Scalar = f64>,
        Checkpoint<I, X>: Serialize + DeserializeOwned,
    {
        for end in [0.0, 0.737] {
            let (q, v) = (start.clone(), start.zeros_like());
            let start = State { t: 0.0, q, v };
            let springs = Springs {
                length,
                vectors: PhantomData,
            };
            for error in refused(springs, method.clone(), start, end) {
                match error {
                    Error::WrongLength {
                        found, expected, ..
                    } => {
                        assert!(
                            found != expected && [length, 0].contains(&expected),
                            "{error}"
                        );
                    }
                    Error::NonFinite { .. } | Error::InvalidTolerance { .. } => {}
                    _ => panic!("{error}"),
                }
            }
        }
    }
    one(SemiImplicitEuler::new(0.01), &start, length);
    one(Rk4::new(0.01), &start, length);
    one(Rattle::new(0.01), &start, length);
    one(DormandPrince::new(1e-6, 1e-6), &start, length);
    one(Radau5::new(1e-6, 1e-6), &start, length);
    one(GeneralizedAlpha::new(0.01, 0.8), &start, length);
    one(SequentialImpulses::new(4).stepping(0.01), &start, length);
}

#[test]
fn of_vectors_of_any_length() {
    every_method(3, DVector::from_vec(vec![1.0, -0.5, 0.25]));
}

#[test]
fn of_vectors_on_the_heap_and_of_fixed_size() {
    every_method(3, HeapArray::<f64, 3>::from([1.0, -0.5, 0.25]));
    every_method(3, Vector3::new(1.0, -0.5, 0.25));
}

/// Impulses are as many as rows, which the state alone does not tell.
#[test]
fn of_impulses() {
    let start = State::new(0.0, vec![1.0, 0.0, 0.0, -1.0], vec![0.0; 4]);
    let method = SequentialImpulses::new(4).stepping(0.01);
    let errors = refused(Pendulums, method, start, 0.1);
    let of_rows = |found| Error::WrongLength {
        quantity: Quantity::Memory,
        found,
        expected: 2,
    };
    assert!(errors.contains(&of_rows(1)) && errors.contains(&of_rows(3)));
}

#[test]
fn a_state_of_another_length_than_the_world_is_refused() {
    let mut world = World3::<f64>::new();
    let mass = Inertia3::principal(1.0, [0.1; 3]).expect("an inertia");
    world
        .add(Body3::new(mass, Rigid3::identity()))
        .expect("a body");
    let good = world.state();
    let long = State {
        v: DVector::zeros(7),
        ..good.clone()
    };
    let short = State {
        q: DVector::zeros(6),
        ..good.clone()
    };
    let message = "velocity: found 7 entries, expected 6";
    assert_eq!(world.set_state(&long).unwrap_err().to_string(), message);
    let message = "coordinate: found 6 entries, expected 7";
    assert_eq!(
        make_consistent(&world, short.clone())
            .unwrap_err()
            .to_string(),
        message
    );
    assert_eq!(world.state(), good);

    let run = Simulation::new(world, good, Rk4::new(0.01)).expect("a good start");
    let checkpoint = run.checkpoint();
    let other = Simulation::resume(World3::new(), Rk4::new(0.01), checkpoint);
    let message = "coordinate: found 7 entries, expected 0";
    assert_eq!(other.map(drop).unwrap_err().to_string(), message);
    let refused = Simulation::new(World3::new(), short, Rk4::new(0.01)).map(drop);
    assert!(matches!(
        refused,
        Err(Error::WrongLength { expected: 0, .. })
    ));
}
