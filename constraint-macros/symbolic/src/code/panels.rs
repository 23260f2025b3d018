//! The elimination of panels: A x = b by L D Lᵀ in blocks of four by four, as the Rust runtime eliminates.
//!
//! One function makes L and D⁻¹ of A, another A⁻¹ b of b, for as many b as there are. Tables say what is where: by panel the number of its rows and that of the blocks below its
//! diagonal; by block the panel of its rows; by pair of blocks where their product goes, in blocks behind the panel's own.

use crate::expr::{CollectVec, PushEach};
use std::rc::Rc;

use super::expression::{argument, number, own};
use super::integer::counter;
use super::procedure::{array, constant, integer, parameters, rounds, rounds_down, rounds_from};
use super::{
    Affine, ArrayElement, Change, Counter, Expression, ParameterType, Procedure, Rounds, Statement,
    Table,
};
use crate::solve::{Panels, WIDTH};

/// The function that eliminates.
pub const ELIMINATE: &str = "eliminate";
/// The function that solves with what the other leaves.
pub const SUBSTITUTE: &str = "substitute";

/// The tables that it reads: of panels, of blocks, and of pairs of blocks.
pub fn tables(panels: &Panels) -> [Vec<Vec<usize>>; 3] {
    let sizes = panels.rows.iter().zip(&panels.below);
    let sizes = sizes.map(|(rows, below)| vec![rows.len(), below.len()]);
    let single = |values: Vec<usize>| values.into_iter().map(|it| vec![it]).collect_vec();
    let tables = [
        sizes.collect_vec(),
        single(panels.below.concat()),
        single(panels.targets()),
    ];
    // No language has tables without lines.
    tables.map(|lines: Vec<Vec<usize>>| match lines[..] {
        [] => vec![vec![0]],
        _ => lines,
    })
}

/// The function that makes L and D⁻¹ of the matrix.
pub fn eliminate(panels: &Panels, tables: &[Rc<Table>; 3]) -> Procedure<'static> {
    let about = "The blocks of A become L and D^-1 of A = L D L^T, in blocks of four by four.";
    let columns = Rounds::up_to("panel", panels.rows.len());
    Procedure {
        name: ELIMINATE,
        parameters: parameters([("blocks", ParameterType::Changed(panels.entries()))]),
        gives: None,
        body: vec![
            Statement::Comment(about.to_owned()),
            from_zero("begin"),
            from_zero("pair"),
            array("pivot", WIDTH),
            array("scaled", WIDTH * WIDTH),
            Statement::Rounds(columns, column(tables)),
        ],
    }
}

/// The function that makes unknowns of the right-hand side.
pub fn substitute(panels: &Panels, tables: &[Rc<Table>; 3]) -> Procedure<'static> {
    let count = panels.rows.len();
    let about = "x, which is b, becomes A^-1 b, by the L and D^-1 in the blocks.";
    let forward = Statement::Rounds(Rounds::up_to("panel", count), forward(tables));
    Procedure {
        name: SUBSTITUTE,
        parameters: parameters([
            ("blocks", ParameterType::Changed(panels.entries())),
            ("x", ParameterType::Changed(WIDTH * count)),
        ]),
        gives: None,
        body: vec![
            Statement::Comment(about.to_owned()),
            from_zero("begin"),
            from_zero("block"),
            array("other", WIDTH),
            forward,
            rounds_down("panel", count - 1, backward(tables)),
        ],
    }
}

