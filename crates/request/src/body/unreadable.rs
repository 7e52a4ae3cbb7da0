//! Why a body cannot be read.

use super::excerpt::summary;
use crate::Status;

/// Why a body cannot be handled.
#[derive(Debug, Clone)]
pub struct Unreadable {
    pub(super) message: String,
    /// Kind and version, if reading got that far.
    pub(super) recognized: Option<(String, String)>,
}

impl Unreadable {
    /// An error in a body whose kind and version were read.
    #[must_use]
    pub fn recognized(message: impl Into<String>, kind: &str, version: &str) -> Self {
        Unreadable {
            message: message.into(),
            recognized: Some((kind.to_owned(), version.to_owned())),
        }
    }

    /// An error in a body whose kind could not be read.
    #[must_use]
    pub fn unrecognized(message: impl Into<String>) -> Self {
        Unreadable {
            message: message.into(),
            recognized: None,
        }
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The answer (`transformDecodeError` in apiserver's pkg/endpoints/handlers/rest.go).
    pub fn status(&self, expected: &str, body: &[u8]) -> Status {
        let message = &self.message;
        match &self.recognized {
            Some((kind, version)) if !kind.is_empty() => {
                let version = kindsmith_gostd::quote::quote(version);
                Status::bad_request(format!(
                    "{kind} in version {version} cannot be handled as a {expected}: {message}"
                ))
            }
            _ => Status::bad_request(format!(
                "the object provided is unrecognized (must be of type {expected}): {message} ({})",
                summary(body)
            )),
        }
    }
}
