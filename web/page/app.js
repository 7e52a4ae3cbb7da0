// The page: what is typed goes to the engine, its answer to the panes.

import { asking } from "./asking.js";
import { editor, lineEnd, reveal, setText, showFindings, showMarks, showText, textOf } from "./editors.js";
import { examples, load } from "./examples.js";
import * as results from "./results.js";
import { pack, unpack } from "./share.js";

const $ = (id) => document.getElementById(id);
const PANES = ["go", "crds", "policies", "object", "old"];
const LABELS = { go: "Go types", crds: "CRDs", policies: "Policies", object: "Object", old: "Old object" };
const isServed = document.documentElement.dataset.engine === "server";

const settings = { profile: "upstream", release: document.querySelector("#release [selected]").value, panel: "stored", manager: "playground", force: false, isUpdate: false, pane: "go" };
const newest = settings.release;
let answer = null;
let answerText = "";
let isAsked = false;

const keys = [
  { key: "Alt-.", run: (view) => atCursor(view, (found) => found.fix && act.fix(found)) },
  { key: "Alt-c", run: (view) => atCursor(view, (found) => found.cause && act.go(found.cause)) },
];
const views = Object.fromEntries(PANES.map((pane) => [pane, editor($(`pane-${pane}`), {
  label: LABELS[pane], language: pane === "go" ? "go" : "yaml", changed, keys,
})]));
const shown = editor($("text"), { label: "Generated text", language: "yaml", isReadOnly: true });

/** What findings can do. */
const act = {
  go(place) {
    if (["go", "crds", "policies"].includes(place.pane)) choosePane(place.pane);
    choosePart(["object", "old"].includes(place.pane) ? "objects" : "api");
    reveal(views[place.pane], place);
    showMarks(views[place.pane], [{ from: place.from, to: place.to, class: "cm-cause" }]);
  },
  fix(found) {
    const view = views[found.pane];
    view.dispatch({ changes: found.fix.edits.map(({ from, to, text }) => ({ from, to, insert: text })), userEvent: "input.fix" });
    view.focus();
  },
};

function atCursor(view, use) {
  const pane = PANES.find((name) => views[name] === view);
  const at = view.state.selection.main.head;
  const found = answer?.findings.find((one) => one.pane === pane && one.from <= at && at <= one.to && use(one) !== null);
  return Boolean(found);
}

// ---- asking

function request() {
  const texts = Object.fromEntries(PANES.map((pane) => [pane, textOf(views[pane])]));
  if (!settings.isUpdate) texts.old = "";
  return { ...texts, profile: settings.profile, release: settings.release, panel: settings.panel, manager: settings.manager, force: settings.force };
}

const send = asking({ isServed, answered, failed });

/** Asks the engine once for everything that this task changes. */
function ask() {
  if (isAsked) return;
  isAsked = true;
  queueMicrotask(() => {
    isAsked = false;
    send(request());
  });
}

function answered({ id, text, took, isLast }) {
  set($("time"), "textContent", `${took < 10 ? took.toFixed(1) : Math.round(took)} ms`);
  if (text !== answerText) [answerText, answer] = [text, JSON.parse(text)];
  show();
  if (isLast) set($("shown"), "ariaBusy", "false");
  document.documentElement.dataset.answered = id;
}

function failed(text) {
  $("verdict").dataset.verdict = "failed";
  $("summary").textContent = `The engine failed: ${text}`;
}

function changed() {
  ask();
  clearTimeout(changed.timer);
  changed.timer = setTimeout(remember, 400);
}

async function remember() {
  history.replaceState(null, "", `#${await pack(state())}`);
}

function state() {
  return { ...request(), old: textOf(views.old), isUpdate: settings.isUpdate };
}

// ---- showing

/** Writes only what differs: a write costs style and layout, also of the same value. */
function set(target, key, value) {
  if (target[key] !== value) target[key] = value;
}

