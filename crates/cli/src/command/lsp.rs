//! `kindsmith lsp`: the language server, over standard input and output.

mod manifests;

use std::path::Path;
use std::time::{Duration, Instant};

use kindsmith_go::package::Options;
use kindsmith_lint::Config;
use kindsmith_lsp::{Answer, Encoding, Published, Settings, Workspace, capabilities};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Outcome;
use crate::crash::contained;
use crate::crd_findings;
use crate::error::Error;
use crate::files::{Disk, module_cache, standard_library};
use crate::project;
use crate::terminal::Terminal;

/// The longest time that the editor must be quiet before findings are looked for. It is as long as finding them took
/// last time, so that typing does not wait for slow packages and findings in others come at once.
const QUIET: Duration = Duration::from_millis(60);

/// The type of a `window/logMessage` about an error.
const ERROR_MESSAGE: u32 = 1;

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
        let lint = project::of_project(project).unwrap_or_else(|error| {
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
            check_crds: Box::new(crd_findings::findings),
        });
        Loop {
            terminal,
            connection,
            workspace,
            quiet_at: None,
            took: Duration::ZERO,
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
    if offered.iter().any(|encoding| encoding == "utf-8") {
        Encoding::Utf8
    } else {
        Encoding::Utf16
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
struct Loop<'t> {
    terminal: &'t Terminal,
    connection: Connection,
    workspace: Workspace,
    /// When the editor will have been quiet long enough.
    quiet_at: Option<Instant>,
    /// How long finding findings took last time.
    took: Duration,
}

impl Loop<'_> {
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
        let answer = contained(|| self.workspace.answer(&method, params));
        let response = match answer {
            Ok(Answer::Result(result)) => Response::new_ok(id, result),
            Ok(Answer::Refused(message)) => failed(id, ErrorCode::RequestFailed, message),
            Ok(Answer::Invalid(message)) => failed(id, ErrorCode::InvalidParams, message),
            Ok(Answer::Unknown) => failed(id, ErrorCode::MethodNotFound, format!("no method {method}")),
            Err(panic) => {
                self.recover(&method, &panic)?;
                failed(id, ErrorCode::InternalError, panic)
            }
        };
        self.send(Message::Response(response))
    }

    fn note(&mut self, notification: Notification) -> Result<(), Error> {
        let Notification { method, params } = notification;
        match contained(|| noted(&mut self.workspace, &method, &params)) {
            Ok(Some(closed)) => self.publish_one(&closed)?,
            Ok(None) => {}
            Err(panic) => self.recover(&method, &panic)?,
        }
        if self.workspace.has_unpublished() {
            self.quiet_at = Some(Instant::now() + self.took.min(QUIET));
        }
        Ok(())
    }

    fn publish(&mut self) -> Result<(), Error> {
        self.quiet_at = None;
        let start = Instant::now();
        while self.workspace.has_unpublished() {
            match contained(|| self.workspace.publish()) {
                Ok(Some(params)) => self.publish_one(&params)?,
                Ok(None) => {}
                Err(panic) => self.recover("findings", &panic)?,
            }
        }
        self.took = start.elapsed();
        Ok(())
    }

    /// After a panic: the editor's log says so, and what may be half done is worked out again.
    fn recover(&mut self, work: &str, panic: &str) -> Result<(), Error> {
        self.workspace.forget();
        let message = format!("{work}: {panic}; this is a bug, please report it");
        self.terminal.say(&message);
        let params = json!({"type": ERROR_MESSAGE, "message": message});
        self.send(Message::Notification(Notification::new(
            "window/logMessage".to_owned(),
            params,
        )))
    }

    fn publish_one(&self, params: &Published) -> Result<(), Error> {
        let notification = Notification::new("textDocument/publishDiagnostics".to_owned(), params);
        self.send(Message::Notification(notification))
    }

    fn send(&self, message: Message) -> Result<(), Error> {
        self.connection.sender.send(message).map_err(broken)
    }
}

/// Takes note of what the editor did. Returns the findings to clear if it closed a document.
fn noted(workspace: &mut Workspace, method: &str, params: &Value) -> Option<Published> {
    match method {
        "textDocument/didOpen" => workspace.open(read(&params["textDocument"])?),
        "textDocument/didChange" => workspace.change(&read(params)?),
        "textDocument/didClose" => return workspace.close(&read(&params["textDocument"]["uri"])?),
        "textDocument/didSave" => workspace.disk_changed(&read(&params["textDocument"]["uri"])?),
        "workspace/didChangeWatchedFiles" => {
            for change in params["changes"].as_array().map_or(&[][..], Vec::as_slice) {
                if let Some(uri) = read(&change["uri"]) {
                    workspace.disk_changed(&uri);
                }
            }
        }
        _ => {}
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;
    use kindsmith_go::package::MemoryFiles;
    use kindsmith_lsp::Checked;

    const URI: &str = "file:///gate.yaml";

    /// A server that panics on manifests with the word `boom`, and the editor's side.
    fn server(terminal: &Terminal) -> (Loop<'_>, Connection) {
        let (connection, editor) = Connection::memory();
        let workspace = Workspace::new(Settings {
            files: Box::new(MemoryFiles::default()),
            packages: Options::default(),
            roots: Vec::new(),
            encoding: Encoding::Utf8,
            lint: Config::default(),
            check_manifest: Box::new(|_, text, _| {
                assert!(!text.contains("boom"), "a rule is wrong");
                Checked::default()
            }),
            check_crds: Box::new(|_, _| Vec::new()),
        });
        let server = Loop {
            terminal,
            connection,
            workspace,
            quiet_at: None,
            took: Duration::ZERO,
        };
        (server, editor)
    }

    fn open(server: &mut Loop<'_>, text: &str) {
        let item = json!({"uri": URI, "languageId": "yaml", "version": 1, "text": text});
        let opened = Notification::new("textDocument/didOpen".to_owned(), json!({"textDocument": item}));
        server.note(opened).expect("the editor is there");
    }

    fn actions(server: &mut Loop<'_>) {
        let start = json!({"line": 0, "character": 0});
        let params = json!({
            "textDocument": {"uri": URI},
            "range": {"start": start, "end": start},
            "context": {"diagnostics": []},
        });
        let request = Request::new(7.into(), "textDocument/codeAction".to_owned(), params);
        server.answer(request).expect("the editor is there");
    }

    fn received(editor: &Connection) -> Value {
        let message = editor.receiver.try_recv().expect("a message");
        serde_json::to_value(message).expect("JSON")
    }

    fn is_logged(message: &Value) -> bool {
        let text = message["params"]["message"].as_str().unwrap_or_default();
        message["method"] == "window/logMessage" && text.contains("internal error: a rule is wrong")
    }

    #[test]
    fn a_panic_is_logged_and_answered_and_the_server_goes_on() {
        let terminal = Terminal::new(true);
        let (mut server, editor) = server(&terminal);
        open(&mut server, "boom");
        server.publish().expect("the editor is there");
        assert!(is_logged(&received(&editor)));
        actions(&mut server);
        assert!(is_logged(&received(&editor)));
        let answer = received(&editor);
        assert_eq!(answer["error"]["code"], ErrorCode::InternalError as i32);
        open(&mut server, "fine");
        server.publish().expect("the editor is there");
        assert_eq!(received(&editor)["params"]["diagnostics"], json!([]));
        actions(&mut server);
        assert_eq!(received(&editor)["result"], json!([]));
    }
}
