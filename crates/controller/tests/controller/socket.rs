//! The same over a real connection.

use std::time::Duration;

use kindsmith_controller::PlainHttp;
use kindsmith_controller::fake::{Fake, serve};
use serde_json::json;

use crate::rig::{Server, Which, World};

#[test]
fn an_object_is_created_and_deleted_over_http() {
    let fake = Fake::default();
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
    let address = receiver.recv().expect("the fake starts").to_string();
    let http = PlainHttp {
        address,
        timeout: Duration::from_secs(30),
    };
    let world = World::with(Which::SqlInstance, Server::new(), fake, http);
    world.apply(&json!({}), &json!({ "settings": { "tier": "db-f1-micro" } }));
    world.converge();
    assert!(world.live().is_some());
    world
        .server
        .send("DELETE", &world.what.path(), "application/json", "", 200);
    assert_eq!(world.settle(), kindsmith_controller::Next::OnChange);
    assert_eq!((world.object(), world.live()), (None, None));
}