/** Runs `draw` if what it draws is not what this place shows already. */
function update(place, drawn, draw) {
  const now = JSON.stringify(drawn);
  if (update.shown[place] === now) return;
  update.shown[place] = now;
  draw();
}
update.shown = {};

function show() {
  const { verdict, summary } = judged();
  set($("verdict").dataset, "verdict", verdict);
  set(document.querySelector(".switch [data-part=result]").dataset, "verdict", verdict);
  set($("summary"), "textContent", summary || "Type an API and an object");
  for (const pane of PANES) showInPane(pane);
  const removed = answer.changes.filter((one) => one.place?.pane === "object");
  showMarks(views.object, removed.map(({ kind, place: { from } }) => ({ from, to: lineEnd(views.object, from), class: `cm-${kind}` })));
  const panel = settings.panel;
  set($("shown").dataset, "panel", panel);
  const rank = (found) => PANES.indexOf(found.pane) + (found.pane === "object" ? -9 : 0);
  const shownFindings = panel !== "stored" ? [] : [...answer.findings].sort((one, other) => rank(one) - rank(other) || one.from - other.from);
  update("findings", shownFindings, () => results.findings($("findings"), shownFindings, act));
  update("details", [panel, results.shownBy(panel, answer, settings)], () => showDetails(panel));
  const text = panel === "stored" ? answer.stored?.text : panel === "apply" ? answer.apply?.text : answer.text;
  set($("text"), "hidden", text == null);
  if (text != null) {
    const marks = panel === "stored" ? answer.stored.marks : [];
    showText(shown, text, marks.map(({ from, to, kind }) => ({ from, to, class: `cm-${kind}` })));
  }
  set($("docs"), "hidden", answer.html == null);
  if (answer.html != null) update("docs", answer.html, () => { $("docs").srcdoc = answer.html; });
}

function showInPane(pane) {
  const found = answer.findings.filter((one) => one.pane === pane);
  showFindings(views[pane], found, effects(pane), act);
  if ($(`tab-${pane}`)) update(`count-${pane}`, found.map((one) => one.severity), () => count($(`tab-${pane}`), found));
}

function showDetails(panel) {
  const focused = document.activeElement?.id;
  $("details").replaceChildren(...details(panel));
  if (["manager", "force"].includes(focused)) $(focused)?.focus();
}

/** What is said about the object: as a write, or as the apply that is shown. */
function judged() {
  const { apply } = answer;
  if (settings.panel !== "apply" || !apply) return answer;
  if (!apply.error) return { verdict: "allowed", summary: "apply allowed" };
  const count = apply.conflicts.length;
  return { verdict: "rejected", summary: count ? `apply rejected: ${count} conflict${count > 1 ? "s" : ""}` : "apply rejected" };
}

/** Errors of objects, at the tag or rule in this pane that caused them. */
function effects(pane) {
  const caused = answer.findings.filter((found) => found.cause?.pane === pane);
  return caused.map((found) => ({ ...found.cause, message: `${found.cause.label}:\n${found.message}`, object: found }));
}

function details(panel) {
  switch (panel) {
    case "stored": return results.stored(answer, act);
    case "rules": return results.rules(answer, act);
    case "apply": return results.apply(answer, settings, act, (change) => { Object.assign(settings, change); changed(); });
    default: return [];
  }
}

function count(tab, findings) {
  tab.querySelector(".count")?.remove();
  if (!findings.length) return;
  const isError = findings.some((found) => found.severity === "error");
  tab.append(results.make("span", { className: isError ? "count" : "count warning", textContent: findings.length, title: "findings" }));
}

// ---- choosing

function choose(group, tab) {
  for (const other of group.querySelectorAll("[role=tab]")) {
    const isIt = other === tab;
    other.setAttribute("aria-selected", isIt);
    other.tabIndex = isIt ? 0 : -1;
  }
}

function choosePane(pane) {
  settings.pane = pane;
  for (const other of ["go", "crds", "policies"]) $(`pane-${other}`).hidden = other !== pane;
  choose($("api"), $(`tab-${pane}`));
}

