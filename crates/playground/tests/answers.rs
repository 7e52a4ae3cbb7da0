//! What the page is told about types and objects.

use kindsmith_playground::Session;
use serde_json::{Value, json};

const CRD: &str = include_str!("../../../fixtures/gate/crd.yaml");
const GO: &str = concat!(
    "// +groupName=garden.example.org\n// +k8s:openapi-gen=true\n",
    "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n",
    "// Bed is a piece of garden.\n// +genclient\ntype Bed struct {\n",
    "\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n",
    "\tSpec BedSpec `json:\"spec\"`\n}\n\n",
    "// BedSpec says what grows.\ntype BedSpec struct {\n",
    "\t// +k8s:required\n\t// +k8s:maxLength=5\n\tName string `json:\"name\"`\n",
    "\t// +k8s:optional\n\t// +default=3\n\tRows *int32 `json:\"rows,omitempty\"`\n}\n",
);

fn ask(request: &Value) -> Value {
    let answer = Session::default().answer(&request.to_string());
    serde_json::from_str(&answer).expect("an answer is JSON")
}

fn gate(spec: &str) -> String {
    format!("apiVersion: park.example.org/v1\nkind: Gate\nmetadata:\n  name: north\nspec:\n{spec}")
}

fn bed(spec: &str) -> String {
    format!("apiVersion: garden.example.org/v1\nkind: Bed\nmetadata:\n  name: a\nspec:\n{spec}")
}

/// The text of a pane at a place.
fn at<'t>(text: &'t str, place: &Value) -> &'t str {
    let offset = |key: &str| usize::try_from(place[key].as_u64().expect("an offset")).expect("small");
    &text[offset("from")..offset("to")]
}

#[test]
fn an_error_of_a_crd_names_value_and_rule() {
    let object = gate("  name: North\n  hours:\n    - day: Mon\n      from: 9\n      to: 7\n");
    let answer = ask(&json!({"crds": CRD, "object": object}));
    assert_eq!(answer["verdict"], "rejected");
    let error = &answer["findings"][0];
    assert_eq!(
        error["message"],
        "spec.hours[0]: Invalid value: a gate opens before it closes"
    );
    assert_eq!(at(&object, error), "day: Mon");
    assert_eq!(error["cause"]["pane"], "crds");
    assert_eq!(at(CRD, &error["cause"]), "rule");
    assert_eq!(error["cause"]["label"], "required by this rule");
}

