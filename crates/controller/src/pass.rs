//! One pass over one object: reads it and its resource, makes at most one call, and records the outcome.
//!
//! A pass may end anywhere, by an error or because the process dies; the next one does what is left. The finalizer is
//! added before the resource is created, and removed only when the service has said that the resource no longer exists.

mod place;
mod removal;
mod report;

use std::sync::Arc;
use std::time::Duration;

use kindsmith_merge::effective::{ANNOTATIONS, IGNORE_UNSPECIFIED, UNMANAGED};

use crate::Json;
use crate::adapter::{Adapter, Answer, ServiceError};
use crate::cluster::{Cluster, ClusterError, ObjectRef, PROJECT};
use crate::condition::{Condition, Reason};
use crate::dependents::Dependents;
use crate::kind::{Ids, Kind};
use crate::memory::{self, Memory, Operation};
use crate::moved::{given_name, is_identity};
use crate::pace::Pace;
use crate::plan::{Payload, Plan, plan};
use crate::queue::Next;
use crate::resolve::{Resolved, Unresolved, resolve};
use crate::status::{Pruned, Status};
use place::Place;

/// The finalizer of objects with a resource.
pub(crate) const FINALIZER: &str = "cnrm.cloud.google.com/finalizer";
const PAUSED: &str = "kindsmith.dev/paused";
/// How often the same change is made before giving up.
const MAX_WRITES: u64 = 2;
/// How many seconds a service may keep an object waiting.
const LONGEST_WAIT: u64 = 3600;

/// Options of passes.
#[derive(Debug, Clone)]
pub struct Options {
    /// The default mean time between two passes over an object that is up to date.
    pub interval: Duration,
    /// Whether nothing is written to services.
    pub paused: bool,
    /// Whether all fields that objects do not set are left alone, whatever their kind declares for them.
    pub ignore_unspecified: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            interval: Duration::from_mins(10),
            paused: false,
            ignore_unspecified: false,
        }
    }
}

/// The controller of a kind.
#[derive(Debug)]
pub struct Controller<C, A> {
    /// The cluster of the objects.
    pub cluster: C,
    /// The service of the resources.
    pub adapter: A,
    /// The kind.
    pub kind: Arc<Kind>,
    /// Options of passes.
    pub options: Options,
    /// Which objects refer to which.
    pub dependents: Arc<Dependents>,
    /// What the CRD of the cluster drops of statuses.
    pub pruned: Pruned,
}

impl<C, A> Controller<C, A> {
    /// A controller with default options that knows nothing yet.
    pub fn new(cluster: C, adapter: A, kind: Arc<Kind>) -> Self {
        Controller {
            cluster,
            adapter,
            kind,
            options: Options::default(),
            dependents: Arc::default(),
            pruned: Pruned::default(),
        }
    }
}

/// The state of a pass.
struct Pass<'p> {
    what: &'p ObjectRef,
    object: Json,
    generation: i64,
    identity: String,
    project: String,
    status: Status,
    memory: Memory,
    /// As it is in the object.
    remembered: Memory,
    now: &'p str,
    dice: f64,
}

/// The error ends the pass early.
type Ended<T> = Result<T, Next>;

