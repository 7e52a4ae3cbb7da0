//! `kindsmith check` as a gate: which files it takes, what it reports in which form, and when it fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary::{Run, kindsmith_in};

const GOOD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n";
const BAD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: BAD}\n";
const UNKNOWN_FIELD: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndatum: {}\n";

/// A directory of the test's own.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gate-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let folder = Self(path);
        files.iter().for_each(|(file, text)| folder.write(file, text));
        folder
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        fs::write(path, text).expect("writable");
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).expect("it is there")
    }

    pub(crate) fn run(&self, words: &str) -> Run {
        kindsmith_in(&self.0, words)
    }

    /// The last line of a run that ends with this code.
    pub(crate) fn check(&self, words: &str, code: i32, last: &str) -> Run {
        let run = self.run(words);
        assert_eq!(run.code, Some(code), "{words}\n{}{}", run.stdout, run.stderr);
        let line = run.stderr.lines().last().unwrap_or_default();
        assert_eq!(line, last, "{words}\n{}{}", run.stdout, run.stderr);
        run
    }

    pub(crate) fn git(&self, words: &str) {
        let run = Command::new("git")
            .current_dir(&self.0)
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(words.split(' '))
            .output()
            .expect("git runs");
        assert!(run.status.success(), "git {words}: {run:?}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_found_by_ending_pattern_and_folder() {
    let folder = Folder::new(
        "files",
        &[
            ("m/a.yaml", GOOD),
            ("m/b.YAML", GOOD),
            ("m/c.yml", GOOD),
            (
                "m/below/d.json",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"d\"}}",
            ),
        ],
    );
    folder.check("check m", 0, "4 objects in 4 files, 0 errors");
    folder.check("check 'm/*.y*ml'", 0, "2 objects in 2 files, 0 errors");
    folder.check("check 'm/**/*.json'", 0, "1 object in 1 file, 0 errors");
    folder.check("check m m/a.yaml", 0, "4 objects in 4 files, 0 errors");
    let run = folder.run("check 'x/*.yaml'");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.starts_with("error: no file matches x/*.yaml"),
        "{}",
        run.stderr
    );
}

#[test]
fn many_files_are_checked_in_their_order() {
    let folder = Folder::new("many", &[]);
    for index in 0..100 {
        let name = if index % 10 == 3 { "BAD" } else { "good" };
        folder.write(
            &format!("m/{index:03}.yaml"),
            &format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}{index}}}\n"),
        );
    }
    let run = folder.check("check m -o json", 1, "100 objects in 100 files, 10 errors");
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let found = document["diagnostics"].as_array().expect("a list");
    let files: Vec<&str> = found.iter().filter_map(|found| found["file"].as_str()).collect();
    assert_eq!(files.len(), 10);
    assert!(files.is_sorted(), "{files:?}");
}

#[test]
fn formats_tell_every_file() {
    let folder = Folder::new("formats", &[("a.yaml", GOOD), ("b.yaml", BAD)]);
    let run = folder.run("check a.yaml b.yaml -o tap");
    assert!(
        run.stdout
            .starts_with("TAP version 14\n1..2\nok 1 - a.yaml\nnot ok 2 - b.yaml\n  ---\n"),
        "{}",
        run.stdout
    );
    let run = folder.run("check a.yaml b.yaml -o github");
    assert!(
        run.stdout
            .starts_with("::error file=b.yaml,line=3,endLine=3,col="),
        "{}",
        run.stdout
    );
    let run = folder.run("check a.yaml b.yaml -o junit");
    for part in [
        "<testsuites name=\"kindsmith\" tests=\"2\" failures=\"1\">",
        "<testcase classname=\"a.yaml\" name=\"no findings\"/>",
        "<failure type=\"invalid\" message=\"metadata.name: Invalid value: &quot;BAD&quot;",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    let run = folder.run("check a.yaml b.yaml -o sarif");
    assert!(run.stdout.contains("\"ruleId\": \"invalid\""), "{}", run.stdout);
}

#[test]
fn severities_are_the_users_choice() {
    let folder = Folder::new(
        "severity",
        &[
            ("field.yaml", UNKNOWN_FIELD),
            (
                "kind.yaml",
                "apiVersion: a.example.org/v1\nkind: Odd\nmetadata: {name: m}\n",
            ),
            ("empty.yaml", "# nothing\n"),
        ],
    );
    for (file, objects) in [("field", 1), ("kind", 1), ("empty", 0)] {
        let objects = if objects == 1 { "1 object" } else { "0 objects" };
        let words = format!("check {file}.yaml");
        folder.check(&words, 1, &format!("{objects} in 1 file, 1 error"));
        let warned = format!("{objects} in 1 file, 0 errors, 1 warning");
        folder.check(&format!("{words} --lenient"), 0, &warned);
        folder.check(
            &format!("{words} --lenient --warnings-as-errors"),
            1,
            &format!("{objects} in 1 file, 1 error"),
        );
    }
    folder.check(
        "check kind.yaml --allow-unknown-kinds",
        0,
        "1 object in 1 file, 0 errors, 1 warning",
    );
}

#[test]
fn charts_and_kustomizations_are_named() {
    let folder = Folder::new(
        "charts",
        &[
            ("m/a.yaml", GOOD),
            ("m/chart/Chart.yaml", "name: c\n"),
            ("m/chart/values.yaml", "a: b\n"),
            ("m/chart/templates/NOTES.txt", "text"),
            ("m/chart/templates/x.yaml", "{{ .Values.a }}\n"),
            ("k/kustomization.yaml", "resources: []\n"),
        ],
    );
    let run = folder.check("check m", 0, "1 object in 1 file, 0 errors, 1 warning");
    assert!(
        run.stdout.contains("`helm template m/chart | kindsmith check -`"),
        "{}",
        run.stdout
    );
    let run = folder.run("check k");
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(
        run.stderr.contains("error: no object was checked"),
        "{}",
        run.stderr
    );
}

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gates.park.example.org}
spec:
  group: park.example.org
  names: {kind: Gate, plural: gates}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [width]
            properties:
              width: {type: integer, maximum: 9}
              color: {type: string, default: red}
            x-kubernetes-validations:
            - rule: self.width != 3
              message: three is odd
