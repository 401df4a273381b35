# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chromium, driven by its own debugging protocol, and a server of files for it."""

import base64
import contextlib
import functools
import http.server
import itertools
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

import websocket  # Debian: python3-websocket

PATIENCE_S = 240  # machines that run many tests are slow


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(directory):
    """The address of a server of this directory."""
    handler = functools.partial(_Handler, directory=directory)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


class Page:
    """A tab. Messages of its console, failures, and requests, also of its workers, are
    kept."""

    def __init__(self, socket):
        self.socket = socket
        self.numbers = itertools.count(1)
        self.requests, self.problems, self.downloads = [], [], {}
        tab = self.call("Target.createTarget", of_tab=False, url="about:blank")
        self.session = self.call("Target.attachToTarget", of_tab=False, flatten=True,
                                 targetId=tab["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "DOM"):
            self.call(f"{domain}.enable")
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True,
                  flatten=True)

    def call(self, method, of_tab=True, **words):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": words}
        if of_tab:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._take(answer)

    def _watch(self, worker):
        for method in ("Network.enable", "Runtime.runIfWaitingForDebugger"):
            self.socket.send(json.dumps(
                {"id": next(self.numbers), "method": method, "sessionId": worker}))

    def _take(self, event):
        method, words = event.get("method"), event.get("params", {})
        if method == "Target.attachedToTarget":
            self._watch(words["sessionId"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(words["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = words["exceptionDetails"]
            self.problems.append(
                details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and words["entry"]["level"] == "error":
            self.problems.append(words["entry"]["text"])
        elif method == "Browser.downloadWillBegin":
            self.downloads[words["guid"]] = [words["suggestedFilename"], "began"]
        elif method == "Browser.downloadProgress":
            self.downloads[words["guid"]][1] = words["state"]

    def run(self, expression):
        """The value of a JavaScript expression, or of its promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details))
        return answer["result"].get("value")

    def wait(self, condition):
        """Until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE_S
        while not self.run(f"Boolean({condition})"):
            if self.problems or time.monotonic() > end:
                raise TimeoutError(f"{condition}; status: {self.text('#status')}; "
                                   f"error: {self.text('#error')}; {self.problems}")
            # The page's next frame, or a moment.
            self.run("new Promise(done => setTimeout(done, 30))")

    def saved(self, selector):
        """The name of the file that a button saves."""
        self.downloads.clear()
        self.run(f"document.querySelector({json.dumps(selector)}).click()")
        end = time.monotonic() + PATIENCE_S
        while [state for _, state in self.downloads.values()] != ["completed"]:
            if self.problems or time.monotonic() > end:
                raise TimeoutError(f"{selector}: {self.downloads}, {self.problems}")
            self.run("new Promise(done => setTimeout(done, 30))")
        return next(name for name, _ in self.downloads.values())

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)})?.textContent")

    def open(self, url, width=1440, height=1000, dark=False, scale=1, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=touch)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && "
                  "document.documentElement.dataset.state")

    def key(self, key, shift=False):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38,
                 "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35}
        words = {"key": key, "code": "Space" if key == " " else key,
                 "modifiers": 8 if shift else 0,
                 "windowsVirtualKeyCode": codes.get(key, ord(key[0].upper()))}
        if len(key) == 1 or key == "Enter":
            words["text"] = "\r" if key == "Enter" else key
        self.call("Input.dispatchKeyEvent", type="keyDown", **words)
        words.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **words)

    def mouse(self, kind, x, y, **words):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **words)

    def drag_file(self, path, x, y):
        """Drops a file, as from a file manager."""
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def choose_file(self, selector, path):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def screenshot(self, path, whole=False):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))


def _address_of(profile, process):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        with contextlib.suppress(FileNotFoundError, ValueError):
            port, path = pathlib.Path(profile, "DevToolsActivePort").read_text().split()
            return f"ws://127.0.0.1:{port}{path}"
        time.sleep(0.05)
    raise RuntimeError("chromium did not start")


@contextlib.contextmanager
def opened(downloads):
    """A page in a new browser, whose downloads go to this directory. It reaches this
    machine only."""
    profile = tempfile.mkdtemp(prefix="halftoned-chromium-")
    process = subprocess.Popen(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-default-browser-check", "--disable-default-apps",
         "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=127.0.0.1",
         "--remote-debugging-port=0", "--remote-allow-origins=*", "--hide-scrollbars",
         f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        socket = websocket.create_connection(_address_of(profile, process),
                                             timeout=PATIENCE_S)
        page = Page(socket)
        page.call("Browser.setDownloadBehavior", of_tab=False, behavior="allow",
                  downloadPath=str(downloads), eventsEnabled=True)
        yield page
        socket.close()
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(profile, ignore_errors=True)
