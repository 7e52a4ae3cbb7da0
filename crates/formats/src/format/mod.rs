//! String formats of the `+k8s:format` tag: one file per name, one line in [`FORMATS`].
//!
//! A check reports every broken sub-rule in the order Kubernetes does. A valid value causes no allocation and
//! no run of a regular expression. The checks do not know field paths, tags or origins.

mod extended_resource_name;
pub mod grammar;
mod ip;
mod label_key;
mod label_value;
mod long_name;
mod long_name_caseless;
pub mod message;
mod path_segment_name;
mod prefixed_label_key;
mod resource_fully_qualified_name;
mod resource_pool_name;
mod short_name;
mod uuid;

/// The kind of field error for a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The text is malformed.
    Invalid,
    /// The text has more than `limit` bytes.
    TooLong {
        /// The maximum length in bytes.
        limit: usize,
    },
}

/// One broken rule of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation<'v> {
    /// The kind of field error.
    pub kind: ViolationKind,
    /// The value, or the part of it that is wrong.
    pub bad: &'v str,
    /// The detail text of the field error.
    pub detail: String,
}

impl<'v> Violation<'v> {
    fn invalid(bad: &'v str, detail: impl Into<String>) -> Self {
        Violation {
            kind: ViolationKind::Invalid,
            bad,
            detail: detail.into(),
        }
    }

    fn too_long(bad: &'v str, limit: usize) -> Self {
        Violation {
            kind: ViolationKind::TooLong { limit },
            bad,
            detail: format!("may not be more than {limit} bytes"),
        }
    }
}

/// Receives the violations of one value, in order.
pub type Report<'r, 'v> = dyn FnMut(Violation<'v>) + 'r;

/// Checks one value and reports each broken rule.
pub type Check = for<'v, 'r, 's> fn(&'v str, &'s mut Report<'r, 'v>);

/// Whether Kubernetes itself supports a format name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// `validation-gen` accepts the name.
    Kubernetes,
    /// The name appears only in KEP-5073 or the generator's docs; Kubernetes rejects it.
    Proposed,
}

/// A named string format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name as written in the tag.
    pub name: &'static str,
    /// One sentence on what is valid.
    pub doc: &'static str,
    /// A valid value.
    pub example: &'static str,
    /// Whether Kubernetes accepts the name.
    pub support: Support,
    /// The check.
    pub check: Check,
}

/// Every format, ordered by name.
pub const FORMATS: &[Format] = &[
    short_name::DNS_LABEL,
    ip::IP,
    extended_resource_name::FORMAT,
    ip::FORMAT,
    label_key::FORMAT,
    label_value::FORMAT,
    long_name::FORMAT,
    long_name_caseless::FORMAT,
    path_segment_name::FORMAT,
    prefixed_label_key::FORMAT,
    resource_fully_qualified_name::FORMAT,
    resource_pool_name::FORMAT,
    short_name::FORMAT,
    uuid::FORMAT,
];

/// Finds a format by its exact name.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Reports whether a value breaks no rule.
pub fn is_valid(format: &Format, value: &str) -> bool {
    let mut valid = true;
    (format.check)(value, &mut |_| valid = false);
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
    }

    #[test]
    fn every_example_passes_its_format() {
        for format in FORMATS {
            assert!(
                is_valid(format, format.example),
                "{}: {}",
                format.name,
                format.example
            );
            assert!(format.doc.ends_with('.'), "{}", format.name);
        }
    }
}
