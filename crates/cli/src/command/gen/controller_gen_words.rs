//! Command lines of controller-gen: `crd:maxDescLen=0 rbac:roleName=x paths=./... output:crd:dir=config/crd`. Same
//! names, same defaults, same error texts (controller-tools `pkg/genall/options.go`, `cmd/controller-gen/main.go`).

use std::path::{Path, PathBuf};

use kindsmith_generate::controller_gen::Release;
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
    /// Generators, in the order given.
    pub(super) generators: Vec<Requested>,
    /// Flags between the words.
    pub(super) flags: Flags,
}

/// Flags between the words of a command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Flags {
    /// `--check`, which is ours.
    pub(super) check: bool,
    /// `--watch`, which is ours.
    pub(super) watch: bool,
    /// `--stamp`, which is ours.
    pub(super) stamp: bool,
    /// `--compat`, which is ours.
    pub(super) compat: Option<Release>,
    /// `--load-build-tags`.
    pub(super) build_tags: Option<Vec<String>>,
}

/// A generator with its options, and where its files are written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Requested {
    pub(super) generator: Generator,
    pub(super) to: Destination,
}

/// A generator with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Generator {
    Crd(Box<Settings>),
    Object(Header),
    Rbac(Role),
    SchemaPatch(Patch),
    Webhook(Header),
    /// Not controller-gen's, but the same work: deepcopy-gen.
    DeepcopyGen(CopyFile),
}

/// Options of deepcopy-gen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CopyFile {
    pub(super) file_name: String,
    pub(super) header: Header,
}

/// Options of the `schemapatch` generator.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Patch {
    /// The directory of the CRDs.
    pub(super) manifests: PathBuf,
    pub(super) max_description: Option<i64>,
    pub(super) embedded_object_meta: bool,
}

/// Options of the `crd` generator, by controller-gen's names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) ignore_unexported_fields: bool,
    pub(super) allow_dangerous_types: bool,
    pub(super) max_description: Option<i64>,
    pub(super) crd_versions: Vec<String>,
    pub(super) embedded_object_meta: bool,
    pub(super) header: Header,
    pub(super) preserve_unknown_fields: Option<bool>,
    pub(super) omit_tool_version: bool,
}

/// Options of the `rbac` generator.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) name: String,
    pub(super) file_name: Option<String>,
    pub(super) header: Header,
}

/// Text above generated files.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) file: Option<PathBuf>,
    pub(super) year: String,
}

impl Header {
    /// The text, with the year in place.
    pub(super) fn text(&self) -> Result<String, Error> {
        let Some(path) = &self.file else {
            return Ok(String::new());
        };
        let text = std::fs::read_to_string(path).map_err(|error| Error::reading(path, &error))?;
        Ok(text.replace(" YEAR", &format!(" {}", self.year)))
    }
}

/// Where files are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// All to one directory.
    Directory(PathBuf),
    /// Manifests to a directory, code beside its package or to another directory.
    Artifacts {
        config: PathBuf,
        code: Option<PathBuf>,
    },
    Stdout,
    Nowhere,
}

impl Destination {
    /// A directory; `-` for standard output.
    pub(super) fn named(directory: PathBuf) -> Self {
        if directory.as_os_str() == "-" {
            Self::Stdout
        } else {
            Self::Directory(directory)
        }
    }

    /// Where a manifest is written, if it is written to a file.
    pub(super) fn manifest(&self) -> Option<&Path> {
        match self {
            Self::Directory(directory)
            | Self::Artifacts {
                config: directory, ..
            } => Some(directory),
            Self::Stdout | Self::Nowhere => None,
        }
    }

    /// Where code of a package in `package` is written, if it is written to a file.
    pub(super) fn code<'a>(&'a self, package: &'a Path) -> Option<&'a Path> {
        match self {
            Self::Directory(directory) => Some(directory),
            Self::Artifacts { code, .. } => Some(code.as_deref().unwrap_or(package)),
            Self::Stdout | Self::Nowhere => None,
        }
    }
}

impl Generator {
    fn name(&self) -> &'static str {
        match self {
            Self::Crd(_) => "crd",
            Self::Object(_) => "object",
            Self::Rbac(_) => "rbac",
            Self::SchemaPatch(_) => "schemapatch",
            Self::DeepcopyGen(_) => "deepcopy-gen",
            Self::Webhook(_) => "webhook",
        }
    }

    /// The generator to its usual place: manifests below `config`, code beside its package.
    pub(super) fn in_usual_place(self) -> Requested {
        let to = Destination::Artifacts {
            config: Path::new("config").join(self.name()),
            code: None,
        };
        Requested { generator: self, to }
    }

    /// The header of its files.
    pub(super) fn header(&self) -> &Header {
        const NONE: &Header = &Header {
            file: None,
            year: String::new(),
        };
        match self {
            Self::SchemaPatch(_) => NONE,
            Self::DeepcopyGen(settings) => &settings.header,
            Self::Crd(settings) => &settings.header,
            Self::Object(header) | Self::Webhook(header) => header,
            Self::Rbac(role) => &role.header,
        }
    }
}

