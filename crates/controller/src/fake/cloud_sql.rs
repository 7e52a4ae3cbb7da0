//! Cloud SQL instances. Fields are added and omitted as in recorded responses of the service.

use serde_json::{Value, json};

use super::{Reply, State, merge, refuse};
use crate::Json;

/// Fields that are omitted when false.
const LEFT_OUT: &[&[&str]] = &[
    &["settings", "backupConfiguration", "pointInTimeRecoveryEnabled"],
    &["settings", "dataCacheConfig", "dataCacheEnabled"],
    &["settings", "insightsConfig", "queryInsightsEnabled"],
    &["settings", "insightsConfig", "recordApplicationTags"],
    &["settings", "insightsConfig", "recordClientAddress"],
];
/// Fields that cannot be changed.
const FIXED: &[&[&str]] = &[
    &["region"],
    &["instanceType"],
    &["settings", "dataDiskType"],
    &["settings", "collation"],
    &["settings", "timeZone"],
];
/// Fields that need a request of their own.
const ALONE: &[&str] = &["databaseVersion", "maintenanceVersion"];

pub(super) fn handle(state: &mut State, method: &str, path: &str, body: &Json, fails: bool) -> Reply {
    let parts: Vec<&str> = path.split('/').collect();
    match (method, &parts[..]) {
        ("GET", ["projects", _, "operations", _]) => match state.operations.get(path) {
            Some(operation) => (200, operation.clone()),
            None => refuse(
                404,
                "The requested operation was not found.",
                "operationDoesNotExist",
            ),
        },
        ("POST", ["projects", project, "instances"]) => insert(state, project, body, fails),
        ("POST", ["projects", project, "instances", source, "clone"]) => {
            clone(state, project, source, &body["cloneContext"], fails)
        }
        ("GET", ["projects", _, "instances", _]) => match state.resources.get(path) {
            Some(instance) => (200, instance.clone()),
            None => missing(),
        },
        ("PATCH" | "PUT" | "DELETE", ["projects", project, "instances", _]) => {
            change(state, method, project, path, body, fails)
        }
        _ => refuse(404, "no such method", "notFound"),
    }
}

fn missing() -> Reply {
    refuse(
        404,
        "The Cloud SQL instance does not exist.",
        "instanceDoesNotExist",
    )
}

fn insert(state: &mut State, project: &str, body: &Json, fails: bool) -> Reply {
    let Some(name) = body["name"].as_str() else {
        return refuse(400, "Missing parameter: name.", "required");
    };
    let path = format!("projects/{project}/instances/{name}");
    if state.resources.contains_key(&path) {
        return refuse(
            409,
            "The Cloud SQL instance already exists.",
            "instanceAlreadyExists",
        );
    }
    if body.get("maintenanceVersion").is_some() {
        return refuse(400, "maintenanceVersion cannot be set on insert.", "invalid");
    }
    if !body["settings"]["tier"].is_string() {
        return refuse(400, "Missing parameter: tier.", "required");
    }
    if !fails {
        let mut instance = body.clone();
        fill(&mut instance, project, name);
        instance["state"] = "PENDING_CREATE".into();
        state.resources.insert(path.clone(), instance);
        *state.creations.entry(path.clone()).or_default() += 1;
    }
    start(state, project, "CREATE", &path, fails)
}

/// Creates an instance with the settings of another one.
fn clone(state: &mut State, project: &str, source: &str, context: &Json, fails: bool) -> Reply {
    let Some(name) = context["destinationInstanceName"].as_str() else {
        return refuse(400, "Missing parameter: destinationInstanceName.", "required");
    };
    let Some(source) = state
        .resources
        .get(&format!("projects/{project}/instances/{source}"))
    else {
        return missing();
    };
    let mut instance = source.clone();
    if let Some(instance) = instance.as_object_mut() {
        for key in ["connectionName", "selfLink", "serviceAccountEmailAddress"] {
            instance.remove(key);
        }
    }
    instance["name"] = name.into();
    instance["settings"]["settingsVersion"] = "1".into();
    insert(state, project, &without(&instance, "maintenanceVersion"), fails)
}

fn without(instance: &Json, key: &str) -> Json {
    let mut instance = instance.clone();
    if let Some(members) = instance.as_object_mut() {
        members.remove(key);
    }
    instance
}

