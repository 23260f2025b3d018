//! What the statements of a program bind.

use constraint_symbolic::schedule::{Program, Statement, ValueId};

/// Names with values that statements bind, in order.
pub fn bound(program: &Program) -> Vec<(&str, ValueId)> {
    let mut bound = Vec::new();
    for statement in &program.statements {
        match statement {
            Statement::Let { value, name } => bound.push((&name[..], *value)),
            Statement::SinCos { sine, cosine, .. } => {
                bound.extend([(&sine.1[..], sine.0), (&cosine.1[..], cosine.0)]);
            }
            Statement::Guard(_) => {}
        }
    }
    bound
}
