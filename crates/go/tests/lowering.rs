//! From Go source to schema, seen through the schema's text form.

use kindsmith_go::Read;
use kindsmith_testkit::GoPackages;

/// Reads the package in `api` of files written as `-- path --` sections; a bare source is `api/types.go`.
fn read(source: &str) -> Read {
    let mut packages = GoPackages::default().module("x.org", "");
    if !source.trim_start().starts_with("-- ") {
        packages = packages.file("api/types.go", format!("package api\n{source}"));
    }
    for section in source.split("\n-- ").skip(1) {
        let (path, content) = section.split_once(" --\n").expect("a section has a path");
        packages = packages.file(path, content);
    }
    packages.read("api")
}

fn check(source: &str, expected: &str) {
    let read = read(source);
    let dump = read.schema.dump(|path| path == "x.org/api").to_string();
    let types = dump.split_once("\n\n").map_or("", |(_, types)| types);
    let findings: Vec<&str> = read.diagnostics.iter().map(|finding| &*finding.message).collect();
    assert_eq!(types.trim(), expected.trim(), "findings: {findings:#?}");
}

fn check_findings(source: &str, expected: &[&str]) {
    let read = read(source);
    let findings: Vec<String> = read
        .diagnostics
        .iter()
        .map(|finding| {
            let at = read.sources.position(finding.span);
            format!("{}:{} {} {}", at.line, at.column, finding.code(), finding.message)
        })
        .collect();
    assert_eq!(findings, expected);
}

#[test]
fn structs_keep_their_fields_in_order() {
    check(
        "
type Spec struct {
	Name  string            `json:\"name\"`
	Size  *int32            `json:\"size,omitempty\"`
	Tags  []string          `json:\"tags,omitzero\"`
	Extra map[string]Other  `json:\"-\"`
	Plain bool
	low   uint8
}

type Other struct{}
",
        r#"
type x.org/api.Other struct

type x.org/api.Spec struct
  Name "name" string
  Size "size" *int32 omitempty
  Tags "tags" []string omitzero
  Extra - map[string]x.org/api.Other
  Plain "Plain" bool
  low "low" uint8
"#,
    );
}

#[test]
fn embedded_structs_are_inline_or_named() {
    check(
        "
type Outer struct {
	Inner `json:\",inline\"`
	*Far  `json:\"far\"`
}
type Inner struct{}
type Far struct{}
",
        r#"
type x.org/api.Far struct

type x.org/api.Inner struct

type x.org/api.Outer struct
  Inner inline x.org/api.Inner
  Far "far" *x.org/api.Far
"#,
    );
}

#[test]
fn every_link_of_a_typedef_chain_is_kept() {
    check(
        "
type Name string

// +k8s:maxLength=3
type Short Name

// +k8s:minLength=1
type Shorter Short

type Same = Shorter
",
        r"
type x.org/api.Name string

type x.org/api.Same = x.org/api.Shorter

type x.org/api.Short x.org/api.Name
    maxLength=3

type x.org/api.Shorter x.org/api.Short
    minLength=1
",
    );
}

#[test]
fn constants_belong_to_the_type_they_are_declared_with() {
    check(
        r#"
type Mode string

const (
	ModeA Mode = "A"
	// +k8s:ifEnabled(Gate)=+k8s:enumExclude
	ModeB = Mode("B" + "b")
	Plain = "C"
)

type Level int

const (
	Low Level = iota
	High
)
"#,
        r#"
type x.org/api.Level int
  const Low = 0
  const High = 1

type x.org/api.Mode string
  const ModeA = "A"
  const ModeB = "Bb" excluded-if(Gate)
"#,
    );
}

#[test]
fn generic_types_are_written_out_where_they_are_used() {
    check(
        "
type List[T any] struct {
	Items []T `json:\"items\"`
}
type Names struct {
	List List[string] `json:\"list\"`
}
",
        r#"
type x.org/api.List[string] struct
  Items "items" []string

type x.org/api.Names struct
  List "list" x.org/api.List[string]
"#,
    );
}

#[test]
fn structs_written_in_place_get_a_name() {
    check(
        "
type Spec struct {
	Inner struct {
		// +k8s:minimum=1
		Size int `json:\"size\"`
	} `json:\"inner\"`
}
",
        r#"
type x.org/api.Spec struct
  Inner "inner" x.org/api.Spec.Inner

type x.org/api.Spec.Inner struct
  Size "size" int
    minimum=1
"#,
    );
}