";

fn gate(name: &str, spec: &str) -> String {
    format!("apiVersion: park.example.org/v1\nkind: Gate\nmetadata: {{name: {name}}}\nspec: {spec}\n")
}

#[test]
fn only_changed_files_count() {
    let folder = Folder::new(
        "changed",
        &[
            ("m/old.yaml", BAD),
            ("m/crd.yaml", CRD),
            ("m/gate.yaml", &gate("a", "{width: 20}")),
        ],
    );
    folder.git("init -q -b main");
    folder.git("add .");
    folder.git("commit -qm one");
    folder.check("check m", 1, "3 objects in 3 files, 2 errors");
    folder.check(
        "check m --changed-since main",
        0,
        "0 objects in 0 files, 0 errors",
    );
    folder.write("m/new.yaml", BAD);
    folder.check("check m --changed-since main", 1, "1 object in 1 file, 1 error");
    // Objects of a CRD that changed are checked again.
    folder.write("m/crd.yaml", &CRD.replace("maximum: 9", "maximum: 19"));
    folder.check(
        "check m --changed-since main",
        1,
        "3 objects in 3 files, 2 errors",
    );
    let run = folder.run("check m --changed-since nowhere");
    assert_eq!(run.code, Some(2));
    assert!(
        run.stderr.contains("git merge-base nowhere HEAD"),
        "{}",
        run.stderr
    );
}

#[test]
fn updates_are_found_by_name() {
    let folder = Folder::new(
        "updates",
        &[
            (
                "old/one.yaml",
                &format!("{GOOD}---\napiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nimmutable: true\n"),
            ),
            (
                "new/other.yaml",
                "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nimmutable: false\n",
            ),
            ("new/more.yaml", GOOD),
        ],
    );
    folder.check("check new", 0, "2 objects in 2 files, 0 errors");
    let run = folder.check("check new --old old", 1, "2 objects in 2 files, 1 error");
    assert!(run.stdout.contains("immutable"), "{}", run.stdout);
}

#[test]
fn schemas_do_not_swallow_files() {
    let folder = Folder::new(
        "schemas",
        &[
            ("crds/crd.yaml", CRD),
            ("more/none.yaml", CRD),
            ("gate.yaml", &gate("a", "{width: 2}")),
        ],
    );
    folder.check(
        "check --crds crds --crds more gate.yaml",
        0,
        "1 object in 1 file, 0 errors",
    );
    let run = folder.run("check gate.yaml --crds crds");
    assert!(!run.stdout.contains("defaulted"), "{}", run.stdout);
    let run = folder.run("check gate.yaml --crds crds --notes");
    assert!(run.stdout.contains("note[defaulted]"), "{}", run.stdout);
}

