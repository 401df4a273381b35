# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""halftone-printer-app's web pages as a browser without scripts sees them."""

import html.parser
import urllib.parse
import urllib.request

from kit.server import Application


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


class WebApplication(Application):
    def page(self, path, fields=None, language="en"):
        """Gets a page, or submits a form with these fields."""
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(
            f"http://{self.listen}:{self.port}{path}", data,
            {"Accept-Language": language,
             "Origin": f"http://{self.listen}:{self.port}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    def fill_in(self, path, changes):
        """Sends a page's form, with some fields changed."""
        return self.page(path, Form(self.page(path)).fields | changes)
