//! What people type in their first hour.

use crate::binary::{kindsmith, root, with_input};
use crate::check_gate::Folder;

#[test]
fn the_version_says_what_it_follows() {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("kindsmith {version} (Kubernetes 1.37, controller-gen v0.23.0)\n");
    kindsmith("version").check(0, &text, "");
    let json =
        format!("{{\"controllerGen\":\"v0.23.0\",\"kubernetes\":\"1.37\",\"version\":\"{version}\"}}\n");
    kindsmith("version -o json").check(0, &json, "");
}

#[test]
fn every_generator_has_help() {
    for generator in [
        "applyconfiguration",
        "crd",
        "docs",
        "go",
        "object",
        "openapi",
        "rbac",
        "schemapatch",
        "webhook",
        "deepcopy-gen",
        "defaulter-gen",
        "openapi-gen",
        "validation-gen",
    ] {
        let run = kindsmith(&format!("gen {generator} --help"));
        assert_eq!(run.code, Some(0), "{generator}: {}", run.stderr);
        assert!(
            run.stdout.contains(&format!("kindsmith gen {generator}")),
            "{generator}: {}",
            run.stdout
        );
    }
    let run = kindsmith("gen rbac:roleName=a crd paths=./... --help");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("--roleName"), "{}", run.stdout);
}

#[test]
fn eval_knows_built_in_kinds() {
    let run = with_input(
        "eval",
        "{\"obj\": {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}, \"immutable\": true}}\n\
         {\"version\": \"v1\", \"kind\": \"Secret\", \"obj\": {\"metadata\": {\"name\": \"a\"}}}\n\
         {\"version\": \"v1\", \"kind\": \"Secret\", \"steps\": [\"default\"], \"obj\": {}}\n",
    );
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].contains("\"immutable\":true") && lines[0].contains("\"errors\":[]"),
        "{}",
        run.stdout
    );
    assert!(lines[1].contains("\"defaulted\":[\"type\"]"), "{}", run.stdout);
    assert!(
        lines[2].contains("`steps` is not for built-in kinds"),
        "{}",
        run.stdout
    );
}

#[test]
fn expressions_of_policies_see_objects_request_params_and_variables() {
    let deployment = |name: &str, replicas: u32| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec: {{replicas: {replicas}}}\n"
        )
    };
    let folder = Folder::new(
        "policy",
        &[
            (
                "new.yaml",
                &format!("{}---\n{}", deployment("a", 3), deployment("b", 9)),
            ),
            (
                "old.yaml",
                &format!("{}---\n{}", deployment("b", 5), deployment("a", 3)),
            ),
            (
                "params.yaml",
                "apiVersion: v1\nkind: ConfigMap\ndata: {most: '5'}\n",
            ),
        ],
    );
    let run = folder.run(
        "cel --policy 'object.spec.replicas <= variables.most || request.operation != \"UPDATE\"' \
         --variable most=int(params.data.most) -f new.yaml --old old.yaml --params params.yaml",
    );
    let answer = |value: bool, name: &str| format!("# Deployment {name}\n{value}\ntype            bool\n");
    assert!(
        run.stdout.starts_with(&answer(true, "a")),
        "{}{}",
        run.stdout,
        run.stderr
    );
    assert!(run.stdout.contains(&answer(false, "b")), "{}", run.stdout);
    assert_eq!(run.code, Some(0));
    let run = folder.run("cel --policy 'oldObject.spec.replicas' -f new.yaml --old old.yaml");
    assert!(run.stdout.contains("# Deployment b\n5\n"), "{}", run.stdout);
    let run = folder.run("cel --policy 'variables.none' -f new.yaml");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("undefined field 'none'"), "{}", run.stderr);
}

