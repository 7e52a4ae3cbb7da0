"use strict";
// How the language server is started and which documents it gets. Knows no editor, so that tests can use it as it is.

/** The program and its arguments. */
function serverCommand(settings) {
  const args = ["lsp"];
  for (const [path, directory] of Object.entries(settings.modules ?? {})) {
    args.push("--module", `${path}=${directory}`);
  }
  return { command: settings.path || "kindsmith", args };
}

/** The documents that the server looks at. */
function documentSelector(settings) {
  const selector = [{ scheme: "file", language: "go" }];
  if (settings.manifests !== false) {
    selector.push({ scheme: "file", language: "yaml" });
  }
  return selector;
}

/** Files whose changes on disk matter. */
const WATCHED = "**/{*.go,go.mod,go.work,*.yaml,*.yml}";

module.exports = { serverCommand, documentSelector, WATCHED };
