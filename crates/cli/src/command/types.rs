//! `kindsmith types`: the schema as it was read.

mod json;

use kindsmith_source::render::Report;

use crate::Outcome;
use crate::error::Error;
use crate::input::Input;
use crate::output::TextOrJson;
use crate::terminal::Terminal;

/// Print the schema read from Go API packages
///
/// Shows every type with its fields, defaults and rules as Kindsmith understands them. Errors in the source go to
/// standard error and do not stop it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith types ./api/v1                 for people
  kindsmith types ./api/v1 -o json | jq '.types[] | select(.name == \"Spec\")'
  kindsmith types ./api/v1 --all           include types of imported packages")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// Also print types of packages that were only imported
    #[arg(long)]
    all: bool,
    /// How to print the schema
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let read = self.input.read(terminal)?;
        let report = Report::new(&read.sources, &read.diagnostics);
        if !read.diagnostics.is_empty() {
            terminal.say(report.text(terminal.style()).trim_end());
        }
        let shown =
            |package: &str| self.all || read.schema.package(package).is_some_and(|package| package.input);
        let text = match self.format {
            TextOrJson::Text => read.schema.dump(shown).to_string(),
            TextOrJson::Json => json::document(&read.schema, shown),
        };
        terminal.print(&text)?;
        Ok(Outcome::Clean)
    }
}
