//! The options `--crds` and `--types`: where schemas come from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith::crds::{CrdError, Crds};
use kindsmith::go_types::GoTypes;
use kindsmith::local_api;
use kindsmith::{Kinds, OptionSet};
use kindsmith_api::{Api, Options};
use kindsmith_builtin::Settings;
use kindsmith_checks::Profile;
use kindsmith_generate::controller_gen;
use kindsmith_object::Gate;
use kindsmith_object::feature_gate::Stage;
use kindsmith_server::{Gates, SettableGate};

use crate::error::Error;
use crate::go_path;
use crate::input::{self, Input};
use crate::lost_tags;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Where CRDs are.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct CrdsArgs {
    /// Files with CRDs (YAML or JSON, any number of documents) or OpenAPI documents, or directories of such files; may be
    /// given more than once
    #[arg(long = "crds", value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl CrdsArgs {
    /// Whether no path was given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The same option with other paths.
    pub(crate) fn of(paths: Vec<PathBuf>) -> Self {
        Self { paths }
    }

    /// The paths given.
    pub(crate) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Creates the CRDs on a server, or updates existing ones.
    pub(crate) fn define(&self, api: &Api, terminal: &Terminal) -> Result<(), Error> {
        let mut texts = Vec::new();
        self.each(terminal, |file, text| texts.push((file, text)))?;
        let mut is_empty = true;
        for (file, text) in &texts {
            let mut tell = |document: &_| terminal.warn(&format!("warning: {document}"));
            let is_defined = local_api::define_all(api, file, text, &mut tell)
                .map_err(|message| Error::input(format!("{file}: {message}")))?;
            is_empty &= !is_defined;
        }
        self.refuse_none(is_empty)
    }

    /// Finds the CRDs.
    ///
    /// # Errors
    ///
    /// If a path cannot be read, or there is no CRD at all.
    pub fn read(&self, terminal: &Terminal) -> Result<Crds, Error> {
        let mut crds = Crds::default();
        self.each(terminal, |file, text| crds.add(&file, &text))?;
        for document in crds.unreadable() {
            terminal.warn(&format!("warning: {document}"));
        }
        self.refuse_none(crds.is_empty())?;
        Ok(crds)
    }

    /// Reads the files, each with its name.
    fn each(&self, terminal: &Terminal, mut take: impl FnMut(String, String)) -> Result<(), Error> {
        let mut files = Vec::new();
        for path in &self.paths {
            files.extend(find_files(path)?);
        }
        let progress = Progress::start(terminal, "reading", files.len());
        for file in files {
            let text = crate::files::read_text(&file).map_err(|error| Error::reading(&file, &error))?;
            take(file.display().to_string(), text);
            progress.step();
        }
        Ok(())
    }

    fn refuse_none(&self, is_empty: bool) -> Result<(), Error> {
        if self.paths.is_empty() || !is_empty {
            return Ok(());
        }
        let paths: Vec<String> = self.paths.iter().map(|path| path.display().to_string()).collect();
        Err(
            Error::input(format!("no CustomResourceDefinition in {}", paths.join(", ")))
                .hint("name YAML or JSON files with CRDs, or directories of such files"),
        )
    }
}

/// All files at or below a path that may hold manifests.
pub(crate) fn find_files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    kindsmith::files::manifests(path).map_err(|error| Error::input(format!("cannot read {error}")))
}

/// Go packages with types.
#[derive(Debug, Clone, clap::Args)]
pub struct TypesArgs {
    /// Directories of the Go packages with the types; `DIR/...` includes all below DIR; may be given more than once
    #[arg(long = "types", value_name = "DIR", value_parser = go_path::parser())]
    types: Vec<String>,
    /// Read a module's packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = input::module)]
    modules: Vec<(String, String)>,
    /// Which rules apply where the KEPs and Kubernetes differ
    #[arg(long, value_name = "PROFILE", default_value = "upstream")]
    pub profile: input::Profile,
    /// Fail if a tag of the packages is misused, misspelled or has no effect; otherwise it is only reported
    #[arg(long, requires = "types")]
    strict: bool,
}

