//! Least squares: A x = b where rows of the symmetric A may follow from each other.
//!
//! x, which is b, becomes the x of least Σ a_ii x_i² among those that bring A x nearest to b, as the Rust runtime finds it:
//! A, scaled to a diagonal of ones, is turned into a diagonal matrix by rotations, which `vectors` gathers. Column by
//! column. The pseudo-inverse gives these x for every b.

use super::expression::{argument, changing, compared, number, own, select, sqrt};
use super::integer::counter;
use super::procedure::{array, constant, only_if, parameters, rounds, variable};
use super::{ArrayElement, ParameterType, Procedure, Rounds, Statement};
use crate::expr::Comparison::{Eq, Gt, Lt};
use crate::expr::MapEach;

/// The name of the function that finds x.
pub const LEAST_SQUARES: &str = "least_squares";
/// The name of the one that finds the pseudo-inverse.
pub const PSEUDO_INVERSE: &str = "pseudo_inverse";

/// No matrix needs more sweeps of rotations.
const SWEEPS: usize = 40;

/// The function of m rows, in numbers whose last digit is `epsilon`.
pub fn least_squares(m: usize, epsilon: f64) -> Procedure<'static> {
    let about = "x, which is b, becomes the x of least sum of a_ii x_i^2 among those that bring A x nearest to b:";
    procedure(LEAST_SQUARES, about, [m, 1], epsilon, Vec::new())
}

/// The same of every unit vector b.
pub fn pseudo_inverse(m: usize, epsilon: f64) -> Procedure<'static> {
    let about = "Column i of x becomes the x of least sum of a_ii x_i^2 among those that bring A x nearest to unit vector i:";
    let zero = argument("x").at(counter("i")).set(0.0);
    let one = argument("x").at((m + 1) * counter("i")).set(1.0);
    let identity = vec![rounds("i", m * m, [zero]), rounds("i", m, [one])];
    procedure(PSEUDO_INVERSE, about, [m, m], epsilon, identity)
}

fn procedure(
    name: &'static str,
    about: &str,
    [m, columns]: [usize; 2],
    epsilon: f64,
    begin: Vec<Statement<'static>>,
) -> Procedure<'static> {
    let limit = epsilon * m as f64;
    // Lines for readers of the text.
    let how = "A, scaled to a diagonal of ones, is turned into a diagonal matrix by rotations, which `vectors` gathers.";
    let about = [about, how].map(|it| Statement::Comment(it.to_owned()));
    Procedure {
        name,
        parameters: parameters([
            ("a", ParameterType::Changed(m * m)),
            ("vectors", ParameterType::Changed(m * m)),
            ("x", ParameterType::Changed(m * columns)),
        ]),
        gives: None,
        body: [
            about.into(),
            begin,
            scaled(m),
            vec![diagonal(m, limit * limit)],
            inverted(m, epsilon.sqrt()),
            solutions(m, columns),
        ]
        .concat(),
    }
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

/// The pseudo-inverse of A in terms of its eigenvectors, to first order in what is left off the diagonal.
fn inverted(m: usize, root: f64) -> Vec<Statement<'static>> {
    let inverse = |i| own("inverse").at(counter(i));
    let greater = only_if(
        compared(pivot(m, "i"), Gt, number("greatest")),
        [changing("greatest").set(pivot(m, "i"))],
    );
    // Rows that follow from others have eigenvalues of about zero.
    let is_independent = compared(pivot(m, "i"), Gt, number("greatest") * root);
    let set = only_if(is_independent, [inverse("i").set(1.0 / pivot(m, "i"))]);
    let n = number;
    let squares = inverse("i") * inverse("i") + inverse("j") * inverse("j");
    let factor = select(compared(n("both"), Eq, 0.0), squares, -n("both"));
    let entry = [
        constant("both", inverse("i") * inverse("j")),
        a(m, "j", "i").set(a(m, "j", "i") * factor),
    ];
    let column = [rounds("i", m, entry), pivot(m, "j").set(inverse("j"))];
    vec![
        array("inverse", m),
        variable("greatest", 0.0),
        rounds("i", m, [greater]),
        rounds("i", m, [inverse("i").set(0.0), set]),
        rounds("j", m, column),
    ]
}

/// x of each column of b.
fn solutions(m: usize, columns: usize) -> Vec<Statement<'static>> {
    let x = |i| argument("x").at(m * counter("column") + counter(i));
    let scale = |i| own("scale").at(counter(i));
    let [right, along] = ["right", "along"].map_each(|it| move |i| own(it).at(counter(i)));
    let product = right("i").increase(vectors(m, "i", "k") * (x("k") * scale("k")));
    let divided = along("i").increase(a(m, "k", "i") * right("k"));
    let sum = x("i").increase(vectors(m, "k", "i") * along("k"));
    let scaled = x("i").set(x("i") * scale("i"));
    let column = [
        rounds("i", m, [right("i").set(0.0), rounds("k", m, [product])]),
        rounds("i", m, [along("i").set(0.0), rounds("k", m, [divided])]),
        rounds("i", m, [x("i").set(0.0), rounds("k", m, [sum]), scaled]),
    ];
    vec![
        array("right", m),
        array("along", m),
        rounds("column", columns, column),
    ]
}
