//! Words of controller-gen's command line, read and refused.

use std::path::Path;

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn no_words_panic(line in "((crd|rbac|object|--load-build-tags|paths|output|dir|artifacts|config|maxDescLen|x|é|1)?[:=,; {}`\"\\\\]?){0,12}") {
        if let Err(error) = read(&words(&line)) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// The only generator of a command line.
fn only(line: &str) -> Requested {
    let mut request = read(&words(line)).expect("reads");
    assert_eq!(request.generators.len(), 1, "{line}");
    request.generators.remove(0)
}

#[test]
fn reads_what_makefiles_have() {
    let line = "crd:maxDescLen=0,allowDangerousTypes=true,crdVersions={v1} paths=./api/...;./more \
                output:crd:artifacts:config=config/crd/bases";
    let request = read(&words(line)).expect("reads");
    assert_eq!(request.paths, ["./api/...", "./more"]);
    let requested = only(line);
    let Generator::Crd(settings) = requested.generator else {
        panic!("crd");
    };
    assert_eq!(settings.max_description, Some(0));
    assert!(settings.allow_dangerous_types);
    assert_eq!(settings.crd_versions, ["v1"]);
    assert_eq!(requested.to.manifest(), Some(Path::new("config/crd/bases")));
}

#[test]
fn reads_several_generators() {
    let line = "rbac:roleName=manager-role crd +webhook object:headerFile=h.txt,year=2026 paths=./... \
                output:crd:artifacts:config=config/crd/bases --load-build-tags=a,b --check";
    let request = read(&words(line)).expect("reads");
    let places: Vec<_> = request
        .generators
        .iter()
        .map(|requested| {
            (
                requested.generator.name(),
                requested.to.manifest().expect("a directory"),
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            ("rbac", Path::new("config/rbac")),
            ("crd", Path::new("config/crd/bases")),
            ("webhook", Path::new("config/webhook")),
            ("object", Path::new("config/object")),
        ]
    );
    let object = &request.generators[3];
    assert_eq!(object.to.code(Path::new("api/v1")), Some(Path::new("api/v1")));
    assert_eq!(object.generator.header().year, "2026");
    assert!(request.flags.check);
    assert_eq!(
        request.flags.build_tags,
        Some(vec!["a".to_owned(), "b".to_owned()])
    );
}

#[test]
fn a_generators_own_output_rule_wins() {
    for line in [
        "crd output:crd:dir=a output:dir=b paths=.",
        "output:dir=b paths=. crd output:crd:dir=a",
    ] {
        assert_eq!(only(line).to, Destination::Directory("a".into()));
    }
    assert_eq!(only("crd output:stdout").to, Destination::Stdout);
    assert_eq!(only("crd").to.manifest(), Some(Path::new("config/crd")));
    let to = only("object output:artifacts:config=c,code=d").to;
    assert_eq!(to.code(Path::new("api")), Some(Path::new("d")));
}

fn refuse(line: &str, expected: &str) {
    let error = read(&words(line)).expect_err("is refused").to_string();
    assert!(error.starts_with(expected), "{line}: {error}");
}

#[test]
fn errors_are_those_of_controller_gen() {
    refuse("paths=.", "no generators specified");
    refuse(
        "crd crd paths=.",
        "multiple instances of 'crd' generator specified",
    );
    refuse("crd output:rbac:dir=x", "non-invoked generator \"rbac\"");
    refuse("crd bogus paths=.", "unknown option \"bogus\"");
    refuse(
        "crd:bogus=1",
        "unable to parse option \"crd:bogus=1\": unknown argument \"bogus\"",
    );
    refuse(
        "crd:maxDescLen=x",
        "unable to parse option \"crd:maxDescLen=x\": expected integer",
    );
    refuse(
        "rbac",
        "unable to parse option \"rbac\": missing argument \"roleName\"",
    );
    refuse(
        "applyconfiguration:externalApplyConfigurations=x",
        "invalid external apply configuration format \"x\", expected <package>.<TypeName>@<applyconfiguration-package>",
    );
    refuse("crd --odd", "unknown flag: --odd");
}
