"""A server in its own process, and clients for it."""

import http.client
import json
import os
import resource
import signal
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "target/release/kindsmith"))
SCALE = float(os.environ.get("HOSTILE_SCALE", "1"))
# Every duplicate key is a warning, and every warning a header.
http.client._MAXHEADERS = 10_000
# Administrators have seats of their own; the others of a group may do everything too.
OTHERS = ["greedy", "greedy1", "greedy2", "plain", "other"]
TOKENS = 'modest-token,modest,1,"system:masters"\nnobody-token,nobody,2\n'
TOKENS += "".join(f'{name}-token,{name},{10 + at},"others"\n' for at, name in enumerate(OTHERS))
BINDING = {
    "metadata": {"name": "others"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
    "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "others"}],
}
MAPS = "/api/v1/namespaces/default/configmaps"


def scaled(number, least=1):
    return max(least, int(number * SCALE))


class Server:
    """`kindsmith serve` with two users, stopped at the end."""

    def __init__(self, store="memory", arguments=(), ignores_size_signal=False):
        self.folder = tempfile.TemporaryDirectory()
        tokens = os.path.join(self.folder.name, "tokens.csv")
        with open(tokens, "w") as file:
            file.write(TOKENS)
        self.command = [BINARY, "serve", "--listen", "127.0.0.1:0", "-o", "json", "--store", store, "--log", "nothing"]
        self.command += ["--token-file", tokens, *arguments]
        self.ignores_size_signal = ignores_size_signal
        self.start()

    def start(self):
        prepare = (lambda: signal.signal(signal.SIGXFSZ, signal.SIG_IGN)) if self.ignores_size_signal else None
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, cwd=self.folder.name, preexec_fn=prepare)
        ready = json.loads(self.process.stdout.readline())
        self.host, self.port = ready["url"].split("://")[1].rsplit(":", 1)
        self.authority = ready["ca"]
        self.trust = ssl.create_default_context(cadata=ready["ca"])
        self.client().ask("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", BINDING)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()

    def rss(self):
        """Resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0

    def forget_peak(self):
        """Begins to look for the peak of memory anew."""
        with open(f"/proc/{self.process.pid}/clear_refs", "w") as file:
            file.write("5")

    def peak(self):
        """The highest resident memory in MiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM:"))

    def busy(self, seconds=2):
        """How much of a processor the server uses when nobody asks."""

        def used():
            with open(f"/proc/{self.process.pid}/stat") as file:
                words = file.read().rsplit(") ", 1)[1].split()
            return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

        before = used()
        time.sleep(seconds)
        return (used() - before) / seconds

    def plain(self):
        return socket.create_connection((self.host, int(self.port)), timeout=60)

    def socket(self, protocols=("http/1.1",)):
        trust = ssl.create_default_context(cadata=self.authority)
        trust.set_alpn_protocols(list(protocols))
        return trust.wrap_socket(self.plain(), server_hostname=self.host)

    def client(self, user="modest", timeout=60):
        return Client(self, user, timeout)


class Client:
    """One connection as one user."""

    def __init__(self, server, user, timeout):
        self.connection = http.client.HTTPSConnection(
            server.host, int(server.port), context=server.trust, timeout=timeout
        )
        self.headers = {"Authorization": f"Bearer {user}-token", "Content-Type": "application/json"}

    def ask(self, method, path, body=None):
        text = json.dumps(body) if isinstance(body, (dict, list)) else body
        self.connection.request(method, path, text, self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def get(self, path):
        return self.ask("GET", path)

    def start(self, path):
        """Sends a request and reads nothing."""
        self.connection.request("GET", path, headers=self.headers)


def config_map(name, size):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": "x" * size}}


def fill(server, count, size, threads=8):
    """Creates objects."""

    def create(start):
        client = server.client()
        for number in range(start, count, threads):
            status, body = client.ask("POST", MAPS, config_map(f"map-{number:06}", size))
            assert status == 201, (status, body[:200])

    work = [threading.Thread(target=create, args=(start,)) for start in range(threads)]
    [thread.start() for thread in work]
    [thread.join() for thread in work]


class Load:
    """Threads that repeat something until the end, and how long it took each time."""

    def __init__(self, threads, work):
        self.times, self.errors, self.is_over = [], 0, False
        self.threads = [threading.Thread(target=self.run, args=(work, number)) for number in range(threads)]

    def run(self, work, number):
        state = {}
        while not self.is_over:
            start = time.monotonic()
            try:
                if not work(state, number):
                    self.errors += 1
            except Exception:
                self.errors += 1
                state.clear()
                time.sleep(0.05)
            self.times.append(time.monotonic() - start)

    def __enter__(self):
        [thread.start() for thread in self.threads]
        return self

    def __exit__(self, *_):
        self.is_over = True
        end = time.monotonic() + 120
        [thread.join(timeout=max(0, end - time.monotonic())) for thread in self.threads]


class LoadProcess:
    """Clients in their own process; returns when all are connected. Those who are to be as if on another machine are nice."""

    def __init__(self, server, user, clients, seconds, what, nice=0):
        with open(os.path.join(server.folder.name, f"{user}.pem"), "w") as file:
            file.write(server.authority)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "load.py")
        words = [server.host, server.port, file.name, user, clients, seconds, what]
        words = [sys.executable, script, *map(str, words)]
        words = ["nice", "-n", str(nice), *words] if nice else words
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE)
        assert self.process.stdout.readline().split() == [b"connected", str(clients).encode()], "clients do not connect"

    def result(self):
        line = self.process.stdout.readline()
        self.process.wait()
        return json.loads(line)


def spread(times):
    """p50 and p99 in milliseconds."""
    if not times:
        return 0.0, 0.0
    times = sorted(times)
    return 1000 * statistics.median(times), 1000 * times[min(len(times) - 1, int(len(times) * 0.99))]


def more_files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
