//! Recorded scenarios, sent to servers: which there are, who plays them, and which of their steps may differ.

use std::collections::BTreeMap;
use std::sync::Mutex;

use kindsmith_conformance::{Known, files, older_steps};
use kindsmith_object::Release;

/// Names with texts: scenarios, or steps that are answered otherwise than recorded.
pub(super) type Named = Vec<(String, String)>;

/// The steps that an older release answers otherwise, by scenario and place.
pub(super) type Older = BTreeMap<String, BTreeMap<usize, String>>;

/// Scenarios of one kind.
pub(super) struct Recorded {
    /// Their folder, which also names the lists of steps that may differ.
    pub(super) folder: &'static str,
    /// The variable that chooses those whose name starts so.
    pub(super) variable: &'static str,
    /// Plays some of them on servers with these arguments.
    pub(super) replay: fn(&[&str], Named, &Older) -> Named,
}

impl Recorded {
    /// All scenarios, as the newest release answers them.
    pub(super) fn check(&self) {
        self.compare(&format!("{}.steps", self.folder), || {
            (self.replay)(&[], self.scenarios(), &Older::new())
        });
    }

    /// Scenarios that a release answers otherwise, as that release answers them.
    pub(super) fn check_older(&self) {
        self.compare(&format!("releases.{}", self.folder), || {
            let mut all = Named::new();
            for release in Release::KNOWN.iter().map(ToString::to_string) {
                let older = older_steps(self.folder, &release);
                let mut scenarios = self.scenarios();
                scenarios.retain(|(name, _)| older.contains_key(name));
                let differing = (self.replay)(&["--kubernetes-version", &release], scenarios, &older);
                all.extend(
                    differing
                        .into_iter()
                        .map(|(id, text)| (format!("{release} {id}"), text)),
                );
            }
            all
        });
    }

    fn only(&self) -> Option<String> {
        std::env::var(self.variable).ok()
    }

    fn scenarios(&self) -> Named {
        let start = self.only().unwrap_or_default();
        let mut scenarios = files(self.folder);
        scenarios.retain(|(name, _)| name.starts_with(&start));
        scenarios
    }

    /// Fails if there is a difference without an excuse, or an excuse without a difference.
    fn compare(&self, excuses: &str, differing: impl FnOnce() -> Named) {
        let mut known = Known::read(excuses);
        match self.only() {
            None => known.hold_against(differing()),
            Some(_) => known.excuse_some(differing()),
        }
    }
}

/// Several players take scenarios from one pile; each says how many steps it compared, and which differ.
#[allow(clippy::print_stdout, reason = "the counts of a replay are for people")]
pub(super) fn play<P>(
    arguments: &[&str],
    scenarios: Named,
    at_once: usize,
    player: impl Fn() -> P + Sync,
    play: impl Fn(&mut P, &str, &str) -> (usize, Named) + Sync,
) -> Named {
    let scenarios = Mutex::new(scenarios);
    let next = || scenarios.lock().expect("nobody panics with it").pop();
    let found = Mutex::new((0, Named::new()));
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                let mut player = player();
                while let Some((name, text)) = next() {
                    let (count, differing) = play(&mut player, &name, &text);
                    let mut found = found.lock().expect("nobody panics with it");
                    found.0 += count;
                    found.1.extend(differing);
                }
            });
        }
    });
    let (count, mut differing) = found.into_inner().expect("nobody panics with it");
    differing.sort();
    println!("{arguments:?} {count} steps, {} differ", differing.len());
    differing
}
