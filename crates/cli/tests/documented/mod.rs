//! Every command block of the README and of `docs/` is run, in a project like a reader's, and prints what is shown.
//!
//! A document's blocks run one after the other in a fresh copy of [`project.txt`](project.txt). Servers run in the background until
//! the next one starts or the document ends. `kindsmith` may end with findings (1), never with "could not run" (2). What cannot be run here
//! is in [`ELSEWHERE`], with the test that runs it.

mod document;
mod excerpts;
mod running;

use document::{Block, blocks, text};
use running::Stage;

/// Documents whose blocks are run.
const DOCUMENTS: [&str; 28] = [
    "README.md",
    "CONTRIBUTING.md",
    "docs/admission.md",
    "docs/cel.md",
    "docs/check.md",
    "docs/ci.md",
    "docs/cluster.md",
    "docs/concepts.md",
    "docs/controller-gen.md",
    "docs/controllers.md",
    "docs/diff.md",
    "docs/editors.md",
    "docs/embed.md",
    "docs/envtest.md",
    "docs/gen.md",
    "docs/index.md",
    "docs/install.md",
    "docs/keps.md",
    "docs/lint.md",
    "docs/migrate.md",
    "docs/performance.md",
    "docs/play.md",
    "docs/rule-tests.md",
    "docs/rules.md",
    "docs/rust.md",
    "docs/serve.md",
    "docs/tutorial.md",
    "docs/versions.md",
];

/// Generated pages without command blocks of their own.
const OTHERS: [&str; 8] = [
    "docs/commands.md",
    "docs/configuration.md",
    "docs/gates.md",
    "docs/limits.md",
    "docs/metrics.md",
    "docs/outputs.md",
    "docs/scale.md",
    "docs/tags.md",
];

/// Beginnings of lines that are run elsewhere: document, line, where.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("README.md", "cargo ", "this is what CI does"),
    ("CONTRIBUTING.md", "cargo ", "CI, and benches by hand"),
    ("CONTRIBUTING.md", ".ci/run", "CI itself"),
    (
        "docs/cluster.md",
        "etcd --name ",
        "e2e/scale/cluster starts three members",
    ),
    ("docs/cluster.md", "etcdctl ", "e2e/scale/cluster, over HTTP"),
    ("docs/cluster.md", "kindsmith serve ", "e2e/scale/cluster"),
    ("docs/controllers.md", "kubectl ", "controlled::terminal_run"),
    (
        "docs/controllers.md",
        "curl ",
        "controlled::terminal_run, controlled::ten_minutes",
    ),
    ("docs/controllers.md", "until curl ", "controlled::terminal_run"),
    (
        "docs/controllers.md",
        "kindsmith controller export ",
        "controlled::ten_minutes, with a service",
    ),
    (
        "docs/editors.md",
        "cd editors/vscode ",
        ".ci/run packages the extension",
    ),
    (
        "docs/editors.md",
        "code --install-extension ",
        "e2e/vscode/run installs it",
    ),
    ("docs/envtest.md", "e2e/envtest/run", "by hand: it takes an hour"),
    (
        "docs/envtest.md",
        "(cd e2e/envtest ",
        "by hand, with the line before",
    ),
    (
        "docs/versions.md",
        "kindsmith envtest kube-apiserver",
        "serve::envtest, on a free port",
    ),
    (
        "docs/serve.md",
        "kindsmith serve --store etcd:",
        "kindsmith-store's tests start an etcd",
    ),
];

