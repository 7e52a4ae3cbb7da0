//! The shape of generated Go, tested without a Go toolchain. The other tests show that the code is correct.

use kindsmith_emit::go::{self, Generated, Options};
use kindsmith_schema::Schema;
use kindsmith_testkit::GoPackages;

fn schema(source: &str) -> Schema {
    let doc = "// +k8s:validation-gen=*\n// +k8s:defaulter-gen=Root\n// +k8s:validation-gen-scheme-registry=nil\npackage p\n";
    let packages = GoPackages::default()
        .module("example.org/p", "p")
        .file("p/doc.go", doc);
    let packages = packages.file("p/types.go", format!("package p\n{source}"));
    packages.read("p").schema
}

fn only(generated: &Generated) -> String {
    assert_eq!(generated.problems, Vec::new());
    let [file] = &generated.files[..] else {
        panic!("one package, one file")
    };
    file.text.clone()
}

/// Checks that the validation functions of a source contain a part, and that generating is deterministic.
fn check_validations(source: &str, part: &str) {
    let schema = schema(source);
    let text = only(&go::validations(&schema, &Options::default()));
    assert!(text.contains(part), "no\n{part}\nin\n{text}");
    assert_eq!(
        text,
        only(&go::validations(&schema, &Options::default())),
        "twice the same"
    );
}

fn check_defaults(source: &str, part: &str) {
    let text = only(&go::defaults(&schema(source), &Options::default()));
    assert!(text.contains(part), "no\n{part}\nin\n{text}");
}

#[test]
fn one_short_circuit_returns_at_once() {
    check_validations(
        "type T struct {\n// +k8s:required\n// +k8s:maxLength=3\nF string `json:\"f\"`\n}",
        "\tif e := validate.RequiredValue(ctx, op, fldPath, obj, oldObj).MarkShortCircuit(); len(e) != 0 {
\t\treturn append(errs, e...)
\t}
\terrs = append(errs, validate.MaxLength(ctx, op, fldPath, obj, oldObj, 3)...)
\treturn errs
",
    );
}

#[test]
fn several_short_circuits_all_run() {
    check_validations(
        "type T struct {\n// +k8s:optional\n// +k8s:immutable\nF *string `json:\"f,omitempty\"`\n}",
        "\tstop := false
\tif e := validate.Immutable(ctx, op, fldPath, obj, oldObj).MarkShortCircuit(); len(e) != 0 {
\t\terrs, stop = append(errs, e...), true
\t}
\tif len(validate.OptionalPointer(ctx, op, fldPath, obj, oldObj)) != 0 {
\t\tstop = true
\t}
\tif stop {
\t\treturn errs
\t}
",
    );
}

#[test]
fn a_short_circuit_stops_only_its_cohort() {
    check_validations(
        "type T struct {\n// +k8s:subfield(a)=+k8s:required\nF S `json:\"f\"`\n}\ntype S struct {\nA string `json:\"a\"`\n}",
        "\terrs = append(errs, func() (errs field.ErrorList) {
\t\tif e := validate.Subfield(
\t\t\tctx, op, fldPath, obj, oldObj,
\t\t\t\"a\", func(o *S) *string { return &o.A },
\t\t\tvalidate.DirectEqual,
\t\t\tvalidate.RequiredValue,
\t\t).MarkShortCircuit(); len(e) != 0 {
\t\t\treturn append(errs, e...)
\t\t}
\t\treturn errs
\t}()...)
",
    );
}

#[test]
fn levels_mark_errors() {
    check_validations(
        "type T struct {\n// +k8s:alpha=+k8s:minimum=2\nF int32 `json:\"f\"`\n}",
        "validate.Minimum(ctx, op, fldPath, obj, oldObj, 2).MarkAlpha()...)",
    );
}

#[test]
fn unions_name_their_members_once() {
    check_validations(
        "type T struct {\n// +k8s:unionMember\nA *string `json:\"a\"`\n// +k8s:unionMember\nB []string `json:\"b\"`\n}",
        "var membersOf_T = validate.NewUnionMembership(validate.NewUnionMember(\"a\"), validate.NewUnionMember(\"b\"))",
    );
}

#[test]
fn a_root_field_without_a_name_reports_under_the_type() {
    check_validations(
        "type T struct {\nU `json:\",inline\"`\n}\ntype U struct {\n// +k8s:required\nA string `json:\"a\"`\n}",
        "safe.Value(fldPath, func() *field.Path { return fldPath.Child(\"U\") })",
    );
}

#[test]
fn a_nameless_struct_with_rules_is_a_problem() {
    let schema =
        schema("type T struct {\nF struct {\n// +k8s:required\nA string `json:\"a\"`\n} `json:\"f\"`\n}");
    let generated = go::validations(&schema, &Options::default());
    assert!(!generated.problems.is_empty());
}

#[test]
fn a_type_hidden_by_local_names_is_a_problem() {
    for (name, problems) in [("obj", 1), ("fresh", 1), ("item", 0)] {
        let source = format!(
            "type T struct {{\nF {name} `json:\"f\"`\n}}\ntype {name} struct {{\n// +k8s:required\nA string `json:\"a\"`\n}}"
        );
        let generated = go::validations(&schema(&source), &Options::default());
        assert_eq!(generated.problems.len(), problems, "{name}");
    }
}

