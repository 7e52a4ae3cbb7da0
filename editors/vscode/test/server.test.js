"use strict";
// The extension's command, run for real, and spoken to with the client's own protocol library. `KINDSMITH` names the
// program; without it the one on PATH is used. `EXTENSION` names an unpacked package to test instead of this directory.

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { pathToFileURL } = require("node:url");

const extension = path.resolve(process.env.EXTENSION ?? path.join(__dirname, ".."));
const protocol = require(path.join(extension, "node_modules/vscode-languageserver-protocol/lib/node/main.js"));
const { serverCommand } = require(path.join(extension, "server.js"));

const TYPES = `package v1

type GateSpec struct {
	// +k8s:maxLenght=3
	Name string \`json:"name"\`
}
`;

function workspace() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "kindsmith-vscode-"));
  fs.writeFileSync(path.join(root, "go.mod"), "module example.org/park\n");
  fs.writeFileSync(path.join(root, "doc.go"), "// +k8s:validation-gen=*\npackage v1\n");
  fs.writeFileSync(path.join(root, "types.go"), TYPES);
  return root;
}

/** A text after an edit on one line. */
function applied(text, { range, newText }) {
  const lines = text.split("\n");
  const line = lines[range.start.line];
  assert.equal(range.start.line, range.end.line);
  lines[range.start.line] = line.slice(0, range.start.character) + newText + line.slice(range.end.character);
  return lines.join("\n");
}

test("the real server answers the client", { timeout: 60_000 }, async () => {
  const { command, args } = serverCommand({ path: process.env.KINDSMITH });
  const root = workspace();
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  connection.listen();
  try {
    const rootUri = pathToFileURL(root).href;
    const started = await connection.sendRequest(protocol.InitializeRequest.type, {
      processId: process.pid,
      rootUri,
      capabilities: {},
      workspaceFolders: [{ uri: rootUri, name: "park" }],
    });
    assert.equal(started.serverInfo.name, "kindsmith");
    await connection.sendNotification(protocol.InitializedNotification.type, {});

    const uri = pathToFileURL(path.join(root, "types.go")).href;
    const published = new Promise((resolve) =>
      connection.onNotification(protocol.PublishDiagnosticsNotification.type, resolve),
    );
    await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "go", version: 1, text: TYPES },
    });
    const { diagnostics } = await published;
    assert.deepEqual(diagnostics.map(({ code }) => code), ["unknown-tag"]);

    const items = await connection.sendRequest(protocol.CompletionRequest.type, {
      textDocument: { uri },
      position: { line: 3, character: 9 },
    });
    assert.ok(items.some(({ label }) => label === "k8s:maxLength"));

    const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
      textDocument: { uri },
      range: diagnostics[0].range,
      context: { diagnostics },
    });
    const [fix] = actions;
    assert.equal(fix.kind, "quickfix");
    const [edit] = fix.edit.changes[uri];
    assert.ok(applied(TYPES, edit).includes("// +k8s:maxLength=3\n"), JSON.stringify(edit));

    const renamed = await connection.sendRequest(protocol.RenameRequest.type, {
      textDocument: { uri },
      position: { line: 4, character: 21 },
      newName: "title",
    });
    assert.deepEqual(renamed.changes[uri].map(({ newText }) => newText), ["title"]);

    await connection.sendRequest(protocol.ShutdownRequest.type);
    await connection.sendNotification(protocol.ExitNotification.type);
    const code = await new Promise((resolve) => child.on("exit", resolve));
    assert.equal(code, 0);
  } finally {
    connection.dispose();
    child.kill();
    fs.rmSync(root, { recursive: true });
  }
});
