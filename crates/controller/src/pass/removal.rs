//! Objects that are being deleted, and the finalizer that holds them until their resource is gone.

use serde_json::json;

use super::{Controller, Ended, FINALIZER, Pass, retry, retry_service};
use crate::Json;
use crate::adapter::{Adapter, Answer, ServiceError};
use crate::cluster::{Cluster, ClusterError};
use crate::condition::{Condition, Reason};
use crate::field_map::{Convert, Field};
use crate::memory::Operation;
use crate::queue::Next;

const DELETION_POLICY: &str = "cnrm.cloud.google.com/deletion-policy";

impl<C: Cluster, A: Adapter> Controller<C, A> {
    /// Handles an object that is being deleted. Its fields and references no longer matter.
    pub(super) async fn remove(&self, mut pass: Pass<'_>) -> Ended<Next> {
        if !pass.is_held() {
            return Ok(Next::OnChange);
        }
        if self.is_abandoned(&pass.object) || self.is_kind_going().await? {
            return self
                .release(&pass, "Successfully deleted; the resource is kept")
                .await;
        }
        if self.is_paused(&pass) {
            let condition = Condition::new(
                Reason::Deleting,
                "Deletion waits until the object is no longer paused",
            );
            self.say(&mut pass, &condition).await?;
            return Ok(Next::OnChange);
        }
        if let Some(operation) = pass.memory.operation.clone() {
            match self.adapter.operation(&pass.identity, &operation.name).await {
                Ok(false) => return Ok(Next::Poll),
                Ok(true) => pass.memory.operation = None,
                Err(ServiceError::Invalid(text)) if operation.deletes => {
                    pass.memory.operation = None;
                    return self.fail_removal(&mut pass, &ServiceError::Invalid(text)).await;
                }
                // A failed write does not block the deletion.
                Err(ServiceError::Invalid(_)) => pass.memory.operation = None,
                Err(error) => return self.fail_removal(&mut pass, &error).await,
            }
        }
        if let Err(error) = self.name(&mut pass).await {
            return self.fail_removal(&mut pass, &error).await;
        }
        if pass.is_unnamed() {
            return self.release(&pass, "Successfully deleted").await;
        }
        match self.adapter.find(&pass.identity).await {
            Ok(None) => return self.release(&pass, "Successfully deleted").await,
            Ok(Some(live)) if self.kind.rest.is_busy(&live) => return Ok(Next::Poll),
            Ok(Some(_)) => {}
            Err(error) => return self.fail_removal(&mut pass, &error).await,
        }
        match self.adapter.delete(&pass.identity).await {
            Ok(answer) => {
                if let Answer::Started(name) | Answer::Named(_, Some(name)) = answer {
                    pass.memory.operation = Some(Operation {
                        name,
                        deletes: true,
                        ..Operation::default()
                    });
                }
                self.say(
                    &mut pass,
                    &Condition::new(Reason::Deleting, "Deletion in progress"),
                )
                .await?;
                Ok(Next::Poll)
            }
            Err(error) => self.fail_removal(&mut pass, &error).await,
        }
    }

    /// Whether the resource is kept: by an annotation, or by a field that some of Config Connector's kinds have.
    fn is_abandoned(&self, object: &Json) -> bool {
        let own = |field: &Field| field.spec == ["deletionPolicy"] && field.convert == Convert::Nothing;
        object["metadata"]["annotations"][DELETION_POLICY] == "abandon"
            || (object["spec"]["deletionPolicy"] == "ABANDON" && self.kind.fields.iter().any(own))
    }

    /// Whether the CRD is being deleted. Then somebody is uninstalling, which must not destroy any resource.
    async fn is_kind_going(&self) -> Ended<bool> {
        let definition = self.kind.crd();
        match self.cluster.get(&definition).await {
            Ok(found) => Ok(found.is_none_or(|found| !found["metadata"]["deletionTimestamp"].is_null())),
            Err(error) => Err(retry(&error)),
        }
    }

    /// Adds the finalizer.
    pub(super) async fn hold(&self, pass: &mut Pass<'_>) -> Ended<()> {
        if pass.is_held() {
            return Ok(());
        }
        let mut finalizers = pass.finalizers();
        finalizers.push(FINALIZER.into());
        pass.object = self
            .set_finalizers(pass, &finalizers)
            .await
            .map_err(|error| retry(&error))?;
        Ok(())
    }

    /// Removes the finalizer, so that the object is deleted.
    async fn release(&self, pass: &Pass<'_>, message: &str) -> Ended<Next> {
        let mut finalizers = pass.finalizers();
        finalizers.retain(|name| name != FINALIZER);
        match self.set_finalizers(pass, &finalizers).await {
            Ok(_) => {
                let reason = Reason::Deleted;
                self.cluster
                    .event(&pass.object, reason.is_warning(), reason.name(), message)
                    .await;
                Ok(Next::OnChange)
            }
            Err(ClusterError::Gone) => Ok(Next::OnChange),
            Err(error) => Err(retry(&error)),
        }
    }

    async fn set_finalizers(&self, pass: &Pass<'_>, finalizers: &[Json]) -> Result<Json, ClusterError> {
        let version = &pass.object["metadata"]["resourceVersion"];
        let patch = json!({ "metadata": { "finalizers": finalizers, "resourceVersion": version } });
        self.cluster.patch(pass.what, false, &patch).await
    }

    async fn fail_removal(&self, pass: &mut Pass<'_>, error: &ServiceError) -> Ended<Next> {
        let message = format!("Delete call failed: {error}");
        self.say(pass, &Condition::new(Reason::DeleteFailed, message))
            .await?;
        Err(retry_service(error))
    }
}
