//! Programs with one fault each: another operator, operand, sign or number, a term left out, branches exchanged.

use constraint_symbolic::expr::{ExprId, Function as Of, Node, Number, SymbolId};
use std::rc::Rc;

use constraint_symbolic::function::Body;
use constraint_symbolic::function::loops::Kernel;
use constraint_symbolic::interpret::{Given, Interpreter};
use constraint_symbolic::model::Model;
use constraint_symbolic::schedule::{Op, Program, ValueId};
use constraint_symbolic::system::loops::routine::Routine;

use super::grammar::Random;
use super::{Listed, Tree};

/// What a value may be instead.
fn instead(program: &Program, at: usize) -> Vec<Op> {
    let op = &program.values[at];
    let mut found = Vec::new();
    // An operand before or behind it, as far as it is computed by then.
    let near = |id: ValueId, to: &mut Vec<ValueId>| {
        let place = id.index();
        let ids = program.values.iter().flat_map(|op| {
            let mut ids = Vec::new();
            op.for_each_operand(|id| ids.push(id));
            ids
        });
        to.extend(
            ids.filter(|it| it.index() < at && it.index().abs_diff(place) == 1)
                .take(1),
        );
    };
    let mut binary = |a: ValueId,
                      b: ValueId,
                      others: [fn(ValueId, ValueId) -> Op; 2],
                      own: fn(ValueId, ValueId) -> Op| {
        found.extend(others.map(|other| other(a, b)));
        let (mut first, mut second) = (Vec::new(), Vec::new());
        near(a, &mut first);
        near(b, &mut second);
        found.extend(first.into_iter().map(|a| own(a, b)));
        found.extend(second.into_iter().map(|b| own(a, b)));
    };
    match op {
        Op::Add(a, b) => binary(*a, *b, [Op::Sub, Op::Mul], Op::Add),
        Op::Sub(a, b) => {
            binary(*a, *b, [Op::Add, Op::Div], Op::Sub);
            found.push(Op::Sub(*b, *a));
        }
        Op::Mul(a, b) => binary(*a, *b, [Op::Add, Op::Div], Op::Mul),
        Op::Div(a, b) => {
            binary(*a, *b, [Op::Mul, Op::Sub], Op::Div);
            found.push(Op::Div(*b, *a));
        }
        Op::Recip(a) => found.push(Op::Neg(*a)),
        Op::Neg(a) => found.push(Op::Recip(*a)),
        Op::Number(number) => {
            found.push(Op::Number(-*number));
            found.push(Op::Number(*number + Number::ONE));
        }
        Op::Select(condition, a, b) => {
            found.push(Op::Select(*condition, *b, *a));
            let others = conditions(program, at).filter(|it| it != condition);
            found.extend(others.map(|other| Op::Select(other, *a, *b)));
        }
        Op::Compare(comparison, a, b) => {
            found.push(Op::Compare(*comparison, *b, *a));
            let (mut first, mut second) = (Vec::new(), Vec::new());
            near(*a, &mut first);
            near(*b, &mut second);
            found.extend(first.into_iter().map(|a| Op::Compare(*comparison, a, *b)));
            found.extend(second.into_iter().map(|b| Op::Compare(*comparison, *a, b)));
        }
        Op::And(a, b) => found.extend([Op::Or(*a, *b), Op::And(*a, *a), Op::And(*b, *b)]),
        Op::Or(a, b) => found.extend([Op::And(*a, *b), Op::Or(*a, *a), Op::Or(*b, *b)]),
        Op::Not(a) => found.push(Op::And(*a, *a)),
        Op::Call(function, arguments) => {
            let other = match function {
                Of::Sin => Some(Of::Cos),
                Of::Cos => Some(Of::Sin),
                Of::Min => Some(Of::Max),
                Of::Max => Some(Of::Min),
                Of::Sqrt => Some(Of::Abs),
                Of::Exp => Some(Of::ExpM1),
                Of::Abs => Some(Of::Signum),
                _ => None,
            };
            found.extend(other.map(|it| Op::Call(it, arguments.clone())));
        }
        _ => {}
    }
    // A term left out.
    if let Op::Add(a, b) | Op::Sub(a, b) = op {
        let number = |id: &ValueId| program.values[id.index()].clone();
        found.extend([a, b].map(number));
    }
    found
}

