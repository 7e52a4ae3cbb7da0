//! Compares stores with the simplest model: the list of all writes.

use crate::stores::model::{check, step};
use kindsmith_store::{Disk, Memory};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn memory_equals_the_list_of_its_writes(steps in prop::collection::vec(step(), 0..60)) {
        check(Memory::new(), &steps, |store| store);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn disk_equals_the_list_of_its_writes_through_restarts(steps in prop::collection::vec(step(), 0..60)) {
        let folder = tempfile::tempdir().expect("there is room for a store");
        let open = || Disk::open(folder.path()).expect("what was closed can be opened");
        check(open(), &steps, |store| {
            drop(store);
            open()
        });
    }
}
