//! `kindsmith play`: the playground, served from the binary on loopback.

mod files;
mod http;

use std::io::BufReader;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kindsmith_playground::Session;

use crate::Outcome;
use crate::error::Error;
use crate::terminal::Terminal;
use http::{Request, Response};

/// Open the playground: type an API and an object, see what the server does
///
/// Serves a page on this machine only, with Go types, CRDs or policies on one side, an object in the middle, and what
/// the API server does with it on the other: stored object, defaults, errors with the tag or rule behind them, CEL costs,
/// ratcheting, server-side apply, generated CRDs and documentation. The page needs no network; stop it with Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith play
  kindsmith play --open             in the browser at once
  kindsmith play --port 8080")]
pub struct Args {
    /// The port on loopback; by default one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// How long a connection may be silent. Browsers open some that they do not use.
const PATIENCE: Duration = Duration::from_secs(10);

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).map_err(|error| {
            Error::environment(format!("cannot listen on port {}: {error}", self.port))
                .hint("without --port, a free one is chosen")
        })?;
        let address = listener
            .local_addr()
            .map_err(|error| Error::environment(format!("the port is not known: {error}")))?;
        let page = format!("http://localhost:{}/", address.port());
        terminal.print(&format!("Playground on {page}\n"))?;
        if self.open && !open(&page) {
            terminal.warn("no browser was found; open the address yourself");
        }
        let session = Arc::new(Mutex::new(Session::default()));
        for connection in listener.incoming().flatten() {
            let session = Arc::clone(&session);
            std::thread::spawn(move || serve(&connection, address.port(), &session));
        }
        Ok(Outcome::Clean)
    }
}

/// Opens an address in the user's browser, and returns whether that could be tried.
fn open(address: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    let quiet = command.arg(address).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().is_ok()
}

/// Answers one request. A connection that breaks has nobody to tell.
fn serve(connection: &TcpStream, port: u16, session: &Mutex<Session>) {
    let _ = connection.set_read_timeout(Some(PATIENCE));
    let _ = connection.set_write_timeout(Some(PATIENCE));
    let response = match Request::read(&mut BufReader::new(connection)) {
        Ok(request) => respond(&request, port, session),
        Err(refusal) => refusal,
    };
    let _ = response.write(&mut &*connection);
}

fn respond(request: &Request, port: u16, session: &Mutex<Session>) -> Response {
    // Pages of other sites may reach this port under a name of theirs; they are not answered.
    let hosts = ["localhost", "127.0.0.1"].map(|name| format!("{name}:{port}"));
    if !hosts.contains(&request.host) {
        return Response::text(403, "ask for localhost");
    }
    match (request.method.as_str(), request.path.as_str()) {
        ("POST", "/answer") => answer(request, session),
        ("GET", path) => files::find(path).unwrap_or_else(|| Response::text(404, "not found")),
        _ => Response::text(405, "not allowed"),
    }
}

fn answer(request: &Request, session: &Mutex<Session>) -> Response {
    let Ok(text) = std::str::from_utf8(&request.body) else {
        return Response::text(400, "not UTF-8");
    };
    // One bug must not end the server: what was kept is dropped, and the page asks again.
    let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
    match catch_unwind(AssertUnwindSafe(|| session.answer(text))) {
        Ok(answer) => Response::new(200, "application/json", answer.into_bytes()),
        Err(_) => {
            *session = Session::default();
            Response::text(500, "the engine failed")
        }
    }
}
