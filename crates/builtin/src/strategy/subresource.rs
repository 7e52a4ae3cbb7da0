//! Subresources of built-in kinds.

/// A subresource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subresource {
    /// The last part of the path: `status`.
    pub name: &'static str,
    /// Group, version and kind of request and response bodies; `None` for those of the object.
    pub kind: Option<(&'static str, &'static str, &'static str)>,
    /// The verbs, in discovery order.
    pub verbs: &'static [&'static str],
    /// Whether it can be requested as a table: whether its storage implements `TableConvertor`.
    pub has_table: bool,
}

const READ_WRITE: &[&str] = &["get", "patch", "update"];

impl Subresource {
    /// `/status`: everything except the status is kept from the stored object.
    pub const STATUS: Subresource = Subresource::of("status");
    /// `/scale`: the object as an `autoscaling/v1` `Scale`.
    pub const SCALE: Subresource = Subresource {
        kind: Some(("autoscaling", "v1", "Scale")),
        ..Subresource::of("scale")
    };

    /// `/proxy`: requests of any method that are passed on; the kind is that of the options.
    #[must_use]
    pub const fn proxy(options: &'static str) -> Self {
        Subresource {
            kind: Some(("", "v1", options)),
            verbs: &["create", "delete", "get", "patch", "update"],
            ..Subresource::of("proxy")
        }
    }

    /// A subresource that is read and written as the whole object.
    #[must_use]
    pub const fn of(name: &'static str) -> Self {
        Subresource {
            name,
            kind: None,
            verbs: READ_WRITE,
            has_table: true,
        }
    }

    /// The same, but never as a table.
    #[must_use]
    pub const fn untabled(self) -> Self {
        Subresource {
            has_table: false,
            ..self
        }
    }
}

/// How a scalable object selects its pods in `spec.selector`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// By a map of labels.
    Labels,
    /// By a label selector.
    Selector,
    /// By the text at the path of its marker.
    Text,
}
