"use strict";
// Runs inside VS Code, beside the extension: opens files, and writes what a user would see to the file that DRIVER_RESULTS names.

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const results = process.env.DRIVER_RESULTS;
const root = process.env.DRIVER_FILES;
let failed = 0;

function say(line) {
  fs.appendFileSync(results, `${line}\n`);
}

function check(what, isRight, seen) {
  say(`${isRight ? "ok      " : "FAILED  "}${what}${isRight ? "" : `: ${JSON.stringify(seen)}`}`);
  failed += isRight ? 0 : 1;
}

async function open(file) {
  const document = await vscode.workspace.openTextDocument(path.join(root, file));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The diagnostics of a document, once they satisfy a condition; the deadline is for a server that never answers. */
function diagnostics(document, isEnough) {
  const now = () => vscode.languages.getDiagnostics(document.uri);
  if (isEnough(now())) {
    return Promise.resolve(now());
  }
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(deadline);
      listener.dispose();
      resolve(now());
    };
    const listener = vscode.languages.onDidChangeDiagnostics(() => isEnough(now()) && finish());
    const deadline = setTimeout(finish, 60_000);
  });
}

function lineWith(document, text) {
  const lines = document.getText().split("\n");
  const line = lines.findIndex((one) => one.includes(text));
  return { line, end: new vscode.Position(line, lines[line].length) };
}

async function completions(document, position) {
  const list = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", document.uri, position);
  return list.items.map(({ label }) => (typeof label === "string" ? label : label.label).replaceAll('"', ""));
}

async function drive() {
  const wrong = await open("wrong.yaml");
  const found = await diagnostics(wrong, (all) => all.length > 0);
  const at = lineWith(wrong, "color:").line;
  check("an unknown field is marked at its line", found.some(({ range }) => range.start.line === at), found);

  const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", wrong.uri, new vscode.Position(5, 3));
  const hovered = hovers.flatMap(({ contents }) => contents.map(({ value }) => value)).join("\n");
  check("a hover shows the description of a field", hovered.includes("Name on the map"), hovered);

  const remove = new vscode.WorkspaceEdit();
  remove.delete(wrong.uri, wrong.lineAt(at).rangeIncludingLineBreak);
  await vscode.workspace.applyEdit(remove);
  const rest = await diagnostics(wrong, (all) => all.length < found.length);
  check("a mended line has no finding any more", rest.length < found.length, rest);

  const chart = await open("chart/templates/gate.yaml");
  await diagnostics(await open("late.yaml"), (all) => all.length > 0);
  const quiet = vscode.languages.getDiagnostics(chart.uri);
  check("a template of a chart has no findings", quiet.length === 0, quiet);

  const pod = await open("pod.yaml");
  const values = await completions(pod, lineWith(pod, "restartPolicy:").end);
  check("values of an enum are offered", ["Always", "OnFailure", "Never"].every((name) => values.includes(name)), values);

  const types = await open("api/types.go");
  const tags = await completions(types, lineWith(types, "// +k8s:m").end);
  check("a tag for strings is offered on a string", tags.some((tag) => tag.includes("maxLength")), tags);
  check("a tag for lists is not offered on a string", !tags.some((tag) => tag.includes("maxItems")), tags);

  const misspelled = await open("api/misspelled.go");
  const isIt = ({ message }) => message.includes("maxLenght");
  const tag = (await diagnostics(misspelled, (all) => all.some(isIt))).find(isIt);
  const fixes = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", misspelled.uri, tag.range);
  const fix = fixes.find(({ edit, kind }) => edit && kind?.value === "quickfix");
  await vscode.workspace.applyEdit(fix?.edit ?? new vscode.WorkspaceEdit());
  check("a quick fix mends a misspelled tag", misspelled.getText().includes("// +k8s:maxLength=3\n"), fixes);

  await vscode.commands.executeCommand("kindsmith.restart");
  const again = await diagnostics(wrong, (all) => all.length === rest.length);
  check("findings are back after a restart of the server", again.length === rest.length, again);

  const extension = vscode.extensions.getExtension("kindsmith.kindsmith");
  check("the extension is active", extension?.isActive === true, extension?.id);
}

exports.activate = () => {
  drive()
    .catch((error) => check("the drive", false, error.stack))
    .finally(() => say(failed === 0 ? "end: all right" : `end: ${failed} failed`));
};