/// Commands that a reader has run before a line: document, beginning of the line, command.
const BEFORE: &[(&str, &str, &str)] = &[
    (
        "docs/diff.md",
        "kubectl get beds",
        "kindsmith serve --store memory --crds ./config/crd",
    ),
    ("docs/diff.md", "kubectl get beds", "kubectl apply -f bed.yaml"),
    (
        "docs/serve.md",
        "kubectl get gate north",
        "kubectl apply -f gate.yaml",
    ),
    (
        "docs/gen.md",
        "kindsmith gen crd ./api/... --out config/crd --watch",
        "rm -r config api/v1/zz_generated.deepcopy.go",
    ),
    (
        "docs/gen.md",
        "kindsmith gen go ",
        "sed -i 's,^// +groupName.*,&\\n// +k8s:defaulter-gen=TypeMeta\\n// +k8s:validation-gen=TypesWithField=TypeMeta,' api/v1/doc.go",
    ),
    (
        "docs/envtest.md",
        "export KUBEBUILDER_ASSETS=",
        "rm -r api internal",
    ),
    (
        "docs/admission.md",
        "kubectl get validatingadmissionpolicy",
        "kindsmith serve --store memory --type-check-policies",
    ),
    (
        "docs/admission.md",
        "kubectl get validatingadmissionpolicy",
        "kubectl apply -f replicas.yaml",
    ),
];

fn is_elsewhere(document: &str, line: &str) -> bool {
    let mut all = ELSEWHERE.iter();
    all.any(|(known, start, _)| *known == document && line.starts_with(start))
}

/// Runs all blocks of a document.
fn run(document: &str) {
    let mut stage = Stage::new(document);
    for Block { line, commands } in blocks(&text(document)) {
        for (command, shown) in commands {
            if is_elsewhere(document, &command) {
                continue;
            }
            for (known, start, before) in BEFORE {
                if *known == document && command.starts_with(start) {
                    stage
                        .run(before, None)
                        .unwrap_or_else(|wrong| panic!("{document}:{line}: {wrong}"));
                }
            }
            stage
                .run(&command, shown.as_deref())
                .unwrap_or_else(|wrong| panic!("{document}:{line}: $ {command}\n{wrong}"));
        }
    }
}

macro_rules! documents {
    ($($name:ident = $document:literal,)*) => {
        $(#[test]
        fn $name() {
            run($document);
        })*

        #[test]
        fn every_document_with_commands_has_a_test() {
            let tested = [$($document),*];
            for document in DOCUMENTS {
                let has_commands = blocks(&text(document))
                    .iter()
                    .flat_map(|block| &block.commands)
                    .any(|(command, _)| !is_elsewhere(document, command));
                assert_eq!(has_commands, tested.contains(&document), "{document}");
            }
        }
    };
}

documents! {
    readme = "README.md",
    admission = "docs/admission.md",
    cel = "docs/cel.md",
    check = "docs/check.md",
    ci = "docs/ci.md",
    controller_gen = "docs/controller-gen.md",
    controllers = "docs/controllers.md",
    diff = "docs/diff.md",
    envtest = "docs/envtest.md",
    gen_files = "docs/gen.md",
    install = "docs/install.md",
    lint = "docs/lint.md",
    migrate = "docs/migrate.md",
    play = "docs/play.md",
    rule_tests = "docs/rule-tests.md",
    rules = "docs/rules.md",
    rust = "docs/rust.md",
    serve = "docs/serve.md",
    tutorial = "docs/tutorial.md",
    versions = "docs/versions.md",
}

#[test]
fn every_document_is_listed() {
    let folder = crate::binary::root().join("docs");
    for entry in std::fs::read_dir(folder).expect("documents") {
        let name = entry.expect("an entry").file_name();
        let name = format!("docs/{}", name.to_string_lossy());
        let is_listed = DOCUMENTS.contains(&&*name) || OTHERS.contains(&&*name);
        assert!(!name.ends_with(".md") || is_listed, "{name}");
    }
    for document in OTHERS {
        assert!(blocks(&text(document)).is_empty(), "{document} has commands");
    }
}

#[test]
fn what_runs_elsewhere_is_still_there() {
    for (document, start, _) in ELSEWHERE {
        let blocks = blocks(&text(document));
        let mut commands = blocks.iter().flat_map(|block| &block.commands);
        assert!(
            commands.any(|(command, _)| command.starts_with(start)),
            "{document}: {start}"
        );
    }
}
