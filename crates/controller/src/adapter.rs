//! Finds, creates, changes and deletes the resources of a service. [`RestAdapter`] does it for every kind whose API is
//! described by a [`Rest`]; others implement [`Adapter`] themselves.

use std::fmt;
use std::future::Future;

use kindsmith_gostd::url::{escape_parameter, escape_path};

use crate::Json;
use crate::http::{Http, HttpError, Request, Response};
use crate::kind::{Create, Ids, OperationStyle, Parameters, Rest, Update};
use crate::moved::filled;
use crate::plan::Payload;

/// How many pages of a list are read at most.
const MAX_PAGES: usize = 1000;
/// How many characters of what a service says are shown at most.
const MAX_MESSAGE: usize = 1000;

/// The response to a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It is done.
    Done,
    /// It has started; the name of its operation.
    Started(String),
    /// It is created, under an identity that the service has chosen; the name of its operation, if one is running.
    Named(String, Option<String>),
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceError {
    /// The service says that there is no such resource.
    NotFound(String),
    /// Somebody else changed the resource, or an operation is running: read it again.
    Conflict(String),
    /// Too many requests; with the seconds to wait, if the service gave them.
    Throttled(String, Option<u64>),
    /// The request will never be accepted.
    Invalid(String),
    /// No permission.
    Denied(String),
    /// The service fails or cannot be reached. It is unknown whether a write had an effect.
    Unavailable(String),
}

impl ServiceError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        !matches!(self, Self::Invalid(_))
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(text)
            | Self::Conflict(text)
            | Self::Throttled(text, _)
            | Self::Invalid(text)
            | Self::Denied(text)
            | Self::Unavailable(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ServiceError {}

impl From<HttpError> for ServiceError {
    fn from(error: HttpError) -> Self {
        ServiceError::Unavailable(error.0)
    }
}

/// The resources of one kind. A resource has an identity, such as `projects/p/instances/i`.
pub trait Adapter: Send + Sync {
    /// The live resource; `None` only if the service says that it does not exist.
    fn find(&self, identity: &str) -> impl Future<Output = Result<Option<Json>, ServiceError>> + Send;
    /// The identity of a resource that the service has named, by the object's UID that it carries. `unnamed` is the identity
    /// without a name.
    fn find_marked(
        &self,
        unnamed: &str,
        uid: &str,
    ) -> impl Future<Output = Result<Option<String>, ServiceError>> + Send {
        let _ = (unnamed, uid);
        async { Ok(None) }
    }
    /// The live resource, to make an object of it ([`export`](crate::export)).
    fn export(&self, identity: &str) -> impl Future<Output = Result<Option<Json>, ServiceError>> + Send {
        self.find(identity)
    }
    /// Creates it.
    fn create(
        &self,
        identity: &str,
        payload: &Payload,
    ) -> impl Future<Output = Result<Answer, ServiceError>> + Send;
    /// Changes it.
    fn update(
        &self,
        identity: &str,
        payload: &Payload,
    ) -> impl Future<Output = Result<Answer, ServiceError>> + Send;
    /// Deletes it. Not an error if it does not exist.
    fn delete(&self, identity: &str) -> impl Future<Output = Result<Answer, ServiceError>> + Send;
    /// Whether an operation is done; an error if it failed.
    fn operation(
        &self,
        identity: &str,
        name: &str,
    ) -> impl Future<Output = Result<bool, ServiceError>> + Send;
    /// The identity of the resource for an object with this project and name; with an empty name, one that ends with `/`.
    fn identity(&self, project: &str, name: &str) -> String;
    /// The same with all parameters of the resource's path.
    fn identity_at(&self, parameters: &Parameters, name: &str) -> String {
        self.identity(parameters.get("project").map_or("", String::as_str), name)
    }
}

/// Any API described by a [`Rest`].
#[derive(Debug)]
pub struct RestAdapter<H> {
    /// Sends the requests.
    pub http: H,
    /// The prefix of paths, such as `/sql/v1beta4`.
    pub prefix: String,
    /// The shape of the API.
    pub rest: &'static Rest,
}

impl<H: Http> RestAdapter<H> {
    async fn send(
        &self,
        method: &'static str,
        path: String,
        body: Option<Json>,
    ) -> Result<Json, ServiceError> {
        let request = Request { method, path, body };
        let response = self.http.send(request).await?;
        match response.status {
            200..=299 => Ok(response.body),
            _ => Err(refusal(&response)),
        }
    }

    /// A path with the prefix.
    pub fn path(&self, path: &str) -> String {
        format!("{}/{path}", self.prefix)
    }

    /// The path of a resource, with the prefix.
    fn path_of(&self, identity: &str) -> Result<String, ServiceError> {
        let is_other = |part: &str| part == "." || part == "..";
        if identity.split('/').any(is_other) {
            let text = format!("`{identity}` cannot be the name of a resource");
            return Err(ServiceError::Invalid(text));
        }
        Ok(self.path(&escape_path(identity)))
    }

    /// Method and path, without the prefix, of a creation.
    pub fn create_call(&self, identity: &str, payload: &Payload) -> (&'static str, String) {
        let identity = escape_path(identity);
        let (method, path) = match self.rest.create {
            Create::Put => ("PUT", &*identity),
            Create::Post => (
                "POST",
                identity.rsplit_once('/').map_or("", |(collection, _)| collection),
            ),
        };
        match (&payload.action, &payload.query) {
            (Some((source, action)), _) => (method, format!("{path}/{source}/{action}")),
            (None, Some(query)) => (method, format!("{path}?{query}")),
            (None, None) => (method, path.to_owned()),
        }
    }

    /// The path of a change, without the prefix.
    pub fn update_path(&self, identity: &str, payload: &Payload) -> String {
        match &payload.query {
            Some(query) => format!("{}?{query}", escape_path(identity)),
            None => escape_path(identity),
        }
    }

    /// The method of a change.
    pub fn update_method(&self, payload: &Payload) -> &'static str {
        match (payload.whole, self.rest.update) {
            (true, Update::Replace) => "PUT",
            _ => "PATCH",
        }
    }

    /// Whether a response is an operation, not a resource.
    fn is_operation(&self, body: &Json) -> bool {
        match self.rest.operations.map(|operations| operations.style) {
            None => false,
            Some(OperationStyle::Status) => true,
            Some(OperationStyle::Done) => {
                let name = body["name"].as_str().unwrap_or_default();
                body.get("done").is_some() || name.contains("operations/")
            }
        }
    }

    fn answer(&self, body: &Json) -> Answer {
        let name = body.get("name").and_then(Json::as_str);
        let (Some(operations), Some(name)) = (self.rest.operations, name) else {
            return Answer::Done;
        };
        let is_over = match operations.style {
            OperationStyle::Status => body["status"] == "DONE",
            OperationStyle::Done => body["done"] == true || !name.contains("operations/"),
        };
        if is_over && body["error"].is_null() {
            Answer::Done
        } else {
            Answer::Started(name.to_owned())
        }
    }
}

