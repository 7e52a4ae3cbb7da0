// The editors: one per pane, with findings, fixes and marks.

import {
  EditorState, RangeSet, Compartment, StateEffect, StateField, EditorView, Decoration, keymap, lineNumbers, highlightActiveLine,
  highlightActiveLineGutter, drawSelection, defaultKeymap, history, historyKeymap, syntaxHighlighting, HighlightStyle,
  bracketMatching, indentUnit, forEachDiagnostic, setDiagnostics, lintGutter, lintKeymap, yaml, go, tags,
} from "./editor.js";

const colors = HighlightStyle.define([
  { tag: tags.comment, color: "light-dark(#5f6b62, #8d9a91)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.typeName, tags.definitionKeyword], color: "light-dark(#7a2f8f, #d7a4e8)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "light-dark(#14568c, #8fc4f2)" },
  { tag: [tags.string, tags.special(tags.string)], color: "light-dark(#7d4a0a, #e2b676)" },
  { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#a0361f, #f0a08c)" },
  { tag: [tags.meta, tags.labelName], color: "light-dark(#1c6a55, #7fd0b6)" },
]);

const mark = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(found, change) {
    found = found.map(change.changes);
    for (const effect of change.effects) if (effect.is(mark)) found = effect.value;
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** An editor in an element. `changed` is called after edits by the user. */
export function editor(parent, { label, language, isReadOnly, changed, keys = [] }) {
  const described = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(), isReadOnly ? [] : [highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), bracketMatching(), lintGutter()],
        indentUnit.of(language === "go" ? "\t" : "  "), language === "go" ? go() : yaml(),
        syntaxHighlighting(colors), marks,
        EditorState.readOnly.of(Boolean(isReadOnly)),
        described.of(EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", tabindex: "0" })),
        keymap.of([...keys, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((one) => one.isUserEvent("program"))) changed?.();
        }),
      ],
    }),
  });
  return view;
}

export const lineEnd = (view, at) => view.state.doc.lineAt(Math.min(at, view.state.doc.length)).to;

export const textOf = (view) => view.state.doc.toString();

export function setText(view, text) {
  if (textOf(view) === text) return;
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "program" });
}

/** Sets a text that is mostly the one shown, and its marks: only what lies between the first and the last difference is drawn again. */
export function showText(view, text, ranges) {
  const old = textOf(view);
  if (old === text) return showMarks(view, ranges);
  const least = Math.min(old.length, text.length);
  let from = 0;
  while (from < least && old.charCodeAt(from) === text.charCodeAt(from)) from++;
  let same = 0;
  while (same < least - from && old.charCodeAt(old.length - 1 - same) === text.charCodeAt(text.length - 1 - same)) same++;
  view.dispatch({ changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) }, effects: mark.of(marked(ranges, text.length)), userEvent: "program" });
}

/** What each editor underlines, as text. */
const underlined = new WeakMap();

/** Whether an editor underlines these already, where they are. */
function isUnderlined(view, text, diagnostics) {
  if ((underlined.get(view) ?? "[[],[]]") !== text) return false;
  const places = [];
  forEachDiagnostic(view.state, ({ message }, from, to) => places.push(`${from} ${to} ${message}`));
  const wanted = diagnostics.map(({ message, from, to }) => `${from} ${to} ${message}`);
  return places.sort().join() === wanted.sort().join();
}

/** Underlines findings, and what caused those of objects; offsets beyond the text are from an answer that is out of date. */
export function showFindings(view, findings, effects, act) {
  const length = view.state.doc.length;
  const diagnostics = findings.map((found) => ({
    from: Math.min(found.from, length),
    to: Math.min(Math.max(found.to, found.from), length),
    severity: found.severity === "note" ? "info" : found.severity,
    message: [found.message, ...found.help].join("\n"),
    actions: [
      ...(found.fix ? [{ name: found.fix.title, apply: () => act.fix(found) }] : []),
      ...(found.cause ? [{ name: `${found.cause.label}, line ${found.cause.line}`, apply: () => act.go(found.cause) }] : []),
    ],
  }));
  const caused = effects.map((one) => ({
    from: Math.min(one.from, length),
    to: Math.min(one.to, length),
    severity: "info",
    message: one.message,
    actions: [{ name: `object, line ${one.object.line}`, apply: () => act.go(one.object) }],
  }));
  const [text, all] = [JSON.stringify([findings, effects]), [...diagnostics, ...caused]];
  if (isUnderlined(view, text, all)) return;
  underlined.set(view, text);
  view.dispatch(setDiagnostics(view.state, all));
}

const MARKS = {};

function marked(ranges, length) {
  const set = ranges
    .filter((range) => range.from < range.to && range.to <= length)
    .map((range) => (MARKS[range.class] ??= Decoration.mark({ class: range.class })).range(range.from, range.to));
  return Decoration.set(set, true);
}

/** Marks ranges with a class each. Marks move with the text, so they are often right already. */
export function showMarks(view, ranges) {
  const next = marked(ranges, view.state.doc.length);
  if (!RangeSet.eq([view.state.field(marks)], [next])) view.dispatch({ effects: mark.of(next) });
}

/** Puts the cursor at a place and shows it. */
export function reveal(view, place) {
  const length = view.state.doc.length;
  const [from, to] = [Math.min(place.from, length), Math.min(place.to, length)];
  view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  view.focus();
}