#[test]
fn recursive_types_end() {
    check(
        "
type Tree struct {
	Left, Right *Tree
	More        map[string][]Tree `json:\"more\"`
}
",
        r#"
type x.org/api.Tree struct
  Left "Left" *x.org/api.Tree
  Right "Right" *x.org/api.Tree
  More "more" map[string][]x.org/api.Tree
"#,
    );
}

#[test]
fn types_that_no_api_can_use_are_kept() {
    check(
        "
type Odd struct {
	A chan string
	B func(int) error
	C complex128
	D interface{}
	E any
	F interface{ Do() }
	G [2 + 1]string
}
",
        r#"
type x.org/api.Odd struct
  A "A" chan string
  B "B" func(int) error
  C "C" complex128
  D "D" interface{}
  E "E" any
  F "F" interface{...}
  G "G" [3]string
"#,
    );
}

#[test]
fn imports_are_followed() {
    let read = read(
        r#"
-- api/types.go --
package api

import (
	core "x.org/core/v1"
	. "x.org/dot"
)

type Spec struct {
	Pod core.Pod `json:"pod"`
	Dot Dotted   `json:"dot"`
}
-- core/v1/types.go --
package v1

type Pod struct {
	// +k8s:maxLength=3
	Name Name `json:"name"`
}

// +k8s:minLength=1
type Name string

type Unused struct{}
-- dot/types.go --
package dot

type Dotted string
"#,
    );
    assert_eq!(read.diagnostics, [], "all is found");
    let text = read.schema.to_string();
    for line in [
        "  Pod \"pod\" x.org/core/v1.Pod",
        "type x.org/core/v1.Pod struct",
        "  Name \"name\" x.org/core/v1.Name\n    maxLength=3",
        "type x.org/dot.Dotted string",
    ] {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
    assert!(!text.contains("Unused"), "only what is needed is read");
}

#[test]
fn well_known_types_need_no_source() {
    let read = read(
        r#"
-- api/types.go --
package api

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Since metav1.Time `json:"since"`
	Port intstr.IntOrString `json:"port"`
	Size resource.Quantity `json:"size"`
	Wait time.Duration `json:"wait"`
}
"#,
    );
    assert_eq!(read.diagnostics, [], "nothing is missing");
    let text = read.schema.to_string();
    for line in [
        "meta/v1.ObjectMeta struct as ObjectMeta",
        "Time struct as Time",
        "time.Duration (not found) as GoDuration",
    ] {
        assert!(text.contains(line), "{line}\nis not in\n{text}");
    }
    let members = [
        "generateName",
        "managedFields",
        "ownerReferences",
        "creationTimestamp",
    ];
    assert!(
        members.iter().all(|name| text.contains(&format!("{name:?}"))),
        "{text}"
    );
}

#[test]
fn missing_types_are_holes_with_a_note() {
    check_findings(
        r#"
-- api/types.go --
package api

import other "x.org/other"

type Spec struct {
	A other.Thing
	B other.Thing
	C Nowhere
	D nope.Thing
}
"#,
        &[
            "3:14 go-import package `x.org/other` was not found",
            "8:4 undefined-type undefined: Nowhere",
            "9:4 undefined-type undefined: nope",
        ],
    );
}

#[test]
fn a_broken_declaration_does_not_hide_the_others() {
    let read = read("\ntype Broken struct {\n\tA [string\n}\n\ntype Fine struct {\n\tB string\n}\n");
    assert!(!read.diagnostics.is_empty(), "the mistake is reported");
    assert!(
        read.schema
            .to_string()
            .contains("type x.org/api.Fine struct\n  B \"B\" string"),
        "{}",
        read.schema
    );
}

#[test]
fn tags_after_a_field_apply_to_the_next_line() {
    let source = "
type Spec struct {
	A string `json:\"a\"` // +k8s:maxLength=3
	B string `json:\"b\"`
}
";
    check(
        source,
        "type x.org/api.Spec struct\n  A \"a\" string\n  B \"b\" string\n    maxLength=3",
    );
    check_findings(
        source,
        &["4:25 trailing-tag a tag after a declaration on the same line does not apply to it"],
    );
}

