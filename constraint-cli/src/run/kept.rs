//! The states of a motion that are recorded: as many as fit into memory, evenly over its steps.

use std::mem::size_of;

/// Default memory for the states, unless `--every` is given.
const BYTES: usize = 64 << 20;

/// The start, one step in `every`, and the last.
pub struct Kept<S> {
    states: Vec<S>,
    steps: u64,
    every: u64,
    /// More states than this are thinned out.
    most: usize,
    /// The newest state, if it is not among the others.
    last: Option<S>,
}

impl<S: Clone> Kept<S> {
    /// A record that begins with a state of this many numbers. Without `every`, each step is recorded, and every second
    /// recorded state is dropped whenever they take too much memory.
    pub fn from(start: S, numbers: usize, every: Option<u64>) -> Kept<S> {
        let most = BYTES / (size_of::<S>() + numbers * size_of::<f64>());
        Kept::within(
            start,
            every,
            if every.is_some() { usize::MAX } else { most },
        )
    }

    fn within(start: S, every: Option<u64>, most: usize) -> Kept<S> {
        Kept {
            states: vec![start],
            steps: 0,
            every: every.unwrap_or(1),
            most: most.max(2),
            last: None,
        }
    }

    /// After a step.
    pub fn push(&mut self, state: &S) {
        self.steps += 1;
        if !self.steps.is_multiple_of(self.every) {
            self.last = Some(state.clone());
            return;
        }
        self.last = None;
        self.states.push(state.clone());
        if self.states.len() > self.most {
            let mut number = 0..;
            self.states
                .retain(|_| number.next().is_some_and(|it: u64| it.is_multiple_of(2)));
            self.every *= 2;
            if !self.steps.is_multiple_of(self.every) {
                self.last = Some(state.clone());
            }
        }
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One step in this many is recorded.
    pub fn every(&self) -> u64 {
        self.every
    }

    /// The recorded states, and the last.
    pub fn into_states(mut self) -> Vec<S> {
        self.states.extend(self.last);
        self.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(steps: u64, every: Option<u64>, most: usize) -> (u64, Vec<u64>) {
        let mut kept = Kept::within(0, every, most);
        (1..=steps).for_each(|step| kept.push(&step));
        assert_eq!(kept.steps(), steps);
        (kept.every(), kept.into_states())
    }

    #[test]
    fn fewer_states_than_fit_are_all_recorded() {
        assert_eq!(kept(3, None, 4), (1, vec![0, 1, 2, 3]));
        assert_eq!(kept(0, None, 4), (1, vec![0]));
    }

    /// After any number of steps: the multiples of a power of two, and the last step.
    #[test]
    fn more_states_than_fit_are_thinned_out_evenly() {
        for most in 2..9 {
            for steps in 0..200_u64 {
                let (every, states) = kept(steps, None, most);
                assert!(every.is_power_of_two());
                let mut expected: Vec<u64> = (0..=steps).step_by(every as usize).collect();
                if !steps.is_multiple_of(every) {
                    expected.push(steps);
                }
                assert_eq!(states, expected);
                // No more than are allowed and the last, and no fewer than half.
                assert!(states.len() <= most + 1, "{steps} {most}");
                assert!(every == 1 || 2 * states.len() >= most, "{steps} {most}");
            }
        }
    }

    #[test]
    fn those_asked_for_are_recorded_however_many_they_are() {
        assert_eq!(kept(7, Some(3), usize::MAX), (3, vec![0, 3, 6, 7]));
        let mut all = Kept::from(0, 1 << 40, Some(1));
        (1..=9).for_each(|step| all.push(&step));
        assert_eq!(all.into_states().len(), 10);
    }
}