const HEADER_FILE: Argument = Argument::optional("headerFile", ArgumentType::Text);
const YEAR: Argument = Argument::optional("year", ArgumentType::Text);
const CRD: &[Argument] = &[
    Argument::optional("ignoreUnexportedFields", ArgumentType::Bool),
    Argument::optional("allowDangerousTypes", ArgumentType::Bool),
    Argument::optional("maxDescLen", ArgumentType::Int),
    Argument::optional("crdVersions", ArgumentType::Texts),
    Argument::optional("generateEmbeddedObjectMeta", ArgumentType::Bool),
    HEADER_FILE,
    YEAR,
    Argument::optional(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        ArgumentType::Bool,
    ),
    Argument::optional("omitToolVersion", ArgumentType::Bool),
];
const RBAC: &[Argument] = &[
    Argument::needed("roleName", ArgumentType::Text),
    Argument::optional("fileName", ArgumentType::Text),
    HEADER_FILE,
    YEAR,
];
const SCHEMA_PATCH: &[Argument] = &[
    Argument::needed("manifests", ArgumentType::Text),
    Argument::optional("maxDescLen", ArgumentType::Int),
    Argument::optional("generateEmbeddedObjectMeta", ArgumentType::Bool),
];
const HEADER_ONLY: &[Argument] = &[HEADER_FILE, YEAR];
const ARTIFACTS: &[Argument] = &[
    Argument::needed("config", ArgumentType::Text),
    Argument::optional("code", ArgumentType::Text),
];

/// Generators of controller-gen that Kindsmith has.
const GENERATORS: [&str; 5] = ["crd", "object", "rbac", "schemapatch", "webhook"];
/// Generators of controller-gen that Kindsmith does not have.
const OTHERS: [&str; 1] = ["applyconfiguration"];

/// Whether a word can only be controller-gen's.
pub(super) fn is_word(word: &str) -> bool {
    let word = word.strip_prefix('+').unwrap_or(word);
    let is_generator = |name: &&str| word.strip_prefix(*name).is_some_and(|rest| rest.starts_with(':'));
    word.starts_with("paths=") || word.starts_with("output:") || GENERATORS.iter().any(is_generator)
}

/// Reads a command line.
pub(super) fn read(words: &[String]) -> Result<Request, Error> {
    let mut request = Request::default();
    let mut others = Vec::new();
    let (mut for_all, mut for_one) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            request.flags.add(word, &mut words)?;
            continue;
        }
        let word = word.strip_prefix('+').unwrap_or(word);
        let parts = split(word);
        let name = parts.full_name.split(':').next().unwrap_or_default();
        if OTHERS.contains(&name) {
            others.push(name);
        } else if GENERATORS.contains(&name) {
            let generator = generator(word, name)?;
            if request
                .generators
                .iter()
                .any(|known| known.generator.name() == name)
            {
                return Err(Error::usage(format!(
                    "multiple instances of '{name}' generator specified"
                )));
            }
            request.generators.push(generator.in_usual_place());
        } else if name == "paths" {
            let values = arguments(word, "paths", Arguments::One(ArgumentType::Texts))?;
            request
                .paths
                .extend(values.texts("").into_iter().map(str::to_owned));
        } else if name == "output" {
            let rest = word.strip_prefix("output:").unwrap_or_default();
            let own = rest
                .split_once(':')
                .filter(|(of, _)| GENERATORS.contains(of) || OTHERS.contains(of));
            match own {
                Some((of, rule)) => for_one.push((of.to_owned(), destination(word, rule)?)),
                None => for_all = Some(destination(word, rest)?),
            }
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
    request.place(for_all.as_ref(), for_one)?;
    if request.generators.is_empty() {
        return Err(Error::usage("no generators specified"));
    }
    Ok(request)
}

impl Request {
    /// Applies output rules: one for a generator beats the one for all, in any order.
    fn place(
        &mut self,
        for_all: Option<&Destination>,
        for_one: Vec<(String, Destination)>,
    ) -> Result<(), Error> {
        if let Some(rule) = for_all {
            for requested in &mut self.generators {
                requested.to = rule.clone();
            }
        }
        for (name, rule) in for_one {
            let known = self
                .generators
                .iter_mut()
                .find(|requested| requested.generator.name() == name);
            match known {
                Some(requested) => requested.to = rule,
                None => return Err(Error::usage(format!("non-invoked generator {name:?}"))),
            }
        }
        Ok(())
    }
}