#[test]
fn a_license_above_does_not_hide_the_tags_of_a_package() {
    let read = read(
        "
-- api/doc.go --
/*
A license without markers.
*/

// +k8s:validation-gen=*
// +groupName=example.org
package api
",
    );
    let package = read.schema.package("x.org/api").expect("the package");
    assert_eq!(package.options.validation.len(), 1);
    assert_eq!(package.group.as_deref(), Some("example.org"));
}

#[test]
fn types_that_grow_without_end_are_rejected() {
    check_findings(
        "
type G[T any] struct {
	N *G[G[T]] `json:\"n\"`
}

type A struct {
	X G[int] `json:\"x\"`
}
",
        &["4:5 go-syntax instantiation cycle: G uses itself with ever larger type arguments"],
    );
}

#[test]
fn types_that_grow_on_two_axes_are_rejected() {
    check_findings(
        "
type G[T any] struct {
	N *G[G[T]] `json:\"n\"`
	M *G[[]T]  `json:\"m\"`
}

type A struct {
	X G[int] `json:\"x\"`
}
",
        &[
            "4:5 go-syntax instantiation cycle: G uses itself with ever larger type arguments",
            "5:5 go-syntax instantiation cycle: G uses itself with ever larger type arguments",
        ],
    );
}

#[test]
fn types_that_contain_themselves_are_rejected() {
    check_findings(
        "
type A = *A
type B = []C
type C = map[string]B
type D D
type E struct {
	E [2]F `json:\"e\"`
}
type F E
type G[T any] struct {
	G *G[T] `json:\"g\"`
	V G[T] `json:\"v\"`
}
type P *Q
type Q *P
type Tree map[string]Tree
type R *S
type S struct {
	R R `json:\"r\"`
}
type Set map[string]struct{}
type Rows []struct {
	Set Set `json:\"set\"`
}
type H struct {
	One G[int] `json:\"one\"`
	Two G[string] `json:\"two\"`
}
",
        &[
            "3:10 go-syntax invalid recursive type A",
            "5:10 go-syntax invalid recursive type C",
            "6:8 go-syntax invalid recursive type D",
            "10:8 go-syntax invalid recursive type F",
            "13:4 go-syntax invalid recursive type G[int]",
            "16:8 go-syntax invalid recursive type Q",
            "17:11 go-syntax invalid recursive type Tree",
        ],
    );
}

#[test]
fn structs_that_embed_themselves_are_rejected() {
    check_findings(
        "
type A struct {
	*B  `json:\",inline\"`
	*A  `json:\",inline\"`
	One string `json:\"one\"`
}

type B struct {
	*A  `json:\"it's\"`
	Two string `json:\"two\"`
}
",
        &[
            "5:2 endless-embedding A embeds itself: its members have no end",
            "10:2 endless-embedding A embeds itself: its members have no end",
        ],
    );
}

#[test]
fn structs_may_contain_themselves() {
    check_findings(
        "
type A struct {
	*A  `json:\"next\"`
	Old *A `json:\"old\"`
	Low *A `json:\",omitempty\"`
}

type B struct {
	*A `json:\",inline\"`
	*C `json:\"-\"`
}

type C struct {
	*B `json:\",inline\"`
}

type Trees []Tree
type Tree struct {
	Below Trees `json:\"below\"`
}
",
        &[],
    );
}

/// Structs that embed the next one `times` times.
fn layers(count: usize, times: usize) -> String {
    let mut text = String::new();
    for layer in 0..count {
        let names = ["A", "B"];
        for name in &names[..times] {
            text += &format!("type {name}{layer} struct {{\n");
            for inner in &names[..times] {
                if layer + 1 < count {
                    text += &format!("\t{inner}{} `json:\",inline\"`\n", layer + 1);
                }
            }
            text += &format!("\t{name} string `json:\"{name}{layer}\"`\n}}\n");
        }
    }
    text
}

#[test]
fn embedding_is_bounded() {
    let codes = |source: &str| {
        let read = read(source);
        let codes = read.diagnostics.iter().map(kindsmith_source::Diagnostic::code);
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(codes(&layers(10, 2)), [""; 0]);
    assert_eq!(codes(&layers(100, 1)), [""; 0]);
    assert_eq!(codes(&layers(101, 1)), ["endless-embedding"]);
    assert!(codes(&layers(25, 2)).contains(&"endless-embedding".to_owned()));
    // Far more than the stack would hold.
    assert!(codes(&layers(20_000, 1)).contains(&"endless-embedding".to_owned()));
}
