//! Attributes and the tags they become.

mod random;

use quote::ToTokens;
use syn::DeriveInput;

use crate::check::declaration;
use crate::description::Described;
use crate::{expand, item, resource, vocabulary};
use kindsmith_rust::{Package, go_text};
use kindsmith_tags::{Family, catalogue, find};

fn input(source: &str) -> DeriveInput {
    syn::parse_str(source).expect("Rust")
}

/// The Go form of a type.
fn go(source: &str) -> String {
    let described = item::describe(&input(source)).expect("right attributes");
    written(&[&described])
}

fn written(all: &[&Described]) -> String {
    let mut package = Package::new("example.org", "v1");
    let mut open: Vec<&Described> = all.to_vec();
    while let Some(described) = open.pop() {
        let mut inner = Vec::new();
        let declared = declaration(described, &mut inner);
        package
            .types
            .declare(&described.name, &described.name, |_| declared);
        open.extend(inner);
    }
    let text = go_text::write(&package).text;
    let at = text.find("package v1").expect("a package");
    text[at..].trim_start_matches("package v1\n\n").to_owned()
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(go(source).trim_start(), expected.trim_start());
}

#[test]
fn every_tag_of_validation_has_an_attribute() {
    for tag in catalogue().filter(|tag| matches!(tag.family, Family::Declarative | Family::Kep)) {
        // Two spellings of one meaning: the marker's name wins.
        if vocabulary::MARKERS
            .iter()
            .any(|(name, _)| *name == vocabulary::snake(tag.name))
        {
            continue;
        }
        let found = vocabulary::declarative(&vocabulary::snake(tag.name)).map(|tag| tag.name);
        assert_eq!(found, Some(tag.name));
    }
}

#[test]
fn every_marker_is_in_the_catalogue() {
    for (name, marker) in vocabulary::MARKERS {
        assert!(find(marker).is_some(), "{name}: {marker}");
    }
}

#[test]
fn fields_have_tags_names_and_presence() {
    check(
        r#"
/// A spec.
///
/// With two paragraphs.
#[serde(rename_all = "camelCase")]
struct Spec {
    /// Name on the sign.
    #[k8s(required, format = "k8s-short-name", max_length = 63)]
    name: String,
    #[k8s(minimum = 1, default = 3)]
    max_rows: Option<i32>,
    #[serde(default, rename = "tags")]
    #[k8s(list_type = "set", each_val(max_length = 5, min_length = 1))]
    labels: Vec<String>,
    #[serde(skip)]
    cache: Cache,
    #[serde(flatten)]
    common: Common,
}
"#,
        r#"
// A spec.
//
// With two paragraphs.
type Spec struct {
	// Name on the sign.
	// +required
	// +k8s:required
	// +k8s:format=k8s-short-name
	// +k8s:maxLength=63
	Name string `json:"name"`
	// +optional
	// +k8s:optional
	// +k8s:minimum=1
	// +default=3
	MaxRows *int32 `json:"maxRows,omitempty"`
	// +optional
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:maxLength=5
	// +k8s:eachVal=+k8s:minLength=1
	Labels []string `json:"tags,omitempty"`
	Common `json:",inline"`
}
"#,
    );
}

