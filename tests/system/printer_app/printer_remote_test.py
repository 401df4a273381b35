#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app with clients on another machine, which is a network namespace.
PRINTER_APP is the program. Needs root, and PAM's pam_exec for passwords."""

import base64
import contextlib
import ctypes
import http.client
import os
import pathlib
import select
import shutil
import socket
import ssl
import subprocess
import tempfile
import unittest
import urllib.parse

from kit.ipp_client import (CHARSET, COMPLETED, GET_PRINTER, INTEGER, KEYWORD,
                            LANGUAGE, MIME, NAME, PRINT_JOB, GET_JOB, URI, answer_of, message)
from kit.server import Application, Listener, ServerTest, any_certificate, until
from kit.marked_documents import PCL, own
from kit.web import Form

CREATE_PRINTER, PAUSE_PRINTER, SHUTDOWN = 0x4c, 0x10, 0x63
SERVER, CLIENT = "10.231.77.1", "10.231.77.2"
SERVER6, CLIENTS6 = "fd77:231:77::1", [f"fd77:231:77::{i}" for i in range(2, 9)]
CLONE_NEWNET = 0x40000000
USER, PASSWORD = "daemon", "a good one"  # a user that every system has
GOOD = (USER, PASSWORD)


def can_separate():
    """True if the test may create a network namespace."""
    return os.geteuid() == 0 and shutil.which("ip") and subprocess.run(
        ["unshare", "-n", "-m", "true"], capture_output=True).returncode == 0


