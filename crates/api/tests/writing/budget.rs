//! A write ends with its budget, and its answer does not grow with every wrong item.

use kindsmith_gostd::budget::{Budget, Excess, Pool, Stopped};
use kindsmith_json::write::{Order, to_yaml};
use kindsmith_json::{Arena, parse_str, to_string, yaml};

use super::server::Server;

const PODS: &str = "/api/v1/namespaces/default/pods";

fn create(server: &Server, containers: usize) -> (u16, String) {
    let items = vec!["{}"; containers].join(",");
    let pod = format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"a"}},"spec":{{"containers":[{items}]}}}}"#
    );
    server.ask("POST", PODS, "application/json", &pod)
}

#[test]
fn work_that_nobody_waits_for_ends() {
    let server = Server::with_plugins(&[("ServiceAccount", false)]);
    for budget in [Budget::new(5_000), Budget::default()] {
        let work = || budget.enter(|| create(&server, 6_000).0);
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        if budget.is_stopped() {
            assert!(ended.is_err_and(|why| why.is::<Stopped>()));
        } else {
            assert_eq!(ended.ok(), Some(422));
        }
    }
}

#[test]
fn readers_and_writers_look_up_from_their_work() {
    let _server = Server::default();
    let (arena, text) = (Arena::new(), format!("[{}0]", "0,".repeat(100_000)));
    let value = parse_str(&arena, &text).expect("JSON");
    let works: [(&str, &dyn Fn()); 4] = [
        ("reading JSON", &|| drop(parse_str(&Arena::new(), &text))),
        ("reading YAML", &|| {
            drop(yaml::parse(&Arena::new(), text.as_bytes()));
        }),
        ("writing JSON", &|| drop(to_string(value))),
        ("writing YAML", &|| drop(to_yaml(value, Order::Kept))),
    ];
    for (what, work) in works {
        let left = |budget: Budget| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| budget.enter(work))).is_err()
        };
        assert!(left(Budget::new(50_000)), "{what}: too much work");
        assert!(
            left(Budget::of_memory(&Pool::new(100_000))),
            "{what}: too much memory"
        );
        assert!(
            !left(Budget::of_memory(&Pool::new(100_000_000))),
            "{what}: enough"
        );
    }
}

#[test]
fn errors_that_are_told_are_bounded() {
    let server = Server::with_plugins(&[("ServiceAccount", false)]);
    let (status, answer) = create(&server, 6_000);
    assert_eq!(status, 422);
    assert_eq!(answer.matches(r#""reason":"FieldValue"#).count(), 10_000);
}

/// A request whose work grows with a number.
type Case = (&'static str, &'static str, &'static str, fn(usize) -> String);

const GADGET: &str = "/apis/example.com/v1/namespaces/default/gadgets/a?fieldManager=me";

fn gadget(spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{{"name":"a"}},"spec":{{{spec}}}}}"#
    )
}

fn members(count: usize, value: &str) -> String {
    let members: Vec<String> = (0..count)
        .map(|number| format!(r#""k{number}":{value}"#))
        .collect();
    members.join(",")
}

const CASES: [Case; 5] = [
    ("POST", PODS, "application/json", |n| {
        let items = vec!["{}"; n].join(",");
        format!(
            r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"b"}},"spec":{{"containers":[{items}]}}}}"#
        )
    }),
    ("PUT", GADGET, "application/json", |n| gadget(&members(n, "{}"))),
    ("PATCH", GADGET, "application/apply-patch+yaml", |n| {
        gadget(&members(n, "{}"))
    }),
    ("PATCH", GADGET, "application/merge-patch+json", |n| {
        format!(r#"{{"spec":{{{}}}}}"#, members(n, "{}"))
    }),
    (
        "PATCH",
        "/api/v1/namespaces/default/configmaps/a",
        "application/strategic-merge-patch+json",
        |n| format!(r#"{{"data":{{{}}}}}"#, members(n, r#""v""#)),
    ),
];

/// Sends the request of a case with a budget.
fn attempt((method, target, media, body): &Case, size: usize, budget: &Budget) -> Result<u16, bool> {
    let server = if *target == PODS {
        Server::with_plugins(&[("ServiceAccount", false)])
    } else {
        let server = Server::default();
        server.post(super::GADGETS, &gadget(r#""a":1"#), 201);
        let map = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}"#;
        server.post("/api/v1/namespaces/default/configmaps", map, 201);
        server
    };
    let work = || budget.enter(|| server.ask(method, target, media, &body(size)).0);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|why| why.is::<Stopped>())
}

#[test]
fn every_write_pays_for_its_items() {
    for case in &CASES {
        let ended = attempt(case, 4_000, &Budget::new(3_000));
        assert_eq!(ended, Err(true), "{} {}", case.0, case.2);
    }
}

#[test]
fn memory_of_a_write_is_bounded() {
    let pool = Pool::new(4 << 20);
    for case in [&CASES[0], &CASES[2]] {
        let budget = Budget::of_memory(&pool);
        assert!(attempt(case, 10, &budget).is_ok(), "{} {}", case.0, case.2);
        let ended = attempt(case, 40_000, &budget);
        assert_eq!(ended, Err(true), "{} {}", case.0, case.2);
        assert_eq!(budget.excess(), Some(Excess::TooLarge));
    }
    let budget = Budget::of_memory(&pool);
    assert!(attempt(&CASES[0], 10, &budget).is_ok(), "what was lent is back");
}
