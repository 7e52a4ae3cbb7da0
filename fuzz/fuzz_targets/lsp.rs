//! Any documents, edits and messages for the language server: nothing panics, places lie inside their document, and a
//! document after edits has the findings of the same document opened afresh.
//!
//! The records of an input are separated by a record separator (0x1e): a Go file, a manifest, then messages (JSON with
//! `method` and `params`) or edits (the document, four numbers for a range, and the new text).

#![no_main]

#[macro_use]
#[path = "shared/score.rs"]
mod score;

use kindsmith_go::package::{MemoryFiles, Options};
use kindsmith_lsp::{Answer, Checked, Encoding, Settings, Workspace};
use serde_json::{Value, json};

const GO: &str = "file:///p/v1/types.go";
const MANIFEST: &str = "file:///p/gate.yaml";
const DOC: &str = "// +groupName=park.example.org\n// +k8s:validation-gen=*\npackage v1\n";
const CRD: &str = include_str!("../../fixtures/gate/crd.yaml");
const META: &str = "package v1\ntype TypeMeta struct {\n\tKind string `json:\"kind,omitempty\"`\n}\n\
    type ObjectMeta struct {\n\tName string `json:\"name,omitempty\"`\n}\ntype ListMeta struct{}\ntype Time struct{}\n";
const ABOUT_A_PLACE: [&str; 4] = [
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/prepareRename",
];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut records = text.split('\x1e');
    let mut texts = [records.next(), records.next()].map(|text| text.unwrap_or_default().to_owned());
    let mut workspace = opened(&texts);
    check_published(&mut workspace, &texts);
    for record in records.take(8) {
        if record.starts_with('{') {
            message(&mut workspace, record);
        } else if let Some(edit) = Edit::read(record) {
            edit.apply(&mut workspace, &mut texts[edit.document]);
            check_published(&mut workspace, &texts);
            ask(&mut workspace, &edit);
        }
    }
});

/// A workspace with both documents open.
fn opened(texts: &[String; 2]) -> Workspace {
    let files: MemoryFiles = [
        ("/p/go.mod", "module example.org/p\n".as_bytes()),
        ("/p/v1/doc.go", DOC.as_bytes()),
        ("/p/crd.yaml", CRD.as_bytes()),
        ("/meta/v1/meta.go", META.as_bytes()),
    ]
    .into_iter()
    .collect();
    let mut workspace = Workspace::new(Settings {
        files: Box::new(files),
        packages: Options {
            modules: vec![("k8s.io/apimachinery/pkg/apis/meta".to_owned(), "/meta".to_owned())],
            ..Options::default()
        },
        roots: vec!["/p".to_owned()],
        encoding: Encoding::Utf16,
        lint: kindsmith_lint::Config::default(),
        check_manifest: Box::new(|_, _, _| Checked::default()),
        check_crds: Box::new(|_, _| Vec::new()),
    });
    for (uri, text) in [GO, MANIFEST].iter().zip(texts) {
        let item = json!({"uri": uri, "languageId": "x", "version": 1, "text": text});
        workspace.open(serde_json::from_value(item).expect("a document"));
    }
    workspace
}

/// One edit of an editor.
struct Edit<'t> {
    document: usize,
    range: [u32; 4],
    text: &'t str,
}

impl<'t> Edit<'t> {
    fn read(record: &'t str) -> Option<Self> {
        let mut words = record.splitn(6, ' ');
        let mut number = || words.next()?.parse::<u32>().ok();
        let document = (number()? % 2) as usize;
        let range = [number()?, number()?, number()?, number()?];
        Some(Self {
            document,
            range,
            text: words.next()?,
        })
    }

    fn uri(&self) -> &'static str {
        [GO, MANIFEST][self.document]
    }

    fn range(&self) -> Value {
        let [line, column, last_line, last_column] = self.range;
        json!({
            "start": {"line": line, "character": column},
            "end": {"line": last_line, "character": last_column},
        })
    }

    /// Makes the edit, in the workspace and in our own copy of the text.
    fn apply(&self, workspace: &mut Workspace, text: &mut String) {
        let change = json!({
            "textDocument": {"uri": self.uri(), "version": 2},
            "contentChanges": [{"range": self.range(), "text": self.text}],
        });
        workspace.change(&serde_json::from_value(change).expect("a change"));
        let [line, column, last_line, last_column] = self.range;
        let start = offset(text, line, column);
        let end = offset(text, last_line, last_column).max(start);
        text.replace_range(start..end, self.text);
    }
}

/// The offset of a position in UTF-16 units, found the slow way.
fn offset(text: &str, line: u32, column: u32) -> usize {
    let mut start = 0;
    for _ in 0..line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let content = text[start..end].trim_end_matches('\r');
    let mut units = 0;
    for (at, letter) in content.char_indices() {
        if units >= column as usize {
            return start + at;
        }
        units += letter.len_utf16();
    }
    start + content.len()
}

/// Findings lie inside their document, and are those of a fresh workspace.
fn check_published(workspace: &mut Workspace, texts: &[String; 2]) {
    let found = published(workspace);
    let fresh = published(&mut opened(texts));
    for (uri, diagnostics) in &found {
        let text = &texts[usize::from(uri == MANIFEST)];
        let last = text.matches('\n').count() as u64;
        for diagnostic in diagnostics.as_array().expect("a list") {
            let range = &diagnostic["range"];
            assert!(range["end"]["line"].as_u64() <= Some(last), "{diagnostic}");
        }
        let other = fresh.iter().find(|(other, _)| other == uri);
        assert_eq!(other.map(|(_, other)| other), Some(diagnostics), "{uri}");
    }
}

fn published(workspace: &mut Workspace) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    while let Some(params) = workspace.publish() {
        let params = serde_json::to_value(params).expect("JSON");
        let uri = params["uri"].as_str().unwrap_or_default().to_owned();
        found.push((uri, params["diagnostics"].clone()));
    }
    found
}

/// Asks everything about the place of an edit.
fn ask(workspace: &mut Workspace, edit: &Edit<'_>) {
    let [line, character, ..] = edit.range;
    let place =
        json!({"textDocument": {"uri": edit.uri()}, "position": {"line": line, "character": character}});
    for method in ABOUT_A_PLACE {
        let answer = workspace.answer(method, place.clone());
        assert!(matches!(answer, Answer::Result(_)), "{method}: {answer:?}");
    }
    let mut rename = place;
    rename["newName"] = "other".into();
    workspace.answer("textDocument/rename", rename);
    let document = json!({"uri": edit.uri()});
    workspace.answer("textDocument/codeLens", json!({"textDocument": document}));
    let context = json!({"diagnostics": []});
    workspace.answer(
        "textDocument/codeAction",
        json!({"textDocument": document, "range": edit.range(), "context": context}),
    );
}

/// A message as an editor could send it, right or wrong.
fn message(workspace: &mut Workspace, record: &str) {
    let Ok(message) = serde_json::from_str::<Value>(record) else {
        return;
    };
    let params = &message["params"];
    workspace.answer(message["method"].as_str().unwrap_or_default(), params.clone());
    if let Ok(uri) = serde_json::from_value(params["textDocument"]["uri"].clone()) {
        workspace.disk_changed(&uri);
    }
}
