//! Suites in both formats, run against a small CRD and a small Go package.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

use kindsmith::{Kinds, Profile, Release};
use kindsmith_ruletest::coverage::Coverage;
use kindsmith_ruletest::equivalence::{Budget, compare};
use kindsmith_ruletest::explore::Kind;
use kindsmith_ruletest::generate::generate;
use kindsmith_ruletest::{Subject, run, suite};

const GATE: &str = include_str!("../../../fixtures/gate/crd.yaml");
const GATE_SUITE: &str = include_str!("../../../fixtures/gate/tests/gate.yaml");
const HEAD: &str = "\
kind: RuleTests
base: {apiVersion: park.example.org/v1, kind: Gate, metadata: {name: north}, spec: {name: North}}
tests:
";
const GO: &str = r#"
// +k8s:validation-gen=*
package v1

type Lamp struct {
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name"`
	// +k8s:beta(since: "1.37")=+k8s:maximum=9
	Watts int32 `json:"watts,omitempty"`
	// +k8s:ifEnabled(Colors)=+k8s:required
	Color string `json:"color,omitempty"`
}
"#;

fn gate() -> Subject {
    Subject::of_crd("", GATE, None, Release::default()).expect("the CRD is valid")
}

fn lamp() -> Subject {
    let kinds = Kinds::from_go([("types.go", GO)]).expect("the types are valid");
    Subject::new("", kinds)
}

/// Runs all cases; each failure is a line with the case's name, the message and the diff.
fn failures(subject: &Subject, text: &str, coverage: &mut Coverage) -> Vec<String> {
    let suite = suite::read("a.yaml", text)
        .expect("it is a suite")
        .expect("it is a suite");
    let mut all = Vec::new();
    for case in &suite.cases {
        let verdict = run(&suite, case, subject, Profile::Upstream, &mut |seen| {
            coverage.observe(seen);
        });
        if let Some(failure) = verdict.failure {
            let diff = failure.diff.unwrap_or_default();
            all.push(format!("{}: {}\n{diff}", case.name, failure.message));
        }
    }
    all
}

fn check(subject: &Subject, text: &str, expected: &[&str]) {
    assert_eq!(
        failures(subject, text, &mut Coverage::default()),
        expected,
        "{text}"
    );
}

#[test]
fn the_fixture_passes() {
    check(&gate(), GATE_SUITE, &[]);
}

#[test]
fn failures_show_what_differs() {
    let text = format!(
        "{HEAD}  onCreate:
  - name: object
    initial: {{}}
    expected: {{spec: {{width: 100}}}}
  - name: errors
    initial: {{spec: {{width: 1}}}}
    expectedErrors: [{{field: spec.height, type: Invalid}}]
  - name: accepted
    initial: {{}}
    expectedError: no gates today
  - name: refused
    initial: {{spec: {{width: 1}}}}
"
    );
    check(
        &gate(),
        &text,
        &[
            "object: the stored object differs\n  ...\n    name: north\n  spec:\n    name: North\n-   width: 100\n+   width: 120\n",
            "errors: the errors differ\n- {field: spec.height, type: Invalid}\n+ spec.width: Invalid value: 1: spec.width in body should be greater than or equal to 60\n",
            "accepted: the object is accepted, but expectedError is \"no gates today\"\n",
            "refused: the object is refused: Gate.park.example.org \"north\" is invalid: spec.width: Invalid value: 1: spec.width in body should be greater than or equal to 60\n",
        ],
    );
}

