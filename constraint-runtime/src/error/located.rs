//! Errors with the facts that only callers know: times, rows, names.

use super::{Error, Quantity, Row};
use crate::real::Real;
use crate::system::Constrained;

impl Error {
    /// The same error with the facts that only the caller knows: the time, and the row's name and joint.
    #[cold]
    pub(crate) fn located(mut self, at: f64, describe: impl Fn(usize) -> Row) -> Self {
        if let Self::Singular { time, .. }
        | Self::SingularMass { time, .. }
        | Self::NonFinite { time, .. }
        | Self::OutOfRange { time, .. }
        | Self::Cusp { time, .. }
        | Self::Corner { time, .. }
        | Self::StepSizeUnderflow { time, .. }
        | Self::TooManyRejections { time, .. }
        | Self::TooManySteps { time, .. }
        | Self::KickDiverged { time, .. }
        | Self::NewtonDiverged { time, .. }
        | Self::SingularStep { time, .. }
        | Self::TooManyEvents { time, .. }
        | Self::Penetration { time, .. }
        | Self::Ambiguous { time, .. }
        | Self::Jammed { time, .. }
        | Self::NoRoom { time, .. }
        | Self::EventUndefined { time, .. }
        | Self::EventPole { time, .. }
        | Self::EventUnresolved { time, .. }
        | Self::GrazingEvent { time, .. }
        | Self::GrazingContact { time, .. }
        | Self::ProjectionDiverged { time, .. } = &mut self
        {
            time.get_or_insert(at);
        }
        if let Self::Singular { row, .. }
        | Self::InconsistentPosition { row, .. }
        | Self::InconsistentVelocity { row, .. }
        | Self::UndefinedSlope { row, .. }
        | Self::UnitsOutOfRange { row, .. }
        | Self::UnreachableRow { row, .. }
        | Self::MovingRow { row, .. }
        | Self::JointApart { row, .. }
        | Self::ProjectionDiverged { row, .. } = &mut self
        {
            *row = row.described(describe);
        }
        self
    }

    /// The same error with the names, which only the system knows, and with the time.
    #[cold]
    pub(crate) fn of<T: Real, S: Constrained<T>>(self, system: &S, at: f64) -> Self {
        let mut error = self.located(at, |row| system.describe_row(row));
        if let Self::NonFinite {
            quantity, names, ..
        } = &mut error
        {
            *names = names.or(system.names(*quantity));
        }
        if let Self::SingularStep { names, .. } = &mut error {
            *names = names.or(system.names(Quantity::Velocity));
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Singular;

    #[test]
    fn a_time_once_known_is_kept() {
        let error = Error::from(Singular { row: 0, pivot: 0.0 }).located(1.0, Row::from);
        assert_eq!(error.located(2.0, Row::from), error);
    }

    #[test]
    fn an_error_stays_small() {
        assert!(size_of::<Error>() <= 72, "{}", size_of::<Error>());
        assert_eq!(size_of::<Singular>(), 16);
    }
}
