"""Sends the CRDs and objects of directories to two servers, and prints every answer that differs.

    compare.py REFERENCE OURS DIRECTORY...
"""

import json
import os
import re
import ssl
import sys
import time
import urllib.error
import urllib.request

import yaml

TOKEN = os.environ.get("TOKEN", "secret")
TLS = ssl._create_unverified_context()
MADE_UP = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
LEFT_OUT = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation")


def send(server, method, path, body=None):
    data = None if body is None else json.dumps(body, default=str).encode()
    headers = {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json", "User-Agent": "compare/1"}
    request = urllib.request.Request(server + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, context=TLS, timeout=60) as answer:
            return answer.status, json.load(answer), answer.headers.get_all("Warning") or []
    except urllib.error.HTTPError as error:
        text = error.read()
        try:
            return error.code, json.loads(text), error.headers.get_all("Warning") or []
        except ValueError:
            return error.code, text.decode(errors="replace"), []


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


def main():
    servers, directories = sys.argv[1:3], sys.argv[3:]
    differing = total = 0
    spaces = {"default"}
    for directory in directories:
        found = list(documents(directory))
        crds = [crd for crd in found if crd["kind"] == "CustomResourceDefinition"]
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        made = []
        before = differing
        for crd in crds:
            answers = [comparable(send(server, "POST", f"{path}?fieldValidation=Strict", crd)) for server in servers]
            total += 1
            if answers[0][0] == 201:
                made.append(crd["metadata"]["name"])
            for answer in answers:
                if isinstance(answer[1], dict):
                    answer[1].pop("status", None)
            if answers[0] != answers[1]:
                differing += 1
                print("DIFFERS", directory, crd.get("metadata", {}).get("name"), json.dumps(answers)[:1500])
        time.sleep(3 if made else 0)
        known = resources(servers[0])
        for document in found:
            place = known.get((document["apiVersion"], document["kind"]))
            if place is None or document["kind"] == "CustomResourceDefinition" or not isinstance(document.get("metadata"), dict):
                continue
            base, plural, namespaced = place
            space = document["metadata"].get("namespace") or "default"
            target = f"{base}/namespaces/{space}/{plural}" if namespaced else f"{base}/{plural}"
            if not re.fullmatch(r"[a-z0-9.-]+", str(space)):
                continue
            if namespaced and space not in spaces:
                spaces.add(space)
                body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}
                for server in servers:
                    send(server, "POST", "/api/v1/namespaces", body)
            target += "?dryRun=All&fieldValidation=Strict"
            answers = [comparable(send(server, "POST", target, document)) for server in servers]
            total += 1
            if answers[0] != answers[1]:
                differing += 1
                print("DIFFERS", directory, document["kind"], document["metadata"].get("name"), json.dumps(answers)[:1500])
        for name in made:
            for server in servers:
                send(server, "DELETE", f"{path}/{name}")
        print(f"{directory}: {len(crds)} CRDs, {differing - before} answers differ", flush=True)
    print(f"{total - differing} equal, {differing} differ")
    sys.exit(differing > 0)


main()
