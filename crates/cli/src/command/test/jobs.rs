//! Runs cases on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
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
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(available).clamp(1, cases.len().max(1));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<CaseResult>>> = Mutex::new(vec![None; cases.len()]);
    let covers = coverage.is_some();
    let covered = Mutex::new(coverage);
    let work = || {
        let mut own = covers.then(Coverage::default);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((job, case)) = cases.get(index) else {
                break;
            };
            let result = run_case(job, *case, profile, own.as_mut());
            if let Ok(mut results) = results.lock() {
                results[index] = Some(result);
            }
        }
        if let (Ok(mut all), Some(own)) = (covered.lock(), own)
            && let Some(all) = all.as_mut()
        {
            all.merge(own);
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    results.into_iter().flatten().collect()
}

fn run_case(job: &Job<'_>, case: usize, profile: Profile, mut coverage: Option<&mut Coverage>) -> CaseResult {
    let start = Instant::now();
    let suite = job.suite;
    let case = &suite.cases[case];
    let verdict = run_on(suite, case, &job.subject, profile, &mut |seen| {
        if let Some(coverage) = &mut coverage {
            coverage.observe(seen);
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