/// The conditions before a value.
fn conditions(program: &Program, at: usize) -> impl Iterator<Item = ValueId> {
    let selects = program.values.iter().filter_map(|op| match op {
        Op::Select(condition, ..) => Some(*condition),
        Op::And(a, _) | Op::Or(_, a) => Some(*a),
        _ => None,
    });
    selects.filter(move |it| it.index() < at)
}

/// Whether two programs differ at random places, outputs that are judged by guards alone left out. Turns of bodies are
/// unit numbers: |R u|² is |u|² for no others.
fn differ(a: &Program, b: &Program, judged: usize, turns: &[Vec<SymbolId>]) -> bool {
    let values = |program: &Program, round: u64, beside: u64| {
        let drawn = |symbol: SymbolId| {
            drawn(round, symbol) * near_one(beside, round * 1_000 + symbol.index() as u64)
        };
        let leaf = |symbol: SymbolId| {
            let turn = turns.iter().find(|it| it.contains(&symbol));
            let squares = turn.map_or(1.0, |it| it.iter().map(|&it| drawn(it).powi(2)).sum());
            drawn(symbol) / squares.sqrt()
        };
        program.evaluate(leaf).split_off(judged)
    };
    (0..40).any(|round| are_far(&|beside| [a, b].map(|it| values(it, round, beside))))
}

/// Of some rounds all positive, of the others of both signs.
fn drawn(round: u64, symbol: SymbolId) -> f64 {
    let mut random = Random(round * 1_000 + symbol.index() as u64);
    random.below(2);
    let sign = if round.is_multiple_of(2) { 1.0 } else { -1.0 };
    let value = 0.1 + random.below(1_000_000) as f64 / 9e5;
    if random.below(2) == 0 {
        value
    } else {
        sign * value
    }
}

/// The leaves of each body's rotation.
fn turns(model: &Model) -> Vec<Vec<SymbolId>> {
    let symbol = |&id: &ExprId| match *model.graph.node(id) {
        Node::Symbol(symbol) => Some(symbol),
        _ => None,
    };
    let bodies = model.bodies.iter();
    let turns = bodies.map(|it| it.rotation.iter().filter_map(symbol).collect());
    turns.collect()
}

/// 1, and numbers within 1e-13 of it.
fn near_one(beside: u64, number: u64) -> f64 {
    if beside == 0 {
        return 1.0;
    }
    let mut random = Random(beside << 40 | number);
    random.below(2);
    1.0 + 1e-13 * (random.below(2_001) as f64 / 1e3 - 1.0)
}

/// Whether two lists of values differ by more than rounding: their difference stays what it is at places close by. That
/// of a formula does; what an ill-conditioned elimination leaves of equal ones is another number each time.
fn are_far(both: &dyn Fn(u64) -> [Vec<f64>; 2]) -> bool {
    let [a, b] = both(0);
    if a.len() != b.len() {
        return true;
    }
    let far: Vec<usize> = (0..a.len()).filter(|&i| is_far(a[i], b[i])).collect();
    if far.is_empty() {
        return false;
    }
    let beside: Vec<_> = (1..5).map(both).collect();
    far.into_iter().any(|i| {
        let own = a[i] - b[i];
        beside.iter().all(|[a, b]| {
            let other = a.get(i).zip(b.get(i)).map_or(own, |(a, b)| a - b);
            if own.is_finite() {
                (other - own).abs() < 0.1 * own.abs()
            } else {
                !other.is_finite()
            }
        })
    })
}

/// What is 0 but for rounding is 0, where little cancels.
fn is_far(a: f64, b: f64) -> bool {
    let far = (a - b).abs() > 1e-7 * (a.abs() + b.abs()) + 1e-9;
    far && a.is_finite() || a.is_finite() != b.is_finite()
}

