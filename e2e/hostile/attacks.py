"""Attacks by one client, and what another one notices of them."""

import json
import threading
import time

import http2
from server import MAPS, Server, config_map, fill, more_files, scaled, spread

SECOND = 1000.0
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Beside:
    """A modest client that asks while something else happens, and the peak of the server's memory meanwhile."""

    def __init__(self, server, user="modest"):
        self.server, self.times, self.errors, self.is_over = server, [], 0, False
        self.user = user
        self.before, self.highest = server.rss(), 0
        server.forget_peak()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        client, number = self.server.client(self.user), 0
        while not self.is_over:
            number += 1
            start = time.monotonic()
            try:
                first = client.get("/healthz")[0]
                second = client.ask("POST", MAPS, config_map(f"beside-{id(self)}-{number}", 100))[0]
                self.errors += (first, second) != (200, 201)
            except Exception:
                self.errors += 1
                client = self.server.client(self.user)
            self.times.append(time.monotonic() - start)
            time.sleep(0.05)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()
        self.highest = self.server.peak()

    def seen(self, what, most=700):
        p50, p99 = spread(self.times)
        grown = self.highest - self.before
        text = f"{what}; other client p50 {p50:.0f} ms, p99 {p99:.0f} ms, errors {self.errors}; {grown:.0f} MiB more"
        return text, self.errors == 0 and p99 < 3 * SECOND and grown < most


def case(attack, objects=200, size=500, most=700, arguments=()):
    def check():
        more_files()
        with Server(arguments=arguments) as server:
            fill(server, objects, size)
            with Beside(server) as beside:
                what = attack(server)
            busy = server.busy()
            told, is_right = beside.seen(what, most)
            return f"{told}; then {100 * busy:.0f} % busy", is_right and busy < 0.5

    return check


def bookmarks(server):
    """Watches with bookmarks that last, and read everything."""
    clients = [server.client() for _ in range(scaled(1_000, 20))]
    [client.start(f"{MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan") for client in clients]
    time.sleep(5)
    return f"{len(clients)} watches"


def selectors(server):
    """Lists and watches with selectors of a megabyte."""
    terms = ",".join(f"a{number}!=b" for number in range(70_000))
    client, answers = server.client("greedy"), []
    for _ in range(scaled(5, 1)):
        answers.append(client.get(f"{MAPS}?labelSelector={terms}")[0])
    watchers = [server.client("greedy") for _ in range(scaled(100, 5))]
    [watcher.start(f"{MAPS}?watch=1&labelSelector={terms}") for watcher in watchers]
    time.sleep(10)
    return f"{len(terms) >> 10} KiB: {set(answers)}, {len(watchers)} watches"


def operations(server):
    """Patches with 10,000 operations on a large object."""
    client = server.client("greedy")
    data = {f"k{number}": "v" for number in range(10_000)}
    client.ask("POST", MAPS, {"metadata": {"name": "large"}, "data": data})
    client.headers["Content-Type"] = "application/json-patch+json"
    answers, start = [], time.monotonic()
    for kind in ("add", "test", "replace", "copy", "move"):
        patch = []
        for number in range(10_000):
            operation = {"op": kind, "path": f"/data/k{number}"}
            operation.update({"from": f"/data/k{number + 1}"} if kind in ("copy", "move") else {"value": "v"})
            patch.append(operation)
        answers.append(client.ask("PATCH", f"{MAPS}/large", patch)[0])
    return f"{answers} in {time.monotonic() - start:.1f} s"


def managers(server):
    """Applies by ever more managers."""
    client = server.client("greedy")
    client.headers["Content-Type"] = "application/apply-patch+yaml"
    count, answers, slowest, end = scaled(10_000, 200), {}, 0, time.monotonic() + 60
    for number in range(count):
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "shared"}, "data": {f"k{number}": "v"}}
        start = time.monotonic()
        status, _ = client.ask("PATCH", f"{MAPS}/shared?fieldManager=manager-{number}", body)
        slowest = max(slowest, time.monotonic() - start)
        answers[status] = answers.get(status, 0) + 1
        if start > end:
            break
    return f"{answers}, slowest {1000 * slowest:.0f} ms"


