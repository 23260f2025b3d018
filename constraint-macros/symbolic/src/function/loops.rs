//! Loops over arrays: the kernels of a rolled system as programs.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::Ident;

use super::Argument;
use super::leaves::{NUMBER, local};
use crate::expr::{CollectVec, ExprId, Map, Set, SortedSet, SymbolId};
use crate::families::Loop;
use crate::model::{Model, Role, Symbol};
use crate::schedule::{self, OperationCount, Program, Root};
use crate::solve::Panels;
use crate::syntax::snake;
use crate::system::Rolled;
use crate::system::loops::routine::{self, Array, OfSolution, Routine, Solve, Write};

/// A routine with the programs of its kernels.
#[derive(Debug)]
pub struct Loops<'a> {
    /// Kernels and the loops over them.
    pub routine: &'a Routine,
    /// One for each kernel.
    pub kernels: Vec<Rc<Kernel>>,
    /// The number of entries of L.
    pub lower: usize,
    /// The blocks that are eliminated at run time after the assembly.
    pub panels: Option<&'a Panels>,
}

/// The computation of one round.
#[derive(Debug)]
pub struct Kernel {
    /// The results.
    pub program: Program,
    /// Names of the leaves that are read from arrays.
    pub leaves: Map<SymbolId, Ident>,
}

/// Names of the arrays that are local to a function.
const WORK: [(Array, &str); 25] = [
    (Array::SolutionBeside, "y_of"),
    (Array::RightBeside, "pulled_of"),
    (Array::Motion, "v_dot_of"),
    (Array::Load, "load_of"),
    (Array::Slopes, "slope_of"),
    (Array::Shared, "made_of"),
    (Array::Sums, "sum_of"),
    (Array::Diagonal, "taken_of"),
    (Array::Right, "pushed_of"),
    (Array::Fill, "filled_of"),
    (Array::Solution, "x_of"),
    // L is stored after the unknowns.
    (Array::Lower, "x_of"),
    (Array::Inverse, "inverse_of"),
    (Array::Weight, "weight_of"),
    (Array::Blocks, "blocks_of"),
    (Array::Scales, "scales_of"),
    (Array::Kept, "kept_of"),
    (Array::Prepared, "given_of"),
    (Array::Moving, "body_of"),
    (Array::OfSolution(OfSolution::Motion), "motion_of"),
    (Array::OfSolution(OfSolution::Multipliers), "lambda_of"),
    (
        Array::OfSolution(OfSolution::MotionAlong),
        "motion_along_of",
    ),
    (
        Array::OfSolution(OfSolution::MultipliersAlong),
        "lambda_along_of",
    ),
    (
        Array::OfSolution(OfSolution::MotionCounted),
        "motion_bar_of",
    ),
    (
        Array::OfSolution(OfSolution::MultipliersCounted),
        "lambda_bar_of",
    ),
];

/// Names of other local variables of loops.
const OTHERS: [&str; 28] = [
    "given",
    "judged",
    "column",
    "column_of",
    "motion_a",
    "motion_b",
    "motion_p",
    "multipliers_a",
    "multipliers_b",
    "multipliers_p",
    "lent",
    "place_of",
    "solved_of",
    "out",
    "beside",
    "round",
    "room",
    "rows",
    "along_t",
    "along_q",
    "along_v",
    "along_u",
    "along_p",
    "by_t",
    "by_q",
    "by_v",
    "by_u",
    "by_p",
];

/// Names that leaves of kernels must not take.
pub fn reserved() -> impl Iterator<Item = String> {
    let names = WORK.iter().map(|&(_, name)| name);
    names.chain(OTHERS).map(str::to_owned)
}

/// The argument that is stored in an array, if there is one.
pub fn argument(array: Array) -> Option<Argument> {
    Some(match array {
        Array::Position => Argument::Coordinates,
        Array::Velocity => Argument::Velocities,
        Array::RightHandSide => Argument::RightHandSide,
        Array::Acceleration => Argument::Accelerations,
        Array::AccelerationAdjoint => Argument::AccelerationAdjoint,
        Array::MultiplierAdjoint => Argument::MultiplierAdjoint,
        Array::CorrectionAdjoint => Argument::CorrectionAdjoint,
        _ => return None,
    })
}

