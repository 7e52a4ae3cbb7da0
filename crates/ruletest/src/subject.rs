//! What cases run against: CRDs, or the types of Go packages. Must not know cases.

use std::fmt;

use kindsmith::crds::Crds;
use kindsmith::{AdmitError, ArenaReview, Kinds, Release, Write};
use kindsmith_json::{Arena, Value, parse_str, to_string, yaml};
use kindsmith_merge::patch::JsonPatch;

/// CRDs or Go types that cases run against.
#[derive(Debug)]
pub struct Subject {
    /// What messages call it, such as the file of the CRD; may be empty.
    pub name: String,
    /// Why the API server would not create the CRD, though it keeps such a CRD that it has stored.
    pub notes: Vec<String>,
    kinds: Kinds,
    /// The CRD as JSON, if there is only one: cases may patch it.
    definition: Option<String>,
}

/// Why a CRD cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectError(String);

impl fmt::Display for SubjectError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for SubjectError {}

impl Subject {
    /// CRDs and Go types that were already read.
    #[must_use]
    pub fn new(name: impl Into<String>, kinds: Kinds) -> Self {
        Self {
            name: name.into(),
            kinds,
            definition: None,
            notes: Vec::new(),
        }
    }

    /// The same, if the API server would accept all CRDs.
    ///
    /// # Errors
    ///
    /// The server's errors for the first CRD that it rejects.
    pub fn checked(name: impl Into<String>, kinds: Kinds) -> Result<Self, SubjectError> {
        for (file, document) in kinds.crds().documents() {
            let arena = Arena::new();
            let parsed = yaml::parse(&arena, document.as_bytes());
            let value = parsed.map_err(|error| SubjectError(format!("{file}: {error}")))?;
            if kindsmith::is_definition(value) {
                Self::of_value(file, value, kinds.release())?;
            }
        }
        Ok(Self::new(name, kinds))
    }

    /// One CRD, with all of its versions or with one of them as the only one.
    ///
    /// # Errors
    ///
    /// If the API server would reject the CRD, or it lacks the version.
    pub fn of_crd(
        name: &str,
        text: &str,
        version: Option<&str>,
        release: Release,
    ) -> Result<Self, SubjectError> {
        let arena = Arena::new();
        let parsed = yaml::parse(&arena, text.as_bytes());
        let mut value = parsed.map_err(|error| SubjectError(format!("{name}: {error}")))?;
        if let Some(version) = version {
            value = only_version(&arena, value, version)
                .ok_or_else(|| SubjectError(format!("{name}: the CRD has no version `{version}`")))?;
        }
        Self::of_value(name, value, release)
    }

    fn of_value(name: &str, value: Value<'_>, release: Release) -> Result<Self, SubjectError> {
        let mut crds = Crds::default();
        crds.learn(value);
        let kinds = Kinds::new(crds, None).with_release(release);
        let arena = Arena::new();
        let review = kinds.review(&arena, &Write::create(value.copy_in(&arena)));
        // A CRD with expensive rules cannot be created, but one that is stored keeps them.
        let (costs, errors): (Vec<String>, Vec<String>) = match &review {
            Ok(review) => {
                let texts = |is_cost| {
                    let errors = review.errors.iter();
                    let wanted = errors.filter(move |error| error.is_about_cost() == is_cost);
                    wanted.map(ToString::to_string).collect()
                };
                (texts(true), texts(false))
            }
            Err(error) => (Vec::new(), vec![error.to_string()]),
        };
        if !errors.is_empty() || kinds.crds().is_empty() {
            return Err(SubjectError(format!(
                "{name}: the API server rejects the CRD: {}",
                errors.join("; ")
            )));
        }
        drop(review);
        Ok(Self {
            name: name.to_owned(),
            kinds,
            definition: Some(to_string(value)),
            notes: costs.into_iter().take(1).collect(),
        })
    }

    /// The same CRD after a JSON patch.
    ///
    /// # Errors
    ///
    /// If there is more than one CRD, or the patch does not fit, or its result is no valid CRD.
    pub fn patched(&self, patch: &str) -> Result<Self, SubjectError> {
        let definition = self.definition.as_deref();
        let definition =
            definition.ok_or_else(|| SubjectError("only a case with one CRD can patch it".to_owned()))?;
        let arena = Arena::new();
        let wrong = |error: String| SubjectError(format!("initialCRDPatches: {error}"));
        let patch = JsonPatch::decode(&arena, arena.alloc_str(patch).as_bytes());
        let patch = patch.map_err(|error| wrong(error.to_string()))?;
        let target = parse_str(&arena, definition).map_err(|error| wrong(error.to_string()))?;
        let patched = patch.apply_or_tell(&arena, target);
        let value = patched.map_err(|error| wrong(error.to_string()))?;
        Self::of_value(&self.name, value, self.kinds.release())
    }

    /// The kinds.
    #[must_use]
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Whether objects of this kind are validated as a Go type.
    #[must_use]
    pub fn is_go(&self, api_version: &str, kind: &str) -> bool {
        self.kinds.crds().of_object(api_version, kind).is_none()
    }

    /// Reviews a write. A Go type is looked for in the package of the object's version first.
    ///
    /// # Errors
    ///
    /// If there is no schema for the object.
    pub fn review<'a>(&'a self, arena: &'a Arena, write: &Write<'a>) -> Result<ArenaReview<'a>, AdmitError> {
        let (api_version, kind) = identity(write.object);
        if let Some(go_types) = self.kinds.go_types()
            && self.is_go(api_version, kind)
            && !kindsmith::is_definition(write.object)
            && let Some(ty) = self.go_type(api_version, kind)
        {
            let plan = go_types.plan(ty, write.profile);
            let review = kindsmith::go_types::review(plan, arena, write);
            return Ok(review.map(|object| plan.encoded(arena, object)));
        }
        self.kinds.review(arena, write)
    }

    /// The Go type of a kind, from the package of the version if several have it.
    #[must_use]
    pub fn go_type(&self, api_version: &str, kind: &str) -> Option<kindsmith_schema::TypeId> {
        let go_types = self.kinds.go_types()?;
        let version = api_version.rsplit('/').next().unwrap_or_default();
        let of_version = go_types.find(Some(version), kind);
        of_version.or_else(|_| go_types.find(None, kind)).ok()
    }
}

/// The `apiVersion` and `kind` of an object.
#[must_use]
pub fn identity(object: Value<'_>) -> (&str, &str) {
    let text = |key| object.get(key).and_then(Value::as_str).unwrap_or_default();
    (text("apiVersion"), text("kind"))
}

/// The CRD with one version only, served and stored.
fn only_version<'a>(arena: &'a Arena, definition: Value<'a>, name: &str) -> Option<Value<'a>> {
    let versions = definition.lookup(&["spec", "versions"])?.as_array()?;
    let is_it = |version: &&Value<'a>| version.get("name").and_then(Value::as_str) == Some(name);
    let mut version = *versions.iter().find(is_it)?;
    version.set(arena, &["served"], Value::Bool(true));
    version.set(arena, &["storage"], Value::Bool(true));
    let mut definition = definition;
    definition.set(
        arena,
        &["spec", "versions"],
        Value::Array(arena.alloc_slice_copy(&[version])),
    );
    Some(definition)
}
