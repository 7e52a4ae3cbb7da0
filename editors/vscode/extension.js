"use strict";
// Starts the language server when a Go or YAML file is opened, and again when its settings change.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { serverCommand, documentSelector, WATCHED } = require("./server");

let client;

function settings() {
  const found = vscode.workspace.getConfiguration("kindsmith");
  return { path: found.get("path"), modules: found.get("modules"), manifests: found.get("manifests") };
}

async function start() {
  const current = settings();
  const run = { ...serverCommand(current), transport: TransportKind.stdio };
  client = new LanguageClient("kindsmith", "Kindsmith", { run, debug: run }, {
    documentSelector: documentSelector(current),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher(WATCHED) },
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Kindsmith: cannot start \`${run.command}\`: ${error.message}. Install it, or set kindsmith.path.`,
    );
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.dispose();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("kindsmith.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("kindsmith")) {
        return restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
