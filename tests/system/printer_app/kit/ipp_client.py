# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The part of IPP that the tests need: sends a request with its document in one
connection, and returns the answer's status and attributes. Any error is an OSError."""

import http.client
import http.server
import struct
import urllib.parse

PRINT_JOB, CANCEL_JOB, GET_JOB, GET_JOBS = 0x02, 0x08, 0x09, 0x0a
GET_PRINTER, SET_PRINTER, PAUSE, RESUME = 0x0b, 0x13, 0x10, 0x11
ENABLE, DISABLE = 0x22, 0x23
CREATE_PRINTER, CREATE_SUBSCRIPTION, GET_EVENTS = 0x4c, 0x16, 0x1c
GROUPS = {SET_PRINTER: 4, CREATE_PRINTER: 4, CREATE_SUBSCRIPTION: 6}  # others: 2
INTEGER, ENUM, KEYWORD, URI, NAME, TEXT = 0x21, 0x23, 0x44, 0x45, 0x42, 0x41
CHARSET, LANGUAGE, MIME, BOOLEAN = 0x47, 0x48, 0x49, 0x22
COLLECTION, MEMBER, END = 0x34, 0x4a, 0x37
NOT_SUPPORTED = 0x40a  # a document's format
PENDING, PROCESSING, CANCELED, ABORTED, COMPLETED = 3, 5, 7, 8, 9  # job states


def _attribute(tag, name, value):
    data = struct.pack(">i", value) if tag in (INTEGER, ENUM) \
        else bytes([value]) if tag == BOOLEAN \
        else value if isinstance(value, bytes) else value.encode()
    return struct.pack(">BH", tag, len(name)) + name.encode() + \
        struct.pack(">H", len(data)) + data


def message(operation, attributes, job_attributes=()):
    """A request; an answer, if operation is its status. job_attributes: of the job, or of
    what else the operation sets."""
    return struct.pack(">BBHI", 2, 0, operation, 1) + b"\x01" + \
        b"".join(_attribute(*each) for each in attributes) + \
        (bytes([GROUPS.get(operation, 2)]) +
         b"".join(_attribute(*each) for each in job_attributes)
         if job_attributes else b"") + b"\x03"


def answering(status, *attributes):
    """A handler for a Python server that gives the same answer to each request."""
    answer = message(status, [(CHARSET, "attributes-charset", "utf-8"),
                              (LANGUAGE, "attributes-natural-language", "en"),
                              *attributes])

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/ipp")
            self.send_header("Content-Length", len(answer))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    return Handler


def answer_of(data):
    status, at, groups = struct.unpack(">H", data[2:4])[0], 8, []
    name = None
    while at < len(data) and data[at] != 3:
        tag = data[at]
        at += 1
        if tag < 0x10:
            groups.append({})
            continue
        size, = struct.unpack(">H", data[at:at + 2])
        name = data[at + 2:at + 2 + size].decode() if size else name
        at += 2 + size
        size, = struct.unpack(">H", data[at:at + 2])
        value = data[at + 2:at + 2 + size]
        at += 2 + size
        groups[-1].setdefault(name, []).append(
            struct.unpack(">i", value)[0] if tag in (INTEGER, ENUM) else value)
    return status, groups


class Client:
    def __init__(self, port, user="tester", timeout=60):
        self.port, self.user, self.timeout = port, user, timeout

    def say(self, printer, operation, *attributes, job=(), document=b""):
        """printer: none for the system. document: bytes, or what yields them, for
        ever if need be."""
        path = ("/ipp/print/" + urllib.parse.quote(printer)) if printer else "/ipp/system"
        words = [(CHARSET, "attributes-charset", "utf-8"),
                 (LANGUAGE, "attributes-natural-language", "en"),
                 (URI, "printer-uri" if printer else "system-uri",
                  f"ipp://localhost:{self.port}{path}"),
                 (NAME, "requesting-user-name", self.user), *attributes]
        head = message(operation, words, job)
        connection = http.client.HTTPConnection("127.0.0.1", self.port,
                                                timeout=self.timeout)

        def body():
            yield head
            yield from ([document] if document else []) \
                if isinstance(document, bytes) else document
        try:
            connection.request("POST", path, body(),
                               {"Content-Type": "application/ipp"},
                               encode_chunked=True)
            answer = connection.getresponse()
            data = answer.read()
            if answer.status != 200 or len(data) < 8:
                raise OSError(f"HTTP {answer.status}, {len(data)} bytes")
            return answer_of(data)
        except http.client.HTTPException as error:
            raise OSError(repr(error)) from error
        finally:
            connection.close()

    def print(self, printer, document, kind, title="a title", options=()):
        """The status, and the job's number."""
        status, groups = self.say(
            printer, PRINT_JOB, (NAME, "job-name", title),
            (MIME, "document-format", kind), job=options, document=document)
        numbers = [group["job-id"][0] for group in groups if "job-id" in group]
        return status, numbers[0] if numbers else None

    def state(self, printer, job):
        _, groups = self.say(printer, GET_JOB, (INTEGER, "job-id", job))
        return next((group["job-state"][0] for group in groups
                     if "job-state" in group), None)

    def cancel(self, printer, job):
        return self.say(printer, CANCEL_JOB, (INTEGER, "job-id", job))[0]

    def reasons(self, printer):
        """The reasons for its state."""
        _, groups = self.say(printer, GET_PRINTER)
        return next([reason.decode() for reason in group["printer-state-reasons"]]
                    for group in groups if "printer-state-reasons" in group)
