//! The cells of built-in kinds: one function per kind (kubernetes' pkg/printers/internalversion/printers.go).

use std::collections::BTreeSet;

use kindsmith_json::Value;

use super::age::human;
use super::row::{Row, text_of};

/// Kinds without columns of their own: name and creation time.
pub(super) fn default<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let created = match row.text("metadata.creationTimestamp") {
        "" => "0001-01-01T00:00:00Z",
        created => created,
    };
    vec![row.name(), Value::Str(created)]
}

pub(super) fn config_map<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        Value::Int(row.count("data") + row.count("binaryData")),
        row.age(),
    ]
}

pub(super) fn secret<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![
        row.name(),
        Value::Str(row.text("type")),
        Value::Int(row.count("data")),
        row.age(),
    ]
}

pub(super) fn namespace<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Str(row.text("status.phase")), row.age()]
}

pub(super) fn service_account<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), row.age()]
}

pub(super) fn lease<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Str(row.text("spec.holderIdentity")), row.age()]
}

pub(super) fn webhooks<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    vec![row.name(), Value::Int(row.count("webhooks")), row.age()]
}

pub(super) fn pod_template<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("template.spec.containers");
    vec![row.name(), names, images, row.labels("template.metadata.labels")]
}

pub(super) fn replication_controller<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    vec![
        row.name(),
        row.number("spec.replicas"),
        row.number("status.replicas"),
        row.number("status.readyReplicas"),
        row.age(),
        names,
        images,
        row.labels("spec.selector"),
    ]
}

pub(super) fn deployment<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let [names, images] = row.containers("spec.template.spec.containers");
    let ready = format!(
        "{:?}/{:?}",
        row.number("status.readyReplicas"),
        row.number("spec.replicas")
    );
    vec![
        row.name(),
        row.cell(&ready),
        row.number("status.updatedReplicas"),
        row.number("status.availableReplicas"),
        row.age(),
        names,
        images,
        row.cell(&selector(row.at("spec.selector"))),
    ]
}

/// A label selector as text (`labels.Selector.String`).
fn selector(selector: Value<'_>) -> String {
    let labels = selector
        .get("matchLabels")
        .and_then(Value::as_object)
        .unwrap_or_default();
    let mut requirements: Vec<(&str, String)> = labels
        .iter()
        .map(|(key, value)| (key, format!("{key}={}", value.as_str().unwrap_or_default())))
        .collect();
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    for &expression in expressions.unwrap_or_default() {
        let key = text_of(expression, "key");
        let values = expression
            .get("values")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let mut values: Vec<&str> = values.iter().filter_map(|value| value.as_str()).collect();
        values.sort_unstable();
        let values = values.join(",");
        requirements.push((
            key,
            match text_of(expression, "operator") {
                "In" => format!("{key} in ({values})"),
                "NotIn" => format!("{key} notin ({values})"),
                "Exists" => key.to_owned(),
                "DoesNotExist" => format!("!{key}"),
                _ => return "<invalid>".to_owned(),
            },
        ));
    }
    requirements.sort_by_key(|(key, _)| *key);
    let requirements: Vec<String> = requirements.into_iter().map(|(_, text)| text).collect();
    requirements.join(",")
}

pub(super) fn service<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let cluster_ip = row.items("spec.clusterIPs").first().and_then(|ip| ip.as_str());
    let ports = row.items("spec.ports").iter().map(|port| {
        let number = |key: &str| port.get(key).and_then(Value::as_i64).unwrap_or_default();
        let protocol = text_of(*port, "protocol");
        match number("nodePort") {
            0 => format!("{}/{protocol}", number("port")),
            node_port => format!("{}:{node_port}/{protocol}", number("port")),
        }
    });
    let ports = ports.collect::<Vec<_>>().join(",");
    vec![
        row.name(),
        Value::Str(row.text("spec.type")),
        Value::Str(cluster_ip.unwrap_or("<none>")),
        row.cell(&external_ip(row)),
        row.cell(if ports.is_empty() { "<none>" } else { &ports }),
        row.age(),
        row.labels("spec.selector"),
    ]
}

