//! `/version`: the Kubernetes version whose behavior is implemented, and our own.

use kindsmith_json::Arena;
use kindsmith_object::Release;
use kindsmith_request::Status;

use super::pretty;
use crate::response::negotiate;
use crate::response::status_response;
use crate::{Request, Response};
use kindsmith_json::object_of;

/// Answers the Kubernetes version, followed by the version of this program.
///
/// # Errors
///
/// For other methods than `GET`, and for clients that take no JSON.
pub(super) fn answer(release: Release, request: &Request<'_>) -> Result<Response, Status> {
    if request.method != "GET" {
        return Err(status_response::method_not_allowed());
    }
    if let Some(refused) = negotiate::refused_unless(request.header("accept"), &["application/json"]) {
        return Err(refused);
    }
    let arena = Arena::new();
    let minor = release.number().to_string();
    let before = release.before().number().to_string();
    let binary = binary(release);
    let members = [
        ("major", "1"),
        ("minor", &*minor),
        ("emulationMajor", "1"),
        ("emulationMinor", &minor),
        ("minCompatibilityMajor", "1"),
        ("minCompatibilityMinor", &before),
        ("gitVersion", &binary),
        ("gitCommit", ""),
        ("gitTreeState", ""),
        ("buildDate", "1970-01-01T00:00:00Z"),
        ("goVersion", GO),
        ("compiler", "rustc"),
        ("platform", PLATFORM),
    ];
    Ok(pretty(object_of(
        &arena,
        &members.map(|(key, text)| (key, text.into())),
    )))
}

/// The version of this program as that of Kubernetes.
pub(super) fn binary(release: Release) -> String {
    format!("v{release}.0+kindsmith-{}", env!("CARGO_PKG_VERSION"))
}

/// No Go is in this program.
pub(super) const GO: &str = "none";

/// Operating system and processor, as Go names them.
const PLATFORM: &str = match (cfg!(target_os = "macos"), cfg!(target_arch = "aarch64")) {
    (false, false) => "linux/amd64",
    (false, true) => "linux/arm64",
    (true, false) => "darwin/amd64",
    (true, true) => "darwin/arm64",
};
