//! `kindsmith lint`, `types` and `tags` as programs use them.

use crate::binary;
use serde_json::Value;

fn json(words: &str) -> Value {
    let run = binary::kindsmith(words);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{words}: {error}\n{}", run.stderr))
}

fn codes(words: &str) -> Vec<String> {
    let report = json(words);
    let findings = report["diagnostics"].as_array().expect("a list");
    let text = |finding: &Value| {
        let (code, line) = (finding["code"].as_str().expect("a code"), &finding["line"]);
        format!("{code}:{line}")
    };
    findings.iter().map(text).collect()
}

const MISTAKES: [&str; 4] = [
    "unknown-tag:8",
    "tag-misuse:12",
    "tag-misuse:17",
    "trailing-tag:20",
];

#[test]
fn a_clean_package_has_no_findings() {
    binary::kindsmith("lint fixtures/garden/...").check(0, "", "no findings\n");
    binary::kindsmith("-q lint fixtures/garden/v1").check(0, "", "");
}

#[test]
fn findings_exit_with_1() {
    assert_eq!(binary::kindsmith("lint fixtures/first-look").code, Some(1));
    assert_eq!(codes("lint fixtures/first-look -o json"), MISTAKES);
}

#[test]
fn files_can_be_named_one_by_one() {
    assert_eq!(codes("lint fixtures/first-look/types.go -o json"), MISTAKES);
    assert_eq!(codes("lint fixtures/garden/v1/types.go -o json"), [""; 0]);
}

#[test]
fn missing_paths_exit_with_2() {
    let run = binary::kindsmith("lint no/such/directory");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.starts_with("error: cannot read no/such/directory"),
        "{}",
        run.stderr
    );
}

#[test]
fn findings_quote_the_reference_tool() {
    let report = json("lint fixtures/first-look -o json --module example.org/first=fixtures/first-look");
    assert_eq!(
        report["diagnostics"][1]["upstream"],
        "failed to generate validations: field example.org/first.BedSpec.rows: tag \"k8s:maxLength\": can only be used \
         on string types (*int32 -> int32)"
    );
}

#[test]
fn sarif_names_rules_and_places() {
    let log = json("lint fixtures/first-look -o sarif");
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "unknown-tag");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "fixtures/first-look/types.go");
    assert_eq!(place["region"]["startLine"], 8);
}

#[test]
fn the_kep_profile_accepts_what_only_the_kep_describes() {
    let directory = std::env::temp_dir().join(format!("kindsmith-kep-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let source = "package a\n\ntype A struct {\n\t// +k8s:optional\n\t// +k8s:exclusiveMinimum=1\n\tB *int `json:\"b,omitempty\"`\n}\n";
    std::fs::write(directory.join("a.go"), source).expect("it can be written");
    let path = directory.to_str().expect("text");
    assert_eq!(codes(&format!("lint {path} -o json")), ["kep-only:5"]);
    assert_eq!(codes(&format!("lint {path} -o json --profile kep")), [""; 0]);
    std::fs::remove_dir_all(&directory).expect("it can be removed");
}

#[test]
fn the_schema_is_a_json_document() {
    let schema = json("types fixtures/garden/v1 -o json");
    assert_eq!(schema["kinds"][0]["kind"], "Bed");
    assert_eq!(schema["kinds"][0]["status"], true);
    let types = schema["types"].as_array().expect("a list");
    let spec = types
        .iter()
        .find(|ty| ty["name"] == "BedSpec")
        .expect("the type was read");
    let rows = &spec["fields"][1];
    assert_eq!(
        (&rows["json"], &rows["type"], &rows["default"]["value"]),
        (&"rows".into(), &"*int32".into(), &3.into())
    );
    assert!(
        rows["rules"]
            .as_array()
            .expect("a list")
            .iter()
            .any(|rule| rule["text"] == "maximum=64"),
        "{rows}"
    );
    assert!(
        types.iter().all(|ty| ty["package"] == "fixtures/garden/v1"),
        "only the packages asked for"
    );
    let all = json("types fixtures/garden/v1 -o json --all");
    let all = all["types"].as_array().expect("a list");
    assert!(
        all.iter()
            .any(|ty| ty["name"] == "ObjectMeta" && ty["wellKnown"] == "ObjectMeta"),
        "imports with --all"
    );
}

#[test]
fn the_catalogue_is_a_json_document() {
    let catalogue = json("tags -o json");
    let tags = catalogue["tags"].as_array().expect("a list");
    let max_length = tags
        .iter()
        .find(|tag| tag["name"] == "k8s:maxLength")
        .expect("a known tag");
    assert_eq!(max_length["payload"]["kind"], "int");
    assert_eq!(json("tags +k8s:maxLength -o json"), *max_length);
    assert!(
        tags.iter()
            .all(|tag| !tag["summary"].as_str().unwrap_or_default().is_empty()),
        "every tag has a summary"
    );
}
