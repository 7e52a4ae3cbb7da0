//! Controllers against a real `kindsmith serve` and a fake service, all over HTTP: every leaf is kept, taken over and released,
//! and a process that is killed loses and duplicates nothing.

#[path = "../../../controller/tests/controller/leaves.rs"]
mod leaves;
#[path = "../../../controller/tests/controller/rig.rs"]
#[allow(dead_code, reason = "these tests use a part of it")]
mod rig;

mod clients;
mod controlling;
mod crash;
mod processes;
mod run;
mod ten_minutes;
mod terminal_run;

use leaves::three_steps;
use processes::{Service, Serving};
use rig::{Server, Which, World};

fn every_leaf(which: Which, leaves: usize) {
    let serving = Serving::start(&[]);
    let server = Server::listening(&serving.address);
    let service = Service::start();
    let tried = three_steps(which, |name| {
        World::with(which, server.clone(), service.fake.clone(), service.http()).called(name)
    });
    assert_eq!(tried, leaves);
}

#[test]
fn every_leaf_of_an_sql_instance_is_kept_taken_over_and_released_over_http() {
    every_leaf(Which::SqlInstance, 74);
}

#[test]
fn every_leaf_of_a_topic_is_kept_taken_over_and_released_over_http() {
    every_leaf(Which::PubSubTopic, 6);
}
