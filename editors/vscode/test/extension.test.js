"use strict";
// What the extension hands to the editor's client, with stand-ins for the editor.

const assert = require("node:assert");
const Module = require("node:module");
const test = require("node:test");

const { serverCommand, documentSelector } = require("../server");

test("settings become a command", () => {
  assert.deepEqual(serverCommand({}), { command: "kindsmith", args: ["lsp"] });
  assert.deepEqual(serverCommand({ path: "/opt/kindsmith", modules: { "a.org/b": "../b" } }), {
    command: "/opt/kindsmith",
    args: ["lsp", "--module", "a.org/b=../b"],
  });
});

test("manifests can be left out", () => {
  const languages = (settings) => documentSelector(settings).map(({ language }) => language);
  assert.deepEqual(languages({}), ["go", "yaml"]);
  assert.deepEqual(languages({ manifests: false }), ["go"]);
});

test("the extension starts, restarts and stops one client", async () => {
  const log = [];
  const commands = {};
  const vscode = {
    workspace: {
      getConfiguration: () => ({ get: (name) => ({ path: "kindsmith", modules: {}, manifests: true })[name] }),
      createFileSystemWatcher: (pattern) => pattern,
      onDidChangeConfiguration: () => ({ dispose() {} }),
    },
    commands: { registerCommand: (name, run) => ((commands[name] = run), { dispose() {} }) },
    window: { showErrorMessage: (text) => log.push(text) },
  };
  class LanguageClient {
    constructor(id, _name, server, options) {
      log.push(`new ${id} ${server.run.command} ${options.documentSelector.length}`);
    }
    async start() {
      log.push("start");
    }
    async dispose() {
      log.push("dispose");
    }
  }
  const load = Module._load;
  Module._load = (name, ...rest) => {
    if (name === "vscode") return vscode;
    if (name === "vscode-languageclient/node") return { LanguageClient, TransportKind: { stdio: 0 } };
    return load(name, ...rest);
  };
  const extension = require("../extension");
  Module._load = load;
  await extension.activate({ subscriptions: [] });
  await commands["kindsmith.restart"]();
  await extension.deactivate();
  assert.deepEqual(log, ["new kindsmith kindsmith 2", "start", "dispose", "new kindsmith kindsmith 2", "start", "dispose"]);
});