class OtherMachine:
    """A network namespace that is connected to this one."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "-n", "sleep", "600"])
        own = os.stat("/proc/self/ns/net").st_ino
        path = f"/proc/{self.holder.pid}/ns/net"
        until(lambda: os.stat(path).st_ino != own)
        self.space = os.open(path, os.O_RDONLY)
        self.home = os.open("/proc/self/ns/net", os.O_RDONLY)
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.ip("link", "add", "halftone0", "type", "veth", "peer", "name",
                "halftone1", "netns", str(self.holder.pid))
        self.ip("addr", "add", SERVER + "/30", "dev", "halftone0")
        self.ip("link", "set", "halftone0", "up")
        with self.there():
            self.ip("addr", "add", CLIENT + "/30", "dev", "halftone1")
            self.ip("link", "set", "halftone1", "up")

    def use_ipv6(self):
        """Gives both machines addresses in one network; the other one gets several."""
        self.ip("addr", "add", SERVER6 + "/64", "dev", "halftone0", "nodad")
        with self.there():
            for address in CLIENTS6:
                self.ip("addr", "add", address + "/64", "dev", "halftone1", "nodad")

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True)

    @contextlib.contextmanager
    def there(self):
        """Sockets that are created meanwhile belong to the other machine."""
        assert self.libc.setns(self.space, CLONE_NEWNET) == 0
        try:
            yield
        finally:
            assert self.libc.setns(self.home, CLONE_NEWNET) == 0

    def close(self):
        self.ip("link", "del", "halftone0")
        os.close(self.space)
        os.close(self.home)
        self.holder.kill()
        self.holder.wait()


@unittest.skipUnless(can_separate(), "needs root, ip and namespaces")
class RemoteTest(unittest.TestCase):
    OPTIONS = ()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        self.folder = pathlib.Path(folder.name)
        self.machine = OtherMachine()
        self.addCleanup(self.machine.close)
        self.app = Application(self.program(), self.folder / "app",
                               listen=SERVER, options=self.OPTIONS)
        self.app.folder.mkdir()
        self.app.start()
        self.addCleanup(self.app.kill)
        self.printer = Listener()
        self.app.run("add", "-d", "office", "-m", "pcl5e", "-v", self.printer.uri)

    def program(self):
        return os.environ["PRINTER_APP"]

    def request(self, method, path, body=None, tls=False, password=None, **fields):
        """Sends a request from the other machine; returns status and body."""
        if password:
            fields["Authorization"] = "Basic " + base64.b64encode(
                ":".join(password).encode()).decode()
        with self.machine.there():
            connection = (
                http.client.HTTPSConnection(SERVER, self.app.port, timeout=60,
                                            context=any_certificate()) if tls else
                http.client.HTTPConnection(SERVER, self.app.port, timeout=60))
            connection.connect()
        with contextlib.closing(connection):
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return answer.status, answer.read()

    def say(self, operation, *attributes, printer="office", document=b"",
            says="root", **how):
        """The HTTP status, or the IPP status and the groups."""
        path = f"/ipp/print/{printer}" if printer else "/ipp/system"
        words = [(CHARSET, "attributes-charset", "utf-8"),
                 (LANGUAGE, "attributes-natural-language", "en"),
                 (URI, "printer-uri" if printer else "system-uri",
                  f"ipp://{SERVER}:{self.app.port}{path}"),
                 (NAME, "requesting-user-name", says), *attributes]
        status, body = self.request(
            "POST", path, message(operation, words) + document,
            **{"Content-Type": "application/ipp"}, **how)
        return (status, None) if status != 200 else answer_of(body)

    def add(self, uri, **how):
        """Tries to add a printer; returns the status."""
        words = [(CHARSET, "attributes-charset", "utf-8"),
                 (LANGUAGE, "attributes-natural-language", "en"),
                 (URI, "system-uri", f"ipp://{SERVER}:{self.app.port}/ipp/system"),
                 (KEYWORD, "printer-service-type", "print"),
                 (KEYWORD, "smi55357-driver", "pcl5e"),
                 (URI, "smi55357-device-uri", uri)]
        body = message(CREATE_PRINTER, words)[:-1] + b"\x04" + message(
            0, [(NAME, "printer-name", "planted")])[9:]
        return self.request("POST", "/ipp/system", body,
                            **{"Content-Type": "application/ipp"}, **how)[0]

    def addresses(self, **how):
        status, groups = self.say(GET_PRINTER, **how)
        self.assertEqual(status, 0)
        found = groups[1]
        self.assertEqual(len(found["printer-uri-supported"]), 1)
        self.assertEqual(len(found["uri-security-supported"]), 1)
        self.assertEqual(len(found["uri-authentication-supported"]), 1)
        return [found[name][0].decode() for name in (
            "printer-uri-supported", "printer-more-info",
            "uri-security-supported")]

    def own_addresses(self, s):
        at = f"{SERVER}:{self.app.port}"
        return [f"ipp{s}://{at}/ipp/print/office", f"http{s}://{at}/office/",
                "tls" if s else "none"]

    def print(self, **how):
        status, groups = self.say(PRINT_JOB, (MIME, "document-format", PCL),
                                  document=own(1), **how)
        if groups is None:
            return status
        self.assertEqual(status, 0)
        job = groups[1]["job-id"][0]

        def has_ended():
            _, found = self.say(GET_JOB, (INTEGER, "job-id", job), **how)
            return found[1]["job-state"][0] >= COMPLETED
        until(has_ended)
        return groups[1]


@unittest.skipUnless(can_separate() and socket.has_ipv6, "needs IPv6")
class NetworkTest(ServerTest):
    """A machine with many addresses of one network."""

    def test_it_takes_all_connections_from_nobody(self):
        machine = OtherMachine()
        self.addCleanup(machine.close)
        machine.use_ipv6()
        folder = self.new_folder()
        self.app = Application(os.environ["PRINTER_APP"], folder, listen=SERVER6)
        self.addCleanup(self.app.kill)
        self.app.start()
        *addresses, other = CLIENTS6
        with machine.there():
            taken = [socket.create_connection((SERVER6, self.app.port),
                                              source_address=(address, 0))
                     for address in addresses for _ in range(96)]
        self.addCleanup(lambda: [each.close() for each in taken])
        # The others are refused or dropped.
        until(lambda: len(select.select(taken, [], [], 0)[0]) == len(taken) - 96)
        connections = [http.client.HTTPConnection(SERVER6, self.app.port,
                                                  timeout=60)]
        connections[0].connect()
        with machine.there():
            connections.append(http.client.HTTPConnection(
                SERVER6, self.app.port, timeout=60, source_address=(other, 0)))
            connections[1].connect()
        for connection in connections:
            with contextlib.closing(connection):
                connection.request("GET", "/")
                self.assertEqual(connection.getresponse().status, 200)


class OpenTest(RemoteTest):
    """A server without passwords that accepts other machines."""

    def test_they_print_and_change_nothing(self):
        self.assertEqual(self.addresses(), self.own_addresses(""))
        self.assertEqual(self.addresses(tls=True), self.own_addresses("s"))
        self.assertEqual(self.print()["job-uri"][0].decode().split(":")[0], "ipp")
        self.assertEqual(self.print(tls=True)["job-uri"][0].decode().split(":")[0],
                         "ipps")
        victim = self.folder / "victim"
        victim.write_text("as it was")
        for tls in False, True:
            for uri in f"file:{victim}", self.printer.uri:
                self.assertEqual(self.add(uri, tls=tls), 403)
            for operation, printer in (PAUSE_PRINTER, "office"), (SHUTDOWN, None):
                self.assertEqual(self.say(operation, printer=printer, tls=tls)[0], 403)
            for path in "/addprinter", "/office/config", "/config", "/logfile.txt":
                self.assertEqual(self.request("GET", path, tls=tls)[0], 403, path)
        self.assertEqual(victim.read_text(), "as it was")
        self.assertEqual(self.app.run("printers"), "office\n")
        # Nor is it this machine by a name, or by a page of another site.
        for host in "localhost", "127.0.0.1":
            self.assertEqual(self.request("GET", "/addprinter", Host=host)[0], 403)
        self.assertEqual(self.request("GET", "/", Host="1.attacker.example")[0], 400)

    def tls_version(self, version, upgrades):
        """Begins TLS in this version alone, by HTTP or at once. None: refused."""
        context = any_certificate()
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
        with self.machine.there():
            connection = socket.create_connection((SERVER, self.app.port), timeout=60)
        with connection:
            if upgrades:
                connection.sendall(f"OPTIONS * HTTP/1.1\r\nHost: {SERVER}\r\n"
                                   "Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n\r\n".encode())
                answer = b""
                while not answer.endswith(b"\r\n\r\n"):
                    answer += connection.recv(1)
                self.assertIn(b" 101 ", answer)
            try:
                with context.wrap_socket(connection) as tls:
                    return tls.version()
            except (ssl.SSLError, ConnectionError):
                return None

    def test_tls_is_1_2_or_later(self):
        for upgrades in False, True:
            self.assertEqual([self.tls_version(version, upgrades) for version in (
                ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2,
                ssl.TLSVersion.TLSv1_3)], [None, None, "TLSv1.2", "TLSv1.3"])


class SilentTest(RemoteTest):
    """Clients that stop within a handshake or a record of TLS."""

    OPTIONS = ("client-timeout=1",)

    def connect(self, stop=None):
        """A connection, its TLS and the bytes that TLS sends. stop: how many bytes of the
        handshake the client sends; none for all of it."""
        with self.machine.there():
            connection = socket.create_connection((SERVER, self.app.port), timeout=30)
        self.addCleanup(connection.close)
        came, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = any_certificate().wrap_bio(came, sent)
        while True:
            with contextlib.suppress(ssl.SSLWantReadError):
                tls.do_handshake()
                return connection, tls, sent
            connection.sendall(sent.read()[:stop])
            if stop:
                return connection, tls, sent
            came.write(connection.recv(1 << 16))

    def test_they_end_and_hold_nothing(self):
        before = self.print(tls=True)["job-id"][0]
        words = [(CHARSET, "attributes-charset", "utf-8"),
                 (LANGUAGE, "attributes-natural-language", "en"),
                 (URI, "printer-uri", self.app.uri("office")), (MIME, "document-format", PCL)]
        request = message(PRINT_JOB, words) + own(2)
        head = (f"POST /ipp/print/office HTTP/1.1\r\nHost: {SERVER}\r\n"
                "Content-Type: application/ipp\r\n"
                f"Content-Length: {len(request) + 9000}\r\n\r\n").encode()
        silent = [self.connect(stop)[0] for stop in (1, 5, 20, 200, 5000)]
        for whole, partial in (b"", head), (head, request), (head + request, bytes(9000)):
            connection, tls, sent = self.connect()
            tls.write(whole)
            tls.write(partial)
            connection.sendall(sent.read()[:-9])
            silent.append(connection)
        self.assertEqual(self.print(tls=True)["job-id"][0], before + 1)
        for i, connection in enumerate(silent):
            with self.subTest(i), contextlib.suppress(ConnectionResetError):
                while connection.recv(1 << 16):
                    pass
        self.assertEqual(self.print()["job-id"][0], before + 2)
        self.assertNotIn(own(2), b"".join(map(bytes, self.printer.streams)))

    def test_threads_end_if_connections_end_within_a_record(self):
        threads = pathlib.Path(f"/proc/{self.app.process.pid}/task")
        before = len(list(threads.iterdir()))
        body = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
        for words in b"", b"GET /", body, body + b"1", body.replace(b"T /", b"T /office/jobs"):
            connection, tls, sent = self.connect()
            tls.write(words)
            connection.sendall(sent.read() + b"\x17\x03\x03\x40\x00abc")
            connection.close()
        until(lambda: len(list(threads.iterdir())) <= before)


@unittest.skipUnless(any(pathlib.Path("/").glob("lib/*/security/pam_exec.so")),
                     "needs pam_exec")
class PasswordTest(RemoteTest):
    """A server that asks for passwords, with this test's own PAM service."""

    OPTIONS = ("auth-service=halftone-test", "admin-group=" + USER)

    def program(self):
        services, check = self.folder / "pam.d", self.folder / "check"
        services.mkdir()
        check.write_text("#!/bin/sh\n"
                         f'[ "$PAM_USER:$(tr -d "\\000")" = "{USER}:{PASSWORD}" ]\n')
        check.chmod(0o755)
        (services / "halftone-test").write_text(
            f"auth required pam_exec.so quiet expose_authtok {check}\n"
            "account required pam_permit.so\n")
        # Seen by the server alone, in place of the machine's.
        launcher = self.folder / "launcher"
        launcher.write_text(
            "#!/bin/sh\nexec unshare -m sh -c 'mount --bind \"$0\" /etc/pam.d && "
            f"exec \"$@\"' {services} {super().program()} \"$@\"\n")
        launcher.chmod(0o755)
        return launcher

    def test_they_need_tls_and_the_right_password(self):
        for addresses in self.addresses(), self.addresses(tls=True):
            self.assertEqual(addresses, self.own_addresses("s"))
        self.assertEqual(self.print(), 426)
        self.assertEqual(self.print(password=GOOD), 426)
        for password in (None, (USER, "a bad one"), (USER, ""), ("root", PASSWORD),
                         ("nobody-at-all", PASSWORD)):
            with self.subTest(password):
                self.assertEqual(self.print(tls=True, password=password), 401)
                self.assertEqual(self.add(self.printer.uri, tls=True,
                                          password=password), 401)
        job = self.print(tls=True, password=GOOD)
        self.assertEqual(job["job-uri"][0].decode().split(":")[0], "ipps")
        self.assertEqual(self.add(self.printer.uri, password=GOOD), 426)
        for tls, password, status in ((False, None, 302), (False, GOOD, 302), (True, None, 401),
                                      (True, (USER, "a bad one"), 401), (True, GOOD, 200)):
            self.assertEqual(self.request("GET", "/addprinter", tls=tls,
                                          password=password)[0], status)
        # The user's primary group has the right.
        self.assertEqual(self.add(self.printer.uri, tls=True, password=GOOD), 200)
        self.assertRegex(self.app.log_text(), f"Create-Printer by [0-9.]+ as {USER}\\.")
        self.assertEqual(sorted(self.app.run("printers").split()),
                         ["office", "planted"])

    def test_a_form_has_the_token_of_its_user(self):
        def form(path, password):
            return Form(self.request("GET", path, tls=True,
                                     password=password)[1].decode()).fields

        others = form("/", None)["session"]
        for path, to, filled in (("/config", "/config", form("/config", GOOD)),
                                 ("/", "/office/", {"action": "pause-printer"}),
                                 ("/office/", "/office/", {"action": "resume-printer"})):
            for session, status in (others, 403), (form(path, GOOD)["session"], 200):
                self.assertEqual(self.request(
                    "POST", to, urllib.parse.urlencode(filled | {"session": session}),
                    tls=True, password=GOOD, Origin=f"https://{SERVER}:{self.app.port}",
                    **{"Content-Type": "application/x-www-form-urlencoded"})[0], status)
        for path in "/", "/office/":
            self.assertEqual(self.request("GET", path, tls=True,
                                          password=(USER, "a bad one"))[0], 401)

    def test_a_name_without_its_password_shows_no_owner(self):
        job = self.print(tls=True, password=GOOD)["job-id"][0]

        def seen(**how):
            return self.say(GET_JOB, (INTEGER, "job-id", job),
                            (KEYWORD, "requested-attributes", "all"), says=USER, **how)
        for tls in False, True:
            self.assertNotIn("job-originating-user-name", seen(tls=tls)[1][1])
        self.assertEqual(seen(tls=True, password=(USER, "a bad one"))[0], 401)
        self.assertEqual(seen(password=GOOD)[0], 426)
        found = seen(tls=True, password=GOOD)[1][1]
        self.assertEqual(found["job-originating-user-name"], [USER.encode()])


if __name__ == "__main__":
    unittest.main()
