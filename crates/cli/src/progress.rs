//! A progress bar for a user at the terminal. Prints nothing into files and pipes.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::Terminal;

/// Work shorter than this shows nothing, so quick commands do not flicker.
const PATIENCE: Duration = Duration::from_millis(300);

/// A bar on standard error that disappears when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    watched: bool,
}

impl Progress {
    /// Starts counting to `total`; `verb` says what is being done, as in "reading".
    #[must_use]
    pub fn start(terminal: &Terminal, verb: &'static str, total: usize) -> Self {
        let template = "{msg:>12} [{bar:28}] {pos}/{len}";
        Self::drawn(terminal, verb, Some(total as u64), template)
    }

    /// Starts counting without a known total; `what` is counted, as in "files".
    #[must_use]
    pub fn count(terminal: &Terminal, verb: &'static str, what: &str) -> Self {
        Self::drawn(terminal, verb, None, &format!("{{msg:>12}} {{pos}} {what}"))
    }

    fn drawn(terminal: &Terminal, verb: &'static str, total: Option<u64>, template: &str) -> Self {
        let style = ProgressStyle::with_template(template)
            .expect("templates are fixed and correct")
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden())
            .with_style(style)
            .with_message(verb);
        Self {
            bar,
            started: Instant::now(),
            watched: terminal.is_watched(),
        }
    }

    /// Counts one more as done. May be called from any thread.
    pub fn step(&self) {
        if !self.watched {
            return;
        }
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
