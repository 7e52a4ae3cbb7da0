//! Markers of controller-gen: their meaning, and misuse with its messages.

use crate::declared::{PACKAGE, declared};
use crate::resource::{check, field, meaning, resource};
use kindsmith_schema::{Bound, CelRule, ExternalDocs, Facet, Family, Json, Limit, Scope, Wrap};
use kindsmith_tags::Profile;

const MISUSE: &str = "error[marker-misuse] ";
const SYNTAX: &str = "error[marker-syntax] ";

fn misuse(ty: &str, marker: &str, message: &str) {
    check(ty, &format!("+{marker}"), &[&format!("{MISUSE}{message}")]);
}

fn rule(ty: &str, marker: &str, facet: Facet) {
    let expected = [(Family::Kubebuilder, &[][..], facet)];
    meaning(ty, &format!("+kubebuilder:{marker}"), &expected);
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("JSON")
}

fn bound(text: &str) -> Bound {
    Bound {
        limit: Limit::Number(json(text)),
        exclusive: false,
    }
}

#[test]
fn limits_have_a_meaning() {
    rule("int32", "validation:Maximum=5", Facet::Maximum(bound("5")));
    rule("*int64", "validation:Minimum=-5", Facet::Minimum(bound("-5")));
    rule("int", "validation:MultipleOf=5", Facet::MultipleOf(json("5")));
    rule("string", "validation:MaxLength=5", Facet::MaxLength(5));
    rule("Word", "validation:MinLength:=5", Facet::MinLength(5));
    rule("[]string", "validation:MaxItems=5", Facet::MaxItems(5));
    rule("[]Part", "validation:MinItems=5", Facet::MinItems(5));
    rule(
        "map[string]string",
        "validation:MaxProperties=5",
        Facet::MaxProperties(5),
    );
    rule(
        "map[string]string",
        "validation:MinProperties=5",
        Facet::MinProperties(5),
    );
    rule(
        "[]string",
        "validation:UniqueItems=true",
        Facet::UniqueItems(true),
    );
    rule(
        "int32",
        "validation:ExclusiveMaximum=true",
        Facet::ExclusiveMaximum(true),
    );
    rule(
        "int32",
        "validation:ExclusiveMinimum=false",
        Facet::ExclusiveMinimum(false),
    );
    meaning(
        "[]string",
        "+kubebuilder:validation:items:MaxLength=3",
        &[(Family::Kubebuilder, &[Wrap::EachVal], Facet::MaxLength(3))],
    );
}

#[test]
fn other_markers_have_a_meaning() {
    rule("string", "validation:Pattern=`^a`", Facet::Pattern("^a".into()));
    rule("string", "validation:Format=uuid", Facet::Format("uuid".into()));
    rule(
        "string",
        "validation:Enum=a;1",
        Facet::EnumValues(vec![json("\"a\""), json("1")]),
    );
    rule("int32", "validation:Type=string", Facet::Type("string".into()));
    rule(
        "Part",
        "validation:XPreserveUnknownFields",
        Facet::PreserveUnknownFields,
    );
    rule(
        "Part",
        "pruning:PreserveUnknownFields",
        Facet::PreserveUnknownFields,
    );
    rule("Part", "validation:XEmbeddedResource", Facet::EmbeddedResource);
    rule("Part", "validation:EmbeddedResource", Facet::EmbeddedResource);
    rule("Part", "validation:XIntOrString", Facet::IntOrString);
    rule("Part", "validation:Schemaless", Facet::Schemaless);
    rule("string", "validation:Required", Facet::Required);
    rule("string", "validation:Optional", Facet::Optional);
    rule("string", "title=\"a b\"", Facet::Title(json("\"a b\"")));
    rule("Part", "example={a: 1}", Facet::Example(json("{\"a\":1}")));
    rule(
        "string",
        "externalDocs:url=\"https://example.org\"",
        Facet::ExternalDocs(ExternalDocs {
            url: "https://example.org".into(),
            description: None,
        }),
    );
    rule(
        "string",
        "validation:XValidation:rule=\"self != ''\",message=\"m\"",
        Facet::Cel(CelRule {
            rule: "self != ''".into(),
            message: Some("m".into()),
            ..CelRule::default()
        }),
    );
}

