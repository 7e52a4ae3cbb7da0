//! The language server as editors use it: the built binary over its pipes.

mod client;
mod manifests;

use std::path::PathBuf;

use serde_json::{Value, json};

use client::{Editor, place};

const DOC: &str = "// +groupName=park.example.org\npackage v1\n";

const TYPES: &str = r#"package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

const NoColor = "none"

// +kubebuilder:object:root=true
type Gate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GateSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.width > 1",message="too narrow"
type GateSpec struct {
	// Width in centimeters.
	// +kubebuilder:validation:Maximum=500
	Width int32 `json:"width"`
	// +k8s:listType=map
	// +k8s:listMapKey=day
	Hours []Hours `json:"hours,omitempty"`
	// +default=ref(NoColor)
	Color string `json:"color,omitempty"`
}

type Hours struct {
	Day  string `json:"day"`
	From int32  `json:"from,omitempty"`
}
"#;

const CRD: &str = include_str!("../../../../fixtures/gate/crd.yaml");

/// A module in a directory of its own, with a server.
fn workspace(name: &str) -> Editor {
    let root: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "lsp", name].iter().collect();
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir_all(root.join("v1")).expect("the directory can be made");
    for (file, text) in [
        ("go.mod", "module example.org/park\n"),
        ("v1/doc.go", DOC),
        ("v1/types.go", TYPES),
        ("crd.yaml", CRD),
    ] {
        std::fs::write(root.join(file), text).expect("the file can be written");
    }
    Editor::open(&root)
}

fn codes(findings: &[Value]) -> Vec<&str> {
    findings
        .iter()
        .filter_map(|finding| finding["code"].as_str())
        .collect()
}

fn labels(items: &Value) -> Vec<&str> {
    let items = items.as_array().expect("a list").iter();
    items.filter_map(|item| item["label"].as_str()).collect()
}

#[test]
fn findings_follow_every_change() {
    let mut editor = workspace("findings");
    assert_eq!(codes(&editor.document("v1/types.go", TYPES)), [""; 0]);
    let (line, column) = place(TYPES, "listMapKey=day", 3);
    let inserted = json!({
        "range": {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}},
        "text": "nM",
    });
    let found = editor.change("v1/types.go", &inserted);
    assert!(codes(&found).contains(&"unknown-tag"), "{found:?}");
    assert_eq!(found[0]["source"], "kindsmith");
    assert_eq!(
        codes(&editor.change("v1/types.go", &json!({"text": TYPES}))),
        [""; 0]
    );
    editor.quit();
}

#[test]
fn a_misspelled_field_has_a_quick_fix() {
    let mut editor = workspace("actions");
    let text = GATE.replace("colr: green", "widht: 100");
    let found = editor.document("gate.yaml", &text);
    let wrong = found
        .iter()
        .find(|found| found["code"] == "unknown-field")
        .expect("a finding");
    let params = json!({
        "textDocument": {"uri": editor.uri("gate.yaml")},
        "range": wrong["range"],
        "context": {"diagnostics": []},
    });
    let actions = editor.request("textDocument/codeAction", &params);
    let edit = &actions[0]["edit"]["changes"][editor.uri("gate.yaml")][0];
    assert_eq!(edit["newText"], "width", "{actions}");
    let (line, column) = place(&text, "widht", 0);
    assert_eq!(edit["range"]["start"], json!({"line": line, "character": column}));
    let elsewhere = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}});
    let params = json!({
        "textDocument": {"uri": editor.uri("gate.yaml")},
        "range": elsewhere,
        "context": {"diagnostics": []},
    });
    assert_eq!(editor.request("textDocument/codeAction", &params), json!([]));
    editor.quit();
}

