#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No two sources of a library or program define the same name, or one of a header that
any of its sources includes.

A build that joins sources (CMAKE_UNITY_BUILD) compiles many of them as one, so names in
unnamed namespaces, macros and tests must be unique within their target. This test reads
the sources and headers instead of compiling them. It lets pass what C++ does: functions
with other parameters, and aliases and macros that stand for the same. It does not see
definitions after the first of a declaration (int a, b). Prints each clash as file:line;
exits 1 if there is any. Usage: check_names.py BUILD
"""

import collections
import functools
import json
import pathlib
import re
import sys

# Comments, text and directives.
NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"
    |(?<!\w)'(?:\\.|[^'\\\n])+'|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M | re.X)
MACRO = re.compile(r"^[ \t]*#[ \t]*(define|undef)[ \t]+(\w+)((?:\\\n|[^\n])*)", re.M)
TOKEN = re.compile(r"\w+|::|\[\[|\]\]|\S")
INCLUDE = re.compile(r'#include "(.*)"')
FOLDER = re.compile(r" -I(\S+)")
BRACE = re.compile(r"[{}]")
TYPES = {"struct", "class", "union", "enum"}
# Words that end a type, or the head of a function, where other words are names.
NO_NAMES = {"auto", "bool", "char", "const", "double", "final", "float", "int", "long",
            "noexcept", "override", "short", "unsigned", "void"}
PAIRS = {"(": ")", "<": ">", "[[": "]]"}

Name = collections.namedtuple("Name", "scope name kind detail path position")


def after(tokens, at):
    """The index after the bracket that opens here."""
    depth = 0
    for end in range(at, len(tokens)):
        depth += (tokens[end] == tokens[at]) - (tokens[end] == PAIRS[tokens[at]])
        if depth == 0:
            return end + 1
    return len(tokens)


def is_name(token):
    return token.isidentifier() and token not in NO_NAMES


def types_of(parameters):
    """The types in a list of parameters, as text."""
    parts = [[]]
    depth = 0
    for token in parameters:
        depth += (token in "(<[{") - (token in ")>]}")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    for part in parts:
        del part[part.index("=") if "=" in part else len(part):]
        if len(part) > 1 and is_name(part[-1]) and part[-2] not in ("::", "const"):
            part.pop()
    return ",".join(" ".join(part) for part in parts)


def declared(tokens):
    """What a declaration at namespace level declares: a kind, a name, or "" for a member's
    definition, and what tells it from others of the same kind and name."""
    while tokens[:1] == ["[["] or tokens[:2] == ["template", "<"]:
        tokens = tokens[after(tokens, tokens.index("[[" if tokens[0] == "[[" else "<")):]
    if tokens[:1] in (["using"], ["namespace"], ["typedef"]):
        # In C, a type often has an alias of the same name.
        is_own = tokens[-2] == tokens[-1]
        name = "" if "namespace" in tokens[1:] or is_own else tokens[-1]
        return "alias", tokens[1] if "=" in tokens else name, " ".join(tokens[1:])
    if tokens[:1] and tokens[0] in TYPES and not {"(", "="} & set(tokens):
        words = [token for token in tokens if token not in TYPES | {"final"}]
        return "type", "".join(words[:words.index(":") if ":" in words else None]), ""
    name = ""
    at = 0
    while at < len(tokens) and tokens[at] not in ("=", "["):
        token = tokens[at]
        if token == "operator" and "(" in tokens[at + 2:]:
            end = tokens.index("(", at + 2)
            name, at = "".join(tokens[at:end]), end
        elif token == "(":
            return "function", name, types_of(tokens[at + 1:after(tokens, at) - 1])
        elif token in PAIRS:
            at = after(tokens, at)
        else:
            if is_name(token):
                name = "" if tokens[at - 1] in ("::", "~") else token
            at += 1
    return "value", name if tokens[:1] != ["extern"] else "", ""


def names_of(path, text):
    """All that a source defines at namespace level."""
    macros = {each[2]: each for each in MACRO.finditer(text)}
    undefined = {each[2] for each in MACRO.finditer(text) if each[1] == "undef"}
    for name in macros.keys() - undefined:
        yield Name("", name, "macro", macros[name][3].strip(), path, macros[name].start())
    code = NOT_CODE.sub(lambda match: '"' + " " * (len(match[0]) - 1)
                        if match[0][0] in "R\"'" else " " * len(match[0]), text)
    scopes, tokens, at, begin, has_body = [], [], 0, 0, False
    while match := TOKEN.search(code, at):
        token, at = match[0], match.end()
        begin = begin if tokens else match.start()
        ended = token == ";"
        if token == "}":
            del scopes[-1:]
        elif token == "{" and ("namespace" in tokens or tokens[:2] == ["extern", '"']):
            scopes.append("".join(tokens[tokens.index("namespace") + 1:])
                          if "namespace" in tokens else "")
            tokens = []
        elif token == "{":
            depth = 1
            while depth and (brace := BRACE.search(code, at)):
                depth += 1 if brace[0] == "{" else -1
                at = brace.end()
            if tokens.count("(") > tokens.count(")"):
                continue
            has_body = True
            is_member = ":" in tokens and "-" not in tokens and is_name(tokens[-1])
            ended = declared(tokens)[0] == "function" and not is_member
        elif not ended:
            tokens.append(token)
        if ended:
            kind, name, detail = declared(tokens)
            if name and (has_body or kind not in ("function", "type")):
                yield Name("::".join(filter(None, scopes)), name, kind, detail, path, begin)
            tokens, has_body = [], False


def sources_of(build):
    """The sources of each target, and the headers of ours that they include. Sources that
    a build never joins are checked, too."""
    found, folders = collections.defaultdict(set), collections.defaultdict(set)
    for command in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(command["file"])
        if file.suffix == ".cu":
            continue
        target = re.search(r" -o (\S+)\.dir/", command["command"])[1]
        joined = INCLUDE.findall(file.read_text()) if file.parent.name == "Unity" else [file]
        found[target] |= {pathlib.Path(source) for source in joined}
        folders[target] |= {pathlib.Path(each) for each in FOLDER.findall(command["command"])}
    text_of = functools.cache(pathlib.Path.read_text)
    is_file = functools.cache(pathlib.Path.is_file)
    for target, sources in found.items():
        left = list(sources)
        while left:
            for name in INCLUDE.findall(text_of(left.pop())):
                headers = (folder / name for folder in sorted(folders[target]))
                header = next(filter(is_file, headers), None)
                if header and header not in sources:
                    sources.add(header)
                    left.append(header)
    return {target: {source: text_of(source) for source in sorted(sources)}
            for target, sources in found.items()}


def clashes(targets):
    """A line for each name that another source of a target defines. targets: the texts of
    each target's sources, by their paths."""
    known = {}
    for sources in targets.values():
        first = {}
        for path, text in sources.items():
            if path not in known:
                known[path] = list(names_of(path, text))
            for name in known[path]:
                for other in first.setdefault((name.scope, name.name), []):
                    is_same = name.detail == other.detail
                    may_be = (name.kind == other.kind and
                              is_same == (name.kind in ("alias", "macro")))
                    if other.path != path and not may_be:
                        yield (f"{place(name, text)}: {name.name} is also in "
                               f"{place(other, sources[other.path])}")
                first[name.scope, name.name].append(name)


def place(name, text):
    return f"{name.path}:{text.count(chr(10), 0, name.position) + 1}"


def main():
    targets = sources_of(pathlib.Path(sys.argv[1]))
    found = list(dict.fromkeys(clashes(targets)))
    for clash in found:
        print(clash)
    print(f"{len(targets)} targets, {len(found)} clashes")
    return 1 if found or not targets else 0


if __name__ == "__main__":
    sys.exit(main())
