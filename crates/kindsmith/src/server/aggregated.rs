//! A server behind the kube-aggregator of a cluster: kube-apiserver authenticates users and names them in headers, its roles
//! decide what they may do (`SubjectAccessReview`), and an `APIService` sends requests here.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use k8s_openapi::api::authentication::v1::{TokenReview, TokenReviewSpec};
use k8s_openapi::api::authorization::v1::{
    NonResourceAttributes, ResourceAttributes, SubjectAccessReview, SubjectAccessReviewSpec,
};
use k8s_openapi::api::core::v1::ConfigMap;
use kindsmith_api::{Attributes, Authenticator, Authorizer, Decision, User};
use kindsmith_server::FrontProxy;
use kube::api::PostParams;
use kube::{Api, Client};
use tokio::runtime::Handle;

/// What a cluster tells servers behind it.
#[derive(Clone)]
pub struct Cluster {
    client: Client,
    /// The CAs of proxies, in PEM.
    pub(super) authorities: String,
    pub(super) proxy: FrontProxy,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Cluster")
            .field("proxy", &self.proxy)
            .finish_non_exhaustive()
    }
}

impl Cluster {
    /// Reads what servers need to know from `kube-system/extension-apiserver-authentication`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or says nothing about proxies.
    pub async fn read(client: Client) -> Result<Self, ClusterError> {
        let maps: Api<ConfigMap> = Api::namespaced(client.clone(), "kube-system");
        let map = maps.get("extension-apiserver-authentication").await?;
        let data = map.data.unwrap_or_default();
        let authorities = data
            .get("requestheader-client-ca-file")
            .cloned()
            .unwrap_or_default();
        if authorities.is_empty() {
            return Err(ClusterError::NoProxy);
        }
        let names = data
            .get("requestheader-allowed-names")
            .map_or("[]", String::as_str);
        let names = serde_json::from_str(names).unwrap_or_default();
        Ok(Self {
            client,
            authorities,
            proxy: FrontProxy { names },
        })
    }

    /// Asks the cluster who has a token, and what users may do.
    pub(super) fn delegated(&self) -> Delegated {
        Delegated {
            client: self.client.clone(),
            runtime: Handle::current(),
            decisions: Mutex::default(),
            users: Mutex::default(),
        }
    }
}

async fn who(client: Client, token: String) -> Option<User> {
    let review = TokenReview {
        spec: TokenReviewSpec {
            token,
            audiences: None,
        },
        ..TokenReview::default()
    };
    let reviews: Api<TokenReview> = Api::all(client);
    let status = reviews
        .create(&PostParams::default(), &review)
        .await
        .ok()?
        .status?;
    let user = status.user.filter(|_| status.authenticated == Some(true))?;
    Some(User {
        name: user.username.unwrap_or_default(),
        uid: user.uid.unwrap_or_default(),
        groups: user.groups.unwrap_or_default(),
        extra: user.extra.unwrap_or_default().into_iter().collect(),
    })
}

async fn decide(client: Client, spec: SubjectAccessReviewSpec) -> Decision {
    let reviews: Api<SubjectAccessReview> = Api::all(client);
    let review = SubjectAccessReview {
        spec,
        ..SubjectAccessReview::default()
    };
    match reviews.create(&PostParams::default(), &review).await {
        Ok(review) => {
            let status = review.status.unwrap_or_default();
            Decision {
                is_allowed: status.allowed,
                reason: status.reason.unwrap_or_default(),
            }
        }
        Err(error) => Decision {
            is_allowed: false,
            reason: format!("the cluster did not decide: {error}"),
        },
    }
}

/// Why a cluster cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// It does not answer.
    Kube(Box<kube::Error>),
    /// It has no proxy: kube-apiserver runs without `--requestheader-client-ca-file`.
    NoProxy,
}

impl From<kube::Error> for ClusterError {
    fn from(error: kube::Error) -> Self {
        Self::Kube(Box::new(error))
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kube(error) => write!(
                out,
                "cannot read kube-system/extension-apiserver-authentication: {error}"
            ),
            Self::NoProxy => {
                out.write_str("the cluster names no CA of proxies (--requestheader-client-ca-file)")
            }
        }
    }
}

impl std::error::Error for ClusterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Kube(error) => Some(error),
            Self::NoProxy => None,
        }
    }
}

/// How long an answer of the cluster counts, as for other servers behind one (`DelegatingAuthorizationOptions` in
/// apiserver's pkg/server/options).
const KEPT: Duration = Duration::from_secs(10);
/// How many answers are kept.
const KEPT_ANSWERS: usize = 4096;
/// How long the cluster has to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lets the cluster decide.
pub(super) struct Delegated {
    client: Client,
    runtime: Handle,
    decisions: Mutex<Answers<Decision>>,
    users: Mutex<Answers<Option<User>>>,
}

/// Answers of the cluster, and when they came.
type Answers<A> = HashMap<String, (Instant, A)>;

impl fmt::Debug for Delegated {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Delegated").finish_non_exhaustive()
    }
}

impl Delegated {
    /// The answer to a question: a recent one, or a new one. The call is made on the program's runtime, and this thread waits.
    fn answer<A: Clone + Send + 'static>(
        &self,
        known: &Mutex<Answers<A>>,
        key: String,
        ask: impl Future<Output = A> + Send + 'static,
    ) -> Option<A> {
        let now = Instant::now();
        if let Ok(known) = known.lock()
            && let Some((at, answer)) = known.get(&key)
            && now.duration_since(*at) < KEPT
        {
            return Some(answer.clone());
        }
        let (sender, answered) = mpsc::channel();
        self.runtime.spawn(async move {
            // Nobody may wait any more.
            let _ = sender.send(ask.await);
        });
        let answer = answered.recv_timeout(PATIENCE).ok()?;
        if let Ok(mut known) = known.lock() {
            if known.len() >= KEPT_ANSWERS {
                known.clear();
            }
            known.insert(key, (now, answer.clone()));
        }
        Some(answer)
    }
}

impl Authorizer for Delegated {
    fn decide(&self, attributes: &Attributes<'_>) -> Decision {
        let spec = spec(attributes);
        let key = serde_json::to_string(&spec).unwrap_or_default();
        let decided = self.answer(&self.decisions, key, decide(self.client.clone(), spec));
        decided.unwrap_or_else(|| Decision {
            is_allowed: false,
            reason: "the cluster did not decide".to_owned(),
        })
    }
}

impl Authenticator for Delegated {
    fn authenticate(&self, token: &str) -> Option<User> {
        let ask = who(self.client.clone(), token.to_owned());
        self.answer(&self.users, token.to_owned(), ask).flatten()
    }
}

fn spec(attributes: &Attributes<'_>) -> SubjectAccessReviewSpec {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let user = attributes.user;
    let mut spec = SubjectAccessReviewSpec {
        user: text(&user.name),
        uid: text(&user.uid),
        groups: (!user.groups.is_empty()).then(|| user.groups.clone()),
        extra: (!user.extra.is_empty()).then(|| user.extra.iter().cloned().collect()),
        ..SubjectAccessReviewSpec::default()
    };
    if attributes.is_resource {
        spec.resource_attributes = Some(ResourceAttributes {
            group: text(attributes.group),
            resource: text(attributes.resource),
            subresource: text(attributes.subresource),
            namespace: text(attributes.namespace),
            name: text(attributes.name),
            verb: text(attributes.verb),
            ..ResourceAttributes::default()
        });
    } else {
        spec.non_resource_attributes = Some(NonResourceAttributes {
            path: text(attributes.path),
            verb: text(attributes.verb),
        });
    }
    spec
}
