//! An API server to embed: kinds written in Rust and CRDs, rules and conversions in code, over any store.
//!
//! ```
//! # #[derive(serde::Serialize, serde::Deserialize, kindsmith_derive::Resource)]
//! # #[k8s(group = "park.example.org", version = "v1", kind = "Gate")]
//! # struct GateSpec { width: i32, keeper: Option<String> }
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let server = kindsmith::Server::builder()
//!     .kind::<GateSpec>()
//!     .validate::<GateSpec>(|new, _old, context| {
//!         if new.width > 300 && new.keeper.is_none() {
//!             return vec![context.required("spec.keeper", "a wide gate has a keeper")];
//!         }
//!         Vec::new()
//!     })
//!     .start()
//!     .await?;
//! let gates = "/apis/park.example.org/v1/namespaces/default/gates";
//! let gate = r#"{"apiVersion": "park.example.org/v1", "kind": "Gate", "metadata": {"name": "north"}, "spec": {"width": 400}}"#;
//! let answer = server.ask("POST", gates, gate);
//! assert_eq!(answer.status, 422);
//! assert!(answer.body.contains("spec.keeper: Required value: a wide gate has a keeper"));
//! # Ok(())
//! # })
//! # }
//! ```

#![allow(clippy::disallowed_methods, reason = "a server listens and reads files")]

#[cfg(feature = "kube")]
mod aggregated;
mod builder;
mod in_code;
mod listen;

use std::net::SocketAddr;
use std::sync::Arc;

use kindsmith_api::Api;
use kindsmith_gostd::base64;
use kindsmith_server::Credential;

pub use crate::local_api::Answer;
#[cfg(feature = "kube")]
pub use aggregated::{Cluster, ClusterError};
pub(crate) use builder::settings;
pub use builder::{Builder, StartError};
pub use in_code::{Context, path};
pub use kindsmith_admission::{Plugin, Plugins};
pub use kindsmith_server::{Gates, Identity};
pub use kindsmith_store::{Disk, Memory, Store};
#[cfg(feature = "etcd")]
pub use kindsmith_store::{Etcd, EtcdOptions, EtcdTls};
pub(crate) use listen::Running;

use crate::local_api;

/// A running API server; it stops when it is dropped.
pub struct Server {
    api: Arc<Api>,
    running: Running,
    secrets: Option<Secrets>,
    /// Groups and versions of kinds written in Rust.
    versions: Vec<(String, String)>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Server")
            .field("running", &self.running)
            .finish_non_exhaustive()
    }
}

/// What clients need to speak TLS.
#[derive(Debug)]
struct Secrets {
    authority: String,
    administrator: Credential,
}

impl Server {
    /// What the server is made of.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Sends a request as the administrator, without a connection.
    #[must_use]
    pub fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        local_api::ask(&self.api, method, path, body)
    }

    /// The API itself: requests as any user, without a connection.
    #[must_use]
    pub fn api(&self) -> &Arc<Api> {
        &self.api
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.running.address
    }

    /// Where clients find it.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.secrets.is_some() { "https" } else { "http" };
        format!("{scheme}://{}", self.running.address)
    }

    /// A kubeconfig of the administrator, which any client reads.
    #[must_use]
    pub fn kubeconfig(&self) -> String {
        let (cluster, user) = match &self.secrets {
            None => (String::new(), "{}".to_owned()),
            Some(secrets) => {
                let encoded = |pem: &str| base64::encode(pem.as_bytes());
                let user = format!(
                    "{{client-certificate-data: {}, client-key-data: {}}}",
                    encoded(&secrets.administrator.certificate),
                    encoded(&secrets.administrator.key)
                );
                let cluster = format!(", certificate-authority-data: {}", encoded(&secrets.authority));
                (cluster, user)
            }
        };
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: kindsmith\n\
             clusters:\n- name: kindsmith\n  cluster: {{server: \"{}\"{cluster}}}\n\
             contexts:\n- name: kindsmith\n  context: {{cluster: kindsmith, user: admin}}\n\
             users:\n- name: admin\n  user: {user}\n",
            self.url()
        )
    }

    /// The manifests that register the server with a cluster: an `APIService` for each group and version of its kinds, served by
    /// this service.
    #[must_use]
    pub fn api_services(&self, namespace: &str, service: &str, port: u16) -> String {
        let authority = self
            .secrets
            .as_ref()
            .map_or("", |secrets| secrets.authority.as_str());
        let manifest = |(group, version): &(String, String)| {
            format!(
                "---\napiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  name: {version}.{group}\nspec:\n  \
                 group: {group}\n  version: {version}\n  groupPriorityMinimum: 1000\n  versionPriority: 15\n  \
                 service: {{namespace: {namespace}, name: {service}, port: {port}}}\n  caBundle: {}\n",
                base64::encode(authority.as_bytes())
            )
        };
        self.versions.iter().map(manifest).collect()
    }

    /// A kube client of the administrator.
    ///
    /// # Errors
    ///
    /// If kube cannot make one.
    #[cfg(feature = "kube")]
    pub async fn client(&self) -> Result<kube::Client, Box<dyn std::error::Error + Send + Sync>> {
        let kubeconfig = kube::config::Kubeconfig::from_yaml(&self.kubeconfig())?;
        let options = kube::config::KubeConfigOptions::default();
        let config = kube::Config::from_custom_kubeconfig(kubeconfig, &options).await?;
        Ok(kube::Client::try_from(config)?)
    }

    /// Serves until somebody stops it by dropping the future, such as with `tokio::select!`.
    pub async fn serve(self) {
        std::future::pending::<()>().await;
    }
}
