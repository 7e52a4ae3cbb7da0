//! Paths that match no field: each is reported with a reason and has no effect.

use kindsmith_merge::effective::Listing;

use super::rig::{SCHEMA, attributes, schema};

#[track_caller]
fn check(path: &str, reason: &str) {
    let (listing, ignored) = Listing::of_paths([path], &schema(SCHEMA), &attributes());
    let reasons: Vec<&str> = ignored.iter().map(|ignored| &*ignored.reason).collect();
    assert_eq!(reasons, [reason], "{path}");
    assert_eq!(listing, Listing::default(), "{path} has no effect");
    assert_eq!(ignored[0].path, path);
}

#[test]
fn misspelt_fields_have_a_hint() {
    check(
        "spec.backup.strat",
        "no field `strat` in `spec.backup`; did you mean `spec.backup.start`?",
    );
    check(
        "spec.backup.Start",
        "no field `Start` in `spec.backup`; did you mean `spec.backup.start`?",
    );
    check(
        "spec.flags[*].vlaue",
        "no field `vlaue` in `spec.flags[*]`; did you mean `spec.flags[*].value`?",
    );
    check(
        "spec.enabled",
        "no field `enabled` in `spec`; did you mean `spec.backup.enabled`?",
    );
    check(
        "spec.unit",
        "no field `unit` in `spec`; did you mean `spec.backup.keep.unit`?",
    );
    check("spec.note", "no field `note` in `spec`");
    check("spec.nothingLikeIt", "no field `nothingLikeIt` in `spec`");
}

#[test]
fn paths_start_at_spec() {
    check(
        "zone",
        "only fields below `spec` can be kept; did you mean `spec.zone`?",
    );
    check(
        "sepc.zone",
        "only fields below `spec` can be kept; did you mean `spec.zone`?",
    );
    check("status.zone", "only fields below `spec` can be kept");
    check("metadata.labels", "only fields below `spec` can be kept");
    check("[*].zone", "only fields below `spec` can be kept");
}

#[test]
fn steps_fit_the_schema() {
    check("spec.zone.x", "`spec.zone` is a string and has no fields");
    check("spec.size[*]", "`spec.size` is an integer and has no fields");
    check(
        "spec.args[*]",
        "`spec.args` is kept or replaced as a whole; list `spec.args`",
    );
    check(
        "spec.tags[*]",
        "`spec.tags` is kept or replaced as a whole; list `spec.tags`",
    );
    check(
        "spec.whole.a",
        "`spec.whole` is kept or replaced as a whole; list `spec.whole`",
    );
    check(
        "spec.flags.value",
        "`spec.flags` is a list; write `spec.flags[name=…]` or `spec.flags[*]`",
    );
    check(
        "spec.flags[nmae=x]",
        "items of `spec.flags` are selected by `[name=…]`",
    );
    check(
        "spec.flags[name=x,value=y]",
        "items of `spec.flags` are selected by `[name=…]`",
    );
    check(
        "spec.backup[*]",
        "`spec.backup` has named fields, not items; name a field or list it whole",
    );
    check(
        "spec.labels[a=b]",
        "`spec.labels` has named fields, not items; name a field or list it whole",
    );
    check(
        "spec.flags[0]",
        "list items have no fixed position, so `[0]` is not supported; write `[key=value]` or `[*]`",
    );
}

#[test]
fn some_fields_are_never_kept() {
    check(
        "spec.password",
        "cannot be kept: it is write-only: its live value cannot be read",
    );
    check("spec.name", "cannot be kept: it identifies the resource");
}

#[test]
fn good_paths_work_next_to_bad_ones_and_duplicates_are_ignored() {
    let (schema, attributes) = (schema(SCHEMA), attributes());
    let read = |paths: &[&str]| Listing::of_paths(paths.iter().copied(), &schema, &attributes);
    let (listing, ignored) = read(&["spec.zone", "spec.zzz", "spec.flags[*]", "spec.zone", "spec.zzz"]);
    assert_eq!(ignored.len(), 1);
    assert_eq!(listing, read(&["spec.flags[*]", "spec.zone"]).0);
}
