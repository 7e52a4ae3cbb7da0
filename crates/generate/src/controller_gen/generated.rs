//! What generating CRDs gives.

use kindsmith_openapi::crd;
use kindsmith_schema::Place;

/// A generated CRD.
#[derive(Debug, Clone)]
pub struct Definition {
    /// The name of its file.
    pub file_name: String,
    /// The document, including the header.
    pub text: String,
    /// The size as JSON in bytes, which is how it is sent and stored.
    pub bytes: usize,
    /// The CRD as a model.
    pub model: crd::Definition,
}

/// A declaration that cannot be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its place.
    pub place: Place,
    /// What it is about.
    pub about: About,
    /// The message; controller-gen's if it rejects it too.
    pub message: String,
}

/// What a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// A declaration, or the CRD as a whole.
    Declaration,
    /// Which versions of a kind are served and stored.
    Versions,
    /// A rule that a CRD cannot express.
    Rule,
    /// A rule that depends on an option whose state is unknown.
    Option,
}

/// The result: CRDs are generated even if there are problems.
#[derive(Debug, Clone, Default)]
pub struct Generated {
    /// By kind and group.
    pub definitions: Vec<Definition>,
    /// In the order found.
    pub problems: Vec<Problem>,
    /// Rules that the server will not enforce, in the order found.
    pub unenforced: Vec<Problem>,
}
