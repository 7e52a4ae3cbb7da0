//! What rules are given.

use kindsmith_schema::{Place, Profile, Schema};
use kindsmith_source::{Origins, SourceMap};
use kindsmith_tags::Declaration;

use crate::Config;

/// Packages that every command line of validation-gen names as read-only, as Kubernetes' own does.
pub const READ_ONLY: [&str; 5] = [
    "k8s.io/apimachinery/pkg/apis/meta/v1",
    "k8s.io/apimachinery/pkg/api/resource",
    "k8s.io/apimachinery/pkg/runtime",
    "k8s.io/apimachinery/pkg/types",
    "k8s.io/apimachinery/pkg/util/intstr",
];

/// The input of rules.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The schema.
    pub schema: &'a Schema,
    /// The places of its parts in the source.
    pub origins: &'a Origins<Place>,
    /// Packages whose types validation may use without generated code for them.
    pub read_only: &'a [String],
    /// Which packages count as processed by validation-gen.
    pub included: Included,
    /// Whether the KEPs' rules count where Kubernetes has others.
    pub profile: Profile,
    /// The files, and the declarations in them. Without them only rules about meaning run.
    pub source: Option<(&'a SourceMap, &'a [Declaration])>,
    /// Which rules run, and how.
    pub config: &'a Config,
}

static DEFAULT: std::sync::LazyLock<Config> = std::sync::LazyLock::new(Config::default);

impl<'a> Input<'a> {
    /// A schema with default settings.
    #[must_use]
    pub fn new(schema: &'a Schema, origins: &'a Origins<Place>) -> Self {
        Self {
            schema,
            origins,
            read_only: &[],
            included: Included::default(),
            profile: Profile::default(),
            source: None,
            config: &DEFAULT,
        }
    }

    /// Adds the declarations as written.
    #[must_use]
    pub fn with_source(mut self, sources: &'a SourceMap, declarations: &'a [Declaration]) -> Self {
        self.source = Some((sources, declarations));
        self
    }

    /// Sets which rules run, and how.
    #[must_use]
    pub fn with_config(mut self, config: &'a Config) -> Self {
        self.config = config;
        self
    }
}

/// Which packages count as processed by validation-gen, so that their types are not foreign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Included {
    /// All packages that were read: validation-gen's command line may list those without a tag as read-only.
    #[default]
    Asked,
    /// Those that have validation-gen enabled, as in a run of the generator itself.
    Generated,
}