impl TypesArgs {
    /// The flags with their values.
    pub(crate) fn shown(&self) -> [(&'static str, String); 4] {
        let modules = self.modules.iter();
        let modules: Vec<String> = modules.map(|(path, dir)| format!("{path}={dir}")).collect();
        let profile = clap::ValueEnum::to_possible_value(&self.profile);
        [
            ("types", self.types.join(",")),
            ("module", modules.join(",")),
            (
                "profile",
                profile.map_or_else(String::new, |profile| profile.get_name().to_owned()),
            ),
            ("strict", self.strict.to_string()),
        ]
    }
}

/// Validation options.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct OptionArgs {
    /// Turn a validation option on or off; may be given more than once
    #[arg(long = "option", value_name = "NAME=BOOL", value_parser = option)]
    options: Vec<(String, bool)>,
}

impl OptionArgs {
    /// The options, as they can be given.
    pub(crate) fn shown(&self) -> String {
        let options = self.options.iter();
        let texts: Vec<String> = options.map(|(name, on)| format!("{name}={on}")).collect();
        texts.join(",")
    }

    /// An option that no rule depends on is a mistake.
    fn refuse_unknown(&self, read: &kindsmith_go::Read, declared: &[SettableGate]) -> Result<(), Error> {
        let mut known = read.schema.option_names();
        known.extend(declared.iter().map(|gate| &*gate.name));
        let Some((name, _)) = self.options.iter().find(|(name, _)| !known.contains(&**name)) else {
            return Ok(());
        };
        let known: Vec<&str> = known.into_iter().collect();
        let hint = if known.is_empty() {
            "the packages have no options (`+k8s:ifEnabled`, `+k8s:ifDisabled`)".to_owned()
        } else {
            format!("options of the packages: {}", known.join(", "))
        };
        Err(Error::usage(format!("--option {name}: no rule of the packages depends on it")).hint(hint))
    }

    /// The options as a set.
    #[must_use]
    pub fn set(&self) -> OptionSet {
        self.options.iter().cloned().collect()
    }
}

/// The gates that packages declare, and options of their rules, which Kubernetes takes from gates.
fn declared_gates(read: &kindsmith_go::Read) -> Vec<SettableGate> {
    let stage = |text: &str| match text {
        "Beta" => Stage::Beta,
        "GA" => Stage::Stable,
        "Deprecated" => Stage::Deprecated,
        _ => Stage::Alpha,
    };
    let gates = read.feature_gates().into_iter().map(|gate| SettableGate {
        stage: stage(&gate.stage),
        default: gate.default,
        is_locked: gate.is_locked,
        name: gate.name.into(),
    });
    gates.collect()
}

/// A gate that the packages declare but no rule uses has no effect here.
fn refuse_idle(texts: &[String], declared: &[SettableGate], asked: &BTreeSet<&str>) -> Result<(), Error> {
    let known = Gates::default();
    let is_idle = |name: &str| {
        let is_declared = declared.iter().any(|gate| gate.name == name);
        is_declared && !asked.contains(name) && !known.all().any(|(gate, _)| gate.name == name)
    };
    let parts = texts.iter().flat_map(|text| text.split(','));
    let mut names = parts.filter_map(|part| Some(part.split_once('=')?.0.trim()));
    match names.find(|name| is_idle(name)) {
        None => Ok(()),
        Some(name) => Err(Error::usage(format!(
            "--feature-gates: {name} has no effect: no rule of the packages depends on it"
        ))),
    }
}

fn option(text: &str) -> Result<(String, bool), String> {
    let wrong = || "write it as `Name=true` or `Name=false`".to_owned();
    let (name, on) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name.to_owned(), on.parse().map_err(|_| wrong())?))
}

impl TypesArgs {
    /// Whether no package was given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// Whether the KEPs' rules apply where Kubernetes has others.
    pub(crate) fn is_kep(&self) -> bool {
        self.profile == input::Profile::Kep
    }

    /// The same options with other packages.
    pub(crate) fn with(&self, types: impl Iterator<Item = String>) -> Self {
        Self {
            types: types.collect(),
            ..self.clone()
        }
    }

    /// The packages as given.
    pub(crate) fn patterns(&self) -> &[String] {
        &self.types
    }

    /// The directories given, without `/...`.
    pub(crate) fn directories(&self) -> Vec<PathBuf> {
        let directory = |text: &String| go_path::to_path(text.trim_end_matches("/...")).into_owned();
        self.types.iter().map(directory).collect()
    }

    /// Reads the packages and tells which of their tags have no effect.
    ///
    /// # Errors
    ///
    /// If a directory does not exist or has no Go files, or with `--strict` if a tag has no effect.
    pub fn read(&self, terminal: &Terminal) -> Result<kindsmith_go::Read, Error> {
        let read = self.read_as(self.profile, terminal)?;
        lost_tags::tell(&read, self.profile, self.strict, terminal)?;
        Ok(read)
    }

