//! What a server is made of.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_api::{Api, Options, TokenSigner};
use kindsmith_crd::InCode;
use kindsmith_object::FieldError;
use kindsmith_server::{Authority, Gates, Identity, Limits, Log, ServiceAccountKeys, Settings, System, Tls};
use kindsmith_store::{Memory, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::oneshot;

use super::in_code::{Context, Conversions, Typed};
use super::{Running, Secrets, Server};
use crate::crds::UnreadableDocument;
use crate::local_api::{self, ADMINISTRATOR, MASTERS};
use crate::{LoadError, Resource, rust};

/// What a server is made of. Without anything it serves built-in kinds from memory, on a free port of loopback.
#[derive(Default)]
pub struct Builder {
    kinds: rust::Api,
    crds: Vec<String>,
    directories: Vec<PathBuf>,
    store: Option<Arc<dyn Store>>,
    in_code: Vec<(String, String, InCode, Conversions)>,
    address: Option<SocketAddr>,
    is_secure: bool,
    identity: Identity,
    gates: Gates,
    configure: Vec<Configure>,
    #[cfg(feature = "kube")]
    cluster: Option<(super::Cluster, String)>,
}

type Configure = Box<dyn FnOnce(&mut Options) + Send>;

impl fmt::Debug for Builder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Builder").finish_non_exhaustive()
    }
}

/// Why a server does not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// What is wrong with types or CRDs.
    Types(LoadError),
    /// The server's error for a CRD.
    Crd {
        /// The file it is in; empty if it was given as text.
        file: String,
        /// What is wrong with it.
        error: local_api::DefineError,
    },
    /// A document among the CRDs that cannot be read: it may be one.
    Unreadable(UnreadableDocument),
    /// The store cannot be used.
    Store(kindsmith_store::Error),
    /// A file cannot be read, or the address cannot be listened on.
    Io(io::Error),
    /// Without TLS everybody may do everything, so nobody else may reach the server.
    NotLoopback(SocketAddr),
}

impl fmt::Display for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Types(error) => error.fmt(out),
            Self::Crd { file, error } if file.is_empty() => error.fmt(out),
            Self::Crd { file, error } => write!(out, "{file}: {error}"),
            Self::Unreadable(document) => document.fmt(out),
            Self::Store(error) => write!(out, "cannot open the store: {error}"),
            Self::Io(error) => error.fmt(out),
            Self::NotLoopback(address) => {
                write!(
                    out,
                    "{address} is reachable by others; add `.tls()` to listen on it"
                )
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Types(error) => Some(error),
            Self::Crd { error, .. } => Some(error),
            Self::Store(error) => Some(error),
            Self::Io(error) => Some(error),
            Self::Unreadable(_) | Self::NotLoopback(_) => None,
        }
    }
}

impl Builder {
    /// Serves a kind written in Rust; call it again for other kinds and versions.
    #[must_use]
    pub fn kind<T: Resource>(mut self) -> Self {
        self.kinds = self.kinds.kind::<T>();
        self
    }

    /// Serves the CRDs in the YAML and JSON files of a directory.
    #[must_use]
    pub fn crds(mut self, directory: impl AsRef<Path>) -> Self {
        self.directories.push(directory.as_ref().to_owned());
        self
    }

    /// Serves a CRD, given as YAML or JSON.
    #[must_use]
    pub fn crd(mut self, text: impl Into<String>) -> Self {
        self.crds.push(text.into());
        self
    }

