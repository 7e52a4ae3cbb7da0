//! `gen openapi` and `gen docs`: what they write where, and when they fail. That documents are right is tested in
//! `openapi` and `emit`.
#![expect(clippy::print_stdout, reason = "a test run says how much it compared")]

use std::fs;
use std::path::{Path, PathBuf};

use crate::binary::kindsmith;

fn directory(test: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("gen_openapi")
        .join(test);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("the build directory can be written");
    directory
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

const MODULE: &str = "--module example.org/gen=conformance/gen/types";

#[test]
fn writes_a_document_once() {
    let out = directory("once").join("v3.json");
    let shown = out.display();
    let words = format!("gen openapi conformance/gen/types/fern/... {MODULE} --v3 --out {shown}");
    kindsmith(&words).check(0, "", &format!("created {shown}\n1 written, 0 unchanged\n"));
    let first = text(&out);
    assert!(first.contains("\"$ref\": \"#/components/schemas/"), "{first}");
    kindsmith(&words).check(0, "", "0 written, 1 unchanged\n");
    kindsmith(&format!("{words} --check")).check(0, "", "0 out of date, 1 unchanged\n");
    fs::write(&out, first.replace("object", "string")).expect("it can be written");
    let run = kindsmith(&format!("{words} --check"));
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout.contains('-') && run.stdout.contains("\"type\": \"object\""),
        "{run:?}"
    );
}

#[test]
fn prints_without_a_file_and_requires_a_version() {
    let run = kindsmith(&format!(
        "gen openapi conformance/gen/types/fern/... {MODULE} --v2"
    ));
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("{\n  \"definitions\": {\n"), "{run:?}");
    for words in ["", "--v2 --v3"] {
        let run = kindsmith(&format!(
            "gen openapi conformance/gen/types/fern/... {MODULE} {words}"
        ));
        assert_eq!(run.code, Some(2), "{run:?}");
    }
}

/// openapi-gen does not look at the type of list items, so it misses two defaults there. They are a mistake all the
/// same.
const STRICTER: &[&str] = &["default-typedef-twice-in-list"];

#[test]
fn refuses_what_openapi_gen_refuses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/gen/rejects");
    let (mut refused, mut accepted) = (0, 0);
    for line in text(&root.join("INDEX.jsonl")).lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let name = record["name"].as_str().expect("a name");
        let Some(result) = record["openapi-gen"]["result"].as_str() else {
            continue;
        };
        if !root.join(name).is_dir() || STRICTER.contains(&name) {
            continue;
        }
        let run = kindsmith(&format!(
            "gen openapi conformance/gen/rejects/{name}/... --module example.org/gen=conformance/gen --v3"
        ));
        let wanted = !matches!(result, "accepted" | "logged only");
        assert_eq!(
            run.code,
            Some(i32::from(wanted)),
            "{name}: {result}, {}",
            run.stderr
        );
        assert_eq!(run.stdout.is_empty(), wanted, "{name}");
        refused += usize::from(wanted);
        accepted += usize::from(!wanted);
    }
    println!("{refused} packages refused and {accepted} accepted, as openapi-gen does");
    assert!(refused > 30 && accepted > 30);
}

#[test]
fn documents_types_and_definitions() {
    let out = directory("docs");
    let shown = out.display();
    let words = format!("gen docs conformance/gen/types/railway/... {MODULE} --out {shown}");
    let run = kindsmith(&words);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("index.md"), "{run:?}");
    let again = kindsmith(&words);
    assert!(again.stderr.starts_with("0 written"), "{again:?}");
    let html = directory("html");
    let run = kindsmith(&format!(
        "gen docs --crds conformance/gen/crd/orchard --format html --out {}",
        html.display()
    ));
    assert_eq!(run.code, Some(0), "{run:?}");
    let page = text(&html.join("orchard.example.org_v1.html"));
    assert!(page.contains("<section id=\"orchard\">"), "{page}");
    assert!(page.contains("<a href=\"#orchard-trees\">trees</a>"), "{page}");
}
