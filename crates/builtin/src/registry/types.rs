//! Kinds of other packages: types whose tags declare a kind.

use std::sync::Arc;

use kindsmith_object::Release;
use kindsmith_object::meta::Scope;
use kindsmith_schema::{self as schema, Schema};

use crate::{
    DecodedObject, Kind, Names, Preparation, ScalePaths, Scaling, Settings, Strategy, Subresource, find_own,
};

/// The kinds that the requested packages declare with tags: types with `TypeMeta` and `ObjectMeta`. Of several versions
/// one is the storage version: the one marked so, or else the most stable. Kinds that the server has itself are left
/// out.
#[must_use]
pub fn kinds_of(schema: &Arc<Schema>, settings: &Settings) -> Vec<Arc<Kind>> {
    let mut groups: Vec<Vec<&schema::Kind>> = Vec::new();
    for kind in schema.kinds().iter().filter(|kind| is_served(schema, kind)) {
        let same =
            |group: &&mut Vec<&schema::Kind>| group[0].group == kind.group && group[0].kind == kind.kind;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(kind),
            None => groups.push(vec![kind]),
        }
    }
    groups
        .into_iter()
        .flat_map(|versions| make(schema, settings, &versions))
        .collect()
}

fn is_served(schema: &Schema, kind: &schema::Kind) -> bool {
    let ty = schema.ty(kind.ty);
    let is_asked_for = schema
        .package(&ty.name.package)
        .is_some_and(|package| package.input);
    let is_part = ty.options.is_subresource.is_some();
    let is_own = find_own(Release::NEWEST, &kind.group, &kind.version, &kind.kind).is_some();
    !kind.skipped && is_asked_for && !is_part && !is_own
}

/// All served versions of one kind.
fn make(schema: &Arc<Schema>, settings: &Settings, versions: &[&schema::Kind]) -> Vec<Arc<Kind>> {
    let most_stable = (0..versions.len()).max_by_key(|&index| stability(&versions[index].version));
    let stored = versions.iter().position(|kind| kind.storage);
    let stored = stored.or(most_stable).unwrap_or_default();
    let storage = Arc::new(one(schema, settings, versions[stored], None));
    let mut kinds = Vec::new();
    for (index, kind) in versions.iter().enumerate().filter(|(_, kind)| kind.served) {
        kinds.push(if index == stored {
            Arc::clone(&storage)
        } else {
            Arc::new(one(schema, settings, kind, Some(Arc::clone(&storage))))
        });
    }
    kinds
}

/// The stability of a version: `v2` before `v1` before `v1beta2` before `v1alpha1`, other names last.
fn stability(version: &str) -> (u8, u64, u64) {
    let parsed = version.strip_prefix('v').and_then(|rest| {
        let word = rest.find(|letter: char| !letter.is_ascii_digit());
        let (major, word) = rest.split_at(word.unwrap_or(rest.len()));
        let (level, minor) = match word {
            "" => (3, "0"),
            word => match (word.strip_prefix("beta"), word.strip_prefix("alpha")) {
                (Some(minor), _) => (2, minor),
                (_, Some(minor)) => (1, minor),
                _ => return None,
            },
        };
        Some((level, major.parse().ok()?, minor.parse().ok()?))
    });
    parsed.unwrap_or_default()
}

fn one(schema: &Arc<Schema>, settings: &Settings, kind: &schema::Kind, storage: Option<Arc<Kind>>) -> Kind {
    let names = Names {
        group: kind.group.clone(),
        version: kind.version.clone(),
        kind: kind.kind.clone(),
        list_kind: format!("{}List", kind.kind).into(),
        plural: kind
            .names
            .plural
            .clone()
            .unwrap_or_else(|| plural(&kind.kind).into()),
        singular: kind
            .names
            .singular
            .clone()
            .unwrap_or_else(|| kind.kind.to_lowercase().into()),
        short_names: kind.names.short.clone(),
        categories: kind.names.categories.clone(),
    };
    let ty = schema.ty(kind.ty);
    let has_marker = |name: &str| ty.options.markers.iter().any(|(marker, _)| **marker == *name);
    let scope = match kind.scope {
        schema::Scope::Namespaced if !has_marker("genclient:nonNamespaced") => Scope::Namespaced,
        _ => Scope::Cluster,
    };
    let has_field = |name: &str| schema.fields(kind.ty).any(|(_, field)| *field.name == *name);
    let has_status = kind.subresources.status
        || ty
            .options
            .supports_subresources
            .iter()
            .any(|part| **part == *"/status")
        || (has_field("Status") && has_marker("genclient") && !has_marker("genclient:noStatus"));
    let strategy: &'static dyn Strategy = match (has_status, &kind.subresources.scale) {
        (true, None) => &WithStatus(None),
        (true, Some(_)) => &WithStatus(Some(Scaling::Text)),
        (false, None) => &WithoutStatus(None),
        (false, Some(_)) => &WithoutStatus(Some(Scaling::Text)),
    };
    let mut made = Kind::new(names, scope, Arc::clone(schema), kind.ty, strategy);
    made.storage = storage;
    made.scale_paths = kind.subresources.scale.as_ref().map(ScalePaths::new);
    made.settings = settings.clone();
    made
}