fn from_zero(name: &'static str) -> Statement<'static> {
    Statement::Count(name.into(), 0.into(), true)
}

fn blocks(at: Affine) -> ArrayElement {
    argument("blocks").at(at)
}

fn x(at: Affine) -> ArrayElement {
    argument("x").at(at)
}

/// An entry of the block on the diagonal, by column and row.
fn on_diagonal(column: &'static str, row: &'static str) -> ArrayElement {
    blocks(counter("begin") + 4 * counter(column) + counter(row))
}

/// A pivot, later 1 over it.
fn pivot_of(i: &'static str) -> ArrayElement {
    blocks(counter("begin") + 5 * counter(i))
}

/// The block of a counter below the diagonal.
fn below(i: &'static str) -> Affine {
    counter("begin") + 16 + 16 * counter(i)
}

/// The names of a panel's sizes.
fn sizes([panels, ..]: &[Rc<Table>; 3]) -> [Statement<'static>; 2] {
    [
        Statement::Line("sizes", Rc::clone(panels), counter("panel").into()),
        integer("count", Affine::from(Counter::Column("sizes", 1))),
    ]
}

/// The name of the place where the unknowns of a panel begin.
fn unknowns() -> Statement<'static> {
    integer("z", 4 * counter("panel"))
}

/// The panel of a block's rows.
fn row_of([_, rows, _]: &[Rc<Table>; 3]) -> Statement<'static> {
    let block = counter("block") + counter("i");
    Statement::Line("place", Rc::clone(rows), block.into())
}

/// The entry of a line that has one.
fn place() -> Affine {
    Counter::Column("place", 0).into()
}

/// A panel: L, D, and what later blocks lose.
fn column(tables: &[Rc<Table>; 3]) -> Vec<Statement<'static>> {
    let mut all = sizes(tables).to_vec();
    let blocks = Affine::from(16) + 16 * counter("count");
    all.push(integer("rest", counter("begin") + blocks));
    all.push_each(within());
    all.push_each(scale_below());
    all.push(products(tables));
    let next = counter("rest").into();
    all.push(Statement::Advance("begin".into(), Change::Set, next));
    all
}

/// The right-hand side of a panel, and what later ones lose.
fn forward(tables: &[Rc<Table>; 3]) -> Vec<Statement<'static>> {
    let advance =
        |name: &'static str, by: Affine| Statement::Advance(name.into(), Change::Add, by.into());
    let mut all = sizes(tables).to_vec();
    all.push(unknowns());
    all.push_each(on_right_hand_side(tables));
    all.push(advance("block", counter("count")));
    all.push(advance("begin", Affine::from(16) + 16 * counter("count")));
    all
}

/// The block on the diagonal, its padding first.
fn within() -> [Statement<'static>; 2] {
    let line = |name| blocks(counter("line") + counter(name));
    let padding = rounds_from(
        "c",
        [Counter::Column("sizes", 0).into(), 4.into()],
        1,
        [pivot_of("c").set(1.0)],
    );
    let inner = line("b").decrease(line("a") * on_diagonal("b", "a"));
    let column = rounds(
        "c",
        4,
        [
            integer("line", counter("begin") + 4 * counter("c")),
            rounds("b", counter("c"), [rounds("a", counter("b"), [inner])]),
            rounds(
                "b",
                counter("c"),
                [
                    constant("l", line("b") * pivot_of("b")),
                    line("c").decrease(line("b") * number("l")),
                    line("b").set(number("l")),
                ],
            ),
            own("pivot").at(counter("c")).set(line("c")),
            line("c").set(1.0 / line("c")),
        ],
    );
    [padding, column]
}

/// The unknowns of the panel, and what they take off those of later ones.
fn on_right_hand_side(tables: &[Rc<Table>; 3]) -> Vec<Statement<'static>> {
    let z = |k: usize| x(counter("z") + k);
    let own_rows = x(counter("z") + counter("c"));
    let inner = own_rows.decrease(on_diagonal("c", "b") * x(counter("z") + counter("b")));
    let solved = rounds_from(
        "c",
        [1.into(), 4.into()],
        1,
        [rounds("b", counter("c"), [inner])],
    );
    let names = ["z0", "z1", "z2", "z3"];
    let terms = (0..)
        .zip(names)
        .map(|(k, name)| blocks(counter("line") + k) * number(name));
    let sum = terms.reduce(|sum, term| sum + term).unwrap_or(0.0.into());
    let each = rounds(
        "r",
        4,
        [
            integer("line", below("i") + 4 * counter("r")),
            x(counter("to") + counter("r")).decrease(sum),
        ],
    );
    let names = (0..).zip(names).map(|(k, name)| constant(name, z(k)));
    let taken = [row_of(tables), integer("to", 4 * place()), each];
    let taken = rounds("i", counter("count"), taken);
    [solved]
        .into_iter()
        .chain(names)
        .chain([taken])
        .collect_vec()
}

