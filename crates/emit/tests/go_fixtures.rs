//! Generated test packages compile, pass if every rule was covered, and name the rules that were not.

use std::path::Path;

use crate::toolchain;
use kindsmith_emit::go::{self, Options};

const DOC: &str = "// +k8s:validation-gen=TypesWithField=Root
// +k8s:validation-gen-scheme-registry=example.com/shop/registry.Scheme

package v1

import \"example.com/shop/registry\"

const GroupName = \"shop.example.com\"

var localSchemeBuilder = registry.All
";

const TYPES: &str = "package v1

type Order struct {
	Root string `json:\"root\"`
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:\"name\"`
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:minimum=1
	Sizes []int32 `json:\"sizes,omitempty\"`
	// +k8s:optional
	Parts map[string]Part `json:\"parts,omitempty\"`
	// +k8s:optional
	// +k8s:immutable
	Kind *string `json:\"kind,omitempty\"`
}

type Part struct {
	// +k8s:optional
	// +k8s:unionMember
	A *string `json:\"a,omitempty\"`
	// +k8s:optional
	// +k8s:unionMember
	B *string `json:\"b,omitempty\"`
}
";

/// Makes every rule report an error.
const TEST: &str = "package order

import (
	\"context\"
	\"testing\"

	\"example.com/shop/api/v1\"
	\"k8s.io/apimachinery/pkg/api/operation\"
	\"k8s.io/apimachinery/pkg/runtime/schema\"
	\"k8s.io/apimachinery/pkg/test/coverage\"
)

func TestOrder(t *testing.T) {
	old, changed := \"a\", \"b\"
	objects := []v1.Order{
		{Kind: &changed},
		{Name: \"long\", Sizes: []int32{0, 1, 1}},
		{Parts: map[string]v1.Part{\"x\": {}}},
	}
	for _, version := range apiVersions {
		kind := schema.GroupVersionKind{Group: v1.GroupName, Version: version, Kind: \"Order\"}
		for _, object := range objects {
			before := &v1.Order{Kind: &old}
			for _, op := range []operation.Operation{{Type: operation.Create}, {Type: operation.Update}} {
				errs := v1.Validate_Order(context.Background(), op, nil, &object, before)
				coverage.RecordObservedRules(kind, errs)
			}
		}
	}
}
";

#[test]
fn a_run_that_does_not_cover_every_rule_fails() {
    let Some(go) = toolchain::go("fixtures", "compiling and running the test packages of kinds") else {
        return;
    };
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go/registry");
    go.copy(&data, "registry");
    go.module_file("example.com/shop");
    go.write("api/v1/doc.go", DOC);
    go.write("api/v1/types.go", TYPES);
    let read = go.read("api/...");
    let generated = go::validations(&read.schema, &Options::default());
    assert_eq!(generated.problems, Vec::new());
    go.write("api/v1/zz_generated.validations.go", &generated.files[0].text);
    for test in go::kind_tests(&read.schema, &Options::default(), "zz_generated.") {
        go.write(&format!("test/{}", test.path), &test.text);
    }
    go.write("test/shop/order/order_test.go", TEST);
    go.gofmt();
    go.run(&["test", "-count=1", "-vet=off", "./test/..."]);
    // Nothing is covered if no test of the package runs.
    let output = go.try_run(&["test", "-count=1", "-vet=off", "-run", "None", "./test/..."]);
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    for part in [
        "6 uncovered declarative-validation rules:\nshop.example.com/v1, Kind=Order:\n",
        "  name  FieldValueTooLong origin=\"maxLength\"\n",
        "  parts[*]  FieldValueInvalid origin=\"union\"\n",
        "  sizes[*]  FieldValueDuplicate\n",
    ] {
        assert!(said.contains(part), "no\n{part}\nin\n{said}");
    }
}
