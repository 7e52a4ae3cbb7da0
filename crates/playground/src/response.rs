//! What the page gets. Offsets are in UTF-16 units, as browsers count.

use serde::Serialize;

/// The answer.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Response {
    pub(crate) verdict: Verdict,
    /// One sentence about the object.
    pub(crate) summary: String,
    /// Of all panes, each at its place.
    pub(crate) findings: Vec<Finding>,
    /// The object as the server would store it; `None` if it is rejected.
    pub(crate) stored: Option<Stored>,
    /// What the server changed.
    pub(crate) changes: Vec<Change>,
    /// Errors that an update does not get, because the value did not change.
    pub(crate) ratcheted: Vec<Ratcheted>,
    /// Generated text of the panel that is shown: CRDs, OpenAPI.
    pub(crate) text: Option<String>,
    /// Generated documentation, as HTML.
    pub(crate) html: Option<String>,
    pub(crate) rules: Option<Vec<Rule>>,
    pub(crate) apply: Option<Applied>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// Nothing is typed yet.
    #[default]
    None,
    /// The server would store it.
    Allowed,
    /// The server would not.
    Rejected,
    /// It cannot be read, or there is no schema for it.
    Unknown,
}

/// A text field of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pane {
    Go,
    Crds,
    Policies,
    Object,
    Old,
}

/// A range of a pane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Place {
    pub(crate) pane: Pane,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Counted from 1.
    pub(crate) line: usize,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finding {
    pub(crate) severity: &'static str,
    /// The code of a page (`kindsmith rules CODE`); empty for the server's own words.
    pub(crate) code: &'static str,
    pub(crate) message: String,
    #[serde(flatten)]
    pub(crate) place: Place,
    /// The tag, keyword or rule behind it.
    pub(crate) cause: Option<Cause>,
    pub(crate) help: Vec<String>,
    pub(crate) fix: Option<Fix>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Cause {
    pub(crate) label: String,
    #[serde(flatten)]
    pub(crate) place: Place,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Fix {
    pub(crate) title: String,
    pub(crate) safe: bool,
    pub(crate) edits: Vec<Edit>,
}

#[derive(Debug, Clone, Serialize)]
pub(crate) struct Edit {
    #[serde(flatten)]
    pub(crate) place: Place,
    pub(crate) text: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Stored {
    /// As YAML.
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark>,
}

/// A range of the stored object.
#[derive(Debug, Serialize)]
pub(crate) struct Mark {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: ChangeKind,
}

/// Something that the server changed.
#[derive(Debug, Serialize)]
pub(crate) struct Change {
    pub(crate) kind: ChangeKind,
    pub(crate) path: String,
    /// The new value as JSON; empty if it was removed.
    pub(crate) value: String,
    /// Where the object has the old value.
    pub(crate) place: Option<Place>,
    /// The tag or keyword behind it.
    pub(crate) cause: Option<Cause>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeKind {
    /// Filled in.
    Defaulted,
    /// Dropped, because the schema does not have it.
    Pruned,
    /// Dropped, because null means that it is not set.
    Dropped,
    /// Not stored, because the release or the kind does not use it.
    Cleared,
    /// Written in another form.
    Coerced,
    /// Set or removed by an admission policy.
    Mutated,
}

#[derive(Debug, Serialize)]
pub(crate) struct Ratcheted {
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
    pub(crate) cause: Option<Cause>,
}

/// A CEL rule.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rule {
    /// The field of the schema.
    pub(crate) at: String,
    pub(crate) expression: String,
    #[serde(rename = "type")]
    pub(crate) ty: String,
    /// Why it does not compile.
    pub(crate) error: Option<String>,
    /// The most that one evaluation can cost; `None` without bound.
    pub(crate) estimate: Option<u64>,
    /// How many values the estimate assumes.
    pub(crate) times: u64,
    /// The part of a rule's budget that the estimate uses.
    pub(crate) share: f64,
    pub(crate) evaluations: Vec<Evaluation>,
    /// Whether it runs only on updates.
    pub(crate) is_transition: bool,
    pub(crate) place: Option<Place>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Evaluation {
    pub(crate) at: String,
    pub(crate) value: String,
    pub(crate) cost: u64,
}

/// The result of a server-side apply.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Applied {
    /// The merged object as YAML.
    pub(crate) text: Option<String>,
    /// Why it failed.
    pub(crate) error: Option<String>,
    pub(crate) owners: Vec<Owner>,
    pub(crate) conflicts: Vec<Conflict>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Owner {
    pub(crate) name: String,
    pub(crate) fields: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Conflict {
    pub(crate) field: String,
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
}
