//! Generators of Kubernetes whose command lines are refused, with what to run instead.

use crate::error::Error;

/// Generators of Kubernetes that are not here, and what does their work.
const ABSENT: [(&str, &str); 9] = [
    ("client-gen", CODE_GENERATOR),
    ("lister-gen", CODE_GENERATOR),
    ("informer-gen", CODE_GENERATOR),
    ("conversion-gen", CODE_GENERATOR),
    ("register-gen", CODE_GENERATOR),
    ("prerelease-lifecycle-gen", CODE_GENERATOR),
    ("go-to-protobuf", CODE_GENERATOR),
    (
        "applyconfiguration-gen",
        "`kindsmith gen applyconfiguration paths=./api/...` writes the types that controller-gen writes; for those of \
         code-generator run `go run k8s.io/code-generator/cmd/applyconfiguration-gen`",
    ),
    ("set-gen", "run `go run k8s.io/gengo/examples/set-gen`"),
];

const CODE_GENERATOR: &str = "run that of k8s.io/code-generator, for example `go run k8s.io/code-generator/cmd/NAME`; \
     clients of custom resources need none with controller-runtime or the dynamic client";

/// The error for the command line of a generator that is not here.
pub(super) fn refusal(name: &str) -> Option<Error> {
    let (name, instead) = ABSENT.iter().find(|(absent, _)| *absent == name)?;
    let error = Error::usage(format!("{name} is not part of kindsmith"));
    Some(error.hint(instead.replace("NAME", name)))
}