impl<H: Http> Adapter for RestAdapter<H> {
    async fn find(&self, identity: &str) -> Result<Option<Json>, ServiceError> {
        match self.send("GET", self.path_of(identity)?, None).await {
            Ok(body) if body.is_object() => Ok(Some(body)),
            Ok(_) => Err(ServiceError::Unavailable(
                "the answer is not a resource".to_owned(),
            )),
            Err(ServiceError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn find_marked(&self, unnamed: &str, uid: &str) -> Result<Option<String>, ServiceError> {
        let Ids::Generated { field, items, mark } = self.rest.ids else {
            return Ok(None);
        };
        let mut token = String::new();
        for _ in 0..MAX_PAGES {
            let page = format!("{}{token}", self.path_of(unnamed.trim_end_matches('/'))?);
            let list = self.send("GET", page, None).await?;
            if !list.is_object() {
                // Nobody knows whether the resource is there: creating it is not safe.
                return Err(ServiceError::Unavailable("the answer is not a list".to_owned()));
            }
            let found = list[items].as_array().map(Vec::as_slice).unwrap_or_default();
            let is_it = |item: &&Json| mark.iter().fold(*item, |value, key| &value[*key]) == uid;
            if let Some(item) = found.iter().find(is_it) {
                return Ok(Some(format!("{unnamed}{}", last_part(&item[field]))));
            }
            match list["nextPageToken"].as_str() {
                Some(next) if !next.is_empty() => {
                    token = format!("?pageToken={}", escape_parameter(next));
                }
                _ => return Ok(None),
            }
        }
        // Not found and not all seen: creating another one is not safe.
        Err(ServiceError::Unavailable(
            "there are too many resources to find this one".to_owned(),
        ))
    }

    async fn create(&self, identity: &str, payload: &Payload) -> Result<Answer, ServiceError> {
        self.path_of(identity)?;
        let (method, path) = self.create_call(identity, payload);
        let answer = self
            .send(method, self.path(&path), Some(payload.body.clone()))
            .await?;
        match self.rest.ids {
            Ids::Given | Ids::Query(_) => Ok(self.answer(&answer)),
            Ids::Generated { field, .. } => {
                let resource = if self.is_operation(&answer) {
                    &answer["response"]
                } else {
                    &answer
                };
                Ok(match (self.answer(&answer), last_part(&resource[field])) {
                    // The resource is found by its mark when the operation is over.
                    (Answer::Started(operation), _) => Answer::Started(operation),
                    (_, "") => Answer::Done,
                    (_, name) => Answer::Named(format!("{identity}{name}"), None),
                })
            }
        }
    }

    async fn update(&self, identity: &str, payload: &Payload) -> Result<Answer, ServiceError> {
        self.path_of(identity)?;
        let method = self.update_method(payload);
        let answer = self
            .send(
                method,
                self.path(&self.update_path(identity, payload)),
                Some(payload.body.clone()),
            )
            .await?;
        Ok(self.answer(&answer))
    }

    async fn delete(&self, identity: &str) -> Result<Answer, ServiceError> {
        match self.send("DELETE", self.path_of(identity)?, None).await {
            Ok(answer) => Ok(self.answer(&answer)),
            Err(ServiceError::NotFound(_)) => Ok(Answer::Done),
            Err(error) => Err(error),
        }
    }

    async fn operation(&self, identity: &str, name: &str) -> Result<bool, ServiceError> {
        let Some(operations) = self.rest.operations else {
            return Ok(true);
        };
        let path = match operations.style {
            OperationStyle::Status => {
                let path = filled(operations.path, self.rest.collection, identity);
                self.path_of(&format!("{path}/{name}"))?
            }
            OperationStyle::Done => self.path_of(name)?,
        };
        let operation = match self.send("GET", path, None).await {
            Ok(operation) if operation.is_object() => operation,
            Ok(_) => {
                let text = "the answer is not an operation".to_owned();
                return Err(ServiceError::Unavailable(text));
            }
            // Services forget old operations; the resource itself shows the outcome.
            Err(ServiceError::NotFound(_)) => return Ok(true),
            Err(error) => return Err(error),
        };
        let is_over = match operations.style {
            OperationStyle::Status => operation["status"] == "DONE",
            OperationStyle::Done => operation["done"] == true,
        };
        if !is_over {
            return Ok(false);
        }
        match &operation["error"] {
            Json::Null => Ok(true),
            error => Err(ServiceError::Invalid(operation_error(error))),
        }
    }

    fn identity(&self, project: &str, name: &str) -> String {
        let parameters = Parameters::from([("project".to_owned(), project.to_owned())]);
        self.identity_at(&parameters, name)
    }

    fn identity_at(&self, parameters: &Parameters, name: &str) -> String {
        let path = self.rest.collection.to_owned();
        let path = parameters.iter().fold(path, |path, (key, value)| {
            path.replace(&format!("{{{key}}}"), value)
        });
        format!("{path}/{name}")
    }
}

/// The last part of a name, which may be a path.
fn last_part(name: &Json) -> &str {
    name.as_str()
        .and_then(|name| name.rsplit('/').next())
        .unwrap_or_default()
}

fn operation_error(error: &Json) -> String {
    let errors = error["errors"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = errors.iter().map(|error| {
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        format!("{}: {}", text("code"), text("message"))
    });
    let mut texts: Vec<String> = texts.collect();
    texts.extend(error["message"].as_str().map(str::to_owned));
    texts.extend(error.as_str().map(str::to_owned));
    shortened(&format!("operation failed: {}", texts.join("; ")))
}

/// The start of a long text: conditions and events are for people, and objects have limits.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The error for the status of a response.
fn refusal(response: &Response) -> ServiceError {
    let body = &response.body;
    let places = [&body["error"]["message"], &body["message"], &body["error"]];
    let message = places.into_iter().find_map(Json::as_str);
    let text = shortened(&format!(
        "{} {}",
        response.status,
        message.unwrap_or("no reason given")
    ));
    match response.status {
        404 => ServiceError::NotFound(text),
        409 | 412 => ServiceError::Conflict(text),
        429 => ServiceError::Throttled(text, response.retry_after),
        401 | 403 => ServiceError::Denied(text),
        // The service did not wait for the request, or asks for it again.
        408 | 425 => ServiceError::Unavailable(text),
        400..=499 => ServiceError::Invalid(text),
        _ => ServiceError::Unavailable(text),
    }
}
