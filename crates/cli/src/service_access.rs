//! Options that say how services are reached: at which address, and with which credentials.

use std::path::PathBuf;

use kindsmith_controller::description::Described;
use kindsmith_controller::google::{Credentials, Google};

use crate::error::Error;

/// How services are reached.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ServiceArgs {
    /// Base URL to use instead of each service's own, such as http://127.0.0.1:8085
    #[arg(long, value_name = "URL")]
    service_url: Option<String>,
    /// Key file of a service account [default: GOOGLE_APPLICATION_CREDENTIALS, else the metadata server]
    #[arg(long, value_name = "FILE")]
    credentials: Option<PathBuf>,
    /// File with a bearer token, for services that are not Google's; read for every request
    #[arg(long, value_name = "FILE", conflicts_with = "credentials")]
    token_file: Option<PathBuf>,
    /// Project to charge requests to
    #[arg(long, value_name = "PROJECT")]
    quota_project: Option<String>,
}

/// Services with the credentials for them.
pub(crate) struct Services {
    args: ServiceArgs,
    credentials: Credentials,
}

impl ServiceArgs {
    /// Whether an address or credentials were given.
    pub(crate) fn is_given(&self) -> bool {
        self.service_url.is_some() || self.credentials.is_some() || self.token_file.is_some()
    }

    /// Reads the credentials.
    pub(crate) fn services(&self) -> Result<Services, Error> {
        Ok(Services {
            args: self.clone(),
            credentials: self.read()?,
        })
    }

    fn read(&self) -> Result<Credentials, Error> {
        if let Some(file) = &self.token_file {
            return Ok(Credentials::File(file.as_path().into()));
        }
        let from_environment = || std::env::var_os("GOOGLE_APPLICATION_CREDENTIALS").map(Into::into);
        // Google's tokens are not sent to a service at another address.
        if self.service_url.is_some() && self.credentials.is_none() {
            return Ok(Credentials::None);
        }
        let Some(file) = self.credentials.clone().or_else(from_environment) else {
            return Ok(Credentials::MetadataServer);
        };
        let text = crate::files::read_text(&file).map_err(|error| Error::reading(&file, &error))?;
        Credentials::key(&text).map_err(|error| Error::input(format!("{}: {error}", file.display())))
    }
}

impl Services {
    /// The URL of a kind's service.
    pub(crate) fn url(&self, described: &Described) -> String {
        let own = || format!("https://{}", described.host);
        self.args.service_url.clone().unwrap_or_else(own)
    }

    /// A client of a kind's service.
    pub(crate) fn of(&self, described: &Described) -> Result<Google, Error> {
        let credentials = match &self.credentials {
            // A service that is not Google's must not see Google's tokens.
            Credentials::MetadataServer | Credentials::Key(_) if !is_google(&described.host) => {
                Credentials::None
            }
            credentials => credentials.clone(),
        };
        let google = Google::new(&self.url(described), credentials, self.args.quota_project.clone());
        google.map_err(|error| Error::usage(format!("--service-url: {error}")))
    }
}

fn is_google(host: &str) -> bool {
    host.ends_with(".googleapis.com")
}