#[test]
fn defaults_for_crds_are_separate() {
    for (ty, default, value) in [
        ("int32", "3", "3"),
        ("[]string", "{}", "[]"),
        ("Part", "{a: x}", "{\"a\":\"x\"}"),
    ] {
        let found = resource(
            &format!("{ty} `json:\"s,omitempty\"`"),
            &format!("+kubebuilder:default={default}"),
            "",
        );
        assert_eq!(field(&found).crd_default, Some(json(value)), "{default}");
        assert_eq!(field(&found).default, None, "{default}");
        assert_eq!(found.findings(), [""; 0], "{default}");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn markers_reject_other_types() {
    misuse(
        "string",
        "kubebuilder:validation:Maximum=5",
        "must apply maximum to a numeric value, found string",
    );
    misuse(
        "bool",
        "kubebuilder:validation:Minimum=5",
        "must apply minimum to a numeric value, found boolean",
    );
    misuse(
        "string",
        "kubebuilder:validation:MultipleOf=2",
        "must apply multipleof to a numeric value, found string",
    );
    misuse(
        "string",
        "kubebuilder:validation:ExclusiveMaximum=true",
        "must apply exclusivemaximum to a numeric value, found string",
    );
    misuse(
        "int64",
        "kubebuilder:validation:Minimum=-0.5",
        "cannot apply non-integral minimum validation (-0.5) to integer value",
    );
    misuse(
        "int32",
        "kubebuilder:validation:MaxLength=5",
        "must apply maxlength to a textual value, found type \"integer\"",
    );
    misuse(
        "string",
        "kubebuilder:validation:MaxItems=5",
        "must apply maxitem to an array",
    );
    misuse(
        "map[string]string",
        "kubebuilder:validation:MinItems=5",
        "must apply minitems to an array",
    );
    misuse(
        "string",
        "kubebuilder:validation:UniqueItems=true",
        "must apply uniqueitems to an array",
    );
    misuse(
        "string",
        "kubebuilder:validation:MinProperties=1",
        "must apply minproperties to an object",
    );
    misuse(
        "string",
        "kubebuilder:validation:items:MaxLength=1",
        "must apply kubebuilder:validation:items:MaxLength to an array value, found string",
    );
    misuse("string", "kubebuilder:title=5", "expected string, got int");
    misuse(
        "string",
        "listType=set",
        "must apply listType to an array, found string",
    );
    misuse(
        "[]string",
        "listType=bag",
        "ListType must be either \"map\", \"set\" or \"atomic\"",
    );
    misuse(
        "[]Part",
        "listMapKey=a",
        "must apply listMapKey to an associative-list",
    );
    misuse("string", "mapType=atomic", "must apply mapType to an object");
    misuse(
        "Part",
        "structType=frozen",
        "StructType must be either \"granular\" or \"atomic\"",
    );
    misuse(
        "string",
        "kubebuilder:validation:XValidation:rule=\"true\",reason=Bad",
        "invalid reason Bad, valid values are FieldValueRequired, FieldValueInvalid, FieldValueForbidden and FieldValueDuplicate",
    );
    misuse(
        "[]Word",
        "kubebuilder:validation:items:Type=integer",
        "conflicting types in allOf branches in schema: string vs integer",
    );
}

#[test]
fn names_of_types_are_not_resolved() {
    misuse(
        "Part",
        "kubebuilder:validation:MinProperties=2",
        "must apply minproperties to an object",
    );
    misuse(
        "metav1.Duration",
        "kubebuilder:validation:MaxLength=2",
        "must apply maxlength to a textual value, found type \"\"",
    );
    // A named scalar of the same package is resolved, and of lists and maps what they are.
    check("Number", "+kubebuilder:validation:Maximum=2", &[]);
    check("Labels", "+kubebuilder:validation:MaxProperties=2", &[]);
    check("Words", "+kubebuilder:validation:MaxItems=2", &[]);
    check("Words", "+listType=set", &[]);
    misuse(
        "Words",
        "kubebuilder:validation:items:MaxLength=2",
        "must apply kubebuilder:validation:items:MaxLength to an array value, found array",
    );
}

#[test]
fn arguments_are_checked() {
    let syntax = |ty: &str, marker: &str, message: &str| {
        let name = marker.split(['=']).next().unwrap_or_default();
        check(
            ty,
            &format!("+{marker}"),
            &[&format!("{SYNTAX}+{name}: {message}")],
        );
    };
    syntax(
        "int32",
        "kubebuilder:validation:Maximum=many",
        "expected integer or float, got \"many\"",
    );
    syntax(
        "string",
        "kubebuilder:validation:MaxLength=long",
        "expected integer, got \"long\"",
    );
    syntax(
        "string",
        "kubebuilder:validation:Enum=a,b",
        "extra arguments provided: \",b\"",
    );
    syntax("string", "kubebuilder:default=", "missing argument \"\"");
    syntax("string", "nullable=true", "extra arguments provided: \"true\"");
    syntax("string", "optional=yes", "extra arguments provided: \"yes\"");
    syntax("[]string", "listType", "missing argument \"\"");
    let found = resource("string `json:\"s\"`", "+kubebuilder:validation:Enum=a,b", "");
    assert_eq!(
        found.diagnostics[0].upstream.as_deref(),
        Some("controller-gen: extra arguments provided: \",b\" (at <input>:1:2)")
    );
}

#[test]
fn unknown_markers_are_reported() {
    for (marker, help) in [
        (
            "kubebuilder:validation:optional",
            "did you mean +kubebuilder:validation:Optional?",
        ),
        (
            "kubebuilder:validation:enum=a",
            "did you mean +kubebuilder:validation:Enum?",
        ),
        (
            "kubebuilder:validation:maxlength=3",
            "did you mean +kubebuilder:validation:MaxLength?",
        ),
    ] {
        let found = resource("string `json:\"s\"`", &format!("+{marker}"), "");
        assert_eq!(found.diagnostics[0].help, [help], "{marker}");
    }
    check(
        "string",
        "+genclient:nonNamespaced\n+gateway:experimental:thing\n+mytool:thing",
        &[],
    );
    check(
        "string",
        "+optional # note",
        &["warning[marker-ignored] no tool reads this marker: all of `optional # note` counts as its name"],
    );
}

#[test]
fn members_of_groups_are_optional() {
    let group = |members: &str, expected: &[&str]| {
        let rest =
            format!("// +kubebuilder:validation:ExactlyOneOf=a;b\ntype Group struct {{\n{members}\n}}");
        let found = resource("Group `json:\"s\"`", "", &rest);
        assert_eq!(found.findings(), expected, "{members}");
    };
    let b = "B string `json:\"b,omitempty\"`";
    group(&format!("A string `json:\"a,omitempty\"`\n{b}"), &[]);
    group(&format!("// +optional\nA string `json:\"a\"`\n{b}"), &[]);
    group(
        &format!("A string `json:\"a\"`\n{b}"),
        &["error[marker-misuse] field a is part of OneOf constraint and must have omitempty or omitzero tag"],
    );
    group(
        &format!("// +required\nA string `json:\"a,omitempty\"`\n{b}"),
        &["error[marker-misuse] field a is part of OneOf constraint and cannot be marked as required"],
    );
    group(b, &["warning[marker-member] the struct has no member `a`"]);
}

#[test]
fn unreachable_types_get_only_warnings() {
    let found = resource(
        "string `json:\"s\"`",
        "",
        "// +kubebuilder:validation:MaxLength=3\ntype Alone int32",
    );
    assert_eq!(
        found.findings(),
        ["warning[marker-misuse] must apply maxlength to a textual value, found type \"integer\""]
    );
}

#[test]
fn resources_become_kinds() {
    let text = "\
// +groupName=example.org
// +versionName=v2
package api

// +kubebuilder:resource:path=things,shortName=th;tg,scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.n,statuspath=.status.n
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`,priority=1
// +kubebuilder:storageversion
// +kubebuilder:deprecatedversion:warning=\"use v3\"
// +kubebuilder:selectablefield:JSONPath=.spec.color
// +kubebuilder:metadata:labels=\"a=b\",annotations=\"c=d\"
type Thing struct {
    metav1.TypeMeta `json:\",inline\"`
    metav1.ObjectMeta `json:\"metadata,omitempty\"`
}

type Half struct {
    metav1.TypeMeta `json:\",inline\"`
}
";
    let found = declared(text, PACKAGE, Profile::Upstream);
    assert_eq!(found.findings(), [""; 0]);
    let [kind] = found.schema.kinds() else {
        panic!("one kind in\n{}", found.dump);
    };
    assert_eq!(
        (&*kind.group, &*kind.version, &*kind.kind),
        ("example.org", "v2", "Thing")
    );
    assert_eq!(kind.names.plural.as_deref(), Some("things"));
    assert_eq!(kind.names.short, ["th".into(), "tg".into()]);
    assert_eq!(kind.scope, Scope::Cluster);
    assert!(kind.subresources.status && kind.storage && kind.served);
    assert_eq!(
        kind.subresources.scale.as_ref().map(|scale| &*scale.spec_path),
        Some(".spec.n")
    );
    assert_eq!(kind.columns[0].priority, 1);
    assert_eq!(kind.deprecated, Some(Some("use v3".into())));
    assert_eq!(kind.selectable_fields, [".spec.color".into()]);
    assert_eq!(kind.labels, [("a".into(), "b".into())]);
    assert_eq!(kind.annotations, [("c".into(), "d".into())]);
}

#[test]
fn lists_of_built_in_apis_may_have_names() {
    let text = "\
// +k8s:protobuf-gen=package
// +groupName=example.org
package api
type Thing struct {
metav1.TypeMeta `json:\",inline\"`
metav1.ObjectMeta `json:\"metadata\"`
// +listType=set
Names Names `json:\"names\"`
}
type Names []string
";
    assert_eq!(declared(text, PACKAGE, Profile::Upstream).findings(), [""; 0]);
}

#[test]
fn misuse_of_resources_is_reported() {
    let kind = |markers: &str, expected: &[&str]| {
        let comments: String = markers.lines().map(|line| format!("// {line}\n")).collect();
        let text = format!(
            "// +groupName=example.org\npackage v1\n{comments}type Thing struct {{\nmetav1.TypeMeta `json:\",inline\"`\nmetav1.ObjectMeta `json:\"metadata\"`\n}}"
        );
        let found = declared(&text, PACKAGE, Profile::Upstream);
        assert_eq!(found.findings(), expected, "{markers}");
    };
    kind(
        "+kubebuilder:printcolumn:name=A,type=string",
        &["error[marker-syntax] +kubebuilder:printcolumn: missing argument \"JSONPath\""],
    );
    kind(
        "+kubebuilder:metadata:annotations=plain",
        &["error[marker-misuse] annotation plain is not in 'xxx=xxx' format"],
    );
    kind(
        "+kubebuilder:resource:scope=Galaxy",
        &["warning[crd-scope] scope is `Cluster` or `Namespaced`, not `Galaxy`"],
    );
    kind(
        "+kubebuilder:unservedversion",
        &["error[kind-versions] CRD for Thing.example.org with version(s) [api] does not serve any version"],
    );
    kind(
        "+kubebuilder:skipversion",
        &["warning[kind-versions] all versions of Thing.example.org are left out"],
    );
    kind(
        "+kubebuilder:default=1",
        &["warning[misplaced-tag] \"kubebuilder:default\" has no meaning on type definitions"],
    );
    kind("+kubebuilder:storageversion", &[]);
}

#[test]
fn client_gen_rejects_unknown_markers() {
    let client = |markers: &str, expected: &[&str]| {
        let comments: String = markers.lines().map(|line| format!("// {line}\n")).collect();
        let text = format!("package v1\n{comments}type Thing struct {{\n}}");
        let found = declared(&text, PACKAGE, Profile::Upstream);
        assert_eq!(found.findings(), expected, "{markers}");
    };
    client(
        "+genclient\n+genclient:nonNamespaced\n+genclient:onlyVerbs=get,list",
        &[],
    );
    client(
        "+genclient\n+genclient:noVerb",
        &["error[client-tag] unknown tag detected: genclient:noVerb"],
    );
}
