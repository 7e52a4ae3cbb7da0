"""Sends the CRDs and objects of directories to two servers, and prints every answer that differs.

    compare.py REFERENCE OURS DIRECTORY...
"""

import http.client
import json
import os
import re
import ssl
import sys
import time

import yaml

TOKEN = os.environ.get("TOKEN", "secret")
TLS = ssl._create_unverified_context()
MADE_UP = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
ATTEMPTS = 8
# No answer at all, and those of a server that is overloaded or starting.
BUSY = (0, 429, 503, 504)
CONNECTIONS = {}
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
LEFT_OUT = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation")


def send(server, method, path, body=None):
    """The answer of a server. One that is too busy to answer is asked again: that says nothing about its rules."""
    data = None if body is None else json.dumps(body, default=str).encode()
    for attempt in range(ATTEMPTS):
        time.sleep(attempt)
        try:
            answer = ask(server, method, path, data)
        except (OSError, http.client.HTTPException) as error:
            CONNECTIONS.pop(server, None)
            answer = 0, f"no answer: {error}", []
        if answer[0] not in BUSY:
            break
    return answer


def ask(server, method, path, data):
    if server not in CONNECTIONS:
        CONNECTIONS[server] = http.client.HTTPSConnection(server.removeprefix("https://"), context=TLS, timeout=90)
    headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json", "User-Agent": "compare/1"}
    CONNECTIONS[server].request(method, path, data, headers)
    answer = CONNECTIONS[server].getresponse()
    text, warnings = answer.read(), answer.headers.get_all("Warning") or []
    try:
        return answer.status, json.loads(text), warnings
    except ValueError:
        return answer.status, text.decode(errors="replace"), []


def documents(directory):
    for root, folders, files in os.walk(directory):
        folders[:] = sorted(folder for folder in folders if not folder.startswith(".") and folder != "node_modules")
        for name in sorted(files):
            if not name.endswith((".yaml", ".yml", ".json")):
                continue
            try:
                with open(os.path.join(root, name), encoding="utf-8") as file:
                    found = list(yaml.load_all(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
            except (yaml.YAMLError, UnicodeDecodeError, OSError, ValueError):
                continue
            for document in found:
                if isinstance(document, dict) and "apiVersion" in document and "kind" in document:
                    yield document


def normal(value):
    if isinstance(value, dict):
        return {key: normal(item) for key, item in value.items() if key not in LEFT_OUT}
    if isinstance(value, list):
        return [normal(item) for item in value]
    return MADE_UP.sub("<made up>", value) if isinstance(value, str) else value


def comparable(answer):
    status, body, warnings = answer
    body = normal(body)
    if isinstance(body, dict) and "generateName" in (body.get("metadata") or {}):
        body["metadata"].pop("name", None)
    if isinstance(body, dict) and body.get("kind") == "Status":
        causes = (body.get("details") or {}).get("causes")
        if causes and len(causes) > 1:
            body = sorted(json.dumps(cause, sort_keys=True) for cause in causes)
    return status, body, sorted(warnings)


def resources(server):
    found = {}
    groups = [("", "v1", "/api/v1")]
    for group in send(server, "GET", "/apis")[1]["groups"]:
        groups += [(group["name"], v["version"], f"/apis/{v['groupVersion']}") for v in group["versions"]]
    for group, version, path in groups:
        listed = send(server, "GET", path)[1]
        # A group of which the last CRD is going may still be listed.
        for resource in listed.get("resources", []) if isinstance(listed, dict) else []:
            if "/" not in resource["name"] and "create" in resource["verbs"]:
                name = f"{group}/{version}" if group else version
                found[name, resource["kind"]] = (path, resource["name"], resource["namespaced"])
    return found


def established(server, name):
    conditions = (send(server, "GET", f"{CRDS}/{name}")[1].get("status") or {}).get("conditions") or []
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)


def is_discovered(server, version, kind):
    listed = send(server, "GET", f"/apis/{version}")[1]
    return isinstance(listed, dict) and any(each["kind"] == kind for each in listed.get("resources", []))


def create(servers, crds):
    """Creates CRDs on both servers, and waits until both serve them."""
    made = []
    for crd in crds:
        answers = [send(server, "POST", CRDS, crd)[0] for server in servers]
        # A server may have created what it had no time to say.
        if all(answer in (201, 409) for answer in answers):
            made.append(crd)
    waiting = [(server, crd["metadata"]["name"]) for crd in made for server in servers]
    kinds = {(f"{crd['spec']['group']}/{version['name']}", crd["spec"]["names"]["kind"])
             for crd in made for version in crd["spec"]["versions"] if version["served"]}
    for _ in range(120):
        waiting = [each for each in waiting if not established(*each)]
        if not waiting and all(is_discovered(server, *kind) for server in servers for kind in kinds):
            break
        time.sleep(0.5)
    return sorted({crd["metadata"]["name"] for crd in made})


class Comparison:
    def __init__(self, servers):
        self.servers, self.total, self.differing = servers, 0, 0

    def dry_run(self, directory, path, document):
        """Sends a document as a dry run, so that one that is sent again finds the same state."""
        target = f"{path}?dryRun=All&fieldValidation=Strict"
        answers = [comparable(send(server, "POST", target, document)) for server in self.servers]
        self.total += 1
        if answers[0] != answers[1]:
            self.differing += 1
            print("DIFFERS", directory, document["kind"], document["metadata"].get("name"), json.dumps(answers)[:1500])

    def objects(self, directory, documents, spaces):
        known = resources(self.servers[0])
        for document in documents:
            place = known.get((document["apiVersion"], document["kind"]))
            if place is None or not isinstance(document.get("metadata"), dict):
                continue
            base, plural, namespaced = place
            space = document["metadata"].get("namespace") or "default"
            if not re.fullmatch(r"[a-z0-9.-]+", str(space)):
                continue
            if namespaced and space not in spaces:
                spaces.add(space)
                body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}
                for server in self.servers:
                    send(server, "POST", "/api/v1/namespaces", body)
            self.dry_run(directory, f"{base}/namespaces/{space}/{plural}" if namespaced else f"{base}/{plural}", document)


def main():
    servers, directories = sys.argv[1:3], sys.argv[3:]
    comparison = Comparison(servers)
    spaces = {"default"}
    for directory in directories:
        found = list(documents(directory))
        crds = [each for each in found if each["kind"] == "CustomResourceDefinition" and isinstance(each.get("metadata"), dict)]
        before, sent = comparison.differing, comparison.total
        for crd in crds:
            comparison.dry_run(directory, CRDS, crd)
        made = create(servers, crds)
        comparison.objects(directory, [each for each in found if each["kind"] != "CustomResourceDefinition"], spaces)
        for name in made:
            for server in servers:
                send(server, "DELETE", f"{CRDS}/{name}")
        objects = comparison.total - sent - len(crds)
        print(f"{directory}: {len(crds)} CRDs, {objects} objects, {comparison.differing - before} answers differ", flush=True)
    print(f"{comparison.total - comparison.differing} equal, {comparison.differing} differ")
    sys.exit(comparison.differing > 0)


if __name__ == "__main__":
    main()
