//! Functions of every system that call its own ones: a step, M and h.

use super::text::routine;
use super::{Exported, Language, LeftOut, Reason, on_stack};
use crate::code::step::Stepped;
use crate::code::{Procedure, products};
use crate::expr::PushEach;

/// M and h, then the step with what it calls: their texts, and the names of these three as far as they are printed. One that
/// cannot be printed is left out.
pub fn routines(
    of: &Stepped,
    language: &dyn Language,
    exported: &mut Exported,
) -> (Vec<String>, Vec<&'static str>) {
    let (coordinates, velocities) = (of.coordinates, of.velocities);
    let all = [
        vec![products::mass_matrix(coordinates, velocities)],
        vec![products::applied(
            "inverse_dynamics",
            coordinates,
            velocities,
        )],
        of.routines(),
    ];
    let (mut texts, mut names) = (Vec::new(), Vec::new());
    for routines in all {
        let reason = routines.iter().find_map(|it| missing(it, exported));
        let name = routines.last().map_or("", |it| it.name);
        match reason {
            None => {
                texts.push_each(routines.iter().map(|it| routine(language, it)));
                names.push(name);
            }
            Some(reason) => exported.left_out.push(LeftOut {
                function: name,
                reason,
            }),
        }
    }
    (texts, names)
}

/// Why it cannot be printed: a function that it uses is left out, or its arrays are too large for a stack.
fn missing(routine: &Procedure<'_>, exported: &Exported) -> Option<Reason> {
    let used = routine.uses();
    let mut left_out = exported.left_out.iter();
    let missing = left_out.find(|it| used.contains(&it.function));
    let reason = missing.map(|it| it.reason);
    reason.or_else(|| on_stack(routine.room()).err())
}
