//! Command lines of controller-gen: `crd:maxDescLen=0 paths=./... output:crd:dir=config/crd`. Same names, same
//! defaults, same error texts (controller-tools `pkg/genall/options.go`, `cmd/controller-gen/main.go`).

use std::path::PathBuf;

use kindsmith_tags::catalogue::nearest_of;
use kindsmith_tags::grammar::marker::{
    Argument, ArgumentType, Arguments, MarkerParts, MarkerValues, parse, split,
};

use crate::error::Error;

/// A parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// `paths`, in the order given.
    pub(super) paths: Vec<String>,
    /// Options of the generator.
    pub(super) settings: Settings,
    /// Where CRDs are written.
    pub(super) to: Destination,
}

/// Options of the `crd` generator, by controller-gen's names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) ignore_unexported_fields: bool,
    pub(super) allow_dangerous_types: bool,
    pub(super) max_description: Option<i64>,
    pub(super) crd_versions: Vec<String>,
    pub(super) embedded_object_meta: bool,
    pub(super) header_file: Option<PathBuf>,
    pub(super) year: String,
    pub(super) preserve_unknown_fields: Option<bool>,
}

/// Where CRDs are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Directory(PathBuf),
    Stdout,
    Nowhere,
}

impl Default for Destination {
    fn default() -> Self {
        Self::Directory("config/crd".into())
    }
}

const CRD: &[Argument] = &[
    Argument::optional("ignoreUnexportedFields", ArgumentType::Bool),
    Argument::optional("allowDangerousTypes", ArgumentType::Bool),
    Argument::optional("maxDescLen", ArgumentType::Int),
    Argument::optional("crdVersions", ArgumentType::Texts),
    Argument::optional("generateEmbeddedObjectMeta", ArgumentType::Bool),
    Argument::optional("headerFile", ArgumentType::Text),
    Argument::optional("year", ArgumentType::Text),
    Argument::optional(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        ArgumentType::Bool,
    ),
];
const ARTIFACTS: &[Argument] = &[
    Argument::needed("config", ArgumentType::Text),
    Argument::optional("code", ArgumentType::Text),
];

/// Generators of controller-gen that Kindsmith does not have.
const OTHERS: [&str; 5] = ["object", "rbac", "webhook", "applyconfiguration", "schemapatch"];

/// Whether a word can only be controller-gen's.
pub(super) fn is_word(word: &str) -> bool {
    word.starts_with("paths=") || word.starts_with("output:") || word.starts_with("crd:")
}

/// Reads a command line.
pub(super) fn read(words: &[String]) -> Result<Request, Error> {
    let mut request = Request::default();
    let (mut generators, mut others) = (0, Vec::new());
    let mut own_output = false;
    for word in words {
        let parts = split(word);
        let name = parts.full_name.split(':').next().unwrap_or_default();
        if OTHERS.contains(&name) {
            others.push(name);
        } else if name == "crd" {
            generators += 1;
            request.settings = settings(&arguments(word, "crd", Arguments::Named(CRD))?);
        } else if name == "paths" {
            let values = arguments(word, "paths", Arguments::One(ArgumentType::Texts))?;
            request
                .paths
                .extend(values.texts("").into_iter().map(str::to_owned));
        } else if name == "output" {
            // A rule for one generator beats the rule for all, in any order.
            let rest = word.strip_prefix("output:").unwrap_or_default();
            let (own, rule) = match rest.strip_prefix("crd:") {
                Some(rule) => (true, rule),
                None => (false, rest),
            };
            let to = destination(word, rule)?;
            if own || !own_output {
                request.to = to;
            }
            own_output |= own;
        } else {
            return Err(unknown(word, name));
        }
    }
    if !others.is_empty() {
        return Err(Error::usage(format!(
            "the generator `{}` is not supported",
            others.join("`, `")
        ))
        .hint("call controller-gen separately for it"));
    }
    match generators {
        0 => Err(Error::usage("no generators specified")),
        1 => Ok(request),
        _ => Err(Error::usage("multiple instances of 'crd' generator specified")),
    }
}

