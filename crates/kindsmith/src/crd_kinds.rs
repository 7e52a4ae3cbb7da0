//! Without the feature `go`, there are no kinds but those of CRDs.

use kindsmith_json::Arena;
use kindsmith_json::path::Step;

use crate::Kinds;
use crate::review::ArenaReview;
use crate::write::Write;

impl Kinds {
    pub(crate) fn review_typed<'a>(
        &'a self,
        _: &str,
        _: &str,
        _: &'a Arena,
        _: &Write<'a>,
    ) -> Option<ArenaReview<'a>> {
        None
    }

    pub(crate) fn builtin(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    pub(crate) fn typed_fields(&self, _: &str, _: &str, _: &[Step]) -> Vec<String> {
        Vec::new()
    }
}