    /// Keeps objects in this store; by default they are kept in memory. A store on disk or in etcd may be shared with
    /// `kindsmith serve`.
    #[must_use]
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Adds a rule in code beside those of the type. It sees the new object with its defaults and, on an update, the
    /// stored one; an error that the schema finds too is reported once.
    #[must_use]
    pub fn validate<T>(
        mut self,
        check: impl Fn(&T, Option<&T>, &Context<'_>) -> Vec<FieldError> + Send + Sync + 'static,
    ) -> Self
    where
        T: Resource + DeserializeOwned + 'static,
    {
        let rules = Typed::rules::<T>(check);
        self.code::<T>().0.rules.push(rules);
        self
    }

    /// Converts objects of a kind from one version to another. Say both ways.
    #[must_use]
    pub fn convert<A, B>(mut self, convert: impl Fn(A) -> Result<B, String> + Send + Sync + 'static) -> Self
    where
        A: Resource + DeserializeOwned,
        B: Resource + Serialize,
    {
        self.code::<A>().1.add::<A, B>(convert);
        self
    }

    /// Listens on this address instead of a free port of loopback.
    #[must_use]
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.address = Some(address);
        self
    }

    /// Speaks TLS with a certificate of its own; roles and bindings decide what clients may do. The kubeconfig is the
    /// administrator's.
    #[must_use]
    pub fn tls(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Accepts these credentials, with TLS.
    #[must_use]
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = identity;
        self
    }

    /// Serves behind a cluster: users are those that its kube-apiserver names, and its roles decide what they may do. It
    /// reaches this server as a service; [`Server::api_services`] registers it there. Call it within a runtime.
    #[cfg(feature = "kube")]
    #[must_use]
    pub fn behind(mut self, cluster: super::Cluster, namespace: &str, service: &str) -> Self {
        self.is_secure = true;
        let delegated = Arc::new(cluster.delegated());
        self.identity.trust_proxy(cluster.proxy.clone());
        self.identity.delegate(Arc::clone(&delegated) as _);
        self.cluster = Some((cluster, format!("{service}.{namespace}.svc")));
        self.configure(|options| options.authorizer = Some(delegated))
    }

    /// Sets feature gates.
    #[must_use]
    pub fn gates(mut self, gates: Gates) -> Self {
        self.gates = gates;
        self
    }

    /// Decides which admission plugins run.
    #[must_use]
    pub fn admission(self, plugins: kindsmith_admission::Plugins) -> Self {
        self.configure(|options| options.admission.plugins = plugins)
    }

    /// Changes any other option of the API.
    #[must_use]
    pub fn configure(mut self, change: impl FnOnce(&mut Options) + Send + 'static) -> Self {
        self.configure.push(Box::new(change));
        self
    }

    /// Starts the server; clients can connect when this returns.
    ///
    /// # Errors
    ///
    /// See [`StartError`].
    pub async fn start(self) -> Result<Server, StartError> {
        let (started, starting) = oneshot::channel();
        std::thread::spawn(move || {
            // Nobody may wait any more; then the server stops again.
            let _ = started.send(self.start_blocking());
        });
        starting
            .await
            .map_err(|error| StartError::Io(io::Error::other(error)))?
    }

    /// [`start`](Self::start) for programs that are not asynchronous.
    ///
    /// # Errors
    ///
    /// See [`StartError`].
    pub fn start_blocking(self) -> Result<Server, StartError> {
        let address = self.address.unwrap_or((Ipv4Addr::LOCALHOST, 0).into());
        if !self.is_secure && !address.ip().is_loopback() {
            return Err(StartError::NotLoopback(address));
        }
        let mut texts = self.crds;
        if !self.kinds.is_empty() {
            texts.extend(self.kinds.crds().map_err(StartError::Types)?);
        }
        let mut crds: Vec<(String, String)> = texts.into_iter().map(|text| (String::new(), text)).collect();
        for directory in &self.directories {
            crds.extend(crate::files::read(directory).map_err(StartError::Io)?);
        }
        let mut options = local_api::options(&self.gates);
        options.serving.in_code = self.in_code.into_iter().map(joined).collect();
        options.tokens.signer = Some(token_signer().map_err(StartError::Io)?);
        for change in self.configure {
            change(&mut options);
        }
        let store = self.store.unwrap_or_else(|| Arc::new(Memory::new()));
        let api = Api::open(store, Box::new(System), options).map_err(StartError::Store)?;
        for (file, text) in crds {
            let mut unreadable = None;
            let mut tell = |document: &UnreadableDocument| unreadable = Some(document.clone());
            let defined = local_api::define_all(&api, &file, &text, &mut tell);
            if let Some(document) = unreadable {
                return Err(StartError::Unreadable(document));
            }
            defined.map_err(|error| StartError::Crd { file, error })?;
        }
        #[cfg_attr(
            not(feature = "kube"),
            expect(unused_mut, reason = "only clusters change them")
        )]
        let (mut is_slow, mut names, mut proxies) = (false, vec!["localhost".to_owned()], None::<String>);
        #[cfg(feature = "kube")]
        if let Some((cluster, name)) = self.cluster {
            is_slow = true;
            names.push(name);
            proxies = Some(cluster.authorities);
        }
        let (tls, secrets) = if self.is_secure {
            let (mut tls, secrets) = certificates(address.ip(), &names).map_err(StartError::Io)?;
            tls.clients = proxies.take().or(tls.clients);
            (Some(tls), Some(secrets))
        } else {
            (None, None)
        };
        let settings = Settings {
            is_slow,
            ..settings(self.gates, self.identity, tls)
        };
        let versions = self.kinds.versions();
        let api = Arc::new(api);
        let running = Running::start(Arc::clone(&api), address, settings).map_err(StartError::Io)?;
        Ok(Server {
            api,
            running,
            secrets,
            versions,
        })
    }

    fn code<T: Resource>(&mut self) -> (&mut InCode, &mut Conversions) {
        let known = self
            .in_code
            .iter()
            .position(|(group, kind, ..)| group == T::GROUP && kind == T::KIND);
        let index = known.unwrap_or_else(|| {
            let (code, conversions) = (InCode::default(), Conversions::default());
            self.in_code
                .push((T::GROUP.to_owned(), T::KIND.to_owned(), code, conversions));
            self.in_code.len() - 1
        });
        let (.., code, conversions) = &mut self.in_code[index];
        (code, conversions)
    }
}