/// The blocks below the diagonal: L, of which each line is solved for and scaled.
fn scale_below() -> [Statement<'static>; 1] {
    let line = |name| blocks(counter("line") + counter(name));
    let inner = line("c").decrease(on_diagonal("c", "b") * line("b"));
    let solved = rounds_from(
        "c",
        [1.into(), 4.into()],
        1,
        [rounds("b", counter("c"), [inner])],
    );
    let scaled = rounds("c", 4, [line("c").scale(pivot_of("c"))]);
    let lines = [counter("begin") + 16, counter("rest")];
    [rounds_from("line", lines, 4, [solved, scaled])]
}

/// The products of blocks below the diagonal, which later blocks lose.
fn products([.., products]: &[Rc<Table>; 3]) -> Statement<'static> {
    let scaled = |k: Affine| own("scaled").at(k);
    let (c, j, r) = (counter("c"), counter("j"), counter("r"));
    let pivot = own("pivot").at(c);
    let scale = scaled(4 * c + j).set(blocks(counter("right") + 4 * j + c) * pivot);
    let names = ["l0", "l1", "l2", "l3"];
    let at = blocks(counter("to") + r + j);
    let terms = (0..).zip(names);
    let lost = terms.fold(Expression::from(at.clone()), |sum, (k, name)| {
        sum - number(name) * scaled(4 * Affine::from(k) + j)
    });
    let left = |k: usize| blocks(counter("left") + r + k);
    let names = (0..).zip(names).map(|(k, name)| constant(name, left(k)));
    let line: Vec<_> = names.chain([rounds("j", 4, [at.set(lost)])]).collect_vec();
    let lines = Rounds {
        step: 4,
        ..Rounds::up_to("r", 16)
    };
    let pair = [
        Statement::Line("place", Rc::clone(products), counter("pair").into()),
        integer("to", counter("rest") + 16 * place()),
        integer("left", below("i")),
        Statement::Advance("pair".into(), Change::Add, 1.into()),
        Statement::Rounds(lines, line),
    ];
    let column = [
        integer("right", below("column")),
        rounds("c", 4, [rounds("j", 4, [scale])]),
        rounds_from("i", [counter("column"), counter("count")], 1, pair),
    ];
    rounds("column", counter("count"), column)
}

/// Panel after panel from the last: the unknowns.
fn backward(tables: &[Rc<Table>; 3]) -> [Statement<'static>; 8] {
    let own_row = || x(counter("z") + counter("c"));
    let other = || own("other").at(counter("c"));
    let block = |k: usize| blocks(counter("line") + k + counter("c"));
    let later = |k: usize| x(counter("later") + k);
    let [of_sizes, count] = sizes(tables);
    let advance = |name: &'static str, by: Affine| {
        Statement::Advance(name.into(), Change::Subtract, by.into())
    };
    let sums = [
        own_row().decrease(block(0) * later(0) + block(4) * later(1)),
        other().increase(block(8) * later(2) + block(12) * later(3)),
    ];
    let inner = own_row().decrease(on_diagonal("k", "c") * x(counter("z") + counter("k")));
    let column = rounds_from("k", [counter("c") + 1, 4.into()], 1, [inner]);
    [
        of_sizes,
        count,
        unknowns(),
        advance("begin", Affine::from(16) + 16 * counter("count")),
        advance("block", counter("count")),
        rounds("c", 4, [own_row().scale(pivot_of("c")), other().set(0.0)]),
        Statement::Block(vec![
            rounds(
                "i",
                counter("count"),
                [
                    row_of(tables),
                    integer("later", 4 * place()),
                    integer("line", below("i")),
                    rounds("c", 4, sums),
                ],
            ),
            rounds("c", 4, [own_row().decrease(other())]),
        ]),
        rounds_down("c", 3, [column]),
    ]
}
