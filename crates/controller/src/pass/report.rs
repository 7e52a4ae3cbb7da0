//! What a pass writes down: its memory, the status of the object, and events.

use serde_json::json;

use super::{Controller, Ended, Pass, retry};
use crate::adapter::Adapter;
use crate::cluster::{Cluster, ClusterError};
use crate::condition::Condition;
use crate::memory;
use crate::queue::Next;

/// The reason of an event for a path in an annotation that has no effect.
const FIELD_IGNORED: &str = "FieldIgnored";

impl<C: Cluster, A: Adapter> Controller<C, A> {
    /// Writes memory and status, and events if the condition changed or paths are newly ignored.
    pub(super) async fn say(&self, pass: &mut Pass<'_>, condition: &Condition) -> Ended<()> {
        let news = pass.status.set_condition(condition, pass.generation, pass.now);
        let (all, new) = pass.status.ignored();
        let told = memory::hash(all.iter().map(|note| &**note));
        let is_told = pass.memory.told == told;
        pass.memory.told = told;
        self.remember(pass).await?;
        if let Some(patch) = pass.status.patch(&self.pruned) {
            match self.cluster.patch(pass.what, true, &patch).await {
                Ok(stored) => self.pruned.learn(&patch, &stored),
                Err(ClusterError::Gone) => return Err(Next::OnChange),
                Err(error) => return Err(retry(&error)),
            }
        }
        if news {
            let (reason, warning) = (condition.reason.name(), condition.reason.is_warning());
            self.cluster
                .event(&pass.object, warning, reason, &condition.message)
                .await;
        }
        for message in new.iter().filter(|_| !is_told) {
            // Already told as the reason of a failure.
            if !condition.message.contains(message) {
                self.cluster
                    .event(&pass.object, true, FIELD_IGNORED, message)
                    .await;
            }
        }
        Ok(())
    }

    /// Writes the memory, before the status: it is what the next pass needs.
    pub(super) async fn remember(&self, pass: &mut Pass<'_>) -> Ended<()> {
        if pass.memory == pass.remembered {
            return Ok(());
        }
        let patch = json!({ "metadata": { "annotations": { memory::ANNOTATION: pass.memory.text() } } });
        match self.cluster.patch(pass.what, false, &patch).await {
            Ok(_) => {
                pass.remembered = pass.memory.clone();
                Ok(())
            }
            Err(ClusterError::Gone) => Err(Next::OnChange),
            Err(error) => Err(retry(&error)),
        }
    }
}
