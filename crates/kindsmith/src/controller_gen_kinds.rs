//! Kinds of Go packages that are written for controller-gen. Their rules are those of the CRD that it makes of them, so
//! the CRD is made here and used like any other.

use std::collections::HashSet;

use kindsmith_checks::Profile;
use kindsmith_generate::controller_gen::{self, Definition, Generated, Options, Tags};
use kindsmith_schema::{Family, Field, JsonSchema, Kind, Rule, Schema, Shape, Type, TypeId};

/// The CRDs of the kinds that are written for controller-gen, with what cannot be published or enforced.
#[must_use]
pub fn definitions(schema: &Schema, profile: Profile) -> Generated {
    let kinds: Vec<&Kind> = schema
        .kinds()
        .iter()
        .filter(|kind| is_for_crd(schema, kind.ty))
        .collect();
    if kinds.is_empty() {
        return Generated::default();
    }
    let mut generated = controller_gen::definitions(schema, &options(profile));
    let is_one_of_them = |definition: &Definition| {
        let spec = &definition.model.spec;
        let mut kinds = kinds.iter();
        kinds.any(|kind| kind.group == spec.group && kind.kind == spec.names.kind)
    };
    generated.definitions.retain(is_one_of_them);
    generated
}

/// The CRDs of all kinds, whatever they are written for; without the annotation that names a tool.
#[must_use]
pub fn all_definitions(schema: &Schema, profile: Profile) -> Generated {
    let options = Options {
        version: String::new(),
        ..options(profile)
    };
    controller_gen::definitions(schema, &options)
}

/// The schema that controller-gen makes of a type, if it is written for it.
#[must_use]
pub fn schema_of(schema: &Schema, ty: TypeId, profile: Profile) -> Option<JsonSchema> {
    is_for_crd(schema, ty).then(|| controller_gen::schema_of(schema, ty, &options(profile)).0)
}

fn options(profile: Profile) -> Options {
    Options {
        tags: Tags::Used,
        // Whether a project allows floats is a decision about its YAML files.
        allow_dangerous_types: true,
        profile,
        ..Options::default()
    }
}

/// Whether a type has rules or defaults that only controller-gen reads: `+kubebuilder:` markers on a type or field that it
/// is made of. Markers in other packages do not count: `metav1.Condition` has some, and servers use it too.
fn is_for_crd(schema: &Schema, ty: TypeId) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![ty];
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let ty = schema.ty(id);
        let package = schema.package(&ty.name.package);
        if package.is_some_and(|package| package.input) && has_markers(ty) {
            return true;
        }
        if let Shape::Def(of) | Shape::Alias(of) = &ty.shape {
            pending.extend(of.innermost());
        }
        pending.extend(ty.fields().iter().filter_map(|field| field.ty.innermost()));
    }
    false
}

fn has_markers(ty: &Type) -> bool {
    let is_marker = |rule: &Rule| rule.family == Family::Kubebuilder;
    let is_marked = |field: &Field| field.crd_default.is_some() || field.rules.iter().any(is_marker);
    ty.rules.iter().any(is_marker) || ty.fields().iter().any(is_marked)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Kinds, LoadError};

    /// The kinds of a package with one kind, whose spec has this field.
    fn kinds(field: &str) -> Result<Kinds, LoadError> {
        let text = format!(
            "// +groupName=db.example.org\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
             type Spec struct {{\n{field}\n}}\n\n// +kubebuilder:object:root=true\ntype Database struct {{\n\
             \tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\
             \tSpec Spec `json:\"spec,omitempty\"`\n\tConditions []metav1.Condition `json:\"conditions,omitempty\"`\n}}\n"
        );
        Kinds::from_go([("types.go", text.as_str())])
    }

    /// What is said about a spec, and the spec with its defaults; null if it is rejected.
    #[track_caller]
    fn check(field: &str, spec: &serde_json::Value, errors: &[&str], stored: &serde_json::Value) {
        let kinds = kinds(field).expect("right types");
        let object = json!({"apiVersion": "db.example.org/v1", "kind": "Database", "metadata": {"name": "a"}, "spec": spec});
        let review = kinds.admit(&object).expect("a known kind");
        let found: Vec<String> = review.errors.iter().map(ToString::to_string).collect();
        assert_eq!(found, errors);
        let object = review.object.unwrap_or_default();
        assert_eq!(object["spec"], *stored);
    }

    #[test]
    fn markers_of_kubebuilder_are_enforced() {
        let field =
            "\t// +kubebuilder:validation:Enum=postgres;mysql\n\tEngine string `json:\"engine,omitempty\"`";
        check(
            field,
            &json!({"engine": "oracle"}),
            &["spec.engine: Unsupported value: \"oracle\": supported values: \"postgres\", \"mysql\""],
            &json!(null),
        );
        check(
            field,
            &json!({"engine": "mysql"}),
            &[],
            &json!({"engine": "mysql"}),
        );
        let field = "\t// +kubebuilder:default=3\n\t// +kubebuilder:validation:Maximum=9\n\tReplicas int32 `json:\"replicas,omitempty\"`";
        check(field, &json!({}), &[], &json!({"replicas": 3}));
        check(
            field,
            &json!({"replicas": 12}),
            &["spec.replicas: Invalid value: 12: spec.replicas in body should be less than or equal to 9"],
            &json!(null),
        );
    }

    #[test]
    fn tags_beside_markers_are_enforced() {
        check(
            "\t// +k8s:maxLength=2\n\tZone string `json:\"zone,omitempty\"`\n\
             \t// +kubebuilder:default=3\n\tReplicas int32 `json:\"replicas,omitempty\"`",
            &json!({"zone": "abc"}),
            &["spec.zone: Too long: may not be more than 2 bytes"],
            &json!(null),
        );
    }

    #[test]
    fn packages_without_markers_stay_go_types() {
        let kinds =
            kinds("\t// +k8s:maxLength=2\n\tZone string `json:\"zone,omitempty\"`").expect("right types");
        assert!(kinds.crds().is_empty());
    }

    #[test]
    fn a_crd_that_the_server_refuses_is_an_error() {
        let field = "\t// +kubebuilder:default=\"a\"\n\t// +kubebuilder:validation:MinLength=3\n\tZone string `json:\"zone,omitempty\"`";
        let error = kinds(field).expect_err("a default against its own rule");
        assert_eq!(
            error.to_string(),
            "databases.db.example.org: spec.validation.openAPIV3Schema.properties[spec].properties[zone].default: \
             Invalid value: \"a\":  in body should be at least 3 chars long"
        );
    }
}
