//! The CRD and objects that benches of custom resources share, and their timer.

use std::time::{Duration, Instant};

use kindsmith_json::Arena;

/// The CRD of routes.
pub(crate) const DEFINITION: &str = include_str!("../../../../fixtures/route/crd.yaml");

/// The shortest of many runs, so that other load does not count. With the argument `count` there are few
/// runs, enough for a tool that counts instructions.
pub(crate) fn in_arena(mut work: impl FnMut(&Arena)) -> Duration {
    const BATCH: u32 = 50;
    let runs = if std::env::args().any(|argument| argument == "count") {
        2
    } else {
        400
    };
    let mut arena = Arena::new();
    let mut once = || {
        let start = Instant::now();
        for _ in 0..BATCH {
            arena.reset();
            work(&arena);
        }
        start.elapsed() / BATCH
    };
    (0..runs).map(|_| once()).min().expect("there are runs")
}

/// About 10 KB: rules with matches, headers and backends. Absent values have defaults.
pub(crate) fn route(full: bool) -> String {
    let optional = |text: &str| if full { text.to_owned() } else { String::new() };
    let rules: Vec<String> = (0..if full { 9 } else { 16 })
        .map(|number| {
            let exact = optional(r#","type":"Exact""#);
            let headers: Vec<String> = (0..4)
                .map(|at| format!(r#"{{"name":"X-Header-{at}","value":"value {at} of rule {number}"{exact}}}"#))
                .collect();
            let health = optional(
                r#","health":{"intervalSeconds":10,"path":"/healthz","threshold":3,"timeoutSeconds":1},"protocol":"HTTP""#,
            );
            let weight = optional(r#","weight":1"#);
            let backends: Vec<String> = (0..3)
                .map(|at| format!(r#"{{"port":80{at}0,"service":"service-{at}-of-{number}"{health}{weight}}}"#))
                .collect();
            let kind = optional(r#""type":"Prefix","#);
            let timeouts = optional(r#","timeouts":{"request":"30s"}"#);
            format!(
                r#"{{"backends":[{}],"filters":[{{"setHeaders":{{"X-Forwarded-By":"route","X-Rule":"rule-{number}"}},"type":"SetHeaders"}}],
                "matches":[{{"headers":[{}],"method":"GET","path":{{{kind}"value":"/path/of/rule/{number}"}}}}],"name":"rule-{number}"{timeouts}}}"#,
                backends.join(","),
                headers.join(","),
            )
        })
        .collect();
    let listener = optional(r#""listener":"web","#);
    let priority = optional(r#""priority":10,"#);
    let mode = optional(r#","minVersion":"1.3","mode":"Terminate""#);
    let issuer = optional(r#""issuer":{"kind":"Issuer","name":"internal"},"#);
    format!(
        r#"{{"apiVersion":"net.example.org/v1","kind":"Route",
        "metadata":{{"annotations":{{"example.org/owner":"team-web"}},"labels":{{"app":"shop","tier":"frontend"}},"name":"shop","namespace":"web"}},
        "spec":{{"gateway":{{{listener}"name":"public"}},"hosts":["shop.example.org","www.shop.example.org"],{priority}
        "rules":[{}],"tls":{{"certificate":{{{issuer}"secretName":"shop-tls"}}{mode},"options":{{"ciphers":"modern","tickets":"off"}}}}}}}}"#,
        rules.join(",")
    )
}
