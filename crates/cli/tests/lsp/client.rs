//! A small editor: starts the server, sends requests and waits for answers and findings.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A running server and the editor's side of the connection.
pub(crate) struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next_id: u64,
    next_version: u64,
    /// Findings that arrived while waiting for something else.
    published: Vec<Value>,
    root: String,
}

impl Editor {
    /// Starts the server with a directory open.
    pub(crate) fn open(root: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kindsmith"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let root = root.canonicalize().expect("the directory is there");
        let mut editor = Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
            next_id: 0,
            next_version: 0,
            published: Vec::new(),
            root: root.to_str().expect("a name").to_owned(),
        };
        let folder = json!({"uri": format!("file://{}", editor.root), "name": "root"});
        let answer = editor.request(
            "initialize",
            &json!({"capabilities": {}, "workspaceFolders": [folder]}),
        );
        assert_eq!(answer["serverInfo"]["name"], "kindsmith");
        editor.notify("initialized", &json!({}));
        editor
    }

    pub(crate) fn uri(&self, file: &str) -> String {
        format!("file://{}/{file}", self.root)
    }

    /// Writes a file of the workspace, without opening it.
    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = Path::new(&self.root).join(file);
        let folder = path.parent().expect("a file is in a directory");
        std::fs::create_dir_all(folder).expect("the directory can be made");
        std::fs::write(path, text).expect("the file can be written");
    }

    /// Opens a document and waits for its findings.
    pub(crate) fn document(&mut self, file: &str, text: &str) -> Vec<Value> {
        self.next_version += 1;
        let item =
            json!({"uri": self.uri(file), "languageId": "x", "version": self.next_version, "text": text});
        self.notify("textDocument/didOpen", &json!({"textDocument": item}));
        self.findings(file)
    }

    /// Replaces the text of a document and waits for its findings.
    pub(crate) fn change(&mut self, file: &str, change: &Value) -> Vec<Value> {
        self.next_version += 1;
        let document = json!({"uri": self.uri(file), "version": self.next_version});
        self.notify(
            "textDocument/didChange",
            &json!({"textDocument": document, "contentChanges": [change]}),
        );
        self.findings(file)
    }

    /// Waits for the findings of the current version of a document.
    fn findings(&mut self, file: &str) -> Vec<Value> {
        let (uri, version) = (self.uri(file), self.next_version);
        loop {
            let is_wanted = |params: &Value| params["uri"] == *uri && params["version"] == version;
            if let Some(index) = self.published.iter().position(is_wanted) {
                let params = self.published.remove(index);
                return params["diagnostics"].as_array().expect("a list").clone();
            }
            let message = self.receive();
            if message["method"] == "textDocument/publishDiagnostics" {
                self.published.push(message["params"].clone());
            }
        }
    }

    /// Sends a request about a place and waits for the answer.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        file: &str,
        (line, character): (usize, usize),
        more: Value,
    ) -> Value {
        let mut params = json!({
            "textDocument": {"uri": self.uri(file)},
            "position": {"line": line, "character": character},
        });
        if let (Value::Object(params), Value::Object(more)) = (&mut params, more) {
            params.extend(more);
        }
        self.request(method, &params)
    }

    /// Sends a request and waits for its result, or its error.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => error.clone(),
                    None => message["result"].clone(),
                };
            }
            if message["method"] == "textDocument/publishDiagnostics" {
                self.published.push(message["params"].clone());
            }
        }
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Says goodbye; the server ends without an error.
    pub(crate) fn quit(mut self) {
        assert_eq!(self.request("shutdown", &Value::Null), Value::Null);
        self.notify("exit", &Value::Null);
        drop(self.input.take());
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().expect("the server is there");
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("the server writes");
            assert!(read > 0, "the server ended");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(text) => length = text.parse().expect("a number"),
                None if line.trim_end().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("the whole message");
        serde_json::from_slice(&body).expect("JSON")
    }
}

/// The line and column of the `nth` occurrence of a text, plus columns.
pub(crate) fn place(text: &str, wanted: &str, plus: usize) -> (usize, usize) {
    let at = text.find(wanted).unwrap_or_else(|| panic!("no `{wanted}`")) + plus;
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |start| start + 1);
    (line, at - start)
}
