//! A server-side apply that conflicts with another manager's field: `cargo run --example apply_conflict`.

#![allow(clippy::print_stdout, reason = "an example prints what it found")]

use kindsmith::apply::{Apply, DryRun};
use kindsmith::local_api::{self, Gates, System, define};
use kindsmith::{Arena, yaml};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dry_run = DryRun::new(local_api::options(&Gates::default()), Box::new(System))?;
    define(dry_run.api(), include_str!("../fixtures/gate/crd.yaml"))?;
    let arena = Arena::new();
    let mut apply = Apply {
        live: Some(yaml::parse(&arena, include_bytes!("../fixtures/gate/live.yaml"))?),
        applied: yaml::parse(&arena, include_bytes!("../fixtures/gate/renamed.yaml"))?,
        field_manager: "ci",
        is_forced: false,
    };
    let applied = dry_run.apply(&arena, &apply)?;
    for conflict in &applied.conflicts {
        println!("{}: {}", conflict.field, conflict.message);
    }
    assert!(applied.result.is_err());

    apply.live = None;
    apply.is_forced = true;
    let applied = dry_run.apply(&arena, &apply)?;
    for owner in &applied.owners {
        println!("{} owns {}", owner.name, owner.fields.join(", "));
    }
    assert!(applied.result.is_ok());
    Ok(())
}
