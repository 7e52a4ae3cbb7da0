//! The guarantees of every store, tested in memory and on disk; `tests/etcd` tests them with etcd.

mod concurrent;
mod every_store;
mod model;
