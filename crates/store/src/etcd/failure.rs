//! What errors of etcd and the network mean for a request. Must not know the requests.

use std::fmt::Display;
use std::sync::Arc;

use crate::Error;

// Codes of gRPC.
const INVALID_ARGUMENT: u32 = 3;
const PERMISSION_DENIED: u32 = 7;
const RESOURCE_EXHAUSTED: u32 = 8;
const FAILED_PRECONDITION: u32 = 9;
const OUT_OF_RANGE: u32 = 11;
const UNIMPLEMENTED: u32 = 12;
const UNAUTHENTICATED: u32 = 16;

/// Why there is no response.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// Nothing happened; another member or a later attempt may work.
    Unsent(Arc<str>),
    /// Nothing happened, and a retry will not help.
    Denied(Arc<str>),
    /// The outcome is unknown.
    Lost(Arc<str>),
    Compacted,
    TooLarge,
    NoLease,
}

impl Failure {
    pub(super) fn lost(why: impl Display) -> Self {
        Self::Lost(why.to_string().into())
    }

    /// There was no connection to send it over.
    pub(super) fn unsent(why: impl Display) -> Self {
        Self::Unsent(format!("etcd: {why}").into())
    }

    /// What gRPC's code and message of a request that is over mean. The messages are from etcd's
    /// `api/v3rpc/rpctypes/error.go`.
    pub(super) fn of(code: u32, message: &str) -> Self {
        let why = || Arc::from(format!("etcd: {message}"));
        match (code, message) {
            (_, "etcdserver: mvcc: required revision has been compacted") => Self::Compacted,
            (_, "etcdserver: request is too large") => Self::TooLarge,
            (RESOURCE_EXHAUSTED, _) if message.contains("larger than max") => Self::TooLarge,
            (_, "etcdserver: requested lease not found") => Self::NoLease,
            // The interceptor that checks `hasleader` fails before anything is proposed.
            (_, "etcdserver: no leader" | "etcdserver: too many requests") => Self::Unsent(why()),
            (
                INVALID_ARGUMENT | RESOURCE_EXHAUSTED | PERMISSION_DENIED | UNAUTHENTICATED
                | FAILED_PRECONDITION | OUT_OF_RANGE | UNIMPLEMENTED,
                _,
            ) => Self::Denied(why()),
            _ => Self::Lost(why()),
        }
    }

    /// Whether a read may be retried.
    pub(super) fn is_passing(&self) -> bool {
        matches!(self, Self::Unsent(_) | Self::Lost(_))
    }

    /// The error of a read.
    pub(super) fn of_read(self) -> Error {
        match self {
            Self::Unsent(why) | Self::Denied(why) | Self::Lost(why) => Error::Unavailable(why),
            Self::Compacted => Error::Unavailable("etcd has given up that revision".into()),
            Self::TooLarge => Error::Unavailable("etcd finds the request too large".into()),
            Self::NoLease => Error::Unavailable("etcd has given up the lease".into()),
        }
    }

    /// The error of a write of this size in bytes.
    pub(super) fn of_write(self, size: usize, limit: usize) -> Error {
        match self {
            Self::Lost(why) => Error::Unknown(why),
            // etcd counts the whole request, and may have another limit.
            Self::TooLarge => Error::TooLarge {
                size,
                limit: limit.min(size.saturating_sub(1)),
            },
            other => other.of_read(),
        }
    }
}
