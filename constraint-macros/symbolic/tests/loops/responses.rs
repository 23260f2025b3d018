//! J and M⁻¹ Jᵀ, constraint by constraint, as impulses are swept through them: the kernels of systems in loops, one by one.

use constraint_symbolic::model::{Declared, Parameter, Role};
use constraint_symbolic::schedule::{Root, schedule};
use constraint_symbolic::system::loops::routine::{Array, Kernel, Write};
use constraint_symbolic::system::{Derived, Quantity};

use crate::interpreter::State;

/// Whole matrices, row by row: J, and M⁻¹ Jᵀ of each row.
pub fn responses(derived: &Derived, state: &State) -> [Vec<Vec<f64>>; 2] {
    let routine = derived
        .routine(Quantity::Responses)
        .expect("it is in loops");
    let mut both: [Vec<Vec<f64>>; 2] = Default::default();
    for it in &routine.loops {
        for round in 0..it.rounds {
            for (number, indices) in &it.body {
                let kernel = &routine.kernels[*number];
                let places = indices.iter().map(|&index| it.place(index, round));
                let places: Vec<usize> = places.collect();
                block(derived, state, kernel, &places, &mut both);
            }
        }
    }
    both
}

fn block(
    derived: &Derived,
    state: &State,
    kernel: &Kernel,
    places: &[usize],
    both: &mut [Vec<Vec<f64>>; 2],
) {
    let system = &derived.system;
    let roots: Vec<Root> = kernel.roots.iter().map(|&id| Root::Output(id)).collect();
    let name = |symbol: constraint_symbolic::expr::SymbolId| symbol.index().to_string();
    let program = schedule(&system.model.graph, &roots, &[], &name);
    let values = program.evaluate(|symbol| {
        let read = kernel.reads.iter().find(|it| it.0 == symbol);
        match read {
            Some(&(_, array, place)) => element(derived, state, array, places[place]),
            None => leaf(derived, state, system.model.symbols[symbol.index()].role),
        }
    });
    let mut writes = kernel.writes.iter().enumerate();
    let block = writes.find_map(|(k, write)| match *write {
        Write::Block { first, velocities } => Some((k, first, velocities)),
        _ => None,
    });
    let (k, first, velocities) = block.expect("each kernel has one block");
    let columns = &places[first..first + velocities];
    let entries = &values[k..];
    for (matrix, entries) in both.iter_mut().zip(entries.chunks(entries.len() / 2)) {
        for entries in entries.chunks(velocities) {
            let mut row = vec![0.0; state.v.len()];
            let pairs = columns.iter().zip(entries);
            pairs.for_each(|(&column, &entry)| row[column] = entry);
            matrix.push(row);
        }
    }
}

/// Where a parameter begins among the numbers of all.
fn start(derived: &Derived, parameter: usize) -> usize {
    let before = &derived.system.model.parameters[..parameter];
    before.iter().map(Parameter::scalars).sum()
}

fn element(derived: &Derived, state: &State, array: Array, place: usize) -> f64 {
    let system = &derived.system;
    match array {
        Array::Position => state.q[place],
        Array::Velocity => state.v[place],
        Array::Numbers => system.numbers[place].to_f64(),
        Array::Parameter(number, component) => {
            let size = system.model.parameters[number].shape.len();
            state.parameters[start(derived, number) + place * size + component]
        }
        Array::Input(number, component) => {
            let before = system.inputs[..number].iter().map(Declared::scalars);
            let size = system.inputs[number].shape.len();
            state.inputs[before.sum::<usize>() + place * size + component]
        }
        array => panic!("{array:?} is no argument"),
    }
}

fn leaf(derived: &Derived, state: &State, role: Role) -> f64 {
    match role {
        Role::Time => state.t,
        Role::Number(i) => derived.system.numbers[i].to_f64(),
        Role::Input(i) => state.inputs[i],
        Role::Parameter {
            parameter,
            component,
        } => state.parameters[start(derived, parameter) + component],
        role => panic!("{role:?} is read from no array"),
    }
}
