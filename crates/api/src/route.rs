//! Which function answers a request. Built-in kinds are routed by the shape of the path, custom resources by the parsed
//! [`RequestInfo`]; the two answer unknown paths differently.

use std::sync::Arc;

use kindsmith_object::meta::Scope;
use kindsmith_request::Status;

use crate::context::{Above, Authorized, Call, Core, Notes};
use crate::response::negotiate;
use crate::response::status_response::{self, no_resource};
use crate::{Catalog, Request, RequestInfo, Response, Verb, stored, verb};

/// Answers a request on a resource, or returns the `Status` that rejects it.
pub(crate) fn answer(
    (core, above): (&Core, &dyn Above),
    request: &Request<'_>,
    info: &RequestInfo,
    authorized: &Authorized,
    notes: &Notes,
) -> Result<Response, Status> {
    let is_clean = info.path.starts_with("/api/") || info.path.starts_with("/apis/");
    if !is_clean || info.group.is_empty() != (info.prefix == "api") {
        return Ok(status_response::page_not_found());
    }
    let served = {
        let catalog = core.catalog();
        let served = catalog.find(&info.group, &info.version, &info.resource);
        let served = served.or_else(|| catalog.find_unpublished(&info.group, &info.version, &info.resource));
        match served {
            Some(served) => Arc::clone(served),
            None => return unserved(core, &catalog, info),
        }
    };
    let call = Call {
        core,
        above,
        store: &*core.store,
        environment: &*core.environment,
        request,
        info,
        query: &authorized.query,
        caught_up: authorized.caught_up.as_ref(),
        served: &served,
        notes,
    };
    if served.resource.is_custom() {
        custom(&call)
    } else {
        built_in(&call)
    }
}

fn unserved(core: &Core, catalog: &Catalog, info: &RequestInfo) -> Result<Response, Status> {
    if is_elsewhere(core, catalog, info)? {
        Ok(status_response::service_unavailable())
    } else if catalog.is_built_in_group(&info.group) {
        Err(no_resource())
    } else {
        Ok(status_response::page_not_found())
    }
}

/// Whether another server answers in a version (`proxyHandler.ServeHTTP` in kube-aggregator's pkg/apiserver/handler_proxy.go).
fn is_elsewhere(core: &Core, catalog: &Catalog, info: &RequestInfo) -> Result<bool, Status> {
    if catalog.has_version(&info.group, &info.version) {
        return Ok(false);
    }
    let registered = core.registered.now().map_err(stored::failure)?;
    Ok(registered.elsewhere(&info.group, &info.version).is_some())
}

/// Requests on custom resources (`crdHandler.ServeHTTP` in apiextensions-apiserver's
/// pkg/apiserver/customresource_handler.go).
fn custom(call: &Call<'_>) -> Result<Response, Status> {
    let (info, served) = (call.info, call.served);
    let is_in_namespace = !info.namespace.is_empty();
    let fits = match served.scope {
        Scope::Cluster => !is_in_namespace,
        Scope::Namespaced => is_in_namespace || matches!(info.verb.as_str(), "list" | "watch"),
    };
    if !fits {
        return Ok(status_response::page_not_found());
    }
    call.warn(
        served
            .resource
            .deprecation_warning(&served.version)
            .map(|text| text.to_owned().into()),
    );
    if !served.resource.is_servable(&served.version) {
        return Err(Status::internal("error resolving resource"));
    }
    let subresource = info.subresource.as_str();
    if !subresource.is_empty() && served.subresource(subresource).is_none() {
        return Err(Status::not_found(&served.group, &served.plural, &info.name));
    }
    match (info.verb.as_str(), subresource) {
        ("get", "scale") => verb::scale::get(call),
        ("update", "scale") => verb::scale::update(call),
        ("get", _) => verb::get::get(call),
        ("update", _) => verb::update::update(call),
        ("patch", _) => verb::patch::patch(call),
        ("list", "") => verb::list::list(call),
        ("watch", "") => verb::watch::watch(call),
        ("create", "") => verb::create::create(call),
        ("delete", "") => verb::delete::delete(call),
        ("deletecollection", "") => verb::delete_collection::delete_collection(call),
        (verb, _) => Err(Status::method_not_supported(&served.group, &served.plural, verb)),
    }
}

/// Requests on built-in kinds. Those that have a route get the warning about a deprecated kind.
fn built_in(call: &Call<'_>) -> Result<Response, Status> {
    let answer = routed(call);
    // What the router refuses has details, if empty ones.
    let is_refused = |status: &Status| match status.code {
        METHOD_NOT_ALLOWED => status
            .details
            .as_ref()
            .is_none_or(|details| details.kind.is_empty()),
        NOT_ACCEPTABLE | UNSUPPORTED_MEDIA_TYPE => status.details.is_some(),
        _ => false,
    };
    let has_route = call.info.parts.len() < 3 && !answer.as_ref().is_err_and(is_refused);
    if has_route {
        let resource = &call.served.resource;
        let warning = resource.deprecation_warning(&call.served.version);
        call.warn(warning.map(|text| text.to_owned().into()));
    }
    answer
}

const METHOD_NOT_ALLOWED: u16 = 405;
const NOT_ACCEPTABLE: u16 = 406;
const UNSUPPORTED_MEDIA_TYPE: u16 = 415;

