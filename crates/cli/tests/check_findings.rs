//! What `kindsmith check` says about a manifest: everything in one round, at its place, with what to do.

use crate::check_gate::Folder;

/// The findings of one file: `line:column message`, in order, and helps as `= text`.
fn findings(name: &str, text: &str, options: &str) -> Vec<String> {
    let folder = Folder::new(name, &[("a.yaml", text)]);
    let run = folder.run(&format!("check a.yaml -o json {options}"));
    let document: serde_json::Value = serde_json::from_str(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", run.stdout, run.stderr));
    let mut lines = Vec::new();
    for found in document["diagnostics"].as_array().expect("a list") {
        let text = |key: &str| found[key].as_str().unwrap_or_default();
        lines.push(format!(
            "{}:{} {}: {}",
            found["line"],
            found["column"],
            text("severity"),
            text("message")
        ));
        let help = found["help"].as_array().into_iter().flatten();
        let fix = found["fix"]["title"].as_str().into_iter();
        let help = help.filter_map(|help| help.as_str()).chain(fix);
        lines.extend(help.map(|help| format!("= {help}")));
    }
    lines
}

#[track_caller]
fn check(name: &str, text: &str, expected: &[&str]) {
    assert_eq!(findings(name, text, ""), expected);
}

#[test]
fn all_values_of_a_wrong_type_are_shown() {
    let refused = "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal";
    check(
        "misfits",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels: {x: 1}\nspec:\n  contaners: []\n  containers:\n  - name: 3\n    \
         image: x\n    resources:\n      limits: {cpu: abc}\n    ports: [{containerPort: \"80\"}]\n",
        &[
            &format!(
                "5:15 error: {refused} number into Go struct field ObjectMeta.metadata.labels of type string"
            ),
            "= write it in quotes: \"1\"",
            "7:3 error: unknown field \"spec.contaners\"",
            &format!(
                "9:11 error: {refused} number into Go struct field Container.spec.containers.name of type string"
            ),
            "= write it in quotes: \"3\"",
            "12:21 error: Pod in version \"v1\" cannot be handled as a Pod: quantities must match the regular expression \
             '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            "= a quantity is a number with a unit or without: 2, 500m, 1Gi",
            &format!(
                "13:29 error: {refused} string into Go struct field ContainerPort.spec.containers.ports.containerPort of \
                 type int32"
            ),
            "= write it without quotes: 80",
        ],
    );
}

#[test]
fn a_value_of_a_wrong_type_hides_nothing() {
    check(
        "besides",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: Bad_Name\nspec:\n  restartPolicy: Sometimes\n  containers:\n  - name: a\n    \
         image: x\n    resources:\n      limits: {cpu: 1xx}\n  - name: 7\n    image: x\n    ports: [{containerPort: 70000}]\n",
        &[
            "4:9 error: metadata.name: Invalid value: \"Bad_Name\": a lowercase RFC 1123 subdomain must consist of lower case \
             alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex \
             used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            "6:18 error: spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: \"Always\", \"OnFailure\", \
             \"Never\"",
            "11:21 error: Pod in version \"v1\" cannot be handled as a Pod: quantities must match the regular expression \
             '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
            "= a quantity is a number with a unit or without: 2, 500m, 1Gi",
            "12:11 error: Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal number into Go struct field \
             Container.spec.containers.name of type string",
            "= write it in quotes: \"7\"",
            "14:29 error: spec.containers[1].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
        ],
    );
}

fn crd(spec: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: gates.example.org}}\n\
         spec:\n  group: example.org\n  names: {{kind: Gate, plural: gates}}\n  scope: Namespaced\n  versions:\n\
         \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n\
         \x20       properties:\n          spec:\n            type: object\n{spec}"
    )
}