impl<C: Cluster, A: Adapter> Controller<C, A> {
    /// Makes one pass. `now` is the time in RFC 3339, `dice` a random number between 0 and 1.
    pub async fn pass(&self, what: &ObjectRef, now: &str, dice: f64) -> Next {
        let object = match self.cluster.get(what).await {
            Ok(Some(object)) => object,
            Ok(None) => return Next::OnChange,
            Err(error) => return retry(&error),
        };
        let memory = match Memory::of(&object) {
            Ok(memory) => memory,
            Err(memory::TooNew(version)) => {
                let error =
                    format!("a newer controller has handled the object (version {version} of its memory)");
                return retry(&error);
            }
        };
        // Config Connector shows some names in another form.
        let shown = object["status"]["externalRef"].as_str();
        let shown = shown.filter(|shown| is_identity(&self.kind, shown));
        let known = memory.identity.clone().or_else(|| shown.map(str::to_owned));
        let project = match self.project(&object, known.as_deref()).await {
            Ok(project) => project,
            Err(error) => return retry(&error),
        };
        let own = match self.kind.rest.ids {
            Ids::Given | Ids::Query(_) => &*what.name,
            Ids::Generated { .. } => "",
        };
        let name = given_name(&object).unwrap_or(own);
        let pass = Pass {
            what,
            identity: known.unwrap_or_else(|| {
                let parameters = self.kind.parameters(&object, &project);
                self.adapter.identity_at(&parameters, name)
            }),
            project,
            generation: object["metadata"]["generation"].as_i64().unwrap_or_default(),
            status: Status::of(&object),
            remembered: memory.clone(),
            memory,
            object,
            now,
            dice,
        };
        if !pass.object["metadata"]["deletionTimestamp"].is_null() {
            self.dependents.forget(&pass.object);
        }
        let ended = if pass.object["metadata"]["deletionTimestamp"].is_null() {
            self.keep(pass).await
        } else {
            self.remove(pass).await
        };
        ended.unwrap_or_else(|next| next)
    }

