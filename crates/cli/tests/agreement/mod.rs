//! The law of agreement: for random kinds and objects, created and updated, as Kubernetes and as the KEPs read tags, the same
//! answer comes from the engine, a server that serves the kinds (`--types`), a server with their generated CRDs, and
//! their generated Go, compiled and run.
//!
//! `KINDSMITH_RANDOM_TYPES` asks for more kinds, `KINDSMITH_RANDOM_SEED` for others; without it each run draws the same ones.

mod compiled;
mod differences;
mod engine;
mod examples;
mod kinds;
mod published;
mod served;

use std::fmt::Write as _;

use kindsmith_checks::Profile;
use kindsmith_testkit::Draw;
use kindsmith_testkit::random_types::RandomType;
use kindsmith_testkit::tool::say;

use compiled::Compiled;
use differences::differs;
use engine::{Answer, Engine};
use kinds::Kinds;
use published::Published;
use served::Served;

/// How many kinds are tried for each profile.
const KINDS: usize = 150;
/// How many share a package and a server.
const BATCH: usize = 25;
/// Objects of each kind that are created and then updated.
const ROUNDS: usize = 4;

/// Validation options of all back ends.
const SWITCHES: [(&str, bool); 2] = [("On", true), ("Off", false)];

/// What was compared, and what differs.
#[derive(Debug, Default)]
struct Tally {
    kinds: usize,
    accepted: usize,
    refused: usize,
    by_crds: usize,
    /// Kinds with a rule that a CRD cannot express.
    unsaid: usize,
    /// Kinds with a type that contains itself, which a CRD cannot have.
    recursive: usize,
    /// Kinds with a default that a CRD must not have.
    undefined: usize,
    /// Writes that CRDs are known to answer differently.
    differing: usize,
    differences: Vec<String>,
}

impl Tally {
    fn compare(&mut self, whose: &str, about: &About<'_>, expected: &str, actual: &str) {
        if expected != actual {
            self.differ(whose, about, expected, actual);
        }
    }

    fn assert_equal(&self) {
        let shown: Vec<&str> = self.differences.iter().take(6).map(String::as_str).collect();
        let count = self.differences.len();
        assert!(count == 0, "{count} differences, such as\n{}", shown.join("\n\n"));
    }

    fn differ(&mut self, whose: &str, about: &About<'_>, expected: &str, actual: &str) {
        let mut text = format!("{whose}:{}  new: {}\n", about.declaration, about.new);
        if let Some(old) = about.old {
            let _ = writeln!(text, "  old: {old}");
        }
        let _ = write!(text, "  engine: {expected}\n  {whose}: {actual}");
        self.differences.push(text);
    }
}

/// A write of an object.
#[derive(Debug, Clone, Copy)]
struct About<'a> {
    declaration: &'a str,
    new: &'a str,
    old: Option<&'a str>,
}

/// A batch of kinds in all back ends but Go.
struct Batch {
    kinds: Kinds,
    engines: Vec<Engine>,
    served: Served,
    published: Published,
}

impl Batch {
    fn new(draw: &mut Draw, first: usize, wanted: usize, profile: Profile) -> Self {
        Self::of(Kinds::new(draw, first, wanted, profile))
    }

    fn of(kinds: Kinds) -> Self {
        let profile = kinds.profile;
        Self {
            engines: kinds
                .ids()
                .map(|id| Engine::new(&kinds.read.schema, id, profile))
                .collect(),
            served: Served::new(&kinds.read.schema, profile),
            published: Published::new(&kinds, profile),
            kinds,
        }
    }

    fn compare(&self, draw: &mut Draw, tally: &mut Tally, mut go: Option<&mut Compiled>) {
        for index in 0..self.kinds.types.len() {
            tally.kinds += 1;
            tally.unsaid += usize::from(!self.published.says_all(index));
            let is_recursive = self.kinds.types[index].is_recursive();
            tally.recursive += usize::from(is_recursive);
            tally.undefined += usize::from(!is_recursive && !self.published.is_defined(index));
            for round in 0..ROUNDS {
                let one = OneKind {
                    batch: self,
                    index,
                    round,
                };
                let ty = &self.kinds.types[index];
                let old = ty.object(draw);
                let new = ty.changed(draw, &old);
                one.compare(&new.to_string(), &old.to_string(), tally, go.as_deref_mut());
            }
        }
    }
}

/// One kind of a batch, in one round.
struct OneKind<'b> {
    batch: &'b Batch,
    index: usize,
    round: usize,
}

