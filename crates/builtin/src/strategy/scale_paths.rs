//! Where the members of a `Scale` are in an object.

use kindsmith_schema::Str;

/// Where a kind of another package keeps what a `Scale` shows, as its marker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalePaths {
    pub(crate) spec: Vec<Str>,
    pub(crate) status: Vec<Str>,
    pub(crate) selector: Option<Vec<Str>>,
}

impl ScalePaths {
    pub(crate) fn new(scale: &kindsmith_schema::Scale) -> Self {
        let members = |path: &Str| {
            let names = path.split('.').filter(|name| !name.is_empty());
            names.map(Str::from).collect()
        };
        Self {
            spec: members(&scale.spec_path),
            status: members(&scale.status_path),
            selector: scale.selector_path.as_ref().map(members),
        }
    }
}
