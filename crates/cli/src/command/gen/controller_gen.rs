//! Runs generators of controller-gen together: packages are loaded once, and files of all are written or none.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_generate::{Manifest, Problem, controller_gen, deepcopy, rbac, schemapatch, webhook};
use kindsmith_go::Read;
use kindsmith_go::package::{Loader, Package};
use kindsmith_source::{Diagnostic, Tool};

use super::controller_gen_words::{self, Destination, Generator, Patch, Request, Requested, Settings};
use super::crd;
use super::files::Artifact;
use super::flow::{Flow, Made, stops};
use super::marker_help;
use crate::Outcome;
use crate::command::watch::Sources;
use crate::error::Error;
use crate::finding;
use crate::input::{self, Input};
use crate::terminal::Terminal;

/// A run of generators.
pub(super) struct Run {
    pub(super) request: Request,
    pub(super) modules: Vec<(String, String)>,
    pub(super) flow: Flow,
    pub(super) also: Also,
}

/// What a run does with CRDs besides writing them.
#[derive(Debug, Clone)]
pub(super) struct Also {
    pub(super) tags: controller_gen::Tags,
    pub(super) switches: Vec<(String, bool)>,
    pub(super) go_json: bool,
    pub(super) strict: bool,
    pub(super) sizes: bool,
    pub(super) stamp: bool,
    pub(super) profile: input::Profile,
    /// The release of controller-gen to follow; by default that of the files that are there.
    pub(super) compat: Option<controller_gen::Release>,
}

/// Runs a command line of controller-gen.
pub(super) fn run_words(words: &[String], terminal: &Terminal) -> Result<Outcome, Error> {
    if let Some(detail) = marker_help::asked(words) {
        terminal.print(&marker_help::text(detail))?;
        return Ok(Outcome::Clean);
    }
    Run::new(controller_gen_words::read(words)?).run(terminal)
}

/// A command of ours with one generator, or the start of a command line of controller-gen.
pub(super) struct Own {
    /// The generator as controller-gen's first word.
    pub(super) word: String,
    /// Packages, or further words.
    pub(super) paths: Vec<String>,
    pub(super) requested: Requested,
    pub(super) modules: Vec<(String, String)>,
    pub(super) flow: Flow,
}

impl Own {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let request = if self.paths.iter().any(|path| controller_gen_words::is_word(path)) {
            let words: Vec<String> = std::iter::once(self.word).chain(self.paths).collect();
            controller_gen_words::read(&words)?
        } else {
            Request {
                paths: self.paths,
                generators: vec![self.requested],
                ..Request::default()
            }
        };
        Run {
            modules: self.modules,
            flow: self.flow,
            ..Run::new(request)
        }
        .run(terminal)
    }
}

/// What generators other than `crd` made.
#[derive(Default)]
struct Written {
    artifacts: Vec<Artifact>,
    /// Text for standard output: that of generators before `crd`, and after it.
    text: [String; 2],
    after_definitions: bool,
    problems: Vec<Problem>,
}

impl Run {
    /// A run as controller-gen does it.
    pub(super) fn new(request: Request) -> Self {
        let flow = Flow {
            check: request.flags.check,
            watch: request.flags.watch,
            ..Flow::default()
        };
        Self {
            modules: Vec::new(),
            flow,
            also: Also {
                tags: controller_gen::Tags::Ignore,
                switches: Vec::new(),
                go_json: false,
                strict: false,
                sizes: false,
                stamp: request.flags.stamp,
                compat: request.flags.compat,
                profile: input::Profile::Upstream,
            },
            request,
        }
    }

    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let paths = if self.request.paths.is_empty() {
            vec![".".to_owned()]
        } else {
            self.request.paths.clone()
        };
        let generators = &self.request.generators;
        let headers: Vec<&Path> = generators
            .iter()
            .filter_map(|requested| requested.generator.header().file.as_deref())
            .collect();
        let sources = Sources::packages(&paths, &headers);
        let mut input = Input::new(paths, self.modules, self.also.profile)
            .for_definitions()
            .with_build_tags(self.request.flags.build_tags.clone());
        if self.also.tags == controller_gen::Tags::Ignore {
            input = input.for_controller_gen();
        }
        let (also, flow) = (&self.also, self.flow);
        flow.run(terminal, &sources, &|| make(&input, generators, also, terminal))
    }
}