fn joined(given: (String, String, InCode, Conversions)) -> (String, String, InCode) {
    let (group, kind, mut code, conversions) = given;
    if !conversions.is_empty() {
        code.converter = Some(Arc::new(conversions));
    }
    (group, kind, code)
}

/// Signs tokens of service accounts with a key of this server alone.
fn token_signer() -> io::Result<Arc<dyn TokenSigner>> {
    let pem = ServiceAccountKeys::generate().map_err(io::Error::other)?;
    let keys = ServiceAccountKeys::new(&pem, ServiceAccountKeys::ISSUER, Vec::new());
    Ok(Arc::new(keys.map_err(io::Error::other)?))
}

/// A CA, the server's certificate and the administrator's.
fn certificates(address: IpAddr, names: &[String]) -> io::Result<(Tls, Secrets)> {
    let authority = Authority::generate().map_err(io::Error::other)?;
    let addresses = [address, Ipv4Addr::LOCALHOST.into()];
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let server = authority.server(&names, &addresses).map_err(io::Error::other)?;
    let administrator = authority
        .client(ADMINISTRATOR, &[MASTERS])
        .map_err(io::Error::other)?;
    let authority = authority.credential().certificate.clone();
    let tls = Tls {
        server,
        clients: Some(authority.clone()),
    };
    Ok((
        tls,
        Secrets {
            authority,
            administrator,
        },
    ))
}

/// How requests are served: with TLS to those who have credentials, without it to everybody.
pub(crate) fn settings(gates: Gates, identity: Identity, tls: Option<Tls>) -> Settings {
    Settings {
        identity,
        trusts_everybody: tls.is_none(),
        tls,
        limits: Limits::default(),
        gates,
        audit: None,
        log: Log::Nothing,
        webhook_metrics: None,
        is_slow: false,
    }
}