fn change(state: &mut State, method: &str, project: &str, path: &str, body: &Json, fails: bool) -> Reply {
    let Some(old) = state.resources.get(path).cloned() else {
        return missing();
    };
    if old["state"] != "RUNNABLE" {
        let message = "Operation failed because another operation was already in progress.";
        return refuse(409, message, "operationInProgress");
    }
    if method == "DELETE" {
        if old["settings"]["deletionProtectionEnabled"] == true {
            return refuse(400, "The instance is protected.", "instanceIsProtected");
        }
        if !fails {
            state
                .resources
                .get_mut(path)
                .into_iter()
                .for_each(|instance| instance["state"] = "PENDING_DELETE".into());
        }
        return start(state, project, "DELETE", path, fails);
    }
    if let Some(refusal) = refusal(&old, method, body) {
        return refusal;
    }
    if !fails {
        let mut new = match method {
            "PUT" => body.clone(),
            _ => old.clone(),
        };
        if method == "PATCH" {
            merge(&mut new, body);
        }
        if let Some(new) = new.as_object_mut() {
            // Never stored where anybody could read it.
            new.remove("rootPassword");
        }
        // What a change removes, the service sets to its default.
        let name = path.rsplit('/').next().unwrap_or_default();
        fill(&mut new, project, name);
        new["settings"]["settingsVersion"] = old["settings"]["settingsVersion"].clone();
        touch_version(&mut new);
        new["state"] = "MAINTENANCE".into();
        state.resources.insert(path.to_owned(), new);
    }
    start(state, project, "UPDATE", path, fails)
}

/// The error response for a change, if it is not allowed.
fn refusal(old: &Json, method: &str, body: &Json) -> Option<Reply> {
    let given = &body["settings"]["settingsVersion"];
    if !given.is_null() && *given != old["settings"]["settingsVersion"] {
        return Some(refuse(
            412,
            "Precondition check failed: settingsVersion is stale.",
            "staleData",
        ));
    }
    for path in FIXED {
        let (old, new) = (at(old, path), at(body, path));
        if new.is_some() && new != old {
            return Some(refuse(
                400,
                &format!("{} cannot be changed.", path.join(".")),
                "invalid",
            ));
        }
    }
    let size = |json: &Json| {
        json["settings"]["dataDiskSizeGb"]
            .as_str()
            .and_then(|text| text.parse::<u64>().ok())
    };
    if let (Some(old), Some(new)) = (size(old), size(body))
        && new < old
    {
        return Some(refuse(400, "Disk size cannot be decreased.", "invalid"));
    }
    let settings = body["settings"].as_object().map_or(0, |settings| {
        settings.keys().filter(|key| *key != "settingsVersion").count()
    });
    let alone = ALONE
        .iter()
        .find(|name| body.get(**name).is_some_and(|value| *value != old[**name]));
    match alone {
        Some(name) if method == "PATCH" && settings > 0 => {
            Some(refuse(400, &format!("{name} must be updated alone."), "invalid"))
        }
        _ => None,
    }
}

fn at<'j>(value: &'j Json, path: &[&str]) -> Option<&'j Json> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// Starts an operation.
fn start(state: &mut State, project: &str, kind: &str, target: &str, fails: bool) -> Reply {
    let name = format!("op-{}", state.next_id());
    let operation = json!({
        "kind": "sql#operation", "name": name, "operationType": kind, "status": "PENDING",
        "targetProject": project, "targetId": target, "fails": fails, "left": state.latency,
    });
    state
        .operations
        .insert(format!("projects/{project}/operations/{name}"), operation.clone());
    (200, operation)
}

pub(super) fn tick(state: &mut State) {
    let State {
        operations,
        resources,
        ..
    } = state;
    for operation in operations
        .values_mut()
        .filter(|operation| operation["status"] != "DONE" && operation["done"] != true)
    {
        match operation["left"].as_u64() {
            Some(left) if left > 0 => operation["left"] = (left - 1).into(),
            _ => finish(operation, resources),
        }
    }
}

fn finish(operation: &mut Json, resources: &mut std::collections::BTreeMap<String, Json>) {
    let has_status = operation.get("done").is_none();
    if has_status {
        operation["status"] = "DONE".into();
    } else {
        operation["done"] = true.into();
    }
    let target = operation["targetId"].as_str().unwrap_or_default().to_owned();
    if operation["fails"] == true {
        let error = json!({ "kind": "sql#operationError", "code": "INTERNAL_ERROR", "message": "by script" });
        operation["error"] = if has_status {
            json!({ "errors": [error] })
        } else {
            json!({ "code": 13, "message": "by script" })
        };
        return;
    }
    match operation["operationType"].as_str() {
        Some("DELETE") => drop(resources.remove(&target)),
        _ => {
            if let Some(instance) = resources
                .get_mut(&target)
                .filter(|found| found["kind"] == "sql#instance")
            {
                instance["state"] = "RUNNABLE".into();
            }
        }
    }
}

