//! `kindsmith completions`: shell completion scripts.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::{Shell, generate};
use kindsmith_tags::catalogue::catalogue;

use crate::error::Error;
use crate::registry;
use crate::terminal::Terminal;
use crate::{Outcome, whole};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  bash        kindsmith completions bash > ~/.local/share/bash-completion/completions/kindsmith
  zsh         kindsmith completions zsh > ~/.zfunc/_kindsmith
  fish        kindsmith completions fish > ~/.config/fish/completions/kindsmith.fish
  powershell  kindsmith completions powershell >> $PROFILE
  elvish      kindsmith completions elvish >> ~/.config/elvish/rc.elv")]
pub struct Args {
    /// The shell
    shell: Shell,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let mut script = Vec::new();
        generate(self.shell, &mut with_names(whole()), "kindsmith", &mut script);
        let script = String::from_utf8(script).map_err(|_| Error::bug("the script is not text"))?;
        terminal.print(&script)?;
        Ok(Outcome::Clean)
    }
}

/// The command line with the codes of rules and the names of tags as values. Commands take other values, too, and say more
/// about a misspelt one, so this is for completions only.
fn with_names(command: Command) -> Command {
    let of = |mut names: Vec<&'static str>| {
        names.sort_unstable();
        names.dedup();
        move |argument: Arg| argument.value_parser(PossibleValuesParser::new(names))
    };
    let code = |finding: &'static kindsmith_source::Finding| finding.code();
    let all: Vec<&str> = registry::findings().into_iter().map(code).collect();
    let linted: Vec<&str> = registry::sources().into_iter().map(code).collect();
    let sets = ["all", "conventions", "default"];
    let selected: Vec<&str> = linted.iter().copied().chain(sets).collect();
    let tags: Vec<&str> = catalogue().map(|tag| tag.name).collect();
    command
        .mut_subcommand("rules", |rules| rules.mut_arg("code", of(all)))
        .mut_subcommand("tags", |of_tags| of_tags.mut_arg("name", of(tags)))
        .mut_subcommand("lint", |lint| {
            let lint = lint.mut_arg("explain", of(linted));
            ["select", "extend_select", "ignore"]
                .into_iter()
                .fold(lint, |lint, name| lint.mut_arg(name, of(selected.clone())))
        })
}