#[test]
fn mistakes_of_a_crd_are_shown_in_one_round() {
    let text = crd(
        "            properties:\n              width: {type: integer, maximum: 9, default: 20}\n              color: {default: red}\n\
         \x20           x-kubernetes-validations:\n            - rule: self.widht != 3 && self.color != 'red'\n",
    );
    let found = findings("rounds", &text, "");
    let messages: Vec<&str> = found
        .iter()
        .filter(|line| !line.starts_with('='))
        .map(String::as_str)
        .collect();
    assert_eq!(messages.len(), 3, "{found:#?}");
    assert!(
        messages[0].starts_with("19:") && messages[0].contains("should be less than or equal to 9"),
        "{found:#?}"
    );
    assert!(
        messages[1].starts_with("20:")
            && messages[1].contains("Required value: must not be empty for specified object fields"),
        "{found:#?}"
    );
    assert!(
        messages[2].starts_with("22:") && messages[2].contains("undefined field 'widht'"),
        "{found:#?}"
    );
    assert!(!messages[2].contains("'color'"), "{found:#?}");
    assert!(
        found.contains(&"= did you mean `width`?".to_owned()),
        "{found:#?}"
    );
}

#[test]
fn rules_that_were_not_checked_are_a_note_at_the_end() {
    let crd = crd(
        "            required: [width]\n            properties:\n              width: {type: integer}\n\
         \x20           x-kubernetes-validations:\n            - rule: self.width != 3\n",
    );
    let text =
        format!("{crd}---\napiVersion: example.org/v1\nkind: Gate\nmetadata: {{name: a}}\nspec: {{}}\n");
    check(
        "note",
        &text,
        &[
            "27:1 error: spec.width: Required value",
            "27:1 note: some validation rules were not checked because the object was invalid; correct the existing errors \
             to complete validation",
        ],
    );
}

