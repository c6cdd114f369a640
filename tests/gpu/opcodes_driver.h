// SPDX-License-Identifier: Apache-2.0
//
// The few functions of the CUDA driver this test needs, found at run time: it builds without a toolkit and
// runs wherever a driver is.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "annotate/support/result.h"

namespace cupilot::opcodes {

class Driver {
public:
  /// The first GPU; an error says why there is none.
  static Result<std::unique_ptr<Driver>> open();
  ~Driver();
  Driver(const Driver &) = delete;
  Driver &operator=(const Driver &) = delete;

  const std::string &name() const { return name_; }
  unsigned architecture() const { return architecture_; }  ///< 90
  std::string ptx_version() const;                         ///< the newest the driver reads for certain

  Result<std::uint64_t> allocate(std::size_t bytes);
  Result<> to_device(std::uint64_t to, const void *from, std::size_t bytes);
  Result<> from_device(void *to, std::uint64_t from, std::size_t bytes);
  Result<> clear(std::uint64_t at, std::size_t bytes);

  /// A module for one launch. Errors of `load` are the compiler's words.
  Result<void *> load(const std::string &ptx);
  void unload(void *module);
  /// Entry `form`; waits for the end.
  Result<> launch(void *module, unsigned blocks, void **parameters, unsigned threads = 32);

private:
  Driver() = default;
  struct Functions;
  Result<> check(int code, const char *doing) const;
  std::unique_ptr<Functions> functions_;
  std::string name_;
  unsigned architecture_ = 0;
  int version_ = 0;
};

}  // namespace cupilot::opcodes
