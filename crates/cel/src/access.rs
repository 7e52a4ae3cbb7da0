//! Questions to an authorizer: what `authorizer.group('').resource('pods').check('get')` asks.
//!
//! Knows no roles: an [`Authorizer`] answers.

/// Answers whether something may be done.
pub trait Authorizer {
    /// Whether somebody may do something.
    fn authorize(&self, question: &Question, verb: &str) -> Decision;
}

/// What is asked, but for the verb.
#[derive(Clone, Debug)]
pub struct Question {
    /// Who.
    pub subject: Subject,
    /// To what.
    pub target: Target,
}

/// The subject of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The user of the request.
    User,
    /// A service account.
    ServiceAccount {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
}

/// About what a question is, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Not known yet.
    Anything,
    /// A path.
    Path(String),
    /// An API group.
    Group(String),
    /// A resource.
    Resource(Resource),
}

/// A resource, or one object of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// The API group.
    pub group: String,
    /// The resource.
    pub resource: String,
    /// The subresource; empty for the object itself.
    pub subresource: String,
    /// The namespace; empty for none or all.
    pub namespace: String,
    /// The name; empty for all.
    pub name: String,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether it may be done.
    pub is_allowed: bool,
    /// Why.
    pub reason: String,
    /// What went wrong; empty if nothing did.
    pub error: String,
}

impl Question {
    /// The name of the value's type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.target {
            Target::Anything => "kubernetes.authorization.Authorizer",
            Target::Path(_) => "kubernetes.authorization.PathCheck",
            Target::Group(_) => "kubernetes.authorization.GroupCheck",
            Target::Resource(_) => "kubernetes.authorization.ResourceCheck",
        }
    }

    /// The Go type of the value.
    pub(crate) fn go_type(&self) -> &'static str {
        match self.target {
            Target::Anything => "library.authorizerVal",
            Target::Path(_) => "library.pathCheckVal",
            Target::Group(_) => "library.groupCheckVal",
            Target::Resource(_) => "library.resourceCheckVal",
        }
    }
}