def versions(server):
    """A definition with 1,000 versions, then its objects and documents."""
    client = server.client("greedy", 120)
    count = scaled(1_000, 50)
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    names = {"plural": "wides", "singular": "wide", "kind": "Wide"}
    every = [{"name": f"v{number + 1}", "served": True, "storage": number == 0, "schema": schema} for number in range(count)]
    body = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "wides.wide.org"}}
    body["spec"] = {"group": "wide.org", "scope": "Namespaced", "names": names, "versions": every}
    start = time.monotonic()
    answers = [client.ask("POST", DEFINITIONS, body)[0]]
    for path in ("/apis", "/openapi/v2", "/openapi/v3", f"/apis/wide.org/v{count}/wides"):
        answers.append(client.get(path)[0])
    one = {"apiVersion": "wide.org/v7", "kind": "Wide", "metadata": {"name": "a"}}
    answers.append(client.ask("POST", "/apis/wide.org/v7/namespaces/default/wides", one)[0])
    return f"{count} versions: {answers} in {time.monotonic() - start:.1f} s"


def columns(server):
    """Columns that print the whole object, again and again."""
    client = server.client("greedy", 120)
    count = scaled(5_000, 100)
    printed = [{"name": f"c{number}", "type": "string", "jsonPath": ".spec"} for number in range(count)]
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    one = {"name": "v1", "served": True, "storage": True, "schema": schema, "additionalPrinterColumns": printed}
    body = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "talls.tall.org"}}
    body["spec"] = {"group": "tall.org", "scope": "Namespaced", "names": {"plural": "talls", "kind": "Tall"}, "versions": [one]}
    answers = [client.ask("POST", DEFINITIONS, body)[0]]
    path = "/apis/tall.org/v1/namespaces/default/talls"
    time.sleep(0.5)
    for number in range(10):
        item = {"apiVersion": "tall.org/v1", "kind": "Tall", "metadata": {"name": f"a{number}"}, "spec": {"t": "x" * 1_000_000}}
        answers.append(client.ask("POST", path, item)[0])
    client.headers["Accept"] = "application/json;as=Table;v=v1;g=meta.k8s.io"
    status, answer = client.get(path)
    return f"{count} columns: {answers[0]}, table {status}, {len(answer) >> 20} MiB"


def handshakes(server):
    """Connections that never finish TLS."""
    sockets = [server.plain() for _ in range(scaled(2_000, 50))]
    [each.sendall(b"\x16\x03\x01\x02\x00") for each in sockets]
    start = time.monotonic()
    sockets[0].settimeout(60)
    try:
        sockets[0].recv(1)
    except OSError:
        pass
    return f"{len(sockets)} connections, cut after {time.monotonic() - start:.0f} s"


