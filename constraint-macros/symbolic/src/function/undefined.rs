//! The places at which results are not finite, in words.

use crate::expr::{CollectVec, ExprId, SymbolId};
use crate::formula::printed::Printed;
use crate::formula::{Equation, listing};
use crate::system::{Derived, Origin, Place};

/// The operations of a formula that is still read.
const BUDGET: usize = 40;

/// `x^2 + y^2 = 0 is a corner of the forces`, `x > 0 does not hold in constraint `rope``
pub fn named_places(derived: &Derived) -> Vec<(Place, String)> {
    let printed = Printed::new(&derived.system.model);
    let places = derived.undefined.0.iter();
    let named = places.map(|found| {
        let origin = match found.origin {
            Origin::Motion => "the forces".to_owned(),
            Origin::Row(row) => format!("constraint `{}`", derived.system.rows[row]),
            Origin::Outputs => "the outputs".to_owned(),
        };
        let text = formula(derived, &printed, found.place.at());
        let text = match found.place {
            Place::Zero(_) => format!("{text} = 0 is a corner of {origin}"),
            Place::End(_) => format!("{text} > 0 does not hold in {origin}"),
        };
        (found.place, text)
    });
    named.collect_vec()
}

fn formula(derived: &Derived, printed: &Printed, root: ExprId) -> String {
    let model = &derived.system.model;
    let symbol = |symbol: SymbolId| printed.leaf(model, symbol);
    let names = printed.names(model);
    let listing = listing::list(&model.graph, &symbol, &names, &[root], BUDGET);
    Equation::new(String::new(), listing.results, 0).formula
}
