//! Controllers against an API server in this process and fakes of the services.

mod example;
mod faults;
mod generated;
mod leaves;
mod rig;
mod scenarios;
mod socket;
