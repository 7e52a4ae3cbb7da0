//! What plugins are configured with.

use std::sync::Arc;

use kindsmith_object::Release;

use super::{EventLimits, ImagePolicy};

/// What plugins are configured with.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PluginSettings {
    /// How many events may be written, for `EventRateLimit`.
    pub event_limits: Option<Arc<EventLimits>>,
    /// Who decides about images, for `ImagePolicyWebhook`.
    pub image_policy: Option<Arc<ImagePolicy>>,
    /// The release whose rules hold.
    pub release: Release,
}
