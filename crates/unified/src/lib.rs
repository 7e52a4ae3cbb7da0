//! Nothing but its `Cargo.toml`, which names small dependencies with the features that they have in the whole workspace. Crates use
//! it in their tests: `cargo test -p` then shares what `cargo test --workspace` has compiled. Nothing that is published knows it.
