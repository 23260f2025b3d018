//! The messages of `system!`, as those of the [`catalogue`](super::catalogue).

mod constraint;
mod dependence;
mod force;
mod index;
mod mass;
mod option;
mod output;
mod spline;
mod statement;

pub use self::constraint::*;
pub use self::dependence::*;
pub use self::force::*;
pub use self::index::*;
pub use self::mass::*;
pub use self::option::*;
pub use self::output::*;
pub use self::spline::*;
pub use self::statement::*;
