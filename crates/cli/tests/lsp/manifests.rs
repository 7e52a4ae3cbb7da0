//! Manifests of built-in kinds, charts and kustomizations in an editor.

use serde_json::{Value, json};

use super::client::{Editor, place};
use super::{codes, labels, workspace};

/// The new text of the quick fix for the finding with a code.
fn fix(editor: &mut Editor, file: &str, found: &[Value], code: &str) -> Value {
    let wrong = found.iter().find(|found| found["code"] == code);
    let params = json!({
        "textDocument": {"uri": editor.uri(file)},
        "range": wrong.expect("a finding")["range"],
        "context": {"diagnostics": []},
    });
    let actions = editor.request("textDocument/codeAction", &params);
    actions[0]["edit"]["changes"][editor.uri(file)][0].clone()
}

#[test]
fn templates_and_kustomizations_are_not_objects() {
    let mut editor = workspace("sources");
    editor.write("chart/Chart.yaml", "name: web\n");
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n{{- if .Values.a }}\nx: y\n{{- end }}\n";
    assert_eq!(
        codes(&editor.document("chart/templates/config.yaml", template)),
        [""; 0]
    );
    assert_eq!(
        codes(&editor.document("chart/values.yaml", "kind: a\napiVersion: b\n")),
        [""; 0]
    );
    let kustomization =
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n";
    assert_eq!(
        codes(&editor.document("kustomization.yaml", kustomization)),
        [""; 0]
    );
    editor.quit();
}

#[test]
fn values_of_built_in_kinds_are_completed() {
    let mut editor = workspace("values");
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  hostNetwork: x\n  restartPolicy: x\n  containers:\n  - name: a\n    \
                imagePullPolicy: x\n    ports:\n    - protocol: x\n";
    editor.document("pod.yaml", text);
    for (key, expected) in [
        ("hostNetwork: x", &["true", "false"][..]),
        ("restartPolicy: x", &["Always", "OnFailure", "Never"]),
        ("imagePullPolicy: x", &["Always", "IfNotPresent", "Never"]),
        ("protocol: x", &["SCTP", "TCP", "UDP"]),
    ] {
        let at = place(text, key, key.len() - 1);
        let found = editor.ask("textDocument/completion", "pod.yaml", at, json!({}));
        let found = labels(&found);
        assert!(
            expected.iter().all(|value| found.contains(value)),
            "{key} {found:?}"
        );
    }
    editor.quit();
}

#[test]
fn wrong_values_and_keys_of_blocks_have_quick_fixes() {
    let mut editor = workspace("fixes");
    let text = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  type: clusterIP\n  prots:\n  - port: 80\n    name: a\n";
    let found = editor.document("service.yaml", text);
    let edit = fix(&mut editor, "service.yaml", &found, "unknown-field");
    let (line, column) = place(text, "prots", 0);
    assert_eq!(edit["newText"], "ports");
    assert_eq!(edit["range"]["start"], json!({"line": line, "character": column}));
    assert_eq!(
        edit["range"]["end"],
        json!({"line": line, "character": column + 5})
    );
    let text = text.replace("prots", "ports");
    let found = editor.change("service.yaml", &json!({"text": text}));
    assert_eq!(
        fix(&mut editor, "service.yaml", &found, "invalid")["newText"],
        "ClusterIP"
    );
    let text = text.replace("clusterIP", "ClusterIP").replace("80", "\"80\"");
    let found = editor.change("service.yaml", &json!({"text": text}));
    assert_eq!(
        fix(&mut editor, "service.yaml", &found, "decode")["newText"],
        "80"
    );
    editor.quit();
}