#[test]
fn an_error_of_go_types_names_the_tag() {
    let object = bed("  name: long-name\n");
    let answer = ask(&json!({"go": GO, "object": object}));
    let error = answer["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|found| found["pane"] == "object")
        .expect("an error");
    assert_eq!(
        error["message"],
        "spec.name: Too long: may not be more than 5 characters"
    );
    assert_eq!(at(&object, error), "long-name");
    assert_eq!(at(GO, &error["cause"]), "k8s:maxLength=5");
}

#[test]
fn a_marker_of_kubebuilder_is_named_too() {
    let go = GO.replace("+k8s:maxLength=5", "+kubebuilder:validation:MaxLength=5");
    let answer = ask(&json!({"go": go, "object": bed("  name: long-name\n")}));
    let findings = answer["findings"].as_array().expect("a list");
    let error = findings
        .iter()
        .find(|found| found["pane"] == "object")
        .expect("an error");
    assert_eq!(
        at(&go, &error["cause"]),
        "kubebuilder:validation:MaxLength=5",
        "{error}"
    );
}

#[test]
fn defaults_are_marked_and_explained() {
    let answer = ask(&json!({"crds": CRD, "object": gate("  name: North\n  color: green\n")}));
    assert_eq!(answer["verdict"], "allowed");
    let stored = &answer["stored"];
    let text = stored["text"].as_str().expect("YAML");
    assert_eq!(at(text, &stored["marks"][0]), "width: 120");
    let changes = &answer["changes"];
    assert_eq!(changes[0]["kind"], "defaulted");
    assert_eq!(at(CRD, &changes[0]["cause"]), "default");
    assert_eq!(changes[1]["kind"], "pruned");
    assert_eq!(changes[1]["path"], "spec.color");
}

#[test]
fn defaults_of_tags_are_explained() {
    let answer = ask(&json!({"go": GO, "object": bed("  name: a\n")}));
    assert_eq!(answer["changes"][0]["path"], "spec.rows");
    assert_eq!(at(GO, &answer["changes"][0]["cause"]), "default=3");
}

#[test]
fn an_update_says_what_ratcheting_spared() {
    let long = gate("  name: A name that is much longer than allowed\n");
    let changed = format!("{long}  tags:\n    a: b\n");
    let answer = ask(&json!({"crds": CRD, "object": changed, "old": long}));
    assert_eq!(answer["verdict"], "allowed", "{answer}");
    let spared = answer["ratcheted"][0]["message"].as_str().expect("a message");
    assert_eq!(spared, "spec.name: Too long: may not be more than 20 bytes");
    let answer =
        ask(&json!({"crds": CRD, "object": gate("  name: a\n  width: 90\n"), "old": gate("  name: a\n")}));
    assert_eq!(answer["verdict"], "rejected");
    assert_eq!(answer["ratcheted"], json!([]));
}

#[test]
fn lint_findings_have_fixes() {
    let go = GO.replace("maxLength", "maxLenght");
    let answer = ask(&json!({"go": go}));
    let found = &answer["findings"][0];
    assert_eq!(found["code"], "unknown-tag");
    assert_eq!(found["fix"]["edits"][0]["text"], "k8s:maxLength");
}

#[test]
fn rules_have_types_costs_and_values() {
    let object = gate("  name: a\n  hours:\n    - day: Mon\n      from: 9\n      to: 7\n");
    let answer = ask(&json!({"crds": CRD, "object": object, "panel": "rules"}));
    let rules = answer["rules"].as_array().expect("rules");
    let rule = rules
        .iter()
        .find(|rule| rule["expression"] == "self.from < self.to")
        .expect("the rule");
    assert_eq!(rule["at"], "spec.hours[*]");
    assert_eq!(rule["type"], "bool");
    assert_eq!(rule["times"], 7);
    assert_eq!(rule["evaluations"][0]["value"], "false");
    let transition = &rules[0];
    assert_eq!(transition["isTransition"], true);
    assert_eq!(transition["evaluations"], json!([]));
}

#[test]
fn an_apply_shows_owners_and_conflicts() {
    let live = format!(
        "{}\n",
        gate("  name: North\n  width: 100\n").replace(
            "  name: north\n",
            "  name: north\n  managedFields:\n  - manager: ops\n    operation: Apply\n    apiVersion: park.example.org/v1\n    \
             fieldsType: FieldsV1\n    fieldsV1: {\"f:spec\": {\"f:name\": {}}}\n",
        )
    );
    let object = gate("  name: South\n");
    let request = json!({"crds": CRD, "object": object, "old": live, "panel": "apply", "manager": "me"});
    let applied = &ask(&request)["apply"];
    assert_eq!(applied["conflicts"][0]["field"], ".spec.name", "{applied}");
    let mut forced = request;
    forced["force"] = true.into();
    let applied = &ask(&forced)["apply"];
    assert_eq!(applied["owners"][0]["name"], "me (Apply)", "{applied}");
}

#[test]
fn policies_are_judged_at_their_expression() {
    let policies = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: wide\nspec:\n  \
        matchConstraints:\n    resourceRules:\n    - apiGroups: [park.example.org]\n      apiVersions: [v1]\n      operations: [CREATE, UPDATE]\n      \
        resources: [gates]\n  validations:\n  - expression: object.spec.width >= 200\n    message: too narrow\n---\n\
        apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata:\n  name: wide\nspec:\n  \
        policyName: wide\n  validationActions: [Deny]\n";
    let object = gate("  name: North\n");
    let answer = ask(&json!({"crds": CRD, "policies": policies, "object": object}));
    assert_eq!(answer["verdict"], "rejected", "{answer}");
    let found = &answer["findings"][0];
    assert_eq!(found["message"], "too narrow, says the policy wide");
    assert_eq!(at(policies, &found["cause"]), "object.spec.width >= 200");
    let wide = object + "  width: 300\n";
    let answer = ask(&json!({"crds": CRD, "policies": policies, "object": wide}));
    assert_eq!(answer["verdict"], "allowed", "{answer}");
}

#[test]
fn texts_are_generated() {
    for (panel, member, expected) in [
        ("crd", "text", "kind: CustomResourceDefinition"),
        ("openapi", "text", "\"components\""),
        ("docs", "html", "<title>"),
    ] {
        let answer = ask(&json!({"go": GO, "panel": panel}));
        let text = answer[member].as_str().unwrap_or_default();
        assert!(text.contains(expected), "{panel}: {text}");
    }
}

#[test]
fn half_written_texts_get_an_answer() {
    let object = gate("  name: Nörth\n");
    for end in (0..object.len()).filter(|end| object.is_char_boundary(*end)) {
        let answer = ask(&json!({"crds": CRD, "object": &object[..end]}));
        assert!(answer["verdict"].is_string());
    }
    for end in (0..CRD.len()).step_by(97) {
        ask(&json!({"crds": &CRD[..end], "object": object, "panel": "rules"}));
    }
    for end in (0..GO.len()).step_by(31) {
        ask(&json!({"go": &GO[..end], "object": bed("  name: a\n"), "panel": "crd"}));
    }
    assert_eq!(ask(&json!(3))["verdict"], "unknown");
}

const MUTATING: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: m}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: 'Object{metadata: Object.metadata{labels: {\"a\": \"b\"}}}'
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: m}
spec: {policyName: m}
";

