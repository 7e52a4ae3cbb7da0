//! The command line: arguments in, text and an exit code out. Only this crate touches files, terminal, clock and
//! environment; the crates below decide what is right or wrong about a source. It is a library only so that tests can
//! reach inside; its interface is not stable.

#![allow(
    clippy::disallowed_methods,
    reason = "commands read files, arguments and the environment"
)]

mod admission_files;
pub mod command;
mod crash;
mod crd_findings;
mod crd_size;
mod descriptions;
pub mod error;
pub mod files;
pub mod finding;
mod go_path;
pub mod input;
mod launch;
mod lost_tags;
mod made_objects;
mod manifest;
mod misspelled;
pub mod output;
mod platform;
pub mod progress;
mod project;
pub mod registry;
mod release;
mod rule_page;
pub mod schemas;
mod service_access;
mod tag_page;
pub mod terminal;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser};

use crate::command::Command;
use crate::terminal::Terminal;

/// The version, and the release of Kubernetes that is the reference by default.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (Kubernetes 1.37)");

/// Kubernetes-style APIs from types and tags
#[derive(Debug, Parser)]
#[command(
    name = "kindsmith",
    version = VERSION,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit status: 0 clean, 1 findings, 2 could not run"
)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, clap::Args)]
struct Global {
    /// When to use colors; `auto` honors NO_COLOR and CLICOLOR_FORCE
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    /// Print findings and errors only: no summary, no progress
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// The result of a command that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// No errors or warnings.
    Clean,
    /// Something the author should fix.
    Findings,
    /// The exit code of a command that was run.
    Exit(u8),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clean => Self::SUCCESS,
            Outcome::Findings => Self::from(1),
            Outcome::Exit(code) => Self::from(code),
        }
    }
}

/// Runs one command line; the first argument is the program's name.
#[must_use]
pub fn run(args: Vec<OsString>) -> ExitCode {
    let args = command::under_other_name(args);
    terminal::set_color(color_in(&args));
    let cli = match parse(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version end here too. A closed pipe is not an error.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    terminal::set_color(cli.global.color);
    let terminal = Terminal::new(cli.global.quiet);
    match crash::caught(|| cli.command.run(&terminal)) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            terminal.complain(&error);
            error.exit_code()
        }
    }
}

/// Reads a command line.
///
/// Only the arguments of the command that is called are declared at first: declaring all takes longer than many commands
/// run. Help and errors may be about any command, so they come from the whole declaration.
fn parse(args: Vec<OsString>) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(&args).or_else(|_| {
        let mut matches = whole().try_get_matches_from(args)?;
        Cli::from_arg_matches_mut(&mut matches)
    })
}

/// The command line with the arguments of all commands.
fn whole() -> clap::Command {
    command::with_arguments(Cli::command())
}

/// The `--color` option, read before parsing so that usage errors follow it too.
fn color_in(args: &[OsString]) -> ColorChoice {
    let words: Vec<_> = args.iter().map_while(|arg| arg.to_str()).collect();
    let together = words.iter().find_map(|word| word.strip_prefix("--color="));
    let apart = words
        .windows(2)
        .find(|pair| pair[0] == "--color")
        .map(|pair| pair[1]);
    match together.or(apart) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}
