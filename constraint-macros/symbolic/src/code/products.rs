//! M and h by other functions: M by its products with unit vectors, h by M a − h at a = 0.

use super::expression::{Vector, number, own};
use super::integer::counter;
use super::procedure::{parameters, rounds};
use super::{Handed, ParameterType, Procedure, Statement};

/// M with all its zeros, column by column.
pub fn mass_matrix(coordinates: usize, velocities: usize) -> Procedure<'static> {
    let n = velocities;
    let unit = |k: &'static str| own("a").at(counter(k));
    let column = Statement::Given {
        name: "column".into(),
        function: "mass_times",
        arguments: vec![
            Handed::Number(number("t")),
            Handed::Argument("q".into()),
            Handed::Array("a".into()),
        ],
        length: n,
    };
    let entry = Vector::Result.at(n * counter("i") + counter("k"));
    let copied = entry.set(own("column").at(counter("i")));
    let columns = [
        unit("k").set(1.0),
        column,
        rounds("i", n, [copied]),
        unit("k").set(0.0),
    ];
    Procedure {
        name: "mass_matrix",
        parameters: parameters([
            ("", ParameterType::Own),
            ("t", ParameterType::Number),
            ("q", ParameterType::Vector(coordinates)),
        ]),
        gives: Some(vec![n, n]),
        body: vec![
            Statement::Array("a".into(), n, true),
            rounds("k", n, columns),
        ],
    }
}

/// h = −(M a − h) at a = 0, of the function that gives M a − h.
pub fn applied(
    function: &'static str,
    coordinates: usize,
    velocities: usize,
) -> Procedure<'static> {
    let n = velocities;
    let rest = Statement::Given {
        name: "missing".into(),
        function,
        arguments: vec![
            Handed::Number(number("t")),
            Handed::Argument("q".into()),
            Handed::Argument("v".into()),
            Handed::Array("a".into()),
        ],
        length: n,
    };
    let negative = Vector::Result.at(counter("j"));
    let negative = negative.set(-super::Expression::from(own("missing").at(counter("j"))));
    Procedure {
        name: "applied",
        parameters: parameters([
            ("", ParameterType::Own),
            ("t", ParameterType::Number),
            ("q", ParameterType::Vector(coordinates)),
            ("v", ParameterType::Vector(n)),
        ]),
        gives: Some(vec![n]),
        body: vec![
            Statement::Array("a".into(), n, true),
            rest,
            rounds("j", n, [negative]),
        ],
    }
}