#[test]
fn pointers_of_any_depth_get_their_default() {
    check_defaults(
        "type Name string\ntype Pointer *Name\ntype T struct {\nRoot string\n// +default=\"x\"\nF *Pointer `json:\"f\"`\n}",
        "\tif in.F == nil {
\t\tvalue2 := Name(\"x\")
\t\tvar value Pointer = &value2
\t\tin.F = &value
\t}
",
    );
}

#[test]
fn functions_run_after_the_marker_and_before_the_members() {
    check_defaults(
        "type T struct {\nRoot string\n// +default={\"a\":\"m\"}\nF *S `json:\"f\"`\n}\ntype S struct {\n// +default=\"x\"\nA string `json:\"a\"`\n}\n\
         func SetDefaults_S(in *S) {}\nfunc SetDefaults_S_b(in *S) {}\nfunc SetDefaults_S_a(in *S) {}\n",
        "\tif in.F != nil {
\t\tSetDefaults_S(in.F)
\t\tSetDefaults_S_a(in.F)
\t\tSetDefaults_S_b(in.F)
\t\tif in.F.A == \"\" {
\t\t\tin.F.A = \"x\"
\t\t}
\t}
",
    );
}

#[test]
fn lists_are_walked_and_maps_are_not() {
    check_defaults(
        "type T struct {\nRoot string\nL []S `json:\"l\"`\nP []*S `json:\"p\"`\nM map[string]S `json:\"m\"`\n}\ntype S struct {\n// +default=3\nA int32 `json:\"a\"`\n}",
        "func SetObjectDefaults_T(in *T) {
\tfor i := range in.L {
\t\titem := &in.L[i]
\t\tif item.A == 0 {
\t\t\titem.A = 3
\t\t}
\t}
\tfor i := range in.P {
\t\tif item := in.P[i]; item != nil {
\t\t\tif item.A == 0 {
\t\t\t\titem.A = 3
\t\t\t}
\t\t}
\t}
}
",
    );
}

#[test]
fn a_list_of_maps_is_not_walked() {
    check_defaults(
        "type T struct {\n// +default=1\nF *int `json:\"f\"`\n}\ntype R struct {\nRoot string\nA []T `json:\"a\"`\nB []map[string]T `json:\"b\"`\n}",
        "func SetObjectDefaults_R(in *R) {\n\tfor i := range in.A {\n\t\titem := &in.A[i]\n\t\tif item.F == nil {\n\t\t\tvalue := int(1)\n\t\t\titem.F = &value\n\t\t}\n\t}\n}\n",
    );
}

#[test]
fn defaults_of_types_reach_plain_fields_by_the_kep() {
    let schema = schema(
        "// +default=\"apple\"\ntype Item string\n\ntype T struct {\nRoot string `json:\"root\"`\nF Item `json:\"f,omitempty\"`\n}",
    );
    let text = |profile| {
        let options = Options {
            profile,
            ..Options::default()
        };
        only(&go::defaults(&schema, &options))
    };
    assert!(!text(kindsmith_checks::Profile::Upstream).contains("apple"));
    assert!(text(kindsmith_checks::Profile::Kep).contains("apple"));
}

const RECURSIVE: &str = "type T struct {\nRoot string `json:\"root\"`\nN *Node `json:\"n,omitempty\"`\nP *Plain `json:\"p,omitempty\"`\n}\n\
    type Node struct {\n// +default=\"x\"\nW string `json:\"w,omitempty\"`\nL []Leaf `json:\"l,omitempty\"`\n}\n\
    type Leaf struct {\nN *Node `json:\"n,omitempty\"`\nM map[string]Node `json:\"m,omitempty\"`\n}\n\
    type Plain struct {\nP *Plain `json:\"p,omitempty\"`\n}";

/// defaulter-gen stops at the second visit of a type.
#[test]
fn recursive_types_are_filled_once_or_by_the_kep_throughout() {
    let schema = schema(RECURSIVE);
    let text = |profile| {
        let options = Options {
            profile,
            ..Options::default()
        };
        only(&go::defaults(&schema, &options))
    };
    let upstream = text(kindsmith_checks::Profile::Upstream);
    assert_eq!(upstream.matches("\"x\"").count(), 1, "{upstream}");
    assert!(!upstream.contains("setObjectDefaults_"), "{upstream}");
    let kep = text(kindsmith_checks::Profile::Kep);
    for expected in [
        "func SetObjectDefaults_T(in *T) {\n\tif in.N != nil {\n\t\tsetObjectDefaults_Node(in.N)\n\t}\n}\n",
        "func setObjectDefaults_Node(in *Node) {\n\tif in.W == \"\" {\n\t\tin.W = \"x\"\n\t}\n\tfor i := range in.L {\n\t\titem := &in.L[i]\n\
         \t\tif item.N != nil {\n\t\t\tsetObjectDefaults_Node(item.N)\n\t\t}\n\
         \t\tfor key2, item2 := range item.M {\n\t\t\tsetObjectDefaults_Node(&item2)\n\t\t\titem.M[key2] = item2\n\t\t}\n\t}\n}\n",
    ] {
        assert!(kep.contains(expected), "{kep}");
    }
    assert!(!kep.contains("Plain"), "{kep}");
}
