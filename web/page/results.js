// Shows an answer. Everything from outside becomes text, never HTML.

/** The part of an answer that a panel shows beside its text. */
export function shownBy(panel, { ratcheted, changes, stored, rules, apply }, { manager, force }) {
  switch (panel) {
    case "stored": return [ratcheted, changes, Boolean(stored)];
    case "rules": return rules;
    case "apply": return [apply && { ...apply, text: Boolean(apply.text) }, manager, force];
    default: return null;
  }
}

/** An element with properties, attributes (`data-…`, `aria-…`) and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-")) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const PANES = { go: "Go types", crds: "CRDs", policies: "policies", object: "object", old: "old object" };
const jump = (className, text, place, act) =>
  make("button", { type: "button", className, textContent: text, onclick: () => act.go(place) });
const where = (place, act) => jump("where", `${PANES[place.pane]}, line ${place.line}`, place, act);
const cause = (found, act) => found && jump("cause", `${found.label}: ${PANES[found.pane]}, line ${found.line}`, found, act);

export function findings(list, found, act) {
  list.replaceChildren(...found.map((one) => make("li", { "data-severity": one.severity },
    make("span", { className: "message", textContent: one.message }),
    where(one, act),
    cause(one.cause, act),
    one.code ? make("span", { className: "code", textContent: one.code }) : null,
    one.fix ? make("button", { type: "button", className: "fix", textContent: `Fix: ${one.fix.title}`, onclick: () => act.fix(one) }) : null,
    ...one.help.map((help) => make("span", { className: "hint", textContent: help })),
  )));
}

const WORDS = { defaulted: "defaulted", pruned: "pruned", dropped: "null dropped", cleared: "not stored", coerced: "coerced", mutated: "by a policy" };
const SHORT = 6;

export function stored(answer, act) {
  const parts = [];
  if (answer.ratcheted.length) {
    parts.push(make("h3", { textContent: "Ratcheted: a new object would be rejected for this, the update is not, because the value did not change" }),
      make("ul", { id: "ratcheted" }, ...answer.ratcheted.map((one) => make("li", {},
        make("span", { className: "message", textContent: one.message }), one.place && where(one.place, act), cause(one.cause, act)))));
  }
  if (answer.changes.length) {
    const count = answer.changes.length;
    const list = make("ul", { id: "changes" });
    // A long list is made when somebody opens it.
    const fill = () => list.childElementCount || list.append(...answer.changes.map((one) => change(one, act)));
    const isOpen = count <= SHORT || stored.isOpen;
    if (isOpen) fill();
    parts.push(make("details", { open: isOpen, ontoggle: ({ target }) => { if (count > SHORT) stored.isOpen = target.open; if (target.open) fill(); } },
      make("summary", { textContent: `Changed by the server: ${count}` }), list));
  }
  if (answer.stored) parts.push(make("h3", { textContent: "Stored object" }));
  return parts;
}

const change = (one, act) => make("li", {},
  make("span", { className: "kind", "data-kind": one.kind, textContent: WORDS[one.kind] }),
  make("code", { textContent: one.value ? `${one.path}: ${one.value}` : one.path }),
  one.place && where(one.place, act), cause(one.cause, act));

const amount = (number) => number.toLocaleString("en");

export function rules(answer, act) {
  if (!answer.rules) return [make("p", { textContent: "CEL rules are those of CRDs, and of Go types with +kubebuilder markers. This object's kind has none." })];
  if (!answer.rules.length) return [make("p", { textContent: "The schema has no CEL rules." })];
  return answer.rules.map((rule) => make("div", { className: "rule" },
    make("pre", { textContent: rule.expression }),
    make("div", { className: "facts" },
      make("span", { textContent: rule.at || "the object" }),
      make("span", { textContent: rule.type && `type ${rule.type}` }),
      rule.error ? null : make("span", { textContent: rule.estimate == null ? "no bound on its cost" : `estimated cost ${amount(rule.estimate)}${rule.times > 1 ? ` for ${amount(rule.times)} values` : ""}` }),
      rule.error ? null : make("meter", { min: 0, max: 1, low: 0.5, high: 0.9, optimum: 0, value: Math.min(rule.share, 1), title: `${(rule.share * 100).toPrecision(2)} % of a rule's budget`, "aria-label": "part of a rule's budget" }),
      rule.share > 1 ? make("strong", { textContent: "over the budget: the server rejects the CRD" }) : null,
      rule.isTransition ? make("span", { textContent: "only on updates" }) : null,
      rule.place && where(rule.place, act)),
    rule.error ? make("pre", { textContent: rule.error }) : null,
    make("table", {}, make("tbody", {}, ...rule.evaluations.map((one) => make("tr", {},
      make("td", { textContent: one.at === "<nil>" ? "the object" : one.at }),
      make("td", { className: one.value, textContent: one.value }),
      make("td", { textContent: `cost ${amount(one.cost)}` })))))));
}

export function apply(answer, settings, act, changed) {
  const manager = make("input", { type: "text", id: "manager", value: settings.manager, oninput: (event) => changed({ manager: event.target.value }) });
  const force = make("input", { type: "checkbox", id: "force", checked: settings.force, onchange: (event) => changed({ force: event.target.checked }) });
  const parts = [make("div", { className: "applying" },
    make("label", {}, "Field manager ", manager), make("label", { className: "check" }, force, "Force conflicts"))];
  const result = answer.apply;
  if (!result) return [...parts, make("p", { textContent: "Type an object to apply. With Update on, it is applied to the old object." })];
  if (result.error) parts.push(make("p", { className: "failed", textContent: result.error }));
  if (result.conflicts.length) parts.push(make("h3", { textContent: "Conflicts" }), make("ul", { id: "conflicts" },
    ...result.conflicts.map((one) => make("li", {}, make("code", { textContent: one.field }), one.message, one.place && where(one.place, act)))));
  if (result.owners.length) parts.push(make("h3", { textContent: "Owners" }), make("ul", { id: "owners" },
    ...result.owners.map((one) => make("li", {}, make("strong", { textContent: one.name }), make("code", { textContent: one.fields.join("  ") })))));
  if (result.text) parts.push(make("h3", { textContent: "Merged object" }));
  return parts;
}
