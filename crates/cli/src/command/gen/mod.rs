//! `kindsmith gen`: files generated from the types of Go API packages. A generator is one file in the list below;
//! reading,
//! writing, `--check` and `--watch` are the same for all ([`flow`]).

mod applyconfiguration;
mod controller_gen;
mod controller_gen_words;
mod crd;
mod crd_files;
mod deepcopy_gen;
mod defaulter_gen;
mod diff;
mod docs;
mod files;
mod flow;
mod gengo;
mod go;
mod hints;
mod marker_help;
mod object;
mod openapi;
mod openapi_gen;
mod rbac;
mod rust;
mod schemapatch;
mod sizes;
mod validation_gen;
mod webhook;

use clap::Subcommand;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;

/// Generate files from the types of Go API packages
///
/// The output is the same from run to run, and unchanged files are not touched. Command lines of controller-gen
/// v0.23 (`applyconfiguration`, `crd`, `object`, `rbac`, `schemapatch`, `webhook`), deepcopy-gen, defaulter-gen,
/// openapi-gen and validation-gen work too. There is no client-gen, lister-gen, informer-gen, conversion-gen,
/// register-gen or applyconfiguration-gen: use those of k8s.io/code-generator.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith gen crd ./api/... --out config/crd            CRDs
  kindsmith gen crd ./api/... --out config/crd --check    fail if they are out of date
  kindsmith gen object ./api/...                          DeepCopy methods
  kindsmith gen rbac ./... --roleName=manager-role        roles
  kindsmith gen webhook ./...                             webhook configurations
  kindsmith gen schemapatch ./api/... --manifests config/crd
                                                          new schemas in existing CRDs
  kindsmith gen applyconfiguration paths=./api/...        types for server-side apply
  kindsmith gen rbac:roleName=manager-role crd webhook paths=./... output:crd:artifacts:config=config/crd/bases
                                                          several, with controller-gen's syntax
  kindsmith gen go ./api/...                              defaulting and validation code
  kindsmith gen openapi ./api/... --v3                    OpenAPI definitions
  kindsmith gen docs ./api/... --out docs/api             reference documentation
  kindsmith gen rust --crds config/crd --out src/api      Rust types")]
pub struct Args {
    #[command(subcommand)]
    generator: Box<Generator>,
}

/// Generates the enum that clap parses into, and its dispatch, from the list, as for commands.
macro_rules! generators {
    ($($name:ident in $module:ident,)*) => {
        #[derive(Debug, Subcommand)]
        #[command(defer = true)]
        enum Generator {
            $($name($module::Args),)*
            /// A command line of controller-gen.
            #[command(external_subcommand)]
            ControllerGen(Vec<String>),
        }

        /// Declares the arguments of all generators.
        pub(super) fn declare_arguments(generators: &mut clap::Command) {
            super::declare(generators, &[$(<$module::Args as clap::Args>::augment_args),*]);
        }

        impl Generator {
            fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
                match self {
                    $(Self::$name(args) => args.run(terminal),)*
                    Self::ControllerGen(words) => controller_gen::run_words(&words, terminal),
                }
            }
        }
    };
}

generators! {
    Applyconfiguration in applyconfiguration,
    Crd in crd,
    Docs in docs,
    Go in go,
    Object in object,
    Openapi in openapi,
    Rbac in rbac,
    Rust in rust,
    Schemapatch in schemapatch,
    Webhook in webhook,
    DeepcopyGen in deepcopy_gen,
    DefaulterGen in defaulter_gen,
    OpenapiGen in openapi_gen,
    ValidationGen in validation_gen,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        self.generator.run(terminal)
    }
}
