//! How a cluster is reached: from a kubeconfig, or from the service account of a Pod.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use kindsmith_gostd::base64;
use kindsmith_gostd::time::{Layout, Time};
use kindsmith_json::{Arena, to_string, yaml};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::json;
use tokio::sync::Mutex;

use crate::Json;
use crate::cluster::ClusterError;
use crate::transport::{Base, Endpoint, Identity, Trust, tls};

/// Where Pods find their service account.
const ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";
/// How long before its end a token is renewed.
const MARGIN: Duration = Duration::from_secs(30);

/// A cluster and who one is there.
pub(super) struct Access {
    pub(super) endpoint: Endpoint,
    credentials: Credentials,
    /// The user to act as.
    impersonation: Vec<(&'static str, String)>,
}

enum Credentials {
    /// None, or the client's certificate.
    None,
    /// The value of the header.
    Given(String),
    /// A file with a token, read for every request, since tokens are renewed.
    File(PathBuf),
    /// A program that prints a token.
    Program(Box<Program>, Mutex<Option<Printed>>),
}

impl Access {
    /// The cluster of the kubeconfig in `KUBECONFIG` or in the home directory, or the one this runs in.
    pub(super) async fn default() -> Result<Self, ClusterError> {
        let given = std::env::var_os("KUBECONFIG").filter(|given| !given.is_empty());
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".kube/config"));
        let files: Vec<PathBuf> = match &given {
            Some(given) => std::env::split_paths(given).collect(),
            None => home().into_iter().collect(),
        };
        let files: Vec<PathBuf> = files.into_iter().filter(|file| file.exists()).collect();
        if !files.is_empty() {
            return Self::of_files(&files).await;
        }
        match std::env::var("KUBERNETES_SERVICE_HOST") {
            Ok(host) => Self::of_pod(&host),
            Err(_) => Err(failed(match given {
                Some(given) => format!("no such file: {}", given.display()),
                None => "there is no kubeconfig".to_owned(),
            })),
        }
    }

    fn of_pod(host: &str) -> Result<Self, ClusterError> {
        let port = std::env::var("KUBERNETES_SERVICE_PORT").unwrap_or_else(|_| "443".to_owned());
        let host = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.to_owned()
        };
        let authorities = certificates(&read(&Path::new(ACCOUNT).join("ca.crt"))?)?;
        let base = Base::of(&format!("https://{host}:{port}")).map_err(|error| failed(error.0))?;
        let tls = tls(Trust::Authorities(authorities), None).map_err(|error| failed(error.0))?;
        Ok(Access {
            endpoint: Endpoint::new(base, Some(tls), None),
            credentials: Credentials::File(Path::new(ACCOUNT).join("token")),
            impersonation: Vec::new(),
        })
    }

    /// The cluster of kubeconfigs. As in kubectl, the first file that says something counts.
    pub(super) async fn of_files(files: &[PathBuf]) -> Result<Self, ClusterError> {
        let mut found = Vec::new();
        for file in files {
            found.push((file.as_path(), parse(file)?));
        }
        let texts = |key: &str| found.iter().find_map(|(_, config)| text(config, key));
        let current =
            texts("current-context").ok_or_else(|| failed("no `current-context` in the kubeconfig"))?;
        let (_, context) = named(&found, "contexts", "context", &current)?;
        let (file, cluster) = named(
            &found,
            "clusters",
            "cluster",
            &text(context, "cluster").unwrap_or_default(),
        )?;
        let nobody = Json::Null;
        let (user_file, user) = match text(context, "user") {
            Some(user) => named(&found, "users", "user", &user)?,
            None => (file, &nobody),
        };
        Self::of_parts((folder(file), cluster), (folder(user_file), user)).await
    }

    async fn of_parts(
        (place, cluster): (&Path, &Json),
        (user_place, user): (&Path, &Json),
    ) -> Result<Self, ClusterError> {
        let url = text(cluster, "server").ok_or_else(|| failed("the cluster has no `server`"))?;
        for (part, key) in [(cluster, "proxy-url"), (user, "auth-provider")] {
            if !part[key].is_null() {
                return Err(failed(format!("`{key}` of the kubeconfig is not supported")));
            }
        }
        let trust = if cluster["insecure-skip-tls-verify"] == true {
            Trust::Anybody
        } else {
            match data(cluster, place, "certificate-authority")? {
                Some(pem) => Trust::Authorities(certificates(&pem)?),
                None => Trust::System,
            }
        };
        let (credentials, printed) = credentials(cluster, user_place, user).await?;
        let pair = match printed {
            Some((certificate, key)) => Some((certificate.into_bytes(), key.into_bytes())),
            None => data(user, user_place, "client-certificate")?.zip(data(user, user_place, "client-key")?),
        };
        let identity = pair
            .map(|(certificate, key)| identity(&certificate, &key))
            .transpose()?;
        let tls = match (trust, identity) {
            (Trust::System, None) => None,
            (trust, identity) => Some(tls(trust, identity).map_err(|error| failed(error.0))?),
        };
        let base = Base::of(&url).map_err(|error| failed(error.0))?;
        let mut impersonation = Vec::new();
        impersonation.extend(text(user, "as").map(|name| ("impersonate-user", name)));
        impersonation.extend(text(user, "as-uid").map(|uid| ("impersonate-uid", uid)));
        for group in user["as-groups"].as_array().into_iter().flatten() {
            impersonation.extend(
                group
                    .as_str()
                    .map(|group| ("impersonate-group", group.to_owned())),
            );
        }
        Ok(Access {
            endpoint: Endpoint::new(base, tls, text(cluster, "tls-server-name")),
            credentials,
            impersonation,
        })
    }

    /// A cluster without credentials.
    pub(super) fn at(url: &str) -> Result<Self, ClusterError> {
        let base = Base::of(url).map_err(|error| failed(error.0))?;
        Ok(Access {
            endpoint: Endpoint::new(base, None, None),
            credentials: Credentials::None,
            impersonation: Vec::new(),
        })
    }

    /// The headers that say who sends a request.
    pub(super) async fn headers(&self) -> Result<Vec<(&'static str, String)>, ClusterError> {
        let mut headers = self.impersonation.clone();
        let authorization = match &self.credentials {
            Credentials::None => None,
            Credentials::Given(text) => Some(text.clone()),
            Credentials::File(file) => {
                let token = read(file)?;
                Some(format!("Bearer {}", String::from_utf8_lossy(&token).trim()))
            }
            Credentials::Program(program, known) => {
                let mut known = known.lock().await;
                if known.as_ref().is_none_or(Printed::is_old) {
                    *known = Some(program.run().await?);
                }
                let token = known.as_ref().and_then(|printed| printed.token.clone());
                token.map(|token| format!("Bearer {token}"))
            }
        };
        headers.extend(authorization.map(|text| ("authorization", text)));
        Ok(headers)
    }
}

