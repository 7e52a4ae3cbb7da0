//! A webhook server that responds as scripted in a recording.
//!
//! Every hook has a path of its own. Each POST is noted, then answered: the n-th call of a hook gets the n-th answer of its
//! script, and the last one again and again. Those that convert objects do as the entry for the wanted version says.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use kindsmith_gostd::base64;
use kindsmith_server::Authority;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Map, Value, json};

use super::conversion;

/// How long no call may come before nobody is waited for.
const SETTLED: Duration = Duration::from_millis(300);

/// The hooks of a scenario.
pub(crate) struct Hooks {
    /// `https://` and the address.
    pub(crate) base: String,
    /// The CA of its certificate, as base64 of PEM.
    pub(crate) bundle: String,
    /// A CA that did not sign it.
    pub(crate) other: String,
    shared: Arc<Shared>,
}

/// What the threads of all connections share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified of every call and of new scripts.
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }
}

#[derive(Default)]
struct State {
    scripts: HashMap<String, Value>,
    counts: HashMap<String, usize>,
    calls: Vec<Value>,
    /// How many connections are open.
    open: usize,
    /// How often scripts were loaded.
    loads: usize,
    /// When the last call came.
    last: Option<Instant>,
}

impl Hooks {
    pub(crate) fn start() -> Self {
        let authority = Authority::generate().expect("an authority can be made");
        let other = Authority::generate().expect("an authority can be made");
        let config = config(&authority);
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it has an address");
        let shared = Arc::<Shared>::default();
        let served = Arc::clone(&shared);
        // Threads end with the process: a scenario does not wait for calls that never come.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, shared) = (Arc::clone(&config), Arc::clone(&served));
                std::thread::spawn(move || {
                    shared.lock().open += 1;
                    serve(stream, config, &shared);
                    shared.lock().open -= 1;
                });
            }
        });
        let bundle = |authority: &Authority| base64::encode(authority.credential().certificate.as_bytes());
        Hooks {
            base: format!("https://{address}"),
            bundle: bundle(&authority),
            other: bundle(&other),
            shared,
        }
    }

    /// Gives hooks new scripts and starts them from the beginning.
    pub(crate) fn load(&self, scripts: Option<&Value>) {
        let mut state = self.shared.lock();
        state.loads += 1;
        for (name, script) in scripts.and_then(Value::as_object).into_iter().flatten() {
            state.scripts.insert(name.clone(), script.clone());
            state.counts.insert(name.clone(), 0);
        }
        self.shared.changed.notify_all();
    }

    /// The names of all hooks, longest first.
    pub(crate) fn names(&self) -> Vec<String> {
        let state = self.shared.lock();
        let mut names: Vec<String> = state.scripts.keys().cloned().collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names
    }

    /// Whether calls of a hook run at the same time as others.
    pub(crate) fn is_validating(&self, name: &str) -> bool {
        let state = self.shared.lock();
        state
            .scripts
            .get(name)
            .is_some_and(|script| script["kind"] == "validating")
    }

    /// Waits until no call has come for a while, if there are hooks that convert: those are asked without anybody waiting. Where one
    /// `is_asked` for sure, its call is waited for first, however busy the machine is.
    pub(crate) fn settle(&self, is_asked: bool) {
        let start = Instant::now();
        let mut state = self.shared.lock();
        let mut scripts = state.scripts.values();
        if !scripts.any(|script| script["kind"] == "conversion") {
            return;
        }
        while start.elapsed() < SETTLED * 16 {
            let is_late = is_asked && !state.calls.iter().any(conversion::is_one);
            let last = state.last.unwrap_or(start).max(start);
            let left = SETTLED.saturating_sub(last.elapsed());
            if left.is_zero() && !is_late {
                return;
            }
            let waited = self.shared.changed.wait_timeout(state, left.max(SETTLED / 10));
            state = waited.expect("nobody panics with it").0;
        }
    }

    /// How many connections are open.
    pub(crate) fn open(&self) -> usize {
        self.shared.lock().open
    }

    /// How many calls came since this was last asked what they were.
    pub(crate) fn count(&self) -> usize {
        self.shared.lock().calls.len()
    }

    /// The calls since this was last asked.
    pub(crate) fn take_calls(&self) -> Vec<Value> {
        std::mem::take(&mut self.shared.lock().calls)
    }
}

fn config(authority: &Authority) -> Arc<ServerConfig> {
    let own = authority
        .server(&["localhost"], &[IpAddr::V4(Ipv4Addr::LOCALHOST)])
        .expect("it signs");
    let chain = CertificateDer::pem_slice_iter(own.certificate.as_bytes());
    let chain: Vec<_> = chain.collect::<Result<_, _>>().expect("it is a certificate");
    let key = PrivateKeyDer::from_pem_slice(own.key.as_bytes()).expect("it is a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has them")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("they belong together");
    Arc::new(config)
}