#[test]
fn a_mutating_policy_changes_what_is_stored() {
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    let answer = ask(&json!({"policies": MUTATING, "object": object}));
    assert_eq!(answer["verdict"], "allowed", "{answer:#}");
    let text = answer["stored"]["text"].as_str().expect("it is stored");
    assert!(text.contains("labels:\n    a: b"), "{text}");
    assert!(!text.contains("uid"), "{text}");
    let mutated = json!([{"kind": "mutated", "path": "metadata.labels", "value": "{\"a\":\"b\"}", "place": null, "cause": null}]);
    assert_eq!(answer["changes"], mutated);
    assert_eq!(at(text, &answer["stored"]["marks"][0]), "labels:\n    a: b");
}

#[test]
fn the_release_decides_which_fields_are_stored() {
    let object = include_str!("../../../web/page/examples/release.txt");
    let (_, object) = object.split_once("-- object.yaml --\n").expect("an object");
    let stored = |release: &str| {
        let answer = ask(&json!({"object": object, "release": release}));
        let text = answer["stored"]["text"]
            .as_str()
            .expect("it is stored")
            .to_owned();
        let kinds = answer["changes"].to_string();
        (text.contains("maxUnavailable: 3"), kinds.contains("cleared"))
    };
    assert_eq!(stored("1.36"), (false, true));
    assert_eq!(stored("1.37"), (true, false));
    assert_eq!(stored(""), stored("1.37"), "the newest that is out");
    assert_eq!(stored("1.38"), (true, false));
}

#[test]
fn the_page_offers_every_release() {
    let page = include_str!("../../../web/page/index.html");
    let (_, menu) = page.split_once("id=\"release\"").expect("a menu");
    let (menu, _) = menu.split_once("</select>").expect("its end");
    let offered: Vec<&str> = menu
        .split("<option")
        .skip(1)
        .filter_map(|option| option.split(['>', '<']).nth(1))
        .collect();
    let known: Vec<String> = kindsmith::Release::KNOWN
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(offered, known);
    let default = format!("selected>{}<", kindsmith::Release::default());
    assert!(menu.contains(&default), "{default}");
}