#[test]
fn a_misspelled_tag_has_a_quick_fix() {
    let mut editor = workspace("tag-fix");
    let text = TYPES.replace("+k8s:listType=map", "+k8s:listTpye=map");
    let found = editor.document("v1/types.go", &text);
    let wrong = found.iter().find(|found| found["code"] == "unknown-tag");
    let params = json!({
        "textDocument": {"uri": editor.uri("v1/types.go")},
        "range": wrong.expect("a finding")["range"],
        "context": {"diagnostics": []},
    });
    let actions = editor.request("textDocument/codeAction", &params);
    let action = actions.as_array().and_then(|all| all.first()).expect("an action");
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["isPreferred"], true, "it is safe");
    // The edit makes the text what it was.
    let edit = action["edit"]["changes"][editor.uri("v1/types.go")][0].clone();
    let after = editor.change(
        "v1/types.go",
        &json!({"range": edit["range"], "text": edit["newText"]}),
    );
    assert_eq!(codes(&after), [""; 0]);
    editor.quit();
}

#[test]
fn a_rename_starts_at_the_struct_tag_and_reaches_other_files() {
    let mut editor = workspace("rename-files");
    let more = "package v1\n\ntype Week struct {\n\t// +k8s:listType=map\n\t// +k8s:listMapKey=day\n\tHours []Hours `json:\"hours\"`\n}\n";
    editor.document("v1/more.go", more);
    editor.document("v1/types.go", TYPES);
    let at = place(TYPES, "\"day\"", 2);
    let edit = editor.ask(
        "textDocument/rename",
        "v1/types.go",
        at,
        json!({"newName": "weekday"}),
    );
    let count = |file: &str| edit["changes"][editor.uri(file)].as_array().map_or(0, Vec::len);
    assert_eq!((count("v1/types.go"), count("v1/more.go")), (2, 1), "{edit}");
    // Go names are for gopls.
    let nothing = editor.ask(
        "textDocument/prepareRename",
        "v1/types.go",
        place(TYPES, "Day  string", 1),
        json!({}),
    );
    assert_eq!(nothing, Value::Null);
    editor.quit();
}

#[test]
fn tags_arguments_and_values_are_completed() {
    let mut editor = workspace("completion");
    editor.document("v1/types.go", TYPES);
    let mut ask = |wanted: &str, plus: usize| {
        editor.ask(
            "textDocument/completion",
            "v1/types.go",
            place(TYPES, wanted, plus),
            json!({}),
        )
    };
    let names = ask("+k8s:listType", 5);
    assert!(labels(&names).contains(&"k8s:maxItems"));
    for other in ["k8s:maxLength", "k8s:minimum", "groupName"] {
        assert!(!labels(&names).contains(&other), "{other} is not for lists");
    }
    let items = names
        .as_array()
        .expect("a list")
        .iter()
        .find(|item| item["label"] == "k8s:maxItems");
    assert_eq!(
        items.expect("it is there")["textEdit"]["newText"],
        "k8s:maxItems=${1}"
    );
    assert_eq!(labels(&ask("listType=map", 9)), ["atomic", "map", "set"]);
    assert_eq!(labels(&ask("listMapKey=day", 11)), ["day", "from"]);
    let arguments = ask("XValidation:rule", 12);
    assert!(labels(&arguments).contains(&"messageExpression"), "{arguments}");
    editor.quit();
}

