//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod controller_gen;
mod controller_gen_code;
mod k8s_tags;
mod openapi_gen;
mod openapi_gen_go;
