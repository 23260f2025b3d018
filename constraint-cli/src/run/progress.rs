//! Progress of a long motion, in a line on standard error if that is a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A motion shorter than this shows nothing.
const SILENT: Duration = Duration::from_millis(500);
/// The clock is read once in this many steps.
const STEPS: u32 = 64;
/// Number of parts of the line.
const PARTS: f64 = 1000.0;

/// Progress towards an end time.
pub struct Progress {
    end: f64,
    steps: u32,
    begun: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// From t = 0.
    pub fn to(end: f64) -> Progress {
        Progress {
            end,
            steps: 0,
            begun: Instant::now(),
            bar: None,
        }
    }

    /// After a step.
    pub fn at(&mut self, t: f64) {
        self.steps += 1;
        if !self.steps.is_multiple_of(STEPS) || self.begun.elapsed() < SILENT {
            return;
        }
        // It draws nothing if standard error is not a terminal.
        let bar = self.bar.get_or_insert_with(|| {
            let style =
                ProgressStyle::with_template("t = {msg} {wide_bar} {percent} %, {eta} left");
            let bar = ProgressBar::new(PARTS as u64);
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_message(format!("{t:.3}"));
        bar.set_position((PARTS * t / self.end) as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
