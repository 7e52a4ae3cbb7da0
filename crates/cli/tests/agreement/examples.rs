//! The examples and tables of the KEPs: what they print is what every back end answers.

use kindsmith_checks::Profile;
use kindsmith_testkit::random_types::RandomType;
use kindsmith_testkit::tool::say;
use serde_json::Value as Json;

use super::compiled::Compiled;
use super::engine::Answer;
use super::kinds::{Kinds, object};
use super::{Batch, OneKind, Tally};

const EXAMPLES: &str = include_str!("examples.txt");

/// A type and what is written to objects of it.
struct Example {
    name: &'static str,
    is_kep: bool,
    declaration: String,
    steps: Vec<&'static str>,
}

fn examples() -> Vec<Example> {
    let parts = EXAMPLES.split("\n=== ").skip(1);
    let one = |part: &'static str| {
        let (head, rest) = part.split_once('\n').expect("a name");
        let is_step = |line: &&str| {
            let words = ["create ", "update ", "fill "];
            words.iter().any(|word| line.starts_with(word))
        };
        let declared: Vec<&str> = rest.lines().filter(|line| !is_step(line)).collect();
        Example {
            name: head,
            is_kep: head.ends_with(" kep"),
            declaration: format!("\n{}\n", declared.join("\n")),
            steps: rest.lines().filter(is_step).collect(),
        }
    };
    parts.map(one).collect()
}

/// What a step expects of a profile: the old and the new object, and an answer.
struct Step {
    old: &'static str,
    new: &'static str,
    /// Whether it is an update.
    is_update: bool,
    expected: Expected,
}

enum Expected {
    Verdict(bool),
    Filled(Json),
}

impl Step {
    /// `None` if it is not about the profile.
    fn read(line: &'static str, profile: Profile) -> Option<Self> {
        let (word, rest) = line.split_once(' ').expect("a word");
        if word == "fill" {
            let (of, rest) = rest.split_once(' ').expect("a profile");
            let (object, filled) = rest.split_once(" => ").expect("two objects");
            let filled = serde_json::from_str(filled).unwrap_or_else(|error| panic!("{line}: {error}"));
            return ((of == "kep") == (profile == Profile::Kep)).then_some(Self {
                old: object,
                new: object,
                is_update: false,
                expected: Expected::Filled(filled),
            });
        }
        let (objects, verdicts) = rest.rsplit_once(" : ").expect("verdicts");
        let (upstream, kep) = verdicts.split_once(' ').expect("two verdicts");
        let (old, new) = match word {
            "update" => objects.split_once(" -> ").expect("two objects"),
            _ => (objects, objects),
        };
        let verdict = if profile == Profile::Kep { kep } else { upstream };
        (verdict != "-").then_some(Self {
            old,
            new,
            is_update: word == "update",
            expected: Expected::Verdict(verdict == "yes"),
        })
    }

    fn check(&self, answer: &Answer, about: &str) {
        match (&self.expected, answer) {
            (Expected::Verdict(expected), answer) => {
                assert_eq!(answer.is_accepted(), *expected, "{about}: {}", answer.text());
            }
            (Expected::Filled(expected), Answer::Accepted(spec)) => assert_eq!(spec, expected, "{about}"),
            (Expected::Filled(_), answer) => panic!("{about}: {}", answer.text()),
        }
    }
}

fn agree(profile: Profile, name: &str) {
    let mut examples = examples();
    examples.retain(|example| profile == Profile::Kep || !example.is_kep);
    let types = examples
        .iter()
        .map(|example| RandomType::written(&example.declaration));
    let batch = Batch::of(Kinds::of(types.collect(), profile));
    let mut go = Compiled::new(&format!("examples-{name}"), profile);
    if let Some(go) = &mut go {
        go.package(&batch.kinds);
    }
    let (mut tally, mut steps) = (Tally::default(), 0);
    for (index, example) in examples.iter().enumerate() {
        let is_defined = batch.published.is_defined(index) && batch.published.says_all(index);
        assert!(is_defined, "{}: the CRD cannot express it", example.name);
        let lines = example.steps.iter().filter_map(|line| Step::read(line, profile));
        for (round, step) in lines.enumerate() {
            let one = OneKind {
                batch: &batch,
                index,
                round,
            };
            let kind = batch.kinds.name(index);
            let [new, old] = [step.new, step.old].map(|spec| object(&kind, "o", spec));
            let answer = one.engine().answer(&new, step.is_update.then_some(&*old));
            step.check(
                &answer,
                &format!("{}: {} -> {}", example.name, step.old, step.new),
            );
            one.compare(step.new, step.old, &mut tally, go.as_mut());
            steps += 1;
        }
    }
    let said = go.as_ref().map(Compiled::run);
    tally.assert_equal();
    say(&format!(
        "{name}: {} examples, {steps} steps; Go: {}",
        examples.len(),
        said.as_deref().unwrap_or("left out")
    ));
}

#[test]
fn examples_of_the_keps_as_kubernetes_reads_tags() {
    agree(Profile::Upstream, "upstream");
}

#[test]
fn examples_of_the_keps_as_they_read_tags() {
    agree(Profile::Kep, "kep");
}
