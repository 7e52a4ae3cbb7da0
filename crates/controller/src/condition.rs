//! The `Ready` condition of an object, with Config Connector's reasons.

/// Why an object is ready or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The resource matches the object.
    UpToDate,
    /// A write is in progress.
    Updating,
    /// A write, or the read before it, failed.
    UpdateFailed,
    /// The deletion is in progress.
    Deleting,
    /// The resource is gone, or is no longer under control; only an event, since the object goes too.
    Deleted,
    /// The deletion failed.
    DeleteFailed,
    /// A referenced object is not ready.
    DependencyNotReady,
    /// A referenced object does not exist.
    DependencyNotFound,
    /// A referenced object exists but cannot be used.
    DependencyInvalid,
    /// The service accepts the same change repeatedly without making it.
    NotConverging,
}

impl Reason {
    /// The reason as in the condition.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reason::UpToDate => "UpToDate",
            Reason::Updating => "Updating",
            Reason::UpdateFailed => "UpdateFailed",
            Reason::Deleting => "Deleting",
            Reason::Deleted => "Deleted",
            Reason::DeleteFailed => "DeleteFailed",
            Reason::DependencyNotReady => "DependencyNotReady",
            Reason::DependencyNotFound => "DependencyNotFound",
            Reason::DependencyInvalid => "DependencyInvalid",
            Reason::NotConverging => "NotConverging",
        }
    }

    /// Whether its event is a warning.
    #[must_use]
    pub fn is_warning(self) -> bool {
        !matches!(
            self,
            Reason::UpToDate | Reason::Updating | Reason::Deleting | Reason::Deleted
        )
    }
}

/// The `Ready` condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The reason.
    pub reason: Reason,
    /// The message, for people.
    pub message: String,
}

impl Condition {
    /// A condition.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Condition {
            reason,
            message: message.into(),
        }
    }

    /// The resource is up to date.
    #[must_use]
    pub fn up_to_date() -> Self {
        Self::new(Reason::UpToDate, "The resource is up to date")
    }

    /// `True` or `False`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self.reason {
            Reason::UpToDate => "True",
            _ => "False",
        }
    }
}
