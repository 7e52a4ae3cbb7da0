//! The condition `Available` of `APIService` objects, from the service and the endpoint slices that are stored (`sync` in
//! kube-aggregator's pkg/controllers/status, local and remote). The last check, a request to the server behind the service, is not
//! made: no request is passed on, so none would be answered.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use kindsmith_gostd::quote::quote;
use kindsmith_json::{Arena, Object, Value, object_of};
use kindsmith_object::store_key::{API_SERVICES, ENDPOINT_SLICES, SERVICES};
use kindsmith_store::{Error, List, Store};

use super::{Follower, Turns};
use crate::{Loopback, environment, stored};

/// What a check found: reason and message.
struct Found {
    is_available: bool,
    reason: &'static str,
    message: String,
}

impl Follower<'_> {
    /// Checks all objects whose server is elsewhere.
    pub(crate) fn check_registrations(&self) {
        self.check_each(|_, _| true);
    }

    /// Checks the objects with a service.
    pub(super) fn check_registrations_of(&self, service: (&str, &str)) {
        self.check_each(|namespace, name| (namespace, name) == service);
    }

    /// Checks the objects with services in a namespace.
    pub(super) fn check_registrations_in(&self, namespace: &str) {
        self.check_each(|known, _| known == namespace);
    }

    /// One check follows the other, and does what others wait for: each looks at all slices of a namespace.
    fn check_each(&self, is_service: impl Fn(&str, &str) -> bool) {
        // What fails is done by the next write, or when the server starts again.
        let registered = self.core.registered.now().unwrap_or_default();
        let names = registered.behind(is_service);
        if names.is_empty() {
            return;
        }
        let Turns { registering, due, .. } = self.turns;
        let due = || due.lock().unwrap_or_else(PoisonError::into_inner);
        due().extend(names);
        let _turn = registering.lock().unwrap_or_else(PoisonError::into_inner);
        let names = std::mem::take(&mut *due());
        let mut slices = Slices::default();
        for name in names {
            self.check_with(&mut slices, &name);
        }
    }

    pub(super) fn check_registration(&self, name: &str) {
        self.check_with(&mut Slices::default(), name);
    }

    /// Sets the condition of an object, unless it says so already. Somebody who writes the object meanwhile sets it too.
    fn check_with(&self, slices: &mut Slices, name: &str) {
        let arena = Arena::new();
        let key = API_SERVICES.key("", name);
        let Ok(Some(entry)) = self.core.store.get(key.as_bytes(), None) else {
            return;
        };
        let (Ok(object), Ok(found)) = (
            stored::copy(&arena, &entry),
            check(&*self.core.store, slices, &entry.value),
        ) else {
            return;
        };
        let now = environment::now(&*self.core.environment);
        let Some(conditions) = with_condition(&arena, object, &found, arena.alloc_str(&now)) else {
            return;
        };
        let (mut object, version) = (object, entry.modified.to_string());
        object.set(&arena, &["status", "conditions"], conditions);
        object.set(&arena, &["metadata", "resourceVersion"], Value::Str(&version));
        let path = format!("/apis/apiregistration.k8s.io/v1/apiservices/{name}/status");
        let _ = Loopback::own(self.above).put(&path, object);
    }
}

/// The conditions with what was found; `None` if they say so (`SetAPIServiceCondition` in pkg/apis/apiregistration/v1/helper).
fn with_condition<'a>(arena: &'a Arena, object: Value<'a>, found: &Found, now: &'a str) -> Option<Value<'a>> {
    let status = if found.is_available { "True" } else { "False" };
    let message = &*arena.alloc_str(&found.message);
    let mut conditions = object.list(&["status", "conditions"]).to_vec();
    let place = conditions
        .iter()
        .position(|known| known.text("type") == "Available");
    let old = place.map_or(Value::Object(Object::EMPTY), |at| conditions[at]);
    let said = (old.text("status"), old.text("reason"), old.text("message"));
    if said == (status, found.reason, message) {
        return None;
    }
    let since = if said.0 == status {
        old.text("lastTransitionTime")
    } else {
        now
    };
    let new = object_of(
        arena,
        &[
            ("type", "Available".into()),
            ("status", status.into()),
            ("lastTransitionTime", Value::Str(since)),
            ("reason", found.reason.into()),
            ("message", Value::Str(message)),
        ],
    );
    match place {
        Some(at) => conditions[at] = new,
        None => conditions.push(new),
    }
    Some(Value::Array(arena.alloc_slice_copy(&conditions)))
}

fn check(store: &dyn Store, slices: &mut Slices, object: &[u8]) -> Result<Found, Error> {
    let arena = Arena::new();
    let object = kindsmith_json::parse(&arena, object).unwrap_or_default();
    let spec = object.get("spec").unwrap_or_default();
    let Some(service) = spec.get("service").filter(|service| !service.is_null()) else {
        return Ok(Found {
            is_available: true,
            reason: "Local",
            message: "Local APIServices are always available".to_owned(),
        });
    };
    let reference = Reference {
        namespace: service.text("namespace"),
        name: service.text("name"),
        port: service.get("port").and_then(Value::as_i64).unwrap_or(443),
        group: spec.text("group"),
        version: spec.text("version"),
    };
    let (reason, message) = reference.unavailable(store, slices, &arena)?;
    Ok(Found {
        is_available: false,
        reason,
        message,
    })
}

