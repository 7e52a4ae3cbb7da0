"""Sends the same requests about every resource to two servers, and prints the answers that differ.

    TOKEN=secret verbs.py REFERENCE OURS [TEXT]

For each object of conformance/builtin/tables.json, and for its subresources: reads in all media types, patches of all types with bodies
that fit and that do not, updates with one change each, lists with all options, deletions. Almost all are dry runs. TEXT limits it to
resources whose path contains it. A difference is printed twice at most; the number after it says how often it was seen.
"""

import copy
import difflib
import http.client
import itertools
import json
import os
import pathlib
import re
import ssl
import sys

TOKEN = os.environ.get("TOKEN", "secret")
TLS = ssl._create_unverified_context()
DATA = pathlib.Path(__file__).parents[2] / "conformance" / "builtin"
HEADERS = ("Content-Type", "Allow", "Retry-After", "Location", "Vary", "WWW-Authenticate", "X-Content-Type-Options", "Cache-Control")
# What servers make up, and prose that is Kindsmith's own.
LEFT_OUT = ("uid", "resourceVersion", "creationTimestamp", "description", "generation", "clusterIP", "clusterIPs", "time", "remainingItemCount")
MADE_UP = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"), "<uid>"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "<time>"),
    (re.compile(r"((?i:resource ?version)\w*\W+|current: |revision=|record \(|object meta: )\d+"), r"\1<n>"),
    (re.compile(r"\b\d+(ms|s|m)\b"), "<age>"),
    (re.compile(r"127\.0\.0\.1:\d+"), "<address>"),
    (re.compile(r"eyJ[\w.-]+"), "<token>"),
    # The address of a declaration is part of a CEL type's name; a strategic merge goes through its patch in any order.
    (re.compile(r"selfType(\d+|N)\b"), "<type>"),
    (re.compile(r"(?s)(list element types are not identical: ).*"), r"\1<lists>"),
)
# Objects in messages have their members in the order in which a library read them.
SHOWN = re.compile(r'(?s)(Invalid value: "?)([\[{].*[\]}])')

# Whether the errors of a whole answer come in any order, as those of custom resources do, whose schemas are maps in Go.
ANY_ORDER = False

# What is said of an applied configuration that does not fit its schema.
UNTYPED = b"failed to create typed patch object"

TOO_LARGE = b"Too large resource version"

# An index that is not a number.
ENTRY = re.compile(r"\[(?!\d+\]).*?\]")