/// The role of leaves that are read from an argument's array.
fn role(array: Array) -> Option<Role> {
    Some(match array {
        Array::Position => Role::Coordinate(0),
        Array::Velocity => Role::Velocity(0),
        Array::RightHandSide => Role::RightHandSide(0),
        Array::Acceleration => Role::Acceleration(0),
        Array::Input(..) => Role::Input(0),
        Array::Tangent(_) => Role::Tangent(0),
        Array::AccelerationAdjoint => Role::AccelerationAdjoint(0),
        Array::MultiplierAdjoint => Role::MultiplierAdjoint(0),
        Array::CorrectionAdjoint => Role::CorrectionAdjoint(0),
        _ => return None,
    })
}

/// The name of an array that is local to a function.
pub fn work_name(array: Array) -> Option<&'static str> {
    let mut names = WORK.iter();
    names.find_map(|&(known, name)| (known == array).then_some(name))
}

/// The array that holds this one: the unknowns and L share one.
pub fn shared(array: Array) -> Array {
    match array {
        Array::Lower => Array::Solution,
        array => array,
    }
}

/// Programs of kernels, each computed once: the elimination is the same for v̇ and for v̇ with λ.
pub struct Kernels<'a, 'n> {
    model: &'n Model,
    /// Names the leaves of the model.
    leaves: &'n dyn Fn(SymbolId) -> String,
    /// Names that leaves of kernels may not have.
    reserved: Set<String>,
    known: RefCell<Map<&'a routine::Kernel, Rc<Kernel>>>,
    /// Preferred names of leaves, before numbers are added within a kernel.
    wanted: RefCell<Map<SymbolId, Rc<str>>>,
}

impl<'a, 'n> Kernels<'a, 'n> {
    /// Without any programs so far.
    pub fn new(
        model: &'n Model,
        leaves: &'n dyn Fn(SymbolId) -> String,
        reserved: Set<String>,
    ) -> Kernels<'a, 'n> {
        Kernels {
            model,
            leaves,
            reserved,
            known: RefCell::default(),
            wanted: RefCell::default(),
        }
    }

    fn of(&self, kernel: &'a routine::Kernel) -> Rc<Kernel> {
        let known = self.known.borrow().get(kernel).cloned();
        known.unwrap_or_else(|| {
            let new = Rc::new(self.scheduled(kernel));
            self.known.borrow_mut().insert(kernel, Rc::clone(&new));
            new
        })
    }

    fn scheduled(&self, kernel: &routine::Kernel) -> Kernel {
        let own = self.name_leaves(kernel);
        let roots: Vec<Root> = kernel.roots.iter().copied().map(Root::Output).collect_vec();
        let pivots = kernel.writes.iter().zip(&kernel.roots);
        let names: Vec<(ExprId, String)> = pivots
            .filter(|(write, _)| matches!(write, Write::Pivot(..)))
            .map(|(_, &pivot)| (pivot, "pivot".to_owned()))
            .collect_vec();
        let spelled = |symbol: SymbolId| {
            let own = own.get(&symbol).cloned();
            own.unwrap_or_else(|| (self.leaves)(symbol))
        };
        let program = schedule::schedule(&self.model.graph, &roots, &names, &spelled);
        let read = program.inputs.iter();
        let leaves = read.filter_map(|symbol| Some((*symbol, local(own.get(symbol)?))));
        Kernel {
            leaves: leaves.collect(),
            program,
        }
    }
}

impl Kernels<'_, '_> {
    /// `bead_x`, and `bead_x_2` for the second leaf of that name.
    fn name_leaves(&self, kernel: &routine::Kernel) -> Map<SymbolId, String> {
        let mut names: Vec<String> = Vec::with_capacity(kernel.reads.len());
        for (symbol, ..) in &kernel.reads {
            let wanted = self.wanted(*symbol);
            let (mut name, mut number) = (wanted.to_string(), 1);
            while names.contains(&name) || self.reserved.contains(&name) {
                number += 1;
                name = format!("{wanted}_{number}");
            }
            names.push(name);
        }
        let symbols = kernel.reads.iter().map(|&(symbol, ..)| symbol);
        symbols.zip(names).collect()
    }

    /// `bead_x` for `bead[5].x`, cached for all kernels.
    fn wanted(&self, symbol: SymbolId) -> Rc<str> {
        let mut wanted = self.wanted.borrow_mut();
        let wanted = wanted.entry(symbol).or_insert_with(|| {
            let leaf = &self.model.symbols[symbol.index()];
            match leaf.role {
                Role::Number(_) => NUMBER.into(),
                _ => snake(&without_index(&leaf.name)).into(),
            }
        });
        Rc::clone(wanted)
    }
}

