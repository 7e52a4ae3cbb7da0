//! All tests of this crate in one program, so that it is linked once.

#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its cases and starts what it needs"
)]

mod agreement;
mod apply;
mod binary;
mod builtin_kinds;
mod bundles;
mod cel;
mod check_findings;
mod check_gate;
mod cli;
mod commands;
mod concepts;
mod controlled;
mod controller;
mod custom;
mod diff;
mod documented;
mod e2e_go;
mod e2e_kubectl;
mod e2e_webhooks;
mod explain;
mod features;
mod first_hour;
mod gen_controller_gen;
mod gen_crd;
mod gen_feedback;
mod gen_go;
mod gen_go_kep;
mod gen_go_tools;
mod gen_openapi;
mod gen_releases;
mod gen_rust;
mod init;
mod keps;
mod layering;
mod lint;
mod lint_project;
mod lint_watch;
mod lsp;
mod migrate;
mod modules;
mod native_crd;
mod objects;
mod originality;
mod overload;
mod packages;
mod paths;
mod picture;
mod profile;
mod readme;
mod reconcile;
mod reference;
mod releases;
mod rule_tests;
mod rules;
mod schemas;
mod serve;
mod serving;
mod supply_chain;
mod tag_law;
mod test_programs;
mod tidy;
mod versions_page;
mod waiting;