/// Answers the calls of a connection until it is closed.
fn serve(stream: TcpStream, config: Arc<ServerConfig>, shared: &Shared) -> Option<()> {
    let connection = ServerConnection::new(config).ok()?;
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    loop {
        let (method, target, referer, body) = receive(&mut stream)?;
        // Whoever was redirected may send nothing.
        let review: Value = match method.as_str() {
            "GET" => Value::Null,
            _ => serde_json::from_slice(&body).ok()?,
        };
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let name = path.trim_matches('/').to_owned();
        let script = {
            let mut state = shared.lock();
            let mut call = json!({"hook": name, "query": query, "review": review});
            if let Some(referer) = referer {
                call["redirected"] = json!([method, referer]);
            }
            state.calls.push(call);
            let count = state.counts.entry(name.clone()).or_default();
            let at = *count;
            *count += 1;
            state.last = Some(Instant::now());
            shared.changed.notify_all();
            let script = state.scripts.get(&name);
            script.and_then(|script| pick(script, at, &review)).cloned()
        };
        let script = script.unwrap_or_else(|| json!({"httpStatus": 404, "raw": "no such hook"}));
        std::thread::sleep(Duration::from_millis(
            script["delayMs"].as_u64().unwrap_or_default(),
        ));
        if script["hang"] == true {
            wait_for_load(shared);
            return None;
        }
        if script["close"] == true {
            return None;
        }
        send(&mut stream, &script, &text(&script, &review))?;
    }
}

/// Waits until hooks get new scripts.
fn wait_for_load(shared: &Shared) {
    let state = shared.lock();
    let before = state.loads;
    drop(shared.changed.wait_while(state, |state| state.loads == before));
}

/// What the script of a hook says about its n-th call.
fn pick<'s>(script: &'s Value, at: usize, review: &Value) -> Option<&'s Value> {
    if let Some(answers) = script["answers"].as_array() {
        return answers.get(at).or(answers.last());
    }
    let wanted = &review["request"]["desiredAPIVersion"];
    let mut entries = script["convert"].as_array()?.iter();
    entries.find(|entry| {
        let only = entry.pointer("/match/desiredAPIVersion");
        only.is_none_or(|only| only == wanted)
    })
}

/// Reads a request: its method, target, referer and body.
fn receive(stream: &mut impl BufRead) -> Option<(String, String, Option<String>, Vec<u8>)> {
    let mut line = || {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|&read| read > 0)?;
        Some(line.trim_end().to_owned())
    };
    let first = line()?;
    let mut words = first.split(' ').map(str::to_owned);
    let (method, target) = (words.next()?, words.next()?);
    let (mut length, mut referer) = (0, None);
    loop {
        let header = line()?;
        match header.split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok()?;
            }
            Some((name, value)) if name.eq_ignore_ascii_case("referer") => {
                referer = Some(value.trim().to_owned());
            }
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((method, target, referer, body))
}

/// The response body of a script.
fn text(script: &Value, review: &Value) -> String {
    let uid = review["request"]["uid"].as_str().unwrap_or_default();
    if let Some(raw) = script["raw"].as_str() {
        return raw.replace("{{uid}}", uid);
    }
    if let Some([text, count]) = script["fill"].as_array().map(Vec::as_slice) {
        let count = count.as_u64().and_then(|count| usize::try_from(count).ok());
        return text
            .as_str()
            .unwrap_or_default()
            .repeat(count.unwrap_or_default());
    }
    let mut answer = Map::new();
    for key in ["apiVersion", "kind"] {
        let value = script.get(key).unwrap_or(&review[key]);
        if !value.is_null() {
            answer.insert(key.to_owned(), value.clone());
        }
    }
    if script["noResponse"] != true {
        answer.insert("response".to_owned(), response(script, review, uid));
    }
    Value::Object(answer).to_string()
}

fn response(script: &Value, review: &Value, uid: &str) -> Value {
    let mut response = Map::new();
    let uid = script.get("uid").cloned().unwrap_or_else(|| uid.into());
    if !uid.is_null() {
        response.insert("uid".to_owned(), uid);
    }
    if review["kind"] == "ConversionReview" {
        response.extend(conversion::response(script, &review["request"]));
        return Value::Object(response);
    }
    for key in ["allowed", "status", "warnings", "auditAnnotations"] {
        if let Some(value) = script.get(key) {
            response.insert(key.to_owned(), value.clone());
        }
    }
    let patch = script.get("patch");
    if let Some(patch) = patch {
        let text = patch.as_str().map_or_else(|| patch.to_string(), str::to_owned);
        response.insert("patch".to_owned(), base64::encode(text.as_bytes()).into());
    }
    let ty = script.get("patchType").cloned();
    let ty = ty
        .or_else(|| patch.map(|_| "JSONPatch".into()))
        .unwrap_or_default();
    if !ty.is_null() {
        response.insert("patchType".to_owned(), ty);
    }
    Value::Object(response)
}

fn send(
    stream: &mut BufReader<StreamOwned<ServerConnection, TcpStream>>,
    script: &Value,
    body: &str,
) -> Option<()> {
    let status = script["httpStatus"].as_u64().unwrap_or(200);
    let media = script["contentType"].as_str().unwrap_or("application/json");
    let mut head = format!("HTTP/1.1 {status} Scripted\r\nContent-Type: {media}\r\n");
    for (name, value) in script["headers"].as_object().into_iter().flatten() {
        head.push_str(&format!("{name}: {}\r\n", value.as_str().unwrap_or_default()));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    let stream = stream.get_mut();
    stream.write_all(head.as_bytes()).ok()?;
    if let Some(pause) = script["dripMs"].as_u64() {
        for byte in body.as_bytes() {
            stream.write_all(&[*byte]).and_then(|()| stream.flush()).ok()?;
            std::thread::sleep(Duration::from_millis(pause));
        }
    } else if status != 204 {
        stream.write_all(body.as_bytes()).ok()?;
    }
    stream.flush().ok()
}
