//! What services answer that they should not: words without meaning, too much of them, and status codes in between.

use std::sync::{Arc, Mutex};

use kindsmith_controller::fake::Fake;
use kindsmith_controller::{Adapter as _, RestAdapter, kinds};
use kindsmith_controller::{Answer, Http, HttpError, Json, Next, Payload, Request, Response, ServiceError};
use serde_json::json;

use crate::rig::{Server, Which, World, runtime};

/// A service that gives the next answer of a list, and those of the fake when there are no more.
#[derive(Clone, Default)]
struct Scripted {
    fake: Fake,
    answers: Arc<Mutex<Vec<Response>>>,
    paths: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    fn then(&self, status: u16, body: Json) {
        let mut answers = self.answers.lock().expect("no test panicked");
        let retry_after = (status == 429).then_some(u64::MAX);
        answers.insert(
            0,
            Response {
                status,
                retry_after,
                body,
            },
        );
    }
}

impl Http for Scripted {
    async fn send(&self, request: Request) -> Result<Response, HttpError> {
        self.paths
            .lock()
            .expect("no test panicked")
            .push(request.path.clone());
        let next = self.answers.lock().expect("no test panicked").pop();
        match next {
            Some(answer) => Ok(answer),
            None => self.fake.send(request).await,
        }
    }
}

fn world(which: Which) -> (World<Scripted>, Scripted) {
    let service = Scripted::default();
    let world = World::with(which, Server::only(which), service.fake.clone(), service.clone());
    world.apply(
        &json!({}),
        &match which {
            Which::SqlInstance => json!({ "settings": { "tier": "db-f1-micro" } }),
            Which::PubSubTopic => json!({ "messageRetentionDuration": "600s" }),
        },
    );
    (world, service)
}

/// An adapter for a kind, by its name.
fn adapter(kind: &str, service: &Scripted) -> RestAdapter<Scripted> {
    let known = kinds::ALL.iter().find(|known| known.name == kind);
    let described = known.expect("it is known").described().expect("it is right");
    RestAdapter {
        http: service.clone(),
        prefix: described.prefix.clone(),
        rest: described.kind.rest,
    }
}

/// What a read that gets this answer says in the condition.
fn told(status: u16, body: Json) -> String {
    let (world, service) = world(Which::PubSubTopic);
    service.then(status, body);
    assert!(matches!(world.pass(), Next::Retry { .. }), "{status}");
    world.condition()
}

#[test]
fn a_long_message_is_shown_shortened() {
    let condition = told(400, json!({ "error": { "message": "é".repeat(5_000_000) } }));
    assert!(condition.starts_with("UpdateFailed: Update call failed: 400 ééé"));
    assert!(
        condition.ends_with('…') && condition.chars().count() < 1100,
        "{}",
        condition.len()
    );
}

#[test]
fn messages_are_found_where_services_put_them() {
    let check = |body: Json, expected: &str| {
        assert_eq!(
            told(500, body),
            format!("UpdateFailed: Update call failed: 500 {expected}")
        );
    };
    check(json!({ "error": { "message": "a" } }), "a");
    check(json!({ "error": "a" }), "a");
    check(json!({ "message": "a" }), "a");
    for nothing in [Json::Null, json!([]), json!({ "error": 5 }), json!("a")] {
        check(nothing, "no reason given");
    }
}

#[test]
fn a_name_that_is_taken_by_nothing_is_told() {
    let (world, service) = world(Which::SqlInstance);
    service.then(404, Json::Null);
    let reserved = "the name was used a short time ago";
    service.then(409, json!({ "error": { "message": reserved } }));
    assert!(matches!(world.pass(), Next::Retry { .. }));
    assert_eq!(
        world.condition(),
        format!("UpdateFailed: Update call failed: 409 {reserved}")
    );
    world.converge();
}

#[test]
fn a_wait_has_a_limit() {
    let (world, service) = world(Which::PubSubTopic);
    service.then(429, json!({}));
    let next = world.pass();
    assert!(
        matches!(
            next,
            Next::Retry {
                at_least: Some(3600),
                ..
            }
        ),
        "{next:?}"
    );
}

