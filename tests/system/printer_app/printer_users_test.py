#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several users of one halftone-printer-app: the system, not the client, identifies a
job's owner. PRINTER_APP is the program. Needs root, to act as other users."""

import contextlib
import grp
import http.client
import os
import pathlib
import pwd
import re
import socket
import unittest
import urllib.parse

from kit.ipp_client import (CANCELED, CHARSET, CREATE_PRINTER,  # noqa: E402
                            CREATE_SUBSCRIPTION, GET_EVENTS, GET_JOB, GET_JOBS, GET_PRINTER,
                            INTEGER, KEYWORD, LANGUAGE, MIME, NAME, PRINT_JOB, URI, Client,
                            message)
from kit.server import Listener, ServerTest, until
from kit.marked_documents import PCL, own
from private_cups import UnixConnection  # noqa: E402

CANCEL_CURRENT, CANCEL_MY_JOBS, CANCEL_JOBS = 0x2d, 0x39, 0x38
HOLD_JOB, PAUSE_PRINTER, SHUTDOWN = 0x0c, 0x10, 0x63
FORBIDDEN, NOT_AUTHORIZED = "HTTP 403", 0x403
ALICE, BOB, LP = "daemon", "bin", "lp"  # that every system has
TITLE = "The plan that nobody else reads"


