"""Small requests that grow: aliases, values made by policies, depth by patches, empty items. Each prints what the server used."""

import json
import socket
import threading
import time

from attacks import DEFINITIONS, case
from server import MAPS, scaled

POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
PODS = "/api/v1/namespaces/default/pods"


def aliases(server):
    """A long string that aliases repeat."""
    client = server.client("greedy")
    client.headers["Content-Type"] = "application/yaml"
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    text += f"x: &x {'y' * 100_000}\nz: [{', '.join(['*x'] * 100_000)}]\n"
    return f"{len(text) >> 10} KiB: {client.ask('POST', MAPS, text)[0]}"


def policy(server, variables, expression, message=None):
    """Creates a policy with variables that grow, and asks it once."""
    admin, name = server.client(), f"p{int(time.monotonic() * 1000)}"
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["secrets"]}
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [rule]},
        "variables": [{"name": f"a{at}", "expression": text} for at, text in enumerate(variables)],
        "validations": [{"expression": expression, **({"messageExpression": message} if message else {})}],
    }
    made = admin.ask("POST", POLICIES, {"metadata": {"name": name}, "spec": spec})[0]
    binding = {"policyName": name, "validationActions": ["Deny"]}
    bound = admin.ask("POST", BINDINGS, {"metadata": {"name": name}, "spec": binding})[0]
    time.sleep(1)
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}}
    start = time.monotonic()
    asked = server.client("greedy").ask("POST", "/api/v1/namespaces/default/secrets", secret)[0]
    took = time.monotonic() - start
    [admin.ask("DELETE", f"{path}/{name}") for path in (BINDINGS, POLICIES)]
    return f"{made}, {bound}, {asked} in {took:.1f} s"


def formats(server):
    """Strings that four copies of the one before are formatted into."""
    steps = [f"'%s%s%s%s'.format([{', '.join([f'variables.a{at}'] * 4)}])" for at in range(20)]
    return policy(server, ["'0123456789'", *steps], "variables.a20.size() > 0")


def shared(server):
    """Maps that hold the one before twice, compared with maps made like them."""
    maps = [f"{{'a': variables.a{at}, 'b': variables.a{at}}}" for at in range(60)]
    others = ["{'a': 1}"] + [f"{{'a': variables.a{at}, 'b': variables.a{at}}}" for at in range(61, 121)]
    return policy(server, ["{'a': 1}", *maps, *others], "variables.a60 == variables.a121")


def depth(server):
    """Patches that nest a stored object deeper than it can be read."""
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": "deeps", "singular": "deep", "kind": "Deep"}
    spec = {"group": "deep.example.com", "scope": "Namespaced", "names": names, "versions": [version]}
    admin = server.client()
    admin.ask("POST", DEFINITIONS, {"metadata": {"name": "deeps.deep.example.com"}, "spec": spec})
    time.sleep(1)
    deeps, nested = "/apis/deep.example.com/v1/namespaces/default/deeps", '{"a":' * 6_000 + "1" + "}" * 6_000
    body = f'{{"apiVersion":"deep.example.com/v1","kind":"Deep","metadata":{{"name":"a"}},"spec":{nested}}}'
    answers = [admin.ask("POST", deeps, body)[0]]
    admin.headers["Content-Type"] = "application/json-patch+json"
    patch = f'[{{"op":"add","path":"/spec{"/a" * 6_000}","value":{nested}}}]'
    answers.append(admin.ask("PATCH", f"{deeps}/a", patch)[0])
    answers += [admin.get(deeps)[0], admin.get(f"{deeps}/a")[0], admin.ask("DELETE", f"{deeps}/a")[0]]
    assert answers == [201, 400, 200, 200, 200], answers
    return f"{answers}"


def empty_items(server):
    """A Pod with as many empty containers as a body holds."""
    count = scaled(900_000, 10_000)
    body = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[' + ",".join(["{}"] * count) + "]}}"
    status, answer = server.client("greedy", 120).ask("POST", PODS, body)
    return f"{count} containers: {status}, {len(answer) >> 10} KiB"


def empty_yaml(server):
    """The same in YAML."""
    client = server.client("greedy", 120)
    client.headers["Content-Type"] = "application/yaml"
    count = scaled(700_000, 10_000)
    body = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [" + ", ".join(["{}"] * count) + "]}\n"
    status, answer = client.ask("POST", PODS, body)
    return f"{count} containers: {status}, {len(answer) >> 10} KiB"


def field(number, payload):
    """A field of a protobuf message with a length."""
    length, text = len(payload), b""
    while length > 127:
        text, length = text + bytes([length & 127 | 128]), length >> 7
    return bytes([number << 3 | 2]) + text + bytes([length]) + payload


def empty_messages(server):
    """The same in protobuf."""
    client = server.client("greedy", 120)
    client.headers["Content-Type"] = "application/vnd.kubernetes.protobuf"
    count = scaled(1_400_000, 10_000)
    pod = field(1, field(1, b"a")) + field(2, field(2, b"") * count)
    body = b"k8s\0" + field(1, field(1, b"v1") + field(2, b"Pod")) + field(2, pod)
    status, answer = client.ask("POST", PODS, body)
    return f"{count} containers: {status}, {len(answer) >> 10} KiB"