impl OneKind<'_> {
    fn ty(&self) -> &RandomType {
        &self.batch.kinds.types[self.index]
    }

    fn engine(&self) -> &Engine {
        &self.batch.engines[self.index]
    }

    fn compare(&self, new: &str, old: &str, tally: &mut Tally, go: Option<&mut Compiled>) {
        let kind = self.batch.kinds.name(self.index);
        let name = format!("o{}", self.round);
        let [new, old] = [new, old].map(|spec| kinds::object(&kind, &name, spec));
        self.on_server("server", &new, &old, tally, |method, path, body| {
            self.batch.served.ask(method, path, body)
        });
        // What Go's structs do not hold never reaches a CRD from a Go client.
        let [sent_new, sent_old] = self.engine().as_sent_by_go(&new, &old);
        if differs("CRD", self.batch.kinds.profile, self.ty(), [&sent_new, &sent_old]) {
            tally.differing += 1;
        } else if self.batch.published.is_defined(self.index) {
            self.on_crds(&sent_new, &sent_old, tally);
        }
        let Some(go) = go else { return };
        // Explicit zeros are those of other clients; of a null list item, Go makes a zero that the KEPs refuse.
        let mut written = vec![[&sent_new, &sent_old]];
        let has_null = |text: &&String| text.contains("null");
        if self.batch.kinds.profile == Profile::Upstream || ![&new, &old].iter().any(has_null) {
            written.push([&new, &old]);
        }
        for [new, old] in written {
            for old in [None, Some(&**old)] {
                let answer = self.engine().answer_in_go(new, old);
                go.case(&kind, self.ty(), new, old, &answer);
            }
        }
    }

    /// Creates one object and updates it to another.
    fn on_server(
        &self,
        whose: &str,
        new: &str,
        old: &str,
        tally: &mut Tally,
        ask: impl Fn(&str, &str, &str) -> Answer,
    ) {
        let path = self.batch.kinds.path(self.index);
        let created = self.engine().answer(old, None);
        let answer = ask("POST", &path, old);
        let about = About {
            declaration: &self.ty().declaration,
            new: old,
            old: None,
        };
        tally.compare(whose, &about, &created.text(), &answer.text());
        *(if created.is_accepted() {
            &mut tally.accepted
        } else {
            &mut tally.refused
        }) += 1;
        if !created.is_accepted() || !answer.is_accepted() {
            return;
        }
        let updated = self.engine().answer(new, Some(old));
        let answer = ask("PUT", &format!("{path}/o{}", self.round), new);
        let about = About {
            declaration: &self.ty().declaration,
            new,
            old: Some(old),
        };
        tally.compare(whose, &about, &updated.text(), &answer.text());
        *(if updated.is_accepted() {
            &mut tally.accepted
        } else {
            &mut tally.refused
        }) += 1;
    }

    /// The same with CRDs, whose errors have words of their own, and which may leave a rule out if they say so.
    fn on_crds(&self, new: &str, old: &str, tally: &mut Tally) {
        let says_all = self.batch.published.says_all(self.index);
        let path = self.batch.kinds.path(self.index);
        let writes = [
            ("POST", path.clone(), old, None),
            ("PUT", format!("{path}/o{}", self.round), new, Some(old)),
        ];
        for (method, path, new, old) in writes {
            let expected = self.engine().answer(new, old);
            let answer = self.batch.published.ask(method, &path, new);
            tally.by_crds += 1;
            let about = About {
                declaration: &self.ty().declaration,
                new,
                old,
            };
            let is_equal = expected.is_accepted() == answer.is_accepted();
            let is_left_out = !says_all && answer.is_accepted();
            if !is_equal && !is_left_out {
                tally.differ("CRD", &about, &expected.text(), &answer.text());
            } else if expected.is_accepted() && answer.is_accepted() {
                tally.compare("CRD", &about, &expected.text(), &answer.text());
            }
            if !expected.is_accepted() || !answer.is_accepted() {
                return;
            }
        }
    }
}

/// A number from the environment.
fn asked<T: std::str::FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .ok()
            .unwrap_or_else(|| panic!("{variable}={text} is not a number")),
    )
}

fn agree(profile: Profile, name: &str, seed: u64) {
    let wanted = asked("KINDSMITH_RANDOM_TYPES").unwrap_or(KINDS);
    let mut draw = Draw(asked("KINDSMITH_RANDOM_SEED").unwrap_or(seed));
    let mut tally = Tally::default();
    let mut go = Compiled::new(name, profile);
    for first in (0..wanted).step_by(BATCH) {
        let batch = Batch::new(&mut draw, first, BATCH.min(wanted - first), profile);
        if let Some(go) = &mut go {
            go.package(&batch.kinds);
        }
        batch.compare(&mut draw, &mut tally, go.as_mut());
    }
    let said = go.as_ref().map(Compiled::run);
    tally.assert_equal();
    say(&format!(
        "{name}: {} kinds, {} of them recursive; {} writes accepted, {} refused by engine and server; {} by CRDs, which cannot express all of {} kinds; Go: {}",
        tally.kinds,
        tally.recursive,
        tally.accepted,
        tally.refused,
        tally.by_crds,
        tally.unsaid,
        said.as_deref().unwrap_or("left out"),
    ));
    assert!(tally.accepted > wanted && tally.refused > wanted, "{tally:?}");
    assert!(
        tally.unsaid + tally.undefined + tally.differing / ROUNDS < tally.kinds / 4,
        "{tally:?}"
    );
}

#[test]
fn random_kinds_agree_as_kubernetes_reads_tags() {
    agree(Profile::Upstream, "upstream", 7);
}

#[test]
fn random_kinds_agree_as_the_keps_read_tags() {
    agree(Profile::Kep, "kep", 11);
}
