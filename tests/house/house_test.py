# SPDX-License-Identifier: Apache-2.0
"""The scripts of this folder count what they say they count."""
import collections
import unittest

import layers
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
        self.assertEqual(layers.circles(graph), [{"a", "b", "c"}])

    def test_lost_cases_and_renamed_ones(self):
        old = collections.Counter(["gtest A.x", "gtest A.y", "gtest B.z", "python test_p"])
        new = collections.Counter(["gtest C.x", "gtest C.y"])
        listed = [("gtest A.*", ["gtest C.*"]), ("python test_p", ["python test_q"])]
        self.assertEqual(test_cases.lost_cases(old, new, listed),
                         [("gtest B.z", []), ("python test_p", ["python test_q"])])


if __name__ == "__main__":
    unittest.main()