    /// The project of the object: from its annotation, from the resource that it has, from its namespace's annotation, or
    /// the namespace's name.
    async fn project(&self, object: &Json, identity: Option<&str>) -> Result<String, ClusterError> {
        let annotation = |object: &Json| {
            object["metadata"]["annotations"][PROJECT]
                .as_str()
                .map(str::to_owned)
        };
        if let Some(project) = annotation(object) {
            return Ok(project);
        }
        let mut parts = identity.unwrap_or_default().split('/');
        if let (Some("projects"), Some(project)) = (parts.next(), parts.next()) {
            return Ok(project.to_owned());
        }
        let name = object["metadata"]["namespace"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let namespace = ObjectRef {
            api_version: "v1".to_owned(),
            kind: "Namespace".to_owned(),
            plural: "namespaces".to_owned(),
            namespace: String::new(),
            name: name.clone(),
        };
        let found = self.cluster.get(&namespace).await?;
        Ok(found.and_then(|found| annotation(&found)).unwrap_or(name))
    }

    /// Handles an object that is not being deleted.
    async fn keep(&self, mut pass: Pass<'_>) -> Ended<Next> {
        let pace = match Pace::of(&pass.object, self.options.interval) {
            Ok(pace) => pace,
            Err(invalid) => {
                let condition =
                    Condition::new(Reason::UpdateFailed, format!("Update call failed: {invalid}"));
                self.say(&mut pass, &condition).await?;
                return Ok(Next::OnChange);
            }
        };
        self.hold(&mut pass).await?;
        if self.is_paused(&pass) {
            return Ok(Next::OnChange);
        }
        if pace.mean.is_none() && pass.is_settled() {
            return Ok(Next::OnChange);
        }
        self.wait_for_operation(&mut pass).await?;
        self.dependents.note(&self.kind, &pass.object);
        let resolved = match resolve(&self.cluster, &self.kind, &pass.object, &pass.project).await {
            Ok(resolved) => resolved,
            Err(Unresolved::Failed(error)) => return Err(retry(&error)),
            Err(Unresolved::Waiting(condition)) => {
                self.say(&mut pass, &condition).await?;
                return Err(retry(&condition.message));
            }
        };
        self.locate(&mut pass, &resolved.object).await?;
        if let Err(error) = self.name(&mut pass).await {
            return self.fail(&mut pass, &error, "").await;
        }
        if pass.is_unnamed() {
            return self.create(pass, &resolved).await;
        }
        match self.adapter.find(&pass.identity).await {
            Err(error) => self.fail(&mut pass, &error, "").await,
            Ok(None) => match self.relocate(&mut pass, &resolved.object).await? {
                Place::Here => self.create(pass, &resolved).await,
                Place::Elsewhere => Ok(Next::Poll),
                Place::Nowhere(error) => self.fail(&mut pass, &error, "").await,
            },
            Ok(Some(live)) => self.update(pass, &resolved, &live, pace).await,
        }
    }

    /// Waits for a running operation. Until it ends the resource is not read, since its state may not last.
    async fn wait_for_operation(&self, pass: &mut Pass<'_>) -> Ended<()> {
        let Some(operation) = pass.memory.operation.clone() else {
            return Ok(());
        };
        match self.adapter.operation(&pass.identity, &operation.name).await {
            Ok(true) => {
                pass.memory.operation = None;
                pass.memory.own(&operation.then);
                Ok(())
            }
            Ok(false) => Err(Next::Poll),
            Err(error @ ServiceError::Invalid(_)) => {
                pass.memory.operation = None;
                pass.memory.last_write = None;
                Err(self.fail(pass, &error, "").await.unwrap_or_else(|next| next))
            }
            Err(error) => Err(self.fail(pass, &error, "").await.unwrap_or_else(|next| next)),
        }
    }

    async fn create(&self, mut pass: Pass<'_>, resolved: &Resolved) -> Ended<Next> {
        let plan = plan(&self.kind, &self.wanted(resolved), None, &pass.memory, &[]);
        let Some(request) = plan.requests.first() else {
            return Ok(Next::OnChange);
        };
        pass.status.set_fields(&plan);
        pass.memory.listing = listing(&pass.object);
        match self.adapter.create(&pass.identity, request).await {
            Ok(answer) => {
                pass.memory.secrets = resolved.secrets.iter().cloned().collect();
                self.started(&mut pass, &plan, request, answer, "Update in progress")
                    .await
            }
            // A conflict, too: nobody else sees that the name of a resource that is not there is taken.
            Err(error) => {
                self.tell_failure(&mut pass, &error, "").await?;
                Err(retry_service(&error))
            }
        }
    }

    /// The object with what options say about it.
    fn wanted(&self, resolved: &Resolved) -> Json {
        let mut object = resolved.object.clone();
        if self.options.ignore_unspecified {
            object["metadata"]["annotations"][IGNORE_UNSPECIFIED] = "true".into();
        }
        object
    }

    async fn update(&self, mut pass: Pass<'_>, resolved: &Resolved, live: &Json, pace: Pace) -> Ended<Next> {
        if self.kind.rest.is_busy(live) {
            self.say(&mut pass, &Condition::new(Reason::Updating, "Update in progress"))
                .await?;
            return Ok(Next::Poll);
        }
        let resend = pass.memory.changed_secrets(&resolved.secrets);
        let plan = plan(
            &self.kind,
            &self.wanted(resolved),
            Some(live),
            &pass.memory,
            &resend,
        );
        pass.status.set_outputs(&self.kind, live);
        pass.status.set_fields(&plan);
        pass.memory.listing = listing(&pass.object);
        let later = pace.next(pass.dice).map_or(Next::OnChange, Next::After);
        if !plan.refused.is_empty() {
            let refused = plan.refused.iter();
            let refused: Vec<_> = refused
                .map(|field| format!("{}: {}", field.path, field.reason))
                .collect();
            let refused = match &*refused {
                [only] => only.clone(),
                several => format!("[{}]", several.join(", ")),
            };
            let message = format!("Update call failed: {refused}");
            self.say(&mut pass, &Condition::new(Reason::UpdateFailed, message))
                .await?;
            return Ok(later);
        }
        let Some(request) = plan.requests.first() else {
            pass.memory.applied = plan.specified;
            pass.memory.sent = plan.lists.into_iter().collect();
            pass.memory.secrets = resolved.secrets.iter().cloned().collect();
            pass.memory.last_write = None;
            pass.memory.identity = Some(pass.identity.clone());
            pass.status.set_external(&pass.identity);
            self.say(&mut pass, &Condition::up_to_date()).await?;
            return Ok(later);
        };
        if pass.memory.writes_of(&plan.digest, pass.generation) >= MAX_WRITES {
            let fields = plan.set.join(", ");
            let message = format!(
                "the service accepted the same change {MAX_WRITES} times without making it: {fields}"
            );
            self.say(&mut pass, &Condition::new(Reason::NotConverging, message))
                .await?;
            return Ok(later);
        }
        match self.adapter.update(&pass.identity, request).await {
            Ok(answer) => {
                if resend.iter().all(|path| request.fields.contains(path)) {
                    pass.memory.secrets = resolved.secrets.iter().cloned().collect();
                }
                pass.memory.wrote(&plan.digest, pass.generation);
                let message = format!("Update in progress: {}", request.fields.join(", "));
                self.started(&mut pass, &plan, request, answer, &message).await
            }
            // What the service refuses, or perhaps never saw, is not set from the object.
            Err(error) => {
                let kept: Vec<&str> = plan.kept.iter().map(|kept| &*kept.path).collect();
                let beside = if kept.is_empty() {
                    String::new()
                } else {
                    format!(" (kept from the live resource: {})", kept.join(", "))
                };
                self.fail(&mut pass, &error, &beside).await
            }
        }
    }

    /// Records an accepted write. What it means for fields is true when its operation has succeeded.
    async fn started(
        &self,
        pass: &mut Pass<'_>,
        plan: &Plan,
        request: &Payload,
        answer: Answer,
        message: &str,
    ) -> Ended<Next> {
        let operation = match answer {
            Answer::Started(name) => Some(name),
            Answer::Done => None,
            Answer::Named(identity, operation) => {
                pass.identity = identity;
                operation
            }
        };
        let then = plan.ownership(request);
        pass.memory.operation = match operation {
            Some(name) => Some(Operation {
                name,
                deletes: false,
                then,
            }),
            None => {
                pass.memory.own(&then);
                None
            }
        };
        // What the service names has its name when the operation is over.
        if !pass.is_unnamed() {
            pass.memory.identity = Some(pass.identity.clone());
            pass.status.set_external(&pass.identity);
        }
        self.say(pass, &Condition::new(Reason::Updating, message)).await?;
        Ok(Next::Poll)
    }

    /// Whether nothing may be written to the service.
    fn is_paused(&self, pass: &Pass<'_>) -> bool {
        self.options.paused || pass.object["metadata"]["annotations"][PAUSED] == "true"
    }

    async fn fail(&self, pass: &mut Pass<'_>, error: &ServiceError, beside: &str) -> Ended<Next> {
        let is_failure = match error {
            // The next pass reads again.
            ServiceError::Conflict(_) => false,
            // An object that is up to date stays ready while its service is busy.
            ServiceError::Throttled(..) => !pass.is_settled(),
            _ => true,
        };
        if is_failure {
            self.tell_failure(pass, error, beside).await?;
        }
        Err(retry_service(error))
    }

    async fn tell_failure(&self, pass: &mut Pass<'_>, error: &ServiceError, beside: &str) -> Ended<()> {
        let message = format!("Update call failed: {error}{beside}");
        self.say(pass, &Condition::new(Reason::UpdateFailed, message))
            .await
    }
}

impl Pass<'_> {
    /// Whether the service has not named the resource yet.
    fn is_unnamed(&self) -> bool {
        self.identity.ends_with('/')
    }

    fn finalizers(&self) -> Vec<Json> {
        self.object["metadata"]["finalizers"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    fn is_held(&self) -> bool {
        self.finalizers().iter().any(|name| name == FINALIZER)
    }

    /// Whether the last pass found the same object up to date.
    fn is_settled(&self) -> bool {
        let status = &self.object["status"];
        status["observedGeneration"] == self.generation
            && crate::resolve::is_ready(&self.object)
            && self.memory.listing == listing(&self.object)
    }
}

/// A hash of the annotations that say which fields are kept.
fn listing(object: &Json) -> Option<String> {
    let names = ANNOTATIONS.iter().chain(&[UNMANAGED, IGNORE_UNSPECIFIED]);
    let text = |name: &&'static str| object["metadata"]["annotations"][*name].as_str();
    memory::hash(names.filter_map(text))
}

fn retry(error: &dyn std::fmt::Display) -> Next {
    Next::Retry {
        error: error.to_string(),
        at_least: None,
    }
}

fn retry_service(error: &ServiceError) -> Next {
    Next::Retry {
        error: error.to_string(),
        at_least: match error {
            ServiceError::Throttled(_, seconds) => seconds.map(|seconds| seconds.min(LONGEST_WAIT)),
            _ => None,
        },
    }
}
