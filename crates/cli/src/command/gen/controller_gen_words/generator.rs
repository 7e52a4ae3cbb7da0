//! Generators and their options, by controller-gen's names.

use std::path::{Path, PathBuf};

use kindsmith_tags::grammar::marker::{Argument, ArgumentType, Arguments, MarkerValues};

use super::super::go::lint_rule::LintRule;
use super::destination::Destination;
use super::{Requested, arguments};
use crate::error::Error;

/// A generator with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Generator {
    Crd(Box<Settings>),
    Object(Header),
    Rbac(Role),
    SchemaPatch(Patch),
    Webhook(Header),
    ApplyConfiguration(Apply),
    /// Not controller-gen's, but the same work: deepcopy-gen.
    DeepcopyGen(CopyFile),
}

/// Options of deepcopy-gen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct CopyFile {
    pub(in super::super) file_name: String,
    pub(in super::super) header: Header,
    pub(in super::super) lint_rules: Vec<LintRule>,
}

/// Options of the `schemapatch` generator.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in super::super) struct Patch {
    /// The directory of the CRDs.
    pub(in super::super) manifests: PathBuf,
    pub(in super::super) max_description: Option<i64>,
    pub(in super::super) embedded_object_meta: bool,
}

/// Options of the `crd` generator, by controller-gen's names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in super::super) struct Settings {
    pub(in super::super) ignore_unexported_fields: bool,
    pub(in super::super) allow_dangerous_types: bool,
    pub(in super::super) max_description: Option<i64>,
    pub(in super::super) crd_versions: Vec<String>,
    pub(in super::super) embedded_object_meta: bool,
    pub(in super::super) header: Header,
    pub(in super::super) preserve_unknown_fields: Option<bool>,
    pub(in super::super) omit_tool_version: bool,
}

/// Options of the `rbac` generator.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in super::super) struct Role {
    pub(in super::super) name: String,
    pub(in super::super) file_name: Option<String>,
    pub(in super::super) header: Header,
}

/// Options of the `applyconfiguration` generator.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(in super::super) struct Apply {
    pub(in super::super) header: Header,
    /// A type, and the package with its apply configuration.
    pub(in super::super) external: Vec<(String, String)>,
}

/// Text above generated files.
#[derive(Debug, Default, Clone, PartialEq, Eq, clap::Args)]
pub(in super::super) struct Header {
    /// File with text to put above what is generated
    #[arg(long = "headerFile", alias = "header-file", value_name = "FILE")]
    pub(in super::super) file: Option<PathBuf>,
    /// Replaces ` YEAR` in the header
    #[arg(long, value_name = "YEAR", default_value = "", hide_default_value = true)]
    pub(in super::super) year: String,
    // Whether `YEAR` is replaced inside words too, as gengo's tools do.
    #[arg(skip)]
    pub(in super::super) in_words: bool,
}

impl Header {
    /// The text, with the year in place.
    pub(in super::super) fn text(&self) -> Result<String, Error> {
        let Some(path) = &self.file else {
            return Ok(String::new());
        };
        let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
        Ok(if self.in_words {
            text.replace("YEAR", &self.year)
        } else {
            text.replace(" YEAR", &format!(" {}", self.year))
        })
    }
}

impl Generator {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::ApplyConfiguration(_) => "applyconfiguration",
            Self::Crd(_) => "crd",
            Self::Object(_) => "object",
            Self::Rbac(_) => "rbac",
            Self::SchemaPatch(_) => "schemapatch",
            Self::DeepcopyGen(_) => "deepcopy-gen",
            Self::Webhook(_) => "webhook",
        }
    }

    /// The generator to its usual place: manifests below `config`, code beside its package.
    pub(in super::super) fn in_usual_place(self) -> Requested {
        let to = Destination::Artifacts {
            config: Path::new("config").join(self.name()),
            code: None,
        };
        Requested { generator: self, to }
    }

    /// The header of its files.
    pub(in super::super) fn header(&self) -> &Header {
        const NONE: &Header = &Header {
            file: None,
            year: String::new(),
            in_words: false,
        };
        match self {
            Self::SchemaPatch(_) => NONE,
            Self::DeepcopyGen(settings) => &settings.header,
            Self::Crd(settings) => &settings.header,
            Self::Object(header) | Self::Webhook(header) => header,
            Self::Rbac(role) => &role.header,
            Self::ApplyConfiguration(apply) => &apply.header,
        }
    }
}

