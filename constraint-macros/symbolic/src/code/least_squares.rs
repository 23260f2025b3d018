//! Least squares: A x = b where rows of the symmetric A may follow from each other.
//!
//! x, which is b, becomes the x of least Σ a_ii x_i² among those that bring A x nearest to b, as the Rust runtime finds it:
//! A, scaled to a diagonal of ones, is turned into a diagonal matrix by rotations, which `vectors` gathers. Column by
//! column.

use super::expression::{argument, changing, compared, number, own, select, sqrt};
use super::integer::counter;
use super::procedure::{array, constant, only_if, parameters, rounds, variable};
use super::{ArrayElement, ParameterType, Procedure, Rounds, Statement};
use crate::expr::Comparison::{Eq, Gt, Lt};

/// The name of the function.
pub const LEAST_SQUARES: &str = "least_squares";

/// No matrix needs more sweeps of rotations.
const SWEEPS: usize = 40;

/// The function of m rows, in numbers whose last digit is `epsilon`.
pub fn least_squares(m: usize, epsilon: f64) -> Procedure<'static> {
    let limit = epsilon * m as f64;
    let [first, second] = [scaled(m), solution(m, epsilon.sqrt())];
    Procedure {
        name: LEAST_SQUARES,
        parameters: parameters([
            ("a", ParameterType::Changed(m * m)),
            ("vectors", ParameterType::Changed(m * m)),
            ("x", ParameterType::Changed(m)),
        ]),
        gives: None,
        body: [about(), first, vec![diagonal(m, limit * limit)], second].concat(),
    }
}

/// Lines for readers of the text.
fn about() -> Vec<Statement<'static>> {
    let lines = [
        "x, which is b, becomes the x of least sum of a_ii x_i^2 among those that bring A x nearest to b:",
        "A, scaled to a diagonal of ones, is turned into a diagonal matrix by rotations, which `vectors` gathers.",
    ];
    lines.map(|it| Statement::Comment(it.to_owned())).into()
}

/// An entry of A, by column and row.
fn a(m: usize, column: &'static str, row: &'static str) -> ArrayElement {
    argument("a").at(m * counter(column) + counter(row))
}

/// An entry of the matrix of eigenvectors, by column and row.
fn vectors(m: usize, column: &'static str, row: &'static str) -> ArrayElement {
    argument("vectors").at(m * counter(column) + counter(row))
}

/// An entry on the diagonal of A.
fn pivot(m: usize, i: &'static str) -> ArrayElement {
    argument("a").at((m + 1) * counter(i))
}

/// A with a diagonal of ones, and the identity.
fn scaled(m: usize) -> Vec<Statement<'static>> {
    let scale = |i| own("scale").at(counter(i));
    let set = only_if(
        compared(pivot(m, "i"), Gt, 0.0),
        [scale("i").set(1.0 / sqrt(pivot(m, "i")))],
    );
    let entries = [
        a(m, "j", "i").set(a(m, "j", "i") * scale("i") * scale("j")),
        vectors(m, "j", "i").set(0.0),
    ];
    let one = argument("vectors").at((m + 1) * counter("j")).set(1.0);
    vec![
        array("scale", m),
        array("along", m),
        rounds("i", m, [scale("i").set(0.0), set]),
        rounds("j", m, [rounds("i", m, entries), one]),
    ]
}

/// Sweeps of rotations, until the squares of what is left off the diagonal are below a limit.
fn diagonal(m: usize, limit: f64) -> Statement<'static> {
    let square = changing("left").increase(a(m, "j", "i") * a(m, "j", "i"));
    let pairs = Rounds {
        first: (counter("p") + 1).into(),
        ..Rounds::up_to("q", m)
    };
    let rotations = rounds("p", m, [Statement::Rounds(pairs, rotation(m))]);
    let sweep = [
        variable("left", 0.0),
        rounds("j", m, [rounds("i", counter("j"), [square])]),
        only_if(compared(number("left"), Gt, limit), [rotations]),
    ];
    rounds("sweep", SWEEPS, sweep)
}

/// A rotation that takes the entry of p and q away.
fn rotation(m: usize) -> Vec<Statement<'static>> {
    let n = number;
    let turned = |[x, y]: [&'static str; 2], p: ArrayElement, q: ArrayElement| {
        [
            constant(x, p.clone()),
            constant(y, q.clone()),
            p.set(n("cosine") * n(x) - n("sine") * n(y)),
            q.set(n("sine") * n(x) + n("cosine") * n(y)),
        ]
    };
    let columns = [
        turned(["x0", "x1"], a(m, "p", "k"), a(m, "q", "k")),
        turned(["y0", "y1"], vectors(m, "p", "k"), vectors(m, "q", "k")),
    ];
    let rows = turned(["z0", "z1"], a(m, "k", "p"), a(m, "k", "q"));
    let squares = n("difference") * n("difference") + n("twice") * n("twice");
    let length = select(
        compared(n("difference"), Lt, 0.0),
        -n("hypotenuse"),
        n("hypotenuse"),
    );
    // Where both are 0, nothing is turned.
    let tangent = select(
        compared(n("divisor"), Eq, 0.0),
        0.0,
        n("twice") / n("divisor"),
    );
    vec![
        constant("difference", pivot(m, "q") - pivot(m, "p")),
        constant("twice", 2.0 * a(m, "q", "p")),
        constant("hypotenuse", sqrt(squares)),
        constant("divisor", n("difference") + length),
        constant("tangent", tangent),
        constant("cosine", 1.0 / sqrt(1.0 + n("tangent") * n("tangent"))),
        constant("sine", n("tangent") * n("cosine")),
        Statement::Rounds(Rounds::up_to("k", m), columns.concat()),
        rounds("k", m, rows),
    ]
}

/// x of the eigenvectors whose eigenvalues are not those of rows that follow from others.
fn solution(m: usize, root: f64) -> Vec<Statement<'static>> {
    let x = |i| argument("x").at(counter(i));
    let scale = |i| own("scale").at(counter(i));
    let along = |i| own("along").at(counter(i));
    let greater = only_if(
        compared(pivot(m, "i"), Gt, number("greatest")),
        [changing("greatest").set(pivot(m, "i"))],
    );
    let product = along("i").increase(vectors(m, "i", "k") * (x("k") * scale("k")));
    let divided = along("i").set(along("i") / pivot(m, "i"));
    let is_independent = compared(pivot(m, "i"), Gt, number("greatest") * root);
    let coefficient = only_if(is_independent, [rounds("k", m, [product]), divided]);
    let sum = x("i").increase(vectors(m, "k", "i") * along("k"));
    let scaled = x("i").set(x("i") * scale("i"));
    vec![
        variable("greatest", 0.0),
        rounds("i", m, [greater]),
        rounds("i", m, [along("i").set(0.0), coefficient]),
        rounds("i", m, [x("i").set(0.0), rounds("k", m, [sum]), scaled]),
    ]
}
