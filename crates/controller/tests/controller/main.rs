//! Controllers against an in-process API server and fake services.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod answers;
mod described;
mod example;
mod faults;
mod generated;
mod generated_ids;
mod kept_leaves;
mod leaves;
mod ownership;
mod rig;
mod scenarios;
mod services;
mod socket;