/// A service that an object refers to, and for what.
struct Reference<'r> {
    namespace: &'r str,
    name: &'r str,
    port: i64,
    group: &'r str,
    version: &'r str,
}

impl Reference<'_> {
    /// Why the server behind the service does not answer.
    fn unavailable(
        &self,
        store: &dyn Store,
        slices: &mut Slices,
        arena: &Arena,
    ) -> Result<(&'static str, String), Error> {
        let (name, namespace, port) = (self.name, quote(self.namespace), self.port);
        let Some(entry) = store.get(SERVICES.key(self.namespace, name).as_bytes(), None)? else {
            let message = format!("service/{name} in {namespace} is not present");
            return Ok(("ServiceNotFound", message));
        };
        let service = kindsmith_json::parse(arena, arena.alloc_slice_copy(&entry.value)).unwrap_or_default();
        let ports = service.list(&["spec", "ports"]);
        let known = ports.iter().find(|known| known.integer("port") == port);
        if matches!(service.text(&["spec", "type"]), "ClusterIP" | "") {
            let Some(known) = known else {
                let message = format!("service/{name} in {namespace} is not listening on port {port}");
                return Ok(("ServicePortError", message));
            };
            let port = known.text("name");
            match self.endpoints(slices.within(store, self.namespace)?, port) {
                Endpoints::None => {
                    let message = format!("cannot find endpointslices for service/{name} in {namespace}");
                    return Ok(("EndpointsNotFound", message));
                }
                Endpoints::Unready => {
                    let port = quote(port);
                    let message = format!(
                        "endpointslices for service/{name} in {namespace} have no addresses with port name {port}"
                    );
                    return Ok(("MissingEndpoints", message));
                }
                Endpoints::Ready => {}
            }
        }
        Ok(("FailedDiscoveryCheck", self.unanswered(service, known.is_some())))
    }

    /// How a request to the server fails (`ResolveCluster` in apiserver's pkg/util/proxy/proxy.go).
    fn unanswered(&self, service: Value<'_>, has_port: bool) -> String {
        let address = service.text(&["spec", "clusterIP"]);
        let (name, port) = (quote(self.name), self.port);
        let host = match service.text(&["spec", "type"]) {
            "ClusterIP" | "" if address == "None" => {
                return "cannot route to service with ClusterIP \"None\"".to_owned();
            }
            "ExternalName" => service.text(&["spec", "externalName"]),
            _ if !has_port => return format!("no service port {port} found for service {name}"),
            _ => address,
        };
        let host = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.to_owned()
        };
        let path = match self.group {
            "" => format!("api/{}", self.version),
            group => format!("apis/{group}/{}", self.version),
        };
        let url = format!("https://{host}:{port}/{path}");
        format!(
            "failing or missing response from {url}: Get {}: requests are not passed on to other servers",
            quote(&url)
        )
    }

    fn endpoints(&self, slices: &[Slice], port: &str) -> Endpoints {
        let mut own = slices
            .iter()
            .filter(|slice| slice.service == self.name)
            .peekable();
        if own.peek().is_none() {
            Endpoints::None
        } else if own.any(|slice| slice.is_ready && slice.ports.iter().any(|known| known == port)) {
            Endpoints::Ready
        } else {
            Endpoints::Unready
        }
    }
}

/// The endpoint slices of namespaces, each read once for all objects that are checked together.
#[derive(Default)]
struct Slices(BTreeMap<String, Vec<Slice>>);

/// What counts of an endpoint slice (`hasAvailableEndpoint`).
struct Slice {
    service: String,
    is_ready: bool,
    /// The names of ports with a number.
    ports: Vec<String>,
}

impl Slices {
    fn within(&mut self, store: &dyn Store, namespace: &str) -> Result<&[Slice], Error> {
        if !self.0.contains_key(namespace) {
            let page = store.list(&List::of(ENDPOINT_SLICES.within(namespace).as_bytes()))?;
            let slices = page.entries.iter().map(|entry| Slice::read(&entry.value));
            self.0.insert(namespace.to_owned(), slices.collect());
        }
        Ok(self.0.get(namespace).map_or(&[], Vec::as_slice))
    }
}

impl Slice {
    fn read(object: &[u8]) -> Self {
        let arena = Arena::new();
        let slice = kindsmith_json::parse(&arena, object).unwrap_or_default();
        let is_ready = |endpoint: &Value<'_>| {
            let ready = endpoint.lookup(&["conditions", "ready"]).and_then(Value::as_bool);
            ready != Some(false)
        };
        let name = |port: &Value<'_>| {
            port.get("port").filter(|number| !number.is_null())?;
            Some(port.get("name")?.as_str()?.to_owned())
        };
        Slice {
            service: slice
                .text(&["metadata", "labels", "kubernetes.io/service-name"])
                .to_owned(),
            is_ready: slice.list("endpoints").iter().any(is_ready),
            ports: slice.list("ports").iter().filter_map(name).collect(),
        }
    }
}

/// What the slices of a service have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Endpoints {
    None,
    Unready,
    Ready,
}
