//! Where generators write: `output:dir=DIR` and its like.

use std::path::{Path, PathBuf};

use kindsmith_tags::grammar::marker::{Argument, ArgumentType, Arguments};

use super::arguments;
use crate::error::Error;

/// Where files are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Destination {
    /// All to one directory.
    Directory(PathBuf),
    /// Manifests to a directory, code beside its package or to another directory.
    Artifacts {
        config: PathBuf,
        code: Option<PathBuf>,
    },
    Stdout,
    Nowhere,
}

impl Destination {
    /// A directory; `-` for standard output.
    pub(in super::super) fn named(directory: PathBuf) -> Self {
        if directory.as_os_str() == "-" {
            Self::Stdout
        } else {
            Self::Directory(directory)
        }
    }

    /// Where a manifest is written, if it is written to a file.
    pub(in super::super) fn manifest(&self) -> Option<&Path> {
        match self {
            Self::Directory(directory)
            | Self::Artifacts {
                config: directory, ..
            } => Some(directory),
            Self::Stdout | Self::Nowhere => None,
        }
    }

    /// Where code of a package in `package` is written, if it is written to a file.
    pub(in super::super) fn code<'a>(&'a self, package: &'a Path) -> Option<&'a Path> {
        match self {
            Self::Directory(directory) => Some(directory),
            Self::Artifacts { code, .. } => Some(code.as_deref().unwrap_or(package)),
            Self::Stdout | Self::Nowhere => None,
        }
    }
}

const ARTIFACTS: &[Argument] = &[
    Argument::needed("config", ArgumentType::Text),
    Argument::optional("code", ArgumentType::Text),
];

pub(super) fn destination(word: &str, rule: &str) -> Result<Destination, Error> {
    let name = rule.split(['=', ':']).next().unwrap_or_default();
    match name {
        "dir" => {
            let values = arguments(rule, "dir", Arguments::One(ArgumentType::Text))?;
            Ok(Destination::Directory(values.text("").unwrap_or_default().into()))
        }
        "artifacts" => {
            let values = arguments(rule, "artifacts", Arguments::Named(ARTIFACTS))?;
            let text = |name| values.text(name).filter(|text| !text.is_empty());
            Ok(Destination::Artifacts {
                config: text("config").unwrap_or_default().into(),
                code: text("code").map(PathBuf::from),
            })
        }
        "stdout" => Ok(Destination::Stdout),
        "none" => Ok(Destination::Nowhere),
        _ => Err(Error::usage(format!("unknown option {word:?}")).hint(
            "files go to `output:crd:dir=DIR`, `output:crd:artifacts:config=DIR`, `output:stdout` or `output:none`",
        )),
    }
}
