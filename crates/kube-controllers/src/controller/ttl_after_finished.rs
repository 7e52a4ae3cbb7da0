//! Jobs that are finished are deleted after `spec.ttlSecondsAfterFinished`
//! (pkg/controller/ttlafterfinished/ttlafterfinished_controller.go).

use std::collections::BTreeMap;

use kindsmith_json::Value;

use super::Controller;
use crate::cluster::{Change, Cluster, Place, is_going, quoted, seconds};

/// Deletes finished jobs.
#[derive(Default)]
pub(super) struct Finished {
    /// When a job goes, with its uid.
    due: BTreeMap<Place, (i64, String)>,
}

impl Controller for Finished {
    fn see(&mut self, change: &Change<'_>) {
        if !change.place.is("batch", "jobs") {
            return;
        }
        let job = change.new.filter(|job| !is_going(*job));
        match job.and_then(|job| Some((end(job)?, job.text(&["metadata", "uid"]).to_owned()))) {
            Some(due) => self.due.insert(change.place.clone(), due),
            None => self.due.remove(change.place),
        };
    }

    fn act(&mut self, cluster: &Cluster<'_>) -> Option<i64> {
        let client = cluster.client("ttl-after-finished");
        self.due.retain(|place, (end, uid)| {
            if *end > cluster.now {
                return true;
            }
            let options = format!(
                r#"{{"propagationPolicy":"Foreground","preconditions":{{"uid":{}}}}}"#,
                quoted(uid)
            );
            let answer = client.delete(&place.path(), &options);
            !(answer.is_done() || matches!(answer.status, 404 | 409))
        });
        self.due
            .values()
            .map(|(end, _)| *end.max(&(cluster.now + 1)))
            .min()
    }
}

/// When a job goes; `None` if it does not, or is not finished.
fn end(job: Value<'_>) -> Option<i64> {
    let ttl = job.lookup(&["spec", "ttlSecondsAfterFinished"])?.as_i64()?;
    let conditions = job.list(&["status", "conditions"]);
    let finished = conditions.iter().find(|condition| {
        matches!(condition.text("type"), "Complete" | "Failed") && condition.text("status") == "True"
    })?;
    Some(seconds(*finished, &["lastTransitionTime"])?.saturating_add(ttl))
}
