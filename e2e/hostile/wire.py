"""Requests that are odd as HTTP, and the end of a server that works."""

import json
import signal
import threading
import time

from attacks import case
from server import MAPS, Server, scaled

HEAD = "Host: a\r\n"
# What is sent, and the status that Kubernetes answers with: a second space makes a client anonymous, and the index does not look at the
# method of who may ask.
ODD = {
    "two spaces": (f"GET {MAPS} HTTP/1.1\r\n{HEAD}Authorization: Bearer  modest-token\r\n", 403),
    "second word": (f"GET {MAPS} HTTP/1.1\r\n{HEAD}Authorization: Bearer modest-token more\r\n", 200),
    "no host": (f"GET {MAPS} HTTP/1.1\r\nAuthorization: Bearer modest-token\r\n", 400),
    "two hosts": (f"GET {MAPS} HTTP/1.1\r\n{HEAD}{HEAD}Authorization: Bearer modest-token\r\n", 400),
    "HTTP/1.0 without host": (f"GET {MAPS} HTTP/1.0\r\nAuthorization: Bearer modest-token\r\n", 200),
    "TRACE": (f"TRACE {MAPS} HTTP/1.1\r\n{HEAD}Authorization: Bearer modest-token\r\n", 405),
    "FOO /": (f"FOO / HTTP/1.1\r\n{HEAD}Authorization: Bearer modest-token\r\n", 200),
}


def odd(server):
    seen = {}
    for name, (head, _) in ODD.items():
        stream = server.socket()
        stream.settimeout(20)
        stream.sendall(f"{head}Connection: close\r\n\r\n".encode())
        seen[name] = int(stream.recv(4_000).split(b" ", 2)[1])
        stream.close()
    wrong = {name: status for name, status in seen.items() if status != ODD[name][1]}
    assert not wrong, wrong
    return ", ".join(f"{name} {status}" for name, status in seen.items())


def second_signal():
    """A server that works on Pods with as many containers as a body holds is told to end, twice."""
    count = scaled(900_000, 10_000)
    body = '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[' + ",".join(["{}"] * count) + "]}}"
    with Server() as server:
        def write():
            try:
                server.client("greedy", 120).ask("POST", "/api/v1/namespaces/default/pods", body)
            except OSError:
                pass
            except Exception as error:
                assert "Remote" in type(error).__name__ or isinstance(error, json.JSONDecodeError), error

        threads = [threading.Thread(target=write) for _ in range(scaled(20, 4))]
        [thread.start() for thread in threads]
        time.sleep(1)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        start = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(60)
        took = time.monotonic() - start
        [thread.join() for thread in threads]
    return f"{len(threads)} writes of {count} containers: ended {1000 * took:.0f} ms after the second signal", took < 3


CASES = [
    ("odd-requests", "as kube-apiserver", case(odd, most=50)),
    ("second-signal", "ends at once", second_signal),
]
