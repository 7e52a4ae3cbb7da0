//! `--kubernetes-version` as users see it.

use crate::binary::{Run, kindsmith, root};

/// Runs a command with a release.
fn with(release: &str, arguments: &str) -> Run {
    kindsmith(&format!("{arguments} --kubernetes-version {release}"))
}

const COMMANDS: [&str; 9] = [
    "check fixtures/gate/wrong.yaml",
    "eval",
    "normalize fixtures/gate/wrong.yaml",
    "explain pod.spec",
    "cel 1",
    "test fixtures",
    "lint fixtures/garden/v1",
    "diff fixtures/gate/crd.yaml fixtures/gate/crd.yaml",
    "serve",
];

#[test]
fn every_command_names_the_known_releases() {
    for command in COMMANDS {
        let run = with("1.99", command);
        assert_eq!(run.code, Some(2), "{command}: {}", run.stderr);
        let names_known = ["1.34", "1.38"].iter().all(|known| run.stderr.contains(known));
        assert!(
            names_known || run.stderr.contains("known are 1.29 to 1.38"),
            "{command}: {}",
            run.stderr
        );
    }
}

#[test]
fn expressions_use_the_functions_of_a_release() {
    for (expression, first) in [("[1,2].includes(1)", 37), ("[1,2].distinct()==[1,2]", 34)] {
        for minor in 34..=38 {
            let run = with(&format!("1.{minor}"), &format!("cel {expression}"));
            assert_eq!(
                run.code == Some(0),
                minor >= first,
                "1.{minor} {expression}: {}",
                run.stderr
            );
        }
    }
}

#[test]
fn costs_are_those_of_a_release() {
    let cost = |release: &str| {
        let run = with(
            release,
            r#"cel '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".startsWith("a")'"#,
        );
        let mut lines = run.stdout.lines();
        let line = lines
            .find(|line| line.starts_with("run-time cost"))
            .unwrap_or_default();
        line.split_whitespace().last().unwrap_or_default().to_owned()
    };
    assert_eq!([cost("1.36"), cost("1.37")], ["4", "1"]);
}

#[test]
fn a_failed_rule_shows_what_a_release_shows() {
    let run = |release: &str| {
        with(
            release,
            "check fixtures/gate/wrong.yaml --crds fixtures/gate/crd.yaml",
        )
        .stdout
    };
    assert_ne!(run("1.34"), "");
    assert_eq!(run("1.35"), run("1.38"));
}

#[test]
fn tags_that_a_release_does_not_know_are_reported() {
    let package = root().join("target/tmp/later-tag");
    std::fs::create_dir_all(&package).expect("a directory");
    let tag = "// +k8s:validation-gen=*\npackage v1\n";
    std::fs::write(package.join("doc.go"), tag).expect("a file");
    let source = "package v1\n\ntype Spec struct {\n\t// +k8s:optional\n\t// +k8s:maxProperties=3\n\tLabels map[string]string `json:\"labels,omitempty\"`\n}\n";
    std::fs::write(package.join("types.go"), source).expect("a file");
    let lint = |release: &str| with(release, "lint target/tmp/later-tag --select later-tag");
    let old = lint("1.36");
    assert_eq!(old.code, Some(1), "{}", old.stderr);
    assert!(
        old.stdout
            .contains("`+k8s:maxProperties` came with Kubernetes 1.37; 1.36 does not know it"),
        "{}",
        old.stdout
    );
    assert_eq!(lint("1.37").code, Some(0));
}

#[test]
fn expressions_mean_what_a_release_means() {
    let said = |release: &str, expression: &str| {
        let run = with(release, &format!("cel '{expression}'"));
        format!("{}{}", run.stdout, run.stderr)
    };
    let zone = r#"timestamp("2020-01-01T00:00:00Z").getHours("00:90")"#;
    for (expression, older, newer) in [
        (zone, "1\n", "1\n"),
        ("dyn(1).orValue(2)", "1\n", "no such overload"),
        (
            "duration(5)",
            "invalid duration argument",
            "found no matching overload for 'duration' applied to '(int)'",
        ),
    ] {
        for (release, expected) in [("1.36", older), ("1.37", newer)] {
            let said = said(release, expression);
            assert!(said.contains(expected), "{release} {expression}: {said}");
        }
    }
}

/// What is told about objects.
fn upgrade(name: &str, objects: &str, releases: &str) -> Run {
    let folder = root().join("target/tmp").join(name);
    std::fs::create_dir_all(&folder).expect("a directory");
    std::fs::write(folder.join("objects.yaml"), objects).expect("a file");
    kindsmith(&format!("check target/tmp/{name} --upgrade {releases}"))
}

#[test]
fn an_upgrade_names_removed_versions_and_their_replacement() {
    let cidr = "apiVersion: networking.k8s.io/v1beta1\nkind: ServiceCIDR\nmetadata: {name: a}\nspec: {cidrs: [10.0.0.0/24]}\n";
    let run = upgrade("upgrade-removed", cidr, "1.35..1.37");
    let expected = "networking.k8s.io/v1beta1 ServiceCIDR was removed in Kubernetes 1.37";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert!(
        run.stdout.contains("use apiVersion networking.k8s.io/v1"),
        "{}",
        run.stdout
    );
    assert_eq!(run.code, Some(1));
    let run = upgrade("upgrade-removed", cidr, "1.34..1.36");
    assert_eq!((run.code, &*run.stdout), (Some(0), ""), "{}", run.stderr);

    let flows = "apiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\nmetadata: {name: a}\nspec: {priorityLevelConfiguration: {name: x}}\n";
    let run = upgrade("upgrade-flows", flows, "1.31..1.33");
    let expected = "flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema was removed in Kubernetes 1.32";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
}

#[test]
fn an_upgrade_is_silent_about_what_was_refused_before() {
    let scaler = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: h}\n\
                  spec: {maxReplicas: 0, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: x}}\n";
    let run = upgrade("upgrade-refused", scaler, "1.34..1.37");
    assert_eq!((run.code, &*run.stdout), (Some(0), ""), "{}", run.stderr);
}

#[test]
fn an_upgrade_compares_each_object_with_itself() {
    let objects = "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicyBinding\nmetadata: {name: b}\n\
                   spec: {policyName: p}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {a: b}\n";
    let run = upgrade("upgrade-later", objects, "1.35..1.37");
    assert_eq!((run.code, &*run.stdout), (Some(0), ""), "{}", run.stderr);
}