/// Changes a field that the controller does not manage.
pub(super) fn touch(instance: &mut Json) {
    if instance["settings"].is_object() {
        instance["settings"]["userLabels"]["outside"] = "yes".into();
        touch_version(instance);
    }
}

fn touch_version(instance: &mut Json) {
    let version = instance["settings"]["settingsVersion"]
        .as_str()
        .and_then(|text| text.parse::<u64>().ok());
    instance["settings"]["settingsVersion"] = (version.unwrap_or(0) + 1).to_string().into();
}

/// Adds what the service adds to an instance.
fn fill(instance: &mut Json, project: &str, name: &str) {
    let plus = instance["settings"]["edition"] == "ENTERPRISE_PLUS";
    let region = instance["region"].as_str().unwrap_or("us-central1").to_owned();
    let defaults = json!({
        "kind": "sql#instance",
        "region": region,
        "instanceType": "CLOUD_SQL_INSTANCE",
        "databaseVersion": "MYSQL_8_0",
        "maintenanceVersion": "MYSQL_8_0_31.R20241208.01_00",
        "backendType": "SECOND_GEN",
        "connectionName": format!("{project}:{region}:{name}"),
        "gceZone": format!("{region}-a"),
        "selfLink": format!("https://sqladmin.googleapis.com/sql/v1beta4/projects/{project}/instances/{name}"),
        "serviceAccountEmailAddress": format!("p1-{name}@gcp-sa-cloud-sql.iam.gserviceaccount.com"),
        "ipAddresses": [{ "ipAddress": "10.10.10.10", "type": "PRIMARY" }],
        "geminiConfig": { "entitled": false },
        "settings": {
            "kind": "sql#settings",
            "settingsVersion": "1",
            "dataDiskSizeGb": if plus { "20" } else { "10" },
            "storageAutoResize": true,
            "storageAutoResizeLimit": "0",
            "dataDiskType": "PD_SSD",
            "deletionProtectionEnabled": false,
            "activationPolicy": "ALWAYS",
            "availabilityType": "ZONAL",
            "edition": "ENTERPRISE",
            "pricingPlan": "PER_USE",
            "replicationType": "SYNCHRONOUS",
            "connectorEnforcement": "NOT_REQUIRED",
            "authorizedGaeApplications": [],
            "ipConfiguration": {
                "ipv4Enabled": true, "requireSsl": false, "authorizedNetworks": [],
                "sslMode": "ALLOW_UNENCRYPTED_AND_ENCRYPTED",
            },
            "locationPreference": { "kind": "sql#locationPreference", "zone": format!("{region}-a") },
            "backupConfiguration": {
                "kind": "sql#backupConfiguration",
                "enabled": plus,
                "startTime": "12:00",
                "transactionLogRetentionDays": if plus { 14 } else { 7 },
                "transactionalLogStorageState": "CLOUD_STORAGE",
                "backupRetentionSettings": { "retainedBackups": if plus { 15 } else { 7 }, "retentionUnit": "COUNT" },
            },
        },
    });
    let given = std::mem::replace(instance, defaults);
    merge(instance, &given);
    if let Some(instance) = instance.as_object_mut() {
        instance.remove("rootPassword");
    }
    normalize(instance);
}

/// Drops what the service omits from its responses.
fn normalize(instance: &mut Json) {
    let mysql = instance["databaseVersion"]
        .as_str()
        .is_some_and(|version| version.starts_with("MYSQL"));
    for path in LEFT_OUT {
        drop_false(instance, path);
    }
    if !mysql {
        drop_false(instance, &["settings", "backupConfiguration", "binaryLogEnabled"]);
    }
    if let Some(networks) = instance["settings"]["ipConfiguration"]["authorizedNetworks"].as_array_mut() {
        networks
            .iter_mut()
            .for_each(|network| network["kind"] = "sql#aclEntry".into());
    }
    // The service sorts flags and networks.
    for list in [
        &["settings", "databaseFlags"][..],
        &["settings", "ipConfiguration", "authorizedNetworks"],
    ] {
        let list = list
            .iter()
            .try_fold(&mut *instance, |value, key| value.get_mut(key))
            .and_then(Value::as_array_mut);
        if let Some(list) = list {
            list.sort_by_key(ToString::to_string);
        }
    }
}

fn drop_false(instance: &mut Json, path: &[&str]) {
    let Some((last, parents)) = path.split_last() else {
        return;
    };
    let parent = parents.iter().try_fold(instance, |value, key| value.get_mut(key));
    if let Some(parent) = parent.and_then(Value::as_object_mut)
        && parent.get(*last) == Some(&Value::Bool(false))
    {
        parent.remove(*last);
    }
}
