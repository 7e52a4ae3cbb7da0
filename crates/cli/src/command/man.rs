//! `kindsmith man`: manual pages, made of the same text as `--help`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Arg, Command};

use crate::error::Error;
use crate::terminal::Terminal;
use crate::{Outcome, whole};

/// Print the manual page, or write one for every command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith man | man -l -                      read it
  kindsmith man --out /usr/local/share/man/man1 write kindsmith.1, kindsmith-check.1 and so on")]
pub struct Args {
    /// Directory to write a page for every command to
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut root = whole();
        root.build();
        let Some(directory) = &self.out else {
            terminal.print(&page(&root, "kindsmith"))?;
            return Ok(Outcome::Clean);
        };
        std::fs::create_dir_all(directory).map_err(|error| Error::reading(directory, &error))?;
        let mut pages = Vec::new();
        collect(&root, "kindsmith", &mut pages);
        for (name, text) in &pages {
            let file = directory.join(format!("{}.1", name.replace(' ', "-")));
            std::fs::write(&file, text)
                .map_err(|error| Error::environment(format!("cannot write {}: {error}", file.display())))?;
        }
        terminal.say(&format!("{} pages written", pages.len()));
        Ok(Outcome::Clean)
    }
}

fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
}

fn collect(command: &Command, name: &str, pages: &mut Vec<(String, String)>) {
    pages.push((name.to_owned(), page(command, name)));
    for sub in subcommands(command) {
        collect(sub, &format!("{name} {}", sub.get_name()), pages);
    }
}

/// One page in the language of `man`.
fn page(command: &Command, name: &str) -> String {
    let dashed = name.replace(' ', "-");
    let version = env!("CARGO_PKG_VERSION");
    let mut out = format!(
        ".TH {} 1 \"\" \"kindsmith {version}\"\n",
        quoted(&dashed.to_uppercase())
    );
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(out, ".SH NAME\n{} \\- {}\n", escaped(&dashed), escaped(&about));
    let _ = write!(out, ".SH SYNOPSIS\n{}\n", escaped(&usage(command, name)));
    if let Some(long) = command.get_long_about() {
        let _ = writeln!(out, ".SH DESCRIPTION\n{}", paragraphs(&long.to_string()));
    }
    let shown = |arg: &&Arg| !arg.is_hide_set();
    let (positional, options): (Vec<_>, Vec<_>) = command
        .get_arguments()
        .filter(shown)
        .partition(|arg| arg.is_positional());
    for (title, arguments) in [("ARGUMENTS", positional), ("OPTIONS", options)] {
        if !arguments.is_empty() {
            let _ = writeln!(out, ".SH {title}");
            arguments.iter().for_each(|arg| argument(&mut out, arg));
        }
    }
    if subcommands(command).next().is_some() {
        out.push_str(".SH COMMANDS\n");
        for sub in subcommands(command) {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            let page = format!("{dashed}-{}", sub.get_name());
            let _ = write!(out, ".TP\n\\fB{}\\fR(1)\n{}\n", escaped(&page), escaped(&about));
        }
    }
    if let Some(after) = command.get_after_help() {
        let after = after.to_string();
        let text = after.trim().strip_prefix("Examples:").unwrap_or(&after);
        let title = if text.len() == after.len() {
            "NOTES"
        } else {
            "EXAMPLES"
        };
        let _ = write!(
            out,
            ".SH {title}\n.nf\n{}\n.fi\n",
            escaped(text.trim_matches('\n'))
        );
    }
    if name != "kindsmith" {
        out.push_str(".SH EXIT STATUS\n0 clean, 1 findings, 2 could not run\n");
    }
    out
}

fn usage(command: &Command, name: &str) -> String {
    let text = command.clone().render_usage().to_string();
    let text = text.trim_start_matches("Usage:").trim();
    let known = text.split_once(' ').map_or("", |(_, rest)| rest);
    match text.strip_prefix(name) {
        Some(rest) => format!("{name}{rest}"),
        None => format!("{name} {known}"),
    }
}

fn argument(out: &mut String, arg: &Arg) {
    let mut names = Vec::new();
    names.extend(arg.get_short().map(|short| format!("-{short}")));
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    let takes_value = arg.get_action().takes_values();
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = values.iter().map(|value| format!("<{value}>")).collect();
    let mut head = names.join(", ");
    if takes_value && !values.is_empty() {
        head = format!("{head} {}", values.join(" ")).trim().to_owned();
    }
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let possible: Vec<String> = arg
        .get_possible_values()
        .iter()
        .filter(|value| takes_value && !value.is_hide_set() && !arg.is_hide_possible_values_set())
        .map(|value| value.get_name().to_owned())
        .collect();
    let _ = write!(out, ".TP\n\\fB{}\\fR\n{}\n", escaped(&head), escaped(&help));
    if !possible.is_empty() {
        let _ = write!(out, ".br\nOne of: {}\n", escaped(&possible.join(", ")));
    }
}

fn paragraphs(text: &str) -> String {
    let parts: Vec<String> = text.split("\n\n").map(|part| escaped(part.trim())).collect();
    parts.join("\n.PP\n")
}

/// Text in the language of `man`: a dot or quote at the start of a line is a request, a backslash an escape.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            if line.starts_with(['.', '\'']) {
                format!("\\&{line}")
            } else {
                line.to_owned()
            }
        })
        .collect();
    lines.join("\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_a_request() {
        assert_eq!(escaped(".TH x\n'a' \\n --b"), "\\&.TH x\n\\&'a' \\en \\-\\-b");
    }

    #[test]
    fn every_command_has_a_page() {
        let mut root = whole();
        root.build();
        let mut pages = Vec::new();
        collect(&root, "kindsmith", &mut pages);
        let check = pages.iter().find(|(name, _)| name == "kindsmith check");
        let (_, text) = check.expect("check has a page");
        for part in [
            ".SH SYNOPSIS\nkindsmith check",
            "\\-\\-changed\\-since <REF>",
            ".SH EXAMPLES",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(pages.iter().any(|(name, _)| name == "kindsmith gen crd"));
    }
}
