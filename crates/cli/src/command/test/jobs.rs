//! Runs cases on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use kindsmith::Profile;
use kindsmith_ruletest::coverage::Coverage;
use kindsmith_ruletest::report::CaseResult;
use kindsmith_ruletest::suite::Suite;
use kindsmith_ruletest::{Subject, run as run_on};

/// A suite on one of its subjects.
pub(super) struct Job<'s> {
    pub(super) suite: &'s Suite,
    pub(super) subject: Arc<Subject>,
}

/// Runs all cases; results are in the order of jobs and cases.
pub(super) fn run(
    jobs: &[Job<'_>],
    profile: Profile,
    threads: Option<usize>,
    coverage: Option<&mut Coverage>,
) -> Vec<CaseResult> {
    let cases: Vec<(&Job<'_>, usize)> = jobs
        .iter()
        .flat_map(|job| (0..job.suite.cases.len()).map(move |case| (job, case)))
        .collect();
    let coverage = coverage.map(Mutex::new);
    parallel(&cases, threads, |(job, case)| {
        run_case(job, *case, profile, coverage.as_ref())
    })
}

/// Does something with all elements on several threads; results are in the order of the elements.
pub(super) fn parallel<T: Sync, R: Send>(
    all: &[T],
    threads: Option<usize>,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(available).clamp(1, all.len().max(1));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(all.len()));
    let thread = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(element) = all.get(index) else {
                return;
            };
            let result = work(element);
            results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((index, result));
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(thread)));
        thread();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn run_case(
    job: &Job<'_>,
    case: usize,
    profile: Profile,
    coverage: Option<&Mutex<&mut Coverage>>,
) -> CaseResult {
    let start = Instant::now();
    let suite = job.suite;
    let case = &suite.cases[case];
    let verdict = run_on(suite, case, &job.subject, profile, &mut |seen| {
        if let Some(coverage) = coverage {
            coverage
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .observe(seen);
        }
    });
    CaseResult {
        file: suite.file.clone(),
        suite: suite.name.clone(),
        subject: job.subject.name.clone(),
        case: case.name.clone(),
        line: case.line,
        verdict,
        elapsed: start.elapsed(),
    }
}
