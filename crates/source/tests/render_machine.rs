//! Output for machines: the exact JSON document, and the parts of a SARIF log that its specification requires.

use crate::marked::{self, finding};
use kindsmith_source::render::{Driver, Report};
use kindsmith_source::{Diagnostic, Finding, Span, Tool};
use serde_json::{Value, json};

static Z_RULE: Finding = Finding::new("z-rule", Tool::Kindsmith, "# z-rule\n");
static BAD_THING: Finding = Finding::new(
    "bad-thing",
    Tool::OpenApiGen,
    "# bad-thing\n\nfinds\nbad things\n\nMore.",
);

const DRIVER: Driver<'static> = Driver {
    name: "kindsmith",
    version: "1.2.3",
    information_uri: "https://example.com",
    findings: &[&Z_RULE, &BAD_THING],
};

fn full(spans: &[Span]) -> Diagnostic {
    Diagnostic::error(&BAD_THING, spans[0], "this is bad")
        .label("here")
        .related(spans[1], "because of this")
        .help("do better")
        .upstream("BAD")
        .fix("mend it", spans[0], "good")
}

const SOURCE: &str = "é «b\r\nc» d\r\n«e»";

#[test]
fn json_has_every_key_in_a_fixed_order() {
    let (sources, spans) = marked::read("types.go", SOURCE);
    let findings = [
        full(&spans),
        Diagnostic::warning(finding!("plain"), spans[1], "m"),
    ];
    let expected = r#"{
  "diagnostics": [
    {
      "code": "bad-thing",
      "tool": "openapi-gen",
      "severity": "error",
      "message": "this is bad",
      "file": "types.go",
      "line": 1,
      "column": 3,
      "endLine": 2,
      "endColumn": 2,
      "label": "here",
      "related": [
        {
          "message": "because of this",
          "file": "types.go",
          "line": 3,
          "column": 1,
          "endLine": 3,
          "endColumn": 2
        }
      ],
      "also": [],
      "help": [
        "do better"
      ],
      "upstream": "BAD",
      "fix": {
        "title": "mend it",
        "safety": "safe",
        "edits": [
          {
            "file": "types.go",
            "line": 1,
            "column": 3,
            "endLine": 2,
            "endColumn": 2,
            "replacement": "good"
          }
        ]
      },
      "helpUri": "https://github.com/kindsmith/kindsmith/blob/main/docs/rules.md#bad-thing"
    },
    {
      "code": "plain",
      "tool": "kindsmith",
      "severity": "warning",
      "message": "m",
      "file": "types.go",
      "line": 3,
      "column": 1,
      "endLine": 3,
      "endColumn": 2,
      "label": null,
      "related": [],
      "also": [],
      "help": [],
      "upstream": null,
      "fix": null,
      "helpUri": "https://github.com/kindsmith/kindsmith/blob/main/docs/rules.md#plain"
    }
  ],
  "summary": {
    "errors": 1,
    "warnings": 1,
    "notes": 0,
    "files": 1
  }
}
"#;
    assert_eq!(Report::new(&sources, &findings).json(), expected);
}

#[test]
fn json_without_findings_is_still_a_document() {
    let (sources, _) = marked::read("types.go", "");
    let document: Value = serde_json::from_str(&Report::new(&sources, []).json()).expect("valid JSON");
    let expected = json!({
        "diagnostics": [],
        "summary": { "errors": 0, "warnings": 0, "notes": 0, "files": 0 },
    });
    assert_eq!(document, expected);
}

fn sarif(name: &str, findings: impl Fn(&[Span]) -> Vec<Diagnostic>) -> Value {
    let (sources, spans) = marked::read(name, SOURCE);
    let log = Report::new(&sources, &findings(&spans)).sarif(&DRIVER);
    serde_json::from_str(&log).expect("valid JSON")
}

#[test]
fn sarif_describes_the_tool_and_its_rules() {
    let log = sarif("types.go", |_| Vec::new());
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
    assert_eq!(log["runs"][0]["columnKind"], "unicodeCodePoints");
    assert_eq!(
        log["runs"][0]["results"],
        json!([]),
        "a clean run has results, but none"
    );
    let expected = json!({
        "name": "kindsmith",
        "semanticVersion": "1.2.3",
        "informationUri": "https://example.com",
        "rules": [
            {
                "id": "bad-thing",
                "shortDescription": { "text": "finds bad things" },
                "help": { "text": BAD_THING.page(), "markdown": BAD_THING.page() },
                "helpUri": "https://github.com/kindsmith/kindsmith/blob/main/docs/rules.md#bad-thing",
                "properties": { "tool": "openapi-gen" },
            },
            {
                "id": "z-rule",
                "shortDescription": { "text": "" },
                "help": { "text": Z_RULE.page(), "markdown": Z_RULE.page() },
                "helpUri": "https://github.com/kindsmith/kindsmith/blob/main/docs/rules.md#z-rule",
                "properties": { "tool": "kindsmith" },
            },
        ],
    });
    assert_eq!(log["runs"][0]["tool"]["driver"], expected);
}

#[test]
fn sarif_results_carry_places_and_fixes() {
    let log = sarif("a b/types.go", |spans| vec![full(spans)]);
    let own = json!({ "startLine": 1, "startColumn": 3, "endLine": 2, "endColumn": 2 });
    let related = json!({ "startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 2 });
    let file = json!({ "uri": "a%20b/types.go" });
    let expected = json!([{
        "ruleId": "bad-thing",
        "ruleIndex": 0,
        "level": "error",
        "message": { "text": "this is bad: here\nhelp: do better\nupstream says: BAD" },
        "locations": [{ "physicalLocation": { "artifactLocation": file, "region": own } }],
        "relatedLocations": [{
            "id": 1,
            "message": { "text": "because of this" },
            "physicalLocation": { "artifactLocation": file, "region": related },
        }],
        "fixes": [{
            "description": { "text": "mend it" },
            "artifactChanges": [{
                "artifactLocation": file,
                "replacements": [{ "deletedRegion": own, "insertedContent": { "text": "good" } }],
            }],
        }],
    }]);
    assert_eq!(log["runs"][0]["results"], expected);
}

#[test]
fn sarif_lists_findings_the_driver_did_not_announce() {
    let log = sarif("types.go", |spans| {
        vec![Diagnostic::warning(finding!("new-rule"), spans[0], "m")]
    });
    let index = log["runs"][0]["results"][0]["ruleIndex"]
        .as_u64()
        .expect("a number") as usize;
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][index]["id"], "new-rule");
}
