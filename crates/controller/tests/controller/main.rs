//! Controllers against an in-process API server and fake services.

mod example;
mod faults;
mod generated;
mod leaves;
mod rig;
mod scenarios;
mod socket;