JSON, MERGE, STRATEGIC, APPLY = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
)
META = ";v=v1;g=meta.k8s.io"
ACCEPTED = (
    "application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor", "text/html", "*/*", "application/*", "",
    "application/json;pretty=1", "application/json;stream=watch", "application/json;as=Table" + META, "application/yaml;as=Table" + META,
    "application/json;as=Nope" + META, "application/json;as=PartialObjectMetadata" + META,
    "application/json;as=PartialObjectMetadataList" + META,
)  # fmt: skip
PATCHES = [(media, body) for media in (JSON, MERGE, STRATEGIC, APPLY) for body in ("", "null", "[]", "{}", '"x"')] + [
    (media, body)
    for media in (MERGE, STRATEGIC)
    for body in (
        '{"metadata":{"annotations":{"a":"b"}}}', '{"metadata":{"labels":{"a b":"c"}}}', '{"metadata":{"name":"other"}}',
        '{"metadata":{"namespace":"other"}}', '{"metadata":{"uid":"x"}}', '{"metadata":{"resourceVersion":"1"}}',
        '{"metadata":{"managedFields":[]}}', '{"metadata":{"managedFields":[{}]}}', '{"metadata":{"finalizers":["x"]}}',
        '{"metadata":{"ownerReferences":[{"kind":"Pod","name":"p"}]}}', '{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"}}',
        '{"metadata":null}', '{"spec":null}', '{"spec":5}', '{"status":null}', '{"nope":1}', '{"metadata":{"":1}}', '{"$patch":"delete"}',
    )
] + [
    (JSON, json.dumps([step]))
    for step in (
        {"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}, {"op": "remove", "path": "/metadata/nope"},
        {"op": "test", "path": "/metadata/name", "value": "no"}, {"op": "replace", "path": "/kind", "value": "No"},
        {"op": "remove", "path": "/metadata/name"}, {"op": "add", "path": "", "value": {}}, {"op": "add", "path": "/nope", "value": 1},
        {"op": "copy", "from": "/metadata/name", "path": "/metadata/generateName"},
    )
]  # fmt: skip
CHANGES = {
    "same": {}, "stale": {"metadata.resourceVersion": "1"}, "no revision": {"metadata.resourceVersion": None}, "other name": {"metadata.name": "other"},
    "no name": {"metadata.name": None}, "other uid": {"metadata.uid": "11111111-2222-3333-4444-555555555555"}, "no kind": {"kind": None},
    "other kind": {"kind": "No"}, "other version": {"apiVersion": "no/v1"}, "no metadata": {"metadata": None}, "labels": {"metadata.labels": {"a": "b"}},
    "unknown": {"nope": 1}, "no spec": {"spec": None}, "no status": {"status": None}, "no managers": {"metadata.managedFields": []},
    "generation": {"metadata.generation": 77}, "deleted": {"metadata.deletionTimestamp": "2020-01-01T00:00:00Z"}, "finalizers": {"metadata.finalizers": ["no"]},
}  # fmt: skip
LISTS = (
    "", "labelSelector=a%3Db,c%21%3Dd", "labelSelector=(", "fieldSelector=spec.nope%3D1", "fieldSelector=a%3E1", "limit=x", "continue=abc",
    "resourceVersionMatch=Exact", "resourceVersion=1&resourceVersionMatch=Nope", "resourceVersion=0&resourceVersionMatch=Exact", "sendInitialEvents=true",
    "watch=true&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=none", "timeoutSeconds=x",
    "watch=true&resourceVersion=abc&timeoutSeconds=1",
)  # fmt: skip
DELETIONS = (
    {}, {"propagationPolicy": "Foreground"}, {"propagationPolicy": "Nope"}, {"propagationPolicy": "Orphan", "orphanDependents": True},
    {"preconditions": {"uid": "no"}}, {"preconditions": {"resourceVersion": "1"}}, {"gracePeriodSeconds": -5}, {"gracePeriodSeconds": "x"},
    {"nope": 1}, {"kind": "No"}, {"ignoreStoreReadErrorWithClusterBreakingPotential": True},
)  # fmt: skip


class Server:
    def __init__(self, address):
        self.host, self.line = address.split("//")[1], None

    def ask(self, method, path, body=None, media="application/json", accept="application/json"):
        headers = {"Authorization": "Bearer " + TOKEN, "User-Agent": "verbs/1", "Accept": accept}
        if body is not None:
            headers["Content-Type"] = media
            body = body if isinstance(body, str) else json.dumps(body, separators=(",", ":"))
        for _ in range(2):
            try:
                self.line = self.line or http.client.HTTPSConnection(self.host, timeout=30, context=TLS)
                self.line.request(method, path, body.encode() if body is not None else None, headers)
                answer = self.line.getresponse()
                return answer.status, answer.read(), answer.headers
            except (OSError, http.client.HTTPException):
                self.line = None
        # A server that panics closes the connection.
        return 0, b"", http.client.HTTPMessage()

    def json(self, path):
        return json.loads(self.ask("GET", path)[1])


def normal(value):
    if isinstance(value, dict):
        made = {key: normal(item) for key, item in value.items() if key not in LEFT_OUT}
        if made.get("name") in ("Name", "Age", "Created At") and {"format", "priority", "type"} <= made.keys():
            # A column that all kinds have.
            made.pop("description", None)
        if isinstance(made.get("managedFields"), list):
            # Sorted by time, in seconds: which second a write falls into is chance.
            made["managedFields"].sort(key=json.dumps)
        return made
    if isinstance(value, list):
        return [normal(item) for item in value]
    if isinstance(value, str):
        for pattern, instead in MADE_UP:
            value = pattern.sub(instead, value)
        value = SHOWN.sub(lambda found: found[1] + "".join(sorted(found[2])), value)
    return value


def unordered(body):
    """Errors about the entries of a map come in any order from Go: neighbors about the same map are sorted, and not again in the message."""
    for part in body:
        details = part.get("details") if isinstance(part, dict) else None
        if isinstance(details, dict) and len(details.get("causes") or ()) > 1:
            runs = itertools.groupby(details["causes"], key=lambda cause: ENTRY.sub("[*]", cause.get("field", "")))
            details["causes"] = [cause for _, run in runs for cause in sorted(run, key=json.dumps)]
            part["message"] = part["message"].split(" is invalid: ")[0]
            if ANY_ORDER or part.get("reason") == "Conflict":
                details["causes"].sort(key=json.dumps)
                part["message"] = part["message"].split(" conflicts")[0]
    return body


def comparable(answer):
    status, body, headers = answer
    if body.startswith(b"k8s\0"):
        body = "protobuf"
    elif b"\ncolumnDefinitions:" in body:
        body = "a table in YAML, whose prose differs"
    else:
        lines = [line for line in body.decode(errors="replace").splitlines() if line]
        try:
            body = unordered(normal([json.loads(line) for line in lines]))
        except ValueError:
            body = normal("\n".join(line for line in lines if not re.search(r"(uid|esourceVersion|description|generation):", line)))
    kept = {name: headers[name] for name in HEADERS if headers[name]}
    return {"status": status, "body": body, "headers": kept, "warnings": sorted(headers.get_all("Warning") or [])}


def shortened(lines):
    """Long lines, from shortly before the place where those of the servers part."""
    made, run = [], []
    for line in [*lines, "@@"]:
        if line.startswith(("-", "+")):
            run.append(line)
            continue
        gone, come = ([each[1:] for each in run if each[0] == sign] for sign in "-+")
        starts = [max(0, len(os.path.commonprefix(pair)) - 100) for pair in zip(gone, come)]
        for sign, side in (("-", gone), ("+", come)):
            made += [sign + each[start:][:300] for each, start in itertools.zip_longest(side, starts[: len(side)], fillvalue=0)]
        made.append(line[:300])
        run = []
    return made[:-1]


class Both:
    def __init__(self, servers):
        self.servers, self.total, self.seen = servers, 0, {}

    def ask(self, what, method, path, body=None, **more):
        return self.compare(what, f"{method} {path}", [server.ask(method, path, body, **more) for server in self.servers])

    def compare(self, what, request, answers):
        # 500 there and 400 here, with errors in an order that Go makes up: a known difference.
        if all(UNTYPED in text for _, text, _ in answers):
            return answers
        # The reference's cache of a kind does not know yet what was written to another kind.
        if TOO_LARGE in answers[0][1] and TOO_LARGE not in answers[1][1]:
            return answers
        self.total += 1
        texts = [json.dumps(comparable(answer), indent=1, sort_keys=True).splitlines() for answer in answers]
        if texts[0] != texts[1]:
            lines = list(difflib.unified_diff(*texts, "reference", "ours", lineterm="", n=1))[2:30]
            key = "".join(line for line in lines if not line.startswith("@@"))[:300]
            self.seen[key] = self.seen.get(key, 0) + 1
            if self.seen[key] <= 2:
                print(f"DIFFERS {what}: {request}", *shortened(lines), sep="\n", flush=True)
        return answers

    def differing(self):
        return sum(self.seen.values())

    def end(self):
        print(f"{self.total} requests, {self.differing()} answers differ in {len(self.seen)} ways")
        sys.exit(bool(self.seen))


def changed(sent, change):
    sent = copy.deepcopy(sent)
    for path, value in change.items():
        *above, last = path.split(".")
        place = sent
        for key in above:
            place = place.setdefault(key, {})
        if value is None:
            place.pop(last, None)
        else:
            place[last] = value
    return sent


def about(both, what, path, name, body):
    """All requests about an object or a subresource of it."""
    for accept in ACCEPTED:
        both.ask(f"{what} as {accept}", "GET", path, accept=accept)
    elsewhere = path.replace(f"/{name}", "/missing")
    both.ask(f"{what} missing", "GET", elsewhere)
    for media, patch in PATCHES:
        both.ask(f"{what} {media} {patch}", "PATCH", f"{path}?dryRun=All&fieldManager=m", patch, media=media)
    applied = {key: body[key] for key in ("apiVersion", "kind")} | {"metadata": {"name": name, "annotations": {"a": "b"}}}
    for query in ("", "&fieldManager=", "&fieldManager=m&force=maybe", "&fieldManager=m&fieldValidation=Nope", "&fieldManager=" + "m" * 129):
        both.ask(f"{what} applied {query}", "PATCH", f"{path}?dryRun=All{query}", applied, media=APPLY)
    missing = changed(body, {"metadata.name": "missing"})
    both.ask(f"{what} applied, missing", "PATCH", f"{elsewhere}?dryRun=All&fieldManager=m", missing, media=APPLY)
    both.ask(f"{what} updated, missing", "PUT", f"{elsewhere}?dryRun=All", missing)
    read = [server.ask("GET", path) for server in both.servers]
    if all(answer[0] == 200 and answer[1].startswith(b"{") for answer in read):
        for name, change in CHANGES.items():
            sent = [changed(json.loads(answer[1]), change) for answer in read]
            target = f"{path}?dryRun=All&fieldValidation=Strict"
            both.compare(f"{what} {name}", f"PUT {target}", [server.ask("PUT", target, own) for server, own in zip(both.servers, sent)])
    for method in ("POST", "OPTIONS", "HEAD", "TRACE"):
        both.ask(f"{what} {method}", method, f"{path}?dryRun=All", {} if method == "POST" else None)


def both():
    """Two servers with the objects that others refer to, and the text that limits what is asked."""
    made = Both([Server(address) for address in sys.argv[1:3]])
    for fixture in json.loads((DATA / "fixtures.json").read_text()):
        for server in made.servers:
            server.ask("POST", fixture["path"], fixture["body"])
    return made, sys.argv[3] if len(sys.argv) > 3 else ""


def tables(text):
    """Where objects of all kinds are created, and the objects."""
    for table in json.loads((DATA / "tables.json").read_text()):
        if text in table["createPath"]:
            yield table["createPath"], table["body"]


def main():
    asked, text = both()
    ask_all(asked, text)
    asked.end()


def ask_all(both, text):
    reference = both.servers[0]
    subresources = {}
    bases = ["/api/v1"] + [f"/apis/{v['groupVersion']}" for group in reference.json("/apis")["groups"] for v in group["versions"]]
    for base in bases:
        for resource in reference.json(base)["resources"]:
            owner, _, sub = resource["name"].partition("/")
            if sub and sub not in ("proxy", "attach", "exec", "portforward"):
                subresources.setdefault((base, owner), []).append(sub)
    made = []
    for path, body in tables(text):
        name, plural = body["metadata"]["name"], path.rsplit("/", 1)[1]
        base = re.match(r"/api/v1|/apis/[^/]+/[^/]+", path)[0]
        both.ask(f"{plural} created", "POST", f"{path}?fieldValidation=Strict", body)
        both.ask(f"{plural} created again", "POST", path, body)
        both.ask(f"{plural} created again, generated", "POST", path, changed(body, {"metadata.generateName": "x-"}))
        made.append((plural, f"{path}/{name}"))
        for sub in [""] + subresources.get((base, plural), []):
            about(both, f"{plural}/{sub}", f"{path}/{name}" + (f"/{sub}" if sub else ""), name, body)
        for query in LISTS:
            both.ask(f"{plural} listed {query}", "GET", f"{path}?fieldSelector=metadata.name%3D{name}&{query}")
        for options in DELETIONS:
            both.ask(f"{plural} deleted {options}", "DELETE", f"{path}/{name}?dryRun=All", options | {"dryRun": ["All"]})
            both.ask(f"{plural} all deleted {options}", "DELETE", f"{path}?labelSelector=none", options | {"dryRun": ["All"]})
    for plural, path in reversed(made):
        both.ask(f"{plural} deleted", "DELETE", f"{path}?gracePeriodSeconds=0")
        for server in both.servers:
            server.ask("PATCH", path, {"metadata": {"finalizers": None}}, media=MERGE)


if __name__ == "__main__":
    main()
