//! `kindsmith eval`: answers requests about objects, one JSON line each, for programs.

mod answer;
mod request;

use std::cell::OnceCell;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::sync::Arc;

use kindsmith::go_types::{self, GoTypes};
use kindsmith::{Arena, Kinds, Profile, Steps, Value, Write};
use kindsmith_json::read::{self, BigIntegers};
use kindsmith_json::write::Format;

use crate::Outcome;
use crate::error::Error;
use crate::release::ReleaseArgs;
use crate::schemas::{CrdsArgs, TypesArgs};
use crate::terminal::Terminal;
use answer::Answer;
use request::{Kind, Request};

/// Answer requests about objects, one JSON line each
///
/// Reads requests from standard input and writes one answer per line, in order: the object after pruning and
/// defaulting, and its errors as the Kubernetes API server would report them. A request that cannot be answered gets
/// `{"error": …}`, and the next one is read.
///
/// A request is an object with `type` (a Go type) or `group`, `version` and `kind` (of a CRD or built in), or just with an
/// `obj` that has `apiVersion` and `kind`; always with `obj`, and optionally `id`, `package`, `op` (`CREATE` or `UPDATE`), `old`, `options` (a map of names to true or false),
/// `subresources` (parts of the path), `steps` (of `prune`, `default`, `validate`; all by default) and `profile`
/// (`upstream` or `kep`).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo '{\"type\": \"Thing\", \"obj\": {\"name\": \"\"}}' | kindsmith eval --types ./api/v1
  kindsmith eval --types ./api/v1 ./api/v2 < requests.jsonl > answers.jsonl
  echo '{\"obj\": {\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"a\"}}}' | kindsmith eval
  echo '{\"group\": \"example.org\", \"version\": \"v1\", \"kind\": \"Thing\", \"obj\": {}}' | kindsmith eval --crds ./crds")]
pub struct Args {
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
    #[command(flatten)]
    release: ReleaseArgs,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let read = Arc::new(self.types.read(terminal)?);
        let mut evaluator = Evaluator {
            kinds: self
                .types
                .kinds(&read, self.crds.read(terminal)?, terminal)?
                .with_release(self.release.release()?),
            profile: self.types.profile.into(),
            others: OnceCell::new(),
            types: &self.types,
            terminal,
            last: None,
        };
        let input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
        let output = std::io::stdout().lock();
        match evaluator.serve(input, output) {
            Ok(()) => Ok(Outcome::Clean),
            // The reader closed the pipe: not an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Clean),
            Err(error) => Err(Error::environment(format!("cannot answer: {error}"))),
        }
    }
}

struct Evaluator<'e> {
    kinds: Kinds,
    profile: Profile,
    /// The Go types as the other profile reads them, if a request asked for it.
    others: OnceCell<GoTypes>,
    types: &'e TypesArgs,
    terminal: &'e Terminal,
    /// The type of the last request: the next one is probably about the same.
    last: Option<(String, Option<String>, Profile, kindsmith_schema::TypeId)>,
}

