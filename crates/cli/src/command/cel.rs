//! `kindsmith cel`: an expression's value, type and cost, without a server.

mod batch;
mod definition;
mod expression;
mod form;
mod infer;
mod place;
mod policy;
mod repl;

mod trial;

use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use kindsmith_json::{Arena, Value, parse_str, yaml};
use kindsmith_object::Release;
use kindsmith_openapi::schema;
use kindsmith_schema::JsonSchema;

use crate::Outcome;
use crate::error::Error;
use crate::misspelled::{did_you_mean, meant_in_policy};
use crate::output::TextOrJson;
use crate::release::ReleaseArgs;
use crate::schemas::CrdsArgs;
use crate::terminal::Terminal;
use kindsmith::cel::Subject;
use policy::PolicyArgs;
use trial::Trial;

/// Try a CEL expression: its value, type and cost
///
/// Compiles an expression as the API server compiles a rule of `x-kubernetes-validations`, and evaluates it on the
/// object of `-f` after pruning and defaults; `self` is the value at `--path`. Without a schema the types are those of
/// the object. Without an expression, expressions are read line by line.
///
/// An expression may use all libraries of the release that `--kubernetes-version` names; the server accepts a library in new
/// rules from the next release on.
///
/// With `--batch` every line of standard input is a request: `path` (a JSON pointer into the schema), `rule`, `obj`, and
/// optionally `id`, `message`, `messageExpression`, `reason`, `fieldPath`, `optionalOldSelf`, `old` and `moreRules`. The
/// answer has the API server's errors for the rule and for the object, and the cost of both.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith cel \"'a' in ['a', 'b']\"
  kindsmith cel 'self.spec.replicas <= 10' -f thing.yaml --crds ./crds --kind Thing
  kindsmith cel 'self.startsWith(\"a\")' --path spec.names[] -f thing.yaml --schema schema.json
  kindsmith cel 'self == oldSelf' --path spec.host -f new.yaml --old old.yaml --schema schema.json
  kindsmith cel --policy 'object.spec.replicas <= variables.most' --variable most=params.most \\
      -f deployments.yaml --params limits.yaml              as in an admission policy
  kindsmith cel --crds ./crds --kind Thing                  type expressions line by line
  kindsmith cel --batch --schema schema.json < rules.jsonl > answers.jsonl")]