#[test]
fn deprecated_and_removed_versions_are_shown_at_the_version() {
    check(
        "deprecated",
        "apiVersion: v1\nkind: Endpoints\nmetadata: {name: a}\n",
        &["1:13 warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
    );
    for (version, kind, minor, help) in [
        (
            "extensions/v1beta1",
            "Ingress",
            22,
            "use apiVersion networking.k8s.io/v1",
        ),
        (
            "policy/v1beta1",
            "PodDisruptionBudget",
            25,
            "use apiVersion policy/v1",
        ),
        (
            "autoscaling/v2beta2",
            "HorizontalPodAutoscaler",
            26,
            "use apiVersion autoscaling/v2",
        ),
        (
            "apiextensions.k8s.io/v1beta1",
            "CustomResourceDefinition",
            22,
            "use apiVersion apiextensions.k8s.io/v1",
        ),
        (
            "policy/v1beta1",
            "PodSecurityPolicy",
            25,
            "label namespaces for Pod Security admission instead: pod-security.kubernetes.io/enforce: baseline",
        ),
    ] {
        check(
            &format!("removed-{kind}"),
            &format!("apiVersion: {version}\nkind: {kind}\nmetadata: {{name: a}}\n"),
            &[
                &format!("1:13 error: {version} {kind} was removed in Kubernetes 1.{minor}"),
                &format!("= {help}"),
            ],
        );
    }
}

#[test]
fn a_deprecated_version_of_a_crd_is_shown_at_the_version() {
    let crd = crd("").replace("    served: true", "    served: true\n    deprecated: true");
    let text = format!("{crd}---\napiVersion: example.org/v1\nkind: Gate\nmetadata: {{name: a}}\n");
    check(
        "deprecated-crd",
        &text,
        &["20:13 warning: example.org/v1 Gate is deprecated"],
    );
}

#[test]
fn findings_name_the_template_of_a_chart() {
    check(
        "template",
        "---\n# Source: web/templates/config.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: BAD}\n",
        &[
            "5:18 error: metadata.name: Invalid value: \"BAD\": a lowercase RFC 1123 subdomain must consist of lower case \
             alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', \
             regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            "= the template web/templates/config.yaml made it",
        ],
    );
}

#[test]
fn markers_count_for_a_part_of_a_kind() {
    let types = format!("{}/../../fixtures/database/v1", env!("CARGO_MANIFEST_DIR"));
    let found = findings(
        "part",
        "engine: oracle\n",
        &format!("--types {types} --type DatabaseSpec"),
    );
    assert!(
        found
            .iter()
            .any(|line| line.starts_with("1:9 error: engine: Unsupported value: \"oracle\"")),
        "{found:#?}"
    );
}

#[test]
fn old_objects_are_reported_whichever_files_changed() {
    let good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n";
    let folder = Folder::new("old-changed", &[("m/a.yaml", good), ("old/a.yaml", "kind: [\n")]);
    folder.git("init -q -b main");
    folder.git("add .");
    folder.git("commit -qm one");
    folder.write("m/a.yaml", &good.replace("good}", "good, labels: {a: b}}"));
    folder.check(
        "check m --old old --changed-since main",
        1,
        "1 object in 1 file, 1 error",
    );
}

#[test]
fn safe_fixes_are_made_in_the_files() {
    let folder = Folder::new(
        "fix",
        &[(
            "m/a.yaml",
            "# kept\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  labels: {version: 1.10} # kept, too\nspec:\n  \
             ports:\n  - port: \"80\"\n    protocol: tcp\n    targetport: 8080\n  sesionAffinity: None\n",
        )],
    );
    let run = folder.check("check m --fix", 1, "1 object in 1 file, 1 error");
    assert!(run.stderr.contains("fixed 4 findings"), "{}", run.stderr);
    assert_eq!(
        folder.text("m/a.yaml"),
        "# kept\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  labels: {version: \"1.10\"} # kept, too\nspec:\n  \
         ports:\n  - port: 80\n    protocol: TCP\n    targetPort: 8080\n  sesionAffinity: None\n",
    );
    let run = folder.run("check - --fix");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn without_a_path_everything_below_is_checked() {
    let good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good}\n";
    let folder = Folder::new("here", &[("m/a.yaml", good), ("b.yaml", good)]);
    folder.check("check", 0, "2 objects in 2 files, 0 errors");
}

#[test]
fn files_that_tools_change_or_read_are_no_errors() {
    let config = |name: &str| format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: '{name}'}}\n");
    let kind = "apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nnodes: []\n";
    let folder = Folder::new(
        "tools",
        &[
            ("good.yaml", &config("good")),
            (".hidden.yaml", &config("BAD")),
            ("image-patch.yaml", &config("BAD")),
            ("settings.json", "{\"a\": 1, \"a\": 2}"),
            ("kind.yaml", kind),
            ("krew.yaml", "kind: Plugin\nmetadata:\n  {{ .Name }}\n"),
            ("flux.yaml", &config("${APP}")),
            (
                "k/kustomization.yaml",
                "namespace: a\nresources: [named.yaml, changed.yaml]\n",
            ),
            ("k/named.yaml", &config("_")),
            ("k/changed.yaml", &format!("{}immutable: 1\n", config("good"))),
            ("k/unused.yaml", &config("BAD")),
            ("k/patches/part.yaml", &config("BAD")),
        ],
    );
    let run = folder.check(
        "check",
        0,
        "4 objects in 4 files, 0 errors, 2 warnings; 7 other files without objects; 2 values left to other tools",
    );
    assert!(
        run.stdout.contains("a kustomization changes it"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("Invalid value"), "{}", run.stdout);
    // A file that is named is an object.
    folder.check("check flux.yaml", 1, "1 object in 1 file, 1 error");
}

#[test]
fn objects_of_an_unknown_kind_are_one_finding() {
    let thing = |name: &str| format!("apiVersion: example.org/v1\nkind: Thing\nmetadata: {{name: {name}}}\n");
    let other = "apiVersion: example.org/v2\nkind: Thing\nmetadata: {name: other}\n";
    // Near a known name: each of them is a mistake of its own.
    let near = "apiVersion: v1\nkind: ConfgMap\nmetadata: {name: near}\n";
    let folder = Folder::new(
        "kinds",
        &[
            ("a.yaml", &thing("a")),
            ("b.yaml", &format!("{}---\n{other}", thing("b"))),
            ("c.yaml", &format!("{near}---\n{near}---\n{}", thing("c"))),
        ],
    );
    let run = folder.check("check -o json", 1, "6 objects in 3 files, 4 errors");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let found: Vec<(&str, &str, usize)> = report["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|found| {
            let text = |key: &str| found[key].as_str().unwrap_or_default();
            let also = found["also"].as_array().map_or(0, Vec::len);
            (text("file"), text("message"), also)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("./a.yaml", "no schema for example.org/v1 Thing (3 objects)", 2),
            ("./b.yaml", "no schema for example.org/v2 Thing", 0),
            ("./c.yaml", "no schema for v1 ConfgMap", 0),
            ("./c.yaml", "no schema for v1 ConfgMap", 0),
        ]
    );
    assert_eq!(report["diagnostics"][0]["also"][1]["file"], "./c.yaml");
    let run = folder.check(
        "check --allow-unknown-kinds",
        0,
        "6 objects in 3 files, 0 errors, 4 warnings",
    );
    assert!(
        run.stdout
            .contains("no schema for example.org/v1 Thing (3 objects); skipped\n"),
        "{}",
        run.stdout
    );
    // Formats with an entry for each file have each object.
    let run = folder.run("check -o tap");
    assert_eq!(run.stdout.matches("not ok").count(), 3, "{}", run.stdout);
}

