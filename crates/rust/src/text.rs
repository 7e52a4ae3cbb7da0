//! Texts of declarations.

use std::borrow::Cow;

/// Text that is usually part of the program.
pub type Text = Cow<'static, str>;