fn make(input: &Input, generators: &[Requested], also: &Also, terminal: &Terminal) -> Result<Made, Error> {
    let definitions = generators
        .iter()
        .find_map(|requested| match &requested.generator {
            Generator::Crd(settings) => Some((settings.as_ref(), &requested.to)),
            _ => None,
        });
    let headers: Vec<String> = generators
        .iter()
        .map(|requested| requested.generator.header().text())
        .collect::<Result<_, _>>()?;
    let mut written = Written::default();
    let needs_types =
        |requested: &Requested| matches!(requested.generator, Generator::Crd(_) | Generator::SchemaPatch(_));
    let types = generators.iter().any(needs_types);
    let read = input.read_after(terminal, types, |loader, packages| {
        for (requested, header) in generators.iter().zip(&headers) {
            written.add(requested, header, loader, packages);
        }
    })?;
    let mut findings = Vec::new();
    for requested in generators {
        if let Generator::SchemaPatch(settings) = &requested.generator {
            findings.extend(written.patch(&read, settings, &requested.to, also)?);
        }
    }
    let mut made = match definitions {
        Some((settings, to)) => of_definitions(read, settings, to, also, terminal)?,
        None => {
            let findings = read.diagnostics.iter().filter(|finding| stops(finding, &TOOLS));
            Made {
                findings: findings.cloned().collect(),
                tools: &TOOLS,
                ..Made::new(read, Vec::new())
            }
        }
    };
    made.findings.extend(findings);
    let is_other = |requested: &Requested| matches!(requested.generator, Generator::DeepcopyGen(_));
    let is_upstream = !generators.iter().any(is_other);
    let problems = written.problems.iter();
    made.findings
        .extend(problems.map(|problem| diagnostic(problem, is_upstream)));
    made.artifacts.extend(written.artifacts);
    if generators
        .iter()
        .any(|requested| requested.to == Destination::Stdout)
    {
        let [before, after] = &written.text;
        made.text = format!("{before}{}{after}", made.text);
        made.data.retain(|(name, _)| *name != "output");
        made.data.push(("output", made.text.clone().into()));
    }
    Ok(made)
}

fn of_definitions(
    read: Read,
    settings: &Settings,
    to: &Destination,
    also: &Also,
    terminal: &Terminal,
) -> Result<Made, Error> {
    let options = crd::options(settings, also, to)?;
    Ok(crd::make(read, &options, to, also, terminal))
}

impl Written {
    /// Runs a generator that reads packages as written.
    fn add(
        &mut self,
        requested: &Requested,
        header: &str,
        loader: &mut Loader<'_>,
        packages: &[Arc<Package>],
    ) {
        let header = header.to_owned();
        match &requested.generator {
            Generator::Crd(_) => self.after_definitions = true,
            // Made of types, after they were read.
            Generator::SchemaPatch(_) => {}
            Generator::Object(_) => {
                let options = deepcopy::Options {
                    header,
                    ..deepcopy::Options::default()
                };
                self.copies(loader, packages, &options, &requested.to, deepcopy::FILE_NAME);
            }
            Generator::DeepcopyGen(settings) => {
                let options = deepcopy::Options {
                    header,
                    dialect: deepcopy::Dialect::DeepcopyGen,
                };
                self.copies(loader, packages, &options, &requested.to, &settings.file_name);
            }
            Generator::Rbac(role) => {
                let options = rbac::Options {
                    role_name: role.name.clone(),
                    file_name: role.file_name.clone(),
                    header,
                };
                let roles = rbac::roles(packages, &options);
                self.problems.extend(roles.problems);
                self.manifest(&requested.to, roles.manifest);
            }
            Generator::Webhook(_) => {
                let webhooks = webhook::configurations(packages, &webhook::Options { header });
                self.problems.extend(webhooks.problems);
                self.manifest(&requested.to, webhooks.manifest);
            }
        }
    }

