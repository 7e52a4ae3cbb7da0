//! Releases of Kubernetes: which kinds and fields of built-in kinds one of them has. The table `api/versions.txt` holds what
//! came and went against the types under `api/`; rules and defaults are those of the newest release.

use std::collections::HashSet;

use kindsmith_builtin::types::{History, own_schema};
use kindsmith_json::Value;
use kindsmith_json::path::{PathBuf, Step};
use kindsmith_object::GroupVersion;
use kindsmith_schema::{Field, Schema, Shape, TypeRef};

/// The oldest release whose kinds and fields are known. Its rules are those of the oldest one that is known whole.
const FIRST: kindsmith_object::Release = kindsmith_object::Release::minor(29);
const LAST: kindsmith_object::Release = kindsmith_object::Release::NEWEST;

/// A release, with what it lacks.
#[derive(Debug)]
pub(super) struct Release {
    pub(super) release: kindsmith_object::Release,
    history: History,
}

/// What a release says about an object beyond what the newest does.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Set if the kind came later: with this release.
    pub(super) kind_since: Option<String>,
    /// Fields that came later, and with which release.
    pub(super) unknown: Vec<(PathBuf, String)>,
    /// Fields that only old releases know.
    pub(super) known: HashSet<PathBuf>,
}

impl Verdict {
    /// Whether the verdict says more about an unknown field than a warning does.
    pub(super) fn explains(&self, path: &PathBuf) -> bool {
        self.known.contains(path) || self.unknown.iter().any(|(later, _)| later == path)
    }
}

/// Reads `1.31`, with or without `v` and patch release.
pub(super) fn parse(text: &str) -> Result<kindsmith_object::Release, String> {
    let known = || format!("known are {FIRST} to {LAST}");
    let release = kindsmith_object::Release::parse(text)
        .ok_or_else(|| format!("expected a version such as 1.31; {}", known()))?;
    if (FIRST..=LAST).contains(&release) {
        Ok(release)
    } else {
        Err(known())
    }
}

/// Releases from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: kindsmith_object::Release,
    last: kindsmith_object::Release,
}

impl Range {
    /// Whether it has only one release.
    pub(super) fn is_one(self) -> bool {
        self.first == self.last
    }

    /// All its releases, oldest first.
    pub(super) fn releases(self) -> Vec<kindsmith_object::Release> {
        (self.first.number()..=self.last.number())
            .map(kindsmith_object::Release::minor)
            .collect()
    }
}

/// Reads `1.36`, or `1.34..1.37` with both ends.
pub(super) fn parse_range(text: &str) -> Result<Range, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (parse(first)?, parse(last)?);
    if first > last {
        return Err(format!("{first} is newer than {last}; write {last}..{first}"));
    }
    Ok(Range { first, last })
}

impl Release {
    pub(super) fn new(release: kindsmith_object::Release) -> Self {
        Self {
            release,
            history: History::after(release),
        }
    }

    /// What the release says about an object of a built-in kind.
    pub(super) fn judge(&self, api_version: &str, kind: &str, object: Value<'_>) -> Verdict {
        let GroupVersion { group, version } = GroupVersion::parse(api_version).unwrap_or_default();
        let schema = own_schema();
        let known = schema
            .kinds()
            .iter()
            .find(|known| (&*known.group, &*known.version, &*known.kind) == (group, version, kind));
        let mut verdict = Verdict::default();
        if let Some(kind) = known {
            let name = table_name(schema, kind.ty);
            verdict.kind_since = self.since(&name, "*");
            self.walk(
                schema,
                &TypeRef::Named(kind.ty),
                object,
                &mut Vec::new(),
                &mut verdict,
            );
        }
        verdict
    }

    /// The name for people: `1.31`.
    pub(super) fn name(&self) -> String {
        self.release.to_string()
    }

    fn since(&self, name: &str, field: &str) -> Option<String> {
        self.history.since(name, field).map(|since| since.to_string())
    }