pub struct Args {
    /// The expression
    #[arg(value_name = "EXPR", conflicts_with = "batch")]
    expression: Option<String>,
    /// A file with an OpenAPI v3 schema, YAML or JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "kind"])]
    schema: Option<PathBuf>,
    #[command(flatten)]
    policy: PolicyArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    release: ReleaseArgs,
    /// The kind among the CRDs; the object's kind by default
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Group and version, if a kind has several
    #[arg(long, value_name = "GROUP/VERSION")]
    api_version: Option<String>,
    /// The field that is `self`: `spec.names[]`, or a JSON pointer into the schema
    #[arg(long, value_name = "PATH", default_value = "")]
    path: String,
    /// A file with objects, YAML or JSON; each is tried
    #[arg(short = 'f', long = "file", value_name = "FILE")]
    file: Option<PathBuf>,
    /// A file with the object before the update
    #[arg(long, value_name = "FILE", requires = "file")]
    old: Option<PathBuf>,
    /// `oldSelf` is an optional, as with `optionalOldSelf: true`
    #[arg(long)]
    optional_old_self: bool,
    /// Answer requests from standard input, one JSON line each
    #[arg(long, conflicts_with_all = ["file", "path", "optional_old_self", "format"])]
    batch: bool,
    /// How to print the answer
    #[arg(short = 'o', long = "output", value_name = "FORMAT", default_value = "text")]
    format: TextOrJson,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let release = self.release.release()?;
        let arena = Arena::new();
        let objects = match &self.file {
            Some(file) => documents(file, &arena)?,
            None => Vec::new(),
        };
        let old = match &self.old {
            Some(file) => documents(file, &arena)?,
            None => Vec::new(),
        };
        if self.batch {
            return batch(&self.read_schema(terminal, objects.first().copied())?, release);
        }
        let old_of = |index: usize, object: Value<'_>| {
            let by_name = old.iter().find(|old| is_same(**old, object));
            by_name.or_else(|| old.get(index)).copied()
        };
        // Without an object there is one answer, too.
        let count = objects.len().max(1);
        let mut outcome = Outcome::Clean;
        for index in 0..count {
            let object = objects.get(index).copied();
            let old = old_of(index, object.unwrap_or_default());
            if count > 1 {
                terminal.print(&heading(object.unwrap_or_default(), self.format))?;
            }
            if self.one(terminal, &arena, release, object, old)? != Outcome::Clean {
                outcome = Outcome::Findings;
            }
        }
        Ok(outcome)
    }

    /// Tries the expression on one object.
    fn one<'a>(
        &self,
        terminal: &Terminal,
        arena: &'a Arena,
        release: Release,
        object: Option<Value<'a>>,
        old: Option<Value<'a>>,
    ) -> Result<Outcome, Error> {
        if let Some(expression) = self.expression.as_ref().filter(|_| self.policy.policy) {
            let (text, outcome) = match self.policy.trial(expression, release, arena)? {
                Ok(trial) => trial.answer(object.unwrap_or_default(), old.unwrap_or_default(), self.format),
                Err(error) => {
                    let error = Error::input(error);
                    return Err(match did_you_mean(&meant_in_policy(expression)) {
                        Some(advice) => error.hint(advice),
                        None => error,
                    });
                }
            };
            terminal.print(&text)?;
            return Ok(outcome);
        }
        let schema = self.read_schema(terminal, object)?;
        let pointer = place::pointer(&schema, &self.path).map_err(Error::input)?;
        let subject = Subject::of_release(&schema, &pointer, release)
            .map_err(|error| Error::input(error.to_string()))?;
        let trial = Trial {
            subject: &subject,
            new: object.map(|object| subject.effective(arena, object)),
            old: old.map(|old| subject.effective(arena, old)),
            optional_old: self.optional_old_self,
        };
        let Some(expression) = &self.expression else {
            return repl::run(&trial, terminal);
        };
        let (text, outcome) = match self.format {
            TextOrJson::Text => trial.text(expression, terminal.style()),
            TextOrJson::Json => trial.json(expression),
        };
        terminal.print(&text)?;
        Ok(outcome)
    }

    fn read_schema(&self, terminal: &Terminal, object: Option<Value<'_>>) -> Result<JsonSchema, Error> {
        if let Some(file) = &self.schema {
            let arena = Arena::new();
            let (schema, _) = schema::read(read(file, &arena)?)
                .map_err(|error| Error::input(format!("{}: {error}", file.display())))?;
            return Ok(schema);
        }
        if self.crds.is_empty() {
            if self.batch {
                return Err(Error::usage("no schema given").hint("name one with `--schema`"));
            }
            let infer = |object| infer::infer(object);
            return Ok(object.map_or_else(|| infer(Value::Object(kindsmith_json::Object::EMPTY)), infer));
        }
        let crds = self.crds.read(terminal)?;
        let text = |key: &str| object?.get(key).and_then(Value::as_str);
        let kind = self.kind.as_deref().or(text("kind"));
        let kind = kind.ok_or_else(|| {
            Error::usage("no kind given").hint(format!("name one with `--kind`: {}", crds.kinds().join(", ")))
        })?;
        let version = self
            .api_version
            .as_deref()
            .or(text("apiVersion").filter(|_| self.kind.is_none()));
        let found = crds.by_name(kind, version)?.ok_or_else(|| {
            let kinds = crds.kinds().join(", ");
            Error::input(format!("no kind `{kind}`")).hint(format!("available: {kinds}"))
        })?;
        Ok((*found.schema()?).clone())
    }
}

fn batch(schema: &JsonSchema, release: Release) -> Result<Outcome, Error> {
    let output = BufWriter::new(std::io::stdout().lock());
    match batch::serve(schema, release, std::io::stdin().lock(), output) {
        Ok(()) => Ok(Outcome::Clean),
        // The reader closed the pipe: not an error.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Clean),
        Err(error) => Err(Error::environment(format!("cannot answer: {error}"))),
    }
}

/// Whether two objects have the same kind, namespace and name.
fn is_same(one: Value<'_>, other: Value<'_>) -> bool {
    let paths: [&[&str]; 3] = [&["kind"], &["metadata", "namespace"], &["metadata", "name"]];
    paths.iter().all(|path| one.lookup(path) == other.lookup(path))
}

/// The line above the answer for one of several objects. Scripts get one JSON document for each, in order.
fn heading(object: Value<'_>, format: TextOrJson) -> String {
    let text = |path: &[&str]| object.lookup(path).and_then(Value::as_str).unwrap_or_default();
    match format {
        TextOrJson::Text => format!("# {} {}\n", text(&["kind"]), text(&["metadata", "name"])),
        TextOrJson::Json => String::new(),
    }
}

/// The first document of a file.
fn read<'a>(file: &Path, arena: &'a Arena) -> Result<Value<'a>, Error> {
    Ok(documents(file, arena)?.first().copied().unwrap_or_default())
}

/// The documents of a file that are not empty.
fn documents<'a>(file: &Path, arena: &'a Arena) -> Result<Vec<Value<'a>>, Error> {
    let text = crate::files::read_text(file).map_err(|error| Error::reading(file, &error))?;
    let text = arena.alloc_str(&text);
    let wrong = |error: String| Error::input(format!("{}: {error}", file.display()));
    if text.trim_start().starts_with('{') {
        return Ok(vec![
            parse_str(arena, text).map_err(|error| wrong(error.to_string()))?,
        ]);
    }
    let documents = yaml::documents(text).map(|document| {
        yaml::parse(arena, document.text.as_bytes()).map_err(|error| wrong(error.to_string()))
    });
    let mut documents = documents.collect::<Result<Vec<_>, _>>()?;
    documents.retain(|document| !document.is_null());
    Ok(documents)
}