#[test]
fn arguments_and_chains_are_those_of_tags() {
    check(
        r#"
#[k8s(rule("self.a < self.b", message = "a is less than b"))]
struct Spec {
    #[k8s(union_member(union = "one", member_name = "A"), dependent_required("b"))]
    a: Option<String>,
    #[k8s(alpha(since = "1.36", max_length = 3), if_enabled("Turbo", required))]
    b: Option<String>,
    #[k8s(list_type = "map", list_map_key("name", "zone"), item(name = "x", zone = "y", zero_or_one_of_member))]
    c: Vec<Plant>,
    #[k8s(pattern = "^a\\d$", enum("a1", "a2"), neq = "a3")]
    d: String,
    #[k8s(minimum = 1, maximum = 2.5)]
    e: f64,
    #[k8s(default = {"a": [1, "b"], "c": true})]
    f: Option<Plant>,
    #[k8s(tag = "+kubebuilder:title=`F`", go_type = "k8s.io/api/core/v1.PodSpec")]
    g: Option<Vec<PodSpec>>,
    h: std::collections::BTreeSet<String>,
    i: std::collections::BTreeMap<String, k8s_openapi::apimachinery::pkg::util::intstr::IntOrString>,
}
"#,
        r#"
import p0 "k8s.io/api/core/v1"
import p1 "k8s.io/apimachinery/pkg/util/intstr"

// +kubebuilder:validation:XValidation:rule=`self.a < self.b`,message=`a is less than b`
type Spec struct {
	// +optional
	// +k8s:optional
	// +k8s:unionMember(union: "one", memberName: "A")
	// +k8s:dependentRequired("b")
	A *string `json:"a,omitempty"`
	// +optional
	// +k8s:alpha(since: "1.36")=+k8s:maxLength=3
	// +k8s:ifEnabled("Turbo")=+k8s:required
	B *string `json:"b,omitempty"`
	// +kubebuilder:validation:Required
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:listMapKey=zone
	// +k8s:item(name: "x", zone: "y")=+k8s:zeroOrOneOfMember
	C []Plant `json:"c"`
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Pattern=`^a\d$`
	// +kubebuilder:validation:Enum={"a1","a2"}
	// +k8s:neq="a3"
	D string `json:"d"`
	// +kubebuilder:validation:Required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=2.5
	E float64 `json:"e"`
	// +optional
	// +k8s:optional
	// +default={"a":[1,"b"],"c":true}
	F *Plant `json:"f,omitempty"`
	// +optional
	// +k8s:optional
	// +kubebuilder:title=`F`
	G []p0.PodSpec `json:"g,omitempty"`
	// +kubebuilder:validation:Required
	// +k8s:listType=set
	H []string `json:"h"`
	// +kubebuilder:validation:Required
	I map[string]p1.IntOrString `json:"i"`
}
"#,
    );
}

