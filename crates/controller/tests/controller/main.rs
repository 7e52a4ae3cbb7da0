//! Controllers against an API server in this process and fakes of the services.

mod faults;
mod leaves;
mod rig;
mod scenarios;
mod socket;