    fn walk(
        &self,
        schema: &Schema,
        ty: &TypeRef,
        value: Value<'_>,
        path: &mut Vec<Step>,
        verdict: &mut Verdict,
    ) {
        match ty {
            TypeRef::Pointer(ty) => self.walk(schema, ty, value, path, verdict),
            TypeRef::List(ty) | TypeRef::Array(_, ty) => {
                for (index, item) in value.as_array().unwrap_or_default().iter().enumerate() {
                    path.push(Step::Index(index));
                    self.walk(schema, ty, *item, path, verdict);
                    path.pop();
                }
            }
            TypeRef::Map(_, ty) => {
                for (key, item) in value.as_object().into_iter().flat_map(|object| object.iter()) {
                    path.push(Step::Key(key.into()));
                    self.walk(schema, ty, item, path, verdict);
                    path.pop();
                }
            }
            TypeRef::Named(id) => match &schema.ty(*id).shape {
                Shape::Def(ty) | Shape::Alias(ty) => self.walk(schema, ty, value, path, verdict),
                Shape::Struct(_) if schema.ty(*id).well_known.is_none() => {
                    for (key, item) in value.as_object().into_iter().flat_map(|object| object.iter()) {
                        path.push(Step::Field(key.into()));
                        self.member(schema, *id, key, item, path, verdict);
                        path.pop();
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn member(
        &self,
        schema: &Schema,
        owner: kindsmith_schema::TypeId,
        key: &str,
        value: Value<'_>,
        path: &mut Vec<Step>,
        verdict: &mut Verdict,
    ) {
        let Some((owner, field)) = find(schema, owner, key) else {
            if self.history.is_gone(&table_name(schema, owner), key) {
                verdict.known.insert(path.iter().cloned().collect());
            }
            return;
        };
        match self.since(&table_name(schema, owner), key) {
            Some(since) => verdict.unknown.push((path.iter().cloned().collect(), since)),
            None => self.walk(schema, &field.ty, value, path, verdict),
        }
    }
}

/// The field with a JSON name, of a struct or of those embedded in it, with its owner.
fn find<'s>(
    schema: &'s Schema,
    owner: kindsmith_schema::TypeId,
    key: &str,
) -> Option<(kindsmith_schema::TypeId, &'s Field)> {
    let Shape::Struct(members) = &schema.ty(owner).shape else {
        return None;
    };
    let own = members
        .fields
        .iter()
        .find(|field| *field.json.name == *key && !field.json.skip);
    if let Some(field) = own {
        return Some((owner, field));
    }
    let embedded = members
        .fields
        .iter()
        .filter(|field| field.embedded || field.json.inline);
    embedded
        .filter(|field| field.json.name.is_empty())
        .find_map(|field| match field.ty {
            TypeRef::Named(id) => find(schema, id, key),
            _ => None,
        })
}

/// The name of a type in the table: `core/v1.PodSpec`.
fn table_name(schema: &Schema, ty: kindsmith_schema::TypeId) -> String {
    let name = &schema.ty(ty).name;
    let mut parts = name.package.rsplit('/');
    let (version, group) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    format!("{group}/{version}.{}", name.name)
}

#[cfg(test)]
mod tests {
    use kindsmith_json::Arena;

    use super::*;

    fn check(release: &str, api_version: &str, kind: &str, object: &str, expected: &[&str]) {
        let arena = Arena::new();
        let object = kindsmith_json::parse_str(&arena, object).expect("JSON");
        let verdict = Release::new(parse(release).expect("is known")).judge(api_version, kind, object);
        let kind = verdict.kind_since.map(|since| format!("kind {since}"));
        let fields = verdict
            .unknown
            .iter()
            .map(|(path, since)| format!("{path} {since}"));
        let known = verdict.known.iter().map(|path| format!("{path} gone"));
        let found: Vec<String> = kind.into_iter().chain(fields).chain(known).collect();
        assert_eq!(found, expected, "{release}");
    }

    #[test]
    fn releases_know_their_kinds_and_fields() {
        let pod = r#"{"spec": {"containers": [{"restartPolicyRules": []}], "securityContext": {"appArmorProfile": {}}}}"#;
        check("1.38", "v1", "Pod", pod, &[]);
        check(
            "1.33",
            "v1",
            "Pod",
            pod,
            &["spec.containers[0].restartPolicyRules 1.34"],
        );
        check(
            "v1.29.4",
            "v1",
            "Pod",
            pod,
            &[
                "spec.containers[0].restartPolicyRules 1.34",
                "spec.securityContext.appArmorProfile 1.30",
            ],
        );
        let policy = "admissionregistration.k8s.io/v1";
        check("1.29", policy, "ValidatingAdmissionPolicy", "{}", &["kind 1.30"]);
        check("1.30", policy, "ValidatingAdmissionPolicy", "{}", &[]);
        let claim = r#"{"spec": {"resourceClaims": [{"source": {}}]}}"#;
        check(
            "1.30",
            "v1",
            "Pod",
            claim,
            &["spec.resourceClaims[0].source gone"],
        );
        check("1.31", "v1", "Pod", claim, &[]);
    }

    #[test]
    fn ranges_have_both_ends() {
        let names = |text| parse_range(text).map(|range| range.releases().len());
        assert_eq!(names("1.34..1.37"), Ok(4));
        assert_eq!(names("1.36"), Ok(1));
        let error = parse_range("1.37..1.34").expect_err("it goes backward");
        assert_eq!(error, "1.37 is newer than 1.34; write 1.34..1.37");
    }

    #[test]
    fn other_versions_are_refused() {
        for text in ["", "1", "1.28", "1.39", "2.30", "x"] {
            let error = parse(text).expect_err("is unknown");
            assert!(error.contains("1.29 to 1.38"), "{error}");
        }
    }
}
