//! Outputs: multipliers and accelerations.

use crate::diagnostic::spelling::closest;
use crate::diagnostic::wording::helped;
use crate::diagnostic::{Diagnostic, SourceRange};

messages! {
    /// `force p: multiplier(rod)*u;`
    solved_for(name: &str): "`{name}` is known only after the equations are solved" =>
        "use it in an `output`";
    /// `output a = acceleration(velocity(p));`
    no_acceleration(found: &str): "{found} has no acceleration here" =>
        "write `acceleration` of a position, an expression of coordinates, parameters and `t`";
    /// `output pull = multiplier(norm(p));`
    multiplier_of_no_name: "a multiplier belongs to a constraint" =>
        "write the constraint's name, as in `multiplier(link[3])`";
    /// `output pull = multiplier(weld);` of five rows
    multiplier_of_many(name: &str, rows: usize): "`{name}` has {rows} rows" =>
        "write the number of one, as in `multiplier({name}[0])`, or `output load[k in 0..{rows}] = multiplier({name}[k]);` for all";
    /// `output pull[0] = …; output pull[2] = …;`
    output_out_of_order(name: &str): "the elements of `{name}` must be in order, without gaps" =>
        "write them in a `for`, with the last index varying fastest, or use another name";
}

/// `output pull = multiplier(lnik[3]);`
pub fn no_such_constraint(range: SourceRange, name: &str, known: &[&str]) -> Diagnostic {
    let help = match closest(name, known) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            "write the name of a constraint declared before this line, with its indices".to_owned()
        }
    };
    helped(
        range,
        format!("no constraint `{name}` is declared before this line"),
        help,
    )
}
