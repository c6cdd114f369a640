// SPDX-License-Identifier: Apache-2.0
//
// A value or an error. Every function that can fail for reasons outside the program returns one. Errors are
// passed up as values, each level adds what it was doing, and only `main` prints them.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <expected>
#include <string>
#include <utility>

namespace cupilot {

/// Who has to act on an error. This decides the exit code and the wording; the error is always shown.
enum class Blame { user, environment };

struct Error {
  std::string message;  ///< starts lower-case, has no full stop, names the thing and how to fix it
  Blame blame = Blame::environment;
};

template <class T = void>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(std::string message, Blame blame = Blame::environment) {
  return std::unexpected(Error{std::move(message), blame});
}
[[nodiscard]] inline std::unexpected<Error> user_error(std::string message) {
  return fail(std::move(message), Blame::user);
}
/// Passes an error up and prepends what this level was doing: "reading record x: <inner message>".
[[nodiscard]] inline std::unexpected<Error> within(const std::string &doing, Error inner) {
  inner.message = doing + ": " + inner.message;
  return std::unexpected(std::move(inner));
}

}  // namespace cupilot

/// `CUPILOT_TRY(value, expression);` declares `value` from a Result, or makes the caller return its error.
#define CUPILOT_TRY(name, ...) CUPILOT_TRY_(CUPILOT_CAT_(cupilot_try_, __LINE__), name, __VA_ARGS__)
#define CUPILOT_TRY_(tmp, name, ...)                        \
  auto tmp = (__VA_ARGS__);                                 \
  if (!tmp) return std::unexpected(std::move(tmp).error()); \
  auto name = std::move(*tmp)
#define CUPILOT_CAT_(a, b) CUPILOT_CAT2_(a, b)
#define CUPILOT_CAT2_(a, b) a##b

/// `CUPILOT_CHECKED(expression);` makes the caller return the error of a Result<void>.
#define CUPILOT_CHECKED(...)                                  \
  if (auto cupilot_checked = (__VA_ARGS__); !cupilot_checked) \
  return std::unexpected(std::move(cupilot_checked).error())

/// Aborts on a bug of cupilot. No input of a user may be able to trigger it.
#define CUPILOT_CHECK(condition) \
  ((condition)                   \
       ? (void)0                 \
       : (std::fprintf(stderr, "%s:%d: cupilot bug: %s\n", __FILE__, __LINE__, #condition), std::abort()))
