// What the page needs of CodeMirror, bundled once into page/editor.js: it changes only when a version in the lockfile does.
export { EditorState, Compartment, StateEffect, StateField, RangeSet, RangeSetBuilder, Transaction } from "@codemirror/state";
export {
  EditorView, Decoration, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, hoverTooltip,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { syntaxHighlighting, HighlightStyle, bracketMatching, indentUnit } from "@codemirror/language";
export { forEachDiagnostic, setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
export { yaml } from "@codemirror/lang-yaml";
export { go } from "@codemirror/lang-go";
export { tags } from "@lezer/highlight";