#[test]
fn enums_are_names_unions_or_modes() {
    check(
        r#"
/// Light.
#[serde(rename_all = "kebab-case")]
enum Sun {
    /// All day.
    FullSun,
    #[k8s(if_disabled("Moon", enum_exclude))]
    Half,
}
"#,
        r#"
// Light.
// +enum
// +k8s:enum
type Sun string

const (
	// All day.
	SunFullSun Sun = "full-sun"
	// +k8s:ifDisabled("Moon")=+k8s:enumExclude
	SunHalf Sun = "half"
)
"#,
    );
    check(
        r#"
#[serde(rename_all = "camelCase")]
enum Water {
    Rain(Rain),
    Hose { #[k8s(minimum = 1)] liters: i32 },
}
"#,
        r#"
type Water struct {
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Rain *Rain `json:"rain,omitempty"`
	// +optional
	// +k8s:optional
	// +k8s:unionMember
	Hose *WaterHose `json:"hose,omitempty"`
}

type WaterHose struct {
	// +kubebuilder:validation:Required
	// +k8s:minimum=1
	Liters int32 `json:"liters"`
}
"#,
    );
    check(
        r#"
#[serde(tag = "type")]
enum Water {
    Rain,
    Hose { liters: i32, color: Option<String> },
}
"#,
        r#"
type Water struct {
	// +required
	// +k8s:required
	// +k8s:modeDiscriminator
	Type WaterType `json:"type"`
	// +optional
	// +k8s:ifMode("Hose")=+k8s:required
	Liters *int32 `json:"liters,omitempty"`
	// +optional
	// +k8s:ifMode("Hose")=+k8s:optional
	Color *string `json:"color,omitempty"`
}

// +enum
// +k8s:enum
type WaterType string

const (
	WaterTypeRain WaterType = "Rain"
	WaterTypeHose WaterType = "Hose"
)
"#,
    );
}

#[test]
fn a_wrapper_is_a_named_type() {
    check(
        "#[k8s(max_length = 5)] struct Name(String);",
        "// +k8s:maxLength=5\ntype Name string\n",
    );
}

#[track_caller]
fn check_kind(source: &str, expected: &str) {
    let kind = resource::describe(&input(source)).expect("right attributes");
    let all: Vec<&Described> = kind.spec.iter().chain([&kind.root]).collect();
    assert_eq!(written(&all), expected.trim_start());
}

#[test]
fn a_kind_is_made_of_its_spec() {
    check_kind(
        r#"
/// A gate.
#[kube(group = "park.example.org", version = "v1", kind = "Gate", namespaced, status = "GateStatus", shortname = "gt")]
#[kube(printcolumn = r#"{"name":"Width","type":"integer","jsonPath":".spec.width"}"\x23)]
#[k8s(rule("self.width > 0"))]
struct GateSpec { width: i32 }
"#
        .replace("\\x23", "#")
        .as_str(),
        r#"
import p0 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A gate.
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=gt
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name=`Width`,type=`integer`,JSONPath=`.spec.width`
type Gate struct {
	p0.TypeMeta `json:",inline"`
	p0.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Required
	Spec GateSpec `json:"spec"`
	// +optional
	// +k8s:optional
	Status *GateStatus `json:"status,omitempty"`
}

// A gate.
// +kubebuilder:validation:XValidation:rule=`self.width > 0`
type GateSpec struct {
	// +kubebuilder:validation:Required
	Width int32 `json:"width"`
}
"#,
    );
}

#[test]
fn lists_of_kube_are_read() {
    check_kind(
        r#"
#[kube(group = "park.example.org", version = "v1", kind = "Gate", doc = "A gate.", status = crate::GateStatus)]
#[kube(scale(spec_replicas_path = ".spec.width", status_replicas_path = ".status.width"))]
#[kube(printcolumn(name = "Width", type_ = "integer", json_path = ".spec.width"))]
struct GateSpec { width: u8 }
"#,
        r#"
import p0 "k8s.io/apimachinery/pkg/apis/meta/v1"

// A gate.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=`.spec.width`,statuspath=`.status.width`
// +kubebuilder:printcolumn:name=`Width`,type=`integer`,JSONPath=`.spec.width`
type Gate struct {
	p0.TypeMeta `json:",inline"`
	p0.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Required
	Spec GateSpec `json:"spec"`
	// +optional
	// +k8s:optional
	Status *GateStatus `json:"status,omitempty"`
}

type GateSpec struct {
	// +kubebuilder:validation:Required
	// +k8s:minimum=0
	Width uint8 `json:"width"`
}
"#,
    );
}

#[test]
fn a_crd_has_annotations_and_labels() {
    check_kind(
        r#"
#[kube(group = "park.x-k8s.io", version = "v1", kind = "Gate", annotation("api-approved.kubernetes.io", "unapproved"))]
#[k8s(labels("team=bees", "tier=1"))]
struct GateSpec { width: i32 }
"#,
        r#"
import p0 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved"
// +kubebuilder:metadata:labels={"team=bees","tier=1"}
type Gate struct {
	p0.TypeMeta `json:",inline"`
	p0.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Required
	Spec GateSpec `json:"spec"`
}

type GateSpec struct {
	// +kubebuilder:validation:Required
	Width int32 `json:"width"`
}
"#,
    );
}

#[test]
fn a_kind_is_a_struct_with_metadata() {
    check_kind(
        r#"
#[k8s(group = "park.example.org", version = "v1", cluster, categories("all", "park"), storage_version)]
#[k8s(scale(spec_path = ".spec.replicas", status_path = ".status.replicas"))]
struct Gate {
    metadata: ObjectMeta,
    spec: GateSpec,
    #[serde(default)]
    status: GateStatus,
}
"#,
        r#"
import p0 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=all;park,scope=Cluster
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:subresource:scale:specpath=`.spec.replicas`,statuspath=`.status.replicas`
type Gate struct {
	p0.TypeMeta `json:",inline"`
	p0.ObjectMeta `json:"metadata,omitempty"`
	// +kubebuilder:validation:Required
	Spec GateSpec `json:"spec"`
	// +optional
	Status GateStatus `json:"status,omitempty"`
}
"#,
    );
}

#[test]
fn the_code_of_a_type_repeats_its_description() {
    let code = expand::schema(&input("struct Spec { name: String }")).expect("right attributes");
    let code = code.to_token_stream().to_string();
    assert!(code.contains("impl :: kindsmith :: Schema for Spec"), "{code}");
}
