//! What reads of many objects share: options, selectors, continue tokens.

pub(crate) mod continue_token;
pub(crate) mod label_print;
pub(crate) mod list_options;
pub(crate) mod selector;
pub(crate) mod skim;
pub(crate) mod together;
