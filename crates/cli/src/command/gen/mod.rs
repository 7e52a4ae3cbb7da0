//! `kindsmith gen`: files generated from the types of Go API packages. A generator is one file in the list below;
//! reading,
//! writing, `--check` and `--watch` are the same for all ([`flow`]).

mod controller_gen_words;
mod crd;
mod defaulter_gen;
mod diff;
mod docs;
mod files;
mod flow;
mod go;
mod hints;
mod openapi;
mod sizes;
mod validation_gen;
mod watch;

use clap::Subcommand;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Generate files from the types of Go API packages
///
/// The output is the same from run to run, and unchanged files are not touched. Command lines of controller-gen work
/// if they request CRDs; those of defaulter-gen and validation-gen work too.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen crd ./api/... --out config/crd            CRDs
  kindsmith gen crd ./api/... --out config/crd --check    fail if they are out of date
  kindsmith gen crd:maxDescLen=0 paths=./api/... output:crd:dir=config/crd
                                                          with controller-gen's syntax
  kindsmith gen go ./api/...                              defaulting and validation code
  kindsmith gen openapi ./api/... --v3                    OpenAPI definitions
  kindsmith gen docs ./api/... --out docs/api             reference documentation")]
pub struct Args {
    #[command(subcommand)]
    generator: Box<Generator>,
}

/// Generates the enum that clap parses into, and its dispatch, from the list, as for commands.
macro_rules! generators {
    ($($name:ident in $module:ident,)*) => {
        #[derive(Debug, Subcommand)]
        enum Generator {
            $($name($module::Args),)*
            /// A command line of controller-gen.
            #[command(external_subcommand)]
            ControllerGen(Vec<String>),
        }

        impl Generator {
            fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
                match self {
                    $(Self::$name(args) => args.run(terminal),)*
                    Self::ControllerGen(words) => crd::run_words(&words, terminal),
                }
            }
        }
    };
}

generators! {
    Crd in crd,
    Docs in docs,
    Go in go,
    Openapi in openapi,
    DefaulterGen in defaulter_gen,
    ValidationGen in validation_gen,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        self.generator.run(terminal)
    }
}
