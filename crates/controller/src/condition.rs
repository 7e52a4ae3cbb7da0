//! The condition of an object, in Config Connector's words.

/// Why an object is ready or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The resource is as the object says.
    UpToDate,
    /// A write is under way.
    Updating,
    /// A write, or the read before it, failed.
    UpdateFailed,
    /// The deletion is under way.
    Deleting,
    /// The deletion failed.
    DeleteFailed,
    /// An object that is referred to is not ready.
    DependencyNotReady,
    /// There is no such object.
    DependencyNotFound,
    /// It is there, but not what is needed.
    DependencyInvalid,
    /// The service accepts the same change again and again without making it.
    NotConverging,
}

impl Reason {
    /// The reason as it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reason::UpToDate => "UpToDate",
            Reason::Updating => "Updating",
            Reason::UpdateFailed => "UpdateFailed",
            Reason::Deleting => "Deleting",
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
        !matches!(self, Reason::UpToDate | Reason::Updating | Reason::Deleting)
    }
}

/// The `Ready` condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Why.
    pub reason: Reason,
    /// For people.
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

    /// Everything is as it should be.
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