/// Answers as go-restful routes them.
fn routed(call: &Call<'_>) -> Result<Response, Status> {
    let info = call.info;
    let is_in_place = match call.served.scope {
        Scope::Cluster => !info.is_in_namespace,
        Scope::Namespaced => info.is_in_namespace,
    };
    let method = call.request.method;
    match info.parts.len() {
        1 | 2 if info.is_old_watch => match method {
            "GET" if is_in_place || info.parts.len() == 1 => verb::watch::watch(call),
            _ => Err(status_response::method_not_allowed()),
        },
        1 if is_in_place => collection(call, method),
        1 if call.served.scope == Scope::Namespaced => match method {
            "GET" if call.served.has(Verb::List) => read_many(call),
            _ => Err(status_response::method_not_allowed()),
        },
        2 if is_in_place => named(call, method),
        3 if is_in_place => subresource(call, method),
        // The rest of the path belongs to the proxied server.
        _ if is_in_place && info.subresource == "proxy" => subresource(call, method),
        _ => Err(no_resource()),
    }
}

fn collection(call: &Call<'_>, method: &str) -> Result<Response, Status> {
    let has = |verb| call.served.has(verb);
    match method {
        "GET" if has(Verb::List) => read_many(call),
        "POST" if call.served.is_core() && *call.served.plural == *"bindings" => {
            verb::pod::binding::create(call)
        }
        "POST" if has(Verb::Create) => {
            check_accept(call, false)?;
            verb::create::create(call)
        }
        "DELETE" if has(Verb::DeleteCollection) => {
            check_accept(call, false)?;
            verb::delete_collection::delete_collection(call)
        }
        _ => Err(status_response::method_not_allowed()),
    }
}

fn read_many(call: &Call<'_>) -> Result<Response, Status> {
    check_accept(call, true)?;
    match call.info.verb.as_str() {
        "watch" if !call.served.has(Verb::Watch) => {
            let (group, plural) = (&call.served.group, &call.served.plural);
            Err(Status::method_not_supported(group, plural, "watch"))
        }
        "watch" => verb::watch::watch(call),
        _ => verb::list::list(call),
    }
}

fn named(call: &Call<'_>, method: &str) -> Result<Response, Status> {
    let has = |verb| call.served.has(verb);
    let is_there = [Verb::Get, Verb::Update, Verb::Patch, Verb::Delete]
        .into_iter()
        .any(has);
    match method {
        _ if !is_there => Err(no_resource()),
        "GET" if has(Verb::Get) => {
            check_accept(call, false)?;
            verb::get::get(call)
        }
        "PUT" if has(Verb::Update) => {
            check_accept(call, false)?;
            verb::update::update(call)
        }
        "PATCH" if has(Verb::Patch) => patch(call),
        "DELETE" if has(Verb::Delete) => {
            check_accept(call, false)?;
            verb::delete::delete(call)
        }
        _ => Err(status_response::method_not_allowed()),
    }
}

fn subresource(call: &Call<'_>, method: &str) -> Result<Response, Status> {
    let known = call
        .served
        .subresource(&call.info.subresource)
        .ok_or_else(no_resource)?;
    let has = |verb| known.verbs.contains(&verb);
    // Streams are opened by GET or POST; proxies pass every method on.
    let is_method = matches!(method, "GET" | "POST") || has(Verb::Delete);
    if is_method && let Some(answer) = verb::connect::connect(call, &known.name) {
        return answer;
    }
    if *call.served.plural == *"pods"
        && let Some(answer) = of_pod(call, method, &known.name)
    {
        return answer;
    }
    let has_route = match method {
        "GET" => has(Verb::Get),
        "PUT" => has(Verb::Update),
        "POST" => has(Verb::Create),
        _ => false,
    };
    if has_route {
        check_accept(call, false)?;
    }
    match (method, &*known.name) {
        ("POST", "token") if has(Verb::Create) => verb::token::create(call),
        ("GET", "scale") if has(Verb::Get) => verb::scale::get(call),
        ("PUT", "scale") if has(Verb::Update) => verb::scale::update(call),
        ("GET", _) if has(Verb::Get) => verb::get::get(call),
        ("PUT", _) if has(Verb::Update) => verb::update::update(call),
        ("PATCH", _) if has(Verb::Patch) => patch(call),
        _ => Err(status_response::method_not_allowed()),
    }
}

/// Subresources of pods that are not part of the object.
fn of_pod(call: &Call<'_>, method: &str, name: &str) -> Option<Result<Response, Status>> {
    Some(match (method, name) {
        ("POST", "binding") => verb::pod::binding::create(call),
        ("POST", "eviction") => verb::pod::eviction::create(call),
        ("GET", "log") => verb::connect::log(call),
        (_, "binding" | "eviction" | "log") => Err(status_response::method_not_allowed()),
        _ => return None,
    })
}

/// A patch, whose content type the router knows already.
fn patch(call: &Call<'_>) -> Result<Response, Status> {
    let media = verb::patch::media(call.request);
    if !verb::patch::types(call).contains(&media) {
        return Err(Status {
            code: 415,
            reason: "UnsupportedMediaType".into(),
            message: "415: Unsupported Media Type".to_owned(),
            details: Some(Box::default()),
        });
    }
    check_accept(call, false)?;
    verb::patch::patch(call)
}

fn check_accept(call: &Call<'_>, streams: bool) -> Result<(), Status> {
    match negotiate::refused_by_router(call.request.header("accept"), streams) {
        Some(status) => Err(status),
        None => Ok(()),
    }
}