fn failed(text: impl Into<String>) -> ClusterError {
    ClusterError::Failed(text.into())
}

fn read(file: &Path) -> Result<Vec<u8>, ClusterError> {
    std::fs::read(file).map_err(|error| failed(format!("{}: {error}", file.display())))
}

fn parse(file: &Path) -> Result<Json, ClusterError> {
    let text = read(file)?;
    let arena = Arena::new();
    let value = yaml::parse(
        &arena,
        arena.alloc_str(&String::from_utf8_lossy(&text)).as_bytes(),
    )
    .map_err(|error| failed(format!("{}: {error}", file.display())))?;
    Ok(serde_json::from_str(&to_string(value)).unwrap_or_default())
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or_else(|| Path::new("."))
}

fn text(json: &Json, key: &str) -> Option<String> {
    json[key]
        .as_str()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// The entry of a list in the first file that has it.
fn named<'c>(
    configs: &'c [(&'c Path, Json)],
    list: &str,
    member: &str,
    name: &str,
) -> Result<(&'c Path, &'c Json), ClusterError> {
    for (file, config) in configs {
        let mut entries = config[list].as_array().into_iter().flatten();
        if let Some(entry) = entries.find(|entry| entry["name"] == name) {
            return Ok((file, &entry[member]));
        }
    }
    Err(failed(format!("the kubeconfig has no {member} `{name}`")))
}

/// What is in the file itself (`KEY-data`), or in the file that it names.
fn data(part: &Json, place: &Path, key: &str) -> Result<Option<Vec<u8>>, ClusterError> {
    if let Some(encoded) = text(part, &format!("{key}-data")) {
        let decoded = base64::decode(encoded.as_bytes());
        return decoded
            .map(Some)
            .map_err(|_| failed(format!("`{key}-data` of the kubeconfig is not base64")));
    }
    text(part, key).map(|file| read(&place.join(file))).transpose()
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, ClusterError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        _ => Err(failed("a certificate of the cluster's configuration is not PEM")),
    }
}

