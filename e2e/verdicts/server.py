"""The verdicts of a real API server: every object of a folder is created with `dryRun=All` and `fieldValidation=Strict`.

CRDs and namespaces are created for real, so that the objects that need them can be judged: use a cluster of your own.
"""

import http.client
import json
import pathlib
import re
import ssl
import time
import urllib.parse

import yaml

BUSY = 429


class Server:
    def __init__(self, url, token):
        self.host = urllib.parse.urlparse(url).netloc
        self.token = token
        self.connection = None
        self.kinds = {}
        self.discover()

    def call(self, method, path, body=None, content="application/json"):
        """The status and the JSON of an answer. A connection is used again until it breaks."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": content, "Accept": "application/json"}
        for _ in range(10):
            try:
                if not self.connection:
                    insecure = ssl._create_unverified_context()
                    self.connection = http.client.HTTPSConnection(self.host, context=insecure, timeout=60)
                self.connection.request(method, path, body.encode() if body else None, headers)
                answer = self.connection.getresponse()
                text = answer.read()
                if answer.status != BUSY:
                    return answer.status, json.loads(text) if text.startswith(b"{") else {"message": text.decode()}
            except (http.client.HTTPException, OSError):
                self.connection = None
            time.sleep(1)
        raise SystemExit(f"{self.host} does not answer")

    def discover(self):
        versions = ["/api/v1"]
        for group in self.call("GET", "/apis")[1]["groups"]:
            versions += ["/apis/" + version["groupVersion"] for version in group["versions"]]
        for base in versions:
            for resource in self.call("GET", base)[1].get("resources", []):
                if "/" not in resource["name"]:
                    key = (base.removeprefix("/apis/").removeprefix("/api/"), resource["kind"])
                    self.kinds[key] = (base, resource["name"], resource["namespaced"])

    def judge(self, folder, files):
        """Files that the server rejects, with the reason."""
        texts = {file: documents(pathlib.Path(file)) for file in files}
        for each in texts.values():
            for text in each:
                if re.search(r"(?m)^kind: *CustomResourceDefinition", text):
                    self.create(text)
        time.sleep(3)
        self.discover()
        reasons = {}
        for file, each in texts.items():
            answers = [self.create(text) for text in each] or ["no objects"]
            reasons.update({file: answer for answer in answers if answer})
        return reasons

    def create(self, text):
        """Why the server rejects a document; nothing if it does not."""
        try:
            head = yaml.safe_load(text)
        except yaml.YAMLError:
            # This reader is stricter than the server's, which has the last word if it can be asked at all.
            found = {key: re.search(rf"(?m)^{key}: *(\S+)", text) for key in ("apiVersion", "kind")}
            head = {key: match[1] for key, match in found.items() if match}
        if not isinstance(head, dict):
            return "not an object"
        if str(head.get("kind")).endswith("List") and isinstance(head.get("items"), list):
            answers = [self.create(json.dumps(item)) for item in head["items"]]
            return next(filter(None, answers), None)
        key = (head.get("apiVersion"), head.get("kind"))
        if key not in self.kinds:
            return f"no matches for kind {key[1]} in version {key[0]}"
        path, resource, is_namespaced = self.kinds[key]
        if is_namespaced:
            namespace = (head.get("metadata") or {}).get("namespace") or "default"
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
            self.call("POST", "/api/v1/namespaces", json.dumps(body))
            path = f"{path}/namespaces/{namespace}"
        dry = "" if key[1] == "CustomResourceDefinition" else "&dryRun=All"
        content = "application/json" if text.lstrip().startswith("{") else "application/yaml"
        status, answer = self.call("POST", f"{path}/{resource}?fieldValidation=Strict{dry}", text, content)
        # What exists already was valid.
        return None if status in (200, 201, 409) else f"{status} {answer.get('message')}"


def documents(file):
    text = file.read_text()
    parts = [text] if file.suffix == ".json" else re.split(r"(?m)^---\s*(?:#.*)?$", text)
    return [part for part in parts if any(line.strip() and not line.strip().startswith("#") for line in part.splitlines())]
