//! `--admission-control-config-file`: the configurations of admission plugins (apiserver's pkg/admission/config.go).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kindsmith_api::{EventLimits, ImagePolicySettings, Options, Plugin};
use kindsmith_gostd::base64;
use kindsmith_json::{Arena, Value, to_string, yaml};

use crate::error::Error;
use crate::terminal::Terminal;

const VERSIONS: &[&str] = &["apiserver.config.k8s.io/v1", "apiserver.k8s.io/v1alpha1"];
const KIND: &str = "AdmissionConfiguration";
const EVENTS: Plugin = Plugin::EventRateLimit;
const IMAGES: Plugin = Plugin::ImagePolicyWebhook;

/// Configurations by plugin, as JSON.
type Configurations = Vec<(String, String)>;

/// Configures the plugins that are on. Those that need a configuration stop the start without one.
pub(crate) fn set(options: &mut Options, file: Option<&Path>, terminal: &Terminal) -> Result<(), Error> {
    let given = match file {
        Some(file) => read(file)?,
        None => Vec::new(),
    };
    for (name, _) in &given {
        if ![EVENTS.name(), IMAGES.name()].contains(&&**name) {
            terminal.warn(&format!(
                "warning: the configuration of the admission plugin {name} is not used"
            ));
        }
    }
    let of = |plugin: Plugin| {
        let found = given.iter().find(|(known, _)| known == plugin.name());
        found.map(|(_, text)| &**text)
    };
    if options.admission.plugins.is_on(EVENTS) {
        let limits = event_limits(of(EVENTS)).map_err(|why| failed(EVENTS, &why))?;
        options.admission.plugins.settings.event_limits = Some(Arc::new(limits));
    }
    if options.admission.plugins.is_on(IMAGES) {
        let policy = image_policy(of(IMAGES)).map_err(|why| failed(IMAGES, &why))?;
        options.admission.plugins.settings.image_policy = Some(Arc::new(policy));
    }
    Ok(())
}

fn failed(plugin: Plugin, why: &str) -> Error {
    let name = plugin.name();
    Error::input(format!("couldn't init admission plugin \"{name}\": {why}"))
}

fn event_limits(text: Option<&str>) -> Result<EventLimits, String> {
    let arena = Arena::new();
    let configuration = match text {
        Some(text) => yaml::parse(&arena, text.as_bytes()).map_err(|error| error.to_string())?,
        None => Value::Null,
    };
    let (version, kind) = (word(configuration, "apiVersion"), word(configuration, "kind"));
    let is_known = (version, kind) == ("eventratelimit.admission.k8s.io/v1alpha1", "Configuration");
    if text.is_some() && !is_known {
        return Err(format!(
            "no kind \"{kind}\" is registered for version \"{version}\""
        ));
    }
    EventLimits::read(configuration).map_err(|error| error.to_string())
}

fn image_policy(text: Option<&str>) -> Result<kindsmith_api::ImagePolicy, String> {
    let text = text.ok_or("no config specified")?;
    let arena = Arena::new();
    let configuration = yaml::parse(&arena, text.as_bytes()).map_err(|error| error.to_string())?;
    let settings = ImagePolicySettings::read(configuration).map_err(|error| error.to_string())?;
    let (url, authority) = service(Path::new(&settings.kubeconfig))?;
    Ok(settings.at(url, authority))
}

/// The configurations in a file.
fn read(file: &Path) -> Result<Configurations, Error> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        let name = kindsmith_gostd::quote::quote(&file.display().to_string());
        Error::input(format!(
            "unable to read admission control configuration from {name} [{error}]"
        ))
    })?;
    let folder = file.parent().unwrap_or(Path::new("."));
    parse(&text, folder).map_err(|why| Error::input(format!("{}: {why}", file.display())))
}

fn parse(text: &str, folder: &Path) -> Result<Configurations, String> {
    let arena = Arena::new();
    let value = yaml::parse(&arena, text.as_bytes()).map_err(|error| error.to_string())?;
    // Before there was a version, the file was that of the plugin itself.
    if value.get("imagePolicy").is_some() {
        return Ok(vec![(IMAGES.name().to_owned(), text.to_owned())]);
    }
    let (version, kind) = (word(value, "apiVersion"), word(value, "kind"));
    if !VERSIONS.contains(&version) || kind != KIND {
        return Err(format!(
            "no kind \"{kind}\" is registered for version \"{version}\""
        ));
    }
    check_keys(value, "", &["apiVersion", "kind", "plugins"])?;
    let plugins = value.get("plugins").and_then(Value::as_array).unwrap_or_default();
    let mut found = Vec::new();
    for (index, plugin) in plugins.iter().enumerate() {
        let place = format!("plugins[{index}].");
        check_keys(*plugin, &place, &["name", "path", "configuration"])?;
        let inside = plugin.get("configuration").filter(|inside| !inside.is_null());
        let text = match (inside, word(*plugin, "path")) {
            (Some(inside), _) => to_string(inside),
            (None, "") => continue,
            (None, path) => {
                let path = folder.join(path);
                std::fs::read_to_string(&path)
                    .map_err(|error| format!("cannot read {}: {error}", path.display()))?
            }
        };
        found.push((word(*plugin, "name").to_owned(), text));
    }
    Ok(found)
}

/// Decoding is strict.
fn check_keys(value: Value<'_>, place: &str, known: &[&str]) -> Result<(), String> {
    let members = value.as_object().unwrap_or_default();
    let unknown = members.into_iter().find(|(key, _)| !known.contains(key));
    match unknown {
        Some((key, _)) => Err(format!("strict decoding error: unknown field \"{place}{key}\"")),
        None => Ok(()),
    }
}

/// The service of a kubeconfig's current context: its URL and CA bundle.
fn service(file: &Path) -> Result<(String, String), String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let arena = Arena::new();
    let config = yaml::parse(&arena, text.as_bytes()).map_err(|error| format!("{shown}: {error}"))?;
    let named = |list: &str, name: &str| {
        let items = config.get(list).and_then(Value::as_array).unwrap_or_default();
        items.iter().find(|item| word(**item, "name") == name).copied()
    };
    let current = word(config, "current-context");
    let context = named("contexts", current).and_then(|item| item.get("context"));
    let context = context.ok_or_else(|| format!("{shown}: no context \"{current}\""))?;
    let cluster = named("clusters", word(context, "cluster")).and_then(|item| item.get("cluster"));
    let cluster = cluster.ok_or_else(|| format!("{shown}: no cluster \"{}\"", word(context, "cluster")))?;
    let user = named("users", word(context, "user")).and_then(|item| item.get("user"));
    if let Some((key, _)) = user
        .and_then(Value::as_object)
        .and_then(|user| user.into_iter().next())
    {
        return Err(format!(
            "{shown}: {key}: the service is called without credentials"
        ));
    }
    let folder = file.parent().unwrap_or(Path::new("."));
    Ok((word(cluster, "server").to_owned(), authority(cluster, folder)?))
}

/// The certificates that a cluster trusts, as base64 of PEM.
fn authority(cluster: Value<'_>, folder: &Path) -> Result<String, String> {
    let (data, path) = (
        word(cluster, "certificate-authority-data"),
        word(cluster, "certificate-authority"),
    );
    match (data, path) {
        ("", "") => Ok(String::new()),
        ("", path) => {
            let path: PathBuf = folder.join(path);
            let pem =
                std::fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
            Ok(base64::encode(&pem))
        }
        (data, _) => Ok(data.to_owned()),
    }
}

fn word<'v>(value: Value<'v>, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