/// The plural of a kind (`UnsafeGuessKindToResource` in apimachinery's pkg/api/meta/restmapper.go).
fn plural(kind: &str) -> String {
    let singular = kind.to_lowercase();
    if singular.ends_with("endpoints") {
        return singular;
    }
    match singular.as_bytes().last() {
        Some(b's') => singular + "es",
        Some(b'y') => format!("{}ies", &singular[..singular.len() - 1]),
        _ => singular + "s",
    }
}

/// A kind with a status subresource.
#[derive(Debug)]
struct WithStatus(Option<Scaling>);

impl Strategy for WithStatus {
    fn checks_finalizers(&self) -> bool {
        false
    }

    fn subresources(&self) -> &'static [Subresource] {
        match self.0 {
            None => &[Subresource::STATUS],
            Some(_) => &[Subresource::SCALE, Subresource::STATUS],
        }
    }

    fn scaling(&self) -> Option<Scaling> {
        self.0
    }

    fn reset_fields(&self, subresource: &str) -> &'static [&'static [&'static str]] {
        match subresource {
            "status" => &[&["spec"], &["metadata"]],
            _ => &[&["status"]],
        }
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        crate::kind::prepare_generation(preparation, decoded, &["spec"]);
    }
}

/// A kind without a status subresource; the generation is incremented when its spec changes.
#[derive(Debug)]
struct WithoutStatus(Option<Scaling>);

impl Strategy for WithoutStatus {
    fn checks_finalizers(&self) -> bool {
        false
    }

