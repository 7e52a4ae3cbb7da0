//! The same over a real connection.

use std::time::Duration;

use kindsmith_controller::fake::{Fake, Fault, serve};
use kindsmith_controller::{Next, PlainHttp};
use serde_json::json;

use crate::rig::{Server, Which, World};

/// The address of a fake service.
fn listening(fake: &Fake) -> String {
    let (sender, receiver) = std::sync::mpsc::channel();
    let served = fake.clone();
    std::thread::spawn(move || {
        crate::rig::runtime().block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a port is free");
            sender
                .send(listener.local_addr().expect("it is bound"))
                .expect("the test waits");
            serve(listener, served).await
        })
    });
    receiver.recv().expect("the fake starts").to_string()
}

/// The same object, server and service with each of two timeouts.
fn connected(timeouts: [Duration; 2]) -> [World<PlainHttp>; 2] {
    let (server, fake) = (Server::new(), Fake::default());
    let address = listening(&fake);
    timeouts.map(|timeout| {
        let address = address.clone();
        let http = PlainHttp { address, timeout };
        World::with(Which::SqlInstance, server.clone(), fake.clone(), http)
    })
}

#[test]
fn an_object_is_created_and_deleted_over_http() {
    let [world, _] = connected([Duration::from_mins(1); 2]);
    world.apply(&json!({}), &json!({ "settings": { "tier": "db-f1-micro" } }));
    world.converge();
    assert!(world.live().is_some());
    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    assert_eq!(world.settle(), Next::OnChange);
    assert_eq!((world.object(), world.live()), (None, None));
}

#[test]
fn a_response_that_is_late_is_not_taken_for_an_answer() {
    let [world, impatient] = connected([Duration::from_mins(1), Duration::from_millis(100)]);
    let tier = |tier: &str| json!({ "settings": { "tier": tier } });
    // The request is handled, but the response comes an hour later. On a busy machine others may be late too.
    let times_out = |method, expected: &str| {
        let late = Fault::Slow(Duration::from_hours(1));
        world.fake.state().script.push_for(method, late);
        while !world.fake.state().script.is_empty() {
            assert!(matches!(impatient.pass(), Next::Retry { .. } | Next::Poll));
        }
        let condition = world.condition();
        assert!(condition.starts_with(expected), "{condition}");
        assert!(condition.ends_with("in time"), "{condition}");
    };
    world.apply(&json!({}), &tier("db-f1-micro"));
    times_out("GET", "UpdateFailed: Update call failed: no answer from");
    times_out("POST", "UpdateFailed: Update call failed: no answer from");
    world.converge();
    assert_eq!(world.fake.state().creations.get(&world.identity), Some(&1));

    world.apply(&json!({}), &tier("db-g1-small"));
    times_out("PATCH", "UpdateFailed: Update call failed: no answer from");
    assert_eq!(world.writes_of(|| world.converge()), 0, "it had been made");

    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    times_out("DELETE", "DeleteFailed: Delete call failed: no answer from");
    assert_eq!(world.settle(), Next::OnChange);
    assert_eq!((world.object(), world.live()), (None, None));
}