/// What a function in loops gives back at a random place, or beside it: nothing where it refuses.
fn values_of_loops(listed: &Listed, k: usize, round: u64, beside: u64) -> Vec<f64> {
    let Tree::System(_, derived) = &listed.tree else {
        return Vec::new();
    };
    let interpreter = Interpreter::of_system(derived);
    let (system, n) = (&derived.system, derived.system.velocities());
    let mut random = Random(round);
    let mut drawn = 0;
    let mut draw = |count: usize| -> Vec<f64> {
        let one = |_| {
            drawn += 1;
            (0.1 + random.below(1_000_000) as f64 / 9e5) * near_one(beside, drawn)
        };
        (0..count).map(one).collect()
    };
    let given = Given {
        t: 0.7,
        q: &draw(system.scalars()),
        v: &draw(n),
        a: &draw(n),
        b: &draw(derived.rows()),
        parameters: &draw(system.model.varied()),
        inputs: &draw(system.given()),
        tangent: &draw(1 + 2 * n + system.given() + system.model.varied()),
        acceleration_bar: &draw(n),
        multiplier_bar: &draw(derived.rows()),
        correction_bar: &draw(n),
        multipliers: &draw(derived.rows()),
        ..Given::default()
    };
    let found = interpreter.evaluate(&listed.functions[k], &given);
    found.map_or_else(Vec::new, |it| it.values)
}

/// What a function in loops gives back at five places, and at four beside each.
fn in_loops(listed: &Listed, k: usize) -> Vec<Vec<Vec<f64>>> {
    if matches!(listed.functions[k].body, Body::Straight(_)) {
        return Vec::new();
    }
    let round = |round| (0..5).map(move |beside| values_of_loops(listed, k, round, beside));
    (1..6).map(|it| round(it).collect()).collect()
}

/// The programs of a function that mutants are made of.
fn programs(body: &Body<'_>) -> Vec<Program> {
    match body {
        Body::Straight(program) => vec![program.clone()],
        Body::Loops(loops) => loops.kernels.iter().map(|it| it.program.clone()).collect(),
        _ => Vec::new(),
    }
}

fn exchange(body: &mut Body<'_>, number: usize, program: Program) {
    match body {
        Body::Straight(own) => *own = program,
        Body::Loops(loops) => {
            let leaves = loops.kernels[number].leaves.clone();
            loops.kernels[number] = Rc::new(Kernel { program, leaves });
        }
        _ => {}
    }
}

/// How many mutants are found, and how many change nothing; all others are an error. Of each function that is certified
/// so many are tried.
pub fn examine(listed: &mut Listed, most: usize) -> (usize, usize) {
    examine_among(listed, most, |_| true)
}

/// The same of some of them.
pub fn examine_among(
    listed: &mut Listed,
    most: usize,
    is_among: impl Fn(&str) -> bool,
) -> (usize, usize) {
    let (mut found, mut equal) = (0, 0);
    let certified = listed.certificate().expect("no fault").functions;
    let turns = turns(&listed.model);
    for k in 0..listed.functions.len() {
        let name = listed.functions[k].signature.name;
        if !certified.contains(&name) || !is_among(name) {
            continue;
        }
        let programs = programs(&listed.functions[k].body);
        let in_loops = in_loops(listed, k);
        // r′·r′ stands before what is divided by it: an odd count of numbers.
        let judges = name.starts_with("acceleration")
            && matches!(listed.tree, Tree::Curve(_))
            && programs.iter().any(|it| it.outputs.len() % 2 == 0);
        let all = programs.iter().enumerate().flat_map(|(number, program)| {
            (0..program.values.len()).flat_map(move |at| {
                let ops = instead(program, at);
                ops.into_iter().map(move |op| (number, at, op))
            })
        });
        let all: Vec<(usize, usize, Op)> = all.collect();
        let step = all.len().div_ceil(most).max(1);
        for (number, at, op) in all.into_iter().skip(k % step).step_by(step) {
            let program = &programs[number];
            let mut mutant = program.clone();
            let before = std::mem::replace(&mut mutant.values[at], op.clone());
            exchange(&mut listed.functions[k].body, number, mutant.clone());
            let certificate = listed.certificate_with(k);
            let unnoticed = certificate
                .as_ref()
                .is_ok_and(|it| it.functions.contains(&name));
            let changes = unnoticed
                && match &listed.functions[k].body {
                    Body::Straight(_) => differ(program, &mutant, judges.into(), &turns),
                    _ => in_loops.iter().zip(1..).any(|(before, round)| {
                        are_far(&|beside| {
                            let before = before[beside as usize].clone();
                            [before, values_of_loops(listed, k, round, beside)]
                        })
                    }),
                };
            exchange(&mut listed.functions[k].body, number, program.clone());
            match certificate {
                // What is wrong of v̇ and λ together is wrong of each.
                Err(refuted) => {
                    let solved = name == "acceleration_and_multipliers";
                    assert!(refuted.function == name || solved, "{name}: {refuted:?}");
                    found += 1;
                }
                // What has no value anywhere is no longer certified.
                Ok(_) if !unnoticed => found += 1,
                Ok(_) if !changes => equal += 1,
                Ok(it) => panic!("{name}: {before:?} became {op:?}, {it:?}: {program:?}"),
            }
        }
    }
    (found, equal)
}

