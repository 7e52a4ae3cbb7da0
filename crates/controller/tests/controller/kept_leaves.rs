//! Every leaf of every kind is kept, taken over and released, without any connection.

use crate::leaves::{never_kept, three_steps};
use crate::rig::{Server, Which, World};

fn check(which: Which, kept: usize, leaves: usize) {
    let server = Server::new();
    let world = |name: &str| World::named(which, server.clone(), name);
    assert_eq!(three_steps(which, world), kept);
    assert_eq!(never_kept(which, world), leaves);
}

#[test]
fn every_leaf_of_an_sql_instance_can_be_kept_taken_over_and_released() {
    check(Which::SqlInstance, 74, 84);
}

#[test]
fn every_leaf_of_a_topic_can_be_kept_taken_over_and_released() {
    check(Which::PubSubTopic, 6, 7);
}