    fn copies(
        &mut self,
        loader: &mut Loader<'_>,
        packages: &[Arc<Package>],
        options: &deepcopy::Options,
        to: &Destination,
        name: &str,
    ) {
        let copies = deepcopy::methods(loader, packages, options);
        self.problems.extend(copies.problems);
        for copy in copies.files {
            let directory = to.code(Path::new(&copy.directory)).map(Path::to_owned);
            self.file(to, directory, name, copy.text);
        }
    }

    /// Puts schemas into the CRDs of a directory.
    fn patch(
        &mut self,
        read: &Read,
        settings: &Patch,
        to: &Destination,
        also: &Also,
    ) -> Result<Vec<Diagnostic>, Error> {
        let files = manifests(&settings.manifests)?;
        let options = controller_gen::Options {
            max_description: settings.max_description,
            embedded_object_meta: settings.embedded_object_meta,
            tags: also.tags,
            profile: also.profile.into(),
            release: crd::release(also, Some(&settings.manifests)),
            ..controller_gen::Options::default()
        };
        let patched = schemapatch::patch(&read.schema, &files, &options);
        if let Some((name, reason)) = patched.refused.first() {
            let file = settings.manifests.join(name);
            return Err(Error::input(format!(
                "load {:?}: {reason}",
                file.display().to_string()
            )));
        }
        for manifest in patched.files {
            self.manifest(to, Some(manifest));
        }
        let problems = patched.generated.problems.iter();
        Ok(problems
            .map(|problem| {
                Diagnostic::error(&finding::CRD, crd::span(read, problem.place), &*problem.message)
                    .upstream(format!("controller-gen: {}", problem.message))
            })
            .collect())
    }

    fn manifest(&mut self, to: &Destination, manifest: Option<Manifest>) {
        if let Some(manifest) = manifest {
            let directory = to.manifest().map(Path::to_owned);
            self.file(to, directory, &manifest.file_name, manifest.text);
        }
    }

    fn file(&mut self, to: &Destination, directory: Option<PathBuf>, name: &str, text: String) {
        match directory {
            Some(directory) => self.artifacts.push(Artifact {
                path: directory.join(name),
                text,
            }),
            None if *to == Destination::Stdout => {
                self.text[usize::from(self.after_definitions)].push_str(&text);
            }
            None => {}
        }
    }
}

/// The YAML files of a directory, by name.
fn manifests(directory: &Path) -> Result<Vec<(String, String)>, Error> {
    let refused = |error: std::io::Error| Error::reading(directory, &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        let is_yaml = path.extension().is_some_and(|ending| ending == "yaml");
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|_| is_yaml && path.is_file()) {
            let text = std::fs::read_to_string(&path).map_err(|error| Error::reading(&path, &error))?;
            files.push((name.to_owned(), text));
        }
    }
    files.sort();
    Ok(files)
}

/// A problem at its place; with controller-gen's name if its text is controller-gen's.
fn diagnostic(problem: &Problem, is_upstream: bool) -> Diagnostic {
    let mut found = Diagnostic::error(&finding::GENERATOR, problem.span, &*problem.message);
    if is_upstream {
        found = found.upstream(format!("controller-gen: {}", problem.message));
    }
    match problem.help {
        Some(help) => found.help(help),
        None => found,
    }
}

/// The tools whose errors stop these generators.
const TOOLS: [Tool; 2] = [Tool::Kindsmith, Tool::ControllerGen];
