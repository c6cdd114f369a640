// SPDX-License-Identifier: Apache-2.0
//
// Value or error: the one way anything that can fail for reasons outside the program reports it.
// Errors travel up as values, each level adds what it was doing, and only `main` prints them.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <expected>
#include <string>
#include <utility>

namespace cupilot {

/// Who has to act: decides the exit code and the tone, never whether the error is shown.
enum class Blame { user, environment };

struct Error {
  std::string message;  ///< lower-case start, no full stop, names the thing and the way out
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
/// Passes an error up with what this level was doing: "reading record x: <inner message>".
[[nodiscard]] inline std::unexpected<Error> within(const std::string &doing, Error inner) {
  inner.message = doing + ": " + inner.message;
  return std::unexpected(std::move(inner));
}

}  // namespace cupilot

/// `CUPILOT_TRY(value, expression);` declares `value` from a Result or returns its error.
#define CUPILOT_TRY(name, ...) CUPILOT_TRY_(CUPILOT_CAT_(cupilot_try_, __LINE__), name, __VA_ARGS__)
#define CUPILOT_TRY_(tmp, name, ...)                        \
  auto tmp = (__VA_ARGS__);                                 \
  if (!tmp) return std::unexpected(std::move(tmp).error()); \
  auto name = std::move(*tmp)
#define CUPILOT_CAT_(a, b) CUPILOT_CAT2_(a, b)
#define CUPILOT_CAT2_(a, b) a##b

/// `CUPILOT_CHECKED(expression);` returns the error of a Result<void>.
#define CUPILOT_CHECKED(...)                                  \
  if (auto cupilot_checked = (__VA_ARGS__); !cupilot_checked) \
  return std::unexpected(std::move(cupilot_checked).error())

/// A bug of ours; no input of a user can reach one.
#define CUPILOT_CHECK(condition) \
  ((condition)                   \
       ? (void)0                 \
       : (std::fprintf(stderr, "%s:%d: cupilot bug: %s\n", __FILE__, __LINE__, #condition), std::abort()))