#[test]
fn explanations_show_the_line_of_the_crd() {
    let folder = Folder::new(
        "explain",
        &[
            ("crd.yaml", CRD),
            ("rule.yaml", &gate("a", "{width: 3}")),
            ("bound.yaml", &gate("a", "{width: 30}")),
            ("missing.yaml", &gate("a", "{}")),
        ],
    );
    for (file, expected) in [
        (
            "rule",
            "23 |             - rule: self.width != 3\n   |                     --------------- required by this rule",
        ),
        ("bound", "required by this schema"),
        ("missing", "required by this schema"),
    ] {
        let run = folder.run(&format!("check {file}.yaml --crds crd.yaml --explain"));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stdout.contains(expected), "{file}\n{}", run.stdout);
        assert!(
            run.stdout.contains("defaulted to \"red\" (crd.yaml:21:46)"),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn objects_are_printed_on_request() {
    let folder = Folder::new("print", &[("a.yaml", GOOD)]);
    let run = folder.run("check a.yaml --print yaml");
    assert!(run.stdout.starts_with("---\nkind: ConfigMap\n"), "{}", run.stdout);
    let run = folder.run("check a.yaml --print json -o json");
    assert!(
        run.stdout.starts_with("{\n  \"kind\": \"ConfigMap\""),
        "{}",
        run.stdout
    );
}

/// Without a cluster nobody knows its ranges of addresses, nor whether it has both families. Ports have the usual range.
#[test]
fn services_may_ask_for_any_address() {
    let service = |spec: &str| {
        format!(
            "apiVersion: v1\nkind: Service\nmetadata: {{name: s}}\nspec:\n  {spec}\n  selector: {{a: b}}\n  type: NodePort\n"
        )
    };
    let folder = Folder::new(
        "addresses",
        &[
            (
                "four.yaml",
                &service("clusterIP: 172.20.0.10\n  ports: [{port: 80}]"),
            ),
            ("six.yaml", &service("ipFamilies: [IPv6]\n  ports: [{port: 80}]")),
            (
                "both.yaml",
                &service("ipFamilyPolicy: RequireDualStack\n  ports: [{port: 80}]"),
            ),
        ],
    );
    folder.check("check .", 0, "3 objects in 3 files, 0 errors");
    folder.write("port.yaml", &service("ports: [{port: 80, nodePort: 8080}]"));
    folder.write(
        "mixed.yaml",
        &service("clusterIP: 10.0.0.1\n  ipFamilies: [IPv6]\n  ports: [{port: 80}]"),
    );
    folder.check("check .", 1, "5 objects in 5 files, 2 errors");
}

#[test]
fn values_that_do_not_fit_are_shown_where_they_are_with_a_cure() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: beds.example.org}\n\
        spec:\n  group: example.org\n  names: {kind: Bed, plural: beds}\n  scope: Namespaced\n  versions:\n\
        \x20 - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, \
        properties: {width: {type: integer}}}}}}}\n";
    for (name, text, place, help) in [
        (
            "label",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: m\n  labels:\n    tier: 1\n",
            "label.yaml:6:11",
            "write it in quotes: \"1\"",
        ),
        (
            "port",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n    image: a\n\
             \x20   ports:\n    - containerPort: 80\n    - containerPort: \"81\"\n",
            "port.yaml:10:22",
            "write it without quotes: 81",
        ),
        (
            "quantity",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n    image: a\n\
             \x20   resources:\n      limits:\n        cpu: one\n",
            "quantity.yaml:10:14",
            "a quantity is a number with a unit or without: 2, 500m, 1Gi",
        ),
        (
            "secret",
            "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  key: plain text!\n",
            "secret.yaml:5:8",
            "encode it with base64; a Secret takes plain text in stringData",
        ),
        (
            "custom",
            "apiVersion: example.org/v1\nkind: Bed\nmetadata:\n  name: b\n  annotations: {on: true}\n",
            "custom.yaml:5:21",
            "write it in quotes: \"true\"",
        ),
        (
            "definition",
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.example.org}\n\
             spec:\n  versions:\n  - name: v1\n    served: \"true\"\n",
            "definition.yaml:7:13",
            "write it without quotes: true",
        ),
        (
            "field",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: a\n    image: a\n    imgaePullPolicy: Always\n",
            "field.yaml:8:5",
            "write `imagePullPolicy`",
        ),
        (
            "property",
            "apiVersion: example.org/v1\nkind: Bed\nmetadata: {name: b}\nspec: {widht: 1}\n",
            "property.yaml:4:8",
            "write `width`",
        ),
    ] {
        let file = format!("{name}.yaml");
        let folder = Folder::new(name, &[(&file, text), ("crd.yaml", crd)]);
        let run = folder.run(&format!("check {file} --crds crd.yaml"));
        let shown = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, Some(1), "{shown}");
        assert!(shown.contains(&format!(" --> {place}\n")), "{place}\n{shown}");
        assert!(shown.contains(&format!("help: {help}\n")), "{help}\n{shown}");
    }
}