@contextlib.contextmanager
def user(name):
    """Connections that open meanwhile belong to this user."""
    os.seteuid(pwd.getpwnam(name).pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


@unittest.skipUnless(os.geteuid() == 0, "takes other users' places")
class PasswordsTest(ServerTest):
    """A server that asks for passwords, over its Unix socket."""

    def setUp(self):
        folder = self.new_folder()
        os.chmod(folder, 0o755)
        self.start("auth-service=login", folder=folder)

    def create(self, name, printer):
        body = message(CREATE_PRINTER, [
            (CHARSET, "attributes-charset", "utf-8"),
            (LANGUAGE, "attributes-natural-language", "en"),
            (URI, "system-uri", "ipp://localhost/ipp/system"),
            (KEYWORD, "printer-service-type", "print"),
            (KEYWORD, "smi55357-driver", "pcl5e"),
            (URI, "smi55357-device-uri", "socket://127.0.0.1:9")],
            [(NAME, "printer-name", printer)])
        with user(name), contextlib.closing(UnixConnection(
                str(self.app.folder / "halftone-printer-app.sock"))) as connection:
            connection.request("POST", "/ipp/system", body,
                               {"Content-Type": "application/ipp"})
            return connection.getresponse().status

    def test_they_do_not_make_everybody_an_administrator(self):
        self.assertEqual(self.create(BOB, "bobs"), 401)
        self.assertEqual(self.create("root", "roots"), 200)
        self.assertEqual(self.app.run("printers"), "roots\n")

    def test_names_that_mean_another_printer_are_refused(self):
        self.create("root", "a b")
        for name in ("", "A B", "a?b", "a_b", ".", "..", "../x", "%2e%2e", "c\u200bd",
                     "c\u00a0d", "c\u3164d", "c\td", "c" * 256):
            self.create("root", name)
        self.create("root", "a-b")
        self.assertEqual(sorted(self.app.run("printers").split("\n")),
                         ["", "a b", "a-b"])


@unittest.skipUnless(os.geteuid() == 0, "takes other users' places")
class UsersTest(ServerTest):
    def setUp(self):
        self.start()
        self.root = Client(self.app.port, "root")
        self.printer = Listener(pause=0.001)
        self.printer.may_take.clear()
        self.app.run("add", "-d", "office", "-m", "pcl5e", "-v",
                     self.printer.uri)

    def say(self, name, operation, *attributes, says=None, printer="office", job=()):
        """Sends a request as this user, who claims to be another; returns status and
        groups."""
        with user(name):
            return Client(self.app.port, says or name).say(
                printer, operation, *attributes, job=job)

    def message(self, operation, *attributes):
        return message(operation, [
            (CHARSET, "attributes-charset", "utf-8"),
            (LANGUAGE, "attributes-natural-language", "en"),
            (URI, "printer-uri", f"ipp://localhost:{self.app.port}/ipp/print/office"),
            *attributes])

    def print(self, name, says=None):
        with user(name):
            client = Client(self.app.port, says or name)
            status, job = client.print("office", own(1), PCL, TITLE)
        self.assertEqual(status, 0)
        return job

    def attributes(self, name, job, says=None):
        _, groups = self.say(name, GET_JOB, (INTEGER, "job-id", job), says=says)
        return next(group for group in groups if "job-id" in group)

    def owner(self, job):
        _, groups = self.root.say("office", GET_JOB, (INTEGER, "job-id", job))
        return groups[1]["job-originating-user-name"][0].decode()

    def is_canceled(self, job):
        return self.root.state("office", job) == CANCELED

    def web(self, name, path, form=None):
        """Returns the page, after submitting its form if there is one."""
        def ask(method, body=None, headers={}):
            with user(name), contextlib.closing(http.client.HTTPConnection(
                    "localhost", self.app.port, timeout=30)) as connection:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                return answer.status, answer.read().decode()
        status, text = ask("GET")
        if form is None:
            return status, text
        session = re.search('name="session" value="([^"]*)"', text)
        fields = dict(form, session=session[1] if session else "")
        return ask("POST", urllib.parse.urlencode(fields),
                   {"Content-Type": "application/x-www-form-urlencoded",
                    "Origin": f"http://localhost:{self.app.port}"})

    def test_a_job_is_its_users_whatever_the_client_says(self):
        self.assertEqual(self.owner(self.print(ALICE, says="root")), ALICE)
        # Root and lp speak for others, as cupsd does.
        self.assertEqual(self.owner(self.print(LP, says="carol")), "carol")
        self.assertEqual(self.owner(self.print("root", says=BOB)), BOB)

    def test_what_is_private_is_withheld_from_others(self):
        job = self.print(ALICE)
        private = {"job-name", "job-originating-user-name"}
        for name in ALICE, "root", LP:
            self.assertLessEqual(private, self.attributes(name, job).keys())
        for says in BOB, ALICE, "root":
            seen = self.attributes(BOB, job, says=says)
            self.assertLessEqual({"job-id", "job-state"}, seen.keys())
            self.assertFalse(private & seen.keys())
            self.assertNotIn(TITLE.encode(), str(seen).encode())
        for name, count in (ALICE, 1), (BOB, 0):
            wanted = (KEYWORD, "requested-attributes", "all")
            _, groups = self.say(name, GET_JOBS, wanted)
            titles = [group for group in groups if "job-name" in group]
            self.assertEqual(len(titles), count)
            self.assertEqual(len([g for g in groups if "job-id" in g]), 1)

    def test_nobody_changes_anothers_jobs(self):
        first, second = self.print(ALICE), self.print(ALICE)
        until(lambda: self.root.state("office", first) == 5)
        for operation, *what in ((0x08, (INTEGER, "job-id", second)),
                                 (HOLD_JOB, (INTEGER, "job-id", second)),
                                 (CANCEL_CURRENT,)):
            status, _ = self.say(BOB, operation, *what, says=ALICE)
            self.assertEqual(status, NOT_AUTHORIZED, hex(operation))
        with self.assertRaisesRegex(OSError, FORBIDDEN):
            self.say(BOB, CANCEL_JOBS)
        self.assertFalse(self.is_canceled(second))
        mine = self.print(BOB)
        self.assertEqual(self.say(BOB, CANCEL_MY_JOBS, says=ALICE)[0], 0)
        self.assertTrue(self.is_canceled(mine))
        self.assertFalse(self.is_canceled(second))
        self.assertEqual(
            self.say(ALICE, 0x08, (INTEGER, "job-id", second))[0], 0)
        self.assertTrue(self.is_canceled(second))
        self.assertEqual(self.say("root", CANCEL_CURRENT)[0], 0)
        until(lambda: self.is_canceled(first))

    def test_nobody_reads_the_events_of_anothers_subscription(self):
        self.app.run("add", "-d", "other", "-m", "pcl5e", "-v", self.printer.uri)
        _, groups = self.say(ALICE, CREATE_SUBSCRIPTION, job=[
            (KEYWORD, "notify-pull-method", "ippget"),
            (KEYWORD, "notify-events", "job-created")])
        wanted = (INTEGER, "notify-subscription-ids", groups[1]["notify-subscription-id"][0])
        self.print(ALICE)
        for printer in "office", "other":
            for name, status in (ALICE, 0), (BOB, NOT_AUTHORIZED):
                said, groups = self.say(name, GET_EVENTS, wanted, printer=printer)
                self.assertEqual((said, "job-created" in str(groups)),
                                 (status, name == ALICE), printer)

    def test_printers_are_changed_by_those_who_may(self):
        with self.assertRaisesRegex(OSError, FORBIDDEN):
            self.say(BOB, PAUSE_PRINTER)
        with self.assertRaisesRegex(OSError, FORBIDDEN):
            self.say(BOB, SHUTDOWN, says="root", printer=None)
        self.assertEqual(self.say("root", PAUSE_PRINTER)[0], 0)
        self.assertIsNone(self.app.process.poll())
        self.assertEqual(self.say("root", SHUTDOWN, printer=None)[0], 0)
        self.assertEqual(self.app.process.wait(30), 0)

    def test_a_title_adds_no_line_to_the_state(self):
        """Nor to the user's name; PAPPL writes both as they come."""
        evil = ("x\n</Printer>\nAdminGroup %s\n<Printer id=77 did=x driver=pcl5e "
                "name=hijack uri=socket://127.0.0.1:9>\n"
                % grp.getgrgid(pwd.getpwnam(ALICE).pw_gid).gr_name)
        with user(ALICE):
            Client(self.app.port, ALICE).print("office", own(1), PCL, evil)
        Client(self.app.port, evil).print("office", own(2), PCL, 'a"b\\c\r')
        # As long as a line of the state, and longer.
        for length in (255, 1900, 5000):
            self.root.print("office", own(3), PCL, "ä" * length)
        jobs = len(self.app.run("jobs", "-d", "office").splitlines())
        self.assertEqual(jobs, 5)
        self.app.kill()
        self.app.start()
        self.assertEqual(self.app.run("printers").split(), ["office"])
        with self.assertRaisesRegex(OSError, FORBIDDEN):
            self.say(ALICE, PAUSE_PRINTER)
        self.assertEqual(len(self.app.run("jobs", "-d", "office").splitlines()),
                         jobs)
        self.assertNotIn("Unknown directive", self.app.log_text())

    def join_lpadmin(self, name):
        groups = pathlib.Path("/etc/group")
        try:
            grp.getgrnam("lpadmin")
        except KeyError:
            self.skipTest("there is no group lpadmin")
        before = groups.read_text()
        self.addCleanup(groups.write_text, before)
        groups.write_text(re.sub(r"(?m)^(lpadmin:.*)$",
                                 lambda found: found[1] + (
                                     "" if found[1].endswith(":") else ",") + name,
                                 before))

    def test_members_of_lpadmin_change_printers(self):
        self.join_lpadmin(BOB)
        self.assertEqual(self.say(BOB, PAUSE_PRINTER)[0], 0)
        # The user still owns the job.
        self.assertEqual(self.owner(self.print(BOB, says=ALICE)), BOB)

    def connect(self, name, count):
        """Idle connections, which stay open until the test ends."""
        with user(name):
            made = [socket.create_connection(("127.0.0.1", self.app.port))
                    for _ in range(count)]
        self.addCleanup(lambda: [each.close() for each in made])
        return made

    def test_users_who_take_all_connections_lose_some_to_others(self):
        for name in ("sys", "games", "man", "mail", "news"):
            self.connect(name, 96)
        until(lambda: self.app.status("Threads") > 480)
        self.join_lpadmin(ALICE)
        for name in BOB, "root", ALICE:
            self.assertEqual(self.say(name, GET_JOBS)[0], 0)
        # But they cannot have more than others.
        self.assertEqual(self.connect("man", 8)[-1].recv(12), b"HTTP/1.1 503")

    def test_administrators_who_take_the_rest_lose_some_to_root(self):
        for name in ("sys", "games", "man", "mail", "news"):
            self.connect(name, 96)
        for name in ALICE, "backup":
            self.join_lpadmin(name)

        def take_the_rest():
            for name in ALICE, "backup":
                self.connect(name, 8)
            return self.app.status("Threads") > 512
        until(take_the_rest)
        self.assertEqual(self.say("root", GET_JOBS)[0], 0)
        self.join_lpadmin(BOB)
        self.assertEqual(self.say(BOB, GET_JOBS)[0], 0)

    def test_a_dropped_connection_prints_nothing(self):
        """The oldest connection is dropped; its document is incomplete."""
        body = self.message(PRINT_JOB, (MIME, "document-format", PCL)) + own(1)
        first, = self.connect("sys", 1)
        first.sendall(b"POST /ipp/print/office HTTP/1.1\r\nHost: localhost\r\n"
                      b"Content-Length: %d\r\nContent-Type: application/ipp\r\n"
                      b"\r\n%s" % (len(body) + 1, body))
        until(lambda: list(self.app.spool.iterdir()))
        self.connect("sys", 95)
        for name in ("games", "man", "mail", "news"):
            self.connect(name, 96)
        until(lambda: self.app.status("Threads") > 480)
        self.assertEqual(self.say(BOB, GET_JOBS)[0], 0)
        self.assertEqual(first.recv(1), b"")
        until(lambda: not list(self.app.spool.iterdir()))
        self.assertEqual(self.app.run("jobs", "-d", "office"), "")

    def test_web_pages_withhold_the_same(self):
        job = self.print(ALICE)
        jobs = "/office/jobs"
        for path in "/office", jobs:
            self.assertIn(TITLE, self.web(ALICE, path)[1], path)
            status, text = self.web(BOB, path)
            self.assertEqual(status, 200)
            self.assertNotIn(TITLE, text)
            self.assertIn("Withheld", text)
        cancel = {"action": "cancel-job", "job-id": str(job)}
        self.assertNotIn("Job canceled", self.web(BOB, jobs, cancel)[1])
        for path, form in (("/office/cancelall", {}), ("/office/config", None),
                           ("/office", {"action": "pause-printer"}),
                           ("/addprinter", None)):
            self.assertEqual(self.web(BOB, path, form)[0], 403, path)
        self.assertEqual(self.web("root", "/office/config")[0], 200)
        until(lambda: self.root.state("office", job) == 5)
        self.assertIn("Job canceled", self.web(ALICE, jobs, cancel)[1])
        until(lambda: self.is_canceled(job))

    def test_pages_of_other_sites_reach_nothing(self):
        """Neither by a name of theirs for this server, nor by forms."""
        def ask(method, host, body=None, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", self.app.port,
                                                    timeout=30)
            connection.request(method, "/office", body, {"Host": host, **headers})
            answer = connection.getresponse()
            page = answer.read().decode()
            connection.close()
            # Links lead back to where the client came from.
            name = host.removesuffix(f":{self.app.port}")
            for link in re.findall('"(https?://[^"]*)', page):
                self.assertIn(f"://{name}:{self.app.port}/", link)
            links.append(page.count('"http'))
            return answer.status
        links = []
        own = f"localhost:{self.app.port}"
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.assertEqual(ask("GET", own), 200)
        for host in "1.attacker.example", f"evil.local:{self.app.port}":
            self.assertEqual(ask("GET", host), 400, host)
        for headers in ({}, {"Origin": "http://evil.example"},
                        {"Referer": "http://evil.example/" + own}):
            self.assertEqual(ask("POST", own, "action=pause-printer", **form, **headers),
                             403, headers)
        # Nor with another user's token.
        page = self.web("root", "/office")[1]
        token = re.search('name="session" value="([^"]*)"', page)[1]
        with user(ALICE):
            self.assertEqual(ask("POST", own, "action=pause-printer&session=" + token,
                                 Origin="http://" + own, **form), 403)
        # Nor by a name of this machine that another one may have taken.
        machine = socket.gethostname().split(".")[0]
        named = f"{machine}.local:{self.app.port}"
        for host in (machine, machine.upper(), named, named.upper(), "LOCALHOST",
                     "[::1]", f"[::1]:{self.app.port}"):
            self.assertEqual(ask("GET", host), 200, host)
        self.assertGreater(max(links), 0)
        self.assertEqual(ask("POST", named, "action=pause-printer&session=" + token,
                             Origin="http://" + named, **form), 403)
        self.assertEqual(ask("POST", own, "action=pause-printer&session=" + token,
                             Origin="http://" + own, **form), 200)

    def test_a_users_requests_do_not_fill_the_log(self):
        self.printer.may_take.set()
        with user(BOB):
            connection = http.client.HTTPConnection("localhost", self.app.port, timeout=30)
            for _ in range(2000):
                connection.request("GET", "/style.css")
                self.assertIn(b"{", connection.getresponse().read())
            connection.close()
        for _ in range(400):
            self.say(BOB, GET_PRINTER)
        with self.assertRaisesRegex(OSError, FORBIDDEN):
            self.say(BOB, PAUSE_PRINTER)
        end = f"[Job {self.print(ALICE)}] Completed on office"
        until(lambda: end in self.app.log_text())
        self.app.end()
        log, bob = self.app.log_text(), f"uid {pwd.getpwnam(BOB).pw_uid}"
        self.assertLess(log.count("\n"), 400)
        self.assertIn(f"{bob} has no right to change printers.", log)
        written = log.count(f"Get-Printer-Attributes by {bob}.")
        omitted = map(int, re.findall(rf"(\d+) from {bob}\b", log))
        self.assertEqual(written + log.count("Pause-Printer") + sum(omitted), 401)

    def test_a_client_that_is_gone_is_nobody(self):
        job = self.print(ALICE)
        body = self.message(0x08, (INTEGER, "job-id", job),
                            (NAME, "requesting-user-name", ALICE))
        for _ in range(50):
            with user(BOB), socket.create_connection(
                    ("127.0.0.1", self.app.port)) as gone:
                gone.sendall(b"POST /ipp/print/office HTTP/1.1\r\n"
                             b"Host: localhost\r\nContent-Length: %d\r\n"
                             b"Content-Type: application/ipp\r\n\r\n%s"
                             % (len(body), body))
        self.say(ALICE, GET_JOB, (INTEGER, "job-id", job))
        until(lambda: self.app.log_text().count("Cancel-Job") >= 50)
        self.assertFalse(self.is_canceled(job))


if __name__ == "__main__":
    unittest.main()
