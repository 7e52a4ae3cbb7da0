//! Command lines of controller-gen: `crd:maxDescLen=0 rbac:roleName=x paths=./... output:crd:dir=config/crd`. Same
//! names, same defaults, same error texts (controller-tools `pkg/genall/options.go`, `cmd/controller-gen/main.go`).

mod absent;
mod destination;
mod generator;

use kindsmith_generate::controller_gen::Release;
use kindsmith_tags::catalogue::nearest_of;
use kindsmith_tags::grammar::marker::{
    Argument, ArgumentType, Arguments, MarkerParts, MarkerValues, parse, split,
};

use crate::error::Error;
pub(super) use destination::Destination;
use destination::destination;
use generator::generator;
pub(super) use generator::{
    Apply, CopyFile, Generator, Header, Patch, Role, Settings, external_configuration,
};

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

/// controller-gen's generators.
const GENERATORS: [&str; 6] = [
    "applyconfiguration",
    "crd",
    "object",
    "rbac",
    "schemapatch",
    "webhook",
];

/// Whether a word can only be controller-gen's.
pub(super) fn is_word(word: &str) -> bool {
    let word = word.strip_prefix('+').unwrap_or(word);
    let is_generator = |name: &&str| word.strip_prefix(*name).is_some_and(|rest| rest.starts_with(':'));
    word.starts_with("paths=") || word.starts_with("output:") || GENERATORS.iter().any(is_generator)
}

/// Reads a command line.
pub(super) fn read(words: &[String]) -> Result<Request, Error> {
    if let Some(error) = words.first().and_then(|word| absent::refusal(word)) {
        return Err(error);
    }
    let mut request = Request::default();
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
        if GENERATORS.contains(&name) {
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
            let own = rest.split_once(':').filter(|(of, _)| GENERATORS.contains(of));
            match own {
                Some((of, rule)) => for_one.push((of.to_owned(), destination(word, rule)?)),
                None => for_all = Some(destination(word, rest)?),
            }
        } else {
            return Err(unknown(word, name));
        }
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

/// The arguments of a word whose name is `name`.
fn arguments(word: &str, name: &str, takes: Arguments) -> Result<MarkerValues, Error> {
    let parts = split(word);
    let parts = if parts.full_name == name {
        parts
    } else {
        MarkerParts {
            short_name: name,
            ..parts
        }
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
    const KNOWN: [&str; 11] = [
        "applyconfiguration",
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
            "generators are `applyconfiguration`, `crd`, `docs`, `go`, `object`, `openapi`, `rbac`, `schemapatch` and `webhook`; \
             of controller-gen's words these, `paths` and `output` are understood",
        ),
    }
}

#[cfg(test)]
mod tests;
