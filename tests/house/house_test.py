# SPDX-License-Identifier: Apache-2.0
"""The scripts of this folder count what they say they count."""
import collections
import sys
import unittest

sys.dont_write_bytecode = True
import check_sources
import layering
import test_cases
import tree

SOURCE = '''
#include "a/b.h"
namespace n {
// int commented() { return 0; }
struct S {
  S(int a) : a_{a}, b_(a) {
    go();
  }
  int size() const { return 1'000; }
  int a_{0};
};
constexpr Row kRows[] = {{"f() {", 1}, {"g", 2}};
template <class T>
bool operator==(const T &a, const T &b) {
  const auto same = [](int x) { return x == '{'; };
  return same(a) && R"(} /* #include <not_this>
)";
}
#define MACRO(x) \\
  void x() {}
}  // namespace n
'''


class House(unittest.TestCase):
    def test_functions_are_found_with_their_lines(self):
        self.assertEqual(tree.functions(SOURCE), [(6, 8), (9, 9), (13, 18)])

    def test_includes_in_text_do_not_count(self):
        self.assertEqual(tree.includes(SOURCE), ["a/b.h"])

    def test_circles_of_folders(self):
        graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}}
        self.assertEqual(layering.circles(graph), [{"a", "b", "c"}])

    def test_layering_finds_every_kind_of_fault(self):
        sources = {"evolution/a/x.cpp": '#include "evolution/b/y.h"\n#include <vector>\n#include <odd/thing.h>',
                   "evolution/b/y.h": '#include <sqlite3.h>\n#include <unistd.h>', "evolution/c/z.h": '#include "text.h"',
                   "evolution/c/text.h.in": ""}
        table, wrong = layering.read_table("b: <sqlite3.h> <unistd.h>  # the only one\na:\n  b", "layering.txt", "evolution")
        self.assertEqual((table, wrong), ({"evolution/b": {"sqlite"}, "evolution/a": {"evolution/b"}}, []))
        self.assertEqual(layering.complaints_about(sources, table), [
            "evolution/a/x.cpp includes odd/thing.h: neither the system's nor a third party's of layering.py",
            "evolution/c has no line in the table; as it is: evolution/c: "])
        table = {"evolution/a": {"curl"}, "evolution/b": {"sqlite"}, "evolution/c": set(), "evolution/d": set()}
        sources["evolution/a/x.cpp"] = '#include "evolution/b/y.h"'
        sources["evolution/b/z.h"] = '#include "evolution/a/w.h"'
        self.assertEqual(layering.complaints_about(sources, table), [
            "evolution/a/x.cpp includes evolution/b/y.h: evolution/a may not include evolution/b",
            "evolution/a may include curl, but no file there does: remove it from the table",
            "evolution/b/z.h includes evolution/a/w.h: evolution/b may not include evolution/a",
            "evolution/d has a line in the table and no sources",
            "a circle of folders: evolution/a evolution/b"])

    def test_every_source_gets_the_command_of_its_library(self):
        command = f"/usr/bin/ccache g++ -I{tree.ROOT} -O0 -o x.o -c {tree.ROOT}/evolution/a/x.cpp"
        unit = check_sources.Unit({"file": f"{tree.ROOT}/evolution/a/x.cpp", "directory": "/", "command": command})
        other = check_sources.Unit({"file": f"{tree.ROOT}/driver/y.cpp", "directory": "/", "command": command})
        self.assertEqual(unit.compile("z.cpp"), ["g++", f"-I{tree.ROOT}", "-O0", "-fsyntax-only", "-x", "c++", "z.cpp"])
        self.assertEqual(unit.compile("z.h")[-5:], ["-x", "c++", "-include", "z.h", "/dev/null"])
        self.assertIs(check_sources.unit_for("evolution/a/z.h", [other, unit]), unit)
        self.assertIs(check_sources.unit_for("evolution/a/b/z.h", [other, unit]), unit)

    def test_without_history_a_part_of_the_tree_is_checked(self):
        paths = [f"evolution/a/{number}.cpp" for number in range(800)]
        part = check_sources.picked(paths)
        self.assertTrue(0 < len(part) < 120, len(part))

    def test_lost_cases_and_renamed_ones(self):
        old = collections.Counter(["gtest A.x", "gtest A.y", "gtest B.z", "python test_p"])
        new = collections.Counter(["gtest C.x", "gtest C.y"])
        listed = [("gtest A.*", ["gtest C.*"]), ("python test_p", ["python test_q"])]
        self.assertEqual(test_cases.lost_cases(old, new, listed),
                         [("gtest B.z", []), ("python test_p", ["python test_q"])])


if __name__ == "__main__":
    unittest.main()