#[test]
fn hovers_show_the_page_and_the_crd() {
    let mut editor = workspace("hover");
    editor.document("v1/types.go", TYPES);
    let mut ask = |wanted: &str| {
        let hover = editor.ask(
            "textDocument/hover",
            "v1/types.go",
            place(TYPES, wanted, 3),
            json!({}),
        );
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let tag = ask("+kubebuilder:validation:Maximum");
    assert!(tag.contains("// +kubebuilder:validation:Maximum"), "{tag}");
    assert!(
        tag.contains("width:\n  type: integer\n  format: int32\n  maximum: 500"),
        "{tag}"
    );
    let field = ask("Hours []Hours");
    assert!(field.contains("x-kubernetes-list-type: map"), "{field}");
    editor.quit();
}

#[test]
fn definitions_of_fields_and_constants() {
    let mut editor = workspace("definition");
    editor.document("v1/types.go", TYPES);
    let mut ask = |wanted: &str, plus: usize| {
        let found = editor.ask(
            "textDocument/definition",
            "v1/types.go",
            place(TYPES, wanted, plus),
            json!({}),
        );
        let start = &found["range"]["start"];
        (
            start["line"].as_u64().unwrap_or(0) as usize,
            start["character"].as_u64().unwrap_or(0) as usize,
        )
    };
    assert_eq!(ask("listMapKey=day", 12), place(TYPES, "Day  string", 0));
    assert_eq!(ask("self.width", 6), place(TYPES, "Width int32", 0));
    assert_eq!(ask("ref(NoColor)", 5), place(TYPES, "NoColor =", 0));
    editor.quit();
}

/// All forms of references to other declarations.
const REFERENCES: &str = r#"package v1

import "example.org/park/shared"

type Kind string

const (
	KindDoor Kind = "Door"
	KindArch Kind = "Arch"
)

// +kubebuilder:printcolumn:name="Open",type=string,JSONPath=`.spec.slots[?(@.label=="a")].open`
// +genclient:method=Move,verb=update,subresource=move,input=Slot,result=example.org/park/v1.Kind
type Door struct {
	Spec DoorSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.slots.all(s, s.open < s.close) && self.kind == 'Arch'"
// +kubebuilder:validation:XValidation:rule="self.slots[0].tags.exists(t, t.tag__dash__name == self.slots.filter(x, true)[0].label)"
type DoorSpec struct {
	// +k8s:unionDiscriminator
	// +k8s:modeDiscriminator
	// +kubebuilder:validation:Enum=Door;Arch
	// +kubebuilder:default=Door
	Kind Kind `json:"kind"`
	// +k8s:unionMember(memberName: "Arch")
	// +k8s:ifMode("Door")=+k8s:required
	// +k8s:subfield(inner)=+k8s:subfield(depth)=+k8s:minimum=1
	Wing *Wing `json:"wing,omitempty"`
	// +listType=map
	// +listMapKey=label
	// +patchMergeKey=label
	Slots []Slot `json:"slots,omitempty" patchMergeKey:"label"`
	// +default=ref(example.org/park/shared.Paint)
	Paint string `json:"paint,omitempty"`
	ByName map[string]Wing `json:"byName,omitempty"`
	Palette shared.Palette `json:"palette,omitempty"`
}

type Wing struct {
	Inner Inner `json:"inner"`
}

type Inner struct {
	Depth int32 `json:"depth"`
}

type Slot struct {
	Label string `json:"label"`
	Open  int32 `json:"open"`
	Close int32 `json:"close"`
	Tags  []Tag `json:"tags,omitempty"`
}

type Tag struct {
	Name string `json:"tag-name"`
}
"#;

const SHARED: &str = "package shared\n\nconst Paint = \"white\"\n\ntype Palette struct{}\n";

/// Asks for the definition at a word, and expects a place in a file.
#[track_caller]
fn check_definition(
    editor: &mut Editor,
    (wanted, plus): (&str, usize),
    (file, text): (&str, &str),
    at: &str,
) {
    let from = place(REFERENCES, wanted, plus);
    let mut found = editor.ask("textDocument/definition", "v1/references.go", from, json!({}));
    if let Value::Array(places) = &mut found {
        assert_eq!(places.len(), 1, "{wanted}");
        found = places.remove(0);
    }
    let (line, character) = place(text, at, 0);
    assert_eq!(found["uri"], editor.uri(file), "{wanted}: {found}");
    assert_eq!(
        found["range"]["start"],
        json!({"line": line, "character": character}),
        "{wanted}"
    );
}

#[test]
fn definitions_of_every_form_of_reference() {
    let mut editor = workspace("references");
    editor.write("shared/shared.go", SHARED);
    editor.document("v1/references.go", REFERENCES);
    let here = ("v1/references.go", REFERENCES);
    for (wanted, plus, declared) in [
        // CEL: variables of loops, indexes, calls, escaped names.
        ("s.open <", 3, "Open  int32"),
        ("s.close)", 3, "Close int32"),
        ("self.slots.all", 6, "Slots []Slot"),
        ("tag__dash__name", 1, "Name string"),
        ("[0].label)", 5, "Label string"),
        // JSON paths, with filters.
        ("@.label", 3, "Label string"),
        ("].open`", 3, "Open  int32"),
        // Keys of lists.
        ("+listMapKey=label", 13, "Label string"),
        ("+patchMergeKey=label", 16, "Label string"),
        // Members of members.
        ("subfield(depth)", 10, "Depth int32"),
        // Discriminators, from their members, and the other way around.
        ("unionMember(", 3, "Kind Kind"),
        ("ifMode(", 3, "Kind Kind"),
        ("unionDiscriminator", 3, "Wing *Wing"),
        // Constants by their values.
        ("memberName: \"Arch\"", 14, "KindArch Kind"),
        ("ifMode(\"Door\"", 9, "KindDoor Kind"),
        ("== 'Arch'", 5, "KindArch Kind"),
        ("Enum=Door;Arch", 11, "KindArch Kind"),
        ("default=Door", 9, "KindDoor Kind"),
        // Types in tags and declarations.
        ("input=Slot", 7, "Slot struct"),
        ("v1.Kind", 4, "Kind string"),
        ("DoorSpec `json", 2, "DoorSpec struct"),
        ("[]Slot `json", 3, "Slot struct"),
        ("map[string]Wing", 12, "Wing struct"),
        ("*Wing `json", 2, "Wing struct"),
    ] {
        check_definition(&mut editor, (wanted, plus), here, declared);
    }
    let shared = ("shared/shared.go", SHARED);
    check_definition(&mut editor, ("shared.Paint)", 8), shared, "Paint =");
    check_definition(&mut editor, ("shared.Palette", 9), shared, "Palette struct");
    for (wanted, plus) in [
        ("k8s:minimum=1", 12),
        ("true)[0]", 1),
        ("package v1", 9),
        ("name=\"Open\"", 1),
    ] {
        let nothing = editor.ask(
            "textDocument/definition",
            "v1/references.go",
            place(REFERENCES, wanted, plus),
            json!({}),
        );
        assert_eq!(nothing, Value::Null, "{wanted}");
    }
    editor.quit();
}

#[test]
fn what_the_server_will_say_of_crds_is_found_while_typing() {
    let mut editor = workspace("crds");
    editor.document("v1/types.go", TYPES);
    let rule = "// +kubebuilder:validation:XValidation:rule=\"self.width > 1\"";
    let with = |line: &str| json!({"text": TYPES.replace(rule, line)});
    let unknown = editor.change("v1/types.go", &with(&rule.replace("width", "widht")));
    assert_eq!(codes(&unknown), ["definition"]);
    let (line, _) = place(TYPES, "self.width", 0);
    assert_eq!(unknown[0]["range"]["start"]["line"], line);
    let default = "// +kubebuilder:default=1\n\t// +kubebuilder:validation:Maximum=500";
    let defaulted = TYPES
        .replace("// +kubebuilder:validation:Maximum=500", default)
        .replace(
            "Width int32 `json:\"width\"`",
            "Width *int32 `json:\"width,omitempty\"`",
        );
    assert_eq!(
        codes(&editor.change("v1/types.go", &json!({"text": defaulted}))),
        ["default-rule"]
    );
    let long = "// Width in centimeters.\n".to_owned()
        + &"\t// It is a long story, as all widths are.\n".repeat(30_000);
    let large = TYPES.replace("// Width in centimeters.\n", &long);
    assert_eq!(
        codes(&editor.change("v1/types.go", &json!({"text": large}))),
        ["crd-size"]
    );
    assert_eq!(
        codes(&editor.change("v1/types.go", &json!({"text": TYPES}))),
        [""; 0]
    );
    editor.quit();
}

#[test]
fn a_rename_changes_the_json_name_and_every_tag() {
    let mut editor = workspace("rename");
    editor.document("v1/types.go", TYPES);
    let at = place(TYPES, "self.width", 6);
    let range = editor.ask("textDocument/prepareRename", "v1/types.go", at, json!({}));
    assert_eq!(range["start"]["character"], at.1 - 1);
    let edit = editor.ask(
        "textDocument/rename",
        "v1/types.go",
        at,
        json!({"newName": "broad"}),
    );
    let edits = edit["changes"][editor.uri("v1/types.go")]
        .as_array()
        .expect("edits")
        .clone();
    let mut starts: Vec<(usize, usize)> = edits
        .iter()
        .map(|edit| {
            let start = &edit["range"]["start"];
            (
                start["line"].as_u64().unwrap_or(0) as usize,
                start["character"].as_u64().unwrap_or(0) as usize,
            )
        })
        .collect();
    starts.sort_unstable();
    assert_eq!(
        starts,
        [place(TYPES, "self.width", 5), place(TYPES, "\"width\"", 1)]
    );
    assert!(edits.iter().all(|edit| edit["newText"] == "broad"));
    let refused = editor.ask(
        "textDocument/rename",
        "v1/types.go",
        at,
        json!({"newName": "a b"}),
    );
    assert_eq!(refused["message"], "`a b` is not a JSON name");
    editor.quit();
}

#[test]
fn lenses_show_rules_and_their_cost() {
    let mut editor = workspace("lens");
    editor.document("v1/types.go", TYPES);
    let params = json!({"textDocument": {"uri": editor.uri("v1/types.go")}});
    let lenses = editor.request("textDocument/codeLens", &params);
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|lens| lens["command"]["title"].as_str())
        .collect();
    assert!(
        titles
            .iter()
            .any(|title| title.starts_with("CEL: self.width > 1 (cost ")),
        "{titles:?}"
    );
    editor.quit();
}

const GATE: &str = "\
apiVersion: park.example.org/v1
kind: Gate
metadata:
  name: north
spec:
  name: North
  colr: green
  hours:
    - day: Mon
      from: 9
";

#[test]
fn manifests_have_findings_hovers_and_completion() {
    let mut editor = workspace("manifests");
    let found = editor.document("gate.yaml", GATE);
    assert!(codes(&found).contains(&"unknown-field"), "{found:?}");
    let hover = editor.ask(
        "textDocument/hover",
        "gate.yaml",
        place(GATE, "  hours", 3),
        json!({}),
    );
    let page = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(page.starts_with("**hours** `[]Object`"), "{page}");
    let members = editor.ask(
        "textDocument/completion",
        "gate.yaml",
        place(GATE, "colr", 2),
        json!({}),
    );
    assert!(labels(&members).contains(&"width"), "{members}");
    assert!(
        !labels(&members).contains(&"hours"),
        "it is already there: {members}"
    );
    let days = editor.ask(
        "textDocument/completion",
        "gate.yaml",
        place(GATE, "day: Mon", 6),
        json!({}),
    );
    assert!(labels(&days).contains(&"Tue"), "{days}");
    editor.quit();
}

#[test]
fn built_in_kinds_are_known() {
    let mut editor = workspace("builtin");
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replicas: x\n  \n";
    let found = editor.document("deployment.yaml", text);
    assert!(!found.is_empty());
    let members = editor.ask("textDocument/completion", "deployment.yaml", (6, 2), json!({}));
    assert!(labels(&members).contains(&"minReadySeconds"), "{members}");
    let hover = editor.ask(
        "textDocument/hover",
        "deployment.yaml",
        place(text, "replicas", 2),
        json!({}),
    );
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|page| page.contains("integer"))
    );
    editor.quit();
}

#[test]
fn crds_that_are_open_count_before_they_are_saved() {
    let mut editor = workspace("open-crd");
    let door = GATE.replace("Gate", "Door");
    assert_eq!(codes(&editor.document("door.yaml", &door)), ["no-schema"]);
    editor.document(
        "doors.yaml",
        &CRD.replace("Gate", "Door").replace("gates", "doors"),
    );
    let found = editor.change("door.yaml", &json!({"text": door}));
    assert!(codes(&found).contains(&"unknown-field"), "{found:?}");
    editor.quit();
}

#[test]
fn what_is_not_known_is_refused_and_strange_documents_are_ignored() {
    let mut editor = workspace("strange");
    let answer = editor.request("textDocument/foldingRange", &json!({}));
    assert_eq!(answer["code"], -32601);
    let answer = editor.request("textDocument/hover", &json!({"position": 1}));
    assert_eq!(answer["code"], -32602);
    let nothing = editor.ask("textDocument/hover", "not-open.go", (0, 0), json!({}));
    assert_eq!(nothing, Value::Null);
    editor.notify("textDocument/didChange", &json!({"strange": true}));
    assert_eq!(codes(&editor.document("v1/types.go", TYPES)), [""; 0]);
    editor.quit();
}
