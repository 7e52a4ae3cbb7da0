#!/usr/bin/env python3
"""Replaces descriptions of library types in the recordings by our own.

Recordings under `gen`, `gen-more` and `api` hold what controller-gen, openapi-gen and the API server publish. Among it
are the comments of metav1, `types` and Go's standard library, which other people wrote. This script replaces each of them
by the comment that stands in its place here: in the sources that are used where a library cannot be read
(`crates/go/src/package/builtin`), and for column headings of tables in `api/meta`. Nothing else in a recording changes.

    conformance/own_descriptions.py k8s.io/apimachinery=DIR std=DIR

Each argument is a module and the directory of its published source; `std` is `src` of an installed Go. Run it after copying
new recordings. A second run changes nothing.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT_IN = ROOT / "crates/go/src/package/builtin"
META = "k8s.io/apimachinery/pkg/apis/meta/v1"

Comments = dict[str, list[str]]


def main() -> None:
    modules = dict(argument.split("=", 1) for argument in sys.argv[1:])
    if not modules:
        sys.exit(__doc__)
    library, columns = {}, {}
    for path, own in built_in().items():
        library |= pairs(published(modules, path), comments([own]))
    columns |= pairs(published(modules, META), comments((ROOT / "api/meta/v1").glob("*.go")))
    count = 0
    for folder in ("gen", "gen-more"):
        for path in sorted((ROOT / "conformance" / folder).rglob("*")):
            if path.suffix == ".yaml":
                count += rewrite(path, lambda text: in_yaml(text, library, limit_of(path)))
            elif path.suffix == ".txt":
                count += rewrite(path, lambda text: in_message(text, library))
            elif path.suffix == ".json":
                count += rewrite(path, lambda text: in_json(text, library))
    for path in sorted((ROOT / "conformance/api").glob("*.json")):
        count += rewrite(path, lambda text: in_json(text, columns))
    print(f"{count} files changed")


def rewrite(path: Path, change) -> bool:
    old = path.read_text()
    new = change(old)
    if new != old:
        path.write_text(new)
    return new != old


# Comments of Go declarations.


def built_in() -> dict[str, Path]:
    """The packages that are compiled in: import path and file."""
    listed = (BUILT_IN.with_suffix(".rs")).read_text()
    found = re.findall(r'"([\w./]+)",\s*include_str!\("builtin/([\w./]+)"\)', listed)
    return {path: BUILT_IN / file for path, file in found}


def published(modules: dict[str, str], path: str) -> Comments:
    """The comments of a package as its authors published it."""
    for module, directory in modules.items():
        if path == module or path.startswith(module + "/"):
            return comments((Path(directory) / path[len(module) + 1 :]).glob("*.go"))
    if "std" in modules and "." not in path.split("/")[0]:
        return comments((Path(modules["std"]) / path).glob("*.go"))
    return {}


def comments(files) -> Comments:
    """The comments on types and fields, as lines without tags, by `Type` or `Type.Field`."""
    found: Comments = {}
    for file in sorted(files):
        if file.name.endswith("_test.go") or "generated" in file.name:
            continue
        lines, owner = [], None
        for line in file.read_text().split("\n"):
            comment = re.match(r"\s*//(.*)", line)
            declared = re.match(r"type (\w+)", line)
            member = re.match(r"\t(\w+)\s+\S", line)
            if comment:
                lines.append(comment[1].removeprefix(" "))
                continue
            if declared:
                owner = declared[1]
                found.setdefault(owner, prose(lines))
            elif member and owner:
                found.setdefault(f"{owner}.{member[1]}", prose(lines))
            elif line.startswith("}"):
                owner = None
            lines = []
    return {name: text for name, text in found.items() if text}


def prose(lines: list[str]) -> list[str]:
    """What controller-gen publishes of a comment: no tags, nothing from `---` on, no notes to do something."""
    kept = []
    for line in lines:
        if line.startswith("---"):
            break
        if not line.startswith(("+", "TODO")):
            kept.append(line.rstrip() if not line.strip() else line)
    while kept and not kept[-1]:
        kept.pop()
    while kept and not kept[0]:
        kept.pop(0)
    return kept


def pairs(theirs: Comments, ours: Comments) -> dict[str, str]:
    """Our text by theirs, with single spaces for every white space between words of theirs."""
    found: dict[str, str] = {}
    for name in sorted(theirs.keys() & ours.keys()):
        text = "\n".join(ours[name])
        if found.setdefault(" ".join(" ".join(theirs[name]).split()), text) != text:
            sys.exit(f"{name}: the same published comment has another text elsewhere; use one for both")
    return found


# Recordings.


def in_json(text: str, own: dict[str, str]) -> str:
    """Replaces descriptions in a JSON document, where lines of a comment were joined."""

    def replace(found: re.Match) -> str:
        ours = own.get(" ".join(json.loads(found[2]).split()))
        if ours is None:
            return found[0]
        joined = re.sub(r"(?<!\n)\n(?!\n)", " ", ours)
        return found[1] + json.dumps(joined, ensure_ascii=False)

    return re.sub(r'("description":\s*)("(?:\\.|[^"\\])*")', replace, text)


def in_message(text: str, own: dict[str, str]) -> str:
    """Replaces descriptions in a message of a generator, which prints them as they are."""
    for theirs, ours in own.items():
        words = theirs.split()
        # Fewer words may be there by chance.
        if len(words) >= 8 and words[0] in text:
            text = re.sub(r"\s+".join(map(re.escape, words)), lambda _: ours, text)
    return text


def in_yaml(text: str, own: dict[str, str], limit: int | None) -> str:
    """Replaces descriptions in a YAML document as controller-gen writes it."""
    own = dict(own)
    if limit:
        own = {" ".join(cut(theirs, limit).split()): cut(ours, limit) for theirs, ours in own.items()}
    lines, out, at = text.split("\n"), [], 0
    while at < len(lines):
        found = re.match(r"(\s*(?:- )?)description: (.*)", lines[at])
        end = at + 1
        if not found:
            out.append(lines[at])
            at = end
            continue
        margin = len(found[1])
        while end < len(lines) and (not lines[end].strip() or indent(lines[end]) > margin):
            end += 1
        while not lines[end - 1].strip():
            end -= 1
        written = [found[2]] + [line.strip() for line in lines[at + 1 : end]]
        ours = own.get(" ".join(unquoted(written).split()))
        out.extend(lines[at:end] if ours is None else described(found[1], ours))
        at = end
    return "\n".join(out)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def unquoted(written: list[str]) -> str:
    if written[0] in ("|-", "|2-"):
        return "\n".join(written[1:])
    text = " ".join(written)
    return text[1:-1].replace("''", "'") if text.startswith("'") else text


def described(margin: str, text: str) -> list[str]:
    """A description as Go's YAML writer has it: lines as they are, one line broken at the first blank behind column 80."""
    inner = " " * (len(margin) + 2)
    if "\n" in text:
        lines = [inner + line if line else "" for line in text.split("\n")]
        return [f"{margin}description: |-", *lines]
    quoted = ": " in text or " #" in text or text[0] in "'\"`[]{}*&!|>%@-?,#"
    text = "'" + text.replace("'", "''") + "'" if quoted else text
    line, lines = f"{margin}description:", []
    for word in text.split(" "):
        if len(line) > 80:
            lines.append(line)
            line = inner + word
        else:
            line += " " + word
    return [*lines, line]


def limit_of(path: Path) -> int | None:
    """The length that descriptions of a recording were cut to."""
    command = path.parent / "COMMAND.txt"
    found = re.search(r"maxDescLen=(\d+)", command.read_text()) if command.exists() else None
    return int(found[1]) if found else None


def cut(text: str, limit: int) -> str:
    """Cuts a text behind a sentence, else behind a word, as controller-gen does."""
    start = text[:limit]
    sentence = max(start.rfind(end) for end in ".!?")
    if sentence > 0:
        return start[: sentence + 1]
    word = max(start.rfind(blank) for blank in " \n")
    return (start[:word] if word > 0 else start) + "..."


if __name__ == "__main__":
    main()
