//! Built-in kinds on the command line, without any option: `check`, `explain`, `normalize`, `apply --dry-run`.

use std::path::{Path, PathBuf};

use crate::binary::{kindsmith, with_input};

/// Checks a manifest from standard input.
fn check(manifest: &str, code: i32, expected: &[&str]) {
    let run = with_input("check -", manifest);
    for part in expected {
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(all.contains(part), "{part}\n--- not in\n{all}");
    }
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
}

const CONFIG_MAP: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n";

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("builtin-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("there is room for a directory");
    path
}

#[test]
fn built_in_kinds_are_checked_as_the_server_would() {
    check(CONFIG_MAP, 0, &["1 object in 1 file, 0 errors\n"]);
    check(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: M}\n",
        1,
        &[
            "metadata.name: Invalid value: \"M\"",
            "1 object in 1 file, 1 error\n",
        ],
    );
}

#[test]
fn nothing_passes_unchecked() {
    for (manifest, expected) in [
        (
            "apiVersion: v1\nkind: ConfigMapp\nmetadata: {name: m}\n",
            "= help: did you mean v1 ConfigMap?",
        ),
        (
            "apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: m}\n",
            "help: use apiVersion apps/v1\n",
        ),
        ("kind: ConfigMap\n", "no apiVersion beside the kind ConfigMap"),
        ("a: b\n", "no apiVersion and no kind"),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndatum: {}\n",
            "error[unknown-field]: unknown field \"datum\"",
        ),
        (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m, name: n}\n",
            "error[duplicate-field]",
        ),
        ("# nothing\n", "error[not-checked]: no objects in -"),
    ] {
        check(manifest, 1, &[expected]);
    }
}

#[test]
fn lists_are_opened() {
    let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: m}\n\
                - apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: other}\n  datum: x\n";
    check(
        list,
        1,
        &[
            "unknown field \"datum\"",
            "--> -:10:3",
            "2 objects in 1 file, 1 error\n",
        ],
    );
}

#[test]
fn directories_without_manifests_are_refused_and_other_files_counted() {
    let folder = scratch("folder");
    let words = format!("check '{}'", folder.display());
    std::fs::write(folder.join("notes.txt"), "text").expect("writable");
    let run = kindsmith(&words);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no manifests in"), "{}", run.stderr);
    std::fs::write(folder.join("m.yaml"), CONFIG_MAP).expect("writable");
    let run = kindsmith(&words);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.stderr,
        "1 object in 1 file, 0 errors; 1 other file without objects\n"
    );
}

#[test]
fn normalize_explain_and_apply_know_them() {
    let folder = scratch("others");
    let file = folder.join("lease.yaml");
    let lease =
        "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: m}\nspec: {holderIdentity: a}\n";
    std::fs::write(&file, lease).expect("writable");
    let file = file.display();
    let run = kindsmith(&format!("normalize -f '{file}'"));
    run.check(
        0,
        "---\napiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: m\nspec:\n  holderIdentity: a\n",
        "",
    );
    let run = kindsmith("explain leases.spec.holderIdentity");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("KIND:       Lease"), "{}", run.stdout);
    let run = kindsmith("explain Leese");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("did you mean `Lease`?"), "{}", run.stderr);
    let run = kindsmith(&format!("apply --dry-run -f '{file}'"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("holderIdentity: a"), "{}", run.stdout);
}

#[test]
fn reviews_have_no_name_and_no_metadata() {
    let attributes = "resourceAttributes: {verb: get, resource: pods}";
    let review =
        |kind: &str, more: &str| format!("apiVersion: authorization.k8s.io/v1\nkind: {kind}\n{more}\n");
    let access = format!("spec: {{user: a, {attributes}}}");
    check(&review("SubjectAccessReview", &access), 0, &["0 errors"]);
    let own = format!("spec: {{{attributes}}}");
    check(&review("SelfSubjectAccessReview", &own), 0, &["0 errors"]);
    let token = "apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nspec: {token: abc}\n";
    check(token, 0, &["0 errors"]);
    check(
        &token.replace("token: abc", ""),
        1,
        &["spec.token: Required value: token is required for TokenReview in authentication"],
    );
    check(
        &review("SelfSubjectRulesReview", "spec: {}"),
        1,
        &["spec.namespace: Required value: no namespace on request"],
    );
    check(
        &review("SubjectAccessReview", &format!("metadata: {{name: x}}\n{access}")),
        1,
        &["metadata: Invalid value: {\"name\":\"x\"}: must be empty"],
    );
    check(
        &review("SubjectAccessReview", &format!("spec: {{{attributes}}}")),
        1,
        &["spec.user: Invalid value: \"\": at least one of user or group must be specified"],
    );
    let local = "spec: {user: a, resourceAttributes: {verb: get, resource: pods, namespace: ns}}";
    check(
        &review(
            "LocalSubjectAccessReview",
            &format!("metadata: {{namespace: ns}}\n{local}"),
        ),
        0,
        &["0 errors"],
    );
}
