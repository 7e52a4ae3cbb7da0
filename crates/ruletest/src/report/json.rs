//! Results for scripts: one JSON document.

use serde_json::{Value, json};

use super::{CaseResult, Report};
use crate::coverage::Coverage;

impl Report {
    /// The results as one JSON document, with the coverage if there is one.
    #[must_use]
    pub fn json(&self, coverage: Option<&Coverage>) -> String {
        let results: Vec<Value> = self.results.iter().map(result).collect();
        let broken = self
            .broken
            .iter()
            .map(|(file, reason)| json!({"file": file, "reason": reason}));
        let mut document = json!({
            "passed": self.passed(),
            "failed": self.failed(),
            "broken": broken.collect::<Vec<Value>>(),
            "seconds": self.elapsed.as_secs_f64(),
            "results": results,
        });
        if let Some(coverage) = coverage {
            document["coverage"] = coverage.json();
        }
        format!("{document:#}\n")
    }
}

fn result(result: &CaseResult) -> Value {
    let mut value = json!({
        "file": result.file,
        "line": result.line,
        "suite": result.suite,
        "subject": result.subject,
        "case": result.case,
        "passed": result.verdict.failure.is_none(),
        "errors": result.verdict.actual.errors,
    });
    if let Some(failure) = &result.verdict.failure {
        value["message"] = json!(failure.message);
        value["diff"] = json!(failure.diff);
    }
    value
}