def empty_cbor(server):
    """The same in CBOR, which Kubernetes reads behind an alpha gate only: nothing of it is read."""
    client = server.client("greedy", 120)
    client.headers["Content-Type"] = "application/cbor"
    count = scaled(2_900_000, 10_000)
    text = lambda word: bytes([0x60 + len(word)]) + word.encode()
    containers = text("containers") + b"\x9a" + count.to_bytes(4, "big") + b"\xa0" * count
    body = b"\xd9\xd9\xf7\xa3" + text("apiVersion") + text("v1") + text("kind") + text("Pod") + text("spec") + b"\xa1" + containers
    status, answer = client.ask("POST", PODS, body)
    assert status == 415, status
    return f"{count} containers: {status}, {len(answer) >> 10} KiB"


def converted_list(server):
    """A list that a webhook which hangs should convert: one call, not one for each object."""
    hook = socket.create_server(("127.0.0.1", 0), backlog=1_000)
    calls = []

    def take():
        while True:
            try:
                calls.append(hook.accept()[0])
            except OSError:
                return

    threading.Thread(target=take, daemon=True).start()
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    body = definition("turn", schema["openAPIV3Schema"])
    body["spec"]["versions"].append({"name": "v2", "served": True, "storage": False, "schema": schema})
    client = server.client("greedy", 120)
    assert client.ask("POST", DEFINITIONS, body)[0] == 201
    time.sleep(1)
    path, count = "/apis/many.example.com/{}/namespaces/default/turns", scaled(1_000, 20)
    for number in range(count):
        item = {"apiVersion": "many.example.com/v1", "kind": "Turn", "metadata": {"name": f"t{number}"}, "spec": {"a": 1}}
        assert client.ask("POST", path.format("v1"), item)[0] == 201
    one = f"{DEFINITIONS}/turns.many.example.com"
    body = json.loads(client.get(one)[1])
    config = {"url": f"https://127.0.0.1:{hook.getsockname()[1]}/"}
    body["spec"]["conversion"] = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": config}}
    assert client.ask("PUT", one, body)[0] == 200
    time.sleep(1)
    start = time.monotonic()
    status, _ = client.get(path.format("v2"))
    took, asked = time.monotonic() - start, len(calls)
    hook.close()
    assert status >= 500 and asked == 1, (status, asked)
    return f"{count} objects: {status} after {took:.0f} s, {asked} call"


def definition(name, schema):
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": f"{name}s", "singular": name, "kind": name.capitalize()}
    spec = {"group": "many.example.com", "scope": "Namespaced", "names": names, "versions": [version]}
    return {"metadata": {"name": f"{name}s.many.example.com"}, "spec": spec}


def default_bomb(server):
    """Defaults of ten items, each of which has such a default."""
    schema = {"type": "object"}
    for _ in range(8):
        schema = {"type": "object", "properties": {"l": {"type": "array", "default": [{}] * 10, "items": schema}}}
    text = json.dumps(definition("bomb", schema))
    status, _ = server.client("greedy", 120).ask("POST", DEFINITIONS, text)
    assert status == 422, status
    return f"{len(text) >> 10} KiB: {status}"


def definitions(server):
    """Definitions of more and more kinds, then the documents about them."""
    client, count = server.client("greedy", 120), scaled(5_000, 50)
    schema = {"type": "object", "properties": {"spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}}
    end = time.monotonic() + 120
    made = [client.ask("POST", DEFINITIONS, definition(f"kind{at}", schema))[0] for at in range(count) if time.monotonic() < end]
    answers = [client.get(path)[0] for path in ("/apis", "/openapi/v2", "/openapi/v3")]
    return f"{made.count(201)} of {count} made; documents {answers}"


def strategic(server):
    """Strategic merge patches with long lists of what to delete and how to order."""
    client, count = server.client("greedy", 120), scaled(50_000, 1_000)
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "s"}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    answers = [client.ask("POST", PODS, pod)[0]]
    client.headers["Content-Type"] = "application/strategic-merge-patch+json"
    names = [{"name": f"n{at}"} for at in range(count)]
    for patch in (
        {"spec": {"$setElementOrder/containers": names}},
        {"spec": {"containers": [{"$patch": "delete", **name} for name in names]}},
        {"metadata": {"$deleteFromPrimitiveList/finalizers": [name["name"] for name in names]}},
    ):
        answers.append(client.ask("PATCH", f"{PODS}/s", patch)[0])
    return f"{count} items: {answers}"


CASES = [
    ("yaml-aliases", "others are served", case(aliases, most=300)),
    ("cel-formats", "others are served", case(formats, most=900)),
    ("cel-shared-parts", "others are served", case(shared, most=300)),
    ("depth-by-patch", "400, and the rest is readable", case(depth, most=300)),
    ("empty-items", "413 or 422", case(empty_items, most=1_500)),
    ("empty-yaml", "413 or 422", case(empty_yaml, most=1_500)),
    ("empty-messages", "413 or 422", case(empty_messages, most=1_500)),
    ("empty-cbor", "415", case(empty_cbor, most=100)),
    ("converted-list", "one call", case(converted_list, most=300)),
    ("default-bomb", "422", case(default_bomb, most=300)),
    ("definitions", "others are served", case(definitions, most=1_500)),
    ("strategic-lists", "others are served", case(strategic, most=700)),
]