#[test]
fn types_of_a_kubebuilder_project_are_checked_as_their_crd() {
    let wrong = format!(
        "{0}/../../fixtures/database/wrong.yaml",
        env!("CARGO_MANIFEST_DIR")
    );
    let types = format!("{0}/../../fixtures/database/v1", env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::new("kubebuilder", &[("good.yaml", GOOD)]);
    folder.check(
        &format!("check {wrong} --types {types}"),
        1,
        "1 object in 1 file, 4 errors",
    );
    folder.check(
        &format!("check {wrong} --types {types} --type Database"),
        1,
        "1 object in 1 file, 4 errors",
    );
}

#[test]
fn files_of_a_repository_that_are_not_manifests_are_only_counted() {
    let kustomization = "resources: [good.yaml]\npatches:\n- path: ./patch.yaml\n- path: ops.yaml\n";
    let folder = Folder::new(
        "repository",
        &[
            ("good.yaml", GOOD),
            ("compose.yaml", "services:\n  web:\n    image: a\n"),
            (".golangci.yml", "version: \"2\"\n"),
            ("package.json", "{\"name\": \"a\"}"),
            (
                "rules.yaml",
                "apiVersion: apiextensions.k8s.io/v1\nname: a\ntests: {}\n",
            ),
            ("README.md", "# read me\n"),
            ("kustomization.yaml", kustomization),
            (
                "patch.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: PART}\n",
            ),
            ("ops.yaml", "- {op: remove, path: /data}\n"),
        ],
    );
    folder.check(
        "check .",
        0,
        "1 object in 1 file, 0 errors, 1 warning; 7 other files without objects",
    );
    // A file that is named is meant to have objects.
    folder.check("check compose.yaml", 1, "1 object in 1 file, 1 error");
}

#[test]
fn a_file_that_is_no_text_is_a_finding_and_the_rest_is_checked() {
    let folder = Folder::new("encodings", &[("bad.yaml", BAD), ("good.yaml", GOOD)]);
    fs::write(folder.0.join("latin1.yaml"), b"a: 1\nname: caf\xe9\n").expect("writable");
    fs::write(folder.0.join("utf16.yaml"), b"\xff\xfea\0:\0").expect("writable");
    let run = folder.check("check .", 1, "2 objects in 4 files, 3 errors");
    for expected in [
        "latin1.yaml is not UTF-8 text: the first wrong byte is in line 2",
        "latin1.yaml:2:10\n",
        "2 | name: caf\u{fffd}\n",
        "save it as UTF-8: `iconv -f LATIN1 -t UTF-8`",
        "utf16.yaml is UTF-16, not UTF-8 text",
        "Invalid value: \"BAD\"",
    ] {
        assert!(run.stdout.contains(expected), "{expected}\n{}", run.stdout);
    }
}

#[test]
fn syntax_errors_are_shown_at_their_line_with_a_hint() {
    for (name, text, place, hint) in [
        (
            "tab",
            "kind: A\n---\nkind: ConfigMap\nmetadata:\n\tname: a\n",
            "m.yaml:5:",
            "indent with spaces",
        ),
        (
            "template",
            "kind: ConfigMap\nname: {{ .Values.name }}\n",
            "m.yaml:2:",
            "this is a template",
        ),
        (
            "colon",
            "kind: ConfigMap\ntext: a: b\n",
            "m.yaml:2:",
            "write a value that has `: ` in quotes",
        ),
        (
            "indentation",
            "kind: ConfigMap\nmetadata:\n    name: a\n  labels: {}\n",
            "m.yaml:4:",
            "check the indentation: it is 2, and lines above have 0, 4",
        ),
        (
            "deeper",
            "kind: ConfigMap\nmetadata:\n  name: a\n    labels: {}\n",
            "m.yaml:4:",
            "indent the line like `name`, 2 spaces",
        ),
    ] {
        let folder = Folder::new(name, &[("m.yaml", text)]);
        let run = folder.run("check m.yaml --allow-unknown-kinds");
        assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
        for expected in [place, hint] {
            assert!(run.stdout.contains(expected), "{expected}\n{}", run.stdout);
        }
    }
}

#[test]
fn cures_quote_what_is_in_the_file() {
    for written in ["no", "01234", "1.10", "0xff", "1e3", "Yes"] {
        let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: m}}\ndata:\n  a: {written}\n");
        let folder = Folder::new("cures", &[("m.yaml", &text)]);
        let run = folder.check("check m.yaml", 1, "1 object in 1 file, 1 error");
        let cure = format!("write it in quotes: \"{written}\"");
        assert!(run.stdout.contains(&cure), "{cure}\n{}", run.stdout);
    }
}

#[test]
fn a_broken_document_among_crds_is_told() {
    let crd = fs::read_to_string(format!(
        "{}/../../fixtures/gate/crd.yaml",
        env!("CARGO_MANIFEST_DIR")
    ));
    let crds = format!("{}---\nkind: [\n", crd.expect("readable"));
    let folder = Folder::new("broken-crd", &[("crds.yaml", &crds), ("good.yaml", GOOD)]);
    let run = folder.check(
        "check good.yaml --crds crds.yaml",
        0,
        "1 object in 1 file, 0 errors",
    );
    assert!(
        run.stderr.contains("this document cannot be read: "),
        "{}",
        run.stderr
    );
}