function choosePanel(panel) {
  settings.panel = panel;
  choose($("result"), $(`tab-${panel}`));
  $("shown").setAttribute("aria-labelledby", `tab-${panel}`);
  $("shown").ariaBusy = "true";
  ask();
}

function choosePart(part) {
  document.querySelector("main").dataset.part = part;
  for (const button of document.querySelectorAll(".switch button")) button.setAttribute("aria-pressed", button.dataset.part === part);
}

function chooseUpdate(isUpdate) {
  settings.isUpdate = isUpdate;
  $("update").checked = isUpdate;
  $("old").hidden = !isUpdate;
  if (isUpdate && !textOf(views.old)) setText(views.old, textOf(views.object));
}

function restore(saved) {
  for (const pane of PANES) setText(views[pane], saved[pane] ?? "");
  Object.assign(settings, { profile: saved.profile ?? "upstream", release: saved.release || newest, manager: saved.manager ?? "playground", force: saved.force ?? false });
  $("profile").value = settings.profile;
  $("release").value = settings.release;
  chooseUpdate(saved.isUpdate ?? Boolean(saved.old));
  choosePane(saved.go ? "go" : saved.crds ? "crds" : saved.policies ? "policies" : "go");
  choosePanel(saved.panel ?? "stored");
}

async function chooseExample(name) {
  const example = await load(name);
  $("note").textContent = example.note;
  $("note").hidden = !example.note;
  restore(example.state);
  history.replaceState(null, "", `#${name}`);
}

async function share() {
  await remember();
  let text = "Link in the address bar";
  try {
    await navigator.clipboard.writeText(location.href);
    text = "Link copied";
  } catch {
    // Without permission the link is in the address bar only.
  }
  $("share").textContent = text;
  setTimeout(() => { $("share").textContent = "Share"; }, 2000);
}

function chooseTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // A private window forgets it.
  }
}

// ---- listening

for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.addEventListener("click", () => (tab.dataset.pane ? choosePane(tab.dataset.pane) : choosePanel(tab.dataset.panel)));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...tab.parentElement.children];
    const next = all[(all.indexOf(tab) + step + all.length) % all.length];
    next.click();
    next.focus();
  });
}
for (const button of document.querySelectorAll(".switch button")) button.onclick = () => choosePart(button.dataset.part);
$("update").onchange = (event) => { chooseUpdate(event.target.checked); changed(); };
$("profile").onchange = (event) => { settings.profile = event.target.value; changed(); };
$("release").onchange = (event) => { settings.release = event.target.value; changed(); };
$("example").onchange = (event) => event.target.value && chooseExample(event.target.value);
$("share").onclick = share;
$("help").onclick = () => $("keys").showModal();
$("theme").onclick = () => {
  const isDark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  chooseTheme(isDark ? "light" : "dark");
};
addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey) return;
  const run = {
    Digit1: () => { choosePart("api"); views[settings.pane].focus(); },
    Digit2: () => { choosePart("objects"); views.object.focus(); },
    Digit3: () => { chooseUpdate(true); choosePart("objects"); views.old.focus(); ask(); },
    Digit4: () => { choosePart("result"); $("result").focus(); },
    KeyU: () => { chooseUpdate(!settings.isUpdate); changed(); },
    KeyS: share,
  }[event.code];
  if (run) {
    event.preventDefault();
    run();
  }
});
addEventListener("hashchange", start);

// ---- starting

async function start() {
  const fragment = location.hash.slice(1);
  const saved = await unpack(fragment);
  const known = examples.some(([name]) => name === fragment);
  $("note").hidden = true;
  if (saved) {
    $("example").value = "";
    restore(saved);
  } else {
    const name = known ? fragment : examples[0][0];
    $("example").value = name;
    await chooseExample(name);
  }
}

$("example").append(new Option("(your own)", ""), ...examples.map(([name, title]) => new Option(title, name)));
try {
  const theme = localStorage.getItem("theme");
  if (theme) chooseTheme(theme);
} catch {
  // A private window has none.
}
start();