def slow_handshakes(server):
    """Connections that greet in pieces, so that something always comes."""
    sockets = [server.plain() for _ in range(scaled(1_000, 50))]
    # A ClientHello of 512 bytes that is announced, and sent byte by byte.
    [each.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03") for each in sockets]
    start, is_cut = time.monotonic(), False
    while not is_cut and time.monotonic() < start + 60:
        time.sleep(1)
        for each in sockets:
            try:
                each.sendall(b"x")
            except OSError:
                is_cut = True
    assert is_cut, "slow handshakes are never cut"
    return f"{len(sockets)} connections, cut after {time.monotonic() - start:.0f} s"


def silence(server):
    """Connections that finish TLS and then say nothing, or only that they speak HTTP/2."""
    sockets = [server.socket() for _ in range(scaled(500, 20))]
    speakers = [http2.Http2(server) for _ in range(scaled(500, 20))]
    start = time.monotonic()
    for each in (sockets[0], speakers[0].stream):
        each.settimeout(60)
        try:
            while each.recv(1000):
                pass
        except OSError:
            pass
    return f"{len(sockets)} silent, {len(speakers)} HTTP/2: cut after {time.monotonic() - start:.0f} s"


def rapid_reset(server):
    """Requests over HTTP/2 that are taken back at once."""
    block = http2.request(server, "GET", MAPS, "greedy")
    sent, cut, end = 0, 0, time.monotonic() + 15
    while time.monotonic() < end:
        client = http2.Http2(server)
        try:
            for _ in range(2_000):
                client.reset(client.start(block))
                sent += 1
        except OSError:
            cut += 1
        client.close()
    return f"{sent} requests, {cut} connections cut"


def bombs(server):
    """Headers that are small on the wire and large in memory, of requests that do not end, by nobody."""
    big = http2.indexed("x-long", "y" * 4_000)
    block = http2.request(server, "POST", MAPS, None, big + http2.FIRST * 240)
    clients = []
    for _ in range(scaled(50, 3)):
        client = http2.Http2(server)
        clients.append(client)
        try:
            for _ in range(100):
                client.start(block, ends=False)
        except OSError:
            pass
    time.sleep(5)
    return f"{len(clients)} connections with 100 requests of {240 * 4000 >> 10} KiB"


def long_headers(server):
    """Connections that send most of a megabyte of headers, and not the end."""
    sockets, head = [], b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: " + b"y" * 1_000_000
    for _ in range(scaled(2_000, 20)):
        each = server.socket()
        each.settimeout(0.5)
        sockets.append(each)
        try:
            each.sendall(head)
        except OSError:
            pass
        if len(sockets) * len(head) > (1 << 30) * 2:
            break
    return f"{len(sockets)} connections of {len(head) >> 10} KiB"


def dripped_headers(server):
    """A header that comes in pieces: each must not cost as much as all before it."""
    sockets = [server.socket() for _ in range(20)]
    [each.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ") for each in sockets]
    end, sent = time.monotonic() + 15, 0
    try:
        while time.monotonic() < end:
            for each in sockets:
                each.sendall(b"y" * 50)
                sent += 50
    except OSError:
        pass
    return f"{len(sockets)} connections, {sent // len(sockets) >> 10} KiB each"


def unread(server):
    """Answers over HTTP/2 for which the client gives no room."""
    block, clients = http2.request(server, "GET", MAPS, "greedy"), []
    for _ in range(scaled(30, 3)):
        client = http2.Http2(server, window=0)
        clients.append(client)
        [client.start(block) for _ in range(100)]
    time.sleep(10)
    return f"{len(clients)} connections with 100 requests"


def upgrades(server):
    """Requests for WebSockets that go on with something else."""
    sockets = []
    head = "GET /api/v1/namespaces/default/pods/a/exec?command=a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer greedy-token\r\n"
    head += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    for _ in range(scaled(500, 20)):
        each = server.socket()
        each.sendall(head.encode())
        sockets.append(each)
    status = sockets[0].recv(12)
    time.sleep(3)
    return f"{len(sockets)} connections, {status[9:].decode()}"


CASES = [
    ("bookmarks", "others are served", case(bookmarks)),
    ("selectors", "others are served", case(selectors, objects=1_000)),
    ("patch-operations", "others are served", case(operations)),
    ("managers", "others are served", case(managers)),
    ("versions", "others are served", case(versions)),
    ("columns", "others are served", case(columns)),
    ("handshakes", "cut after 32 s", case(handshakes)),
    ("slow-handshakes", "cut after 32 s", case(slow_handshakes)),
    ("silence", "cut after 32 s", case(silence)),
    ("rapid-reset", "others are served", case(rapid_reset)),
    ("header-bombs", "others are served", case(bombs)),
    ("long-headers", "others are served, 512 MiB", case(long_headers, most=900)),
    ("dripped-headers", "others are served", case(dripped_headers)),
    ("unread-http2", "others are served, 512 MiB", case(unread, objects=300, size=5_000, most=900)),
    ("upgrades", "others are served", case(upgrades)),
]