    fn subresources(&self) -> &'static [Subresource] {
        match self.0 {
            None => &[],
            Some(_) => &[Subresource::SCALE],
        }
    }

    fn scaling(&self) -> Option<Scaling> {
        self.0
    }

    fn prepare<'a>(&self, preparation: &Preparation<'_, 'a>, decoded: &mut DecodedObject<'a>) {
        match preparation.old {
            None => decoded.meta.generation = 1,
            Some(old) if !preparation.is_same(decoded, old, "spec") => {
                decoded.meta.generation = old.meta.generation.saturating_add(1);
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use kindsmith_json::{Arena, Value, to_string};
    use kindsmith_request::{Body, FieldValidation, Media, NoAdmission, Operation, Stamp, Write};

    use super::*;

    const DOC: &str =
        "// +groupName=demo.example.org\n// +k8s:validation-gen=TypesWithField=TypeMeta\npackage ";
    const TYPES: &str = r#"
import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +genclient
// +genclient:nonNamespaced
type Policy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec   PolicySpec   `json:"spec"`
	Status PolicyStatus `json:"status,omitempty"`
}

type PolicySpec struct {
	// +k8s:minimum=1
	// +default=3
	Size *int32 `json:"size,omitempty"`
	EXTRA
}

type PolicyStatus struct {
	Phase string `json:"phase,omitempty"`
}
"#;

    fn kinds() -> Vec<Arc<Kind>> {
        let v1 = TYPES.replace("EXTRA", "New string `json:\"new,omitempty\"`");
        let beta = TYPES.replace("EXTRA", "Old string `json:\"old,omitempty\"`");
        let files = [
            ("api/demo/v1/doc.go", format!("{DOC}v1\n")),
            ("api/demo/v1/types.go", format!("package v1\n{v1}")),
            ("api/demo/v1beta1/doc.go", format!("{DOC}v1beta1\n")),
            ("api/demo/v1beta1/types.go", format!("package v1beta1\n{beta}")),
        ];
        let extra: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let mut kinds = kinds_of(
            &Arc::new(crate::types::read_with(&extra).schema),
            &Settings::default(),
        );
        kinds.retain(|kind| *kind.names.group == *"demo.example.org");
        kinds
    }

    fn write<'a>(version: &'a str, name: &'a str, operation: Operation<'a>) -> Write<'a> {
        Write {
            version,
            operation,
            namespace: "",
            name,
            field_validation: FieldValidation::Warn,
            is_dry_run: false,
            stamp: Stamp {
                uid: "u",
                now: "2026-01-01T00:00:00Z",
                name_suffix: "abcde",
            },
        }
    }

    fn send<'a>(
        arena: &'a Arena,
        kind: &'a Kind,
        write: &Write<'a>,
        text: &'a str,
    ) -> Result<(String, Value<'a>), String> {
        let body = Body {
            bytes: text.as_bytes(),
            media: Media::Json,
        };
        let outcome = kind.write(arena, write, body, &mut NoAdmission);
        outcome
            .result
            .map(|written| (to_string(written.object), written.stored))
            .map_err(|status| status.message)
    }

    #[test]
    fn tags_say_how_a_kind_is_served() {
        let kinds = kinds();
        let versions: Vec<&str> = kinds.iter().map(|kind| &*kind.names.version).collect();
        assert_eq!(versions, ["v1", "v1beta1"]);
        for kind in &kinds {
            assert_eq!(&*kind.names.group, "demo.example.org");
            assert_eq!(&*kind.names.plural, "policies");
            assert_eq!(kind.scope, Scope::Cluster);
            assert_eq!(kind.strategy.subresources(), [Subresource::STATUS]);
            assert_eq!(&*kind.key_prefix(), "/registry/demo.example.org/policies/");
        }
    }

    #[test]
    fn the_most_stable_version_is_stored() {
        let mut versions = ["v1alpha1", "v2", "edge", "v1beta2", "v1", "v1beta1"];
        versions.sort_by_key(|version| stability(version));
        assert_eq!(versions, ["edge", "v1alpha1", "v1beta1", "v1beta2", "v1", "v2"]);
    }

    #[test]
    fn objects_are_defaulted_validated_and_converted_by_name() {
        let kinds = kinds();
        let arena = Arena::new();
        let create = write("v1", "", Operation::Create);
        let refused = r#"{"metadata":{"name":"a"},"spec":{"size":0}}"#;
        assert_eq!(
            send(&arena, &kinds[0], &create, refused).map(|_| ()),
            Err(
                "Policy.demo.example.org \"a\" is invalid: spec.size: Invalid value: 0: must be greater than or equal \
                 to 1"
                .to_owned()
            )
        );
        let sent = r#"{"metadata":{"name":"a"},"spec":{"new":"x"},"status":{"phase":"P"}}"#;
        let (answer, stored) = send(&arena, &kinds[0], &create, sent).expect("it is valid");
        assert_eq!(
            answer,
            concat!(
                r#"{"kind":"Policy","apiVersion":"demo.example.org/v1","metadata":{"name":"a","uid":"u","generation":1,"#,
                r#""creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"size":3,"new":"x"},"status":{}}"#
            )
        );
        let read = kinds[1].read(&arena, stored).expect("it is an object");
        assert_eq!(
            to_string(read.get("spec").expect("a spec")),
            r#"{"size":3}"#,
            "a field of another name is not there"
        );
        let mut old = stored;
        old.set(&arena, &["metadata", "resourceVersion"], Value::Str("7"));
        let update = write("v1", "a", Operation::Update { old: Some(old) });
        let changed = r#"{"metadata":{"name":"a"},"spec":{"new":"y"}}"#;
        let (answer, _) = send(&arena, &kinds[0], &update, changed).expect("it is valid");
        assert!(answer.contains(r#""generation":2"#), "{answer}");
        let missing = write("v1", "a", Operation::Update { old: None });
        assert_eq!(
            send(&arena, &kinds[0], &missing, sent).map(|_| ()),
            Err("policies.demo.example.org \"a\" not found".to_owned())
        );
    }
}