/// Of each function that is written out: its outputs with two more before them, and without the last.
pub fn of_other_lengths(listed: &mut Listed) {
    let certified = listed.certificate().expect("no fault").functions;
    for k in 0..listed.functions.len() {
        let name = listed.functions[k].signature.name;
        let Body::Straight(program) = &listed.functions[k].body else {
            continue;
        };
        let program = program.clone();
        if !certified.contains(&name) || program.outputs.is_empty() {
            continue;
        }
        let first = program.outputs[0];
        let longer = [&[first, first], &program.outputs[..]].concat();
        let shorter = program.outputs[..program.outputs.len() - 1].to_vec();
        for outputs in [longer, shorter] {
            let mut mutant = program.clone();
            mutant.outputs = outputs;
            exchange(&mut listed.functions[k].body, 0, mutant);
            assert!(listed.certificate_with(k).is_err(), "{name}");
        }
        exchange(&mut listed.functions[k].body, 0, program);
    }
}

/// The routines of a function in loops in which one of them runs the kernel of another, that takes as many indices.
fn exchanged(routine: &Routine) -> Vec<Routine> {
    let mut all = Vec::new();
    for (number, it) in routine.loops.iter().enumerate() {
        for (place, (kernel, indices)) in it.body.iter().enumerate() {
            let others = routine.loops.iter().flat_map(|it| &it.body);
            let mut others: Vec<usize> = others
                .filter(|it| it.0 != *kernel && it.1.len() == indices.len())
                .map(|it| it.0)
                .collect();
            others.sort_unstable();
            others.dedup();
            all.extend(others.into_iter().map(|other| {
                let mut mutant = routine.clone();
                mutant.loops[number].body[place].0 = other;
                mutant
            }));
        }
    }
    all
}

/// The same of functions in loops where a step is another's.
pub fn exchange_steps(
    listed: &mut Listed,
    most: usize,
    is_among: impl Fn(&str) -> bool,
) -> (usize, usize) {
    let (mut found, mut equal) = (0, 0);
    for k in 0..listed.functions.len() {
        let name = listed.functions[k].signature.name;
        let routine = match &listed.functions[k].body {
            Body::Loops(loops) if is_among(name) => loops.routine,
            _ => continue,
        };
        let before = in_loops(listed, k);
        let mutants = exchanged(routine);
        let step = mutants.len().div_ceil(most).max(1);
        for mutant in mutants.into_iter().step_by(step) {
            set_routine(&mut listed.functions[k].body, Box::leak(Box::new(mutant)));
            let certificate = listed.certificate_with(k);
            let changes = || {
                before.iter().zip(1..).any(|(before, round)| {
                    are_far(&|beside| {
                        let before = before[beside as usize].clone();
                        [before, values_of_loops(listed, k, round, beside)]
                    })
                })
            };
            match certificate {
                Err(refuted) => {
                    assert_eq!(refuted.function, name);
                    found += 1;
                }
                Ok(it) if it.functions.contains(&name) => {
                    assert!(!changes(), "{name} is not found to differ");
                    equal += 1;
                }
                Ok(_) => found += 1,
            }
            set_routine(&mut listed.functions[k].body, routine);
        }
    }
    (found, equal)
}

fn set_routine(body: &mut Body<'static>, routine: &'static Routine) {
    if let Body::Loops(loops) = body {
        loops.routine = routine;
    }
}
