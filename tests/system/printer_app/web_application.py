# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A halftone-printer-app of a test's own, with all that it keeps in a temporary
folder, and its web pages as a browser without scripts sees them."""

import html.parser
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class Form(html.parser.HTMLParser):
    """The fields of a page's forms as they are filled in, and the texts of their
    choices: {field: {value: text}}."""

    def __init__(self, page):
        super().__init__()
        self.fields, self.texts, self.select, self.option = {}, {}, None, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        has = dict(attributes)
        if tag == "input" and "name" in has:
            if has.get("type") != "radio" or "checked" in has:
                self.fields[has["name"]] = has.get("value", "")
        elif tag == "select":
            self.select = has["name"]
            self.texts[self.select] = {}
        elif tag == "option":
            self.option = has["value"]
            self.texts[self.select][self.option] = ""
            if "selected" in has or self.select not in self.fields:
                self.fields[self.select] = self.option

    def handle_endtag(self, tag):
        if tag in ("option", "select"):
            self.option = None

    def handle_data(self, data):
        if self.option is not None:
            self.texts[self.select][self.option] += data


class Application:
    def __init__(self, program, listen="localhost", environment=None):
        self.program, self.listen = program, listen
        self.folder = tempfile.TemporaryDirectory()
        # All that PAPPL keeps goes there, whoever runs the test.
        self.environment = dict(
            os.environ, SNAP_COMMON=self.folder.name, TMPDIR=self.folder.name,
            HOME=self.folder.name, **(environment or {}))
        self.port = free_port()
        self.start()

    def start(self):
        self.server = subprocess.Popen(
            [self.program, "server", "-o", f"server-port={self.port}",
             "-o", f"listen-hostname={self.listen}", "-o", "log-level=info",
             "-o", f"log-file={self.folder.name}/log"],
            env=self.environment, stderr=subprocess.DEVNULL)
        for _ in range(300):
            try:
                socket.create_connection((self.listen, self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the application does not listen")

    def stop(self):
        self.server.terminate()
        assert self.server.wait(75) == 0, "the application ended with an error"

    def close(self):
        self.stop()
        self.folder.cleanup()

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment,
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def log(self):
        return pathlib.Path(self.folder.name, "log").read_text(errors="replace")

    def uri(self, printer):
        return f"ipp://{self.listen}:{self.port}/ipp/print/{printer}"

    def page(self, path, fields=None, language="en"):
        """A page, or what a form gives that has these fields."""
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(
            f"http://{self.listen}:{self.port}{path}", data,
            {"Accept-Language": language})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def fill_in(self, path, changes):
        """Sends a page's form, with some fields changed."""
        return self.page(path, Form(self.page(path)).fields | changes)
