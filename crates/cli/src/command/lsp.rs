//! `kindsmith lsp`: the language server, over standard input and output.

mod manifests;

use std::path::Path;
use std::time::{Duration, Instant};

use kindsmith_go::package::Options;
use kindsmith_lint::Config;
use kindsmith_lsp::{Answer, Encoding, Settings, Workspace, capabilities};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::lint;
use crate::Outcome;
use crate::error::Error;
use crate::files::{Disk, module_cache, standard_library};
use crate::terminal::Terminal;

/// How long the editor must be quiet before findings are looked for, so that typing does not wait for them.
const QUIET: Duration = Duration::from_millis(60);

/// Run the language server for editors
///
/// Speaks the Language Server Protocol over standard input and output. For Go API types: findings while typing,
/// completion of tags, hovers with the page of a tag and the resulting CRD, definitions of the fields and constants
/// that tags name, quick fixes, CEL rules with their cost, renames of JSON names. For YAML manifests: findings,
/// hovers and completion from CRDs in the workspace and built-in kinds.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kindsmith lsp                                 started by an editor; see docs/editors.md
  kindsmith lsp --module example.org/other=../other
                                                read another module from its directory")]
pub struct Args {
    /// Read a module's Go packages from a directory; may be given more than once
    #[arg(long = "module", value_name = "PATH=DIR", value_parser = crate::input::module)]
    modules: Vec<(String, String)>,
    /// For editors that name the transport; it is the only one
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Args {
    pub(super) fn run(self, terminal: &Terminal) -> Result<Outcome, Error> {
        let (connection, threads) = Connection::stdio();
        let (id, params) = connection.initialize_start().map_err(broken)?;
        let encoding = encoding(&params);
        let answer = json!({
            "capabilities": capabilities(encoding),
            "serverInfo": {"name": "kindsmith", "version": env!("CARGO_PKG_VERSION")},
        });
        connection.initialize_finish(id, answer).map_err(broken)?;
        let roots = roots(&params);
        let project = roots.first().map_or(Path::new("."), |root| Path::new(root));
        let lint = lint::config::of_project(project).unwrap_or_else(|error| {
            terminal.say(&format!("default settings are used: {error}"));
            Config::default()
        });
        let workspace = Workspace::new(Settings {
            files: Box::new(Disk),
            packages: Options {
                module_cache: module_cache(),
                modules: self.modules,
                standard: standard_library(),
                ..Options::default()
            },
            roots,
            encoding,
            lint,
            check_manifest: Box::new(manifests::check),
        });
        Loop {
            connection,
            workspace,
            quiet_at: None,
        }
        .run()?;
        threads.join().map_err(broken)?;
        Ok(Outcome::Clean)
    }
}

/// What the columns of positions count: bytes, if the editor can.
fn encoding(params: &Value) -> Encoding {
    let offered = params.pointer("/capabilities/general/positionEncodings");
    let offered = offered.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    match offered.iter().any(|encoding| encoding == "utf-8") {
        true => Encoding::Utf8,
        false => Encoding::Utf16,
    }
}

/// The directories that are open in the editor.
fn roots(params: &Value) -> Vec<String> {
    let folders = params["workspaceFolders"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let uris = folders.iter().filter_map(|folder| folder["uri"].as_str());
    let mut roots: Vec<String> = uris.filter_map(kindsmith_lsp::path_of).collect();
    if roots.is_empty() {
        roots.extend(params["rootUri"].as_str().and_then(kindsmith_lsp::path_of));
    }
    roots
}

/// Reads messages until the editor says goodbye.
struct Loop {
    connection: Connection,
    workspace: Workspace,
    /// When the editor will have been quiet long enough.
    quiet_at: Option<Instant>,
}

impl Loop {
    fn run(mut self) -> Result<(), Error> {
        loop {
            let message = match self.quiet_at {
                None => self.connection.receiver.recv().ok(),
                Some(at) => match self.connection.receiver.recv_deadline(at) {
                    Ok(message) => Some(message),
                    Err(error) if error.is_timeout() => {
                        self.publish()?;
                        continue;
                    }
                    Err(_) => None,
                },
            };
            match message {
                // The editor is gone.
                None => return Ok(()),
                Some(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request).map_err(broken)? {
                        return Ok(());
                    }
                    self.answer(request)?;
                }
                Some(Message::Notification(notification)) => self.note(notification)?,
                Some(Message::Response(_)) => {}
            }
        }
    }

    fn answer(&mut self, request: Request) -> Result<(), Error> {
        let Request { id, method, params } = request;
        let response = match self.workspace.answer(&method, params) {
            Answer::Result(result) => Response::new_ok(id, result),
            Answer::Refused(message) => failed(id, ErrorCode::RequestFailed, message),
            Answer::Invalid(message) => failed(id, ErrorCode::InvalidParams, message),
            Answer::Unknown => failed(id, ErrorCode::MethodNotFound, format!("no method {method}")),
        };
        self.send(Message::Response(response))
    }

    fn note(&mut self, notification: Notification) -> Result<(), Error> {
        let Notification { method, params } = notification;
        let workspace = &mut self.workspace;
        match &*method {
            "textDocument/didOpen" => {
                if let Some(item) = read(&params["textDocument"]) {
                    workspace.open(item);
                }
            }
            "textDocument/didChange" => {
                if let Some(change) = read(&params) {
                    workspace.change(&change);
                }
            }
            "textDocument/didClose" => {
                let closed = read(&params["textDocument"]["uri"]).and_then(|uri| workspace.close(&uri));
                if let Some(closed) = closed {
                    self.publish_one(&closed)?;
                }
            }
            "textDocument/didSave" => {
                if let Some(uri) = read(&params["textDocument"]["uri"]) {
                    workspace.disk_changed(&uri);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                for change in params["changes"].as_array().map_or(&[][..], Vec::as_slice) {
                    if let Some(uri) = read(&change["uri"]) {
                        workspace.disk_changed(&uri);
                    }
                }
            }
            _ => {}
        }
        if self.workspace.has_unpublished() {
            self.quiet_at = Some(Instant::now() + QUIET);
        }
        Ok(())
    }

    fn publish(&mut self) -> Result<(), Error> {
        self.quiet_at = None;
        for params in self.workspace.publish() {
            self.publish_one(&params)?;
        }
        Ok(())
    }

    fn publish_one(&self, params: &kindsmith_lsp::Published) -> Result<(), Error> {
        let notification = Notification::new("textDocument/publishDiagnostics".to_owned(), params);
        self.send(Message::Notification(notification))
    }

    fn send(&self, message: Message) -> Result<(), Error> {
        self.connection.sender.send(message).map_err(broken)
    }
}

fn failed(id: RequestId, code: ErrorCode, message: String) -> Response {
    Response::new_err(id, code as i32, message)
}

/// Reads what an editor sent; malformed parameters of a notification are ignored, because nobody waits for an answer.
fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    serde_json::from_value(value.clone()).ok()
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::environment(format!("the connection to the editor broke: {error}"))
}
