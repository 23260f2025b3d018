//! The places at which results are not finite, in words.

use crate::expr::{CollectVec, ExprId, SymbolId};
use crate::formula::printed::Printed;
use crate::formula::{Equation, listing};
use crate::model::Model;
use crate::system::Derived;
use crate::undefined::{Origin, Place, Undefined};

/// The operations of a formula that is still read.
const BUDGET: usize = 40;

/// `x^2 + y^2 = 0 is a corner of the forces`, `x > 0 does not hold in constraint `rope``, of a system
pub fn named_places(derived: &Derived) -> Vec<(Place, String)> {
    let rows = &derived.system.rows;
    let row = |row: usize| format!("constraint `{}`", rows[row]);
    named(&derived.system.model, &derived.undefined, &row)
}

/// The same of a constraint or a curve; rows are named by `row`.
pub fn named(
    model: &Model,
    undefined: &Undefined,
    row: &dyn Fn(usize) -> String,
) -> Vec<(Place, String)> {
    let printed = Printed::new(model);
    let named = undefined.0.iter().map(|found| {
        let origin = match found.origin {
            Origin::Motion => "the forces".to_owned(),
            Origin::Row(number) => row(number),
            Origin::Outputs => "the outputs".to_owned(),
            Origin::Side => "a constraint of one side".to_owned(),
            Origin::Curve => "the curve".to_owned(),
        };
        let text = formula(model, &printed, found.place.at());
        let text = match found.place {
            Place::Zero(_) => format!("{text} = 0 is a corner of {origin}"),
            Place::End(_) => format!("{text} > 0 does not hold in {origin}"),
        };
        (found.place, text)
    });
    named.collect_vec()
}

/// The name of a row of a constraint that has so many.
pub fn numbered(rows: usize) -> impl Fn(usize) -> String {
    move |row| match rows {
        1 => "the constraint".to_owned(),
        _ => format!("row {row} of the constraint"),
    }
}

fn formula(model: &Model, printed: &Printed, root: ExprId) -> String {
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let names = printed.names(model);
    let listing = listing::list(&model.graph, &symbol, &names, &[root], BUDGET);
    Equation::new(String::new(), listing.results, 0).formula
}
