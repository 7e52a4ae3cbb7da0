"""Frames of HTTP/2, by hand: clients that no library would be."""

import struct

HEADERS, RESET, SETTINGS = 1, 3, 4
END_STREAM, END_HEADERS = 1, 4
CONTINUATION = 9
FRAME = 16_000


def number(value, bits, first=0):
    """An integer of HPACK."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([first | value])
    out, value = bytearray([first | most]), value - most
    while value >= 128:
        out.append(value % 128 | 128)
        value //= 128
    out.append(value)
    return bytes(out)


def text(value):
    return number(len(value), 7) + value.encode()


def header(name, value):
    """Not indexed."""
    return b"\0" + text(name) + text(value)


def indexed(name, value):
    """Enters the table, and is its first entry behind the 61 fixed ones from then on."""
    return b"\x40" + text(name) + text(value)


FIRST = number(62, 7, 0x80)


def request(server, method, path, user, more=b""):
    names = {":method": method, ":scheme": "https", ":path": path, ":authority": server.host}
    if user:
        names["authorization"] = f"Bearer {user}-token"
    return b"".join(header(name, value) for name, value in names.items()) + more


class Http2:
    """One connection, which reads nothing unless it is told to."""

    def __init__(self, server, window=65535):
        self.stream = server.socket(["h2"])
        self.stream.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.send(SETTINGS, 0, 0, struct.pack("!HI", 4, window))
        self.next = 1

    def send(self, kind, flags, stream, payload):
        self.stream.sendall(struct.pack("!I", len(payload))[1:] + struct.pack("!BBI", kind, flags, stream) + payload)

    def start(self, block, ends=True):
        stream, self.next = self.next, self.next + 2
        parts = [block[at : at + FRAME] for at in range(0, len(block), FRAME)]
        for index, part in enumerate(parts):
            kind = CONTINUATION if index else HEADERS
            flags = (END_HEADERS if index == len(parts) - 1 else 0) | (END_STREAM if ends and not index else 0)
            self.send(kind, flags, stream, part)
        return stream

    def reset(self, stream):
        self.send(RESET, 0, stream, struct.pack("!I", 8))

    def close(self):
        self.stream.close()