#[test]
fn no_error_is_written_as_null_too() {
    let service = Scripted::default();
    let adapter = adapter("RedisInstance", &service);
    let identity = "projects/p/locations/l/instances/i";
    let ask = |body: Json| {
        service.then(200, body);
        runtime().block_on(adapter.operation(identity, "projects/p/locations/l/operations/o"))
    };
    assert_eq!(ask(json!({ "done": true, "error": null })), Ok(true));
    assert_eq!(ask(json!({ "done": false })), Ok(false));
    let failed = |text: &str| Err(ServiceError::Invalid(format!("operation failed: {text}")));
    assert_eq!(
        ask(json!({ "done": true, "error": { "message": "full" } })),
        failed("full")
    );
    assert_eq!(ask(json!({ "done": true, "error": "full" })), failed("full"));
    service.then(
        200,
        json!({ "name": "operations/o", "done": true, "error": null }),
    );
    let payload = Payload {
        whole: false,
        body: json!({}),
        fields: Vec::new(),
        removes: Vec::new(),
        query: None,
        action: None,
    };
    assert_eq!(
        runtime().block_on(adapter.update(identity, &payload)),
        Ok(Answer::Done)
    );
}

#[test]
fn an_answer_without_meaning_ends_no_operation() {
    let service = Scripted::default();
    let adapter = adapter("RedisInstance", &service);
    let ask = || runtime().block_on(adapter.operation("projects/p/locations/l/instances/i", "operations/o"));
    let unknown = |text: &str| Err(ServiceError::Unavailable(text.to_owned()));
    service.then(200, Json::Null);
    assert_eq!(ask(), unknown("the answer is not an operation"));
    for status in [408, 425] {
        service.then(status, Json::Null);
        assert_eq!(ask(), unknown(&format!("{status} no reason given")));
    }
}

#[test]
fn a_resource_that_may_be_there_is_not_created_again() {
    let service = Scripted::default();
    let adapter = adapter("MonitoringNotificationChannel", &service);
    let find = || runtime().block_on(adapter.find_marked("projects/p/notificationChannels/", "u"));
    service.then(200, Json::Null);
    assert_eq!(
        find(),
        Err(ServiceError::Unavailable("the answer is not a list".to_owned()))
    );
    service.then(200, json!({}));
    assert_eq!(find(), Ok(None));
    service.then(200, json!({ "nextPageToken": "a+/=&b" }));
    service.then(200, json!({}));
    assert_eq!(find(), Ok(None));
    let paths = service.paths.lock().expect("no test panicked");
    assert_eq!(
        paths.last().map(String::as_str),
        Some("/v3/projects/p/notificationChannels?pageToken=a%2B%2F%3D%26b")
    );
}

#[test]
fn names_do_not_lead_elsewhere() {
    let service = Scripted::default();
    let adapter = adapter("PubSubTopic", &service);
    let find = |name: &str| {
        let found = runtime().block_on(adapter.find(&format!("projects/p/topics/{name}")));
        (found, service.paths.lock().expect("no test panicked").pop())
    };
    for (name, sent) in [
        ("a b", "a%20b"),
        ("a?b=c", "a%3Fb=c"),
        ("a#b%2e", "a%23b%252e"),
        ("é", "%C3%A9"),
        ("a:b*@c", "a:b%2A@c"),
    ] {
        assert_eq!(
            find(name),
            (Ok(None), Some(format!("/v1/projects/p/topics/{sent}")))
        );
    }
    let refused = "`projects/p/topics/../x` cannot be the name of a resource";
    assert_eq!(
        find("../x"),
        (Err(ServiceError::Invalid(refused.to_owned())), None)
    );
}

#[test]
fn an_empty_or_whole_name_is_the_name_it_means() {
    for (given, name) in [("", "lion"), ("projects/park/topics/tiger", "tiger")] {
        let (world, service) = world(Which::PubSubTopic);
        world.apply(
            &json!({}),
            &json!({ "resourceID": given, "messageRetentionDuration": "600s" }),
        );
        world.converge();
        let resources: Vec<String> = service.fake.state().resources.keys().cloned().collect();
        assert_eq!(resources, [format!("projects/park/topics/{name}")], "{given}");
        assert_eq!(world.writes_of(|| drop(world.settle())), 0, "{given}");
    }
}
