//! `kindsmith eval`: objects in, answers out, one JSON line each, for programs.

mod answer;
mod custom;
mod request;

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};

use kindsmith_checks::Profile;
use kindsmith_engine::{Change, DecodeError, Defaulting, Plan};
use kindsmith_json::read::{self, BigIntegers};
use kindsmith_json::{Arena, Value};
use kindsmith_object::Event;

use crate::Outcome;
use crate::crds::CrdsArgs;
use crate::customs::Customs;
use crate::error::Error;
use crate::plans::{Plans, TypesArgs};
use crate::terminal::Terminal;
use answer::Answer;
use request::{Request, Steps};

/// Answer requests about objects, one JSON line each
///
/// Reads requests from standard input and writes one answer per line, in order: the object after pruning and
/// defaulting, and its errors as the Kubernetes API server would report them. A line that cannot be answered gets
/// `{"error": …}`, and the next one is read.
///
/// A request is an object with `type` (a Go type) or `group`, `version` and `kind` (of a CRD), with `obj`, and optionally `id`, `package`, `op` (`CREATE` or `UPDATE`), `old`,
/// `options` (names that are on or off), `subresources` (parts of the path), `steps` (of `prune`, `default`,
/// `validate`; all by default) and `profile` (`upstream` or `kep`).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo '{\"type\": \"Thing\", \"obj\": {\"name\": \"\"}}' | kindsmith eval --types ./api/v1
  kindsmith eval --types ./api/v1 ./api/v2 < requests.jsonl > answers.jsonl
  echo '{\"group\": \"example.org\", \"version\": \"v1\", \"kind\": \"Thing\", \"obj\": {}}' | kindsmith eval --crds ./crds")]
pub struct Args {
    #[command(flatten)]
    types: TypesArgs,
    #[command(flatten)]
    crds: CrdsArgs,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        if self.types.is_empty() && self.crds.is_empty() {
            return Err(Error::usage("nothing to hold objects against")
                .hint("name Go packages with `--types` or CRDs with `--crds`"));
        }
        let read = self.types.read(terminal)?;
        let mut evaluator = Evaluator {
            plans: Plans::new(&read.schema),
            customs: Customs::new(self.crds.read(terminal)?),
            profile: self.types.profile.into(),
            last: None,
        };
        let input = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
        let output = std::io::stdout().lock();
        match evaluator.serve(input, output) {
            Ok(()) => Ok(Outcome::Clean),
            // Whoever closed the pipe has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Clean),
            Err(error) => Err(Error::environment(format!("cannot answer: {error}"))),
        }
    }
}

struct Evaluator<'s> {
    plans: Plans<'s>,
    customs: Customs,
    profile: Profile,
    /// The type of the last request: the next one is mostly about the same.
    last: Option<(String, Option<String>, kindsmith_schema::TypeId)>,
}

impl Evaluator<'_> {
    /// Answers line by line. Answers are written together as long as there are more requests at hand.
    fn serve(&mut self, mut input: BufReader<impl Read>, mut output: impl Write) -> std::io::Result<()> {
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
        // A type decides how numbers are meant, so none is rounded before.
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
        if let Some(kind) = &request.kind {
            let evaluated = custom::evaluate(&mut self.customs, arena, kind, request)?;
            Answer::default().write_custom(request, &evaluated, out);
            return Ok(());
        }
        let ty = self.find(request)?;
        let plan = self.plans.plan(ty, request.profile.unwrap_or(self.profile));
        let unfit = |error: DecodeError| error.to_string();
        plan.decode(request.object).map_err(unfit)?;
        if let Some(old) = request.old {
            plan.decode(old).map_err(unfit)?;
        }
        let kep = request.profile.unwrap_or(self.profile) == Profile::Kep;
        Answer::default().write(plan, arena, request, kep, out);
        Ok(())
    }

    fn find(&mut self, request: &Request<'_>) -> Result<kindsmith_schema::TypeId, String> {
        if let Some((ty, package, id)) = &self.last
            && ty == request.ty
            && package.as_deref() == request.package
        {
            return Ok(*id);
        }
        let id = self.plans.find(request.package, request.ty)?;
        self.last = Some((request.ty.to_owned(), request.package.map(str::to_owned), id));
        Ok(id)
    }
}

/// What was done to an object, and what is wrong with it.
pub(super) struct Evaluated<'a> {
    pub(super) object: Value<'a>,
    pub(super) warnings: Vec<String>,
    pub(super) pruned: Vec<String>,
    pub(super) defaulted: Vec<String>,
    pub(super) errors: Vec<kindsmith_object::FieldError>,
}

/// Takes an object through the steps asked for.
fn run<'a>(plan: &'a Plan, arena: &'a Arena, request: &Request<'a>) -> Evaluated<'a> {
    let mut evaluated = Evaluated {
        object: request.object,
        warnings: Vec::new(),
        pruned: Vec::new(),
        defaulted: Vec::new(),
        errors: Vec::new(),
    };
    if request.steps.contains(Steps::PRUNE) {
        evaluated.object = plan.prune_traced(arena, evaluated.object, &mut |event: Event<'_>| {
            if let Event::Pruned { path } = event {
                evaluated.pruned.push(path.to_string());
            }
        });
    }
    if request.steps.contains(Steps::DEFAULT) {
        let how = Defaulting::default();
        evaluated.object = plan.default_traced(arena, evaluated.object, &how, &mut |event: Event<'_>| {
            if let Event::Defaulted { path, .. } = event {
                evaluated.defaulted.push(path.to_string());
            }
        });
    }
    if request.steps.contains(Steps::VALIDATE) {
        evaluated.errors = plan.validate(&Change {
            operation: request.operation,
            new: evaluated.object,
            old: request.old,
            options: Some(&request.options),
            subresources: &request.subresources,
            custom: None,
        });
    }
    evaluated
}
