//! The two streams a command writes to: data to standard output, everything else to standard error.

use std::io::{ErrorKind, IsTerminal, Write};

use anstream::AutoStream;
use clap::ColorChoice;
use clap::builder::styling::{AnsiColor, Effects, Style as Ansi};
use kindsmith_source::render::Style;

use crate::error::Error;
use crate::go_path;

const ERROR: Ansi = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);

/// Where a command writes.
#[derive(Debug)]
pub struct Terminal {
    quiet: bool,
}

/// Sets for the whole process whether colors are used; `auto` checks the terminal and the environment.
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

    /// Writes data. A closed pipe is not an error.
    ///
    /// # Errors
    ///
    /// If standard output cannot be written for another reason.
    pub fn print(&self, text: &str) -> Result<(), Error> {
        let mut stdout = anstream::stdout().lock();
        let written = stdout
            .write_all(go_path::shown(text).as_bytes())
            .and_then(|()| stdout.flush());
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Error::environment(format!("cannot write the output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether only findings and errors are printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints something that is not data; nothing with `--quiet`.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            let _ = writeln!(anstream::stderr(), "{}", go_path::shown(line));
        }
    }

    /// Prints what is wrong to standard error.
    pub fn warn(&self, text: &str) {
        let _ = writeln!(anstream::stderr(), "{}", go_path::shown(text));
    }

    /// Prints a prompt; nothing with `--quiet`.
    pub fn prompt(&self, text: &str) {
        if !self.quiet {
            let mut stderr = anstream::stderr();
            let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
        }
    }

    /// Prints why the command could not run.
    pub(crate) fn complain(&self, error: &Error) {
        let error = error.to_string();
        let _ = writeln!(
            anstream::stderr(),
            "{ERROR}error{ERROR:#}: {}",
            go_path::shown(&error)
        );
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

    /// Whether standard error is a terminal.
    #[must_use]
    pub fn is_watched(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }
}