#[test]
fn shells_complete_codes_and_tags() {
    for shell in ["bash", "zsh", "fish"] {
        let script = kindsmith(&format!("completions {shell}")).stdout;
        // The scripts for fish complete values of options only.
        let names = if shell == "fish" {
            &["impossible-bounds"][..]
        } else {
            &["impossible-bounds", "manifest-syntax", "k8s:maxLength"]
        };
        for name in names {
            // Some shells need an escape before the colon.
            let escaped = name.replace(':', "\\:");
            assert!(
                script.contains(name) || script.contains(&escaped),
                "{shell} {name}"
            );
        }
    }
}

#[test]
fn krew_gets_a_manifest() {
    let archive = "files/kindsmith-krew-1.2.3-x86_64-unknown-linux-musl.tar.gz";
    let folder = Folder::new("krew", &[(archive, "x")]);
    let script = crate::binary::root().join("packaging/krew");
    let output = std::process::Command::new(script)
        .args([folder.path().join("files").as_os_str(), "1.2.3".as_ref()])
        .output()
        .expect("bash runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    // The checksum of the one byte in the archive.
    assert!(
        text.contains("sha256: 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881\n"),
        "{text}"
    );
    assert!(
        text.contains("/v1.2.3/kindsmith-krew-1.2.3-x86_64-unknown-linux-musl.tar.gz\n"),
        "{text}"
    );
}

#[test]
fn errors_of_kubebuilder_types_show_their_markers() {
    let run = kindsmith("check fixtures/database/wrong.yaml --types fixtures/database/v1");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.contains("::: fixtures/database/v1/"), "{}", run.stdout);
    assert!(run.stdout.contains("required by this marker"), "{}", run.stdout);
}

#[test]
fn cases_are_proposed_for_kubebuilder_types() {
    let folder = Folder::new("proposed", &[("notes.txt", "")]);
    let types = root().join("fixtures/database/v1");
    let words = format!("test --generate --types {} --out tests", types.display());
    let run = folder.run(&words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stderr.matches("Database: ").count(), 1, "{}", run.stderr);
    let run = folder.run("test tests");
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn misspelled_functions_and_variables_of_expressions_are_named() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: gates.park.example.org}\n\
               spec:\n  group: park.example.org\n  names: {kind: Gate, plural: gates}\n  scope: Namespaced\n  versions:\n\
               \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n\
               \x20       properties:\n          name: {type: string, maxLength: 9}\n        x-kubernetes-validations:\n\
               \x20       - rule: slef.name.startWith('a')\n";
    let policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n\
                  \x20 matchConstraints:\n    resourceRules:\n    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}\n\
                  \x20 validations:\n  - expression: objct.metadata.name.endWith('a')\n";
    let folder = Folder::new("misspelled", &[("crd.yaml", crd), ("policy.yaml", policy)]);
    for (line, help) in [
        ("check crd.yaml", "help: did you mean `self`, `startsWith`?"),
        ("check policy.yaml", "help: did you mean `object`, `endsWith`?"),
        ("cel 'self.startWith(\"a\")'", "help: did you mean `startsWith`?"),
        (
            "cel --policy 'objct.metadata.name' -f policy.yaml",
            "help: did you mean `object`?",
        ),
    ] {
        let run = folder.run(line);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(said.contains(help), "{line}: {said}");
    }
}

#[test]
fn what_was_left_out_is_said_last() {
    let object =
        "apiVersion: example.org/v1\nkind: Database\nmetadata: {name: a}\nspec:\n  size: 0\n  unknown: 1\n";
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: databases.example.org}\n\
               spec:\n  group: example.org\n  names: {kind: Database, plural: databases}\n  scope: Namespaced\n  versions:\n\
               \x20 - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n\
               \x20       properties:\n          spec:\n            type: object\n            properties:\n\
               \x20             size: {type: string}\n            x-kubernetes-validations:\n            - rule: self.size != ''\n";
    let folder = Folder::new("last", &[("crd.yaml", crd), ("object.yaml", object)]);
    let run = folder.run("check object.yaml --crds crd.yaml");
    let severities: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.split_once('[').map(|(severity, _)| severity))
        .filter(|severity| matches!(*severity, "error" | "note"))
        .collect();
    assert_eq!(severities, ["error", "error", "note"], "{}", run.stdout);
}
