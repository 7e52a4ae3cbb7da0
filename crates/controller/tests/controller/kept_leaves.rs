//! Every leaf of every kind is kept, taken over and released, without any connection.

use crate::leaves::three_steps;
use crate::rig::{Server, Which, World};

fn check(which: Which, leaves: usize) {
    let server = Server::new();
    let tried = three_steps(which, |name| World::named(which, server.clone(), name));
    assert_eq!(tried, leaves);
}

#[test]
fn every_leaf_of_an_sql_instance_can_be_kept_taken_over_and_released() {
    check(Which::SqlInstance, 74);
}

#[test]
fn every_leaf_of_a_topic_can_be_kept_taken_over_and_released() {
    check(Which::PubSubTopic, 6);
}
