//! The permission to answer a request, with what was found out before.

use kindsmith_store::Error;

use crate::User;
use crate::request::query::Query;

/// The permission to answer a request.
#[derive(Debug)]
pub struct Authorized {
    /// The user whom the request impersonates.
    pub(crate) user: Option<User>,
    /// Its parameters, which the decision needed too.
    pub(crate) query: Query,
    /// Whether the store's memory has caught up since the request came; `None` if nobody waited for it.
    pub(crate) caught_up: Option<Result<(), Error>>,
}

impl Authorized {
    /// What the user who asks may do, or the server itself.
    pub(crate) fn of(query: Query) -> Self {
        Authorized {
            user: None,
            query,
            caught_up: None,
        }
    }

    /// The same, with what became of [`Api::catch_up`](crate::Api::catch_up).
    #[must_use]
    pub fn caught_up(self, outcome: Result<(), Error>) -> Self {
        Authorized {
            caught_up: Some(outcome),
            ..self
        }
    }

    /// The user whom the request impersonates.
    #[must_use]
    pub fn impersonated(&self) -> Option<&User> {
        self.user.as_ref()
    }
}