    /// Reads the packages under another profile than the one asked for.
    pub(crate) fn read_as(
        &self,
        profile: input::Profile,
        terminal: &Terminal,
    ) -> Result<kindsmith_go::Read, Error> {
        Input::new(self.types.clone(), self.modules.clone(), profile).read(terminal)
    }

    /// Options of a server that serves these packages with these feature gates and validation options, and the CRDs of those
    /// kinds that are custom resources.
    pub(crate) fn options(
        &self,
        gates: &Gates,
        given: &OptionArgs,
        terminal: &Terminal,
    ) -> Result<(Options, GeneratedCrds), Error> {
        self.gated_options(&mut gates.clone(), &[], given, terminal)
    }

    /// Like `options`, with the gates that the packages declare, and gates to set.
    pub(crate) fn gated_options(
        &self,
        gates: &mut Gates,
        texts: &[String],
        given: &OptionArgs,
        terminal: &Terminal,
    ) -> Result<(Options, GeneratedCrds), Error> {
        let read = if self.is_empty() {
            None
        } else {
            Some(self.read(terminal)?)
        };
        let declared = read.as_ref().map(declared_gates).unwrap_or_default();
        declared.iter().for_each(|gate| gates.declare(gate.clone()));
        for text in texts {
            gates
                .set(text)
                .map_err(|error| Error::usage(format!("--feature-gates: {error}")))?;
        }
        if let Some(read) = &read {
            refuse_idle(texts, &declared, &read.schema.option_names())?;
        }
        let mut options = local_api::options(gates);
        let mut crds = GeneratedCrds::default();
        if let Some(mut read) = read {
            given.refuse_unknown(&read, &declared)?;
            let mut set: OptionSet = declared
                .iter()
                .map(|gate| (gate.name.to_string(), gates.is_named_on(&gate.name)))
                .collect();
            set.extend(&given.set());
            let settings = Settings {
                profile: self.profile.into(),
                options: set,
                has_no_tag_defaults: !gates.is_on(Gate::DeclarativeDefaults),
            };
            let schema = std::mem::take(&mut read.schema);
            let generated = local_api::add_kinds(&mut options, schema, &settings).map_err(|error| {
                Error::input(error.to_string()).hint(
                    "a kind is a struct with TypeMeta and ObjectMeta, marked `+genclient` or `+kubebuilder:object:root=true`",
                )
            })?;
            lost_tags::tell_unpublished(&read, &generated, self.strict, terminal)?;
            crds = GeneratedCrds(generated.definitions);
        }
        Ok((options, crds))
    }

    /// The kinds of these packages, already read, and of CRDs. Tells what the CRDs of custom resources leave out.
    ///
    /// # Errors
    ///
    /// With `--strict` if something is left out.
    pub(crate) fn kinds(
        &self,
        read: &Arc<kindsmith_go::Read>,
        crds: Crds,
        terminal: &Terminal,
    ) -> Result<Kinds, Error> {
        let release = crate::release::given_or_default(None)?;
        if self.is_empty() {
            return Ok(Kinds::new(crds, None).with_release(release));
        }
        let go_types = GoTypes::new(Arc::clone(read), self.profile.into());
        lost_tags::tell_unpublished(read, go_types.crds(), self.strict, terminal)?;
        Ok(Kinds::new(crds, Some(go_types)).with_release(release))
    }
}

/// The CRDs of kinds in Go packages that are custom resources.
#[derive(Debug, Default)]
pub(crate) struct GeneratedCrds(Vec<controller_gen::Definition>);

impl GeneratedCrds {
    /// Creates the CRDs on a server, or updates existing ones.
    pub(crate) fn define(&self, api: &Api) -> Result<(), Error> {
        for crd in &self.0 {
            local_api::define(api, &crd.text).map_err(|message| {
                Error::input(format!("the CRD of --types ({}): {message}", crd.file_name))
                    .hint("`kindsmith lint` shows the marker; `kindsmith gen crd` writes the CRD")
            })?;
        }
        Ok(())
    }
}

impl From<Profile> for input::Profile {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Upstream => Self::Upstream,
            Profile::Kep => Self::Kep,
        }
    }
}

impl From<CrdError> for Error {
    fn from(error: CrdError) -> Self {
        let is_ambiguous = matches!(error, CrdError::SeveralGroups { .. });
        let error = Error::input(error.to_string());
        if is_ambiguous {
            return error.hint("name one with `--api-version GROUP/VERSION`");
        }
        error
    }
}
