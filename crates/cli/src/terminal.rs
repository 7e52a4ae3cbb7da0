//! The two streams a command writes to: data to standard output, everything else to standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use anstream::AutoStream;
use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Effects, Style as Ansi};
use kindsmith_source::render::Style;

use crate::error::Error;

const ERROR: Ansi = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);

/// Where a command writes.
#[derive(Debug)]
pub struct Terminal {
    quiet: bool,
}

/// Fixes for the whole process when colors are used; `auto` asks the terminal and the environment.
pub(crate) fn set_color(color: ColorChoice) {
    let choice = match color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

impl Terminal {
    /// The process's own streams.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Writes data. A reader that has seen enough and closed the pipe is no error.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written for another reason.
    pub fn print(&self, text: &str) -> Result<(), Error> {
        let mut stdout = anstream::stdout().lock();
        let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Error::environment(format!("cannot write the output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether nothing is to be said that is not asked for.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Tells the user something that is not data; says nothing with `--quiet`.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{line}");
        }
    }

    /// Tells the user what is wrong, beside data on standard output.
    pub fn warn(&self, text: &str) {
        let _ = writeln!(anstream::stderr(), "{text}");
    }

    /// Asks the user for a line; says nothing with `--quiet`.
    pub fn prompt(&self, text: &str) {
        if !self.quiet {
            let mut stderr = anstream::stderr();
            let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
        }
    }

    /// Tells the user why the command could not run.
    pub(crate) fn complain(&self, error: &Error) {
        let _ = writeln!(anstream::stderr(), "{ERROR}error{ERROR:#}: {error}");
    }

    /// How findings on standard output are drawn.
    #[must_use]
    pub fn style(&self) -> Style {
        let stdout = std::io::stdout();
        let width = stdout.is_terminal().then(terminal_size::terminal_size).flatten();
        Style {
            color: AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
            width: width.map(|(width, _)| usize::from(width.0)),
            pages: Some("kindsmith rules"),
        }
    }

    /// Whether a person may be watching standard error.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }
}
