//! The option `--kubernetes-version`: which release of Kubernetes is the reference.

use kindsmith_object::Release;

use crate::error::Error;
use crate::project;

/// Which release of Kubernetes is the reference.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ReleaseArgs {
    /// The release of Kubernetes to answer as: 1.34 to 1.38 [default: `kubernetes-version` of kindsmith.toml, or 1.37]
    #[arg(long, value_name = "RELEASE")]
    kubernetes_version: Option<Release>,
}

impl ReleaseArgs {
    /// The release: as given, or that of the project, or the newest that is out.
    ///
    /// # Errors
    ///
    /// If the project's file is wrong.
    pub(crate) fn release(&self) -> Result<Release, Error> {
        given_or_default(self.kubernetes_version)
    }

    /// The release as it was given.
    pub(crate) fn shown(&self) -> String {
        self.kubernetes_version
            .map(|release| release.to_string())
            .unwrap_or_default()
    }
}

/// The release that was given, or that of the project, or the newest that is out.
///
/// # Errors
///
/// If the project's file is wrong.
pub(crate) fn given_or_default(given: Option<Release>) -> Result<Release, Error> {
    given.map_or_else(of_project, Ok)
}

/// The release that the project's `kindsmith.toml` sets, or the newest that is out.
fn of_project() -> Result<Release, Error> {
    let Some(path) = project::nearest() else {
        return Ok(Release::default());
    };
    match project::parse(&path)?.kubernetes_version {
        None => Ok(Release::default()),
        Some(text) => text.parse().map_err(|error| {
            Error::input(format!(
                "{}: kubernetes-version = {text:?}: {error}",
                path.display()
            ))
        }),
    }
}
