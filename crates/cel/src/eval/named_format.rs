//! A named format as a value. The formats themselves are in the library.

/// A named format with the size of its pattern.
#[derive(Debug)]
pub struct NamedFormat {
    /// The name by which `format.named` finds it.
    pub name: &'static str,
    /// The name it prints with.
    pub title: &'static str,
    /// The size charged for its pattern.
    pub regex_size: u64,
    /// What is wrong with a text.
    pub(crate) validate: fn(&str) -> Vec<String>,
}
