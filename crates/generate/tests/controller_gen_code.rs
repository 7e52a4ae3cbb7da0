//! Deepcopy methods, roles and webhook configurations are those of controller-gen, byte for byte.

use std::path::Path;

use kindsmith_generate::{Problem, applyconfiguration, controller_gen, deepcopy, rbac, schemapatch, webhook};
use kindsmith_testkit::tool::{Tool, download, left_out};
use kindsmith_testkit::{GoPackages, entries, name, recordings, text};

/// All recorded packages, as one module.
fn packages() -> GoPackages {
    GoPackages::default()
        .module("example.org/fixtures", "fixtures")
        .tree(&recordings("controller-gen"), "fixtures")
}

fn shown(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|problem| problem.message.as_str()).collect()
}

/// Says where two texts differ.
fn same(case: &str, found: &str, expected: &str) -> Option<String> {
    if found == expected {
        return None;
    }
    let differs = found
        .lines()
        .zip(expected.lines())
        .position(|(one, other)| one != other);
    let line = differs.unwrap_or_else(|| found.lines().count().min(expected.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    Some(format!(
        "{case}:{}:\n  expected {}\n  found    {}\n",
        line + 1,
        at(expected),
        at(found)
    ))
}

/// Compares what is generated for each recorded package below a folder.
fn check(folder: &str, file: &str, generate: impl Fn(&GoPackages, &str, &Path) -> (String, Vec<Problem>)) {
    let packages = packages();
    let mut wrong = String::new();
    let cases = entries(&recordings("controller-gen").join(folder));
    for directory in &cases {
        let case = format!("{folder}/{}", name(directory));
        let (found, problems) = generate(&packages, &format!("fixtures/{case}"), directory);
        if !problems.is_empty() {
            wrong += &format!("{case}: {:?}\n", shown(&problems));
        }
        wrong.extend(same(&case, &found, &text(&directory.join(file))));
    }
    assert!(wrong.is_empty() && !cases.is_empty(), "not as recorded:\n{wrong}");
}

#[test]
fn deepcopy_methods_equal_those_of_deepcopy_gen() {
    check("deepcopy-gen", deepcopy::FILE_NAME, |packages, pattern, _| {
        let options = deepcopy::Options {
            dialect: deepcopy::Dialect::DeepcopyGen,
            ..deepcopy::Options::default()
        };
        let copies = packages.load(pattern, |loader, packages| {
            deepcopy::methods(loader, packages, &options)
        });
        let text = copies.files.into_iter().map(|file| file.text).collect();
        (text, copies.problems)
    });
}

/// deepcopy-gen v0.37.2 refuses all of these but `any`, for which its code does not compile.
#[test]
fn what_deepcopy_gen_cannot_copy_is_refused() {
    for (field, said) in [
        ("*Plant", "invalid pointer element type: example.org/bad.Plant"),
        ("any", "invalid field type: any"),
        ("interface{}", "invalid field type: interface{}"),
        ("[][2]int", "invalid slice element type: [2]int"),
        ("*[2]int", "invalid pointer element type: [2]int"),
        ("map[string][2]int", "invalid map value type: [2]int"),
    ] {
        let types = format!(
            "// +k8s:deepcopy-gen=package\npackage bad\n\ntype Plant interface{{ DeepCopyPlant() Plant }}\n\n\
             type T struct {{\n\tField {field}\n}}\n"
        );
        let packages = GoPackages::default().module("example.org/bad", "bad");
        let options = deepcopy::Options {
            dialect: deepcopy::Dialect::DeepcopyGen,
            ..deepcopy::Options::default()
        };
        let copies = packages
            .file("bad/doc.go", types)
            .load("bad", |loader, packages| {
                deepcopy::methods(loader, packages, &options)
            });
        assert_eq!(shown(&copies.problems).last(), Some(&said), "{field}");
    }
}

#[test]
fn patched_crds_equal_those_of_controller_gen() {
    check("schemapatch", "patched.yaml", |packages, pattern, directory| {
        let read = packages.read(pattern);
        let files = [("crd.yaml".to_owned(), text(&directory.join("crd.yaml")))];
        let options = controller_gen::Options {
            max_description: Some(0),
            ..controller_gen::Options::default()
        };
        let patched = schemapatch::patch(&read.schema, &files, &options);
        assert!(patched.refused.is_empty() && patched.generated.problems.is_empty());
        (
            patched.files.into_iter().map(|file| file.text).collect(),
            Vec::new(),
        )
    });
}

#[test]
fn deepcopy_methods_equal_those_of_controller_gen() {
    check("object", deepcopy::FILE_NAME, |packages, pattern, directory| {
        let header = directory.join("header.txt");
        let header = if header.exists() {
            text(&header)
        } else {
            String::new()
        };
        let options = deepcopy::Options {
            header: header.replace(" YEAR", " 2026"),
            ..deepcopy::Options::default()
        };
        let copies = packages.load(pattern, |loader, packages| {
            deepcopy::methods(loader, packages, &options)
        });
        let text = copies.files.into_iter().map(|file| file.text).collect();
        (text, copies.problems)
    });
}

/// The Go files below a directory by their path, without those with types.
fn code_below(directory: &Path, found: &mut Vec<(String, String)>) {
    for entry in entries(directory) {
        if entry.is_dir() {
            code_below(&entry, found);
        } else if name(&entry) != "types.go" {
            found.push((entry.display().to_string(), text(&entry)));
        }
    }
}

#[test]
fn apply_configurations_equal_those_of_controller_gen() {
    let top = recordings("controller-gen");
    let mut expected = Vec::new();
    code_below(&top.join("applyconfiguration"), &mut expected);
    let options = applyconfiguration::Options {
        external: vec![(
            "example.org/fixtures/applyconfiguration/shared.Address".to_owned(),
            "example.org/other/shared".to_owned(),
        )],
        ..applyconfiguration::Options::default()
    };
    let read = packages().read("fixtures/applyconfiguration/...");
    let made = applyconfiguration::configurations(&read.packages, &read.schema, &options);
    assert!(made.problems.is_empty() && made.unpublished.is_empty());
    let mut wrong = String::new();
    for (path, text) in &expected {
        let relative = path.strip_prefix(&*top.display().to_string()).expect("below");
        let is_it = |file: &&applyconfiguration::CodeFile| {
            format!(
                "fixtures/{}/{}",
                file.directory.trim_start_matches("fixtures/"),
                file.name
            ) == format!("fixtures{relative}")
        };
        match made.files.iter().find(is_it) {
            Some(file) => wrong.extend(same(relative, &file.text, text)),
            None => wrong += &format!("{relative} was not generated\n"),
        }
    }
    assert!(wrong.is_empty(), "not as recorded:\n{wrong}");
    assert_eq!(made.files.len(), expected.len());
}

#[test]
fn roles_equal_those_of_controller_gen() {
    let options = rbac::Options {
        role_name: "manager-role".to_owned(),
        ..rbac::Options::default()
    };
    check("rbac", "role.yaml", |packages, pattern, _| {
        let roles = packages.load(pattern, |_, packages| rbac::roles(packages, &options));
        let text = roles.manifest.map(|manifest| manifest.text);
        (text.unwrap_or_default(), roles.problems)
    });
}

#[test]
fn webhooks_equal_those_of_controller_gen() {
    check("webhook", "manifests.yaml", |packages, pattern, _| {
        let options = webhook::Options::default();
        let webhooks = packages.load(pattern, |_, packages| webhook::configurations(packages, &options));
        let text = webhooks.manifest.map(|manifest| manifest.text);
        (text.unwrap_or_default(), webhooks.problems)
    });
}

#[test]
fn roles_of_controller_tools_own_example_are_the_same() {
    let Some(module) = download("sigs.k8s.io/controller-tools@v0.23.0") else {
        left_out(Tool::Go, "the example of controller-tools for roles");
        return;
    };
    let directory = module.join("pkg/rbac/testdata");
    let packages = GoPackages::default()
        .module("example.org/p", "p")
        .tree(&directory, "p");
    let options = rbac::Options {
        role_name: "manager-role".to_owned(),
        ..rbac::Options::default()
    };
    let roles = packages.load("p", |_, packages| rbac::roles(packages, &options));
    let made = roles.manifest.expect("roles").text;
    assert_eq!(same("example", &made, &text(&directory.join("role.yaml"))), None);
}

fn one_file(source: &str) -> GoPackages {
    GoPackages::default()
        .module("example.org/p", "p")
        .file("p/t.go", source)
}

fn refuse_webhook(arguments: &str, expected: &str) {
    let usual = "failurePolicy=fail,groups=a,resources=as,verbs=create,versions=v1,name=a.example.org,\
                 admissionReviewVersions=v1";
    let source = format!("package p\n\n// +kubebuilder:webhook:{usual},{arguments}\n\nfunc f() {{}}\n");
    let found = one_file(&source).load("p", |_, packages| {
        webhook::configurations(packages, &webhook::Options::default())
    });
    assert_eq!(shown(&found.problems), [expected], "{arguments}");
}

#[test]
fn webhooks_are_refused_with_controller_gens_words() {
    refuse_webhook(
        "mutating=true,sideEffects=None",
        "`url` or `path` markers are required and mutually exclusive",
    );
    refuse_webhook(
        "mutating=true,path=/a,sideEffects=None,matchPolicy=odd",
        "unknown value \"odd\" for matchPolicy",
    );
    refuse_webhook(
        "mutating=true,path=/a,sideEffects=None,webhookVersions=v1beta1",
        "unsupported webhook version: v1beta1",
    );
    refuse_webhook(
        "mutating=true,path=/a",
        "SideEffects is required for creating v1 {Mutating,Validating}WebhookConfiguration",
    );
    refuse_webhook(
        "mutating=false,path=/a,sideEffects=Some",
        "SideEffects should not be set to `Some` or `Unknown` for v1 {Mutating,Validating}WebhookConfiguration",
    );
    refuse_webhook(
        "mutating=false,path=/a,sideEffects=None,timeoutSeconds=31",
        "TimeoutSeconds must be between 1 and 30 seconds",
    );
}

fn refuse_patch(patch: &str, expected: &str) {
    refuse_webhook(
        &format!("mutating=false,path=/a,sideEffects=None,patch=`{patch}`"),
        &format!("failed to apply patch: {expected}"),
    );
}

#[test]
fn wrong_patches_are_refused() {
    refuse_patch(
        r#"{"odd":1}"#,
        "failed to validate strategic merge patch: invalid patch field \"odd\": unable to find api field in struct \
         ValidatingWebhook for the json field \"odd\"",
    );
    refuse_patch(
        r#"{"reinvocationPolicy":"Never"}"#,
        "failed to validate strategic merge patch: invalid patch field \"reinvocationPolicy\": unable to find api field \
         in struct ValidatingWebhook for the json field \"reinvocationPolicy\"",
    );
    refuse_patch(
        r#"{"timeoutSeconds":"a"}"#,
        "failed to validate strategic merge patch: failed to validate patch fields: json: cannot unmarshal string into \
         Go struct field ValidatingWebhook.timeoutSeconds of type int32",
    );
    refuse_patch(
        r#"{"timeoutSeconds":1.5}"#,
        "failed to validate strategic merge patch: failed to validate patch fields: json: cannot unmarshal number 1.5 \
         into Go struct field ValidatingWebhook.timeoutSeconds of type int32",
    );
    refuse_patch(
        r#"{"objectSelector":{"matchLabels":{"a":1}}}"#,
        "failed to validate strategic merge patch: failed to validate patch fields: json: cannot unmarshal number into \
         Go struct field LabelSelector.objectSelector.matchLabels of type string",
    );
    refuse_patch(
        r#"{"rules":{}}"#,
        "failed to validate strategic merge patch: failed to validate patch fields: json: cannot unmarshal object into \
         Go struct field ValidatingWebhook.rules of type []v1.RuleWithOperations",
    );
    refuse_patch(
        r#"{"$patch":"replace"}"#,
        "failed to validate strategic merge patch: the directive \"$patch\" is not supported",
    );
}

#[test]
fn merging_rules_loses_no_verb() {
    let source = "package p\n\n\
                  // +kubebuilder:rbac:groups=a,resources=x,verbs=get\n\
                  // +kubebuilder:rbac:groups=b,resources=x,verbs=get\n\
                  // +kubebuilder:rbac:groups=a;b,resources=x,verbs=list\n\nfunc f() {}\n";
    let roles = one_file(source).load("p", |_, packages| {
        rbac::roles(packages, &rbac::Options::default())
    });
    let text = roles.manifest.expect("a role").text;
    assert!(text.ends_with("  verbs:\n  - get\n  - list\n"), "{text}");
}

fn refuse_object(declarations: &str, expected: &[&str]) {
    let source = format!("// +kubebuilder:object:generate=true\npackage p\n\n{declarations}\n");
    let found = one_file(&source).load("p", |loader, packages| {
        deepcopy::methods(loader, packages, &deepcopy::Options::default())
    });
    assert_eq!(shown(&found.problems), expected, "{declarations}");
}

#[test]
fn types_that_cannot_be_copied_are_refused() {
    refuse_object("type T struct{ A any }", &["invalid field type: any"]);
    refuse_object("type T struct{ A [3]int }", &["invalid field type: [3]int"]);
    refuse_object(
        "type T struct{ A []any }",
        &[
            "name requested for invalid type: any",
            "invalid slice element type: any",
        ],
    );
    refuse_object(
        "type T struct{ A map[string]func() }",
        &[
            "name requested for invalid type: func()",
            "invalid map value type: func()",
        ],
    );
    refuse_object(
        "type T struct{ A *chan int }",
        &["invalid pointer element type: chan int"],
    );
    refuse_object("type T map[[2]int]string", &["invalid map key type: [2]int"]);
    refuse_object("type T interface{ F() }", &["invalid type: interface{ F() }"]);
    refuse_object(
        "type T struct{ A none.Thing }",
        &["invalid field type: none.Thing"],
    );
    refuse_object("type T struct{ T }", &[]);
    refuse_object(
        "type T map[string]T",
        &["the type example.org/p.T contains itself"],
    );
    refuse_object(
        "type T[E any] []T[[]E]",
        &["the type example.org/p.T contains itself"],
    );
    refuse_object("type T T", &["unknown type: circle"]);
    refuse_object(
        "// +kubebuilder:object:root=maybe\ntype T struct{}",
        &["expected true or false, got \"maybe\" (at <input>:1:1)"],
    );
}