fn external_ip(row: &Row<'_>) -> String {
    let mut ips: Vec<&str> = Vec::new();
    let fallback = match row.text("spec.type") {
        "ClusterIP" | "NodePort" => "<none>",
        "LoadBalancer" => {
            let ingress = row.items("status.loadBalancer.ingress").iter();
            let balancers: BTreeSet<&str> = ingress
                .filter_map(|point| {
                    [text_of(*point, "ip"), text_of(*point, "hostname")]
                        .into_iter()
                        .find(|text| !text.is_empty())
                })
                .collect();
            ips.extend(balancers);
            "<pending>"
        }
        "ExternalName" => return row.text("spec.externalName").to_owned(),
        _ => return "<unknown>".to_owned(),
    };
    ips.extend(row.items("spec.externalIPs").iter().filter_map(|ip| ip.as_str()));
    if ips.is_empty() {
        fallback.to_owned()
    } else {
        ips.join(",")
    }
}

/// Events of both groups, which call their fields differently.
pub(super) fn event<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let either = |first: &'static str, second: &'static str| match row.at(first) {
        Value::Null => second,
        _ => first,
    };
    let text = |first, second| row.text(either(first, second));
    let or = |first: &'a str, second: &'a str| if first.is_empty() { second } else { first };
    let first = match text("firstTimestamp", "deprecatedFirstTimestamp") {
        "" => row.since("eventTime"),
        _ => row.since(either("firstTimestamp", "deprecatedFirstTimestamp")),
    };
    let mut last = match text("lastTimestamp", "deprecatedLastTimestamp") {
        "" => first.clone(),
        _ => row.since(either("lastTimestamp", "deprecatedLastTimestamp")),
    };
    let mut count = row.number(either("count", "deprecatedCount"));
    if !row.at("series").is_null() {
        last = row.since("series.lastObservedTime");
        count = row.number("series.count");
    } else if count == Value::Int(0) {
        count = Value::Int(1);
    }
    let kind = text("involvedObject.kind", "regarding.kind").to_lowercase();
    let target = match text("involvedObject.name", "regarding.name") {
        "" => kind,
        name => format!("{kind}/{name}"),
    };
    let source = |key: [&'static str; 2]| text(key[0], key[1]);
    let component = or(
        source(["source.component", "deprecatedSource.component"]),
        source(["reportingComponent", "reportingController"]),
    );
    let host = source(["source.host", "deprecatedSource.host"]);
    let source = match or(host, row.text("reportingInstance")) {
        "" => component.to_owned(),
        instance => format!("{component}, {instance}"),
    };
    vec![
        row.cell(&last),
        Value::Str(row.text("type")),
        Value::Str(row.text("reason")),
        row.cell(&target),
        Value::Str(text("involvedObject.fieldPath", "regarding.fieldPath")),
        row.cell(&source),
        Value::Str(text("message", "note").trim()),
        row.cell(&first),
        count,
        row.name(),
    ]
}

pub(super) fn certificate<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let signer = match row.text("spec.signerName") {
        "" => "<none>",
        signer => signer,
    };
    let duration = match row.at("spec.expirationSeconds").as_i64() {
        Some(seconds) => human(i128::from(seconds) * 1_000_000_000),
        None => "<none>".to_owned(),
    };
    let has = |ty: &str| {
        let mut conditions = row.items("status.conditions").iter();
        conditions.any(|condition| text_of(*condition, "type") == ty)
    };
    let mut status = match (has("Denied"), has("Approved")) {
        (true, _) => "Denied",
        (false, true) => "Approved",
        (false, false) => "Pending",
    }
    .to_owned();
    if has("Failed") {
        status.push_str(",Failed");
    }
    if !row.text("status.certificate").is_empty() {
        status.push_str(",Issued");
    }
    vec![
        row.name(),
        row.age(),
        Value::Str(signer),
        Value::Str(row.text("spec.username")),
        row.cell(&duration),
        row.cell(&status),
    ]
}

pub(super) fn binding<'a>(row: &Row<'a>) -> Vec<Value<'a>> {
    let role = format!("{}/{}", row.text("roleRef.kind"), row.text("roleRef.name"));
    let subjects = |kind: &str| {
        let subjects = row.items("subjects").iter();
        let subjects = subjects.filter(|subject| text_of(**subject, "kind") == kind);
        let names = subjects.map(|subject| match kind {
            "ServiceAccount" => format!("{}/{}", text_of(*subject, "namespace"), text_of(*subject, "name")),
            _ => text_of(*subject, "name").to_owned(),
        });
        row.cell(&names.collect::<Vec<_>>().join(", "))
    };
    vec![
        row.name(),
        row.cell(&role),
        row.age(),
        subjects("User"),
        subjects("Group"),
        subjects("ServiceAccount"),
    ]
}
