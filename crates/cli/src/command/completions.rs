//! `kindsmith completions`: shell completion scripts.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::error::Error;
use crate::terminal::Terminal;
use crate::{Cli, Outcome};

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
        generate(self.shell, &mut Cli::command(), "kindsmith", &mut script);
        let script = String::from_utf8(script).map_err(|_| Error::bug("the script is not text"))?;
        terminal.print(&script)?;
        Ok(Outcome::Clean)
    }
}