impl<'a> Loops<'a> {
    /// The loops of a routine of a system in loops.
    pub fn new(rolled: &'a Rolled, routine: &'a Routine, kernels: &Kernels<'a, '_>) -> Loops<'a> {
        Loops {
            kernels: routine
                .kernels
                .iter()
                .map(|it| kernels.of(it))
                .collect_vec(),
            routine,
            lower: rolled.lower,
            panels: rolled
                .panels
                .as_ref()
                .filter(|_| routine.steps().next().is_some()),
        }
    }

    /// The loops of a routine without unknowns.
    pub fn of_each(routine: &'a Routine, kernels: &Kernels<'a, '_>) -> Loops<'a> {
        Loops {
            kernels: routine
                .kernels
                .iter()
                .map(|it| kernels.of(it))
                .collect_vec(),
            routine,
            lower: 0,
            panels: None,
        }
    }

    /// The cost of all rounds.
    pub fn cost(&self) -> OperationCount {
        let mut total = OperationCount::default();
        for it in &self.routine.loops {
            for (kernel, _) in &it.body {
                let count = self.kernels[*kernel].program.count;
                total = total + count.times(it.rounds * self.times(it));
            }
            if let (Some(step), Some(panels)) = (it.step, self.panels) {
                total = total + solving(panels, Solve::of(step)).times(self.times(it));
            }
        }
        total
    }

    /// Number of rounds of a loop.
    pub fn times(&self, it: &Loop) -> usize {
        if it.per_column {
            self.routine.columns
        } else {
            1
        }
    }

    /// The arrays that are read or written, in order.
    pub fn arrays(&self) -> SortedSet<Array> {
        let mut arrays = SortedSet::new();
        for (kernel, ready) in self.routine.kernels.iter().zip(&self.kernels) {
            let read = kernel.reads.iter();
            let read = read.filter(|read| ready.leaves.contains_key(&read.0));
            arrays.extend(read.map(|read| read.1));
            arrays.extend(kernel.writes.iter().filter_map(|write| write.target()));
        }
        if self.panels.is_some() {
            arrays.insert(Array::Scales);
        }
        arrays.extend(self.unknowns());
        arrays
    }

    /// The arrays that panels solve for.
    pub fn unknowns(&self) -> impl Iterator<Item = Array> {
        let steps = self.routine.steps();
        steps.filter_map(|step| Solve::of(step).unknowns())
    }

    /// The roles of all arguments that the function reads: as leaves or from arrays.
    pub fn roles_given(&self, symbols: &[Symbol]) -> Set<Role> {
        let mut read = self.roles_read(symbols);
        read.extend(self.arrays().into_iter().filter_map(role));
        read
    }

    /// The roles of leaves that are not read from arrays.
    pub fn roles_read(&self, symbols: &[Symbol]) -> Set<Role> {
        let others = self.kernels.iter().flat_map(|kernel| {
            let inputs = kernel.program.inputs.iter();
            let outside = inputs.filter(|symbol| !kernel.leaves.contains_key(*symbol));
            outside.map(|symbol| symbols[symbol.index()].role)
        });
        others.collect()
    }
}

/// Operations of a step, zeros and padding included.
fn solving(panels: &Panels, step: Solve) -> OperationCount {
    let of = |n: usize, [add, sub, mul, div]: [u32; 4]| {
        let each = OperationCount {
            add,
            sub,
            mul,
            div,
            ..OperationCount::default()
        };
        each.times(n)
    };
    let [count, below] = [panels.rows.len(), panels.blocks() - panels.rows.len()];
    // Per panel and per block: both sides.
    let sides = of(count, [0, 12, 16, 0]) + of(below, [20, 12, 32, 0]);
    match step {
        Solve::Clear => OperationCount::default(),
        Solve::Same | Solve::Beside => sides,
        // Per panel the diagonal; per block its lines, scaled, and the column of products.
        Solve::First => {
            let diagonal = of(count, [0, 14, 16, 4]);
            let lines = of(below, [0, 24, 56, 0]);
            sides + diagonal + lines + of(panels.products(), [0, 64, 64, 0])
        }
    }
}

fn without_index(name: &str) -> String {
    match (name.find('['), name.find(']')) {
        (Some(open), Some(close)) => format!("{}{}", &name[..open], &name[close + 1..]),
        _ => name.to_owned(),
    }
}
