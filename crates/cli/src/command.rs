//! The list of commands. A command is one file: its arguments with help and examples, and what it does with them.
//! Commands call the crates below and print; they decide nothing about sources or objects themselves.

mod apply;
mod cel;
mod check;
mod completions;
mod controller;
mod diff;
mod envtest;
mod eval;
mod explain;
mod r#gen;
mod init;
mod lint;
mod lsp;
mod man;
mod migrate;
mod normalize;
mod play;
mod reconcile;
mod rules;
mod schema;
mod serve;
mod tags;
mod test;
mod types;
mod version;

use clap::Subcommand;

pub(crate) use envtest::under_other_name;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Generates the enum that clap parses into, and its dispatch, from the list. Each module has `Args` with
/// `fn run(self, &Terminal) -> Result<Outcome, Error>`.
macro_rules! commands {
    ($($name:ident in $module:ident,)*) => {
        /// The command to run.
        #[derive(Debug, Subcommand)]
        #[command(defer = true)]
        #[allow(clippy::large_enum_variant, reason = "there is one per process")]
        pub enum Command {
            $(#[allow(missing_docs, reason = "a doc comment here would replace the command's own help")]
            $name($module::Args),)*
        }

        /// The command line with the arguments of all commands.
        pub(crate) fn with_arguments(mut root: clap::Command) -> clap::Command {
            declare(&mut root, &[$(<$module::Args as clap::Args>::augment_args),*]);
            if let Some(generators) = root.find_subcommand_mut("gen") {
                r#gen::declare_arguments(generators);
            }
            root
        }

        impl Command {
            /// Runs the command.
            ///
            /// # Errors
            ///
            /// If the command could not run.
            pub fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
                match self {
                    $(Self::$name(args) => args.run(terminal),)*
                }
            }
        }
    };
}

/// Declares the arguments of commands, which are deferred until one is called.
fn declare(above: &mut clap::Command, arguments: &[fn(clap::Command) -> clap::Command]) {
    for (command, declare) in above.get_subcommands_mut().zip(arguments) {
        *command = declare(std::mem::take(command)).defer(std::convert::identity);
    }
}

commands! {
    Init in init,
    Lint in lint,
    Lsp in lsp,
    Check in check,
    Play in play,
    Diff in diff,
    Test in test,
    Eval in eval,
    Explain in explain,
    Normalize in normalize,
    Apply in apply,
    Reconcile in reconcile,
    Controller in controller,
    Serve in serve,
    Envtest in envtest,
    Gen in r#gen,
    Migrate in migrate,
    Cel in cel,
    Types in types,
    Tags in tags,
    Rules in rules,
    Schema in schema,
    Completions in completions,
    Man in man,
    Version in version,
}
