#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_names.py finds names that clash where sources are joined, and no others."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_names

CLASHES = [  # the name, and the texts of two sources
    ("kRoom", "namespace { constexpr auto kRoom = 1; }", "namespace { const int kRoom{2}; }"),
    ("kRoom", "static int kRoom;", "namespace { int kRoom[] = {1, 2}; }"),
    ("kRoom", "namespace { auto kRoom = [](int a) { return a; }; }", "namespace { int kRoom; }"),
    ("kRoom", "namespace a::b { namespace { int kRoom; } }",
     "namespace a { namespace b { /* } */ namespace { std::string_view kRoom = \"}\"; } } }"),
    ("Row", "namespace { struct Row { int a; }; }", "namespace { class Row final : A { }; }"),
    ("Row", "namespace { enum class Row : uint8_t { kA }; }", "namespace { using Row = int; }"),
    ("Row", "namespace { using Row = A; }", "namespace { using Row = B; }"),
    ("Row", "namespace { int Row() { return 1; } }", "namespace { struct Row {}; }"),
    ("Has", "namespace { bool Has(int a, const B& b) { return a; } }",
     "namespace { bool Has(int, const B&) { return false; } }"),
    ("Has", "namespace { [[maybe_unused]] bool Has(A<B, C> a = {1, 2}) { return 1; } }",
     "template <class T, class U = A<T>>\nstatic A<T> Has(A<B, C>) noexcept { return {}; }"),
    ("Has", "namespace a { void Has() {} namespace { bool x = '{'; } }",
     "namespace a { namespace { void Has() {} } }"),
    ("operator==", "namespace { bool operator==(A a, A b) { return 1; } }",
     "namespace { bool operator==(A, A) { return 0; } }"),
    ("TEST", "TEST(Page, Ends) { }", "TEST(Page, Ends) { }"),
    ("kAfter", "namespace { A::A() : a_{1}, b_(2) { } int kAfter; }",
     "namespace { auto F() -> A<int> { int kAfter; } long kAfter = 1'000; }"),
    ("kAfter", "namespace { auto a = R\"(})\"; int kAfter; }", "namespace { int kAfter; }"),
    ("ROOM", "#define ROOM 1\n", "#define ROOM \\\n  2\n"),
    ("Depth", "namespace a { enum class Depth { k1, k8 }; }",
     "namespace a { namespace { class Depth { int value; }; } }"),
]
BESIDE = [
    ("namespace { int a; }", "namespace b { namespace { int a; } }"),
    ("namespace { int F(int a) { } }", "namespace { int F(long a) { } int F() { } }"),
    ("namespace { int F(const A& a) { } }", "namespace { int F(A* a) { } }"),
    ("namespace { void F(); struct A; extern int b; }",
     "namespace { void F() {} struct A {}; int b; }"),
    ("namespace { using A = B<1>; namespace fs = std::filesystem; }",
     "namespace { using A = B<1>; namespace fs = std::filesystem; }"),
    ("using std::string; using namespace std;", "using std::string; using namespace std;"),
    ("int A::F() { int a; } A::A() : a_{1} { } int A::b = 1;",
     "int B::F() { int a; } B::B() : a_{1} { } int B::b = 1;"),
    ("struct A { int F() { } int b; };", "struct B { int F() { } int b; };"),
    ("TEST(Page, Ends) { }", "TEST(Page, Begins) { }"),
    ("// int a;\n/* int b; */ extern \"C\" { int c; }", "int a, d; int b;"),
    ("#define ROOM 1\n#undef ROOM\n", "#define ROOM 2\n"),
    ("#define ROOM 1\n", "#define ROOM 1\n"),
    ("typedef struct A A;", "struct A { int b; };"),
    ("A::~A() { }", "class A { int b; };"),
    ("void F(A a = {}, int b = 0);", "void F(A a, int b) { }"),
    ("template <> struct A<int> { };", "template <> struct A<long> { };"),
]


class CheckNames(unittest.TestCase):
    def clashes(self, first, second):
        return list(check_names.clashes({"t": {"a.cc": first, "b.cc": second}}))

    def test_finds_clashes(self):
        for name, *texts in CLASHES:
            for first, second in (texts, texts[::-1]):
                self.assertEqual([f"b.cc:2: {name} is also in a.cc:1"],
                                 [clash.replace("b.cc:3", "b.cc:2") for clash in
                                  self.clashes(first, "\n" + second)], first + second)

    def test_lets_the_rest_pass(self):
        for first, second in BESIDE:
            self.assertEqual([], self.clashes(first, second))
            self.assertEqual([], self.clashes(second, first))

    def test_other_targets_may_have_the_name(self):
        self.assertEqual([], list(check_names.clashes(
            {"t": {"a.cc": "static int a;"}, "u": {"b.cc": "static int a;"}})))

    def test_the_program_reads_joined_and_separate_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            unity = build / "Unity"
            unity.mkdir()
            a, b, joined = build / "a.cc", build / "b.cc", unity / "unity_0_cxx.cxx"
            a.write_text("static int a;\n")
            joined.write_text(f'/* 1 */\n#include "{a}"\n')
            for text, status in (("static int b;\n", 0), ("\nstatic int a;\n", 1)):
                b.write_text(text)
                (build / "compile_commands.json").write_text(json.dumps(
                    [{"file": str(file), "command": f"c++ -o x/t.dir/{file.name}.o -c {file}"}
                     for file in (joined, b)]))
                done = subprocess.run([sys.executable, check_names.__file__, folder],
                                      stdout=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, status, done.stdout)
        self.assertIn(f"{b}:2: a is also in {a}:1\n", done.stdout)

    def test_the_program_reads_headers(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            for name, text in (("a.cc", "class A;"), ("b.cc", '#include "x/b.h"'),
                               ("x/b.h", '#include "x/c.h"'), ("x/c.h", "class A { };")):
                (build / "x").mkdir(exist_ok=True)
                (build / name).write_text(text)
            (build / "compile_commands.json").write_text(json.dumps(
                [{"file": str(build / name),
                  "command": f"c++ -I{folder} -o x/t.dir/{name}.o -c {build / name}"}
                 for name in ("a.cc", "b.cc")]))
            run = [sys.executable, check_names.__file__, folder]
            self.assertEqual(subprocess.run(run, stdout=subprocess.DEVNULL).returncode, 0)
            (build / "a.cc").write_text("namespace { class A { }; }")
            done = subprocess.run(run, stdout=subprocess.PIPE, text=True)
            self.assertIn("A is also in", done.stdout)


if __name__ == "__main__":
    unittest.main()