#[test]
fn removed_versions_that_were_only_renamed_are_fixed() {
    let budget = |selector: &str| {
        format!(
            "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {{name: a}}\nspec: {{minAvailable: 1, selector: {selector}}}\n"
        )
    };
    let job = "apiVersion: \"batch/v1beta1\"\nkind: CronJob\nmetadata: {name: a}\nspec:\n  schedule: '* * * * *'\n  jobTemplate:\n    \
               spec:\n      template:\n        spec: {restartPolicy: Never, containers: [{name: a, image: a}]}\n";
    let ingress = "apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata: {name: a}\nspec:\n  backend: {serviceName: a, servicePort: 80}\n";
    let folder = Folder::new(
        "renamed",
        &[
            ("job.yaml", job),
            ("full.yaml", &budget("{matchLabels: {a: b}}")),
            // It selects nothing in the old version, and everything in the new one.
            ("empty.yaml", &budget("{}")),
            // Its fields have other names in the new version.
            ("ingress.yaml", ingress),
        ],
    );
    folder.check("check --fix", 1, "4 objects in 4 files, 2 errors");
    for (file, first) in [
        ("job.yaml", "apiVersion: \"batch/v1\""),
        ("full.yaml", "apiVersion: policy/v1"),
        ("empty.yaml", "apiVersion: policy/v1beta1"),
        ("ingress.yaml", "apiVersion: networking.k8s.io/v1beta1"),
    ] {
        assert_eq!(folder.text(file).lines().next(), Some(first), "{file}");
    }
}

#[test]
fn a_broken_rule_is_shown_where_it_is_written() {
    let gate = "apiVersion: park.example.org/v1\nkind: Gate\nmetadata: {name: a}\nspec: {name: North, hours: [{from: 1}]}\n";
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gates.park.example.org}\nspec:\n  \
               group: park.example.org\n  names: {kind: Gate, plural: gates}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    \
               storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            type: object\n            \
               properties:\n              name: {type: string}\n              hours:\n                type: array\n                items:\n                  \
               type: object\n                  properties:\n                    from: {type: integer}\n                  x-kubernetes-validations:\n                  \
               - rule: self.from < self.too\n";
    let types = "// +groupName=park.example.org\npackage v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n\
                 // +kubebuilder:object:root=true\ntype Gate struct {\n\tmetav1.TypeMeta   `json:\",inline\"`\n\
                 \tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec Spec `json:\"spec\"`\n}\n\ntype Spec struct {\n\
                 \tName string `json:\"name\"`\n\tHours []Hour `json:\"hours\"`\n}\n\n\
                 // +kubebuilder:validation:XValidation:rule=\"self.from < self.too\"\ntype Hour struct {\n\tFrom int64 `json:\"from\"`\n}\n";
    let folder = Folder::new(
        "broken-rule",
        &[
            ("gate.yaml", gate),
            ("crd.yaml", crd),
            ("go.mod", "module example.org/park\n"),
            ("v1/types.go", types),
        ],
    );
    for (words, place) in [
        ("check gate.yaml --crds crd.yaml", "::: crd.yaml:27:27\n"),
        ("check gate.yaml --types ./v1", "::: v1/types.go:18:5\n"),
    ] {
        let run = folder.run(words);
        assert!(
            run.stdout.contains(place) && run.stdout.contains("the rule\n"),
            "{words}\n{}{}",
            run.stdout,
            run.stderr
        );
    }
}
