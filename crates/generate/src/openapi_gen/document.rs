//! What generating OpenAPI definitions gives.

use kindsmith_schema::Place;

/// A document of definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The document, keys sorted.
    pub text: String,
    /// Definitions of the input packages, by name.
    pub own: Vec<String>,
    /// Definitions of library types that these refer to.
    pub library: Vec<String>,
    /// Referenced types without a definition: their source was not found, or openapi-gen is not enabled for
    /// it.
    pub missing: Vec<String>,
    /// Types described by Go code that does more than return a literal; we do not run it.
    pub handwritten: Vec<String>,
    /// Declarations that cannot be published.
    pub problems: Vec<Problem>,
}

/// A declaration that cannot be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its place.
    pub place: Place,
    /// openapi-gen's message, if it has one.
    pub message: String,
}