const HEADER_FILE: Argument = Argument::optional("headerFile", ArgumentType::Text);
const YEAR: Argument = Argument::optional("year", ArgumentType::Text);
const CRD: &[Argument] = &[
    Argument::optional("ignoreUnexportedFields", ArgumentType::Bool),
    Argument::optional("allowDangerousTypes", ArgumentType::Bool),
    Argument::optional("maxDescLen", ArgumentType::Int),
    Argument::optional("crdVersions", ArgumentType::Texts),
    Argument::optional("generateEmbeddedObjectMeta", ArgumentType::Bool),
    HEADER_FILE,
    YEAR,
    Argument::optional(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        ArgumentType::Bool,
    ),
    Argument::optional("omitToolVersion", ArgumentType::Bool),
];
const RBAC: &[Argument] = &[
    Argument::needed("roleName", ArgumentType::Text),
    Argument::optional("fileName", ArgumentType::Text),
    HEADER_FILE,
    YEAR,
];
const SCHEMA_PATCH: &[Argument] = &[
    Argument::needed("manifests", ArgumentType::Text),
    Argument::optional("maxDescLen", ArgumentType::Int),
    Argument::optional("generateEmbeddedObjectMeta", ArgumentType::Bool),
];
const APPLY_CONFIGURATION: &[Argument] = &[
    HEADER_FILE,
    Argument::optional("externalApplyConfigurations", ArgumentType::Texts),
    Argument::optional("omitToolVersion", ArgumentType::Bool),
];
const HEADER_ONLY: &[Argument] = &[HEADER_FILE, YEAR];
/// A generator with its options.
pub(super) fn generator(word: &str, name: &str) -> Result<Generator, Error> {
    Ok(match name {
        "applyconfiguration" => Generator::ApplyConfiguration(apply(&arguments(
            word,
            name,
            Arguments::Named(APPLY_CONFIGURATION),
        )?)?),
        "crd" => Generator::Crd(Box::new(settings(&arguments(
            word,
            "crd",
            Arguments::Named(CRD),
        )?))),
        "rbac" => {
            let values = arguments(word, "rbac", Arguments::Named(RBAC))?;
            Generator::Rbac(Role {
                name: values.text("roleName").unwrap_or_default().to_owned(),
                file_name: values
                    .text("fileName")
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
                header: header(&values),
            })
        }
        "schemapatch" => {
            let values = arguments(word, "schemapatch", Arguments::Named(SCHEMA_PATCH))?;
            Generator::SchemaPatch(Patch {
                manifests: values.text("manifests").unwrap_or_default().into(),
                max_description: values.int("maxDescLen"),
                embedded_object_meta: values.bool("generateEmbeddedObjectMeta").unwrap_or_default(),
            })
        }
        "webhook" => Generator::Webhook(header(&arguments(
            word,
            "webhook",
            Arguments::Named(HEADER_ONLY),
        )?)),
        _ => Generator::Object(header(&arguments(word, "object", Arguments::Named(HEADER_ONLY))?)),
    })
}

fn apply(values: &MarkerValues) -> Result<Apply, Error> {
    let external = values.texts("externalApplyConfigurations").into_iter();
    let external = external.map(|text| external_configuration(text).map_err(Error::usage));
    Ok(Apply {
        header: header(values),
        external: external.collect::<Result<_, _>>()?,
    })
}

/// Reads a type and the package with its apply configuration: `PACKAGE.TYPE@PACKAGE`.
pub(in super::super) fn external_configuration(text: &str) -> Result<(String, String), String> {
    let (ty, package) = text.split_once('@').ok_or_else(|| {
        format!(
            "invalid external apply configuration format {text:?}, expected \
             <package>.<TypeName>@<applyconfiguration-package>"
        )
    })?;
    Ok((ty.to_owned(), package.to_owned()))
}

fn header(values: &MarkerValues) -> Header {
    let text = |name: &str| values.text(name).filter(|text| !text.is_empty());
    Header {
        file: text("headerFile").map(PathBuf::from),
        year: text("year").unwrap_or_default().to_owned(),
        in_words: false,
    }
}

fn settings(values: &MarkerValues) -> Settings {
    Settings {
        ignore_unexported_fields: values.bool("ignoreUnexportedFields").unwrap_or_default(),
        allow_dangerous_types: values.bool("allowDangerousTypes").unwrap_or_default(),
        max_description: values.int("maxDescLen"),
        crd_versions: values
            .texts("crdVersions")
            .into_iter()
            .map(str::to_owned)
            .collect(),
        embedded_object_meta: values.bool("generateEmbeddedObjectMeta").unwrap_or_default(),
        header: header(values),
        omit_tool_version: values.bool("omitToolVersion").unwrap_or_default(),
        preserve_unknown_fields: values.bool("deprecatedV1beta1CompatibilityPreserveUnknownFields"),
    }
}
