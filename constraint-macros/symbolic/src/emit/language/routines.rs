//! Functions of every system that call its own ones: a step, M and h.

use super::text::routine;
use super::{Exported, Language, LeftOut, Reason, on_stack};
use crate::code::step::Stepped;
use crate::code::{Procedure, products};

/// M and h, then the step with what it calls; whether there is a step. One that cannot be printed is left out.
pub fn routines(
    of: &Stepped,
    language: &dyn Language,
    exported: &mut Exported,
) -> (Vec<String>, bool) {
    let (coordinates, velocities) = (of.coordinates, of.velocities);
    let names = ["inverse_dynamics", "unconstrained_inverse_dynamics"];
    let known = |it: &&str| exported.functions.contains_key(*it);
    let function = names.into_iter().find(known).unwrap_or(names[0]);
    let all = [
        vec![products::mass_matrix(coordinates, velocities)],
        vec![products::applied(function, coordinates, velocities)],
        of.routines(),
    ];
    let mut texts = Vec::new();
    let mut has_step = false;
    for routines in all {
        let reason = routines.iter().find_map(|it| missing(it, exported));
        // The step is the last of all.
        has_step = reason.is_none();
        match reason {
            None => texts.extend(routines.iter().map(|it| routine(language, it))),
            Some(reason) => exported.left_out.push(LeftOut {
                function: routines.last().map_or("", |it| it.name),
                reason,
            }),
        }
    }
    (texts, has_step)
}

/// Why it cannot be printed: a function that it uses is left out, or its arrays are too large for a stack.
fn missing(routine: &Procedure<'_>, exported: &Exported) -> Option<Reason> {
    let used = routine.uses();
    let mut left_out = exported.left_out.iter();
    let missing = left_out.find(|it| used.contains(&it.function));
    let reason = missing.map(|it| it.reason);
    reason.or_else(|| on_stack(routine.room()).err())
}