impl Evaluator<'_> {
    /// Answers line by line. Output is flushed only when no further request is waiting.
    fn serve(
        &mut self,
        mut input: BufReader<impl Read>,
        mut output: impl std::io::Write,
    ) -> std::io::Result<()> {
        let mut line = Vec::new();
        let mut answers = String::new();
        let mut arena = Arena::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                return output.write_all(answers.as_bytes()).and_then(|()| output.flush());
            }
            if !line.trim_ascii().is_empty() {
                arena.reset();
                self.answer(&arena, line.trim_ascii(), &mut answers);
                answers.push('\n');
            }
            let waits = !input.buffer().contains(&b'\n');
            if waits || answers.len() > 1 << 16 {
                output.write_all(answers.as_bytes())?;
                answers.clear();
                if waits {
                    output.flush()?;
                }
            }
        }
    }

    fn answer(&mut self, arena: &Arena, line: &[u8], out: &mut String) {
        // The type decides how a number is read, so numbers are kept exact until then.
        let options = read::Options::default().big_integers(BigIntegers::Exact);
        let request = match read::read(arena, line, options) {
            Ok(read) => read.value,
            Err(error) => return answer::failure(out, None, &error.to_string()),
        };
        let id = request.get("id");
        let answered = Request::read(request).and_then(|request| self.evaluate(arena, &request, out));
        if let Err(message) = answered {
            answer::failure(out, id, &message);
        }
    }

    fn evaluate(&mut self, arena: &Arena, request: &Request<'_>, out: &mut String) -> Result<(), String> {
        let profile = request.profile.unwrap_or(self.profile);
        let write = Write {
            object: request.object,
            operation: request.operation,
            old: request.old,
            subresource: &request.subresource,
            options: Some(&request.options),
            profile,
            steps: request.steps,
            is_schema_only: request.object.get("metadata").is_none(),
            is_traced: false,
        };
        if let Some(kind) = &request.kind {
            return self.of_kind(arena, request, &write, kind, out);
        }
        let ty = self.find(request, profile)?;
        let types = self.types(profile)?;
        let (mut review, plan) = match types.crd_schema(ty) {
            // Its markers decide, as those of kinds do.
            Some(schema) => match self.custom_kind(types, ty) {
                Some(kind) => return self.of_kind(arena, request, &write, &kind, out),
                None => (go_types::review_by_schema(schema, arena, &write), None),
            },
            None => {
                let plan = types.plan(ty, profile);
                (go_types::review(plan, arena, &write), Some(plan))
            }
        };
        // The answer lists them under `pruned`.
        review.warnings.clear();
        let object = review.object.unwrap_or(request.object);
        let is_changed = request.steps.contains(Steps::PRUNE) || request.steps.contains(Steps::DEFAULT);
        // A Go server's answer went through its structs, so it is encoded as Go does.
        let encoder = plan.filter(|_| is_changed && profile != Profile::Kep);
        let append = |out: &mut String| match encoder {
            Some(plan) => out.push_str(&plan.encode(object)),
            None => Format::default().append(out, object),
        };
        Answer::default().write(request, &review, append, out)
    }

    /// Answers a request about an object of a kind: built in, of a CRD, or of a Go type.
    fn of_kind(
        &self,
        arena: &Arena,
        request: &Request<'_>,
        write: &Write<'_>,
        kind: &Kind<'_>,
        out: &mut String,
    ) -> Result<(), String> {
        let is_builtin = self.kinds.is_builtin(&kind.api_version, kind.kind);
        if write.steps != Steps::ALL && is_builtin {
            return Err("`steps` is not for built-in kinds: their writes are reviewed as a whole".to_owned());
        }
        let write = named(arena, write, kind, is_builtin);
        let review = self.kinds.review_as(&kind.api_version, kind.kind, arena, &write);
        let review = review.map_err(|_| format!("no schema for {} {}", kind.api_version, kind.kind))?;
        let object = review.object.unwrap_or(request.object);
        let append = |out: &mut String| Format::default().append(out, object);
        Answer::default().write(request, &review, append, out)
    }

    /// The kind that a type is, if it has a CRD.
    fn custom_kind<'t>(&self, types: &'t GoTypes, ty: kindsmith_schema::TypeId) -> Option<Kind<'t>> {
        let mut kinds = types.read().schema.kinds().iter();
        let (api_version, kind) = go_types::identity(kinds.find(|kind| kind.ty == ty)?);
        self.kinds.crds().of_object(&api_version, kind)?;
        Some(Kind { api_version, kind })
    }

    /// The types under a profile, which decides which tags have a meaning.
    fn types(&self, profile: Profile) -> Result<&GoTypes, String> {
        let own = self.kinds.go_types();
        let own = own.ok_or_else(|| "there are no Go types".to_owned())?;
        if profile == self.profile {
            return Ok(own);
        }
        if self.others.get().is_none() {
            let read = self.types.read_as(profile.into(), self.terminal);
            let read = read.map_err(|error| error.to_string())?;
            let _ = self.others.set(GoTypes::new(Arc::new(read), profile));
        }
        Ok(self.others.get().unwrap_or(own))
    }

    fn find(&mut self, request: &Request<'_>, profile: Profile) -> Result<kindsmith_schema::TypeId, String> {
        if let Some((ty, package, of, id)) = &self.last
            && ty == request.ty
            && package.as_deref() == request.package
            && *of == profile
        {
            return Ok(*id);
        }
        let found = self.types(profile)?.find(request.package, request.ty);
        let id = found.map_err(|error| error.to_string())?;
        let package = request.package.map(str::to_owned);
        self.last = Some((request.ty.to_owned(), package, profile, id));
        Ok(id)
    }
}

/// Adds `apiVersion` and `kind` to the objects of a write, so that callers need not repeat them.
fn named<'a>(arena: &'a Arena, write: &Write<'a>, kind: &Kind<'_>, is_builtin: bool) -> Write<'a> {
    if !is_builtin && (write.is_schema_only || write.steps != Steps::ALL) {
        return *write;
    }
    let named = |mut object: Value<'a>| {
        for (key, text) in [("apiVersion", &*kind.api_version), ("kind", kind.kind)] {
            if object.get(key).is_none() {
                object.set(arena, &[key], Value::Str(arena.alloc_str(text)));
            }
        }
        object
    };
    Write {
        object: named(write.object),
        old: write.old.map(named),
        ..*write
    }
}