#[test]
fn suites_of_openshift_run_as_they_are() {
    let text = r#"
apiVersion: apiextensions.k8s.io/v1
name: Gate
crdName: gates.park.example.org
tests:
  onCreate:
  - name: what was written is expected if nothing else is
    initial: |
      apiVersion: park.example.org/v1
      kind: Gate
      spec: {name: North, width: 120}
  - name: the type of a value stands for it
    initial: |
      apiVersion: park.example.org/v1
      kind: Gate
      spec: {name: North, hours: [{day: Mon, from: 9, to: 7}]}
    expectedError: 'spec.hours[0]: Invalid value: "object": a gate opens before it closes'
  onUpdate:
  - name: an object may be stored under older rules
    initialCRDPatches:
    - op: remove
      path: /spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/width/minimum
    initial: |
      apiVersion: park.example.org/v1
      kind: Gate
      spec: {name: North, width: 1}
    updated: |
      apiVersion: park.example.org/v1
      kind: Gate
      spec: {name: South, width: 1}
  - name: a status is refused by itself
    initial: |
      apiVersion: park.example.org/v1
      kind: Gate
      spec: {name: North, width: 120}
    updated: |
      apiVersion: park.example.org/v1
      kind: Gate
      spec: {name: North, width: 120}
      status: {open: 7}
    expectedStatusError: 'must be of type boolean'
"#;
    check(&gate(), text, &[]);
}

#[test]
fn go_types_have_options_gates_and_levels() {
    let text = "
kind: RuleTests
base: {apiVersion: example.org/v1, kind: Lamp, name: abc}
options: {Colors: false}
tests:
  onCreate:
  - name: errors have an origin
    initial: {name: abcd}
    expectedErrors: [{field: name, type: TooLong, origin: maxLength}]
  - name: beta rules are enforced
    initial: {watts: 10}
    expectedErrors: ['watts: Invalid value: 10: must be less than or equal to 9']
  - name: unless the gate is off
    initial: {watts: 10}
    gates: {DeclarativeValidationBeta: false}
  - name: or everything is
    initial: {watts: 10}
    gates: {DeclarativeValidationBeta: false}
    enforceAll: true
    expectedErrors: [{field: watts}]
  - name: options turn rules on
    initial: {}
    options: {Colors: true}
    expectedErrors: ['color: Required value']
";
    let mut coverage = Coverage::default();
    assert_eq!(failures(&lamp(), text, &mut coverage), Vec::<String>::new());
    let expected = "\
example.org/v1 Lamp: 1 of 4 covered (25%)
    api/types.go:6:6: name k8s:required: no case breaks it
    api/types.go:9:6: watts k8s:beta(since: \"1.37\")=+k8s:maximum=9: no case keeps it
    api/types.go:11:6: color k8s:ifEnabled(Colors)=+k8s:required: no case keeps it
";
    assert_eq!(coverage.text(), expected);
}

#[test]
fn proposed_cases_pass_and_cover_every_rule() {
    let subject = gate();
    let kinds = Kind::all(&subject, Profile::Upstream);
    let proposal = generate(&kinds[0], "");
    assert_eq!(proposal.missing, Vec::<String>::new());
    let mut coverage = Coverage::default();
    assert_eq!(
        failures(&subject, &proposal.text, &mut coverage),
        Vec::<String>::new()
    );
    assert!(
        (coverage.percent() - 100.0).abs() < f64::EPSILON,
        "{}",
        coverage.text()
    );
}

#[test]
fn the_smallest_difference_is_found_again_by_its_seed() {
    let check = |from: &str, to: &str, expected: Option<&str>| {
        let (left, right) = (
            gate(),
            Subject::of_crd("", &GATE.replace(from, to), None, Release::default()),
        );
        let right = right.expect("the changed CRD is valid");
        let (left, right) = (
            Kind::all(&left, Profile::Upstream),
            Kind::all(&right, Profile::Upstream),
        );
        let budget = Budget {
            objects: 300,
            seed: 1,
        };
        let found = || {
            compare(&left[0], &right[0], budget)
                .difference
                .map(|found| found.object.to_string())
        };
        assert_eq!(found().as_deref(), expected, "{from} {to}");
        assert_eq!(found(), found());
    };
    check("maximum: 400", "maximum: 400", None);
    check(
        "maximum: 400",
        "maximum: 401",
        Some(r#"{"spec":{"name":"","width":401}}"#),
    );
    check("default: 120", "default: 121", Some(r#"{"spec":{"name":""}}"#));
}