/// The arguments of a word whose name is `name`.
fn arguments(word: &str, name: &str, takes: Arguments) -> Result<MarkerValues, Error> {
    let parts = split(word);
    let parts = match parts.full_name == name {
        true => parts,
        false => MarkerParts {
            short_name: name,
            ..parts
        },
    };
    parse(takes, parts).map_err(|errors| {
        let texts: Vec<String> = errors.iter().map(|error| error.text()).collect();
        let error = Error::usage(format!("unable to parse option {word:?}: {}", texts.join(", ")));
        match takes {
            Arguments::Named(known) => error.hint(format!("`{name}` takes {}", list(known))),
            _ => error.hint(format!("write it as `{name}=VALUE`")),
        }
    })
}

/// The names of arguments in a row.
fn list(known: &[Argument]) -> String {
    let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
    names.join(", ")
}

/// The error for a word that is neither controller-gen's nor the name of one of our generators.
fn unknown(word: &str, name: &str) -> Error {
    const KNOWN: [&str; 6] = ["crd", "docs", "go", "openapi", "output", "paths"];
    let error = Error::usage(format!("unknown option {word:?}"));
    match nearest_of(name, KNOWN) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(
            "generators are `crd`, `docs`, `go` and `openapi`; \
             of controller-gen's words `crd`, `paths` and `output` are understood",
        ),
    }
}

fn settings(values: &MarkerValues) -> Settings {
    let text = |name: &str| values.text(name).filter(|text| !text.is_empty());
    Settings {
        ignore_unexported_fields: values.bool("ignoreUnexportedFields").unwrap_or_default(),
        allow_dangerous_types: values.bool("allowDangerousTypes").unwrap_or_default(),
        max_description: values.int("maxDescLen"),
        crd_versions: values
            .texts("crdVersions")
            .into_iter()
            .map(str::to_owned)
            .collect(),
        embedded_object_meta: values.bool("generateEmbeddedObjectMeta").unwrap_or_default(),
        header_file: text("headerFile").map(PathBuf::from),
        year: text("year").unwrap_or_default().to_owned(),
        preserve_unknown_fields: values.bool("deprecatedV1beta1CompatibilityPreserveUnknownFields"),
    }
}

fn destination(word: &str, rule: &str) -> Result<Destination, Error> {
    let name = rule.split(['=', ':']).next().unwrap_or_default();
    match name {
        "dir" => {
            let values = arguments(rule, "dir", Arguments::One(ArgumentType::Text))?;
            Ok(Destination::Directory(values.text("").unwrap_or_default().into()))
        }
        "artifacts" => {
            let values = arguments(rule, "artifacts", Arguments::Named(ARTIFACTS))?;
            Ok(Destination::Directory(
                values.text("config").unwrap_or_default().into(),
            ))
        }
        "stdout" => Ok(Destination::Stdout),
        "none" => Ok(Destination::Nowhere),
        _ => Err(Error::usage(format!("unknown option {word:?}")).hint(
            "definitions go to `output:crd:dir=DIR`, `output:crd:artifacts:config=DIR`, `output:stdout` or `output:none`",
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_words_panic(line in "((crd|paths|output|dir|artifacts|config|maxDescLen|x|é|1)?[:=,; {}`\"\\\\]?){0,12}") {
            if let Err(error) = read(&words(&line)) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn reads_what_makefiles_have() {
        let line = "crd:maxDescLen=0,allowDangerousTypes=true,crdVersions={v1} paths=./api/...;./more \
                    output:crd:artifacts:config=config/crd/bases";
        let request = read(&words(line)).expect("reads");
        assert_eq!(request.paths, ["./api/...", "./more"]);
        assert_eq!(request.settings.max_description, Some(0));
        assert!(request.settings.allow_dangerous_types);
        assert_eq!(request.settings.crd_versions, ["v1"]);
        assert_eq!(request.to, Destination::Directory("config/crd/bases".into()));
    }

    #[test]
    fn a_generators_own_output_rule_wins() {
        for line in [
            "crd output:crd:dir=a output:dir=b paths=.",
            "output:dir=b paths=. crd output:crd:dir=a",
        ] {
            assert_eq!(
                read(&words(line)).expect("reads").to,
                Destination::Directory("a".into())
            );
        }
        assert_eq!(
            read(&words("crd output:stdout")).expect("reads").to,
            Destination::Stdout
        );
        assert_eq!(read(&words("crd")).expect("reads").to, Destination::default());
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
            "rbac:roleName=m crd webhook",
            "the generator `rbac`, `webhook` is not supported",
        );
    }
}
