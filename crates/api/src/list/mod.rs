//! What lists and watches share: their options, selectors, and where the next page begins.

pub(crate) mod continue_token;
pub(crate) mod list_options;
pub(crate) mod selector;
