//! Findings of this crate that no rule reports: about the directives that silence rules.

kindsmith_source::findings! {
    ignore_reason::IGNORE_REASON,
    unused_ignore::UNUSED_IGNORE,
}