impl Flags {
    /// Adds a flag, whose value may be the next word.
    fn add<'w>(&mut self, word: &str, words: &mut impl Iterator<Item = &'w String>) -> Result<(), Error> {
        let (name, value) = word
            .split_once('=')
            .map_or((word, None), |(name, value)| (name, Some(value)));
        match name {
            "--check" => self.check = true,
            "--watch" => self.watch = true,
            "--stamp" => self.stamp = true,
            "--compat" => {
                let value = value.or_else(|| words.next().map(String::as_str));
                self.compat = Some(release(value.unwrap_or_default()).map_err(Error::usage)?);
            }
            "--load-build-tags" => {
                let value = value.or_else(|| words.next().map(String::as_str));
                let value = value.ok_or_else(|| Error::usage("flag needs an argument: --load-build-tags"))?;
                self.build_tags = Some(value.split(',').map(str::to_owned).collect());
            }
            _ => {
                return Err(Error::usage(format!("unknown flag: {word}")).hint(
                    "flags beside controller-gen's words are `--check`, `--watch`, `--stamp`, `--compat` and `--load-build-tags`",
                ));
            }
        }
        Ok(())
    }
}

/// Reads the name of a release: `v0.23`, with or without a patch number.
pub(super) fn release(text: &str) -> Result<Release, String> {
    let of_text = |release: &Release| {
        let rest = text.strip_prefix(release.name());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    Release::ALL.into_iter().find(of_text).ok_or_else(|| {
        let names: Vec<&str> = Release::ALL.iter().map(|release| release.name()).collect();
        format!(
            "no release {text:?} of controller-gen; known are {}",
            names.join(", ")
        )
    })
}

/// A generator with its options.
fn generator(word: &str, name: &str) -> Result<Generator, Error> {
    Ok(match name {
        "crd" => Generator::Crd(Box::new(settings(&arguments(
            word,
            "crd",
            Arguments::Named(CRD),
        )?))),
        "rbac" => {
            let values = arguments(word, "rbac", Arguments::Named(RBAC))?;
            Generator::Rbac(Role {
                name: values.text("roleName").unwrap_or_default().to_owned(),
                file_name: values
                    .text("fileName")
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
                header: header(&values),
            })
        }
        "schemapatch" => {
            let values = arguments(word, "schemapatch", Arguments::Named(SCHEMA_PATCH))?;
            Generator::SchemaPatch(Patch {
                manifests: values.text("manifests").unwrap_or_default().into(),
                max_description: values.int("maxDescLen"),
                embedded_object_meta: values.bool("generateEmbeddedObjectMeta").unwrap_or_default(),
            })
        }
        "webhook" => Generator::Webhook(header(&arguments(
            word,
            "webhook",
            Arguments::Named(HEADER_ONLY),
        )?)),
        _ => Generator::Object(header(&arguments(word, "object", Arguments::Named(HEADER_ONLY))?)),
    })
}

fn header(values: &MarkerValues) -> Header {
    let text = |name: &str| values.text(name).filter(|text| !text.is_empty());
    Header {
        file: text("headerFile").map(PathBuf::from),
        year: text("year").unwrap_or_default().to_owned(),
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
    const KNOWN: [&str; 10] = [
        "crd",
        "docs",
        "go",
        "object",
        "openapi",
        "output",
        "paths",
        "rbac",
        "schemapatch",
        "webhook",
    ];
    let error = Error::usage(format!("unknown option {word:?}"));
    match nearest_of(name, KNOWN) {
        Some(near) => error.hint(format!("did you mean `{near}`?")),
        None => error.hint(
            "generators are `crd`, `docs`, `go`, `object`, `openapi`, `rbac`, `schemapatch` and `webhook`; \
             of controller-gen's words these, `paths` and `output` are understood",
        ),
    }
}

fn settings(values: &MarkerValues) -> Settings {
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
        header: header(values),
        omit_tool_version: values.bool("omitToolVersion").unwrap_or_default(),
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
            let text = |name| values.text(name).filter(|text| !text.is_empty());
            Ok(Destination::Artifacts {
                config: text("config").unwrap_or_default().into(),
                code: text("code").map(PathBuf::from),
            })
        }
        "stdout" => Ok(Destination::Stdout),
        "none" => Ok(Destination::Nowhere),
        _ => Err(Error::usage(format!("unknown option {word:?}")).hint(
            "files go to `output:crd:dir=DIR`, `output:crd:artifacts:config=DIR`, `output:stdout` or `output:none`",
        )),
    }
}

#[cfg(test)]
mod tests {
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
            "applyconfiguration crd schemapatch:manifests=x",
            "the generator `applyconfiguration` is not supported",
        );
        refuse("crd --odd", "unknown flag: --odd");
    }
}