fn identity(certificate: &[u8], key: &[u8]) -> Result<Identity, ClusterError> {
    let key = PrivateKeyDer::from_pem_slice(key);
    let key = key.map_err(|_| failed("the client's key in the kubeconfig is not PEM"))?;
    Ok((certificates(certificate)?, key))
}

/// The credentials of a user, and the client's certificate with its key that a program prints.
async fn credentials(
    cluster: &Json,
    place: &Path,
    user: &Json,
) -> Result<(Credentials, Option<(String, String)>), ClusterError> {
    if let Some(file) = text(user, "tokenFile") {
        return Ok((Credentials::File(place.join(file)), None));
    }
    if let Some(token) = text(user, "token") {
        return Ok((Credentials::Given(format!("Bearer {token}")), None));
    }
    if let Some(name) = text(user, "username") {
        let pair = format!("{name}:{}", text(user, "password").unwrap_or_default());
        let header = format!("Basic {}", base64::encode(pair.as_bytes()));
        return Ok((Credentials::Given(header), None));
    }
    if user["exec"].is_null() {
        return Ok((Credentials::None, None));
    }
    let program = Program::of(cluster, place, &user["exec"])?;
    let printed = program.run().await?;
    let pair = printed.pair.clone();
    Ok((
        Credentials::Program(Box::new(program), Mutex::new(Some(printed))),
        pair,
    ))
}

/// A program that prints an `ExecCredential`.
struct Program {
    command: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
}

/// What it printed.
struct Printed {
    token: Option<String>,
    /// A certificate with its key, in PEM.
    pair: Option<(String, String)>,
    until: Option<SystemTime>,
}

impl Printed {
    fn is_old(&self) -> bool {
        self.until
            .is_some_and(|until| SystemTime::now() + MARGIN >= until)
    }
}

impl Program {
    fn of(cluster: &Json, place: &Path, exec: &Json) -> Result<Self, ClusterError> {
        let command =
            text(exec, "command").ok_or_else(|| failed("`exec` of the kubeconfig has no `command`"))?;
        // A name without a directory is looked for in PATH.
        let command = if command.contains('/') {
            place.join(command)
        } else {
            command.into()
        };
        let mut info = json!({
            "apiVersion": exec["apiVersion"], "kind": "ExecCredential", "spec": { "interactive": false },
        });
        if exec["provideClusterInfo"] == true {
            info["spec"]["cluster"] = cluster.clone();
        }
        let listed = |key: &str| exec[key].as_array().cloned().unwrap_or_default();
        let mut variables: Vec<(String, String)> = listed("env")
            .iter()
            .filter_map(|pair| Some((text(pair, "name")?, text(pair, "value").unwrap_or_default())))
            .collect();
        variables.push(("KUBERNETES_EXEC_INFO".to_owned(), info.to_string()));
        Ok(Program {
            command,
            arguments: listed("args")
                .iter()
                .filter_map(|word| word.as_str().map(str::to_owned))
                .collect(),
            variables,
        })
    }

    async fn run(&self) -> Result<Printed, ClusterError> {
        let shown = self.command.display();
        let run = tokio::process::Command::new(&self.command)
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(key, value)| (key, value)))
            .stdin(std::process::Stdio::null())
            .stderr(std::process::Stdio::inherit())
            .output()
            .await
            .map_err(|error| failed(format!("{shown}: {error}")))?;
        if !run.status.success() {
            return Err(failed(format!("{shown}: {}", run.status)));
        }
        let printed: Json = serde_json::from_slice(&run.stdout)
            .map_err(|_| failed(format!("{shown}: it did not print an ExecCredential")))?;
        let status = &printed["status"];
        let pair = text(status, "clientCertificateData").zip(text(status, "clientKeyData"));
        let token = text(status, "token");
        if token.is_none() && pair.is_none() {
            return Err(failed(format!("{shown}: it printed no token and no certificate")));
        }
        let until = text(status, "expirationTimestamp");
        let until = until.and_then(|until| Time::parse(Layout::Rfc3339, &until).ok());
        let until = until.and_then(|until| u64::try_from(until.unix_seconds()).ok());
        Ok(Printed {
            token,
            pair,
            until: until.map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)),
        })
    }
}
